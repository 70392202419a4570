//! The shares of every seat's keys, sealed to the others before the start, so that they can go on without it; and the
//! complaint of whoever got a wrong one.

use super::{Session, To};
use crate::cards::fair_seat;
use crate::wire::{Complaint, Message, Seals};
use pentarchy_fair::escrow::{self, SealedShares, Which};
use pentarchy_fair::{Roster, SeatKey};

impl Session {
    /// Seals this seat's shares if it is time; true once those of all seats are there, or none are wanted.
    pub(super) fn seal(&mut self) -> bool {
        let Some(threshold) = self.descriptor.threshold() else { return true };
        let mine = self.me.as_ref().filter(|me| self.seals[usize::from(me.seat)].is_none());
        if let (Some(me), Some(roster), false) = (mine, &self.roster, self.restoring) {
            let entropy = self.draw.entropy();
            let sealed = escrow::deal(&self.id, &me.secrets, threshold, &holders(roster, me.seat), entropy);
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
            self.send(To::All, &message);
        }
        self.seals.iter().all(Option::is_some)
    }

    fn sealed_for(&self, seals: &Seals, holder: u8) -> Result<Option<SealedShares>, String> {
        let roster = self.roster.as_ref().ok_or("not all keys are there yet")?;
        let dealer = roster.key(fair_seat(seals.seat)).map_err(|e| e.to_string())?;
        let all = escrow::verify_deal(&self.id, dealer, &holders(roster, seals.seat), &seals.body);
        let all = all.map_err(|e| e.to_string())?;
        Ok(all.into_iter().find(|sealed| sealed.holder() == fair_seat(holder)))
    }

    /// A seat's sealed shares. True if they are new.
    pub(super) fn take_seals(&mut self, seals: Seals) -> Result<bool, String> {
        let (Some(roster), Some(_)) = (&self.roster, self.descriptor.threshold()) else {
            return Err("no shares are due now".into());
        };
        let dealer = roster.key(fair_seat(seals.seat)).map_err(|e| e.to_string())?.clone();
        let slot = self.seals.get(usize::from(seals.seat)).ok_or("there is no such seat")?;
        if slot.as_ref().is_some_and(|known| known.body == seals.body) {
            return Ok(false);
        }
        if !seals.is_signed_by(&self.id, dealer.session()) {
            return Err(format!("shares that seat {} has not signed", seals.seat));
        }
        if let Some(known) = slot.clone() {
            let why = format!("seat {} has signed two different sets of shares", seals.seat);
            self.opening_crime(seals.seat, why.clone(), vec![Message::Seals(known), Message::Seals(seals)]);
            return Err(why);
        }
        self.trust.signatures += 1;
        let me = self.me.as_ref().map(|me| me.seat).filter(|&seat| seat != seals.seat);
        let sealed = match self.sealed_for(&seals, me.unwrap_or(seals.seat)) {
            Ok(sealed) => sealed,
            Err(why) => {
                self.opening_crime(seals.seat, why.clone(), vec![Message::Seals(seals)]);
                return Err(why);
            }
        };
        self.trust.proofs += 2 * (u32::from(self.descriptor.seats()) - 1);
        if let (Some(sealed), Some(me)) = (sealed.filter(|_| me.is_some()), &self.me) {
            match sealed.open(&dealer, &me.secrets) {
                Ok(held) => self.held.push(held),
                Err(e) => {
                    self.complain(&sealed, &dealer, seals);
                    return Err(e.to_string());
                }
            }
        }
        let seat = usize::from(seals.seat);
        self.seals[seat] = Some(seals);
        for complaint in std::mem::take(&mut self.complaints) {
            // One that does not hold, or is about other shares, says nothing about these.
            let _ = self.take_complaint(complaint);
        }
        Ok(true)
    }

    /// This seat's share is wrong: it is opened to all, who see who lied.
    fn complain(&mut self, sealed: &SealedShares, dealer: &SeatKey, seals: Seals) {
        let entropy = [self.draw.entropy(), self.draw.entropy()];
        let Some(me) = self.me.as_ref().filter(|_| !self.restoring) else { return };
        for (which, entropy) in [Which::Lock, Which::Dice].into_iter().zip(entropy) {
            let Ok(body) = sealed.complain(dealer, which, &me.secrets, entropy) else { continue };
            let which = which as u8;
            let content = Complaint::content(&self.id, me.seat, which, &seals, &body);
            let signature = me.session.sign(&content).into();
            let complaint = Complaint { seat: me.seat, dealer: seals.seat, which, body, signature };
            // The seals travel along: not everybody may have them.
            for message in [Message::Seals(seals.clone()), Message::Complaint(complaint.clone())] {
                self.send(To::All, &message);
            }
            let why = "it sealed a share that is not on its polynomial".to_string();
            let proof = vec![Message::Seals(seals), Message::Complaint(complaint)];
            return self.opening_crime(proof_seat(&proof), why, proof);
        }
    }

    /// Somebody's complaint: either the dealer lied, or whoever complains.
    pub(super) fn take_complaint(&mut self, complaint: Complaint) -> Result<(), String> {
        let roster = self.roster.as_ref().ok_or("not all keys are there yet")?;
        let key = |seat: u8| roster.key(fair_seat(seat)).cloned().map_err(|e| e.to_string());
        let (holder, dealer) = (key(complaint.seat)?, key(complaint.dealer)?);
        let seals = self.seals.get(usize::from(complaint.dealer)).cloned().flatten();
        let Some(seals) = seals else {
            // Without the seals nothing can be said yet.
            if self.complaints.len() < 16 {
                self.complaints.push(complaint);
            }
            return Ok(());
        };
        if !complaint.is_signed_by(&self.id, holder.session(), &seals) {
            return Err(format!(
                "a complaint that seat {} has not signed about these shares",
                complaint.seat
            ));
        }
        let sealed = self.sealed_for(&seals, complaint.seat)?.ok_or("nothing was sealed to this seat")?;
        let which = if complaint.which == 0 { Which::Lock } else { Which::Dice };
        let judged = sealed.judge(&dealer, &holder, which, &complaint.body);
        let (seat, why) = match judged {
            Ok(fault) => (complaint.dealer, fault.to_string()),
            Err(fault) => (complaint.seat, fault.to_string()),
        };
        self.opening_crime(seat, why, vec![Message::Seals(seals), Message::Complaint(complaint)]);
        Ok(())
    }
}

/// All seats but the dealer, in order.
fn holders(roster: &Roster, dealer: u8) -> Vec<&SeatKey> {
    let others = roster.seats().without(fair_seat(dealer));
    others.iter().filter_map(|seat| roster.key(seat).ok()).collect()
}

/// The dealer of whom the proof is.
fn proof_seat(proof: &[Message]) -> u8 {
    match proof.first() {
        Some(Message::Seals(seals)) => seals.seat,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use crate::session::{Input, Output};
    use crate::wire::{Message, Seals};
    use crate::{Descriptor, Player, Session};
    use pentarchy_fair::{Entropy, SigningSecret};

    /// Three peers that have each other's keys and nothing else, and the shares that the second has sealed.
    fn keyed() -> (Vec<Session>, Seals) {
        let game = pentarchy_registry::find("numeral").unwrap();
        let identities = [1, 2, 3].map(|i| SigningSecret::new(Entropy::new([i; 32])));
        let player = |identity: &SigningSecret| Player {
            identity: *identity.public().bytes(),
            name: "Ada".into(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap();
        let mut sent = Vec::new();
        let mut sessions: Vec<Session> = (0u8..3)
            .map(|seat| {
                let identity = &identities[usize::from(seat)];
                let (session, out) =
                    Session::new(game, descriptor.clone(), seat, identity, [seat; 32]).unwrap();
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

    fn sends(outputs: Vec<Output>) -> impl Iterator<Item = Vec<u8>> {
        outputs.into_iter().filter_map(|output| match output {
            Output::Send { bytes, .. } => Some(bytes),
            _ => None,
        })
    }

    /// The seats against which a peer finds evidence in these messages.
    fn convicted(session: &mut Session, messages: &[Vec<u8>]) -> Vec<u8> {
        let hear = |bytes: &Vec<u8>| session.handle(Input::Message { from: 0, bytes });
        let outputs: Vec<Output> = messages.iter().flat_map(hear).collect();
        let mut seats = Vec::new();
        for output in outputs {
            if let Output::Evidence(evidence) = output {
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
        let damaged = |sessions: &[Session], from_end: usize| {
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
}
