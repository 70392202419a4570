//! Private dice: each die is a token without a group whose face only the owner of its zone learns.

use crate::apply::ensure_shows_nothing;
use crate::face::{Face, FaceSet};
use crate::faces::UNKNOWN;
use crate::game::Game;
use crate::nature::Nature;
use crate::node::Set;
use crate::notation::{ParseError, ScriptError};
use crate::position::{LoggedEventOf, Observer, Position};
use crate::rejected::{RuleError, ensure};
use crate::seat::Seat;
use crate::size::Size;
use crate::token::{Token, Zone};

impl<G: Game> Position<G> {
    /// Casts the dice of a set: each gets one of the `sides` faces from number `first` on, as `nature` says,
    /// and only the owner of its zone knows it. What the dice showed before is lost. Writes each face to the
    /// annex of its owner in `line` if given; the random numbers are the same either way. The rules are not
    /// called.
    ///
    /// # Errors
    ///
    /// Fails if this position is not the simulator's, if `nature` rejects its prepared sides, if the game
    /// lacks a face, or if a token cannot be cast. Earlier dice are then cast already.
    pub(crate) fn cast(
        &mut self,
        set: Set,
        first: u8,
        sides: u8,
        nature: &mut impl Nature,
        mut line: Option<&mut LoggedEventOf<G>>,
    ) -> Result<(), RuleError> {
        if self.observer != Observer::All {
            return Err(RuleError::new("only the simulator can roll private dice alone"));
        }
        let menu = sides_from::<G>(first, sides)?;
        let mut dice = G::Size::tok(0u16);
        let n = self.state.tokens().collect(set, &mut dice);
        for (i, &die) in dice.as_ref()[..n].iter().enumerate() {
            let (t, owner) = (Token(die), self.caster(Token(die))?);
            let face = first + nature.side(i, n, sides)?;
            self.state.tokens_mut().lay(t, menu, owner);
            self.faces.face[t.index()] = face;
            if let Some(line) = line.as_deref_mut() {
                line.annex(Some(owner)).learned.push((t, G::Face::nth(face)));
            }
        }
        Ok(())
    }

    /// Applies a logged cast: each die of the set has one of the `sides` faces from number `first` on, which
    /// only the owner of its zone knows. An observer that may know a die reads its face from the annex of the
    /// owner. The rules are not called.
    ///
    /// # Errors
    ///
    /// Fails if the event shows faces or backs, if an annex that this observer may read lacks a die, names
    /// another token or has a face that is no side, if the game lacks a face, or if a token cannot be cast.
    /// The position must then be discarded.
    pub(crate) fn follow_cast(
        &mut self,
        set: Set,
        first: u8,
        sides: u8,
        line: &LoggedEventOf<G>,
    ) -> Result<(), RuleError> {
        ensure_shows_nothing(line)?;
        let menu = sides_from::<G>(first, sides)?;
        let mut dice = G::Size::tok(0u16);
        let n = self.state.tokens().collect(set, &mut dice);
        let mut told = 0;
        for &die in &dice.as_ref()[..n] {
            let (t, owner) = (Token(die), self.caster(Token(die))?);
            let knows = self.observer == Observer::All || self.observer == Observer::Seat(owner);
            let face = if knows {
                let learned = self.annex(line, Some(owner)).into_iter().flat_map(|annex| &annex.learned);
                let face = learned.clone().find(|(u, _)| *u == t).map(|&(_, face)| face);
                let face = face.ok_or(RuleError::face_needed(t))?;
                ensure(menu.has(face), "the die has no such side")?;
                told += 1;
                face.index()
            } else {
                UNKNOWN
            };
            self.state.tokens_mut().lay(t, menu, owner);
            self.faces.face[t.index()] = face;
        }
        let seats = (0..self.seats()).map(Seat);
        let annexes = seats.filter_map(|seat| self.annex(line, Some(seat)));
        let named: usize = annexes.map(|annex| annex.learned.len()).sum();
        ensure(named == told, "the annex tells of other tokens than are cast")
    }

    /// Returns the seat that learns the result of the die `t`: the owner of its zone.
    ///
    /// # Errors
    ///
    /// Fails if there is no such token, if its zone has no owner, or if the token belongs to a group: the
    /// multiset of a group is public, and a die would change it.
    fn caster(&self, t: Token) -> Result<Seat, RuleError> {
        let tokens = self.state.tokens();
        if tokens.zone(t) == Zone::NOWHERE {
            return Err(RuleError::of("there is no such token", t));
        }
        if tokens.same_group(t, t) {
            return Err(RuleError::of("this token was mixed with others and is no die", t));
        }
        self.state.owner(tokens.zone(t)).ok_or(RuleError::of("this die lies in a zone without an owner", t))
    }

    /// Returns the sides, from 0 and by ascending token, that give these faces, separated by spaces, to the
    /// dice of a set in the order of [`places`](Self::places). The dice have `sides` faces from number
    /// `first` on.
    ///
    /// # Errors
    ///
    /// Fails if a word is no face or no side of these dice, or if there is not one word for each die.
    pub(crate) fn sides_of(
        &self,
        set: Set,
        first: u8,
        sides: u8,
        faces: &str,
    ) -> Result<Vec<u16>, ScriptError> {
        let places = self.places(set);
        let words: Vec<&str> = faces.split_whitespace().collect();
        if words.len() != places.len() {
            return Err(ParseError::new(faces, format!("a face for each of {} dice", places.len())).into());
        }
        let mut cast = Vec::with_capacity(places.len());
        for (&t, word) in places.iter().zip(words) {
            let face: G::Face = word.parse()?;
            let side = face.index().checked_sub(first).filter(|&side| side < sides);
            cast.push((t, side.ok_or(ParseError::new(word, "a side of these dice"))?));
        }
        cast.sort_unstable();
        Ok(cast.into_iter().map(|(_, side)| side.into()).collect())
    }
}

/// Returns the faces of a die: `sides` consecutive ones, the lowest with the number `first`.
///
/// # Errors
///
/// Fails if there is no side, or the game lacks one of the faces.
fn sides_from<G: Game>(first: u8, sides: u8) -> Result<FaceSet<G::Face>, RuleError> {
    let last = usize::from(first) + usize::from(sides);
    ensure(sides > 0 && last <= G::Face::KINDS, "the game does not have the sides of this die")?;
    Ok((first..first + sides).map(G::Face::nth).collect())
}
