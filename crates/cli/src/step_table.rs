//! `steps.csv`: a row for each step, written while a run goes on and read when it goes on after an interruption.

use moreau_dynamics::step_report::StepReport;

/// Columns of `steps.csv`.
pub const COLUMNS: [&str; 18] = [
    "time [s]",
    "step",
    "parts",
    "bodies",
    "contacts",
    "joint rows",
    "converged",
    "iterations",
    "error",
    "penetration [m]",
    "relative penetration",
    "joint drift [m]",
    "joint angle drift [rad]",
    "kinetic energy [J]",
    "potential energy [J]",
    "momentum defect [N s]",
    "seconds",
    "asleep",
];

/// What the table keeps of a step.
#[derive(Clone, Copy, Debug)]
pub struct StepRow {
    pub time: f64,
    pub step: u64,
    pub parts: u32,
    pub bodies: usize,
    pub contacts: usize,
    pub joint_rows: usize,
    pub converged: bool,
    pub iterations: usize,
    pub error: f64,
    pub penetration: f64,
    pub relative_penetration: f64,
    pub joint_drift: f64,
    pub joint_angle_drift: f64,
    pub kinetic: f64,
    pub potential: f64,
    pub momentum_defect: f64,
    pub seconds: f64,
    pub asleep: usize,
}

impl StepRow {
    /// The row of a step.
    pub fn of(report: &StepReport) -> Self {
        Self {
            time: report.time,
            step: report.step,
            parts: report.parts,
            bodies: report.bodies,
            contacts: report.contacts,
            joint_rows: report.joint_rows,
            converged: report.converged(),
            iterations: report.iterations,
            error: report.error,
            penetration: report.penetration,
            relative_penetration: report.relative_penetration,
            joint_drift: report.joint_drift,
            joint_angle_drift: report.joint_angle_drift,
            kinetic: report.balance.kinetic,
            potential: report.balance.potential,
            momentum_defect: report.momentum_defect.length(),
            seconds: report.times.total(),
            asleep: report.asleep,
        }
    }

    /// In the order of the columns.
    pub fn numbers(&self) -> [f64; COLUMNS.len()] {
        [
            self.time,
            self.step as f64,
            f64::from(self.parts),
            self.bodies as f64,
            self.contacts as f64,
            self.joint_rows as f64,
            f64::from(u8::from(self.converged)),
            self.iterations as f64,
            self.error,
            self.penetration,
            self.relative_penetration,
            self.joint_drift,
            self.joint_angle_drift,
            self.kinetic,
            self.potential,
            self.momentum_defect,
            self.seconds,
            self.asleep as f64,
        ]
    }

    /// From numbers in the order of the columns.
    pub fn from_numbers(numbers: &[f64; COLUMNS.len()]) -> Self {
        let [
            time,
            step,
            parts,
            bodies,
            contacts,
            joint_rows,
            converged,
            iterations,
            error,
            penetration,
            relative_penetration,
            joint_drift,
            joint_angle_drift,
            kinetic,
            potential,
            momentum_defect,
            seconds,
            asleep,
        ] = *numbers;
        Self {
            time,
            step: step as u64,
            parts: parts as u32,
            bodies: bodies as usize,
            contacts: contacts as usize,
            joint_rows: joint_rows as usize,
            converged: converged != 0.0,
            iterations: iterations as usize,
            error,
            penetration,
            relative_penetration,
            joint_drift,
            joint_angle_drift,
            kinetic,
            potential,
            momentum_defect,
            seconds,
            asleep: asleep as usize,
        }
    }
}
