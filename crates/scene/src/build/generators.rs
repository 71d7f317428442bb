//! Bodies in numbers.

use super::bodies::{quaternion, unfit_for_rigid};
use super::{Builder, Told};
use crate::distribution::Distribution;
use crate::mix::{Drawn, Kind, Mix, can_scale};
use crate::model::{Generator, MixEntry};
use crate::random::Random;
use glam::DVec3;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{Shape, Sphere};
use moreau_dynamics::bodies::NewBody;

/// What all bodies of a generator have in common.
pub(super) struct Common<'a> {
    pub path: &'a str,
    pub name: Option<&'a str>,
    pub velocity: DVec3,
}

impl<'a> Builder<'a> {
    pub(super) fn add_generators(&mut self) {
        let file = self.file;
        for (number, generator) in file.generators.iter().enumerate() {
            let path = format!("generators[{number}]");
            self.begin(&path);
            let mut random = Random::new(file.seed, number as u64 + 1);
            let _ = match generator {
                Generator::Grid { .. } => self.grid(&path, generator, &mut random),
                Generator::Fill { .. } => self.fill(&path, generator, &mut random),
                Generator::Csv { .. } => self.csv(&path, generator),
                Generator::Bonded { .. } => self.bonded(&path, generator),
                Generator::Layers { .. } => self.layers(&path, generator, &random),
            };
        }
    }

    fn grid(
        &mut self,
        path: &str,
        generator: &'a Generator,
        random: &mut Random,
    ) -> Result<(), Told> {
        let Generator::Grid {
            name,
            mix,
            counts,
            spacing,
            origin,
            jitter,
            velocity,
        } = generator
        else {
            return Ok(());
        };
        let total = counts.iter().map(|n| f64::from(*n)).product();
        self.check_count(&format!("{path}.counts"), total)?;
        let mut mix = self.mix(&format!("{path}.mix"), mix, false)?;
        let common = Common {
            path,
            name: name.as_deref(),
            velocity: DVec3::from_array(*velocity),
        };
        let mut number = 0;
        for z in 0..counts[2] {
            for y in 0..counts[1] {
                for x in 0..counts[0] {
                    let cell = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                    let place = DVec3::from_array(*origin)
                        + cell * DVec3::from_array(*spacing)
                        + random.in_box(DVec3::splat(-*jitter), DVec3::splat(*jitter));
                    let drawn = mix.draw(random);
                    self.add_drawn(&common, number, &mut mix, &drawn, place)?;
                    number += 1;
                }
            }
        }
        Ok(())
    }

    /// Adds a body that was drawn, the origin of its shape at a place.
    pub(super) fn add_drawn(
        &mut self,
        common: &Common,
        number: u64,
        mix: &mut Mix,
        drawn: &Drawn,
        place: DVec3,
    ) -> Result<(), Told> {
        let shape = mix.table_entry(&mut self.simulation, drawn);
        let kind = mix.kind(drawn);
        let body = NewBody::rigid(shape, kind.density)
            .posed(Pose::new(place, drawn.rotation))
            .of(kind.material);
        self.add_generated(common, number, body)
    }

    /// Adds a body with what it has in common with the others.
    pub(super) fn add_generated(
        &mut self,
        common: &Common,
        number: u64,
        mut body: NewBody,
    ) -> Result<(), Told> {
        body = body.moving(common.velocity, DVec3::ZERO);
        if let Some(name) = common.name {
            body = body.named(format!("{name}.{number}"));
        }
        self.add_body(common.path, body)?;
        Ok(())
    }

    /// A mix of kinds as it is drawn from.
    pub(super) fn mix(
        &mut self,
        path: &str,
        entries: &'a [MixEntry],
        turned: bool,
    ) -> Result<Mix, Told> {
        let mut kinds = Vec::with_capacity(entries.len());
        for (number, entry) in entries.iter().enumerate() {
            let path = format!("{path}[{number}]");
            kinds.push(self.kind(&path, entry, turned)?);
        }
        Ok(Mix::new(kinds))
    }

    fn kind(&mut self, path: &str, entry: &'a MixEntry, turned: bool) -> Result<Kind, Told> {
        let (shape, size, key) = match (&entry.shape, &entry.radius) {
            (Some(shape), None) => {
                let shape = self.shape_of(&format!("{path}.shape"), shape, true)?;
                (shape, entry.scale.as_ref(), "scale")
            }
            (None, Some(radius)) if entry.scale.is_none() => (
                Shape::Sphere(Sphere { radius: 1.0 }),
                Some(radius),
                "radius",
            ),
            (None, Some(_)) => {
                let path = format!("{path}.scale");
                return Err(self.error(&path, "a radius is not scaled; expected one of the two"));
            }
            (Some(_), Some(_)) => {
                let path = format!("{path}.radius");
                return Err(self.error(&path, "there are both a shape and a radius; expected one"));
            }
            (None, None) => {
                let message = format!("{path} lacks shape or radius");
                return Err(self.error(path, message));
            }
        };
        if let Some(kind) = unfit_for_rigid(&shape) {
            let message = format!("a rigid body cannot be a {kind}");
            return Err(self.error(&format!("{path}.shape"), message));
        }
        let scale = match size {
            None => Distribution::Constant(1.0),
            Some(size) => {
                let path = format!("{path}.{key}");
                if !can_scale(&shape) {
                    let message = format!("a {} cannot be scaled", shape.name());
                    return Err(self.error(&path, message));
                }
                self.told(&path, Distribution::new(size))?
            }
        };
        let (material, density) =
            self.material_and_density(path, entry.material.as_deref(), entry.density)?;
        let given = quaternion(entry.rotation.as_ref());
        let given = self.told(&format!("{path}.rotation"), given)?;
        let at_random = entry
            .random_rotation
            .unwrap_or(turned && entry.rotation.is_none());
        if at_random && entry.rotation.is_some() {
            let path = format!("{path}.rotation");
            return Err(self.error(&path, "the rotation is given and random; expected one"));
        }
        Ok(Kind {
            shape,
            scale,
            weight: entry.weight,
            density,
            material,
            rotation: (!at_random).then_some(given),
        })
    }
}
