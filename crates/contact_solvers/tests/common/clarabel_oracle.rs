//! The outside truth for random problems: Clarabel, on the dual form.
//!
//! With N = B Bᵀ the relaxed problem is dual to min ½|y|² subject to B y + r in K*, where y = Bᵀγ: then
//! u = B y + r and the optimal objective is −½|y|². That form is strictly convex however redundant
//! the contacts are; on the direct form Clarabel stops at 1e-3 where N is rank-deficient.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, SupportedConeT::SecondOrderConeT,
};
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::Delassus;
use moreau_contact_solvers::problem::ContactProblem;

/// The optimum: the objective and the velocities at the contacts, both unique.
pub struct Optimum {
    pub objective: f64,
    pub velocity: Vec<f64>,
}

/// Solves a matrix-free problem of friction contacts whose bodies have diagonal masses.
pub fn optimum(problem: &ContactProblem) -> Optimum {
    let Delassus::MatrixFree(n) = problem.delassus() else {
        panic!("the dual form needs the bodies");
    };
    let (rows, freedoms, size) = (problem.dimension(), n.body_dimension(), n.body_size());
    // A = −S B and b = S r, where S u = (u_n, μ u_t).
    let mut a = vec![Vec::new(); freedoms];
    let mut b = vec![0.0; rows];
    let mut jacobian = vec![Vec::new(); rows];
    for (contact, cone) in problem.cones().iter().enumerate() {
        let &Cone::Friction { friction } = cone else {
            panic!("friction contacts only");
        };
        for row in problem.rows(contact) {
            let scale = if row % 3 == 0 { 1.0 } else { friction };
            b[row] = scale * problem.free_velocity()[row];
            for (body, values) in n.pairs(contact, &mut [0.0; 72]) {
                let inverse = n.inverse_mass(body);
                for k in 0..size {
                    let root = inverse[k * size + k].sqrt();
                    let value = values[(row % 3) * size + k] * root;
                    a[body * size + k].push((row, -scale * value));
                    jacobian[row].push((body * size + k, value));
                }
            }
        }
    }
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for column in &a {
        indices.extend(column.iter().map(|entry| entry.0));
        values.extend(column.iter().map(|entry| entry.1));
        starts.push(indices.len());
    }
    // Shorter steps than usual keep its iterates central: with its default of 0.99 it stops at a gap of
    // 1e-3 where contacts are redundant, and velocities have only the square root of the gap.
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-14,
        tol_gap_rel: 1e-13,
        tol_feas: 1e-13,
        max_step_fraction: 0.5,
        max_iter: 500,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(
        &CscMatrix::identity(freedoms),
        &vec![0.0; freedoms],
        &CscMatrix::new(rows, freedoms, starts, indices, values),
        &b,
        &vec![SecondOrderConeT(3); problem.blocks()],
        settings,
    )
    .expect("a conic program");
    solver.solve();
    // What it ends with is judged by its own certificate: feasible, and no gap between its two values.
    let solution = &solver.solution;
    let gap = (solution.obj_val - solution.obj_val_dual).abs() / solution.obj_val.abs();
    assert!(
        solution.r_prim < 1e-9 && solution.r_dual < 1e-9 && gap < 1e-10,
        "Clarabel ends {:?} with a gap of {gap:.1e}",
        solution.status
    );
    let y = &solver.solution.x;
    let velocity = (0..rows)
        .map(|row| {
            let moved: f64 = jacobian[row].iter().map(|&(k, value)| value * y[k]).sum();
            problem.free_velocity()[row] + moved
        })
        .collect();
    Optimum {
        objective: -0.5 * y.iter().map(|v| v * v).sum::<f64>(),
        velocity,
    }
}
