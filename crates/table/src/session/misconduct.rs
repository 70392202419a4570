//! Seats that are proved to have cheated, and the proofs.

use super::{PeerNumber, PeerSession, Recipient, SessionEvent};
use crate::cards::fair_seat;
use crate::evidence::{Crime, Evidence};
use crate::wire::{Message, Place, Signed};
use pentarchy_engine::{Seat, SeatSet};

/// The seats against which this peer holds proof, and the signed messages that prove it.
#[derive(Default)]
pub(super) struct Misconduct {
    pub(super) seats: SeatSet,
    /// What the seats signed, each with the place of the log that it is for. Cheating during the opening is not listed:
    /// a table with such a seat never opens.
    pub(super) proofs: Vec<(Place, Vec<Signed>)>,
}

impl Misconduct {
    /// Returns whether a seat is proved to have cheated.
    pub(super) fn has(&self, seat: u8) -> bool {
        self.seats.has(Seat(seat))
    }

    /// Returns whether the seat of this place is proved to have cheated at this place or before it.
    pub(super) fn is_proved_by(&self, place: Place) -> bool {
        self.proofs.iter().any(|(other, _)| other.seat == place.seat && *other <= place)
    }

    /// Returns whether a message is part of a known proof.
    pub(super) fn contains(&self, signed: &Signed) -> bool {
        self.proofs.iter().any(|(at, proof)| *at == signed.place && proof.contains(signed))
    }

    /// Returns the number of the first step of an epoch in which one of these seats cheated; `None` if none
    /// did.
    pub(super) fn first_step(&self, seats: SeatSet, epoch: u16) -> Option<u32> {
        let places = self.proofs.iter().map(|(place, _)| place);
        let of_seats = places.filter(|place| seats.has(Seat(place.seat)) && place.epoch == epoch);
        of_seats.map(|place| place.seq).min()
    }
}

impl PeerSession {
    /// Takes an accusation that the peer `from` has delivered: two messages of one seat. If they are for one
    /// place, differ, and the seat has signed both, reports the seat as a cheater; otherwise blames the
    /// deliverer. Ignores it before all keys have arrived, and for a seat that does not exist.
    pub(super) fn take_pair(&mut self, from: PeerNumber, one: Signed, two: Signed) {
        let seat = one.place.seat;
        let Some(key) = self.opening.roster.as_ref().and_then(|roster| roster.key(fair_seat(seat)).ok())
        else {
            return;
        };
        let guilty = one.place == two.place
            && one.content(&self.id) != two.content(&self.id)
            && [&one, &two].iter().all(|m| m.is_signed_by(&self.id, key.session()));
        if !guilty {
            return self.blame(from, "an accusation that proves nothing");
        }
        self.report_crime(seat, Crime::TwoFaced, vec![one, two]);
    }

    /// Notes and stores the proof that a seat has cheated, and sends it to all. If it is the seat's first
    /// offence, also marks the seat as a cheater and emits the evidence. Then considers the votes, which may
    /// drop the seat. `messages` are what the seat signed: two contradicting ones, or one that
    /// is wrong. The caller has checked them. No effect without messages, or if an offence of the seat at
    /// this place of the log or before it is known.
    pub(super) fn report_crime(&mut self, seat: u8, crime: Crime, messages: Vec<Signed>) {
        let Some(place) = messages.first().map(|message| message.place) else { return };
        if self.misconduct.is_proved_by(place) {
            return;
        }
        let proof = Message::Proof(messages.clone());
        self.persist_message(&proof);
        self.send(Recipient::All, &proof);
        self.misconduct.proofs.push((place, messages.clone()));
        if !self.misconduct.has(seat) {
            self.convict(seat, crime, messages, Vec::new());
        }
        self.consider_votes();
    }

    /// Convicts a seat that has provably cheated before the first step, for the reason `why`: sends the messages
    /// `opening` that prove it to all, marks the seat as a cheater and emits the evidence. The table never opens
    /// then. The caller has checked the proof. Stores nothing. Does nothing if the seat is already convicted or
    /// the table is open.
    pub(super) fn report_opening_crime(&mut self, seat: u8, why: String, opening: Vec<Message>) {
        // Once a table is open, what was said before cannot keep it from opening any more.
        if !self.misconduct.has(seat) && !self.log.is_open() {
            for message in &opening {
                self.send(Recipient::All, message);
            }
            self.convict(seat, Crime::Wrong(why), Vec::new(), opening);
        }
    }

    /// Marks a seat as a cheater, and emits the evidence: the record so far and the messages that prove the
    /// crime. The caller has checked the proof and that the seat is not convicted yet.
    fn convict(&mut self, seat: u8, crime: Crime, messages: Vec<Signed>, opening: Vec<Message>) {
        self.misconduct.seats.insert(Seat(seat));
        self.trust.cheats.push(seat);
        let (record, now) = (self.record(), self.step_contributions());
        let evidence = Evidence { offender: seat, crime, record, now, messages, opening };
        self.emit(SessionEvent::Evidence(Box::new(evidence)));
    }

    /// Returns the contributions to the step under way; empty between steps.
    fn step_contributions(&self) -> Vec<Signed> {
        self.step.iter().flat_map(|step| &step.got).map(|(message, _)| message.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Anchor;

    fn message(epoch: u16, seq: u32, seat: u8) -> Signed {
        let place = Place { epoch, seq, phase: 0, seat };
        Signed { place, anchor: Anchor::Phase([0; 32]), payload: Vec::new(), signature: [0; 64].into() }
    }

    #[test]
    fn the_first_offence_of_the_epoch_counts() {
        let mut misconduct = Misconduct::default();
        for signed in [message(0, 9, 1), message(0, 4, 1), message(0, 2, 2), message(1, 1, 1)] {
            misconduct.proofs.push((signed.place, vec![signed]));
        }
        assert_eq!(misconduct.first_step(SeatSet(0b010), 0), Some(4));
        assert_eq!(misconduct.first_step(SeatSet(0b110), 0), Some(2));
        assert_eq!(misconduct.first_step(SeatSet(0b001), 0), None);
        assert!(
            misconduct.is_proved_by(message(0, 5, 1).place)
                && !misconduct.is_proved_by(message(0, 3, 1).place)
        );
        assert!(misconduct.contains(&message(0, 9, 1)) && !misconduct.contains(&message(0, 8, 1)));
    }
}
