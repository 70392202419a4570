//! The lab for designers: many games, the same games with other options, restricted play, and strategies
//! against each other.

use crate::balance::GameSummary;
use crate::deny::Denial;
use crate::findings::{Duel, DuelTally, LabBatch};
use crate::play::{AnyArena, GameRunner};
use crate::run::{self, RunError};
use crate::seating::Draw;
use crate::story::Story;
use crate::tournament::TournamentError;
use pentarchy_bots::{Level, Spec};
use pentarchy_engine::{Item, RuleError, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

pub use crate::findings::{Finding, Findings};
pub use crate::measure::{Mean, Measure};

/// Number of looks at the confidence sequences in a run, at most.
const LOOKS: u64 = 40;

/// Minimum number of games between two looks.
const FEWEST_BETWEEN_LOOKS: u64 = 50;

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
    /// Maximum number of pairs of games per option of restricted play, at most `games`; 0: none.
    pub restrict_games: u64,
    /// Stop as soon as the share of every seat is known to this much up or down (0.01 is one point).
    pub until: Option<f64>,
}

/// A set of options.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// What was set or swept, as text, e.g. `tower_cost = 5, farm_cost = 2`; empty if nothing was.
    pub name: String,
    /// All options.
    pub options: Value,
}

/// What a part of a lab run has played: sums that [`Lab::join`] merges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabPart {
    /// Sums by batch; a batch at an end of the part may be incomplete.
    batches: BTreeMap<u64, LabBatch>,
    /// Sums by duel, in the order of the pairs of strategies.
    duels: Vec<DuelTally>,
}

/// One game with every setting, and the pairs of restricted play.
struct LabGame {
    /// The game with each setting, in their order.
    settings: Vec<(GameSummary, Story)>,
    /// The pairs, in the order of the options.
    pairs: Vec<Pair>,
}

/// One pair of restricted play.
struct Pair {
    /// The index of the option in the items of the game.
    option: usize,
    /// Share of the seat in the victory with the option minus that without it, in parts of a victory.
    difference: i64,
    /// Whether the option was on offer to the seat.
    offered: bool,
    /// Number of decisions at which the denied seat had no other legal action.
    forced: u32,
}

/// What is needed to play the games of a run.
struct Table<'a> {
    /// A runner for each setting.
    runners: Vec<Box<dyn GameRunner>>,
    /// The seats and dice of each game.
    draw: Draw,
    /// The items of the game.
    items: Vec<Item>,
    /// For each option, whether it needs no more pairs; empty if that is not known.
    decided: &'a [AtomicBool],
}

impl Lab {
    /// Returns the number of seats: that of the bots.
    pub fn seats(&self) -> u8 {
        self.bots.len() as u8
    }

    /// Returns how often part `part` of `parts` calls its `tick`: once for each game with each setting, and
    /// once for each game of a duel. The pairs of restricted play cause no further calls. `part` counts from
    /// 1 to `parts`; 1 of 1 is the whole run. [`run`](Self::run) makes fewer calls if it stops early
    /// ([`until`](Self::until)); a part does not.
    pub fn total(&self, part: u64, parts: u64) -> u64 {
        let length = |games: u64| {
            let range = part_of(games, part, parts);
            range.end - range.start
        };
        let duels = self.pairs().into_iter().map(|(one, other)| length(self.duel_games(one, other)));
        length(self.games) * self.settings.len() as u64 + duels.sum::<u64>()
    }

    /// Plays all games on this number of threads (at least 1) and returns the findings, which do not depend
    /// on the number of threads. Calls `tick(1)` on the calling thread for each game with each setting, after
    /// its pairs of restricted play, and for each game of a duel. If [`until`](Self::until) is set, the games
    /// of the settings stop as soon as the shares of all seats are known as precisely; the duels are always
    /// played in full.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, or a game fails or panics. All findings are then lost.
    pub fn run(&self, threads: usize, mut tick: impl FnMut(u64)) -> Result<Findings, TournamentError> {
        let mut findings = Findings::new(self);
        let decided: Vec<AtomicBool> = self.game.items().iter().map(|_| AtomicBool::new(false)).collect();
        self.examine(0..self.games, threads, &decided, &mut tick, |_, batch| {
            for (flag, decided) in decided.iter().zip(findings.push(self, &batch)) {
                flag.store(decided, Ordering::Relaxed);
            }
            if findings.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        for (one, others) in self.pairs() {
            let tally = self.duel((one, others), 0..self.duel_games(one, others), threads, &mut tick)?;
            findings.duels.push(Duel { one, others, tally });
        }
        Ok(findings)
    }

    /// Plays part number `part` (1 to `parts`) of `parts` on this number of threads (at least 1) and returns
    /// its sums. A part does not know what the others find, so it does not stop early and leaves no option
    /// out of restricted play. Calls `tick(1)` on the calling thread for each game with each setting and for
    /// each game of a duel.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, or a game fails or panics. All sums are then lost.
    pub fn run_part(
        &self,
        (part, parts): (u64, u64),
        threads: usize,
        mut tick: impl FnMut(u64),
    ) -> Result<LabPart, TournamentError> {
        let mut batches = BTreeMap::new();
        let range = part_of(self.games, part, parts);
        self.examine(range, threads, &[], &mut tick, |number, batch| {
            batches.insert(number, batch);
            ControlFlow::Continue(())
        })?;
        let duel = |(one, others)| {
            let range = part_of(self.duel_games(one, others), part, parts);
            self.duel((one, others), range, threads, &mut tick)
        };
        let duels = self.pairs().into_iter().map(duel).collect::<Result<_, _>>()?;
        Ok(LabPart { batches, duels })
    }

    /// Joins all parts of this run, each once and in any order; that is not checked. Returns the findings of
    /// [`run`](Self::run), whatever the split: batches after a sequential test has ended are left out, as that run
    /// would not have played them.
    pub fn join(&self, parts: Vec<LabPart>) -> Findings {
        let mut findings = Findings::new(self);
        let mut batches: BTreeMap<u64, LabBatch> = BTreeMap::new();
        let mut duels = vec![DuelTally::default(); self.pairs().len()];
        for part in parts {
            for (number, batch) in part.batches {
                match batches.get_mut(&number) {
                    Some(sum) => sum.merge(&batch),
                    None => drop(batches.insert(number, batch)),
                }
            }
            duels.iter_mut().zip(&part.duels).for_each(|(sum, part)| sum.merge(part));
        }
        batches.values().for_each(|batch| drop(findings.push(self, batch)));
        let pairs = self.pairs().into_iter().zip(duels);
        findings.duels = pairs.map(|((one, others), tally)| Duel { one, others, tally }).collect();
        findings
    }

    /// Returns the number of games between two looks at the confidence sequences: a fortieth of the games of
    /// the run, rounded down, at least 50.
    fn batch_games(&self) -> u64 {
        (self.games / LOOKS).max(FEWEST_BETWEEN_LOOKS)
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

    /// Returns the number of games of a duel: those of the lab, or a fifth of them if a bot searches; at least 1,
    /// rounded up to whole sets so that each bot plays each seat equally often.
    fn duel_games(&self, one: Spec, other: Spec) -> u64 {
        let searches = [one, other].iter().any(|bot| bot.level == Level::Emperor);
        let games = if searches { self.rival_games / 5 } else { self.rival_games };
        games.max(1).next_multiple_of(self.bots.len().max(1) as u64)
    }

    /// Plays these games of a duel, with the options of the first setting, and returns their sums. One bot
    /// sits among bots of the other strategy and takes the seats in turn, with the same dice within a set.
    /// Calls `tick(1)` on the calling thread per game. The lab must have at least one seat.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, or a game fails or panics.
    fn duel(
        &self,
        (one, others): (Spec, Spec),
        games: Range<u64>,
        threads: usize,
        tick: &mut impl FnMut(u64),
    ) -> Result<DuelTally, TournamentError> {
        let mut bots = vec![others; self.bots.len()];
        bots[0] = one;
        let options = self.settings.first().map_or(&Value::Null, |setting| &setting.options);
        let (runner, draw) = (self.game.table(self.seats(), options)?, Draw::new(&bots, self.seed));
        let mut tally = DuelTally::default();
        let work = |game| runner.play(draw.seating(game), None).map_err(|reason| (game, reason));
        let ended = run::run(games, threads, work, |game, played| {
            tally.add(&played.outcome, &draw.places(game));
            tick(1);
            ControlFlow::Continue(())
        });
        ended.map_err(|broken| self.broken(broken))?;
        Ok(tally)
    }

    /// Converts the error of a run: adds the seed of the lab to a failed game (its number and reason), and
    /// keeps a panic.
    fn broken(&self, error: RunError<(u64, RuleError)>) -> TournamentError {
        match error {
            RunError::Failed((game, reason)) => TournamentError::Game { seed: self.seed, game, reason },
            RunError::Panicked => TournamentError::Panicked,
        }
    }

    /// Plays these games with every setting and the same bots and dice, so that only the setting makes a
    /// difference, with the pairs of restricted play. Calls `each` on the calling thread with the number and
    /// the sums of every batch in order, until it breaks; the first and the last batch may be incomplete.
    /// Options that are flagged in `decided` are left out of restricted play; flags may be set while it runs,
    /// and an empty list flags none. Calls `tick(1)` per game and setting.
    ///
    /// # Errors
    ///
    /// Fails if a setting is invalid, or a game fails or panics. `each` may have been called for earlier
    /// batches.
    fn examine(
        &self,
        games: Range<u64>,
        threads: usize,
        decided: &[AtomicBool],
        tick: &mut impl FnMut(u64),
        mut each: impl FnMut(u64, LabBatch) -> ControlFlow<()>,
    ) -> Result<(), TournamentError> {
        let runners = self.settings.iter().map(|s| self.game.table(self.seats(), &s.options));
        let runners = runners.collect::<Result<Vec<_>, _>>()?;
        let draw = Draw::new(&self.bots, self.seed);
        let table = Table { runners, draw, items: self.game.items(), decided };
        let (size, end) = (self.batch_games(), games.end);
        let mut batch = LabBatch::new(self);
        let work = |game| self.play(&table, game).map_err(|reason| (game, reason));
        let ended = run::run(games, threads, work, |game, played| {
            let first = played.settings.first().map(|(summary, _)| summary.clone());
            for (sum, (summary, story)) in batch.settings.iter_mut().zip(&played.settings) {
                sum.add(first.as_ref().unwrap_or(summary), summary, story);
                tick(1);
            }
            for pair in played.pairs {
                if let Some(sum) = batch.worths.get_mut(pair.option) {
                    sum.differences.add(pair.difference);
                    sum.offered += u64::from(pair.offered);
                    sum.forced += u64::from(pair.forced);
                }
            }
            if (game + 1).is_multiple_of(size) || game + 1 == end {
                return each(game / size, std::mem::replace(&mut batch, LabBatch::new(self)));
            }
            ControlFlow::Continue(())
        });
        ended.map_err(|broken| self.broken(broken))
    }

    /// Plays one game with every setting; then, for restricted play, the same game with the first setting for each
    /// option that is not decided, with one seat that is denied the option. The seat changes from game to game. If
    /// the option was never on offer to it, the game would be the same and is not played; the pair then differs by 0.
    /// Games from number `restrict_games` on have no pairs.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event.
    fn play(&self, table: &Table<'_>, game: u64) -> Result<LabGame, RuleError> {
        let mut settings = Vec::with_capacity(table.runners.len());
        for runner in &table.runners {
            let mut story = Story::new(table.items.len(), self.seats(), false);
            let played = runner.play(table.draw.seating(game), Some(&mut story))?;
            settings.push((GameSummary::new(&played, &story), story));
        }
        let mut pairs = Vec::new();
        let (Some(runner), Some((summary, story))) = (table.runners.first(), settings.first()) else {
            return Ok(LabGame { settings, pairs });
        };
        if game < self.restrict_games {
            let seat = Seat((game % u64::from(self.seats().max(1))) as u8);
            for (option, item) in table.items.iter().enumerate() {
                if table.decided.get(option).is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                    continue;
                }
                let offered = story.offered_to[option][item.verb.index()].has(seat);
                let mut pair = Pair { option, difference: 0, offered, forced: 0 };
                if offered {
                    let denial = Denial { seat, verb: item.verb, item: option as u16 };
                    let (played, forced) = runner.play_denied(table.draw.seating(game), denial)?;
                    let denied = GameSummary::new(&played, &Story::default()).parts[seat.index()];
                    pair.difference = summary.parts[seat.index()] as i64 - denied as i64;
                    pair.forced = forced;
                }
                pairs.push(pair);
            }
        }
        Ok(LabGame { settings, pairs })
    }
}

/// Returns the games of part number `part` (1 to `parts`) of a run of `games` games. The parts cover all games once,
/// in order, and differ in length by at most one.
pub fn part_of(games: u64, part: u64, parts: u64) -> Range<u64> {
    let edge = |i: u64| (u128::from(games) * u128::from(i) / u128::from(parts.max(1))) as u64;
    edge(part.saturating_sub(1))..edge(part.min(parts))
}
