//! The part of a solid that lies nearly flat against a plane: a face, an edge, or a single point.

use super::faces::{self, COS_FLAT, SIN_FLAT};
use super::planar_hull::planar_hull;
use super::support::{Core, Pair, Solid, farthest};
use glam::DVec3;

/// The most corners that a face is given.
pub(super) const CORNERS: usize = 16;
/// Corners of the polygon that stands for a round face. Fixed in the body's frame, so that they are the same from
/// step to step; six leave little of the disc out and are few enough for the solver.
pub(super) const RIM: usize = 6;

/// Corners in order around the face; two of an edge, none if the solid has only a point there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature {
    corners: [DVec3; CORNERS],
    ids: [u16; CORNERS],
    count: usize,
    /// Normal of the face; meaningless for an edge.
    pub normal: DVec3,
}

impl Feature {
    /// Nothing flat.
    pub fn point() -> Self {
        Self {
            corners: [DVec3::ZERO; CORNERS],
            ids: [0; CORNERS],
            count: 0,
            normal: DVec3::ZERO,
        }
    }

    /// Adds a corner and the name it keeps as long as the body has its shape.
    pub fn push(&mut self, corner: DVec3, id: u16) {
        if self.count < CORNERS {
            self.corners[self.count] = corner;
            self.ids[self.count] = id;
            self.count += 1;
        }
    }

    /// The corners.
    pub fn corners(&self) -> &[DVec3] {
        &self.corners[..self.count]
    }

    /// Their names.
    pub fn ids(&self) -> &[u16] {
        &self.ids[..self.count]
    }

    /// The feature in other coordinates: those of the first solid of a pair, from those of the second.
    pub fn seen_from_first(mut self, pair: &Pair) -> Self {
        for corner in &mut self.corners[..self.count] {
            *corner = pair.rotation * *corner + pair.offset;
        }
        self.normal = pair.rotation * self.normal;
        self
    }
}

/// A corner of the polygon of a round face: a hexagon.
pub(super) fn rim_corner(index: usize, radius: f64, z: f64) -> DVec3 {
    const HIGH: f64 = 0.866_025_403_784_438_6; // √3 / 2
    let (cosine, sine) = [
        (1.0, 0.0),
        (0.5, HIGH),
        (-0.5, HIGH),
        (-1.0, 0.0),
        (-0.5, -HIGH),
        (0.5, -HIGH),
    ][index % RIM];
    DVec3::new(radius * cosine, radius * sine, z)
}

/// The feature of a solid's core towards a unit direction, in the solid's frame.
pub(super) fn feature(solid: &Solid, direction: DVec3) -> Feature {
    let mut feature = Feature::point();
    match solid.core {
        Core::Point | Core::Ellipsoid(_) => {}
        Core::Segment(half) => {
            if direction.z.abs() <= SIN_FLAT {
                feature.push(DVec3::new(0.0, 0.0, -half), 0);
                feature.push(DVec3::new(0.0, 0.0, half), 1);
            }
        }
        Core::Box(half) => box_feature(half, direction, &mut feature),
        Core::Cylinder(radius, half) => {
            if direction.z.abs() >= COS_FLAT {
                let z = half.copysign(direction.z);
                disc(radius, z, &mut feature);
            } else if direction.z.abs() <= SIN_FLAT {
                let rim = super::support::rim_point(radius, direction);
                feature.push(rim.with_z(-half), 2 * RIM as u16);
                feature.push(rim.with_z(half), 2 * RIM as u16 + 1);
            }
        }
        Core::Cone(radius, half) => {
            if direction.z <= -COS_FLAT {
                disc(radius, -half, &mut feature);
            } else if faces::cone_side(radius, half, direction).dot(direction) >= COS_FLAT {
                let rim = super::support::rim_point(radius, direction);
                feature.push(rim.with_z(-half), 2 * RIM as u16);
                feature.push(DVec3::new(0.0, 0.0, half), 2 * RIM as u16 + 1);
            }
        }
        Core::Hull(vertices, triangles) => {
            hull_feature(solid.size, vertices, triangles, direction, &mut feature);
        }
    }
    feature
}

/// The polygon of a round face at height z; seen from outside it runs counter-clockwise.
fn disc(radius: f64, z: f64, feature: &mut Feature) {
    let upper = z > 0.0;
    feature.normal = DVec3::new(0.0, 0.0, 1f64.copysign(z));
    for index in 0..RIM {
        let index = if upper { index } else { RIM - 1 - index };
        let id = if upper { RIM + index } else { index };
        feature.push(rim_corner(index, radius, z), id as u16);
    }
}

/// Name of a box's corner: a bit for each axis, set on the positive side.
pub(super) fn box_corner_id(corner: DVec3) -> u16 {
    u16::from(corner.x > 0.0) | u16::from(corner.y > 0.0) << 1 | u16::from(corner.z > 0.0) << 2
}

fn box_feature(half: DVec3, direction: DVec3, feature: &mut Feature) {
    let along = direction.abs();
    let outer = DVec3::new(
        half.x.copysign(direction.x),
        half.y.copysign(direction.y),
        half.z.copysign(direction.z),
    );
    for axis in 0..3 {
        if along[axis] >= COS_FLAT {
            feature.normal[axis] = 1f64.copysign(direction[axis]);
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for (s, t) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let mut corner = outer;
                corner[u] = s * half[u];
                corner[v] = t * half[v];
                feature.push(corner, box_corner_id(corner));
            }
            return;
        }
    }
    for axis in 0..3 {
        if along[axis] <= SIN_FLAT {
            for sign in [-1.0, 1.0] {
                let mut corner = outer;
                corner[axis] = sign * half[axis];
                feature.push(corner, box_corner_id(corner));
            }
            return;
        }
    }
}

fn hull_feature(
    size: f64,
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    direction: DVec3,
    feature: &mut Feature,
) {
    if let Some((normal, corner)) = faces::face(vertices, triangles, direction)
        && normal.dot(direction) >= COS_FLAT
    {
        feature.normal = normal;
        // All corners in the plane of the triangle: a flat face may be made of several.
        let height = normal.dot(corner) - 1e-6 * size;
        planar_hull(vertices, normal, height, feature);
        return;
    }
    let top = farthest(vertices, direction);
    let mut best: Option<(f64, usize)> = None;
    for triangle in triangles {
        let corners = triangle.map(|i| i as usize);
        if !corners.contains(&top) {
            continue;
        }
        for other in corners {
            let edge = vertices[top] - vertices[other];
            let length = edge.length();
            let slope = edge.dot(direction);
            if length > 0.0
                && slope <= SIN_FLAT * length
                && best.is_none_or(|(least, _)| slope < least * length)
            {
                best = Some((slope / length, other));
            }
        }
    }
    if let Some((_, other)) = best {
        let (i, j) = (top.min(other), top.max(other));
        feature.push(vertices[i], i as u16);
        feature.push(vertices[j], j as u16);
    }
}
