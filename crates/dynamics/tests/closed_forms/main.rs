//! Motions whose answer is known.

mod bounces;
mod capsule_in_a_grip;
mod cohesion_holds_until_its_force;
mod containers_rest_on_anything;
mod driven_bodies;
mod dry_friction_oscillator;
mod friction_on_an_incline;
mod grains;
mod impacts_in_a_row;
mod inertia;
mod loads_and_stacks;
mod momentum_and_energy;
mod overlap_stays_small;
mod packings;
mod painleve_rod;
mod pile_of_cylinders;
mod rocking_block;
mod rolling;
mod scenes_of_any_size;
mod sleep;
mod threads;
mod worlds;
