//! Acting on a settled proposal: the survivors rewind their logs to its step, and a new epoch begins.

use super::super::log::{ClosedStep, SeatDrop};
use super::super::{PeerSession, SessionEvent, TableState};
use crate::record::Ending;
use crate::wire::{DropProposal, Signed};
use pentarchy_engine::{Seat, SeatSet};
use pentarchy_fair::PhaseId;

/// A roll that was open when seats were dropped. It is completed under its old phase, so that leaving a table does not
/// change the result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::session) struct OpenRoll {
    pub(in crate::session) phase: PhaseId,
    /// The seats that owe a value to it.
    pub(in crate::session) seats: SeatSet,
}

impl PeerSession {
    /// Acts on a settled proposal. If it drops this peer's seat, emits `Replaced` and ends the game for this peer.
    /// Otherwise, at a table without takeover, ends the game. With takeover rewinds the log to the step of the proposal
    /// (and then emits `Rewound`), and begins the next epoch if the others can continue without the seats; if they
    /// cannot, ends the game. A proposal of an earlier epoch voids all epochs after it. Forgets all statements and kept
    /// contributions that the proposal makes void. Breaks the session if the log cannot be rewound.
    pub(super) fn act_on(&mut self, settled: DropProposal) {
        let DropProposal { epoch, seq, seats, .. } = settled;
        self.absence.keep_settled(&settled, self.me.is_none());
        if let Some(seat) = self.seat().filter(|&seat| seats.has(Seat(seat))) {
            self.emit(SessionEvent::Replaced { seat });
            return self.finish(Ending::Dropped(seats));
        }
        if self.descriptor.threshold().is_none() {
            return self.finish(Ending::Dropped(seats));
        }
        if seq < self.log.len() || epoch < self.log.epoch() {
            if let Err(why) = self.rewind(seq, epoch) {
                return self.broken(format!("the log cannot be taken back: {why}"));
            }
            self.emit(SessionEvent::Rewound { to: self.log.entries.len() as u32 });
        }
        if !self.can_go_on(seats) {
            return self.finish(Ending::Dropped(seats));
        }
        self.begin_epoch(seats);
        self.sync.pending.retain_after(epoch);
    }

    /// Returns the roll that is open now, or was open when the seats were dropped whose takeover is under
    /// way. Begins the next step if there is none. `None` if no roll is open or the step cannot be planned,
    /// and always in version 1, which rolled again.
    pub(in crate::session) fn find_open_roll(&mut self) -> Option<OpenRoll> {
        if self.descriptor.version < 2
            || self.takeover.open_roll.is_some()
            || self.takeover.departing.is_some()
        {
            return self.takeover.open_roll;
        }
        if self.step.is_none() && !self.begin() {
            return None;
        }
        let step = self.step.as_ref().filter(|step| step.plan.is_roll())?;
        Some(OpenRoll { phase: Self::phase_id(step)?, seats: self.log.live() })
    }

    /// Begins an epoch without these seats at the step under way. Its first step is their takeover, together
    /// with the seats of an unfinished one. Then the roll that was open is completed; in version 1 it is
    /// rolled again. Drops the step under way, this player's choice for it and a request for that choice in
    /// the outputs. Forgets which seats are late, the reports of them, and what the player was asked about
    /// them. Restarts all timeouts. Breaks the session if no step is under way and the next one, which may be
    /// a roll, cannot be planned. The caller must have rewound the log to the step of the proposal and checked
    /// that the others can continue ([`Self::can_go_on`]).
    fn begin_epoch(&mut self, seats: SeatSet) {
        self.takeover.open_roll = self.find_open_roll();
        self.log.begin_epoch(seats);
        // A further proposal may be settled before the takeover of the last one is complete.
        self.takeover.departing = Some(seats | self.takeover.departing.unwrap_or_default());
        self.step = None;
        self.turn.reset();
        self.withdraw_choice();
        self.absence.late = SeatSet::NONE;
        self.progressed();
    }

    /// Rewinds the log to step `to` of this epoch by replaying everything before it. The ends of this and of
    /// later epochs are void, and the sealed choices of later steps are forgotten. Statements, kept
    /// contributions and the counters of signatures and proofs stay, also if it fails.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be replayed, or has no such step in this epoch. The log and the position are
    /// not usable then: the caller must stop the session.
    fn rewind(&mut self, to: u32, epoch: u16) -> Result<(), String> {
        let (trust, was_stopped) = (self.trust.clone(), self.status.stopped);
        let statements = std::mem::take(&mut self.absence.statements);
        let pending = std::mem::take(&mut self.sync.pending);
        let (steps, mut drops) = self.log.rewind_to_start();
        drops.truncate(usize::from(epoch));
        self.storage.snapshots.forget_base();
        let mut replayed = self.without_outputs(|session| session.replay_log(steps, drops, to));
        // A session that breaks during the replay reports nothing. The caller reports the error instead.
        if std::mem::replace(&mut self.status.stopped, was_stopped) && !was_stopped {
            replayed = replayed.and(Err("a step cannot be closed".into()));
        }
        self.turn.made = None;
        self.sync.pending = pending;
        let events = self.trust.events - trust.events;
        self.trust = crate::trust::Trust { events, ..trust };
        self.absence.statements = statements;
        replayed?;
        if (self.log.len(), self.log.epoch()) == (to, epoch) {
            Ok(())
        } else {
            let (len, found) = (self.log.len(), self.log.epoch());
            Err(format!("step {len} of epoch {found} was found instead of step {to} of epoch {epoch}"))
        }
    }

    /// Replays the steps before step `to`, with these drops of seats, from the start of the game. Forgets the
    /// sealed choices of later steps. The log must be empty; call it without outputs.
    ///
    /// # Errors
    ///
    /// Fails if the position of the start cannot be created, or a step cannot be replayed. The session is left
    /// at the step before.
    fn replay_log(&mut self, steps: Vec<ClosedStep>, drops: Vec<SeatDrop>, to: u32) -> Result<(), String> {
        let start = self.descriptor.start(self.game).map_err(|e| e.to_string())?;
        self.state = TableState::new(start.seen_by(self.observer())).map_err(|e| e.to_string())?;
        self.step = None;
        self.takeover.clear();
        let (mut steps, mut drops) = (steps.into_iter(), drops.into_iter().peekable());
        loop {
            let seq = self.log.len();
            while let Some(drop) = drops.next_if(|drop| drop.seq == seq) {
                self.begin_epoch(drop.seats);
            }
            let Some(step) = steps.next().filter(|_| seq < to) else { break };
            self.turn.made = self.log.sealed.get(&seq).cloned();
            self.replay_step(step.messages)?;
        }
        self.log.sealed.retain(|seq, _| *seq < to);
        Ok(())
    }

    /// Replays one step with these contributions, in the order of their places, and nothing after it: the
    /// step after it may need no contributions, and would be closed by [`Self::advance`].
    ///
    /// # Errors
    ///
    /// Fails with the reason if a contribution does not fit, or the step cannot be planned or stays open.
    fn replay_step(&mut self, messages: Vec<Signed>) -> Result<(), String> {
        if self.step.is_none() && !self.begin() {
            return Err("a step cannot be planned".into());
        }
        for message in messages {
            self.end_complete_phases();
            self.accept(message).map_err(|e| e.to_string())?;
        }
        self.end_complete_phases();
        self.step.is_none().then_some(()).ok_or_else(|| "a step lacks contributions".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recovery;
    use crate::session::testbed::Testbed;
    use crate::session::{Input, PeerNumber, Recipient, SessionOutput, SessionRequest};
    use crate::wire::{Anchor, Header, Message, Place, SignedStatement, Statement};

    /// A table of four from which seat 3 was dropped: its takeover is closed, and the others have played on for some
    /// events. Returns the number of the takeover, too.
    fn after_a_takeover(game: &str) -> (Testbed, u32) {
        let mut bed = Testbed::with_recovery(game, 4, 1, Recovery::Escrow(2));
        bed.play(30);
        bed.absent = SeatSet::only(Seat(3));
        bed.play(200);
        let limit = u64::from(bed.descriptor.stall_ms);
        let mut now = 1;
        while bed.sessions[0].epoch() == 0 {
            bed.tick(now);
            now += limit;
        }
        let takeover = bed.sessions[0].log.end_of(0).unwrap().seq;
        bed.play(takeover + 6);
        assert!(bed.sessions[0].events() > takeover, "the takeover is closed");
        (bed, takeover)
    }

    /// Sends a message that seat 2 has signed to all.
    fn send_from_2(bed: &mut Testbed, mut signed: Signed) {
        bed.sessions[2].resign(&mut signed);
        let bytes = Message::Step(signed).encode(&bed.sessions[2].id);
        bed.queue.push_back((2, Recipient::All, bytes));
        bed.settle();
    }

    /// Checks that seats 0 and 1 have dropped seat 2 from this step on, and plays on.
    fn check_epoch(bed: &mut Testbed, takeover: u32, seq: u32) {
        for session in &bed.sessions[..2] {
            assert_eq!(session.live(), SeatSet(0b0011));
            assert_eq!(session.log.end_of(0), Some(SeatDrop { seq: takeover, seats: SeatSet(0b1000) }));
            assert_eq!(session.log.end_of(1), Some(SeatDrop { seq, seats: SeatSet(0b0100) }));
            assert_eq!(session.taken_over(), SeatSet(0b1100));
        }
        bed.play(seq + 20);
        assert_eq!(bed.sessions[0].head(), bed.sessions[1].head());
        assert!(bed.sessions[0].events() > seq + 10);
        let verdict = bed.sessions[0].record().verify(bed.game).unwrap();
        assert_eq!(verdict.taken_over, SeatSet(0b1100));
    }

    #[test]
    fn a_seat_that_cheated_in_a_takeover_is_dropped_from_it() {
        let (mut bed, takeover) = after_a_takeover("ozymandias");
        let step = &bed.sessions[0].log.steps[takeover as usize];
        let mut other = step.messages.iter().find(|message| message.place.seat == 2).unwrap().clone();
        other.payload[0] ^= 1;
        send_from_2(&mut bed, other);
        check_epoch(&mut bed, takeover, takeover);
    }

    #[test]
    fn a_seat_that_cheated_in_a_step_without_contributions_is_dropped_from_it() {
        let (mut bed, takeover) = after_a_takeover("vires");
        let is_empty = |bed: &Testbed, seq: u32| bed.sessions[0].log.steps[seq as usize].messages.is_empty();
        let mut empty = takeover;
        while !is_empty(&bed, empty) {
            empty += 1;
            bed.play(empty + 2);
        }
        let log = &bed.sessions[0].log;
        let header = Header {
            kind: crate::plan::kind::DECIDE,
            prev: log.link(empty).unwrap(),
            digest: [0; 32],
            body: String::new(),
        };
        let place = Place { epoch: 1, seq: empty, phase: 0, seat: 2 };
        let signature = [0; 64].into();
        let acts = Signed { place, anchor: Anchor::Head(header), payload: Vec::new(), signature };
        send_from_2(&mut bed, acts);
        check_epoch(&mut bed, takeover, empty);
    }

    /// Delivers a vote of each of these seats for a proposal.
    fn vote(
        bed: &Testbed,
        voters: &[usize],
        proposal: DropProposal,
        mut deliver: impl FnMut(PeerNumber, Vec<u8>),
    ) {
        for &voter in voters {
            let session = &bed.sessions[voter];
            let (seat, statement) = (voter as u8, Statement::Drop { proposal, unreachable: SeatSet::NONE });
            let content = SignedStatement::content(&session.id, seat, &statement);
            let signature = session.sign_digest(&content).unwrap();
            let signed = SignedStatement { seat, statement, signature };
            deliver(voter as PeerNumber, Message::Statement(signed).encode(&session.id));
        }
    }

    /// Lets a spectator ask the peers for what it lacks, for some seconds.
    fn catch_up(bed: &mut Testbed, spectator: &mut PeerSession, from: u64) {
        for now_ms in (from..from + 20_000).step_by(500) {
            for output in spectator.handle(Input::Tick { now_ms }) {
                let SessionOutput::Request(SessionRequest::Send { bytes, .. }) = output else { continue };
                let helper = &mut bed.sessions[0];
                helper.handle(Input::Tick { now_ms });
                for answer in helper.handle(Input::Message { from: 9, bytes: &bytes }) {
                    let SessionOutput::Request(SessionRequest::Send { to: Recipient::Peer(9), bytes }) =
                        answer
                    else {
                        continue;
                    };
                    spectator.handle(Input::Message { from: 0, bytes: &bytes });
                }
            }
        }
    }

    /// A spectator hears that all voters drop seat 4, and acts on it. Then it hears that the survivors have superseded the
    /// vote by one that drops seat 3, too, `earlier` steps before the end.
    fn follow_superseding_vote(game: &str, earlier: u32) {
        let mut bed = Testbed::with_recovery(game, 5, 1, Recovery::Escrow(2));
        bed.play(30);
        let mut spectator = PeerSession::watch(bed.game, bed.descriptor.clone()).unwrap();
        catch_up(&mut bed, &mut spectator, 1);
        assert_eq!(spectator.head(), bed.sessions[0].head());
        let log = &bed.sessions[0].log;
        let proposal = |seq, seats| DropProposal {
            prev: log.link(seq).unwrap(),
            epoch: 0,
            seq,
            seats: SeatSet(seats),
            round: 0,
        };
        let (lesser, greater) = (proposal(log.len(), 0b10000), proposal(log.len() - earlier, 0b11000));
        let mut hear = |from, bytes: Vec<u8>| {
            spectator.handle(Input::Message { from, bytes: &bytes });
        };
        // One vote for the superseding proposal comes before the lesser one is settled, two come after.
        vote(&bed, &[0], greater, &mut hear);
        vote(&bed, &[0, 1, 2, 3], lesser, &mut hear);
        vote(&bed, &[1], greater, &mut hear);
        assert_eq!(spectator.live(), SeatSet(0b01111), "it has acted on the lesser proposal");
        let mut votes = Vec::new();
        vote(&bed, &[0, 1, 2], greater, |from, bytes| votes.push((from, bytes)));
        for (from, bytes) in &votes {
            (0..3).for_each(|seat| bed.handle(seat, Input::Message { from: *from, bytes }));
        }
        bed.absent = SeatSet(0b11000);
        bed.play(60);
        let players = &bed.sessions[0];
        assert_eq!((players.live(), players.epoch()), (SeatSet(0b00111), 1));
        assert!(players.events() > greater.seq + 10, "the survivors play on");
        catch_up(&mut bed, &mut spectator, 100_000);
        let players = &bed.sessions[0];
        assert_eq!((spectator.live(), spectator.epoch()), (SeatSet(0b00111), 1));
        assert_eq!(spectator.log.end_of(0), Some(SeatDrop { seq: greater.seq, seats: greater.seats }));
        assert_eq!((spectator.events(), spectator.head()), (players.events(), players.head()));
        assert_eq!(spectator.taken_over(), SeatSet(0b11000));
    }

    #[test]
    fn a_spectator_follows_a_vote_that_supersedes_the_one_it_acted_on() {
        follow_superseding_vote("numeral", 0);
        follow_superseding_vote("ozymandias", 0);
        follow_superseding_vote("ozymandias", 3);
    }

    /// Returns seat 0 of a table of four in which seat 2 is dropped from step 10 on, after `damage` was done to the log
    /// of seat 0. It had votes and a contribution to a later step.
    fn act_on_damaged_log(damage: impl FnOnce(&mut PeerSession)) -> PeerSession {
        let mut bed = Testbed::with_recovery("numeral", 4, 1, Recovery::Escrow(2));
        bed.play(30);
        let mut votes = Vec::new();
        let prev = bed.sessions[0].log.link(10).unwrap();
        let dropped = DropProposal { prev, epoch: 0, seq: 10, seats: SeatSet(0b0100), round: 0 };
        vote(&bed, &[1], dropped, |from, bytes| votes.push((from, bytes)));
        for (from, bytes) in &votes {
            bed.handle(0, Input::Message { from: *from, bytes });
        }
        let bytes = bed.sessions[1].early(bed.sessions[1].log.len() + 2, 0);
        bed.handle(0, Input::Message { from: 1, bytes: &bytes });
        let mut session = bed.sessions.swap_remove(0);
        assert!(!session.absence.statements.is_empty() && session.sync.pending.values().count() == 1);
        damage(&mut session);
        session.out.clear();
        session.act_on(dropped);
        session
    }

    #[test]
    fn a_session_whose_log_cannot_be_rewound_reports_it_and_loses_no_statement() {
        let damages: [fn(&mut PeerSession); 3] = [
            |session| session.descriptor.options = "[".into(),
            |session| {
                let messages = session.log.steps.iter_mut().flat_map(|step| &mut step.messages);
                messages.take(1).for_each(|message| message.payload.push(0));
            },
            |session| session.log.steps.iter_mut().for_each(|step| step.messages.clear()),
        ];
        for (i, damage) in damages.into_iter().enumerate() {
            let session = act_on_damaged_log(damage);
            let is_broken = |output: &SessionOutput| matches!(output, SessionOutput::Event(SessionEvent::Broken(why)) if why.contains("taken back"));
            assert!(session.out.iter().any(is_broken), "damage {i}: {:?}", session.out);
            assert!(session.is_over() && !session.storage.is_restoring(), "damage {i}");
            assert!(!session.absence.statements.is_empty(), "damage {i}");
            assert_eq!(session.sync.pending.values().count(), 1, "damage {i}");
        }
    }

    /// Two of four seats are proved to have cheated at once. The other two drop them, and are no majority: the record could
    /// not show that, so the game ends, and the record of what was played verifies.
    #[test]
    fn survivors_that_are_no_majority_end_the_game_with_a_record_that_verifies() {
        let mut bed = Testbed::with_recovery("numeral", 4, 1, Recovery::Escrow(2));
        bed.play(30);
        bed.absent = SeatSet(0b1100);
        for seat in [2, 3] {
            let of_seat = |message: &&Signed| message.place.seat == seat;
            let mut other = bed.sessions[0].log.messages().rfind(of_seat).unwrap().clone();
            other.payload.push(1);
            let cheater = &bed.sessions[usize::from(seat)];
            cheater.resign(&mut other);
            let bytes = Message::Step(other).encode(&cheater.id);
            (0..2).for_each(|to| bed.handle(to, Input::Message { from: seat.into(), bytes: &bytes }));
        }
        bed.settle();
        bed.play(60);
        for session in &bed.sessions[..2] {
            assert_eq!(session.ending(), Some(Ending::Dropped(SeatSet(0b1100))));
            let verdict = session.record().verify(bed.game).unwrap();
            assert_eq!((verdict.events, verdict.ending), (session.trust().events, None));
        }
    }
}
