//! Work on several threads with a progress bar.

use crate::command_error::CommandError;
use crate::progress;
use pentarchy_arena::RunError;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::thread;

/// Returns the number of threads to use: `wanted`, or one per core if that is `None` (1 if the number of cores is
/// unknown); at most 1024.
pub(crate) fn thread_count(wanted: Option<NonZeroUsize>) -> usize {
    let count = wanted.or_else(|| thread::available_parallelism().ok());
    count.map_or(1, NonZeroUsize::get).min(1024)
}

/// Calls `work` for each number on several threads, and `each` on this thread with the results in the order of the
/// numbers, so that the result does not depend on scheduling. Shows a progress bar that counts `what` (a plural).
/// `threads` must be at least 1. An empty range does nothing.
///
/// # Errors
///
/// Fails with the error of the lowest number for which `work` failed, or if it panicked; `each` has been called for all
/// lower numbers, except after a panic.
pub(crate) fn each<T: Send, E: Send>(
    numbers: Range<u64>,
    threads: usize,
    what: &str,
    work: impl Fn(u64) -> Result<T, E> + Sync,
    mut each: impl FnMut(u64, T),
) -> Result<(), RunError<E>> {
    let bar = progress::bar(numbers.end.saturating_sub(numbers.start), what);
    let ended = pentarchy_arena::run(numbers, threads, work, |number, result| {
        each(number, result);
        bar.inc(1);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    ended
}

/// Calls `work` for consecutive ranges that cover `0..games` on several threads, and `each` on this thread with the
/// results in order. A range is small enough that all threads are busy to the end, and has at most `most` games. Shows
/// a progress bar. `threads` and `most` must be at least 1. Does nothing for 0 games.
///
/// # Errors
///
/// Fails with the error of the lowest range, or if `work` panicked; `each` has been called for all lower ranges, except
/// after a panic.
pub(crate) fn each_range<T: Send, E: Send>(
    games: u64,
    threads: usize,
    most: u64,
    work: impl Fn(Range<u64>) -> Result<T, E> + Sync,
    mut each: impl FnMut(T),
) -> Result<(), RunError<E>> {
    let bar = progress::bar(games, "games");
    let ended = pentarchy_arena::run_ranges(0..games, threads, most, work, |range, result| {
        each(result);
        bar.inc(range.end - range.start);
    });
    bar.finish_and_clear();
    ended
}

/// Creates the failed check (exit code 1) for a game that panicked; its text advises to run `pentarchy soak` to find
/// which.
pub(crate) fn panic_error() -> CommandError {
    CommandError::Check("a game panicked; `pentarchy soak` finds which".to_string())
}
