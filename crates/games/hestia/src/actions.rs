//! What a seat can do, and how it is written.

use crate::face::Mode;
use crate::map::Place;
use pentarchy_engine::{ParseError, Token};
use std::{fmt, str::FromStr};

/// An action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// Put a card of the hand away at the turn of the year: `discard #5`.
    Discard(Token),
    /// Bid a card for the first turn: `bid #5`.
    Bid(Token),
    /// Add a card to the lead: `add #5`.
    Add(Token),
    /// No more: `done`.
    Done,
    /// How many cards to spend on movement: `cards 2`.
    Cards(u8),
    /// Which: `pay #5`.
    Pay(Token),
    /// Put a card away for a new one: `swap #5`.
    Swap(Token),
    /// Activate an army: `army KAD`.
    Army(Place),
    /// Raise units: `rally DON`, or ships: `rally FER navy S3`.
    Rally(Place, Option<Place>),
    /// No more orders: `end`.
    End,
    /// A block joins the army: `pick #120`.
    Pick(Token),
    /// All blocks join: `all`.
    All,
    /// The army is complete: `go`.
    Go,
    /// The army moves: `move VAL`.
    Move(Place),
    /// The army places an influence token: `token`.
    Influence,
    /// A block stays behind: `drop #120`.
    Drop(Token),
    /// A card for a forced march: `force #5`.
    Force(Token),
    /// The army stays: `stop`.
    Stop,
    /// Which battle is next: `battle HES`.
    Battle(Place),
    /// A card, and sealed whether it fights or covers a retreat: `clash #5 fight`, `clash #5 ?`.
    Clash(Token, Option<Mode>),
    /// A card against an attacker who has none: `fight #5`.
    Fight(Token),
    /// Without cards, sealed: `hold stand`, `hold withdraw`, `hold ?`.
    Hold(Option<Mode>),
    /// A block loses strength: `lose #120`.
    Lose(Token),
    /// A block regains strength: `heal #120`.
    Heal(Token),
    /// The winner drives the loser on: `flee OXM`.
    Flee(Place),
    /// An army gives way: `withdraw MAU`.
    Withdraw(Place),
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sealed = |mode: &Option<Mode>| mode.map_or("?".to_string(), |m| m.to_string());
        match self {
            Act::Discard(t) => write!(f, "discard {t}"),
            Act::Bid(t) => write!(f, "bid {t}"),
            Act::Add(t) => write!(f, "add {t}"),
            Act::Done => f.write_str("done"),
            Act::Cards(n) => write!(f, "cards {n}"),
            Act::Pay(t) => write!(f, "pay {t}"),
            Act::Swap(t) => write!(f, "swap {t}"),
            Act::Army(place) => write!(f, "army {place}"),
            Act::Rally(place, None) => write!(f, "rally {place}"),
            Act::Rally(place, Some(sea)) => write!(f, "rally {place} navy {sea}"),
            Act::End => f.write_str("end"),
            Act::Pick(t) => write!(f, "pick {t}"),
            Act::All => f.write_str("all"),
            Act::Go => f.write_str("go"),
            Act::Move(place) => write!(f, "move {place}"),
            Act::Influence => f.write_str("token"),
            Act::Drop(t) => write!(f, "drop {t}"),
            Act::Force(t) => write!(f, "force {t}"),
            Act::Stop => f.write_str("stop"),
            Act::Battle(place) => write!(f, "battle {place}"),
            Act::Clash(t, mode) => write!(f, "clash {t} {}", sealed(mode)),
            Act::Fight(t) => write!(f, "fight {t}"),
            Act::Hold(mode) => write!(f, "hold {}", sealed(mode)),
            Act::Lose(t) => write!(f, "lose {t}"),
            Act::Heal(t) => write!(f, "heal {t}"),
            Act::Flee(place) => write!(f, "flee {place}"),
            Act::Withdraw(place) => write!(f, "withdraw {place}"),
        }
    }
}

fn sealed(text: &str) -> Result<Option<Mode>, ParseError> {
    if text == "?" { Ok(None) } else { text.parse().map(Some) }
}

impl FromStr for Act {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let words: Vec<&str> = text.split(' ').collect();
        Ok(match words[..] {
            ["done"] => Act::Done,
            ["end"] => Act::End,
            ["all"] => Act::All,
            ["go"] => Act::Go,
            ["token"] => Act::Influence,
            ["stop"] => Act::Stop,
            ["cards", n] => match n.parse() {
                Ok(n @ 0..=2) => Act::Cards(n),
                _ => return Err(ParseError::new(text, "cards 0, cards 1 or cards 2")),
            },
            ["discard", t] => Act::Discard(t.parse()?),
            ["bid", t] => Act::Bid(t.parse()?),
            ["add", t] => Act::Add(t.parse()?),
            ["pay", t] => Act::Pay(t.parse()?),
            ["swap", t] => Act::Swap(t.parse()?),
            ["pick", t] => Act::Pick(t.parse()?),
            ["drop", t] => Act::Drop(t.parse()?),
            ["force", t] => Act::Force(t.parse()?),
            ["fight", t] => Act::Fight(t.parse()?),
            ["lose", t] => Act::Lose(t.parse()?),
            ["heal", t] => Act::Heal(t.parse()?),
            ["clash", t, mode] => Act::Clash(t.parse()?, sealed(mode)?),
            ["hold", mode] => Act::Hold(sealed(mode)?),
            ["army", place] => Act::Army(place.parse()?),
            ["rally", place] => Act::Rally(place.parse()?, None),
            ["rally", place, "navy", sea] => Act::Rally(place.parse()?, Some(sea.parse()?)),
            ["move", place] => Act::Move(place.parse()?),
            ["battle", place] => Act::Battle(place.parse()?),
            ["flee", place] => Act::Flee(place.parse()?),
            ["withdraw", place] => Act::Withdraw(place.parse()?),
            _ => return Err(ParseError::new(text, "an action of The Hestian Civil Wars")),
        })
    }
}
