//! The plan of a factorisation by fronts, and who may do which part of it at the same time.
//!
//! Columns of L with the same rows form a *front*: a dense panel of its own columns over its own rows and the rows below. What
//! its elimination changes in later columns is collected in its *update*, a dense matrix over the rows below, and added to
//! its parent, the front that owns the first of these rows: the multifrontal method of Duff and Reid. Fronts form a tree, and
//! branches without a common front have nothing to do with each other. Small branches are *tasks*, done in parallel; the fronts
//! above them, few and large, are the *top*, done one after another by parallel kernels. Both depend on the matrix alone, not
//! on the number of threads.
//!
//! I. S. Duff, J. K. Reid, *The multifrontal solution of indefinite sparse symmetric linear equations*, ACM Trans. Math. Softw.
//! 9, 1983. Order of the branches: J. W. H. Liu, *On the storage requirement in the out-of-core multifrontal method for sparse
//! factorization*, ACM Trans. Math. Softw. 12, 1986.

use super::elimination_tree::EliminationTree;
use super::pattern::Pattern;
use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use std::ops::Range;

/// One front.
pub(super) struct Front {
    /// Number of its own columns.
    pub columns: usize,
    /// Its first column, counted from that of its part.
    pub first: usize,
    /// Its rows below its own, in [`Fronts::rows`].
    pub below: Range<usize>,
    /// Where its panel begins among those of its part.
    pub panel: usize,
    /// Where its update begins in the room of its part; those of its children come later.
    pub update: usize,
    /// In [`Fronts::children`].
    pub children: Range<usize>,
    /// Numbers of the matrix in its panel, in [`Fronts::entries`].
    pub entries: Range<usize>,
}

/// How the update of a front is added to its parent.
pub(super) struct Child {
    /// Where the update begins: in the room of the part, or in that of all tasks.
    pub update: usize,
    /// Whether it is the root of a task, and its parent in the top.
    pub of_task: bool,
    /// Rows of the update.
    pub rows: usize,
    /// In [`Fronts::runs`].
    pub runs: Range<usize>,
}

/// Rows of a child that follow each other in its parent too.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The first of them in the update.
    pub from: usize,
    /// The same in the front of the parent.
    pub to: usize,
    /// How many.
    pub length: usize,
}

/// Fronts that are eliminated one after another: a task, or the top.
#[derive(Default)]
pub(super) struct Part {
    pub fronts: Range<usize>,
    /// Its columns, in the order of elimination.
    pub columns: Range<usize>,
    /// Numbers of its panels.
    pub panels: usize,
    /// Numbers of its updates.
    pub room: usize,
    /// The rows below its root, in [`Fronts::outside`].
    pub outside: Range<usize>,
    /// Most rows below a front.
    pub most_below: usize,
    /// Multiplications.
    pub operations: f64,
}

impl Part {
    /// Numbers of its vector in a solve: its columns, the rows below its root, and room for the rows below a front.
    pub fn vector(&self) -> usize {
        self.columns.len() + self.outside.len() + self.most_below
    }
}

/// The plan.
#[derive(Default)]
pub(super) struct Fronts {
    /// The row of the matrix that is eliminated at each step.
    pub order: Vec<usize>,
    pub fronts: Vec<Front>,
    pub tasks: Vec<Part>,
    /// What comes after all tasks.
    pub top: Part,
    /// Rows below the own ones of each front, counted from the first column of its part; in tasks those outside of it
    /// are numbered after its columns.
    pub rows: Vec<usize>,
    /// Rows below the root of each task, counted from the first column of the top.
    pub outside: Vec<usize>,
    pub children: Vec<Child>,
    pub runs: Vec<Run>,
    /// Slot of the matrix and place in the panel.
    pub entries: Vec<(usize, usize)>,
}

/// A group of columns in the order of elimination: what the rows of its front are.
struct Group {
    columns: Range<usize>,
    below: Vec<usize>,
}

impl Group {
    /// The row of the front that has this number in the order of elimination.
    fn place(&self, row: usize) -> usize {
        if row < self.columns.end {
            row - self.columns.start
        } else {
            let place = self.below.binary_search(&row);
            self.columns.len() + place.expect("L has every row that its parts need")
        }
    }

    fn height(&self) -> usize {
        self.columns.len() + self.below.len()
    }
}

impl Fronts {
    /// Plans the factorisation of a pattern by the groups of columns that the library found.
    pub fn new(
        pattern: &Pattern,
        groups: &SymbolicSupernodalCholesky<usize>,
        order: PermRef<'_, usize>,
    ) -> Self {
        let tree = EliminationTree::new(groups);
        let mut plan = Self::default();
        let mut sequence: Vec<usize> = Vec::with_capacity(tree.parent.len());
        let task_roots = tree.task_roots();
        for &root in &task_roots {
            let from = sequence.len();
            sequence.extend(tree.part(root));
            plan.tasks.push(Part {
                fronts: from..sequence.len(),
                room: tree.room[root],
                operations: tree.operations[root],
                ..Part::default()
            });
        }
        let from = sequence.len();
        for root in tree.top_roots() {
            sequence.extend(tree.part(root));
            plan.top.room = plan.top.room.max(tree.room[root]);
        }
        plan.top.fronts = from..sequence.len();
        // Columns by their new numbers.
        let mut new_number = vec![0; order.len()];
        for &s in &sequence {
            for column in tree.columns[s].clone() {
                new_number[column] = plan.order.len();
                plan.order.push(order.arrays().0[column]);
            }
        }
        let mut next = 0;
        let renumbered: Vec<Group> = sequence
            .iter()
            .map(|&s| {
                let columns = next..next + tree.columns[s].len();
                next = columns.end;
                let rows = groups.supernode(s).pattern().iter();
                let mut below: Vec<usize> = rows.map(|&row| new_number[row]).collect();
                below.sort_unstable();
                Group { columns, below }
            })
            .collect();
        plan.add_fronts(&renumbered);
        let mut index = vec![0; sequence.len()];
        for (front, &s) in sequence.iter().enumerate() {
            index[s] = front;
        }
        let mut task_rooms = vec![0; sequence.len()];
        let mut room = 0;
        for (task, &root) in plan.tasks.iter().zip(&task_roots) {
            task_rooms[root] = room;
            room += task.room;
        }
        for (front, &s) in sequence.iter().enumerate() {
            plan.fronts[front].update = tree.update[s];
            let from = plan.children.len();
            for &c in &tree.children[s] {
                let of_task = tree.is_top[s] && !tree.is_top[c];
                let update = if of_task {
                    task_rooms[c]
                } else {
                    tree.update[c]
                };
                plan.add_child(&renumbered[index[c]], &renumbered[front], update, of_task);
            }
            plan.fronts[front].children = from..plan.children.len();
        }
        plan.distribute(pattern, &renumbered);
        plan
    }

    /// Fronts and the sizes of the parts; children and entries come later.
    fn add_fronts(&mut self, groups: &[Group]) {
        let top_from = match groups.get(self.top.fronts.start) {
            Some(first) => first.columns.start,
            None => self.order.len(),
        };
        let mut tasks = std::mem::take(&mut self.tasks);
        let mut top = std::mem::take(&mut self.top);
        for part in tasks.iter_mut().chain([&mut top]) {
            let own = &groups[part.fronts.clone()];
            let (Some(first), Some(root)) = (own.first(), own.last()) else {
                part.columns = top_from..top_from;
                continue;
            };
            part.columns = first.columns.start..root.columns.end;
            let outside = self.outside.len();
            if part.columns.start < top_from {
                let rows = root.below.iter().map(|row| row - top_from);
                self.outside.extend(rows);
            }
            part.outside = outside..self.outside.len();
            for group in own {
                let below = self.rows.len();
                self.rows.extend(group.below.iter().map(|&row| {
                    if row < part.columns.end {
                        row - part.columns.start
                    } else {
                        part.columns.len() + root.place(row) - root.columns.len()
                    }
                }));
                self.fronts.push(Front {
                    columns: group.columns.len(),
                    first: group.columns.start - part.columns.start,
                    below: below..self.rows.len(),
                    panel: part.panels,
                    update: 0,
                    children: 0..0,
                    entries: 0..0,
                });
                part.panels += group.height() * group.columns.len();
                part.most_below = part.most_below.max(group.below.len());
            }
        }
        (self.tasks, self.top) = (tasks, top);
    }

    fn add_child(&mut self, child: &Group, parent: &Group, update: usize, of_task: bool) {
        let from = self.runs.len();
        for (k, &row) in child.below.iter().enumerate() {
            let to = parent.place(row);
            match self.runs[from..].last_mut() {
                // Own rows and rows below of the parent go to different matrices.
                Some(run) if run.to + run.length == to && to != parent.columns.len() => {
                    run.length += 1;
                }
                _ => self.runs.push(Run {
                    from: k,
                    to,
                    length: 1,
                }),
            }
        }
        self.children.push(Child {
            update,
            of_task,
            rows: child.below.len(),
            runs: from..self.runs.len(),
        });
    }

    /// Where the numbers of the matrix go.
    fn distribute(&mut self, pattern: &Pattern, groups: &[Group]) {
        let mut new_number = vec![0; self.order.len()];
        for (place, &row) in self.order.iter().enumerate() {
            new_number[row] = place;
        }
        let mut owner = vec![0; self.order.len()];
        for (front, group) in groups.iter().enumerate() {
            owner[group.columns.clone()].fill(front);
        }
        let mut places: Vec<(usize, usize, usize)> = Vec::with_capacity(pattern.values.len());
        let mut slot = 0;
        for column in 0..pattern.dimension {
            for &row in pattern.column(column).0 {
                let (a, b) = (new_number[row], new_number[column]);
                let (low, high) = (a.min(b), a.max(b));
                let group = &groups[owner[low]];
                let place = (low - group.columns.start) * group.height() + group.place(high);
                places.push((owner[low], place, slot));
                slot += 1;
            }
        }
        places.sort_unstable();
        for &(front, place, slot) in &places {
            let entries = &mut self.fronts[front].entries;
            if entries.start == entries.end {
                entries.start = self.entries.len();
            }
            self.entries.push((slot, place));
            entries.end = self.entries.len();
        }
    }
}
