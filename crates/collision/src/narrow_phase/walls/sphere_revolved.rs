//! A sphere against a container that is round about the z axis, exactly: in the half-plane through the axis and the
//! sphere's centre the walls are a polygon, and the sphere touches where the distance from it is locally smallest.

use super::revolved::Room;
use crate::narrow_phase::mesh::Touch;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Rounding, relative to the lengths compared.
const ROUNDING: f64 = 1e-9;

/// The most places: an edge or a corner for each corner of the polygon.
const MOST: usize = 8;

/// A place of the polygon near the centre.
#[derive(Clone, Copy, Default)]
struct Place {
    feature: u32,
    foot: DVec2,
    outward: DVec2,
    /// From the centre; positive outside.
    distance: f64,
}

pub(super) fn touches(
    room: &Room,
    centre: DVec3,
    radius: f64,
    envelope: f64,
    mut visit: impl FnMut(Touch),
) {
    let radial = DVec3::new(centre.x, centre.y, 0.0);
    let (rho, direction) = (radial.length(), radial.normalize_or(DVec3::X));
    let mut add = |place: &Place, sector: u32, towards: DVec3| {
        let in_space = |p: DVec2| p.x * towards + p.y * DVec3::Z;
        visit(Touch {
            feature: 64 * sector + place.feature,
            foot: in_space(place.foot),
            outward: in_space(place.outward),
            gap: place.distance - radius,
        });
    };
    let mut found = [Place::default(); MOST];
    let most = radius + envelope;
    let count = places(room.profile(), DVec2::new(rho, centre.z), most, &mut found);
    for place in &found[..count] {
        add(place, 0, direction);
    }
    // A sphere as wide as the room, or stuck in a funnel, touches all around: two more points, each with the plane that
    // touches the wall there, of which the centre's distance is that of (ρ cos φ, z) from the polygon.
    for sector in 1..3 {
        let angle = TAU * sector as f64 / 3.0;
        let point = DVec2::new(-0.5 * rho, centre.z);
        let count = places(room.profile(), point, most, &mut found);
        for place in &found[..count] {
            if place.outward.x < -ROUNDING && place.distance >= 0.0 {
                let towards = direction * angle.cos() + DVec3::Z.cross(direction) * angle.sin();
                add(place, sector, towards);
            }
        }
    }
}

/// Local minima of the distance of a point from a polygon, up to a largest distance; only the nearest one for a point
/// inside. Their number.
fn places(profile: &[DVec2], centre: DVec2, most: f64, found: &mut [Place; MOST]) -> usize {
    let n = profile.len();
    let edge = |i: usize| (profile[i % n], profile[(i + 1) % n]);
    // Of two corners on the axis, the edge between them is inside the solid of revolution.
    let real = |i: usize| edge(i).0.x > 0.0 || edge(i).1.x > 0.0;
    let normal = |i: usize| {
        let along = edge(i).1 - edge(i).0;
        DVec2::new(along.y, -along.x).normalize_or_zero()
    };
    let mut count = 0;
    for i in (0..n).filter(|&i| real(i)) {
        let (p, q) = edge(i);
        let along = q - p;
        let t = along.dot(centre - p) / along.length_squared();
        // A corner on the axis is the middle of a disc.
        let after_start = t > 0.0 || (p.x == 0.0 && !real(i + n - 1) && t >= -ROUNDING);
        let before_end = t < 1.0 || (q.x == 0.0 && !real(i + 1) && t <= 1.0 + ROUNDING);
        let (feature, foot, pseudonormal) = if after_start && before_end {
            (2 * i, p + t * along, normal(i))
        } else if !after_start && real(i + n - 1) {
            // The corner before: it counts when the edge before does not come nearer.
            let before = edge(i + n - 1);
            let back = before.0 - before.1;
            if back.dot(centre - p) > ROUNDING * back.length_squared() {
                continue;
            }
            let sum = normal(i) + normal(i + n - 1);
            (2 * i + 1, p, sum.normalize_or(normal(i)))
        } else {
            continue;
        };
        let line = centre - foot;
        let distance = line.length();
        if distance > most {
            continue;
        }
        let side = if line.dot(pseudonormal) >= 0.0 {
            1.0
        } else {
            -1.0
        };
        let on_edge = feature % 2 == 0;
        let outward = if on_edge || distance <= ROUNDING * along.length() {
            pseudonormal
        } else {
            side * line / distance
        };
        if count < MOST {
            found[count] = Place {
                feature: feature as u32,
                foot,
                outward,
                distance: side * distance,
            };
            count += 1;
        }
    }
    let nearer = |best: usize, k: usize| {
        if found[k].distance.abs() < found[best].distance.abs() {
            k
        } else {
            best
        }
    };
    let nearest = (0..count).fold(0, nearer);
    if count > 0 && found[nearest].distance < 0.0 {
        found[0] = found[nearest];
        return 1;
    }
    let mut outside = 0;
    for k in 0..count {
        if found[k].distance >= 0.0 {
            found[outside] = found[k];
            outside += 1;
        }
    }
    outside
}
