//! A contact problem as files state it, whatever their format.

use moreau_algebra::sparse::SparseMatrix;
use moreau_files::Fault;

/// A contact problem as files state it.
///
/// Each contact owns `dimension` consecutive components, the normal one first: (N, T) in the
/// plane, (N, T1, T2) in space, (N, T1, T2, R1, R2) with rolling, and a sixth component with
/// spinning.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemFile {
    /// Components per contact: 2, 3, 5 with rolling in space, 6 with rolling and spinning.
    pub dimension: usize,
    /// Friction coefficient of each contact.
    pub friction: Vec<f64>,
    /// Rolling friction coefficient of each contact; empty without rolling.
    pub rolling_friction: Vec<f64>,
    /// The matrices and vectors.
    pub form: Form,
    /// What the author says about the problem.
    pub info: Info,
    /// A stored solution. In many published files it is zero everywhere: do not trust it.
    pub solution: Option<Solution>,
    /// Stored starting points.
    pub guesses: Vec<Solution>,
}

/// The two ways to state the dynamics.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // one per problem: a box would cost readers more than it saves
pub enum Form {
    /// u = W r + q: velocities at contacts from impulses at contacts.
    Local {
        /// The Delassus matrix; not always symmetric in files.
        w: SparseMatrix,
        /// Free velocities at contacts.
        q: Vec<f64>,
    },
    /// M v = H r + f (+ G l), u = Hᵀ v + w (, Gᵀ v + b = 0).
    Global {
        /// M, degrees of freedom squared.
        mass: SparseMatrix,
        /// H, degrees of freedom by contact components.
        h: SparseMatrix,
        /// Momentum without contact.
        f: Vec<f64>,
        /// Prescribed velocities at contacts.
        w: Vec<f64>,
        /// Bilateral constraints.
        bilateral: Option<Bilateral>,
    },
}

/// Bilateral constraints Gᵀ v + b = 0 with multipliers l.
#[derive(Clone, Debug, PartialEq)]
pub struct Bilateral {
    /// Degrees of freedom by constraints.
    pub g: SparseMatrix,
    /// One value per constraint.
    pub b: Vec<f64>,
}

/// What the author says about a problem; any of it may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// A name.
    pub title: String,
    /// Where the problem comes from.
    pub description: String,
    /// Mathematical remarks.
    pub math_info: String,
}

/// Values of the unknowns as stored; what the file does not give is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// r, impulses at contacts.
    pub impulses: Vec<f64>,
    /// u, velocities at contacts.
    pub velocities: Vec<f64>,
    /// v, velocities of bodies.
    pub body_velocities: Vec<f64>,
    /// l, multipliers of bilateral constraints.
    pub multipliers: Vec<f64>,
}

impl ProblemFile {
    /// The number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// The number of contact components: dimension times contacts.
    pub fn components(&self) -> usize {
        self.dimension * self.contacts()
    }

    /// Whether contacts resist rolling.
    pub fn is_rolling(&self) -> bool {
        self.dimension > 3
    }

    /// Checks that dimensions agree, numbers are finite and coefficients are not negative.
    pub fn validate(&self) -> Result<(), Fault> {
        check_dimension("dimension", self.dimension)?;
        check_coefficients("mu", &self.friction)?;
        check_coefficients("mu_r", &self.rolling_friction)?;
        let rolling = if self.is_rolling() {
            self.contacts()
        } else {
            0
        };
        check_length("mu_r", &self.rolling_friction, rolling)?;
        let components = self.components();
        let (dofs, constraints) = match &self.form {
            Form::Local { w, q } => {
                check_vector("q", q, components)?;
                check_matrix("W", w, components, components)?;
                (0, 0)
            }
            Form::Global {
                mass,
                h,
                f,
                w,
                bilateral,
            } => {
                let dofs = f.len();
                check_vector("f", f, dofs)?;
                check_vector("w", w, components)?;
                check_matrix("M", mass, dofs, dofs)?;
                check_matrix("H", h, dofs, components)?;
                if let Some(Bilateral { g, b }) = bilateral {
                    check_vector("b", b, b.len())?;
                    check_matrix("G", g, dofs, b.len())?;
                }
                let constraints = bilateral.as_ref().map_or(0, |part| part.b.len());
                (dofs, constraints)
            }
        };
        let named = self.solution.iter().map(|s| ("solution".to_string(), s));
        let guesses = self.guesses.iter().enumerate();
        let guesses = guesses.map(|(k, s)| (format!("guesses/{}", k + 1), s));
        for (name, solution) in named.chain(guesses) {
            solution.validate(&name, components, dofs, constraints)?;
        }
        Ok(())
    }
}

impl Solution {
    fn validate(
        &self,
        name: &str,
        components: usize,
        dofs: usize,
        constraints: usize,
    ) -> Result<(), Fault> {
        for (part, values, length) in [
            ("r", &self.impulses, components),
            ("u", &self.velocities, components),
            ("v", &self.body_velocities, dofs),
            ("l", &self.multipliers, constraints),
        ] {
            // A part that the file does not give is empty.
            if !values.is_empty() {
                check_vector(&format!("{name}/{part}"), values, length)?;
            }
        }
        Ok(())
    }
}

/// Checks the number of components per contact.
pub(crate) fn check_dimension(place: &str, dimension: usize) -> Result<(), Fault> {
    if matches!(dimension, 2 | 3 | 5 | 6) {
        return Ok(());
    }
    Err(Fault::new(
        place,
        format!("{dimension} components per contact"),
        "2 (plane), 3 (space), 5 (rolling) or 6 (rolling and spinning)",
    ))
}

/// Checks the length of a vector.
pub(crate) fn check_length(place: &str, values: &[f64], length: usize) -> Result<(), Fault> {
    if values.len() == length {
        return Ok(());
    }
    Err(Fault::new(
        place,
        format!("length {}", values.len()),
        format!("length {length}"),
    ))
}

fn check_vector(place: &str, values: &[f64], length: usize) -> Result<(), Fault> {
    check_length(place, values, length)?;
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(position) => Err(not_finite(format!("{place}[{position}]"), values[position])),
    }
}

fn check_coefficients(place: &str, values: &[f64]) -> Result<(), Fault> {
    check_vector(place, values, values.len())?;
    match values.iter().position(|&value| value < 0.0) {
        None => Ok(()),
        Some(contact) => Err(Fault::new(
            format!("{place}[{contact}]"),
            format!("negative friction coefficient {}", values[contact]),
            "a coefficient that is zero or more",
        )),
    }
}

fn not_finite(place: String, value: f64) -> Fault {
    Fault::new(place, format!("the value is {value}"), "a finite number")
}

/// Checks the size of a matrix.
pub(crate) fn check_size(
    place: &str,
    size: (usize, usize),
    expected: (usize, usize),
) -> Result<(), Fault> {
    if size == expected {
        return Ok(());
    }
    Err(Fault::new(
        place,
        format!("matrix of {} rows and {} columns", size.0, size.1),
        format!("{} rows and {} columns", expected.0, expected.1),
    ))
}

fn check_matrix(
    place: &str,
    matrix: &SparseMatrix,
    rows: usize,
    columns: usize,
) -> Result<(), Fault> {
    check_size(place, (matrix.rows(), matrix.columns()), (rows, columns))?;
    match matrix.triplets().find(|(_, _, value)| !value.is_finite()) {
        None => Ok(()),
        Some((row, column, value)) => Err(not_finite(format!("{place}[{row}, {column}]"), value)),
    }
}
