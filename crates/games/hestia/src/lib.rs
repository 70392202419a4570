//! The Hestian Civil Wars: a card-driven block wargame for two.
//!
//! Lenisia (seat 0) invades, Hathea (seat 1) leads the coalition against it. A year: new cards, a secret bid
//! for the first turn, then for each player movement, combat, influence. The player with more active
//! influence tokens in the fourteen city-states after the last year wins.
//!
//! - [`map`]: 48 places and their connections; [`cards`]: the deck; [`blocks`]: the units.
//! - `rules/`: one file a phase.

pub mod actions;
pub mod blocks;
pub mod cards;
mod describe;
pub mod face;
mod facts;
mod heuristic;
pub mod map;
mod metrics;
pub mod options;
mod rules;
pub mod state;
mod view;
mod weights;

pub use actions::Action;
pub use facts::{Fact, TokenCount};
pub use options::Options;
pub use rules::{DecidedBy, Ending};
pub use state::Hestia;
pub use view::{DecisionKind, Fought, Marching};

use face::{Mode, Shown};
use pentarchy_engine::{
    Event, FaceSet, Game, GameInfo, Node, OptionsError, Outcome, RuleError, Seat, SeatView, Slips, Token,
    Tokens, Zone,
};
use state::{GONE, POOL, Size, slip};

impl Game for Hestia {
    type Options = Options;
    type Action = Action;
    type Face = Shown;
    type Size = Size;
    type Fact = Fact;

    const INFO: GameInfo = GameInfo {
        name: "hestia",
        title: "The Hestian Civil Wars",
        pitch: "Two armies, hidden blocks, fourteen cities to win over.",
        designer: "the author of The Hestian Civil Wars",
        min_seats: 2,
        max_seats: 2,
        default_seats: 2,
        minutes: 35,
        rules_version: 1,
    };

    /// Creates the initial state: decks laid out, blocks at their places, the first tasks on the agenda.
    /// There are always two seats; `_seats` is ignored. The options are not checked.
    ///
    /// # Errors
    ///
    /// Fails if there are more pieces than tokens, or more tasks than the agenda holds.
    fn new(_seats: u8, settings: &Options) -> Result<Self, OptionsError> {
        rules::set_up(settings).map_err(|e| OptionsError::new(e.to_string()))
    }

    /// Returns the number of seats, always 2.
    fn seats(&self) -> u8 {
        2
    }

    /// Returns the tokens: all cards, blocks and slips, their zones and who knows them.
    fn tokens(&self) -> &Tokens<Shown, Size> {
        &self.tokens
    }

    /// Returns the token table for the engine, which applies shuffles, permutations and reveals to it.
    fn tokens_mut(&mut self) -> &mut Tokens<Shown, Size> {
        &mut self.tokens
    }

    /// Returns the seat that owns a zone: lands, ships, hand, discards, lead, played cards, slip. `None` for
    /// the pool, the removed blocks and both draw piles.
    fn owner(&self, zone: Zone) -> Option<Seat> {
        // A draw pile has no owner: the player does not know its order either.
        match zone.0 {
            0..112 | 116.. => Some(Seat(zone.0 % 2)),
            _ => None,
        }
    }

    /// Returns whether tokens in this zone are usually face up: the pool and the removed blocks.
    fn open(&self, zone: Zone) -> bool {
        matches!(zone, POOL | GONE)
    }

    /// Returns the name of a zone: `pool`, `gone`, or a name with the number of the seat: a place like `MAU
    /// 0`, `S3 ships 1`, `deck`, `hand`, `discard`, `lead`, `played` or `slip`. A zone that does not exist is
    /// called `slip` too.
    fn zone_name(zone: Zone) -> String {
        let side = zone.0 % 2;
        match zone.0 {
            0..96 => format!("{} {side}", map::Place(zone.0 / 2)),
            96..112 => {
                let harbour = (zone.0 - 96) / 2;
                let place = if harbour == 7 { map::at::LNA } else { map::Place(map::at::S1.0 + harbour) };
                format!("{place} ships {side}")
            }
            112 => "pool".into(),
            113 => "gone".into(),
            114 | 115 => format!("deck {side}"),
            116 | 117 => format!("hand {side}"),
            118 | 119 => format!("discard {side}"),
            120 | 121 => format!("lead {side}"),
            122 | 123 => format!("played {side}"),
            _ => format!("slip {side}"),
        }
    }

    /// Returns the node that the task on top of the agenda waits for: a decision, a reveal, a permutation or
    /// a chance event; `Over` at the end.
    #[inline]
    fn node(&self) -> Node {
        self.awaited()
    }

    /// Appends the legal actions of the deciding seat; of several equal cards or blocks only the first;
    /// nothing at other nodes. `own` must be the view of that seat.
    #[inline]
    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        self.list(own, out);
    }

    /// Splits a sealed choice of a clash, `Clash` or `Hold`, of the deciding seat: the public form has `None`
    /// as its mode, and the seat's slip stands for the choice. All other actions, and such a choice while no
    /// seat decides, are returned unchanged without a slip.
    #[inline]
    fn veil(&self, action: Action) -> (Action, Slips<Shown>) {
        let (public, menu, mode) = match action {
            Action::Clash(t, mode) => (Action::Clash(t, None), [Mode::Fight, Mode::Retreat], mode),
            Action::Hold(mode) => (Action::Hold(None), [Mode::Stand, Mode::Withdraw], mode),
            _ => return (action, Slips::none()),
        };
        let seat = match self.awaited() {
            Node::Decide(seat) => seat,
            _ => return (action, Slips::none()),
        };
        let Some(token) = self.tokens.top(slip(seat)) else { return (action, Slips::none()) };
        let menu: FaceSet<Shown> = menu.into_iter().map(Shown::Mode).collect();
        (public, Slips::one(token, menu, mode.map(Shown::Mode)))
    }

    /// Calls `out` with the card that an `Add` action turns face up; for no other action.
    #[inline]
    fn shows(&self, action: Action, out: &mut impl FnMut(Token)) {
        if let Action::Add(t) = action {
            out(t);
        }
    }

    /// Returns the action with its card or block replaced by `map(token)`; actions without a token are
    /// unchanged.
    fn map_tokens(action: Action, map: &mut dyn FnMut(Token) -> Token) -> Action {
        match action {
            Action::Discard(t) => Action::Discard(map(t)),
            Action::Bid(t) => Action::Bid(map(t)),
            Action::Add(t) => Action::Add(map(t)),
            Action::Pay(t) => Action::Pay(map(t)),
            Action::Swap(t) => Action::Swap(map(t)),
            Action::Pick(t) => Action::Pick(map(t)),
            Action::Drop(t) => Action::Drop(map(t)),
            Action::Force(t) => Action::Force(map(t)),
            Action::Clash(t, mode) => Action::Clash(map(t), mode),
            Action::Fight(t) => Action::Fight(map(t)),
            Action::Lose(t) => Action::Lose(map(t)),
            Action::Heal(t) => Action::Heal(map(t)),
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
    #[inline]
    fn apply(&mut self, cx: &mut facts::Context<'_>, event: Event<Action>) -> Result<(), RuleError> {
        self.handle(cx, event)
    }

    /// Returns the final ranking by active tokens, then blocks on the map, then their strength; the scores
    /// are the active tokens. `None` before the end.
    fn outcome(&self) -> Option<Outcome> {
        self.ranking()
    }
}
