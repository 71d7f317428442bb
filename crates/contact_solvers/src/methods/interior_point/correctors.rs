//! Further directions from one factorisation: what lengthens a step costs a solve, where another step costs a factor.
//!
//! A step is short where, at its end, a few products s ∘ z lie far from the others. Gondzio's corrector looks at the products at
//! the end of a step that is longer than possible, and asks for those to move that have an eigenvalue outside
//! [β₋σμ, β₊σμ], by what they are outside, though by no more than β₊σμ downwards:
//!
//! ```text
//!   v = (λ + α̃ W⁻¹Δs) ∘ (λ + α̃ WΔz),   α̃ = min(1, 1.5 α + 0.3),
//!   q ← q + λ \ t,   t the same v with each eigenvalue e replaced by max(clamp(e, β₋σμ, β₊σμ) − e, −β₊σμ)
//! ```
//!
//! The new direction is mixed with the one before, with the share ω of it that allows the longest step.
//!
//! J. Gondzio, *Multiple centrality corrections in a primal-dual method for linear programming*, Comput. Optim. Appl. 6, 1996;
//! the mixing: M. Colombo, J. Gondzio, *Further development of multiple centrality correctors for interior point
//! methods*, Comput. Optim. Appl. 41, 2008.

use super::cone_algebra::{Triple, divide, length, product};
use super::iterate::{Iterate, plus};

/// β₋.
const LOWEST: f64 = 0.1;

/// β₊.
const HIGHEST: f64 = 10.0;

/// Shares ω that are tried.
const SHARES: usize = 10;

impl Iterate<'_> {
    /// Changes q as above, for a direction that allows a step α.
    pub fn centre(&mut self, sigma: f64, step: f64) {
        let longer = (1.5 * step + 0.3).min(1.0);
        let target = sigma * self.mu;
        for k in 0..self.q.len() {
            let lambda = &self.lambda[k];
            let s = plus(lambda, longer, &self.scaled_delta_s[k]);
            let z = plus(lambda, longer, &self.scaled_delta_z[k]);
            let t = move_eigenvalues(&product(&s, &z), LOWEST * target, HIGHEST * target);
            self.q[k] = plus(&self.q[k], 1.0, &divide(lambda, &t));
        }
    }

    /// Mixes the present direction with the one that was kept so that the step to the boundary is the longest; answers with
    /// that step.
    pub fn mix_directions(&mut self) -> f64 {
        let (_, s, z) = &self.kept;
        let share = |k: usize| k as f64 / SHARES as f64;
        let steps = self.largest_steps(|piece| -> [[Triple; 2]; SHARES + 1] {
            let (now_s, now_z) = (&self.scaled_delta_s[piece], &self.scaled_delta_z[piece]);
            std::array::from_fn(|k| {
                [
                    mixture(share(k), now_s, &s[piece]),
                    mixture(share(k), now_z, &z[piece]),
                ]
            })
        });
        let (mut best, mut longest) = (0.0, 0.0);
        for (k, &step) in steps.iter().enumerate() {
            if step > longest {
                (best, longest) = (share(k), step);
            }
        }
        let (gamma, s, z) = &self.kept;
        for (x, kept) in self.delta_gamma.iter_mut().zip(gamma) {
            *x = best * *x + (1.0 - best) * kept;
        }
        for (now, kept) in [(&mut self.scaled_delta_s, s), (&mut self.scaled_delta_z, z)] {
            for (x, kept) in now.iter_mut().zip(kept) {
                *x = mixture(best, x, kept);
            }
        }
        longest
    }
}

/// ω x + (1 − ω) y.
fn mixture(share: f64, x: &Triple, y: &Triple) -> Triple {
    std::array::from_fn(|k| share * x[k] + (1.0 - share) * y[k])
}

/// What moves the eigenvalues of v into [low, high], though none by more than `high` downwards.
fn move_eigenvalues(v: &Triple, low: f64, high: f64) -> Triple {
    let tail_length = length(v[1], v[2]);
    let move_one = |e: f64| (e.clamp(low, high) - e).max(-high);
    let (upper, lower) = (move_one(v[0] + tail_length), move_one(v[0] - tail_length));
    let tail = if tail_length > 0.0 {
        0.5 * (upper - lower) / tail_length
    } else {
        0.0
    };
    [0.5 * (upper + lower), tail * v[1], tail * v[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_are_moved_into_the_interval() {
        // Eigenvalues 7 and −3 with the frame (0.6, 0.8): to 4 and 1.
        let t = move_eigenvalues(&[2.0, 3.0, 4.0], 1.0, 4.0);
        let moved = plus(&[2.0, 3.0, 4.0], 1.0, &t);
        assert!((moved[0] - 2.5).abs() < 1e-15);
        assert!((moved[1] - 0.9).abs() < 1e-15 && (moved[2] - 1.2).abs() < 1e-15);
        // One that is inside stays, one far above moves by no more than the upper bound.
        assert_eq!(move_eigenvalues(&[2.0, 0.0, 0.5], 1.0, 4.0), [0.0; 3]);
        assert_eq!(
            move_eigenvalues(&[100.0, 0.0, 0.0], 1.0, 4.0),
            [-4.0, 0.0, 0.0]
        );
    }
}
