//! Four contacts and how their bodies move them: balls, whose arms lie along the normal, and any other bodies.

use super::halves::PLACES_OF_A_LEAF;
use super::lanes::{Lanes, ShortLanes, Vector, cross, minus, plus};
use super::machine::{Arithmetic, Machine, Stride, Wide, WideVector, behind};

/// v, 1/m, ω and, for a ball, 1/I: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Body {
    pub push: [f64; 4],
    pub turn: [f64; 4],
}

impl Body {
    /// Sets velocities, or momenta, to zero; the inverse masses stay.
    pub fn stop(&mut self) {
        self.push[..3].fill(0.0);
        self.turn[..3].fill(0.0);
    }
}

/// Three columns of the inverse inertia, with a zero behind each.
pub(crate) type Inertia = [[f64; 4]; 3];

/// Four contacts: 256 bytes and the arms; 80 bytes a contact for balls, 112 for other bodies.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Group<A> {
    pub bodies: [[u32; 4]; 2],
    /// 1/g_N and 1/g_T, which [`crate::metric`] makes numbers of single precision.
    pub inverse_metric: [ShortLanes; 2],
    pub normal: Vector,
    /// r in the world frame.
    pub free: Vector,
    pub arms: A,
}

impl<A> Group<A> {
    /// Whether the metric is within the range of single precision.
    pub fn is_in_range(&self) -> bool {
        self.inverse_metric.iter().all(|four| four.are_normal())
    }
}

/// Groups between the one at hand and the one whose bodies are asked for.
const AHEAD: usize = 6;

/// Bodies of the next leaf that are asked for with each group. A group of a random bed of spheres brings about 1.6 new bodies.
const BODIES_WITH_A_GROUP: usize = 2;

/// Asks for bodies that a pass over groups will come to.
///
/// Above the leaves, where they can be anywhere in memory, these are the bodies of a group some way behind the given one. The bodies of a leaf stay in
/// the second cache, where asking for each of them again brings nothing: there, those of the next leaf are asked for, one after the other.
#[inline(always)]
fn expect_bodies<M: Machine, A>(
    machine: M,
    groups: &[Group<A>],
    (index, forward): (usize, bool),
    bodies: &[Body],
) {
    if bodies.len() > PLACES_OF_A_LEAF {
        if let Some(group) = groups.get(behind(index, AHEAD, forward)) {
            for &body in group.bodies.as_flattened() {
                machine.expect(bodies.as_ptr().wrapping_add(body as usize));
            }
        }
        return;
    }
    let done = if forward {
        index
    } else {
        groups.len() - 1 - index
    };
    let asked = BODIES_WITH_A_GROUP * done;
    if asked >= bodies.len() {
        return;
    }
    let first = if forward { bodies.len() } else { 0 };
    for k in asked..asked + BODIES_WITH_A_GROUP {
        machine.expect_later(bodies.as_ptr().wrapping_add(behind(first, k, forward)));
    }
}

/// The same for one or two groups.
#[inline(always)]
pub(super) fn expect_bodies_of_groups<S: Stride, A>(
    stride: S,
    groups: &[Group<A>],
    (first, forward): (usize, bool),
    bodies: &[Body],
) {
    for k in 0..S::GROUPS {
        expect_bodies(stride.one(), groups, (first + k, forward), bodies);
    }
}

/// The normals of one or two groups.
#[inline(always)]
pub(super) fn normals<S: Stride, A>(stride: S, [first, last]: [&Group<A>; 2]) -> WideVector<S> {
    Wide::vector_of_groups(stride, [&first.normal, &last.normal])
}

/// Their free velocities.
#[inline(always)]
pub(super) fn free_velocities<S: Stride, A>(
    stride: S,
    [first, last]: [&Group<A>; 2],
) -> WideVector<S> {
    Wide::vector_of_groups(stride, [&first.free, &last.free])
}

/// How the bodies of groups move their contact points. Where a function takes two groups and a stride has one, that is given twice.
pub(crate) trait Arms: Copy + Sync {
    /// What is read of the bodies of the contacts.
    type Motion<S: Stride>: Copy;
    fn gather<S: Stride>(stride: S, groups: [&Group<Self>; 2], bodies: &[Body]) -> Self::Motion<S>;
    /// v_b + ω_b × r_b − v_a − ω_a × r_a.
    fn velocity<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        motion: Self::Motion<S>,
    ) -> WideVector<S>;
    /// Changes the velocities as the impulses on the second bodies do.
    fn push<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        inertias: &[Inertia],
        force: WideVector<S>,
        bodies: &mut [Body],
    );
    /// Changes momenta, in the places of velocities, as the impulses on the second bodies do.
    fn add_momenta<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        force: WideVector<S>,
        bodies: &mut [Body],
    );
    /// Makes velocities v of the momenta p of the chosen bodies; answers with Σ pᵀv.
    fn divide_by_mass<M: Machine>(
        machine: M,
        bodies: &mut [Body],
        chosen: &[u32],
        inertias: &[Inertia],
    ) -> f64;
}

/// Balls: the arms are ρ_a n and −ρ_b n. Both sides then share the cross product with n.
pub(crate) type BallArms = [Lanes; 2];

impl Arms for BallArms {
    /// v_b − v_a and ρ_a ω_a + ρ_b ω_b.
    type Motion<S: Stride> = [WideVector<S>; 2];

    #[inline(always)]
    fn gather<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        bodies: &[Body],
    ) -> [WideVector<S>; 2] {
        let machine = stride.one();
        let zero = machine.all(0.0);
        let (mut linear, mut angular) = ([[zero; 4]; 2], [[zero; 4]; 2]);
        for k in 0..S::GROUPS {
            let group = groups[k];
            let [first, second] = group.bodies;
            for lane in 0..4 {
                let a = &bodies[first[lane] as usize];
                let b = &bodies[second[lane] as usize];
                linear[k][lane] = machine.subtract(machine.load(&b.push), machine.load(&a.push));
                let of_a = machine.scale(group.arms[0].0[lane], machine.load(&a.turn));
                let of_b = machine.scale(group.arms[1].0[lane], machine.load(&b.turn));
                angular[k][lane] = machine.add(of_a, of_b);
            }
        }
        [
            stride.vectors_of_bodies(linear),
            stride.vectors_of_bodies(angular),
        ]
    }

    #[inline(always)]
    fn velocity<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        [linear, angular]: [WideVector<S>; 2],
    ) -> WideVector<S> {
        minus(linear, cross(angular, normals(stride, groups)))
    }

    #[inline(always)]
    fn push<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        _: &[Inertia],
        force: WideVector<S>,
        bodies: &mut [Body],
    ) {
        let machine = stride.one();
        let torque = cross(normals(stride, groups), force);
        let force = stride.bodies_of_vectors(force);
        let torque = stride.bodies_of_vectors(torque);
        for k in 0..S::GROUPS {
            let (group, force, torque) = (groups[k], force[k], torque[k]);
            let [first, second] = group.bodies;
            for lane in 0..4 {
                let a = &mut bodies[first[lane] as usize];
                let pushed = machine.scale(a.push[3], force[lane]);
                let turned = machine.scale(a.turn[3] * group.arms[0].0[lane], torque[lane]);
                a.push = machine.numbers(machine.subtract(machine.load(&a.push), pushed));
                a.turn = machine.numbers(machine.subtract(machine.load(&a.turn), turned));
                let b = &mut bodies[second[lane] as usize];
                let pushed = machine.scale(b.push[3], force[lane]);
                let turned = machine.scale(b.turn[3] * group.arms[1].0[lane], torque[lane]);
                b.push = machine.numbers(machine.add(machine.load(&b.push), pushed));
                b.turn = machine.numbers(machine.subtract(machine.load(&b.turn), turned));
            }
        }
    }

    #[inline(always)]
    fn add_momenta<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        force: WideVector<S>,
        bodies: &mut [Body],
    ) {
        let machine = stride.one();
        let torque = cross(normals(stride, groups), force);
        let force = stride.bodies_of_vectors(force);
        let torque = stride.bodies_of_vectors(torque);
        for k in 0..S::GROUPS {
            let (group, force, torque) = (groups[k], force[k], torque[k]);
            let [first, second] = group.bodies;
            for lane in 0..4 {
                let a = &mut bodies[first[lane] as usize];
                let turned = machine.scale(group.arms[0].0[lane], torque[lane]);
                a.push = machine.numbers(machine.subtract(machine.load(&a.push), force[lane]));
                a.turn = machine.numbers(machine.subtract(machine.load(&a.turn), turned));
                let b = &mut bodies[second[lane] as usize];
                let turned = machine.scale(group.arms[1].0[lane], torque[lane]);
                b.push = machine.numbers(machine.add(machine.load(&b.push), force[lane]));
                b.turn = machine.numbers(machine.subtract(machine.load(&b.turn), turned));
            }
        }
    }

    #[inline(always)]
    fn divide_by_mass<M: Machine>(
        machine: M,
        bodies: &mut [Body],
        chosen: &[u32],
        _: &[Inertia],
    ) -> f64 {
        let mut work = machine.load(&[0.0; 4]);
        for &index in chosen {
            let body = &mut bodies[index as usize];
            for row in [&mut body.push, &mut body.turn] {
                let inverse = row[3];
                let momentum = machine.load(row);
                let velocity = machine.multiply(momentum, machine.load(&keeping_the_last(inverse)));
                work = machine.add(work, machine.multiply(momentum, velocity));
                *row = machine.numbers(velocity);
            }
        }
        sum_of_three(machine.numbers(work))
    }
}

/// Any bodies, any arms.
pub(crate) type FreeArms = [Vector; 2];

impl Arms for FreeArms {
    /// v_b − v_a, ω_a, ω_b.
    type Motion<S: Stride> = [WideVector<S>; 3];

    #[inline(always)]
    fn gather<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        bodies: &[Body],
    ) -> [WideVector<S>; 3] {
        let machine = stride.one();
        let zero = machine.all(0.0);
        let mut rows = [[[zero; 4]; 2]; 3];
        for k in 0..S::GROUPS {
            let [first, second] = groups[k].bodies;
            for lane in 0..4 {
                let a = &bodies[first[lane] as usize];
                let b = &bodies[second[lane] as usize];
                rows[0][k][lane] = machine.subtract(machine.load(&b.push), machine.load(&a.push));
                rows[1][k][lane] = machine.load(&a.turn);
                rows[2][k][lane] = machine.load(&b.turn);
            }
        }
        [
            stride.vectors_of_bodies(rows[0]),
            stride.vectors_of_bodies(rows[1]),
            stride.vectors_of_bodies(rows[2]),
        ]
    }

    #[inline(always)]
    fn velocity<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        [linear, turn_a, turn_b]: [WideVector<S>; 3],
    ) -> WideVector<S> {
        let of_a = cross(turn_a, arms_of(stride, groups, 0));
        let of_b = cross(turn_b, arms_of(stride, groups, 1));
        plus(linear, minus(of_b, of_a))
    }

    #[inline(always)]
    fn push<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        inertias: &[Inertia],
        force: WideVector<S>,
        bodies: &mut [Body],
    ) {
        let machine = stride.one();
        let [of_a, of_b] = torques(stride, groups, force);
        let mut torque = [[Vector::default(); 2]; 2];
        Wide::write(of_a, &mut torque[0], 0);
        Wide::write(of_b, &mut torque[1], 0);
        let force = stride.bodies_of_vectors(force);
        for k in 0..S::GROUPS {
            for side in 0..2 {
                let torque = &torque[side][k];
                let sign = if side == 0 { -1.0 } else { 1.0 };
                for lane in 0..4 {
                    let index = groups[k].bodies[side][lane] as usize;
                    let body = &mut bodies[index];
                    let pushed = machine.scale(sign * body.push[3], force[k][lane]);
                    body.push = machine.numbers(machine.add(machine.load(&body.push), pushed));
                    let torque = [torque[0].0[lane], torque[1].0[lane], torque[2].0[lane]];
                    let turned = turned_by(machine, &inertias[index], torque);
                    body.turn = machine.numbers(machine.add(machine.load(&body.turn), turned));
                }
            }
        }
    }

    #[inline(always)]
    fn add_momenta<S: Stride>(
        stride: S,
        groups: [&Group<Self>; 2],
        force: WideVector<S>,
        bodies: &mut [Body],
    ) {
        let machine = stride.one();
        let [of_a, of_b] = torques(stride, groups, force);
        let (of_a, of_b) = (
            stride.bodies_of_vectors(of_a),
            stride.bodies_of_vectors(of_b),
        );
        let force = stride.bodies_of_vectors(force);
        for k in 0..S::GROUPS {
            let (force, torques) = (force[k], [of_a[k], of_b[k]]);
            for side in 0..2 {
                let sign = if side == 0 { -1.0 } else { 1.0 };
                for lane in 0..4 {
                    let body = &mut bodies[groups[k].bodies[side][lane] as usize];
                    let pushed = machine.scale(sign, force[lane]);
                    let turned = torques[side][lane];
                    body.push = machine.numbers(machine.add(machine.load(&body.push), pushed));
                    body.turn = machine.numbers(machine.add(machine.load(&body.turn), turned));
                }
            }
        }
    }

    #[inline(always)]
    fn divide_by_mass<M: Machine>(
        machine: M,
        bodies: &mut [Body],
        chosen: &[u32],
        inertias: &[Inertia],
    ) -> f64 {
        let mut work = machine.load(&[0.0; 4]);
        for &index in chosen {
            let body = &mut bodies[index as usize];
            let momentum = machine.load(&body.push);
            let factor = machine.load(&keeping_the_last(body.push[3]));
            let velocity = machine.multiply(momentum, factor);
            work = machine.add(work, machine.multiply(momentum, velocity));
            body.push = machine.numbers(velocity);
            let [x, y, z, _] = body.turn;
            let turned = turned_by(machine, &inertias[index as usize], [x, y, z]);
            work = machine.add(work, machine.multiply(machine.load(&body.turn), turned));
            body.turn = machine.numbers(turned);
        }
        sum_of_three(machine.numbers(work))
    }
}

/// What a row is multiplied by whose fourth number, an inverse mass, stays.
#[inline(always)]
fn keeping_the_last(factor: f64) -> [f64; 4] {
    [factor, factor, factor, 1.0]
}

/// The sum of a row without its fourth number.
#[inline(always)]
fn sum_of_three([x, y, z, _]: [f64; 4]) -> f64 {
    x + y + z
}

/// The arms of one side.
#[inline(always)]
fn arms_of<S: Stride>(
    stride: S,
    [first, last]: [&Group<FreeArms>; 2],
    side: usize,
) -> WideVector<S> {
    Wide::vector_of_groups(stride, [&first.arms[side], &last.arms[side]])
}

/// What impulses on the second bodies turn, on each side.
#[inline(always)]
fn torques<S: Stride>(
    stride: S,
    groups: [&Group<FreeArms>; 2],
    force: WideVector<S>,
) -> [WideVector<S>; 2] {
    [
        cross(force, arms_of(stride, groups, 0)),
        cross(arms_of(stride, groups, 1), force),
    ]
}

/// I⁻¹ t of one body.
#[inline(always)]
fn turned_by<M: Machine>(machine: M, [x, y, z]: &Inertia, t: [f64; 3]) -> M::Row {
    let column = |t: f64, column: &[f64; 4]| machine.scale(t, machine.load(column));
    machine.add(
        machine.add(column(t[0], x), column(t[1], y)),
        column(t[2], z),
    )
}
