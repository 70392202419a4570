//! Round robin: everybody meets everybody else once.

use super::draw::PublicDraw;
use super::{Pairing, TournamentRound};

/// Returns all rounds of a round robin, by the circle method. Everybody meets everybody else once. With an odd number
/// of players everybody has one bye. The first and the second seat of a player differ in number by at most one. The
/// seed decides who has which place in the plan. Equal seeds give equal plans. Returns no rounds for fewer than two
/// players.
pub fn round_robin(players: usize, seed: &[u8]) -> Vec<TournamentRound> {
    if players < 2 {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..players).collect();
    PublicDraw::new(seed, "round robin").shuffle(&mut order);
    // The place after the last one stands for the bye.
    let places = players.next_multiple_of(2);
    let circle = places - 1;
    let mut rounds = Vec::with_capacity(circle);
    for round in 0..circle {
        let mut made = TournamentRound::default();
        // The last place stays, the others turn; the place opposite to it is this round's.
        seat(&mut made, &order, round, circle, round % 2 == 0);
        for i in 1..places / 2 {
            let (one, two) = ((round + i) % circle, (round + circle - i) % circle);
            seat(&mut made, &order, one, two, true);
        }
        rounds.push(made);
    }
    rounds
}

/// Adds the table of the players at the places `one` and `two` of `order` to the round. A place beyond the end of
/// `order` stands for the bye: then adds the other player to the byes of the round. With `in_order` the player at `one`
/// has the first seat, else the player at `two`. Adds nothing if both places are beyond the end.
fn seat(round: &mut TournamentRound, order: &[usize], one: usize, two: usize, in_order: bool) {
    match (order.get(one), order.get(two)) {
        (Some(&a), Some(&b)) => {
            round.tables.push(Pairing { seats: if in_order { vec![a, b] } else { vec![b, a] } });
        }
        (Some(&alone), None) | (None, Some(&alone)) => round.byes.push(alone),
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn everybody_meets_everybody_once_with_balanced_seats() {
        for players in 2..=33usize {
            let rounds = round_robin(players, &[players as u8]);
            let mut met = BTreeSet::new();
            let (mut firsts, mut byes) = (vec![0i32; players], vec![0; players]);
            for round in &rounds {
                let mut present = BTreeSet::new();
                for table in &round.tables {
                    let [a, b] = &table.seats[..] else { panic!("{table:?}") };
                    assert!(present.insert(*a) && present.insert(*b), "{players}: twice in a round");
                    assert!(met.insert((*a.min(b), *a.max(b))), "{players}: {a} and {b} meet twice");
                    firsts[*a] += 1;
                    firsts[*b] -= 1;
                }
                for &alone in &round.byes {
                    assert!(present.insert(alone));
                    byes[alone] += 1;
                }
                assert_eq!(present.len(), players);
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            assert!(byes.iter().all(|&byes| byes == players % 2), "{players}: {byes:?}");
            assert!(firsts.iter().all(|difference| difference.abs() <= 1), "{players}: {firsts:?}");
        }
        assert_eq!(round_robin(1, b""), []);
    }

    #[test]
    fn the_seed_decides_the_places() {
        assert_eq!(round_robin(8, b"one"), round_robin(8, b"one"));
        assert_ne!(round_robin(8, b"one"), round_robin(8, b"two"));
    }
}
