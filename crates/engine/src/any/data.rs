//! A complete position as bytes: public state, observer, and the private faces that the observer knows.

use crate::face::Face;
use crate::faces::{Note, UNKNOWN};
use crate::game::Game;
use crate::position::{Observer, Position};
use crate::seat::Seat;
use crate::size::Size;
use crate::token::{Token, Zone};
use serde::{Deserialize, Serialize};

/// The observer of a stored position. A position without one is the simulator's.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StoredObserver {
    #[default]
    All,
    Seat(Seat),
    Spectator,
}

impl From<StoredObserver> for Observer {
    /// Returns the observer that was stored.
    fn from(stored: StoredObserver) -> Self {
        match stored {
            StoredObserver::All => Observer::All,
            StoredObserver::Seat(seat) => Observer::Seat(seat),
            StoredObserver::Spectator => Observer::Spectator,
        }
    }
}

impl From<Observer> for StoredObserver {
    /// Returns the observer in the form that is stored.
    fn from(observer: Observer) -> Self {
        match observer {
            Observer::All => StoredObserver::All,
            Observer::Seat(seat) => StoredObserver::Seat(seat),
            Observer::Spectator => StoredObserver::Spectator,
        }
    }
}

/// A position as bytes hold it: faces are numbers.
#[derive(Serialize, Deserialize)]
pub(super) struct Parts<G> {
    /// The observer.
    pub(super) observer: StoredObserver,
    /// The public state.
    pub(super) state: G,
    /// Hidden tokens whose faces the observer knows, with the numbers of these faces.
    pub(super) faces: Vec<(Token, u8)>,
    /// Notes: "one of these tokens has this face".
    pub(super) notes: Vec<(u8, Vec<Token>)>,
}

/// Encodes a complete position, with the faces and notes that its observer knows, for [`from_bytes`].
/// Empty only if the state's `Serialize` fails, which a derived one does not.
pub(super) fn to_bytes<G: Game>(position: &Position<G>) -> Vec<u8> {
    let tokens = (0..G::Size::TOKENS).map(|t| Token(t as u16));
    let notes = position.faces.notes.iter();
    let parts = Parts {
        observer: position.observer.into(),
        state: &position.state,
        faces: tokens.filter_map(|t| Some((t, position.faces.get(t)?))).collect(),
        notes: notes.map(|n| (n.face, n.set.iter().map(|&t| Token(t)).collect())).collect(),
    };
    // Only a `Serialize` that refuses by itself can fail here, and a game's derived one does not.
    postcard::to_allocvec(&parts).unwrap_or_default()
}

/// Decodes a position that [`to_bytes`] wrote, with the observer that it had. Checks the invariants of seats
/// and faces, but not whether the rules could reach the state.
///
/// # Errors
///
/// Fails if the bytes are malformed, have a trailing part, or do not form a valid position.
pub(super) fn from_bytes<G: Game>(bytes: &[u8]) -> Result<Position<G>, String> {
    let (parts, rest) = postcard::take_from_bytes::<Parts<G>>(bytes).map_err(|e| e.to_string())?;
    if !rest.is_empty() {
        return Err("something follows its end".into());
    }
    assemble(parts)
}

/// Builds a position from its parts and checks the invariants of seats and faces. Of notes it checks only
/// that their faces and tokens exist. Whether the rules could reach the state is not checked.
///
/// # Errors
///
/// Fails if the number of seats is not allowed, the observer is no seat of the game, a face or token does not
/// exist, a face belongs to a token that is not hidden or cannot have it, the faces are not exactly those
/// that the observer is entitled to, or a group gets a face more often than its multiset has it.
pub(super) fn assemble<G: Game>(data: Parts<G>) -> Result<Position<G>, String> {
    let state = data.state;
    if !(G::INFO.min_seats..=G::INFO.max_seats).contains(&state.seats()) {
        return Err(format!("{} seats are too few or too many", state.seats()));
    }
    if let StoredObserver::Seat(seat) = data.observer
        && seat.0 >= state.seats()
    {
        return Err(format!("there is no seat {seat}"));
    }
    let mut position = Position::from_state(state, data.observer.into());
    for (t, index) in data.faces {
        let face = nth::<G>(index)?;
        let hidden = t.index() < G::Size::TOKENS
            && position.state.tokens().zone(t) != Zone::NOWHERE
            && !position.state.tokens().is_public(t);
        if !hidden {
            return Err(format!("{t} is not a hidden token"));
        }
        if !position.state.tokens().may(t).has(face) {
            return Err(format!("{t} cannot be {face}"));
        }
        position.faces.face[t.index()] = face.index();
    }
    for (face, set) in data.notes {
        nth::<G>(face)?;
        if let Some(t) = set.iter().find(|t| t.index() >= G::Size::TOKENS) {
            return Err(format!("there is no token {t}"));
        }
        position.faces.notes.push(Note { face, set: set.iter().map(|t| t.0).collect() });
    }
    check_faces(&position)?;
    Ok(position)
}

/// Returns the face with the number `index`, from 0.
///
/// # Errors
///
/// Fails if the game has no such face.
fn nth<G: Game>(index: u8) -> Result<G::Face, String> {
    let known = usize::from(index) < G::Face::KINDS;
    known.then(|| G::Face::nth(index)).ok_or_else(|| format!("there is no face number {index}"))
}

/// Checks that the observer has exactly the private faces that it is entitled to, and that no group has a
/// face more often than its multiset allows. Changes nothing.
///
/// # Errors
///
/// Fails if a face is missing, not the observer's, or too frequent.
fn check_faces<G: Game>(position: &Position<G>) -> Result<(), String> {
    if !position.holds_exactly_its_faces() {
        return Err("`faces` must tell the face of every hidden token that the observer knows, \
                    and of no other"
            .to_string());
    }
    let tokens = position.state.tokens();
    for t in tokens.all() {
        let own = position.faces.face[t.index()];
        let told = tokens.all().filter(|&u| position.faces.face[u.index()] == own && tokens.same_group(t, u));
        let grouped = tokens.same_group(t, t);
        if own != UNKNOWN && grouped && told.count() > tokens.count_in_group(t, G::Face::nth(own)) {
            return Err(format!("there are not so many {} among the hidden tokens", G::Face::nth(own)));
        }
    }
    Ok(())
}
