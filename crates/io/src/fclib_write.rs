//! Writing FCLIB files.

use crate::fclib::KINDS;
use crate::problem_file::{Form, ProblemFile, Solution};
use hdf5_pure::{FileBuilder, GroupBuilder};
use moreau_algebra::sparse::SparseMatrix;
use moreau_files::Fault;

/// The bytes of a problem, or why the format cannot state it.
pub(crate) fn to_bytes(problem: &ProblemFile) -> Result<Vec<u8>, Fault> {
    let local = matches!(problem.form, Form::Local { .. });
    let wanted = (local, problem.is_rolling());
    let kind = KINDS.iter().find(|kind| (kind.1, kind.2) == wanted);
    let kind = kind.expect("KINDS holds all four cases").0;

    let mut file = FileBuilder::new();
    let mut group = file.create_group(kind);
    integers(&mut group, "spacedim", &[int32(kind, problem.dimension)?]);
    let mut vectors = group.create_group("vectors");
    reals(&mut vectors, "mu", &problem.friction);
    if problem.is_rolling() {
        reals(&mut vectors, "mu_r", &problem.rolling_friction);
    }
    match &problem.form {
        Form::Local { w, q } => {
            compressed_rows(&mut group, "W", w)?;
            reals(&mut vectors, "q", q);
        }
        Form::Global {
            mass,
            h,
            f,
            w,
            bilateral,
        } => {
            triplets(&mut group, "M", mass)?;
            triplets(&mut group, "H", h)?;
            reals(&mut vectors, "f", f);
            reals(&mut vectors, "w", w);
            if let Some(part) = bilateral {
                triplets(&mut group, "G", &part.g)?;
                reals(&mut vectors, "b", &part.b);
            }
        }
    }
    group.add_group(vectors.finish());
    let mut info = group.create_group("info");
    text(&mut info, "title", &problem.info.title)?;
    text(&mut info, "description", &problem.info.description)?;
    text(&mut info, "math_info", &problem.info.math_info)?;
    group.add_group(info.finish());
    file.add_group(group.finish());

    if let Some(solution) = &problem.solution {
        let mut group = file.create_group("solution");
        add_solution(&mut group, solution);
        file.add_group(group.finish());
    }
    if !problem.guesses.is_empty() {
        let mut group = file.create_group("guesses");
        let count = int32("guesses", problem.guesses.len())?;
        integers(&mut group, "number_of_guesses", &[count]);
        for (position, guess) in problem.guesses.iter().enumerate() {
            let mut one = group.create_group(&format!("{}", position + 1));
            add_solution(&mut one, guess);
            group.add_group(one.finish());
        }
        file.add_group(group.finish());
    }
    file.finish()
        .map_err(|error| Fault::new("/", error.to_string(), "a problem that HDF5 can store"))
}

fn add_solution(group: &mut GroupBuilder, solution: &Solution) {
    for (name, values) in [
        ("r", &solution.impulses),
        ("u", &solution.velocities),
        ("v", &solution.body_velocities),
        ("l", &solution.multipliers),
    ] {
        if !values.is_empty() {
            reals(group, name, values);
        }
    }
}

fn compressed_rows(
    group: &mut GroupBuilder,
    name: &str,
    matrix: &SparseMatrix,
) -> Result<(), Fault> {
    let (starts, columns, values) = matrix.storage();
    let mut part = group.create_group(name);
    sizes(&mut part, name, matrix, -2)?;
    integers(&mut part, "p", &all_int32(name, starts.iter().copied())?);
    integers(&mut part, "i", &all_int32(name, columns.iter().copied())?);
    reals(&mut part, "x", values);
    group.add_group(part.finish());
    Ok(())
}

fn triplets(group: &mut GroupBuilder, name: &str, matrix: &SparseMatrix) -> Result<(), Fault> {
    let mut part = group.create_group(name);
    sizes(&mut part, name, matrix, int32(name, matrix.stored())?)?;
    let rows = matrix.triplets().map(|(row, _, _)| row);
    let columns = matrix.triplets().map(|(_, column, _)| column);
    // Rows are in i and columns in p, whatever the comment in fclib.h says.
    integers(&mut part, "i", &all_int32(name, rows)?);
    integers(&mut part, "p", &all_int32(name, columns)?);
    reals(&mut part, "x", matrix.storage().2);
    group.add_group(part.finish());
    Ok(())
}

fn sizes(part: &mut GroupBuilder, name: &str, matrix: &SparseMatrix, nz: i32) -> Result<(), Fault> {
    integers(part, "nzmax", &[int32(name, matrix.stored())?]);
    integers(part, "m", &[int32(name, matrix.rows())?]);
    integers(part, "n", &[int32(name, matrix.columns())?]);
    integers(part, "nz", &[nz]);
    Ok(())
}

fn int32(place: &str, value: usize) -> Result<i32, Fault> {
    i32::try_from(value).map_err(|_| {
        Fault::new(
            place,
            format!("{value} is too large for FCLIB"),
            "sizes and counts of 31 bits",
        )
    })
}

fn all_int32(place: &str, values: impl Iterator<Item = usize>) -> Result<Vec<i32>, Fault> {
    values.map(|value| int32(place, value)).collect()
}

fn integers(group: &mut GroupBuilder, name: &str, values: &[i32]) {
    let dataset = group.create_dataset(name).with_i32_data(values);
    dataset.with_shape(&[values.len() as u64]);
}

fn reals(group: &mut GroupBuilder, name: &str, values: &[f64]) {
    let dataset = group.create_dataset(name).with_f64_data(values);
    dataset.with_shape(&[values.len() as u64]);
}

/// A text of fixed length with the final zero that readers in C rely on.
fn text(group: &mut GroupBuilder, name: &str, value: &str) -> Result<(), Fault> {
    let place = format!("info/{name}");
    if value.contains('\0') {
        return Err(Fault::new(place, "the text holds a zero byte", "none"));
    }
    let width = int32(&place, value.len() + 1)? as u32;
    let dataset = group.create_dataset(name);
    dataset
        .with_strings_sized(&[value], width)
        .map_err(|error| Fault::new(place, error.to_string(), "a text that HDF5 can store"))?
        .with_shape(&[]);
    Ok(())
}
