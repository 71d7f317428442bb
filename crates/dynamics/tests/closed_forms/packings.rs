//! How many contacts hold a packing, and how much of the space it fills.
//!
//! Under weight every grain is carried by something. Forces on N grains without friction are 3 N equations, and rigid contacts
//! of grains in general position carry forces that these determine: as many contacts as equations, those at walls among
//! them. That is two times three contacts a grain, at any size of the packing. With friction without bound it is 6 N equations for
//! three forces a contact: at least two times two.

use crate::worlds::{GRAVITY, ground, pour_sizes, rubbing, walls};
use glam::DVec3;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;

/// Three sizes, against crystals at the walls.
const RADII: [f64; 3] = [0.009, 0.01, 0.011];
const HALF_WIDTH: f64 = 0.063;
/// Floor and walls.
const FIXED: usize = 5;
const DENSITY: f64 = 2500.0;

/// 275 grains that were poured into a box and have come to rest.
///
/// The law is the relaxed one, for which large friction is no harder than small. While grains slide it holds them apart; where
/// they rest it is Coulomb's.
fn settled(friction: f64) -> Simulation {
    let mut settings = SimulationSettings::default();
    settings.solver.law = FrictionLaw::Relaxed;
    settings.solver.tolerance = 1e-3;
    let mut simulation = ground(settings, rubbing(friction));
    walls(&mut simulation, HALF_WIDTH);
    pour_sizes(&mut simulation, &RADII, 5, 11);
    while simulation.time() < 1.0 {
        simulation.step().unwrap();
    }
    // Small forces are told from none only in a good answer.
    simulation.settings_mut().solver.tolerance = 1e-5;
    simulation.step().unwrap();
    simulation
}

/// Twice the contacts for each grain, those at walls counted like the others; a force below a thousandth of a weight is the
/// solver's error.
fn contacts_of_a_grain(simulation: &Simulation) -> f64 {
    let grains = simulation.bodies().len() - FIXED;
    let least = 1e-3 * simulation.bodies().masses[FIXED] * GRAVITY;
    let carries = |contact: &usize| simulation.contact_force(*contact).linear.length() > least;
    let contacts = (0..simulation.contacts().len()).filter(carries).count();
    2.0 * contacts as f64 / grains as f64
}

/// Share of the space that is filled a diameter or more away from walls, floor and the highest grain, by a grid of points.
fn filled(simulation: &Simulation) -> f64 {
    let bodies = simulation.bodies();
    let volume = |body: usize| bodies.masses[body] / DENSITY;
    let radius = |body: usize| (volume(body) / (4.0 / 3.0 * std::f64::consts::PI)).cbrt();
    let grains: Vec<(DVec3, f64)> = (FIXED..bodies.len())
        .map(|body| (bodies.poses[body].position, radius(body)))
        .collect();
    let top = grains.iter().map(|(place, _)| place.z).fold(0.0, f64::max);
    let (spacing, diameter) = (0.002, 0.02);
    let across = ((HALF_WIDTH - diameter) / spacing) as i32;
    let up = ((top - 2.0 * diameter) / spacing) as i32;
    let (mut inside, mut points) = (0, 0);
    for k in 0..up {
        for j in -across..=across {
            for i in -across..=across {
                let point = spacing * DVec3::new(f64::from(i), f64::from(j), f64::from(k));
                let point = point + diameter * DVec3::Z;
                let holds = |(place, radius): &(DVec3, f64)| place.distance(point) < *radius;
                inside += u32::from(grains.iter().any(holds));
                points += 1;
            }
        }
    }
    f64::from(inside) / f64::from(points)
}

/// A few grains of 275 still roll about, and lack a contact or two each: 5 % are allowed below the count, none above.
///
/// The middle of this box is four diameters wide. Its share of grains fluctuates by a percent or two, and layers at the walls reach
/// into it: 0.64 is met to 0.03.
#[test]
fn smooth_grains_touch_six_others_and_fill_64_percent() {
    let simulation = settled(0.0);
    let contacts = contacts_of_a_grain(&simulation);
    assert!((5.7..=6.0).contains(&contacts), "{contacts} contacts");
    let filled = filled(&simulation);
    assert!((filled - 0.64).abs() < 0.03, "{filled}");
}

/// Poured grains do not reach the least number: where friction suffices before all grains have slid to such a place, they keep
/// more. Between four and four and a half is what is known of such packings.
#[test]
fn the_rougher_the_grains_the_closer_to_four_contacts() {
    let [some, much] = [0.3, 10.0].map(|friction| contacts_of_a_grain(&settled(friction)));
    assert!((4.0..=4.5).contains(&much), "{much} contacts");
    assert!(
        some > much + 0.1 && some < 5.5,
        "{some} and {much} contacts"
    );
}
