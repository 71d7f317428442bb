//! The stages of a step, in their order; each hands a value to the next.

use crate::assembly::{self, Assembled, ContactRules, NOT_SOLVED, PIECE, Parts, SlimContacts};
use crate::bodies::Velocity;
use crate::contact_choice::deepest_overlap;
use crate::forces::FreeVelocities;
use crate::integrator;
use crate::joints::equations::StepPlan;
use crate::joints::{JointBlock, JointState};
use crate::settings::{OnFailure, Scheme};
use crate::simulation::{Simulation, StepError};
use crate::sleep::Sleepers;
use crate::step_report::StageTimes;
use crate::warm_start::WarmStart;
use cpu_time::ProcessTime;
use glam::DVec3;
use moreau_algebra::reduction::tree_reduce;
use moreau_collision::pose::Pose;
use moreau_contact_solvers::approach::ApproachLimits;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::{IterationRecord, Observer};
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::time::Instant;

/// Iterations that a small system, and one of some size, may take for accuracy beyond the tolerance.
const SMALL_ITERATIONS: usize = 100;
const MIDDLE_ITERATIONS: usize = 300;
/// Iterations after which a larger solve is interrupted to see whether contacts are missing: in an impact some always are,
/// and to go on with them costs less than to find out when it has ended.
const TRIAL_ITERATIONS: usize = 15;
/// … if the error is still so many times the tolerance: others end before anything could be gained.
const FAR: f64 = 5.0;
/// How often contacts are searched for again in a step, because bodies became faster than was thought.
const MOST_SEARCHES: u32 = 3;
/// Iterations of a solve, unless the settings say otherwise.
const MOST_ITERATIONS: usize = 3000;

/// What a part of a step left behind.
struct Part {
    report: Option<SolveReport>,
    times: Times,
    penetration: f64,
    relative_penetration: f64,
    /// What is left at its end, as a share of the smaller body's size; zero where nobody asks.
    left_penetration: f64,
    contacts: usize,
    joint_rows: usize,
    momentum_defect: DVec3,
    constraint_work: f64,
}

/// What all parts of a step left behind.
#[derive(Default)]
pub(crate) struct Outcome {
    pub parts: u32,
    pub status: Option<Status>,
    pub iterations: usize,
    pub error: f64,
    pub penetration: f64,
    pub relative_penetration: f64,
    pub contacts: usize,
    pub joint_rows: usize,
    pub momentum_defect: DVec3,
    pub constraint_work: f64,
    pub times: Times,
    pub report: Option<SolveReport>,
}

impl Outcome {
    fn add(&mut self, part: Part) {
        self.parts += 1;
        let status = part.report.as_ref().map_or(Status::Converged, |r| r.status);
        if self.status.is_none_or(|so_far| so_far == Status::Converged) {
            self.status = Some(status);
        }
        self.iterations += part.report.as_ref().map_or(0, |report| report.iterations);
        let error = part.report.as_ref().map_or(0.0, |report| report.error());
        self.error = self.error.max(error);
        self.penetration = self.penetration.max(part.penetration);
        self.relative_penetration = self.relative_penetration.max(part.relative_penetration);
        self.contacts = part.contacts;
        self.joint_rows = part.joint_rows;
        self.momentum_defect += part.momentum_defect;
        self.constraint_work += part.constraint_work;
        self.times.wall.add(&part.times.wall);
        self.times.cpu.add(&part.times.cpu);
        self.report = part.report;
    }
}

/// The state that a refused step returns to.
struct Saved {
    poses: Vec<Pose>,
    velocities: Vec<Velocity>,
    warm: WarmStart,
    joints: Vec<JointState>,
    sleepers: Sleepers,
    time: f64,
}

/// Interrupts a solve where it is far from its end after some iterations.
pub(crate) struct Trial {
    /// Error above which it is; infinite when the solve shall go on.
    far: f64,
}

impl Trial {
    /// Interrupts nothing.
    pub fn never() -> Self {
        Self { far: f64::INFINITY }
    }
}

impl Observer for Trial {
    fn iteration(&mut self, record: &IterationRecord) -> ControlFlow<()> {
        if record.iteration >= TRIAL_ITERATIONS {
            if record.error > self.far {
                return ControlFlow::Break(());
            }
            self.far = f64::INFINITY;
        }
        ControlFlow::Continue(())
    }
}

/// What the stages took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    /// By the clock on the wall.
    pub wall: StageTimes,
    /// CPU time of all threads.
    pub cpu: StageTimes,
}

/// Measures stages.
pub(crate) struct Clock {
    wall: Instant,
    cpu: ProcessTime,
    times: Times,
}

impl Clock {
    fn start() -> Self {
        Self {
            wall: Instant::now(),
            cpu: ProcessTime::now(),
            times: Times::default(),
        }
    }

    /// Counts the time since the last call for a stage.
    pub fn lap(&mut self, stage: impl Fn(&mut StageTimes) -> &mut f64) {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        *stage(&mut self.times.wall) += (wall - self.wall).as_secs_f64();
        *stage(&mut self.times.cpu) += cpu.duration_since(self.cpu).as_secs_f64();
        (self.wall, self.cpu) = (wall, cpu);
    }
}

impl Simulation {
    /// Makes a step of `h`, or two of half the length when it fails and the settings say so.
    pub(crate) fn attempt(
        &mut self,
        h: f64,
        depth: u32,
        outcome: &mut Outcome,
    ) -> Result<(), StepError> {
        let action = self.settings.on_failure;
        let saved = (action != OnFailure::Continue).then(|| Saved {
            poses: self.bodies.poses.clone(),
            velocities: self.bodies.velocities.clone(),
            warm: self.warm.clone(),
            joints: self.joints.states(),
            sleepers: self.sleepers.clone(),
            time: self.time,
        });
        let part = self.advance(h)?;
        let Some(saved) = saved else {
            outcome.add(part);
            return Ok(());
        };
        let status = part.report.as_ref().map_or(Status::Converged, |r| r.status);
        let failed = status != Status::Converged;
        if failed && action == OnFailure::Stop {
            self.restore(saved);
            return Err(StepError::NotConverged {
                step: self.steps + 1,
                status,
                error: part.report.map_or(0.0, |report| report.error()),
            });
        }
        let limit = self.settings.penetration_limit.unwrap_or(f64::INFINITY);
        let too_deep = action == OnFailure::Refine && part.left_penetration > limit;
        if (failed || too_deep) && depth < self.settings.max_refinements {
            self.restore(saved);
            self.attempt(0.5 * h, depth + 1, outcome)?;
            return self.attempt(0.5 * h, depth + 1, outcome);
        }
        outcome.add(part);
        Ok(())
    }

    fn restore(&mut self, saved: Saved) {
        self.bodies.poses = saved.poses;
        self.bodies.velocities = saved.velocities;
        self.warm = saved.warm;
        self.joints.restore(&saved.joints);
        self.sleepers = saved.sleepers;
        self.time = saved.time;
    }

    /// One part of a step: the list of its stages.
    fn advance(&mut self, h: f64) -> Result<Part, StepError> {
        let mut clock = Clock::start();
        let step = self.steps + 1;
        // Before the new one is made, so that there is room for one only.
        self.workspace.last_problem = None;
        let half_steps = self.settings.scheme == Scheme::MoreauHalfStep;
        let moves_for = if half_steps { 0.5 * h } else { h };

        self.set_driven_velocities(h);
        let mut free = std::mem::take(&mut self.workspace.free);
        if half_steps {
            free.turn_as_in_the_middle(&self.bodies, moves_for);
            self.bodies.velocities.clone_from(&free.velocities);
            integrator::move_bodies(&mut self.bodies, &free.gyroscopic, moves_for);
        }
        self.fall_freely(&mut free, h);
        self.check_places(step)?;
        clock.lap(|times| &mut times.assembly);

        let rules = self.contact_rules(h);
        let mut joints = std::mem::take(&mut self.workspace.joints);
        self.find_contacts(&mut free, None, &mut joints, &rules, &mut clock)?;
        let [penetration, relative_penetration] = self.deepest_overlap();
        let mut after = std::mem::take(&mut self.workspace.after);
        let mut report: Option<SolveReport> = None;
        let mut searched_again = 0;
        let (problem, impulses, constraint_work, gained) = loop {
            let assembled = self
                .assemble(&free.velocities, &joints, &rules)
                .map_err(|reason| StepError::Problem { step, reason })?;
            // Where nothing moves without impulses none are needed, and old ones would only leave their rounding.
            let at_rest = assembled.problem.free_velocity().iter().all(|r| *r == 0.0);
            let known = self.settings.solver.warm_start || report.is_some();
            let mut impulses = std::mem::take(&mut self.impulses);
            impulses.clear();
            if known && !at_rest {
                let joints = (&self.joints, joints.as_slice());
                let warm = (&self.warm, self.sleepers.impulses(), h);
                assembly::add_starting_impulses(
                    &assembled,
                    &self.contacts,
                    joints,
                    warm,
                    &mut impulses,
                );
            } else {
                impulses.reserve_exact(assembled.problem.dimension());
                impulses.resize(assembled.problem.dimension(), 0.0);
            }
            // They are kept anew after the solve, which needs the room.
            self.warm.forget();
            clock.lap(|times| &mut times.assembly);
            let limits = self.approach_limits(h);
            let contacts = SlimContacts::of(std::mem::take(&mut self.contacts));
            self.contact_rows.clear();
            let large = assembled.problem.dimension() > self.settings.solver.small_rows;
            let mut trial = large && report.is_none();
            let (missed, work, gained) = loop {
                let mut converged = true;
                if contacts.are_many() {
                    // The solve needs the room of whatever is not asked for meanwhile.
                    (self.contact_rows, after) = (Vec::new(), Vec::new());
                    self.workspace.broad_phase.forget_bounds();
                }
                if assembled.problem.blocks() > 0 {
                    let so_far = report.map_or(0, |report| report.iterations);
                    let mut trial = if trial {
                        let far = FAR * self.settings.solver.tolerance;
                        Trial { far }
                    } else {
                        Trial::never()
                    };
                    let mut solved =
                        self.solve(&assembled.problem, &mut impulses, &limits, step, &mut trial)?;
                    converged = solved.status == Status::Converged;
                    solved.iterations += so_far;
                    report = Some(solved);
                }
                clock.lap(|times| &mut times.solve);
                let (work, gained) =
                    self.add_impulses(&assembled, &impulses, &free.velocities, &mut after);
                let missed = self.misses_contacts(&after, moves_for);
                clock.lap(|times| &mut times.integration);
                if missed || converged || !trial {
                    break (missed, work, gained);
                }
                trial = false;
            };
            self.contacts = contacts.restored(&assembled, &self.bodies);
            self.keep_for_warm_start(&assembled.problem, &impulses, &joints, h);
            if missed {
                self.add_missed_contacts(&after, moves_for);
            } else if searched_again == MOST_SEARCHES
                || !self.outruns_its_envelope(&after, h)
                || !self.search_again(
                    &free.velocities,
                    (&after, &assembled),
                    (h, moves_for),
                    &mut clock,
                )
            {
                break (assembled.problem, impulses, work, gained);
            } else {
                searched_again += 1;
                self.follow_impacts(&joints, &rules, step)?;
            }
            if self.wake_touched() {
                self.fall_freely(&mut free, h);
                self.find_contacts(&mut free, Some(&after), &mut joints, &rules, &mut clock)?;
            }
            self.impulses = impulses;
        };

        let momentum_defect = gained - self.outer_impulse(&problem, &impulses, &joints);
        std::mem::swap(&mut self.bodies.velocities, &mut after);
        integrator::move_bodies(&mut self.bodies, &free.gyroscopic, moves_for);
        self.time += h;
        self.set_driven_poses();
        self.joints.track(&self.bodies, h);
        let contacts = self.contacts.len();
        self.sleepers.end_step(&self.workspace.sizes);
        self.keep_for_output(&problem, impulses, h);
        let joint_rows = joints.iter().map(JointBlock::rows).sum();
        self.workspace.last_problem = Some(problem);
        self.workspace.free = free;
        self.workspace.after = after;
        self.workspace.joints = joints;
        clock.lap(|times| &mut times.integration);
        let left_penetration = match self.settings.penetration_limit {
            Some(_) => self.overlap_now(&mut clock),
            None => 0.0,
        };
        Ok(Part {
            report,
            times: clock.times,
            penetration,
            relative_penetration,
            left_penetration,
            contacts,
            joint_rows,
            momentum_defect,
            constraint_work,
        })
    }

    /// The velocities without contacts and joints; bodies that sleep stay at rest.
    fn fall_freely(&mut self, free: &mut FreeVelocities, h: f64) {
        let moves_for = self.contact_rules(h).closing_time();
        let (gravity, when) = (self.settings.gravity, (self.time, h));
        self.forces
            .free_velocities(&self.bodies, gravity, when, moves_for, free);
        self.let_sleepers_rest(&mut free.velocities, h);
    }

    /// Finds the contacts, those of joints among them, and the impacts of the step, with everybody awake whom they touch.
    fn find_contacts(
        &mut self,
        free: &mut FreeVelocities,
        after: Option<&[Velocity]>,
        joints: &mut Vec<JointBlock>,
        rules: &ContactRules,
        clock: &mut Clock,
    ) -> Result<(), StepError> {
        let h = rules.step;
        loop {
            self.detect(&free.velocities, after, h, clock);
            if !self.wake_touched() {
                self.state_joints(&free.velocities, h, joints);
                clock.lap(|times| &mut times.assembly);
                self.follow_impacts(joints, rules, self.steps + 1)?;
                clock.lap(|times| &mut times.solve);
                if !self.wake_touched() {
                    return Ok(());
                }
            }
            self.fall_freely(free, h);
        }
    }

    /// Makes the blocks of the joints.
    fn state_joints(&self, free: &[Velocity], h: f64, joints: &mut Vec<JointBlock>) {
        joints.clear();
        let plan = StepPlan {
            bodies: &self.bodies,
            free,
            time: match self.settings.scheme {
                Scheme::SymplecticEuler => self.time,
                Scheme::MoreauHalfStep => self.time + 0.5 * h,
            },
            step: h,
        };
        self.joints.blocks(&plan, &self.sleepers, joints);
    }

    fn set_driven_velocities(&mut self, h: f64) {
        for (&body, motion) in &self.bodies.motions {
            self.bodies.velocities[body as usize] = motion.velocity(self.time, h);
        }
    }

    /// Driven poses are functions of time: taking them as such, no rounding adds up.
    fn set_driven_poses(&mut self) {
        for (&body, motion) in &self.bodies.motions {
            if let Some(pose) = motion.pose(self.time) {
                self.bodies.poses[body as usize] = pose;
            }
        }
    }

    fn check_places(&self, step: u64) -> Result<(), StepError> {
        let nowhere = |pose: &Pose| !(pose.position.is_finite() && pose.rotation.is_finite());
        match self.bodies.poses.iter().position(nowhere) {
            Some(body) => Err(StepError::Lost {
                step,
                body,
                position: self.bodies.poses[body].position,
            }),
            None => Ok(()),
        }
    }

    /// How fast each contact may approach at the end of the solve: so that bodies overlap by no more than the settings allow
    /// after the step. Where overlap is meant (compliance, a cap on the recovery, Moreau's scheme) nothing is asked.
    fn approach_limits(&self, h: f64) -> ApproachLimits {
        let settings = &self.settings;
        if settings.scheme != Scheme::SymplecticEuler || settings.recovery_speed.is_some() {
            return ApproachLimits::default();
        }
        let (sizes, materials) = (&self.workspace.sizes, &self.bodies.materials);
        let limit = |index: usize| {
            let [a, b] = self.contacts[index].bodies.map(|body| body as usize);
            if self.materials.pair(materials[a], materials[b]).compliance != 0.0 {
                return f64::INFINITY;
            }
            settings.solver.overlap_tolerance * sizes[a].min(sizes[b]) / h
        };
        ApproachLimits::of(self.contacts.len(), limit)
    }

    /// The deepest overlap in m, and as a share of the smaller body's size.
    fn deepest_overlap(&self) -> [f64; 2] {
        let awake = deepest_overlap(&self.contacts, &self.workspace.sizes);
        let asleep = self.sleepers.deepest();
        [0, 1].map(|k| awake[k].max(asleep[k]))
    }

    fn contact_rules(&self, h: f64) -> ContactRules {
        let settings = &self.settings;
        let falls = settings.gravity.length() * h;
        ContactRules {
            step: h,
            scheme: settings.scheme,
            recovery_speed: settings.recovery_speed,
            restitution_threshold: settings.restitution_threshold.unwrap_or(2.0 * falls),
            cohesion_range: settings.cohesion_range,
        }
    }

    fn assemble(
        &self,
        free: &[Velocity],
        joints: &[JointBlock],
        rules: &ContactRules,
    ) -> Result<Assembled, moreau_contact_solvers::problem::ProblemError> {
        let work = &self.workspace;
        let parts = Parts {
            bodies: &self.bodies,
            free,
            materials: &self.materials,
            contacts: &self.contacts,
            opening: &work.opening,
            joints,
            order: work.broad_phase.order(),
            sizes: &work.sizes,
        };
        assembly::assemble(&parts, rules)
    }

    pub(crate) fn solve(
        &self,
        problem: &ContactProblem,
        impulses: &mut [f64],
        approach_limits: &ApproachLimits,
        step: u64,
        trial: &mut Trial,
    ) -> Result<SolveReport, StepError> {
        let chosen = &self.settings.solver;
        let method = methods::by_name(&chosen.name).map_err(StepError::Settings)?;
        let small = problem.dimension() <= chosen.small_rows;
        let mut attempt = |tolerance: f64, most: usize| {
            let settings = Settings {
                tolerance,
                max_iterations: Some(chosen.max_iterations.map_or(most, |limit| most.min(limit))),
                measure: chosen.measure,
                all_measures: false,
                islands: chosen.islands,
                check_interval: if small { 1 } else { 3 },
                approach_limits: approach_limits.clone(),
                ..Settings::default()
            };
            solve(problem, chosen.law, &*method, &settings, impulses, trial)
                .map_err(|reason| StepError::Solve { step, reason })
        };
        let tolerance = chosen.tolerance;
        let mut iterations = 0;
        let more = if small {
            Some((chosen.small_tolerance, SMALL_ITERATIONS))
        } else {
            let middle = problem.dimension() <= chosen.middle_rows;
            middle.then_some((chosen.middle_tolerance, MIDDLE_ITERATIONS))
        };
        if let Some((more, most)) = more.filter(|(more, _)| *more < tolerance) {
            // The promise is the tolerance; what is missed of the extra accuracy is no failure.
            let mut report = attempt(more, most)?;
            if report.error() <= tolerance && report.approach <= 1.0 {
                report.status = Status::Converged;
                return Ok(report);
            }
            if report.status == Status::Stopped {
                return Ok(report);
            }
            iterations = report.iterations;
        }
        let mut report = attempt(tolerance, MOST_ITERATIONS)?;
        report.iterations += iterations;
        Ok(report)
    }

    /// v⁺ = v_free + M⁻¹ D γ. Gives the work of contacts and joints, γᵀ Dᵀ (v_free + v⁺)/2, and the momentum that they
    /// gave to the rigid bodies.
    pub(crate) fn add_impulses(
        &self,
        assembled: &Assembled,
        impulses: &[f64],
        free: &[Velocity],
        after: &mut Vec<Velocity>,
    ) -> (f64, DVec3) {
        let problem = &assembled.problem;
        let mut change = vec![0.0; problem.state_length()];
        problem.delassus().state_of(impulses, &mut change);
        after.resize(free.len(), Velocity::ZERO);
        let push = |body: usize, velocity: &mut Velocity| {
            *velocity = free[body];
            let number = assembled.number_of[body];
            if number == NOT_SOLVED {
                return (0.0, DVec3::ZERO);
            }
            let delta = &change[6 * number as usize..][..6];
            let linear = DVec3::from_slice(&delta[..3]);
            let angular = DVec3::from_slice(&delta[3..]);
            let pose = &self.bodies.poses[body];
            let inertia = self.bodies.inertias[body].to_matrix();
            let twist = pose.direction(inertia * pose.local_direction(angular));
            let gained = self.bodies.masses[body] * linear;
            let work = gained.dot(velocity.linear + 0.5 * linear)
                + twist.dot(velocity.angular + 0.5 * angular);
            velocity.linear += linear;
            velocity.angular += angular;
            (work, gained)
        };
        let add = |a: (f64, DVec3), b: (f64, DVec3)| (a.0 + b.0, a.1 + b.1);
        // Sums of pieces that do not depend on the threads, added in their order.
        let pieces = after.par_chunks_mut(PIECE).enumerate();
        let sums: Vec<(f64, DVec3)> = pieces
            .map(|(piece, some)| {
                let some = some.iter_mut().enumerate();
                some.map(|(index, velocity)| push(PIECE * piece + index, velocity))
                    .fold((0.0, DVec3::ZERO), add)
            })
            .collect();
        sums.into_iter().fold((0.0, DVec3::ZERO), add)
    }

    /// The impulse that fixed and driven bodies and the world gave to the rigid bodies.
    fn outer_impulse(
        &self,
        problem: &ContactProblem,
        impulses: &[f64],
        joints: &[JointBlock],
    ) -> DVec3 {
        let rigid = |body: u32| body != u32::MAX && self.bodies.is_rigid(body as usize);
        let of_contact = |index: usize| {
            let contact = &self.contacts[index];
            let [a, b] = contact.bodies.map(rigid);
            if a == b {
                return DVec3::ZERO;
            }
            let rows = &impulses[problem.rows(index)];
            let impulse = assembly::contact_impulse(contact, rows).linear;
            if b { impulse } else { -impulse }
        };
        let mut sum = tree_reduce(
            0..self.contacts.len(),
            &|range| range.map(of_contact).sum::<DVec3>(),
            &|a, b| a + b,
        );
        for (index, block) in joints.iter().enumerate() {
            let rows = &impulses[problem.rows(self.contacts.len() + index)];
            for (&body, jacobian) in block.bodies.iter().zip(&block.jacobians) {
                if rigid(body) {
                    for (row, impulse) in jacobian.chunks_exact(6).zip(rows) {
                        sum += *impulse * DVec3::from_slice(&row[..3]);
                    }
                }
            }
        }
        sum
    }

    /// Keeps the impulses as the next starting point.
    fn keep_for_warm_start(
        &mut self,
        problem: &ContactProblem,
        impulses: &[f64],
        joints: &[JointBlock],
        h: f64,
    ) {
        let contacts = &self.contacts;
        self.warm.step = h;
        let blocks = contacts.len()..problem.blocks();
        let of_joints = blocks.map(|block| &impulses[problem.rows(block)]);
        self.joints.store(&self.sleepers, joints, of_joints, h);
        self.warm.store(self.bodies.len(), contacts, |index| {
            &impulses[problem.rows(index)]
        });
    }

    /// Keeps the impulses for those who want to see forces.
    fn keep_for_output(&mut self, problem: &ContactProblem, impulses: Vec<f64>, h: f64) {
        let count = self.contacts.len();
        self.last_part = h;
        let rows = |block| [problem.first_row(block), problem.first_row(block + 1)];
        self.contact_rows.clear();
        self.contact_rows
            .extend((0..count).map(|block| rows(block).map(|row| row as u32)));
        self.impulses = impulses;
        self.contacts.extend_from_slice(self.sleepers.contacts());
    }
}
