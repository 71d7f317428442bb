//! Where the rows of each block begin.

use crate::cones::Cones;
use std::ops::Range;

/// The rows of all blocks. Blocks of equal size at the beginning, which are all of them in a bed of grains, cost no memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rows {
    /// So many blocks at the beginning have `size` rows each.
    equal: usize,
    size: usize,
    /// First rows of the blocks behind them, and the number of all rows.
    behind: Vec<usize>,
}

impl Rows {
    pub fn of(cones: &Cones) -> Self {
        let size = cones.first().map_or(0, |cone| cone.dimension());
        let equal = cones.beginning(|cone| cone.dimension() == size);
        let mut behind = vec![size * equal];
        for cone in cones.iter().skip(equal) {
            behind.push(behind.last().expect("not empty") + cone.dimension());
        }
        Self {
            equal,
            size,
            behind,
        }
    }

    /// The number of all rows.
    pub fn count(&self) -> usize {
        self.behind[self.behind.len() - 1]
    }

    /// The first row of a block; of the one behind the last, the number of rows.
    #[inline]
    pub fn first(&self, block: usize) -> usize {
        if block < self.equal {
            self.size * block
        } else {
            self.behind[block - self.equal]
        }
    }

    /// The rows of a block.
    #[inline]
    pub fn of_block(&self, block: usize) -> Range<usize> {
        self.first(block)..self.first(block + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cones::Cone;

    #[test]
    fn rows_follow_one_another() {
        let contact = Cone::Friction { friction: 0.1 };
        let joint = Cone::Bilateral { rows: 5 };
        for cones in [
            vec![],
            vec![contact; 4],
            vec![contact, contact, joint, Cone::Unilateral, contact],
            vec![joint, contact],
        ] {
            let rows = Rows::of(&cones.clone().into());
            let mut next = 0;
            for (block, cone) in cones.iter().enumerate() {
                assert_eq!(rows.of_block(block), next..next + cone.dimension());
                next += cone.dimension();
            }
            assert_eq!((rows.count(), rows.first(cones.len())), (next, next));
        }
    }
}
