//! Claim: what is written reads back bit for bit, in each format and across them.

mod common;

use common::{Folder, assert_same, full_problem, problem_bits};
use moreau_algebra::sparse::SparseMatrix;
use moreau_io::{Bilateral, Form, Info, ProblemFile, Solution};
use moreau_io::{read, shared_problems, write_fclib, write_siconos_dat};
use proptest::prelude::*;

/// Through FCLIB, through text, and through both: all that each format holds is kept.
fn check(problem: &ProblemFile, name: &str) {
    let folder = Folder::new();
    let (fclib, dat) = (folder.file("a.dat"), folder.file("b.hdf5"));
    write_fclib(&fclib, problem).unwrap();
    let back = read(&fclib).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_same(problem, &back, name);

    let bilateral = matches!(
        problem.form,
        Form::Global {
            bilateral: Some(_),
            ..
        }
    );
    if bilateral {
        let refusal = write_siconos_dat(&dat, problem).unwrap_err().to_string();
        assert!(refusal.contains("bilateral"), "{refusal}");
        assert_eq!(folder.names(), ["a.dat"]);
        return;
    }
    write_siconos_dat(&dat, &back).unwrap();
    let back = read(&dat).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(problem_bits(problem) == problem_bits(&back), "{name}: text");
    write_fclib(&fclib, &back).unwrap();
    let back = read(&fclib).unwrap();
    assert!(problem_bits(problem) == problem_bits(&back), "{name}: both");
}

#[test]
fn shared_problems_read_back_bit_for_bit() {
    for path in shared_problems::all() {
        check(&read(&path).unwrap(), &path.display().to_string());
    }
}

#[test]
fn a_problem_with_every_part_reads_back_bit_for_bit() {
    check(&full_problem(), "full problem");
}

#[test]
fn a_local_problem_whose_velocities_look_like_a_matrix_header_stays_local() {
    let folder = Folder::new();
    let path = folder.file("q.dat");
    let identity = "0 3 3 3 3 1 0 0 0 1 0 0 0 1";
    for end in ["", " 1"] {
        std::fs::write(&path, format!("3 1 {identity} 0 3 3 0.5{end}")).unwrap();
        let Form::Local { q, .. } = read(&path).unwrap().form else {
            panic!("global");
        };
        assert_eq!(q, [0.0, 3.0, 3.0]);
    }
    std::fs::write(&path, format!("3 1 {identity} {identity} 1 2 3 4 5 6 0.5")).unwrap();
    assert!(matches!(read(&path).unwrap().form, Form::Global { .. }));
}

/// Finite numbers of every kind, odd ones often.
fn number() -> impl Strategy<Value = f64> {
    let odd = [
        0.0,
        -0.0,
        5e-324,
        -2.225_073_858_507_2e-308,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        0.1,
        1.0 / 3.0,
        123456789012345680.0,
        9007199254740993.0,
    ];
    let any_bits = any::<u64>().prop_map(f64::from_bits);
    let finite = any_bits.prop_filter("finite", |value| value.is_finite());
    prop_oneof![proptest::sample::select(odd.to_vec()), finite]
}

fn vector(length: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(number(), length)
}

fn coefficients(length: usize) -> impl Strategy<Value = Vec<f64>> {
    vector(length).prop_map(|values| values.iter().map(|value| value.abs()).collect())
}

/// Entries at distinct places, so that no sum overflows.
fn matrix(rows: usize, columns: usize) -> impl Strategy<Value = SparseMatrix> {
    let most = (rows * columns).min(30);
    let places = prop::collection::btree_set(0..(rows * columns).max(1), 0..=most);
    (places, vector(30)).prop_map(move |(places, values)| {
        let inside = places.into_iter().filter(|_| rows * columns > 0);
        let entry = |(place, value)| (place / columns, place % columns, value);
        let entries: Vec<_> = inside.zip(values).map(entry).collect();
        SparseMatrix::from_triplets(rows, columns, &entries)
    })
}

fn solution(components: usize, dofs: usize, rows: usize) -> impl Strategy<Value = Solution> {
    let parts = (
        vector(components),
        vector(components),
        vector(dofs),
        vector(rows),
    );
    parts.prop_map(
        |(impulses, velocities, body_velocities, multipliers)| Solution {
            impulses,
            velocities,
            body_velocities,
            multipliers,
        },
    )
}

fn info() -> impl Strategy<Value = Info> {
    let text = || "[ -~éß\n]{0,12}";
    (text(), text(), text()).prop_map(|(title, description, math_info)| Info {
        title,
        description,
        math_info,
    })
}

fn form(components: usize, dofs: usize, rows: usize, local: bool) -> BoxedStrategy<Form> {
    if local {
        let parts = (matrix(components, components), vector(components));
        return parts.prop_map(|(w, q)| Form::Local { w, q }).boxed();
    }
    let parts = (
        matrix(dofs, dofs),
        matrix(dofs, components),
        vector(dofs),
        vector(components),
        prop::option::of((matrix(dofs, rows), vector(rows))),
    );
    parts
        .prop_map(|(mass, h, f, w, bilateral)| Form::Global {
            mass,
            h,
            f,
            w,
            bilateral: bilateral.map(|(g, b)| Bilateral { g, b }),
        })
        .boxed()
}

fn problem() -> impl Strategy<Value = ProblemFile> {
    let dimension = proptest::sample::select(vec![2usize, 3, 5, 6]);
    (dimension, 0usize..4, 0usize..8, any::<bool>(), 0usize..3).prop_flat_map(
        |(dimension, contacts, dofs, local, rows)| {
            let components = dimension * contacts;
            let (dofs, rows) = if local { (0, 0) } else { (dofs, rows) };
            let solutions = move || solution(components, dofs, 0);
            let rolling = if dimension > 3 { contacts } else { 0 };
            let parts = (
                coefficients(contacts),
                coefficients(rolling),
                form(components, dofs, rows, local),
                info(),
                prop::option::of(solutions()),
                prop::collection::vec(solutions(), 0..3),
            );
            parts.prop_map(
                move |(friction, rolling_friction, form, info, solution, guesses)| ProblemFile {
                    dimension,
                    friction,
                    rolling_friction,
                    form,
                    info,
                    solution,
                    guesses,
                },
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_problems_read_back_bit_for_bit(problem in problem()) {
        check(&problem, "random problem");
    }
}
