//! Inverse masses of rigid bodies, in the least room, and what kernels ask of them.

use super::rigid::BodyInertia;
use rayon::prelude::*;

/// Bodies at least that are worth a second thread.
const BODIES_FOR_A_THREAD: usize = 4096;

/// 1/m and 1/I of a ball.
pub(super) type Ball = [f64; 2];

/// The inverse masses of all bodies.
#[derive(Clone, Debug)]
pub(super) enum Inertias {
    Balls(Vec<Ball>),
    Bodies(Vec<BodyInertia>),
}

impl Inertias {
    pub fn new(bodies: Vec<BodyInertia>) -> Self {
        let ball = |body: &BodyInertia| {
            let [xx, yy, zz, xy, xz, yz] = body.inverse_inertia;
            xx == yy && yy == zz && [xy, xz, yz] == [0.0; 3]
        };
        let pieces = || bodies.par_iter().with_min_len(BODIES_FOR_A_THREAD);
        if pieces().all(ball) {
            let pair = |body: &BodyInertia| [body.inverse_mass, body.inverse_inertia[0]];
            Inertias::Balls(pieces().map(pair).collect())
        } else {
            Inertias::Bodies(bodies)
        }
    }

    pub fn get(&self, body: usize) -> BodyInertia {
        match self {
            Inertias::Balls(balls) => {
                let [inverse_mass, turn] = balls[body];
                BodyInertia {
                    inverse_mass,
                    inverse_inertia: [turn, turn, turn, 0.0, 0.0, 0.0],
                }
            }
            Inertias::Bodies(bodies) => bodies[body],
        }
    }
}

/// What a kernel asks of a body.
pub(super) trait InverseInertia: Copy + Sync {
    /// 1/m.
    fn push(self) -> f64;
    /// I⁻¹ t.
    fn turn(self, torque: [f64; 3]) -> [f64; 3];
    /// tr(I⁻¹).
    fn trace(self) -> f64;
}

impl InverseInertia for Ball {
    #[inline(always)]
    fn push(self) -> f64 {
        self[0]
    }
    #[inline(always)]
    fn turn(self, torque: [f64; 3]) -> [f64; 3] {
        torque.map(|t| self[1] * t)
    }
    #[inline(always)]
    fn trace(self) -> f64 {
        3.0 * self[1]
    }
}

impl InverseInertia for BodyInertia {
    #[inline(always)]
    fn push(self) -> f64 {
        self.inverse_mass
    }
    #[inline(always)]
    fn turn(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.inverse_inertia;
        [
            xx * x + xy * y + xz * z,
            xy * x + yy * y + yz * z,
            xz * x + yz * y + zz * z,
        ]
    }
    #[inline(always)]
    fn trace(self) -> f64 {
        let [xx, yy, zz, ..] = self.inverse_inertia;
        xx + yy + zz
    }
}
