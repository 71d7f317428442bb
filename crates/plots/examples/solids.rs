//! Draws a pile of spheres and boxes in an open box.
//!
//! `cargo run --release -p moreau-plots --example solids -- pile.png`

use moreau_plots::{PlotError, Solid, SolidsPicture, speed_colour};

/// The corners and triangles of a box turned by `angle` about the vertical.
fn cuboid(centre: [f64; 3], half: [f64; 3], angle: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let vertices = (0..8)
        .map(|k| {
            let side = |axis: usize| {
                if k >> axis & 1 == 1 {
                    half[axis]
                } else {
                    -half[axis]
                }
            };
            let (x, y) = (side(0), side(1));
            [
                centre[0] + angle.cos() * x - angle.sin() * y,
                centre[1] + angle.sin() * x + angle.cos() * y,
                centre[2] + side(2),
            ]
        })
        .collect();
    let sides: [[u32; 4]; 6] = [
        [0, 2, 3, 1],
        [0, 1, 5, 4],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [2, 6, 7, 3],
        [4, 5, 7, 6],
    ];
    let triangles = sides
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    (vertices, triangles.collect())
}

fn main() -> Result<(), PlotError> {
    let path = std::env::args().nth(1).unwrap_or("solids.png".into());
    let mut items = Vec::new();
    for layer in 0..4 {
        let side = 4 - layer;
        for i in 0..side {
            for j in 0..side {
                let start = 0.5 * f64::from(layer) - 1.5;
                let height = 0.5 + 0.5_f64.sqrt() * f64::from(layer);
                items.push(Solid::Sphere {
                    centre: [start + f64::from(i), start + f64::from(j), height],
                    radius: 0.5,
                    colour: speed_colour(f64::from(items.len() as u32) / 29.0),
                });
            }
        }
    }
    for (centre, angle) in [
        ([2.7, -1.2, 0.4], 0.3),
        ([2.8, 0.3, 0.4], 1.0),
        ([2.7, -1.1, 1.2], 0.8),
        ([-2.8, -1.5, 0.4], 0.5),
    ] {
        let (vertices, triangles) = cuboid(centre, [0.4; 3], angle);
        items.push(Solid::Mesh {
            vertices,
            triangles,
            colour: [86, 180, 233],
            opacity: 1.0,
        });
    }
    // The last side of a box is its lid.
    let (vertices, mut triangles) = cuboid([0.0, 0.0, 1.25], [3.6, 2.3, 1.25], 0.0);
    triangles.truncate(10);
    items.push(Solid::Mesh {
        vertices,
        triangles,
        colour: [150, 170, 190],
        opacity: 0.3,
    });
    let ground = [
        [-1e3, -1e3, -0.01],
        [1e3, -1e3, -0.01],
        [1e3, 1e3, -0.01],
        [-1e3, 1e3, -0.01],
    ];
    let picture = SolidsPicture {
        items,
        backdrop: vec![Solid::Mesh {
            vertices: ground.to_vec(),
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            colour: [236, 236, 232],
            opacity: 1.0,
        }],
        caption: Some("30 spheres and 4 boxes in an open box, t = 1.25 s".into()),
        ..SolidsPicture::default()
    };
    picture.save_png(path)
}
