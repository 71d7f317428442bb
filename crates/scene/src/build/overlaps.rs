//! Bodies that begin inside one another.
//!
//! A rigid body that overlaps another body by more than a tenth of the smaller one's size is an error: the first step
//! would throw them apart. What walls may do is in [`super::walls`].

use super::Builder;
use moreau_collision::broad_phase::BroadPhase;
use moreau_collision::colliders::{Colliders, Mobility};
use moreau_collision::narrow_phase::NarrowPhase;
use moreau_collision::shapes::Shape;

/// Overlap as a share of the smaller body's size.
const TOO_DEEP: f64 = 0.1;

/// So many overlaps are told.
const TOLD: usize = 10;

impl Builder<'_> {
    pub(super) fn check_overlaps(&mut self) {
        self.check_walls();
        self.check_wall_overlaps();
        let bodies = self.simulation.bodies();
        let envelopes = vec![0.0; bodies.len()];
        let mobility: Vec<Mobility> = (0..bodies.len())
            .map(|body| match bodies.is_rigid(body) {
                true => Mobility::Free,
                false => Mobility::Still,
            })
            .collect();
        let colliders = Colliders {
            poses: &bodies.poses,
            shapes: &bodies.shapes,
            table: self.simulation.shapes(),
            envelopes: &envelopes,
            mobility: &mobility,
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
        for (wall, body) in self.inside_meshes() {
            if found
                .iter()
                .any(|(a, b, _)| [*a, *b] == [wall.min(body), wall.max(body)])
            {
                continue;
            }
            let (first, second) = (self.body_name(wall), self.body_name(body));
            let path = self.origin(body).to_string();
            self.error(&path, format!("{second} is inside the wall {first}"));
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

    /// Rigid bodies whose centre is inside a wall that is a mesh. Those farther inside than their own size have no
    /// contact with its surface.
    fn inside_meshes(&self) -> Vec<(usize, usize)> {
        let (bodies, table) = (self.simulation.bodies(), self.simulation.shapes());
        let rigid = |body: &usize| bodies.is_rigid(*body);
        let mut found = Vec::new();
        for wall in (0..bodies.len()).filter(|body| !rigid(body)) {
            let Some(entry) = table.get(bodies.shapes[wall]) else {
                continue;
            };
            let Shape::TriangleMesh(mesh) = &entry.shape else {
                continue;
            };
            let frame = entry.pose(&bodies.poses[wall]);
            let groups = bodies.groups[wall];
            for body in (0..bodies.len()).filter(rigid) {
                let other = bodies.groups[body];
                let meet =
                    groups.member & other.collides != 0 && other.member & groups.collides != 0;
                let centre = frame.local_point(bodies.poses[body].position);
                if meet && table.get(bodies.shapes[body]).is_some() && mesh.contains(centre) {
                    found.push((wall, body));
                }
                if found.len() >= TOLD {
                    return found;
                }
            }
        }
        found
    }
}
