//! Surfaces.

use super::{Builder, Told};
use crate::model::CombineRule;
use crate::nearest::suggestion;
use moreau_dynamics::materials::{Combine, CombineRules, Material};
use std::collections::BTreeSet;

fn rule(rule: CombineRule) -> Combine {
    match rule {
        CombineRule::Average => Combine::Average,
        CombineRule::Geometric => Combine::Geometric,
        CombineRule::Minimum => Combine::Minimum,
        CombineRule::Maximum => Combine::Maximum,
        CombineRule::Product => Combine::Product,
        CombineRule::Sum => Combine::Sum,
    }
}

impl<'a> Builder<'a> {
    pub(super) fn add_materials(&mut self) {
        let file = self.file;
        self.simulation.materials_mut().set_rules(CombineRules {
            friction: rule(file.combine.friction),
            rolling: rule(file.combine.rolling),
            cohesion: rule(file.combine.cohesion),
            restitution: rule(file.combine.restitution),
        });
        self.materials.insert("default", (0, None));
        for (name, material) in &file.materials {
            let surface = Material {
                friction: material.friction,
                rolling_friction: material.rolling_friction,
                spinning_friction: material.spinning_friction,
                cohesion: material.cohesion,
                restitution: material.restitution,
                compliance: material.compliance,
                damping_time: material.damping_time,
            };
            let materials = self.simulation.materials_mut();
            let result = match name.as_str() {
                "default" => materials.set(0, surface).map(|()| 0),
                _ => materials.add(surface),
            };
            if let Ok(index) = self.told(&format!("materials.{name}"), result) {
                self.materials.insert(name, (index, material.density));
            }
        }
        let mut told = BTreeSet::new();
        for (number, pair) in file.material_pairs.iter().enumerate() {
            let path = format!("material_pairs[{number}]");
            let ends = [0, 1].map(|end| {
                let path = format!("{path}.between[{end}]");
                self.material(&path, Some(&pair.between[end]))
            });
            let [Ok((a, _)), Ok((b, _))] = ends else {
                continue;
            };
            if !told.insert([a.min(b), a.max(b)]) {
                let [a, b] = &pair.between;
                let message = format!("the pair of '{a}' and '{b}' is there already");
                self.error(&format!("{path}.between"), message);
                continue;
            }
            let materials = self.simulation.materials_mut();
            let mut both = *materials.pair(a, b);
            for (value, given) in [
                (&mut both.friction, pair.friction),
                (&mut both.rolling_friction, pair.rolling_friction),
                (&mut both.spinning_friction, pair.spinning_friction),
                (&mut both.cohesion, pair.cohesion),
                (&mut both.restitution, pair.restitution),
                (&mut both.compliance, pair.compliance),
                (&mut both.damping_time, pair.damping_time),
            ] {
                *value = given.unwrap_or(*value);
            }
            let result = materials.set_pair(a, b, both);
            let _ = self.told(&path, result);
        }
    }

    /// Index and density of a material.
    pub(super) fn material(
        &mut self,
        path: &str,
        name: Option<&str>,
    ) -> Result<(u32, Option<f64>), Told> {
        let name = name.unwrap_or("default");
        match self.materials.get(name) {
            Some(found) => Ok(*found),
            None => {
                let names: Vec<&str> = self.materials.keys().copied().collect();
                let message = format!("there is no material '{name}'");
                Err(self.error_with_help(path, message, suggestion(name, &names)))
            }
        }
    }

    /// Material index and density, the latter from the entry itself or its material.
    pub(super) fn material_and_density(
        &mut self,
        path: &str,
        material: Option<&str>,
        density: Option<f64>,
    ) -> Result<(u32, f64), Told> {
        let (index, of_material) = self.material(&format!("{path}.material"), material)?;
        match density.or(of_material) {
            Some(density) => Ok((index, density)),
            None => Err(self.error(
                path,
                format!("{path} has no density, and its material has none either"),
            )),
        }
    }
}
