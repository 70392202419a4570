//! Balance figures of many games: sums whose size does not grow with the number of games.

use crate::play::Played;
use crate::statistics::{Histogram, Interval, Moments, Z95, wilson_at};
use crate::story::{Story, VERBS};
use pentarchy_engine::{MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of parts of a victory, divisible by any number of seats that can share it.
pub const WHOLE: u64 = 420;

/// Number of points of a curve over a game: its beginning, each twentieth, its end.
pub const POINTS: usize = 21;

/// The figures of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// Share of each seat in the victory, in parts of [`WHOLE`].
    pub parts: [u64; MAX_SEATS],
    /// The sole winner.
    pub winner: Option<Seat>,
    /// Whether no seat won.
    pub nobody: bool,
    /// Whether the game ended at its limit.
    pub capped: bool,
    /// Number of rounds, for games that have them.
    pub rounds: Option<u32>,
    /// Number of turns.
    pub turns: u32,
    /// Number of decisions.
    pub decisions: u32,
    /// Estimated seconds of a game between people.
    pub seconds: u64,
    /// Number of changes of the lead, for games that can name a leader.
    pub changes: Option<u32>,
    /// Percentage of the turns after which the winner kept the lead to the end.
    pub decided: Option<u32>,
}

impl GameSummary {
    /// Computes the figures of a game from its outcome and its story. The figures about the lead are `None`
    /// if the story has fewer than two standings.
    pub fn new(played: &Played, story: &Story) -> Self {
        let outcome = &played.outcome;
        let winners = outcome.winners().count() as u64;
        let mut parts = [0; MAX_SEATS];
        outcome.winners().for_each(|seat| parts[seat.index()] = WHOLE / winners.max(1));
        let leaders: Vec<Option<Seat>> = story.standings.iter().map(|s| leader(s, story.seats)).collect();
        let told = leaders.len() > 1;
        GameSummary {
            parts,
            winner: outcome.winner(),
            nobody: winners == 0,
            capped: outcome.is_capped(),
            rounds: story.rounds,
            turns: story.turns,
            decisions: played.decisions,
            seconds: story.seconds,
            changes: told.then(|| changes(&leaders)),
            decided: outcome.winner().filter(|_| told).map(|winner| decided(&leaders, winner)),
        }
    }
}

/// Returns the seat that leads alone among the first `seats` seats; `None` if several share the lead or there
/// are none.
fn leader(standing: &[i32; MAX_SEATS], seats: u8) -> Option<Seat> {
    let here = &standing[..usize::from(seats).min(MAX_SEATS)];
    let most = here.iter().max()?;
    let mut first = here.iter().enumerate().filter(|(_, s)| *s == most).map(|(i, _)| Seat(i as u8));
    first.next().filter(|_| first.next().is_none())
}

/// Counts how often another seat than the last sole leader leads alone; `leaders` are the sole leaders in
/// order. Ties in between do not count.
fn changes(leaders: &[Option<Seat>]) -> u32 {
    let named: Vec<Seat> = leaders.iter().copied().flatten().collect();
    named.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
}

/// Returns the percentage of the game, 0 to 100, from which on `winner` led alone. `leaders` are the sole
/// leaders in order. The end itself counts as leading alone, because ties are broken there. 0 without
/// leaders.
fn decided(leaders: &[Option<Seat>], winner: Seat) -> u32 {
    let last = leaders.len().saturating_sub(1);
    let led = leaders[..last].iter().rev().take_while(|&&l| l == Some(winner)).count();
    (100 * (last - led) / last.max(1)) as u32
}

/// Curves over the course of a game, for the winner and for the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    /// Standing of the winner at each point.
    pub winner: [Moments; POINTS],
    /// Standing of the other seats at each point.
    pub others: [Moments; POINTS],
    /// Number of games with a sole winner in which a seat led alone at each point.
    pub led: [u64; POINTS],
    /// Number of these games that this seat won.
    pub held: [u64; POINTS],
}

impl Course {
    /// Adds the standings of a game that `winner` won alone, at [`POINTS`] evenly spaced points: to the
    /// winner's curve or that of the others, and who led alone to the counts of leads. Adds nothing if the
    /// story has no standings.
    fn add(&mut self, story: &Story, winner: Seat) {
        let last = story.standings.len().saturating_sub(1);
        for point in 0..POINTS {
            let Some(now) = story.standings.get((point * last + (POINTS - 1) / 2) / (POINTS - 1)) else {
                return;
            };
            for seat in (0..story.seats).map(Seat) {
                let to = if seat == winner { &mut self.winner } else { &mut self.others };
                to[point].add(i64::from(now[seat.index()]));
            }
            if let Some(first) = leader(now, story.seats) {
                self.led[point] += 1;
                self.held[point] += u64::from(first == winner);
            }
        }
    }
}

impl Course {
    /// Adds the sums and counts of other games to these, point by point. The games of the two must be
    /// different ones.
    fn merge(&mut self, other: &Course) {
        for point in 0..POINTS {
            self.winner[point].merge(&other.winner[point]);
            self.others[point].merge(&other.others[point]);
            self.led[point] += other.led[point];
            self.held[point] += other.held[point];
        }
    }
}

/// Adds a number to the sum under this name in `sums`; a new name begins at 0. Allocates only for a new name.
fn add_to(sums: &mut BTreeMap<String, u64>, name: &str, number: u64) {
    match sums.get_mut(name) {
        Some(sum) => *sum += number,
        None => drop(sums.insert(name.to_string(), number)),
    }
}

/// Use of an item in one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    /// Number of uses, over all games and seats.
    pub times: u64,
    /// Number of times that a seat used it at least once in a game.
    pub users: u64,
    /// Share of these seats in victories, in parts of [`WHOLE`].
    pub parts: u64,
    /// Number of decisions at which it could be used.
    pub offered: u64,
    /// Number of decisions at which it was used.
    pub taken: u64,
}

impl Use {
    /// Adds all counts of the use of this item, in the same way, in other games.
    fn merge(&mut self, other: &Use) {
        self.times += other.times;
        self.users += other.users;
        self.parts += other.parts;
        self.offered += other.offered;
        self.taken += other.taken;
    }

    /// Returns the share of games that its users won, from 0 to 1; a shared victory counts in part. 0 without
    /// users.
    pub fn share(&self) -> f64 {
        self.parts as f64 / WHOLE as f64 / self.users.max(1) as f64
    }

    /// Returns the confidence interval of the share of games that its users won, from 0 to 1, for the normal
    /// quantile `z`. The whole range without users.
    pub fn interval(&self, z: f64) -> Interval {
        wilson_at(self.parts as f64 / WHOLE as f64, self.users, z)
    }
}

/// Figures of many games with the same settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// Number of seats.
    pub seats: u8,
    /// Number of games.
    pub games: u64,
    /// Number of games that each seat won alone.
    pub wins: [u64; MAX_SEATS],
    /// Share of each seat in all victories, in parts of [`WHOLE`].
    pub parts: [u64; MAX_SEATS],
    /// Number of shared victories.
    pub draws: u64,
    /// Number of games that no seat won.
    pub nobody: u64,
    /// Number of games that ended at their limit.
    pub capped: u64,
    /// Rounds per game.
    pub rounds: Histogram,
    /// Turns per game.
    pub turns: Histogram,
    /// Decisions per game.
    pub decisions: Histogram,
    /// Estimated minutes per game between people.
    pub minutes: Histogram,
    /// Estimated seconds between people by phase, over all games.
    pub phases: BTreeMap<String, u64>,
    /// Number of games by ending.
    pub endings: BTreeMap<String, u64>,
    /// Changes of the lead per game.
    pub changes: Histogram,
    /// Percentage of the turns after which the winner kept the lead.
    pub decided: Histogram,
    /// The course of a game.
    pub course: Course,
    /// Number of legal actions per decision.
    pub widths: Histogram,
    /// Number of legal actions per decision, by tenth of the game.
    pub widths_by_time: [Moments; 10],
    /// Number of decisions with one legal action.
    pub forced: u64,
    /// Use of each item, by verb.
    pub items: Vec<[Use; VERBS]>,
}

impl Balance {
    /// Creates figures of no game, with all sums 0, for games with `seats` seats and `items` items.
    pub fn new(seats: u8, items: usize) -> Self {
        Balance { seats, items: vec![Default::default(); items], ..Balance::default() }
    }

    /// Adds a game to all sums and histograms. A game with one winner counts in `wins` of the seat and in
    /// `course`, one with several in `draws`, one without in `nobody`; each seat gets its parts of the
    /// victory. Minutes are rounded up. Figures that the game does not have are left out. `summary` and
    /// `story` must be of the same game, which must have the seats and items of these figures.
    pub fn add(&mut self, summary: &GameSummary, story: &Story) {
        self.games += 1;
        self.nobody += u64::from(summary.nobody);
        self.capped += u64::from(summary.capped);
        match summary.winner {
            Some(seat) => self.wins[seat.index()] += 1,
            None => self.draws += u64::from(!summary.nobody),
        }
        self.parts.iter_mut().zip(summary.parts).for_each(|(sum, n)| *sum += n);
        if let Some(rounds) = summary.rounds {
            self.rounds.add(rounds.into());
        }
        self.turns.add(summary.turns.into());
        self.decisions.add(summary.decisions.into());
        self.minutes.add(summary.seconds.div_ceil(60));
        for (phase, &seconds) in &story.phases {
            add_to(&mut self.phases, phase, seconds);
        }
        add_to(&mut self.endings, story.ending, 1);
        if let Some(changes) = summary.changes {
            self.changes.add(changes.into());
        }
        if let Some(decided) = summary.decided {
            self.decided.add(decided.into());
        }
        if let Some(winner) = summary.winner {
            self.course.add(story, winner);
        }
        self.add_widths(&story.widths);
        self.add_items(summary, story);
    }

    /// Adds all games of other figures, which must have the same seats and items. The result is that of adding
    /// the games one by one, in any order.
    pub fn merge(&mut self, other: &Balance) {
        let Balance { seats: _, games, wins, parts, draws, nobody, capped, .. } = other;
        let Balance { rounds, turns, decisions, minutes, phases, endings, changes, decided, .. } = other;
        self.games += games;
        self.draws += draws;
        self.nobody += nobody;
        self.capped += capped;
        self.forced += other.forced;
        self.wins.iter_mut().zip(wins).for_each(|(sum, n)| *sum += n);
        self.parts.iter_mut().zip(parts).for_each(|(sum, n)| *sum += n);
        for (sum, part) in [
            (&mut self.rounds, rounds),
            (&mut self.turns, turns),
            (&mut self.decisions, decisions),
            (&mut self.minutes, minutes),
            (&mut self.changes, changes),
            (&mut self.decided, decided),
            (&mut self.widths, &other.widths),
        ] {
            sum.merge(part);
        }
        phases.iter().for_each(|(name, &seconds)| add_to(&mut self.phases, name, seconds));
        endings.iter().for_each(|(name, &n)| add_to(&mut self.endings, name, n));
        self.course.merge(&other.course);
        self.widths_by_time.iter_mut().zip(&other.widths_by_time).for_each(|(sum, part)| sum.merge(part));
        let uses = self.items.iter_mut().flatten().zip(other.items.iter().flatten());
        uses.for_each(|(sum, part)| sum.merge(part));
    }

    /// Adds the numbers of legal actions, one entry per decision of a game in order, to all widths and to
    /// those of their tenth of the game. Decisions with at most one action also count in `forced`.
    fn add_widths(&mut self, widths: &[u16]) {
        for (i, &width) in widths.iter().enumerate() {
            self.widths.add(width.into());
            self.forced += u64::from(width <= 1);
            self.widths_by_time[10 * i / widths.len()].add(width.into());
        }
    }

    /// Adds to the use of every item and verb: how often it was used, the number of seats that used it and
    /// their shares in the victory, and at how many decisions it was offered and taken. `summary` and `story`
    /// must be of one game; the story must have all items of these figures, otherwise it panics.
    fn add_items(&mut self, summary: &GameSummary, story: &Story) {
        for (item, sums) in self.items.iter_mut().enumerate() {
            for (verb, sum) in sums.iter_mut().enumerate() {
                let by_seat = &story.deeds[item][verb][..usize::from(story.seats)];
                for (&times, parts) in by_seat.iter().zip(summary.parts).filter(|(times, _)| **times > 0) {
                    sum.times += u64::from(times);
                    sum.users += 1;
                    sum.parts += parts;
                }
                sum.offered += u64::from(story.offered[item][verb]);
                sum.taken += u64::from(story.taken[item][verb]);
            }
        }
    }

    /// Returns the number of games that some seat won, shared victories included.
    pub fn won(&self) -> u64 {
        self.games - self.nobody
    }

    /// Returns the share of all games that a seat won, from 0 to 1; a shared victory counts in part. 0
    /// without games; panics if `seat`, which counts from 0, is [`MAX_SEATS`] or more.
    pub fn share(&self, seat: usize) -> f64 {
        self.parts[seat] as f64 / WHOLE as f64 / self.games.max(1) as f64
    }

    /// Returns the share of games that each seat would win if all were equal, from 0 to 1. Games that no seat
    /// won reduce it; 0 without games.
    pub fn fair(&self) -> f64 {
        self.won() as f64 / self.games.max(1) as f64 / f64::from(self.seats.max(1))
    }

    /// Returns the 95 % interval of the share of a seat, from 0 to 1. The whole range without games. Panics
    /// if `seat`, which counts from 0, is [`MAX_SEATS`] or more.
    pub fn interval(&self, seat: usize) -> Interval {
        self.interval_at(seat, Z95)
    }

    /// Returns the confidence interval of the share of a seat, from 0 to 1, for the normal quantile `z`. The
    /// whole range without games. Panics if `seat`, which counts from 0, is [`MAX_SEATS`] or more.
    pub fn interval_at(&self, seat: usize, z: f64) -> Interval {
        wilson_at(self.parts[seat] as f64 / WHOLE as f64, self.games, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_changes_when_another_takes_it_and_is_decided_when_kept() {
        let s = |n: u8| Some(Seat(n));
        let leaders = [None, s(0), None, s(1), s(1), s(0), s(0), s(0), s(0)];
        assert_eq!(changes(&leaders), 2);
        // Alone in front at the last three of eight turns, and at the end.
        assert_eq!(decided(&leaders, Seat(0)), 62);
        assert_eq!(decided(&leaders, Seat(1)), 100);
        assert_eq!(decided(&[s(1), s(1), s(1)], Seat(1)), 0);
        assert_eq!(leader(&[3, 5, 5, 0, 0, 0, 0], 3), None);
        assert_eq!(leader(&[3, 5, 4, 9, 0, 0, 0], 3), s(1));
    }
}
