//! From what a file states to what a solver takes.
//!
//! A local problem is posed as it is. A global one, M v = H r + f and u = Hᵀ v + w, becomes
//! N = Hᵀ M⁻¹ H and r = Hᵀ M⁻¹ f + w: matrix-free where M consists of one block per rigid body (6 freedoms in
//! space, 3 in the plane), with M factorised otherwise. Bilateral rows Gᵀ v + b = 0 follow behind the contacts.

use crate::{Fault, Form, ProblemFile};
use moreau_algebra::factorization::SparseLu;
use moreau_algebra::small::SmallMatrix;
use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::{Delassus, Factorized, JacobianBlock, MatrixFree};
use moreau_contact_solvers::problem::{ContactProblem, offsets_of};

/// A problem ready to be solved, with what is needed to get back to bodies.
#[derive(Clone, Debug)]
pub struct Posed {
    /// The problem.
    pub problem: ContactProblem,
    /// M⁻¹ f: the velocities of the bodies without impulses. Empty for a local problem.
    pub free_body_velocity: Vec<f64>,
}

impl Posed {
    /// v = M⁻¹ (H r + G l + f); empty for a local problem.
    pub fn body_velocity(&self, impulses: &[f64]) -> Vec<f64> {
        if self.free_body_velocity.is_empty() {
            return Vec::new();
        }
        let mut velocity = vec![0.0; self.problem.state_length()];
        self.problem.delassus().state_of(impulses, &mut velocity);
        for (v, free) in velocity.iter_mut().zip(&self.free_body_velocity) {
            *v += free;
        }
        velocity
    }
}

/// Poses the problem of a file.
///
/// # Errors
/// When M is singular, or a number or size is not possible.
pub fn pose(file: &ProblemFile) -> Result<Posed, Fault> {
    file.validate()?;
    let cones = contact_cones(file)?;
    match &file.form {
        Form::Local { w, q } => {
            let problem = ContactProblem::assembled(cones, w, q.clone())
                .map_err(|e| Fault::new("problem", e.to_string(), "a problem that can be posed"))?;
            Ok(Posed {
                problem,
                free_body_velocity: Vec::new(),
            })
        }
        Form::Global {
            mass,
            h,
            f,
            w,
            bilateral,
        } => {
            let (mut cones, mut h, mut w) = (cones, h.clone(), w.clone());
            if let Some(joints) = bilateral {
                cones.extend((0..joints.b.len()).map(|_| Cone::Bilateral { rows: 1 }));
                h = side_by_side(&h, &joints.g);
                w.extend_from_slice(&joints.b);
            }
            pose_global(file.dimension, cones, mass, &h, f, w)
        }
    }
}

/// The solver's problem of a file, for callers that need no body velocities.
///
/// # Errors
/// As [`pose`].
pub fn to_contact_problem(file: &ProblemFile) -> Result<ContactProblem, Fault> {
    pose(file).map(|posed| posed.problem)
}

fn contact_cones(file: &ProblemFile) -> Result<Vec<Cone>, Fault> {
    let rolling = |index: usize| file.rolling_friction.get(index).copied().unwrap_or(0.0);
    file.friction
        .iter()
        .enumerate()
        .map(|(index, &friction)| match file.dimension {
            2 => Ok(Cone::PlanarFriction { friction }),
            3 => Ok(Cone::Friction { friction }),
            5 => Ok(Cone::Rolling {
                friction,
                rolling: rolling(index),
            }),
            other => Err(Fault::new(
                "dimension",
                format!("{other} components per contact"),
                "2, 3 or 5",
            )),
        })
        .collect()
}

fn side_by_side(left: &SparseMatrix, right: &SparseMatrix) -> SparseMatrix {
    let shift = left.columns();
    let triplets: Vec<_> = left
        .triplets()
        .chain(right.triplets().map(|(i, j, v)| (i, j + shift, v)))
        .collect();
    SparseMatrix::from_triplets(left.rows(), shift + right.columns(), &triplets)
}

fn pose_global(
    dimension: usize,
    cones: Vec<Cone>,
    mass: &SparseMatrix,
    h: &SparseMatrix,
    f: &[f64],
    w: Vec<f64>,
) -> Result<Posed, Fault> {
    let offsets = offsets_of(&cones);
    let body_size = if dimension == 2 { 3 } else { 6 };
    let (delassus, free_body_velocity) = match body_inverses(mass, body_size)? {
        Some(inverses) => {
            let mut free = vec![0.0; f.len()];
            let size = body_size * body_size;
            for (body, v) in free.chunks_exact_mut(body_size).enumerate() {
                let inverse = &inverses[body * size..(body + 1) * size];
                let force = &f[body * body_size..(body + 1) * body_size];
                SmallMatrix::from_rows(body_size, inverse).multiply(force, v);
            }
            let blocks = jacobian_blocks(h, &offsets, body_size);
            let operator = MatrixFree::new(offsets, body_size, inverses, blocks)
                .map_err(|e| Fault::new("H", e, "a Jacobian that fits the bodies"))?;
            (Delassus::MatrixFree(operator), free)
        }
        None => {
            let operator = Factorized::new(offsets, mass, h)
                .map_err(|e| Fault::new("M", e, "a regular mass matrix"))?;
            let mut free = f.to_vec();
            let mut lu = SparseLu::analyze_matrix(mass)
                .map_err(|e| Fault::new("M", e.to_string(), "a regular mass matrix"))?;
            lu.factorize(mass.storage().2)
                .map_err(|e| Fault::new("M", e.to_string(), "a regular mass matrix"))?;
            lu.solve_in_place(&mut free);
            (Delassus::Factorized(operator), free)
        }
    };
    let mut free_velocity = vec![0.0; w.len()];
    h.transposed()
        .multiply(&free_body_velocity, &mut free_velocity);
    for (r, w) in free_velocity.iter_mut().zip(&w) {
        *r += w;
    }
    let problem = ContactProblem::new(cones, delassus, free_velocity)
        .map_err(|e| Fault::new("problem", e.to_string(), "a problem that can be posed"))?;
    Ok(Posed {
        problem,
        free_body_velocity,
    })
}

/// M⁻¹ by bodies, or `None` when M couples freedoms beyond bodies of that size or is not symmetric.
fn body_inverses(mass: &SparseMatrix, body_size: usize) -> Result<Option<Vec<f64>>, Fault> {
    let freedoms = mass.rows();
    let coupled = mass
        .triplets()
        .any(|(i, j, v)| v != 0.0 && i / body_size != j / body_size);
    if !freedoms.is_multiple_of(body_size) || coupled || mass.asymmetry() > 1e-14 {
        return Ok(None);
    }
    let mut inverses = Vec::with_capacity(freedoms * body_size);
    for body in 0..freedoms / body_size {
        let mut block = SmallMatrix::zeros(body_size);
        for i in 0..body_size {
            for j in 0..body_size {
                block.set(i, j, mass.get(body * body_size + i, body * body_size + j));
            }
        }
        let Some(inverse) = inverse_of_mass(&block) else {
            return Err(Fault::new(
                "M",
                format!("the mass matrix of body {body} is singular"),
                "a positive mass and inertia for every body",
            ));
        };
        inverses.extend_from_slice(inverse.rows());
    }
    Ok(Some(inverses))
}

/// Masses and moments of inertia differ by many orders (grains: 1e-3 and 1e-10), which a pivot test
/// against the largest entry would take for singular: scale rows and columns first.
fn inverse_of_mass(block: &SmallMatrix) -> Option<SmallMatrix> {
    let n = block.dimension();
    let scales: Vec<f64> = (0..n).map(|k| block.get(k, k).abs().sqrt()).collect();
    if scales.iter().any(|s| !(*s > 0.0)) {
        return None;
    }
    let mut scaled = *block;
    for i in 0..n {
        for j in 0..n {
            scaled.set(i, j, block.get(i, j) / (scales[i] * scales[j]));
        }
    }
    let mut inverse = scaled.inverse()?;
    for i in 0..n {
        for j in 0..n {
            inverse.set(i, j, inverse.get(i, j) / (scales[i] * scales[j]));
        }
    }
    Some(inverse)
}

/// H cut into (contact, body) blocks of Hᵀ.
fn jacobian_blocks(h: &SparseMatrix, offsets: &[usize], body_size: usize) -> Vec<JacobianBlock> {
    let transposed = h.transposed();
    let mut blocks = Vec::new();
    for contact in 0..offsets.len() - 1 {
        let rows = offsets[contact]..offsets[contact + 1];
        let first_block = blocks.len();
        for row in rows.clone() {
            let (columns, values) = transposed.row(row);
            for (&column, &value) in columns.iter().zip(values).filter(|(_, v)| **v != 0.0) {
                let body = column / body_size;
                let found = blocks[first_block..]
                    .iter()
                    .position(|b: &JacobianBlock| b.body == body);
                let index = found.map_or(blocks.len(), |k| first_block + k);
                if index == blocks.len() {
                    let values = vec![0.0; rows.len() * body_size];
                    blocks.push(JacobianBlock {
                        contact,
                        body,
                        values,
                    });
                }
                blocks[index].values[(row - rows.start) * body_size + column % body_size] = value;
            }
        }
    }
    blocks
}
