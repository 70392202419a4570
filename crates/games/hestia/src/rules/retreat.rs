//! Retreats: how far, and over which spaces.

use crate::face::Mode;
use crate::facts::{Context, Fact};
use crate::map::{Edge, Place, Terrain};
use crate::options::Retreat;
use crate::state::{Hestia, L, Task, enemy, hand, land};
use pentarchy_engine::{RuleError, Seat, ensure};

/// Returns the mask with only this place: bit `n` for place `n`.
const fn bit(place: Place) -> u64 {
    1 << place.0
}

impl Hestia {
    /// Returns how many spaces a seat retreats from the battle: 1, plus 1 for every two cards that it has
    /// played in it (rounded down), 1 if it has played a card and its hand is empty, and 1 if it gives way
    /// without a card in this clash.
    pub(crate) fn retreat_distance(&self, seat: Seat) -> u8 {
        let cards = self.battle.cards[seat.index()];
        let spent = cards >= 1 && self.tokens.is_empty(hand(seat));
        let bare = matches!(self.battle.mode[seat.index()], None | Some(Mode::Withdraw | Mode::Stand));
        1 + cards / 2 + u8::from(spent) + u8::from(bare)
    }

    /// Returns whether an army of `seat` may not end its retreat in this place: enemy land units stand there,
    /// it is a home territory of the enemy, or a city-state where the enemy has an active token and the seat
    /// has none.
    fn is_hostile(&self, place: Place, seat: Seat) -> bool {
        let foe = enemy(seat);
        let foreign = if seat == L { Terrain::HomeH } else { Terrain::HomeL };
        self.land_units(place, foe) > 0
            || place.spot().terrain == foreign
            || (self.is_active(place, foe) && !self.is_active(place, seat))
    }

    /// Iterates over the next spaces of a retreat of `seat` from `from`, in the order of the map's connections:
    /// lands over plain borders, straits and rivers with a bridge that is open to the seat, without enemy land
    /// units, and not in the mask `trail` of visited places (bit `n` for place `n`). Whether the retreat may
    /// end there is not checked.
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

    /// Returns whether a path of exactly `length` more spaces leads from `from` to a place where the army may
    /// stay, without a place in the mask `trail` (bit `n` for place `n`). With length 0 only `from` itself is
    /// checked.
    fn can_complete(&self, seat: Seat, from: Place, trail: u64, length: u8) -> bool {
        if length == 0 {
            return !self.is_hostile(from, seat);
        }
        self.ways(seat, from, trail).any(|to| self.can_complete(seat, to, trail | bit(to), length - 1))
    }

    /// Calls `out` for each next space of a retreat of `seat` from `from` with `length` spaces left, in the
    /// order of the map's connections, if from there the rest can be completed: with exactly `length` spaces
    /// in all, to a place where the army may stay, through no place twice and none in the mask `trail` (bit
    /// `n` for place `n`). `trail` must contain `from`; this is not checked. Does not call it if `length` is 0.
    fn exits(&self, seat: Seat, from: Place, trail: u64, length: u8, out: &mut impl FnMut(Place)) {
        let Some(rest) = length.checked_sub(1) else { return };
        let ways =
            self.ways(seat, from, trail).filter(|&to| self.can_complete(seat, to, trail | bit(to), rest));
        ways.for_each(out);
    }

    // --- one side retreats, the other drives it

    /// Begins the retreat of the loser: pushes the end of the battle and, above it, `Flee` for the winner
    /// with the longest possible length up to its distance. An army that cannot retreat (or not the full
    /// distance, with the option `exact`) is destroyed instead.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full, or a block of a destroyed army is not public.
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

    /// Calls `out` for the next spaces to which the winner can drive the army of `loser` from where its
    /// retreat has come, so that the rest of its length can be completed. A retreat must be in progress.
    pub(super) fn flights(&self, loser: Seat, out: &mut impl FnMut(Place)) {
        self.exits(loser, self.battle.at, self.battle.trail, self.battle.left, out);
    }

    /// Moves the retreat to its next space if there is only one; at its last space moves the army there, emits
    /// `Retreated` and pops the task. Returns whether there was only one; otherwise changes nothing, and the
    /// winner must choose.
    ///
    /// # Errors
    ///
    /// Never fails.
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

    /// Checks `place`, the next space of a retreat that the winner has chosen, and moves the retreat there.
    /// At its last space the land units move, `Retreated` is emitted, and the task is popped.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the army cannot be driven there.
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

    /// Moves the retreat of the winner's enemy one space on. At its last space moves all land units there,
    /// emits `Retreated` and pops the task. The caller has checked the space.
    ///
    /// # Errors
    ///
    /// Never fails.
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

    /// Calls `out` for the adjacent lands to which a seat can withdraw from the battle, in the order of the
    /// map's connections: over a plain border, a strait or a bridged river, without enemy land units, not a
    /// home of the enemy, and not active for the enemy alone.
    pub(super) fn withdrawals(&self, seat: Seat, out: &mut impl FnMut(Place)) {
        let place = self.battle.place;
        self.exits(seat, place, bit(place), 1, out);
    }

    /// Applies a withdrawal to the only possible place, or destroys an army without one; pops the task in
    /// both cases. Emits `Retreated`, or `Destroyed` for each block. Returns `false`, without a change, if
    /// the seat must choose. The top task must be `Withdraw` of this seat.
    ///
    /// # Errors
    ///
    /// Fails if a block of a destroyed army is not public; the task is then popped, and earlier blocks are
    /// destroyed.
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

    /// Checks and applies the withdrawal of a seat to `place`: moves its land units there, emits `Retreated`
    /// and pops the task.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the army cannot withdraw there.
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

    /// Moves all land units of a seat out of the battle to a place, emits `Retreated` and pops the task. The
    /// caller has checked the place.
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
