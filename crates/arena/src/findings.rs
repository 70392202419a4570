//! What a lab run has found: sums by setting, duels, and the worth of options.

use crate::balance::{Balance, GameSummary, WHOLE};
use crate::lab::{Lab, Setting};
use crate::measure::{Mean, Measure};
use crate::sequential::ConfidenceSequence;
use crate::statistics::{Interval, Moments, wilson};
use crate::story::Story;
use pentarchy_bots::Spec;
use pentarchy_engine::Outcome;
use serde::{Deserialize, Serialize};

/// Half of the width, in points of winning share, at which the worth of an option is known well enough.
const PRECISE: f64 = 1.0;

/// The sums of some games with one setting. Sums of different games can be merged in any order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingTally {
    /// The balance figures.
    pub balance: Balance,
    /// The distribution of each measure.
    values: Vec<Moments>,
    /// The difference of each measure to the same game with the first setting.
    differences: Vec<Moments>,
}

impl SettingTally {
    /// Creates the sums of no game, with an entry per measure, for games with `seats` seats and `items`
    /// items.
    pub(crate) fn new(seats: u8, items: usize) -> Self {
        let none = vec![Moments::default(); Measure::all(seats).len()];
        SettingTally { balance: Balance::new(seats, items), values: none.clone(), differences: none }
    }

    /// Adds a game to all figures, and its differences to `first`, the game of this number with the first
    /// setting. A figure that the game does not have is left out, and its difference too if `first` does not
    /// have it. `summary` and `story` must be of one game, with the seats and items of these sums.
    pub(crate) fn add(&mut self, first: &GameSummary, summary: &GameSummary, story: &Story) {
        self.balance.add(summary, story);
        for (i, measure) in Measure::all(self.balance.seats).into_iter().enumerate() {
            let Some(value) = measure.of(summary) else { continue };
            self.values[i].add(value);
            if let Some(before) = measure.of(first) {
                self.differences[i].add(value - before);
            }
        }
    }

    /// Adds all sums of other games with the same setting, seats and items.
    fn merge(&mut self, other: &SettingTally) {
        self.balance.merge(&other.balance);
        self.values.iter_mut().zip(&other.values).for_each(|(sum, part)| sum.merge(part));
        self.differences.iter_mut().zip(&other.differences).for_each(|(sum, part)| sum.merge(part));
    }
}

/// The findings for one setting.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The setting.
    pub setting: Setting,
    /// The sums of its games.
    pub tally: SettingTally,
}

impl Finding {
    /// Returns the balance figures of its games.
    pub fn balance(&self) -> &Balance {
        &self.tally.balance
    }

    /// Returns the mean of a measure over all games of this setting, in the unit of its name and with its 95
    /// % interval; `None` if no game has this figure, or for a seat that does not exist.
    pub fn value(&self, measure: Measure) -> Option<Mean> {
        self.mean_of(&self.tally.values, measure)
    }

    /// Returns the mean difference of a measure to the first setting, game by game; `None` if no game has
    /// this figure with both. The first setting differs from itself by 0.
    pub fn difference(&self, measure: Measure) -> Option<Mean> {
        self.mean_of(&self.tally.differences, measure)
    }

    /// Returns the mean of a measure, in its unit and with its 95 % interval, from the sums `from`, which has
    /// one entry per measure in the order of [`Measure::all`]; `None` without values, or for a seat that does
    /// not exist.
    fn mean_of(&self, from: &[Moments], measure: Measure) -> Option<Mean> {
        let place = Measure::all(self.balance().seats).iter().position(|&m| m == measure)?;
        Mean::of(from.get(place)?, measure.scale())
    }
}

/// The results of one bot of a strategy among bots of another. Sums of different games can be merged in any
/// order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuelTally {
    /// Number of games.
    pub games: u64,
    /// The shares of the single bot (0) and the first of the others (1) in all victories, in parts of [`WHOLE`].
    parts: [u64; 2],
}

impl DuelTally {
    /// Adds a game to the counts of the single bot (0) and of the first of the others (1). `places` are the bots by
    /// seat, as indexes; others than 0 and 1 are not counted.
    pub(crate) fn add(&mut self, outcome: &Outcome, places: &[usize]) {
        self.games += 1;
        let winners = outcome.winners().count() as u64;
        for seat in outcome.winners() {
            if let Some(&bot) = places.get(seat.index()).filter(|bot| **bot < 2) {
                self.parts[bot] += WHOLE / winners.max(1);
            }
        }
    }

    /// Adds the number of games and the shares of both bots in other games of the same duel.
    pub(crate) fn merge(&mut self, other: &DuelTally) {
        self.games += other.games;
        self.parts.iter_mut().zip(other.parts).for_each(|(sum, part)| *sum += part);
    }

    /// Returns the share of games that a bot won, from 0 to 1; a shared victory counts in part. 0 without
    /// games. `bot` is 0 for the single bot, 1 for one of the others; others panic.
    pub fn share(&self, bot: usize) -> f64 {
        self.parts[bot] as f64 / WHOLE as f64 / self.games.max(1) as f64
    }

    /// Returns the 95 % interval of the share of a bot, from 0 to 1. The whole range without games. `bot` is 0
    /// for the single bot, 1 for one of the others; others panic.
    pub fn interval(&self, bot: usize) -> Interval {
        wilson(self.parts[bot] as f64 / WHOLE as f64, self.games)
    }
}

/// One bot of a strategy among bots of another.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The single bot.
    pub one: Spec,
    /// All other bots.
    pub others: Spec,
    /// The results.
    pub tally: DuelTally,
}

/// The results of restricted play for one option. Sums of different games can be merged in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorthTally {
    /// By pair of games: share of the seat in the victory with the option minus that without it, in parts of
    /// [`WHOLE`].
    pub differences: Moments,
    /// Number of pairs in which the option was on offer; the others are the same game twice and differ by 0.
    pub offered: u64,
    /// Number of decisions at which the denied seat had no other legal action.
    pub forced: u64,
}

impl WorthTally {
    /// Adds the differences and counts of other pairs of the same option.
    fn merge(&mut self, other: &WorthTally) {
        self.differences.merge(&other.differences);
        self.offered += other.offered;
        self.forced += other.forced;
    }
}

/// What is known about the worth of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorthState {
    /// It was never on offer to the denied seat.
    NeverOffered,
    /// It differs from 0; no more games were played.
    Sure,
    /// It is within a point of the mean; no more games were played.
    Precise,
    /// The planned games do not tell.
    Open,
}

/// The worth of an option by restricted play, in points of winning share.
#[derive(Clone, PartialEq, Debug)]
pub struct Worth {
    /// The results.
    pub tally: WorthTally,
    /// What is known.
    pub state: WorthState,
    /// The confidence sequence of the differences, in parts of a victory.
    sequence: ConfidenceSequence,
}

impl Worth {
    /// Returns the mean worth in percentage points: the share of the victory that a seat wins with the option
    /// less that without it. Negative if it wins more without; 0 without pairs.
    pub fn mean(&self) -> f64 {
        self.tally.differences.mean() * POINTS_PER_PART
    }

    /// Returns the confidence sequence of the worth in points, corrected for the number of options. Without bounds
    /// before [`FIRST_LOOK`](crate::sequential::FIRST_LOOK) pairs.
    pub fn interval(&self) -> Interval {
        let half = self.sequence.half_width(self.pairs(), self.deviation()) * POINTS_PER_PART;
        Interval { low: self.mean() - half, high: self.mean() + half }
    }

    /// Returns the standard deviation of the differences, in parts of a victory, as if the option had also won
    /// and lost one game more. Without these, pairs that happen to be equal would seem to be known for certain.
    fn deviation(&self) -> f64 {
        let mut padded = self.tally.differences;
        padded.add(WHOLE as i64);
        padded.add(-(WHOLE as i64));
        padded.deviation()
    }

    /// Returns the number of pairs of games for this option, those included in which it was never on offer
    /// and which differ by 0.
    pub fn pairs(&self) -> u64 {
        self.tally.differences.count
    }

    /// Returns about how many pairs would show a worth as large as the mean, or within a point if the mean is
    /// smaller; `None` if the option was never on offer, or it takes more than 10^12.
    pub fn pairs_needed(&self) -> Option<u64> {
        let wanted = self.mean().abs().max(PRECISE) / POINTS_PER_PART;
        (self.tally.offered > 0).then(|| self.sequence.values_for(wanted, self.deviation()))?
    }

    /// Returns whether no more games are needed: the state is `Sure` or `Precise`.
    pub fn is_decided(&self) -> bool {
        matches!(self.state, WorthState::Sure | WorthState::Precise)
    }

    /// Updates the state from the sums: `NeverOffered`, else `Sure` if the interval excludes 0, else
    /// `Precise` if it is at most 2 points wide, else `Open`.
    fn update_state(&mut self) {
        let interval = self.interval();
        self.state = match self.tally.offered {
            0 => WorthState::NeverOffered,
            _ if !interval.has(0.0) => WorthState::Sure,
            _ if interval.width() <= 2.0 * PRECISE => WorthState::Precise,
            _ => WorthState::Open,
        };
    }
}

/// Points of winning share per part of a victory.
const POINTS_PER_PART: f64 = 100.0 / WHOLE as f64;

/// The sums of consecutive games of a lab run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabBatch {
    /// By setting.
    pub(crate) settings: Vec<SettingTally>,
    /// By option, in the order of the items of the game; empty without restricted play.
    pub(crate) worths: Vec<WorthTally>,
}

impl LabBatch {
    /// Creates the sums of no game, for each setting of this run and, with restricted play, for each option
    /// in the order of the items of the game.
    pub(crate) fn new(lab: &Lab) -> Self {
        let items = lab.game.items().len();
        let setting = |_: &Setting| SettingTally::new(lab.seats(), items);
        let options = if lab.restrict_games > 0 { items } else { 0 };
        LabBatch {
            settings: lab.settings.iter().map(setting).collect(),
            worths: vec![WorthTally::default(); options],
        }
    }

    /// Adds the sums of other games of the same batch, setting by setting and option by option. Both must be
    /// of one run; that is not checked.
    pub(crate) fn merge(&mut self, other: &LabBatch) {
        self.settings.iter_mut().zip(&other.settings).for_each(|(sum, part)| sum.merge(part));
        self.worths.iter_mut().zip(&other.worths).for_each(|(sum, part)| sum.merge(part));
    }
}

/// The share of a seat, tracked by a confidence sequence over the first setting.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatFinding {
    /// The number of games after which the share was known to differ from a fair one; `None` if it is not.
    pub sure_after: Option<u64>,
    /// The confidence sequence of the share, from 0 to 1, corrected for the number of seats.
    pub interval: Interval,
    /// About how many games show a difference of one point; `None` before the first batch, and if it takes more than
    /// 10^12.
    pub games_for_a_point: Option<u64>,
}

/// All findings of a lab run.
#[derive(Clone, Debug)]
pub struct Findings {
    /// By setting.
    pub settings: Vec<Finding>,
    /// Duels of strategies, with the first setting.
    pub duels: Vec<Duel>,
    /// The worth of each option, in the order of the items of the game; empty without restricted play.
    pub worths: Vec<Worth>,
    /// By seat.
    pub seats: Vec<SeatFinding>,
    /// Whether the run stopped before its last game, because the shares of all seats were known well enough.
    pub stopped: bool,
}

impl Findings {
    /// Creates the findings of no game of this run: an entry per setting and seat, and per option with
    /// restricted play; no duels, no option offered, and no seat known (intervals from 0 to 1).
    pub(crate) fn new(lab: &Lab) -> Self {
        let batch = LabBatch::new(lab);
        let pairs = lab.settings.iter().zip(batch.settings);
        let sequence = ConfidenceSequence::new(batch.worths.len(), lab.restrict_games);
        let worth = |tally| Worth { tally, state: WorthState::NeverOffered, sequence };
        let none = Interval { low: 0.0, high: 1.0 };
        let seat = SeatFinding { sure_after: None, interval: none, games_for_a_point: None };
        Findings {
            settings: pairs.map(|(setting, tally)| Finding { setting: setting.clone(), tally }).collect(),
            duels: Vec::new(),
            worths: batch.worths.into_iter().map(worth).collect(),
            seats: vec![seat; usize::from(lab.seats())],
            stopped: false,
        }
    }

    /// Adds the next batch of the run, updates the states of options and seats by their confidence sequences,
    /// and stops those options that are decided: later batches no longer change their worth. Stops the whole
    /// run if all seats are known well enough; does nothing after that. Returns for each option in order
    /// whether it is decided. Batches must be added in order; that is not checked.
    pub(crate) fn push(&mut self, lab: &Lab, batch: &LabBatch) -> Vec<bool> {
        if !self.stopped {
            self.settings.iter_mut().zip(&batch.settings).for_each(|(sum, part)| sum.tally.merge(part));
            for (worth, part) in self.worths.iter_mut().zip(&batch.worths) {
                if !worth.is_decided() {
                    worth.tally.merge(part);
                    worth.update_state();
                }
            }
            self.look_at_seats(lab);
        }
        self.worths.iter().map(Worth::is_decided).collect()
    }

    /// Updates the interval of each seat, and what its share needs to be known, from the games of the first
    /// setting so far. A seat that once was sure stays so. Stops the run if [`Lab::until`] is set and the
    /// interval of every seat is at most twice as wide. No effect without settings.
    fn look_at_seats(&mut self, lab: &Lab) {
        let Some(first) = self.settings.first() else { return };
        let (balance, seats) = (&first.tally.balance, usize::from(lab.seats()));
        let sequence = ConfidenceSequence::new(seats, lab.games);
        let mut known = seats > 0;
        for (seat, found) in self.seats.iter_mut().enumerate() {
            // The first measures are the wins of the seats.
            let shares = &first.tally.values[seat];
            let Interval { low, high } = sequence.interval(shares);
            let scale = 1.0 / WHOLE as f64;
            found.interval = Interval { low: (low * scale).max(0.0), high: (high * scale).min(1.0) };
            found.games_for_a_point = sequence.values_for(0.01 * WHOLE as f64, shares.deviation());
            if found.sure_after.is_none() && !found.interval.has(balance.fair()) {
                found.sure_after = Some(balance.games);
            }
            known &= lab.until.is_some_and(|wanted| (high - low) * scale <= 2.0 * wanted);
        }
        self.stopped = known;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_engine::Rng;

    #[test]
    fn equal_pairs_are_not_known_for_certain() {
        let sequence = ConfidenceSequence::new(40, 10_000);
        let equal = |pairs: u64| {
            let mut tally = WorthTally { offered: pairs, ..WorthTally::default() };
            (0..pairs).for_each(|_| tally.differences.add(0));
            let mut worth = Worth { tally, state: WorthState::NeverOffered, sequence };
            worth.update_state();
            worth.state
        };
        assert_eq!([equal(50), equal(200)], [WorthState::Open; 2]);
        assert_eq!(equal(10_000), WorthState::Precise);
    }

    #[test]
    fn the_share_of_a_duel_lies_in_its_interval() {
        let mut rng = Rng::new(11);
        for seats in 2..=4_usize {
            for games in [1, 10, 300] {
                let mut tally = DuelTally::default();
                for _ in 0..games {
                    let scores: Vec<i32> = (0..seats).map(|_| rng.below(3) as i32).collect();
                    let outcome = Outcome::by_score(&scores);
                    let outcome = if rng.below(9) == 0 { outcome.unwon() } else { outcome };
                    tally.add(&outcome, &(0..seats).collect::<Vec<_>>());
                }
                for bot in 0..2 {
                    let (share, interval) = (tally.share(bot), tally.interval(bot));
                    assert!(interval.has(share), "{seats} seats, {games} games: {share}, {interval:?}");
                }
            }
        }
        let mut drawn = DuelTally::default();
        (0..100).for_each(|_| drawn.add(&Outcome::by_score(&[0, 0]), &[0, 1]));
        assert!(drawn.interval(0).has(0.5) && drawn.interval(0).low > 0.4, "{:?}", drawn.interval(0));
    }
}
