//! Matches: the score of one bot against the others by sets of games with the same dice, and the sequential test that
//! ends a match as soon as its result is known.
//!
//! With two seats a set is a pair of games with swapped seats, and its five possible scores (0, ½, 1, 1½, 2) are the
//! *pentanomial* of chess engines. Games of a set are correlated, sets are independent, so all statistics count sets.
//! The test is the generalised sequential probability ratio test (GSPRT): the likelihood ratio of the two hypotheses,
//! each with the distribution of scores that fits the sets best and has the mean of the hypothesis.

use crate::statistics::{Interval, Z95};
use crate::tournament::{GameResult, TournamentPlan};
use pentarchy_engine::{Outcome, Seat};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Number of parts of a victory, divisible by any number of seats that can share it.
const WHOLE: u64 = 420;
/// Weight of the lowest and the highest possible score beside those that occurred, in sets. Without it a match in which
/// one bot wins everything would fit no hypothesis.
const PRIOR: f64 = 1e-3;
/// Steps of the bisection that fits a distribution: enough for all digits.
const BISECTIONS: u32 = 60;

/// Scores of one bot by set. A set has one game per seat, and the bot plays each seat once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetScores {
    /// Number of seats, and so of games in a set.
    seats: u8,
    /// Number of sets by score, in parts of a victory.
    counts: BTreeMap<u64, u64>,
}

impl SetScores {
    /// Creates the scores of no set, for games with this number of seats, which is also the number of games
    /// in a set.
    pub fn new(seats: u8) -> Self {
        SetScores { seats, counts: BTreeMap::new() }
    }

    /// Returns what a seat (counted from 0) gets for the outcome of a game, in parts of a victory (420): all
    /// if it alone is first in the ranking, its part if several are, else 0. The ranking also counts if the
    /// rules say that no seat has won. Panics from seat 7 on.
    pub fn parts_of(outcome: &Outcome, seat: u8) -> u64 {
        let first = outcome.ranks().iter().filter(|&&rank| rank == 1).count() as u64;
        if outcome.rank(Seat(seat)) == 1 { WHOLE / first.max(1) } else { 0 }
    }

    /// Adds one set with this score of the bot, summed over its games, in parts of a victory (420 per game
    /// won alone).
    pub fn add(&mut self, parts: u64) {
        *self.counts.entry(parts).or_default() += 1;
    }

    /// Adds the sets of another match with the same number of seats.
    pub fn merge(&mut self, other: &SetScores) {
        for (&parts, count) in &other.counts {
            *self.counts.entry(parts).or_default() += count;
        }
    }

    /// Returns the counts as a flat list of score and number of sets, ascending by score.
    pub fn into_counts(self) -> Vec<u64> {
        self.counts.into_iter().flat_map(|(parts, count)| [parts, count]).collect()
    }

    /// Creates the scores of matches with this number of seats from pairs of a score and its number of sets,
    /// one after the other; equal scores are added up. A last entry without a pair is ignored.
    pub fn from_counts(seats: u8, counts: Vec<u64>) -> Self {
        let mut scores = SetScores::new(seats);
        for pair in counts.chunks_exact(2) {
            *scores.counts.entry(pair[0]).or_default() += pair[1];
        }
        scores
    }

    /// Returns the number of seats of the games.
    pub fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the number of sets that were added.
    pub fn sets(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns the number of games: that of the sets times that of the seats.
    pub fn games(&self) -> u64 {
        self.sets() * u64::from(self.seats)
    }

    /// Returns the mean score per game, from 0 to 1; 0 without sets.
    pub fn mean(&self) -> f64 {
        let sum: u64 = self.counts.iter().map(|(parts, count)| parts * count).sum();
        sum as f64 / WHOLE as f64 / self.games().max(1) as f64
    }

    /// Returns the 95 % interval of the mean score per game, from the spread between sets (normal approximation);
    /// from 0 to 1; the whole range with fewer than two sets.
    pub fn interval(&self) -> Interval {
        let sets = self.sets();
        if sets < 2 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let mean = self.mean();
        let squares: f64 = self.shares().map(|(share, count)| count * (share - mean) * (share - mean)).sum();
        let spread = Z95 * (squares / (sets - 1) as f64 / sets as f64).sqrt();
        Interval { low: (mean - spread).max(0.0), high: (mean + spread).min(1.0) }
    }

    /// Returns a JSON list of pairs, ascending by score: the score of a set in victories, and the number of
    /// sets with it. Scores that did not occur are left out.
    pub fn as_data(&self) -> Value {
        let pair = |(&parts, &count): (&u64, &u64)| json!([parts as f64 / WHOLE as f64, count]);
        Value::Array(self.counts.iter().map(pair).collect())
    }

    /// Returns the number of sets with each score of the pentanomial: 0, ½, 1, 1½ and 2 victories; `None` unless there
    /// are two seats.
    pub fn pentanomial(&self) -> Option<[u64; 5]> {
        let at = |halves: u64| self.counts.get(&(halves * WHOLE / 2)).copied().unwrap_or(0);
        (self.seats == 2).then(|| [0, 1, 2, 3, 4].map(at))
    }

    /// Iterates over the scores that occurred, ascending: the mean score per game of such a set, from 0 to 1,
    /// with the number of these sets.
    fn shares(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let whole = (WHOLE * u64::from(self.seats.max(1))) as f64;
        self.counts.iter().map(move |(&parts, &count)| (parts as f64 / whole, count as f64))
    }

    /// Fits the distribution with this mean, which must lie strictly between 0 and 1, to the scores and returns its
    /// parameter θ: the fitted probability of a score `x` is its frequency divided by 1 + θ (x − mean).
    fn fit(&self, mean: f64) -> f64 {
        // The sum falls from +∞ to −∞ between the two poles.
        let slope = |theta: f64| {
            let term = |(x, n): (f64, f64)| n * (x - mean) / (1.0 + theta * (x - mean));
            self.shares().chain([(0.0, PRIOR), (1.0, PRIOR)]).map(term).sum::<f64>()
        };
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if slope(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }
}

/// The hypotheses of a sequential test, and its error rates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The mean score per game of the hypothesis that the bot is not better.
    pub low: f64,
    /// The mean score per game of the hypothesis that it is.
    pub high: f64,
    /// Probability to accept `high` although `low` is true.
    pub alpha: f64,
    /// Probability to accept `low` although `high` is true.
    pub beta: f64,
}

/// What a sequential test has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// More sets are needed.
    Open,
    /// The lower hypothesis is accepted.
    Low,
    /// The higher hypothesis is accepted.
    High,
}

impl SprtVerdict {
    /// Returns the word for JSON: `open`, `low` or `high`.
    pub const fn word(self) -> &'static str {
        match self {
            SprtVerdict::Open => "open",
            SprtVerdict::Low => "low",
            SprtVerdict::High => "high",
        }
    }
}

impl Sprt {
    /// Creates a test of `low` against `high` with these error rates.
    ///
    /// # Errors
    ///
    /// Fails unless 0 < low < high < 1 and both error rates are above 0 and below 0.5.
    pub fn new(low: f64, high: f64, alpha: f64, beta: f64) -> Result<Self, String> {
        if !(0.0 < low && low < high && high < 1.0) {
            return Err(format!("the scores {low} and {high} must rise and lie between 0 and 1"));
        }
        for rate in [alpha, beta] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(format!("an error rate of {rate} does not lie between 0 and 0.5"));
            }
        }
        Ok(Sprt { low, high, alpha, beta })
    }

    /// Returns the natural logarithm of the likelihood ratio of the higher to the lower hypothesis after
    /// these sets: positive if they speak for the higher one; 0 without sets.
    pub fn log_ratio(&self, scores: &SetScores) -> f64 {
        if scores.sets() == 0 {
            return 0.0;
        }
        let (low, high) = (scores.fit(self.low), scores.fit(self.high));
        let term =
            |(x, n): (f64, f64)| n * ((1.0 + low * (x - self.low)) / (1.0 + high * (x - self.high))).ln();
        scores.shares().map(term).sum()
    }

    /// Returns the two values of the logarithm of the likelihood ratio at which the test ends: at the lower
    /// one or below, the lower hypothesis is accepted; at the higher one or above, the higher hypothesis.
    pub fn bounds(&self) -> Interval {
        let low = (self.beta / (1.0 - self.alpha)).ln();
        Interval { low, high: ((1.0 - self.beta) / self.alpha).ln() }
    }

    /// Returns what is known after these sets: `High` or `Low` if the logarithm of the likelihood ratio has reached a
    /// bound, else `Open`.
    pub fn verdict(&self, scores: &SetScores) -> SprtVerdict {
        let (ratio, bounds) = (self.log_ratio(scores), self.bounds());
        if ratio >= bounds.high {
            SprtVerdict::High
        } else if ratio <= bounds.low {
            SprtVerdict::Low
        } else {
            SprtVerdict::Open
        }
    }
}

/// A match in progress: the first bot of a tournament against the others.
#[derive(Clone, Debug)]
pub struct BotMatch {
    /// The sequential test, if the match has one.
    test: Option<Sprt>,
    /// The scores of the finished sets.
    scores: SetScores,
    /// Score of the current set, in parts, and its number of games so far.
    open: (u64, u64),
}

impl BotMatch {
    /// Creates a match in progress without games, for games with this number of seats. Without a test its
    /// verdict is always open.
    pub fn new(seats: u8, test: Option<Sprt>) -> Self {
        BotMatch { test, scores: SetScores::new(seats), open: (0, 0) }
    }

    /// Adds a game to the current set, by what the first bot of the plan has got in it, and the set to the
    /// scores when each seat has been played. `plan` must be that of the match. Games must be added in order,
    /// from number 0; that is not checked.
    pub fn add(&mut self, plan: &TournamentPlan, row: &GameResult) {
        let seat = plan.draw().places(row.game).iter().position(|&bot| bot == 0).unwrap_or(0);
        self.open.0 += SetScores::parts_of(&row.outcome, seat as u8);
        self.open.1 += 1;
        if self.open.1 == u64::from(plan.seats()) {
            self.scores.add(self.open.0);
            self.open = (0, 0);
        }
    }

    /// Returns the scores of the finished sets.
    pub fn scores(&self) -> &SetScores {
        &self.scores
    }

    /// Returns what the test has found; [`SprtVerdict::Open`] without a test, without a finished set, and within a
    /// set.
    pub fn verdict(&self) -> SprtVerdict {
        match self.test {
            Some(test) if self.open.1 == 0 && self.scores.sets() > 0 => test.verdict(&self.scores),
            _ => SprtVerdict::Open,
        }
    }

    /// Returns the match as a JSON object: number of `sets`, their `scores` (pairs of a score and its number
    /// of sets), `mean` score per game with its 95 % `interval`, and under `sprt`, if there is a test, its
    /// parameters, `log_ratio`, `bounds` and `verdict`.
    pub fn as_data(&self) -> Value {
        let Interval { low, high } = self.scores.interval();
        let mut data = json!({
            "sets": self.scores.sets(),
            "scores": self.scores.as_data(),
            "mean": self.scores.mean(),
            "interval": [low, high],
        });
        if let Some(test) = self.test {
            let bounds = test.bounds();
            data["sprt"] = json!({
                "low": test.low, "high": test.high, "alpha": test.alpha, "beta": test.beta,
                "log_ratio": test.log_ratio(&self.scores),
                "bounds": [bounds.low, bounds.high],
                "verdict": self.verdict().word(),
            });
        }
        data
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_engine::Rng;

    /// Plays one test with pairs in which each game is won with this chance, and returns the verdict and the number of
    /// pairs.
    fn simulate(test: &Sprt, chance: f64, seed: u64) -> (SprtVerdict, u64) {
        let (mut rng, mut scores) = (Rng::new(seed), SetScores::new(2));
        let mut win = || if f64::from(rng.below(10_000)) < 10_000.0 * chance { WHOLE } else { 0 };
        loop {
            scores.add(win() + win());
            match test.verdict(&scores) {
                SprtVerdict::Open => {}
                verdict => return (verdict, scores.sets()),
            }
        }
    }

    #[test]
    fn errors_are_as_rare_as_promised_and_clear_matches_are_short() {
        let test = Sprt::new(0.5, 0.6, 0.05, 0.05).unwrap();
        let run = |chance| (0..300).map(|seed| simulate(&test, chance, seed)).collect::<Vec<_>>();
        let count = |runs: &[(SprtVerdict, u64)], what| runs.iter().filter(|run| run.0 == what).count();
        let (equal, better, strong) = (run(0.5), run(0.6), run(0.9));
        // 5 % of 300 are 15; three standard deviations more are 26.
        assert!(count(&equal, SprtVerdict::High) <= 26);
        assert!(count(&better, SprtVerdict::Low) <= 26);
        assert_eq!(count(&strong, SprtVerdict::Low), 0);
        let mean = |runs: &[(SprtVerdict, u64)]| runs.iter().map(|r| r.1).sum::<u64>() / 300;
        assert!(mean(&strong) < 20 && mean(&better) < 150, "{} {}", mean(&strong), mean(&better));
    }

    #[test]
    fn the_ratio_is_near_its_normal_approximation_for_close_hypotheses() {
        // 1,000 pairs near the middle; the approximation is (s1 − s0) (2 mean − s0 − s1) n / (2 variance).
        let counts = [(0, 100), (210, 150), (420, 480), (630, 160), (840, 110)];
        let scores = SetScores::from_counts(2, counts.iter().flat_map(|&(p, n)| [p, n]).collect());
        let test = Sprt::new(0.5, 0.51, 0.05, 0.05).unwrap();
        let (n, mean) = (scores.sets() as f64, scores.mean());
        let variance = scores.shares().map(|(x, k)| k * (x - mean) * (x - mean)).sum::<f64>() / n;
        let near = 0.01 * (2.0 * mean - 1.01) * n / (2.0 * variance);
        assert!((test.log_ratio(&scores) - near).abs() < 0.01, "{} {near}", test.log_ratio(&scores));
        assert_eq!(scores.pentanomial(), Some([100, 150, 480, 160, 110]));
        assert!(scores.interval().has(mean) && scores.interval().width() < 0.05);
    }

    #[test]
    fn a_match_won_or_lost_throughout_ends_and_bad_hypotheses_are_rejected() {
        let test = Sprt::new(0.5, 0.6, 0.05, 0.05).unwrap();
        assert_eq!(simulate(&test, 1.0, 1).0, SprtVerdict::High);
        assert_eq!(simulate(&test, 0.0, 1).0, SprtVerdict::Low);
        for (low, high) in [(0.6, 0.5), (0.5, 0.5), (0.0, 0.5), (0.5, 1.0), (f64::NAN, 0.5)] {
            assert!(Sprt::new(low, high, 0.05, 0.05).is_err());
        }
        assert!(Sprt::new(0.5, 0.6, 0.0, 0.05).is_err() && Sprt::new(0.5, 0.6, 0.05, 0.5).is_err());
    }
}
