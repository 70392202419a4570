//! Actions: those of this seat are signed and proved, those of other seats are checked.

use super::{Acted, LogStep, PeerSession, SessionEvent, SessionOutput};
use crate::dice::Die;
use crate::duty::Verified;
use crate::hash::phase_id;
use crate::plan::kind;
use crate::proofs::{Claimed, ProofError};
use crate::wire::{Anchor, Header, Signed};
use pentarchy_engine::Token;
use pentarchy_engine::any::{Act, RawEvent, RawEventKind};
use pentarchy_engine::sorting::sort_by_key;
use pentarchy_fair::claim::{mint, verify_mint};
use pentarchy_fair::{self as fair, FacePoint, OperationError, Phase};

/// Why an action was not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum ActionError {
    #[error("{0}")]
    Rules(String),
    #[error(transparent)]
    Proof(#[from] ProofError),
    #[error(transparent)]
    Refused(#[from] OperationError),
}

impl From<fair::MessageError> for ActionError {
    /// Wraps the error of a proof.
    fn from(rejected: fair::MessageError) -> Self {
        ActionError::Proof(rejected.into())
    }
}

/// The contribution of an action that this seat has made.
pub(super) struct MadeAct {
    /// The contribution.
    pub(super) signed: Signed,
    /// What the action does.
    acted: Acted,
    /// The action with its secret choice, in canonical text.
    private: String,
    /// The tokens of which it proves something and that are shown next.
    pledged: Vec<Token>,
    /// The number of proofs in it.
    proofs: u32,
}

impl PeerSession {
    /// Notes the action that the player has chosen, in spoken or canonical text, in place of an earlier choice;
    /// [`PeerSession::advance`] then signs and sends it. Emits `Refused` if this seat has no decision to make
    /// (it is not its turn, the game is over, or the seat was dropped), or the text names no legal action.
    /// Ignored once an action for this decision has been sent.
    pub(super) fn choose(&mut self, text: &str) {
        let sent = self.step.as_ref().is_some_and(|step| {
            step.plan.kind == kind::DECIDE
                && Some(step.plan.actor) == self.seat()
                && !step.verified.is_empty()
        });
        if sent {
            return;
        }
        let decides = self.step.as_ref().is_some_and(|step| {
            step.plan.kind == kind::DECIDE && Some(step.plan.actor) == self.seat() && step.verified.is_empty()
        });
        if !decides || self.is_over() || !self.is_live(self.seat().unwrap_or(7)) {
            self.emit(SessionEvent::Refused("it is not your turn".into()));
            return;
        }
        match self.state.rules.parse_legal(text) {
            Ok(action) => self.turn.chosen = Some(action),
            Err(e) => self.emit(SessionEvent::Refused(e.to_string())),
        }
    }

    /// Removes every `Choose` from the outputs that the input under way has queued so far, because the step is
    /// void or the game is over: the player must not be asked any more.
    pub(super) fn withdraw_choice(&mut self) {
        self.out.retain(|output| !matches!(output, SessionOutput::Event(SessionEvent::Choose)));
    }

    /// Makes, stores and sends this seat's action: the one that it had made before a restart, otherwise what the
    /// player has chosen, otherwise its only action if the rules wait for a declaration. If a decision is not
    /// made yet, asks the player by `Choose`, once in a step. The caller must have checked that this seat owes
    /// an action. Returns whether an action was given; `false` also if the action is refused, which uses it up
    /// and emits `Refused`, or the session breaks because a declaration cannot be made.
    #[inline(never)]
    pub(super) fn act(&mut self) -> bool {
        let duty = self.step.as_ref().is_some_and(|step| step.plan.kind == kind::DECLARE);
        let text = match self.turn.next_action() {
            Some(text) => text,
            None if duty => match self.state.rules.duty() {
                Ok(only) => only,
                Err(e) => {
                    self.broken(e.to_string());
                    return false;
                }
            },
            None => {
                if self.turn.note_asked() {
                    self.emit(SessionEvent::Choose);
                }
                return false;
            }
        };
        match self.make_act(&text) {
            Ok(MadeAct { signed, acted, proofs, .. }) => {
                self.note_action(&signed, &text);
                self.give(signed, Verified::action(proofs), Some(acted));
                true
            }
            Err(e) if duty => {
                self.broken(format!("the duty of this seat cannot be done: {e}"));
                false
            }
            Err(e) => {
                self.turn.made = None;
                self.emit(SessionEvent::Refused(e.to_string()));
                false
            }
        }
    }

    /// Makes the contribution of the action `text` (canonical) and returns it; it is not stored or sent yet.
    /// Stores the text of the action with its secret choice, so that it stays the same after a restart, and
    /// notes for this turn the text and the tokens of which the action proves something and that are shown next.
    ///
    /// # Errors
    ///
    /// Fails with a reason for the player if the rules reject the action, or a claim in it cannot be proved.
    /// Nothing has changed then but this peer's randomness.
    fn make_act(&mut self, text: &str) -> Result<MadeAct, ActionError> {
        let mut draw = std::mem::take(&mut self.draw);
        let made = self.make_act_with(text, &mut draw);
        self.draw = draw;
        let made = made?;
        self.turn.pledged.extend_from_slice(&made.pledged);
        // The secret choice is stored before the message that seals it.
        self.persist(&super::store::Stored::Mine(made.private.clone()));
        self.turn.made = Some(made.private.clone());
        Ok(made)
    }

    /// Makes the contribution of the action `text` (canonical) to the step under way: the signed header, the
    /// faces that it shows, its sealed choice and the proofs of its claims. Hidden tokens that it names are
    /// first replaced by random ones of equal face, so that the choice among them tells nothing. Changes nothing
    /// but `draw`, which gives the randomness.
    ///
    /// # Errors
    ///
    /// Fails with a reason for the player if the rules reject the action, a claim in it cannot be proved, a
    /// ciphertext is missing, no step is under way, or this is a spectator.
    pub(super) fn make_act_with(&self, text: &str, draw: &mut super::Draw) -> Result<MadeAct, ActionError> {
        let (Some(step), Some(me)) = (&self.step, &self.me) else { return Err(OperationError::Empty.into()) };
        let rules = |e: pentarchy_engine::AnyError| ActionError::Rules(e.to_string());
        let private =
            self.state.rules.shuffle_twins(text, &self.turn.pledged, &mut draw.rng()).map_err(rules)?;
        let act = self.state.rules.act(&private).map_err(rules)?;
        let header = Header {
            kind: step.plan.kind,
            prev: self.log.head,
            digest: step.digest,
            body: act.public.clone(),
        };
        let id = phase_id(&header.step(&self.id, self.place(me.seat)), 0, [].into_iter());
        let phase = Phase { game: self.id, id };
        let mut payload = Vec::new();
        let mut line = RawEvent::new(RawEventKind::Act(act.public.clone()));
        line.sealed = act.slip.is_some().then(|| private.clone());
        let (locked, dice) = self.locked(&act.shows);
        let mut proofs = 0;
        if !locked.is_empty() {
            let own = self.own_tokens(me.seat, &locked)?;
            payload.extend(fair::strip(&phase, &me.secrets, &own, draw.entropy())?.1);
            proofs += 1;
        }
        for (_, die) in &dice {
            payload.extend(fair::contribute(&die.phase(self.id), &me.secrets, draw.entropy()).1);
            proofs += 1;
        }
        if !act.shows.is_empty() {
            for &t in &act.shows {
                let face = self.state.rules.token_info(t).face.ok_or(OperationError::NoFace)?;
                line.shown.push((t, face));
            }
        }
        let mut laid = None;
        if let Some(slip) = &act.slip {
            let menu = self.menu(&slip.menu)?;
            let choice =
                slip.menu.iter().position(|&f| Some(f) == slip.choice).ok_or(OperationError::False)?;
            let (minted, bytes) = mint(&phase, &me.secrets, &menu, choice, draw.entropy())?;
            payload.extend(bytes);
            laid = Some((slip.token, minted));
            proofs += 1;
        }
        let mut next = self.state.rules.clone_box();
        let claims = next.follow_line(&line).map_err(rules)?;
        let claimed =
            Claimed { actor: me.seat, cards: &self.state.cards, before: &*self.state.rules, after: &*next };
        let mut rng = draw.rng();
        let (pledged, claimed) =
            claimed.prove(&claims, &phase, &me.secrets, &mut || draw.entropy(), &mut rng, &mut payload)?;
        let signed = self.sign(Anchor::Head(header), &id, payload).ok_or(OperationError::Empty)?;
        line.sealed = None;
        let acted = Acted { next, line, slip: laid };
        Ok(MadeAct { signed, acted, private, pledged, proofs: proofs + claimed })
    }

    /// Returns for each of these tokens, in order, the ciphertext that only the seat can open.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if it has none of one of them, and with `NoFace` if there is no such token.
    fn own_tokens(&self, seat: u8, tokens: &[Token]) -> Result<Vec<fair::CipherToken>, OperationError> {
        let own = |t: &Token| {
            let own = self.state.cards.slot(*t)?.private_of(seat).copied();
            own.map(fair::CipherToken::Private).ok_or(OperationError::NotOwner(crate::cards::fair_seat(seat)))
        };
        tokens.iter().map(own).collect()
    }

    /// Returns those of the tokens whose faces not all peers can read, in two lists that keep their order: those
    /// that are no private dice, and the private dice with their data.
    fn locked(&self, tokens: &[Token]) -> (Vec<Token>, Vec<(Token, Die)>) {
        let die = |t: &Token| self.state.cards.slot(*t).ok().and_then(|slot| slot.die);
        let locked = tokens.iter().copied().filter(|&t| self.state.cards.open_face(t).is_none());
        let dice = locked.clone().filter_map(|t| Some((t, die(&t)?))).collect();
        (locked.filter(|t| die(t).is_none()).collect(), dice)
    }

    /// Returns the points of the faces with these numbers, in order.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if the game has no such face.
    fn menu(&self, faces: &[u8]) -> Result<Vec<FacePoint>, OperationError> {
        faces.iter().map(|&f| self.state.cards.face(f).copied()).collect()
    }

    /// Checks the action of the seat whose turn it is: it is legal by the rules, the shown faces are those of
    /// the tokens, and every claim is proved. Returns what it does and the number of proofs. Changes nothing.
    /// The caller has checked signature, place and header.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the rules reject it, it is not in canonical form, a proof is wrong or
    /// missing, or bytes are left over. Each of these proves that the author cheated.
    pub(super) fn check_act(
        &self,
        step: &LogStep,
        header: &Header,
        signed: &Signed,
    ) -> Result<(Acted, u32), ActionError> {
        let seat = step.plan.actor;
        let rules = |e: pentarchy_engine::AnyError| ActionError::Rules(e.to_string());
        let act: Act = self.state.rules.act(&header.body).map_err(rules)?;
        if act.public != header.body {
            return Err(ActionError::Rules("the action is not in its canonical public form".into()));
        }
        let roster = self.opening.roster.as_ref().ok_or(OperationError::Empty)?;
        let key = roster.key(crate::cards::fair_seat(seat))?;
        let phase = Phase { game: self.id, id: signed.phase(&self.id) };
        let mut bytes = signed.payload.as_slice();
        let mut proofs = 0;
        let mut line = RawEvent::new(RawEventKind::Act(header.body.clone()));
        let (locked, dice) = self.locked(&act.shows);
        line.shown.extend(act.shows.iter().filter_map(|&t| Some((t, self.state.cards.open_face(t)?))));
        if !locked.is_empty() {
            let own = self.own_tokens(seat, &locked)?;
            let (shares, rest) = bytes.split_at_checked(32 * own.len() + 64).ok_or(ProofError::Short)?;
            bytes = rest;
            let shares = fair::verify_strip(&phase, key, &own, shares)?;
            for ((t, token), share) in locked.iter().zip(&own).zip(&shares) {
                let open = token.unlock(share)?;
                let face = open.public().ok_or(OperationError::NoFace)?.face(&self.state.cards.faces)?;
                line.shown.push((*t, face.index() as u8));
            }
            proofs += 1;
        }
        for (t, die) in &dice {
            let (value, rest) = bytes.split_at_checked(96).ok_or(ProofError::Short)?;
            bytes = rest;
            let value = fair::verify_contribution(&die.phase(self.id), key, value)?;
            line.shown.push((*t, die.face(value)?));
            proofs += 1;
        }
        sort_by_key(&mut line.shown, |(t, _)| *t);
        let mut laid = None;
        if let Some(slip) = &act.slip {
            let menu = self.menu(&slip.menu)?;
            let (minted, rest) = bytes.split_at_checked(64 + 64 * menu.len()).ok_or(ProofError::Short)?;
            bytes = rest;
            laid = Some((slip.token, verify_mint(&phase, key, &menu, minted)?));
            proofs += 1;
            if Some(seat) == self.seat() {
                line.sealed.clone_from(&self.turn.made);
            }
        }
        let mut next = self.state.rules.clone_box();
        let claims = next.follow_line(&line).map_err(rules)?;
        let claimed =
            Claimed { actor: seat, cards: &self.state.cards, before: &*self.state.rules, after: &*next };
        proofs += claimed.verify(&claims, &phase, key, &mut bytes)?;
        if !bytes.is_empty() {
            return Err(ProofError::Short.into());
        }
        line.sealed = None;
        Ok((Acted { next, line, slip: laid }, proofs))
    }
}
