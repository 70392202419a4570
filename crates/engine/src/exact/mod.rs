//! Exact tools for tiny games: counting, exhaustive walks, game trees, equilibria.
//!
//! They check a game end to end against published numbers, hidden information included. A shuffle does not
//! branch; each later revelation of a face that nobody has drawn yet does, weighted by how often the face is
//! among the tokens it was mixed with. So a *history* is a sequence of decisions, numbers that nature gave,
//! and faces drawn; shuffles, duties and revelations of faces already drawn are no steps of it. An
//! *information set* is what its seat has observed, not a position: two ways to the same pot are two sets.

mod chain;
mod history;
mod solve;
mod tree;

pub use history::{History, Step, Turn};
pub use solve::{Solution, Strategy, solve};
pub use tree::Tree;

use crate::game::Game;
use crate::position::Position;
use crate::rejected::Rejected;
use std::collections::BTreeSet;

/// How many histories of just `depth` steps begin here: games that end earlier do not count.
pub fn perft<G: Game>(position: &Position<G>, depth: u32) -> Result<u64, Rejected> {
    fn count<G: Game>(history: &History<G>, depth: u32) -> Result<u64, Rejected> {
        if depth == 0 {
            return Ok(1);
        }
        history.turn()?.steps().iter().map(|&step| count(&history.after(step)?, depth - 1)).sum()
    }
    count(&History::new(position)?, depth)
}

/// Visits every history that begins here, the empty one first, each before its continuations.
pub fn walk<G: Game>(
    position: &Position<G>,
    visit: &mut impl FnMut(&History<G>, &Turn<G::Action>),
) -> Result<(), Rejected> {
    fn go<G: Game>(
        history: &History<G>,
        visit: &mut impl FnMut(&History<G>, &Turn<G::Action>),
    ) -> Result<(), Rejected> {
        let turn = history.turn()?;
        visit(history, &turn);
        turn.steps().iter().try_for_each(|&step| go(&history.after(step)?, visit))
    }
    go(&History::new(position)?, visit)
}

/// How many histories of each kind there are, and how many information sets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Histories after which nature answers.
    pub chance: u64,
    /// Histories after which a seat decides.
    pub decision: u64,
    /// Complete games.
    pub terminal: u64,
    /// Complete games by their number of decisions.
    pub by_length: Vec<u64>,
    /// What a seat can have observed when it decides, over all seats.
    pub information_sets: u64,
}

impl Census {
    /// All histories, the empty one included.
    pub fn histories(&self) -> u64 {
        self.chance + self.decision + self.terminal
    }
}

/// Counts all histories that begin here.
pub fn census<G: Game>(position: &Position<G>) -> Result<Census, Rejected> {
    let mut census = Census::default();
    let mut sets = BTreeSet::new();
    walk(position, &mut |history, turn| match turn {
        Turn::Chance(_) => census.chance += 1,
        Turn::Decision(seat, _) => {
            census.decision += 1;
            sets.insert((*seat, history.observed(*seat)));
        }
        Turn::Over(_) => {
            census.terminal += 1;
            let length = history.decisions() as usize;
            let longest = census.by_length.len().max(length + 1);
            census.by_length.resize(longest, 0);
            census.by_length[length] += 1;
        }
    })?;
    census.information_sets = sets.len() as u64;
    Ok(census)
}
