//! Grains like the one that a scene has: beds of them, laid down in seconds, not poured.

use crate::study::StudyError;
use glam::{DVec2, DVec3};
use moreau_bench::packing::{Room, lay_down};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::Shape;
use moreau_dynamics::bodies::NewBody;
use moreau_dynamics::simulation::Simulation;
use moreau_scene::Run;

/// The name of the body in a scene that stands for all grains.
const NAME: &str = "grain";

/// The sphere of a scene that stands for all grains.
pub struct Grain {
    /// Its number among the bodies.
    pub body: usize,
    /// In m.
    pub radius: f64,
    /// Where it is, in m.
    pub place: DVec3,
    like_it: NewBody,
}

impl Grain {
    /// Looks for it.
    ///
    /// # Errors
    /// When the scene has no such sphere.
    pub fn of(simulation: &Simulation) -> Result<Self, StudyError> {
        let wrong =
            || StudyError::Settings(format!("the scene has no sphere with the name '{NAME}'"));
        let bodies = simulation.bodies();
        let body = bodies.find(NAME).ok_or_else(wrong)?;
        let shape = bodies.shapes[body];
        let radius = match simulation.shapes().get(shape).map(|entry| &entry.shape) {
            Some(Shape::Sphere(sphere)) => sphere.radius,
            _ => return Err(wrong()),
        };
        let velocity = bodies.velocities[body];
        Ok(Self {
            body,
            radius,
            place: bodies.poses[body].position,
            like_it: NewBody::with_mass(shape, bodies.masses[body])
                .of(bodies.materials[body])
                .moving(velocity.linear, velocity.angular),
        })
    }

    /// Adds one like it at a place, as fast as it is.
    ///
    /// # Errors
    /// When the body cannot be added.
    pub fn add_at(&self, simulation: &mut Simulation, place: DVec3) -> Result<(), StudyError> {
        match simulation.add_body(self.like_it.clone().at(place)) {
            Ok(_) => Ok(()),
            Err(error) => Err(StudyError::Settings(error.to_string())),
        }
    }
}

/// Makes `count` grains of the scene's body `grain`, each rolled to where others hold it. That body becomes the first of
/// them.
///
/// # Errors
/// When the scene has no such sphere.
pub fn lay(run: &mut Run, room: Room, count: usize, seed: u64) -> Result<(), StudyError> {
    let simulation = &mut run.simulation;
    let grain = Grain::of(simulation)?;
    let laid = lay_down(room, count, grain.radius, seed, |_| grain.radius);
    let mut places = laid.into_iter().map(|sphere| sphere.centre);
    if let Some(place) = places.next() {
        simulation.bodies_mut().poses[grain.body] = Pose::at(place);
    }
    for place in places {
        grain.add_at(simulation, place)?;
    }
    Ok(())
}

/// Height of the centre of a ball that is lowered at a place until it touches the first grain, or the floor at z = 0.
pub fn first_touch(
    centres: impl Iterator<Item = DVec3>,
    place: DVec2,
    ball_radius: f64,
    grain_radius: f64,
) -> f64 {
    let reach = ball_radius + grain_radius;
    centres
        .filter_map(|centre| {
            let aside = (centre.truncate() - place).length_squared();
            let above = reach * reach - aside;
            (above > 0.0).then(|| centre.z + above.sqrt())
        })
        .fold(ball_radius, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_comes_to_lie_on_a_grain_in_its_way_or_on_the_floor() {
        let grains = || [DVec3::new(0.0, 0.0, 1.0), DVec3::new(9.0, 0.0, 5.0)].into_iter();
        // 3, 4, 5: the centres are 5 apart, 3 of them sideways.
        assert_eq!(first_touch(grains(), DVec2::new(3.0, 0.0), 4.0, 1.0), 5.0);
        assert_eq!(first_touch(grains(), DVec2::new(0.0, 7.0), 4.0, 1.0), 4.0);
    }
}
