//! The opening: keys with proofs, then everybody signs the start.

use super::{Output, Session, To};
use crate::cards::fair_seat;
use crate::descriptor::Unusable;
use crate::hash::hash;
use crate::wire::{Message, Signature};
use pentarchy_fair::{Enrolment, Roster, SigningSecret};

impl Session {
    pub(super) fn enrol(&mut self, identity: &SigningSecret) -> Result<(), Unusable> {
        let entropy = self.draw.entropy();
        let Some(me) = &self.me else { return Ok(()) };
        let (seat, public) = (me.seat, identity.public());
        let enrolment = Enrolment { game: self.id, identity: &public, escrow: self.descriptor.threshold() };
        let body = enrolment.enrol(&me.secrets, identity, &me.session, entropy);
        let message = Message::Keys { seat, body: body.clone() };
        self.persist_message(&message);
        self.take_keys(seat, body).map_err(Unusable)?;
        self.send(To::All, &message);
        Ok(())
    }

    /// A seat's keys. The reason is for whoever brought bad ones: they are signed by the seat's identity only if they
    /// are good.
    pub(super) fn take_keys(&mut self, seat: u8, body: Vec<u8>) -> Result<bool, String> {
        let Some(slot) = self.keys.get(usize::from(seat)) else { return Err("there is no such seat".into()) };
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
                if self.prev == [0; 32] && is_signed(&body) {
                    self.broken("your seat is played on another device that has the same identity");
                }
            } else if is_signed(&body) {
                let known = Message::Keys { seat, body: known.clone() };
                let why = "it signed two different sets of keys for one game".to_string();
                self.opening_crime(seat, why, vec![known, Message::Keys { seat, body }]);
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
                    self.opening_crime(seat, e.to_string(), vec![Message::Keys { seat, body }]);
                }
                return Err(e.to_string());
            }
        };
        self.keys[usize::from(seat)] = Some((key, body));
        self.trust.signatures += 1;
        self.trust.proofs += 2;
        Ok(true)
    }

    /// What everybody signs: all keys, and all sealed shares if there are any.
    fn start_link(&self, roster: &Roster) -> [u8; 32] {
        if self.descriptor.threshold().is_none() {
            return roster.start();
        }
        let start = roster.start();
        let mut parts: Vec<&[u8]> = vec![&start];
        parts.extend(self.seals.iter().flatten().map(|seals| seals.body.as_slice()));
        hash("pentarchy sealed start v1", &parts)
    }

    pub(super) fn take_start(&mut self, seat: u8, signature: Signature) -> Result<bool, String> {
        let sealed = self.descriptor.threshold().is_none() || self.seals.iter().all(Option::is_some);
        let Some(roster) = self.roster.as_ref().filter(|_| sealed) else {
            return Err("not all keys are there yet".into());
        };
        let key = roster.key(fair_seat(seat)).map_err(|e| e.to_string())?;
        if self.starts[usize::from(seat)].is_some() {
            return Ok(false);
        }
        if !signature.verifies(key.session(), &self.start_link(roster)) {
            self.compare_opening(seat);
            return Err(format!("the start is not signed by seat {seat}"));
        }
        self.starts[usize::from(seat)] = Some(signature);
        self.trust.signatures += 1;
        Ok(true)
    }

    /// What a seat has signed does not fit the keys and shares that are here: somebody may have sent different ones to
    /// different players. All of them are sent to all, once for each seat; who signed two is known then.
    pub(super) fn compare_opening(&mut self, seat: u8) {
        if self.compared >> seat & 1 != 0 || self.prev != [0; 32] {
            return;
        }
        self.compared |= 1 << seat;
        let keys = (0u8..).zip(&self.keys);
        let keys = keys.filter_map(|(seat, key)| Some(Message::Keys { seat, body: key.as_ref()?.1.clone() }));
        let seals = self.seals.iter().flatten().cloned().map(Message::Seals);
        for message in keys.chain(seals).collect::<Vec<_>>() {
            self.send(To::All, &message);
        }
    }

    /// Goes on with the opening; true once it is over.
    pub(super) fn open(&mut self) -> bool {
        self.prev != [0; 32] || self.open_further()
    }

    #[inline(never)]
    fn open_further(&mut self) -> bool {
        if self.roster.is_none() {
            let keys: Option<Vec<_>> = self.keys.iter().map(|key| Some(key.as_ref()?.0.clone())).collect();
            let Some(keys) = keys else { return false };
            match Roster::new(self.id, keys) {
                Ok(roster) => self.roster = Some(roster),
                Err(e) => {
                    self.broken(e.to_string());
                    return false;
                }
            }
        }
        if self.stopped || !self.seal() || self.cheats != 0 {
            return false;
        }
        let Some(start) = self.roster.as_ref().map(|roster| self.start_link(roster)) else { return false };
        if let Some(me) = self.me.as_ref().filter(|me| self.starts[usize::from(me.seat)].is_none())
            && !self.restoring
        {
            let (seat, signature) = (me.seat, Signature::from(me.session.sign(&start)));
            self.starts[usize::from(seat)] = Some(signature);
            let message = Message::Start { seat, signature };
            self.persist_message(&message);
            self.send(To::All, &message);
        }
        if self.starts.iter().any(Option::is_none) {
            return false;
        }
        self.prev = start;
        self.early.clear();
        self.progressed();
        self.emit(Output::Opened);
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::session::{Input, Output};
    use crate::wire::{Message, Said, Saying, Signature};
    use crate::{Descriptor, Player, Session};
    use pentarchy_fair::{Entropy, SigningSecret};

    /// A device of a player, before it has heard anything, and what it says first.
    fn device(seat: u8, seed: u8) -> (Session, Vec<Output>) {
        let (descriptor, identities) = table();
        let game = pentarchy_registry::find("kuhn").unwrap();
        let entropy = Entropy::new([seed; 32]);
        Session::new(game, descriptor, seat, &identities[usize::from(seat)], [seed; 32], entropy).unwrap()
    }

    fn table() -> (Descriptor, [SigningSecret; 2]) {
        let game = pentarchy_registry::find("kuhn").unwrap();
        let identities = [1, 2].map(|i| SigningSecret::new(Entropy::new([i; 32])));
        let player = |identity: &SigningSecret| Player {
            identity: *identity.public().bytes(),
            name: "Ada".into(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        (Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).unwrap(), identities)
    }

    /// Two peers that have opened a table.
    fn opened() -> [Session; 2] {
        let mut queue = Vec::new();
        let mut sessions = [0u8, 1].map(|seat| {
            let (session, out) = device(seat, seat);
            queue.push((usize::from(seat), out));
            session
        });
        while let Some((from, out)) = queue.pop() {
            for output in out {
                if let Output::Send { bytes, .. } = output {
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
            Output::Send { bytes, .. } => Some(bytes.clone()),
            _ => None,
        });
        let keys = keys.unwrap();
        let stops = |session: &mut Session| {
            let out = session.handle(Input::Message { from: 0, bytes: &keys });
            out.iter().any(|o| matches!(o, Output::Broken(why) if why.contains("on another device")))
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
            let saying = Saying::Chat { n: 1, text: "hello".into() };
            let content = Said::content(&other.id, seat, &saying);
            let signed = other.me.as_ref().unwrap().session.sign(&content).into();
            let chat = Message::Said(Said { seat, saying, signature: signed });
            for message in [start, chat] {
                let bytes = message.encode(&session.id);
                let out = session.handle(Input::Message { from: 0, bytes: &bytes });
                assert!(
                    !out.iter().any(|o| matches!(o, Output::Chat { .. } | Output::Evidence(_))),
                    "{seat}"
                );
            }
        }
    }
}
