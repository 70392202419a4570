//! The record of a table: everything that was signed, so that a third party can verify the game offline.

use crate::cards::fair_seat;
use crate::descriptor::{Descriptor, DescriptorError};
use crate::session::{Input, PeerSession, SessionEvent, SessionOutput};
use crate::wire::{Message, Seals, Signature, Signed, SignedStatement, Statement};
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_engine::{AnyGame, Outcome, Seat, SeatSet, Token, record as engine};
use pentarchy_fair::{Enrolment, SeatKey};
use serde::{Deserialize, Serialize};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules; every live seat signed the result.
    Played,
    /// These seats were dropped, and all other machines voted to end the game.
    Dropped(SeatSet),
    /// This peer gave up waiting for these seats. No other peer is bound by it.
    Claimed(SeatSet),
}

/// A table's log from the first key to the last signature.
#[derive(Clone, PartialEq, Debug)]
pub struct TableRecord {
    /// What was agreed on.
    pub descriptor: Descriptor,
    pub(crate) keys: Vec<Option<Vec<u8>>>,
    pub(crate) seals: Vec<Option<Seals>>,
    pub(crate) starts: Vec<Option<Signature>>,
    pub(crate) messages: Vec<Signed>,
    /// The votes that dropped seats, and the claims of seats that gave up.
    pub(crate) said: Vec<SignedStatement>,
}

/// What a verified record says.
#[derive(Clone, Debug)]
pub struct RecordVerdict {
    /// How many events there were.
    pub events: u32,
    /// How many proofs were checked.
    pub proofs: u32,
    /// How many signatures were checked.
    pub signatures: u32,
    /// The result, if the game was played to its end.
    pub outcome: Option<Outcome>,
    /// How it ended; `None` if it goes on.
    pub ending: Option<Ending>,
    /// If it goes on: the seats that have given up, each with the seats that it no longer waited for.
    pub claims: Vec<(u8, SeatSet)>,
    /// The votes that dropped seats, in the order of the record.
    pub votes: Vec<DropVote>,
    /// The seats that were dropped before the end and that bots played for all.
    pub taken_over: SeatSet,
    /// The secret choices that bots made for dropped seats.
    pub open_choices: Vec<OpenChoice>,
    /// The game as a public record without signatures, for replaying.
    pub public: engine::Record,
}

/// A vote of one seat for a proposal to drop others that was settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DropVote {
    /// The voter.
    pub by: u8,
    /// The seats to drop.
    pub seats: SeatSet,
    /// Those of them that the voter's machine reached by no path. The others were connected and silent, or proved to have
    /// cheated. Empty in version 1, which did not record it.
    pub unreachable: SeatSet,
}

/// A secret choice that a bot made for a dropped seat. All peers know it and the log hashes it, although the rules hide it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenChoice {
    /// The number of the event, from 1.
    pub event: u32,
    /// The token that stands for the choice.
    pub token: Token,
    /// The number of the face that was chosen.
    pub face: u8,
}

/// A record does not verify.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableRecordError {
    /// It cannot be read.
    #[error("this is not the record of a table: {0}")]
    Unreadable(String),
    /// No table can have this descriptor.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    /// A message was not accepted.
    #[error("after event {after}: {why}")]
    Message {
        /// How many events were verified before it.
        after: u32,
        /// What is wrong with the next message.
        why: String,
    },
    /// Messages are left over, or some are missing.
    #[error("after event {after} a message does not fit")]
    Unfit {
        /// How many events were verified before it.
        after: u32,
    },
}

#[derive(Serialize, Deserialize)]
struct File {
    descriptor: Vec<u8>,
    keys: Vec<Option<Vec<u8>>>,
    seals: Vec<Option<Seals>>,
    starts: Vec<Option<Signature>>,
    messages: Vec<Signed>,
    said: Vec<SignedStatement>,
}

/// The first bytes of a file with a record.
const MAGIC: &[u8] = b"pentarchy table 1\n";

impl TableRecord {
    /// Returns the record as the bytes of a file. [`TableRecord::decode`] reads them.
    pub fn encode(&self) -> Vec<u8> {
        let file = File {
            descriptor: self.descriptor.encode(),
            keys: self.keys.clone(),
            seals: self.seals.clone(),
            starts: self.starts.clone(),
            messages: self.messages.clone(),
            said: self.said.clone(),
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend(postcard::to_allocvec(&file).unwrap_or_default());
        bytes
    }

    /// Returns whether a file begins like a record. The rest may still be malformed.
    pub fn is_record(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a file. Only its format is checked; [`TableRecord::verify`] checks what it says.
    ///
    /// # Errors
    ///
    /// Fails with `Unreadable` if the bytes are no record, break off, or go on after its end, and with
    /// `Descriptor` if the descriptor is malformed.
    pub fn decode(bytes: &[u8]) -> Result<Self, TableRecordError> {
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or_else(|| TableRecordError::Unreadable("it does not begin like one".into()))?;
        let unreadable = |why: postcard::Error| match why {
            postcard::Error::DeserializeUnexpectedEnd => TableRecordError::Unreadable("it breaks off".into()),
            other => TableRecordError::Unreadable(other.to_string()),
        };
        let (file, more): (File, _) = postcard::take_from_bytes(rest).map_err(unreadable)?;
        if !more.is_empty() {
            return Err(TableRecordError::Unreadable("something follows its end".into()));
        }
        Ok(TableRecord {
            descriptor: Descriptor::decode(&file.descriptor)?,
            keys: file.keys,
            seals: file.seals,
            starts: file.starts,
            messages: file.messages,
            said: file.said,
        })
    }

    /// Verifies the keys of a seat in the record and returns them.
    ///
    /// # Errors
    ///
    /// Fails with `Unfit` if they are missing, `Descriptor` if there is no such seat or its identity is
    /// malformed, and `Message` if they do not verify.
    pub(crate) fn key_of(&self, seat: u8) -> Result<SeatKey, TableRecordError> {
        let body = self.keys.get(usize::from(seat)).and_then(Option::as_ref);
        let body = body.ok_or(TableRecordError::Unfit { after: 0 })?;
        let identity = self.descriptor.identity(seat)?;
        let escrow = self.descriptor.threshold();
        let enrolment = Enrolment { game: self.descriptor.id(), identity: &identity, escrow };
        let wrong =
            |e: pentarchy_fair::MessageError| TableRecordError::Message { after: 0, why: e.to_string() };
        enrolment.verify(fair_seat(seat), body).map_err(wrong)
    }

    /// Iterates over all messages in the order in which a new peer takes them: keys, sealed shares,
    /// signatures of the start, then by epoch contributions and votes to drop seats, and claims last. Other
    /// statements are left out.
    pub(crate) fn all_messages(&self) -> impl Iterator<Item = Message> {
        let keys = (0u8..).zip(&self.keys);
        let keys = keys.filter_map(|(seat, body)| Some(Message::Keys { seat, body: body.clone()? }));
        let starts = (0u8..).zip(&self.starts);
        let starts = starts.filter_map(|(seat, s)| Some(Message::Start { seat, signature: (*s)? }));
        let seals = self.seals.iter().flatten().cloned().map(Message::Seals);
        // The votes that end an epoch follow its contributions.
        let mut steps: Vec<(u16, u8, Message)> = Vec::new();
        steps.extend(self.messages.iter().map(|step| (step.place.epoch, 0, Message::Step(step.clone()))));
        for said in &self.said {
            if let Some(it) = said.statement.vote() {
                steps.push((it.epoch, 1, Message::Statement(said.clone())));
            }
        }
        sort_by_key(&mut steps, |(epoch, order, _)| (*epoch, *order));
        let claims = self.said.iter().filter(|said| matches!(said.statement, Statement::Claim { .. }));
        let steps = steps.into_iter().map(|(_, _, message)| message);
        keys.chain(seals).chain(starts).chain(steps).chain(claims.cloned().map(Message::Statement))
    }

    /// Verifies keys, signatures, links, digests, proofs and votes, and applies every event by the rules.
    /// `game` must be the game of the descriptor. Returns what the record says. A record of a match that goes
    /// on is valid, too.
    ///
    /// # Errors
    ///
    /// Fails with `Descriptor` if the descriptor cannot be used with this game, `Unreadable` if no public
    /// record can be made of it, `Message` if a message does not verify or proves that its author cheated,
    /// and `Unfit` if a contribution has no place in the log, because one before it is missing or its place
    /// is taken.
    pub fn verify(&self, game: &'static dyn AnyGame) -> Result<RecordVerdict, TableRecordError> {
        let mut verification = self.begin(game)?;
        while verification.step()? {}
        verification.verdict()
    }

    /// Begins to verify the record message by message, so that the caller can do other things in between:
    /// call [`Verification::step`] until it returns `false`, then [`Verification::verdict`].
    ///
    /// # Errors
    ///
    /// Fails with `Descriptor` if the descriptor cannot be used with this game, and with `Unreadable` if no
    /// public record can be made of it.
    pub fn begin(&self, game: &'static dyn AnyGame) -> Result<Verification, TableRecordError> {
        let judge = PeerSession::watch(game, self.descriptor.clone())?;
        let options = serde_json::from_str(&self.descriptor.options).unwrap_or_default();
        let public = game.record(self.descriptor.seats(), &options, None);
        let public = public.and_then(|record| {
            let wrong = |_| pentarchy_engine::RuleError::new("no public record can be made").into();
            record.cut(engine::RecordKind::Public).map_err(wrong)
        });
        let public = public.map_err(|e| TableRecordError::Unreadable(e.to_string()))?;
        let messages: Vec<Message> = self.all_messages().collect();
        let all = messages.len();
        let left = messages.into_iter();
        Ok(Verification { judge, public, ended: None, left, all, steps: self.messages.len() })
    }
}

/// A record that is being verified, message by message.
pub struct Verification {
    judge: PeerSession,
    public: engine::Record,
    ended: Option<Ending>,
    left: std::vec::IntoIter<Message>,
    all: usize,
    /// How many messages of the log there are: each must have its place.
    steps: usize,
}

impl Verification {
    /// Returns how many messages were verified, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.all - self.left.len(), self.all)
    }

    /// Verifies the next message. Returns `true` if it was accepted or ignored, and `false` if there is none.
    /// [`Verification::verdict`] fails if a contribution was ignored. After an error the verification must
    /// not be used any more.
    ///
    /// # Errors
    ///
    /// Fails with `Message` if it does not verify, or proves that its author cheated.
    pub fn step(&mut self) -> Result<bool, TableRecordError> {
        let Some(message) = self.left.next() else { return Ok(false) };
        let after = self.judge.events();
        let bytes = message.encode(&self.judge.descriptor().id());
        for output in self.judge.handle(Input::Message { from: 0, bytes: &bytes }) {
            match output {
                SessionOutput::Event(SessionEvent::Rejected { why, .. } | SessionEvent::Broken(why)) => {
                    return Err(TableRecordError::Message { after, why });
                }
                SessionOutput::Event(SessionEvent::Evidence(evidence)) => {
                    let why = format!("seat {} {}", evidence.offender, evidence.crime);
                    return Err(TableRecordError::Message { after, why });
                }
                SessionOutput::Event(SessionEvent::Over(_)) => self.ended = self.judge.ending(),
                _ => {}
            }
        }
        Ok(true)
    }

    /// Verifies the remaining messages and returns what the record says.
    ///
    /// # Errors
    ///
    /// Fails with `Message` if a message does not verify or proves that its author cheated, and with `Unfit`
    /// if a contribution has no place in the log, because one before it is missing or its place is taken.
    pub fn verdict(mut self) -> Result<RecordVerdict, TableRecordError> {
        while self.step()? {}
        // Every message must have had its place: none is passed over.
        if self.judge.accepted() != self.steps {
            return Err(TableRecordError::Unfit { after: self.judge.events() });
        }
        self.public.entries.extend_from_slice(self.judge.entries());
        let trust = self.judge.trust();
        Ok(RecordVerdict {
            events: trust.events,
            proofs: trust.proofs,
            signatures: trust.signatures,
            outcome: self.judge.position().outcome(),
            ending: self.ended,
            claims: if self.ended.is_none() { self.judge.claims() } else { Vec::new() },
            votes: self.judge.drop_votes(),
            taken_over: self.judge.taken_over(),
            open_choices: self.judge.open_choices().to_vec(),
            public: self.public,
        })
    }
}

impl RecordVerdict {
    /// Returns the seats that signed the end: of a game that was played to its end all seats that were not taken over;
    /// of one that ended without some seats those whose votes for it are in the record. Returns none if the game goes
    /// on or was only given up.
    pub fn signers(&self) -> SeatSet {
        match self.ending {
            Some(Ending::Played) => SeatSet::first(self.public.header.seats.min(8)) - self.taken_over,
            Some(Ending::Dropped(seats)) => {
                self.votes.iter().filter(|vote| vote.seats == seats).map(|vote| Seat(vote.by)).collect()
            }
            Some(Ending::Claimed(_)) | None => SeatSet::NONE,
        }
    }
}
