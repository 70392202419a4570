//! Tournaments: pairings, draw of seats and standings, as pure functions of the players, the results and a public seed.
//! Anybody who knows the seed can compute them again.
//!
//! Players are numbers from 0. A table has two seats.

mod draw;
mod round_robin;
mod standings;
mod swiss;

pub use draw::PublicDraw;
pub use round_robin::round_robin;
pub use standings::{TournamentStanding, standings};
pub use swiss::{SwissError, swiss_round};

/// Two players at a table, in the order of their seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The player at each seat.
    pub seats: [usize; 2],
}

/// A round before it is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TournamentRound {
    /// The tables.
    pub tables: Vec<Pairing>,
    /// The player without a table, if the number of players is odd. It counts as a win.
    pub bye: Option<usize>,
}

/// The result of a table: half points of each seat, of which there are two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableResult {
    /// The first seat won.
    First,
    /// The second seat won.
    Second,
    /// A draw.
    Draw,
    /// Nobody gets a point, such as a game that both have left.
    Void,
}

impl TableResult {
    /// Returns the half points of each seat, in the order of the seats: 2 for a win, 1 each for a draw, 0 for a loss
    /// and for both seats of a void table.
    pub fn half_points(self) -> [u32; 2] {
        match self {
            TableResult::First => [2, 0],
            TableResult::Second => [0, 2],
            TableResult::Draw => [1, 1],
            TableResult::Void => [0, 0],
        }
    }
}

/// A round that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// Who played whom.
    pub round: TournamentRound,
    /// The result of each table, in the order of the tables.
    pub results: Vec<TableResult>,
}

/// Half points of a win, and of a bye.
pub(crate) const WIN: u32 = 2;
