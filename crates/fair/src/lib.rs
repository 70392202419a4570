//! Fair play without a referee: dice that nobody can bend and decks that nobody can see.
#![no_std]

extern crate alloc;

mod audit;
mod choice;
pub mod claim;
mod dice;
mod error;
pub mod escrow;
mod faces;
mod keys;
mod lift;
pub mod primitives;
mod proof;
mod salvage;
mod seats;
mod secrets;
pub mod selftest;
mod shuffle;
mod sign;
mod strip;
mod token;
mod view;

pub use audit::{Audit, Published, publish};
pub use choice::{Commitment, MAX_CHOICE, commit};
pub use dice::{DiceValue, Roll, contribute, verify_contribution};
pub use error::{Equation, Fault, Message, Part, Refused, Rejected};
pub use faces::{Back, BackTable, Face, FaceTable, MAX_KINDS};
pub use keys::{Enrolment, LockKey, PreparedLock, Roster, SeatKey};
pub use salvage::{Blinding, Salvage, cross_off};
pub use seats::{GameId, MAX_SEATS, Phase, PhaseId, Seat, Seats};
pub use secrets::{Entropy, SeatSecrets};
pub use shuffle::{Arrangement, BackedDeck, Deck, Generators, MAX_PILE, Pile};
pub use sign::{SigningSecret, VerifyKey};
pub use strip::{MAX_BATCH, Share, strip, verify_strip};
pub use token::{Backed, Joint, Private, Public, Token};
