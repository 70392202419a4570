//! A complete position as JSON: public state, observer, and the private faces that the observer knows.

use super::data::{Parts, StoredObserver, assemble};
use crate::face::Face;
use crate::game::Game;
use crate::position::Position;
use crate::size::Size;
use crate::token::Token;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A position as JSON holds it: faces are words.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    /// The name of the game.
    game: String,
    /// The observer; the simulator if it is not given.
    #[serde(default)]
    observer: StoredObserver,
    /// The serialised public state.
    state: Value,
    /// Hidden tokens whose faces the observer knows, with these faces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    faces: Vec<(Token, String)>,
    /// Notes: "one of these tokens has this face".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<(String, Vec<Token>)>,
}

/// Returns a complete position as JSON, with the faces and notes that its observer knows, for [`load`].
/// `state` is null only if the state's `Serialize` fails, which a derived one does not.
pub(super) fn save<G: Game>(position: &Position<G>) -> Value {
    let word = |f: u8| G::Face::nth(f).to_string();
    let tokens = (0..G::Size::TOKENS).map(|t| Token(t as u16));
    let data = Data {
        game: G::INFO.name.to_string(),
        observer: position.observer.into(),
        state: serde_json::to_value(&position.state).unwrap_or(Value::Null),
        faces: tokens.filter_map(|t| Some((t, word(position.faces.get(t)?)))).collect(),
        notes: position
            .faces
            .notes
            .iter()
            .map(|n| (word(n.face), n.set.iter().map(|&t| Token(t)).collect()))
            .collect(),
    };
    serde_json::to_value(data).unwrap_or(Value::Null)
}

/// Parses a position of game `G` that [`save`] wrote. Checks seats, observer and notes, and that `faces` has
/// exactly the hidden faces that the observer knows. The state is checked only as far as its `Deserialize`
/// does.
///
/// # Errors
///
/// Fails with the first error in words; also for a position of another game.
pub(super) fn load<G: Game>(data: &Value) -> Result<Position<G>, String> {
    let data = Data::deserialize(data).map_err(|e| e.to_string())?;
    if data.game != G::INFO.name {
        return Err(format!("it is one of {}, not of {}", data.game, G::INFO.name));
    }
    let state: G = serde_json::from_value(data.state).map_err(|e| format!("`state`: {e}"))?;
    let faces = data.faces.into_iter().map(|(t, word)| Ok((t, face::<G>(&word)?.index())));
    let notes = data.notes.into_iter().map(|(word, set)| Ok((face::<G>(&word)?.index(), set)));
    let (faces, notes) = (faces.collect::<Result<_, String>>()?, notes.collect::<Result<_, String>>()?);
    assemble(Parts { observer: data.observer, state, faces, notes })
}

/// Parses the word of a face.
///
/// # Errors
///
/// Fails if game `G` has no face with this word.
fn face<G: Game>(word: &str) -> Result<G::Face, String> {
    word.parse().map_err(|e: crate::ParseError| e.to_string())
}
