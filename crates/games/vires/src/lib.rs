//! Vires In Numeris: a race for the longest Chain, by ShkSchneider.
//!
//! Two to six players mine Blocks with HashRates. A Block costs as many HashRates as the Chain is long and
//! pays a Coin. 42 special cards help their owner or harm the others: Actions in the player's own turn, Flash
//! cards as reactions, Events when they are drawn. As soon as one Chain has the required length the game is
//! over; most Blocks and Coins win. The supply is closed: HashRates, Coins and Blocks are the same cards,
//! turned over.
//!
//! Hidden: the Deck (an Event is known by its back), the Hands, the card offered with DEX, ballots. Every
//! player who *might* hold a fitting reaction is asked for one, so being asked gives nothing away.

mod actions;
mod agenda;
mod cards;
mod describe;
mod facts;
mod heuristic;
mod metrics;
mod options;
mod outlook;
mod rules;
mod state;
mod weights;
mod window;

pub use actions::{Action, Aim, Good};
pub use cards::{Aims, Card, FLASH, Kind, ROWS, Row, SPECIALS, Tag};
pub use describe::CoinFlip;
pub use facts::{Fact, Kept};
pub use options::{Copies, ForkReward, MOST_COPIES, Options, Sybil, Tuning};
pub use rules::{Ending, TieBreak};
pub use state::{
    BALLOT, Barred, DECK, GARBAGE, Loss, MOST_CARDS, MOST_SEATS, OFFER, POOL, Place, Player, Rules, Size,
    TABLE, Turn, Vires, bank, chain, hand, place,
};
pub use window::{Phase, Window};

use facts::Context;
use pentarchy_engine::{
    Event, FaceSet, Game, GameInfo, Node, OptionsError, Outcome, Promise, RuleError, Seat, SeatView, Slips,
    Token, Tokens, Zone,
};
use state::Task;

impl Game for Vires {
    type Options = Options;
    type Action = Action;
    type Face = Card;
    type Size = Size;
    type Fact = Fact;

    const INFO: GameInfo = GameInfo {
        name: "vires",
        title: "Vires In Numeris",
        pitch: "Race for the longest chain: mine, trade, scam, and never trust a coin flip.",
        designer: "ShkSchneider",
        min_seats: 2,
        max_seats: 6,
        default_seats: 4,
        minutes: 25,
        rules_version: 1,
    };

    /// Creates the initial state for 2 to 6 seats and performs its tasks up to the first event, the shuffle
    /// of the Deck. The number of seats and the ranges of the options are not checked.
    ///
    /// # Errors
    ///
    /// Fails if the options need more cards than there are tokens.
    fn new(seats: u8, options: &Options) -> Result<Self, OptionsError> {
        Vires::set_up(seats, options)
    }

    /// Returns the number of seats of the game, 2 to 6.
    #[inline(always)]
    fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the token table: all cards and ballots, their zones and who knows them.
    #[inline(always)]
    fn tokens(&self) -> &Tokens<Card, Size> {
        &self.tokens
    }

    /// Returns the token table for the engine, which applies shuffles and reveals to it.
    #[inline(always)]
    fn tokens_mut(&mut self) -> &mut Tokens<Card, Size> {
        &mut self.tokens
    }

    /// Returns the seat that owns a Hand, Bank or Chain; the active seat for the card on offer, else `None`.
    #[inline(always)]
    fn owner(&self, zone: Zone) -> Option<Seat> {
        match place(zone) {
            Place::Hand(seat) | Place::Bank(seat) | Place::Chain(seat) => Some(seat),
            // The card offered with DEX belongs to its owner until it is traded.
            Place::Common(_) => (zone == OFFER).then_some(self.active),
        }
    }

    /// Returns whether cards in this zone are usually face up: Banks, Chains, Pool, Garbage and table.
    fn open(&self, zone: Zone) -> bool {
        match place(zone) {
            Place::Hand(_) => false,
            Place::Bank(_) | Place::Chain(_) => true,
            Place::Common(_) => [POOL, GARBAGE, TABLE].contains(&zone),
        }
    }

    /// Returns the name of a zone: `hand`, `bank` or `chain` with the number of its seat, like `hand 2`, or
    /// `deck`, `pool`, `garbage`, `table`, `offer` or `ballot`.
    fn zone_name(zone: Zone) -> String {
        match place(zone) {
            Place::Common(name) => name.to_string(),
            Place::Hand(seat) => format!("hand {seat}"),
            Place::Bank(seat) => format!("bank {seat}"),
            Place::Chain(seat) => format!("chain {seat}"),
        }
    }

    /// Returns the node that the task on top of the agenda waits for: a decision, a declaration, a reveal or
    /// a chance event; `Over` at the end.
    #[inline(always)]
    fn node(&self) -> Node {
        self.awaited()
    }

    /// Appends the legal actions of the seat that decides or declares; nothing at other nodes. `own` must be
    /// the view of that seat.
    #[inline(always)]
    fn legal(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        self.list(own, out);
    }

    /// Splits a vote of BYZ.: the public form is `vote ?`, and the deciding seat's ballot stands for the
    /// choice. All other actions, and a vote while none is awaited, are returned unchanged without a slip.
    #[inline(always)]
    fn veil(&self, action: Action) -> (Action, Slips<Card>) {
        let Action::Vote(vote) = action else { return (action, Slips::none()) };
        let Some(&Task::Vote { at, .. }) = self.agenda.last() else { return (action, Slips::none()) };
        let menu = FaceSet::only(Card::VoteCoin).or(FaceSet::only(Card::VoteHr));
        let choice = vote.map(|good| if good == Good::Coin { Card::VoteCoin } else { Card::VoteHr });
        (Action::Vote(None), Slips::one(self.ballot(at), menu, choice))
    }

    /// Calls `out` for each card of the Hand that the action turns face up: played, shown for a play, used as
    /// a reaction, dismissed, or shown. Does not call it for other actions; votes and offers stay hidden.
    #[inline(always)]
    fn shows(&self, action: Action, out: &mut impl FnMut(Token)) {
        match action {
            Action::Play { card, showing, .. } => {
                out(card);
                if let Some(t) = showing {
                    out(t);
                }
            }
            Action::React { card: t, .. } | Action::Dismiss(t) | Action::Show(t) => out(t),
            _ => {}
        }
    }

    /// Returns the action with each card that it names replaced by `map(token)`; actions without a card are
    /// unchanged.
    fn map_tokens(action: Action, map: &mut dyn FnMut(Token) -> Token) -> Action {
        match action {
            Action::Play { card, aim, showing } => {
                Action::Play { card: map(card), aim, showing: showing.map(map) }
            }
            Action::React { card, party } => Action::React { card: map(card), party },
            Action::Dismiss(t) => Action::Dismiss(map(t)),
            Action::Offer(t) => Action::Offer(map(t)),
            Action::Show(t) => Action::Show(map(t)),
            other => other,
        }
    }

    /// Checks an event against the awaited task, applies it, emits its facts, and performs the tasks that
    /// follow without an event.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the event is not awaited or not legal; with a partly changed state if the
    /// agenda overflows.
    #[inline(always)]
    fn apply(&mut self, cx: &mut Context<'_>, event: Event<Action>) -> Result<(), RuleError> {
        self.event(cx, event)
    }

    /// Returns the claim of the active player while they show HR one by one to pay for a Block: at least the
    /// HR still owed are in the Hand. `None` at all other times.
    fn promise(&self) -> Option<Promise<Card>> {
        match self.agenda.top() {
            Some(Task::Mine(least)) => Some(Promise { zone: hand(self.active), set: Card::Hr.only(), least }),
            _ => None,
        }
    }

    /// Returns the final ranking by points, then length of the Chain, then HR in the Hand; `None` before the
    /// end. Marked as capped if no Chain is complete.
    fn outcome(&self) -> Option<Outcome> {
        self.ranking()
    }
}
