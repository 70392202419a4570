//! Online tables of peers: every peer plays the same match, and no server or referee is in charge.
//!
//! A [`PeerSession`] is one seat's client, or a spectator's. It combines the rules as that seat sees them, the tokens as
//! ciphertexts, and the signed log, of which every event is verified by every peer. It opens no socket, reads no clock and
//! starts no thread: [`PeerSession::handle`] takes an [`Input`] and returns [`SessionRequest`]s and [`SessionEvent`]s.
//!
//! * [`Descriptor`]: what the players agree on. Its hash is the identifier of the game.
//! * The log: one engine event is one step. A step has phases; in each phase some seats owe a signed contribution. Every
//!   contribution commits to the log before it, to the digest of the public state and to all ciphertexts.
//! * [`Evidence`] and [`TableRecord`] convince a third party, offline.
//! * [`ShuffleRehearsal`], [`OpeningRehearsal`] and [`prepare`]: work that can be done before the match, so that it opens
//!   without delay.
//! * `sim`, with the feature `cheat` only: whole tables in one process, with a bad network and with cheaters.
//!
//! `docs/fair-play.md` describes the protocol.

mod cards;
mod descriptor;
mod dice;
mod duty;
mod evidence;
mod hash;
mod plan;
mod proofs;
mod record;
mod rehearsal;
mod rules;
mod session;
#[cfg(feature = "cheat")]
pub mod sim;
mod trust;
mod wire;

pub use descriptor::{
    Descriptor, DescriptorError, MAX_NAME, MAX_OPTIONS, MIN_STALL_MS, Recovery, TablePlayer,
};
pub use evidence::{Crime, Evidence, EvidenceError, Judgement};
pub use record::{DropVote, Ending, OpenChoice, RecordVerdict, TableRecord, TableRecordError, Verification};
pub use rehearsal::{OpeningRehearsal, ShuffleRehearsal, prepare};
pub use rules::rules_hash;
pub use session::{
    AppliedPosition, Input, MAILBOX, MailTiming, PeerNumber, PeerSession, Recipient, RestoreError,
    SessionEvent, SessionOutput, SessionProgress, SessionRequest, printable,
};
pub use trust::Trust;
pub use wire::{Lateness, MAX_BODY, MAX_CHAT, MAX_MESSAGE, WireError};

/// The version of the protocol that tables are played in. Records of version 1 can still be verified.
pub const VERSION: u16 = 2;
