//! What a study leaves: a page, pictures, data, scenes.

use crate::failure::Failure;
use crate::output;
use moreau_plots::lines;
use moreau_studies::{ALL, Outcome, Scale, Study, report};
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
/// The file of all numbers beside the paper's.
const NUMBERS: &str = "numbers";
/// Pictures of scenes are as fine as the figures: two pixels where a page shows one.
const FINER: u32 = 2;

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
        let mut solids = picture.solids.clone();
        (solids.width, solids.height) = (FINER * solids.width, FINER * solids.height);
        solids.save_png(path(report::IMAGES, &picture.name, "png"))?;
    }
    for figure in &outcome.figures {
        for extension in ["svg", "png"] {
            lines(path(report::IMAGES, &figure.name, extension), &figure.plot)?;
        }
    }
    for data in &outcome.data {
        output::write(&path(DATA, &data.name, "csv"), &report::csv(data))?;
    }
    let numbers = report::numbers_csv(outcome);
    output::write(&path(DATA, NUMBERS, "csv"), &numbers)?;
    for scene in &outcome.scenes {
        output::write(&path(SCENES, &scene.name, "toml"), &scene.text)?;
    }
    let page = report::page(study, done.scale, outcome);
    output::write(&directory.join(format!("{}.md", study.name)), &page)
}

/// Writes the list of all studies whose pages are in the folder; a README.md of somebody else stays as it is.
pub fn write_index(directory: &Path) -> Result<(), Failure> {
    let path = directory.join("README.md");
    let is_ours = |text: &str| text.lines().next() == report::INDEX_OPENING.lines().next();
    if std::fs::read_to_string(&path).is_ok_and(|text| !is_ours(&text)) {
        return Ok(());
    }
    let page_of = |study: &&'static Study| {
        let page = directory.join(format!("{}.md", study.name));
        Some((*study, std::fs::read_to_string(page).ok()?))
    };
    let pages: Vec<_> = ALL.iter().filter_map(page_of).collect();
    output::write(&path, &report::index(&pages))
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
