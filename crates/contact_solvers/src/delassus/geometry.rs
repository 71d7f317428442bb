//! The geometry of contacts: normals, arms and bodies, found by all threads and held in the least room.

use super::ball_contacts::BallContact;
use super::rigid::RigidContact;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Contacts at least that one task looks at.
const CONTACTS_OF_A_TASK: usize = 1024;

/// The geometry of all contacts.
#[derive(Clone, Debug)]
pub(super) enum Geometry {
    Balls(Vec<BallContact>),
    Any(Vec<RigidContact>),
}

impl Geometry {
    /// The geometry of so many contacts, each from a function that may refuse it.
    ///
    /// # Errors
    /// What the function says of the first contact that it refuses.
    pub fn new(
        count: usize,
        contact: impl Fn(usize) -> Result<RigidContact, String> + Sync,
    ) -> Result<Self, String> {
        let refused = AtomicUsize::new(usize::MAX);
        let given = |index: usize| {
            contact(index).unwrap_or_else(|_| {
                refused.fetch_min(index, Relaxed);
                NOBODY
            })
        };
        let other = AtomicBool::new(false);
        let ball = |index: usize| {
            // One contact of other bodies decides for all.
            let ball = match other.load(Relaxed) {
                true => None,
                false => BallContact::of(&given(index)),
            };
            ball.unwrap_or_else(|| {
                other.store(true, Relaxed);
                BallContact::NOBODY
            })
        };
        let balls = written_in_place(count, ball);
        let geometry = match other.into_inner() {
            false => Self::Balls(balls),
            true => {
                drop(balls);
                Self::Any(written_in_place(count, given))
            }
        };
        match refused.into_inner() {
            usize::MAX => Ok(geometry),
            first => Err(contact(first).err().unwrap_or_default()),
        }
    }
}

/// A contact that nobody has.
const NOBODY: RigidContact = RigidContact {
    bodies: [RigidContact::FIXED; 2],
    normal: [0.0; 3],
    arms: [[0.0; 3]; 2],
};

/// A list by all threads, with no room but its own: one of unknown length would be put together from parts.
fn written_in_place<T: Send>(count: usize, item: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    let mut list = Vec::new();
    let indices = (0..count).into_par_iter().with_min_len(CONTACTS_OF_A_TASK);
    indices.map(item).collect_into_vec(&mut list);
    list
}
