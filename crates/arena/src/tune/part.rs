//! Parts of tuning runs: the games of the confirmation, split over processes and machines.
//!
//! The search cannot be split: the optimiser chooses each setting by the results of all settings before it. So each part
//! does the whole search, or takes it from a journal, and plays its share of the games of the confirmation. The search
//! depends on the seed alone, so all parts find the same.

use super::TuneError;
use super::design::{DesignTuning, SearchedDesign, TunedDesign, TunedOption};
use super::fit::{FittedWeights, WeightFit};
use super::journal::TuneJournal;
use super::ntbea::GridPoint;
use super::sample::DesignSample;
use crate::lab::part_of;
use crate::part::PartError;
use crate::sprt::SetScores;
use serde::{Deserialize, Serialize};

/// A part of a tuning run, for a part file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TunePart {
    /// A part of a run that tunes the numbers of a design.
    Design(DesignPart),
    /// A part of a run that fits the weights of bots.
    Weights(FitPart),
}

/// A part of a run that tunes the numbers of a design: the result of the search, and sums of the confirmation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DesignPart {
    /// The result of the search, equal in all parts.
    search: DesignSearch,
    /// The sums of the games of this part by confirmed setting and bot.
    confirmed: Vec<Vec<Vec<u64>>>,
}

/// The result of the search for numbers of a design.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct DesignSearch {
    /// The settings that were played in full, with their sums.
    full: Vec<(GridPoint, Vec<u64>)>,
    /// The sums of the designer's setting.
    usual: Vec<u64>,
    /// Number of settings that were tried.
    tried: u64,
    /// Number of games.
    games: u64,
}

/// A part of a run that fits weights: the result of the search, and scores of the confirmation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FitPart {
    /// The weights that the search found, equal in all parts.
    weights: Vec<i32>,
    /// The scores of this part by table, as flat lists of score and number of sets.
    confirmed: Vec<Vec<u64>>,
}

impl DesignTuning {
    /// Does the search without the confirmation, on this number of threads (at least 1), and leaves its
    /// batches in the journal, from which [`run`](Self::run) and [`run_part`](Self::run_part) take them.
    /// Calls `tick` with the number of games after each batch, also for those in the journal.
    ///
    /// # Errors
    ///
    /// Fails if the number of seats or the options are invalid, a goal cannot be measured, a game fails, or
    /// the journal cannot be used. Finished batches of the search stay in the journal.
    pub fn run_search(
        &self,
        threads: usize,
        journal: &mut TuneJournal,
        mut tick: impl FnMut(u64),
    ) -> Result<(), TuneError> {
        self.search(threads, journal, &mut tick).map(drop)
    }

    /// Does the whole search, or takes its batches from the journal, on this number of threads (at least 1).
    /// Then plays part number `part` (1 to `parts`) of `parts` of the games of the confirmation, which are
    /// not stored in the journal. Returns both. Calls `tick` with the number of games after each batch, also
    /// for those in the journal.
    ///
    /// # Errors
    ///
    /// Fails if the number of seats or the options are invalid, a goal cannot be measured, a game fails, or
    /// the journal cannot be used. Finished batches of the search stay in the journal.
    pub fn run_part(
        &self,
        (part, parts): (u64, u64),
        threads: usize,
        journal: &mut TuneJournal,
        mut tick: impl FnMut(u64),
    ) -> Result<DesignPart, TuneError> {
        let found = self.search(threads, journal, &mut tick)?;
        let mut confirmed = Vec::new();
        for point in self.candidates(&found) {
            let mut by_bot = Vec::new();
            for &bot in &self.bots {
                let games = part_of(self.confirm_games(bot), part, parts);
                let played = games.end - games.start;
                by_bot.push(self.play_games(&point, bot, self.fresh_seed(), games, threads)?);
                tick(played);
            }
            confirmed.push(by_bot);
        }
        Ok(DesignPart { search: DesignSearch::new(&found), confirmed })
    }

    /// Joins all parts of this run, each once and in order; that is not checked. Returns the result that
    /// [`run`](Self::run) has, whatever the split. Plays nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no part, if the searches of two parts differ (bots with a budget in time), or if a
    /// part does not fit the run.
    pub fn join(&self, parts: &[DesignPart]) -> Result<TunedDesign, PartError> {
        let first = parts.first().ok_or(PartError::Nothing)?;
        let found = first.search.read(self).ok_or(PartError::Malformed)?;
        let settings = self.candidates(&found).len();
        let mut confirmed = vec![vec![self.empty(); self.bots.len()]; settings];
        for (i, part) in parts.iter().enumerate() {
            if part.search != first.search {
                return Err(PartError::Diverged { part: i + 1 });
            }
            let bots = |by_bot: &Vec<Vec<u64>>| by_bot.len() == self.bots.len();
            if part.confirmed.len() != settings || !part.confirmed.iter().all(bots) {
                return Err(PartError::Malformed);
            }
            for (sample, sums) in confirmed.iter_mut().flatten().zip(part.confirmed.iter().flatten()) {
                sample.merge(&read_sample(self, sums).ok_or(PartError::Malformed)?);
            }
        }
        Ok(self.conclude(&found, confirmed))
    }
}

impl DesignSearch {
    /// Converts the result of a search into the form of a part, with samples as lists of sums.
    fn new(found: &SearchedDesign) -> Self {
        DesignSearch {
            full: found.full.iter().map(|(point, sample)| (point.clone(), sample.to_sums())).collect(),
            usual: found.usual.to_sums(),
            tried: found.tried as u64,
            games: found.games,
        }
    }

    /// Returns the result of the search; `None` if a point is not in the grid of the run, or a list of sums
    /// has another length than its samples.
    fn read(&self, tuning: &DesignTuning) -> Option<SearchedDesign> {
        let full = self.full.iter().map(|(point, sums)| {
            let fits = |(&at, option): (&u8, &TunedOption)| usize::from(at) < option.values.len();
            let inside = point.len() == tuning.varied.len() && point.iter().zip(&tuning.varied).all(fits);
            Some((point.clone(), read_sample(tuning, sums).filter(|_| inside)?))
        });
        Some(SearchedDesign {
            full: full.collect::<Option<_>>()?,
            usual: read_sample(tuning, &self.usual)?,
            tried: usize::try_from(self.tried).ok()?,
            games: self.games,
        })
    }
}

/// Returns the sample of these sums, a list of [`DesignSample::to_sums`]; `None` if its length does not fit
/// the seats and the counted options of the run.
fn read_sample(tuning: &DesignTuning, sums: &[u64]) -> Option<DesignSample> {
    let mut sample = tuning.empty();
    sample.set_sums(sums).then_some(sample)
}

impl WeightFit {
    /// Does the search without the confirmation, on this number of threads (at least 1), and leaves its
    /// batches in the journal, from which [`run`](Self::run) and [`run_part`](Self::run_part) take them.
    /// Calls `tick` with the number of games after each batch, also for those in the journal.
    ///
    /// # Errors
    ///
    /// Fails if the game has no weights, the options are invalid, a game fails, or the journal cannot be
    /// used. Finished batches of the search stay in the journal.
    pub fn run_search(
        &self,
        threads: usize,
        journal: &mut TuneJournal,
        mut tick: impl FnMut(u64),
    ) -> Result<(), TuneError> {
        self.search(threads, journal, &mut tick).map(drop)
    }

    /// Does the whole search, or takes its batches from the journal, on this number of threads (at least 1).
    /// Then plays part number `part` (1 to `parts`) of `parts` of the games of the confirmation, which are
    /// not stored in the journal. Returns both. Calls `tick` with the number of games after each batch, also
    /// for those in the journal.
    ///
    /// # Errors
    ///
    /// Fails if the game has no weights, the options are invalid, a game fails, or the journal cannot be
    /// used. Finished batches of the search stay in the journal.
    pub fn run_part(
        &self,
        (part, parts): (u64, u64),
        threads: usize,
        journal: &mut TuneJournal,
        mut tick: impl FnMut(u64),
    ) -> Result<FitPart, TuneError> {
        let weights = self.search(threads, journal, &mut tick)?;
        let mut confirmed = Vec::new();
        for table in &self.tables {
            let all = self.confirmation_sets(table);
            let mine = part_of(all.end - all.start, part, parts);
            let scores =
                self.play_sets(table, &weights, all.start + mine.start..all.start + mine.end, threads)?;
            tick(scores.games());
            confirmed.push(scores.into_counts());
        }
        Ok(FitPart { weights, confirmed })
    }

    /// Joins all parts of this run, each once and in order; that is not checked. Returns the result that
    /// [`run`](Self::run) has, whatever the split. Plays nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no part, if two parts found different weights, or if a part does not fit the run.
    pub fn join(&self, parts: &[FitPart]) -> Result<FittedWeights, PartError> {
        let first = parts.first().ok_or(PartError::Nothing)?;
        let mut confirmed: Vec<SetScores> =
            self.tables.iter().map(|table| SetScores::new(table.seats)).collect();
        for (i, part) in parts.iter().enumerate() {
            if part.weights != first.weights {
                return Err(PartError::Diverged { part: i + 1 });
            }
            if part.confirmed.len() != confirmed.len() || part.weights.len() != self.game.weights().len() {
                return Err(PartError::Malformed);
            }
            for (sum, counts) in confirmed.iter_mut().zip(&part.confirmed) {
                sum.merge(&SetScores::from_counts(sum.seats(), counts.clone()));
            }
        }
        Ok(self.conclude(&first.weights, confirmed))
    }
}
