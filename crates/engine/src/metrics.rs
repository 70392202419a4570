//! What a game counts for its designer. Only the lab calls it; it costs nothing in normal play.

use crate::facts::AppliedEvent;
use crate::game::Game;
use crate::position::Position;
use crate::seat::Seat;

/// Something whose use the lab counts: a card, a building, a kind of action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The name, as people write it.
    pub name: String,
    /// The heading of its table in a report, e.g. `Military cards`.
    pub group: &'static str,
    /// The use by which a report judges it, and which restricted play denies. Equal for all items of a group.
    pub verb: Verb,
}

impl Item {
    /// Creates an item of a group that is judged by this use.
    pub fn new(name: impl Into<String>, group: &'static str, verb: Verb) -> Self {
        Item { name: name.into(), group, verb }
    }
}

/// What a seat can do with an item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Verb {
    /// Bought, built or raised.
    Bought,
    /// Played, used or carried out.
    Played,
    /// Discarded, sold or given up.
    Discarded,
}

impl Verb {
    /// All verbs, in the order of a report.
    pub const ALL: [Verb; 3] = [Verb::Bought, Verb::Played, Verb::Discarded];

    /// Returns the verb as an array index.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the word for a report, in lower case: `bought`, `played` or `discarded`.
    pub const fn word(self) -> &'static str {
        match self {
            Verb::Bought => "bought",
            Verb::Played => "played",
            Verb::Discarded => "discarded",
        }
    }
}

/// One use of an item by a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deed {
    /// The acting seat.
    pub seat: Seat,
    /// What the seat does.
    pub verb: Verb,
    /// The item as an index into [`Metrics::items`].
    pub item: u16,
}

/// A turn of the game. Two positions in the same turn have equal values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnId {
    /// Round (year, day), counted from 1.
    pub round: u32,
    /// A number that differs between the turns of a round; [`BETWEEN`](TurnId::BETWEEN) outside of turns.
    pub turn: u32,
}

impl TurnId {
    /// The turn number of positions that belong to no seat's turn.
    pub const BETWEEN: u32 = u32::MAX;
}

/// What a game reports to the lab. All positions are the simulator's.
pub trait Metrics: Game {
    /// Returns everything that is counted by name, in the order of the reports. [`Deed::item`] is an index
    /// into this list, so it must not change. The default is empty.
    fn items() -> Vec<Item> {
        Vec::new()
    }

    /// Calls `out` for each use of an item in an event. Written from the facts of the event; must not
    /// evaluate a rule. Also called for actions that a seat could have taken, tried on a copy of the
    /// position. The default reports nothing.
    fn deeds(_event: &AppliedEvent<'_, Self>, _out: &mut dyn FnMut(Deed)) {}

    /// Calls `out` with each use (the verb, and the item as an index into [`items`](Self::items)) that
    /// [`deeds`](Self::deeds) would report of this legal action, and returns `true`; returns `false` without
    /// a call if only applying the action tells. `at` may also be the view of the acting seat. A pure
    /// function of the position and the action that must not apply it: it saves the lab a copy of the
    /// position per legal action. `check_predictions` of the test kit compares it with `deeds`. The default
    /// returns `false`.
    fn predict_deeds(_at: &Position<Self>, _action: Self::Action, _out: &mut dyn FnMut(Verb, u16)) -> bool {
        false
    }

    /// Returns the current standing of a seat, on the scale of the final scores; `None` (the default) if the
    /// game has no such number before its end.
    fn standing(_at: &Position<Self>, _seat: Seat) -> Option<i32> {
        None
    }

    /// Returns the current turn; `None` (the default) for a game without rounds, in which every decision is a
    /// turn.
    fn turn_id(&self) -> Option<TurnId> {
        None
    }

    /// Returns how the game ended, in a few words that complete "The game ended …"; `None` before the end.
    /// The default is `at the cap` if the game hit its limit of turns or events, else `by its rules`.
    fn ending(&self) -> Option<&'static str> {
        self.outcome().map(|outcome| if outcome.is_capped() { "at the cap" } else { "by its rules" })
    }

    /// Returns the phase of the game that an action belongs to, for the minutes by phase in a report. The
    /// default is one phase for all.
    fn phase(_action: Self::Action) -> &'static str {
        "Decisions"
    }

    /// Estimates the seconds that people take for the decision to play this action in this state. The default
    /// is 10.
    fn seconds(&self, _action: Self::Action) -> u32 {
        10
    }
}
