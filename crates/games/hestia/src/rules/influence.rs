//! Influence: tokens become active where an army stands by and no enemy does.

use crate::facts::{Context, Fact};
use crate::map::{CITIES, Place};
use crate::options::InfluenceLoss;
use crate::state::{H, Hestia, L, enemy};
use pentarchy_engine::{RuleError, Seat};

impl Hestia {
    /// Returns whether a token of this seat in the city-state `place` may become active: a land unit of the
    /// seat stands in it, in an adjacent land or in a sea on its coast, and no land unit of the enemy in it or
    /// in an adjacent land. Does not check that there is a token. Changes nothing.
    fn flips(&self, place: Place, seat: Seat) -> bool {
        let near =
            |s: Seat| self.land_units(place, s) > 0 || place.adjacent().any(|p| self.land_units(p, s) > 0);
        let offshore = place.coasts().any(|sea| self.land_units(sea, seat) > 0);
        (near(seat) || offshore) && !near(enemy(seat))
    }

    /// Makes all inactive tokens of both seats active, at once, where the seat has a land unit in, beside or
    /// offshore of the city-state and the enemy none in or beside it; pops the task. With the option
    /// `overturn` a newly active token turns a token of the enemy there face down that was active before; if
    /// both become active at once, both stay. Emits `CityWon` and `CityLost`. Never fails.
    pub(super) fn resolve_influence(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.agenda.pop();
        let before = self.active;
        let mut flipped = [0u16; 2];
        for (city, &place) in CITIES.iter().enumerate() {
            for seat in [L, H] {
                if self.inactive[seat.index()] >> city & 1 != 0 && self.flips(place, seat) {
                    flipped[seat.index()] |= 1 << city;
                }
            }
        }
        for seat in [L, H] {
            self.inactive[seat.index()] &= !flipped[seat.index()];
            self.active[seat.index()] |= flipped[seat.index()];
        }
        if self.settings.influence_loss == InfluenceLoss::Overturn {
            for seat in [L, H] {
                let foe = enemy(seat).index();
                let turned = self.active[foe] & flipped[seat.index()] & !flipped[foe];
                self.active[foe] &= !turned;
                self.inactive[foe] |= turned;
            }
        }
        for seat in [L, H] {
            let (old, new) = (before[seat.index()], self.active[seat.index()]);
            for (city, &place) in CITIES.iter().enumerate() {
                match (old >> city & 1, new >> city & 1) {
                    (0, 1) => cx.emit(move || Fact::CityWon(seat, place)),
                    (1, 0) => cx.emit(move || Fact::CityLost(seat, place)),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}
