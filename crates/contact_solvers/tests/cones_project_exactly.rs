//! Projections onto every admissible set, against what defines them: the nearest point, Moreau's
//! decomposition, and a search that knows nothing of the closed form.

mod common;

use common::{Noise, norm};
use moreau_contact_solvers::cones::{Cone, MAX_DIMENSION};
use proptest::prelude::*;

fn coefficient() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 4 => 0.01..3.0_f64]
}

fn contact() -> impl Strategy<Value = Cone> {
    prop_oneof![
        Just(Cone::Unilateral),
        coefficient().prop_map(|friction| Cone::Friction { friction }),
        coefficient().prop_map(|friction| Cone::PlanarFriction { friction }),
        (coefficient(), coefficient())
            .prop_map(|(friction, rolling)| Cone::Rolling { friction, rolling }),
        (coefficient(), coefficient(), coefficient()).prop_map(|(friction, rolling, spinning)| {
            Cone::RollingSpinning {
                friction,
                rolling,
                spinning,
            }
        }),
    ]
}

fn any_set() -> impl Strategy<Value = Cone> {
    prop_oneof![
        6 => contact(),
        1 => (1..=MAX_DIMENSION).prop_map(|rows| Cone::Bilateral { rows }),
        1 => (-2.0..0.5_f64, 0.5..2.0_f64).prop_map(|(lower, upper)| Cone::Box { lower, upper }),
    ]
}

/// Points of ordinary size, on axes (zeros), and of very different sizes.
fn point() -> impl Strategy<Value = Vec<f64>> {
    let entry =
        prop_oneof![6 => -3.0..3.0_f64, 1 => Just(0.0), 1 => -1e-6..1e-6_f64, 1 => -1e4..1e4_f64];
    prop::collection::vec(entry, MAX_DIMENSION)
}

fn projected(cone: &Cone, x: &[f64]) -> Vec<f64> {
    let mut z = x.to_vec();
    cone.project(&mut z);
    z
}

fn difference(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(a, b)| a - b).collect()
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

/// How far a point is outside the set, by the definition of the set.
fn outside(cone: &Cone, z: &[f64]) -> f64 {
    match *cone {
        Cone::Bilateral { .. } => 0.0,
        Cone::Box { lower, upper } => (lower - z[0]).max(z[0] - upper).max(0.0),
        _ => {
            let discs = cone.discs().expect("a contact");
            let bound = |k: usize| {
                let disc = discs.discs()[k];
                norm(&z[disc.start..disc.end]) - disc.coefficient * z[0]
            };
            (0..discs.discs().len())
                .map(bound)
                .fold((-z[0]).max(0.0), f64::max)
        }
    }
}

/// A random point of the set, near `centre`.
fn feasible(cone: &Cone, centre: &[f64], noise: &mut Noise) -> Vec<f64> {
    let size = norm(centre).max(1e-3) * 10.0_f64.powf(3.0 * noise.next() - 3.0);
    let mut z: Vec<f64> = centre.iter().map(|c| c + size * noise.next()).collect();
    match *cone {
        Cone::Bilateral { .. } => {}
        Cone::Box { lower, upper } => z[0] = z[0].clamp(lower, upper),
        _ => {
            z[0] = z[0].max(0.0);
            for disc in cone.discs().expect("a contact").discs() {
                let (bound, group) = (disc.coefficient * z[0], disc.start..disc.end);
                let length = norm(&z[group.clone()]);
                if length > bound {
                    z[group]
                        .iter_mut()
                        .for_each(|v| *v *= bound / length * (1.0 - 1e-15));
                }
            }
        }
    }
    z
}

/// The least Σ w_k (z_k − x_k)² over a contact cone by a search in n alone: for a given n each disc shrinks
/// onto its bound. The remaining function of n is convex, so thirds can be cut off.
fn least_distance(cone: &Cone, x: &[f64], weights: &[f64]) -> f64 {
    let discs = cone.discs().expect("a contact");
    let at = |n: f64| {
        let mut sum = weights[0] * (n - x[0]).powi(2);
        for disc in discs.discs() {
            let over = (norm(&x[disc.start..disc.end]) - disc.coefficient * n).max(0.0);
            sum += weights[disc.start] * over * over;
        }
        sum
    };
    let (mut low, mut high) = (0.0, 4.0 * (1.0 + norm(x)) * 4.0);
    for _ in 0..300 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(a) <= at(b) { high = b } else { low = a }
    }
    at(0.5 * (low + high)).min(at(0.0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_projection_lies_in_the_set_and_stays(cone in any_set(), x in point()) {
        let x = &x[..cone.dimension()];
        let z = projected(&cone, x);
        let size = norm(x).max(1.0);
        prop_assert!(outside(&cone, &z) <= 1e-12 * size, "{z:?}");
        prop_assert!(norm(&difference(&projected(&cone, &z), &z)) <= 1e-12 * size);
        prop_assert!(cone.distance(&z) <= 1e-12 * size);
    }

    #[test]
    fn moreaus_decomposition_is_orthogonal(cone in contact(), x in point()) {
        let x = &x[..cone.dimension()];
        let z = projected(&cone, x);
        let polar = difference(x, &z);
        let square = norm(x).powi(2).max(1e-30);
        prop_assert!(dot(&z, &polar).abs() <= 1e-12 * square);
        // x − z is in the polar cone: −(x − z) has its normal above Σ c_k |·|, and is its own projection.
        let dual: Vec<f64> = polar.iter().map(|v| -v).collect();
        prop_assert!(dual[0] - cone.de_saxce_shift(&dual) >= -1e-12 * norm(x).max(1e-15));
        let mut again = dual.clone();
        cone.project_dual(&mut again);
        prop_assert!(norm(&difference(&again, &dual)) <= 1e-12 * norm(x).max(1e-15));
        prop_assert!(cone.dual_distance(&dual) <= 1e-12 * norm(x).max(1e-15));
    }

    #[test]
    fn no_point_of_the_set_is_nearer(cone in any_set(), x in point(), seed in 0_u64..1 << 40) {
        let x = &x[..cone.dimension()];
        let z = projected(&cone, x);
        let distance = norm(&difference(x, &z));
        let mut noise = Noise(seed);
        for round in 0..60 {
            let centre = if round % 2 == 0 { &z[..] } else { x };
            let other = feasible(&cone, centre, &mut noise);
            prop_assert!(norm(&difference(x, &other)) >= distance - 1e-12 * norm(x).max(1.0));
        }
        if cone.is_contact() {
            let least = least_distance(&cone, x, &[1.0; MAX_DIMENSION]).sqrt();
            // A search finds a minimum of this size to the square root of rounding at best.
            prop_assert!((distance - least).abs() <= 1e-7 * norm(x).max(1e-3), "{distance} {least}");
            prop_assert!(distance <= least + 1e-12 * norm(x).max(1.0));
        }
    }

    #[test]
    fn the_projection_does_not_expand(cone in any_set(), x in point(), y in point()) {
        let d = cone.dimension();
        let (x, y) = (&x[..d], &y[..d]);
        let moved = norm(&difference(&projected(&cone, x), &projected(&cone, y)));
        prop_assert!(moved <= norm(&difference(x, y)) + 1e-12 * (norm(x) + norm(y)));
    }

    #[test]
    fn the_projection_onto_a_cone_is_homogeneous(
        cone in contact(), x in point(), factor in prop_oneof![Just(1e-8), 0.1..10.0_f64, Just(1e8)],
    ) {
        let x = &x[..cone.dimension()];
        let scaled: Vec<f64> = x.iter().map(|v| factor * v).collect();
        let z = projected(&cone, x);
        for (a, b) in projected(&cone, &scaled).iter().zip(&z) {
            prop_assert!((a - factor * b).abs() <= 1e-12 * factor * norm(x).max(1e-15));
        }
    }

    #[test]
    fn the_weighted_projection_is_nearest_in_the_weighted_norm(
        cone in any_set(), x in point(), w in prop::collection::vec(0.05..20.0_f64, 4),
        seed in 0_u64..1 << 40,
    ) {
        let d = cone.dimension();
        let x = &x[..d];
        let mut weights = vec![w[0]; d];
        if let Some(discs) = cone.discs() {
            for (k, disc) in discs.discs().iter().enumerate() {
                weights[disc.start..disc.end].fill(w[k + 1]);
            }
        }
        let cost = |z: &[f64]| -> f64 { (0..d).map(|k| weights[k] * (z[k] - x[k]).powi(2)).sum() };
        let mut z = x.to_vec();
        cone.project_weighted(&mut z, &weights);
        prop_assert!(outside(&cone, &z) <= 1e-12 * norm(&z).max(norm(x)).max(1.0));
        let scale = 20.0 * norm(x).powi(2).max(1.0);
        let mut noise = Noise(seed);
        for _ in 0..40 {
            prop_assert!(cost(&feasible(&cone, &z, &mut noise)) >= cost(&z) - 1e-12 * scale);
        }
        if cone.is_contact() {
            prop_assert!((least_distance(&cone, x, &weights) - cost(&z)).abs() <= 1e-12 * scale);
        }
    }

    #[test]
    fn the_derivative_agrees_with_central_differences(
        cone in any_set(), x in prop::collection::vec(-3.0..3.0_f64, MAX_DIMENSION),
    ) {
        let d = cone.dimension();
        let x = &x[..d];
        let mut jacobian = vec![0.0; d * d];
        cone.projection_derivative(x, &mut jacobian);
        let differences = |h: f64| -> Vec<f64> {
            let mut result = vec![0.0; d * d];
            for j in 0..d {
                let (mut plus, mut minus) = (x.to_vec(), x.to_vec());
                plus[j] += h;
                minus[j] -= h;
                let (plus, minus) = (projected(&cone, &plus), projected(&cone, &minus));
                (0..d).for_each(|i| result[i * d + j] = (plus[i] - minus[i]) / (2.0 * h));
            }
            result
        };
        // One-sided slopes that differ betray a kink within the step; there is no derivative to compare with.
        let one_sided = |h: f64, j: usize| {
            let mut moved = x.to_vec();
            moved[j] += h;
            difference(&projected(&cone, &moved), &projected(&cone, x))
        };
        let h = 1e-5;
        let smooth = (0..d).all(|j| {
            let (up, down) = (one_sided(h, j), one_sided(-h, j));
            (0..d).all(|i| (up[i] + down[i]).abs() < 1e-3 * h)
        });
        prop_assume!(smooth);
        for (a, b) in differences(h).iter().zip(&jacobian) {
            prop_assert!((a - b).abs() < 1e-6, "{a} against {b}");
        }
    }
}

#[test]
fn a_pulling_impulse_without_friction_is_no_impulse() {
    for cone in [
        Cone::Friction { friction: 0.0 },
        Cone::PlanarFriction { friction: 0.0 },
        Cone::Rolling {
            friction: 0.0,
            rolling: 0.0,
        },
        Cone::Unilateral,
    ] {
        let mut x = vec![0.0; cone.dimension()];
        x[0] = -1.0;
        cone.project(&mut x);
        assert!(x.iter().all(|&v| v == 0.0), "{cone:?}: {x:?}");
    }
}
