//! What simulated cheaters need of a session. No honest client ever does any of this.

use super::Session;
use crate::plan::{Duty, kind};
use crate::wire::{Anchor, Message, Said, Saying, Signature, Signed};
use pentarchy_engine::any::{PlainEvent, PlainLine};
use pentarchy_engine::{Seat, Token};

/// What a cheater has prepared for its last contribution.
#[derive(Clone, Default)]
pub(crate) struct Scheme {
    /// What it owed.
    pub(crate) duty: Option<Duty>,
    /// Another action that would have been as legal.
    pub(crate) spare: Option<Signed>,
    /// The action with a token that is not its own.
    pub(crate) unheld: Option<String>,
}

impl Session {
    /// From now on this session prepares what a cheater may need.
    pub(crate) fn turn_bad(&mut self) {
        self.scheme = Some(Box::default());
    }

    pub(crate) fn scheme(&self) -> Option<&Scheme> {
        self.scheme.as_deref()
    }

    pub(super) fn prepare_scheme(&mut self, signed: &Signed, text: &str) {
        if self.scheme.is_none() {
            return;
        }
        let decides = self.step.as_ref().is_some_and(|step| step.plan.kind == kind::DECIDE);
        let list = if decides { self.rules.legal().unwrap_or_default() } else { Vec::new() };
        let mut draw = self.draw.clone();
        draw.drawn += 1 << 40;
        let other = list.iter().map(|choice| choice.canonical.as_str()).filter(|other| *other != text);
        let mut made = other.take(4).filter_map(|other| Some(self.make_act_with(other, &mut draw).ok()?.0));
        let spare = made.find(|other| other.content(&self.id) != signed.content(&self.id));
        let unheld = match &signed.anchor {
            Anchor::Head(header) => self.unheld(&header.body),
            Anchor::Phase(_) => None,
        };
        self.scheme = Some(Box::new(Scheme { duty: None, spare, unheld }));
    }

    /// The action with a token of another seat in place of the first that it names, if the rules refuse that.
    fn unheld(&self, body: &str) -> Option<String> {
        let at = body.find('#')?;
        let digits = body[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let foreign = |t: &u16| {
            let owner = self.rules.fact(Token(*t)).owner;
            owner.is_some() && owner != self.seat().map(Seat)
        };
        let others = (0..self.rules.token_count()).filter(foreign);
        let mut named = others.map(|other| format!("{}#{other}{}", &body[..at], &body[at + 1 + digits..]));
        named.find(|text| {
            let refused = |line| self.rules.clone_box().follow_line(&line).is_err();
            self.rules.act(text).is_ok_and(|act| act.public == *text)
                && refused(PlainLine::new(PlainEvent::Act(text.clone())))
        })
    }

    /// Signs a message of this seat again after it was changed.
    pub(crate) fn resign(&self, signed: &mut Signed) {
        if let Some(signature) = self.sign_digest(&signed.content(&self.id)) {
            signed.signature = signature;
        }
    }

    /// A message of this seat with another action in it, signed as if it were right; none if it is no action.
    #[cfg(feature = "cheat")]
    pub fn forged(&self, message: &[u8]) -> Option<Vec<u8>> {
        let Ok(Message::Step(mut signed)) = Message::decode(&self.id, message) else { return None };
        let Anchor::Head(header) = &mut signed.anchor else { return None };
        if signed.place.seat != self.seat()? {
            return None;
        }
        header.digest[0] ^= 1;
        self.resign(&mut signed);
        Some(Message::Step(signed).encode(&self.id))
    }

    fn sign_digest(&self, digest: &[u8; 32]) -> Option<Signature> {
        Some(self.me.as_ref()?.session.sign(digest).into())
    }

    /// Claims that a seat stalls, and that the game goes on without it.
    pub(crate) fn accusation(&self, accused: u8) -> Option<Vec<Message>> {
        let (seat, prev, branch, seq) = (self.seat()?, self.prev, self.branch, self.log.len() as u32);
        let sayings = [
            Saying::Stall { phase: prev, accused },
            Saying::Without { prev, branch, seq, gone: 1 << accused },
        ];
        let said = |saying: Saying| {
            let signature = self.sign_digest(&Said::content(&self.id, seat, &saying))?;
            Some(Message::Said(Said { seat, saying, signature }))
        };
        sayings.into_iter().map(said).collect()
    }
}
