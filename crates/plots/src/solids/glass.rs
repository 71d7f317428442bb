//! Containers that one looks into: the walls behind their content, half
//! transparent, and their edges.

use super::camera::{Shape, Surface, Vector, dot, minus, unit};
use super::raster::{DepthBuffer, each_of_triangle};
use super::shade::{CREASE, Light};

/// How strongly edges are drawn.
const EDGE: f64 = 0.65;

/// Draws all that is not opaque over the samples.
pub(super) fn draw_glass(
    buffer: &DepthBuffer,
    surfaces: &[Surface],
    light: &Light,
    samples: &mut [[u8; 3]],
) {
    let mut walls: Vec<Wall> = surfaces.iter().filter_map(Wall::of).collect();
    let edges = edges(&walls);
    // The farthest first; walls of equal distance keep their order.
    walls.sort_by(|a, b| b.distance().total_cmp(&a.distance()));

    let (width, height) = (buffer.width, buffer.height);
    for wall in walls.iter().filter(|wall| wall.behind) {
        each_of_triangle(width, height, &wall.corners, &mut |sample, depth| {
            if depth < buffer.depth[sample] {
                let (x, y) = (sample % width, sample / width);
                let colour = light.colour(wall.surface, x, y, depth);
                mix(&mut samples[sample], colour, wall.surface.opacity);
            }
        });
    }
    let half = (buffer.width.min(buffer.height) as f64 / 1400.0).max(0.5);
    for edge in &edges {
        for corners in edge.strip(half) {
            each_of_triangle(width, height, &corners, &mut |sample, depth| {
                if depth - 2.0 < buffer.depth[sample] {
                    mix(&mut samples[sample], edge.colour, EDGE);
                }
            });
        }
    }
}

fn mix(sample: &mut [u8; 3], colour: [u8; 3], share: f64) {
    for (old, new) in sample.iter_mut().zip(colour) {
        let (from, to) = (f64::from(*old), f64::from(new));
        *old = (from + share * (to - from)).round() as u8;
    }
}

/// A triangle of a container.
struct Wall<'a> {
    surface: &'a Surface,
    corners: [Vector; 3],
    normal: Vector,
    /// The wall is behind the content, seen from the viewer.
    behind: bool,
}

impl<'a> Wall<'a> {
    fn of(surface: &'a Surface) -> Option<Self> {
        let Shape::Face { corners, normal } = surface.shape else {
            return None;
        };
        // The normal looks at the viewer. A wall between the viewer and the
        // middle of the container looks away from that middle.
        let off_middle = dot(normal, minus(corners[0], surface.middle));
        (surface.opacity < 1.0).then_some(Wall {
            surface,
            corners,
            normal,
            behind: off_middle < 0.5,
        })
    }

    fn distance(&self) -> f64 {
        self.corners.iter().map(|p| p[2]).sum()
    }
}

/// A line where a container ends, turns, or goes from behind to before.
struct Edge {
    ends: [Vector; 2],
    colour: [u8; 3],
}

impl Edge {
    /// The line as two triangles of the given half width.
    fn strip(&self, half: f64) -> [[Vector; 3]; 2] {
        let [a, b] = self.ends;
        let along = unit([b[0] - a[0], b[1] - a[1], 0.0]).unwrap_or([1.0, 0.0, 0.0]);
        let shift = |p: Vector, s: f64| [p[0] - s * along[1], p[1] + s * along[0], p[2]];
        let corners = [
            shift(a, half),
            shift(a, -half),
            shift(b, half),
            shift(b, -half),
        ];
        [
            [corners[0], corners[1], corners[2]],
            [corners[2], corners[1], corners[3]],
        ]
    }
}

/// The edges of all containers. Corners at the same place are the same corner:
/// many mesh files repeat them for each triangle.
fn edges(walls: &[Wall]) -> Vec<Edge> {
    let mut sides: Vec<(u32, [Vector; 2], &Wall)> = Vec::with_capacity(3 * walls.len());
    for wall in walls {
        for k in 0..3 {
            let mut ends = [wall.corners[k], wall.corners[(k + 1) % 3]];
            ends.sort_by(order);
            sides.push((wall.surface.solid, ends, wall));
        }
    }
    sides.sort_by(|a, b| {
        let ends = || order(&a.1[0], &b.1[0]).then(order(&a.1[1], &b.1[1]));
        a.0.cmp(&b.0).then_with(ends)
    });
    sides
        .chunk_by(|a, b| a.0 == b.0 && a.1 == b.1)
        .filter(|group| {
            let first = group[0].2;
            let turns = |wall: &Wall| {
                dot(first.normal, wall.normal).abs() < CREASE || first.behind != wall.behind
            };
            group.len() == 1 || group.iter().any(|side| turns(side.2))
        })
        .map(|group| Edge {
            ends: group[0].1,
            colour: group[0]
                .2
                .surface
                .colour
                .map(|c| (f64::from(c) * 0.55) as u8),
        })
        .collect()
}

fn order(a: &Vector, b: &Vector) -> std::cmp::Ordering {
    let each = |k: usize| a[k].total_cmp(&b[k]);
    each(0).then(each(1)).then(each(2))
}
