//! What several tests need.

#![allow(dead_code)] // each test file uses a part

pub mod tiles;

use moreau_contact_solvers::problem::ContactProblem;

/// A problem of the shared collection; `None`, with a message, when the collection is absent.
pub fn recorded(name: &str) -> Option<ContactProblem> {
    let Some(folder) = moreau_io::shared_problems::directory() else {
        eprintln!("no shared problems: set MOREAU_FCLIB_DIR to their folder; {name} is skipped");
        return None;
    };
    let file = moreau_io::read(folder.join("problems").join(name)).expect("a problem file");
    Some(moreau_io::pose(&file).expect("a problem").problem)
}

/// The Euclidean norm.
pub fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// A generator of repeatable numbers in [−1, 1): Knuth's linear congruence, upper bits.
pub struct Noise(pub u64);

impl Noise {
    /// The next number.
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// So many numbers.
    pub fn vector(&mut self, length: usize) -> Vec<f64> {
        (0..length).map(|_| self.next()).collect()
    }
}
