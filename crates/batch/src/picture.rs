//! What a position shows, as data for a program that draws it.

use pentarchy_engine::{Describe, FaceLook, GridCell, GridShape, Position, Size, Zone};
use serde::Serialize;

/// What a position shows to its observer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TablePicture {
    /// The sentence that says what is awaited; seats are written `@0`.
    pub awaited: String,
    /// The zones that hold tokens.
    pub zones: Vec<ZonePicture>,
    /// The grids, row by row: each cell is the sign of its piece with its seat, or null.
    pub grids: Vec<GridPicture>,
    /// The numbers of seats (null for the table): seat, name and value.
    pub numbers: Vec<(Option<u8>, &'static str, String)>,
    /// The text that the terminal shows.
    pub text: String,
}

/// A grid of a picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GridPicture {
    /// Number of cells in a row.
    pub columns: usize,
    /// Whether the cells are round.
    pub round: bool,
    /// The cells in reading order.
    pub cells: Vec<CellPicture>,
}

/// A cell of a picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CellPicture {
    /// The name of the place.
    pub name: String,
    /// The seat of the piece on it; null if there is none, or it belongs to no seat.
    pub seat: Option<u8>,
    /// The sign of the piece; null if there is none, empty for a disc.
    pub sign: Option<String>,
}

/// A zone of a picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ZonePicture {
    /// Its name.
    pub name: String,
    /// Its tokens from top to bottom.
    pub tokens: Vec<PicturedToken>,
}

/// A token of a picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PicturedToken {
    /// At most three characters for its corner; empty if the observer does not know its face.
    pub sign: String,
    /// Its name in a few words; empty for a die, and if the observer does not know its face.
    pub name: String,
}

/// Returns what a position shows to its observer: the awaited decision, all zones with tokens, grids,
/// numbers, and the text of the terminal. A card has a sign and a name; a die has its number as sign and no
/// name. Tokens with a face that the observer does not know have neither.
pub fn picture<G: Describe>(view: &Position<G>) -> TablePicture {
    let tokens = view.state().tokens();
    let pictured = |t| match view.face(t).map(G::face_look) {
        Some(FaceLook::Card { sign, name }) => PicturedToken { sign, name },
        Some(FaceLook::Die(n)) => PicturedToken { sign: n.to_string(), name: String::new() },
        None => PicturedToken { sign: String::new(), name: String::new() },
    };
    let zones = (0..G::Size::ZONES).map(|z| Zone(z as u8)).filter(|&z| !tokens.is_empty(z));
    let zones =
        zones.map(|z| ZonePicture { name: G::zone_name(z), tokens: tokens.iter(z).map(pictured).collect() });
    let layout = G::layout(view).unwrap_or_default();
    let grids = layout.grids.into_iter().map(|grid| GridPicture {
        columns: grid.columns.max(1),
        round: grid.shape == GridShape::Round,
        cells: grid
            .cells
            .into_iter()
            .map(|GridCell { name, piece, .. }| CellPicture {
                name,
                seat: piece.as_ref().and_then(|piece| piece.seat).map(|seat| seat.0),
                sign: piece.map(|piece| piece.sign),
            })
            .collect(),
    });
    let numbers = layout.numbers.into_iter().map(|n| (n.seat.map(|seat| seat.0), n.name, n.value));
    TablePicture {
        awaited: G::awaited(view),
        zones: zones.collect(),
        grids: grids.collect(),
        numbers: numbers.collect(),
        text: G::table(view),
    }
}
