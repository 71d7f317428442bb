//! What a solve tells about itself, beside the impulses.

use crate::law::FrictionLaw;
use crate::observer::IterationRecord;
use crate::residual::{Errors, Measure};
use crate::status::Status;

/// The iteration record, bounded in size: when it is full, every other entry is dropped and from
/// then on only every second, fourth, … iteration is kept. The last one is always there.
#[derive(Clone, Debug)]
pub struct History {
    records: Vec<IterationRecord>,
    stride: usize,
    since_kept: usize,
    last: Option<IterationRecord>,
}

/// Entries kept at most.
const CAPACITY: usize = 4096;

/// Room at the beginning, enough for most solves: a time step must not pay for pages that it never fills.
const FIRST_CAPACITY: usize = 256;

impl Default for History {
    fn default() -> Self {
        Self {
            records: Vec::with_capacity(FIRST_CAPACITY),
            stride: 1,
            since_kept: 0,
            last: None,
        }
    }
}

impl History {
    pub(crate) fn push(&mut self, record: IterationRecord) {
        self.last = Some(record);
        self.since_kept += 1;
        if self.since_kept < self.stride && !self.records.is_empty() {
            return;
        }
        self.since_kept = 0;
        if self.records.len() == CAPACITY {
            let mut index = 0;
            self.records.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
        if self.records.len() == self.records.capacity() {
            self.records.reserve_exact(CAPACITY - self.records.len());
        }
        self.records.push(record);
    }

    /// The kept records in order, the last iteration included.
    pub fn records(&self) -> impl Iterator<Item = &IterationRecord> {
        let missing = self
            .last
            .as_ref()
            .filter(|last| self.records.last() != Some(last));
        self.records.iter().chain(missing)
    }
}

/// How a solve went. The errors are recomputed by the referee from the problem as it was stated.
#[derive(Clone, Debug)]
pub struct SolveReport {
    /// Name of the method.
    pub method: &'static str,
    /// The law that was solved.
    pub law: FrictionLaw,
    /// Why it ended.
    pub status: Status,
    /// Iterations done.
    pub iterations: usize,
    /// Products with N; a sweep counts as one.
    pub products: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// CPU seconds of the process, all threads.
    pub cpu_seconds: f64,
    /// What the solve stopped on.
    pub measure: Measure,
    /// Every measure of the returned impulses.
    pub errors: Errors,
    /// The largest approach of a contact, or speed of a joint's row, over what is allowed; zero where nothing is asked.
    pub approach: f64,
    /// Iteration record.
    pub history: History,
    /// What the method has to say: choices of `auto`, fallbacks, symmetrisation.
    pub notes: Vec<String>,
}

impl SolveReport {
    /// The measure that the solve stopped on, as the referee sees it.
    pub fn error(&self) -> f64 {
        self.errors.get(self.measure)
    }
}
