//! What a person is asked, and how long things take: pure functions, so that they are tested without a browser.

use crate::board::Board;
use pentarchy_engine::{Position, Seat};

/// A move that the page makes for the person who is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AutoMove<A> {
    /// The only legal action.
    Only(A),
    /// An action that is played at once: the board calls it routine, or it is the only one and lets a reaction pass.
    Routine(A),
}

impl<A> AutoMove<A> {
    /// The action.
    pub fn action(self) -> A {
        match self {
            AutoMove::Only(action) | AutoMove::Routine(action) => action,
        }
    }
}

/// The move that is made for the seat that is asked; nothing if the person decides. `view` is that seat's view, and
/// `legal` its list.
pub fn auto_move<G: Board>(view: &Position<G>, legal: &[G::Action]) -> Option<AutoMove<G::Action>> {
    if let [only] = *legal {
        if G::selects(view, only) {
            // It is part of a gesture, which is made for the player only if nothing else can follow.
            let (mut next, mut more) = (view.clone(), Vec::new());
            let follows = next.play(only).and_then(|()| next.legal(&mut more)).is_ok();
            return (follows && more.len() == 1).then_some(AutoMove::Routine(only));
        }
        let at_once = G::passes(view, only) || G::routine(view, only);
        return Some(if at_once { AutoMove::Routine(only) } else { AutoMove::Only(only) });
    }
    legal.iter().copied().find(|&action| G::routine(view, action)).map(AutoMove::Routine)
}

/// The time budget of a bot's turn: all its events, with what nature does and others' reactions in between, until
/// another seat's turn begins or a person decides. All times are in milliseconds.
///
/// The number of events of a turn is not known in advance. So each pause takes at most a fixed share of what is left:
/// the first events are shown at full length, later ones ever shorter, and the sum never exceeds the budget.
#[derive(Clone, Copy, Debug)]
pub struct TurnBudget {
    limit: f64,
    seat: Option<Seat>,
    began: f64,
}

/// The longest turn of a bot at Normal speed.
pub const NORMAL_TURN: f64 = 2_000.0;
/// The part of a budget that is planned; the rest is for drawing.
const PLANNED: f64 = 0.85;
/// A pause takes at most this share of what is left.
const SHARE: f64 = 0.34;
/// A shorter pause is not worth drawing the board for.
const SHORTEST_PAUSE: f64 = 60.0;
/// A search is given at least this.
const SHORTEST_THOUGHT: f64 = 10.0;

impl TurnBudget {
    /// A budget of `limit` for each turn.
    pub fn new(limit: f64) -> Self {
        TurnBudget { limit: limit * PLANNED, seat: None, began: 0.0 }
    }

    /// A bot is asked at the time `now`. A new turn begins if it is another seat that does not just react. Returns
    /// whether one began.
    pub fn ask(&mut self, seat: Seat, reacts: bool, now: f64) -> bool {
        let begins = self.seat.is_none() || (self.seat != Some(seat) && !reacts);
        if begins {
            (self.seat, self.began) = (Some(seat), now);
        }
        begins
    }

    /// A person has decided: the next event begins a new turn.
    pub fn end(&mut self) {
        self.seat = None;
    }

    /// Time that the player took, such as for reading, does not count.
    pub fn exclude(&mut self, millis: f64) {
        self.began += millis;
    }

    fn left(&self, now: f64) -> f64 {
        (self.limit - (now - self.began)).max(0.0)
    }

    /// How long to pause if `wanted` is how long one would like to look; 0 if it is not worth while.
    ///
    /// What nature does in a person's own turn may take as long as a whole turn of a bot.
    pub fn pause(&self, wanted: f64, now: f64) -> f64 {
        let share = if self.seat.is_some() { SHARE * self.left(now) } else { self.limit };
        let pause = wanted.min(share);
        if pause < SHORTEST_PAUSE { 0.0 } else { pause }
    }

    /// How long a search may take if `wanted` is how long a player allows.
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
            // An Emperor that is asked very often is given a little time each.
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
