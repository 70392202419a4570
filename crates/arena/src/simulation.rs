//! Simulation of many games with the same bot at each seat, for the command `sim`.

use crate::play::{AnyArena, GameSeating};
use crate::run::{self, RunError};
use crate::statistics::wilson;
use crate::tournament::TournamentError;
use pentarchy_bots::{Level, Spec};
use pentarchy_engine::{MAX_SEATS, Outcome, Rng};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::Range;

/// Maximum number of games that a thread plays before it hands over their sums.
const MOST_IN_RANGE: u64 = 4096;

/// The parameters of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// The game.
    pub game: &'static dyn AnyArena,
    /// The options that differ from the defaults.
    pub options: Value,
    /// The bot of each seat.
    pub bots: Vec<Spec>,
    /// Seed of all games.
    pub seed: u64,
}

impl SimulationPlan {
    /// Returns the number of seats: that of the bots.
    pub fn seats(&self) -> u8 {
        self.bots.len() as u8
    }

    /// Returns all parameters but the game as a JSON object, for the header of a part: `bots` (as texts, one
    /// per seat), `options` and `seed`. [`from_plan`](Self::from_plan) reads it.
    pub fn as_plan(&self) -> Value {
        let bots: Vec<String> = self.bots.iter().map(ToString::to_string).collect();
        json!({ "bots": bots, "options": self.options, "seed": self.seed })
    }

    /// Reads the parameters that [`as_plan`](Self::as_plan) has written; `None` if the bots or the seed are missing
    /// or malformed. Options are checked when games are played.
    pub fn from_plan(game: &'static dyn AnyArena, plan: &Value) -> Option<SimulationPlan> {
        let bots = plan["bots"].as_array()?.iter().map(|bot| bot.as_str()?.parse().ok());
        Some(SimulationPlan {
            game,
            options: plan["options"].clone(),
            bots: bots.collect::<Option<_>>()?,
            seed: plan["seed"].as_u64()?,
        })
    }

    /// Plays the games with these numbers and adds the results to `tally`. Game number i depends only on the seed and
    /// i (unless a bot has a time budget), so any division of the work gives the same sums. Games of random bots alone
    /// take the shortcuts of random playouts.
    ///
    /// # Errors
    ///
    /// Fails if the options or the number of seats are invalid, or if the rules reject an event; `tally` then has the
    /// results of the games before that one.
    pub fn play(&self, games: Range<u64>, tally: &mut SimulationTally) -> Result<(), TournamentError> {
        let table = self.game.table(self.seats(), &self.options)?;
        let failed = |game| move |reason| TournamentError::Game { seed: self.seed, game, reason };
        if self.bots.iter().all(|bot| bot.level == Level::Random) {
            let add = &mut |outcome: &Outcome, decisions| tally.add(outcome, decisions);
            return table.playouts(self.seed, games, add).map_err(|(game, reason)| failed(game)(reason));
        }
        for game in games {
            let played = table.play(self.seating(game), None).map_err(failed(game))?;
            tally.add(&played.outcome, played.decisions);
        }
        Ok(())
    }

    /// Plays the games with these numbers on this number of threads (at least 1) and returns their sums, which do not
    /// depend on the number of threads. Calls `tick` on the calling thread with the number of games that have been
    /// added.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, or a game fails or panics. All sums are then lost.
    pub fn run(
        &self,
        games: Range<u64>,
        threads: usize,
        mut tick: impl FnMut(u64),
    ) -> Result<SimulationTally, TournamentError> {
        let mut sum = SimulationTally::default();
        let work = |range| {
            let mut tally = SimulationTally::default();
            self.play(range, &mut tally).map(|()| tally)
        };
        let ended = run::run_ranges(games, threads, MOST_IN_RANGE, work, |range, tally| {
            sum.merge(&tally);
            tick(range.end - range.start);
        });
        ended.map(|()| sum).map_err(|error| match error {
            RunError::Failed(error) => error,
            RunError::Panicked => TournamentError::Panicked,
        })
    }

    /// Returns the bots of game number `game`, in the order of the seats and each with a seed of its own, and
    /// the generator of nature. Depends only on the plan and the number.
    fn seating(&self, game: u64) -> GameSeating {
        let seats = self.bots.len() as u64;
        let player = |(seat, &bot): (usize, &Spec)| {
            let key = game.wrapping_mul(seats).wrapping_add(seat as u64);
            (bot, Rng::stream(!self.seed, key).bits())
        };
        GameSeating {
            nature: Rng::stream(self.seed, game),
            players: self.bots.iter().enumerate().map(player).collect(),
        }
    }
}

/// Results of a number of games. All fields are sums, so tallies of parts can be merged in any order.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SimulationTally {
    /// Number of games.
    pub games: u64,
    /// Number of games that each seat won alone.
    pub wins: [u64; MAX_SEATS],
    /// Number of games with a shared victory.
    pub draws: u64,
    /// Number of games that all seats lost.
    pub unwon: u64,
    /// Number of games that ended at their limit.
    pub capped: u64,
    /// Total number of decisions.
    pub decisions: u64,
    /// Sum of the scores of each seat.
    pub scores: [i64; MAX_SEATS],
    /// Histogram of the number of decisions per game; the last entry counts all longer games.
    pub lengths: Vec<u64>,
}

/// Longest game in the histogram; longer ones are counted as this.
const LONGEST: usize = 1 << 20;

impl SimulationTally {
    /// Adds the result of one game to all counts: a victory of one seat, a shared one (`draws`) or none
    /// (`unwon`), the scores, whether it ended at the cap, and its number of decisions. Games of more than
    /// `LONGEST` decisions count as that long in the histogram, but fully in the sum.
    pub fn add(&mut self, outcome: &Outcome, decisions: u32) {
        self.games += 1;
        match outcome.winner() {
            Some(seat) => self.wins[seat.index()] += 1,
            None if outcome.is_won() => self.draws += 1,
            None => self.unwon += 1,
        }
        self.capped += u64::from(outcome.is_capped());
        self.decisions += u64::from(decisions);
        for (sum, &score) in self.scores.iter_mut().zip(outcome.scores()) {
            *sum += i64::from(score);
        }
        let length = (decisions as usize).min(LONGEST);
        if self.lengths.len() <= length {
            self.lengths.resize(length + 1, 0);
        }
        self.lengths[length] += 1;
    }

    /// Adds all counts of another tally of the same plan. The games of the two must be different ones.
    pub fn merge(&mut self, other: &SimulationTally) {
        self.games += other.games;
        self.draws += other.draws;
        self.unwon += other.unwon;
        self.capped += other.capped;
        self.decisions += other.decisions;
        for seat in 0..MAX_SEATS {
            self.wins[seat] += other.wins[seat];
            self.scores[seat] += other.scores[seat];
        }
        if self.lengths.len() < other.lengths.len() {
            self.lengths.resize(other.lengths.len(), 0);
        }
        for (sum, n) in self.lengths.iter_mut().zip(&other.lengths) {
            *sum += n;
        }
    }

    /// Returns the statistics as one JSON object: the parameters (`game` to `games`), `wins` with
    /// `win_intervals` (95 %, shares from 0 to 1), `draws`, `unwon`, `capped`, `mean_scores`, and mean,
    /// median, 5 % and 95 % percentiles and maximum (`longest`) of the decisions per game. Lists are by seat.
    /// `plan` must be that of the games.
    pub fn as_data(&self, plan: &SimulationPlan) -> Value {
        let seats = plan.bots.len();
        let interval = |&wins: &u64| {
            let interval = wilson(wins as f64, self.games);
            json!([interval.low, interval.high])
        };
        let mean = |sum: f64| sum / self.games.max(1) as f64;
        json!({
            "game": plan.game.info().name,
            "rules_version": plan.game.info().rules_version,
            "seats": plan.seats(),
            "seed": plan.seed,
            "bots": plan.bots.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "options": plan.options,
            "games": self.games,
            "wins": self.wins[..seats],
            "win_intervals": self.wins[..seats].iter().map(interval).collect::<Vec<_>>(),
            "draws": self.draws,
            "unwon": self.unwon,
            "capped": self.capped,
            "mean_scores": self.scores[..seats].iter().map(|&sum| mean(sum as f64)).collect::<Vec<_>>(),
            "mean_decisions": mean(self.decisions as f64),
            "median_decisions": self.length_at(50),
            "decisions_5_percent": self.length_at(5),
            "decisions_95_percent": self.length_at(95),
            "longest": self.lengths.len().saturating_sub(1),
        })
    }

    /// Returns the given percentile (0 to 100) of the number of decisions per game: 50 gives the median. 0 if
    /// there are no games; games longer than 2^20 decisions count as that long.
    pub fn length_at(&self, percent: u64) -> usize {
        let wanted = (self.games * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let reached = self.lengths.iter().position(|&n| {
            seen += n;
            seen >= wanted
        });
        reached.unwrap_or(0)
    }
}
