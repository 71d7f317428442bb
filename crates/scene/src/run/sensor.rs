//! What is measured while the scene runs.

use super::repose;
use crate::region::Region;
use glam::DVec3;
use moreau_dynamics::bodies::Bodies;
use moreau_dynamics::simulation::Simulation;
use serde::{Deserialize, Serialize};

/// A measurement with its last row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sensor {
    name: String,
    measure: Measure,
    row: Vec<f64>,
    fresh: bool,
}

/// What a sensor measures. Bodies are known by their tags, which they keep when others are removed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Measure {
    Count {
        region: Region,
    },
    Force {
        tag: u64,
    },
    MassFlow(MassFlow),
    Energy,
    AngleOfRepose {
        region: Region,
        centre: Option<DVec3>,
        direction: Option<DVec3>,
        bins: u32,
    },
    Pose {
        tag: u64,
    },
    Velocity {
        tag: u64,
    },
    JointReaction {
        joint: String,
    },
}

/// Mass through a plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MassFlow {
    point: DVec3,
    normal: DVec3,
    radius: f64,
    /// Tag and height over the plane of each rigid body after the last step, tags rising.
    heights: Vec<(u64, f64)>,
    total: f64,
    /// Total and time of the last row.
    last: (f64, f64),
}

impl Measure {
    pub fn mass_flow(point: DVec3, normal: DVec3, radius: f64) -> Self {
        Self::MassFlow(MassFlow {
            point,
            normal,
            radius,
            heights: Vec::new(),
            total: 0.0,
            last: (0.0, 0.0),
        })
    }
}

impl Sensor {
    pub(crate) fn new(name: String, measure: Measure) -> Self {
        Self {
            name,
            measure,
            row: Vec::new(),
            fresh: false,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the numbers of a row are, with their units.
    pub fn columns(&self) -> &'static [&'static str] {
        match self.measure {
            Measure::Count { .. } => &["time [s]", "count", "mass [kg]"],
            Measure::Force { .. } | Measure::JointReaction { .. } => &[
                "time [s]",
                "force x [N]",
                "force y [N]",
                "force z [N]",
                "torque x [N m]",
                "torque y [N m]",
                "torque z [N m]",
            ],
            Measure::MassFlow(_) => &["time [s]", "mass [kg]", "rate [kg/s]"],
            Measure::Energy => &["time [s]", "kinetic [J]", "potential [J]", "total [J]"],
            Measure::AngleOfRepose { .. } => &["time [s]", "angle [deg]", "bodies"],
            Measure::Pose { .. } => &[
                "time [s]", "x [m]", "y [m]", "z [m]", "qx", "qy", "qz", "qw",
            ],
            Measure::Velocity { .. } => &[
                "time [s]",
                "velocity x [m/s]",
                "velocity y [m/s]",
                "velocity z [m/s]",
                "angular velocity x [rad/s]",
                "angular velocity y [rad/s]",
                "angular velocity z [rad/s]",
            ],
        }
    }

    /// The first line of its CSV file.
    pub fn csv_header(&self) -> String {
        self.columns().join(",")
    }

    /// A row as a line of CSV, every number with all its digits.
    pub fn csv_row(row: &[f64]) -> String {
        let numbers: Vec<String> = row.iter().map(f64::to_string).collect();
        numbers.join(",")
    }

    /// The row of the last step, if it was due.
    pub(super) fn row(&self) -> Option<&[f64]> {
        self.fresh.then_some(self.row.as_slice())
    }

    /// Sees what must be seen at every step.
    pub(super) fn watch(&mut self, simulation: &Simulation) {
        if let Measure::MassFlow(flow) = &mut self.measure {
            flow.watch(simulation.bodies());
        }
    }

    /// Makes a row if one is due.
    pub(super) fn read(&mut self, simulation: &Simulation, due: bool) {
        self.fresh = due;
        if !due {
            return;
        }
        let time = simulation.time();
        let bodies = simulation.bodies();
        self.row.clear();
        self.row.push(time);
        let row = &mut self.row;
        match &mut self.measure {
            Measure::Count { region } => {
                let inside = rigid(bodies).filter(|b| region.contains(bodies.poses[*b].position));
                let (count, mass) = inside.fold((0u64, 0.0), |(count, mass), body| {
                    (count + 1, mass + bodies.masses[body])
                });
                row.extend([count as f64, mass]);
            }
            Measure::Force { tag } => match find(bodies, *tag) {
                None => row.extend([f64::NAN; 6]),
                Some(body) => {
                    let force = simulation.force_on(body);
                    row.extend(force.linear.to_array());
                    row.extend(force.angular.to_array());
                }
            },
            Measure::MassFlow(flow) => {
                let (mass_before, time_before) = flow.last;
                let rate = if time > time_before {
                    (flow.total - mass_before) / (time - time_before)
                } else {
                    0.0
                };
                flow.last = (flow.total, time);
                row.extend([flow.total, rate]);
            }
            Measure::Energy => {
                let balance = simulation.balance();
                row.extend([balance.kinetic, balance.potential, balance.energy()]);
            }
            Measure::AngleOfRepose {
                region,
                centre,
                direction,
                bins,
            } => {
                let points: Vec<DVec3> = rigid(bodies)
                    .map(|body| bodies.poses[body].position)
                    .filter(|point| region.contains(*point))
                    .collect();
                let angle = repose::angle(&points, *centre, *direction, *bins as usize);
                row.extend([angle.unwrap_or(f64::NAN), points.len() as f64]);
            }
            Measure::Pose { tag } => match find(bodies, *tag) {
                None => row.extend([f64::NAN; 7]),
                Some(body) => {
                    row.extend(bodies.poses[body].position.to_array());
                    row.extend(bodies.poses[body].rotation.to_array());
                }
            },
            Measure::Velocity { tag } => match find(bodies, *tag) {
                None => row.extend([f64::NAN; 6]),
                Some(body) => {
                    row.extend(bodies.velocities[body].linear.to_array());
                    row.extend(bodies.velocities[body].angular.to_array());
                }
            },
            Measure::JointReaction { joint } => {
                let joints = simulation.joints();
                match joints.find(joint).and_then(|index| joints.get(index)) {
                    None => row.extend([f64::NAN; 6]),
                    Some(joint) => {
                        row.extend(joint.reaction().force.to_array());
                        row.extend(joint.reaction().torque.to_array());
                    }
                }
            }
        }
    }
}

impl MassFlow {
    fn watch(&mut self, bodies: &Bodies) {
        let before = std::mem::take(&mut self.heights);
        let mut next = 0;
        for body in rigid(bodies) {
            let tag = bodies.tags[body];
            let from = bodies.poses[body].position - self.point;
            let height = from.dot(self.normal);
            self.heights.push((tag, height));
            while before.get(next).is_some_and(|(old, _)| *old < tag) {
                next += 1;
            }
            let Some((_, earlier)) = before.get(next).filter(|(old, _)| *old == tag) else {
                continue;
            };
            let beside = (from - height * self.normal).length();
            if (*earlier < 0.0) != (height < 0.0) && beside <= self.radius {
                let sign = if height < 0.0 { -1.0 } else { 1.0 };
                self.total += sign * bodies.masses[body];
            }
        }
    }
}

fn rigid(bodies: &Bodies) -> impl Iterator<Item = usize> + '_ {
    (0..bodies.len()).filter(|body| bodies.is_rigid(*body))
}

/// The body of a tag; tags rise with the index.
fn find(bodies: &Bodies, tag: u64) -> Option<usize> {
    bodies.tags.binary_search(&tag).ok()
}
