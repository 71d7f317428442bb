//! The experiments of published papers, run again, with the published figures beside ours.
//!
//! A [`Study`] is one experiment: [`Study::run`] builds it, runs it at a [`Scale`] and gives an [`Outcome`]: numbers
//! beside the paper's, verdicts on its claims, curves, pictures and the scenes used. [`report::page`] makes a page of it.
//!
//! ```
//! use moreau_studies::{Context, Scale, Silent, by_name};
//!
//! let study = by_name("rolling-ball").unwrap();
//! let outcome = (study.run)(&mut Context::new(Scale::Tiny, None, &mut Silent))?;
//! assert!(outcome.verdicts.iter().all(|verdict| verdict.holds));
//! # Ok::<(), moreau_studies::StudyError>(())
//! ```
//!
//! To add a study: write a file with a `pub const STUDY`, its prose beside it as Markdown, and name it in [`ALL`].

mod brittle;
mod bulldozer;
mod bulldozer_pile;
mod bulldozer_report;
mod bulldozer_scene;
mod bulldozer_solvers;
mod context;
mod crater;
mod crater_curves;
mod crater_law;
mod crater_report;
mod drum;
mod drum_maps;
mod drum_replay;
mod fit;
mod grains;
mod hourglass;
mod hourglass_report;
mod impact;
mod impact_report;
mod interactive;
mod interactive_scenes;
mod list;
mod mixer;
mod mixer_report;
mod outcome;
pub mod picture;
mod pieces;
mod pressure;
mod pressure_forces;
mod pressure_tables;
mod race;
pub mod report;
mod rolling_ball;
mod sedimentation;
mod side_by_side;
mod silo;
mod silo_report;
mod snow_clay;
mod spectral;
mod spectral_plates;
mod spectral_report;
mod spectral_scenes;
mod study;
mod wall;

pub use context::{Context, Progress, Silent, Solved};
pub use outcome::{
    Comparison, Data, Entry, Figure, Outcome, Picture, Row, SceneText, Table, Verdict,
};
pub use study::{Scale, Study, StudyError};

/// Every study, in the order in which they are listed.
pub const ALL: &[&Study] = &[
    &rolling_ball::STUDY,
    &pressure::STUDY,
    &wall::STUDY,
    &interactive::STUDY,
    &drum::STUDY,
    &spectral::STUDY,
    &sedimentation::STUDY,
    &silo::STUDY,
    &impact::STUDY,
    &mixer::STUDY,
    &snow_clay::STUDY,
    &brittle::STUDY,
    &bulldozer::STUDY,
    &hourglass::STUDY,
    &crater::STUDY,
];

/// The study of a name.
pub fn by_name(name: &str) -> Option<&'static Study> {
    ALL.iter().copied().find(|study| study.name == name)
}
