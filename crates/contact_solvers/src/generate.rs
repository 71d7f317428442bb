//! Contact problems to measure with: random ones, and beds of spheres. Equal settings give equal bits.

use crate::cones::Cone;
use crate::delassus::{BodyInertia, Delassus, MatrixFree, RigidContact};
use crate::problem::{ContactProblem, offsets_of};

/// A small generator of pseudo-random numbers: SplitMix64.
///
/// G. Steele, D. Lea, C. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
///
/// ```
/// use moreau_contact_solvers::generate::SplitMix64;
/// assert_eq!(SplitMix64::new(0).next_u64(), 0xE220_A839_7B1D_CDAF);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator; every seed is good.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The seed from which a new generator goes on where this one is.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number below `bound`, which is positive.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    fn vector(&mut self, size: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.between(-size, size))
    }
}

/// Bodies at random places that touch at random.
///
/// Normals lie near the line between the two bodies, so all contacts can open at once: impulses stay
/// bounded. With more than 2 contacts per body N is rank-deficient.
///
/// ```
/// use moreau_contact_solvers::generate::RandomProblem;
/// let problem = RandomProblem { bodies: 4, contacts: 12, ..Default::default() }.build();
/// assert_eq!(problem.contacts(), 12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RandomProblem {
    /// Bodies, at least one. Default 10.
    pub bodies: usize,
    /// Contacts. Default 20.
    pub contacts: usize,
    /// Smallest and largest friction coefficient. Default 0.1 and 0.9.
    pub friction: (f64, f64),
    /// Masses are spread evenly on a logarithmic scale from 1 to this. Default 1.
    pub mass_ratio: f64,
    /// Seed. Default 1.
    pub seed: u64,
}

impl Default for RandomProblem {
    fn default() -> Self {
        Self {
            bodies: 10,
            contacts: 20,
            friction: (0.1, 0.9),
            mass_ratio: 1.0,
            seed: 1,
        }
    }
}

impl RandomProblem {
    /// Makes the problem; its operator is matrix-free.
    pub fn build(&self) -> ContactProblem {
        let mut random = SplitMix64::new(self.seed);
        let mut scene = Scene::default();
        for _ in 0..self.bodies {
            let place = [
                random.between(-0.5, 0.5),
                random.between(-0.5, 0.5),
                random.between(1.0, 2.0),
            ];
            let mass = self.mass_ratio.powf(random.between(0.0, 1.0));
            let velocity = plus(random.vector(1.0), -1.0, [0.0, 0.0, 1.0]);
            scene.add_body(place, mass, 0.1 * mass, velocity);
        }
        for _ in 0..self.contacts {
            let friction = random.between(self.friction.0, self.friction.1);
            let a = random.below(self.bodies);
            let b = random.below(self.bodies + 1);
            let tilt = random.vector(0.1);
            if b == self.bodies || a == b {
                let below = plus(scene.places[a], -1.0, [0.0, 0.0, 0.3]);
                scene.add_contact(a, None, plus([0.0, 0.0, 1.0], 0.3, tilt), below, friction);
            } else {
                let line = unit(plus(scene.places[a], -1.0, scene.places[b]));
                let middle = plus(
                    scene.places[b],
                    0.5,
                    plus(scene.places[a], -1.0, scene.places[b]),
                );
                let point = plus(middle, 1.0, random.vector(0.1));
                scene.add_contact(a, Some(b), plus(line, 1.0, tilt), point, friction);
            }
        }
        scene.build()
    }
}

/// A bed of equal spheres on a floor, at rest but for one time step of gravity and a little noise.
///
/// Every second layer is moved by a radius in x and y, so that a sphere rests on four others: the
/// closest packing, whose forces are statically indeterminate.
///
/// ```
/// use moreau_contact_solvers::generate::SphereBed;
/// let bed = SphereBed { size: (3, 3, 2), ..Default::default() };
/// assert_eq!(bed.build().contacts(), 9 + 2 * 12 + 25);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SphereBed {
    /// Spheres in x, in y, and layers. Default (4, 4, 3).
    pub size: (usize, usize, usize),
    /// Friction coefficient everywhere. Default 0.3.
    pub friction: f64,
    /// Mass of a slab that lies on the last layer; a sphere has mass 1. Default: no slab.
    pub slab_mass: Option<f64>,
    /// Gravity times step length. Default 0.01.
    pub speed: f64,
    /// Largest component of the random initial velocities. Default 0.001.
    pub noise: f64,
    /// Seed of these velocities. Default 1.
    pub seed: u64,
}

impl Default for SphereBed {
    fn default() -> Self {
        Self {
            size: (4, 4, 3),
            friction: 0.3,
            slab_mass: None,
            speed: 0.01,
            noise: 0.001,
            seed: 1,
        }
    }
}

impl SphereBed {
    /// Makes the problem; its operator is matrix-free. Spheres have radius 1.
    pub fn build(&self) -> ContactProblem {
        let mut random = SplitMix64::new(self.seed);
        let (nx, ny, nz) = self.size;
        let mut scene = Scene::default();
        let height = |layer: usize| 1.0 + 2.0_f64.sqrt() * layer as f64;
        for layer in 0..nz {
            let moved = (layer % 2) as f64;
            for (j, i) in (0..ny).flat_map(|j| (0..nx).map(move |i| (j, i))) {
                let place = [
                    2.0 * i as f64 + moved,
                    2.0 * j as f64 + moved,
                    height(layer),
                ];
                let velocity = plus(random.vector(self.noise), -self.speed, [0.0, 0.0, 1.0]);
                scene.add_body(place, 1.0, 0.4, velocity);
            }
        }
        let up = [0.0, 0.0, 1.0];
        for a in 0..nx * ny * nz {
            let place = scene.places[a];
            if a < nx * ny {
                scene.add_contact(a, None, up, plus(place, -1.0, up), self.friction);
            }
            // Neighbours are in the same layer or in the one below.
            for b in (a / (nx * ny)).saturating_sub(1) * nx * ny..a {
                let line = plus(place, -1.0, scene.places[b]);
                if length(line) < 2.0 + 1e-9 {
                    let point = plus(scene.places[b], 0.5, line);
                    scene.add_contact(a, Some(b), line, point, self.friction);
                }
            }
        }
        if let Some(mass) = self.slab_mass {
            let slab = scene.places.len();
            let (x, y) = (nx as f64, ny as f64);
            let inertia = mass * (x * x + y * y) / 3.0;
            let place = [x - 1.0, y - 1.0, height(nz - 1) + 1.5];
            scene.add_body(place, mass, inertia, [0.0, 0.0, -self.speed]);
            for top in slab - nx * ny..slab {
                let point = plus(scene.places[top], 1.0, up);
                scene.add_contact(slab, Some(top), up, point, self.friction);
            }
        }
        scene.build()
    }
}

/// Bodies and contacts on their way to a problem.
#[derive(Default)]
struct Scene {
    places: Vec<[f64; 3]>,
    inertias: Vec<BodyInertia>,
    velocity: Vec<f64>,
    cones: Vec<Cone>,
    contacts: Vec<RigidContact>,
}

impl Scene {
    /// A body with the inertia of a ball, not rotating.
    fn add_body(&mut self, place: [f64; 3], mass: f64, inertia: f64, velocity: [f64; 3]) {
        self.places.push(place);
        let turn = 1.0 / inertia;
        self.inertias.push(BodyInertia {
            inverse_mass: 1.0 / mass,
            inverse_inertia: [turn, turn, turn, 0.0, 0.0, 0.0],
        });
        self.velocity.extend(velocity);
        self.velocity.extend([0.0; 3]);
    }

    /// A contact at `point`; the normal, of any length, points to body `a`.
    fn add_contact(
        &mut self,
        a: usize,
        b: Option<usize>,
        normal: [f64; 3],
        point: [f64; 3],
        friction: f64,
    ) {
        let arm = |body: usize| plus(point, -1.0, self.places[body]);
        self.contacts.push(RigidContact {
            bodies: [b.map_or(RigidContact::FIXED, |b| b as u32), a as u32],
            normal: unit(normal),
            arms: [b.map_or([0.0; 3], arm), arm(a)],
        });
        self.cones.push(Cone::Friction { friction });
    }

    /// The problem: the free velocity at the contacts is that of the bodies.
    fn build(self) -> ContactProblem {
        let offsets = offsets_of(&self.cones);
        let delassus = MatrixFree::rigid(offsets, self.inertias, self.contacts, Vec::new())
            .expect("the lengths fit");
        let mut free = vec![0.0; delassus.dimension()];
        delassus.contact_velocities(&self.velocity, &mut free);
        ContactProblem::new(self.cones, Delassus::MatrixFree(delassus), free)
            .expect("a generated problem is possible")
    }
}

/// x + a y.
fn plus(x: [f64; 3], a: f64, y: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| x[k] + a * y[k])
}

fn length(x: [f64; 3]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn unit(x: [f64; 3]) -> [f64; 3] {
    x.map(|v| v / length(x))
}
