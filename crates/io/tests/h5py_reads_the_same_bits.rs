//! Claim: h5py, which is not ours, reads what we write, with the same bits, and we read what it
//! reads in files written by others.
//!
//! The interpreter is `$MOREAU_PYTHON`, else `python3`; without h5py the test says so and returns.

mod common;

use common::{Folder, full_problem};
use moreau_algebra::sparse::SparseMatrix;
use moreau_io::{Form, ProblemFile, read, shared_problems, write_fclib};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Prints each dataset as `path type value value ...`, numbers as the hexadecimal of their bits.
const DUMP: &str = r#"
import sys, h5py, numpy
def show(name, item):
    if isinstance(item, h5py.Dataset):
        value = item[()]
        if item.dtype.kind == "S":
            print(name, "text", bytes(value).hex())
        else:
            kind = {"float64": "<u8", "int32": "<u4"}[item.dtype.name]
            assert item.ndim == 1 and item.chunks is None, name
            print(name, item.dtype.name, *["%x" % b for b in numpy.asarray(value).view(kind)])
with h5py.File(sys.argv[1], "r") as file:
    file.visititems(show)
"#;

fn python() -> std::ffi::OsString {
    std::env::var_os("MOREAU_PYTHON").unwrap_or_else(|| "python3".into())
}

fn h5py_is_there() -> bool {
    let outcome = Command::new(python()).args(["-c", "import h5py"]).output();
    let there = outcome.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!(
            "skipped: {:?} cannot import h5py, set MOREAU_PYTHON",
            python()
        );
    }
    there
}

/// What h5py finds in our file of a problem.
fn dump(problem: &ProblemFile) -> BTreeMap<String, String> {
    let folder = Folder::new();
    let path = folder.file("problem.hdf5");
    write_fclib(&path, problem).unwrap();
    dump_file(&path)
}

fn dump_file(path: &Path) -> BTreeMap<String, String> {
    let mut command = Command::new(python());
    let output = command.args(["-c", DUMP]).arg(path).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let split = |line: &str| {
        let (name, rest) = line.split_once(' ').unwrap();
        (name.to_string(), rest.trim_end().to_string())
    };
    text.lines().map(split).collect()
}

fn reals(values: &[f64]) -> String {
    let bits = values.iter().map(|v| format!(" {:x}", v.to_bits()));
    format!("float64{}", bits.collect::<String>())
}

fn integers(values: impl Iterator<Item = i64>) -> String {
    let bits = values.map(|v| format!(" {:x}", v as i32));
    format!("int32{}", bits.collect::<String>())
}

fn matrix(expected: &mut BTreeMap<String, String>, name: &str, matrix: &SparseMatrix, csr: bool) {
    let (starts, columns, values) = matrix.storage();
    let count = matrix.stored() as i64;
    let columns = integers(columns.iter().map(|&c| c as i64));
    let (p, i) = if csr {
        (integers(starts.iter().map(|&s| s as i64)), columns)
    } else {
        let rows = matrix.triplets().map(|(row, _, _)| row as i64);
        (columns, integers(rows))
    };
    let nz = if csr { -2 } else { count };
    for (part, text) in [
        ("m", integers([matrix.rows() as i64].into_iter())),
        ("n", integers([matrix.columns() as i64].into_iter())),
        ("nzmax", integers([count].into_iter())),
        ("nz", integers([nz].into_iter())),
        ("p", p),
        ("i", i),
        ("x", reals(values)),
    ] {
        expected.insert(format!("{name}/{part}"), text);
    }
}

fn text(value: &str) -> String {
    let hex = value.bytes().map(|byte| format!("{byte:02x}"));
    format!("text {}", hex.collect::<String>())
        .trim_end()
        .into()
}

#[test]
fn h5py_reads_every_part_of_a_global_problem() {
    if !h5py_is_there() {
        return;
    }
    let problem = full_problem();
    let Form::Global {
        mass,
        h,
        f,
        w,
        bilateral: Some(part),
    } = &problem.form
    else {
        unreachable!()
    };
    let mut expected = BTreeMap::new();
    for (name, m) in [("M", mass), ("H", h), ("G", &part.g)] {
        matrix(&mut expected, &format!("fclib_global/{name}"), m, false);
    }
    let vectors = [
        ("mu", &problem.friction),
        ("f", f),
        ("w", w),
        ("b", &part.b),
    ];
    for (name, values) in vectors {
        expected.insert(format!("fclib_global/vectors/{name}"), reals(values));
    }
    let info = &problem.info;
    for (name, value) in [
        ("title", &info.title),
        ("description", &info.description),
        ("math_info", &info.math_info),
    ] {
        expected.insert(format!("fclib_global/info/{name}"), text(value));
    }
    let stored = problem.solution.as_ref().unwrap();
    for group in ["solution", "guesses/1"] {
        expected.insert(format!("{group}/r"), reals(&stored.impulses));
        expected.insert(format!("{group}/u"), reals(&stored.velocities));
        expected.insert(format!("{group}/v"), reals(&stored.body_velocities));
        expected.insert(format!("{group}/l"), reals(&stored.multipliers));
    }
    expected.insert("guesses/number_of_guesses".into(), "int32 2".into());
    expected.insert("fclib_global/spacedim".into(), "int32 3".into());
    assert_eq!(dump(&problem), expected);
}

#[test]
fn h5py_reads_local_and_empty_problems() {
    if !h5py_is_there() {
        return;
    }
    let w = SparseMatrix::from_triplets(4, 4, &[(0, 0, -0.0), (3, 1, 5e-324), (3, 3, 1e300)]);
    let mut problem = ProblemFile {
        dimension: 2,
        friction: vec![0.25, 0.0],
        form: Form::Local {
            w: w.clone(),
            q: vec![1.0, -1.0, 0.1, -0.0],
        },
        solution: None,
        guesses: Vec::new(),
        ..full_problem()
    };
    let found = dump(&problem);
    let mut expected = BTreeMap::new();
    matrix(&mut expected, "fclib_local/W", &w, true);
    expected.insert(
        "fclib_local/vectors/q".into(),
        reals(&[1.0, -1.0, 0.1, -0.0]),
    );
    expected.insert("fclib_local/vectors/mu".into(), reals(&[0.25, 0.0]));
    for (name, value) in expected {
        assert_eq!(found[&name], value, "{name}");
    }

    problem.friction.clear();
    problem.form = Form::Local {
        w: SparseMatrix::from_triplets(0, 0, &[]),
        q: Vec::new(),
    };
    let found = dump(&problem);
    assert_eq!(found["fclib_local/vectors/mu"], "float64");
    assert_eq!(found["fclib_local/W/p"], "int32 0");
}

#[test]
fn h5py_reads_the_same_vectors_of_shared_problems() {
    if !h5py_is_there() {
        return;
    }
    for path in shared_problems::all() {
        let problem = read(&path).unwrap();
        // Larger ones show nothing more.
        if problem.contacts() > 300 {
            continue;
        }
        let found = dump(&problem);
        let ending = |end: &str| {
            let mut ends = found.iter().filter(|(name, _)| name.ends_with(end));
            ends.next().unwrap().1.clone()
        };
        assert_eq!(ending("/vectors/mu"), reals(&problem.friction));
        match &problem.form {
            Form::Local { w, q } => {
                assert_eq!(ending("/vectors/q"), reals(q));
                assert_eq!(ending("/W/x"), reals(w.storage().2));
            }
            Form::Global { mass, h, f, .. } => {
                assert_eq!(ending("/vectors/f"), reals(f));
                assert_eq!(ending("/M/x"), reals(mass.storage().2));
                assert_eq!(ending("/H/x"), reals(h.storage().2));
            }
        }
    }
}

/// A matrix from the numbers that h5py found.
fn matrix_found(found: &BTreeMap<String, String>, name: &str) -> SparseMatrix {
    let bits = |part: &str| -> Vec<u64> {
        let words = found[&format!("{name}/{part}")].split(' ').skip(1);
        words.map(|w| u64::from_str_radix(w, 16).unwrap()).collect()
    };
    let sizes = |part: &str| -> Vec<usize> { bits(part).iter().map(|&b| b as usize).collect() };
    let (rows, columns) = (sizes("m")[0], sizes("n")[0]);
    let (p, i) = (sizes("p"), sizes("i"));
    let nz = bits("nz")[0] as u32 as i32;
    let values: Vec<f64> = bits("x").into_iter().map(f64::from_bits).collect();
    let entries: Vec<_> = if nz >= 0 {
        (0..nz as usize).map(|k| (i[k], p[k], values[k])).collect()
    } else {
        assert_eq!(nz, -2, "the shared local files are by rows");
        let line = |row: usize| (p[row]..p[row + 1]).map(move |k| (row, k));
        let places = (0..rows).flat_map(line);
        places.map(|(row, k)| (row, i[k], values[k])).collect()
    };
    SparseMatrix::from_triplets(rows, columns, &entries)
}

#[test]
fn we_read_what_h5py_reads_in_shared_problems() {
    if !h5py_is_there() {
        return;
    }
    for path in shared_problems::all() {
        if path.extension().is_none_or(|end| end != "hdf5") {
            continue;
        }
        let problem = read(&path).unwrap();
        let found = dump_file(&path);
        let spacedim = found.keys().find(|name| name.ends_with("/spacedim"));
        let kind = spacedim.unwrap().strip_suffix("/spacedim").unwrap();
        let vector = |name: &str| &found[&format!("{kind}/vectors/{name}")];
        let matrix = |name: &str| matrix_found(&found, &format!("{kind}/{name}"));
        assert_eq!(*vector("mu"), reals(&problem.friction));
        match &problem.form {
            Form::Local { w, q } => {
                assert!(*vector("q") == reals(q) && matrix("W") == *w, "{path:?}");
            }
            Form::Global { mass, h, f, w, .. } => {
                assert!(*vector("f") == reals(f) && *vector("w") == reals(w));
                assert!(matrix("M") == *mass && matrix("H") == *h, "{path:?}");
            }
        }
        if let Some(solution) = &problem.solution {
            assert_eq!(found["solution/r"], reals(&solution.impulses));
            assert_eq!(found["solution/u"], reals(&solution.velocities));
        }
    }
}
