//! The figures of a batch of games that goals are measured by: sums, so that batches can be added up.

use crate::balance::{GameSummary, POINTS, WHOLE};
use crate::options::deadness;
use crate::statistics::wilson_at;
use crate::story::{Story, VERBS};
use pentarchy_engine::Item;

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
    /// Number of games with a sole winner in which a seat led alone at half-time.
    led: u64,
    /// Number of games in which that seat won.
    held: u64,
    /// Victories of each seat, in parts.
    parts: Vec<u64>,
    /// By option and verb: number of decisions at which it could be used, and at which it was.
    options: Vec<[u64; 2 * VERBS]>,
    /// The index of the verb by which the game judges each option.
    verbs: Vec<usize>,
}

impl DesignSample {
    /// Creates sums of no games with this number of seats. `items` are the options to count; empty counts none.
    pub fn new(seats: u8, items: &[Item]) -> Self {
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
            verbs: items.iter().map(|item| item.verb.index()).collect(),
        }
    }

    /// Adds a game: who won, its length and rounds, the opportunities and uses of the options, and, if one
    /// seat won alone and one led alone at half-time, whether it is the same. `summary` and `story` must be
    /// of one game, with the seats and items of these sums; otherwise it may panic.
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

    /// Returns all sums as a list, for a journal: first those of the games, then the victories by seat, then
    /// by option and verb how often it could be used and was.
    pub fn to_sums(&self) -> Vec<u64> {
        let fixed = [self.games, self.nobody, self.seconds, self.counted, self.rounds, self.led, self.held];
        fixed
            .into_iter()
            .chain(self.parts.iter().copied())
            .chain(self.options.iter().flatten().copied())
            .collect()
    }

    /// Replaces all sums by a list that [`to_sums`](Self::to_sums) of a sample with these seats and options
    /// has returned. Returns `false` and changes nothing if its length does not fit. Values are not checked.
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

    /// Returns the share of all games that each seat would win if all were equal, from 0 to 1: games that no
    /// seat won reduce it. `None` without games.
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

    /// Returns the share of games that the sole leader at half-time wins, among the games with such a leader
    /// and a sole winner; `None` without such games.
    pub fn lead(&self) -> Option<f64> {
        (self.led > 0).then(|| self.held as f64 / self.led as f64)
    }

    /// Returns the number of dead options, as the report of the lab judges them: by the use that the game names,
    /// and only after 200 opportunities. An option that is taken at fewer than one in a hundred counts in part:
    /// entirely if it is never taken, not at all at one in a hundred. `None` if no option is counted or none was
    /// possible.
    pub fn dead(&self) -> Option<f64> {
        let uses =
            || self.verbs.iter().zip(&self.options).map(|(verb, sums)| (sums[2 * verb], sums[2 * verb + 1]));
        let any = uses().any(|(offered, _)| offered > 0);
        any.then(|| uses().map(|(offered, taken)| deadness(offered, taken)).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::Balance;
    use crate::options::{Mark, assess};
    use pentarchy_engine::{MAX_SEATS, Rng, Verb};

    /// A game that ended in a draw, in which each item could be used and was used this often with each verb.
    fn game(uses: &[[[u32; 2]; VERBS]]) -> (GameSummary, Story) {
        let mut story = Story::new(uses.len(), 2, false);
        for (item, verbs) in uses.iter().enumerate() {
            for (verb, &[offered, taken]) in verbs.iter().enumerate() {
                (story.offered[item][verb], story.taken[item][verb]) = (offered, taken);
            }
        }
        let mut parts = [0; MAX_SEATS];
        parts[..2].fill(WHOLE / 2);
        let (winner, rounds, changes, decided) = (None, None, None, None);
        let (nobody, capped, turns, decisions, seconds) = (false, false, 1, 1, 1);
        let summary = GameSummary {
            parts,
            winner,
            nobody,
            capped,
            rounds,
            turns,
            decisions,
            seconds,
            changes,
            decided,
        };
        (summary, story)
    }

    /// Returns the number of dead options by the goal, and of those that the report calls dead.
    fn counted(items: &[Item], games: &[(GameSummary, Story)]) -> (Option<f64>, usize) {
        let (mut sample, mut balance) = (DesignSample::new(2, items), Balance::new(2, items.len()));
        for (summary, story) in games {
            sample.add(summary, story);
            balance.add(summary, story);
        }
        let marked = assess(&balance, items).into_iter().filter(|a| a.mark == Some(Mark::Dead)).count();
        (sample.dead(), marked)
    }

    #[test]
    fn an_option_is_judged_by_the_use_that_the_game_names() {
        let items = [Item::new("Archer", "Cards", Verb::Played)];
        // It is often bought, and never played.
        let bought = game(&[[[500, 400], [300, 0], [0, 0]]]);
        assert_eq!(counted(&items, &[bought]), (Some(1.0), 1));
        let played = game(&[[[500, 0], [300, 200], [0, 0]]]);
        assert_eq!(counted(&items, &[played]), (Some(0.0), 0));
        assert_eq!(counted(&items, &[game(&[[[500, 400], [0, 0], [9, 9]]])]).0, None);
        assert_eq!(counted(&[], &[game(&[])]).0, None);
    }

    #[test]
    fn the_goal_counts_the_options_that_the_report_calls_dead() {
        let mut rng = Rng::new(5);
        let mut seen = 0;
        for _ in 0..500 {
            let items = Verb::ALL.map(|verb| Item::new(format!("{verb:?}"), "Things", verb));
            let mut uses = || {
                let offered = rng.below(250);
                [offered, offered.min(rng.below(4))]
            };
            let games: Vec<_> = (0..2).map(|_| game(&[0; 3].map(|_| [0; VERBS].map(|_| uses())))).collect();
            let (dead, marked) = counted(&items, &games);
            let dead = dead.unwrap_or(0.0);
            assert_eq!(dead > 0.0, marked > 0, "{dead} by the goal, {marked} in the report");
            assert!(dead <= marked as f64, "{dead} by the goal, {marked} in the report");
            seen += marked;
        }
        assert!(seen > 100, "{seen}");
    }
}
