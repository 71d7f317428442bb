//! The closest point of a simplex to the origin.

use glam::DVec3;

/// A difference b − a of a point of each shape.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vertex {
    /// b − a.
    pub difference: DVec3,
    first: DVec3,
    second: DVec3,
}

impl Vertex {
    /// The difference of a point `a` of the first shape and a point `b` of the second.
    pub fn new(a: DVec3, b: DVec3) -> Self {
        Self {
            difference: b - a,
            first: a,
            second: b,
        }
    }
}

/// One to three vertices, and the weights of their point closest to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    count: usize,
}

impl Simplex {
    /// A single vertex.
    pub fn start(vertex: Vertex) -> Self {
        Self {
            vertices: [vertex; 4],
            weights: [1.0, 0.0, 0.0, 0.0],
            count: 1,
        }
    }

    /// Whether the difference is that of a vertex already.
    pub fn contains(&self, vertex: &Vertex) -> bool {
        self.vertices[..self.count]
            .iter()
            .any(|v| v.difference == vertex.difference)
    }

    /// Closest point to the origin.
    pub fn closest(&self) -> DVec3 {
        self.weighted(|v| v.difference)
    }

    /// The points of the two shapes whose difference is the closest point.
    pub fn points(&self) -> (DVec3, DVec3) {
        (self.weighted(|v| v.first), self.weighted(|v| v.second))
    }

    fn weighted(&self, part: impl Fn(&Vertex) -> DVec3) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for (vertex, weight) in self.vertices[..self.count].iter().zip(self.weights) {
            sum += weight * part(vertex);
        }
        sum
    }

    /// Adds a vertex and keeps those that the new closest point needs. False when the origin is inside.
    pub fn add(&mut self, vertex: Vertex) -> bool {
        self.vertices[self.count] = vertex;
        let [a, b, c, d] = self.vertices.map(|v| v.difference);
        match self.count {
            1 => self.keep(&[0, 1], segment(a, b)),
            2 => self.keep(&[0, 1, 2], triangle(a, b, c)),
            _ => {
                // The closest point lies on a face that the origin is outside of.
                let mut best: Option<(f64, [usize; 3], [f64; 3])> = None;
                for (face, opposite) in [
                    ([0, 1, 3], c),
                    ([0, 2, 3], b),
                    ([1, 2, 3], a),
                    ([0, 1, 2], d),
                ] {
                    let [p, q, r] = face.map(|i| self.vertices[i].difference);
                    let normal = (q - p).cross(r - p);
                    let inside = normal.dot(opposite - p);
                    let origin = -normal.dot(p);
                    // A flat tetrahedron has no inside.
                    if inside * origin > 0.0
                        && inside.abs() > 1e-14 * normal.length() * (opposite - p).length()
                    {
                        continue;
                    }
                    let weights = triangle(p, q, r);
                    let point = weights[0] * p + weights[1] * q + weights[2] * r;
                    let squared = point.length_squared();
                    if best.is_none_or(|(least, ..)| squared < least) {
                        best = Some((squared, face, weights));
                    }
                }
                let Some((_, face, weights)) = best else {
                    return false;
                };
                self.keep(&face, weights);
            }
        }
        true
    }

    /// Keeps the vertices with a positive weight.
    fn keep<const N: usize>(&mut self, which: &[usize; N], weights: [f64; N]) {
        let old = self.vertices;
        self.count = 0;
        for (&index, weight) in which.iter().zip(weights) {
            if weight > 0.0 {
                self.vertices[self.count] = old[index];
                self.weights[self.count] = weight;
                self.count += 1;
            }
        }
    }
}

/// Weights of the point of a segment closest to the origin.
fn segment(a: DVec3, b: DVec3) -> [f64; 2] {
    let edge = b - a;
    let squared = edge.length_squared();
    let t = -a.dot(edge);
    if t <= 0.0 || squared == 0.0 {
        [1.0, 0.0]
    } else if t >= squared {
        [0.0, 1.0]
    } else {
        let t = t / squared;
        [1.0 - t, t]
    }
}

/// Weights of the point of a triangle closest to the origin: inside when the origin's foot is on the inner side of
/// all three edges, otherwise on the closest of the edges.
fn triangle(a: DVec3, b: DVec3, c: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let squared = normal.length_squared();
    // Areas of the triangles of the foot and one edge, as parts of the whole: n·(b × c) and so on, written with the
    // edges because these are short in the end, and the products of long vectors would cancel.
    let u = normal.dot(b.cross(c - b));
    let v = normal.dot(c.cross(a - c));
    let w = normal.dot(a.cross(b - a));
    if u > 0.0 && v > 0.0 && w > 0.0 && squared > 0.0 {
        let sum = u + v + w;
        return [u / sum, v / sum, w / sum];
    }
    let mut best = [1.0, 0.0, 0.0];
    let mut least = f64::INFINITY;
    for (i, j, p, q) in [(0, 1, a, b), (1, 2, b, c), (0, 2, a, c)] {
        let [s, t] = segment(p, q);
        let length = (s * p + t * q).length_squared();
        if length < least {
            least = length;
            best = [0.0; 3];
            best[i] = s;
            best[j] = t;
        }
    }
    best
}
