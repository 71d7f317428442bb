//! A value for each group, or one for all of them where they are alike.

use super::GROUPS_FOR_A_THREAD;
use rayon::prelude::*;
use std::ops::Range;

/// A value for each group. In a bed of one material, of grains of one size, friction and limits are the same everywhere, and cost nothing.
pub(crate) struct OfGroups<T> {
    /// One if all are alike.
    values: Vec<T>,
    alike: bool,
}

impl<T: PartialEq + Send + Sync> OfGroups<T> {
    pub fn new(count: usize, value: impl Fn(usize) -> T + Sync) -> Self {
        let first = value(0);
        let groups = || (0..count).into_par_iter().with_min_len(GROUPS_FOR_A_THREAD);
        match groups().all(|group| value(group) == first) {
            true => Self::one(first),
            false => Self {
                values: groups().map(&value).collect(),
                alike: false,
            },
        }
    }
}

impl<T: Sync> OfGroups<T> {
    /// Whether all values have a property.
    pub fn all(&self, property: impl Fn(&T) -> bool + Sync) -> bool {
        let values = self.values.par_iter().with_min_len(GROUPS_FOR_A_THREAD);
        values.all(&property)
    }
}

impl<T> OfGroups<T> {
    /// One value for all.
    pub fn one(value: T) -> Self {
        Self {
            values: vec![value],
            alike: true,
        }
    }

    /// The values of some groups.
    pub fn part(&self, groups: Range<usize>) -> OfSome<'_, T> {
        match self.alike {
            true => OfSome {
                values: &self.values,
                mask: 0,
            },
            false => OfSome {
                values: &self.values[groups],
                mask: usize::MAX,
            },
        }
    }
}

/// The values of some groups, counted from the first of them.
#[derive(Debug)]
pub(crate) struct OfSome<'a, T> {
    values: &'a [T],
    /// Zero where one value stands for all.
    mask: usize,
}

impl<T> Clone for OfSome<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for OfSome<'_, T> {}

impl<T> OfSome<'_, T> {
    /// The value that stands for all, if there is one.
    #[inline(always)]
    pub fn one(&self) -> Option<&T> {
        match self.mask {
            0 => self.values.first(),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn at(&self, group: usize) -> &T {
        &self.values[group & self.mask]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_its_own_value() {
        let alike = OfGroups::new(9, |_| 7);
        assert_eq!(alike.values.len(), 1);
        assert_eq!(alike.part(2..9).one(), Some(&7));
        let different = OfGroups::new(9, |group| group / 4);
        assert_eq!(different.part(2..9).one(), None);
        for group in 2..9 {
            assert_eq!(*alike.part(2..9).at(group - 2), 7);
            assert_eq!(*different.part(2..9).at(group - 2), group / 4);
        }
    }
}
