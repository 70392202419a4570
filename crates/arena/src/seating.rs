//! Seat assignment of game number i: every bot plays every seat with the same dice.

use crate::play::GameSeating;
use pentarchy_bots::Spec;
use pentarchy_engine::Rng;

/// The bots of a tournament and its seed.
///
/// As many consecutive games as there are bots form a set: in it each bot plays each seat once. Unless all bots
/// are alike, all games of a set use the same generator of dice and shuffles, so that luck is equal for all.
/// The order of the bots changes from set to set.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The bots, one per seat.
    bots: Vec<Spec>,
    /// The seed of all games.
    seed: u64,
    /// Whether the games of a set share their dice.
    paired: bool,
}

impl Draw {
    /// Creates the draw for these bots, one per seat. Equal arguments give equal games. Dice are paired
    /// unless all bots are alike.
    pub fn new(bots: &[Spec], seed: u64) -> Self {
        let alike = bots.windows(2).all(|pair| pair[0] == pair[1]);
        Draw { bots: bots.to_vec(), seed, paired: !alike }
    }

    /// Returns the number of games of a set: the number of bots, at least 1.
    pub fn set(&self) -> u64 {
        self.bots.len().max(1) as u64
    }

    /// Returns the bot of each seat in game number `game` (from 0), as an index into the list of bots.
    /// Within a set, as many games as there are bots, every bot plays every seat once; each set has another
    /// circular order of the bots, until all have occurred.
    pub fn places(&self, game: u64) -> Vec<usize> {
        let n = self.bots.len();
        let (set, turn) = (game / self.set(), (game % self.set()) as usize);
        let mut order = permutation(n, set);
        order.rotate_right(turn);
        order
    }

    /// Returns the bots of game number `game` (from 0) in seat order, each with its seed, and the generator
    /// of nature. Depends only on the draw and the number.
    pub fn seating(&self, game: u64) -> GameSeating {
        let stream = if self.paired { game / self.set() } else { game };
        // Each bot has another seed in each game; otherwise it would repeat itself within a set.
        let player = |place: usize| {
            let key = game.wrapping_mul(self.set()).wrapping_add(place as u64);
            (self.bots[place], Rng::stream(!self.seed, key).bits())
        };
        GameSeating {
            nature: Rng::stream(self.seed, stream),
            players: self.places(game).into_iter().map(player).collect(),
        }
    }
}

/// Returns circular permutation `number` of n elements: the first stays, the others permute. Numbers repeat
/// after (n − 1)!; empty for n = 0.
fn permutation(n: usize, mut number: u64) -> Vec<usize> {
    let mut left: Vec<usize> = (1..n).collect();
    let mut order = vec![0; usize::from(n > 0)];
    while !left.is_empty() {
        let size = left.len() as u64;
        order.push(left.remove((number % size) as usize));
        number /= size;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(bots: &[&str]) -> Draw {
        Draw::new(&bots.iter().map(|b| b.parse().unwrap()).collect::<Vec<_>>(), 9)
    }

    #[test]
    fn each_bot_has_each_seat_equally_often_and_each_neighbour() {
        for n in 1..=6usize {
            let names = ["random", "recruit", "captain", "emperor", "emperor:5", "emperor:6"];
            let draw = draw(&names[..n]);
            let all: u64 = (1..=n as u64).product();
            let mut seats = vec![vec![0; n]; n];
            let mut orders = std::collections::BTreeSet::new();
            for game in 0..all {
                let places = draw.places(game);
                places.iter().enumerate().for_each(|(seat, &bot)| seats[seat][bot] += 1);
                orders.insert(places);
            }
            assert!(seats.iter().flatten().all(|&count| count == all / n as u64), "{seats:?}");
            assert_eq!(orders.len() as u64, all);
            for set in 0..5 {
                let first: Vec<usize> = (0..n as u64).map(|i| draw.places(set * n as u64 + i)[0]).collect();
                assert_eq!(first.iter().collect::<std::collections::BTreeSet<_>>().len(), n);
            }
        }
    }

    #[test]
    fn a_set_shares_its_dice_unless_all_are_alike() {
        let mixed = draw(&["captain", "random", "random"]);
        assert_eq!(mixed.seating(3).nature, mixed.seating(5).nature);
        assert_ne!(mixed.seating(2).nature, mixed.seating(3).nature);
        let alike = draw(&["captain", "captain", "captain"]);
        assert_ne!(alike.seating(3).nature, alike.seating(5).nature);
        let seeds = |d: &Draw, game| d.seating(game).players.iter().map(|p| p.1).collect::<Vec<_>>();
        assert_ne!(seeds(&mixed, 3), seeds(&mixed, 4));
        assert_eq!(seeds(&mixed, 3), seeds(&mixed, 3));
    }
}
