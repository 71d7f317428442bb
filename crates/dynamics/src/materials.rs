//! What surfaces are made of, and what two of them make together.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Properties of a surface, or of two surfaces that touch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Friction coefficient μ.
    pub friction: f64,
    /// Rolling friction ρ, a length in m.
    pub rolling_friction: f64,
    /// Spinning friction σ, a length in m.
    pub spinning_friction: f64,
    /// The largest pull that a contact resists, in N (Mazhar 2015, §2.4).
    pub cohesion: f64,
    /// Speed after an impact over the speed before it, 0 to 1.
    pub restitution: f64,
    /// Overlap per normal force, in m/N; 0 for rigid contact.
    pub compliance: f64,
    /// The time in s in which a compliant contact recovers: damping over stiffness.
    pub damping_time: f64,
}

impl Default for Material {
    /// μ = 0.5, everything else zero.
    fn default() -> Self {
        Self {
            friction: 0.5,
            rolling_friction: 0.0,
            spinning_friction: 0.0,
            cohesion: 0.0,
            restitution: 0.0,
            compliance: 0.0,
            damping_time: 0.0,
        }
    }
}

impl Material {
    /// Whether it has rolling or spinning friction.
    pub fn resists_turning(&self) -> bool {
        self.rolling_friction > 0.0 || self.spinning_friction > 0.0
    }

    /// What is wrong with the numbers, if anything.
    ///
    /// # Errors
    /// A message that names the number and what would be right.
    pub fn validate(&self) -> Result<(), String> {
        let properties = [
            ("friction", self.friction),
            ("rolling_friction", self.rolling_friction),
            ("spinning_friction", self.spinning_friction),
            ("cohesion", self.cohesion),
            ("restitution", self.restitution),
            ("compliance", self.compliance),
            ("damping_time", self.damping_time),
        ];
        for (name, value) in properties {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(format!(
                    "{name} is {value}; it must be zero or more, and finite"
                ));
            }
        }
        if self.restitution > 1.0 {
            return Err(format!(
                "restitution is {}; it must be between 0 and 1",
                self.restitution
            ));
        }
        Ok(())
    }
}

/// How one property of two materials is combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Combine {
    /// (a + b) / 2.
    Average,
    /// √(a b).
    Geometric,
    /// The smaller.
    Minimum,
    /// The larger.
    Maximum,
    /// a b.
    Product,
    /// a + b.
    Sum,
}

impl Combine {
    /// The combined number.
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Combine::Average => 0.5 * (a + b),
            Combine::Geometric => (a * b).sqrt(),
            Combine::Minimum => a.min(b),
            Combine::Maximum => a.max(b),
            Combine::Product => a * b,
            Combine::Sum => a + b,
        }
    }
}

/// The rule for each property of a pair that has no entry of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombineRules {
    /// For friction. Default: geometric mean, so that a frictionless surface stays so.
    pub friction: Combine,
    /// For rolling and spinning friction. Default: the larger.
    pub rolling: Combine,
    /// For cohesion. Default: the smaller, the strength of the weaker side.
    pub cohesion: Combine,
    /// For restitution. Default: geometric mean.
    pub restitution: Combine,
}

impl Default for CombineRules {
    fn default() -> Self {
        Self {
            friction: Combine::Geometric,
            rolling: Combine::Maximum,
            cohesion: Combine::Minimum,
            restitution: Combine::Geometric,
        }
    }
}

/// All materials of a simulation. Index 0 is the default material.
///
/// ```
/// use moreau_dynamics::materials::{Material, Materials};
///
/// let mut materials = Materials::default();
/// let steel = materials.add(Material { friction: 0.4, ..Material::default() })?;
/// let ice = materials.add(Material { friction: 0.1, ..Material::default() })?;
/// let skate = Material { friction: 0.02, ..Material::default() };
/// materials.set_pair(steel, ice, skate)?;
/// assert_eq!(materials.pair(ice, steel).friction, 0.02);
/// assert_eq!(materials.pair(steel, steel).friction, 0.4);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Materials {
    list: Vec<Material>,
    pairs: BTreeMap<(u32, u32), Material>,
    rules: CombineRules,
    /// The combined materials of all pairs, row by row, so that a contact costs one look-up.
    combined: Vec<Material>,
}

impl Default for Materials {
    fn default() -> Self {
        let mut materials = Self {
            list: vec![Material::default()],
            pairs: BTreeMap::new(),
            rules: CombineRules::default(),
            combined: Vec::new(),
        };
        materials.combine();
        materials
    }
}

impl Materials {
    /// Adds a material and gives its index.
    ///
    /// # Errors
    /// When a number is impossible, or there are more than 4096 materials.
    pub fn add(&mut self, material: Material) -> Result<u32, String> {
        material.validate()?;
        if self.list.len() >= 4096 {
            return Err("there are 4096 materials already".into());
        }
        self.list.push(material);
        self.combine();
        Ok((self.list.len() - 1) as u32)
    }

    /// Replaces a material, the default one (index 0) for example.
    ///
    /// # Errors
    /// When a number is impossible or there is no such material.
    pub fn set(&mut self, index: u32, material: Material) -> Result<(), String> {
        material.validate()?;
        let slot = self
            .list
            .get_mut(index as usize)
            .ok_or_else(|| format!("there is no material {index}"))?;
        *slot = material;
        self.combine();
        Ok(())
    }

    /// States what two materials make together.
    ///
    /// # Errors
    /// When a number is impossible or there is no such material.
    pub fn set_pair(&mut self, a: u32, b: u32, material: Material) -> Result<(), String> {
        material.validate()?;
        let count = self.list.len();
        if let Some(index) = [a, b].into_iter().find(|i| *i as usize >= count) {
            return Err(format!("there is no material {index}"));
        }
        self.pairs.insert((a.min(b), a.max(b)), material);
        self.combine();
        Ok(())
    }

    /// Sets the rules for pairs without an entry of their own.
    pub fn set_rules(&mut self, rules: CombineRules) {
        self.rules = rules;
        self.combine();
    }

    /// The number of materials.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Never: there is a default material.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// One material.
    pub fn get(&self, index: u32) -> Option<&Material> {
        self.list.get(index as usize)
    }

    /// What two materials make together.
    #[inline]
    pub fn pair(&self, a: u32, b: u32) -> &Material {
        &self.combined[a as usize * self.list.len() + b as usize]
    }

    /// Whether some contact may have rolling or spinning friction.
    pub fn resist_turning(&self) -> bool {
        self.combined.iter().any(Material::resists_turning)
    }

    /// What all contacts are made of, where there is one material.
    pub fn only(&self) -> Option<&Material> {
        match self.combined.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Whether any two materials bounce off each other.
    pub fn any_bounce(&self) -> bool {
        self.combined.iter().any(|pair| pair.restitution > 0.0)
    }

    /// Whether any two materials hold on to each other.
    pub fn any_cohesion(&self) -> bool {
        self.combined.iter().any(|pair| pair.cohesion > 0.0)
    }

    fn combine(&mut self) {
        let count = self.list.len();
        self.combined.clear();
        for a in 0..count as u32 {
            for b in 0..count as u32 {
                let entry = self.pairs.get(&(a.min(b), a.max(b))).copied();
                let combined = entry.unwrap_or_else(|| {
                    self.rules
                        .apply(&self.list[a as usize], &self.list[b as usize])
                });
                self.combined.push(combined);
            }
        }
    }
}

impl CombineRules {
    fn apply(&self, a: &Material, b: &Material) -> Material {
        Material {
            friction: self.friction.of(a.friction, b.friction),
            rolling_friction: self.rolling.of(a.rolling_friction, b.rolling_friction),
            spinning_friction: self.rolling.of(a.spinning_friction, b.spinning_friction),
            cohesion: self.cohesion.of(a.cohesion, b.cohesion),
            restitution: self.restitution.of(a.restitution, b.restitution),
            // Two springs in series.
            compliance: a.compliance + b.compliance,
            damping_time: a.damping_time.max(b.damping_time),
        }
    }
}
