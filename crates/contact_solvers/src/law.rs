//! The three friction laws, as fixed-point maps of one block.
//!
//! With u = Nγ + r the velocity at a block and K its cone, a law is satisfied exactly when
//! γ = Π(γ − ρ û) for any ρ > 0:
//!
//! - **relaxed** (cone complementarity, Anitescu 2006): û = u, Π the projection onto K. Convex; a
//!   sliding contact opens by h μ|u_T| in a step of length h.
//! - **Coulomb** (De Saxcé & Feng 1998): û = u + (Σ c_k |u_k|) e_N, Π the projection onto K. The law of
//!   Signorini and Coulomb itself; not the gradient of anything.
//! - **box** (Silcowitz 2010, Eq. 7): û = u; each tangential component is clamped to ±c_k γ_N on its own,
//!   with the γ_N of the argument, the normal component to γ_N ≥ 0.
//!
//! They differ for contacts with friction only: for joints, bounded rows and frictionless contacts
//! all three are the same.

use crate::cones::{Cone, MAX_DIMENSION};
use std::fmt;
use std::str::FromStr;

/// Which law the contacts obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrictionLaw {
    /// The convex relaxation: a cone complementarity problem.
    Relaxed,
    /// Signorini and Coulomb, through De Saxcé's velocity.
    Coulomb,
    /// Silcowitz' decoupled bounds on each tangential component.
    Box,
}

impl FrictionLaw {
    /// Every law.
    pub const ALL: [FrictionLaw; 3] =
        [FrictionLaw::Relaxed, FrictionLaw::Coulomb, FrictionLaw::Box];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            FrictionLaw::Relaxed => "relaxed",
            FrictionLaw::Coulomb => "coulomb",
            FrictionLaw::Box => "box",
        }
    }

    /// Replaces the velocity of a block by û.
    #[inline]
    pub fn modify_velocity(self, cone: &Cone, velocity: &mut [f64]) {
        if self == FrictionLaw::Coulomb {
            velocity[0] += cone.de_saxce_shift(velocity);
        }
    }

    /// Replaces `point` by its projection; the box law takes its bounds from `impulse`.
    #[inline]
    pub fn project(self, cone: &Cone, impulse: &[f64], point: &mut [f64]) {
        match (self, cone.is_contact()) {
            (FrictionLaw::Box, true) => {
                let normal = impulse[0].max(0.0);
                point[0] = point[0].max(0.0);
                for disc in cone.discs().expect("a contact").discs() {
                    let bound = disc.coefficient * normal;
                    for value in &mut point[disc.start..disc.end] {
                        *value = value.clamp(-bound, bound);
                    }
                }
            }
            _ => cone.project(point),
        }
    }

    /// Writes γ − Π(γ − ρ û) of one block into `result`: zero exactly when the law holds there.
    ///
    /// With z = γ − ρ û it is computed as ρ û + (z − Π(z)), whose second part is zero inside the set: where no impulses solve the
    /// problem they grow without end, and the velocity that remains must not get lost in their rounding.
    #[inline]
    pub fn natural_map(
        self,
        cone: &Cone,
        step: f64,
        impulse: &[f64],
        velocity: &[f64],
        result: &mut [f64],
    ) {
        let d = impulse.len();
        let mut modified = [0.0; MAX_DIMENSION];
        modified[..d].copy_from_slice(velocity);
        self.modify_velocity(cone, &mut modified[..d]);
        let mut aim = [0.0; MAX_DIMENSION];
        for k in 0..d {
            aim[k] = impulse[k] - step * modified[k];
        }
        result[..d].copy_from_slice(&aim[..d]);
        self.project(cone, impulse, &mut result[..d]);
        for k in 0..d {
            result[k] = step * modified[k] + (aim[k] - result[k]);
        }
    }
}

impl fmt::Display for FrictionLaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for FrictionLaw {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|law| law.name() == name)
            .ok_or_else(|| {
                format!("there is no law '{name}'; the laws are relaxed, coulomb and box")
            })
    }
}
