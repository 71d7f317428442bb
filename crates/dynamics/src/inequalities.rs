//! What of a simulation is an inequality: contacts that can happen, and bounds at joints. Solvers of equations take none.

use crate::joints::{Control, Motor};
use crate::simulation::Simulation;
use moreau_collision::colliders::Groups;
use moreau_collision::shapes::ShapeTable;
use std::collections::BTreeMap;

/// The bodies with a shape that are in the same groups: those that forces move, and all.
#[derive(Default)]
struct Alike {
    rigid: Vec<u32>,
    all: Vec<u32>,
}

impl Simulation {
    /// The first thing in the simulation that a solver of equations, such as `cg`, cannot take, in words: two bodies that can
    /// collide, wherever they are now, or a joint with a limit, friction or a motor of bounded force.
    ///
    /// ```
    /// use moreau_collision::shapes::{Shape, Sphere};
    /// use moreau_dynamics::{bodies::NewBody, settings::SimulationSettings, simulation::Simulation};
    ///
    /// let mut simulation = Simulation::new(SimulationSettings::default());
    /// let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.5)?));
    /// simulation.add_body(NewBody::rigid(ball, 1000.0).named("left"))?;
    /// assert_eq!(simulation.first_inequality(), None);
    /// simulation.add_body(NewBody::rigid(ball, 1000.0).named("right"))?;
    /// assert_eq!(simulation.first_inequality().unwrap(), "'left' and 'right' can collide");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_inequality(&self) -> Option<String> {
        if let Some(pair) = self.first_pair_that_can_collide() {
            let [a, b] = pair.map(|body| self.name_of(body));
            return Some(format!("{a} and {b} can collide"));
        }
        self.joints.iter().enumerate().find_map(|(index, joint)| {
            let bound = joint.controls().iter().find_map(bound_of)?;
            let joint = match joint.name() {
                Some(name) => format!("the joint '{name}'"),
                None => format!("joint {index}"),
            };
            Some(format!("{joint} has {bound}"))
        })
    }

    fn name_of(&self, body: u32) -> String {
        let mut names = self.bodies.names.iter();
        match names.find(|(_, index)| **index == body) {
            Some((name, _)) => format!("'{name}'"),
            None => format!("body {body}"),
        }
    }

    /// Bodies of the same groups are looked at together: of two sets that meet, all pairs but the few that joints exclude
    /// can collide, so that the first look nearly always ends the search.
    fn first_pair_that_can_collide(&self) -> Option<[u32; 2]> {
        let bodies = &self.bodies;
        let mut sets: BTreeMap<(u16, u16), Alike> = BTreeMap::new();
        for body in 0..bodies.len() {
            if bodies.shapes[body] == ShapeTable::NONE {
                continue;
            }
            let Groups { member, collides } = bodies.groups[body];
            let set = sets.entry((member, collides)).or_default();
            set.all.push(body as u32);
            if bodies.is_rigid(body) {
                set.rigid.push(body as u32);
            }
        }
        let excluded = self.joints.excluded_pairs();
        let collide =
            |a: u32, b: u32| a != b && excluded.binary_search(&[a.min(b), a.max(b)]).is_err();
        for (one, first) in &sets {
            for (other, second) in &sets {
                if one.0 & other.1 == 0 || other.0 & one.1 == 0 {
                    continue;
                }
                let pairs = first.rigid.iter();
                let mut pairs = pairs.flat_map(|&a| second.all.iter().map(move |&b| [a, b]));
                if let Some([a, b]) = pairs.find(|[a, b]| collide(*a, *b)) {
                    return Some([a.min(b), a.max(b)]);
                }
            }
        }
        None
    }
}

/// What bounds a coordinate.
fn bound_of(control: &Control) -> Option<&'static str> {
    if control.limits.is_some() {
        return Some("limits");
    }
    if control.friction > 0.0 {
        return Some("friction");
    }
    match &control.motor {
        Some(Motor::Force { .. }) => Some("a motor of given force"),
        Some(Motor::Speed { max_force, .. } | Motor::Position { max_force, .. })
            if max_force.is_finite() =>
        {
            Some("a motor of bounded force")
        }
        _ => None,
    }
}
