//! A clash: sealed choices, cards, dice, and scores.

use crate::actions::Action;
use crate::cards::{Card, Category};
use crate::face::{Mode, Shown};
use crate::facts::{Context, Fact};
use crate::state::{Contest, H, Hestia, L, Task, enemy, hand, lead, played, slip};
use pentarchy_engine::{RuleError, Seat, SeatView, Token, ensure};

impl Hestia {
    // --- what each side does

    /// Begins a clash: pops the task, resets modes, dice and additions, and pushes the choices. With cards in
    /// the attacker's hand both sides choose in secret; otherwise a defender with cards must play one;
    /// without any cards it goes on to the dice.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn begin_clash(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        self.contest = Contest::default();
        self.battle.mode = [None; 2];
        self.battle.dice = [0; 2];
        let armed = |seat| !self.tokens.is_empty(hand(seat));
        match (armed(attacker), armed(defender)) {
            (true, _) => self.push_tasks(&[Task::Choose(attacker), Task::Choose(defender), Task::OpenModes]),
            (false, true) => self.push_task(Task::Duty(defender)),
            (false, false) => self.line_up(),
        }
    }

    /// Appends the choices of a clash with the sealed mode filled in: each kind of card of the hand to fight
    /// or to retreat; with an empty hand to stand or to withdraw. `own` must be the view of `seat`.
    pub(super) fn list_clash(&self, seat: Seat, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        if self.tokens.is_empty(hand(seat)) {
            out.extend([Mode::Stand, Mode::Withdraw].map(|mode| Action::Hold(Some(mode))));
            return;
        }
        self.each_kind(own, self.tokens.iter(hand(seat)), &mut |t| {
            out.extend([Mode::Fight, Mode::Retreat].map(|mode| Action::Clash(t, Some(mode))));
        });
    }

    /// Checks the sealed choice of a seat in its public form (mode `None`), moves its card face down to the
    /// lead, emits `SealedCardPlayed` or `HeldWithoutCard`, and pops the task. The mode becomes public later.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the hand, a seat with cards plays none, the mode is not
    /// hidden, or it is another action.
    pub(super) fn choose_mode(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        act: Action,
    ) -> Result<(), RuleError> {
        match act {
            Action::Clash(t, None) => {
                self.ensure_in_hand(t, seat)?;
                self.commit(seat, t);
                cx.emit(move || Fact::SealedCardPlayed(seat, t));
            }
            Action::Hold(None) => {
                ensure(self.tokens.is_empty(hand(seat)), "who has cards must play one")?;
                cx.emit(move || Fact::HeldWithoutCard(seat));
            }
            _ => return Err(RuleError::new("fight or retreat")),
        }
        self.agenda.pop();
        Ok(())
    }

    /// Plays the defender's card against an attacker without cards, where nothing is sealed: pops the task,
    /// sets the mode `Fight`, emits `FightCardPlayed`, and pushes the rest of the clash.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the hand; or if the agenda is full.
    pub(super) fn fight(&mut self, cx: &mut Context<'_>, seat: Seat, t: Token) -> Result<(), RuleError> {
        self.ensure_in_hand(t, seat)?;
        self.agenda.pop();
        self.commit(seat, t);
        cx.emit(move || Fact::FightCardPlayed(seat, t));
        self.battle.mode[seat.index()] = Some(Mode::Fight);
        self.line_up()
    }

    /// Moves a card from the hand to the lead and counts it in `battle.cards`. The caller has checked that it
    /// is in the hand.
    fn commit(&mut self, seat: Seat, t: Token) {
        self.tokens.put(t, lead(seat));
        self.battle.cards[seat.index()] += 1;
    }

    /// Records the sealed choices in `battle.mode` after they became public, emits `ModeShown` for each seat
    /// with a mode, pops the task, and pushes the rest of the clash. A card that covers a retreat moves to the
    /// played cards and stays hidden.
    ///
    /// # Errors
    ///
    /// Fails if a slip is not public, or the agenda is full.
    pub(super) fn open_modes(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        for seat in [L, H] {
            let face = self.tokens.top(slip(seat)).map(|t| self.tokens.face(t)).transpose()?;
            let Some(Shown::Mode(mode)) = face else { continue };
            self.battle.mode[seat.index()] = Some(mode);
            if mode == Mode::Retreat {
                self.tokens.put_all(lead(seat), played(seat));
            }
        }
        for seat in [L, H] {
            if let Some(mode) = self.battle.mode[seat.index()] {
                cx.emit(move || Fact::ModeShown(seat, mode));
            }
        }
        self.agenda.pop();
        self.line_up()
    }

    /// Pushes the rest of a clash: the reveal of the leads of both sides, which it marks, the additions of
    /// both, and the dice. Without leads nothing is revealed.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    fn line_up(&mut self) -> Result<(), RuleError> {
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        self.push_tasks(&[Task::Add(attacker), Task::Add(defender), Task::Dice])?;
        self.tokens.unmark_all();
        let mut hidden = false;
        for seat in [L, H] {
            if let Some(t) = self.tokens.top(lead(seat)) {
                self.tokens.mark(t);
                hidden = true;
            }
        }
        if hidden { self.push_task(Task::ShowLeads) } else { Ok(()) }
    }

    // --- dice

    /// Pops the task and pushes the dice of both sides, attacker first, and the scoring; rolls nothing
    /// itself. A side that fights with Omens, not blanked, has two dice. An attacker without cards does not
    /// roll.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn throw_dice(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        let dice = |seat| if self.text(seat) == Some(Card::Omens) { 2 } else { 1 };
        let (first, second) = (Task::Roll(attacker, dice(attacker)), Task::Roll(defender, dice(defender)));
        // An attacker without cards does not roll.
        if self.battle.mode[attacker.index()].is_none() {
            self.push_tasks(&[second, Task::Score])
        } else {
            self.push_tasks(&[first, second, Task::Score])
        }
    }

    /// Records a die that shows `n` for a seat; of two dice the higher one counts. Emits `Rolled`, pops the
    /// task, and pushes the next die if `left`, the number of dice left with this one included, is more than
    /// 1.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn rolled(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        left: u8,
        n: u32,
    ) -> Result<(), RuleError> {
        cx.emit(move || Fact::Rolled(seat, n));
        self.agenda.pop();
        let die = &mut self.battle.dice[seat.index()];
        *die = (*die).max(n as u8);
        if left > 1 { self.push_task(Task::Roll(seat, left - 1)) } else { Ok(()) }
    }

    // --- what it comes to

    /// Returns whether a seat gives way in this clash: its mode is `Retreat` or `Withdraw`, or it attacks
    /// without a mode, because it has no cards. A defender without a mode stands.
    pub(super) fn retreats(&self, seat: Seat) -> bool {
        match self.battle.mode[seat.index()] {
            Some(mode) => matches!(mode, Mode::Retreat | Mode::Withdraw),
            None => seat == self.battle.attacker,
        }
    }

    /// Returns the public card with which a seat fights in this clash; `None` if it has none or its mode is
    /// not `Fight`.
    fn fighter(&self, seat: Seat) -> Option<Card> {
        self.lead_card(seat).filter(|_| self.battle.mode[seat.index()] == Some(Mode::Fight))
    }

    /// Returns whether the text of a seat's lead is void: the other side fights with a Refused Flank. `false`
    /// during a bid.
    pub(super) fn is_blanked(&self, seat: Seat) -> bool {
        self.fighter(enemy(seat)) == Some(Card::RefusedFlank)
    }

    /// Returns the public card with which a seat fights if its text works in this clash; `None` if the seat
    /// does not fight or the card is blanked by a Refused Flank.
    fn text(&self, seat: Seat) -> Option<Card> {
        self.fighter(seat).filter(|_| !self.is_blanked(seat))
    }

    /// Returns the value of a seat's fighting card in this clash; 0 if no card fights. It is the printed
    /// value unless its text is in force and applies: 4 for Hannibal against a Commander; 3 for Pike Hedge
    /// against Cavalry, Heavy Cavalry against Missile, Light Horse against an enemy that retreats, Siege
    /// Train attacking in a city-state, Ambush defending and Night Assault attacking; 2 for Skirmishers
    /// against Infantry; 1 for War Elephants if the seat's die shows 1, so that dice must be rolled before.
    pub(crate) fn worth(&self, seat: Seat) -> u8 {
        let Some(card) = self.fighter(seat) else { return 0 };
        let attacks = seat == self.battle.attacker;
        let against = self.fighter(enemy(seat)).map(Card::category);
        match self.text(seat) {
            Some(Card::Hannibal) if against == Some(Category::Commander) => 4,
            Some(Card::PikeHedge) if against == Some(Category::Cavalry) => 3,
            Some(Card::LightHorse) if self.retreats(enemy(seat)) => 3,
            Some(Card::HeavyCavalry) if against == Some(Category::Missile) => 3,
            Some(Card::WarElephants) if self.battle.dice[seat.index()] == 1 => 1,
            Some(Card::Skirmishers) if against == Some(Category::Infantry) => 2,
            Some(Card::SiegeTrain) if attacks && self.battle.place.city().is_some() => 3,
            Some(Card::Ambush) if !attacks => 3,
            Some(Card::NightAssault) if attacks => 3,
            _ => card.value(),
        }
    }

    /// Returns the score of a seat in the clash so far: the value of its fighting card, its additions, and
    /// its die (0 before the roll). Outside a clash the numbers are those of the last bid or clash.
    pub(crate) fn clash_score(&self, seat: Seat) -> u8 {
        self.worth(seat) + self.contest.bonus[seat.index()] + self.battle.dice[seat.index()]
    }

    /// Returns the seat with the higher score in the clash so far; `None` if the scores are equal.
    pub(crate) fn clash_winner(&self) -> Option<Seat> {
        let [l, h] = [L, H].map(|seat| self.clash_score(seat));
        (l != h).then_some(if l > h { L } else { H })
    }

    /// Returns the strength that each seat loses in this clash, Lenisia first: for the lower score the
    /// difference, 2 less with a Shield Wall; and 1 more for each side whose enemy fights with Archers and
    /// does not win. All dice must be rolled.
    pub(crate) fn casualties(&self) -> [u8; 2] {
        let scores = [L, H].map(|seat| self.clash_score(seat));
        let mut due = [0; 2];
        for seat in [L, H] {
            let (own, other) = (scores[seat.index()], scores[enemy(seat).index()]);
            let shield = if self.text(seat) == Some(Card::ShieldWall) { 2 } else { 0 };
            due[seat.index()] += other.saturating_sub(own).saturating_sub(shield);
            if self.text(seat) == Some(Card::Archers) && own <= other {
                due[enemy(seat).index()] += 1;
            }
        }
        due
    }

    /// Computes the strength that each side loses in a clash into `battle.due`, pops the task and emits
    /// `ClashScored`. Pushes the choice of losses of both sides (attacker first), then the healing of each
    /// side whose Rally the Line is in force, then the task `AfterClash`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn score_clash(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.agenda.pop();
        self.battle.due = self.casualties();
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        let rallies = |seat| self.text(seat) == Some(Card::RallyTheLine);
        let heals = [attacker, defender].map(|seat| rallies(seat).then_some(Task::Heal(seat)));
        self.push_task(Task::AfterClash)?;
        for heal in heals.into_iter().rev().flatten() {
            self.push_task(heal)?;
        }
        self.push_tasks(&[Task::Loss(attacker), Task::Loss(defender)])?;
        cx.emit(|| Fact::ClashScored(self.clash_under_way()));
        Ok(())
    }

    /// Continues after a clash: pops the task, and the leads join the played cards. If a side has no land units
    /// left, pushes the end of the battle. If both sides give way, pushes their withdrawals and that end. If
    /// one does, begins its flight, which destroys an army that cannot retreat. Otherwise pushes the next
    /// clash.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full, or a block of an army without a retreat is not public.
    pub(super) fn after_clash(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.agenda.pop();
        for seat in [L, H] {
            self.tokens.put_all(lead(seat), played(seat));
        }
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        let place = self.battle.place;
        if self.land_units(place, attacker) == 0 || self.land_units(place, defender) == 0 {
            return self.push_task(Task::EndBattle);
        }
        match (self.retreats(attacker), self.retreats(defender)) {
            (false, false) => self.push_task(Task::Clash),
            (true, true) => {
                self.push_tasks(&[Task::Withdraw(attacker), Task::Withdraw(defender), Task::EndBattle])
            }
            (true, false) => self.begin_flight(cx, attacker),
            (false, true) => self.begin_flight(cx, defender),
        }
    }
}
