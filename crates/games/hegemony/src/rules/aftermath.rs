//! What becomes of the troops after a battle, and of the loser's slots.

use super::COLLATERAL;
use crate::active::Slots;
use crate::agenda::{Aim, Step};
use crate::cards::{CARDS, Card, Category, KINDS};
use crate::places::{Side, deck, discard, slot};
use crate::state::Hegemony;
use pentarchy_engine::{Cx, FaceSet, Rejected, Token, ensure};

/// What a battle was for one of its sides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Result3 {
    Won,
    Lost,
    Tied,
}

/// What becomes of a card.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    Discarded,
    IntoDeck,
    Rolls,
}

/// What has become of a card after a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aftermath {
    /// It stays in its slot.
    Stays,
    /// It goes to the discard pile of its side.
    Discarded,
    /// It goes back into the deck of its side.
    IntoDeck,
    /// It stays as another card.
    Becomes(Card),
}

/// What becomes of a card by what the battle was for its side, Archers under a Catapult aside.
const fn usual_fate(card: Card, result: Result3) -> Fate {
    use Result3::{Lost, Tied, Won};
    match (card, result) {
        (Card::Conscript, Lost) => Fate::Rolls,
        (Card::Conscript, Won | Tied) => Fate::Discarded,
        (Card::Partisan, Won) => Fate::Rolls,
        (Card::Partisan, Lost) => Fate::Discarded,
        (Card::ProfessionalSoldier, Lost) => Fate::Rolls,
        (Card::Cavalry, _) => Fate::Rolls,
        (Card::Scout | Card::SiegeTower, Lost) => Fate::IntoDeck,
        (Card::General, Lost) => Fate::Discarded,
        _ => Fate::Stays,
    }
}

/// The same as a table: which card comes next cannot be guessed, so nothing branches on it.
const FATES: [[Fate; KINDS]; 3] = {
    let mut fates = [[Fate::Stays; KINDS]; 3];
    let results = [Result3::Won, Result3::Lost, Result3::Tied];
    let mut i = 0;
    while i < 3 * KINDS {
        let (result, card) = (results[i / KINDS], CARDS[i % KINDS]);
        fates[result as usize][card as usize] = usual_fate(card, result);
        i += 1;
    }
    fates
};

impl Hegemony {
    fn result(&self, side: Side) -> Result3 {
        match self.battle.and_then(|b| b.victor()) {
            Some(victor) if victor == side => Result3::Won,
            Some(_) => Result3::Lost,
            None => Result3::Tied,
        }
    }

    /// What becomes of a card after a battle that was this for its side.
    #[inline]
    fn fate(&self, side: Side, result: Result3, card: Card) -> Fate {
        // Catapults matter only in a won attack, and then to the defender's Archers.
        if card == Card::Archer && result == Result3::Lost {
            let shot = self.battle.is_some_and(|b| b.catapult && side == b.defender);
            return if shot { Fate::Rolls } else { Fate::Stays };
        }
        FATES[result as usize][card as usize]
    }

    /// Goes through the shown cards of a side, then of the other: first the loser's, then the victor's.
    pub(crate) fn aftermath(&mut self, which: u8, from: u8, place: u8) -> Result<(), Rejected> {
        let Some(&side) = self.battle.and_then(|b| b.order().get(usize::from(which)).copied()).as_ref()
        else {
            return Ok(());
        };
        let fought = self.active_slots(side, Category::Military);
        let rest = if self.is_in(side) { fought & (!0 << from) } else { 0 };
        let result = self.result(side);
        for i in Slots(rest) {
            let mut k = if i == from { place } else { 0 };
            let mut at = self.tokens.iter(slot(side, i)).nth(k.into());
            while let Some(t) = at {
                at = self.tokens.below(t);
                match self.fate(side, result, self.tokens.face(t)?) {
                    Fate::Stays => k += 1,
                    Fate::Discarded => self.put_from_slot(t, side, i, discard(side)),
                    Fate::IntoDeck => self.return_to_deck(side, i, t),
                    Fate::Rolls => return self.then(Step::Combat(which, i, k)),
                }
            }
        }
        self.aftermath(which + 1, 0, 0)
    }

    fn return_to_deck(&mut self, side: Side, i: u8, t: Token) {
        self.put_from_slot(t, side, i, deck(side));
        if let Some(battle) = &mut self.battle {
            battle.returned[battle.part(side)] = true;
        }
    }

    /// A combat roll decides what becomes of a card.
    pub(crate) fn combat_roll(&mut self, which: u8, i: u8, k: u8, natural: i32) -> Result<(), Rejected> {
        let battle = self.battle.ok_or(super::NOT_NOW)?;
        let side = battle.order()[usize::from(which)];
        let t = self.tokens.iter(slot(side, i)).nth(k.into()).ok_or(super::NOT_NOW)?;
        let bonus = battle.bonus[battle.part(side)];
        self.agenda.pop();
        let result = self.combat_result(self.tokens.face(t)?, natural, bonus);
        match result {
            Aftermath::Stays => {}
            Aftermath::Discarded => self.put_from_slot(t, side, i, discard(side)),
            Aftermath::IntoDeck => self.return_to_deck(side, i, t),
            Aftermath::Becomes(card) => self.promote(t, card)?,
        }
        let stays = !matches!(result, Aftermath::Discarded | Aftermath::IntoDeck);
        self.aftermath(which, i, k + u8::from(stays))
    }

    /// What a combat roll makes of a card. A card that does not roll stays.
    pub fn combat_result(&self, card: Card, natural: i32, bonus: i32) -> Aftermath {
        let (roll, n) = (natural + bonus, &self.rules.n);
        let lost = |stays: bool, otherwise| if stays { Aftermath::Stays } else { otherwise };
        match card {
            Card::Conscript if natural >= n.levy_natural => Aftermath::Becomes(Card::ProfessionalSoldier),
            Card::Conscript if roll >= n.levy_stays => Aftermath::Becomes(Card::Partisan),
            Card::Conscript => Aftermath::Discarded,
            Card::Partisan if roll >= n.partisan_rises => Aftermath::Becomes(Card::ProfessionalSoldier),
            Card::Cavalry => lost(roll >= n.cavalry_stays, Aftermath::IntoDeck),
            Card::ProfessionalSoldier => lost(roll >= n.professional_stays, Aftermath::Discarded),
            Card::Archer => lost(roll >= n.archer_stays, Aftermath::Discarded),
            _ => Aftermath::Stays,
        }
    }

    /// The combat roll that a card needs, its bonus included.
    pub fn combat_needs(&self, card: Card) -> i32 {
        let n = &self.rules.n;
        match card {
            Card::Conscript => n.levy_stays,
            Card::Partisan => n.partisan_rises,
            Card::Cavalry => n.cavalry_stays,
            Card::ProfessionalSoldier => n.professional_stays,
            _ => n.archer_stays,
        }
    }

    /// What becomes of a card after a battle without a roll: the victor is given, nobody after a tie.
    pub fn unrolled(card: Card, side: Side, victor: Option<Side>) -> Aftermath {
        let result = match victor {
            Some(victor) if victor == side => Result3::Won,
            Some(_) => Result3::Lost,
            None => Result3::Tied,
        };
        match usual_fate(card, result) {
            Fate::Discarded => Aftermath::Discarded,
            Fate::IntoDeck => Aftermath::IntoDeck,
            Fate::Stays | Fate::Rolls => Aftermath::Stays,
        }
    }

    /// Slots whose base card has gone are tidied. (All cards of slots that fought are public.)
    pub(crate) fn tidy_all(&mut self) -> Result<(), Rejected> {
        let Some(battle) = self.battle else { return Ok(()) };
        for side in battle.order() {
            let crowded = self.holding_more(side, 1);
            if crowded == 0 {
                continue;
            }
            for i in Slots(crowded & self.active_slots(side, Category::Military)) {
                self.tidy(side, i)?;
            }
        }
        Ok(())
    }

    // --- Siege Towers

    pub(crate) fn razing_is_open(&self, left: u8) -> bool {
        // A Pity Party may have toppled a victorious Empire.
        left > 0
            && (self.first_rules || self.is_in(self.victor()))
            && self.is_in(self.loser())
            && self.military_slots(self.loser()).next().is_some()
    }

    /// A Military slot of the loser is emptied into its deck.
    pub(crate) fn raze(&mut self, left: u8, i: u8) -> Result<(), Rejected> {
        let loser = self.loser();
        ensure(self.military_slots(loser).any(|k| k == i), "this is no Military slot of the loser")?;
        self.agenda.pop();
        while let Some(t) = self.base(loser, i) {
            self.return_to_deck(loser, i, t);
        }
        self.then(Step::Raze(left - 1))
    }

    /// Each deck that got cards back is shuffled once, the loser's first; after a tie the attacker's.
    pub(crate) fn reshuffle(&mut self) -> Result<(), Rejected> {
        let Some(battle) = self.battle else { return Ok(()) };
        for side in battle.order().into_iter().rev() {
            if battle.returned[battle.part(side)] {
                self.then(Step::Shuffle(deck(side)))?;
            }
        }
        Ok(())
    }

    // --- Collateral Damage

    /// The active Diplomacy cards of a side of which nobody has been assured that they are no Collateral Damage.
    pub(crate) fn hidden_collateral(&self, side: Side) -> impl Iterator<Item = Token> + Clone + '_ {
        self.active(side, Category::Diplomacy)
            .map(|(_, t)| t)
            .filter(|&t| !self.tokens.is_public(t) && self.tokens.may_be(t, FaceSet::from_bits(COLLATERAL)))
    }

    pub(crate) fn reveal_collateral(&mut self, side: Side, t: Token) -> Result<(), Rejected> {
        let slot = self.active(side, Category::Diplomacy).find(|&(_, u)| u == t).map(|(i, _)| i);
        let hidden = |i: u8| self.first_rules || self.lies_face_down(side, i, t);
        let shown = slot.is_some_and(hidden) && self.tokens.face(t)? == Card::CollateralDamage;
        ensure(shown, "this card is not to be shown")?;
        if let Some(i) = slot {
            self.turn_up(side, i);
        }
        Ok(())
    }

    /// A Diplomacy card comes to lie face up. It no longer entitles its owner to be asked about a Sabotage.
    fn turn_up(&mut self, side: Side, i: u8) {
        if let Some(seat) = side.seat().filter(|_| !self.first_rules) {
            self.players[seat.index()].down &= !(1 << i);
        }
    }

    pub(crate) fn deny_collateral(&mut self, cx: &mut Cx<'_, Card>, side: Side) -> Result<(), Rejected> {
        cx.require_none(&self.tokens, self.hidden_collateral(side), FaceSet::from_bits(COLLATERAL))?;
        while let Some(t) = { self.hidden_collateral(side).next() } {
            self.tokens.narrow(t, FaceSet::from_bits(!COLLATERAL));
        }
        Ok(())
    }

    /// The Collateral Damage of a side, card by card: used by a victor on a slot of the loser, or just spent.
    pub(crate) fn collateral(&mut self, side: Side, from: u8) -> Result<(), Rejected> {
        if !self.is_in(side) || !self.may_have(side, COLLATERAL) {
            return Ok(());
        }
        let found = self
            .active(side, Category::Diplomacy)
            .find(|&(i, t)| i >= from && self.tokens.public_face(t) == Some(Card::CollateralDamage));
        let Some((i, _)) = found else { return Ok(()) };
        self.then(Step::Collateral(side, i + 1))?;
        let won = self.battle.and_then(|b| b.victor()) == Some(side);
        let loser = self.loser();
        if won && self.is_in(loser) && self.civil_slots(loser).next().is_some() {
            return self.then(Step::Ruin(side, i));
        }
        self.empty_slot(side, i);
        Ok(())
    }

    /// The Collateral Damage in slot `i` of the victor is used on a slot of the loser.
    pub(crate) fn ruin(&mut self, side: Side, i: u8, target: u8) -> Result<(), Rejected> {
        let loser = self.loser();
        ensure(
            self.civil_slots(loser).any(|k| k == target),
            "this is no Trade or Diplomacy slot of the loser",
        )?;
        let card = self.base(side, i).ok_or(super::NOT_NOW)?;
        self.turn_up(side, i);
        self.agenda.pop();
        self.open_use(side, card, Aim::Slot(loser, target))
    }
}
