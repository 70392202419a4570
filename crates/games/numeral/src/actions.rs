//! The actions of players and their notation: `done`, `select 3,-1`, `place 5`, `build tower`, `march ne 10`.

use crate::map::{Cell, Direction};
use crate::upgrades::Upgrade;
use pentarchy_engine::ParseError;
use std::{fmt, str::FromStr};

/// An action of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// End the turn.
    Done,
    /// Choose a hex, to place or build on it, or to march from it.
    Select(Cell),
    /// Place this number of soldiers on the chosen hex.
    Place(u32),
    /// Build this on the chosen hex.
    Build(Upgrade),
    /// March with this number of soldiers from the chosen hex to its neighbour.
    March(Direction, u32),
}

impl fmt::Display for Action {
    /// Writes the action in the notation that `from_str` reads, like `march ne 10`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Done => f.write_str("done"),
            Action::Select(cell) => write!(f, "select {cell}"),
            Action::Place(n) => write!(f, "place {n}"),
            Action::Build(upgrade) => write!(f, "build {upgrade}"),
            Action::March(direction, n) => write!(f, "march {direction} {n}"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;
    /// Reads an action in its notation, words separated by spaces. Checks the form only, not whether the
    /// action is legal.
    ///
    /// # Errors
    ///
    /// Fails if the words are unknown, too few or too many, or a hex, direction, upgrade or number is
    /// malformed.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["done"] => Ok(Action::Done),
            ["select", cell] => Ok(Action::Select(cell.parse()?)),
            ["place", n] => Ok(Action::Place(soldiers(n)?)),
            ["build", upgrade] => Ok(Action::Build(upgrade.parse()?)),
            ["march", direction, n] => Ok(Action::March(direction.parse()?, soldiers(n)?)),
            _ => Err(ParseError::new(
                text,
                "an action: `done`, `select 3,-1`, `place 5`, `build farm` or `march ne 10`",
            )),
        }
    }
}

/// Parses a number of soldiers in canonical spelling: digits only, no leading zero. 0 is accepted; the rules
/// reject it.
///
/// # Errors
///
/// Fails if the text is no such number or exceeds 32 bits.
fn soldiers(text: &str) -> Result<u32, ParseError> {
    let n: Option<u32> = text.parse().ok();
    n.filter(|n| n.to_string() == text).ok_or_else(|| ParseError::new(text, "a number of soldiers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_read_as_they_are_written() {
        for text in ["done", "select 3,-1", "place 5", "build archology", "march sw 10"] {
            assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
        }
        for text in ["", "do", "select", "select 9,9", "place -1", "place 05", "build castle", "march n 3"] {
            assert!(text.parse::<Action>().is_err(), "{text}");
        }
        assert!(size_of::<Action>() <= 8);
    }
}
