//! The lab for designers: many games, the same games with other options, and strategies against each other.

use crate::balance::{Balance, GameSummary, WHOLE};
use crate::play::AnyArena;
use crate::run::{self, RunError};
use crate::seating::Draw;
use crate::statistics::{Interval, Moments};
use crate::story::Story;
use crate::tournament::{TournamentError, TournamentPlan, TournamentTally};
use pentarchy_bots::{Level, Spec};
use serde_json::{Value, json};
use std::ops::ControlFlow;

/// The parameters of a lab run.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The game.
    pub game: &'static dyn AnyArena,
    /// The bot of each seat.
    pub bots: Vec<Spec>,
    /// Seed of the run.
    pub seed: u64,
    /// Number of games per setting.
    pub games: u64,
    /// The settings to compare; the first is the baseline.
    pub settings: Vec<Setting>,
    /// The strategies to play against each other.
    pub rivals: Vec<Spec>,
    /// Number of games per pair of strategies.
    pub rival_games: u64,
}

/// A set of options.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// What differs from the defaults, e.g. `tower_cost = 5`; empty if nothing does.
    pub name: String,
    /// All options.
    pub options: Value,
}

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
    /// When the winner is decided.
    Decided,
    /// Share of games that end at their limit.
    Capped,
}

impl Measure {
    /// Returns all measures for this number of seats, in the order of a report: the wins of each seat first.
    pub fn all(seats: u8) -> Vec<Measure> {
        use Measure::*;
        let wins = (0..seats).map(Wins);
        wins.chain([Nobody, Rounds, Turns, Decisions, Minutes, Changes, Decided, Capped]).collect()
    }

    /// Returns the name for a report, with its unit; seats count from 1.
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

    /// Returns the key for JSON, in lower case; seats count from 0: `wins_0`.
    pub fn word(self) -> String {
        match self {
            Measure::Wins(seat) => format!("wins_{seat}"),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    /// Returns the figure of a game as an integer, of which each unit is worth [`scale`](Self::scale); `None`
    /// if the game does not have this figure.
    fn of(self, summary: &GameSummary) -> Option<i64> {
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

    /// Returns the value of one integer unit of this measure in the unit of its name.
    fn scale(self) -> f64 {
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
    fn of(moments: &Moments, scale: f64) -> Option<Mean> {
        let Interval { low, high } = moments.interval();
        let interval = Interval { low: low * scale, high: high * scale };
        (moments.count > 0).then(|| Mean { mean: moments.mean() * scale, interval, games: moments.count })
    }

    /// Returns whether the mean differs from 0 beyond noise: the interval excludes 0 and there are at least
    /// 20 games.
    pub fn is_sure(&self) -> bool {
        self.games >= FEWEST && !self.interval.has(0.0)
    }

    /// Returns the mean and the ends of its interval as a JSON object.
    pub fn as_data(&self) -> Value {
        json!({ "mean": self.mean, "low": self.interval.low, "high": self.interval.high })
    }
}

/// The findings for one setting.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The setting.
    pub setting: Setting,
    /// The balance figures of its games.
    pub balance: Balance,
    /// The distribution of each measure.
    values: Vec<Moments>,
    /// The difference of each measure to the same game with the first setting.
    differences: Vec<Moments>,
}

impl Finding {
    /// Returns the mean of a measure over all games of this setting; `None` if no game has this figure.
    pub fn value(&self, measure: Measure) -> Option<Mean> {
        self.pick(&self.values, measure)
    }

    /// Returns the mean difference of a measure to the first setting, game by game; `None` if no game has
    /// this figure with both. The first setting differs from itself by 0.
    pub fn difference(&self, measure: Measure) -> Option<Mean> {
        self.pick(&self.differences, measure)
    }

    /// Returns the mean of a measure from the table `from`, which has one entry per measure; `None` without
    /// values, or for a seat that does not exist.
    fn pick(&self, from: &[Moments], measure: Measure) -> Option<Mean> {
        let place = Measure::all(self.balance.seats).iter().position(|&m| m == measure)?;
        Mean::of(from.get(place)?, measure.scale())
    }
}

/// One bot of a strategy among bots of another.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The single bot.
    pub one: Spec,
    /// All other bots.
    pub others: Spec,
    /// The results; the single bot comes first.
    pub tally: TournamentTally,
}

/// All findings of a lab run.
#[derive(Clone, Debug)]
pub struct Findings {
    /// By setting.
    pub settings: Vec<Finding>,
    /// Duels of strategies, with the first setting.
    pub duels: Vec<Duel>,
}

impl Lab {
    /// Returns the number of seats.
    pub fn seats(&self) -> u8 {
        self.bots.len() as u8
    }

    /// Returns the total number of games that [`run`](Self::run) will play, duels included.
    pub fn total(&self) -> u64 {
        let duels: u64 = self.pairs().iter().map(|&(one, other)| self.duel_games(one, other)).sum();
        self.games * self.settings.len() as u64 + duels
    }

    /// Plays all games on this number of threads (at least 1) and returns the findings, which do not depend
    /// on the number of threads. Calls `tick(1)` after each finished game, on the calling thread.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, or a game breaks off or panics. All findings are then lost.
    pub fn run(&self, threads: usize, mut tick: impl FnMut(u64)) -> Result<Findings, TournamentError> {
        let settings = self.examine(threads, &mut tick)?;
        let mut duels = Vec::new();
        for (one, others) in self.pairs() {
            let mut bots = vec![others; self.bots.len()];
            bots[0] = one;
            let (games, options) = (self.duel_games(one, others), self.options());
            let plan =
                TournamentPlan { game: self.game, options, bots, seed: self.seed, games, interval: None };
            let mut tally = TournamentTally::new(plan.bots.len());
            plan.play(&mut tally, threads, false, |_, _| {
                tick(1);
                ControlFlow::Continue(())
            })?;
            duels.push(Duel { one, others, tally });
        }
        Ok(Findings { settings, duels })
    }

    /// Returns the options of the first setting; null without settings.
    fn options(&self) -> Value {
        self.settings.first().map_or(Value::Null, |s| s.options.clone())
    }

    /// Returns the ordered pairs of different strategies, (single bot, all others); with two seats each
    /// unordered pair once. Empty with one seat.
    fn pairs(&self) -> Vec<(Spec, Spec)> {
        let mut pairs = Vec::new();
        for (i, &one) in self.rivals.iter().enumerate() {
            for (j, &other) in self.rivals.iter().enumerate() {
                if i != j && self.bots.len() > 1 && (self.bots.len() > 2 || i > j) {
                    pairs.push((one, other));
                }
            }
        }
        pairs
    }

    /// Returns the number of games of a duel: a fifth if a bot searches, rounded up to whole sets so that
    /// each bot plays each seat equally often.
    fn duel_games(&self, one: Spec, other: Spec) -> u64 {
        let searches = [one, other].iter().any(|bot| bot.level == Level::Emperor);
        let games = if searches { self.rival_games / 5 } else { self.rival_games };
        games.max(1).next_multiple_of(self.bots.len().max(1) as u64)
    }

    /// Plays the same games with every setting, so that only the setting makes a difference, and returns one
    /// finding per setting. Calls `tick(1)` per game and setting.
    ///
    /// # Errors
    ///
    /// Fails if a setting is invalid, or a game breaks off or panics.
    fn examine(&self, threads: usize, tick: &mut impl FnMut(u64)) -> Result<Vec<Finding>, TournamentError> {
        let (seats, items) = (self.seats(), self.game.items().len());
        let tables = self.settings.iter().map(|s| self.game.table(seats, &s.options));
        let tables = tables.collect::<Result<Vec<_>, _>>()?;
        let (draw, measures) = (Draw::new(&self.bots, self.seed), Measure::all(seats));
        let finding = |setting: &Setting| Finding {
            setting: setting.clone(),
            balance: Balance::new(seats, items),
            values: vec![Moments::default(); measures.len()],
            differences: vec![Moments::default(); measures.len()],
        };
        let mut findings: Vec<Finding> = self.settings.iter().map(finding).collect();
        let work = |game: u64| {
            let play = |table: &dyn crate::GameRunner| {
                let mut story = Story::new(items, seats, false);
                let played = table.play(draw.seating(game), Some(&mut story)).map_err(|e| (game, e))?;
                Ok((GameSummary::new(&played, &story), story))
            };
            tables.iter().map(|table| play(&**table)).collect::<Result<Vec<_>, _>>()
        };
        let ended = run::run(0..self.games, threads, work, |_, games| {
            let first: Vec<Option<i64>> = measures.iter().map(|m| m.of(&games[0].0)).collect();
            for (finding, (summary, story)) in findings.iter_mut().zip(&games) {
                finding.balance.add(summary, story);
                for (i, measure) in measures.iter().enumerate() {
                    let Some(value) = measure.of(summary) else { continue };
                    finding.values[i].add(value);
                    if let Some(before) = first[i] {
                        finding.differences[i].add(value - before);
                    }
                }
                tick(1);
            }
            ControlFlow::Continue(())
        });
        ended.map_err(|broken| match broken {
            RunError::Failed((game, reason)) => TournamentError::Game { seed: self.seed, game, reason },
            RunError::Panicked => TournamentError::Panicked,
        })?;
        Ok(findings)
    }
}
