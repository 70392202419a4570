//! Players without the generic types of their game.

use crate::hint::{Hint, hint};
use crate::level::{Budget, Spec};
use crate::player::BotPlayer;
use crate::search::{Ranked, Search, SearchSettings};
use pentarchy_engine::{AnyError, AnyGame, AnyPosition, Describe, Heuristic, Position, RuleError};
use std::marker::PhantomData;

/// The bots of a game.
pub trait AnyBots: Send + Sync {
    /// Returns the game that these bots play.
    fn game(&self) -> &'static dyn AnyGame;

    /// Creates a player of this kind for one seat of one match. It makes the same choices for the same seed,
    /// unless it is an Emperor with a budget in time or CPU time.
    fn player(&self, spec: &Spec, seed: u64) -> Box<dyn AnyPlayer>;

    /// Searches with this budget for the seat that decides or declares, and returns up to three actions, the
    /// best first, with texts for people: only actions that were tried, or the only one. Blocks until the
    /// budget is used up. Reads only what that seat knows. With a budget of iterations, equal seeds give
    /// equal hints.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, one in which no seat is to act, or, in a game with tokens, one
    /// whose observer is another seat or a spectator.
    fn hint(&self, position: &dyn AnyPosition, budget: Budget, seed: u64) -> Result<Vec<Hint>, AnyError>;

    /// Creates a search for the seat that decides or declares, with the settings that the game recommends, to
    /// be run in slices. Nothing has been searched yet. It reads only what that seat knows; equal seeds and
    /// numbers of iterations give equal results.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, one in which no seat is to act, or, in a game with tokens, one
    /// whose observer is another seat or a spectator.
    fn search(&self, position: &dyn AnyPosition, seed: u64) -> Result<Box<dyn AnySearch>, AnyError>;
}

/// A search in progress, without the generic types of its game. It stops when it is no longer run.
pub trait AnySearch: Send {
    /// Runs this number of iterations on the calling thread before it returns, and adds them to the count. A
    /// decision with a single action is only counted, not searched, unless strategies are mixed.
    fn run(&mut self, iterations: u32);

    /// Returns the number of iterations since the search moved to this decision.
    fn iterations(&self) -> u32;

    /// Moves to a later decision of the same seat in the same match, which is not checked. Keeps the subtree
    /// of that decision if the search reached it at least 32 times as the seat's next decision, else starts
    /// again, also if another seat is to act. [`iterations`](Self::iterations) starts at 0.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, one in which no seat is to act, or, in a game with tokens, one
    /// whose observer is another seat or a spectator; the search is then unchanged.
    fn advance(&mut self, position: &dyn AnyPosition) -> Result<(), AnyError>;

    /// Returns the index, in the list of legal actions, of the best action so far: by visits, then by value,
    /// then by advice. 0 if there are no actions.
    fn best(&self) -> usize;

    /// Returns the results of all legal actions, the best first: by visits, then by value, then by advice.
    /// Empty if there are no actions.
    fn ranked(&self) -> Vec<Ranked>;

    /// Returns up to three actions with their values and texts for people, the best first; only actions that
    /// were tried, or the only one. Empty before the first iteration, unless there is only one action.
    fn hints(&self) -> Vec<Hint>;
}

/// A player without the generic types of its game.
pub trait AnyPlayer: Send {
    /// Returns the index of the chosen action in the list of the seat that decides or declares. The player
    /// uses only what that seat knows. May take as long as the budget of the player.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, one in which no seat is to act, or, in a game with tokens, one
    /// whose observer is another seat or a spectator.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<usize, AnyError>;
}

/// Returns the bots of the game `G`, without its types. They have no state: each call of a method is
/// independent.
pub const fn any<G: Heuristic + Describe>() -> &'static dyn AnyBots {
    &Erased::<G>(PhantomData)
}

/// Implements [`AnyBots`] for the game `G`; has no data.
struct Erased<G>(PhantomData<fn() -> G>);

impl<G: Heuristic + Describe> AnyBots for Erased<G> {
    /// Returns the type-erased form of `G`.
    fn game(&self) -> &'static dyn AnyGame {
        pentarchy_engine::any::any::<G>()
    }

    /// Creates a player of the level, budget and threads of `spec` for one seat of one match. It makes the
    /// same choices for the same seed, unless it is an Emperor with a budget in time or CPU time.
    fn player(&self, spec: &Spec, seed: u64) -> Box<dyn AnyPlayer> {
        Box::new(Typed { player: spec.player::<G>(seed), list: Vec::new() })
    }

    /// Searches with this budget for the seat that decides or declares, and returns up to three actions, the
    /// best first, with texts for people: only actions that were tried, or the only one. Blocks until the
    /// budget is used up. With a budget of iterations, equal seeds give equal hints.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, if no seat is to act, or if another seat or a spectator observes
    /// a game with tokens.
    fn hint(&self, position: &dyn AnyPosition, budget: Budget, seed: u64) -> Result<Vec<Hint>, AnyError> {
        let mut list = Vec::new();
        let view = view::<G>(position, &mut list)?;
        Ok(hint(&view, &list, budget, seed))
    }

    /// Creates a search for the acting seat with the settings of the game; nothing has been searched yet. The
    /// seed makes it reproducible.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, if no seat is to act, or if another seat or a spectator observes
    /// a game with tokens.
    fn search(&self, position: &dyn AnyPosition, seed: u64) -> Result<Box<dyn AnySearch>, AnyError> {
        let view = view::<G>(position, &mut Vec::new())?;
        Ok(Box::new(Search::new(&view, SearchSettings::of::<G>(), seed)))
    }
}

impl<G: Heuristic> AnySearch for Search<G> {
    /// Runs this number of iterations and adds them to the count. A decision with a single action is only
    /// counted, not searched, unless strategies are mixed.
    fn run(&mut self, iterations: u32) {
        Search::run(self, iterations);
    }

    /// Returns the number of iterations since the search moved to this decision.
    fn iterations(&self) -> u32 {
        Search::iterations(self)
    }

    /// Moves to a later decision of the same seat in the same match, which is not checked. Keeps the subtree
    /// of that decision if the search reached it at least 32 times as the seat's next decision and the
    /// settings allow reuse; else starts again, also if another seat is to act. Strategies of a mixed search
    /// are always kept. The count of iterations starts at 0.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, if no seat is to act, or if another seat or a spectator observes
    /// a game with tokens. The search is then unchanged.
    fn advance(&mut self, position: &dyn AnyPosition) -> Result<(), AnyError> {
        Search::advance(self, &view::<G>(position, &mut Vec::new())?);
        Ok(())
    }

    /// Returns the index in the legal list of the best action so far: by visits, then by value, then by
    /// advice; the first of equal ones. 0 if there are no actions.
    fn best(&self) -> usize {
        Search::best(self)
    }

    /// Returns the results of all legal actions, the best first: by visits, then by value, then by advice.
    /// Empty if there are no actions.
    fn ranked(&self) -> Vec<Ranked> {
        Search::ranked(self)
    }

    /// Returns up to three actions with values and texts for people, the best first; only actions that were
    /// tried, or the only one. Empty before the first iteration, unless there is only one action.
    fn hints(&self) -> Vec<Hint> {
        Search::hints(self)
    }
}

/// A typed player with a buffer for the legal actions.
struct Typed<G: Heuristic> {
    /// The player.
    player: Box<dyn BotPlayer<G>>,
    /// A reusable buffer.
    list: Vec<G::Action>,
}

impl<G: Heuristic> AnyPlayer for Typed<G> {
    /// Returns the index of the typed player's choice in the list of the seat that decides or declares. The
    /// player gets only that seat's view. May take as long as the budget of the player.
    ///
    /// # Errors
    ///
    /// Fails for a position of another game, if no seat is to act, or if another seat or a spectator observes
    /// a game with tokens. The player is then not asked.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<usize, AnyError> {
        let view = view::<G>(position, &mut self.list)?;
        Ok(self.player.choose(&view, &self.list))
    }
}

/// Returns the view of the seat that decides or declares, and replaces `list` by its legal actions.
///
/// # Errors
///
/// Fails if the position is of another game, if no seat is to act, or if the observer of a game with tokens is
/// another seat or a spectator: their copies lack faces that the acting seat knows.
fn view<G: Heuristic>(
    position: &dyn AnyPosition,
    list: &mut Vec<G::Action>,
) -> Result<Position<G>, AnyError> {
    let whole = position.typed().downcast_ref::<Position<G>>();
    let whole = whole.ok_or(RuleError::new("this is a position of another game"))?;
    let seat = whole.actor().ok_or(RuleError::new("nobody is asked now"))?;
    // The copy of `view` has the seat as its observer, so only the original can be checked.
    whole.legal(list)?;
    let view = whole.view(seat);
    view.legal(list)?;
    Ok(view)
}
