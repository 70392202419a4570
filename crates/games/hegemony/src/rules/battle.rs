//! Battles until points are paid: powers, Pity Parties, defeat, Mercenaries.

use crate::active::Slots;
use crate::agenda::{Aim, Task};
use crate::cards::{Card, Category};
use crate::facts::{self, Context, Fact, Reason};
use crate::places::{POOL_DISCARD, Side};
use crate::rules::reckoning::Army;
use crate::state::{Battle, Hegemony, Verdict};
use pentarchy_engine::{RuleError, Set, Token};

impl Hegemony {
    /// Returns the victor of the current battle; the attacker after a tie or before it is decided, the Empire
    /// if there is no battle.
    pub(crate) fn victor(&self) -> Side {
        self.battle.map_or(Side::EMPIRE, |b| b.victor().unwrap_or(b.attacker))
    }

    /// Returns the loser of the current battle; the defender after a tie or before it is decided, the Empire
    /// if there is no battle.
    pub(crate) fn loser(&self) -> Side {
        self.battle.map_or(Side::EMPIRE, |b| b.loser().unwrap_or(b.defender))
    }

    /// Begins a battle: sets `battle`, marks all hidden active Military cards of both sides, and pushes their
    /// reveal and below it the comparison of powers. Without hidden cards powers are compared at once.
    /// Whether there is a battle already is not checked.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn begin_battle(
        &mut self,
        cx: &mut Context<'_>,
        attacker: Side,
        defender: Side,
    ) -> Result<(), RuleError> {
        self.battle = Some(Battle::open(attacker, defender));
        let mut any = false;
        for side in [attacker, defender] {
            for i in Slots(self.active_slots(side, Category::Military)) {
                let mut at = self.base(side, i);
                while let Some(t) = at {
                    at = self.tokens.below(t);
                    if !self.tokens.is_public(t) {
                        self.tokens.mark(t);
                        any = true;
                    }
                }
            }
        }
        if !any {
            return self.clash(cx);
        }
        self.push_task(Task::Clash)?;
        self.push_task(Task::Show(Set::Marked))
    }

    /// Returns `battle` with total attack and defence, the bonuses on combat rolls of attacker and defender,
    /// whether the attacker has a Catapult, and the verdict (the larger total wins, equal totals tie) filled
    /// in. `attackers` and `defenders` must be complete and public. Changes no state.
    fn compared(&self, mut battle: Battle, attackers: &Army, defenders: &Army) -> Battle {
        battle.attack = self.total_attack(battle.attacker, attackers, defenders.is_prey());
        battle.defence = self.total_defence(battle.defender, defenders);
        battle.bonus = [self.roll_bonus(attackers), self.roll_bonus(defenders)];
        battle.catapult = attackers.count(Card::Catapult) > 0;
        battle.verdict = match battle.attack.cmp(&battle.defence) {
            std::cmp::Ordering::Greater => Verdict::Attacker,
            std::cmp::Ordering::Less => Verdict::Defender,
            std::cmp::Ordering::Equal => Verdict::Tie,
        };
        battle
    }

    /// Compares the powers of both sides (no dice), emits `Fought` and `Points`, and pays: the loser loses
    /// the margin, and `mercenary_loot` for each Mercenary of the victor; the victor gains the margin, the
    /// Empire only with the option `imperial_plunder`. After a tie both lose `tie_loss`.
    ///
    /// Pushes the rest of the battle, in the order of play: the loser's Pity Parties, defeats, fees of the
    /// loser's Mercenaries, the fates of the troops, Siege Towers, shuffles, Collateral Damage, and the end
    /// of the battle. Without Pity Parties defeats are checked at once. No effect without a battle.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn clash(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        let Some(battle) = self.battle else { return Ok(()) };
        let (a, d) = (battle.attacker, battle.defender);
        let face = |t: Token| self.tokens.public_face(t);
        let (attackers, defenders) = (self.army(a, face), self.army(d, face));
        let mut battle = self.compared(battle, &attackers, &defenders);
        let this = &*self;
        let (totals, victor) = ([battle.attack, battle.defence], battle.victor());
        let margin = (battle.attack - battle.defence).abs();
        let cost = if victor.is_some() { margin } else { self.rules.n.tie_loss };
        let spoils = match victor {
            Some(Side::EMPIRE) if !self.rules.plunder => 0,
            Some(_) => margin,
            None => 0,
        };
        cx.emit(move || {
            let fighters = this.fighters(a, d, |t| this.tokens.public_face(t));
            Fact::Fought(Box::new(facts::Clash { sides: [a, d], fighters, totals, victor, cost, spoils }))
        });
        let mut owed = false;
        match (battle.victor(), battle.loser()) {
            (Some(victor), Some(loser)) => {
                let (army, beaten) =
                    if victor == a { (attackers, defenders) } else { (defenders, attackers) };
                owed = beaten.count(Card::Mercenary) > 0;
                battle.towers = army.count(Card::SiegeTower) as u8;
                let loot = self.rules.n.mercenary_loot * army.count(Card::Mercenary);
                self.pay(cx, loser, -cost - loot, Reason::Battle(victor));
                if !victor.is_empire() || self.rules.plunder {
                    self.pay(cx, victor, spoils, Reason::Battle(loser));
                }
            }
            _ => {
                for (side, other) in [(a, d), (d, a)] {
                    self.pay(cx, side, -cost, Reason::Battle(other));
                }
            }
        }
        self.battle = Some(battle);
        self.push_task(Task::Peace)?;
        for side in [d, a] {
            if self.slots_of(side, Category::Diplomacy) != 0 {
                self.push_task(Task::Collateral(side, 0))?;
                self.push_task(Task::Reveal(side))?;
            }
        }
        self.push_task(Task::Reshuffle)?;
        if battle.towers > 0 {
            self.push_task(Task::Raze(battle.towers))?;
        }
        self.push_task(Task::TidyAll)?;
        self.push_task(Task::Aftermath(0, 0, 0))?;
        if owed {
            self.push_task(Task::Reckon(true))?;
            self.push_task(Task::Fees)?;
        }
        if self.may_have(self.loser(), 1 << Card::PityParty as u8) {
            self.push_task(Task::Reckon(false))?;
            return self.pity(cx, 0);
        }
        self.reckon(false)
    }

    /// Uses the first active public Pity Party of the battle's loser from slot `from` on: pushes the task for
    /// the next one, and on it the use with its Sabotage window; emits `UseWaits`. Pays nothing yet. No
    /// effect after a tie, or if the loser has none.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn pity(&mut self, cx: &mut Context<'_>, from: u8) -> Result<(), RuleError> {
        let Some(loser) = self.battle.and_then(|b| b.loser()) else { return Ok(()) };
        if !self.may_have(loser, 1 << Card::PityParty as u8) {
            return Ok(());
        }
        let found = self
            .active(loser, Category::Diplomacy)
            .find(|&(i, t)| i >= from && self.tokens.public_face(t) == Some(Card::PityParty));
        let Some((i, t)) = found else { return Ok(()) };
        self.push_task(Task::Pity(i + 1))?;
        self.open_use(cx, loser, t, Aim::Loss)
    }

    /// Pays `loser` the points of a Pity Party (tuning number `pity`), at once. If the Empire won the battle,
    /// they are taken from the Empire, whose points may fall below 0; else from nobody. Emits `Points` for
    /// each.
    pub(crate) fn console(&mut self, cx: &mut Context<'_>, loser: Side) {
        let victor = self.victor();
        self.pay(cx, loser, self.rules.n.pity, Reason::Battle(victor));
        if victor.is_empire() {
            self.pay(cx, Side::EMPIRE, -self.rules.n.pity, Reason::Battle(loser));
        }
    }

    /// Pays the active Mercenaries of the battle's loser in slot order: takes `mercenary_fee` points for
    /// each, which no side gets, or, if the loser has fewer, emits `Deserted` and moves the card to the pool
    /// discard. No effect after a tie or if the loser is out of the game. Never fails.
    pub(crate) fn fees(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        let Some(loser) = self.battle.and_then(|b| b.loser()).filter(|&side| self.is_in(side)) else {
            return Ok(());
        };
        let fee = self.rules.n.mercenary_fee;
        for i in Slots(self.active_slots(loser, Category::Military)) {
            let mut at = self.base(loser, i);
            while let Some(t) = at {
                at = self.tokens.below(t);
                if self.tokens.public_face(t) != Some(Card::Mercenary) {
                    continue;
                }
                if self.vp[loser.index()] >= fee {
                    self.pay(cx, loser, -fee, Reason::Battle(self.victor()));
                } else {
                    cx.emit(move || Fact::Deserted(loser, t));
                    self.put_from_slot(t, loser, i, POOL_DISCARD);
                }
            }
        }
        Ok(())
    }

    /// Ends the battle: clears `battle`, and ends Sanctions on a participant unless it is that side's turn.
    /// No effect without a battle. Emits nothing. Never fails.
    pub(crate) fn peace(&mut self) -> Result<(), RuleError> {
        let Some(battle) = self.battle.take() else { return Ok(()) };
        for side in [battle.attacker, battle.defender] {
            if let Some(seat) = side.seat()
                && self.turn != Some(side)
            {
                self.players[seat.index()].sanctions = 0;
            }
        }
        Ok(())
    }
}
