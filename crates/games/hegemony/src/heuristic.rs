//! What a sensible player looks at. All values are tenths of a Victory Point a round.
//!
//! Each card has a worth while it lies in a slot. A purchase must pay back before the Empire is likely to
//! fall, and leave a few points against a lost battle; a placement is worth what it brings less what it
//! removes; a war is worth its expected margin. The Empire is toppled by whoever leads then, and by nobody
//! else.

use crate::actions::{Action, Lie};
use crate::agenda::{Aim, Step};
use crate::cards::{Card, Category};
use crate::places::{Side, slot};
use crate::state::Hegemony;
use pentarchy_engine::{Heuristic, Own, SearchHints, Seat, Token, odds};

/// What a face-down Military card of somebody else defends with on average, in tenths.
const UNKNOWN_DEFENCE: i32 = 22;
/// The same for the Empire, whose troops are better at attacking.
const IMPERIAL_DEFENCE: i32 = 17;
/// What such a card is worth when an Assassin or a Siege Tower may remove it.
const UNKNOWN_WORTH: i32 = 30;
/// What the Empire attacks with on a bad day.
const ONSLAUGHT: i32 = 16;
/// More than any other reason.
const DECISIVE: i32 = 100_000;

impl Heuristic for Hegemony {
    fn rate(&self, own: &Own<'_, Self>, list: &[Action], out: &mut Vec<i32>) {
        let eyes = Eyes { game: self, own, seat: own.seat(), side: own.seat().into() };
        out.extend(list.iter().map(|&action| eyes.rate(action)));
    }

    fn evaluate(&self, own: &Own<'_, Self>, seat: Seat) -> i32 {
        if !self.living.has(seat) {
            return 0;
        }
        let rivals = (0..self.seats).map(Seat).filter(|&s| s != seat && self.living.has(s));
        if rivals.clone().next().is_none() {
            return if self.standing { 700 } else { 1000 };
        }
        odds(self.prospect(own, seat), rivals.map(|s| self.prospect(own, s)))
    }

    fn search_hints() -> SearchHints {
        SearchHints::ADVISED
    }
}

impl Hegemony {
    /// What a seat has, by how much it moves the [`odds`]: fitted to 800 games of Captains each with two and with
    /// six seats. What can wage war wins; points count for more the nearer the end is.
    fn prospect(&self, own: &Own<'_, Self>, seat: Seat) -> i32 {
        let side = Side::from(seat);
        let cards = self.occupied(side).flat_map(|i| self.tokens.iter(slot(side, i)));
        let force: i32 = cards.map(|t| own.face(t).map_or(UNKNOWN_FORCE, force)).sum();
        let rounds = self.rounds_left().max(1);
        (3 + 3 / rounds) * self.vp[seat.index()] + force * rounds.min(3) / 3
    }

    /// How many rounds the Empire is likely to last.
    fn rounds_left(&self) -> i32 {
        let until_cap = i32::from(self.rules.last_round) - i32::from(self.round) + 1;
        if !self.standing {
            return until_cap.min(8);
        }
        let each_round = 3 * i32::from(self.living.len()) + 1;
        (self.vp[Side::EMPIRE.index()] / each_round).clamp(1, 10).min(until_cap)
    }
}

/// What a card that one cannot see in a slot of somebody else moves the odds by.
const UNKNOWN_FORCE: i32 = 20;

/// By how much a card in a slot moves the odds.
fn force(card: Card) -> i32 {
    match card {
        Card::General => 225,
        Card::Fortification => 78,
        Card::Catapult => 65,
        Card::Barracks | Card::ProfessionalSoldier => 55,
        Card::SiegeTower => 46,
        Card::Cavalry => 35,
        Card::Archer | Card::Partisan => 12,
        Card::Mercenary | Card::Apprenticeship => 5,
        Card::UnholyUnion => -20,
        _ => 0,
    }
}

/// A game seen by one seat.
struct Eyes<'a> {
    game: &'a Hegemony,
    own: &'a Own<'a, Hegemony>,
    seat: Seat,
    side: Side,
}

impl Eyes<'_> {
    fn rate(&self, action: Action) -> i32 {
        let game = self.game;
        match action {
            Action::Buy(t) | Action::Ebuy(t) => self.purchase(t),
            Action::Scalp(t) => -self.purchase(t),
            Action::Use(t) => self.use_of(t),
            Action::Target(side) => self.target(side),
            Action::LookPool => 1,
            Action::Look(_) | Action::Lobby(_) | Action::Enter(_) => self.small(action),
            Action::Slot(i) => self.named_slot(i),
            Action::Hit(i, k) => self.victim(i, k),
            Action::Take(t) => self.worth_of(t),
            Action::Give(t) => -self.worth_of(t),
            Action::Place(t, i, lie) => self.placement(t, i, lie),
            Action::Station(t, _) => 5 + self.worth_of(t),
            Action::Sell(_) | Action::Ask(_) => -20,
            Action::War(on) => self.war(on),
            Action::Trade => self.trade(),
            Action::Fresh => self.fresh(),
            Action::Accept => match game.top() {
                Step::Answer(_, i) => game.base(Side::EMPIRE, i).map_or(0, |t| self.purchase(t)),
                _ => 0,
            },
            Action::Refill => 1,
            Action::Sabotage(_) => self.sabotage(),
            Action::Raze(i) | Action::Ruin(i) => 1 + self.contents(game.loser(), i),
            _ => 0,
        }
    }

    /// What a card is worth in a slot of this seat, in tenths of a point a round.
    fn worth(&self, card: Card) -> i32 {
        let game = self.game;
        let players = i32::from(game.living.len());
        match card {
            Card::Conscript => 9,
            Card::Partisan => 20,
            Card::Archer => 36,
            Card::Mercenary => 30,
            Card::ProfessionalSoldier => 58,
            Card::Cavalry => 32,
            Card::Scout => 14,
            Card::SiegeTower => 42,
            Card::Catapult => 40,
            Card::Barracks => 34,
            Card::Fortification => 66,
            Card::General => 120,
            Card::Laborer => 15 + 10 * game.count(self.side, Card::Apprenticeship),
            Card::CargoShip => 30,
            Card::Middleman => 8 * players,
            Card::Grifter => 16,
            Card::Scalper => 6,
            Card::Manager => 10,
            Card::InsiderTrading => 9,
            Card::Lobbyist => 17,
            Card::Market => 24,
            Card::Factory => 16,
            Card::TradeRoute => 20,
            Card::Apprenticeship => 6 + 10 * game.count(self.side, Card::Laborer),
            Card::Diplomat => 15,
            Card::SecretAgent => 3,
            Card::Sabotage => 9,
            Card::PityParty => 19,
            Card::FalseFlag => 4,
            Card::UnholyUnion => 23,
            Card::Offer => 14,
            Card::Sanctions => 13,
            Card::CollateralDamage => 11,
            Card::Embargo => 11,
            Card::Gridlock => 6,
            Card::Assassin => 26,
        }
    }

    fn worth_of(&self, t: Token) -> i32 {
        self.own.face(t).map_or(UNKNOWN_WORTH, |card| self.worth(card))
    }

    /// What lies in a slot is worth.
    fn contents(&self, side: Side, i: u8) -> i32 {
        self.game.tokens.iter(slot(side, i)).map(|t| self.worth_of(t)).sum()
    }

    /// What all slots of this seat are worth.
    fn row(&self) -> i32 {
        self.game.occupied(self.side).map(|i| self.contents(self.side, i)).sum()
    }

    /// What a purchase brings until the end, less its price.
    fn purchase(&self, t: Token) -> i32 {
        let game = self.game;
        let (Some(card), Ok(price)) = (self.own.face(t), game.price(&game.terms(self.seat), t, ())) else {
            return 0;
        };
        let rounds = (game.rounds_left() - 1).clamp(0, 5);
        let left = game.vp[self.seat.index()] - price;
        let exposed = if price > 0 { 15 * (self.chest() - left).max(0) } else { 0 };
        (self.worth(card) - 14) * rounds - 10 * price - exposed
    }

    /// The points that are better kept: what a bad day would cost, and what another one may.
    fn chest(&self) -> i32 {
        let face = |t: Token| self.own.face(t);
        let defence = self.game.defence(self.side, &self.game.army(self.side, face), face, ());
        12 + (ONSLAUGHT - defence).max(0)
    }

    fn use_of(&self, t: Token) -> i32 {
        match self.own.face(t) {
            Some(Card::Assassin) => 80,
            Some(Card::Offer) => 30,
            Some(Card::Sanctions | Card::Embargo) => 20,
            Some(Card::Gridlock | Card::SecretAgent) => 5,
            // It costs a slot of one's own: only a poor one is worth it.
            Some(Card::FalseFlag) => {
                let poorest = self.game.military_slots(self.side).map(|i| self.contents(self.side, i)).min();
                10 - poorest.unwrap_or(100)
            }
            _ => 0,
        }
    }

    /// Whom to strike: the strongest rival, by points and cards.
    fn target(&self, side: Side) -> i32 {
        match side.seat() {
            Some(seat) => {
                let rival = Eyes { seat, side, ..*self };
                10 * self.game.vp[seat.index()] + rival.row()
            }
            None => 0,
        }
    }

    fn aimed(&self) -> Option<(Card, Side)> {
        match self.game.top() {
            Step::Aim(_, t, target) => self.own.face(t).map(|card| (card, target)),
            _ => None,
        }
    }

    fn named_slot(&self, i: u8) -> i32 {
        match self.aimed() {
            Some((Card::FalseFlag, _)) => -self.contents(self.side, i),
            Some((_, target)) => self.contents(target, i),
            None => 0,
        }
    }

    fn victim(&self, i: u8, k: u8) -> i32 {
        let Some((_, target)) = self.aimed() else { return 0 };
        let t = self.game.tokens.iter(slot(target, i)).nth(k.into());
        // A card that may be a building may also be a waste of an Assassin.
        t.map_or(0, |t| match self.own.face(t) {
            Some(card) if card.is_building() => -100,
            _ => self.worth_of(t),
        })
    }

    fn small(&self, action: Action) -> i32 {
        match action {
            Action::Enter(Lie::Down(Category::Diplomacy)) => 1,
            Action::Lobby(Category::Military) => 3,
            Action::Lobby(Category::Trade) => 1,
            _ => 0,
        }
    }

    /// A card in place of what lies in a slot; cards that fit behind a building are better stationed there.
    fn placement(&self, t: Token, i: u8, lie: Lie) -> i32 {
        let covered = i32::from(matches!(lie, Lie::Down(Category::Diplomacy)));
        self.worth_of(t) + covered - self.contents(self.side, i)
    }

    /// The expected margin of a war, in tenths of a point.
    fn war(&self, on: Side) -> i32 {
        let game = self.game;
        let face = |t: Token| self.own.face(t);
        let (army, enemy) = (game.army(self.side, face), game.army(on, face));
        let attack = 10 * game.attack(self.side, &army, enemy.is_prey(), face, ());
        let unknown = game.active(on, Category::Military).filter(|&(_, t)| face(t).is_none()).count() as i32;
        let each = if on.is_empire() { IMPERIAL_DEFENCE } else { UNKNOWN_DEFENCE };
        let margin = attack - 10 * game.defence(on, &enemy, face, ()) - each * unknown;
        if on.is_empire() {
            return self.toppling(margin);
        }
        // What a rival loses counts too, the more the fewer rivals there are.
        let rivals = i32::from(game.living.len()) - 1;
        let hurt = if margin > 0 { margin / rivals.max(1) } else { 0 };
        let threat = if self.target(on) >= self.strongest_rival() { hurt / 2 } else { 0 };
        margin + hurt + threat - 8
    }

    fn strongest_rival(&self) -> i32 {
        let rivals = (0..self.game.seats).map(Seat).filter(|&s| s != self.seat && self.game.living.has(s));
        rivals.map(|s| self.target(s.into())).max().unwrap_or(0)
    }

    /// War on the Empire: it must fall when one leads, and not before.
    fn toppling(&self, margin: i32) -> i32 {
        let game = self.game;
        let gain = margin / 10;
        if gain >= game.vp[Side::EMPIRE.index()] && gain > 0 {
            let rivals = (0..game.seats).map(Seat).filter(|&s| s != self.seat && game.living.has(s));
            let best = rivals.map(|s| game.vp[s.index()]).max();
            let leads = best.is_none_or(|best| game.vp[self.seat.index()] + gain > best);
            return if leads || game.rules.only_one { DECISIVE } else { -DECISIVE };
        }
        margin - 8
    }

    /// Trading is worth the best purchases that it allows.
    fn trade(&self) -> i32 {
        let game = self.game;
        let known = game.wares().filter(|&(_, t)| game.category(t) != Category::Military);
        let (mut first, mut second) = (0, 0);
        for (_, t) in known {
            let (terms, has) = (game.terms(self.seat), game.vp[self.seat.index()]);
            if game.price(&terms, t, ()).is_ok_and(|price| price <= has) {
                let gain = self.purchase(t);
                if gain > first {
                    (first, second) = (gain, first);
                } else if gain > second {
                    second = gain;
                }
            }
        }
        // Many tenths over several rounds are hoped for, not yet there.
        (first + second) / 6
    }

    /// Fresh cards are worth it when the row is poor.
    fn fresh(&self) -> i32 {
        let occupied = self.game.occupied(self.side).count() as i32;
        (18 * occupied - self.row()) / 2 - 10
    }

    /// A Sabotage is for what is aimed at oneself.
    fn sabotage(&self) -> i32 {
        let mut used = self.game.agenda.iter().rev().filter_map(|step| match *step {
            Step::Used { user, card, aim, .. } => Some((user, card, aim)),
            _ => None,
        });
        let Some((_, card, aim)) = used.next() else { return -1 };
        let at_me = match aim {
            Aim::Side(side) | Aim::Pool(side) | Aim::Slot(side, _) | Aim::Card(side, _) => side == self.side,
            Aim::Use => used.next().is_some_and(|(user, ..)| user == self.side),
            Aim::Roll | Aim::Loss => false,
        };
        let strong = !matches!(self.own.face(card), Some(Card::SecretAgent | Card::Gridlock));
        if at_me && strong { 10 } else { -5 }
    }
}
