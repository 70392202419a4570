//! What a guest can do, and how it is written.

use pentarchy_engine::{Seat, Token, actions, words};

words! {
    /// An answer of a vote; `?` in its public form.
    pub(crate) enum Answer { Yes = "yes", No = "no", Sealed = "?" }
}

actions! {
    /// An action.
    pub(crate) enum Do {
        Offer(card: Token) = "offer {card}",
        Match(first: Token, second: Token) = "match {first} {second}",
        Feast = "feast",
        Leave(card: Token) = "leave {card}",
        Ask(seat: Seat) = "ask {seat}",
        Swap(seat: Seat) = "swap {seat}",
        Peek = "peek",
        Pass = "pass",
        /// Keep this card of the salver.
        Take(card: Token) = "take {card}",
        /// A duty: this is one of them.
        Show(card: Token) = "show {card}",
        /// A duty: the rest are none.
        Rest = "rest",
        Vote(answer: Answer) = "vote {answer}",
    }
}
