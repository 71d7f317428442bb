//! moreau: nonsmooth contact dynamics.
pub use moreau_algebra as algebra;
pub use moreau_contact_solvers as contact_solvers;
pub use moreau_io as io;

/// The examples of the README are compiled with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
