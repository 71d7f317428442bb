//! Where bodies are, in the order of the problem.

use super::{PIECE, Parts};
use glam::DVec3;
use rayon::prelude::*;

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
