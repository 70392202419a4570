//! The board of Hegemony.
//!
//! | module | concept |
//! | --- | --- |
//! | `faces` | the cards: icon, words, what a token shows |
//! | `keys` | what can be touched, and what an action touches |
//! | `table` | the Empire, the pool, the others, yours |
//! | `fight` | battles and rolls while they go on |
//! | `report` | battles and rolls afterwards: every card, every number |
//! | `routes` | purchases and actions without *Continue* before them |
//! | `ledger` | what points were won and spent on |
//! | `merit` | the reasons of hints |
//! | `words` | questions, reasons, sums in named parts |
//! | `guide` | the guided first game |

mod faces;
mod fight;
mod guide;
mod keys;
mod ledger;
mod merit;
mod report;
mod routes;
mod table;
mod texts;
mod words;

use crate::board::{
    ActionRow, Ask, Board, EventReport, Hand, Key, Look, Note, PointChange, PromptButton, SeatPanel,
    SeenEvent, Steps,
};
use crate::guide::Guide;
use crate::markup::El;
use crate::ui::Ui;
use pentarchy_engine::{AppliedEvent, Describe, Game, Position, Seat};
use pentarchy_hegemony::{Action, Hegemony, Lie, Side, Task};

type View = Position<Hegemony>;

impl Board for Hegemony {
    const LOOK: Look = Look {
        emblem: "laurel-crown",
        pitch: "Outlive a falling empire. Spend victory points to win more of them.",
        cover: include_str!("cover.svg"),
        colours: [1, 2, 3, 4, 5, 6],
        counts: "victory points",
        parts: &["Cards owned", "Slots filled"],
    };

    const GUIDE: Guide<Self> = guide::GUIDE;

    /// Draws the Empire, the common pool or what replaces it (a battle, a roll, cards to choose from), the other
    /// players and the own slots.
    fn draw(view: &View, ui: &Ui) -> El {
        table::draw(view, ui)
    }

    /// Draws the hand of `ui.seat`; `None` for a spectator or an empty hand. In the step of replacing slots, a note
    /// says that cards left in the hand are discarded.
    fn hand(view: &View, ui: &Ui) -> Option<Hand> {
        let seat = ui.seat?;
        let cards = table::hand_cards(view, ui, seat);
        let note = match view.state().step() {
            Task::Replace(..) => "Cards left in your hand are discarded.",
            _ => "",
        };
        (!cards.is_empty()).then(|| Hand {
            label: "Your hand".into(),
            note: note.into(),
            cards,
            beside: None,
        })
    }

    /// Returns the points of the seat, the sizes of its deck, discard pile and (unless it is empty) hand, and whether
    /// the seat is out. `doing` is what the current step is about, whichever seat decides.
    fn seat(view: &View, seat: Seat) -> SeatPanel {
        let state = view.state();
        let [deck, discard, hand] = table::piles(state, seat);
        let mut small = vec![("deck".into(), deck.to_string()), ("discard".into(), discard.to_string())];
        if hand > 0 {
            small.push(("hand".into(), hand.to_string()));
        }
        SeatPanel {
            number: words::number(state.points(seat.into())),
            small,
            doing: doing(state.step()),
            out: !state.is_in(seat.into()),
            more: None,
        }
    }

    /// Returns `Round 1 of 20`, with the steps Upkeep, Replace, Purchase, Action and Refill; in the Empire's turn
    /// with `Players’ turns` and `Empire’s turn`. A battle belongs to the step Action. A task that belongs to no step
    /// counts as Upkeep.
    fn steps(view: &View) -> Steps {
        let state = view.state();
        let round = format!("Round {} of {}", state.round().max(1), state.last_round());
        if state.turn() == Some(Side::EMPIRE) {
            return Steps { round, names: &["Players’ turns", "Empire’s turn"], at: 1 };
        }
        let names = &["Upkeep", "Replace", "Purchase", "Action", "Refill"];
        let of = |step: Task| match step {
            Task::Scalp(..) | Task::Upkeep(..) => Some(0),
            Task::Draw(..) | Task::MixHand(_) | Task::Unfold(_) | Task::Replace(..) => Some(1),
            Task::Purchase(..) => Some(2),
            Task::Act(_) | Task::Trade(..) => Some(3),
            Task::Refill(_) => Some(4),
            _ => None,
        };
        let at = if state.fought().is_some() { 3 } else { state.steps().find_map(of).unwrap_or(0) };
        Steps { round, names, at }
    }

    /// Appends the keys that a player clicks for the action, in the order of the clicks: of its card, slot,
    /// side, deck or turn action. Nothing for actions that have only a button. Not checked: whether the
    /// action is legal.
    fn touches(view: &View, action: Action, path: &mut Vec<Key>) {
        keys::touches(view, action, path);
    }

    /// Returns whether an action needs no confirmation, because its button or place already states the effect:
    /// purchases from the pool and of a shown card of the Empire, asking to see one, placing, stationing, entering
    /// and refilling, the actions of a turn, looks, taken and given cards.
    fn quick(_view: &View, action: Action) -> bool {
        use Action::{
            Accept, Ask, Buy, Enter, Fresh, Give, Look, LookPool, Place, Refill, Station, Take, Trade, War,
        };
        matches!(
            action,
            Accept
                | Ask(_)
                | Buy(_)
                | Enter(_)
                | Fresh
                | Give(_)
                | Look(_)
                | LookPool
                | Place(..)
                | Refill
                | Station(..)
                | Take(_)
                | Trade
                | War(_)
        )
    }

    /// Returns whether an action is played without asking: true only for `Enter`, the way in which a card from the
    /// deck enters a slot, if it enters face down, or face up and is not a covert card.
    fn routine(view: &View, action: Action) -> bool {
        let Action::Enter(lie) = action else { return false };
        let drawn = match view.state().step() {
            Task::Enter(seat, i) => {
                view.state().tokens().top(pentarchy_hegemony::places::slot(seat.into(), i))
            }
            _ => None,
        };
        lie != Lie::Up || drawn.is_some_and(|t| !keys::is_covert(view, t))
    }

    /// Returns whether a seat decides now whether to answer a card with Sabotage.
    fn reacts(view: &View) -> bool {
        matches!(view.state().step(), Task::Window { .. })
    }

    /// Returns whether the action is `Pass` while a seat decides whether to answer a card with Sabotage: it declines
    /// to cancel the card.
    fn passes(view: &View, action: Action) -> bool {
        Self::reacts(view) && action == Action::Pass
    }

    /// Returns for each purchase, war, trade and exchange of cards that follows when the player continues:
    /// *Continue* (once or twice) and then that action, so that it can be chosen before the phase ends. Empty
    /// where the player cannot continue, or another player or chance comes next. Purchases come first, each
    /// kind in legal order.
    fn routes(view: &View) -> Vec<Vec<Action>> {
        routes::routes(view)
    }

    /// Returns `Refill` after `Refill` while slots are refilled, because the label says that it fills all;
    /// otherwise `None`. Not checked: whether it is legal.
    fn continues(view: &View, last: Action) -> Option<Action> {
        // A player who begins to refill refills all slots; the label says so.
        let refills = matches!(view.state().step(), pentarchy_hegemony::Task::Refill(_));
        (refills && last == Action::Refill).then_some(last)
    }

    /// Describes what the action achieves for the deciding seat, in one sentence with numbers; seats are
    /// written `@0`. `None` if no seat decides, for declarations, for buying, using or selling a card that
    /// the observer does not know, for an answer or aimed effect outside its step, and for passing where that
    /// has no merit. Not checked: whether the action is legal.
    fn merit(view: &View, action: Action) -> Option<String> {
        merit::merit(view, action)
    }

    /// Returns the question for purchases, sales, the actions of a turn, cards that are used, marked or laid,
    /// and aimed effects, with its consequence in numbers; seats are written `@0`. `None` if no seat decides,
    /// and for other actions.
    fn ask(view: &View, action: Action) -> Option<Ask> {
        words::ask(view, action)
    }

    /// Returns the sentence adapted to the page: a prompt that ends with `, or continue` also names the phases that
    /// can be skipped, and the label of `Refill` says that the page refills all slots in one go. Others stay
    /// unchanged.
    fn worded(view: &View, sentence: String) -> String {
        if sentence == Hegemony::label(view, Action::Refill) {
            return words::REFILL.to_string();
        }
        routes::worded(view, sentence)
    }

    /// Returns the button of a turn action in the action phase, for narrow screens only: `Trade`, `Fresh cards`, or
    /// an attack with the powers of both sides as far as the observer knows them, `Attack @1 3 : 0 + 5?`. `None` for
    /// other actions and phases.
    fn button(view: &Position<Self>, action: Action) -> Option<PromptButton> {
        let label = words::button(view, action)?;
        Some(PromptButton { label, primary: false, narrow_only: true })
    }

    /// Returns icon, label and value of an action in the list. Actions with a card or slot: its name, with what it
    /// replaces or stands behind, and the price, resale or slot. An attack: the powers of both sides. All other
    /// actions have at most an icon, so that the list shows their full label. Empty if no seat decides.
    fn row(view: &View, action: Action) -> ActionRow {
        words::row(view, action)
    }

    /// Explains why a card cannot be used now by the deciding seat: a card of the pool, the hand or the Empire by
    /// what is missing (purchases, points, free slots, a later phase), a card in a player's slot by what switches it
    /// off. `None` if the key names no card, no seat decides, or there is no such reason. Not checked: whether the
    /// card can in fact be used.
    fn why_not(view: &View, key: &str) -> Option<String> {
        words::why_not(view, key)
    }

    /// Returns the note about a card (also by its slot: `slot 1 3`), the known defence of a side (`side 1`,
    /// `deck 1`), or the parts of a side's `attack`, `defence` or `roll`. `None` for other keys and empty slots.
    fn explain(view: &View, key: &str) -> Option<Note> {
        words::explain(view, key)
    }

    /// Returns whether a battle is going on, from its beginning until its aftermath is over: its events share one
    /// report.
    fn in_episode(view: &View) -> bool {
        view.state().fought().is_some()
    }

    /// Builds the report of the battle or Hegemony roll with which `events` began: a dialog for its sides, a note for
    /// others. A roll that led to trade is reported only to its seat. `None` for other events.
    fn retell(events: &[SeenEvent<Self>], after: &View, ui: &Ui) -> Option<EventReport> {
        report::report(events, after, ui)
    }

    /// Returns the points that players won and lost, summed by seat and reason, in the order of their first
    /// facts. The Empire and sums of 0 are left out.
    fn changes(event: &AppliedEvent<'_, Self>) -> Vec<PointChange> {
        ledger::changes(event.facts)
    }

    /// Draws the last 8 changes of the ledger of the player at this screen, between their points before all
    /// changes and now; `None` for a spectator or an empty ledger.
    fn rail(view: &View, ui: &Ui) -> Option<El> {
        ledger::draw(view, ui)
    }

    /// Returns the victory points of the seat.
    fn score(view: &View, seat: Seat) -> i32 {
        view.state().points(seat.into())
    }

    /// Returns the number of cards that the seat owns in all piles and slots, and the number of its filled slots.
    fn parts(view: &View, seat: Seat) -> Vec<String> {
        let state = view.state();
        let [deck, discard, hand] = table::piles(state, seat);
        let slots = state.occupied_slots(seat.into());
        let slotted =
            slots.flat_map(|i| state.tokens().iter(pentarchy_hegemony::places::slot(seat.into(), i)));
        let all = deck + discard + hand + slotted.count();
        let filled = state.occupied_slots(seat.into()).count();
        vec![all.to_string(), filled.to_string()]
    }

    /// Explains whether the Empire fell, or why the match ended otherwise, and who has the most VP; seats are written
    /// `@0`. `None` before the end.
    fn verdict(view: &View) -> Option<String> {
        view.state().end_text()
    }
}

/// Describes what this step is about, in a few words for the panel of the seat that decides in it:
/// `Buying, 1 purchase left`. Empty for steps in which no seat decides.
fn doing(step: Task) -> String {
    match step {
        Task::Scalp(..) => "Marking a card".to_string(),
        Task::Upkeep(..) => "In the upkeep".to_string(),
        Task::Target(..) | Task::Aim(..) => "Choosing a target".to_string(),
        Task::Take(..) | Task::Give(_) => "Exchanging a card".to_string(),
        Task::Replace(_, need, done) => match i32::from(need) - done.count_ones() as i32 {
            owed if owed > 1 => format!("Replacing, {owed} slots to go"),
            1 => "Replacing, 1 slot to go".to_string(),
            _ => "Replacing".to_string(),
        },
        Task::Purchase(_, 1) => "Buying, 1 purchase left".to_string(),
        Task::Purchase(_, left) => format!("Buying, {left} purchases left"),
        Task::Act(_) => "Choosing an action".to_string(),
        Task::Trade(..) | Task::Answer(..) => "Trading with the Empire".to_string(),
        Task::Refill(_) | Task::Enter(..) => "Refilling slots".to_string(),
        Task::Window { .. } => "Deciding on a Sabotage".to_string(),
        Task::Raze(_) | Task::Ruin(..) => "Choosing a slot to empty".to_string(),
        _ => String::new(),
    }
}
