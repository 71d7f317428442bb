//! A sphere against facets, exactly.
//!
//! From outside, a sphere touches the surface where the distance from its centre is locally smallest: once on a flat
//! floor, two or three times in a valley. A facet's nearest point is such a place if no other facet that shares the
//! edge or corner on which it lies has a nearer one.

use super::facets::{Facet, Region};
use super::{Touch, feature};
use glam::DVec3;

/// Rounding, relative to lengths of the task.
const ROUNDING: f64 = 1e-9;
/// Places nearer to one another than this fraction of the distance, with the same normal, are one.
const SAME_PLACE: f64 = 1e-4;

/// A local minimum of the distance from the centre.
struct Place {
    touch: Touch,
    /// Positive outside.
    distance: f64,
    /// 0 on a face, 1 on an edge, 2 on a corner.
    rank: usize,
}

pub(in crate::narrow_phase) fn touches(
    facets: &[Facet],
    centre: DVec3,
    radius: f64,
    envelope: f64,
    touches: &mut Vec<Touch>,
) {
    let nearest: Vec<(DVec3, Region)> = facets.iter().map(|f| f.nearest(centre)).collect();
    let mut places: Vec<Place> = Vec::new();
    for (i, facet) in facets.iter().enumerate() {
        let (foot, region) = nearest[i];
        let distance = (centre - foot).length();
        if distance > radius + envelope {
            continue;
        }
        let slack = ROUNDING * (distance + facet.length());
        let shared = |other: &Facet| match region {
            Region::Face => false,
            Region::Edge(k) => {
                let ends = [facet.vertices[k], facet.vertices[(k + 1) % 3]];
                ends.iter().all(|v| other.vertices.contains(v))
            }
            Region::Corner(k) => other.vertices.contains(&facet.vertices[k]),
        };
        let around = || facets.iter().zip(&nearest).filter(|(f, _)| shared(f));
        if around().any(|(_, (q, _))| (centre - q).length() < distance - slack) {
            continue;
        }
        // The sum of the normals around an edge or a corner, weighted by the angles there, tells inside from outside.
        let pseudonormal = match region {
            Region::Face => facet.normal,
            Region::Edge(k) => (facet.normal + facet.across[k]).normalize_or(facet.normal),
            Region::Corner(k) => around()
                .map(|(f, _)| angle_at(f, facet.vertices[k]) * f.normal)
                .sum::<DVec3>()
                .normalize_or(facet.normal),
        };
        let line = centre - foot;
        let side = if line.dot(pseudonormal) >= 0.0 {
            1.0
        } else {
            -1.0
        };
        // On the surface itself, and on a face, the surface knows its normal better than a difference of points.
        let outward = if region == Region::Face || distance <= slack {
            pseudonormal
        } else {
            side * line / distance
        };
        let distance = side * distance;
        places.push(Place {
            touch: Touch {
                feature: feature(facet, slot(region)),
                foot,
                outward,
                gap: distance - radius,
            },
            distance,
            rank: match region {
                Region::Face => 0,
                Region::Edge(_) => 1,
                Region::Corner(_) => 2,
            },
        });
    }
    keep(places, touches);
}

/// One of each group of equal places; only the nearest one when the centre is inside.
fn keep(places: Vec<Place>, touches: &mut Vec<Touch>) {
    let Some(nearest) = places.iter().reduce(|best, p| {
        if p.distance.abs() < best.distance.abs() {
            p
        } else {
            best
        }
    }) else {
        return;
    };
    if nearest.distance < 0.0 {
        touches.push(nearest.touch);
        return;
    }
    let mut kept: Vec<&Place> = Vec::new();
    for place in places.iter().filter(|p| p.distance >= 0.0) {
        let same = kept.iter().position(|other| {
            let apart = (place.touch.foot - other.touch.foot).length();
            apart <= SAME_PLACE * place.distance.max(-place.touch.gap)
                && place.touch.outward.dot(other.touch.outward) > 1.0 - SAME_PLACE
        });
        match same {
            None => kept.push(place),
            // A face knows its normal exactly, an edge better than its corner.
            Some(k) if place.rank < kept[k].rank => kept[k] = place,
            Some(_) => {}
        }
    }
    touches.extend(kept.iter().map(|place| place.touch));
}

fn angle_at(facet: &Facet, vertex: u32) -> f64 {
    let k = (0..3).find(|&k| facet.vertices[k] == vertex).unwrap_or(0);
    let corner = facet.corners[k];
    (facet.corners[(k + 1) % 3] - corner).angle_between(facet.corners[(k + 2) % 3] - corner)
}

fn slot(region: Region) -> usize {
    match region {
        Region::Face => 0,
        Region::Edge(k) => 1 + k,
        Region::Corner(k) => 4 + k,
    }
}
