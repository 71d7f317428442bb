//! What is done to four contacts at once.
//!
//! A group's four contacts have no body in common: their visits do not see each other, and doing them at once is
//! the same as one after another. Impulses and velocities are vectors in the world frame; the cone needs the normal
//! only, and no tangents are computed.

use super::lanes::{Lanes, Vector, cross, dot, from_rows, minus, plus, times, to_rows};
use multiversion::multiversion;

/// v, 1/m, ω and, for a ball, 1/I: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Body {
    pub push: [f64; 4],
    pub turn: [f64; 4],
}

/// Three columns of the inverse inertia, with a zero behind each.
pub(crate) type Inertia = [[f64; 4]; 3];

/// Four contacts: 320 bytes and the arms; 96 bytes a contact for balls, 128 for other bodies.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Group<A> {
    pub bodies: [[u32; 4]; 2],
    pub normal: Vector,
    /// r in the world frame.
    pub free: Vector,
    pub friction: Lanes,
    /// 1/g_N and 1/g_T.
    pub inverse_metric: [Lanes; 2],
    pub arms: A,
}

/// How the bodies of a group move its contact points.
pub(crate) trait Arms: Copy {
    /// v_b + ω_b × r_b − v_a − ω_a × r_a.
    fn velocity(group: &Group<Self>, bodies: &[Body]) -> Vector;
    /// Changes the velocities as the impulses `f` on the second bodies do.
    fn push(group: &Group<Self>, inertias: &[Inertia], f: Vector, bodies: &mut [Body]);
}

/// Balls: the arms are ρ_a n and −ρ_b n. Both sides then share the cross product with n.
pub(crate) type BallArms = [Lanes; 2];

impl Arms for BallArms {
    #[inline(always)]
    fn velocity(group: &Group<Self>, bodies: &[Body]) -> Vector {
        let [first, second] = group.bodies;
        let mut linear = [[0.0; 4]; 4];
        let mut angular = [[0.0; 4]; 4];
        for lane in 0..4 {
            let (a, b) = (
                &bodies[first[lane] as usize],
                &bodies[second[lane] as usize],
            );
            let (arm_a, arm_b) = (group.arms[0].0[lane], group.arms[1].0[lane]);
            for k in 0..4 {
                linear[lane][k] = b.push[k] - a.push[k];
                angular[lane][k] = arm_a * a.turn[k] + arm_b * b.turn[k];
            }
        }
        minus(from_rows(linear), cross(from_rows(angular), group.normal))
    }

    #[inline(always)]
    fn push(group: &Group<Self>, _: &[Inertia], f: Vector, bodies: &mut [Body]) {
        let [first, second] = group.bodies;
        let torque = to_rows(cross(group.normal, f));
        let force = to_rows(f);
        for lane in 0..4 {
            let a = &mut bodies[first[lane] as usize];
            let (mass, turn) = (a.push[3], a.turn[3] * group.arms[0].0[lane]);
            for k in 0..4 {
                a.push[k] -= mass * force[lane][k];
                a.turn[k] -= turn * torque[lane][k];
            }
            let b = &mut bodies[second[lane] as usize];
            let (mass, turn) = (b.push[3], b.turn[3] * group.arms[1].0[lane]);
            for k in 0..4 {
                b.push[k] += mass * force[lane][k];
                b.turn[k] -= turn * torque[lane][k];
            }
        }
    }
}

/// Any bodies, any arms.
pub(crate) type FreeArms = [Vector; 2];

impl Arms for FreeArms {
    #[inline(always)]
    fn velocity(group: &Group<Self>, bodies: &[Body]) -> Vector {
        let [first, second] = group.bodies;
        let mut linear = [[0.0; 4]; 4];
        let mut turns = [[[0.0; 4]; 4]; 2];
        for lane in 0..4 {
            let (a, b) = (
                &bodies[first[lane] as usize],
                &bodies[second[lane] as usize],
            );
            for k in 0..4 {
                linear[lane][k] = b.push[k] - a.push[k];
            }
            turns[0][lane] = a.turn;
            turns[1][lane] = b.turn;
        }
        let [a, b] = turns.map(from_rows);
        let turning = minus(cross(b, group.arms[1]), cross(a, group.arms[0]));
        plus(from_rows(linear), turning)
    }

    #[inline(always)]
    fn push(group: &Group<Self>, inertias: &[Inertia], f: Vector, bodies: &mut [Body]) {
        let force = to_rows(f);
        for side in 0..2 {
            let sign = if side == 0 { -1.0 } else { 1.0 };
            let torque = to_rows(cross(group.arms[side], f));
            for lane in 0..4 {
                let index = group.bodies[side][lane] as usize;
                let body = &mut bodies[index];
                let [x, y, z] = inertias[index];
                let [tx, ty, tz, _] = torque[lane].map(|t| sign * t);
                let mass = sign * body.push[3];
                for k in 0..4 {
                    body.push[k] += mass * force[lane][k];
                    body.turn[k] += x[k] * tx + y[k] * ty + z[k] * tz;
                }
            }
        }
    }
}

/// The projection of x − G⁻¹û onto the friction cone in the metric G, of which the inverse weights are given; û = u
/// under the relaxed law and u + μ|u_T| n under Coulomb's.
#[inline(always)]
fn projected_step<const COULOMB: bool>(
    n: Vector,
    friction: Lanes,
    [normal, tangential]: [Lanes; 2],
    u: Vector,
    x: Vector,
) -> Vector {
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
    let bound = friction * height;
    let mut root = outer;
    for k in 0..4 {
        root.0[k] = if numerator.0[k] <= 0.0 {
            0.0
        } else {
            outer.0[k]
        };
    }
    let mut shrink = friction * root / length.positive();
    for k in 0..4 {
        let inside = height.0[k] >= 0.0 && length.0[k] <= bound.0[k];
        root.0[k] = if inside { height.0[k] } else { root.0[k] };
        shrink.0[k] = if inside { 1.0 } else { shrink.0[k] };
    }
    plus(times(root, n), times(shrink, sideways))
}

/// The impulses that a sweep reads and writes, by groups.
pub(crate) struct Iterates<'a> {
    /// x_k.
    pub now: &'a [Vector],
    /// x_{k−1}.
    pub before: &'a [Vector],
    /// The first sweep of an iteration writes it, the second improves it: x_{k+1}.
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

/// One sweep over all groups. The second sweep answers with (y − x_{k+1})ᵀ G (x_{k+1} − x_k).
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
    let beta = Lanes::all(sweep.beta);
    let mut along = Lanes::default();
    for k in 0..count {
        let index = if sweep.forward { k } else { count - 1 - k };
        let group = &groups[index];
        let start = plus(now[index], times(beta, minus(now[index], before[index])));
        let x = if FIRST { start } else { next[index] };
        let u = plus(A::velocity(group, bodies), group.free);
        let n = group.normal;
        let new = projected_step::<COULOMB>(n, group.friction, group.inverse_metric, u, x);
        next[index] = new;
        A::push(group, inertias, minus(new, x), bodies);
        if !FIRST {
            let [normal, tangential] = group.inverse_metric;
            let (left, right) = (minus(start, new), minus(new, now[index]));
            let along_n = dot(n, left) * dot(n, right);
            let along_t = dot(left, right) - along_n;
            along += (along_n * tangential + along_t * normal) / (normal * tangential);
        }
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

/// What one pass finds of given impulses; sums over all contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// Σ g ‖x − Π(x − û/g)‖².
    pub map: f64,
    pub impulse_squared: f64,
    pub velocity_squared: f64,
    /// Σ xᵀ(u + r), twice the objective.
    pub work: f64,
}

#[inline(always)]
fn sums<A: Arms, const COULOMB: bool>(
    groups: &[Group<A>],
    weights: &[Lanes],
    impulses: &[Vector],
    bodies: &[Body],
) -> Sums {
    let (weights, impulses) = (&weights[..groups.len()], &impulses[..groups.len()]);
    let mut sums = [Lanes::default(); 4];
    for (k, group) in groups.iter().enumerate() {
        let (x, g) = (impulses[k], weights[k]);
        let u = plus(A::velocity(group, bodies), group.free);
        let step = Lanes::all(1.0) / g;
        let z = projected_step::<COULOMB>(group.normal, group.friction, [step; 2], u, x);
        let map = minus(x, z);
        sums[0] += g * dot(map, map);
        sums[1] += dot(x, x);
        sums[2] += dot(u, u);
        sums[3] += dot(x, plus(u, group.free));
    }
    let [map, impulse_squared, velocity_squared, work] = sums.map(Lanes::sum);
    Sums {
        map,
        impulse_squared,
        velocity_squared,
        work,
    }
}

/// The sums over groups of balls, with a weight g for each contact.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn sums_of_balls(
    groups: &[Group<BallArms>],
    weights: &[Lanes],
    impulses: &[Vector],
    bodies: &[Body],
    coulomb: bool,
) -> Sums {
    if coulomb {
        sums::<_, true>(groups, weights, impulses, bodies)
    } else {
        sums::<_, false>(groups, weights, impulses, bodies)
    }
}

/// The sums over groups of any bodies.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn sums_of_bodies(
    groups: &[Group<FreeArms>],
    weights: &[Lanes],
    impulses: &[Vector],
    bodies: &[Body],
    coulomb: bool,
) -> Sums {
    if coulomb {
        sums::<_, true>(groups, weights, impulses, bodies)
    } else {
        sums::<_, false>(groups, weights, impulses, bodies)
    }
}

/// Adds what the impulses of groups of balls do to the velocities.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn push_balls(groups: &[Group<BallArms>], impulses: &[Vector], bodies: &mut [Body]) {
    for (group, &x) in groups.iter().zip(impulses) {
        Arms::push(group, &[], x, bodies);
    }
}

/// Adds what the impulses of groups of any bodies do to the velocities.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn push_bodies(
    groups: &[Group<FreeArms>],
    inertias: &[Inertia],
    impulses: &[Vector],
    bodies: &mut [Body],
) {
    for (group, &x) in groups.iter().zip(impulses) {
        Arms::push(group, inertias, x, bodies);
    }
}
