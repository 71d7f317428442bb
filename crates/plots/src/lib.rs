//! Pictures of solver runs, as SVG or PNG files.
//!
//! Four figures, each from plain data to a file whose extension, `.svg` or
//! `.png`, chooses the format:
//!
//! - [`convergence`]: errors over iterations, time or products;
//! - [`lines`]: one quantity over another;
//! - [`performance_profile`]: which solver solves how much, how fast, after
//!   Dolan and Moré; [`performance_profile_curves`] gives the numbers alone;
//! - [`force_network`]: grains and the forces between them.
//!
//! And one picture of the simulated bodies themselves, as PNG only:
//! [`SolidsPicture`], spheres and meshes in space.
//!
//! The files are self-contained where it matters: text is drawn with an embedded
//! font, so that a PNG looks the same on every machine. Series differ by colour
//! (safe for colour-blind readers), dash pattern and marker. A file appears whole
//! or not at all, and no data, however odd, makes a figure panic.

mod axis;
mod convergence;
mod error;
mod frame;
mod lines;
mod network;
mod output;
mod paint;
mod profile;
mod scene;
mod solids;
mod style;
mod text;

pub use axis::AxisScale;
pub use convergence::{ConvergencePlot, Series, convergence};
pub use error::PlotError;
pub use lines::{LinePlot, lines};
pub use network::{Force, ForceNetworkPlot, Grain, force_network};
pub use profile::{ProfilePlot, performance_profile, performance_profile_curves};
pub use solids::{ColourBar, Solid, SolidsPicture, View, speed_colour};
