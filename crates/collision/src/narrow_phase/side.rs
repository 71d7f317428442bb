//! A solid seen along a normal: how its farthest point changes when the normal turns.
//!
//! The support function h(x), the largest p·x over the points p of a core, is split into a part made of pieces (a
//! largest of few products p·x, which a model of h keeps exactly) and a smooth part with a second derivative. A box and
//! a segment have corners as pieces; an ellipsoid is smooth; a cylinder is the sum of a segment and a smooth disc; a cone
//! has two pieces, the apex and the rim, of which the rim is smooth itself.

use super::support::{Core, Solid, farthest, rim_point};
use glam::{DVec2, DVec3};

/// A direction closer than this to the axis of a round face is the axis.
const ON_AXIS: f64 = 1e-9;

/// One product of the part made of pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    /// p.
    pub point: DVec3,
    /// Whether it stands for the rim of a cone.
    pub rim: bool,
}

/// The smooth part: its point, and the second derivative for turns along the two axes of the tangent plane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Smooth {
    /// The gradient: a point of the smooth part.
    pub point: DVec3,
    /// ∂²h/∂u².
    pub uu: f64,
    /// ∂²h/∂u∂v.
    pub uv: f64,
    /// ∂²h/∂v².
    pub vv: f64,
}

/// A solid with a unit direction m, outwards of it, and two unit vectors across; all in the solid's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    core: Core<'a>,
    m: DVec3,
    u: DVec3,
    v: DVec3,
    /// Length of m across the z axis.
    across: f64,
}

impl<'a> Side<'a> {
    /// The solid seen along m.
    pub fn new(solid: &Solid<'a>, m: DVec3, u: DVec3, v: DVec3) -> Self {
        Self {
            core: solid.core,
            m,
            u,
            v,
            across: (m.x * m.x + m.y * m.y).sqrt(),
        }
    }

    /// Heights of a point along m and along the two vectors across.
    #[inline]
    pub fn coordinates(&self, point: DVec3) -> (f64, DVec2) {
        (
            point.dot(self.m),
            DVec2::new(point.dot(self.u), point.dot(self.v)),
        )
    }

    /// The smooth part at m; the rim of a cone counts with a weight.
    pub fn smooth(&self, rim_weight: f64) -> Smooth {
        match self.core {
            Core::Ellipsoid(semi) => {
                // h = |S m|, its gradient p = S² m / h, its second derivative (S² − p pᵀ) / h.
                let scaled = semi * self.m;
                let height = scaled.length();
                let point = semi * scaled / height;
                let (su, sv) = (semi * self.u, semi * self.v);
                let (pu, pv) = (point.dot(self.u), point.dot(self.v));
                Smooth {
                    point,
                    uu: (su.length_squared() - pu * pu) / height,
                    uv: (su.dot(sv) - pu * pv) / height,
                    vv: (sv.length_squared() - pv * pv) / height,
                }
            }
            Core::Cylinder(radius, _) if self.across > ON_AXIS => Smooth {
                point: rim_point(radius, self.m),
                ..self.disc(radius)
            },
            Core::Cone(radius, _) if self.across > ON_AXIS => self.disc(rim_weight * radius),
            _ => Smooth::default(),
        }
    }

    /// h = r |m_xy| has the second derivative (r / |m_xy|) f fᵀ with f the unit vector around the axis.
    fn disc(&self, radius: f64) -> Smooth {
        let around = DVec2::new(-self.m.y, self.m.x) / self.across;
        let curvature = radius / self.across;
        let (fu, fv) = (around.dot(self.u.truncate()), around.dot(self.v.truncate()));
        Smooth {
            point: DVec3::ZERO,
            uu: curvature * fu * fu,
            uv: curvature * fu * fv,
            vv: curvature * fv * fv,
        }
    }

    /// The piece that is largest at m + turn.x u + turn.y v. On the axis of a round face, where r |m_xy| has no
    /// derivative, the disc belongs to the pieces: all its points.
    #[inline]
    pub fn piece(&self, turn: DVec2) -> Piece {
        let x = self.m + turn.x * self.u + turn.y * self.v;
        let point = match self.core {
            Core::Point | Core::Ellipsoid(_) => DVec3::ZERO,
            Core::Segment(half) => DVec3::new(0.0, 0.0, half.copysign(x.z)),
            Core::Box(half) => half.copysign(x),
            Core::Cylinder(radius, half) => {
                let end = DVec3::new(0.0, 0.0, half.copysign(x.z));
                if self.across > ON_AXIS {
                    end
                } else {
                    end + rim_point(radius, x)
                }
            }
            Core::Cone(radius, half) => {
                let towards = if self.across > ON_AXIS { self.m } else { x };
                let apex = DVec3::new(0.0, 0.0, half);
                let rim = rim_point(radius, towards) - apex;
                let by_rim = rim.dot(x) >= apex.dot(x);
                return Piece {
                    point: if by_rim { rim } else { apex },
                    rim: by_rim,
                };
            }
            Core::Hull(vertices, _) => vertices[farthest(vertices, x)],
        };
        Piece { point, rim: false }
    }

    /// A piece that was found for another m close by; `None` if pieces have another meaning there.
    #[inline]
    pub fn renewed(&self, piece: Piece) -> Option<Piece> {
        match self.core {
            Core::Cylinder(..) | Core::Cone(..) if self.across <= ON_AXIS => None,
            Core::Cone(radius, half) if piece.rim => Some(Piece {
                point: rim_point(radius, self.m).with_z(-half),
                rim: true,
            }),
            Core::Cylinder(..) => Some(Piece {
                point: DVec3::new(0.0, 0.0, piece.point.z),
                rim: false,
            }),
            _ => Some(piece),
        }
    }
}

/// The axis of a round face that m is close to: there h has a corner that Newton's method does not see.
pub(super) fn round_axis(solid: &Solid, m: DVec3) -> Option<DVec3> {
    let round = match solid.core {
        Core::Cylinder(..) => true,
        Core::Cone(..) => m.z < 0.0,
        _ => false,
    };
    (round && m.z.abs() > 0.95 && m.z.abs() < 1.0).then(|| DVec3::new(0.0, 0.0, 1f64.copysign(m.z)))
}
