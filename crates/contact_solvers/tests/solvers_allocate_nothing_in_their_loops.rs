//! Ten times as many iterations must not allocate more often: an allocator that counts says so.

#![allow(unsafe_code)] // a global allocator can only be written so; this one counts and passes on

mod common;

use common::Noise;
use moreau_algebra::sparse::SparseMatrix;
use moreau_contact_solvers::cones::Cone;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::observer::Silent;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::{ContactSolver, solve};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // Not there while a thread ends: then nothing is counted.
    let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
}

// SAFETY: every call goes to the system's allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Rows in a chain with weak anchors, which no method here solves to zero error in 300 iterations.
fn chain(cone: Cone, blocks: usize) -> ContactProblem {
    let d = cone.dimension();
    let n = d * blocks;
    let mut noise = Noise(3);
    let mut triplets = Vec::new();
    for k in 0..n {
        triplets.push((k, k, 2.0 + 1e-4));
        if k + d < n {
            triplets.push((k, k + d, -1.0));
            triplets.push((k + d, k, -1.0));
        }
    }
    let w = SparseMatrix::from_triplets(n, n, &triplets);
    let free: Vec<f64> = (0..n)
        .map(|k| if k % d == 0 { -1.0 } else { 0.0 } + 0.3 * noise.next())
        .collect();
    ContactProblem::assembled(vec![cone; blocks], &w, free).expect("a problem")
}

fn allocations(
    problem: &ContactProblem,
    law: FrictionLaw,
    method: &dyn ContactSolver,
    iterations: usize,
) -> (usize, usize) {
    let settings = Settings {
        tolerance: 0.0,
        max_iterations: Some(iterations),
        ..Settings::default()
    };
    let mut impulses = vec![0.0; problem.dimension()];
    let before = ALLOCATIONS.with(Cell::get);
    let report = solve(problem, law, method, &settings, &mut impulses, &mut Silent)
        .expect("the problem can be solved");
    (ALLOCATIONS.with(Cell::get) - before, report.iterations)
}

/// `de_saxce` and `auto` are left out: they are made of whole solves of other methods, which have workspaces of
/// their own; the loops of those solves are covered by the methods that do them.
#[test]
fn solvers_allocate_nothing_in_their_loops() {
    // Large solves go to a thread of the pool; from there they stay on the thread that counts.
    rayon::scope(|_| every_method_allocates_nothing_in_its_loop());
}

fn every_method_allocates_nothing_in_its_loop() {
    let contacts = chain(Cone::Friction { friction: 0.4 }, 400);
    let joints = chain(Cone::Bilateral { rows: 3 }, 400);
    let mut tried = 0;
    for method in methods::all() {
        if ["de_saxce", "auto"].contains(&method.name()) {
            continue;
        }
        let problem = match method.refuses(&contacts) {
            None => &contacts,
            Some(_) => &joints,
        };
        problem.diagonal();
        for &law in method.laws() {
            allocations(problem, law, &*method, 5); // what is set up once in a process
            let name = method.name();
            // An interior point method ends after some twenty iterations, with a polish by another method.
            let (short, long) = if name == "interior_point" {
                (2, 10)
            } else {
                (20, 200)
            };
            let (few, done_few) = allocations(problem, law, &*method, short);
            let (many, done_many) = allocations(problem, law, &*method, long);
            assert!(
                done_many >= 5 * done_few,
                "{name} {law}: {done_few} and {done_many} iterations"
            );
            assert_eq!(few, many, "{name} {law}: {short} and {long} iterations");
            tried += 1;
        }
    }
    assert!(tried >= 15, "{tried} pairs of method and law");
}
