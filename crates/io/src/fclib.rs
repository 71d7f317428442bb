//! Reading FCLIB files.

use crate::fclib_matrix::{compressed, triplets};
use crate::problem_file::{
    Bilateral, Form, Info, ProblemFile, Solution, check_dimension, check_length, check_size,
};
use hdf5_pure::{DType, Dataset, File, Group};
use moreau_algebra::sparse::SparseMatrix;
use moreau_files::Fault;

/// Groups that hold a problem: name, whether local, whether rolling.
pub(crate) const KINDS: [(&str, bool, bool); 4] = [
    ("fclib_local", true, false),
    ("fclib_global", false, false),
    ("fclib_local_rolling", true, true),
    ("fclib_global_rolling", false, true),
];

/// Reads a problem from the bytes of a file.
pub(crate) fn parse(bytes: Vec<u8>) -> Result<ProblemFile, Fault> {
    let reader = Reader::new(bytes)?;
    let root = reader.subgroups("/")?;
    let found: Vec<_> = KINDS
        .iter()
        .filter(|(name, _, _)| root.iter().any(|group| group == name))
        .collect();
    let [&(kind, local, rolling)] = found[..] else {
        let names = KINDS.map(|(name, _, _)| name).join(", ");
        return Err(Fault::new(
            "/",
            format!("{} problem groups among {root:?}", found.len()),
            format!("exactly one of {names}"),
        ));
    };
    let parts = reader.subgroups(kind)?;
    let has = |part: &str| parts.iter().any(|name| name == part);

    let place = format!("{kind}/spacedim");
    let dimension = reader.size(&place)?;
    check_spacedim(&place, dimension, rolling)?;
    let friction = reader.reals(&format!("{kind}/vectors/mu"))?;
    let components = dimension * friction.len();
    let rolling_friction = if rolling {
        reader.vector(&format!("{kind}/vectors/mu_r"), friction.len())?
    } else {
        Vec::new()
    };
    let form = if local {
        if has("V") || has("R") {
            return Err(Fault::new(
                kind,
                "equality constraints (V, R) in a local problem are not supported",
                "a local problem of W and q alone, or a global one with G",
            ));
        }
        Form::Local {
            q: reader.vector(&format!("{kind}/vectors/q"), components)?,
            w: reader.matrix(&format!("{kind}/W"), components, components)?,
        }
    } else {
        let f = reader.reals(&format!("{kind}/vectors/f"))?;
        let bilateral = if has("G") {
            let b = reader.reals(&format!("{kind}/vectors/b"))?;
            let g = reader.matrix(&format!("{kind}/G"), f.len(), b.len())?;
            Some(Bilateral { g, b })
        } else {
            None
        };
        Form::Global {
            w: reader.vector(&format!("{kind}/vectors/w"), components)?,
            mass: reader.matrix(&format!("{kind}/M"), f.len(), f.len())?,
            h: reader.matrix(&format!("{kind}/H"), f.len(), components)?,
            f,
            bilateral,
        }
    };
    let info = if has("info") {
        reader.info(&format!("{kind}/info"))?
    } else {
        Info::default()
    };
    let solution = if root.iter().any(|name| name == "solution") {
        Some(reader.solution("solution")?)
    } else {
        None
    };
    let guesses = if root.iter().any(|name| name == "guesses") {
        reader.guesses()?
    } else {
        Vec::new()
    };
    Ok(ProblemFile {
        dimension,
        friction,
        rolling_friction,
        form,
        info,
        solution,
        guesses,
    })
}

fn check_spacedim(place: &str, dimension: usize, rolling: bool) -> Result<(), Fault> {
    if rolling && dimension == 3 {
        return Err(Fault::new(
            place,
            "rolling in the plane (3 in a rolling problem) is not supported",
            "5, rolling in space",
        ));
    }
    check_dimension(place, dimension)?;
    if rolling == (dimension > 3) {
        return Ok(());
    }
    let right = if rolling { "5" } else { "2 or 3" };
    Err(Fault::new(
        place,
        format!("{dimension} components per contact in this kind of problem"),
        right,
    ))
}

/// Datasets of one file by path, checked before they are believed.
struct Reader {
    file: File,
    /// No dataset is longer than its file: the bound on every allocation.
    bytes: u64,
}

impl Reader {
    fn new(bytes: Vec<u8>) -> Result<Self, Fault> {
        let length = bytes.len() as u64;
        let file = File::from_bytes(bytes).map_err(|error| damaged("/", error))?;
        Ok(Self {
            file,
            bytes: length,
        })
    }

    fn group(&self, path: &str) -> Result<Group, Fault> {
        if path == "/" {
            return Ok(self.file.root());
        }
        self.file.group(path).map_err(|error| damaged(path, error))
    }

    fn subgroups(&self, path: &str) -> Result<Vec<String>, Fault> {
        let names = self.group(path)?.groups();
        names.map_err(|error| damaged(path, error))
    }

    fn dataset_names(&self, path: &str) -> Result<Vec<String>, Fault> {
        let names = self.group(path)?.datasets();
        names.map_err(|error| damaged(path, error))
    }

    /// A dataset whose announced length fits in the file.
    fn dataset(&self, path: &str) -> Result<Dataset, Fault> {
        let failed = |error| damaged(path, error);
        let dataset = self.file.dataset(path).map_err(failed)?;
        let shape = dataset.shape().map_err(failed)?;
        let size = dataset.element_size().map_err(failed)?;
        let length = shape.iter().try_fold(size, |n, &side| n.checked_mul(side));
        if length.is_none_or(|length| length > self.bytes) {
            return Err(Fault::new(
                path,
                format!("shape {shape:?} of {size} bytes each announced, more than the file holds"),
                format!("uncompressed data within the file's {} bytes", self.bytes),
            ));
        }
        Ok(dataset)
    }

    fn integers(&self, path: &str) -> Result<Vec<i64>, Fault> {
        let dataset = self.dataset(path)?;
        let kind = dataset.dtype().map_err(|error| damaged(path, error))?;
        if !matches!(
            kind,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 | DType::U8 | DType::U16 | DType::U32
        ) {
            return Err(Fault::new(path, format!("type {kind}"), "integers (int32)"));
        }
        dataset.read_i64().map_err(|error| damaged(path, error))
    }

    fn integer(&self, path: &str) -> Result<i64, Fault> {
        match self.integers(path)?[..] {
            [value] => Ok(value),
            ref values => Err(Fault::new(
                path,
                format!("{} values", values.len()),
                "one integer",
            )),
        }
    }

    fn size(&self, path: &str) -> Result<usize, Fault> {
        let value = self.integer(path)?;
        usize::try_from(value)
            .map_err(|_| Fault::new(path, format!("{value}"), "zero or a positive integer"))
    }

    fn reals(&self, path: &str) -> Result<Vec<f64>, Fault> {
        let dataset = self.dataset(path)?;
        let kind = dataset.dtype().map_err(|error| damaged(path, error))?;
        if !matches!(kind, DType::F32 | DType::F64) {
            return Err(Fault::new(
                path,
                format!("type {kind}"),
                "real numbers (float64)",
            ));
        }
        dataset.read_f64().map_err(|error| damaged(path, error))
    }

    fn vector(&self, path: &str, length: usize) -> Result<Vec<f64>, Fault> {
        let values = self.reals(path)?;
        check_length(path, &values, length)?;
        Ok(values)
    }

    /// A matrix in any of the three storages, told by `nz`.
    fn matrix(&self, path: &str, rows: usize, columns: usize) -> Result<SparseMatrix, Fault> {
        let size = (
            self.size(&format!("{path}/m"))?,
            self.size(&format!("{path}/n"))?,
        );
        check_size(path, size, (rows, columns))?;
        let nz = self.integer(&format!("{path}/nz"))?;
        let p = self.integers(&format!("{path}/p"))?;
        let i = self.integers(&format!("{path}/i"))?;
        let x = self.reals(&format!("{path}/x"))?;
        let entries = match nz {
            0.. => triplets(path, nz as u64, &p, &i, &x, rows, columns)?,
            -1 => {
                let by_columns = compressed(path, &p, &i, &x, columns, rows)?;
                let swap = |(column, row, value)| (row, column, value);
                by_columns.into_iter().map(swap).collect()
            }
            -2 => compressed(path, &p, &i, &x, rows, columns)?,
            _ => {
                return Err(Fault::new(
                    format!("{path}/nz"),
                    format!("{nz}"),
                    "the number of triplets, -1 (columns) or -2 (rows)",
                ));
            }
        };
        Ok(SparseMatrix::from_triplets(rows, columns, &entries))
    }

    fn info(&self, path: &str) -> Result<Info, Fault> {
        let names = self.dataset_names(path)?;
        let text = |name: &str| {
            if names.iter().any(|other| other == name) {
                self.text(&format!("{path}/{name}"))
            } else {
                Ok(String::new())
            }
        };
        Ok(Info {
            title: text("title")?,
            description: text("description")?,
            math_info: text("math_info")?,
        })
    }

    fn text(&self, path: &str) -> Result<String, Fault> {
        let failed = |error| damaged(path, error);
        let dataset = self.dataset(path)?;
        match dataset.dtype().map_err(failed)? {
            DType::String => {
                let mut bytes = dataset.read_raw().map_err(failed)?;
                let end = bytes.iter().position(|&byte| byte == 0);
                bytes.truncate(end.unwrap_or(bytes.len()));
                // Published files hold text older than UTF-8: each byte is then one character.
                Ok(String::from_utf8(bytes).unwrap_or_else(|error| {
                    error.as_bytes().iter().map(|&byte| byte as char).collect()
                }))
            }
            DType::VariableLengthString => Ok(dataset.read_string().map_err(failed)?.join("\n")),
            other => Err(Fault::new(path, format!("type {other}"), "a text")),
        }
    }

    fn solution(&self, path: &str) -> Result<Solution, Fault> {
        let names = self.dataset_names(path)?;
        let part = |name: &str| {
            if names.iter().any(|other| other == name) {
                self.reals(&format!("{path}/{name}"))
            } else {
                Ok(Vec::new())
            }
        };
        Ok(Solution {
            impulses: part("r")?,
            velocities: part("u")?,
            body_velocities: part("v")?,
            multipliers: part("l")?,
        })
    }

    fn guesses(&self) -> Result<Vec<Solution>, Fault> {
        let place = "guesses/number_of_guesses";
        let announced = self.size(place)?;
        let stored = self.subgroups("guesses")?.len();
        if announced > stored {
            return Err(Fault::new(
                place,
                format!("{announced} announced, more than the file holds"),
                format!("{stored}, the number of groups beside it"),
            ));
        }
        (1..=announced)
            .map(|number| self.solution(&format!("guesses/{number}")))
            .collect()
    }
}

fn damaged(path: &str, error: hdf5_pure::Error) -> Fault {
    Fault::new(
        path,
        format!("cannot be read ({error})"),
        "an intact FCLIB file",
    )
}
