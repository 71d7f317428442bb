//! `auto`: looks at the problem, picks methods, changes its mind when progress stalls, says what it did.
//!
//! What it looks at: the law, the number of rows, how many rows there are for each freedom (more than one:
//! N is rank-deficient), the mass ratio, and the time left.
//!
//! | law | plan |
//! |---|---|
//! | Coulomb | Gauss-Seidel for a few sweeps, which is all that easy problems need; if they leave a large error the force level is unknown, and a relaxed problem or two find it; proximal point with Newton; if that fails, the three again in turns, longer each time |
//! | Coulomb, large | accelerated Gauss-Seidel on Coulomb's law itself while it pays, then relaxed problems by accelerated Gauss-Seidel, with De Saxcé's shift following; proximal point with Newton for what these leave |
//! | relaxed | accelerated Gauss-Seidel while it is fast; interior point when it slows down; accelerated Gauss-Seidel to finish |
//! | relaxed, large, mass ratio above 1e4, few joints | the chain of [`HeavyOnLight`] first, or [`ProximalMasses`] where factorisations would cost more |
//! | box | NNCG; Gauss-Seidel when it stalls |
//!
//! Problems of joints only are linear: proximal point with Newton solves them in a few steps.

use super::{
    AcceleratedGaussSeidel, DeSaxce, GaussSeidel, HeavyOnLight, InteriorPoint, Nncg,
    ProximalMasses, ProximalNewton,
};
use crate::cones::Cone;
use crate::delassus::Delassus;
use crate::law::FrictionLaw;
use crate::monitor::{Monitor, Phase};
use crate::problem::ContactProblem;
use crate::solver::ContactSolver;
use crate::status::Status;

/// Settings of `auto`.
#[derive(Clone, Debug, PartialEq)]
pub struct Auto {
    /// Rows above which no method that factorises is tried. Default 200 000.
    pub factorize_up_to: usize,
}

impl Default for Auto {
    fn default() -> Self {
        Self {
            factorize_up_to: 200_000,
        }
    }
}

/// What `auto` looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// Rows of the problem.
    pub rows: usize,
    /// Rows for each freedom of the bodies that are touched; `None` when only W is known.
    pub rows_per_freedom: Option<f64>,
    /// Largest over smallest mass of the bodies that are touched; of the mean diagonal when only W is known.
    pub mass_ratio: f64,
    /// Rows of joints, as a share of all rows.
    pub joints: f64,
}

impl Features {
    /// Looks at a problem.
    pub fn of(problem: &ContactProblem) -> Self {
        let ratio = |values: &mut dyn Iterator<Item = f64>| {
            let (smallest, largest) = values.fold((f64::INFINITY, 0.0f64), |(low, high), v| {
                (low.min(v), high.max(v))
            });
            largest / smallest
        };
        let (rows_per_freedom, mass_ratio) = match problem.delassus() {
            Delassus::MatrixFree(operator) => {
                let mut touched = vec![false; operator.bodies()];
                operator.touch(|body| touched[body] = true);
                let bodies = || (0..touched.len()).filter(|body| touched[*body]);
                let freedoms = bodies().count() * operator.body_size();
                let inverse_mass = |body: usize| match operator.lean_contacts() {
                    Some(contacts) => contacts.inertia(body).inverse_mass,
                    None => operator.inverse_mass(body)[0],
                };
                (
                    Some(problem.dimension() as f64 / freedoms.max(1) as f64),
                    ratio(&mut bodies().map(inverse_mass)),
                )
            }
            _ => (None, ratio(&mut problem.mean_diagonal().iter().copied())),
        };
        Self {
            rows: problem.dimension(),
            rows_per_freedom,
            mass_ratio,
            joints: {
                let joint = |cone: &Cone| match cone {
                    Cone::Bilateral { rows } => *rows,
                    _ => 0,
                };
                let rows: usize = problem.cones().iter().map(joint).sum();
                rows as f64 / problem.dimension().max(1) as f64
            },
        }
    }

    fn describe(&self) -> String {
        let rank = match self.rows_per_freedom {
            Some(share) if share > 1.0 => format!("rank-deficient ({share:.1} rows per freedom)"),
            Some(share) => format!("{share:.1} rows per freedom"),
            None => "rank unknown".into(),
        };
        let joints = match self.joints {
            0.0 => String::new(),
            share => format!(", {:.0} % of joints", 100.0 * share),
        };
        format!(
            "{} rows{joints}, {rank}, mass ratio {:.0e}",
            self.rows, self.mass_ratio
        )
    }
}

/// One entry of a plan.
struct Stage {
    solver: Box<dyn ContactSolver>,
    phase: Phase,
    /// The stage is left out when the error is at or below this.
    only_above: f64,
}

impl Stage {
    fn new(solver: impl ContactSolver + 'static, phase: Phase) -> Self {
        Self {
            solver: Box::new(solver),
            phase,
            only_above: 0.0,
        }
    }

    fn only_above(self, error: f64) -> Self {
        Self {
            only_above: error,
            ..self
        }
    }
}

impl ContactSolver for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn summary(&self) -> &'static str {
        "looks at the problem, picks methods, changes its mind when progress stalls"
    }

    fn laws(&self) -> &'static [FrictionLaw] {
        &[FrictionLaw::Coulomb, FrictionLaw::Relaxed, FrictionLaw::Box]
    }

    fn default_max_iterations(&self) -> usize {
        1_000_000
    }

    fn run(
        &self,
        problem: &ContactProblem,
        law: FrictionLaw,
        impulses: &mut [f64],
        monitor: &mut Monitor,
    ) -> Status {
        let features = Features::of(problem);
        monitor.notes.push(format!("auto: {}", features.describe()));
        let mut status = Status::Stalled;
        for stage in self.plan(&features, law, monitor) {
            if monitor.best_error() <= stage.only_above {
                continue;
            }
            monitor.begin_phase(stage.solver.name(), stage.phase);
            let before = monitor.iterations();
            status = stage.solver.run(problem, law, impulses, monitor);
            monitor.notes.push(format!(
                "auto: {}: {} iterations, {status}, error {:.1e}",
                stage.solver.name(),
                monitor.iterations() - before,
                monitor.best_error(),
            ));
            let converged = monitor.best_error() <= monitor.settings().tolerance;
            if converged {
                return Status::Converged;
            }
            if matches!(status, Status::TimeLimit | Status::Stopped) || monitor.is_exhausted() {
                return status;
            }
            impulses.copy_from_slice(monitor.best());
        }
        status
    }
}

impl Auto {
    /// The stages to try, in order; each begins at the best point so far.
    fn plan(&self, features: &Features, law: FrictionLaw, monitor: &Monitor) -> Vec<Stage> {
        let seconds_left = monitor.seconds_left();
        let may_factorize =
            features.rows <= self.factorize_up_to && seconds_left > factor_seconds(features.rows);
        let newton = |sweeps: usize, regularization: f64| ProximalNewton {
            first_sweeps: sweeps,
            regularization,
            ..ProximalNewton::default()
        };
        // Under a heavy body the path to the centre is longer from a wrong force level than from zero.
        let stiff = features.mass_ratio > HEAVY_ON_LIGHT;
        let interior_point = InteriorPoint {
            warm: !stiff,
            ..InteriorPoint::default()
        };
        let long = Phase::whole(1_000_000);
        if features.joints == 1.0 && may_factorize {
            return vec![Stage::new(newton(0, 1e-6), Phase::whole(100))];
        }
        let quick = |iterations| Phase {
            max_iterations: iterations,
            stall_window: iterations,
            stall_factor: 0.99,
            target: 0.0,
        };
        match law {
            FrictionLaw::Coulomb if may_factorize && features.rows < LARGE => {
                let force_level = |rounds: usize| {
                    let solver = DeSaxce {
                        inner: Box::new(InteriorPoint::default()),
                        inner_accuracy: 1e-9,
                        begin_relaxed: true,
                        ..DeSaxce::default()
                    };
                    Stage::new(solver, quick(rounds))
                };
                let while_it_pays = Phase {
                    max_iterations: 300,
                    stall_window: 100,
                    stall_factor: 0.5,
                    target: 0.0,
                };
                // With fewer rows than freedoms N is regular and Newton's method needs no help.
                let regular = features.rows_per_freedom.is_some_and(|share| share < 1.0);
                let first = if regular { 1e-6 } else { 1e-4 };
                // A coarse answer to a problem of some size is cheaper by sweeps than by the first factorisation.
                let coarse = monitor.settings().tolerance >= COARSE;
                let sweeps = if coarse && features.rows > FEW_ROWS {
                    2000
                } else {
                    0
                };
                vec![
                    Stage::new(
                        AcceleratedGaussSeidel::default(),
                        Phase {
                            max_iterations: sweeps,
                            stall_window: PATIENCE / 2,
                            stall_factor: 0.7,
                            target: 0.0,
                        },
                    ),
                    Stage::new(GaussSeidel::default(), quick(FIRST_SWEEPS)),
                    force_level(1).only_above(FORCE_LEVEL_UNKNOWN),
                    Stage::new(newton(0, first), while_it_pays),
                    force_level(3),
                    Stage::new(GaussSeidel::default(), quick(100)),
                    Stage::new(newton(0, 1e-3), while_it_pays),
                    Stage::new(GaussSeidel::default(), quick(300)),
                    Stage::new(newton(0, 1e-2), while_it_pays),
                    Stage::new(DeSaxce::default(), quick(100)),
                    Stage::new(GaussSeidel::default(), quick(3000)),
                    Stage::new(newton(100, 1.0), Phase::whole(2000)),
                    Stage::new(GaussSeidel::default(), long),
                ]
            }
            FrictionLaw::Coulomb => {
                let direct = Phase {
                    max_iterations: 3000,
                    stall_window: PATIENCE,
                    stall_factor: 0.7,
                    target: 0.0,
                };
                let rounds = |stall_factor| Phase {
                    stall_window: 60,
                    stall_factor,
                    ..quick(10_000)
                };
                let shifted = |begin_relaxed| DeSaxce {
                    begin_relaxed,
                    ..DeSaxce::default()
                };
                let mut stages = vec![Stage::new(AcceleratedGaussSeidel::default(), direct)];
                if may_factorize {
                    // What the rounds leave under a heavy body is smooth: Newton's method removes it, if it begins nearby.
                    stages.extend([
                        Stage::new(shifted(true), rounds(0.7)),
                        Stage::new(newton(0, 1e-5), quick(200)),
                    ]);
                }
                stages.extend([
                    Stage::new(shifted(!may_factorize), rounds(0.99)),
                    Stage::new(GaussSeidel::default(), long),
                ]);
                stages
            }
            FrictionLaw::Relaxed => {
                let sweeps = AcceleratedGaussSeidel::default;
                let proximal = stiff
                    && features.rows_per_freedom.is_some()
                    && (!may_factorize || features.rows > PROXIMAL_FROM);
                let masses = || Stage::new(ProximalMasses::default(), long);
                if !may_factorize {
                    let first = proximal.then(masses);
                    return first
                        .into_iter()
                        .chain([Stage::new(sweeps(), long)])
                        .collect();
                }
                // On small problems a factorisation costs less than a few hundred sweeps, on large ones as much as
                // many, and under a heavy body sweeps get nowhere.
                let small = features.rows < 3000;
                let patience = if small || stiff {
                    150
                } else {
                    features.rows.max(15_000) / 10
                };
                let while_it_pays = Phase {
                    stall_window: patience.min(1500),
                    stall_factor: 0.5,
                    ..quick(patience)
                };
                let mut stages = vec![
                    Stage::new(sweeps(), while_it_pays),
                    Stage::new(interior_point, Phase::whole(100)),
                    Stage::new(sweeps(), quick(20 * patience)),
                    Stage::new(newton(0, 1e-2), Phase::whole(300)),
                    Stage::new(sweeps(), long),
                ];
                if proximal {
                    stages.insert(0, masses());
                } else if stiff
                    && !small
                    && features.joints < JOINTED
                    && features.rows_per_freedom.is_some()
                {
                    stages.insert(0, Stage::new(HeavyOnLight::default(), quick(20_000)));
                }
                stages
            }
            FrictionLaw::Box => {
                let slow = Phase {
                    stall_window: 500,
                    ..quick(100_000)
                };
                vec![
                    Stage::new(Nncg::default(), slow),
                    Stage::new(GaussSeidel::default(), long),
                ]
            }
        }
    }
}

/// A tolerance that accelerated sweeps reach under Coulomb's law.
const COARSE: f64 = 1e-5;

/// Sweeps under Coulomb's law that may bring little before something else is tried: they take a third of a second where that took one to a
/// hundred. With 150 a step of 8000 falling spheres was handed on when one contact still approached a little too fast, and took 99 s.
const PATIENCE: usize = 1000;

/// Rows up to which a factorisation costs no more than a few sweeps.
const FEW_ROWS: usize = 300;

/// Sweeps before the first factorisation under Coulomb's law.
const FIRST_SWEEPS: usize = 35;

/// An error that so many sweeps leave only where forces pass through many contacts, as in a pile at rest.
const FORCE_LEVEL_UNKNOWN: f64 = 0.01;

/// Mass ratio above which accelerated sweeps are slower than an interior point method at any accuracy.
const HEAVY_ON_LIGHT: f64 = 1e4;

/// The share of rows that are joints' from which a heavy body is taken for a machine. Its chains and loops take many sweeps, of which the start of
/// [`HeavyOnLight`] makes a thousand, and few factorisations: a tracked vehicle in pebbles, 5006 rows, took 0.73 s by that and takes 0.16 s.
const JOINTED: f64 = 0.02;

/// Rows above which proximal steps under a heavy body cost less than factorisations: the one grow as the rows, the other as their square.
const PROXIMAL_FROM: usize = 100_000;

/// Rows above which Newton's method under Coulomb's law, one factorisation a step, loses to sweeps.
const LARGE: usize = 30_000;

/// A pessimistic guess of one factorisation, from measurements of 0.5 s at 24 000 unknowns and 20 ms at
/// 1700: enough to keep out of it when the time is short.
fn factor_seconds(rows: usize) -> f64 {
    2e-9 * (rows as f64).powi(2)
}
