//! What several tests need.
#![allow(dead_code)]

use glam::{DQuat, DVec3};
use moreau_collision::narrow_phase::{ContactPoint, contact_points};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::*;
use std::sync::Arc;

/// A small generator of numbers in [0, 1) (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as f64 / 2.0_f64.powi(64)
    }

    pub fn between(&mut self, lower: f64, upper: f64) -> f64 {
        lower + (upper - lower) * self.unit()
    }

    pub fn vector(&mut self, half: f64) -> DVec3 {
        let mut one = || self.between(-half, half);
        DVec3::new(one(), one(), one())
    }

    pub fn rotation(&mut self) -> DQuat {
        let v = self.vector(1.0);
        DQuat::from_xyzw(v.x, v.y, v.z, self.between(-1.0, 1.0)).normalize()
    }
}

/// One of each solid, all lengths times a scale.
pub fn solids(s: f64) -> Vec<Shape> {
    let hull: Vec<DVec3> = [
        (0.0, 0.0, 0.0),
        (1.0, 0.1, 0.0),
        (0.2, 0.9, 0.1),
        (0.1, 0.2, 0.8),
        (0.9, 0.8, 0.7),
    ]
    .map(|(x, y, z)| s * DVec3::new(x, y, z))
    .to_vec();
    let mut shapes = vec![
        Shape::Sphere(Sphere::new(0.7 * s).unwrap()),
        Shape::Ellipsoid(Ellipsoid::new(s * DVec3::new(0.5, 0.8, 1.1)).unwrap()),
        Shape::Cuboid(Cuboid::new(s * DVec3::new(0.3, 0.5, 0.9)).unwrap()),
        Shape::Capsule(Capsule::new(0.6 * s, 0.4 * s).unwrap()),
        Shape::Cylinder(Cylinder::new(0.6 * s, 0.4 * s).unwrap()),
        Shape::Cone(Cone::new(0.7 * s, 0.5 * s).unwrap()),
        Shape::ConvexHull(Arc::new(ConvexHull::from_points(&hull).unwrap())),
        Shape::TriangleMesh(Arc::new(box_mesh(s * DVec3::new(0.3, 0.5, 0.9), 2))),
    ];
    shapes.extend(containers(s));
    shapes
}

/// One of each container and of their variants.
pub fn containers(s: f64) -> Vec<Shape> {
    vec![
        Shape::HollowCylinder(HollowCylinder::new(s, 1.5 * s, 0.2 * s, false, false).unwrap()),
        Shape::HollowCylinder(HollowCylinder::new(s, 1.5 * s, 0.2 * s, true, false).unwrap()),
        Shape::HollowCylinder(HollowCylinder::new(s, 1.5 * s, 0.2 * s, true, true).unwrap()),
        Shape::OpenBox(OpenBox::new(s * DVec3::new(1.0, 1.2, 0.9), 0.2 * s, false).unwrap()),
        Shape::OpenBox(OpenBox::new(s * DVec3::new(1.0, 1.2, 0.9), 0.2 * s, true).unwrap()),
        Shape::Frustum(Frustum::new(0.4 * s, 1.3 * s, s, 0.2 * s).unwrap()),
        Shape::Frustum(Frustum::new(1.0 * s, 0.6 * s, s, 0.1 * s).unwrap()),
    ]
}

/// A box whose faces are grids of n by n cells of two triangles.
pub fn box_mesh(half: DVec3, n: usize) -> TriangleMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let first = vertices.len() as u32;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for i in 0..=n {
                for j in 0..=n {
                    let mut p = half;
                    p[axis] *= side;
                    p[u] *= 2.0 * i as f64 / n as f64 - 1.0;
                    p[v] *= 2.0 * j as f64 / n as f64 - 1.0;
                    vertices.push(p);
                }
            }
            let at = |i: usize, j: usize| first + (i * (n + 1) + j) as u32;
            for i in 0..n {
                for j in 0..n {
                    let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    for mut t in [[a, b, c], [a, c, d]] {
                        if side < 0.0 {
                            t.swap(1, 2);
                        }
                        triangles.push(t);
                    }
                }
            }
        }
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// The contact points of two shapes.
pub fn touch(a: (&Shape, &Pose), b: (&Shape, &Pose), envelope: f64) -> Vec<ContactPoint> {
    let mut points = Vec::new();
    contact_points(a, b, envelope, &mut points);
    let mut features: Vec<u32> = points.iter().map(|p| p.feature).collect();
    features.sort_unstable();
    features.dedup();
    assert_eq!(
        features.len(),
        points.len(),
        "features are not unique: {points:?}"
    );
    points
}
