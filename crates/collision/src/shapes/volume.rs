//! Integrals over the inside of a shape.

use super::ShapeError;
use crate::pose::Pose;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Volume, centre and inertia of a shape filled with density 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VolumeProperties {
    /// The volume.
    pub volume: f64,
    /// The centre of mass in the shape's frame.
    pub centre: DVec3,
    /// The inertia about the centre, in the axes of the shape's frame.
    pub inertia: DMat3,
}

impl VolumeProperties {
    /// The same solid after a motion of its frame.
    pub fn moved(&self, pose: &Pose) -> Self {
        let rotation = DMat3::from_quat(pose.rotation);
        Self {
            volume: self.volume,
            centre: pose.point(self.centre),
            inertia: rotation * self.inertia * rotation.transpose(),
        }
    }

    /// The same solid, enlarged about the origin of its frame.
    pub fn scaled(&self, scale: f64) -> Self {
        Self {
            volume: scale.powi(3) * self.volume,
            centre: scale * self.centre,
            inertia: self.inertia * scale.powi(5),
        }
    }

    /// Several solids taken as one; where they overlap, the volume counts once for each. A solid of negative volume
    /// and inertia takes away. `None` when nothing is left.
    pub fn sum(solids: impl IntoIterator<Item = VolumeProperties> + Clone) -> Option<Self> {
        let volume: f64 = solids.clone().into_iter().map(|s| s.volume).sum();
        if !(volume > 0.0) {
            return None;
        }
        let centre = solids
            .clone()
            .into_iter()
            .map(|s| s.volume * s.centre)
            .sum::<DVec3>()
            / volume;
        // Steiner: about another point, V (|d|² 1 − d dᵀ) is added.
        let inertia = solids
            .into_iter()
            .map(|s| s.inertia + s.volume * point_inertia(s.centre - centre))
            .fold(DMat3::ZERO, |sum, part| sum + part);
        Some(Self {
            volume,
            centre,
            inertia,
        })
    }

    /// What is taken away by cutting this solid out of another.
    pub(crate) fn negative(self) -> Self {
        Self {
            volume: -self.volume,
            centre: self.centre,
            inertia: -1.0 * self.inertia,
        }
    }

    /// A box.
    pub(crate) fn of_box(centre: DVec3, half: DVec3) -> Self {
        let volume = 8.0 * half.x * half.y * half.z;
        let squares = half * half;
        Self {
            volume,
            centre,
            // ∫ y² + z² over the box = V (b² + c²) / 3.
            inertia: DMat3::from_diagonal(
                volume / 3.0
                    * DVec3::new(
                        squares.y + squares.z,
                        squares.x + squares.z,
                        squares.x + squares.y,
                    ),
            ),
        }
    }

    /// A solid cone frustum about the z axis, of `radii` at the two `heights`.
    ///
    /// With r(z) linear: V = π ∫ r², I_z = π/2 ∫ r⁴, I_x = π/4 ∫ r⁴ + π ∫ r² z². All integrands are polynomials of at
    /// most degree 4, for which Gauss' rule with three points is exact.
    pub(crate) fn of_frustum(radii: [f64; 2], heights: [f64; 2]) -> Self {
        let middle = 0.5 * (heights[0] + heights[1]);
        let half = 0.5 * (heights[1] - heights[0]);
        let (mut volume, mut first, mut second, mut fourth) = (0.0, 0.0, 0.0, 0.0);
        let node = 0.6_f64.sqrt();
        for (s, weight) in [(-node, 5.0 / 9.0), (0.0, 8.0 / 9.0), (node, 5.0 / 9.0)] {
            let weight = PI * weight * half;
            let r = 0.5 * ((1.0 - s) * radii[0] + (1.0 + s) * radii[1]);
            let z = s * half;
            volume += weight * r * r;
            first += weight * r * r * z;
            second += weight * r * r * z * z;
            fourth += weight * r.powi(4);
        }
        let centre = first / volume;
        let across = 0.25 * fourth + second - volume * centre * centre;
        Self {
            volume,
            centre: DVec3::new(0.0, 0.0, middle + centre),
            inertia: DMat3::from_diagonal(DVec3::new(across, across, 0.5 * fourth)),
        }
    }

    /// The inside of a closed surface of triangles, counter-clockwise seen from outside: the sum over the tetrahedra
    /// from a point to each triangle, with sign. `None` when the volume is not positive.
    pub fn of_surface(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Option<Self> {
        // A point near the surface keeps the terms small; with the origin far away, digits would be lost.
        let base = vertices.iter().sum::<DVec3>() / vertices.len().max(1) as f64;
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for triangle in triangles {
            let [a, b, c] = triangle.map(|i| vertices[i as usize] - base);
            let v = a.dot(b.cross(c)) / 6.0;
            volume += v;
            first += 0.25 * v * (a + b + c);
            // ∫ x xᵀ over the tetrahedron (0, a, b, c) = v/20 (Σ p pᵀ + s sᵀ), s = a + b + c.
            let sum = a + b + c;
            for p in [a, b, c, sum] {
                second += v / 20.0 * outer(p);
            }
        }
        if !(volume > 0.0) {
            return None;
        }
        let centre = first / volume;
        let about = second - volume * outer(centre);
        let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
        Some(Self {
            volume,
            centre: base + centre,
            inertia: DMat3::from_diagonal(DVec3::splat(trace)) - about,
        })
    }
}

/// p pᵀ.
fn outer(p: DVec3) -> DMat3 {
    DMat3::from_cols(p * p.x, p * p.y, p * p.z)
}

/// Inertia of a unit mass at d: |d|² 1 − d dᵀ.
fn point_inertia(d: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(d.length_squared())) - outer(d)
}

/// Refuses a length that is not positive and finite.
pub(crate) fn positive(what: &str, value: f64) -> Result<(), ShapeError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(ShapeError {
            what: what.into(),
            found: format!("is {value}"),
            right: "it must be a positive, finite length".into(),
        })
    }
}

/// Refuses a vector of lengths of which one is not positive and finite.
pub(crate) fn positive_vector(what: &str, value: DVec3) -> Result<(), ShapeError> {
    for (axis, length) in ["x", "y", "z"].iter().zip(value.to_array()) {
        positive(&format!("{what} along {axis}"), length)?;
    }
    Ok(())
}
