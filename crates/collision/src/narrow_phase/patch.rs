//! Several contact points where two solids lie flat against each other.

use super::ContactPoint;
use super::feature::{Feature, feature};
use super::nearest::Nearest;
use super::support::Pair;
use crate::pose::Pose;
use glam::{DVec2, DVec3};

/// The most points of a patch.
const MOST: usize = 8;
/// Room for all candidates: corners of both, and two crossings with each edge.
const ROOM: usize = 64;
/// Points closer than this part of the smaller size are one.
const SAME: f64 = 1e-4;

/// Sine of the largest angle of edges that touch along a line rather than where they cross.
const PARALLEL: f64 = 0.02;
/// Mark of a name that belongs to an edge; names of corners are one more than their number.
const EDGE: u32 = 0x8000;

/// A feature projected along the normal: corners in the plane across it and heights above it.
struct Flat {
    corners: [DVec2; super::feature::CORNERS],
    heights: [f64; super::feature::CORNERS],
    count: usize,
    /// Gradient of the height in the plane.
    slope: DVec2,
}

impl Flat {
    /// Projects on the axes u, v and the normal.
    fn new(feature: &Feature, u: DVec3, v: DVec3, normal: DVec3) -> Self {
        let mut flat = Self {
            corners: [DVec2::ZERO; super::feature::CORNERS],
            heights: [0.0; super::feature::CORNERS],
            count: feature.corners().len(),
            slope: DVec2::ZERO,
        };
        for (k, corner) in feature.corners().iter().enumerate() {
            flat.corners[k] = DVec2::new(corner.dot(u), corner.dot(v));
            flat.heights[k] = corner.dot(normal);
        }
        if flat.count == 2 {
            let edge = flat.corners[1] - flat.corners[0];
            let squared = edge.length_squared();
            if squared > 0.0 {
                flat.slope = edge * ((flat.heights[1] - flat.heights[0]) / squared);
            }
        } else {
            // m·x is constant on a face of normal m.
            let m = feature.normal;
            flat.slope = -DVec2::new(m.dot(u), m.dot(v)) / m.dot(normal);
        }
        flat
    }

    fn height(&self, at: DVec2) -> f64 {
        self.heights[0] + self.slope.dot(at - self.corners[0])
    }

    /// Twice the area, positive if counter-clockwise.
    fn turn(&self) -> f64 {
        let mut sum = 0.0;
        for k in 0..self.count {
            let (p, q) = self.edge(k);
            sum += (p - self.corners[0]).perp_dot(q - self.corners[0]);
        }
        sum
    }

    fn edge(&self, k: usize) -> (DVec2, DVec2) {
        (self.corners[k], self.corners[(k + 1) % self.count])
    }

    /// Whether a point is inside, or outside by no more than `tolerance`. Nothing is inside an edge.
    fn contains(&self, point: DVec2, turn: f64, tolerance: f64) -> bool {
        self.count > 2
            && (0..self.count).all(|k| {
                let (p, q) = self.edge(k);
                let edge = q - p;
                let inside = turn.signum() * edge.perp_dot(point - p);
                inside >= 0.0 || inside * inside <= tolerance * tolerance * edge.length_squared()
            })
    }

    /// The number of edges.
    fn edges(&self) -> usize {
        if self.count == 2 { 1 } else { self.count }
    }
}

/// The points found so far, in the plane across the normal; those where edges cross come last.
struct Found {
    points: [(DVec2, u32); ROOM],
    count: usize,
    apart: f64,
}

impl Found {
    fn offer(&mut self, point: DVec2, name: u32) {
        let apart = self.apart * self.apart;
        let new = self.points[..self.count]
            .iter()
            .all(|(p, _)| p.distance_squared(point) > apart);
        if new && self.count < ROOM {
            self.points[self.count] = (point, name);
            self.count += 1;
        }
    }

    /// Removes the points from index `begin` on that lie on the way from one of the others to another. Edges that run along
    /// each other cross wherever rounding says, but nowhere outside of what their ends span.
    fn remove_between(&mut self, begin: usize) {
        let mut k = begin;
        while k < self.count {
            let at = self.points[k].0;
            let others = || (0..self.count).filter(move |other| *other != k);
            let between = others().any(|i| {
                others().any(|j| {
                    let [from, to] = [i, j].map(|index| self.points[index].0);
                    i < j && is_between(at, from, to, self.apart)
                })
            });
            if between {
                self.points.copy_within(k + 1..self.count, k);
                self.count -= 1;
            } else {
                k += 1;
            }
        }
    }
}

/// Whether a point is no farther than `tolerance` from the line between two others, and inside its ends.
fn is_between(at: DVec2, from: DVec2, to: DVec2, tolerance: f64) -> bool {
    let (way, arm) = (to - from, at - from);
    let along = arm.dot(way);
    let squared = way.length_squared();
    let aside = way.perp_dot(arm);
    along >= 0.0 && along <= squared && aside * aside <= tolerance * tolerance * squared
}

/// Appends the contact points of two solids that are nearest in the given way: the corners of the common part of the
/// two features, seen along the normal, and the nearest point itself where these are not as near. A plane across the
/// normal separates the solids by the gap, so no other gap along it is smaller.
pub(super) fn patch(
    pair: &Pair,
    pose: &Pose,
    nearest: &Nearest,
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) {
    let normal = nearest.normal;
    let world_normal = pose.direction(normal);
    let begin = points.len();
    flat_patch(pair, pose, nearest, envelope, points);
    // The nearest point belongs to the patch where no corner is as near.
    let size = pair.size();
    let least = points[begin..]
        .iter()
        .fold(f64::INFINITY, |least, p| least.min(p.gap));
    if points.len() == begin || least > nearest.gap + 1e-6 * size {
        let point = pose.point(nearest.point);
        remove_near(points, begin, point, 10.0 * SAME * size);
        points.push(ContactPoint {
            feature: 0,
            point,
            normal: world_normal,
            gap: nearest.gap,
        });
    }
    points[begin..].sort_unstable_by_key(|p| p.feature);
}

/// Appends the corners of the common part of the two features across the normal; whether there are any.
pub(super) fn flat_patch(
    pair: &Pair,
    pose: &Pose,
    nearest: &Nearest,
    envelope: f64,
    points: &mut Vec<ContactPoint>,
) -> bool {
    let begin = points.len();
    let first = feature(&pair.first, nearest.normal);
    if first.corners().len() > 1 {
        let second = feature(&pair.second, -pair.in_second(nearest.normal)).seen_from_first(pair);
        if second.corners().len() > 1 {
            common(
                pair,
                pose,
                nearest.normal,
                envelope,
                (&first, &second),
                points,
            );
        }
    }
    points[begin..].sort_unstable_by_key(|p| p.feature);
    points.len() > begin
}

/// Removes the points from index `begin` on that lie within a distance of another, in place and in order.
fn remove_near(points: &mut Vec<ContactPoint>, begin: usize, centre: DVec3, distance: f64) {
    let mut kept = begin;
    for k in begin..points.len() {
        if points[k].point.distance(centre) > distance {
            points[kept] = points[k];
            kept += 1;
        }
    }
    points.truncate(kept);
}

/// Appends the corners of the common part of two features.
fn common(
    pair: &Pair,
    pose: &Pose,
    normal: DVec3,
    envelope: f64,
    (first, second): (&Feature, &Feature),
    points: &mut Vec<ContactPoint>,
) {
    let (u, v) = normal.any_orthonormal_pair();
    let a = Flat::new(first, u, v, normal);
    let b = Flat::new(second, u, v, normal);
    let size = pair.size();
    let mut found = Found {
        points: [(DVec2::ZERO, 0); ROOM],
        count: 0,
        apart: SAME * size,
    };
    if a.count == 2 && b.count == 2 {
        parallel_edges(&a, &b, (first.ids(), second.ids()), &mut found);
    } else {
        overlap(&a, &b, (first.ids(), second.ids()), 1e-7 * size, &mut found);
    }
    let (ra, rb) = (pair.first.radius, pair.second.radius);
    let levels = |at: DVec2| (a.height(at) + ra, b.height(at) - rb);
    let gap = |at: DVec2| {
        let (low, high) = levels(at);
        high - low
    };
    let mut count = 0;
    for k in 0..found.count {
        let point = found.points[k];
        if gap(point.0) <= envelope {
            found.points[count] = point;
            count += 1;
        }
    }
    let count = spread(&mut found.points[..count], gap);
    let world_normal = pose.direction(normal);
    for &(at, name) in &found.points[..count] {
        let (low, high) = levels(at);
        points.push(ContactPoint {
            feature: name,
            point: pose.point(at.x * u + at.y * v + 0.5 * (low + high) * normal),
            normal: world_normal,
            gap: high - low,
        });
    }
}

/// Moves the deepest point and those farthest from the ones before to the front; the number that is kept.
fn spread(points: &mut [(DVec2, u32)], gap: impl Fn(DVec2) -> f64) -> usize {
    if points.len() <= MOST {
        return points.len();
    }
    for k in 0..MOST {
        let mut best = k;
        let mut value = f64::NEG_INFINITY;
        for (index, point) in points.iter().enumerate().skip(k) {
            let worth = if k == 0 {
                -gap(point.0)
            } else {
                points[..k].iter().fold(f64::INFINITY, |least, p| {
                    least.min(p.0.distance_squared(point.0))
                })
            };
            // Equal worth up to rounding: the first, so that rounding decides nothing.
            if worth > value + 1e-9 * value.abs() {
                (best, value) = (index, worth);
            }
        }
        points.swap(k, best);
    }
    MOST
}

/// The common part of two convex outlines of which one at least is a face: corners of one inside the other, and
/// crossings of edges.
fn overlap(
    a: &Flat,
    b: &Flat,
    (names_a, names_b): (&[u16], &[u16]),
    tolerance: f64,
    found: &mut Found,
) {
    let (turn_a, turn_b) = (a.turn(), b.turn());
    for k in 0..a.count {
        if b.contains(a.corners[k], turn_b, tolerance) {
            found.offer(a.corners[k], (u32::from(names_a[k] & 0x7fff) + 1) << 16);
        }
    }
    for k in 0..b.count {
        if a.contains(b.corners[k], turn_a, tolerance) {
            found.offer(b.corners[k], u32::from(names_b[k] & 0x7fff) + 1);
        }
    }
    let corners = found.count;
    for i in 0..a.edges() {
        let (p, q) = a.edge(i);
        for j in 0..b.edges() {
            let (r, s) = b.edge(j);
            let (along, other) = (q - p, s - r);
            // Positive and negative heights of the ends of each edge over the other: they cross.
            let (h0, h1) = (other.perp_dot(p - r), other.perp_dot(q - r));
            let (g0, g1) = (along.perp_dot(r - p), along.perp_dot(s - p));
            if (h0 > 0.0) != (h1 > 0.0) && (g0 > 0.0) != (g1 > 0.0) {
                let at = p + along * (h0 / (h0 - h1));
                let name = (EDGE | u32::from(names_a[i] & 0x7fff)) << 16
                    | EDGE
                    | u32::from(names_b[j] & 0x7fff);
                found.offer(at, name);
            }
        }
    }
    found.remove_between(corners);
}

/// The ends of the common part of two edges side by side; nothing for edges that cross.
fn parallel_edges(a: &Flat, b: &Flat, (names_a, names_b): (&[u16], &[u16]), found: &mut Found) {
    let (p, q) = a.edge(0);
    let (r, s) = b.edge(0);
    let Some(along) = (q - p).try_normalize() else {
        return;
    };
    let other = s - r;
    if along.perp_dot(other).abs() > PARALLEL * other.length() {
        return;
    }
    let mut ends = [
        (0.0, (u32::from(names_a[0]) + 1) << 16),
        ((q - p).dot(along), (u32::from(names_a[1]) + 1) << 16),
    ];
    let mut others = [
        ((r - p).dot(along), u32::from(names_b[0]) + 1),
        ((s - p).dot(along), u32::from(names_b[1]) + 1),
    ];
    if others[0].0 > others[1].0 {
        others.swap(0, 1);
    }
    if others[0].0 > ends[0].0 {
        ends[0] = others[0];
    }
    if others[1].0 < ends[1].0 {
        ends[1] = others[1];
    }
    if ends[0].0 < ends[1].0 {
        for (t, name) in ends {
            found.offer(p + t * along, name);
        }
    }
}
