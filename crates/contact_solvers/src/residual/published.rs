//! Measures of the papers: `mazhar`, `tasora`, `silcowitz`, `koziara`, `de`.

use super::natural_map::{squared, sum_natural_map};
use super::{ABSOLUTE_FLOOR, DeResiduals, larger};
use crate::cones::{Cone, MAX_DIMENSION};
use crate::law::FrictionLaw;
use crate::problem::ContactProblem;
use crate::sweep::{BlockRule, Direction, sweep};
use moreau_algebra::reduction::tree_reduce;
use moreau_algebra::small::SmallMatrix;

/// ‖F(g_d)‖ / (n g_d): Mazhar Eq. 25, with the number of rows for 3 n_c.
pub fn mazhar(
    p: &ContactProblem,
    law: FrictionLaw,
    impulses: &[f64],
    velocity: &[f64],
    step: f64,
) -> f64 {
    tasora(p, law, impulses, velocity, step) / (p.dimension() as f64).max(1.0)
}

/// ‖F(τ)‖ / τ: Tasora's w.
pub fn tasora(
    p: &ContactProblem,
    law: FrictionLaw,
    impulses: &[f64],
    velocity: &[f64],
    step: f64,
) -> f64 {
    sum_natural_map(p, law, impulses, velocity, |_| step, |_, f| squared(f)).sqrt() / step
}

/// ‖PGS(x) − x‖²: what one Gauss-Seidel sweep of the law would change.
pub fn silcowitz(p: &ContactProblem, law: FrictionLaw, impulses: &[f64]) -> f64 {
    let mut swept = impulses.to_vec();
    let mut state = vec![0.0; p.state_length()];
    p.delassus().state_of(impulses, &mut state);
    sweep(
        p,
        law,
        BlockRule::default_for(law),
        Direction::Forward,
        &mut swept,
        &mut state,
    );
    swept
        .iter()
        .zip(impulses)
        .fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}

/// Koziara Eq. 40. A diagonal block that cannot be inverted is replaced by its mean diagonal.
pub fn koziara(p: &ContactProblem, law: FrictionLaw, impulses: &[f64], velocity: &[f64]) -> f64 {
    let diagonal = p.diagonal();
    let weighted = |block: usize, c: &[f64]| {
        let mut solved = [0.0; MAX_DIMENSION];
        let solved = &mut solved[..c.len()];
        solved.copy_from_slice(c);
        let matrix = SmallMatrix::from_rows(c.len(), diagonal.block(block));
        if matrix.solve(solved) {
            solved.iter().zip(c).map(|(a, b)| a * b).sum::<f64>()
        } else {
            squared(c) / p.mean_diagonals().of(block)
        }
    };
    let spurious = sum_natural_map(p, law, impulses, velocity, |_| 1.0, weighted);
    let r = p.free_velocity();
    let kinetic = tree_reduce(
        0..p.blocks(),
        &|blocks| blocks.map(|i| weighted(i, &r[p.rows(i)])).sum::<f64>(),
        &|a, b| a + b,
    );
    spurious.abs() / kinetic.abs().max(ABSOLUTE_FLOOR * ABSOLUTE_FLOOR)
}

/// De §III.C, with û in the place of u so that it fits the law. A frictionless contact violates the
/// dual cone by −u_N, a joint by |u|, a bounded row by its natural map.
pub fn de(p: &ContactProblem, law: FrictionLaw, impulses: &[f64], velocity: &[f64]) -> DeResiduals {
    let mut result = DeResiduals::default();
    let mut complementarity = 0.0;
    let mut modified = [0.0; MAX_DIMENSION];
    for (block, cone) in p.cones().iter().enumerate() {
        let rows = p.rows(block);
        let (x, u) = (&impulses[rows.clone()], &velocity[rows]);
        let modified = &mut modified[..u.len()];
        modified.copy_from_slice(u);
        law.modify_velocity(cone, modified);
        let (primal, dual, product) = match (cone, cone.discs()) {
            (_, Some(discs)) => {
                let length = |disc: &crate::cones::disc_cone::Disc, v: &[f64]| {
                    squared(&v[disc.start..disc.end]).sqrt()
                };
                let mut primal = (-x[0]).max(0.0);
                for disc in discs.discs() {
                    primal = primal.max(length(disc, x) - disc.coefficient * x[0]);
                }
                let slack = discs.shift(modified) - modified[0];
                // For Coulomb's cone |u_T| − u_N/μ as the paper has it: the slack over μ.
                let scale = match discs.discs() {
                    [only] if only.coefficient > 0.0 => only.coefficient,
                    _ => 1.0,
                };
                let dot: f64 = x.iter().zip(modified.iter()).map(|(a, b)| a * b).sum();
                (primal, slack.max(0.0) / scale, dot)
            }
            (Cone::Bilateral { .. }, _) => (0.0, squared(u).sqrt(), 0.0),
            _ => {
                let mut map = [0.0; 1];
                law.natural_map(cone, 1.0, x, u, &mut map);
                (cone.distance(x), map[0].abs(), 0.0)
            }
        };
        result.primal = larger(result.primal, primal);
        result.dual = larger(result.dual, dual);
        complementarity += product;
    }
    result.complementarity = f64::abs(complementarity) / (p.blocks() as f64).max(1.0);
    result
}
