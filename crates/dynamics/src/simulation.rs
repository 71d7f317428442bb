//! Bodies, and the step that advances them.

use crate::assembly::{self, ManyContacts};
use crate::bodies::{Bodies, BodyError, NewBody, Velocity, centre_offset};
use crate::contact_choice::LeftOut;
use crate::forces::{Forces, FreeVelocities};
use crate::joints::{JointBlock, JointError, Joints, NewJoint};
use crate::materials::Materials;
use crate::settings::SimulationSettings;
use crate::sleep::Sleepers;
use crate::step_outcome::Outcome;
use crate::step_report::{Balance, StepReport};
use crate::warm_start::{ContactImpulse, WarmStart};
use glam::DVec3;
use moreau_algebra::pool;
use moreau_collision::broad_phase::BroadPhase;
use moreau_collision::colliders::Mobility;
use moreau_collision::contact::Contact;
use moreau_collision::narrow_phase::NarrowPhase;
use moreau_collision::shapes::{Shape, ShapeTable};
use moreau_contact_solvers::problem::{ContactProblem, ProblemError};
use moreau_contact_solvers::solver::SolveError;
use moreau_contact_solvers::status::Status;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::TryReserveError;
use thiserror::Error;

/// Why a step could not be made.
#[derive(Debug, Error)]
pub enum StepError {
    /// A setting that makes no sense.
    #[error("{0}")]
    Settings(String),
    /// No body has a size, so that no step follows from it.
    #[error(
        "no time_step is set, and none follows from the bodies: gravity is zero or no body has a size"
    )]
    NoStep,
    /// A body that left the range of numbers.
    #[error("step {step}: body {body} is at {position}, which is no place")]
    Lost {
        /// Which step.
        step: u64,
        /// Which body.
        body: usize,
        /// Where.
        position: DVec3,
    },
    /// A problem that cannot be stated.
    #[error("step {step}: {reason}")]
    Problem {
        /// Which step.
        step: u64,
        /// Why.
        reason: ProblemError,
    },
    /// A problem that the solver does not take.
    #[error("step {step}: {reason}")]
    Solve {
        /// Which step.
        step: u64,
        /// Why.
        reason: SolveError,
    },
    /// Not converged, and the settings say that this is the end.
    #[error(
        "step {step} did not converge ({status}, error {error:.1e}), and the settings say to stop then"
    )]
    NotConverged {
        /// Which step.
        step: u64,
        /// Why the solve ended.
        status: Status,
        /// How far it came.
        error: f64,
        /// What the refused step would have told, with the energy and the joints of the state that the run went back to.
        report: Box<StepReport>,
    },
}

/// Bodies in time. Serialised, it holds all that the next steps depend on.
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::shapes::{Cuboid, HalfSpace, Shape};
/// use moreau_dynamics::{bodies::NewBody, settings::SimulationSettings, simulation::Simulation};
///
/// let mut simulation = Simulation::new(SimulationSettings::default());
/// let ground = simulation.add_shape(Shape::HalfSpace(HalfSpace));
/// let ground = simulation.add_body(NewBody::fixed(ground))?;
/// let block = simulation.add_shape(Shape::Cuboid(Cuboid::new(DVec3::new(0.5, 0.5, 0.1))?));
/// simulation.add_body(NewBody::with_mass(block, 3.0).at(DVec3::new(0.0, 0.0, 0.1)))?;
/// simulation.step()?;
/// assert_eq!(simulation.contacts().len(), 4, "a box rests on its corners");
/// let load = simulation.force_on(ground).linear;
/// assert!((load.z + 3.0 * 9.81).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Simulation {
    pub(crate) settings: SimulationSettings,
    pub(crate) shapes: ShapeTable,
    pub(crate) materials: Materials,
    pub(crate) bodies: Bodies,
    pub(crate) joints: Joints,
    pub(crate) forces: Forces,
    pub(crate) warm: WarmStart,
    pub(crate) sleepers: Sleepers,
    pub(crate) time: f64,
    pub(crate) steps: u64,
    /// The step in use; found when the first one is made.
    pub(crate) step_size: Option<f64>,
    /// Contacts of the last step with their impulses, for output; behind them those of sleeping bodies, whose impulses
    /// `sleepers` has.
    pub(crate) contacts: Vec<Contact>,
    pub(crate) impulses: Vec<f64>,
    /// First row and end of the rows of each contact among the impulses.
    pub(crate) contact_rows: Vec<[u32; 2]>,
    pub(crate) last_part: f64,
    #[serde(skip)]
    pub(crate) workspace: Workspace,
}

/// Storage that lives on between steps but holds nothing that the next step depends on.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) broad_phase: BroadPhase,
    pub(crate) narrow_phase: NarrowPhase,
    pub(crate) free: FreeVelocities,
    pub(crate) envelopes: Vec<f64>,
    pub(crate) sizes: Vec<f64>,
    pub(crate) mobility: Vec<Mobility>,
    /// Contacts within the envelopes that the free motion does not close.
    pub(crate) left_out: Vec<LeftOut>,
    /// The speed at which the impacts of the step make each contact open at least; empty where nothing bounces.
    pub(crate) opening: Vec<f64>,
    pub(crate) after: Vec<Velocity>,
    pub(crate) joints: Vec<JointBlock>,
    /// With the unit of length that goes with angles in it, in m.
    pub(crate) last_problem: Option<(ContactProblem, f64)>,
    pub(crate) many_contacts: ManyContacts,
}

impl Clone for Workspace {
    /// A copy begins with an empty one.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Simulation {
    /// An empty world.
    pub fn new(settings: SimulationSettings) -> Self {
        Self {
            settings,
            shapes: ShapeTable::default(),
            materials: Materials::default(),
            bodies: Bodies::default(),
            joints: Joints::default(),
            forces: Forces::default(),
            warm: WarmStart::default(),
            sleepers: Sleepers::default(),
            time: 0.0,
            steps: 0,
            step_size: None,
            contacts: Vec::new(),
            impulses: Vec::new(),
            contact_rows: Vec::new(),
            last_part: 0.0,
            workspace: Workspace::default(),
        }
    }

    /// Adds a shape; bodies refer to it by the number that comes back.
    pub fn add_shape(&mut self, shape: Shape) -> u32 {
        let offset = centre_offset(&shape);
        self.shapes.add_with_offset(shape, offset)
    }

    /// Adds a body and gives its index.
    ///
    /// # Errors
    /// When its mass, pose or name is impossible.
    pub fn add_body(&mut self, body: NewBody) -> Result<usize, BodyError> {
        self.bodies.add(body, &self.shapes, self.time)
    }

    /// Makes room for more bodies at once, or says that there is none; without it, the room grows with every body.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn reserve_bodies(&mut self, more: usize) -> Result<(), TryReserveError> {
        self.bodies.reserve(more)
    }

    /// Adds a joint between bodies, or a body and the world, and gives its index.
    ///
    /// # Errors
    /// When its ends, axes, limits, motors or name are impossible.
    pub fn add_joint(&mut self, joint: NewJoint) -> Result<usize, JointError> {
        self.sleepers.disturb();
        self.joints.add(joint, &self.bodies)
    }

    /// Removes the bodies that `gone` marks; the others keep their order. Gives the new index of each old body,
    /// `u32::MAX` for a removed one. Joints, springs, forces and contacts of removed bodies go with
    /// them; the forces at the contacts of the others can still be read.
    pub fn remove_bodies(&mut self, gone: &[bool]) -> Vec<u32> {
        let new_index = self.bodies.remove(gone);
        self.joints.renumber(&new_index);
        self.forces.renumber(&new_index);
        self.warm.renumber(&new_index);
        self.sleepers.renumber(&new_index);
        let mut kept = 0;
        for index in 0..self.contact_rows.len() {
            let contact = self.contacts[index];
            let bodies = contact.bodies.map(|body| new_index[body as usize]);
            if !bodies.contains(&u32::MAX) {
                self.contacts[kept] = Contact { bodies, ..contact };
                self.contact_rows[kept] = self.contact_rows[index];
                kept += 1;
            }
        }
        self.contacts.truncate(kept);
        self.contact_rows.truncate(kept);
        self.contacts.extend_from_slice(self.sleepers.contacts());
        new_index
    }

    /// The settings.
    pub fn settings(&self) -> &SimulationSettings {
        &self.settings
    }

    /// The settings, to be changed; a change of the step acts from the next step on. Sleeping bodies wake.
    pub fn settings_mut(&mut self) -> &mut SimulationSettings {
        self.sleepers.disturb();
        self.step_size = None;
        &mut self.settings
    }

    /// The shapes.
    pub fn shapes(&self) -> &ShapeTable {
        &self.shapes
    }

    /// The materials.
    pub fn materials(&self) -> &Materials {
        &self.materials
    }

    /// The materials, to be changed. Sleeping bodies wake.
    pub fn materials_mut(&mut self) -> &mut Materials {
        self.sleepers.disturb();
        &mut self.materials
    }

    /// The bodies.
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// The bodies, to be changed: poses and velocities may be set between steps. Sleeping
    /// bodies wake.
    pub fn bodies_mut(&mut self) -> &mut Bodies {
        self.sleepers.disturb();
        &mut self.bodies
    }

    /// The joints.
    pub fn joints(&self) -> &Joints {
        &self.joints
    }

    /// The joints, to be changed. Sleeping bodies wake.
    pub fn joints_mut(&mut self) -> &mut Joints {
        self.sleepers.disturb();
        &mut self.joints
    }

    /// Applied forces and springs.
    pub fn forces(&self) -> &Forces {
        &self.forces
    }

    /// Applied forces and springs, to be changed. Sleeping bodies wake.
    pub fn forces_mut(&mut self) -> &mut Forces {
        self.sleepers.disturb();
        &mut self.forces
    }

    /// Seconds since the beginning.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether a body sleeps ([`SimulationSettings::sleep`]).
    pub fn is_asleep(&self, body: usize) -> bool {
        self.sleepers.is_asleep(body)
    }

    /// The contacts of the last step, then those of sleeping bodies as they were when they fell asleep; their points are those at its beginning (in Moreau's scheme, its middle).
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The mean force and moment through a contact of the last step, on its second body, in N and N m.
    pub fn contact_force(&self, contact: usize) -> ContactImpulse {
        let (rows, step) = match contact.checked_sub(self.contact_rows.len()) {
            Some(sleeping) => self.sleepers.impulse(sleeping),
            None => {
                let [first, end] = self.contact_rows[contact].map(|row| row as usize);
                (&self.impulses[first..end], self.last_part)
            }
        };
        let impulse = assembly::contact_impulse(&self.contacts[contact], rows);
        ContactImpulse {
            linear: impulse.linear / step,
            angular: impulse.angular / step,
        }
    }

    /// The mean contact force and torque about the centre of mass that a body felt in the last step.
    pub fn force_on(&self, body: usize) -> ContactImpulse {
        let mut sum = ContactImpulse::default();
        for (index, contact) in self.contacts.iter().enumerate() {
            let sign = match contact.bodies.map(|b| b as usize) {
                [a, _] if a == body => -1.0,
                [_, b] if b == body => 1.0,
                _ => continue,
            };
            let force = self.contact_force(index);
            let arm = contact.point - self.bodies.poses[body].position;
            sum.linear += sign * force.linear;
            sum.angular += sign * (force.angular + arm.cross(force.linear));
        }
        sum
    }

    /// The contact problem of the last step (of its last part), for files and experiments. With rolling or spinning friction,
    /// lengths beside angles are in units of [`Self::last_unit_of_length`].
    pub fn last_problem(&self) -> Option<&ContactProblem> {
        self.workspace
            .last_problem
            .as_ref()
            .map(|(problem, _)| problem)
    }

    /// The unit ℓ, in m, of lengths beside angles in [`Self::last_problem`], about the size of the bodies that roll: there
    /// ℓ ω stands for ω, M/ℓ for a moment, μ_r/ℓ for μ_r. It is 1 where nothing resists rolling or spinning.
    pub fn last_unit_of_length(&self) -> f64 {
        let last = self.workspace.last_problem.as_ref();
        last.map_or(1.0, |(_, length)| *length)
    }

    /// The impulses that solved it, in its units.
    pub fn last_impulses(&self) -> Cow<'_, [f64]> {
        let length = self.last_unit_of_length();
        if length == 1.0 {
            return Cow::Borrowed(&self.impulses);
        }
        let mut impulses = self.impulses.clone();
        for [first, end] in &self.contact_rows {
            let rows = &mut impulses[*first as usize..*end as usize];
            rows.iter_mut().skip(3).for_each(|row| *row /= length);
        }
        Cow::Owned(impulses)
    }

    /// The step in s: as set, or from the smallest body and gravity.
    ///
    /// # Errors
    /// When none is set and none follows.
    pub fn step_size(&self) -> Result<f64, StepError> {
        if let Some(h) = self.step_size.or(self.settings.time_step) {
            return Ok(h);
        }
        let smallest = (0..self.bodies.len())
            .filter(|body| self.bodies.is_rigid(*body))
            .map(|body| self.size_of(body))
            .fold(f64::INFINITY, f64::min);
        let h =
            SimulationSettings::STEP_FRACTION * (smallest / self.settings.gravity.length()).sqrt();
        if h > 0.0 && h.is_finite() {
            Ok(h)
        } else {
            Err(StepError::NoStep)
        }
    }

    /// The size of a body's shape; infinite without one.
    fn size_of(&self, body: usize) -> f64 {
        self.shapes
            .get(self.bodies.shapes[body])
            .map_or(f64::INFINITY, |entry| entry.shape.size())
    }

    /// Energy and momentum of the rigid bodies.
    pub fn balance(&self) -> Balance {
        Balance::of(
            &self.bodies,
            &self.forces,
            &self.joints,
            self.settings.gravity,
        )
    }

    /// Advances by one step.
    ///
    /// # Errors
    /// When the settings are impossible, a body was lost, or the step did not converge and the settings say to stop.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        pool::inside(self.bodies.len(), || self.step_here())
    }

    fn step_here(&mut self) -> Result<StepReport, StepError> {
        if self.step_size.is_none() {
            self.settings.validate().map_err(StepError::Settings)?;
            self.step_size = Some(self.step_size()?);
        }
        self.forces
            .check_bodies(self.bodies.len())
            .map_err(StepError::Settings)?;
        let h = self.step_size.expect("just set");
        let began = self.time;
        let mut outcome = Outcome::default();
        self.wake_if_disturbed();
        if let Some((status, error)) = self.attempt(h, 0, &mut outcome)? {
            let step = self.steps + 1;
            let report = Box::new(self.report(step, began + h, h, outcome));
            return Err(StepError::NotConverged {
                step,
                status,
                error,
                report,
            });
        }
        self.steps += 1;
        self.time = began + h;
        let converged = outcome.status.is_none_or(|s| s == Status::Converged);
        if self.settings.sleep && converged && outcome.parts == 1 {
            outcome.momentum_defect -= self.fall_asleep(h);
        }
        Ok(self.report(self.steps, self.time, h, outcome))
    }

    /// What a step to `time` tells.
    fn report(&self, step: u64, time: f64, h: f64, outcome: Outcome) -> StepReport {
        let balance = self.balance();
        let drift = self.joints.drift(&self.bodies, self.time);
        let errors = outcome.report.as_ref().map(|report| report.errors.clone());
        StepReport {
            step,
            time,
            step_size: h,
            parts: outcome.parts,
            bodies: self.bodies.len(),
            asleep: self.sleepers.count(),
            contacts: outcome.contacts,
            joint_rows: outcome.joint_rows,
            status: outcome.status.unwrap_or(Status::Converged),
            iterations: outcome.iterations,
            error: outcome.error,
            errors,
            penetration: outcome.penetration,
            relative_penetration: outcome.relative_penetration,
            joint_drift: drift.position,
            joint_angle_drift: drift.angle,
            balance,
            momentum_defect: outcome.momentum_defect,
            constraint_work: outcome.constraint_work,
            times: outcome.times.wall,
            cpu_times: outcome.times.cpu,
            notes: outcome.report.map_or(Vec::new(), |report| report.notes),
        }
    }
}
