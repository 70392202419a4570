//! Proof of cheating that convinces a third party who has only these bytes and the rules.

use crate::record::{TableRecord, TableRecordError};
use crate::session::{Input, PeerSession, SessionEvent, SessionOutput, printable};
use crate::wire::{Message, Signed};
use pentarchy_engine::AnyGame;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a seat did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Crime {
    /// It signed two different messages for one place of the log.
    TwoFaced,
    /// It signed a message that is wrong, for this reason. The reason may quote the message; what is displayed is
    /// [printable].
    Wrong(String),
}

impl fmt::Display for Crime {
    /// Writes what the seat did as a predicate without a subject: "signed …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crime::TwoFaced => f.write_str("signed two different messages for one place of the log"),
            Crime::Wrong(why) => write!(f, "signed a message that is wrong: {}", printable(why)),
        }
    }
}

/// What a cheater signed, and the log that shows that it is wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// The seat.
    pub offender: u8,
    /// What it did.
    pub crime: Crime,
    /// The log up to there.
    pub(crate) record: TableRecord,
    /// Contributions to the step under way.
    pub(crate) now: Vec<Signed>,
    /// What the seat signed: two messages that contradict each other, or one that is wrong. Empty for a crime of the
    /// opening.
    pub(crate) messages: Vec<Signed>,
    /// What shows that it cheated before the first step: its keys, its shares, a complaint.
    pub(crate) opening: Vec<Message>,
}

/// What a third party finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The seat that cheated.
    pub offender: u8,
    /// The name of its player.
    pub name: String,
    /// The number of the step of the log, from 1; 0 for the opening. Takeovers of dropped seats are steps, too.
    pub event: u32,
    /// What it did, in words.
    pub what: String,
}

/// Evidence does not convince.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EvidenceError {
    /// It cannot be read.
    #[error("this is not evidence: {0}")]
    Unreadable(String),
    /// The log does not verify.
    #[error("the log of the evidence is unsound: {0}")]
    Log(#[from] TableRecordError),
    /// It proves nothing.
    #[error("it does not prove what it says: {0}")]
    Unconvincing(&'static str),
}

#[derive(Serialize, Deserialize)]
struct File {
    offender: u8,
    crime: Crime,
    record: Vec<u8>,
    now: Vec<Signed>,
    messages: Vec<Signed>,
    opening: Vec<Message>,
}

/// The first bytes of a file with evidence.
const MAGIC: &[u8] = b"pentarchy evidence 1\n";

impl Evidence {
    /// Returns the evidence as the bytes of a file. [`Evidence::decode`] reads them.
    pub fn encode(&self) -> Vec<u8> {
        let file = File {
            offender: self.offender,
            crime: self.crime.clone(),
            record: self.record.encode(),
            now: self.now.clone(),
            messages: self.messages.clone(),
            opening: self.opening.clone(),
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend(postcard::to_allocvec(&file).unwrap_or_default());
        bytes
    }

    /// Returns whether a file begins like evidence. The rest may still be malformed.
    pub fn is_evidence(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a file. Only its format is checked; [`Evidence::judge`] checks what it says. Bytes after the end
    /// of the evidence are ignored.
    ///
    /// # Errors
    ///
    /// Fails with `Unreadable` if the bytes are no evidence, and with `Log` if the record in it is malformed.
    pub fn decode(bytes: &[u8]) -> Result<Self, EvidenceError> {
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or_else(|| EvidenceError::Unreadable("it does not begin like a file with evidence".into()))?;
        let file: File = postcard::from_bytes(rest).map_err(|e| EvidenceError::Unreadable(e.to_string()))?;
        Ok(Evidence {
            offender: file.offender,
            crime: file.crime,
            record: TableRecord::decode(&file.record)?,
            now: file.now,
            messages: file.messages,
            opening: file.opening,
        })
    }

    /// Returns the name of the game, which the caller needs to find the rules for [`Evidence::judge`].
    pub fn game(&self) -> &str {
        &self.record.descriptor.game
    }

    /// Returns the identity of the offender; `None` if there is no such seat. It is proved only when the
    /// evidence is [judged](Self::judge): the identity has signed the session key that signed the messages.
    pub fn identity(&self) -> Option<&[u8; 32]> {
        self.record.descriptor.players.get(usize::from(self.offender)).map(|player| &player.identity)
    }

    /// Judges the evidence by its signatures and proofs alone. Two messages convict the offender if it has
    /// signed both and they are for one place and differ; the log is not verified then. For one message, or for
    /// messages of the opening, a spectator's session follows the log and then takes these messages. `game`
    /// must be the game that [`Evidence::game`] names: it has the rules. Returns who did what at which step of
    /// the log, from 1; 0 is the opening.
    ///
    /// # Errors
    ///
    /// Fails with `Log` if the descriptor cannot be used or the keys of the offender do not verify, and with
    /// `Unconvincing` if the messages do not prove that the offender cheated, or the log does not lead to
    /// them.
    pub fn judge(&self, game: &'static dyn AnyGame) -> Result<Judgement, EvidenceError> {
        let descriptor = &self.record.descriptor;
        let id = descriptor.id();
        let place = self.messages.first().map(|message| message.place);
        let player = descriptor.players.get(usize::from(self.offender));
        let name = player.map_or_else(String::new, |player| player.name.clone());
        if place.is_some_and(|place| place.seat != self.offender) || player.is_none() {
            return Err(EvidenceError::Unconvincing("the message is of another seat"));
        }
        if self.messages.is_empty() && self.opening.is_empty() {
            return Err(EvidenceError::Unconvincing("there is no message"));
        }
        let event = place.map_or(0, |place| place.seq.saturating_add(1));
        let verdict = |what: String| Judgement { offender: self.offender, name, event, what };
        if let [one, two] = self.messages.as_slice() {
            let key = self.record.key_of(self.offender)?;
            let guilty = one.place == two.place
                && one.content(&id) != two.content(&id)
                && [one, two].iter().all(|message| message.is_signed_by(&id, key.session()));
            return if guilty {
                Ok(verdict(Crime::TwoFaced.to_string()))
            } else {
                Err(EvidenceError::Unconvincing("the two messages do not contradict each other"))
            };
        }
        // A spectator follows the log and then meets the message: what it says of it is the judgement.
        let mut judge = PeerSession::watch(game, descriptor.clone()).map_err(TableRecordError::from)?;
        let log = self.record.all_messages().chain(self.now.iter().cloned().map(Message::Step));
        for message in log {
            feed(&mut judge, &message);
        }
        let steps = self.messages.iter().cloned().map(Message::Step);
        for message in self.opening.iter().cloned().chain(steps) {
            for output in feed(&mut judge, &message) {
                if let SessionOutput::Event(SessionEvent::Evidence(found)) = output
                    && found.offender == self.offender
                {
                    return Ok(verdict(found.crime.to_string()));
                }
            }
        }
        Err(EvidenceError::Unconvincing("the message is as it should be, or its place is not reached"))
    }
}

/// Passes a message to a session as if it came from a peer, and returns the session's outputs.
fn feed(session: &mut PeerSession, message: &Message) -> Vec<SessionOutput> {
    let bytes = message.encode(&session.descriptor().id());
    session.handle(Input::Message { from: 0, bytes: &bytes })
}
