//! Tuning the numbers of a design: the optimiser proposes settings, bots play them, goals judge them.
//!
//! All settings play the same dice. A setting is played in batches and given up as soon as it is surely worse than the
//! best one so far (racing): the difference of their losses on the same batches exceeds two standard errors, by the
//! jackknife over batches. The settings that no other one beats in all goals and in the distance from the designer's
//! numbers (the Pareto front) are then confirmed on fresh dice by all bots.

use super::TuneError;
use super::goal::Goal;
use super::journal::{TuneJournal, TuneJournalError};
use super::ntbea::{GridPoint, Ntbea};
use super::sample::DesignSample;
use crate::balance::GameSummary;
use crate::lab::part_of;
use crate::play::AnyArena;
use crate::run::{self, RunError};
use crate::seating::Draw;
use crate::story::Story;
use crate::tournament::TournamentError;
use crate::tune::goal::GoalKind;
use pentarchy_bots::{Level, Spec};
use pentarchy_engine::{Item, Rng};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

/// Number of batches that a setting plays each time it is proposed, unless it drops out.
const BATCHES: usize = 4;
/// Standard errors by which a setting must be worse to drop out.
const DROP_AT: f64 = 2.0;
/// Loss of a setting in which every number is as far from the designer's as possible.
const PENALTY: f64 = 0.5;
/// Fitness of a combination that the rules reject.
const INVALID: f64 = -10.0;
/// Proposals in a row without a game after which the search ends: the space is exhausted.
const MOST_IDLE: u32 = 500;
/// Maximum number of confirmed settings beside the designer's.
const MOST_CONFIRMED: usize = 6;

/// A number of the design and the values to try.
#[derive(Clone, PartialEq, Debug)]
pub struct TunedOption {
    /// The full name of the option.
    pub name: String,
    /// The values to try, at least one, in order; at most 255.
    pub values: Vec<Value>,
    /// The index of the value nearest to the designer's.
    pub usual: u8,
}

/// The parameters of a tuning run.
#[derive(Clone, Debug)]
pub struct DesignTuning {
    /// The game.
    pub game: &'static dyn AnyArena,
    /// All its options, with the designer's numbers.
    pub options: Value,
    /// Number of seats.
    pub seats: u8,
    /// The bots; the first one plays the search, all play the confirmation. Not empty.
    pub bots: Vec<Spec>,
    /// The goals.
    pub goals: Vec<Goal>,
    /// What is varied.
    pub varied: Vec<TunedOption>,
    /// Seed of the run.
    pub seed: u64,
    /// Number of games of the search.
    pub budget: u64,
    /// Number of games that confirm a setting; a tenth for bots that search.
    pub confirm: u64,
}

/// A setting of the Pareto front, confirmed on fresh dice.
#[derive(Clone, PartialEq, Debug)]
pub struct TunedSetting {
    /// What differs from the designer's numbers, as name and value.
    pub changes: Vec<(String, Value)>,
    /// Mean distance from the designer's numbers, from 0 to 1.
    pub distance: f64,
    /// The games of the search.
    pub searched: DesignSample,
    /// The games of the confirmation, by bot.
    pub confirmed: Vec<DesignSample>,
}

/// The result of a tuning run.
#[derive(Clone, PartialEq, Debug)]
pub struct TunedDesign {
    /// The designer's setting first, then the Pareto front in the order of its losses.
    pub settings: Vec<TunedSetting>,
    /// The index of the best confirmed setting.
    pub best: usize,
    /// Distance and loss of every setting that was played in full.
    pub cloud: Vec<(f64, f64)>,
    /// Number of settings that were tried.
    pub tried: usize,
    /// Number of games of the search.
    pub games: u64,
}

/// What is known of the settings that were played.
struct Explored {
    /// The batches of each setting, in the order of their dice.
    batches: BTreeMap<GridPoint, Vec<DesignSample>>,
    /// The setting with the least loss and penalty among those with at least [`BATCHES`] batches, and that loss.
    leader: Option<(f64, GridPoint)>,
    /// Number of games of the search so far.
    games: u64,
}

/// The result of a search, before the confirmation.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SearchedDesign {
    /// The settings with at least [`BATCHES`] batches and their games, in the order of the grid.
    pub(super) full: Vec<(GridPoint, DesignSample)>,
    /// The games of the designer's setting.
    pub(super) usual: DesignSample,
    /// Number of settings that were tried.
    pub(super) tried: usize,
    /// Number of games.
    pub(super) games: u64,
}

impl DesignTuning {
    /// Returns all parameters as a JSON object, which [`from_heading`](Self::from_heading) reads: the heading of a journal
    /// and of parts. A run resumes only from a journal with an equal one.
    pub fn heading(&self) -> Value {
        let info = self.game.info();
        json!({
            "tune": 1,
            "game": info.name,
            "rules": info.rules_version,
            "options": self.options,
            "seats": self.seats,
            "bots": self.bots.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "goals": self.goals.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "varied": self.varied.iter().map(|v| json!([v.name, v.values, v.usual])).collect::<Vec<_>>(),
            "seed": self.seed,
            "budget": self.budget,
            "confirm": self.confirm,
        })
    }

    /// Returns the parameters that [`heading`](Self::heading) has written for this game; `None` if one is missing or
    /// malformed. Options are checked when games are played.
    pub fn from_heading(game: &'static dyn AnyArena, heading: &Value) -> Option<Self> {
        let varied = |value: &Value| {
            let (values, usual) = (value[1].as_array()?.clone(), value[2].as_u64()?);
            let usual = u8::try_from(usual).ok().filter(|&usual| usize::from(usual) < values.len())?;
            let fits = values.len() <= usize::from(u8::MAX);
            fits.then_some(TunedOption { name: value[0].as_str()?.to_owned(), values, usual })
        };
        let bots = heading["bots"].as_array()?.iter().map(|bot| bot.as_str()?.parse().ok());
        let goals = heading["goals"].as_array()?.iter().map(|goal| goal.as_str()?.parse().ok());
        let bots: Vec<Spec> = bots.collect::<Option<_>>()?;
        (!bots.is_empty()).then_some(())?;
        Some(DesignTuning {
            game,
            options: heading["options"].clone(),
            seats: heading["seats"].as_u64()?.try_into().ok()?,
            bots,
            goals: goals.collect::<Option<_>>()?,
            varied: heading["varied"].as_array()?.iter().map(varied).collect::<Option<_>>()?,
            seed: heading["seed"].as_u64()?,
            budget: heading["budget"].as_u64()?,
            confirm: heading["confirm"].as_u64()?,
        })
    }

    /// Returns the approximate number of games that part `part` of `parts` plays; 1 of 1 is the whole run: the budget,
    /// and its share of the confirmations of as many settings as possible.
    pub fn total(&self, part: u64, parts: u64) -> u64 {
        let length = |bot: &Spec| {
            let range = part_of(self.confirm_games(*bot), part, parts);
            range.end - range.start
        };
        self.budget + self.bots.iter().map(length).sum::<u64>() * (1 + MOST_CONFIRMED as u64)
    }

    /// Searches for settings that meet the goals and confirms the best ones, on this number of threads (at
    /// least 1). The result does not depend on their number. Takes batches from the journal and stores new
    /// ones in it. Calls `tick` with the number of games after each batch, also for those in the journal.
    ///
    /// # Errors
    ///
    /// Fails if the number of seats is invalid, or the options are with the usual value of each varied one; if a
    /// goal cannot be measured, a game fails, or the journal cannot be used. Finished batches stay in the
    /// journal.
    pub fn run(
        &self,
        threads: usize,
        journal: &mut TuneJournal,
        mut tick: impl FnMut(u64),
    ) -> Result<TunedDesign, TuneError> {
        let found = self.search(threads, journal, &mut tick)?;
        let mut confirmed = Vec::new();
        for point in self.candidates(&found) {
            let mut samples = Vec::new();
            for &bot in &self.bots {
                let games = self.confirm_games(bot);
                samples.push(self.play(&point, bot, self.fresh_seed(), 0..games, threads, journal)?);
                tick(games);
            }
            confirmed.push(samples);
        }
        Ok(self.conclude(&found, confirmed))
    }

    /// Searches for settings that meet the goals, on this number of threads (at least 1), until the budget is
    /// used up or the optimiser proposes 500 settings in a row without a new game. Returns the settings that
    /// were played in full. Takes batches from the journal and stores new ones in it. Calls `tick` with the
    /// number of games after each batch, also for those in the journal.
    ///
    /// # Errors
    ///
    /// Fails if the number of seats is invalid, or the options are with the usual value of each varied one;
    /// if a goal cannot be measured, a game fails, or the journal cannot be used. Finished batches stay in
    /// the journal.
    pub(super) fn search(
        &self,
        threads: usize,
        journal: &mut TuneJournal,
        tick: &mut impl FnMut(u64),
    ) -> Result<SearchedDesign, TuneError> {
        let sizes: Vec<u8> = self.varied.iter().map(|v| v.values.len() as u8).collect();
        let usual = self.usual();
        self.game.table(self.seats, &self.at(&usual)).map_err(TournamentError::from)?;
        let mut search = Ntbea::new(&sizes, &usual, self.seed);
        let mut found = Explored { batches: BTreeMap::new(), leader: None, games: 0 };
        let mut idle = 0;
        while found.games < self.budget && idle < MOST_IDLE {
            let point = search.current().to_vec();
            let played = found.games;
            let fitness = match self.race(&point, &mut found, threads, journal, tick)? {
                Some(loss) => -loss,
                None => INVALID,
            };
            if point == usual && played == 0 {
                self.check_measured(found.batches.get(&point))?;
            }
            idle = if found.games == played { idle + 1 } else { 0 };
            search.tell(&point, fitness);
            search.advance();
        }
        let (tried, games) = (found.batches.len(), found.games);
        let sum_of = |batches: &Vec<DesignSample>| sum(batches, &self.empty());
        let usual = found.batches.get(&usual).map_or_else(|| self.empty(), sum_of);
        let full = found.batches.iter().filter(|(_, batches)| batches.len() >= BATCHES);
        let full = full.map(|(point, batches)| (point.clone(), sum_of(batches))).collect();
        Ok(SearchedDesign { full, usual, tried, games })
    }

    /// Returns the designer's setting as a point of the grid: for each varied option the index of the value
    /// nearest to the designer's.
    fn usual(&self) -> GridPoint {
        self.varied.iter().map(|v| v.usual).collect()
    }

    /// Checks that every goal has a figure in the sum of these batches; `None` stands for no batch, in which
    /// no goal has one.
    ///
    /// # Errors
    ///
    /// Fails with the first goal that has none.
    fn check_measured(&self, batches: Option<&Vec<DesignSample>>) -> Result<(), TuneError> {
        let all = sum(batches.map_or(&[][..], Vec::as_slice), &self.empty());
        match self.goals.iter().find(|goal| goal.figure(&all).is_none()) {
            Some(goal) => Err(TuneError::Unmeasured(goal.to_string())),
            None => Ok(()),
        }
    }

    /// Plays up to [`BATCHES`] more batches of a setting and returns its loss with the penalty; `None` if the
    /// rules reject the setting. Stops early when the setting is surely worse than the leader on the same
    /// batches, when the budget is used up, or after five times as many batches in all. A setting with enough
    /// batches and less loss becomes the leader. Adds the batches to `found` and calls `tick` with the games
    /// of each.
    ///
    /// # Errors
    ///
    /// Fails if a game fails or the journal cannot be used; batches before that stay in `found`.
    fn race(
        &self,
        point: &[u8],
        found: &mut Explored,
        threads: usize,
        journal: &mut TuneJournal,
        tick: &mut impl FnMut(u64),
    ) -> Result<Option<f64>, TuneError> {
        let options = self.at(point);
        if self.game.table(self.seats, &options).is_err() {
            return Ok(None);
        }
        let size = self.batch();
        for _ in 0..BATCHES {
            let mine = found.batches.entry(point.to_vec()).or_default();
            if found.games >= self.budget || mine.len() >= 5 * BATCHES {
                break;
            }
            let from = mine.len() as u64 * size;
            mine.push(self.play(point, self.bots[0], self.seed, from..from + size, threads, journal)?);
            found.games += size;
            tick(size);
            if self.is_beaten(point, found) {
                break;
            }
        }
        let mine = found.batches.get(point).map_or(&[][..], Vec::as_slice);
        let loss = self.loss(&sum(mine, &self.empty())) + PENALTY * self.distance(point);
        let ahead = found.leader.as_ref().is_none_or(|(least, _)| loss < *least);
        if mine.len() >= BATCHES && ahead {
            found.leader = Some((loss, point.to_vec()));
        }
        Ok(Some(loss))
    }

    /// Returns whether a setting is surely worse than the leader, on the batches that both have played: their
    /// difference exceeds [`DROP_AT`] standard errors of the jackknife. False for the leader itself, without one, and
    /// with fewer than two common batches.
    fn is_beaten(&self, point: &[u8], found: &Explored) -> bool {
        let Some((_, leader)) = found.leader.as_ref().filter(|(_, leader)| leader != point) else {
            return false;
        };
        let (Some(mine), Some(theirs)) = (found.batches.get(point), found.batches.get(leader)) else {
            return false;
        };
        let common = mine.len().min(theirs.len());
        if common < 2 {
            return false;
        }
        let penalty = PENALTY * (self.distance(point) - self.distance(leader));
        let difference = |without: Option<usize>| {
            let part = |batches: &[DesignSample]| {
                let kept: Vec<_> =
                    (0..common).filter(|&i| Some(i) != without).map(|i| batches[i].clone()).collect();
                self.loss(&sum(&kept, &self.empty()))
            };
            part(mine) - part(theirs) + penalty
        };
        let parts: Vec<f64> = (0..common).map(|i| difference(Some(i))).collect();
        let mean = parts.iter().sum::<f64>() / common as f64;
        let squares: f64 = parts.iter().map(|part| (part - mean) * (part - mean)).sum();
        let error = (squares * (common - 1) as f64 / common as f64).sqrt();
        difference(None) > DROP_AT * error.max(1e-9)
    }

    /// Returns the settings to confirm, as points of the grid: the designer's first, then those of the Pareto
    /// front, the lowest loss with penalty first, at most [`MOST_CONFIRMED`].
    pub(super) fn candidates(&self, found: &SearchedDesign) -> Vec<GridPoint> {
        let usual = self.usual();
        let mut points = vec![usual.clone()];
        points
            .extend(self.front(&found.full).into_iter().filter(|point| *point != usual).take(MOST_CONFIRMED));
        points
    }

    /// Returns the seed of the dice of the confirmation, which depends on the seed of the run alone. The search does not
    /// use these dice.
    pub(super) fn fresh_seed(&self) -> u64 {
        Rng::stream(!self.seed, u64::MAX).bits()
    }

    /// Returns the result of the run from that of the search and from the confirmation of its
    /// [`candidates`](Self::candidates): `confirmed` has their samples in their order and by bot. The best
    /// setting is the one with the lowest [`confirmed_loss`](Self::confirmed_loss), of equals the first.
    /// Plays nothing.
    pub(super) fn conclude(&self, found: &SearchedDesign, confirmed: Vec<Vec<DesignSample>>) -> TunedDesign {
        let setting = |(point, confirmed): (GridPoint, Vec<DesignSample>)| {
            let full = found.full.iter().find(|(other, _)| *other == point);
            TunedSetting {
                changes: self.changes(&point),
                distance: self.distance(&point),
                searched: full.map_or(&found.usual, |(_, sample)| sample).clone(),
                confirmed,
            }
        };
        let settings: Vec<TunedSetting> =
            self.candidates(found).into_iter().zip(confirmed).map(setting).collect();
        let best = (0..settings.len()).min_by(|&a, &b| {
            self.confirmed_loss(&settings[a]).total_cmp(&self.confirmed_loss(&settings[b])).then(a.cmp(&b))
        });
        let cloud =
            found.full.iter().map(|(point, sample)| (self.distance(point), self.loss(sample))).collect();
        TunedDesign { settings, best: best.unwrap_or(0), cloud, tried: found.tried, games: found.games }
    }

    /// Returns the mean loss of the confirmation of a setting over all bots, and half of its distance from
    /// the designer's numbers as a penalty. Lower is better.
    pub fn confirmed_loss(&self, setting: &TunedSetting) -> f64 {
        let losses = setting.confirmed.iter().map(|sample| self.loss(sample));
        losses.sum::<f64>() / setting.confirmed.len().max(1) as f64 + PENALTY * setting.distance
    }

    /// Returns the sum of the losses of all goals ([`Goal::loss`]) on these games; 0 if all are met, lower is
    /// better. The penalty for the distance is not in it.
    pub fn loss(&self, sample: &DesignSample) -> f64 {
        self.goals.iter().map(|goal| goal.loss(sample)).sum()
    }

    /// Returns the Pareto front of the settings `full`, which were played in full: those that no other one
    /// beats. A setting beats another if it is at least as good in every goal and in the distance, and better
    /// in one. Those with the lowest loss and penalty come first, equals in their order.
    fn front(&self, full: &[(GridPoint, DesignSample)]) -> Vec<GridPoint> {
        let rated: Vec<Vec<f64>> = full
            .iter()
            .map(|(point, sample)| {
                let losses = self.goals.iter().map(|goal| goal.loss(sample));
                losses.chain([self.distance(point)]).collect()
            })
            .collect();
        let beats = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a <= b) && a != b;
        let mut front: Vec<usize> =
            (0..full.len()).filter(|&i| !rated.iter().any(|other| beats(other, &rated[i]))).collect();
        let total = |i: usize| self.loss(&full[i].1) + PENALTY * self.distance(&full[i].0);
        front.sort_by(|&a, &b| total(a).total_cmp(&total(b)).then(a.cmp(&b)));
        front.into_iter().map(|i| full[i].0.clone()).collect()
    }

    /// Returns the sums of these games of the setting at `point`, with this bot at all seats and dice from the seed.
    /// Takes them from the journal, or plays and stores them.
    ///
    /// # Errors
    ///
    /// Fails if a game fails, or the journal cannot be used.
    fn play(
        &self,
        point: &[u8],
        bot: Spec,
        seed: u64,
        games: Range<u64>,
        threads: usize,
        journal: &mut TuneJournal,
    ) -> Result<DesignSample, TuneError> {
        let key = format!("{point:?} {bot} {seed} {games:?}");
        let sums = journal.batch(&key, || self.play_games(point, bot, seed, games, threads))?;
        let mut sample = self.empty();
        match sample.set_sums(&sums) {
            true => Ok(sample),
            false => Err(TuneJournalError::Other("figures".to_owned()).into()),
        }
    }

    /// Plays these games of the setting at `point` with this bot at all seats, on this number of threads and with
    /// dice from the seed, and returns their sums as a list ([`DesignSample::to_sums`]). Does not use the journal.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, or a game fails or panics.
    pub(super) fn play_games(
        &self,
        point: &[u8],
        bot: Spec,
        seed: u64,
        games: Range<u64>,
        threads: usize,
    ) -> Result<Vec<u64>, TuneError> {
        let table = self.game.table(self.seats, &self.at(point)).map_err(TournamentError::from)?;
        let draw = Draw::new(&vec![bot; usize::from(self.seats)], seed);
        let items = self.items().len();
        let work = |game: u64| {
            let mut story = Story::new(items, self.seats, false);
            let played = table.play(draw.seating(game), Some(&mut story)).map_err(|reason| (game, reason))?;
            Ok((GameSummary::new(&played, &story), story))
        };
        let mut sample = self.empty();
        let ended = run::run(games, threads, work, |_, (summary, story)| {
            sample.add(&summary, &story);
            ControlFlow::Continue(())
        });
        ended.map_err(|broken| match broken {
            RunError::Failed((game, reason)) => TournamentError::Game { seed, game, reason },
            RunError::Panicked => TournamentError::Panicked,
        })?;
        Ok(sample.to_sums())
    }

    /// Returns the items of the game if a goal is about dead options, which must be counted; else none.
    fn items(&self) -> Vec<Item> {
        let wanted = self.goals.iter().any(|goal| goal.kind == GoalKind::Dead);
        if wanted { self.game.items() } else { Vec::new() }
    }

    /// Returns sums of no games, with the seats and the counted items of the run.
    pub(super) fn empty(&self) -> DesignSample {
        DesignSample::new(self.seats, &self.items())
    }

    /// Returns the number of games of a batch: a four-hundredth of the budget, at least 10 and at most 500.
    fn batch(&self) -> u64 {
        (self.budget / 400).clamp(10, 500)
    }

    /// Returns the number of games of the confirmation by a bot: those of the run, or a tenth of them, but at least
    /// 20 if there are as many, for a bot that searches.
    pub(super) fn confirm_games(&self, bot: Spec) -> u64 {
        if bot.level == Level::Emperor { (self.confirm / 10).max(20).min(self.confirm) } else { self.confirm }
    }

    /// Returns all options of the game for a setting: those of the run with the values of the point in place
    /// of the varied ones. The point must be one of the grid.
    fn at(&self, point: &[u8]) -> Value {
        let mut options = self.options.clone();
        for (varied, &i) in self.varied.iter().zip(point) {
            put(&mut options, &varied.name, varied.values[usize::from(i)].clone());
        }
        options
    }

    /// Returns what a setting changes in the designer's numbers, as name and value, in the order of the varied
    /// options. The point must be one of the grid.
    fn changes(&self, point: &[u8]) -> Vec<(String, Value)> {
        let each = self.varied.iter().zip(point);
        let values = each.map(|(varied, &i)| (varied.name.clone(), varied.values[usize::from(i)].clone()));
        values
            .filter(|(name, value)| pentarchy_engine::options::get(&self.options, name) != Some(value))
            .collect()
    }

    /// Returns the mean distance of a setting from the designer's numbers, from 0 to 1: for each varied
    /// option the steps on the grid between its value and the designer's, as a share of the steps from its
    /// first value to its last.
    fn distance(&self, point: &[u8]) -> f64 {
        let each = self.varied.iter().zip(point);
        let far = |(varied, &i): (&TunedOption, &u8)| {
            f64::from(i.abs_diff(varied.usual)) / (varied.values.len().max(2) - 1) as f64
        };
        each.map(far).sum::<f64>() / self.varied.len().max(1) as f64
    }
}

/// Returns the sum of some batches with equal seats and options; `empty` are the sums of no games of that
/// kind, and are the result without batches.
fn sum(batches: &[DesignSample], empty: &DesignSample) -> DesignSample {
    let mut all = empty.clone();
    batches.iter().for_each(|batch| all.merge(batch));
    all
}

/// Sets the value at a dotted path of a JSON table and adds missing tables. What is on the path must be a table, null
/// or missing; else it panics.
fn put(all: &mut Value, path: &str, value: Value) {
    let mut at = all;
    for name in path.split('.') {
        at = &mut at[name];
    }
    *at = value;
}
