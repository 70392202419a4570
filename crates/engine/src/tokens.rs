//! The public table of tokens: zones, who knows which face, possible faces, groups.

use crate::face::{Bits, Face, FaceSet};
use crate::node::{Audience, Chance, Node, Set, Side};
use crate::rejected::RuleError;
use crate::seat::Known;
use crate::size::Size;
use crate::token::{Back, Token, Zone};

/// The number that stands for "no token" in the lists of zones and "no group" in groups.
pub(crate) const NONE: u16 = u16::MAX;

/// The entry of a token that is not marked.
pub(crate) const UNMARKED: u16 = NONE - 1;

/// `u64` words in the token bitset (512 tokens).
const WORDS: usize = 8;

/// All public information about the tokens of a game.
///
/// A zone is a doubly linked list through the tokens: a move is O(1) and keeps the order. One byte per token
/// holds faces: for a public token its face; for the hidden tokens of a group the bytes are, *together*, the
/// multiset of the group's faces in an arbitrary order. Slips and dice are in no group: nothing is public
/// about their faces but the possible ones.
#[derive(Copy, Debug)]
pub struct Tokens<F: Face, S: Size> {
    /// The zone of each token; [`Zone::NOWHERE`] for a number that is not in use.
    pub(crate) zone: S::Tok<u8>,
    /// The token below each token in its zone, or [`NONE`].
    pub(crate) next: S::Tok<u16>,
    /// The token above each token in its zone, or [`NONE`].
    pub(crate) prev: S::Tok<u16>,
    /// Who knows each token's face.
    pub(crate) known: S::Tok<Known>,
    /// The public back of each token.
    pub(crate) back: S::Tok<Back>,
    /// The name of each token's group, or [`NONE`].
    pub(crate) group: S::Tok<u16>,
    /// Upper bound of the group names in use: all are lower.
    pub(crate) groups: u16,
    /// The byte of each token: the face of a public one, else one face of the group's multiset.
    pub(crate) face: S::Tok<u8>,
    /// The faces that each token can have according to public claims.
    pub(crate) may: S::Tok<F::Bits>,
    /// Marked tokens form a linked list: the token that was marked before this one, or [`UNMARKED`].
    pub(crate) mark: S::Tok<u16>,
    /// The token that was marked last: the head of the list of marked tokens.
    pub(crate) marked: u16,
    /// The top token of each zone, or [`NONE`].
    pub(crate) first: S::Zon<u16>,
    /// The bottom token of each zone, or [`NONE`].
    pub(crate) last: S::Zon<u16>,
    /// Number of tokens in each zone.
    pub(crate) len: S::Zon<u16>,
}

impl<F: Face, S: Size> Clone for Tokens<F, S> {
    /// Copies the struct as one block. The derived implementation for a generic type copies array by array.
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Face, S: Size> Default for Tokens<F, S> {
    /// Creates a table without tokens.
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Face, S: Size> Tokens<F, S> {
    /// Creates a table without tokens: all zones are empty, nothing is marked.
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

    /// Adds a token to the game, face up (public), at the bottom of a zone, and returns it. Its back is that
    /// of the face. Tokens are numbered from 0 in the order of these calls and those of
    /// [`add_slip`](Self::add_slip). Panics if the game has no such zone.
    ///
    /// # Errors
    ///
    /// Fails if the game has no room for another token; nothing has changed then.
    pub fn add(&mut self, face: F, zone: Zone) -> Result<Token, RuleError> {
        let t = self.add_blank(zone)?;
        self.known[t.index()] = Known::PUBLIC;
        self.face[t.index()] = face.index();
        self.may[t.index()] = F::Bits::only(face.index());
        self.back[t.index()] = face.back();
        Ok(t)
    }

    /// Adds a slip at the bottom of a zone and returns it: a token that no seat knows and that has no
    /// possible face until an action lays a secret choice with it ([`Game::veil`](crate::Game::veil)) or it
    /// is rolled as a die ([`Chance::Cast`]). It takes the next token number. Panics if
    /// the game has no such zone.
    ///
    /// # Errors
    ///
    /// Fails if the game has no room for another token; nothing has changed then.
    pub fn add_slip(&mut self, zone: Zone) -> Result<Token, RuleError> {
        self.add_blank(zone)
    }

    /// Adds the lowest unused token number at the bottom of a zone and returns it. No seat knows it, it has
    /// no possible face, and its back is the plain one. Panics if the game has no such zone.
    ///
    /// # Errors
    ///
    /// Fails if all tokens of the game are in use.
    fn add_blank(&mut self, zone: Zone) -> Result<Token, RuleError> {
        let Some(i) = self.zone.as_ref().iter().position(|&z| z == Zone::NOWHERE.0) else {
            return Err(RuleError::new("the game has no room for another token"));
        };
        let t = Token(i as u16);
        self.link_last(t, zone);
        Ok(t)
    }

    // --- where tokens lie

    /// Returns the zone of a token; [`Zone::NOWHERE`] for a number that is no token.
    #[inline(always)]
    pub fn zone(&self, t: Token) -> Zone {
        Zone(self.zone.as_ref().get(t.index()).copied().unwrap_or(Zone::NOWHERE.0))
    }

    /// Returns whether the token lies in this zone. A number that is no token lies in [`Zone::NOWHERE`] only.
    #[inline(always)]
    pub fn in_zone(&self, t: Token, z: Zone) -> bool {
        self.zone(t) == z
    }

    /// Returns the number of tokens in a zone. Panics if the game has no such zone ([`Zone::NOWHERE`]).
    #[inline(always)]
    pub fn len(&self, z: Zone) -> usize {
        self.len[z.index()] as usize
    }

    /// Returns whether a zone is empty. Panics if the game has no such zone ([`Zone::NOWHERE`]).
    #[inline(always)]
    pub fn is_empty(&self, z: Zone) -> bool {
        self.len[z.index()] == 0
    }

    /// Compares the lengths of `N` consecutive zones, starting with `first`: bit i is set if zone `first + i`
    /// holds more than `than` tokens. `N` must be at most 16. Returns 0 if the zones exceed the table.
    #[inline(always)]
    pub fn zones_longer_than<const N: usize>(&self, first: Zone, than: u16) -> u16 {
        let lens = self.len.as_ref().get(first.index()..first.index() + N);
        let Some(lens) = lens.and_then(|lens| <&[u16; N]>::try_from(lens).ok()) else { return 0 };
        lens.iter().zip(0..).fold(0, |bits, (&len, i)| bits | u16::from(len > than) << i)
    }

    /// Returns the first token of a zone; `None` if the zone is empty. Panics if the game has no such zone.
    #[inline(always)]
    pub fn top(&self, z: Zone) -> Option<Token> {
        named(self.first[z.index()])
    }

    /// Returns the last token of a zone; `None` if the zone is empty. Panics if the game has no such zone.
    #[inline(always)]
    pub fn bottom(&self, z: Zone) -> Option<Token> {
        named(self.last[z.index()])
    }

    /// Returns the token below this one in its zone; `None` if it is the last, or no token of the game.
    #[inline(always)]
    pub fn below(&self, t: Token) -> Option<Token> {
        self.next.as_ref().get(t.index()).copied().and_then(named)
    }

    /// Iterates over the tokens of a zone from top to bottom. Panics if the game has no such zone.
    #[inline(always)]
    pub fn iter(&self, z: Zone) -> Iter<'_, F, S> {
        Iter { tokens: self, at: self.first[z.index()] }
    }

    /// Moves a token to the bottom of a zone, also within its own zone. Who knows it, its group and its mark
    /// stay. A number that is not in use becomes a token that no seat knows and that has no possible face.
    /// Panics if the game has no such token number or zone.
    #[inline(always)]
    pub fn put(&mut self, t: Token, z: Zone) {
        self.unlink(t);
        self.link_last(t, z);
    }

    /// Moves a token to the top of a zone, also within its own zone. Who knows it, its group and its mark
    /// stay. A number that is not in use becomes a token that no seat knows and that has no possible face.
    /// Panics if the game has no such token number or zone.
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

    /// Moves all tokens of zone `from`, in their order, to the bottom of zone `to`. Does not change who knows
    /// them. No effect if `from` is empty or both are one zone. Panics if the game has no such zones.
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

    /// Exchanges the contents of two zones; each keeps its order. Does not change who knows the tokens. No
    /// effect if both are one zone. Panics if the game has no such zones.
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

    /// Appends a token that is in no list to the bottom of a zone, and sets its zone. Panics if the game has
    /// no such token number or zone.
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

    /// Removes a token from the list of its zone; no effect if it is in none. The entry of its zone stays
    /// until the caller links the token again.
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

    /// Returns who knows the token's face; [`Known::NOBODY`] for a number that is no token. Such a number can
    /// come from typed text; the rules reject it because it lies in no zone.
    #[inline(always)]
    pub fn known(&self, t: Token) -> Known {
        self.known.as_ref().get(t.index()).copied().unwrap_or(Known::NOBODY)
    }

    /// Returns whether the token's face is public; `false` for a number that is no token.
    #[inline(always)]
    pub fn is_public(&self, t: Token) -> bool {
        self.known(t).is_public()
    }

    /// Returns the face of a public token.
    ///
    /// # Errors
    ///
    /// Fails for a hidden token, even if the observer knows its face, with [`RuleError::missing_face`] set:
    /// the rules must first have a `Reveal`, a `Declare` or a `Decide` that shows it. Fails for a number that
    /// is no token, with `missing_face` unset.
    #[inline(always)]
    pub fn face(&self, t: Token) -> Result<F, RuleError> {
        match self.public_face(t) {
            Some(face) => Ok(face),
            None if self.zone(t) == Zone::NOWHERE => Err(RuleError::of("there is no such token", t)),
            None => Err(RuleError::face_needed(t)),
        }
    }

    /// Returns the face of a token if it is public; `None` if it is hidden or no token.
    #[inline(always)]
    pub fn public_face(&self, t: Token) -> Option<F> {
        if self.is_public(t) { Some(F::nth(self.face[t.index()])) } else { None }
    }

    /// Returns the public back of the token; [`Back::HIDDEN`] if it is not public, and for a number that
    /// exceeds the table. The plain back for a slip before its first choice and for a number that is not in
    /// use.
    #[inline(always)]
    pub fn back(&self, t: Token) -> Back {
        self.back.as_ref().get(t.index()).copied().unwrap_or(Back::HIDDEN)
    }

    /// Returns the faces that the token can have according to public claims: one face for a public token,
    /// none for a number that is no token and for a slip without a choice.
    #[inline(always)]
    pub fn may(&self, t: Token) -> FaceSet<F> {
        FaceSet::from_bits(self.may.as_ref().get(t.index()).copied().unwrap_or_default())
    }

    /// Returns whether public claims allow the token to have a face of `set`; `false` for a number that is no
    /// token.
    #[inline(always)]
    pub fn may_be(&self, t: Token, set: FaceSet<F>) -> bool {
        !self.may(t).and(set).is_empty()
    }

    /// Restricts the possible faces of a hidden token to those that are also in `set`, because a public claim
    /// says so, perhaps to none. Holds until the token is mixed with others. No effect on a public token and
    /// for a number that exceeds the table.
    #[inline]
    pub fn narrow(&mut self, t: Token, set: FaceSet<F>) {
        if !self.is_public(t)
            && let Some(may) = self.may.as_mut().get_mut(t.index())
        {
            *may = may.and(set.0);
        }
    }

    /// Returns whether the token is public and has this face; `false` for a hidden token and for a number
    /// that is no token.
    #[inline(always)]
    pub fn is_face(&self, t: Token, face: F) -> bool {
        let i = t.index();
        // `&` instead of `&&`: two unpredictable conditions cost one branch instead of two.
        i < S::TOKENS && self.known[i].is_public() & (self.face[i] == face.index())
    }

    /// Returns whether any hidden token has this face, wherever it lies. This is public information, as the
    /// multisets of groups are. Slips, dice and token numbers that are not in use count as face 0.
    #[inline]
    pub fn hides(&self, face: F) -> bool {
        /// Tokens compared per branch, so that the compiler vectorises the comparison.
        const PIECE: usize = 64;
        let mut pieces = self.face.as_ref().chunks(PIECE).zip(self.known.as_ref().chunks(PIECE));
        let is_face = |(&f, known): (&u8, &Known)| (f == face.index()) & !known.is_public();
        pieces.any(|(f, known)| f.iter().zip(known).map(is_face).fold(false, |any, is| any | is))
    }

    /// Returns whether a public token with this face lies in a zone whose number is in `zones`.
    #[inline]
    pub fn shows_in(&self, face: F, zones: std::ops::Range<u8>) -> bool {
        let is_there = |i: usize| {
            self.known[i].is_public() & (self.face[i] == face.index()) & zones.contains(&self.zone[i])
        };
        (0..S::TOKENS).fold(false, |any, i| any | is_there(i))
    }

    /// Changes the face of a public token (e.g. a block loses strength), and with it its back and possible
    /// faces.
    ///
    /// # Errors
    ///
    /// Fails if the token is hidden or no token, with [`RuleError::missing_face`] set in both cases; nothing
    /// has changed then.
    #[inline]
    pub fn rewrite(&mut self, t: Token, face: F) -> Result<(), RuleError> {
        if !self.is_public(t) {
            return Err(RuleError::face_needed(t));
        }
        self.face[t.index()] = face.index();
        self.may[t.index()] = F::Bits::only(face.index());
        self.back[t.index()] = face.back();
        Ok(())
    }

    /// Returns whether two hidden tokens are in one group, i.e. they may have changed places; `false` for
    /// public tokens, slips, dice and numbers that are no tokens. With the same token twice: whether it is in
    /// a group.
    #[inline]
    pub fn same_group(&self, a: Token, b: Token) -> bool {
        self.group(a) != NONE && self.group(a) == self.group(b)
    }

    /// Returns the name of a token's group; [`NONE`] if it is public, a slip, a die or no token.
    #[inline]
    fn group(&self, t: Token) -> u16 {
        self.group.as_ref().get(t.index()).copied().unwrap_or(NONE)
    }

    /// Counts how often a face occurs among the hidden tokens of this token's group; 0 for a token without a
    /// group.
    pub fn count_in_group(&self, t: Token, face: F) -> usize {
        let group = self.group(t);
        self.all()
            .filter(|u| {
                group != NONE && self.group[u.index()] == group && self.face[u.index()] == face.index()
            })
            .count()
    }

    // --- marks

    /// Marks a token, so that [`Set::Marked`] contains it until [`unmark_all`](Self::unmark_all). No effect
    /// if it is marked already or the number exceeds the table. Does not check that the number is in use.
    #[inline]
    pub fn mark(&mut self, t: Token) {
        if let Some(mark) = self.mark.as_mut().get_mut(t.index()).filter(|mark| **mark == UNMARKED) {
            *mark = self.marked;
            self.marked = t.0;
        }
    }

    /// Marks all tokens of a zone, so that [`Set::Marked`] contains them until
    /// [`unmark_all`](Self::unmark_all). No effect on those that are marked already. Panics if the game has
    /// no such zone.
    pub fn mark_zone(&mut self, z: Zone) {
        let mut next = self.top(z);
        while let Some(t) = next {
            self.mark(t);
            next = self.below(t);
        }
    }

    /// Removes all marks.
    #[inline]
    pub fn unmark_all(&mut self) {
        while self.unmark_last().is_some() {}
    }

    /// Removes the mark of the token that was marked last and returns that token; `None` if none is marked.
    #[inline(always)]
    pub(crate) fn unmark_last(&mut self) -> Option<Token> {
        let t = self.last_marked()?;
        self.marked = std::mem::replace(&mut self.mark[t.index()], UNMARKED);
        Some(t)
    }

    /// Returns whether the token is marked; `false` for a number that exceeds the table.
    #[inline]
    pub fn is_marked(&self, t: Token) -> bool {
        self.mark.as_ref().get(t.index()).is_some_and(|&mark| mark != UNMARKED)
    }

    /// Returns the token that was marked last; `None` if none is marked.
    #[inline(always)]
    pub(crate) fn last_marked(&self) -> Option<Token> {
        named(self.marked)
    }

    /// Returns the token that was marked before this marked one; `None` if this was the first. The caller
    /// guarantees that `t` is marked.
    #[inline(always)]
    pub(crate) fn marked_before(&self, t: Token) -> Option<Token> {
        named(self.mark[t.index()])
    }

    // --- sets

    /// Iterates over all tokens that lie in a zone, in ascending order.
    pub fn all(&self) -> impl Iterator<Item = Token> + Clone + '_ {
        let zones = self.zone.as_ref();
        (0..zones.len()).filter(|&i| zones[i] != Zone::NOWHERE.0).map(|i| Token(i as u16))
    }

    /// Returns whether a token belongs to a set. [`Set::One`] contains its token even if that does not exist;
    /// a zone that the game does not have contains no token.
    #[inline(always)]
    pub fn in_set(&self, t: Token, set: Set) -> bool {
        match set {
            Set::One(one) => one == t,
            Set::Zone(z) => self.in_zone(t, z),
            Set::Zones(a, b) => self.in_zone(t, a) || self.in_zone(t, b),
            Set::Marked => self.is_marked(t),
        }
    }

    /// Iterates over the tokens of a set in ascending order; numbers that are not in use are left out.
    pub fn set(&self, set: Set) -> impl Iterator<Item = Token> + Clone + '_ {
        self.all().filter(move |&t| self.in_set(t, set))
    }

    /// Writes the numbers of the tokens of a set in ascending order to the front of `out` and returns how
    /// many there are; the rest of `out` is unchanged. [`Set::One`] gives its token even if that does not
    /// exist. Panics for a [`Set::Zone`] that the game does not have.
    #[inline(always)]
    pub(crate) fn collect(&self, set: Set, out: &mut S::Tok<u16>) -> usize {
        let mut n = 0;
        self.each(set, |t| {
            out[n] = t;
            n += 1;
        });
        n
    }

    /// Calls `tell` with the number of each token of a set, in ascending order. [`Set::One`] gives its token
    /// even if that does not exist. Panics for a [`Set::Zone`] that the game does not have.
    #[inline(always)]
    pub(crate) fn each(&self, set: Set, mut tell: impl FnMut(u16)) {
        if let Some(t) = self.only(set) {
            return tell(t.0);
        }
        // Match the kind of set once, not per token.
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

    /// Calls `tell` with the number of each token of a zone in ascending order: sets a bit per token along
    /// the linked list, then scans the bits. Cheaper than a scan of all tokens in a large game. The game must
    /// have at most 512 tokens.
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

    /// Returns the token of a [`Set::One`], even if that does not exist, or of a [`Set::Zone`] with exactly
    /// one token. `None` for every other set: no search is made, so the set may have none, one or several
    /// tokens. Panics for a [`Set::Zone`] that the game does not have.
    #[inline(always)]
    pub(crate) fn only(&self, set: Set) -> Option<Token> {
        match set {
            Set::One(t) => Some(t),
            Set::Zone(z) if self.len[z.index()] == 1 => self.top(z),
            _ => None,
        }
    }

    /// Returns whether the set is a zone that holds all tokens of a small game (1 to 16 tokens). `false` for
    /// every larger game.
    #[inline(always)]
    pub(crate) fn is_all(&self, set: Set) -> bool {
        0 < S::TOKENS && S::TOKENS <= 16 && matches!(set, Set::Zone(z) if self.len(z) == S::TOKENS)
    }

    /// Returns whether a cast, reveal or rearrangement has no effect, so that the rules must skip the node:
    /// it names no tokens, or the audience knows all faces to reveal already, or all backs to reveal are
    /// public already. `false` for every other kind of node, also for the shuffle of an empty pile.
    pub fn idle(&self, node: Node) -> bool {
        match node {
            Node::Rearrange { set, .. } | Node::Chance(Chance::Cast { set, .. }) => {
                self.set(set).next().is_none()
            }
            Node::Reveal { set, to, side } => !self.set(set).any(|t| match (to, side) {
                (Audience::All, Side::Face) => !self.is_public(t),
                (Audience::Seat(seat), Side::Face) => !self.known(t).to(seat),
                (_, Side::Back) => !self.is_public(t) && self.back(t) == Back::HIDDEN,
            }),
            _ => false,
        }
    }
}

/// Converts a number of the linked lists into a token; `None` for [`NONE`].
#[inline(always)]
const fn named(t: u16) -> Option<Token> {
    if t == NONE { None } else { Some(Token(t)) }
}

/// The tokens of a zone from top to bottom.
#[derive(Clone, Debug)]
pub struct Iter<'a, F: Face, S: Size> {
    /// The table.
    tokens: &'a Tokens<F, S>,
    /// The next token, or [`NONE`].
    at: u16,
}

impl<F: Face, S: Size> Iterator for Iter<'_, F, S> {
    type Item = Token;
    /// Returns the next token downwards; `None` after the bottom one.
    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
        let t = named(self.at)?;
        self.at = self.tokens.next[t.index()];
        Some(t)
    }
}
