//! Fitting the weights of a heuristic: Captains with other weights against Captains with the shipped ones, at tables of
//! several sizes together.
//!
//! What wins a duel can lose at a full table, so every evaluation plays all tables in equal shares. The fitness is the
//! mean of the advantages at the tables.

use super::TuneError;
use super::journal::TuneJournal;
use super::ntbea::Ntbea;
use crate::lab::part_of;
use crate::play::AnyArena;
use crate::run::{self, RunError};
use crate::sprt::SetScores;
use crate::tournament::TournamentError;
use pentarchy_engine::{NamedWeight, Rng};
use serde_json::{Value, json};
use std::ops::{ControlFlow, Range};

/// Number of rounds of the search; each starts from the winner of the one before, on a finer grid.
const ROUNDS: u64 = 4;
/// Number of values per weight and round.
const VALUES: i32 = 7;
/// Percentage of the weights that change from one point to the next.
const MUTATED: u32 = 15;
/// Share of the budget of a round that decides between its best points.
const FINALS: f64 = 0.3;
/// Number of points in the final of a round: the best of the model, the assembled one and the centre.
const FINALISTS: usize = 8;
/// Fitness lost if every weight is as far from the centre as possible.
const DISTANCE: f64 = 0.02;
/// Number of the first dice of the finals, far from those of the search.
const FINAL_DICE: u64 = 1 << 40;
/// Number of the first dice of the confirmation, far from those of the search and the finals.
const CONFIRMATION_DICE: u64 = 1 << 50;

/// A table of a fit: one Captain with new weights, the others with the shipped ones.
#[derive(Clone, PartialEq, Debug)]
pub struct FitTable {
    /// Number of seats, at least 2.
    pub seats: u8,
    /// All options of the game.
    pub options: Value,
}

/// The parameters of a fit.
#[derive(Clone, Debug)]
pub struct WeightFit {
    /// The game.
    pub game: &'static dyn AnyArena,
    /// The tables that count equally. Not empty.
    pub tables: Vec<FitTable>,
    /// Seed of the run.
    pub seed: u64,
    /// Number of games of the search.
    pub budget: u64,
    /// Number of games of each evaluation, shared among the tables and rounded up to whole sets.
    pub batch: u64,
    /// Number of games of the confirmation at each table, rounded up to whole sets.
    pub confirm: u64,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct FittedWeights {
    /// All weights with their fitted values, in the order of the game.
    pub weights: Vec<NamedWeight>,
    /// The confirmations on dice that the search has not used, one for each table.
    pub confirmed: Vec<SetScores>,
}

impl WeightFit {
    /// Returns all parameters and the shipped weights as a JSON object, which [`from_heading`](Self::from_heading) reads:
    /// the heading of a journal and of parts. A run resumes only from a journal with an equal one.
    pub fn heading(&self) -> Value {
        let info = self.game.info();
        json!({
            "tune": 1,
            "game": format!("bot:{}", info.name),
            "rules": info.rules_version,
            "weights": self.game.weights().iter().map(|w| json!([w.name, w.value])).collect::<Vec<_>>(),
            "tables": self.tables.iter().map(|t| json!([t.seats, t.options])).collect::<Vec<_>>(),
            "seed": self.seed,
            "budget": self.budget,
            "batch": self.batch,
            "confirm": self.confirm,
        })
    }

    /// Returns the parameters that [`heading`](Self::heading) has written for this game; `None` if one is missing or
    /// malformed, or if the game ships other weights now. Options are checked when games are played.
    pub fn from_heading(game: &'static dyn AnyArena, heading: &Value) -> Option<Self> {
        let table = |value: &Value| {
            let seats = value[0].as_u64()?.try_into().ok()?;
            Some(FitTable { seats, options: value[1].clone() })
        };
        let tables: Vec<FitTable> = heading["tables"].as_array()?.iter().map(table).collect::<Option<_>>()?;
        let number = |name: &str| heading[name].as_u64();
        let fit = WeightFit {
            game,
            tables,
            seed: number("seed")?,
            budget: number("budget")?,
            batch: number("batch")?,
            confirm: number("confirm")?,
        };
        (fit.heading() == *heading).then_some(fit)
    }

    /// Returns the approximate number of games that part `part` of `parts` plays; 1 of 1 is the whole run: the budget,
    /// and its share of the confirmations.
    pub fn total(&self, part: u64, parts: u64) -> u64 {
        let length = |table: &FitTable| {
            let sets = self.confirmation_sets(table);
            let range = part_of(sets.end - sets.start, part, parts);
            (range.end - range.start) * u64::from(table.seats)
        };
        self.budget + self.tables.iter().map(length).sum::<u64>()
    }

    /// Searches for weights that win more often than the shipped ones, then plays the confirmation, on this
    /// number of threads (at least 1). The result does not depend on their number. Takes batches from the
    /// journal and stores new ones in it. Calls `tick` with the number of games after each batch, also for
    /// those in the journal.
    ///
    /// # Errors
    ///
    /// Fails if the game has no weights, the options are invalid, a game fails, or the journal cannot be
    /// used. Finished batches stay in the journal.
    pub fn run(
        &self,
        threads: usize,
        journal: &mut TuneJournal,
        mut tick: impl FnMut(u64),
    ) -> Result<FittedWeights, TuneError> {
        let weights = self.search(threads, journal, &mut tick)?;
        let mut confirmed = Vec::new();
        for table in &self.tables {
            let scores =
                self.play_table(table, &weights, CONFIRMATION_DICE, self.confirm, threads, journal)?;
            tick(scores.games());
            confirmed.push(scores);
        }
        Ok(self.conclude(&weights, confirmed))
    }

    /// Returns the result of the run: these weights, which are in the order of the game, with their names,
    /// and the confirmations by table. Plays nothing.
    pub(super) fn conclude(&self, weights: &[i32], confirmed: Vec<SetScores>) -> FittedWeights {
        let named = |(row, &value): (&NamedWeight, &i32)| NamedWeight { value, ..*row };
        FittedWeights { weights: self.game.weights().iter().zip(weights).map(named).collect(), confirmed }
    }

    /// Returns the numbers of the dice of the confirmation at a table, which no search and no final uses: one
    /// for each set.
    pub(super) fn confirmation_sets(&self, table: &FitTable) -> Range<u64> {
        self.sets(table, CONFIRMATION_DICE, self.confirm)
    }

    /// Searches for weights that win more often than the shipped ones, on this number of threads (at least
    /// 1), and returns the best ones in the order of the game. Each round searches a grid around the winner
    /// of the round before, and ends with a final. Takes batches from the journal and stores new ones in it.
    /// Calls `tick` with the number of games after each batch, also for those in the journal.
    ///
    /// # Errors
    ///
    /// Fails if the game has no weights, the options are invalid, a game fails, or the journal cannot be
    /// used. Finished batches stay in the journal.
    pub(super) fn search(
        &self,
        threads: usize,
        journal: &mut TuneJournal,
        tick: &mut impl FnMut(u64),
    ) -> Result<Vec<i32>, TuneError> {
        let shipped: Vec<i32> = self.game.weights().iter().map(|w| w.value).collect();
        if shipped.is_empty() {
            return Err(TuneError::NoWeights(self.game.info().name));
        }
        let mut centre = shipped.clone();
        let mut dice = 0;
        for round in 0..ROUNDS {
            let grid: Vec<Vec<i32>> =
                centre.iter().zip(&shipped).map(|(&at, &usual)| values_near(at, usual, round)).collect();
            let sizes: Vec<u8> = grid.iter().map(|values| values.len() as u8).collect();
            let start: Vec<u8> = grid.iter().zip(&centre).map(|(values, at)| index_of(values, *at)).collect();
            let mut search =
                Ntbea::new(&sizes, &start, Rng::stream(self.seed, round).bits()).mutating(MUTATED);
            let games = (self.budget as f64 * (1.0 - FINALS) / ROUNDS as f64) as u64;
            let mut played = 0;
            while played < games.max(1) {
                let point = search.current().to_vec();
                let scores = self.play(&at(&grid, &point), dice, self.batch, threads, journal)?;
                dice += self.batch;
                search.tell(&point, fitness(&scores) - DISTANCE * distance(&point, &start, &sizes));
                search.advance();
                let batch = games_of(&scores);
                played += batch;
                tick(batch);
            }
            let mut points = search.ranked(FINALISTS - 2);
            points.extend([search.assembled(), start]);
            points.dedup();
            let mut finalists: Vec<Vec<i32>> = points.iter().map(|point| at(&grid, point)).collect();
            centre = self.decide(&mut finalists, round, threads, journal, tick)?;
        }
        Ok(centre)
    }

    /// Plays the final of a round by sequential halving: all finalists play the same dice of this round, the
    /// worse half drops out, and the rest plays as many games again. Returns the winner, by all its games;
    /// the first of equals. `finalists` must not be empty and is empty afterwards. Calls `tick` with the
    /// games of each match.
    ///
    /// # Errors
    ///
    /// Fails if a game fails or the journal cannot be used.
    fn decide(
        &self,
        finalists: &mut Vec<Vec<i32>>,
        round: u64,
        threads: usize,
        journal: &mut TuneJournal,
        tick: &mut impl FnMut(u64),
    ) -> Result<Vec<i32>, TuneError> {
        let games = (self.budget as f64 * FINALS / ROUNDS as f64) as u64;
        let stages = u64::from(finalists.len().next_power_of_two().ilog2()).max(1);
        let mut from = FINAL_DICE + (round << 32);
        let none: Vec<SetScores> = self.tables.iter().map(|table| SetScores::new(table.seats)).collect();
        let mut scored: Vec<(Vec<SetScores>, Vec<i32>)> =
            finalists.drain(..).map(|weights| (none.clone(), weights)).collect();
        for _ in 0..stages {
            let games = games / stages / scored.len().max(1) as u64;
            for (sums, weights) in &mut scored {
                let scores = self.play(weights, from, games, threads, journal)?;
                sums.iter_mut().zip(&scores).for_each(|(sum, new)| sum.merge(new));
                tick(games_of(&scores));
            }
            from += games.max(1);
            scored.sort_by(|a, b| fitness(&b.0).total_cmp(&fitness(&a.0)));
            scored.truncate(scored.len().div_ceil(2));
        }
        Ok(scored.swap_remove(0).1)
    }

    /// Returns the scores of one Captain of these weights among shipped ones at each table. The tables share `games`
    /// games; each plays whole sets, at least one, on dice from the number `from` on.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, a game fails, or the journal cannot be used.
    fn play(
        &self,
        weights: &[i32],
        from: u64,
        games: u64,
        threads: usize,
        journal: &mut TuneJournal,
    ) -> Result<Vec<SetScores>, TuneError> {
        let each = games / self.tables.len().max(1) as u64;
        self.tables
            .iter()
            .map(|table| self.play_table(table, weights, from, each, threads, journal))
            .collect()
    }

    /// Returns the scores of one Captain of these weights among shipped ones at a table, on each seat in turn with the
    /// same dice: at least `games` games and one set, on dice from the number `from` on. Takes them from the journal,
    /// or plays and stores them.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, a game fails, or the journal cannot be used.
    fn play_table(
        &self,
        table: &FitTable,
        weights: &[i32],
        from: u64,
        games: u64,
        threads: usize,
        journal: &mut TuneJournal,
    ) -> Result<SetScores, TuneError> {
        let sets = self.sets(table, from, games);
        let key = format!("{weights:?} {sets:?} {} seats", table.seats);
        let counts = journal
            .batch(&key, || self.play_sets(table, weights, sets, threads).map(SetScores::into_counts))?;
        Ok(SetScores::from_counts(table.seats, counts))
    }

    /// Returns the numbers of the dice of a match at a table, from `from` on: one for each set of at least `games` games,
    /// and at least one.
    fn sets(&self, table: &FitTable, from: u64, games: u64) -> Range<u64> {
        from..from + games.div_ceil(u64::from(table.seats.max(1))).max(1)
    }

    /// Plays sets without the journal: one Captain of these weights among shipped ones, on each seat in turn with the
    /// same dice. Returns its scores.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, or a game fails or panics.
    pub(super) fn play_sets(
        &self,
        FitTable { seats, options }: &FitTable,
        weights: &[i32],
        sets: Range<u64>,
        threads: usize,
    ) -> Result<SetScores, TuneError> {
        let table = self.game.table(*seats, options).map_err(TournamentError::from)?;
        let shipped: Vec<i32> = self.game.weights().iter().map(|w| w.value).collect();
        let mut scores = SetScores::new(*seats);
        let seats = u64::from(*seats);
        let work = |set: u64| {
            let mut won = 0;
            for seat in 0..seats {
                let game = set * seats + seat;
                let player = |s: u64| {
                    let seed = Rng::stream(!self.seed, game * seats + (s + seats - seat) % seats).bits();
                    (if s == seat { weights } else { &shipped }, seed)
                };
                let players: Vec<_> = (0..seats).map(player).collect();
                let played = table.play_captains(Rng::stream(self.seed, set), &players);
                let played = played.map_err(|reason| (game, reason))?;
                won += SetScores::parts_of(&played.outcome, seat as u8);
            }
            Ok(won)
        };
        let ended = run::run(sets, threads, work, |_, won| {
            scores.add(won);
            ControlFlow::Continue(())
        });
        ended.map_err(|broken| match broken {
            RunError::Failed((game, reason)) => TournamentError::Game { seed: self.seed, game, reason },
            RunError::Panicked => TournamentError::Panicked,
        })?;
        Ok(scores)
    }
}

/// Returns how much better than its rivals a bot with this share of wins is, in standard deviations of one game between
/// equal bots: 0 for an equal share, 1 for a bot that wins every game of two seats. In this unit the noise of a game is
/// the same at every table, so the advantages at several tables can be averaged. With fewer than two seats 0.
fn advantage(share: f64, seats: u8) -> f64 {
    let rivals = f64::from(seats) - 1.0;
    if rivals < 1.0 { 0.0 } else { (share * f64::from(seats) - 1.0) / rivals.sqrt() }
}

/// Returns the mean of the advantages at the tables, scaled and shifted so that it is the share of wins if all tables
/// have two seats; 0 without tables.
fn fitness(tables: &[SetScores]) -> f64 {
    let each = tables.iter().map(|scores| 0.5 + advantage(scores.mean(), scores.seats()) / 2.0);
    each.sum::<f64>() / tables.len().max(1) as f64
}

/// Returns the number of games of these scores at all tables together.
fn games_of(tables: &[SetScores]) -> u64 {
    tables.iter().map(SetScores::games).sum()
}

/// Returns the values of a weight on the grid of a round, ascending: around `at`, in steps of a third of the shipped
/// value `usual` in the first round and half as wide in each later one, but at least 1. Values with another sign than
/// the shipped one are left out, except 0; a shipped 0 has values of both signs.
fn values_near(at: i32, usual: i32, round: u64) -> Vec<i32> {
    let step = ((usual.abs() / 3) >> round).max(1);
    let all = (-VALUES / 2..=VALUES / 2).map(|k| at + k * step);
    all.filter(|&value| usual == 0 || (value < 0) == (usual < 0) || value == 0).collect()
}

/// Returns the index of a value in ascending values; 0 if it is not among them.
fn index_of(values: &[i32], value: i32) -> u8 {
    values.iter().position(|&v| v == value).unwrap_or(0) as u8
}

/// Returns the weights at a point of the grid, which must have an index of a value for each weight.
fn at(grid: &[Vec<i32>], point: &[u8]) -> Vec<i32> {
    grid.iter().zip(point).map(|(values, &i)| values[usize::from(i)]).collect()
}

/// Returns the mean distance between two points, from 0 to 1: in each dimension the difference of the indexes as a
/// share of the largest possible one.
fn distance(point: &[u8], other: &[u8], sizes: &[u8]) -> f64 {
    let each = point.iter().zip(other).zip(sizes);
    let sum: f64 = each.map(|((a, b), &n)| f64::from(a.abs_diff(*b)) / f64::from(n.max(2) - 1)).sum();
    sum / sizes.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_surround_the_centre_and_keep_their_sign() {
        assert_eq!(values_near(9, 9, 0), [0, 3, 6, 9, 12, 15, 18]);
        assert_eq!(values_near(12, 9, 1), [9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(values_near(-20, -20, 0), [-38, -32, -26, -20, -14, -8, -2]);
        assert_eq!(values_near(0, 0, 0), [-3, -2, -1, 0, 1, 2, 3]);
        assert_eq!(values_near(1, 1, 3), [0, 1, 2, 3, 4]);
        for (usual, round) in [(5, 0), (-7, 2), (0, 3), (1000, 1)] {
            let values = values_near(usual, usual, round);
            assert_eq!(values[usize::from(index_of(&values, usual))], usual);
        }
    }

    #[test]
    fn the_fitness_of_equal_bots_is_a_half_and_the_noise_of_all_tables_is_equal() {
        for seats in 2..=8_u8 {
            let equal = 1.0 / f64::from(seats);
            assert!(advantage(equal, seats).abs() < 1e-9);
            // A game is won with the probability `equal`, so the variance of its advantage is 1.
            let square = |share| advantage(share, seats).powi(2);
            assert!((equal * square(1.0) + (1.0 - equal) * square(0.0) - 1.0).abs() < 1e-9, "{seats} seats");
        }
        assert_eq!(advantage(1.0, 1), 0.0);
        let scores = |seats, parts: &[u64]| {
            let mut scores = SetScores::new(seats);
            parts.iter().for_each(|&parts| scores.add(parts));
            scores
        };
        let (duel, four) = (scores(2, &[1260, 420]), scores(4, &[420, 420]));
        assert_eq!(fitness(std::slice::from_ref(&duel)), duel.mean());
        // A bot that is better in duels and average with four seats is better in the mean.
        assert_eq!(four.mean(), 0.25);
        assert_eq!(fitness(&[duel.clone(), four]), (duel.mean() + 0.5) / 2.0);
    }
}
