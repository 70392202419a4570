//! Claims about hidden faces: which proof each needs, making it, checking it.

use crate::cards::{Cards, fair_seat};
use crate::dice::Die;
use pentarchy_engine::any::RawClaim;
use pentarchy_engine::{AnyPosition, Rng, Token};
use pentarchy_fair::claim::{Branches, Category, Is, IsNot};
use pentarchy_fair::{
    self as fair, Entropy, FacePoint, OperationError, Phase, Private, SeatKey, SeatSecrets,
};

/// A claim is not proved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ProofError {
    #[error(transparent)]
    OperationError(#[from] OperationError),
    #[error(transparent)]
    MessageError(#[from] pentarchy_fair::MessageError),
    #[error("the proof is cut short")]
    Short,
    #[error("the claim names tokens that it cannot be about")]
    Names,
    #[error("what is claimed is impossible")]
    Impossible,
}

/// One statement about hidden faces that the actor must prove.
pub(crate) enum Task {
    /// The face of the token is one of these.
    Category(Private, Vec<FacePoint>),
    /// The token does not have this face.
    IsNot(Private, FacePoint),
    /// All conditions of at least one branch hold for the two tokens.
    Branches(Box<[Private; 2]>, Vec<Vec<Is>>),
    /// The face of a private die is in a set (bit i is face i): its value is published.
    Die(Die, u128),
}

impl Task {
    /// Returns the length of the proof in bytes. It depends only on public things.
    pub(crate) fn len(&self) -> usize {
        match self {
            Task::Category(_, menu) => 64 * menu.len(),
            Task::IsNot(..) => 128,
            Task::Branches(_, branches) => 64 * branches.len(),
            Task::Die(..) => 96,
        }
    }

    /// Creates the proof with the secrets of the actor, bound to the phase. The proof about a die is bound to
    /// the die instead.
    ///
    /// # Errors
    ///
    /// Fails with `False` if the claim is not true, with `NotOwner` if a token is not the actor's, and with
    /// `Absent` if a die is not.
    pub(crate) fn prove(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<Vec<u8>, OperationError> {
        match self {
            Task::Category(token, menu) => Category { token, menu }.prove(phase, secrets, entropy),
            Task::IsNot(token, face) => IsNot { token, face }.prove(phase, secrets, entropy),
            Task::Branches(tokens, branches) => {
                Branches { tokens: &**tokens, branches }.prove(phase, secrets, entropy)
            }
            Task::Die(die, set) => {
                let (value, bytes) = fair::contribute(&die.phase(phase.game), secrets, entropy);
                if set >> die.face(value)? & 1 == 0 {
                    return Err(OperationError::False);
                }
                Ok(bytes)
            }
        }
    }

    /// Verifies that `bytes` are a proof of this statement, made with the secrets of the key's seat for this
    /// phase; about a die, for that die.
    ///
    /// # Errors
    ///
    /// Fails if the proof is malformed, does not hold or is of another seat's die, and with `Impossible` if
    /// the die shows another face.
    fn verify(&self, phase: &Phase, key: &SeatKey, bytes: &[u8]) -> Result<(), ProofError> {
        match self {
            Task::Category(token, menu) => Category { token, menu }.verify(phase, key, bytes)?,
            Task::IsNot(token, face) => IsNot { token, face }.verify(phase, key, bytes)?,
            Task::Branches(tokens, branches) => {
                Branches { tokens: &**tokens, branches }.verify(phase, key, bytes)?;
            }
            Task::Die(die, set) => {
                let value = fair::verify_contribution(&die.phase(phase.game), key, bytes)?;
                if set >> die.face(value)? & 1 == 0 {
                    return Err(ProofError::Impossible);
                }
            }
        }
        Ok(())
    }
}

/// What claims are about: the tokens, and what was public of them before and after the event.
pub(crate) struct Claimed<'a> {
    /// The seat that makes and proves the claims.
    pub(crate) actor: u8,
    pub(crate) cards: &'a Cards,
    pub(crate) before: &'a dyn AnyPosition,
    pub(crate) after: &'a dyn AnyPosition,
}

impl Claimed<'_> {
    /// Returns the ciphertext of a token that only the actor can open.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if the actor has none, and with `NoFace` if there is no such token.
    fn own(&self, t: Token) -> Result<Private, OperationError> {
        let own = self.cards.slot(t)?.private_of(self.actor).copied();
        own.ok_or(OperationError::NotOwner(fair_seat(self.actor)))
    }

    /// Returns the faces that a token may have before the action, as far as is public: bit i is face i.
    fn possible_faces(&self, t: Token) -> u128 {
        self.before.token_info(t).may
    }

    /// Adds the task to prove that the face of `t` is in `set` (bit i is face i); adds nothing if that is
    /// already certain.
    ///
    /// # Errors
    ///
    /// Fails with `Impossible` if no possible face is in the set, and with `OperationError` if the actor has
    /// no private ciphertext of the token.
    fn add_category(&self, t: Token, set: u128, tasks: &mut Vec<Task>) -> Result<(), ProofError> {
        if let Some(face) = self.cards.open_face(t) {
            // The face is public: there is nothing to prove.
            return if set >> face & 1 != 0 { Ok(()) } else { Err(ProofError::Impossible) };
        }
        let may = self.possible_faces(t);
        if may & !set == 0 {
            return Ok(());
        }
        if may & set == 0 {
            return Err(ProofError::Impossible);
        }
        tasks.push(match self.cards.slot(t)?.die {
            Some(die) => Task::Die(die, set),
            None => Task::Category(self.own(t)?, self.cards.menu(may & set)?),
        });
        Ok(())
    }

    /// Adds the tasks to prove that the face of `t` is not in `set` (bit i is face i): by denying each face,
    /// or by proving one of all others, whichever is shorter. Adds nothing if that is already certain.
    ///
    /// # Errors
    ///
    /// Fails with `Impossible` if all possible faces are in the set, and with `OperationError` if the actor
    /// has no private ciphertext of the token.
    fn add_denial(&self, t: Token, set: u128, tasks: &mut Vec<Task>) -> Result<(), ProofError> {
        let may = self.possible_faces(t);
        let (denied, left) = ((may & set).count_ones(), (may & !set).count_ones());
        let card = self.cards.slot(t)?.die.is_none() && self.cards.open_face(t).is_none();
        if denied > 0 && 2 * denied < left && card {
            let token = self.own(t)?;
            tasks.extend(self.cards.menu(may & set)?.into_iter().map(|face| Task::IsNot(token, face)));
            return Ok(());
        }
        self.add_category(t, !set, tasks)
    }

    /// Adds the task to prove that the faces of `a` and `b` are one of `pairs`. A public face reduces it to a
    /// proof about the other token, two of them to a check.
    ///
    /// # Errors
    ///
    /// Fails with `Impossible` if no pair is possible, and with `OperationError` if the actor has no private
    /// ciphertext of a token.
    fn add_pair(
        &self,
        a: Token,
        b: Token,
        pairs: &[(u8, u8)],
        tasks: &mut Vec<Task>,
    ) -> Result<(), ProofError> {
        let set = |faces: &mut dyn Iterator<Item = u8>| faces.fold(0u128, |set, f| set | 1 << f);
        let open = |t| self.after.token_info(t).public.or_else(|| self.cards.open_face(t));
        match (open(a), open(b)) {
            (Some(x), Some(y)) if !pairs.contains(&(x, y)) => Err(ProofError::Impossible),
            (Some(_), Some(_)) => Ok(()),
            (Some(x), None) => {
                self.add_category(b, set(&mut pairs.iter().filter(|p| p.0 == x).map(|p| p.1)), tasks)
            }
            (None, Some(y)) => {
                self.add_category(a, set(&mut pairs.iter().filter(|p| p.1 == y).map(|p| p.0)), tasks)
            }
            (None, None) => {
                let (may_a, may_b) = (self.possible_faces(a), self.possible_faces(b));
                let possible = pairs.iter().filter(|(x, y)| may_a >> x & 1 != 0 && may_b >> y & 1 != 0);
                let branch = |&(x, y): &(u8, u8)| {
                    let is = |token, face| Ok(Is { token, face: *self.cards.face(face)? });
                    Ok(vec![is(0, x)?, is(1, y)?])
                };
                let branches = possible.map(branch).collect::<Result<Vec<_>, OperationError>>()?;
                if branches.is_empty() {
                    return Err(ProofError::Impossible);
                }
                tasks.push(Task::Branches(Box::new([self.own(a)?, self.own(b)?]), branches));
                Ok(())
            }
        }
    }

    /// Returns the statements that the actor must prove for a claim, in the order in which their proofs are in
    /// the payload; empty if the claim is certain without proof. For a claim that at least k tokens have certain
    /// faces, `named` are k of them, which are to be proved one by one; that they are of the claim is not
    /// checked here. `named` is ignored for other claims.
    ///
    /// # Errors
    ///
    /// Fails if a ciphertext is missing, or the claim is impossible.
    pub(crate) fn tasks(&self, claim: &RawClaim, named: &[Token]) -> Result<Vec<Task>, ProofError> {
        let mut tasks = Vec::new();
        match claim {
            RawClaim::In(t, set) => self.add_category(*t, *set, &mut tasks)?,
            RawClaim::NoneIn(ts, set) => {
                ts.iter().try_for_each(|&t| self.add_denial(t, *set, &mut tasks))?;
            }
            RawClaim::Some(_, set, _) => {
                named.iter().try_for_each(|&t| self.add_category(t, *set, &mut tasks))?;
            }
            RawClaim::Pair(a, b, pairs) => self.add_pair(*a, *b, pairs, &mut tasks)?,
        }
        Ok(tasks)
    }

    /// Appends the proofs of all claims of an action to `out`. For a claim that at least k tokens have
    /// certain faces it names k of them, drawn with `rng` so that their places tell nothing. Returns the
    /// named tokens, which the action shows next, and the number of proofs.
    ///
    /// # Errors
    ///
    /// Fails if a claim is false, or a ciphertext is missing. `out` may have grown then.
    pub(crate) fn prove(
        &self,
        claims: &[RawClaim],
        phase: &Phase,
        secrets: &SeatSecrets,
        entropy: &mut dyn FnMut() -> Entropy,
        rng: &mut Rng,
        out: &mut Vec<u8>,
    ) -> Result<(Vec<Token>, u32), ProofError> {
        let (mut pledged, mut proofs) = (Vec::new(), 0);
        for claim in claims {
            let mut named = Vec::new();
            if let RawClaim::Some(ts, set, k) = claim {
                let keeps = |t: &Token| self.before.token_info(*t).face.is_some_and(|f| set >> f & 1 != 0);
                named.extend(ts.iter().copied().filter(keeps));
                if named.len() < usize::from(*k) {
                    return Err(ProofError::Impossible);
                }
                // Any of them, not the first: their places in the hand tell nothing then.
                rng.shuffle(&mut named);
                named.truncate(usize::from(*k));
                named.sort_unstable();
                pledged.extend_from_slice(&named);
                out.extend(named.iter().flat_map(|t| t.0.to_le_bytes()));
            }
            for task in self.tasks(claim, &named)? {
                out.extend(task.prove(phase, secrets, entropy())?);
                proofs += 1;
            }
        }
        Ok((pledged, proofs))
    }

    /// Verifies the proofs of all claims of an action, which it takes off the front of `bytes`. What follows
    /// them stays in `bytes` for the caller. Returns their number. `phase` and `key` are those of the actor.
    ///
    /// # Errors
    ///
    /// Fails with `Short` if bytes are missing, `Names` if the named tokens are not ascending or not in the
    /// claim, `Impossible` for an impossible claim, `OperationError` if the actor has no private ciphertext
    /// of a token, and with the error of a proof that does not hold. Some bytes may be taken then.
    pub(crate) fn verify(
        &self,
        claims: &[RawClaim],
        phase: &Phase,
        key: &SeatKey,
        bytes: &mut &[u8],
    ) -> Result<u32, ProofError> {
        let mut proofs = 0;
        for claim in claims {
            let mut named = Vec::new();
            if let RawClaim::Some(ts, _, k) = claim {
                for _ in 0..*k {
                    let (head, rest) = bytes.split_first_chunk::<2>().ok_or(ProofError::Short)?;
                    *bytes = rest;
                    named.push(Token(u16::from_le_bytes(*head)));
                }
                let ascending = named.windows(2).all(|pair| pair[0] < pair[1]);
                if !ascending || !named.iter().all(|t| ts.contains(t)) {
                    return Err(ProofError::Names);
                }
            }
            for task in self.tasks(claim, &named)? {
                let (proof, rest) = bytes.split_at_checked(task.len()).ok_or(ProofError::Short)?;
                *bytes = rest;
                task.verify(phase, key, proof)?;
                proofs += 1;
            }
        }
        Ok(proofs)
    }
}
