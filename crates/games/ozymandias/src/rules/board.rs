//! Changes of the board: influence, cities, sectors, and the history track.

use crate::cards::{FACTIONS, Faction};
use crate::facts::{Context, Fact};
use crate::map::{Corner, Hex};
use crate::state::{GONE, Ozymandias, Pile, TRACK};
use pentarchy_engine::{RuleError, Seat};

impl Ozymandias {
    /// Adds influence to a seat; a negative amount takes it, even below 0. Emits `Influence` unless the
    /// amount is 0.
    pub(super) fn gain(&mut self, cx: &mut Context<'_>, seat: Seat, amount: i32) {
        self.influence[seat.index()] += amount;
        if amount != 0 {
            cx.emit(move || Fact::Influence(seat, amount));
        }
    }

    /// Moves a city of the supply to the top of the stack at this corner; without a stack founds one. The
    /// supply must not be empty and the corner open: the caller has checked both.
    ///
    /// # Errors
    ///
    /// Fails if there are more stacks than the map holds.
    pub(super) fn found(&mut self, corner: Corner, faction: Faction) -> Result<(), RuleError> {
        self.supply[faction.index()] -= 1;
        self.stack_on(corner, faction)
    }

    /// Puts a city on top of the stack at this corner, or founds one; the supply is unchanged. The caller has
    /// checked the corner.
    ///
    /// # Errors
    ///
    /// Fails if there are more stacks than the map holds.
    pub(super) fn stack_on(&mut self, corner: Corner, faction: Faction) -> Result<(), RuleError> {
        if self.pile(corner).is_none() {
            self.cities.push(Pile::at(corner))?;
            self.cities.sort_unstable_by_key(|p| p.corner);
        }
        if let Some(pile) = self.pile_mut(corner) {
            pile.put_on_top(faction);
        }
        Ok(())
    }

    /// Returns the stack on a corner, to change it; `None` if there is none. Call `clear_empty` if it may
    /// become empty.
    pub(super) fn pile_mut(&mut self, corner: Corner) -> Option<&mut Pile> {
        self.cities.iter_mut().find(|p| p.corner == corner)
    }

    /// Removes the top city of a stack and returns its faction; `None` if there is no stack. An empty stack
    /// is removed. The supply is unchanged.
    pub(super) fn lift(&mut self, corner: Corner) -> Option<Faction> {
        let faction = self.pile_mut(corner)?.take_top();
        self.clear_empty();
        faction
    }

    /// Destroys the top city of a stack: it returns to the supply, and `CitiesDestroyed` is emitted. No
    /// effect without a stack.
    pub(super) fn destroy_top(&mut self, cx: &mut Context<'_>, corner: Corner) {
        if let Some(faction) = self.lift(corner) {
            self.return_cities(cx, faction, 1);
        }
    }

    /// Adds destroyed cities of a faction to the supply, and emits `CitiesDestroyed` unless there are none.
    /// The caller has removed them from the map.
    pub(super) fn return_cities(&mut self, cx: &mut Context<'_>, faction: Faction, cities: u8) {
        self.supply[faction.index()] += cities;
        if cities > 0 {
            cx.emit(move || Fact::CitiesDestroyed(faction, cities));
        }
    }

    /// Removes stacks without a city from the map; the others keep their order.
    pub(super) fn clear_empty(&mut self) {
        while let Some(place) = self.cities.iter().position(|p| p.height() == 0) {
            self.cities.remove(place);
        }
    }

    /// Takes the sector at `hex` out of the game, and destroys every stack that no other sector touches. Emits
    /// `CitiesDestroyed` for each faction concerned. No effect if there is no sector. Whether it is the last
    /// sector is not checked.
    pub(super) fn remove_sector(&mut self, cx: &mut Context<'_>, hex: Hex) {
        if let Some(place) = self.sectors.iter().position(|s| s.hex == hex)
            && let Some(sector) = self.sectors.remove(place)
        {
            self.tokens.put(sector.tile, GONE);
        }
        let sectors = self.sectors;
        let mut fallen = [0; 4];
        for pile in self.cities.iter_mut().filter(|p| !sectors.iter().any(|s| p.corner.touches(s.hex))) {
            while let Some(faction) = pile.take_top() {
                fallen[faction.index()] += 1;
            }
        }
        self.clear_empty();
        FACTIONS.into_iter().for_each(|faction| self.return_cities(cx, faction, fallen[faction.index()]));
    }

    /// Moves a marker up by this number of spaces, at most to the end of the track. At the end it sets
    /// `ending`: the game ends after this turn. Emits `ValueMoved` if the value changes.
    pub(super) fn rise(&mut self, cx: &mut Context<'_>, faction: Faction, spaces: u8) {
        let last = TRACK.len() as u8 - 1;
        let space = (self.markers[faction.index()] + spaces).min(last);
        self.ending |= space == last;
        self.move_marker(cx, faction, space);
    }

    /// Moves a marker to a space of the track, up or down, and emits `ValueMoved` if the value changes.
    /// `space` must be on the track. Does not set `ending`.
    pub(super) fn move_marker(&mut self, cx: &mut Context<'_>, faction: Faction, space: u8) {
        let from = self.value(faction);
        self.markers[faction.index()] = space;
        let to = self.value(faction);
        if from != to {
            cx.emit(move || Fact::ValueMoved { faction, from, to });
        }
    }
}
