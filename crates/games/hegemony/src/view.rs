//! Read access to the public state for user interfaces, besides the sums of `rules::reckoning`.

use crate::agenda::Task;
use crate::cards::{Card, Category};
use crate::options::Tuning;
use crate::places::Side;
use crate::state::{Battle, Hegemony, Verdict};
use pentarchy_engine::{Seat, Token};

impl Hegemony {
    /// Returns the task on top of the agenda, which says what the rules wait for now; `Over` at the end.
    pub fn step(&self) -> Task {
        self.top()
    }

    /// Iterates over the tasks of the agenda, the next one first. Those below the first are done later.
    pub fn steps(&self) -> impl Iterator<Item = Task> + '_ {
        self.agenda.iter().rev().copied()
    }

    /// Returns the side whose turn it is; `None` between turns.
    pub fn turn(&self) -> Option<Side> {
        self.turn
    }

    /// Returns the number of the last round that may be played; the game may end before.
    pub fn last_round(&self) -> u16 {
        self.rules.last_round
    }

    /// Returns the tuning numbers of this game, which never change in it.
    pub fn tuning(&self) -> &Tuning {
        &self.rules.n
    }

    /// Returns the number of slots of a side: of a player by the options; of the Empire those that it fills,
    /// `empire_slots` plus one per living player, at most 12. The Empire may keep a card in a slot beyond
    /// until its turn ends.
    pub fn slot_count(&self, side: Side) -> u8 {
        if side.is_empire() { self.empire_slots() } else { self.slots(side) }
    }

    /// Iterates over the occupied slots of a side, ascending from 0.
    pub fn occupied_slots(&self, side: Side) -> impl Iterator<Item = u8> + use<> {
        self.occupied(side)
    }

    /// Returns the category of a card in a slot, which is always public; meaningless for cards elsewhere.
    pub fn category_of(&self, t: Token) -> Category {
        self.category(t)
    }

    /// Returns whether the card `t`, which must lie in slot `i` of a side, lies face down: Military cards,
    /// and a player's Diplomacy cards that were placed so. Others may know its face even so.
    pub fn is_face_down(&self, side: Side, i: u8, t: Token) -> bool {
        self.lies_face_down(side, i, t)
    }

    /// Returns how many cards fit behind this one in its slot, all in all: Siege Tower, Barracks,
    /// Fortification and Factory have room; 0 for all others.
    pub fn room_behind(&self, base: Card) -> usize {
        self.room(base).max(0) as usize
    }

    /// Returns the cost of a card in this game, in Victory Points, without discounts and surcharges.
    pub fn cost_of(&self, card: Card) -> i32 {
        self.cost(card)
    }

    /// Returns attack (first) and defence (second) of a card in this game, without other cards; 0 for cards
    /// that are not Military.
    pub fn powers_of(&self, card: Card) -> (i32, i32) {
        (self.rules.attack.get(card), self.rules.defence.get(card))
    }

    /// Returns the price that a Market pays for a card: its cost less a fee, at least 0. Whether a seat may
    /// sell it is not checked.
    pub fn resale_of(&self, card: Card) -> i32 {
        self.resale(card)
    }

    /// Returns by how many Victory Points Scalpers have raised the price of the card `t` for everyone:
    /// `scalper` for each mark on it, 0 without one.
    pub fn surcharge(&self, t: Token) -> i32 {
        self.rules.n.scalper * self.marks.iter().filter(|mark| mark.token == t).count() as i32
    }

    /// Returns which of Sanctions, Embargo and Gridlock (the first if there are several) disables the cards
    /// of slot `i` of a player now, or will do so in the player's next turn (Sanctions also in the next
    /// battle). `None` if none does, for an empty slot, and for the Empire.
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

    /// Iterates over the Embargo, Gridlock and False Flags on a player, in this order, each with its number:
    /// 1 for the first two, the number of marks for False Flags. Those with 0 are left out.
    pub fn burdens(&self, seat: Seat) -> impl Iterator<Item = (Card, u8)> {
        let player = &self.players[seat.index()];
        let all = [
            (Card::Embargo, u8::from(player.embargo)),
            (Card::Gridlock, u8::from(player.gridlock)),
            (Card::FalseFlag, player.flags),
        ];
        all.into_iter().filter(|(_, n)| *n > 0)
    }

    /// Returns the category that the last Lobbyist in slot `i` has named; Military before. Meaningful only
    /// while a Lobbyist lies there.
    pub fn lobbied(&self, seat: Seat, i: u8) -> Category {
        self.players[seat.index()].lobby[usize::from(i)]
    }

    /// Returns the current battle, from its beginning until its aftermath is over; `None` if there is none.
    pub fn fought(&self) -> Option<&Battle> {
        self.battle.as_ref()
    }
}

impl Battle {
    /// Returns the attacker and the defender.
    pub fn sides(&self) -> [Side; 2] {
        [self.attacker, self.defender]
    }

    /// Returns total attack (first) and total defence (second); `None` before powers are compared.
    pub fn totals(&self) -> Option<(i32, i32)> {
        (self.verdict != Verdict::Open).then_some((self.attack, self.defence))
    }

    /// Returns the result: attacker, defender or tie, or open before powers are compared.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the side whose cards part `which` of the aftermath processes: 0 is the loser, after a tie the
    /// attacker; 1 and above the other side.
    pub fn rolling(&self, which: u8) -> Side {
        self.order()[usize::from(which.min(1))]
    }

    /// Returns a side's bonus on combat rolls; 0 before powers are compared. A side that is not the attacker
    /// counts as the defender.
    pub fn bonus_of(&self, side: Side) -> i32 {
        self.bonus[self.part(side)]
    }
}
