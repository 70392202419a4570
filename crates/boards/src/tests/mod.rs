//! Plays whole games with the boards: every legal action must be within reach of clicks, and every text readable.

mod faults;
mod flow;
mod guided;
mod merits;
mod minutes;
mod plain;
#[cfg(feature = "numeral")]
mod prompts;
mod reach;
mod scan;
mod sticks;
mod template;
mod texts;

/// The manifest of the registry, whose feature `all-games` lists the crates of the shipped games.
const REGISTRY: &str = include_str!("../../../registry/Cargo.toml");

/// Returns whether the game of this name is shipped, so that its pages in `docs` must exist: a game in the crate of the
/// classics is, and a game with a crate of its own is if the feature `all-games` of the registry names it.
fn is_shipped(name: &str) -> bool {
    let own_crate = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../games").join(name);
    let shipped = REGISTRY.split_once("all-games = [").and_then(|(_, rest)| rest.split_once(']'));
    let (shipped, _) = shipped.expect("the registry has a list of the shipped games");
    !own_crate.exists() || shipped.split('"').any(|krate| krate == name)
}

/// Games are shipped by default: only one with a folder of its own and no place in the list is not.
#[test]
fn the_games_of_all_games_are_shipped() {
    for name in ["hegemony", "hestia", "numeral", "ozymandias", "vires", "tic-tac-toe", "liars-dice"] {
        assert!(is_shipped(name), "{name}");
    }
    // The folder of a crate that is no game and in no list.
    assert!(!is_shipped("../boards"));
}
