//! Messages from other peers: decoded, checked, and put in their place or rejected with a reason.

use super::{Acted, LogStep, MAILBOX, PeerNumber, PeerSession, SessionEvent};
use crate::cards::fair_seat;
use crate::duty::Verified;
use crate::evidence::Crime;
use crate::plan::most_phases;
use crate::wire::{Anchor, Message, Place, Signed, SignedStatement};

/// Maximum number of parts of the opening that are kept because they arrived before others.
const MAX_EARLY: usize = 64;
/// Maximum number of steps that a contribution may be ahead of this peer's log.
const MAX_AHEAD: u32 = 512;

/// Why a contribution was not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum ContributionError {
    /// It is linked to another history than this peer's.
    #[error("it belongs to another history")]
    OtherHistory,
    /// Its seat has signed something wrong, which is proof of cheating.
    #[error("{0}")]
    Wrong(String),
}

impl PeerSession {
    /// Counts a message that was not accepted, and emits `Rejected` with the reason `why`. `from` is its
    /// deliverer.
    fn reject(&mut self, from: PeerNumber, why: impl Into<String>) {
        self.trust.refused += 1;
        self.emit(SessionEvent::Rejected { from, why: why.into() });
    }

    /// Rejects a message that no honest peer sends or forwards, for the reason `why`. The deliverer `from` is
    /// ignored for a while if it delivers too many of them; they are not counted while a stored session is
    /// restored, and not for the mailbox, into which anybody with the invitation can post.
    pub(super) fn blame(&mut self, from: PeerNumber, why: impl Into<String>) {
        if !self.storage.is_restoring() && from != MAILBOX {
            self.sync.limits.note_fault(from, self.sync.now);
        }
        self.reject(from, why);
    }

    /// Takes a message from the network: decodes it and handles it by its kind. Ignores it if its deliverer
    /// `from` is ignored at present; blames the deliverer if it cannot be decoded.
    pub(super) fn receive(&mut self, from: PeerNumber, bytes: &[u8]) {
        if self.sync.limits.is_ignored(from, self.sync.now) {
            return;
        }
        let message = match Message::decode(&self.id, bytes) {
            Ok(message) => message,
            Err(e) => return self.blame(from, e.to_string()),
        };
        self.take_message(from, message);
    }

    /// Handles a decoded message by its kind. `from` is the deliverer, who need not be the author; signatures
    /// are checked here.
    ///
    /// * Parts of the opening are accepted and stored, and restart all timeouts; they are kept for later if
    ///   others are missing, and rejected if they are wrong.
    /// * Contributions, statements and complaints are checked and taken; before all keys have arrived they are
    ///   ignored.
    /// * Progress and links of another peer are answered with what that peer lacks.
    /// * A proof of two messages convicts their author if they contradict each other. A proof of one is
    ///   taken like a contribution, after unverified shuffles were verified.
    fn take_message(&mut self, from: PeerNumber, message: Message) {
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
                if self.opening.roster.is_none() || !self.has_shares() {
                    return self.keep_early_part(from, Message::Start { seat, signature });
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
            Message::Links { epoch, from: first, links } => self.compare(from, epoch, first, &links),
            Message::Statement(signed) => self.check_statement(from, signed),
            Message::Seals(seals) => {
                self.open();
                if self.opening.roster.is_none() {
                    return self.keep_early_part(from, Message::Seals(seals));
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
                if self.opening.roster.is_some()
                    && let Err(why) = self.take_complaint(complaint)
                {
                    self.reject(from, why);
                }
            }
            Message::Proof(list) => match <[Signed; 2]>::try_from(list) {
                Ok([one, two]) => self.take_pair(from, one, two),
                Err(list) => {
                    // It may be a shuffle, which lies here unverified or comes only now.
                    self.verify_shuffles();
                    list.into_iter().for_each(|signed| self.take_step(from, signed));
                    self.advance();
                    self.verify_shuffles();
                }
            },
        }
    }

    /// Keeps a part of the opening that depends on others that are missing, so that it need not be requested
    /// again. Drops it if [`MAX_EARLY`] are kept, and while a stored session is restored.
    fn keep_early_part(&mut self, from: PeerNumber, message: Message) {
        if self.opening.early.len() < MAX_EARLY && !self.storage.is_restoring() {
            self.opening.early.push((from, message));
        }
    }

    /// Handles the parts of the opening that arrived too early once more; those that are still too early are
    /// kept again. Returns whether at least one of them was not too early any more (it was accepted or
    /// rejected), so that the opening may go on.
    pub(super) fn take_early(&mut self) -> bool {
        let early = std::mem::take(&mut self.opening.early);
        let before = early.len();
        early.into_iter().for_each(|(from, message)| self.take_message(from, message));
        self.opening.early.len() < before
    }

    /// Takes a stored message again while a session is restored; stores and sends nothing. Signatures of
    /// contributions are not checked again, since they were checked before the message was stored. Before a
    /// contribution is taken, the session advances. A statement or a proof of cheating is handled like one from
    /// the network.
    ///
    /// # Errors
    ///
    /// Fails with the reason if keys, shares, a signature of the start or a contribution do not follow from
    /// the messages before, or no such message is ever stored. A statement or a proof of cheating never
    /// fails.
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
            Message::Statement(_) | Message::Proof(_) => {
                let bytes = message.encode(&self.id);
                self.receive(0, &bytes);
                Ok(())
            }
            _ => Err("such a message is never stored".into()),
        }
    }

    /// Takes a contribution: accepts it if it is due, and keeps it if it is early. Ignores it if it is known, if
    /// it is more than [`MAX_AHEAD`] steps ahead, before all keys have arrived, while a binding vote freezes the
    /// log, and if it would extend an earlier epoch or a game that is over. One that contradicts another of its
    /// author, is wrong, or acts out of turn is proof of cheating, which is reported. If it belongs to another
    /// history, sends the deliverer `from` this peer's links. Blames the deliverer for one that its seat has not
    /// signed or that can have no place, and rejects one where nothing is due.
    fn take_step(&mut self, from: PeerNumber, signed: Signed) {
        let place = signed.place;
        let Some(roster) = &self.opening.roster else { return };
        let Ok(key) = roster.key(fair_seat(place.seat)) else {
            return self.blame(from, "there is no such seat");
        };
        if !self.can_exist(place) {
            return self.blame(from, "no game of this table has such a place");
        }
        let seq = self.log.len();
        let is_late = (self.is_over() || place.epoch < self.log.epoch()) && place.seq >= seq;
        // Checked before the signature: a flood of them costs little.
        if is_late || place.seq.saturating_sub(seq) > MAX_AHEAD {
            return;
        }
        let content = signed.content(&self.id);
        let known = match place.seq.cmp(&seq) {
            std::cmp::Ordering::Less => {
                self.log.steps[place.seq as usize].messages.iter().find(|m| m.place == place)
            }
            _ => {
                let now = self.step.iter().flat_map(|step| &step.got).map(|(message, _)| message);
                now.chain(self.sync.pending.values()).find(|m| m.place == place)
            }
        };
        let convicted = self.misconduct.contains(&signed);
        if convicted || known.is_some_and(|known| known.content(&self.id) == content) {
            return;
        }
        self.trust.signatures += 1;
        if !signed.is_signed_by(&self.id, key.session()) {
            return self.blame(from, format!("a message that seat {} has not signed", place.seat));
        }
        if let Some(known) = known {
            let known = known.clone();
            return self.report_crime(place.seat, Crime::TwoFaced, vec![known, signed]);
        }
        // The first step may arrive before the last signature of the start does.
        if place.epoch > self.log.epoch() || !self.log.is_open() {
            return self.keep(signed);
        }
        if self.is_out_of_turn(&signed) {
            return self.report_out_of_turn(signed);
        }
        if place.seq < seq {
            // Another history had something due where this one has nothing; unless that epoch is void.
            if self.log.steps[place.seq as usize].epoch == place.epoch {
                self.answer_other_history(from);
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
        let given = self.step.as_ref().is_some_and(|step| step.has_given(place.seat));
        if place.phase < phase || given || self.duty(place.seat).is_none() {
            return self.reject(from, format!("nothing is due from seat {} there", place.seat));
        }
        self.take_due(from, signed);
    }

    /// Returns whether a contribution acts on this peer's own history where its seat has no turn. `false` if
    /// it is no action or of another history, and for the step under way before it is planned. All peers that
    /// share the history come to the same result, whenever the message reaches them.
    fn is_out_of_turn(&self, signed: &Signed) -> bool {
        let Anchor::Head(header) = &signed.anchor else { return false };
        let place = signed.place;
        let acts = |m: &Signed| m.place.seat == place.seat && matches!(m.anchor, Anchor::Head(_));
        let (epoch, asked) = match self.log.steps.get(place.seq as usize) {
            Some(closed) => (closed.epoch, closed.messages.iter().any(acts)),
            None => {
                let asks = |step: &LogStep| self.is_act(&step.plan) && step.plan.actor == place.seat;
                (self.log.epoch(), self.step.as_ref().is_none_or(asks))
            }
        };
        !asked && epoch == place.epoch && self.log.link(place.seq) == Some(header.prev)
    }

    /// Reports the author of this signed action as a cheater, because it has acted where its seat has no turn.
    /// The caller has checked that, and the signature.
    fn report_out_of_turn(&mut self, signed: Signed) {
        let why = "it acts where nothing is due from its seat".to_string();
        self.report_crime(signed.place.seat, Crime::Wrong(why), vec![signed]);
    }

    /// Takes a contribution that is due now, whose signature the caller has checked. If it is right, adds it to
    /// the step, stores it, notes that its seat agrees up to this step, and restarts all timeouts; the phase is
    /// not ended here. If it is wrong, reports its author as a cheater. If it belongs to another history, sends
    /// the deliverer `from` this peer's links.
    #[inline(never)]
    fn take_due(&mut self, from: PeerNumber, signed: Signed) {
        let place = signed.place;
        match self.accept(signed.clone()) {
            Ok(()) => {
                self.trust.agreed[usize::from(place.seat)] = place.seq;
                self.persist_message(&Message::Step(signed));
                self.progressed();
            }
            Err(ContributionError::OtherHistory) => self.answer_other_history(from),
            Err(ContributionError::Wrong(why)) => {
                self.report_crime(place.seat, Crime::Wrong(why), vec![signed]);
            }
        }
    }

    /// Returns whether any history of this table can have a place: a step has a maximum number of phases, and
    /// there is at most one epoch for each seat that is dropped. The seat and the number of the step are not
    /// checked.
    pub(super) fn can_exist(&self, place: Place) -> bool {
        let seats = self.descriptor.seats();
        place.epoch <= u16::from(seats) && place.phase < most_phases(seats)
    }

    /// Keeps an early contribution for its step and phase, within the limits of its author; the caller has
    /// checked its signature. Drops it if it is for the step under way and that step has no such phase.
    fn keep(&mut self, signed: Signed) {
        let Place { epoch, seq, phase, .. } = signed.place;
        let here = (epoch, seq) == (self.log.epoch(), self.log.len());
        let step = self.step.as_ref().filter(|_| here);
        if step.is_none_or(|step| usize::from(phase) < step.plan.phases.len()) {
            self.sync.pending.keep(signed, self.descriptor.seats());
        }
    }

    /// Takes the kept contributions to the current phase, and removes those to earlier ones. One that is due is
    /// accepted or, if it is wrong, reported as a crime, and so is one that acts out of turn; the others are
    /// dropped. Stops when the game is over, and does nothing between steps.
    pub(super) fn take_pending(&mut self) {
        while let Some(step) = &self.step {
            let now = (self.log.epoch(), self.log.len(), step.phase);
            let Some(signed) = self.sync.pending.take_until(now) else { return };
            let Place { epoch, seq, phase, seat } = signed.place;
            if (epoch, seq, phase) == now && self.duty(seat).is_some() {
                self.take_due(0, signed);
            } else if self.is_out_of_turn(&signed) {
                self.report_out_of_turn(signed);
            }
            if self.is_over() {
                return;
            }
        }
    }

    /// Checks a contribution that is due and adds it to the step under way, which counts its proofs. Stores and
    /// sends nothing, and does not end the phase. The caller has checked its signature.
    ///
    /// # Errors
    ///
    /// Fails with `OtherHistory` if nothing is due from its seat at its place or it is not bound to this peer's
    /// log, and with `Wrong` if it proves that its author cheated; then nothing has changed.
    pub(super) fn accept(&mut self, signed: Signed) -> Result<(), ContributionError> {
        let (verified, acted) = self.check(&signed)?;
        self.add(signed, verified, acted);
        Ok(())
    }

    /// Checks a contribution. Returns what it brings and, for an action, what it does. Changes nothing. The
    /// caller has checked its signature.
    ///
    /// # Errors
    ///
    /// Fails with `OtherHistory` if nothing is due from its seat at its place, or it is not bound to this
    /// peer's log, and with `Wrong` if it proves that its author cheated.
    pub(super) fn check(&self, signed: &Signed) -> Result<(Verified, Option<Acted>), ContributionError> {
        let wrong = |why: String| ContributionError::Wrong(why);
        let Some(step) = &self.step else { return Err(ContributionError::OtherHistory) };
        let seat = signed.place.seat;
        if signed.place != self.place(seat) {
            return Err(ContributionError::OtherHistory);
        }
        let Some(duty) = self.duty(seat) else { return Err(ContributionError::OtherHistory) };
        let acting = self.is_act(&step.plan);
        match &signed.anchor {
            Anchor::Head(header) => {
                if header.prev != self.log.head {
                    return Err(ContributionError::OtherHistory);
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
                    return Err(ContributionError::OtherHistory);
                };
                if due.0 != *phase {
                    return Err(ContributionError::OtherHistory);
                }
                let desk = self.desk(step, due).map_err(|e| wrong(e.to_string()))?;
                let verified = desk.verify(duty, seat, &signed.payload).map_err(|e| wrong(e.to_string()))?;
                Ok((verified, None))
            }
        }
    }

    /// Adds a contribution to the step under way. `verified` is what it brings, and for an action `acted` is
    /// what the action does when the step closes; its header gives the step its identifier. The caller has
    /// checked the contribution, or this seat has made it. Counts its proofs. Without a step under way it does
    /// nothing else.
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

    /// Sends the links of this log to the peer `from`, whose log differs, so that it finds the first step that
    /// differs and sends its contributions to it. No effect while a stored session is restored, and for mail,
    /// which nobody answers.
    fn answer_other_history(&mut self, from: PeerNumber) {
        if !self.storage.is_restoring() && from != MAILBOX {
            self.send_links(from);
        }
    }

    /// Checks a statement, and takes it (see `take_statement`) if it is new, concerns this place of the log and
    /// is signed by its seat. Rejects one of another protocol version, and blames the deliverer `from` for one
    /// that its seat has not signed. Ignores known ones, those that do not concern this place, all of seats that
    /// do not exist, and everything before all keys have arrived. While a stored session is restored, it need
    /// not concern this place.
    fn check_statement(&mut self, from: PeerNumber, signed: SignedStatement) {
        let Some(roster) = &self.opening.roster else { return };
        let Ok(key) = roster.key(fair_seat(signed.seat)) else { return };
        if !signed.statement.belongs_to(self.descriptor.version) {
            return self.reject(from, "a statement of another version of the protocol");
        }
        let concerns = || self.absence.concerns(&signed.statement, self.waiting_phase(), &self.electorate());
        if self.absence.statements.contains(&signed) || !(self.storage.is_restoring() || concerns()) {
            return;
        }
        self.trust.signatures += 1;
        if !signed.is_signed_by(&self.id, key.session()) {
            return self.blame(from, "a statement that is not signed by its seat");
        }
        self.take_statement(signed);
    }
}
