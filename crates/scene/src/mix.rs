//! Which body comes next: kinds of bodies with weights and sizes.

use crate::distribution::Distribution;
use crate::random::Random;
use glam::{DQuat, DVec3};
use moreau_collision::shapes::{
    Capsule, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Shape, Sphere,
};
use moreau_dynamics::simulation::Simulation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kind {
    /// At scale 1.
    pub shape: Shape,
    pub scale: Distribution,
    pub weight: f64,
    pub density: f64,
    pub material: u32,
    /// `None` for any, at random.
    pub rotation: Option<DQuat>,
}

/// Kinds of bodies to draw from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mix {
    pub kinds: Vec<Kind>,
    /// Shapes that are in the simulation's table already, by kind and the bits of the scale.
    table: BTreeMap<(u32, u64), u32>,
}

/// A body that was drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Drawn {
    pub kind: u32,
    pub scale: f64,
    pub rotation: DQuat,
}

impl Mix {
    pub fn new(kinds: Vec<Kind>) -> Self {
        Self {
            kinds,
            table: BTreeMap::new(),
        }
    }

    /// Draws a body.
    pub fn draw(&self, random: &mut Random) -> Drawn {
        let index = match self.kinds.len() {
            1 => 0,
            _ => random.weighted(self.kinds.iter().map(|kind| kind.weight)),
        };
        let kind = &self.kinds[index];
        Drawn {
            kind: index as u32,
            scale: kind.scale.draw(random),
            rotation: kind.rotation.unwrap_or_else(|| random.rotation()),
        }
    }

    /// The shape of a drawn body.
    pub fn shape(&self, drawn: &Drawn) -> Shape {
        scaled(&self.kinds[drawn.kind as usize].shape, drawn.scale)
    }

    /// The kind of a drawn body.
    pub fn kind(&self, drawn: &Drawn) -> &Kind {
        &self.kinds[drawn.kind as usize]
    }

    /// The mass of a drawn body.
    pub fn mass(&self, drawn: &Drawn) -> f64 {
        let volume = self.shape(drawn).volume_properties();
        self.kind(drawn).density * volume.map_or(0.0, |volume| volume.volume)
    }

    /// The mean mass of the bodies to come, as a sample tells it.
    pub fn mean_mass(&self, seed: u64) -> f64 {
        const SAMPLE: usize = 1000;
        let mut random = Random::new(seed, 0);
        let masses = (0..SAMPLE).map(|_| self.mass(&self.draw(&mut random)));
        masses.sum::<f64>() / SAMPLE as f64
    }

    /// The same in the simulation's table. Equal shapes share an entry, where sizes repeat at all.
    pub fn table_entry(&mut self, simulation: &mut Simulation, drawn: &Drawn) -> u32 {
        let shape = self.shape(drawn);
        if self.kind(drawn).scale.is_continuous() {
            return simulation.add_shape(shape);
        }
        let key = (drawn.kind, drawn.scale.to_bits());
        *self
            .table
            .entry(key)
            .or_insert_with(|| simulation.add_shape(shape))
    }

    /// No body is smaller, as [`Shape::size`] measures it.
    pub fn smallest_size(&self) -> f64 {
        let size = |kind: &Kind| kind.shape.size() * kind.scale.smallest();
        self.kinds.iter().map(size).fold(f64::INFINITY, f64::min)
    }

    /// No body reaches further from the origin of its shape.
    pub fn largest_reach(&self) -> f64 {
        let reach = |kind: &Kind| kind.shape.reach() * kind.scale.largest();
        self.kinds.iter().map(reach).fold(0.0, f64::max)
    }
}

/// Whether a shape can be enlarged: those of solid bodies can.
pub(crate) fn can_scale(shape: &Shape) -> bool {
    match shape {
        Shape::Compound(compound) => compound.parts.iter().all(|(_, part)| can_scale(part)),
        _ => shape.is_convex() && !matches!(shape, Shape::HalfSpace(_) | Shape::TriangleMesh(_)),
    }
}

/// The shape, larger by a factor; shapes that [`can_scale`] refuses stay as they are.
pub(crate) fn scaled(shape: &Shape, factor: f64) -> Shape {
    if factor == 1.0 {
        return shape.clone();
    }
    match shape {
        Shape::Sphere(s) => Shape::Sphere(Sphere {
            radius: s.radius * factor,
        }),
        Shape::Ellipsoid(s) => Shape::Ellipsoid(Ellipsoid {
            semi_axes: s.semi_axes * factor,
        }),
        Shape::Cuboid(s) => Shape::Cuboid(Cuboid {
            half_extents: s.half_extents * factor,
        }),
        Shape::Capsule(s) => Shape::Capsule(Capsule {
            half_length: s.half_length * factor,
            radius: s.radius * factor,
        }),
        Shape::Cylinder(s) => Shape::Cylinder(Cylinder {
            half_height: s.half_height * factor,
            radius: s.radius * factor,
        }),
        Shape::Cone(s) => Shape::Cone(Cone {
            half_height: s.half_height * factor,
            radius: s.radius * factor,
        }),
        Shape::ConvexHull(s) => Shape::ConvexHull(Arc::new(ConvexHull {
            vertices: s
                .vertices
                .iter()
                .map(|v| *v * factor)
                .collect::<Vec<DVec3>>(),
            triangles: s.triangles.clone(),
        })),
        Shape::Compound(s) => {
            Shape::Compound(Arc::new(s.scaled(factor, |part| scaled(part, factor))))
        }
        other => other.clone(),
    }
}
