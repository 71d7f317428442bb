//! The gap and the normal of two convex solids, separate or overlapping.

use super::faces;
use super::gjk::{self, COARSE, Closest, Distance, FINE, Question};
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
pub(super) fn nearest(pair: &Pair, envelope: f64) -> Option<Nearest> {
    let size = pair.size();
    let limit = envelope + pair.radii();
    if limit < 0.0 {
        return None;
    }
    let line = pair.line().try_normalize().unwrap_or(DVec3::Z);
    let closest = match gjk::distance(pair, &question(line, limit)) {
        Distance::Beyond => return None,
        // The points are exact to rounding; a distance far above rounding gives an exact normal.
        Distance::Apart(closest) if closest.distance >= 1e-3 * size => closest,
        Distance::Apart(closest) => climb(pair, closest.normal, FINE),
        Distance::Overlap => overlapping(pair, line),
    };
    let nearest = prefer_face(pair, &closest);
    (nearest.gap <= envelope).then_some(nearest)
}

/// The best normal of overlapping cores.
///
/// s has several local maxima then; the climb starts from the first of these and the two most promising of: the normal of the shapes when
/// shrunk (right when the overlap is shallow), the line of the centres, and the best face of each shape.
fn overlapping(pair: &Pair, line: DVec3) -> Closest {
    let mut best = (line, pair.separation(line));
    let mut next = best;
    let mut offer = |normal: DVec3| {
        let separation = pair.separation(normal);
        if separation > best.1 {
            next = best;
            best = (normal, separation);
        } else if separation > next.1 || next.0 == best.0 {
            next = (normal, separation);
        }
    };
    let mut shallow = None;
    for shrink in [0.98, 0.8, 0.5] {
        let shrunk = Question {
            shrink,
            accuracy: COARSE,
            ..question(line, f64::INFINITY)
        };
        if let Distance::Apart(closest) = gjk::distance(pair, &shrunk) {
            offer(closest.normal);
            shallow = Some(closest.normal);
            break;
        }
    }
    faces::normals(&pair.first, line, &mut offer);
    let to_first = -pair.in_second(line);
    faces::normals(&pair.second, to_first, |normal| {
        offer(-(pair.rotation * normal))
    });
    let across = DVec3::Z.cross(pair.rotation.z_axis);
    if let Some(normal) = across.try_normalize() {
        offer(normal);
        offer(-normal);
    }
    let mut closest = climb(pair, best.0, COARSE);
    for start in [Some(next.0), shallow].into_iter().flatten() {
        if start.dot(best.0) < 0.999 && start.dot(closest.normal) < 0.999 {
            let other = climb(pair, start, COARSE);
            if other.distance > closest.distance {
                closest = other;
            }
        }
    }
    climb(pair, closest.normal, FINE)
}

/// The question for the distance of the cores as they are.
fn question(start: DVec3, limit: f64) -> Question {
    Question {
        start,
        shift: DVec3::ZERO,
        shrink: 1.0,
        limit,
        accuracy: FINE,
    }
}

/// Climbs to a local maximum of s, on the whole sphere of normals if the cores are separate.
///
/// Move the second core by δ n, far enough that the cores are separate; let n' be the normal of their distance d'.
/// As d' is the largest separation of the moved cores, d' = s(n') + δ n·n' ≥ s(n) + δ. Hence
/// s(n') ≥ s(n) + δ (1 − n·n'): every step climbs until n' = n, where the two points of contact lie on one line along
/// the normal. On smooth surfaces of radii R the error of n shrinks by δ / (ΣR + gap + δ) a step. Unlike the normal
/// of the distance itself this one is well conditioned at touch, because the moved cores are apart.
fn climb(pair: &Pair, start: DVec3, accuracy: f64) -> Closest {
    let size = pair.size();
    let mut normal = start;
    let mut height = pair.separation(normal);
    // Turns below the root of the accuracy mean nothing.
    let still = 10.0 * accuracy;
    let mut closest = Closest {
        normal,
        distance: height,
        on_first: pair.support_first(normal),
        on_second: pair.support_second(normal),
    };
    for step in 0..12 {
        let shift = ((-height).max(0.0) + 0.05 * size) * normal;
        let moved = Question {
            shift,
            accuracy,
            ..question(normal, f64::INFINITY)
        };
        let Distance::Apart(moved) = gjk::distance(pair, &moved) else {
            break;
        };
        let new_height = pair.separation(moved.normal);
        let turned = (moved.normal - normal).length_squared();
        // The first step is taken even if rounding lowers it: only then do the two points face each other.
        if step > 0 && new_height < height - 1e-13 * size {
            break;
        }
        normal = moved.normal;
        height = new_height;
        closest = Closest {
            normal,
            distance: height,
            on_first: moved.on_first,
            on_second: moved.on_second - shift,
        };
        if turned < still {
            break;
        }
    }
    closest
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
