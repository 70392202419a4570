//! The actions of players and their notation.

use crate::cards::Category;
use crate::places::Side;
use pentarchy_engine::{ParseError, Token};
use std::{fmt, str::FromStr};

/// How a card is placed in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lie {
    /// Face up.
    Up,
    /// Face down, declared (and proven) as Military or Diplomacy.
    Down(Category),
}

/// An action of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Scalper: mark a card of the common pool.
    Scalp(Token),
    /// Buy a card of the common pool.
    Buy(Token),
    /// Use a Diplomacy card in the upkeep.
    Use(Token),
    /// Name the target of the card that is being used.
    Target(Side),
    /// Secret Agent: look at the target's deck and discard pile.
    LookPool,
    /// Secret Agent: look at one of the target's slots.
    Look(u8),
    /// Name a slot: the target's for Sanctions, the player's own for a False Flag.
    Slot(u8),
    /// Assassin: name a card by its slot and its position in the slot; the base card has position 0.
    Hit(u8, u8),
    /// Offer: take this card from the target's pool.
    Take(Token),
    /// Offer: give this card of the player's own pool.
    Give(Token),
    /// Place a card of the hand in a slot, replacing what lies there.
    Place(Token, u8, Lie),
    /// Station a card of the hand behind the base card of a slot.
    Station(Token, u8),
    /// Choose how a card drawn into a slot lies there.
    Enter(Lie),
    /// Lobbyist: name a category.
    Lobby(Category),
    /// Sell a slotted card at a Market.
    Sell(Token),
    /// Make war on a side.
    War(Side),
    /// Trade with the Empire.
    Trade,
    /// Replace the cards of all occupied slots from the deck.
    Fresh,
    /// Buy a card that lies face up in a slot of the Empire.
    Ebuy(Token),
    /// Ask to see the face-down card in this slot of the Empire.
    Ask(u8),
    /// Buy the card that was asked for.
    Accept,
    /// Do not buy it, or do not use an optional effect.
    Decline,
    /// Draw a card into the lowest empty slot.
    Refill,
    /// Leave the remaining slots empty.
    Stop,
    /// Play a Sabotage against the Diplomacy card that is being used.
    Sabotage(Token),
    /// Siege Tower: return the cards of a Military slot of the loser to its deck.
    Raze(u8),
    /// Collateral Damage: empty a Trade or Diplomacy slot of the loser.
    Ruin(u8),
    /// Show a card, as the rules demand.
    Show(Token),
    /// Declare (and prove) that there is no further card to show.
    Rest,
    /// End this part of the turn.
    Done,
    /// Do nothing.
    Pass,
}

impl Action {
    /// Returns the token that the action names; `None` if it names none, or a card only by its slot (`hit`,
    /// `ask`) or by the task (`enter`, `accept`).
    pub const fn token(self) -> Option<Token> {
        match self {
            Action::Scalp(t)
            | Action::Buy(t)
            | Action::Use(t)
            | Action::Take(t)
            | Action::Give(t)
            | Action::Place(t, ..)
            | Action::Station(t, _)
            | Action::Sell(t)
            | Action::Ebuy(t)
            | Action::Sabotage(t)
            | Action::Show(t) => Some(t),
            _ => None,
        }
    }

    /// Returns the action with its token replaced by `map(token)`; unchanged, without a call, if it names
    /// none.
    pub(crate) fn with_tokens(mut self, map: &mut dyn FnMut(Token) -> Token) -> Self {
        match &mut self {
            Action::Scalp(t)
            | Action::Buy(t)
            | Action::Use(t)
            | Action::Take(t)
            | Action::Give(t)
            | Action::Place(t, ..)
            | Action::Station(t, _)
            | Action::Sell(t)
            | Action::Ebuy(t)
            | Action::Sabotage(t)
            | Action::Show(t) => *t = map(*t),
            _ => {}
        }
        self
    }
}

impl fmt::Display for Lie {
    /// Writes `up`, or `down` and the declared category.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lie::Up => f.write_str("up"),
            Lie::Down(category) => write!(f, "down {category}"),
        }
    }
}

impl fmt::Display for Action {
    /// Writes the action in the notation that `from_str` reads, like `place #12 3 up`: a word, then tokens,
    /// sides, slots from 0 and how a card lies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::Scalp(t) => write!(f, "scalp {t}"),
            Action::Buy(t) => write!(f, "buy {t}"),
            Action::Use(t) => write!(f, "use {t}"),
            Action::Target(side) => write!(f, "target {side}"),
            Action::LookPool => f.write_str("look pool"),
            Action::Look(i) => write!(f, "look {i}"),
            Action::Slot(i) => write!(f, "slot {i}"),
            Action::Hit(i, k) => write!(f, "hit {i} {k}"),
            Action::Take(t) => write!(f, "take {t}"),
            Action::Give(t) => write!(f, "give {t}"),
            Action::Place(t, i, lie) => write!(f, "place {t} {i} {lie}"),
            Action::Station(t, i) => write!(f, "station {t} {i}"),
            Action::Enter(lie) => write!(f, "enter {lie}"),
            Action::Lobby(category) => write!(f, "lobby {category}"),
            Action::Sell(t) => write!(f, "sell {t}"),
            Action::War(side) => write!(f, "war {side}"),
            Action::Trade => f.write_str("trade"),
            Action::Fresh => f.write_str("fresh"),
            Action::Ebuy(t) => write!(f, "ebuy {t}"),
            Action::Ask(i) => write!(f, "ask {i}"),
            Action::Accept => f.write_str("accept"),
            Action::Decline => f.write_str("decline"),
            Action::Refill => f.write_str("refill"),
            Action::Stop => f.write_str("stop"),
            Action::Sabotage(t) => write!(f, "sabotage {t}"),
            Action::Raze(i) => write!(f, "raze {i}"),
            Action::Ruin(i) => write!(f, "ruin {i}"),
            Action::Show(t) => write!(f, "show {t}"),
            Action::Rest => f.write_str("rest"),
            Action::Done => f.write_str("done"),
            Action::Pass => f.write_str("pass"),
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
    /// Fails if the first word is unknown, a part is missing or malformed, or further words follow.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut words = Words { text, rest: text.split_whitespace() };
        let action = match words.next()? {
            "scalp" => Action::Scalp(words.token()?),
            "buy" => Action::Buy(words.token()?),
            "use" => Action::Use(words.token()?),
            "target" => Action::Target(words.side()?),
            "look" => match words.next()? {
                "pool" => Action::LookPool,
                word => Action::Look(words.number(word)?),
            },
            "slot" => Action::Slot(words.place()?),
            "hit" => Action::Hit(words.place()?, words.place()?),
            "take" => Action::Take(words.token()?),
            "give" => Action::Give(words.token()?),
            "place" => Action::Place(words.token()?, words.place()?, words.lie()?),
            "station" => Action::Station(words.token()?, words.place()?),
            "enter" => Action::Enter(words.lie()?),
            "lobby" => Action::Lobby(words.next()?.parse()?),
            "sell" => Action::Sell(words.token()?),
            "war" => Action::War(words.side()?),
            "trade" => Action::Trade,
            "fresh" => Action::Fresh,
            "ebuy" => Action::Ebuy(words.token()?),
            "ask" => Action::Ask(words.place()?),
            "accept" => Action::Accept,
            "decline" => Action::Decline,
            "refill" => Action::Refill,
            "stop" => Action::Stop,
            "sabotage" => Action::Sabotage(words.token()?),
            "raze" => Action::Raze(words.place()?),
            "ruin" => Action::Ruin(words.place()?),
            "show" => Action::Show(words.token()?),
            "rest" => Action::Rest,
            "done" => Action::Done,
            "pass" => Action::Pass,
            _ => return Err(words.wrong("an action")),
        };
        match words.rest.next() {
            None => Ok(action),
            Some(_) => Err(words.wrong("an action, without further words")),
        }
    }
}

/// The words of an action that are still to be read, and the whole text for error messages.
struct Words<'a> {
    text: &'a str,
    rest: std::str::SplitWhitespace<'a>,
}

impl<'a> Words<'a> {
    /// Creates the error that `expected` was expected instead of the whole text of the action.
    fn wrong(&self, expected: &str) -> ParseError {
        ParseError::new(self.text, expected)
    }

    /// Returns the next word and advances.
    ///
    /// # Errors
    ///
    /// Fails at the end of the text.
    fn next(&mut self) -> Result<&'a str, ParseError> {
        self.rest.next().ok_or_else(|| self.wrong("a whole action"))
    }

    /// Parses the next word as a token.
    ///
    /// # Errors
    ///
    /// Fails if the word is missing or no token.
    fn token(&mut self) -> Result<Token, ParseError> {
        self.next()?.parse()
    }

    /// Parses a word as a number from 0 to 255; whether there is such a slot is checked by the rules.
    ///
    /// # Errors
    ///
    /// Fails if the word is no number from 0 to 255.
    fn number(&self, word: &str) -> Result<u8, ParseError> {
        word.parse().map_err(|_| ParseError::new(word, "the number of a slot"))
    }

    /// Parses the next word as a number from 0 to 255: a slot, or a position in one. Whether it exists is
    /// checked by the rules.
    ///
    /// # Errors
    ///
    /// Fails if the word is missing or no number from 0 to 255.
    fn place(&mut self) -> Result<u8, ParseError> {
        let word = self.next()?;
        self.number(word)
    }

    /// Parses the next word as a side: a seat from 0 to 5, or `e` for the Empire.
    ///
    /// # Errors
    ///
    /// Fails if the word is missing or neither.
    fn side(&mut self) -> Result<Side, ParseError> {
        match self.next()? {
            "e" => Ok(Side::EMPIRE),
            word => match word.parse() {
                Ok(seat) if seat < Side::EMPIRE.0 => Ok(Side(seat)),
                _ => Err(ParseError::new(word, "a seat, or e for the Empire")),
            },
        }
    }

    /// Parses how a card lies: `up`, `down military` or `down diplomacy`, one or two words.
    ///
    /// # Errors
    ///
    /// Fails if the words are missing or others; `down trade` is never possible.
    fn lie(&mut self) -> Result<Lie, ParseError> {
        match self.next()? {
            "up" => Ok(Lie::Up),
            "down" => match self.next()?.parse()? {
                Category::Trade => Err(self.wrong("possible: Trade cards lie face up")),
                category => Ok(Lie::Down(category)),
            },
            word => Err(ParseError::new(word, "up, down military or down diplomacy")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_read_back() {
        let all = [
            "scalp #3",
            "buy #4",
            "use #5",
            "target 1",
            "target e",
            "look pool",
            "look 2",
            "slot 4",
            "hit 0 1",
            "take #7",
            "give #264",
            "place #17 2 down military",
            "place #17 0 up",
            "station #9 3",
            "enter down diplomacy",
            "enter up",
            "lobby trade",
            "sell #1",
            "war e",
            "war 5",
            "trade",
            "fresh",
            "ebuy #2",
            "ask 10",
            "accept",
            "decline",
            "refill",
            "stop",
            "sabotage #8",
            "raze 0",
            "ruin 4",
            "show #6",
            "rest",
            "done",
            "pass",
        ];
        for text in all {
            let action: Action = text.parse().unwrap();
            assert_eq!(action.to_string(), text);
        }
        for text in ["", "buy", "buy archer", "war 6", "war 7", "place #1 2 down trade", "done now", "enter"]
        {
            assert!(text.parse::<Action>().is_err(), "{text}");
        }
    }
}
