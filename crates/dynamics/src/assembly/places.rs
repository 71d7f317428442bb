//! Which bodies a problem has, and where they are, in its order.

use super::{NOT_SOLVED, PIECE, Parts};
use glam::DVec3;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Numbers the rigid bodies that something touches.
pub(super) fn number_bodies(parts: &Parts) -> (Vec<u32>, Vec<u32>) {
    let mut index_of = vec![NOT_SOLVED; parts.bodies.len()];
    let touched: Vec<AtomicBool> = index_of.iter().map(|_| AtomicBool::new(false)).collect();
    // Whoever comes first says what the others would say, too.
    let touch = |body: u32| {
        let touched = &touched[body as usize];
        if !touched.load(Relaxed) && parts.bodies.is_rigid(body as usize) {
            touched.store(true, Relaxed);
        }
    };
    let contacts = parts.contacts.par_iter().with_min_len(PIECE);
    contacts.for_each(|contact| contact.bodies.into_iter().for_each(touch));
    let joints = parts.joints.iter().flat_map(|block| block.bodies);
    joints.filter(|body| *body != u32::MAX).for_each(touch);
    let mut solved = Vec::new();
    for &body in parts.order {
        if touched[body as usize].load(Relaxed) {
            index_of[body as usize] = solved.len() as u32;
            solved.push(body);
        }
    }
    (solved, index_of)
}

/// The centres of the bodies that are solved for, in their order, in which contacts ask for them: those of one contact are then seldom
/// far in memory from those of the one before.
pub(super) struct Places<'a> {
    parts: &'a Parts<'a>,
    index_of: &'a [u32],
    solved: Vec<DVec3>,
}

impl<'a> Places<'a> {
    pub fn new(parts: &'a Parts<'a>, solved: &[u32], index_of: &'a [u32]) -> Self {
        let centre = |&body: &u32| parts.bodies.poses[body as usize].position;
        let pieces = solved.par_iter().with_min_len(PIECE);
        Self {
            parts,
            index_of,
            solved: pieces.map(centre).collect(),
        }
    }

    /// The centre of any body.
    #[inline]
    pub fn of(&self, body: u32) -> DVec3 {
        let number = self.index_of[body as usize] as usize;
        let known = self.solved.get(number).copied();
        known.unwrap_or_else(|| self.parts.bodies.poses[body as usize].position)
    }
}
