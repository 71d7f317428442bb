//! Coulomb's law through the relaxed law: the fixed point of De Saxcé's shift.
//!
//! Coulomb's law is the relaxed law for the velocity û = u + s e_N with s = Σ c_k|u_k| (De Saxcé & Feng 1998). With s
//! frozen û = Nγ + (r + s e_N) is affine, and what is left is the convex relaxed problem with another free
//! velocity, for which there are fast methods. The shift then follows (Cadoux 2009; Acary, Cadoux, Lemaréchal,
//! Malick 2011):
//!
//! ```text
//!   s = Σ c_k|u_k(γ₀)|, or zero
//!   repeat
//!     γ ← solution of the relaxed problem with free velocity r + s e_N, warm-started, to 0.1 x the error
//!     u = Nγ + r
//!     s ← Σ c_k|u_k|, extrapolated from the last two rounds (below)
//! ```
//!
//! A fixed point satisfies Coulomb's law exactly: the relaxed law's spurious opening u_N = μ|u_T| of a sliding
//! contact is taken back by the shift. There is no proof that the rounds converge, only of existence.
//!
//! # Details
//!
//! - *Inner accuracy.* A round solved much better than the shift is known is wasted; `inner_accuracy` times the
//!   present error of Coulomb's law is enough, and a tenth of the tolerance always is.
//! - *Extrapolation.* With f = G(s) − s the defect of the shift, Anderson's method of depth one takes
//!   s ← G_k − θ (G_k − G_{k−1}), θ = fₖᵀ(fₖ − fₖ₋₁)/|fₖ − fₖ₋₁|². It turns an oscillation between two shifts into their
//!   weighted mean, and lengthens a monotone crawl. θ is kept in [−1, 0.9], negative shifts are cut off, and
//!   where the defect has grown the plain shift is taken.
//! - *W that is not symmetric.* Files may hold a W that rounding or low precision has made asymmetric; a convex
//!   method can only use its symmetric part W_s. Then the remainder is frozen with the shift: the inner free
//!   velocity is r + s e_N + (W − W_s)γ with the γ of the last round, so a fixed point solves the stored problem,
//!   not the symmetrised one. The splitting contracts because the remainder is small against W_s.
//!
//! G. De Saxcé, Z.-Q. Feng, *The bipotential method*, Math. Comput. Modelling 28, 1998. F. Cadoux, *An optimization-
//! based algorithm for Coulomb's frictional contact*, ESAIM Proc. 27, 2009. V. Acary, F. Cadoux, C. Lemaréchal,
//! J. Malick, *A formulation of the linear discrete Coulomb friction problem via convex optimization*, ZAMM 91, 2011.

use super::AcceleratedGaussSeidel;
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, broken};
use crate::observer::Silent;
use crate::problem::{ContactProblem, SYMMETRY_TOLERANCE};
use crate::settings::Settings;
use crate::solver::ContactSolver;
use crate::status::Status;
use moreau_algebra::reduction::{dot, norm};

/// Settings of the fixed point of De Saxcé's shift.
pub struct DeSaxce {
    /// The method for the relaxed problems. Default accelerated Gauss-Seidel.
    pub inner: Box<dyn ContactSolver + Send + Sync>,
    /// Accuracy of a relaxed problem relative to the error of Coulomb's law. Default 0.1.
    pub inner_accuracy: f64,
    /// Iterations of the inner method in one round at most. Default 10 000.
    pub inner_iterations: usize,
    /// Extrapolate the shift. Default `true`.
    pub extrapolate: bool,
    /// Begin without a shift, that is with the relaxed problem itself, instead of the shift of the
    /// starting impulses: better unless these are nearly right. Default `false`.
    pub begin_relaxed: bool,
}

impl Default for DeSaxce {
    fn default() -> Self {
        Self {
            inner: Box::new(AcceleratedGaussSeidel::default()),
            inner_accuracy: 0.1,
            inner_iterations: 10_000,
            extrapolate: true,
            begin_relaxed: false,
        }
    }
}

impl ContactSolver for DeSaxce {
    fn name(&self) -> &'static str {
        "de_saxce"
    }

    fn summary(&self) -> &'static str {
        "Coulomb's law as a sequence of relaxed problems; large sliding problems"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Coulomb]
    }

    fn refuses(&self, problem: &ContactProblem) -> Option<String> {
        if !self.inner.laws().contains(&FrictionLaw::Relaxed) {
            let name = self.inner.name();
            return Some(format!(
                "its inner method {name} cannot solve the relaxed law; take accelerated_gauss_seidel"
            ));
        }
        self.inner.refuses(problem)
    }

    fn default_max_iterations(&self) -> usize {
        1000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let n = problem.dimension();
        let symmetric = (problem.asymmetry() > SYMMETRY_TOLERANCE).then(|| problem.symmetrized());
        let convex = symmetric.as_ref().unwrap_or(problem);
        let mut state = vec![0.0; problem.state_length().max(convex.state_length())];
        let (mut velocity, mut remainder) = (vec![0.0; n], vec![0.0; n]);
        problem.velocity(
            impulses,
            &mut state[..problem.state_length()],
            &mut velocity,
        );
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(impulses, &velocity)) {
            return status;
        }
        let mut shift = vec![0.0; problem.blocks()];
        if !self.begin_relaxed {
            write_shift(problem, &velocity, &mut shift);
        }
        let mut anderson = Anderson::new(problem.blocks());
        let mut target = vec![0.0; problem.blocks()];
        let mut inner_iterations = 0;
        let status = loop {
            // (W − W_s)γ = u − (W_s γ + r).
            if let Some(symmetric) = &symmetric {
                let room = &mut state[..symmetric.state_length()];
                symmetric.velocity(impulses, room, &mut remainder);
                monitor.products += 1;
                for (value, u) in remainder.iter_mut().zip(&velocity) {
                    *value = u - *value;
                }
            }
            let mut free = problem.free_velocity().to_vec();
            for (r, remainder) in free.iter_mut().zip(&remainder) {
                *r += remainder;
            }
            for (block, s) in shift.iter().enumerate() {
                free[problem.first_row(block)] += s;
            }
            let Ok(relaxed) = convex.with_free_velocity(free) else {
                break Status::NumericalFailure;
            };
            inner_iterations += self.round(&relaxed, impulses, monitor);
            problem.velocity(
                impulses,
                &mut state[..problem.state_length()],
                &mut velocity,
            );
            monitor.products += 1;
            write_shift(problem, &velocity, &mut target);
            let theta = anderson.advance(&mut shift, &target, self.extrapolate);
            if let Some(status) = broken(monitor.check(impulses, &velocity, theta)) {
                break status;
            }
            // Who limits the iterations means the work, not the rounds.
            if monitor
                .settings()
                .max_iterations
                .is_some_and(|most| inner_iterations > most)
            {
                break Status::IterationLimit;
            }
        };
        monitor.notes.push(format!(
            "{} rounds of the shift with {inner_iterations} iterations of {} under the {} law",
            monitor.phase_iterations(),
            self.inner.name(),
            FrictionLaw::Relaxed
        ));
        debug_assert_eq!(law, FrictionLaw::Coulomb);
        status
    }
}

impl DeSaxce {
    /// Solves one relaxed problem from `impulses`; the iterations it took.
    fn round(
        &self,
        relaxed: &ContactProblem,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> usize {
        let outer = monitor.settings();
        let left = monitor.seconds_left();
        let settings = Settings {
            tolerance: (self.inner_accuracy * monitor.last_error()).max(0.1 * outer.tolerance),
            max_iterations: Some(self.inner_iterations),
            time_limit: left.is_finite().then_some(left.max(0.0)),
            ..outer.clone()
        };
        let mut silent = Silent;
        let mut inner = Monitor::new(
            relaxed,
            FrictionLaw::Relaxed,
            &settings,
            self.inner_iterations,
            &mut silent,
        );
        self.inner
            .run(relaxed, FrictionLaw::Relaxed, impulses, &mut inner);
        if inner.best_error().is_finite() {
            impulses.copy_from_slice(inner.best());
        }
        monitor.absorb(&inner);
        inner.iterations()
    }
}

/// Σ c_k|u_k| of every block.
fn write_shift(problem: &ContactProblem, velocity: &[f64], shift: &mut [f64]) {
    for (block, cone) in problem.cones().iter().enumerate() {
        shift[block] = cone.de_saxce_shift(&velocity[problem.rows(block)]);
    }
}

/// The last round, from which the next shift is extrapolated.
struct Anderson {
    target: Vec<f64>,
    defect: Vec<f64>,
    new_defect: Vec<f64>,
    change: Vec<f64>,
    rounds: usize,
}

impl Anderson {
    fn new(blocks: usize) -> Self {
        Self {
            target: vec![0.0; blocks],
            defect: vec![0.0; blocks],
            new_defect: vec![0.0; blocks],
            change: vec![0.0; blocks],
            rounds: 0,
        }
    }

    /// Replaces `shift`, which has led to `target` = G(shift), by the next one; returns θ.
    fn advance(&mut self, shift: &mut [f64], target: &[f64], extrapolate: bool) -> f64 {
        for (k, defect) in self.new_defect.iter_mut().enumerate() {
            *defect = target[k] - shift[k];
            self.change[k] = *defect - self.defect[k];
        }
        let square = dot(&self.change, &self.change);
        let grown = norm(&self.new_defect) > norm(&self.defect);
        let theta = if extrapolate && self.rounds > 0 && square > 0.0 && !grown {
            (dot(&self.new_defect, &self.change) / square).clamp(-1.0, 0.9)
        } else {
            0.0
        };
        for k in 0..shift.len() {
            shift[k] = (target[k] - theta * (target[k] - self.target[k])).max(0.0);
        }
        self.target.copy_from_slice(target);
        std::mem::swap(&mut self.defect, &mut self.new_defect);
        self.rounds += 1;
        theta
    }
}
