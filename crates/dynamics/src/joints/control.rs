//! What is asked of a free coordinate: limits, a motor, friction.

use super::error::{JointError, JointPart};
use crate::motion::Signal;
use serde::{Deserialize, Serialize};

/// What moves a free coordinate. Forces are in N along a displacement or distance and in N m about an angle.
///
/// ```
/// use glam::{DMat3, DVec3};
/// use moreau_dynamics::bodies::NewBody;
/// use moreau_dynamics::forces::WORLD;
/// use moreau_dynamics::joints::{Motor, NewJoint};
/// use moreau_dynamics::motion::Signal;
/// use moreau_dynamics::settings::SimulationSettings;
/// use moreau_dynamics::simulation::Simulation;
///
/// let settings = SimulationSettings { time_step: Some(0.01), ..Default::default() };
/// let mut simulation = Simulation::new(settings);
/// let wheel = NewBody::with_mass(u32::MAX, 1.0).with_inertia(0.5 * DMat3::IDENTITY);
/// let wheel = simulation.add_body(wheel)? as u32;
/// let motor = Motor::Speed { speed: Signal::Constant(3.0), max_force: 1.0 };
/// let axle = NewJoint::revolute([WORLD, wheel], DVec3::ZERO, DVec3::Z).driven_by(0, motor);
/// simulation.add_joint(axle)?;
/// // 1 N m turns 0.5 kg m² up to 3 rad/s in 1.5 s.
/// for _ in 0..200 {
///     simulation.step()?;
/// }
/// let speed = simulation.bodies().velocities[wheel as usize].angular.z;
/// assert!((speed - 3.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Motor {
    /// Holds a speed, as far as its force and the limits of the coordinate allow.
    Speed {
        /// In m/s or rad/s.
        speed: Signal,
        /// Largest force; may be infinite.
        max_force: f64,
    },
    /// Goes to a position: takes the speed that reaches it within the step, as far as speed, force and the limits of the coordinate
    /// allow.
    Position {
        /// In m or rad; angles beyond a turn are reached by turning.
        target: Signal,
        /// Largest force; may be infinite.
        max_force: f64,
        /// Largest speed; `None` for no bound.
        max_speed: Option<f64>,
    },
    /// A force that is given.
    ///
    /// It is a row whose bounds are equal, so that the impulse is the wanted one whatever the velocity: it is reported,
    /// balanced and kept as that of every other motor, and no second path for forces is needed.
    Force {
        /// In N or N m.
        force: Signal,
    },
    /// A driving constraint: the coordinate follows the signal exactly, whatever force that takes.
    Driven {
        /// In m or rad.
        position: Signal,
    },
}

/// All that is asked of one free coordinate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// Smallest and largest value; infinite for none.
    pub limits: Option<[f64; 2]>,
    /// The motor.
    pub motor: Option<Motor>,
    /// Largest force of dry friction; zero for none.
    pub friction: f64,
}

impl Control {
    /// Whether nothing is asked.
    pub fn is_idle(&self) -> bool {
        self.limits.is_none() && self.motor.is_none() && self.friction == 0.0
    }

    /// Whether it has a motor that takes its speed whatever force that asks for.
    pub(super) fn has_unbounded_motor(&self) -> bool {
        match self.motor {
            Some(Motor::Speed { max_force, .. } | Motor::Position { max_force, .. }) => {
                max_force.is_infinite()
            }
            Some(Motor::Driven { .. }) => true,
            Some(Motor::Force { .. }) | None => false,
        }
    }

    /// Whether it asks the same of bodies at rest at both times: a motor that turns at a constant speed does not let them rest.
    pub(super) fn is_steady(&self, times: [f64; 2]) -> bool {
        let values = |signal: &Signal| times.map(|time| signal.at(time));
        match &self.motor {
            None => true,
            Some(Motor::Speed { speed, .. }) => values(speed) == [0.0; 2],
            Some(
                Motor::Position { target: signal, .. }
                | Motor::Force { force: signal }
                | Motor::Driven { position: signal },
            ) => {
                let [before, after] = values(signal);
                before == after
            }
        }
    }

    pub(super) fn validate(&self) -> Result<(), JointError> {
        if let Some([min, max]) = self.limits
            && !(min <= max)
        {
            return Err(JointError::new(
                JointPart::Coordinates,
                "the limits",
                format!("are {min} and {max}"),
                "the smaller must come first and both must be numbers",
            ));
        }
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return Err(JointError::new(
                JointPart::Coordinates,
                "the friction",
                format!("is {}", self.friction),
                "it must be zero or more, and finite",
            ));
        }
        let not_negative = |what: &str, value: f64| {
            if value >= 0.0 {
                Ok(())
            } else {
                let found = format!("is {value}");
                Err(JointError::new(
                    JointPart::Coordinates,
                    what,
                    found,
                    "it must be zero or more",
                ))
            }
        };
        let signal = match &self.motor {
            None => return Ok(()),
            Some(Motor::Speed { speed, max_force }) => {
                not_negative("the largest force of the motor", *max_force)?;
                speed
            }
            Some(Motor::Position {
                target,
                max_force,
                max_speed,
            }) => {
                not_negative("the largest force of the motor", *max_force)?;
                not_negative("the largest speed of the motor", max_speed.unwrap_or(0.0))?;
                target
            }
            Some(Motor::Force { force }) => force,
            Some(Motor::Driven { position }) => {
                if self.limits.is_some() {
                    return Err(JointError::new(
                        JointPart::Coordinates,
                        "a coordinate that is driven exactly",
                        "has limits too".into(),
                        "no force can keep both; leave one out, or use a position motor",
                    ));
                }
                position
            }
        };
        signal.validate().map_err(|found| {
            JointError::new(
                JointPart::Coordinates,
                "the signal of the motor",
                found,
                "mend the signal",
            )
        })
    }
}
