//! Tic-tac-toe: three in a row on a board of nine squares.
//!
//! Squares are numbered 1 to 9 like the lines of a page. An action is its square: `5` is the centre.

use pentarchy_engine::describe::who;
use pentarchy_engine::{
    Cx, Describe, Event, Game, GameInfo, Heuristic, LineOf, NoFace, NoOptions, Node, OptionsError, Outcome,
    Own, ParseError, Position, Rejected, Seat, Sz, Tokens, ensure,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The board: the squares of each seat as bits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TicTacToe {
    squares: [u16; 2],
    tokens: Tokens<NoFace, Sz<0, 0>>,
}

/// A square, 0 to 8; written 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark(pub u8);

const FULL: u16 = 0b111_111_111;
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

/// For every set of squares, whether it holds a line: one bit each.
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

#[inline]
const fn holds_line(squares: u16) -> bool {
    HAS_LINE[squares as usize / 64 % 8] >> (squares % 64) & 1 != 0
}

impl TicTacToe {
    /// The squares of a seat, bit 0 is square 1.
    pub fn squares(&self, seat: Seat) -> u16 {
        self.squares[seat.index()]
    }

    #[inline]
    fn taken(&self) -> u16 {
        self.squares[0] | self.squares[1]
    }

    #[inline]
    fn mover(&self) -> Seat {
        Seat((self.taken().count_ones() & 1) as u8)
    }

    #[inline]
    fn has_line(&self, seat: Seat) -> bool {
        holds_line(self.squares[seat.index()])
    }
}

impl Game for TicTacToe {
    type Options = NoOptions;
    type Action = Mark;
    type Face = NoFace;
    type Size = Sz<0, 0>;

    const INFO: GameInfo = GameInfo {
        name: "tic-tac-toe",
        title: "Tic-tac-toe",
        pitch: "Three in a row, before your tea is cold.",
        designer: "traditional",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        rules_version: 1,
    };

    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        Ok(TicTacToe { squares: [0; 2], tokens: Tokens::new() })
    }

    fn seats(&self) -> u8 {
        2
    }

    fn tokens(&self) -> &Tokens<NoFace, Sz<0, 0>> {
        &self.tokens
    }

    fn tokens_mut(&mut self) -> &mut Tokens<NoFace, Sz<0, 0>> {
        &mut self.tokens
    }

    #[inline(always)]
    fn node(&self) -> Node {
        let mover = self.mover();
        if self.has_line(mover.next(2)) || self.taken() == FULL { Node::Over } else { Node::Decide(mover) }
    }

    #[inline(always)]
    fn legal(&self, _own: &Own<'_, Self>, out: &mut Vec<Mark>) {
        let mut free = FULL & !self.taken();
        while free != 0 {
            out.push(Mark(free.trailing_zeros() as u8));
            free &= free - 1;
        }
    }

    #[inline(always)]
    fn apply(&mut self, _cx: &mut Cx<'_, NoFace>, event: Event<Mark>) -> Result<(), Rejected> {
        let (Node::Decide(mover), Event::Act(Mark(square))) = (self.node(), event) else {
            return Err(Rejected::new("a square is awaited"));
        };
        ensure(square < 9 && self.taken() >> square & 1 == 0, "this square is taken")?;
        self.squares[mover.index()] |= 1 << square;
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.node() != Node::Over {
            return None;
        }
        let score = |seat| i32::from(self.has_line(seat));
        let won = score(Seat(0)) - score(Seat(1));
        Some(Outcome::by_score(&[won, -won]))
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl FromStr for Mark {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.parse() {
            Ok(n @ 1..=9u8) => Ok(Mark(n - 1)),
            _ => Err(ParseError::new(text, "a square from 1 to 9")),
        }
    }
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

    /// Free squares show their numbers.
    fn table(view: &Position<Self>) -> String {
        let sign = |square: u8| match [0, 1].map(|seat| view.state().squares[seat] >> square & 1) {
            [1, _] => 'X',
            [_, 1] => 'O',
            _ => (b'1' + square) as char,
        };
        let row = |r: u8| format!(" {} | {} | {}\n", sign(3 * r), sign(3 * r + 1), sign(3 * r + 2));
        [0, 1, 2].map(row).join("---+---+---\n")
    }

    fn log(before: &Position<Self>, line: &LineOf<Self>, after: &Position<Self>) -> Option<String> {
        let (Some(seat), Event::Act(mark)) = (before.actor(), line.event) else { return None };
        let end = crate::ending(after.outcome());
        Some(format!("{} takes {mark}{end}.", who(seat)))
    }
}

impl Heuristic for TicTacToe {
    /// Win, or keep the other from winning; else the centre, a corner, a side.
    fn rate(&self, own: &Own<'_, Self>, list: &[Mark], out: &mut Vec<i32>) {
        let [mine, theirs] = [own.seat(), own.seat().next(2)].map(|seat| self.squares(seat));
        out.extend(list.iter().map(|&Mark(square)| match square {
            _ if holds_line(mine | 1 << square) => 100,
            _ if holds_line(theirs | 1 << square) => 50,
            4 => 3,
            _ => 2 - i32::from(square % 2),
        }));
    }
}
