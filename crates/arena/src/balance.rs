//! What a designer wants to know of many games: sums that do not grow with their number.

use crate::play::Played;
use crate::statistics::{Histogram, Interval, Moments, Z95, wilson_at};
use crate::story::{Story, VERBS};
use pentarchy_engine::{MAX_SEATS, Seat};
use std::collections::BTreeMap;

/// What a shared victory is divided into: so that any number of seats can share it without a remainder.
pub const WHOLE: u64 = 420;

/// The moments of a game at which curves are drawn: its beginning, each twentieth, its end.
pub const POINTS: usize = 21;

/// What a game comes down to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// What each seat has of the victory, in parts of [`WHOLE`].
    pub parts: [u64; MAX_SEATS],
    /// Who won alone.
    pub winner: Option<Seat>,
    /// Whether no seat won.
    pub nobody: bool,
    /// Whether it ended at its cap.
    pub capped: bool,
    /// Rounds, for games that have them.
    pub rounds: Option<u32>,
    /// Turns.
    pub turns: u32,
    /// Decisions.
    pub decisions: u32,
    /// Estimated seconds that people would take.
    pub seconds: u64,
    /// How often another seat took the lead, for games that can say who leads.
    pub changes: Option<u32>,
    /// After how many per cent of the turns the winner led to the end.
    pub decided: Option<u32>,
}

impl Facts {
    /// The facts of a game.
    pub fn new(played: &Played, story: &Story) -> Self {
        let outcome = &played.outcome;
        let winners = outcome.winners().count() as u64;
        let mut parts = [0; MAX_SEATS];
        outcome.winners().for_each(|seat| parts[seat.index()] = WHOLE / winners.max(1));
        let leaders: Vec<Option<Seat>> = story.standings.iter().map(|s| leader(s, story.seats)).collect();
        let told = leaders.len() > 1;
        Facts {
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

/// Who is alone in front.
fn leader(standing: &[i32; MAX_SEATS], seats: u8) -> Option<Seat> {
    let here = &standing[..usize::from(seats).min(MAX_SEATS)];
    let most = here.iter().max()?;
    let mut first = here.iter().enumerate().filter(|(_, s)| *s == most).map(|(i, _)| Seat(i as u8));
    first.next().filter(|_| first.next().is_none())
}

/// How often somebody else than before is alone in front.
fn changes(leaders: &[Option<Seat>]) -> u32 {
    let named: Vec<Seat> = leaders.iter().copied().flatten().collect();
    named.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
}

/// From which per cent of the game on the winner was alone in front. (The end itself counts as such: ties are
/// broken then.)
fn decided(leaders: &[Option<Seat>], winner: Seat) -> u32 {
    let last = leaders.len().saturating_sub(1);
    let led = leaders[..last].iter().rev().take_while(|&&l| l == Some(winner)).count();
    (100 * (last - led) / last.max(1)) as u32
}

/// A curve over the course of a game: how the winner stands, how the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// What the winner has to show for itself.
    pub winner: [Moments; POINTS],
    /// What each other seat has.
    pub others: [Moments; POINTS],
    /// In how many games somebody was alone in front.
    pub led: [u64; POINTS],
    /// In how many of them that seat won.
    pub held: [u64; POINTS],
}

impl Course {
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

/// What was done with an item in one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// How often, all games and seats together.
    pub times: u64,
    /// How often a seat did it at least once in a game.
    pub users: u64,
    /// What these seats had of the victory, in parts of [`WHOLE`].
    pub parts: u64,
    /// At how many decisions it could be done.
    pub offered: u64,
    /// At how many of them it was.
    pub taken: u64,
}

impl Use {
    /// The share of games that its users won.
    pub fn share(&self) -> f64 {
        self.parts as f64 / WHOLE as f64 / self.users.max(1) as f64
    }

    /// The interval of that share.
    pub fn interval(&self, z: f64) -> Interval {
        wilson_at(self.parts as f64 / WHOLE as f64, self.users, z)
    }
}

/// What came of many games with the same settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Balance {
    /// How many seats.
    pub seats: u8,
    /// How many games.
    pub games: u64,
    /// How often a seat won alone.
    pub wins: [u64; MAX_SEATS],
    /// What each seat had of all victories, in parts of [`WHOLE`].
    pub parts: [u64; MAX_SEATS],
    /// How often a victory was shared.
    pub draws: u64,
    /// How often nobody won.
    pub nobody: u64,
    /// How many games ended at their cap.
    pub capped: u64,
    /// Rounds in a game.
    pub rounds: Histogram,
    /// Turns in a game.
    pub turns: Histogram,
    /// Decisions in a game.
    pub decisions: Histogram,
    /// Estimated minutes of a game between people.
    pub minutes: Histogram,
    /// Estimated seconds between people by phase of the game, all games together.
    pub phases: BTreeMap<&'static str, u64>,
    /// How the games ended, and how many.
    pub endings: BTreeMap<&'static str, u64>,
    /// How often the lead changed.
    pub changes: Histogram,
    /// When the winner took the lead for good, in per cent of the turns.
    pub decided: Histogram,
    /// The course of a game.
    pub course: Course,
    /// How many actions there were to choose from.
    pub widths: Histogram,
    /// The same by tenth of the game.
    pub widths_by_time: [Moments; 10],
    /// Decisions that left no choice.
    pub forced: u64,
    /// What was done with each item.
    pub items: Vec<[Use; VERBS]>,
}

impl Balance {
    /// Before the first game.
    pub fn new(seats: u8, items: usize) -> Self {
        Balance { seats, items: vec![Default::default(); items], ..Balance::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, facts: &Facts, story: &Story) {
        self.games += 1;
        self.nobody += u64::from(facts.nobody);
        self.capped += u64::from(facts.capped);
        match facts.winner {
            Some(seat) => self.wins[seat.index()] += 1,
            None => self.draws += u64::from(!facts.nobody),
        }
        self.parts.iter_mut().zip(facts.parts).for_each(|(sum, n)| *sum += n);
        if let Some(rounds) = facts.rounds {
            self.rounds.add(rounds.into());
        }
        self.turns.add(facts.turns.into());
        self.decisions.add(facts.decisions.into());
        self.minutes.add(facts.seconds.div_ceil(60));
        for (phase, seconds) in &story.phases {
            *self.phases.entry(phase).or_default() += seconds;
        }
        *self.endings.entry(story.ending).or_default() += 1;
        if let Some(changes) = facts.changes {
            self.changes.add(changes.into());
        }
        if let Some(decided) = facts.decided {
            self.decided.add(decided.into());
        }
        if let Some(winner) = facts.winner {
            self.course.add(story, winner);
        }
        self.add_widths(&story.widths);
        self.add_items(facts, story);
    }

    fn add_widths(&mut self, widths: &[u16]) {
        for (i, &width) in widths.iter().enumerate() {
            self.widths.add(width.into());
            self.forced += u64::from(width <= 1);
            self.widths_by_time[10 * i / widths.len()].add(width.into());
        }
    }

    fn add_items(&mut self, facts: &Facts, story: &Story) {
        for (item, sums) in self.items.iter_mut().enumerate() {
            for (verb, sum) in sums.iter_mut().enumerate() {
                let by_seat = &story.deeds[item][verb][..usize::from(story.seats)];
                for (&times, parts) in by_seat.iter().zip(facts.parts).filter(|(times, _)| **times > 0) {
                    sum.times += u64::from(times);
                    sum.users += 1;
                    sum.parts += parts;
                }
                sum.offered += u64::from(story.offered[item][verb]);
                sum.taken += u64::from(story.taken[item][verb]);
            }
        }
    }

    /// Games that some seat won.
    pub fn won(&self) -> u64 {
        self.games - self.nobody
    }

    /// The share of all games that a seat won, shared victories divided.
    pub fn share(&self, seat: usize) -> f64 {
        self.parts[seat] as f64 / WHOLE as f64 / self.games.max(1) as f64
    }

    /// The share that would be fair: nobody's victories are taken from all alike.
    pub fn fair(&self) -> f64 {
        self.won() as f64 / self.games.max(1) as f64 / f64::from(self.seats.max(1))
    }

    /// The 95 % interval of the share of a seat.
    pub fn interval(&self, seat: usize) -> Interval {
        self.interval_at(seat, Z95)
    }

    /// The same for another quantile.
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
