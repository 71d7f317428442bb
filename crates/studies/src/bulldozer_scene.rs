//! The tracked vehicle of Mazhar et al. 2015, section 4.2.2, as a scene file.
//!
//! The vehicle drives along x; y points to its left. A shoe's own frame has its middle between its two pins, z outwards. On
//! the lower run the shoes lie flat; sprocket and idler stand a little higher than the rollers, so that a shoe goes up to
//! them (or comes down) at an angle, and their corners do not lift the vehicle. The upper run hangs: what it is longer than
//! the lower one is the slack of the track.

use crate::bulldozer_pile::Pile;
use std::f64::consts::PI;
use std::fmt::Write;

/// Shoes of a track, in each of two.
pub const SHOES: usize = 50;
/// Teeth of a sprocket: as many shoes go round in a turn.
const TEETH: usize = 12;
/// Distance of the pins of a shoe, in m.
pub const PITCH: f64 = 0.15;
/// Height of the pins over the outer face of a shoe.
const PIN_HEIGHT: f64 = 0.055;
/// How far the rails that wheels run on reach inwards from the pins.
const RAIL: f64 = 0.04;
/// How much higher sprocket and idler stand than they would on a flat run.
const LIFT: f64 = 0.03;
const ROLLER_RADIUS: f64 = 0.12;
/// Half the width of all wheels.
const WHEEL: f64 = 0.12;
/// Half the distance of the tracks.
const GAUGE: f64 = 0.95;
/// Rollers below; with the idler, the five wheels that a track has beside its sprocket.
const ROLLERS: usize = 4;
/// From an end wheel to the next roller.
const FIRST_ROLLER: f64 = 0.42;
/// Where the blade's foot stands, and where the pile begins: two fingers' breadth before it.
const BLADE: f64 = 3.35;
const PILE: f64 = BLADE + 0.09;
/// Of the blade's arc, in m, and the angle of one of its five plates, in degrees.
const BLADE_RADIUS: f64 = 1.1;
const BLADE_PART: f64 = 12.0;

/// Distance of the middle of a shoe's pin line from the axle that it goes round.
fn apothem() -> f64 {
    0.5 * PITCH / (PI / TEETH as f64).tan()
}

/// Speed of the track over the sprocket's angular velocity: so many shoes go by in a turn.
pub fn pitch_radius() -> f64 {
    TEETH as f64 * PITCH / (2.0 * PI)
}

/// Half the height of a plate of the blade; they overlap by a little.
fn half_plate() -> f64 {
    BLADE_RADIUS * (0.5 * BLADE_PART).to_radians().tan() + 0.005
}

/// The angle at which a shoe goes up from the ground to a wheel.
fn rise() -> f64 {
    (LIFT / PITCH).asin()
}

/// From the sprocket's axle to the idler's.
fn wheel_base() -> f64 {
    17.0 * PITCH + 2.0 * PITCH * rise().cos()
}

fn axle_height() -> f64 {
    PIN_HEIGHT + apothem() + LIFT
}

/// The directions of the shoes of a track, from the first on the ground forwards: 0 forwards, π/2 up.
fn directions() -> Vec<f64> {
    let turn = |k: usize| 2.0 * PI * k as f64 / TEETH as f64;
    // The slack: 18 shoes hang in the place of a little less than 18 pitches.
    let sag = (1.0 - (1.0 - rise().cos()) / 9.0).acos();
    let mut angles = vec![0.0; 18];
    angles.push(rise());
    angles.extend((1..6).map(turn));
    angles.push(PI);
    angles.extend([PI + sag; 9]);
    angles.extend([PI - sag; 9]);
    angles.push(PI);
    angles.extend((7..12).map(turn));
    angles.push(2.0 * PI - rise());
    angles
}

/// The whole scene: the vehicle, and the pile if there is one.
pub fn scene(pile: Option<Pile>) -> String {
    let mut text = include_str!("bulldozer.toml").to_string();
    shapes(&mut text);
    chassis(&mut text);
    for (side, y) in [("left", GAUGE), ("right", -GAUGE)] {
        wheels(&mut text, side, y);
        track(&mut text, side, y);
    }
    if let Some(pile) = pile {
        pile.put(&mut text, PILE);
    }
    text
}

/// A shape with its parts, each a line of TOML.
fn compound(text: &mut String, name: &str, parts: &[String]) {
    let _ = write!(
        text,
        "\n[shapes.{name}]\ntype = \"compound\"\nparts = [\n  {},\n]\n",
        parts.join(",\n  ")
    );
}

fn box_at(half: [f64; 3], position: [f64; 3], angle: f64) -> String {
    let [hx, hy, hz] = half;
    let [x, y, z] = position;
    format!(
        "{{ shape = {{ type = \"box\", half_extents = [{hx:.5}, {hy:.5}, {hz:.5}] }}, position = [{x:.5}, {y:.5}, {z:.5}], \
         rotation = {{ axis = [0, 1, 0], angle = {angle:.3} }} }}"
    )
}

fn shapes(text: &mut String) {
    // A plate, two rails that wheels run on, and a bush about the pin that the sprocket's teeth push.
    let plate = box_at([0.48 * PITCH, 0.2, 0.0125], [0.0, 0.0, 0.0425], 0.0);
    let rail = |y: f64| {
        let half = [0.5 * PITCH, 0.02, 0.5 * (RAIL + 0.03)];
        box_at(half, [0.0, y, 0.5 * (0.03 - RAIL)], 0.0)
    };
    let bush = format!(
        "{{ shape = {{ type = \"capsule\", half_length = 0.05, radius = 0.02 }}, position = [{:.5}, 0, 0], \
         rotation = {{ axis = [1, 0, 0], angle = 90 }} }}",
        0.5 * PITCH
    );
    compound(text, "shoe", &[plate, rail(0.08), rail(-0.08), bush]);

    let drum = apothem() - RAIL;
    let mut parts = vec![format!(
        "{{ shape = {{ type = \"cylinder\", radius = {drum:.6}, half_height = {WHEEL} }}, \
         rotation = {{ axis = [1, 0, 0], angle = 90 }} }}"
    )];
    parts.extend((0..TEETH).map(|k| tooth(2.0 * PI * k as f64 / TEETH as f64, drum)));
    compound(text, "sprocket", &parts);
    for (name, radius) in [("idler", drum), ("roller", ROLLER_RADIUS)] {
        let _ = write!(
            text,
            "\n[shapes.{name}]\ntype = \"cylinder\"\nradius = {radius:.6}\nhalf_height = {WHEEL}\n"
        );
    }
    // A curved blade: five plates along an arc about a point before it. The lowest stands upright, so that its edge does not
    // ride on pebbles.
    let (radius, part) = (BLADE_RADIUS, BLADE_PART);
    let plates: Vec<String> = (0..5)
        .map(|k| {
            let angle = part * f64::from(k);
            let (sine, cosine) = angle.to_radians().sin_cos();
            let half = [0.02, 1.3, half_plate()];
            box_at(half, [radius - radius * cosine, 0.0, radius * sine], angle)
        })
        .collect();
    compound(text, "blade", &plates);
}

/// A tooth that narrows outwards, between the rails of a shoe and between its bushes.
fn tooth(angle: f64, drum: f64) -> String {
    let (sine, cosine) = angle.sin_cos();
    let mut points = Vec::new();
    for (radius, half) in [(drum - 0.03, 0.05), (apothem() + 0.02, 0.04)] {
        for along in [-half, half] {
            for y in [-0.045, 0.045] {
                let (x, z) = (
                    sine * radius + cosine * along,
                    cosine * radius - sine * along,
                );
                points.push(format!("[{x:.6}, {y}, {z:.6}]"));
            }
        }
    }
    let points = points.join(", ");
    format!("{{ shape = {{ type = \"convex_hull\", points = [{points}] }} }}")
}

/// What a body is: its name, shape, mass, material and collision groups.
struct Part<'a> {
    name: String,
    shape: &'a str,
    mass: f64,
    material: &'a str,
    groups: &'a str,
}

const UPPER: &str = "{ member = [3], collides = [0, 4] }";
const WHEELS: &str = "{ member = [2], collides = [1, 4] }";
const TRACK: &str = "{ member = [1], collides = [0, 2, 4] }";

impl Part<'_> {
    /// Writes it at a place, turned about an axis by an angle in degrees.
    fn put(&self, text: &mut String, place: [f64; 3], axis: [u8; 3], angle: f64) {
        let [x, y, z] = place;
        let _ = write!(
            text,
            "\n[[bodies]]\nname = \"{}\"\nshape = \"{}\"\nmass = {}\nmaterial = \"{}\"\ngroups = {}\n\
             position = [{x:.6}, {y:.6}, {z:.6}]\nrotation = {{ axis = {axis:?}, angle = {angle:.6} }}\n",
            self.name, self.shape, self.mass, self.material, self.groups
        );
    }
}

fn hinge(text: &mut String, name: &str, bodies: [&str; 2], place: [f64; 3]) {
    let [x, y, z] = place;
    let _ = write!(
        text,
        "\n[[joints]]\nname = \"{name}\"\nbodies = {bodies:?}\n\
         kind = {{ type = \"revolute\", point = [{x:.6}, {y:.6}, {z:.6}], axis = [0, 1, 0] }}\n"
    );
}

fn chassis(text: &mut String) {
    let part = |name: &str, mass: f64, material| Part {
        name: name.into(),
        shape: if name == "blade" { "blade" } else { "hull" },
        mass,
        material,
        groups: UPPER,
    };
    let middle = [0.5 * wheel_base(), 0.0, 0.75];
    part("chassis", 4500.0, "wheel").put(text, middle, [0, 1, 0], 0.0);
    // Its lower edge is a finger's breadth over the ground: less than a pebble.
    let blade = [BLADE, 0.0, 0.01 + half_plate()];
    part("blade", 500.0, "blade").put(text, blade, [0, 1, 0], 0.0);
    let _ = write!(
        text,
        "\n[[joints]]\nname = \"arms\"\nbodies = [\"chassis\", \"blade\"]\n\
         kind = {{ type = \"fixed\", point = [{:.6}, 0, {:.6}] }}\n",
        blade[0], blade[2]
    );
}

fn wheels(text: &mut String, side: &str, y: f64) {
    let (base, high) = (wheel_base(), axle_height());
    let mut list = vec![
        ("sprocket".to_string(), "sprocket", [0.0, y, high]),
        ("idler".into(), "idler", [base, y, high]),
    ];
    let low = PIN_HEIGHT + RAIL + ROLLER_RADIUS;
    let between = (base - 2.0 * FIRST_ROLLER) / (ROLLERS - 1) as f64;
    list.extend((0..ROLLERS).map(|k| {
        let x = FIRST_ROLLER + between * k as f64;
        (format!("roller {k}"), "roller", [x, y, low])
    }));
    for (name, shape, place) in list {
        let part = Part {
            name: format!("{side} {name}"),
            shape,
            mass: 25.0,
            material: "wheel",
            groups: WHEELS,
        };
        // The axis of a cylinder is its z; that of the sprocket is turned inside its shape.
        let angle = if shape == "sprocket" { 0.0 } else { 90.0 };
        part.put(text, place, [1, 0, 0], angle);
        hinge(
            text,
            &format!("{side} {name} axle"),
            ["chassis", &part.name],
            place,
        );
        if shape == "sprocket" {
            text.push_str("motors = [{ type = \"speed\", target = { type = \"table\", times = [0, \"start\", \"start + ramp\"], values = [0, 0, \"speed\"] } }]\n");
        }
    }
}

/// The shoes of a track, and the pins that close it to a loop.
fn track(text: &mut String, side: &str, y: f64) {
    let name = |k: usize| format!("{side} shoe {}", k % SHOES);
    let mut pin = [PITCH * (rise().cos() - 0.5), PIN_HEIGHT];
    let mut pins = Vec::new();
    for (k, angle) in directions().into_iter().enumerate() {
        let (sine, cosine) = angle.sin_cos();
        let next = [pin[0] + PITCH * cosine, pin[1] + PITCH * sine];
        let part = Part {
            name: name(k),
            shape: "shoe",
            mass: 20.0,
            material: "shoe",
            groups: TRACK,
        };
        let middle = [0.5 * (pin[0] + next[0]), y, 0.5 * (pin[1] + next[1])];
        part.put(text, middle, [0, 1, 0], 180.0 - angle.to_degrees());
        pin = next;
        pins.push(pin);
    }
    for (k, [x, z]) in pins.into_iter().enumerate() {
        let bodies = [name(k), name(k + 1)];
        hinge(
            text,
            &format!("{side} pin {k}"),
            [&bodies[0], &bodies[1]],
            [x, y, z],
        );
    }
}
