//! Strengths, results and risks of a crisis, for boards and logs. All numbers come from the rules' own
//! functions.

use crate::cards::{CARDS, Faction, Factions, Myth, Thing};
use crate::facts::Context;
use crate::map::Hex;
use crate::state::{Crisis, Ozymandias, hand, laid};
use crate::view::Contributing;
use pentarchy_engine::{Position, Seat, Token};

/// The strength of a card in a crisis, in its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Strength {
    /// Its rank.
    pub rank: u8,
    /// The cities of its faction at the sector.
    pub cities: u8,
    /// The cities of its faction that do not count, because of Ion Pulse.
    pub ignored: u8,
    /// What its own effect adds.
    pub bonus: u8,
}

impl Strength {
    /// Returns the number that is compared in a crisis: rank, counted cities and bonus. `ignored` is not
    /// included.
    #[inline]
    pub const fn total(self) -> u8 {
        self.rank + self.cities + self.bonus
    }
}

/// How a contribution would end, as far as its owner can know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// No card that another player may hold beats or ties it.
    Wins,
    /// Some card may tie it, none beats it.
    WinsOrTies,
    /// Some card may beat it.
    MayLose,
}

/// What a seat can know about one of its cards in a crisis. Effects of other cards are not foreseen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// The strength of the card.
    pub strength: Strength,
    /// How it would end.
    pub outlook: Outlook,
    /// How many of the cards that others may hold beat it.
    pub beaten_by: usize,
    /// How many of the cards that others may hold can be contributed at all.
    pub of: usize,
    /// The strongest faction that may beat or tie it, and its strength.
    pub rival: Option<(Faction, u8)>,
}

/// A card that a seat must buy at the end of the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Purchase {
    /// How many cards the seat has in hand and tableau.
    pub cards: usize,
    /// Its influence.
    pub influence: i32,
    /// The price of the cheapest card on sale.
    pub cheapest: i32,
}

impl Purchase {
    /// Returns whether the seat's influence pays the cheapest card. If not, it goes bankrupt when it has to
    /// buy.
    pub const fn is_affordable(self) -> bool {
        self.cheapest <= self.influence
    }
}

/// What a seat risks in a crisis with one choice: a purchase that it cannot pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Risk {
    /// The purchase that the seat could not pay if its card wins.
    pub winning: Option<Purchase>,
    /// The purchase that the seat could not pay if its card does not win, or if it passes.
    pub losing: Option<Purchase>,
}

impl Risk {
    /// Returns whether winning or losing would lead to a purchase that the seat cannot pay.
    pub const fn is_serious(self) -> bool {
        self.winning.is_some() || self.losing.is_some()
    }
}

/// How a crisis was decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrisisResult {
    /// Where it was.
    pub sector: Hex,
    /// The contributions, the strongest first.
    pub cards: Vec<Contributed>,
    /// The factions that won.
    pub winners: Factions,
    /// The strength with which they won.
    pub strength: u8,
    /// The value of each faction before.
    pub before: [i32; 4],
    /// The value of each faction after.
    pub after: [i32; 4],
}

/// A card in a decided crisis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contributed {
    /// The card.
    pub card: Token,
    /// What it is.
    pub myth: Myth,
    /// Who holds it.
    pub holder: Seat,
    /// Its strength.
    pub strength: Strength,
    /// Whether its effect is cancelled.
    pub mute: bool,
    /// Where it goes.
    pub fate: Fate,
}

/// Where a contribution goes after the crisis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// To the vault, where it counts at the end.
    Vault,
    /// To the tableau.
    Tableau,
    /// Back to the hand.
    Hand,
}

impl Ozymandias {
    /// Returns the strength that a card would have in a crisis at this sector now, its own bonus included,
    /// before the effects of other cards. Does not check that its faction is there.
    pub fn strength_at(&self, myth: Myth, sector: Hex) -> Strength {
        self.strength_of(myth, sector, Factions::default(), self.own_bonus(myth, sector))
    }

    /// Returns the purchase that a seat owes at the end of this turn if nothing changes; `None` if it has
    /// enough cards, nothing is on sale, or this turn has no purchases. The seat may be unable to pay.
    pub fn purchase_due(&self, seat: Seat) -> Option<Purchase> {
        self.purchase_with(self.cards_of(seat), self.influence(seat))
    }

    /// Returns the purchase that a seat with `cards` cards in hand and tableau and this influence would owe
    /// at the end of this turn, at the prices of now; `None` if it has enough cards, nothing is on sale, or
    /// this turn has no purchases. The seat may be unable to pay.
    fn purchase_with(&self, cards: usize, influence: i32) -> Option<Purchase> {
        if self.skips_purchases() || cards >= usize::from(self.settings.hand_size) {
            return None;
        }
        Some(Purchase { cards, influence, cheapest: self.cheapest()? })
    }

    /// Returns the purchase that a seat owes at the end of the next turn after it has bought a card for
    /// `price` now, at the prices of now; `None` if it then has enough cards or there is no next turn.
    pub fn purchase_after_buying(&self, seat: Seat, price: i32) -> Option<Purchase> {
        if self.ending || self.is_last_turn() {
            return None;
        }
        self.purchase_with(self.cards_of(seat) + 1, self.influence(seat) - price)
    }

    /// Returns the purchase that a seat owes at the end of this turn if `winner` alone wins the crisis under
    /// way; `None` if it owes none. `card` is the hand card that the seat contributes, `None` for a pass; it
    /// leaves the seat's cards only if its faction wins, and its own income counts. Effects of other cards
    /// are not foreseen. Works on a copy.
    fn purchase_after(&self, seat: Seat, card: Option<Myth>, winner: Faction) -> Option<Purchase> {
        let mut after = self.clone();
        after.crisis.winners.insert(winner);
        after.settle_crisis(&mut Context::silent());
        let income = card.map_or(0, |card| match card {
            Myth::Psychohistory => self.crisis_income(card),
            _ => after.crisis_income(card),
        });
        let won = card.is_some_and(|card| card.faction() == winner);
        after.purchase_with(self.cards_of(seat) - usize::from(won), self.influence(seat) + income)
    }

    /// Returns the bankruptcies that a seat risks by contributing this hand card, or none (`None`), to the
    /// crisis under way: `winning` if its faction wins (never for a pass), and `losing` for the first other
    /// faction there, in their order, whose win the seat could not pay for. Ties and effects of other cards
    /// are not considered.
    pub fn risk(&self, seat: Seat, card: Option<Myth>) -> Risk {
        let unpaid = |winner: Faction| {
            self.purchase_after(seat, card, winner).filter(|purchase| !purchase.is_affordable())
        };
        let own = card.map(Myth::faction);
        let others = self.crisis.factions.iter().filter(|&f| Some(f) != own);
        Risk { winning: own.and_then(unpaid), losing: others.filter_map(unpaid).next() }
    }

    /// Returns the bankruptcies that a seat would risk with this card, or with a pass (`None`), in a new
    /// crisis at a sector: if its faction wins, and if another faction there does. The card is in the hand or
    /// the tableau of the seat; this is not checked. Changes nothing.
    pub fn risk_at(&self, seat: Seat, card: Option<Myth>, sector: Hex) -> Risk {
        let mut next = self.clone();
        next.crisis = Crisis { sector, factions: self.factions_at(sector), ..Crisis::default() };
        next.risk(seat, card)
    }
}

/// Returns the cards that seats other than `seat` may contribute, as far as the observer of `view` knows, in
/// the order of the card table: all cards that are not known to lie outside of their hands and contributions.
/// `None` means that all seats count as others.
pub fn unseen_cards(view: &Position<Ozymandias>, seat: Option<Seat>) -> Vec<Myth> {
    let state = view.state();
    let others = || (0..state.seats).map(Seat).filter(|&s| Some(s) != seat);
    let mut elsewhere = 0u64;
    for token in state.tokens.all() {
        if let Some(Thing::Myth(myth)) = view.face(token) {
            let held = others()
                .any(|s| state.tokens.in_zone(token, hand(s)) || state.tokens.in_zone(token, laid(s)));
            elsewhere |= u64::from(!held) << myth as u8;
        }
    }
    CARDS.iter().map(|card| card.myth).filter(|&m| elsewhere >> m as u8 & 1 == 0).collect()
}

/// Returns whether a seat other than `seat` (any seat for `None`) has contributed to the crisis under way or
/// still may. Without a crisis, or before its sector is named: whether another seat has a card in hand.
pub fn has_rivals(state: &Ozymandias, seat: Option<Seat>) -> bool {
    let named = state.in_crisis().is_some();
    (0..state.seats).map(Seat).filter(|&s| Some(s) != seat).any(|s| {
        if named { state.contributing(s) != Contributing::Nothing } else { !state.tokens.is_empty(hand(s)) }
    })
}

/// Returns the greatest strength that a card of this faction among `unseen` would have in a crisis at the
/// sector; of equal totals that of the last card. `None` if there is no such card.
pub fn most(state: &Ozymandias, unseen: &[Myth], faction: Faction, sector: Hex) -> Option<Strength> {
    let own = unseen.iter().filter(|m| m.faction() == faction);
    own.map(|&m| state.strength_at(m, sector)).max_by_key(|s| s.total())
}

/// Compares a seat's card with the cards that the others may hold, in a crisis at this sector: its strength,
/// how it would end, how many of those cards beat it, and its strongest rival (of equal ones the last in the
/// card table; `None` if no card reaches its strength). Uses only what the observer of `view` knows; cards of
/// its own faction are no rivals, as they win together. Without other contributors it wins. Effects of other
/// cards are not foreseen.
pub fn forecast(view: &Position<Ozymandias>, seat: Seat, card: Myth, sector: Hex) -> Forecast {
    let state = view.state();
    let here = state.factions_of(sector);
    let strength = state.strength_at(card, sector);
    let unseen = if has_rivals(state, Some(seat)) { unseen_cards(view, Some(seat)) } else { Vec::new() };
    let fits: Vec<Myth> = unseen.into_iter().filter(|m| here.has(m.faction())).collect();
    // A stronger card of the same faction makes this faction win, and this card goes to the vault with it.
    let rivals = fits.iter().filter(|m| m.faction() != card.faction());
    let rivals: Vec<(Faction, u8)> =
        rivals.map(|&m| (m.faction(), state.strength_at(m, sector).total())).collect();
    let rival = rivals.iter().copied().filter(|r| r.1 >= strength.total()).max_by_key(|r| r.1);
    let beaten_by = rivals.iter().filter(|r| r.1 > strength.total()).count();
    let outlook = match rival {
        None => Outlook::Wins,
        Some(_) if beaten_by == 0 => Outlook::WinsOrTies,
        Some(_) => Outlook::MayLose,
    };
    Forecast { strength, outlook, beaten_by, of: fits.len(), rival }
}
