//! Writes the macro `with_games!`: the games of the registry, in its order. Those with a folder `src/games/NAME` have a
//! board of their own; the others have the default board.

use std::{env, error::Error, fs, path::Path};

/// Writes the macro `with_games!` as `games.rs` into the output folder of cargo.
///
/// # Errors
///
/// Fails if the registry hands over no list, or the file cannot be written.
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/games");
    println!("cargo::rerun-if-env-changed=DEP_PENTARCHY_GAMES_LIST");
    let list = env::var("DEP_PENTARCHY_GAMES_LIST")?;
    let has_board = |name: &str| Path::new("src/games").join(name).join("mod.rs").exists();
    let entries: String = list
        .split(',')
        .filter_map(|entry| entry.split_once('='))
        .map(|(name, path)| {
            let board = if has_board(name) { "own" } else { "default" };
            format!("            [{board}] {name}: pentarchy_registry::crates::{path},\n")
        })
        .collect();
    let source = format!(
        "/// Calls a macro with `[board] name: Type,` for each game, in the order in which they are shown. The board is `own` if
/// the game has a folder here, else `default`. The name is that of the game with `_` in place of `-`.
macro_rules! with_games {{
    ($macro:ident) => {{
        $macro! {{
{entries}        }}
    }};
}}
"
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("games.rs"), source)?;
    Ok(())
}
