//! The opening of a table: each seat publishes its keys with proofs and seals shares of them to the other machines. When
//! all of that has arrived, each seat signs the start, a hash of it. The log begins when all seats have signed.

use super::{PeerNumber, PeerSession, Recipient, SessionEvent};
use crate::cards::fair_seat;
use crate::descriptor::DescriptorError;
use crate::hash::hash;
use crate::wire::{Complaint, Message, Seals, Signature};
use pentarchy_engine::{Seat, SeatSet};
use pentarchy_fair::escrow::HeldShares;
use pentarchy_fair::{Enrolment, OperationError, PreparedLock, Roster, SeatKey, Seats, SigningSecret};
use std::sync::Arc;

/// What the seats publish before the first step, as far as it has arrived.
pub(super) struct Opening {
    /// By seat: its keys, and the bytes that it signed.
    pub(super) keys: Vec<Option<(SeatKey, Vec<u8>)>>,
    /// By seat: the shares of its keys, sealed to the other machines.
    pub(super) seals: Vec<Option<Seals>>,
    /// Complaints about seals that have not arrived yet.
    pub(super) complaints: Vec<Complaint>,
    /// Parts of the opening that arrived before those they depend on, and who delivered them.
    pub(super) early: Vec<(PeerNumber, Message)>,
    /// The shares of other seats' keys that were sealed to this seat.
    pub(super) held: Vec<HeldShares>,
    /// By seat: its signature of the start.
    pub(super) starts: Vec<Option<Signature>>,
    /// The keys of all seats, once they have arrived.
    pub(super) roster: Option<Roster>,
    /// Joint locks that were prepared, by the seats that they consist of.
    locks: Vec<(Seats, Arc<PreparedLock>)>,
    /// Seats about which keys and shares were compared, because something that they signed does not match them.
    compared: SeatSet,
}

impl Opening {
    /// Creates the opening of a table with this many seats: nothing has arrived.
    pub(super) fn new(seats: usize) -> Self {
        Opening {
            keys: (0..seats).map(|_| None).collect(),
            seals: vec![None; seats],
            complaints: Vec::new(),
            early: Vec::new(),
            held: Vec::new(),
            starts: vec![None; seats],
            roster: None,
            locks: Vec::new(),
            compared: SeatSet::NONE,
        }
    }

    /// Returns whether the sealed shares of all seats have arrived.
    pub(super) fn is_sealed(&self) -> bool {
        self.seals.iter().all(Option::is_some)
    }

    /// Returns the seats that owe the next part of the opening, ascending: keys, then shares if the table has
    /// any (`with_shares`), then signatures. Empty if all have signed.
    pub(super) fn due(&self, with_shares: bool) -> Vec<u8> {
        let missing: Vec<bool> = if self.roster.is_none() {
            self.keys.iter().map(Option::is_none).collect()
        } else if with_shares && !self.is_sealed() {
            self.seals.iter().map(Option::is_none).collect()
        } else {
            self.starts.iter().map(Option::is_none).collect()
        };
        (0..).zip(missing).filter(|(_, missing)| *missing).map(|(seat, _)| seat).collect()
    }

    /// Returns the joint lock of these seats: the sum of their public lock keys, with multiples that make
    /// shuffles fast. It is computed at the first call for a set of seats, in about a millisecond, and kept.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if not all keys have arrived or the set is empty, with `Absent` if a seat has no keys,
    /// and with `Cancelled` if the keys sum to the neutral element.
    pub(super) fn lock(&mut self, seats: Seats) -> Result<Arc<PreparedLock>, OperationError> {
        if let Some((_, lock)) = self.locks.iter().find(|(of, _)| *of == seats) {
            return Ok(lock.clone());
        }
        let roster = self.roster.as_ref().ok_or(OperationError::Empty)?;
        let lock = Arc::new(roster.lock(seats)?.prepare());
        self.locks.push((seats, lock.clone()));
        Ok(lock)
    }

    /// Returns messages with all keys and sealed shares that have arrived, by seat: first the keys, then the
    /// shares.
    fn published(&self) -> Vec<Message> {
        let keys = (0u8..).zip(&self.keys);
        let keys = keys.filter_map(|(seat, key)| Some(Message::Keys { seat, body: key.as_ref()?.1.clone() }));
        keys.chain(self.seals.iter().flatten().cloned().map(Message::Seals)).collect()
    }
}

impl PeerSession {
    /// Makes this seat's keys, signed with the player's long-term key, stores them and sends them to all.
    /// Does nothing for a spectator.
    ///
    /// # Errors
    ///
    /// Fails if the keys do not verify, which means that `identity` is not that of the seat. They are stored
    /// then, and not sent.
    pub(super) fn enrol(&mut self, identity: &SigningSecret) -> Result<(), DescriptorError> {
        let entropy = self.draw.entropy();
        let Some(me) = &self.me else { return Ok(()) };
        let (seat, public) = (me.seat, identity.public());
        let enrolment = Enrolment { game: self.id, identity: &public, escrow: self.descriptor.threshold() };
        let body = enrolment.enrol(&me.secrets, identity, &me.session, entropy);
        let message = Message::Keys { seat, body: body.clone() };
        self.persist_message(&message);
        self.take_keys(seat, body).map_err(DescriptorError)?;
        self.send(Recipient::All, &message);
        Ok(())
    }

    /// Takes a seat's keys, and returns whether they are new (`false`: they were known). Before the table is
    /// open, keys that the identity of another seat has signed and that are wrong, or differ from earlier
    /// ones, convict that seat of cheating. Other keys for this peer's own seat, signed on another device
    /// before the table opens, stop the session. Stores nothing: the caller does.
    ///
    /// # Errors
    ///
    /// Fails with the reason if there is no such seat, other keys came before, or the keys do not verify.
    /// They are not taken then.
    pub(super) fn take_keys(&mut self, seat: u8, body: Vec<u8>) -> Result<bool, String> {
        let Some(slot) = self.opening.keys.get(usize::from(seat)) else {
            return Err("there is no such seat".into());
        };
        let identity = self.descriptor.identity(seat).map_err(|e| e.to_string())?;
        let game = self.id;
        let is_signed = |body: &[u8]| {
            body.split_last_chunk::<64>().is_some_and(|(keys, signature)| {
                identity.verify(&hash("pentarchy seat keys v1", &[&game.0, &[seat], keys]), signature)
            })
        };
        if let Some((_, known)) = slot {
            if *known == body {
                return Ok(false);
            }
            // Once the table is open, the keys that opened it count.
            if self.seat() == Some(seat) {
                if !self.log.is_open() && is_signed(&body) {
                    self.broken("your seat is played on another device that has the same identity");
                }
            } else if is_signed(&body) {
                let known = Message::Keys { seat, body: known.clone() };
                let why = "it signed two different sets of keys for one game".to_string();
                self.report_opening_crime(seat, why, vec![known, Message::Keys { seat, body }]);
            }
            return Err(format!("seat {seat} has sent other keys before"));
        }
        let escrow = self.descriptor.threshold();
        let enrolment = Enrolment { game: self.id, identity: &identity, escrow };
        let key = match enrolment.verify(fair_seat(seat), &body) {
            Ok(key) => key,
            Err(e) => {
                // Bad keys that the seat's own identity has signed are proof by themselves.
                if is_signed(&body) {
                    self.report_opening_crime(seat, e.to_string(), vec![Message::Keys { seat, body }]);
                }
                return Err(e.to_string());
            }
        };
        self.opening.keys[usize::from(seat)] = Some((key, body));
        self.trust.signatures += 1;
        self.trust.proofs += 2;
        Ok(true)
    }

    /// Returns the start that every seat signs and that becomes the first link: the hash of all keys, and of
    /// all sealed shares if the table has any. The caller must have checked that all shares have arrived.
    fn start_link(&self, roster: &Roster) -> [u8; 32] {
        if self.descriptor.threshold().is_none() {
            return roster.start();
        }
        let start = roster.start();
        let mut parts: Vec<&[u8]> = vec![&start];
        parts.extend(self.opening.seals.iter().flatten().map(|seals| seals.body.as_slice()));
        hash("pentarchy sealed start v1", &parts)
    }

    /// Returns whether all sealed shares have arrived, or the table has none.
    pub(super) fn has_shares(&self) -> bool {
        self.descriptor.threshold().is_none() || self.opening.is_sealed()
    }

    /// Takes a seat's signature of the start, and returns whether it is new (`false`: one was known). If it
    /// does not verify, sends all keys and shares to all, so that the peers can compare them. Stores nothing:
    /// the caller does.
    ///
    /// # Errors
    ///
    /// Fails with the reason if keys or shares are missing, there is no such seat, or the signature does not
    /// verify.
    pub(super) fn take_start(&mut self, seat: u8, signature: Signature) -> Result<bool, String> {
        let Some(roster) = self.opening.roster.as_ref().filter(|_| self.has_shares()) else {
            return Err("not all keys are there yet".into());
        };
        let key = roster.key(fair_seat(seat)).map_err(|e| e.to_string())?;
        if self.opening.starts[usize::from(seat)].is_some() {
            return Ok(false);
        }
        if !signature.is_valid_for(key.session(), &self.start_link(roster)) {
            self.compare_opening(seat);
            return Err(format!("the start is not signed by seat {seat}"));
        }
        self.opening.starts[usize::from(seat)] = Some(signature);
        self.trust.signatures += 1;
        Ok(true)
    }

    /// Sends all keys and shares to all, because something that the seat signed does not match them. If a
    /// seat sent different ones to different peers, every peer then has proof of it. Does so once for each
    /// seat, and not once the table is open.
    pub(super) fn compare_opening(&mut self, seat: u8) {
        if self.opening.compared.has(Seat(seat)) || self.log.is_open() {
            return;
        }
        self.opening.compared.insert(Seat(seat));
        for message in self.opening.published() {
            self.send(Recipient::All, &message);
        }
    }

    /// Advances the opening as far as the received messages allow: publishes this seat's sealed shares when all
    /// keys are there, signs the start when all shares are, and opens the log when all have signed. Returns
    /// whether the table is open. Does nothing once it is.
    pub(super) fn open(&mut self) -> bool {
        self.log.is_open() || self.open_further()
    }

    /// Advances the opening as far as the received messages allow: builds the roster, seals shares, signs the
    /// start; stores and sends what this seat signs. Signs nothing while a stored session is restored.
    /// Returns whether all seats have signed. Then the log is open: the start becomes its first link, early
    /// parts of the opening are dropped, all timeouts restart, and [`SessionEvent::Opened`] is emitted. Returns
    /// `false`, and signs no start, while a cheater is known. Breaks the session if the keys or its own shares
    /// do not fit together.
    #[inline(never)]
    fn open_further(&mut self) -> bool {
        if self.opening.roster.is_none() {
            let keys: Option<Vec<_>> =
                self.opening.keys.iter().map(|key| Some(key.as_ref()?.0.clone())).collect();
            let Some(keys) = keys else { return false };
            match Roster::new(self.id, keys) {
                Ok(roster) => self.opening.roster = Some(roster),
                Err(e) => {
                    self.broken(e.to_string());
                    return false;
                }
            }
        }
        if self.status.stopped || !self.seal() || !self.misconduct.seats.is_empty() {
            return false;
        }
        let Some(start) = self.opening.roster.as_ref().map(|roster| self.start_link(roster)) else {
            return false;
        };
        if let Some(me) = self.me.as_ref().filter(|me| self.opening.starts[usize::from(me.seat)].is_none())
            && !self.storage.is_restoring()
        {
            let (seat, signature) = (me.seat, Signature::from(me.session.sign(&start)));
            self.opening.starts[usize::from(seat)] = Some(signature);
            let message = Message::Start { seat, signature };
            self.persist_message(&message);
            self.send(Recipient::All, &message);
        }
        if self.opening.starts.iter().any(Option::is_none) {
            return false;
        }
        self.log.head = start;
        self.opening.early.clear();
        self.progressed();
        self.emit(SessionEvent::Opened);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Opening;
    use crate::cards::fair_seats;
    use crate::session::testbed::Testbed;
    use crate::session::{Input, SessionEvent, SessionOutput, SessionRequest};
    use crate::wire::{Complaint, Message, Seals, Signature, SignedStatement, Statement};
    use crate::{Descriptor, PeerSession, TablePlayer};
    use pentarchy_engine::SeatSet;
    use pentarchy_fair::{Entropy, OperationError, SigningSecret};
    use std::sync::Arc;

    /// The completed opening of a table of three with takeover.
    fn completed() -> Opening {
        let mut bed = Testbed::new("ozymandias", 3, 1);
        bed.settle();
        bed.sessions.swap_remove(0).opening
    }

    #[test]
    fn keys_are_due_first_then_shares_then_signatures() {
        let mut opening = completed();
        assert_eq!((opening.due(true), opening.is_sealed()), (vec![], true));
        (opening.starts[0], opening.starts[2]) = (None, None);
        assert_eq!(opening.due(true), [0, 2]);
        opening.seals[1] = None;
        assert_eq!((opening.due(true), opening.is_sealed()), (vec![1], false));
        assert_eq!(opening.due(false), [0, 2], "a table without takeover has no shares");
        (opening.keys[2], opening.roster) = (None, None);
        assert_eq!(opening.due(true), [2]);
        assert_eq!(Opening::new(3).due(true), [0, 1, 2]);
    }

    #[test]
    fn keys_shares_and_complaints_of_seats_that_no_table_has_are_refused() {
        let mut bed = Testbed::new("ozymandias", 3, 1);
        bed.settle();
        let session = &mut bed.sessions[0];
        let (seals, signature) = (session.opening.seals[1].clone().unwrap(), [0; 64].into());
        for seat in [3, 8, 255] {
            assert!(session.take_keys(seat, vec![0; 64]).is_err());
            assert!(session.take_seals(Seals { seat, ..seals.clone() }).is_err());
            let complaint = Complaint { seat, dealer: 1, which: 0, body: Vec::new(), signature };
            assert!(
                session.take_complaint(Complaint { seat: 1, dealer: seat, ..complaint.clone() }).is_err()
            );
            assert!(session.take_complaint(complaint).is_err());
        }
    }

    #[test]
    fn a_joint_lock_is_prepared_once_and_needs_all_keys() {
        let (all, two) = (fair_seats(SeatSet(0b111)), fair_seats(SeatSet(0b011)));
        assert_eq!(Opening::new(3).lock(all).err(), Some(OperationError::Empty));
        let mut opening = completed();
        let (one, other) = (opening.lock(two).unwrap(), opening.lock(all).unwrap());
        assert!(Arc::ptr_eq(&one, &opening.lock(two).unwrap()));
        assert!(Arc::ptr_eq(&other, &opening.lock(all).unwrap()) && !Arc::ptr_eq(&one, &other));
        assert!(opening.lock(fair_seats(SeatSet(0b1000))).is_err(), "no such seat");
    }

    #[test]
    fn all_keys_and_shares_that_have_arrived_are_published() {
        let mut opening = completed();
        (opening.keys[1], opening.seals[0]) = (None, None);
        let of = |message: &Message| match message {
            Message::Keys { seat, .. } => ("keys", *seat),
            Message::Seals(seals) => ("shares", seals.seat),
            _ => ("other", 0),
        };
        let published: Vec<_> = opening.published().iter().map(of).collect();
        assert_eq!(published, [("keys", 0), ("keys", 2), ("shares", 1), ("shares", 2)]);
        assert!(Opening::new(3).published().is_empty());
    }

    /// A device of a player, before it has heard anything, and what it says first.
    fn device(seat: u8, seed: u8) -> (PeerSession, Vec<SessionOutput>) {
        let (descriptor, identities) = table();
        let game = pentarchy_registry::find("kuhn").unwrap();
        let entropy = Entropy::new([seed; 32]);
        PeerSession::new(game, descriptor, seat, &identities[usize::from(seat)], [seed; 32], entropy).unwrap()
    }

    fn table() -> (Descriptor, [SigningSecret; 2]) {
        let game = pentarchy_registry::find("kuhn").unwrap();
        let identities = [1, 2].map(|i| SigningSecret::new(Entropy::new([i; 32])));
        let player = |identity: &SigningSecret| TablePlayer {
            identity: *identity.public().bytes(),
            name: "Ada".into(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        (Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap(), identities)
    }

    /// Two peers that have opened a table.
    fn opened() -> [PeerSession; 2] {
        let mut queue = Vec::new();
        let mut sessions = [0u8, 1].map(|seat| {
            let (session, out) = device(seat, seat);
            queue.push((usize::from(seat), out));
            session
        });
        while let Some((from, out)) = queue.pop() {
            for output in out {
                if let SessionOutput::Request(SessionRequest::Send { bytes, .. }) = output {
                    let answer = sessions[1 - from].handle(Input::Message { from: 0, bytes: &bytes });
                    queue.push((1 - from, answer));
                }
            }
        }
        sessions
    }

    /// The player's identity was copied, and the other device was faster: this one learns it and stops.
    #[test]
    fn a_device_stops_when_another_one_has_opened_its_seat() {
        let (mut slow, _) = device(0, 7);
        let (_, said) = device(0, 8);
        let keys = said.iter().find_map(|output| match output {
            SessionOutput::Request(SessionRequest::Send { bytes, .. }) => Some(bytes.clone()),
            _ => None,
        });
        let keys = keys.unwrap();
        let stops = |session: &mut PeerSession| {
            let out = session.handle(Input::Message { from: 0, bytes: &keys });
            out.iter().any(|o| matches!(o, SessionOutput::Event(SessionEvent::Broken(why)) if why.contains("on another device")))
        };
        assert!(stops(&mut slow));
        // The other player rejects the second keys and plays on, and so does a device whose table is open.
        for mut session in opened() {
            assert!(!stops(&mut session));
        }
    }

    #[test]
    fn a_seat_that_no_table_has_is_refused_and_is_nobody_elses() {
        let [other, mut session] = opened();
        let signature = Signature::from([7; 64]);
        for seat in [2, 8, 31, 32, 61, 255] {
            let start = Message::Start { seat, signature };
            // Signed by the first seat in the name of another: its key must not fit.
            let statement = Statement::Chat { n: 1, text: "hello".into() };
            let content = SignedStatement::content(&other.id, seat, &statement);
            let signed = other.me.as_ref().unwrap().session.sign(&content).into();
            let chat = Message::Statement(SignedStatement { seat, statement, signature: signed });
            for message in [start, chat] {
                let bytes = message.encode(&session.id);
                let out = session.handle(Input::Message { from: 0, bytes: &bytes });
                assert!(
                    !out.iter().any(|o| matches!(
                        o,
                        SessionOutput::Event(SessionEvent::Chat { .. } | SessionEvent::Evidence(_))
                    )),
                    "{seat}"
                );
            }
        }
    }
}
