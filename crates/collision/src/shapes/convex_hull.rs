//! The convex hull of points.

use super::{ShapeError, VolumeProperties};
use crate::bounds::Bounds;
use crate::pose::Pose;
use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use serde::{Deserialize, Serialize};

/// A convex polyhedron.
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::shapes::ConvexHull;
///
/// let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::splat(0.1)];
/// let hull = ConvexHull::from_points(&points)?;
/// assert_eq!(hull.vertices.len(), 4, "the last point is inside");
/// # Ok::<(), moreau_collision::shapes::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConvexHull {
    /// Its corners.
    pub vertices: Vec<DVec3>,
    /// Its faces as triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Points whose hull is thinner than this fraction of its length count as flat.
const FLAT: f64 = 1e-9;

impl ConvexHull {
    /// The hull of points; points inside of it are dropped.
    ///
    /// # Errors
    /// When there are fewer than 4 points, one is not finite, or all lie in a plane.
    pub fn from_points(points: &[DVec3]) -> Result<Self, ShapeError> {
        let refuse = |found: String, right: &str| ShapeError {
            what: "points".into(),
            found,
            right: right.into(),
        };
        if points.len() < 4 {
            return Err(refuse(
                format!("are {}", points.len()),
                "a convex hull needs at least 4",
            ));
        }
        if let Some(index) = points.iter().position(|p| !p.is_finite()) {
            return Err(refuse(
                format!("hold {} at index {index}", points[index]),
                "coordinates must be finite",
            ));
        }
        let flat = || {
            refuse(
                "lie in a plane, on a line, or in one spot".into(),
                "a convex hull needs an inside",
            )
        };
        let lower = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let upper = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let (centre, length) = (0.5 * (lower + upper), (upper - lower).max_element());
        if !(length > 0.0) || thickness(points) <= FLAT * length {
            return Err(flat());
        }
        // In units of the points' own extent, the library's absolute tolerances are relative ones.
        let unit: Vec<Vector> = points
            .iter()
            .map(|&p| (p - centre) / length)
            .map(|p| Vector::new(p.x, p.y, p.z))
            .collect();
        let (vertices, triangles) = try_convex_hull(&unit).map_err(|_| flat())?;
        let vertices: Vec<DVec3> = vertices
            .iter()
            .map(|p| centre + length * DVec3::new(p.x, p.y, p.z))
            .collect();
        let hull = Self {
            vertices,
            triangles,
        };
        match VolumeProperties::of_surface(&hull.vertices, &hull.triangles) {
            Some(_) => Ok(hull),
            None => Err(flat()),
        }
    }

    /// The box around it.
    pub fn bounds(&self, pose: &Pose) -> Bounds {
        point_bounds(pose, &self.vertices)
    }

    /// The sum of signed tetrahedra.
    pub fn volume_properties(&self) -> Option<VolumeProperties> {
        VolumeProperties::of_surface(&self.vertices, &self.triangles)
    }

    /// The smallest distance of a face from the corners' mean: half a width, about.
    pub(crate) fn size(&self) -> f64 {
        let mean = self.vertices.iter().sum::<DVec3>() / self.vertices.len().max(1) as f64;
        self.triangles
            .iter()
            .map(|triangle| {
                let [a, b, c] = triangle.map(|i| self.vertices[i as usize]);
                (b - a).cross(c - a).normalize_or_zero().dot(a - mean)
            })
            .filter(|&distance| distance > 0.0)
            .fold(f64::INFINITY, f64::min)
    }
}

/// The box around points.
pub(crate) fn point_bounds(pose: &Pose, points: &[DVec3]) -> Bounds {
    points.iter().fold(Bounds::EMPTY, |all, &p| {
        let world = pose.point(p);
        all.union(&Bounds {
            lower: world,
            upper: world,
        })
    })
}

/// The largest distance of a point from the plane through three far ones.
fn thickness(points: &[DVec3]) -> f64 {
    let farthest =
        |measure: &dyn Fn(DVec3) -> f64| {
            points.iter().copied().fold(points[0], |best, p| {
                if measure(p) > measure(best) { p } else { best }
            })
        };
    let a = points[0];
    let b = farthest(&|p| (p - a).length_squared());
    let along = (b - a).normalize_or_zero();
    let c = farthest(&|p| along.cross(p - a).length_squared());
    let normal = along.cross(c - a).normalize_or_zero();
    let d = farthest(&|p| normal.dot(p - a).abs());
    normal.dot(d - a).abs()
}
