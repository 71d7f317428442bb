//! The standard scenes: made by a program, at rest or nearly so, the same bits every time.

mod boxes;
mod grains;

use moreau_dynamics::simulation::Simulation;

/// A standard scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// Spheres in a regular packing under a slab of 1000 kg.
    Pressure,
    /// A random bed of 10⁴ spheres in a bin.
    Bed1e4,
    /// Of 10⁵ spheres.
    Bed1e5,
    /// Of 10⁶ spheres.
    Bed1e6,
    /// A turning drum of ellipsoids.
    Drum,
    /// Boxes laid across each other.
    BoxPile,
    /// A wall of bricks in running bond.
    BrickWall,
    /// Spheres in a vessel with turning blades.
    Mixer,
}

/// Bodies that even a small version of a scene has.
const FEWEST_BODIES: usize = 60;

impl Scene {
    /// Every scene, in the order in which they are measured.
    pub const ALL: [Scene; 8] = [
        Scene::Pressure,
        Scene::Bed1e4,
        Scene::Bed1e5,
        Scene::Bed1e6,
        Scene::Drum,
        Scene::BoxPile,
        Scene::BrickWall,
        Scene::Mixer,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scene::Pressure => "pressure",
            Scene::Bed1e4 => "bed_1e4",
            Scene::Bed1e5 => "bed_1e5",
            Scene::Bed1e6 => "bed_1e6",
            Scene::Drum => "drum",
            Scene::BoxPile => "box_pile",
            Scene::BrickWall => "brick_wall",
            Scene::Mixer => "mixer",
        }
    }

    /// What it is, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Scene::Pressure => "4000 spheres under a slab of 1000 kg",
            Scene::Bed1e4 => "random bed of 10 000 spheres",
            Scene::Bed1e5 => "random bed of 100 000 spheres",
            Scene::Bed1e6 => "random bed of a million spheres",
            Scene::Drum => "turning drum of 10 000 ellipsoids",
            Scene::BoxPile => "10 000 boxes laid across each other",
            Scene::BrickWall => "wall of 1000 bricks",
            Scene::Mixer => "5000 spheres in a vessel with turning blades",
        }
    }

    /// The scene of a name.
    ///
    /// # Errors
    /// A message that lists the names there are.
    pub fn by_name(name: &str) -> Result<Self, String> {
        let names = Scene::ALL.map(Scene::name);
        let found = Scene::ALL.into_iter().find(|scene| scene.name() == name);
        found.ok_or_else(|| {
            format!(
                "there is no scene '{name}'; the scenes are {}",
                names.join(", ")
            )
        })
    }

    /// The number of bodies that it is made of, without walls and floors.
    fn bodies(self) -> usize {
        match self {
            Scene::Pressure => 4000,
            Scene::Bed1e4 | Scene::Drum | Scene::BoxPile => 10_000,
            Scene::Bed1e5 => 100_000,
            Scene::Bed1e6 => 1_000_000,
            Scene::BrickWall => 1000,
            Scene::Mixer => 5000,
        }
    }

    /// Makes the scene with about `scale` times its bodies.
    pub fn build(self, scale: f64) -> Simulation {
        let count = ((self.bodies() as f64 * scale) as usize).max(FEWEST_BODIES);
        match self {
            Scene::Pressure => grains::pressure(count),
            Scene::Bed1e4 | Scene::Bed1e5 | Scene::Bed1e6 => grains::bed(count),
            Scene::Drum => grains::drum(count),
            Scene::Mixer => grains::mixer(count),
            Scene::BoxPile => boxes::pile(count),
            Scene::BrickWall => boxes::brick_wall(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_scenes_stand_or_move_gently() {
        for scene in Scene::ALL {
            let mut simulation = scene.build(300.0 / scene.bodies() as f64);
            assert!(simulation.bodies().len() > 100, "{scene:?}");
            let first = simulation.step().unwrap();
            assert!(first.contacts * 2 > simulation.bodies().len(), "{scene:?}");
            let deepest = simulation.contacts().iter();
            let deepest = deepest.min_by(|a, b| a.gap.total_cmp(&b.gap));
            assert!(first.relative_penetration < 1e-3, "{scene:?}: {deepest:?}");
            for _ in 0..10 {
                let report = simulation.step().unwrap();
                assert!(report.converged(), "{scene:?}");
                assert!(report.relative_penetration < 2e-2, "{scene:?}");
            }
        }
    }

    #[test]
    fn a_wall_of_bricks_stands() {
        let mut simulation = Scene::BrickWall.build(0.1);
        simulation.settings_mut().solver.tolerance = 1e-4;
        let before = simulation.bodies().poses.clone();
        for _ in 0..50 {
            simulation.step().unwrap();
        }
        // In that time a brick would fall by a metre and a half.
        let mut farthest: f64 = 0.0;
        for (now, before) in simulation.bodies().poses.iter().zip(&before) {
            farthest = farthest.max(now.position.distance(before.position));
        }
        assert!(farthest < 1e-5, "moved by {farthest} m");
    }
}
