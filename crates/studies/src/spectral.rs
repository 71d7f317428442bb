//! Spectral projected gradients beside other methods: Tasora 2013, Figs. 1 to 6.

use crate::context::Context;
use crate::outcome::{Comparison, Entry, Figure, Outcome, Picture, SceneText, Table};
use crate::picture;
use crate::race::{Over, Race, Runner, best_errors, data};
use crate::spectral_scenes as scenes;
use crate::study::{Study, StudyError};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::Spg;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::{Evaluation, Measure};
use moreau_plots::{AxisScale, LinePlot, Series};
use moreau_scene::Scene;

/// The study.
pub const STUDY: Study = Study {
    name: "spectral",
    title: "Spectral projected gradients on four benchmarks",
    source: "Tasora 2013, Figs. 1 to 6",
    shows: "bilateral network, spheres, plates with odd mass ratio, wrecking ball: convergence of every first-order solver",
    discussion: include_str!("spectral.md"),
    run,
};

/// Methods that are run on every benchmark.
const METHODS: [&str; 5] = [
    "jacobi",
    "gauss_seidel",
    "apgd",
    "nncg",
    "accelerated_gauss_seidel",
];
const PRECONDITIONED: &str = "spg, preconditioned";
const PLAIN: &str = "spg, plain";

struct Benchmark {
    name: &'static str,
    title: &'static str,
    scene: String,
    steps: usize,
    /// What is counted, published and here.
    size: Option<(&'static str, f64)>,
}

/// The curves of a benchmark: best error over products.
struct Curves {
    start: f64,
    series: Vec<Series>,
}

impl Curves {
    /// Products to a share of the first error; infinite if it is not reached.
    fn products_to(&self, label: &str, share: f64) -> f64 {
        let series = self.series.iter().find(|series| series.label == label);
        series
            .and_then(|s| s.points.iter().find(|p| p.1 <= share * self.start))
            .map_or(f64::INFINITY, |point| point.0)
    }

    /// The last error of a method as a share of the first.
    fn last(&self, label: &str) -> f64 {
        let series = self.series.iter().find(|series| series.label == label);
        series
            .and_then(|s| s.points.last())
            .map_or(f64::NAN, |p| p.1 / self.start)
    }
}

fn benchmarks(context: &Context) -> Vec<Benchmark> {
    let scale = context.scale;
    let (edge, rods) = scale.pick((5, 425), (10, 3500), (10, 3500));
    let (across, layers) = scale.pick((4, 5), (7, 20), (7, 20));
    let (bricks, courses) = scale.pick((6, 6), (25, 30), (25, 30));
    let full = scale >= crate::study::Scale::Small;
    let size = |what, count: f64| full.then_some((what, count));
    vec![
        Benchmark {
            name: "b1",
            title: "B1: network of bilateral constraints",
            scene: scenes::network(edge, rods),
            steps: 1,
            size: size("constraints", 3500.0),
        },
        Benchmark {
            name: "b2",
            title: "B2: equal spheres",
            scene: scenes::spheres(across, layers),
            steps: scale.pick(60, 150, 150),
            size: size("contacts", 3525.0),
        },
        Benchmark {
            name: "b3",
            title: "B3: plates with odd mass ratio",
            scene: scenes::plates(20, 100.0),
            steps: 3,
            size: Some(("plates", 20.0)),
        },
        Benchmark {
            name: "b4",
            title: "B4: ball hits wall",
            scene: scenes::wrecking(bricks, courses),
            steps: 1,
            size: size("bricks", 750.0),
        },
    ]
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let mut sizes = Comparison::new("Sizes of the benchmarks");
    let mut table = Table::new(
        "Products to a share of the first error w (best so far)",
        &[
            "benchmark",
            "solver",
            "to 1e-2",
            "to 1e-4",
            "to 1e-6",
            "last w over first",
        ],
    );
    let list = benchmarks(context);
    let count = list.len() as f64;
    let mut all = Vec::new();
    for (k, benchmark) in list.into_iter().enumerate() {
        context.at(k as f64 / count, benchmark.title)?;
        let problem = problem_of(&benchmark, context, &mut sizes, &mut outcome)?;
        let curves = curves(context, &problem, k == 0)?;
        for series in &curves.series {
            let label = series.label.as_str();
            let to = |share: f64| -> Entry {
                Some(curves.products_to(label, share))
                    .filter(|n| n.is_finite())
                    .into()
            };
            table.row([
                benchmark.name.into(),
                label.into(),
                to(1e-2),
                to(1e-4),
                to(1e-6),
                curves.last(label).into(),
            ]);
        }
        draw(&mut outcome, &benchmark, &curves);
        all.push(curves);
    }
    outcome.comparisons.push(sizes);
    outcome.tables.push(table);
    judge(&mut outcome, &all);
    Ok(outcome)
}

fn judge(outcome: &mut Outcome, all: &[Curves]) {
    let [b1, b2, b3, b4] = all else {
        unreachable!("there are four benchmarks")
    };
    let (spg, cg, minres) = (
        b1.products_to(PRECONDITIONED, 1e-4)
            .min(b1.products_to(PLAIN, 1e-4)),
        b1.products_to("cg", 1e-4),
        b1.products_to("minres", 1e-4),
    );
    outcome.claim(
        "B1: on a linear problem SPG needs at most three times the products of CG or MINRES (the paper: as fast)",
        spg <= 3.0 * cg.min(minres),
        format!("to 1e-4: SPG {spg}, CG {cg}, MINRES {minres}"),
    );
    let beaten = [b1, b2, b3, b4].map(|curves| curves.last(PRECONDITIONED) / curves.last("jacobi"));
    outcome.claim(
        "SPG ends with a smaller error than Jacobi in every benchmark",
        beaten.iter().all(|share| *share < 1.0),
        format!("its last error over Jacobi's: {}", texts(&beaten)),
    );
    let (with, without) = (b3.last(PRECONDITIONED), b3.last(PLAIN));
    outcome.claim(
        "B3: preconditioning helps where masses differ",
        with < without,
        format!("last error {with:.1e} with it, {without:.1e} without"),
    );
    outcome.summary = format!(
        "SPG needs {spg:.0} products where CG needs {cg:.0} on the linear network, beats Jacobi {} of 4 times, and on plates of odd masses \
         preconditioning multiplies the last error by {:.1}.",
        beaten.iter().filter(|share| **share < 1.0).count(),
        with / without
    );
}

/// Builds a benchmark, lets it come to its state, and takes the problem of its last step.
fn problem_of(
    benchmark: &Benchmark,
    context: &mut Context,
    sizes: &mut Comparison,
    outcome: &mut Outcome,
) -> Result<ContactProblem, StudyError> {
    let scene = Scene::parse(&benchmark.scene, &format!("{}.toml", benchmark.name))?;
    let mut run = scene.build()?;
    if benchmark.steps == 1 {
        // Only the problem is wanted, not its solution.
        let solver = &mut run.simulation.settings_mut().solver;
        solver.max_iterations = Some(1);
        solver.name = "gauss_seidel".into();
        Context::one_solve_per_step(&mut run);
    }
    let share = 0.25 * outcome.scenes.len() as f64;
    for step in 0..benchmark.steps {
        run.step()?;
        let line = format!(
            "{}: step {} of {}",
            benchmark.title,
            step + 1,
            benchmark.steps
        );
        context.at(share, &line)?;
    }
    let problem = run.simulation.last_problem().cloned();
    let problem = problem
        .ok_or_else(|| StudyError::Settings(format!("{} has no contacts", benchmark.name)))?;
    let bodies = run.simulation.bodies();
    if let Some((what, published)) = benchmark.size {
        let ours = match what {
            "contacts" => problem.contacts(),
            "constraints" => problem.dimension(),
            _ => (0..bodies.len())
                .filter(|body| bodies.is_rigid(*body) && bodies.masses[*body] < 400.0)
                .count(),
        };
        sizes.row(format!("{}: {what}", benchmark.title), "", published, ours);
    }
    if benchmark.name == "b4" {
        let caption = "B4: the ball meets the wall".to_string();
        let mut solids = picture::by(&run.simulation, caption.clone(), |body| {
            if body == 1 {
                0.95
            } else {
                0.25 + 0.05 * (body * 7 % 10) as f64
            }
        });
        (solids.width, solids.height) = (660, 480);
        outcome.pictures.push(Picture {
            name: "wall".into(),
            caption,
            solids,
        });
    }
    outcome.scenes.push(SceneText {
        name: benchmark.name.into(),
        text: benchmark.scene.clone(),
    });
    Ok(problem)
}

fn curves(
    context: &mut Context,
    problem: &ContactProblem,
    linear: bool,
) -> Result<Curves, StudyError> {
    let race = Race {
        problem,
        law: FrictionLaw::Relaxed,
        measure: Measure::Tasora,
        tolerance: 0.0,
        iterations: 1000,
        seconds: None,
    };
    let mut runners = vec![
        Runner::new(PRECONDITIONED, Spg::default()),
        Runner::new(
            PLAIN,
            Spg {
                preconditioned: false,
                ..Spg::default()
            },
        ),
    ];
    runners.extend(Runner::named(&METHODS)?);
    if linear {
        runners.extend(Runner::named(&["cg", "minres"])?);
    }
    let known = [&METHODS[..], &["spg", "cg", "minres"]].concat();
    if let Some(name) = context.chosen(&known, FrictionLaw::Relaxed)? {
        runners.extend(Runner::named(&[name])?);
    }
    let zero = vec![0.0; problem.dimension()];
    let start =
        Evaluation::new(problem, race.law, &zero).measure(race.measure, &Default::default());
    let mut series = Vec::new();
    for runner in runners {
        let solved = race.run(context, &runner)?;
        series.push(best_errors(&runner.label, &solved, Over::Products));
    }
    Ok(Curves { start, series })
}

fn draw(outcome: &mut Outcome, benchmark: &Benchmark, curves: &Curves) {
    outcome.data.push(data(
        benchmark.name,
        "products",
        "best w [m/s]",
        &curves.series,
    ));
    outcome.figures.push(Figure {
        name: benchmark.name.into(),
        caption: format!("{}.", benchmark.title),
        plot: LinePlot {
            title: benchmark.title.into(),
            x_label: "products with N".into(),
            y_label: "w, best so far (m/s)".into(),
            x_scale: AxisScale::Log10,
            y_scale: AxisScale::Log10,
            series: curves.series.clone(),
            reference: None,
        },
    });
}

fn texts(values: &[f64]) -> String {
    let list: Vec<_> = values.iter().map(|value| format!("{value:.1e}")).collect();
    list.join(", ")
}
