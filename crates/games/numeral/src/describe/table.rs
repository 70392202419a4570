//! The table as text: the players, and the map with one number per hex.

use super::letter;
use crate::map::Cell;
use crate::state::{Numeral, Phase, Stage};
use pentarchy_engine::Seat;
use pentarchy_engine::describe::who;
use std::fmt::Write as _;

/// ANSI colours of the seats. The letters carry the same information.
const COLOURS: [u8; 6] = [34, 31, 32, 33, 35, 36];
/// ANSI code that ends all colours and styles.
const PLAIN: &str = "\x1b[0m";
/// ANSI code of dim text.
const DIM: &str = "\x1b[2m";

/// Minimum width of a hex on the map, in columns.
const WIDTH: usize = 6;

/// Draws the table as text with ANSI colours: a line with the round, one line per player, and the map with
/// one number per hex. `There is no map yet.` before the seed is drawn.
pub(super) fn draw(game: &Numeral) -> String {
    if game.map_seed.is_none() {
        return "There is no map yet.".to_string();
    }
    let mut out = heading(game);
    for seat in (0..game.seats).map(Seat) {
        player(game, seat, &mut out);
    }
    out.push('\n');
    map(game, &mut out);
    out
}

/// Returns a line with the round, the last round, the phase (`the end` once the game is over), and the
/// letters of the players in play in the order of this phase.
fn heading(game: &Numeral) -> String {
    let phase = match (game.stage, game.phase()) {
        (Stage::Over, _) => "the end",
        (_, Phase::Placing) => "Placing",
        (_, Phase::Attacking) => "Attacking",
    };
    let last = game.options.last_round().0;
    let seats = (0..game.seats).map(|turn| game.seat_at(game.round, game.phase(), turn));
    let order: Vec<String> = seats.filter(|&s| game.in_play(s)).map(|s| letter(s).to_string()).collect();
    format!("Round {} of {last}, {phase}. Order: {}.\n", game.round, order.join(" "))
}

/// Appends a line about a player to `out`: letter, storage, soldiers outside the Home, hexes, income as
/// gross, upkeep and net, and name; or that they are out. `>` marks the active player until the game is over.
fn player(game: &Numeral, seat: Seat, out: &mut String) {
    let board = &game.board;
    let colour = COLOURS[seat.index() % COLOURS.len()];
    let mark = if seat == game.active && game.stage != Stage::Over { '>' } else { ' ' };
    let _ = write!(out, "{mark} \x1b[1;{colour}m{}{PLAIN} ", letter(seat));
    if !game.in_play(seat) {
        let _ = writeln!(out, "{DIM}out{PLAIN}  {}", who(seat));
        return;
    }
    let (storage, total) = (board.storage(seat), board.total(seat));
    let (gross, upkeep) = (board.gross(seat), game.maintenance(seat));
    let net = i64::from(gross) - i64::from(upkeep);
    let _ = writeln!(
        out,
        "storage {storage:>3}  armies {:>3}  hexes {:>2}  income {gross}-{upkeep}={net:+}  {}",
        total - storage,
        board.held(seat).len(),
        who(seat)
    );
}

/// Appends the map to `out`, seen from above. Each row of hexes is two lines: the contents of each hex,
/// coloured by owner, and its coordinates below them. Columns are as wide as the longest content needs.
fn map(game: &Numeral, out: &mut String) {
    let cells: Vec<Cell> = game.board.land().iter().collect();
    // Half a hex is one column; `q` goes two columns east, `r` one.
    let column = |cell: Cell| 2 * cell.hex().x + cell.hex().y;
    let widest = cells.iter().map(|&c| text(game, c).chars().count()).max().unwrap_or(0);
    let width = (widest + 2).max(WIDTH).next_multiple_of(2);
    let first = cells.iter().map(|&c| column(c)).min().unwrap_or(0);
    for row in cells.chunk_by(|a, b| a.hex().y == b.hex().y) {
        let (mut numbers, mut places, mut at) = (String::new(), String::new(), 0);
        for &cell in row {
            let start = (column(cell) - first) as usize * width / 2;
            let gap = " ".repeat(start.saturating_sub(at));
            let _ = write!(numbers, "{gap}{}", painted(game, cell, &centred(&text(game, cell), width)));
            let _ = write!(places, "{gap}{DIM}{}{PLAIN}", centred(&cell.to_string(), width));
            at = start + width;
        }
        let _ = writeln!(out, "{numbers}\n{places}");
    }
}

/// Formats a hex: `A12f` is player A, 12 soldiers, a Farm. A dot is neutral land, with the mark of its
/// upgrade.
fn text(game: &Numeral, cell: Cell) -> String {
    let hex = game.board.hex(cell);
    let mark = hex.upgrade.mark().to_string();
    match hex.owner {
        Some(seat) => format!("{}{}{}", letter(seat), hex.soldiers, mark.trim()),
        None => format!("·{}", mark.trim()),
    }
}

/// Wraps the text of a hex in the ANSI colour of its owner: bold with soldiers, inverse if the hex is
/// selected, dim if neutral.
fn painted(game: &Numeral, cell: Cell, text: &str) -> String {
    let chosen = matches!(game.stage, Stage::PlaceAt(at) | Stage::MarchFrom(at) if at == cell);
    let inverse = if chosen { ";7" } else { "" };
    let weight = u8::from(game.board.soldiers(cell) > 0);
    match game.board.owner(cell) {
        Some(seat) => {
            format!("\x1b[{weight};{}{inverse}m{text}{PLAIN}", COLOURS[seat.index() % COLOURS.len()])
        }
        None => format!("{DIM}{text}{PLAIN}"),
    }
}

/// Pads a text with spaces on both sides to this width in characters; a longer text is unchanged.
fn centred(text: &str, width: usize) -> String {
    format!("{text:^width$}")
}
