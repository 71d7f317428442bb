//! From paths on the command line to problems ready to be solved.

use crate::failure::Failure;
use moreau_contact_solvers::delassus::Delassus;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_io::{Posed, ProblemFile};
use std::path::{Path, PathBuf};

/// A problem that was read and posed.
pub struct Problem {
    /// The path as the user gave it.
    pub name: String,
    /// What the file says.
    pub file: ProblemFile,
    /// What a solver takes.
    pub posed: Posed,
}

impl Problem {
    /// Reads and poses the problem of a file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        if path.is_dir() {
            return Err(Failure::new(format!(
                "{name}: this is a folder; expected a problem file (`moreau compare` takes folders)"
            )));
        }
        let file = moreau_io::read(path)?;
        let posed =
            moreau_io::pose(&file).map_err(|fault| Failure::new(format!("{name}: {fault}")))?;
        Ok(Self { name, file, posed })
    }

    /// The title that the author gave, or else the name of the file.
    pub fn title(&self) -> &str {
        let title = self.file.info.title.trim();
        if !title.is_empty() {
            return title;
        }
        let name = Path::new(&self.name).file_name();
        name.and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// One line: title, size and form.
    pub fn describe(&self) -> String {
        format!("{}: {}", self.title(), size_and_form(&self.posed.problem))
    }
}

/// Contacts, rows and form of a problem in one line.
pub fn size_and_form(problem: &ContactProblem) -> String {
    let contacts = problem.contacts();
    let joints = problem.blocks() - contacts;
    let form = match problem.delassus() {
        Delassus::MatrixFree(operator) => format!("matrix-free, {} bodies", operator.bodies()),
        Delassus::Assembled(_) => "assembled".to_string(),
        Delassus::Factorized(_) => "factorised mass".to_string(),
    };
    let mut parts = vec![match contacts {
        1 => "1 contact".to_string(),
        count => format!("{count} contacts"),
    }];
    if let Some(rows) = problem.cones().first().map(|cone| cone.dimension()) {
        let space = match rows {
            2 => "in the plane",
            3 => "in space",
            5 => "with rolling",
            _ => "",
        };
        if !space.is_empty() {
            parts[0] = format!("{} {space}", parts[0]);
        }
    }
    if joints > 0 {
        parts.push(format!("{joints} joint rows"));
    }
    parts.push(format!("{} unknowns", problem.dimension()));
    parts.push(form);
    parts.join(", ")
}

/// The files meant by the arguments: a folder stands for the problem files in it, by name.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let refused = |error| {
            Failure::new(format!(
                "{}: cannot read the folder: {error}",
                path.display()
            ))
        };
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(refused)? {
            let file = entry.map_err(refused)?.path();
            let extension = file.extension().and_then(|e| e.to_str()).unwrap_or("");
            if file.is_file() && ["hdf5", "h5", "dat"].contains(&extension) {
                found.push(file);
            }
        }
        if found.is_empty() {
            return Err(Failure::new(format!(
                "{}: no problem file in this folder; expected names ending in .hdf5, .h5 or .dat",
                path.display()
            )));
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}
