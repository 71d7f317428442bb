//! Triangles that know how the surface goes on beyond their edges.

use crate::bounds::Bounds;
use crate::shapes::{Bend, HeightField, MeshEdges, Surface, TriangleMesh, bend};
use glam::DVec3;

/// One triangle of a surface. Edge k runs from corner k to the next one.
#[derive(Clone, Copy, Debug)]
pub(in crate::narrow_phase) struct Facet {
    pub(in crate::narrow_phase) id: u32,
    pub(in crate::narrow_phase) corners: [DVec3; 3],
    /// Numbers of the corners; equal numbers are the same corner.
    pub(in crate::narrow_phase) vertices: [u32; 3],
    /// Unit vector out of the surface.
    pub(in crate::narrow_phase) normal: DVec3,
    /// Normals of the facets across the edges; the own one where there is none.
    pub(in crate::narrow_phase) across: [DVec3; 3],
    pub(in crate::narrow_phase) bends: [Bend; 3],
}

/// Where on a facet a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::narrow_phase) enum Region {
    Face,
    Edge(usize),
    Corner(usize),
}

impl Facet {
    /// The facet's point nearest to another, and where on the facet it lies.
    pub(in crate::narrow_phase) fn nearest(&self, point: DVec3) -> (DVec3, Region) {
        let mut best: Option<(DVec3, Region)> = None;
        let mut inside = true;
        for k in 0..3 {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            let along = b - a;
            if self.normal.cross(along).dot(point - a) > 0.0 {
                continue;
            }
            inside = false;
            let t = along.dot(point - a) / along.length_squared();
            let on_edge = if t <= 0.0 {
                (a, Region::Corner(k))
            } else if t >= 1.0 {
                (b, Region::Corner((k + 1) % 3))
            } else {
                (a + t * along, Region::Edge(k))
            };
            let distance = |p: DVec3| (p - point).length_squared();
            if best.is_none_or(|old| distance(on_edge.0) < distance(old.0)) {
                best = Some(on_edge);
            }
        }
        match best {
            Some(found) if !inside => found,
            _ => (point - self.height(point) * self.normal, Region::Face),
        }
    }

    /// Distance of a point from the facet's plane; positive outside.
    pub(in crate::narrow_phase) fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.corners[0])
    }

    /// The longest edge.
    pub(in crate::narrow_phase) fn length(&self) -> f64 {
        let [a, b, c] = self.corners;
        (b - a).length().max((c - b).length()).max((a - c).length())
    }

    /// The box around it.
    pub(in crate::narrow_phase) fn bounds(&self) -> Bounds {
        let [a, b, c] = self.corners;
        Bounds {
            lower: a.min(b).min(c),
            upper: a.max(b).max(c),
        }
    }
}

/// The facets of a mesh near a box, in the order of the triangles.
pub(in crate::narrow_phase) fn of_mesh(mesh: &TriangleMesh, near: &Bounds) -> Vec<Facet> {
    let index = mesh.index();
    let mut found = Vec::new();
    index.tree.near(near, &mut found);
    found.sort_unstable();
    found
        .iter()
        .map(|&t| facet(&mesh.vertices, &mesh.triangles, &index.edges, t as usize))
        .filter(|facet| facet.bounds().overlaps(near))
        .collect()
}

/// The facets of any closed surface near a box.
pub(in crate::narrow_phase) fn of_surface(surface: &Surface, near: &Bounds) -> Vec<Facet> {
    let edges = MeshEdges::new(&surface.vertices, &surface.triangles);
    (0..surface.triangles.len())
        .map(|t| facet(&surface.vertices, &surface.triangles, &edges, t))
        .filter(|facet| facet.bounds().overlaps(near))
        .collect()
}

fn facet(vertices: &[DVec3], triangles: &[[u32; 3]], edges: &MeshEdges, t: usize) -> Facet {
    let normal = edges.normals[t];
    Facet {
        id: t as u32,
        corners: triangles[t].map(|i| vertices[i as usize]),
        vertices: triangles[t],
        normal,
        across: edges.neighbours[t]
            .map(|other| edges.normals.get(other as usize).copied().unwrap_or(normal)),
        bends: edges.bends[t],
    }
}

/// The facets of a height field near a box; anything below the box's top and above its bottom counts.
pub(in crate::narrow_phase) fn of_height_field(field: &HeightField, near: &Bounds) -> Vec<Facet> {
    let columns = field.cells(0, near.lower.x, near.upper.x);
    let rows = field.cells(1, near.lower.y, near.upper.y);
    let mut facets = Vec::new();
    for row in rows[0]..rows[1] {
        for column in columns[0]..columns[1] {
            for half in 0..2 {
                let facet = field_facet(field, column, row, half);
                // Ground has no underside: a shape below its surface is still in it.
                if facet.bounds().upper.z >= near.lower.z {
                    facets.push(facet);
                }
            }
        }
    }
    facets
}

fn field_facet(field: &HeightField, column: usize, row: usize, half: usize) -> Facet {
    let points = HeightField::triangles(column, row)[half];
    let corners = points.map(|[c, r]| field.point(c, r));
    let normal = field_normal(field, column, row, half);
    // Across the edges of the lower right half: the cell below, the cell to the right, the other half; and so on.
    let below = row.checked_sub(1).map(|r| (column, r, 1));
    let left = column.checked_sub(1).map(|c| (c, row, 0));
    let right = (column + 2 < field.columns).then_some((column + 1, row, 1));
    let above = (row + 2 < field.rows).then_some((column, row + 1, 0));
    let neighbours = if half == 0 {
        [below, right, Some((column, row, 1))]
    } else {
        [Some((column, row, 0)), above, left]
    };
    let across = neighbours.map(|n| n.map_or(normal, |(c, r, h)| field_normal(field, c, r, h)));
    Facet {
        id: (2 * (row * (field.columns - 1) + column) + half) as u32,
        corners,
        vertices: points.map(|[c, r]| (r * field.columns + c) as u32),
        normal,
        across,
        bends: [0, 1, 2].map(|k| bend(normal, across[k], corners[(k + 1) % 3] - corners[k])),
    }
}

fn field_normal(field: &HeightField, column: usize, row: usize, half: usize) -> DVec3 {
    let [a, b, c] = HeightField::triangles(column, row)[half].map(|[c, r]| field.point(c, r));
    (b - a).cross(c - a).normalize_or_zero()
}
