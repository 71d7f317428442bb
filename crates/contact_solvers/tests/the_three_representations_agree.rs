//! Matrix-free, assembled and factorised operators of one system are the same operator.

use moreau_algebra::operator::LinearOperator;
use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::delassus::{Delassus, Factorized};
use moreau_contact_solvers::generate::RandomProblem;
use moreau_contact_solvers::problem::ContactProblem;

fn matrix_free(seed: u64) -> ContactProblem {
    RandomProblem {
        bodies: 7,
        contacts: 25,
        seed,
        ..RandomProblem::default()
    }
    .build()
}

/// M and H of a matrix-free problem as global matrices.
fn mass_and_jacobian(problem: &ContactProblem) -> (SparseMatrix, SparseMatrix) {
    let Delassus::MatrixFree(operator) = problem.delassus() else {
        panic!("matrix-free")
    };
    let size = operator.body_size();
    let freedoms = operator.body_dimension();
    let mut mass = Vec::new();
    for body in 0..operator.bodies() {
        let inverse =
            moreau_algebra::small::SmallMatrix::from_rows(size, &operator.inverse_mass(body));
        let block = inverse.inverse().expect("a positive mass");
        for i in 0..size {
            for j in 0..size {
                mass.push((body * size + i, body * size + j, block.get(i, j)));
            }
        }
    }
    let mut h = Vec::new();
    for contact in 0..problem.blocks() {
        for (body, values) in operator.pairs(contact, &mut [0.0; 72]) {
            for (k, &value) in values.iter().enumerate() {
                h.push((
                    body * size + k % size,
                    problem.rows(contact).start + k / size,
                    value,
                ));
            }
        }
    }
    (
        SparseMatrix::from_triplets(freedoms, freedoms, &mass),
        SparseMatrix::from_triplets(freedoms, problem.dimension(), &h),
    )
}

fn vector(n: usize) -> Vec<f64> {
    (0..n)
        .map(|k| ((k * 37 + 11) % 17) as f64 / 8.0 - 1.0)
        .collect()
}

fn assert_close(a: &[f64], b: &[f64], what: &str) {
    let scale = a.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    for (row, (a, b)) in a.iter().zip(b).enumerate() {
        assert!(
            (a - b).abs() <= 1e-11 * scale,
            "{what}, row {row}: {a} and {b}"
        );
    }
}

#[test]
fn products_diagonal_blocks_and_single_rows_are_the_same() {
    for seed in 0..5 {
        let free = matrix_free(seed);
        let n = free.dimension();
        let r = free.free_velocity().to_vec();
        let assembled =
            ContactProblem::assembled(free.cones().clone(), &free.to_sparse(), r.clone()).unwrap();
        let (mass, h) = mass_and_jacobian(&free);
        let factorized = Factorized::new(free.offsets(), &mass, &h).unwrap();
        let factorized =
            ContactProblem::new(free.cones().clone(), Delassus::Factorized(factorized), r).unwrap();
        let x = vector(n);
        let mut expected = vec![0.0; n];
        free.apply(&x, &mut expected);
        for problem in [&assembled, &factorized] {
            let mut product = vec![0.0; n];
            problem.apply(&x, &mut product);
            assert_close(&expected, &product, "product");
            let mut state = vec![0.0; problem.state_length()];
            problem.delassus().state_of(&x, &mut state);
            for block in 0..problem.blocks() {
                assert_close(
                    free.diagonal().block(block),
                    problem.diagonal().block(block),
                    "N_ii",
                );
                let mut row = [0.0; 3];
                problem.delassus().block_velocity(block, &state, &mut row);
                assert_close(&expected[problem.rows(block)], &row, "block row");
            }
        }
    }
}

#[test]
fn changing_one_block_changes_the_state_as_a_whole_product_does() {
    let problem = matrix_free(3);
    let mut x = vector(problem.dimension());
    let mut state = vec![0.0; problem.state_length()];
    problem.delassus().state_of(&x, &mut state);
    problem.change_block(5, &[0.5, -0.25, 2.0], &mut x, &mut state);
    let mut fresh = vec![0.0; problem.state_length()];
    problem.delassus().state_of(&x, &mut fresh);
    assert_close(&fresh, &state, "state");
}

#[test]
fn compliance_is_added_to_the_diagonal() {
    let plain = matrix_free(1);
    let n = plain.dimension();
    let compliance: Vec<f64> = (0..n).map(|k| 0.01 * (k % 5) as f64).collect();
    let soft = plain.clone().with_compliance(compliance.clone()).unwrap();
    let x = vector(n);
    let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
    plain.apply(&x, &mut a);
    soft.apply(&x, &mut b);
    for k in 0..n {
        a[k] += compliance[k] * x[k];
    }
    assert_close(&a, &b, "soft product");
    let mut c = vec![0.0; n];
    soft.to_sparse().multiply(&x, &mut c);
    assert_close(&b, &c, "sparse product");
}

#[test]
fn impossible_problems_are_refused_with_the_reason() {
    let w = SparseMatrix::from_triplets(3, 3, &[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)]);
    let cone = |friction| vec![Cone::Friction { friction }];
    let message = |result: Result<
        ContactProblem,
        moreau_contact_solvers::problem::ProblemError,
    >| result.unwrap_err().to_string();
    let negative = message(ContactProblem::assembled(cone(-0.1), &w, vec![0.0; 3]));
    assert!(
        negative.contains("contact 0") && negative.contains("-0.1"),
        "{negative}"
    );
    let short = message(ContactProblem::assembled(cone(0.1), &w, vec![0.0; 2]));
    assert!(short.contains("length 2") && short.contains('3'), "{short}");
    let nan = message(ContactProblem::assembled(
        cone(0.1),
        &w,
        vec![0.0, f64::NAN, 0.0],
    ));
    assert!(nan.contains("[1]") && nan.contains("NaN"), "{nan}");
    let problem = ContactProblem::assembled(cone(0.1), &w, vec![0.0; 3]).unwrap();
    assert!(message(problem.clone().with_cohesion(vec![-1.0])).contains("negative"));
    assert!(message(problem.with_compliance(vec![0.0])).contains("length 1"));
}
