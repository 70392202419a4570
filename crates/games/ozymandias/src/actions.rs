//! The actions of players and their notation.

use crate::cards::Faction;
use crate::map::{Corner, Hex};
use pentarchy_engine::{ParseError, Seat, Token};
use std::{fmt, str::FromStr};

/// An action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Sell a card and turn up a sector: `explore #5`.
    Explore(Token),
    /// Lay a card and build a city: `expand #5`.
    Expand(Token),
    /// Call a crisis: `crisis`.
    Crisis,
    /// Take the tableau back, when nothing else is possible: `withdraw`.
    Withdraw,
    /// Where the new sector goes: `place 1,-1`.
    Place(Hex),
    /// Where the new city goes: `build 0,1,0`.
    Build(Corner),
    /// Use a card of the tableau: `activate #5`.
    Activate(Token),
    /// Activate or pick up no further cards: `done`.
    Done,
    /// Take a card of the tableau into the hand before a crisis: `pickup #5`.
    Pickup(Token),
    /// Take the whole tableau into the hand before a crisis: `pickup_all`.
    PickupAll,
    /// Which sector has the crisis: `sector 0,0`.
    Sector(Hex),
    /// Lay a card face down for the crisis: `contribute #5`.
    Contribute(Token),
    /// Contribute no card to the crisis: `pass`.
    Pass,
    /// Buy the top card of the deck: `buy_deck`.
    BuyDeck,
    /// Buy a card of the market: `buy #5`.
    Buy(Token),
    /// What a card is to work on: `choose red`, `choose 0,0,0`, `choose seat 1`, `choose none`, …
    Choose(Target),
}

/// What a card can work on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A card of the hand or of the market.
    Card(Token),
    /// A corner, and the stack on it.
    Corner(Corner),
    /// A sector.
    Sector(Hex),
    /// A faction.
    Faction(Faction),
    /// A player.
    Player(Seat),
    /// No target: the effect is declined.
    None,
}

impl fmt::Display for Action {
    /// Writes the action in the notation that `from_str` reads, like `explore #5`: a word and, after a space,
    /// its target.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Explore(t) => write!(f, "explore {t}"),
            Action::Expand(t) => write!(f, "expand {t}"),
            Action::Crisis => f.write_str("crisis"),
            Action::Withdraw => f.write_str("withdraw"),
            Action::Place(hex) => write!(f, "place {hex}"),
            Action::Build(corner) => write!(f, "build {corner}"),
            Action::Activate(t) => write!(f, "activate {t}"),
            Action::Done => f.write_str("done"),
            Action::Pickup(t) => write!(f, "pickup {t}"),
            Action::PickupAll => f.write_str("pickup_all"),
            Action::Sector(hex) => write!(f, "sector {hex}"),
            Action::Contribute(t) => write!(f, "contribute {t}"),
            Action::Pass => f.write_str("pass"),
            Action::BuyDeck => f.write_str("buy_deck"),
            Action::Buy(t) => write!(f, "buy {t}"),
            Action::Choose(target) => write!(f, "choose {target}"),
        }
    }
}

impl fmt::Display for Target {
    /// Writes the target in its notation: `#5`, `0,1,0`, `0,0`, `red`, `seat 1` or `none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Card(t) => t.fmt(f),
            Target::Corner(corner) => corner.fmt(f),
            Target::Sector(hex) => hex.fmt(f),
            Target::Faction(faction) => faction.fmt(f),
            Target::Player(seat) => write!(f, "seat {seat}"),
            Target::None => f.write_str("none"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;
    /// Reads an action in its notation: a word and, after one space, its target. Checks the form only, not
    /// whether the action is legal.
    ///
    /// # Errors
    ///
    /// Fails if the word is unknown, the target is missing or malformed, or a word without a target has one.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        Ok(match (word, rest) {
            ("crisis", "") => Action::Crisis,
            ("withdraw", "") => Action::Withdraw,
            ("done", "") => Action::Done,
            ("pass", "") => Action::Pass,
            ("pickup_all", "") => Action::PickupAll,
            ("buy_deck", "") => Action::BuyDeck,
            ("explore", t) => Action::Explore(t.parse()?),
            ("expand", t) => Action::Expand(t.parse()?),
            ("activate", t) => Action::Activate(t.parse()?),
            ("pickup", t) => Action::Pickup(t.parse()?),
            ("contribute", t) => Action::Contribute(t.parse()?),
            ("buy", t) => Action::Buy(t.parse()?),
            ("place", hex) => Action::Place(hex.parse()?),
            ("sector", hex) => Action::Sector(hex.parse()?),
            ("build", corner) => Action::Build(corner.parse()?),
            ("choose", target) => Action::Choose(target.parse()?),
            _ => return Err(ParseError::new(text, "an action of Ozymandias")),
        })
    }
}

impl FromStr for Target {
    type Err = ParseError;
    /// Reads a target by its form: `none`, `seat` and a number from 0 to 4, `#` and a token, two numbers for
    /// a sector, three for a corner, else a faction.
    ///
    /// # Errors
    ///
    /// Fails if the text has none of these forms.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "none" {
            return Ok(Target::None);
        }
        if let Some(seat) = text.strip_prefix("seat ") {
            return match seat.parse() {
                Ok(seat @ 0..=4) => Ok(Target::Player(Seat(seat))),
                _ => Err(ParseError::new(text, "a seat from 0 to 4")),
            };
        }
        if text.starts_with('#') {
            return text.parse().map(Target::Card);
        }
        match text.matches(',').count() {
            1 => text.parse().map(Target::Sector),
            2 => text.parse().map(Target::Corner),
            _ => text.parse().map(Target::Faction),
        }
    }
}
