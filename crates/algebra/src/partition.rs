//! Numbers that belong together: which of 0, 1, … are joined, directly or through others.

/// The smallest number of each part leads it; in the beginning every number is a part of its own.
///
/// ```
/// use moreau_algebra::partition::Partition;
///
/// let mut parts = Partition::new(5);
/// parts.join(4, 2);
/// parts.join(1, 4);
/// assert_eq!([0, 1, 2, 3, 4].map(|k| parts.leader(k)), [0, 1, 1, 3, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Partition {
    /// A smaller number of the same part, or the number itself if there is none.
    above: Vec<u32>,
}

impl Partition {
    /// The numbers below `count`, each by itself.
    pub fn new(count: usize) -> Self {
        Self {
            above: (0..count as u32).collect(),
        }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.above.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.above.is_empty()
    }

    /// The smallest number that is joined to this one.
    pub fn leader(&mut self, mut number: u32) -> u32 {
        let above = &mut self.above;
        while above[number as usize] != number {
            let next = above[above[number as usize] as usize];
            above[number as usize] = next;
            number = next;
        }
        number
    }

    /// Joins the parts of two numbers.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.leader(a), self.leader(b));
        self.above[a.max(b) as usize] = a.min(b);
    }
}
