//! What is in play, added up in one place: combat powers and Hegemony rolls. (Prices are in `market`.)
//!
//! Each sum tells its contributions to whoever listens, so that a player can be shown why a card costs 3 or
//! a roll became 14; in play nobody listens, and that costs nothing.

use crate::cards::{COURTLY, Card, Category, LIFTS};
use crate::places::{Side, slot};
use crate::state::Hegemony;
use pentarchy_engine::{Rejected, Seat, Token};

/// Whoever listens to the contributions of a sum.
pub(crate) trait Note {
    fn note(&mut self, what: &'static str, amount: i32);
}

impl Note for () {
    #[inline(always)]
    fn note(&mut self, _: &'static str, _: i32) {}
}

/// One contribution to a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// Where it comes from: a card, or a rule.
    pub what: &'static str,
    /// How much it is.
    pub amount: i32,
}

/// A sum with its contributions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reckoned {
    /// What it comes to.
    pub total: i32,
    /// What it consists of, in order; those of nothing are left out, equal ones are added up.
    pub parts: Vec<Contribution>,
}

impl Note for &mut Reckoned {
    fn note(&mut self, what: &'static str, amount: i32) {
        self.total += amount;
        match self.parts.iter_mut().find(|part| part.what == what) {
            Some(part) => part.amount += amount,
            None if amount != 0 => self.parts.push(Contribution { what, amount }),
            None => {}
        }
    }
}

impl std::fmt::Display for Reckoned {
    /// For instance `3 (printed cost 5, Grifter -1, Market -1)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.total)?;
        for (i, part) in self.parts.iter().enumerate() {
            let sign = if i > 0 && part.amount > 0 { "+" } else { "" };
            write!(f, "{}{} {sign}{}", if i == 0 { " (" } else { ", " }, part.what, part.amount)?;
        }
        if self.parts.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// What an army is made of, as far as it matters for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Army {
    pub(crate) generals: i32,
    pub(crate) scouts: i32,
    pub(crate) mercenaries: i32,
    pub(crate) towers: i32,
    pub(crate) catapults: i32,
    pub(crate) archers: i32,
}

impl Army {
    /// Whether Catapults do double damage to it.
    pub(crate) fn is_prey(&self) -> bool {
        self.archers + self.towers > 0
    }
}

impl Hegemony {
    /// What a side's active Military cards are, seen with these eyes; unknown ones are left out.
    pub(crate) fn army(&self, side: Side, face: impl Fn(Token) -> Option<Card>) -> Army {
        let mut army = Army::default();
        for (_, t) in self.active(side, Category::Military) {
            match face(t) {
                Some(Card::General) => army.generals += 1,
                Some(Card::Scout) => army.scouts += 1,
                Some(Card::Mercenary) => army.mercenaries += 1,
                Some(Card::SiegeTower) => army.towers += 1,
                Some(Card::Catapult) => army.catapults += 1,
                Some(Card::Archer) => army.archers += 1,
                _ => {}
            }
        }
        army
    }

    /// What a side adds to its combat rolls.
    pub(crate) fn roll_bonus(&self, army: &Army) -> i32 {
        self.rules.n.scout_bonus * army.scouts + self.rules.n.general_bonus * army.generals
    }

    /// A side's total attack against an enemy who is prey to Catapults or not, seen with these eyes.
    pub(crate) fn attack(
        &self,
        side: Side,
        army: &Army,
        prey: bool,
        face: impl Fn(Token) -> Option<Card>,
        mut note: impl Note,
    ) -> i32 {
        let n = &self.rules.n;
        let off = self.off(side);
        let mut total = 0;
        for i in self.military_slots(side).filter(|&i| off.leaves_on(i, Category::Military)) {
            let (mut power, mut drag) = (0, 0);
            for card in self.tokens.iter(slot(side, i)).filter_map(&face) {
                let others = army.generals - i32::from(card == Card::General);
                let (own, lead) = (self.rules.attack.get(card), n.general_lead * others);
                note.note(card.title(), own);
                note.note("led by a General", lead);
                power += own + lead;
                if card == Card::Catapult && prey {
                    let more = (own + lead) * (n.catapult_factor - 1);
                    note.note("Catapults against Archers and Siege Towers", more);
                    power += more;
                }
                drag += if card == Card::Fortification { n.fortification_drag } else { 0 };
            }
            note.note("inside a Fortification", -drag.min(power));
            total += (power - drag).max(0);
        }
        total
    }

    /// A side's total defence, seen with these eyes.
    pub(crate) fn defence(
        &self,
        side: Side,
        army: &Army,
        face: impl Fn(Token) -> Option<Card>,
        mut note: impl Note,
    ) -> i32 {
        let mut total = 0;
        for (_, t) in self.active(side, Category::Military) {
            let Some(card) = face(t) else { continue };
            let others = army.generals - i32::from(card == Card::General);
            let (own, lead) = (self.rules.defence.get(card), self.rules.n.general_lead * others);
            note.note(card.title(), own);
            note.note("led by a General", lead);
            total += own + lead;
        }
        total
    }

    /// What a card of the target adds to its Hegemony roll.
    pub(crate) fn roll_modifier(&self, card: Card) -> i32 {
        let n = &self.rules.n;
        match card {
            Card::SiegeTower => n.siege_tower_roll,
            Card::Barracks => n.barracks_roll,
            Card::General => n.general_roll,
            Card::Market => n.market_roll,
            Card::TradeRoute => n.trade_route_roll,
            Card::Diplomat => n.diplomat_roll,
            Card::PityParty => n.pity_party_roll,
            Card::UnholyUnion => n.unholy_union_roll,
            _ => 0,
        }
    }

    /// The modifiers of a seat's Hegemony roll, and the slots whose Diplomacy cards are among them.
    pub(crate) fn roll_modifiers(
        &self,
        seat: Seat,
        face: impl Fn(Token) -> Option<Card>,
        mut note: impl Note,
    ) -> (i32, u8) {
        let (mut total, mut courtly) = (0, 0);
        for (category, cards) in
            [(Category::Military, 0), (Category::Trade, LIFTS), (Category::Diplomacy, COURTLY)]
        {
            if cards != 0 && !self.may_have(seat.into(), cards) {
                continue;
            }
            for (i, t) in self.active(seat.into(), category) {
                let Some(card) = face(t) else { continue };
                let modifier = self.roll_modifier(card);
                note.note(card.title(), modifier);
                total += modifier;
                if card.is_in(COURTLY) {
                    courtly |= 1 << i;
                }
            }
        }
        let flags = self.rules.n.false_flag_roll * i32::from(self.players[seat.index()].flags);
        note.note("False Flag", flags);
        (total + flags, courtly)
    }

    /// Why a card in the common pool or in an Empire slot costs a seat what it costs.
    pub fn explain_price(&self, seat: Seat, card: Token) -> Result<Reckoned, Rejected> {
        let mut sum = Reckoned::default();
        self.price(&self.terms(seat), card, &mut sum)?;
        Ok(sum)
    }

    /// What a seat's Hegemony roll would be modified by, seen with these eyes.
    pub fn explain_roll(&self, seat: Seat, face: impl Fn(Token) -> Option<Card>) -> Reckoned {
        let mut sum = Reckoned::default();
        self.roll_modifiers(seat, face, &mut sum);
        sum
    }

    /// What one side's attack on another comes to, seen with these eyes.
    pub fn explain_attack(&self, side: Side, on: Side, face: impl Fn(Token) -> Option<Card>) -> Reckoned {
        let mut sum = Reckoned::default();
        let prey = self.army(on, &face).is_prey();
        self.attack(side, &self.army(side, &face), prey, &face, &mut sum);
        sum
    }

    /// What a side's defence comes to, seen with these eyes.
    pub fn explain_defence(&self, side: Side, face: impl Fn(Token) -> Option<Card>) -> Reckoned {
        let mut sum = Reckoned::default();
        self.defence(side, &self.army(side, &face), &face, &mut sum);
        sum
    }
}
