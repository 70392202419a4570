//! Grids of the default board: squares, round holes or hexagons, drawn as SVG with 100 units per cell.

use crate::board::Key;
use crate::icons::SHAPES;
use crate::markup::{El, el, g, path};
use crate::ui::Ui;
use crate::words::capital;
use pentarchy_engine::{Grid, GridCell, GridPiece, GridShape};

/// Width and height of a cell, in units of the drawing.
const CELL: f32 = 100.0;
/// Distance of two rows of hexagons, in units of the drawing.
const HEX_ROW: f32 = 86.6;
/// Space around the grid, in units of the drawing.
const PAD: f32 = 8.0;
/// Space below a grid for the names of columns, in units of the drawing.
const FOOT: f32 = 34.0;

/// Returns the key of a place of a grid, by its name in actions: `at e4`. Cells of the same place share it.
pub(super) fn key(place: &str) -> Key {
    format!("at {place}")
}

/// The cells of one place.
struct Place<'a> {
    /// The name of the place in actions; empty for a cell without a place.
    name: &'a str,
    /// The indices of its cells in the grid, ascending; at least one.
    cells: Vec<usize>,
}

/// Draws a grid as an SVG element. Cells of one place are one piece; the last free one of a place that can be clicked
/// is highlighted, which is where a disc lands that is dropped into a column. Round grids have a plate behind them.
pub(super) fn grid(grid: &Grid, ui: &Ui) -> El {
    let columns = grid.columns.max(1);
    let rows = grid.cells.len().div_ceil(columns);
    let places = places(&grid.cells);
    let has_foot = places.iter().any(|place| place.cells.len() > 1);
    let (wide, high) = match grid.shape {
        GridShape::Hex => (
            CELL * columns as f32 + if rows > 1 { CELL / 2.0 } else { 0.0 },
            HEX_ROW * rows as f32 + CELL - HEX_ROW + 16.0,
        ),
        GridShape::Square | GridShape::Round => (CELL * columns as f32, CELL * rows as f32),
    };
    let foot = if has_foot { FOOT } else { 0.0 };
    let plate = (grid.shape == GridShape::Round).then(|| {
        let plate = el("rect").class("dplate").num("x", -PAD / 2.0).num("y", -PAD / 2.0).set("rx", "16");
        plate.num("width", wide + PAD).num("height", high + PAD)
    });
    let size = [wide + 2.0 * PAD, high + 2.0 * PAD + foot];
    el("svg")
        .class("dgrid")
        .set("viewBox", format!("{} {} {} {}", -PAD, -PAD, size[0], size[1]))
        .kid_if(plate)
        .kids(places.iter().map(|place| draw_place(grid, place, ui)))
}

/// Groups the cells by their places, in the order of the first cell of each. A cell without a place is one of its own.
fn places(cells: &[GridCell]) -> Vec<Place<'_>> {
    let mut places: Vec<Place<'_>> = Vec::new();
    for (i, cell) in cells.iter().enumerate() {
        match places.iter_mut().find(|place| !cell.place.is_empty() && place.name == cell.place) {
            Some(place) => place.cells.push(i),
            None => places.push(Place { name: &cell.place, cells: vec![i] }),
        }
    }
    places
}

/// Draws the cells of a place as one piece, with its name: in its only cell, or below the last of several. A cell
/// without a place is a drawing only.
fn draw_place(grid: &Grid, place: &Place<'_>, ui: &Ui) -> El {
    let key = key(place.name);
    let free = |&&i: &&usize| grid.cells[i].piece.is_none();
    let lands = place.cells.iter().rev().find(free).copied().filter(|_| ui.lit(&key));
    let cells = place.cells.iter().map(|&i| draw_cell(grid, i, lands == Some(i), ui));
    let drawn = g("dplace").kids(cells);
    if place.name.is_empty() {
        return drawn;
    }
    let last = place.cells.last().copied().unwrap_or_default();
    let [x, y] = centre(grid, last);
    let label = el("text").class("dlabel").text(place.name.to_string());
    let drawn = match (place.cells.len(), grid.shape) {
        (1, GridShape::Square) => drawn.kid(label.num("x", x - 36.0).num("y", y - 28.0)),
        (1, _) => drawn.kid(label.num("x", x).num("y", y - 26.0)),
        _ => drawn.kid(label.num("x", x).num("y", y + CELL / 2.0 + 28.0)),
    };
    ui.piece(drawn, &key, spoken(grid, place, ui))
}

/// Describes a place for screen readers: its name, and `free`, the piece with its owner's name, or (for several
/// cells) `2 of 6 taken`.
fn spoken(grid: &Grid, place: &Place<'_>, ui: &Ui) -> String {
    let cells = || place.cells.iter().map(|&i| &grid.cells[i]);
    let name = cells().next().map(|cell| capital(&cell.name)).unwrap_or_default();
    let taken = cells().filter(|cell| cell.piece.is_some()).count();
    match (&place.cells[..], cells().find_map(|cell| cell.piece.as_ref())) {
        ([_], None) => format!("{name}, free"),
        ([_], Some(GridPiece { seat, sign, .. })) => {
            let whose = seat.map(|seat| ui.name(seat)).into_iter();
            let parts: Vec<&str> =
                [name.as_str(), sign].into_iter().chain(whose).filter(|p| !p.is_empty()).collect();
            parts.join(", ")
        }
        (cells, _) => format!("{name}, {taken} of {} taken", cells.len()),
    }
}

/// Returns the centre of cell `i`, in units of the drawing. Cells are counted by rows; every second row of hexagons
/// is shifted by half a cell.
fn centre(grid: &Grid, i: usize) -> [f32; 2] {
    let columns = grid.columns.max(1);
    let (column, row) = ((i % columns) as f32, i / columns);
    match grid.shape {
        GridShape::Hex => {
            let shift = if row % 2 == 1 { CELL / 2.0 } else { 0.0 };
            [column * CELL + CELL / 2.0 + shift, row as f32 * HEX_ROW + 58.0]
        }
        GridShape::Square | GridShape::Round => [column * CELL + CELL / 2.0, row as f32 * CELL + CELL / 2.0],
    }
}

/// Draws cell `i` and its piece. `lands` highlights it. In a column, which is a place of several cells, the whole
/// area of the cell can be clicked, and its piece falls from above the grid.
fn draw_cell(grid: &Grid, i: usize, lands: bool, ui: &Ui) -> El {
    let cell = &grid.cells[i];
    let [x, y] = centre(grid, i);
    let shape = match grid.shape {
        GridShape::Square => {
            let side = CELL - 8.0;
            let rect = el("rect").num("x", x - side / 2.0).num("y", y - side / 2.0).set("rx", "10");
            rect.num("width", side).num("height", side)
        }
        GridShape::Round => el("circle").num("cx", x).num("cy", y).set("r", "42"),
        GridShape::Hex => {
            let corner = |turn: i32| {
                let angle = (turn as f32).mul_add(60.0, -90.0).to_radians();
                format!("{:.1} {:.1}", x + 54.0 * angle.cos(), y + 54.0 * angle.sin())
            };
            let corners: Vec<String> = (0..6).map(corner).collect();
            path("", format!("M{}z", corners.join("L")))
        }
    };
    let column = grid.cells.iter().filter(|other| other.place == cell.place).count() > 1;
    let fall = if column { i / grid.columns.max(1) + 1 } else { 0 };
    g("dcell")
        .class_if(lands, "land")
        .class_if(cell.marked, "mark")
        // A column is clicked anywhere, also between its cells.
        .kid_if(column.then(|| {
            let hit = el("rect").class("dhit").num("x", x - CELL / 2.0).num("y", y - CELL / 2.0);
            hit.num("width", CELL).num("height", CELL)
        }))
        .kid(shape.class("dground"))
        .kid_if(cell.piece.as_ref().map(|piece| draw_piece(piece, x, y, fall, ui)))
}

/// Draws a piece at the centre `x`, `y` of its cell, in the colour of its seat or colour 0: `X` and `O` as strokes,
/// any other sign as text, and a disc with the mark of its seat if the sign is empty. A piece with a number is a token of
/// the page, which moves from its last place. Any other falls from above by `fall` cells when it appears; 0 for not at
/// all.
fn draw_piece(piece: &GridPiece, x: f32, y: f32, fall: usize, ui: &Ui) -> El {
    let colour = piece.seat.map_or(0, |seat| ui.colour(seat));
    let drawn = g("dpiece").class(format!("c{colour}")).set("style", format!("--fall:{fall}"));
    let drawn = match piece.id {
        Some(id) => drawn.token(format!("piece {id}")),
        None => drawn,
    };
    let from = |d: f32| (x - d, y - d);
    match piece.sign.as_str() {
        "" => {
            let (left, top) = from(21.0);
            let mark = path("dmark", SHAPES[usize::from(colour.min(6))]);
            let place = format!("translate({left} {top}) scale(2.6)");
            drawn
                .kid(el("circle").class("ddisc").num("cx", x).num("cy", y).set("r", "39"))
                .kid(mark.set("transform", place))
        }
        "X" => {
            let (left, top) = from(24.0);
            drawn.kid(path("dstroke", format!("M{left} {top}l48 48m0 -48l-48 48")))
        }
        "O" => drawn.kid(el("circle").class("dstroke").num("cx", x).num("cy", y).set("r", "26")),
        sign => {
            let text = el("text").class("dsign").class_if(sign.chars().count() > 2, "long");
            drawn.kid(text.num("x", x).num("y", y + 18.0).text(sign.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::MarkupNode;

    fn count(el: &El, class: &str) -> usize {
        let own = el.get("class").is_some_and(|own| own.split(' ').any(|word| word == class));
        let kids =
            el.kids.iter().map(|kid| if let MarkupNode::El(kid) = kid { count(kid, class) } else { 0 });
        usize::from(own) + kids.sum::<usize>()
    }

    /// Returns the names of the tokens in an element, in the order of the drawing.
    fn tokens(el: &El) -> Vec<&str> {
        let kids =
            el.kids.iter().flat_map(|kid| if let MarkupNode::El(kid) = kid { tokens(kid) } else { vec![] });
        el.get("data-token").into_iter().chain(kids).collect()
    }

    #[test]
    fn every_shape_draws_every_cell_once_inside_its_box() {
        for shape in [GridShape::Square, GridShape::Round, GridShape::Hex] {
            let cell = |i: usize| GridCell {
                place: format!("p{i}"),
                name: format!("place {i}"),
                piece: i.is_multiple_of(3).then(|| GridPiece {
                    sign: i.to_string(),
                    id: Some(i as u16),
                    ..GridPiece::default()
                }),
                marked: i == 2,
            };
            let made = Grid { shape, columns: 4, cells: (0..10).map(cell).collect() };
            let ui = Ui { lit: ["at p1".to_string()].into(), ..Ui::default() };
            let drawn = grid(&made, &ui);
            assert_eq!((count(&drawn, "dcell"), count(&drawn, "dpiece")), (10, 4), "{shape:?}");
            assert_eq!((count(&drawn, "land"), count(&drawn, "mark")), (1, 1), "{shape:?}");
            assert_eq!(tokens(&drawn), ["piece 0", "piece 3", "piece 6", "piece 9"], "{shape:?}");
            let size: Vec<f32> =
                drawn.get("viewBox").unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
            for i in 0..10 {
                let [x, y] = centre(&made, i);
                assert!(x > size[0] + 50.0 && x < size[0] + size[2] - 50.0, "{shape:?} {i}");
                assert!(y > size[1] + 50.0 && y < size[1] + size[3] - 50.0, "{shape:?} {i}");
            }
        }
    }
}
