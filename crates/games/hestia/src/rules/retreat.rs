//! Retreats: how far, and over which spaces.

use crate::face::Mode;
use crate::facts::{Context, Fact};
use crate::map::{Edge, Place, Terrain};
use crate::options::Retreat;
use crate::state::{Hestia, L, Task, enemy, hand, land};
use pentarchy_engine::{RuleError, Seat, ensure};

/// Returns the bit of a place.
const fn bit(place: Place) -> u64 {
    1 << place.0
}

impl Hestia {
    /// Returns how far a seat retreats: the more cards it has played, the farther.
    pub(crate) fn retreat_distance(&self, seat: Seat) -> u8 {
        let cards = self.battle.cards[seat.index()];
        let spent = cards >= 1 && self.tokens.is_empty(hand(seat));
        let bare = matches!(self.battle.mode[seat.index()], None | Some(Mode::Withdraw | Mode::Stand));
        1 + cards / 2 + u8::from(spent) + u8::from(bare)
    }

    /// Returns whether an army may not end its retreat here.
    fn is_hostile(&self, place: Place, seat: Seat) -> bool {
        let foe = enemy(seat);
        let foreign = if seat == L { Terrain::HomeH } else { Terrain::HomeL };
        self.land_units(place, foe) > 0
            || place.spot().terrain == foreign
            || (self.is_active(place, foe) && !self.is_active(place, seat))
    }

    /// Iterates over the next spaces of a retreat: over open borders, without enemies, and not on the trail.
    fn ways(&self, seat: Seat, from: Place, trail: u64) -> impl Iterator<Item = Place> + '_ {
        let open = move |&&(to, edge): &&(Place, Edge)| {
            let border = match edge {
                Edge::Plain | Edge::Crossing => true,
                Edge::River => self.is_bridged(from, to, seat),
                _ => false,
            };
            border && trail & bit(to) == 0 && self.land_units(to, enemy(seat)) == 0
        };
        from.links().iter().filter(open).map(|&(to, _)| to)
    }

    /// Returns whether a path of exactly this length leads on from here to a place where the army may stay.
    fn can_complete(&self, seat: Seat, from: Place, trail: u64, length: u8) -> bool {
        if length == 0 {
            return !self.is_hostile(from, seat);
        }
        self.ways(seat, from, trail).any(|to| self.can_complete(seat, to, trail | bit(to), length - 1))
    }

    /// Calls `out` for each next space of a retreat with this length left.
    fn exits(&self, seat: Seat, from: Place, trail: u64, length: u8, out: &mut impl FnMut(Place)) {
        let Some(rest) = length.checked_sub(1) else { return };
        let ways =
            self.ways(seat, from, trail).filter(|&to| self.can_complete(seat, to, trail | bit(to), rest));
        ways.for_each(out);
    }

    // --- one side retreats, the other drives it

    /// Begins a retreat: computes its length, or destroys an army that cannot retreat.
    pub(super) fn begin_flight(&mut self, cx: &mut Context<'_>, loser: Seat) -> Result<(), RuleError> {
        let place = self.battle.place;
        let distance = self.retreat_distance(loser);
        let reach = |length: &u8| self.can_complete(loser, place, bit(place), *length);
        let length = (1..=distance).rev().find(reach).unwrap_or(0);
        self.push_task(Task::EndBattle)?;
        if length == 0 || (length < distance && self.settings.retreat == Retreat::Exact) {
            return self.destroy_army(cx, loser);
        }
        self.battle.at = place;
        self.battle.left = length;
        self.battle.trail = bit(place);
        self.push_task(Task::Flee(enemy(loser)))
    }

    /// Calls `out` for the next spaces to which the loser can be driven.
    pub(super) fn flights(&self, loser: Seat, out: &mut impl FnMut(Place)) {
        self.exits(loser, self.battle.at, self.battle.trail, self.battle.left, out);
    }

    /// Applies the only possible step of a retreat. Returns whether it did.
    pub(super) fn apply_forced_retreat(
        &mut self,
        cx: &mut Context<'_>,
        winner: Seat,
    ) -> Result<bool, RuleError> {
        let (mut count, mut only) = (0, Place::default());
        self.flights(enemy(winner), &mut |place| (count, only) = (count + 1, place));
        if count == 1 {
            self.flee_to(cx, winner, only)?;
        }
        Ok(count == 1)
    }

    /// Checks and applies the step of a retreat that the winner has chosen.
    ///
    /// # Errors
    ///
    /// Fails if the army cannot be driven there.
    pub(super) fn drive(
        &mut self,
        cx: &mut Context<'_>,
        winner: Seat,
        place: Place,
    ) -> Result<(), RuleError> {
        let mut offered = false;
        self.flights(enemy(winner), &mut |p| offered |= p == place);
        ensure(offered, "the army cannot be driven there")?;
        self.flee_to(cx, winner, place)
    }

    /// Moves the retreating army one step; places it at the end of the retreat.
    fn flee_to(&mut self, cx: &mut Context<'_>, winner: Seat, place: Place) -> Result<(), RuleError> {
        self.battle.at = place;
        self.battle.trail |= bit(place);
        self.battle.left -= 1;
        if self.battle.left == 0 {
            self.agenda.pop();
            cx.emit(move || Fact::Retreated(enemy(winner), place));
            self.tokens.put_all(land(self.battle.place, enemy(winner)), land(place, enemy(winner)));
        }
        Ok(())
    }

    // --- both sides retreat

    /// Calls `out` for the places to which a seat can withdraw.
    pub(super) fn withdrawals(&self, seat: Seat, out: &mut impl FnMut(Place)) {
        let place = self.battle.place;
        self.exits(seat, place, bit(place), 1, out);
    }

    /// Applies a withdrawal that leaves no choice; destroys an army without a way out. Returns whether it did.
    pub(super) fn apply_forced_withdrawal(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
    ) -> Result<bool, RuleError> {
        let (mut count, mut only) = (0, Place::default());
        self.withdrawals(seat, &mut |place| (count, only) = (count + 1, place));
        match count {
            0 => {
                self.agenda.pop();
                self.destroy_army(cx, seat)?;
            }
            1 => self.withdraw_to(cx, seat, only),
            _ => {}
        }
        Ok(count < 2)
    }

    /// Checks and applies a chosen withdrawal.
    ///
    /// # Errors
    ///
    /// Fails if the army cannot withdraw there.
    pub(super) fn give_way(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        place: Place,
    ) -> Result<(), RuleError> {
        let mut offered = false;
        self.withdrawals(seat, &mut |p| offered |= p == place);
        ensure(offered, "the army cannot withdraw there")?;
        self.withdraw_to(cx, seat, place);
        Ok(())
    }

    /// Moves an army out of the battle.
    fn withdraw_to(&mut self, cx: &mut Context<'_>, seat: Seat, place: Place) {
        self.agenda.pop();
        cx.emit(move || Fact::Retreated(seat, place));
        self.tokens.put_all(land(self.battle.place, seat), land(place, seat));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::rules::set_up;
    use crate::state::{deck, hand};

    /// The worked example E1, and E29: how far by cards played, all used, none in the last clash.
    #[test]
    fn the_more_cards_the_farther() -> Result<(), RuleError> {
        let distance = |cards: u8, all_used: bool, bare: bool| {
            let mut game = set_up(&Options::default())?;
            if !all_used && let Some(card) = game.tokens.top(deck(L)) {
                game.tokens.put(card, hand(L));
            }
            game.battle.cards[0] = cards;
            game.battle.mode[0] = Some(if bare { Mode::Withdraw } else { Mode::Retreat });
            Ok::<u8, RuleError>(game.retreat_distance(L))
        };
        for (cards, far) in [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3)] {
            assert_eq!(distance(cards, false, false)?, far, "{cards} cards");
        }
        assert_eq!(distance(5, true, false)?, 4);
        assert_eq!(distance(5, true, true)?, 5);
        assert_eq!(distance(0, true, true)?, 2, "nothing was used, so nothing was used up");
        Ok(())
    }
}
