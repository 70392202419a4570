//! Players without the types of their game.

use crate::hint::{Hint, hint, hints};
use crate::level::{Budget, Spec};
use crate::player::Player;
use crate::search::{Ranked, Search, Settings};
use pentarchy_engine::{AnyError, AnyGame, AnyPosition, Describe, Heuristic, Position, Rejected};
use std::marker::PhantomData;

/// The players of a game.
pub trait AnyBots: Send + Sync {
    /// The game.
    fn game(&self) -> &'static dyn AnyGame;

    /// A player of this kind.
    fn player(&self, spec: &Spec, seed: u64) -> Box<dyn AnyPlayer>;

    /// The best three actions for the seat that decides, with what they are expected to come to.
    fn hint(&self, position: &dyn AnyPosition, budget: Budget, seed: u64) -> Result<Vec<Hint>, AnyError>;

    /// A search for the seat that decides, to be run in slices.
    fn search(&self, position: &dyn AnyPosition, seed: u64) -> Result<Box<dyn AnySearch>, AnyError>;
}

/// A search under way, without the types of its game. It is stopped by not running it on.
pub trait AnySearch: Send {
    /// Runs for so many iterations.
    fn run(&mut self, iterations: u32);

    /// How many iterations there were since this decision came up.
    fn iterations(&self) -> u32;

    /// Goes on with another decision of the same seat in the same game, with what was found for it already.
    fn advance(&mut self, position: &dyn AnyPosition) -> Result<(), AnyError>;

    /// The place in the list of the action that has proved best so far.
    fn best(&self) -> usize;

    /// All actions, the best first.
    fn ranked(&self) -> Vec<Ranked>;

    /// The best three, with what they are expected to come to.
    fn hints(&self) -> Vec<Hint>;
}

/// A player of a game without its types.
pub trait AnyPlayer: Send {
    /// The place in the list of the seat that decides of the action that this player takes. Of the position
    /// it sees what that seat sees. Fails for a position of another game, or one where nobody decides.
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<usize, AnyError>;
}

/// The players of the game `G`.
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
        Ok(Box::new(Search::new(&view, Settings::of::<G>(), seed)))
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
    player: Box<dyn Player<G>>,
    list: Vec<G::Action>,
}

impl<G: Heuristic> AnyPlayer for Typed<G> {
    fn choose(&mut self, position: &dyn AnyPosition) -> Result<usize, AnyError> {
        let view = view::<G>(position, &mut self.list)?;
        Ok(self.player.choose(&view, &self.list))
    }
}

/// What the seat that decides sees, and its list.
fn view<G: Heuristic>(
    position: &dyn AnyPosition,
    list: &mut Vec<G::Action>,
) -> Result<Position<G>, AnyError> {
    let whole = position.typed().downcast_ref::<Position<G>>();
    let whole = whole.ok_or(Rejected::new("this is a position of another game"))?;
    let seat = whole.actor().ok_or(Rejected::new("nobody is asked now"))?;
    let view = whole.view(seat);
    view.legal(list)?;
    Ok(view)
}
