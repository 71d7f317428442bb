use crate::worlds::{ball, ground, rubbing, walls};
use glam::DVec3;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::settings::SimulationSettings;
use moreau_dynamics::simulation::Simulation;

/// Mean radius in m.
const RADIUS: f64 = 0.01;
/// Half the width of the box, and the number of grains along it when they are poured.

/// Grains of three sizes (±10 %, against crystals at the walls) that were poured into a box and have come to rest.
fn settled(friction: f64) -> Simulation {
    let ACROSS = std::env::var("N").unwrap().parse::<usize>().unwrap();
    let LAYERS = std::env::var("L").unwrap().parse::<usize>().unwrap();
    let HALF_WIDTH = 1.2 * RADIUS * ACROSS as f64;
    let settings = SimulationSettings::default();
    let mut simulation = ground(settings, rubbing(friction));
    walls(&mut simulation, HALF_WIDTH);
    let shapes = [0.9, 1.0, 1.1].map(|scale| simulation.add_shape(ball(scale * RADIUS)));
    let mut seed = 7u64;
    let mut random = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / (1u64 << 31) as f64
    };
    let middle = 0.5 * (ACROSS as f64 - 1.0);
    for k in 0..LAYERS {
        for j in 0..ACROSS {
            for i in 0..ACROSS {
                let place = 2.35 * DVec3::new(i as f64 - middle, j as f64 - middle, k as f64 + 0.5);
                let jitter = 0.1 * DVec3::new(random() - 0.5, random() - 0.5, random());
                let shape = shapes[(3.0 * random()) as usize];
                let body = NewBody::rigid(shape, 2500.0).at(RADIUS * (place + jitter));
                simulation.add_body(body).unwrap();
            }
        }
    }
    let of = |n: &str| std::env::var(n).unwrap().parse::<f64>().unwrap();
    let mut its = 0;
    let began = std::time::Instant::now();
    while simulation.time() < of("T") {
        its += simulation.step().unwrap().iterations;
    }
    eprintln!("{its} iterations {:?}, kinetic {:.1e}", began.elapsed(), simulation.balance().kinetic);
    simulation.settings_mut().solver.tolerance = of("TOL");
    for _ in 0..5 {
        let r= simulation.step().unwrap();
        eprintln!("{} {:.1e} {}",r.iterations,r.error, r.status);
    }
    simulation
}

/// Forces smaller than this share of a grain's weight are the solver's error.
const CARRIES: f64 = 1e-3;

/// Contacts that carry, as pairs of bodies.
fn carrying(simulation: &Simulation) -> Vec<[usize; 2]> {
    let weight = simulation.bodies().masses[10] * 9.81;
    (0..simulation.contacts().len())
        .filter(|index| simulation.contact_force(*index).linear.length() > CARRIES * weight)
        .map(|index| simulation.contacts()[index].bodies.map(|body| body as usize))
        .collect()
}

/// Twice the contacts for each grain, those at walls counted like the others.
fn contacts_per_grain(simulation: &Simulation) -> f64 {
    let grains = simulation.bodies().len() - 5;
    2.0 * carrying(simulation).len() as f64 / grains as f64
}

/// How far grains lie inside: distance of the centre from walls, floor and surface, in mean diameters.
fn depth(simulation: &Simulation, place: DVec3) -> f64 {
    let top = simulation.bodies().poses[5..]
        .iter()
        .map(|pose| pose.position.z)
        .fold(0.0, f64::max);
    let HALF_WIDTH = 1.2 * RADIUS * std::env::var("N").unwrap().parse::<usize>().unwrap() as f64;
    let from_walls = HALF_WIDTH - place.x.abs().max(place.y.abs());
    from_walls.min(place.z).min(top - place.z) / (2.0 * RADIUS)
}

/// Share of the volume deeper than `depth` that is filled, by a grid of points.
fn filled(simulation: &Simulation, least: f64) -> f64 {
    let spacing = 0.25 * RADIUS;
    let poses = &simulation.bodies().poses[5..];
    let radius = |grain: usize| {
        let mass = simulation.bodies().masses[grain + 5];
        (mass / (2500.0 * 4.0 / 3.0 * std::f64::consts::PI)).cbrt()
    };
    let HALF_WIDTH = 1.2 * RADIUS * std::env::var("N").unwrap().parse::<usize>().unwrap() as f64;
    let (mut inside, mut points) = (0, 0);
    let across = (HALF_WIDTH / spacing) as i32;
    for k in 0..3 * across {
        for j in -across..=across {
            for i in -across..=across {
                let point = spacing * DVec3::new(f64::from(i), f64::from(j), f64::from(k));
                if depth(simulation, point) < least {
                    continue;
                }
                points += 1;
                let hit = |(grain, pose): (usize, &moreau_collision::pose::Pose)| {
                    pose.position.distance_squared(point) < radius(grain).powi(2)
                };
                inside += u32::from(poses.iter().enumerate().any(hit));
            }
        }
    }
    f64::from(inside) / f64::from(points)
}

#[test]
fn measure() {
    let of = |n: &str| std::env::var(n).unwrap().parse::<f64>().unwrap();
    for friction in [of("MU")] {
        let began = std::time::Instant::now();
        let simulation = settled(friction);
        let kinetic = simulation.balance().kinetic;
        let bulk: Vec<f64> = (5..simulation.bodies().len())
            .filter(|body| depth(&simulation, simulation.bodies().poses[*body].position) > 2.0)
            .map(|body| carrying(&simulation).iter().flatten().filter(|b| **b == body).count() as f64)
            .collect();
        eprintln!(
            "friction {friction}: {:?}, kinetic {kinetic:.1e}, Z {}, bulk Z {} of {}, contacts {}, steps {}",
            began.elapsed(),
            contacts_per_grain(&simulation),
            bulk.iter().sum::<f64>() / bulk.len() as f64,
            bulk.len(),
            simulation.contacts().len(),
            simulation.steps(),
        );
        for least in [1.0, 1.5, 2.0, 2.5] {
            eprintln!("  {least}: {}", filled(&simulation, least));
        }
        eprintln!("{:?}", began.elapsed());
    }
}
