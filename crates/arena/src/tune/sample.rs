//! The figures of a batch of games that goals are measured by: sums, so that batches can be added up.

use crate::balance::{GameSummary, POINTS, WHOLE};
use crate::statistics::wilson_at;
use crate::story::{Story, VERBS};
use pentarchy_engine::Item;

/// An option is dead if it is taken at fewer than this share of its opportunities.
const RARELY: f64 = 0.01;
/// Minimum number of opportunities for a conclusion.
const ENOUGH: u64 = 50;
/// Number of sums before those of seats and options.
const FIXED: usize = 7;

/// Sums of some games with the same options and bots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DesignSample {
    /// Number of seats.
    seats: u8,
    /// Number of games.
    games: u64,
    /// Number of games that no seat won.
    nobody: u64,
    /// Estimated seconds between people.
    seconds: u64,
    /// Number of games that have rounds.
    counted: u64,
    /// Their rounds.
    rounds: u64,
    /// Number of games in which a seat led alone at half-time.
    led: u64,
    /// Number of games in which that seat won.
    held: u64,
    /// Victories of each seat, in parts.
    parts: Vec<u64>,
    /// By option and verb: number of decisions at which it could be used, and at which it was.
    options: Vec<[u64; 2 * VERBS]>,
    /// The first option of the group of each option, in which all share a verb.
    groups: Vec<usize>,
}

impl DesignSample {
    /// Creates sums of no games with this number of seats. `items` are the options to count; empty counts none.
    pub fn new(seats: u8, items: &[Item]) -> Self {
        let first = |item: &Item| items.iter().position(|other| other.group == item.group).unwrap_or(0);
        DesignSample {
            seats,
            games: 0,
            nobody: 0,
            seconds: 0,
            counted: 0,
            rounds: 0,
            led: 0,
            held: 0,
            parts: vec![0; usize::from(seats)],
            options: vec![[0; 2 * VERBS]; items.len()],
            groups: items.iter().map(first).collect(),
        }
    }

    /// Adds a game: who won, its length and rounds, whether the sole leader at half-time won, and the opportunities
    /// and uses of the options. `summary` and `story` must be of one game, with the seats and items of these sums;
    /// otherwise it may panic.
    pub fn add(&mut self, summary: &GameSummary, story: &Story) {
        self.games += 1;
        self.nobody += u64::from(summary.nobody);
        self.seconds += summary.seconds;
        if let Some(rounds) = summary.rounds {
            self.counted += 1;
            self.rounds += u64::from(rounds);
        }
        self.parts.iter_mut().zip(summary.parts).for_each(|(sum, parts)| *sum += parts);
        let half = story.standings.len().saturating_sub(1) * (POINTS / 2) / (POINTS - 1);
        if let (Some(winner), Some(now)) = (summary.winner, story.standings.get(half)) {
            let now = &now[..usize::from(self.seats)];
            let most = now.iter().max();
            let mut first = (0..now.len()).filter(|&seat| Some(&now[seat]) == most);
            if let (Some(leader), None) = (first.next(), first.next()) {
                self.led += 1;
                self.held += u64::from(leader == winner.index());
            }
        }
        for (item, sums) in self.options.iter_mut().enumerate() {
            for verb in 0..VERBS {
                sums[2 * verb] += u64::from(story.offered[item][verb]);
                sums[2 * verb + 1] += u64::from(story.taken[item][verb]);
            }
        }
    }

    /// Adds the sums of other games, which must have the same seats and options; that is not checked.
    pub fn merge(&mut self, other: &DesignSample) {
        let sums = self.to_sums().into_iter().zip(other.to_sums()).map(|(a, b)| a + b).collect::<Vec<_>>();
        self.set_sums(&sums);
    }

    /// Returns all sums as a list, for a journal: first those of the games, then by seat, then by option.
    pub fn to_sums(&self) -> Vec<u64> {
        let fixed = [self.games, self.nobody, self.seconds, self.counted, self.rounds, self.led, self.held];
        fixed
            .into_iter()
            .chain(self.parts.iter().copied())
            .chain(self.options.iter().flatten().copied())
            .collect()
    }

    /// Replaces all sums by a list as of [`to_sums`](Self::to_sums) and returns whether its length fits; changes nothing
    /// otherwise.
    pub fn set_sums(&mut self, sums: &[u64]) -> bool {
        let seats = self.parts.len();
        if sums.len() != FIXED + seats + 2 * VERBS * self.options.len() {
            return false;
        }
        let fixed = [
            &mut self.games,
            &mut self.nobody,
            &mut self.seconds,
            &mut self.counted,
            &mut self.rounds,
            &mut self.led,
            &mut self.held,
        ];
        fixed.into_iter().zip(sums).for_each(|(sum, value)| *sum = *value);
        self.parts.copy_from_slice(&sums[FIXED..FIXED + seats]);
        for (option, values) in self.options.iter_mut().zip(sums[FIXED + seats..].chunks_exact(2 * VERBS)) {
            option.copy_from_slice(values);
        }
        true
    }

    /// Returns the number of seats.
    pub fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the largest difference between the share of a seat and an equal share of the won games, from 0 to 1;
    /// `None` without games.
    pub fn deviation(&self) -> Option<f64> {
        let fair = self.fair()?;
        let share = |parts: &u64| (*parts as f64 / WHOLE as f64 / self.games as f64 - fair).abs();
        self.parts.iter().map(share).max_by(f64::total_cmp)
    }

    /// Returns whether the interval of the share of each seat, for the normal quantile `z`, holds an equal share.
    /// True without games.
    pub fn is_fair(&self, z: f64) -> bool {
        let Some(fair) = self.fair() else { return true };
        self.parts.iter().all(|&parts| wilson_at(parts as f64 / WHOLE as f64, self.games, z).has(fair))
    }

    /// Returns the equal share of each seat of the games that some seat won; `None` without games.
    fn fair(&self) -> Option<f64> {
        let won = (self.games - self.nobody) as f64;
        (self.games > 0).then(|| won / self.games as f64 / f64::from(self.seats.max(1)))
    }

    /// Returns the mean of the estimated minutes; `None` without games.
    pub fn minutes(&self) -> Option<f64> {
        (self.games > 0).then(|| self.seconds as f64 / 60.0 / self.games as f64)
    }

    /// Returns the mean number of rounds; `None` without games, and for a game without rounds.
    pub fn rounds(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.rounds as f64 / self.counted as f64)
    }

    /// Returns the share of games that the sole leader at half-time wins; `None` if no game had one.
    pub fn lead(&self) -> Option<f64> {
        (self.led > 0).then(|| self.held as f64 / self.led as f64)
    }

    /// Returns the number of dead options. An option that is taken at fewer than one in a hundred opportunities
    /// counts in part: entirely if it is never taken, not at all at one in a hundred. It is judged by the first use
    /// that is possible in its group, and only after 50 opportunities. `None` if no option is counted or none was
    /// possible.
    pub fn dead(&self) -> Option<f64> {
        let possible = |group: usize, verb: usize| {
            let members = self.groups.iter().zip(&self.options).filter(|(g, _)| **g == group);
            members.into_iter().any(|(_, sums)| sums[2 * verb] > 0)
        };
        let mut any = false;
        let mut dead = 0.0;
        for (&group, sums) in self.groups.iter().zip(&self.options) {
            let Some(verb) = (0..VERBS).find(|&verb| possible(group, verb)) else { continue };
            let (offered, taken) = (sums[2 * verb], sums[2 * verb + 1]);
            any = true;
            if offered >= ENOUGH {
                dead += (1.0 - taken as f64 / offered as f64 / RARELY).max(0.0);
            }
        }
        any.then_some(dead)
    }
}
