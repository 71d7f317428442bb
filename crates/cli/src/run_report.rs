//! What is shown of a run: the bar while it goes on, the summary when it ends.

use crate::failure::Failure;
use crate::run_files::RunFiles;
use crate::step_table::StepRow;
use crate::{output, progress, table};
use indicatif::ProgressBar;
use moreau_dynamics::step_report::{StageTimes, StepReport};
use moreau_scene::Run;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Between two plain lines where there is no terminal.
const ELSEWHERE: Duration = Duration::from_secs(5);

/// Progress on stderr.
pub struct Bar {
    bar: Option<ProgressBar>,
    visible: bool,
    began: Instant,
    shown: Instant,
    from: f64,
}

impl Bar {
    /// A bar from the present time of the run to its end; nothing unless `visible`.
    pub fn new(run: &Run, visible: bool) -> Self {
        Self {
            bar: progress::bar(visible),
            visible,
            began: Instant::now(),
            shown: Instant::now(),
            from: run.simulation.time(),
        }
    }

    /// Shows where the run is.
    pub fn show(&mut self, run: &Run, report: &StepReport, summary: &Summary) {
        let line = || {
            let done = report.time - self.from;
            let left = (run.duration - report.time).max(0.0);
            let rest = self.began.elapsed().as_secs_f64() * left / done;
            let asleep = match report.asleep {
                0 => String::new(),
                count => format!(" ({count} asleep)"),
            };
            let failed = match summary.not_converged {
                0 => String::new(),
                count => format!(", {count} steps not converged"),
            };
            format!(
                "{:.3} of {:.3} s, {} left, {} bodies{asleep}, {} contacts, {} iterations, error {:.1e}{failed}",
                report.time,
                run.duration,
                duration(rest),
                report.bodies,
                report.contacts,
                report.iterations,
                report.error,
            )
        };
        match &self.bar {
            Some(bar) => {
                let share = report.time / run.duration;
                bar.set_position((1000.0 * share.clamp(0.0, 1.0)) as u64);
                bar.set_message(line());
            }
            None if self.visible && self.shown.elapsed() >= ELSEWHERE => {
                output::say(&line());
                self.shown = Instant::now();
            }
            None => {}
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Seconds as people say them.
fn duration(seconds: f64) -> String {
    match seconds {
        s if !s.is_finite() => "?".into(),
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 3600.0 => format!("{:.0} min {:02.0} s", (s / 60.0).floor(), s % 60.0),
        s => format!(
            "{:.0} h {:02.0} min",
            (s / 3600.0).floor(),
            s % 3600.0 / 60.0
        ),
    }
}

/// Sums and maxima over all steps, also those before an interruption; only the times of the stages are of this part alone.
#[derive(Default)]
pub struct Summary {
    /// Steps that did not converge.
    pub not_converged: u64,
    /// Why the run ended before its time, if a step was refused.
    pub stopped: Option<String>,
    /// Where this part of the run began, if there was one before.
    resumed_at: Option<f64>,
    steps: u64,
    steps_before: u64,
    seconds_before: f64,
    refined: u64,
    iterations: usize,
    contacts: usize,
    asleep: usize,
    most_asleep: usize,
    worst_error: f64,
    penetration: f64,
    relative_penetration: f64,
    joint_drift: f64,
    joint_angle_drift: f64,
    momentum_defect: f64,
    /// Of the last step; none when there was no step.
    energy: Option<f64>,
    times: StageTimes,
}

impl Summary {
    /// Of a run that goes on at a time; its steps before are in the table.
    pub fn of_resumed(files: &mut RunFiles, time: f64) -> Result<Self, Failure> {
        let mut summary = Self::default();
        files.past_steps(|row| {
            summary.count(row);
            summary.seconds_before += row.seconds;
        })?;
        summary.resumed_at = Some(time);
        summary.steps_before = summary.steps;
        Ok(summary)
    }

    /// Steps before this part of the run.
    pub fn steps_before(&self) -> u64 {
        self.steps_before
    }

    /// Takes a step into account.
    pub fn add(&mut self, report: &StepReport) {
        self.count(&StepRow::of(report));
        self.times.add(&report.times);
    }

    fn count(&mut self, row: &StepRow) {
        self.steps += 1;
        self.not_converged += u64::from(!row.converged);
        self.refined += u64::from(row.parts > 1);
        self.iterations += row.iterations;
        self.contacts = self.contacts.max(row.contacts);
        self.asleep = row.asleep;
        self.most_asleep = self.most_asleep.max(row.asleep);
        self.worst_error = self.worst_error.max(row.error);
        self.penetration = self.penetration.max(row.penetration);
        self.relative_penetration = self.relative_penetration.max(row.relative_penetration);
        self.joint_drift = self.joint_drift.max(row.joint_drift);
        self.joint_angle_drift = self.joint_angle_drift.max(row.joint_angle_drift);
        self.momentum_defect = self.momentum_defect.max(row.momentum_defect);
        self.energy = Some(row.kinetic + row.potential);
    }

    fn energy(&self, run: &Run) -> f64 {
        self.energy
            .unwrap_or_else(|| run.simulation.balance().energy())
    }

    fn seconds(&self) -> f64 {
        self.seconds_before + self.times.total()
    }

    /// For people.
    pub fn text(&self, run: &Run, files: &RunFiles, picture: &Path) -> String {
        let mut rows = table::table(&["", "value"], &[0]);
        let mut row = |name: &str, value: String| {
            rows.add_row(vec![name.to_string(), value]);
        };
        row("simulated", format!("{:.6} s", run.simulation.time()));
        row("steps", self.steps.to_string());
        if self.resumed_at.is_some() {
            let here = self.steps - self.steps_before;
            row("  in this part", here.to_string());
        }
        row("steps not converged", self.not_converged.to_string());
        if self.refined > 0 {
            row("steps refined", self.refined.to_string());
        }
        row("bodies", run.simulation.bodies().len().to_string());
        if run.simulation.settings().sleep {
            row("bodies asleep at the end", self.asleep.to_string());
            row("  at most", self.most_asleep.to_string());
        }
        row("most contacts", self.contacts.to_string());
        row("iterations", self.iterations.to_string());
        row("largest error", table::error(self.worst_error));
        row("largest penetration", format!("{:.2e} m", self.penetration));
        row(
            "  as a share of size",
            format!("{:.2e}", self.relative_penetration),
        );
        if !run.simulation.joints().is_empty() {
            row("largest joint drift", format!("{:.2e} m", self.joint_drift));
            row("  in angle", format!("{:.2e} rad", self.joint_angle_drift));
        }
        row(
            "momentum defect",
            format!("{:.2e} N s", self.momentum_defect),
        );
        row("energy at the end", format!("{:.6e} J", self.energy(run)));
        for (name, seconds) in self.stages() {
            row(name, table::seconds(seconds));
        }
        row("time in all", table::seconds(self.seconds()));
        if self.resumed_at.is_some() {
            row("  in this part", table::seconds(self.times.total()));
        }
        let flow = run.flow();
        if flow.emitted + flow.removed > 0 {
            row("bodies emitted", flow.emitted.to_string());
            row("bodies removed", flow.removed.to_string());
        }
        let mut text = table::text(&rows);
        if let Some(time) = self.resumed_at {
            let _ = writeln!(
                text,
                "All figures are of the whole run, but the times in pairs, contacts, assembly, solver and motion: those are of \
                 this part, from {time:.6} s on."
            );
        }
        let _ = writeln!(
            text,
            "Open {} in ParaView. Picture: {}. Tables and checkpoints: {}.",
            files.trajectory().display(),
            picture.display(),
            files.directory().display()
        );
        text
    }

    fn stages(&self) -> [(&'static str, f64); 5] {
        let times = &self.times;
        [
            ("time in pairs", times.broad_phase),
            ("time in contacts", times.narrow_phase),
            ("time in assembly", times.assembly),
            ("time in solver", times.solve),
            ("time in motion", times.integration),
        ]
    }

    /// For programs.
    pub fn json(&self, run: &Run, directory: &Path) -> Result<String, Failure> {
        let times = &self.times;
        let value = json!({
            "title": run.title,
            "time": run.simulation.time(),
            "finished": run.is_finished(),
            "steps": self.steps,
            "not_converged": self.not_converged,
            "refined": self.refined,
            "bodies": run.simulation.bodies().len(),
            "asleep": self.asleep,
            "contacts": self.contacts,
            "iterations": self.iterations,
            "error": self.worst_error,
            "penetration": self.penetration,
            "relative_penetration": self.relative_penetration,
            "joint_drift": self.joint_drift,
            "joint_angle_drift": self.joint_angle_drift,
            "momentum_defect": self.momentum_defect,
            "energy": self.energy(run),
            "output": directory.display().to_string(),
            "seconds": {
                "broad_phase": times.broad_phase,
                "narrow_phase": times.narrow_phase,
                "assembly": times.assembly,
                "solve": times.solve,
                "integration": times.integration,
                "total": self.seconds(),
            },
            "stopped": self.stopped,
            // What the times of the stages are of, when the run was interrupted before.
            "part": {
                "from": self.resumed_at.unwrap_or(0.0),
                "steps": self.steps - self.steps_before,
                "seconds": times.total(),
            },
        });
        let text = serde_json::to_string_pretty(&value)
            .map_err(|error| Failure::new(error.to_string()))?;
        Ok(text + "\n")
    }
}
