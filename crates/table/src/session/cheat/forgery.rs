//! Messages of a page with a changed script, for tests of how its peers react.

use crate::session::{LogStep, PeerSession};
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
    /// Returns the forgery of this name (`state`, `illegal`, `turn` or `name`); `None` if there is none.
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

impl PeerSession {
    /// Makes this session prepare what it may forge from now on. Call it before [`PeerSession::forged`].
    pub fn prepare_forgery(&mut self) {
        self.turn_bad();
    }

    /// Returns the encoded `message` with another digest of the table (`State`), or with an action that the
    /// rules do not allow and without proofs (`Illegal`), signed again by this seat. `None` if the message is no
    /// action of this seat, the forgery is `Turn` or `Name`, or no illegal action was prepared.
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

    /// Returns a contribution of this seat with another `payload` and, if it is an action, another text
    /// (`words`), signed again. `None` for either leaves it unchanged. Returns `None` if the message is no
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

    /// Returns a spectator with a copy of this peer's log and state, so that many messages can be tried at
    /// one point of a game. Votes, proofs of cheating and bots of dropped seats are not copied. `None` while
    /// an action was accepted and its step is not closed.
    pub fn onlooker(&self) -> Option<PeerSession> {
        let mut onlooker = PeerSession::watch(self.game, self.descriptor.clone()).ok()?;
        onlooker.state.rules = self.state.rules.seen_by(Observer::Spectator);
        onlooker.state.cards = self.state.cards.clone();
        onlooker.opening.keys = self.opening.keys.clone();
        onlooker.opening.seals = self.opening.seals.clone();
        onlooker.opening.starts = self.opening.starts.clone();
        onlooker.opening.roster = self.opening.roster.clone();
        onlooker.log = self.log.clone();
        onlooker.step = match &self.step {
            None => None,
            Some(step) if step.acted.is_some() => return None,
            Some(LogStep { plan, digest, id, phase, got, verified, work, acted: _ }) => Some(LogStep {
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

    /// Returns an encoded action of this seat while another seat is to act: signed in its own name (`Turn`)
    /// or in that of the seat to act (`Name`). `None` for other forgeries, for a spectator, if this seat is
    /// to act, or if no action is awaited.
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
