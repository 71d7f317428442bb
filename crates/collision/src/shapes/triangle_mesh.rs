//! A closed surface of triangles.

use super::convex_hull::point_bounds;
use super::mesh_edges::{MeshEdges, check_closed, describe};
use super::triangle_tree::TriangleTree;
use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A closed surface of triangles with its inside.
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::shapes::TriangleMesh;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// assert!(TriangleMesh::new(corners.clone(), faces.clone())?.is_convex());
/// // Without a face the surface is open.
/// assert!(TriangleMesh::new(corners, faces[..3].to_vec()).is_err());
/// # Ok::<(), moreau_collision::shapes::ShapeError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "UncheckedMesh")]
pub struct TriangleMesh {
    /// Corners.
    pub vertices: Vec<DVec3>,
    /// Triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    #[serde(skip)]
    index: OnceLock<MeshIndex>,
}

/// What queries need: made when first asked for, no part of the mesh's value.
#[derive(Clone, Debug)]
pub(crate) struct MeshIndex {
    pub(crate) tree: TriangleTree,
    pub(crate) edges: MeshEdges,
}

/// A mesh as it is read, before anything is known about it.
#[derive(Deserialize)]
struct UncheckedMesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl TryFrom<UncheckedMesh> for TriangleMesh {
    type Error = ShapeError;

    fn try_from(mesh: UncheckedMesh) -> Result<Self, ShapeError> {
        Self::new(mesh.vertices, mesh.triangles)
    }
}

impl PartialEq for TriangleMesh {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices && self.triangles == other.triangles
    }
}

/// A triangle lower than this fraction of its longest edge has no area.
const NO_AREA: f64 = 1e-12;

impl TriangleMesh {
    /// A mesh. Equal vertices are made one, and triangles without area are dropped where the surface stays closed.
    ///
    /// # Errors
    /// When a vertex is not finite, an index is out of range, fewer than 4 triangles are left, the surface is open or
    /// turns over from one triangle to the next, more than two triangles meet at an edge, or all triangles face
    /// inwards.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        if let Some(index) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(ShapeError {
                what: format!("vertex {index}"),
                found: format!("is {}", vertices[index]),
                right: "coordinates must be finite".into(),
            });
        }
        let count = vertices.len();
        for (number, triangle) in triangles.iter().enumerate() {
            if let Some(index) = triangle.iter().find(|&&i| i as usize >= count) {
                return Err(ShapeError {
                    what: format!("triangle {number}"),
                    found: format!("refers to vertex {index}"),
                    right: format!("there are {count} vertices, counted from 0"),
                });
            }
        }
        let (vertices, triangles) = weld(vertices, triangles);
        let triangles = with_area(&vertices, triangles)?;
        if triangles.len() < 4 {
            return Err(ShapeError {
                what: "triangles".into(),
                found: format!("are {}", triangles.len()),
                right: "a closed surface has at least 4".into(),
            });
        }
        check_closed(&vertices, &triangles)?;
        if VolumeProperties::of_surface(&vertices, &triangles).is_none() {
            return Err(ShapeError {
                what: "volume".into(),
                found: "is not positive".into(),
                right: "triangles face inwards: reverse them".into(),
            });
        }
        let mesh = Self {
            vertices,
            triangles,
            index: OnceLock::new(),
        };
        mesh.index();
        Ok(mesh)
    }

    pub(crate) fn index(&self) -> &MeshIndex {
        self.index.get_or_init(|| MeshIndex {
            tree: TriangleTree::new(&self.vertices, &self.triangles),
            edges: MeshEdges::new(&self.vertices, &self.triangles),
        })
    }

    /// The box around it.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        point_bounds(pose, &self.vertices)
    }

    /// The sum of signed tetrahedra.
    pub fn volume_properties(&self) -> Option<VolumeProperties> {
        VolumeProperties::of_surface(&self.vertices, &self.triangles)
    }

    /// Whether the surface bends outwards at every edge and bounds one piece, so that it is that of a convex solid.
    pub fn is_convex(&self) -> bool {
        self.index().edges.all_convex() && self.sees_all_from_inside()
    }

    /// Whether every triangle has every vertex behind its plane, up to rounding. Locally convex surfaces of several
    /// pieces fail here.
    fn sees_all_from_inside(&self) -> bool {
        let bounds = self.bounds(&Pose::IDENTITY);
        let tolerance = 1e-9 * bounds.extent().max_element();
        // The farthest vertex along a normal decides; one triangle of each piece is enough when edges are convex,
        // but pieces are not known here.
        self.triangles.iter().all(|triangle| {
            let [a, b, c] = triangle.map(|i| self.vertices[i as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            self.vertices
                .iter()
                .all(|&v| normal.dot(v - a) <= tolerance)
        })
    }

    /// Half the smallest edge of the box around the mesh in its own frame, which is not less than the smallest
    /// half-width.
    pub(crate) fn size(&self) -> f64 {
        0.5 * self.bounds(&Pose::IDENTITY).extent().min_element()
    }
}

/// Makes equal vertices one (the first) and leaves out those that no triangle uses; the order stays.
fn weld(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut used = vec![false; vertices.len()];
    for &i in triangles.iter().flatten() {
        used[i as usize] = true;
    }
    let mut number_of = HashMap::new();
    let mut kept = Vec::new();
    let numbers: Vec<u32> = vertices
        .iter()
        .zip(used)
        .map(|(&vertex, used)| {
            if !used {
                return u32::MAX;
            }
            // Adding zero makes −0 and 0 the same bits.
            let key = (vertex + DVec3::ZERO).to_array().map(f64::to_bits);
            *number_of.entry(key).or_insert_with(|| {
                kept.push(vertex);
                (kept.len() - 1) as u32
            })
        })
        .collect();
    let welded = triangles
        .iter()
        .map(|triangle| triangle.map(|i| numbers[i as usize]))
        .collect();
    (kept, welded)
}

/// Leaves out triangles without area.
fn with_area(vertices: &[DVec3], triangles: Vec<[u32; 3]>) -> Result<Vec<[u32; 3]>, ShapeError> {
    // A triangle that uses a vertex twice is an edge: its neighbours meet there without it.
    let proper: Vec<[u32; 3]> = triangles
        .into_iter()
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();
    let has_area = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|i| vertices[i as usize]);
        let (u, v, w) = (b - a, c - b, a - c);
        let longest = u
            .length_squared()
            .max(v.length_squared())
            .max(w.length_squared());
        u.cross(v).length() > NO_AREA * longest
    };
    let Some(first) = proper.iter().position(|t| !has_area(t)) else {
        return Ok(proper);
    };
    let lean: Vec<[u32; 3]> = proper.iter().copied().filter(|t| has_area(t)).collect();
    // Three corners on a line cut a neighbour's edge in two: without the triangle the surface has a slit.
    match check_closed(vertices, &lean) {
        Ok(()) => Ok(lean),
        Err(_) => Err(ShapeError {
            what: format!("triangle {}", describe(vertices, &proper[first])),
            found: "has no area".into(),
            right: "leaving it out opens the surface: repair the mesh".into(),
        }),
    }
}
