//! The player that searches.

use crate::level::Budget;
use crate::player::BotPlayer;
use crate::search::{Ranked, Search, SearchSettings, best_of, in_proportion};
use pentarchy_engine::{Heuristic, Position, Rng};
use std::time::Duration;

/// Searches at each decision within its budget, and stops early when the rest would hardly change the choice.
#[derive(Debug)]
pub struct Emperor<G: Heuristic> {
    /// The budget per decision.
    budget: Budget,
    /// The settings of all searches.
    settings: SearchSettings,
    /// The seed, from which each search gets its own.
    seed: u64,
    /// Number of searches, at least 1.
    threads: u16,
    /// Generator for mixed strategies.
    rng: Rng,
    /// One search per thread, each with its own tree.
    searches: Vec<Search<G>>,
}

impl<G: Heuristic> Emperor<G> {
    /// Creates the player with the settings that the game recommends. `threads` searches run side by side (0
    /// counts as 1); the budget is per decision. With an iteration budget, equal seeds give equal choices.
    pub fn new(budget: Budget, threads: u16, seed: u64) -> Self {
        Self::with(SearchSettings::of::<G>(), budget, threads, seed)
    }

    /// Creates the player with explicit search settings. `threads` searches run side by side (0 counts as 1);
    /// the budget is per decision. With an iteration budget, equal seeds give equal choices.
    pub fn with(settings: SearchSettings, budget: Budget, threads: u16, seed: u64) -> Self {
        let rng = Rng::stream(seed, u64::MAX);
        Emperor { budget, settings, seed, threads: threads.max(1), rng, searches: Vec::new() }
    }

    /// Returns two sums over all threads: the iterations of the last decision, and those that its trees
    /// inherited from the decision before. Both are 0 before the first decision.
    pub fn stats(&self) -> (u32, u32) {
        let sum = |count: fn(&Search<G>) -> u32| self.searches.iter().map(count).sum();
        (sum(Search::iterations), sum(Search::inherited))
    }

    /// Uses the whole budget and returns the result for each legal action, in the order of the list. Empty if
    /// no seat is to act. `view` must be that of the acting seat. The trees are kept for the next decision,
    /// which must be in the same match.
    pub fn consider(&mut self, view: &Position<G>) -> Vec<Ranked> {
        self.think(view, false)
    }

    /// Moves all searches to the decision of `view` (creates them at the first call), runs them within the
    /// budget, and returns the summed results in the order of the list; empty if no seat is to act. With
    /// `only_the_best` a single search stops early when the best action is clear; several use the whole
    /// budget. Not checked: that all views are of one match.
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

impl<G: Heuristic> Emperor<G> {
    /// Returns the results of these actions, a part of the list that was searched, in their order and with
    /// their indexes in `allowed`; actions that are not in the whole list are left out. `counts` are the
    /// results of the whole list.
    fn restrict(&self, counts: &[Ranked], allowed: &[G::Action]) -> Vec<Ranked> {
        let whole = self.searches.first().map_or(&[][..], Search::legal);
        let find = |(index, action): (usize, &G::Action)| {
            let place = whole.iter().position(|other| other == action)?;
            counts.get(place).map(|&count| Ranked { index, ..count })
        };
        allowed.iter().enumerate().filter_map(find).collect()
    }
}

impl<G: Heuristic> BotPlayer<G> for Emperor<G> {
    /// Searches within the budget and returns the index of the best action; in a game with mixed strategies,
    /// a random index in proportion to the visits. With one thread it stops early when the best action is
    /// clear. Keeps the trees for the next decision, which must be in the same match. 0 without a search if
    /// there is at most one action. `legal` may be a part of the list: the search considers the whole list,
    /// and the choice is made among the given actions.
    fn choose(&mut self, view: &Position<G>, legal: &[G::Action]) -> usize {
        if legal.len() < 2 {
            return 0;
        }
        let mut counts = self.think(view, true);
        if counts.len() != legal.len() {
            counts = self.restrict(&counts, legal);
        }
        let choice =
            if self.settings.hints.mixed { in_proportion(&counts, &mut self.rng) } else { best_of(&counts) };
        choice.min(legal.len() - 1)
    }
}

/// Adds up the visits of all searches and averages their values by visits, in the order of the list. All
/// searches must be of one decision. Empty without searches.
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

/// Runs all searches within the budget, each in its own thread if there are several (one after the other
/// where there are no threads); returns when all are done. Iterations are divided among the searches, while
/// each gets the whole time. With `only_the_best`, a single search stops as soon as the best action is clear.
fn run<G: Heuristic>(searches: &mut [Search<G>], budget: Budget, only_the_best: bool) {
    let count = searches.len().max(1) as u32;
    let part = |i: usize| match budget {
        Budget::Iterations(n) => Budget::Iterations(n / count + u32::from((i as u32) < n % count)),
        time => time,
    };
    #[cfg(not(target_arch = "wasm32"))]
    if searches.len() > 1 {
        // A clear result in one tree may be unclear in the sum of all.
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

/// Runs one search on the calling thread within a budget of iterations, time or CPU time; adds to what it has
/// found before. With `only_the_best` it stops as soon as the best action is clear.
fn run_one<G: Heuristic>(search: &mut Search<G>, budget: Budget, only_the_best: bool) {
    match budget {
        Budget::Iterations(n) if only_the_best => run_until_clear(search, n),
        Budget::Iterations(n) => search.run(n),
        Budget::Time(time) => run_for(search, time, only_the_best, Clock::Wall),
        Budget::Cpu(time) => run_for(search, time, only_the_best, Clock::Cpu),
    }
}

/// Runs up to this number of iterations; stops when the rest could not change the best action. Checks that
/// about 64 times, so it may run a little longer than needed.
fn run_until_clear<G: Heuristic>(search: &mut Search<G>, iterations: u32) {
    let (mut left, slice) = (iterations, (iterations / 64).max(8));
    while left > 0 && !search.is_clear(left) {
        search.run(slice.min(left));
        left = left.saturating_sub(slice);
    }
}

/// What measures the time of a search.
#[derive(Clone, Copy)]
enum Clock {
    /// The clock of the machine.
    Wall,
    /// The CPU time of the thread.
    Cpu,
}

/// Iterations that stand for a second where there is no clock.
#[cfg(target_arch = "wasm32")]
const A_SECOND: f64 = 4_000.0;

/// Runs 4000 iterations per second of `time` and one more, because there is no clock of either kind. With
/// `only_the_best` stops early when the result is clear.
#[cfg(target_arch = "wasm32")]
fn run_for<G: Heuristic>(search: &mut Search<G>, time: Duration, only_the_best: bool, _clock: Clock) {
    let iterations = (time.as_secs_f64() * A_SECOND) as u32 + 1;
    run_one(search, Budget::Iterations(iterations), only_the_best);
}

/// Approximate time between two readings of the clock.
#[cfg(not(target_arch = "wasm32"))]
const SLICE: Duration = Duration::from_micros(200);

/// A rival of the leading action rarely gets more than one in this number of the remaining iterations beyond
/// the leader's own. If that would not be enough, the search stops.
#[cfg(not(target_arch = "wasm32"))]
const ONE_IN: f64 = 4.0;

#[cfg(not(target_arch = "wasm32"))]
impl Clock {
    /// Returns a function that returns the time since this call, on this clock. For the CPU clock the
    /// function must be called on the thread of this call; where CPU time is not available, it returns the
    /// time of the machine's clock.
    fn start(self) -> impl Fn() -> Duration {
        let (wall, cpu) = (std::time::Instant::now(), thread_cpu_time());
        move || match (self, cpu, thread_cpu_time()) {
            (Clock::Cpu, Some(start), Some(now)) => now.saturating_sub(start),
            _ => wall.elapsed(),
        }
    }
}

/// Returns the CPU time that the calling thread has used; `None` if the system tells none.
#[cfg(all(unix, feature = "cpu-time"))]
fn thread_cpu_time() -> Option<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.try_into().ok()
}

/// Returns `None`: the CPU time of a thread cannot be read here.
#[cfg(not(any(target_arch = "wasm32", all(unix, feature = "cpu-time"))))]
fn thread_cpu_time() -> Option<Duration> {
    None
}

/// Runs a search for about this time on this clock; overruns it by at most a slice of iterations. With
/// `only_the_best` stops early when the best action leads by more visits than a quarter of the iterations
/// that fit into the rest of the time.
#[cfg(not(target_arch = "wasm32"))]
fn run_for<G: Heuristic>(search: &mut Search<G>, time: Duration, only_the_best: bool, clock: Clock) {
    let elapsed = clock.start();
    let (mut slice, mut then) = (1, Duration::ZERO);
    while then < time {
        search.run(slice);
        let now = elapsed();
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
