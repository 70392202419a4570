//! Many games on many threads, their results in order: what comes out does not depend on who was faster.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a thread plays before it hands over what it has.
const PORTION: Duration = Duration::from_millis(20);
/// The most games it plays in that time.
const MOST: u64 = 1024;

/// Why a run stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum Broken<E> {
    /// A game failed.
    #[error("{0}")]
    Failed(E),
    /// A game panicked.
    #[error("a game panicked")]
    Panicked,
}

/// What the threads share.
struct Shared<T> {
    /// The first game that nobody has taken.
    next: u64,
    /// Portions that are played but not handed on, by their first game.
    done: BTreeMap<u64, Vec<T>>,
    /// Nobody need go on.
    stop: bool,
    /// How many threads are at work.
    busy: usize,
}

struct Desk<T> {
    shared: Mutex<Shared<T>>,
    changed: Condvar,
}

impl<T> Desk<T> {
    fn lock(&self) -> MutexGuard<'_, Shared<T>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, guard: MutexGuard<'a, Shared<T>>) -> MutexGuard<'a, Shared<T>> {
        self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Signs a thread off, also if it panics: otherwise everybody would wait for it.
struct Leaving<'a, T>(&'a Desk<T>);

impl<T> Drop for Leaving<'_, T> {
    fn drop(&mut self) {
        let mut shared = self.0.lock();
        shared.busy -= 1;
        shared.stop |= thread::panicking();
        drop(shared);
        self.0.changed.notify_all();
    }
}

/// Does `work` for each number on so many threads, and hands the results to `each` in the order of the
/// numbers, until that says stop. However many there are, only a few wait in memory.
pub fn run<T: Send, E: Send>(
    numbers: Range<u64>,
    threads: usize,
    work: impl Fn(u64) -> Result<T, E> + Sync,
    mut each: impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<(), Broken<E>> {
    let threads = threads.max(1);
    let shared = Shared { next: numbers.start, done: BTreeMap::new(), stop: false, busy: threads };
    let desk = Desk::<Result<T, E>> { shared: Mutex::new(shared), changed: Condvar::new() };
    thread::scope(|scope| {
        let labour = || labour(&desk, numbers.end, 4 * threads, &work);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(labour)).collect();
        let handed = hand_on(&desk, &numbers, &mut each);
        desk.lock().stop = true;
        desk.changed.notify_all();
        // A panic has been told already; unless it is taken here it would spread.
        workers.into_iter().for_each(|worker| drop(worker.join()));
        handed
    })
}

/// Takes portions that last about as long as they should, and plays them.
fn labour<T, E>(
    desk: &Desk<Result<T, E>>,
    end: u64,
    most_waiting: usize,
    work: &(impl Fn(u64) -> Result<T, E> + Sync),
) {
    let _leaving = Leaving(desk);
    let mut portion = 1;
    loop {
        let mut shared = desk.lock();
        while !shared.stop && shared.next < end && shared.done.len() >= most_waiting {
            shared = desk.wait(shared);
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
        desk.lock().done.insert(from, results);
        desk.changed.notify_all();
    }
}

/// Waits for the portions in their order.
fn hand_on<T, E>(
    desk: &Desk<Result<T, E>>,
    numbers: &Range<u64>,
    each: &mut impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<(), Broken<E>> {
    let mut number = numbers.start;
    while number < numbers.end {
        let mut shared = desk.lock();
        let portion = loop {
            if let Some(portion) = shared.done.remove(&number) {
                break portion;
            }
            if shared.stop || shared.busy == 0 {
                return Err(Broken::Panicked);
            }
            shared = desk.wait(shared);
        };
        drop(shared);
        desk.changed.notify_all();
        for result in portion {
            let result = result.map_err(Broken::Failed)?;
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
    fn whoever_says_stop_gets_no_more() {
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
        assert!(matches!(ended, Err(Broken::Failed("forty"))));
        assert_eq!(seen, 40);
    }

    #[test]
    fn a_panic_does_not_hang() {
        let work = |i| if i == 7 { panic!("seven") } else { Ok::<_, ()>(i) };
        let ended = run(0..1000, 2, work, |_, _| ControlFlow::Continue(()));
        assert!(matches!(ended, Err(Broken::Panicked)));
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
        // Eight portions of at most 20 ms at 0.3 ms a game, and those under way.
        assert!(most.load(Ordering::SeqCst) < 1000, "{most:?}");
    }
}
