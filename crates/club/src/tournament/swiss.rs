//! Swiss system: in each round players with about equal points meet, and nobody meets twice.

use super::draw::PublicDraw;
use super::standings::standings;
use super::{Pairing, PlayedRound, TournamentRound};
use std::collections::BTreeSet;

/// Steps of the search for pairings after which it gives up.
const MOST_STEPS: u32 = 200_000;

/// Why there is no next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwissError {
    /// There are fewer than two players.
    #[error("a tournament needs two players")]
    TooFew,
    /// Every pairing would repeat one.
    #[error("everybody has met: no round without a repeated pairing was found")]
    Exhausted,
}

/// What the search knows.
struct Search<'a> {
    /// Players who have met, the smaller number first.
    met: &'a BTreeSet<(usize, usize)>,
    steps: u32,
}

/// Returns two players as a key that does not depend on their order: the smaller number first.
fn key(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

impl Search<'_> {
    /// Pairs all players of the list, the first with the nearest one below whom they have not met, and backtracks where
    /// that leaves others without a partner. Returns the pairs, the last of the list first; empty for an empty list.
    /// `None` if it is impossible, also for an odd number, or takes more than [`MOST_STEPS`] steps, which are counted
    /// over all calls.
    fn pair(&mut self, left: &[usize]) -> Option<Vec<(usize, usize)>> {
        let Some((&first, others)) = left.split_first() else { return Some(Vec::new()) };
        for (i, &other) in others.iter().enumerate() {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            if self.met.contains(&key(first, other)) {
                continue;
            }
            let rest: Vec<usize> = [&others[..i], &others[i + 1..]].concat();
            if let Some(mut pairs) = self.pair(&rest) {
                pairs.push((first, other));
                return Some(pairs);
            }
        }
        None
    }
}

/// Returns the next round of tables of two after `rounds`. Players are ordered by points; the seed and the number of
/// the round decide between equals. Each is paired with the nearest player below whom they have not met, as far as
/// the others can then be paired. With an odd number, the last player without a bye so far for whom that works has
/// the bye. The first seat goes to the player who had it less often; the draw decides between equals. Equal arguments
/// give equal rounds.
///
/// # Errors
///
/// Fails if there are fewer than two players, or if no round without a repeated pairing or bye is found. The search
/// gives up after 200,000 steps per bye.
pub fn swiss_round(
    players: usize,
    rounds: &[PlayedRound],
    seed: &[u8],
) -> Result<TournamentRound, SwissError> {
    if players < 2 {
        return Err(SwissError::TooFew);
    }
    let mut draw = PublicDraw::new(seed, &format!("swiss round {}", rounds.len() + 1));
    let mut order: Vec<usize> = (0..players).collect();
    draw.shuffle(&mut order);
    let mut points = vec![0; players];
    for standing in standings(players, 2, rounds) {
        points[standing.player] = standing.half_points;
    }
    order.sort_by_key(|&player| std::cmp::Reverse(points[player]));
    let tables = || rounds.iter().flat_map(|played| &played.round.tables);
    let met: BTreeSet<(usize, usize)> = tables()
        .filter_map(|table| match table.seats[..] {
            [a, b] => Some(key(a, b)),
            _ => None,
        })
        .collect();
    let had_bye: BTreeSet<usize> =
        rounds.iter().flat_map(|played| played.round.byes.iter().copied()).collect();
    let first_seats = |player: usize| tables().filter(|table| table.seats.first() == Some(&player)).count();
    // Without a bye there is one way to leave nobody out; else the last ones are tried first.
    let byes: Vec<Option<usize>> = match players % 2 {
        0 => vec![None],
        _ => order
            .iter()
            .rev()
            .filter(|player| !had_bye.contains(player))
            .map(|player| Some(*player))
            .collect(),
    };
    for bye in byes {
        let list: Vec<usize> = order.iter().copied().filter(|player| Some(*player) != bye).collect();
        let Some(mut pairs) = (Search { met: &met, steps: 0 }).pair(&list) else { continue };
        pairs.reverse();
        let seat = |(a, b): (usize, usize)| {
            let (of_a, of_b) = (first_seats(a), first_seats(b));
            let swap = of_a > of_b || of_a == of_b && draw.below(2) == 1;
            Pairing { seats: if swap { vec![b, a] } else { vec![a, b] } }
        };
        let byes = bye.into_iter().collect();
        return Ok(TournamentRound { tables: pairs.into_iter().map(seat).collect(), byes });
    }
    Err(SwissError::Exhausted)
}

#[cfg(test)]
mod tests {
    use super::super::TableResult;
    use super::*;

    /// Plays this number of rounds and returns them. The results follow from a draw of the seed: first, second or draw.
    /// Panics if there is no next round.
    fn play(players: usize, rounds: usize, seed: &[u8]) -> Vec<PlayedRound> {
        let mut results = PublicDraw::new(seed, "results");
        let mut played = Vec::new();
        for _ in 0..rounds {
            let round = swiss_round(players, &played, seed).unwrap();
            let one = |_| TableResult { ranks: [[1, 2], [2, 1], [1, 1]][results.below(3) as usize].to_vec() };
            played.push(PlayedRound { results: round.tables.iter().map(one).collect(), round });
        }
        played
    }

    #[test]
    fn nobody_meets_twice_or_has_two_byes_and_everybody_plays() {
        for players in 2..=24usize {
            for seed in 0..4u8 {
                // About as many rounds as decide between all players.
                let rounds = players.next_power_of_two().ilog2().min(players as u32 - 1) as usize;
                let played = play(players, rounds, &[seed]);
                let mut met = BTreeSet::new();
                let mut byes = BTreeSet::new();
                for round in played.iter().map(|played| &played.round) {
                    let mut present: Vec<usize> =
                        round.tables.iter().flat_map(|table| table.seats.clone()).collect();
                    present.extend(&round.byes);
                    present.sort_unstable();
                    assert!(present.into_iter().eq(0..players), "{players} players, seed {seed}");
                    assert!(round.tables.iter().all(|table| met.insert(key(table.seats[0], table.seats[1]))));
                    assert!(round.byes.iter().all(|alone| byes.insert(*alone)));
                }
            }
        }
    }

    #[test]
    fn leaders_meet_leaders() {
        let played = play(16, 1, b"leaders");
        let next = swiss_round(16, &played, b"leaders").unwrap();
        let mut points = [0; 16];
        standings(16, 2, &played).iter().for_each(|standing| points[standing.player] = standing.half_points);
        let gaps: u32 =
            next.tables.iter().map(|table| points[table.seats[0]].abs_diff(points[table.seats[1]])).sum();
        assert!(gaps <= 2, "{gaps}: players of different points meet only where a group is odd");
    }

    #[test]
    fn the_seed_decides_and_an_exhausted_tournament_is_an_error() {
        assert_eq!(play(9, 4, b"one"), play(9, 4, b"one"));
        assert_ne!(play(9, 4, b"one"), play(9, 4, b"two"));
        let played = play(4, 3, b"all");
        assert_eq!(swiss_round(4, &played, b"all"), Err(SwissError::Exhausted));
        assert_eq!(swiss_round(1, &[], b""), Err(SwissError::TooFew));
    }
}
