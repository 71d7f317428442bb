//! Prints the time that the narrow phase takes for each kind of pair, touching and within reach.

use glam::{DQuat, DVec3};
use moreau_collision::narrow_phase::contact_points;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere,
};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let shapes = [
        ("sphere", Shape::Sphere(Sphere { radius: 0.5 })),
        (
            "box",
            Shape::Cuboid(Cuboid {
                half_extents: DVec3::new(0.4, 0.5, 0.6),
            }),
        ),
        (
            "capsule",
            Shape::Capsule(Capsule {
                half_length: 0.4,
                radius: 0.3,
            }),
        ),
        (
            "cylinder",
            Shape::Cylinder(Cylinder {
                half_height: 0.5,
                radius: 0.4,
            }),
        ),
        (
            "cone",
            Shape::Cone(Cone {
                half_height: 0.5,
                radius: 0.4,
            }),
        ),
        (
            "ellipsoid",
            Shape::Ellipsoid(Ellipsoid {
                semi_axes: DVec3::new(0.3, 0.4, 0.6),
            }),
        ),
        ("ground", Shape::HalfSpace(HalfSpace)),
    ];
    let poses: Vec<Pose> = (0..2000)
        .map(|k| {
            let t = f64::from(k);
            let place = DVec3::new((1.1 * t).sin(), (1.7 * t).sin(), (2.3 * t).cos()).normalize();
            let rotation =
                DQuat::from_xyzw(t.sin(), (1.3 * t).sin(), (1.9 * t).cos(), 0.6).normalize();
            Pose::new((0.85 + 0.1 * (0.7 * t).sin()) * place, rotation)
        })
        .collect();
    let mut points = Vec::new();
    for (k, (name_a, a)) in shapes.iter().enumerate() {
        for (name_b, b) in &shapes[k..] {
            let mut contacts = 0;
            let start = Instant::now();
            for _ in 0..10 {
                for pose in &poses {
                    points.clear();
                    contact_points(
                        (black_box(a), pose),
                        (b, &Pose::IDENTITY),
                        0.02,
                        &mut points,
                    );
                    contacts += points.len();
                }
            }
            let each = start.elapsed().as_secs_f64() / (10 * poses.len()) as f64;
            let mean = contacts as f64 / (10 * poses.len()) as f64;
            println!(
                "{name_a:>9} {name_b:>9} {:8.0} ns, {mean:.2} points",
                1e9 * each
            );
        }
    }
}
