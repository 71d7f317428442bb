//! Numbers in sets that have none in common, joined step by step.

use std::ops::Range;

/// Pairs at least that are worth a second thread, and sets of their own.
const PAIRS_FOR_A_THREAD: usize = 16_384;

/// The numbers `0..len`, each in one set. A set goes by its smallest number, in whatever order it was joined.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    /// A number of the same set that is not larger; the smallest points to itself.
    above: Vec<u32>,
}

impl DisjointSets {
    /// Every number in a set of its own.
    ///
    /// # Panics
    /// When there are more than 2³² numbers.
    pub fn new(len: usize) -> Self {
        let len = u32::try_from(len).expect("numbers of 32 bits");
        Self {
            above: (0..len).collect(),
        }
    }

    /// The sets that so many `pairs` make of `0..len`, found by all threads. Each takes some of the pairs, and its sets are joined
    /// with those of the others; they go by their smallest numbers, so they do not depend on who joined what.
    ///
    /// # Panics
    /// When there are more than 2³² numbers.
    pub fn of_pairs(len: usize, pairs: usize, pair: impl Fn(usize) -> [u32; 2] + Sync) -> Self {
        Self::of_part(len, 0..pairs, rayon::current_num_threads(), &pair)
    }

    fn of_part(
        len: usize,
        part: Range<usize>,
        threads: usize,
        pair: &(impl Fn(usize) -> [u32; 2] + Sync),
    ) -> Self {
        if threads < 2 || part.len() < 2 * PAIRS_FOR_A_THREAD.max(len / 8) {
            let mut sets = Self::new(len);
            for [a, b] in part.map(pair) {
                sets.join(a, b);
            }
            return sets;
        }
        let middle = part.start + part.len() / 2;
        let (mut sets, others) = rayon::join(
            || Self::of_part(len, part.start..middle, threads / 2, pair),
            || Self::of_part(len, middle..part.end, threads - threads / 2, pair),
        );
        for (number, &above) in others.above.iter().enumerate() {
            if above != number as u32 {
                sets.join(number as u32, above);
            }
        }
        sets
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.above.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.above.is_empty()
    }

    /// The smallest number of the set that a number is in. The way there is halved for the next call.
    pub fn first_of(&mut self, number: u32) -> u32 {
        let mut number = number;
        while self.above[number as usize] != number {
            let above = self.above[self.above[number as usize] as usize];
            self.above[number as usize] = above;
            number = above;
        }
        number
    }

    /// Makes one set of the two that the numbers are in.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first_of(a), self.first_of(b));
        self.above[a.max(b) as usize] = a.min(b);
    }

    /// The set of each number: sets are counted from zero, in the order of their smallest numbers.
    pub fn numbered(&mut self) -> Vec<u32> {
        let mut set_of = vec![0; self.len()];
        let mut count = 0;
        for number in 0..self.len() as u32 {
            let first = self.first_of(number);
            set_of[number as usize] = if first == number {
                count += 1;
                count - 1
            } else {
                set_of[first as usize]
            };
        }
        set_of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets by passing the smaller mark over every pair until nothing changes.
    fn by_marks(len: usize, pairs: &[(u32, u32)]) -> Vec<u32> {
        let mut marks: Vec<u32> = (0..len as u32).collect();
        for _ in 0..len {
            for &(a, b) in pairs {
                let mark = marks[a as usize].min(marks[b as usize]);
                marks[a as usize] = mark;
                marks[b as usize] = mark;
            }
        }
        marks
    }

    #[test]
    fn sets_are_those_that_marks_passed_along_pairs_find() {
        // Every seventh and every eleventh number of a multiplicative sequence: few enough that several sets remain.
        let scattered = |k: u32, step: u32| k.wrapping_mul(2_654_435_761).wrapping_add(step) % 60;
        for count in [0, 10, 25, 40, 80] {
            let pairs: Vec<_> = (0..count)
                .map(|k| (scattered(k, 7), scattered(k + 97, 11)))
                .collect();
            let mut sets = DisjointSets::new(60);
            pairs.iter().for_each(|&(a, b)| sets.join(a, b));
            let firsts: Vec<u32> = (0..60).map(|number| sets.first_of(number)).collect();
            assert_eq!(firsts, by_marks(60, &pairs), "{count} pairs");
        }
    }

    #[test]
    fn threads_find_the_sets_that_pairs_joined_one_by_one_make() {
        let len = 30_000;
        // Chains with gaps, and pairs across them: hundreds of sets.
        let pair = |k: usize| match k % 3 {
            0 if !k.is_multiple_of(201) => [(k / 3) as u32, (k / 3 + 1) as u32],
            1 if k % 400 == 1 => [(k * 7919 % 20_000) as u32, (k / 3) as u32],
            _ => [(k / 3) as u32; 2],
        };
        let pairs = 3 * 29_000;
        let mut one_by_one = DisjointSets::new(len);
        for [a, b] in (0..pairs).map(pair) {
            one_by_one.join(a, b);
        }
        let expected = one_by_one.numbered();
        let sets = expected.iter().max().map_or(0, |last| last + 1);
        let size = |set: u32| expected.iter().filter(|of| **of == set).count();
        assert!(sets > 1000 && (0..sets).any(|set| size(set) > 200));
        for threads in [1, 2, 3, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let found = pool.build().expect("threads").install(|| {
                let mut sets = DisjointSets::of_pairs(len, pairs, pair);
                sets.numbered()
            });
            assert_eq!(found, expected, "{threads} threads");
        }
    }

    #[test]
    fn sets_are_numbered_by_their_smallest_member_in_whatever_order_they_were_joined() {
        let joins = [[5, 1], [4, 2], [5, 3]];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let mut sets = DisjointSets::new(6);
            for index in order {
                let [a, b] = joins[index];
                sets.join(a, b);
            }
            assert_eq!(sets.numbered(), [0, 1, 2, 1, 2, 1]);
        }
        assert!(DisjointSets::new(0).numbered().is_empty());
    }
}
