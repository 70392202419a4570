//! Expansion cards: they work around the corner just built on.

use crate::actions::Target;
use crate::cards::{FACTIONS, Faction, Myth};
use crate::facts::Context;
use crate::map::Corner;
use crate::state::{Memo, Ozymandias, Pile, Sector, vault};
use pentarchy_engine::{RuleError, Seat, Stack};

impl Ozymandias {
    /// Returns whether an expansion card of the seat would have an effect at the corner of the open window:
    /// Tewell, Historian Adept, needs a blue city in the supply, the nine cards with a target need a legal
    /// one. Cards that only pay can always be used. Whether the seat has the card is not checked.
    pub(super) fn is_usable_expanding(&self, seat: Seat, card: Myth) -> bool {
        match card {
            Myth::TewellHistorianAdept => self.supply[Faction::Blue.index()] > 0,
            Myth::FiresAtNight
            | Myth::GeminiCoup
            | Myth::ShieldRhetoric
            | Myth::CrusadeOfTheSun
            | Myth::SilverSwordUprising
            | Myth::TidalPools
            | Myth::HaniosResistance
            | Myth::WhispersInTheDeep
            | Myth::HanianCultists => self.has_offer(seat, card, Memo::Nothing),
            _ => true,
        }
    }

    /// Begins the effect of an expansion card at the corner of the window. These pay at once and emit
    /// `Influence`: Thani Tribes 2 per sector at the corner; E'Feri Census half of red's value; Chera's Tithe
    /// half of the highest value in the stack and 1 per other faction; Xin Harvest 2 and the values of the
    /// sectors, at most `harvest_cap`; Atif half of blue's value and 1 per covered blue city; Vaults of Atif
    /// 2 and 2 per vault card, at most `vaults_cap`; Tewell `pays.tewell`, after a blue city was put below
    /// the stack. All others push the choice of a target. The caller has checked that the card is usable.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn begin_expanding(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        card: Myth,
    ) -> Result<(), RuleError> {
        let corner = self.window.corner;
        match card {
            Myth::ThaniTribes => self.gain(cx, seat, 2 * self.sectors_at(corner).count() as i32),
            Myth::EFeriCensus => self.gain(cx, seat, self.half(Faction::Red)),
            Myth::CherasTithe => {
                let here = self.pile(corner).map(Pile::factions).unwrap_or_default();
                let best = here.iter().map(|f| self.half(f)).max().unwrap_or(0);
                let others = here.iter().count().saturating_sub(1) as i32;
                self.gain(cx, seat, best + others);
            }
            Myth::XinHarvest => {
                let value: i32 = self.sectors_at(corner).map(|s| self.sector_value(s)).sum();
                self.gain(cx, seat, (2 + value).min(self.settings.harvest_cap.into()));
            }
            Myth::TewellHistorianAdept => {
                self.found_below(corner, Faction::Blue);
                self.gain(cx, seat, self.settings.pays.tewell.into());
            }
            Myth::AtifHistorianAdept => {
                let buried = self.cities.iter().flat_map(Pile::covered).filter(|&f| f == Faction::Blue);
                let buried = buried.count() as i32;
                self.gain(cx, seat, self.half(Faction::Blue) + buried);
            }
            Myth::VaultsOfAtif => {
                let locked = self.tokens.len(vault(seat)) as i32;
                self.gain(cx, seat, (2 + 2 * locked).min(self.settings.vaults_cap.into()));
            }
            _ => self.ask(seat, card, Memo::Nothing)?,
        }
        Ok(())
    }

    /// Calls `out` for each legal target of an expansion card of seat `by`: stacks and corners ascending,
    /// factions in their order, players in turn order. Near means at the sectors of the window's corner.
    ///
    /// Fires at Night: other near stacks that red does not rule. Gemini Coup: single cities that are not
    /// red. Shield Rhetoric: near stacks with a covered white city that white does not rule. Crusade of the
    /// Sun: near free corners. Silver Sword Uprising: other factions than white with a covered city at the
    /// corner. Tidal Pools: near stacks of two or more that blue does not rule; Hanio's Resistance: of any
    /// ruler. Whispers in the Deep: near stacks. Hanian Cultists: players with more influence. Cards that
    /// build need a city in the supply. Nothing for cards without a target.
    pub(super) fn offers_expanding(&self, by: Seat, card: Myth, out: &mut dyn FnMut(Target)) {
        let corner = self.window.corner;
        let near = |p: &Pile| self.is_near(p, corner);
        match card {
            Myth::FiresAtNight => {
                self.offer_piles(|p| p.corner != corner && near(p) && p.ruler() != Some(Faction::Red), out);
            }
            Myth::GeminiCoup if self.supply[Faction::Red.index()] > 0 => {
                self.offer_piles(|p| p.height() == 1 && p.ruler() != Some(Faction::Red), out);
            }
            Myth::ShieldRhetoric => {
                let white = Faction::White;
                self.offer_piles(|p| near(p) && p.count(white) > 0 && p.ruler() != Some(white), out);
            }
            Myth::CrusadeOfTheSun if self.supply[Faction::White.index()] > 0 => {
                self.offer_free_near(corner, out);
            }
            Myth::SilverSwordUprising => {
                let covered = |f: Faction| self.pile(corner).is_some_and(|p| p.covered().any(|c| c == f));
                let others = FACTIONS.into_iter().filter(|&f| f != Faction::White && covered(f));
                others.for_each(|f| out(Target::Faction(f)));
            }
            Myth::TidalPools => {
                self.offer_piles(|p| p.height() >= 2 && near(p) && p.ruler() != Some(Faction::Blue), out);
            }
            Myth::HaniosResistance => self.offer_piles(|p| p.height() >= 2 && near(p), out),
            Myth::WhispersInTheDeep if self.supply[Faction::Black.index()] > 0 => self.offer_piles(near, out),
            Myth::HanianCultists => {
                let richer = by.ring(self.seats).filter(|&s| self.influence(s) > self.influence(by));
                richer.for_each(|s| out(Target::Player(s)));
            }
            _ => {}
        }
    }

    /// Applies the effect of an expansion card to its target and pays the seat `by` what the options say.
    /// Fires at Night destroys the top city; Gemini Coup and Crusade of the Sun found a red or white one on
    /// top; Shield Rhetoric raises a white city, Hanio's Resistance the bottom one, to the top; Tidal Pools
    /// puts the top city at the bottom; Whispers in the Deep puts a black one there; Silver Sword Uprising
    /// destroys a covered city of the faction at the corner of the window. Hanian Cultists take up to
    /// `cultists_take` influence from the player. Emits the facts of destruction and influence. A target that
    /// is not of the card's kind has no effect. The caller has checked the target and popped the choice.
    ///
    /// # Errors
    ///
    /// Fails if there are more stacks than the map holds.
    pub(super) fn finish_expanding(
        &mut self,
        cx: &mut Context<'_>,
        by: Seat,
        card: Myth,
        target: Target,
    ) -> Result<(), RuleError> {
        let pays = self.settings.pays;
        let paid = match (card, target) {
            (Myth::FiresAtNight, Target::Corner(corner)) => {
                self.destroy_top(cx, corner);
                pays.fires
            }
            (Myth::GeminiCoup, Target::Corner(corner)) => {
                self.found(corner, Faction::Red)?;
                pays.coup
            }
            (Myth::ShieldRhetoric, Target::Corner(corner)) => {
                self.raise(corner, |f| f == Faction::White);
                pays.rhetoric
            }
            (Myth::CrusadeOfTheSun, Target::Corner(corner)) => {
                self.found(corner, Faction::White)?;
                pays.crusade
            }
            (Myth::SilverSwordUprising, Target::Faction(faction)) => {
                self.destroy_covered(cx, self.window.corner, faction);
                pays.uprising
            }
            (Myth::TidalPools, Target::Corner(corner)) => {
                if let Some(pile) = self.pile_mut(corner)
                    && let Some(top) = pile.take_top()
                {
                    pile.put_below(top);
                }
                pays.pools
            }
            (Myth::HaniosResistance, Target::Corner(corner)) => {
                if let Some(pile) = self.pile_mut(corner)
                    && let Some(bottom) = pile.take(0)
                {
                    pile.put_on_top(bottom);
                }
                pays.resistance
            }
            (Myth::WhispersInTheDeep, Target::Corner(corner)) => {
                self.found_below(corner, Faction::Black);
                pays.whispers
            }
            (Myth::HanianCultists, Target::Player(victim)) => {
                let taken = self.influence(victim).min(self.settings.cultists_take.into());
                self.gain(cx, victim, -taken);
                self.gain(cx, by, taken);
                0
            }
            _ => 0,
        };
        self.gain(cx, by, paid.into());
        Ok(())
    }

    /// Calls `out` for the free corners of the sectors at a corner, ascending, each once. At most 18 are
    /// considered, which three sectors do not exceed.
    fn offer_free_near(&self, corner: Corner, out: &mut dyn FnMut(Target)) {
        let mut free: Stack<Corner, 18> = Stack::new();
        for c in self.sectors_at(corner).flat_map(|s: &Sector| s.hex.corners()) {
            if self.is_free(c) && !free.contains(&c) {
                // Three sectors have at most 18 corners.
                let _ = free.push(c);
            }
        }
        free.sort_unstable();
        free.iter().for_each(|&c| out(Target::Corner(c)));
    }

    /// Moves a city of the supply to the bottom of the stack at a corner; no effect without a stack. The
    /// supply must not be empty.
    fn found_below(&mut self, corner: Corner, faction: Faction) {
        if let Some(pile) = self.pile_mut(corner) {
            pile.put_below(faction);
            self.supply[faction.index()] -= 1;
        }
    }

    /// Moves the highest city of the stack at a corner for whose faction `fits` is true to the top; no effect
    /// if there is none.
    fn raise(&mut self, corner: Corner, fits: impl Fn(Faction) -> bool) {
        if let Some(pile) = self.pile_mut(corner) {
            let place = pile.iter().rposition(fits);
            if let Some(city) = place.and_then(|i| pile.take(i)) {
                pile.put_on_top(city);
            }
        }
    }

    /// Destroys the highest covered city of a faction in a stack: it returns to the supply, and
    /// `CitiesDestroyed` is emitted. No effect if there is none.
    fn destroy_covered(&mut self, cx: &mut Context<'_>, corner: Corner, faction: Faction) {
        if let Some(pile) = self.pile_mut(corner) {
            let place = pile.covered().rposition(|f| f == faction);
            if place.and_then(|i| pile.take(i)).is_some() {
                self.return_cities(cx, faction, 1);
            }
        }
    }
}
