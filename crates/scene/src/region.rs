//! Pieces of space.

use crate::model;
use crate::random::Random;
use glam::DVec3;
use moreau_collision::bounds::Bounds;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A piece of space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Region {
    Box {
        lower: DVec3,
        upper: DVec3,
    },
    Cylinder {
        centre: DVec3,
        axis: DVec3,
        radius: f64,
        half_height: f64,
    },
    Sphere {
        centre: DVec3,
        radius: f64,
    },
    BelowPlane {
        point: DVec3,
        normal: DVec3,
    },
    Everywhere,
}

/// A unit vector.
pub(crate) fn unit(what: &str, vector: [f64; 3]) -> Result<DVec3, String> {
    DVec3::from_array(vector)
        .try_normalize()
        .ok_or_else(|| format!("{what} is {vector:?}; it must not be zero"))
}

impl Region {
    /// Checks what a file says.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(from: &model::Region) -> Result<Self, String> {
        Ok(match from {
            model::Region::Box { lower, upper } => {
                if !(0..3).all(|k| lower[k] < upper[k]) {
                    return Err(format!(
                        "lower is {lower:?} and upper {upper:?}; every coordinate of lower must be the smaller one"
                    ));
                }
                Self::Box {
                    lower: DVec3::from_array(*lower),
                    upper: DVec3::from_array(*upper),
                }
            }
            model::Region::Cylinder {
                centre,
                axis,
                radius,
                half_height,
            } => Self::Cylinder {
                centre: DVec3::from_array(*centre),
                axis: unit("axis", *axis)?,
                radius: *radius,
                half_height: *half_height,
            },
            model::Region::Sphere { centre, radius } => Self::Sphere {
                centre: DVec3::from_array(*centre),
                radius: *radius,
            },
            model::Region::BelowPlane { point, normal } => Self::BelowPlane {
                point: DVec3::from_array(*point),
                normal: unit("normal", *normal)?,
            },
            model::Region::Everywhere => Self::Everywhere,
        })
    }

    /// Whether a point is in it.
    pub fn contains(&self, at: DVec3) -> bool {
        self.contains_ball(at, 0.0)
    }

    /// Whether all points within a radius are in it.
    pub fn contains_ball(&self, at: DVec3, ball: f64) -> bool {
        match self {
            Self::Box { lower, upper } => {
                (at - ball).cmpge(*lower).all() && (at + ball).cmple(*upper).all()
            }
            Self::Cylinder {
                centre,
                axis,
                radius,
                half_height,
            } => {
                let from = at - *centre;
                let along = from.dot(*axis);
                along.abs() + ball <= *half_height
                    && (from - along * *axis).length() + ball <= *radius
            }
            Self::Sphere { centre, radius } => (at - *centre).length() + ball <= *radius,
            Self::BelowPlane { point, normal } => (at - *point).dot(*normal) + ball <= 0.0,
            Self::Everywhere => true,
        }
    }

    /// The box around it, if there is one.
    pub fn bounds(&self) -> Option<Bounds> {
        let around = |centre: DVec3, half: DVec3| Bounds {
            lower: centre - half,
            upper: centre + half,
        };
        match self {
            Self::Box { lower, upper } => Some(Bounds {
                lower: *lower,
                upper: *upper,
            }),
            Self::Cylinder {
                centre,
                axis,
                radius,
                half_height,
            } => {
                let across = (DVec3::ONE - *axis * *axis).max(DVec3::ZERO);
                let across = DVec3::new(across.x.sqrt(), across.y.sqrt(), across.z.sqrt());
                Some(around(
                    *centre,
                    axis.abs() * *half_height + across * *radius,
                ))
            }
            Self::Sphere { centre, radius } => Some(around(*centre, DVec3::splat(*radius))),
            Self::BelowPlane { .. } | Self::Everywhere => None,
        }
    }

    /// Its volume; infinite without bounds.
    pub fn volume(&self) -> f64 {
        match self {
            Self::Box { lower, upper } => (*upper - *lower).element_product(),
            Self::Cylinder {
                radius,
                half_height,
                ..
            } => 2.0 * PI * radius * radius * half_height,
            Self::Sphere { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
            Self::BelowPlane { .. } | Self::Everywhere => f64::INFINITY,
        }
    }

    /// A point at random such that all points within a radius are in the region; `None` if chance found none, or the
    /// region has no bounds.
    pub fn draw(&self, random: &mut Random, ball: f64) -> Option<DVec3> {
        let bounds = self.bounds()?;
        let (lower, upper) = (bounds.lower + ball, bounds.upper - ball);
        if !lower.cmple(upper).all() {
            return None;
        }
        // A cylinder or sphere fills half of its box or nearly so: a few draws do.
        (0..64).find_map(|_| {
            let point = random.in_box(lower, upper);
            // A region as wide as the ball leaves one coordinate, which rounding must not refuse.
            self.contains_ball(point, ball * (1.0 - 1e-12))
                .then_some(point)
        })
    }
}
