//! The record of a table: everything signed, so that anybody can verify the game offline.

use crate::cards::fair_seat;
use crate::descriptor::{Descriptor, Unusable};
use crate::session::{Input, Output, Session};
use crate::wire::{Message, Said, Saying, Seals, Signature, Signed};
use pentarchy_engine::{AnyGame, Outcome, Token, record as engine};
use pentarchy_fair::{Enrolment, SeatKey};
use serde::{Deserialize, Serialize};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules; every seat signed the result.
    Played,
    /// These seats, as bits, were out; all others signed the end.
    Without(u8),
    /// This peer did not wait any longer for these seats, as bits. It is its claim alone.
    Claimed(u8),
}

/// A table's log from the first key to the last signature.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// What was agreed on.
    pub descriptor: Descriptor,
    pub(crate) keys: Vec<Option<Vec<u8>>>,
    pub(crate) seals: Vec<Option<Seals>>,
    pub(crate) starts: Vec<Option<Signature>>,
    pub(crate) messages: Vec<Signed>,
    /// What the survivors signed, if somebody was lost; what somebody claims who did not wait any longer.
    pub(crate) said: Vec<Said>,
}

/// What a verified record says.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// How many events there were.
    pub events: u32,
    /// How many proofs were checked.
    pub proofs: u32,
    /// How many signatures were checked.
    pub signatures: u32,
    /// The result, if the game was played to its end.
    pub outcome: Option<Outcome>,
    /// How it ended; nothing if it goes on.
    pub ending: Option<Ending>,
    /// Where it goes on: who has signed that he does not wait any longer, and for which seats, as bits.
    pub claims: Vec<(u8, u8)>,
    /// The votes that dropped seats, in the order of the record.
    pub votes: Vec<DropVote>,
    /// The seats, as bits, that were out before the end, and that bots played for all.
    pub vacant: u8,
    /// The secret choices of vacant seats, which everybody knows.
    pub open_choices: Vec<OpenChoice>,
    /// The same game as a public record without signatures, for replaying.
    pub public: engine::Record,
}

/// A vote of one seat that others are out. Only votes that were settled count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DropVote {
    /// The seat that voted.
    pub by: u8,
    /// The seats that it voted out, as bits.
    pub gone: u8,
    /// Those of them, as bits, that its machine reached by no path. The others were connected and silent, or proved to have
    /// cheated. Version 1 did not say; there all count as silent.
    pub unreachable: u8,
}

/// A secret choice that a bot made for a vacant seat. Everybody knows it, and the log hashes it, although the rules hide it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenChoice {
    /// The number of the event, from 1.
    pub event: u32,
    /// The token that stands for the choice.
    pub token: Token,
    /// The number of the face that was chosen.
    pub face: u8,
}

/// Why a record is not sound.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsound {
    /// It cannot be read.
    #[error("this is not the record of a table: {0}")]
    Unreadable(String),
    /// The table could not have been opened so.
    #[error(transparent)]
    Unusable(#[from] Unusable),
    /// A message was not accepted.
    #[error("after event {after}: {why}")]
    Message {
        /// So many events were verified.
        after: u32,
        /// What is wrong with the next message.
        why: String,
    },
    /// Messages are left over, or some are missing.
    #[error("after event {after} a message does not fit")]
    Unfit {
        /// So many events were verified.
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
    said: Vec<Said>,
}

/// The first bytes of a file with a record.
const MAGIC: &[u8] = b"pentarchy table 1\n";

impl Record {
    /// The record as a file.
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

    /// Whether a file begins like a record.
    pub fn is_record(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a file. What it says is checked by [`Record::verify`].
    pub fn decode(bytes: &[u8]) -> Result<Self, Unsound> {
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or_else(|| Unsound::Unreadable("it does not begin like one".into()))?;
        let unreadable = |why: postcard::Error| match why {
            postcard::Error::DeserializeUnexpectedEnd => Unsound::Unreadable("it breaks off".into()),
            other => Unsound::Unreadable(other.to_string()),
        };
        let (file, more): (File, _) = postcard::take_from_bytes(rest).map_err(unreadable)?;
        if !more.is_empty() {
            return Err(Unsound::Unreadable("something follows its end".into()));
        }
        Ok(Record {
            descriptor: Descriptor::decode(&file.descriptor)?,
            keys: file.keys,
            seals: file.seals,
            starts: file.starts,
            messages: file.messages,
            said: file.said,
        })
    }

    pub(crate) fn key_of(&self, seat: u8) -> Result<SeatKey, Unsound> {
        let body = self.keys.get(usize::from(seat)).and_then(Option::as_ref);
        let body = body.ok_or(Unsound::Unfit { after: 0 })?;
        let identity = self.descriptor.identity(seat)?;
        let escrow = self.descriptor.threshold();
        let enrolment = Enrolment { game: self.descriptor.id(), identity: &identity, escrow };
        let wrong = |e: pentarchy_fair::MessageError| Unsound::Message { after: 0, why: e.to_string() };
        enrolment.verify(fair_seat(seat), body).map_err(wrong)
    }

    /// All messages in the order in which a new peer takes them.
    pub(crate) fn all_messages(&self) -> impl Iterator<Item = Message> {
        let keys = (0u8..).zip(&self.keys);
        let keys = keys.filter_map(|(seat, body)| Some(Message::Keys { seat, body: body.clone()? }));
        let starts = (0u8..).zip(&self.starts);
        let starts = starts.filter_map(|(seat, s)| Some(Message::Start { seat, signature: (*s)? }));
        let seals = self.seals.iter().flatten().cloned().map(Message::Seals);
        // Who was out is said between the branches of the log.
        let mut steps: Vec<(u16, u8, Message)> = Vec::new();
        steps.extend(self.messages.iter().map(|step| (step.place.branch, 0, Message::Step(step.clone()))));
        for said in &self.said {
            if let Some(it) = said.saying.vote() {
                steps.push((it.branch, 1, Message::Said(said.clone())));
            }
        }
        steps.sort_by_key(|(branch, order, _)| (*branch, *order));
        let claims = self.said.iter().filter(|said| matches!(said.saying, Saying::Claim { .. }));
        let steps = steps.into_iter().map(|(_, _, message)| message);
        keys.chain(seals).chain(starts).chain(steps).chain(claims.cloned().map(Message::Said))
    }

    /// Verifies everything: keys, signatures, links, digests, proofs, and every event by the rules.
    pub fn verify(&self, game: &'static dyn AnyGame) -> Result<Verdict, Unsound> {
        let mut verification = self.begin(game)?;
        while verification.step()? {}
        verification.verdict()
    }

    /// The same, message by message, for whoever has other things to do meanwhile.
    pub fn begin(&self, game: &'static dyn AnyGame) -> Result<Verification, Unsound> {
        let judge = Session::watch(game, self.descriptor.clone())?;
        let options = serde_json::from_str(&self.descriptor.options).unwrap_or_default();
        let public = game.record(self.descriptor.seats(), &options, None);
        let public = public.and_then(|record| {
            let wrong = |_| pentarchy_engine::RuleError::new("no public record can be made").into();
            record.cut(engine::RecordKind::Public).map_err(wrong)
        });
        let public = public.map_err(|e| Unsound::Unreadable(e.to_string()))?;
        let messages: Vec<Message> = self.all_messages().collect();
        let all = messages.len();
        let left = messages.into_iter();
        Ok(Verification { judge, public, ended: None, left, all, steps: self.messages.len() })
    }
}

/// A record that is being verified, message by message.
pub struct Verification {
    judge: Session,
    public: engine::Record,
    ended: Option<Ending>,
    left: std::vec::IntoIter<Message>,
    all: usize,
    /// How many messages of the log there are: each must have its place.
    steps: usize,
}

impl Verification {
    /// How many messages were verified, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.all - self.left.len(), self.all)
    }

    /// Verifies the next message; false if there is none.
    pub fn step(&mut self) -> Result<bool, Unsound> {
        let Some(message) = self.left.next() else { return Ok(false) };
        let after = self.judge.events();
        let bytes = message.encode(&self.judge.descriptor().id());
        for output in self.judge.handle(Input::Message { from: 0, bytes: &bytes }) {
            match output {
                Output::Rejected { why, .. } | Output::Broken(why) => {
                    return Err(Unsound::Message { after, why });
                }
                Output::Evidence(evidence) => {
                    let why = format!("seat {} {}", evidence.offender, evidence.crime);
                    return Err(Unsound::Message { after, why });
                }
                Output::Over(_) => self.ended = self.judge.ending(),
                _ => {}
            }
        }
        Ok(true)
    }

    /// What the record says, once all of it was verified.
    pub fn verdict(mut self) -> Result<Verdict, Unsound> {
        while self.step()? {}
        // Every message must have had its place: none is passed over.
        if self.judge.accepted() != self.steps {
            return Err(Unsound::Unfit { after: self.judge.events() });
        }
        self.public.entries.extend_from_slice(self.judge.entries());
        let trust = self.judge.trust();
        Ok(Verdict {
            events: trust.events,
            proofs: trust.proofs,
            signatures: trust.signatures,
            outcome: self.judge.position().outcome(),
            ending: self.ended,
            claims: if self.ended.is_none() { self.judge.claims() } else { Vec::new() },
            votes: self.judge.drop_votes(),
            vacant: self.judge.vacant_seats(),
            open_choices: self.judge.open_choices().to_vec(),
            public: self.public,
        })
    }
}

impl Verdict {
    /// The seats, as bits, whose signatures stand under the end; none if the game goes on.
    pub fn signers(&self) -> u8 {
        let all = ((1u16 << self.public.header.seats.min(8)) - 1) as u8;
        match self.ending {
            Some(Ending::Played) => all & !self.vacant,
            Some(Ending::Without(out)) => all & !out,
            Some(Ending::Claimed(_)) | None => 0,
        }
    }
}
