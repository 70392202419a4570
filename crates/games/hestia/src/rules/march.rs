//! The march of an army: steps by land and sea, tokens placed, blocks dropped, forced marches.

use crate::actions::Action;
use crate::facts::{Context, Fact, Purpose};
use crate::map::{Edge, Place};
use crate::options::Neutral;
use crate::state::{Halt, Hestia, enemy, hand, land, ships};
use pentarchy_engine::{RuleError, Seat, SeatView, Token, ensure};

/// The number of land units and ships of an army.
#[derive(Clone, Copy)]
pub(super) struct Column {
    /// Number of land units.
    pub(super) land: usize,
    /// Number of ships.
    pub(super) ships: usize,
}

impl Hestia {
    /// Returns whether an army of this size may go from `from` to `to` over `edge`, which must join them.
    /// Over land borders always. Land units embark only from a port, onto a sea where the seat has more ships
    /// than the enemy; they sail only where its ships, those of the army included, outnumber the enemy's;
    /// ships alone sail anywhere and do not land. No land units may be left at sea without a ship. Does not
    /// check moves or halts.
    pub(super) fn may_step(&self, seat: Seat, from: Place, to: Place, edge: Edge, army: Column) -> bool {
        let outnumbers =
            |sailing: usize| self.ship_count(to, seat) + sailing > self.ship_count(to, enemy(seat));
        let sails = army.land == 0 || outnumbers(army.ships);
        let legal = match edge {
            Edge::Plain | Edge::River | Edge::Crossing => true,
            Edge::Coast if to.is_sea() => from.spot().port && outnumbers(0),
            Edge::Coast => army.land > 0,
            Edge::Sea => sails,
            Edge::Exit if to.is_sea() => sails,
            Edge::Exit => army.land > 0,
        };
        legal && !self.strands(seat, from, edge, army)
    }

    /// Returns whether the step over `edge` would leave land units of the seat in the sea `from` without a
    /// ship. Ships stay behind when an army lands.
    fn strands(&self, seat: Seat, from: Place, edge: Edge, army: Column) -> bool {
        let sailing = if edge == Edge::Coast { 0 } else { army.ships };
        from.is_sea() && self.land_units(from, seat) > army.land && self.ship_count(from, seat) <= sailing
    }

    /// Returns whether some army of the seat's blocks in this place that have not moved this turn could place
    /// a token or make a step, within the limits of an army. Does not check whether an order is left.
    pub(super) fn can_activate(&self, place: Place, seat: Seat) -> bool {
        let fresh = |naval| self.blocks(place, seat, naval).filter(|&t| self.is_fresh(t)).count();
        if self.tokens.is_empty(land(place, seat)) && self.ship_count(place, seat) == 0 {
            return false;
        }
        let (lands, ships) = (fresh(false), fresh(true));
        let (most_land, most_ships) = self.limits(place);
        let (lands, ships) = (lands.min(most_land), ships.min(most_ships));
        if lands > 0 && self.may_influence(place, seat) {
            return true;
        }
        // On land the number makes no difference; at sea every mixture is tried.
        let sizes = if place.is_land() { (lands.min(1), 0) } else { (lands, ships) };
        (0..=sizes.0).any(|l| {
            (0..=sizes.1).any(|s| {
                let size = l + s;
                let army = Column { land: l, ships: s };
                size > 0
                    && size <= self.army_limit()
                    && self.allowance(size) > 0
                    && place.links().iter().any(|&(to, edge)| self.may_step(seat, place, to, edge, army))
            })
        })
    }

    /// Returns the number of land units and of ships of the marching army.
    fn column(&self) -> Column {
        let ships = self.army_ships();
        Column { land: self.army.blocks.count_ones() as usize - ships, ships }
    }

    /// Returns whether the marching army has a connected place to go to, even if it has no moves left or is
    /// halted; `false` for an empty army.
    fn has_step(&self, seat: Seat) -> bool {
        let (place, army) = (self.army.place, self.column());
        army.land + army.ships > 0
            && place.links().iter().any(|&(to, edge)| self.may_step(seat, place, to, edge, army))
    }

    /// Returns whether the marching army has moves left and is not halted by enemies, a river or a landing.
    /// Does not check whether there is a place to go to.
    pub(crate) fn is_free_to_move(&self) -> bool {
        self.army.spaces > 0 && self.army.halt == Halt::None
    }

    /// Returns whether a card would give the army one more step: it has no moves left or is halted by a river
    /// or a landing, not by enemies; it has not forced yet, the seat has a card, and there is a place to go
    /// to.
    fn may_force(&self, seat: Seat) -> bool {
        !self.army.forced
            && !self.is_free_to_move()
            && self.army.halt != Halt::Enemy
            && !self.tokens.is_empty(hand(seat))
            && self.has_step(seat)
    }

    /// Returns whether a seat may place a token in a place: a city-state without its token, not active for
    /// the enemy (unless the option `open` allows it), and the seat has tokens left. The caller checks that a
    /// land unit stands there.
    fn may_influence(&self, place: Place, seat: Seat) -> bool {
        let neutral = self.settings.neutral == Neutral::Open || !self.is_active(place, enemy(seat));
        place.city().is_some()
            && neutral
            && !self.has_token(place, seat)
            && self.placed(seat) < self.settings.tokens
    }

    /// Returns whether the marching army has a land unit and may place a token where it stands.
    pub(crate) fn army_may_influence(&self, seat: Seat) -> bool {
        self.may_influence(self.army.place, seat) && self.column().land > 0
    }

    /// Returns whether the army may leave a block behind: it has made a step, has more than one block, and
    /// can still move or force a march.
    fn may_drop(&self, seat: Seat) -> bool {
        let moves = (self.is_free_to_move() && self.has_step(seat)) || self.may_force(seat);
        self.army.stepped && self.army.blocks.count_ones() > 1 && moves
    }

    /// Returns whether the marching army can step, place a token or force a march. If not, the caller ends
    /// its march.
    pub(super) fn can_act(&self, seat: Seat) -> bool {
        (self.is_free_to_move() && self.has_step(seat))
            || self.army_may_influence(seat)
            || self.may_force(seat)
    }

    /// Ends the march: pops the task and empties the army; its blocks stay where they are and have moved.
    /// Never fails.
    pub(super) fn halt_army(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        self.army.blocks = 0;
        Ok(())
    }

    /// Appends the legal actions of the marching army: `Move`s, `Influence`, `Drop` for one block of each
    /// kind, `Force` for one card of each kind, each if allowed now, and always `Stop`. `own` must be the
    /// view of `seat`.
    pub(super) fn list_march(&self, seat: Seat, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        let (place, army) = (self.army.place, self.column());
        if self.is_free_to_move() {
            let steps =
                place.links().iter().filter(|&&(to, edge)| self.may_step(seat, place, to, edge, army));
            out.extend(steps.map(|&(to, _)| Action::Move(to)));
        }
        if self.army_may_influence(seat) {
            out.push(Action::Influence);
        }
        if self.may_drop(seat) {
            self.each_kind(own, self.army_blocks(), &mut |t| out.push(Action::Drop(t)));
        }
        if self.may_force(seat) {
            self.each_kind(own, self.tokens.iter(hand(seat)), &mut |t| out.push(Action::Force(t)));
        }
        out.push(Action::Stop);
    }

    /// Checks and applies an action of the marching army: `Move` makes a step (`Marched`), which may halt the
    /// army; `Influence` places a token face down (`TokenPlaced`) and fixes the last year if it is the seat's
    /// last one; `Drop` leaves a block behind (`LeftBlock`); `Force` discards a card (`Discarded`), lifts the
    /// halt and gives one move; `Stop` ends the march. All but `Stop` keep the task on the agenda.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the action is not legal for the army now.
    pub(super) fn march(&mut self, cx: &mut Context<'_>, seat: Seat, act: Action) -> Result<(), RuleError> {
        match act {
            Action::Move(to) => {
                let from = self.army.place;
                ensure(self.army.halt == Halt::None, "the march has ended here")?;
                ensure(self.army.spaces > 0, "the army has marched as far as it can")?;
                let edge = from.edge_to(to).ok_or(RuleError::new("these places are not connected"))?;
                ensure(self.may_step(seat, from, to, edge, self.column()), "the army cannot go there")?;
                let blocks = self.army.blocks.count_ones() as u8;
                cx.emit(move || Fact::Marched { seat, to, blocks });
                self.step_to(seat, to, edge);
                Ok(())
            }
            Action::Influence => {
                ensure(self.army_may_influence(seat), "no token can be placed here")?;
                self.place_token(cx, seat);
                Ok(())
            }
            Action::Drop(t) => {
                ensure(self.may_drop(seat), "no block can be dropped now")?;
                let in_army = t.0 >= crate::state::FIRST_BLOCK
                    && t.0 < crate::state::FIRST_BLOCK + 62
                    && self.army.blocks & Self::bit(t) != 0;
                ensure(in_army, "this block is not in the army")?;
                self.army.blocks &= !Self::bit(t);
                let place = self.army.place;
                cx.emit(move || Fact::LeftBlock(seat, place));
                Ok(())
            }
            Action::Force(t) => {
                ensure(self.may_force(seat), "a forced march is not possible now")?;
                self.ensure_in_hand(t, seat)?;
                self.discard_card(cx, seat, t, Purpose::ForcedMarch);
                self.army.forced = true;
                self.army.spaces = 1;
                self.army.halt = Halt::None;
                Ok(())
            }
            Action::Stop => self.halt_army(),
            _ => Err(RuleError::new("the army is on the march")),
        }
    }

    /// Moves the blocks of the army and the army itself to `to` over `edge`, uses up one of its moves,
    /// marks it as having stepped, and sets its halt: `Enemy` if enemy land units, or at sea enemy ships,
    /// are there; `Terrain` after a landing, or over a river without a bridge for the seat; else `None`.
    /// When the army lands, its ships leave it and stay at sea. Emits nothing. The caller has checked the
    /// step.
    fn step_to(&mut self, seat: Seat, to: Place, edge: Edge) {
        let from = self.army.place;
        let landing = edge == Edge::Coast && to.is_land();
        let mut blocks = self.army.blocks;
        while blocks != 0 {
            let t = Token(crate::state::FIRST_BLOCK + blocks.trailing_zeros() as u16);
            blocks &= blocks - 1;
            let naval = self.tokens.back(t) == crate::face::NAVAL;
            match (naval, landing) {
                // Ships stay in the sea from which an army lands.
                (true, true) => self.army.blocks &= !Self::bit(t),
                (true, false) => {
                    if let Some(zone) = ships(to, seat) {
                        self.tokens.put(t, zone);
                    }
                }
                (false, _) => self.tokens.put(t, land(to, seat)),
            }
        }
        let foe = enemy(seat);
        let met = self.land_units(to, foe) > 0 || (to.is_sea() && self.ship_count(to, foe) > 0);
        self.army.place = to;
        self.army.stepped = true;
        self.army.spaces -= 1;
        self.army.halt = if met {
            Halt::Enemy
        } else if landing || (edge == Edge::River && !self.is_bridged(from, to, seat)) {
            Halt::Terrain
        } else {
            Halt::None
        };
    }

    /// Places a token of `seat` face down (inactive) in the city-state where the marching army stands, and
    /// emits `TokenPlaced`. If it is the seat's last one, next year becomes the last, unless that is fixed
    /// already. The caller has checked that the army may place one.
    fn place_token(&mut self, cx: &mut Context<'_>, seat: Seat) {
        let place = self.army.place;
        cx.emit(move || Fact::TokenPlaced(seat, place));
        if let Some(city) = place.city() {
            self.inactive[seat.index()] |= 1 << city;
        }
        if self.placed(seat) == self.settings.tokens {
            self.trigger_end(cx);
        }
    }
}
