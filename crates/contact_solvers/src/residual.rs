//! The referee: every error measure, each in one function of (problem, law, impulses).
//!
//! No solver judges itself. Solvers stop on these functions, tables print them, tests assert them;
//! they see the problem as it was stated and the impulses that came back, nothing else.
//!
//! With x = γ (shifted by the cohesion where there is one), u = Nγ + r, û the velocity of the
//! [law](crate::law) and F(ρ) = x − Π(x − ρ û) its natural map:
//!
//! | name | measure | from |
//! |---|---|---|
//! | `natural` | ‖F(1)‖ / max(‖r‖, ‖x‖, ‖u‖) | FCLIB, Siconos |
//! | `energy` | √(Σ g_i ‖F_i(1/g_i)‖²) / √(Σ ‖r_i‖²/g_i), g_i = tr(N_ii)/d to single precision | square root of an energy ratio |
//! | `mazhar` | ‖F(g_d)‖ / (n g_d), n the number of rows | Mazhar 2015, Eq. 25 |
//! | `tasora` | ‖F(τ)‖ / τ | Tasora 2013, w |
//! | `silcowitz` | ‖PGS(x) − x‖² | Silcowitz 2010, ‖∇f‖² |
//! | `koziara` | Σ C_iᵀ N_ii⁻¹ C_i / Σ r_iᵀ N_ii⁻¹ r_i, C = F(1) | Koziara 2017, Eq. 40 |
//! | `de` | max(‖r_p‖∞, ‖r_d‖∞, r_c) | De 2019, §III.C |
//! | `gap` | duality gap / (½ xᵀNx + ‖rᵀx‖) | relaxed law |
//! | `max` | max_i ‖F_i(1)‖ / max_i max(‖r_i‖, ‖x_i‖, ‖u_i‖) | |
//!
//! `mazhar` divides by the number of rows and so falls with the size of a problem whatever the
//! solution is; it is reported, and should not decide.

use crate::cones::disc_cone::project_friction;
use crate::cones::{Cone, MAX_DIMENSION};
use crate::law::FrictionLaw;
use crate::problem::ContactProblem;
use crate::sweep::{BlockRule, Direction, sweep};
use moreau_algebra::reduction::{dot, norm, sum, tree_reduce};
use moreau_algebra::small::SmallMatrix;
use std::fmt;
use std::str::FromStr;

/// Below this a relative measure becomes absolute: velocities and impulses of this size are the
/// rounding of quantities that cancelled.
pub const ABSOLUTE_FLOOR: f64 = f64::EPSILON;

/// An error measure by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The relative natural-map error.
    Natural,
    /// The dimensionless energy measure eta.
    Energy,
    /// Mazhar Eq. 25.
    Mazhar,
    /// Tasora's w.
    Tasora,
    /// Silcowitz' ‖∇f‖².
    Silcowitz,
    /// Koziara's g(R).
    Koziara,
    /// De's residuals r_p, r_d, r_c.
    De,
    /// The relative duality gap.
    Gap,
    /// The largest violation at a single contact.
    Max,
}

impl Measure {
    /// Every measure.
    pub const ALL: [Measure; 9] = [
        Measure::Natural,
        Measure::Energy,
        Measure::Mazhar,
        Measure::Tasora,
        Measure::Silcowitz,
        Measure::Koziara,
        Measure::De,
        Measure::Gap,
        Measure::Max,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Natural => "natural",
            Measure::Energy => "energy",
            Measure::Mazhar => "mazhar",
            Measure::Tasora => "tasora",
            Measure::Silcowitz => "silcowitz",
            Measure::Koziara => "koziara",
            Measure::De => "de",
            Measure::Gap => "gap",
            Measure::Max => "max",
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|m| m.name() == name)
            .ok_or_else(|| {
                let names: Vec<_> = Self::ALL.iter().map(|m| m.name()).collect();
                format!(
                    "there is no measure '{name}'; the measures are {}",
                    names.join(", ")
                )
            })
    }
}

/// Free parameters of the published measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureSettings {
    /// g_d of Mazhar Eq. 25; the paper uses 1e-6.
    pub mazhar_step: f64,
    /// τ_g of Tasora's w.
    pub tasora_step: f64,
}

impl Default for MeasureSettings {
    fn default() -> Self {
        Self {
            mazhar_step: 1e-6,
            tasora_step: 1e-6,
        }
    }
}

/// De's three residuals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeResiduals {
    /// Largest violation of γ ∈ K.
    pub primal: f64,
    /// Largest violation of u ∈ K*.
    pub dual: f64,
    /// |γᵀu| per block.
    pub complementarity: f64,
}

impl DeResiduals {
    /// What De's solvers stop on.
    pub fn largest(&self) -> f64 {
        self.primal.max(self.dual).max(self.complementarity)
    }
}

/// The largest single violation and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// Relative size.
    pub error: f64,
    /// The block; `None` when there is no block at all.
    pub contact: Option<usize>,
}

/// All measures of one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors {
    /// [`Measure::Natural`].
    pub natural: f64,
    /// [`Measure::Energy`].
    pub energy: f64,
    /// [`Measure::Mazhar`].
    pub mazhar: f64,
    /// [`Measure::Tasora`].
    pub tasora: f64,
    /// [`Measure::Silcowitz`].
    pub silcowitz: f64,
    /// [`Measure::Koziara`].
    pub koziara: f64,
    /// [`Measure::De`], its three parts.
    pub de: DeResiduals,
    /// [`Measure::Gap`]; only for the relaxed law.
    pub gap: Option<f64>,
    /// [`Measure::Max`] and its place.
    pub max: Violation,
    /// f(γ) = ½ γᵀNγ + rᵀγ (with the symmetric part of N).
    pub objective: f64,
}

impl Errors {
    /// The value of one measure; NaN for a gap that does not exist.
    pub fn get(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Natural => self.natural,
            Measure::Energy => self.energy,
            Measure::Mazhar => self.mazhar,
            Measure::Tasora => self.tasora,
            Measure::Silcowitz => self.silcowitz,
            Measure::Koziara => self.koziara,
            Measure::De => self.de.largest(),
            Measure::Gap => self.gap.unwrap_or(f64::NAN),
            Measure::Max => self.max.error,
        }
    }
}

/// An answer with its velocities: what every measure is computed from.
///
/// ```
/// use moreau_algebra::sparse::SparseMatrix;
/// use moreau_contact_solvers::{cones::Cone, law::FrictionLaw, problem::ContactProblem};
/// use moreau_contact_solvers::residual::Evaluation;
/// // A unit mass falls onto the floor at speed 1: the impulse 1 stops it.
/// let w = SparseMatrix::from_triplets(1, 1, &[(0, 0, 1.0)]);
/// let problem = ContactProblem::assembled(vec![Cone::Unilateral], &w, vec![-1.0])?;
/// assert_eq!(Evaluation::new(&problem, FrictionLaw::Coulomb, &[1.0]).natural(), 0.0);
/// assert_eq!(Evaluation::new(&problem, FrictionLaw::Coulomb, &[0.0]).natural(), 1.0);
/// # Ok::<(), moreau_contact_solvers::problem::ProblemError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluation {
    problem: ContactProblem,
    law: FrictionLaw,
    impulses: Vec<f64>,
    velocity: Vec<f64>,
    objective: f64,
}

impl Evaluation {
    /// Recomputes the velocities from the problem.
    ///
    /// # Panics
    /// When `impulses` has not the length of the problem.
    pub fn new(problem: &ContactProblem, law: FrictionLaw, impulses: &[f64]) -> Self {
        assert_eq!(
            impulses.len(),
            problem.dimension(),
            "one impulse for each row"
        );
        let mut state = vec![0.0; problem.state_length()];
        let mut velocity = vec![0.0; problem.dimension()];
        problem.velocity(impulses, &mut state, &mut velocity);
        let objective = objective(problem, impulses, &velocity);
        let mut impulses = impulses.to_vec();
        problem.add_cohesion(1.0, &mut impulses);
        Self {
            problem: problem.without_cohesion(),
            law,
            impulses,
            velocity,
            objective,
        }
    }

    /// u = Nγ + r.
    pub fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// The relative natural-map error.
    pub fn natural(&self) -> f64 {
        natural(&self.problem, self.law, &self.impulses, &self.velocity)
    }

    /// The value of one measure.
    pub fn measure(&self, measure: Measure, settings: &MeasureSettings) -> f64 {
        measure_of(
            &self.problem,
            self.law,
            measure,
            settings,
            &self.impulses,
            &self.velocity,
        )
    }

    /// All of them.
    pub fn errors(&self, settings: &MeasureSettings) -> Errors {
        let (p, law, x, u) = (&self.problem, self.law, &self.impulses, &self.velocity);
        Errors {
            natural: natural(p, law, x, u),
            energy: energy(p, law, x, u),
            mazhar: mazhar(p, law, x, u, settings.mazhar_step),
            tasora: tasora(p, law, x, u, settings.tasora_step),
            silcowitz: silcowitz(p, law, x),
            koziara: koziara(p, law, x, u),
            de: de(p, law, x, u),
            gap: (law == FrictionLaw::Relaxed).then(|| gap(p, x, u)),
            max: largest_violation(p, law, x, u),
            objective: self.objective,
        }
    }
}

impl Evaluation {
    /// The natural-map error and one more measure; the others are NaN.
    pub fn one_error(&self, measure: Measure, settings: &MeasureSettings) -> Errors {
        let nan = f64::NAN;
        let mut errors = Errors {
            natural: self.natural(),
            energy: nan,
            mazhar: nan,
            tasora: nan,
            silcowitz: nan,
            koziara: nan,
            de: DeResiduals {
                primal: nan,
                dual: nan,
                complementarity: nan,
            },
            gap: None,
            max: Violation {
                error: nan,
                contact: None,
            },
            objective: self.objective,
        };
        let (p, law, x, u) = (&self.problem, self.law, &self.impulses, &self.velocity);
        match measure {
            Measure::Natural => {}
            Measure::De => errors.de = de(p, law, x, u),
            Measure::Max => errors.max = largest_violation(p, law, x, u),
            Measure::Gap => errors.gap = Some(gap(p, x, u)),
            Measure::Energy => errors.energy = energy(p, law, x, u),
            Measure::Mazhar => errors.mazhar = self.measure(measure, settings),
            Measure::Tasora => errors.tasora = self.measure(measure, settings),
            Measure::Silcowitz => errors.silcowitz = silcowitz(p, law, x),
            Measure::Koziara => errors.koziara = koziara(p, law, x, u),
        }
        errors
    }
}

/// One measure of impulses whose velocities are known, for a problem without cohesion. This is what
/// solvers call in their loops; it allocates nothing except for [`Measure::Silcowitz`].
pub fn measure_of(
    problem: &ContactProblem,
    law: FrictionLaw,
    measure: Measure,
    settings: &MeasureSettings,
    impulses: &[f64],
    velocity: &[f64],
) -> f64 {
    match measure {
        Measure::Natural => natural(problem, law, impulses, velocity),
        Measure::Energy => energy(problem, law, impulses, velocity),
        Measure::Mazhar => mazhar(problem, law, impulses, velocity, settings.mazhar_step),
        Measure::Tasora => tasora(problem, law, impulses, velocity, settings.tasora_step),
        Measure::Silcowitz => silcowitz(problem, law, impulses),
        Measure::Koziara => koziara(problem, law, impulses, velocity),
        Measure::De => de(problem, law, impulses, velocity).largest(),
        Measure::Gap => gap(problem, impulses, velocity),
        Measure::Max => largest_violation(problem, law, impulses, velocity).error,
    }
}

/// Σ over blocks of `term(block, F_i)` with F_i the natural map of step `step(block)`.
fn sum_natural_map(
    problem: &ContactProblem,
    law: FrictionLaw,
    impulses: &[f64],
    velocity: &[f64],
    step: impl Fn(usize) -> f64 + Sync,
    term: impl Fn(usize, &[f64]) -> f64 + Sync,
) -> f64 {
    tree_reduce(
        0..problem.blocks(),
        &|blocks| {
            let mut sum = 0.0;
            let mut map = [0.0; MAX_DIMENSION];
            for block in blocks {
                let (rows, cone) = (problem.rows(block), &problem.cones()[block]);
                let map = &mut map[..rows.len()];
                let (x, u) = (&impulses[rows.clone()], &velocity[rows]);
                law.natural_map(cone, step(block), x, u, map);
                sum += term(block, map);
            }
            sum
        },
        &|a, b| a + b,
    )
}

fn squared(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

/// Σ g ‖x − Π(x − û/g)‖² with g of each block, by small arrays where every block is a friction contact in space.
fn weighted_natural_map(
    p: &ContactProblem,
    law: FrictionLaw,
    x: &[f64],
    u: &[f64],
    g: impl Fn(usize) -> f64 + Sync,
) -> f64 {
    if p.friction_run() < p.blocks() || law == FrictionLaw::Box {
        return sum_natural_map(p, law, x, u, |i| 1.0 / g(i), |i, f| g(i) * squared(f));
    }
    let coulomb = if law == FrictionLaw::Coulomb {
        1.0
    } else {
        0.0
    };
    let (x, u, cones) = (x.as_chunks::<3>().0, u.as_chunks::<3>().0, p.cones());
    sum(p.blocks(), |i| {
        let Cone::Friction { friction } = cones[i] else {
            return f64::NAN;
        };
        let (x, u, g) = (x[i], u[i], g(i));
        let step = 1.0 / g;
        let shift = coulomb * friction * (u[1] * u[1] + u[2] * u[2]).sqrt();
        let mut z = [
            x[0] - step * (u[0] + shift),
            x[1] - step * u[1],
            x[2] - step * u[2],
        ];
        project_friction(friction, &mut z);
        g * ((x[0] - z[0]).powi(2) + (x[1] - z[1]).powi(2) + (x[2] - z[2]).powi(2))
    })
}

/// ‖x − Π(x − û)‖ / max(‖r‖, ‖x‖, ‖u‖).
pub fn natural(p: &ContactProblem, law: FrictionLaw, impulses: &[f64], velocity: &[f64]) -> f64 {
    let map = weighted_natural_map(p, law, impulses, velocity, |_| 1.0).sqrt();
    let scale = norm(p.free_velocity())
        .max(norm(impulses))
        .max(norm(velocity));
    map / scale.max(ABSOLUTE_FLOOR)
}

/// √(Σ g_i ‖F_i(1/g_i)‖²) / √(Σ ‖r_i‖²/g_i).
pub fn energy(p: &ContactProblem, law: FrictionLaw, impulses: &[f64], velocity: &[f64]) -> f64 {
    let g = EnergyWeights::new(p);
    let map = weighted_natural_map(p, law, impulses, velocity, |i| g.of(i)).sqrt();
    map / energy_scale(p).sqrt().max(ABSOLUTE_FLOOR)
}

/// g of [`energy`]: the mean of the diagonal of N_ii as a number of single precision (unless it is out of their range), so that
/// solvers that keep it in four bytes measure the same.
pub(crate) struct EnergyWeights<'a> {
    problem: &'a ContactProblem,
    short: &'a [f32],
}

impl<'a> EnergyWeights<'a> {
    pub fn new(problem: &'a ContactProblem) -> Self {
        Self {
            problem,
            short: problem.short_mean_diagonal(),
        }
    }

    #[inline]
    pub fn of(&self, block: usize) -> f64 {
        let short = self.short[block];
        if short.is_normal() {
            f64::from(short)
        } else {
            self.problem.mean_diagonals().of(block)
        }
    }
}

/// Σ ‖r_i‖²/g_i, to which [`energy`] is relative.
pub(crate) fn energy_scale(p: &ContactProblem) -> f64 {
    let g = EnergyWeights::new(p);
    tree_reduce(
        0..p.blocks(),
        &|blocks| {
            blocks
                .map(|i| squared(&p.free_velocity()[p.rows(i)]) / g.of(i))
                .sum::<f64>()
        },
        &|a, b| a + b,
    )
}

/// ‖F(g_d)‖ / (n g_d): Mazhar Eq. 25, with the number of rows for 3 n_c.
pub fn mazhar(
    p: &ContactProblem,
    law: FrictionLaw,
    impulses: &[f64],
    velocity: &[f64],
    step: f64,
) -> f64 {
    tasora(p, law, impulses, velocity, step) / (p.dimension() as f64).max(1.0)
}

/// ‖F(τ)‖ / τ: Tasora's w.
pub fn tasora(
    p: &ContactProblem,
    law: FrictionLaw,
    impulses: &[f64],
    velocity: &[f64],
    step: f64,
) -> f64 {
    sum_natural_map(p, law, impulses, velocity, |_| step, |_, f| squared(f)).sqrt() / step
}

/// ‖PGS(x) − x‖²: what one Gauss-Seidel sweep of the law would change.
pub fn silcowitz(p: &ContactProblem, law: FrictionLaw, impulses: &[f64]) -> f64 {
    let mut swept = impulses.to_vec();
    let mut state = vec![0.0; p.state_length()];
    p.delassus().state_of(impulses, &mut state);
    sweep(
        p,
        law,
        BlockRule::default_for(law),
        Direction::Forward,
        &mut swept,
        &mut state,
    );
    swept
        .iter()
        .zip(impulses)
        .fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}

/// Koziara Eq. 40. A diagonal block that cannot be inverted is replaced by its mean diagonal.
pub fn koziara(p: &ContactProblem, law: FrictionLaw, impulses: &[f64], velocity: &[f64]) -> f64 {
    let diagonal = p.diagonal();
    let weighted = |block: usize, c: &[f64]| {
        let mut solved = [0.0; MAX_DIMENSION];
        let solved = &mut solved[..c.len()];
        solved.copy_from_slice(c);
        let matrix = SmallMatrix::from_rows(c.len(), diagonal.block(block));
        if matrix.solve(solved) {
            solved.iter().zip(c).map(|(a, b)| a * b).sum::<f64>()
        } else {
            squared(c) / p.mean_diagonals().of(block)
        }
    };
    let spurious = sum_natural_map(p, law, impulses, velocity, |_| 1.0, weighted);
    let r = p.free_velocity();
    let kinetic = tree_reduce(
        0..p.blocks(),
        &|blocks| blocks.map(|i| weighted(i, &r[p.rows(i)])).sum::<f64>(),
        &|a, b| a + b,
    );
    spurious.abs() / kinetic.abs().max(ABSOLUTE_FLOOR * ABSOLUTE_FLOOR)
}

/// De §III.C, with û in the place of u so that it fits the law. A frictionless contact violates the
/// dual cone by −u_N, a joint by |u|, a bounded row by its natural map.
pub fn de(p: &ContactProblem, law: FrictionLaw, impulses: &[f64], velocity: &[f64]) -> DeResiduals {
    let mut result = DeResiduals::default();
    let mut complementarity = 0.0;
    let mut modified = [0.0; MAX_DIMENSION];
    for (block, cone) in p.cones().iter().enumerate() {
        let rows = p.rows(block);
        let (x, u) = (&impulses[rows.clone()], &velocity[rows]);
        let modified = &mut modified[..u.len()];
        modified.copy_from_slice(u);
        law.modify_velocity(cone, modified);
        let (primal, dual, product) = match (cone, cone.discs()) {
            (_, Some(discs)) => {
                let length = |disc: &crate::cones::disc_cone::Disc, v: &[f64]| {
                    squared(&v[disc.start..disc.end]).sqrt()
                };
                let mut primal = (-x[0]).max(0.0);
                for disc in discs.discs() {
                    primal = primal.max(length(disc, x) - disc.coefficient * x[0]);
                }
                let slack = discs.shift(modified) - modified[0];
                // For Coulomb's cone |u_T| − u_N/μ as the paper has it: the slack over μ.
                let scale = match discs.discs() {
                    [only] if only.coefficient > 0.0 => only.coefficient,
                    _ => 1.0,
                };
                let dot: f64 = x.iter().zip(modified.iter()).map(|(a, b)| a * b).sum();
                (primal, slack.max(0.0) / scale, dot)
            }
            (Cone::Bilateral { .. }, _) => (0.0, squared(u).sqrt(), 0.0),
            _ => {
                let mut map = [0.0; 1];
                law.natural_map(cone, 1.0, x, u, &mut map);
                (cone.distance(x), map[0].abs(), 0.0)
            }
        };
        result.primal = result.primal.max(primal);
        result.dual = result.dual.max(dual);
        complementarity += product;
    }
    result.complementarity = f64::abs(complementarity) / (p.blocks() as f64).max(1.0);
    result
}

/// ½ γᵀNγ + rᵀγ = ½ γᵀ(u + r).
pub fn objective(p: &ContactProblem, impulses: &[f64], velocity: &[f64]) -> f64 {
    0.5 * (dot(impulses, velocity) + dot(impulses, p.free_velocity()))
}

/// The relative duality gap of the relaxed problem.
///
/// For a minimiser x* of f over K convexity gives f(x) − f(x*) ≤ uᵀ(x − x*). Where u lies in K* the
/// last term helps and the gap is uᵀx; what sticks out of K* is priced at ‖x‖, the best known
/// stand-in for ‖x*‖: gap = |uᵀx| + dist(u, K*) ‖x‖. A bounded row contributes
/// u x − min over the interval of u z, exactly.
pub fn gap(p: &ContactProblem, impulses: &[f64], velocity: &[f64]) -> f64 {
    let (mut inner, mut outside) = (0.0, 0.0);
    for (block, cone) in p.cones().iter().enumerate() {
        let rows = p.rows(block);
        let (x, u) = (&impulses[rows.clone()], &velocity[rows]);
        if let Cone::Box { lower, upper } = *cone {
            let best = if u[0] > 0.0 { lower } else { upper };
            if u[0] == 0.0 {
                continue;
            } else if best.is_finite() {
                inner += u[0] * (x[0] - best);
            } else {
                outside += u[0] * u[0];
            }
        } else {
            inner += x.iter().zip(u).map(|(a, b)| a * b).sum::<f64>();
            outside += cone.dual_distance(u).powi(2);
        }
    }
    let gap = f64::abs(inner) + f64::sqrt(outside) * norm(impulses);
    let linear = dot(impulses, p.free_velocity());
    let quadratic = dot(impulses, velocity) - linear;
    let scale = 0.5 * quadratic.abs() + linear.abs();
    gap / scale.max(ABSOLUTE_FLOOR * norm(p.free_velocity()).max(ABSOLUTE_FLOOR))
}

/// The block with the largest natural map, relative to the largest of r_i, x_i, u_i.
pub fn largest_violation(
    p: &ContactProblem,
    law: FrictionLaw,
    impulses: &[f64],
    velocity: &[f64],
) -> Violation {
    let mut worst = (0.0, None);
    let mut scale = ABSOLUTE_FLOOR;
    let mut map = [0.0; MAX_DIMENSION];
    for (block, cone) in p.cones().iter().enumerate() {
        let rows = p.rows(block);
        let map = &mut map[..rows.len()];
        let (x, u) = (&impulses[rows.clone()], &velocity[rows.clone()]);
        law.natural_map(cone, 1.0, x, u, map);
        let violation = squared(map).sqrt();
        // NaN must win: `!(a <= b)` rather than `a > b`.
        if worst.1.is_none() || !(violation <= worst.0) {
            worst = (violation, Some(block));
        }
        let size = squared(x)
            .max(squared(u))
            .max(squared(&p.free_velocity()[rows]));
        scale = scale.max(size.sqrt());
    }
    Violation {
        error: worst.0 / scale,
        contact: worst.1,
    }
}
