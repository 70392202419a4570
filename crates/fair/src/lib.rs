//! Fair play without a referee: dice that nobody can bend and decks that nobody can see.
//!
//! This crate is the cryptography of the protocol described in `docs/fair-play.md`, and nothing else: it
//! knows no game, opens no socket, reads no clock and draws no randomness of its own. It needs only `alloc`
//! and runs in browsers.
//!
//! * **Setup**: every seat makes [`SeatSecrets`] and sends its public keys with proofs ([`Enrolment`]);
//!   verified, they form a [`Roster`], which gives the joint [`LockKey`] of any set of seats.
//! * **Cards** are [`CipherToken`]s under the locks of some seats: [`Joint`], [`Private`] or [`Public`]. A
//!   [`Deck`] is shuffled by one seat after the other ([`Pile::shuffle`], [`Pile::verify`]; or all verified
//!   together, [`Mixing`]); locks come off by shares ([`strip()`], [`CipherToken::unlock`]); a reader peeks
//!   by a view ([`Joint::view`]); an owner gives, shows or puts back by a lift ([`Private::lift`]).
//! * **Claims** about hidden cards are in [`claim`]: one of these, not that, equal, different, one of these
//!   combinations.
//! * **Dice**: every seat contributes a value ([`contribute`]) and all together make a [`Roll`]. Secret
//!   choices are committed to ([`commit`]).
//! * **Drop-outs**: [`Salvage`] finds the cards that are lost with a seat; [`escrow`] lets others stand in
//!   for it.
//! * **Audit**: published keys ([`publish`]) open everything after the game ([`Audit`]).
//!
//! What comes from another seat enters as bytes and leaves as a verified value, or as a [`MessageError`] that
//! says whose message failed and in what. Tokens, shares, keys and dice values have no other constructors, so
//! a value that one holds is a value that was checked. What one may not do with one's own values is
//! [`OperationError`] before anything is computed.
//!
//! ```
//! use pentarchy_fair::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut counter = 0;
//! # let mut entropy = || { counter += 1; Entropy::new([counter; 32]) }; // from the operating system!
//! # let game = GameId::of(b"the game descriptor");
//! # let mut keys = Vec::new();
//! # let seats = [0, 1].map(|i| SeatIndex::new(i).unwrap());
//! # let secrets = seats.map(|seat| SeatSecrets::new(seat, entropy()));
//! # for secrets in &secrets {
//! #     let (identity, session) = (SigningSecret::new(entropy()), SigningSecret::new(entropy()));
//! #     let public = identity.public();
//! #     let enrolment = Enrolment { game, identity: &public, escrow: None };
//! #     let message = enrolment.enrol(secrets, &identity, &session, entropy());
//! #     keys.push(enrolment.verify(secrets.seat(), &message)?);
//! # }
//! # let roster = Roster::new(game, keys)?;
//! # let phase = |i| Phase { game, id: PhaseId([i; 32]) };
//! // Three cards under everybody's lock. Each seat shuffles, and all others verify.
//! let faces = FaceTable::new(3)?;
//! let generators = Generators::new(3)?;
//! let lock = roster.lock(roster.seats())?.prepare();
//! let cards: Vec<CipherToken> = faces.all().iter().map(CipherToken::of_face).collect();
//! let mut pile = Deck::new(lock.key(), &cards)?;
//! for (i, secrets) in (0..).zip(&secrets) {
//!     let (_, message) = pile.shuffle(&phase(i), secrets, &lock, &generators, None, entropy())?;
//!     pile = pile.verify(&phase(i), secrets.seat(), lock.key(), &generators, &message)?;
//! }
//! let deck = pile.release(roster.seats())?;
//!
//! // Deal the first card to seat 0: seat 1 takes its lock off, and seat 0 can read.
//! let (_, message) = strip(&phase(2), &secrets[1], &deck[..1], entropy())?;
//! let shares = verify_strip(&phase(2), roster.key(seats[1])?, &deck[..1], &message)?;
//! let card = deck[0].unlock(&shares[0])?;
//! let face = card.private().ok_or("not private")?.read(&secrets[0], &faces)?;
//! assert!(face.index() < 3);
//! # Ok(())
//! # }
//! ```
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
mod strip;
mod token;
mod view;

pub use audit::{Audit, Published, publish};
pub use choice::{Commitment, MAX_CHOICE, commit};
pub use dice::{DiceValue, Roll, contribute, dice_value, verify_contribution};
pub use error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
pub use faces::{BackPoint, BackTable, FacePoint, FaceTable, MAX_KINDS};
pub use keys::{Enrolment, LockKey, PreparedLock, Roster, SeatKey};
pub use pentarchy_keys::{Entropy, SigningSecret, VerifyKey};
pub use salvage::{Blinding, Salvage, cross_off};
pub use seats::{GameId, MAX_SEATS, Phase, PhaseId, SeatIndex, Seats};
pub use secrets::SeatSecrets;
pub use shuffle::{Arrangement, BackedDeck, Deck, Generators, MAX_PILE, Mixing, Pile};
pub use strip::{MAX_BATCH, Share, strip, verify_strip};
pub use token::{Backed, CipherToken, Joint, Private, Public};
