//! Connect four: drop discs into seven columns; four in a line win.
//!
//! Columns are `a` to `g`. The board is two bitboards of 7 bits per column: six rows and an empty one above,
//! so that shifts along a line never run into the next column.

use pentarchy_engine::describe::who;
use pentarchy_engine::{
    AppliedEvent, Cx, Describe, Event, Game, GameInfo, Grid, GridCell, GridShape, Heuristic, NoFace,
    NoOptions, NoWeights, Node, OptionsError, Outcome, Position, RuleError, Seat, SeatView, Sz, TableLayout,
    TableNumber, Tokens, TokensOf, ensure, numbered,
};
use serde::{Deserialize, Serialize};

/// A game of connect four.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ConnectFour {
    /// The discs of the seat to move: column by column, the lowest row first.
    own: u64,
    /// All discs.
    taken: u64,
    /// The columns that are not full, one bit each.
    open: u8,
    /// Where the game stands.
    stage: Stage,
    /// The empty table of tokens.
    tokens: Tokens<NoFace, Sz<0, 0>>,
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Stage {
    /// This seat is to move.
    Turn(Seat),
    /// This seat has won.
    Won(Seat),
    /// The board is full without a line.
    Drawn,
}

numbered! {
    /// A column, from 0.
    pub struct Drop = "a column", 'a'..='g'
}

/// Number of rows.
const HEIGHT: u32 = 6;
/// Bits of a column in a bitboard.
const STRIDE: u32 = HEIGHT + 1;
/// Number of columns.
const COLUMNS: u8 = Drop::COUNT;
/// All columns, one bit each.
const ALL: u8 = (1 << COLUMNS) - 1;
/// For every set of columns, the list of its columns and their number.
static OPEN: [([u8; COLUMNS as usize], u8); 1 << COLUMNS] = crate::grid::lists();
/// All rows of the first column.
const COLUMN: u64 = 0b11_1111;
/// One disc at the bottom of each column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// The whole board.
const FULL: u64 = BOTTOM * COLUMN;
/// The top place of each column.
const TOP: u64 = BOTTOM << (HEIGHT - 1);

impl ConnectFour {
    /// Returns the discs of a seat (0 or 1) as a bitboard: 7 bits per column, the lowest row of column `a` at
    /// bit 0; the seventh bit of a column is always 0.
    pub fn discs(&self, seat: Seat) -> u64 {
        let to_move = Seat((self.taken.count_ones() & 1) as u8);
        if seat == to_move { self.own } else { self.own ^ self.taken }
    }

    /// Returns the single bit at which a disc dropped into this column (0 to 6) lands; 0 if the column is
    /// full.
    #[inline]
    fn landing(&self, column: u8) -> u64 {
        let low = 1 << (u32::from(column) * STRIDE);
        // Adding at the bottom carries up to the lowest free row.
        (self.taken + low) & (low * COLUMN)
    }
}

/// Returns those discs of a bitboard that are part of four in a line: vertical, horizontal or diagonal. The
/// argument and the result have 7 bits per column, the lowest row of column `a` at bit 0.
fn lined_discs(discs: u64) -> u64 {
    let line = |step: u32| {
        let pairs = discs & discs >> step;
        let first = pairs & pairs >> (2 * step);
        first | first << step | first << (2 * step) | first << (3 * step)
    };
    [1, STRIDE, STRIDE - 1, STRIDE + 1].into_iter().fold(0, |all, step| all | line(step))
}

/// Returns whether the discs of a bitboard (7 bits per column, the seventh 0) hold four in a line: vertical,
/// horizontal or diagonal.
#[inline]
fn holds_line(discs: u64) -> bool {
    [1, STRIDE, STRIDE - 1, STRIDE + 1].iter().any(|&step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Game for ConnectFour {
    type Options = NoOptions;
    type Action = Drop;
    type Face = NoFace;
    type Size = Sz<0, 0>;
    type Fact = ();

    const INFO: GameInfo = GameInfo {
        name: "connect-four",
        title: "Connect four",
        pitch: "Drop discs; four in a line win.",
        designer: "Howard Wexler and Ned Strongin",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 5,
        rules_version: 1,
    };

    /// Creates the empty board with seat 0 to move. There are always two seats and no options; never fails.
    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        Ok(ConnectFour { own: 0, taken: 0, open: ALL, stage: Stage::Turn(Seat(0)), tokens: Tokens::new() })
    }

    /// Returns the number of seats, always 2.
    fn seats(&self) -> u8 {
        2
    }

    /// Returns the token table, which is empty: the game has no cards.
    fn tokens(&self) -> &TokensOf<Self> {
        &self.tokens
    }

    /// Returns the token table for the engine; it is empty, so that nothing is ever shuffled or revealed.
    fn tokens_mut(&mut self) -> &mut TokensOf<Self> {
        &mut self.tokens
    }

    /// Returns the seat that must drop a disc, or `Over` once a line is made or the board is full.
    #[inline(always)]
    fn node(&self) -> Node {
        match self.stage {
            Stage::Turn(seat) => Node::Decide(seat),
            Stage::Won(_) | Stage::Drawn => Node::Over,
        }
    }

    /// Appends the columns that are not full, from `a` to `g`, to `out`, which must be empty.
    #[inline(always)]
    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Drop>) {
        let (open, count) = OPEN[(self.open & ALL) as usize];
        out.extend(open.map(Drop));
        out.truncate(count.into());
    }

    /// Drops a disc of the seat to move into the column, then ends the game (four in a line or a full board)
    /// or passes the turn.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the game is over, the event is not an action, the column does not exist,
    /// or it is full.
    #[inline(always)]
    fn apply(&mut self, _cx: &mut Cx<'_, NoFace>, event: Event<Drop>) -> Result<(), RuleError> {
        let (Stage::Turn(seat), Event::Act(Drop(column))) = (self.stage, event) else {
            return Err(RuleError::new("a column is awaited"));
        };
        ensure(column < COLUMNS, "there is no such column")?;
        ensure(self.open >> column & 1 != 0, "this column is full")?;
        let disc = self.landing(column);
        self.open &= !(u8::from(disc & TOP != 0) << column);
        // The other seat moves next, so its discs become `own`.
        self.own ^= self.taken;
        self.taken |= disc;
        self.stage = if holds_line(self.own ^ self.taken) {
            Stage::Won(seat)
        } else if self.open == 0 {
            Stage::Drawn
        } else {
            Stage::Turn(Seat(1 - seat.0))
        };
        Ok(())
    }

    /// Returns 1 point for the winner and -1 for the loser, 0 each for a draw; `None` while the game goes on.
    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        match self.stage {
            Stage::Turn(_) => None,
            Stage::Won(Seat(0)) => Some(Outcome::by_score(&[1, -1])),
            Stage::Won(_) => Some(Outcome::by_score(&[-1, 1])),
            Stage::Drawn => Some(Outcome::by_score(&[0, 0])),
        }
    }
}

impl pentarchy_engine::Encode for ConnectFour {
    const MOST_ACTIONS: usize = 7;
}

impl Describe for ConnectFour {
    const SUMMARY: &'static str = "\
CONNECT FOUR, for two

The board stands upright: seven columns, a to g, of six places. In turn each
player drops a disc into a column that is not full; it falls onto the discs
below. The first player has X, the second O. Four of one's own in a line, level,
upright or slanting, win. A full board without such a line is a draw.
";

    const LESSON: [&'static str; 3] = [
        "Get four of your discs in a line before the other player does: across, down or diagonally.",
        "The board stands upright: a disc falls to the lowest free place of its column.",
        "The players take turns: one disc each, into a column that is not full.",
    ];

    const CLASSIC: bool = true;

    /// Draws the board from the top row down, `X` for seat 0, `O` for seat 1 and `.` for a free place, with
    /// the letters of the columns below.
    fn table(view: &Position<Self>) -> String {
        let sign = |row: u32, column: u32| {
            let place = row + column * STRIDE;
            match [0, 1].map(|seat| view.state().discs(Seat(seat)) >> place & 1) {
                [1, _] => " X",
                [_, 1] => " O",
                _ => " .",
            }
        };
        let line = |row| (0..COLUMNS.into()).map(|column| sign(row, column)).collect::<String>() + "\n";
        (0..HEIGHT).rev().map(line).collect::<String>() + " a b c d e f g\n"
    }

    /// Describes an action with its column, like `drop into column d`.
    fn label(_view: &Position<Self>, action: Drop) -> String {
        format!("drop into column {action}")
    }

    /// Returns the board from the top row down, each column as one place, and the number of discs of each
    /// seat. The discs of a winning line are marked. Never `None`.
    fn layout(view: &Position<Self>) -> Option<TableLayout> {
        let discs = [0, 1].map(|seat| view.state().discs(Seat(seat)));
        let winning = discs.into_iter().fold(0, |all, own| all | lined_discs(own));
        let cell = |row: u32, column: u8| {
            let at = row + u32::from(column) * STRIDE;
            GridCell {
                place: Drop(column).to_string(),
                name: format!("column {}", Drop(column)),
                piece: discs
                    .iter()
                    .position(|own| own >> at & 1 != 0)
                    .map(|seat| crate::grid::piece(seat, [""; 2])),
                marked: winning >> at & 1 != 0,
            }
        };
        let rows = (0..HEIGHT).rev();
        let cells = rows.flat_map(|row| (0..COLUMNS).map(move |column| cell(row, column))).collect();
        let number = |seat: u8| TableNumber {
            seat: Some(Seat(seat)),
            name: "discs",
            value: discs[usize::from(seat)].count_ones().to_string(),
        };
        let grid = Grid { shape: GridShape::Round, columns: COLUMNS.into(), cells };
        Some(TableLayout { grids: vec![grid], numbers: [0, 1].map(number).to_vec() })
    }

    /// Describes a drop, and the win or draw that it causes; `None` if the event is not an action.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        let AppliedEvent { before, line, after, .. } = *event;
        let (Some(seat), Event::Act(drop)) = (before.actor(), line.event) else { return None };
        let end = crate::grid::ending(after.outcome());
        Some(format!("{} drops into {drop}{end}.", who(seat)))
    }
}

impl Heuristic for ConnectFour {
    type Weights = NoWeights;

    /// Appends one rating per column of `list` to `out`: 1000 for a win, 500 for a place where the opponent
    /// would win, -100 if the opponent wins in the place above it, else 0 (edge) to 3 (middle). The columns
    /// must not be full.
    fn rate_with(&self, own: &SeatView<'_, Self>, _weights: &NoWeights, list: &[Drop], out: &mut Vec<i32>) {
        let [mine, theirs] = [own.seat(), own.seat().next(2)].map(|seat| self.discs(seat));
        out.extend(list.iter().map(|&Drop(column)| {
            let disc = self.landing(column);
            match 3 - i32::from(column).abs_diff(3) as i32 {
                _ if holds_line(mine | disc) => 1000,
                _ if holds_line(theirs | disc) => 500,
                _ if holds_line(theirs | disc << 1 & FULL) => -100,
                middle => middle,
            }
        }));
    }
}
