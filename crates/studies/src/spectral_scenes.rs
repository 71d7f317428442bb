//! The four benchmarks of Tasora 2013 as scene files.

use moreau_contact_solvers::generate::SplitMix64;
use std::fmt::Write;

const OPENING: &str =
    "duration = 1\n\n[simulation]\ntime_step = 0.01\n\n[materials.default]\nfriction = 0.4\n";
/// For spheres that the paper calls smooth.
const SMOOTH_OPENING: &str =
    "duration = 1\n\n[simulation]\ntime_step = 0.01\n\n[materials.default]\nfriction = 0\n";
const FLOOR: &str =
    "\n[[bodies]]\nname = \"floor\"\nkind = \"fixed\"\nshape = { type = \"half_space\" }\n";

/// B1: a lattice of `edge`³ parts of 1 to 10 kg with rods along its edges, from the highest layer to the ceiling, and along
/// diagonals until there are `rods`.
pub fn network(edge: usize, rods: usize) -> String {
    let mut text = format!("title = \"Network of rods\"\n{OPENING}");
    let place = |k: usize| [k % edge, k / edge % edge, k / (edge * edge)];
    let index = |p: [usize; 3]| p[0] + edge * (p[1] + edge * p[2]);
    let point = |p: [usize; 3]| format!("[{}, {}, {}]", p[0], p[1], p[2]);
    let parts = edge * edge * edge;
    // A lattice of equal masses has so few different eigenvalues that Krylov methods end in a dozen iterations.
    let mut random = SplitMix64::new(1);
    for k in 0..parts {
        let _ = write!(
            text,
            "\n[[bodies]]\nname = \"part{k}\"\nmass = {}\ninertia = [0.01, 0.01, 0.01]\nposition = {}\n",
            1.0 + random.between(0.0, 9.0),
            point(place(k))
        );
    }
    let rod = |text: &mut String, first: &str, second: usize, from: String, to: String| {
        let _ = write!(
            text,
            "\n[[joints]]\nbodies = [\"{first}\", \"part{second}\"]\nkind = {{ type = \"distance\", points = [{from}, {to}] }}\n"
        );
    };
    let mut count = 0;
    for k in parts - edge * edge..parts {
        let p = place(k);
        let above = format!("[{}, {}, {}]", p[0], p[1], edge);
        rod(&mut text, "world", k, above, point(p));
        count += 1;
    }
    // Edges along x, y and z, then diagonals of the faces along xy and yz.
    for step in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]] {
        for k in 0..parts {
            let from = place(k);
            let to = [0, 1, 2].map(|axis| from[axis] + step[axis]);
            if count < rods && to.iter().all(|c| *c < edge) {
                rod(
                    &mut text,
                    &format!("part{k}"),
                    index(to),
                    point(from),
                    point(to),
                );
                count += 1;
            }
        }
    }
    text
}

/// B2: smooth spheres that fall into a box.
pub fn spheres(across: usize, layers: usize) -> String {
    let width = 0.36 * across as f64;
    let first = -0.165 * (across as f64 - 1.0);
    format!(
        "title = \"Smooth spheres in a box\"\n{SMOOTH_OPENING}\n[solver]\nlaw = \"relaxed\"\n\n\
         [[bodies]]\nkind = \"fixed\"\nshape = {{ type = \"open_box\", half_extents = [{0}, {0}, {1}], thickness = 0.1 }}\n\
         position = [0, 0, {1}]\n\n\
         [[generators]]\ntype = \"grid\"\ncounts = [{across}, {across}, {layers}]\nspacing = [0.33, 0.33, 0.33]\n\
         origin = [{first}, {first}, 0.17]\njitter = 0.012\nmix = [{{ radius = 0.15, density = 1000 }}]\n",
        0.5 * width,
        0.25 * layers as f64
    )
}

/// B3: plates of these masses on one another.
pub fn plates(masses: &[f64]) -> String {
    let mut text = format!("title = \"Stack of plates\"\n{OPENING}{FLOOR}");
    for (k, mass) in masses.iter().enumerate() {
        let _ = write!(
            text,
            "\n[[bodies]]\nshape = {{ type = \"box\", half_extents = [0.5, 0.5, 0.05] }}\nmass = {mass}\nposition = [0, 0, {}]\n",
            0.05 + 0.1 * k as f64
        );
    }
    text
}

/// B4: a ball about to hit a wall of bricks in bond, `across` in each of `courses`, an even number.
pub fn wrecking(across: usize, courses: usize) -> String {
    let mut text = format!("title = \"Wrecking ball\"\n{OPENING}{FLOOR}");
    let middle = 0.1 * across as f64;
    let height = 0.06 * courses as f64;
    let _ = write!(
        text,
        "\n[shapes.brick]\ntype = \"box\"\nhalf_extents = [0.098, 0.05, 0.04]\n\n\
         [[bodies]]\nname = \"ball\"\nshape = {{ type = \"sphere\", radius = 0.25 }}\nmass = 500\n\
         position = [{middle}, -0.31, {height}]\nvelocity = [0, 10, 0]\n"
    );
    for (row, shift) in [(0.0, 0.0), (1.0, 0.1)] {
        let _ = write!(
            text,
            "\n[[generators]]\ntype = \"grid\"\ncounts = [{across}, 1, {}]\nspacing = [0.2, 1, 0.16]\n\
             origin = [{shift}, 0, {}]\nmix = [{{ shape = \"brick\", density = 2000 }}]\n",
            courses / 2,
            0.04 + 0.08 * row
        );
    }
    text
}
