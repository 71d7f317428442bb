//! Performance profiles: a case by hand, and what holds for all of them.

use moreau_plots::performance_profile_curves;
use proptest::prelude::*;

/// ρ(τ) read off the corners of a curve.
fn share(curve: &[(f64, f64)], tau: f64) -> f64 {
    curve
        .iter()
        .take_while(|p| p.0 <= tau)
        .last()
        .map_or(0.0, |p| p.1)
}

#[test]
fn four_problems_by_hand() {
    // Ratios: A 1, 2, failed, failed; B 3, 1, 1, failed; C 3, 4, failed, failed.
    let costs = [
        vec![Some(2.0), Some(6.0), Some(6.0)],
        vec![Some(1.0), Some(0.5), Some(2.0)],
        vec![None, Some(7.0), None],
        vec![None, None, None],
    ];
    let curves = performance_profile_curves(&costs, 0.0);
    assert_eq!(curves[0], [(1.0, 0.25), (2.0, 0.5)]);
    assert_eq!(curves[1], [(1.0, 0.5), (3.0, 0.75)]);
    assert_eq!(curves[2], [(1.0, 0.0), (3.0, 0.25), (4.0, 0.5)]);
}

#[test]
fn costs_below_the_floor_are_equal() {
    let costs = [vec![Some(0.0), Some(1e-4), Some(2e-3)]];
    let curves = performance_profile_curves(&costs, 1e-3);
    assert_eq!(curves[0], [(1.0, 1.0)]);
    assert_eq!(curves[1], [(1.0, 1.0)]);
    assert_eq!(curves[2], [(1.0, 0.0), (2.0, 1.0)]);
}

#[test]
fn without_problems_there_is_nothing_to_compare() {
    assert!(performance_profile_curves(&[], 1e-3).is_empty());
    assert_eq!(
        performance_profile_curves(&[vec![None]], 1e-3),
        [[(1.0, 0.0)]]
    );
}

/// Costs as they come, with failures, zeros, ties and numbers that are none.
fn cost() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        2 => Just(None),
        6 => (1e-6..1e6f64).prop_map(Some),
        2 => (0..4u8).prop_map(|c| Some(f64::from(c))),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-1.0), Just(1e-310)].prop_map(Some),
    ]
}

proptest! {
    #[test]
    fn curves_are_distribution_functions(
        costs in prop::collection::vec(prop::collection::vec(cost(), 4), 0..40),
        floor in prop_oneof![Just(0.0), Just(1e-3), Just(f64::NAN)],
    ) {
        let curves = performance_profile_curves(&costs, floor);
        prop_assert_eq!(curves.len(), if costs.is_empty() { 0 } else { 4 });
        for (solver, curve) in curves.iter().enumerate() {
            prop_assert_eq!(curve[0].0, 1.0);
            for pair in curve.windows(2) {
                prop_assert!(pair[1].0 > pair[0].0 && pair[1].1 > pair[0].1);
            }
            for &(ratio, share) in curve {
                prop_assert!(ratio.is_finite() && (0.0..=1.0).contains(&share));
            }
            let solved = costs.iter().filter(|r| r[solver].is_some_and(f64::is_finite)).count();
            let end = curve[curve.len() - 1].1;
            prop_assert_eq!(end, solved as f64 / costs.len() as f64);
        }
        // Someone is best on every problem that anyone solved.
        let solved = costs.iter().filter(|r| r.iter().flatten().any(|c| c.is_finite())).count();
        let best: f64 = curves.iter().map(|curve| share(curve, 1.0)).sum();
        prop_assert!(best >= solved as f64 / costs.len().max(1) as f64 - 1e-12);
    }

    #[test]
    fn the_unit_of_cost_does_not_matter(
        costs in prop::collection::vec(prop::collection::vec(prop::option::of(0.1..10.0f64), 3), 1..20),
    ) {
        let doubled: Vec<Vec<_>> =
            costs.iter().map(|row| row.iter().map(|c| c.map(|c| 2.0 * c)).collect()).collect();
        prop_assert_eq!(
            performance_profile_curves(&costs, 0.0),
            performance_profile_curves(&doubled, 0.0)
        );
    }
}
