//! The largest value of a concave model in two unknowns: a least of several planes, less a quadratic.

use super::side::Piece;
use glam::DVec2;

/// Weights above this are positive, whatever rounding says.
const NO_WEIGHT: f64 = -1e-12;
/// More planes are never needed but for rounding.
const PLANES: usize = 40;

/// A plane of height c + t·d over d, made of a piece of each solid.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cut {
    /// c.
    pub value: f64,
    /// t.
    pub slope: DVec2,
    /// The pieces.
    pub pieces: [Piece; 2],
}

impl Cut {
    #[inline]
    fn at(&self, d: DVec2) -> f64 {
        self.value + self.slope.dot(d)
    }
}

/// A symmetric positive matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadratic {
    uu: f64,
    uv: f64,
    vv: f64,
}

impl Quadratic {
    /// A symmetric matrix with each eigenvalue replaced by its magnitude, or by `least` if that is larger: along a
    /// direction in which the true function bends upwards, the step of the bend downwards leads away from the saddle.
    pub fn positive(uu: f64, uv: f64, vv: f64, least: f64) -> Self {
        let (middle, half) = (0.5 * (uu + vv), 0.5 * (uu - vv));
        let radius = half.hypot(uv);
        let (low, high) = (middle - radius, middle + radius);
        if low >= least {
            return Self { uu, uv, vv };
        }
        let (new_low, new_high) = (low.abs().max(least), high.abs().max(least));
        let (new_middle, new_radius) = (0.5 * (new_low + new_high), 0.5 * (new_high - new_low));
        // The same eigenvectors: the part without trace is scaled.
        let scale = if radius > 0.0 {
            new_radius / radius
        } else {
            0.0
        };
        Self {
            uu: new_middle + scale * half,
            uv: scale * uv,
            vv: new_middle - scale * half,
        }
    }

    #[inline]
    fn times(&self, d: DVec2) -> DVec2 {
        DVec2::new(self.uu * d.x + self.uv * d.y, self.uv * d.x + self.vv * d.y)
    }

    #[inline]
    fn solve(&self, t: DVec2) -> DVec2 {
        let determinant = self.uu * self.vv - self.uv * self.uv;
        DVec2::new(self.vv * t.x - self.uv * t.y, self.uu * t.y - self.uv * t.x) / determinant
    }
}

/// The largest value of the model, and the planes that meet there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Top {
    cuts: [Cut; 3],
    weights: [f64; 3],
    count: usize,
    /// d.
    pub turn: DVec2,
    value: f64,
}

impl Top {
    /// The planes and their weights: with these the slopes add up to the slope of the quadratic.
    pub fn weighted(&self) -> impl Iterator<Item = (f64, &Cut)> {
        self.weights.into_iter().zip(&self.cuts[..self.count])
    }
}

/// Maximises min_k (c_k + t_k·d) − ½ dᵀ H d, where `cut` gives the lowest plane at any d.
///
/// At most three planes meet at the maximum. With weights λ of sum one and Σ λ t = H d the value of the planes that
/// meet is a lower bound of the highest value that any of their subsets allows; a new plane below them belongs to
/// the next subset, of which the right one has the least value. As the value falls, none comes twice.
pub(super) fn maximum(h: &Quadratic, tolerance: f64, cut: impl Fn(DVec2) -> Cut) -> Top {
    let mut top = single(h, cut(DVec2::ZERO));
    for _ in 0..PLANES {
        let new = cut(top.turn);
        let least = (0..top.count).fold(f64::INFINITY, |least, k| {
            least.min(top.cuts[k].at(top.turn))
        });
        if !(new.at(top.turn) < least - tolerance) {
            break;
        }
        let mut best: Option<Top> = None;
        let mut offer = |found: Option<Top>| {
            if let Some(found) = found
                && best.is_none_or(|best| found.value < best.value)
            {
                best = Some(found);
            }
        };
        let old = &top.cuts[..top.count];
        offer(Some(single(h, new)));
        for (k, first) in old.iter().enumerate() {
            offer(double(h, new, *first));
            for second in &old[..k] {
                offer(triple(h, new, *first, *second));
            }
        }
        let Some(best) = best else { break };
        if !best.turn.is_finite() || !(best.value < top.value + tolerance) {
            break;
        }
        top = best;
    }
    top
}

/// One plane: H d = t.
fn single(h: &Quadratic, cut: Cut) -> Top {
    let turn = h.solve(cut.slope);
    Top {
        cuts: [cut; 3],
        weights: [1.0, 0.0, 0.0],
        count: 1,
        turn,
        value: cut.value + 0.5 * cut.slope.dot(turn),
    }
}

/// Two planes: d on the line where they are level, e·d = c₁ − c₂ with e = t₂ − t₁, and the best along it.
fn double(h: &Quadratic, first: Cut, second: Cut) -> Option<Top> {
    let e = second.slope - first.slope;
    let squared = e.length_squared();
    let foot = e * ((first.value - second.value) / squared);
    let along = e.perp();
    let step = along.dot(first.slope - h.times(foot)) / along.dot(h.times(along));
    let turn = foot + step * along;
    let slope = h.times(turn);
    let weight = e.dot(slope - first.slope) / squared;
    (weight >= NO_WEIGHT && weight <= 1.0 - NO_WEIGHT).then(|| Top {
        cuts: [first, second, second],
        weights: [1.0 - weight, weight, 0.0],
        count: 2,
        turn,
        value: first.at(turn) - 0.5 * turn.dot(slope),
    })
}

/// Three planes: d where all are level; H d in coordinates of the triangle of the slopes gives the weights.
fn triple(h: &Quadratic, first: Cut, second: Cut, third: Cut) -> Option<Top> {
    let (e, f) = (second.slope - first.slope, third.slope - first.slope);
    let area = e.perp_dot(f);
    let (p, q) = (first.value - second.value, first.value - third.value);
    let turn = DVec2::new(p * f.y - q * e.y, q * e.x - p * f.x) / area;
    let slope = h.times(turn);
    let from = slope - first.slope;
    let (s, t) = (from.perp_dot(f) / area, e.perp_dot(from) / area);
    (s >= NO_WEIGHT && t >= NO_WEIGHT && s + t <= 1.0 - NO_WEIGHT).then(|| Top {
        cuts: [first, second, third],
        weights: [1.0 - s - t, s, t],
        count: 3,
        turn,
        value: first.at(turn) - 0.5 * turn.dot(slope),
    })
}
