//! What a game counts for its designer: a few lines in each game, read by whoever watches many games.
//!
//! Nothing here is called while games are only played: whoever wants figures asks for them.

use crate::game::Game;
use crate::position::Position;
use crate::seat::Seat;

/// A thing whose use is counted: a card, a building, a kind of action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its name, as people write it.
    pub name: String,
    /// What it is listed with, e.g. `Military cards`.
    pub group: &'static str,
}

impl Item {
    /// A thing of a group.
    pub fn new(name: impl Into<String>, group: &'static str) -> Self {
        Item { name: name.into(), group }
    }
}

/// What can be done with an item.
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
    /// All of them, in the order of a report.
    pub const ALL: [Verb; 3] = [Verb::Bought, Verb::Played, Verb::Discarded];

    /// The verb as an index.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word of a report.
    pub const fn word(self) -> &'static str {
        match self {
            Verb::Bought => "bought",
            Verb::Played => "played",
            Verb::Discarded => "discarded",
        }
    }
}

/// A seat does something with an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deed {
    /// Who.
    pub seat: Seat,
    /// What.
    pub verb: Verb,
    /// With which item: its number in [`Metrics::items`].
    pub item: u16,
}

/// Where the game stands. Two moments of the same turn are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The round (year, day), counted from 1.
    pub round: u32,
    /// The turn: any number that tells two turns of a round apart; [`BETWEEN`](Moment::BETWEEN) them.
    pub turn: u32,
}

impl Moment {
    /// Nobody's turn.
    pub const BETWEEN: u32 = u32::MAX;
}

/// What a game tells about itself to whoever watches many games. Positions are the simulator's.
pub trait Metrics: Game {
    /// All that is counted by name.
    fn items() -> Vec<Item> {
        Vec::new()
    }

    /// What is done with items if this action is taken now, or, without an action, by what nature is about
    /// to bring. Called before it happens; also for actions that are then not taken.
    fn deeds(_at: &Position<Self>, _action: Option<Self::Action>, _out: &mut dyn FnMut(Deed)) {}

    /// What a seat has to show for itself now, on the scale of the final scores; nothing where a game has
    /// no such thing before its end.
    fn standing(_at: &Position<Self>, _seat: Seat) -> Option<i32> {
        None
    }

    /// Round and turn; nothing for a game without rounds, in which every decision is a turn.
    fn moment(&self) -> Option<Moment> {
        None
    }

    /// How the game ended, in a few words that finish the sentence "It ended …".
    fn ending(&self) -> &'static str {
        match self.outcome() {
            Some(outcome) if outcome.is_capped() => "at the cap",
            _ => "by its rules",
        }
    }

    /// The phase of the game to which an action belongs, for the minutes by phase of a report.
    fn phase(_action: Self::Action) -> &'static str {
        "Decisions"
    }

    /// An estimate of the seconds that people take for this decision.
    fn seconds(&self, _action: Self::Action) -> u32 {
        10
    }
}
