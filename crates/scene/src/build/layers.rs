//! Layers of bodies that come one after the other.

use super::{Builder, Told};
use crate::free_space::FreeSpace;
use crate::model::{Arrangement, Generator};
use crate::random::Random;
use crate::run::{Layers, TOUCH};
use glam::{DQuat, DVec2, DVec3};
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, Sphere};

impl<'a> Builder<'a> {
    pub(super) fn layers(
        &mut self,
        path: &str,
        generator: &'a Generator,
        random: &Random,
    ) -> Result<(), Told> {
        let Generator::Layers {
            name,
            mix,
            region,
            spacing,
            arrangement,
            every,
            layers,
            from,
            on_top,
            velocity,
        } = generator
        else {
            return Ok(());
        };
        let mix = self.mix(&format!("{path}.mix"), mix, false)?;
        let region = self.bounded_region(&format!("{path}.region"), region)?;
        let made = Layers {
            name: name.clone(),
            region,
            mix,
            spacing: *spacing,
            at_random: *arrangement == Arrangement::Random,
            every: *every,
            from: *from,
            layers: *layers,
            on_top: *on_top,
            velocity: DVec3::from_array(*velocity),
            random: random.clone(),
            begun: 0,
            waiting: Vec::new(),
            count: 0,
            mass: 0.0,
        };
        self.check_layer_size(path, &made)?;
        self.check_layer_places(path, &made)?;
        self.layers.push(made);
        Ok(())
    }

    /// Refuses more bodies than allowed before the places of any are listed.
    fn check_layer_size(&mut self, path: &str, layers: &Layers) -> Result<(), Told> {
        let Some(bounds) = layers.region.bounds() else {
            return Ok(());
        };
        let reach = layers.mix.largest_reach();
        let room = bounds.upper - bounds.lower - 2.0 * reach;
        if !(room.min_element() >= -1e-9 * reach) {
            let message = format!("bodies that reach {reach} m do not fit into the region");
            return Err(self.error(&format!("{path}.region"), message));
        }
        let counts = (room.truncate() / layers.spacing).floor() + 1.0;
        let total = counts.element_product() * layers.layers as f64;
        self.check_count(&format!("{path}.spacing"), total)
    }

    /// Every place of the first layer must be free of what never moves.
    fn check_layer_places(&mut self, path: &str, layers: &Layers) -> Result<(), Told> {
        let places = layers.grid();
        let at = format!("{path}.region");
        if places.is_empty() {
            let message = "a layer in the region has no place for a body";
            return Err(self.error(&at, message));
        }
        let reach = layers.mix.largest_reach();
        let (bodies, shapes) = (self.simulation.bodies(), self.simulation.shapes());
        let ball = Shape::Sphere(Sphere { radius: reach });
        let mut found = None;
        for body in (0..bodies.len()).filter(|body| !bodies.is_rigid(*body)) {
            let Some(entry) = shapes.get(bodies.shapes[body]) else {
                continue;
            };
            let mut space = FreeSpace::new(2.0 * reach);
            space.insert(shapes, bodies.shapes[body], entry.pose(&bodies.poses[body]));
            let blocked = |place: &&DVec2| {
                let pose = Pose::new(place.extend(layers.lowest()), DQuat::IDENTITY);
                !space.is_free(shapes, (&ball, &pose), TOUCH * reach)
            };
            let count = places.iter().filter(blocked).count();
            if count > 0 {
                found = Some((body, count));
                break;
            }
        }
        if let Some((body, count)) = found {
            let name = self.body_name(body);
            let message = format!(
                "{count} of {} places of a layer are in {name}",
                places.len()
            );
            let help = "make the region smaller or move it".to_string();
            return Err(self.error_with_help(&at, message, Some(help)));
        }
        Ok(())
    }
}
