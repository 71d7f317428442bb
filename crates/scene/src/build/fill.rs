//! Bodies at random places without overlap: random sequential addition, the largest first.

use super::generators::Common;
use super::{Builder, Told};
use crate::free_space::FreeSpace;
use crate::mix::{Drawn, Mix};
use crate::model::Generator;
use crate::random::Random;
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
        let region = self.bounded_region(&format!("{path}.region"), region)?;
        let room = region.volume();
        let mean = self.mean_volume(path, &mix, random.clone())?;
        let expected = match (fraction, count) {
            (Some(fraction), None) => (fraction * room / mean).ceil(),
            (None, Some(count)) => *count as f64,
            _ => {
                let message = format!("{path} needs either fraction or count");
                return Err(self.error(path, message));
            }
        };
        self.check_count(path, expected)?;
        if 0.9 * mean * expected > room {
            let share = mean * expected / room;
            let message =
                format!("{expected} bodies have {share:.2} times the volume of the region");
            return Err(self.error(path, message));
        }
        let wanted = fraction.map_or(f64::INFINITY, |fraction| fraction * room);
        let most = count.unwrap_or(u64::MAX);
        let (mut bodies, mut volume) = (Vec::new(), 0.0);
        while volume < wanted && (bodies.len() as u64) < most {
            let drawn = mix.draw(random);
            volume += volume_of(&mix, &drawn);
            bodies.push(drawn);
        }
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
                let free = space.is_free(self.simulation.shapes(), (&shape, &pose), 0.0);
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

    /// The mean volume of the bodies of a mix, from a sample of them.
    fn mean_volume(&mut self, path: &str, mix: &Mix, mut random: Random) -> Result<f64, Told> {
        const SAMPLE: usize = 1000;
        let mut sum = 0.0;
        for _ in 0..SAMPLE {
            let drawn = mix.draw(&mut random);
            let volume = volume_of(mix, &drawn);
            if !(volume > 0.0) {
                let name = mix.kind(&drawn).shape.name();
                return Err(self.error(path, format!("a {name} has no volume to fill with")));
            }
            sum += volume;
        }
        Ok(sum / SAMPLE as f64)
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

fn volume_of(mix: &Mix, drawn: &Drawn) -> f64 {
    let shape = &mix.kind(drawn).shape;
    shape.volume_properties().map_or(0.0, |v| v.volume) * drawn.scale.powi(3)
}
