//! Swiss system for tables of more than two: players with about equal points meet, and the same ones as seldom as
//! possible.

use super::draw::PublicDraw;
use super::standings::standings;
use super::{Pairing, PlayedRound, TournamentRound};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Returns the next round of tables with this number of seats after `rounds`. Players are ordered by points; `seed`
/// and the number of the round decide between equals. Those who do not fill a table have a bye: players with the
/// fewest byes so far, of these the last in the order. Each table is begun by the first player without one. Then it
/// is filled with the player who has met those at the table least often in all, of equals the first in the order, one
/// after the other. A draw from the seed decides the seats. Equal arguments give equal rounds. With fewer players
/// than seats everybody has a bye, and with no seats, too.
pub fn group_round(players: usize, seats: usize, rounds: &[PlayedRound], seed: &[u8]) -> TournamentRound {
    let mut draw = PublicDraw::new(seed, &format!("swiss round {}", rounds.len() + 1));
    let mut order: Vec<usize> = (0..players).collect();
    draw.shuffle(&mut order);
    let mut points = vec![0; players];
    for standing in standings(players, seats, rounds) {
        points[standing.player] = standing.half_points;
    }
    order.sort_by_key(|&player| Reverse(points[player]));
    let mut met: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for table in rounds.iter().flat_map(|played| &played.round.tables) {
        for &a in &table.seats {
            for &b in table.seats.iter().filter(|&&b| b != a) {
                *met.entry((a, b)).or_default() += 1;
            }
        }
    }
    let had_byes = |player: usize| rounds.iter().filter(|played| played.round.byes.contains(&player)).count();
    let mut round = TournamentRound::default();
    let alone = if seats == 0 { players } else { players % seats };
    for _ in 0..alone {
        // Of equals the last one.
        let last = (0..order.len()).min_by_key(|&place| (had_byes(order[place]), Reverse(place)));
        round.byes.extend(last.map(|place| order.remove(place)));
    }
    while !order.is_empty() {
        let mut table = vec![order.remove(0)];
        while table.len() < seats && !order.is_empty() {
            let meetings = |player: usize| -> u32 {
                table.iter().map(|other| met.get(&(player, *other)).copied().unwrap_or(0)).sum()
            };
            // Of equals the first one.
            let next = (0..order.len()).min_by_key(|&place| meetings(order[place]));
            table.extend(next.map(|place| order.remove(place)));
        }
        draw.shuffle(&mut table);
        round.tables.push(Pairing { seats: table });
    }
    round
}

#[cfg(test)]
mod tests {
    use super::super::TableResult;
    use super::*;

    /// Plays this number of rounds; the player with the smallest number wins.
    fn play(players: usize, seats: usize, rounds: usize) -> Vec<PlayedRound> {
        let mut played = Vec::new();
        for _ in 0..rounds {
            let round = group_round(players, seats, &played, b"seed");
            let result = |table: &Pairing| {
                let rank =
                    |player: &usize| 1 + table.seats.iter().filter(|other| *other < player).count() as u8;
                TableResult { ranks: table.seats.iter().map(rank).collect() }
            };
            played.push(PlayedRound { results: round.tables.iter().map(result).collect(), round });
        }
        played
    }

    #[test]
    fn everybody_plays_and_byes_go_round() {
        for seats in 3..=6usize {
            for players in seats..=4 * seats {
                let played = play(players, seats, 4);
                let mut byes = vec![0usize; players];
                for round in played.iter().map(|played| &played.round) {
                    assert!(round.tables.iter().all(|table| table.seats.len() == seats));
                    let mut present: Vec<usize> =
                        round.tables.iter().flat_map(|table| table.seats.clone()).collect();
                    present.extend(&round.byes);
                    present.sort_unstable();
                    assert!(present.into_iter().eq(0..players), "{players} players at tables of {seats}");
                    round.byes.iter().for_each(|&player| byes[player] += 1);
                }
                let most = byes.iter().max().unwrap();
                assert!(byes.iter().all(|count| count + 1 >= *most), "{players}, {seats}: {byes:?}");
            }
        }
    }

    #[test]
    fn leaders_meet_in_later_rounds_and_pairs_are_not_repeated_at_once() {
        let played = play(16, 4, 2);
        let tables = |round: usize| &played[round].round.tables;
        let shared =
            |a: &Pairing, b: &Pairing| a.seats.iter().filter(|player| b.seats.contains(player)).count();
        let repeated = tables(0).iter().any(|a| tables(1).iter().any(|b| shared(a, b) > 1));
        assert!(!repeated, "four winners of one round meet in the next one");
        let winners = |round: usize| -> Vec<usize> {
            tables(round).iter().map(|table| *table.seats.iter().min().unwrap()).collect()
        };
        let together =
            tables(1).iter().any(|table| winners(0).iter().all(|player| table.seats.contains(player)));
        assert!(together, "winners meet winners");
    }

    #[test]
    fn the_seed_decides_and_too_few_players_have_byes() {
        assert_eq!(group_round(9, 3, &[], b"one"), group_round(9, 3, &[], b"one"));
        assert_ne!(group_round(9, 3, &[], b"one"), group_round(9, 3, &[], b"two"));
        assert_eq!(group_round(2, 3, &[], b"one").byes.len(), 2);
    }
}
