//! Claim: the same problem, published in two storages or formats, reads the same.

use moreau_algebra::sparse::SparseMatrix;
use moreau_io::{Form, ProblemFile, read, shared_problems};

fn shared(name: &str) -> Option<ProblemFile> {
    let Some(folder) = shared_problems::directory() else {
        eprintln!("skipped: no shared problems, set MOREAU_FCLIB_DIR to their folder");
        return None;
    };
    Some(read(folder.join("problems").join(name)).unwrap())
}

fn assert_close(left: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(left.len(), right.len());
    for (a, b) in left.iter().zip(right) {
        assert!((a - b).abs() <= tolerance * a.abs().max(b.abs()), "{a} {b}");
    }
}

/// Compares entries; a zero that only one side stores is no difference.
fn assert_same_matrix(left: &SparseMatrix, right: &SparseMatrix, tolerance: f64) {
    assert_eq!(
        (left.rows(), left.columns()),
        (right.rows(), right.columns())
    );
    for (one, other) in [(left, right), (right, left)] {
        for (row, column, value) in one.triplets() {
            assert_close(&[value], &[other.get(row, column)], tolerance);
        }
    }
}

fn assert_same_problem(left: &ProblemFile, right: &ProblemFile, tolerance: f64) {
    assert_eq!(left.dimension, right.dimension);
    assert_close(&left.friction, &right.friction, tolerance);
    assert_close(&left.rolling_friction, &right.rolling_friction, tolerance);
    match (&left.form, &right.form) {
        (Form::Local { w, q }, Form::Local { w: w2, q: q2 }) => {
            assert_same_matrix(w, w2, tolerance);
            assert_close(q, q2, tolerance);
        }
        (
            Form::Global { mass, h, f, w, .. },
            Form::Global {
                mass: mass2,
                h: h2,
                f: f2,
                w: w2,
                ..
            },
        ) => {
            assert_same_matrix(mass, mass2, tolerance);
            assert_same_matrix(h, h2, tolerance);
            assert_close(f, f2, tolerance);
            assert_close(w, w2, tolerance);
        }
        _ => panic!("one is local, the other global"),
    }
}

fn compare(left: &str, right: &str, tolerance: f64) {
    if let (Some(left), Some(right)) = (shared(left), shared(right)) {
        assert_same_problem(&left, &right, tolerance);
    }
}

#[test]
fn dense_and_compressed_columns_agree() {
    compare(
        "rfc3d_sphere_from_grfc3d.dat",
        "rfc3d_sphere_from_grfc3d_dense.dat",
        0.0,
    );
}

#[test]
fn dense_and_blocks_agree_for_a_local_problem() {
    compare("FC3D_Example1.dat", "FC3D_Example1_SBM.dat", 0.0);
}

#[test]
fn dense_and_blocks_agree_for_a_global_problem() {
    compare("GFC3D_Example0.dat", "GFC3D_Example0_SBM.dat", 0.0);
}

#[test]
fn fclib_and_text_agree_to_the_six_digits_of_the_text() {
    compare(
        "Chute-ndof-768-nc-4-3.hdf5",
        "GRFC3D_Chute-ndof-768-nc-4-3.dat",
        1e-5,
    );
}

/// The nonsymmetric matrix [1 2; 0 4] with q = (5, 6) and mu = 0.5, in each storage of the text.
#[test]
fn every_storage_of_the_text_gives_the_same_nonsymmetric_matrix() {
    let path = std::env::temp_dir().join(format!("moreau-storages-{}.dat", std::process::id()));
    let banner = "any banner\n";
    let storages = [
        "0 2 2 2 2 1 0 2 4".to_string(),
        "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 2 4".to_string(),
        "1 2 2 3 2 2 1 2 1 2 3 3 0 2 3 0 1 1 0 1 1 2 2 4".to_string(),
        format!("2 2 2 1\n{banner}triplet: 2-by-2, nzmax: 3 nnz: 3\n1 1 : 4\n0 0 : 1\n0 1 : 2\n"),
        format!(
            "2 2 2 2\n{banner}2-by-2, nzmax: 3 nnz: 3, 1-norm: 6\ncol 0 : locations 0 to 0\n0 : 1\n\
             col 1 : locations 1 to 2\n0 : 2\n1 : 4\n"
        ),
        format!(
            "2 2 2 3\n{banner}2-by-2, nzmax: 3 nnz: 3, 1-norm: 6\nrow 0 : locations 0 to 1\n0 : 1\n\
             1 : 2\nrow 1 : locations 2 to 2\n1 : 4\n"
        ),
    ];
    for storage in storages {
        std::fs::write(&path, format!("2 1 {storage} 5 6 0.5")).unwrap();
        let problem = read(&path).unwrap_or_else(|error| panic!("{error} in {storage}"));
        let Form::Local { w, q } = problem.form else {
            panic!("global");
        };
        let values = [w.get(0, 0), w.get(0, 1), w.get(1, 0), w.get(1, 1)];
        assert_eq!(values, [1.0, 2.0, 0.0, 4.0], "{storage}");
        assert_eq!(q, [5.0, 6.0]);
    }
    // A half stands for a symmetric matrix.
    let half = format!("2 2 2 4\n{banner}triplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1\n0 1 : 2\n");
    std::fs::write(&path, format!("2 1 {half} 5 6 0.5")).unwrap();
    let Form::Local { w, .. } = read(&path).unwrap().form else {
        panic!("global");
    };
    assert_eq!((w.get(0, 1), w.get(1, 0)), (2.0, 2.0));
    std::fs::remove_file(&path).unwrap();
}
