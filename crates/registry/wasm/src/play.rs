//! A seeded game of each kind: natively and as wasm its digests must be the same.

use pentarchy_engine::{AnyGame, Node, Rng};
use serde_json::Value;

/// Maximum number of decisions in a game.
const DECISIONS: u32 = 120;

/// Plays a seeded game with default options for at most 120 decisions: the first 60 at random, the rest by
/// the game's heuristic. Returns a line with name and digest before each decision and at the end, if it is
/// reached; equal on all platforms.
///
/// # Errors
///
/// Fails if the game cannot begin, or the rules reject an event.
pub fn digests(game: &dyn AnyGame) -> Result<String, String> {
    let mut position = game.start(game.info().default_seats, &Value::Null).map_err(|e| e.to_string())?;
    let mut rng = Rng::new(2026);
    let mut lines = String::new();
    for n in 0..DECISIONS {
        position.settle(&mut rng).map_err(|e| e.to_string())?;
        lines += &format!("{} {}\n", game.info().name, position.digest());
        if position.node() == Node::Over {
            break;
        }
        let random = n < DECISIONS / 2;
        let chosen =
            if random { position.choose_random(&mut rng) } else { position.choose_best_rated(&mut rng) };
        let action = chosen.map_err(|e| e.to_string())?;
        position.play(&action).map_err(|e| e.to_string())?;
    }
    Ok(lines)
}

/// Plays a seeded match of every game and returns a line with name and digest for each position at a decision
/// and at the end, game after game in the order of the registry.
///
/// # Errors
///
/// Fails if a game cannot be played, with the first such error; the lines of earlier games are then lost.
pub fn all() -> Result<String, String> {
    pentarchy_registry::GAMES.iter().map(|game| digests(*game)).collect()
}
