//! The private faces that one observer knows.

use crate::size::Size;
use crate::token::Token;

/// Marks an unknown face in a table of faces.
pub(crate) const UNKNOWN: u8 = u8::MAX;

/// The private faces of one observer: one byte per token, plus notes about tokens that a rearrangement mixed.
/// The faces of public tokens are in [`Tokens`](crate::Tokens), not here.
#[derive(Clone, Debug)]
pub struct Faces<S: Size> {
    /// The number of each token's face; [`UNKNOWN`] if it is public, or this observer does not know it.
    pub(crate) face: S::Tok<u8>,
    /// What is left of faces that this observer knew before a rearrangement.
    pub(crate) notes: Notes,
}

/// "One token of `set` has this face": the knowledge that is left after a seat has permuted tokens that this
/// observer knew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Note {
    /// The number of the face.
    pub(crate) face: u8,
    /// The numbers of the tokens, ascending.
    pub(crate) set: Vec<u16>,
}

/// All notes of an observer. Almost no position has any, so the list is behind one nullable pointer: a clone
/// copies one word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(clippy::box_collection, reason = "a third of the size of a bare list")]
pub(crate) struct Notes(Option<Box<Vec<Note>>>);

impl Notes {
    /// Returns whether there are no notes.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Removes all notes.
    pub(crate) fn clear(&mut self) {
        self.0 = None;
    }

    /// Adds a note.
    pub(crate) fn push(&mut self, note: Note) {
        self.0.get_or_insert_default().push(note);
    }

    /// Iterates over the notes in an arbitrary order.
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Note> {
        self.0.as_deref().map_or(&[][..], Vec::as_slice).iter()
    }

    /// Calls `change` with the list of notes, and frees the list if it is empty afterwards. Does not call it
    /// if there are no notes.
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
    /// Iterates over the notes in an arbitrary order.
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<S: Size> Faces<S> {
    /// Creates a table without known faces.
    pub(crate) fn none() -> Self {
        Faces { face: S::tok(UNKNOWN), notes: Notes::default() }
    }

    /// Returns the number of the token's face if this observer knows it privately; `None` if it is unknown,
    /// if the entry is empty because the face is public, or if there is no such token.
    #[inline(always)]
    pub(crate) fn get(&self, t: Token) -> Option<u8> {
        self.face.as_ref().get(t.index()).copied().filter(|&f| f != UNKNOWN)
    }

    /// Handles a mix of the tokens `set` by another seat: forgets the faces of these tokens and adds one note
    /// "a token of `set` has this face" for each entry of `known`. Existing notes that name a token of the
    /// set now name all of them.
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

    /// Updates the notes because the observer learned that `t` has this face: removes one note that this
    /// fulfils, and removes `t` from all other notes. Notes without tokens are dropped. No effect without
    /// notes.
    pub(crate) fn drop_note(&mut self, t: Token, face: u8) {
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
