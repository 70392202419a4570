//! The simulator as rules see it in [`Game::play_on`]: lets a game play several events of a random playout at
//! once.

use crate::face::Face;
use crate::faces::{Faces, UNKNOWN};
use crate::game::{Game, SeatView, TokensOf};
use crate::node::Set;
use crate::rejected::RuleError;
use crate::rng::Rng;
use crate::seat::{Known, Seat};
use crate::token::{Back, Token, Zone};

/// Does the engine's part of events for [`Game::play_on`]: knows all faces, changes who knows them, and draws
/// random numbers. Draws the same numbers as event-by-event play.
#[derive(Debug)]
pub struct Sim<'a, G: Game> {
    /// The private faces of the simulator: those of all hidden tokens.
    faces: &'a mut Faces<G::Size>,
    /// Whether the byte of each hidden token in [`Tokens`](crate::Tokens) is its true face.
    aligned: bool,
    /// The generator of the playout.
    rng: &'a mut Rng,
    /// A reusable buffer for legal actions.
    list: &'a mut Vec<G::Action>,
    /// Number of decisions made so far.
    pub(crate) decisions: u32,
}

impl<'a, G: Game> Sim<'a, G> {
    /// Creates the simulator of a playout. `aligned` says that the bytes of hidden tokens are their true
    /// faces. `list` is a reusable buffer. The count of decisions starts at 0.
    #[inline(always)]
    pub(crate) fn new(
        faces: &'a mut Faces<G::Size>,
        aligned: bool,
        rng: &'a mut Rng,
        list: &'a mut Vec<G::Action>,
    ) -> Self {
        Sim { faces, aligned, rng, list, decisions: 0 }
    }

    /// Returns the interface through which the legal actions of `seat` read faces. `tokens` are those of the
    /// state that is being played.
    #[inline(always)]
    pub fn own<'o>(&'o self, tokens: &'o TokensOf<G>, seat: Seat) -> SeatView<'o, G> {
        SeatView::new(seat, tokens, &self.faces.face)
    }

    /// Decides for `seat`: calls `write` with its view to append the legal actions to an empty list, and
    /// returns one of them at random. `tokens` are those of the state that is being played. Counts a decision
    /// and draws one random number, as event-by-event play does.
    ///
    /// # Errors
    ///
    /// Fails if the list is empty; the decision is counted and the number drawn all the same.
    #[inline(always)]
    pub fn choose(
        &mut self,
        tokens: &TokensOf<G>,
        seat: Seat,
        write: impl FnOnce(&SeatView<'_, G>, &mut Vec<G::Action>),
    ) -> Result<G::Action, RuleError> {
        self.list.clear();
        write(&SeatView::new(seat, tokens, &self.faces.face), self.list);
        self.decisions += 1;
        let nth = self.rng.below(self.list.len() as u32) as usize;
        self.list.get(nth).copied().ok_or(RuleError::new("a decision without a legal action"))
    }

    /// Decides for `seat` if `write`, which appends the legal actions to an empty list, returns `true`: draws
    /// one at random, returns it and counts a decision. `tokens` are those of the state that is being played.
    /// Returns `None`, draws nothing and counts nothing if `write` returns `false`. Returns `None` after the
    /// draw and the count if the list is empty.
    #[inline(always)]
    pub fn choose_if(
        &mut self,
        tokens: &TokensOf<G>,
        seat: Seat,
        write: impl FnOnce(&SeatView<'_, G>, &mut Vec<G::Action>) -> bool,
    ) -> Option<G::Action> {
        self.list.clear();
        if !write(&SeatView::new(seat, tokens, &self.faces.face), self.list) {
            return None;
        }
        let of = self.list.len();
        let nth = self.nth(of);
        self.list.get(nth).copied()
    }

    /// Draws the index of one of `of` legal actions; 0 if there are none. Counts a decision.
    #[inline(always)]
    pub fn nth(&mut self, of: usize) -> usize {
        self.decisions += 1;
        self.rng.below(of as u32) as usize
    }

    /// Draws a uniform number 0 … `of` − 1; 0 for 0. Counts no decision.
    #[inline(always)]
    pub fn pick(&mut self, of: u32) -> u32 {
        self.rng.below(of)
    }

    /// Rolls a die at random: returns 1 … `sides`, or 1 for no side. Counts no decision.
    #[inline(always)]
    pub fn roll(&mut self, sides: u32) -> u32 {
        self.rng.below(sides) + 1
    }

    /// Shuffles a pile at random: afterwards its tokens form one group and no seat knows them.
    ///
    /// # Errors
    ///
    /// Never fails: the shuffle of the generator does not.
    pub fn shuffle(&mut self, tokens: &mut TokensOf<G>, pile: Zone) -> Result<(), RuleError> {
        self.mix(tokens, pile, Known::NOBODY)
    }

    /// Permutes a zone at random for the seat `by`: afterwards its tokens form one group and only that seat
    /// knows the faces.
    ///
    /// # Errors
    ///
    /// Never fails: the shuffle of the generator does not.
    pub fn rearrange(&mut self, tokens: &mut TokensOf<G>, zone: Zone, by: Seat) -> Result<(), RuleError> {
        self.mix(tokens, zone, Known::only(by))
    }

    /// Permutes a zone at random; afterwards its tokens form one group, and only `known` knows the faces.
    ///
    /// # Errors
    ///
    /// Never fails: the shuffle of the generator does not.
    #[inline(never)]
    fn mix(&mut self, tokens: &mut TokensOf<G>, zone: Zone, known: Known) -> Result<(), RuleError> {
        tokens.mix(Set::Zone(zone), known, &mut self.faces.face, self.aligned, |faces| {
            self.rng.shuffle(faces);
            Ok(())
        })
    }

    /// Makes the face of a token public; no effect if it is public already. `tokens` are those of the state
    /// that is being played.
    ///
    /// # Errors
    ///
    /// Fails if the face is unknown, or if public information contradicts it; nothing has changed then. The
    /// second is not checked where the table's bytes are the true faces.
    #[inline(always)]
    pub fn show(&mut self, tokens: &mut TokensOf<G>, t: Token) -> Result<(), RuleError> {
        if tokens.is_public(t) {
            return Ok(());
        }
        let face = self.faces.get(t).ok_or(RuleError::face_needed(t))?;
        if self.aligned {
            tokens.turn_up(t, face);
        } else {
            tokens.show(t, face)?;
        }
        self.faces.face[t.index()] = UNKNOWN;
        Ok(())
    }

    /// Makes the faces of all marked tokens public and removes the marks.
    ///
    /// # Errors
    ///
    /// Fails if a face is unknown or impossible. That token has lost its mark, and earlier ones are public
    /// already.
    #[inline(always)]
    pub fn show_marked(&mut self, tokens: &mut TokensOf<G>) -> Result<(), RuleError> {
        while let Some(t) = tokens.unmark_last() {
            self.show(tokens, t)?;
        }
        Ok(())
    }

    /// Makes the backs of all marked tokens public and removes the marks. Tokens that are public stay as they
    /// are.
    ///
    /// # Errors
    ///
    /// Fails if a face is unknown. That token has lost its mark, and earlier backs are public already.
    #[inline(always)]
    pub fn show_marked_backs(&mut self, tokens: &mut TokensOf<G>) -> Result<(), RuleError> {
        while let Some(t) = tokens.unmark_last() {
            if !tokens.is_public(t) {
                self.show_back(tokens, t)?;
            }
        }
        Ok(())
    }

    /// Makes the back of a token public and returns it. The token must be hidden.
    ///
    /// # Errors
    ///
    /// Fails if the face is unknown; a public token has no private face and fails too.
    #[inline(always)]
    pub fn show_back(&mut self, tokens: &mut TokensOf<G>, t: Token) -> Result<Back, RuleError> {
        let face = self.faces.get(t).ok_or(RuleError::face_needed(t))?;
        let back = G::Face::nth(face).back();
        tokens.show_back(t, back);
        Ok(back)
    }

    /// Adds a seat to those who know the face of a token; no effect if it is public.
    #[inline(always)]
    pub fn add_knower(&mut self, tokens: &mut TokensOf<G>, t: Token, seat: Seat) {
        if !tokens.is_public(t) {
            tokens.add_knower(t, seat);
        }
    }
}
