//! Players without the generic types of their game.

use crate::hint::{Hint, hint, hints};
use crate::level::{Budget, Spec};
use crate::player::BotPlayer;
use crate::search::{Ranked, Search, SearchSettings};
use pentarchy_engine::{AnyError, AnyGame, AnyPosition, Describe, Heuristic, Position, RuleError};
use std::marker::PhantomData;

/// The bots of a game.
pub trait AnyBots: Send + Sync {
    /// Returns the game.
    fn game(&self) -> &'static dyn AnyGame;

    /// Creates a player of this kind for one seat of one match. With an iteration budget it makes the same
    /// choices for the same seed.
    fn player(&self, spec: &Spec, seed: u64) -> Box<dyn AnyPlayer>;

    /// Searches with this budget and returns up to three actions for the deciding seat, the best first, with
    /// texts for people. Blocks until the budget is used up. Reads only what that seat knows.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, or one in which no seat decides.
    fn hint(&self, position: &dyn AnyPosition, budget: Budget, seed: u64) -> Result<Vec<Hint>, AnyError>;

    /// Creates a search for the deciding seat, to be run in slices. Nothing has been searched yet.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, or one in which no seat decides.
    fn search(&self, position: &dyn AnyPosition, seed: u64) -> Result<Box<dyn AnySearch>, AnyError>;
}

/// A search in progress, without the generic types of its game. It stops when it is no longer run.
pub trait AnySearch: Send {
    /// Runs this number of iterations before it returns; a decision with a single action is only counted.
    fn run(&mut self, iterations: u32);

    /// Returns the number of iterations since the search moved to this decision.
    fn iterations(&self) -> u32;

    /// Moves to a later decision of the same seat in the same match. Keeps the part of the tree that applies
    /// to it, or starts again if there is none; [`iterations`](Self::iterations) starts at 0.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, or one in which no seat decides; the search is then unchanged.
    fn advance(&mut self, position: &dyn AnyPosition) -> Result<(), AnyError>;

    /// Returns the index, in the list of legal actions, of the best action so far; 0 if nothing was searched.
    fn best(&self) -> usize;

    /// Returns the results of all legal actions, the best first: by visits, then by value, then by advice.
    fn ranked(&self) -> Vec<Ranked>;

    /// Returns up to three actions with their values and texts for people, the best first; only actions that
    /// were tried.
    fn hints(&self) -> Vec<Hint>;
}

/// A player without the generic types of its game.
pub trait AnyPlayer: Send {
    /// Returns the index of the chosen action in the list of the deciding seat. The player uses only what
    /// that seat knows. May take as long as the budget of the player.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, or one in which no seat decides.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<usize, AnyError>;
}

/// Returns the bots of the game `G`.
pub const fn any<G: Heuristic + Describe>() -> &'static dyn AnyBots {
    &Erased::<G>(PhantomData)
}

struct Erased<G>(PhantomData<fn() -> G>);

impl<G: Heuristic + Describe> AnyBots for Erased<G> {
    fn game(&self) -> &'static dyn AnyGame {
        pentarchy_engine::any::any::<G>()
    }

    fn player(&self, spec: &Spec, seed: u64) -> Box<dyn AnyPlayer> {
        Box::new(Typed { player: spec.player::<G>(seed), list: Vec::new() })
    }

    fn hint(&self, position: &dyn AnyPosition, budget: Budget, seed: u64) -> Result<Vec<Hint>, AnyError> {
        let mut list = Vec::new();
        let view = view::<G>(position, &mut list)?;
        Ok(hint(&view, &list, budget, seed))
    }

    fn search(&self, position: &dyn AnyPosition, seed: u64) -> Result<Box<dyn AnySearch>, AnyError> {
        let view = view::<G>(position, &mut Vec::new())?;
        Ok(Box::new(Search::new(&view, SearchSettings::of::<G>(), seed)))
    }
}

impl<G: Heuristic> AnySearch for Search<G> {
    fn run(&mut self, iterations: u32) {
        Search::run(self, iterations);
    }

    fn iterations(&self) -> u32 {
        Search::iterations(self)
    }

    fn advance(&mut self, position: &dyn AnyPosition) -> Result<(), AnyError> {
        Search::advance(self, &view::<G>(position, &mut Vec::new())?);
        Ok(())
    }

    fn best(&self) -> usize {
        Search::best(self)
    }

    fn ranked(&self) -> Vec<Ranked> {
        Search::ranked(self)
    }

    fn hints(&self) -> Vec<Hint> {
        hints(self.counts(), self.view().seats())
    }
}

struct Typed<G: Heuristic> {
    player: Box<dyn BotPlayer<G>>,
    list: Vec<G::Action>,
}

impl<G: Heuristic> AnyPlayer for Typed<G> {
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<usize, AnyError> {
        let view = view::<G>(position, &mut self.list)?;
        Ok(self.player.choose(&view, &self.list))
    }
}

/// Returns the view of the seat that decides or declares, and replaces `list` by its legal actions.
///
/// # Errors
///
/// Fails if the position is of another game, if no seat is to act, or if the observer of the position is
/// another seat or a spectator.
fn view<G: Heuristic>(
    position: &dyn AnyPosition,
    list: &mut Vec<G::Action>,
) -> Result<Position<G>, AnyError> {
    let whole = position.typed().downcast_ref::<Position<G>>();
    let whole = whole.ok_or(RuleError::new("this is a position of another game"))?;
    let seat = whole.actor().ok_or(RuleError::new("nobody is asked now"))?;
    let view = whole.view(seat);
    view.legal(list)?;
    Ok(view)
}
