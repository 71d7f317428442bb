//! What is shown of a run: the bar while it goes on, the summary when it ends.

use crate::failure::Failure;
use crate::run_files::RunFiles;
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

/// Sums and maxima over all steps.
#[derive(Default)]
pub struct Summary {
    /// Steps that did not converge.
    pub not_converged: u64,
    steps: u64,
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
    energy: f64,
    times: StageTimes,
}

impl Summary {
    /// Takes a step into account.
    pub fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.not_converged += u64::from(!report.converged());
        self.refined += u64::from(report.parts > 1);
        self.iterations += report.iterations;
        self.contacts = self.contacts.max(report.contacts);
        self.asleep = report.asleep;
        self.most_asleep = self.most_asleep.max(report.asleep);
        self.worst_error = self.worst_error.max(report.error);
        self.penetration = self.penetration.max(report.penetration);
        self.relative_penetration = self.relative_penetration.max(report.relative_penetration);
        self.joint_drift = self.joint_drift.max(report.joint_drift);
        self.joint_angle_drift = self.joint_angle_drift.max(report.joint_angle_drift);
        self.momentum_defect = self.momentum_defect.max(report.momentum_defect.length());
        self.energy = report.balance.energy();
        self.times.add(&report.times);
    }

    /// For people.
    pub fn text(&self, run: &Run, files: &RunFiles, picture: &Path) -> String {
        let mut rows = table::table(&["", "value"], &[0]);
        let mut row = |name: &str, value: String| {
            rows.add_row(vec![name.to_string(), value]);
        };
        row("simulated", format!("{:.6} s", run.simulation.time()));
        row("steps", self.steps.to_string());
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
        row("energy at the end", format!("{:.6e} J", self.energy));
        for (name, seconds) in self.stages() {
            row(name, table::seconds(seconds));
        }
        let flow = run.flow();
        if flow.emitted + flow.removed > 0 {
            row("bodies emitted", flow.emitted.to_string());
            row("bodies removed", flow.removed.to_string());
        }
        let mut text = table::text(&rows);
        let _ = writeln!(
            text,
            "Open {} in ParaView. Picture: {}. Tables and checkpoints: {}.",
            files.trajectory().display(),
            picture.display(),
            files.directory().display()
        );
        text
    }

    fn stages(&self) -> [(&'static str, f64); 6] {
        let times = &self.times;
        [
            ("time in pairs", times.broad_phase),
            ("time in contacts", times.narrow_phase),
            ("time in assembly", times.assembly),
            ("time in solver", times.solve),
            ("time in motion", times.integration),
            ("time in all", times.total()),
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
            "energy": self.energy,
            "output": directory.display().to_string(),
            "seconds": {
                "broad_phase": times.broad_phase,
                "narrow_phase": times.narrow_phase,
                "assembly": times.assembly,
                "solve": times.solve,
                "integration": times.integration,
                "total": times.total(),
            },
        });
        let text = serde_json::to_string_pretty(&value)
            .map_err(|error| Failure::new(error.to_string()))?;
        Ok(text + "\n")
    }
}
