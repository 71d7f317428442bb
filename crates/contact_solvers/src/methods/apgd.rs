//! Accelerated projected gradient descent, as published: Mazhar Algorithm 1.
//!
//! ```text
//!  1: γ̂₀ = 1                              2: y₀ = γ₀            3: θ₀ = 1
//!  4: L = ‖N(γ₀ − γ̂₀)‖ / ‖γ₀ − γ̂₀‖         5: t = 1/L
//!  6: for k = 0 to N_max
//!  7:   g = N y_k + r
//!  8:   γ_{k+1} = Π(y_k − t g)
//!  9:   while f(γ_{k+1}) ≥ f(y_k) + gᵀ(γ_{k+1} − y_k) + ½ L ‖γ_{k+1} − y_k‖²
//! 10:     L = 2L,  11: t = 1/L,  12: γ_{k+1} = Π(y_k − t g)
//! 14:   θ_{k+1} = (−θ_k² + θ_k √(θ_k² + 4)) / 2
//! 15:   β = θ_k (1 − θ_k) / (θ_k² + θ_{k+1})
//! 16:   y_{k+1} = γ_{k+1} + β (γ_{k+1} − γ_k)
//! 17:   r = r(γ_{k+1});  18-21: keep the best;  22: if r < τ break
//! 25:   if gᵀ(γ_{k+1} − γ_k) > 0:  y_{k+1} = γ_{k+1},  θ_{k+1} = 1
//! 29:   L = 0.9 L,  30: t = 1/L
//! ```
//!
//! Departures: on line 9 "≥" is ">" with an allowance for rounding, since at the solution both sides are
//! equal and the loop would not end; r on lines 17 to 22 is the measure that the solve stops on, of which
//! Eq. 25 is one (`mazhar`).
//!
//! H. Mazhar, T. Heyn, D. Negrut, A. Tasora, *Using Nesterov's method to accelerate multibody dynamics
//! with friction and contact*, ACM Trans. Graph. 34(3), 2015, §3.

use crate::grouped::Gradient;
use crate::law::FrictionLaw;
use crate::monitor::{Best, Measured, Monitor, broken};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;
use moreau_algebra::copies::filled;
use moreau_algebra::reduction::{norm, sum};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Settings of APGD as published.
#[derive(Clone, Debug, PartialEq)]
pub struct Apgd {
    /// Factor on L after each iteration (line 29). Default 0.9.
    pub shrink: f64,
    /// Factor on L while backtracking (line 10). Default 2.
    pub grow: f64,
    /// Make one pass after the other, row by row, also where contacts could be taken four at a time: what a plain program takes. The
    /// iterates are the same to rounding. Default `false`.
    pub row_by_row: bool,
}

impl Default for Apgd {
    fn default() -> Self {
        Self {
            shrink: 0.9,
            grow: 2.0,
            row_by_row: false,
        }
    }
}

/// Values at least that are worth a thread of their own.
const VALUES_FOR_A_THREAD: usize = 16 * 1024;

/// Relative rounding of the two sides of the test on line 9.
const ROUNDING: f64 = 1e-15;

/// θ_{k+1} and β_{k+1} from θ_k (Mazhar Eqs. 21 and 22).
pub(crate) fn momentum(theta: f64) -> (f64, f64) {
    let next = 0.5 * (theta * (theta * theta + 4.0).sqrt() - theta * theta);
    (next, theta * (1.0 - theta) / (theta * theta + next))
}

/// Projects every block in place.
pub(crate) fn project_all(problem: &ContactProblem, x: &mut [f64]) {
    for (block, cone) in problem.cones().iter().enumerate() {
        cone.project(&mut x[problem.rows(block)]);
    }
}

impl ContactSolver for Apgd {
    fn name(&self) -> &'static str {
        "apgd"
    }

    fn summary(&self) -> &'static str {
        "accelerated projected gradient as published (Mazhar 2015): large problems to moderate accuracy"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Relaxed]
    }

    fn default_max_iterations(&self) -> usize {
        100_000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        _law: FrictionLaw,
        gamma: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let lipschitz = first_lipschitz(problem, gamma, monitor);
        let steps = match self.row_by_row {
            false => Gradient::new(problem, monitor.settings(), gamma),
            true => None,
        };
        match steps {
            Some(mut steps) => {
                let status = self.descend(
                    &mut steps,
                    norm(problem.free_velocity()),
                    lipschitz,
                    monitor,
                );
                steps.finish(monitor.best_mut());
                status
            }
            None => {
                let mut steps = ByRows::new(problem, gamma);
                self.descend(
                    &mut steps,
                    norm(problem.free_velocity()),
                    lipschitz,
                    monitor,
                )
            }
        }
    }
}

/// What lines 7 to 12 and 25 need to know of a trial γ₊ from y, with g = N y + r.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    /// f(y).
    pub f_y: f64,
    /// f(γ₊).
    pub f_next: f64,
    /// gᵀ(γ₊ − y).
    pub linear: f64,
    /// ‖γ₊ − y‖².
    pub distance: f64,
    /// gᵀ(γ₊ − γ).
    pub along: f64,
    /// ‖γ₊‖.
    pub size: f64,
}

/// The iterates γ and y, and how a step is made.
pub(crate) trait Steps {
    /// Judges γ₀.
    fn start(&mut self, monitor: &Monitor) -> Measured;
    /// Lines 16 and 7: y = γ_k + β (γ_k − γ_{k−1}) and g = N y + r.
    fn extrapolate(&mut self, beta: f64);
    /// Lines 8 and 12: γ₊ = Π(y − g/L).
    fn try_step(&mut self, lipschitz: f64) -> Trial;
    /// The same and, before it, [`Steps::measure`]: in one go where that saves time.
    fn judge_and_try_step(&mut self, lipschitz: f64, monitor: &Monitor) -> (Measured, Trial) {
        (self.measure(monitor), self.try_step(lipschitz))
    }
    /// γ₊ becomes the present γ.
    fn accept(&mut self);
    /// The error and the objective of the present γ.
    fn measure(&mut self, monitor: &Monitor) -> Measured;
    /// Keeps the present γ as the best of the solve.
    fn keep(&mut self, best: &mut Best);
}

impl Apgd {
    fn descend(
        &self,
        steps: &mut impl Steps,
        free: f64,
        mut lipschitz: f64,
        monitor: &mut Monitor,
    ) -> Status {
        let start = steps.start(monitor);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start_measured(start, |best| steps.keep(best))) {
            return status;
        }
        let (mut theta, mut beta) = (1.0, 0.0);
        // The step that led to an iterate which is judged within the next one.
        let mut not_judged = None;
        loop {
            steps.extrapolate(beta);
            let mut trial = match not_judged.take() {
                None => steps.try_step(lipschitz),
                Some(length) => {
                    let (measured, trial) = steps.judge_and_try_step(lipschitz, monitor);
                    let flow = monitor.check_measured(measured, length, |best| steps.keep(best));
                    if let Some(status) = broken(flow) {
                        return status;
                    }
                    trial
                }
            };
            monitor.products += 2;
            // Line 9.
            while is_too_long(&trial, lipschitz, free) {
                lipschitz *= self.grow;
                trial = steps.try_step(lipschitz);
                monitor.products += 1;
            }
            steps.accept();
            // Lines 14 and 15, 25 to 28.
            (theta, beta) = match trial.along > 0.0 {
                true => (1.0, 0.0),
                false => momentum(theta),
            };
            let length = 1.0 / lipschitz;
            let flow = if !monitor.is_due() {
                monitor.skip()
            } else if monitor.is_last() {
                let measured = steps.measure(monitor);
                monitor.check_measured(measured, length, |best| steps.keep(best))
            } else {
                not_judged = Some(length);
                ControlFlow::Continue(())
            };
            if let Some(status) = broken(flow) {
                return status;
            }
            lipschitz *= self.shrink;
        }
    }
}

/// Line 9.
fn is_too_long(trial: &Trial, lipschitz: f64, free: f64) -> bool {
    let Trial { f_y, f_next, .. } = *trial;
    let bound = f_y + trial.linear + 0.5 * lipschitz * trial.distance;
    let rounding = ROUNDING * (f_next.abs() + f_y.abs() + free * trial.size);
    f_next > bound + rounding && lipschitz <= 1e300
}

/// Lines 1 to 5.
fn first_lipschitz(problem: &ContactProblem, gamma: &[f64], monitor: &mut Monitor) -> f64 {
    let values = gamma.par_iter().with_min_len(VALUES_FOR_A_THREAD);
    let distance: Vec<f64> = values.map(|value| value - 1.0).collect();
    let mut state = filled(problem.state_length(), 0.0);
    let mut product = filled(gamma.len(), 0.0);
    problem.product(&distance, &mut state, &mut product);
    monitor.products += 1;
    let lipschitz = norm(&product) / norm(&distance);
    if lipschitz > 0.0 && lipschitz.is_finite() {
        return lipschitz;
    }
    let largest = problem.largest_diagonal().iter();
    largest.fold(f64::MIN_POSITIVE, |m, &v| m.max(v))
}

/// Any problem, row by row.
struct ByRows<'a> {
    problem: &'a ContactProblem,
    gamma: &'a mut [f64],
    before: Vec<f64>,
    next: Vec<f64>,
    y: Vec<f64>,
    g: Vec<f64>,
    f_y: f64,
    velocity: Vec<f64>,
    state: Vec<f64>,
}

impl<'a> ByRows<'a> {
    fn new(problem: &'a ContactProblem, gamma: &'a mut [f64]) -> Self {
        let n = gamma.len();
        Self {
            problem,
            before: gamma.to_vec(),
            next: gamma.to_vec(),
            gamma,
            y: vec![0.0; n],
            g: vec![0.0; n],
            f_y: 0.0,
            velocity: vec![0.0; n],
            state: vec![0.0; problem.state_length()],
        }
    }
}

impl Steps for ByRows<'_> {
    fn start(&mut self, monitor: &Monitor) -> Measured {
        let (gamma, velocity) = (&*self.gamma, &mut self.velocity);
        self.problem.velocity(gamma, &mut self.state, velocity);
        monitor.measure(gamma, velocity)
    }

    fn extrapolate(&mut self, beta: f64) {
        for (k, y) in self.y.iter_mut().enumerate() {
            *y = self.gamma[k] + beta * (self.gamma[k] - self.before[k]);
        }
        self.problem.velocity(&self.y, &mut self.state, &mut self.g);
        let (y, g, r) = (&self.y, &self.g, self.problem.free_velocity());
        self.f_y = 0.5 * sum(y.len(), |k| y[k] * (g[k] + r[k]));
    }

    fn try_step(&mut self, lipschitz: f64) -> Trial {
        for (k, next) in self.next.iter_mut().enumerate() {
            *next = self.y[k] - self.g[k] / lipschitz;
        }
        project_all(self.problem, &mut self.next);
        let (next, velocity) = (&self.next, &mut self.velocity);
        self.problem.velocity(next, &mut self.state, velocity);
        let (y, g, now, u) = (&self.y, &self.g, &*self.gamma, &self.velocity);
        let (n, r) = (next.len(), self.problem.free_velocity());
        Trial {
            f_y: self.f_y,
            f_next: 0.5 * sum(n, |k| next[k] * (u[k] + r[k])),
            linear: sum(n, |k| g[k] * (next[k] - y[k])),
            distance: sum(n, |k| (next[k] - y[k]) * (next[k] - y[k])),
            along: sum(n, |k| g[k] * (next[k] - now[k])),
            size: norm(next),
        }
    }

    fn accept(&mut self) {
        self.before.copy_from_slice(self.gamma);
        self.gamma.copy_from_slice(&self.next);
    }

    fn measure(&mut self, monitor: &Monitor) -> Measured {
        monitor.measure(self.gamma, &self.velocity)
    }

    fn keep(&mut self, best: &mut Best) {
        best.set(self.gamma);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{RandomProblem, SphereBed};
    use crate::observer::Silent;
    use crate::residual::Measure;
    use crate::settings::Settings;

    #[test]
    fn steps_over_groups_are_those_by_rows() {
        let slab = SphereBed {
            slab_mass: Some(30.0),
            ..SphereBed::default()
        };
        for problem in [
            SphereBed::default().build(),
            slab.build(),
            RandomProblem::default().build(),
        ] {
            let settings = Settings {
                tolerance: 0.0,
                measure: Measure::Energy,
                ..Settings::default()
            };
            let (law, free) = (FrictionLaw::Relaxed, norm(problem.free_velocity()));
            let mut gamma = vec![0.0; problem.dimension()];
            let (mut one, mut other) = (Silent, Silent);
            let mut by_rows = Monitor::new(&problem, law, &settings, 15, &mut one);
            let mut by_groups = Monitor::new(&problem, law, &settings, 15, &mut other);
            let lipschitz = first_lipschitz(&problem, &gamma, &mut by_rows);
            by_groups.products = by_rows.products;
            let mut room = gamma.clone();
            let mut groups = Gradient::new(&problem, &settings, &mut room).expect("rigid");
            Apgd::default().descend(&mut groups, free, lipschitz, &mut by_groups);
            groups.finish(by_groups.best_mut());
            let mut rows = ByRows::new(&problem, &mut gamma);
            Apgd::default().descend(&mut rows, free, lipschitz, &mut by_rows);
            let (a, b) = (by_rows.last_error(), by_groups.last_error());
            assert!((a - b).abs() < 1e-9 * a, "{a:e} and {b:e}");
            for (a, b) in by_rows.best().iter().zip(by_groups.best()) {
                assert!((a - b).abs() < 1e-9, "{a} is not {b}");
            }
            // Every iterate but the last is judged within the step that begins there; by rows each is judged by itself.
            let (by_rows, by_groups) = (by_rows.finish(), by_groups.finish());
            assert_eq!(by_groups.products, by_rows.products);
            let (a, b) = (by_rows.history.records(), by_groups.history.records());
            assert_eq!((a.count(), b.count()), (16, 16));
            let (a, b) = (by_rows.history.records(), by_groups.history.records());
            for (a, b) in a.zip(b) {
                assert_eq!((a.iteration, a.products), (b.iteration, b.products));
                let pairs = [(a.error, b.error), (a.objective, b.objective)];
                for (a, b) in pairs {
                    assert!((a - b).abs() <= 1e-9 * a.abs(), "{a:e} and {b:e}");
                }
            }
        }
    }
}
