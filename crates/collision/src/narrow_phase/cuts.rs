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
        let radius = (half * half + uv * uv).sqrt();
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
    cuts: [Cut; 4],
    at: Meeting,
}

/// A place where some of four planes meet.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    which: [usize; 3],
    weights: [f64; 3],
    count: usize,
    turn: DVec2,
    value: f64,
}

impl Top {
    /// The planes and their weights: with these the slopes add up to the slope of the quadratic.
    pub fn weighted(&self) -> impl Iterator<Item = (f64, &Cut)> {
        (0..self.at.count).map(|k| (self.at.weights[k], &self.cuts[self.at.which[k]]))
    }

    /// d.
    pub fn turn(&self) -> DVec2 {
        self.at.turn
    }
}

/// Maximises min_k (c_k + t_k·d) − ½ dᵀ H d, where `cut` gives the lowest plane at any d, starting with the planes that
/// met at the maximum of a similar model.
///
/// At most three planes meet at the maximum, with weights λ of sum one and Σ λ t = H d. The maximum over few planes is
/// above the one over all; a new plane that is lower there belongs to the next few, and the right ones of these have
/// the least value of all whose weights are positive. As the value falls, none comes twice.
pub(super) fn maximum(
    h: &Quadratic,
    tolerance: f64,
    known: &[Cut],
    cut: impl Fn(DVec2) -> Cut,
) -> Top {
    let mut top = start(h, known).unwrap_or_else(|| {
        let cuts = [cut(DVec2::ZERO); 4];
        Top {
            cuts,
            at: single(h, &cuts, 0),
        }
    });
    for _ in 0..PLANES {
        let turn = top.at.turn;
        let new = cut(turn);
        let mut free = [true; 4];
        let mut least = f64::INFINITY;
        for &k in &top.at.which[..top.at.count] {
            least = least.min(top.cuts[k].at(turn));
            free[k] = false;
        }
        if !(new.at(turn) < least - tolerance) {
            break;
        }
        let place = free.iter().position(|&free| free).unwrap_or(3);
        let old = top.at.which;
        // A free place: the planes that meet now stay.
        top.cuts[place] = new;
        let mut best = single(h, &top.cuts, place);
        for k in 0..top.at.count {
            if let Some(found) = double(h, &top.cuts, [place, old[k]])
                && found.value < best.value
            {
                best = found;
            }
            for other in &old[..k] {
                if let Some(found) = triple(h, &top.cuts, [place, old[k], *other])
                    && found.value < best.value
                {
                    best = found;
                }
            }
        }
        if !best.turn.is_finite() || !(best.value < top.at.value + tolerance) {
            break;
        }
        top.at = best;
    }
    top
}

/// Where all the given planes meet; `None` if that is no maximum.
fn start(h: &Quadratic, known: &[Cut]) -> Option<Top> {
    let mut cuts = [*known.first()?; 4];
    cuts[..known.len()].copy_from_slice(known);
    let at = match known.len() {
        1 => Some(single(h, &cuts, 0)),
        2 => double(h, &cuts, [0, 1]),
        _ => triple(h, &cuts, [0, 1, 2]),
    };
    at.filter(|at| at.turn.is_finite())
        .map(|at| Top { cuts, at })
}

/// One plane: H d = t.
#[inline]
fn single(h: &Quadratic, cuts: &[Cut; 4], k: usize) -> Meeting {
    let turn = h.solve(cuts[k].slope);
    Meeting {
        which: [k; 3],
        weights: [1.0, 0.0, 0.0],
        count: 1,
        turn,
        value: cuts[k].value + 0.5 * cuts[k].slope.dot(turn),
    }
}

/// Two planes: d on the line where they are level, e·d = c₁ − c₂ with e = t₂ − t₁, and the best along it.
#[inline]
fn double(h: &Quadratic, cuts: &[Cut; 4], [i, j]: [usize; 2]) -> Option<Meeting> {
    let (first, second) = (&cuts[i], &cuts[j]);
    let e = second.slope - first.slope;
    let squared = e.length_squared();
    let foot = e * ((first.value - second.value) / squared);
    let along = e.perp();
    let step = along.dot(first.slope - h.times(foot)) / along.dot(h.times(along));
    let turn = foot + step * along;
    let slope = h.times(turn);
    let weight = e.dot(slope - first.slope) / squared;
    (NO_WEIGHT..=1.0 - NO_WEIGHT)
        .contains(&weight)
        .then(|| Meeting {
            which: [i, j, j],
            weights: [1.0 - weight, weight, 0.0],
            count: 2,
            turn,
            value: first.at(turn) - 0.5 * turn.dot(slope),
        })
}

/// Three planes: d where all are level; H d in coordinates of the triangle of the slopes gives the weights.
#[inline]
fn triple(h: &Quadratic, cuts: &[Cut; 4], [i, j, k]: [usize; 3]) -> Option<Meeting> {
    let first = &cuts[i];
    let (e, f) = (cuts[j].slope - first.slope, cuts[k].slope - first.slope);
    let area = e.perp_dot(f);
    let (p, q) = (first.value - cuts[j].value, first.value - cuts[k].value);
    let turn = DVec2::new(p * f.y - q * e.y, q * e.x - p * f.x) / area;
    let slope = h.times(turn);
    let from = slope - first.slope;
    let (s, t) = (from.perp_dot(f) / area, e.perp_dot(from) / area);
    (s >= NO_WEIGHT && t >= NO_WEIGHT && s + t <= 1.0 - NO_WEIGHT).then(|| Meeting {
        which: [i, j, k],
        weights: [1.0 - s - t, s, t],
        count: 3,
        turn,
        value: first.at(turn) - 0.5 * turn.dot(slope),
    })
}
