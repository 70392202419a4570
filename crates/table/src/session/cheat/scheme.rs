//! What a simulated cheater prepares and signs.

use crate::hash::phase_id;
use crate::plan::{Duty, kind};
use crate::proofs::{Claimed, ProofError};
use crate::session::{Draw, PeerSession};
use crate::wire::{
    Anchor, Complaint, DropProposal, Header, Lateness, Message, Seals, Signature, Signed, SignedStatement,
    Statement,
};
use pentarchy_engine::any::{Act, RawClaim, RawEvent, RawEventKind};
use pentarchy_engine::{Observer, Rng, Seat, SeatSet, Token};
use pentarchy_fair::{Enrolment, Entropy, Phase, SeatSecrets, SigningSecret};

/// What a cheater has prepared for its last contribution.
#[derive(Clone, Default)]
pub(crate) struct Scheme {
    /// What it owed.
    pub(crate) duty: Option<Duty>,
    /// Another action that would have been as legal.
    pub(crate) spare: Option<Signed>,
    /// The action with a token that is not its own.
    pub(crate) unheld: Option<String>,
    /// An action that claims what is not true.
    pub(crate) lie: Option<Signed>,
    /// An action that the rules do not allow.
    pub(crate) illegal: Option<String>,
}

impl PeerSession {
    /// Returns alternatives to the action `signed` (`text` in canonical form) that this seat has just made:
    /// another legal one (of at most four tried), one with a foreign token, one with false claims, one that
    /// the rules reject. Parts for which there is none are `None`, and `duty` always is.
    pub(super) fn prepare_scheme(&self, signed: &Signed, text: &str) -> Scheme {
        let decides = self.step.as_ref().is_some_and(|step| step.plan.kind == kind::DECIDE);
        let list = if decides { self.state.rules.legal().unwrap_or_default() } else { Vec::new() };
        let mut draw = self.draw.clone();
        draw.drawn += 1 << 40;
        let other = list.iter().map(|choice| choice.canonical.as_str()).filter(|other| *other != text);
        let mut made =
            other.take(4).filter_map(|other| Some(self.make_act_with(other, &mut draw).ok()?.signed));
        let spare = made.find(|other| other.content(&self.id) != signed.content(&self.id));
        let unheld = match &signed.anchor {
            Anchor::Head(header) => self.find_unheld(&header.body),
            Anchor::Phase(_) => None,
        };
        let legal: Vec<&str> = list.iter().map(|choice| choice.canonical.as_str()).collect();
        let lie = self.find_lie(legal.iter().copied(), &mut draw);
        let illegal = self.find_illegal(&legal);
        Scheme { duty: None, spare, unheld, lie, illegal }
    }

    /// Returns a signed action with false claims and forged proofs, which all other peers would accept if the
    /// claims were true; `None` if none is found. Tries the action `rest`, and the first 24 of `legal` (actions
    /// in canonical text) with each own hidden token in place of the first token that they name. `draw` gives
    /// the randomness of the proofs.
    fn find_lie<'a>(&self, legal: impl Iterator<Item = &'a str>, draw: &mut Draw) -> Option<Signed> {
        let me = self.me.as_ref()?;
        let mine = |t: &u16| {
            let fact = self.state.rules.token_info(Token(*t));
            fact.owner == Some(Seat(me.seat)) && fact.public.is_none()
        };
        let own: Vec<u16> = (0..self.state.rules.token_count()).filter(mine).collect();
        let mut tried = vec!["rest".to_string()];
        for text in legal.take(24) {
            let Some((before, after)) = text.split_once('#') else { continue };
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            tried.extend(own.iter().map(|t| format!("{before}#{t}{}", &after[digits..])));
        }
        tried.iter().find_map(|text| self.sign_lie(text, draw))
    }

    /// Signs an action whose claims about hidden faces are false, with forged proofs. `None` if the text is
    /// no action here, makes no claims, shows or seals something, or is allowed with what this seat knows;
    /// also for a spectator, without a step under way, or if a proof cannot be forged.
    fn sign_lie(&self, text: &str, draw: &mut Draw) -> Option<Signed> {
        let (step, me) = (self.step.as_ref()?, self.me.as_ref()?);
        let act = self.state.rules.act(text).ok().filter(|act| act.shows.is_empty() && act.slip.is_none())?;
        let line = RawEvent::new(RawEventKind::Act(act.public.clone()));
        let mut next = self.state.rules.seen_by(Observer::Spectator);
        let claims = next.follow_line(&line).ok().filter(|claims| !claims.is_empty())?;
        if self.state.rules.clone_box().follow_line(&line).is_ok() {
            return None;
        }
        let header =
            Header { kind: step.plan.kind, prev: self.log.head, digest: step.digest, body: act.public };
        let id = phase_id(&header.step(&self.id, self.place(me.seat)), 0, [].into_iter());
        let claimed =
            Claimed { actor: me.seat, cards: &self.state.cards, before: &*self.state.rules, after: &*next };
        let phase = Phase { game: self.id, id };
        let payload = claimed.forge(&claims, &phase, &me.secrets, &mut || draw.entropy()).ok()?;
        self.sign(Anchor::Head(header), &id, payload)
    }

    /// Returns a message with this seat's keys and other proofs, signed by its identity; `None` for a
    /// spectator.
    pub(crate) fn other_keys(&self, identity: &SigningSecret) -> Option<Message> {
        let (me, public) = (self.me.as_ref()?, identity.public());
        let enrolment = Enrolment { game: self.id, identity: &public, escrow: self.descriptor.threshold() };
        let body = enrolment.enrol(&me.secrets, identity, &me.session, Entropy::new([me.seat; 32]));
        Some(Message::Keys { seat: me.seat, body })
    }

    /// Signs any bytes as the shares of this seat's keys. For a spectator: shares of seat 0 with a signature
    /// of zero bytes.
    pub(crate) fn seals_of(&self, body: Vec<u8>) -> Seals {
        let seat = self.seat().unwrap_or_default();
        let signature = self.sign_digest(&Seals::content(&self.id, seat, &body));
        Seals { seat, body, signature: signature.unwrap_or_else(|| [0; 64].into()) }
    }

    /// Returns a signed complaint about a dealer without any ground; `None` for a spectator or before the
    /// shares of that seat have arrived.
    pub(crate) fn complaint_about(&self, dealer: u8) -> Option<Complaint> {
        let (seat, which, body) = (self.seat()?, 0, vec![0; 96]);
        let seals = self.opening.seals.get(usize::from(dealer))?.as_ref()?;
        let signature = self.sign_digest(&Complaint::content(&self.id, seat, seals, which, &body))?;
        Some(Complaint { seat, dealer, which, body, signature })
    }

    /// Returns the action `body` (canonical public text) with a token of another seat in place of the first that
    /// it names, such that the result is canonical and the rules reject it; `None` if there is no such action,
    /// or `body` names no token.
    fn find_unheld(&self, body: &str) -> Option<String> {
        let at = body.find('#')?;
        let digits = body[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let foreign = |t: &u16| {
            let owner = self.state.rules.token_info(Token(*t)).owner;
            owner.is_some() && owner != self.seat().map(Seat)
        };
        let others = (0..self.state.rules.token_count()).filter(foreign);
        let mut named = others.map(|other| format!("{}#{other}{}", &body[..at], &body[at + 1 + digits..]));
        named.find(|text| {
            let refused = |line| self.state.rules.clone_box().follow_line(&line).is_err();
            self.state.rules.act(text).is_ok_and(|act| act.public == *text)
                && refused(RawEvent::new(RawEventKind::Act(text.clone())))
        })
    }

    /// Signs a contribution again with this seat's key after it was changed. Does nothing for a spectator.
    pub(crate) fn resign(&self, signed: &mut Signed) {
        if let Some(signature) = self.sign_digest(&signed.content(&self.id)) {
            signed.signature = signature;
        }
    }

    /// Signs an action of this seat although another seat is to act, with the text of the last action in the
    /// log, or `pass` if there is none: honest peers must reject it. `None` for a spectator, or if this seat
    /// is to act, no action is awaited, or the table is not open.
    pub(crate) fn out_of_turn(&self) -> Option<Signed> {
        let (step, me) = (self.step.as_ref()?, self.me.as_ref()?);
        if !self.is_act(&step.plan) || step.plan.actor == me.seat || !self.log.is_open() {
            return None;
        }
        let heard = self.log.steps.iter().rev().flat_map(|step| &step.messages).find_map(acted);
        let body = heard.unwrap_or("pass").to_string();
        let header = Header { kind: step.plan.kind, prev: self.log.head, digest: step.digest, body };
        let id = phase_id(&header.step(&self.id, self.place(me.seat)), 0, [].into_iter());
        self.sign(Anchor::Head(header), &id, Vec::new())
    }

    /// Returns an action in canonical form that the rules do not allow now, and that shows and seals nothing:
    /// one of the last 40 actions of the log, or one of `legal` with its last number replaced by one below 100.
    /// `None` if none is found.
    fn find_illegal(&self, legal: &[&str]) -> Option<String> {
        let heard = self.log.steps.iter().rev().flat_map(|step| &step.messages).filter_map(acted);
        let varied = legal.iter().flat_map(|text| (0..100).map(|n| with_number(text, n)));
        heard.take(40).map(str::to_string).chain(varied).find(|text| {
            let plain = |act: Act| act.public == *text && act.shows.is_empty() && act.slip.is_none();
            let refused = |line| self.state.rules.clone_box().follow_line(&line).is_err();
            self.state.rules.act(text).is_ok_and(plain)
                && refused(RawEvent::new(RawEventKind::Act(text.clone())))
        })
    }

    /// Signs a digest with the session key; `None` for a spectator.
    pub(in crate::session) fn sign_digest(&self, digest: &[u8; 32]) -> Option<Signature> {
        Some(self.me.as_ref()?.session.sign(digest).into())
    }

    /// Returns statements signed by this seat: that the seat `accused` is late, a vote to drop it and a rejection
    /// of that, and besides reports, votes, rejections and claims with steps, seats and rounds drawn from `rng`,
    /// most of them invalid. `None` for a spectator or between steps. Sends and stores nothing.
    pub(crate) fn accusations(&self, accused: u8, rng: &mut Rng) -> Option<Vec<Message>> {
        let (phase, seq) = (self.waiting_phase()?, self.log.len());
        let (prev, epoch) = (self.log.head, self.log.epoch());
        let plain = DropProposal { prev, epoch, seq, seats: SeatSet::only(Seat(accused)), round: 0 };
        let mut statements = vec![
            Statement::Late { phase, accused, how: Lateness::Silent },
            Statement::Late { phase: prev, accused: rng.below(256) as u8, how: Lateness::Unreachable },
            Statement::Drop { proposal: plain, unreachable: SeatSet::NONE },
            Statement::Reject(plain),
        ];
        for _ in 0..2 {
            let seq = (seq + 2).saturating_sub(rng.below(5));
            let prev = self.log.link(seq).unwrap_or([rng.below(256) as u8; 32]);
            let epoch = epoch.wrapping_add([0, 0, 1, u16::MAX][rng.below(4) as usize]);
            let (seats, round) = (SeatSet(rng.below(256) as u8), [0, 1, u8::MAX][rng.below(3) as usize]);
            let odd = DropProposal { prev, epoch, seq, seats, round };
            let vote = Statement::Drop { proposal: odd, unreachable: seats };
            statements.extend([vote, Statement::Reject(odd), Statement::Claim { prev, seats }]);
        }
        statements.into_iter().map(|statement| self.sign_statement(statement)).collect()
    }

    /// Signs a statement as this seat and returns it as a message; `None` for a spectator. Stores nothing.
    pub(crate) fn sign_statement(&self, statement: Statement) -> Option<Message> {
        let seat = self.seat()?;
        let signature = self.sign_digest(&SignedStatement::content(&self.id, seat, &statement))?;
        Some(Message::Statement(SignedStatement { seat, statement, signature }))
    }
}

impl Claimed<'_> {
    /// Creates what a cheater sends for claims that are not true: a valid proof where there is one, otherwise
    /// zero bytes of its length.
    ///
    /// # Errors
    ///
    /// Fails if a claim is impossible by what is public, or a ciphertext is missing.
    fn forge(
        &self,
        claims: &[RawClaim],
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: &mut dyn FnMut() -> Entropy,
    ) -> Result<Vec<u8>, ProofError> {
        let mut out = Vec::new();
        for claim in claims {
            let named: Vec<Token> = match claim {
                RawClaim::Some(ts, _, k) => ts.iter().copied().take(usize::from(*k)).collect(),
                _ => Vec::new(),
            };
            out.extend(named.iter().flat_map(|t| t.0.to_le_bytes()));
            for task in self.tasks(claim, &named)? {
                out.extend(task.prove(phase, secrets, entropy()).unwrap_or_else(|_| vec![0; task.len()]));
            }
        }
        Ok(out)
    }
}

/// Returns the public text of the action that a message makes; `None` if it makes none.
fn acted(signed: &Signed) -> Option<&str> {
    match &signed.anchor {
        Anchor::Head(header) => Some(&header.body),
        Anchor::Phase(_) => None,
    }
}

/// Returns an action with `n` in place of its last number; appends a space and `n` if it has none.
fn with_number(text: &str, n: u32) -> String {
    let digits = |c: char| c.is_ascii_digit();
    match text.rfind(digits) {
        Some(end) => {
            let start = text[..end].rfind(|c| !digits(c)).map_or(0, |at| at + 1);
            format!("{}{n}{}", &text[..start], &text[end + 1..])
        }
        None => format!("{text} {n}"),
    }
}
