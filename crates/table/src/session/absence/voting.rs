//! Absence votes in a session: timeouts fire, statements are signed, heard and answered, and a settled proposal is acted
//! on. The rules themselves are in the parent module.

use super::super::{PeerSession, Recipient, SessionEvent};
use super::patience::Clock;
use super::{Answer, Electorate, NO_ROUND, RoundTimer};
use crate::record::{DropVote, Ending};
use crate::wire::{DropProposal, Lateness, Message, SignedStatement, Statement};
use pentarchy_engine::{Seat, SeatSet};

impl PeerSession {
    /// Returns who votes, and where the log stands.
    pub(in crate::session) fn electorate(&self) -> Electorate<'_> {
        Electorate {
            descriptor: &self.descriptor,
            me: self.seat(),
            log: &self.log,
            misconduct: &self.misconduct,
            ending: self.status.ending,
        }
    }

    /// Returns the time since the last progress, and the time limit.
    fn round_timer(&self) -> RoundTimer {
        RoundTimer { elapsed: self.sync.now - self.sync.progress_at, limit: self.descriptor.stall_ms.into() }
    }

    /// Returns the current time, the time of the last progress, and the time limit.
    fn clock(&self) -> Clock {
        let (now, progress_at) = (self.sync.now, self.sync.progress_at);
        Clock { now, progress_at, limit: self.descriptor.stall_ms.into() }
    }

    /// Returns whether this machine has a binding vote: the log must not be extended.
    pub(in crate::session) fn is_frozen(&self) -> bool {
        !self.absence.statements.is_empty() && self.absence.is_frozen(&self.electorate())
    }

    /// Returns the live seats that vote and hold shares of the keys of others.
    pub(in crate::session) fn voters(&self) -> SeatSet {
        self.electorate().voters()
    }

    /// Signs a statement of this seat, stores it and sends it to all; no effect for a spectator and while a stored
    /// session is read. Kept among the votes, unless it is chat or a sign of activity.
    pub(in crate::session) fn broadcast(&mut self, statement: Statement) {
        let Some(me) = self.me.as_ref().filter(|_| !self.storage.restoring) else { return };
        let signature = me.session.sign(&SignedStatement::content(&self.id, me.seat, &statement)).into();
        let signed = SignedStatement { seat: me.seat, statement, signature };
        let message = Message::Statement(signed.clone());
        // Chat, too: its numbers must continue after a crash.
        self.persist_message(&message);
        let is_kept = !matches!(signed.statement, Statement::Chat { .. } | Statement::Thinking { .. });
        if is_kept && !self.absence.statements.contains(&signed) {
            self.absence.statements.push(signed);
        }
        self.send(Recipient::All, &message);
    }

    /// Takes a statement of a seat whose signature was checked: chat is shown, a sign of activity postpones the timeout,
    /// everything else is stored and counted.
    pub(in crate::session) fn take_statement(&mut self, signed: SignedStatement) {
        match &signed.statement {
            Statement::Chat { n, text } => return self.take_chat(signed.seat, *n, text),
            Statement::Thinking { n, .. } => return self.take_sign_of_activity(signed.seat, *n),
            Statement::DropV1(proposal) | Statement::Drop { proposal, .. } => {
                let proposal = *proposal;
                // No seat can vote on itself, and bots have no vote.
                let author = Seat(signed.seat);
                if proposal.seats.has(author) || !self.descriptor.voters().has(author) {
                    return;
                }
                let electorate = self.electorate();
                if self.absence.is_past(&proposal, &electorate) {
                    let (is_final, is_guilty) = (
                        electorate.has_acted_otherwise(&proposal),
                        proposal.seats.meets(electorate.guilty()),
                    );
                    if is_final {
                        self.reject_proposal(DropProposal { round: NO_ROUND, ..proposal });
                    }
                    if !is_guilty {
                        self.reject_proposal(proposal);
                    }
                }
                // Earlier epochs are settled. A seat that was dropped may not know it yet, and a spectator may have acted
                // on votes that the survivors had superseded.
                let electorate = self.electorate();
                let is_news = proposal.seats.meets(electorate.own_seat())
                    || electorate.superseded_end(&proposal).is_some();
                if proposal.epoch < self.log.epoch() && !is_news {
                    return;
                }
            }
            Statement::Claim { .. }
            | Statement::LateV1 { .. }
            | Statement::Late { .. }
            | Statement::Reject(_) => {}
        }
        if self.absence.add(signed.clone()) {
            self.persist_message(&Message::Statement(signed));
        }
        self.consider_votes();
    }

    /// Fires the timeout of every seat that is due for longer than the time limit and is not thinking: the player is
    /// notified, and a voter reports the seat to all. Seats that owe a vote count as due.
    pub(in crate::session) fn check_timeouts(&mut self) {
        let timer = self.round_timer();
        if self.is_over() || timer.elapsed < timer.limit {
            return;
        }
        let electorate = self.electorate();
        let (missing, is_voter) = (self.absence.missing_votes(&electorate), electorate.is_voter());
        let mut due = self.due();
        due.extend(missing.iter().map(|seat| seat.0));
        let (clock, phase) = (self.clock(), self.waiting_phase());
        let is_late = |&seat: &u8| {
            Some(seat) != self.seat()
                && (!self.log.is_open() || self.log.live().has(Seat(seat)))
                && !self.absence.patience.is_thinking(seat, clock)
                && !self.absence.late.has(Seat(seat))
        };
        due.retain(is_late);
        for seat in due {
            if self.absence.late.has(Seat(seat)) {
                continue;
            }
            self.absence.late.insert(Seat(seat));
            let (owes, how) = (self.describe_debt(seat), self.lateness(seat));
            self.emit(SessionEvent::Stalled { seat, owes, how });
            if let Some(phase) = phase.filter(|_| is_voter) {
                self.broadcast(Statement::Late { phase, accused: seat, how });
            }
        }
        self.consider_votes();
    }

    /// Describes the contribution that a seat owes, for the other players.
    fn describe_debt(&self, seat: u8) -> String {
        let what = self.duty(seat).map_or("its keys or its signature of the start", |duty| {
            if duty.act {
                "its move"
            } else if duty.dice {
                "its part of a roll"
            } else if duty.mix {
                "its shuffle"
            } else if !duty.stands.is_empty() {
                "its shares of the keys of a seat that is gone"
            } else if duty.close {
                "its signature of the result"
            } else {
                "its part of a revelation"
            }
        });
        what.to_string()
    }

    /// Returns the phase with which a late seat is late; the link to the step before if the header of the step, and with
    /// it the phase, is what is missing. `None` between steps.
    pub(in crate::session) fn waiting_phase(&self) -> Option<[u8; 32]> {
        let step = self.step.as_ref()?;
        Some(Self::phase_id(step).map_or(self.log.head, |id| id.0))
    }

    /// Votes, answers the votes of others, and acts on a settled proposal; no effect before the table is open and after
    /// the end.
    pub(in crate::session) fn consider_votes(&mut self) {
        if self.is_over() || !self.log.is_open() {
            return;
        }
        if self.electorate().is_voter() && !self.storage.restoring {
            let seats =
                self.absence.seats_to_drop(self.waiting_phase(), self.round_timer(), &self.electorate());
            if !seats.is_empty() && self.seat().is_none_or(|seat| !seats.has(Seat(seat))) {
                self.vote_to_drop(seats);
            }
            self.answer_votes();
        }
        if let Some(proposal) = self.absence.settled(&self.electorate()) {
            self.act_on(proposal);
        }
    }

    /// Signs the vote to drop these seats, if it is time for it and the player at this seat has agreed.
    fn vote_to_drop(&mut self, seats: SeatSet) {
        let vote = self.absence.next_vote(seats, self.round_timer(), &self.electorate());
        if let Some(proposal) = vote
            && self.has_consent(proposal.seats)
        {
            self.sign_vote(proposal);
            // The others get as long to vote.
            self.sync.progress_at = self.sync.now;
        }
    }

    /// Signs and broadcasts a vote for a proposal, with the seats of it that this peer cannot reach.
    fn sign_vote(&mut self, proposal: DropProposal) {
        let unreachable = self.unreachable(proposal.seats);
        self.broadcast(Statement::Drop { proposal, unreachable });
    }

    /// Signs a rejection of a proposal, unless this seat has no vote, has signed it before, or has signed too many.
    fn reject_proposal(&mut self, proposal: DropProposal) {
        if self.absence.can_reject(&proposal, &self.electorate()) {
            self.broadcast(Statement::Reject(proposal));
        }
    }

    /// Answers each proposal that has a vote: joins it, rejects it, or does nothing.
    fn answer_votes(&mut self) {
        let due: SeatSet = self.due().into_iter().map(Seat).collect();
        let timer = self.round_timer();
        let is_stuck = self.is_frozen() && timer.elapsed >= 2 * timer.limit;
        for proposal in self.absence.proposals().collect::<Vec<_>>() {
            match self.absence.answer(&proposal, due, is_stuck, &self.electorate()) {
                Answer::Nothing => {}
                Answer::Vote => {
                    if self.has_consent(proposal.seats) {
                        self.sign_vote(proposal);
                    }
                }
                Answer::Reject => self.reject_proposal(proposal),
                Answer::RejectAfterTimeout => {
                    self.reject_proposal(proposal);
                    self.sync.progress_at = self.sync.now;
                }
            }
        }
    }

    /// Returns whether this seat may vote to drop these seats: each is proved to have cheated, this machine is bound to
    /// drop it, or the player has agreed. Otherwise the player is asked, once.
    fn has_consent(&mut self, seats: SeatSet) -> bool {
        let electorate = self.electorate();
        let bound = self.absence.binding(&electorate).fold(SeatSet::NONE, |all, vote| all | vote.seats);
        let open = self.absence.patience.without_consent(seats - electorate.guilty() - bound);
        if open.is_empty() {
            return true;
        }
        if self.absence.patience.ask(seats, open) {
            let unreachable = self.unreachable(seats);
            self.emit(SessionEvent::AskDrop { seats, unreachable });
        }
        false
    }

    /// Records that the player at this seat agrees to drop these seats, as far as they were asked about them,
    /// and considers the votes. Has no effect on seats that were heard of again since, nor at a seat without a
    /// vote.
    pub(in crate::session) fn agree_to_drop(&mut self, seats: SeatSet) {
        if self.electorate().is_voter() {
            self.absence.patience.agree(self.descriptor.whole_machines(seats & self.log.live()));
            self.consider_votes();
        }
    }

    /// Rejects the proposals of others about the current step, except those against cheaters and this seat, and
    /// restarts the timeout. Called when the player wants to wait. Does nothing at a seat without a vote or
    /// with a binding vote.
    pub(in crate::session) fn wait_longer(&mut self) {
        let electorate = self.electorate();
        if !electorate.is_voter() || self.is_frozen() {
            return;
        }
        let exempt = electorate.guilty() | electorate.own_seat();
        let is_open = |p: &DropProposal| electorate.is_current(p) && !p.seats.meets(exempt);
        let open: Vec<_> = self.absence.proposals().filter(is_open).collect();
        open.into_iter().for_each(|proposal| self.reject_proposal(proposal));
        self.absence.patience.forget_answers();
        self.absence.late = SeatSet::NONE;
        self.sync.progress_at = self.sync.now;
    }

    /// Broadcasts a sign of activity of the player, if the seat owes an action and the last sign is old enough.
    pub(in crate::session) fn show_activity(&mut self) {
        let Some(seat) = self.seat().filter(|&seat| self.duty(seat).is_some_and(|duty| duty.act)) else {
            return;
        };
        let (Some(phase), false) = (self.waiting_phase(), self.is_over()) else { return };
        if !self.due().contains(&seat) {
            return;
        }
        let clock = self.clock();
        if let Some(n) = self.absence.patience.next_sign(seat, clock) {
            self.broadcast(Statement::Thinking { phase, n });
        }
    }

    /// Takes a sign of activity of another seat: its machine is not late, and questions about dropping it are void.
    fn take_sign_of_activity(&mut self, seat: u8, n: u32) {
        let (at, clock) = ((!self.storage.restoring).then_some(self.sync.now), self.clock());
        if self.absence.patience.hear_sign(seat, n, at) && self.absence.patience.is_thinking(seat, clock) {
            let machine = self.descriptor.whole_machines(SeatSet::only(Seat(seat)));
            self.absence.late -= machine;
            self.absence.patience.withdraw(machine);
        }
    }

    /// Returns when something was last heard of what is due: the last progress, or a later sign of activity of a seat
    /// that is due.
    pub(in crate::session) fn heard_at(&self) -> u64 {
        let (due, clock) = (self.due(), self.clock());
        let active = due.iter().filter_map(|&seat| self.absence.patience.active_at(seat, clock));
        active.fold(self.sync.progress_at, u64::max)
    }

    /// Notes whether the machine of a seat is reached; no effect for a seat that the table does not have.
    pub(in crate::session) fn set_reachable(&mut self, seat: u8, reachable: bool) {
        if seat < self.descriptor.seats().min(8) {
            self.absence.patience.set_reachable(Seat(seat), reachable);
        }
    }

    /// Returns those of these seats whose machines are reached by no path.
    fn unreachable(&self, seats: SeatSet) -> SeatSet {
        seats & self.descriptor.whole_machines(self.absence.patience.unreachable())
    }

    /// Returns how a seat is absent.
    fn lateness(&self, seat: u8) -> Lateness {
        let is_reached = self.unreachable(SeatSet::only(Seat(seat))).is_empty();
        if is_reached { Lateness::Silent } else { Lateness::Unreachable }
    }

    /// Ends the game for this peer alone, when the player stops waiting. If seats are late, broadcasts a claim
    /// about them.
    pub(in crate::session) fn give_up(&mut self) {
        if !self.is_over() {
            let late = self.absence.late;
            if !late.is_empty() && self.log.is_open() {
                self.broadcast(Statement::Claim { prev: self.log.head, seats: late });
            }
            self.finish(Ending::Claimed(late));
        }
    }

    /// Returns the live seats that have given up at the end of this log, each with the seats that it no longer waited for.
    pub fn claims(&self) -> Vec<(u8, SeatSet)> {
        let claim = |signed: &SignedStatement| match signed.statement {
            Statement::Claim { prev, seats } if prev == self.log.head => Some((signed.seat, seats)),
            _ => None,
        };
        let claims = self.absence.statements.iter().filter_map(claim);
        claims.filter(|(author, seats)| (self.log.live() - *seats).has(Seat(*author))).collect()
    }

    /// Returns the votes of all seats for the proposals by which seats were dropped so far.
    pub(crate) fn drop_votes(&self) -> Vec<DropVote> {
        let vote = |signed: &SignedStatement| {
            let proposal = signed.statement.vote()?;
            let unreachable = match signed.statement {
                Statement::Drop { unreachable, .. } => unreachable & proposal.seats,
                _ => SeatSet::NONE,
            };
            let settled = self.log.end_of(proposal.epoch).is_some_and(|end| end.seats == proposal.seats)
                || self.status.ending == Some(Ending::Dropped(proposal.seats));
            settled.then_some(DropVote { by: signed.seat, seats: proposal.seats, unreachable })
        };
        self.absence.statements.iter().filter_map(vote).collect()
    }

    /// Ends the game for this peer and hands out the record; no effect if it has ended before.
    pub(in crate::session) fn finish(&mut self, ending: Ending) {
        if self.status.ending.is_none() {
            self.status.ending = Some(ending);
            self.withdraw_choice();
            let record = Box::new(self.record());
            self.emit(SessionEvent::Over(record));
        }
    }
}
