//! How series and forces are told apart, also without colour vision.

use crate::scene::{Point, Rgb, Scene, WHITE};

/// The palette of Okabe and Ito without its yellow, which is lost on white.
const PALETTE: [Rgb; 7] = [
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (34, 34, 34),
    (230, 159, 0),
    (86, 180, 233),
];

/// Lengths drawn and skipped; the ends are round and add a little to each dash.
const DASHES: [&[f64]; 4] = [&[], &[8.0, 5.0], &[8.0, 4.5, 0.5, 4.5], &[0.5, 4.0]];

const MARKERS: usize = 5;

/// Colour, dash pattern and marker of a series. The numbers of each have no
/// common divisor: the first 140 series all look different.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeriesStyle {
    pub color: Rgb,
    pub dash: &'static [f64],
    marker: usize,
}

impl SeriesStyle {
    pub fn of(index: usize) -> Self {
        SeriesStyle {
            color: PALETTE[index % PALETTE.len()],
            dash: DASHES[index % DASHES.len()],
            marker: index % MARKERS,
        }
    }

    /// Draws the marker of the series around `at`, with a white rim.
    pub fn mark(&self, scene: &mut Scene, at: Point) {
        for (radius, color) in [(5.6, WHITE), (4.2, self.color)] {
            match self.marker {
                0 => scene.disc(at, radius, color),
                1 => scene.polygon(corners(at, 1.2 * radius, 4, 45.0), color),
                2 => scene.polygon(corners(at, 1.3 * radius, 3, -90.0), color),
                3 => scene.polygon(corners(at, 1.25 * radius, 4, 0.0), color),
                _ => scene.polygon(corners(at, 1.3 * radius, 3, 90.0), color),
            }
        }
    }
}

/// The corners of a regular polygon, the first at `degrees`.
fn corners(at: Point, radius: f64, count: usize, degrees: f64) -> Vec<Point> {
    let corner = |k: usize| {
        let angle = degrees.to_radians() + k as f64 * std::f64::consts::TAU / count as f64;
        (at.0 + radius * angle.cos(), at.1 + radius * angle.sin())
    };
    (0..count).map(corner).collect()
}

/// From weak to strong: darkness grows all the way, so that the map reads the
/// same in grey and for every kind of colour vision.
const HEAT: [Rgb; 9] = [
    (250, 216, 140),
    (250, 188, 84),
    (247, 156, 46),
    (236, 121, 32),
    (216, 87, 42),
    (186, 57, 64),
    (146, 36, 82),
    (100, 22, 84),
    (48, 12, 64),
];

/// The colour of a force; `strength` runs from 0 to 1.
pub(crate) fn heat(strength: f64) -> Rgb {
    let place = strength.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let below = (place as usize).min(HEAT.len() - 2);
    blend(HEAT[below], HEAT[below + 1], place - below as f64)
}

/// The colour `share` of the way from `a` to `b`.
pub(crate) fn blend(a: Rgb, b: Rgb, share: f64) -> Rgb {
    let mix = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round() as u8;
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_series_look_different() {
        let styles: Vec<_> = (0..100).map(SeriesStyle::of).collect();
        for (i, style) in styles.iter().enumerate() {
            assert!(!styles[..i].contains(style), "series {i} repeats");
        }
    }

    #[test]
    fn stronger_forces_are_darker() {
        let grey = |c: Rgb| 0.3 * f64::from(c.0) + 0.59 * f64::from(c.1) + 0.11 * f64::from(c.2);
        let greys: Vec<_> = (0..=50).map(|k| grey(heat(f64::from(k) / 50.0))).collect();
        assert!(greys.windows(2).all(|pair| pair[1] < pair[0]));
        assert_eq!(heat(-1.0), HEAT[0]);
        assert_eq!(heat(2.0), HEAT[8]);
    }
}
