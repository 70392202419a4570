//! What is awaited at a moment of the game, and the events that resolve it.

use crate::seat::Seat;
use crate::token::{Token, Zone};
use serde::{Deserialize, Serialize};

/// The one thing that is awaited now. It follows from public information alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Node {
    /// This seat picks one of its legal actions.
    Decide(Seat),
    /// A duty that depends on faces only this seat knows: its list has exactly one entry.
    Declare(Seat),
    /// Nature decides.
    Chance(Chance),
    /// A seat secretly permutes tokens whose faces it knows, so that others cannot trace them.
    Rearrange {
        /// Which tokens.
        set: Set,
        /// Who permutes them, and still knows them afterwards.
        by: Seat,
    },
    /// Faces or backs become known.
    Reveal {
        /// Of which tokens.
        set: Set,
        /// To whom.
        to: To,
        /// What of them.
        side: Side,
    },
    /// The game is over.
    Over,
}

/// What nature is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chance {
    /// A die: 1 … sides.
    Roll {
        /// How many sides it has.
        sides: u32,
    },
    /// A uniform number 0 … of − 1.
    Pick {
        /// How many outcomes there are.
        of: u32,
    },
    /// A pile is shuffled: its tokens are issued anew.
    Shuffle {
        /// Which pile.
        pile: Zone,
    },
}

/// The tokens of a `Reveal` or a `Rearrange`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Set {
    /// One token.
    One(Token),
    /// All tokens of a zone.
    Zone(Zone),
    /// All tokens of two zones.
    Zones(Zone, Zone),
    /// All tokens with the mark.
    Marked,
}

/// To whom something is revealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum To {
    /// To everybody, spectators included.
    All,
    /// To one seat.
    Seat(Seat),
}

/// What of a token is revealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The face.
    Face,
    /// Only the back, i.e. the category.
    Back,
}

/// What the rules see of an event; the node says who and what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event<A> {
    /// An action of the awaited seat, in its public form.
    Act(A),
    /// The number that nature gave: 1 … sides of a roll, 0 … of − 1 of a pick.
    Rolled(u32),
    /// The shuffle, rearrangement or revelation that was awaited has happened.
    Done,
}
