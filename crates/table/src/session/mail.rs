//! The mailbox of the table: what a peer posts for machines that are away, and when it handles what others have posted.
//!
//! Mail is delivered by nobody in particular: anyone with the invitation can post. So its messages are judged by their
//! signatures alone, nobody is blamed for invalid ones, and nothing is answered. Nobody repeats mail either: a message that
//! comes before those it depends on has to be kept until its time has come. [`PeerSession::mail_timing`] says when.

use super::log::SignedLog;
use super::{PeerNumber, PeerSession};
use crate::cards::fair_seat;
use crate::wire::{Message, Place, Signed, SignedStatement, Standing, Statement};
use pentarchy_engine::{Seat, SeatSet};

/// The peer that delivers the mail: pass it as [`Input::Message::from`](super::Input::Message::from). No real peer may have
/// this number. It is never blamed or ignored, and the session sends nothing to it.
pub const MAILBOX: PeerNumber = PeerNumber::MAX / 2;

/// When a session can handle a message from the mailbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MailTiming {
    /// Now. It may still be known already, or be rejected.
    Now,
    /// After messages that are missing. Those with lower numbers come first.
    Later(u64),
    /// It is about a place of the log that this peer does not find: behind it, or ahead of it if messages are missing.
    Unplaced,
    /// Never: it is malformed, not signed by its author, or of a kind that is not posted.
    Never,
}

/// How far a session has come. As long as it is equal, the [timing](PeerSession::mail_timing) of every message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionProgress {
    keys: SeatSet,
    seals: SeatSet,
    is_open: bool,
    place: (u16, u32, u8),
    is_frozen: bool,
    is_over: bool,
}

impl Message {
    /// Returns whether a peer that is away must get this message to catch up. Chat, signs of activity, progress and links
    /// only matter to peers that are connected.
    fn is_durable(&self) -> bool {
        !matches!(
            self,
            Message::Standing(_)
                | Message::Links { .. }
                | Message::Statement(SignedStatement {
                    statement: Statement::Chat { .. } | Statement::Thinking { .. },
                    ..
                })
        )
    }
}

/// Returns the number of a place in the order in which mail is handled: by epoch, then step, then phase, from 2 on. The
/// opening has the numbers 0 and 1.
fn order_of(epoch: u16, seq: u32, phase: u8) -> u64 {
    2 + (u64::from(epoch) << 40 | u64::from(seq) << 8 | u64::from(phase))
}

impl PeerSession {
    /// Returns whether a message that a session of this machine has broadcast must reach machines that are away: keys,
    /// sealed shares and complaints about them, signatures of the start, contributions, proofs of cheating, and all
    /// statements (reports of late seats, votes, rejections, claims) except chat and signs of activity. `false` for
    /// everything else, and for bytes that are no message of this table.
    pub fn is_durable(&self, bytes: &[u8]) -> bool {
        Message::decode(&self.id, bytes).is_ok_and(|message| message.is_durable())
    }

    /// Returns the messages that this peer has and that the machine of a person's seat is not known to have, encoded: parts
    /// of the opening, contributions in the order of the log, proofs of cheating, votes and claims. A machine has
    /// everything that its seat's last contribution depends on, and what the last progress that it sent as `peer` says.
    /// `peer` is the number of that machine in the transport; `None` if it has never been connected. The machine of a
    /// dropped seat gets no contributions. Empty for a seat that does not exist.
    pub fn backlog(&self, seat: u8, peer: Option<PeerNumber>) -> Vec<Vec<u8>> {
        if seat >= self.descriptor.seats() {
            return Vec::new();
        }
        let theirs = self.known_progress(seat, peer);
        let mut lacking = Vec::new();
        self.lacking_opening(&theirs, &mut lacking);
        if self.log.is_open() {
            if self.is_live(seat) {
                self.lacking_steps(&theirs, usize::MAX, u32::MAX, &mut lacking);
            }
            if theirs.epoch < self.log.epoch() || theirs.heard != self.heard() {
                self.lacking_statements(&mut lacking);
            }
        }
        lacking.into_iter().map(|message| message.encode(&self.id)).collect()
    }

    /// Returns whether this peer has the keys of a seat, which the seat publishes as soon as it knows of the match. `false`
    /// for a seat that does not exist.
    pub fn has_keys_of(&self, seat: u8) -> bool {
        self.opening.keys.get(usize::from(seat)).is_some_and(Option::is_some)
    }

    /// Returns what the machine of a seat has at least: the further one of what its last contribution depends on and of the
    /// last progress that it sent as `peer`, if that is on this peer's history.
    fn known_progress(&self, seat: u8, peer: Option<PeerNumber>) -> Standing {
        let contributed = self.contributed_progress(seat);
        let told = peer.and_then(|peer| self.sync.standings.get(&peer));
        let told = told.filter(|told| {
            let further =
                (told.epoch, told.seq, told.phase) >= (contributed.epoch, contributed.seq, contributed.phase);
            let is_shared = self.log.link(told.seq) == Some(told.prev) || told.seq > self.log.len();
            further && (told.prev == [0; 32] && contributed.prev == [0; 32] || is_shared)
        });
        let Some(told) = told else { return contributed };
        Standing {
            keys: told.keys | contributed.keys,
            seals: told.seals | contributed.seals,
            starts: told.starts | contributed.starts,
            ..told.clone()
        }
    }

    /// Returns what the machine of a seat must have had when it made its last contribution: everything before
    /// its phase, and the contribution itself. Before the first contribution it is what its keys, shares or
    /// signature of the start depend on. Statements are never counted. The caller must have checked that the
    /// seat exists.
    fn contributed_progress(&self, seat: u8) -> Standing {
        let all = SeatSet::first(self.descriptor.seats());
        let own = SeatSet::only(Seat(seat));
        let has = |known: bool, seats: SeatSet| if known { seats } else { SeatSet::NONE };
        let slot = usize::from(seat);
        let (keys, seals, starts) =
            (&self.opening.keys[slot], &self.opening.seals[slot], &self.opening.starts[slot]);
        let nothing = Standing {
            keys: has(keys.is_some(), own) | has(seals.is_some() || starts.is_some(), all),
            seals: has(seals.is_some(), own) | has(starts.is_some(), all),
            starts: has(starts.is_some(), own),
            epoch: 0,
            seq: 0,
            phase: 0,
            have: SeatSet::NONE,
            prev: [0; 32],
            heard: 0,
            ask: false,
        };
        let closed = self.log.messages().rev().find(|message| message.place.seat == seat);
        let now = self.step.iter().flat_map(|step| &step.got).map(|(message, _)| message);
        let open = now.chain(self.sync.pending.values()).filter(|message| message.place.seat == seat);
        let last = open.chain(closed).map(|message| message.place).max();
        let Some(Place { epoch, seq, phase, .. }) = last else { return nothing };
        let prev = self.log.link(seq).unwrap_or(self.log.head);
        Standing { keys: all, seals: all, starts: all, epoch, seq, phase, have: own, prev, ..nothing }
    }

    /// Returns how far the session has come. Compare it with an earlier value: if it is equal, the
    /// [timing](Self::mail_timing) of every message is as it was then.
    pub fn progress(&self) -> SessionProgress {
        let Standing { keys, seals, epoch, seq, phase, .. } = self.standing(false);
        SessionProgress {
            keys,
            seals,
            is_open: self.log.is_open(),
            place: (epoch, seq, phase),
            is_frozen: self.is_frozen(),
            is_over: self.is_over(),
        }
    }

    /// Returns when a message from the mailbox can be handled. Handles nothing. The signature of a contribution or
    /// statement that has to wait is checked as soon as all keys are there, so that forged ones do not wait.
    pub fn mail_timing(&self, bytes: &[u8]) -> MailTiming {
        let Ok(message) = Message::decode(&self.id, bytes) else { return MailTiming::Never };
        if !message.is_durable() {
            return MailTiming::Never;
        }
        let has_roster = self.opening.roster.is_some();
        match message {
            Message::Keys { .. } => MailTiming::Now,
            Message::Seals(_) | Message::Complaint(_) if !has_roster => MailTiming::Later(0),
            Message::Start { .. } if !has_roster || !self.has_shares() => MailTiming::Later(1),
            Message::Step(signed) => self.step_timing(&signed),
            Message::Proof(list) => match list.as_slice() {
                [signed] => self.step_timing(signed),
                _ if has_roster => MailTiming::Now,
                _ => MailTiming::Later(2),
            },
            Message::Statement(signed) => self.statement_timing(&signed),
            _ => MailTiming::Now,
        }
    }

    /// Returns when a contribution from the mailbox can be handled: when its phase has come. While a vote freezes the log,
    /// what would extend it waits. `Never` if it would have to wait and its seat has not signed it or no history can have
    /// its place. Once the game is over, always `Now`.
    fn step_timing(&self, signed: &Signed) -> MailTiming {
        let Place { epoch, seq, phase, seat } = signed.place;
        if self.is_over() {
            return MailTiming::Now;
        }
        let waits = MailTiming::Later(order_of(epoch, seq, phase));
        let Some(roster) = &self.opening.roster else { return waits };
        let here = (self.log.epoch(), self.log.len(), self.step.as_ref().map_or(0, |step| step.phase));
        let is_ahead = epoch > here.0 || epoch == here.0 && (seq, phase) > (here.1, here.2);
        if self.log.is_open() && !is_ahead && !(self.is_frozen() && seq >= here.1) {
            return MailTiming::Now;
        }
        let key = roster.key(fair_seat(seat)).ok().filter(|_| self.can_exist(signed.place));
        if key.is_some_and(|key| signed.is_signed_by(&self.id, key.session())) {
            waits
        } else {
            MailTiming::Never
        }
    }

    /// Returns when a statement from the mailbox can be handled: when the log has reached the place that it is about.
    /// `Unplaced` for a report of a late seat in another phase than the one under way. `Never` for chat and signs of
    /// activity, and if it would have to wait and its seat has not signed it.
    fn statement_timing(&self, signed: &SignedStatement) -> MailTiming {
        let waits = match &signed.statement {
            Statement::Claim { prev, .. } => match self.log.find_link(prev) {
                Some(_) => MailTiming::Now,
                None => MailTiming::Later(u64::MAX),
            },
            Statement::LateV1 { phase, .. } | Statement::Late { phase, .. } => {
                if self.waiting_phase() == Some(*phase) { MailTiming::Now } else { MailTiming::Unplaced }
            }
            Statement::Reject(proposal) | Statement::DropV1(proposal) | Statement::Drop { proposal, .. } => {
                let drops_me = self.seat().is_some_and(|seat| proposal.seats.has(Seat(seat)));
                let is_ahead = proposal.epoch > self.log.epoch()
                    || proposal.epoch == self.log.epoch() && proposal.seq > self.log.len() && !drops_me;
                if is_ahead || !self.log.is_open() {
                    MailTiming::Later(order_of(proposal.epoch, proposal.seq, u8::MAX))
                } else {
                    MailTiming::Now
                }
            }
            Statement::Chat { .. } | Statement::Thinking { .. } => MailTiming::Never,
        };
        let Some(roster) = &self.opening.roster else { return MailTiming::Later(u64::MAX) };
        let key = roster.key(fair_seat(signed.seat)).ok();
        let is_signed = || key.is_some_and(|key| signed.is_signed_by(&self.id, key.session()));
        if waits == MailTiming::Now || is_signed() { waits } else { MailTiming::Never }
    }
}

impl SignedLog {
    /// Returns the number of the step that begins at a link; `None` if this peer's log has no such link, and for the zero
    /// link of a table that is not open.
    pub(super) fn find_link(&self, link: &[u8; 32]) -> Option<u32> {
        if !self.is_open() {
            return None;
        }
        if self.head == *link {
            return Some(self.len());
        }
        self.steps.iter().rposition(|step| step.prev == *link).map(|seq| seq as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::FAULT_BURST;
    use super::super::store::Stored;
    use super::super::testbed::Testbed;
    use super::super::{Input, SessionEvent, SessionOutput, SessionRequest};
    use super::*;

    /// Returns what a seat had stored when it had made its last contribution.
    fn disk_at_last_contribution(bed: &Testbed, seat: u8) -> Vec<Vec<u8>> {
        let id = bed.sessions[0].id;
        let is_own = |item: &Vec<u8>| match postcard::from_bytes(item) {
            Ok(Stored::Message(bytes)) => match Message::decode(&id, &bytes) {
                Ok(Message::Step(signed)) => signed.place.seat == seat,
                Ok(Message::Keys { seat: author, .. } | Message::Start { seat: author, .. }) => {
                    author == seat
                }
                Ok(Message::Seals(seals)) => seals.seat == seat,
                _ => false,
            },
            _ => false,
        };
        let disk = &bed.disks[usize::from(seat)];
        let last = disk.iter().rposition(is_own).unwrap();
        disk[..=last].to_vec()
    }

    /// Passes mail to a session, in this order and each message once its time has come. Returns how many were never handled.
    fn deliver(session: &mut PeerSession, mail: &[Vec<u8>]) -> usize {
        let mut waiting: Vec<&Vec<u8>> = mail.iter().collect();
        loop {
            let before = waiting.len();
            waiting.retain(|bytes| match session.mail_timing(bytes) {
                MailTiming::Now => {
                    for output in session.handle(Input::Message { from: MAILBOX, bytes }) {
                        if let SessionOutput::Event(SessionEvent::Broken(why)) = output {
                            panic!("{why}");
                        }
                    }
                    false
                }
                MailTiming::Later(_) | MailTiming::Unplaced => true,
                MailTiming::Never => panic!("a backlog has nothing that is never handled"),
            });
            if waiting.len() == before {
                return before;
            }
        }
    }

    #[test]
    fn a_backlog_brings_a_peer_from_its_last_contribution_to_the_head() {
        for (game, seats) in [("tic-tac-toe", 2), ("leduc", 2), ("ozymandias", 3), ("ozymandias", 4)] {
            for events in [0, 1, 2, 3, 5, 8, 30] {
                let mut bed = Testbed::new(game, seats, events as u8);
                bed.play(events);
                for seat in 0..seats {
                    let from = usize::from((seat + 1) % seats);
                    let mut mail = bed.sessions[from].backlog(seat, None);
                    let disk = disk_at_last_contribution(&bed, seat);
                    // In any order.
                    for turn in 0..3 {
                        let mut session = bed.restored(&disk, [turn; 32]);
                        assert_eq!(deliver(&mut session, &mail), 0, "{game} {events}");
                        let (head, events) = (bed.sessions[from].head(), bed.sessions[from].events());
                        assert_eq!((session.head(), session.events()), (head, events), "{game} seat {seat}");
                        mail.reverse();
                        let middle = mail.len() / 2;
                        mail.rotate_left(middle);
                    }
                }
            }
        }
    }

    #[test]
    fn a_peer_that_has_told_its_progress_is_sent_nothing_twice() {
        let mut bed = Testbed::new("ozymandias", 3, 4);
        bed.play(40);
        let before = bed.sessions[0].backlog(1, Some(1));
        bed.tick(1);
        bed.tick(1_000);
        assert_eq!(bed.sessions[0].backlog(1, Some(1)), Vec::<Vec<u8>>::new(), "{} before", before.len());
        assert!(bed.sessions[0].backlog(9, None).is_empty(), "there is no such seat");
    }

    #[test]
    fn garbage_in_the_mailbox_makes_nobody_ignored() {
        let mut bed = Testbed::new("tic-tac-toe", 2, 1);
        bed.play(2);
        let (id, mover) = (bed.sessions[0].id, bed.sessions[0].due()[0]);
        let (mover, other) = (usize::from(mover), usize::from(1 - mover));
        let session = &mut bed.sessions[other];
        session.handle(Input::Tick { now_ms: 1 });
        // Contributions that the other seat has not signed, at the place that is due.
        let mut forged = session.log.steps[0].messages[0].clone();
        forged.place = session.place(mover as u8);
        let forged = Message::Step(forged).encode(&id);
        assert_eq!(session.mail_timing(&forged), MailTiming::Now);
        for _ in 0..10 * FAULT_BURST {
            session.handle(Input::Message { from: MAILBOX, bytes: &forged });
        }
        assert!(!session.sync.limits.is_ignored(MAILBOX, session.sync.now));
        let events = session.events();
        let text = bed.sessions[mover].position().legal().unwrap().swap_remove(0).canonical;
        for output in bed.sessions[mover].handle(Input::Choose(&text)) {
            if let SessionOutput::Request(SessionRequest::Send { bytes, .. }) = output {
                bed.sessions[other].handle(Input::Message { from: MAILBOX, bytes: &bytes });
            }
        }
        assert!(bed.sessions.iter().all(|session| session.events() == events + 1), "a real move is heard");
    }

    #[test]
    fn mail_is_handled_when_its_place_has_come() {
        let mut bed = Testbed::new("tic-tac-toe", 2, 2);
        bed.settle();
        let early = bed.disks[1].clone();
        bed.play(4);
        let (id, step) =
            (bed.sessions[0].id, |seq: usize| bed.sessions[0].log.steps[seq].messages[0].clone());
        let encoded = |signed: Signed| Message::Step(signed).encode(&id);
        let session = bed.restored(&early, [3; 32]);
        let timing = |bytes: &[u8]| session.mail_timing(bytes);
        assert_eq!(timing(&encoded(step(0))), MailTiming::Now);
        let (second, third) = (timing(&encoded(step(1))), timing(&encoded(step(2))));
        assert!(matches!((second, third), (MailTiming::Later(two), MailTiming::Later(three)) if two < three));
        let mut forged = step(2);
        forged.payload.push(1);
        assert_eq!(timing(&encoded(forged)), MailTiming::Never, "it is not signed");
        let standing = Message::Standing(session.standing(true)).encode(&id);
        assert_eq!((timing(&standing), timing(b"garbage")), (MailTiming::Never, MailTiming::Never));
        assert!(!session.is_durable(&standing) && session.is_durable(&encoded(step(0))));
    }
}
