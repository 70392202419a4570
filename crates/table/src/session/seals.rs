//! Escrow: before the start every seat seals shares of its keys to the other machines, so that they can take over the
//! seat. A holder of a wrong share complains, and the complaint proves which of the two has lied.

use super::{PeerSession, Recipient};
use crate::cards::fair_seat;
use crate::wire::{Complaint, Message, Seals};
use pentarchy_fair::SeatKey;
use pentarchy_fair::escrow::{self, SealedShares, Which};

/// Maximum number of complaints of one seat that are kept until the shares arrive that they are about.
const MAX_COMPLAINTS: usize = 4;

impl PeerSession {
    /// Once all keys have arrived, splits this seat's keys into shares, encrypts each to the seat that is to hold
    /// it, stores these sealed shares and sends them to all. Does so once, and not while a stored session is
    /// restored. Returns whether the sealed shares of all seats have arrived, or the table has none. Breaks the
    /// session if its own shares are wrong.
    pub(super) fn seal(&mut self) -> bool {
        let Some(threshold) = self.descriptor.threshold() else { return true };
        let mine = self.me.as_ref().filter(|me| self.opening.seals[usize::from(me.seat)].is_none());
        if let (Some(me), Some(_), false) = (mine, &self.opening.roster, self.storage.is_restoring()) {
            let entropy = self.draw.entropy();
            let holders = self.holder_keys(me.seat);
            let sealed = escrow::deal(&self.id, &me.secrets, threshold, &holders, entropy);
            let body = match sealed {
                Ok(body) => body,
                Err(e) => {
                    self.broken(e.to_string());
                    return false;
                }
            };
            let signature = me.session.sign(&Seals::content(&self.id, me.seat, &body)).into();
            let seals = Seals { seat: me.seat, body, signature };
            let message = Message::Seals(seals.clone());
            self.persist_message(&message);
            if let Err(e) = self.take_seals(seals) {
                self.broken(e);
                return false;
            }
            self.send(Recipient::All, &message);
        }
        self.opening.seals.iter().all(Option::is_some)
    }

    /// Returns the keys of the seats that hold shares of a dealer's keys, in seat order; empty before all
    /// keys have arrived.
    fn holder_keys(&self, dealer: u8) -> Vec<&SeatKey> {
        let key = |seat: u8| self.opening.roster.as_ref()?.key(fair_seat(seat)).ok();
        self.descriptor.holders(dealer).into_iter().filter_map(key).collect()
    }

    /// Verifies all shares of a dealer, and returns those that are sealed to one holder; `None` if that seat
    /// holds none.
    ///
    /// # Errors
    ///
    /// Fails with the reason if keys are missing, or the shares do not verify.
    fn sealed_for(&self, seals: &Seals, holder: u8) -> Result<Option<SealedShares>, String> {
        let roster = self.opening.roster.as_ref().ok_or("not all keys are there yet")?;
        let dealer = roster.key(fair_seat(seals.seat)).map_err(|e| e.to_string())?;
        let all = escrow::verify_deal(&self.id, dealer, &self.holder_keys(seals.seat), &seals.body);
        let all = all.map_err(|e| e.to_string())?;
        Ok(all.into_iter().find(|sealed| sealed.holder() == fair_seat(holder)))
    }

    /// Takes a seat's sealed shares, and returns whether they are new (`false`: they were known). Opens and
    /// keeps the share for this seat. Before the table is open, wrong or contradicting shares convict their
    /// dealer of cheating, and a wrong share for this seat makes it complain. Kept complaints are judged
    /// again. Stores nothing: the caller does.
    ///
    /// # Errors
    ///
    /// Fails with the reason if no shares are due, there is no such seat, the seat has not signed these,
    /// others came before, they do not verify, or the share for this seat is wrong. They are not taken then.
    pub(super) fn take_seals(&mut self, seals: Seals) -> Result<bool, String> {
        let (Some(roster), Some(_)) = (&self.opening.roster, self.descriptor.threshold()) else {
            return Err("no shares are due now".into());
        };
        let dealer = roster.key(fair_seat(seals.seat)).map_err(|e| e.to_string())?.clone();
        let slot = self.opening.seals.get(usize::from(seals.seat)).ok_or("there is no such seat")?;
        if let Some(known) = slot {
            let (known, why) = (known.clone(), "it signed two different sets of sealed shares");
            if known.body == seals.body {
                return Ok(false);
            }
            if seals.is_signed_by(&self.id, dealer.session()) {
                let proof = vec![Message::Seals(known), Message::Seals(seals)];
                self.report_opening_crime(proof_seat(&proof), why.into(), proof);
            }
            return Err("other shares of this seat came before".into());
        }
        if !seals.is_signed_by(&self.id, dealer.session()) {
            self.compare_opening(seals.seat);
            return Err(format!("shares that seat {} has not signed", seals.seat));
        }
        self.trust.signatures += 1;
        let me = self.me.as_ref().map(|me| me.seat).filter(|&seat| seat != seals.seat);
        let sealed = match self.sealed_for(&seals, me.unwrap_or(seals.seat)) {
            Ok(sealed) => sealed,
            Err(why) => {
                self.report_opening_crime(seals.seat, why.clone(), vec![Message::Seals(seals)]);
                return Err(why);
            }
        };
        self.trust.proofs += 2 * self.descriptor.holders(seals.seat).len() as u32;
        if let (Some(sealed), Some(me)) = (sealed.filter(|_| me.is_some()), &self.me) {
            match sealed.open(&dealer, &me.secrets) {
                Ok(held) => self.opening.held.push(held),
                Err(e) => {
                    self.complain(&sealed, &dealer, seals);
                    return Err(e.to_string());
                }
            }
        }
        let seat = usize::from(seals.seat);
        self.opening.seals[seat] = Some(seals);
        for complaint in std::mem::take(&mut self.opening.complaints) {
            // Those about other shares of this dealer are nothing against these.
            let _ = self.take_complaint(complaint);
        }
        Ok(true)
    }

    /// Signs a complaint that opens the first wrong share of this seat in `sealed`, which proves that its dealer has
    /// lied, sends it to all peers, and convicts the dealer. `seals` are all shares of the dealer, which are sent
    /// along. No effect for a spectator, while a stored session is restored, and if both shares are right.
    fn complain(&mut self, sealed: &SealedShares, dealer: &SeatKey, seals: Seals) {
        let entropy = [self.draw.entropy(), self.draw.entropy()];
        let Some(me) = self.me.as_ref().filter(|_| !self.storage.is_restoring()) else { return };
        for (which, entropy) in [Which::Lock, Which::Dice].into_iter().zip(entropy) {
            let Ok(body) = sealed.complain(dealer, which, &me.secrets, entropy) else { continue };
            let which = which as u8;
            let content = Complaint::content(&self.id, me.seat, &seals, which, &body);
            let signature = me.session.sign(&content).into();
            let complaint = Complaint { seat: me.seat, dealer: seals.seat, which, body, signature };
            // The seals are sent along: some peers may not have them.
            for message in [Message::Seals(seals.clone()), Message::Complaint(complaint.clone())] {
                self.send(Recipient::All, &message);
            }
            let why = "it sealed a share that is not on its polynomial".to_string();
            let proof = vec![Message::Seals(seals), Message::Complaint(complaint)];
            return self.report_opening_crime(proof_seat(&proof), why, proof);
        }
    }

    /// Judges a complaint: either the dealer or the holder is proved to have lied and convicted; no effect
    /// on a seat that is convicted already, or once the table is open. If the shares that it is about have
    /// not arrived, returns `Ok` and keeps it unchecked, at most [`MAX_COMPLAINTS`] of one seat; repeated
    /// and further ones are dropped.
    ///
    /// # Errors
    ///
    /// Fails with the reason if keys are missing or a seat does not exist. If the shares are here, also
    /// fails if the complaint is not signed by the holder or is about other shares, or nothing was sealed
    /// to the holder.
    pub(super) fn take_complaint(&mut self, complaint: Complaint) -> Result<(), String> {
        let roster = self.opening.roster.as_ref().ok_or("not all keys are there yet")?;
        let key = |seat: u8| roster.key(fair_seat(seat)).cloned().map_err(|e| e.to_string());
        let (holder, dealer) = (key(complaint.seat)?, key(complaint.dealer)?);
        let seals = self.opening.seals.get(usize::from(complaint.dealer)).cloned().flatten();
        let Some(seals) = seals else {
            // Without the seals nothing can be said yet.
            let known = self.opening.complaints.iter().filter(|other| other.seat == complaint.seat).count();
            if known < MAX_COMPLAINTS && !self.opening.complaints.contains(&complaint) {
                self.opening.complaints.push(complaint);
            }
            return Ok(());
        };
        if !complaint.is_signed_by(&self.id, holder.session(), &seals) {
            let seat = complaint.seat;
            return Err(format!(
                "a complaint that seat {seat} has not signed, or about other shares than these"
            ));
        }
        let sealed = self.sealed_for(&seals, complaint.seat)?.ok_or("nothing was sealed to this seat")?;
        let which = if complaint.which == 0 { Which::Lock } else { Which::Dice };
        let judged = sealed.judge(&dealer, &holder, which, &complaint.body);
        let (seat, why) = match judged {
            Ok(fault) => (complaint.dealer, fault.to_string()),
            Err(fault) => (complaint.seat, fault.to_string()),
        };
        self.report_opening_crime(seat, why, vec![Message::Seals(seals), Message::Complaint(complaint)]);
        Ok(())
    }
}

/// Returns the dealer of the shares that a proof begins with; 0 if it begins with something else.
fn proof_seat(proof: &[Message]) -> u8 {
    match proof.first() {
        Some(Message::Seals(seals)) => seals.seat,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use crate::cards::fair_seat;
    use crate::session::{Input, SessionEvent, SessionOutput, SessionRequest};
    use crate::wire::{Complaint, Message, Seals};
    use crate::{Descriptor, PeerSession, Recovery, TablePlayer};
    use pentarchy_fair::escrow::{Absence, DueContribution};
    use pentarchy_fair::{Entropy, Phase, PhaseId, SigningSecret};
    use std::collections::VecDeque;

    /// A table of four: a host, two guests, and a bot of the host; opened.
    fn opened() -> Vec<PeerSession> {
        let game = pentarchy_registry::find("ozymandias").unwrap();
        let identities = [1, 2, 3, 4].map(|i| SigningSecret::new(Entropy::new([i; 32])));
        let hosts = [None, None, None, Some(0)];
        let player = |(identity, host): (&SigningSecret, Option<u8>)| TablePlayer {
            identity: *identity.public().bytes(),
            name: String::new(),
            host,
        };
        let players = identities.iter().zip(hosts).map(player).collect();
        let table = Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap();
        assert_eq!(table.recovery, Recovery::Escrow(2));
        let (mut sessions, mut queue) = (Vec::new(), VecDeque::new());
        for (seat, identity) in (0u8..).zip(&identities) {
            let (session, out) =
                PeerSession::new(game, table.clone(), seat, identity, [seat; 32], Entropy::new([seat; 32]))
                    .unwrap();
            sessions.push(session);
            queue.push_back((seat, out));
        }
        while let Some((from, out)) = queue.pop_front() {
            for output in out {
                let SessionOutput::Request(SessionRequest::Send { bytes, .. }) = output else { continue };
                for to in (0..4u8).filter(|&to| to != from) {
                    let answer = sessions[usize::from(to)].handle(Input::Message { from: 0, bytes: &bytes });
                    queue.push_back((to, answer));
                }
            }
        }
        sessions
    }

    #[test]
    fn a_host_and_its_bots_cannot_open_the_keys_of_a_guest() {
        let sessions = opened();
        assert!(sessions.iter().all(|session| session.log.is_open()), "the table is open");
        let guest = fair_seat(1);
        let phase = Phase { game: sessions[0].id, id: PhaseId([7; 32]) };
        let absence = Absence {
            key: sessions[0].opening.roster.as_ref().unwrap().key(guest).unwrap(),
            due: DueContribution::Roll,
        };
        // Everything that the machines hold of the guest's keys, as stand-ins for a roll.
        let parts = |machine: &[usize]| {
            let held = machine.iter().flat_map(|&seat| {
                let session = &sessions[seat];
                session.opening.held.iter().map(move |held| (held, &session.me.as_ref().unwrap().secrets))
            });
            let held = held.filter(|(held, _)| held.dealer() == guest);
            let stand =
                |(held, secrets)| absence.stand_in(&phase, held, secrets, Entropy::new([5; 32])).unwrap().0;
            held.map(stand).collect::<Vec<_>>()
        };
        let host_and_bot = parts(&[0, 3]);
        assert_eq!(host_and_bot.len(), 1, "one machine holds one share");
        assert!(absence.recover(&phase, &host_and_bot).is_err());
        // Two machines can: that is the price of going on, and the table says so.
        let two_machines = parts(&[0, 2]);
        let value = absence.recover(&phase, &two_machines).unwrap().dice_value(&phase).unwrap();
        let own = pentarchy_fair::contribute(
            &phase,
            &sessions[1].me.as_ref().unwrap().secrets,
            Entropy::new([6; 32]),
        );
        assert_eq!(format!("{value:?}"), format!("{:?}", own.0));
        // No machine holds a share of its own seats.
        assert!(
            sessions[0]
                .opening
                .held
                .iter()
                .all(|held| ![fair_seat(0), fair_seat(3)].contains(&held.dealer()))
        );
        assert!(sessions[3].opening.held.is_empty());
    }

    /// Three peers that have each other's keys and nothing else, and the shares that the second has sealed.
    fn keyed() -> (Vec<PeerSession>, Seals) {
        let game = pentarchy_registry::find("numeral").unwrap();
        let identities = [1, 2, 3].map(|i| SigningSecret::new(Entropy::new([i; 32])));
        let player = |identity: &SigningSecret| TablePlayer {
            identity: *identity.public().bytes(),
            name: "Ada".into(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap();
        let mut sent = Vec::new();
        let mut sessions: Vec<PeerSession> = (0u8..3)
            .map(|seat| {
                let identity = &identities[usize::from(seat)];
                let (session, out) = PeerSession::new(
                    game,
                    descriptor.clone(),
                    seat,
                    identity,
                    [seat; 32],
                    Entropy::new([seat; 32]),
                )
                .unwrap();
                sent.extend(sends(out));
                session
            })
            .collect();
        let mut sealed = None;
        for bytes in sent {
            for session in &mut sessions {
                for bytes in sends(session.handle(Input::Message { from: 0, bytes: &bytes })) {
                    match Message::decode(&session.id, &bytes) {
                        Ok(Message::Seals(seals)) if seals.seat == 1 => sealed = Some(seals),
                        _ => {}
                    }
                }
            }
        }
        (sessions, sealed.unwrap())
    }

    fn sends(outputs: Vec<SessionOutput>) -> impl Iterator<Item = Vec<u8>> {
        outputs.into_iter().filter_map(|output| match output {
            SessionOutput::Request(SessionRequest::Send { bytes, .. }) => Some(bytes),
            _ => None,
        })
    }

    /// The seats against which a peer finds evidence in these messages.
    fn convicted(session: &mut PeerSession, messages: &[Vec<u8>]) -> Vec<u8> {
        let hear = |bytes: &Vec<u8>| session.handle(Input::Message { from: 0, bytes });
        let outputs: Vec<SessionOutput> = messages.iter().flat_map(hear).collect();
        let mut seats = Vec::new();
        for output in outputs {
            if let SessionOutput::Event(SessionEvent::Evidence(evidence)) = output {
                assert_eq!(evidence.judge(session.game).unwrap().offender, evidence.offender);
                seats.push(evidence.offender);
            }
        }
        seats
    }

    /// A dealer seals a wrong dice share for one table and a wrong lock share for another, both for the last seat.
    #[test]
    fn a_dealer_with_two_faces_cannot_make_an_honest_complaint_look_false() {
        let (mut sessions, honest) = keyed();
        let damaged = |sessions: &[PeerSession], from_end: usize| {
            let mut body = honest.body.clone();
            let at = body.len() - from_end;
            body[at] ^= 1;
            Message::Seals(sessions[1].seals_of(body)).encode(&sessions[1].id)
        };
        let (dice, lock) = (damaged(&sessions, 96), damaged(&sessions, 96 + 128));
        assert_eq!(convicted(&mut sessions[0], std::slice::from_ref(&dice)), [0u8; 0], "it is not its share");
        let out = sessions[2].handle(Input::Message { from: 0, bytes: &lock });
        let complaint: Vec<Vec<u8>> = sends(out).collect();
        assert!(complaint.len() >= 2, "the holder complains, and sends the shares along");
        // The dealer passes the complaint on without the shares that it is about.
        let alone: Vec<Vec<u8>> = complaint.iter().filter(|bytes| **bytes != lock).cloned().collect();
        assert_eq!(convicted(&mut sessions[0], &alone), [0u8; 0], "nobody is blamed for it");
        assert_eq!(convicted(&mut sessions[0], &complaint), [1u8], "the dealer signed both");
    }

    #[test]
    fn a_complaint_of_or_about_a_seat_that_the_table_does_not_have_is_rejected() {
        let (mut sessions, _) = keyed();
        for (seat, dealer) in [(3, 1), (1, 3), (255, 255)] {
            let signature = [0; 64].into();
            let complaint = Complaint { seat, dealer, which: 0, body: Vec::new(), signature };
            let bytes = Message::Complaint(complaint).encode(&sessions[0].id);
            let outputs = sessions[0].handle(Input::Message { from: 7, bytes: &bytes });
            let is_rejected = |output: &SessionOutput| {
                matches!(output, SessionOutput::Event(SessionEvent::Rejected { from: 7, .. }))
            };
            assert!(outputs.iter().any(is_rejected), "seat {seat} about seat {dealer}");
        }
        assert!(sessions[0].opening.complaints.is_empty());
    }
}
