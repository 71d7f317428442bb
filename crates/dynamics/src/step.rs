//! The stages of a step, in their order; each hands a value to the next.

use crate::assembly::{self, Assembled, ContactRules, Parts, SlimContacts};
use crate::bodies::Velocity;
use crate::contact_choice::deepest_overlap;
use crate::forces::FreeVelocities;
use crate::integrator;
use crate::joints::equations::StepPlan;
use crate::joints::{JointBlock, JointState};
use crate::settings::{OnFailure, Scheme};
use crate::simulation::{Simulation, StepError};
use crate::sleep::Sleepers;
use crate::step_outcome::{Clock, Outcome, Part};
use crate::step_solve::Trial;
use crate::warm_start::WarmStart;
use moreau_collision::narrow_phase::NarrowPhase;
use moreau_collision::pose::Pose;
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::status::Status;

/// How often contacts are searched for again in a step, because bodies became faster than was thought.
const MOST_SEARCHES: u32 = 10;

/// The state that a refused step returns to.
struct Saved {
    poses: Vec<Pose>,
    velocities: Vec<Velocity>,
    warm: WarmStart,
    joints: Vec<JointState>,
    sleepers: Sleepers,
    time: f64,
}

impl Simulation {
    /// Makes a step of `h`, or two of half the length when it fails and the settings say so. When it fails and the settings say
    /// to stop, the state is as before, and status and error of the solve are given.
    pub(crate) fn attempt(
        &mut self,
        h: f64,
        depth: u32,
        outcome: &mut Outcome,
    ) -> Result<Option<(Status, f64)>, StepError> {
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
            return Ok(None);
        };
        let status = part.report.as_ref().map_or(Status::Converged, |r| r.status);
        let failed = status != Status::Converged;
        if failed && action == OnFailure::Stop {
            self.restore(saved);
            let error = part.report.as_ref().map_or(0.0, |report| report.error());
            outcome.add(part);
            return Ok(Some((status, error)));
        }
        let limit = self.settings.penetration_limit.unwrap_or(f64::INFINITY);
        let too_deep = action == OnFailure::Refine && part.relative_penetration > limit;
        if (failed || too_deep) && depth < self.settings.max_refinements {
            self.restore(saved);
            self.attempt(0.5 * h, depth + 1, outcome)?;
            return self.attempt(0.5 * h, depth + 1, outcome);
        }
        outcome.add(part);
        Ok(None)
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
        let found = self.deepest_overlap();
        let mut after = std::mem::take(&mut self.workspace.after);
        let mut report: Option<SolveReport> = None;
        let mut searched_again = 0;
        let (assembled, impulses, constraint_work, gained) = loop {
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
            let limits = self.approach_limits(&joints, h);
            let contacts = std::mem::take(&mut self.contacts);
            let contacts = SlimContacts::of(contacts, &assembled, self.workspace.many_contacts);
            self.contact_rows.clear();
            let large = assembled.problem.dimension() > self.settings.solver.small_rows;
            let mut trial = if large && report.is_none() {
                Trial::at(self.settings.solver.tolerance)
            } else {
                Trial::never()
            };
            let very_many = assembled.problem.blocks() >= self.workspace.many_contacts.very_many;
            let (missed, work, gained) = loop {
                let mut interrupted = false;
                if contacts.are_many() {
                    // The solve needs the room of whatever is not asked for meanwhile.
                    (self.contact_rows, after) = (Vec::new(), Vec::new());
                    self.workspace.broad_phase.forget_all_but_order();
                    self.workspace.narrow_phase = NarrowPhase::default();
                }
                if very_many {
                    free.velocities = Vec::new();
                }
                if assembled.problem.blocks() > 0 {
                    let so_far = report.map_or(0, |report| report.iterations);
                    let mut solved =
                        self.solve(&assembled.problem, &mut impulses, &limits, step, &mut trial)?;
                    interrupted = solved.status == Status::Stopped;
                    trial = Trial::going_on_after(solved.iterations);
                    solved.iterations += so_far;
                    report = Some(solved);
                }
                clock.lap(|times| &mut times.solve);
                if very_many {
                    // Nothing that they depend on has changed.
                    self.fall_freely(&mut free, h);
                }
                let (work, gained) =
                    self.add_impulses(&assembled, &impulses, &free.velocities, &mut after);
                let missed = self.misses_contacts(&after, moves_for);
                clock.lap(|times| &mut times.integration);
                // If nothing is missing, an interrupted solve goes on from there to its end.
                if missed || !interrupted {
                    break (missed, work, gained);
                }
            };
            self.contacts = contacts.restored(&assembled, &self.bodies);
            assembled.to_moments(self.contacts.len(), &mut impulses);
            self.keep_for_warm_start(&assembled.problem, &impulses, &joints, h);
            if missed {
                self.add_missed_contacts(&after, moves_for);
            } else {
                let goes_on = searched_again < MOST_SEARCHES;
                let unseen = self.outruns_its_envelope(&after, h)
                    && self.search_again(
                        &free.velocities,
                        (&after, &assembled),
                        (h, moves_for),
                        goes_on,
                        &mut clock,
                    );
                if !unseen || !goes_on {
                    if unseen && let Some(report) = &mut report {
                        // Two bodies overlap now that nobody looked at.
                        report.status = Status::IterationLimit;
                    }
                    break (assembled, impulses, work, gained);
                }
                searched_again += 1;
                self.follow_impacts(&joints, &rules, step)?;
            }
            if self.wake_touched() {
                self.fall_freely(&mut free, h);
                self.find_contacts(&mut free, Some(&after), &mut joints, &rules, &mut clock)?;
            }
            self.impulses = impulses;
        };

        let (problem, length) = (assembled.problem, assembled.length);
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
        self.workspace.last_problem = Some((problem, length));
        self.workspace.free = free;
        self.workspace.after = after;
        self.workspace.joints = joints;
        clock.lap(|times| &mut times.integration);
        let limited = self.settings.penetration_limit.is_some();
        let [penetration, relative_penetration] = if limited || half_steps {
            self.overlap_now(&mut clock)
        } else {
            found
        };
        Ok(Part {
            report,
            times: clock.times,
            penetration,
            relative_penetration,
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
            from_beginning: self.settings.scheme == Scheme::SymplecticEuler,
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
}
