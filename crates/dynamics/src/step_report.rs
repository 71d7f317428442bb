//! How good a step was.

use crate::bodies::Bodies;
use crate::forces::Forces;
use crate::joints::Joints;
use glam::DVec3;
use moreau_algebra::reduction::tree_reduce;
use moreau_contact_solvers::residual::Errors;
use moreau_contact_solvers::status::Status;
use std::ops::Range;

/// Seconds of each stage of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimes {
    /// Pairs of bodies.
    pub broad_phase: f64,
    /// Contacts of the pairs.
    pub narrow_phase: f64,
    /// Free velocities, problem and starting point.
    pub assembly: f64,
    /// The contact problem.
    pub solve: f64,
    /// New poses, warm start kept, report.
    pub integration: f64,
}

impl StageTimes {
    /// Adds the times of another step.
    pub fn add(&mut self, other: &StageTimes) {
        self.broad_phase += other.broad_phase;
        self.narrow_phase += other.narrow_phase;
        self.assembly += other.assembly;
        self.solve += other.solve;
        self.integration += other.integration;
    }

    /// The whole step.
    pub fn total(&self) -> f64 {
        self.broad_phase + self.narrow_phase + self.assembly + self.solve + self.integration
    }
}

/// Momentum and energy of all rigid bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// ½ Σ m v² + ω·I ω, in J.
    pub kinetic: f64,
    /// Of gravity (zero at the origin), springs and compliant joints, in J.
    pub potential: f64,
    /// Σ m v, in N s.
    pub momentum: DVec3,
    /// About the origin, in N m s.
    pub angular_momentum: DVec3,
}

impl Balance {
    /// Sums over the rigid bodies.
    pub fn of(bodies: &Bodies, forces: &Forces, joints: &Joints, gravity: DVec3) -> Self {
        let of_some = |some: Range<usize>| {
            let mut sum = Self::default();
            for body in some.filter(|body| bodies.is_rigid(*body)) {
                let (mass, velocity) = (bodies.masses[body], bodies.velocities[body]);
                let position = bodies.poses[body].position;
                let spin = bodies.angular_momentum(body);
                sum.kinetic +=
                    0.5 * (mass * velocity.linear.length_squared() + velocity.angular.dot(spin));
                sum.potential -= mass * gravity.dot(position);
                sum.momentum += mass * velocity.linear;
                sum.angular_momentum += spin + mass * position.cross(velocity.linear);
            }
            sum
        };
        let add = |a: Self, b: Self| Self {
            kinetic: a.kinetic + b.kinetic,
            potential: a.potential + b.potential,
            momentum: a.momentum + b.momentum,
            angular_momentum: a.angular_momentum + b.angular_momentum,
        };
        let mut sum = tree_reduce(0..bodies.len(), &of_some, &add);
        sum.potential += joints.energy(bodies);
        sum.potential += forces.springs.iter().map(|s| s.energy(bodies)).sum::<f64>();
        sum
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// What a step tells about itself.
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::shapes::{HalfSpace, Shape, Sphere};
/// use moreau_dynamics::{bodies::NewBody, settings::SimulationSettings, simulation::Simulation};
///
/// let mut simulation = Simulation::new(SimulationSettings::default());
/// let ground = simulation.add_shape(Shape::HalfSpace(HalfSpace));
/// simulation.add_body(NewBody::fixed(ground))?;
/// let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.5)?));
/// simulation.add_body(NewBody::with_mass(ball, 2.0).at(DVec3::new(0.0, 0.0, 0.5)))?;
/// let report = simulation.step()?;
/// assert!(report.converged());
/// assert_eq!((report.step, report.contacts), (1, 1));
/// assert!(report.penetration < 1e-9);
/// assert!((report.balance.energy() - 2.0 * 9.81 * 0.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StepReport {
    /// Number of the step, from 1.
    pub step: u64,
    /// Time at its end, in s.
    pub time: f64,
    /// Its length in s.
    pub step_size: f64,
    /// Parts it was cut into; 1 unless it was refined.
    pub parts: u32,
    /// Bodies.
    pub bodies: usize,
    /// Those of them that sleep when the step has ended.
    pub asleep: usize,
    /// Contacts given to the solver.
    pub contacts: usize,
    /// Rows of the joints.
    pub joint_rows: usize,
    /// Why the solve ended; the worst of all parts.
    pub status: Status,
    /// Iterations, all parts.
    pub iterations: usize,
    /// The measure that the solver stopped on, the worst of all parts.
    pub error: f64,
    /// Error measures of the last part: the one that the solver stopped on and what came with it; NaN for measures that
    /// would have cost a pass of their own.
    pub errors: Option<Errors>,
    /// Largest overlap in m: at the end of the step in Moreau's scheme and under a `penetration_limit`; otherwise where its
    /// contacts were found, at its beginning, which is the end of the step before. Of a step in parts, the largest of them.
    pub penetration: f64,
    /// The same as a share of the smaller body's size.
    pub relative_penetration: f64,
    /// Largest distance by which a joint is violated at the end, in m.
    pub joint_drift: f64,
    /// Largest angle by which a joint is violated at the end, in rad.
    pub joint_angle_drift: f64,
    /// Energy and momentum at the end.
    pub balance: Balance,
    /// How much of the change of momentum neither weight, applied forces nor the impulses of fixed and driven bodies
    /// explain, in N s: rounding, and what bodies lost that fell asleep.
    pub momentum_defect: DVec3,
    /// Work that contacts and joints did in the step, in J; not positive for inelastic contact without driven bodies.
    pub constraint_work: f64,
    /// Wall-clock seconds of each stage.
    pub times: StageTimes,
    /// CPU seconds of each stage, all threads of the process.
    pub cpu_times: StageTimes,
    /// What the solver has to say.
    pub notes: Vec<String>,
}

impl StepReport {
    /// Whether every part of the step converged.
    pub fn converged(&self) -> bool {
        self.status == Status::Converged
    }
}
