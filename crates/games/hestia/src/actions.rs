//! The actions of players and their notation.

use crate::face::Mode;
use crate::map::Place;
use pentarchy_engine::{ParseError, Token};
use std::{fmt, str::FromStr};

/// An action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Put a card of the hand away at the turn of the year: `discard #5`.
    Discard(Token),
    /// Bid a card for the first turn: `bid #5`.
    Bid(Token),
    /// Add a card to the lead: `add #5`.
    Add(Token),
    /// Add no card or none further, or replace no more cards: `done`.
    Done,
    /// Spend this number of cards, 0 to 2, on movement: `cards 2`.
    Cards(u8),
    /// Spend this card on movement: `pay #5`.
    Pay(Token),
    /// Put a card away for a new one: `swap #5`.
    Swap(Token),
    /// Activate an army: `army KAD`.
    Army(Place),
    /// Raise the blocks of a place: `rally DON`; with a sea the ship of the place there: `rally FER navy S3`.
    Rally(Place, Option<Place>),
    /// No more orders: `end`.
    End,
    /// A block joins the army: `pick #120`.
    Pick(Token),
    /// All blocks that may join form the army, which then marches: `all`.
    All,
    /// The army is complete and begins its march: `go`.
    Go,
    /// The army moves to an adjacent place: `move VAL`.
    Move(Place),
    /// The army places an influence token: `token`.
    Influence,
    /// A block stays behind: `drop #120`.
    Drop(Token),
    /// A card for a forced march: `force #5`.
    Force(Token),
    /// The army ends its march: `stop`.
    Stop,
    /// The next battle is fought at this place: `battle HES`.
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

impl fmt::Display for Action {
    /// Writes the action in its notation, like `clash #5 fight`; a sealed choice that is not known is written
    /// `?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sealed = |mode: &Option<Mode>| mode.map_or("?".to_string(), |m| m.to_string());
        match self {
            Action::Discard(t) => write!(f, "discard {t}"),
            Action::Bid(t) => write!(f, "bid {t}"),
            Action::Add(t) => write!(f, "add {t}"),
            Action::Done => f.write_str("done"),
            Action::Cards(n) => write!(f, "cards {n}"),
            Action::Pay(t) => write!(f, "pay {t}"),
            Action::Swap(t) => write!(f, "swap {t}"),
            Action::Army(place) => write!(f, "army {place}"),
            Action::Rally(place, None) => write!(f, "rally {place}"),
            Action::Rally(place, Some(sea)) => write!(f, "rally {place} navy {sea}"),
            Action::End => f.write_str("end"),
            Action::Pick(t) => write!(f, "pick {t}"),
            Action::All => f.write_str("all"),
            Action::Go => f.write_str("go"),
            Action::Move(place) => write!(f, "move {place}"),
            Action::Influence => f.write_str("token"),
            Action::Drop(t) => write!(f, "drop {t}"),
            Action::Force(t) => write!(f, "force {t}"),
            Action::Stop => f.write_str("stop"),
            Action::Battle(place) => write!(f, "battle {place}"),
            Action::Clash(t, mode) => write!(f, "clash {t} {}", sealed(mode)),
            Action::Fight(t) => write!(f, "fight {t}"),
            Action::Hold(mode) => write!(f, "hold {}", sealed(mode)),
            Action::Lose(t) => write!(f, "lose {t}"),
            Action::Heal(t) => write!(f, "heal {t}"),
            Action::Flee(place) => write!(f, "flee {place}"),
            Action::Withdraw(place) => write!(f, "withdraw {place}"),
        }
    }
}

/// Parses a sealed choice: `fight`, `retreat`, `stand` or `withdraw`; `?`, the public form, gives `None`.
///
/// # Errors
///
/// Fails for any other text.
fn sealed(text: &str) -> Result<Option<Mode>, ParseError> {
    if text == "?" { Ok(None) } else { text.parse().map(Some) }
}

impl FromStr for Action {
    type Err = ParseError;
    /// Reads an action in its notation: words separated by single spaces. Checks the form only, not whether
    /// the action is legal.
    ///
    /// # Errors
    ///
    /// Fails if the words are unknown, too few or too many, a token or place is malformed, or `cards` is not
    /// followed by 0, 1 or 2.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let words: Vec<&str> = text.split(' ').collect();
        Ok(match words[..] {
            ["done"] => Action::Done,
            ["end"] => Action::End,
            ["all"] => Action::All,
            ["go"] => Action::Go,
            ["token"] => Action::Influence,
            ["stop"] => Action::Stop,
            ["cards", n] => match n.parse() {
                Ok(n @ 0..=2) => Action::Cards(n),
                _ => return Err(ParseError::new(text, "cards 0, cards 1 or cards 2")),
            },
            ["discard", t] => Action::Discard(t.parse()?),
            ["bid", t] => Action::Bid(t.parse()?),
            ["add", t] => Action::Add(t.parse()?),
            ["pay", t] => Action::Pay(t.parse()?),
            ["swap", t] => Action::Swap(t.parse()?),
            ["pick", t] => Action::Pick(t.parse()?),
            ["drop", t] => Action::Drop(t.parse()?),
            ["force", t] => Action::Force(t.parse()?),
            ["fight", t] => Action::Fight(t.parse()?),
            ["lose", t] => Action::Lose(t.parse()?),
            ["heal", t] => Action::Heal(t.parse()?),
            ["clash", t, mode] => Action::Clash(t.parse()?, sealed(mode)?),
            ["hold", mode] => Action::Hold(sealed(mode)?),
            ["army", place] => Action::Army(place.parse()?),
            ["rally", place] => Action::Rally(place.parse()?, None),
            ["rally", place, "navy", sea] => Action::Rally(place.parse()?, Some(sea.parse()?)),
            ["move", place] => Action::Move(place.parse()?),
            ["battle", place] => Action::Battle(place.parse()?),
            ["flee", place] => Action::Flee(place.parse()?),
            ["withdraw", place] => Action::Withdraw(place.parse()?),
            _ => return Err(ParseError::new(text, "an action of The Hestian Civil Wars")),
        })
    }
}
