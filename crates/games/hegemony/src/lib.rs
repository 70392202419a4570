//! Hegemony: deck building, dice, diplomacy, trade and war around a crumbling empire that plays itself.
//!
//! One to six former vassals fill their slots with Military, Trade and Diplomacy cards, buy better ones from
//! a common pool or from the United Empire, and make war on it and on each other. Each round the Empire
//! answers every player with war or trade, as a die decides. When its Victory Points are gone the game ends,
//! and the player with the most Victory Points wins.

mod actions;
mod active;
mod agenda;
pub mod cards;
mod describe;
mod facts;
mod heuristic;
mod metrics;
mod options;
pub mod places;
mod rules;
pub mod state;
mod view;
mod weights;

pub use actions::{Action, Lie};
pub use agenda::{Aim, Task};
pub use cards::{Card, Category};
pub use facts::{Clash, CombatRoll, Fact, HegemonyRoll, HegemonyTrade, Reason, Reveal};
pub use options::{Cards, Difficulty, Good, Options, Troop, Tuning, TurnOrder};
pub use places::Side;
pub use rules::{AT_LEAST_0, Aftermath, Contribution, Fighter, Reckoned, Victory};
pub use state::{Battle, Ending, Hegemony, Player, Verdict};

use facts::Context;
use pentarchy_engine::{
    Cx, Event, Game, GameInfo, Node, OptionsError, Outcome, RuleError, Seat, SeatView, Sim, Token, Tokens,
    Zone,
};
use places::Place;

impl Game for Hegemony {
    type Options = Options;
    type Action = Action;
    type Face = Card;
    type Size = state::Size;
    type Fact = Fact;

    const INFO: GameInfo = GameInfo {
        name: "hegemony",
        title: "Hegemony",
        pitch: "Diplomacy, trade and war around a crumbling empire that plays itself.",
        designer: "the author of Hegemony",
        min_seats: 1,
        max_seats: 6,
        default_seats: 3,
        minutes: 50,
        rules_version: 2,
    };

    /// The oldest version of the rules whose records are replayed. Version 2 differs: a fallen Empire razes
    /// no slot, and the owner of a Collateral Damage in use is not asked about a Sabotage because of it.
    const OLDEST_RULES: u32 = 1;

    /// Switches this state to version 1 of the rules if `version` is 1, else to version 2, in which a fallen
    /// Empire razes no slot and a Collateral Damage in use lies face up. Call it once, before the first event
    /// of a record.
    fn set_rules_version(&mut self, version: u32) {
        self.first_rules = version == 1;
    }

    /// Creates a game for `seats` players, 1 to 6, and runs the setup up to the first event. The number of
    /// seats and the ranges of the options are not checked.
    ///
    /// # Errors
    ///
    /// Fails if the options need more cards than there are tokens.
    fn new(seats: u8, options: &Options) -> Result<Self, OptionsError> {
        Hegemony::create(seats, options)
    }

    /// Returns the number of seats of the game, defeated ones included.
    fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the token table: all cards, their zones and who knows them.
    #[inline(always)]
    fn tokens(&self) -> &Tokens<Card, state::Size> {
        &self.tokens
    }

    /// Returns the token table for the engine, which applies shuffles, permutations and reveals to it.
    #[inline(always)]
    fn tokens_mut(&mut self) -> &mut Tokens<Card, state::Size> {
        &mut self.tokens
    }

    /// Returns the seat that owns a zone: hand, discard pile and slots belong to their player. `None` for
    /// decks, whose order nobody knows, for the Empire and for the common piles.
    fn owner(&self, zone: Zone) -> Option<Seat> {
        match places::place(zone) {
            Place::Hand(seat) => Some(seat),
            Place::Discard(side) | Place::Slot(side, _) => side.seat(),
            Place::Deck(_) | Place::Table => None,
        }
    }

    /// Returns whether cards in this zone are usually face up: the common pool, its discard pile, the
    /// reserve, and slots.
    fn open(&self, zone: Zone) -> bool {
        matches!(zone, places::COMMON | places::POOL_DISCARD | places::RESERVE)
            || matches!(places::place(zone), Place::Slot(..))
    }

    /// Returns the name of a zone in the notation: `pool deck`, `common pool`, `pool discard`, `reserve`,
    /// `aside`, or `deck`, `discard`, `hand` or `slot` with a side (and slot number): `slot e 3`.
    fn zone_name(zone: Zone) -> String {
        places::zone_name(zone)
    }

    /// Returns the node that the task on top of the agenda waits for: a decision, a declaration, a reveal, a
    /// permutation or a chance event; `Over` at the end.
    #[inline(always)]
    fn node(&self) -> Node {
        self.awaited()
    }

    /// Appends the legal actions of the seat that decides or declares, of twins only the first; nothing at
    /// nodes that ask no seat. `own` must be the view of that seat; `out` must be empty.
    #[inline]
    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        self.list(own, out);
    }

    /// Returns entry number `nth(length)` of the legal actions; `None` if there is none. `nth` must return
    /// less than the length. `list` is a reusable buffer, whose content afterwards is unspecified.
    #[inline(always)]
    fn choose(
        &self,
        own: &SeatView<'_, Self>,
        list: &mut Vec<Action>,
        nth: impl FnOnce(usize) -> usize,
    ) -> Option<Action> {
        self.choose_listed(own, list, nth)
    }

    /// Calls `out` with the actor's own card that the action turns face up: a card used, sold, shown, played
    /// as a Sabotage, placed or entering a slot face up, or stationed in a Trade slot. Does not call it for
    /// other actions.
    #[inline(always)]
    fn shows(&self, action: Action, out: &mut impl FnMut(Token)) {
        if let Some(t) = self.shown_by(action) {
            out(t);
        }
    }

    /// Returns the action with the card that it names replaced by `map(token)`; unchanged if it names none.
    fn map_tokens(action: Action, map: &mut dyn FnMut(Token) -> Token) -> Action {
        action.with_tokens(map)
    }

    /// Checks an event against the awaited task, applies it, emits its facts, and performs the tasks that
    /// follow without an event.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the event is not awaited or not legal; with a partly changed state if the
    /// agenda overflows.
    fn apply(&mut self, cx: &mut Context<'_>, event: Event<Action>) -> Result<(), RuleError> {
        match event {
            Event::Act(action) => self.act(cx, action)?,
            Event::Rolled(n) => self.rolled(cx, n)?,
            Event::Done => self.happened(cx)?,
        }
        self.run(cx)
    }

    /// Performs tasks, and resolves chance, reveals and frequent decisions at random, until a rare decision
    /// is awaited or the game is over. A shortcut for playouts: no fact is emitted.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    #[inline(never)]
    fn play_on(&mut self, sim: &mut Sim<'_, Self>) -> Result<(), RuleError> {
        self.run_agenda(&mut Cx::silent(), Some(sim))
    }

    /// Returns whether a hidden card may have this face at its place: a card behind a public Siege Tower must
    /// be a soldier, and a base card may be a Siege Tower only if the public cards behind it are soldiers.
    /// `true` for all others and for cards in no slot.
    fn admits(&self, t: Token, card: Card) -> bool {
        let Some((side, i)) = self.slot_of(t) else { return true };
        let Some(base) = self.base(side, i) else { return true };
        let public = |u: Token| self.tokens.public_face(u);
        if t == base {
            let soldiers = |u: Token| public(u).is_none_or(|c| c.is_soldier());
            card != Card::SiegeTower || self.tokens.iter(places::slot(side, i)).skip(1).all(soldiers)
        } else {
            public(base) != Some(Card::SiegeTower) || card.is_soldier()
        }
    }

    /// Returns the final ranking: living players by points, tied ones by the total cost of their cards; then
    /// defeated ones, the last defeated first. The scores are the points. `None` before the end. It says if
    /// no player has won, and if the cap on rounds ended the game.
    fn outcome(&self) -> Option<Outcome> {
        if self.awaited() == Node::Over { self.ranking() } else { None }
    }
}
