//! Motions whose answer is known.

mod bounces;
mod cohesion_holds_until_its_force;
mod friction_on_an_incline;
mod grains;
mod inertia;
mod loads_and_stacks;
mod rolling;
mod scenes_of_any_size;
mod threads;
mod worlds;
