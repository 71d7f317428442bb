//! The picture of a run: its bodies as they are, coloured by speed.

use crate::failure::Failure;
use moreau_collision::shapes::{Shape, SurfaceDetail};
use moreau_dynamics::bodies::BodyKind;
use moreau_plots::{Solid, SolidsPicture, speed_colour};
use moreau_scene::Run;
use std::path::Path;

/// Colour of what does not move by itself.
const WALL: [u8; 3] = [150, 160, 170];
/// Pieces around a curved surface.
const SEGMENTS: usize = 24;

/// Draws the bodies as they are.
pub fn draw(run: &Run, path: &Path) -> Result<(), Failure> {
    let simulation = &run.simulation;
    let bodies = simulation.bodies();
    let speed = |body: usize| bodies.velocities[body].linear.length();
    let rigid = |body: &usize| bodies.kinds[*body] == BodyKind::Rigid;
    // Less than gravity gives in a step is rest: its rounding is not worth a colour.
    let gravity = simulation.settings().gravity.length();
    let at_rest = gravity * simulation.step_size().unwrap_or(0.0);
    let fastest = (0..bodies.len())
        .filter(rigid)
        .map(speed)
        .fold(at_rest, f64::max);
    let spread = (0..bodies.len())
        .filter(rigid)
        .map(|body| bodies.poses[body].position.abs().max_element())
        .fold(0.0, f64::max);
    let detail = SurfaceDetail {
        segments: SEGMENTS,
        // The ground reaches a little beyond what lies on it.
        extent: if spread > 0.0 { 3.0 * spread } else { 1.0 },
    };
    let mut picture = SolidsPicture {
        caption: Some(format!("{}  t = {:.3} s", run.title, simulation.time())),
        ..SolidsPicture::default()
    };
    for body in 0..bodies.len() {
        let Some(entry) = simulation.shapes().get(bodies.shapes[body]) else {
            continue;
        };
        let pose = entry.pose(&bodies.poses[body]);
        let moves = rigid(&body);
        let colour = if moves {
            let share = if fastest > 0.0 {
                speed(body) / fastest
            } else {
                0.0
            };
            speed_colour(0.15 + 0.8 * share)
        } else {
            WALL
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
    Ok(picture.save_png(path)?)
}

/// Whether one wants to see into it.
fn is_container(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::HollowCylinder(_) | Shape::OpenBox(_) | Shape::Frustum(_)
    )
}
