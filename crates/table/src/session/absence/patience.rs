//! Reasons that postpone a timeout or a vote: players who are thinking, machines that cannot be reached, and
//! the consent of the player at this seat.

use pentarchy_engine::{Seat, SeatSet};

/// A thinking player is late this many time limits after the last progress at the latest.
const MAX_LIMITS: u64 = 5;
/// A thinking player sends a sign of activity at most this often within a time limit.
const SIGNS_PER_LIMIT: u64 = 4;

/// The last sign of activity of one seat.
#[derive(Clone, Copy, Default)]
struct Activity {
    /// Its number. Signs count up, so that a repeated one has no effect.
    n: u32,
    /// When it came; unknown if it was read from the store.
    at: Option<u64>,
}

/// Time as far as patience depends on it, in milliseconds.
#[derive(Clone, Copy)]
pub(in crate::session) struct Clock {
    /// The time now.
    pub(in crate::session) now: u64,
    /// When the timeouts were last restarted: by progress, an own vote, or the wish to wait.
    pub(in crate::session) progress_at: u64,
    /// The time limit of the table.
    pub(in crate::session) limit: u64,
}

/// What is known of the people at the table since the last progress, and which machines are reached.
pub(in crate::session) struct Patience {
    /// By seat.
    activity: Vec<Activity>,
    /// The seats of persons whose machines are reached by no path.
    unreachable: SeatSet,
    /// The seats that the player at this seat has agreed to drop.
    agreed: SeatSet,
    /// The seats about which they were asked.
    asked: SeatSet,
}

impl Patience {
    /// Creates the state of a table with this many seats: all machines are reached, and nothing was asked.
    pub(super) fn new(seats: usize) -> Self {
        let none = SeatSet::NONE;
        Patience { activity: vec![Activity::default(); seats], unreachable: none, agreed: none, asked: none }
    }

    /// Forgets the activity of all seats, questions to the player and their answers. Which machines are reached stays.
    /// Called when the table has made progress.
    pub(super) fn restart(&mut self) {
        self.forget_answers();
        self.activity.fill(Activity::default());
    }

    /// Forgets questions and answers.
    pub(super) fn forget_answers(&mut self) {
        (self.agreed, self.asked) = (SeatSet::NONE, SeatSet::NONE);
    }

    /// Returns when a seat last showed activity, in milliseconds. `None` if it did not since the last progress,
    /// the time is unknown, there is no such seat, or the timeouts were restarted [`MAX_LIMITS`] time limits ago
    /// or earlier: then activity does not count any more.
    pub(super) fn active_at(&self, seat: u8, clock: Clock) -> Option<u64> {
        let at = self.activity.get(usize::from(seat))?.at?;
        (clock.now - clock.progress_at < MAX_LIMITS * clock.limit).then_some(at)
    }

    /// Returns whether a seat that is due is thinking: its last sign of activity is younger than the time
    /// limit, and the last progress is less than [`MAX_LIMITS`] time limits ago.
    pub(super) fn is_thinking(&self, seat: u8, clock: Clock) -> bool {
        self.active_at(seat, clock).is_some_and(|at| clock.now - at < clock.limit)
    }

    /// Returns the number of the next sign of activity that this peer's seat sends, and notes it; `None` if
    /// the last one, or without one the last progress, is less than a time limit divided by
    /// [`SIGNS_PER_LIMIT`] ago, or there is no such seat.
    pub(super) fn next_sign(&mut self, seat: u8, clock: Clock) -> Option<u32> {
        let last = self.activity.get_mut(usize::from(seat))?;
        if clock.now - last.at.unwrap_or(clock.progress_at) < clock.limit / SIGNS_PER_LIMIT {
            return None;
        }
        *last = Activity { n: last.n + 1, at: Some(clock.now) };
        Some(last.n)
    }

    /// Notes sign number `n` of another seat if it is higher than the known one, and returns whether it is. `at` replaces the
    /// time of the last sign; `None` (restored from storage) forgets it. False if there is no such seat.
    pub(super) fn hear_sign(&mut self, seat: u8, n: u32, at: Option<u64>) -> bool {
        match self.activity.get_mut(usize::from(seat)) {
            Some(known) if n > known.n => {
                *known = Activity { n, at };
                true
            }
            _ => false,
        }
    }

    /// Forgets questions and answers about these seats, which were heard of again.
    pub(super) fn withdraw(&mut self, seats: SeatSet) {
        self.asked -= seats;
        self.agreed -= seats;
    }

    /// Notes whether the machine of a person's seat is reached.
    pub(super) fn set_reachable(&mut self, seat: Seat, reachable: bool) {
        if reachable { self.unreachable.remove(seat) } else { self.unreachable.insert(seat) }
    }

    /// Returns the seats of persons whose machines are reached by no path.
    pub(super) fn unreachable(&self) -> SeatSet {
        self.unreachable
    }

    /// Returns those of these seats that the player has not agreed to drop.
    pub(super) fn without_consent(&self, seats: SeatSet) -> SeatSet {
        seats - self.agreed
    }

    /// Notes that the player is asked about dropping `seats`, for which `open` of them still lack an answer. Returns
    /// whether the caller must ask: `false`, and notes nothing, if the player was asked about all of `open` before.
    pub(super) fn note_question(&mut self, seats: SeatSet, open: SeatSet) -> bool {
        let is_new = !self.asked.has_all(open);
        if is_new {
            self.asked |= seats;
        }
        is_new
    }

    /// Records that the player agrees to drop those of these seats about which they were asked. The others are ignored.
    pub(super) fn agree(&mut self, seats: SeatSet) {
        self.agreed |= self.asked & seats;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(now: u64) -> Clock {
        Clock { now, progress_at: 1000, limit: 400 }
    }

    #[test]
    fn a_thinking_player_is_not_late_for_five_limits() {
        let mut patience = Patience::new(2);
        assert!(!patience.is_thinking(1, clock(1100)));
        for (n, now) in (1..).zip((1100..3400).step_by(300)) {
            assert!(patience.hear_sign(1, n, Some(now)));
            assert_eq!(patience.is_thinking(1, clock(now + 100)), now + 100 < 1000 + 5 * 400, "at {now}");
        }
        assert!(!patience.hear_sign(1, 2, Some(9000)), "an old sign is repeated");
        assert!(!patience.hear_sign(7, 2, Some(9000)), "there is no such seat");
        patience.restart();
        assert_eq!(patience.active_at(1, clock(1100)), None);
    }

    #[test]
    fn signs_of_activity_are_sent_four_times_a_limit_at_most() {
        let mut patience = Patience::new(2);
        let sent: Vec<u64> =
            (1000..1400).filter(|&now| patience.next_sign(0, clock(now)).is_some()).collect();
        assert_eq!(sent, [1100, 1200, 1300]);
        assert_eq!(patience.next_sign(0, clock(1400)), Some(4));
    }

    #[test]
    fn consent_counts_only_for_what_was_asked() {
        let mut patience = Patience::new(4);
        patience.agree(SeatSet(0b0110));
        assert_eq!(patience.without_consent(SeatSet(0b0110)), SeatSet(0b0110), "nothing was asked");
        assert!(patience.note_question(SeatSet(0b0010), SeatSet(0b0010)));
        assert!(!patience.note_question(SeatSet(0b0010), SeatSet(0b0010)), "it was asked before");
        patience.agree(SeatSet(0b0110));
        assert_eq!(patience.without_consent(SeatSet(0b0110)), SeatSet(0b0100));
        patience.withdraw(SeatSet(0b0010));
        assert_eq!(patience.without_consent(SeatSet(0b0010)), SeatSet(0b0010), "the seat was heard of again");
    }
}
