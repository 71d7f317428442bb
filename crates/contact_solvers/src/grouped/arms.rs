//! Four contacts and how their bodies move them: balls, whose arms lie along the normal, and any other bodies.

use super::lanes::{Lanes, Rows, Vector, at, cross, from_rows, minus, plus, row};

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
    /// What is read of the bodies of four contacts.
    type Motion: Copy;
    fn gather(group: &Group<Self>, bodies: &[Body]) -> Self::Motion;
    /// v_b + ω_b × r_b − v_a − ω_a × r_a of one contact.
    fn velocity(group: &Group<Self>, motion: &Self::Motion, lane: usize) -> [f64; 3];
    /// What an impulse on the second body turns; one cross product for each side that needs its own.
    type Torque: Copy + Default;
    fn torque(group: &Group<Self>, force: [f64; 3], lane: usize, torque: &mut Self::Torque);
    /// Changes the velocities as the impulses on the second bodies do.
    fn push(
        group: &Group<Self>,
        inertias: &[Inertia],
        force: &Rows,
        torque: &Self::Torque,
        bodies: &mut [Body],
    );
}

/// Balls: the arms are ρ_a n and −ρ_b n. Both sides then share the cross product with n.
pub(crate) type BallArms = [Lanes; 2];

impl Arms for BallArms {
    /// v_b − v_a and ρ_a ω_a + ρ_b ω_b.
    type Motion = [Vector; 2];
    type Torque = Rows;

    #[inline(always)]
    fn gather(group: &Group<Self>, bodies: &[Body]) -> [Vector; 2] {
        let [first, second] = group.bodies;
        let mut linear = [[0.0; 4]; 4];
        let mut angular = [[0.0; 4]; 4];
        for lane in 0..4 {
            let a = &bodies[first[lane] as usize];
            let b = &bodies[second[lane] as usize];
            let (arm_a, arm_b) = (group.arms[0].0[lane], group.arms[1].0[lane]);
            for k in 0..4 {
                linear[lane][k] = b.push[k] - a.push[k];
                angular[lane][k] = arm_a * a.turn[k] + arm_b * b.turn[k];
            }
        }
        [from_rows(linear), from_rows(angular)]
    }

    #[inline(always)]
    fn velocity(group: &Group<Self>, motion: &[Vector; 2], lane: usize) -> [f64; 3] {
        let turning = cross(at(&motion[1], lane), at(&group.normal, lane));
        minus(at(&motion[0], lane), turning)
    }

    #[inline(always)]
    fn torque(group: &Group<Self>, force: [f64; 3], lane: usize, torque: &mut Rows) {
        torque[lane] = row(cross(at(&group.normal, lane), force));
    }

    #[inline(always)]
    fn push(group: &Group<Self>, _: &[Inertia], force: &Rows, torque: &Rows, bodies: &mut [Body]) {
        let [first, second] = group.bodies;
        for lane in 0..4 {
            let a = &mut bodies[first[lane] as usize];
            let (mass, turn) = (a.push[3], a.turn[3] * group.arms[0].0[lane]);
            for k in 0..4 {
                a.push[k] -= mass * force[lane].0[k];
                a.turn[k] -= turn * torque[lane].0[k];
            }
            let b = &mut bodies[second[lane] as usize];
            let (mass, turn) = (b.push[3], b.turn[3] * group.arms[1].0[lane]);
            for k in 0..4 {
                b.push[k] += mass * force[lane].0[k];
                b.turn[k] -= turn * torque[lane].0[k];
            }
        }
    }
}

/// Any bodies, any arms.
pub(crate) type FreeArms = [Vector; 2];

impl Arms for FreeArms {
    /// v_b − v_a, ω_a, ω_b.
    type Motion = [Vector; 3];
    type Torque = [Rows; 2];

    #[inline(always)]
    fn gather(group: &Group<Self>, bodies: &[Body]) -> [Vector; 3] {
        let [first, second] = group.bodies;
        let mut rows = [[[0.0; 4]; 4]; 3];
        for lane in 0..4 {
            let a = &bodies[first[lane] as usize];
            let b = &bodies[second[lane] as usize];
            for k in 0..4 {
                rows[0][lane][k] = b.push[k] - a.push[k];
            }
            rows[1][lane] = a.turn;
            rows[2][lane] = b.turn;
        }
        rows.map(from_rows)
    }

    #[inline(always)]
    fn velocity(group: &Group<Self>, motion: &[Vector; 3], lane: usize) -> [f64; 3] {
        let of_a = cross(at(&motion[1], lane), at(&group.arms[0], lane));
        let of_b = cross(at(&motion[2], lane), at(&group.arms[1], lane));
        plus(at(&motion[0], lane), minus(of_b, of_a))
    }

    #[inline(always)]
    fn torque(group: &Group<Self>, force: [f64; 3], lane: usize, torque: &mut [Rows; 2]) {
        torque[0][lane] = row(cross(force, at(&group.arms[0], lane)));
        torque[1][lane] = row(cross(at(&group.arms[1], lane), force));
    }

    #[inline(always)]
    fn push(
        group: &Group<Self>,
        inertias: &[Inertia],
        force: &Rows,
        torque: &[Rows; 2],
        bodies: &mut [Body],
    ) {
        for side in 0..2 {
            let sign = if side == 0 { -1.0 } else { 1.0 };
            for lane in 0..4 {
                let index = group.bodies[side][lane] as usize;
                let body = &mut bodies[index];
                let [x, y, z] = &inertias[index];
                let [tx, ty, tz, _] = torque[side][lane].0;
                let mass = sign * body.push[3];
                for k in 0..4 {
                    body.push[k] += mass * force[lane].0[k];
                    body.turn[k] += x[k] * tx + y[k] * ty + z[k] * tz;
                }
            }
        }
    }
}
