//! The normal of largest separation of two convex cores: Newton's method on the sphere of normals.

use super::cuts::{Cut, Quadratic, Top, maximum};
use super::side::{self, Piece, Side};
use super::support::Pair;
use glam::{DVec2, DVec3};

/// Smooth pairs need about five, polyhedra two or three.
const STEPS: usize = 60;
/// After a turn below this the normal is final.
const STILL: f64 = 1e-9;
/// After a turn below this, too, if it is of the order of the square of the turn before: the next one would be of the
/// order of its own square.
const NEARLY_STILL: f64 = 3e-6;

/// A normal of locally largest separation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    /// Unit vector from the first to the second.
    pub normal: DVec3,
    /// Separation along it: the distance of separate cores, minus the depth of overlapping ones.
    pub distance: f64,
    /// On the first core.
    pub on_first: DVec3,
    /// On the second core.
    pub on_second: DVec3,
}

/// Climbs from a unit vector to a local maximum of the separation s, the global one if it is positive; `None` as soon
/// as a separation is above the limit.
///
/// s(x) = c·x − h_A(x) − h_B(−x) grows in proportion to |x|, so that on the sphere s(n + d)/|n + d| is, up to third
/// order, s(n + d) − ½ s |d|². In the tangent plane its model keeps the corners of both solids exactly and takes the
/// second derivative of their smooth parts: a [`maximum`] of planes less a quadratic. Hence the normal of a face or of
/// two edges is reached in a finite number of steps, that of smooth parts with quadratic convergence. A step that does
/// not climb is halved. The weights of the planes tell which points of flat parts face each other.
pub(super) fn climb(pair: &Pair, start: DVec3, limit: f64) -> Option<Closest> {
    let size = pair.size();
    let mut n = start;
    let mut s = pair.separation(n);
    // The rim of a cone bends with the weight that it had in the last model; at first it is in or out.
    let mut rim_weights: Option<[f64; 2]> = None;
    let mut closest = None;
    let mut last: Option<Top> = None;
    let mut before = 0.0;
    for _ in 0..STEPS {
        if s > limit {
            return None;
        }
        if let Some(axis) = round_axis(pair, n, s) {
            n = axis;
            s = pair.separation(n);
        }
        let (u, v) = n.any_orthonormal_pair();
        let first = Side::new(&pair.first, n, u, v);
        let turned = |x| -pair.in_second(x);
        let second = Side::new(&pair.second, turned(n), turned(u), turned(v));
        let [rim_a, rim_b] = rim_weights.unwrap_or_else(|| {
            [&first, &second].map(|side| f64::from(u8::from(side.piece(DVec2::ZERO).rim)))
        });
        let (a, b) = (first.smooth(rim_a), second.smooth(rim_b));
        let h = Quadratic::positive(a.uu + b.uu + s, a.uv + b.uv, a.vv + b.vv + s, 1e-9 * size);
        let (value, slope) = {
            let (va, sa) = first.coordinates(a.point);
            let (vb, sb) = second.coordinates(b.point);
            let across = DVec2::new(pair.offset.dot(u), pair.offset.dot(v));
            (pair.offset.dot(n) - va - vb, across - sa - sb)
        };
        let cut_of = |pieces: [Piece; 2]| {
            let (va, sa) = first.coordinates(pieces[0].point);
            let (vb, sb) = second.coordinates(pieces[1].point);
            Cut {
                value: value - va - vb,
                slope: slope - sa - sb,
                pieces,
            }
        };
        let mut known = [Cut::default(); 3];
        let mut count = 0;
        for (_, old) in last.iter().flat_map(Top::weighted) {
            let pieces = (first.renewed(old.pieces[0]), second.renewed(old.pieces[1]));
            if let (Some(a), Some(b)) = pieces {
                known[count] = cut_of([a, b]);
                count += 1;
            }
        }
        let top = maximum(&h, 1e-14 * size, &known[..count], |d| {
            cut_of([first.piece(d), second.piece(d)])
        });
        last = Some(top);
        let (mut on_first, mut on_second) = (a.point, b.point);
        let mut rims = [0.0; 2];
        for (weight, cut) in top.weighted() {
            on_first += weight * cut.pieces[0].point;
            on_second += weight * cut.pieces[1].point;
            for k in 0..2 {
                rims[k] += if cut.pieces[k].rim { weight } else { 0.0 };
            }
        }
        rim_weights = Some(rims);
        closest = Some(Closest {
            normal: n,
            distance: s,
            on_first,
            on_second: pair.rotation * on_second + pair.offset,
        });
        let turn = top.turn();
        let length = turn.length();
        if !(length.is_finite() && length > 0.0) {
            break;
        }
        // A quarter turn, about, is the most that a model in the tangent plane can mean.
        let mut d = (turn.x * u + turn.y * v) * (4.0 / length).min(1.0);
        let mut climbed = false;
        for _ in 0..40 {
            let new = (n + d).normalize();
            let new_s = pair.separation(new);
            if new_s >= s - 1e-15 * size {
                climbed = true;
                (n, s) = (new, new_s);
                break;
            }
            d *= 0.5;
        }
        let squaring = length < NEARLY_STILL && length < 10.0 * before * before;
        if !climbed || length < STILL || squaring {
            break;
        }
        before = length;
    }
    closest.map(|closest| Closest {
        normal: n,
        distance: s,
        ..closest
    })
}

/// The axis of a round face close to n, if it separates no worse.
fn round_axis(pair: &Pair, n: DVec3, s: f64) -> Option<DVec3> {
    let axes = [
        side::round_axis(&pair.first, n),
        side::round_axis(&pair.second, -pair.in_second(n)).map(|axis| -(pair.rotation * axis)),
    ];
    axes.into_iter()
        .flatten()
        .find(|&axis| axis != n && pair.separation(axis) >= s)
}
