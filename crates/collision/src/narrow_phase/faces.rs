//! The flat faces of convex solids.

use super::support::{Core, Solid};
use glam::{DVec2, DVec3};

/// Cosine of the largest angle, 0.1, between a contact normal and a face or edge that is treated as lying flat.
/// Generous, because points that stand off farther than the envelope are dropped anyway.
pub(super) const COS_FLAT: f64 = 0.995;
/// Sine of that angle.
pub(super) const SIN_FLAT: f64 = 0.1;

/// Normal of the slanted side of a cone, towards a direction: the side falls by 2h over r.
pub(super) fn cone_side(radius: f64, half: f64, direction: DVec3) -> DVec3 {
    let across = DVec2::new(direction.x, direction.y)
        .try_normalize()
        .unwrap_or(DVec2::X);
    let side = DVec2::new(2.0 * half, radius).normalize();
    (side.x * across).extend(side.y)
}

/// Visits normals of faces (and of the side line towards a direction) that may separate a solid from another one whose
/// centre lies in the direction. Of two opposite faces of a box or a cylinder the one on that side separates better, if
/// the other solid has a centre of symmetry, and mostly otherwise.
pub(super) fn normals(solid: &Solid, toward: DVec3, mut visit: impl FnMut(DVec3)) {
    match solid.core {
        // Hulls have many faces: see `hull`.
        Core::Point | Core::Ellipsoid(_) | Core::Hull(..) => {}
        Core::Segment(_) => {
            if let Some(normal) = toward.with_z(0.0).try_normalize() {
                visit(normal);
            }
        }
        Core::Box(_) => {
            for axis in 0..3 {
                let mut normal = DVec3::ZERO;
                normal[axis] = 1f64.copysign(toward[axis]);
                visit(normal);
            }
        }
        Core::Cylinder(..) => {
            visit(DVec3::new(0.0, 0.0, 1f64.copysign(toward.z)));
            if let Some(normal) = toward.with_z(0.0).try_normalize() {
                visit(normal);
            }
        }
        Core::Cone(radius, half) => {
            visit(-DVec3::Z);
            visit(cone_side(radius, half, toward));
        }
    }
}

/// Visits the unit normals of those faces of a hull over whose planes a point is at least at the given height, which is
/// not positive.
pub(super) fn hull(solid: &Solid, point: DVec3, height: f64, mut visit: impl FnMut(DVec3)) {
    let Core::Hull(vertices, triangles) = solid.core else {
        return;
    };
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| vertices[i as usize]);
        let normal = (b - a).cross(c - a);
        let over = normal.dot(point - a);
        // Most faces are left out, and need no root.
        if over < 0.0 && over * over > height * height * normal.length_squared() {
            continue;
        }
        if let Some(normal) = normal.try_normalize() {
            visit(normal);
        }
    }
}

/// Whether a unit vector is the normal of a box's or a round face and a point lies over or under that face.
pub(super) fn holds(solid: &Solid, normal: DVec3, point: DVec3) -> bool {
    match solid.core {
        Core::Box(half) => {
            let along = normal.abs().cmpgt(DVec3::splat(1.0 - 1e-15));
            along.any() && (point.abs().cmple(half) | along).all()
        }
        Core::Cylinder(radius, _) => {
            normal.z.abs() > 1.0 - 1e-15 && point.truncate().length_squared() <= radius * radius
        }
        Core::Cone(radius, _) => {
            normal.z < 1e-15 - 1.0 && point.truncate().length_squared() <= radius * radius
        }
        _ => false,
    }
}

/// The normal of the flat face (or straight side) closest to a unit direction, if within the angle of [`COS_FLAT`].
pub(super) fn aligned(solid: &Solid, direction: DVec3) -> Option<DVec3> {
    let normal = match solid.core {
        Core::Point | Core::Ellipsoid(_) => return None,
        Core::Segment(_) => direction.with_z(0.0).try_normalize()?,
        Core::Box(_) => {
            let size = direction.abs();
            if size.z >= size.x && size.z >= size.y {
                DVec3::new(0.0, 0.0, 1f64.copysign(direction.z))
            } else if size.y >= size.x {
                DVec3::new(0.0, 1f64.copysign(direction.y), 0.0)
            } else {
                DVec3::new(1f64.copysign(direction.x), 0.0, 0.0)
            }
        }
        Core::Cylinder(..) => {
            if direction.z.abs() >= COS_FLAT {
                DVec3::new(0.0, 0.0, 1f64.copysign(direction.z))
            } else {
                direction.with_z(0.0).try_normalize()?
            }
        }
        Core::Cone(radius, half) => {
            if direction.z <= -COS_FLAT {
                -DVec3::Z
            } else {
                cone_side(radius, half, direction)
            }
        }
        Core::Hull(vertices, triangles) => face(vertices, triangles, direction)?.0,
    };
    (normal.dot(direction) >= COS_FLAT).then_some(normal)
}

/// The face of a hull whose normal is closest to a direction: the normal and a corner of the face.
pub(super) fn face(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    direction: DVec3,
) -> Option<(DVec3, DVec3)> {
    let mut best = None;
    let mut cosine = f64::NEG_INFINITY;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| vertices[i as usize]);
        let normal = (b - a).cross(c - a);
        let along = normal.dot(direction);
        // Most faces look the other way, and need no root.
        if along <= 0.0 {
            continue;
        }
        let length = normal.length();
        if along > cosine * length {
            cosine = along / length;
            best = Some((normal / length, a));
        }
    }
    best
}
