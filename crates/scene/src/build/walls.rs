//! Walls that cannot be meant.
//!
//! Walls (fixed and driven bodies) may overlap: those of a box do at its corners, a plate lies in a floor, a piston comes
//! out of a wall; of fixed ones that share most of their volume [`super::wall_overlaps`] wants to be told. Refused is what no
//! scene can mean:
//!
//! * the same shape twice in the same place;
//! * a fixed body strictly inside a fixed half-space or box, where nothing can touch it;
//! * half-spaces that together leave no room.
//!
//! Walls for different bodies, by their groups, are not compared.

use super::Builder;
use glam::DVec3;
use moreau_collision::colliders::Groups;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::Shape;
use moreau_dynamics::bodies::{Bodies, BodyKind};

/// Rounding, as a share of the lengths or the volume that are compared.
const ROUNDING: f64 = 1e-9;

/// So many half-spaces are looked at together, and so many walls are searched for others in them.
const MOST_PLANES: usize = 24;
const MOST_SOLIDS: usize = 1000;

/// So many faults of a kind are told.
const TOLD: usize = 10;

impl Builder<'_> {
    pub(super) fn check_walls(&mut self) {
        let bodies = self.simulation.bodies();
        let walls: Vec<usize> = (0..bodies.len())
            .filter(|body| !bodies.is_rigid(*body) && self.wall_shape(*body).is_some())
            .collect();
        for (a, b) in self.doubles(&walls) {
            let (first, second) = (self.body_name(a), self.body_name(b));
            let path = self.origin(b).to_string();
            let message = format!("{first} and {second} are the same wall in the same place");
            let help = "leave one out, or move it".to_string();
            self.error_with_help(&path, message, Some(help));
        }
        for (a, b) in self.buried(&walls) {
            let (first, second) = (self.body_name(a), self.body_name(b));
            let path = self.origin(b).to_string();
            let message =
                format!("{second} lies wholly inside {first}, where nothing can touch it");
            let help = "leave it out, or move it out of there".to_string();
            self.error_with_help(&path, message, Some(help));
        }
        if let Some(closed) = self.closed_planes(&walls) {
            let names: Vec<String> = closed.iter().map(|body| self.body_name(*body)).collect();
            let (last, others) = names
                .split_last()
                .map_or(("", &[][..]), |(l, o)| (l.as_str(), o));
            let message = format!(
                "{} and {last} face each other and leave no room",
                others.join(", ")
            );
            let path = self.origin(closed[closed.len() - 1]).to_string();
            let help = "a half-space is all points with z ≤ 0 in its own frame".to_string();
            self.error_with_help(&path, message, Some(help));
        }
    }

    pub(super) fn wall_shape(&self, body: usize) -> Option<(&Shape, Pose)> {
        let bodies = self.simulation.bodies();
        let entry = self.simulation.shapes().get(bodies.shapes[body])?;
        Some((&entry.shape, entry.pose(&bodies.poses[body])))
    }

    /// Pairs of walls of the same shape in the same pose.
    fn doubles(&self, walls: &[usize]) -> Vec<(usize, usize)> {
        let bodies = self.simulation.bodies();
        let mut placed: Vec<(usize, &Shape, Pose)> = walls
            .iter()
            .filter_map(|&body| {
                self.wall_shape(body)
                    .map(|(shape, pose)| (body, shape, pose))
            })
            .collect();
        placed.sort_by(|a, b| a.2.position.x.total_cmp(&b.2.position.x));
        let mut found = Vec::new();
        for (index, (a, shape, pose)) in placed.iter().enumerate() {
            let size = shape.size();
            let length = if size.is_finite() {
                size
            } else {
                pose.position.length()
            };
            let near = ROUNDING * length;
            let close = |other: &Pose| {
                other.position.distance(pose.position) <= near
                    && other.rotation.dot(pose.rotation).abs() >= 1.0 - ROUNDING
            };
            let later = placed[index + 1..].iter();
            let later = later.take_while(|(.., other)| other.position.x - pose.position.x <= near);
            for (b, other, place) in later {
                if close(place) && other == shape && meet_the_same(bodies, *a, *b) {
                    found.push((*a.min(b), *a.max(b)));
                }
            }
        }
        found.sort_unstable();
        found.truncate(TOLD);
        found
    }

    /// Fixed half-spaces and boxes, each with a fixed body strictly inside.
    fn buried(&self, walls: &[usize]) -> Vec<(usize, usize)> {
        let bodies = self.simulation.bodies();
        let fixed = |body: &&usize| bodies.kinds[**body] == BodyKind::Fixed;
        let solid = |body: &&usize| {
            let shape = self.wall_shape(**body).map(|(shape, _)| shape);
            matches!(shape, Some(Shape::HalfSpace(_) | Shape::Cuboid(_)))
        };
        let mut found = Vec::new();
        for &a in walls.iter().filter(fixed).filter(solid).take(MOST_SOLIDS) {
            let Some((outer, frame)) = self.wall_shape(a) else {
                continue;
            };
            for &b in walls.iter().filter(fixed).filter(|b| **b != a) {
                let Some((inner, pose)) = self.wall_shape(b) else {
                    continue;
                };
                if matches!(inner, Shape::HalfSpace(_)) || !meet_the_same(bodies, a, b) {
                    continue;
                }
                let bounds = inner.bounds(&frame.inverse().compose(&pose));
                let slack = ROUNDING * bounds.extent().max_element();
                let inside = match outer {
                    Shape::HalfSpace(_) => bounds.upper.z < -slack,
                    Shape::Cuboid(cuboid) => {
                        let reach = bounds.upper.abs().max(bounds.lower.abs());
                        (reach + slack).cmplt(cuboid.half_extents).all()
                    }
                    _ => false,
                };
                if inside {
                    found.push((a, b));
                }
            }
        }
        found.truncate(TOLD);
        found
    }

    /// Two, three or four half-spaces that leave no room between them. By Helly's theorem these are all the ways in which
    /// any number of them can leave none.
    fn closed_planes(&self, walls: &[usize]) -> Option<Vec<usize>> {
        let bodies = self.simulation.bodies();
        let planes: Vec<(usize, DVec3, f64)> = walls
            .iter()
            .filter_map(|&body| match self.wall_shape(body)? {
                (Shape::HalfSpace(_), pose) => {
                    let normal = pose.direction(DVec3::Z);
                    Some((body, normal, normal.dot(pose.position)))
                }
                _ => None,
            })
            .take(MOST_PLANES)
            .collect();
        let mut chosen = Vec::new();
        first_closed(&planes, bodies, 0, &mut chosen)
            .then(|| chosen.iter().map(|plane| planes[*plane].0).collect())
    }
}

/// Whether some bodies could touch both.
pub(super) fn meet_the_same(bodies: &Bodies, a: usize, b: usize) -> bool {
    let common = |a: Groups, b: Groups| a.collides & b.collides != 0 && a.member & b.member != 0;
    common(bodies.groups[a], bodies.groups[b])
}

/// Adds planes to those chosen until they leave no room; says whether that was possible.
fn first_closed(
    planes: &[(usize, DVec3, f64)],
    bodies: &Bodies,
    from: usize,
    chosen: &mut Vec<usize>,
) -> bool {
    for next in from..planes.len() {
        let meets = |other: &usize| meet_the_same(bodies, planes[*other].0, planes[next].0);
        if !chosen.iter().all(meets) {
            continue;
        }
        chosen.push(next);
        if leave_no_room(
            chosen
                .iter()
                .map(|plane| (planes[*plane].1, planes[*plane].2)),
        ) {
            return true;
        }
        if chosen.len() < 4 && first_closed(planes, bodies, next + 1, chosen) {
            return true;
        }
        chosen.pop();
    }
    false
}

/// Whether no point has n·x > d for all of two to four planes, and all of them are needed for that: weights λ > 0 with
/// Σ λ n = 0 and Σ λ d ≥ 0 exist (Gordan's theorem).
fn leave_no_room(planes: impl Iterator<Item = (DVec3, f64)>) -> bool {
    let (normals, offsets): (Vec<DVec3>, Vec<f64>) = planes.unzip();
    let weights: Vec<f64> = match normals.as_slice() {
        [_, _] => vec![1.0, 1.0],
        [a, b, c] => {
            let across = a.cross(*b);
            [b.cross(*c), c.cross(*a), across]
                .map(|w| w.dot(across))
                .to_vec()
        }
        [a, b, c, d] => {
            let volume = |u: &DVec3, v: &DVec3, w: &DVec3| u.dot(v.cross(*w));
            let all = [
                -volume(b, c, d),
                volume(a, c, d),
                -volume(a, b, d),
                volume(a, b, c),
            ];
            // The weights are known up to their common sign.
            let sign = 1f64.copysign(all[3]);
            all.map(|w| sign * w).to_vec()
        }
        _ => return false,
    };
    let total: f64 = weights.iter().sum();
    let sum: DVec3 = normals.iter().zip(&weights).map(|(n, w)| *n * *w).sum();
    let depth: f64 = offsets.iter().zip(&weights).map(|(d, w)| d * w).sum();
    let size: f64 = offsets
        .iter()
        .zip(&weights)
        .map(|(d, w)| (d * w).abs())
        .sum();
    weights.iter().all(|w| *w > ROUNDING)
        && sum.length() <= ROUNDING * total
        && depth >= -ROUNDING * size
}
