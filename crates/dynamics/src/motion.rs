//! Numbers that depend on time, and the motion of driven bodies.

use crate::bodies::Velocity;
use glam::{DQuat, DVec3};
use moreau_collision::pose::Pose;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A number as a function of time in seconds.
///
/// ```
/// use moreau_dynamics::motion::Signal;
///
/// let ramp = Signal::Table { times: vec![1.0, 3.0], values: vec![0.0, 4.0] };
/// assert_eq!([0.0, 2.0, 9.0].map(|time| ramp.at(time)), [0.0, 2.0, 4.0]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Signal {
    /// The same at all times.
    Constant(f64),
    /// Linear between the given points, constant before the first and after the last.
    Table {
        /// Rising times.
        times: Vec<f64>,
        /// The value at each of them.
        values: Vec<f64>,
    },
    /// offset + amplitude sin(2π frequency t + phase).
    Sine {
        /// Largest deviation from the offset.
        amplitude: f64,
        /// In Hz.
        frequency: f64,
        /// In radians.
        phase: f64,
        /// The mean.
        offset: f64,
    },
    /// A sine whose frequency rises linearly from `from` at t = 0 to `to` at t = `duration` and stays there.
    Sweep {
        /// Largest deviation from zero.
        amplitude: f64,
        /// First frequency in Hz.
        from: f64,
        /// Last frequency in Hz.
        to: f64,
        /// Seconds in which the frequency rises; positive.
        duration: f64,
    },
}

impl Signal {
    /// Always zero.
    pub const ZERO: Signal = Signal::Constant(0.0);

    /// The value at a time.
    ///
    /// ```
    /// use moreau_dynamics::motion::Signal;
    /// let ramp = Signal::Table { times: vec![0.0, 2.0], values: vec![0.0, 4.0] };
    /// assert_eq!(ramp.at(0.5), 1.0);
    /// assert_eq!(ramp.at(3.0), 4.0);
    /// ```
    pub fn at(&self, time: f64) -> f64 {
        match self {
            Signal::Constant(value) => *value,
            Signal::Table { times, values } => {
                let after = times.partition_point(|t| *t <= time);
                if after == 0 {
                    return values.first().copied().unwrap_or(0.0);
                }
                if after == times.len() {
                    return values[after - 1];
                }
                let (t0, t1) = (times[after - 1], times[after]);
                let share = (time - t0) / (t1 - t0);
                values[after - 1] + share * (values[after] - values[after - 1])
            }
            Signal::Sine {
                amplitude,
                frequency,
                phase,
                offset,
            } => offset + amplitude * (TAU * frequency * time + phase).sin(),
            Signal::Sweep {
                amplitude,
                from,
                to,
                duration,
            } => {
                // The phase is the integral of the frequency.
                let rising = time.clamp(0.0, *duration);
                let cycles = from * rising
                    + 0.5 * (to - from) * rising * rising / duration
                    + to * (time - rising).max(0.0);
                amplitude * (TAU * cycles).sin()
            }
        }
    }

    /// What is wrong with the numbers, if anything.
    ///
    /// # Errors
    /// A message that names the number and what would be right.
    pub fn validate(&self) -> Result<(), String> {
        let numbers: Vec<f64> = match self {
            Signal::Constant(value) => vec![*value],
            Signal::Table { times, values } => {
                if times.is_empty() || times.len() != values.len() {
                    return Err(format!(
                        "a table needs as many times as values and at least one of each; it has {} and {}",
                        times.len(),
                        values.len()
                    ));
                }
                if let Some(k) = times.windows(2).position(|w| !(w[0] < w[1])) {
                    return Err(format!(
                        "the times of a table must rise; {} is followed by {}",
                        times[k],
                        times[k + 1]
                    ));
                }
                times.iter().chain(values).copied().collect()
            }
            Signal::Sine {
                amplitude,
                frequency,
                phase,
                offset,
            } => vec![*amplitude, *frequency, *phase, *offset],
            Signal::Sweep {
                amplitude,
                from,
                to,
                duration,
            } => {
                if !(*duration > 0.0) {
                    return Err(format!(
                        "the duration of a sweep is {duration}; it must be positive"
                    ));
                }
                vec![*amplitude, *from, *to, *duration]
            }
        };
        match numbers.iter().find(|x| !x.is_finite()) {
            Some(x) => Err(format!("{x} is not a finite number")),
            None => Ok(()),
        }
    }
}

/// Three signals, one for each axis of the world.
pub type Signal3 = [Signal; 3];

/// The vector of three signals at a time.
pub fn vector_at(signals: &Signal3, time: f64) -> DVec3 {
    DVec3::new(
        signals[0].at(time),
        signals[1].at(time),
        signals[2].at(time),
    )
}

/// How a driven body moves, whatever touches it.
///
/// ```
/// use glam::DVec3;
/// use moreau_dynamics::bodies::NewBody;
/// use moreau_dynamics::motion::{DrivenMotion, Signal};
/// use moreau_dynamics::settings::SimulationSettings;
/// use moreau_dynamics::simulation::Simulation;
///
/// let settings = SimulationSettings { time_step: Some(0.01), ..Default::default() };
/// let mut simulation = Simulation::new(settings);
/// let motion = DrivenMotion::Velocity {
///     linear: [Signal::Constant(0.5), Signal::ZERO, Signal::ZERO],
///     angular: [Signal::ZERO, Signal::ZERO, Signal::ZERO],
/// };
/// let belt = simulation.add_body(NewBody::driven(u32::MAX, motion))?;
/// for _ in 0..100 {
///     simulation.step()?;
/// }
/// assert!((simulation.bodies().poses[belt].position - 0.5 * DVec3::X).length() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DrivenMotion {
    /// Velocity of the centre of mass and angular velocity, in the world's axes.
    Velocity {
        /// In m/s.
        linear: Signal3,
        /// In rad/s.
        angular: Signal3,
    },
    /// A displacement from a pose, and a turn about an axis through the centre of mass. The body is added where they take it at
    /// that time: a displacement that is not zero then has moved it already.
    Pose {
        /// In m.
        displacement: Signal3,
        /// Unit vector in the world's axes.
        axis: DVec3,
        /// In rad.
        angle: Signal,
        /// The pose that it was given, without displacement and turn; filled in when the body is added.
        start: Pose,
    },
}

impl DrivenMotion {
    /// The mean velocity from `time` to `time + step`: a pose given as a function of time is met exactly at the end
    /// of every step, a velocity is taken in the middle.
    pub fn velocity(&self, time: f64, step: f64) -> Velocity {
        match self {
            DrivenMotion::Velocity { linear, angular } => Velocity {
                linear: vector_at(linear, time + 0.5 * step),
                angular: vector_at(angular, time + 0.5 * step),
            },
            DrivenMotion::Pose {
                displacement,
                axis,
                angle,
                ..
            } => Velocity {
                linear: (vector_at(displacement, time + step) - vector_at(displacement, time))
                    / step,
                angular: *axis * ((angle.at(time + step) - angle.at(time)) / step),
            },
        }
    }

    /// The pose at a time, if it is what was given: then no rounding accumulates over the steps.
    pub fn pose(&self, time: f64) -> Option<Pose> {
        match self {
            DrivenMotion::Velocity { .. } => None,
            DrivenMotion::Pose {
                displacement,
                axis,
                angle,
                start,
            } => Some(Pose {
                position: start.position + vector_at(displacement, time),
                rotation: (DQuat::from_axis_angle(*axis, angle.at(time)) * start.rotation)
                    .normalize(),
            }),
        }
    }
}
