//! Groups of columns of L as a tree, cut into tasks and a top, with a place for the update of each.

use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use std::ops::Range;

/// Share of all multiplications that a task has at most.
const TASK_SHARE: f64 = 1.0 / 16.0;

/// Multiplications below which there is no top.
const SMALL: f64 = 5e6;

/// The tree. Groups have the library's numbers: parents come after their children.
pub(super) struct EliminationTree {
    /// Columns of each group, in the library's order.
    pub columns: Vec<Range<usize>>,
    pub parent: Vec<Option<usize>>,
    /// In the order in which they are eliminated.
    pub children: Vec<Vec<usize>>,
    /// Number of rows below the own ones.
    pub below: Vec<usize>,
    /// Multiplications of a branch.
    pub operations: Vec<f64>,
    /// Whether a group is in the top.
    pub is_top: Vec<bool>,
    /// Where the update of each group begins in the room of its part.
    pub update: Vec<usize>,
    /// Numbers that the updates of a branch need at the same time, those of other parts left out.
    pub room: Vec<usize>,
}

impl EliminationTree {
    /// The tree of the groups that the library found.
    pub fn new(groups: &SymbolicSupernodalCholesky<usize>) -> Self {
        let count = groups.n_supernodes();
        let columns: Vec<_> = (0..count)
            .map(|s| groups.supernode_begin()[s]..groups.supernode_end()[s])
            .collect();
        let mut owner = vec![0; groups.nrows()];
        for (s, range) in columns.iter().enumerate() {
            owner[range.clone()].fill(s);
        }
        let mut tree = Self {
            parent: vec![None; count],
            children: vec![Vec::new(); count],
            below: (0..count)
                .map(|s| groups.supernode(s).pattern().len())
                .collect(),
            operations: vec![0.0; count],
            is_top: vec![false; count],
            update: vec![0; count],
            room: vec![0; count],
            columns,
        };
        for s in 0..count {
            let of_column = |k: usize| 0.5 * ((tree.below[s] + k) as f64).powi(2);
            let own: f64 = (1..=tree.columns[s].len()).map(of_column).sum();
            tree.operations[s] += own;
            if let Some(&row) = groups.supernode(s).pattern().iter().min() {
                let parent = owner[row];
                tree.parent[s] = Some(parent);
                tree.children[parent].push(s);
                tree.operations[parent] += tree.operations[s];
            }
        }
        tree.cut();
        tree.place_updates();
        tree
    }

    /// Groups without a parent.
    fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.parent.len()).filter(|&s| self.parent[s].is_none())
    }

    fn cut(&mut self) {
        let total: f64 = self.roots().map(|s| self.operations[s]).sum();
        for (is_top, &operations) in self.is_top.iter_mut().zip(&self.operations) {
            *is_top = total > SMALL && operations > TASK_SHARE * total;
        }
    }

    /// Roots of the tasks.
    pub fn task_roots(&self) -> Vec<usize> {
        (0..self.parent.len())
            .filter(|&s| !self.is_top[s] && self.parent[s].is_none_or(|p| self.is_top[p]))
            .collect()
    }

    /// Roots of the top.
    pub fn top_roots(&self) -> Vec<usize> {
        self.roots().filter(|&s| self.is_top[s]).collect()
    }

    /// Numbers in the update of a group.
    fn update_length(&self, s: usize) -> usize {
        self.below[s] * self.below[s]
    }

    /// An update comes first, then those of the children, each of which has what is behind it for its own children.
    fn place_updates(&mut self) {
        for s in 0..self.parent.len() {
            let mut children = std::mem::take(&mut self.children[s]);
            // Who needs the most room and leaves the least behind comes first (Liu 1986).
            children.sort_by_key(|&c| std::cmp::Reverse(self.room[c] - self.update_length(c)));
            let (mut before, mut most) = (0, 0);
            for &c in children
                .iter()
                .filter(|&&c| self.is_top[c] == self.is_top[s])
            {
                most = most.max(before + self.room[c]);
                before += self.update_length(c);
            }
            self.room[s] = self.update_length(s) + most;
            self.children[s] = children;
        }
        for s in (0..self.parent.len()).rev() {
            let mut next = self.update[s] + self.update_length(s);
            for &c in &self.children[s] {
                if self.is_top[c] == self.is_top[s] {
                    self.update[c] = next;
                    next += self.below[c] * self.below[c];
                }
            }
        }
    }

    /// The groups below and with `root` that are in the same part, children before parents, branch after branch.
    pub fn part(&self, root: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut left = vec![root];
        while let Some(s) = left.pop() {
            found.push(s);
            let children = self.children[s].iter().copied();
            left.extend(children.filter(|&c| self.is_top[c] == self.is_top[root]));
        }
        found.reverse();
        found
    }
}
