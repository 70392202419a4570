//! What a page sends whose script was changed, for tests of what then happens to it. In nothing that is shipped.

use super::{Session, Step};
use crate::wire::{Anchor, Message};
use pentarchy_engine::Observer;

/// What is forged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forgery {
    /// The next action is signed over another state than that of the table.
    State,
    /// Instead of the next action, one is signed that the rules do not allow.
    Illegal,
    /// An action is signed while another seat is to decide.
    Turn,
    /// An action is sent in the name of the seat that is to decide.
    Name,
}

impl Forgery {
    /// The forgery of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "state" => Forgery::State,
            "illegal" => Forgery::Illegal,
            "turn" => Forgery::Turn,
            "name" => Forgery::Name,
            _ => return None,
        })
    }
}

impl Session {
    /// From now on this session prepares what it may forge.
    pub fn prepare_forgery(&mut self) {
        self.turn_bad();
    }

    /// What goes out instead of this message; none if it is no action of this seat, or not what is forged.
    pub fn forged(&self, forgery: Forgery, message: &[u8]) -> Option<Vec<u8>> {
        let Ok(Message::Step(mut signed)) = Message::decode(&self.id, message) else { return None };
        let Anchor::Head(header) = &mut signed.anchor else { return None };
        if signed.place.seat != self.seat()? {
            return None;
        }
        match forgery {
            Forgery::State => header.digest[0] ^= 1,
            Forgery::Illegal => {
                header.body = self.scheme()?.illegal.clone()?;
                signed.payload.clear();
            }
            Forgery::Turn | Forgery::Name => return None,
        }
        self.resign(&mut signed);
        Some(Message::Step(signed).encode(&self.id))
    }

    /// A contribution of this seat with other words or another payload, signed again; none if the message is no
    /// contribution of this seat.
    pub fn rewritten(&self, message: &[u8], words: Option<&str>, payload: Option<&[u8]>) -> Option<Vec<u8>> {
        let Ok(Message::Step(mut signed)) = Message::decode(&self.id, message) else { return None };
        if signed.place.seat != self.seat()? {
            return None;
        }
        if let (Some(words), Anchor::Head(header)) = (words, &mut signed.anchor) {
            header.body = words.into();
        }
        if let Some(payload) = payload {
            signed.payload = payload.to_vec();
        }
        self.resign(&mut signed);
        Some(Message::Step(signed).encode(&self.id))
    }

    /// A spectator who has seen what this peer has and believes it: so that very many messages can be tried on one moment
    /// of a game. None in the middle of an action.
    pub fn onlooker(&self) -> Option<Session> {
        let mut onlooker = Session::watch(self.game, self.descriptor.clone()).ok()?;
        onlooker.rules = self.rules.seen_by(Observer::Spectator);
        onlooker.cards = self.cards.clone();
        onlooker.keys = self.keys.clone();
        onlooker.seals = self.seals.clone();
        onlooker.starts = self.starts.clone();
        onlooker.roster = self.roster.clone();
        (onlooker.live, onlooker.branch, onlooker.prev) = (self.live, self.branch, self.prev);
        onlooker.log = self.log.clone();
        onlooker.step = match &self.step {
            None => None,
            Some(step) if step.acted.is_some() => return None,
            Some(Step { plan, digest, id, phase, got, verified, work, acted: _ }) => Some(Step {
                plan: plan.clone(),
                digest: *digest,
                id: *id,
                phase: *phase,
                got: got.clone(),
                verified: verified.clone(),
                work: work.clone(),
                acted: None,
            }),
        };
        Some(onlooker)
    }

    /// A message that nobody has asked this seat for; none if that is not what is forged, or now is not the time.
    pub fn uncalled(&self, forgery: Forgery) -> Option<Vec<u8>> {
        let mut signed = self.out_of_turn()?;
        match forgery {
            Forgery::Turn => {}
            Forgery::Name => {
                signed.place.seat = self.step.as_ref()?.plan.actor;
                self.resign(&mut signed);
            }
            Forgery::State | Forgery::Illegal => return None,
        }
        Some(Message::Step(signed).encode(&self.id))
    }
}
