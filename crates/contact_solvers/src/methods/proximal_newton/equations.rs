//! The friction laws as equations F(r, u) = 0 with generalised derivatives.
//!
//! *Coulomb* (Alart & Curnier 1991): with τ = r − ρ u and one ρ for each part,
//!
//! ```text
//!   F_N = r_N − max(0, τ_N)
//!   F_k = r_k − projection of τ_k onto the disc of radius c_k max(0, τ_N)         for each disc k
//! ```
//!
//! Open (τ_N ≤ 0): F = r. Stick (|τ_k| within the radius): F_k = ρ u_k. Slip, with t = τ_k/|τ_k|:
//! F_k = r_k − c_k τ_N t and dF_k = dr_k − c_k t dτ_N − (c_k τ_N/|τ_k|)(I − t tᵀ) dτ_k.
//!
//! *Relaxed*: the natural map F = r − Π(r − ρ u) with the derivative J of the projection: dF = (I − J) dr + ρ J du.
//!
//! Joints give F = ρ u, bounded rows the natural map. F has the unit of an impulse; residuals are
//! summed with the weights g_i, which makes them energies.

use crate::cones::{Cone, MAX_DIMENSION};
use crate::law::FrictionLaw;
use crate::problem::ContactProblem;

const BLOCK: usize = MAX_DIMENSION * MAX_DIMENSION;

/// F, A = ∂F/∂u and B = ∂F/∂r of all blocks.
pub struct Equations<'a> {
    problem: &'a ContactProblem,
    law: FrictionLaw,
    /// ρ by rows.
    rho: Vec<f64>,
    /// F at the last linearisation.
    pub residual: Vec<f64>,
    /// A of each block, row-major with stride d, `BLOCK` numbers reserved.
    a: Vec<f64>,
    b: Vec<f64>,
    /// Whether A of the block is zero: an open contact.
    pub open: Vec<bool>,
}

impl<'a> Equations<'a> {
    /// Equations of a problem under Coulomb's or the relaxed law.
    pub fn new(problem: &'a ContactProblem, law: FrictionLaw) -> Self {
        let blocks = problem.blocks();
        Self {
            problem,
            law,
            rho: step_lengths(problem, law),
            residual: vec![0.0; problem.dimension()],
            a: vec![0.0; blocks * BLOCK],
            b: vec![0.0; blocks * BLOCK],
            open: vec![false; blocks],
        }
    }

    /// A of a block, row-major.
    pub fn a(&self, block: usize) -> &[f64] {
        &self.a[block * BLOCK..][..self.problem.rows(block).len().pow(2)]
    }

    /// B of a block, row-major.
    pub fn b(&self, block: usize) -> &[f64] {
        &self.b[block * BLOCK..][..self.problem.rows(block).len().pow(2)]
    }

    /// √(Σ g_i |F_i|²).
    pub fn evaluate(&self, r: &[f64], u: &[f64]) -> f64 {
        let g = self.problem.mean_diagonal();
        let mut f = [0.0; MAX_DIMENSION];
        let mut sum = 0.0;
        for (block, cone) in self.problem.cones().iter().enumerate() {
            let rows = self.problem.rows(block);
            let f = &mut f[..rows.len()];
            residual(
                self.law,
                cone,
                &self.rho[rows.clone()],
                &r[rows.clone()],
                &u[rows],
                f,
            );
            sum += g[block] * f.iter().map(|v| v * v).sum::<f64>();
        }
        f64::sqrt(sum)
    }

    /// Computes F, A and B of every block.
    pub fn linearize(&mut self, r: &[f64], u: &[f64]) {
        for (block, cone) in self.problem.cones().iter().enumerate() {
            let rows = self.problem.rows(block);
            let rho = &self.rho[rows.clone()];
            let (r, u) = (&r[rows.clone()], &u[rows.clone()]);
            let f = &mut self.residual[rows];
            residual(self.law, cone, rho, r, u, f);
            let a = &mut self.a[block * BLOCK..(block + 1) * BLOCK];
            let b = &mut self.b[block * BLOCK..(block + 1) * BLOCK];
            derivatives(self.law, cone, rho, r, u, a, b);
            self.open[block] = a.iter().all(|v| *v == 0.0);
        }
    }
}

/// ρ by rows: one over the mean diagonal of each part under Coulomb's law, where the parts are
/// independent; one over that of the block under the relaxed law, whose projection couples them.
fn step_lengths(problem: &ContactProblem, law: FrictionLaw) -> Vec<f64> {
    let diagonal = problem.diagonal();
    let mut rho = vec![0.0; problem.dimension()];
    for (block, cone) in problem.cones().iter().enumerate() {
        let d = cone.dimension();
        let matrix = diagonal.block(block);
        let rows = &mut rho[problem.rows(block)];
        rows.fill(1.0 / problem.mean_diagonal()[block]);
        if let (FrictionLaw::Coulomb, Some(discs)) = (law, cone.discs()) {
            let mut set = |start: usize, end: usize| {
                let mean =
                    (start..end).map(|k| matrix[k * d + k]).sum::<f64>() / (end - start) as f64;
                if mean > 0.0 {
                    rows[start..end].fill(1.0 / mean);
                }
            };
            set(0, 1);
            for disc in discs.discs() {
                set(disc.start, disc.end);
            }
        }
    }
    rho
}

fn residual(law: FrictionLaw, cone: &Cone, rho: &[f64], r: &[f64], u: &[f64], f: &mut [f64]) {
    let discs = match (law, cone.discs()) {
        (FrictionLaw::Coulomb, Some(discs)) => discs,
        _ => return FrictionLaw::Relaxed.natural_map(cone, rho[0], r, u, f),
    };
    let tau_n = r[0] - rho[0] * u[0];
    f[0] = r[0] - tau_n.max(0.0);
    for disc in discs.discs() {
        let radius = disc.coefficient * tau_n.max(0.0);
        let mut length = 0.0;
        for k in disc.start..disc.end {
            f[k] = r[k] - rho[k] * u[k];
            length += f[k] * f[k];
        }
        let length = f64::sqrt(length);
        let shrink = if length > radius {
            radius / length
        } else {
            1.0
        };
        for k in disc.start..disc.end {
            f[k] = r[k] - shrink * f[k];
        }
    }
}

/// A and B of one block, both zeroed first.
fn derivatives(
    law: FrictionLaw,
    cone: &Cone,
    rho: &[f64],
    r: &[f64],
    u: &[f64],
    a: &mut [f64],
    b: &mut [f64],
) {
    let d = r.len();
    a.fill(0.0);
    b.fill(0.0);
    let discs = match (law, cone.discs()) {
        (FrictionLaw::Coulomb, Some(discs)) => discs,
        _ => {
            let mut point = [0.0; MAX_DIMENSION];
            for k in 0..d {
                point[k] = r[k] - rho[0] * u[k];
            }
            cone.projection_derivative(&point[..d], a);
            for k in 0..d * d {
                b[k] = -a[k];
                a[k] *= rho[0];
            }
            for k in 0..d {
                b[k * d + k] += 1.0;
            }
            return;
        }
    };
    let tau_n = r[0] - rho[0] * u[0];
    if tau_n <= 0.0 {
        for k in 0..d {
            b[k * d + k] = 1.0;
        }
        return;
    }
    a[0] = rho[0];
    for disc in discs.discs() {
        let mut tau = [0.0; MAX_DIMENSION];
        let mut length = 0.0;
        for k in disc.start..disc.end {
            tau[k] = r[k] - rho[k] * u[k];
            length += tau[k] * tau[k];
        }
        let length = f64::sqrt(length);
        let radius = disc.coefficient * tau_n;
        for row in disc.start..disc.end {
            if length <= radius {
                a[row * d + row] = rho[row];
                continue;
            }
            let t = tau[row] / length;
            // −c t dτ_N with dτ_N = dr_N − ρ_N du_N.
            b[row * d] = -disc.coefficient * t;
            a[row * d] = disc.coefficient * t * rho[0];
            b[row * d + row] = 1.0;
            let turn = radius / length;
            for column in disc.start..disc.end {
                let identity = f64::from(u8::from(row == column));
                let tangent = turn * (identity - t * tau[column] / length);
                b[row * d + column] -= tangent;
                a[row * d + column] += rho[column] * tangent;
            }
        }
    }
}
