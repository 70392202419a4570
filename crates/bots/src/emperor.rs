//! The player that looks ahead.

use crate::level::Budget;
use crate::player::Player;
use crate::search::{Ranked, Search, Settings, best_of, in_proportion};
use pentarchy_engine::{Heuristic, Position, Rng};
use std::time::Duration;

/// Searches at each decision for as long as its budget allows; not on when the rest of it would hardly change
/// its mind.
#[derive(Debug)]
pub struct Emperor<G: Heuristic> {
    budget: Budget,
    settings: Settings,
    seed: u64,
    threads: u16,
    /// For choices that are drawn.
    rng: Rng,
    /// One for each thread, each with a tree of its own.
    searches: Vec<Search<G>>,
}

impl<G: Heuristic> Emperor<G> {
    /// The player of this seed, thinking in so many threads.
    pub fn new(budget: Budget, threads: u16, seed: u64) -> Self {
        Self::with(Settings::of::<G>(), budget, threads, seed)
    }

    /// With settings of its own.
    pub fn with(settings: Settings, budget: Budget, threads: u16, seed: u64) -> Self {
        let rng = Rng::stream(seed, u64::MAX);
        Emperor { budget, settings, seed, threads: threads.max(1), rng, searches: Vec::new() }
    }

    /// How many iterations the last decision took, and how many it had from the one before.
    pub fn stats(&self) -> (u32, u32) {
        let sum = |count: fn(&Search<G>) -> u32| self.searches.iter().map(count).sum();
        (sum(Search::iterations), sum(Search::inherited))
    }

    /// What it thinks of each action, in the order of the list, after the whole budget.
    pub fn consider(&mut self, view: &Position<G>) -> Vec<Ranked> {
        self.think(view, false)
    }

    fn think(&mut self, view: &Position<G>, only_the_best: bool) -> Vec<Ranked> {
        if self.searches.is_empty() {
            let seed = |thread: u16| Rng::stream(self.seed, thread.into()).bits();
            let search = |thread| Search::new(view, self.settings, seed(thread));
            self.searches = (0..self.threads).map(search).collect();
        } else {
            self.searches.iter_mut().for_each(|search| search.advance(view));
        }
        run(&mut self.searches, self.budget, only_the_best);
        merge(&self.searches)
    }
}

impl<G: Heuristic> Player<G> for Emperor<G> {
    fn choose(&mut self, view: &Position<G>, legal: &[G::Action]) -> usize {
        if legal.len() < 2 {
            return 0;
        }
        let counts = self.think(view, true);
        let choice =
            if self.settings.hints.mixed { in_proportion(&counts, &mut self.rng) } else { best_of(&counts) };
        choice.min(legal.len() - 1)
    }
}

/// The counts of all searches added up.
fn merge<G: Heuristic>(searches: &[Search<G>]) -> Vec<Ranked> {
    let mut all: Vec<Ranked> = Vec::new();
    for search in searches {
        let counts = search.counts();
        if all.is_empty() {
            all = counts;
            continue;
        }
        for (sum, count) in all.iter_mut().zip(counts) {
            let visits = sum.visits + count.visits;
            if count.visits > 0 {
                let share = count.visits as f32 / visits as f32;
                sum.value += (count.value - sum.value) * share;
            }
            sum.visits = visits;
        }
    }
    all
}

/// Runs all searches, each in a thread where there are threads. If only the best action is wanted, until it is
/// clear which that is.
fn run<G: Heuristic>(searches: &mut [Search<G>], budget: Budget, only_the_best: bool) {
    let count = searches.len().max(1) as u32;
    let part = |i: usize| match budget {
        Budget::Iterations(n) => Budget::Iterations(n / count + u32::from((i as u32) < n % count)),
        time => time,
    };
    #[cfg(not(target_arch = "wasm32"))]
    if searches.len() > 1 {
        // What is clear in one tree need not be in all of them.
        return std::thread::scope(|scope| {
            for (i, search) in searches.iter_mut().enumerate() {
                let part = part(i);
                scope.spawn(move || run_one(search, part, false));
            }
        });
    }
    for (i, search) in searches.iter_mut().enumerate() {
        run_one(search, part(i), only_the_best && count == 1);
    }
}

fn run_one<G: Heuristic>(search: &mut Search<G>, budget: Budget, only_the_best: bool) {
    match budget {
        Budget::Iterations(n) if only_the_best => run_until_clear(search, n),
        Budget::Iterations(n) => search.run(n),
        Budget::Time(time) => run_for(search, time, only_the_best),
    }
}

/// Stops where the rest of the iterations could not change the choice.
fn run_until_clear<G: Heuristic>(search: &mut Search<G>, iterations: u32) {
    let (mut left, slice) = (iterations, (iterations / 64).max(8));
    while left > 0 && !search.is_clear(left) {
        search.run(slice.min(left));
        left = left.saturating_sub(slice);
    }
}

/// How many iterations stand for a second where there is no clock.
#[cfg(target_arch = "wasm32")]
const A_SECOND: f64 = 4_000.0;

#[cfg(target_arch = "wasm32")]
fn run_for<G: Heuristic>(search: &mut Search<G>, time: Duration, only_the_best: bool) {
    let iterations = (time.as_secs_f64() * A_SECOND) as u32 + 1;
    run_one(search, Budget::Iterations(iterations), only_the_best);
}

/// Slices take about this long: short enough to end in time, long enough not to ask the clock all the time.
#[cfg(not(target_arch = "wasm32"))]
const SLICE: Duration = Duration::from_micros(200);

/// Of the iterations that are left a rival of the leading action gets seldom more than one in so many beyond the
/// leader's own: if that would not be enough, waiting is not worth it.
#[cfg(not(target_arch = "wasm32"))]
const ONE_IN: f64 = 4.0;

#[cfg(not(target_arch = "wasm32"))]
fn run_for<G: Heuristic>(search: &mut Search<G>, time: Duration, only_the_best: bool) {
    let start = std::time::Instant::now();
    let (mut slice, mut then) = (1, Duration::ZERO);
    while then < time {
        search.run(slice);
        let now = start.elapsed();
        if now - then < SLICE && slice < 1 << 16 {
            slice *= 2;
        } else if now - then > 4 * SLICE {
            slice = (slice / 2).max(1);
        }
        then = now;
        if only_the_best {
            let each = now.as_secs_f64() / f64::from(search.iterations().max(1));
            let left = time.saturating_sub(now).as_secs_f64() / each;
            if search.is_clear((left / ONE_IN).ceil() as u32) {
                break;
            }
        }
    }
}
