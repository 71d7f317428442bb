//! Contacts while a solve runs: without the point, the normal and the bodies, which the problem knows too.
//!
//! A large solve needs the room: 8 bytes for each contact instead of 72, 8 more for those with a body that is not solved for, and 4 more where
//! features differ. Normals come back as they were, points to rounding: where arms
//! lie along the normal, as those of balls do, the problem knows how long they are and no more.

use super::{Assembled, NOT_SOLVED, PIECE};
use crate::bodies::Bodies;
use crate::contact_choice::SPARE_SHARE;
use glam::DVec3;
use moreau_collision::contact::Contact;
use rayon::prelude::*;

/// Contacts from which on room is worth more than time. Values, so that tests can have many of them cheaply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ManyContacts {
    /// From here on the contacts are slim, and the searches keep nothing.
    pub many: usize,
    /// From here on free velocities are computed again after the solve: for fewer their room is worth less than the time.
    pub very_many: usize,
}

impl Default for ManyContacts {
    fn default() -> Self {
        Self {
            many: 20_000,
            very_many: 1_200_000,
        }
    }
}

/// Contacts while a solve runs.
pub(crate) enum SlimContacts {
    /// A few, as they are.
    Whole(Vec<Contact>),
    /// What the problem does not know of many.
    Slim(Unknown),
}

/// What the problem does not know of contacts.
pub(crate) struct Unknown {
    gaps: Vec<f64>,
    /// Contacts with bodies that the problem does not know, in rising order, and these bodies; twice if both are.
    others: Vec<[u32; 2]>,
    /// Empty where all are zero, as those of balls and walls.
    features: Vec<u32>,
}

impl Unknown {
    /// The bodies of a contact, given their numbers in the problem and the body of each number.
    fn bodies(&self, contact: usize, numbers: [u32; 2], solved: &[u32]) -> [u32; 2] {
        if !numbers.contains(&NOT_SOLVED) {
            return numbers.map(|number| solved[number as usize]);
        }
        let first = self.others.partition_point(|of| (of[0] as usize) < contact);
        let mut others = self.others[first..].iter().map(|of| of[1]);
        numbers.map(|number| match number {
            NOT_SOLVED => others.next().unwrap_or(NOT_SOLVED),
            number => solved[number as usize],
        })
    }

    fn feature(&self, contact: usize) -> u32 {
        self.features.get(contact).copied().unwrap_or(0)
    }
}

impl SlimContacts {
    /// Contacts of which the problem was made.
    pub fn of(contacts: Vec<Contact>, assembled: &Assembled, many: ManyContacts) -> Self {
        if contacts.len() < many.many {
            Self::Whole(contacts)
        } else {
            Self::slim(&contacts, assembled)
        }
    }

    fn slim(contacts: &[Contact], assembled: &Assembled) -> Self {
        let unknown = |body: &u32| assembled.number_of[*body as usize] == NOT_SOLVED;
        let others = |(index, contact): (usize, &Contact)| {
            let others = contact.bodies.into_iter().filter(unknown);
            others.map(move |body| [index as u32, body])
        };
        let pieces = || contacts.par_iter().with_min_len(PIECE);
        let some = pieces().any(|contact| contact.feature != 0);
        let featured = if some { contacts } else { &[] };
        Self::Slim(Unknown {
            gaps: pieces().map(|contact| contact.gap).collect(),
            others: pieces().enumerate().flat_map_iter(others).collect(),
            features: featured.iter().map(|contact| contact.feature).collect(),
        })
    }

    /// Whether there are so many that the solve needs whatever room there is.
    pub fn are_many(&self) -> bool {
        matches!(self, Self::Slim(..))
    }

    /// The bodies and the feature of each contact.
    pub fn names(&self, assembled: &Assembled) -> impl Iterator<Item = ([u32; 2], u32)> {
        let (count, solved) = match self {
            Self::Whole(contacts) => (contacts.len(), Vec::new()),
            Self::Slim(unknown) => (unknown.gaps.len(), assembled.solved()),
        };
        (0..count).map(move |index| match self {
            Self::Whole(contacts) => (contacts[index].bodies, contacts[index].feature),
            Self::Slim(unknown) => {
                let numbers = assembled.contact(index).bodies;
                let bodies = unknown.bodies(index, numbers, &solved);
                (bodies, unknown.feature(index))
            }
        })
    }

    /// The contacts again; the problem was made of them, with the bodies where they still are.
    pub fn restored(self, assembled: &Assembled, bodies: &Bodies) -> Vec<Contact> {
        let unknown = match self {
            Self::Whole(contacts) => return contacts,
            Self::Slim(unknown) => unknown,
        };
        let solved = assembled.solved();
        let restored = |index: usize| {
            let known = assembled.contact(index);
            let side = usize::from(known.bodies[0] == NOT_SOLVED);
            let sides = unknown.bodies(index, known.bodies, &solved);
            let centre = bodies.poses[sides[side] as usize].position;
            Contact {
                bodies: sides,
                feature: unknown.feature(index),
                point: centre + DVec3::from_array(known.arms[side]),
                normal: DVec3::from_array(known.normal),
                gap: unknown.gaps[index],
            }
        };
        let count = unknown.gaps.len();
        let mut contacts = Vec::with_capacity(count + count / SPARE_SHARE);
        let indices = (0..count).into_par_iter().with_min_len(PIECE);
        indices.map(restored).collect_into_vec(&mut contacts);
        contacts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::{ContactRules, Parts, assemble};
    use crate::bodies::NewBody;
    use crate::settings::{Scheme, SimulationSettings};
    use crate::simulation::Simulation;
    use moreau_collision::shapes::{Cuboid, HalfSpace, Shape, Sphere};

    /// Three balls on a floor that was added behind two of them, and a box if asked for.
    fn scene(with_box: bool) -> Simulation {
        let mut scene = Simulation::new(SimulationSettings::default());
        let ball = scene.add_shape(Shape::Sphere(Sphere::new(0.5).expect("a ball")));
        let floor = scene.add_shape(Shape::HalfSpace(HalfSpace));
        let cuboid = Cuboid::new(DVec3::new(0.5, 0.4, 0.3)).expect("a box");
        let cuboid = scene.add_shape(Shape::Cuboid(cuboid));
        let mut add = |body| scene.add_body(body).expect("a body");
        add(NewBody::rigid(ball, 1000.0).at(DVec3::new(0.3, 7.0, 0.499)));
        add(NewBody::rigid(ball, 1000.0).at(DVec3::new(1.29, 7.0, 0.499)));
        add(NewBody::fixed(floor));
        add(NewBody::rigid(ball, 1000.0).at(DVec3::new(0.8, 7.0, 1.36)));
        if with_box {
            add(NewBody::rigid(cuboid, 1000.0).at(DVec3::new(-3.0, 0.1, 0.299)));
        }
        scene
    }

    #[test]
    fn the_problem_tells_what_was_given_up() {
        for with_box in [false, true] {
            let mut scene = scene(with_box);
            scene.step().expect("a step");
            let contacts = scene.contacts().to_vec();
            assert_eq!(contacts.len(), if with_box { 9 } else { 5 });
            // Where the bodies were when the contacts were found.
            let scene = self::scene(with_box);
            let bodies = scene.bodies();
            let parts = Parts {
                bodies,
                free: &bodies.velocities,
                materials: scene.materials(),
                contacts: &contacts,
                opening: &[],
                joints: &[],
                order: &(0..bodies.len() as u32).collect::<Vec<_>>(),
                sizes: &vec![1.0; bodies.len()],
            };
            let rules = ContactRules {
                step: 0.01,
                scheme: Scheme::SymplecticEuler,
                recovery_speed: None,
                restitution_threshold: 0.0,
                cohesion_range: 0.0,
            };
            let assembled = assemble(&parts, &rules).expect("a problem");
            let slim = SlimContacts::slim(&contacts, &assembled);
            let name = |contact: &Contact| (contact.bodies, contact.feature);
            assert!(slim.are_many() && slim.names(&assembled).eq(contacts.iter().map(name)));
            let restored = slim.restored(&assembled, bodies);
            assert_eq!(restored.len(), contacts.len());
            for (now, before) in restored.iter().zip(&contacts) {
                assert!(now.point.distance(before.point) < 1e-11, "{now:?}");
                let point = before.point;
                assert_eq!(Contact { point, ..*now }, *before);
            }
        }
    }

    /// Balls in a heap of layers, with a few boxes in it and a ball that is shot into it, on the way of many contacts.
    fn heap() -> Simulation {
        let mut scene = scene(true);
        let ball = Shape::Sphere(Sphere::new(0.1).expect("a ball"));
        let cuboid = Cuboid::new(DVec3::splat(0.1)).expect("a box");
        let shapes = [ball, Shape::Cuboid(cuboid)].map(|shape| scene.add_shape(shape));
        let mut add = |body| scene.add_body(body).expect("a body");
        for k in 0..900 {
            let [x, y, z] = [k % 15, k / 15 % 15, k / 225].map(f64::from);
            let lean = 0.02 * z;
            let place = DVec3::new(0.2 * x + lean + 3.0, 0.2 * y - lean, 0.1 + 0.199 * z);
            add(NewBody::rigid(shapes[usize::from(k % 30 == 7)], 1000.0).at(place));
        }
        let shot = NewBody::rigid(shapes[0], 5000.0).at(DVec3::new(4.4, 1.4, 1.2));
        add(shot.moving(DVec3::new(1.0, 2.0, -30.0), DVec3::ZERO));
        with_many(scene)
    }

    fn with_many(mut scene: Simulation) -> Simulation {
        scene.workspace.many_contacts = ManyContacts {
            many: 100,
            very_many: 800,
        };
        scene
    }

    /// What a scene is after some steps with a number of threads, as bytes.
    fn after(mut scene: Simulation, steps: usize, threads: usize) -> Vec<u8> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads").install(|| {
            for _ in 0..steps {
                scene.step().expect("a step");
                assert!(scene.contacts().len() > 2000);
            }
        });
        postcard::to_allocvec(&scene).expect("bytes")
    }

    #[test]
    fn a_run_of_many_contacts_goes_on_bit_for_bit_with_any_number_of_threads() {
        let whole = after(heap(), 12, 2);
        let half = after(heap(), 5, 1);
        for threads in [1, 4] {
            let scene = postcard::from_bytes(&half).expect("a scene");
            let resumed = after(with_many(scene), 7, threads);
            assert!(resumed == whole, "{threads} threads");
        }
        // The way of few contacts rounds elsewhere: this was not it.
        let mut few = heap();
        few.workspace.many_contacts = ManyContacts::default();
        assert!(after(few, 12, 2) != whole);
    }
}
