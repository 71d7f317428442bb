//! `auto` solves every shared problem under Coulomb's law at 1e-8, and the error is computed here, by hand,
//! from the W (or M and H) that the file stores: not by the referee that the solver stops on.

use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;
use moreau_io::{Form, ProblemFile};

/// |r − P_K(r − û)| / max(|q|, |r|, |u|) of a file's problem, straight from its definition.
fn natural_error(file: &ProblemFile, q: &[f64], u: &[f64], r: &[f64]) -> f64 {
    let d = file.dimension;
    let length = |x: &[f64]| x.iter().map(|v| v * v).sum::<f64>().sqrt();
    let mut sum = 0.0;
    for (contact, &mu) in file.friction.iter().enumerate() {
        let rows = contact * d..(contact + 1) * d;
        let (r, u) = (&r[rows.clone()], &u[rows]);
        let rolling = file.rolling_friction.get(contact).copied().unwrap_or(0.0);
        let tangential = 1..d.min(3);
        let mut shift = mu * length(&u[tangential.clone()]);
        if d == 5 {
            shift += rolling * length(&u[3..5]);
        }
        let mut z: Vec<f64> = r.iter().zip(u).map(|(r, u)| r - u).collect();
        z[0] -= shift;
        // Projection onto {|z_T| ≤ μ n, |z_R| ≤ μ_r n}: bisection on the normal n ≥ 0.
        let slope = |n: f64| {
            let mut s = n - z[0] - mu * (length(&z[tangential.clone()]) - mu * n).max(0.0);
            if d == 5 {
                s -= rolling * (length(&z[3..5]) - rolling * n).max(0.0);
            }
            s
        };
        let mut n = 0.0;
        if slope(0.0) < 0.0 {
            let (mut low, mut high) = (0.0, z[0].abs() + length(&z) * (1.0 + mu + rolling));
            for _ in 0..200 {
                n = 0.5 * (low + high);
                if slope(n) < 0.0 { low = n } else { high = n }
            }
        }
        let mut projected = z.clone();
        projected[0] = n;
        let mut clamp = |rows: std::ops::Range<usize>, bound: f64| {
            let size = length(&projected[rows.clone()]);
            if size > bound {
                projected[rows].iter_mut().for_each(|v| *v *= bound / size);
            }
        };
        clamp(tangential, mu * n);
        if d == 5 {
            clamp(3..5, rolling * n);
        }
        sum += r
            .iter()
            .zip(&projected)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<f64>();
    }
    sum.sqrt() / length(q).max(length(r)).max(length(u)).max(f64::EPSILON)
}

/// q and u = W r + q from the stored matrices.
fn velocities(file: &ProblemFile, r: &[f64]) -> (Vec<f64>, Vec<f64>) {
    match &file.form {
        Form::Local { w, q } => {
            let mut u = vec![0.0; q.len()];
            w.multiply(r, &mut u);
            u.iter_mut().zip(q).for_each(|(u, q)| *u += q);
            (q.clone(), u)
        }
        Form::Global { mass, h, f, w, .. } => {
            let mut lu = moreau_algebra::factorization::SparseLu::analyze_matrix(mass).unwrap();
            lu.factorize(mass.storage().2).unwrap();
            let transposed: SparseMatrix = h.transposed();
            let contact_velocity = |momentum: &[f64]| {
                let mut v = momentum.to_vec();
                lu.solve_in_place(&mut v);
                let mut u = vec![0.0; w.len()];
                transposed.multiply(&v, &mut u);
                u.iter_mut().zip(w).for_each(|(u, w)| *u += w);
                u
            };
            let mut momentum = vec![0.0; f.len()];
            h.multiply(r, &mut momentum);
            momentum.iter_mut().zip(f).for_each(|(p, f)| *p += f);
            (contact_velocity(f), contact_velocity(&momentum))
        }
    }
}

#[test]
fn auto_solves_every_shared_problem_at_1e_8() {
    let files = moreau_io::shared_problems::all();
    if files.is_empty() {
        eprintln!("skipped: no shared problems; set MOREAU_FCLIB_DIR to their folder");
        return;
    }
    let mut failures = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        // The two large ones take minutes in an unoptimised build; `benches/coulomb.rs` runs them.
        if name.starts_with("pressure") {
            continue;
        }
        let file = moreau_io::read(&path).unwrap();
        let problem = moreau_io::to_contact_problem(&file).unwrap();
        let mut r = vec![0.0; problem.dimension()];
        let settings = Settings::default();
        let auto = methods::Auto::default();
        let report = solve(
            &problem,
            FrictionLaw::Coulomb,
            &auto,
            &settings,
            &mut r,
            &mut Silent,
        )
        .unwrap();
        let (q, u) = velocities(&file, &r);
        let error = natural_error(&file, &q, &u, &r);
        // The two computations of u differ by rounding, which the referee's own error may not show.
        if report.status != Status::Converged || !(error <= 1.01e-8) {
            failures.push(format!(
                "{name}: {} error {error:.2e} {:?}",
                report.status, report.notes
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
