//! The session of peers: the same game on every machine, with nobody in charge.
//!
//! A [`Session`] is one seat's client (or a spectator's): the rules as that seat sees them, the cards as ciphertexts,
//! and the signed log in which every event is an input that all clients process and check. It opens no socket, reads
//! no clock and starts no thread: [`Session::handle`] takes an [`Input`] and gives [`Output`]s.
//!
//! * [`Descriptor`]: what the players agree on. Its hash is the identifier of the game.
//! * The log: one engine event is one step. A step has phases; in each some seats owe a signed contribution. Every
//!   contribution commits to all that went before, to the digest of the public state and to all ciphertexts.
//! * [`Evidence`] and [`Record`] convince a third party, offline.
//! * [`Rehearsal`], [`Opening`] and [`prepare`]: what can be done before the game begins, so that it opens at once.
//! * [`sim`]: whole tables in one process, with a bad network and with cheaters.
//!
//! The protocol is described in `docs/fair-play.md`.

mod cards;
mod descriptor;
mod duty;
mod evidence;
mod hash;
mod plan;
mod proofs;
mod record;
mod rehearsal;
mod rules;
mod session;
pub mod sim;
mod trust;
mod wire;

pub use descriptor::{Descriptor, MAX_NAME, MAX_OPTIONS, MIN_STALL_MS, Player, Recovery, Unusable};
pub use evidence::{Crime, Evidence, Judgement, NoEvidence};
pub use record::{DropVote, Ending, OpenChoice, Record, Unsound, Verdict, Verification};
pub use rehearsal::{Opening, Rehearsal, prepare};
pub use rules::rules_hash;
#[cfg(feature = "cheat")]
pub use session::Forgery;
pub use session::{Input, NotRestored, Output, PeerId, Session, To, printable};
pub use trust::Trust;
pub use wire::{Lateness, MAX_BODY, MAX_CHAT, MAX_MESSAGE, Unreadable};

/// The version of the protocol that tables are played in. Records of version 1 can still be verified.
pub const VERSION: u16 = 2;
