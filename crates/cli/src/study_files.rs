//! What a study leaves: a page, pictures, data, scenes.

use crate::failure::Failure;
use crate::output;
use moreau_plots::lines;
use moreau_studies::{Outcome, Scale, Study, report};
use serde_json::{Value, json};
use std::path::Path;

/// A study that was run.
pub struct Finished {
    pub study: &'static Study,
    pub scale: Scale,
    pub outcome: Outcome,
    pub seconds: f64,
}

const DATA: &str = "data";
const SCENES: &str = "scenes";

/// Makes the folders, so that a long study does not end without a place for its results.
pub fn prepare(directory: &Path) -> Result<(), Failure> {
    for folder in [report::IMAGES, DATA, SCENES] {
        let path = directory.join(folder);
        std::fs::create_dir_all(&path).map_err(|error| {
            Failure::new(format!(
                "{}: cannot make this folder: {error}; expected a folder that can be written",
                path.display()
            ))
        })?;
    }
    Ok(())
}

/// Writes everything; each file is whole or absent, and the page that names the others comes last.
pub fn write(directory: &Path, done: &Finished) -> Result<(), Failure> {
    let Finished { study, outcome, .. } = done;
    let path = |folder: &str, name: &str, extension: &str| {
        let file = report::file_name(study, name);
        directory.join(folder).join(format!("{file}.{extension}"))
    };
    for picture in &outcome.pictures {
        picture
            .solids
            .save_png(path(report::IMAGES, &picture.name, "png"))?;
    }
    for figure in &outcome.figures {
        for extension in ["svg", "png"] {
            lines(path(report::IMAGES, &figure.name, extension), &figure.plot)?;
        }
    }
    for data in &outcome.data {
        output::write(&path(DATA, &data.name, "csv"), &report::csv(data))?;
    }
    for scene in &outcome.scenes {
        output::write(&path(SCENES, &scene.name, "toml"), &scene.text)?;
    }
    let page = report::page(study, done.scale, outcome);
    output::write(&directory.join(format!("{}.md", study.name)), &page)
}

/// Writes the page that shows every study.
pub fn write_index(directory: &Path, finished: &[Finished]) -> Result<(), Failure> {
    let mut text = String::from(report::INDEX_OPENING);
    for done in finished {
        text.push_str(&report::index_entry(done.study, &done.outcome));
    }
    output::write(&directory.join("README.md"), &text)
}

/// What the list says of a study, for programs.
pub fn json_entry(study: &Study) -> Value {
    json!({
        "name": study.name,
        "title": study.title,
        "source": study.source,
        "shows": study.shows,
    })
}

/// An outcome for programs.
pub fn json(done: &Finished) -> Value {
    let outcome = &done.outcome;
    json!({
        "name": done.study.name,
        "source": done.study.source,
        "scale": done.scale.name(),
        "seconds": done.seconds,
        "summary": outcome.summary,
        "comparisons": outcome.comparisons,
        "tables": outcome.tables,
        "verdicts": outcome.verdicts,
    })
}
