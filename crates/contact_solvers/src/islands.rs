//! Islands: parts of a problem that have no body in common, each solved by itself.
//!
//! Impulses of one island do not move another. Solved together, all of them take the iterations of the slowest, and the error
//! is a sum over all, in which a small island hides behind a large one. Solved apart, each stops when it has converged, with the error
//! measured by its own size. The error of the whole is then no larger than the largest of theirs, because
//! √(Σ a_i / Σ b_i) ≤ max √(a_i / b_i).
//!
//! An island needs a problem of its own, a copy of its part, and a solve of its own. Of thousands of them, grains that meet in flight, only the
//! largest are therefore solved apart, and all others together. Where one island has more than half of all blocks, as a bed with a few
//! stray grains, the copy would cost more than it saves, and the problem stays whole.

use crate::cones::Cones;
use crate::delassus::lean::LeanContacts;
use crate::delassus::{Delassus, MatrixFree, RigidContact};
use crate::law::FrictionLaw;
use crate::observer::Observer;
use crate::problem::{BLOCKS_FOR_A_THREAD, ContactProblem};
use crate::report::SolveReport;
use crate::residual::Errors;
use crate::settings::Settings;
use crate::solver::{ContactSolver, SolveError, solve};
use crate::status::Status;
use moreau_algebra::disjoint_sets::DisjointSets;
use rayon::prelude::*;
use std::time::Instant;

/// Islands at most; the smallest of more are taken together.
const MOST_ISLANDS: usize = 64;

/// The islands of a problem.
pub(crate) struct Islands {
    /// Blocks, island by island, in their order.
    blocks: Vec<u32>,
    block_starts: Vec<usize>,
    /// Bodies likewise, …
    bodies: Vec<u32>,
    body_starts: Vec<usize>,
    /// … and the number of each body within its island.
    numbers: Vec<u32>,
}

impl Islands {
    /// Looks for islands among contacts of rigid bodies; `None` where there are not several, or one is larger than all others
    /// together.
    pub fn of(problem: &ContactProblem) -> Option<Self> {
        let (operator, contacts) = rigid(problem)?;
        let touched = |contact: usize| match contacts.bodies_of(contact) {
            // Nobody is touched: any body, joined with itself.
            [RigidContact::FIXED, RigidContact::FIXED] => [0; 2],
            [RigidContact::FIXED, one] | [one, RigidContact::FIXED] => [one; 2],
            both => both,
        };
        let among = if operator.bodies() > 0 {
            contacts.len()
        } else {
            0
        };
        let mut connected = DisjointSets::of_pairs(operator.bodies(), among, touched);
        for block in contacts.len()..problem.blocks() {
            let mut bodies = operator.bodies_of(block);
            if let Some(first) = bodies.next() {
                bodies.for_each(|body| connected.join(first, body));
            }
        }
        let mut island_of = connected.numbered();
        let body_of = |block: usize| operator.bodies_of(block).next();
        let count = gather_small(&mut island_of, (0..problem.blocks()).filter_map(body_of));
        let island_of_block =
            |block: usize| body_of(block).map_or(0, |body| island_of[body as usize]);
        // Most problems are one part: that is seen before anything is sorted.
        let blocks = (0..problem.blocks()).into_par_iter();
        let share = problem.blocks() / rayon::current_num_threads();
        // Whole numbers: in which order they are added does not matter.
        let sizes = blocks
            .with_min_len(share.max(BLOCKS_FOR_A_THREAD))
            .fold(
                || vec![0; count],
                |mut sizes: Vec<usize>, block| {
                    sizes[island_of_block(block) as usize] += 1;
                    sizes
                },
            )
            .reduce(
                || vec![0; count],
                |mut sums, sizes| {
                    sums.iter_mut()
                        .zip(sizes)
                        .for_each(|(sum, size)| *sum += size);
                    sums
                },
            );
        if 2 * sizes.into_iter().max()? > problem.blocks() {
            return None;
        }
        let (blocks, block_starts) = sorted(count, problem.blocks(), island_of_block);
        let (bodies, body_starts) = sorted(count, operator.bodies(), |body| island_of[body]);
        let mut numbers = vec![0; bodies.len()];
        for island in body_starts.windows(2) {
            for (number, &body) in bodies[island[0]..island[1]].iter().enumerate() {
                numbers[body as usize] = number as u32;
            }
        }
        Some(Self {
            blocks,
            block_starts,
            bodies,
            body_starts,
            numbers,
        })
    }

    /// The number of islands, some of which may have bodies and no block.
    pub fn len(&self) -> usize {
        self.block_starts.len() - 1
    }

    /// The blocks of an island.
    pub fn blocks(&self, island: usize) -> &[u32] {
        &self.blocks[self.block_starts[island]..self.block_starts[island + 1]]
    }

    /// The problem of an island.
    pub fn problem(&self, whole: &ContactProblem, island: usize) -> Option<ContactProblem> {
        let blocks = self.blocks(island);
        let bodies = &self.bodies[self.body_starts[island]..self.body_starts[island + 1]];
        let cones = blocks.iter().map(|&block| whole.cones()[block as usize]);
        let operator = rigid(whole)?.0.part(blocks, bodies, &self.numbers).ok()?;
        let free = self.rows(whole, island, whole.free_velocity());
        let mut problem = ContactProblem::new(
            cones.collect::<Cones>(),
            Delassus::MatrixFree(operator),
            free,
        )
        .ok()?;
        if !whole.cohesion().is_empty() {
            let of = |&block: &u32| whole.cohesion()[block as usize];
            problem = problem
                .with_cohesion(blocks.iter().map(of).collect())
                .ok()?;
        }
        if !whole.compliance().is_empty() {
            let rows = self.rows(whole, island, whole.compliance());
            problem = problem.with_compliance(rows).ok()?;
        }
        Some(problem)
    }

    /// The rows of an island.
    pub fn rows(&self, whole: &ContactProblem, island: usize, rows: &[f64]) -> Vec<f64> {
        let of_blocks = self.blocks(island).iter();
        of_blocks
            .flat_map(|&block| &rows[whole.rows(block as usize)])
            .copied()
            .collect()
    }

    /// Puts the rows of an island back.
    pub fn put(&self, whole: &ContactProblem, island: usize, rows: &[f64], all: &mut [f64]) {
        let mut done = 0;
        for &block in self.blocks(island) {
            let place = whole.rows(block as usize);
            let count = place.len();
            all[place].copy_from_slice(&rows[done..done + count]);
            done += count;
        }
    }
}

/// The operator and its contacts, if these are of rigid bodies.
fn rigid(problem: &ContactProblem) -> Option<(&MatrixFree, &LeanContacts)> {
    match problem.delassus() {
        Delassus::MatrixFree(operator) => Some((operator, operator.lean_contacts()?)),
        _ => None,
    }
}

/// Where there are too many islands, makes one of all but the largest. `touched` is a body of each block. Answers with the number of
/// islands.
fn gather_small(island_of: &mut [u32], touched: impl Iterator<Item = u32>) -> usize {
    let count = island_of.iter().max().map_or(0, |last| *last as usize + 1);
    if count <= MOST_ISLANDS {
        return count;
    }
    let mut sizes = vec![0usize; count];
    touched.for_each(|body| sizes[island_of[body as usize] as usize] += 1);
    let mut by_size: Vec<usize> = (0..count).collect();
    // Sorting is stable: of equal islands the first stay apart.
    by_size.sort_by_key(|island| std::cmp::Reverse(sizes[*island]));
    let mut new = vec![MOST_ISLANDS as u32 - 1; count];
    for (number, &island) in by_size[..MOST_ISLANDS - 1].iter().enumerate() {
        new[island] = number as u32;
    }
    island_of
        .iter_mut()
        .for_each(|island| *island = new[*island as usize]);
    MOST_ISLANDS
}

/// `0..len` sorted by their islands, and where each island begins.
fn sorted(count: usize, len: usize, island_of: impl Fn(usize) -> u32) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0; count + 1];
    for index in 0..len {
        starts[island_of(index) as usize + 1] += 1;
    }
    for island in 0..count {
        starts[island + 1] += starts[island];
    }
    let mut next = starts.clone();
    let mut all = vec![0; len];
    for index in 0..len {
        let next = &mut next[island_of(index) as usize];
        all[*next] = index as u32;
        *next += 1;
    }
    (all, starts)
}

/// Solves island by island; `None` where there are none. The report has the errors of the island with the largest one, which no error
/// of the whole exceeds, and the iterations, the history and the remarks of the island that took most iterations.
pub(crate) fn solve_islands(
    problem: &ContactProblem,
    law: FrictionLaw,
    solver: &dyn ContactSolver,
    settings: &Settings,
    impulses: &mut [f64],
    observer: &mut dyn Observer,
) -> Result<Option<SolveReport>, SolveError> {
    let Some(islands) = Islands::of(problem) else {
        return Ok(None);
    };
    let (started, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
    let mut longest: Option<SolveReport> = None;
    let mut errors: Option<Errors> = None;
    let (mut approach, mut objective) = (0.0f64, 0.0);
    let (mut products, mut solved, mut worst) = (0, 0, Status::Converged);
    for island in 0..islands.len() {
        if islands.blocks(island).is_empty() {
            continue;
        }
        let Some(part) = islands.problem(problem, island) else {
            return Ok(None);
        };
        let settings = Settings {
            islands: false,
            approach_limits: settings.approach_limits.part(islands.blocks(island)),
            ..settings.clone()
        };
        let mut rows = islands.rows(problem, island, impulses);
        let mut report = solve(&part, law, solver, &settings, &mut rows, observer)?;
        islands.put(problem, island, &rows, impulses);
        products += report.products;
        solved += 1;
        approach = approach.max(report.approach);
        objective += report.errors.objective;
        // The place of the largest violation, in the numbers of the whole.
        let place = report.errors.max.contact;
        report.errors.max.contact = place.map(|block| islands.blocks(island)[block] as usize);
        let so_far = errors.as_ref().map_or(0.0, |e| e.get(settings.measure));
        if errors.is_none() || report.error() > so_far || report.error().is_nan() {
            errors = Some(report.errors.clone());
        }
        // A solve that was interrupted is so as a whole.
        if worst == Status::Converged || report.status == Status::Stopped {
            worst = report.status;
        }
        if worst == Status::Stopped {
            longest = Some(report);
            break;
        }
        if longest
            .as_ref()
            .is_none_or(|so_far| report.iterations > so_far.iterations)
        {
            longest = Some(report);
        }
    }
    let (Some(longest), Some(mut errors)) = (longest, errors) else {
        return Ok(None);
    };
    errors.objective = objective;
    let mut notes = vec![format!(
        "{solved} islands; what follows is of the one that took longest"
    )];
    notes.extend(longest.notes);
    Ok(Some(SolveReport {
        status: worst,
        products,
        seconds: started.elapsed().as_secs_f64(),
        cpu_seconds: cpu.elapsed().as_secs_f64(),
        approach,
        errors,
        notes,
        ..longest
    }))
}
