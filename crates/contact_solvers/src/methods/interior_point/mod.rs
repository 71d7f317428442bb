//! The symmetric cone interior point method: De et al. 2019, §III.B.
//!
//! The relaxed law is the optimality of min ½ γᵀNγ + rᵀγ over γ in K. Every K is an intersection of
//! second-order cones and half-lines (`cone_algebra`), so with s = Gγ + h in a product C of those the
//! conditions are
//!
//! ```text
//!   Nγ + r − Gᵀz = 0,    s = Gγ + h,    s ∘ z = 0,    s, z in C.
//! ```
//!
//! The method follows s ∘ z = μ e to μ = 0 by Newton's method. Nesterov and Todd's W (symmetric, with
//! W z = W⁻¹ s = λ) turns the last condition into one on λ, whose linearisation is
//! λ ∘ (W⁻¹Δs + WΔz) = σμ e − λ∘λ − …; put W⁻¹Δs + WΔz = q and eliminate Δz and Δs:
//!
//! ```text
//!   γ₀ from (N + ω) γ = −r, s₀ and z₀ from it, shifted into the interior
//!   repeat
//!     d = −(Nγ + r − Gᵀz),   p = Gγ + h − s                             residuals
//!     W from (s, z),   λ = W z,   μ = λᵀλ / ν                            ν the number of pieces
//!     factorise N + GᵀW⁻²G
//!     predictor:  q = −λ;              direction (q), α its step to the boundary, σ = (1 − α)³
//!     corrector:  q = −λ + λ \ (σμ e − W⁻¹Δs ∘ WΔz);  direction (q), α = min(1, φ · step to the boundary);
//!                 again with the new Δs and Δz as long as α grows
//!     (γ, s, z) += α (Δγ, Δs, Δz)
//!   direction (q):
//!     (N + GᵀW⁻²G) Δγ = d + GᵀW⁻¹(q − W⁻¹p)
//!     Δs = GΔγ + p,   WΔz = q − W⁻¹Δs
//!     refine: Δγ += (N + GᵀW⁻²G)⁻¹ (d − NΔγ + GᵀΔz), Δs and Δz anew
//! ```
//!
//! Departures from the paper, with reasons:
//! - It scales to x = T_xγ, y = T_yu with a nonsymmetric T_yAT_x⁻¹; here G stands on both sides, N stays
//!   symmetric and Cholesky applies, and blocks with several discs or bounds need nothing special.
//! - Its strictly feasible start uses an artificial variable. Here the residuals d and p of any interior
//!   start are carried along and shrink by 1 − α with each step, which comes to the same without the extra
//!   dense row.
//! - A predictor chooses σ and a second-order term corrects for it (Mehrotra 1992): half the iterations
//!   for one more solve with the same factor.
//! - The corrector is repeated with the same factor while it lengthens the step. Without that, iterates
//!   stay off the central path by a constant factor, and then tangential impulses and sliding
//!   velocities are misaligned by √μ: errors of 1e-10 would need μ = 1e-20.
//! - If asked for, Gondzio's correctors (`correctors`) lengthen steps further, and factors are of single precision as long as
//!   refinement makes up for it: both where a factorisation is what a step costs.
//! - The step length is computed, not searched.
//! - The system is solved in contact space or in body space, whichever has fewer unknowns
//!   (`linear_system`), and refined on the equations before elimination. Without refinement the
//!   errors stop near 1e-4 on redundant contacts.
//! - Free rows (joints) get a small δ so that both systems are definite; refinement takes it out again.
//! - What is judged and returned is the projection of γ onto K. Where rounding or a degenerate solution
//!   stops the method short of the tolerance, accelerated Gauss-Seidel polishes the best iterate: what
//!   the barrier leaves behind are local errors, which sweeps remove.
//!
//! S. De, E. Corona, P. Jayakumar, S. Veerapaneni, *Scalable solvers for cone complementarity problems in
//! frictional multibody dynamics*, IEEE HPEC 2019. Scaling: Y. Nesterov, M. Todd, SIAM J. Optim. 8, 1998.
//! Predictor and corrector: S. Mehrotra, SIAM J. Optim. 2, 1992.

mod body_space;
mod cone_algebra;
mod correctors;
mod iterate;
mod linear_system;

use super::accelerated_gauss_seidel::AcceleratedGaussSeidel;
use super::apgd::project_all;
use crate::delassus::{Delassus, Precision};
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, Phase, broken};
use crate::problem::ContactProblem;
use crate::residual::{Measure, measure_of};
use crate::solver::ContactSolver;
use crate::status::Status;
use body_space::BodySpace;
use cone_algebra::Pieces;
use iterate::Iterate;
use linear_system::{ContactSpace, LinearSystem};
use moreau_algebra::factorization::FactorizationError;

/// Which unknowns the linear systems have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum System {
    /// Bodies where they are known and have fewer freedoms than the contacts have rows.
    #[default]
    Auto,
    /// The impulses.
    Contact,
    /// The velocities of the bodies; where that is impossible, the impulses, and a note says so.
    Body,
}

/// Settings of the interior point method.
#[derive(Clone, Debug, PartialEq)]
pub struct InteriorPoint {
    /// φ, the fraction of the way to the boundary that a step may go. Default 0.99.
    pub fraction_to_boundary: f64,
    /// Further correctors at most, each with the second-order term of the direction before and kept
    /// if it allows a longer step. Default 3.
    pub further_correctors: usize,
    /// Gondzio's correctors at most, each kept as far as it allows a longer step. Default 0.
    pub centrality_correctors: usize,
    /// Steps of iterative refinement of each direction at most; it ends where the residual is no longer
    /// halved. Default 8.
    pub refinement_steps: usize,
    /// Refinement ends where the residual is this share of the terms that it is the difference of. Default 0.
    pub refinement_accuracy: f64,
    /// Factorise in single precision as long as refinement makes up for it; in body space only. Default `false`.
    pub single_precision: bool,
    /// The method ends at this energy error (see [`crate::residual`]), whatever the solve stops on: what is left then are
    /// local errors, which sweeps remove at less cost. Default 0.
    pub hand_over: f64,
    /// How far inside the cones a given starting point is moved, relative to its mean size. Default 1e-3.
    pub warm_margin: f64,
    /// Which unknowns the linear systems have. Default: chosen by size.
    pub system: System,
    /// δ of free rows, relative to the mean diagonal of N at their block. Default 1e-8.
    pub regularisation: f64,
    /// ω of the starting point, relative to the mean diagonal of N at each block. Default 1e-3: soft
    /// enough that impulses of the size of the heaviest body's momentum come out.
    pub starting_stiffness: f64,
    /// How far inside the cones the starting point is, relative to its mean size. Default 100: a start far
    /// inside costs two long steps; one near the boundary, many short ones.
    pub starting_margin: f64,
    /// Iterations without progress (a tenth of the barrier or of the error) after which the method gives
    /// up. Default 5.
    pub patience: usize,
    /// Accelerated Gauss-Seidel iterations afterwards, if the tolerance was not reached. Default
    /// 5000; 0 for none.
    pub polish_iterations: usize,
    /// Begin at the given impulses, moved into the interior; otherwise at zero, which is the better start when they
    /// have the wrong force level. Default `true`.
    pub warm: bool,
}

impl Default for InteriorPoint {
    fn default() -> Self {
        Self {
            fraction_to_boundary: 0.99,
            further_correctors: 3,
            centrality_correctors: 0,
            refinement_steps: 8,
            refinement_accuracy: 0.0,
            single_precision: false,
            hand_over: 0.0,
            warm_margin: 1e-3,
            system: System::Auto,
            regularisation: 1e-8,
            starting_stiffness: 1e-3,
            starting_margin: 100.0,
            patience: 5,
            polish_iterations: 5000,
            warm: true,
        }
    }
}

/// Largest relative δ that is tried when a factorisation fails.
const LARGEST_SHIFT: f64 = 1e-4;

/// Largest share of the residual that factors of single precision may leave.
const SINGLE_IS_ENOUGH: f64 = 1e-3;

/// Factor on σ where centrality correctors follow: they make up for the shorter step that a smaller σ allows.
const BOLDNESS: f64 = 0.3;

/// A step for which no corrector is needed.
const LONG_STEP: f64 = 0.95;

/// What a corrector must add to a step for another one to be worth its solve.
const LENGTHENING: f64 = 0.02;

/// Solves for a direction above which the next factor is of double precision: conditions grow fast, and a factor of single
/// precision that turns out to be too coarse was made for nothing.
const SINGLE_PAYS: usize = 2;

/// Newton steps at most; the polish comes on top.
const MOST_STEPS: usize = 200;

/// A step this short is none.
const SHORTEST_STEP: f64 = 1e-7;

impl ContactSolver for InteriorPoint {
    fn name(&self) -> &'static str {
        "interior_point"
    }

    fn summary(&self) -> &'static str {
        "interior point on the cones: few costly iterations, high accuracy also where sweeps stall"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Relaxed]
    }

    fn default_max_iterations(&self) -> usize {
        MOST_STEPS + self.polish_iterations
    }

    fn run(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        gamma: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let status = match self.follow_the_path(problem, gamma, monitor) {
            Ok(status) => status,
            Err(error) => {
                monitor
                    .notes
                    .push(format!("interior point stopped: {error}"));
                Status::NumericalFailure
            }
        };
        let short = matches!(status, Status::Stalled | Status::NumericalFailure);
        if !short || self.polish_iterations == 0 || monitor.is_exhausted() {
            return status;
        }
        monitor.notes.push(format!(
            "interior point ended at {:.1e} after {} iterations; polished by accelerated Gauss-Seidel",
            monitor.best_error(),
            monitor.iterations()
        ));
        monitor.begin_phase("polish", Phase::whole(self.polish_iterations));
        gamma.copy_from_slice(monitor.best());
        AcceleratedGaussSeidel::default().run(problem, law, gamma, monitor)
    }
}

impl InteriorPoint {
    /// The interior point iteration; see the module.
    fn follow_the_path(
        &self,
        problem: &ContactProblem,
        gamma: &mut [f64],
        monitor: &mut Monitor,
    ) -> Result<Status, FactorizationError> {
        let pieces = Pieces::new(problem);
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; problem.dimension()];
        project_all(problem, gamma);
        problem.velocity(gamma, &mut state, &mut velocity);
        monitor.products += 1;
        if let Some(status) = broken(monitor.start(gamma, &velocity)) {
            return Ok(status);
        }
        let mut system = self.choose_system(problem, &pieces, monitor)?;
        let mut shift = self.shift(problem, &pieces);
        let mut x = Iterate::new(problem, &pieces);
        if self.single_precision {
            system.set_precision(Precision::Single);
        }
        let accuracy = self.refinement_accuracy;
        if self.warm && gamma.iter().any(|&v| v != 0.0) {
            x.warm_start(gamma, &velocity, self.warm_margin);
        } else {
            x.cold_start(&mut system, self.starting_stiffness, self.starting_margin)?;
        }
        let (mut lowest_barrier, mut lowest_error, mut idle) = (f64::INFINITY, f64::INFINITY, 0);
        for _ in 0..MOST_STEPS {
            // Residuals, scaling, factor.
            x.compute_residuals();
            if !x.compute_scaling() {
                return Ok(Status::Stalled);
            }
            self.factorize(&mut system, &x, &mut shift)?;
            // Predictor and corrector.
            x.predictor();
            let (left, solves) = x.direction(&mut system, self.refinement_steps, accuracy);
            if system.is_single() && !(left <= SINGLE_IS_ENOUGH) {
                system.set_precision(Precision::Double);
                self.factorize(&mut system, &x, &mut shift)?;
                x.direction(&mut system, self.refinement_steps, accuracy);
            }
            let single_is_next = system.is_single() && solves <= SINGLE_PAYS;
            let mut sigma = (1.0 - x.step_to_boundary().min(1.0)).powi(3);
            if self.centrality_correctors > 0 {
                sigma *= BOLDNESS;
            }
            x.corrector(sigma);
            x.direction(&mut system, self.refinement_steps, accuracy);
            let mut boundary = x.step_to_boundary();
            for _ in 0..self.centrality_correctors {
                if boundary >= LONG_STEP {
                    break;
                }
                x.keep_direction();
                x.centre(sigma, boundary);
                x.direction(&mut system, self.refinement_steps, accuracy);
                let longer = x.mix_directions();
                let worth = longer >= boundary + LENGTHENING;
                boundary = longer;
                if !worth {
                    break;
                }
            }
            for _ in 0..self.further_correctors {
                x.keep_direction();
                x.corrector(sigma);
                x.direction(&mut system, self.refinement_steps, accuracy);
                let further = x.step_to_boundary();
                if !(further > boundary) {
                    x.restore_direction();
                    break;
                }
                boundary = further;
            }
            let step = (self.fraction_to_boundary * boundary).min(1.0);
            if !(step > SHORTEST_STEP) {
                return Ok(Status::Stalled);
            }
            x.advance(step);
            if !single_is_next {
                system.set_precision(Precision::Double);
            }
            // The referee sees a point of K.
            gamma.copy_from_slice(&x.gamma);
            project_all(problem, gamma);
            problem.velocity(gamma, &mut state, &mut velocity);
            monitor.products += 1 + std::mem::take(&mut x.products);
            if let Some(status) = broken(monitor.check(gamma, &velocity, step)) {
                return Ok(status);
            }
            if self.hand_over > 0.0 {
                let measures = &monitor.settings().measures;
                let law = FrictionLaw::Relaxed;
                if measure_of(problem, law, Measure::Energy, measures, gamma, &velocity)
                    <= self.hand_over
                {
                    return Ok(Status::Stalled);
                }
            }
            // Progress is a smaller barrier, or a smaller error where rounding holds the barrier.
            let (barrier, error) = (x.barrier(), monitor.best_error());
            if barrier < 0.9 * lowest_barrier || error < 0.9 * lowest_error {
                idle = 0;
            } else {
                idle += 1;
            }
            lowest_barrier = barrier.min(lowest_barrier);
            lowest_error = error.min(lowest_error);
            if idle >= self.patience {
                return Ok(Status::Stalled);
            }
        }
        Ok(Status::Stalled)
    }

    /// Bodies or contacts.
    fn choose_system(
        &self,
        problem: &ContactProblem,
        pieces: &Pieces,
        monitor: &mut Monitor,
    ) -> Result<LinearSystem, FactorizationError> {
        let refusal = BodySpace::refuses(problem);
        if let (System::Body, Some(reason)) = (self.system, refusal) {
            monitor
                .notes
                .push(format!("solved in contact space: {reason}"));
        }
        let system = match problem.delassus() {
            Delassus::MatrixFree(n)
                if refusal.is_none()
                    && (self.system == System::Body
                        || self.system == System::Auto
                            && n.body_dimension() <= problem.dimension()) =>
            {
                LinearSystem::Body(BodySpace::new(problem, n)?)
            }
            _ => LinearSystem::Contact(ContactSpace::new(problem, pieces)?),
        };
        Ok(system)
    }

    /// δ of each row.
    fn shift(&self, problem: &ContactProblem, pieces: &Pieces) -> Vec<f64> {
        let mut shift = vec![0.0; problem.dimension()];
        let offsets = problem.offsets();
        for &row in &pieces.free {
            let block = offsets.partition_point(|&first| first <= row) - 1;
            shift[row] = self.regularisation * problem.mean_diagonal()[block];
        }
        shift
    }

    /// Factorises; where N is not positive semidefinite (data of low precision), with a larger δ.
    fn factorize(
        &self,
        system: &mut LinearSystem,
        x: &Iterate,
        shift: &mut [f64],
    ) -> Result<(), FactorizationError> {
        let mut relative = 1e-14;
        loop {
            match system.factorize(x.problem, x.pieces, &x.scalings, shift) {
                Err(FactorizationError::NotPositiveDefinite { .. }) if relative < LARGEST_SHIFT => {
                    relative *= 10.0;
                    for block in 0..x.problem.blocks() {
                        let least = relative * x.problem.mean_diagonal()[block];
                        for shift in &mut shift[x.problem.rows(block)] {
                            *shift = shift.max(least);
                        }
                    }
                }
                outcome => return outcome,
            }
        }
    }
}
