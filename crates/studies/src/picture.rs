//! The bodies of a simulation as a picture.

use glam::DVec3;
use moreau_collision::shapes::{Shape, SurfaceDetail};
use moreau_dynamics::bodies::BodyKind;
use moreau_dynamics::simulation::Simulation;
use moreau_plots::{Solid, SolidsPicture, speed_colour};

/// Colour of what does not move by itself.
const WALL: [u8; 3] = [150, 160, 170];
/// Pieces around a curved surface.
const SEGMENTS: usize = 24;
/// Rigid bodies are coloured within this part of the scale: its ends are too dark and too light for shading.
const COLOURS: (f64, f64) = (0.15, 0.8);

/// The bodies as they are, coloured by speed.
pub fn by_speed(simulation: &Simulation, caption: String) -> SolidsPicture {
    let bodies = simulation.bodies();
    let speed = |body: usize| bodies.velocities[body].linear.length();
    // Less than gravity gives in a step is rest: its rounding is not worth a colour.
    let gravity = simulation.settings().gravity.length();
    let at_rest = gravity * simulation.step_size().unwrap_or(0.0);
    let fastest = (0..bodies.len())
        .filter(|body| bodies.is_rigid(*body))
        .map(speed)
        .fold(at_rest, f64::max);
    by(simulation, caption, |body| {
        if fastest > 0.0 {
            speed(body) / fastest
        } else {
            0.0
        }
    })
}

/// The bodies as they are, coloured by speed; this speed in m/s and more has the last colour.
pub fn by_speed_up_to(simulation: &Simulation, caption: String, last: f64) -> SolidsPicture {
    let velocities = &simulation.bodies().velocities;
    by(simulation, caption, |body| {
        (velocities[body].linear.length() / last).min(1.0)
    })
}

/// The bodies as they are; `share` gives the place of a rigid body on the colour scale, from 0 to 1.
pub fn by(simulation: &Simulation, caption: String, share: impl Fn(usize) -> f64) -> SolidsPicture {
    let bodies = simulation.bodies();
    let spread = (0..bodies.len())
        .filter(|body| bodies.is_rigid(*body))
        .map(|body| bodies.poses[body].position.abs().max_element())
        .fold(0.0, f64::max);
    let detail = SurfaceDetail {
        segments: SEGMENTS,
        // The ground reaches a little beyond what lies on it.
        extent: if spread > 0.0 { 3.0 * spread } else { 1.0 },
    };
    let mut picture = SolidsPicture {
        caption: Some(caption),
        ..SolidsPicture::default()
    };
    for body in 0..bodies.len() {
        let Some(entry) = simulation.shapes().get(bodies.shapes[body]) else {
            continue;
        };
        let pose = entry.pose(&bodies.poses[body]);
        // A wall that one would see from behind hides what stands before it.
        let faces_away =
            || DVec3::from(picture.view.direction).dot(pose.direction(DVec3::Z)) >= 0.0;
        if matches!(entry.shape, Shape::HalfSpace(_)) && faces_away() {
            continue;
        }
        let colour = match bodies.kinds[body] {
            BodyKind::Rigid => speed_colour(COLOURS.0 + COLOURS.1 * share(body)),
            _ => WALL,
        };
        if let Shape::Sphere(sphere) = &entry.shape {
            picture.items.push(Solid::Sphere {
                centre: pose.position.to_array(),
                radius: sphere.radius,
                colour,
            });
            continue;
        }
        let surface = entry.shape.surface(&detail);
        let solid = Solid::Mesh {
            vertices: surface
                .vertices
                .iter()
                .map(|v| pose.point(*v).to_array())
                .collect(),
            triangles: surface.triangles,
            colour,
            opacity: if is_container(&entry.shape) { 0.4 } else { 1.0 },
        };
        match entry.shape {
            Shape::HalfSpace(_) => picture.backdrop.push(solid),
            _ => picture.items.push(solid),
        }
    }
    picture
}

/// Whether one wants to see into it.
fn is_container(shape: &Shape) -> bool {
    match shape {
        Shape::HollowCylinder(_) | Shape::OpenBox(_) | Shape::Frustum(_) => true,
        Shape::Compound(compound) => compound.parts.iter().any(|(_, part)| is_container(part)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moreau_scene::Scene;

    #[test]
    fn walls_are_drawn_from_their_front_only() {
        let wall = |y: i32, angle: i32| {
            format!(
                "[[bodies]]\nkind = \"fixed\"\nshape = {{ type = \"half_space\" }}\nposition = [0, {y}, 0]\n\
                 rotation = {{ axis = [1, 0, 0], angle = {angle} }}\n"
            )
        };
        let ball = "[[bodies]]\nshape = { type = \"sphere\", radius = 0.5 }\ndensity = 1000\nposition = [0, 0, 0.5]\n";
        // The ground, and as one looks along y a wall behind the ball and one before it.
        let walls = [wall(0, 0), wall(1, 90), wall(-1, -90)].concat();
        let text = format!("duration = 1\n{walls}{ball}");
        let run = Scene::parse(&text, "corner").unwrap().build().unwrap();
        let picture = by(&run.simulation, String::new(), |_| 0.5);
        assert_eq!((picture.backdrop.len(), picture.items.len()), (2, 1));
    }
}
