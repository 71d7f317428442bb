//! A starting point for heavy bodies on light ones: sweeps on problems whose light bodies are heavier than they are.
//!
//! Under a body that weighs a million times what the bodies below it weigh, sweeps move its momentum down from contact to
//! contact in steps of the light bodies' own momentum. If the light bodies weigh more, they carry more at once:
//!
//! ```text
//!   for c = (mass ratio) · share, c/f, c/f², …, 1:
//!     masses of all bodies times 1 + c, but none above the heaviest
//!     repeat a few times:
//!       accelerated Gauss-Seidel with these masses
//!       γ ← s γ with the s that minimises f(s γ): s = −rᵀγ / γᵀNγ
//! ```
//!
//! The velocities r stay what they are. The scaling by s is essential: sweeps find the directions of the forces sooner than
//! their level.

use super::AcceleratedGaussSeidel;
use crate::delassus::{Delassus, MatrixFree};
use crate::law::FrictionLaw;
use crate::monitor::Monitor;
use crate::observer::Silent;
use crate::problem::ContactProblem;
use crate::residual::Measure;
use crate::settings::Settings;
use crate::solver::ContactSolver;
use moreau_algebra::reduction::dot;

/// Settings of the start.
#[derive(Clone, Debug, PartialEq)]
pub struct MassScaledStart {
    /// The largest c, as a share of the ratio of the heaviest to the lightest mass. Default 1e-3.
    pub first_share: f64,
    /// c falls by this factor from stage to stage. Default 3.
    pub fall: f64,
    /// Iterations between two scalings of the impulses. Default 50.
    pub sweeps: usize,
    /// Scalings in each stage. Default 2.
    pub scalings: usize,
}

impl Default for MassScaledStart {
    fn default() -> Self {
        Self {
            first_share: 1e-3,
            fall: 3.0,
            sweeps: 50,
            scalings: 2,
        }
    }
}

impl MassScaledStart {
    /// Replaces `impulses` by the starting point; nothing is done where the bodies are not known.
    pub fn run(&self, problem: &ContactProblem, impulses: &mut [f64], monitor: &mut Monitor) {
        let Delassus::MatrixFree(operator) = problem.delassus() else {
            return;
        };
        let masses: Vec<f64> = (0..operator.bodies())
            .map(|body| 1.0 / operator.inverse_mass(body)[0])
            .collect();
        let finite = || masses.iter().copied().filter(|mass| mass.is_finite());
        let heaviest = finite().fold(0.0, f64::max);
        let lightest = finite().fold(f64::INFINITY, f64::min);
        let mut c = self.first_share * heaviest / lightest;
        while c >= 1.0 {
            let factors: Vec<f64> = masses
                .iter()
                .map(|mass| (1.0 + c).min(heaviest / mass).max(1.0))
                .collect();
            self.stage(
                problem,
                operator.with_masses_times(&factors),
                impulses,
                monitor,
            );
            c /= self.fall;
        }
    }

    fn stage(
        &self,
        problem: &ContactProblem,
        operator: MatrixFree,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) {
        let stage = problem.with_operator(Delassus::MatrixFree(operator));
        for _ in 0..self.scalings {
            if !sweep_and_scale(&stage, self.sweeps, impulses, monitor) {
                return;
            }
        }
    }
}

/// Sweeps on `stage`, which costs `monitor` what it costs, and γ ← s γ with the s that minimises f(s γ); false when the
/// time is up.
pub(super) fn sweep_and_scale(
    stage: &ContactProblem,
    sweeps: usize,
    impulses: &mut [f64],
    monitor: &mut Monitor,
) -> bool {
    if monitor.seconds_left() <= 0.0 {
        return false;
    }
    let settings = Settings {
        tolerance: 0.0,
        measure: Measure::Energy,
        check_interval: sweeps,
        time_limit: None,
        ..monitor.settings().clone()
    };
    let mut silent = Silent;
    let law = FrictionLaw::Relaxed;
    let mut inner = Monitor::new(stage, law, &settings, sweeps, &mut silent);
    inner.keep_latest();
    AcceleratedGaussSeidel::default().run(stage, law, impulses, &mut inner);
    impulses.copy_from_slice(inner.best());
    monitor.absorb(&inner);
    let mut state = vec![0.0; stage.state_length()];
    let mut product = vec![0.0; stage.dimension()];
    stage.product(impulses, &mut state, &mut product);
    monitor.products += 1;
    let curvature = dot(impulses, &product);
    let slope = -dot(impulses, stage.free_velocity());
    if slope > 0.0 && curvature > 0.0 {
        impulses.iter_mut().for_each(|x| *x *= slope / curvature);
    }
    true
}
