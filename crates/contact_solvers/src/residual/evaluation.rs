//! An answer and all that is measured of it.

use super::{
    DeResiduals, Errors, Measure, MeasureSettings, Violation, de, energy, gap, koziara,
    largest_violation, mazhar, measure_of, natural, objective, silcowitz, tasora,
};
use crate::law::FrictionLaw;
use crate::problem::ContactProblem;
use moreau_algebra::copies::{copy_of, filled};

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
        let mut state = filled(problem.state_length(), 0.0);
        let mut velocity = filled(problem.dimension(), 0.0);
        problem.velocity(impulses, &mut state, &mut velocity);
        let objective = objective(problem, impulses, &velocity);
        let mut impulses = copy_of(impulses);
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
