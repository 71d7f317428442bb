//! Projection onto a cone of a normal and discs, in closed form.
//!
//! Let w₀ > 0 weigh the normal and w_k > 0 disc k. The nearest point of
//! K = {(n, a₁, …) : |a_k| ≤ c_k n, n ≥ 0} to (n₀, x₁, …) minimises
//! w₀ (n − n₀)² + Σ w_k |a_k − x_k|². For a fixed n the best a_k keeps the direction of x_k and has
//! length min(|x_k|, c_k n), so only n is unknown, and the derivative of half the remaining function,
//!
//! ```text
//!   φ(n) = w₀ (n − n₀) − Σ w_k c_k max(0, |x_k| − c_k n),
//! ```
//!
//! increases and is piecewise linear with a break at n = |x_k| / c_k for each disc. If φ(0) ≥ 0 the
//! nearest point is the apex (x lies in the polar cone). Otherwise, with S the discs whose break
//! lies above the root,
//!
//! ```text
//!   n = (w₀ n₀ + Σ_S w_k c_k |x_k|) / (w₀ + Σ_S w_k c_k²),
//! ```
//!
//! and S is found by adding discs in the order of falling breaks until the root of the piece lies
//! on it. With one disc and unit weights this is the well-known projection onto the friction cone;
//! with several it is exact for the *intersection* cone of sliding, rolling and spinning friction,
//! where projecting onto each cone in turn is not.

/// The largest number of discs: sliding, rolling, spinning.
pub const MAX_DISCS: usize = 3;

/// One group of components bounded by coefficient x normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// First component of the group within the block.
    pub start: usize,
    /// One past the last component.
    pub end: usize,
    /// Bound of the group's norm per unit of normal impulse.
    pub coefficient: f64,
}

/// A normal component and its discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscCone {
    discs: [Disc; MAX_DISCS],
    count: usize,
}

fn norm(x: &[f64]) -> f64 {
    match x {
        [a] => a.abs(),
        [a, b] => (a * a + b * b).sqrt(),
        _ => x.iter().map(|v| v * v).sum::<f64>().sqrt(),
    }
}

impl DiscCone {
    /// Discs as `(number of components, coefficient)`, in order behind the normal.
    pub fn new(discs: &[(usize, f64)]) -> Self {
        let empty = Disc {
            start: 1,
            end: 1,
            coefficient: 0.0,
        };
        let mut cone = Self {
            discs: [empty; MAX_DISCS],
            count: discs.len(),
        };
        let mut start = 1;
        for (disc, &(length, coefficient)) in cone.discs.iter_mut().zip(discs) {
            *disc = Disc {
                start,
                end: start + length,
                coefficient,
            };
            start += length;
        }
        cone
    }

    /// The discs.
    pub fn discs(&self) -> &[Disc] {
        &self.discs[..self.count]
    }

    /// Σ c_k |x_k|: what De Saxcé adds to the normal velocity, and what bounds it in the dual cone.
    pub fn shift(&self, x: &[f64]) -> f64 {
        self.discs()
            .iter()
            .map(|disc| disc.coefficient * norm(&x[disc.start..disc.end]))
            .sum()
    }

    /// The root n of φ and, per disc, whether its bound is active there; `None` for the apex.
    fn normal_root(&self, x: &[f64], weights: &[f64]) -> Option<(f64, [bool; MAX_DISCS])> {
        let mut length = [0.0; MAX_DISCS];
        let mut breaks = [f64::NEG_INFINITY; MAX_DISCS];
        let mut slope_at_zero = -weights[0] * x[0];
        for (k, disc) in self.discs().iter().enumerate() {
            length[k] = norm(&x[disc.start..disc.end]);
            if disc.coefficient > 0.0 {
                breaks[k] = length[k] / disc.coefficient;
                slope_at_zero -= weights[disc.start] * disc.coefficient * length[k];
            }
        }
        if slope_at_zero >= 0.0 {
            return None;
        }
        let mut active = [false; MAX_DISCS];
        let (mut numerator, mut denominator) = (weights[0] * x[0], weights[0]);
        loop {
            let root = numerator / denominator;
            let next = (0..self.count)
                .filter(|&k| !active[k])
                .max_by(|&a, &b| breaks[a].total_cmp(&breaks[b]));
            match next {
                Some(k) if breaks[k] > root => {
                    let (w, c) = (weights[self.discs[k].start], self.discs[k].coefficient);
                    active[k] = true;
                    numerator += w * c * length[k];
                    denominator += w * c * c;
                }
                _ => {
                    // A disc of coefficient zero is a point: it is bound wherever it is not zero.
                    for k in 0..self.count {
                        active[k] |= self.discs[k].coefficient == 0.0;
                    }
                    return Some((root, active));
                }
            }
        }
    }

    /// Replaces `x` by the nearest point of the cone in the weighted norm; the weights are per
    /// component and equal within a disc.
    pub fn project(&self, x: &mut [f64], weights: &[f64]) {
        let Some((root, active)) = self.normal_root(x, weights) else {
            x.fill(0.0);
            return;
        };
        x[0] = root;
        for (disc, active) in self.discs().iter().zip(active) {
            let group = &mut x[disc.start..disc.end];
            let (length, bound) = (norm(group), disc.coefficient * root);
            if active && length > 0.0 {
                group.iter_mut().for_each(|v| *v *= bound / length);
            }
        }
    }

    /// Adds the derivative of the unweighted projection at `x` to the zeroed row-major `jacobian`.
    ///
    /// On the active set n = (n₀ + Σ c_k |x_k|) / s with s = 1 + Σ c_k², so dn = (dn₀ + Σ c_k t_kᵀ dx_k)/s
    /// with t_k = x_k/|x_k|; an active disc follows a_k = c_k n t_k, a free one a_k = x_k.
    pub fn derivative(&self, x: &[f64], jacobian: &mut [f64]) {
        let d = self.discs().last().map_or(1, |disc| disc.end);
        let Some((root, active)) = self.normal_root(x, &[1.0; super::MAX_DIMENSION]) else {
            return;
        };
        let mut normal_row = [0.0; super::MAX_DIMENSION];
        let mut unit = [0.0; super::MAX_DIMENSION];
        let mut denominator = 1.0;
        normal_row[0] = 1.0;
        for (disc, active) in self.discs().iter().zip(active) {
            let length = norm(&x[disc.start..disc.end]);
            if active && length > 0.0 {
                denominator += disc.coefficient * disc.coefficient;
                for k in disc.start..disc.end {
                    unit[k] = x[k] / length;
                    normal_row[k] = disc.coefficient * unit[k];
                }
            }
        }
        for k in 0..d {
            jacobian[k] = normal_row[k] / denominator;
        }
        for (disc, active) in self.discs().iter().zip(active) {
            let length = norm(&x[disc.start..disc.end]);
            for row in disc.start..disc.end {
                if !active {
                    jacobian[row * d + row] = 1.0;
                    continue;
                }
                if length == 0.0 {
                    continue;
                }
                for column in 0..d {
                    jacobian[row * d + column] =
                        disc.coefficient * unit[row] * normal_row[column] / denominator;
                }
                let shrink = disc.coefficient * root / length;
                for column in disc.start..disc.end {
                    let identity = f64::from(u8::from(row == column));
                    jacobian[row * d + column] += shrink * (identity - unit[row] * unit[column]);
                }
            }
        }
    }
}

/// The projection onto the spatial friction cone, the case that large problems consist of.
#[inline]
pub fn project_friction(friction: f64, x: &mut [f64]) {
    project_friction_weighted(friction, x, 1.0, 1.0);
}

/// The same with weights of the normal and the tangential part.
#[inline]
pub fn project_friction_weighted(friction: f64, x: &mut [f64], normal: f64, tangential: f64) {
    // All three cases are computed and one is selected: which of them it is changes from contact to contact, and a
    // branch that is guessed wrongly costs more.
    let length = (x[1] * x[1] + x[2] * x[2]).sqrt();
    // Without friction the bound is −0.0 for every negative normal: its sign must be asked for.
    let inside = x[0] >= 0.0 && length <= friction * x[0];
    let pull = tangential * friction;
    let numerator = normal * x[0] + pull * length;
    let outer = numerator / (normal + pull * friction);
    // NaN must pass through, which `max` would not let it.
    let root = if numerator <= 0.0 { 0.0 } else { outer };
    let bound = friction * root / length.max(f64::MIN_POSITIVE);
    let shrink = if inside { 1.0 } else { bound };
    x[0] = if inside { x[0] } else { root };
    x[1] *= shrink;
    x[2] *= shrink;
}
