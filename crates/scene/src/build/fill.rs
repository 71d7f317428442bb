//! Bodies at random places without overlap: random sequential addition, the largest first.

use super::generators::Common;
use super::{Builder, Told};
use crate::free_space::FreeSpace;
use crate::mix::{Drawn, Mix};
use crate::model::Generator;
use crate::random::Random;
use crate::region::Region;
use glam::DVec3;
use moreau_collision::pose::Pose;

/// A body that found no room at so many random places finds none.
const ATTEMPTS: usize = 20_000;

impl<'a> Builder<'a> {
    pub(super) fn fill(
        &mut self,
        path: &str,
        generator: &'a Generator,
        random: &mut Random,
    ) -> Result<(), Told> {
        let Generator::Fill {
            name,
            mix,
            region,
            fraction,
            count,
            velocity,
        } = generator
        else {
            return Ok(());
        };
        let mut mix = self.mix(&format!("{path}.mix"), mix, true)?;
        let region = self.told(&format!("{path}.region"), Region::new(region))?;
        if region.bounds().is_none() {
            let path = format!("{path}.region");
            return Err(self.error(
                &path,
                "the region has no end; expected a box, cylinder or sphere",
            ));
        }
        let mut bodies = match (fraction, count) {
            (Some(fraction), None) => self.draw_volume(path, &mix, &region, *fraction, random)?,
            (None, Some(count)) => {
                self.check_count(&format!("{path}.count"), *count as f64)?;
                (0..*count).map(|_| mix.draw(random)).collect()
            }
            _ => {
                let message = format!("{path} needs either fraction or count");
                return Err(self.error(path, message));
            }
        };
        let reach = |drawn: &Drawn| mix.kind(drawn).shape.reach() * drawn.scale;
        bodies.sort_by(|a, b| reach(b).total_cmp(&reach(a)));
        let mut space = self.occupied(2.0 * mix.largest_reach());
        let common = Common {
            path,
            name: name.as_deref(),
            velocity: DVec3::from_array(*velocity),
        };
        let wanted = bodies.len();
        let mut filled = 0.0;
        for (number, drawn) in bodies.iter().enumerate() {
            let shape = mix.shape(drawn);
            let reach = shape.reach();
            let place = (0..ATTEMPTS).find_map(|_| {
                let place = region.draw(random, reach)?;
                let pose = Pose::new(place, drawn.rotation);
                let free = space.is_free(self.simulation.shapes(), &shape, &pose);
                free.then_some(place)
            });
            let Some(place) = place else {
                let share = filled / region.volume();
                let message = format!(
                    "there is room for {number} of {wanted} bodies only: {share:.3} of the volume is filled"
                );
                let help =
                    "take fewer, a larger region, or an emitter above it that lets bodies fall";
                return Err(self.error_with_help(path, message, Some(help.into())));
            };
            filled += shape.volume_properties().map_or(0.0, |v| v.volume);
            self.add_drawn(&common, number as u64, &mut mix, drawn, place)?;
            let entry = *self.simulation.bodies().shapes.last().unwrap_or(&0);
            let pose = Pose::new(place, drawn.rotation);
            space.insert(self.simulation.shapes(), entry, pose);
        }
        Ok(())
    }

    /// Draws bodies until their volume is that share of the region's.
    fn draw_volume(
        &mut self,
        path: &str,
        mix: &Mix,
        region: &Region,
        fraction: f64,
        random: &mut Random,
    ) -> Result<Vec<Drawn>, Told> {
        let wanted = fraction * region.volume();
        let mut bodies = Vec::new();
        let mut volume = 0.0;
        while volume < wanted {
            let drawn = mix.draw(random);
            let kind = mix.kind(&drawn);
            let one = kind.shape.volume_properties().map_or(0.0, |v| v.volume);
            let one = one * drawn.scale.powi(3);
            if !(one > 0.0) {
                let message = format!("a {} has no volume to fill with", kind.shape.name());
                return Err(self.error(path, message));
            }
            volume += one;
            // The first body tells how many there will be, about; the rest are counted.
            let expected = if bodies.is_empty() { wanted / one } else { 0.0 };
            let so_far = bodies.len() as f64;
            let far_too_many = 1e-3 * expected > self.file.max_bodies as f64;
            self.check_count(path, if far_too_many { expected } else { so_far + 1.0 })?;
            bodies.push(drawn);
        }
        Ok(bodies)
    }

    /// Space with all bodies so far in it.
    fn occupied(&self, size: f64) -> FreeSpace {
        let mut space = FreeSpace::new(size);
        let (bodies, shapes) = (self.simulation.bodies(), self.simulation.shapes());
        for body in 0..bodies.len() {
            if let Some(entry) = shapes.get(bodies.shapes[body]) {
                space.insert(shapes, bodies.shapes[body], entry.pose(&bodies.poses[body]));
            }
        }
        space
    }
}
