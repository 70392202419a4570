//! The steps of the log. A step begins when the one before it is closed, and is closed when every seat that owes a
//! contribution to one of its phases has given it.

use super::{Acted, AppliedPosition, LogStep, PeerSession, Recipient, SessionEvent};
use crate::cards::fair_seat;
use crate::duty::{Desk, Verified, Work, secret_order};
use crate::hash::{StepOf, closing_link};
use crate::plan::{Duty, Plan, departure, kind, plan};
use crate::record::Ending;
use crate::wire::{Anchor, Message, Place, Signed, content};
use pentarchy_engine::Node;
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_fair::{self as fair, OperationError, Phase, PhaseId};

// The parts of a step are functions that are never inlined. Otherwise they become one function with the loop that calls
// them, and a browser recompiles that function during the opening, which takes some hundred milliseconds: the larger a
// WebAssembly function, the sooner and the longer (`cargo xtask measure visit`).
impl PeerSession {
    /// Does everything that needs no further input: opens the table, takes up early messages, begins steps,
    /// contributes what this seat owes (makes, stores and sends it), and closes phases and steps. Between two
    /// steps it stores a snapshot if one is due. Stops at the first contribution that is missing, at the end of
    /// the game, and while this machine is bound by its vote to drop seats. While a stored session is restored
    /// it contributes nothing. Call it after every change.
    pub(super) fn advance(&mut self) {
        while !self.status.stopped && !self.open() {
            if !self.take_early() {
                return;
            }
        }
        while !self.is_over() && !self.is_frozen() {
            if self.step.is_none() {
                self.save_in_time();
                if !self.begin() {
                    return;
                }
            }
            self.take_pending();
            if self.is_over() || self.step.is_none() {
                return;
            }
            if !self.storage.is_restoring() && self.contribute() {
                continue;
            }
            if !self.phase_is_complete() {
                return;
            }
            self.end_phase();
        }
    }

    /// Begins the next step, in place of the one under way if there is one: plans it, and prepares the lock
    /// if this seat is going to shuffle. The player may be asked again. Returns `false`, and breaks the
    /// session, if there is no plan for it or the lock is not available.
    #[inline(never)]
    pub(super) fn begin(&mut self) -> bool {
        let seq = self.log.len();
        let plan = match self.takeover.departing {
            Some(gone) => Ok(departure(&*self.state.rules, &self.state.cards, self.voters(), gone)),
            None => plan(&*self.state.rules, &self.state.cards, self.log.live(), seq),
        };
        let mut plan = match plan {
            Ok(plan) => plan,
            Err(e) => {
                self.broken(e.to_string());
                return false;
            }
        };
        if let (Some(open), None) = (&self.takeover.open_roll, self.takeover.departing) {
            plan.complete_roll(&*self.state.rules, self.voters(), open.seats - self.log.live());
        }
        debug_assert!(plan.phases.len() <= usize::from(crate::plan::most_phases(self.descriptor.seats())));
        // All seats that shuffle prepare the lock now, in parallel, and not when it is their turn.
        let seat = self.seat().map(fair_seat).filter(|_| !self.storage.is_restoring());
        let mix = plan.mix.as_ref().filter(|mix| seat.is_some_and(|seat| mix.by.contains(seat)));
        if let Some(Err(e)) = mix.map(|mix| mix.lock).map(|lock| self.lock(lock)) {
            self.broken(e.to_string());
            return false;
        }
        let digest = self.state.digest();
        let acted = self.is_act(&plan);
        let body = self.takeover.departing.map_or_else(String::new, |seats| seats.to_string());
        let id = StepOf {
            game: &self.id,
            epoch: self.log.epoch(),
            seq,
            prev: &self.log.head,
            kind: plan.kind,
            actor: plan.actor,
            body: &body,
            digest: &digest,
        };
        let id = (!acted).then(|| id.id());
        self.step = Some(LogStep {
            plan,
            digest,
            id,
            phase: 0,
            got: Vec::new(),
            verified: Vec::new(),
            work: Work::default(),
            acted: None,
        });
        self.turn.ask_again();
        true
    }

    /// Returns whether a step is an action that its seat signs. The action of a bot for a dropped seat has no
    /// author.
    pub(super) fn is_act(&self, plan: &Plan) -> bool {
        matches!(plan.kind, kind::DECIDE | kind::DECLARE) && self.is_live(plan.actor)
    }

    /// Returns the duty of a seat in the current phase, fulfilled or not; `None` if it has none, or between
    /// steps.
    pub(super) fn duty(&self, seat: u8) -> Option<&Duty> {
        let step = self.step.as_ref()?;
        let due = step.plan.phases.get(usize::from(step.phase))?;
        due.iter().find(|(s, _)| *s == seat).map(|(_, duty)| duty)
    }

    /// Returns the place of a seat's contribution to the phase under way; between steps to the first phase of
    /// the next step.
    pub(super) fn place(&self, seat: u8) -> Place {
        let phase = self.step.as_ref().map_or(0, |step| step.phase);
        Place { epoch: self.log.epoch(), seq: self.log.len(), phase, seat }
    }

    /// Makes, stores and sends what this seat owes to the phase under way, if it needs no decision of its
    /// player or the player has decided. Returns whether something was given. Breaks the session if the
    /// contribution cannot be made.
    fn contribute(&mut self) -> bool {
        let Some(seat) = self.me.as_ref().map(|me| me.seat) else { return false };
        let given = self.step.as_ref().is_some_and(|step| step.has_given(seat));
        let Some(duty) = self.duty(seat).filter(|_| !given).cloned() else { return false };
        if duty.act {
            return self.act();
        }
        match self.make(&duty) {
            Ok((signed, made)) => {
                self.hook.note_duty(&duty);
                self.give(signed, made, None);
                true
            }
            Err(e) => {
                self.broken(format!("what this seat owes cannot be made: {e}"));
                false
            }
        }
    }

    /// Stores, accepts and sends a contribution of this seat, in this order. `made` is what it brings and,
    /// for an action, `acted` what it does. Debug builds check the contribution like one of another seat, and
    /// break the session if it is wrong.
    #[inline(never)]
    pub(super) fn give(&mut self, signed: Signed, made: Verified, acted: Option<Acted>) {
        let message = Message::Step(signed.clone());
        self.persist_message(&message);
        let given = if cfg!(debug_assertions) { self.check(&signed) } else { Ok((made, acted)) };
        match given {
            Ok((verified, acted)) => {
                self.add(signed, verified, acted);
                self.send(Recipient::All, &message);
            }
            Err(e) => self.broken(format!("this seat's own contribution does not verify: {e}")),
        }
    }

    /// Signs a contribution of this seat to the phase under way, whose identifier is `phase`; `None` for a
    /// spectator. It must be stored before it is sent.
    pub(super) fn sign(&self, anchor: Anchor, phase: &PhaseId, payload: Vec<u8>) -> Option<Signed> {
        let me = self.me.as_ref()?;
        let place = self.place(me.seat);
        let signature = me.session.sign(&content(phase, place, &payload)).into();
        Some(Signed { place, anchor, payload, signature })
    }

    /// Makes this seat's contribution and returns it, signed, with what it brings. Advances this peer's
    /// randomness and may prepare the lock; stores and sends nothing.
    ///
    /// # Errors
    ///
    /// Fails if a ciphertext, a key or a secret that it needs is missing.
    #[inline(never)]
    fn make(&mut self, duty: &Duty) -> Result<(Signed, Verified), OperationError> {
        let lock = self.step.as_ref().and_then(|step| step.plan.mix.as_ref()).map(|mix| mix.lock);
        let lock = lock.filter(|_| duty.mix).map(|lock| self.lock(lock)).transpose()?;
        let mut draw = std::mem::take(&mut self.draw);
        let made = self.make_with(duty, &mut draw, lock);
        self.draw = draw;
        made
    }

    /// Makes this seat's contribution with the given randomness and joint lock, which is needed for a shuffle
    /// only. Changes nothing but `draw`.
    ///
    /// # Errors
    ///
    /// Fails if a ciphertext, a key or a secret that it needs is missing, or this is a spectator.
    fn make_with(
        &self,
        duty: &Duty,
        draw: &mut super::Draw,
        lock: Option<std::sync::Arc<fair::PreparedLock>>,
    ) -> Result<(Signed, Verified), OperationError> {
        let (Some(step), Some(me)) = (&self.step, &self.me) else { return Err(OperationError::Empty) };
        let id = Self::phase_id(step).ok_or(OperationError::OtherPhase)?;
        let desk = self.desk(step, id)?;
        let order = self.own_order(step, &desk.phase);
        let (made, payload) =
            desk.make(duty, &me.secrets, order.as_deref(), &mut || draw.entropy(), &mut |_| {
                lock.clone().ok_or(OperationError::Empty)
            })?;
        let signed = self.sign(Anchor::Phase(id.0), &id, payload).ok_or(OperationError::Empty)?;
        Ok((signed, made))
    }

    /// Returns the identifier of the last phase of a step in which a seat shuffles the pile; `None` if the step
    /// has no such phase, or its header is missing. All contributions to earlier phases must be there: this is
    /// not checked.
    pub(super) fn mixing_phase(step: &LogStep) -> Option<PhaseId> {
        let mixes = |due: &crate::plan::Due| due.iter().any(|(_, duty)| duty.mix);
        let phase = step.plan.phases.iter().rposition(mixes)? as u8;
        let earlier = step.got.iter().filter(|(m, _)| m.place.phase < phase).map(|(_, hash)| hash);
        Some(crate::hash::phase_id(step.id.as_ref()?, phase, earlier))
    }

    /// Returns the secret order of this seat's own rearrangement, derived for this phase; `None` in all other
    /// steps and for a spectator.
    pub(super) fn own_order(&self, step: &LogStep, phase: &Phase) -> Option<Vec<u32>> {
        let me =
            self.me.as_ref().filter(|me| step.plan.kind == kind::REARRANGE && step.plan.actor == me.seat)?;
        Some(secret_order(&me.secrets, phase, step.plan.mix.as_ref()?.tokens.len()))
    }

    /// Returns the data for making and checking contributions to the phase `id` of a step.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if not all keys have arrived.
    pub(super) fn desk<'a>(&'a self, step: &'a LogStep, id: PhaseId) -> Result<Desk<'a>, OperationError> {
        let roll = self.takeover.open_roll.as_ref().map_or(id, |open| open.phase);
        Ok(Desk {
            phase: Phase { game: self.id, id },
            roll: Phase { game: self.id, id: roll },
            roster: self.opening.roster.as_ref().ok_or(OperationError::Empty)?,
            cards: &self.state.cards,
            rules: &*self.state.rules,
            work: &step.work,
            mix: step.plan.mix.as_ref(),
            audit: self.descriptor.audit,
            held: &self.opening.held,
        })
    }

    /// Returns whether all contributions to the phase under way have been accepted; `false` between steps.
    fn phase_is_complete(&self) -> bool {
        let Some(step) = &self.step else { return false };
        let due = step.plan.phases.get(usize::from(step.phase)).map_or(0, Vec::len);
        step.verified.len() == due
    }

    /// Ends all phases of the step under way to which every contribution has been accepted, and after the last
    /// one closes the step and applies its event. Begins no further step and contributes nothing. Stops when the
    /// game is over.
    pub(super) fn end_complete_phases(&mut self) {
        while !self.is_over() && self.phase_is_complete() {
            self.end_phase();
        }
    }

    /// Combines the contributions to the phase under way in the order of the seats. Then the next phase
    /// begins, or after the last one the step is closed and its event applied; both restart all timeouts.
    /// Verifies pending shuffles where that is due; a wrong one convicts its author and sets the step back
    /// instead. Call it only if the phase is complete. Does nothing between steps. Breaks the session if the
    /// contributions do not fit together, which is a bug.
    #[inline(never)]
    fn end_phase(&mut self) {
        let Some(step) = &mut self.step else { return };
        sort_by_key(&mut step.got, |(message, _)| message.place);
        let mut verified = std::mem::take(&mut step.verified);
        sort_by_key(&mut verified, |(seat, _)| *seat);
        for (seat, verified) in verified {
            if let Err(e) = step.work.add(&self.state.cards, seat, verified) {
                self.broken(e.to_string());
                return;
            }
        }
        if !self.verify_shuffles_in_time() {
            return;
        }
        let Some(step) = &mut self.step else { return };
        if usize::from(step.phase) + 1 < step.plan.phases.len() {
            step.phase += 1;
            if let Err(e) = self.name_dice_of_departed() {
                self.broken(e.to_string());
                return;
            }
            self.progressed();
            return;
        }
        if let Err(e) = self.close_step() {
            self.broken(e);
        }
    }

    /// Applies the step under way to the state and appends it to the log. An event is counted, becomes an entry
    /// of the record and is emitted as `Applied`; a takeover sets up the bots instead; the end of the game emits
    /// `Over`. Restarts all timeouts, and forgets votes and rejections about steps that are closed now. No step
    /// is under way afterwards. Does nothing between steps. All phases must be complete.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the contributions do not yield an event that the rules accept. All of them
    /// were checked, so this is a bug. The step is lost and the state may be partly changed: the caller must
    /// stop the session.
    #[inline(never)]
    fn close_step(&mut self) -> Result<(), String> {
        let Some(mut step) = self.step.take() else { return Ok(()) };
        let id = step.id.ok_or("a step without a header")?;
        let over = step.plan.kind == kind::OVER;
        let departed = step.plan.kind == kind::DEPART;
        if departed {
            self.complete_takeover(&step)?;
        } else if !over {
            self.apply_event(&mut step)?;
            self.takeover.open_roll = None;
        }
        if matches!(step.plan.kind, kind::ROLL | kind::PICK | kind::CAST) {
            self.trust.rolls += 1;
        }
        self.state.cards.follow_public(&*self.state.rules);
        let link = closing_link(&id, step.got.iter().map(|(_, hash)| hash));
        self.log.close(link, step.got.into_iter().map(|(message, _)| message).collect());
        self.progressed();
        let guilty = self.electorate().guilty();
        self.absence.forget_closed_steps(&self.log, guilty);
        if over {
            self.finish(Ending::Played);
        }
        if over || departed {
            return Ok(());
        }
        self.trust.events += 1;
        self.log.entries.extend(self.state.rules.last_entry(self.log.entries.len() as u32 + 1));
        if self.state.rules.actor().map(|seat| seat.0) != self.seat() {
            self.turn.pledged.clear();
        }
        if !self.storage.is_restoring()
            && let Some(entry) = self.log.entries.last()
        {
            let (n, entry) = (self.log.len(), Box::new(entry.clone()));
            let log = self.state.rules.last_log(self.observer());
            let position = AppliedPosition::new(self.state.rules.clone_box());
            self.emit(SessionEvent::Applied { n, entry, log, position });
        }
        Ok(())
    }

    /// Applies the event of a step (not a takeover or the end) to the position of this peer, to its ciphertexts,
    /// and to the positions of the seats that bots play. The event is the accepted action, the action that is
    /// chosen here for a bot, or what chance and the contributions yield. Takes the action out of `step`. If it
    /// is this seat's, forgets it as the pending one, and keeps its secret choice, if any, for a rewind.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the rules reject it or a ciphertext does not open. The state may be partly
    /// changed then.
    fn apply_event(&mut self, step: &mut LogStep) -> Result<(), String> {
        let node = self.state.rules.node();
        let (line, private) = if let Some(acted) = step.acted.take() {
            self.state.rules = acted.next;
            if let Some((t, minted)) = acted.slip {
                self.state.cards.lay(t, &minted).map_err(|e| e.to_string())?;
            }
            if Some(step.plan.actor) == self.seat()
                && let Some(mine) = self.turn.made.take()
                && acted.slip.is_some()
            {
                self.log.sealed.insert(self.log.len(), mine);
            }
            (acted.line, None)
        } else if let Node::Decide(seat) | Node::Declare(seat) = node {
            let (line, private) = self.bot_acts(step, seat.0)?;
            (line, Some((seat.0, private)))
        } else {
            let line = self.take_chance_event(step).map_err(|e| e.to_string())?;
            let claims = self.state.rules.follow_line(&line).map_err(|e| e.to_string())?;
            if !claims.is_empty() {
                return Err("an event that nobody chose makes claims".into());
            }
            (line, None)
        };
        self.update_bots(node, &line, private)
    }
}
