//! Connect four: drop discs into seven columns; four in a line win.
//!
//! Columns are `a` to `g`. The board is two bit sets of 7 bits a column (six rows and an empty one above,
//! so that shifts along a line never run into the next column).

use pentarchy_engine::{
    Cx, Event, Game, GameInfo, NoFace, NoOptions, Node, OptionsError, Outcome, Own, ParseError, Rejected,
    Seat, Sz, Tokens, ensure,
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
/// One disc at the bottom of each column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// The whole board.
const FULL: u64 = BOTTOM * 0b11_1111;
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

    /// Whether a seat has four in a line: upright, level, or on either slope.
    #[inline]
    fn has_line(&self, seat: Seat) -> bool {
        let discs = self.discs[seat.index()];
        [1, STRIDE, STRIDE - 1, STRIDE + 1].iter().any(|&step| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
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
        let low = 1u64 << (u32::from(column) * STRIDE);
        let taken = self.taken();
        ensure(taken & low << (HEIGHT - 1) == 0, "this column is full")?;
        // Adding at the bottom carries up to the lowest free row.
        self.discs[mover.index()] |= (taken + low) & (low * 0b11_1111);
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
