//! Standings.

use super::{PlayedRound, WIN};

/// The place of a player in a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentStanding {
    /// The player.
    pub player: usize,
    /// The place, from 1. Equal players share it.
    pub place: usize,
    /// Half points: two for each player beaten at a table, one for each draw. A bye counts as beating a whole table.
    pub half_points: u32,
    /// Sonneborn–Berger, in quarter points: the half points of everybody whom the player beat, counted twice, and of
    /// everybody with whom they drew.
    pub sonneborn_berger: u32,
    /// Tables at which the player beat everybody else, without byes.
    pub wins: u32,
}

/// Returns the half points for beating everybody else at a table with this number of seats: two for each; 0 for no
/// seats.
fn whole_table(seats: usize) -> u32 {
    WIN * seats.saturating_sub(1) as u32
}

/// Returns the standings of all players after some rounds, the best first: by points, then Sonneborn–Berger, then
/// wins. A bye counts in points as beating a table with this number of `seats`, not in the other two. Equal players
/// share a place, in the order of their numbers; the next place is skipped for each. Players that do not exist, and
/// tables without a result, are ignored. Without rounds all share the first place.
pub fn standings(players: usize, seats: usize, rounds: &[PlayedRound]) -> Vec<TournamentStanding> {
    let mut points = vec![0; players];
    let mut wins = vec![0; players];
    let games = || {
        rounds.iter().flat_map(|played| played.round.tables.iter().zip(&played.results)).filter(
            |(table, result)| {
                table.seats.len() == result.ranks.len() && table.seats.iter().all(|&player| player < players)
            },
        )
    };
    for (table, result) in games() {
        for (&player, gained) in table.seats.iter().zip(result.half_points()) {
            points[player] += gained;
            wins[player] += u32::from(gained == whole_table(table.seats.len()));
        }
    }
    for alone in rounds.iter().flat_map(|played| &played.round.byes).filter(|&&alone| alone < players) {
        points[*alone] += whole_table(seats);
    }
    let mut beaten = vec![0; players];
    for (table, result) in games() {
        for (seat, &player) in table.seats.iter().enumerate() {
            for (other, &opponent) in table.seats.iter().enumerate().filter(|(other, _)| *other != seat) {
                beaten[player] += result.against(seat, other) * points[opponent];
            }
        }
    }
    let key = |player: usize| (points[player], beaten[player], wins[player]);
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by(|&a, &b| key(b).cmp(&key(a)).then(a.cmp(&b)));
    let place = |player: usize| 1 + (0..players).filter(|&other| key(other) > key(player)).count();
    let standing = |player: usize| TournamentStanding {
        player,
        place: place(player),
        half_points: points[player],
        sonneborn_berger: beaten[player],
        wins: wins[player],
    };
    order.into_iter().map(standing).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Pairing, TableResult, TournamentRound, round_robin};
    use super::*;

    /// Returns a round with these tables (players and ranks in the order of the seats) and byes.
    fn round(tables: &[(&[usize], &[u8])], byes: &[usize]) -> PlayedRound {
        PlayedRound {
            round: TournamentRound {
                tables: tables.iter().map(|(seats, _)| Pairing { seats: seats.to_vec() }).collect(),
                byes: byes.to_vec(),
            },
            results: tables.iter().map(|(_, ranks)| TableResult { ranks: ranks.to_vec() }).collect(),
        }
    }

    /// At a table of four a player gets two half points for each player beaten, one for each draw; an absent player is
    /// beaten by all others.
    #[test]
    fn larger_tables_count_everybody_who_was_beaten() {
        let played = round(&[(&[0, 1, 2, 3], &[1, 2, 2, 0])], &[4]);
        let table = standings(5, 4, &[played]);
        let found: Vec<(usize, u32, u32, u32)> =
            table.iter().map(|s| (s.player, s.half_points, s.sonneborn_berger, s.wins)).collect();
        assert_eq!(found, [(0, 6, 12, 1), (4, 6, 0, 0), (1, 3, 3, 0), (2, 3, 3, 0), (3, 0, 0, 0)]);
    }

    #[test]
    fn points_then_sonneborn_berger_then_wins() {
        let [first, second, draw, void]: [[u8; 2]; 4] = [[1, 2], [2, 1], [1, 1], [0, 0]];
        let rounds = [
            round(&[(&[0, 1], &first), (&[2, 3], &first)], &[4]),
            round(&[(&[0, 2], &draw), (&[4, 1], &second)], &[3]),
            round(&[(&[3, 4], &void)], &[]),
        ];
        let table = standings(5, 2, &rounds);
        let order: Vec<(usize, usize, u32)> =
            table.iter().map(|s| (s.player, s.place, s.half_points)).collect();
        // 0 and 2 have three each: 0 beat 1 (two half points), 2 beat 3 (two): equal in everything.
        assert_eq!(order, [(0, 1, 3), (2, 1, 3), (1, 3, 2), (3, 4, 2), (4, 4, 2)]);
        assert_eq!((table[0].sonneborn_berger, table[2].sonneborn_berger), (2 * 2 + 3, 2 * 2));
    }

    /// If the player with the smaller number always wins, the standings are the numbers.
    #[test]
    fn the_stronger_player_is_ahead() {
        for players in 2..20 {
            let played = |round: TournamentRound| {
                let result = |table: &Pairing| match table.seats[0] < table.seats[1] {
                    true => TableResult { ranks: vec![1, 2] },
                    false => TableResult { ranks: vec![2, 1] },
                };
                PlayedRound { results: round.tables.iter().map(result).collect(), round }
            };
            let rounds: Vec<PlayedRound> = round_robin(players, b"seed").into_iter().map(played).collect();
            let table = standings(players, 2, &rounds);
            assert!(table.iter().enumerate().all(|(i, s)| s.player == i && s.place == i + 1), "{table:?}");
        }
    }
}
