//! Shapes as triangles, for output and pictures.

use super::{HeightField, Shape};
use crate::pose::Pose;
use glam::{DVec2, DVec3};
use std::f64::consts::{PI, TAU};

/// Triangles, counter-clockwise seen from outside, in the frame of the shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Corners.
    pub vertices: Vec<DVec3>,
    /// Triangles of three corners each.
    pub triangles: Vec<[u32; 3]>,
}

/// How finely a curved surface is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDetail {
    /// Pieces around a full circle; at least 3.
    pub segments: usize,
    /// Half the edge of the square that stands for a half-space.
    pub extent: f64,
}

impl Default for SurfaceDetail {
    /// 32 pieces around; half-spaces 1 m either way.
    fn default() -> Self {
        Self {
            segments: 32,
            extent: 1.0,
        }
    }
}

impl Shape {
    /// The surface as triangles; closed except for half-spaces (a square) and height fields (the top). The vertices
    /// lie on the true surface.
    pub fn surface(&self, detail: &SurfaceDetail) -> Surface {
        let n = detail.segments.max(3);
        match self {
            Shape::Sphere(s) => ellipsoid(DVec3::splat(s.radius), n),
            Shape::Ellipsoid(s) => ellipsoid(s.semi_axes, n),
            Shape::Cuboid(s) => boxed(-s.half_extents, s.half_extents, false),
            Shape::Capsule(s) => {
                let quarter = n.div_ceil(4);
                let arc = |from: f64, height: f64| {
                    (0..=quarter).map(move |k| {
                        let angle = from + 0.5 * PI * k as f64 / quarter as f64;
                        on_arc(s.radius, angle) + DVec2::new(0.0, height)
                    })
                };
                let profile: Vec<DVec2> = arc(-0.5 * PI, -s.half_length)
                    .chain(arc(0.0, s.half_length))
                    .collect();
                revolved(&profile, false, n)
            }
            Shape::Cylinder(s) => {
                let (r, h) = (s.radius, s.half_height);
                revolved(
                    &[(0.0, -h), (r, -h), (r, h), (0.0, h)].map(DVec2::from),
                    false,
                    n,
                )
            }
            Shape::Cone(s) => {
                let (r, h) = (s.radius, s.half_height);
                revolved(&[(0.0, -h), (r, -h), (0.0, h)].map(DVec2::from), false, n)
            }
            Shape::ConvexHull(s) => Surface {
                vertices: s.vertices.clone(),
                triangles: s.triangles.clone(),
            },
            Shape::HalfSpace(_) => {
                let e = detail.extent;
                Surface {
                    vertices: [(-e, -e), (e, -e), (e, e), (-e, e)]
                        .map(|(x, y)| DVec3::new(x, y, 0.0))
                        .to_vec(),
                    triangles: vec![[0, 1, 2], [0, 2, 3]],
                }
            }
            Shape::TriangleMesh(s) => Surface {
                vertices: s.vertices.clone(),
                triangles: s.triangles.clone(),
            },
            Shape::HeightField(s) => height_field(s),
            Shape::HollowCylinder(s) => {
                let (profile, corners) = s.profile();
                revolved(&profile[..corners], true, n)
            }
            Shape::OpenBox(s) => {
                let [lower, upper] = s.outside();
                let mut walls = boxed(lower, upper, !s.lid);
                let room = boxed(-s.half_extents, s.half_extents, !s.lid);
                walls.append_reversed(&room);
                if !s.lid {
                    walls.ring([4, 5, 6, 7], [12, 13, 14, 15]);
                }
                walls
            }
            Shape::Frustum(s) => revolved(&s.profile(), true, n),
            Shape::Compound(s) => {
                let mut all = Surface::default();
                for (pose, part) in &s.parts {
                    all.append(&part.surface(detail), pose);
                }
                all
            }
        }
    }
}

impl Surface {
    /// Adds another surface after a motion.
    pub fn append(&mut self, other: &Surface, pose: &Pose) {
        let first = self.vertices.len() as u32;
        self.vertices
            .extend(other.vertices.iter().map(|&v| pose.point(v)));
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|i| i + first)));
    }

    /// Adds another surface, facing the other way.
    fn append_reversed(&mut self, other: &Surface) {
        let start = self.triangles.len();
        self.append(other, &Pose::IDENTITY);
        for triangle in &mut self.triangles[start..] {
            triangle.swap(1, 2);
        }
    }

    /// Adds a flat ring between two loops of four, counter-clockwise seen from the side that it faces.
    fn ring(&mut self, outer: [u32; 4], inner: [u32; 4]) {
        for k in 0..4 {
            let l = (k + 1) % 4;
            self.triangles.push([outer[k], outer[l], inner[l]]);
            self.triangles.push([outer[k], inner[l], inner[k]]);
        }
    }
}

fn on_arc(radius: f64, angle: f64) -> DVec2 {
    // The ends of the arc are exactly on the axis, so that they become one vertex.
    if angle.abs() >= 0.5 * PI {
        DVec2::new(0.0, radius.copysign(angle))
    } else {
        radius * DVec2::new(angle.cos(), angle.sin())
    }
}

fn ellipsoid(semi_axes: DVec3, n: usize) -> Surface {
    let half = n.div_ceil(2);
    let profile: Vec<DVec2> = (0..=half)
        .map(|k| {
            on_arc(
                1.0,
                if k == half {
                    0.5 * PI
                } else {
                    PI * (k as f64 / half as f64 - 0.5)
                },
            )
        })
        .collect();
    let mut surface = revolved(&profile, false, n);
    for vertex in &mut surface.vertices {
        *vertex *= semi_axes;
    }
    surface
}

/// A box of 12 triangles, or 10 without the face at +z; the vertices 4 to 7 go around that face.
fn boxed(lower: DVec3, upper: DVec3, open: bool) -> Surface {
    let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
    let pick = [lower, upper];
    let vertices = [0, 1]
        .iter()
        .flat_map(|&z| corners.map(|(x, y)| DVec3::new(pick[x].x, pick[y].y, pick[z].z)))
        .collect();
    let mut triangles = vec![[0, 2, 1], [0, 3, 2]];
    for k in 0..4_u32 {
        let l = (k + 1) % 4;
        triangles.extend([[k, l, l + 4], [k, l + 4, k + 4]]);
    }
    if !open {
        triangles.extend([[4, 5, 6], [4, 6, 7]]);
    }
    Surface {
        vertices,
        triangles,
    }
}

/// The surface that a line of (distance from the axis, height) sweeps when turned about the z axis; the solid lies on
/// the line's left. Points at distance zero become one vertex, all others n.
fn revolved(profile: &[DVec2], closed: bool, n: usize) -> Surface {
    let mut surface = Surface::default();
    let first: Vec<u32> = profile
        .iter()
        .map(|p| {
            let first = surface.vertices.len() as u32;
            let copies = if p.x == 0.0 { 1 } else { n };
            surface.vertices.extend((0..copies).map(|k| {
                let angle = TAU * k as f64 / n as f64;
                DVec3::new(p.x * angle.cos(), p.x * angle.sin(), p.y)
            }));
            first
        })
        .collect();
    let vertex = |point: usize, k: usize| {
        first[point]
            + if profile[point].x == 0.0 {
                0
            } else {
                (k % n) as u32
            }
    };
    let lines = if closed {
        profile.len()
    } else {
        profile.len() - 1
    };
    for p in 0..lines {
        let q = (p + 1) % profile.len();
        let (p_on_axis, q_on_axis) = (profile[p].x == 0.0, profile[q].x == 0.0);
        for k in 0..n {
            if !p_on_axis {
                surface
                    .triangles
                    .push([vertex(p, k), vertex(p, k + 1), vertex(q, k + 1)]);
            }
            if !q_on_axis {
                surface
                    .triangles
                    .push([vertex(p, k), vertex(q, k + 1), vertex(q, k)]);
            }
        }
    }
    surface
}

fn height_field(field: &HeightField) -> Surface {
    let columns = field.columns;
    let mut surface = Surface::default();
    for row in 0..field.rows {
        surface
            .vertices
            .extend((0..columns).map(|column| field.point(column, row)));
    }
    for row in 0..field.rows - 1 {
        for column in 0..columns - 1 {
            surface.triangles.extend(
                HeightField::triangles(column, row)
                    .map(|t| t.map(|[column, row]| (row * columns + column) as u32)),
            );
        }
    }
    surface
}
