//! Whether contacts still approach each other and joints still come apart: a demand beside the error, block by block.

use crate::cones::Cone;
use crate::problem::{BLOCKS_FOR_A_THREAD, ContactProblem};
use moreau_algebra::reduction::tree_reduce;
use rayon::prelude::*;
use std::sync::Arc;

/// How fast each block may approach or, of a joint, come apart. Kept are the inverse limits in single precision, rounded so that a limit is met whenever it is taken
/// to be: four bytes for each block, or none where all are alike, as among grains of one size. Copies share the numbers.
///
/// ```
/// use moreau_contact_solvers::approach::ApproachLimits;
/// let limits = ApproachLimits::of(1000, |_| 0.125);
/// assert_eq!((limits.len(), limits.inverse(999)), (1000, 8.0));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApproachLimits {
    /// One number if all are alike.
    inverses: Arc<[f32]>,
    len: usize,
}

impl ApproachLimits {
    /// The limits of `len` blocks; infinity for a block that may approach as fast as it likes.
    pub fn of(len: usize, limit: impl Fn(usize) -> f64 + Sync) -> Self {
        Self::of_inverses(len, |block| rounded_up(1.0 / limit(block)))
    }

    /// The limits of some blocks, in their order.
    pub fn part(&self, blocks: &[u32]) -> Self {
        let len = blocks.iter().filter(|&&block| (block as usize) < self.len);
        Self::of_inverses(len.count(), |index| self.inverse(blocks[index] as usize))
    }

    fn of_inverses(len: usize, inverse: impl Fn(usize) -> f32 + Sync) -> Self {
        if len == 0 {
            return Self::default();
        }
        let first = inverse(0);
        let blocks = || (0..len).into_par_iter().with_min_len(BLOCKS_FOR_A_THREAD);
        let alike = blocks().all(|block| inverse(block) == first);
        let inverses = match alike {
            true => vec![first],
            false => blocks().map(&inverse).collect(),
        };
        Self {
            inverses: inverses.into(),
            len,
        }
    }

    /// The number of blocks, of which the first have limits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One over the limit of a block; zero if it has none.
    #[inline]
    pub fn inverse(&self, block: usize) -> f32 {
        if block >= self.len {
            return 0.0;
        }
        let own = self.inverses.get(block).or(self.inverses.first());
        own.copied().unwrap_or(0.0)
    }
}

/// The number of single precision next above.
fn rounded_up(inverse: f64) -> f32 {
    let near = inverse as f32;
    let above = if f64::from(near) < inverse {
        near.next_up()
    } else {
        near
    };
    above.min(f32::MAX)
}

impl FromIterator<f64> for ApproachLimits {
    fn from_iter<I: IntoIterator<Item = f64>>(limits: I) -> Self {
        let limits: Vec<f64> = limits.into_iter().collect();
        Self::of(limits.len(), |block| limits[block])
    }
}

/// The largest −u_N / limit over the contacts, and |u| / limit over the rows of joints; at least zero. At or below one no
/// contact approaches and no joint comes apart faster than it may. Bounded rows may move as they like. Without limits it is zero.
pub fn largest_approach(
    problem: &ContactProblem,
    limits: &ApproachLimits,
    velocity: &[f64],
) -> f64 {
    tree_reduce(
        0..problem.blocks().min(limits.len()),
        &|blocks| {
            blocks.fold(0.0f64, |largest, block| {
                let inverse = f64::from(limits.inverse(block));
                let speed = match problem.cones()[block] {
                    Cone::Bilateral { .. } => {
                        let rows = &velocity[problem.rows(block)];
                        rows.iter().fold(0.0, |most: f64, u| most.max(u.abs()))
                    }
                    Cone::Box { .. } => 0.0,
                    _ => -velocity[problem.first_row(block)],
                };
                largest.max(speed * inverse)
            })
        },
        &f64::max,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limit_is_larger_than_it_was_given() {
        for kinds in [1, 3] {
            let given: Vec<f64> = (0..50).map(|k| 0.1 * (1 + k * k % kinds) as f64).collect();
            let limits: ApproachLimits = given.iter().copied().collect();
            assert_eq!(limits.len(), 50);
            for (block, limit) in given.iter().enumerate() {
                let kept = 1.0 / f64::from(limits.inverse(block));
                assert!(kept <= *limit && kept > (1.0 - 2e-7) * limit, "{kept}");
            }
            assert_eq!(limits.inverse(50), 0.0);
            let part = limits.part(&[7, 9, 60]);
            let inverses = [0, 1, 2].map(|block| part.inverse(block));
            assert_eq!(inverses, [limits.inverse(7), limits.inverse(9), 0.0]);
        }
        assert_eq!(ApproachLimits::of(3, |_| f64::INFINITY).inverse(1), 0.0);
        assert_eq!(ApproachLimits::of(3, |_| 1e-300).inverse(1), f32::MAX);
        assert!(ApproachLimits::default().is_empty());
    }
}
