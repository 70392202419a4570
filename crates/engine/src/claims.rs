//! Conditions on hidden faces. Observers that know the faces check them; the author of the event proves them
//! to all others.

use crate::face::{Face, FaceSet};
use crate::faces::UNKNOWN;
use crate::facts::Trace;
use crate::rejected::RuleError;
use crate::size::Size;
use crate::token::Token;
use crate::tokens::Tokens;

/// An assertion of an event about hidden faces. All peers derive the same list from the same event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim<F: Face> {
    /// The face of the token is in the set.
    In(Token, FaceSet<F>),
    /// No token of the list has a face of the set.
    NoneIn(Vec<Token>, FaceSet<F>),
    /// At least this number of tokens of the list have a face of the set.
    Some(Vec<Token>, FaceSet<F>, u8),
    /// The two faces are one of the pairs.
    Pair(Token, Token, Vec<(F, F)>),
}

/// The interface of `apply` to the engine: states conditions on hidden faces, and reports facts of type `X`.
/// The rules can require a condition but cannot read a face.
pub struct Cx<'a, F: Face, X = ()> {
    /// The private face of each token, [`UNKNOWN`] for none; empty for a context that knows none.
    faces: &'a [u8],
    /// Where claims and facts are recorded, if anywhere.
    trace: Option<&'a mut Trace<F, X>>,
    /// The last claim that failed.
    failed: Option<RuleError>,
}

impl<F: Face, X> Cx<'static, F, X> {
    /// Creates a context that knows no private face and drops claims and facts: for rules that run outside of
    /// an event (the setup, an arranged position), or for a playout whose actions need no check.
    #[inline(always)]
    pub const fn silent() -> Self {
        Cx { faces: &[], trace: None, failed: None }
    }
}

impl<'a, F: Face, X> Cx<'a, F, X> {
    /// Creates a context. `faces` are the private faces of the observer; claims and facts are appended to
    /// `trace` if given. Nothing is checked yet.
    #[inline(always)]
    pub(crate) fn new(faces: &'a [u8], trace: Option<&'a mut Trace<F, X>>) -> Self {
        Cx { faces, trace, failed: None }
    }

    /// Reports what the rules have just done. `fact` is called only if the caller of the rules records facts:
    /// playouts and searches pay one predictable branch, and never build a fact.
    #[inline(always)]
    pub fn emit(&mut self, fact: impl FnOnce() -> X) {
        if let Some(trace) = &mut self.trace {
            trace.add(fact);
        }
    }

    /// Returns the last failed claim; `None` if none failed. After a failed claim the caller must reject the
    /// event, even if the rules returned `Ok`.
    #[inline(always)]
    pub(crate) fn failed(&self) -> Option<RuleError> {
        self.failed
    }

    /// Returns `Err` if a claim failed. The caller must then reject the event, even if the rules returned
    /// `Ok`.
    ///
    /// Matches in place: a whole-struct load right after partial stores misses store forwarding (bench
    /// `playouts`).
    ///
    /// # Errors
    ///
    /// Fails with the last claim that failed; a failed claim stays recorded even if the rules go on.
    #[inline(always)]
    pub(crate) fn verdict(&self) -> Result<(), RuleError> {
        match &self.failed {
            None => Ok(()),
            Some(refused) => Err(*refused),
        }
    }

    /// Returns the face of a token if it is public or in the private faces of this context; `None` otherwise.
    fn known<S: Size>(&self, tokens: &Tokens<F, S>, t: Token) -> Option<F> {
        tokens.public_face(t).or_else(|| match self.faces.get(t.index()) {
            Some(&UNKNOWN) | None => None,
            Some(&f) => Some(F::nth(f)),
        })
    }

    /// Returns `Ok` if the claim holds. Otherwise records the failure for [`verdict`](Self::verdict) and
    /// returns it with `reason` and the token.
    ///
    /// # Errors
    ///
    /// Fails exactly if `holds` is false.
    fn judge(&mut self, holds: bool, reason: &'static str, t: Token) -> Result<(), RuleError> {
        if holds {
            return Ok(());
        }
        let refused = RuleError::of(reason, t);
        self.failed = Some(refused);
        Err(refused)
    }

    /// Requires that the face of `t` is in `set`. Records a claim if the token is hidden, even if it fails. A
    /// hidden face that this observer does not know passes if public information allows it: the author of the
    /// event must prove the claim.
    ///
    /// # Errors
    ///
    /// Rejects if public information, or a face that this observer knows, contradicts the claim.
    #[inline]
    pub fn require<S: Size>(
        &mut self,
        tokens: &Tokens<F, S>,
        t: Token,
        set: FaceSet<F>,
    ) -> Result<(), RuleError> {
        if !tokens.is_public(t)
            && let Some(trace) = &mut self.trace
        {
            trace.claims.push(Claim::In(t, set));
        }
        let holds = self.known(tokens, t).is_none_or(|f| set.has(f)) && tokens.may_be(t, set);
        self.judge(holds, "this token is not of the kind that is claimed", t)
    }

    /// Requires that no token of `ts` has a face of `set`. Records one claim about all hidden tokens among
    /// them, even if it fails; none if all are public. A hidden face that this observer does not know passes
    /// if public information allows one outside of `set`: the author of the event must prove the claim.
    ///
    /// # Errors
    ///
    /// Rejects with the first token for which public information, or a face that this observer knows,
    /// contradicts the claim.
    pub fn require_none<S: Size>(
        &mut self,
        tokens: &Tokens<F, S>,
        ts: impl Iterator<Item = Token> + Clone,
        set: FaceSet<F>,
    ) -> Result<(), RuleError> {
        let hidden = ts.clone().filter(|&t| !tokens.is_public(t));
        if let Some(trace) = &mut self.trace {
            let hidden: Vec<Token> = hidden.collect();
            if !hidden.is_empty() {
                trace.claims.push(Claim::NoneIn(hidden, set));
            }
        }
        for t in ts {
            let holds =
                self.known(tokens, t).is_none_or(|f| !set.has(f)) && tokens.may_be(t, set.complement());
            self.judge(holds, "this token is of the kind that is denied", t)?;
        }
        Ok(())
    }

    /// Requires that at least `k` tokens of `ts` have a face of `set`. Public tokens count; the claim is
    /// about the hidden ones and the number that is still missing. Records the claim even if it fails; none
    /// if the public tokens suffice. A hidden face that this observer does not know counts if public
    /// information about its token allows it: the author of the event must prove the claim.
    ///
    /// # Errors
    ///
    /// Rejects if too few tokens can have such a face, as far as this observer knows. The message counts
    /// hidden tokens only: how many are needed besides the public ones, and how many there can be.
    pub fn require_some<S: Size>(
        &mut self,
        tokens: &Tokens<F, S>,
        ts: impl Iterator<Item = Token> + Clone,
        set: FaceSet<F>,
        k: u8,
    ) -> Result<(), RuleError> {
        let public = ts.clone().filter(|&t| tokens.public_face(t).is_some_and(|f| set.has(f))).count();
        let needed = usize::from(k).saturating_sub(public);
        if needed == 0 {
            return Ok(());
        }
        let hidden = ts.filter(|&t| !tokens.is_public(t));
        if let Some(trace) = &mut self.trace {
            trace.claims.push(Claim::Some(hidden.clone().collect(), set, needed as u8));
        }
        let possible = hidden
            .filter(|&t| tokens.may_be(t, set) && self.known(tokens, t).is_none_or(|f| set.has(f)))
            .count();
        if possible >= needed {
            return Ok(());
        }
        let refused = RuleError::numbers(
            "{0} of these are needed, and only {1} are there",
            needed as i32,
            possible as i32,
        );
        self.failed = Some(refused);
        Err(refused)
    }

    /// Requires that the pair of the faces of `a` and `b`, in this order, is one of `pairs`. Records a claim
    /// if one of them is hidden, even if it fails. A hidden face that this observer does not know passes if
    /// public information allows it: the author of the event must prove the claim.
    ///
    /// # Errors
    ///
    /// Rejects, with `b` as the token, if no pair is possible as far as this observer knows.
    pub fn require_pair<S: Size>(
        &mut self,
        tokens: &Tokens<F, S>,
        a: Token,
        b: Token,
        pairs: &[(F, F)],
    ) -> Result<(), RuleError> {
        if !(tokens.is_public(a) && tokens.is_public(b))
            && let Some(trace) = &mut self.trace
        {
            trace.claims.push(Claim::Pair(a, b, pairs.to_vec()));
        }
        let (fa, fb) = (self.known(tokens, a), self.known(tokens, b));
        let holds = pairs.iter().any(|&(x, y)| {
            fa.is_none_or(|f| f == x)
                && fb.is_none_or(|f| f == y)
                && tokens.may_be(a, FaceSet::only(x))
                && tokens.may_be(b, FaceSet::only(y))
        });
        self.judge(holds, "these two tokens do not go together as claimed", b)
    }
}
