//! A turn: cards for movement, orders, and the picking of armies.

use crate::actions::Action;
use crate::face::NAVAL;
use crate::map::{Place, at};
use crate::options::Logistics;
use crate::state::{Army, Hestia, Task, discard, hand};
use pentarchy_engine::{RuleError, Seat, SeatView, Token, ensure};

impl Hestia {
    /// Pushes the phases of a turn: movement, combat, influence. Resets the blocks that have moved.
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

    /// Returns how many cards a seat may spend on movement.
    pub(super) fn most_cards(&self, seat: Seat) -> u8 {
        self.tokens.len(hand(seat)).min(2) as u8
    }

    /// Checks and sets how many cards a seat spends on movement.
    ///
    /// # Errors
    ///
    /// Fails if the hand has fewer cards.
    pub(super) fn choose_cards(&mut self, seat: Seat, n: u8) -> Result<(), RuleError> {
        ensure(n <= self.most_cards(seat), "there are not so many cards in the hand")?;
        self.agenda.pop();
        if n == 0 {
            return self.push_task(Task::Swap(seat, 0));
        }
        self.orders = (n == 1).then_some(self.settings.orders);
        self.rallied = false;
        self.push_tasks(&[Task::Pay(seat, n), Task::Orders(seat)])
    }

    /// Checks and discards one of `left` cards that pay for movement.
    ///
    /// # Errors
    ///
    /// Fails if the card is not in the hand.
    pub(super) fn pay(&mut self, seat: Seat, left: u8, t: Token) -> Result<(), RuleError> {
        self.ensure_in_hand(t, seat)?;
        self.agenda.pop();
        self.tokens.put(t, discard(seat));
        if left > 1 { self.push_task(Task::Pay(seat, left - 1)) } else { Ok(()) }
    }

    /// Exchanges a card: a player who does not move may exchange cards, and draws one more than they discard.
    ///
    /// # Errors
    ///
    /// Fails if the card is not in the hand, or the action is another one.
    pub(super) fn swap(&mut self, seat: Seat, k: u8, act: Action) -> Result<(), RuleError> {
        match act {
            Action::Swap(t) => {
                self.ensure_in_hand(t, seat)?;
                self.agenda.pop();
                self.tokens.put(t, discard(seat));
                self.push_task(Task::Swap(seat, k + 1))
            }
            Action::Done => {
                self.agenda.pop();
                self.push_task(Task::Draw(seat, k + 1))
            }
            _ => Err(RuleError::new("put a card away, or be done")),
        }
    }

    // --- orders

    /// Returns whether anything can be ordered.
    pub(super) fn has_orders(&self, seat: Seat) -> bool {
        self.orders != Some(0) && (Place::all().any(|p| self.can_activate(p, seat)) || self.has_rally(seat))
    }

    /// Lists the armies that can be activated, rallies, and `end`.
    pub(super) fn list_orders(&self, seat: Seat, out: &mut Vec<Action>) {
        out.extend(Place::all().filter(|&p| self.can_activate(p, seat)).map(Action::Army));
        self.rallies(seat, &mut |place, sea| out.push(Action::Rally(place, sea)));
        out.push(Action::End);
    }

    /// Checks an order and pushes its tasks.
    ///
    /// # Errors
    ///
    /// Fails if the order is not legal now.
    pub(super) fn order(&mut self, seat: Seat, act: Action) -> Result<(), RuleError> {
        match act {
            Action::Army(place) => {
                ensure(self.can_activate(place, seat), "no army can act from there")?;
                self.army = Army { place, ..Army::default() };
                self.push_tasks(&[
                    Task::PrepareMix(seat, false),
                    Task::PrepareMix(seat, true),
                    Task::Pick(seat),
                ])
            }
            Action::Rally(place, sea) => self.rally(seat, place, sea),
            Action::End => self.end_orders(),
            _ => Err(RuleError::new("activate an army, rally, or end")),
        }
    }

    /// Ends the orders of a turn.
    pub(super) fn end_orders(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        self.orders = None;
        Ok(())
    }

    /// Uses up an order, if orders are counted.
    pub(super) fn spend_order(&mut self) {
        self.orders = self.orders.map(|left| left - 1);
    }

    // --- the army

    /// Iterates over the fresh blocks of one kind that could still join the army.
    fn candidates(&self, seat: Seat, naval: bool) -> impl Iterator<Item = Token> + '_ {
        let taken = self.army.blocks;
        self.blocks(self.army.place, seat, naval)
            .filter(move |&t| self.is_fresh(t) && taken & Self::bit(t) == 0)
    }

    /// Returns how many more blocks of a kind may join.
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

    /// Returns the most land units and ships of one army out of a place.
    pub(super) fn limits(&self, place: Place) -> (usize, usize) {
        match place {
            at::LRE => (1, 0),
            at::LNA => (1, 1),
            at::BAT => (2, 0),
            _ => (usize::MAX, usize::MAX),
        }
    }

    /// Returns the most blocks in an army.
    pub(super) fn army_limit(&self) -> usize {
        match self.settings.logistics {
            Logistics::Graduated => self.settings.army_limit.into(),
            Logistics::Simple => usize::MAX,
        }
    }

    /// Returns the ships in the army.
    pub(super) fn army_ships(&self) -> usize {
        self.army_blocks().filter(|&t| self.tokens.back(t) == NAVAL).count()
    }

    /// Iterates over the blocks of the army.
    pub(super) fn army_blocks(&self) -> impl Iterator<Item = Token> + Clone + '_ {
        let mut left = self.army.blocks;
        std::iter::from_fn(move || {
            let i = (left != 0).then_some(left.trailing_zeros())?;
            left &= left - 1;
            Some(Token(crate::state::FIRST_BLOCK + i as u16))
        })
    }

    /// Marks the fresh blocks of one kind, to be mixed if there are several.
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

    /// Returns how many blocks could be picked now.
    pub(crate) fn pickable(&self, seat: Seat) -> usize {
        let of = |naval| if self.room(naval) > 0 { self.candidates(seat, naval).count() } else { 0 };
        of(false) + of(true)
    }

    /// Returns whether "all" is offered: first of all, on the map, if they are not too many.
    fn may_take_all(&self, seat: Seat) -> bool {
        let count = self.pickable(seat);
        self.army.blocks == 0 && !self.army.place.is_box() && count <= self.army_limit()
    }

    /// Takes the only candidate, and starts an army that no further block can join. Returns whether it did one
    /// of these.
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

    /// Appends the blocks that may join the army, one of each kind, and `all` and `go` where legal.
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

    /// Checks and adds a block to the army, or starts its march.
    ///
    /// # Errors
    ///
    /// Fails if the block cannot join, or the army cannot go.
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

    /// Starts the march of a complete army: uses up the order and marks its blocks as moved.
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

    /// Returns the number of spaces that an army of this many blocks may march.
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
