//! The pile of pebbles before the blade of the bulldozer, as part of a scene file.

use std::fmt::Write;

/// Semi-axes of a pebble: the volume of a sphere of 0.02 m, 0.067 kg.
pub const PEBBLE: [f64; 3] = [0.025, 0.02, 0.016];
/// Distance of the pebbles of a layer along x and y, and of the layers.
const SPACING: [f64; 3] = [0.0505, 0.0405, 0.0285];

/// A pile: layers of pebbles, each a row shorter than the one below.
#[derive(Clone, Copy)]
pub struct Pile {
    /// Layers.
    pub layers: usize,
    /// Pebbles of the lowest layer along the way of the vehicle.
    pub length: usize,
    /// Pebbles of the even layers across it; odd layers have one less.
    pub across: usize,
}

impl Pile {
    /// Writes it, beginning at a place along x, in m.
    pub fn put(self, text: &mut String, begin: f64) {
        let _ = write!(
            text,
            "\n[shapes.pebble]\ntype = \"ellipsoid\"\nsemi_axes = {PEBBLE:?}\n"
        );
        for k in 0..self.layers {
            let across = self.across - k % 2;
            let _ = write!(
                text,
                "\n[[generators]]\ntype = \"grid\"\nname = \"pebble.{k}\"\ncounts = [{}, {across}, 1]\nspacing = [{}, {}, 1]\n\
             origin = [{:.5}, {:.5}, {:.5}]\nmix = [{{ shape = \"pebble\", material = \"soil\" }}]\n",
                self.length - k,
                SPACING[0],
                SPACING[1],
                begin + 0.5 * SPACING[0] * k as f64,
                -0.5 * SPACING[1] * (across - 1) as f64,
                1.03 * PEBBLE[2] + SPACING[2] * k as f64
            );
        }
    }
}
