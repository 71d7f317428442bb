//! One pass over all blocks, each solved for its own impulse with the newest velocities: the step that
//! Gauss-Seidel, NNCG and others are made of.

use crate::cones::disc_cone::project_friction;
use crate::cones::{Cone, MAX_DIMENSION};
use crate::friction_run::FrictionRun;
use crate::law::FrictionLaw;
use crate::one_contact;
use crate::problem::ContactProblem;
use moreau_algebra::small::SmallMatrix;

/// How one block is updated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BlockRule {
    /// γ_i ← λ Π(γ_i − ω û_i / g_i) + (1 − λ) γ_i with g_i the mean diagonal (Mazhar Alg. 2), raised to
    /// half the largest eigenvalue of N_ii where the mean would make the block itself unstable.
    /// Joints are solved exactly.
    Projected {
        /// Over-relaxation ω of the step.
        omega: f64,
        /// Blend λ of new and old.
        lambda: f64,
    },
    /// Row by row inside the block, each with its own diagonal entry (PGS of Silcowitz 2010, Eq. 17);
    /// under the cone laws the block is projected afterwards.
    Scalar {
        /// Over-relaxation ω of the step.
        omega: f64,
        /// Blend λ of new and old.
        lambda: f64,
    },
    /// The law solved exactly for this block with the others fixed, as in nonsmooth contact dynamics;
    /// see [`one_contact`]. Only for Coulomb's law.
    Exact,
}

impl BlockRule {
    /// The rule that suits a law.
    pub fn default_for(law: FrictionLaw) -> Self {
        match law {
            FrictionLaw::Relaxed => BlockRule::Projected {
                omega: 1.0,
                lambda: 1.0,
            },
            FrictionLaw::Coulomb => BlockRule::Exact,
            FrictionLaw::Box => BlockRule::Scalar {
                omega: 1.0,
                lambda: 1.0,
            },
        }
    }
}

/// The order of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// First block to last.
    Forward,
    /// Last block to first.
    Backward,
}

/// One pass over all blocks in the given order; `state` belongs to `impulses` before and after.
pub fn sweep(
    problem: &ContactProblem,
    law: FrictionLaw,
    rule: BlockRule,
    direction: Direction,
    impulses: &mut [f64],
    state: &mut [f64],
) {
    let blocks = problem.blocks();
    let forward = direction == Direction::Forward;
    let run = FrictionRun::of(problem).filter(|_| is_fast(law, rule));
    let count = run.as_ref().map_or(0, FrictionRun::len);
    if let Some(run) = run.as_ref().filter(|_| forward) {
        sweep_run(run, problem, law, rule, forward, impulses, state);
    }
    for k in count..blocks {
        let block = if forward { k } else { blocks - 1 - (k - count) };
        relax_block(problem, law, rule, block, impulses, state);
    }
    if let Some(run) = run.as_ref().filter(|_| !forward) {
        sweep_run(run, problem, law, rule, forward, impulses, state);
    }
}

/// Whether [`sweep_run`] knows the rule.
fn is_fast(law: FrictionLaw, rule: BlockRule) -> bool {
    match rule {
        BlockRule::Projected { lambda, .. } => lambda == 1.0 && law != FrictionLaw::Box,
        BlockRule::Scalar { .. } => false,
        BlockRule::Exact => true,
    }
}

/// What [`relax_block`] does, for the friction contacts at the beginning.
fn sweep_run(
    run: &FrictionRun,
    problem: &ContactProblem,
    law: FrictionLaw,
    rule: BlockRule,
    forward: bool,
    impulses: &mut [f64],
    state: &mut [f64],
) {
    if let BlockRule::Projected { omega, .. } = rule {
        let (mean, largest) = (problem.mean_diagonal(), problem.largest_diagonal());
        let coulomb = if law == FrictionLaw::Coulomb {
            1.0
        } else {
            0.0
        };
        run.sweep(forward, impulses, state, |i, mu, u, x| {
            let step = omega / mean[i].max(0.55 * largest[i]);
            let shift = coulomb * mu * (u[1] * u[1] + u[2] * u[2]).sqrt();
            let mut z = [
                x[0] - step * (u[0] + shift),
                x[1] - step * u[1],
                x[2] - step * u[2],
            ];
            project_friction(mu, &mut z);
            z
        });
    } else {
        let diagonal = problem.diagonal();
        run.sweep(forward, impulses, state, |i, mu, u, x| {
            let w: &[f64; 9] = diagonal.block(i).first_chunk().expect("3 x 3 numbers");
            let q = std::array::from_fn(|k| {
                u[k] - (w[3 * k] * x[0] + w[3 * k + 1] * x[1] + w[3 * k + 2] * x[2])
            });
            let mut new = x;
            one_contact::solve_friction(mu, w, &q, &mut new);
            new
        });
    }
}

/// Updates one block and the state.
#[inline]
pub fn relax_block(
    problem: &ContactProblem,
    law: FrictionLaw,
    rule: BlockRule,
    block: usize,
    impulses: &mut [f64],
    state: &mut [f64],
) {
    let rows = problem.rows(block);
    let d = rows.len();
    let mut velocity = [0.0; MAX_DIMENSION];
    let mut new = [0.0; MAX_DIMENSION];
    problem.block_velocity(block, state, impulses, &mut velocity[..d]);
    let old = &impulses[rows];
    new[..d].copy_from_slice(old);
    updated_block(problem, law, rule, block, &velocity[..d], &mut new[..d]);
    let mut moved = false;
    for k in 0..d {
        new[k] -= old[k];
        moved |= new[k] != 0.0;
    }
    if moved {
        problem.change_block(block, &new[..d], impulses, state);
    }
}

/// Replaces `impulse`, the present impulse of the block whose velocity is `velocity`, by the
/// updated one.
#[inline]
fn updated_block(
    problem: &ContactProblem,
    law: FrictionLaw,
    rule: BlockRule,
    block: usize,
    velocity: &[f64],
    impulse: &mut [f64],
) {
    let cone = &problem.cones()[block];
    let d = impulse.len();
    let mut old = [0.0; MAX_DIMENSION];
    old[..d].copy_from_slice(impulse);
    let blend = match rule {
        BlockRule::Projected { omega, lambda } => {
            if !solve_joint(problem, cone, block, velocity, impulse) {
                let step = omega
                    / problem.mean_diagonal()[block].max(0.55 * problem.largest_diagonal()[block]);
                let mut modified = [0.0; MAX_DIMENSION];
                modified[..d].copy_from_slice(velocity);
                law.modify_velocity(cone, &mut modified[..d]);
                for k in 0..d {
                    impulse[k] -= step * modified[k];
                }
                law.project(cone, &old[..d], impulse);
            }
            lambda
        }
        BlockRule::Scalar { omega, lambda } => {
            scalar_update(problem, law, omega, block, velocity, impulse);
            lambda
        }
        BlockRule::Exact => {
            // q = u − N_ii γ_i is the velocity without this block's own impulse.
            let matrix = problem.diagonal().block(block);
            let mut free = [0.0; MAX_DIMENSION];
            for row in 0..d {
                let own: f64 = (0..d).map(|k| matrix[row * d + k] * impulse[k]).sum();
                free[row] = velocity[row] - own;
            }
            one_contact::solve_coulomb(cone, matrix, &free[..d], impulse);
            1.0
        }
    };
    if blend != 1.0 {
        for k in 0..d {
            impulse[k] = blend * impulse[k] + (1.0 - blend) * old[k];
        }
    }
}

/// Solves a joint for zero velocity; `false` if the block is no joint or its matrix is singular.
fn solve_joint(
    problem: &ContactProblem,
    cone: &Cone,
    block: usize,
    velocity: &[f64],
    impulse: &mut [f64],
) -> bool {
    if !matches!(cone, Cone::Bilateral { .. }) {
        return false;
    }
    let mut change = [0.0; MAX_DIMENSION];
    let change = &mut change[..velocity.len()];
    change.copy_from_slice(velocity);
    let matrix = SmallMatrix::from_rows(velocity.len(), problem.diagonal().block(block));
    if !matrix.solve(change) {
        return false;
    }
    for (value, change) in impulse.iter_mut().zip(change) {
        *value -= *change;
    }
    true
}

fn scalar_update(
    problem: &ContactProblem,
    law: FrictionLaw,
    omega: f64,
    block: usize,
    velocity: &[f64],
    impulse: &mut [f64],
) {
    let cone = &problem.cones()[block];
    let matrix = problem.diagonal().block(block);
    let d = impulse.len();
    let mut current = [0.0; MAX_DIMENSION];
    current[..d].copy_from_slice(velocity);
    if law == FrictionLaw::Coulomb {
        law.modify_velocity(cone, &mut current[..d]);
    }
    let discs = cone.discs();
    for row in 0..d {
        let pivot = matrix[row * d + row];
        if pivot <= 0.0 {
            continue;
        }
        let mut value = impulse[row] - omega * current[row] / pivot;
        match (law, cone, &discs) {
            (_, Cone::Box { lower, upper }, _) => value = value.max(*lower).min(*upper),
            (_, _, Some(_)) if row == 0 => value = value.max(0.0),
            (FrictionLaw::Box, _, Some(discs)) => {
                let disc = discs
                    .discs()
                    .iter()
                    .find(|disc| (disc.start..disc.end).contains(&row));
                let bound = disc.map_or(0.0, |disc| disc.coefficient * impulse[0]);
                value = value.clamp(-bound, bound);
            }
            _ => {}
        }
        let change = value - impulse[row];
        impulse[row] = value;
        for k in 0..d {
            current[k] += matrix[k * d + row] * change;
        }
    }
    if law != FrictionLaw::Box {
        cone.project(impulse);
    }
}
