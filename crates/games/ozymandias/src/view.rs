//! What whoever draws the table may ask of the public state.

use crate::cards::{Faction, Factions, Kind, Myth};
use crate::map::{Corner, Hex};
use crate::options::Settings;
use crate::state::{Ozymandias, Pile, Sector, Step};
use pentarchy_engine::{Seat, Token};

/// What is awaited, as far as a picture needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Explore, expand, or call a crisis.
    Action,
    /// Where the new sector goes.
    Place,
    /// Where the new city goes.
    Build(Faction),
    /// Which cards of the tableau work.
    Effects,
    /// Which cards are picked up before a crisis.
    Prelude,
    /// Which sector has the crisis.
    Sector,
    /// What is laid for the crisis.
    Contribute,
    /// What a card works on.
    Choose(Myth),
    /// What is bought.
    Buy,
    /// Nothing that anybody decides.
    Nature,
}

/// A card laid for a crisis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laid {
    /// The card.
    pub card: Token,
    /// Who has laid it.
    pub holder: Seat,
    /// What it is worth, once it is turned up.
    pub strength: Option<usize>,
    /// Whether it has no effect.
    pub mute: bool,
}

impl Ozymandias {
    /// What is awaited.
    pub fn moment(&self) -> Moment {
        match self.step() {
            Step::Action => Moment::Action,
            Step::Place => Moment::Place,
            Step::Build(faction) => Moment::Build(faction),
            Step::Window(_) => Moment::Effects,
            Step::Prelude => Moment::Prelude,
            Step::Sector => Moment::Sector,
            Step::Contribute(_) => Moment::Contribute,
            Step::Choose { card, .. } => Moment::Choose(card),
            Step::Purchase(_) => Moment::Buy,
            _ => Moment::Nature,
        }
    }

    /// The options of this game.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Turns begun, from 0.
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// Whose turn it is.
    pub fn active(&self) -> Seat {
        self.active
    }

    /// The space of a faction's marker on the track, from 0.
    pub fn space(&self, faction: Faction) -> usize {
        usize::from(self.markers[faction.index()])
    }

    /// How many cities of a faction can still be built.
    pub fn supply(&self, faction: Faction) -> u8 {
        self.supply[faction.index()]
    }

    /// Whether the end of history has been reached.
    pub fn is_ending(&self) -> bool {
        self.ending
    }

    /// Who could not pay, if somebody could not.
    pub fn bankrupt(&self) -> Option<Seat> {
        self.bankrupt
    }

    /// The sectors on the map.
    pub fn sectors(&self) -> &[Sector] {
        &self.sectors
    }

    /// The stacks of cities on the map.
    pub fn stacks(&self) -> &[Pile] {
        &self.cities
    }

    /// The hexes where a new sector may go.
    pub fn frontier_hexes(&self) -> Vec<Hex> {
        let mut out = Vec::new();
        self.frontier(&mut |hex| out.push(hex));
        out
    }

    /// The corners on which a city of this faction may be put.
    pub fn corners_open_to(&self, faction: Faction) -> Vec<Corner> {
        let mut out = Vec::new();
        self.open_corners(faction, &mut |corner| out.push(corner));
        out
    }

    /// The effects that work now: which kind, and for which factions.
    pub fn working(&self) -> Option<(Kind, Factions)> {
        let open = self.agenda.iter().any(|step| matches!(step, Step::Window(_)));
        open.then_some((self.window.kind(), self.window.factions))
    }

    /// The sector that was just explored, while its effects go on.
    pub fn explored(&self) -> Option<Hex> {
        self.working().filter(|_| self.window.exploring).map(|_| self.window.hex)
    }

    /// The corner that was just built on, while its effects go on.
    pub fn built(&self) -> Option<Corner> {
        self.working().filter(|_| !self.window.exploring).map(|_| self.window.corner)
    }

    /// The sector of the crisis that is under way, and the factions that stood there when it began.
    pub fn in_crisis(&self) -> Option<(Hex, Factions)> {
        let under_way = |step: &Step| {
            matches!(
                step,
                Step::AskContribution(_)
                    | Step::Contribute(_)
                    | Step::CrisisReveal
                    | Step::RevealEffect(_)
                    | Step::Decide
                    | Step::AftermathEffect(_)
                    | Step::Leave
            )
        };
        let named = !self.agenda.iter().any(|step| matches!(step, Step::Sector));
        let now = named && self.agenda.iter().any(under_way);
        now.then_some((self.crisis.sector, self.crisis.factions))
    }

    /// The factions that have won the crisis, once it is decided.
    pub fn crisis_winners(&self) -> Factions {
        self.crisis.winners
    }

    /// The cards laid for the crisis, in the order in which they work.
    pub fn laid_cards(&self) -> Vec<Laid> {
        if self.crisis.order.is_empty() {
            let seats = (0..self.seats).filter_map(|place| self.in_turn(place));
            return seats
                .filter_map(|holder| {
                    let card = self.tokens.top(crate::state::laid(holder))?;
                    Some(Laid { card, holder, strength: None, mute: false })
                })
                .collect();
        }
        let order = self.crisis.order.iter();
        order
            .map(|it| Laid {
                card: it.card,
                holder: it.holder,
                strength: self.strength_of(it.card),
                mute: it.mute,
            })
            .collect()
    }

    /// What a contribution is worth: its rank, the cities of its faction, its own bonus.
    pub fn strength_of(&self, card: Token) -> Option<usize> {
        let myth = self.myth(card).ok()?;
        let cities: usize = self.piles_at(self.crisis.sector).map(|p| p.count(myth.faction())).sum();
        let cities = if self.crisis.pulsed.has(myth.faction()) { 0 } else { cities };
        let bonus = self.crisis.order.iter().find(|it| it.card == card).map_or(0, |it| it.bonus);
        Some(usize::from(myth.rank()) + cities + usize::from(bonus))
    }

    /// How many cities of a faction stand at a hex.
    pub fn cities_of(&self, faction: Faction, hex: Hex) -> usize {
        self.piles_at(hex).map(|p| p.count(faction)).sum()
    }

    /// What a seat would score if the game were over: influence, and the cards in the vault that lie open.
    pub fn score_of(&self, seat: Seat) -> i32 {
        self.score(seat)
    }

    /// What a card in a vault counts.
    pub fn vault_worth(&self, myth: Myth) -> i32 {
        let bonus = i32::from(self.settings.vault_rank_bonus);
        self.value(myth.faction()) + (bonus - i32::from(myth.rank())).max(0)
    }
}
