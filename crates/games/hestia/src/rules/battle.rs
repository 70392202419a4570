//! Battles: where both sides have land units, the mover attacks.

use crate::blocks::Unit;
use crate::face::Shown;
use crate::facts::{Context, Fact};
use crate::map::Place;
use crate::state::{Battle, GONE, H, Hestia, L, POOL, Task, enemy, land};
use pentarchy_engine::{RuleError, Seat, Token, ensure};

impl Hestia {
    /// Calls `out` for each land where both sides have land units, in the order of the map; seas and boxes
    /// are no battlefields.
    pub(super) fn battlefields(&self, out: &mut impl FnMut(Place)) {
        let fields = Place::lands().filter(|&p| self.land_units(p, L) > 0 && self.land_units(p, H) > 0);
        fields.for_each(out);
    }

    /// Begins the next battle of `seat`, the attacker: with one battlefield pushes its tasks, with several
    /// pushes `ChooseBattle`; the task `NextBattle` stays for the battles after. Without a battlefield pops
    /// `NextBattle`, and the combat phase is over.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn next_battle(&mut self, cx: &mut Context<'_>, seat: Seat) -> Result<(), RuleError> {
        let (mut count, mut first) = (0, Place::default());
        self.battlefields(&mut |place| {
            if count == 0 {
                first = place;
            }
            count += 1;
        });
        match count {
            0 => {
                self.agenda.pop();
                Ok(())
            }
            1 => self.begin_battle(cx, seat, first),
            _ => self.push_task(Task::ChooseBattle(seat)),
        }
    }

    /// Checks the battle that the attacker `seat` has chosen, pops the task `ChooseBattle` and begins the
    /// battle.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if land units of both sides do not meet at the place; or if the agenda is
    /// full.
    pub(super) fn choose_battle(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        place: Place,
    ) -> Result<(), RuleError> {
        let mut fought = false;
        self.battlefields(&mut |p| fought |= p == place);
        ensure(fought, "there is no battle there")?;
        self.agenda.pop();
        self.begin_battle(cx, seat, place)
    }

    /// Begins a battle: resets `battle`, emits `BattleBegan`, pushes the first clash, and above it the reveal
    /// of all land units there if one is hidden.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    fn begin_battle(&mut self, cx: &mut Context<'_>, attacker: Seat, place: Place) -> Result<(), RuleError> {
        cx.emit(move || Fact::BattleBegan(place));
        self.battle = Battle { place, attacker, ..Battle::default() };
        self.push_task(Task::Clash)?;
        let hidden =
            [L, H].iter().any(|&s| self.tokens.iter(land(place, s)).any(|t| !self.tokens.is_public(t)));
        if hidden { self.push_task(Task::Muster) } else { Ok(()) }
    }

    /// Iterates over the land units of a seat at the place of the current or last battle. They are public
    /// while a battle is on.
    pub(super) fn army_in_battle(&self, seat: Seat) -> impl Iterator<Item = Token> + Clone + '_ {
        self.tokens.iter(land(self.battle.place, seat))
    }

    // --- casualties

    /// Reduces the strength of a public block by 1 and emits `StrengthChanged`. A block of strength 1 or 0 is
    /// destroyed instead, as by [`Self::destroy`]: emits `Destroyed`, and may fix the last year. Does not
    /// reduce the losses that are due.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the block is not public.
    fn weaken(&mut self, cx: &mut Context<'_>, t: Token) -> Result<(), RuleError> {
        match self.block(t)? {
            (_, 0 | 1) => self.destroy(cx, t),
            (unit, strength) => self.set_strength(cx, t, unit, (strength, strength - 1)),
        }
    }

    /// Changes the strength of a public block, which is `unit`, from the first to the second number, and emits
    /// `StrengthChanged`. The first number is not checked: it only goes into the fact.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the block is not public.
    fn set_strength(
        &mut self,
        cx: &mut Context<'_>,
        t: Token,
        unit: Unit,
        (was, is): (u8, u8),
    ) -> Result<(), RuleError> {
        self.tokens.rewrite(t, Shown::Block(unit, is))?;
        cx.emit(move || Fact::StrengthChanged { unit, was, is });
        Ok(())
    }

    /// Destroys a block: emits `Destroyed`, and moves it out of the game if irreplaceable, else to the pool, at
    /// full strength. Counts it in `battle.destroyed`. If now both commanders of a side are gone, next year
    /// becomes the last (`LastYearFixed`), unless the last year is fixed already.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the block is not public.
    fn destroy(&mut self, cx: &mut Context<'_>, t: Token) -> Result<(), RuleError> {
        let (unit, _) = self.block(t)?;
        cx.emit(move || Fact::Destroyed(t, unit));
        self.tokens.rewrite(t, Shown::Block(unit, unit.full()))?;
        self.tokens.put(t, if unit.is_irreplaceable() { GONE } else { POOL });
        self.battle.destroyed += 1;
        let dead = |a, b| self.is_gone(a) && self.is_gone(b);
        if unit.is_commander() && (dead(Unit::RASSER, Unit::DADRIM) || dead(Unit::AGSAND, Unit::SIGHEIR)) {
            self.trigger_end(cx);
        }
        Ok(())
    }

    /// Returns whether a block of this kind has left the game, that is, lies in the zone `GONE`.
    fn is_gone(&self, unit: Unit) -> bool {
        self.tokens.iter(GONE).any(|t| self.block(t).is_ok_and(|(u, _)| u == unit))
    }

    /// Destroys all land units of a seat at the place of the battle, as by [`Self::destroy`]: each leaves
    /// the game or returns to the pool, counts in `battle.destroyed`, and emits `Destroyed`; the loss of a
    /// commander may fix the last year.
    ///
    /// # Errors
    ///
    /// Fails if a block is not public; those before it are destroyed then.
    pub(super) fn destroy_army(&mut self, cx: &mut Context<'_>, seat: Seat) -> Result<(), RuleError> {
        while let Some(t) = self.tokens.top(land(self.battle.place, seat)) {
            self.destroy(cx, t)?;
        }
        Ok(())
    }

    /// Applies casualties of a seat that leave no choice. If none are due or no block is left, sets them to 0
    /// and pops the task `Loss`. If they reach the total strength, destroys the army. If all blocks have the
    /// same kind and strength, weakens the first one by 1 and reduces the casualties by 1. In the last two
    /// cases the task stays. Emits `Destroyed` for destroyed blocks and `StrengthChanged` for weakened ones.
    /// Returns `false`, without a change, if the seat must choose; after `true` the caller tries again.
    ///
    /// # Errors
    ///
    /// Fails if a block in the battle is not public.
    pub(super) fn apply_forced_losses(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
    ) -> Result<bool, RuleError> {
        let due = self.battle.due[seat.index()];
        let Some(first) = self.army_in_battle(seat).next().filter(|_| due > 0) else {
            self.battle.due[seat.index()] = 0;
            self.agenda.pop();
            return Ok(true);
        };
        let mut total = 0;
        let mut alike = true;
        let kind = self.block(first)?;
        for t in self.army_in_battle(seat) {
            let block = self.block(t)?;
            total += block.1;
            alike &= block == kind;
        }
        if total <= due {
            self.destroy_army(cx, seat)?;
        } else if alike {
            self.weaken(cx, first)?;
            self.battle.due[seat.index()] -= 1;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Checks that the block `t` is a land unit of the seat in the battle, and reduces its strength and the
    /// losses due by 1. Emits `StrengthChanged`, or `Destroyed` for a block whose strength was 1. The task
    /// `Loss` stays on the agenda. At least 1 loss must be due: 0 overflows.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the block is no land unit of the seat in the battle.
    pub(super) fn choose_loss(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        t: Token,
    ) -> Result<(), RuleError> {
        ensure(self.tokens.in_zone(t, land(self.battle.place, seat)), "this block is not in the battle")?;
        self.weaken(cx, t)?;
        self.battle.due[seat.index()] -= 1;
        Ok(())
    }

    // --- Rally the Line

    /// Iterates over the seat's public land units in the battle that are below full strength, in the order of
    /// their zone.
    pub(super) fn damaged(&self, seat: Seat) -> impl Iterator<Item = Token> + Clone + '_ {
        self.army_in_battle(seat)
            .filter(|&t| self.block(t).is_ok_and(|(unit, strength)| strength < unit.full()))
    }

    /// Applies a healing that leaves no choice. Without a damaged block only pops the task `Heal`. If all
    /// damaged blocks have the same kind and strength, raises the first one by 1, emits `StrengthChanged` and
    /// pops the task. Returns `true` then; `false`, without a change, if the seat must choose.
    ///
    /// # Errors
    ///
    /// Fails if a block is not public.
    pub(super) fn apply_forced_healing(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
    ) -> Result<bool, RuleError> {
        let Some(first) = self.damaged(seat).next() else {
            self.agenda.pop();
            return Ok(true);
        };
        let kind = self.block(first)?;
        if self.damaged(seat).any(|t| self.block(t) != Ok(kind)) {
            return Ok(false);
        }
        self.heal(cx, first)?;
        Ok(true)
    }

    /// Checks and heals the block that the seat has chosen: raises its strength by 1, emits
    /// `StrengthChanged` and pops the task `Heal`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the block is no damaged land unit of the seat in the battle.
    pub(super) fn choose_heal(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        t: Token,
    ) -> Result<(), RuleError> {
        ensure(self.damaged(seat).any(|d| d == t), "this block needs no healing")?;
        self.heal(cx, t)
    }

    /// Raises the strength of a block by 1, emits `StrengthChanged` and pops the task `Heal`. The caller has
    /// checked that it is damaged.
    ///
    /// # Errors
    ///
    /// Fails if the block is not public.
    fn heal(&mut self, cx: &mut Context<'_>, t: Token) -> Result<(), RuleError> {
        let (unit, strength) = self.block(t)?;
        self.agenda.pop();
        self.set_strength(cx, t, unit, (strength, strength + 1))
    }

    // --- the end of a battle

    /// Ends the battle: pops the task, discards the cards of both sides (hidden ones stay hidden) and clears
    /// their modes. Pushes draws, the attacker first: each side draws as many cards as it played, and one for
    /// every two land units that both sides lost in total, rounded down.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn end_battle(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        self.clear_cards();
        self.battle.mode = [None; 2];
        let Battle { attacker, cards, destroyed, .. } = self.battle;
        let draw = |seat: Seat| Task::Draw(seat, cards[seat.index()] + destroyed / 2);
        self.push_tasks(&[draw(attacker), draw(enemy(attacker))])
    }
}
