//! The gap and the normal of two convex solids, separate or overlapping.

use super::climb::{Closest, climb};
use super::faces;
use super::support::Pair;
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
    let starts = Starts::of(pair, limit)?;
    let (first, _) = starts.best[0];
    let mut closest = climb(pair, first, limit)?;
    for &(start, _) in &starts.best[1..starts.count] {
        if closest.distance >= 0.0 {
            break;
        }
        if start.dot(closest.normal) < SAME {
            let other = climb(pair, start, limit)?;
            if other.distance > closest.distance {
                closest = other;
            }
        }
    }
    let nearest = prefer_face(pair, &closest);
    (nearest.gap <= envelope).then_some(nearest)
}

/// Cosine of the angle within which two starts lead to the same maximum.
const SAME: f64 = 0.999;
/// The most starts.
const STARTS: usize = 3;

/// Normals from which to climb, the best one first.
struct Starts {
    best: [(DVec3, f64); STARTS],
    count: usize,
}

impl Starts {
    /// The line of the centres, the faces of each solid, and the common perpendicular of the axes; `None` if one of
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
