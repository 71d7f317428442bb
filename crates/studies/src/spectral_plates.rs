//! Benchmark B3 of Tasora 2013 with its plates in several orders: is preconditioning more robust where masses differ?

use crate::context::Context;
use crate::outcome::{Outcome, Table};
use crate::race::{Over, best_errors};
use crate::spectral::{race, spectral_runners, start_of};
use crate::spectral_scenes as scenes;
use crate::study::StudyError;
use moreau_contact_solvers::generate::SplitMix64;
use moreau_scene::Scene;

/// Plates of the stack.
pub const COUNT: usize = 20;
/// The heaviest over the lightest.
const RATIO: f64 = 100.0;
/// Steps whose problems are solved: plates overlap by some micrometres, which differ from step to step.
const STEPS: [usize; 4] = [2, 3, 4, 5];

/// An order of light and heavy plates, the lowest first.
struct Order {
    name: &'static str,
    masses: Vec<f64>,
}

/// Two light plates, two heavy ones, and so on: the order that is drawn.
pub fn pairs() -> Vec<f64> {
    let mass = |k: usize| if k % 4 < 2 { 1.0 } else { RATIO };
    (0..COUNT).map(mass).collect()
}

fn orders() -> Vec<Order> {
    let grown: Vec<f64> = (0..COUNT)
        .map(|k| RATIO.powf(k as f64 / (COUNT - 1) as f64))
        .collect();
    let mut random = SplitMix64::new(1);
    vec![
        Order {
            name: "light and heavy by turns",
            masses: (0..COUNT).map(|k| [1.0, RATIO][k % 2]).collect(),
        },
        Order {
            name: "two light, two heavy by turns",
            masses: pairs(),
        },
        Order {
            name: "heavier upwards",
            masses: grown.clone(),
        },
        Order {
            name: "lighter upwards",
            masses: grown.into_iter().rev().collect(),
        },
        Order {
            name: "at random",
            masses: (0..COUNT)
                .map(|_| RATIO.powf(random.between(0.0, 1.0)))
                .collect(),
        },
    ]
}

/// The last errors of SPG with and without preconditioning, as shares of the first, over orders and steps.
///
/// # Errors
/// When somebody asked to stop.
pub fn compare(context: &mut Context, outcome: &mut Outcome) -> Result<[f64; 2], StudyError> {
    let mut table = Table::new(
        format!(
            "B3 in five orders of the plates: last w over first of SPG after 1000 iterations, the best and the worst of {} steps",
            STEPS.len()
        ),
        &[
            "order, from below",
            "preconditioned: best",
            "worst",
            "plain: best",
            "worst",
        ],
    );
    let mut worst = [0.0f64; 2];
    for order in orders() {
        let scene = Scene::parse(&scenes::plates(&order.masses), "b3.toml")?;
        let mut run = scene.build()?;
        let (mut least, mut most) = ([f64::INFINITY; 2], [0.0f64; 2]);
        for step in 1..=STEPS[STEPS.len() - 1] {
            run.step()?;
            let problem = run.simulation.last_problem();
            let Some(problem) = problem.filter(|_| STEPS.contains(&step)) else {
                continue;
            };
            let start = start_of(problem);
            for (k, runner) in spectral_runners().iter().enumerate() {
                let solved = race(problem).run(context, runner)?;
                let curve = best_errors(&runner.label, &solved, Over::Products);
                let last = curve.points.last().map_or(f64::NAN, |p| p.1 / start);
                least[k] = least[k].min(last);
                most[k] = most[k].max(last);
            }
        }
        table.row([
            order.name.into(),
            least[0].into(),
            most[0].into(),
            least[1].into(),
            most[1].into(),
        ]);
        worst = [worst[0].max(most[0]), worst[1].max(most[1])];
    }
    outcome.tables.push(table);
    Ok(worst)
}
