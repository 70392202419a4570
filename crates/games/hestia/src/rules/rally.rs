//! Rallies: blocks of the pool are raised at home, in friendly city-states, and in Bathrad.

use crate::blocks::Unit;
use crate::facts::{Context, Fact};
use crate::map::{CITIES, Place, at};
use crate::state::{H, Hestia, L, enemy};
use pentarchy_engine::{RuleError, Seat, ensure};

impl Hestia {
    /// Returns whether a rally is still allowed this turn: counted orders allow any number, two cards allow
    /// only one.
    fn may_rally(&self) -> bool {
        self.orders.is_some() || !self.rallied
    }

    /// Returns whether a seat has an active token in a city-state, the enemy has none there, and no enemy
    /// land unit stands in it.
    fn holds(&self, place: Place, seat: Seat) -> bool {
        self.is_active(place, seat)
            && !self.is_active(place, enemy(seat))
            && self.land_units(place, enemy(seat)) == 0
    }

    /// Returns whether a seat has a possible rally now. Does not check whether an order is left.
    pub(crate) fn has_rally(&self, seat: Seat) -> bool {
        let mut any = false;
        self.rallies(seat, &mut |_, _| any = true);
        any
    }

    /// Calls `out` for each possible rally of a seat: the place, and for ships the sea in which they appear.
    /// A kind of block must be in the pool. Home first: for Lenisia the boxes LRE and LNA and ships of KAD in
    /// S1, for Hathea HAT and ships of EHA in S7; KAD, HAT and EHA without enemy land units. Then the
    /// city-states that the seat alone [holds](Self::holds), then Bathrad if it has a ship in S3 or S5.
    /// Nothing if no rally is allowed this turn. Does not check whether an order is left, or whose turn it
    /// is.
    pub(super) fn rallies(&self, seat: Seat, out: &mut impl FnMut(Place, Option<Place>)) {
        if !self.may_rally() {
            return;
        }
        let there = |unit| self.in_pool(unit).is_some();
        if seat == L {
            if there(Unit::L_LEVY) {
                out(at::LRE, None);
            }
            if there(Unit::L_LEVY) || there(Unit::L_NAVY) {
                out(at::LNA, None);
            }
            if there(Unit::L_NAVY) && self.land_units(at::KAD, H) == 0 {
                out(at::KAD, Some(at::S1));
            }
        } else {
            if there(Unit::H_LEVY) && self.land_units(at::HAT, L) == 0 {
                out(at::HAT, None);
            }
            if there(Unit::H_NAVY) && self.land_units(at::EHA, L) == 0 {
                out(at::EHA, Some(at::S7));
            }
        }
        for (city, &place) in CITIES.iter().enumerate() {
            if self.active[seat.index()] >> city & 1 == 0 || !self.holds(place, seat) {
                continue;
            }
            if there(Unit::guard(city)) || there(Unit::militia(city)) {
                out(place, None);
            }
            if Unit::city_navy(place).is_some_and(there) {
                place.coasts().for_each(|sea| out(place, Some(sea)));
            }
        }
        let reaches = [at::S3, at::S5].iter().any(|&sea| self.ship_count(sea, seat) > 0);
        if reaches && there(Unit::MERCENARY) {
            out(at::BAT, None);
        }
    }

    /// Checks and applies a rally: uses up an order, sets `rallied`, emits `Rallied` and a `Raised` for
    /// each block, and raises, marked as moved: a levy in LRE, a levy and a ship in LNA, two levies in HAT,
    /// two mercenaries in BAT, Guard and Militia in a city-state; with `sea` the ship of the place there.
    /// Kinds that the pool lacks are left out.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if this rally is not possible now.
    pub(super) fn rally(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        place: Place,
        sea: Option<Place>,
    ) -> Result<(), RuleError> {
        let mut offered = false;
        self.rallies(seat, &mut |p, s| offered |= (p, s) == (place, sea));
        ensure(offered, "nothing can be raised there now")?;
        self.spend_order();
        self.rallied = true;
        cx.emit(move || Fact::Rallied(seat, sea.unwrap_or(place)));
        match (place, sea) {
            (at::KAD, Some(sea)) => self.raise(cx, Unit::L_NAVY, sea, seat),
            (at::EHA, Some(sea)) => self.raise(cx, Unit::H_NAVY, sea, seat),
            (city, Some(sea)) => {
                if let Some(navy) = Unit::city_navy(city) {
                    self.raise(cx, navy, sea, seat);
                }
            }
            (at::LRE, None) => self.raise(cx, Unit::L_LEVY, place, seat),
            (at::LNA, None) => {
                self.raise(cx, Unit::L_LEVY, place, seat);
                self.raise(cx, Unit::L_NAVY, place, seat);
            }
            (at::HAT, None) => {
                self.raise(cx, Unit::H_LEVY, place, seat);
                self.raise(cx, Unit::H_LEVY, place, seat);
            }
            (at::BAT, None) => {
                self.raise(cx, Unit::MERCENARY, place, seat);
                self.raise(cx, Unit::MERCENARY, place, seat);
            }
            (city, None) => {
                if let Some(number) = city.city() {
                    self.raise(cx, Unit::guard(number), city, seat);
                    self.raise(cx, Unit::militia(number), city, seat);
                }
            }
        }
        Ok(())
    }
}
