//! Points inside closed surfaces.

use crate::common::{Random, box_mesh};
use glam::DVec3;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::*;

/// A point of a grid lies over edges and corners of the mesh; the truth is that of the box.
#[test]
fn a_box_holds_what_is_between_its_faces() {
    let half = DVec3::new(0.5, 0.75, 1.0);
    let mesh = box_mesh(half, 4);
    let surface = Surface {
        vertices: mesh.vertices.clone(),
        triangles: mesh.triangles.clone(),
    };
    let mut random = Random(3);
    for k in 0..4000 {
        let mut place = random.vector(1.3);
        if k % 2 == 0 {
            place = (place * 8.0).round() / 8.0;
        }
        let far = (place.abs() - half).max_element();
        if far != 0.0 {
            assert_eq!(mesh.contains(place), far < 0.0, "{place}");
            assert_eq!(surface.contains(place), far < 0.0, "{place}");
        }
    }
}

/// The solid angle of a closed surface is 4π from inside and 0 from outside (van Oosterom and Strackee 1983).
#[test]
fn a_surface_that_is_not_convex_agrees_with_its_solid_angle() {
    let drum = Shape::HollowCylinder(HollowCylinder {
        inner_radius: 0.5,
        half_height: 0.4,
        thickness: 0.3,
        bottom: true,
        top: false,
    });
    let surface = drum.surface(&SurfaceDetail::default());
    let mesh = TriangleMesh::new(surface.vertices.clone(), surface.triangles.clone()).unwrap();
    assert!(!mesh.is_convex());
    let solid_angle = |from: DVec3| {
        let angle = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|i| surface.vertices[i as usize] - from);
            let (x, y, z) = (a.length(), b.length(), c.length());
            let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
            2.0 * a.dot(b.cross(c)).atan2(below)
        };
        surface.triangles.iter().map(angle).sum::<f64>()
    };
    let mut random = Random(5);
    let (mut inside, bounds) = (0, drum.bounds(&Pose::IDENTITY));
    for _ in 0..2000 {
        let place = random.vector(1.0) * bounds.upper;
        let right = solid_angle(place) > std::f64::consts::TAU;
        assert_eq!(mesh.contains(place), right, "{place}");
        inside += usize::from(right);
    }
    assert!((200..1800).contains(&inside), "{inside}");
}
