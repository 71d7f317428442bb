//! Numbers in sets that have none in common, joined step by step.

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
