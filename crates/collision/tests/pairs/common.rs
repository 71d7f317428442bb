//! Shapes, poses and a slow, independent measure of gaps for the tests of pairs.
#![allow(dead_code)]

use glam::{DQuat, DVec3};
use moreau_collision::narrow_phase::{ContactPoint, contact_points};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{
    Capsule, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere,
};
use std::sync::Arc;

/// Numbers that are the same in every run (a multiplicative congruential generator).
pub struct Random(pub u64);

impl Random {
    /// Evenly between −1 and 1.
    pub fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    pub fn unit(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.unit(), 3.1 * self.number())
    }
}

/// Corners of a box and its twelve triangles.
pub fn hull_box(half: DVec3) -> ConvexHull {
    let mut vertices = Vec::new();
    for corner in 0..8 {
        let sign = |bit: u32| if corner & bit == 0 { -1.0 } else { 1.0 };
        vertices.push(half * DVec3::new(sign(1), sign(2), sign(4)));
    }
    let quads: [[u32; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let mut triangles = Vec::new();
    for [a, b, c, d] in quads {
        triangles.push([a, b, c]);
        triangles.push([a, c, d]);
    }
    ConvexHull {
        vertices,
        triangles,
    }
}

/// A shape of each bounded convex kind, in units of `scale`.
pub fn convex_shapes(scale: f64) -> Vec<(&'static str, Shape)> {
    let tetrahedron = ConvexHull {
        vertices: [
            [0.9, 0.0, -0.4],
            [-0.5, 0.8, -0.4],
            [-0.5, -0.8, -0.4],
            [0.1, 0.1, 0.8],
        ]
        .map(|v| scale * DVec3::from(v))
        .to_vec(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    };
    let s = scale;
    vec![
        ("sphere", Shape::Sphere(Sphere { radius: 0.6 * s })),
        ("box", cuboid(s * DVec3::new(0.5, 0.7, 0.9))),
        (
            "capsule",
            Shape::Capsule(Capsule {
                half_length: 0.6 * s,
                radius: 0.4 * s,
            }),
        ),
        ("cylinder", cylinder(0.5 * s, 0.7 * s)),
        (
            "cone",
            Shape::Cone(Cone {
                half_height: 0.7 * s,
                radius: 0.6 * s,
            }),
        ),
        (
            "ellipsoid",
            Shape::Ellipsoid(Ellipsoid {
                semi_axes: s * DVec3::new(0.4, 0.6, 0.9),
            }),
        ),
        (
            "hull box",
            Shape::ConvexHull(Arc::new(hull_box(s * DVec3::new(0.6, 0.5, 0.8)))),
        ),
        ("tetrahedron", Shape::ConvexHull(Arc::new(tetrahedron))),
    ]
}

pub fn cuboid(half_extents: DVec3) -> Shape {
    Shape::Cuboid(Cuboid { half_extents })
}

pub fn cylinder(radius: f64, half_height: f64) -> Shape {
    Shape::Cylinder(Cylinder {
        half_height,
        radius,
    })
}

pub fn ground() -> Shape {
    Shape::HalfSpace(HalfSpace)
}

/// The contact points of a pair.
pub fn points(a: (&Shape, &Pose), b: (&Shape, &Pose), envelope: f64) -> Vec<ContactPoint> {
    let mut found = Vec::new();
    contact_points(a, b, envelope, &mut found);
    found
}

/// The smallest gap.
pub fn least_gap(points: &[ContactPoint]) -> f64 {
    points
        .iter()
        .fold(f64::INFINITY, |least, p| least.min(p.gap))
}

/// The largest height of a posed shape along a unit direction, from the definition of each shape.
pub fn height((shape, pose): (&Shape, &Pose), direction: DVec3) -> f64 {
    let d = pose.rotation.inverse() * direction;
    let across = (d.x * d.x + d.y * d.y).sqrt();
    let own = match shape {
        Shape::Sphere(s) => s.radius,
        Shape::Cuboid(s) => d.abs().dot(s.half_extents),
        Shape::Capsule(s) => s.half_length * d.z.abs() + s.radius,
        Shape::Cylinder(s) => s.half_height * d.z.abs() + s.radius * across,
        Shape::Cone(s) => (s.half_height * d.z).max(s.radius * across - s.half_height * d.z),
        Shape::Ellipsoid(s) => (d * s.semi_axes).length(),
        Shape::ConvexHull(s) => s
            .vertices
            .iter()
            .map(|v| v.dot(d))
            .fold(f64::NEG_INFINITY, f64::max),
        _ => panic!("not bounded and convex"),
    };
    own + direction.dot(pose.position)
}

/// A lower bound, close to the signed gap of two convex shapes: the largest separation over all directions, by
/// sampling the sphere and narrowing a net around the best samples (which may stick to a ridge).
pub fn gap_by_search(a: (&Shape, &Pose), b: (&Shape, &Pose)) -> f64 {
    let separation = |n: DVec3| -height(b, -n) - height(a, n);
    let samples = 300;
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let mut starts: Vec<(f64, DVec3)> = (0..samples)
        .map(|k| {
            let z = 1.0 - (2 * k + 1) as f64 / samples as f64;
            let r = (1.0 - z * z).sqrt();
            let n = DVec3::new(
                r * (golden * k as f64).cos(),
                r * (golden * k as f64).sin(),
                z,
            );
            (separation(n), n)
        })
        .collect();
    starts.sort_by(|p, q| q.0.total_cmp(&p.0));
    let mut best = f64::NEG_INFINITY;
    for &(value, normal) in starts.iter().take(5) {
        let (mut value, mut normal) = (value, normal);
        let mut radius = 0.1;
        while radius > 1e-4 {
            let (u, v) = normal.any_orthonormal_pair();
            let mut improved = false;
            for k in 0..8 {
                let (sine, cosine) = (k as f64 * std::f64::consts::TAU / 8.0 + radius).sin_cos();
                let trial = (normal + radius * (cosine * u + sine * v)).normalize();
                let s = separation(trial);
                if s > value {
                    (value, normal, improved) = (s, trial, true);
                }
            }
            if !improved {
                radius *= 0.5;
            }
        }
        best = best.max(value);
    }
    best
}

/// A random pose of the second shape whose gap from the first at the origin is about `gap`.
pub fn poses_near(a: &Shape, b: &Shape, gap: f64, random: &mut Random) -> (Pose, Pose) {
    let first = Pose::new(DVec3::ZERO, random.rotation());
    let direction = random.unit();
    let mut second = Pose::new(DVec3::ZERO, random.rotation());
    // Along the direction the gap of separate shapes grows at least as fast as that of their shadows; a bisection on
    // the sampled gap is enough.
    let (mut low, mut high) = (
        0.0,
        height((a, &first), direction) + height((b, &second), -direction) + gap.abs(),
    );
    for _ in 0..10 {
        let middle = 0.5 * (low + high);
        second.position = middle * direction;
        if coarse_gap((a, &first), (b, &second)) < gap {
            low = middle;
        } else {
            high = middle;
        }
    }
    (first, second)
}

/// A lower bound of the gap by few samples.
fn coarse_gap(a: (&Shape, &Pose), b: (&Shape, &Pose)) -> f64 {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..150)
        .map(|k| {
            let z = 1.0 - (2 * k + 1) as f64 / 150.0;
            let r = (1.0 - z * z).sqrt();
            let n = DVec3::new(
                r * (golden * k as f64).cos(),
                r * (golden * k as f64).sin(),
                z,
            );
            -height(b, -n) - height(a, n)
        })
        .fold(f64::NEG_INFINITY, f64::max)
}
