//! Bodies in time: forces, joints, contacts, steps.
//!
//! A [`Simulation`](simulation::Simulation) owns the bodies and advances them; every step ends with a
//! [`StepReport`](step_report::StepReport) that says how good it was.
//!
//! ```
//! use glam::DVec3;
//! use moreau_collision::shapes::{HalfSpace, Shape, Sphere};
//! use moreau_dynamics::{bodies::NewBody, settings::SimulationSettings, simulation::Simulation};
//!
//! let mut simulation = Simulation::new(SimulationSettings::default());
//! let ground = simulation.add_shape(Shape::HalfSpace(HalfSpace));
//! simulation.add_body(NewBody::fixed(ground))?;
//! let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.5)?));
//! let ball = simulation.add_body(NewBody::rigid(ball, 1000.0).at(DVec3::new(0.0, 0.0, 0.5)))?;
//! for _ in 0..10 {
//!     let report = simulation.step()?;
//!     assert!(report.converged());
//! }
//! assert!((simulation.bodies().poses[ball].position.z - 0.5).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod assembly;
pub mod bodies;
mod contact_choice;
pub mod forces;
pub mod impacts;
mod inequalities;
pub mod integrator;
pub mod joints;
pub mod materials;
pub mod motion;
mod new_body;
pub mod settings;
pub mod simulation;
mod sleep;
mod step;
mod step_impulses;
mod step_outcome;
pub mod step_report;
mod step_solve;
pub mod warm_start;
