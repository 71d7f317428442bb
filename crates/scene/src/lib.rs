//! Scene files in TOML: what is simulated, what comes and goes, what is watched.
//!
//! A [`Scene`] is read and checked, built into a [`Run`], and the run is stepped. Everything that is wrong with a file is
//! told with its place in it.
//!
//! ```
//! use moreau_scene::Scene;
//!
//! let text = r#"
//! duration = 0.1
//! [parameters]
//! radius = 0.5
//! [[bodies]]
//! kind = "fixed"
//! shape = { type = "half_space" }
//! [[bodies]]
//! name = "ball"
//! shape = { type = "sphere", radius = "$radius" }
//! density = 1000
//! position = [0, 0, "2*radius"]
//! [[sensors]]
//! name = "height"
//! measure = { type = "pose", body = "ball" }
//! "#;
//! let scene = Scene::parse(text, "drop.toml")?.with_parameters(&[("radius", "0.25")])?;
//! let mut run = scene.build()?;
//! while !run.is_finished() {
//!     run.step()?;
//! }
//! let (sensor, row) = run.sensors().next().unwrap();
//! assert_eq!(sensor.name(), "height");
//! assert!(row[3] < 0.5, "{} m", row[3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A mistake is shown where it is:
//!
//! ```
//! let text = "duration = 1\n[shapes.ball]\ntype = \"sphere\"\nraduis = 1\n";
//! let errors = moreau_scene::Scene::parse(text, "ball.toml").unwrap_err();
//! assert!(errors.to_string().contains("
//! error: unknown key 'raduis' in shapes.ball
//!  --> ball.toml:4:1
//!   |
//! 4 | raduis = 1
//!   | ^^^^^^
//!   = help: did you mean 'radius'?
//! ".trim_start()));
//! ```

mod build;
mod check;
mod check_table;
mod distribution;
mod errors;
mod expression;
mod free_space;
mod mix;
pub mod model;
mod nearest;
mod random;
mod region;
pub mod run;
mod scene;
mod schema;
mod tree;

pub use errors::{Place, SceneError, SceneErrors};
pub use nearest::nearest as nearest_word;
pub use run::{Run, RunError};
pub use scene::Scene;
pub use schema::schema;
