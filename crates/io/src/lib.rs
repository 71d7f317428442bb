//! Files of discrete frictional contact problems.
//!
//! Two formats are read and written: FCLIB (HDF5) and the `.dat` text of Siconos. Both give the
//! same [`ProblemFile`]; [`read`] tells them apart by content, because names mislead.
//!
//! What is read is checked before it is believed: sizes that a file announces are compared with
//! what it holds before memory is taken, and every refusal says what is wrong, where, and what
//! would be right. What is written is complete or absent, and reads back bit for bit.

mod fclib;
mod fclib_matrix;
mod fclib_write;
mod from_problem;
mod pose;
mod problem_file;
pub mod shared_problems;
mod siconos_dat;
mod siconos_matrix;
mod siconos_write;
mod text;

pub use from_problem::problem_file;
pub use moreau_files::{Fault, FileError as IoError};
pub use pose::{Posed, pose, to_contact_problem};
pub use problem_file::{Bilateral, Form, Info, ProblemFile, Solution};

use std::path::Path;

/// Reads a problem from an FCLIB or a Siconos `.dat` file; the content decides which it is.
///
/// ```
/// use moreau_io::{Form, read};
///
/// let path = std::env::temp_dir().join(format!("one_contact_{}.dat", std::process::id()));
/// // One contact in the plane: W is the identity, q = (-1, 0.5), mu = 0.3.
/// std::fs::write(&path, "2 1  0 2 2  2 2  1 0 0 1  -1 0.5  0.3")?;
/// let problem = read(&path)?;
/// std::fs::remove_file(&path)?;
///
/// assert_eq!(problem.contacts(), 1);
/// assert_eq!(problem.friction, [0.3]);
/// let Form::Local { w, q } = problem.form else { panic!("a local problem") };
/// assert_eq!(w.get(1, 1), 1.0);
/// assert_eq!(q, [-1.0, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: impl AsRef<Path>) -> Result<ProblemFile, IoError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|error| IoError::system(path, "read", error))?;
    parse(bytes).map_err(|fault| IoError::content(path, fault))
}

fn parse(bytes: Vec<u8>) -> Result<ProblemFile, Fault> {
    if bytes.is_empty() {
        return Err(Fault::new(
            "whole file",
            "the file is empty",
            "an FCLIB (HDF5) or Siconos .dat problem",
        ));
    }
    let problem = if hdf5_pure::is_hdf5_bytes(&bytes) {
        fclib::parse(bytes)?
    } else {
        siconos_dat::parse(&bytes)?
    };
    problem.validate()?;
    Ok(problem)
}

/// Writes a problem as an FCLIB file.
///
/// Local matrices are stored by compressed rows and global ones as triplets, which is what Siconos
/// reads. Local problems with rolling, for which FCLIB has no name, go to `fclib_local_rolling`.
pub fn write_fclib(path: impl AsRef<Path>, problem: &ProblemFile) -> Result<(), IoError> {
    let path = path.as_ref();
    let bytes = problem
        .validate()
        .and_then(|()| fclib_write::to_bytes(problem))
        .map_err(|fault| IoError::content(path, fault))?;
    moreau_files::write(path, &bytes).map_err(|error| IoError::system(path, "write", error))
}

/// Writes a problem as a Siconos `.dat` file, with all digits.
///
/// The format has no place for [`Info`], solutions and guesses, which are left out, nor for
/// bilateral constraints, which are refused: without them it would be another problem.
pub fn write_siconos_dat(path: impl AsRef<Path>, problem: &ProblemFile) -> Result<(), IoError> {
    let path = path.as_ref();
    let text = problem
        .validate()
        .and_then(|()| siconos_write::to_text(problem))
        .map_err(|fault| IoError::content(path, fault))?;
    moreau_files::write(path, text.as_bytes())
        .map_err(|error| IoError::system(path, "write", error))
}
