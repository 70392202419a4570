//! Sums over cards in play: combat powers and Hegemony rolls. Prices are in `market`.
//!
//! Each sum reports its contributions to a [`Note`], so that a player can be shown why a card costs 3 or a
//! roll became 14. In play the listener is `()`, which compiles to nothing.

use crate::active::Slots;
use crate::cards::{COURTLY, Card, Category, KINDS, LIFTS, SWAYS};
use crate::places::{Side, slot};
use crate::state::{Battle, Hegemony};
use pentarchy_engine::{RuleError, Seat, Token};

/// A listener to the contributions of a sum.
pub(crate) trait Note {
    /// Receives one contribution to a sum: the card or rule it comes from, and the amount, which may be 0.
    fn note(&mut self, what: &'static str, amount: i32);
}

impl Note for () {
    /// Ignores the contribution.
    #[inline(always)]
    fn note(&mut self, _: &'static str, _: i32) {}
}

/// One contribution to a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// The card or rule that it comes from.
    pub what: &'static str,
    /// The amount.
    pub amount: i32,
}

/// A sum with its contributions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reckoned {
    /// The sum.
    pub total: i32,
    /// The contributions in order, without zeros; equal ones are merged.
    pub parts: Vec<Contribution>,
}

impl Note for &mut Reckoned {
    /// Adds the contribution to the sum and to the part of this name; a new part is listed unless its amount
    /// is 0.
    fn note(&mut self, what: &'static str, amount: i32) {
        self.total += amount;
        match self.parts.iter_mut().find(|part| part.what == what) {
            Some(part) => part.amount += amount,
            None if amount != 0 => self.parts.push(Contribution { what, amount }),
            None => {}
        }
    }
}

/// Name of the contribution of other Generals to a card's power.
const LED: &str = "led by a General";
/// Name of the contribution of the factor of a Catapult to its attack.
const DOUBLED: &str = "doubled against Archers and Siege Towers";
/// Name of the loss of attack by a Fortification in the slot.
const WALLED: &str = "inside a Fortification";

/// A card in a battle, and its power.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fighter {
    /// The card's token.
    pub token: Token,
    /// Its slot.
    pub slot: u8,
    /// Its face.
    pub card: Card,
    /// Its power in parts. The loss by a Fortification counts for the last card in the slot.
    pub power: Reckoned,
    /// What it adds to the combat rolls of its side.
    pub roll_bonus: i32,
}

/// Collects one sum per card: each card begins with its own number.
impl Note for &mut Vec<Reckoned> {
    /// Begins the sum of the next card with its own number; adds a contribution of other cards (`LED`,
    /// `DOUBLED` or `WALLED`) to the last sum, or drops it if there is none.
    fn note(&mut self, what: &'static str, amount: i32) {
        if ![LED, DOUBLED, WALLED].contains(&what) {
            self.push(Reckoned { total: amount, parts: vec![Contribution { what, amount }] });
        } else if let Some(mut last) = self.last_mut() {
            (&mut last).note(what, amount);
        }
    }
}

/// The contribution that keeps a price from falling below 0.
pub const AT_LEAST_0: &str = "at least 0";

impl std::fmt::Display for Reckoned {
    /// Writes the total and, in brackets, the contributions in order: `3 (printed cost 5, Grifter -1, Market
    /// -1)`; only the total if there are none. The amount of [`AT_LEAST_0`] is left out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.total)?;
        for (i, part) in self.parts.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { " (" } else { ", " }, part.what)?;
            if part.what != AT_LEAST_0 {
                write!(f, " {}{}", if i > 0 && part.amount > 0 { "+" } else { "" }, part.amount)?;
            }
        }
        if self.parts.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// A summary of an army's cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Army {
    /// The number of each card in [`COUNTED`], and of all cards, one byte each.
    counts: u64,
    /// The sum of the printed attacks.
    attack: i32,
    /// The sum of the printed defences.
    defence: i32,
}

/// The cards of an army that affect others.
const COUNTED: [Card; 7] = [
    Card::General,
    Card::Scout,
    Card::Mercenary,
    Card::SiegeTower,
    Card::Catapult,
    Card::Archer,
    Card::Fortification,
];

/// What each card adds to the counts of an army: lookup table instead of a branch per card.
const COUNTS: [u64; KINDS] = {
    let mut counts = [1 << (8 * COUNTED.len()); KINDS];
    let mut i = 0;
    while i < COUNTED.len() {
        counts[COUNTED[i] as usize] += 1 << (8 * i);
        i += 1;
    }
    counts
};

impl Army {
    /// Returns the number of cards of this name in the army. The card must be in [`COUNTED`], which is not
    /// checked: for others it is the number of all cards.
    #[inline]
    pub(crate) fn count(&self, card: Card) -> i32 {
        let i = COUNTED.iter().position(|&counted| counted == card).unwrap_or(COUNTED.len());
        (self.counts >> (8 * i)) as u8 as i32
    }

    /// Returns the number of all cards in the army.
    fn len(&self) -> i32 {
        (self.counts >> (8 * COUNTED.len())) as i32
    }

    /// Returns whether the army has an Archer or a Siege Tower, against which Catapults are doubled.
    pub(crate) fn is_prey(&self) -> bool {
        self.count(Card::Archer) + self.count(Card::SiegeTower) > 0
    }
}

impl Hegemony {
    /// Returns the summary of a side's Military cards that are not disabled now: counts, and sums of attack
    /// and defence. Cards for which `face` returns `None` are left out.
    pub(crate) fn army(&self, side: Side, face: impl Fn(Token) -> Option<Card>) -> Army {
        let mut army = Army::default();
        self.active(side, Category::Military).filter_map(|(_, t)| face(t)).for_each(|card| {
            army.counts += COUNTS[card as usize];
            army.attack += self.rules.attack.get(card);
            army.defence += self.rules.defence.get(card);
        });
        army
    }

    /// Returns the sum of the bonuses that this army's Scouts and Generals give to the combat rolls of its
    /// side, the die rolls after a battle that decide whether cards stay.
    pub(crate) fn roll_bonus(&self, army: &Army) -> i32 {
        let bonus = |card: Card| self.card_roll_bonus(card) * army.count(card);
        bonus(Card::Scout) + bonus(Card::General)
    }

    /// Returns what one card in a battle adds to the combat rolls of its side, the die rolls after a battle
    /// that decide whether cards stay: the tuning number `scout_bonus` for a Scout, `general_bonus` for a
    /// General, 0 for others.
    fn card_roll_bonus(&self, card: Card) -> i32 {
        match card {
            Card::Scout => self.rules.n.scout_bonus,
            Card::General => self.rules.n.general_bonus,
            _ => 0,
        }
    }

    /// Returns what the Generals add to the attack, and likewise to the defence, of the whole army:
    /// `general_lead` for each pair of a General and another card.
    fn lead(&self, army: &Army) -> i32 {
        let generals = army.count(Card::General);
        self.rules.n.general_lead * generals * (army.len() - 1)
    }

    /// Returns the total attack of a side in a battle, what Generals add and Fortifications take included.
    /// `army` must be the summary of its active Military cards, all public. `prey`: the enemy has an Archer
    /// or Siege Tower, so that Catapults are doubled.
    pub(crate) fn total_attack(&self, side: Side, army: &Army, prey: bool) -> i32 {
        let by_card = || self.attack(side, army, prey, |t| self.tokens.public_face(t), ());
        // Effects per slot or per card need a sum card by card.
        if army.count(Card::Fortification) > 0 || (prey && army.count(Card::Catapult) > 0) {
            return by_card();
        }
        let total = army.attack + self.lead(army);
        debug_assert_eq!(total, by_card());
        total
    }

    /// Returns the total defence of a side in a battle: the printed defence of each card, and `general_lead`
    /// for each pair of a General and another card. `army` must be the summary of its active Military cards,
    /// all public.
    pub(crate) fn total_defence(&self, side: Side, army: &Army) -> i32 {
        let total = army.defence + self.lead(army);
        debug_assert_eq!(total, self.defence(side, army, |t| self.tokens.public_face(t), ()));
        total
    }

    /// Returns a side's total attack as far as `face` knows its active Military cards; others are left out. A
    /// card has its printed attack and `general_lead` for each other General; a Catapult has
    /// `catapult_factor` times that if `prey` (the enemy has an Archer or Siege Tower). A Fortification takes
    /// `fortification_drag` from the sum of its slot, which does not fall below 0. Reports each contribution
    /// to `note`, card by card. `army` is the summary of the side with `face`.
    pub(crate) fn attack(
        &self,
        side: Side,
        army: &Army,
        prey: bool,
        face: impl Fn(Token) -> Option<Card>,
        mut note: impl Note,
    ) -> i32 {
        let n = &self.rules.n;
        let mut total = 0;
        for i in Slots(self.active_slots(side, Category::Military)) {
            let (mut power, mut drag) = (0, 0);
            for card in self.tokens.iter(slot(side, i)).filter_map(&face) {
                let others = army.count(Card::General) - i32::from(card == Card::General);
                let (own, lead) = (self.rules.attack.get(card), n.general_lead * others);
                note.note(card.title(), own);
                note.note(LED, lead);
                power += own + lead;
                if card == Card::Catapult && prey {
                    let more = (own + lead) * (n.catapult_factor - 1);
                    note.note(DOUBLED, more);
                    power += more;
                }
                drag += if card == Card::Fortification { n.fortification_drag } else { 0 };
            }
            note.note(WALLED, -drag.min(power));
            total += (power - drag).max(0);
        }
        total
    }

    /// Returns a side's total defence as far as `face` knows the cards, active Military cards only: the
    /// printed defence of each, and `general_lead` for each other General. Reports each contribution to
    /// `note`, card by card. `army` is the summary of the side with `face`.
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
            let others = army.count(Card::General) - i32::from(card == Card::General);
            let (own, lead) = (self.rules.defence.get(card), self.rules.n.general_lead * others);
            note.note(card.title(), own);
            note.note(LED, lead);
            total += own + lead;
        }
        total
    }

    /// Returns the modifier of an active card on its owner's Hegemony roll: the tuning number of Siege Tower,
    /// Barracks, General, Market, Trade Route, Diplomat, Pity Party or Unholy Union; 0 for all others.
    #[inline]
    pub(crate) fn roll_modifier(&self, card: Card) -> i32 {
        // Most cards have none: one set test instead of a match per name.
        if !card.is_in(SWAYS) {
            return 0;
        }
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

    /// Returns the modifier of a seat's Hegemony roll: the sum over its active cards as far as `face` knows
    /// them and its False Flags, without the die. The second number is the slots, bit `i` for slot `i`, whose
    /// Diplomacy cards contribute to it and are spent by the roll. Reports each contribution to `note`, zeros
    /// included.
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
            self.active(seat.into(), category).for_each(|(i, t)| {
                let Some(card) = face(t) else { return };
                let modifier = self.roll_modifier(card);
                note.note(card.title(), modifier);
                total += modifier;
                courtly |= u8::from(card.is_in(COURTLY)) << i;
            });
        }
        let flags = self.rules.n.false_flag_roll * i32::from(self.players[seat.index()].flags);
        note.note("False Flag", flags);
        (total + flags, courtly)
    }

    /// Returns the price of a card for a seat in Victory Points, with its contributions: printed cost,
    /// surcharges and discounts. A card outside the common pool counts as one of the Empire; whether it is
    /// for sale is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden.
    pub fn explain_price(&self, seat: Seat, card: Token) -> Result<Reckoned, RuleError> {
        let mut sum = Reckoned::default();
        self.price(&self.terms(seat), card, &mut sum)?;
        Ok(sum)
    }

    /// Returns the modifier of a seat's next Hegemony roll with its contributions, as far as `face` knows the
    /// cards: active cards and False Flags. The die is not included. `face` returns `None` for a card that is
    /// to be left out.
    pub fn explain_roll(&self, seat: Seat, face: impl Fn(Token) -> Option<Card>) -> Reckoned {
        let mut sum = Reckoned::default();
        self.roll_modifiers(seat, face, &mut sum);
        sum
    }

    /// Returns the attack of `side` on the side `on` with its contributions. `face` returns the faces that
    /// the caller may see; cards for which it returns `None` are left out on both sides. Disabled cards do
    /// not count.
    pub fn explain_attack(&self, side: Side, on: Side, face: impl Fn(Token) -> Option<Card>) -> Reckoned {
        let mut sum = Reckoned::default();
        let prey = self.army(on, &face).is_prey();
        self.attack(side, &self.army(side, &face), prey, &face, &mut sum);
        sum
    }

    /// Returns the defence of a side with its contributions. `face` returns the faces that the caller may
    /// see; cards for which it returns `None` are left out. Disabled cards do not count.
    pub fn explain_defence(&self, side: Side, face: impl Fn(Token) -> Option<Card>) -> Reckoned {
        let mut sum = Reckoned::default();
        self.defence(side, &self.army(side, &face), &face, &mut sum);
        sum
    }

    /// Returns the cards of the attacker and of the defender in a battle, by slot, with their powers, which
    /// add up to the totals of the battle; cards that `face` does not know are left out. `self` is the
    /// position before the battle, or a later one in which no card has left.
    pub(super) fn fighters(
        &self,
        attacker: Side,
        defender: Side,
        face: impl Fn(Token) -> Option<Card>,
    ) -> [Vec<Fighter>; 2] {
        let mut fought = *self;
        fought.battle = Some(Battle::open(attacker, defender));
        let (mut attack, mut defence) = (Vec::new(), Vec::new());
        let (army, enemy) = (fought.army(attacker, &face), fought.army(defender, &face));
        fought.attack(attacker, &army, enemy.is_prey(), &face, &mut attack);
        fought.defence(defender, &enemy, &face, &mut defence);
        [(attacker, attack), (defender, defence)].map(|(side, powers)| {
            let cards = fought.active(side, Category::Military);
            let known = cards.filter_map(|(slot, token)| Some((slot, token, face(token)?)));
            let fighter = |((slot, token, card), power)| {
                let roll_bonus = self.card_roll_bonus(card);
                Fighter { token, slot, card, power, roll_bonus }
            };
            known.zip(powers).map(fighter).collect()
        })
    }
}
