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
mod weights;

pub use actions::{Action, Target};
pub use facts::Fact;
pub use options::Options;
pub use rules::Ending;
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

    /// Creates the initial state for `seats` players, 2 to 5: everything face up and unshuffled, with the
    /// shuffles and the choice of the first seat to come. The number of seats and the options are not
    /// checked.
    ///
    /// # Errors
    ///
    /// Fails if there are more pieces than tokens, or the agenda is full.
    fn new(seats: u8, settings: &Options) -> Result<Self, OptionsError> {
        rules::set_up(seats, settings).map_err(|e| OptionsError::new(e.to_string()))
    }

    /// Returns the number of seats of the game, 2 to 5.
    fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the tokens: all cards and tiles, their zones and who knows them.
    fn tokens(&self) -> &Tokens<Thing, Size> {
        &self.tokens
    }

    /// Returns the token table for the engine, which applies shuffles, permutations and reveals to it.
    fn tokens_mut(&mut self) -> &mut Tokens<Thing, Size> {
        &mut self.tokens
    }

    /// Returns the seat that owns a hand, tableau, vault or contribution; `None` for the tile stack, the map,
    /// removed tiles, the deck and the market.
    fn owner(&self, zone: Zone) -> Option<Seat> {
        zone.0.checked_sub(5).map(|z| Seat(z % 5))
    }

    /// Returns whether cards in this zone are usually face up: the map, removed tiles, the market, tableaus
    /// and vaults.
    fn open(&self, zone: Zone) -> bool {
        matches!(zone, MAP | GONE | MARKET) || (10..20).contains(&zone.0)
    }

    /// Returns the name of a zone: `tiles`, `map`, `gone`, `deck`, `market`, or `hand`, `tableau`, `vault` or
    /// `laid` with the number of the seat, like `hand 2`. A zone that does not exist is called `laid` too.
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

    /// Returns the node that the task on top of the agenda waits for: a decision, a reveal, a permutation or
    /// a chance event; `Over` at the end.
    fn node(&self) -> Node {
        self.awaited()
    }

    /// Appends the legal actions of the deciding seat; nothing at other nodes. `own` must be the view of that
    /// seat.
    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        self.list(own, out);
    }

    /// Calls `out` with the hand card that the action turns face up: one that is sold to explore or laid to
    /// expand, or one that a card effect asks for openly. Does not call it for other actions.
    fn shows(&self, action: Action, out: &mut impl FnMut(Token)) {
        match action {
            Action::Explore(t) | Action::Expand(t) => out(t),
            Action::Choose(Target::Card(t)) if self.choice_shows() => out(t),
            _ => {}
        }
    }

    /// Returns the action with its card replaced by `map(token)`; actions without a card are unchanged.
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

    /// Checks an event against the awaited task, applies it, emits its facts, and performs the tasks that
    /// follow without an event. `Event::Done` is not checked: the engine sends it only after the shuffle,
    /// reveal or permutation that the task awaits.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the event is not awaited or not legal; with a partly changed state if the
    /// agenda overflows.
    fn apply(&mut self, cx: &mut Context<'_>, event: Event<Action>) -> Result<(), RuleError> {
        self.handle(cx, event)
    }

    /// Returns the final ranking by influence and the scores of the vaults, a bankrupt seat last; of equal
    /// seats the one whose next turn would come first is ahead. `None` before the end.
    fn outcome(&self) -> Option<Outcome> {
        self.ranking()
    }
}
