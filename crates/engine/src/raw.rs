//! Unchecked access to the stored parts of a position (feature `raw`).
//!
//! Only the test kit uses this: it checks the invariants from outside, lays out positions by hand and draws
//! faces lazily. Rules and programs must not, because nothing here keeps the invariants of [`Tokens`] and
//! [`Position`].

use crate::face::{Face, FaceSet};
use crate::faces;
use crate::game::Game;
use crate::position::Position;
use crate::seat::Known;
use crate::size::Size;
use crate::token::{Back, Token};
use crate::tokens::{NONE, Tokens};

/// Marks an unknown face in a table of private faces.
pub const UNKNOWN: u8 = faces::UNKNOWN;

/// All that [`Tokens`] stores about one token, except its zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawToken<F: Face> {
    /// Who knows the face.
    pub known: Known,
    /// The public back.
    pub back: Back,
    /// The number of the group; `None` for public tokens and slips.
    pub group: Option<u16>,
    /// The face of a public token; for a member of a group, one face of the group's multiset.
    pub face: u8,
    /// The possible faces according to public claims.
    pub may: FaceSet<F>,
}

impl<F: Face, S: Size> Tokens<F, S> {
    /// Returns the stored data of a token. Panics if the game has no such token number.
    pub fn raw(&self, t: Token) -> RawToken<F> {
        let i = t.index();
        RawToken {
            known: self.known[i],
            back: self.back[i],
            group: Some(self.group[i]).filter(|&group| group != NONE),
            face: self.face[i],
            may: FaceSet::from_bits(self.may[i]),
        }
    }

    /// Replaces the stored data of a token. Checks nothing; panics if the game has no such token number.
    pub fn set_raw(&mut self, t: Token, raw: RawToken<F>) {
        let i = t.index();
        (self.known[i], self.back[i], self.face[i]) = (raw.known, raw.back, raw.face);
        (self.group[i], self.may[i]) = (raw.group.unwrap_or(NONE), raw.may.0);
    }

    /// Returns the token above this one in its zone, as the token itself stores it; `None` if it is the
    /// first. Panics if the game has no such token number.
    pub fn above(&self, t: Token) -> Option<Token> {
        Some(self.prev[t.index()]).filter(|&prev| prev != NONE).map(Token)
    }

    /// Returns a group number that no token belongs to, and counts it as used. May renumber the existing
    /// groups.
    pub fn unused_group(&mut self) -> u16 {
        self.fresh_group()
    }

    /// Makes one group of these tokens, as after a mix that only `known` knows: any of them may have any of
    /// their faces. Groups that had a member among them are united with it, and backs that differ become
    /// hidden. Does not change their bytes.
    pub fn regroup(&mut self, tokens: &[u16], known: Known) {
        self.reissue(tokens, known);
    }
}

/// The stored parts of a position.
#[derive(Debug)]
pub struct RawPosition<'a, G: Game> {
    /// The public state.
    pub state: &'a mut G,
    /// The private face of each token, [`UNKNOWN`] for none.
    pub faces: &'a mut [u8],
    /// Whether the byte of each hidden token in the state is its true face. Set this to `false` before you
    /// change `faces` without the state.
    pub aligned: &'a mut bool,
}

impl<G: Game> Position<G> {
    /// Gives access to the stored parts, which the caller may change. Nothing is checked afterwards.
    pub fn raw_mut(&mut self) -> RawPosition<'_, G> {
        RawPosition { state: &mut self.state, faces: self.faces.face.as_mut(), aligned: &mut self.aligned }
    }

    /// Returns the private face of each token, [`UNKNOWN`] for none.
    pub fn raw_faces(&self) -> &[u8] {
        self.faces.face.as_ref()
    }

    /// Returns whether both observers know the same private faces and have the same notes about mixed tokens.
    pub fn has_same_knowledge(&self, other: &Self) -> bool {
        self.raw_faces() == other.raw_faces() && self.faces.notes == other.faces.notes
    }

    /// Removes the notes about mixed tokens.
    pub fn clear_notes(&mut self) {
        self.faces.notes.clear();
    }
}
