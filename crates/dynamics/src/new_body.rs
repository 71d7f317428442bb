//! A body to be added, and what can be wrong with it.

use crate::bodies::{BodyKind, Symmetric, Velocity};
use crate::motion::DrivenMotion;
use glam::{DMat3, DVec3};
use moreau_collision::colliders::Groups;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::ShapeTable;
use thiserror::Error;

/// Why a body cannot be added.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{what} {found}; {right}")]
pub struct BodyError {
    /// Which property.
    pub what: String,
    /// What was found.
    pub found: String,
    /// What would be right.
    pub right: String,
}

/// Where the mass of a new body comes from.
#[derive(Clone, Debug, PartialEq)]
enum MassSource {
    Density(f64),
    Given { mass: f64, inertia: Option<DMat3> },
    None,
}

/// A body to be added. Built by [`NewBody::rigid`], [`NewBody::fixed`] or [`NewBody::driven`] and the methods that
/// follow them.
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::shapes::{Shape, Sphere};
/// use moreau_dynamics::{bodies::NewBody, settings::SimulationSettings, simulation::Simulation};
///
/// let mut simulation = Simulation::new(SimulationSettings::default());
/// let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.1)?));
/// let body = NewBody::rigid(ball, 1000.0).at(DVec3::Z).moving(DVec3::X, DVec3::ZERO).named("shot");
/// let body = simulation.add_body(body)?;
/// assert_eq!(simulation.bodies().find("shot"), Some(body));
/// assert!((simulation.bodies().masses[body] - 4.18879).abs() < 1e-5);
/// let heavy = simulation.add_body(NewBody::with_mass(ball, -1.0)).unwrap_err();
/// assert_eq!(heavy.to_string(), "the mass is -1; it must be positive and finite");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NewBody {
    pub(crate) kind: BodyKind,
    pub(crate) shape: u32,
    pub(crate) pose: Pose,
    pub(crate) velocity: Velocity,
    pub(crate) material: u32,
    pub(crate) groups: Groups,
    pub(crate) motion: Option<DrivenMotion>,
    pub(crate) name: Option<String>,
    mass: MassSource,
}

impl NewBody {
    fn of_kind(kind: BodyKind, shape: u32, mass: MassSource) -> Self {
        Self {
            kind,
            shape,
            pose: Pose::IDENTITY,
            velocity: Velocity::ZERO,
            material: 0,
            groups: Groups::default(),
            motion: None,
            name: None,
            mass,
        }
    }

    /// A body that moves freely, of a shape filled with `density` in kg/m³.
    pub fn rigid(shape: u32, density: f64) -> Self {
        Self::of_kind(BodyKind::Rigid, shape, MassSource::Density(density))
    }

    /// A body that moves freely, of a mass in kg; its inertia is that of the shape, scaled.
    pub fn with_mass(shape: u32, mass: f64) -> Self {
        Self::of_kind(
            BodyKind::Rigid,
            shape,
            MassSource::Given {
                mass,
                inertia: None,
            },
        )
    }

    /// A body that stays where it is.
    pub fn fixed(shape: u32) -> Self {
        Self::of_kind(BodyKind::Fixed, shape, MassSource::None)
    }

    /// A body that moves as told.
    pub fn driven(shape: u32, motion: DrivenMotion) -> Self {
        Self {
            motion: Some(motion),
            ..Self::of_kind(BodyKind::Driven, shape, MassSource::None)
        }
    }

    /// Sets the inertia about the centre of mass in the body's axes, in kg m². A body without a shape needs it.
    pub fn with_inertia(mut self, inertia: DMat3) -> Self {
        if let MassSource::Given { inertia: slot, .. } = &mut self.mass {
            *slot = Some(inertia);
        }
        self
    }

    /// Puts the origin of the shape's frame there.
    pub fn at(mut self, position: DVec3) -> Self {
        self.pose.position = position;
        self
    }

    /// Puts the shape's frame there.
    pub fn posed(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    /// Sets the first velocity of the centre of mass and the first angular velocity.
    pub fn moving(mut self, linear: DVec3, angular: DVec3) -> Self {
        self.velocity = Velocity { linear, angular };
        self
    }

    /// Sets the material, an index that [`Materials::add`](crate::materials::Materials::add) gave.
    pub fn of(mut self, material: u32) -> Self {
        self.material = material;
        self
    }

    /// Sets whom it collides with.
    pub fn in_groups(mut self, groups: Groups) -> Self {
        self.groups = groups;
        self
    }

    /// Gives it a name, so that sensors and joints can find it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Mass and inertia in the body's axes.
    pub(crate) fn mass_properties(
        &self,
        shapes: &ShapeTable,
    ) -> Result<(f64, Symmetric), BodyError> {
        let error = |what: &str, found: String, right: &str| BodyError {
            what: what.into(),
            found,
            right: right.into(),
        };
        let volume = shapes
            .get(self.shape)
            .and_then(|entry| entry.shape.volume_properties());
        let (mass, inertia) = match &self.mass {
            MassSource::None => return Ok((0.0, Symmetric([0.0; 6]))),
            MassSource::Density(density) => {
                let Some(volume) = volume else {
                    return Err(error(
                        "the shape",
                        "has no volume".into(),
                        "give a mass and an inertia, or make the body fixed or driven",
                    ));
                };
                if !(*density > 0.0 && density.is_finite()) {
                    return Err(error(
                        "the density",
                        format!("is {density}"),
                        "it must be positive and finite",
                    ));
                }
                (density * volume.volume, volume.inertia * *density)
            }
            MassSource::Given { mass, inertia } => {
                let inertia = match (inertia, volume) {
                    (Some(inertia), _) => *inertia,
                    (None, Some(volume)) => volume.inertia * (mass / volume.volume),
                    (None, None) => {
                        return Err(error(
                            "the inertia",
                            "is missing".into(),
                            "a body whose shape has no volume needs it beside the mass",
                        ));
                    }
                };
                (*mass, inertia)
            }
        };
        if !(mass > 0.0 && mass.is_finite()) {
            return Err(error(
                "the mass",
                format!("is {mass}"),
                "it must be positive and finite",
            ));
        }
        let symmetric = Symmetric::from_matrix(&inertia);
        let [xx, yy, zz, xy, ..] = symmetric.0;
        let definite = xx > 0.0 && xx * yy - xy * xy > 0.0 && inertia.determinant() > 0.0;
        // A flat or long body meets the triangle inequality with equality: leave room for rounding.
        let possible = 2.0 * xx.max(yy).max(zz) <= (xx + yy + zz) * (1.0 + 1e-9);
        if !(definite && possible && symmetric.0.iter().all(|x| x.is_finite())) {
            return Err(error(
                "the inertia",
                format!("is {:?}", symmetric.0),
                "it must be positive definite, and none of its diagonal entries larger than the sum of the other two",
            ));
        }
        Ok((mass, symmetric))
    }
}
