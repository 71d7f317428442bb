//! Which surface is seen in each sample, and how far away it is.

use super::camera::{Shape, Surface, Vector};

/// The number of no surface.
pub(super) const NOTHING: u32 = u32::MAX;

/// For each sample the nearest surface and its distance.
pub(super) struct DepthBuffer {
    pub width: usize,
    pub height: usize,
    pub depth: Vec<f32>,
    pub surface: Vec<u32>,
}

impl DepthBuffer {
    pub fn new(width: usize, height: usize) -> Self {
        DepthBuffer {
            width,
            height,
            depth: vec![f32::INFINITY; width * height],
            surface: vec![NOTHING; width * height],
        }
    }

    /// The longer side, in samples.
    pub fn longest(&self) -> usize {
        self.width.max(self.height)
    }

    /// Draws the opaque surfaces, placed in the coordinates of the samples.
    pub fn draw_all(&mut self, surfaces: &[Surface]) {
        // The nearest first: most of what is hidden is then passed over.
        let mut order: Vec<(f64, u32)> = surfaces
            .iter()
            .zip(0..)
            .filter(|(surface, _)| surface.opacity >= 1.0)
            .map(|(surface, id)| (nearest(&surface.shape), id))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, id) in order {
            self.draw(&surfaces[id as usize].shape, id);
        }
    }

    fn draw(&mut self, shape: &Shape, id: u32) {
        match shape {
            Shape::Ball { centre, radius } => self.draw_ball(*centre, *radius, id),
            Shape::Face { corners, .. } => {
                each_of_triangle(self.width, self.height, corners, &mut |sample, depth| {
                    if depth < self.depth[sample] {
                        self.depth[sample] = depth;
                        self.surface[sample] = id;
                    }
                });
            }
        }
    }

    fn draw_ball(&mut self, [x, y, z]: Vector, radius: f64, id: u32) {
        let front = (z - radius) as f32;
        for row in between(y - radius, y + radius, self.height) {
            let dy = row as f64 + 0.5 - y;
            let square = radius * radius - dy * dy;
            let half = square.max(0.0).sqrt();
            let columns = between(x - half, x + half, self.width);
            for column in columns {
                let sample = row * self.width + column;
                if front < self.depth[sample] {
                    let dx = column as f64 + 0.5 - x;
                    let depth = (z - (square - dx * dx).max(0.0).sqrt()) as f32;
                    if depth < self.depth[sample] {
                        self.depth[sample] = depth;
                        self.surface[sample] = id;
                    }
                }
            }
        }
    }
}

/// The least depth of a shape.
fn nearest(shape: &Shape) -> f64 {
    match shape {
        Shape::Ball { centre, radius } => centre[2] - radius,
        Shape::Face { corners, .. } => corners[0][2].min(corners[1][2]).min(corners[2][2]),
    }
}

/// The samples whose middles lie from `from` to `to`, of `count` samples.
fn between(from: f64, to: f64, count: usize) -> std::ops::Range<usize> {
    let first = (from - 0.5).ceil().max(0.0) as usize;
    let end = ((to - 0.5).floor() + 1.0).max(0.0) as usize;
    first..end.min(count)
}

/// Calls `visit` with each sample inside a triangle and its depth. Triangles
/// that share an edge share no sample and leave none out.
pub(super) fn each_of_triangle(
    width: usize,
    height: usize,
    corners: &[Vector; 3],
    visit: &mut impl FnMut(usize, f32),
) {
    let [a, b, c] = *corners;
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if !(area.abs() > 0.0 && area.is_finite()) {
        return;
    }
    let turned = if area > 0.0 { [a, b, c] } else { [a, c, b] };
    let edges = [0, 1, 2].map(|k| Edge::new(turned[k], turned[(k + 1) % 3]));
    let lowest = |k: usize| a[k].min(b[k]).min(c[k]);
    let highest = |k: usize| a[k].max(b[k]).max(c[k]);
    let (nearest, farthest) = (lowest(2), highest(2));
    for row in between(lowest(1), highest(1), height) {
        let y = row as f64 + 0.5;
        for column in between(lowest(0), highest(0), width) {
            let x = column as f64 + 0.5;
            let [over_c, over_a, over_b] = [0, 1, 2].map(|k| edges[k].value(x, y));
            let weights = [over_c, over_a, over_b];
            if (0..3).all(|k| weights[k] > 0.0 || weights[k] == 0.0 && edges[k].owns) {
                let sum = over_a + over_b + over_c;
                let z = over_c * turned[2][2] + over_a * turned[0][2] + over_b * turned[1][2];
                visit(
                    row * width + column,
                    (z / sum).clamp(nearest, farthest) as f32,
                );
            }
        }
    }
}

/// An edge of a triangle; its value is positive inside.
struct Edge {
    from: Vector,
    to: Vector,
    /// The sign that makes the value positive inside.
    sign: f64,
    /// Samples on the edge belong to the triangle.
    owns: bool,
}

impl Edge {
    fn new(from: Vector, to: Vector) -> Self {
        // Both triangles at an edge compute the same number, up to its sign.
        let forward = (from[0], from[1]) < (to[0], to[1]);
        let (start, end) = if forward { (from, to) } else { (to, from) };
        Edge {
            from: start,
            to: end,
            sign: if forward { 1.0 } else { -1.0 },
            owns: forward,
        }
    }

    fn value(&self, x: f64, y: f64) -> f64 {
        let (a, b) = (self.from, self.to);
        self.sign * ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fan_of_triangles_covers_each_sample_once() {
        let mut count = vec![0; 64 * 48];
        let corner = |k: usize| {
            let corners = [[0.0, 0.0], [64.0, 0.0], [64.0, 48.0], [0.0, 48.0]];
            [corners[k % 4][0], corners[k % 4][1], 0.0]
        };
        for k in 0..4 {
            let triangle = [[24.5, 24.5, 1.0], corner(k), corner(k + 1)];
            each_of_triangle(64, 48, &triangle, &mut |sample, _| count[sample] += 1);
        }
        assert!(count.iter().all(|&n| n == 1));
    }

    #[test]
    fn shapes_without_size_or_outside_draw_nothing() {
        let mut buffer = DepthBuffer::new(8, 8);
        let flat = [[1.0, 1.0, 0.0], [5.0, 5.0, 0.0], [3.0, 3.0, 0.0]];
        let nan = [[f64::NAN, 1.0, 0.0], [5.0, 5.0, 0.0], [3.0, 0.0, 0.0]];
        for corners in [flat, nan, flat.map(|p| p.map(|x| x - 100.0))] {
            let normal = [0.0, 0.0, -1.0];
            buffer.draw(&Shape::Face { corners, normal }, 0);
        }
        let centre = [-1e9, 1e9, 0.0];
        buffer.draw(
            &Shape::Ball {
                centre,
                radius: 4.0,
            },
            0,
        );
        assert!(buffer.surface.iter().all(|&id| id == NOTHING));
    }
}
