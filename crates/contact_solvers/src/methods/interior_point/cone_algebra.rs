//! Second-order cones and half-lines: the map s = Gγ + h, Jordan products and Nesterov-Todd scaling.
//!
//! Every set of the contact problem is written as a product of *pieces* (s₀, s̄) with |s̄| ≤ s₀:
//!
//! | block | pieces |
//! |---|---|
//! | contact with discs | (c_k n, a_k) for every disc with c_k > 0 |
//! | contact without such a disc | (n) |
//! | bounded row | (x − lower) and (upper − x), as far as the bounds are finite |
//! | joint | none: its rows are free |
//!
//! Components that can only have one value (discs with c_k = 0, bounds that coincide) are *fixed*.
//! A piece is held as three numbers; those it does not have are zero, and stay zero under every
//! formula below, so half-lines and planar cones need no case of their own.

use crate::cones::Cone;
use crate::problem::ContactProblem;

/// The three numbers of a piece.
pub(super) type Triple = [f64; 3];

/// One second-order cone, or a half-line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Row of γ that enters s₀.
    pub head: usize,
    /// Its factor in s₀.
    pub coefficient: f64,
    /// The constant in s₀.
    pub offset: f64,
    /// First row of γ in s̄.
    pub tail: usize,
    /// Number of rows of γ in s̄.
    pub tail_length: usize,
    /// The size of N at its block: makes impulses and velocities comparable.
    pub weight: f64,
}

impl Piece {
    /// (G x) of this piece; without the constant.
    #[inline]
    pub fn map(&self, x: &[f64]) -> Triple {
        let mut result = [self.coefficient * x[self.head], 0.0, 0.0];
        for k in 0..self.tail_length {
            result[1 + k] = x[self.tail + k];
        }
        result
    }

    /// Adds Gᵀ z of this piece to `result`.
    #[inline]
    pub fn add_transposed(&self, z: &Triple, result: &mut [f64]) {
        result[self.head] += self.coefficient * z[0];
        for k in 0..self.tail_length {
            result[self.tail + k] += z[1 + k];
        }
    }
}

/// All pieces of a problem, block by block, and the rows outside of them.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// The pieces.
    pub list: Vec<Piece>,
    /// Block i owns `list[starts[i]..starts[i + 1]]`.
    pub starts: Vec<usize>,
    /// For each row, the only value that it can have, if there is but one.
    pub fixed: Vec<Option<f64>>,
    /// Rows without any bound.
    pub free: Vec<usize>,
}

impl Pieces {
    /// Takes the sets of a problem apart.
    pub fn new(problem: &ContactProblem) -> Self {
        let weights = problem.mean_diagonal();
        let mut pieces = Self {
            list: Vec::with_capacity(problem.blocks()),
            starts: vec![0],
            fixed: vec![None; problem.dimension()],
            free: Vec::new(),
        };
        for (block, cone) in problem.cones().iter().enumerate() {
            let first = problem.first_row(block);
            let half_line = Piece {
                head: first,
                coefficient: 1.0,
                offset: 0.0,
                tail: first,
                tail_length: 0,
                weight: weights[block],
            };
            match *cone {
                Cone::Bilateral { .. } => pieces.free.extend(problem.rows(block)),
                Cone::Box { lower, upper } if lower == upper => pieces.fixed[first] = Some(lower),
                Cone::Box { lower, upper } => {
                    if lower.is_finite() {
                        pieces.list.push(Piece {
                            offset: -lower,
                            ..half_line
                        });
                    }
                    if upper.is_finite() {
                        let coefficient = -1.0;
                        pieces.list.push(Piece {
                            coefficient,
                            offset: upper,
                            ..half_line
                        });
                    }
                    if lower.is_infinite() && upper.is_infinite() {
                        pieces.free.push(first);
                    }
                }
                _ => pieces.add_contact(cone, half_line),
            }
            pieces.starts.push(pieces.list.len());
        }
        pieces
    }

    fn add_contact(&mut self, cone: &Cone, half_line: Piece) {
        let (first, before) = (half_line.head, self.list.len());
        for disc in cone.discs().expect("a contact").discs() {
            if disc.coefficient > 0.0 {
                self.list.push(Piece {
                    coefficient: disc.coefficient,
                    tail: first + disc.start,
                    tail_length: disc.end - disc.start,
                    ..half_line
                });
            } else {
                self.fixed[first + disc.start..first + disc.end].fill(Some(0.0));
            }
        }
        if self.list.len() == before {
            self.list.push(half_line);
        }
    }

    /// The pieces of one block with their numbers in the list.
    pub fn of_block(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// Sets the fixed rows of γ to their values.
    pub fn fix(&self, x: &mut [f64]) {
        for (x, fixed) in x.iter_mut().zip(&self.fixed) {
            *x = fixed.unwrap_or(*x);
        }
    }

    /// Sets the fixed rows of a residual to zero: nothing can be changed there.
    pub fn mask(&self, x: &mut [f64]) {
        for (x, fixed) in x.iter_mut().zip(&self.fixed) {
            if fixed.is_some() {
                *x = 0.0;
            }
        }
    }
}

/// xᵀy.
#[inline]
pub(super) fn inner(x: &Triple, y: &Triple) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// √(x² + y²); `hypot` would keep it from overflowing at 1e154, at ten times the cost.
#[inline]
pub(super) fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// The smaller eigenvalue s₀ − |s̄|: positive in the interior.
#[inline]
pub(super) fn smallest_eigenvalue(s: &Triple) -> f64 {
    s[0] - length(s[1], s[2])
}

/// det s = s₀² − |s̄|², as a product so that it stays accurate near the boundary.
#[inline]
fn determinant(s: &Triple) -> f64 {
    let tail = length(s[1], s[2]);
    (s[0] - tail) * (s[0] + tail)
}

/// The Jordan product x ∘ y = (xᵀy, x₀ȳ + y₀x̄).
#[inline]
pub(super) fn product(x: &Triple, y: &Triple) -> Triple {
    [
        inner(x, y),
        x[0] * y[1] + y[0] * x[1],
        x[0] * y[2] + y[0] * x[2],
    ]
}

/// The x with λ ∘ x = d.
#[inline]
pub(super) fn divide(lambda: &Triple, d: &Triple) -> Triple {
    let head = (lambda[0] * d[0] - lambda[1] * d[1] - lambda[2] * d[2]) / determinant(lambda);
    [
        head,
        (d[1] - head * lambda[1]) / lambda[0],
        (d[2] - head * lambda[2]) / lambda[0],
    ]
}

/// The largest α for which λ + α d lies in the cone; infinite if every α does.
#[inline]
pub(super) fn step_to_boundary(lambda: &Triple, d: &Triple) -> f64 {
    // In the frame where λ is the unit element the boundary is met at 1 / (|ρ̄| − ρ₀).
    let root = determinant(lambda).sqrt();
    let l = lambda.map(|v| v / root);
    let head = l[0] * d[0] - l[1] * d[1] - l[2] * d[2];
    let factor = (head + d[0]) / (l[0] + 1.0);
    let excess = length(d[1] - factor * l[1], d[2] - factor * l[2]) - head;
    if excess > 0.0 {
        root / excess
    } else {
        f64::INFINITY
    }
}

/// Nesterov-Todd scaling of one piece: the symmetric W with W z = W⁻¹ s, kept as
/// W² = β² (2 w wᵀ − J) with det w = 1 and J = diag(1, −1, −1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling {
    /// β.
    pub beta: f64,
    /// w.
    pub w: Triple,
}

impl Scaling {
    /// No scaling.
    pub const IDENTITY: Scaling = Scaling {
        beta: 1.0,
        w: [1.0, 0.0, 0.0],
    };

    /// The scaling of s and z; `None` unless both are inside.
    #[inline]
    pub fn new(s: &Triple, z: &Triple) -> Option<Self> {
        let (root_s, root_z) = (determinant(s).sqrt(), determinant(z).sqrt());
        if !(root_s > 0.0 && root_z > 0.0 && s[0] > 0.0 && z[0] > 0.0) {
            return None;
        }
        let (s, z) = (s.map(|v| v / root_s), z.map(|v| v / root_z));
        let twice = (2.0 * (1.0 + inner(&s, &z))).sqrt();
        let (a, b) = ((s[1] - z[1]) / twice, (s[2] - z[2]) / twice);
        let head = (1.0 + a * a + b * b).sqrt();
        let beta = (root_s / root_z).sqrt();
        (beta > 0.0 && beta.is_finite() && head.is_finite()).then_some(Self {
            beta,
            w: [head, a, b],
        })
    }

    /// W x.
    #[inline]
    pub fn apply(&self, x: &Triple) -> Triple {
        let (w, along) = (&self.w, self.w[1] * x[1] + self.w[2] * x[2]);
        let factor = x[0] + along / (1.0 + w[0]);
        [
            w[0] * x[0] + along,
            x[1] + factor * w[1],
            x[2] + factor * w[2],
        ]
        .map(|v| self.beta * v)
    }

    /// W⁻¹ x.
    #[inline]
    pub fn apply_inverse(&self, x: &Triple) -> Triple {
        let (w, along) = (&self.w, self.w[1] * x[1] + self.w[2] * x[2]);
        let factor = along / (1.0 + w[0]) - x[0];
        [
            w[0] * x[0] - along,
            x[1] + factor * w[1],
            x[2] + factor * w[2],
        ]
        .map(|v| v / self.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Triple = [2.0, 0.7, -1.1];
    const Z: Triple = [0.9, 0.2, 0.3];

    fn close(x: &Triple, y: &Triple) {
        for k in 0..3 {
            assert!((x[k] - y[k]).abs() < 1e-13, "{x:?} is not {y:?}");
        }
    }

    #[test]
    fn the_scaling_brings_both_vectors_to_one_point() {
        let scaling = Scaling::new(&S, &Z).unwrap();
        close(&scaling.apply(&Z), &scaling.apply_inverse(&S));
        close(&scaling.apply(&scaling.apply_inverse(&S)), &S);
        let [a, b, c] = scaling.w;
        let along = inner(&scaling.w, &Z);
        let squared = [
            2.0 * a * along - Z[0],
            2.0 * b * along + Z[1],
            2.0 * c * along + Z[2],
        ];
        close(&squared.map(|v| scaling.beta * scaling.beta * v), &S);
    }

    #[test]
    fn division_undoes_the_product() {
        close(&divide(&S, &product(&S, &Z)), &Z);
    }

    #[test]
    fn the_step_ends_on_the_boundary() {
        let d = [-1.0, 0.5, 0.1];
        let step = step_to_boundary(&S, &d);
        let end = [S[0] + step * d[0], S[1] + step * d[1], S[2] + step * d[2]];
        assert!(smallest_eigenvalue(&end).abs() < 1e-14);
        assert_eq!(step_to_boundary(&S, &Z), f64::INFINITY);
        assert!(Scaling::new(&S, &[1.0, 1.0, 0.0]).is_none());
    }
}
