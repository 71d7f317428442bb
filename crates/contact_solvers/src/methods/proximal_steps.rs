//! Single steps of the accelerated proximal point method of [`ProximalMasses`](super::ProximalMasses), where the formulas are.

use super::mass_scaled_start::sweep_and_scale;
use crate::delassus::{Delassus, MatrixFree};
use crate::monitor::Monitor;
use crate::problem::ContactProblem;
use crate::status::Status;
use moreau_algebra::reduction::sum;

/// The bodies, and how much heavier the steps make each.
pub(super) struct HeavierMasses<'a> {
    operator: &'a MatrixFree,
    /// 1 + c.
    factors: Vec<f64>,
}

impl<'a> HeavierMasses<'a> {
    /// Such that masses, each shared among the contacts of its body, differ by no more than `ratio`; `None` where the
    /// bodies are not known, or alike enough for sweeps.
    pub fn new(problem: &'a ContactProblem, ratio: f64) -> Option<Self> {
        let Delassus::MatrixFree(operator) = problem.delassus() else {
            return None;
        };
        let mut contacts = vec![0.0; operator.bodies()];
        operator.touch(|body| contacts[body] += 1.0);
        let masses: Vec<f64> = (0..operator.bodies())
            .map(|body| 1.0 / operator.inverse_mass(body)[0])
            .collect();
        let touched = || (0..masses.len()).filter(|&b| contacts[b] > 0.0 && masses[b].is_finite());
        let heaviest = touched().map(|b| masses[b]).fold(0.0, f64::max);
        let most = touched()
            .map(|b| masses[b] / contacts[b])
            .fold(0.0, f64::max);
        let least = touched()
            .map(|b| masses[b] / contacts[b])
            .fold(f64::INFINITY, f64::min);
        let largest = most / least / ratio;
        let factor = |mass: &f64| largest.min(heaviest / mass).max(1.0);
        (largest > 1.0).then(|| Self {
            operator,
            factors: masses.iter().map(factor).collect(),
        })
    }

    /// The largest 1 + c.
    pub fn largest_factor(&self) -> f64 {
        self.factors.iter().copied().fold(1.0, f64::max)
    }
}

/// Where the steps are.
pub(super) struct ProximalSteps<'a> {
    problem: &'a ContactProblem,
    masses: &'a HeavierMasses<'a>,
    scaled: MatrixFree,
    /// The problem of a step.
    stage: ContactProblem,
    /// The diagonal of C, to judge directions with.
    added: Vec<f64>,
    /// Velocities v − v_f, now and before.
    w: Vec<f64>,
    before: Vec<f64>,
    theta: f64,
}

impl<'a> ProximalSteps<'a> {
    /// From these impulses, without momentum.
    pub fn new(
        problem: &'a ContactProblem,
        masses: &'a HeavierMasses<'a>,
        impulses: &[f64],
    ) -> Self {
        let HeavierMasses { operator, factors } = masses;
        let size = operator.body_size();
        let mut added = vec![0.0; operator.body_dimension()];
        for (k, added) in added.iter_mut().enumerate() {
            let inverse = operator.inverse_mass(k / size)[k % size * (size + 1)];
            if inverse > 0.0 {
                *added = (factors[k / size] - 1.0) / inverse;
            }
        }
        let scaled = operator.with_masses_times(factors);
        let stage = problem.with_operator(Delassus::MatrixFree(scaled.clone()));
        let mut w = vec![0.0; operator.body_dimension()];
        operator.body_velocities(impulses, &mut w);
        Self {
            problem,
            masses,
            scaled,
            stage,
            added,
            before: w.clone(),
            w,
            theta: 1.0,
        }
    }

    /// One step of so many sweeps; answers with its momentum β.
    ///
    /// # Errors
    /// The status of a solve that is over.
    pub fn step(
        &mut self,
        sweeps: usize,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Result<f64, Status> {
        let HeavierMasses { operator, factors } = self.masses;
        let size = operator.body_size();
        let next = 0.5 * (1.0 + (1.0 + 4.0 * self.theta * self.theta).sqrt());
        let beta = (self.theta - 1.0) / next;
        self.theta = next;
        let both = self.w.iter().zip(&self.before);
        let y: Vec<f64> = both.map(|(w, before)| w + beta * (w - before)).collect();
        self.before.copy_from_slice(&self.w);
        // (M + C)⁻¹ C y, and what the contacts see of it.
        let pulled: Vec<f64> = y
            .iter()
            .enumerate()
            .map(|(k, y)| (1.0 - 1.0 / factors[k / size]) * y)
            .collect();
        let mut velocity = vec![0.0; self.problem.dimension()];
        operator.contact_velocities(&pulled, &mut velocity);
        for (u, r) in velocity.iter_mut().zip(self.problem.free_velocity()) {
            *u += r;
        }
        let Ok(stage) = self.stage.with_free_velocity(velocity) else {
            return Err(Status::NumericalFailure);
        };
        self.stage = stage;
        if !sweep_and_scale(&self.stage, sweeps, impulses, monitor) {
            return Err(Status::TimeLimit);
        }
        self.scaled.body_velocities(impulses, &mut self.w);
        for (w, pulled) in self.w.iter_mut().zip(&pulled) {
            *w += pulled;
        }
        let (w, before, added) = (&self.w, &self.before, &self.added);
        let turned = sum(w.len(), |k| added[k] * (y[k] - w[k]) * (w[k] - before[k]));
        if turned > 0.0 {
            self.theta = 1.0;
        }
        Ok(beta)
    }
}
