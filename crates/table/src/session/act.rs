//! Actions: chosen by this seat, or checked when another made them.

use super::{Acted, Output, Session, Step};
use crate::hash::phase_id;
use crate::plan::kind;
use crate::proofs::{Claimed, Unproved};
use crate::wire::{Anchor, Header, Signed};
use pentarchy_engine::Token;
use pentarchy_engine::any::{Act, RawEvent, RawEventKind};
use pentarchy_fair::claim::{mint, verify_mint};
use pentarchy_fair::{self as fair, FacePoint, OperationError, Phase};

/// Why an action was not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Illegal {
    #[error("{0}")]
    Rules(String),
    #[error(transparent)]
    Unproved(#[from] Unproved),
    #[error(transparent)]
    Refused(#[from] OperationError),
}

impl From<fair::MessageError> for Illegal {
    fn from(rejected: fair::MessageError) -> Self {
        Illegal::Unproved(rejected.into())
    }
}

impl Session {
    /// The player chose.
    pub(super) fn choose(&mut self, text: &str) {
        let decides = self.step.as_ref().is_some_and(|step| {
            step.plan.kind == kind::DECIDE && Some(step.plan.actor) == self.seat() && step.verified.is_empty()
        });
        if !decides || self.is_over() || self.live >> self.seat().unwrap_or(7) & 1 == 0 {
            self.emit(Output::Refused("it is not this seat's turn to decide".into()));
            return;
        }
        match self.rules.parse_legal(text) {
            Ok(action) => self.chosen = Some(action),
            Err(e) => self.emit(Output::Refused(e.to_string())),
        }
    }

    /// What this seat was about to be asked is void.
    pub(super) fn unask(&mut self) {
        self.out.retain(|output| !matches!(output, Output::Choose));
    }

    /// Acts, if there is something to do: a duty, or a choice that was made. True if so.
    #[inline(never)]
    pub(super) fn act(&mut self) -> bool {
        let duty = self.step.as_ref().is_some_and(|step| step.plan.kind == kind::DECLARE);
        let text = match self.mine.clone().or_else(|| self.chosen.take()) {
            Some(text) => text,
            None if duty => match self.rules.legal().map(|list| list.into_iter().next()) {
                Ok(Some(only)) => only.canonical,
                _ => {
                    self.broken("a duty without an entry");
                    return false;
                }
            },
            None => {
                if !self.asked {
                    self.asked = true;
                    self.emit(Output::Choose);
                }
                return false;
            }
        };
        match self.make_act(&text) {
            Ok(signed) => {
                self.prepare_scheme(&signed, &text);
                self.give(signed, None);
                true
            }
            Err(e) if duty => {
                self.broken(format!("the duty of this seat cannot be done: {e}"));
                false
            }
            Err(e) => {
                self.mine = None;
                self.emit(Output::Refused(e.to_string()));
                false
            }
        }
    }

    fn make_act(&mut self, text: &str) -> Result<Signed, Illegal> {
        let mut draw = std::mem::take(&mut self.draw);
        let made = self.make_act_with(text, &mut draw);
        self.draw = draw;
        let (signed, private, pledged) = made?;
        self.pledged.extend(pledged);
        // The secret choice is stored before the message that seals it.
        self.persist(&super::store::Stored::Mine(private.clone()));
        self.mine = Some(private);
        Ok(signed)
    }

    pub(super) fn make_act_with(
        &self,
        text: &str,
        draw: &mut super::Draw,
    ) -> Result<(Signed, String, Vec<Token>), Illegal> {
        let (Some(step), Some(me)) = (&self.step, &self.me) else { return Err(OperationError::Empty.into()) };
        let rules = |e: pentarchy_engine::AnyError| Illegal::Rules(e.to_string());
        let private = self.rules.shuffle_twins(text, &self.pledged, &mut draw.rng()).map_err(rules)?;
        let act = self.rules.act(&private).map_err(rules)?;
        let header =
            Header { kind: step.plan.kind, prev: self.prev, digest: step.digest, body: act.public.clone() };
        let id = phase_id(&header.step(&self.id, self.place(me.seat)), 0, [].into_iter());
        let phase = Phase { game: self.id, id };
        let mut payload = Vec::new();
        let mut line = RawEvent::new(RawEventKind::Act(act.public.clone()));
        line.sealed = act.slip.is_some().then(|| private.clone());
        let locked = self.locked(&act.shows);
        if !locked.is_empty() {
            let own = self.own_tokens(me.seat, &locked)?;
            payload.extend(fair::strip(&phase, &me.secrets, &own, draw.entropy())?.1);
        }
        if !act.shows.is_empty() {
            for &t in &act.shows {
                let face = self.rules.token_info(t).face.ok_or(OperationError::NoFace)?;
                line.shown.push((t, face));
            }
        }
        if let Some(slip) = &act.slip {
            let menu = self.menu(&slip.menu)?;
            let choice =
                slip.menu.iter().position(|&f| Some(f) == slip.choice).ok_or(OperationError::False)?;
            payload.extend(mint(&phase, &me.secrets, &menu, choice, draw.entropy())?.1);
        }
        let mut next = self.rules.clone_box();
        let claims = next.follow_line(&line).map_err(rules)?;
        let claimed = Claimed { actor: me.seat, cards: &self.cards, before: &*self.rules, after: &*next };
        let mut rng = draw.rng();
        let pledged =
            claimed.prove(&claims, &phase, &me.secrets, &mut || draw.entropy(), &mut rng, &mut payload)?;
        let signed = self.sign(Anchor::Head(header), &id, payload).ok_or(OperationError::Empty)?;
        Ok((signed, private, pledged))
    }

    fn own_tokens(&self, seat: u8, tokens: &[Token]) -> Result<Vec<fair::CipherToken>, OperationError> {
        let own = |t: &Token| {
            let own = self.cards.slot(*t)?.private_of(seat).copied();
            own.map(fair::CipherToken::Private).ok_or(OperationError::NotOwner(crate::cards::fair_seat(seat)))
        };
        tokens.iter().map(own).collect()
    }

    /// Those of the tokens that not everybody can read already.
    fn locked(&self, tokens: &[Token]) -> Vec<Token> {
        tokens.iter().copied().filter(|&t| self.cards.open_face(t).is_none()).collect()
    }

    fn menu(&self, faces: &[u8]) -> Result<Vec<FacePoint>, OperationError> {
        faces.iter().map(|&f| self.cards.face(f).copied()).collect()
    }

    /// Checks an action: legal by the rules, the shown faces are those of the tokens, every claim is proved. Gives
    /// what it does, and how many proofs there were.
    pub(super) fn check_act(
        &self,
        step: &Step,
        header: &Header,
        signed: &Signed,
    ) -> Result<(Acted, u32), Illegal> {
        let seat = step.plan.actor;
        let rules = |e: pentarchy_engine::AnyError| Illegal::Rules(e.to_string());
        let act: Act = self.rules.act(&header.body).map_err(rules)?;
        if act.public != header.body {
            return Err(Illegal::Rules("the action is not in its canonical public form".into()));
        }
        let roster = self.roster.as_ref().ok_or(OperationError::Empty)?;
        let key = roster.key(crate::cards::fair_seat(seat))?;
        let phase = Phase { game: self.id, id: signed.phase(&self.id) };
        let mut bytes = signed.payload.as_slice();
        let mut proofs = 0;
        let mut line = RawEvent::new(RawEventKind::Act(header.body.clone()));
        let locked = self.locked(&act.shows);
        for &t in act.shows.iter().filter(|t| !locked.contains(t)) {
            line.shown.push((t, self.cards.open_face(t).ok_or(OperationError::NoFace)?));
        }
        if !locked.is_empty() {
            let own = self.own_tokens(seat, &locked)?;
            let (shares, rest) = bytes.split_at_checked(32 * own.len() + 64).ok_or(Unproved::Short)?;
            bytes = rest;
            let shares = fair::verify_strip(&phase, key, &own, shares)?;
            for ((t, token), share) in locked.iter().zip(&own).zip(&shares) {
                let open = token.unlock(share)?;
                let face = open.public().ok_or(OperationError::NoFace)?.face(&self.cards.faces)?;
                line.shown.push((*t, face.index() as u8));
            }
            proofs += 1;
        }
        line.shown.sort_unstable_by_key(|(t, _)| *t);
        let mut laid = None;
        if let Some(slip) = &act.slip {
            let menu = self.menu(&slip.menu)?;
            let (minted, rest) = bytes.split_at_checked(64 + 64 * menu.len()).ok_or(Unproved::Short)?;
            bytes = rest;
            laid = Some((slip.token, verify_mint(&phase, key, &menu, minted)?));
            proofs += 1;
            if Some(seat) == self.seat() {
                line.sealed.clone_from(&self.mine);
            }
        }
        let mut next = self.rules.clone_box();
        let claims = next.follow_line(&line).map_err(rules)?;
        let claimed = Claimed { actor: seat, cards: &self.cards, before: &*self.rules, after: &*next };
        proofs += claimed.verify(&claims, &phase, key, &mut bytes)?;
        if !bytes.is_empty() {
            return Err(Unproved::Short.into());
        }
        line.sealed = None;
        Ok((Acted { next, line, slip: laid }, proofs))
    }
}
