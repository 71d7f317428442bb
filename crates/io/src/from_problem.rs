//! From a problem in memory to what a file states: the way back of [`crate::pose`].

use crate::problem_file::{Bilateral, Form, Info, ProblemFile, Solution};
use moreau_algebra::small::SmallMatrix;
use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::{Delassus, MatrixFree};
use moreau_contact_solvers::problem::ContactProblem;

/// States a problem and its solution as files do: W and q when there are contacts only, compliance included in W; M, H,
/// G when there are joints. Joints are rigid there: the little compliance that shares the load of redundant ones is left out.
///
/// # Errors
/// When the formats have no place for something: contacts of different kinds, motors and limits, cohesion.
pub fn problem_file(
    problem: &ContactProblem,
    impulses: &[f64],
    info: Info,
) -> Result<ProblemFile, String> {
    let contacts = problem
        .cones()
        .iter()
        .take_while(|cone| cone.is_contact())
        .count();
    if problem.cohesion().iter().any(|c| *c != 0.0) {
        return Err("the format has no place for cohesion".into());
    }
    let dimension = problem.cones().first().map_or(3, Cone::dimension);
    let (mut friction, mut rolling) = (Vec::new(), Vec::new());
    for (index, cone) in problem.cones().iter().enumerate() {
        match *cone {
            Cone::Bilateral { .. } if index >= contacts => {}
            Cone::Friction { friction: mu } if dimension == 3 => friction.push(mu),
            Cone::Rolling {
                friction: mu,
                rolling: mu_r,
            } if dimension == 5 => {
                friction.push(mu);
                rolling.push(mu_r);
            }
            ref other => {
                return Err(format!(
                    "block {index} is {other:?}; the format holds contacts of one kind in space, and joints"
                ));
            }
        }
    }
    let rows = dimension * contacts;
    let compliant = |row: usize| problem.compliance().get(row).is_some_and(|e| *e != 0.0);
    if contacts < problem.blocks() && (0..rows).any(compliant) {
        return Err("the format has no place for compliant contacts beside joints".into());
    }
    let (form, solution) = if contacts == problem.blocks() {
        let form = Form::Local {
            w: problem.to_sparse(),
            q: problem.free_velocity().to_vec(),
        };
        let solution = Solution {
            impulses: impulses.to_vec(),
            ..Solution::default()
        };
        (form, solution)
    } else {
        let Delassus::MatrixFree(operator) = problem.delassus() else {
            return Err("joints need the matrices of the bodies".into());
        };
        let solution = Solution {
            impulses: impulses[..rows].to_vec(),
            multipliers: impulses[rows..].to_vec(),
            ..Solution::default()
        };
        (global(problem, operator, rows), solution)
    };
    Ok(ProblemFile {
        dimension,
        friction,
        rolling_friction: rolling,
        form,
        info,
        solution: Some(solution),
        guesses: Vec::new(),
    })
}

/// M v = H r + G l with the free velocities on the side of the contacts.
fn global(problem: &ContactProblem, operator: &MatrixFree, rows: usize) -> Form {
    let freedoms = operator.body_dimension();
    let size = operator.body_size();
    let mut mass = Vec::new();
    for body in 0..operator.bodies() {
        let inverse = SmallMatrix::from_rows(size, &operator.inverse_mass(body));
        let Some(matrix) = inverse.inverse() else {
            continue;
        };
        for i in 0..size {
            for j in 0..size {
                mass.push((size * body + i, size * body + j, matrix.get(i, j)));
            }
        }
    }
    let (mut h, mut g) = (Vec::new(), Vec::new());
    let mut room = [0.0; 72];
    for block in 0..problem.blocks() {
        let first = problem.rows(block).start;
        for (body, values) in operator.pairs(block, &mut room) {
            for (k, &value) in values.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                let (row, freedom) = (first + k / size, size * body + k % size);
                if row < rows {
                    h.push((freedom, row, value));
                } else {
                    g.push((freedom, row - rows, value));
                }
            }
        }
    }
    let joint_rows = problem.dimension() - rows;
    let free = problem.free_velocity();
    Form::Global {
        mass: SparseMatrix::from_triplets(freedoms, freedoms, &mass),
        h: SparseMatrix::from_triplets(freedoms, rows, &h),
        f: vec![0.0; freedoms],
        w: free[..rows].to_vec(),
        bilateral: Some(Bilateral {
            g: SparseMatrix::from_triplets(freedoms, joint_rows, &g),
            b: free[rows..].to_vec(),
        }),
    }
}
