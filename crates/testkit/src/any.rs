//! The checks of every game without generic types, for programs that serve all games.

use crate::conformance::{self, ConformanceError, Soak, SoakReport};
use crate::scenario::{self, Scenario, ScenarioReport};
use pentarchy_engine::any::any;
use pentarchy_engine::{AnyGame, Describe, Game, Heuristic};
use std::marker::PhantomData;

/// The checks of one game.
pub trait AnyTests: Send + Sync {
    /// Returns the type-erased game that these checks belong to.
    fn game(&self) -> &'static dyn AnyGame;

    /// Runs a scenario from its opening to its last step and returns its report. A scenario of
    /// another game gives a report with one failure.
    fn scenario(&self, scenario: &Scenario) -> ScenarioReport;

    /// Plays the random games of consecutive seeds that the plan asks for, and checks the most important
    /// laws. Returns the counts of what was tested.
    ///
    /// # Errors
    ///
    /// Returns the first violation; the counts are then lost. A number of seats that the game does not
    /// allow is one.
    fn soak(&self, plan: &Soak) -> Result<SoakReport, Box<ConformanceError>>;
}

/// Implements [`AnyTests`] for the game `G`; has no data.
struct ErasedTests<G>(PhantomData<fn() -> G>);

/// Returns the type-erased checks of the game `G`: a static without data.
pub const fn tests<G: Game + Describe + Heuristic>() -> &'static dyn AnyTests {
    &ErasedTests::<G>(PhantomData)
}

impl<G: Game + Describe + Heuristic> AnyTests for ErasedTests<G> {
    /// Returns the type-erased form of `G`.
    fn game(&self) -> &'static dyn AnyGame {
        any::<G>()
    }

    /// Runs the scenario with the rules of `G`; a scenario of another game fails.
    fn scenario(&self, scenario: &Scenario) -> ScenarioReport {
        scenario::run::<G>(scenario)
    }

    /// Plays random games of `G` of consecutive seeds by the plan, checks the most important laws, and
    /// returns the counts of what was tested.
    ///
    /// # Errors
    ///
    /// Returns the first violation; also if the game does not allow the number of seats of the plan.
    fn soak(&self, plan: &Soak) -> Result<SoakReport, Box<ConformanceError>> {
        conformance::soak::<G>(plan)
    }
}
