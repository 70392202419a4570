//! A clash: sealed choices, cards, dice, and what they come to.

use crate::actions::Act;
use crate::cards::{Card, Category};
use crate::face::{Mode, Shown};
use crate::state::{Contest, H, Hestia, L, Step, enemy, hand, lead, played, slip};
use pentarchy_engine::{SeatView, Rejected, Seat, Token, ensure};

impl Hestia {
    // --- what each side does

    pub(super) fn begin_clash(&mut self) -> Result<(), Rejected> {
        self.agenda.pop();
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        self.contest = Contest::default();
        self.battle.mode = [None; 2];
        self.battle.dice = [0; 2];
        let armed = |seat| !self.tokens.is_empty(hand(seat));
        match (armed(attacker), armed(defender)) {
            (true, _) => self.then_all(&[Step::Choose(attacker), Step::Choose(defender), Step::OpenModes]),
            (false, true) => self.then(Step::Duty(defender)),
            (false, false) => self.line_up(),
        }
    }

    pub(super) fn list_clash(&self, seat: Seat, own: &SeatView<'_, Self>, out: &mut Vec<Act>) {
        if self.tokens.is_empty(hand(seat)) {
            out.extend([Mode::Stand, Mode::Withdraw].map(|mode| Act::Hold(Some(mode))));
            return;
        }
        self.each_kind(own, self.tokens.iter(hand(seat)), &mut |t| {
            out.extend([Mode::Fight, Mode::Retreat].map(|mode| Act::Clash(t, Some(mode))));
        });
    }

    pub(super) fn choose_mode(&mut self, seat: Seat, act: Act) -> Result<(), Rejected> {
        match act {
            Act::Clash(t, None) => {
                self.ensure_in_hand(t, seat)?;
                self.commit(seat, t);
            }
            Act::Hold(None) => ensure(self.tokens.is_empty(hand(seat)), "who has cards must play one")?,
            _ => return Err(Rejected::new("fight or retreat")),
        }
        self.agenda.pop();
        Ok(())
    }

    /// Against an attacker without cards there is nothing to seal: the defender fights.
    pub(super) fn fight(&mut self, seat: Seat, t: Token) -> Result<(), Rejected> {
        self.ensure_in_hand(t, seat)?;
        self.agenda.pop();
        self.commit(seat, t);
        self.battle.mode[seat.index()] = Some(Mode::Fight);
        self.line_up()
    }

    fn commit(&mut self, seat: Seat, t: Token) {
        self.tokens.put(t, lead(seat));
        self.battle.cards[seat.index()] += 1;
    }

    /// The slips lie open; a card that covers a retreat stays hidden.
    pub(super) fn open_modes(&mut self) -> Result<(), Rejected> {
        for seat in [L, H] {
            let face = self.tokens.top(slip(seat)).map(|t| self.tokens.face(t)).transpose()?;
            let Some(Shown::Mode(mode)) = face else { continue };
            self.battle.mode[seat.index()] = Some(mode);
            if mode == Mode::Retreat {
                self.tokens.put_all(lead(seat), played(seat));
            }
        }
        self.agenda.pop();
        self.line_up()
    }

    /// The fighting cards are shown, others may join them, dice are thrown.
    fn line_up(&mut self) -> Result<(), Rejected> {
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        self.then_all(&[Step::Add(attacker), Step::Add(defender), Step::Dice])?;
        self.tokens.unmark_all();
        let mut hidden = false;
        for seat in [L, H] {
            if let Some(t) = self.tokens.top(lead(seat)) {
                self.tokens.mark(t);
                hidden = true;
            }
        }
        if hidden { self.then(Step::ShowLeads) } else { Ok(()) }
    }

    // --- dice

    pub(super) fn throw_dice(&mut self) -> Result<(), Rejected> {
        self.agenda.pop();
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        let dice = |seat| if self.text(seat) == Some(Card::Omens) { 2 } else { 1 };
        let (first, second) = (Step::Roll(attacker, dice(attacker)), Step::Roll(defender, dice(defender)));
        // An attacker without cards does not roll.
        if self.battle.mode[attacker.index()].is_none() {
            self.then_all(&[second, Step::Score])
        } else {
            self.then_all(&[first, second, Step::Score])
        }
    }

    pub(super) fn rolled(&mut self, seat: Seat, left: u8, n: u32) -> Result<(), Rejected> {
        self.agenda.pop();
        let die = &mut self.battle.dice[seat.index()];
        *die = (*die).max(n as u8);
        if left > 1 { self.then(Step::Roll(seat, left - 1)) } else { Ok(()) }
    }

    // --- what it comes to

    /// Whether a seat gives way in this clash: by card, without one, or because it attacks without cards.
    pub(super) fn retreats(&self, seat: Seat) -> bool {
        match self.battle.mode[seat.index()] {
            Some(mode) => matches!(mode, Mode::Retreat | Mode::Withdraw),
            None => seat == self.battle.attacker,
        }
    }

    /// The card with which a seat fights.
    fn fighter(&self, seat: Seat) -> Option<Card> {
        self.lead_card(seat).filter(|_| self.battle.mode[seat.index()] == Some(Mode::Fight))
    }

    /// Whether the text of a seat's lead is void: the other side fights with a Refused Flank.
    pub(super) fn is_blanked(&self, seat: Seat) -> bool {
        self.fighter(enemy(seat)) == Some(Card::RefusedFlank)
    }

    /// The card of a seat whose text works in this clash.
    fn text(&self, seat: Seat) -> Option<Card> {
        self.fighter(seat).filter(|_| !self.is_blanked(seat))
    }

    /// What the lead of a seat is worth.
    fn worth(&self, seat: Seat) -> u8 {
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

    /// The score of a seat: its lead, what joined it, its die.
    pub(crate) fn clash_score(&self, seat: Seat) -> u8 {
        self.worth(seat) + self.contest.bonus[seat.index()] + self.battle.dice[seat.index()]
    }

    /// The strength that each seat loses in this clash once all dice are rolled.
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

    pub(super) fn score_clash(&mut self) -> Result<(), Rejected> {
        self.agenda.pop();
        self.battle.due = self.casualties();
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        let rallies = |seat| self.text(seat) == Some(Card::RallyTheLine);
        let heals = [attacker, defender].map(|seat| rallies(seat).then_some(Step::Heal(seat)));
        self.then(Step::AfterClash)?;
        for heal in heals.into_iter().rev().flatten() {
            self.then(heal)?;
        }
        self.then_all(&[Step::Loss(attacker), Step::Loss(defender)])
    }

    /// An army gone ends the battle; otherwise somebody retreats, or the next clash follows.
    pub(super) fn after_clash(&mut self) -> Result<(), Rejected> {
        self.agenda.pop();
        for seat in [L, H] {
            self.tokens.put_all(lead(seat), played(seat));
        }
        let (attacker, defender) = (self.battle.attacker, enemy(self.battle.attacker));
        let place = self.battle.place;
        if self.land_units(place, attacker) == 0 || self.land_units(place, defender) == 0 {
            return self.then(Step::EndBattle);
        }
        match (self.retreats(attacker), self.retreats(defender)) {
            (false, false) => self.then(Step::Clash),
            (true, true) => {
                self.then_all(&[Step::Withdraw(attacker), Step::Withdraw(defender), Step::EndBattle])
            }
            (true, false) => self.begin_flight(attacker),
            (false, true) => self.begin_flight(defender),
        }
    }
}
