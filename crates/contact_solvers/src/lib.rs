//! The contact problem, every method for it, and one referee for all of them.
//!
//! A [`problem::ContactProblem`] says what is asked: cones, the Delassus operator N, the free velocity r. A
//! [`law::FrictionLaw`] says which law the contacts obey. A [`solver::ContactSolver`] answers with impulses, and
//! [`residual`] says how good they are. Nothing here knows a body's shape or a time step.
//!
//! Start at [`solver::solve`]; each method is in the file of its name in [`methods`].

pub mod approach;
pub mod cones;
pub mod delassus;
mod friction_run;
pub mod generate;
mod grouped;
mod islands;
pub mod law;
pub mod methods;
pub mod metric;
mod metric_sweep;
pub mod monitor;
pub mod observer;
pub mod one_contact;
pub mod problem;
pub mod report;
pub mod residual;
mod rigid_form;
mod rows;
pub mod settings;
pub mod solver;
pub mod status;
pub mod sweep;
