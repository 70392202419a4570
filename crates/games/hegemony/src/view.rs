//! What whoever draws the table may ask of the public state, besides the sums of `rules::reckoning`.

use crate::agenda::Step;
use crate::cards::{Card, Category};
use crate::options::Tuning;
use crate::places::Side;
use crate::state::{Battle, Hegemony, Verdict};
use pentarchy_engine::{Seat, Token};

impl Hegemony {
    /// What is to happen next.
    pub fn step(&self) -> Step {
        self.top()
    }

    /// The steps that are still to happen, the next one first.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.agenda.iter().rev().copied()
    }

    /// Whose turn it is; nobody's between turns.
    pub fn turn(&self) -> Option<Side> {
        self.turn
    }

    /// The number of the last round.
    pub fn last_round(&self) -> u16 {
        self.rules.last_round
    }

    /// The numbers of the rules.
    pub fn tuning(&self) -> &Tuning {
        &self.rules.n
    }

    /// How many slots a side has; of the Empire, those that it fills.
    pub fn slot_count(&self, side: Side) -> u8 {
        if side.is_empire() { self.empire_slots() } else { self.slots(side) }
    }

    /// The slots of a side that hold a card.
    pub fn occupied_slots(&self, side: Side) -> impl Iterator<Item = u8> + use<> {
        self.occupied(side)
    }

    /// The category of a card in a slot.
    pub fn category_of(&self, t: Token) -> Category {
        self.category(t)
    }

    /// Whether a card in a slot lies face down.
    pub fn is_face_down(&self, side: Side, i: u8, t: Token) -> bool {
        self.lies_face_down(side, i, t)
    }

    /// How many cards fit behind this one.
    pub fn room_behind(&self, base: Card) -> usize {
        self.room(base).max(0) as usize
    }

    /// The printed cost of a card in this game.
    pub fn cost_of(&self, card: Card) -> i32 {
        self.cost(card)
    }

    /// Attack and defence of a card in this game.
    pub fn powers_of(&self, card: Card) -> (i32, i32) {
        (self.rules.attack.get(card), self.rules.defence.get(card))
    }

    /// What a Market pays for a card.
    pub fn resale_of(&self, card: Card) -> i32 {
        self.resale(card)
    }

    /// By how much Scalpers have raised the price of a card in the common pool.
    pub fn surcharge(&self, t: Token) -> i32 {
        self.rules.n.scalper * self.marks.iter().filter(|mark| mark.token == t).count() as i32
    }

    /// Why the cards of a slot do nothing in this turn or battle: the card that has switched them off.
    pub fn switched_off(&self, side: Side, i: u8) -> Option<Card> {
        let player = &self.players[side.seat()?.index()];
        let category = self.slot_category(side, i)?;
        if player.sanctions >> i & 1 != 0 {
            Some(Card::Sanctions)
        } else if player.embargo && category == Category::Trade {
            Some(Card::Embargo)
        } else if player.gridlock && category == Category::Diplomacy {
            Some(Card::Gridlock)
        } else {
            None
        }
    }

    /// What lies on a player: the card, and how many of it.
    pub fn burdens(&self, seat: Seat) -> impl Iterator<Item = (Card, u8)> {
        let player = &self.players[seat.index()];
        let all = [
            (Card::Embargo, u8::from(player.embargo)),
            (Card::Gridlock, u8::from(player.gridlock)),
            (Card::FalseFlag, player.flags),
        ];
        all.into_iter().filter(|(_, n)| *n > 0)
    }

    /// What the Lobbyist in a slot has named.
    pub fn lobbied(&self, seat: Seat, i: u8) -> Category {
        self.players[seat.index()].lobby[usize::from(i)]
    }

    /// The battle that is being fought.
    pub fn fought(&self) -> Option<&Battle> {
        self.battle.as_ref()
    }
}

impl Battle {
    /// Who attacks, and who defends.
    pub fn sides(&self) -> [Side; 2] {
        [self.attacker, self.defender]
    }

    /// Total attack and defence, once powers have been compared.
    pub fn totals(&self) -> Option<(i32, i32)> {
        (self.verdict != Verdict::Open).then_some((self.attack, self.defence))
    }

    /// How it went.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The side whose cards are looked at in this part of the aftermath: the loser's first.
    pub fn rolling(&self, which: u8) -> Side {
        self.order()[usize::from(which.min(1))]
    }

    /// What a side adds to its combat rolls.
    pub fn bonus_of(&self, side: Side) -> i32 {
        self.bonus[self.part(side)]
    }
}
