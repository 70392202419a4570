//! What lies on the table besides tokens, as data. A user interface that has no board for a game draws it
//! from this, from the tokens and from the legal list.

use crate::seat::Seat;

/// What a position shows besides its tokens.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableLayout {
    /// Grids and tracks, from top to bottom. A track is a grid of one row.
    pub grids: Vec<Grid>,
    /// Numbers of seats and of the table. The first number of a seat is shown large.
    pub numbers: Vec<TableNumber>,
}

/// A public number or sign of a seat or of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableNumber {
    /// The seat that it belongs to; `None` for the table, such as a pot.
    pub seat: Option<Seat>,
    /// What it is, in a word or two: `chips paid`.
    pub name: &'static str,
    /// Its value.
    pub value: String,
}

/// The shape of the cells of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GridShape {
    /// Squares.
    Square,
    /// Round holes in a plate.
    Round,
    /// Hexagons. Every second row is shifted to the right by half a cell.
    Hex,
}

/// Cells in rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The shape of its cells.
    pub shape: GridShape,
    /// Number of cells in a row; at least 1.
    pub columns: usize,
    /// The cells in reading order.
    pub cells: Vec<GridCell>,
}

/// A cell of a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GridCell {
    /// The word by which actions name the cell in canonical notation, like `e4`; it has no space. An action
    /// touches the places that it names, in the order of its words. Cells of the same place, such as those of
    /// a column, are clicked as one. Empty for a cell that no action names.
    pub place: String,
    /// The name of the place for people: `square 5`, `column d`.
    pub name: String,
    /// What lies on it.
    pub piece: Option<GridPiece>,
    /// Whether it is emphasised, such as a line that wins.
    pub marked: bool,
}

/// A piece on a cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GridPiece {
    /// The seat that owns it; `None` for a piece of the table.
    pub seat: Option<Seat>,
    /// At most three characters that are drawn in the colour of the seat: `X`, `12`. Empty for a disc with
    /// the mark of the seat.
    pub sign: String,
    /// A number of its own that a piece keeps when it moves, so that it is seen to move; unique among the pieces of the
    /// table. `None` for pieces that never move.
    pub id: Option<u16>,
}

/// How a token is drawn whose face is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaceLook {
    /// A card.
    Card {
        /// At most three characters for its corner, such as `K♥`. A suit (♠ ♥ ♦ ♣) stands last.
        sign: String,
        /// Its name in a few words: `king of hearts`.
        name: String,
    },
    /// A die that shows this number: as pips up to 9, else as a figure.
    Die(u8),
}

impl FaceLook {
    /// Creates a card from the notation of its face: hyphens become spaces in its name, and its sign is the
    /// first letter in upper case (the whole notation in upper case if it has at most two characters).
    pub fn card(notation: &str) -> Self {
        let short = notation.chars().count() <= 2;
        let sign = notation.chars().take(if short { 2 } else { 1 }).flat_map(char::to_uppercase).collect();
        FaceLook::Card { sign, name: notation.replace('-', " ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_named_by_its_notation() {
        let card = |notation| match FaceLook::card(notation) {
            FaceLook::Card { sign, name } => (sign, name),
            FaceLook::Die(_) => unreachable!("a card is no die"),
        };
        assert_eq!(card("siege-tower"), ("S".to_string(), "siege tower".to_string()));
        assert_eq!(card("7a"), ("7A".to_string(), "7a".to_string()));
        assert_eq!(card(""), (String::new(), String::new()));
    }
}
