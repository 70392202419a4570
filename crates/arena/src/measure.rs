//! The figures that settings are compared by, and means with their intervals.

use crate::balance::{GameSummary, WHOLE};
use crate::statistics::{Interval, Moments};
use serde_json::{Value, json};

/// A figure that is compared between settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Share of games that a seat wins.
    Wins(u8),
    /// Share of games that no seat wins.
    Nobody,
    /// Rounds.
    Rounds,
    /// Turns.
    Turns,
    /// Decisions.
    Decisions,
    /// Minutes between people.
    Minutes,
    /// Changes of the lead.
    Changes,
    /// Percentage of the turns after which the winner leads for good.
    Decided,
    /// Share of games that end at their limit.
    Capped,
}

impl Measure {
    /// Returns all measures for this number of seats, in the order of a report: the wins of each seat first,
    /// then one of each other kind.
    pub fn all(seats: u8) -> Vec<Measure> {
        use Measure::*;
        let wins = (0..seats).map(Wins);
        wins.chain([Nobody, Rounds, Turns, Decisions, Minutes, Changes, Decided, Capped]).collect()
    }

    /// Returns the name for a report, with its unit, e.g. `Seat 1 wins, %` or `Minutes (estimated)`. Seats
    /// count from 1.
    pub fn name(self) -> String {
        match self {
            Measure::Wins(seat) => format!("Seat {} wins, %", seat + 1),
            Measure::Nobody => "Nobody wins, %".into(),
            Measure::Rounds => "Rounds".into(),
            Measure::Turns => "Turns".into(),
            Measure::Decisions => "Decisions".into(),
            Measure::Minutes => "Minutes (estimated)".into(),
            Measure::Changes => "Changes of the lead".into(),
            Measure::Decided => "Decided after, % of the game".into(),
            Measure::Capped => "Ends at the cap, %".into(),
        }
    }

    /// Returns the key for JSON: the name of the variant in lower case (`nobody`), for the wins of a seat,
    /// from 0, `wins_0`.
    pub fn word(self) -> String {
        match self {
            Measure::Wins(seat) => format!("wins_{seat}"),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    /// Returns the figure of a game as an integer: parts of a victory for wins, 0 or 1 for a share of games,
    /// seconds for minutes, else the number itself. Each unit is worth [`scale`](Self::scale). `None` if the
    /// game does not have this figure.
    pub(crate) fn of(self, summary: &GameSummary) -> Option<i64> {
        match self {
            Measure::Wins(seat) => summary.parts.get(usize::from(seat)).map(|&parts| parts as i64),
            Measure::Nobody => Some(summary.nobody.into()),
            Measure::Rounds => summary.rounds.map(i64::from),
            Measure::Turns => Some(summary.turns.into()),
            Measure::Decisions => Some(summary.decisions.into()),
            Measure::Minutes => Some(summary.seconds as i64),
            Measure::Changes => summary.changes.map(i64::from),
            Measure::Decided => summary.decided.map(i64::from),
            Measure::Capped => Some(summary.capped.into()),
        }
    }

    /// Returns what one unit of the integers of [`of`](Self::of) is worth in the unit of the measure's name:
    /// parts of a victory in percent, seconds in minutes, games in percent, all others 1.
    pub(crate) fn scale(self) -> f64 {
        match self {
            Measure::Wins(_) => 100.0 / WHOLE as f64,
            Measure::Nobody | Measure::Capped => 100.0,
            Measure::Minutes => 1.0 / 60.0,
            _ => 1.0,
        }
    }
}

/// A mean with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The 95 % interval.
    pub interval: Interval,
    /// Number of games.
    pub games: u64,
}

/// Minimum number of games for a conclusion: the interval assumes many.
const FEWEST: u64 = 20;

impl Mean {
    /// Computes the mean and its 95 % interval from sums, both multiplied by `scale`; `None` without values.
    pub(crate) fn of(moments: &Moments, scale: f64) -> Option<Mean> {
        let Interval { low, high } = moments.interval();
        let interval = Interval { low: low * scale, high: high * scale };
        (moments.count > 0).then(|| Mean { mean: moments.mean() * scale, interval, games: moments.count })
    }

    /// Returns whether the mean differs from 0 beyond noise: the interval excludes 0 and there are at least
    /// 20 games.
    pub fn is_sure(&self) -> bool {
        self.games >= FEWEST && !self.interval.has(0.0)
    }

    /// Returns a JSON object with the keys `mean`, `low` and `high` (the ends of the interval).
    pub fn as_data(&self) -> Value {
        json!({ "mean": self.mean, "low": self.interval.low, "high": self.interval.high })
    }
}
