//! Factorisation by fronts; see [`fronts`](super::fronts) for the plan.

use super::dense_parts::{Real, eliminate, subtract_square};
use super::fronts::{Child, Fronts, Part, Run};
use faer::prelude::ReborrowMut;
use faer::{Accum, MatMut};
use std::sync::Mutex;

/// L in some precision, and room to compute it and to solve with it.
pub(super) struct FrontalFactor<T> {
    pub(super) panels: Vec<T>,
    room: Vec<T>,
    pub(super) vector: Mutex<Vec<T>>,
}

impl<T> Default for FrontalFactor<T> {
    fn default() -> Self {
        Self {
            panels: Vec::new(),
            room: Vec::new(),
            vector: Mutex::new(Vec::new()),
        }
    }
}

/// Multiplications of tasks that are not given to different threads.
const FEW: f64 = 1e5;

impl<T: Real> FrontalFactor<T> {
    /// The number of stored values of L.
    pub fn len(&self) -> usize {
        self.panels.len()
    }

    /// Takes the memory, once.
    pub fn reserve(&mut self, plan: &Fronts) {
        let parts = || plan.tasks.iter().chain([&plan.top]);
        self.panels
            .resize(parts().map(|part| part.panels).sum(), T::zero());
        self.room
            .resize(parts().map(|part| part.room).sum(), T::zero());
        let vector: usize = parts().map(Part::vector).sum();
        if let Ok(own) = self.vector.get_mut() {
            own.resize(vector, T::zero());
        }
    }

    /// Computes L from the slots of the pattern. The error is the step whose pivot is not positive.
    pub fn factorize(&mut self, plan: &Fronts, slots: &[f64]) -> Result<(), usize> {
        let of_tasks = |size: fn(&Part) -> usize| plan.tasks.iter().map(size).sum::<usize>();
        let (panels, top_panels) = self.panels.split_at_mut(of_tasks(|part| part.panels));
        let (room, top_room) = self.room.split_at_mut(of_tasks(|part| part.room));
        factorize_tasks(plan, &plan.tasks, slots, panels, room)?;
        factorize_part(plan, &plan.top, slots, top_panels, top_room, room)
    }
}

/// Eliminates the tasks, in parallel. `panels` and `room` are theirs.
fn factorize_tasks<T: Real>(
    plan: &Fronts,
    tasks: &[Part],
    slots: &[f64],
    panels: &mut [T],
    room: &mut [T],
) -> Result<(), usize> {
    let few = tasks.iter().map(|part| part.operations).sum::<f64>() < FEW;
    if few || tasks.len() < 2 {
        let (mut panels, mut room) = (panels, room);
        for part in tasks {
            let (own_panels, other_panels) = panels.split_at_mut(part.panels);
            let (own_room, other_room) = room.split_at_mut(part.room);
            factorize_part(plan, part, slots, own_panels, own_room, &[])?;
            (panels, room) = (other_panels, other_room);
        }
        return Ok(());
    }
    let (a, b) = tasks.split_at(tasks.len() / 2);
    let (panels_a, panels_b) = panels.split_at_mut(a.iter().map(|part| part.panels).sum());
    let (room_a, room_b) = room.split_at_mut(a.iter().map(|part| part.room).sum());
    let (a, b) = rayon::join(
        || factorize_tasks(plan, a, slots, panels_a, room_a),
        || factorize_tasks(plan, b, slots, panels_b, room_b),
    );
    // The first step that fails, whichever came first.
    a.and(b)
}

/// Eliminates the fronts of one part. `tasks` are the updates of all tasks, for the top.
fn factorize_part<T: Real>(
    plan: &Fronts,
    part: &Part,
    slots: &[f64],
    panels: &mut [T],
    room: &mut [T],
    tasks: &[T],
) -> Result<(), usize> {
    for front in &plan.fronts[part.fronts.clone()] {
        let (columns, below) = (front.columns, front.below.len());
        let height = columns + below;
        let panel = &mut panels[front.panel..front.panel + height * columns];
        panel.fill(T::zero());
        for &(slot, place) in &plan.entries[front.entries.clone()] {
            panel[place] = T::nearest(slots[slot]);
        }
        let behind = front.update + below * below;
        let (own, others) = room.split_at_mut(behind);
        let update = &mut own[front.update..];
        let children = &plan.children[front.children.clone()];
        let update_of = |child: &Child| {
            if child.of_task {
                &tasks[child.update..]
            } else {
                &others[child.update - behind..]
            }
        };
        for child in children {
            let runs = &plan.runs[child.runs.clone()];
            let own_runs = runs.partition_point(|run| run.to < columns);
            add(
                panel,
                height,
                0,
                update_of(child),
                child.rows,
                runs,
                0..own_runs,
            );
        }
        let mut matrix = MatMut::from_column_major_slice_mut(panel, height, columns);
        eliminate(matrix.rb_mut()).map_err(|column| part.columns.start + front.first + column)?;
        if below == 0 {
            continue;
        }
        let (_, low) = matrix.as_ref().split_at_row(columns);
        let square = MatMut::from_column_major_slice_mut(update, below, below);
        subtract_square(square, low, Accum::Replace);
        for child in children {
            let runs = &plan.runs[child.runs.clone()];
            let own_runs = runs.partition_point(|run| run.to < columns);
            let rest = own_runs..runs.len();
            add(
                update,
                below,
                columns,
                update_of(child),
                child.rows,
                runs,
                rest,
            );
        }
    }
    Ok(())
}

/// Adds the columns `of` an update to the matrix of its parent that begins with row and column `first` of the front.
fn add<T: Real>(
    target: &mut [T],
    height: usize,
    first: usize,
    update: &[T],
    rows: usize,
    runs: &[Run],
    of: std::ops::Range<usize>,
) {
    for (number, run) in runs.iter().enumerate().take(of.end).skip(of.start) {
        for k in 0..run.length {
            let source = &update[(run.from + k) * rows..][..rows];
            let target = &mut target[(run.to + k - first) * height..][..height];
            let mut add_run = |from: usize, to: usize, length: usize| {
                let source = &source[from..from + length];
                let target = &mut target[to - first..to - first + length];
                for (target, source) in target.iter_mut().zip(source) {
                    *target += *source;
                }
            };
            // Only the lower triangle is there.
            add_run(run.from + k, run.to + k, run.length - k);
            for later in &runs[number + 1..] {
                add_run(later.from, later.to, later.length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ordering::tests::cube;
    use super::super::sparse_cholesky::analyze_dissected;
    use super::*;
    use faer::sparse::linalg::cholesky::SymbolicCholeskyRaw;

    /// L of all fronts as a dense matrix by rows, in the order of elimination.
    fn dense_factor(plan: &Fronts, factor: &FrontalFactor<f64>) -> Vec<f64> {
        let n = plan.order.len();
        let mut l = vec![0.0; n * n];
        let mut panels = 0;
        for part in plan.tasks.iter().chain([&plan.top]) {
            for front in &plan.fronts[part.fronts.clone()] {
                let height = front.columns + front.below.len();
                let row_of = |k: usize| {
                    if k < front.columns {
                        return part.columns.start + front.first + k;
                    }
                    let local = plan.rows[front.below.start + k - front.columns];
                    match local.checked_sub(part.columns.len()) {
                        Some(k) => plan.top.columns.start + plan.outside[part.outside.start + k],
                        None => part.columns.start + local,
                    }
                };
                for column in 0..front.columns {
                    for k in column..height {
                        l[row_of(k) * n + row_of(column)] =
                            factor.panels[panels + front.panel + column * height + k];
                    }
                }
            }
            panels += part.panels;
        }
        l
    }

    #[test]
    fn the_factor_is_that_of_the_textbook() {
        let mut pattern = cube(7);
        let n = pattern.dimension;
        let mut a = vec![0.0; n * n];
        let mut values = Vec::new();
        let mut seed = 1u64;
        for column in 0..n {
            for &row in pattern.column(column).0 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let random = (seed >> 33) as f64 / (1u64 << 31) as f64 - 0.5;
                let value = if row == column { 40.0 + random } else { random };
                values.push(value);
                a[row * n + column] = value;
                a[column * n + row] = value;
            }
        }
        pattern.values = values;
        let symbolic = analyze_dissected(&pattern).unwrap().unwrap();
        let SymbolicCholeskyRaw::Supernodal(groups) = symbolic.raw() else {
            panic!("a cube is eliminated in groups");
        };
        let plan = Fronts::new(&pattern, groups, symbolic.perm().unwrap());
        assert!(plan.tasks.len() > 4 && plan.top.fronts.len() > 1);
        let mut factor = FrontalFactor::<f64>::default();
        factor.reserve(&plan);
        factor.factorize(&plan, &pattern.values).unwrap();
        let l = dense_factor(&plan, &factor);
        let mut expected = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let done: f64 = (0..j)
                    .map(|k| expected[i * n + k] * expected[j * n + k])
                    .sum();
                let left = a[plan.order[i] * n + plan.order[j]] - done;
                expected[i * n + j] = if i == j {
                    left.sqrt()
                } else {
                    left / expected[j * n + j]
                };
            }
        }
        for (k, (l, expected)) in l.iter().zip(&expected).enumerate() {
            let (i, j) = (k / n, k % n);
            assert!(
                (l - expected).abs() < 1e-12,
                "({i}, {j}): {l} is not {expected}"
            );
        }
    }
}
