//! The closed formulas agree with the integral over a triangulated surface, which converges to them.

use crate::common;

use glam::DMat3;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::*;
use std::sync::Arc;

fn entries(m: DMat3) -> f64 {
    m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Relative error of the formulas against a surface of n pieces around.
fn error(shape: &Shape, n: usize) -> f64 {
    let exact = shape.volume_properties().unwrap();
    let surface = shape.surface(&SurfaceDetail {
        segments: n,
        extent: 1.0,
    });
    let fine = VolumeProperties::of_surface(&surface.vertices, &surface.triangles).unwrap();
    let volume = (fine.volume / exact.volume - 1.0).abs();
    let centre = (fine.centre - exact.centre).length() / shape.reach();
    let inertia = entries(fine.inertia - exact.inertia) / entries(exact.inertia);
    volume.max(centre).max(inertia)
}

#[test]
fn formulas_are_limits_of_fine_surfaces() {
    for scale in [1e-3, 1.0, 1e3] {
        for shape in common::solids(scale) {
            let (coarse, fine) = (error(&shape, 32), error(&shape, 128));
            assert!(fine < 2e-3, "{}: {fine}", shape.name());
            // Second order: 16 times better, or exact from the start.
            assert!(
                fine < coarse / 12.0 || fine < 1e-10,
                "{}: {coarse} {fine}",
                shape.name()
            );
        }
    }
}

#[test]
fn surfaces_of_solids_are_closed() {
    for shape in common::solids(1.0) {
        let surface = shape.surface(&SurfaceDetail::default());
        let mesh = TriangleMesh::new(surface.vertices, surface.triangles);
        assert!(mesh.is_ok(), "{}: {:?}", shape.name(), mesh.err());
    }
}

#[test]
fn two_halves_make_a_whole() {
    let half = Shape::Cuboid(Cuboid::new([0.5, 1.0, 1.5].into()).unwrap());
    let whole = Cuboid::new([1.0, 1.0, 1.5].into()).unwrap();
    let turn = glam::DQuat::from_rotation_x(std::f64::consts::PI);
    let parts = vec![
        (Pose::at([-0.5, 0.0, 0.0].into()), half.clone()),
        (Pose::new([0.5, 0.0, 0.0].into(), turn), half),
    ];
    let compound = Shape::Compound(Arc::new(Compound::new(parts).unwrap()));
    let (a, b) = (
        compound.volume_properties().unwrap(),
        whole.volume_properties(),
    );
    assert!((a.volume - b.volume).abs() < 1e-12);
    assert!((a.centre - b.centre).length() < 1e-12);
    assert!(entries(a.inertia - b.inertia) < 1e-11);
}

#[test]
fn ground_has_no_volume() {
    let field = HeightField::new(2, 2, [1.0, 1.0], vec![0.0; 4]).unwrap();
    assert!(Shape::HalfSpace(HalfSpace).volume_properties().is_none());
    assert!(
        Shape::HeightField(Arc::new(field))
            .volume_properties()
            .is_none()
    );
}
