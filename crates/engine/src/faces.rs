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
    pub(crate) notes: Notes,
}

/// "One token of this set has this face": what is left when a seat permutes tokens that others knew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Note {
    pub(crate) face: u8,
    pub(crate) set: Vec<u16>,
}

/// All notes of an observer. Almost no position has any: so it is one word, which a clone only looks at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(clippy::box_collection, reason = "a third of the size of a bare list")]
pub(crate) struct Notes(Option<Box<Vec<Note>>>);

impl Notes {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn clear(&mut self) {
        self.0 = None;
    }

    pub(crate) fn push(&mut self, note: Note) {
        self.0.get_or_insert_default().push(note);
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Note> {
        self.0.as_deref().map_or(&[][..], Vec::as_slice).iter()
    }

    /// Changes the notes; no list is kept for none.
    fn change(&mut self, change: impl FnOnce(&mut Vec<Note>)) {
        if let Some(notes) = &mut self.0 {
            change(notes);
            if notes.is_empty() {
                self.0 = None;
            }
        }
    }
}

impl<'a> IntoIterator for &'a Notes {
    type Item = &'a Note;
    type IntoIter = std::slice::Iter<'a, Note>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<S: Size> Faces<S> {
    pub(crate) fn none() -> Self {
        Faces { face: S::tok(UNKNOWN), notes: Notes::default() }
    }

    /// The number of the face, if known.
    #[inline(always)]
    pub(crate) fn get(&self, t: Token) -> Option<u8> {
        self.face.as_ref().get(t.index()).copied().filter(|&f| f != UNKNOWN)
    }

    /// These tokens were issued anew by somebody else: exact knowledge of them becomes notes.
    pub(crate) fn blur(&mut self, set: &[u16], known: &[u8]) {
        self.notes.change(|notes| {
            for note in notes.iter_mut().filter(|note| note.set.iter().any(|t| set.contains(t))) {
                note.set.extend_from_slice(set);
                note.set.sort_unstable();
                note.set.dedup();
            }
        });
        known.iter().for_each(|&face| self.notes.push(Note { face, set: set.to_vec() }));
        for &t in set {
            self.face[t as usize] = UNKNOWN;
        }
    }

    /// The token has turned out to have this face: a note about it is used up.
    pub(crate) fn settle_note(&mut self, t: Token, face: u8) {
        self.notes.change(|notes| {
            if let Some(i) = notes.iter().position(|n| n.face == face && n.set.contains(&t.0)) {
                notes.swap_remove(i);
            }
            for note in notes.iter_mut() {
                note.set.retain(|&u| u != t.0);
            }
            notes.retain(|n| !n.set.is_empty());
        });
    }
}
