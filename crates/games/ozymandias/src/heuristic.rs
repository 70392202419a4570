//! The heuristic: takes what cards pay, fights where it can win and still pay for the next card.
//!
//! All ratings are in tenths of influence, as far as they can be estimated.

use crate::actions::{Action, Target};
use crate::cards::{FACTIONS, Faction, Factions, Kind, Myth};
use crate::map::{Corner, Hex};
use crate::state::{DECK, MARKET, Memo, Ozymandias, Pile, TRACK, Task, hand, tableau, vault};
use pentarchy_engine::{Heuristic, SearchHints, Seat, SeatView, Token, odds};

impl Heuristic for Ozymandias {
    /// Appends one rating per action of `list` to `out`, in its order, in tenths of influence, from what the
    /// deciding seat knows.
    fn rate(&self, own: &SeatView<'_, Self>, list: &[Action], out: &mut Vec<i32>) {
        let eyes = Evaluator { game: self, own, seat: own.seat() };
        out.extend(list.iter().map(|&act| eyes.rate(act)));
    }

    /// Estimates the chance of `seat` to win, in thousandths, by comparing influence and vaults of all seats
    /// as far as the deciding seat knows them.
    fn evaluate(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        let eyes = Evaluator { game: self, own, seat };
        let others = (0..self.seats).map(Seat).filter(|&s| s != seat);
        odds(SCALE * eyes.holdings(seat), others.map(|s| SCALE * eyes.holdings(s)))
    }

    /// Returns the settings of the search: [`SearchHints::ADVISED`], short playouts that follow the ratings.
    fn search_hints() -> SearchHints {
        SearchHints::ADVISED
    }
}

/// By how much a point of influence moves the odds.
const SCALE: i32 = 5;

/// The last space of the track.
const END: i32 = TRACK[TRACK.len() - 1] as i32;

/// Rates actions with what one seat knows.
struct Evaluator<'a> {
    game: &'a Ozymandias,
    own: &'a SeatView<'a, Ozymandias>,
    seat: Seat,
}

impl Evaluator<'_> {
    /// Rates an action of the deciding seat in tenths of influence, as far as it can be estimated; 0 for
    /// passing, withdrawing and being done.
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
            Action::BuyDeck => 30 - 10 * self.game.deck_price(),
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

    /// Rates the usefulness of a card beyond its price, in tenths of influence: by its kind, its rank and the
    /// cities of its faction. 0 if it is unknown.
    fn worth(&self, card: Token) -> i32 {
        let Some(myth) = self.myth(card) else { return 0 };
        let cities: usize = self.game.cities.iter().map(|p| p.count(myth.faction())).sum();
        let works = match myth.kind() {
            Kind::Expand => 30,
            Kind::Explore => 20,
            Kind::Reveal | Kind::Aftermath => 10,
        };
        works + 3 * cities as i32 + 2 * i32::from(myth.rank())
    }

    /// Returns the price of the cheapest card on sale now, as the cost of replacing a card; 0 if none is on
    /// sale.
    fn replacement(&self) -> i32 {
        let game = self.game;
        let market = game.tokens.iter(MARKET).filter_map(|t| game.price(t).ok());
        let deck = (!game.tokens.is_empty(DECK)).then(|| game.deck_price());
        market.chain(deck).min().unwrap_or(0)
    }

    /// Returns how many more cards of a faction this seat has in its vault than the best of the others,
    /// hidden ones not counted. Negative if another has more.
    fn stake(&self, faction: Faction) -> i32 {
        let of = |s: Seat| {
            let cards = self.game.tokens.iter(vault(s)).filter_map(|t| self.myth(t));
            cards.filter(|m| m.faction() == faction).count() as i32
        };
        let others = (0..self.game.seats).map(Seat).filter(|&s| s != self.seat).map(of).max().unwrap_or(0);
        of(self.seat) - others
    }

    /// Rates the effects of the cards of this kind in the seat's own tableau if these factions are present:
    /// 40 for each such card whose faction is in the set.
    fn window_pay(&self, kind: Kind, factions: Factions) -> i32 {
        let cards = self.game.tokens.iter(tableau(self.seat)).filter_map(|t| self.myth(t));
        cards.filter(|m| m.kind() == kind && factions.has(m.faction())).count() as i32 * 40
    }

    /// Rates exploring with a card, in tenths of influence: its sale, less the cost of replacing it if the
    /// seat then has too few cards, plus what the tableau may pay. 0 if the card is unknown.
    fn rate_explore(&self, card: Token) -> i32 {
        let game = self.game;
        let Some(myth) = self.myth(card) else { return 0 };
        let sold = game.value(myth.faction());
        let short = game.cards_of(self.seat) <= game.settings.hand_size as usize;
        let refill = if short { self.replacement().min(sold) } else { 0 };
        let seen = game.cities.iter().fold(0, |set, p| set | p.factions().0);
        10 * (sold - refill) + self.window_pay(Kind::Explore, Factions(seen)) / 2 - self.worth(card) / 4 + 5
    }

    /// Rates expanding with a card, in tenths of influence: what it pays itself (a flat 15 or 2 if it is no
    /// expansion card) and what the tableau pays for a city of its faction. 0 if the card is unknown.
    fn rate_expand(&self, card: Token) -> i32 {
        let Some(myth) = self.myth(card) else { return 0 };
        let mut factions = Factions::default();
        factions.insert(myth.faction());
        let own = match myth.kind() {
            Kind::Expand => self.expected_pay(myth),
            // It lies ready for a later exploration.
            Kind::Explore => 15,
            Kind::Reveal | Kind::Aftermath => 2,
        };
        own + self.window_pay(Kind::Expand, factions)
    }

    /// Estimates the pay of an expansion card when it is played, in tenths of influence; 28 for cards without
    /// an own estimate. Other kinds of cards are not excluded.
    fn expected_pay(&self, myth: Myth) -> i32 {
        let game = self.game;
        match myth {
            Myth::EFeriCensus => 10 * game.half(Faction::Red),
            Myth::CherasTithe => 5 * FACTIONS.map(|f| game.value(f)).into_iter().max().unwrap_or(6),
            Myth::AtifHistorianAdept => 10 * game.half(Faction::Blue),
            Myth::VaultsOfAtif => 10 * (2 + 2 * game.tokens.len(vault(self.seat)) as i32).min(10),
            Myth::XinHarvest | Myth::ThaniTribes => 40,
            Myth::TidalPools | Myth::ShieldRhetoric | Myth::SilverSwordUprising | Myth::FiresAtNight => 20,
            _ => 28,
        }
    }

    /// Rates a hex for the new sector, in tenths of influence: 40 for each card of the seat's tableau that
    /// works there, plus the number of cities at it.
    fn rate_place(&self, hex: Hex) -> i32 {
        self.window_pay(Kind::Explore, self.game.factions_at(hex)) + self.game.cities_at(hex) as i32
    }

    /// Rates a corner for the new city: what the seat's tableau pays there, less what others' tableaus do,
    /// plus how strong the faction becomes around it. 0 unless a city is to be built.
    fn rate_build(&self, corner: Corner) -> i32 {
        let game = self.game;
        let Task::Build(faction) = game.step() else { return 0 };
        let pile = game.pile(corner);
        let mut factions = pile.map(Pile::factions).unwrap_or_default();
        factions.insert(faction);
        let mut rate = self.window_pay(Kind::Expand, factions);
        for seat in (0..game.seats).map(Seat).filter(|&s| s != self.seat) {
            let cards = game.tokens.iter(tableau(seat)).filter_map(|t| self.myth(t));
            rate -=
                20 * cards.filter(|m| m.kind() == Kind::Expand && factions.has(m.faction())).count() as i32;
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
        rate + 3 * mine as i32 + 2 * pile.map_or(0, |p| p.height() as i32) + 6 * all as i32
    }

    /// Rates activating a card of the tableau: 30, for Zele Research Labs 20; -10 for these and Pilgrims of
    /// Chera if the seat has enough cards, because they buy one. 0 if the card is unknown.
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
            Some(_) => 30,
            None => 0,
        }
    }

    // --- crises

    /// Rates picking up a card of the tableau before a crisis: by what it adds to the best crisis, at least
    /// 10; for an exploration card at least 5 for each card that the hand has fewer than 3.
    fn rate_pickup(&self, card: Token) -> i32 {
        let game = self.game;
        let lies = self.myth(card).is_some_and(|m| m.kind() == Kind::Explore);
        let few = 3 - game.tokens.len(hand(self.seat)) as i32;
        let fight = self.best_with(card) - self.best_crisis(false);
        fight.max(if lies { 5 * few } else { 10 })
    }

    /// Rates the best crisis that this seat could call, in tenths of influence, less 8 for calling it.
    /// `with_tableau`: the cards of its tableau count as if picked up.
    fn best_crisis(&self, with_tableau: bool) -> i32 {
        let sectors = self.game.sectors.iter().filter(|s| self.game.cities_at(s.hex) > 0);
        sectors.map(|s| self.best_card(s.hex, with_tableau)).max().unwrap_or(0) - 8
    }

    /// Rates the best contribution of this seat in a crisis at a sector, in tenths of influence; at least 0,
    /// as it may pass. `with_tableau`: the cards of its tableau count as if picked up.
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

    /// Rates contributing this card at the best sector for it, in tenths of influence; 0 if there are no
    /// cities.
    fn best_with(&self, card: Token) -> i32 {
        let sectors = self.game.sectors.iter().filter(|s| self.game.cities_at(s.hex) > 0);
        sectors.map(|s| self.rate_contribution(s.hex, card)).max().unwrap_or(0)
    }

    /// Rates contributing a card to a crisis at a sector, in tenths of influence: the prize of a win times
    /// its chance. -20 if its faction is not there, -100 if the seat could not pay for the cards it must then
    /// buy, 0 if the card is unknown.
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
        let value = self.value_after(faction, rise);
        let bonus = (i32::from(game.settings.vault_rank_bonus) - i32::from(myth.rank())).max(0);
        let moved = value - game.value(faction);
        // Values rise: what lies in the vault will be worth more at the end.
        let growth = (END - value) / 6;
        let mut prize = 10 * (value + bonus + growth - price) + 10 * moved * (1 + self.stake(faction));
        if value == END {
            let lead = self.lead() + value + bonus - price + moved * self.stake(faction);
            prize += if lead > 0 { 500 } else { -200 };
        }
        // Against an average card of the strongest faction there.
        let rivals =
            (0..game.seats).map(Seat).filter(|&s| s != self.seat && !game.tokens.is_empty(hand(s))).count()
                as i32;
        let threat = FACTIONS.into_iter().map(count).max().unwrap_or(0) + 4;
        let chance = (60 + 12 * (strength - threat) - 8 * (rivals - 1)).clamp(10, 95);
        prize * chance / 100
    }

    /// Returns the value of a faction after it has risen by `rise` spaces, at most to the end of the track.
    fn value_after(&self, faction: Faction, rise: usize) -> i32 {
        let marker = (self.game.markers[faction.index()] as usize + rise).min(TRACK.len() - 1);
        i32::from(TRACK[marker])
    }

    /// Returns how much influence this seat is ahead of the best of the others, vaults included as far as it
    /// can see; negative if behind.
    fn lead(&self) -> i32 {
        let others = (0..self.game.seats).map(Seat).filter(|&s| s != self.seat);
        self.holdings(self.seat) - others.map(|s| self.holdings(s)).max().unwrap_or(0)
    }

    /// Returns the influence of the seat `of` plus the worth of its vault at the values of now; a card that
    /// the viewing seat does not know counts as much as the deck price.
    fn holdings(&self, of: Seat) -> i32 {
        let game = self.game;
        let bonus = i32::from(game.settings.vault_rank_bonus);
        let cards = game.tokens.iter(vault(of)).map(|t| match self.myth(t) {
            Some(m) => game.value(m.faction()) + (bonus - i32::from(m.rank())).max(0),
            None => game.deck_price(),
        });
        game.influence(of) + cards.sum::<i32>()
    }

    /// Estimates the highest price of a new card after this faction has won at the sector by `rise` spaces,
    /// alone or tied with another, and all who buy earlier this turn have taken the cheapest cards.
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

    /// Rates a target for the card that asks for one, roughly in tenths of influence; 0 if no target is asked
    /// for, for declining, and where the card has no preference.
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
