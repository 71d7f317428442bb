//! Reading the `.dat` text files of Siconos.
//!
//! The files do not say whether they are local or global: a second matrix tells.

use crate::problem_file::{Form, Info, ProblemFile, check_dimension, check_size};
use crate::siconos_matrix;
use crate::text::Cursor;
use moreau_files::Fault;

/// Reads a problem from the bytes of a file.
pub(crate) fn parse(bytes: &[u8]) -> Result<ProblemFile, Fault> {
    let mut cursor = Cursor::new(bytes);
    let dimension = cursor.integer("components per contact")?;
    check_dimension(&cursor.place(), dimension)?;
    let contacts = cursor.count("number of contacts")?;
    let components = dimension * contacts;
    cursor.check_room(components, "contact components")?;

    let place = format!("{}, first matrix", cursor.place());
    let first = siconos_matrix::parse(&mut cursor, "the first matrix (W or M)")?;
    let dofs = first.rows();
    check_size(&place, (dofs, first.columns()), (dofs, dofs))?;

    let rolling = dimension > 3;
    let coefficients = if rolling { 2 * contacts } else { contacts };
    let form = if second_matrix_follows(&cursor, dofs, components, coefficients) {
        let place = format!("{}, H", cursor.place());
        let h = siconos_matrix::parse(&mut cursor, "H")?;
        check_size(&place, (h.rows(), h.columns()), (dofs, components))?;
        Form::Global {
            mass: first,
            h,
            f: cursor.reals(dofs, "f")?,
            w: cursor.reals(components, "w")?,
            bilateral: None,
        }
    } else if dofs == components {
        Form::Local {
            w: first,
            q: cursor.reals(components, "q")?,
        }
    } else {
        return Err(Fault::new(
            cursor.place(),
            format!("the first matrix has {dofs} rows and no matrix of as many rows follows"),
            format!(
                "{components} rows (components times contacts) for W, or a matrix H of {dofs} rows and {components} columns after M"
            ),
        ));
    };
    let friction = coefficients_of(&mut cursor, contacts, "mu")?;
    let rolling_friction = if rolling {
        coefficients_of(&mut cursor, contacts, "mu_r")?
    } else {
        Vec::new()
    };
    Ok(ProblemFile {
        dimension,
        friction,
        rolling_friction,
        form,
        info: Info::default(),
        solution: None,
        guesses: Vec::new(),
    })
}

/// Whether the header of H stands here: `storage rows columns`, written as integers.
///
/// A vector q may begin with the same three integers. It is taken for one when W could be local
/// and just q and the coefficients are left, or one number more, which many files have.
fn second_matrix_follows(
    cursor: &Cursor,
    dofs: usize,
    components: usize,
    coefficients: usize,
) -> bool {
    let mut ahead = cursor.clone();
    let mut integer = || {
        let token = ahead.token()?;
        std::str::from_utf8(token).ok()?.parse::<usize>().ok()
    };
    let header = (integer(), integer(), integer());
    let (Some(0..=2), Some(rows), Some(columns)) = header else {
        return false;
    };
    if dofs != components {
        // Not local: whatever its sizes are, this is H, and wrong sizes are told as such.
        return true;
    }
    if (rows, columns) != (dofs, components) {
        return false;
    }
    let local = components + coefficients;
    let mut ahead = cursor.clone();
    let left = (0..local + 2).take_while(|_| ahead.token().is_some());
    let left = left.count();
    left != local && left != local + 1
}

fn coefficients_of(cursor: &mut Cursor, contacts: usize, name: &str) -> Result<Vec<f64>, Fault> {
    cursor.check_room(contacts, name)?;
    let mut values = Vec::with_capacity(contacts);
    for _ in 0..contacts {
        let value = cursor.real(name)?;
        if value < 0.0 {
            return Err(Fault::new(
                format!("{}, {name}", cursor.place()),
                format!("negative friction coefficient {value}"),
                "a coefficient that is zero or more",
            ));
        }
        values.push(value);
    }
    Ok(values)
}
