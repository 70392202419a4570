//! What travels between peers: one canonical encoding, bounded in size, bound to one game.

use crate::hash::{StepOf, hash, phase_id};
use pentarchy_fair::{GameId, PhaseId, VerifyKey};
use serde::{Deserialize, Serialize};

/// The longest message, in bytes.
pub const MAX_MESSAGE: usize = 1 << 20;
/// The longest text of an action.
pub const MAX_BODY: usize = 1024;
/// The longest chat line.
pub const MAX_CHAT: usize = 1024;

/// A signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Signature([u8; 32], [u8; 32]);

impl Signature {
    /// A few bits that tell it from others; not from ones that were made to have the same.
    pub(crate) fn mark(&self) -> u64 {
        self.0.iter().rev().take(8).fold(0, |mark, byte| mark << 8 | u64::from(*byte))
    }
}

impl From<[u8; 64]> for Signature {
    fn from(bytes: [u8; 64]) -> Self {
        let (mut r, mut s) = ([0; 32], [0; 32]);
        r.copy_from_slice(&bytes[..32]);
        s.copy_from_slice(&bytes[32..]);
        Signature(r, s)
    }
}

impl Signature {
    fn bytes(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.0);
        bytes[32..].copy_from_slice(&self.1);
        bytes
    }

    pub(crate) fn verifies(&self, key: &VerifyKey, digest: &[u8; 32]) -> bool {
        key.verify(digest, &self.bytes())
    }
}

/// Bytes, written and read at once and not one by one. What is written is the same.
pub(crate) mod whole {
    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;
    use std::fmt;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
        }
        from.deserialize_bytes(Bytes)
    }
}

/// One seat's place in the log: an honest seat signs one message for each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) branch: u16,
    pub(crate) seq: u32,
    pub(crate) phase: u8,
    pub(crate) seat: u8,
}

/// What a contribution hangs on: the header that it brings along, or a phase that all can compute.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Anchor {
    Head(Header),
    Phase([u8; 32]),
}

/// The header of an action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    /// 0 for a decision, 1 for a declaration.
    pub(crate) kind: u8,
    pub(crate) prev: [u8; 32],
    pub(crate) digest: [u8; 32],
    /// The action in its public form.
    pub(crate) body: String,
}

/// A seat's contribution to a step, signed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Signed {
    pub(crate) place: Place,
    pub(crate) anchor: Anchor,
    #[serde(with = "whole")]
    pub(crate) payload: Vec<u8>,
    pub(crate) signature: Signature,
}

impl Signed {
    /// The step and the phase that it was made for.
    pub(crate) fn phase(&self, game: &GameId) -> PhaseId {
        match &self.anchor {
            Anchor::Head(header) => phase_id(&header.step(game, self.place), 0, [].into_iter()),
            Anchor::Phase(id) => PhaseId(*id),
        }
    }

    /// What is signed, and what the next phases and the link to the next step hash.
    pub(crate) fn content(&self, game: &GameId) -> [u8; 32] {
        content(&self.phase(game), self.place, &self.payload)
    }

    pub(crate) fn is_signed_by(&self, game: &GameId, key: &VerifyKey) -> bool {
        self.signature.verifies(key, &self.content(game))
    }
}

impl Header {
    pub(crate) fn step(&self, game: &GameId, place: Place) -> [u8; 32] {
        let Place { branch, seq, seat: actor, .. } = place;
        let Header { kind, prev, digest, body } = self;
        StepOf { game, branch, seq, prev, kind: *kind, actor, body, digest }.id()
    }
}

pub(crate) fn content(phase: &PhaseId, place: Place, payload: &[u8]) -> [u8; 32] {
    hash(
        "pentarchy contribution v1",
        &[
            &phase.0,
            &[place.seat],
            &place.branch.to_le_bytes(),
            &place.seq.to_le_bytes(),
            &[place.phase],
            payload,
        ],
    )
}

/// Where a peer stands: what it lacks follows from that.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// Seats whose keys are there, as bits.
    pub(crate) keys: u8,
    /// Seats whose sealed shares are there, as bits.
    pub(crate) seals: u8,
    /// Seats that signed the start, as bits.
    pub(crate) starts: u8,
    pub(crate) branch: u16,
    pub(crate) seq: u32,
    pub(crate) phase: u8,
    /// Seats whose contribution to the phase is there, as bits.
    pub(crate) have: u8,
    /// The link to the step before.
    pub(crate) prev: [u8; 32],
    /// What it has heard of stalls, seats that are out, and cheats: a mark that is the same for all who know the same.
    pub(crate) heard: u64,
    /// Whether an answer is asked for.
    pub(crate) ask: bool,
}

/// That seats are out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Without {
    /// The link before the step as of which they are.
    pub(crate) prev: [u8; 32],
    pub(crate) branch: u16,
    pub(crate) seq: u32,
    /// The seats, as bits.
    pub(crate) gone: u8,
    /// How often the survivors have failed to agree on the same before.
    pub(crate) round: u8,
}

impl Without {
    /// Whether this goes further than another: more are out, or from an earlier step on.
    pub(crate) fn supersedes(&self, other: &Without) -> bool {
        let further = (self.gone, self.seq) != (other.gone, other.seq);
        further && other.gone & !self.gone == 0 && self.seq <= other.seq && self.branch == other.branch
    }
}

/// A statement of one seat that is not a contribution to a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Saying {
    /// "This seat owes its message for this phase and has not sent it to me."
    Stall { phase: [u8; 32], accused: u8 },
    /// "I shall not sign this: what was missing there has reached me, or I have signed something else."
    Resume(Without),
    /// "These seats are out as of this step: I take nothing more from them, and go on without them or end the game with
    /// the others, unless one of us resumes."
    Without(Without),
    /// A line of chat.
    Chat { n: u32, text: String },
    /// "I do not wait any longer for these seats, here." It binds nobody, and is kept for whoever reads the record.
    Claim { prev: [u8; 32], gone: u8 },
}

/// A signed statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Said {
    pub(crate) seat: u8,
    pub(crate) saying: Saying,
    pub(crate) signature: Signature,
}

impl Said {
    pub(crate) fn content(game: &GameId, seat: u8, saying: &Saying) -> [u8; 32] {
        let bytes = postcard::to_allocvec(saying).unwrap_or_default();
        hash("pentarchy saying v1", &[&game.0, &[seat], &bytes])
    }

    pub(crate) fn is_signed_by(&self, game: &GameId, key: &VerifyKey) -> bool {
        self.signature.verifies(key, &Self::content(game, self.seat, &self.saying))
    }
}

/// A message between peers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The keys of a seat with their proofs.
    Keys { seat: u8, body: Vec<u8> },
    /// A seat's signature of the start.
    Start { seat: u8, signature: Signature },
    /// A contribution to a step.
    Step(Signed),
    /// Where the sender stands.
    Standing(Standing),
    /// The links of the sender's last steps, the first of which is number `from`.
    Links { branch: u16, from: u32, links: Vec<[u8; 32]> },
    /// A signed statement.
    Said(Said),
    /// Proof that a seat cheated: it signed these.
    Proof(Vec<Signed>),
    /// The shares of a seat's keys, sealed to all other seats.
    Seals(Seals),
    /// One of them is wrong: the holder opens it to all.
    Complaint(Complaint),
}

/// The shares of a seat's keys for all others, in the order of the seats; signed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Seals {
    pub(crate) seat: u8,
    pub(crate) body: Vec<u8>,
    pub(crate) signature: Signature,
}

impl Seals {
    pub(crate) fn content(game: &GameId, seat: u8, body: &[u8]) -> [u8; 32] {
        hash("pentarchy seals v1", &[&game.0, &[seat], body])
    }

    pub(crate) fn is_signed_by(&self, game: &GameId, key: &VerifyKey) -> bool {
        self.signature.verifies(key, &Self::content(game, self.seat, &self.body))
    }
}

/// A holder's complaint about a dealer's share; signed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Complaint {
    /// The holder.
    pub(crate) seat: u8,
    pub(crate) dealer: u8,
    /// 0 for the lock key, 1 for the dice key.
    pub(crate) which: u8,
    pub(crate) body: Vec<u8>,
    pub(crate) signature: Signature,
}

impl Complaint {
    /// What the holder signs. It covers the shares that the complaint is about: otherwise a dealer that seals different
    /// shares for different seats could pass an honest complaint about one of them off as a false one about another.
    pub(crate) fn content(game: &GameId, seat: u8, which: u8, about: &Seals, body: &[u8]) -> [u8; 32] {
        let sealed = Seals::content(game, about.seat, &about.body);
        hash("pentarchy complaint v2", &[&game.0, &[seat, about.seat, which], &sealed, body])
    }

    /// Whether the holder has signed this as a complaint about these shares.
    pub(crate) fn is_signed_by(&self, game: &GameId, key: &VerifyKey, about: &Seals) -> bool {
        let content = Self::content(game, self.seat, self.which, about, &self.body);
        about.seat == self.dealer && self.signature.verifies(key, &content)
    }
}

/// Why bytes were not read as a message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unreadable {
    /// Too long.
    #[error("{0} bytes where at most {MAX_MESSAGE} are allowed")]
    TooLong(usize),
    /// Too short to be a message.
    #[error("too short to be a message")]
    TooShort,
    /// Another version of the protocol.
    #[error("version {0} of the protocol")]
    Version(u8),
    /// A message of another game.
    #[error("a message of another game")]
    OtherGame,
    /// Not a message.
    #[error("not a message of the protocol")]
    Garbage,
    /// A message in another than its canonical encoding.
    #[error("not canonically encoded")]
    NotCanonical,
    /// A part of the message is longer than allowed.
    #[error("a part of the message is too long")]
    PartTooLong,
}

/// The most links in one message.
pub(crate) const MAX_LINKS: usize = 512;

impl Message {
    /// The bytes that travel: version, the first bytes of the game's identifier, message.
    pub(crate) fn encode(&self, game: &GameId) -> Vec<u8> {
        let mut bytes = vec![crate::VERSION as u8];
        bytes.extend_from_slice(&game.0[..8]);
        bytes.extend(postcard::to_allocvec(self).unwrap_or_default());
        bytes
    }

    /// Reads bytes that came from anywhere.
    pub(crate) fn decode(game: &GameId, bytes: &[u8]) -> Result<Self, Unreadable> {
        if bytes.len() > MAX_MESSAGE {
            return Err(Unreadable::TooLong(bytes.len()));
        }
        let (&version, rest) = bytes.split_first().ok_or(Unreadable::TooShort)?;
        let (id, rest) = rest.split_first_chunk::<8>().ok_or(Unreadable::TooShort)?;
        if u16::from(version) != crate::VERSION {
            return Err(Unreadable::Version(version));
        }
        if id != &game.0[..8] {
            return Err(Unreadable::OtherGame);
        }
        let message: Message = postcard::from_bytes(rest).map_err(|_| Unreadable::Garbage)?;
        if postcard::to_allocvec(&message).is_ok_and(|again| again == rest) {
            message.bounded()
        } else {
            Err(Unreadable::NotCanonical)
        }
    }

    fn bounded(self) -> Result<Self, Unreadable> {
        let fits = match &self {
            Message::Step(signed) => signed.bounded(),
            Message::Proof(list) => list.len() <= 2 && list.iter().all(Signed::bounded),
            Message::Links { links, .. } => links.len() <= MAX_LINKS,
            Message::Said(Said { saying: Saying::Chat { text, .. }, .. }) => text.len() <= MAX_CHAT,
            Message::Keys { body, .. }
            | Message::Seals(Seals { body, .. })
            | Message::Complaint(Complaint { body, .. }) => body.len() <= 4096,
            Message::Start { .. } | Message::Standing(_) | Message::Said(_) => true,
        };
        if fits { Ok(self) } else { Err(Unreadable::PartTooLong) }
    }
}

impl Signed {
    fn bounded(&self) -> bool {
        match &self.anchor {
            Anchor::Head(header) => header.body.len() <= MAX_BODY,
            Anchor::Phase(_) => true,
        }
    }
}
