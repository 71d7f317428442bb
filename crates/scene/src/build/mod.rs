//! From a file to bodies.

mod bodies;
mod bonded;
mod csv;
mod fill;
mod forces;
mod generators;
mod joints;
mod layers;
mod materials;
mod overlaps;
mod sensors;
mod settings;
mod shapes;
mod wall_overlaps;
mod walls;

use crate::errors::{SceneError, SceneErrors};
use crate::mix::Mix;
use crate::model::{self, SceneFile};
use crate::nearest::suggestion;
use crate::region::Region;
use crate::run::{Emitter, Layers, Run, RunParts};
use crate::scene::Scene;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::forces::WORLD;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Everything that is under construction.
pub(crate) struct Builder<'a> {
    scene: &'a Scene,
    file: &'a SceneFile,
    simulation: Simulation,
    errors: Vec<SceneError>,
    warnings: Vec<SceneError>,
    /// Index and density of each material.
    materials: BTreeMap<&'a str, (u32, Option<f64>)>,
    /// Named shapes that are in the table, as they are for rigid bodies (`true`) and for others.
    shapes: BTreeMap<(&'a str, bool), u32>,
    /// Paths of entries that made bodies, with the first body of each.
    origins: Vec<(usize, String)>,
    /// Fixed bodies that may be in others.
    embedded: BTreeSet<usize>,
    /// Layers that will come.
    layers: Vec<Layers>,
}

/// A problem that was told already: what depends on the thing is left out.
pub(crate) struct Told;

impl<'a> Builder<'a> {
    fn error(&mut self, path: &str, message: impl Into<String>) -> Told {
        self.error_with_help(path, message, None)
    }

    fn error_with_help(
        &mut self,
        path: &str,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Told {
        let span = self.scene.root.find(path);
        let error = SceneError::new(&self.scene.source, Some(span), message.into());
        self.errors.push(error.with_help(help));
        Told
    }

    /// Tells what is wrong with a file that the scene names at a path.
    fn file_error(&mut self, path: &str, file: &Path, message: String) -> Told {
        let help = (!file.exists()).then(|| "paths are relative to the folder of the scene".into());
        self.error_with_help(path, message, help)
    }

    fn warn(&mut self, path: &str, message: String) {
        let span = self.scene.root.find(path);
        let warning = SceneError::new(&self.scene.source, Some(span), message);
        self.warnings.push(warning);
    }

    /// Tells what is wrong with a thing at a path.
    fn told<T>(&mut self, path: &str, result: Result<T, impl ToString>) -> Result<T, Told> {
        result.map_err(|error| self.error(path, error.to_string()))
    }

    /// Notes that bodies from now on come from the entry at a path.
    fn begin(&mut self, path: &str) {
        self.origins
            .push((self.simulation.bodies().len(), path.to_string()));
    }

    /// What made a body.
    fn origin(&self, body: usize) -> &str {
        let after = self.origins.partition_point(|(first, _)| *first <= body);
        match after {
            0 => "",
            _ => &self.origins[after - 1].1,
        }
    }

    /// What a body is called in messages.
    fn body_name(&self, body: usize) -> String {
        let names = &self.simulation.bodies().names;
        let name = names.iter().find(|(_, index)| **index as usize == body);
        match name {
            Some((name, _)) => format!("'{name}'"),
            None => format!("body {body} ({})", self.origin(body)),
        }
    }

    fn add_body(&mut self, path: &str, body: NewBody) -> Result<usize, Told> {
        let limit = self.file.max_bodies;
        if self.simulation.bodies().len() as u64 >= limit {
            let message = format!("there are more than max_bodies = {limit} bodies");
            return Err(self.error(path, message));
        }
        let result = self.simulation.add_body(body);
        self.told(path, result)
    }

    /// Refuses more bodies than allowed before anything is made of them.
    fn check_count(&mut self, path: &str, more: f64) -> Result<(), Told> {
        let limit = self.file.max_bodies;
        if self.simulation.bodies().len() as f64 + more > limit as f64 {
            let message = format!("this would make {more} bodies; max_bodies is {limit}");
            let help = "raise max_bodies at the top of the file if you mean it";
            return Err(self.error_with_help(path, message, Some(help.into())));
        }
        if self.simulation.reserve_bodies(more as usize).is_err() {
            let message = format!("there is no memory for {more} bodies");
            return Err(self.error(path, message));
        }
        Ok(())
    }

    /// A region to put bodies in.
    fn bounded_region(&mut self, path: &str, region: &model::Region) -> Result<Region, Told> {
        let region = self.told(path, Region::new(region))?;
        if region.bounds().is_none() {
            let message = "the region has no end; expected a box, cylinder or sphere";
            return Err(self.error(path, message));
        }
        Ok(region)
    }

    /// Without a step of the file's own, bodies that are yet to come count for it as well.
    fn choose_step(&mut self, emitters: &[Emitter]) {
        let settings = self.simulation.settings();
        let coming = emitters.iter().map(|emitter| &emitter.mix);
        let coming = coming.chain(self.layers.iter().map(|layers| &layers.mix));
        let smallest = coming.map(Mix::smallest_size).fold(f64::INFINITY, f64::min);
        if settings.time_step.is_none() && smallest.is_finite() {
            let gravity = settings.gravity.length();
            let step = SimulationSettings::STEP_FRACTION * (smallest / gravity).sqrt();
            let step = step.min(self.simulation.step_size().unwrap_or(f64::INFINITY));
            if step > 0.0 && step.is_finite() {
                self.simulation.settings_mut().time_step = Some(step);
            }
        }
        let duration = self.file.duration;
        match self.simulation.step_size() {
            Err(error) if self.errors.is_empty() => {
                self.error("simulation", error.to_string());
            }
            // A scene shorter than the step that would suit its bodies is one step.
            Ok(step) if step > duration && self.file.simulation.time_step.is_none() => {
                self.simulation.settings_mut().time_step = Some(duration);
            }
            _ => {}
        }
    }

    /// The index of a body by its name; `world` stands for the world where it may.
    fn find_body(&mut self, path: &str, name: &str, world: bool) -> Result<u32, Told> {
        if let Some(body) = self.simulation.bodies().find(name) {
            return Ok(body as u32);
        }
        if world && name == "world" {
            return Ok(WORLD);
        }
        // A body that is wrong is not among them, and that was told.
        let mut given = self.file.bodies.iter();
        if given.any(|body| body.name.as_deref() == Some(name)) && !self.errors.is_empty() {
            return Err(Told);
        }
        let names = self.simulation.bodies().names.keys();
        let mut names: Vec<&str> = names.map(String::as_str).collect();
        if world {
            names.push("world");
        }
        let help = match self.comes_later(name) {
            true => Some(
                "bodies of layers come while the scene runs; expected one that is there from the beginning".into(),
            ),
            false => suggestion(name, &names),
        };
        Err(self.error_with_help(path, format!("there is no body '{name}'"), help))
    }

    /// Whether a name is one of those that bodies of layers get.
    fn comes_later(&self, name: &str) -> bool {
        let Some((stem, number)) = name.rsplit_once('.') else {
            return false;
        };
        let of_layers = |generator: &model::Generator| match generator {
            model::Generator::Layers { name, .. } => name.as_deref() == Some(stem),
            _ => false,
        };
        number.parse::<u64>().is_ok() && self.file.generators.iter().any(of_layers)
    }
}

/// Builds all there is, and tells all that is wrong.
pub(crate) fn build(scene: &Scene) -> Result<Run, SceneErrors> {
    let file = scene.file();
    let settings = settings::settings(file);
    let mut builder = Builder {
        scene,
        file,
        simulation: Simulation::new(settings),
        errors: Vec::new(),
        warnings: Vec::new(),
        materials: BTreeMap::new(),
        shapes: BTreeMap::new(),
        origins: Vec::new(),
        embedded: BTreeSet::new(),
        layers: Vec::new(),
    };
    builder.check_settings();
    builder.add_materials();
    builder.check_shapes();
    builder.add_bodies();
    builder.add_generators();
    builder.add_springs();
    builder.add_forces();
    builder.add_joints();
    let emitters = builder.emitters();
    let sinks = builder.sinks();
    let sensors = builder.sensors();
    // Overlaps of bodies that are wrong anyway are no news.
    if builder.errors.is_empty() {
        builder.check_overlaps();
    }
    builder.choose_step(&emitters);
    builder.check_springs();
    if !builder.errors.is_empty() {
        // A named shape that is wrong is found when it is checked and when a body has it.
        let mut told = BTreeSet::new();
        let mut list = builder.errors;
        list.retain(|error| told.insert(error.to_string()));
        return Err(SceneErrors { list });
    }
    let warnings = builder.warnings.iter();
    let run = Run::new(RunParts {
        warnings: warnings.map(|warning| warning.render("warning")).collect(),
        simulation: builder.simulation,
        file,
        emitters,
        layers: builder.layers,
        sinks,
        sensors,
    });
    let root = &scene.root;
    let span = root.find(match file.simulation.time_step {
        Some(_) => "simulation.time_step",
        None => "duration",
    });
    run.check_length()
        .map_err(|message| SceneError::new(&scene.source, Some(span), message))?;
    let span = root.find("solver.name");
    run.check_solver()
        .map_err(|message| SceneError::new(&scene.source, Some(span), message))?;
    Ok(run)
}
