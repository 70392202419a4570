//! The faces that one observer knows.

use crate::size::Size;
use crate::token::Token;

/// The mark of an unknown face.
pub(crate) const UNKNOWN: u8 = u8::MAX;

/// The private table of an observer: one byte per token, and what remains of knowledge that a
/// rearrangement blurred.
#[derive(Clone, Debug)]
pub struct Faces<S: Size> {
    pub(crate) face: S::Tok<u8>,
    /// Almost no position has any.
    pub(crate) notes: Vec<Note>,
}

/// "One token of this set has this face": what is left when a seat permutes tokens that others knew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Note {
    pub(crate) face: u8,
    pub(crate) set: Vec<u16>,
}

impl<S: Size> Faces<S> {
    pub(crate) fn none() -> Self {
        Faces { face: S::tok(UNKNOWN), notes: Vec::new() }
    }

    /// The number of the face, if known.
    #[inline(always)]
    pub(crate) fn get(&self, t: Token) -> Option<u8> {
        let f = self.face[t.index()];
        if f == UNKNOWN { None } else { Some(f) }
    }

    /// These tokens were issued anew by somebody else: exact knowledge becomes notes.
    pub(crate) fn blur(&mut self, set: &[u16], known: impl Fn(u16) -> Option<u8>, keep_notes: bool) {
        for note in &mut self.notes {
            if note.set.iter().any(|t| set.contains(t)) {
                note.set.extend_from_slice(set);
                note.set.sort_unstable();
                note.set.dedup();
            }
        }
        for &t in set {
            if let Some(face) = known(t).filter(|_| keep_notes) {
                self.notes.push(Note { face, set: set.to_vec() });
            }
            self.face[t as usize] = UNKNOWN;
        }
    }

    /// The token has turned out to have this face: a note about it is used up.
    pub(crate) fn settle_note(&mut self, t: Token, face: u8) {
        if let Some(i) = self.notes.iter().position(|n| n.face == face && n.set.contains(&t.0)) {
            self.notes.swap_remove(i);
        }
        for note in &mut self.notes {
            note.set.retain(|&u| u != t.0);
        }
        self.notes.retain(|n| !n.set.is_empty());
    }
}
