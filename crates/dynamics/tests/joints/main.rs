//! Joints against what mechanics says of them. One file for each claim.

mod bad_input;
mod bookkeeping;
mod cart;
mod compliance;
mod door;
mod double_pendulum;
mod incline;
mod laden_chain;
mod limits;
mod momentum;
mod motors;
mod numbering;
mod pendulum;
mod rope;
mod slider_crank;
mod spring;
mod support;
mod swing;
mod universal;
mod weld;
