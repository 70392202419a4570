//! Defeat, the Empire's fall, and the end of the game.

use crate::agenda::Step;
use crate::places::Side;
use crate::state::{Ending, Hegemony, MOST_SEATS};
use pentarchy_engine::{Outcome, Rejected, Seat};

impl Hegemony {
    /// After the points have changed hands: has the Empire fallen, who of the two sides is defeated? After
    /// the Mercenaries' fees only the Empire is asked again.
    pub(crate) fn reckon(&mut self, again: bool) -> Result<(), Rejected> {
        let Some(battle) = self.battle else { return Ok(()) };
        let mut fallen = 0u8;
        if battle.has(Side::EMPIRE) && self.standing && self.vp[Side::EMPIRE.index()] <= 0 {
            if !self.rules.only_one {
                return self.end(Ending::Toppled);
            }
            fallen |= 1 << Side::EMPIRE.0;
        }
        for side in [battle.attacker, battle.defender] {
            let lost = battle.victor() != Some(side);
            if !again && lost && !side.is_empire() && self.vp[side.index()] <= 0 {
                fallen |= 1 << side.0;
            }
        }
        if fallen == 0 {
            return Ok(());
        }
        let mut any = false;
        for side in (0..=Side::EMPIRE.0).map(Side).filter(|side| fallen >> side.0 & 1 != 0) {
            any |= self.mark_hidden(side);
        }
        self.then(Step::Bury(fallen))?;
        self.show_marked(any)
    }

    /// Marks all cards of a side that are not public. Tells whether there are any.
    fn mark_hidden(&mut self, side: Side) -> bool {
        let mut any = false;
        for zone in self.places_of(side) {
            let mut at = self.tokens.top(zone);
            while let Some(t) = at {
                at = self.tokens.below(t);
                if !self.tokens.is_public(t) {
                    self.tokens.mark(t);
                    any = true;
                }
            }
        }
        any
    }

    /// All cards of the fallen have been shown; they go to the pool discard.
    pub(crate) fn bury(&mut self, fallen: u8) -> Result<(), Rejected> {
        let time = 1 + self.players.iter().map(|p| p.fell).max().unwrap_or(0);
        for side in (0..=Side::EMPIRE.0).map(Side).filter(|side| fallen >> side.0 & 1 != 0) {
            self.clear_out(side);
            let Some(seat) = side.seat() else {
                self.standing = false;
                self.players.iter_mut().for_each(|p| p.flags = 0);
                continue;
            };
            self.living.remove(seat);
            self.lift_marks(|mark| mark.by == seat);
            let player = &mut self.players[seat.index()];
            (player.sanctions, player.down, player.flags) = (0, 0, 0);
            (player.embargo, player.gridlock) = (false, false);
            player.fell = time;
        }
        self.then(Step::Check)
    }

    pub(crate) fn check_end(&mut self) -> Result<(), Rejected> {
        match (self.living.len(), self.standing) {
            (0, true) => self.end(Ending::EmpireWins),
            (0 | 1, false) => self.end(Ending::LastOne),
            _ => Ok(()),
        }
    }

    /// The game is over, whatever was still to come.
    pub(crate) fn end(&mut self, ending: Ending) -> Result<(), Rejected> {
        self.ending = Some(ending);
        self.agenda.clear();
        self.then(Step::Over)?;
        self.then(Step::Finish)
    }

    /// Players who are tied on points show all they own.
    pub(crate) fn finish(&mut self) -> Result<(), Rejected> {
        let mut any = false;
        for seat in (0..self.seats).map(Seat) {
            any |= self.is_tied(seat) && self.mark_hidden(seat.into());
        }
        self.show_marked(any)
    }

    /// Whether a living player has as many points as another.
    fn is_tied(&self, seat: Seat) -> bool {
        let rival = |s: Seat| s != seat && self.living.has(s) && self.vp[s.index()] == self.vp[seat.index()];
        self.living.has(seat) && (0..self.seats).map(Seat).any(rival)
    }

    /// The summed printed cost of all that a player owns, as far as it is public.
    pub(crate) fn worth(&self, side: Side) -> i32 {
        self.all_cards(side).filter_map(|t| self.tokens.public_face(t)).map(|card| self.cost(card)).sum()
    }

    /// Living players before defeated ones; by points, then by the worth of their cards; the defeated by
    /// the time of their defeat.
    pub(crate) fn ranking(&self) -> Option<Outcome> {
        let ending = self.ending?;
        let scores: [i32; MOST_SEATS] = std::array::from_fn(|i| self.vp[i]);
        let outcome = Outcome::by_key(&scores[..usize::from(self.seats)], |seat| {
            if !self.living.has(seat) {
                return (false, i32::from(self.players[seat.index()].fell), 0);
            }
            let worth = if self.is_tied(seat) { self.worth(seat.into()) } else { 0 };
            (true, self.vp[seat.index()], worth)
        });
        let outcome = if self.is_won(ending) { outcome } else { outcome.unwon() };
        Some(if ending == Ending::Cap { outcome.capped() } else { outcome })
    }

    /// Whether such an ending is the victory of a player rather than of the Empire, or of nobody.
    fn is_won(&self, ending: Ending) -> bool {
        match ending {
            Ending::Toppled => true,
            Ending::EmpireWins => false,
            Ending::LastOne => !self.living.is_empty(),
            Ending::Cap => self.seats > 1,
        }
    }
}
