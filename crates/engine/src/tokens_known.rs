//! How knowledge of tokens changes: the engine's own part of every event.

use crate::face::{Bits, Face, FaceSet};
use crate::faces::UNKNOWN;
use crate::node::Set;
use crate::rejected::Rejected;
use crate::seat::{Known, Seat};
use crate::size::Size;
use crate::token::{Back, Token};
use crate::tokens::{NONE, Tokens};

/// When so many names of groups have been given, they are given anew.
const NAMES: u16 = 0x7fff;

/// What `Tokens` needs to take one change of a token back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undo<F: Face> {
    token: Token,
    partner: Token,
    known: Known,
    back: Back,
    group: u16,
    face: u8,
    may: F::Bits,
}

/// What is known of tokens that are about to be issued anew together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<F: Face> {
    may: F::Bits,
    /// The least group, and one more than the greatest.
    least: u16,
    most: u16,
    /// The bits that all backs have, and those that any has: equal if the backs are.
    all_backs: u8,
    any_back: u8,
}

impl<F: Face> Found<F> {
    pub(crate) fn new() -> Self {
        Found { may: F::Bits::default(), least: NONE, most: 0, all_backs: u8::MAX, any_back: 0 }
    }
}

/// What is known of tokens that have been issued anew together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Issue<F: Face> {
    known: Known,
    group: u16,
    back: Back,
    may: F::Bits,
}

impl<F: Face> Undo<F> {
    #[inline(always)]
    pub(crate) fn token(&self) -> Token {
        self.token
    }
}

impl<F: Face, S: Size> Tokens<F, S> {
    /// The token's face becomes public. Refused if its group has no such face left.
    #[inline(always)]
    pub(crate) fn show(&mut self, t: Token, face: u8) -> Result<Undo<F>, Rejected> {
        let (i, back) = (t.index(), F::nth(face).back());
        let group = self.group[i];
        let own = group == NONE || (S::TOKENS > 16 && self.face[i] == face);
        let partner = if own { Some(i) } else { self.holder(group, face) };
        let Some(partner) = partner.map(|u| Token(u as u16)) else {
            return Err(Rejected::of("there is no such face left for this token", t));
        };
        if self.may[i].and(F::Bits::only(face)) == F::Bits::default() {
            return Err(Rejected::of("this token is known to be something else", t));
        }
        if self.back[i] != Back::HIDDEN && self.back[i] != back {
            return Err(Rejected::of("the face does not go with the back of this token", t));
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

    /// The same where the token's byte, unless it is a slip, is already its true face.
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

    /// The first member of a group whose byte is this face.
    #[inline(always)]
    fn holder(&self, group: u16, face: u8) -> Option<usize> {
        /// So many are compared at once.
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
        // Where it is found is random: looking at all of a few costs less than a branch guessed wrongly.
        let found = all.rev().fold(usize::MAX, |found, u| if holds(u) { u } else { found });
        (found != usize::MAX).then_some(found)
    }

    /// A secret choice from a menu is laid with a slip.
    #[inline]
    pub(crate) fn lay(&mut self, t: Token, menu: FaceSet<F>, by: Seat) -> Undo<F> {
        let undo = self.undo(t, t);
        let i = t.index();
        self.known[i] = Known::only(by);
        self.group[i] = NONE;
        self.back[i] = Back::HIDDEN;
        self.may[i] = menu.0;
        self.face[i] = 0;
        undo
    }

    fn undo(&self, t: Token, partner: Token) -> Undo<F> {
        let i = t.index();
        Undo {
            token: t,
            partner,
            known: self.known[i],
            back: self.back[i],
            group: self.group[i],
            face: self.face[i],
            may: self.may[i],
        }
    }

    /// Takes a `show` or a `lay` back; the last one first.
    pub(crate) fn take_back(&mut self, undo: &Undo<F>) {
        let i = undo.token.index();
        self.face[undo.partner.index()] = self.face[i];
        self.face[i] = undo.face;
        self.known[i] = undo.known;
        self.back[i] = undo.back;
        self.group[i] = undo.group;
        self.may[i] = undo.may;
    }

    /// The token's face becomes known to one seat.
    #[inline(always)]
    pub(crate) fn tell(&mut self, t: Token, seat: Seat) {
        self.known[t.index()] = self.known[t.index()].and(seat);
    }

    /// The category of the token becomes public.
    #[inline]
    pub(crate) fn show_back(&mut self, t: Token, back: Back) {
        self.back[t.index()] = back;
    }

    /// Issues the tokens of a set anew: `permute` permutes their faces, which `faces` knows where they are hidden,
    /// and gets them back. Where it is `aligned`, the arrangement of these tokens follows.
    #[inline(always)]
    pub(crate) fn mix(
        &mut self,
        set: Set,
        known: Known,
        faces: &mut S::Tok<u8>,
        aligned: bool,
        permute: impl FnOnce(&mut [u8]) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
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

    /// Mixes all tokens of a small game at once, without looking for them.
    #[inline(always)]
    fn mix_all(
        &mut self,
        known: Known,
        faces: &mut S::Tok<u8>,
        permute: impl FnOnce(&mut [u8]) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        for (i, face) in faces.as_mut().iter_mut().enumerate() {
            *face = if self.known[i].is_public() { self.face[i] } else { *face };
        }
        permute(faces.as_mut())?;
        self.reissue_all(known);
        Ok(())
    }

    /// The face of a token, public or one of these.
    #[inline(always)]
    pub(crate) fn true_face(&self, t: u16, faces: &S::Tok<u8>) -> u8 {
        let (public, own) = (self.face[t as usize], faces[t as usize]);
        // Without a branch: in a pile that is shuffled it would often be guessed wrongly.
        let mask = u8::from(self.is_public(Token(t))).wrapping_neg();
        public & mask | own & !mask
    }

    /// Issues these tokens anew: from now on any of them may have any of their faces.
    #[inline(always)]
    pub(crate) fn reissue(&mut self, set: &[u16], known: Known) {
        let mut found = Found::new();
        set.iter().for_each(|&t| self.find_on(t, &mut found));
        let issue = self.new_issue(set, &found, known);
        set.iter().for_each(|&t| self.issue(t, issue, None));
    }

    /// Adds what is known of a token that is about to be issued anew.
    #[inline(always)]
    pub(crate) fn find_on(&self, t: u16, found: &mut Found<F>) {
        let i = t as usize;
        found.may = found.may.or(self.may[i]);
        // "No group" is the highest number, and the lowest with one added.
        found.least = found.least.min(self.group[i]);
        found.most = found.most.max(self.group[i].wrapping_add(1));
        found.all_backs &= self.back[i].0;
        found.any_back |= self.back[i].0;
    }

    /// What will be known of these tokens, any of which may from now on have any of their faces.
    #[inline(always)]
    pub(crate) fn new_issue(&mut self, set: &[u16], found: &Found<F>, known: Known) -> Issue<F> {
        let group = if found.least == NONE { self.fresh_group() } else { found.least };
        if found.least != NONE && found.most != found.least + 1 {
            self.unite(set, group);
        }
        let alike = found.all_backs == found.any_back;
        Issue { known, group, back: if alike { Back(found.any_back) } else { Back::HIDDEN }, may: found.may }
    }

    /// Issues a token anew, one of those that this is about; its byte becomes this face.
    #[inline(always)]
    pub(crate) fn issue(&mut self, t: u16, issue: Issue<F>, face: Option<u8>) {
        let i = t as usize;
        self.known[i] = issue.known;
        self.group[i] = issue.group;
        self.back[i] = issue.back;
        self.may[i] = issue.may;
        self.face[i] = face.unwrap_or(self.face[i]);
    }

    /// The same for all tokens of the game.
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

    /// Arranges the faces of tokens that are about to be issued anew, or are, like this.
    #[inline(always)]
    pub(crate) fn lay_out(&mut self, set: &[u16], faces: &[u8]) {
        for (&t, &face) in set.iter().zip(faces) {
            self.face[t as usize] = face;
        }
    }

    /// Brings the faces of each group into an order that says nothing: that of their numbers.
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

    /// Puts all groups that have a member in the set under one name.
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

    /// A name that no living group has. (A group must not be named after a token that can leave it: two
    /// groups would merge silently.)
    #[inline(always)]
    pub(crate) fn fresh_group(&mut self) -> u16 {
        if self.groups > NAMES {
            self.rename_groups();
        }
        self.groups += 1;
        self.groups - 1
    }

    /// Gives the groups the lowest names.
    #[cold]
    fn rename_groups(&mut self) {
        self.groups = 0;
        for i in 0..S::TOKENS {
            let old = self.group[i];
            if old == NONE || self.group.as_ref()[..i].contains(&old) {
                continue;
            }
            // Whoever has the new name now gets the old one in exchange.
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
