//! Deferred verification of shuffles. A pile passes from seat to seat, and all peers wait for the seat that shuffles. It
//! shuffles at once and verifies the proofs of the seats before it afterwards; a batch of proofs is verified in less time
//! than one by one. Invariant: a step is not closed, and nothing but a shuffle is made of a pile, while a proof in it is
//! unverified.

use super::PeerSession;
use crate::duty::Pile;
use crate::evidence::Crime;
use crate::plan::Due;

/// Number of shuffles that a peer without own work verifies as a batch.
const TOGETHER: usize = 3;

impl PeerSession {
    /// Verifies the unverified shuffles of the step if it is time for that: the next phase is no shuffle, or at
    /// least [`TOGETHER`] are unverified (one for a spectator) and this seat shuffles neither in this phase nor
    /// in the next, so that no seat waits for it. Otherwise they stay unverified. Call it when a phase is
    /// complete. Returns `true` if none was found wrong, also if none was verified and between steps. Returns
    /// `false` if one is wrong: then its author is reported, and the step is back at that shuffle.
    pub(super) fn verify_shuffles_in_time(&mut self) -> bool {
        let Some(step) = &self.step else { return true };
        let phase = usize::from(step.phase);
        let mixing = |phase: usize| step.plan.phases.get(phase).filter(|due| mixes(due));
        let mine = |phase| mixing(phase).is_some_and(|due| due.iter().any(|(s, _)| Some(*s) == self.seat()));
        // Other seats wait for what this seat has just made, and for what it makes next.
        let busy = mine(phase) || mine(phase + 1);
        // No seat waits for a spectator or a judge.
        let together = self.seat().map_or(1, |_| TOGETHER);
        let unsettled = step.work.pile.as_ref().map_or(0, Pile::unsettled);
        let now = mixing(phase + 1).is_none() || (!busy && unsettled >= together);
        !now || self.verify_shuffles()
    }

    /// Verifies all unverified shuffles of the step under way as a batch. Returns `true` if all hold, which
    /// counts them in `trust`, or if there are none, also without a pile, between steps and before all keys have
    /// arrived. If one is wrong, reports its author, drops everything from its phase on, sets the step back
    /// to that phase, and returns `false`. Returns `false` also if the lock or the wrong message is missing;
    /// the session has stopped then.
    pub(super) fn verify_shuffles(&mut self) -> bool {
        let (Some(step), Some(roster)) = (&mut self.step, &self.opening.roster) else { return true };
        let (Some(pile), Some(mix)) = (&mut step.work.pile, &step.plan.mix) else { return true };
        let unsettled = pile.unsettled() as u32;
        if unsettled == 0 {
            return true;
        }
        let lock = match roster.lock(mix.lock) {
            Ok(lock) => lock,
            Err(e) => {
                self.broken(e.to_string());
                return false;
            }
        };
        let Err(wrong) = pile.settle(&lock, &self.state.cards.generators) else {
            self.trust.proofs += unsettled;
            self.trust.shuffles += unsettled;
            return true;
        };
        // Back to the wrong shuffle: what others have made of it is void, and only its author is to blame.
        let seat = wrong.seat.index();
        let false_one = step.got.iter().position(|(message, _)| {
            let due = step.plan.phases.get(usize::from(message.place.phase));
            message.place.seat == seat && due.is_some_and(mixes)
        });
        let Some((message, _)) = false_one.map(|at| step.got.remove(at)) else {
            self.broken(wrong.to_string());
            return false;
        };
        let phase = message.place.phase;
        step.got.retain(|(other, _)| other.place.phase < phase);
        step.verified.clear();
        step.phase = phase;
        self.report_crime(seat, Crime::Wrong(wrong.to_string()), vec![message]);
        false
    }
}

/// Returns whether a seat owes a shuffle in this phase.
fn mixes(due: &Due) -> bool {
    due.iter().any(|(_, duty)| duty.mix)
}

#[cfg(test)]
mod tests {
    use crate::session::{Input, SessionEvent, SessionOutput, SessionRequest};
    use crate::wire::Message;
    use crate::{Descriptor, Evidence, PeerSession, TablePlayer};
    use pentarchy_engine::SeatSet;
    use pentarchy_fair::{Entropy, SigningSecret};
    use std::collections::VecDeque;

    const SEATS: u8 = 4;

    /// Peers that are restored from what they have stored when they have shuffled.
    struct Table {
        sessions: Vec<PeerSession>,
        disks: Vec<Vec<Vec<u8>>>,
        /// Who sent it, and the message.
        queue: VecDeque<(u8, Vec<u8>)>,
        /// Who shuffles falsely, the first time.
        bad: Option<u8>,
        evidence: Vec<(u8, Evidence)>,
        crashes: u32,
    }

    impl Table {
        fn new(bad: u8) -> Self {
            let game = pentarchy_registry::find("ozymandias").unwrap();
            let identities: Vec<_> = (0..SEATS).map(|i| SigningSecret::new(Entropy::new([i; 32]))).collect();
            let player = |identity: &SigningSecret| TablePlayer {
                identity: *identity.public().bytes(),
                name: String::new(),
                host: None,
            };
            let players = identities.iter().map(player).collect();
            let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap();
            let mut table = Table {
                sessions: Vec::new(),
                disks: vec![Vec::new(); usize::from(SEATS)],
                queue: VecDeque::new(),
                bad: Some(bad),
                evidence: Vec::new(),
                crashes: 0,
            };
            for (seat, identity) in (0..).zip(&identities) {
                let made = PeerSession::new(
                    game,
                    descriptor.clone(),
                    seat,
                    identity,
                    [seat; 32],
                    Entropy::new([7; 32]),
                );
                let (session, outputs) = made.unwrap();
                table.sessions.push(session);
                table.absorb(seat, outputs);
            }
            table
        }

        fn absorb(&mut self, seat: u8, outputs: Vec<SessionOutput>) {
            let mut shuffled = false;
            for output in outputs {
                let session = &self.sessions[usize::from(seat)];
                match output {
                    SessionOutput::Request(SessionRequest::Persist(item)) => {
                        self.disks[usize::from(seat)].push(item);
                    }
                    SessionOutput::Event(SessionEvent::Evidence(evidence)) => {
                        self.evidence.push((seat, *evidence));
                    }
                    SessionOutput::Event(SessionEvent::Broken(why)) => panic!("seat {seat}: {why}"),
                    SessionOutput::Request(SessionRequest::Send { mut bytes, .. }) => {
                        if let Ok(Message::Step(mut signed)) = Message::decode(&session.id, &bytes)
                            && signed.payload.len() > 1000
                        {
                            shuffled = true;
                            if self.bad == Some(seat) {
                                self.bad = None;
                                *signed.payload.last_mut().unwrap() ^= 1;
                                session.resign(&mut signed);
                                bytes = Message::Step(signed).encode(&session.id);
                            }
                        }
                        self.queue.push_back((seat, bytes));
                    }
                    _ => {}
                }
            }
            if shuffled && self.sessions[usize::from(seat)].epoch() == 0 {
                let disk = self.disks[usize::from(seat)].iter().cloned();
                let session = PeerSession::restore(
                    |name| pentarchy_registry::find(name).ok(),
                    disk,
                    Entropy::new([8; 32]),
                )
                .unwrap();
                self.sessions[usize::from(seat)] = session;
                self.crashes += 1;
            }
        }

        fn handle(&mut self, seat: u8, input: Input<'_>) {
            let outputs = self.sessions[usize::from(seat)].handle(input);
            self.absorb(seat, outputs);
        }

        /// Delivers everything, and lets some time pass.
        fn settle(&mut self) {
            for now_ms in (1..20).map(|i| i * 500) {
                while let Some((from, bytes)) = self.queue.pop_front() {
                    for seat in (0..SEATS).filter(|&seat| seat != from) {
                        self.handle(seat, Input::Message { from: from.into(), bytes: &bytes });
                    }
                }
                (0..SEATS).for_each(|seat| self.handle(seat, Input::Tick { now_ms }));
            }
        }
    }

    #[test]
    fn who_shuffles_on_a_false_shuffle_and_crashes_is_not_to_blame() {
        let game = pentarchy_registry::find("ozymandias").unwrap();
        for bad in [0, 2] {
            let mut table = Table::new(bad);
            table.settle();
            assert!(table.crashes > 1, "seat {bad}: {} crashes", table.crashes);
            let honest = || (0..SEATS).filter(|&seat| seat != bad);
            for (seat, evidence) in table.evidence.iter().filter(|(seat, _)| *seat != bad) {
                assert_eq!(evidence.offender, bad, "seat {seat}");
                assert_eq!(evidence.judge(game).unwrap().offender, bad, "seat {seat}");
            }
            assert!(honest().all(|seat| table.evidence.iter().any(|(s, _)| *s == seat)), "seat {bad}");
            // They have gone on without the cheater, and all cards were shuffled again.
            let session = |seat: u8| &table.sessions[usize::from(seat)];
            let first = session(honest().next().unwrap());
            for session in honest().map(session) {
                assert_eq!((session.epoch(), session.live()), (1, SeatSet(0b1111 & !(1 << bad))));
                assert_eq!((session.head(), session.events()), (first.head(), first.events()));
                assert!(session.events() > 2 && session.trust().shuffles >= 3);
            }
        }
    }
}
