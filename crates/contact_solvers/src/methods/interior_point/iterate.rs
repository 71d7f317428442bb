//! The point (γ, s, z) on its way, its residuals, and the Newton directions at it.

use super::cone_algebra::{
    Pieces, Scaling, Triple, divide, inner, product, smallest_eigenvalue, step_to_boundary,
};
use super::linear_system::LinearSystem;
use crate::problem::ContactProblem;
use moreau_algebra::factorization::FactorizationError;
use moreau_algebra::reduction::norm;
use rayon::prelude::*;

const ZERO: Triple = [0.0; 3];

/// Pieces that one thread takes at least.
const FEWEST: usize = 512;

/// x + a y.
pub(super) fn plus(x: &Triple, a: f64, y: &Triple) -> Triple {
    [x[0] + a * y[0], x[1] + a * y[1], x[2] + a * y[2]]
}

/// Everything the iteration holds; allocated once. Names are those of the formulas.
pub(super) struct Iterate<'a> {
    pub problem: &'a ContactProblem,
    pub pieces: &'a Pieces,
    pub gamma: Vec<f64>,
    pub scalings: Vec<Scaling>,
    /// Products with N since this was last read.
    pub products: usize,
    s: Vec<Triple>,
    z: Vec<Triple>,
    pub(super) lambda: Vec<Triple>,
    pub(super) mu: f64,
    /// d and p.
    dual_residual: Vec<f64>,
    primal_residual: Vec<Triple>,
    pub(super) q: Vec<Triple>,
    pub(super) delta_gamma: Vec<f64>,
    /// W⁻¹Δs and WΔz.
    pub(super) scaled_delta_s: Vec<Triple>,
    pub(super) scaled_delta_z: Vec<Triple>,
    /// Δγ, W⁻¹Δs and WΔz of the direction to fall back to.
    pub(super) kept: (Vec<f64>, Vec<Triple>, Vec<Triple>),
    work: Vec<f64>,
    state: Vec<f64>,
}

impl<'a> Iterate<'a> {
    /// Room for a problem.
    pub fn new(problem: &'a ContactProblem, pieces: &'a Pieces) -> Self {
        let (rows, count) = (problem.dimension(), pieces.list.len());
        Self {
            problem,
            pieces,
            gamma: vec![0.0; rows],
            scalings: vec![Scaling::IDENTITY; count],
            products: 0,
            s: vec![ZERO; count],
            z: vec![ZERO; count],
            lambda: vec![ZERO; count],
            mu: 0.0,
            dual_residual: vec![0.0; rows],
            primal_residual: vec![ZERO; count],
            q: vec![ZERO; count],
            delta_gamma: vec![0.0; rows],
            scaled_delta_s: vec![ZERO; count],
            scaled_delta_z: vec![ZERO; count],
            kept: (vec![0.0; rows], vec![ZERO; count], vec![ZERO; count]),
            work: vec![0.0; rows],
            state: vec![0.0; problem.state_length()],
        }
    }

    /// (N + ω) γ = −r, s = Gγ + h, z = −ω s, both moved inside.
    ///
    /// The global system carries the momentum of a heavy body down to every contact that bears it: a
    /// start that looked at one contact at a time would be wrong by the ratio of the masses.
    pub fn cold_start(
        &mut self,
        system: &mut LinearSystem,
        stiffness: f64,
        margin: f64,
    ) -> Result<(), FactorizationError> {
        let mut shift = vec![0.0; self.gamma.len()];
        for block in 0..self.problem.blocks() {
            shift[self.problem.rows(block)].fill(stiffness * self.problem.mean_diagonal()[block]);
        }
        for (scaling, piece) in self.scalings.iter_mut().zip(&self.pieces.list) {
            scaling.beta = 1.0 / (stiffness * piece.weight).sqrt();
        }
        system.factorize(self.problem, self.pieces, &self.scalings, &shift)?;
        self.pieces.fix(&mut self.gamma);
        let (gamma, r) = (&mut self.gamma, self.problem.free_velocity());
        self.problem.product(gamma, &mut self.state, &mut self.work);
        self.products += 1;
        for k in 0..self.work.len() {
            self.work[k] = -self.work[k] - r[k];
        }
        self.pieces.mask(&mut self.work);
        system.solve(self.problem, &mut self.work);
        for (gamma, change) in gamma.iter_mut().zip(&self.work) {
            *gamma += change;
        }
        for (k, piece) in self.pieces.list.iter().enumerate() {
            self.s[k] = piece.map(&self.gamma);
            self.s[k][0] += piece.offset;
            self.z[k] = self.s[k].map(|v| -stiffness * piece.weight * v);
        }
        self.move_inside(margin);
        Ok(())
    }

    /// γ as given, s = Gγ + h, z the part of u = Nγ + r that each piece can bear, moved inside.
    pub fn warm_start(&mut self, gamma: &[f64], velocity: &[f64], margin: f64) {
        self.gamma.copy_from_slice(gamma);
        for block in 0..self.problem.blocks() {
            let range = self.pieces.of_block(block);
            let own = &self.pieces.list[range.clone()];
            let total: f64 = own.iter().map(|piece| piece.coefficient.abs()).sum();
            for (k, piece) in range.zip(own) {
                self.s[k] = piece.map(gamma);
                self.s[k][0] += piece.offset;
                self.z[k] = piece.map(velocity);
                self.z[k][0] = piece.coefficient.signum() * velocity[piece.head] / total;
            }
        }
        self.move_inside(margin);
    }

    /// Adds to s and to z a multiple of e, the same for all pieces in units of energy, so that the
    /// worst of them is inside by `margin` of the mean size.
    fn move_inside(&mut self, margin: f64) {
        let list = &self.pieces.list;
        let dual_power = [0.5, -0.5];
        for (x, power) in [&mut self.s, &mut self.z].into_iter().zip(dual_power) {
            let unit = |k: usize| list[k].weight.powf(power);
            let mut worst = f64::INFINITY;
            let mut squares = 0.0;
            for (k, x) in x.iter().enumerate() {
                worst = worst.min(unit(k) * smallest_eigenvalue(x));
                squares += unit(k) * unit(k) * inner(x, x);
            }
            let size = (squares / list.len().max(1) as f64).sqrt();
            let wanted = margin * if size > 0.0 { size } else { 1.0 };
            if worst < wanted {
                for (k, x) in x.iter_mut().enumerate() {
                    x[0] += (wanted - worst) / unit(k);
                }
            }
        }
    }

    /// d = −(Nγ + r − Gᵀz) and p = Gγ + h − s.
    pub fn compute_residuals(&mut self) {
        self.problem
            .velocity(&self.gamma, &mut self.state, &mut self.work);
        self.products += 1;
        self.dual_residual.fill(0.0);
        for (k, piece) in self.pieces.list.iter().enumerate() {
            piece.add_transposed(&self.z[k], &mut self.dual_residual);
            self.primal_residual[k] = plus(&piece.map(&self.gamma), -1.0, &self.s[k]);
            self.primal_residual[k][0] += piece.offset;
        }
        for (d, u) in self.dual_residual.iter_mut().zip(&self.work) {
            *d -= u;
        }
        self.pieces.mask(&mut self.dual_residual);
    }

    /// W, λ and μ; false when rounding has put s or z onto the boundary.
    pub fn compute_scaling(&mut self) -> bool {
        let mut gap = 0.0;
        for k in 0..self.s.len() {
            let Some(scaling) = Scaling::new(&self.s[k], &self.z[k]) else {
                return false;
            };
            self.scalings[k] = scaling;
            self.lambda[k] = scaling.apply(&self.z[k]);
            if !(smallest_eigenvalue(&self.lambda[k]) > 0.0) {
                return false;
            }
            gap += inner(&self.lambda[k], &self.lambda[k]);
        }
        self.mu = gap / self.s.len().max(1) as f64;
        true
    }

    /// μ at the last scaling.
    pub fn barrier(&self) -> f64 {
        self.mu
    }

    /// q = −λ.
    pub fn predictor(&mut self) {
        for (q, lambda) in self.q.iter_mut().zip(&self.lambda) {
            *q = lambda.map(|v| -v);
        }
    }

    /// q = −λ + λ \ (σμ e − W⁻¹Δs ∘ WΔz), from the predictor's direction.
    pub fn corrector(&mut self, sigma: f64) {
        for k in 0..self.q.len() {
            let second = product(&self.scaled_delta_s[k], &self.scaled_delta_z[k]);
            let target = plus(&[sigma * self.mu, 0.0, 0.0], -1.0, &second);
            let lambda = &self.lambda[k];
            self.q[k] = plus(&divide(lambda, &target), -1.0, lambda);
        }
    }

    /// Δγ, Δs and Δz of the present q, refined until the residual is `accuracy` of the terms that it is the difference
    /// of, or is no longer halved; answers with what it is, and with the solves that took.
    pub fn direction(
        &mut self,
        system: &mut LinearSystem,
        refinement_steps: usize,
        accuracy: f64,
    ) -> (f64, usize) {
        self.work.copy_from_slice(&self.dual_residual);
        for (k, piece) in self.pieces.list.iter().enumerate() {
            let scaling = &self.scalings[k];
            let inner = scaling.apply_inverse(&self.primal_residual[k]);
            let z = scaling.apply_inverse(&plus(&self.q[k], -1.0, &inner));
            piece.add_transposed(&z, &mut self.work);
        }
        self.pieces.mask(&mut self.work);
        system.solve(self.problem, &mut self.work);
        self.delta_gamma.copy_from_slice(&self.work);
        self.eliminated();
        let mut before = f64::INFINITY;
        let (mut left, mut solves) = (f64::INFINITY, 1);
        for _ in 0..refinement_steps {
            // d − NΔγ + GᵀΔz; the other two equations hold by construction.
            let residual = &mut self.work;
            self.problem
                .product(&self.delta_gamma, &mut self.state, residual);
            self.products += 1;
            let terms = norm(residual) + norm(&self.dual_residual);
            for (x, d) in residual.iter_mut().zip(&self.dual_residual) {
                *x = d - *x;
            }
            for (k, piece) in self.pieces.list.iter().enumerate() {
                let z = self.scalings[k].apply_inverse(&self.scaled_delta_z[k]);
                piece.add_transposed(&z, residual);
            }
            self.pieces.mask(residual);
            let size = norm(residual);
            left = if terms > 0.0 { size / terms } else { 0.0 };
            if left <= accuracy || !(size < 0.5 * before) {
                break;
            }
            before = size;
            solves += 1;
            system.solve(self.problem, residual);
            for (x, change) in self.delta_gamma.iter_mut().zip(residual) {
                *x += *change;
            }
            self.eliminated();
        }
        (left, solves)
    }

    /// W⁻¹Δs and WΔz from Δγ.
    fn eliminated(&mut self) {
        let directions = self
            .scaled_delta_s
            .par_iter_mut()
            .zip(&mut self.scaled_delta_z);
        let (pieces, scalings, q) = (&self.pieces.list, &self.scalings, &self.q);
        let (delta_gamma, primal_residual) = (&self.delta_gamma, &self.primal_residual);
        let directions = directions.enumerate().with_min_len(FEWEST);
        directions.for_each(|(k, (scaled_delta_s, scaled_delta_z))| {
            let delta_s = plus(&pieces[k].map(delta_gamma), 1.0, &primal_residual[k]);
            *scaled_delta_s = scalings[k].apply_inverse(&delta_s);
            *scaled_delta_z = plus(&q[k], -1.0, scaled_delta_s);
        });
    }

    /// Remembers the present direction.
    pub fn keep_direction(&mut self) {
        self.kept.0.copy_from_slice(&self.delta_gamma);
        self.kept.1.copy_from_slice(&self.scaled_delta_s);
        self.kept.2.copy_from_slice(&self.scaled_delta_z);
    }

    /// Goes back to the remembered direction.
    pub fn restore_direction(&mut self) {
        std::mem::swap(&mut self.kept.0, &mut self.delta_gamma);
        std::mem::swap(&mut self.kept.1, &mut self.scaled_delta_s);
        std::mem::swap(&mut self.kept.2, &mut self.scaled_delta_z);
    }

    /// The largest step that keeps s and z in the cones.
    pub fn step_to_boundary(&self) -> f64 {
        let [step] = self.largest_steps(|k| [[self.scaled_delta_s[k], self.scaled_delta_z[k]]]);
        step
    }

    /// The same for each of several W⁻¹Δs and WΔz. In the scaled frame s and z both start at λ.
    pub(super) fn largest_steps<const N: usize>(
        &self,
        directions: impl Fn(usize) -> [[Triple; 2]; N] + Sync,
    ) -> [f64; N] {
        let smaller = |a: [f64; N], b: [f64; N]| std::array::from_fn(|k| a[k].min(b[k]));
        let pieces = self.lambda.par_iter().enumerate().with_min_len(FEWEST);
        pieces
            .map(|(k, lambda)| {
                directions(k).map(|direction| {
                    let [s, z] = direction.map(|d| step_to_boundary(lambda, &d));
                    s.min(z)
                })
            })
            .reduce(|| [f64::INFINITY; N], smaller)
    }

    /// (γ, s, z) += α (Δγ, Δs, Δz).
    pub fn advance(&mut self, step: f64) {
        for (k, piece) in self.pieces.list.iter().enumerate() {
            let delta_s = plus(&piece.map(&self.delta_gamma), 1.0, &self.primal_residual[k]);
            self.s[k] = plus(&self.s[k], step, &delta_s);
            let delta_z = self.scalings[k].apply_inverse(&self.scaled_delta_z[k]);
            self.z[k] = plus(&self.z[k], step, &delta_z);
        }
        for (gamma, change) in self.gamma.iter_mut().zip(&self.delta_gamma) {
            *gamma += step * change;
        }
    }
}
