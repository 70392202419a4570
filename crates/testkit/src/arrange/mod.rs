//! Laying out tokens by hand: builds the position of a scenario from lists of faces, top first, per zone.
//!
//! Only the places of tokens and who knows them change. So all invariants of a position still hold: the
//! multiset of each group is public and exact, and no observer has been given false information.

mod carry;
mod search;

use carry::carry_out;
use pentarchy_engine::notation::ParseError;
use pentarchy_engine::raw::UNKNOWN;
use pentarchy_engine::{Back, Face, Game, Known, Observer, Position, Seat, Token, Zone};
use search::Work;

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
    /// Creates an error with this message that belongs to no zone.
    fn new(message: impl Into<String>) -> Self {
        ArrangeError { zone: None, message: message.into() }
    }

    /// Creates an error with this message that belongs to a listed zone.
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
    /// Returns the pile that gives tokens to a zone and takes those that it loses: its own entry,
    /// or else the common one; `None` if neither is given.
    fn of(&self, zone: Zone) -> Option<Zone> {
        self.each.iter().find(|(z, _)| *z == zone).map(|&(_, pile)| pile).or(self.all)
    }
}

/// The entry of a list that stands for all other tokens of the zone.
pub const MORE: &str = "...";

/// Parses who knows a face: `all`, `none` or a list of seats like `0,2`, at a table of `seats` seats.
///
/// # Errors
///
/// Fails if the text is none of these, or names a seat that does not exist.
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

/// Formats who knows a face in the form that [`known_from`] parses: `all`, `none` or seats in
/// ascending order, like `0,2`.
pub fn known_text(known: Known) -> String {
    if known.is_public() {
        return "all".to_string();
    }
    let seats: Vec<String> = known.seats().iter().map(|s| s.to_string()).collect();
    if seats.is_empty() { "none".to_string() } else { seats.join(",") }
}

/// Parses an entry like `bear`, `3 bear`, `bear@all`, `bear@0,1` or `bear@none+back` into equal tokens, as
/// many as its number says (0 to 255; 1 without one). After `@` stands who knows them ([`known_from`]), and
/// `+back` makes their back public. `seats` is the number of seats.
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

/// Lays out tokens in a position that knows every face: afterwards each listed zone holds exactly
/// the tokens of its list, or begins with them if [`Layout::more`] is set. Tokens are chosen by
/// their true faces: first those already in the zone, then those that other lists displace, then
/// those of other zones, the largest hidden pile first. On `Err` nothing has changed. `rest` names
/// the piles that give and take tokens first.
///
/// # Errors
///
/// Fails if the position is not the simulator's, if a zone is listed twice or a pile may not take
/// tokens, if a face is not available any more, if no zone can take a displaced token, or if the
/// result breaks an invariant of [`check_faces`].
pub fn lay_out<G: Game>(
    position: &mut Position<G>,
    layouts: &[Layout<G::Face>],
    rest: &Rest,
) -> Result<(), ArrangeError> {
    if position.observer() != Observer::All {
        return Err(ArrangeError::new("only who knows every face can lay tokens out"));
    }
    let mut next = position.clone();
    let mut work = Work::new(&next, layouts, rest)?;
    work.choose_in_place();
    work.choose_elsewhere()?;
    let moves = work.moves()?;
    carry_out(&mut next, &moves);
    check_faces(&next).map_err(ArrangeError::new)?;
    *position = next;
    Ok(())
}

/// Returns a copy of a position, which must be the simulator's, with another public state of the same game.
/// Tokens that are public in `state` need no face; hidden ones keep the face that they have in `position`.
/// `position` does not change.
///
/// # Errors
///
/// Fails if a hidden token has no known face, or if the result breaks an invariant of [`check_faces`].
pub fn with_state<G: Game>(position: &Position<G>, state: G) -> Result<Position<G>, String> {
    let mut next = position.clone();
    let raw = next.raw_mut();
    (*raw.state, *raw.aligned) = (state, false);
    for (face, t) in raw.faces.iter_mut().zip((0..).map(Token)) {
        let hidden = !raw.state.tokens().is_public(t) && raw.state.tokens().zone(t) != Zone::NOWHERE;
        let truth = position.face(t).filter(|_| hidden);
        *face = truth.map_or(UNKNOWN, Face::index);
    }
    check_faces(&next)?;
    Ok(next)
}

/// Checks the invariants of a complete position: every hidden token has a face (except slips without a
/// choice), each group's multiset equals the faces of its members, and all public restrictions (possible
/// faces, backs) are true. Changes nothing.
///
/// # Errors
///
/// Returns the first violated invariant in words.
pub fn check_faces<G: Game>(position: &Position<G>) -> Result<(), String> {
    let tokens = position.state().tokens();
    if !position.holds_exactly_its_faces() {
        return Err("the private faces are not those that the tokens grant".to_string());
    }
    for t in tokens.all() {
        let Some(face) = position.face(t) else { continue };
        if !tokens.may(t).has(face) {
            return Err(format!("{t} is {face}, but everybody was assured that it is not"));
        }
        if tokens.back(t) != Back::HIDDEN && tokens.back(t) != face.back() {
            return Err(format!("{t} is {face}, but its back says something else"));
        }
        let members = tokens.all().filter(|&u| tokens.same_group(t, u));
        let true_ones = members.filter(|&u| position.face(u) == Some(face)).count();
        if tokens.same_group(t, t) && true_ones != tokens.count_in_group(t, face) {
            return Err(format!("the group of {t} has not the faces of its tokens"));
        }
    }
    Ok(())
}
