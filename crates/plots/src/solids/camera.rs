//! Where a point of space falls in the picture.

use super::{Solid, View};

pub(super) type Vector = [f64; 3];

/// Places are rounded to this fraction of a sample. Rounding errors of the
/// caller's unit of length disappear in it.
const STEPS: f64 = 1024.0;
/// Coordinates beyond this are taken for errors; their squares are still finite.
const FARTHEST: f64 = 1e100;

/// A ball or a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Ball {
        centre: Vector,
        radius: f64,
    },
    Face {
        corners: [Vector; 3],
        normal: Vector,
    },
}

/// A piece of a solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    pub shape: Shape,
    pub colour: [u8; 3],
    pub opacity: f64,
    /// The number of the solid it belongs to.
    pub solid: u32,
    /// The middle of that solid.
    pub middle: Vector,
}

/// The valid pieces of the solids, which are numbered from `first`.
pub(super) fn surfaces_of(solids: &[Solid], first: usize) -> Vec<Surface> {
    let sane = |p: &Vector| p.iter().all(|x| x.abs() < FARTHEST);
    let mut surfaces = Vec::new();
    for (number, solid) in solids.iter().enumerate() {
        let number = (first + number) as u32;
        match solid {
            Solid::Sphere {
                centre,
                radius,
                colour,
            } => {
                if sane(centre) && *radius > 0.0 && *radius < FARTHEST {
                    surfaces.push(Surface {
                        shape: Shape::Ball {
                            centre: *centre,
                            radius: *radius,
                        },
                        colour: *colour,
                        opacity: 1.0,
                        solid: number,
                        middle: *centre,
                    });
                }
            }
            Solid::Mesh {
                vertices,
                triangles,
                colour,
                opacity,
            } => {
                let corner = |i: u32| vertices.get(i as usize).copied().filter(sane);
                let start = surfaces.len();
                let mut bounds = Bounds::EMPTY;
                for &[a, b, c] in triangles {
                    let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else {
                        continue;
                    };
                    let corners = [a, b, c];
                    if let Some(normal) = unit(cross(minus(b, a), minus(c, a))) {
                        corners.iter().for_each(|p| bounds.include(p, 0.0));
                        surfaces.push(Surface {
                            shape: Shape::Face { corners, normal },
                            colour: *colour,
                            opacity: if opacity.is_nan() {
                                1.0
                            } else {
                                opacity.max(0.0)
                            },
                            solid: number,
                            middle: a,
                        });
                    }
                }
                let middle = bounds.middle();
                surfaces[start..].iter_mut().for_each(|s| s.middle = middle);
            }
        }
    }
    surfaces
}

/// An orthographic projection: x to the right, y down, z away from the viewer,
/// all in samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    /// The directions of x, y and z in space.
    pub axes: [Vector; 3],
    /// The point of space that falls on `centre`.
    pub middle: Vector,
    pub centre: Vector,
    /// Samples per unit of length.
    pub scale: f64,
}

impl Camera {
    /// The camera that just fits the surfaces into a rectangle of the picture.
    pub fn framing(view: View, surfaces: &[Surface], from: [f64; 2], to: [f64; 2]) -> Self {
        let axes = axes(view);
        let bounds = |map: &dyn Fn(&Vector) -> Vector| {
            let mut bounds = Bounds::EMPTY;
            for surface in surfaces {
                match &surface.shape {
                    Shape::Ball { centre, radius } => bounds.include(&map(centre), *radius),
                    Shape::Face { corners, .. } => {
                        corners.iter().for_each(|p| bounds.include(&map(p), 0.0));
                    }
                }
            }
            bounds
        };
        // Near its middle the scene is measured without loss of digits.
        let near = bounds(&|p| *p).middle();
        let seen = bounds(&|p| axes.map(|axis| dot(axis, minus(*p, near))));
        let offset = seen.middle();
        let middle =
            std::array::from_fn(|k| near[k] + (0..3).map(|i| offset[i] * axes[i][k]).sum::<f64>());
        let fit = |k: usize| (to[k] - from[k]).max(1.0) / (seen.to[k] - seen.from[k]);
        let scale = fit(0).min(fit(1));
        Camera {
            axes,
            middle,
            centre: [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0, 0.0],
            scale: if scale > 0.0 && scale < FARTHEST {
                scale
            } else {
                1.0
            },
        }
    }

    /// The surface in the coordinates of the picture.
    pub fn place(&self, surface: &Surface) -> Surface {
        let shape = match &surface.shape {
            Shape::Ball { centre, radius } => Shape::Ball {
                centre: self.point(centre),
                // A grain too small for its samples is still a dot.
                radius: rounded(self.scale * radius).max(0.75),
            },
            Shape::Face { corners, normal } => {
                let normal = self.axes.map(|axis| dot(axis, *normal));
                let towards_viewer = if normal[2] > 0.0 { -1.0 } else { 1.0 };
                Shape::Face {
                    corners: corners.map(|p| self.point(&p)),
                    normal: normal.map(|x| towards_viewer * x),
                }
            }
        };
        Surface {
            shape,
            middle: self.point(&surface.middle),
            ..*surface
        }
    }

    fn point(&self, p: &Vector) -> Vector {
        let from_middle = minus(*p, self.middle);
        std::array::from_fn(|k| {
            rounded(self.scale * dot(self.axes[k], from_middle) + self.centre[k])
        })
    }
}

fn rounded(x: f64) -> f64 {
    (STEPS * x).round() / STEPS
}

/// Right, down and away from the viewer.
fn axes(view: View) -> [Vector; 3] {
    let default = View::default();
    let away = unit(view.direction)
        .or(unit(default.direction))
        .expect("the default view has a direction");
    let candidates = [view.up, default.up, [0.0, 1.0, 0.0]];
    let right = candidates
        .into_iter()
        .filter_map(unit)
        .map(|up| cross(away, up))
        .find(|right| dot(*right, *right) > 1e-12)
        .and_then(unit)
        .expect("z and y are not both along the line of sight");
    [right, cross(away, right), away]
}

struct Bounds {
    from: Vector,
    to: Vector,
}

impl Bounds {
    const EMPTY: Bounds = Bounds {
        from: [f64::INFINITY; 3],
        to: [f64::NEG_INFINITY; 3],
    };

    fn include(&mut self, p: &Vector, radius: f64) {
        for k in 0..3 {
            self.from[k] = self.from[k].min(p[k] - radius);
            self.to[k] = self.to[k].max(p[k] + radius);
        }
    }

    /// The origin if nothing was included.
    fn middle(&self) -> Vector {
        let middle = std::array::from_fn(|k| (self.from[k] + self.to[k]) / 2.0);
        if self.from[0] <= self.to[0] {
            middle
        } else {
            [0.0; 3]
        }
    }
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The vector at length one, if it has a direction.
pub(super) fn unit(a: Vector) -> Option<Vector> {
    let largest = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let a = a.map(|x| x / largest);
    let length = dot(a, a).sqrt();
    (length.is_finite() && length > 0.0).then(|| a.map(|x| x / length))
}
