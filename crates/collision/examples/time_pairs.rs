//! Prints the time that the narrow phase takes for each kind of pair, touching and within reach. Words on the command
//! line choose the lines that hold all of them.

use glam::{DQuat, DVec3};
use moreau_collision::narrow_phase::contact_points;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{
    Capsule, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace, HollowCylinder,
    OpenBox, Shape, ShapeError, Sphere,
};
use std::f64::consts::FRAC_PI_2;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), ShapeError> {
    let shapes = shapes()?;
    let around = poses(|t| {
        let place = DVec3::new((1.1 * t).sin(), (1.7 * t).sin(), (2.3 * t).cos()).normalize();
        (0.85 + 0.1 * (0.7 * t).sin()) * place
    });
    for (k, (name_a, a)) in shapes.iter().enumerate() {
        for (name_b, b) in &shapes[k..] {
            time(&format!("{name_a} {name_b}"), (a, &around), b);
        }
    }
    let convex = &shapes[1..shapes.len() - 1];
    for (k, (name_a, a)) in convex.iter().enumerate() {
        for (name_b, b) in &convex[k..] {
            let name = format!("{name_a} touching {name_b}");
            if chosen(&name) {
                let touching: Vec<Pose> = around.iter().map(|p| touching(a, p, b)).collect();
                time(&name, (a, &touching), b);
            }
        }
    }
    stacked(&shapes);
    walls(&shapes)
}

fn shapes() -> Result<Vec<(&'static str, Shape)>, ShapeError> {
    let corners: Vec<DVec3> = (0..20)
        .map(|k| {
            let t = f64::from(k);
            0.5 * DVec3::new((2.1 * t).sin(), (3.7 * t).sin(), (1.3 * t).cos()).normalize()
        })
        .collect();
    Ok(vec![
        ("sphere", Shape::Sphere(Sphere::new(0.5)?)),
        (
            "box",
            Shape::Cuboid(Cuboid::new(DVec3::new(0.4, 0.5, 0.6))?),
        ),
        ("capsule", Shape::Capsule(Capsule::new(0.4, 0.3)?)),
        ("cylinder", Shape::Cylinder(Cylinder::new(0.5, 0.4)?)),
        ("cone", Shape::Cone(Cone::new(0.5, 0.4)?)),
        (
            "ellipsoid",
            Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.3, 0.4, 0.6))?),
        ),
        (
            "hull",
            Shape::ConvexHull(Arc::new(ConvexHull::from_points(&corners)?)),
        ),
        ("ground", Shape::HalfSpace(HalfSpace)),
    ])
}

/// Poses at given places, turned in every way.
fn poses(place: impl Fn(f64) -> DVec3) -> Vec<Pose> {
    (0..2000)
        .map(|k| {
            let t = f64::from(k);
            let rotation =
                DQuat::from_xyzw(t.sin(), (1.3 * t).sin(), (1.9 * t).cos(), 0.6).normalize();
            Pose::new(place(t), rotation)
        })
        .collect()
}

/// The pose, moved along the line of the centres so that the shapes are in each other by 1e-4: as in a packing.
fn touching(a: &Shape, pose: &Pose, b: &Shape) -> Pose {
    let mut points = Vec::new();
    let (mut low, mut high) = (0.0, 3.0);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        let trial = Pose::new(middle * pose.position, pose.rotation);
        points.clear();
        contact_points((a, &trial), (b, &Pose::IDENTITY), 10.0, &mut points);
        if points.iter().any(|p| p.gap < -1e-4) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Pose::new(high * pose.position, pose.rotation)
}

/// Boxes and cylinders that stand or lie on each other, a little tilted and a little in each other.
fn stacked(shapes: &[(&str, Shape)]) {
    let [_, (_, block), (_, capsule), (_, cylinder), ..] = shapes else {
        return;
    };
    let on_top = |height: f64, turn: DQuat| -> Vec<Pose> {
        (0..2000)
            .map(|k| {
                let t = f64::from(k);
                let tilt =
                    1e-4 * DVec3::new((1.1 * t).sin(), (1.7 * t).sin(), 1e4 * (2.3 * t).sin());
                let place = DVec3::new(0.1 * t.sin(), 0.1 * t.cos(), height - 1e-4);
                Pose::new(place, DQuat::from_scaled_axis(tilt) * turn)
            })
            .collect()
    };
    let lying = DQuat::from_rotation_x(FRAC_PI_2);
    let standing = DQuat::IDENTITY;
    time("box flat on box", (block, &on_top(1.2, standing)), block);
    time("capsule lies on box", (capsule, &on_top(0.9, lying)), block);
    time(
        "cylinder stands on box",
        (cylinder, &on_top(1.1, standing)),
        block,
    );
    time(
        "cylinder lies on box",
        (cylinder, &on_top(1.0, lying)),
        block,
    );
    time(
        "cylinder stands on cylinder",
        (cylinder, &on_top(1.0, standing)),
        cylinder,
    );
}

/// Bodies that touch the walls of a container.
fn walls(shapes: &[(&str, Shape)]) -> Result<(), ShapeError> {
    let containers = [
        (
            "open box",
            Shape::OpenBox(OpenBox::new(DVec3::splat(5.0), 0.5, false)?),
        ),
        (
            "drum",
            Shape::HollowCylinder(HollowCylinder::new(5.0, 5.0, 0.5, true, true)?),
        ),
        ("funnel", Shape::Frustum(Frustum::new(1.0, 5.5, 5.0, 0.5)?)),
    ];
    for (name, container) in &containers {
        // At a side, every fourth one also at the floor or the lower end.
        let inside = poses(|t| {
            let z = if t % 4.0 == 0.0 {
                -4.6
            } else {
                -1.0 + 3.0 * (1.7 * t).sin()
            };
            match container {
                Shape::OpenBox(_) => DVec3::new(4.6, 4.0 * t.sin(), z),
                Shape::Frustum(s) => {
                    let radius = s.lower_radius
                        + (s.upper_radius - s.lower_radius) * (z + s.half_height)
                            / (2.0 * s.half_height);
                    (radius - 0.55) * DVec3::new(t.sin(), t.cos(), 0.0) + z * DVec3::Z
                }
                _ => DVec3::new(4.6 * t.sin(), 4.6 * t.cos(), z),
            }
        });
        for (name_a, a) in &shapes[..shapes.len() - 1] {
            time(&format!("{name_a} in {name}"), (a, &inside), container);
        }
    }
    Ok(())
}

/// Whether the name of a line holds all words of the command line.
fn chosen(name: &str) -> bool {
    std::env::args()
        .skip(1)
        .all(|word| name.split(' ').any(|part| part == word))
}

fn time(name: &str, (a, poses): (&Shape, &[Pose]), b: &Shape) {
    if !chosen(name) {
        return;
    }
    let mut points = Vec::new();
    let mut contacts = 0;
    let mut least = f64::INFINITY;
    // The least of several rounds: the rest is what else the machine does.
    for _ in 0..7 {
        let start = Instant::now();
        contacts = 0;
        for pose in poses {
            points.clear();
            contact_points(
                (black_box(a), pose),
                (b, &Pose::IDENTITY),
                0.02,
                &mut points,
            );
            contacts += points.len();
        }
        least = least.min(start.elapsed().as_secs_f64() / poses.len() as f64);
    }
    let mean = contacts as f64 / poses.len() as f64;
    println!("{name:>28} {:8.0} ns, {mean:.2} points", 1e9 * least);
}
