//! Springs and forces.

use super::bodies::signals;
use super::{Builder, Told};
use crate::model;
use glam::DVec3;
use moreau_dynamics::forces::{AppliedForce, Spring, WORLD};
use moreau_dynamics::joints::NewJoint;

impl Builder<'_> {
    pub(super) fn add_springs(&mut self) {
        let file = self.file;
        for (number, spring) in file.springs.iter().enumerate() {
            let _ = self.spring(&format!("springs[{number}]"), spring);
        }
    }

    fn spring(&mut self, path: &str, spring: &model::Spring) -> Result<(), Told> {
        let bodies = self.find_ends(path, &spring.bodies)?;
        let points = spring.points.map(DVec3::from_array);
        let distance = points[0].distance(points[1]);
        let rest_length = spring.rest_length.unwrap_or(distance);
        if spring.implicit {
            let strength = [spring.stiffness, spring.damping];
            let added =
                self.simulation
                    .add_joint(NewJoint::spring(bodies, points, rest_length, strength));
            self.told(path, added)?;
            return Ok(());
        }
        let local = [0, 1].map(|end| self.local_point(bodies[end], points[end]));
        self.simulation.forces_mut().springs.push(Spring {
            bodies,
            points: local,
            rest_length,
            stiffness: spring.stiffness,
            damping: spring.damping,
        });
        Ok(())
    }

    /// Warns of springs that the step cannot follow.
    pub(super) fn check_springs(&mut self) {
        let Ok(step) = self.simulation.step_size() else {
            return;
        };
        let bodies = self.simulation.bodies();
        // Implicit springs are joints; the others are in the order of the file.
        let springs = self.file.springs.iter().enumerate();
        let explicit = springs.filter(|(_, spring)| !spring.implicit);
        let told: Vec<_> = explicit
            .zip(&self.simulation.forces().springs)
            .map(|((number, _), spring)| (number, spring.largest_step(bodies)))
            .filter(|(_, largest)| step > *largest)
            .collect();
        for (number, largest) in told {
            let message = format!(
                "the spring is unstable with steps of {step:.3e} s; expected implicit = true, or a time_step below \
                 {largest:.3e} s"
            );
            self.warn(&format!("springs[{number}].stiffness"), message);
        }
    }

    /// The two different ends of a spring or joint.
    pub(super) fn find_ends(&mut self, path: &str, names: &[String; 2]) -> Result<[u32; 2], Told> {
        let ends = [0, 1].map(|end| {
            let path = format!("{path}.bodies[{end}]");
            self.find_body(&path, &names[end], true)
        });
        let [a, b] = ends;
        let ends = [a?, b?];
        if ends[0] == ends[1] {
            let message = format!("both ends are '{}'; expected two", names[0]);
            return Err(self.error(&format!("{path}.bodies"), message));
        }
        let bodies = self.simulation.bodies();
        let rigid = |end: &u32| *end != WORLD && bodies.is_rigid(*end as usize);
        if !ends.iter().any(rigid) {
            let message = "neither end is a rigid body, so that nothing can move";
            return Err(self.error(&format!("{path}.bodies"), message));
        }
        Ok(ends)
    }

    /// A point of the world, seen from a body.
    fn local_point(&self, body: u32, point: DVec3) -> DVec3 {
        match body {
            WORLD => point,
            body => self.simulation.bodies().poses[body as usize].local_point(point),
        }
    }

    pub(super) fn add_forces(&mut self) {
        let file = self.file;
        for (number, force) in file.forces.iter().enumerate() {
            let _ = self.force(&format!("forces[{number}]"), force);
        }
    }

    fn force(&mut self, path: &str, force: &model::Force) -> Result<(), Told> {
        let at = format!("{path}.body");
        let body = self.find_body(&at, &force.body, false)?;
        if !self.simulation.bodies().is_rigid(body as usize) {
            let message = format!("'{}' is not rigid: a force does not move it", force.body);
            return Err(self.error(&at, message));
        }
        if force.force.is_none() && force.torque.is_none() {
            return Err(self.error(path, format!("{path} has neither force nor torque")));
        }
        let pushed = signals(force.force.as_ref());
        let pushed = self.told(&format!("{path}.force"), pushed)?;
        let twisted = signals(force.torque.as_ref());
        let twisted = self.told(&format!("{path}.torque"), twisted)?;
        let point = force.point.map_or(DVec3::ZERO, |point| {
            self.local_point(body, DVec3::from_array(point))
        });
        self.simulation.forces_mut().applied.push(AppliedForce {
            body,
            force: pushed,
            torque: twisted,
            point,
        });
        Ok(())
    }
}
