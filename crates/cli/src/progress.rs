//! Progress on stderr, and Ctrl-C as a polite request to stop.

use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use moreau_contact_solvers::observer::{IterationRecord, Observer};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two updates on a terminal.
const ON_TERMINAL: Duration = Duration::from_millis(100);
/// Between two plain lines elsewhere.
const ELSEWHERE: Duration = Duration::from_secs(5);

/// The exit code after Ctrl-C, as shells have it: 128 and the number of the signal.
pub const INTERRUPTED_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C ends the solve with its best answer, and the second the program.
pub fn listen_for_interrupt() {
    // Without a handler Ctrl-C simply ends the program, which is right too.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED_CODE));
        }
    });
}

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A bar of a thousand parts on stderr, if it is to be seen and there is a terminal.
pub fn bar(visible: bool) -> Option<ProgressBar> {
    (visible && std::io::stderr().is_terminal()).then(|| {
        let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr_with_hz(8));
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
            bar.set_style(style);
        }
        bar
    })
}

enum Display {
    Nothing,
    Lines,
    Spinner(ProgressBar),
}

/// Shows the iterations of a solve.
pub struct Progress {
    display: Display,
    label: String,
    shown: Instant,
}

impl Progress {
    /// Shows nothing unless `visible`.
    pub fn new(label: &str, visible: bool) -> Self {
        let display = match (visible, std::io::stderr().is_terminal()) {
            (false, _) => Display::Nothing,
            (true, false) => Display::Lines,
            (true, true) => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                    bar.set_style(style);
                }
                Display::Spinner(bar)
            }
        };
        Self {
            display,
            label: label.to_string(),
            shown: Instant::now(),
        }
    }

    /// Goes on under another label and shows it, whether or not there will be iterations.
    pub fn begin(&mut self, label: &str) {
        self.label = label.to_string();
        match &self.display {
            Display::Spinner(bar) => {
                bar.set_message(self.label.clone());
                bar.tick();
            }
            Display::Lines if self.shown.elapsed() >= ELSEWHERE => {
                self.shown = Instant::now();
                output::say(label);
            }
            _ => {}
        }
    }

    /// Removes the spinner.
    pub fn finish(self) {
        if let Display::Spinner(bar) = self.display {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    fn iteration(&mut self, record: &IterationRecord) -> ControlFlow<()> {
        if interrupted() {
            return ControlFlow::Break(());
        }
        let pause = match self.display {
            Display::Nothing => return ControlFlow::Continue(()),
            Display::Lines => ELSEWHERE,
            Display::Spinner(_) => ON_TERMINAL,
        };
        if self.shown.elapsed() >= pause {
            self.shown = Instant::now();
            let line = format!(
                "{}: iteration {}, error {:.2e}, {:.1} s",
                self.label, record.iteration, record.error, record.seconds
            );
            match &self.display {
                Display::Spinner(bar) => {
                    bar.set_message(line);
                    bar.tick();
                }
                _ => output::say(&line),
            }
        }
        ControlFlow::Continue(())
    }

    fn phase(&mut self, name: &str) {
        if let Some(at) = self.label.find(" / ") {
            self.label.truncate(at);
        }
        self.label = format!("{} / {name}", self.label);
    }
}
