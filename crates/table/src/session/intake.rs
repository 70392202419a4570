//! What comes in: read, checked, put in its place, or refused with a reason.

use super::{Acted, Output, PeerId, Session, Step, To};
use crate::cards::fair_seat;
use crate::duty::Verified;
use crate::evidence::{Crime, Evidence};
use crate::plan::most_phases;
use crate::wire::{Anchor, Message, Place, Said, Signed};

/// The most parts of the opening that are kept because they came before others.
const MOST_EARLY: usize = 64;
/// So far ahead of this peer's own place may a kept message be.
const MOST_AHEAD: u32 = 512;

/// Why a contribution was not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum NotAccepted {
    /// It hangs on another history than this peer's.
    #[error("it belongs to another history")]
    OtherHistory,
    /// Its seat has signed something that is wrong.
    #[error("{0}")]
    Wrong(String),
}

impl Session {
    fn reject(&mut self, from: PeerId, why: impl Into<String>) {
        self.trust.refused += 1;
        self.emit(Output::Rejected { from, why: why.into() });
    }

    /// Rejects what no honest peer sends or forwards. A peer that does so too often is ignored for a while.
    fn blame(&mut self, from: PeerId, why: impl Into<String>) {
        if !self.restoring {
            self.limits.fault(from, self.now);
        }
        self.reject(from, why);
    }

    /// A message from the network.
    pub(super) fn receive(&mut self, from: PeerId, bytes: &[u8]) {
        if self.limits.is_ignored(from, self.now) {
            return;
        }
        let message = match Message::decode(&self.id, bytes) {
            Ok(message) => message,
            Err(e) => return self.blame(from, e.to_string()),
        };
        self.hear(from, message);
    }

    fn hear(&mut self, from: PeerId, message: Message) {
        match message {
            Message::Keys { seat, body } => match self.take_keys(seat, body.clone()) {
                Ok(true) => {
                    self.persist_message(&Message::Keys { seat, body });
                    self.progressed();
                }
                Ok(false) => {}
                Err(why) => self.reject(from, why),
            },
            Message::Start { seat, signature } => {
                self.open();
                let sealed = self.descriptor.threshold().is_none() || self.seals.iter().all(Option::is_some);
                if self.roster.is_none() || !sealed {
                    return self.too_early(from, Message::Start { seat, signature });
                }
                match self.take_start(seat, signature) {
                    Ok(true) => {
                        self.persist_message(&Message::Start { seat, signature });
                        self.progressed();
                    }
                    Ok(false) => {}
                    Err(why) => self.reject(from, why),
                }
            }
            Message::Step(signed) => self.take_step(from, signed),
            Message::Standing(standing) => self.answer(from, &standing),
            Message::Links { branch, from: first, links } => self.compare(from, branch, first, &links),
            Message::Said(said) => self.take_said(from, said),
            Message::Seals(seals) => {
                self.open();
                if self.roster.is_none() {
                    return self.too_early(from, Message::Seals(seals));
                }
                match self.take_seals(seals.clone()) {
                    Ok(true) => {
                        self.persist_message(&Message::Seals(seals));
                        self.progressed();
                    }
                    Ok(false) => {}
                    Err(why) => self.reject(from, why),
                }
            }
            Message::Complaint(complaint) => {
                if self.roster.is_some()
                    && let Err(why) = self.take_complaint(complaint)
                {
                    self.reject(from, why);
                }
            }
            Message::Proof(list) => match <[Signed; 2]>::try_from(list) {
                Ok([one, two]) => self.take_pair(from, one, two),
                Err(list) => {
                    // It may be a shuffle, which lies here unverified or comes only now.
                    self.settle();
                    list.into_iter().for_each(|signed| self.take_step(from, signed));
                    self.advance();
                    self.settle();
                }
            },
        }
    }

    /// A part of the opening has overtaken those before it. It is kept, or everybody would wait until it is asked for again.
    fn too_early(&mut self, from: PeerId, message: Message) {
        if self.early.len() < MOST_EARLY && !self.restoring {
            self.early.push((from, message));
        }
    }

    /// Takes up what came too early; false if it is still too early for all of it.
    pub(super) fn take_early(&mut self) -> bool {
        let early = std::mem::take(&mut self.early);
        let before = early.len();
        early.into_iter().for_each(|(from, message)| self.hear(from, message));
        self.early.len() < before
    }

    /// A stored message.
    pub(super) fn reread(&mut self, message: Message) -> Result<(), String> {
        match message {
            Message::Keys { seat, body } => self.take_keys(seat, body).map(|_| ()),
            Message::Start { seat, signature } => {
                self.open();
                self.take_start(seat, signature).map(|_| ())
            }
            Message::Seals(seals) => {
                self.open();
                self.take_seals(seals).map(|_| ())
            }
            Message::Step(signed) => {
                self.advance();
                self.accept(signed).map_err(|e| e.to_string())
            }
            Message::Said(_) | Message::Proof(_) => {
                let bytes = message.encode(&self.id);
                self.receive(0, &bytes);
                Ok(())
            }
            _ => Err("such a message is never stored".into()),
        }
    }

    /// A contribution, whoever brought it.
    fn take_step(&mut self, from: PeerId, signed: Signed) {
        let place = signed.place;
        let Some(roster) = &self.roster else { return };
        let Ok(key) = roster.key(fair_seat(place.seat)) else {
            return self.blame(from, "there is no such seat");
        };
        if !self.can_exist(place) {
            return self.blame(from, "no game of this table has such a place");
        }
        let seq = self.log.len() as u32;
        if (self.is_over() || place.branch < self.branch) && place.seq >= seq {
            return;
        }
        let content = signed.content(&self.id);
        let known = match place.seq.cmp(&seq) {
            std::cmp::Ordering::Less => {
                self.log[place.seq as usize].messages.iter().find(|m| m.place == place)
            }
            _ => {
                let now = self.step.iter().flat_map(|step| &step.got).map(|(message, _)| message);
                now.chain(self.pending.values()).find(|m| m.place == place)
            }
        };
        let convicted = self.crimes.iter().any(|(at, proof)| *at == place && proof.contains(&signed));
        if convicted || known.is_some_and(|known| known.content(&self.id) == content) {
            return;
        }
        self.trust.signatures += 1;
        if !signed.is_signed_by(&self.id, key.session()) {
            return self.blame(from, format!("a message that seat {} has not signed", place.seat));
        }
        if let Some(known) = known {
            let known = known.clone();
            return self.crime(place.seat, Crime::TwoFaced, vec![known, signed]);
        }
        // Who opens a table last is sent the first step before he has heard that everybody has signed the start.
        if place.branch > self.branch || self.prev == [0; 32] {
            return self.keep(signed);
        }
        if self.is_out_of_turn(&signed) {
            return self.crime_out_of_turn(signed);
        }
        if place.seq < seq {
            // Another history had something due where this one has nothing; unless that branch is void.
            if self.log[place.seq as usize].branch == place.branch {
                self.diverged(from);
            }
            return;
        }
        if self.is_frozen() {
            return;
        }
        let phase = self.step.as_ref().map_or(0, |step| step.phase);
        if place.seq > seq || place.phase > phase {
            return self.keep(signed);
        }
        let given =
            self.step.as_ref().is_some_and(|s| s.verified.iter().any(|(seat, _)| *seat == place.seat));
        if place.phase < phase || given || self.duty(place.seat).is_none() {
            return self.reject(from, format!("nothing is due from seat {} there", place.seat));
        }
        self.take_due(from, signed);
    }

    /// Whether a seat acts, on this very history, where it is not asked. All who share the history see it, whenever the
    /// message reaches them.
    fn is_out_of_turn(&self, signed: &Signed) -> bool {
        let Anchor::Head(header) = &signed.anchor else { return false };
        let place = signed.place;
        let acts = |m: &Signed| m.place.seat == place.seat && matches!(m.anchor, Anchor::Head(_));
        let (branch, asked) = match self.log.get(place.seq as usize) {
            Some(closed) => (closed.branch, closed.messages.iter().any(acts)),
            None => {
                let asks = |step: &Step| self.is_act(&step.plan) && step.plan.actor == place.seat;
                (self.branch, self.step.as_ref().is_none_or(asks))
            }
        };
        !asked && branch == place.branch && self.link(place.seq) == Some(header.prev)
    }

    fn crime_out_of_turn(&mut self, signed: Signed) {
        let why = "it acts where nothing is due from its seat".to_string();
        self.crime(signed.place.seat, Crime::Wrong(why), vec![signed]);
    }

    /// A contribution that is due now.
    #[inline(never)]
    fn take_due(&mut self, from: PeerId, signed: Signed) {
        let place = signed.place;
        match self.accept(signed.clone()) {
            Ok(()) => {
                self.trust.agreed[usize::from(place.seat)] = place.seq;
                self.persist_message(&Message::Step(signed));
                self.progressed();
            }
            Err(NotAccepted::OtherHistory) => self.diverged(from),
            Err(NotAccepted::Wrong(why)) => self.crime(place.seat, Crime::Wrong(why), vec![signed]),
        }
    }

    /// Whether any history of this table can have a place: as many phases as a step can have, and a branch for each seat
    /// that leaves.
    fn can_exist(&self, place: Place) -> bool {
        let seats = self.descriptor.seats();
        place.branch <= u16::from(seats) && place.phase < most_phases(seats)
    }

    /// Keeps a message whose time has not come, unless it is far ahead or the step under way has no such phase.
    fn keep(&mut self, signed: Signed) {
        let Place { branch, seq, phase, .. } = signed.place;
        let far = seq.saturating_sub(self.log.len() as u32) > MOST_AHEAD;
        let here = (branch, seq) == (self.branch, self.log.len() as u32);
        let step = self.step.as_ref().filter(|_| here);
        if !far && step.is_none_or(|step| usize::from(phase) < step.plan.phases.len()) {
            self.pending.keep(signed, self.descriptor.seats());
        }
    }

    /// Takes up kept messages that are due now.
    pub(super) fn take_pending(&mut self) {
        while let Some(step) = &self.step {
            let now = (self.branch, self.log.len() as u32, step.phase);
            let Some(signed) = self.pending.take_until(now) else { return };
            let Place { branch, seq, phase, seat } = signed.place;
            if (branch, seq, phase) == now && self.duty(seat).is_some() {
                self.take_due(0, signed);
            } else if self.is_out_of_turn(&signed) {
                self.crime_out_of_turn(signed);
            }
            if self.is_over() {
                return;
            }
        }
    }

    /// Checks a contribution that is due, whose signature was checked, and adds it.
    pub(super) fn accept(&mut self, signed: Signed) -> Result<(), NotAccepted> {
        let (verified, acted) = self.check(&signed)?;
        self.add(signed, verified, acted);
        Ok(())
    }

    /// Checks a contribution that is due, whose signature was checked; what it brings, and what it does if it is an action.
    pub(super) fn check(&self, signed: &Signed) -> Result<(Verified, Option<Acted>), NotAccepted> {
        let wrong = |why: String| NotAccepted::Wrong(why);
        let Some(step) = &self.step else { return Err(NotAccepted::OtherHistory) };
        let seat = signed.place.seat;
        if signed.place != self.place(seat) {
            return Err(NotAccepted::OtherHistory);
        }
        let Some(duty) = self.duty(seat) else { return Err(NotAccepted::OtherHistory) };
        let acting = self.is_act(&step.plan);
        match &signed.anchor {
            Anchor::Head(header) => {
                if header.prev != self.prev {
                    return Err(NotAccepted::OtherHistory);
                }
                if header.digest != step.digest {
                    return Err(wrong("its digest of the table is another than the rules give".into()));
                }
                if !acting || header.kind != step.plan.kind {
                    return Err(wrong("it acts where something else is due".into()));
                }
                let (done, proofs) =
                    self.check_act(step, header, signed).map_err(|e| wrong(e.to_string()))?;
                Ok((Verified::action(proofs), Some(done)))
            }
            Anchor::Phase(phase) => {
                let Some(due) = Self::phase_id(step).filter(|_| !acting) else {
                    return Err(NotAccepted::OtherHistory);
                };
                if due.0 != *phase {
                    return Err(NotAccepted::OtherHistory);
                }
                let desk = self.desk(step, due).map_err(|e| wrong(e.to_string()))?;
                let verified = desk.verify(duty, seat, &signed.payload).map_err(|e| wrong(e.to_string()))?;
                Ok((verified, None))
            }
        }
    }

    /// Adds a contribution that was checked, or that this seat has made.
    pub(super) fn add(&mut self, signed: Signed, verified: Verified, acted: Option<Acted>) {
        let content = signed.content(&self.id);
        self.trust.proofs += verified.proofs;
        let Some(step) = &mut self.step else { return };
        if let Anchor::Head(header) = &signed.anchor {
            step.id = Some(header.step(&self.id, signed.place));
        }
        step.acted = acted.or(step.acted.take());
        step.verified.push((signed.place.seat, verified));
        step.got.push((signed, content));
    }

    /// Two messages that are said to be of one seat for one place.
    fn take_pair(&mut self, from: PeerId, one: Signed, two: Signed) {
        let seat = one.place.seat;
        let Some(key) = self.roster.as_ref().and_then(|roster| roster.key(fair_seat(seat)).ok()) else {
            return;
        };
        let guilty = one.place == two.place
            && one.content(&self.id) != two.content(&self.id)
            && [&one, &two].iter().all(|m| m.is_signed_by(&self.id, key.session()));
        if !guilty {
            return self.blame(from, "an accusation that proves nothing");
        }
        self.crime(seat, Crime::TwoFaced, vec![one, two]);
    }

    /// A seat has provably cheated.
    pub(super) fn crime(&mut self, seat: u8, crime: Crime, messages: Vec<Signed>) {
        let Some(place) = messages.first().map(|message| message.place) else { return };
        let known = self.crimes.iter().any(|(other, _)| other.seat == seat && *other <= place);
        if known {
            return;
        }
        let proof = Message::Proof(messages.clone());
        self.persist_message(&proof);
        self.send(To::All, &proof);
        self.crimes.push((place, messages.clone()));
        if self.cheats >> seat & 1 == 0 {
            self.convict(seat, crime, messages, Vec::new());
        }
        self.consider_ending();
    }

    /// A seat has provably cheated before the first step.
    pub(super) fn opening_crime(&mut self, seat: u8, why: String, opening: Vec<Message>) {
        // Once a table is open, what was said before cannot keep it from opening any more.
        if self.cheats >> seat & 1 == 0 && self.prev == [0; 32] {
            for message in &opening {
                self.send(To::All, message);
            }
            self.convict(seat, Crime::Wrong(why), Vec::new(), opening);
        }
    }

    fn convict(&mut self, seat: u8, crime: Crime, messages: Vec<Signed>, opening: Vec<Message>) {
        self.cheats |= 1 << seat;
        self.trust.cheats.push(seat);
        let (record, now) = (self.record(), self.now_got());
        let evidence = Evidence { offender: seat, crime, record, now, messages, opening };
        self.emit(Output::Evidence(Box::new(evidence)));
    }

    /// The contributions to the step under way.
    fn now_got(&self) -> Vec<Signed> {
        self.step.iter().flat_map(|step| &step.got).map(|(message, _)| message.clone()).collect()
    }

    /// Another peer's history differs: the links of both show where.
    fn diverged(&mut self, from: PeerId) {
        if !self.restoring {
            self.send_links(from);
        }
    }

    fn take_said(&mut self, from: PeerId, said: Said) {
        let Some(roster) = &self.roster else { return };
        let Ok(key) = roster.key(fair_seat(said.seat)) else { return };
        if !said.saying.belongs_to(self.descriptor.version) {
            return self.reject(from, "a statement of another version of the protocol");
        }
        if self.said.contains(&said) || !(self.restoring || self.concerns(&said.saying)) {
            return;
        }
        self.trust.signatures += 1;
        if !said.is_signed_by(&self.id, key.session()) {
            return self.blame(from, "a statement that is not signed by its seat");
        }
        self.hear_said(from, said);
    }
}
