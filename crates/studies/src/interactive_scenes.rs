//! The nine configurations of Silcowitz et al. 2010, Fig. 4, as scene files.

use std::fmt::Write;

/// A configuration with its row of Table 1.
pub struct Configuration {
    /// The letter in the paper's figures.
    pub letter: char,
    /// What it is.
    pub title: &'static str,
    /// Bodies, constraints and eigenvalues above the threshold (Table 1).
    pub published: [f64; 3],
    /// Steps before the problem is taken.
    pub steps: usize,
    /// The scene.
    pub scene: String,
}

/// All nine.
pub fn all() -> Vec<Configuration> {
    let entry = |letter, title, published, steps, scene| Configuration {
        letter,
        title,
        published,
        steps,
        scene,
    };
    vec![
        entry('a', "boxes on a slope", [14.0, 171.0, 54.0], 5, slope()),
        entry('b', "pyramid of boxes", [30.0, 519.0, 157.0], 5, pyramid()),
        entry('c', "large stack", [14.0, 156.0, 54.0], 5, large_stack()),
        entry(
            'd',
            "small pyramid of gears",
            [11.0, 216.0, 36.0],
            60,
            gears(3),
        ),
        entry('e', "pyramid of gears", [15.0, 198.0, 60.0], 60, gears(4)),
        entry('f', "small stack", [9.0, 51.0, 24.0], 5, small_stack()),
        entry('g', "arch of hinged boxes", [11.0, 42.0, 36.0], 1, arch()),
        entry(
            'h',
            "heavy on light",
            [15.0, 168.0, 62.0],
            5,
            heavy_on_light(),
        ),
        entry('i', "suspended snake", [11.0, 30.0, 30.0], 5, snake()),
    ]
}

/// Everything but the bodies one sees: step, friction, a floor, and four walls at the distance `walls`.
fn opening(title: &str, gravity: [f64; 3], walls: f64) -> String {
    let mut text = format!(
        "title = \"{title}\"\nduration = 1\n\n[simulation]\ntime_step = 0.01\ngravity = {gravity:?}\n\n\
         [materials.default]\nfriction = 0.5\n\n\
         [[bodies]]\nname = \"floor\"\nkind = \"fixed\"\nshape = {{ type = \"half_space\" }}\n"
    );
    for (position, axis, angle) in [
        ([walls, 0.0, 0.0], [0, 1, 0], -90),
        ([-walls, 0.0, 0.0], [0, 1, 0], 90),
        ([0.0, walls, 0.0], [1, 0, 0], 90),
        ([0.0, -walls, 0.0], [1, 0, 0], -90),
    ] {
        let _ = write!(
            text,
            "\n[[bodies]]\nkind = \"fixed\"\nshape = {{ type = \"half_space\" }}\nposition = {position:?}\n\
             rotation = {{ axis = {axis:?}, angle = {angle} }}\n"
        );
    }
    text
}

/// Far enough to touch nothing.
const FAR: f64 = 30.0;
const DOWN: [f64; 3] = [0.0, 0.0, -9.81];

/// A cube of edge 1 at x and z.
fn cube(text: &mut String, x: f64, z: f64, mass: f64) {
    let _ = write!(
        text,
        "\n[[bodies]]\nshape = {{ type = \"box\", half_extents = [0.5, 0.5, 0.5] }}\nmass = {mass}\n\
         position = [{x}, 0, {z}]\n"
    );
}

/// Three columns of three boxes, side by side, on a slope of 15 degrees; the slope is in the direction of gravity.
fn slope() -> String {
    let angle = 15f64.to_radians();
    let gravity = [9.81 * angle.sin(), 0.0, -9.81 * angle.cos()];
    let mut text = opening("Boxes on a slope", gravity, FAR);
    for (column, row) in (0..9).map(|k| (k % 3, k / 3)) {
        cube(&mut text, f64::from(column), 0.5 + f64::from(row), 1.0);
    }
    text
}

/// Rows of 7, 6, 5, 4 and 3 boxes, each box on two.
fn pyramid() -> String {
    let mut text = opening("Pyramid of boxes", DOWN, FAR);
    for row in 0..5 {
        for k in 0..7 - row {
            let x = 1.05 * (f64::from(k) + 0.5 * f64::from(row));
            cube(&mut text, x, 0.5 + f64::from(row), 1.0);
        }
    }
    text
}

/// Two boxes, one across them, two on that one, and so on.
fn large_stack() -> String {
    let mut text = opening("Large stack of boxes", DOWN, FAR);
    for row in 0..6 {
        let z = 0.5 + f64::from(row);
        if row % 2 == 0 {
            cube(&mut text, -0.52, z, 1.0);
            cube(&mut text, 0.52, z, 1.0);
        } else {
            cube(&mut text, 0.0, z, 1.0);
        }
    }
    text
}

fn small_stack() -> String {
    let mut text = opening("Small stack of boxes", DOWN, FAR);
    for row in 0..4 {
        cube(&mut text, 0.0, 0.5 + f64::from(row), 1.0);
    }
    text
}

/// Nine light boxes in three columns under a heavy one that is as wide as they are together; masses 1 : 100.
fn heavy_on_light() -> String {
    let mut text = opening("Heavy on light", DOWN, FAR);
    for (column, row) in (0..9).map(|k| (k % 3, k / 3)) {
        let x = 1.05 * (f64::from(column) - 1.0);
        cube(&mut text, x, 0.5 + f64::from(row), 1.0);
    }
    let _ = write!(
        text,
        "\n[[bodies]]\nshape = {{ type = \"box\", half_extents = [1.55, 0.5, 0.5] }}\nmass = 100\n\
         position = [0, 0, 3.5]\n"
    );
    text
}

/// Gears of eight teeth, standing, in rows of `base`, `base` − 1, …, 1, between walls that hold the lowest row.
fn gears(base: i32) -> String {
    let mut text = opening("Pyramid of gears", DOWN, 0.53 * f64::from(base));
    text.push_str("\n[shapes.gear]\ntype = \"compound\"\nparts = [\n");
    for bar in 0..4 {
        let _ = writeln!(
            text,
            "  {{ shape = {{ type = \"box\", half_extents = [0.5, 0.2, 0.09] }}, rotation = {{ axis = [0, 1, 0], angle = {} }} }},",
            45 * bar
        );
    }
    text.push_str("]\n");
    for row in 0..base {
        for k in 0..base - row {
            let x = 1.04 * (f64::from(k) - 0.5 * f64::from(base - row - 1));
            let z = 0.51 + 1.02 * f64::from(row);
            let _ = write!(
                text,
                "\n[[bodies]]\nshape = \"gear\"\nmass = 1\nposition = [{x}, 0, {z}]\n"
            );
        }
    }
    text
}

/// A box of length 1 along x, turned about y, and its name.
fn link(text: &mut String, name: usize, x: f64, z: f64, angle: f64) {
    let _ = write!(
        text,
        "\n[[bodies]]\nname = \"link{name}\"\nshape = {{ type = \"box\", half_extents = [0.5, 0.15, 0.15] }}\nmass = 1\n\
         position = [{x}, 0, {z}]\nrotation = {{ axis = [0, 1, 0], angle = {angle} }}\n"
    );
}

fn hinge(text: &mut String, first: &str, second: usize, x: f64, z: f64) {
    let _ = write!(
        text,
        "\n[[joints]]\nbodies = [\"{first}\", \"link{second}\"]\n\
         kind = {{ type = \"revolute\", point = [{x}, 0, {z}], axis = [0, 1, 0] }}\n"
    );
}

/// Six hinged boxes along a half circle, standing on its ends.
fn arch() -> String {
    let mut text = opening("Arch of hinged boxes", DOWN, FAR);
    let part = 30f64.to_radians();
    let radius = 0.5 / (0.5 * part).sin();
    // The feet stand on an edge, which lies below the middle of the end.
    let lift = 0.15 * (0.5 * part).sin();
    for k in 0..6 {
        let angle = (f64::from(k) + 0.5) * part;
        let middle = radius * (0.5 * part).cos();
        link(
            &mut text,
            k as usize,
            middle * angle.cos(),
            middle * angle.sin() + lift,
            90.0 - angle.to_degrees(),
        );
    }
    for k in 1..6 {
        let angle = f64::from(k) * part;
        let first = format!("link{}", k - 1);
        hinge(
            &mut text,
            &first,
            k as usize,
            radius * angle.cos(),
            radius * angle.sin() + lift,
        );
    }
    text
}

/// Six hinged boxes in a row; the first hangs on the world.
fn snake() -> String {
    let mut text = opening("Suspended snake", DOWN, FAR);
    for k in 0..6 {
        link(&mut text, k, k as f64 + 0.5, 4.0, 0.0);
    }
    for k in 0..6 {
        let first = match k {
            0 => "world".to_string(),
            _ => format!("link{}", k - 1),
        };
        hinge(&mut text, &first, k, k as f64, 4.0);
    }
    text
}
