//! Parts of a study that do not depend on one another, run at the same time.

use crate::context::{Context, Progress};
use crate::study::StudyError;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What all parts tell the study's progress.
struct Shared<'a> {
    progress: &'a mut dyn Progress,
    /// How far each part is, from 0 to 1, and what it costs.
    parts: Vec<(f64, f64)>,
    /// How far the study is when none of the parts is done, and when all are.
    between: (f64, f64),
}

impl Shared<'_> {
    fn show(&mut self, part: usize, share: f64, what: &str) -> ControlFlow<()> {
        self.parts[part].0 = share.clamp(0.0, 1.0);
        let whole: f64 = self.parts.iter().map(|(_, cost)| cost).sum();
        let done: f64 = self.parts.iter().map(|(share, cost)| share * cost).sum();
        let (from, until) = self.between;
        self.progress
            .show(from + (until - from) * done / whole, what)
    }
}

/// The progress of one part.
struct Part<'a, 'b> {
    shared: &'a Mutex<Shared<'b>>,
    index: usize,
}

impl Progress for Part<'_, '_> {
    fn show(&mut self, share: f64, what: &str) -> ControlFlow<()> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.show(self.index, share, what)
    }
}

impl Context<'_> {
    /// Runs parts that do not depend on one another, as many at a time as there are threads, those that cost most first.
    /// Each sees a context whose progress goes from 0 to 1. The results are in the order of the parts.
    ///
    /// CPU times are those of the whole process: what a step of one part reports holds the others, too.
    ///
    /// # Errors
    /// The first, in the order of the parts, of those that fail.
    pub fn side_by_side<T: Sync, R: Send>(
        &mut self,
        parts: &[T],
        cost: impl Fn(&T) -> f64,
        until: f64,
        run: impl Fn(&mut Context, &T) -> Result<R, StudyError> + Sync,
    ) -> Result<Vec<R>, StudyError> {
        let costs: Vec<f64> = parts.iter().map(cost).collect();
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by(|a, b| costs[*b].total_cmp(&costs[*a]));
        let (scale, solver) = (self.scale, self.solver.clone());
        let from = self.share();
        let shared = Mutex::new(Shared {
            progress: self.progress(),
            parts: costs.iter().map(|cost| (0.0, *cost)).collect(),
            between: (from, until),
        });
        let results: Vec<Mutex<Option<Result<R, StudyError>>>> =
            parts.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let threads = rayon::current_num_threads();
        let at_once = threads.min(parts.len()).max(1);
        // Threads of its own for each, so that none waits for what another part has to do.
        let pool = |_| {
            ThreadPoolBuilder::new()
                .num_threads(threads / at_once)
                .build()
        };
        let pools: Vec<ThreadPool> = (0..at_once)
            .map(pool)
            .collect::<Result<_, _>>()
            .map_err(|error| StudyError::Settings(error.to_string()))?;
        let work = |pool: &ThreadPool| {
            while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                let result = pool.install(|| {
                    let mut progress = Part {
                        shared: &shared,
                        index,
                    };
                    let mut context = Context::new(scale, solver.clone(), &mut progress);
                    run(&mut context, &parts[index])
                });
                *results[index]
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = Some(result);
            }
        };
        let work = &work;
        std::thread::scope(|scope| {
            for pool in &pools {
                scope.spawn(move || work(pool));
            }
        });
        let done = results.into_iter().map(|result| {
            let result = result.into_inner().unwrap_or_else(PoisonError::into_inner);
            result.expect("every part was run")
        });
        let done: Vec<R> = done.collect::<Result<_, _>>()?;
        self.at(until, "")?;
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Scale;

    /// What was shown.
    #[derive(Default)]
    struct Seen(Vec<f64>);

    impl Progress for Seen {
        fn show(&mut self, share: f64, _what: &str) -> ControlFlow<()> {
            self.0.push(share);
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn results_are_in_order_and_progress_is_that_of_all() {
        let mut seen = Seen::default();
        let mut context = Context::new(Scale::Tiny, None, &mut seen);
        context.at(0.2, "before").unwrap();
        let squares = context.side_by_side(
            &[3.0, 1.0, 2.0],
            |part| *part,
            0.8,
            |context, part| {
                context.at(0.5, "half")?;
                context.at(1.0, "all")?;
                Ok(part * part)
            },
        );
        assert_eq!(squares.unwrap(), [9.0, 1.0, 4.0]);
        assert!(
            seen.0.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12),
            "{:?}",
            seen.0
        );
        assert_eq!(seen.0.first(), Some(&0.2));
        assert!((seen.0.last().unwrap() - 0.8).abs() < 1e-12);
    }

    #[test]
    fn one_that_fails_is_told_of() {
        let mut seen = Seen::default();
        let mut context = Context::new(Scale::Tiny, None, &mut seen);
        let failed = context.side_by_side(
            &[1, 2, 3],
            |_| 1.0,
            1.0,
            |_, part| match part {
                2 => Err(StudyError::Settings("two".into())),
                other => Ok(*other),
            },
        );
        assert!(matches!(failed, Err(StudyError::Settings(text)) if text == "two"));
    }
}
