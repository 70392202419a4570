//! The actions of players and their notation.
//!
//! | written | where |
//! |---|---|
//! | `mine` · `play bear 2` · `play whale gain` · `play bot 1 showing hr` · `end` | main phase |
//! | `done` · `dismiss hr` · `play flip 1` | end phase |
//! | `pass` · `react test` · `react strong 1` | windows |
//! | `offer fiat` · `choose b` · `vote hr` · `kyc reveal` | decisions of cards |
//! | `show hr` · `rest` | declarations: HR shown or paid, and "the rest of the Hand is no HR" |

use pentarchy_engine::{ParseError, Seat, Token};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The target of a played card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Aim {
    /// No target.
    #[default]
    Nothing,
    /// An opponent.
    At(Seat),
    /// WHALE: gain for the player.
    Gain,
    /// WHALE: attack all others.
    Attack,
}

/// A Coin or a HashRate: the choice of PONZI and BYZ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Good {
    /// A Coin.
    Coin,
    /// A HashRate.
    Hr,
}

/// An action of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Spend HR on a Block.
    Mine,
    /// Play an Action card, and show a card of the Hand if the play needs it.
    Play {
        /// The card.
        card: Token,
        /// Its target.
        aim: Aim,
        /// The HR or FIAT that is shown with it; `None` if none is needed or a public one serves.
        showing: Option<Token>,
    },
    /// End the main phase.
    End,
    /// End the turn.
    Done,
    /// Discard a card at the end of the turn.
    Dismiss(Token),
    /// Do not react.
    Pass,
    /// React with a Flash card; STRONG and WEAK name a party of the challenge.
    React {
        /// The card.
        card: Token,
        /// The party that wins (STRONG) or loses (WEAK).
        party: Option<Seat>,
    },
    /// DEX: set a card aside.
    Offer(Token),
    /// PONZI: choose what the opponent gives.
    Choose(Good),
    /// BYZ.: vote; `None` in the public form.
    Vote(Option<Good>),
    /// KYC: show the Hand, or skip the turn.
    Kyc {
        /// Whether to show the Hand.
        reveal: bool,
    },
    /// Show (or pay) this HR.
    Show(Token),
    /// Declare (and prove) that the rest of the Hand is no HR.
    Rest,
}

impl fmt::Display for Good {
    /// Writes `b` for a Coin, `hr` for a HashRate.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Good::Coin => "b",
            Good::Hr => "hr",
        })
    }
}

impl FromStr for Good {
    type Err = ParseError;
    /// Reads `b` or `hr`.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "b" => Ok(Good::Coin),
            "hr" => Ok(Good::Hr),
            _ => Err(ParseError::new(text, "b or hr")),
        }
    }
}

impl fmt::Display for Aim {
    /// Writes the target with a leading space, like ` 2` or ` gain`; nothing for no target.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aim::Nothing => Ok(()),
            Aim::At(seat) => write!(f, " {seat}"),
            Aim::Gain => f.write_str(" gain"),
            Aim::Attack => f.write_str(" attack"),
        }
    }
}

impl FromStr for Aim {
    type Err = ParseError;
    /// Reads `gain`, `attack` or the number of a seat. `Nothing` has no text.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "gain" => Ok(Aim::Gain),
            "attack" => Ok(Aim::Attack),
            _ => text.parse().map(Aim::At),
        }
    }
}

impl fmt::Display for Action {
    /// Writes the action in the notation that `from_str` reads, like `play #12 2`; a vote in its public form
    /// is written `vote ?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::Mine => f.write_str("mine"),
            Action::Play { card, aim, showing } => {
                write!(f, "play {card}{aim}")?;
                showing.map_or(Ok(()), |t| write!(f, " showing {t}"))
            }
            Action::End => f.write_str("end"),
            Action::Done => f.write_str("done"),
            Action::Dismiss(t) => write!(f, "dismiss {t}"),
            Action::Pass => f.write_str("pass"),
            Action::React { card, party: None } => write!(f, "react {card}"),
            Action::React { card, party: Some(seat) } => write!(f, "react {card} {seat}"),
            Action::Offer(t) => write!(f, "offer {t}"),
            Action::Choose(good) => write!(f, "choose {good}"),
            Action::Vote(Some(good)) => write!(f, "vote {good}"),
            Action::Vote(None) => f.write_str("vote ?"),
            Action::Kyc { reveal: true } => f.write_str("kyc reveal"),
            Action::Kyc { reveal: false } => f.write_str("kyc skip"),
            Action::Show(t) => write!(f, "show {t}"),
            Action::Rest => f.write_str("rest"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;
    /// Reads an action in its notation, words separated by spaces; cards are named by their tokens, like
    /// `#12`. Checks the form only, not whether the action is legal.
    ///
    /// # Errors
    ///
    /// Fails if the words are unknown, too few or too many, or a card, seat or choice is malformed.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(match *words {
            ["mine"] => Action::Mine,
            ["play", card] => Action::Play { card: card.parse()?, aim: Aim::Nothing, showing: None },
            ["play", card, "showing", t] => {
                Action::Play { card: card.parse()?, aim: Aim::Nothing, showing: Some(t.parse()?) }
            }
            ["play", card, aim] => Action::Play { card: card.parse()?, aim: aim.parse()?, showing: None },
            ["play", card, aim, "showing", t] => {
                Action::Play { card: card.parse()?, aim: aim.parse()?, showing: Some(t.parse()?) }
            }
            ["end"] => Action::End,
            ["done"] => Action::Done,
            ["dismiss", t] => Action::Dismiss(t.parse()?),
            ["pass"] => Action::Pass,
            ["react", card] => Action::React { card: card.parse()?, party: None },
            ["react", card, party] => Action::React { card: card.parse()?, party: Some(party.parse()?) },
            ["offer", t] => Action::Offer(t.parse()?),
            ["choose", good] => Action::Choose(good.parse()?),
            ["vote", "?"] => Action::Vote(None),
            ["vote", good] => Action::Vote(Some(good.parse()?)),
            ["kyc", "reveal"] => Action::Kyc { reveal: true },
            ["kyc", "skip"] => Action::Kyc { reveal: false },
            ["show", t] => Action::Show(t.parse()?),
            ["rest"] => Action::Rest,
            _ => return Err(ParseError::new(text, "an action, like `mine`, `play bear 2` or `pass`")),
        })
    }
}
