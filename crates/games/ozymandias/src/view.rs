//! Queries of the public state for boards.

use crate::cards::{Faction, Factions, Kind, Myth};
use crate::forecast::{Fate, Strength};
use crate::map::{Corner, Hex};
use crate::options::Options;
use crate::state::{Contribution, Crisis, Ozymandias, Pile, Sector, Task};
use pentarchy_engine::{Seat, Token};

/// The kind of decision that the rules wait for, as user interfaces need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
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
    /// No seat decides.
    Nature,
}

/// A card laid for a crisis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laid {
    /// The card.
    pub card: Token,
    /// Who has laid it.
    pub holder: Seat,
    /// Its strength, once it is revealed.
    pub strength: Option<Strength>,
    /// Whether its effect is cancelled.
    pub mute: bool,
    /// Where it goes after the crisis, once the winners are known.
    pub fate: Option<Fate>,
}

/// What a seat has done in the contributions of a crisis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contributing {
    /// It has laid a card.
    Laid,
    /// It has passed, or had no card in hand.
    Nothing,
    /// It is asked now.
    Asked,
    /// It will be asked.
    Waiting,
}

/// Effects in force in a crisis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CrisisEffects {
    /// No city is destroyed and no sector removed (Peace Talks).
    pub peace: bool,
    /// White cities are not destroyed (Chera's Protection).
    pub white_safe: bool,
    /// Covered cities are not destroyed (Unbreakable Spirit).
    pub covered_safe: bool,
    /// Factions whose cities give no strength (Ion Pulse).
    pub pulsed: Factions,
}

impl Ozymandias {
    /// Returns the kind of decision that the rules wait for; [`DecisionKind::Nature`] for chance, reveals and
    /// after the end.
    pub fn decision_kind(&self) -> DecisionKind {
        match self.step() {
            Task::Action => DecisionKind::Action,
            Task::Place => DecisionKind::Place,
            Task::Build(faction) => DecisionKind::Build(faction),
            Task::Window(_) => DecisionKind::Effects,
            Task::Prelude => DecisionKind::Prelude,
            Task::Sector => DecisionKind::Sector,
            Task::Contribute(_) => DecisionKind::Contribute,
            Task::Choose { card, .. } => DecisionKind::Choose(card),
            Task::Purchase(_) => DecisionKind::Buy,
            _ => DecisionKind::Nature,
        }
    }

    /// Returns the options that this game was created with.
    pub fn settings(&self) -> &Options {
        &self.settings
    }

    /// Returns the number of turns that have ended: 0 during the first turn.
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// Returns the seat whose turn it is; others may decide during it. Seat 0 before the first seat is
    /// chosen.
    pub fn active(&self) -> Seat {
        self.active
    }

    /// Returns the index of a faction's marker in `TRACK`, from 0 to 11.
    pub fn space(&self, faction: Faction) -> usize {
        usize::from(self.markers[faction.index()])
    }

    /// Returns how many cities of a faction are left in the supply.
    pub fn supply(&self, faction: Faction) -> u8 {
        self.supply[faction.index()]
    }

    /// Returns whether a faction has reached the end of the track: the game ends after this turn. `false` if
    /// it ends by the cap or a bankruptcy.
    pub fn is_ending(&self) -> bool {
        self.ending
    }

    /// Returns the seat that went bankrupt, which ended the game; `None` otherwise.
    pub fn bankrupt(&self) -> Option<Seat> {
        self.bankrupt
    }

    /// Returns the sectors on the map, in the order in which they were placed.
    pub fn sectors(&self) -> &[Sector] {
        &self.sectors
    }

    /// Returns the stacks of cities on the map, ascending by corner.
    pub fn stacks(&self) -> &[Pile] {
        &self.cities
    }

    /// Returns the hexes where a new sector may go, those without one that touch a city, ascending; empty if
    /// there is none. Whether a tile is left is not checked.
    pub fn frontier_hexes(&self) -> Vec<Hex> {
        let mut out = Vec::new();
        self.frontier(&mut |hex| out.push(hex));
        out
    }

    /// Returns the corners on which a city of this faction may be put, ascending; the supply is not checked.
    pub fn corners_open_to(&self, faction: Faction) -> Vec<Corner> {
        let mut out = Vec::new();
        self.open_corners(faction, &mut |corner| out.push(corner));
        out
    }

    /// Returns the kind of tableau effects that work now, and the factions whose cards do; `None` outside of
    /// a window of effects.
    pub fn working(&self) -> Option<(Kind, Factions)> {
        let open = self.agenda.iter().any(|step| matches!(step, Task::Window(_)));
        open.then_some((self.window.kind(), self.window.factions))
    }

    /// Returns the sector that was just explored, while its effects are resolved; otherwise `None`.
    pub fn explored(&self) -> Option<Hex> {
        self.working().filter(|_| self.window.exploring).map(|_| self.window.hex)
    }

    /// Returns the corner that was just built on, while its effects are resolved; otherwise `None`.
    pub fn built(&self) -> Option<Corner> {
        self.working().filter(|_| !self.window.exploring).map(|_| self.window.corner)
    }

    /// Returns the sector of the current crisis, and the factions that stood there when it began; `None`
    /// without a crisis, and before its sector is named.
    pub fn in_crisis(&self) -> Option<(Hex, Factions)> {
        let under_way = |step: &Task| {
            matches!(
                step,
                Task::AskContribution(_)
                    | Task::Contribute(_)
                    | Task::CrisisReveal
                    | Task::RevealEffect(_)
                    | Task::Decide
                    | Task::AftermathEffect(_)
                    | Task::Leave
            )
        };
        let named = !self.agenda.iter().any(|step| matches!(step, Task::Sector));
        let now = named && self.agenda.iter().any(under_way);
        now.then_some((self.crisis.sector, self.crisis.factions))
    }

    /// Returns the factions that have won the current or last crisis; empty before it is decided, and if
    /// nobody contributed.
    pub fn crisis_winners(&self) -> Factions {
        self.crisis.winners
    }

    /// Returns the cards laid for the current crisis: in turn order and without strengths while they are
    /// being laid, then in the order in which they work, with their strengths once they are public. After the
    /// crisis, those of the last one. Empty if none are laid.
    pub fn laid_cards(&self) -> Vec<Laid> {
        if self.crisis.order.is_empty() {
            let seats = (0..self.seats).filter_map(|place| self.in_turn(place));
            return seats
                .filter_map(|holder| {
                    let card = self.tokens.top(crate::state::laid(holder))?;
                    Some(Laid { card, holder, strength: None, mute: false, fate: None })
                })
                .collect();
        }
        let decided = self.crisis.winners != Factions::default();
        let laid = |it: &Contribution| Laid {
            card: it.card,
            holder: it.holder,
            strength: self.strength(it).ok(),
            mute: it.mute,
            fate: if decided { self.fate(it).ok() } else { None },
        };
        self.crisis.order.iter().map(laid).collect()
    }

    /// Returns the state of a seat's contribution to the current crisis: `Laid`, `Asked` (it decides now),
    /// `Waiting` (it will be asked), or `Nothing` if it has passed or has no card in hand. `Nothing` without
    /// a crisis.
    pub fn contributing(&self, seat: Seat) -> Contributing {
        if !self.tokens.is_empty(crate::state::laid(seat)) {
            return Contributing::Laid;
        }
        if self.agenda.contains(&Task::Contribute(seat)) {
            return Contributing::Asked;
        }
        let next = self.agenda.iter().find_map(|step| match step {
            Task::AskContribution(place) => Some(*place),
            _ => None,
        });
        let place = (seat.0 + self.seats - self.active.0) % self.seats;
        let has_cards = !self.tokens.is_empty(crate::state::hand(seat));
        if next.is_some_and(|next| place >= next) && has_cards {
            Contributing::Waiting
        } else {
            Contributing::Nothing
        }
    }

    /// Returns the effects in force in the current crisis; after it, those of the last one; none before the
    /// first.
    pub fn crisis_effects(&self) -> CrisisEffects {
        let Crisis { peace, white_safe, covered_safe, pulsed, .. } = self.crisis;
        CrisisEffects { peace, white_safe, covered_safe, pulsed }
    }

    /// Returns the factions with a city at a sector, at any height.
    pub fn factions_of(&self, hex: Hex) -> Factions {
        self.factions_at(hex)
    }

    /// Returns how many cards a seat has in hand and tableau. A seat with fewer than the hand size must buy.
    pub fn card_count(&self, seat: Seat) -> usize {
        self.cards_of(seat)
    }

    /// Returns how many cities of a faction stand at the corners of a hex, at any height.
    pub fn cities_of(&self, faction: Faction, hex: Hex) -> usize {
        self.piles_at(hex).map(|p| p.count(faction)).sum()
    }

    /// Returns the score of a seat if the game were over: influence, and the public cards in its vault.
    /// Hidden cards count 0.
    pub fn score_of(&self, seat: Seat) -> i32 {
        self.score(seat)
    }

    /// Returns the score of this card in a vault at the values of now: the value of its faction, and
    /// `vault_rank_bonus` less its rank, at least 0.
    pub fn vault_worth(&self, myth: Myth) -> i32 {
        let bonus = i32::from(self.settings.vault_rank_bonus);
        self.value(myth.faction()) + (bonus - i32::from(myth.rank())).max(0)
    }
}
