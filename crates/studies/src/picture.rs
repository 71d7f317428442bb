//! The bodies of a simulation as a picture.

use glam::DVec3;
use moreau_collision::shapes::{Shape, SurfaceDetail};
use moreau_dynamics::bodies::BodyKind;
use moreau_dynamics::simulation::Simulation;
use moreau_plots::{ColourBar, Solid, SolidsPicture, speed_colour};

/// Colour of what does not move by itself.
const WALL: [u8; 3] = [150, 160, 170];
/// Pieces around a curved surface.
const SEGMENTS: usize = 24;
/// Rigid bodies are coloured within this part of the scale, from here and so far: its ends are too dark and too light
/// for shading.
const COLOURS: (f64, f64) = (0.25, 0.7);
/// Colours that make a bar.
const STOPS: u32 = 16;

/// The colour of a rigid body at a place of the scale, from 0 to 1.
fn colour(share: f64) -> [u8; 3] {
    speed_colour(COLOURS.0 + COLOURS.1 * share)
}

/// What the colours mean from the first on, which is rest, to that at a place of the scale.
pub fn bar(high: String, last: f64) -> ColourBar {
    let stop = |k: u32| colour(last * f64::from(k) / f64::from(STOPS));
    ColourBar {
        low: "at rest".into(),
        high,
        colours: (0..=STOPS).map(stop).collect(),
    }
}

/// A speed in two digits.
fn speed_in_words(speed: f64) -> String {
    let digits = (1.0 - speed.log10().floor()).clamp(0.0, 9.0);
    format!("{speed:.*} m/s", digits as usize)
}

/// The bodies as they are, coloured by speed; the fastest has the last colour.
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
    if !(fastest > 0.0 && fastest.is_finite()) {
        return by(simulation, caption, |_| 0.0);
    }
    let mut picture = by(simulation, caption, |body| speed(body) / fastest);
    picture.colours = Some(bar(speed_in_words(fastest), 1.0));
    picture
}

/// The bodies as they are, coloured by speed; this speed in m/s and more has the last colour.
pub fn by_speed_up_to(simulation: &Simulation, caption: String, last: f64) -> SolidsPicture {
    let velocities = &simulation.bodies().velocities;
    let mut picture = by(simulation, caption, |body| {
        (velocities[body].linear.length() / last).min(1.0)
    });
    picture.colours = Some(bar(format!("{last} m/s and more"), 1.0));
    picture
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
        // The ground reaches beyond what lies on it, and mostly beyond the picture.
        extent: if spread > 0.0 { 5.0 * spread } else { 1.0 },
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
            BodyKind::Rigid => colour(share(body)),
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

    #[test]
    fn the_bar_says_how_fast_the_fastest_is() {
        let ball = |name: &str, speed: f64| {
            format!(
                "[[bodies]]\nname = \"{name}\"\nshape = {{ type = \"sphere\", radius = 0.5 }}\ndensity = 1000\n\
                 position = [{speed}, 0, 0.5]\nvelocity = [{speed}, 0, 0]\n"
            )
        };
        let text = format!("duration = 1\n{}{}", ball("slow", 1.0), ball("fast", 3.31));
        let run = Scene::parse(&text, "balls").unwrap().build().unwrap();
        let picture = by_speed(&run.simulation, String::new());
        let bar = picture.colours.unwrap();
        assert_eq!(
            (bar.low.as_str(), bar.high.as_str()),
            ("at rest", "3.3 m/s")
        );
        let last = bar.colours.last().unwrap();
        assert!(
            picture
                .items
                .iter()
                .any(|solid| matches!(solid, Solid::Sphere { colour, .. } if colour == last))
        );
        assert_eq!(speed_in_words(0.0417), "0.042 m/s");
        assert_eq!(speed_in_words(12.3), "12 m/s");
    }
}
