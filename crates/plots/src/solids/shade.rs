//! Light, shadow and outlines.

use super::View;
use super::camera::{Camera, Shape, Surface, Vector, dot, minus, unit};
use super::raster::{DepthBuffer, NOTHING};

/// The largest side of the shadow map, in samples.
const MOST_SHADOW: usize = 2048;
/// Samples of the shadow map between two looks at it: the softness.
const SOFTNESS: f64 = 2.0;
/// Faces of a mesh that turn by more than this are told apart: the cosine.
pub(super) const CREASE: f64 = 0.88;

/// The brightness of a shaded point.
const AMBIENT: f64 = 0.47;
const FROM_ABOVE: f64 = 0.08;
const DIFFUSE: f64 = 0.50;
/// The part of the direct light that a shadow takes away.
const SHADOW: f64 = 0.8;
const GLOSS: f64 = 0.22;
const SHARPNESS: i32 = 30;
const OUTLINE: f64 = 0.42;
const CREASE_LINE: f64 = 0.78;

/// A distant lamp behind the viewer's left shoulder, and what it reaches.
pub(super) struct Light {
    /// The direction towards the lamp, in the coordinates of the picture.
    towards: Vector,
    /// Half-way between the lamp and the viewer.
    half: Vector,
    up: Vector,
    /// The solids as the lamp sees them.
    map: DepthBuffer,
    /// From a place in the picture to a place in the map.
    matrix: [Vector; 3],
    offset: Vector,
    centre: Vector,
    /// Samples of the picture in one of the map.
    step: f64,
}

impl Light {
    /// `casters` are the surfaces that throw shadows, in space.
    pub fn new(camera: &Camera, view: View, casters: &[Surface], samples: usize) -> Self {
        let [right, down, away] = camera.axes;
        let up = unit(view.up).unwrap_or(down.map(|x| -x));
        let towards: Vector =
            std::array::from_fn(|k| up[k] - 0.2 * down[k] - 0.5 * right[k] - 0.8 * away[k]);
        let towards = unit(towards).unwrap_or(up);

        let size = samples.min(MOST_SHADOW);
        let lamp = View {
            direction: towards.map(|x| -x),
            up: away,
        };
        let (from, to) = ([2.0, 2.0], [size as f64 - 2.0; 2]);
        let opaque: Vec<Surface> = casters
            .iter()
            .filter(|s| s.opacity >= 1.0)
            .copied()
            .collect();
        let lamp = Camera::framing(lamp, &opaque, from, to);
        let mut map = DepthBuffer::new(size, size);
        let seen: Vec<Surface> = opaque.iter().map(|s| lamp.place(s)).collect();
        map.draw_all(&seen);

        let ratio = lamp.scale / camera.scale;
        let matrix = lamp
            .axes
            .map(|row| camera.axes.map(|column| ratio * dot(row, column)));
        let between = minus(camera.middle, lamp.middle);
        let offset =
            std::array::from_fn(|k| lamp.scale * dot(lamp.axes[k], between) + lamp.centre[k]);
        let seen = |v: Vector| camera.axes.map(|axis| dot(axis, v));
        let towards = seen(towards);
        let half = [towards[0], towards[1], towards[2] - 1.0];
        Light {
            towards,
            half: unit(half).unwrap_or(towards),
            up: seen(up),
            map,
            matrix,
            offset,
            centre: camera.centre,
            step: 1.0 / ratio,
        }
    }

    /// The colour of a point of a surface, seen in sample (`x`, `y`).
    pub fn colour(&self, surface: &Surface, x: usize, y: usize, depth: f32) -> [u8; 3] {
        let at = [x as f64 + 0.5, y as f64 + 0.5, f64::from(depth)];
        let normal = match &surface.shape {
            Shape::Ball { centre, radius } => minus(at, *centre).map(|d| d / radius),
            Shape::Face { normal, .. } => *normal,
        };
        let facing = dot(normal, self.towards);
        let mut light = AMBIENT + FROM_ABOVE * dot(normal, self.up);
        let mut gloss = 0.0;
        if facing > 0.0 {
            let lit = self.lit(at, normal, x % 2 + 2 * (y % 2));
            light += DIFFUSE * (1.0 - SHADOW + SHADOW * lit) * facing;
            if let Shape::Ball { .. } = surface.shape {
                gloss = GLOSS * lit * dot(normal, self.half).max(0.0).powi(SHARPNESS);
            }
        }
        surface
            .colour
            .map(|c| (f64::from(c) * light.max(0.0) + 255.0 * gloss).round() as u8)
    }

    /// The part of the lamp seen from a point. The four samples of a pixel look
    /// at different places of the shadow map, sixteen together.
    fn lit(&self, at: Vector, normal: Vector, phase: usize) -> f64 {
        // Off the surface by more than the farthest look aside, so that it does
        // not shade itself.
        let off = 2.5 * SOFTNESS * self.step;
        let p: Vector = std::array::from_fn(|k| at[k] + off * normal[k] - self.centre[k]);
        let place: Vector = std::array::from_fn(|k| dot(self.matrix[k], p) + self.offset[k]);
        let mut seen = 0;
        for tap in 0..4 {
            let shift = |tap: usize, phase: usize| (tap * 2 + phase) as f64 - 1.5;
            let x = place[0] + SOFTNESS * shift(tap % 2, phase % 2);
            let y = place[1] + SOFTNESS * shift(tap / 2, phase / 2);
            let inside = |v: f64| v >= 0.0 && v < self.map.width as f64;
            let hidden = inside(x)
                && inside(y)
                && f64::from(self.map.depth[y as usize * self.map.width + x as usize])
                    < place[2] - SOFTNESS;
            seen += u32::from(!hidden);
        }
        f64::from(seen) / 4.0
    }
}

/// The colours of all samples, with outlines, without glass.
pub(super) fn shade(
    buffer: &DepthBuffer,
    surfaces: &[Surface],
    light: &Light,
    background: [u8; 3],
) -> Vec<[u8; 3]> {
    let widest = buffer.width.min(buffer.height) as f64 / 700.0;
    let mut samples = vec![background; buffer.width * buffer.height];
    for (sample, colour) in samples.iter_mut().enumerate() {
        let id = buffer.surface[sample];
        if id != NOTHING {
            let (x, y) = (sample % buffer.width, sample / buffer.width);
            let surface = &surfaces[id as usize];
            *colour = light.colour(surface, x, y, buffer.depth[sample]);
            let ink = outline(buffer, surfaces, x, y, widest);
            if ink < 1.0 {
                *colour = colour.map(|c| (f64::from(c) * ink).round() as u8);
            }
        }
    }
    samples
}

/// How much a sample is darkened because a solid ends there, or a mesh turns.
/// The line lies on the nearer solid: silhouettes keep their size.
fn outline(buffer: &DepthBuffer, surfaces: &[Surface], x: usize, y: usize, widest: f64) -> f64 {
    let here = y * buffer.width + x;
    let (id, depth) = (buffer.surface[here], buffer.depth[here]);
    let surface = &surfaces[id as usize];
    // Small grains get thin lines, or nothing else would be left of them.
    let reach = match surface.shape {
        Shape::Ball { radius, .. } => widest.min(radius / 8.0),
        Shape::Face { .. } => widest,
    };
    let reach = reach.round().max(1.0) as isize;
    let aslant = (reach * 7 + 5) / 10;
    let mut ink = 1.0_f64;
    for (dx, dy) in [
        (reach, 0),
        (-reach, 0),
        (0, reach),
        (0, -reach),
        (aslant, aslant),
        (aslant, -aslant),
        (-aslant, aslant),
        (-aslant, -aslant),
    ] {
        let (Some(column), Some(row)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else {
            continue;
        };
        if column >= buffer.width || row >= buffer.height {
            continue;
        }
        let there = row * buffer.width + column;
        let other = buffer.surface[there];
        if other == id {
            continue;
        }
        let farther = buffer.depth[there] - depth;
        if other == NOTHING || surfaces[other as usize].solid != surface.solid {
            if farther > 0.0 {
                return OUTLINE;
            }
        } else if let (Shape::Face { normal: a, .. }, Shape::Face { normal: b, .. }) =
            (&surface.shape, &surfaces[other as usize].shape)
        {
            // The depth that the plane of this face has there, and a bit.
            let plane = -(a[0] * dx as f64 + a[1] * dy as f64) / a[2].min(-0.05);
            if f64::from(farther) > plane.abs() + 6.0 * reach as f64 {
                ink = ink.min(OUTLINE);
            } else if dot(*a, *b) < CREASE {
                ink = ink.min(CREASE_LINE);
            }
        }
    }
    ink
}
