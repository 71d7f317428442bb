//! Convex shapes as the generic methods see them: a core with a support function, and a ball around each of its points.

use crate::pose::Pose;
use crate::shapes::Shape;
use glam::{DMat3, DVec3};

/// The core of a convex shape, in the shape's own frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum Core<'a> {
    /// The origin: the core of a sphere.
    Point,
    /// From −h to +h on the z axis: the core of a capsule.
    Segment(f64),
    /// Half the edge lengths.
    Box(DVec3),
    /// Radius and half the height.
    Cylinder(f64, f64),
    /// Radius of the base and half the height.
    Cone(f64, f64),
    /// Semi-axes.
    Ellipsoid(DVec3),
    /// Corners and outward triangles.
    Hull(&'a [DVec3], &'a [[u32; 3]]),
}

/// A convex shape: all points within `radius` of the core. Sphere and capsule become a point and a segment, whose
/// distances from anything are exact even when the shapes themselves overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid<'a> {
    /// The core.
    pub core: Core<'a>,
    /// Radius of the ball.
    pub radius: f64,
    /// Smallest half-width, the measure of all tolerances.
    pub size: f64,
    /// A point inside.
    pub centre: DVec3,
}

impl<'a> Solid<'a> {
    /// The shape as a solid; `None` when it is not convex or not bounded.
    pub fn of(shape: &'a Shape) -> Option<Self> {
        let (core, radius, size) = match shape {
            Shape::Sphere(s) => (Core::Point, s.radius, s.radius),
            Shape::Capsule(s) => (Core::Segment(s.half_length), s.radius, s.radius),
            Shape::Cuboid(s) => (Core::Box(s.half_extents), 0.0, s.half_extents.min_element()),
            Shape::Cylinder(s) => (
                Core::Cylinder(s.radius, s.half_height),
                0.0,
                s.radius.min(s.half_height),
            ),
            Shape::Cone(s) => (
                Core::Cone(s.radius, s.half_height),
                0.0,
                s.radius.min(s.half_height),
            ),
            Shape::Ellipsoid(s) => (Core::Ellipsoid(s.semi_axes), 0.0, s.semi_axes.min_element()),
            Shape::ConvexHull(hull) => return Self::hull(&hull.vertices, &hull.triangles),
            _ => return None,
        };
        Some(Self {
            core,
            radius,
            size,
            centre: DVec3::ZERO,
        })
    }

    /// The hull of points; `None` when there are none.
    fn hull(vertices: &'a [DVec3], triangles: &'a [[u32; 3]]) -> Option<Self> {
        let (mut lower, mut upper, mut sum) = (DVec3::INFINITY, DVec3::NEG_INFINITY, DVec3::ZERO);
        for &vertex in vertices {
            lower = lower.min(vertex);
            upper = upper.max(vertex);
            sum += vertex;
        }
        if vertices.is_empty() {
            return None;
        }
        let extent = upper - lower;
        // A flat hull has no smallest width; a small part of its largest one then sets the tolerances.
        let size = 0.5 * extent.min_element().max(1e-3 * extent.max_element());
        Some(Self {
            core: Core::Hull(vertices, triangles),
            radius: 0.0,
            size,
            centre: sum / vertices.len() as f64,
        })
    }

    /// The point of the solid that lies farthest along a direction of any length.
    pub fn farthest(&self, direction: DVec3) -> DVec3 {
        self.support(direction) + self.radius * direction.normalize_or(DVec3::Z)
    }

    /// The point of the core that lies farthest along a direction of any length.
    #[inline]
    pub fn support(&self, direction: DVec3) -> DVec3 {
        match self.core {
            Core::Point => DVec3::ZERO,
            Core::Segment(half) => DVec3::new(0.0, 0.0, half.copysign(direction.z)),
            Core::Box(half) => DVec3::new(
                half.x.copysign(direction.x),
                half.y.copysign(direction.y),
                half.z.copysign(direction.z),
            ),
            Core::Cylinder(radius, half) => {
                rim_point(radius, direction).with_z(half.copysign(direction.z))
            }
            Core::Cone(radius, half) => {
                // The apex is farther than the base's rim when 2h d_z > r |d_xy|.
                let across = (direction.x * direction.x + direction.y * direction.y).sqrt();
                if 2.0 * half * direction.z > radius * across {
                    DVec3::new(0.0, 0.0, half)
                } else {
                    rim_point(radius, direction).with_z(-half)
                }
            }
            Core::Ellipsoid(semi) => {
                // The maximum of d·x on Σ (x_i/a_i)² = 1 is at x_i = a_i² d_i / |a d|.
                let scaled = semi * direction;
                let length = scaled.length();
                if length > 0.0 {
                    semi * scaled / length
                } else {
                    DVec3::new(0.0, 0.0, semi.z)
                }
            }
            Core::Hull(vertices, _) => vertices[farthest(vertices, direction)],
        }
    }
}

/// The index of the point that lies farthest along a direction; the first of several.
pub(super) fn farthest(points: &[DVec3], direction: DVec3) -> usize {
    let mut best = 0;
    let mut height = f64::NEG_INFINITY;
    for (index, point) in points.iter().enumerate() {
        let h = point.dot(direction);
        if h > height {
            (best, height) = (index, h);
        }
    }
    best
}

/// The point of a circle about the z axis that lies farthest along a direction, its centre for the axis itself: all
/// points of the disc are as far then, and the centre favours none.
#[inline]
pub(super) fn rim_point(radius: f64, direction: DVec3) -> DVec3 {
    let across = (direction.x * direction.x + direction.y * direction.y).sqrt();
    if across > 0.0 {
        DVec3::new(
            direction.x * (radius / across),
            direction.y * (radius / across),
            0.0,
        )
    } else {
        DVec3::ZERO
    }
}

/// Two solids, seen from the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    /// The first solid.
    pub first: Solid<'a>,
    /// The second.
    pub second: Solid<'a>,
    /// From the axes of the second to those of the first.
    pub rotation: DMat3,
    /// Origin of the second.
    pub offset: DVec3,
}

impl<'a> Pair<'a> {
    /// Two solids in their poses.
    pub fn new(first: Solid<'a>, a: &Pose, second: Solid<'a>, b: &Pose) -> Self {
        Self {
            first,
            second,
            rotation: DMat3::from_quat(a.rotation.conjugate() * b.rotation),
            offset: a.local_point(b.position),
        }
    }

    /// The smaller of the two sizes.
    pub fn size(&self) -> f64 {
        self.first.size.min(self.second.size)
    }

    /// The two radii together.
    pub fn radii(&self) -> f64 {
        self.first.radius + self.second.radius
    }

    /// From the inside of the first to the inside of the second.
    pub fn line(&self) -> DVec3 {
        self.rotation * self.second.centre + self.offset - self.first.centre
    }

    /// Rotates into the axes of the second.
    #[inline]
    pub fn in_second(&self, direction: DVec3) -> DVec3 {
        self.rotation.transpose() * direction
    }

    /// The point of the first core farthest along a direction.
    #[inline]
    pub fn support_first(&self, direction: DVec3) -> DVec3 {
        self.first.support(direction)
    }

    /// The point of the second core farthest against a direction.
    #[inline]
    pub fn support_second(&self, direction: DVec3) -> DVec3 {
        self.rotation * self.second.support(-self.in_second(direction)) + self.offset
    }

    /// By how much a plane across the unit vector `normal` separates the cores: the least height of the second less
    /// the largest height of the first. The distance of the cores, or minus their depth, is its maximum over all
    /// normals.
    #[inline]
    pub fn separation(&self, normal: DVec3) -> f64 {
        normal.dot(self.support_second(normal) - self.support_first(normal))
    }
}
