//! The gap and the normal of two convex solids, separate or overlapping.

use super::climb::{Closest, climb};
use super::faces;
use super::support::{Core, Pair};
use glam::DVec3;

/// How two solids are nearest to each other (or deepest in each other), in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// Unit vector from the first into the second.
    pub normal: DVec3,
    /// Distance along it; negative on overlap.
    pub gap: f64,
    /// Midway between the surfaces.
    pub point: DVec3,
}

/// Finds the normal n of largest separation s(n), [`Pair::separation`]; `None` when the gap is above the envelope.
///
/// A local maximum of s is the global one if it is positive. Overlapping cores have several: then the climb starts
/// from the most promising of a few normals, and from the next ones after it.
pub(super) fn nearest(pair: &Pair, envelope: f64) -> Option<Nearest> {
    let limit = envelope + pair.radii();
    if limit < 0.0 {
        return None;
    }
    let mut starts = Starts::of(pair, limit)?;
    let first = starts.best[0].0;
    let mut closest = match over_face(pair, first) {
        Some(closest) => closest,
        None => climb(pair, first, limit)?,
    };
    if closest.distance < 0.0 {
        starts.add_hull_faces(pair, &closest);
        let hulls = [&pair.first, &pair.second].map(|solid| matches!(solid.core, Core::Hull(..)));
        let most = if hulls.contains(&true) {
            STARTS
        } else {
            FEW_STARTS
        };
        for &(start, separation) in &starts.best[..starts.count.min(most)] {
            if separation < SHALLOW * closest.distance {
                break;
            }
            if start != first && start.dot(closest.normal) < SAME {
                let other = climb(pair, start, limit)?;
                if other.distance > closest.distance {
                    closest = other;
                }
            }
        }
    }
    let nearest = prefer_face(pair, &closest);
    (nearest.gap <= envelope).then_some(nearest)
}

/// Cosine of the angle within which two starts lead to the same maximum.
const SAME: f64 = 0.999;
/// A start that is deeper than the best normal by more than this factor is not tried: where an overlap is shallow, so
/// are all normals that compete.
const SHALLOW: f64 = 20.0;
/// The most starts.
const STARTS: usize = 6;
/// The most of pairs without hulls, whose few faces and smooth parts leave few maxima.
const FEW_STARTS: usize = 3;

/// The normal of a face is a local maximum of s if the point of the other solid that is nearest to the face's plane
/// lies over the face.
fn over_face(pair: &Pair, normal: DVec3) -> Option<Closest> {
    let (a, b) = (pair.support_first(normal), pair.support_second(normal));
    let distance = normal.dot(b - a);
    let closest = Closest {
        normal,
        distance,
        on_first: b - distance * normal,
        on_second: b,
    };
    if faces::holds(&pair.first, normal, b) {
        return Some(closest);
    }
    let in_second = |point: DVec3| pair.in_second(point - pair.offset);
    faces::holds(&pair.second, -pair.in_second(normal), in_second(a)).then(|| Closest {
        on_first: a,
        on_second: a + distance * normal,
        ..closest
    })
}

/// Normals from which to climb, the best one first.
struct Starts {
    best: [(DVec3, f64); STARTS],
    count: usize,
}

impl Starts {
    /// The line of the centres, the few faces of each solid, and the common perpendicular of the axes; `None` if one of
    /// them separates by more than the limit.
    fn of(pair: &Pair, limit: f64) -> Option<Self> {
        let line = pair.line().try_normalize().unwrap_or(DVec3::Z);
        let mut starts = Self {
            best: [(line, f64::NEG_INFINITY); STARTS],
            count: 0,
        };
        starts.offer(pair, line);
        faces::normals(&pair.first, line, |normal| starts.offer(pair, normal));
        faces::normals(&pair.second, -pair.in_second(line), |normal| {
            starts.offer(pair, -(pair.rotation * normal));
        });
        let across = DVec3::Z.cross(pair.rotation.z_axis);
        if let Some(normal) = across.try_normalize() {
            starts.offer(pair, normal * 1f64.copysign(normal.dot(line)));
        }
        (starts.best[0].1 <= limit).then_some(starts)
    }

    /// The faces of hulls, which may be many. A point b of the other solid, no deeper than what was found, tells of
    /// most that they are too deep: s(n) ≤ n·(b − p) for any point p of the face.
    fn add_hull_faces(&mut self, pair: &Pair, found: &Closest) {
        let deepest = SHALLOW * found.distance;
        faces::hull(&pair.first, found.on_second, deepest, |normal| {
            self.offer(pair, normal);
        });
        let on_first = pair.in_second(found.on_first - pair.offset);
        faces::hull(&pair.second, on_first, deepest, |normal| {
            self.offer(pair, -(pair.rotation * normal));
        });
    }

    fn offer(&mut self, pair: &Pair, normal: DVec3) {
        let separation = pair.separation(normal);
        let known = &self.best[..self.count];
        // A start in the place of a similar one, or of the worst one.
        let place = match known.iter().position(|old| old.0.dot(normal) > SAME) {
            Some(place) if known[place].1 >= separation => return,
            Some(place) => place,
            None if self.count < STARTS => {
                self.count += 1;
                self.count - 1
            }
            None if known[STARTS - 1].1 >= separation => return,
            None => STARTS - 1,
        };
        self.best[place] = (normal, separation);
        let mut place = place;
        while place > 0 && self.best[place].1 > self.best[place - 1].1 {
            self.best.swap(place, place - 1);
            place -= 1;
        }
    }
}

/// Takes the normal of a face instead of one that separates no better, so that flat contacts have exact normals.
fn prefer_face(pair: &Pair, closest: &Closest) -> Nearest {
    let mut normal = closest.normal;
    let mut height = pair.separation(normal);
    let least = height - 1e-8 * pair.size();
    let candidates = [
        faces::aligned(&pair.first, normal),
        faces::aligned(&pair.second, -pair.in_second(normal)).map(|n| -(pair.rotation * n)),
    ];
    for candidate in candidates.into_iter().flatten() {
        let separation = pair.separation(candidate);
        if separation >= least {
            (normal, height) = (candidate, separation);
            break;
        }
    }
    let (a, b) = (closest.on_first, closest.on_second);
    let surfaces = 0.5 * (pair.first.radius - pair.second.radius);
    Nearest {
        normal,
        gap: height - pair.radii(),
        point: 0.5 * (a + b) + surfaces * normal,
    }
}
