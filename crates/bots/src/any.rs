//! Players without the types of their game.

use crate::hint::{Hint, hint};
use crate::level::{Budget, Spec};
use crate::player::Player;
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
