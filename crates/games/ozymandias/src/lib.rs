//! Ozymandias: gods above four galactic factions without owners.
//!
//! Cards give influence over a faction, cities on the map give it strength; crises raise it on the history
//! track, which moves all prices, and lock cards into the players' vaults. The game ends when a faction
//! reaches the end of history, when a player must buy and cannot pay, or at the cap. After a design by
//! blinks.
//!
//! - [`cards`]: the 48 myths and 24 tiles; [`map`]: hexes and corners; [`Options`]: options and tuning.
//! - [`forecast`]: strengths, results and risks of a crisis, for boards.
//! - `rules/`: one file a phase; `rules/effects/`: what the cards do, one file a kind.

pub mod actions;
pub mod cards;
mod describe;
pub mod facts;
pub mod forecast;
mod heuristic;
pub mod map;
mod metrics;
pub mod options;
mod rules;
pub mod state;
mod table;
mod view;

pub use actions::{Action, Target};
pub use facts::Fact;
pub use options::Options;
pub use state::Ozymandias;
pub use view::{Contributing, CrisisEffects, DecisionKind, Laid};

use cards::Thing;
use facts::Context;
use pentarchy_engine::{
    Event, Game, GameInfo, Node, OptionsError, Outcome, RuleError, Seat, SeatView, Token, Tokens, Zone,
};
use state::{DECK, GONE, MAP, MARKET, Size, TILE_STACK};

impl Game for Ozymandias {
    type Options = Options;
    type Action = Action;
    type Face = Thing;
    type Size = Size;
    type Fact = Fact;

    const INFO: GameInfo = GameInfo {
        name: "ozymandias",
        title: "Ozymandias",
        pitch: "Gods above four factions. Raise one, then bury it in your vault.",
        designer: "blinks",
        min_seats: 2,
        max_seats: 5,
        default_seats: 3,
        minutes: 70,
        rules_version: 1,
    };

    fn new(seats: u8, settings: &Options) -> Result<Self, OptionsError> {
        rules::set_up(seats, settings).map_err(|e| OptionsError::new(e.to_string()))
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    fn tokens(&self) -> &Tokens<Thing, Size> {
        &self.tokens
    }

    fn tokens_mut(&mut self) -> &mut Tokens<Thing, Size> {
        &mut self.tokens
    }

    fn owner(&self, zone: Zone) -> Option<Seat> {
        zone.0.checked_sub(5).map(|z| Seat(z % 5))
    }

    fn open(&self, zone: Zone) -> bool {
        matches!(zone, MAP | GONE | MARKET) || (10..20).contains(&zone.0)
    }

    fn zone_name(zone: Zone) -> String {
        let seat = zone.0.wrapping_sub(5) % 5;
        match zone {
            TILE_STACK => "tiles".into(),
            MAP => "map".into(),
            GONE => "gone".into(),
            DECK => "deck".into(),
            MARKET => "market".into(),
            Zone(5..10) => format!("hand {seat}"),
            Zone(10..15) => format!("tableau {seat}"),
            Zone(15..20) => format!("vault {seat}"),
            _ => format!("laid {seat}"),
        }
    }

    fn node(&self) -> Node {
        self.awaited()
    }

    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        self.list(own, out);
    }

    fn shows(&self, action: Action, out: &mut impl FnMut(Token)) {
        match action {
            Action::Explore(t) | Action::Expand(t) => out(t),
            Action::Choose(Target::Card(t)) if self.choice_shows() => out(t),
            _ => {}
        }
    }

    fn map_tokens(action: Action, map: &mut dyn FnMut(Token) -> Token) -> Action {
        match action {
            Action::Explore(t) => Action::Explore(map(t)),
            Action::Expand(t) => Action::Expand(map(t)),
            Action::Activate(t) => Action::Activate(map(t)),
            Action::Pickup(t) => Action::Pickup(map(t)),
            Action::Contribute(t) => Action::Contribute(map(t)),
            Action::Buy(t) => Action::Buy(map(t)),
            Action::Choose(Target::Card(t)) => Action::Choose(Target::Card(map(t))),
            other => other,
        }
    }

    fn apply(&mut self, cx: &mut Context<'_>, event: Event<Action>) -> Result<(), RuleError> {
        self.handle(cx, event)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ranking()
    }
}
