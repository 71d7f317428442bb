//! The flat facets that stand for the outer sides and rims of a round container, near a shape only.

use crate::bounds::Bounds;
use crate::narrow_phase::mesh::facets::Facet;
use crate::shapes::bend;
use glam::{DVec2, DVec3};
use std::f64::consts::{PI, TAU};

/// Facets around the axis.
const AROUND: i64 = 64;

/// The facets, near a box, of the surface that a closed line of (distance from the axis, height) sweeps about the z
/// axis; the solid is on the line's left, and the facets' corners are on the true surface.
pub(super) fn near(profile: &[DVec2], near: &Bounds) -> Vec<Facet> {
    let mut facets = Vec::new();
    let [from, to] = sectors(near);
    for i in 0..profile.len() {
        let strip = Strip { profile, i };
        let (p_on_axis, q_on_axis) = (strip.corner(0).x == 0.0, strip.corner(1).x == 0.0);
        for k in from..to {
            // One triangle ends at q, the other begins at p; a point on the axis has room for one only.
            for (half, missing) in [(0, p_on_axis), (1, q_on_axis)] {
                if !missing {
                    let facet = strip.facet(k.rem_euclid(AROUND), half);
                    if facet.bounds().overlaps(near) {
                        facets.push(facet);
                    }
                }
            }
        }
    }
    facets
}

/// The sectors that a box reaches, seen from the axis.
fn sectors(near: &Bounds) -> [i64; 2] {
    let (lower, upper) = (near.lower.truncate(), near.upper.truncate());
    if lower.cmple(DVec2::ZERO).all() && upper.cmpge(DVec2::ZERO).all() {
        return [0, AROUND];
    }
    let middle = 0.5 * (lower + upper);
    let corners = [
        lower,
        upper,
        DVec2::new(lower.x, upper.y),
        DVec2::new(upper.x, lower.y),
    ];
    let half = corners.iter().fold(0.0_f64, |most, corner| {
        most.max(middle.perp_dot(*corner).atan2(middle.dot(*corner)).abs())
    });
    let angle = middle.y.atan2(middle.x);
    let sector = |angle: f64| (angle / TAU * AROUND as f64).floor() as i64;
    let half = half.min(PI);
    let (from, to) = (sector(angle - half), sector(angle + half) + 1);
    [from, to.min(from + AROUND)]
}

/// What one edge of the line, from p to q, sweeps: a plane trapezium in each sector.
struct Strip<'a> {
    profile: &'a [DVec2],
    i: usize,
}

impl Strip<'_> {
    /// A corner of the line, counted from p.
    fn corner(&self, offset: usize) -> DVec2 {
        self.profile[(self.i + offset) % self.profile.len()]
    }

    /// p (offset 0) or q (1) at the start of a sector, and its number.
    fn point(&self, offset: usize, k: i64) -> (DVec3, u32) {
        let corner = self.corner(offset);
        let index = (self.i + offset) % self.profile.len();
        let k = if corner.x == 0.0 { 0 } else { k % AROUND };
        let (sine, cosine) = (TAU * k as f64 / AROUND as f64).sin_cos();
        (
            DVec3::new(corner.x * cosine, corner.x * sine, corner.y),
            (index as i64 * AROUND + k) as u32,
        )
    }

    /// Normal of the trapezium: level across the middle of the sector and across the line.
    fn normal(&self, k: i64) -> DVec3 {
        let along = self.corner(1) - self.corner(0);
        let half = PI / AROUND as f64;
        // At the middle of its chord a circle of radius ρ is cos(half) ρ from the axis.
        let flat = DVec2::new(along.y, -along.x * half.cos()).normalize_or_zero();
        let (sine, cosine) = ((2 * k + 1) as f64 * half).sin_cos();
        DVec3::new(flat.x * cosine, flat.x * sine, flat.y)
    }

    fn neighbour(&self, edges: usize) -> Self {
        Self {
            profile: self.profile,
            i: (self.i + edges) % self.profile.len(),
        }
    }

    /// The triangle p_k, p_{k+1}, q_{k+1} (half 0) or p_k, q_{k+1}, q_k (half 1) of a sector.
    fn facet(&self, k: i64, half: usize) -> Facet {
        let (p_on_axis, q_on_axis) = (self.corner(0).x == 0.0, self.corner(1).x == 0.0);
        let normal = self.normal(k);
        let (before, after) = (self.normal(k - 1), self.normal(k + 1));
        // The diagonal of a trapezium is an edge to its other half; a triangle at the axis has none.
        let (points, across) = if half == 0 {
            let below = self.neighbour(self.profile.len() - 1).normal(k);
            (
                [self.point(0, k), self.point(0, k + 1), self.point(1, k + 1)],
                [below, after, if q_on_axis { before } else { normal }],
            )
        } else {
            let above = self.neighbour(1).normal(k);
            (
                [self.point(0, k), self.point(1, k + 1), self.point(1, k)],
                [if p_on_axis { after } else { normal }, above, before],
            )
        };
        let corners = points.map(|point| point.0);
        Facet {
            id: ((self.i as i64 * AROUND + k) * 2 + half as i64) as u32,
            corners,
            vertices: points.map(|point| point.1),
            normal,
            across,
            bends: [0, 1, 2].map(|e| bend(normal, across[e], corners[(e + 1) % 3] - corners[e])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow_phase::mesh::facets::of_surface;
    use crate::shapes::{Frustum, HollowCylinder, Shape, SurfaceDetail};

    const WHOLE: DVec3 = DVec3::splat(-9.0);

    /// The facets are those of the surface for pictures, with the same neighbours.
    fn same(shape: &Shape, profile: &[DVec2], box_near: &Bounds) {
        let detail = SurfaceDetail {
            segments: AROUND as usize,
            extent: 1.0,
        };
        let (found, all) = (
            near(profile, box_near),
            of_surface(&shape.surface(&detail), box_near),
        );
        assert!(!found.is_empty());
        // Large triangles whose boxes are near, but which are not, may be missing.
        assert!(found.len() == all.len() || box_near.lower != WHOLE);
        for a in &found {
            let close = |p: &DVec3, q: &DVec3| (*p - *q).length() < 1e-9;
            let each = |p: &[DVec3; 3], q: &[DVec3; 3]| p.iter().zip(q).all(|(p, q)| close(p, q));
            let b = all.iter().find(|b| each(&a.corners, &b.corners));
            let b = b.expect("a facet with these corners");
            assert!(close(&a.normal, &b.normal) && each(&a.across, &b.across));
            assert_eq!(a.bends, b.bends);
        }
    }

    #[test]
    fn near_facets_are_those_of_the_whole_surface() {
        let boxes = [
            (WHOLE, -WHOLE),
            (DVec3::new(0.5, -0.2, -2.0), DVec3::new(1.5, 0.4, 2.0)),
            (DVec3::new(-2.0, -1.0, 0.0), DVec3::new(-0.1, 1.0, 2.0)),
        ];
        for (lower, upper) in boxes {
            let bounds = Bounds { lower, upper };
            for (bottom, top) in [(false, false), (true, false), (true, true)] {
                let tube = HollowCylinder::new(1.0, 1.5, 0.2, bottom, top).expect("a tube");
                let (profile, corners) = tube.profile();
                same(&Shape::HollowCylinder(tube), &profile[..corners], &bounds);
            }
            let funnel = Frustum::new(0.4, 1.3, 1.0, 0.2).expect("a funnel");
            same(&Shape::Frustum(funnel), &funnel.profile(), &bounds);
        }
    }
}
