//! Messages between peers: one canonical encoding, bounded in size, bound to one game.

use crate::hash::{StepOf, hash, phase_id};
use pentarchy_engine::SeatSet;
use pentarchy_fair::{GameId, PhaseId, VerifyKey};
use serde::{Deserialize, Serialize};

/// The longest message, in bytes.
pub const MAX_MESSAGE: usize = 1 << 20;
/// The longest text of an action, in bytes.
pub const MAX_BODY: usize = 1024;
/// The longest chat line, in bytes.
pub const MAX_CHAT: usize = 1024;

/// A signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Signature([u8; 32], [u8; 32]);

impl Signature {
    /// Returns bytes 24 to 31 of the signature as a little-endian number, for a checksum. Not
    /// collision-resistant: signatures can be made to match.
    pub(crate) fn mark(&self) -> u64 {
        self.0.iter().rev().take(8).fold(0, |mark, byte| mark << 8 | u64::from(*byte))
    }
}

impl From<[u8; 64]> for Signature {
    /// Takes the 64 bytes of an Ed25519 signature.
    fn from(bytes: [u8; 64]) -> Self {
        let (mut r, mut s) = ([0; 32], [0; 32]);
        r.copy_from_slice(&bytes[..32]);
        s.copy_from_slice(&bytes[32..]);
        Signature(r, s)
    }
}

impl Signature {
    /// Returns the signature as 64 bytes.
    fn bytes(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.0);
        bytes[32..].copy_from_slice(&self.1);
        bytes
    }

    /// Returns whether this is the signature of the digest by this key.
    pub(crate) fn is_valid_for(&self, key: &VerifyKey, digest: &[u8; 32]) -> bool {
        key.verify(digest, &self.bytes())
    }
}

/// Serializes a byte vector in one piece. The encoding is that of a sequence of bytes.
pub(crate) mod whole {
    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;
    use std::fmt;

    /// Serializes bytes as a byte string.
    ///
    /// # Errors
    ///
    /// Fails if the serializer does.
    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    /// Deserializes a byte string.
    ///
    /// # Errors
    ///
    /// Fails if the input is not a byte string.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Vec<u8>;

            /// Writes what is expected, for error messages of the deserializer.
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            /// Returns a copy of the bytes. Never fails.
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
    pub(crate) epoch: u16,
    /// The number of the step in the log, from 0. Numbers of rewound steps are used again in the next epoch.
    pub(crate) seq: u32,
    /// The number of the phase in its step, from 0.
    pub(crate) phase: u8,
    pub(crate) seat: u8,
}

/// What a contribution is bound to: for an action the header that it brings along, otherwise the identifier of a phase,
/// which all peers can compute.
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
    /// The link that closes the step before.
    pub(crate) prev: [u8; 32],
    /// The digest of the public state and all ciphertexts before the action.
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
    /// Returns the identifier of the phase that it was made for: for an action phase 0 of the step that its
    /// header begins, otherwise what the message says, which is not checked.
    pub(crate) fn phase(&self, game: &GameId) -> PhaseId {
        match &self.anchor {
            Anchor::Head(header) => phase_id(&header.step(game, self.place), 0, [].into_iter()),
            Anchor::Phase(id) => PhaseId(*id),
        }
    }

    /// Returns the hash of phase, place and payload that the seat signs, and that later phases and the link to
    /// the next step commit to. The signature is not part of it. Nothing is checked.
    pub(crate) fn content(&self, game: &GameId) -> [u8; 32] {
        content(&self.phase(game), self.place, &self.payload)
    }

    /// Returns whether the message is signed with this session key for this game. That the key is that of
    /// `place.seat` is up to the caller.
    pub(crate) fn is_signed_by(&self, game: &GameId, key: &VerifyKey) -> bool {
        self.signature.is_valid_for(key, &self.content(game))
    }
}

impl Header {
    /// Returns the identifier of the step that this header begins at a place.
    pub(crate) fn step(&self, game: &GameId, place: Place) -> [u8; 32] {
        let Place { epoch, seq, seat: actor, .. } = place;
        let Header { kind, prev, digest, body } = self;
        StepOf { game, epoch, seq, prev, kind: *kind, actor, body, digest }.id()
    }
}

/// Returns the digest that a seat signs for a contribution: a hash of phase, place and payload.
pub(crate) fn content(phase: &PhaseId, place: Place, payload: &[u8]) -> [u8; 32] {
    hash(
        "pentarchy contribution v1",
        &[
            &phase.0,
            &[place.seat],
            &place.epoch.to_le_bytes(),
            &place.seq.to_le_bytes(),
            &[place.phase],
            payload,
        ],
    )
}

/// A peer's progress. The receiver computes from it which messages the sender lacks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// Seats whose keys the sender has.
    pub(crate) keys: SeatSet,
    /// Seats whose sealed shares the sender has.
    pub(crate) seals: SeatSet,
    /// Seats whose signature of the start the sender has.
    pub(crate) starts: SeatSet,
    pub(crate) epoch: u16,
    /// The number of closed steps, which is the number of the step under way.
    pub(crate) seq: u32,
    pub(crate) phase: u8,
    /// Seats whose contribution to the phase under way the sender has.
    pub(crate) have: SeatSet,
    /// The link to the last closed step.
    pub(crate) prev: [u8; 32],
    /// A checksum of the statements and proofs of cheating that the sender knows: equal for peers that know the same.
    pub(crate) heard: u64,
    /// Whether the sender wants an answer.
    pub(crate) ask: bool,
}

/// A proposal to drop seats: the object of the absence votes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct DropProposal {
    /// The link to the step before `seq`: names the history that the proposal is about.
    pub(crate) prev: [u8; 32],
    /// The epoch that the proposal ends.
    pub(crate) epoch: u16,
    /// The number of the first step that is played without the seats. Steps of the epoch from here on are rewound.
    pub(crate) seq: u32,
    /// The seats to drop.
    pub(crate) seats: SeatSet,
    /// How many earlier rounds of voting on the same seats and step were rejected.
    pub(crate) round: u8,
}

impl DropProposal {
    /// Returns whether this proposal extends another one of its epoch: it drops at least the seats of the other
    /// from the other's step or an earlier one on, and differs in seats or step. The round and the link are not
    /// compared. A voter that is bound to a proposal votes only for proposals that supersede it.
    pub(crate) fn supersedes(&self, other: &DropProposal) -> bool {
        let differs = (self.seats, self.seq) != (other.seats, other.seq);
        differs && self.seats.has_all(other.seats) && self.seq <= other.seq && self.epoch == other.epoch
    }
}

/// How a seat was absent, as one peer saw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Lateness {
    /// Its machine was connected, and it did not send what it owed.
    Silent,
    /// Its machine was reached by no path.
    Unreachable,
}

/// A statement of one seat that is not a contribution to a step. Protocol version 1 has the first five variants; version 2
/// replaces `LateV1` by `Late` and `DropV1` by `Drop`. The encoding numbers the variants: their order must not change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Statement {
    /// Version 1: the accused seat owes its contribution to this phase, and the author has not received it.
    LateV1 { phase: [u8; 32], accused: u8 },
    /// A vote against the proposal: the author will never sign it. It has received what was missing, has signed a
    /// conflicting proposal, or its player wants to wait.
    Reject(DropProposal),
    /// Version 1: a vote for the proposal.
    DropV1(DropProposal),
    /// A line of chat with the number that its author gave it.
    Chat { n: u32, text: String },
    /// The author stops waiting for these seats and ends its own game at this link. Binds no peer; kept in the record.
    Claim { prev: [u8; 32], seats: SeatSet },
    /// The accused seat owes its contribution to this phase, and the author has not received it within the time limit.
    Late { phase: [u8; 32], accused: u8, how: Lateness },
    /// A vote for the proposal, confirmed by the player at the author's seat or by proof of cheating. `unreachable` names
    /// those of the seats that the author's machine reached by no path.
    Drop { proposal: DropProposal, unreachable: SeatSet },
    /// The n-th time that the author's player is active while it owes its contribution to this phase.
    Thinking { phase: [u8; 32], n: u32 },
}

impl Statement {
    /// Returns the proposal that this statement votes for; `None` if it is no such vote, also for a
    /// rejection.
    pub(crate) fn vote(&self) -> Option<DropProposal> {
        match self {
            Statement::DropV1(proposal) | Statement::Drop { proposal, .. } => Some(*proposal),
            _ => None,
        }
    }

    /// Returns the phase and the seat that this statement reports as late with it; `None` if it is no such
    /// report.
    pub(crate) fn late_seat(&self) -> Option<([u8; 32], u8)> {
        match *self {
            Statement::LateV1 { phase, accused } | Statement::Late { phase, accused, .. } => {
                Some((phase, accused))
            }
            _ => None,
        }
    }

    /// Returns the link of the log at which the author of a claim gave up; `None` if it is no claim.
    pub(crate) fn claimed_end(&self) -> Option<&[u8; 32]> {
        match self {
            Statement::Claim { prev, .. } => Some(prev),
            _ => None,
        }
    }

    /// Returns whether the protocol of this version has such statements. Versions below 2 count as version 1,
    /// later ones as version 2.
    pub(crate) fn belongs_to(&self, version: u16) -> bool {
        match self {
            Statement::LateV1 { .. } | Statement::DropV1(_) => version < 2,
            Statement::Late { .. } | Statement::Drop { .. } | Statement::Thinking { .. } => version >= 2,
            Statement::Reject(_) | Statement::Chat { .. } | Statement::Claim { .. } => true,
        }
    }
}

/// A statement with its author and the author's signature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SignedStatement {
    pub(crate) seat: u8,
    pub(crate) statement: Statement,
    pub(crate) signature: Signature,
}

impl SignedStatement {
    /// Returns the hash that the author at `seat` signs for `statement` in this game.
    pub(crate) fn content(game: &GameId, seat: u8, statement: &Statement) -> [u8; 32] {
        let bytes = postcard::to_allocvec(statement).unwrap_or_default();
        hash("pentarchy saying v1", &[&game.0, &[seat], &bytes])
    }

    /// Returns whether the signature is that of `key` over this statement of this seat in this game.
    pub(crate) fn is_signed_by(&self, game: &GameId, key: &VerifyKey) -> bool {
        self.signature.is_valid_for(key, &Self::content(game, self.seat, &self.statement))
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
    Links { epoch: u16, from: u32, links: Vec<[u8; 32]> },
    /// A signed statement.
    Statement(SignedStatement),
    /// Proof that a seat cheated: it signed these, two that contradict each other or one that is wrong.
    Proof(Vec<Signed>),
    /// The shares of a seat's keys, sealed to the other machines.
    Seals(Seals),
    /// One of them is wrong: the holder opens it to all.
    Complaint(Complaint),
}

/// The shares of a seat's keys for the holders on the other machines, in the order of their seats; signed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Seals {
    pub(crate) seat: u8,
    pub(crate) body: Vec<u8>,
    pub(crate) signature: Signature,
}

impl Seals {
    /// Returns the digest that the dealer at `seat` signs for `body`, its sealed shares, in this game.
    pub(crate) fn content(game: &GameId, seat: u8, body: &[u8]) -> [u8; 32] {
        hash("pentarchy seals v1", &[&game.0, &[seat], body])
    }

    /// Returns whether the shares are signed with this session key for this game.
    pub(crate) fn is_signed_by(&self, game: &GameId, key: &VerifyKey) -> bool {
        self.signature.is_valid_for(key, &Self::content(game, self.seat, &self.body))
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
    /// Returns the digest that the holder at `seat` signs for a complaint about one of `seals` (`which`: 0
    /// for the lock key, 1 for the dice key). It covers the shares that the complaint is about: otherwise a
    /// dealer who sent different ones to different players could make a true complaint look false.
    pub(crate) fn content(game: &GameId, seat: u8, seals: &Seals, which: u8, body: &[u8]) -> [u8; 32] {
        let about = Seals::content(game, seals.seat, &seals.body);
        hash("pentarchy complaint v2", &[&game.0, &[seat, seals.seat, which], &about, body])
    }

    /// Returns whether this is the complaint about these shares by the holder with this session key: the
    /// dealer matches and the signature verifies. Whether it is justified is not checked.
    pub(crate) fn is_signed_by(&self, game: &GameId, key: &VerifyKey, seals: &Seals) -> bool {
        let content = Self::content(game, self.seat, seals, self.which, &self.body);
        self.dealer == seals.seat && self.signature.is_valid_for(key, &content)
    }
}

/// Bytes are not a message of this table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WireError {
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
    /// Returns the bytes to send: the protocol version of this program, the first 8 bytes of the game's
    /// identifier, the message.
    pub(crate) fn encode(&self, game: &GameId) -> Vec<u8> {
        let mut bytes = vec![crate::VERSION as u8];
        bytes.extend_from_slice(&game.0[..8]);
        bytes.extend(postcard::to_allocvec(self).unwrap_or_default());
        bytes
    }

    /// Decodes untrusted bytes. Signatures are not checked.
    ///
    /// # Errors
    ///
    /// Fails with `TooLong`, `TooShort`, `Version` or `OtherGame` for the frame, `Garbage` or `NotCanonical`
    /// for the message, and `PartTooLong` if a part of it exceeds its limit.
    pub(crate) fn decode(game: &GameId, bytes: &[u8]) -> Result<Self, WireError> {
        if bytes.len() > MAX_MESSAGE {
            return Err(WireError::TooLong(bytes.len()));
        }
        let (&version, rest) = bytes.split_first().ok_or(WireError::TooShort)?;
        let (id, rest) = rest.split_first_chunk::<8>().ok_or(WireError::TooShort)?;
        if u16::from(version) != crate::VERSION {
            return Err(WireError::Version(version));
        }
        if id != &game.0[..8] {
            return Err(WireError::OtherGame);
        }
        let message: Message = postcard::from_bytes(rest).map_err(|_| WireError::Garbage)?;
        if postcard::to_allocvec(&message).is_ok_and(|again| again == rest) {
            message.check_lengths()
        } else {
            Err(WireError::NotCanonical)
        }
    }

    /// Checks the lengths of all parts and returns the message. The limits: [`MAX_BODY`] bytes for the text
    /// of an action, 2 contributions in a proof, [`MAX_LINKS`] links, [`MAX_CHAT`] bytes of chat, 4096 bytes
    /// of keys, shares or a complaint.
    ///
    /// # Errors
    ///
    /// Fails with `PartTooLong` if a part exceeds its limit.
    fn check_lengths(self) -> Result<Self, WireError> {
        let fits = match &self {
            Message::Step(signed) => signed.has_bounded_body(),
            Message::Proof(list) => list.len() <= 2 && list.iter().all(Signed::has_bounded_body),
            Message::Links { links, .. } => links.len() <= MAX_LINKS,
            Message::Statement(SignedStatement { statement: Statement::Chat { text, .. }, .. }) => {
                text.len() <= MAX_CHAT
            }
            Message::Keys { body, .. }
            | Message::Seals(Seals { body, .. })
            | Message::Complaint(Complaint { body, .. }) => body.len() <= 4096,
            Message::Start { .. } | Message::Standing(_) | Message::Statement(_) => true,
        };
        if fits { Ok(self) } else { Err(WireError::PartTooLong) }
    }
}

impl Signed {
    /// Returns whether the text of the action has at most [`MAX_BODY`] bytes; `true` without one.
    fn has_bounded_body(&self) -> bool {
        match &self.anchor {
            Anchor::Head(header) => header.body.len() <= MAX_BODY,
            Anchor::Phase(_) => true,
        }
    }
}
