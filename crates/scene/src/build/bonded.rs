//! A solid made of equal spheres on a lattice.

use super::bodies::quaternion;
use super::generators::Common;
use super::{Builder, Told};
use crate::model::{Generator, Lattice};
use glam::DVec3;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, Sphere, Surface, SurfaceDetail};
use moreau_dynamics::bodies::NewBody;

/// Lattice points times triangles: beyond this the search would take minutes.
const MOST_TESTS: f64 = 2e10;

impl<'a> Builder<'a> {
    pub(super) fn bonded(&mut self, path: &str, generator: &'a Generator) -> Result<(), Told> {
        let Generator::Bonded {
            name,
            shape,
            radius,
            lattice,
            density,
            material,
            position,
            rotation,
            velocity,
        } = generator
        else {
            return Ok(());
        };
        let (surface, _) = (material, radius);
        let cohesion = self.file.materials.get(surface).map(|m| m.cohesion);
        let (material, density) = self.material_and_density(path, Some(material), *density)?;
        if cohesion == Some(0.0) {
            let message = format!("the material '{surface}' has no cohesion to bond spheres with");
            let help = Some(format!("give materials.{surface} a cohesion in N"));
            return Err(self.error_with_help(&format!("{path}.material"), message, help));
        }
        let solid = self.shape_of(&format!("{path}.shape"), shape, false)?;
        if solid.volume_properties().is_none() {
            let message = format!("a {} has no inside to fill", solid.name());
            return Err(self.error(&format!("{path}.shape"), message));
        }
        let turn = self.told(&format!("{path}.rotation"), quaternion(rotation.as_ref()))?;
        let frame = Pose::new(DVec3::from_array(*position), turn);

        let bounds = solid.bounds(&Pose::IDENTITY);
        let extent = bounds.extent();
        let cells = (extent / *radius).element_product() / 4.0;
        let surface = solid.surface(&SurfaceDetail {
            segments: 128,
            ..SurfaceDetail::default()
        });
        if cells * surface.triangles.len() as f64 > MOST_TESTS {
            let message = format!(
                "about {cells:.1e} spheres are too many to test against {} triangles",
                surface.triangles.len()
            );
            return Err(self.error(path, message));
        }
        let common = Common {
            path,
            name: name.as_deref(),
            velocity: DVec3::from_array(*velocity),
        };
        let entry = self
            .simulation
            .add_shape(Shape::Sphere(Sphere { radius: *radius }));
        let mut number = 0;
        for point in lattice_points(bounds.lower, bounds.upper, *radius, *lattice) {
            // Spheres that touch the surface from inside are in.
            if !holds_ball(&surface, point, *radius * (1.0 - 1e-6)) {
                continue;
            }
            let body = NewBody::rigid(entry, density)
                .posed(Pose::new(frame.point(point), turn))
                .of(material);
            self.add_generated(&common, number, body)?;
            number += 1;
        }
        if number == 0 {
            let message = format!(
                "no sphere of radius {radius} fits into the {}",
                solid.name()
            );
            return Err(self.error(&format!("{path}.radius"), message));
        }
        Ok(())
    }
}

/// Centres of touching spheres of a radius in a box, the first ones touching its lower faces.
fn lattice_points(
    lower: DVec3,
    upper: DVec3,
    radius: f64,
    lattice: Lattice,
) -> impl Iterator<Item = DVec3> {
    // Hexagonal close packing: rows shifted by a radius, layers over the gaps of those below.
    let (row, layer) = match lattice {
        Lattice::Cubic => (2.0, 2.0),
        Lattice::Hexagonal => (3f64.sqrt(), 2.0 * (2.0f64 / 3.0).sqrt()),
    };
    let steps = DVec3::new(2.0, row, layer) * radius;
    let counts = ((upper - lower) / steps + 1e-9).ceil();
    let [nx, ny, nz] = [counts.x as u64, counts.y as u64, counts.z as u64];
    (0..nz).flat_map(move |k| {
        (0..ny).flat_map(move |j| {
            (0..nx).map(move |i| {
                let mut point = DVec3::new(i as f64, j as f64, k as f64) * steps;
                if lattice == Lattice::Hexagonal {
                    point.x += radius * ((j + k) % 2) as f64;
                    point.y += radius / 3f64.sqrt() * (k % 2) as f64;
                }
                lower + radius + point
            })
        })
    })
}

/// Whether all points within a radius lie inside a closed surface.
fn holds_ball(surface: &Surface, centre: DVec3, radius: f64) -> bool {
    let clear = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|index| surface.vertices[index as usize]);
        nearest_in_triangle(centre, a, b, c).distance(centre) >= radius
    };
    surface.triangles.iter().all(clear) && surface.contains(centre)
}

/// The point of a triangle nearest to `p` (Ericson, Real-Time Collision Detection, 5.1.5).
fn nearest_in_triangle(p: DVec3, a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let total = va + vb + vc;
    a + ab * (vb / total) + ac * (vc / total)
}
