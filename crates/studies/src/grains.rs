//! Beds of equal grains: made in seconds, not poured.

use crate::study::StudyError;
use moreau_bench::packing::{Room, lay_down};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::Shape;
use moreau_dynamics::bodies::NewBody;
use moreau_scene::Run;

/// Makes `count` grains of the scene's body `grain`, each rolled to where others hold it. That body becomes the first of
/// them.
///
/// # Errors
/// When the scene has no such sphere.
pub fn lay(run: &mut Run, room: Room, count: usize, seed: u64) -> Result<(), StudyError> {
    let wrong = || StudyError::Settings("the scene has no sphere with the name 'grain'".into());
    let simulation = &mut run.simulation;
    let first = simulation.bodies().find("grain").ok_or_else(wrong)?;
    let (shape, material) = {
        let bodies = simulation.bodies();
        (bodies.shapes[first], bodies.materials[first])
    };
    let Some(Shape::Sphere(sphere)) = simulation.shapes().get(shape).map(|entry| &entry.shape)
    else {
        return Err(wrong());
    };
    let radius = sphere.radius;
    let mass = simulation.bodies().masses[first];
    let laid = lay_down(room, count, radius, seed, |_| radius);
    let mut places = laid.into_iter().map(|sphere| sphere.centre);
    if let Some(place) = places.next() {
        simulation.bodies_mut().poses[first] = Pose::at(place);
    }
    for place in places {
        let grain = NewBody::with_mass(shape, mass).of(material).at(place);
        simulation
            .add_body(grain)
            .map_err(|error| StudyError::Settings(error.to_string()))?;
    }
    Ok(())
}
