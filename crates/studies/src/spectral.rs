//! Spectral projected gradients beside other methods: Tasora 2013, Figs. 1 to 6.

use crate::context::{Context, Solved};
use crate::outcome::{Comparison, Outcome, Picture, SceneText};
use crate::picture;
use crate::race::{Over, Race, Runner, best_errors};
use crate::spectral_plates;
use crate::spectral_report::{self, Curves, PLAIN, PRECONDITIONED};
use crate::spectral_scenes as scenes;
use crate::study::{Study, StudyError};
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods::Spg;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::residual::{Evaluation, Measure};
use moreau_scene::Scene;

/// The study.
pub const STUDY: Study = Study {
    name: "spectral",
    title: "Spectral projected gradients on four benchmarks",
    source: "Tasora 2013, Figs. 1 to 6",
    shows: "bilateral network, spheres, plates with odd mass ratio, wrecking ball: convergence of every first-order solver",
    takes: "13 s at both scales, which are the same",
    highlights: &["B1", "B2", "B3", "B4"],
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
struct Benchmark {
    name: &'static str,
    title: &'static str,
    scene: String,
    steps: usize,
    /// What is counted, and how many there are in the paper.
    sizes: Vec<(&'static str, f64)>,
}

fn benchmarks(context: &Context) -> Vec<Benchmark> {
    let scale = context.scale;
    let (edge, rods) = scale.pick((5, 425), (10, 3500), (10, 3500));
    let (across, layers) = scale.pick((4, 5), (10, 10), (10, 10));
    let (bricks, courses) = scale.pick((6, 6), (25, 30), (25, 30));
    let full = scale >= crate::study::Scale::Small;
    let sizes = |list: &[(&'static str, f64)]| match full {
        true => list.to_vec(),
        false => Vec::new(),
    };
    vec![
        Benchmark {
            name: "b1",
            title: "B1: network of bilateral constraints",
            scene: scenes::network(edge, rods),
            steps: 1,
            sizes: sizes(&[("parts", 1000.0), ("constraints", 3500.0)]),
        },
        Benchmark {
            name: "b2",
            title: "B2: smooth spheres of equal mass",
            scene: scenes::spheres(across, layers),
            steps: scale.pick(60, 150, 150),
            sizes: sizes(&[("spheres", 1000.0), ("contacts", 3525.0)]),
        },
        Benchmark {
            name: "b3",
            title: "B3: plates with odd mass ratio",
            scene: scenes::plates(&spectral_plates::pairs()),
            steps: 3,
            sizes: vec![("plates", 20.0)],
        },
        Benchmark {
            name: "b4",
            title: "B4: ball hits wall",
            scene: scenes::wrecking(bricks, courses),
            steps: 1,
            sizes: sizes(&[("bricks", 750.0)]),
        },
    ]
}

fn run(context: &mut Context) -> Result<Outcome, StudyError> {
    let mut outcome = Outcome::default();
    let mut sizes = Comparison::new("Sizes of the benchmarks");
    let mut table = spectral_report::table();
    let list = benchmarks(context);
    let count = list.len() as f64;
    let mut all = Vec::new();
    for (k, benchmark) in list.into_iter().enumerate() {
        context.at(k as f64 / count, benchmark.title)?;
        let problem = problem_of(&benchmark, context, &mut sizes, &mut outcome)?;
        let curves = curves(context, &problem, k == 0)?;
        spectral_report::list(&mut table, benchmark.name, &curves);
        spectral_report::draw(&mut outcome, benchmark.name, benchmark.title, &curves);
        all.push(curves);
    }
    outcome.comparisons.push(sizes);
    outcome.tables.push(table);
    context.at(0.95, "B3 in other orders of the plates")?;
    let worst = spectral_plates::compare(context, &mut outcome)?;
    spectral_report::judge(&mut outcome, &all, worst);
    Ok(outcome)
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
    for (what, published) in &benchmark.sizes {
        let ours = match *what {
            "contacts" => problem.contacts(),
            "constraints" => problem.dimension(),
            _ => (0..bodies.len())
                .filter(|body| bodies.is_rigid(*body) && bodies.masses[*body] < 400.0)
                .count(),
        };
        sizes.row(format!("{}: {what}", benchmark.title), "", *published, ours);
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
        (solids.width, solids.height) = (640, 460);
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
    let race = race(problem);
    let mut runners = spectral_runners();
    runners.extend(Runner::named(&METHODS)?);
    if linear {
        runners.extend(Runner::named(&["cg", "minres"])?);
    }
    let known = [&METHODS[..], &["spg", "cg", "minres"]].concat();
    if let Some(name) = context.chosen(&known, FrictionLaw::Relaxed)? {
        runners.extend(Runner::named(&[name])?);
    }
    let (mut series, mut each) = (Vec::new(), None);
    for runner in runners {
        let solved = race.run(context, &runner)?;
        series.push(best_errors(&runner.label, &solved, Over::Products));
        each.get_or_insert_with(|| errors(&solved));
    }
    Ok(Curves {
        start: start_of(problem),
        series,
        each: each.unwrap_or_default(),
    })
}

/// The error after each iteration, whether better or worse than before.
fn errors(solved: &Solved) -> Vec<(f64, f64)> {
    let records = solved.report.history.records();
    records
        .map(|record| (record.iteration as f64, record.error))
        .collect()
}

/// A thousand iterations from zero impulses.
pub fn race(problem: &ContactProblem) -> Race<'_> {
    Race {
        problem,
        law: FrictionLaw::Relaxed,
        measure: Measure::Tasora,
        tolerance: 0.0,
        iterations: 1000,
        seconds: None,
    }
}

/// SPG with preconditioning and without.
pub fn spectral_runners() -> Vec<Runner> {
    let plain = Spg {
        preconditioned: false,
        ..Spg::default()
    };
    vec![
        Runner::new(PRECONDITIONED, Spg::default()),
        Runner::new(PLAIN, plain),
    ]
}

/// The error of zero impulses.
pub fn start_of(problem: &ContactProblem) -> f64 {
    let zero = vec![0.0; problem.dimension()];
    let asked = race(problem);
    Evaluation::new(problem, asked.law, &zero).measure(asked.measure, &Default::default())
}
