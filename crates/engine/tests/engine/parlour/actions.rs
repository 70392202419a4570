//! What a guest can do, and how it is written.

use pentarchy_engine::{ParseError, Seat, Token};
use std::{fmt, str::FromStr};

/// An action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Do {
    Offer(Token),
    Match(Token, Token),
    Feast,
    Leave(Token),
    Ask(Seat),
    Swap(Seat),
    Peek,
    Pass,
    /// Keep this card of the salver.
    Take(Token),
    /// A duty: this is one of them.
    Show(Token),
    /// A duty: the rest are none.
    Rest,
    /// Yes, no, or sealed.
    Vote(Option<bool>),
}

impl fmt::Display for Do {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Do::Offer(t) => write!(f, "offer {t}"),
            Do::Match(a, b) => write!(f, "match {a} {b}"),
            Do::Feast => f.write_str("feast"),
            Do::Leave(t) => write!(f, "leave {t}"),
            Do::Ask(seat) => write!(f, "ask {seat}"),
            Do::Swap(seat) => write!(f, "swap {seat}"),
            Do::Peek => f.write_str("peek"),
            Do::Pass => f.write_str("pass"),
            Do::Take(t) => write!(f, "take {t}"),
            Do::Show(t) => write!(f, "show {t}"),
            Do::Rest => f.write_str("rest"),
            Do::Vote(Some(true)) => f.write_str("vote yes"),
            Do::Vote(Some(false)) => f.write_str("vote no"),
            Do::Vote(None) => f.write_str("vote ?"),
        }
    }
}

impl FromStr for Do {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let seat = |word: &str| {
            let seat = ["0", "1", "2", "3"].iter().position(|s| *s == word);
            seat.map(|s| Seat(s as u8)).ok_or_else(|| ParseError::new(word, "a seat"))
        };
        let words: Vec<&str> = text.split(' ').collect();
        Ok(match words[..] {
            ["offer", t] => Do::Offer(t.parse()?),
            ["match", a, b] => Do::Match(a.parse()?, b.parse()?),
            ["feast"] => Do::Feast,
            ["leave", t] => Do::Leave(t.parse()?),
            ["ask", s] => Do::Ask(seat(s)?),
            ["swap", s] => Do::Swap(seat(s)?),
            ["peek"] => Do::Peek,
            ["pass"] => Do::Pass,
            ["take", t] => Do::Take(t.parse()?),
            ["show", t] => Do::Show(t.parse()?),
            ["rest"] => Do::Rest,
            ["vote", "yes"] => Do::Vote(Some(true)),
            ["vote", "no"] => Do::Vote(Some(false)),
            ["vote", "?"] => Do::Vote(None),
            _ => return Err(ParseError::new(text, "something one does in a parlour")),
        })
    }
}
