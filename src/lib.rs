//! moreau: nonsmooth contact dynamics.
pub use moreau_algebra as algebra;
pub use moreau_collision as collision;
pub use moreau_contact_solvers as contact_solvers;
pub use moreau_dynamics as dynamics;
pub use moreau_io as io;
pub use moreau_memory as memory;
pub use moreau_scene as scene;
pub use moreau_trajectory as trajectory;

/// The examples of the README are compiled with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
