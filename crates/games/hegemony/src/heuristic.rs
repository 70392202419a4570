//! The heuristic: ratings of actions and the chance to win. Values are tenths of a Victory Point per round.
//!
//! Each card has a worth while it lies in a slot. A purchase must pay back before the Empire is likely to fall,
//! and must leave a few points against a lost battle. A placement is worth what it brings minus what it
//! removes, and a war its expected margin. Only the leader should topple the Empire.

use crate::actions::{Action, Lie};
use crate::agenda::{Aim, Task};
use crate::cards::{Card, Category};
use crate::places::{Side, slot};
use crate::state::Hegemony;
use pentarchy_engine::{Heuristic, SearchHints, Seat, SeatView, Token, odds};

/// Mean defence of a face-down Military card of another player, in tenths.
const UNKNOWN_DEFENCE: i32 = 22;
/// Mean defence of a face-down Military card of the Empire, whose troops are better at attacking, in tenths.
const IMPERIAL_DEFENCE: i32 = 17;
/// Worth of an unknown card that an Assassin or a Siege Tower may remove.
const UNKNOWN_WORTH: i32 = 30;
/// Attack of the Empire in a bad round.
const ONSLAUGHT: i32 = 16;
/// A rating that outweighs all other reasons.
const DECISIVE: i32 = 100_000;

impl Heuristic for Hegemony {
    /// Appends one rating per action of `list` to `out`, in its order, in tenths of a Victory Point per
    /// round, from what the deciding seat knows. Higher is better; passing rates 0.
    fn rate(&self, own: &SeatView<'_, Self>, list: &[Action], out: &mut Vec<i32>) {
        let eyes = Evaluator { game: self, own, seat: own.seat(), side: own.seat().into() };
        out.extend(list.iter().map(|&action| eyes.rate(action)));
    }

    /// Estimates the chance of `seat` to win, in thousandths, from what the deciding seat knows; 0 for a
    /// defeated seat. The last player alive has 700 while the Empire stands, 1000 after its fall.
    fn evaluate(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        if !self.living.has(seat) {
            return 0;
        }
        let rivals = (0..self.seats).map(Seat).filter(|&s| s != seat && self.living.has(s));
        if rivals.clone().next().is_none() {
            return if self.standing { 700 } else { 1000 };
        }
        odds(self.prospect(own, seat), rivals.map(|s| self.prospect(own, s)))
    }

    /// Returns the settings of the search: [`SearchHints::ADVISED`], short playouts that follow the ratings.
    fn search_hints() -> SearchHints {
        SearchHints::ADVISED
    }
}

impl Hegemony {
    /// Rates the position of a seat with what the deciding seat knows, as input for [`odds`]; higher is
    /// better, and it can be negative. Military strength decides, and points weigh more near the end. The
    /// weights were fitted to 800 games of Captains each with two and with six seats.
    fn prospect(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        let side = Side::from(seat);
        let cards = self.occupied(side).flat_map(|i| self.tokens.iter(slot(side, i)));
        let force: i32 = cards.map(|t| own.face(t).map_or(UNKNOWN_FORCE, force)).sum();
        let rounds = self.rounds_left().max(1);
        (3 + 3 / rounds) * self.vp[seat.index()] + force * rounds.min(3) / 3
    }

    /// Estimates how many rounds are left until the Empire falls or the last round ends, at most 10; after
    /// its fall at most 8.
    fn rounds_left(&self) -> i32 {
        let until_cap = i32::from(self.rules.last_round) - i32::from(self.round) + 1;
        if !self.standing {
            return until_cap.min(8);
        }
        let each_round = 3 * i32::from(self.living.len()) + 1;
        (self.vp[Side::EMPIRE.index()] / each_round).clamp(1, 10).min(until_cap)
    }
}

/// Weight of an unknown card in a slot of another player, in [`odds`] points.
const UNKNOWN_FORCE: i32 = 20;

/// Returns the weight of a card in a slot, in [`odds`] points; 0 for most Trade and Diplomacy cards.
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

/// Rates actions with what one seat knows.
struct Evaluator<'a> {
    game: &'a Hegemony,
    own: &'a SeatView<'a, Hegemony>,
    seat: Seat,
    side: Side,
}

impl Evaluator<'_> {
    /// Rates an action of the deciding seat, in tenths of a point per round; 0 for passing, ending a step and
    /// declarations. Does not check that it is legal.
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
                Task::Answer(_, i) => game.base(Side::EMPIRE, i).map_or(0, |t| self.purchase(t)),
                _ => 0,
            },
            Action::Refill => 1,
            Action::Sabotage(_) => self.sabotage(),
            Action::Raze(i) | Action::Ruin(i) => 1 + self.contents(game.loser(), i),
            _ => 0,
        }
    }

    /// Returns the worth of a card while it lies in a slot of this seat, in tenths of a point per round; that
    /// of Laborers and Apprenticeships depends on each other.
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

    /// Returns the worth of the card `t` in a slot of this seat, in tenths of a point per round; 30 if this
    /// seat does not know the card.
    fn worth_of(&self, t: Token) -> i32 {
        self.own.face(t).map_or(UNKNOWN_WORTH, |card| self.worth(card))
    }

    /// Returns the total worth of the cards in slot `i` of a side, in tenths of a point per round, as if they
    /// were this seat's; 30 for each unknown one, 0 for an empty slot.
    fn contents(&self, side: Side, i: u8) -> i32 {
        self.game.tokens.iter(slot(side, i)).map(|t| self.worth_of(t)).sum()
    }

    /// Returns the total worth of the cards in all slots of this seat, in tenths of a point per round; 30 for
    /// each unknown card.
    fn row(&self) -> i32 {
        self.game.occupied(self.side).map(|i| self.contents(self.side, i)).sum()
    }

    /// Rates buying `t` at this seat's price: the worth of the card until the end minus the price and the
    /// risk of low reserves, in tenths of a point. 0 if the card is unknown or not public. Whether the seat
    /// can pay is not checked.
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

    /// Returns the points to keep in reserve: 12, plus 16 (an attack of the Empire in a bad round) less this
    /// seat's defence, if that is positive.
    fn chest(&self) -> i32 {
        let face = |t: Token| self.own.face(t);
        let defence = self.game.defence(self.side, &self.game.army(self.side, face), face, ());
        12 + (ONSLAUGHT - defence).max(0)
    }

    /// Rates using the card `t` in the upkeep: fixed values from 5 to 80 for the Diplomacy cards that are
    /// used then; for a False Flag 10 less the worth of the poorest own Military slot. 0 for other and
    /// unknown cards.
    fn use_of(&self, t: Token) -> i32 {
        match self.own.face(t) {
            Some(Card::Assassin) => 80,
            Some(Card::Offer) => 30,
            Some(Card::Sanctions | Card::Embargo) => 20,
            Some(Card::Gridlock | Card::SecretAgent) => 5,
            // It costs one of the player's own slots, so it pays only with a poor one.
            Some(Card::FalseFlag) => {
                let poorest = self.game.military_slots(self.side).map(|i| self.contents(self.side, i)).min();
                10 - poorest.unwrap_or(100)
            }
            _ => 0,
        }
    }

    /// Rates a side as the target of a used card, in tenths of a point: a player by 10 per point plus the
    /// worth of the cards in the slots, the Empire by 0.
    fn target(&self, side: Side) -> i32 {
        match side.seat() {
            Some(seat) => {
                let rival = Evaluator { seat, side, ..*self };
                10 * self.game.vp[seat.index()] + rival.row()
            }
            None => 0,
        }
    }

    /// Returns the card whose aim is being chosen, and its target side; `None` outside that decision.
    fn aimed(&self) -> Option<(Card, Side)> {
        match self.game.top() {
            Task::Aim(_, t, target) => self.own.face(t).map(|card| (card, target)),
            _ => None,
        }
    }

    /// Rates naming slot `i` for the card that is being aimed: by the worth of the target's cards in it; for
    /// a False Flag, which empties an own slot, by the negative worth of those. 0 outside that decision.
    fn named_slot(&self, i: u8) -> i32 {
        match self.aimed() {
            Some((Card::FalseFlag, _)) => -self.contents(self.side, i),
            Some((_, target)) => self.contents(target, i),
            None => 0,
        }
    }

    /// Rates naming the card at position `k` of slot `i` for an Assassin: by its worth, -100 for a building.
    /// 0 outside that decision.
    fn victim(&self, i: u8, k: u8) -> i32 {
        let Some((_, target)) = self.aimed() else { return 0 };
        let t = self.game.tokens.iter(slot(target, i)).nth(k.into());
        // An Assassin is wasted on a building, and an unknown card may be one.
        t.map_or(0, |t| match self.own.face(t) {
            Some(card) if card.is_building() => -100,
            _ => self.worth_of(t),
        })
    }

    /// Rates the choice of a Lobbyist's category (Military 3, Trade 1, Diplomacy 0) and of how a drawn card
    /// lies (1 for a Diplomacy card face down); 0 for looks and all other actions.
    fn small(&self, action: Action) -> i32 {
        match action {
            Action::Enter(Lie::Down(Category::Diplomacy)) => 1,
            Action::Lobby(Category::Military) => 3,
            Action::Lobby(Category::Trade) => 1,
            _ => 0,
        }
    }

    /// Rates placing the card `t` in slot `i`, in tenths of a point per round: its worth less that of the
    /// cards it replaces, and 1 more for a Diplomacy card face down.
    fn placement(&self, t: Token, i: u8, lie: Lie) -> i32 {
        let covered = i32::from(matches!(lie, Lie::Down(Category::Diplomacy)));
        self.worth_of(t) + covered - self.contents(self.side, i)
    }

    /// Rates a war on the side `on`, in tenths of a point: the expected margin, in which unknown cards count
    /// with a mean defence, and more for a win against the strongest rival. Against the Empire the rating of
    /// [`toppling`](Self::toppling).
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
        // A rival's loss counts too, more so with fewer rivals.
        let rivals = i32::from(game.living.len()) - 1;
        let hurt = if margin > 0 { margin / rivals.max(1) } else { 0 };
        let threat = if self.target(on) >= self.strongest_rival() { hurt / 2 } else { 0 };
        margin + hurt + threat - 8
    }

    /// Returns the highest rating of a living rival as a target, by points and cards; 0 if there is none.
    fn strongest_rival(&self) -> i32 {
        let rivals = (0..self.game.seats).map(Seat).filter(|&s| s != self.seat && self.game.living.has(s));
        rivals.map(|s| self.target(s.into())).max().unwrap_or(0)
    }

    /// Rates war on the Empire with the expected `margin` in tenths of a point: `margin - 8`, unless the
    /// Empire would fall. Then it is [`DECISIVE`] if this seat would lead or the game continues after the
    /// fall, else `-DECISIVE`.
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

    /// Rates the Trade action by the two best affordable purchases of face-up cards, a sixth of their
    /// ratings; 0 if none is good. Face-down cards and the number of purchases are not considered.
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
        // The gain of several rounds is uncertain, so it is discounted.
        (first + second) / 6
    }

    /// Rates drawing new cards into all occupied slots, in tenths of a point: positive if the current cards
    /// are worth less than about 18 each.
    fn fresh(&self) -> i32 {
        let occupied = self.game.occupied(self.side).count() as i32;
        (18 * occupied - self.row()) / 2 - 10
    }

    /// Rates a Sabotage against the card in use: 10 if that card is aimed at this seat or blocks its own
    /// card, and is no Secret Agent or Gridlock; else -5; -1 if no card is in use.
    fn sabotage(&self) -> i32 {
        let mut used = self.game.agenda.iter().rev().filter_map(|task| match *task {
            Task::Used { user, card, aim, .. } => Some((user, card, aim)),
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
