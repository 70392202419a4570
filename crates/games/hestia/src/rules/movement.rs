//! A turn: cards for movement, orders, and the picking of armies.

use crate::actions::Action;
use crate::face::NAVAL;
use crate::facts::{Context, Fact, Purpose};
use crate::map::{Place, at};
use crate::options::Logistics;
use crate::state::{Army, Hestia, Task, hand};
use pentarchy_engine::{RuleError, Seat, SeatView, Token, ensure};

impl Hestia {
    /// Begins the turn of a seat: sets `mover`, resets the blocks that have moved, pops the task, and pushes
    /// movement, combat and influence.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn begin_turn(&mut self, seat: Seat) -> Result<(), RuleError> {
        self.agenda.pop();
        self.mover = seat;
        self.moved = 0;
        self.push_tasks(&[Task::Cards(seat), Task::NextBattle(seat), Task::Influence])
    }

    /// Returns how many cards a seat may spend on movement: 2, or fewer with a smaller hand.
    pub(super) fn most_cards(&self, seat: Seat) -> u8 {
        self.tokens.len(hand(seat)).min(2) as u8
    }

    /// Checks and sets how many cards a seat spends on movement, pops the task and emits `MovementPaid`. 0
    /// pushes an exchange of cards; 1 and 2 push the payment and the orders: 1 gives the orders of the
    /// options, 2 any number and one rally.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the hand has fewer cards or `n` is more than 2; or if the agenda is full.
    pub(super) fn choose_cards(&mut self, cx: &mut Context<'_>, seat: Seat, n: u8) -> Result<(), RuleError> {
        ensure(n <= self.most_cards(seat), "there are not so many cards in the hand")?;
        self.agenda.pop();
        cx.emit(move || Fact::MovementPaid(seat, n));
        if n == 0 {
            return self.push_task(Task::Swap(seat, 0));
        }
        self.orders = (n == 1).then_some(self.settings.orders);
        self.rallied = false;
        self.push_tasks(&[Task::Pay(seat, n), Task::Orders(seat)])
    }

    /// Checks and discards a card that pays for movement, emits `Discarded` and pops the task. `left` cards
    /// are to be paid, this one included; if more remain, pushes the task for the next.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the hand; or if the agenda is full.
    pub(super) fn pay(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        left: u8,
        t: Token,
    ) -> Result<(), RuleError> {
        self.ensure_in_hand(t, seat)?;
        self.agenda.pop();
        self.discard_card(cx, seat, t, Purpose::Movement);
        if left > 1 { self.push_task(Task::Pay(seat, left - 1)) } else { Ok(()) }
    }

    /// Applies a `Swap` or `Done` of a player who does not move, and pops the task. `Swap` discards the
    /// card, emits `Discarded` and pushes the task for the next; `Done` emits `Exchanged` and pushes the
    /// draw of `k` + 1 cards. `k` is the number of cards discarded so far.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the hand or it is another action; or if the agenda is
    /// full.
    pub(super) fn swap(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        k: u8,
        act: Action,
    ) -> Result<(), RuleError> {
        match act {
            Action::Swap(t) => {
                self.ensure_in_hand(t, seat)?;
                self.agenda.pop();
                self.discard_card(cx, seat, t, Purpose::Exchange);
                self.push_task(Task::Swap(seat, k + 1))
            }
            Action::Done => {
                self.agenda.pop();
                cx.emit(move || Fact::Exchanged(seat, k));
                self.push_task(Task::Draw(seat, k + 1))
            }
            _ => Err(RuleError::new("put a card away, or be done")),
        }
    }

    // --- orders

    /// Returns whether the seat has an order left and could activate an army or rally. Uncounted orders never
    /// run out.
    pub(super) fn has_orders(&self, seat: Seat) -> bool {
        self.orders != Some(0) && (Place::all().any(|p| self.can_activate(p, seat)) || self.has_rally(seat))
    }

    /// Appends `Army` for each place from which the seat can activate an army, in the order of the map, then
    /// its rallies, and always `End`. Does not check whether an order is left.
    pub(super) fn list_orders(&self, seat: Seat, out: &mut Vec<Action>) {
        out.extend(Place::all().filter(|&p| self.can_activate(p, seat)).map(Action::Army));
        self.rallies(seat, &mut |place, sea| out.push(Action::Rally(place, sea)));
        out.push(Action::End);
    }

    /// Checks and applies an order. `Army` resets `army`, emits `ArmyActivated` and pushes mixing and
    /// picking; `Rally` raises blocks and emits `Rallied`; `End` pops the task `Orders`, which otherwise
    /// stays. Picking, not `Army`, uses up the order.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the order is not legal now; or if the agenda is full.
    pub(super) fn order(&mut self, cx: &mut Context<'_>, seat: Seat, act: Action) -> Result<(), RuleError> {
        match act {
            Action::Army(place) => {
                ensure(self.can_activate(place, seat), "no army can act from there")?;
                self.army = Army { place, ..Army::default() };
                cx.emit(move || Fact::ArmyActivated(seat, place));
                self.push_tasks(&[
                    Task::PrepareMix(seat, false),
                    Task::PrepareMix(seat, true),
                    Task::Pick(seat),
                ])
            }
            Action::Rally(place, sea) => self.rally(cx, seat, place, sea),
            Action::End => self.end_orders(),
            _ => Err(RuleError::new("activate an army, rally, or end")),
        }
    }

    /// Ends the orders of a turn: pops the task and clears `orders`. Never fails.
    pub(super) fn end_orders(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        self.orders = None;
        Ok(())
    }

    /// Uses up one order if orders are counted; no effect if any number is allowed. At least one must be
    /// left: 0 overflows.
    pub(super) fn spend_order(&mut self) {
        self.orders = self.orders.map(|left| left - 1);
    }

    // --- the army

    /// Iterates over the ships (`naval`) or land units at the place of the army that have not moved this turn
    /// and are not in the army yet.
    fn candidates(&self, seat: Seat, naval: bool) -> impl Iterator<Item = Token> + '_ {
        let taken = self.army.blocks;
        self.blocks(self.army.place, seat, naval)
            .filter(move |&t| self.is_fresh(t) && taken & Self::bit(t) == 0)
    }

    /// Returns how many more ships (`naval`) or land units may join the army that is being picked, by the
    /// limits of its place and of an army. Does not check how many there are.
    fn room(&self, naval: bool) -> usize {
        let ships = self.army_ships();
        let lands = self.army.blocks.count_ones() as usize - ships;
        let (most_land, most_ships) = self.limits(self.army.place);
        let all = self.army_limit().saturating_sub(lands + ships);
        if naval {
            most_ships.saturating_sub(ships).min(all)
        } else {
            most_land.saturating_sub(lands).min(all)
        }
    }

    /// Returns the most land units (first) and ships (second) of one army out of a place. Only the boxes have
    /// limits: the reinforcements (LRE) 1 and 0, the navy (LNA) 1 and 1, Bathrad (BAT) 2 and 0; else
    /// `usize::MAX`, which means no limit.
    pub(super) fn limits(&self, place: Place) -> (usize, usize) {
        match place {
            at::LRE => (1, 0),
            at::LNA => (1, 1),
            at::BAT => (2, 0),
            _ => (usize::MAX, usize::MAX),
        }
    }

    /// Returns the most blocks in an army; `usize::MAX`, no limit, with simple logistics.
    pub(super) fn army_limit(&self) -> usize {
        match self.settings.logistics {
            Logistics::Graduated => self.settings.army_limit.into(),
            Logistics::Simple => usize::MAX,
        }
    }

    /// Returns the number of ships in the army that is picked or marches.
    pub(super) fn army_ships(&self) -> usize {
        self.army_blocks().filter(|&t| self.tokens.back(t) == NAVAL).count()
    }

    /// Iterates over the blocks of the army that is picked or marches, land units and ships, in the order of
    /// their numbers.
    pub(super) fn army_blocks(&self) -> impl Iterator<Item = Token> + Clone + '_ {
        let mut left = self.army.blocks;
        std::iter::from_fn(move || {
            let i = (left != 0).then_some(left.trailing_zeros())?;
            left &= left - 1;
            Some(Token(crate::state::FIRST_BLOCK + i as u16))
        })
    }

    /// Unmarks all tokens, marks the ships (`naval`) or land units that may join the army, and pops the task.
    /// With two or more marked blocks pushes `Mix`, in which the seat permutes them, so that the enemy cannot
    /// tell which of them marches.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn prepare_mix(&mut self, seat: Seat, naval: bool) -> Result<(), RuleError> {
        self.agenda.pop();
        self.tokens.unmark_all();
        let mut marked = 0u64;
        for t in self.candidates(seat, naval) {
            marked |= Self::bit(t);
        }
        for i in (0..62).filter(|i| marked >> i & 1 != 0) {
            self.tokens.mark(Token(crate::state::FIRST_BLOCK + i));
        }
        if marked.count_ones() >= 2 { self.push_task(Task::Mix(seat)) } else { Ok(()) }
    }

    /// Returns how many blocks of the seat could be picked next for the army: all candidates of a kind (land
    /// units, ships) for which the army has room for at least one; 0 for the other kind.
    pub(crate) fn pickable(&self, seat: Seat) -> usize {
        let of = |naval| if self.room(naval) > 0 { self.candidates(seat, naval).count() } else { 0 };
        of(false) + of(true)
    }

    /// Returns whether the action `All` is offered while an army is picked: no block is picked yet, the army
    /// is on the map, and the candidates are not more than the limit.
    fn may_take_all(&self, seat: Seat) -> bool {
        let count = self.pickable(seat);
        self.army.blocks == 0 && !self.army.place.is_box() && count <= self.army_limit()
    }

    /// Picks the only candidate of an empty army, or starts the march of an army that no further block can
    /// join. Returns `true` after either, and the caller tries again; `false`, without a change, if the seat
    /// must choose.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn apply_forced_picks(&mut self, seat: Seat) -> Result<bool, RuleError> {
        match self.pickable(seat) {
            0 => {
                self.go()?;
                Ok(true)
            }
            1 if self.army.blocks == 0 => {
                let only = self.candidates(seat, false).chain(self.candidates(seat, true)).next();
                self.army.blocks |= only.map_or(0, Self::bit);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Appends `Pick` for the blocks that may join the army, one of each kind, land units first; then `All`
    /// if it is offered, and `Go` if the army has a block. `own` must be the view of `seat`.
    pub(super) fn list_picks(&self, seat: Seat, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        for naval in [false, true] {
            if self.room(naval) > 0 {
                self.each_kind(own, self.candidates(seat, naval), &mut |t| out.push(Action::Pick(t)));
            }
        }
        if self.may_take_all(seat) {
            out.push(Action::All);
        }
        if self.army.blocks != 0 {
            out.push(Action::Go);
        }
    }

    /// Checks and applies an action of picking: `Pick` adds a block to the army, `All` adds all candidates
    /// and starts the march, `Go` starts it. The march replaces the task `Pick`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the block cannot join, not all can go, the army is empty, or it is another
    /// action; or if the agenda is full.
    pub(super) fn pick(&mut self, seat: Seat, act: Action) -> Result<(), RuleError> {
        match act {
            Action::Pick(t) => {
                let fits = |naval| self.room(naval) > 0 && self.candidates(seat, naval).any(|c| c == t);
                ensure(fits(false) || fits(true), "this block cannot join the army")?;
                self.army.blocks |= Self::bit(t);
                Ok(())
            }
            Action::All => {
                ensure(self.may_take_all(seat), "not all of them can go")?;
                let all = self.candidates(seat, false).chain(self.candidates(seat, true));
                self.army.blocks = all.fold(0, |set, t| set | Self::bit(t));
                self.go()
            }
            Action::Go => {
                ensure(self.army.blocks != 0, "an army needs a block")?;
                self.go()
            }
            _ => Err(RuleError::new("pick blocks, or go")),
        }
    }

    /// Starts the march of a complete army: pops the task, uses up an order if orders are counted, marks its
    /// blocks as moved, sets its moves, and pushes `March` for the mover.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    fn go(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        self.spend_order();
        self.moved |= self.army.blocks;
        self.army.spaces = self.allowance(self.army.blocks.count_ones() as usize);
        self.push_task(Task::March(self.mover))
    }

    /// Returns the number of moves of an army of this many blocks: 3 up to 4 blocks; above that 1 with simple
    /// logistics, else 2 for 5 or 6 blocks, 1 for 7 or 8, and 0 for more.
    pub(crate) fn allowance(&self, blocks: usize) -> u8 {
        match (self.settings.logistics, blocks) {
            (_, 0..=4) => 3,
            (Logistics::Simple, _) => 1,
            (_, 5..=6) => 2,
            (_, 7..=8) => 1,
            _ => 0,
        }
    }
}
