//! The faces of tokens: cards, blocks with their strength, and sealed choices.

use crate::blocks::{UNITS, Unit};
use crate::cards::{CARDS, Card};
use pentarchy_engine::{Back, Face, ParseError};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What a player seals in a clash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Mode {
    /// The card fights.
    Fight,
    /// The card covers a retreat, and stays hidden.
    Retreat,
    /// Without cards: hold the ground.
    Stand,
    /// Without cards: give way.
    Withdraw,
}

/// All sealed choices, in the order of their numbers.
const MODES: [Mode; 4] = [Mode::Fight, Mode::Retreat, Mode::Stand, Mode::Withdraw];

/// What a token shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A card.
    Card(Card),
    /// A block: its kind and its strength now.
    Block(Unit, u8),
    /// A sealed choice.
    Mode(Mode),
}

/// The back of land units.
pub const LAND: Back = Back(1);
/// The back of ships.
pub const NAVAL: Back = Back(2);

/// The number of the first face of each kind of block, in their order, and last that of the first sealed
/// choice. A land unit has one face for each strength, a ship one.
const BASE: [u8; UNITS + 1] = {
    let mut base = [CARDS.len() as u8; UNITS + 1];
    let mut i = 0;
    while i < UNITS {
        let full = Unit(i as u8).full();
        base[i + 1] = base[i] + if full == 0 { 1 } else { full };
        i += 1;
    }
    base
};

/// The face of each number.
const FACES: [Shown; Shown::COUNT] = {
    let mut faces = [Shown::Mode(Mode::Fight); Shown::COUNT];
    let mut i = 0;
    while i < CARDS.len() {
        faces[i] = Shown::Card(Card::nth(i as u8));
        i += 1;
    }
    let mut unit = 0;
    while unit < UNITS {
        let mut strength = 0;
        while strength < BASE[unit + 1] - BASE[unit] {
            let shown = if Unit(unit as u8).full() == 0 { 0 } else { strength + 1 };
            faces[(BASE[unit] + strength) as usize] = Shown::Block(Unit(unit as u8), shown);
            strength += 1;
        }
        unit += 1;
    }
    let mut i = 0;
    while i < MODES.len() {
        faces[BASE[UNITS] as usize + i] = Shown::Mode(MODES[i]);
        i += 1;
    }
    faces
};

impl Shown {
    /// Number of faces: cards, blocks with each strength, sealed choices.
    const COUNT: usize = BASE[UNITS] as usize + MODES.len();

    /// Returns the card; `None` for a block or a sealed choice.
    #[inline]
    pub const fn card(self) -> Option<Card> {
        match self {
            Shown::Card(card) => Some(card),
            _ => None,
        }
    }

    /// Returns the kind of block and its strength now (0 for ships); `None` for a card or a sealed choice.
    #[inline]
    pub const fn block(self) -> Option<(Unit, u8)> {
        match self {
            Shown::Block(unit, strength) => Some((unit, strength)),
            _ => None,
        }
    }
}

impl Face for Shown {
    type Bits = u128;
    const KINDS: usize = Shown::COUNT;

    /// Returns the number of the face, from 0: cards first, then each block with each strength, then sealed
    /// choices. The strength must be at most the full strength of the block; this is not checked.
    #[inline]
    fn index(self) -> u8 {
        match self {
            Shown::Card(card) => card as u8,
            Shown::Block(unit, strength) => BASE[unit.0 as usize] + strength.saturating_sub(1),
            Shown::Mode(mode) => BASE[UNITS] + mode as u8,
        }
    }

    /// Returns the face of a number below `KINDS`; a higher one panics.
    #[inline]
    fn nth(index: u8) -> Self {
        FACES[index as usize]
    }

    /// Returns the back: land units and ships can be told apart face down, cards and sealed choices have a
    /// plain back.
    #[inline]
    fn back(self) -> Back {
        match self {
            Shown::Block(unit, _) if unit.is_naval() => NAVAL,
            Shown::Block(..) => LAND,
            _ => Back::PLAIN,
        }
    }
}

impl fmt::Display for Mode {
    /// Writes the choice as one word, like `fight`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["fight", "retreat", "stand", "withdraw"][*self as usize])
    }
}

impl FromStr for Mode {
    type Err = ParseError;
    /// Reads a sealed choice: `fight`, `retreat`, `stand` or `withdraw`.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = MODES.into_iter().find(|m| m.to_string() == text);
        found.ok_or_else(|| ParseError::new(text, "fight, retreat, stand or withdraw"))
    }
}

impl fmt::Display for Shown {
    /// Writes the word of the notation: a card, ship or sealed choice by its word, a land unit with its
    /// strength, like `rasser-4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shown::Card(card) => card.fmt(f),
            Shown::Block(unit, 0) => f.write_str(&unit.word()),
            Shown::Block(unit, strength) => write!(f, "{}-{strength}", unit.word()),
            Shown::Mode(mode) => mode.fmt(f),
        }
    }
}

impl FromStr for Shown {
    type Err = ParseError;
    /// Reads a face by its word of the notation: a card, a block with its strength, or a sealed choice.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = FACES.into_iter().find(|f| f.to_string() == text);
        found.ok_or_else(|| ParseError::new(text, "a card or a block"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_numbered_without_gaps() {
        for i in 0..Shown::KINDS as u8 {
            let face = Shown::nth(i);
            assert_eq!(face.index(), i, "{face}");
            assert_eq!(face.to_string().parse(), Ok(face));
        }
    }
}
