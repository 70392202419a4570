//! Runs many games on many threads and delivers the results in order, so that the result does not depend on
//! scheduling.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time that a thread works before it hands over its results.
const PORTION: Duration = Duration::from_millis(20);
/// Maximum number of games of a portion.
const MOST: u64 = 1024;

/// Why a run stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// A game failed.
    #[error("{0}")]
    Failed(E),
    /// A game panicked.
    #[error("a game panicked")]
    Panicked,
}

/// The state that the threads share.
struct Shared<T> {
    /// The first number that no thread has taken.
    next: u64,
    /// Finished portions that have not been delivered, by their first number.
    done: BTreeMap<u64, Vec<T>>,
    /// Whether all threads should stop.
    stop: bool,
    /// Number of running threads.
    busy: usize,
}

/// The queue between the threads that play and the one that delivers.
struct WorkQueue<T> {
    /// The state of the queue.
    shared: Mutex<Shared<T>>,
    /// Notified after every change of the state that a thread may wait for.
    changed: Condvar,
}

impl<T> WorkQueue<T> {
    /// Locks the shared state, also after a panic of another thread, which then may have left its portion
    /// unfinished.
    fn lock(&self) -> MutexGuard<'_, Shared<T>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a notification of the queue; the lock is released meanwhile. The caller must check its
    /// condition again.
    fn wait<'a>(&self, guard: MutexGuard<'a, Shared<T>>) -> MutexGuard<'a, Shared<T>> {
        self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Signs a thread off when dropped, also on a panic; otherwise the others would wait forever.
struct Leaving<'a, T>(&'a WorkQueue<T>);

impl<T> Drop for Leaving<'_, T> {
    /// Counts the thread as finished, stops all others if it panics, and wakes them.
    fn drop(&mut self) {
        let mut shared = self.0.lock();
        shared.busy -= 1;
        shared.stop |= thread::panicking();
        drop(shared);
        self.0.changed.notify_all();
    }
}

/// Calls `work` for each number on this number of threads (at least 1), and `each` on this thread with the
/// results in the order of the numbers, until it breaks. Returns when all threads have ended. Only a bounded
/// number of results waits in memory. `numbers` may be empty. `work` may be called for later numbers than the
/// last one delivered.
///
/// # Errors
///
/// Fails with the error of the lowest number for which `work` failed, or if it panicked. `each` has been
/// called for all lower numbers, except after a panic.
pub fn run<T: Send, E: Send>(
    numbers: Range<u64>,
    threads: usize,
    work: impl Fn(u64) -> Result<T, E> + Sync,
    mut each: impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<(), RunError<E>> {
    let threads = threads.max(1);
    let shared = Shared { next: numbers.start, done: BTreeMap::new(), stop: false, busy: threads };
    let queue = WorkQueue::<Result<T, E>> { shared: Mutex::new(shared), changed: Condvar::new() };
    thread::scope(|scope| {
        let run_worker = || run_worker(&queue, numbers.end, 4 * threads, &work);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(run_worker)).collect();
        let handed = deliver_in_order(&queue, &numbers, &mut each);
        queue.lock().stop = true;
        queue.changed.notify_all();
        // The panic has been printed; joining here keeps it from propagating.
        workers.into_iter().for_each(|worker| drop(worker.join()));
        handed
    })
}

/// Calls `work` for consecutive ranges that cover `games` on this number of threads (at least 1), and `each` on this
/// thread with every range and its result, in order. A range is small enough that all threads are busy to the end, and
/// has at most `most` games, which must be at least 1. Does nothing without games.
///
/// # Errors
///
/// Fails with the error of the lowest range for which `work` failed, or if it panicked. `each` has been called for all
/// lower ranges, except after a panic.
pub fn run_ranges<T: Send, E: Send>(
    games: Range<u64>,
    threads: usize,
    most: u64,
    work: impl Fn(Range<u64>) -> Result<T, E> + Sync,
    mut each: impl FnMut(Range<u64>, T),
) -> Result<(), RunError<E>> {
    let count = games.end.saturating_sub(games.start);
    let size = (count / (threads.max(1) as u64 * 64)).clamp(1, most);
    let range = |n: u64| games.start + n * size..games.end.min(games.start + (n + 1) * size);
    let work = |n| work(range(n));
    run(0..count.div_ceil(size), threads, work, |n, result| {
        each(range(n), result);
        ControlFlow::Continue(())
    })
}

/// Takes portions of about [`PORTION`] from the queue and hands over their results, until `end` is reached or
/// the queue is stopped. An error ends its portion early, but not the worker. Waits while `most_waiting`
/// portions are not collected. Runs on a worker thread.
fn run_worker<T, E>(
    queue: &WorkQueue<Result<T, E>>,
    end: u64,
    most_waiting: usize,
    work: &(impl Fn(u64) -> Result<T, E> + Sync),
) {
    let _leaving = Leaving(queue);
    let mut portion = 1;
    loop {
        let mut shared = queue.lock();
        while !shared.stop && shared.next < end && shared.done.len() >= most_waiting {
            shared = queue.wait(shared);
        }
        if shared.stop || shared.next >= end {
            return;
        }
        let from = shared.next;
        let to = end.min(from + portion);
        shared.next = to;
        drop(shared);
        let begun = Instant::now();
        let mut results = Vec::with_capacity((to - from) as usize);
        for number in from..to {
            results.push(work(number));
            if results.last().is_some_and(Result::is_err) {
                break;
            }
        }
        let each = begun.elapsed().as_nanos().max(1) / u128::from(to - from);
        portion = u64::try_from(PORTION.as_nanos() / each.max(1)).unwrap_or(MOST).clamp(1, MOST);
        queue.lock().done.insert(from, results);
        queue.changed.notify_all();
    }
}

/// Waits for the portions of the workers and calls `each` with their results in the order of the numbers,
/// until it breaks or the last number is delivered. Does not stop the workers.
///
/// # Errors
///
/// Fails with the first failed result, or if a worker has panicked. `each` may have been called for lower
/// numbers.
fn deliver_in_order<T, E>(
    queue: &WorkQueue<Result<T, E>>,
    numbers: &Range<u64>,
    each: &mut impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<(), RunError<E>> {
    let mut number = numbers.start;
    while number < numbers.end {
        let mut shared = queue.lock();
        let portion = loop {
            if let Some(portion) = shared.done.remove(&number) {
                break portion;
            }
            if shared.stop || shared.busy == 0 {
                return Err(RunError::Panicked);
            }
            shared = queue.wait(shared);
        };
        drop(shared);
        queue.changed.notify_all();
        for result in portion {
            let result = result.map_err(RunError::Failed)?;
            if each(number, result).is_break() {
                return Ok(());
            }
            number += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn results_come_in_order_however_many_threads() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            run(
                5..3000,
                threads,
                |i| Ok::<_, ()>(i * i),
                |i, square| {
                    seen.push((i, square));
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
            assert_eq!(seen, (5..3000).map(|i| (i, i * i)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_consumer_that_stops_gets_no_more_results() {
        let mut seen = 0;
        run(0..u64::MAX, 3, Ok::<_, ()>, |i, _| {
            seen += 1;
            if i == 499 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        assert_eq!(seen, 500);
    }

    #[test]
    fn the_first_failure_ends_it_and_what_came_before_counts() {
        let mut seen = 0;
        let work = |i| if i == 40 { Err("forty") } else { Ok(i) };
        let ended = run(0..1000, 2, work, |_, _| {
            seen += 1;
            ControlFlow::Continue(())
        });
        assert!(matches!(ended, Err(RunError::Failed("forty"))));
        assert_eq!(seen, 40);
    }

    #[test]
    fn a_panic_does_not_hang() {
        let work = |i| if i == 7 { panic!("seven") } else { Ok::<_, ()>(i) };
        let ended = run(0..1000, 2, work, |_, _| ControlFlow::Continue(()));
        assert!(matches!(ended, Err(RunError::Panicked)));
    }

    #[test]
    fn few_results_wait_even_if_one_takes_long() {
        let (played, handed) = (AtomicU64::new(0), AtomicU64::new(0));
        let most = AtomicU64::new(0);
        let work = |i| {
            if i % 100 == 0 {
                thread::sleep(Duration::from_millis(30));
            }
            thread::sleep(Duration::from_micros(300));
            let ahead = played.fetch_add(1, Ordering::SeqCst) - handed.load(Ordering::SeqCst);
            most.fetch_max(ahead, Ordering::SeqCst);
            Ok::<_, ()>(i)
        };
        run(0..1500, 2, work, |_, _| {
            handed.fetch_add(1, Ordering::SeqCst);
            ControlFlow::Continue(())
        })
        .unwrap();
        // Eight portions of at most 20 ms at 0.3 ms a game, and those in progress.
        assert!(most.load(Ordering::SeqCst) < 1000, "{most:?}");
    }
}
