//! The search for tokens that satisfy a layout.

use super::carry::{Move, is_movable, usual_known};
use super::{ArrangeError, Layout, Rest};
use pentarchy_engine::{Game, Position, Size, Token, Zone};
use std::cmp::Reverse;

/// The state of the search for tokens that satisfy a layout.
pub(super) struct Work<'a, G: Game> {
    position: &'a Position<G>,
    layouts: &'a [Layout<G::Face>],
    rest: &'a Rest,
    /// The token chosen for each entry of each layout, if any.
    chosen: Vec<Vec<Option<Token>>>,
    /// For each token number: whether it is chosen.
    taken: Vec<bool>,
    /// How many tokens each zone has given so far.
    gave: Vec<usize>,
}

impl<'a, G: Game> Work<'a, G> {
    /// Creates the search for tokens that satisfy `layouts` in this position; no token is chosen yet.
    /// `rest` names the piles that give and take tokens.
    ///
    /// # Errors
    ///
    /// Fails if a zone is listed twice, or if a pile is listed without `...` and so cannot take tokens.
    pub(super) fn new(
        position: &'a Position<G>,
        layouts: &'a [Layout<G::Face>],
        rest: &'a Rest,
    ) -> Result<Self, ArrangeError> {
        let closed = |z: Zone| layouts.iter().any(|l| l.zone == z && !l.more);
        for (i, layout) in layouts.iter().enumerate() {
            if layouts[..i].iter().any(|l| l.zone == layout.zone) {
                let name = G::zone_name(layout.zone);
                return Err(ArrangeError::of(layout.zone, format!("the {name} is listed twice")));
            }
        }
        for pile in rest.all.iter().chain(rest.each.iter().map(|(_, pile)| pile)) {
            if closed(*pile) {
                let name = G::zone_name(*pile);
                let why = format!("the {name} cannot take the rest: it holds just what is listed for it");
                return Err(ArrangeError::new(why));
            }
        }
        Ok(Work {
            position,
            layouts,
            rest,
            chosen: layouts.iter().map(|l| vec![None; l.tokens.len()]).collect(),
            taken: vec![false; G::Size::TOKENS],
            gave: vec![0; G::Size::ZONES],
        })
    }

    /// Returns whether a zone is listed without [`Layout::more`], so that it may not take displaced tokens.
    fn is_closed(&self, zone: Zone) -> bool {
        self.layouts.iter().any(|l| l.zone == zone && !l.more)
    }

    /// Returns whether a token has this face, may be moved, and is not chosen yet.
    fn is_free(&self, t: Token, face: G::Face) -> bool {
        !self.taken[t.index()] && is_movable(self.position, t) && self.position.face(t) == Some(face)
    }

    /// Chooses, for each entry of the layout, a token with its face that lies in the right zone already, if
    /// there is one. Call it first.
    pub(super) fn choose_in_place(&mut self) {
        for (l, layout) in self.layouts.iter().enumerate() {
            for (i, laid) in layout.tokens.iter().enumerate() {
                let tokens = self.position.state().tokens();
                let there = tokens.iter(layout.zone).find(|&t| self.is_free(t, laid.face));
                if let Some(t) = there {
                    self.taken[t.index()] = true;
                    self.chosen[l][i] = Some(t);
                }
            }
        }
    }

    /// Chooses, for each entry without a token, one with its face from another zone: from the first source
    /// that has one, the lowest there. Counts the tokens that each zone gives. Call it after
    /// [`choose_in_place`](Self::choose_in_place).
    ///
    /// # Errors
    ///
    /// Fails with the zone that lacks a token if a face is not available any more.
    pub(super) fn choose_elsewhere(&mut self) -> Result<(), ArrangeError> {
        for (l, layout) in self.layouts.iter().enumerate() {
            let sources = self.sources(layout.zone);
            for (i, laid) in layout.tokens.iter().enumerate() {
                if self.chosen[l][i].is_some() {
                    continue;
                }
                let tokens = self.position.state().tokens();
                // Take from the bottom, so that the next cards to be drawn stay in place.
                let lowest = |z: &Zone| tokens.iter(*z).filter(|&t| self.is_free(t, laid.face)).last();
                let Some(t) = sources.iter().find_map(lowest) else {
                    return Err(ArrangeError::of(layout.zone, self.none_left(laid.face, layout.zone)));
                };
                self.taken[t.index()] = true;
                self.gave[tokens.zone(t).index()] += 1;
                self.chosen[l][i] = Some(t);
            }
        }
        Ok(())
    }

    /// Returns all zones but `zone`, in the order in which it takes tokens from them: its pile; then zones
    /// that are listed without `...` and so may not keep other tokens; zones with hidden tokens before
    /// others, those without an owner first, those with more hidden tokens first, and at last by number.
    fn sources(&self, zone: Zone) -> Vec<Zone> {
        let tokens = self.position.state().tokens();
        let mut zones: Vec<Zone> = (0..G::Size::ZONES as u8).map(Zone).filter(|&z| z != zone).collect();
        zones.sort_by_key(|&z| {
            let hidden = tokens.iter(z).filter(|&t| !tokens.is_public(t)).count();
            let owned = self.position.state().owner(z).is_some();
            (self.rest.of(zone) != Some(z), !self.is_closed(z), hidden == 0, owned, Reverse(hidden), z)
        });
        zones
    }

    /// Returns the message that no token with this face is available any more for a zone: that the game has
    /// none, or how many it has and that all are listed.
    fn none_left(&self, face: G::Face, zone: Zone) -> String {
        let tokens = self.position.state().tokens();
        let all = tokens.all().filter(|&t| self.position.face(t) == Some(face)).count();
        let name = G::zone_name(zone);
        match all {
            0 => format!("there is no `{face}` for the {name}: no token of this game has that face"),
            _ => format!("there is no `{face}` left for the {name}: the game has {all}, and all are listed"),
        }
    }

    /// Returns the zone that takes a token displaced from `from`: its pile. Without one, of the zones that
    /// may take tokens: the one that gave the most tokens, those without an owner first; if none gave any,
    /// the largest hidden pile without an owner that is not empty. Ties go to the lowest zone.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    fn zone_for_displaced(&self, from: Zone) -> Result<Zone, ArrangeError> {
        if let Some(pile) = self.rest.of(from) {
            return Ok(pile);
        }
        let state = self.position.state();
        let open_to_all = |z: &Zone| !self.is_closed(*z);
        let zones = || (0..G::Size::ZONES as u8).map(Zone).filter(open_to_all);
        let donor = zones()
            .filter(|z| self.gave[z.index()] > 0)
            .max_by_key(|z| (state.owner(*z).is_none(), self.gave[z.index()], Reverse(*z)));
        let pile = || {
            zones()
                .filter(|&z| state.owner(z).is_none() && !state.open(z) && !state.tokens().is_empty(z))
                .max_by_key(|&z| (state.tokens().len(z), Reverse(z)))
        };
        donor.or_else(pile).ok_or_else(|| {
            let name = G::zone_name(from);
            ArrangeError::of(from, format!("tokens of the {name} have no place left: name one with `rest`"))
        })
    }

    /// Returns the moves that realise the chosen tokens, layout by layout, each followed by those of the
    /// tokens that it displaces. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if a token was not chosen, or if no zone can take a displaced token.
    pub(super) fn moves(&self) -> Result<Vec<Move>, ArrangeError> {
        let mut moves = Vec::new();
        for (layout, chosen) in self.layouts.iter().zip(&self.chosen) {
            for (laid, token) in layout.tokens.iter().zip(chosen) {
                let token = token.ok_or_else(|| ArrangeError::new("a token was not chosen"))?;
                let known = laid.known.unwrap_or_else(|| usual_known(self.position.state(), layout.zone));
                moves.push(Move { token, to: layout.zone, on_top: layout.more, known, back: laid.back });
            }
            if layout.more {
                continue;
            }
            for token in self.position.state().tokens().iter(layout.zone) {
                if self.taken[token.index()] || !is_movable(self.position, token) {
                    continue;
                }
                let to = self.zone_for_displaced(layout.zone)?;
                moves.push(Move {
                    token,
                    to,
                    on_top: false,
                    known: usual_known(self.position.state(), to),
                    back: false,
                });
            }
        }
        Ok(moves)
    }
}
