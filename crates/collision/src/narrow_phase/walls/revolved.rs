//! The room inside a tube or a funnel, and convex shapes in it.
//!
//! With R(z) the wall's radius, of slope s, how far a point is in the wall is f(x) = (ρ − R(z)) / √(1 + s²): a convex
//! function. Over a convex shape it is therefore largest at extreme points: corners, rims, ends.

use crate::narrow_phase::mesh::facets::Facet;
use crate::narrow_phase::mesh::reduce::reduce;
use crate::narrow_phase::mesh::support::{facing, support};
use crate::narrow_phase::mesh::{Task, Touch};
use crate::shapes::Shape;
use glam::{DVec2, DVec3};

/// Features of the room's own surfaces; those of facets are smaller.
const INNER: u32 = 0x8000_0000;
/// Steps of the search for deepest points; each one only goes deeper.
const STEPS: usize = 100;
/// Rounding, relative to the lengths compared.
const ROUNDING: f64 = 1e-9;

/// The inside of a container that is round about the z axis.
pub(super) struct Room {
    /// The walls cut by a half-plane through the axis; see [`crate::shapes::Frustum`].
    pub(super) profile: Vec<DVec2>,
    /// Inner radius at the lower and the upper end.
    radii: [f64; 2],
    half_height: f64,
    pub(super) thickness: f64,
    /// Whether the lower and the upper end are closed.
    closed: [bool; 2],
}

impl Room {
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::HollowCylinder(s) => Some(Self {
                profile: s.profile(),
                radii: [s.inner_radius; 2],
                half_height: s.half_height,
                thickness: s.thickness,
                closed: [s.bottom, s.top],
            }),
            Shape::Frustum(s) => Some(Self {
                profile: s.profile().to_vec(),
                radii: [s.lower_radius, s.upper_radius],
                half_height: s.half_height,
                thickness: s.thickness,
                closed: [false, false],
            }),
            _ => None,
        }
    }

    fn slope(&self) -> f64 {
        (self.radii[1] - self.radii[0]) / (2.0 * self.half_height)
    }

    /// f, and its gradient, a unit vector.
    fn depth(&self, point: DVec3) -> (f64, DVec3) {
        let slope = self.slope();
        let cosine = 1.0 / slope.hypot(1.0);
        let radial = DVec3::new(point.x, point.y, 0.0);
        let middle = 0.5 * (self.radii[0] + self.radii[1]);
        let depth = (radial.length() - middle - slope * point.z) * cosine;
        let gradient = cosine * (radial.normalize_or(DVec3::X) - slope * DVec3::Z);
        (depth, gradient)
    }

    pub(super) fn contains(&self, point: DVec3) -> bool {
        point.z.abs() < self.half_height && self.depth(point).0 < 0.0
    }

    /// Whether a shape may touch a rim or an outer side.
    pub(super) fn needs_outside(&self, task: &Task) -> bool {
        let bounds = task.shape.bounds(&task.pose).grown(task.envelope);
        !self.contains(task.pose.position)
            || (!self.closed[0] && bounds.lower.z < -self.half_height)
            || (!self.closed[1] && bounds.upper.z > self.half_height)
    }

    /// Whether a facet of the container's surface belongs to the room's own surface.
    pub(super) fn is_inner(&self, facet: &Facet) -> bool {
        let middle = facet.corners.iter().sum::<DVec3>() / 3.0;
        let to_axis = facet.normal.dot(DVec3::new(middle.x, middle.y, 0.0));
        let level = facet.normal.z.abs() > 1.0 - ROUNDING;
        if level {
            // A disc looks towards the middle, a ring at an open end away from it.
            facet.normal.z * middle.z < 0.0
        } else {
            to_axis < 0.0
        }
    }

    /// Appends the contacts of a convex shape with the room's own surfaces.
    pub(super) fn touches(&self, task: &Task, touches: &mut Vec<Touch>) {
        let bounds = task.shape.bounds(&task.pose).grown(task.envelope);
        let limit = if self.contains(task.pose.position) {
            f64::INFINITY
        } else {
            0.5 * self.thickness
        };
        let corner = bounds
            .lower
            .abs()
            .max(bounds.upper.abs())
            .truncate()
            .length();
        let mut discs = Vec::new();
        for end in 0..2 {
            if self.closed[end] {
                self.disc(task, end, limit, &mut discs);
            }
        }
        reduce(&mut discs, task.shape.reach());
        touches.extend(discs);
        if corner < self.radii[0].min(self.radii[1]) {
            return;
        }
        let mut wall = Vec::new();
        for (k, point) in self.deepest(task).into_iter().enumerate() {
            let (depth, gradient) = self.depth(point);
            let foot = point - depth * gradient;
            let on_wall = foot.z.abs() <= self.half_height * (1.0 + ROUNDING);
            if on_wall && -depth <= task.envelope && depth <= limit {
                wall.push(Touch {
                    feature: INNER + 4 * k as u32,
                    foot,
                    outward: -gradient,
                    gap: -depth,
                });
            }
        }
        touches.extend(wall);
    }

    /// The face of the shape that looks towards a closed end.
    fn disc(&self, task: &Task, end: usize, limit: f64, touches: &mut Vec<Touch>) {
        let outward = if end == 0 { DVec3::Z } else { -DVec3::Z };
        let mut corners = Vec::new();
        facing(
            task.shape,
            task.pose.local_direction(-outward),
            &mut corners,
        );
        for (k, corner) in corners.into_iter().enumerate() {
            let point = task.pose.point(corner);
            let gap = outward.dot(point) + self.half_height;
            let on_disc = point.truncate().length() <= self.radii[end] + limit.min(self.thickness);
            if on_disc && gap <= task.envelope && -gap <= limit {
                touches.push(Touch {
                    feature: INNER + 4 * k as u32 + 1 + end as u32,
                    foot: point - gap * outward,
                    outward,
                    gap,
                });
            }
        }
    }

    /// The points of a shape that may be deepest in the wall.
    fn deepest(&self, task: &Task) -> Vec<DVec3> {
        let place = |p: DVec3| task.pose.point(p);
        match task.shape {
            Shape::Cuboid(s) => (0..8)
                .map(|k| {
                    let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                    place(s.half_extents * DVec3::new(sign(0), sign(1), sign(2)))
                })
                .collect(),
            Shape::ConvexHull(s) => s.vertices.iter().map(|&v| place(v)).collect(),
            Shape::Capsule(s) => [-s.half_length, s.half_length]
                .map(|z| place(DVec3::new(0.0, 0.0, z)))
                .map(|centre| centre + s.radius * self.depth(centre).1)
                .to_vec(),
            Shape::Cylinder(s) => {
                let mut points = self.rim(task, -s.half_height, s.radius);
                points.extend(self.rim(task, s.half_height, s.radius));
                points
            }
            Shape::Cone(s) => {
                let mut points = self.rim(task, -s.half_height, s.radius);
                points.push(place(s.half_height * DVec3::Z));
                points
            }
            Shape::Ellipsoid(s) => {
                let starts = DVec3::AXES.iter().flat_map(|&axis| [axis, -axis]);
                let starts = starts.map(|axis| place(axis * s.semi_axes));
                let next = |gradient: DVec3| {
                    place(support(task.shape, task.pose.local_direction(gradient)))
                };
                self.climb(starts, next, s.semi_axes.min_element())
            }
            _ => Vec::new(),
        }
    }

    /// The deepest points of a circle about the shape's axis.
    fn rim(&self, task: &Task, height: f64, radius: f64) -> Vec<DVec3> {
        let on_rim = |direction: DVec3| {
            let radial = DVec3::new(direction.x, direction.y, 0.0).normalize_or(DVec3::X);
            task.pose.point(radius * radial + height * DVec3::Z)
        };
        let starts = [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y].map(on_rim);
        let next = |gradient: DVec3| on_rim(task.pose.local_direction(gradient));
        self.climb(starts.into_iter(), next, radius)
    }

    /// From each start goes to the point farthest along the gradient of f, again and again. As f is convex, this
    /// never leads to a smaller f; it ends where the gradient is normal to the shape, the condition of a deepest point.
    /// Close to it the error of f is of second order in that of the point.
    fn climb(
        &self,
        starts: impl Iterator<Item = DVec3>,
        next: impl Fn(DVec3) -> DVec3,
        length: f64,
    ) -> Vec<DVec3> {
        let mut found: Vec<DVec3> = Vec::new();
        for start in starts {
            let mut point = start;
            for _ in 0..STEPS {
                let step = next(self.depth(point).1);
                let moved = (step - point).length();
                point = step;
                if moved <= 1e-12 * length {
                    break;
                }
            }
            if found
                .iter()
                .all(|other| (*other - point).length() > 1e-3 * length)
            {
                found.push(point);
            }
        }
        found
    }
}
