//! A crisis: secret contributions, their effects, a winner, destruction, history.

use crate::actions::Action;
use crate::cards::{FACTIONS, Faction, Factions, Kind, Myth, Thing};
use crate::forecast::Strength;
use crate::map::Hex;
use crate::state::{Contribution, Crisis, Ozymandias, Pile, Task, hand, laid, tableau, vault};
use pentarchy_engine::{Cx, RuleError, Seat, SeatView, Zone, ensure};

impl Ozymandias {
    // --- before it: the tableau may be picked up, the sector is named

    /// Lists the cards that may be picked up before a crisis, and `done`.
    pub(super) fn list_prelude(&self, out: &mut Vec<Action>) {
        out.extend(self.tokens.iter(tableau(self.active)).map(Action::Pickup));
        out.extend([Action::PickupAll, Action::Done]);
    }

    /// Checks and applies a pick-up before a crisis.
    ///
    /// # Errors
    ///
    /// Fails if the card is not in the active seat's tableau.
    pub(super) fn pick_up(&mut self, act: Action) -> Result<(), RuleError> {
        let (from, to) = (tableau(self.active), hand(self.active));
        match act {
            Action::Pickup(card) => {
                ensure(self.tokens.in_zone(card, from), "this card is not in the tableau")?;
                self.tokens.put(card, to);
            }
            Action::PickupAll => {
                self.tokens.put_all(from, to);
                self.agenda.pop();
            }
            Action::Done => {
                self.agenda.pop();
            }
            _ => return Err(RuleError::new("pick up cards, or be done")),
        }
        Ok(())
    }

    /// Appends the sectors with a city, ascending.
    pub(super) fn list_sectors(&self, out: &mut Vec<Action>) {
        let from = out.len();
        out.extend(self.sectors.iter().filter(|s| self.cities_at(s.hex) > 0).map(|s| Action::Sector(s.hex)));
        out[from..].sort_unstable_by_key(|act| match act {
            Action::Sector(hex) => *hex,
            _ => Hex::default(),
        });
    }

    /// Checks and sets the sector of the crisis, and the factions that take part.
    ///
    /// # Errors
    ///
    /// Fails if there is no sector, or no city at it.
    pub(super) fn choose_sector(&mut self, hex: Hex) -> Result<(), RuleError> {
        ensure(self.has_sector(hex), "there is no sector")?;
        ensure(self.cities_at(hex) > 0, "there is no city at this sector")?;
        self.agenda.pop();
        self.crisis = Crisis { sector: hex, factions: self.factions_at(hex), ..Crisis::default() };
        Ok(())
    }

    // --- contributions

    /// Asks the seat at this index of the turn order to contribute, if it has cards. A hand of which others
    /// know a card is permuted first.
    pub(super) fn ask_contribution(&mut self, place: u8) -> Result<(), RuleError> {
        self.agenda.pop();
        let Some(seat) = self.in_turn(place) else { return Ok(()) };
        self.push_task(Task::AskContribution(place + 1))?;
        if self.tokens.is_empty(hand(seat)) {
            return Ok(());
        }
        self.push_task(Task::Contribute(seat))?;
        self.mix_if_known(seat)
    }

    /// Pushes a permutation of the hand if others know a card of it: a card is about to leave it face down, and
    /// must not be traceable.
    pub(super) fn mix_if_known(&mut self, seat: Seat) -> Result<(), RuleError> {
        let known = self.tokens.iter(hand(seat)).any(|card| self.tokens.known(card).beyond(seat));
        if known { self.push_task(Task::Mix(seat)) } else { Ok(()) }
    }

    /// Appends the hand cards that a seat may contribute, and `pass`.
    pub(super) fn list_contributions(&self, seat: Seat, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        let fits = |f: Thing| f.myth().is_some_and(|m| self.crisis.factions.has(m.faction()));
        let cards = self.tokens.iter(hand(seat)).filter(|&card| own.face(card).is_some_and(fits));
        out.extend(cards.map(Action::Contribute));
        out.push(Action::Pass);
    }

    /// Checks and applies a contribution. The actor claims that the card belongs to a faction at the sector.
    ///
    /// # Errors
    ///
    /// Fails if the card is not in the hand, the claim is false, or the action is another one.
    pub(super) fn contribute(
        &mut self,
        cx: &mut Cx<'_, Thing>,
        seat: Seat,
        act: Action,
    ) -> Result<(), RuleError> {
        match act {
            Action::Contribute(card) => {
                self.ensure_in_hand(card, seat)?;
                if self.crisis.factions != Factions::ALL {
                    cx.require(&self.tokens, card, self.crisis.factions.cards())?;
                }
                self.tokens.put(card, laid(seat));
            }
            Action::Pass => {}
            _ => return Err(RuleError::new("contribute a card, or pass")),
        }
        self.agenda.pop();
        Ok(())
    }

    // --- what they do

    /// Turns up the contributions. Without any, the crisis has no effect.
    pub(super) fn reveal_contributions(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        self.tokens.unmark_all();
        for place in 0..self.seats {
            let seat = self.in_turn(place);
            if let Some((holder, card)) = seat.and_then(|s| Some((s, self.tokens.top(laid(s))?))) {
                self.crisis.order.push(Contribution { card, holder, ..Contribution::default() })?;
                self.tokens.mark(card);
            }
        }
        if self.crisis.order.is_empty() {
            return Ok(());
        }
        self.push_tasks(&[
            Task::ShowMarked,
            Task::RevealEffect(0),
            Task::Decide,
            Task::AftermathEffect(0),
            Task::Leave,
        ])
    }

    /// Begins the reveal effect of contribution number `entry`.
    pub(super) fn reveal_effect(&mut self, entry: u8) -> Result<(), RuleError> {
        self.next_effect(entry, Kind::Reveal, Task::RevealEffect(entry + 1))
    }

    /// Begins the aftermath effect of contribution number `entry`.
    pub(super) fn aftermath_effect(&mut self, entry: u8) -> Result<(), RuleError> {
        self.next_effect(entry, Kind::Aftermath, Task::AftermathEffect(entry + 1))
    }

    /// Begins the effect of a contribution if it has this timing and is not cancelled; pushes `next` first.
    fn next_effect(&mut self, entry: u8, timing: Kind, next: Task) -> Result<(), RuleError> {
        self.agenda.pop();
        let Some(&it) = self.crisis.order.get(entry as usize) else { return Ok(()) };
        self.push_task(next)?;
        let myth = self.myth(it.card)?;
        if it.mute || myth.kind() != timing {
            Ok(())
        } else {
            self.begin_crisis_effect(entry, it.holder, myth)
        }
    }

    // --- who wins, what falls

    /// Returns the strength of a contribution with the effects so far.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden.
    pub(crate) fn strength(&self, it: &Contribution) -> Result<Strength, RuleError> {
        let myth = self.myth(it.card)?;
        Ok(self.strength_of(myth, self.crisis.sector, self.crisis.pulsed, it.bonus))
    }

    /// Returns the strength of a card in a crisis at this sector. Cities of `pulsed` factions do not count.
    #[inline]
    pub(crate) fn strength_of(&self, myth: Myth, sector: Hex, pulsed: Factions, bonus: u8) -> Strength {
        let cities = self.piles_at(sector).map(|p| p.count(myth.faction())).sum::<usize>() as u8;
        let (cities, ignored) = if pulsed.has(myth.faction()) { (0, cities) } else { (cities, 0) };
        Strength { rank: myth.rank(), cities, ignored, bonus }
    }

    /// Returns the strength that a card gains by its own effect when it is revealed.
    pub(crate) fn own_bonus(&self, myth: Myth, sector: Hex) -> u8 {
        if myth != Myth::BattleOfAgonSphere {
            return 0;
        }
        self.piles_at(sector).filter(|p| p.ruler() == Some(Faction::White)).count() as u8
    }

    /// Determines the winners, applies the result, and pushes the aftermath.
    pub(super) fn decide_crisis(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        let order = self.crisis.order;
        let mut best = 0;
        for it in order.iter() {
            best = best.max(self.strength(it)?.total());
        }
        for it in order.iter() {
            if self.strength(it)?.total() == best {
                self.crisis.winners.insert(self.myth(it.card)?.faction());
            }
        }
        self.settle_crisis();
        Ok(())
    }

    /// Destroys the cities of the losers, unless there is peace, and moves the winners up by the number
    /// destroyed, at least 1.
    pub(crate) fn settle_crisis(&mut self) {
        if !self.crisis.peace {
            self.destroy_losers();
        }
        let spaces = self.crisis.destroyed.max(1);
        for faction in self.crisis.winners.iter() {
            self.rise(faction, spaces);
        }
    }

    /// Destroys the cities at the sector whose faction does not win, except those that are protected.
    fn destroy_losers(&mut self) {
        let crisis = self.crisis;
        let mut fallen = [0u8; 4];
        for pile in self.cities.iter_mut().filter(|p| p.corner.touches(crisis.sector)) {
            let top = pile.height() - 1;
            let mut left = Pile::at(pile.corner);
            for (height, faction) in pile.iter().enumerate() {
                let stands = crisis.winners.has(faction)
                    || (crisis.white_safe && faction == Faction::White)
                    || (crisis.covered_safe && height < top);
                if stands {
                    left.put_on_top(faction);
                } else {
                    fallen[faction.index()] += 1;
                }
            }
            *pile = left;
        }
        self.clear_empty();
        for faction in FACTIONS {
            self.supply[faction.index()] += fallen[faction.index()];
        }
        self.crisis.destroyed += fallen.iter().sum::<u8>();
    }

    /// Moves the contributions: back to the hand, to the vault with the winners, or to the tableau.
    pub(super) fn leave_crisis(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        let order = self.crisis.order;
        for it in order.iter() {
            let to = self.destination(it)?;
            self.tokens.put(it.card, to);
        }
        Ok(())
    }

    /// Returns the zone of a contribution after the crisis.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden.
    pub(crate) fn destination(&self, it: &Contribution) -> Result<Zone, RuleError> {
        let wins = self.crisis.winners.has(self.myth(it.card)?.faction());
        Ok(match (it.returns, wins) {
            (true, _) => hand(it.holder),
            (false, true) => vault(it.holder),
            (false, false) => tableau(it.holder),
        })
    }
}
