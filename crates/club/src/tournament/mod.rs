//! Tournaments: pairings, draw of seats and standings, as pure functions of the players, the results and a public seed.
//! Anybody who knows the seed can compute them again. [`TournamentState`] is a tournament with its entries, rounds and
//! results.
//!
//! Players are numbers from 0.

mod draw;
mod groups;
mod progress;
mod round_robin;
mod standings;
mod state;
mod swiss;

pub use draw::PublicDraw;
pub use groups::group_round;
pub use progress::TournamentChangeError;
pub use round_robin::round_robin;
pub use standings::{TournamentStanding, standings};
pub use state::{
    EntryRequest, HostedLink, SignedRequest, StateResult, StateRound, StateTable, TournamentEntrant,
    TournamentState, TournamentSystem, TournamentTerms,
};
pub use swiss::{SwissError, swiss_round};

/// The players at a table, in the order of their seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The player at each seat.
    pub seats: Vec<usize>,
}

/// A round before it is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TournamentRound {
    /// The tables.
    pub tables: Vec<Pairing>,
    /// The players without a table. It counts as beating a whole table.
    pub byes: Vec<usize>,
}

/// The result of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableResult {
    /// The rank of each seat, from 1; players with equal ranks have drawn. 0 is a seat that was absent: everybody else
    /// has beaten it, and it has beaten nobody.
    pub ranks: Vec<u8>,
}

impl TableResult {
    /// Returns the half points that a seat gets for another one: 2 if it has beaten it, 1 for a draw, 0 otherwise, and if
    /// a seat does not exist.
    pub fn against(&self, seat: usize, other: usize) -> u32 {
        match (self.ranks.get(seat), self.ranks.get(other)) {
            (None | Some(0), _) | (_, None) => 0,
            (Some(_), Some(0)) => WIN,
            (Some(own), Some(rank)) if own < rank => WIN,
            (Some(own), Some(rank)) => u32::from(own == rank),
        }
    }

    /// Returns the half points of each seat, in the order of the seats: the sum over all other seats. At a table of two
    /// they are 2 for a win, 1 for a draw and 0 for a loss.
    pub fn half_points(&self) -> Vec<u32> {
        let seats = self.ranks.len();
        let sum =
            |seat| (0..seats).filter(|&other| other != seat).map(|other| self.against(seat, other)).sum();
        (0..seats).map(sum).collect()
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

/// Half points for beating a player.
pub(crate) const WIN: u32 = 2;
