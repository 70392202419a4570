//! Forced moves, and how long events are shown: pure functions, tested without a browser.

use crate::board::Board;
use pentarchy_engine::{Chance, Node, Position, Seat};

/// A move that the page plays for the person who has to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AutoMove<A> {
    /// The only legal action.
    Only(A),
    /// An action that is played at once: the board calls it routine or the continuation of the last choice, it is the
    /// only one and passes a reaction, or it is the only one and selects something that exactly one action can
    /// follow.
    Routine(A),
}

impl<A> AutoMove<A> {
    /// Returns the action, of either variant.
    pub fn action(self) -> A {
        match self {
            AutoMove::Only(action) | AutoMove::Routine(action) => action,
        }
    }
}

/// Returns the move that the page plays for the awaited seat; `None` if the person decides. `view` must be that
/// seat's view, and `legal` its legal actions. A single legal action is played: at once ([`AutoMove::Routine`]) if it
/// passes a reaction or the board calls it routine, else after it was shown ([`AutoMove::Only`]). One that selects
/// something is played, at once, only if exactly one action can follow. Of several actions, the first that the board
/// calls routine is played, at once. `None` if there is none.
pub fn auto_move<G: Board>(view: &Position<G>, legal: &[G::Action]) -> Option<AutoMove<G::Action>> {
    if let [only] = *legal {
        if G::selects(view, only) {
            // A selecting action is forced only if exactly one action can follow.
            let (mut next, mut more) = (view.clone(), Vec::new());
            let follows = next.play(only).and_then(|()| next.legal(&mut more)).is_ok();
            return (follows && more.len() == 1).then_some(AutoMove::Routine(only));
        }
        let at_once = G::passes(view, only) || G::routine(view, only);
        return Some(if at_once { AutoMove::Routine(only) } else { AutoMove::Only(only) });
    }
    legal.iter().copied().find(|&action| G::routine(view, action)).map(AutoMove::Routine)
}

/// The time budget of a turn: all its events, with what nature does and others' answers, until another seat's turn begins.
/// All times are in milliseconds.
///
/// The number of events of a turn is not known in advance. So each pause takes at most a fixed share of what is
/// left: the first events are shown at full length, later ones ever shorter, and the sum never exceeds the budget.
#[derive(Clone, Copy, Debug)]
pub struct TurnBudget {
    /// The part of the budget that pauses and searches may use.
    limit: f64,
    /// Whose turn it is; `None` until the first event of a seat's turn.
    seat: Option<Seat>,
    /// When the budget started; `None` before the first event.
    began: Option<f64>,
}

/// Maximum length of a bot's turn at Normal speed, in milliseconds.
pub const NORMAL_TURN: f64 = 2_000.0;
/// Share of the budget that pauses and searches may use; the rest is for drawing.
const PLANNED: f64 = 0.85;
/// Maximum share of the remaining time for one pause.
const SHARE: f64 = 0.34;
/// Maximum share of the remaining time for one pause before the first seat's turn: usually a single roll after a
/// person's move.
const ROLL_SHARE: f64 = 0.6;
/// Minimum pause in milliseconds: after a shorter one the board would not be drawn.
const SHORTEST_PAUSE: f64 = 60.0;
/// Minimum time of a search, in milliseconds.
const SHORTEST_THOUGHT: f64 = 10.0;

impl TurnBudget {
    /// Creates a budget of `limit` milliseconds for each turn, of which 85 % may be used for pauses and searches. No
    /// turn has begun.
    pub fn new(limit: f64) -> Self {
        TurnBudget { limit: limit * PLANNED, seat: None, began: None }
    }

    /// Registers an event at time `now`. `turn` is the seat to whose turn it belongs; `None` if it belongs to the
    /// same turn as the event before. The first event of all, and a turn of another seat than before, start a new
    /// budget at `now`; returns whether one was started. Events before the first seat is named belong to the turn of
    /// that seat.
    pub fn enter(&mut self, turn: Option<Seat>, now: f64) -> bool {
        let begins = match (self.began, self.seat, turn) {
            (None, ..) => true,
            (_, Some(seat), Some(turn)) => seat != turn,
            _ => false,
        };
        if begins {
            self.began = Some(now);
        }
        self.seat = turn.or(self.seat);
        begins
    }

    /// Extends the budget of the running turn by `millis` that the player took, such as for reading a report, so that
    /// this time does not count. No effect before the first event.
    pub fn exclude(&mut self, millis: f64) {
        self.began = self.began.map(|began| began + millis);
    }

    /// Returns the milliseconds left of the budget at time `now`, at least 0. Before the first event the whole
    /// budget is left.
    fn left(&self, now: f64) -> f64 {
        (self.limit - (now - self.began.unwrap_or(now))).max(0.0)
    }

    /// Returns how long to pause at time `now`, in milliseconds: at most `wanted` and a share of what is left of the
    /// budget (34 %, before the first seat's turn 60 %); 0 instead of a pause of less than 60. Does not use up the
    /// budget: time does.
    pub fn pause(&self, wanted: f64, now: f64) -> f64 {
        let share = if self.seat.is_some() { SHARE } else { ROLL_SHARE };
        let pause = wanted.min(share * self.left(now));
        if pause < SHORTEST_PAUSE { 0.0 } else { pause }
    }

    /// Returns how long a search may take at time `now`, in milliseconds: at most `wanted`, which the player allows,
    /// and 34 % of what is left of the budget, but at least 10 unless `wanted` is less.
    pub fn thought(&self, wanted: f64, now: f64) -> f64 {
        wanted.min((SHARE * self.left(now)).max(SHORTEST_THOUGHT))
    }
}

/// Returns whether a node needs no time on the screen: true for shuffles and rearrangements, false for all others.
pub fn is_silent(node: Node) -> bool {
    matches!(node, Node::Chance(Chance::Shuffle { .. }) | Node::Rearrange { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_many_events_stays_within_its_budget() {
        for events in [1_u8, 3, 10, 27, 60] {
            let mut budget = TurnBudget::new(NORMAL_TURN);
            let (mut now, work) = (0.0, 4.0);
            budget.enter(Some(Seat(1)), now);
            for _ in 0..events {
                now += budget.thought(1_000.0, now) + work;
                now += budget.pause(600.0, now);
            }
            // A Hard bot that decides very often gets little time for each decision.
            let most = NORMAL_TURN + f64::from(events) * SHORTEST_THOUGHT;
            assert!(now <= most, "{events} events of an Emperor take {now} ms");
            let mut now = 0.0;
            for _ in 0..events {
                now += work + budget.pause(600.0, now);
            }
            assert!(now <= NORMAL_TURN, "{events} events of a Captain take {now} ms");
        }
    }

    #[test]
    fn one_event_is_shown_at_full_length() {
        let mut budget = TurnBudget::new(NORMAL_TURN);
        budget.enter(Some(Seat(1)), 50.0);
        assert!(budget.pause(600.0, 50.0) > 500.0);
        assert_eq!(budget.pause(600.0, 5_000.0), 0.0);
    }

    #[test]
    fn draws_and_answers_belong_to_the_turn_in_which_they_happen() {
        let mut budget = TurnBudget::new(NORMAL_TURN);
        assert!(budget.enter(Some(Seat(1)), 0.0));
        assert!(!budget.enter(None, 900.0));
        assert!(!budget.enter(Some(Seat(1)), 1_000.0));
        assert!(budget.pause(600.0, 1_000.0) < 300.0);
        assert!(budget.enter(Some(Seat(2)), 1_500.0));
        assert!(budget.pause(600.0, 1_500.0) > 500.0);
    }

    #[test]
    fn draws_before_the_first_decision_count_too() {
        let mut budget = TurnBudget::new(NORMAL_TURN);
        let mut now = 0.0;
        // Three draws, then six decisions of a bot with answers of others in between.
        for turn in [None, None, None].into_iter().chain([Some(Seat(1)), None].into_iter().cycle().take(12)) {
            budget.enter(turn, now);
            now += 4.0 + budget.pause(1_200.0, now);
        }
        assert!(now <= NORMAL_TURN, "the turn takes {now} ms");
    }
}
