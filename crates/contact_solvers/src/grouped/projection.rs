//! Steps of four or eight contacts onto their friction cones, without tangents; the cone needs the normal only.
//!
//! All cases are computed and one is chosen. What waits for a square root or a division is kept short: several passes are bound
//! by this chain, not by the number of instructions.

use super::alike::OfSome;
use super::lanes::{Lanes, dot, minus, plus, times};
use super::machine::{Arithmetic, Stride, Wide, WideVector};

/// The friction cones of one or two groups.
#[derive(Clone, Copy)]
pub(super) struct Opening<M: Arithmetic> {
    pub friction: Wide<M>,
    /// 1/(1 + μ²).
    whole: Wide<M>,
}

impl<M: Arithmetic> Opening<M> {
    #[inline(always)]
    fn new(friction: Wide<M>) -> Self {
        let one = Wide::all(friction.0, 1.0);
        Self {
            friction,
            whole: one / (one + friction * friction),
        }
    }
}

/// The friction cones of some groups. Where all are alike, nothing is divided more than once.
pub(super) struct Openings<'a, S: Stride> {
    stride: S,
    frictions: OfSome<'a, Lanes>,
    one: Option<Opening<S>>,
}

impl<'a, S: Stride> Openings<'a, S> {
    #[inline(always)]
    pub fn new(stride: S, frictions: OfSome<'a, Lanes>) -> Self {
        #[expect(
            clippy::manual_map,
            reason = "a closure would not have the instructions of the machine"
        )]
        let one = match frictions.one() {
            Some(all) => Some(Opening::new(Wide::of_groups(stride, [all; 2]))),
            None => None,
        };
        Self {
            stride,
            frictions,
            one,
        }
    }

    /// Those of the groups that begin with the given one.
    #[inline(always)]
    pub fn at(&self, first: usize) -> Opening<S> {
        match self.one {
            Some(opening) => opening,
            None => {
                let last = first + S::GROUPS - 1;
                let friction = [self.frictions.at(first), self.frictions.at(last)];
                Opening::new(Wide::of_groups(self.stride, friction))
            }
        }
    }
}

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
    pub fn projection(self, n: WideVector<M>, cone: Opening<M>) -> WideVector<M> {
        let [rise, shrink] = self.onto_cone(cone);
        plus(times(rise, n), times(shrink, self.sideways))
    }

    /// What the projection takes away; exactly zero inside the cone.
    #[inline(always)]
    pub fn outside(self, n: WideVector<M>, cone: Opening<M>) -> WideVector<M> {
        let [rise, shrink] = self.onto_cone(cone);
        let left = Wide::all(cone.friction.0, 1.0) - shrink;
        plus(times(self.height - rise, n), times(left, self.sideways))
    }

    #[inline(always)]
    fn onto_cone(self, Opening { friction, whole }: Opening<M>) -> [Wide<M>; 2] {
        let (height, length) = (self.height, self.squared.square_root());
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
