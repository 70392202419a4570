//! All that is public about tokens: where they lie, who knows them, what they may be.

use crate::face::{Bits, Face, FaceSet};
use crate::node::{Node, Set, Side, To};
use crate::rejected::Rejected;
use crate::seat::Known;
use crate::size::Size;
use crate::token::{Back, Token, Zone};

/// No token, in the lists of zones; no group.
pub(crate) const NONE: u16 = u16::MAX;

/// What a token without the mark has.
pub(crate) const UNMARKED: u16 = NONE - 1;

/// In so many words of 64 bits there is a bit for each token of a game that is not very large.
const WORDS: usize = 8;

/// The tokens of a game as everybody sees them.
///
/// A zone is a doubly linked list through the tokens: moving is O(1) and order is kept. One byte per token
/// holds public faces and multisets: for a public token it is the face; for the hidden tokens of a group
/// the bytes are, *together*, the group's multiset in some arrangement that says nothing.
#[derive(Copy, Debug)]
pub struct Tokens<F: Face, S: Size> {
    pub(crate) zone: S::Tok<u8>,
    pub(crate) next: S::Tok<u16>,
    pub(crate) prev: S::Tok<u16>,
    pub(crate) known: S::Tok<Known>,
    pub(crate) back: S::Tok<Back>,
    pub(crate) group: S::Tok<u16>,
    /// No group has this name or a higher one.
    pub(crate) groups: u16,
    pub(crate) face: S::Tok<u8>,
    pub(crate) may: S::Tok<F::Bits>,
    /// Of a marked token the one that was marked before it; [`UNMARKED`] of all others.
    pub(crate) mark: S::Tok<u16>,
    /// The token that was marked last.
    pub(crate) marked: u16,
    pub(crate) first: S::Zon<u16>,
    pub(crate) last: S::Zon<u16>,
    pub(crate) len: S::Zon<u16>,
}

impl<F: Face, S: Size> Clone for Tokens<F, S> {
    /// As one block: what `derive` writes for a generic type goes array by array.
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Face, S: Size> Default for Tokens<F, S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Face, S: Size> Tokens<F, S> {
    /// No token anywhere yet.
    pub fn new() -> Self {
        Tokens {
            zone: S::tok(Zone::NOWHERE.0),
            next: S::tok(NONE),
            prev: S::tok(NONE),
            known: S::tok(Known::NOBODY),
            back: S::tok(Back::PLAIN),
            group: S::tok(NONE),
            groups: 0,
            face: S::tok(0),
            may: S::tok(F::Bits::default()),
            mark: S::tok(UNMARKED),
            marked: NONE,
            first: S::zon(NONE),
            last: S::zon(NONE),
            len: S::zon(0),
        }
    }

    /// Brings a new token into the game, face up, at the bottom of a zone. Tokens are numbered as they come.
    pub fn add(&mut self, face: F, zone: Zone) -> Result<Token, Rejected> {
        let t = self.add_blank(zone)?;
        self.known[t.index()] = Known::PUBLIC;
        self.face[t.index()] = face.index();
        self.may[t.index()] = F::Bits::only(face.index());
        self.back[t.index()] = face.back();
        Ok(t)
    }

    /// Brings a slip into the game: a token without a face until a secret choice is laid with it.
    pub fn add_slip(&mut self, zone: Zone) -> Result<Token, Rejected> {
        self.add_blank(zone)
    }

    fn add_blank(&mut self, zone: Zone) -> Result<Token, Rejected> {
        let Some(i) = self.zone.as_ref().iter().position(|&z| z == Zone::NOWHERE.0) else {
            return Err(Rejected::new("the game has no room for another token"));
        };
        let t = Token(i as u16);
        self.link_last(t, zone);
        Ok(t)
    }

    // --- where tokens lie

    /// The zone in which a token lies.
    #[inline(always)]
    pub fn zone(&self, t: Token) -> Zone {
        Zone(self.zone.as_ref().get(t.index()).copied().unwrap_or(Zone::NOWHERE.0))
    }

    /// Whether the token lies in this zone; a number that is no token lies nowhere.
    #[inline(always)]
    pub fn in_zone(&self, t: Token, z: Zone) -> bool {
        self.zone(t) == z
    }

    /// How many tokens lie in a zone.
    #[inline(always)]
    pub fn len(&self, z: Zone) -> usize {
        self.len[z.index()] as usize
    }

    /// Whether a zone is empty.
    #[inline(always)]
    pub fn is_empty(&self, z: Zone) -> bool {
        self.len[z.index()] == 0
    }

    /// Which of `N` zones in a row, this one the first, hold more than so many tokens: one bit each.
    #[inline(always)]
    pub fn fuller<const N: usize>(&self, first: Zone, than: u16) -> u16 {
        let lens = self.len.as_ref().get(first.index()..first.index() + N);
        let Some(lens) = lens.and_then(|lens| <&[u16; N]>::try_from(lens).ok()) else { return 0 };
        lens.iter().zip(0..).fold(0, |bits, (&len, i)| bits | u16::from(len > than) << i)
    }

    /// The first token of a zone.
    #[inline(always)]
    pub fn top(&self, z: Zone) -> Option<Token> {
        named(self.first[z.index()])
    }

    /// The last token of a zone.
    #[inline(always)]
    pub fn bottom(&self, z: Zone) -> Option<Token> {
        named(self.last[z.index()])
    }

    /// The token that lies just below this one in its zone.
    #[inline(always)]
    pub fn below(&self, t: Token) -> Option<Token> {
        self.next.as_ref().get(t.index()).copied().and_then(named)
    }

    /// The tokens of a zone from top to bottom.
    #[inline(always)]
    pub fn iter(&self, z: Zone) -> Iter<'_, F, S> {
        Iter { tokens: self, at: self.first[z.index()] }
    }

    /// Moves a token to the bottom of a zone.
    #[inline(always)]
    pub fn put(&mut self, t: Token, z: Zone) {
        self.unlink(t);
        self.link_last(t, z);
    }

    /// Moves a token to the top of a zone.
    #[inline(always)]
    pub fn put_on_top(&mut self, t: Token, z: Zone) {
        self.unlink(t);
        let (i, old) = (t.index(), self.first[z.index()]);
        self.zone[i] = z.0;
        (self.prev[i], self.next[i]) = (NONE, old);
        match named(old) {
            Some(o) => self.prev[o.index()] = t.0,
            None => self.last[z.index()] = t.0,
        }
        self.first[z.index()] = t.0;
        self.len[z.index()] += 1;
    }

    /// Moves all tokens of a zone, in their order, below those of another.
    pub fn put_all(&mut self, from: Zone, to: Zone) {
        let (Some(first), Some(last)) = (self.top(from), self.bottom(from)) else { return };
        if from == to {
            return;
        }
        let mut next = Some(first);
        while let Some(t) = next {
            self.zone[t.index()] = to.0;
            next = self.below(t);
        }
        let old = self.last[to.index()];
        self.prev[first.index()] = old;
        match named(old) {
            Some(o) => self.next[o.index()] = first.0,
            None => self.first[to.index()] = first.0,
        }
        self.last[to.index()] = last.0;
        self.len[to.index()] += self.len[from.index()];
        (self.first[from.index()], self.last[from.index()], self.len[from.index()]) = (NONE, NONE, 0);
    }

    /// Exchanges the contents of two zones, each keeping its inner order.
    pub fn exchange(&mut self, a: Zone, b: Zone) {
        for z in self.zone.as_mut() {
            *z = if *z == a.0 {
                b.0
            } else if *z == b.0 {
                a.0
            } else {
                *z
            };
        }
        self.first.as_mut().swap(a.index(), b.index());
        self.last.as_mut().swap(a.index(), b.index());
        self.len.as_mut().swap(a.index(), b.index());
    }

    #[inline(always)]
    fn link_last(&mut self, t: Token, z: Zone) {
        let (i, old) = (t.index(), self.last[z.index()]);
        self.zone[i] = z.0;
        (self.prev[i], self.next[i]) = (old, NONE);
        match named(old) {
            Some(o) => self.next[o.index()] = t.0,
            None => self.first[z.index()] = t.0,
        }
        self.last[z.index()] = t.0;
        self.len[z.index()] += 1;
    }

    #[inline(always)]
    fn unlink(&mut self, t: Token) {
        let z = self.zone(t);
        if z == Zone::NOWHERE {
            return;
        }
        let (p, n) = (self.prev[t.index()], self.next[t.index()]);
        match named(p) {
            Some(p) => self.next[p.index()] = n,
            None => self.first[z.index()] = n,
        }
        match named(n) {
            Some(n) => self.prev[n.index()] = p,
            None => self.last[z.index()] = p,
        }
        self.len[z.index()] -= 1;
    }

    // --- what is known of them

    /// Who knows the token's face. (Here as below: of a number that is no token, nobody knows anything. It
    /// may come from a text that somebody typed, and is refused by the zone it does not lie in.)
    #[inline(always)]
    pub fn known(&self, t: Token) -> Known {
        self.known.as_ref().get(t.index()).copied().unwrap_or(Known::NOBODY)
    }

    /// Whether everybody knows the token's face, spectators included.
    #[inline(always)]
    pub fn is_public(&self, t: Token) -> bool {
        self.known(t).is_public()
    }

    /// The face of a public token. Fails for any other, also where the observer happens to know it:
    /// then a `Reveal`, a `Declare` or a `Decide` has to come first.
    #[inline(always)]
    pub fn face(&self, t: Token) -> Result<F, Rejected> {
        match self.public_face(t) {
            Some(face) => Ok(face),
            None if self.zone(t) == Zone::NOWHERE => Err(Rejected::of("there is no such token", t)),
            None => Err(Rejected::face_needed(t)),
        }
    }

    /// The face of a token if it is public.
    #[inline(always)]
    pub fn public_face(&self, t: Token) -> Option<F> {
        if self.is_public(t) { Some(F::nth(self.face[t.index()])) } else { None }
    }

    /// What the back of the token shows.
    #[inline(always)]
    pub fn back(&self, t: Token) -> Back {
        self.back.as_ref().get(t.index()).copied().unwrap_or(Back::HIDDEN)
    }

    /// The faces that the token can have, as everybody has been assured.
    #[inline(always)]
    pub fn may(&self, t: Token) -> FaceSet<F> {
        FaceSet::from_bits(self.may.as_ref().get(t.index()).copied().unwrap_or_default())
    }

    /// Whether, as far as everybody knows, the face could be one of these.
    #[inline(always)]
    pub fn may_be(&self, t: Token, set: FaceSet<F>) -> bool {
        !self.may(t).and(set).is_empty()
    }

    /// Everybody has been assured that the face is one of these. A public token is left as it is.
    #[inline]
    pub fn narrow(&mut self, t: Token, set: FaceSet<F>) {
        if !self.is_public(t)
            && let Some(may) = self.may.as_mut().get_mut(t.index())
        {
            *may = may.and(set.0);
        }
    }

    /// Whether everybody knows that the token has this face.
    #[inline(always)]
    pub fn is_face(&self, t: Token, face: F) -> bool {
        let i = t.index();
        // Not `&&`: of two conditions that are as good as random, one branch costs less than two.
        i < S::TOKENS && self.known[i].is_public() & (self.face[i] == face.index())
    }

    /// Whether a hidden token, wherever it lies, has this face: everybody can tell, if not which one it is.
    /// (A slip without a choice counts as the first of all faces.)
    #[inline]
    pub fn hides(&self, face: F) -> bool {
        /// So many are looked at at once, without a branch between them.
        const PIECE: usize = 64;
        let mut pieces = self.face.as_ref().chunks(PIECE).zip(self.known.as_ref().chunks(PIECE));
        let is_face = |(&f, known): (&u8, &Known)| (f == face.index()) & !known.is_public();
        pieces.any(|(f, known)| f.iter().zip(known).map(is_face).fold(false, |any, is| any | is))
    }

    /// Whether a token that everybody knows to have this face lies in one of these zones.
    #[inline]
    pub fn shows_in(&self, face: F, zones: std::ops::Range<u8>) -> bool {
        let is_there = |i: usize| {
            self.known[i].is_public() & (self.face[i] == face.index()) & zones.contains(&self.zone[i])
        };
        (0..S::TOKENS).fold(false, |any, i| any | is_there(i))
    }

    /// Gives a public token another face (a block loses strength).
    #[inline]
    pub fn rewrite(&mut self, t: Token, face: F) -> Result<(), Rejected> {
        if !self.is_public(t) {
            return Err(Rejected::face_needed(t));
        }
        self.face[t.index()] = face.index();
        self.may[t.index()] = F::Bits::only(face.index());
        self.back[t.index()] = face.back();
        Ok(())
    }

    /// Whether two hidden tokens may have changed places unseen.
    #[inline]
    pub fn same_group(&self, a: Token, b: Token) -> bool {
        self.group(a) != NONE && self.group(a) == self.group(b)
    }

    #[inline]
    fn group(&self, t: Token) -> u16 {
        self.group.as_ref().get(t.index()).copied().unwrap_or(NONE)
    }

    /// How often a face is among the hidden tokens of this token's group.
    pub fn count_in_group(&self, t: Token, face: F) -> usize {
        let group = self.group(t);
        self.all()
            .filter(|u| {
                group != NONE && self.group[u.index()] == group && self.face[u.index()] == face.index()
            })
            .count()
    }

    // --- marks

    /// Marks a token for the next `Set::Marked`.
    #[inline]
    pub fn mark(&mut self, t: Token) {
        if let Some(mark) = self.mark.as_mut().get_mut(t.index()).filter(|mark| **mark == UNMARKED) {
            *mark = self.marked;
            self.marked = t.0;
        }
    }

    /// Takes all marks away.
    #[inline]
    pub fn unmark_all(&mut self) {
        while self.unmark_last().is_some() {}
    }

    /// Takes the mark of the token away that was marked last.
    #[inline(always)]
    pub(crate) fn unmark_last(&mut self) -> Option<Token> {
        let t = self.last_marked()?;
        self.marked = std::mem::replace(&mut self.mark[t.index()], UNMARKED);
        Some(t)
    }

    /// Whether the token has the mark.
    #[inline]
    pub fn is_marked(&self, t: Token) -> bool {
        self.mark.as_ref().get(t.index()).is_some_and(|&mark| mark != UNMARKED)
    }

    /// The token that was marked last.
    #[inline(always)]
    pub(crate) fn last_marked(&self) -> Option<Token> {
        named(self.marked)
    }

    /// The token that was marked before this one.
    #[inline(always)]
    pub(crate) fn marked_before(&self, t: Token) -> Option<Token> {
        named(self.mark[t.index()])
    }

    // --- sets

    /// All tokens of this game in ascending order.
    pub fn all(&self) -> impl Iterator<Item = Token> + Clone + '_ {
        let zones = self.zone.as_ref();
        (0..zones.len()).filter(|&i| zones[i] != Zone::NOWHERE.0).map(|i| Token(i as u16))
    }

    /// Whether a token belongs to a set.
    #[inline(always)]
    pub fn in_set(&self, t: Token, set: Set) -> bool {
        match set {
            Set::One(one) => one == t,
            Set::Zone(z) => self.in_zone(t, z),
            Set::Zones(a, b) => self.in_zone(t, a) || self.in_zone(t, b),
            Set::Marked => self.is_marked(t),
        }
    }

    /// The tokens of a set in ascending order.
    pub fn set(&self, set: Set) -> impl Iterator<Item = Token> + Clone + '_ {
        self.all().filter(move |&t| self.in_set(t, set))
    }

    /// The tokens of a set in ascending order, written to the front of an array; returns how many.
    #[inline(always)]
    pub(crate) fn collect(&self, set: Set, out: &mut S::Tok<u16>) -> usize {
        let mut n = 0;
        self.each(set, |t| {
            out[n] = t;
            n += 1;
        });
        n
    }

    /// Tells the tokens of a set in ascending order.
    #[inline(always)]
    pub(crate) fn each(&self, set: Set, mut tell: impl FnMut(u16)) {
        if let Some(t) = self.only(set) {
            return tell(t.0);
        }
        // The kind of the set is asked once, not for each token.
        match set {
            Set::One(_) => {}
            Set::Zone(z) if S::TOKENS > 64 && S::TOKENS <= 64 * WORDS => self.each_along(z, tell),
            Set::Zone(z) => (0..S::TOKENS).filter(|&i| self.zone[i] == z.0).for_each(|i| tell(i as u16)),
            Set::Zones(a, b) => (0..S::TOKENS)
                .filter(|&i| self.zone[i] == a.0 || self.zone[i] == b.0)
                .for_each(|i| tell(i as u16)),
            Set::Marked => {
                (0..S::TOKENS).filter(|&i| self.mark[i] != UNMARKED).for_each(|i| tell(i as u16));
            }
        }
    }

    /// The tokens of a zone: each along its list becomes a bit, and the bits are in order.
    #[inline(always)]
    fn each_along(&self, z: Zone, mut tell: impl FnMut(u16)) {
        let mut bits = [0u64; WORDS];
        for t in self.iter(z) {
            bits[t.index() / 64 % WORDS] |= 1 << (t.index() % 64);
        }
        for (word, mut bits) in (0u16..).zip(bits).take(S::TOKENS.div_ceil(64)) {
            while bits != 0 {
                tell(64 * word + bits.trailing_zeros() as u16);
                bits &= bits - 1;
            }
        }
    }

    /// The only token of a set, where that is plain without a search.
    #[inline(always)]
    pub(crate) fn only(&self, set: Set) -> Option<Token> {
        match set {
            Set::One(t) => Some(t),
            Set::Zone(z) if self.len[z.index()] == 1 => self.top(z),
            _ => None,
        }
    }

    /// Whether these are all tokens of a small game, where that is plain without a search.
    #[inline(always)]
    pub(crate) fn is_all(&self, set: Set) -> bool {
        0 < S::TOKENS && S::TOKENS <= 16 && matches!(set, Set::Zone(z) if self.len(z) == S::TOKENS)
    }

    /// Whether this is a revelation or a rearrangement with nothing to do: the rules skip it.
    pub fn idle(&self, node: Node) -> bool {
        match node {
            Node::Rearrange { set, .. } => self.set(set).next().is_none(),
            Node::Reveal { set, to, side } => !self.set(set).any(|t| match (to, side) {
                (To::All, Side::Face) => !self.is_public(t),
                (To::Seat(seat), Side::Face) => !self.known(t).to(seat),
                (_, Side::Back) => !self.is_public(t) && self.back(t) == Back::HIDDEN,
            }),
            _ => false,
        }
    }
}

#[inline(always)]
const fn named(t: u16) -> Option<Token> {
    if t == NONE { None } else { Some(Token(t)) }
}

/// The tokens of a zone from top to bottom.
#[derive(Clone, Debug)]
pub struct Iter<'a, F: Face, S: Size> {
    tokens: &'a Tokens<F, S>,
    at: u16,
}

impl<F: Face, S: Size> Iterator for Iter<'_, F, S> {
    type Item = Token;
    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
        let t = named(self.at)?;
        self.at = self.tokens.next[t.index()];
        Some(t)
    }
}
