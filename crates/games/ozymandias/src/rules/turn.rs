//! A turn: explore, expand, call a crisis, or withdraw.

use crate::actions::Action;
use crate::cards::Faction;
use crate::facts::{Context, Fact};
use crate::map::{Corner, Hex};
use crate::state::{DECK, MAP, MARKET, Ozymandias, Pile, Sector, TILE_STACK, Task, hand, tableau};
use pentarchy_engine::{RuleError, SeatView, ensure};

impl Ozymandias {
    /// Returns whether a tile is left and a hex without a sector touches a stack. Hand cards are not checked.
    pub(crate) fn can_explore(&self) -> bool {
        !self.tokens.is_empty(TILE_STACK)
            && self.cities.iter().flat_map(|p| p.corner.hexes()).any(|h| !self.has_sector(h))
    }

    /// Returns whether a city of this faction is left in the supply and can be put on a stack that it does
    /// not rule or on a free corner.
    pub(crate) fn can_expand(&self, faction: Faction) -> bool {
        self.supply[faction.index()] > 0
            && (self.cities.iter().any(|p| p.ruler() != Some(faction)) || self.has_free_corner())
    }

    /// Returns whether the active player has no other action than to withdraw: no hand card, and no city on
    /// the map.
    fn can_withdraw(&self) -> bool {
        self.tokens.is_empty(hand(self.active)) && self.cities.is_empty()
    }

    /// Appends the legal actions of a turn: `Explore` and `Expand` with each fitting hand card, then `Crisis`
    /// if there is a city, and `Withdraw` if nothing else is possible. `own` must be the view of the active
    /// seat.
    pub(super) fn list_actions(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        if self.can_explore() {
            out.extend(self.tokens.iter(hand(self.active)).map(Action::Explore));
        }
        let open = crate::cards::FACTIONS.map(|f| self.can_expand(f));
        for card in self.tokens.iter(hand(self.active)) {
            let myth = own.face(card).and_then(|f| f.myth());
            if myth.is_some_and(|m| open[m.faction().index()]) {
                out.push(Action::Expand(card));
            }
        }
        if !self.cities.is_empty() {
            out.push(Action::Crisis);
        }
        if self.can_withdraw() {
            out.push(Action::Withdraw);
        }
    }

    /// Checks the action of a turn, pops the task, applies its first part and pushes the rest; purchases follow
    /// in any case. Explore moves the card to the market, pays the value of its faction (`Explored`,
    /// `Influence`) and pushes the reveal of the next tile, its placement and the window. Expand moves the card
    /// to the tableau (`Expanded`) and pushes the building of a city and the window. A crisis emits
    /// `CrisisCalled` and pushes its phases. Withdrawing takes the whole tableau back to the hand (`Withdrew`).
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the action is not legal now, or the card is not in the hand or not public;
    /// or if the agenda is full.
    pub(super) fn take_action(&mut self, cx: &mut Context<'_>, act: Action) -> Result<(), RuleError> {
        match act {
            Action::Explore(card) => {
                self.ensure_in_hand(card, self.active)?;
                let faction = self.myth(card)?.faction();
                ensure(!self.tokens.is_empty(TILE_STACK), "no sector is left to be found")?;
                ensure(self.can_explore(), "a new sector must touch a city")?;
                self.agenda.pop();
                self.tokens.put(card, MARKET);
                let (seat, price) = (self.active, self.value(faction));
                cx.emit(move || Fact::Explored { seat, card, price });
                self.gain(cx, seat, price);
                self.push_tasks(&[Task::Place, Task::OpenWindow, Task::AskPurchase(0)])?;
                self.tokens.top(TILE_STACK).map_or(Ok(()), |tile| self.push_task(Task::Show(tile)))
            }
            Action::Expand(card) => {
                self.ensure_in_hand(card, self.active)?;
                let faction = self.myth(card)?.faction();
                ensure(self.supply[faction.index()] > 0, "no city of this faction is left")?;
                ensure(self.can_expand(faction), "no corner is open to this faction")?;
                self.agenda.pop();
                let seat = self.active;
                self.tokens.put(card, tableau(seat));
                cx.emit(move || Fact::Expanded(seat, card));
                self.push_tasks(&[Task::Build(faction), Task::OpenWindow, Task::AskPurchase(0)])
            }
            Action::Crisis => {
                ensure(!self.cities.is_empty(), "there is no city to fight for")?;
                self.agenda.pop();
                let seat = self.active;
                cx.emit(move || Fact::CrisisCalled(seat));
                self.push_tasks(&[
                    Task::Prelude,
                    Task::Sector,
                    Task::AskContribution(0),
                    Task::CrisisReveal,
                    Task::AskPurchase(0),
                ])
            }
            Action::Withdraw => {
                ensure(self.can_withdraw(), "one may withdraw only when nothing else is possible")?;
                self.agenda.pop();
                let seat = self.active;
                self.tokens.put_all(tableau(seat), hand(seat));
                cx.emit(move || Fact::Withdrew(seat));
                self.push_task(Task::AskPurchase(0))
            }
            _ => Err(RuleError::new("explore, expand or call a crisis")),
        }
    }

    /// Checks the hex, places the new sector there, emits `Placed` and pops the task. As many cards as its
    /// value move from the deck to the market, and their reveal is pushed. The window of effects is then
    /// about this sector. Without a tile left only pops the task.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the hex has a sector or touches no city; or if the agenda is full.
    pub(super) fn place(&mut self, cx: &mut Context<'_>, hex: Hex) -> Result<(), RuleError> {
        ensure(!self.has_sector(hex), "there is a sector already")?;
        ensure(self.piles_at(hex).next().is_some(), "a new sector must touch a city")?;
        self.agenda.pop();
        let Some(tile) = self.tokens.top(TILE_STACK) else { return Ok(()) };
        self.tokens.put(tile, MAP);
        let sector = Sector { hex, tile };
        self.sectors.push(sector)?;
        self.window.exploring = true;
        self.window.hex = hex;
        let (seat, value) = (self.active, self.sector_value(&sector));
        cx.emit(move || Fact::Placed { seat, hex, value });
        let fresh = (value as usize).min(self.tokens.len(DECK));
        for _ in 0..fresh {
            if let Some(card) = self.tokens.top(DECK) {
                self.tokens.put(card, MARKET);
            }
        }
        if fresh > 0 { self.push_task(Task::ShowMarket) } else { Ok(()) }
    }

    /// Checks the corner, builds a city of this faction there, emits `Built` and pops the task. The window of
    /// effects is then about this corner. The caller has checked that the supply has a city of the faction.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the corner is not on the map, the faction already rules the stack, or
    /// another stack is one edge away.
    pub(super) fn build(
        &mut self,
        cx: &mut Context<'_>,
        corner: Corner,
        faction: Faction,
    ) -> Result<(), RuleError> {
        ensure(self.sectors_at(corner).next().is_some(), "this corner is not on the map")?;
        ensure(
            self.pile(corner).is_none_or(|p| p.ruler() != Some(faction)),
            "the faction rules this stack already",
        )?;
        ensure(self.is_open(corner, faction), "another stack is only one edge away")?;
        self.agenda.pop();
        self.found(corner, faction)?;
        self.window.exploring = false;
        self.window.corner = corner;
        let (seat, cities) = (self.active, self.pile(corner).map_or(0, Pile::height));
        cx.emit(move || Fact::Built { seat, corner, faction, cities });
        Ok(())
    }
}
