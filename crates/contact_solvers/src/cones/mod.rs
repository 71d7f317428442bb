//! The sets that impulses live in: one small value per block of the problem.
//!
//! Every contact cone here has one shape: a normal component n ≥ 0 and up to three *discs*, groups
//! of components whose Euclidean norm is bounded by a coefficient times n,
//!
//! ```text
//!   K = { (n, a₁, …, a_p) : |a_k| ≤ c_k n,  n ≥ 0 }
//! ```
//!
//! Without a disc this is frictionless contact, with one it is Coulomb's cone in the plane or in
//! space, with two it is contact with rolling friction, with three rolling and spinning friction.
//! The projection onto all of them is one closed form, derived in [`disc_cone`]. Joints are ℝⁿ,
//! bounded rows (motors, brakes) an interval.

pub mod disc_cone;
mod list;

use disc_cone::DiscCone;
pub use list::Cones;

/// The largest number of components of a block.
pub const MAX_DIMENSION: usize = 6;

/// The admissible set of one block of impulses. The normal component comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cone {
    /// Contact with Coulomb friction in space: (N, T₁, T₂), |T| ≤ μ N.
    Friction {
        /// Friction coefficient μ ≥ 0.
        friction: f64,
    },
    /// Contact with Coulomb friction in the plane: (N, T), |T| ≤ μ N.
    PlanarFriction {
        /// Friction coefficient μ ≥ 0.
        friction: f64,
    },
    /// Frictionless contact: N ≥ 0.
    Unilateral,
    /// Rows of a joint: every value is admissible.
    Bilateral {
        /// Number of rows, 1 to [`MAX_DIMENSION`].
        rows: usize,
    },
    /// One row with bounds: lower ≤ x ≤ upper.
    Box {
        /// Smallest admissible impulse; may be −∞.
        lower: f64,
        /// Largest admissible impulse; may be +∞.
        upper: f64,
    },
    /// Contact with rolling friction: (N, T₁, T₂, R₁, R₂), |T| ≤ μ N, |R| ≤ μ_r N.
    Rolling {
        /// Friction coefficient μ ≥ 0.
        friction: f64,
        /// Rolling friction coefficient μ_r ≥ 0, a length.
        rolling: f64,
    },
    /// Rolling and spinning friction: (N, T₁, T₂, R₁, R₂, S), also |S| ≤ μ_s N.
    RollingSpinning {
        /// Friction coefficient μ ≥ 0.
        friction: f64,
        /// Rolling friction coefficient μ_r ≥ 0, a length.
        rolling: f64,
        /// Spinning friction coefficient μ_s ≥ 0, a length.
        spinning: f64,
    },
}

impl Cone {
    /// The number of components.
    pub fn dimension(&self) -> usize {
        match self {
            Cone::Friction { .. } => 3,
            Cone::PlanarFriction { .. } => 2,
            Cone::Unilateral | Cone::Box { .. } => 1,
            Cone::Bilateral { rows } => *rows,
            Cone::Rolling { .. } => 5,
            Cone::RollingSpinning { .. } => 6,
        }
    }

    /// Whether this is a contact: a normal component with discs, not a joint or a bounded row.
    pub fn is_contact(&self) -> bool {
        !matches!(self, Cone::Bilateral { .. } | Cone::Box { .. })
    }

    /// The discs of a contact; `None` for joints and bounded rows.
    pub fn discs(&self) -> Option<DiscCone> {
        match *self {
            Cone::Friction { friction } => Some(DiscCone::new(&[(2, friction)])),
            Cone::PlanarFriction { friction } => Some(DiscCone::new(&[(1, friction)])),
            Cone::Unilateral => Some(DiscCone::new(&[])),
            Cone::Rolling { friction, rolling } => {
                Some(DiscCone::new(&[(2, friction), (2, rolling)]))
            }
            Cone::RollingSpinning {
                friction,
                rolling,
                spinning,
            } => Some(DiscCone::new(&[(2, friction), (2, rolling), (1, spinning)])),
            Cone::Bilateral { .. } | Cone::Box { .. } => None,
        }
    }

    /// Replaces `x` by the point of the set that is nearest to it.
    ///
    /// ```
    /// use moreau_contact_solvers::cones::Cone;
    /// let mut x = [0.0, 2.0, 0.0]; // a purely tangential impulse
    /// Cone::Friction { friction: 1.0 }.project(&mut x);
    /// assert_eq!(x, [1.0, 1.0, 0.0]);
    /// ```
    #[inline]
    pub fn project(&self, x: &mut [f64]) {
        match *self {
            Cone::Friction { friction } => disc_cone::project_friction(friction, x),
            Cone::Bilateral { .. } => {}
            Cone::Box { lower, upper } => x[0] = x[0].max(lower).min(upper),
            _ => self
                .discs()
                .expect("a contact")
                .project(x, &[1.0; MAX_DIMENSION]),
        }
    }

    /// Replaces `x` by the point z of the set that minimises Σ wₖ (zₖ − xₖ)².
    ///
    /// The weights must be positive and equal within a disc; then the projection stays closed-form.
    #[inline]
    pub fn project_weighted(&self, x: &mut [f64], weights: &[f64]) {
        match *self {
            Cone::Friction { friction } => {
                disc_cone::project_friction_weighted(friction, x, weights[0], weights[1]);
            }
            Cone::Bilateral { .. } => {}
            Cone::Box { lower, upper } => x[0] = x[0].max(lower).min(upper),
            _ => self.discs().expect("a contact").project(x, weights),
        }
    }

    /// Replaces `x` by the nearest point of the dual cone K* = {y : yᵀz ≥ 0 for z in K}, by Moreau's
    /// decomposition x = Π_K*(x) − Π_K(−x). For a bounded row, which is no cone, that formula
    /// gives the distance to its normal cone at the projected point.
    pub fn project_dual(&self, x: &mut [f64]) {
        let mut polar = [0.0; MAX_DIMENSION];
        for (p, v) in polar.iter_mut().zip(x.iter()) {
            *p = -v;
        }
        self.project(&mut polar[..x.len()]);
        for (v, p) in x.iter_mut().zip(polar) {
            *v += p;
        }
    }

    /// How far `x` is outside the set (Euclidean distance).
    pub fn distance(&self, x: &[f64]) -> f64 {
        let mut nearest = [0.0; MAX_DIMENSION];
        nearest[..x.len()].copy_from_slice(x);
        self.project(&mut nearest[..x.len()]);
        x.iter()
            .zip(nearest)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<f64>()
            .sqrt()
    }

    /// How far `y` is outside the dual cone (Euclidean distance).
    pub fn dual_distance(&self, y: &[f64]) -> f64 {
        let mut nearest = [0.0; MAX_DIMENSION];
        nearest[..y.len()].copy_from_slice(y);
        self.project_dual(&mut nearest[..y.len()]);
        y.iter()
            .zip(nearest)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<f64>()
            .sqrt()
    }

    /// Writes an element of the generalised derivative of the projection at `x` into `jacobian`,
    /// row-major d x d.
    pub fn projection_derivative(&self, x: &[f64], jacobian: &mut [f64]) {
        let d = self.dimension();
        jacobian[..d * d].fill(0.0);
        match *self {
            Cone::Bilateral { .. } => (0..d).for_each(|k| jacobian[k * d + k] = 1.0),
            Cone::Box { lower, upper } => {
                jacobian[0] = f64::from(u8::from(x[0] > lower && x[0] < upper));
            }
            _ => self.discs().expect("a contact").derivative(x, jacobian),
        }
    }

    /// De Saxcé's shift of the normal velocity, Σ c_k |u_k|: μ|u_T| for Coulomb's cone, zero for
    /// sets that are no contacts.
    #[inline]
    pub fn de_saxce_shift(&self, velocity: &[f64]) -> f64 {
        match *self {
            Cone::Friction { friction } => {
                friction * (velocity[1] * velocity[1] + velocity[2] * velocity[2]).sqrt()
            }
            _ => self.discs().map_or(0.0, |discs| discs.shift(velocity)),
        }
    }

    /// Checks the coefficients; the error says what is wrong and what would be right.
    pub fn validate(&self) -> Result<(), String> {
        let coefficient = |name: &str, value: f64| {
            if value.is_finite() && value >= 0.0 {
                Ok(())
            } else {
                Err(format!(
                    "{name} is {value}; it must be finite and not negative"
                ))
            }
        };
        match *self {
            Cone::Friction { friction } | Cone::PlanarFriction { friction } => {
                coefficient("friction coefficient", friction)
            }
            Cone::Unilateral => Ok(()),
            Cone::Bilateral { rows } if (1..=MAX_DIMENSION).contains(&rows) => Ok(()),
            Cone::Bilateral { rows } => Err(format!(
                "a joint block has {rows} rows; 1 to {MAX_DIMENSION} are possible"
            )),
            Cone::Box { lower, upper } if lower <= upper => Ok(()),
            Cone::Box { lower, upper } => Err(format!(
                "bounds are {lower} and {upper}; the lower must not exceed the upper"
            )),
            Cone::Rolling { friction, rolling } => coefficient("friction coefficient", friction)
                .and(coefficient("rolling friction coefficient", rolling)),
            Cone::RollingSpinning {
                friction,
                rolling,
                spinning,
            } => coefficient("friction coefficient", friction)
                .and(coefficient("rolling friction coefficient", rolling))
                .and(coefficient("spinning friction coefficient", spinning)),
        }
    }
}
