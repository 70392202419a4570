//! A crisis: secret contributions, their effects, a winner, destruction, history.

use crate::actions::Action;
use crate::cards::{FACTIONS, Faction, Factions, Kind, Myth, Thing};
use crate::facts::{Context, Fact};
use crate::forecast::{Contributed, CrisisResult, Fate, Strength};
use crate::map::Hex;
use crate::state::{Contribution, Crisis, Ozymandias, Pile, Task, hand, laid, tableau, vault};
use pentarchy_engine::{RuleError, Seat, SeatView, ensure};

impl Ozymandias {
    // --- before it: the tableau may be picked up, the sector is named

    /// Appends `Pickup` for each tableau card of the active seat, which may pick them up before a crisis,
    /// then always `PickupAll` and `Done`.
    pub(super) fn list_prelude(&self, out: &mut Vec<Action>) {
        out.extend(self.tokens.iter(tableau(self.active)).map(Action::Pickup));
        out.extend([Action::PickupAll, Action::Done]);
    }

    /// Applies a pick-up before a crisis. `Pickup` moves one card of the active seat's tableau to its hand,
    /// emits `TookBack` and keeps the task. `PickupAll` moves all of them, emits `TookBackAll` and pops the
    /// task. `Done` only pops the task.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the active seat's tableau or it is another action.
    pub(super) fn pick_up(&mut self, cx: &mut Context<'_>, act: Action) -> Result<(), RuleError> {
        let seat = self.active;
        let (from, to) = (tableau(seat), hand(seat));
        match act {
            Action::Pickup(card) => {
                ensure(self.tokens.in_zone(card, from), "this card is not in the tableau")?;
                self.tokens.put(card, to);
                cx.emit(move || Fact::TookBack(seat, card));
            }
            Action::PickupAll => {
                self.tokens.put_all(from, to);
                cx.emit(move || Fact::TookBackAll(seat));
                self.agenda.pop();
            }
            Action::Done => {
                self.agenda.pop();
            }
            _ => return Err(RuleError::new("pick up cards, or be done")),
        }
        Ok(())
    }

    /// Appends `Sector` for each sector with a city at one of its corners, ascending by hex.
    pub(super) fn list_sectors(&self, out: &mut Vec<Action>) {
        let from = out.len();
        out.extend(self.sectors.iter().filter(|s| self.cities_at(s.hex) > 0).map(|s| Action::Sector(s.hex)));
        out[from..].sort_unstable_by_key(|act| match act {
            Action::Sector(hex) => *hex,
            _ => Hex::default(),
        });
    }

    /// Checks the sector of the crisis, resets `crisis` with the factions that stand there, emits
    /// `CrisisBegan` and pops the task.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if there is no sector, or no city at it.
    pub(super) fn choose_sector(&mut self, cx: &mut Context<'_>, hex: Hex) -> Result<(), RuleError> {
        ensure(self.has_sector(hex), "there is no sector")?;
        ensure(self.cities_at(hex) > 0, "there is no city at this sector")?;
        self.agenda.pop();
        self.crisis = Crisis { sector: hex, factions: self.factions_at(hex), ..Crisis::default() };
        let seat = self.active;
        cx.emit(move || Fact::CrisisBegan(seat, hex));
        Ok(())
    }

    // --- contributions

    /// Asks the seat at index `place` of the turn order to contribute, if it has cards, and pushes the
    /// question to the next seat below it. Pops the task; beyond the last seat nothing more. A hand of which
    /// others know a card is permuted first.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
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

    /// Pushes a permutation of the hand (`Mix`) if another seat knows a card of it: a card is about to leave
    /// it face down, and must not be traceable.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn mix_if_known(&mut self, seat: Seat) -> Result<(), RuleError> {
        let known = self.tokens.iter(hand(seat)).any(|card| self.tokens.known(card).beyond(seat));
        if known { self.push_task(Task::Mix(seat)) } else { Ok(()) }
    }

    /// Appends `Contribute` for the hand cards whose faction has a city at the sector, then always `Pass`.
    /// `own` must be the view of `seat`.
    pub(super) fn list_contributions(&self, seat: Seat, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        let fits = |f: Thing| f.myth().is_some_and(|m| self.crisis.factions.has(m.faction()));
        let cards = self.tokens.iter(hand(seat)).filter(|&card| own.face(card).is_some_and(fits));
        out.extend(cards.map(Action::Contribute));
        out.push(Action::Pass);
    }

    /// Applies a contribution or a pass and pops the task. The card moves face down from the hand to the zone
    /// before the seat; unless all four factions are at the sector, the seat claims that the card belongs to
    /// one that is. Emits `Contributed` or `Abstained`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the hand, the claim is false as far as the observer
    /// knows, or it is another action.
    pub(super) fn contribute(
        &mut self,
        cx: &mut Context<'_>,
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
                cx.emit(move || Fact::Contributed(seat, card));
            }
            Action::Pass => cx.emit(move || Fact::Abstained(seat)),
            _ => return Err(RuleError::new("contribute a card, or pass")),
        }
        self.agenda.pop();
        Ok(())
    }

    // --- what they do

    /// Pops the task, collects the contributions in turn order into `crisis.order`, marks them, and pushes
    /// their reveal, their effects, the decision and the aftermath. Without any it emits `NobodyContributed`,
    /// and the crisis has no effect.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn reveal_contributions(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
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
            cx.emit(move || Fact::NobodyContributed);
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

    /// Begins the reveal effect of the contribution at index `entry` of the order, if it has one that is not
    /// cancelled, and pushes the task for the next index below it. Pops the task; beyond the last index
    /// nothing more.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden or the agenda is full.
    pub(super) fn reveal_effect(&mut self, cx: &mut Context<'_>, entry: u8) -> Result<(), RuleError> {
        self.next_effect(cx, entry, Kind::Reveal, Task::RevealEffect(entry + 1))
    }

    /// Begins the aftermath effect of the contribution at index `entry` of the order, if it has one that is
    /// not cancelled, and pushes the task for the next index below it. Pops the task; beyond the last index
    /// nothing more.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden or the agenda is full.
    pub(super) fn aftermath_effect(&mut self, cx: &mut Context<'_>, entry: u8) -> Result<(), RuleError> {
        self.next_effect(cx, entry, Kind::Aftermath, Task::AftermathEffect(entry + 1))
    }

    /// Pops the task, pushes `next`, and begins the effect of the contribution at index `entry` above it, if
    /// it has this timing and is not cancelled. Pushes nothing if there is no such contribution.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden or the agenda is full.
    fn next_effect(
        &mut self,
        cx: &mut Context<'_>,
        entry: u8,
        timing: Kind,
        next: Task,
    ) -> Result<(), RuleError> {
        self.agenda.pop();
        let Some(&it) = self.crisis.order.get(entry as usize) else { return Ok(()) };
        self.push_task(next)?;
        let myth = self.myth(it.card)?;
        if it.mute || myth.kind() != timing {
            Ok(())
        } else {
            self.begin_crisis_effect(cx, entry, it.holder, myth)
        }
    }

    // --- who wins, what falls

    /// Returns the strength of a contribution in the current crisis with the effects so far: rank, cities at
    /// the sector that count, and bonus.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden.
    pub(crate) fn strength(&self, it: &Contribution) -> Result<Strength, RuleError> {
        let myth = self.myth(it.card)?;
        Ok(self.strength_of(myth, self.crisis.sector, self.crisis.pulsed, it.bonus))
    }

    /// Returns the strength of a card in a crisis at this sector: its rank, the cities of its faction there,
    /// and `bonus`. Cities of `pulsed` factions are ignored.
    #[inline]
    pub(crate) fn strength_of(&self, myth: Myth, sector: Hex, pulsed: Factions, bonus: u8) -> Strength {
        let cities = self.piles_at(sector).map(|p| p.count(myth.faction())).sum::<usize>() as u8;
        let (cities, ignored) = if pulsed.has(myth.faction()) { (0, cities) } else { (cities, 0) };
        Strength { rank: myth.rank(), cities, ignored, bonus }
    }

    /// Returns the strength that a card gains by its own effect when it is revealed at this sector: for
    /// Battle of Agon Sphere the number of stacks there that white rules, 0 for all other cards.
    pub(crate) fn own_bonus(&self, myth: Myth, sector: Hex) -> u8 {
        if myth != Myth::BattleOfAgonSphere {
            return 0;
        }
        self.piles_at(sector).filter(|p| p.ruler() == Some(Faction::White)).count() as u8
    }

    /// Pops the task, determines the winners (the factions of the strongest cards, several after a tie),
    /// destroys the cities of the losers and moves the winners up. Emits `CrisisDecided` after the facts of
    /// these changes. Moves no card.
    ///
    /// # Errors
    ///
    /// Fails if a contribution is hidden.
    pub(super) fn decide_crisis(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.agenda.pop();
        let order = self.crisis.order;
        let mut strengths = [Strength::default(); 5];
        for (strength, it) in strengths.iter_mut().zip(order.iter()) {
            *strength = self.strength(it)?;
        }
        let best = strengths.iter().map(|strength| strength.total()).max();
        for (strength, it) in strengths.iter().zip(order.iter()) {
            if Some(strength.total()) == best {
                self.crisis.winners.insert(self.myth(it.card)?.faction());
            }
        }
        let before = FACTIONS.map(|f| self.value(f));
        self.settle_crisis(cx);
        cx.emit(|| Fact::CrisisDecided(Box::new(self.crisis_result(&strengths, before))));
        Ok(())
    }

    /// Returns the result of the crisis that was just settled, the strongest card first, equal ones in the
    /// order of the crisis. `strengths` are those of `crisis.order`, `before` the values of the factions
    /// before the winners rose, by `Faction::index`. All contributions must be public: a hidden one is left
    /// out.
    fn crisis_result(&self, strengths: &[Strength; 5], before: [i32; 4]) -> CrisisResult {
        let contributed = |(it, &strength): (&Contribution, &Strength)| {
            let Contribution { card, holder, mute, .. } = *it;
            let (myth, fate) = (self.myth(card).ok()?, self.fate(it).ok()?);
            Some(Contributed { card, myth, holder, strength, mute, fate })
        };
        let mut cards: Vec<_> = self.crisis.order.iter().zip(strengths).filter_map(contributed).collect();
        cards.sort_by_key(|it| std::cmp::Reverse(it.strength.total()));
        let after = FACTIONS.map(|f| self.value(f));
        let (sector, winners) = (self.crisis.sector, self.crisis.winners);
        let strength = cards.first().map_or(0, |it| it.strength.total());
        CrisisResult { sector, cards, winners, strength, before, after }
    }

    /// Destroys the cities of the losers, unless there is peace, and moves the winners up by the number of
    /// cities destroyed in the crisis (by earlier effects too), at least 1. Emits the facts of both; sets
    /// `ending` if a winner reaches the end of the track. `crisis.winners` must be set.
    pub(crate) fn settle_crisis(&mut self, cx: &mut Context<'_>) {
        if !self.crisis.peace {
            self.destroy_losers(cx);
        }
        let spaces = self.crisis.destroyed.max(1);
        for faction in self.crisis.winners.iter() {
            self.rise(cx, faction, spaces);
        }
    }

    /// Destroys the cities at the sector whose faction does not win, except white ones under Chera's
    /// Protection and covered ones under Unbreakable Spirit. Returns them to the supply, emits
    /// `CitiesDestroyed` for each faction that lost some, removes empty stacks, and adds the number of
    /// cities to `crisis.destroyed`. Peace is not checked here.
    fn destroy_losers(&mut self, cx: &mut Context<'_>) {
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
            self.return_cities(cx, faction, fallen[faction.index()]);
        }
        self.crisis.destroyed += fallen.iter().sum::<u8>();
    }

    /// Moves the contributions to where they go: back to the hand, to the vault with the winners (emits
    /// `Locked`), or to the tableau. Pops the task.
    ///
    /// # Errors
    ///
    /// Fails if a contribution is hidden.
    pub(super) fn leave_crisis(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.agenda.pop();
        let order = self.crisis.order;
        for it in order.iter() {
            let fate = self.fate(it)?;
            let zone = match fate {
                Fate::Hand => hand(it.holder),
                Fate::Vault => vault(it.holder),
                Fate::Tableau => tableau(it.holder),
            };
            self.tokens.put(it.card, zone);
            if fate == Fate::Vault {
                cx.emit(move || Fact::Locked(it.holder, it.card));
            }
        }
        Ok(())
    }

    /// Returns where a contribution goes after the crisis: a returning card to the hand, a card of a winning
    /// faction to the vault, all others to the tableau. The winners must be known.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden.
    pub(crate) fn fate(&self, it: &Contribution) -> Result<Fate, RuleError> {
        let myth = self.myth(it.card)?;
        Ok(match (self.goes_to_hand(it, myth), self.crisis.winners.has(myth.faction())) {
            (true, _) => Fate::Hand,
            (false, true) => Fate::Vault,
            (false, false) => Fate::Tableau,
        })
    }

    /// Returns whether a contribution goes back to its holder's hand after the crisis: it is marked so, or it
    /// is an uncancelled Zele Shield Formula and blue does not win. The winners must be known. `myth` is the
    /// card of `it`.
    pub(super) fn goes_to_hand(&self, it: &Contribution, myth: Myth) -> bool {
        let formula = myth == Myth::ZeleShieldFormula && !it.mute && !self.crisis.winners.has(Faction::Blue);
        it.returns || formula
    }
}
