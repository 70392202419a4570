//! Changes of knowledge about tokens: the engine's part of every event.

use crate::face::{Bits, Face, FaceSet};
use crate::faces::UNKNOWN;
use crate::node::Set;
use crate::rejected::RuleError;
use crate::seat::{Known, Seat};
use crate::size::Size;
use crate::token::{Back, Token};
use crate::tokens::{NONE, Tokens};

/// Group names up to this one are given before the groups are renumbered.
const NAMES: u16 = 0x7fff;

/// The data to undo one change of a token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenUndo<F: Face> {
    /// The changed token. The other fields but `partner` are what the table stored about it before.
    token: Token,
    /// The token with which it has exchanged its byte; itself if with none.
    partner: Token,
    known: Known,
    back: Back,
    group: u16,
    face: u8,
    may: F::Bits,
}

/// Public knowledge about a set of tokens that is about to be mixed, accumulated token by token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<F: Face> {
    /// Union of the possible faces.
    may: F::Bits,
    /// The least group number ([`NONE`] if there is no group), and one more than the greatest (0 if there is
    /// none).
    least: u16,
    most: u16,
    /// Bitwise AND and OR of all backs: equal if all backs are equal.
    all_backs: u8,
    any_back: u8,
}

impl<F: Face> Found<F> {
    /// Creates the knowledge about no token.
    pub(crate) fn new() -> Self {
        Found { may: F::Bits::default(), least: NONE, most: 0, all_backs: u8::MAX, any_back: 0 }
    }
}

/// Public knowledge that all tokens of a mixed set get.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Issue<F: Face> {
    known: Known,
    group: u16,
    back: Back,
    may: F::Bits,
}

impl<F: Face> TokenUndo<F> {
    /// Returns the changed token.
    #[inline(always)]
    pub(crate) fn token(&self) -> Token {
        self.token
    }
}

impl<F: Face, S: Size> Tokens<F, S> {
    /// Makes the face (by number, which must be below `KINDS`) of a hidden token of the game public and
    /// removes the token from its group. Its back becomes that of the face. The member of the group that held
    /// this byte gets the token's byte in exchange; a slip or a die is in no group. Returns the data for
    /// [`take_back`](Self::take_back). On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if the group has no such face left, or if the face contradicts the possible faces or the back.
    #[inline(always)]
    pub(crate) fn show(&mut self, t: Token, face: u8) -> Result<TokenUndo<F>, RuleError> {
        let (i, back) = (t.index(), F::nth(face).back());
        let group = self.group[i];
        let own = group == NONE || (S::TOKENS > 16 && self.face[i] == face);
        let partner = if own { Some(i) } else { self.holder(group, face) };
        let Some(partner) = partner.map(|u| Token(u as u16)) else {
            return Err(RuleError::of("there is no such face left for this token", t));
        };
        if self.may[i].and(F::Bits::only(face)) == F::Bits::default() {
            return Err(RuleError::of("this token is known to be something else", t));
        }
        if self.back[i] != Back::HIDDEN && self.back[i] != back {
            return Err(RuleError::of("the face does not go with the back of this token", t));
        }
        let undo = self.undo(t, partner);
        self.face[partner.index()] = self.face[i];
        self.face[i] = face;
        self.known[i] = Known::PUBLIC;
        self.group[i] = NONE;
        self.back[i] = back;
        self.may[i] = F::Bits::only(face);
        Ok(undo)
    }

    /// Makes the face (by number) of a hidden token public and removes the token from its group. The caller
    /// guarantees that the byte of the token is this face, or that it is in no group (a slip or a die). Skips
    /// the search and the checks of [`show`](Self::show); cannot be undone.
    #[inline(always)]
    pub(crate) fn turn_up(&mut self, t: Token, face: u8) {
        let i = t.index();
        debug_assert!({ *self }.show(t, face).is_ok() && (self.group[i] == NONE || self.face[i] == face));
        self.face[i] = face;
        self.known[i] = Known::PUBLIC;
        self.group[i] = NONE;
        self.back[i] = F::nth(face).back();
        self.may[i] = F::Bits::only(face);
    }

    /// Returns the index of the first member of a group whose byte is this face; `None` if there is none.
    #[inline(always)]
    fn holder(&self, group: u16, face: u8) -> Option<usize> {
        /// Tokens compared per branch, so that the compiler vectorises the comparison.
        const PIECE: usize = 16;
        let all = 0..S::TOKENS;
        let holds = |u: usize| self.group[u] == group && self.face[u] == face;
        if S::TOKENS > 16 {
            let pieces = self.group.as_ref().chunks(PIECE).zip(self.face.as_ref().chunks(PIECE));
            let found = |(g, f): (&u16, &u8)| (*g == group) & (*f == face);
            let mut hits = pieces.map(|(groups, faces)| {
                groups.iter().zip(faces).map(found).fold(false, |any, found| any | found)
            });
            let first = PIECE * hits.position(|hit| hit)?;
            return (first..S::TOKENS).find(|&u| holds(u));
        }
        // The position is unpredictable: a scan of all of a few tokens costs less than a mispredicted branch.
        let found = all.rev().fold(usize::MAX, |found, u| if holds(u) { u } else { found });
        (found != usize::MAX).then_some(found)
    }

    /// Lays a secret choice from `menu` with a slip, or the result of a die with these sides: only `by` knows
    /// the face, the possible faces are those of `menu`, the back is hidden, the byte is 0, and the token is
    /// in no group. Nothing is checked. The caller stores the face itself in the private faces. Returns the
    /// data for [`take_back`](Self::take_back).
    #[inline]
    pub(crate) fn lay(&mut self, t: Token, menu: FaceSet<F>, by: Seat) -> TokenUndo<F> {
        let undo = self.undo(t, t);
        let i = t.index();
        self.known[i] = Known::only(by);
        self.group[i] = NONE;
        self.back[i] = Back::HIDDEN;
        self.may[i] = menu.0;
        self.face[i] = 0;
        undo
    }

    /// Returns the data to undo a change of `t` that is about to be made; `partner` is the token whose byte
    /// is exchanged, `t` itself if none is. Changes nothing.
    fn undo(&self, t: Token, partner: Token) -> TokenUndo<F> {
        let i = t.index();
        TokenUndo {
            token: t,
            partner,
            known: self.known[i],
            back: self.back[i],
            group: self.group[i],
            face: self.face[i],
            may: self.may[i],
        }
    }

    /// Undoes a `show` or a `lay`. Several changes must be undone in reverse order, without other changes of
    /// tokens in between.
    pub(crate) fn take_back(&mut self, undo: &TokenUndo<F>) {
        let i = undo.token.index();
        self.face[undo.partner.index()] = self.face[i];
        self.face[i] = undo.face;
        self.known[i] = undo.known;
        self.back[i] = undo.back;
        self.group[i] = undo.group;
        self.may[i] = undo.may;
    }

    /// Adds `seat` to those who know the token's face; a public face stays public.
    #[inline(always)]
    pub(crate) fn add_knower(&mut self, t: Token, seat: Seat) {
        self.known[t.index()] = self.known[t.index()].and(seat);
    }

    /// Makes `back` the public back of the token. Does not check that it is the back of the token's face.
    #[inline]
    pub(crate) fn show_back(&mut self, t: Token, back: Back) {
        self.back[t.index()] = back;
    }

    /// Mixes the tokens of a set: afterwards they form one group, any of them may have any of their faces,
    /// and only `known` knows the faces. Groups that had a member among them are united with it, and backs
    /// that differ become hidden. `permute` gets their true faces, tokens ascending ([`UNKNOWN`] for one that
    /// the observer does not know), and permutes them; the result goes to `faces`, the private faces of the
    /// observer. If `aligned`, the bytes of the tokens are their true faces and get the result too.
    ///
    /// # Errors
    ///
    /// Fails if `permute` does. The tokens are then unchanged, but `faces` may have got the faces of public
    /// ones.
    #[inline(always)]
    pub(crate) fn mix(
        &mut self,
        set: Set,
        known: Known,
        faces: &mut S::Tok<u8>,
        aligned: bool,
        permute: impl FnOnce(&mut [u8]) -> Result<(), RuleError>,
    ) -> Result<(), RuleError> {
        if self.is_all(set) {
            return self.mix_all(known, faces, permute);
        }
        let (mut tokens, mut mixed) = (S::tok(0u16), S::tok(UNKNOWN));
        let n = self.collect(set, &mut tokens);
        let (tokens, mixed) = (&tokens.as_ref()[..n], &mut mixed.as_mut()[..n]);
        let mut found = Found::new();
        for (&t, face) in tokens.iter().zip(&mut *mixed) {
            *face = self.face[t as usize];
            self.find_on(t, &mut found);
        }
        if !aligned {
            tokens.iter().zip(&mut *mixed).for_each(|(&t, face)| *face = self.true_face(t, faces));
        }
        permute(mixed)?;
        let issue = self.new_issue(tokens, &found, known);
        for (&t, &face) in tokens.iter().zip(&*mixed) {
            faces[t as usize] = face;
            self.issue(t, issue, if aligned { Some(face) } else { None });
        }
        Ok(())
    }

    /// Mixes all tokens of a small game in place, without collecting them first: afterwards they form one
    /// group, any of them may have any of their faces, only `known` knows the faces, and backs that differ
    /// are hidden. `permute` gets the true faces, tokens ascending; the result is in `faces`. The bytes of
    /// the tokens are not permuted. All token numbers must be in use ([`is_all`](Self::is_all)).
    ///
    /// # Errors
    ///
    /// Fails if `permute` does; `faces` then holds the public faces too, but the tokens are unchanged.
    #[inline(always)]
    fn mix_all(
        &mut self,
        known: Known,
        faces: &mut S::Tok<u8>,
        permute: impl FnOnce(&mut [u8]) -> Result<(), RuleError>,
    ) -> Result<(), RuleError> {
        for (i, face) in faces.as_mut().iter_mut().enumerate() {
            *face = if self.known[i].is_public() { self.face[i] } else { *face };
        }
        permute(faces.as_mut())?;
        self.reissue_all(known);
        Ok(())
    }

    /// Returns the number of a token's face: its public one, or else the one in `faces`, which is [`UNKNOWN`]
    /// if the observer does not know it.
    #[inline(always)]
    pub(crate) fn true_face(&self, t: u16, faces: &S::Tok<u8>) -> u8 {
        let (public, own) = (self.face[t as usize], faces[t as usize]);
        // Branch-free: in a pile that is shuffled, whether a token is public is unpredictable.
        let mask = u8::from(self.is_public(Token(t))).wrapping_neg();
        public & mask | own & !mask
    }

    /// Makes the tokens of a set indistinguishable: they form one group, any of them may have any of their
    /// faces, and only `known` knows the faces. Groups that had a member among them are united with it, and
    /// backs that differ become hidden. Does not change their bytes.
    #[inline(always)]
    pub(crate) fn reissue(&mut self, set: &[u16], known: Known) {
        let mut found = Found::new();
        set.iter().for_each(|&t| self.find_on(t, &mut found));
        let issue = self.new_issue(set, &found, known);
        set.iter().for_each(|&t| self.issue(t, issue, None));
    }

    /// Adds the public knowledge of a token (possible faces, group, back) to `found`. Changes no token.
    #[inline(always)]
    pub(crate) fn find_on(&self, t: u16, found: &mut Found<F>) {
        let i = t as usize;
        found.may = found.may.or(self.may[i]);
        // "No group" is the highest number; `wrapping_add` makes it the lowest for the maximum.
        found.least = found.least.min(self.group[i]);
        found.most = found.most.max(self.group[i].wrapping_add(1));
        found.all_backs &= self.back[i].0;
        found.any_back |= self.back[i].0;
    }

    /// Returns the knowledge that all tokens of a mixed `set` get: only `known` knows them, they are in one
    /// group, have the union of the possible faces, and their common back, or a hidden one if their backs
    /// differ. `found` is what [`find_on`](Self::find_on) found on exactly these tokens. Unites their groups
    /// in the table, members outside of the set included; if none has a group, takes a fresh group name. The
    /// caller then calls [`issue`](Self::issue) for each token.
    #[inline(always)]
    pub(crate) fn new_issue(&mut self, set: &[u16], found: &Found<F>, known: Known) -> Issue<F> {
        let group = if found.least == NONE { self.fresh_group() } else { found.least };
        if found.least != NONE && found.most != found.least + 1 {
            self.unite(set, group);
        }
        let alike = found.all_backs == found.any_back;
        Issue { known, group, back: if alike { Back(found.any_back) } else { Back::HIDDEN }, may: found.may }
    }

    /// Sets the public knowledge of a mixed token to that of [`new_issue`](Self::new_issue); its byte becomes
    /// `face` if given, else it stays.
    #[inline(always)]
    pub(crate) fn issue(&mut self, t: u16, issue: Issue<F>, face: Option<u8>) {
        let i = t as usize;
        self.known[i] = issue.known;
        self.group[i] = issue.group;
        self.back[i] = issue.back;
        self.may[i] = issue.may;
        self.face[i] = face.unwrap_or(self.face[i]);
    }

    /// Makes all tokens of the game indistinguishable: they form one group, any of them may have any of their
    /// faces, and only `known` knows the faces. Backs that differ become hidden. Does not change their bytes.
    /// Requires at least one token, and that all token numbers are in use.
    #[inline(always)]
    pub(crate) fn reissue_all(&mut self, known: Known) {
        let may = self.may.as_ref().iter().fold(F::Bits::default(), |may, m| may.or(*m));
        let back = self.back[0];
        let alike = self.back.as_ref().iter().fold(true, |alike, b| alike & (*b == back));
        self.known = S::tok(known);
        self.groups = 1;
        self.group = S::tok(0);
        self.back = S::tok(if alike { back } else { Back::HIDDEN });
        self.may = S::tok(may);
    }

    /// Sets the bytes of these tokens to these faces, pair by pair; the longer list is cut. The caller mixes
    /// the tokens in the same event.
    #[inline(always)]
    pub(crate) fn lay_out(&mut self, set: &[u16], faces: &[u8]) {
        for (&t, &face) in set.iter().zip(faces) {
            self.face[t as usize] = face;
        }
    }

    /// Sorts the bytes of each group by face number, so that their order carries no information. Changes
    /// nothing that is public.
    pub(crate) fn disarrange(&mut self) {
        let mut done = S::tok(false);
        for i in 0..S::TOKENS {
            let group = self.group[i];
            if group == NONE || done[i] {
                continue;
            }
            let mut copies = [0u16; u8::MAX as usize];
            for j in (i..S::TOKENS).filter(|&j| self.group[j] == group) {
                copies[usize::from(self.face[j]).min(F::KINDS)] += 1;
            }
            let mut face = 0;
            for j in i..S::TOKENS {
                if self.group[j] == group {
                    while copies[face] == 0 {
                        face += 1;
                    }
                    copies[face] -= 1;
                    self.face[j] = face as u8;
                    done[j] = true;
                }
            }
        }
    }

    /// Renames all groups that have a member in the set to `name`, including members outside of the set.
    /// Tokens without a group are skipped.
    #[cold]
    fn unite(&mut self, set: &[u16], name: u16) {
        for &t in set {
            let old = self.group[t as usize];
            if old != NONE && old != name {
                for g in self.group.as_mut() {
                    if *g == old {
                        *g = name;
                    }
                }
            }
        }
    }

    /// Returns a group name that is not in use, and counts it as used. A group must not be named after a
    /// token: the token can leave the group, and then two groups could get the same name. Renumbers all
    /// groups when the names run out.
    #[inline(always)]
    pub(crate) fn fresh_group(&mut self) -> u16 {
        if self.groups > NAMES {
            self.rename_groups();
        }
        self.groups += 1;
        self.groups - 1
    }

    /// Renumbers the groups from 0, in the order of their first tokens, and sets the next free name.
    #[cold]
    fn rename_groups(&mut self) {
        self.groups = 0;
        for i in 0..S::TOKENS {
            let old = self.group[i];
            if old == NONE || self.group.as_ref()[..i].contains(&old) {
                continue;
            }
            // The group that has the new name takes the old one in exchange.
            let new = self.groups;
            for g in self.group.as_mut() {
                *g = if *g == old {
                    new
                } else if *g == new {
                    old
                } else {
                    *g
                };
            }
            self.groups += 1;
        }
    }
}
