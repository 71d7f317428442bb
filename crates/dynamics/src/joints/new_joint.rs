//! A joint to be added, and how it is checked.

use super::block::MAX_COORDINATES;
use super::control::{Control, Motor};
use super::error::{JointError, JointPart};
use super::joint::{Compliance, Joint, JointState};
use super::kind::JointKind;
use super::placement::{Axes, Placement, frames_of};
use crate::bodies::Bodies;
use crate::forces::WORLD;
use glam::DVec3;
use moreau_collision::pose::Pose;

/// A joint to be added. Built by the function of its kind, or by [`NewJoint::in_frames`], and the methods that follow
/// them. An end is the index of a body or [`WORLD`].
///
/// ```
/// use glam::{DMat3, DVec3};
/// use moreau_dynamics::bodies::NewBody;
/// use moreau_dynamics::forces::WORLD;
/// use moreau_dynamics::joints::NewJoint;
/// use moreau_dynamics::settings::SimulationSettings;
/// use moreau_dynamics::simulation::Simulation;
///
/// let settings = SimulationSettings { time_step: Some(1e-3), ..Default::default() };
/// let mut simulation = Simulation::new(settings);
/// let bob = NewBody::with_mass(u32::MAX, 2.0).with_inertia(DMat3::IDENTITY).at(DVec3::NEG_Z);
/// let bob = simulation.add_body(bob)? as u32;
/// let hinge = NewJoint::revolute([WORLD, bob], DVec3::ZERO, DVec3::Y).limited(0, -1.0, 1.0);
/// let hinge = simulation.add_joint(hinge.named("hinge"))?;
/// simulation.step()?;
/// let joint = simulation.joints().get(hinge).expect("just added");
/// assert!((joint.reaction().force.z - 2.0 * 9.81).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NewJoint {
    kind: JointKind,
    bodies: [u32; 2],
    placement: Placement,
    controls: [Control; MAX_COORDINATES],
    asked_beyond: Option<usize>,
    compliance: Compliance,
    collide: bool,
    pub(super) name: Option<String>,
}

impl NewJoint {
    fn placed(kind: JointKind, bodies: [u32; 2], placement: Placement) -> Self {
        Self {
            kind,
            bodies,
            placement,
            controls: Default::default(),
            asked_beyond: None,
            compliance: Compliance::default(),
            collide: false,
            name: None,
        }
    }

    fn at(kind: JointKind, bodies: [u32; 2], point: DVec3, axes: Axes) -> Self {
        let points = [point; 2];
        Self::placed(kind, bodies, Placement::World { points, axes })
    }

    /// A joint of any kind by its frame on each body, given in the body's own frame (from the centre of mass).
    pub fn in_frames(kind: JointKind, bodies: [u32; 2], frames: [Pose; 2]) -> Self {
        Self::placed(kind, bodies, Placement::Frames(frames))
    }

    /// Ball and socket at a point of the world. Swing and twist are those of the z axis; see [`NewJoint::swinging_from`].
    pub fn spherical(bodies: [u32; 2], point: DVec3) -> Self {
        Self::at(JointKind::Spherical, bodies, point, Axes::None)
    }

    /// Ball and socket at a point of the world, whose swing and twist are those of an axis of the second body: zero
    /// where it is now.
    pub fn swinging_from(bodies: [u32; 2], point: DVec3, axis: DVec3) -> Self {
        Self::at(JointKind::Spherical, bodies, point, Axes::Z(axis))
    }

    /// Hinge through a point of the world, about an axis.
    pub fn revolute(bodies: [u32; 2], point: DVec3, axis: DVec3) -> Self {
        Self::at(JointKind::Revolute, bodies, point, Axes::Z(axis))
    }

    /// Slider along an axis.
    pub fn translational(bodies: [u32; 2], point: DVec3, axis: DVec3) -> Self {
        Self::at(JointKind::Translational, bodies, point, Axes::Z(axis))
    }

    /// Rod in a sleeve: slides along an axis and turns about it.
    pub fn cylindrical(bodies: [u32; 2], point: DVec3, axis: DVec3) -> Self {
        Self::at(JointKind::Cylindrical, bodies, point, Axes::Z(axis))
    }

    /// Cross: the first axis is fixed in the first body, the second in the second. They must be perpendicular.
    pub fn universal(bodies: [u32; 2], point: DVec3, axes: [DVec3; 2]) -> Self {
        Self::at(JointKind::Universal, bodies, point, Axes::XY(axes))
    }

    /// Weld; the reaction is reported at the point.
    pub fn fixed(bodies: [u32; 2], point: DVec3) -> Self {
        Self::at(JointKind::Fixed, bodies, point, Axes::None)
    }

    /// Rod of a length between a point of each body.
    pub fn distance(bodies: [u32; 2], points: [DVec3; 2], length: f64) -> Self {
        let length = Some(length);
        let axes = Axes::None;
        let placement = Placement::World { points, axes };
        Self::placed(JointKind::Distance { length }, bodies, placement)
    }

    /// Two points whose distance is between two values: a rope with a smallest distance of zero, which asks nothing, a strut with an
    /// infinite largest one.
    pub fn rope(bodies: [u32; 2], points: [DVec3; 2], min: f64, max: f64) -> Self {
        let axes = Axes::None;
        let placement = Placement::World { points, axes };
        Self::placed(JointKind::Distance { length: None }, bodies, placement).limited(0, min, max)
    }

    /// Spring with a damper between a point of each body, whose force is a mean over the step: however stiff it is, energy does
    /// not grow. Oscillations that take more than six steps keep their amplitude, faster ones die away. A
    /// [`Spring`](crate::forces::Spring) among the forces needs a small step. The bodies collide.
    pub fn spring(
        bodies: [u32; 2],
        points: [DVec3; 2],
        rest_length: f64,
        [stiffness, damping]: [f64; 2],
    ) -> Self {
        let axes = Axes::None;
        let kind = JointKind::Spring {
            rest_length,
            stiffness,
            damping,
        };
        Self::placed(kind, bodies, Placement::World { points, axes }).colliding()
    }

    /// Limits a free coordinate (see [`JointKind`]); infinite for no limit. An angle counts from the pose at which the
    /// joint was placed and over all its turns.
    pub fn limited(mut self, coordinate: usize, min: f64, max: f64) -> Self {
        self.ask(coordinate, |control| control.limits = Some([min, max]));
        self
    }

    /// Puts a motor on a free coordinate.
    pub fn driven_by(mut self, coordinate: usize, motor: Motor) -> Self {
        self.ask(coordinate, |control| control.motor = Some(motor));
        self
    }

    /// Dry friction on a free coordinate: its largest force in N or torque in N m.
    pub fn with_friction(mut self, coordinate: usize, largest: f64) -> Self {
        self.ask(coordinate, |control| control.friction = largest);
        self
    }

    /// Lets the constraints give way under load.
    pub fn with_compliance(mut self, compliance: Compliance) -> Self {
        self.compliance = compliance;
        self
    }

    /// Lets the two bodies collide; by default joined bodies do not.
    pub fn colliding(mut self) -> Self {
        self.collide = true;
        self
    }

    /// Gives it a name to be found by.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    fn ask(&mut self, coordinate: usize, change: impl FnOnce(&mut Control)) {
        match self.controls.get_mut(coordinate) {
            Some(control) => change(control),
            None => self.asked_beyond = Some(coordinate),
        }
    }

    /// The joint, if all is right.
    pub(super) fn build(self, bodies: &Bodies) -> Result<Joint, JointError> {
        check_ends(self.bodies, bodies)?;
        let free = self.kind.coordinates();
        let unknown = (free..MAX_COORDINATES).find(|k| !self.controls[*k].is_idle());
        if let Some(coordinate) = unknown.or(self.asked_beyond) {
            return Err(no_coordinate(self.kind, coordinate));
        }
        for (coordinate, control) in self.controls.iter().enumerate() {
            control.validate()?;
            check_driven(self.kind, coordinate, control)?;
        }
        if let JointKind::Spring {
            rest_length,
            stiffness,
            damping,
        } = self.kind
        {
            check_spring(rest_length, stiffness, damping)?;
        }
        if let JointKind::Distance { length: Some(l) } = self.kind
            && !(l > 0.0 && l.is_finite())
        {
            return Err(JointError::new(
                JointPart::Kind,
                "the length",
                format!("is {l}"),
                "it must be positive and finite; for zero use a spherical joint",
            ));
        }
        let soft = self.compliance;
        for (what, value) in [
            ("the linear compliance", soft.linear),
            ("the angular compliance", soft.angular),
            ("the damping time", soft.damping_time),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                let found = format!("is {value}");
                let right = "it must be zero or more, and finite";
                return Err(JointError::new(JointPart::Kind, what, found, right));
            }
        }
        let frames = frames_of(&self.placement, self.bodies, bodies)?;
        let mut joint = Joint {
            kind: self.kind,
            bodies: self.bodies,
            frames,
            controls: self.controls,
            compliance: self.compliance,
            collide: self.collide,
            name: self.name,
            state: JointState::default(),
        };
        joint.track(bodies, 0.0);
        Ok(joint)
    }
}

fn check_spring(rest_length: f64, stiffness: f64, damping: f64) -> Result<(), JointError> {
    for (what, value) in [
        ("the rest length of the spring", rest_length),
        ("the stiffness of the spring", stiffness),
        ("the damping of the spring", damping),
    ] {
        if !(value >= 0.0 && value.is_finite()) {
            let right = "it must be zero or more, and finite";
            return Err(JointError::new(
                JointPart::Kind,
                what,
                format!("is {value}"),
                right,
            ));
        }
    }
    if stiffness == 0.0 && damping == 0.0 {
        let right = "one of them must be positive";
        let found = "are zero".into();
        return Err(JointError::new(
            JointPart::Kind,
            "stiffness and damping of the spring",
            found,
            right,
        ));
    }
    Ok(())
}

/// Refuses a motor or friction on a coordinate that has no direction.
pub(super) fn check_driven(
    kind: JointKind,
    coordinate: usize,
    control: &Control,
) -> Result<(), JointError> {
    let asked = control.motor.is_some() || control.friction > 0.0;
    if asked && !kind.can_be_driven(coordinate) {
        return Err(JointError::new(
            JointPart::Coordinates,
            "the swing of a spherical joint",
            "has a motor or friction".into(),
            "it can only be limited; use a universal joint, or the twist, which is coordinate 1",
        ));
    }
    Ok(())
}

pub(super) fn no_coordinate(kind: JointKind, coordinate: usize) -> JointError {
    JointError::new(
        JointPart::Coordinates,
        &format!("free coordinate {coordinate}"),
        "does not exist".into(),
        &match kind.coordinates() {
            0 => "the joint leaves nothing free".to_string(),
            count => format!("the joint has {count}, counted from 0"),
        },
    )
}

fn check_ends(ends: [u32; 2], bodies: &Bodies) -> Result<(), JointError> {
    for body in ends {
        if body != WORLD && body as usize >= bodies.len() {
            return Err(JointError::new(
                JointPart::Ends,
                &format!("body {body}"),
                "does not exist".into(),
                &format!(
                    "there are {} bodies, counted from 0; WORLD stands for the world",
                    bodies.len()
                ),
            ));
        }
    }
    if ends[0] == ends[1] && ends[0] != WORLD {
        return Err(JointError::new(
            JointPart::Ends,
            "both ends of the joint",
            format!("are body {}", ends[0]),
            "a joint needs two bodies, or a body and the world",
        ));
    }
    let rigid = |body: &u32| *body != WORLD && bodies.is_rigid(*body as usize);
    if !ends.iter().any(rigid) {
        return Err(JointError::new(
            JointPart::Ends,
            "the joint",
            "has no rigid body at either end".into(),
            "at least one end must be a body that forces move",
        ));
    }
    Ok(())
}
