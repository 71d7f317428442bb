//! The edges of a closed mesh: who the neighbours are, and how the surface bends.

use super::ShapeError;
use glam::DVec3;

/// What lies across the three edges of every triangle. Edge k of a triangle runs from its corner k to the next.
#[derive(Clone, Debug)]
pub(crate) struct MeshEdges {
    /// Unit normals of the triangles.
    pub(crate) normals: Vec<DVec3>,
    /// The triangles across the edges.
    pub(crate) neighbours: Vec<[u32; 3]>,
    /// How the surface bends at the edges.
    pub(crate) bends: Vec<[Bend; 3]>,
}

/// How two triangles meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bend {
    /// A ridge.
    Convex,
    /// In one plane, up to rounding; or nothing on the other side.
    Flat,
    /// A valley.
    Concave,
}

/// The sine of an angle that counts as flat.
pub(crate) const FLAT_ANGLE: f64 = 1e-6;

/// How triangles of normals m and n meet; `along` is the edge's direction in the first, which lies on its left.
pub(crate) fn bend(m: DVec3, n: DVec3, along: DVec3) -> Bend {
    // On a ridge the normals spread: m × n points along the edge.
    let sine = m.cross(n).dot(along.normalize_or_zero());
    if sine > FLAT_ANGLE {
        Bend::Convex
    } else if sine < -FLAT_ANGLE {
        Bend::Concave
    } else {
        Bend::Flat
    }
}

impl MeshEdges {
    /// Of a mesh that is known to be closed.
    pub(crate) fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let corners = |t: usize| triangles[t].map(|i| vertices[i as usize]);
        let normals: Vec<DVec3> = (0..triangles.len())
            .map(|t| {
                let [a, b, c] = corners(t);
                (b - a).cross(c - a).normalize_or_zero()
            })
            .collect();
        let mut neighbours = vec![[u32::MAX; 3]; triangles.len()];
        let mut bends = vec![[Bend::Flat; 3]; triangles.len()];
        for pair in sorted_edges(triangles).chunk_by(|a, b| a.ends == b.ends) {
            let [one, two] = pair else { continue };
            for (here, there) in [(one, two), (two, one)] {
                let (t, k) = (here.triangle as usize, here.edge);
                let p = corners(t);
                neighbours[t][k] = there.triangle;
                bends[t][k] = bend(
                    normals[t],
                    normals[there.triangle as usize],
                    p[(k + 1) % 3] - p[k],
                );
            }
        }
        Self {
            normals,
            neighbours,
            bends,
        }
    }

    /// Whether there is no valley.
    pub(crate) fn all_convex(&self) -> bool {
        self.bends
            .iter()
            .flatten()
            .all(|&bend| bend != Bend::Concave)
    }
}

/// One side of an edge.
struct Side {
    /// The smaller vertex first.
    ends: [u32; 2],
    /// Whether the triangle goes from the smaller to the larger.
    forward: bool,
    triangle: u32,
    edge: usize,
}

fn sorted_edges(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (t, triangle) in triangles.iter().enumerate() {
        for edge in 0..3 {
            let (a, b) = (triangle[edge], triangle[(edge + 1) % 3]);
            sides.push(Side {
                ends: [a.min(b), a.max(b)],
                forward: a < b,
                triangle: t as u32,
                edge,
            });
        }
    }
    sides.sort_by_key(|side| (side.ends, side.triangle));
    sides
}

/// Refuses a surface that is not closed or whose triangles do not all face the same side.
pub(crate) fn check_closed(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    let place = |ends: [u32; 2]| describe(vertices, &ends);
    let sides = sorted_edges(triangles);
    let mut border = Vec::new();
    for sides in sides.chunk_by(|a, b| a.ends == b.ends) {
        let ends = sides[0].ends;
        match sides {
            [_] => border.push(ends),
            [one, two] if one.forward == two.forward => {
                return Err(ShapeError {
                    what: format!("triangles {} and {}", one.triangle, two.triangle),
                    found: format!("face opposite sides at the edge {}", place(ends)),
                    right: "all triangles must run counter-clockwise seen from outside".into(),
                });
            }
            [_, _] => {}
            _ => {
                return Err(ShapeError {
                    what: format!("edge {}", place(ends)),
                    found: format!("belongs to {} triangles", sides.len()),
                    right: "exactly two must meet at each edge".into(),
                });
            }
        }
    }
    match border.first() {
        None => Ok(()),
        Some(&first) => Err(ShapeError {
            what: "surface".into(),
            found: format!(
                "is open: {} border edges, one of them {}",
                border.len(),
                place(first)
            ),
            right: "every edge must belong to two triangles".into(),
        }),
    }
}

/// The coordinates of some vertices, for messages.
pub(crate) fn describe(vertices: &[DVec3], which: &[u32]) -> String {
    let places: Vec<String> = which
        .iter()
        .map(|&i| {
            let v = vertices[i as usize];
            format!("({}, {}, {})", v.x, v.y, v.z)
        })
        .collect();
    places.join(" – ")
}
