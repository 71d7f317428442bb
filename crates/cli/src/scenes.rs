//! `moreau check`, `moreau schema`, and how the other commands read a scene.

use crate::failure::{Failure, Outcome};
use crate::output;
use crate::run_files::check_format;
use clap::Args;
use moreau_scene::{Run, Scene};
use std::path::{Path, PathBuf};

/// The scene that runs when none is named.
const BUILT_IN: &str = include_str!("../../../scenes/dominoes.toml");

/// The scene of a path, or the built-in one, with parameters changed.
pub fn read(path: Option<&Path>, changes: &[String]) -> Result<Scene, Failure> {
    let scene = match path {
        Some(path) => Scene::read(path)?,
        None => Scene::parse(BUILT_IN, "built-in scene")?,
    };
    let mut pairs = Vec::new();
    for change in changes {
        let Some(pair) = change.split_once('=') else {
            return Err(Failure::new(format!(
                "--set {change}: expected NAME=VALUE, such as friction=0.4"
            )));
        };
        pairs.push((pair.0.trim(), pair.1.trim()));
    }
    Ok(scene.with_parameters(&pairs)?)
}

/// What `moreau check` is told.
#[derive(Args)]
pub struct CheckArguments {
    /// The scene file.
    scene: PathBuf,

    /// Change a parameter of the scene; may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    changes: Vec<String>,
}

/// Validates a scene without running it.
pub fn check(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let run = read(Some(&arguments.scene), &arguments.changes)?.build()?;
    check_format(&run)?;
    let mut text = describe(&run);
    for warning in &run.warnings {
        text.push_str(&format!("{warning}\n"));
    }
    output::print(&(text + "The scene is valid.\n"))?;
    Ok(Outcome::Converged)
}

/// The size of a run in a line or two.
pub fn describe(run: &Run) -> String {
    let simulation = &run.simulation;
    let step = simulation
        .step_size()
        .map_or_else(|_| "no step".into(), |h| format!("steps of {h:.3e} s"));
    format!(
        "{}: {} bodies, {} joints, {} sensors, {} s in {step}, solver {} ({} law, tolerance {:.0e})\n",
        if run.title.is_empty() {
            "scene"
        } else {
            &run.title
        },
        simulation.bodies().len(),
        simulation.joints().len(),
        run.all_sensors().len(),
        run.duration,
        simulation.settings().solver.name,
        simulation.settings().solver.law,
        simulation.settings().solver.tolerance,
    )
}

/// Prints the JSON Schema of scene files.
pub fn schema() -> Result<Outcome, Failure> {
    let text = serde_json::to_string_pretty(&moreau_scene::schema())
        .map_err(|error| Failure::new(error.to_string()))?;
    output::print(&(text + "\n"))?;
    Ok(Outcome::Converged)
}
