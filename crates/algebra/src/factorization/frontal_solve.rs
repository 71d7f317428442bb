//! Solution of a system by the fronts of its factor.
//!
//! Each part has a vector of its own: its columns in the order of elimination, then the rows outside of it that they reach. Tasks go
//! through theirs in parallel, and what they change outside is added to the top task by task.

use super::dense_parts::{Real, subtract_from_vector};
use super::fronts::{Front, Fronts, Part};
use super::multifrontal::FrontalFactor;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::prelude::ReborrowMut;
use faer::{Accum, MatMut, MatRef, Par};

/// Numbers of tasks whose vectors are not given to different threads.
const SHORT: usize = 20_000;

impl<T: Real> FrontalFactor<T> {
    /// Replaces `rhs` by A⁻¹ `rhs`.
    pub fn solve_in_place(&self, plan: &Fronts, rhs: &mut [f64]) {
        match self.vector.try_lock() {
            Ok(mut vector) => self.solve_with(plan, rhs, &mut vector),
            // A second thread that solves at the same time.
            Err(_) => {
                let length = plan.tasks.iter().chain([&plan.top]).map(Part::vector).sum();
                self.solve_with(plan, rhs, &mut vec![T::zero(); length]);
            }
        }
    }

    fn solve_with(&self, plan: &Fronts, rhs: &mut [f64], vector: &mut [T]) {
        let of_tasks = |size: fn(&Part) -> usize| plan.tasks.iter().map(size).sum::<usize>();
        let (panels, top_panels) = self.panels.split_at(of_tasks(|part| part.panels));
        let (tasks, top) = vector.split_at_mut(of_tasks(Part::vector));
        load(plan, &plan.top, rhs, top);
        over_tasks(&plan.tasks, panels, tasks, &|part, panels, vector| {
            load(plan, part, rhs, vector);
            forward(plan, part, panels, vector);
        });
        let mut from = 0;
        for part in &plan.tasks {
            let outside = &tasks[from + part.columns.len()..];
            for (&row, value) in plan.outside[part.outside.clone()].iter().zip(outside) {
                top[row] += *value;
            }
            from += part.vector();
        }
        forward(plan, &plan.top, top_panels, top);
        backward(plan, &plan.top, top_panels, top);
        let above = &*top;
        over_tasks(&plan.tasks, panels, tasks, &|part, panels, vector| {
            let outside = &mut vector[part.columns.len()..];
            for (&row, value) in plan.outside[part.outside.clone()].iter().zip(outside) {
                *value = above[row];
            }
            backward(plan, part, panels, vector);
        });
        store(plan, &plan.top, top, rhs);
        let mut from = 0;
        for part in &plan.tasks {
            store(plan, part, &tasks[from..], rhs);
            from += part.vector();
        }
    }
}

/// Calls `work` with each task, its panels and its vector, in parallel.
fn over_tasks<T: Real>(
    tasks: &[Part],
    panels: &[T],
    vectors: &mut [T],
    work: &(impl Fn(&Part, &[T], &mut [T]) + Sync),
) {
    if panels.len() < SHORT || tasks.len() < 2 {
        let (mut panels, mut vectors) = (panels, vectors);
        for part in tasks {
            let (own, others) = vectors.split_at_mut(part.vector());
            work(part, &panels[..part.panels], own);
            (panels, vectors) = (&panels[part.panels..], others);
        }
        return;
    }
    let (a, b) = tasks.split_at(tasks.len() / 2);
    let (panels_a, panels_b) = panels.split_at(a.iter().map(|part| part.panels).sum());
    let (vectors_a, vectors_b) = vectors.split_at_mut(a.iter().map(Part::vector).sum());
    rayon::join(
        || over_tasks(a, panels_a, vectors_a, work),
        || over_tasks(b, panels_b, vectors_b, work),
    );
}

/// The rows of a part in the order of elimination; zeros outside.
fn load<T: Real>(plan: &Fronts, part: &Part, rhs: &[f64], vector: &mut [T]) {
    let (own, others) = vector.split_at_mut(part.columns.len());
    for (value, &row) in own.iter_mut().zip(&plan.order[part.columns.clone()]) {
        *value = T::nearest(rhs[row]);
    }
    others.fill(T::zero());
}

/// The same back.
fn store<T: Real>(plan: &Fronts, part: &Part, vector: &[T], rhs: &mut [f64]) {
    for (value, &row) in vector.iter().zip(&plan.order[part.columns.clone()]) {
        rhs[row] = value.widened();
    }
}

/// A front's L, its own part of a vector, the rest of the vector, and room for its rows below.
fn open<'a, T: Real>(
    front: &Front,
    part: &Part,
    panels: &'a [T],
    vector: &'a mut [T],
) -> (MatRef<'a, T>, &'a mut [T], &'a mut [T]) {
    let (columns, below) = (front.columns, front.below.len());
    let panel = &panels[front.panel..front.panel + (columns + below) * columns];
    let (vector, below_values) = vector.split_at_mut(part.vector() - part.most_below);
    let panel = MatRef::from_column_major_slice(panel, columns + below, columns);
    (panel, vector, &mut below_values[..below])
}

/// x ← L⁻¹ x.
fn forward<T: Real>(plan: &Fronts, part: &Part, panels: &[T], vector: &mut [T]) {
    for front in &plan.fronts[part.fronts.clone()] {
        let (panel, vector, below) = open(front, part, panels, vector);
        let (l, low) = panel.split_at_row(front.columns);
        let own = &mut vector[front.first..front.first + front.columns];
        let mut own = MatMut::from_column_major_slice_mut(own, front.columns, 1);
        solve_lower_triangular_in_place(l, own.rb_mut(), Par::Seq);
        let rows = below.len();
        let change = MatMut::from_column_major_slice_mut(below, rows, 1);
        subtract_from_vector(change, low, own.as_ref(), Accum::Replace);
        for (&row, change) in plan.rows[front.below.clone()].iter().zip(&*below) {
            vector[row] += *change;
        }
    }
}

/// x ← L⁻ᵀ x.
fn backward<T: Real>(plan: &Fronts, part: &Part, panels: &[T], vector: &mut [T]) {
    for front in plan.fronts[part.fronts.clone()].iter().rev() {
        let (panel, vector, below) = open(front, part, panels, vector);
        for (&row, value) in plan.rows[front.below.clone()].iter().zip(&mut *below) {
            *value = vector[row];
        }
        let (l, low) = panel.split_at_row(front.columns);
        let own = &mut vector[front.first..front.first + front.columns];
        let mut own = MatMut::from_column_major_slice_mut(own, front.columns, 1);
        let below = MatRef::from_column_major_slice(below, below.len(), 1);
        subtract_from_vector(own.rb_mut(), low.transpose(), below, Accum::Add);
        solve_upper_triangular_in_place(l.transpose(), own, Par::Seq);
    }
}
