//! Writing the `.dat` text files of Siconos.
//!
//! Matrices are written as triplets with the shortest decimals that give the same bits again.

use crate::problem_file::{Form, ProblemFile};
use moreau_algebra::sparse::SparseMatrix;
use moreau_files::Fault;
use std::fmt::Write;

/// The text of a problem, or why the format cannot state it.
pub(crate) fn to_text(problem: &ProblemFile) -> Result<String, Fault> {
    let mut text = format!("{}\n{}\n", problem.dimension, problem.contacts());
    match &problem.form {
        Form::Local { w, q } => {
            matrix(&mut text, w);
            vector(&mut text, q);
        }
        Form::Global {
            bilateral: Some(_), ..
        } => {
            return Err(Fault::new(
                "G",
                "a Siconos .dat file cannot hold bilateral constraints",
                "a problem without them, or an FCLIB file",
            ));
        }
        Form::Global { mass, h, f, w, .. } => {
            matrix(&mut text, mass);
            matrix(&mut text, h);
            vector(&mut text, f);
            vector(&mut text, w);
        }
    }
    vector(&mut text, &problem.friction);
    vector(&mut text, &problem.rolling_friction);
    Ok(text)
}

fn matrix(text: &mut String, matrix: &SparseMatrix) {
    let (rows, columns, stored) = (matrix.rows(), matrix.columns(), matrix.stored());
    add(text, format_args!("2\n{rows}\n{columns}\n1\n"));
    add(text, format_args!("moreau, all digits\n"));
    // Siconos takes nzmax entries of memory and needs at least one.
    let room = stored.max(1);
    add(
        text,
        format_args!("triplet: {rows}-by-{columns}, nzmax: {room} nnz: {stored}\n"),
    );
    for (row, column, value) in matrix.triplets() {
        add(text, format_args!("{row} {column} : {value:e}\n"));
    }
}

fn vector(text: &mut String, values: &[f64]) {
    for value in values {
        add(text, format_args!("{value:e} "));
    }
    text.push('\n');
}

fn add(text: &mut String, piece: std::fmt::Arguments) {
    text.write_fmt(piece)
        .expect("writing to a String cannot fail");
}
