//! Tic-tac-toe: three in a row on a board of nine squares.
//!
//! Squares are numbered 1 to 9 in reading order. An action is its square: `5` is the centre.

use pentarchy_engine::describe::who;
use pentarchy_engine::{
    AppliedEvent, Cx, Describe, Event, Game, GameInfo, Grid, GridCell, GridShape, Heuristic, NoFace,
    NoOptions, NoWeights, Node, OptionsError, Outcome, Position, RuleError, Seat, SeatView, Sz, TableLayout,
    Tokens, TokensOf, ensure, numbered,
};
use serde::{Deserialize, Serialize};

/// A game of tic-tac-toe: the squares of each seat as bits.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct TicTacToe {
    /// The squares of the seat to move.
    own: u16,
    /// All taken squares.
    taken: u16,
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
    /// A square, from 0.
    pub struct Mark = "a square", 1..=9
}

/// All squares.
const FULL: u16 = 0b111_111_111;
/// The squares of each line: rows, columns, diagonals.
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// For every set of squares, the list of its squares and their number.
static FREE: [([u8; 9], u8); 512] = crate::grid::lists();

/// For every set of squares one bit: whether it holds a line.
const HAS_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut squares = 0u16;
    while squares < 512 {
        let mut i = 0;
        while i < LINES.len() {
            if squares & LINES[i] == LINES[i] {
                table[squares as usize / 64] |= 1 << (squares % 64);
            }
            i += 1;
        }
        squares += 1;
    }
    table
};

/// Returns whether a set of squares (bits 0 to 8) holds three in a row, column or diagonal.
#[inline]
const fn holds_line(squares: u16) -> bool {
    HAS_LINE[squares as usize / 64 % 8] >> (squares % 64) & 1 != 0
}

impl TicTacToe {
    /// Returns the squares of a seat (0 or 1) as bits; bit 0 is square 1.
    pub fn squares(&self, seat: Seat) -> u16 {
        let to_move = Seat((self.taken.count_ones() & 1) as u8);
        if seat == to_move { self.own } else { self.own ^ self.taken }
    }
}

impl Game for TicTacToe {
    type Options = NoOptions;
    type Action = Mark;
    type Face = NoFace;
    type Size = Sz<0, 0>;
    type Fact = ();

    const INFO: GameInfo = GameInfo {
        name: "tic-tac-toe",
        title: "Tic-tac-toe",
        pitch: "Three in a row, before your tea is cold.",
        designer: "traditional",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 1,
        rules_version: 1,
    };

    /// Creates the empty board with seat 0 to move. There are always two seats and no options; never fails.
    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        Ok(TicTacToe { own: 0, taken: 0, stage: Stage::Turn(Seat(0)), tokens: Tokens::new() })
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

    /// Returns the seat that must take a square, or `Over` once a line is made or the board is full.
    #[inline(always)]
    fn node(&self) -> Node {
        match self.stage {
            Stage::Turn(seat) => Node::Decide(seat),
            Stage::Won(_) | Stage::Drawn => Node::Over,
        }
    }

    /// Appends the free squares in ascending order to `out`, which must be empty.
    #[inline(always)]
    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Mark>) {
        let (free, count) = FREE[(FULL & !self.taken) as usize];
        out.extend(free.map(Mark));
        out.truncate(count.into());
    }

    /// Gives a free square to the seat to move, then ends the game (three in a line or a full board) or
    /// passes the turn.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the game is over, the event is not an action, or the square does not exist
    /// or is taken.
    #[inline(always)]
    fn apply(&mut self, _cx: &mut Cx<'_, NoFace>, event: Event<Mark>) -> Result<(), RuleError> {
        let (Stage::Turn(seat), Event::Act(Mark(square))) = (self.stage, event) else {
            return Err(RuleError::new("a square is awaited"));
        };
        ensure(square < 9 && self.taken >> square & 1 == 0, "this square is taken")?;
        // The other seat moves next, so its squares become `own`.
        self.own ^= self.taken;
        self.taken |= 1 << square;
        self.stage = if holds_line(self.own ^ self.taken) {
            Stage::Won(seat)
        } else if self.taken == FULL {
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

impl pentarchy_engine::Encode for TicTacToe {
    const MOST_ACTIONS: usize = 9;
}

impl Describe for TicTacToe {
    const SUMMARY: &'static str = "\
TIC-TAC-TOE, for two

In turn each player takes a free square, the first with X, the second with O.
Three of one's own in a row, column or diagonal win. A full board without a
line is a draw. The squares are numbered:

   1 | 2 | 3
  ---+---+---
   4 | 5 | 6
  ---+---+---
   7 | 8 | 9
";

    const LESSON: [&'static str; 3] = [
        "Take three squares in a line before the other player does: across, down or diagonally.",
        "You play X, the other player O. The numbers are the names of the squares.",
        "The players take turns: one free square each. A full board without a line is a draw.",
    ];

    const CLASSIC: bool = true;

    /// Draws the board in three rows: `X` for seat 0, `O` for seat 1; free squares show their numbers, 1 to
    /// 9.
    fn table(view: &Position<Self>) -> String {
        let sign = |square: u8| match [0, 1].map(|seat| view.state().squares(Seat(seat)) >> square & 1) {
            [1, _] => 'X',
            [_, 1] => 'O',
            _ => (b'1' + square) as char,
        };
        let row = |r: u8| format!(" {} | {} | {}\n", sign(3 * r), sign(3 * r + 1), sign(3 * r + 2));
        [0, 1, 2].map(row).join("---+---+---\n")
    }

    /// Describes an action with its square, like `take square 5`.
    fn label(_view: &Position<Self>, action: Mark) -> String {
        format!("take square {action}")
    }

    /// Returns the nine squares in reading order with their signs, and the sign of each seat; the squares of
    /// a winning line are marked. Never `None`.
    fn layout(view: &Position<Self>) -> Option<TableLayout> {
        let owned = [0, 1].map(|seat| view.state().squares(Seat(seat)));
        let winning = owned.iter().flat_map(|own| LINES.into_iter().filter(move |line| own & line == *line));
        let winning = winning.fold(0, |all, line| all | line);
        let cell = |square: u8| {
            let seat = owned.iter().position(|own| own >> square & 1 != 0);
            GridCell {
                place: Mark(square).to_string(),
                name: format!("square {}", Mark(square)),
                piece: seat.map(|seat| crate::grid::piece(seat, ["X", "O"])),
                marked: winning >> square & 1 != 0,
            }
        };
        let grid = Grid { shape: GridShape::Square, columns: 3, cells: (0..9).map(cell).collect() };
        Some(TableLayout { grids: vec![grid], numbers: crate::grid::signs(["X", "O"]) })
    }

    /// Describes the square taken, and the win or draw that it causes; `None` if the event is not an action.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        let AppliedEvent { before, line, after, .. } = *event;
        let (Some(seat), Event::Act(mark)) = (before.actor(), line.event) else { return None };
        let end = crate::grid::ending(after.outcome());
        Some(format!("{} takes {mark}{end}.", who(seat)))
    }
}

impl Heuristic for TicTacToe {
    type Weights = NoWeights;

    /// Appends one rating per square of `list` to `out`: 100 for a win, 50 for preventing one, else 3 for the
    /// centre, 2 for a corner and 1 for a side. The squares must be free.
    fn rate_with(&self, own: &SeatView<'_, Self>, _weights: &NoWeights, list: &[Mark], out: &mut Vec<i32>) {
        let [mine, theirs] = [own.seat(), own.seat().next(2)].map(|seat| self.squares(seat));
        out.extend(list.iter().map(|&Mark(square)| match square {
            _ if holds_line(mine | 1 << square) => 100,
            _ if holds_line(theirs | 1 << square) => 50,
            4 => 3,
            _ => 2 - i32::from(square % 2),
        }));
    }
}
