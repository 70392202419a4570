//! The simulator lent to the rules: for a game that knows a shorter way through a playout than node by node.

use crate::claims::Cx;
use crate::face::Face;
use crate::faces::{Faces, UNKNOWN};
use crate::game::{Game, Own, TokensOf};
use crate::rejected::Rejected;
use crate::rng::Rng;
use crate::seat::Seat;
use crate::token::{Back, Token};

/// What [`Game::play_on`] does the engine's part of events with: it knows all faces, makes them known as an
/// event does, and answers whatever is random.
#[derive(Debug)]
pub struct Sim<'a, G: Game> {
    faces: &'a mut Faces<G::Size>,
    rng: &'a mut Rng,
    list: &'a mut Vec<G::Action>,
    pub(crate) decisions: u32,
}

impl<'a, G: Game> Sim<'a, G> {
    #[inline(always)]
    pub(crate) fn new(faces: &'a mut Faces<G::Size>, rng: &'a mut Rng, list: &'a mut Vec<G::Action>) -> Self {
        Sim { faces, rng, list, decisions: 0 }
    }

    /// What this seat may read, for its list.
    #[inline(always)]
    pub fn own<'o>(&'o self, tokens: &'o TokensOf<G>, seat: Seat) -> Own<'o, G> {
        Own::new(seat, tokens, &self.faces.face)
    }

    /// A decision of this seat: one action of the list that is written here.
    #[inline(always)]
    pub fn choose(
        &mut self,
        tokens: &TokensOf<G>,
        seat: Seat,
        write: impl FnOnce(&Own<'_, G>, &mut Vec<G::Action>),
    ) -> Result<G::Action, Rejected> {
        self.list.clear();
        write(&Own::new(seat, tokens, &self.faces.face), self.list);
        self.decisions += 1;
        let nth = self.rng.below(self.list.len() as u32) as usize;
        self.list.get(nth).copied().ok_or(Rejected::new("a decision without a legal action"))
    }

    /// A decision with one action on the list.
    #[inline(always)]
    pub fn no_choice(&mut self) {
        self.decisions += 1;
        self.rng.below(1);
    }

    /// Nature picks a number 0 … of − 1.
    #[inline(always)]
    pub fn pick(&mut self, of: u32) -> u32 {
        self.rng.below(of)
    }

    /// What claims are checked with.
    #[inline(always)]
    pub fn cx(&self) -> Cx<'_, G::Face> {
        Cx::new(self.faces.face.as_ref(), None)
    }

    /// Everybody learns the face of a token; nothing happens if it is public.
    #[inline(always)]
    pub fn show(&mut self, tokens: &mut TokensOf<G>, t: Token) -> Result<(), Rejected> {
        if tokens.is_public(t) {
            return Ok(());
        }
        let face = self.faces.get(t).ok_or(Rejected::face_needed(t))?;
        tokens.show(t, face)?;
        self.faces.face[t.index()] = UNKNOWN;
        Ok(())
    }

    /// Everybody learns the back of a hidden token.
    #[inline(always)]
    pub fn show_back(&mut self, tokens: &mut TokensOf<G>, t: Token) -> Result<Back, Rejected> {
        let face = self.faces.get(t).ok_or(Rejected::face_needed(t))?;
        let back = G::Face::nth(face).back();
        tokens.show_back(t, back);
        Ok(back)
    }

    /// A seat learns the face of a hidden token.
    #[inline(always)]
    pub fn tell(&mut self, tokens: &mut TokensOf<G>, t: Token, seat: Seat) {
        tokens.tell(t, seat);
    }
}
