//! `steps.csv`: a row for each step, written while a run goes on and read when it goes on after an interruption.

use moreau_dynamics::step_report::StepReport;

/// A column of `steps.csv`: its name, how its number is read off a row, and how a row learns it.
type Column = (&'static str, fn(&StepRow) -> f64, fn(&mut StepRow, f64));

#[rustfmt::skip]
const COLUMNS: [Column; 18] = [
    ("time [s]", |row| row.time, |row, x| row.time = x),
    ("step", |row| row.step as f64, |row, x| row.step = x as u64),
    ("parts", |row| f64::from(row.parts), |row, x| row.parts = x as u32),
    ("bodies", |row| row.bodies as f64, |row, x| row.bodies = x as usize),
    ("contacts", |row| row.contacts as f64, |row, x| row.contacts = x as usize),
    ("joint rows", |row| row.joint_rows as f64, |row, x| row.joint_rows = x as usize),
    ("converged", |row| f64::from(u8::from(row.converged)), |row, x| row.converged = x != 0.0),
    ("iterations", |row| row.iterations as f64, |row, x| row.iterations = x as usize),
    ("error", |row| row.error, |row, x| row.error = x),
    ("penetration [m]", |row| row.penetration, |row, x| row.penetration = x),
    ("relative penetration", |row| row.relative_penetration, |row, x| row.relative_penetration = x),
    ("joint drift [m]", |row| row.joint_drift, |row, x| row.joint_drift = x),
    ("joint angle drift [rad]", |row| row.joint_angle_drift, |row, x| row.joint_angle_drift = x),
    ("kinetic energy [J]", |row| row.kinetic, |row, x| row.kinetic = x),
    ("potential energy [J]", |row| row.potential, |row, x| row.potential = x),
    ("momentum defect [N s]", |row| row.momentum_defect, |row, x| row.momentum_defect = x),
    ("seconds", |row| row.seconds, |row, x| row.seconds = x),
    ("asleep", |row| row.asleep as f64, |row, x| row.asleep = x as usize),
];

/// The names of the columns.
pub fn names() -> [&'static str; COLUMNS.len()] {
    COLUMNS.map(|(name, ..)| name)
}

/// What the table keeps of a step.
#[derive(Clone, Copy, Debug, Default)]
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
        COLUMNS.map(|(_, number, _)| number(self))
    }

    /// From numbers in the order of the columns.
    pub fn from_numbers(numbers: &[f64; COLUMNS.len()]) -> Self {
        let mut row = Self::default();
        for ((.., learn), number) in COLUMNS.iter().zip(numbers) {
            learn(&mut row, *number);
        }
        row
    }
}
