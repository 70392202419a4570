//! Numeral Empire: a hex conquest where armies are numbers.
//!
//! Every hex of land shows one number: the soldiers on it. Land pays money, soldiers outside the Home cost
//! money, and money is kept in the Home as a number that is both treasury and garrison. Fights are
//! subtraction. A round is a Placing phase (income, then soldiers and buildings for money) and an Attacking
//! phase (every soldier may march one hex). The last player with a Home wins, or the player with the most
//! soldiers when a round limit is reached. For two to six players, in the family of Sean O'Connor's *Slay*.
//!
//! Nothing is hidden. Chance makes the map (two draws of 16 bits) and decides where a captured Home goes.

mod actions;
mod amounts;
mod board;
mod describe;
mod facts;
pub mod generator;
mod heuristic;
mod map;
mod metrics;
mod options;
mod picture;
mod rules;
mod state;
mod upgrades;
mod weights;

pub use actions::Action;
pub use amounts::Amounts;
pub use board::{Board, Hex, SEATS};
pub use facts::{Captured, Destination, Fact};
pub use map::{CELLS, Cell, CellIter, Cells, Direction, MAX_RADIUS};
pub use options::{
    AttackOrder, CaptureBuildings, HomeLoss, HomeRefuge, Options, Shape, Size, Start, Starve, Tuning,
    TurnOrder,
};
pub use rules::{EndReason, Ending, TieBreak};
pub use state::{Numeral, Phase, Stage};
pub use upgrades::Upgrade;

use facts::Context;
use pentarchy_engine::{
    Chance, Cx, Event, Game, GameInfo, NoFace, Node, OptionsError, Outcome, RuleError, SeatView, Sz, Tokens,
};

impl Game for Numeral {
    type Options = Options;
    type Action = Action;
    type Face = NoFace;
    type Size = Sz<0, 0>;
    type Fact = Fact;

    const INFO: GameInfo = GameInfo {
        name: "numeral",
        title: "Numeral Empire",
        pitch: "Armies are numbers, battles are subtraction, and money is soldiers that wait at home.",
        designer: "kevinhlyman",
        min_seats: 2,
        max_seats: SEATS as u8,
        default_seats: 4,
        minutes: 35,
        rules_version: 1,
    };

    /// Creates the initial state for `seats` players, 2 to 6. With a map seed in the options the map exists
    /// and the first turn has begun; without one the seed is drawn first. The number of seats and the options
    /// are not checked.
    ///
    /// # Errors
    ///
    /// Fails if the map of the given seed cannot be settled.
    fn new(seats: u8, options: &Options) -> Result<Self, OptionsError> {
        let mut game = Numeral::unmapped(seats, *options);
        if let Some(seed) = options.map_seed {
            game.found(&mut Cx::silent(), seed).map_err(|e| OptionsError::new(e.to_string()))?;
        }
        Ok(game)
    }

    /// Returns the number of seats of the game, eliminated ones included.
    #[inline(always)]
    fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the token table, which is empty: the game has no cards.
    #[inline(always)]
    fn tokens(&self) -> &Tokens<NoFace, Sz<0, 0>> {
        &self.tokens
    }

    /// Returns the token table for the engine; it is empty, so that nothing is ever shuffled or revealed.
    #[inline(always)]
    fn tokens_mut(&mut self) -> &mut Tokens<NoFace, Sz<0, 0>> {
        &mut self.tokens
    }

    /// Returns what the stage waits for: the active player's decision, the draw of half a map seed (65536
    /// sides), the pick of a new Home, or `Over`.
    #[inline(always)]
    fn node(&self) -> Node {
        match self.stage {
            Stage::Place | Stage::PlaceAt(_) | Stage::March | Stage::MarchFrom(_) => {
                Node::Decide(self.active)
            }
            Stage::SeedHigh | Stage::SeedLow(_) => Node::Chance(Chance::Pick { of: 1 << 16 }),
            Stage::HomeMoves(loser) => Node::Chance(Chance::Pick { of: self.refuges(loser).len() }),
            Stage::Over => Node::Over,
        }
    }

    /// Appends the legal actions of the active player; nothing at chance nodes and after the end. Nothing is
    /// hidden, so `_own` is ignored.
    #[inline]
    fn legal(&self, _own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        match self.stage {
            Stage::Place => self.list_places(out),
            Stage::PlaceAt(cell) => self.list_purchases(cell, out),
            Stage::March => self.list_armies(out),
            Stage::MarchFrom(cell) => self.list_marches(cell, out),
            Stage::SeedHigh | Stage::SeedLow(_) | Stage::HomeMoves(_) | Stage::Over => {}
        }
    }

    /// Checks an event against the current stage and applies it, with its facts, up to the next decision or
    /// chance event.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the event is not awaited in this stage, or the action is not legal.
    #[inline]
    fn apply(&mut self, cx: &mut Context<'_>, event: Event<Action>) -> Result<(), RuleError> {
        match (self.stage, event) {
            (Stage::Place, Event::Act(Action::Select(cell))) => self.select_place(cell),
            (Stage::PlaceAt(cell), Event::Act(Action::Place(n))) => self.place(cx, cell, n),
            (Stage::PlaceAt(cell), Event::Act(Action::Build(upgrade))) => self.build(cx, cell, upgrade),
            (Stage::March, Event::Act(Action::Select(cell))) => self.select_army(cell),
            (Stage::MarchFrom(cell), Event::Act(Action::March(direction, n))) => {
                self.march(cx, cell, direction, n)
            }
            (Stage::Place | Stage::March, Event::Act(Action::Done)) => {
                self.end_turn(cx);
                Ok(())
            }
            (Stage::HomeMoves(loser), Event::Rolled(n)) => self.resettle(cx, loser, n),
            (Stage::SeedHigh, Event::Rolled(high)) => self.draw_high(high),
            (Stage::SeedLow(high), Event::Rolled(low)) => self.draw_low(cx, high, low),
            (Stage::Place | Stage::March, Event::Act(_)) => {
                Err(RuleError::new("a hex must be selected first, or say `done`"))
            }
            (Stage::PlaceAt(_), Event::Act(_)) => {
                Err(RuleError::new("a hex is selected: place soldiers or build there"))
            }
            (Stage::MarchFrom(_), Event::Act(_)) => {
                Err(RuleError::new("a hex is selected: soldiers must march from there"))
            }
            (Stage::Over, _) => Err(RuleError::new("the game is over")),
            _ => Err(RuleError::new("something else is awaited")),
        }
    }

    /// Returns the final ranking: players in play by soldiers and gold, then hexes, then gross yield;
    /// eliminated ones after them, the last eliminated first. The scores are soldiers and gold. `None` before
    /// the end.
    fn outcome(&self) -> Option<Outcome> {
        (self.stage == Stage::Over).then(|| self.ranking())
    }
}
