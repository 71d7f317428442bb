//! The linear system of a quasi-Newton step: C_ω, its derivative A = X ρ W + Y + δ I, and the blocks of A that
//! precondition it. The equations are those of [`super::quasi_newton`].

use super::quasi_newton::{QuasiNewton, Regularisation};
use super::smoothed_projection::{smoothed_norm, smoothed_polar_projection};
use crate::cones::{Cone, MAX_DIMENSION};
use crate::law::FrictionLaw;
use crate::problem::ContactProblem;
use moreau_algebra::operator::LinearOperator;
use moreau_algebra::reduction::sum;
use moreau_algebra::small::SmallMatrix;
use std::sync::Mutex;

/// A = X ρ W + Y + δ I with its blocks X, Y and their preconditioner.
pub(super) struct NewtonSystem<'a> {
    problem: &'a ContactProblem,
    law: FrictionLaw,
    /// ρ, one per block.
    rho: Vec<f64>,
    omega: f64,
    /// δ.
    pub delta: f64,
    /// First entry of each block in the three below.
    starts: Vec<usize>,
    x: Vec<f64>,
    y: Vec<f64>,
    inverse: Vec<f64>,
    /// Room for one product: the state and W v.
    scratch: Mutex<(Vec<f64>, Vec<f64>)>,
}

impl<'a> NewtonSystem<'a> {
    /// The system of a problem; X and Y are set by [`NewtonSystem::linearize`].
    pub fn new(
        problem: &'a ContactProblem,
        law: FrictionLaw,
        settings: &QuasiNewton,
        tolerance: f64,
    ) -> Self {
        let diagonal = problem.diagonal();
        let rho: Vec<f64> = match settings.scaled {
            true => problem.mean_diagonal().iter().map(|g| 1.0 / g).collect(),
            false => vec![1.0; problem.blocks()],
        };
        let mut starts = vec![0];
        let (mut smallest, mut total, mut largest) = (f64::INFINITY, 0.0, 0.0_f64);
        let mut square = 0.0;
        for (block, cone) in problem.cones().iter().enumerate() {
            let d = cone.dimension();
            starts.push(starts[block] + d * d);
            for k in 0..d {
                let entry = rho[block] * diagonal.block(block)[k * d + k];
                smallest = smallest.min(entry);
                largest = largest.max(entry);
                total += entry;
            }
            let free = &problem.free_velocity()[problem.rows(block)];
            square += sum(d, |k| (rho[block] * free[k]).powi(2));
        }
        let rows = problem.dimension() as f64;
        let delta = match settings.regularisation {
            Regularisation::Absolute(delta) => delta,
            Regularisation::RelativeToSmallest(factor) => factor * smallest,
            Regularisation::RelativeToAverage(factor) => factor * total / rows,
            Regularisation::RelativeToLargest(factor) => factor * largest,
        };
        // Below rounding the tolerance means nothing; the last floor keeps ω² a number when B = 0.
        let accuracy = settings.smoothing * tolerance.max(f64::EPSILON);
        let omega = (accuracy * (square / rows).sqrt()).max(1e-150);
        let entries = *starts.last().expect("not empty");
        Self {
            problem,
            law,
            rho,
            omega,
            delta,
            starts,
            x: vec![0.0; entries],
            y: vec![0.0; entries],
            inverse: vec![0.0; entries],
            scratch: Mutex::new((
                vec![0.0; problem.state_length()],
                vec![0.0; problem.dimension()],
            )),
        }
    }

    /// Writes C_ω into `residual` and sets X, Y and the preconditioner (steps a and b).
    pub fn linearize(&mut self, impulses: &[f64], velocity: &[f64], residual: &mut [f64]) {
        let mut scaled = [0.0; MAX_DIMENSION];
        for (block, cone) in self.problem.cones().iter().enumerate() {
            let rows = self.problem.rows(block);
            let d = rows.len();
            let entries = self.starts[block]..self.starts[block + 1];
            for (s, u) in scaled.iter_mut().zip(&velocity[rows.clone()]) {
                *s = self.rho[block] * u;
            }
            let (x, y) = (&mut self.x[entries.clone()], &mut self.y[entries.clone()]);
            block_equation(
                cone,
                self.law,
                self.omega,
                &impulses[rows.clone()],
                &scaled[..d],
                (&mut residual[rows], x, y),
            );
            x.iter_mut().for_each(|value| *value *= self.rho[block]);
            let w = SmallMatrix::from_rows(d, self.problem.diagonal().block(block));
            let a = SmallMatrix::from_rows(d, x)
                .product(&w)
                .add(&SmallMatrix::from_rows(d, y))
                .add(&SmallMatrix::identity(d).scaled(self.delta));
            let inverse = a.inverse().unwrap_or(SmallMatrix::identity(d));
            self.inverse[entries].copy_from_slice(inverse.rows());
        }
    }
}

/// C_ω, X = ∂C_ω/∂U and Y = ∂C_ω/∂R of one block, at the impulse R and the scaled velocity U.
pub(super) fn block_equation(
    cone: &Cone,
    law: FrictionLaw,
    omega: f64,
    impulse: &[f64],
    velocity: &[f64],
    (c, x, y): (&mut [f64], &mut [f64], &mut [f64]),
) {
    let d = impulse.len();
    // F_ω and the part of ∂F_ω/∂U beside the identity, which is in the normal row only (Eq. 39).
    let mut f = [0.0; MAX_DIMENSION];
    let mut normal_row = [0.0; MAX_DIMENSION];
    f[..d].copy_from_slice(velocity);
    if let (FrictionLaw::Coulomb, Some(discs)) = (law, cone.discs()) {
        for disc in discs.discs() {
            let u = &velocity[disc.start..disc.end];
            f[0] += disc.coefficient * smoothed_norm(omega, u);
            let root = (u.iter().map(|v| v * v).sum::<f64>() + omega * omega).sqrt();
            for k in disc.start..disc.end {
                normal_row[k] = disc.coefficient * velocity[k] / root;
            }
        }
    }
    // C = F + m(S); Y = ∂m/∂S.
    let mut s = [0.0; MAX_DIMENSION];
    for k in 0..d {
        s[k] = impulse[k] - f[k];
    }
    let friction = match *cone {
        Cone::Friction { friction } | Cone::PlanarFriction { friction } => Some(friction),
        Cone::Unilateral => Some(0.0),
        _ => None,
    };
    if let Some(friction) = friction {
        smoothed_polar_projection(friction, omega, &s[..d], c, y);
    } else {
        // m(S) = S − proj(S); for a joint zero.
        cone.projection_derivative(&s[..d], y);
        for (k, value) in y.iter_mut().enumerate() {
            *value = f64::from(u8::from(k % (d + 1) == 0)) - *value;
        }
        c.copy_from_slice(&s[..d]);
        cone.project(c);
        for k in 0..d {
            c[k] = s[k] - c[k];
        }
    }
    for k in 0..d {
        c[k] += f[k];
    }
    // X = (I − Y)(I + e_N normal_rowᵀ).
    for i in 0..d {
        let first = f64::from(u8::from(i == 0)) - y[i * d];
        for j in 0..d {
            let identity = f64::from(u8::from(i == j));
            x[i * d + j] = identity - y[i * d + j] + first * normal_row[j];
        }
    }
}

impl LinearOperator for NewtonSystem<'_> {
    fn dimension(&self) -> usize {
        self.problem.dimension()
    }

    fn apply(&self, v: &[f64], result: &mut [f64]) {
        let mut scratch = self.scratch.lock().expect("no product panicked");
        let (state, product) = &mut *scratch;
        self.problem.product(v, state, product);
        for block in 0..self.problem.blocks() {
            let rows = self.problem.rows(block);
            let (first, d) = (rows.start, rows.len());
            for i in 0..d {
                let entry = self.starts[block] + i * d;
                result[first + i] = self.delta * v[first + i];
                for j in 0..d {
                    result[first + i] +=
                        self.x[entry + j] * product[first + j] + self.y[entry + j] * v[first + j];
                }
            }
        }
    }
}

/// The inverted diagonal blocks of A.
pub(super) struct BlockInverse<'a>(pub &'a NewtonSystem<'a>);

impl LinearOperator for BlockInverse<'_> {
    fn dimension(&self) -> usize {
        self.0.problem.dimension()
    }

    fn apply(&self, v: &[f64], result: &mut [f64]) {
        for block in 0..self.0.problem.blocks() {
            let rows = self.0.problem.rows(block);
            let (first, d) = (rows.start, rows.len());
            for i in 0..d {
                let entry = self.0.starts[block] + i * d;
                let row = &self.0.inverse[entry..entry + d];
                result[first + i] = (0..d).map(|j| row[j] * v[first + j]).sum();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cones() -> impl Strategy<Value = Cone> {
        prop_oneof![
            (0.1..1.5_f64).prop_map(|friction| Cone::Friction { friction }),
            (0.1..1.5_f64).prop_map(|friction| Cone::PlanarFriction { friction }),
            Just(Cone::Unilateral),
            Just(Cone::Bilateral { rows: 2 }),
        ]
    }

    proptest! {
        #[test]
        fn x_and_y_are_the_derivatives_of_the_equation(
            cone in cones(),
            law in prop_oneof![Just(FrictionLaw::Coulomb), Just(FrictionLaw::Relaxed)],
            r in prop::collection::vec(-2.0..2.0_f64, 3),
            u in prop::collection::vec(-2.0..2.0_f64, 3),
        ) {
            let (d, omega, h) = (cone.dimension(), 0.2, 1e-5);
            let evaluate = |r: &[f64], u: &[f64]| {
                let (mut c, mut x, mut y) = (vec![0.0; d], vec![0.0; d * d], vec![0.0; d * d]);
                block_equation(&cone, law, omega, &r[..d], &u[..d], (&mut c, &mut x, &mut y));
                (c, x, y)
            };
            let (_, x, y) = evaluate(&r, &u);
            for j in 0..d {
                let moved = |v: &[f64], by: f64| {
                    let mut v = v.to_vec();
                    v[j] += by;
                    v
                };
                let (plus, minus) = (evaluate(&r, &moved(&u, h)).0, evaluate(&r, &moved(&u, -h)).0);
                let by_u: Vec<f64> = (0..d).map(|i| (plus[i] - minus[i]) / (2.0 * h)).collect();
                let (plus, minus) = (evaluate(&moved(&r, h), &u).0, evaluate(&moved(&r, -h), &u).0);
                let by_r: Vec<f64> = (0..d).map(|i| (plus[i] - minus[i]) / (2.0 * h)).collect();
                for i in 0..d {
                    prop_assert!((by_u[i] - x[i * d + j]).abs() < 1e-6);
                    prop_assert!((by_r[i] - y[i * d + j]).abs() < 1e-6);
                }
            }
        }
    }
}
