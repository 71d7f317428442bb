//! The blocks behind the grouped contacts, visited one by one in the problem's own form.

use super::arms::Body;
use super::halves::Halves;
use super::six_of;
use crate::delassus::{Delassus, MatrixFree};
use crate::law::FrictionLaw;
use crate::metric_sweep::Metric;
use crate::problem::ContactProblem;

/// Joints, bounded rows and whatever else is no grouped contact.
pub(super) struct Rest<'a> {
    problem: &'a ContactProblem,
    metric: Metric,
    first_block: usize,
    first_row: usize,
    /// Bodies that these blocks touch, and their places: before a sweep their velocities are copied into `state`, afterwards
    /// back.
    touched: Vec<[u32; 2]>,
    /// A state of the whole problem; only what is touched is used.
    state: Vec<f64>,
    /// Impulses of all rows, of which only those behind the contacts are used.
    now: Vec<f64>,
    before: Vec<f64>,
    start: Vec<f64>,
    best: Vec<f64>,
}

impl<'a> Rest<'a> {
    pub fn new(
        problem: &'a ContactProblem,
        operator: &MatrixFree,
        first_block: usize,
        impulses: &[f64],
        halves: &Halves,
    ) -> Self {
        let mut room = [0.0; 72];
        let mut touched: Vec<[u32; 2]> = Vec::new();
        for block in first_block..problem.blocks() {
            let pairs = operator.pairs(block, &mut room);
            touched.extend(pairs.map(|(body, _)| [body as u32, halves.place(body) as u32]));
        }
        touched.sort_unstable();
        touched.dedup();
        Self {
            problem,
            metric: Metric::behind(problem, first_block),
            first_block,
            first_row: problem.first_row(first_block),
            touched,
            state: vec![0.0; problem.state_length()],
            now: impulses.to_vec(),
            before: impulses.to_vec(),
            start: impulses.to_vec(),
            best: Vec::new(),
        }
    }

    /// x ← y = x + β (x − x_before).
    pub fn extrapolate(&mut self, beta: f64) {
        for k in self.first_row..self.now.len() {
            let now = self.now[k];
            self.now[k] = now + beta * (now - self.before[k]);
            self.start[k] = self.now[k];
            self.before[k] = now;
        }
    }

    pub fn sweep(&mut self, law: FrictionLaw, forward: bool, bodies: &mut [Body]) {
        self.load(bodies);
        let (now, state) = (&mut self.now, &mut self.state);
        self.metric
            .sweep_rest(self.problem, law, forward, now, state);
        self.store(bodies);
    }

    /// (y − x)ᵀ G (x − x_before).
    pub fn along(&self) -> f64 {
        let (y, x, before) = (&self.start, &self.now, &self.before);
        self.metric.inner(|k| (y[k] - x[k]) * (x[k] - before[k]))
    }

    /// Adds what the impulses do to the velocities of the bodies.
    pub fn push(&mut self, bodies: &mut [Body]) {
        self.load(bodies);
        for block in self.first_block..self.problem.blocks() {
            let rows = self.problem.rows(block);
            let delassus: &Delassus = self.problem.delassus();
            delassus.add_block_impulse(block, rows.start, &self.now[rows], &mut self.state);
        }
        self.store(bodies);
    }

    /// The present iterate and the one before change places.
    pub fn change_iterates(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
    }

    pub fn keep(&mut self) {
        self.best.resize(self.now.len(), 0.0);
        self.best.copy_from_slice(&self.now);
    }

    pub fn write_kept(&self, rows: &mut [f64]) {
        rows[self.first_row..].copy_from_slice(&self.best[self.first_row..]);
    }

    pub fn write(&self, rows: &mut [f64]) {
        rows[self.first_row..].copy_from_slice(&self.now[self.first_row..]);
    }

    fn load(&mut self, bodies: &[Body]) {
        let state = self.state.as_chunks_mut::<6>().0;
        for &[body, place] in &self.touched {
            state[body as usize] = six_of(&bodies[place as usize]);
        }
    }

    fn store(&self, bodies: &mut [Body]) {
        let state = self.state.as_chunks::<6>().0;
        for &[body, place] in &self.touched {
            let (body, six) = (&mut bodies[place as usize], &state[body as usize]);
            body.push[..3].copy_from_slice(&six[..3]);
            body.turn[..3].copy_from_slice(&six[3..]);
        }
    }
}
