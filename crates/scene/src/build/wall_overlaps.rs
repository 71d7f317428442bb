//! Fixed bodies that share most of their volume.
//!
//! Walls overlap at corners and edges, and a pillar stands in its floor: nothing is wrong with that. A fixed body that has more
//! than half of its volume in another one is more likely a mistake in a position, so that the scene must say that it is meant.

use super::Builder;
use super::walls::meet_the_same;
use glam::DVec3;
use moreau_collision::bounds::Bounds;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, Surface, SurfaceDetail};
use moreau_dynamics::bodies::BodyKind;

/// This share of the smaller body's volume may be in the other one; the rest of the number is rounding.
const HALF: f64 = 0.5 + 1e-6;

/// Points along each edge of the box in which both can be, at which is asked who is there.
const POINTS: u32 = 16;

/// So many fixed bodies are compared, and so many pairs of them point by point.
const MOST_BODIES: usize = 1000;
const MOST_PAIRS: usize = 100;

/// So many overlaps are told.
const TOLD: usize = 10;

/// A fixed body with an inside.
struct Solid<'a> {
    body: usize,
    shape: &'a Shape,
    pose: Pose,
    bounds: Bounds,
    volume: f64,
}

/// Two that overlap, with the share of the smaller one (the second) that is in the other, and how deep in m.
struct Overlap {
    bodies: [usize; 2],
    share: f64,
    depth: f64,
}

impl Builder<'_> {
    pub(super) fn check_wall_overlaps(&mut self) {
        for Overlap {
            bodies: [larger, smaller],
            share,
            depth,
        } in self.wall_overlaps()
        {
            let (outer, inner) = (self.body_name(larger), self.body_name(smaller));
            let path = self.origin(smaller.max(larger)).to_string();
            let percent = (100.0 * share).round();
            let message = format!(
                "the fixed bodies {outer} and {inner} overlap: {percent} % of {inner} is inside {outer}, {depth:.3} m deep"
            );
            let help = format!(
                "move one or leave it out; if it is meant, say embedded = true for {inner}"
            );
            self.error_with_help(&path, message, Some(help));
        }
    }

    fn wall_overlaps(&self) -> Vec<Overlap> {
        let bodies = self.simulation.bodies();
        let fixed = (0..bodies.len()).filter(|body| bodies.kinds[*body] == BodyKind::Fixed);
        let solids: Vec<Solid> = fixed
            .filter_map(|body| {
                let (shape, pose) = self.wall_shape(body)?;
                Some(Solid {
                    body,
                    shape,
                    pose,
                    bounds: shape.bounds(&pose),
                    volume: shape.volume_properties()?.volume,
                })
            })
            .take(MOST_BODIES)
            .collect();
        let mut found = Vec::new();
        let mut compared = 0;
        for (index, a) in solids.iter().enumerate() {
            for b in &solids[index + 1..] {
                let (outer, inner) = if a.volume < b.volume { (b, a) } else { (a, b) };
                let common = common(&outer.bounds, &inner.bounds);
                let extent = common.extent().max(DVec3::ZERO);
                let possible = extent.element_product() > HALF * inner.volume;
                let meant = [a, b].iter().any(|one| self.embedded.contains(&one.body));
                if !possible || meant || !meet_the_same(bodies, a.body, b.body) {
                    continue;
                }
                compared += 1;
                let share = shared_volume(outer, inner, &common) / inner.volume;
                if share > HALF {
                    found.push(Overlap {
                        bodies: [outer.body, inner.body],
                        share: share.min(1.0),
                        depth: extent.min_element(),
                    });
                }
                if found.len() >= TOLD || compared >= MOST_PAIRS {
                    return found;
                }
            }
        }
        found
    }
}

/// The box in which both can be; empty where they are apart.
fn common(a: &Bounds, b: &Bounds) -> Bounds {
    Bounds {
        lower: a.lower.max(b.lower),
        upper: a.upper.min(b.upper),
    }
}

/// The volume of what is inside both, counted at points of a grid in a box.
fn shared_volume(a: &Solid, b: &Solid, within: &Bounds) -> f64 {
    let (in_a, in_b) = (Inside::of(a), Inside::of(b));
    let cell = within.extent() / f64::from(POINTS);
    let mut count = 0_u32;
    for number in 0..POINTS.pow(3) {
        let place = [0, 1, 2].map(|k| f64::from(number / POINTS.pow(k) % POINTS) + 0.5);
        let point = within.lower + cell * DVec3::from_array(place);
        count += u32::from(in_a.contains(point) && in_b.contains(point));
    }
    f64::from(count) * cell.element_product()
}

/// Closed surfaces, each with its frame.
struct Inside(Vec<(Pose, Surface)>);

impl Inside {
    fn of(solid: &Solid) -> Self {
        let detail = SurfaceDetail::default();
        Self(match solid.shape {
            // The parts may overlap: together they would be no simple surface.
            Shape::Compound(compound) => compound
                .parts
                .iter()
                .map(|(pose, part)| (solid.pose.compose(pose), part.surface(&detail)))
                .collect(),
            shape => vec![(solid.pose, shape.surface(&detail))],
        })
    }

    fn contains(&self, point: DVec3) -> bool {
        let holds = |(pose, surface): &(Pose, Surface)| surface.contains(pose.local_point(point));
        self.0.iter().any(holds)
    }
}
