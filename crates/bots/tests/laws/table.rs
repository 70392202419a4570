//! Games to test with.

use pentarchy_bots::BotPlayer;
use pentarchy_engine::{Heuristic, Node, Outcome, Position, Rng, options};

/// The first position of a game with its default options.
pub(crate) fn start<G: Heuristic>(seats: u8) -> Position<G> {
    Position::new(seats, &options::from_value(&serde_json::Value::Null).unwrap()).unwrap()
}

/// Positions in which somebody has a choice, one now and then out of a random game.
pub(crate) fn decisions<G: Heuristic>(seats: u8, seed: u64, every: u32, most: usize) -> Vec<Position<G>> {
    let (mut rng, mut list) = (Rng::new(seed), Vec::new());
    let (mut position, mut found, mut choices) = (start::<G>(seats), Vec::new(), 0);
    while found.len() < most {
        position.settle(&mut rng, &mut list).unwrap();
        if position.node() == Node::Over {
            break;
        }
        position.legal(&mut list).unwrap();
        if list.len() > 1 {
            if choices % every == 0 {
                found.push(position.clone());
            }
            choices += 1;
        }
        position.play(list[rng.below(list.len() as u32) as usize]).unwrap();
    }
    found
}

/// Plays a game between these players, who see what their seats see.
pub(crate) fn play<G: Heuristic>(players: &mut [Box<dyn BotPlayer<G>>], seed: u64) -> Outcome {
    let (mut rng, mut list) = (Rng::new(seed), Vec::new());
    let mut position = start::<G>(players.len() as u8);
    loop {
        position.settle(&mut rng, &mut list).unwrap();
        let Node::Decide(seat) = position.node() else { return position.outcome().unwrap() };
        let view = position.view(seat);
        view.legal(&mut list).unwrap();
        let choice = players[seat.index()].choose(&view, &list);
        position.play(list[choice]).unwrap();
    }
}
