//! The distance of two separate convex cores: the algorithm of Gilbert, Johnson and Keerthi (1988).

use super::simplex::{Simplex, Vertex};
use super::support::Pair;
use glam::DVec3;

/// Best relative accuracy of the squared distance. The normal of a smooth pair is accurate to its root.
pub(super) const FINE: f64 = 1e-14;
/// Accuracy on the way to a better guess.
pub(super) const COARSE: f64 = 1e-8;
/// Polyhedra end long before; smooth shapes gain about a digit in three iterations.
const ITERATIONS: usize = 80;

/// Closest points of two separate cores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    /// Unit vector from the first to the second.
    pub normal: DVec3,
    /// Distance.
    pub distance: f64,
    /// On the first core.
    pub on_first: DVec3,
    /// On the second core, where it was moved to.
    pub on_second: DVec3,
}

/// What is known of the distance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Distance {
    /// More than the limit.
    Beyond,
    /// Within the limit.
    Apart(Closest),
    /// None at all: the cores share a point.
    Overlap,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// A guess of the normal.
    pub start: DVec3,
    /// How far the second core is moved.
    pub shift: DVec3,
    /// Both cores are shrunk about their centres by this factor.
    pub shrink: f64,
    /// No answer is wanted beyond this distance.
    pub limit: f64,
    /// [`FINE`] or [`COARSE`].
    pub accuracy: f64,
}

/// The distance of two cores.
///
/// In the set D of all differences b − a the closest point v to the origin is sought: the closest point of a simplex
/// of points of D, to which the point of D farthest against v is added until none is farther.
pub(super) fn distance(pair: &Pair, question: &Question) -> Distance {
    let &Question {
        start,
        shift,
        shrink,
        limit,
        accuracy,
    } = question;
    let second_centre = pair.rotation * pair.second.centre + pair.offset;
    let vertex = |direction: DVec3| {
        let mut a = pair.support_first(direction);
        let mut b = pair.support_second(direction);
        if shrink != 1.0 {
            a = pair.first.centre + shrink * (a - pair.first.centre);
            b = second_centre + shrink * (b - second_centre);
        }
        Vertex::new(a, b + shift)
    };
    let mut simplex = Simplex::start(vertex(start));
    let mut v = simplex.closest();
    let mut scale = v.length_squared();
    for _ in 0..ITERATIONS {
        let squared = v.length_squared();
        // At 1e-14 of the shapes v is rounding, and its direction means nothing.
        if squared <= 1e-28 * scale {
            return Distance::Overlap;
        }
        let new = vertex(v);
        let ahead = v.dot(new.difference);
        // All of D lies beyond the plane across v at this height.
        if ahead > 0.0 && ahead * ahead > limit * limit * squared {
            return Distance::Beyond;
        }
        if squared - ahead <= accuracy * squared || simplex.contains(&new) {
            break;
        }
        scale = scale.max(new.difference.length_squared());
        let before = simplex;
        if !simplex.add(new) {
            // A plane that separates the cores is known: the simplex was too flat for rounding.
            if ahead > 0.0 {
                simplex = before;
                break;
            }
            return Distance::Overlap;
        }
        v = simplex.closest();
        // The distance falls in exact arithmetic; where it does not, rounding has the last word.
        if v.length_squared() >= squared {
            simplex = before;
            v = simplex.closest();
            break;
        }
    }
    let length = v.length();
    if length * length <= 1e-28 * scale {
        return Distance::Overlap;
    }
    let (on_first, on_second) = simplex.points();
    Distance::Apart(Closest {
        normal: v / length,
        distance: length,
        on_first,
        on_second,
    })
}
