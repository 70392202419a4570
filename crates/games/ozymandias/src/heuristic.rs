//! The heuristic: takes what cards pay, fights where it can win and still pay for the next card.
//!
//! All ratings are in tenths of influence, as far as they can be estimated.

use crate::actions::{Action, Target};
use crate::cards::{FACTIONS, Faction, Factions, Kind, Myth};
use crate::map::{Corner, Hex};
use crate::state::{DECK, MARKET, Memo, Ozymandias, Pile, TRACK, Task, hand, tableau, vault};
use crate::weights::Weights;
use pentarchy_engine::{Heuristic, SearchHints, Seat, SeatView, Token, WeightTable, odds};

impl Heuristic for Ozymandias {
    type Weights = Weights;

    /// Appends one rating per action of `list` to `out`, in its order, in tenths of influence, from what the
    /// deciding seat knows; higher is better. Passing, withdrawing and being done rate 0.
    fn rate_with(&self, own: &SeatView<'_, Self>, weights: &Weights, list: &[Action], out: &mut Vec<i32>) {
        let eyes = Evaluator { game: self, own, weights, seat: own.seat() };
        out.extend(list.iter().map(|&act| eyes.rate(act)));
    }

    /// Estimates the chance of `seat` to win, in thousandths: compares the influence of all seats plus the
    /// score of their vaults at the values of now; a vault card that the viewing seat does not know counts as
    /// much as the deck price.
    fn evaluate(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        let eyes = Evaluator { game: self, own, weights: &Weights::SHIPPED, seat };
        let others = (0..self.seats).map(Seat).filter(|&s| s != seat);
        odds(SCALE * eyes.holdings(seat), others.map(|s| SCALE * eyes.holdings(s)))
    }

    /// Returns the settings of the search: [`SearchHints::ADVISED`], short playouts that follow the ratings.
    fn search_hints() -> SearchHints {
        SearchHints::ADVISED
    }
}

/// Number of [`odds`] points that a point of influence counts: 20 influence multiply the odds by e.
const SCALE: i32 = 5;

/// The highest value on the track: a faction that reaches it ends the game.
const END: i32 = TRACK[TRACK.len() - 1] as i32;

/// Rates actions of `seat` with what the seat of `own` knows; for actions both are the deciding seat.
struct Evaluator<'a> {
    game: &'a Ozymandias,
    own: &'a SeatView<'a, Ozymandias>,
    weights: &'a Weights,
    seat: Seat,
}

impl Evaluator<'_> {
    /// Rates an action of the deciding seat in tenths of influence, as far as it can be estimated. Buying a
    /// card rates its worth less ten times its price; buying from the deck the weight `deck_card` less ten
    /// times the deck price. 0 for passing, withdrawing and being done, -1 for picking up the whole tableau.
    /// Does not check that the action is legal.
    fn rate(&self, act: Action) -> i32 {
        match act {
            Action::Explore(card) => self.rate_explore(card),
            Action::Expand(card) => self.rate_expand(card),
            Action::Crisis => self.best_crisis(true),
            Action::Sector(hex) => self.best_card(hex, false),
            Action::Contribute(card) => self.rate_contribution(self.game.crisis.sector, card),
            Action::Place(hex) => self.rate_place(hex),
            Action::Build(corner) => self.rate_build(corner),
            Action::Activate(card) => self.rate_activation(card),
            Action::Buy(card) => self.worth(card) - 10 * self.game.price(card).unwrap_or(0),
            Action::BuyDeck => self.weights.deck_card - 10 * self.game.deck_price(),
            Action::Pickup(card) => self.rate_pickup(card),
            Action::Choose(target) => self.rate_target(target),
            Action::PickupAll => -1,
            Action::Done | Action::Pass | Action::Withdraw => 0,
        }
    }

    /// Returns the card of a token; `None` if the viewing seat does not know it, or it is a tile.
    fn myth(&self, t: Token) -> Option<Myth> {
        self.own.face(t)?.myth()
    }

    /// Rates the usefulness of a card beyond its price, in tenths of influence: the weight of its kind, plus
    /// `card_city` per city of its faction on the map, plus `card_rank` per rank. 0 if the card is unknown to
    /// the viewing seat.
    fn worth(&self, card: Token) -> i32 {
        let Some(myth) = self.myth(card) else { return 0 };
        let cities: usize = self.game.cities.iter().map(|p| p.count(myth.faction())).sum();
        let w = self.weights;
        let works = match myth.kind() {
            Kind::Expand => w.expand_card,
            Kind::Explore => w.explore_card,
            Kind::Reveal | Kind::Aftermath => w.crisis_card,
        };
        works + w.card_city * cities as i32 + w.card_rank * i32::from(myth.rank())
    }

    /// Returns the price in influence of the cheapest card on sale now, in the market or on the deck, as the
    /// cost of replacing a card; 0 if none is on sale.
    fn replacement(&self) -> i32 {
        let game = self.game;
        let market = game.tokens.iter(MARKET).filter_map(|t| game.price(t).ok());
        let deck = (!game.tokens.is_empty(DECK)).then(|| game.deck_price());
        market.chain(deck).min().unwrap_or(0)
    }

    /// Returns how many more cards of a faction this seat has in its vault than the best of the others;
    /// negative if another has more. Cards that the viewing seat does not know are not counted.
    fn stake(&self, faction: Faction) -> i32 {
        let of = |s: Seat| {
            let cards = self.game.tokens.iter(vault(s)).filter_map(|t| self.myth(t));
            cards.filter(|m| m.faction() == faction).count() as i32
        };
        let others = (0..self.game.seats).map(Seat).filter(|&s| s != self.seat).map(of).max().unwrap_or(0);
        of(self.seat) - others
    }

    /// Estimates what the cards of this kind in the seat's tableau pay if these factions are present, in
    /// tenths of influence: the weight `window_pay` for each such card whose faction is in the set.
    fn window_pay(&self, kind: Kind, factions: Factions) -> i32 {
        let cards = self.game.tokens.iter(tableau(self.seat)).filter_map(|t| self.myth(t));
        cards.filter(|m| m.kind() == kind && factions.has(m.faction())).count() as i32
            * self.weights.window_pay
    }

    /// Rates exploring with a card, in tenths of influence: the value of its faction (less the price of a
    /// replacement, at most that value, if the seat then has too few cards), plus `explore_window` percent of
    /// what the seat's tableau pays if all factions on the map are present, less `explore_loss` percent of
    /// the card's worth, plus `explore`. 0 if the card is unknown.
    fn rate_explore(&self, card: Token) -> i32 {
        let game = self.game;
        let Some(myth) = self.myth(card) else { return 0 };
        let sold = game.value(myth.faction());
        let short = game.cards_of(self.seat) <= game.settings.hand_size as usize;
        let refill = if short { self.replacement().min(sold) } else { 0 };
        let seen = game.cities.iter().fold(0, |set, p| set | p.factions().0);
        let w = self.weights;
        let pays = w.explore_window * self.window_pay(Kind::Explore, Factions(seen)) / 100;
        10 * (sold - refill) + pays - w.explore_loss * self.worth(card) / 100 + w.explore
    }

    /// Rates expanding with a card, in tenths of influence: the [pay](Self::expected_pay) of an expansion
    /// card, `laid_explore` for an exploration card or `laid_crisis` for a crisis card, plus what the seat's
    /// tableau pays for a city of its faction alone. 0 if the card is unknown.
    fn rate_expand(&self, card: Token) -> i32 {
        let Some(myth) = self.myth(card) else { return 0 };
        let mut factions = Factions::default();
        factions.insert(myth.faction());
        let own = match myth.kind() {
            Kind::Expand => self.expected_pay(myth),
            // It lies ready for a later exploration.
            Kind::Explore => self.weights.laid_explore,
            Kind::Reveal | Kind::Aftermath => self.weights.laid_crisis,
        };
        own + self.window_pay(Kind::Expand, factions)
    }

    /// Estimates the pay of an expansion card when it is played, in tenths of influence: from the values of
    /// now for E'Feri Census, Chera's Tithe, Atif and Vaults of Atif, else the weight `pay_strong`,
    /// `pay_weak` or `pay_other`. Does not check that it is an expansion card: all others get `pay_other`.
    fn expected_pay(&self, myth: Myth) -> i32 {
        let game = self.game;
        match myth {
            Myth::EFeriCensus => 10 * game.half(Faction::Red),
            Myth::CherasTithe => 5 * FACTIONS.map(|f| game.value(f)).into_iter().max().unwrap_or(6),
            Myth::AtifHistorianAdept => 10 * game.half(Faction::Blue),
            Myth::VaultsOfAtif => {
                let vaults = game.tokens.len(vault(self.seat)) as i32;
                10 * (2 + 2 * vaults).min(game.settings.vaults_cap.into())
            }
            Myth::XinHarvest | Myth::ThaniTribes => self.weights.pay_strong,
            Myth::TidalPools | Myth::ShieldRhetoric | Myth::SilverSwordUprising | Myth::FiresAtNight => {
                self.weights.pay_weak
            }
            _ => self.weights.pay_other,
        }
    }

    /// Rates a hex for the new sector, in tenths of influence: what the seat's exploration cards in the
    /// tableau [pay](Self::window_pay) for the factions around it, plus 1 for each city at it.
    fn rate_place(&self, hex: Hex) -> i32 {
        self.window_pay(Kind::Explore, self.game.factions_at(hex)) + self.game.cities_at(hex) as i32
    }

    /// Rates a corner for the new city, in tenths of influence: what the seat's tableau
    /// [pays](Self::window_pay) there, less `foreign_window` for each expansion card of other tableaus that
    /// works there; 20 per sector with Thani Tribes and 10 per value of the sectors with Xin Harvest in the
    /// tableau; `build_mine` per city of the faction and `build_all` per city at the sectors of the corner,
    /// and `build_height` per city in the stack. 0 unless a city is to be built.
    fn rate_build(&self, corner: Corner) -> i32 {
        let game = self.game;
        let Task::Build(faction) = game.step() else { return 0 };
        let pile = game.pile(corner);
        let mut factions = pile.map(Pile::factions).unwrap_or_default();
        factions.insert(faction);
        let mut rate = self.window_pay(Kind::Expand, factions);
        for seat in (0..game.seats).map(Seat).filter(|&s| s != self.seat) {
            let cards = game.tokens.iter(tableau(seat)).filter_map(|t| self.myth(t));
            rate -= self.weights.foreign_window
                * cards.filter(|m| m.kind() == Kind::Expand && factions.has(m.faction())).count() as i32;
        }
        let sectors: Vec<i32> = game.sectors_at(corner).map(|s| game.sector_value(s)).collect();
        let has = |myth| game.tokens.iter(tableau(self.seat)).any(|t| self.myth(t) == Some(myth));
        if has(Myth::ThaniTribes) {
            rate += 20 * sectors.len() as i32;
        }
        if has(Myth::XinHarvest) {
            rate += 10 * sectors.iter().sum::<i32>();
        }
        // Where the faction already stands it will be strong; where many stand much can be won.
        let mine: usize = game
            .sectors_at(corner)
            .map(|s| game.piles_at(s.hex).map(|p| p.count(faction)).sum::<usize>())
            .sum();
        let all: usize = game.sectors_at(corner).map(|s| game.cities_at(s.hex)).sum();
        let w = self.weights;
        rate + w.build_mine * mine as i32
            + w.build_height * pile.map_or(0, |p| p.height() as i32)
            + w.build_all * all as i32
    }

    /// Rates activating a card of the tableau: the weight `activation`. Zele Research Labs rate 20 and
    /// Pilgrims of Chera 30, because they buy a card, and -10 if the seat has enough cards. 0 if the card is
    /// unknown.
    fn rate_activation(&self, card: Token) -> i32 {
        let game = self.game;
        match self.myth(card) {
            Some(Myth::ZeleResearchLabs) => {
                if game.cards_of(self.seat) < game.settings.hand_size as usize {
                    20
                } else {
                    -10
                }
            }
            Some(Myth::PilgrimsOfChera) => {
                if game.cards_of(self.seat) < game.settings.hand_size as usize {
                    30
                } else {
                    -10
                }
            }
            Some(_) => self.weights.activation,
            None => 0,
        }
    }

    // --- crises

    /// Rates picking up a card of the tableau before a crisis, in tenths of influence: what its contribution
    /// at its best sector gains over the [best crisis](Self::best_crisis) with the hand alone. At least
    /// `pickup`, or for an exploration card at least `pickup_explore` for each card that the hand has fewer
    /// than 3, negative above.
    fn rate_pickup(&self, card: Token) -> i32 {
        let game = self.game;
        let lies = self.myth(card).is_some_and(|m| m.kind() == Kind::Explore);
        let few = 3 - game.tokens.len(hand(self.seat)) as i32;
        let fight = self.best_with(card) - self.best_crisis(false);
        fight.max(if lies { self.weights.pickup_explore * few } else { self.weights.pickup })
    }

    /// Rates the best crisis that this seat could call, in tenths of influence: the highest
    /// [`best_card`](Self::best_card) of all sectors with a city (0 if there is none) less `crisis_cost`.
    /// `with_tableau`: the cards of its tableau count as if picked up.
    fn best_crisis(&self, with_tableau: bool) -> i32 {
        let sectors = self.game.sectors.iter().filter(|s| self.game.cities_at(s.hex) > 0);
        sectors.map(|s| self.best_card(s.hex, with_tableau)).max().unwrap_or(0) - self.weights.crisis_cost
    }

    /// Rates the best contribution of this seat in a crisis at a sector, in tenths of influence; at least 0,
    /// because it may pass. `with_tableau`: the cards of its tableau count as if picked up.
    fn best_card(&self, hex: Hex, with_tableau: bool) -> i32 {
        let game = self.game;
        let laid = game.tokens.iter(tableau(self.seat)).filter(|_| with_tableau);
        game.tokens
            .iter(hand(self.seat))
            .chain(laid)
            .map(|t| self.rate_contribution(hex, t))
            .max()
            .unwrap_or(0)
            .max(0)
    }

    /// Rates contributing this card at the best sector for it, in tenths of influence; 0 if no sector has a
    /// city. Can be negative.
    fn best_with(&self, card: Token) -> i32 {
        let sectors = self.game.sectors.iter().filter(|s| self.game.cities_at(s.hex) > 0);
        sectors.map(|s| self.rate_contribution(s.hex, card)).max().unwrap_or(0)
    }

    /// Rates contributing a card to a crisis at a sector, in tenths of influence: the prize of a win times
    /// its chance.
    ///
    /// The prize is ten times the sum of the new value of the faction, the rank bonus and `growth` sixtieths
    /// of the rest of the track, less the [price](Self::price_after) of a replacement if the seat then needs
    /// one; plus `moved` × (1 + [stake](Self::stake)) per point of the rise; plus `end_ahead` or `end_behind`
    /// if the win ends the game. The faction rises by the other factions' cities there, at least 1 space. The
    /// chance is `chance` percent, plus `chance_strength` per point of strength above the strongest faction
    /// there with a card of rank `rival_rank`, less `chance_rival` for each rival with a hand beyond the
    /// first; from 10 to 95.
    ///
    /// -20 if its faction is not there, -100 if the seat could not pay for all the cards it must then buy, 0
    /// if the card is unknown.
    fn rate_contribution(&self, hex: Hex, card: Token) -> i32 {
        let game = self.game;
        let Some(myth) = self.myth(card) else { return 0 };
        let faction = myth.faction();
        if !game.factions_at(hex).has(faction) {
            return -20;
        }
        let count = |f: Faction| game.piles_at(hex).map(|p| p.count(f)).sum::<usize>() as i32;
        let strength = i32::from(myth.rank()) + count(faction);
        let fallen = game.cities_at(hex) as i32 - count(faction);
        let rise = fallen.max(1) as usize;
        // A winner must buy a new card; a player who cannot pay for it should rather lose.
        let missing = game.settings.hand_size as i32 + 1 - game.cards_of(self.seat) as i32;
        let price = if missing > 0 { self.price_after(hex, faction, rise) } else { 0 };
        if price * missing.max(0) > game.influence(self.seat) {
            return -100;
        }
        let w = self.weights;
        let value = self.value_after(faction, rise);
        let bonus = (i32::from(game.settings.vault_rank_bonus) - i32::from(myth.rank())).max(0);
        let moved = value - game.value(faction);
        // Values rise: what lies in the vault will be worth more at the end.
        let growth = w.growth * (END - value) / 60;
        let mut prize = 10 * (value + bonus + growth - price) + w.moved * moved * (1 + self.stake(faction));
        if value == END {
            let lead = self.lead() + value + bonus - price + moved * self.stake(faction);
            prize += if lead > 0 { w.end_ahead } else { w.end_behind };
        }
        // Against an average card of the strongest faction there.
        let rivals =
            (0..game.seats).map(Seat).filter(|&s| s != self.seat && !game.tokens.is_empty(hand(s))).count()
                as i32;
        let threat = FACTIONS.into_iter().map(count).max().unwrap_or(0) + w.rival_rank;
        let chance = (w.chance + w.chance_strength * (strength - threat) - w.chance_rival * (rivals - 1))
            .clamp(10, 95);
        prize * chance / 100
    }

    /// Returns the value of a faction after it has risen by `rise` spaces, at most to the end of the track.
    /// Changes nothing.
    fn value_after(&self, faction: Faction, rise: usize) -> i32 {
        let marker = (self.game.markers[faction.index()] as usize + rise).min(TRACK.len() - 1);
        i32::from(TRACK[marker])
    }

    /// Returns by how much the [holdings](Self::holdings) of this seat exceed the best of the others, in
    /// influence; negative if behind.
    fn lead(&self) -> i32 {
        let others = (0..self.game.seats).map(Seat).filter(|&s| s != self.seat);
        self.holdings(self.seat) - others.map(|s| self.holdings(s)).max().unwrap_or(0)
    }

    /// Returns the influence of the seat `of` plus the score of its vault at the values of now (value of the
    /// faction, and the rank bonus); a card that the viewing seat does not know counts as much as the deck
    /// price.
    fn holdings(&self, of: Seat) -> i32 {
        let game = self.game;
        let bonus = i32::from(game.settings.vault_rank_bonus);
        let cards = game.tokens.iter(vault(of)).map(|t| match self.myth(t) {
            Some(m) => game.value(m.faction()) + (bonus - i32::from(m.rank())).max(0),
            None => game.deck_price(),
        });
        game.influence(of) + cards.sum::<i32>()
    }

    /// Estimates the price in influence that this seat would pay for a new card after `faction` has won at
    /// the sector and risen by `rise` spaces, alone or tied with one other faction there: the highest over
    /// these cases. All seats that buy before this one are assumed to take the cheapest cards of the market;
    /// the deck costs the second highest value.
    fn price_after(&self, hex: Hex, faction: Faction, rise: usize) -> i32 {
        let game = self.game;
        let earlier = usize::from((self.seat.0 + game.seats - game.active.0) % game.seats);
        let tied = game.factions_at(hex).without(faction);
        let with = |other: Option<Faction>| {
            let risen = |f: Faction| if f == faction || Some(f) == other { rise } else { 0 };
            let mut values = FACTIONS.map(|f| self.value_after(f, risen(f)));
            let market = game.tokens.iter(MARKET).filter_map(|t| game.myth(t).ok());
            // Each of those who buy earlier takes the cheapest card, as long as there is another.
            let mut cheap = [0; 5];
            let mut known = 0;
            for mut price in market.map(|m| values[m.faction().index()]) {
                for c in &mut cheap[..known] {
                    if price < *c {
                        std::mem::swap(c, &mut price);
                    }
                }
                if known <= earlier {
                    cheap[known] = price;
                    known += 1;
                }
            }
            values.sort_unstable();
            let dearest = cheap[known.saturating_sub(1)];
            match game.tokens.len(DECK) {
                0 => dearest,
                cards if cards <= earlier => dearest.max(values[2]),
                _ if known > earlier => dearest.min(values[2]),
                _ => values[2],
            }
        };
        tied.iter().map(|f| with(Some(f))).max().unwrap_or(0).max(with(None))
    }

    // --- targets

    /// Rates a target for the card that asks for one, roughly in tenths of influence. Factions and stacks are
    /// rated by the seat's [stake](Self::stake) in them (stacks by their ruler, 1 for a free corner); players
    /// by their influence plus 1; cards by their worth, values and prices, a contribution by
    /// [`rate_contribution`](Self::rate_contribution); sectors by their value. 0 if no target is asked for,
    /// for declining, and where the card has no preference.
    fn rate_target(&self, target: Target) -> i32 {
        let game = self.game;
        let Task::Choose { card, memo, .. } = game.step() else { return 0 };
        match (card, target) {
            (Myth::RafiasNightmare, Target::Faction(f)) => -10 * self.stake(f),
            (Myth::Remembrance, Target::Faction(f)) => 10 * self.stake(f),
            (Myth::IonPulse, Target::Faction(f)) => {
                let mine = game
                    .crisis
                    .order
                    .iter()
                    .find(|it| it.holder == self.seat)
                    .and_then(|it| game.myth(it.card).ok());
                let cities = game.piles_at(game.crisis.sector).map(|p| p.count(f)).sum::<usize>() as i32;
                if mine.is_some_and(|m| m.faction() == f) { -cities } else { cities }
            }
            (Myth::SilverSwordUprising, Target::Faction(f)) => -10 * self.stake(f),
            (_, Target::Corner(corner)) => {
                let ruler = game.pile(corner).and_then(Pile::ruler);
                ruler.map_or(1, |f| 5 - 10 * self.stake(f))
            }
            (_, Target::Player(seat)) => game.influence(seat) + 1,
            (Myth::MaengalisAltar, Target::Card(t)) => {
                let Some(m) = self.myth(t) else { return 0 };
                let bonus = (i32::from(game.settings.vault_rank_bonus) - i32::from(m.rank())).max(0);
                let left = game.influence(self.seat) - game.deck_price();
                if left < game.deck_price() {
                    -50
                } else {
                    10 * (game.value(m.faction()) + bonus - 2 * game.deck_price())
                }
            }
            (Myth::TreatyOfChengHuang, Target::Card(t)) => match memo {
                Memo::Card(shown) => {
                    let dearer = game.price(t).unwrap_or(0) - game.price(shown).unwrap_or(0);
                    40 - 10 * dearer.max(0) + self.worth(t) - self.worth(shown)
                }
                _ => 10 - self.worth(t) / 10,
            },
            (Myth::CrusaderFleet, Target::Card(t)) => {
                let value = self.myth(t).map_or(0, |m| game.value(m.faction()));
                10 * (value - self.replacement()) + 30 - self.worth(t) / 4
            }
            (Myth::BookOfChanges, Target::Card(t)) => self.rate_contribution(game.crisis.sector, t),
            (_, Target::Card(t)) => 50 - self.worth(t) / 4,
            (Myth::WreckageOfTheXyri, Target::Sector(hex)) => {
                game.sectors.iter().find(|s| s.hex == hex).map_or(0, |s| 20 * game.sector_value(s))
            }
            _ => 0,
        }
    }
}
