//! Laying out tokens by hand: builds the position of a scenario from lists of faces, top first, per zone.
//!
//! Only the places of tokens and who knows them change. So all invariants of a position still hold: the
//! multiset of each group is public and exact, and no observer has been given false information.

use crate::face::{Bits, Face};
use crate::faces::UNKNOWN;
use crate::game::Game;
use crate::notation::ParseError;
use crate::position::{Observer, Position};
use crate::seat::{Known, Seat};
use crate::size::Size;
use crate::token::{Back, Token, Zone};
use crate::tokens::NONE;
use std::cmp::Reverse;

/// A token that a scenario asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laid<F> {
    /// The true face of the token.
    pub face: F,
    /// The seats that know the face. `None`: as usual for the zone (see [`Game::open`] and [`Game::owner`]).
    pub known: Option<Known>,
    /// Whether the back is public although other tokens of the group have another back.
    pub back: bool,
}

/// The wanted content of a zone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout<F> {
    /// The zone to fill.
    pub zone: Zone,
    /// The wanted tokens, top first.
    pub tokens: Vec<Laid<F>>,
    /// Whether all other tokens of the zone stay below these. If `false`, they are moved away.
    pub more: bool,
}

/// Why tokens could not be laid out as asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ArrangeError {
    /// The listed zone that could not be filled, if the error belongs to one.
    pub zone: Option<Zone>,
    /// The error in words for a person.
    pub message: String,
}

impl ArrangeError {
    /// Creates an error that belongs to no zone.
    fn new(message: impl Into<String>) -> Self {
        ArrangeError { zone: None, message: message.into() }
    }

    /// Creates an error that belongs to a listed zone.
    fn of(zone: Zone, message: impl Into<String>) -> Self {
        ArrangeError { zone: Some(zone), message: message.into() }
    }
}

/// The piles with which zones exchange tokens. A pile is the first source of missing tokens and takes the
/// tokens that a zone may not keep.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rest {
    /// The pile for all zones without an entry in `each`.
    pub all: Option<Zone>,
    /// Pairs of a zone and its pile.
    pub each: Vec<(Zone, Zone)>,
}

impl Rest {
    /// Returns the pile of a zone: its own entry, or else the common one; `None` if there is neither.
    fn of(&self, zone: Zone) -> Option<Zone> {
        self.each.iter().find(|(z, _)| *z == zone).map(|&(_, pile)| pile).or(self.all)
    }
}

/// The entry of a list that stands for all other tokens of the zone.
pub const MORE: &str = "...";

/// Parses who knows a face: `all`, `none` or a list of seats like `0,2`.
///
/// # Errors
///
/// Fails if an entry is not the number of a seat below `seats`.
pub fn known_from(text: &str, seats: u8) -> Result<Known, ParseError> {
    match text {
        "all" => Ok(Known::PUBLIC),
        "none" => Ok(Known::NOBODY),
        list => list.split(',').try_fold(Known::NOBODY, |known, seat| match seat.trim().parse() {
            Ok(n) if n < seats => Ok(known.and(Seat(n))),
            _ => Err(ParseError::new(text, "`all`, `none` or a list of seats like `0,2`")),
        }),
    }
}

/// Formats who knows a face in the form that [`known_from`] parses.
pub fn known_text(known: Known) -> String {
    if known.is_public() {
        return "all".to_string();
    }
    let seats: Vec<String> = known.seats().iter().map(|s| s.to_string()).collect();
    if seats.is_empty() { "none".to_string() } else { seats.join(",") }
}

/// Parses an entry like `bear`, `3 bear`, `bear@all`, `bear@0,1` or `bear@none+back` into tokens.
///
/// # Errors
///
/// Fails if the face, the count or the list of seats cannot be parsed.
pub fn laid_from<F: Face>(text: &str, seats: u8) -> Result<Vec<Laid<F>>, ParseError> {
    let (count, one) = match text.split_once(' ') {
        Some((n, one)) => match n.parse::<u8>() {
            Ok(n) => (usize::from(n), one.trim()),
            Err(_) => return Err(ParseError::new(text, "a face, perhaps with a number before it")),
        },
        None => (1, text),
    };
    let (one, back) = one.strip_suffix("+back").map_or((one, false), |one| (one, true));
    let (face, known) = match one.split_once('@') {
        Some((face, known)) => (face, Some(known_from(known, seats)?)),
        None => (one, None),
    };
    Ok(vec![Laid { face: face.parse()?, known, back }; count])
}

impl<G: Game> Position<G> {
    /// Lays out tokens: afterwards each listed zone holds exactly the tokens of its list, or begins with them
    /// if [`Layout::more`] is set. Tokens are chosen by their true faces: first those already in the zone, then
    /// those that other lists displace, then those of other zones, the largest hidden pile first. On `Err`
    /// nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if a face is not available any more, or if no zone can take a displaced token.
    pub fn lay_out(&mut self, layouts: &[Layout<G::Face>], rest: &Rest) -> Result<(), ArrangeError> {
        if self.observer != Observer::All {
            return Err(ArrangeError::new("only who knows every face can lay tokens out"));
        }
        let mut next = self.clone();
        let mut work = Work::new(&next, layouts, rest)?;
        work.choose_in_place();
        work.choose_elsewhere()?;
        let moves = work.moves()?;
        next.carry_out(&moves);
        next.check_faces().map_err(ArrangeError::new)?;
        *self = next;
        Ok(())
    }

    /// Returns a copy of this position with another public state of the same game. Tokens that are public in
    /// `state` need no face here; hidden ones keep the face that this observer knows.
    ///
    /// # Errors
    ///
    /// Fails if a hidden token has no known face, or if the result breaks an invariant of
    /// [`check_faces`](Self::check_faces).
    pub fn with_state(&self, state: G) -> Result<Self, String> {
        let mut next = Position { state, aligned: false, ..self.clone() };
        for i in 0..G::Size::TOKENS {
            let t = Token(i as u16);
            let hidden = !next.state.tokens().is_public(t) && next.state.tokens().zone(t) != Zone::NOWHERE;
            let truth = self.face(t).filter(|_| hidden);
            next.faces.face[i] = truth.map_or(UNKNOWN, Face::index);
        }
        next.check_faces()?;
        Ok(next)
    }

    /// Returns who usually knows a token in this zone: all in an open zone, the owner in their zone, no seat in
    /// a joint pile.
    fn usual(&self, zone: Zone) -> Known {
        match self.state.owner(zone) {
            _ if self.state.open(zone) => Known::PUBLIC,
            Some(owner) => Known::only(owner),
            None => Known::NOBODY,
        }
    }

    /// Returns whether a layout may move the token: its face is known to this observer, and it is not a slip.
    fn movable(&self, t: Token) -> bool {
        let tokens = self.state.tokens();
        tokens.is_public(t) || (tokens.group[t.index()] != NONE && self.faces.get(t).is_some())
    }

    /// Returns whether all hidden tokens of a zone show their backs, in a game whose backs differ.
    fn shows_backs(&self, zone: Zone) -> bool {
        let tokens = self.state.tokens();
        let mut hidden = tokens.iter(zone).filter(|&t| !tokens.is_public(t) && self.movable(t)).peekable();
        hidden.peek().is_some() && hidden.all(|t| tokens.back(t) != Back::HIDDEN)
    }

    /// Applies the moves: places, knowledge, faces and groups of all moved tokens.
    fn carry_out(&mut self, moves: &[Move]) {
        let shows: Vec<bool> = (0..G::Size::ZONES).map(|z| self.shows_backs(Zone(z as u8))).collect();
        let truth: Vec<u8> =
            (0..G::Size::TOKENS).map(|i| self.face(Token(i as u16)).map_or(UNKNOWN, Face::index)).collect();
        self.faces.notes.clear();
        let tokens = self.state.tokens_mut();
        // Which member of a group holds which byte is not information. Use the true assignment, so that a token
        // can leave its group or join another one with its own face.
        for i in (0..G::Size::TOKENS).filter(|&i| tokens.group[i] != NONE) {
            tokens.face[i] = truth[i];
        }
        for m in moves.iter().filter(|m| !m.on_top) {
            tokens.put(m.token, m.to);
        }
        for m in moves.iter().rev().filter(|m| m.on_top) {
            tokens.put_on_top(m.token, m.to);
        }
        for m in moves {
            let (i, face) = (m.token.index(), truth[m.token.index()]);
            tokens.known[i] = m.known;
            if m.known.is_public() {
                tokens.group[i] = NONE;
                tokens.back[i] = G::Face::nth(face).back();
                tokens.may[i] = <G::Face as Face>::Bits::only(face);
            }
            tokens.face[i] = face;
            self.faces.face[i] = if m.known.is_public() { UNKNOWN } else { face };
        }
        self.group_the_hidden(moves);
        for m in moves.iter().filter(|m| !m.known.is_public()) {
            self.blur(m.token, m.back || shows[m.to.index()]);
        }
    }

    /// Assigns groups to tokens that were public and are hidden now. A token joins the group of hidden tokens
    /// beside it if that group has a token with the same back; otherwise all newly hidden tokens with the same
    /// owner and back form one group.
    fn group_the_hidden(&mut self, moves: &[Move]) {
        let back_of = |f: u8| G::Face::nth(f).back();
        let mut fresh: Vec<(Option<Seat>, Back, u16)> = Vec::new();
        for m in moves.iter().filter(|m| !m.known.is_public()) {
            let owner = self.state.owner(m.to);
            let tokens = self.state.tokens();
            if tokens.group[m.token.index()] != NONE {
                continue;
            }
            let back = back_of(tokens.face[m.token.index()]);
            let like = |u: &Token| {
                let group = tokens.group[u.index()];
                let is_mine = |i: &usize| tokens.group[*i] == group && back_of(tokens.face[*i]) == back;
                group != NONE && (0..G::Size::TOKENS).any(|i| is_mine(&i))
            };
            let beside = tokens.iter(m.to).find(like).map(|u| tokens.group[u.index()]);
            let known = fresh.iter().find(|(o, b, _)| (*o, *b) == (owner, back)).map(|f| f.2);
            let group = beside.or(known).unwrap_or_else(|| self.state.tokens_mut().fresh_group());
            if beside.is_none() && known.is_none() {
                fresh.push((owner, back, group));
            }
            self.state.tokens_mut().group[m.token.index()] = group;
        }
    }

    /// Resets the public knowledge of a hidden token: it is one of its group, with or without a public back.
    fn blur(&mut self, t: Token, shows_back: bool) {
        let tokens = self.state.tokens_mut();
        let group = tokens.group[t.index()];
        let own = G::Face::nth(tokens.face[t.index()]).back();
        let faces: Vec<u8> =
            (0..G::Size::TOKENS).filter(|&i| tokens.group[i] == group).map(|i| tokens.face[i]).collect();
        let uniform = faces.iter().all(|&f| G::Face::nth(f).back() == own);
        let shown = uniform || shows_back;
        tokens.back[t.index()] = if shown { own } else { Back::HIDDEN };
        let possible = faces.into_iter().filter(|&f| !shown || G::Face::nth(f).back() == own);
        tokens.may[t.index()] = possible
            .fold(<G::Face as Face>::Bits::default(), |may, f| may.or(<G::Face as Face>::Bits::only(f)));
    }

    /// Checks the invariants of a complete position: every hidden token has a face, each group's multiset
    /// equals the faces of its members, and all public restrictions (`may`, backs) are true.
    ///
    /// # Errors
    ///
    /// Returns the first violated invariant in words.
    pub fn check_faces(&self) -> Result<(), String> {
        let tokens = self.state.tokens();
        if !self.holds_exactly_its_faces() {
            return Err("the private faces are not those that the tokens grant".to_string());
        }
        for t in tokens.all().filter(|&t| self.face(t).is_some()) {
            let face = self.face(t).ok_or("a token has no face")?;
            if !tokens.may(t).has(face) {
                return Err(format!("{t} is {face}, but everybody was assured that it is not"));
            }
            if tokens.back(t) != Back::HIDDEN && tokens.back(t) != face.back() {
                return Err(format!("{t} is {face}, but its back says something else"));
            }
            let group = tokens.group[t.index()];
            let members = || tokens.all().filter(|u| tokens.group[u.index()] == group);
            let true_ones = members().filter(|&u| self.face(u) == Some(face)).count();
            if group != NONE && true_ones != tokens.count_in_group(t, face) {
                return Err(format!("the group of {t} has not the faces of its tokens"));
            }
        }
        Ok(())
    }
}

/// Moves a token to the bottom or top of a zone and sets who knows it.
struct Move {
    token: Token,
    to: Zone,
    on_top: bool,
    known: Known,
    back: bool,
}

/// The state of the search for tokens that satisfy a layout.
struct Work<'a, G: Game> {
    position: &'a Position<G>,
    layouts: &'a [Layout<G::Face>],
    rest: &'a Rest,
    chosen: Vec<Vec<Option<Token>>>,
    taken: Vec<bool>,
    /// How many tokens each zone has given so far.
    gave: Vec<usize>,
}

impl<'a, G: Game> Work<'a, G> {
    /// Creates the search for a layout.
    ///
    /// # Errors
    ///
    /// Fails if a zone is listed twice, or if a pile is listed without `...` and so cannot take tokens.
    fn new(
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

    /// Returns whether a token has this face and is not chosen yet.
    fn free(&self, t: Token, face: G::Face) -> bool {
        !self.taken[t.index()] && self.position.movable(t) && self.position.face(t) == Some(face)
    }

    /// Chooses, for each layout, tokens of the wanted face that are already in the right zone, and marks them
    /// as taken.
    fn choose_in_place(&mut self) {
        for (l, layout) in self.layouts.iter().enumerate() {
            for (i, laid) in layout.tokens.iter().enumerate() {
                let tokens = self.position.state.tokens();
                let there = tokens.iter(layout.zone).find(|&t| self.free(t, laid.face));
                if let Some(t) = there {
                    self.taken[t.index()] = true;
                    self.chosen[l][i] = Some(t);
                }
            }
        }
    }

    /// Chooses the missing tokens from other zones.
    ///
    /// # Errors
    ///
    /// Fails if a face is not available any more.
    fn choose_elsewhere(&mut self) -> Result<(), ArrangeError> {
        for (l, layout) in self.layouts.iter().enumerate() {
            let sources = self.sources(layout.zone);
            for (i, laid) in layout.tokens.iter().enumerate() {
                if self.chosen[l][i].is_some() {
                    continue;
                }
                let tokens = self.position.state.tokens();
                // Take from the bottom, so that the next cards to be drawn stay in place.
                let lowest = |z: &Zone| tokens.iter(*z).filter(|&t| self.free(t, laid.face)).last();
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

    /// Returns the zones from which `zone` may take tokens, the preferred first.
    fn sources(&self, zone: Zone) -> Vec<Zone> {
        let tokens = self.position.state.tokens();
        let mut zones: Vec<Zone> = (0..G::Size::ZONES as u8).map(Zone).filter(|&z| z != zone).collect();
        zones.sort_by_key(|&z| {
            let hidden = tokens.iter(z).filter(|&t| !tokens.is_public(t)).count();
            let owned = self.position.state.owner(z).is_some();
            (self.rest.of(zone) != Some(z), !self.is_closed(z), hidden == 0, owned, Reverse(hidden), z)
        });
        zones
    }

    /// Returns the message that a face is not available any more.
    fn none_left(&self, face: G::Face, zone: Zone) -> String {
        let tokens = self.position.state.tokens();
        let all = tokens.all().filter(|&t| self.position.face(t) == Some(face)).count();
        let name = G::zone_name(zone);
        match all {
            0 => format!("there is no `{face}` for the {name}: no token of this game has that face"),
            _ => format!("there is no `{face}` left for the {name}: the game has {all}, and all are listed"),
        }
    }

    /// Returns the zone that takes a token displaced from `from`: the given pile, else a zone that gave a
    /// token, else the largest pile.
    ///
    /// # Errors
    ///
    /// Fails if there is no such zone.
    fn refuge(&self, from: Zone) -> Result<Zone, ArrangeError> {
        if let Some(pile) = self.rest.of(from) {
            return Ok(pile);
        }
        let state = &self.position.state;
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

    /// Returns the moves that realise the chosen tokens, including those of displaced tokens.
    ///
    /// # Errors
    ///
    /// Fails if a token was not chosen, or no zone takes a displaced one.
    fn moves(&self) -> Result<Vec<Move>, ArrangeError> {
        let mut moves = Vec::new();
        for (layout, chosen) in self.layouts.iter().zip(&self.chosen) {
            for (laid, token) in layout.tokens.iter().zip(chosen) {
                let token = token.ok_or_else(|| ArrangeError::new("a token was not chosen"))?;
                let known = laid.known.unwrap_or_else(|| self.position.usual(layout.zone));
                moves.push(Move { token, to: layout.zone, on_top: layout.more, known, back: laid.back });
            }
            if layout.more {
                continue;
            }
            for token in self.position.state.tokens().iter(layout.zone) {
                if self.taken[token.index()] || !self.position.movable(token) {
                    continue;
                }
                let to = self.refuge(layout.zone)?;
                moves.push(Move { token, to, on_top: false, known: self.position.usual(to), back: false });
            }
        }
        Ok(moves)
    }
}
