//! Setup, rounds and turns; income and trade gains.

use crate::agenda::Task;
use crate::cards::{Card, Category, EARNERS};
use crate::facts::{Context, Fact, Reason};
use crate::places::{COMMON, POOL_DECK, POOL_DISCARD, Side, deck, discard, hand};
use crate::state::{Ending, Hegemony};
use pentarchy_engine::{Cx, RuleError, Seat, Set};

impl Hegemony {
    /// Pushes the setup (shuffle all decks, fill all slots, begin round 1) and runs it up to the first event.
    /// Call it once, on a state whose decks are laid out.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn set_up(&mut self) -> Result<(), RuleError> {
        self.push_task(Task::Round)?;
        self.push_task(Task::Muster)?;
        let all_slots = (1u8 << self.rules.n.slots) - 1;
        for seat in (0..self.seats).rev().map(Seat) {
            self.push_task(Task::Fill(seat, all_slots))?;
        }
        for seat in (0..self.seats).rev() {
            self.push_task(Task::Shuffle(deck(Side(seat))))?;
        }
        self.push_task(Task::Shuffle(deck(Side::EMPIRE)))?;
        self.push_task(Task::Shuffle(POOL_DECK))?;
        self.run(&mut Cx::silent())
    }

    /// Begins the next round: counts it, emits `RoundBegan`, and deals `pool_size` cards and one per living
    /// player to the common pool. Pushes what follows, in the order of play: the reveal of the pool, the
    /// players' turns, the Empire's turn and the end of the round.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn begin_round(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.round += 1;
        cx.emit(|| Fact::RoundBegan(self.round));
        self.push_task(Task::EndRound)?;
        self.push_task(Task::Empire)?;
        self.push_task(Task::Turns(0))?;
        self.push_task(Task::Show(Set::Zone(COMMON)))?;
        self.deal(self.rules.n.pool_size as u8 + self.living.len())
    }

    /// Deals `left` cards from the pool deck to the common pool, not yet public. If the deck runs out, the
    /// pool discard becomes the deck, and its shuffle and the rest of the deal are pushed; with no card left
    /// the pool stays smaller.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn deal(&mut self, mut left: u8) -> Result<(), RuleError> {
        while left > 0 {
            match self.tokens.top(POOL_DECK) {
                Some(t) => {
                    self.tokens.put(t, COMMON);
                    left -= 1;
                }
                None if !self.remake(POOL_DISCARD, POOL_DECK) => break,
                None => {
                    self.push_task(Task::Deal(left))?;
                    return self.push_task(Task::Shuffle(POOL_DECK));
                }
            }
        }
        Ok(())
    }

    /// Pushes the turn of the first living player from index `k` of this round's turn order on, and below it
    /// the task for the players after that one. No effect if no living player is left in the order.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn next_turn(&mut self, mut k: u8) -> Result<(), RuleError> {
        while let Some(seat) = self.in_order(k) {
            k += 1;
            if self.living.has(seat) {
                self.push_task(Task::Turns(k))?;
                return self.push_task(Task::Turn(seat));
            }
        }
        Ok(())
    }

    /// Begins the turn of a seat: sets `turn`, removes the marks of its Scalpers, and pays income as a trade
    /// gain (after the Empire's fall only with the option `postwar_income`). Then pushes the tasks of the
    /// turn, in the order of play: Scalpers if any are active, upkeep with `ship_purchases` for each active
    /// Cargo Ship, the draw, the player's look at the hand, a permutation of it if another seat knows a card,
    /// the replacement of slots, purchases, the Action, and the end of the turn.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn begin_turn(&mut self, cx: &mut Context<'_>, seat: Seat) -> Result<(), RuleError> {
        let side = Side::from(seat);
        self.turn = Some(side);
        self.lift_marks(|mark| mark.by == seat);
        let (income, ships) = self.income(side);
        if self.standing || self.rules.postwar_income {
            self.trade_gain(cx, seat, income, Reason::Income);
        }
        self.push_task(Task::EndTurn(seat))?;
        self.push_task(Task::Act(seat))?;
        self.push_task(Task::Purchase(seat, self.rules.n.purchases as u8))?;
        self.push_task(Task::Unfold(seat))?;
        self.push_task(Task::MixHand(seat))?;
        self.push_task(Task::Peek(Set::Zone(hand(seat)), seat))?;
        self.push_task(Task::Draw(seat, self.rules.n.draw as u8))?;
        self.push_task(Task::Upkeep(seat, (ships * self.rules.n.ship_purchases) as u8))?;
        match self.count(side, Card::Scalper) {
            0 => Ok(()),
            scalpers => self.push_task(Task::Scalp(seat, scalpers as u8)),
        }
    }

    /// Ends the turn of a seat: clears Embargo, Gridlock and Sanctions on this player, also in the slot
    /// cache, and sets that it is nobody's turn. Scalper marks and False Flags stay. Never fails.
    pub(crate) fn end_turn(&mut self, seat: Seat) -> Result<(), RuleError> {
        let player = &mut self.players[seat.index()];
        (player.embargo, player.gridlock, player.sanctions) = (false, false, 0);
        self.slot_cache.restricted.remove(seat);
        self.turn = None;
        Ok(())
    }

    /// Ends the game with `Cap` if the number of the round has reached the last one of the options; otherwise
    /// begins the next round, with `RoundBegan`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn end_round(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        if self.round >= self.rules.last_round { self.end(Ending::Cap) } else { self.begin_round(cx) }
    }

    /// Returns the income of a side's active Trade cards at the start of its turn, in Victory Points, and
    /// the number of its active Cargo Ships. Each Laborer earns `laborer_income`, and `apprenticeship` more
    /// for each Apprenticeship; each Cargo Ship earns `ship_income`.
    pub(crate) fn income(&self, side: Side) -> (i32, i32) {
        if !self.may_have(side, EARNERS) {
            return (0, 0);
        }
        let (mut laborers, mut ships, mut apprenticeships) = (0, 0, 0);
        self.active(side, Category::Trade).for_each(|(_, t)| {
            laborers += i32::from(self.tokens.is_face(t, Card::Laborer));
            ships += i32::from(self.tokens.is_face(t, Card::CargoShip));
            apprenticeships += i32::from(self.tokens.is_face(t, Card::Apprenticeship));
        });
        let n = &self.rules.n;
        let per_laborer = n.laborer_income + n.apprenticeship * apprenticeships;
        (laborers * per_laborer + ships * n.ship_income, ships)
    }

    /// Adds `by`, which may be negative, to the points of a side, and emits `Points` with the reason. Points
    /// may fall below 0; defeat is checked elsewhere.
    #[inline(always)]
    pub(crate) fn pay(&mut self, cx: &mut Context<'_>, side: Side, by: i32, why: Reason) {
        self.vp[side.index()] += by;
        let now = self.vp[side.index()];
        cx.emit(move || Fact::Points { side, by, now, why });
    }

    /// Pays a player `amount` points as a gain by trade, for the reason `why`. Then pays each side in the
    /// game, the Empire and the player included, `middleman` points for each of its active Middlemen. Emits
    /// `Points` for each payment; for Middlemen also with a change of 0. No effect if `amount` is less than
    /// 1.
    pub(crate) fn trade_gain(&mut self, cx: &mut Context<'_>, seat: Seat, amount: i32, why: Reason) {
        if amount < 1 {
            return;
        }
        self.pay(cx, seat.into(), amount, why);
        if !self.any_side_may_have(1 << Card::Middleman as u8) {
            return;
        }
        for side in (0..self.seats).map(Side).chain([Side::EMPIRE]) {
            if self.is_in(side) {
                let share = self.rules.n.middleman * self.count(side, Card::Middleman);
                self.pay(cx, side, share, Reason::Middleman);
            }
        }
    }

    // --- drawing

    /// Moves `left` cards from a seat's deck to its hand; nobody sees them yet. If the deck runs out, the
    /// discard pile becomes the deck, and its shuffle and the rest of the draw are pushed; cards that neither
    /// has are not drawn.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn draw(&mut self, seat: Seat, mut left: u8) -> Result<(), RuleError> {
        let (from, used) = (deck(seat.into()), discard(seat.into()));
        while left > 0 {
            match self.tokens.top(from) {
                Some(t) => {
                    self.tokens.put(t, hand(seat));
                    left -= 1;
                }
                None if !self.remake(used, from) => break,
                None => {
                    self.push_task(Task::Draw(seat, left))?;
                    return self.push_task(Task::Shuffle(from));
                }
            }
        }
        Ok(())
    }

    /// Pushes a permutation of the hand by its owner if another seat knows a card of it, so that this card
    /// cannot be traced into a slot. Otherwise, if the task on top is the replacement of slots by this seat,
    /// pops that task and begins the replacement at once.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn mix_hand(&mut self, seat: Seat) -> Result<(), RuleError> {
        if self.tokens.iter(hand(seat)).any(|t| self.tokens.known(t).beyond(seat)) {
            return self.push_task(Task::Mix(hand(seat), seat));
        }
        if self.top() != Task::Unfold(seat) {
            return Ok(());
        }
        self.agenda.pop();
        self.begin_replacing(seat)
    }
}
