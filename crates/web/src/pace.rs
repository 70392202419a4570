//! Forced moves, and how long events are shown: pure functions, tested without a browser.

use crate::board::Board;
use pentarchy_engine::{Position, Seat};

/// A move that the page plays for the person who has to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AutoMove<A> {
    /// The only legal action.
    Only(A),
    /// An action that is played at once: the board calls it routine, or it is the only one and passes a reaction.
    Routine(A),
}

impl<A> AutoMove<A> {
    /// Returns the action.
    pub fn action(self) -> A {
        match self {
            AutoMove::Only(action) | AutoMove::Routine(action) => action,
        }
    }
}

/// Returns the move that is played for the awaited seat; `None` if the person decides. `view` must be that seat's
/// view, and `legal` its legal actions.
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

/// The time budget of a bot's turn. A turn holds all events up to another seat's turn or a person's decision,
/// including chance and reactions of others. All times are in milliseconds.
///
/// The number of events of a turn is not known in advance. So each pause takes at most a fixed share of what is
/// left: the first events are shown at full length, later ones ever shorter, and the sum never exceeds the budget.
#[derive(Clone, Copy, Debug)]
pub struct TurnBudget {
    limit: f64,
    seat: Option<Seat>,
    began: f64,
}

/// Maximum length of a bot's turn at Normal speed.
pub const NORMAL_TURN: f64 = 2_000.0;
/// Share of the budget that pauses and searches may use; the rest is for drawing.
const PLANNED: f64 = 0.85;
/// Maximum share of the remaining time for one pause.
const SHARE: f64 = 0.34;
/// Shorter pauses are skipped, because drawing the board takes longer.
const SHORTEST_PAUSE: f64 = 60.0;
/// Minimum time of a search.
const SHORTEST_THOUGHT: f64 = 10.0;

impl TurnBudget {
    /// Creates a budget of `limit` for each turn.
    pub fn new(limit: f64) -> Self {
        TurnBudget { limit: limit * PLANNED, seat: None, began: 0.0 }
    }

    /// Notes that a bot decides at the time `now`. Starts a new turn, and returns true, if it is another seat that
    /// does not just react.
    pub fn ask(&mut self, seat: Seat, reacts: bool, now: f64) -> bool {
        let begins = self.seat.is_none() || (self.seat != Some(seat) && !reacts);
        if begins {
            (self.seat, self.began) = (Some(seat), now);
        }
        begins
    }

    /// Ends the turn, because a person has decided.
    pub fn end(&mut self) {
        self.seat = None;
    }

    /// Extends the turn by time that the player used, for example for reading.
    pub fn exclude(&mut self, millis: f64) {
        self.began += millis;
    }

    fn left(&self, now: f64) -> f64 {
        (self.limit - (now - self.began)).max(0.0)
    }

    /// Returns how long to pause if `wanted` is the ideal; 0 if the pause is not worth it.
    ///
    /// Chance events in a person's own turn share the budget of one bot's turn.
    pub fn pause(&self, wanted: f64, now: f64) -> f64 {
        let share = if self.seat.is_some() { SHARE * self.left(now) } else { self.limit };
        let pause = wanted.min(share);
        if pause < SHORTEST_PAUSE { 0.0 } else { pause }
    }

    /// Returns how long a search may take if `wanted` is what the player allows.
    pub fn thought(&self, wanted: f64, now: f64) -> f64 {
        wanted.min((SHARE * self.left(now)).max(SHORTEST_THOUGHT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_many_events_stays_within_its_budget() {
        for events in [1_u8, 3, 10, 27, 60] {
            let mut budget = TurnBudget::new(NORMAL_TURN);
            let (mut now, work) = (0.0, 4.0);
            budget.ask(Seat(1), false, now);
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
        budget.ask(Seat(1), false, 50.0);
        assert!(budget.pause(600.0, 50.0) > 500.0);
        assert_eq!(budget.pause(600.0, 5_000.0), 0.0);
    }

    #[test]
    fn reactions_belong_to_the_turn_in_which_they_are_asked() {
        let mut budget = TurnBudget::new(NORMAL_TURN);
        assert!(budget.ask(Seat(1), false, 0.0));
        assert!(!budget.ask(Seat(2), true, 900.0));
        assert!(!budget.ask(Seat(1), false, 1_000.0));
        assert!(budget.pause(600.0, 1_000.0) < 300.0);
        assert!(budget.ask(Seat(2), false, 1_500.0));
        assert!(budget.pause(600.0, 1_500.0) > 500.0);
    }
}
