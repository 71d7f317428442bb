//! The room inside a tube or a funnel, and convex shapes in it.
//!
//! With R(z) the wall's radius, of slope s, how far a point is in the wall is f(x) = (ρ − R(z)) / √(1 + s²): a convex
//! function. Over a convex shape it is therefore largest at extreme points: corners, rims, ends.

use crate::bounds::Bounds;
use crate::narrow_phase::mesh::facets::Facet;
use crate::narrow_phase::mesh::{Task, Touch};
use crate::narrow_phase::support::Solid;
use crate::narrow_phase::{ContactPoint, half_space};
use crate::pose::Pose;
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
    profile: [DVec2; 8],
    corners: usize,
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
            Shape::HollowCylinder(s) => {
                let (profile, corners) = s.profile();
                Some(Self {
                    profile,
                    corners,
                    radii: [s.inner_radius; 2],
                    half_height: s.half_height,
                    thickness: s.thickness,
                    closed: [s.bottom, s.top],
                })
            }
            Shape::Frustum(s) => {
                let mut profile = [DVec2::ZERO; 8];
                profile[..4].copy_from_slice(&s.profile());
                Some(Self {
                    profile,
                    corners: 4,
                    radii: [s.lower_radius, s.upper_radius],
                    half_height: s.half_height,
                    thickness: s.thickness,
                    closed: [false, false],
                })
            }
            _ => None,
        }
    }

    pub(super) fn profile(&self) -> &[DVec2] {
        &self.profile[..self.corners]
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

    /// Whether a shape in the given box may touch a rim or an outer side.
    pub(super) fn needs_outside(&self, task: &Task, bounds: &Bounds) -> bool {
        let [low, high] = [
            self.radii[0].min(self.radii[1]),
            self.radii[0].max(self.radii[1]),
        ];
        let outer = self.profile().iter().fold(high, |most, p| most.max(p.x));
        // The point of the box nearest to the axis.
        let nearest = DVec3::ZERO.clamp(bounds.lower, bounds.upper).truncate();
        let ends = self
            .profile()
            .iter()
            .fold(0.0_f64, |most, p| most.max(p.y.abs()));
        if nearest.length() > outer || bounds.lower.z > ends || bounds.upper.z < -ends {
            return false;
        }
        let beyond = [
            bounds.lower.z < -self.half_height,
            bounds.upper.z > self.half_height,
        ];
        let open = [0, 1].map(|end| beyond[end] && !self.closed[end]);
        if self.contains(task.pose.position) {
            return (open[0] || open[1]) && farthest(bounds) > low;
        }
        // Wholly in the room or in front of an open end, and not as wide as the wall.
        let before_disc = |end: usize| beyond[end] && self.closed[end];
        before_disc(0) || before_disc(1) || farthest(bounds) > low
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

    /// Whether a point that was found under a ring is nearer to the inner side, which has found it too: what slides along
    /// the inner side just above the rim is not deep under the rim.
    pub(super) fn belongs_to_inner_side(&self, found: &ContactPoint, place: &Pose) -> bool {
        let outward = -place.local_direction(found.normal);
        let under_ring = found.gap < 0.0 && outward.z.abs() > 1.0 - ROUNDING;
        let deepest = place.local_point(found.point) + 0.5 * found.gap * outward;
        under_ring && self.depth(deepest).0 < -found.gap
    }

    /// How deep a point may be in a wall.
    fn limit(&self, task: &Task) -> f64 {
        if self.contains(task.pose.position) {
            f64::INFINITY
        } else {
            0.5 * self.thickness
        }
    }

    /// Appends the contacts of a shape with the discs at closed ends, as with half-spaces.
    pub(super) fn ends(
        &self,
        task: &Task,
        shape: (&Shape, &Pose),
        place: &Pose,
        points: &mut Vec<ContactPoint>,
    ) {
        let limit = self.limit(task);
        for (end, sign) in [(0, 1.0), (1, -1.0)] {
            if !self.closed[end] {
                continue;
            }
            let out = sign * place.direction(DVec3::Z);
            let on_disc = place.position - self.half_height * out;
            let begin = points.len();
            half_space::on_plane(shape, (on_disc, out), task.envelope, points);
            let mut kept = begin;
            let most = self.radii[end] + limit.min(self.thickness);
            for k in begin..points.len() {
                let point = points[k];
                let across = place.local_point(point.point).truncate();
                if across.length() <= most && -point.gap <= limit {
                    points[kept] = ContactPoint {
                        feature: INNER + 4 * point.feature + 1 + end as u32,
                        ..point
                    };
                    kept += 1;
                }
            }
            points.truncate(kept);
        }
    }

    /// Visits the contacts of a convex shape in the given box with the round wall.
    pub(super) fn wall(&self, task: &Task, bounds: &Bounds, mut visit: impl FnMut(Touch)) {
        if farthest(bounds) < self.radii[0].min(self.radii[1]) {
            return;
        }
        let limit = self.limit(task);
        let mut number = 0;
        self.deepest(task, |point| {
            let (depth, gradient) = self.depth(point);
            let foot = point - depth * gradient;
            let on_wall = foot.z.abs() <= self.half_height * (1.0 + ROUNDING);
            if on_wall && -depth <= task.envelope && depth <= limit {
                visit(Touch {
                    feature: INNER + 4 * number,
                    foot,
                    outward: -gradient,
                    gap: -depth,
                });
            }
            number += 1;
        });
    }

    /// Visits the points of a shape that may be deepest in the wall.
    fn deepest(&self, task: &Task, mut visit: impl FnMut(DVec3)) {
        let place = |p: DVec3| task.pose.point(p);
        match task.shape {
            Shape::Cuboid(s) => {
                for k in 0..8 {
                    let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                    visit(place(
                        s.half_extents * DVec3::new(sign(0), sign(1), sign(2)),
                    ));
                }
            }
            Shape::ConvexHull(s) => s.vertices.iter().for_each(|&v| visit(place(v))),
            Shape::Capsule(s) => {
                for z in [-s.half_length, s.half_length] {
                    let centre = place(DVec3::new(0.0, 0.0, z));
                    visit(centre + s.radius * self.depth(centre).1);
                }
            }
            Shape::Cylinder(s) => {
                self.rim(task, -s.half_height, s.radius, &mut visit);
                self.rim(task, s.half_height, s.radius, &mut visit);
            }
            Shape::Cone(s) => {
                self.rim(task, -s.half_height, s.radius, &mut visit);
                visit(place(s.half_height * DVec3::Z));
            }
            Shape::Ellipsoid(s) => {
                // f changes by no more than the distance.
                let most = self.depth(task.pose.position).0 + s.semi_axes.max_element();
                if -most > task.envelope {
                    return;
                }
                let starts = DVec3::AXES.iter().flat_map(|&axis| [axis, -axis]);
                let starts = starts.map(|axis| place(axis * s.semi_axes));
                let Some(solid) = Solid::of(task.shape) else {
                    return;
                };
                let next =
                    |gradient: DVec3| place(solid.farthest(task.pose.local_direction(gradient)));
                self.climb(starts, next, s.semi_axes.min_element(), &mut visit);
            }
            _ => {}
        }
    }

    /// The deepest points of a circle about the shape's axis.
    fn rim(&self, task: &Task, height: f64, radius: f64, visit: &mut impl FnMut(DVec3)) {
        let centre = task.pose.point(height * DVec3::Z);
        if -(self.depth(centre).0 + radius) > task.envelope {
            return;
        }
        let on_rim = |direction: DVec3| {
            let radial = DVec3::new(direction.x, direction.y, 0.0).normalize_or(DVec3::X);
            task.pose.point(radius * radial + height * DVec3::Z)
        };
        let starts = [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y].map(on_rim);
        let next = |gradient: DVec3| on_rim(task.pose.local_direction(gradient));
        self.climb(starts.into_iter(), next, radius, visit);
    }

    /// From each start goes to the point farthest along the gradient of f, again and again. As f is convex, this
    /// never leads to a smaller f; it ends where the gradient is normal to the shape, the condition of a deepest point.
    /// Close to it the error of f is of second order in that of the point.
    fn climb(
        &self,
        starts: impl Iterator<Item = DVec3>,
        next: impl Fn(DVec3) -> DVec3,
        length: f64,
        visit: &mut impl FnMut(DVec3),
    ) {
        let mut found = [DVec3::ZERO; 6];
        let mut count = 0;
        for start in starts {
            let mut point = start;
            let mut new = true;
            for _ in 0..STEPS {
                let step = next(self.depth(point).1);
                let moved = (step - point).length();
                point = step;
                // What comes close to a deepest point found before ends there.
                let apart = |other: &DVec3| (*other - point).length() > 1e-3 * length;
                new = found[..count].iter().all(apart);
                if !new || moved <= 1e-10 * length {
                    break;
                }
            }
            if new && count < found.len() {
                found[count] = point;
                count += 1;
                visit(point);
            }
        }
    }
}

/// The largest distance of a box's point from the z axis.
fn farthest(bounds: &Bounds) -> f64 {
    let corner = bounds.lower.abs().max(bounds.upper.abs());
    corner.truncate().length()
}
