//! Measures made of the natural map F(ρ) = x − Π(x − ρ û): `natural`, `energy`, `max`.

use super::{ABSOLUTE_FLOOR, Violation};
use crate::cones::disc_cone::project_friction;
use crate::cones::{Cone, MAX_DIMENSION};
use crate::law::FrictionLaw;
use crate::problem::ContactProblem;
use moreau_algebra::reduction::{norm, sum, tree_reduce};

/// Σ over blocks of `term(block, F_i)` with F_i the natural map of step `step(block)`.
pub(super) fn sum_natural_map(
    problem: &ContactProblem,
    law: FrictionLaw,
    impulses: &[f64],
    velocity: &[f64],
    step: impl Fn(usize) -> f64 + Sync,
    term: impl Fn(usize, &[f64]) -> f64 + Sync,
) -> f64 {
    tree_reduce(
        0..problem.blocks(),
        &|blocks| {
            let mut sum = 0.0;
            let mut map = [0.0; MAX_DIMENSION];
            for block in blocks {
                let (rows, cone) = (problem.rows(block), &problem.cones()[block]);
                let map = &mut map[..rows.len()];
                let (x, u) = (&impulses[rows.clone()], &velocity[rows]);
                law.natural_map(cone, step(block), x, u, map);
                sum += term(block, map);
            }
            sum
        },
        &|a, b| a + b,
    )
}

pub(super) fn squared(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

/// Σ g ‖x − Π(x − û/g)‖² with g of each block, by small arrays where every block is a friction contact in space.
fn weighted_natural_map(
    p: &ContactProblem,
    law: FrictionLaw,
    x: &[f64],
    u: &[f64],
    g: impl Fn(usize) -> f64 + Sync,
) -> f64 {
    if p.friction_run() < p.blocks() || law == FrictionLaw::Box {
        return sum_natural_map(p, law, x, u, |i| 1.0 / g(i), |i, f| g(i) * squared(f));
    }
    let coulomb = if law == FrictionLaw::Coulomb {
        1.0
    } else {
        0.0
    };
    let (x, u, cones) = (x.as_chunks::<3>().0, u.as_chunks::<3>().0, p.cones());
    sum(p.blocks(), |i| {
        let Cone::Friction { friction } = cones[i] else {
            return f64::NAN;
        };
        let (x, u, g) = (x[i], u[i], g(i));
        let step = 1.0 / g;
        let shift = coulomb * friction * (u[1] * u[1] + u[2] * u[2]).sqrt();
        // As in `FrictionLaw::natural_map`.
        let way = [step * (u[0] + shift), step * u[1], step * u[2]];
        let z = [x[0] - way[0], x[1] - way[1], x[2] - way[2]];
        let mut p = z;
        project_friction(friction, &mut p);
        let map = [0, 1, 2].map(|k| way[k] + (z[k] - p[k]));
        g * (map[0].powi(2) + map[1].powi(2) + map[2].powi(2))
    })
}

/// ‖x − Π(x − û)‖ / max(‖r‖, ‖x‖, ‖u‖).
pub fn natural(p: &ContactProblem, law: FrictionLaw, impulses: &[f64], velocity: &[f64]) -> f64 {
    let map = weighted_natural_map(p, law, impulses, velocity, |_| 1.0).sqrt();
    let scale = norm(p.free_velocity())
        .max(norm(impulses))
        .max(norm(velocity));
    map / scale.max(ABSOLUTE_FLOOR)
}

/// √(Σ g_i ‖F_i(1/g_i)‖²) / √(Σ ‖r_i‖²/g_i).
pub fn energy(p: &ContactProblem, law: FrictionLaw, impulses: &[f64], velocity: &[f64]) -> f64 {
    let g = EnergyWeights::new(p);
    let map = weighted_natural_map(p, law, impulses, velocity, |i| g.of(i)).sqrt();
    map / energy_scale(p).sqrt().max(ABSOLUTE_FLOOR)
}

/// g of [`energy`]: the mean of the diagonal of N_ii as a number of single precision (unless it is out of their range), so that
/// solvers that keep it in four bytes measure the same.
pub(crate) struct EnergyWeights<'a> {
    problem: &'a ContactProblem,
    short: &'a [f32],
}

impl<'a> EnergyWeights<'a> {
    pub fn new(problem: &'a ContactProblem) -> Self {
        Self {
            problem,
            short: problem.short_mean_diagonal(),
        }
    }

    #[inline]
    pub fn of(&self, block: usize) -> f64 {
        let short = self.short[block];
        if short.is_normal() {
            f64::from(short)
        } else {
            self.problem.mean_diagonals().of(block)
        }
    }
}

/// Σ ‖r_i‖²/g_i, to which [`energy`] is relative.
pub(crate) fn energy_scale(p: &ContactProblem) -> f64 {
    let g = EnergyWeights::new(p);
    tree_reduce(
        0..p.blocks(),
        &|blocks| {
            blocks
                .map(|i| squared(&p.free_velocity()[p.rows(i)]) / g.of(i))
                .sum::<f64>()
        },
        &|a, b| a + b,
    )
}

/// The block with the largest natural map, relative to the largest of r_i, x_i, u_i.
pub fn largest_violation(
    p: &ContactProblem,
    law: FrictionLaw,
    impulses: &[f64],
    velocity: &[f64],
) -> Violation {
    let mut worst = (0.0, None);
    let mut scale = ABSOLUTE_FLOOR;
    let mut map = [0.0; MAX_DIMENSION];
    for (block, cone) in p.cones().iter().enumerate() {
        let rows = p.rows(block);
        let map = &mut map[..rows.len()];
        let (x, u) = (&impulses[rows.clone()], &velocity[rows.clone()]);
        law.natural_map(cone, 1.0, x, u, map);
        let violation = squared(map).sqrt();
        // NaN must win, and stay.
        if worst.1.is_none() || violation.is_nan() || violation > worst.0 {
            worst = (violation, Some(block));
        }
        let size = squared(x)
            .max(squared(u))
            .max(squared(&p.free_velocity()[rows]));
        scale = scale.max(size.sqrt());
    }
    Violation {
        error: worst.0 / scale,
        contact: worst.1,
    }
}
