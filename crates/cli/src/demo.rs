//! `moreau demo`: a box of grains under boulders, from the scene to tables and pictures.

use crate::compare_report::{draw_convergence, runs_table};
use crate::demo_scene::{Scene, TIME_STEP};
use crate::failure::{Failure, Outcome};
use crate::input::size_and_form;
use crate::options;
use crate::progress::{Progress, listen_for_interrupt};
use crate::{output, table};
use clap::Args;
use moreau_contact_solvers::law::FrictionLaw;
use moreau_contact_solvers::methods;
use moreau_contact_solvers::problem::ContactProblem;
use moreau_contact_solvers::report::SolveReport;
use moreau_contact_solvers::settings::Settings;
use moreau_contact_solvers::solver::solve;
use moreau_contact_solvers::status::Status;
use moreau_plots::{Force, ForceNetworkPlot, Grain, force_network};
use std::path::PathBuf;

/// The solvers that are compared, seconds for each.
const COMPARED: [&str; 5] = [
    "jacobi",
    "gauss_seidel",
    "apgd",
    "accelerated_gauss_seidel",
    "interior_point",
];
const SECONDS_EACH: f64 = 1.0;
const TOLERANCE: f64 = 1e-8;

/// What `moreau demo` is told.
#[derive(Args)]
pub struct Arguments {
    /// The folder for the two pictures.
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,

    /// The solver for Coulomb's law.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = options::solver)]
    solver: String,
}

/// Builds the scene, solves it under Coulomb's law, compares solvers, and draws.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    std::fs::create_dir_all(&arguments.output).map_err(|error| {
        Failure::new(format!(
            "{}: cannot make this folder: {error}; expected a folder that can be written",
            arguments.output.display()
        ))
    })?;
    let forces = arguments.output.join("moreau-demo-forces.png");
    let curves = arguments.output.join("moreau-demo-convergence.png");
    output::check(&forces, &["png"])?;
    output::check(&curves, &["png"])?;
    listen_for_interrupt();

    let scene = Scene::build();
    let problem = scene
        .problem()
        .map_err(|error| Failure::new(error.to_string()))?;
    output::print(&format!(
        "{} spheres in a box, boulders on top, friction 0.4: one time step of {TIME_STEP} s\n{}\n",
        scene.balls.len(),
        size_and_form(&problem)
    ))?;

    let limited = |time_limit, tolerance| Settings {
        time_limit: Some(time_limit),
        tolerance,
        ..Settings::default()
    };
    let name = arguments.solver.as_str();
    let (impulses, report) = run_solver(
        &problem,
        FrictionLaw::Coulomb,
        name,
        &limited(4.0, TOLERANCE),
    )?;
    output::print(&format!(
        "\nCoulomb's law with {}: {} after {} iterations, {}\n{}",
        report.method,
        report.status,
        report.iterations,
        table::seconds(report.seconds),
        table::errors(&report)
    ))?;
    draw_forces(&forces, &scene, &impulses)?;

    let mut reports = Vec::new();
    for name in COMPARED {
        let settings = limited(SECONDS_EACH, TOLERANCE);
        reports.push(run_solver(&problem, FrictionLaw::Relaxed, name, &settings)?.1);
    }
    let shown: Vec<_> = reports.iter().collect();
    draw_convergence(&curves, "Grains under boulders", &shown, TOLERANCE)?;
    output::print(&format!(
        "\nThe relaxed law with several solvers, {SECONDS_EACH} s for each:\n{}\n\
         Look at {}\n    and {}\n\
         Next: `moreau solvers`, and `moreau solve --help`.\n",
        runs_table(&shown),
        forces.display(),
        curves.display()
    ))?;
    Ok(Outcome::of(report.status == Status::Converged))
}

fn run_solver(
    problem: &ContactProblem,
    law: FrictionLaw,
    name: &str,
    settings: &Settings,
) -> Result<(Vec<f64>, SolveReport), Failure> {
    let solver = methods::by_name(name).map_err(Failure::new)?;
    let mut impulses = vec![0.0; problem.dimension()];
    let mut progress = Progress::new(name, true);
    let report = solve(
        problem,
        law,
        solver.as_ref(),
        settings,
        &mut impulses,
        &mut progress,
    )?;
    progress.finish();
    Ok((impulses, report))
}

fn draw_forces(path: &std::path::Path, scene: &Scene, impulses: &[f64]) -> Result<(), Failure> {
    let largest = scene.balls.iter().map(|b| b.radius).fold(0.0, f64::max);
    let grains = scene.balls.iter().map(|ball| Grain {
        x: ball.x,
        y: ball.y,
        radius: ball.radius,
        shade: 0.15 + 0.45 * ball.radius / largest,
    });
    let forces = scene.touches.iter().enumerate().map(|(k, touch)| {
        let centre = |ball: usize| (scene.balls[ball].x, scene.balls[ball].y);
        Force {
            from: centre(touch.ball),
            to: touch.other.map_or(touch.point, centre),
            magnitude: impulses[3 * k] / TIME_STEP,
        }
    });
    let mut strengths: Vec<_> = forces.clone().map(|force| force.magnitude).collect();
    strengths.sort_by(f64::total_cmp);
    let plot = ForceNetworkPlot {
        title: "Forces in a box of grains under boulders".into(),
        caption: format!(
            "{} spheres, {} contacts, friction 0.4, Coulomb's law. Each line joins the centres of two \
             grains in contact; its width and colour show the normal force.",
            scene.balls.len(),
            scene.touches.len()
        ),
        grains: grains.collect(),
        forces: forces.collect(),
        // The few strongest forces, under the boulders, would hide the others.
        largest_force: strengths.get(strengths.len() * 99 / 100).copied(),
        force_label: "normal force (N)".into(),
        length_unit: "m".into(),
    };
    Ok(force_network(path, &plot)?)
}
