//! `pentarchy cards GAME`: the texts of cards, blocks and tiles.

use crate::command_error::{CommandError, Outcome};
use crate::game_arg::GameArg;
use crate::style::{DIM, KEY, paint, width, wrap};
use pentarchy_engine::AnyGame;
use pentarchy_engine::notation::nearest;
use std::io::Write;

/// Show the cards of a game, or the text of one of them
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them
    #[arg(hide_possible_values = true)]
    game: GameArg,

    /// The card (or block, or tile); a part of its name will do
    card: Option<String>,
}

/// Runs `pentarchy cards`: prints the texts of all cards of the game, or of those whose names contain the argument
/// ([`cards`]).
///
/// # Errors
///
/// Fails if the game has no cards, if no card matches, or if the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut out = anstream::stdout().lock();
    let text = cards(args.game.0, args.card.as_deref()).map_err(CommandError::usage)?;
    Ok(write!(out, "{text}")?)
}

/// Returns the cards whose names contain `name`, with their texts as coloured lines, wrapped to the width of the
/// terminal. Case and surrounding spaces of `name` are ignored. If a card has exactly this name (in lower case),
/// returns only that one; returns all cards if `name` is `None` or empty. A card without a text says so. If none of the
/// found cards has a text, returns their names as one list.
///
/// # Errors
///
/// Fails with a sentence if the game has no cards or none matches; the latter suggests the most similar name, if any.
pub(crate) fn cards(game: &'static dyn AnyGame, name: Option<&str>) -> Result<String, String> {
    let all = game.cards();
    if all.is_empty() {
        return Err(format!("{} has no cards", game.info().title));
    }
    let wanted = name.unwrap_or("").trim().to_lowercase();
    let exact = all.iter().any(|(word, _)| word.to_lowercase() == wanted);
    let fits = |word: &str| {
        let word = word.to_lowercase();
        if exact { word == wanted } else { word.contains(&wanted) }
    };
    let found: Vec<_> = all.iter().filter(|(word, _)| fits(word)).collect();
    if found.is_empty() {
        let near = nearest(&wanted, all.iter().map(|(word, _)| word.as_str()));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(format!("there is no card `{wanted}`{hint}"));
    }
    if found.iter().all(|(_, text)| text.is_none()) {
        let words: Vec<&str> = found.iter().map(|(word, _)| word.as_str()).collect();
        return Ok(wrap(&words.join(", "), "  ", width()));
    }
    let mut out = String::new();
    for (word, text) in found {
        out += &format!("  {}\n", paint(KEY, word));
        match text {
            Some(text) => out += &wrap(text, "      ", width()),
            None => out += &format!("      {}\n", paint(DIM, "no text")),
        }
    }
    Ok(out)
}
