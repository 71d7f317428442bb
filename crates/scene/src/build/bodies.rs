//! Bodies, one by one.

use super::{Builder, Told};
use crate::model::{Body, Groups, Kind, Motion, Rotation, Signal, SignalKind};
use crate::region::unit;
use glam::{DMat3, DQuat, DVec3, EulerRot};
use moreau_collision::colliders;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, ShapeTable};
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::motion::{self, DrivenMotion, Signal3};

/// The rotation that a file means.
pub(super) fn quaternion(rotation: Option<&Rotation>) -> Result<DQuat, String> {
    match rotation {
        None => Ok(DQuat::IDENTITY),
        Some(Rotation::AxisAngle { axis, angle }) => {
            let axis = unit("axis", *axis)?;
            Ok(DQuat::from_axis_angle(axis, angle.to_radians()))
        }
        // About axes fixed in the world, x first: the product has z first.
        Some(Rotation::Euler { euler: [x, y, z] }) => Ok(DQuat::from_euler(
            EulerRot::ZYX,
            z.to_radians(),
            y.to_radians(),
            x.to_radians(),
        )),
        Some(Rotation::Quaternion { quaternion }) => {
            let rotation = DQuat::from_array(*quaternion);
            let length = rotation.length();
            if length > 1e-100 {
                Ok(DQuat::from_array(quaternion.map(|x| x / length)).normalize())
            } else {
                Err("the quaternion is zero".into())
            }
        }
    }
}

/// The signal that a file means; angles are multiplied by `factor`.
pub(super) fn signal(signal: &Signal, factor: f64) -> Result<motion::Signal, String> {
    let made = match signal {
        Signal::Constant(value) => motion::Signal::Constant(factor * value),
        Signal::Varying(SignalKind::Table { times, values }) => motion::Signal::Table {
            times: times.clone(),
            values: values.iter().map(|value| factor * value).collect(),
        },
        Signal::Varying(SignalKind::Sine {
            amplitude,
            frequency,
            phase,
            offset,
        }) => motion::Signal::Sine {
            amplitude: factor * amplitude,
            frequency: *frequency,
            phase: phase.to_radians(),
            offset: factor * offset,
        },
        Signal::Varying(SignalKind::Sweep {
            amplitude,
            from,
            to,
            duration,
        }) => motion::Signal::Sweep {
            amplitude: factor * amplitude,
            from: *from,
            to: *to,
            duration: *duration,
        },
    };
    made.validate()?;
    Ok(made)
}

/// Three signals; zero where none are given.
pub(super) fn signals(given: Option<&[Signal; 3]>) -> Result<Signal3, String> {
    let zero = || motion::Signal::ZERO;
    match given {
        None => Ok([zero(), zero(), zero()]),
        Some([x, y, z]) => Ok([signal(x, 1.0)?, signal(y, 1.0)?, signal(z, 1.0)?]),
    }
}

fn driven_motion(motion: &Motion) -> Result<DrivenMotion, String> {
    Ok(match motion {
        Motion::Velocity { linear, angular } => DrivenMotion::Velocity {
            linear: signals(linear.as_ref())?,
            angular: signals(angular.as_ref())?,
        },
        Motion::Pose {
            displacement,
            axis,
            angle,
        } => DrivenMotion::Pose {
            displacement: signals(displacement.as_ref())?,
            axis: unit("axis", axis.unwrap_or([0.0, 0.0, 1.0]))?,
            angle: match angle {
                None => motion::Signal::ZERO,
                Some(angle) => signal(angle, 1f64.to_radians())?,
            },
            start: Pose::IDENTITY,
        },
    })
}

fn groups(groups: &Groups) -> Result<colliders::Groups, String> {
    let bits = |list: &[u16]| {
        list.iter().try_fold(0u16, |bits, group| match group {
            0..16 => Ok(bits | 1 << group),
            _ => Err(format!("there is no group {group}; expected 0 to 15")),
        })
    };
    Ok(colliders::Groups {
        member: bits(&groups.member)?,
        collides: bits(&groups.collides)?,
    })
}

fn inertia(values: &[f64]) -> Result<DMat3, String> {
    let [xx, yy, zz] = [values[0], values[1], values[2]];
    let [xy, xz, yz] = match values.len() {
        3 => [0.0; 3],
        6 => [values[3], values[4], values[5]],
        n => return Err(format!("the inertia has {n} numbers; expected 3 or 6")),
    };
    Ok(DMat3::from_cols(
        DVec3::new(xx, xy, xz),
        DVec3::new(xy, yy, yz),
        DVec3::new(xz, yz, zz),
    ))
}

impl<'a> Builder<'a> {
    pub(super) fn add_bodies(&mut self) {
        let file = self.file;
        for (number, body) in file.bodies.iter().enumerate() {
            let path = format!("bodies[{number}]");
            self.begin(&path);
            let _ = self.body(&path, body);
        }
    }

    fn body(&mut self, path: &str, body: &'a Body) -> Result<(), Told> {
        let rigid = body.kind == Kind::Rigid;
        let shape = match &body.shape {
            None => ShapeTable::NONE,
            Some(shape) => self.shape_entry(&format!("{path}.shape"), shape, rigid)?,
        };
        let (material, density) =
            self.material(&format!("{path}.material"), body.material.as_deref())?;
        let mut new = match body.kind {
            Kind::Rigid => self.rigid(path, body, shape, body.density.or(density))?,
            Kind::Fixed => NewBody::fixed(shape),
            Kind::Driven => {
                let Some(motion) = &body.motion else {
                    let help = "motion = { type = \"velocity\", angular = [0, 0, 1] }, for example";
                    let message = format!("{path} is driven but has no motion");
                    return Err(self.error_with_help(path, message, Some(help.into())));
                };
                let motion = driven_motion(motion);
                NewBody::driven(shape, self.told(&format!("{path}.motion"), motion)?)
            }
        };
        if body.motion.is_some() && body.kind != Kind::Driven {
            let message = format!("{path} has a motion but is not driven");
            let help = Some("say kind = \"driven\"".into());
            return Err(self.error_with_help(&format!("{path}.motion"), message, help));
        }
        if !rigid {
            self.check_massless(path, body)?;
        }
        let rotation = quaternion(body.rotation.as_ref());
        let rotation = self.told(&format!("{path}.rotation"), rotation)?;
        new = new
            .posed(Pose::new(DVec3::from_array(body.position), rotation))
            .moving(
                DVec3::from_array(body.velocity),
                DVec3::from_array(body.angular_velocity),
            )
            .of(material);
        if let Some(given) = &body.groups {
            new = new.in_groups(self.told(&format!("{path}.groups"), groups(given))?);
        }
        if let Some(name) = &body.name {
            if name == "world" {
                let path = format!("{path}.name");
                return Err(self.error(&path, "'world' is the world; take another name"));
            }
            new = new.named(name);
        }
        if body.embedded && body.kind != Kind::Fixed {
            let message = format!("{path} is embedded but not fixed");
            let help = Some("leave it out: only fixed bodies are compared with each other".into());
            return Err(self.error_with_help(&format!("{path}.embedded"), message, help));
        }
        let added = self.add_body(path, new)?;
        if body.embedded {
            self.embedded.insert(added);
        }
        Ok(())
    }

    fn rigid(
        &mut self,
        path: &str,
        body: &Body,
        shape: u32,
        density: Option<f64>,
    ) -> Result<NewBody, Told> {
        if let Some(entry) = self.simulation.shapes().get(shape)
            && let Some(kind) = unfit_for_rigid(&entry.shape)
        {
            let message = format!("a rigid body cannot be a {kind}");
            let help = Some("make it fixed or driven".into());
            return Err(self.error_with_help(&format!("{path}.shape"), message, help));
        }
        match (body.mass, body.density, density) {
            (Some(_), Some(_), _) => {
                let path = format!("{path}.density");
                Err(self.error(&path, "there are both a mass and a density; expected one"))
            }
            (Some(mass), None, _) => {
                let new = NewBody::with_mass(shape, mass);
                match &body.inertia {
                    None => Ok(new),
                    Some(values) => {
                        let matrix = inertia(values);
                        Ok(new.with_inertia(self.told(&format!("{path}.inertia"), matrix)?))
                    }
                }
            }
            (None, _, _) if body.inertia.is_some() => {
                let path = format!("{path}.inertia");
                Err(self.error(&path, "an inertia needs a mass beside it"))
            }
            (None, _, Some(density)) => Ok(NewBody::rigid(shape, density)),
            (None, _, None) => {
                let message = format!("{path} is rigid but has neither density nor mass");
                let help = "give it one, give its material a density, or say kind = \"fixed\"";
                Err(self.error_with_help(path, message, Some(help.into())))
            }
        }
    }

    /// A mass that does nothing was meant for something.
    fn check_massless(&mut self, path: &str, body: &Body) -> Result<(), Told> {
        let zero = [0.0; 3];
        let idle = [
            ("density", body.density.is_some()),
            ("mass", body.mass.is_some()),
            ("inertia", body.inertia.is_some()),
            ("velocity", body.velocity != zero),
            ("angular_velocity", body.angular_velocity != zero),
        ];
        for (key, present) in idle {
            if present {
                let path = format!("{path}.{key}");
                let message = format!("{key} means nothing for a body that is not rigid");
                let help = match key {
                    "velocity" | "angular_velocity" => {
                        "say kind = \"driven\" and give it a motion, or kind = \"rigid\""
                    }
                    _ => "leave it out, or say kind = \"rigid\"",
                };
                return Err(self.error_with_help(&path, message, Some(help.into())));
            }
        }
        Ok(())
    }
}

/// What a rigid body cannot be: the narrow phase would find no contacts of it with its like.
pub(super) fn unfit_for_rigid(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::HalfSpace(_) | Shape::HeightField(_) | Shape::TriangleMesh(_) => Some(shape.name()),
        Shape::Compound(compound) => compound
            .parts
            .iter()
            .find_map(|(_, part)| unfit_for_rigid(part)),
        _ => None,
    }
}
