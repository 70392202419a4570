//! The designer's laboratory: many games, the same games with other numbers, strategies against each other.

use crate::balance::{Balance, Facts, WHOLE};
use crate::play::AnyArena;
use crate::run::{self, Broken};
use crate::seating::Draw;
use crate::statistics::{Interval, Moments};
use crate::story::Story;
use crate::tournament::{Plan, Tally, Trouble};
use pentarchy_bots::{Level, Spec};
use serde_json::{Value, json};
use std::ops::ControlFlow;

/// What is examined.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The game.
    pub game: &'static dyn AnyArena,
    /// The bots, one for each seat.
    pub bots: Vec<Spec>,
    /// The seed from which everything follows.
    pub seed: u64,
    /// How many games for each setting.
    pub games: u64,
    /// The settings that are compared; the first is the one that the others are compared with.
    pub settings: Vec<Setting>,
    /// The strategies that are set against each other.
    pub rivals: Vec<Spec>,
    /// How many games for each pair of them.
    pub rival_games: u64,
}

/// One way to set up the game.
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
    /// What a seat wins.
    Wins(u8),
    /// Games that nobody wins.
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
    /// Games that end at their cap.
    Capped,
}

impl Measure {
    /// All of them, for so many seats.
    pub fn all(seats: u8) -> Vec<Measure> {
        use Measure::*;
        let wins = (0..seats).map(Wins);
        wins.chain([Nobody, Rounds, Turns, Decisions, Minutes, Changes, Decided, Capped]).collect()
    }

    /// What it is called, with its unit.
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

    /// A short word for it in data.
    pub fn word(self) -> String {
        match self {
            Measure::Wins(seat) => format!("wins_{seat}"),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    /// The figure of a game in whole numbers, `scale` of which make one.
    fn of(self, facts: &Facts) -> Option<i64> {
        match self {
            Measure::Wins(seat) => facts.parts.get(usize::from(seat)).map(|&parts| parts as i64),
            Measure::Nobody => Some(facts.nobody.into()),
            Measure::Rounds => facts.rounds.map(i64::from),
            Measure::Turns => Some(facts.turns.into()),
            Measure::Decisions => Some(facts.decisions.into()),
            Measure::Minutes => Some(facts.seconds as i64),
            Measure::Changes => facts.changes.map(i64::from),
            Measure::Decided => facts.decided.map(i64::from),
            Measure::Capped => Some(facts.capped.into()),
        }
    }

    /// What one whole number is worth in the unit of the name.
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
    /// Its 95 % interval.
    pub interval: Interval,
    /// Of how many games.
    pub games: u64,
}

/// Of fewer games nothing is concluded: the interval of a mean holds for many.
const FEWEST: u64 = 20;

impl Mean {
    fn of(moments: &Moments, scale: f64) -> Option<Mean> {
        let Interval { low, high } = moments.interval();
        let interval = Interval { low: low * scale, high: high * scale };
        (moments.count > 0).then(|| Mean { mean: moments.mean() * scale, interval, games: moments.count })
    }

    /// Whether it is not 0, for certain.
    pub fn is_sure(&self) -> bool {
        self.games >= FEWEST && !self.interval.has(0.0)
    }

    /// As data.
    pub fn as_data(&self) -> Value {
        json!({ "mean": self.mean, "low": self.interval.low, "high": self.interval.high })
    }
}

/// What was found with one setting.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The setting.
    pub setting: Setting,
    /// What came of its games.
    pub balance: Balance,
    /// Each measure.
    values: Vec<Moments>,
    /// The difference to the same game with the first setting.
    differences: Vec<Moments>,
}

impl Finding {
    /// A measure.
    pub fn value(&self, measure: Measure) -> Option<Mean> {
        self.pick(&self.values, measure)
    }

    /// The difference of a measure to the first setting, game by game.
    pub fn difference(&self, measure: Measure) -> Option<Mean> {
        self.pick(&self.differences, measure)
    }

    fn pick(&self, from: &[Moments], measure: Measure) -> Option<Mean> {
        let place = Measure::all(self.balance.seats).iter().position(|&m| m == measure)?;
        Mean::of(from.get(place)?, measure.scale())
    }
}

/// One strategy alone among players of another.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The one.
    pub one: Spec,
    /// All the others.
    pub others: Spec,
    /// What came of it; the one is the first bot.
    pub tally: Tally,
}

/// Everything that was found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// By setting.
    pub settings: Vec<Finding>,
    /// Strategies against each other, with the first setting.
    pub duels: Vec<Duel>,
}

impl Lab {
    /// How many seats play.
    pub fn seats(&self) -> u8 {
        self.bots.len() as u8
    }

    /// How many games will be played in all.
    pub fn total(&self) -> u64 {
        let duels: u64 = self.pairs().iter().map(|&(one, other)| self.duel_games(one, other)).sum();
        self.games * self.settings.len() as u64 + duels
    }

    /// Plays everything on so many threads; `tick` hears of every game.
    pub fn run(&self, threads: usize, mut tick: impl FnMut(u64)) -> Result<Findings, Trouble> {
        let settings = self.examine(threads, &mut tick)?;
        let mut duels = Vec::new();
        for (one, others) in self.pairs() {
            let mut bots = vec![others; self.bots.len()];
            bots[0] = one;
            let (games, options) = (self.duel_games(one, others), self.options());
            let plan = Plan { game: self.game, options, bots, seed: self.seed, games, interval: None };
            let mut tally = Tally::new(plan.bots.len());
            plan.play(&mut tally, threads, false, |_, _| {
                tick(1);
                ControlFlow::Continue(())
            })?;
            duels.push(Duel { one, others, tally });
        }
        Ok(Findings { settings, duels })
    }

    fn options(&self) -> Value {
        self.settings.first().map_or(Value::Null, |s| s.options.clone())
    }

    /// Each strategy against each other one: with two seats one way round is enough.
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

    /// A search takes its time, so it plays fewer games.
    fn duel_games(&self, one: Spec, other: Spec) -> u64 {
        let searches = [one, other].iter().any(|bot| bot.level == Level::Emperor);
        let games = if searches { self.rival_games / 5 } else { self.rival_games };
        games.max(1).next_multiple_of(self.bots.len().max(1) as u64)
    }

    /// Plays the same games with every setting, so that only the setting makes the difference.
    fn examine(&self, threads: usize, tick: &mut impl FnMut(u64)) -> Result<Vec<Finding>, Trouble> {
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
            let play = |table: &dyn crate::Table| {
                let mut story = Story::new(items, seats, false);
                let played = table.play(draw.seating(game), Some(&mut story)).map_err(|e| (game, e))?;
                Ok((Facts::new(&played, &story), story))
            };
            tables.iter().map(|table| play(&**table)).collect::<Result<Vec<_>, _>>()
        };
        let ended = run::run(0..self.games, threads, work, |_, games| {
            let first: Vec<Option<i64>> = measures.iter().map(|m| m.of(&games[0].0)).collect();
            for (finding, (facts, story)) in findings.iter_mut().zip(&games) {
                finding.balance.add(facts, story);
                for (i, measure) in measures.iter().enumerate() {
                    let Some(value) = measure.of(facts) else { continue };
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
            Broken::Failed((game, reason)) => Trouble::Game { seed: self.seed, game, reason },
            Broken::Panicked => Trouble::Panicked,
        })?;
        Ok(findings)
    }
}
