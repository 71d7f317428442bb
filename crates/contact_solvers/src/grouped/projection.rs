//! Steps of four or eight contacts onto their friction cones, without tangents; the cone needs the normal only.
//!
//! All cases are computed and one is chosen. What waits for a square root or a division is kept short: several passes are bound
//! by this chain, not by the number of instructions.

use super::lanes::{dot, minus, plus, times};
use super::machine::{Arithmetic, Wide, WideVector};

/// The projection of x − G⁻¹u onto the friction cone in the metric G, of which the inverse weights are given.
#[inline(always)]
pub(super) fn projected_step<M: Arithmetic>(
    n: WideVector<M>,
    friction: Wide<M>,
    [normal, tangential]: [Wide<M>; 2],
    u: WideVector<M>,
    x: WideVector<M>,
) -> WideVector<M> {
    let (u_n, x_n) = (dot(n, u), dot(n, x));
    let aim = minus(x, times(tangential, u));
    let sideways = minus(aim, times(x_n - tangential * u_n, n));
    let height = x_n - normal * u_n;
    let length = dot(sideways, sideways).square_root();
    // See `cones::disc_cone::project_friction_weighted`.
    let pull = normal * friction;
    let whole = Wide::all(n[0].0, 1.0) / (tangential + pull * friction);
    let outer = (tangential * height + pull * length) * whole;
    let [rise, shrink] = onto_cone(friction, height, length, outer);
    plus(times(rise, n), times(shrink, sideways))
}

/// What is to be projected: its part along the normal, the rest and the square of its length.
#[derive(Clone, Copy)]
pub(super) struct Aim<M: Arithmetic> {
    height: Wide<M>,
    sideways: WideVector<M>,
    squared: Wide<M>,
}

impl<M: Arithmetic> Aim<M> {
    #[inline(always)]
    pub fn new(n: WideVector<M>, aim: WideVector<M>) -> Self {
        let height = dot(n, aim);
        let sideways = minus(aim, times(height, n));
        Self {
            height,
            sideways,
            squared: dot(sideways, sideways),
        }
    }

    /// The projection onto the friction cone.
    #[inline(always)]
    pub fn projection(self, n: WideVector<M>, friction: Wide<M>) -> WideVector<M> {
        let [rise, shrink] = self.onto_cone(friction);
        plus(times(rise, n), times(shrink, self.sideways))
    }

    /// What the projection takes away; exactly zero inside the cone.
    #[inline(always)]
    pub fn outside(self, n: WideVector<M>, friction: Wide<M>) -> WideVector<M> {
        let [rise, shrink] = self.onto_cone(friction);
        let left = Wide::all(friction.0, 1.0) - shrink;
        plus(times(self.height - rise, n), times(left, self.sideways))
    }

    #[inline(always)]
    fn onto_cone(self, friction: Wide<M>) -> [Wide<M>; 2] {
        let (height, length) = (self.height, self.squared.square_root());
        let one = Wide::all(friction.0, 1.0);
        let whole = one / (one + friction * friction);
        let outer = (height + friction * length) * whole;
        onto_cone(friction, height, length, outer)
    }
}

/// Chooses between the aim itself, the surface of the cone, whose point nearest to the aim has the height `outer`, and the apex: the
/// height of the projection, and the factor on what is sideways.
#[inline(always)]
fn onto_cone<M: Arithmetic>(
    friction: Wide<M>,
    height: Wide<M>,
    length: Wide<M>,
    outer: Wide<M>,
) -> [Wide<M>; 2] {
    let (zero, one) = (Wide::all(friction.0, 0.0), Wide::all(friction.0, 1.0));
    // NaN passes through.
    let root = outer.at_most(zero, zero, outer);
    let bound = root * (friction / divisor(length));
    let highest = friction * height;
    let shrink = zero.at_most(height, length.at_most(highest, one, bound), bound);
    let rise = zero.at_most(height, length.at_most(highest, height, root), root);
    [rise, shrink]
}

/// A visit under Coulomb's law: first the normal impulse, then the tangential one on the disc that the new normal
/// impulse allows. It leaves the same impulses alone as `projected_step` with De Saxcé's û does, but a contact that does not slide at
/// the end does not disturb the normal impulses while it still moves.
#[inline(always)]
pub(super) fn step_on_disc<M: Arithmetic>(
    n: WideVector<M>,
    friction: Wide<M>,
    [normal, tangential]: [Wide<M>; 2],
    u: WideVector<M>,
    x: WideVector<M>,
) -> WideVector<M> {
    let (zero, one) = (Wide::all(n[0].0, 0.0), Wide::all(n[0].0, 1.0));
    let (u_n, x_n) = (dot(n, u), dot(n, x));
    let aim = x_n - normal * u_n;
    // NaN passes through.
    let height = aim.at_most(zero, zero, aim);
    let whole = minus(x, times(tangential, u));
    let sideways = minus(whole, times(x_n - tangential * u_n, n));
    let length = dot(sideways, sideways).square_root();
    let bound = friction * height;
    let shrink = length.at_most(bound, one, bound / divisor(length));
    plus(times(height, n), times(shrink, sideways))
}

/// A length of zero must not be divided by; nothing is shrunk then.
#[inline(always)]
fn divisor<M: Arithmetic>(length: Wide<M>) -> Wide<M> {
    let least = Wide::all(length.0, f64::MIN_POSITIVE);
    length.at_most(least, least, length)
}
