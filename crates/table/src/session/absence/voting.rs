//! Absence votes in a session: timeouts fire, statements are signed, heard and answered, and a settled proposal is acted
//! on. The rules themselves are in the parent module.

use super::super::{PeerSession, Recipient, SessionEvent};
use super::patience::Clock;
use super::{Answer, Electorate, NO_ROUND, RoundTimer};
use crate::record::{DropVote, Ending};
use crate::wire::{DropProposal, Lateness, Message, SignedStatement, Statement};
use pentarchy_engine::{Seat, SeatSet};

impl PeerSession {
    /// Returns what the rules of the absence votes read of this session: the descriptor, this peer's seat, the log, the
    /// proved cheaters, and how the game ended.
    pub(in crate::session) fn electorate(&self) -> Electorate<'_> {
        Electorate {
            descriptor: &self.descriptor,
            me: self.seat(),
            log: &self.log,
            misconduct: &self.misconduct,
            ending: self.status.ending,
        }
    }

    /// Returns the time since the timer of the round was restarted (see [`RoundTimer`]), and the time limit.
    fn round_timer(&self) -> RoundTimer {
        RoundTimer { elapsed: self.sync.now - self.sync.progress_at, limit: self.descriptor.stall_ms.into() }
    }

    /// Returns the current time, the time at which the timeouts were last restarted, and the time limit.
    fn clock(&self) -> Clock {
        let (now, progress_at) = (self.sync.now, self.sync.progress_at);
        Clock { now, progress_at, limit: self.descriptor.stall_ms.into() }
    }

    /// Returns whether this machine is bound by its vote to drop seats, which is neither settled nor rejected: until
    /// then it must not accept or sign contributions that extend the log.
    pub(in crate::session) fn is_frozen(&self) -> bool {
        !self.absence.statements.is_empty() && self.absence.is_frozen(&self.electorate())
    }

    /// Returns the live seats that vote and hold shares of the keys of others: one for each machine, that of its
    /// person.
    pub(in crate::session) fn voters(&self) -> SeatSet {
        self.electorate().voters()
    }

    /// Signs a statement of this seat, stores it and sends it to all; no effect for a spectator and while a stored
    /// session is read. Kept among the votes, unless it is chat or a sign of activity.
    pub(in crate::session) fn broadcast(&mut self, statement: Statement) {
        let Some(me) = self.me.as_ref().filter(|_| !self.storage.is_restoring()) else { return };
        let signature = me.session.sign(&SignedStatement::content(&self.id, me.seat, &statement)).into();
        let signed = SignedStatement { seat: me.seat, statement, signature };
        let message = Message::Statement(signed.clone());
        // Chat, too: its numbers must continue after a crash.
        self.persist_message(&message);
        let is_kept = !matches!(signed.statement, Statement::Chat { .. } | Statement::Thinking { .. });
        if is_kept && !self.absence.statements.contains(&signed) {
            self.absence.add(signed);
        }
        self.send(Recipient::All, &message);
    }

    /// Takes a statement of a seat whose signature was checked: chat is shown, a sign of activity postpones
    /// the timeout, everything else is stored and counted if there is room for it, and the votes are
    /// considered. Ignores a vote of a bot, of a seat on itself, and one of an earlier epoch that is no news
    /// to this peer. Rejects a proposal whose step this seat has passed.
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
        if self.absence.has_room(&signed, &self.electorate()) {
            self.absence.add(signed.clone());
            self.persist_message(&Message::Statement(signed));
        }
        self.consider_votes();
    }

    /// Fires timeouts if they were restarted a time limit ago or earlier: of every other live seat that is due,
    /// not thinking and not late yet. Marks the seat as late and emits `Stalled`; a voter also broadcasts a
    /// report of the seat if a phase is under way. Then considers the votes. Survivors of this machine's
    /// binding vote that have not voted count as due. During the opening nothing is reported. No effect once
    /// the game is over.
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

    /// Returns the contribution that a seat owes, as a phrase for the other players, such as `its move` or
    /// `its shuffle`. Without a duty in the phase under way it is the keys or the signature of the start.
    fn describe_debt(&self, seat: u8) -> String {
        let what = self.duty(seat).map_or("its keys or its signature of the start", |duty| {
            if duty.act {
                "its move"
            } else if duty.dice {
                "its part of a roll"
            } else if duty.mix {
                "its shuffle"
            } else if !duty.stands.is_empty() || !duty.stand_dice.is_empty() {
                "its shares of the keys of a seat that is gone"
            } else if duty.close {
                "its signature of the result"
            } else {
                "its part of a revelation"
            }
        });
        what.to_string()
    }

    /// Returns the hash by which reports of late seats name what the table waits for: the identifier of the phase under
    /// way, or the head of the log if the step begins with an action that is missing, so that its phase has no
    /// identifier yet. `None` between steps.
    pub(in crate::session) fn waiting_phase(&self) -> Option<[u8; 32]> {
        let step = self.step.as_ref()?;
        Some(Self::phase_id(step).map_or(self.log.head, |id| id.0))
    }

    /// Votes to drop seats if it is time for that, answers the votes of others, and acts on a settled proposal. A seat
    /// without a vote, and one whose stored session is being restored, only acts. A seat never votes to drop itself. No
    /// effect before the table is open and after the end.
    pub(in crate::session) fn consider_votes(&mut self) {
        if self.is_over() || !self.log.is_open() {
            return;
        }
        if self.electorate().is_voter() && !self.storage.is_restoring() {
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

    /// Signs, stores and broadcasts the vote to drop these seats and those that this machine is bound to drop,
    /// and restarts the timer, if it is time for the vote and the player at this seat has agreed. Asks the player
    /// if they have not answered.
    fn vote_to_drop(&mut self, seats: SeatSet) {
        let vote = self.absence.next_vote(seats, self.round_timer(), &self.electorate());
        if let Some(proposal) = vote
            && self.seek_consent(proposal.seats)
        {
            self.sign_vote(proposal);
            // The others get as long to vote.
            self.sync.progress_at = self.sync.now;
        }
    }

    /// Signs, stores and broadcasts a vote for a proposal, with the seats of it that this peer cannot reach.
    fn sign_vote(&mut self, proposal: DropProposal) {
        let unreachable = self.unreachable(proposal.seats);
        self.broadcast(Statement::Drop { proposal, unreachable });
    }

    /// Signs, stores and broadcasts a rejection of a proposal, unless this seat has no vote, has signed it before, or has
    /// signed too many.
    fn reject_proposal(&mut self, proposal: DropProposal) {
        if self.absence.can_reject(&proposal, &self.electorate()) {
            self.broadcast(Statement::Reject(proposal));
        }
    }

    /// Answers each proposal that has a vote, as [`Answer`] says: signs a vote for it if the player has agreed
    /// and asks the player otherwise, rejects it, or does nothing. Restarts the timer if it rejects because the
    /// round has timed out. The caller must have checked that this seat has a vote.
    fn answer_votes(&mut self) {
        let due: SeatSet = self.due().into_iter().map(Seat).collect();
        let timer = self.round_timer();
        let is_stuck = self.is_frozen() && timer.elapsed >= 2 * timer.limit;
        for proposal in self.absence.proposals().collect::<Vec<_>>() {
            match self.absence.answer(&proposal, due, is_stuck, &self.electorate()) {
                Answer::Nothing => {}
                Answer::Vote => {
                    if self.seek_consent(proposal.seats) {
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

    /// Returns whether this seat may vote to drop these seats: each is proved to have cheated, this machine
    /// is bound to drop it, or the player has agreed. Otherwise asks the player by `AskDrop`, once about each
    /// seat until the question is forgotten.
    fn seek_consent(&mut self, seats: SeatSet) -> bool {
        let electorate = self.electorate();
        let bound = self.absence.binding(&electorate).fold(SeatSet::NONE, |all, vote| all | vote.seats);
        let open = self.absence.patience.without_consent(seats - electorate.guilty() - bound);
        if open.is_empty() {
            return true;
        }
        if self.absence.patience.note_question(seats, open) {
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

    /// Rejects the proposals of others about the current step, except those against cheaters and this seat,
    /// forgets which seats are late and what the player was asked, and restarts the timeout. Called when the
    /// player wants to wait. Does nothing at a seat without a vote or with a binding vote.
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

    /// Broadcasts a sign of activity of the player and notes its time, if this peer's seat owes an action now
    /// and a quarter of the time limit has passed since its last sign or, without one since the last progress,
    /// since the timeouts were last restarted (by progress, an own vote or the wish to wait). Otherwise, for a
    /// spectator, and once the game is over, no effect.
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

    /// Notes sign of activity number `n` of a seat, unless this or a later one is known. If the seat counts as
    /// thinking then, its machine is not late any more, and questions about dropping it and the player's
    /// consent to that are void. The time of a sign that is read from the store is not known, so it does not
    /// count.
    fn take_sign_of_activity(&mut self, seat: u8, n: u32) {
        let (at, clock) = ((!self.storage.is_restoring()).then_some(self.sync.now), self.clock());
        if self.absence.patience.hear_sign(seat, n, at) && self.absence.patience.is_thinking(seat, clock) {
            let machine = self.descriptor.whole_machines(SeatSet::only(Seat(seat)));
            self.absence.late -= machine;
            self.absence.patience.withdraw(machine);
        }
    }

    /// Returns when something was last heard of what is due, in milliseconds on the clock of the ticks: the last
    /// restart of the timeouts, or a later sign of activity of a seat that is due.
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

    /// Returns how a seat is absent: `Unreachable` if its machine is reached by no path, otherwise `Silent`.
    fn lateness(&self, seat: u8) -> Lateness {
        let is_reached = self.unreachable(SeatSet::only(Seat(seat))).is_empty();
        if is_reached { Lateness::Silent } else { Lateness::Unreachable }
    }

    /// Ends the game for this peer alone, when the player stops waiting: notes the ending `Claimed` with the
    /// seats that are late, and emits `Over` with the record. If seats are late and the table is open, signs,
    /// stores and broadcasts a claim about them before. No effect once the game is over.
    pub(in crate::session) fn give_up(&mut self) {
        if !self.is_over() {
            let late = self.absence.late;
            if !late.is_empty() && self.log.is_open() {
                self.broadcast(Statement::Claim { prev: self.log.head, seats: late });
            }
            self.finish(Ending::Claimed(late));
        }
    }

    /// Returns the live seats that have given up, each with the seats that it no longer waited for, in the
    /// order in which the claims came. A claim in which a seat names itself is left out, and one after whose
    /// step its author has contributed again.
    pub(crate) fn claims(&self) -> Vec<(u8, SeatSet)> {
        let claim = |signed: &SignedStatement| {
            let Statement::Claim { prev, seats } = signed.statement else { return None };
            let at = self.log.find_link(&prev)?;
            let later = self.log.steps.iter().skip(at as usize + 1).flat_map(|step| &step.messages);
            let is_back = later.into_iter().any(|message| message.place.seat == signed.seat);
            (!is_back).then_some((signed.seat, seats))
        };
        let claims = self.absence.statements.iter().filter_map(claim);
        claims.filter(|(author, seats)| (self.log.live() - *seats).has(Seat(*author))).collect()
    }

    /// Emits `Abandoned` for each claim in force that names this seat and of which the caller does not know. A claim that
    /// is void is forgotten, and reported again if it is in force again. No effect for a spectator and once the game is
    /// over.
    pub(in crate::session) fn report_claims(&mut self) {
        let Some(me) = self.seat().map(Seat).filter(|_| !self.is_over()) else { return };
        let mut claims = self.claims();
        claims.retain(|(by, seats)| *by != me.0 && seats.has(me));
        let known = std::mem::replace(&mut self.absence.reported_claims, claims.clone());
        for (by, seats) in claims.into_iter().filter(|claim| !known.contains(claim)) {
            self.emit(SessionEvent::Abandoned { by, seats });
        }
    }

    /// Returns the votes of all seats for the proposals by which seats were dropped so far, in the order in
    /// which they came.
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

    /// Ends the game for this peer: notes the ending, removes a `Choose` from the outputs of the input under
    /// way, and emits `Over` with the record. Persists nothing. No effect if it has ended before.
    pub(in crate::session) fn finish(&mut self, ending: Ending) {
        if self.status.ending.is_none() {
            self.status.ending = Some(ending);
            self.withdraw_choice();
            let record = Box::new(self.record());
            self.emit(SessionEvent::Over(record));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recovery;
    use crate::session::testbed::Testbed;
    use crate::session::{Input, PeerNumber};

    /// Delivers a statement that this seat signs to the seats `to`.
    fn give(bed: &mut Testbed, seat: u8, statement: Statement, to: &[usize]) {
        let author = &bed.sessions[usize::from(seat)];
        let signature = author.sign_digest(&SignedStatement::content(&author.id, seat, &statement)).unwrap();
        let bytes = Message::Statement(SignedStatement { seat, statement, signature }).encode(&author.id);
        for &to in to {
            bed.handle(to, Input::Message { from: PeerNumber::from(seat), bytes: &bytes });
        }
        bed.settle();
    }

    /// Returns a vote of which the voter reaches all seats.
    fn vote(proposal: DropProposal) -> Statement {
        Statement::Drop { proposal, unreachable: SeatSet::NONE }
    }

    /// Seat 3 provokes seat 0 to sign rejections of many votes about an old step. The others keep room for what seat 0 says
    /// of seat 4, which is absent.
    #[test]
    fn votes_about_old_steps_do_not_keep_an_absent_seat_at_the_table() {
        let mut bed = Testbed::with_recovery("numeral", 5, 1, Recovery::Escrow(2));
        bed.play(30);
        bed.absent = SeatSet::only(Seat(4));
        bed.play(200);
        let (prev, seats) = (bed.sessions[0].log.link(3).unwrap(), bed.absent);
        for round in 0..100 {
            give(&mut bed, 3, vote(DropProposal { prev, epoch: 0, seq: 3, seats, round }), &[0]);
        }
        let limit = u64::from(bed.descriptor.stall_ms);
        for quarter in 1..32 {
            bed.tick(quarter * limit / 4);
            if bed.sessions[..4].iter().all(|session| session.epoch() == 1) {
                break;
            }
        }
        assert!(bed.sessions[..4].iter().all(|session| session.live() == SeatSet(0b01111)));
    }

    /// What no vote among machines prevents: after seat 4 has left, one confederate (seat 5) votes late, and the other (seat 3)
    /// votes for dropping both at one peer and rejects it at another, in this round or in all. The two peers go on without
    /// different seats. The table stands still, nobody is convicted, and what was played stays as it was.
    #[test]
    fn contradictory_votes_can_split_a_table_and_convict_nobody() {
        [0, NO_ROUND].into_iter().for_each(split_by_a_rejection);
    }

    /// Checks that the table splits when the rejection is for this round, or for all rounds.
    fn split_by_a_rejection(round: u8) {
        let mut bed = Testbed::with_recovery("numeral", 6, 1, Recovery::Escrow(2));
        bed.play(30);
        bed.absent = SeatSet(0b111000);
        bed.play(200);
        assert_eq!(bed.sessions[0].due(), [4]);
        let (phase, how) = (bed.sessions[0].waiting_phase().unwrap(), Lateness::Silent);
        let log = &bed.sessions[0].log;
        let (prev, seq, events) = (log.head, log.len(), bed.sessions[0].events());
        let proposal = |seats| DropProposal { prev, epoch: 0, seq, seats: SeatSet(seats), round: 0 };
        let (lesser, greater) = (proposal(0b010000), proposal(0b110000));
        let (limit, honest) = (u64::from(bed.descriptor.stall_ms), [0, 1, 2]);
        bed.tick(1);
        bed.tick(limit + 1);
        for seat in [3, 5] {
            give(&mut bed, seat, Statement::Late { phase, accused: 4, how }, &honest);
        }
        give(&mut bed, 3, vote(lesser), &honest);
        bed.tick(2 * limit + 2);
        give(&mut bed, 3, Statement::Late { phase, accused: 5, how }, &honest);
        (3..6).for_each(|n| bed.tick(n * limit + 10));
        let bound = |session: &PeerSession| session.absence.binding(&session.electorate()).last();
        assert!(bed.sessions[..3].iter().all(|session| bound(session) == Some(greater)));
        give(&mut bed, 3, Statement::Reject(DropProposal { round, ..greater }), &[1]);
        give(&mut bed, 5, vote(lesser), &[1]);
        give(&mut bed, 3, vote(greater), &[0]);
        (6..20).for_each(|n| bed.tick(n * limit + 100));
        assert_eq!((bed.sessions[0].live(), bed.sessions[1].live()), (SeatSet(0b001111), SeatSet(0b101111)));
        for session in &bed.sessions[..3] {
            assert!(session.trust().cheats.is_empty() && session.events() <= events + 1);
            assert_eq!(session.log.link(seq), Some(prev));
        }
    }

    /// Seat 2 lags behind when seat 3 is proved to cheat in a step that seat 2 has not reached. It votes about the step at
    /// which it is, and accepts nothing more. The others take back the steps since then, and the game goes on to its end.
    #[test]
    fn a_cheat_in_a_step_that_a_voter_has_not_reached_does_not_stop_the_table() {
        let mut bed = Testbed::with_recovery("ozymandias", 4, 1, Recovery::Escrow(2));
        let mut events = 30;
        while bed.sessions[0].due() != [0] {
            bed.play(events);
            events += 1;
        }
        bed.absent = SeatSet::only(Seat(2));
        bed.play(events + 200);
        let (ahead, behind) = (bed.sessions[0].log.len(), bed.sessions[2].log.len());
        assert!(behind < ahead, "seat 2 is behind: {behind} of {ahead}");
        bed.absent = SeatSet::only(Seat(3));
        let proof = two_faced(&bed, 3);
        for to in [2, 0, 1] {
            bed.handle(to, Input::Message { from: 3, bytes: &proof });
        }
        bed.settle();
        for session in &bed.sessions[..3] {
            assert_eq!((session.live(), session.epoch()), (SeatSet(0b0111), 1));
        }
        bed.play(u32::MAX);
        for session in &bed.sessions[..3] {
            assert_eq!((session.ending(), session.head()), (Some(Ending::Played), bed.sessions[0].head()));
            let verdict = session.record().verify(bed.game).unwrap();
            assert_eq!((verdict.ending, verdict.taken_over), (Some(Ending::Played), SeatSet(0b1000)));
        }
    }

    /// Returns the proof that a seat has signed two different messages for the step under way of seat 0.
    fn two_faced(bed: &Testbed, seat: u8) -> Vec<u8> {
        let (seq, author) = (bed.sessions[0].log.len(), &bed.sessions[usize::from(seat)]);
        let signed = |phase| match Message::decode(&author.id, &author.early(seq, phase)) {
            Ok(Message::Step(signed)) => signed,
            other => panic!("{other:?}"),
        };
        let (one, mut two) = (signed(1), signed(1));
        two.payload.push(1);
        author.resign(&mut two);
        Message::Proof(vec![one, two]).encode(&author.id)
    }

    /// What no vote among machines prevents either: seats 4 and 5 are proved to have cheated, and a third confederate (seat 3)
    /// votes to drop both at two peers, but only seat 4 at another, where it rejects dropping both in all rounds. The peers
    /// go on without different seats. The table stands still, and what was played stays as it was. The votes of seat 3
    /// convict it of nothing: an honest voter may reject in all rounds what it has voted for, when it acts on a lesser
    /// proposal.
    #[test]
    fn a_rejection_in_all_rounds_can_split_a_table_with_two_proved_cheaters() {
        let mut bed = Testbed::with_recovery("numeral", 6, 1, Recovery::Escrow(2));
        bed.play(30);
        bed.absent = SeatSet(0b111000);
        bed.play(200);
        let log = &bed.sessions[0].log;
        let (prev, seq, events) = (log.head, log.len(), bed.sessions[0].events());
        let proposal = |seats| DropProposal { prev, epoch: 0, seq, seats: SeatSet(seats), round: 0 };
        let (lesser, greater) = (proposal(0b010000), proposal(0b110000));
        bed.tick(1);
        for seat in [4, 5] {
            let proof = two_faced(&bed, seat);
            (0..3).for_each(|to| bed.handle(to, Input::Message { from: 3, bytes: &proof }));
            bed.settle();
        }
        let bound = |session: &PeerSession| session.absence.binding(&session.electorate()).last();
        assert!(bed.sessions[..3].iter().all(|session| bound(session) == Some(greater)));
        for seat in [3, 5] {
            give(&mut bed, seat, vote(lesser), &[1]);
        }
        give(&mut bed, 3, Statement::Reject(greater), &[1]);
        assert_eq!(bound(&bed.sessions[1]), Some(greater), "a rejection of one round does not count");
        give(&mut bed, 3, Statement::Reject(DropProposal { round: NO_ROUND, ..greater }), &[1]);
        give(&mut bed, 3, vote(greater), &[0]);
        let limit = u64::from(bed.descriptor.stall_ms);
        (1..20).for_each(|n| bed.tick(n * limit + 100));
        let live = |seat: usize| bed.sessions[seat].live();
        assert_eq!([live(0), live(1), live(2)], [0b001111, 0b101111, 0b001111].map(SeatSet));
        for session in &bed.sessions[..3] {
            assert_eq!(session.trust().cheats, [4, 5]);
            assert!(session.events() <= events + 1 && !session.is_over());
            assert_eq!(session.log.link(seq), Some(prev));
        }
    }
}
