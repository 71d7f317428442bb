//! What is done to four contacts at once.
//!
//! A group's four contacts have no body in common: their visits do not see each other, and doing them at once is
//! the same as one after another. Impulses and velocities are vectors in the world frame; the cone needs the normal
//! only, and no tangents are computed.

use super::arms::{Arms, BallArms, Body, FreeArms, Group, Inertia};
use super::lanes::{Lanes, Rows, Vector, at, dot, minus, plus, row, set, times};
use super::layers::Found;
use multiversion::multiversion;

/// The projection of x − G⁻¹û onto the friction cone in the metric G, of which the inverse weights are given; û = u
/// under the relaxed law and u + μ|u_T| n under Coulomb's.
#[inline(always)]
pub(super) fn projected_step<const COULOMB: bool>(
    n: [f64; 3],
    friction: f64,
    [normal, tangential]: [f64; 2],
    u: [f64; 3],
    x: [f64; 3],
) -> [f64; 3] {
    let mut u_n = dot(n, u);
    let x_n = dot(n, x);
    let aim = minus(x, times(tangential, u));
    let sideways = minus(aim, times(x_n - tangential * u_n, n));
    if COULOMB {
        let slip = minus(u, times(u_n, n));
        u_n += friction * dot(slip, slip).sqrt();
    }
    let height = x_n - normal * u_n;
    let length = dot(sideways, sideways).sqrt();
    // See `cones::disc_cone::project_friction_weighted`: all cases are computed, one is chosen.
    let pull = normal * friction;
    let numerator = tangential * height + pull * length;
    let outer = numerator / (tangential + pull * friction);
    let root = if numerator <= 0.0 { 0.0 } else { outer };
    let inside = (height >= 0.0) & (length <= friction * height);
    let bound = friction * root / divisor(length);
    let shrink = if inside { 1.0 } else { bound };
    let rise = if inside { height } else { root };
    plus(times(rise, n), times(shrink, sideways))
}

/// A visit under Coulomb's law: first the normal impulse, then the tangential one on the disc that the new normal
/// impulse allows. It leaves the same impulses alone as `projected_step` does, but a contact that does not slide at
/// the end does not disturb the normal impulses while it still moves.
#[inline(always)]
fn step_on_disc(
    n: [f64; 3],
    friction: f64,
    [normal, tangential]: [f64; 2],
    u: [f64; 3],
    x: [f64; 3],
) -> [f64; 3] {
    let (u_n, x_n) = (dot(n, u), dot(n, x));
    let aim = x_n - normal * u_n;
    // NaN passes through.
    let height = if aim <= 0.0 { 0.0 } else { aim };
    let whole = minus(x, times(tangential, u));
    let sideways = minus(whole, times(x_n - tangential * u_n, n));
    let length = dot(sideways, sideways).sqrt();
    let bound = friction * height;
    let shrink = if length <= bound {
        1.0
    } else {
        bound / divisor(length)
    };
    plus(times(height, n), times(shrink, sideways))
}

/// A length of zero must not be divided by; nothing is shrunk then.
#[inline(always)]
fn divisor(length: f64) -> f64 {
    if length > f64::MIN_POSITIVE {
        length
    } else {
        f64::MIN_POSITIVE
    }
}

/// The impulses that a sweep reads and writes, by groups.
pub(crate) struct Iterates<'a> {
    /// x_k.
    pub now: &'a [Vector],
    /// x_{k−1}; under Coulomb's law that stands in `next`, and nothing is read here.
    pub before: &'a [Vector],
    /// The first sweep of an iteration writes it, the second improves it: x_{k+1}. Coulomb's law asks no more for x_{k−1} after
    /// the first visit, which writes over it.
    pub next: &'a mut [Vector],
}

/// Which sweep of which kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    pub coulomb: bool,
    /// The first sweep begins at y = x_k + β (x_k − x_{k−1}), the second where the first ended.
    pub first: bool,
    pub forward: bool,
    pub beta: f64,
}

/// What a visit of four contacts computes.
#[derive(Default)]
struct Visit<T> {
    /// The new impulses.
    new: Vector,
    /// Their changes …
    force: Rows,
    /// … and what these turn.
    torque: T,
    /// The part of (y − x_{k+1})ᵀ G (x_{k+1} − x_k); zero under Coulomb's law, which does not ask for it.
    along: Lanes,
}

/// Visits four contacts. The loop becomes vector instructions as a whole: it is too long to be unrolled before, and
/// `visit`, as an argument, is known to overlap with nothing that is read. Written into its caller it stayed scalar.
#[inline(always)]
fn visit_four<A: Arms, const COULOMB: bool, const FIRST: bool>(
    group: &Group<A>,
    motion: &A::Motion,
    [now, before, middle]: [&Vector; 3],
    beta: f64,
    visit: &mut Visit<A::Torque>,
) {
    for lane in 0..4 {
        let n = at(&group.normal, lane);
        let old = at(now, lane);
        let start = plus(old, times(beta, minus(old, at(before, lane))));
        let x = if FIRST { start } else { at(middle, lane) };
        let u = plus(A::velocity(group, motion, lane), at(&group.free, lane));
        let normal = group.inverse_metric[0].0[lane];
        let tangential = group.inverse_metric[1].0[lane];
        let friction = group.friction.0[lane];
        let metric = [normal, tangential];
        let z = if COULOMB {
            step_on_disc(n, friction, metric, u, x)
        } else {
            projected_step::<false>(n, friction, metric, u, x)
        };
        set(&mut visit.new, lane, z);
        let change = minus(z, x);
        visit.force[lane] = row(change);
        A::torque(group, change, lane, &mut visit.torque);
        if !FIRST && !COULOMB {
            let (left, right) = (minus(start, z), minus(z, old));
            let along_n = dot(n, left) * dot(n, right);
            let along_t = dot(left, right) - along_n;
            visit.along.0[lane] = (along_n * tangential + along_t * normal) / (normal * tangential);
        }
    }
}

/// One sweep over all groups. The second sweep answers with (y − x_{k+1})ᵀ G (x_{k+1} − x_k) under the relaxed law.
#[inline(always)]
fn sweep<A: Arms, const COULOMB: bool, const FIRST: bool>(
    groups: &[Group<A>],
    inertias: &[Inertia],
    sweep: Sweep,
    iterates: &mut Iterates,
    bodies: &mut [Body],
) -> f64 {
    let count = groups.len();
    let (now, before) = (&iterates.now[..count], &iterates.before[..count]);
    let next = &mut iterates.next[..count];
    let beta = sweep.beta;
    let mut along = Lanes::default();
    for k in 0..count {
        let index = if sweep.forward { k } else { count - 1 - k };
        let (group, now) = (&groups[index], &now[index]);
        let middle = next[index];
        let before = if COULOMB { &middle } else { &before[index] };
        let motion = A::gather(group, bodies);
        let mut visit = Visit::<A::Torque>::default();
        visit_four::<A, COULOMB, FIRST>(group, &motion, [now, before, &middle], beta, &mut visit);
        let Visit {
            new,
            force,
            torque,
            along: part,
        } = visit;
        for lane in 0..4 {
            along.0[lane] += part.0[lane];
        }
        next[index] = new;
        A::push(group, inertias, &force, &torque, bodies);
    }
    along.sum()
}

#[inline(always)]
fn any_sweep<A: Arms>(
    groups: &[Group<A>],
    inertias: &[Inertia],
    kind: Sweep,
    iterates: &mut Iterates,
    bodies: &mut [Body],
) -> f64 {
    match (kind.coulomb, kind.first) {
        (false, false) => sweep::<A, false, false>(groups, inertias, kind, iterates, bodies),
        (false, true) => sweep::<A, false, true>(groups, inertias, kind, iterates, bodies),
        (true, false) => sweep::<A, true, false>(groups, inertias, kind, iterates, bodies),
        (true, true) => sweep::<A, true, true>(groups, inertias, kind, iterates, bodies),
    }
}

/// One sweep over groups of balls.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn sweep_balls(
    groups: &[Group<BallArms>],
    kind: Sweep,
    iterates: &mut Iterates,
    bodies: &mut [Body],
) -> f64 {
    any_sweep(groups, &[], kind, iterates, bodies)
}

/// One sweep over groups of any bodies.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn sweep_bodies(
    groups: &[Group<FreeArms>],
    inertias: &[Inertia],
    kind: Sweep,
    iterates: &mut Iterates,
    bodies: &mut [Body],
) -> f64 {
    any_sweep(groups, inertias, kind, iterates, bodies)
}

/// What four contacts are judged by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge {
    /// g of each; 1 for the natural map.
    pub weight: Lanes,
    /// One over how fast each may approach; zero if that is not limited.
    pub inverse_limit: Lanes,
}

/// What one pass finds of given impulses; sums over all contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// Σ g ‖x − Π(x − û/g)‖².
    pub map: f64,
    pub impulse_squared: f64,
    pub velocity_squared: f64,
    /// Σ xᵀ(u + r), twice the objective.
    pub work: f64,
    /// The largest −u_N over what is allowed, at least zero.
    pub approach: f64,
}

impl Found for Sums {
    fn add(self, other: Self) -> Self {
        Self {
            map: self.map + other.map,
            impulse_squared: self.impulse_squared + other.impulse_squared,
            velocity_squared: self.velocity_squared + other.velocity_squared,
            work: self.work + other.work,
            approach: self.approach.max(other.approach),
        }
    }
}

#[inline(always)]
fn sums<A: Arms, const COULOMB: bool>(
    groups: &[Group<A>],
    judges: &[Judge],
    impulses: &[Vector],
    bodies: &[Body],
) -> Sums {
    let (judges, impulses) = (&judges[..groups.len()], &impulses[..groups.len()]);
    let mut sums = [Lanes::default(); 4];
    let mut approach = Lanes::default();
    for (k, group) in groups.iter().enumerate() {
        let motion = A::gather(group, bodies);
        for lane in 0..4 {
            let (x, g) = (at(&impulses[k], lane), judges[k].weight.0[lane]);
            let free = at(&group.free, lane);
            let u = plus(A::velocity(group, &motion, lane), free);
            let n = at(&group.normal, lane);
            let z = projected_step::<COULOMB>(n, group.friction.0[lane], [1.0 / g; 2], u, x);
            let map = minus(x, z);
            sums[0].0[lane] += g * dot(map, map);
            sums[1].0[lane] += dot(x, x);
            sums[2].0[lane] += dot(u, u);
            sums[3].0[lane] += dot(x, plus(u, free));
            let share = -dot(n, u) * judges[k].inverse_limit.0[lane];
            let so_far = approach.0[lane];
            approach.0[lane] = if share > so_far { share } else { so_far };
        }
    }
    let [map, impulse_squared, velocity_squared, work] = sums.map(Lanes::sum);
    Sums {
        map,
        impulse_squared,
        velocity_squared,
        work,
        approach: approach.0.into_iter().fold(0.0, f64::max),
    }
}

/// The sums over groups of balls, with what each contact is judged by.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn sums_of_balls(
    groups: &[Group<BallArms>],
    judges: &[Judge],
    impulses: &[Vector],
    bodies: &[Body],
    coulomb: bool,
) -> Sums {
    if coulomb {
        sums::<_, true>(groups, judges, impulses, bodies)
    } else {
        sums::<_, false>(groups, judges, impulses, bodies)
    }
}

/// The sums over groups of any bodies.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn sums_of_bodies(
    groups: &[Group<FreeArms>],
    judges: &[Judge],
    impulses: &[Vector],
    bodies: &[Body],
    coulomb: bool,
) -> Sums {
    if coulomb {
        sums::<_, true>(groups, judges, impulses, bodies)
    } else {
        sums::<_, false>(groups, judges, impulses, bodies)
    }
}

/// Adds what impulses do to the velocities.
#[inline(always)]
fn push_all<A: Arms>(
    groups: &[Group<A>],
    inertias: &[Inertia],
    impulses: &[Vector],
    bodies: &mut [Body],
) {
    for (group, x) in groups.iter().zip(impulses) {
        let mut force = Rows::default();
        let mut torque = A::Torque::default();
        for lane in 0..4 {
            force[lane] = row(at(x, lane));
            A::torque(group, at(x, lane), lane, &mut torque);
        }
        A::push(group, inertias, &force, &torque, bodies);
    }
}

/// Adds what the impulses of groups of balls do to the velocities.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn push_balls(groups: &[Group<BallArms>], impulses: &[Vector], bodies: &mut [Body]) {
    push_all(groups, &[], impulses, bodies);
}

/// Adds what the impulses of groups of any bodies do to the velocities.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn push_bodies(
    groups: &[Group<FreeArms>],
    inertias: &[Inertia],
    impulses: &[Vector],
    bodies: &mut [Body],
) {
    push_all(groups, inertias, impulses, bodies);
}
