//! What several claims need: a folder that cleans up after itself, and equality of bits.
#![allow(dead_code)] // each test uses a part

use moreau_algebra::sparse::SparseMatrix;
use moreau_io::{Form, ProblemFile, Solution};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder of its own, removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNTER: AtomicUsize = AtomicUsize::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("moreau-io-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Names of the files inside.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        entries.map(|e| name(e).into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn vector(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn matrix(matrix: &SparseMatrix) -> Vec<u64> {
    let (starts, columns, values) = matrix.storage();
    let mut bits = vec![matrix.rows() as u64, matrix.columns() as u64];
    bits.extend(starts.iter().chain(columns).map(|&index| index as u64));
    bits.extend(vector(values));
    bits
}

fn solution(solution: &Solution) -> Vec<Vec<u64>> {
    vec![
        vector(&solution.impulses),
        vector(&solution.velocities),
        vector(&solution.body_velocities),
        vector(&solution.multipliers),
    ]
}

/// The bits of what every format holds: -0.0 differs from 0.0.
pub fn problem_bits(problem: &ProblemFile) -> Vec<Vec<u64>> {
    let mut bits = vec![
        vec![problem.dimension as u64],
        vector(&problem.friction),
        vector(&problem.rolling_friction),
    ];
    match &problem.form {
        Form::Local { w, q } => bits.extend([matrix(w), vector(q)]),
        Form::Global {
            mass,
            h,
            f,
            w,
            bilateral,
        } => {
            bits.extend([matrix(mass), matrix(h), vector(f), vector(w)]);
            if let Some(part) = bilateral {
                bits.extend([matrix(&part.g), vector(&part.b)]);
            }
        }
    }
    bits
}

/// Panics unless two problems agree in all that FCLIB holds, bit for bit.
pub fn assert_same(left: &ProblemFile, right: &ProblemFile, name: &str) {
    assert!(problem_bits(left) == problem_bits(right), "{name}: numbers");
    assert_eq!(left.info, right.info, "{name}");
    let solutions = |problem: &ProblemFile| -> Vec<_> {
        let all = problem.solution.iter().chain(&problem.guesses);
        all.map(solution).collect()
    };
    assert!(solutions(left) == solutions(right), "{name}: solutions");
    assert_eq!(left.solution.is_some(), right.solution.is_some(), "{name}");
}

/// A small global problem with every part that FCLIB can hold.
pub fn full_problem() -> ProblemFile {
    let mass = SparseMatrix::from_triplets(4, 4, &[(0, 0, 2.0), (1, 1, 3.0), (2, 3, -0.0)]);
    let h = SparseMatrix::from_triplets(4, 3, &[(0, 0, 1.0), (3, 2, 5e-324), (1, 1, -1e308)]);
    let g = SparseMatrix::from_triplets(4, 1, &[(2, 0, 0.1)]);
    let solution = Solution {
        impulses: vec![1.0, -0.0, 0.5],
        velocities: vec![0.0, 1e-310, 3.0],
        body_velocities: vec![1.0, 2.0, 3.0, 4.0],
        multipliers: vec![7.0],
    };
    ProblemFile {
        dimension: 3,
        friction: vec![0.1 + 0.2],
        rolling_friction: Vec::new(),
        form: Form::Global {
            mass,
            h,
            f: vec![1.0 / 3.0, -0.0, f64::MAX, f64::MIN_POSITIVE],
            w: vec![0.0, -1.0, 2.0],
            bilateral: Some(moreau_io::Bilateral { g, b: vec![-4.0] }),
        },
        info: moreau_io::Info {
            title: "one contact".into(),
            description: "étude\nde deux lignes".into(),
            math_info: String::new(),
        },
        guesses: vec![solution.clone(), Solution::default()],
        solution: Some(solution),
    }
}
