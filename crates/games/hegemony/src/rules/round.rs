//! Setup, rounds and turns; income and trade gains.

use crate::agenda::Step;
use crate::cards::{Card, Category, EARNERS};
use crate::places::{COMMON, POOL_DECK, POOL_DISCARD, Side, deck, discard, hand};
use crate::state::{Ending, Hegemony};
use pentarchy_engine::{Rejected, Seat, Set};

impl Hegemony {
    /// Decks are shuffled, slots are filled, round 1 begins.
    pub(crate) fn set_up(&mut self) -> Result<(), Rejected> {
        self.then(Step::Round)?;
        self.then(Step::Muster)?;
        let all_slots = (1u8 << self.rules.n.slots) - 1;
        for seat in (0..self.seats).rev().map(Seat) {
            self.then(Step::Fill(seat, all_slots))?;
        }
        for seat in (0..self.seats).rev() {
            self.then(Step::Shuffle(deck(Side(seat))))?;
        }
        self.then(Step::Shuffle(deck(Side::EMPIRE)))?;
        self.then(Step::Shuffle(POOL_DECK))?;
        self.run()
    }

    pub(crate) fn begin_round(&mut self) -> Result<(), Rejected> {
        self.round += 1;
        self.then(Step::EndRound)?;
        self.then(Step::Empire)?;
        self.then(Step::Turns(0))?;
        self.then(Step::Show(Set::Zone(COMMON)))?;
        self.deal(self.rules.n.pool_size as u8 + self.living.len())
    }

    /// Deals to the common pool; the discard is shuffled in when the deck is empty.
    pub(crate) fn deal(&mut self, mut left: u8) -> Result<(), Rejected> {
        while left > 0 {
            match self.tokens.top(POOL_DECK) {
                Some(t) => {
                    self.tokens.put(t, COMMON);
                    left -= 1;
                }
                None if !self.remake(POOL_DISCARD, POOL_DECK) => break,
                None => {
                    self.then(Step::Deal(left))?;
                    return self.then(Step::Shuffle(POOL_DECK));
                }
            }
        }
        Ok(())
    }

    /// The turn of the next living player.
    pub(crate) fn next_turn(&mut self, mut k: u8) -> Result<(), Rejected> {
        while let Some(seat) = self.in_order(k) {
            k += 1;
            if self.living.has(seat) {
                self.then(Step::Turns(k))?;
                return self.then(Step::Turn(seat));
            }
        }
        Ok(())
    }

    /// Upkeep begins: marks of the own Scalpers end, income is paid; the rest of the turn is laid out.
    pub(crate) fn begin_turn(&mut self, seat: Seat) -> Result<(), Rejected> {
        let side = Side::from(seat);
        self.turn = Some(side);
        self.lift_marks(|mark| mark.by == seat);
        let (income, ships) = self.income(side);
        if self.standing || self.rules.postwar_income {
            self.trade_gain(seat, income);
        }
        self.then(Step::EndTurn(seat))?;
        self.then(Step::Act(seat))?;
        self.then(Step::Purchase(seat, self.rules.n.purchases as u8))?;
        self.then(Step::Unfold(seat))?;
        self.then(Step::MixHand(seat))?;
        self.then(Step::Peek(Set::Zone(hand(seat)), seat))?;
        self.then(Step::Draw(seat, self.rules.n.draw as u8))?;
        self.then(Step::Upkeep(seat, (ships * self.rules.n.ship_purchases) as u8))?;
        match self.count(side, Card::Scalper) {
            0 => Ok(()),
            scalpers => self.then(Step::Scalp(seat, scalpers as u8)),
        }
    }

    pub(crate) fn end_turn(&mut self, seat: Seat) -> Result<(), Rejected> {
        let player = &mut self.players[seat.index()];
        (player.embargo, player.gridlock, player.sanctions) = (false, false, 0);
        self.kinds.hampered &= !(1 << seat.0);
        self.turn = None;
        Ok(())
    }

    pub(crate) fn end_round(&mut self) -> Result<(), Rejected> {
        if self.round >= self.rules.last_round { self.end(Ending::Cap) } else { self.begin_round() }
    }

    /// What a side's Trade cards bring at the start of its turn, and how many Cargo Ships are among them.
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

    /// A player gains by trade, and every Middleman of every side with it.
    pub(crate) fn trade_gain(&mut self, seat: Seat, amount: i32) {
        if amount < 1 {
            return;
        }
        self.vp[seat.index()] += amount;
        if !self.may_anybody_have(1 << Card::Middleman as u8) {
            return;
        }
        for side in (0..self.seats).map(Side).chain([Side::EMPIRE]) {
            if self.is_in(side) {
                self.vp[side.index()] += self.rules.n.middleman * self.count(side, Card::Middleman);
            }
        }
    }

    // --- drawing

    /// Draws into the hand; the discard is shuffled into a new deck when the deck is empty.
    pub(crate) fn draw(&mut self, seat: Seat, mut left: u8) -> Result<(), Rejected> {
        let (from, used) = (deck(seat.into()), discard(seat.into()));
        while left > 0 {
            match self.tokens.top(from) {
                Some(t) => {
                    self.tokens.put(t, hand(seat));
                    left -= 1;
                }
                None if !self.remake(used, from) => break,
                None => {
                    self.then(Step::Draw(seat, left))?;
                    return self.then(Step::Shuffle(from));
                }
            }
        }
        Ok(())
    }

    /// The owner mixes the hand if somebody else knows a card of it, so that it cannot be followed. If not, the
    /// replacing, which is next on the agenda, begins at once.
    pub(crate) fn mix_hand(&mut self, seat: Seat) -> Result<(), Rejected> {
        if self.tokens.iter(hand(seat)).any(|t| self.tokens.known(t).beyond(seat)) {
            return self.then(Step::Mix(hand(seat), seat));
        }
        if self.top() != Step::Unfold(seat) {
            return Ok(());
        }
        self.agenda.pop();
        self.begin_replacing(seat)
    }
}
