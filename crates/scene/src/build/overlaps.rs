//! Bodies that begin inside one another.
//!
//! A rigid body that overlaps another body by more than a tenth of the smaller one's size is an error: the first step
//! would throw them apart. Fixed and driven bodies may overlap, as walls do at corners; that is a warning where one of
//! them is a half-space or box inside the other, and an error only where two half-spaces face each other and leave no room
//! at all.

use super::Builder;
use moreau_collision::broad_phase::BroadPhase;
use moreau_collision::colliders::Colliders;
use moreau_collision::narrow_phase::NarrowPhase;
use moreau_collision::shapes::Shape;

/// Overlap as a share of the smaller body's size.
const TOO_DEEP: f64 = 0.1;

/// So many overlaps are told.
const TOLD: usize = 10;

impl Builder<'_> {
    pub(super) fn check_overlaps(&mut self) {
        self.check_walls();
        let bodies = self.simulation.bodies();
        let envelopes = vec![0.0; bodies.len()];
        let dynamic: Vec<bool> = (0..bodies.len()).map(|b| bodies.is_rigid(b)).collect();
        let colliders = Colliders {
            poses: &bodies.poses,
            shapes: &bodies.shapes,
            table: self.simulation.shapes(),
            envelopes: &envelopes,
            dynamic: &dynamic,
            groups: &bodies.groups,
            excluded: self.simulation.joints().excluded_pairs(),
        };
        let (mut broad, mut narrow) = (BroadPhase::default(), NarrowPhase::default());
        let pairs = broad.find_pairs(&colliders);
        let size = |body: usize| {
            let entry = self.simulation.shapes().get(bodies.shapes[body]);
            entry.map_or(f64::INFINITY, |entry| entry.shape.size())
        };
        let mut found: Vec<(usize, usize, f64)> = Vec::new();
        for contact in narrow.find_contacts(&colliders, pairs) {
            let [a, b] = contact.bodies.map(|body| body as usize);
            let share = -contact.gap / size(a).min(size(b));
            if share <= TOO_DEEP {
                continue;
            }
            match found.iter().position(|(i, j, _)| (*i, *j) == (a, b)) {
                Some(known) => found[known].2 = found[known].2.max(share),
                None if found.len() < TOLD => found.push((a, b, share)),
                None => {}
            }
        }
        for (a, b, share) in found {
            let (first, second) = (self.body_name(a), self.body_name(b));
            let message = format!(
                "{first} and {second} overlap by {:.0} % of the smaller one's size",
                100.0 * share
            );
            let path = self.origin(b).to_string();
            self.error(&path, message);
        }
    }

    fn check_walls(&mut self) {
        let bodies = self.simulation.bodies();
        let table = self.simulation.shapes();
        let shape = |body: usize| table.get(bodies.shapes[body]).map(|entry| &entry.shape);
        let of_kind = |is: fn(&Shape) -> bool| -> Vec<usize> {
            (0..bodies.len())
                .filter(|body| !bodies.is_rigid(*body))
                .filter(|body| shape(*body).is_some_and(is))
                .take(1000)
                .collect()
        };
        let planes = of_kind(|shape| matches!(shape, Shape::HalfSpace(_)));
        let boxes = of_kind(|shape| matches!(shape, Shape::Cuboid(_)));
        let mut closed = Vec::new();
        for (index, &a) in planes.iter().enumerate() {
            for &b in &planes[index + 1..] {
                let (p, q) = (&bodies.poses[a], &bodies.poses[b]);
                let (m, n) = (p.direction(glam::DVec3::Z), q.direction(glam::DVec3::Z));
                // Opposite half-spaces leave the room between their planes.
                if m.dot(n) < -1.0 + 1e-9 && (q.position - p.position).dot(m) <= 0.0 {
                    closed.push((a, b));
                }
            }
        }
        let mut buried = Vec::new();
        for &a in &planes {
            for &b in &boxes {
                let normal = bodies.poses[a].direction(glam::DVec3::Z);
                let above = (bodies.poses[b].position - bodies.poses[a].position).dot(normal);
                let Some(Shape::Cuboid(cuboid)) = shape(b) else {
                    continue;
                };
                let local = bodies.poses[b].local_direction(normal);
                if above + cuboid.half_extents.dot(local.abs()) <= 0.0 {
                    buried.push((a, b));
                }
            }
        }
        for (a, b) in closed {
            let (first, second) = (self.body_name(a), self.body_name(b));
            let path = self.origin(b).to_string();
            let message = format!("{first} and {second} face each other and leave no room");
            let help = "a half-space is all points with z ≤ 0 in its own frame".to_string();
            self.error_with_help(&path, message, Some(help));
        }
        for (a, b) in buried {
            let (first, second) = (self.body_name(a), self.body_name(b));
            let path = self.origin(b).to_string();
            self.warn(&path, format!("{second} lies wholly inside {first}"));
        }
    }
}
