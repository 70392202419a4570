//! Exact tools for tiny games: perft, exhaustive walks, game trees, equilibria.
//!
//! They check a game with hidden information end to end against published numbers. A shuffle does not branch;
//! each later reveal of an undrawn face does, weighted by how often the face occurs among the tokens it was
//! mixed with. A cast of private dice branches die by die. So a *history* is a sequence of decisions, results
//! of chance, and drawn faces; shuffles, declarations and reveals of faces already drawn are not steps. An
//! *information set* is what its seat has observed, not a position: two ways to the same pot are two sets.

mod chain;
mod history;
mod solve;
mod tree;

pub use history::{History, TreeStep, TreeTurn};
pub use solve::{Solution, Strategy, solve};
pub use tree::Tree;

use pentarchy_engine::{Game, Position, RuleError};
use std::collections::BTreeSet;

/// Counts the histories of exactly `depth` steps from this position; 1 for depth 0. Games that end earlier do not
/// count. Steps are decisions, results of chance and drawn faces.
///
/// # Errors
///
/// Fails if the position is not the simulator's, or the rules contradict themselves.
pub fn perft<G: Game>(position: &Position<G>, depth: u32) -> Result<u64, RuleError> {
    /// Counts the histories of exactly `depth` further steps.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject a step.
    fn count<G: Game>(history: &History<G>, depth: u32) -> Result<u64, RuleError> {
        if depth == 0 {
            return Ok(1);
        }
        history.turn()?.steps().iter().map(|&step| count(&history.after(step)?, depth - 1)).sum()
    }
    count(&History::new(position)?, depth)
}

/// Calls `visit` for every history from here, with how it can continue, in depth-first order, the empty one
/// first. Only for tiny games: all histories are visited.
///
/// # Errors
///
/// Fails if the position is not the simulator's, or the rules contradict themselves.
pub fn walk<G: Game>(
    position: &Position<G>,
    visit: &mut impl FnMut(&History<G>, &TreeTurn<G::Action>),
) -> Result<(), RuleError> {
    /// Calls `visit` for a history and then for all its continuations, depth first.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject a step.
    fn visit_all<G: Game>(
        history: &History<G>,
        visit: &mut impl FnMut(&History<G>, &TreeTurn<G::Action>),
    ) -> Result<(), RuleError> {
        let turn = history.turn()?;
        visit(history, &turn);
        turn.steps().iter().try_for_each(|&step| visit_all(&history.after(step)?, visit))
    }
    visit_all(&History::new(position)?, visit)
}

/// Numbers of histories and information sets of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Histories that end at a chance node.
    pub chance: u64,
    /// Histories that end at a decision.
    pub decision: u64,
    /// Complete games.
    pub terminal: u64,
    /// Complete games by their number of decisions, which is the index; empty for none.
    pub by_length: Vec<u64>,
    /// Information sets of all seats.
    pub information_sets: u64,
}

impl Census {
    /// Returns the number of all histories, the empty one included: at chance, at decisions and at
    /// ends.
    pub fn histories(&self) -> u64 {
        self.chance + self.decision + self.terminal
    }
}

/// Counts all histories from here by kind and by number of decisions, and the information sets.
/// Visits the whole game tree.
///
/// # Errors
///
/// Fails if the position is not the simulator's, or the rules contradict themselves.
pub fn census<G: Game>(position: &Position<G>) -> Result<Census, RuleError> {
    let mut census = Census::default();
    let mut sets = BTreeSet::new();
    walk(position, &mut |history, turn| match turn {
        TreeTurn::Chance(_) => census.chance += 1,
        TreeTurn::Decision(seat, _) => {
            census.decision += 1;
            sets.insert((*seat, history.observed(*seat)));
        }
        TreeTurn::Over(_) => {
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
