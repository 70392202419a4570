//! Nodes (what the rules wait for) and the events that resolve them.

use crate::seat::Seat;
use crate::token::{Token, Zone};
use serde::{Deserialize, Serialize};

/// The one thing that the rules wait for. It follows from public information alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Node {
    /// This seat picks one of its legal actions.
    Decide(Seat),
    /// This seat must declare something that depends on faces only it knows. Its list has exactly one entry.
    Declare(Seat),
    /// Nature answers.
    Chance(Chance),
    /// A seat secretly permutes tokens whose faces it knows, so that others cannot trace them.
    Rearrange {
        /// The tokens to permute.
        set: Set,
        /// The seat that permutes them and still knows them afterwards.
        by: Seat,
    },
    /// Faces or backs become known.
    Reveal {
        /// The tokens that are revealed.
        set: Set,
        /// The observers that learn them.
        to: Audience,
        /// Whether faces or only backs are revealed.
        side: Side,
    },
    /// The game is over.
    Over,
}

/// A question to nature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chance {
    /// A die: the result is 1 … `sides`.
    Roll {
        /// Number of sides.
        sides: u32,
    },
    /// A uniform number: the result is 0 … `of` − 1.
    Pick {
        /// Number of possible results.
        of: u32,
    },
    /// A pile is shuffled: its tokens become indistinguishable.
    Shuffle {
        /// The zone to shuffle.
        pile: Zone,
    },
    /// Dice are rolled for single seats: each token of the set gets an independent, uniform face among
    /// `sides` consecutive faces of the game. Only the owner of the token's zone learns it. Each token must
    /// lie in a zone with an owner and must never have been shuffled or rearranged.
    Cast {
        /// The dice. At least one.
        set: Set,
        /// The number of the lowest face.
        first: u8,
        /// Number of sides; `first + sides` is at most the number of kinds of faces.
        sides: u8,
    },
}

/// The tokens of a `Reveal`, a `Rearrange` or a `Cast`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Set {
    /// One token.
    One(Token),
    /// All tokens of a zone.
    Zone(Zone),
    /// All tokens of two zones.
    Zones(Zone, Zone),
    /// All marked tokens (see [`Tokens::mark`](crate::Tokens::mark)).
    Marked,
}

/// Who learns something in a `Reveal`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// All seats and spectators.
    All,
    /// Only this seat.
    Seat(Seat),
}

/// The side of a token that is revealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The face.
    Face,
    /// Only the back, i.e. the category.
    Back,
}

/// An event as the rules see it. The awaited node says which seat acts and what is shuffled or revealed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event<A> {
    /// An action of the awaited seat, in its public form.
    Act(A),
    /// The result of a chance node: 1 … `sides` of a roll, 0 … `of` − 1 of a pick.
    Rolled(u32),
    /// The awaited shuffle, cast, rearrangement or reveal has happened.
    Done,
}
