//! The cones of all blocks of a problem.

use super::Cone;
use std::ops::Index;

/// New cones are compared with so many kinds; a problem with more of them keeps some twice.
const KINDS_COMPARED: usize = 16;

/// One cone for each block. Problems of millions of contacts have a few kinds: each is kept once, and a block costs four bytes, or
/// none where all are alike.
///
/// ```
/// use moreau_contact_solvers::cones::{Cone, Cones};
/// let cones: Cones = (0..1000).map(|_| Cone::Friction { friction: 0.3 }).collect();
/// assert_eq!(cones.len(), 1000);
/// assert_eq!(cones[999], Cone::Friction { friction: 0.3 });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cones {
    kinds: Vec<Cone>,
    /// The kind of each block; empty while there is one.
    kind_of: Vec<u32>,
    len: usize,
}

impl Cones {
    /// No block yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// So many blocks of one kind.
    pub fn alike(cone: Cone, len: usize) -> Self {
        Self {
            kinds: vec![cone; len.min(1)],
            kind_of: Vec::new(),
            len,
        }
    }

    /// Appends a block.
    pub fn push(&mut self, cone: Cone) {
        let compared = &self.kinds[..self.kinds.len().min(KINDS_COMPARED)];
        let known = compared.iter().position(|kind| *kind == cone);
        let kind = known.unwrap_or_else(|| {
            self.kinds.push(cone);
            self.kinds.len() - 1
        });
        if self.kinds.len() > 1 {
            // Those before were all of the first kind.
            self.kind_of.resize(self.len, 0);
            self.kind_of.push(kind as u32);
        }
        self.len += 1;
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// So many blocks at the beginning have a property.
    pub(crate) fn beginning(&self, property: impl Fn(&Cone) -> bool) -> usize {
        match self.kinds.as_slice() {
            [one] if property(one) => self.len,
            _ => self.iter().take_while(|cone| property(cone)).count(),
        }
    }

    /// The cone of the first block.
    pub fn first(&self) -> Option<&Cone> {
        self.kinds.first()
    }

    /// The cones of all blocks.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Cone> {
        (0..self.len).map(|block| &self[block])
    }

    /// Each kind of cone that some block has.
    pub fn kinds(&self) -> &[Cone] {
        &self.kinds
    }
}

impl Index<usize> for Cones {
    type Output = Cone;

    #[inline]
    fn index(&self, block: usize) -> &Cone {
        assert!(block < self.len, "block {block} of {}", self.len);
        match self.kind_of.get(block) {
            Some(&kind) => &self.kinds[kind as usize],
            None => &self.kinds[0],
        }
    }
}

impl FromIterator<Cone> for Cones {
    fn from_iter<I: IntoIterator<Item = Cone>>(cones: I) -> Self {
        let mut list = Self::new();
        cones.into_iter().for_each(|cone| list.push(cone));
        list
    }
}

impl From<Vec<Cone>> for Cones {
    fn from(cones: Vec<Cone>) -> Self {
        cones.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_gets_its_own_cone_back() {
        // One kind, then few, then more than are compared, with old ones among them.
        for kinds in [1, 3, 40] {
            let given: Vec<Cone> = (0..200)
                .map(|k| match (k * k) % kinds {
                    0 => Cone::Friction { friction: 0.5 },
                    1 => Cone::Unilateral,
                    other => Cone::Friction {
                        friction: other as f64,
                    },
                })
                .collect();
            let list = Cones::from(given.clone());
            assert_eq!(list.iter().copied().collect::<Vec<_>>(), given);
            assert_eq!((list.len(), list.first()), (200, given.first()));
        }
        assert!(Cones::new().is_empty() && Cones::new().first().is_none());
        let mut alike = Cones::alike(Cone::Unilateral, 3);
        alike.push(Cone::Bilateral { rows: 2 });
        assert_eq!((alike.len(), alike[2]), (4, Cone::Unilateral));
        assert_eq!(alike[3], Cone::Bilateral { rows: 2 });
        assert_eq!(alike.beginning(Cone::is_contact), 3);
        assert!(Cones::alike(Cone::Unilateral, 0).first().is_none());
    }
}
