//! Asks for the game and the number of players.

use super::roles::SeatsArg;
use super::ui::Ui;
use crate::command_error::{CommandError, Outcome};
use crate::style::{BAD, DIM, KEY, TITLE, paint, width, wrap};
use pentarchy_engine::AnyGame;
use pentarchy_registry::{GAMES, find};

/// Prints the games with their numbers (from 1), titles, seats and pitches, and asks for one by number, title or name,
/// until the answer is one. Says what is wrong with an answer, unless it is empty. Titles are compared in any case,
/// names exactly.
///
/// # Errors
///
/// Fails if the input ends or the output is closed.
pub(super) fn pick(ui: &mut Ui) -> Outcome<&'static dyn AnyGame> {
    for (i, game) in GAMES.iter().enumerate() {
        let info = game.info();
        let (number, title) = (paint(KEY, format_args!("{:>3}", i + 1)), paint(TITLE, info.title));
        ui.line(&format!("{number}  {title}  {}", paint(DIM, crate::games::seats(&info))))?;
        ui.text(&wrap(info.pitch, "     ", width()))?;
    }
    loop {
        let Some(line) = ui.read_line("Which game")? else {
            return Err(CommandError::Ended("the input ended before a game was picked".to_string()));
        };
        let numbered = line.parse::<usize>().ok().and_then(|n| GAMES.get(n.checked_sub(1)?));
        let titled = GAMES.iter().find(|game| game.info().title.eq_ignore_ascii_case(&line));
        match numbered.or(titled).copied().map_or_else(|| find(&line), Ok) {
            Ok(game) => return Ok(game),
            Err(_) if line.is_empty() => {}
            Err(unknown) => ui.line(&paint(BAD, unknown))?,
        }
    }
}

/// Asks for the seats until the answer is valid: a number that the game allows, or who sits where. Says what is wrong
/// with an answer. Returns `None` for an empty answer (the default), and without a question if the game has one number
/// of seats. The number of roles is not checked.
///
/// # Errors
///
/// Fails if the input ends or the output is closed.
pub(super) fn seats(ui: &mut Ui, game: &'static dyn AnyGame) -> Outcome<Option<SeatsArg>> {
    let info = game.info();
    if info.min_seats == info.max_seats {
        return Ok(None);
    }
    let (min, max, default) = (info.min_seats, info.max_seats, info.default_seats);
    loop {
        let Some(line) = ui.read_line(&format!("How many seats, {min} to {max} (Enter: {default})"))? else {
            return Err(CommandError::Ended("the input ended before the game began".to_string()));
        };
        match line.parse() {
            _ if line.is_empty() => return Ok(None),
            Ok(seats @ SeatsArg::Roles(_)) => return Ok(Some(seats)),
            Ok(SeatsArg::Count(count)) if (min..=max).contains(&count) => {
                return Ok(Some(SeatsArg::Count(count)));
            }
            Ok(_) => ui.line(&paint(BAD, format_args!("a number from {min} to {max}, please")))?,
            Err(unknown) => ui.line(&paint(BAD, unknown))?,
        }
    }
}
