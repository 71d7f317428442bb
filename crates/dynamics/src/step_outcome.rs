//! What the stages of a step leave behind: times, and all that its report is made of.

use crate::step_report::StageTimes;
use cpu_time::ProcessTime;
use glam::DVec3;
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::status::Status;
use std::time::Instant;

/// What a part of a step left behind.
pub(crate) struct Part {
    pub report: Option<SolveReport>,
    pub times: Times,
    pub penetration: f64,
    pub relative_penetration: f64,
    pub contacts: usize,
    pub joint_rows: usize,
    pub momentum_defect: DVec3,
    pub constraint_work: f64,
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
    pub fn add(&mut self, part: Part) {
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
    pub times: Times,
}

impl Clock {
    pub fn start() -> Self {
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
