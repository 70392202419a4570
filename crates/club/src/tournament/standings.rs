//! Standings.

use super::{PlayedRound, WIN};

/// The place of a player in a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentStanding {
    /// The player.
    pub player: usize,
    /// The place, from 1. Equal players share it.
    pub place: usize,
    /// Half points: two for a win or a bye, one for a draw.
    pub half_points: u32,
    /// Sonneborn–Berger, in quarter points: the half points of everybody whom the player beat, counted twice, and of
    /// everybody with whom they drew.
    pub sonneborn_berger: u32,
    /// Wins, without byes.
    pub wins: u32,
}

/// Returns the standings of all players after some rounds, the best first: by points, then Sonneborn–Berger, then wins.
/// A bye counts as a win in points, not in the other two. Equal players share a place, in the order of their numbers;
/// the next place is skipped for each. Players that do not exist, and tables without a result, are ignored. Without
/// rounds all share the first place.
pub fn standings(players: usize, rounds: &[PlayedRound]) -> Vec<TournamentStanding> {
    let mut points = vec![0; players];
    let mut wins = vec![0; players];
    let games = || {
        rounds.iter().flat_map(|played| played.round.tables.iter().zip(&played.results)).filter_map(
            |(table, result)| {
                let [a, b] = table.seats;
                (a < players && b < players).then(|| (table.seats, result.half_points()))
            },
        )
    };
    for (seats, half_points) in games() {
        for (player, gained) in seats.into_iter().zip(half_points) {
            points[player] += gained;
            wins[player] += u32::from(gained == WIN);
        }
    }
    for alone in rounds.iter().filter_map(|played| played.round.bye).filter(|&alone| alone < players) {
        points[alone] += WIN;
    }
    let mut beaten = vec![0; players];
    for ([a, b], [of_a, of_b]) in games() {
        beaten[a] += of_a * points[b];
        beaten[b] += of_b * points[a];
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

    #[test]
    fn points_then_sonneborn_berger_then_wins() {
        let round = |tables: &[([usize; 2], TableResult)], bye| PlayedRound {
            round: TournamentRound {
                tables: tables.iter().map(|(seats, _)| Pairing { seats: *seats }).collect(),
                bye,
            },
            results: tables.iter().map(|(_, result)| *result).collect(),
        };
        use TableResult::{Draw, First, Second, Void};
        let rounds = [
            round(&[([0, 1], First), ([2, 3], First)], Some(4)),
            round(&[([0, 2], Draw), ([4, 1], Second)], Some(3)),
            round(&[([3, 4], Void)], None),
        ];
        let table = standings(5, &rounds);
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
                    true => TableResult::First,
                    false => TableResult::Second,
                };
                PlayedRound { results: round.tables.iter().map(result).collect(), round }
            };
            let rounds: Vec<PlayedRound> = round_robin(players, b"seed").into_iter().map(played).collect();
            let table = standings(players, &rounds);
            assert!(table.iter().enumerate().all(|(i, s)| s.player == i && s.place == i + 1), "{table:?}");
        }
    }
}
