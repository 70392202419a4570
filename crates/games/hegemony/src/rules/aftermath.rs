//! The aftermath of a battle: which troops stay, and what happens to the loser's slots.

use super::COLLATERAL;
use crate::active::Slots;
use crate::agenda::{Aim, Task};
use crate::cards::{CARDS, Card, Category, KINDS};
use crate::facts::{CombatRoll, Context, Fact};
use crate::places::{Side, deck, discard, slot};
use crate::state::Hegemony;
use pentarchy_engine::{FaceSet, RuleError, Token, ensure};

/// The result of a battle for one of its sides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BattleResult {
    /// The side has won.
    Won,
    /// The side has lost.
    Lost,
    /// Neither side has won.
    Tied,
}

/// What happens to a card after a battle, before any combat roll.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It stays in its slot.
    Stays,
    /// It goes to the discard pile of its side.
    Discarded,
    /// It goes back into the deck of its side.
    IntoDeck,
    /// A combat roll decides.
    Rolls,
}

/// What has happened to a card after a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aftermath {
    /// It stays in its slot.
    Stays,
    /// It goes to the discard pile of its side.
    Discarded,
    /// It goes back into the deck of its side.
    IntoDeck,
    /// It stays and is promoted to this card.
    Becomes(Card),
}

/// Returns what happens to a card after a battle with this result for its side. Conscript: needs a combat
/// roll after a defeat, else is discarded. Partisan: needs one after a victory, is discarded after a defeat,
/// stays after a tie. Professional Soldier: needs one after a defeat, else stays. Cavalry: always needs one.
/// After a defeat Scout and Siege Tower return to the deck, and a General is discarded. All else stays;
/// Archers hit by a Catapult are an exception that the function does not cover.
const fn usual_fate(card: Card, result: BattleResult) -> Fate {
    use BattleResult::{Lost, Tied, Won};
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

/// [`usual_fate`] as a lookup table instead of a branch per card, because the next card is unpredictable:
/// first index the result, second the card.
const FATES: [[Fate; KINDS]; 3] = {
    let mut fates = [[Fate::Stays; KINDS]; 3];
    let results = [BattleResult::Won, BattleResult::Lost, BattleResult::Tied];
    let mut i = 0;
    while i < 3 * KINDS {
        let (result, card) = (results[i / KINDS], CARDS[i % KINDS]);
        fates[result as usize][card as usize] = usual_fate(card, result);
        i += 1;
    }
    fates
};

impl Hegemony {
    /// Returns the result of the current battle for `side`; tied if it is not decided or there is none.
    /// `side` must take part: any other side counts as a loser.
    fn result(&self, side: Side) -> BattleResult {
        match self.battle.and_then(|b| b.victor()) {
            Some(victor) if victor == side => BattleResult::Won,
            Some(_) => BattleResult::Lost,
            None => BattleResult::Tied,
        }
    }

    /// Returns what happens to a card of `side`, which has got this result in the current battle, before any
    /// combat roll: the [usual fate](usual_fate). Only an Archer of a defender beaten by an army with a
    /// Catapult must roll instead of staying.
    #[inline]
    fn fate(&self, side: Side, result: BattleResult, card: Card) -> Fate {
        // Catapults matter only in a won attack, and then only for the defender's Archers.
        if card == Card::Archer && result == BattleResult::Lost {
            let shot = self.battle.is_some_and(|b| b.catapult && side == b.defender);
            return if shot { Fate::Rolls } else { Fate::Stays };
        }
        FATES[result as usize][card as usize]
    }

    /// Applies the fates of the active Military cards of the loser, then of the victor (after a tie of the
    /// attacker, then the defender), from side `which` (0 or 1 in this order), slot `from` and position
    /// `place` on. Emits `Fate` for each and moves those that leave. At a card that needs a combat roll it
    /// pushes `Combat` and returns; the roll continues from there. Skips a side that is out of the game. No
    /// effect beyond the second side or without a battle.
    ///
    /// # Errors
    ///
    /// Fails if a card is hidden, or the agenda is full; earlier cards have moved then.
    pub(crate) fn aftermath(
        &mut self,
        cx: &mut Context<'_>,
        which: u8,
        from: u8,
        place: u8,
    ) -> Result<(), RuleError> {
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
                let card = self.tokens.face(t)?;
                let mut tell =
                    |result| cx.emit(move || Fact::Fate { side, token: t, card, roll: None, result });
                match self.fate(side, result, card) {
                    Fate::Stays => {
                        tell(Aftermath::Stays);
                        k += 1;
                    }
                    Fate::Discarded => {
                        tell(Aftermath::Discarded);
                        self.put_from_slot(t, side, i, discard(side));
                    }
                    Fate::IntoDeck => {
                        tell(Aftermath::IntoDeck);
                        self.return_to_deck(side, i, t);
                    }
                    Fate::Rolls => return self.push_task(Task::Combat(which, i, k)),
                }
            }
        }
        self.aftermath(cx, which + 1, 0, 0)
    }

    /// Moves the card `t` from slot `i` to the bottom of the deck of its side, and records in the battle that
    /// this deck must be shuffled in its aftermath; without a battle nothing is recorded. Cards behind `t`
    /// stay and are not checked.
    fn return_to_deck(&mut self, side: Side, i: u8, t: Token) {
        self.put_from_slot(t, side, i, deck(side));
        if let Some(battle) = &mut self.battle {
            battle.returned[battle.part(side)] = true;
        }
    }

    /// Applies the combat roll `natural` (1 to 20, not checked) to the card at position `k` of slot `i` of
    /// side `which`: 0 the loser, 1 the victor; after a tie 0 the attacker, 1 the defender; not above 1. Pops
    /// the task, emits `Fate`, discards, returns to the deck or promotes the card, or lets it stay, and
    /// continues the aftermath with the next card.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if there is no battle or no such card; with the task popped if the card is
    /// hidden, or the reserve or the agenda is exhausted.
    pub(crate) fn combat_roll(
        &mut self,
        cx: &mut Context<'_>,
        which: u8,
        i: u8,
        k: u8,
        natural: i32,
    ) -> Result<(), RuleError> {
        let battle = self.battle.ok_or(super::NOT_NOW)?;
        let side = battle.order()[usize::from(which)];
        let t = self.tokens.iter(slot(side, i)).nth(k.into()).ok_or(super::NOT_NOW)?;
        let bonus = battle.bonus[battle.part(side)];
        self.agenda.pop();
        let card = self.tokens.face(t)?;
        let result = self.combat_result(card, natural, bonus);
        let this = &*self;
        cx.emit(move || {
            let (total, needs) = (natural + bonus, this.combat_needs(card));
            let roll = Some(CombatRoll { natural, bonus, total, needs });
            Fact::Fate { side, token: t, card, roll, result }
        });
        match result {
            Aftermath::Stays => {}
            Aftermath::Discarded => self.put_from_slot(t, side, i, discard(side)),
            Aftermath::IntoDeck => self.return_to_deck(side, i, t),
            Aftermath::Becomes(card) => self.promote(t, card)?,
        }
        let stays = !matches!(result, Aftermath::Discarded | Aftermath::IntoDeck);
        self.aftermath(cx, which, i, k + u8::from(stays))
    }

    /// Returns the result of a combat roll for a card: `natural` is the die, the roll is `natural` plus
    /// `bonus`. A Conscript becomes a Professional Soldier if `natural` reaches `levy_natural`, a Partisan if
    /// the roll reaches `levy_stays`, else is discarded; a Partisan becomes a Professional Soldier from
    /// `partisan_rises` on, else stays; Cavalry stays from `cavalry_stays` on, else returns to the deck; a
    /// Professional Soldier or Archer stays from `professional_stays` or `archer_stays` on, else is
    /// discarded. Any other card stays.
    fn combat_result(&self, card: Card, natural: i32, bonus: i32) -> Aftermath {
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

    /// Returns the combat roll, bonus included, that a card needs to stay or to be promoted. The card must be
    /// one that rolls; for any other it is the number of an Archer.
    fn combat_needs(&self, card: Card) -> i32 {
        let n = &self.rules.n;
        match card {
            Card::Conscript => n.levy_stays,
            Card::Partisan => n.partisan_rises,
            Card::Cavalry => n.cavalry_stays,
            Card::ProfessionalSoldier => n.professional_stays,
            _ => n.archer_stays,
        }
    }

    /// Discards the cards of both sides of the battle that no longer fit behind the base card of their active
    /// Military slot, and emits `Crowded` for each. No effect without a battle. All cards in slots that
    /// fought are public.
    ///
    /// # Errors
    ///
    /// Fails if such a card is hidden.
    pub(crate) fn tidy_all(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        let Some(battle) = self.battle else { return Ok(()) };
        for side in battle.order() {
            let crowded = self.slots_longer_than(side, 1);
            if crowded == 0 {
                continue;
            }
            for i in Slots(crowded & self.active_slots(side, Category::Military)) {
                self.tidy(cx, side, i)?;
            }
        }
        Ok(())
    }

    // --- Siege Towers

    /// Returns whether the victor may raze a slot: `left` Siege Towers is more than 0, both sides are in the
    /// game, and the loser has a Military slot. Version 1 of the rules does not ask whether the victor is in
    /// the game.
    pub(crate) fn razing_is_open(&self, left: u8) -> bool {
        // A Pity Party may have toppled a victorious Empire.
        left > 0
            && (self.first_rules || self.is_in(self.victor()))
            && self.is_in(self.loser())
            && self.military_slots(self.loser()).next().is_some()
    }

    /// Uses one of the victor's `left` Siege Towers, at least 1, on Military slot `i` of the loser: moves all
    /// cards of the slot to the bottom of the loser's deck, which is shuffled later, and emits `Razed`.
    /// Replaces the task by that for the rest.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if it is no Military slot of the loser; or if the agenda is full.
    pub(crate) fn raze(&mut self, cx: &mut Context<'_>, left: u8, i: u8) -> Result<(), RuleError> {
        let loser = self.loser();
        ensure(self.military_slots(loser).any(|k| k == i), "this is no Military slot of the loser")?;
        self.agenda.pop();
        cx.emit(|| {
            let cards = self.tokens.iter(slot(loser, i)).collect();
            Fact::Razed { by: self.victor(), loser, slot: i, cards }
        });
        while let Some(t) = self.base(loser, i) {
            self.return_to_deck(loser, i, t);
        }
        self.push_task(Task::Raze(left - 1))
    }

    /// Pushes a shuffle of each side's deck to which cards have returned in this battle: the loser's is done
    /// first, after a tie the attacker's. No effect without a battle.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn reshuffle(&mut self) -> Result<(), RuleError> {
        let Some(battle) = self.battle else { return Ok(()) };
        for side in battle.order().into_iter().rev() {
            if battle.returned[battle.part(side)] {
                self.push_task(Task::Shuffle(deck(side)))?;
            }
        }
        Ok(())
    }

    // --- Collateral Damage

    /// Iterates over the hidden Diplomacy cards in slots of a side that are not disabled now and may be
    /// Collateral Damage by public information, in slot order.
    pub(crate) fn hidden_collateral(&self, side: Side) -> impl Iterator<Item = Token> + Clone + '_ {
        self.active(side, Category::Diplomacy)
            .map(|(_, t)| t)
            .filter(|&t| !self.tokens.is_public(t) && self.tokens.may_be(t, FaceSet::from_bits(COLLATERAL)))
    }

    /// Checks a Collateral Damage card that its owner has shown, records that it lies face up (not in version
    /// 1 of the rules), and emits `Showed` (not for the Empire). The engine has made it public before. The
    /// task stays: the side is asked until it has no such hidden card.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is hidden or no active face-down Collateral Damage of the side.
    /// Version 1 of the rules does not ask whether it lies face down.
    pub(crate) fn reveal_collateral(
        &mut self,
        cx: &mut Context<'_>,
        side: Side,
        t: Token,
    ) -> Result<(), RuleError> {
        let slot = self.active(side, Category::Diplomacy).find(|&(_, u)| u == t).map(|(i, _)| i);
        let hidden = |i: u8| self.first_rules || self.lies_face_down(side, i, t);
        let shown = slot.is_some_and(hidden) && self.tokens.face(t)? == Card::CollateralDamage;
        ensure(shown, "this card is not to be shown")?;
        if let Some(i) = slot {
            self.turn_up(side, i);
        }
        if let Some(seat) = side.seat() {
            cx.emit(move || Fact::Showed(seat, Card::CollateralDamage));
        }
        Ok(())
    }

    /// Records that the Diplomacy card in slot `i` lies face up from this call on, so that it no longer
    /// entitles its owner to a Sabotage window. Does not make it public. No effect for the Empire and in
    /// version 1 of the rules.
    fn turn_up(&mut self, side: Side, i: u8) {
        if let Some(seat) = side.seat().filter(|_| !self.first_rules) {
            self.players[seat.index()].down &= !(1 << i);
        }
    }

    /// Requires the claim that a side has no hidden Collateral Damage in its active slots, and narrows these
    /// cards for all observers. The task is not popped here: it ends by itself, as nothing is left to show.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the claim is false as far as the observer knows.
    pub(crate) fn deny_collateral(&mut self, cx: &mut Context<'_>, side: Side) -> Result<(), RuleError> {
        cx.require_none(&self.tokens, self.hidden_collateral(side), FaceSet::from_bits(COLLATERAL))?;
        while let Some(t) = { self.hidden_collateral(side).next() } {
            self.tokens.narrow(t, FaceSet::from_bits(!COLLATERAL));
        }
        Ok(())
    }

    /// Uses the first public, active Collateral Damage of a side from slot `from` on, and pushes the task for
    /// the next one. If the side won and the loser is in the game and has a Trade or Diplomacy slot, pushes
    /// above it the choice of such a slot; otherwise discards the card. No effect if there is none or the
    /// side is out of the game.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn collateral(&mut self, side: Side, from: u8) -> Result<(), RuleError> {
        if !self.is_in(side) || !self.may_have(side, COLLATERAL) {
            return Ok(());
        }
        let found = self
            .active(side, Category::Diplomacy)
            .find(|&(i, t)| i >= from && self.tokens.public_face(t) == Some(Card::CollateralDamage));
        let Some((i, _)) = found else { return Ok(()) };
        self.push_task(Task::Collateral(side, i + 1))?;
        let won = self.battle.and_then(|b| b.victor()) == Some(side);
        let loser = self.loser();
        if won && self.is_in(loser) && self.civil_slots(loser).next().is_some() {
            return self.push_task(Task::Ruin(side, i));
        }
        self.empty_slot(side, i);
        Ok(())
    }

    /// Uses the Collateral Damage in slot `i` of the victor `side` on slot `target` of the loser: records
    /// that it lies face up, emits `Ruined` and `UseWaits`, pops the task, and pushes the use with its
    /// Sabotage window. The cards of `target` are discarded when the use takes effect. Which card lies in
    /// slot `i` is not checked.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if `target` is no Trade or Diplomacy slot of the loser, or slot `i` is empty;
    /// or if the agenda is full.
    pub(crate) fn ruin(
        &mut self,
        cx: &mut Context<'_>,
        side: Side,
        i: u8,
        target: u8,
    ) -> Result<(), RuleError> {
        let loser = self.loser();
        ensure(
            self.civil_slots(loser).any(|k| k == target),
            "this is no Trade or Diplomacy slot of the loser",
        )?;
        let card = self.base(side, i).ok_or(super::NOT_NOW)?;
        self.turn_up(side, i);
        self.agenda.pop();
        cx.emit(move || Fact::Ruined { by: side, loser, slot: target });
        self.open_use(cx, side, card, Aim::Slot(loser, target))
    }
}
