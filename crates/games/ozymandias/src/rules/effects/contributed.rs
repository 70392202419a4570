//! Crisis cards: contributions that do something when they are revealed, or in the aftermath.

use crate::actions::Target;
use crate::cards::{Faction, Myth};
use crate::facts::{Context, Fact};
use crate::map::Hex;
use crate::state::{Memo, Ozymandias, Pile, Task, hand, laid, vault};
use pentarchy_engine::{RuleError, Seat};

impl Ozymandias {
    /// Begins the effect of the contribution at index `entry`, the card `card` of seat `by`. Peace Talks,
    /// Chera's Protection and Unbreakable Spirit set their marks in `crisis`; the Battle of Agon Sphere sets
    /// its bonus; Agon's Games mute all later contributions. Psychohistory and the Grotl Treasure Ships pay
    /// their income; the Zele Shield Formula pays and is marked to return, if it goes to the hand.
    ///
    /// Cards with a target push its choice if there is one, the Book of Changes if the hand has a card.
    /// Maengali's Altar does so only if black wins, the hand has a card and the seat can pay the price of the
    /// deck; a hand of which others know a card is permuted first. All others have no effect here.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(in crate::rules) fn begin_crisis_effect(
        &mut self,
        cx: &mut Context<'_>,
        entry: u8,
        by: Seat,
        card: Myth,
    ) -> Result<(), RuleError> {
        let sector = self.crisis.sector;
        let wins = |f| self.crisis.winners.has(f);
        match card {
            Myth::PeaceTalks => self.crisis.peace = true,
            Myth::CherasProtection => self.crisis.white_safe = true,
            Myth::UnbreakableSpirit => self.crisis.covered_safe = true,
            Myth::BattleOfAgonSphere => {
                self.crisis.order[entry as usize].bonus = self.own_bonus(card, sector);
            }
            Myth::AgonsGames => {
                self.crisis.order[entry as usize + 1..].iter_mut().for_each(|later| later.mute = true);
            }
            Myth::Psychohistory | Myth::GrotlTreasureShips => self.gain(cx, by, self.crisis_income(card)),
            Myth::ZeleShieldFormula if self.goes_to_hand(&self.crisis.order[entry as usize], card) => {
                self.gain(cx, by, self.settings.pays.formula.into());
                self.crisis.order[entry as usize].returns = true;
            }
            Myth::BookOfChanges if !self.tokens.is_empty(hand(by)) => {
                self.ask(by, card, Memo::Entry(entry))?;
            }
            Myth::MaengalisAltar
                if wins(Faction::Black)
                    && !self.tokens.is_empty(hand(by))
                    && self.influence(by) >= self.deck_price() =>
            {
                self.ask(by, card, Memo::Entry(entry))?;
                self.mix_if_known(by)?;
            }
            Myth::ScorchedEarth
            | Myth::Remembrance
            | Myth::GunsOfAugust
            | Myth::IonPulse
            | Myth::SpymasterAtherNesimm
            | Myth::CyrisTreachery
                if self.has_offer(by, card, Memo::Entry(entry)) =>
            {
                self.ask(by, card, Memo::Entry(entry))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the influence that a contribution pays by itself in the current crisis: Psychohistory 1 per
    /// city at the sector, the Grotl Treasure Ships 2 per destroyed city if red wins, others 0. Call it
    /// before the crisis is decided for the former, after it for the latter. Pays nothing itself.
    pub(crate) fn crisis_income(&self, card: Myth) -> i32 {
        match card {
            Myth::Psychohistory => self.cities_at(self.crisis.sector) as i32,
            Myth::GrotlTreasureShips if self.crisis.winners.has(Faction::Red) => {
                2 * i32::from(self.crisis.destroyed)
            }
            _ => 0,
        }
    }

    /// Calls `out` for each legal target of the crisis card of seat `by`, except hand cards. Scorched
    /// Earth: the sector of the crisis, if red wins, another sector is left and there is no peace.
    /// Remembrance: factions of the crisis that lost. Guns of August without peace: stacks that red does
    /// not rule at adjacent sectors, but not at that of the crisis. Ion Pulse: factions of the crisis.
    /// Spymaster Ather Nesimm: other players with cards in hand. Cyri's Treachery: other players with a
    /// contribution. The last target is `None`, except for Ion Pulse and the Spymaster. `memo` is the entry
    /// of the card.
    pub(super) fn offers_contributed(&self, by: Seat, card: Myth, memo: Memo, out: &mut dyn FnMut(Target)) {
        let crisis = &self.crisis;
        match card {
            Myth::ScorchedEarth
                if crisis.winners.has(Faction::Red) && self.sectors.len() >= 2 && !crisis.peace =>
            {
                out(Target::Sector(crisis.sector));
            }
            Myth::Remembrance => {
                let lost = crisis.factions.iter().filter(|&f| !crisis.winners.has(f));
                lost.for_each(|f| out(Target::Faction(f)));
            }
            Myth::GunsOfAugust if !crisis.peace => {
                let beside = |p: &Pile| {
                    let at = |h: &Hex| self.has_sector(*h) && p.corner.touches(*h);
                    crisis.sector.neighbours().iter().any(at)
                };
                let off = |p: &Pile| !p.corner.touches(crisis.sector);
                self.offer_piles(|p| beside(p) && off(p) && p.ruler() != Some(Faction::Red), out);
            }
            Myth::IonPulse => {
                crisis.factions.iter().for_each(|f| out(Target::Faction(f)));
                return;
            }
            Myth::SpymasterAtherNesimm => {
                let others = by.ring(self.seats).skip(1).filter(|&s| !self.tokens.is_empty(hand(s)));
                others.for_each(|s| out(Target::Player(s)));
                return;
            }
            Myth::CyrisTreachery => {
                let Memo::Entry(entry) = memo else { return };
                let holder = |s: Seat| {
                    crisis.order.iter().enumerate().any(|(i, it)| i != entry as usize && it.holder == s)
                };
                by.ring(self.seats).skip(1).filter(|&s| holder(s)).for_each(|s| out(Target::Player(s)));
            }
            _ => {}
        }
        out(Target::None);
    }

    /// Applies the effect of the crisis card of seat `by` to its target. Scorched Earth removes the sector;
    /// Remembrance raises the faction by 1; Guns of August destroy the top city and count it; Ion Pulse
    /// marks the faction. Spymaster Ather Nesimm pays, and pushes a look at the hand unless `by` knows it
    /// all. Cyri's Treachery exchanges the contributions. The Book of Changes returns to the hand, and the
    /// chosen card takes its entry, mute. Maengali's Altar pays the price of the deck, moves the card to
    /// the vault and emits `Locked`. No effect for `Target::None`, or if `memo` is not the entry of the
    /// card in the order. The caller has checked the target.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn finish_contributed(
        &mut self,
        cx: &mut Context<'_>,
        by: Seat,
        card: Myth,
        memo: Memo,
        target: Target,
    ) -> Result<(), RuleError> {
        let Memo::Entry(entry) = memo else { return Ok(()) };
        match (card, target) {
            (Myth::ScorchedEarth, Target::Sector(hex)) => self.remove_sector(cx, hex),
            (Myth::Remembrance, Target::Faction(faction)) => self.rise(cx, faction, 1),
            (Myth::GunsOfAugust, Target::Corner(corner)) => {
                self.destroy_top(cx, corner);
                self.crisis.destroyed += 1;
            }
            (Myth::IonPulse, Target::Faction(faction)) => self.crisis.pulsed.insert(faction),
            (Myth::SpymasterAtherNesimm, Target::Player(seat)) => {
                self.gain(cx, by, self.settings.pays.nesimm.into());
                let unseen = self.tokens.iter(hand(seat)).any(|t| !self.tokens.known(t).to(by));
                if unseen {
                    self.push_task(Task::Look { at: seat, by })?;
                }
            }
            (Myth::CyrisTreachery, Target::Player(seat)) => self.exchange(entry, by, seat),
            (Myth::BookOfChanges, Target::Card(new)) => {
                let it = &mut self.crisis.order[entry as usize];
                let book = std::mem::replace(&mut it.card, new);
                it.mute = true;
                self.tokens.put(book, hand(by));
                self.tokens.put(new, laid(by));
            }
            (Myth::MaengalisAltar, Target::Card(offering)) => {
                self.gain(cx, by, -self.deck_price());
                self.tokens.put(offering, vault(by));
                cx.emit(move || Fact::Locked(by, offering));
            }
            _ => {}
        }
        Ok(())
    }

    /// Exchanges the contribution at index `entry`, held by `by`, with that of the seat `with`: each card
    /// changes its holder and its zone; their places in the order stay. No effect if that seat has none.
    fn exchange(&mut self, entry: u8, by: Seat, with: Seat) {
        let other = self.crisis.order.iter().enumerate();
        let other = other.filter(|(i, it)| *i != entry as usize && it.holder == with).map(|(i, _)| i).next();
        if let Some(other) = other {
            self.crisis.order[entry as usize].holder = with;
            self.crisis.order[other].holder = by;
            self.tokens.put(self.crisis.order[entry as usize].card, laid(with));
            self.tokens.put(self.crisis.order[other].card, laid(by));
        }
    }
}
