//! Keys of edges: hashes of what the observer can tell apart.

use pentarchy_engine::{Audience, Game, Position, Seat, Side, Token};
use std::hash::{Hash, Hasher};

/// A fast hash. Its values are compared only among the edges of one node.
pub(super) struct Mix(u64);

impl Mix {
    /// Creates a hash from a start value; equal starts and words give equal hashes.
    pub(super) fn new(start: u32) -> Self {
        Mix(0x9E37_79B9_7F4A_7C15 ^ u64::from(start))
    }

    /// Mixes a word into the hash.
    #[inline(always)]
    pub(super) fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    }

    /// Returns the hash of all words so far as 32 bits; more words may follow.
    #[inline(always)]
    pub(super) fn key(&self) -> u32 {
        let x = (self.0 ^ self.0 >> 29).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        (x >> 32) as u32
    }
}

impl Hasher for Mix {
    /// Mixes bytes in, as words of up to 8 bytes with their length.
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            self.add(chunk.iter().fold(chunk.len() as u64, |word, &byte| word << 8 | u64::from(byte)));
        }
    }
    /// Mixes the number in as one word.
    #[inline(always)]
    fn write_u8(&mut self, n: u8) {
        self.add(n.into());
    }
    /// Mixes the number in as one word.
    #[inline(always)]
    fn write_u16(&mut self, n: u16) {
        self.add(n.into());
    }
    /// Mixes the number in as one word.
    #[inline(always)]
    fn write_u32(&mut self, n: u32) {
        self.add(n.into());
    }
    /// Mixes the number in as one word.
    #[inline(always)]
    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }
    /// Mixes the number in as one word of 64 bits, on all platforms.
    #[inline(always)]
    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }
    /// Mixes the number in as one word of 64 bits; discriminants of enums are hashed this way.
    #[inline(always)]
    fn write_isize(&mut self, n: isize) {
        self.add(n as u64);
    }
    /// Returns the 32 bits of [`key`](Self::key).
    fn finish(&self) -> u64 {
        self.key().into()
    }
}

/// Returns a token as an observer sees it, independent of its number: a code of its zone, and its face or
/// else its back. The face counts if `shown`, or if the observer knows it; `whole` must know it. The result
/// is no token of the game.
#[inline(always)]
fn as_observed<G: Game>(whole: &Position<G>, observer: Seat, shown: bool, t: Token) -> Token {
    let tokens = whole.state().tokens();
    let zone = u16::from(tokens.zone(t).0);
    match whole.face(t) {
        Some(face) if shown || tokens.known(t).to(observer) => {
            Token(1 << 15 | u16::from(pentarchy_engine::Face::index(face)) << 8 | zone)
        }
        // Back numbers are small, unless the back is hidden.
        _ => Token(u16::from(tokens.back(t).0 & 0x7F) << 8 | zone),
    }
}

/// Returns the key of `action`, taken by `seat` in `whole`, as the observer sees it: in its public form,
/// without token numbers, but with the faces that it shows (of the first eight shown tokens). The observer's
/// own actions are seen completely. `whole` must know all faces. Equal keys mean that the observer cannot
/// tell the actions apart (or, very rarely, a collision).
pub(super) fn action<G: Game>(whole: &Position<G>, observer: Seat, seat: Seat, action: G::Action) -> u32 {
    let mut mix = Mix::new(seat.0.into());
    if seat == observer {
        G::map_tokens(action, &mut |t| as_observed(whole, observer, false, t)).hash(&mut mix);
        return mix.key();
    }
    let public = whole.state().veil(action).0;
    // Most actions show nothing, and few tokens otherwise.
    let mut shown = [Token(u16::MAX); 8];
    let mut count = 0;
    whole.state().shows(public, &mut |t| {
        if let Some(place) = shown.get_mut(count) {
            *place = t;
            count += 1;
        }
    });
    let shown = &shown[..count];
    G::map_tokens(public, &mut |t| as_observed(whole, observer, shown.contains(&t), t)).hash(&mut mix);
    // Shown tokens need not be named by the action.
    let faces =
        shown.iter().fold(0u64, |sum, &t| sum + 1 + u64::from(as_observed(whole, observer, true, t).0));
    mix.add(faces);
    mix.key()
}

/// Returns the key of what the observer will see of a reveal that is about to be resolved in `whole`,
/// independent of token numbers; `None` if it is addressed to another seat. Public tokens do not count, nor
/// do faces shown to the observer alone that they know already; 0 if nothing else is shown. `whole` must
/// know the faces.
pub(super) fn revealed<G: Game>(
    whole: &Position<G>,
    observer: Seat,
    set: pentarchy_engine::Set,
    to: Audience,
    side: Side,
) -> Option<u64> {
    if matches!(to, Audience::Seat(seat) if seat != observer) {
        return None;
    }
    let tokens = whole.state().tokens();
    let mut seen = 0u64;
    for t in tokens.set(set).filter(|&t| !tokens.is_public(t)) {
        let mut mix = Mix::new(1);
        match side {
            Side::Face if tokens.known(t).to(observer) && to != Audience::All => continue,
            Side::Face => mix.add(as_observed(whole, observer, true, t).0.into()),
            Side::Back => {
                let back = whole.face(t).map_or(0, |face| pentarchy_engine::Face::back(face).0);
                mix.add(1 << 32 | u64::from(back) << 8 | u64::from(tokens.zone(t).0));
            }
        }
        // A sum is independent of the order of tokens, so token numbers do not matter.
        seen = seen.wrapping_add(u64::from(mix.key()) + 1);
    }
    Some(seen)
}
