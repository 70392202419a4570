//! Connect four: drop discs into seven columns; four in a line win.
//!
//! Columns are `a` to `g`. The board is two bit sets of 7 bits a column (six rows and an empty one above,
//! so that shifts along a line never run into the next column).

use pentarchy_engine::describe::who;
use pentarchy_engine::{
    Cx, Describe, Event, Game, GameInfo, Heuristic, LineOf, NoFace, NoOptions, Node, OptionsError, Outcome,
    Own, ParseError, Position, Rejected, Seat, Sz, Tokens, ensure,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The board.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConnectFour {
    /// The discs of each seat, column by column, the lowest row first.
    discs: [u64; 2],
    tokens: Tokens<NoFace, Sz<0, 0>>,
}

/// A column, 0 to 6; written `a` to `g`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Drop(pub u8);

const HEIGHT: u32 = 6;
const STRIDE: u32 = HEIGHT + 1;
const COLUMNS: u8 = 7;
/// All rows of the first column.
const COLUMN: u64 = 0b11_1111;
/// One disc at the bottom of each column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// The whole board.
const FULL: u64 = BOTTOM * COLUMN;
const TOP: u64 = BOTTOM << (HEIGHT - 1);

impl ConnectFour {
    /// The discs of a seat, as bits of 7 a column.
    pub fn discs(&self, seat: Seat) -> u64 {
        self.discs[seat.index()]
    }

    #[inline]
    fn taken(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    #[inline]
    fn mover(&self) -> Seat {
        Seat((self.taken().count_ones() & 1) as u8)
    }

    #[inline]
    fn has_line(&self, seat: Seat) -> bool {
        holds_line(self.discs[seat.index()])
    }

    /// Where a disc would come to lie: nowhere in a full column.
    #[inline]
    fn landing(&self, column: u8) -> u64 {
        let low = 1 << (u32::from(column) * STRIDE);
        // Adding at the bottom carries up to the lowest free row.
        (self.taken() + low) & (low * COLUMN)
    }
}

/// Whether there are four in a line: upright, level, or on either slope.
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

    const INFO: GameInfo = GameInfo {
        name: "connect-four",
        title: "Connect four",
        pitch: "Drop discs; four in a line win.",
        designer: "Howard Wexler and Ned Strongin",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        rules_version: 1,
    };

    fn new(_seats: u8, _options: &NoOptions) -> Result<Self, OptionsError> {
        Ok(ConnectFour { discs: [0; 2], tokens: Tokens::new() })
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
    fn legal(&self, _own: &Own<'_, Self>, out: &mut Vec<Drop>) {
        let mut open = TOP & !self.taken();
        while open != 0 {
            out.push(Drop((open.trailing_zeros() / STRIDE) as u8));
            open &= open - 1;
        }
    }

    #[inline(always)]
    fn apply(&mut self, _cx: &mut Cx<'_, NoFace>, event: Event<Drop>) -> Result<(), Rejected> {
        let (Node::Decide(mover), Event::Act(Drop(column))) = (self.node(), event) else {
            return Err(Rejected::new("a column is awaited"));
        };
        ensure(column < COLUMNS, "there is no such column")?;
        let disc = self.landing(column);
        ensure(disc != 0, "this column is full")?;
        self.discs[mover.index()] |= disc;
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

impl fmt::Display for Drop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (b'a' + self.0) as char)
    }
}

impl FromStr for Drop {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.as_bytes() {
            [c @ b'a'..=b'g'] => Ok(Drop(c - b'a')),
            _ => Err(ParseError::new(text, "a column from a to g")),
        }
    }
}

impl Describe for ConnectFour {
    const SUMMARY: &'static str = "\
CONNECT FOUR, for two

The board stands upright: seven columns, a to g, of six places. In turn each
player drops a disc into a column that is not full; it falls onto the discs
below. The first player has X, the second O. Four of one's own in a line, level,
upright or slanting, win. A full board without such a line is a draw.
";

    fn table(view: &Position<Self>) -> String {
        let sign = |row: u32, column: u32| {
            let place = row + column * STRIDE;
            match view.state().discs.map(|discs| discs >> place & 1) {
                [1, _] => " X",
                [_, 1] => " O",
                _ => " .",
            }
        };
        let line = |row| (0..COLUMNS.into()).map(|column| sign(row, column)).collect::<String>() + "\n";
        (0..HEIGHT).rev().map(line).collect::<String>() + " a b c d e f g\n"
    }

    fn log(before: &Position<Self>, line: &LineOf<Self>, after: &Position<Self>) -> Option<String> {
        let (Some(seat), Event::Act(drop)) = (before.actor(), line.event) else { return None };
        let end = crate::ending(after.outcome());
        Some(format!("{} drops into {drop}{end}.", who(seat)))
    }
}

impl Heuristic for ConnectFour {
    /// Win, or keep the other from winning; do not lift the other to a winning place; else the middle.
    fn rate(&self, own: &Own<'_, Self>, list: &[Drop], out: &mut Vec<i32>) {
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
