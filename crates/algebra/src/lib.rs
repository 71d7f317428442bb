//! Numbers without physics: what the contact solvers compute with.
//!
//! Nothing here knows what a body or a contact is. Every reduction has a fixed order, so that a
//! result has the same bits for any number of threads.

pub mod block_sparse;
pub mod copies;
pub mod disjoint_sets;
pub mod factorization;
pub mod krylov;
pub mod operator;
pub mod pool;
pub mod reduction;
pub mod small;
pub mod sparse;
