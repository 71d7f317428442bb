//! The command line of moreau.
fn main() {}
