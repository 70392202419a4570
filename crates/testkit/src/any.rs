//! The checks of every game without generic types, for programs that serve all games.

use crate::conformance::{self, LawViolation, Soak, SoakReport};
use crate::scenario::{self, Scenario, ScenarioReport};
use pentarchy_engine::any::any;
use pentarchy_engine::{AnyGame, Describe, Game, Heuristic};
use std::marker::PhantomData;

/// The checks of one game.
pub trait AnyTests: Send + Sync {
    /// Returns the game.
    fn game(&self) -> &'static dyn AnyGame;

    /// Runs a scenario and returns its report; a scenario of another game fails.
    fn scenario(&self, scenario: &Scenario) -> ScenarioReport;

    /// Plays many random games and checks the most important laws. Returns the counts of what was tested.
    ///
    /// # Errors
    ///
    /// Returns the first violation; the counts are then lost.
    fn soak(&self, plan: &Soak) -> Result<SoakReport, Box<LawViolation>>;
}

/// Implements [`AnyTests`] for the game `G`; has no data.
struct ErasedTests<G>(PhantomData<fn() -> G>);

/// Returns the type-erased checks of a game: a static without data.
pub const fn tests<G: Game + Describe + Heuristic>() -> &'static dyn AnyTests {
    &ErasedTests::<G>(PhantomData)
}

impl<G: Game + Describe + Heuristic> AnyTests for ErasedTests<G> {
    fn game(&self) -> &'static dyn AnyGame {
        any::<G>()
    }

    fn scenario(&self, scenario: &Scenario) -> ScenarioReport {
        scenario::run::<G>(scenario)
    }

    fn soak(&self, plan: &Soak) -> Result<SoakReport, Box<LawViolation>> {
        conformance::soak::<G>(plan)
    }
}
