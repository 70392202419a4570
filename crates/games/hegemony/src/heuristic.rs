//! The heuristic: ratings of actions and the chance to win. Values are tenths of a Victory Point.
//!
//! Each card has a worth per round while it lies in a slot. A purchase must pay back before the Empire is
//! likely to fall, and must leave a few points against a lost battle. A placement is worth what it brings
//! minus what it removes, and a war its expected margin. Only the leader should topple the Empire.

use crate::actions::{Action, Lie};
use crate::agenda::{Aim, Task};
use crate::cards::{Card, Category};
use crate::places::{Side, slot};
use crate::state::Hegemony;
use crate::weights::Weights;
use pentarchy_engine::{Heuristic, SearchHints, Seat, SeatView, Token, odds};

/// A rating that outweighs all other reasons: the attack that ends the Empire and decides the game.
const DECISIVE: i32 = 100_000;

impl Heuristic for Hegemony {
    type Weights = Weights;

    /// Appends one rating per action of `list` to `out`, in its order, from what the deciding seat knows;
    /// higher is better. Ratings are tenths of a Victory Point: per round for placing and exchanging cards,
    /// over the remaining rounds for purchases, once for wars. Passing and ending a step rate 0. Ratings are
    /// comparable within one list only.
    fn rate_with(&self, own: &SeatView<'_, Self>, weights: &Weights, list: &[Action], out: &mut Vec<i32>) {
        let eyes = Evaluator { game: self, own, weights, seat: own.seat(), side: own.seat().into() };
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
    /// Rates the position of a living seat with what the viewing seat knows, as input for [`odds`]; higher is
    /// better, and it can be negative. With `r` rounds left it is (3 + 3 / `r`, rounded down) times the
    /// seat's points plus `min(r, 3)` thirds of the [`force`] of its slotted cards, where each unknown card
    /// counts [`UNKNOWN_FORCE`]. So points weigh more and cards less near the end. The weights were fitted to
    /// 800 games of Captains each with two and with six seats.
    fn prospect(&self, own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        let side = Side::from(seat);
        let cards = self.occupied(side).flat_map(|i| self.tokens.iter(slot(side, i)));
        let force: i32 = cards.map(|t| own.face(t).map_or(UNKNOWN_FORCE, force)).sum();
        let rounds = self.rounds_left().max(1);
        (3 + 3 / rounds) * self.vp[seat.index()] + force * rounds.min(3) / 3
    }

    /// Estimates how many rounds are left, the current one included, until the Empire falls or the last round
    /// ends; at least 1 while the cap on rounds is not exceeded. The Empire is expected to lose 3 points per
    /// living player and 1 more each round; the estimate is at most 10. After its fall the rounds up to the
    /// cap are returned, at most 8.
    fn rounds_left(&self) -> i32 {
        let until_cap = i32::from(self.rules.last_round) - i32::from(self.round) + 1;
        if !self.standing {
            return until_cap.min(8);
        }
        let each_round = 3 * i32::from(self.living.len()) + 1;
        (self.vp[Side::EMPIRE.index()] / each_round).clamp(1, 10).min(until_cap)
    }
}

/// Weight of a slotted card that the viewing seat does not know, in [`odds`] points.
const UNKNOWN_FORCE: i32 = 20;

/// Returns the weight of a slotted card for the chance to win, in [`odds`] points: positive for the Military
/// cards except Conscript and Scout, and for an Apprenticeship; negative for an Unholy Union; 0 for all
/// others.
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

/// Rates actions of `seat` with what the seat of `own` knows. Both are the deciding seat, except while a
/// rival is rated as a target: then `seat` is the rival.
struct Evaluator<'a> {
    game: &'a Hegemony,
    own: &'a SeatView<'a, Hegemony>,
    weights: &'a Weights,
    seat: Seat,
    /// The side of `seat`.
    side: Side,
}

impl Evaluator<'_> {
    /// Rates an action of the deciding seat, in tenths of a point. Marking a card with a Scalper rates the
    /// negative of buying it; giving a card for an Offer the negative of taking it. Selling and asking for a
    /// card both rate the weight `sell`; refilling a slot 1; emptying a slot of a beaten side 1 plus its
    /// contents; accepting a shown card its purchase. 0 for passing, declining, ending a step and
    /// declarations. Does not check that the action is legal.
    fn rate(&self, action: Action) -> i32 {
        let game = self.game;
        match action {
            Action::Buy(t) | Action::Ebuy(t) => self.purchase(t),
            Action::Scalp(t) => -self.purchase(t),
            Action::Use(t) => self.use_of(t),
            Action::Target(side) => self.target(side),
            Action::LookPool => self.weights.look_pool,
            Action::Look(_) | Action::Lobby(_) | Action::Enter(_) => self.small(action),
            Action::Slot(i) => self.named_slot(i),
            Action::Hit(i, k) => self.victim(i, k),
            Action::Take(t) => self.worth_of(t),
            Action::Give(t) => -self.worth_of(t),
            Action::Place(t, i, lie) => self.placement(t, i, lie),
            Action::Station(t, _) => self.weights.station + self.worth_of(t),
            Action::Sell(_) | Action::Ask(_) => self.weights.sell,
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

    /// Returns the worth of a card while it lies in a slot of this seat, in tenths of a point per round: its
    /// weight. A Laborer is worth `apprentice_bonus` more for each active public Apprenticeship of the seat,
    /// an Apprenticeship as much more for each active public Laborer. A Middleman is worth its weight times
    /// the number of living players.
    fn worth(&self, card: Card) -> i32 {
        let game = self.game;
        let players = i32::from(game.living.len());
        let w = self.weights;
        match card {
            Card::Conscript => w.conscript,
            Card::Partisan => w.partisan,
            Card::Archer => w.archer,
            Card::Mercenary => w.mercenary,
            Card::ProfessionalSoldier => w.professional_soldier,
            Card::Cavalry => w.cavalry,
            Card::Scout => w.scout,
            Card::SiegeTower => w.siege_tower,
            Card::Catapult => w.catapult,
            Card::Barracks => w.barracks,
            Card::Fortification => w.fortification,
            Card::General => w.general,
            Card::Laborer => w.laborer + w.apprentice_bonus * game.count(self.side, Card::Apprenticeship),
            Card::CargoShip => w.cargo_ship,
            Card::Middleman => w.middleman * players,
            Card::Grifter => w.grifter,
            Card::Scalper => w.scalper,
            Card::Manager => w.manager,
            Card::InsiderTrading => w.insider_trading,
            Card::Lobbyist => w.lobbyist,
            Card::Market => w.market,
            Card::Factory => w.factory,
            Card::TradeRoute => w.trade_route,
            Card::Apprenticeship => {
                w.apprenticeship + w.apprentice_bonus * game.count(self.side, Card::Laborer)
            }
            Card::Diplomat => w.diplomat,
            Card::SecretAgent => w.secret_agent,
            Card::Sabotage => w.sabotage,
            Card::PityParty => w.pity_party,
            Card::FalseFlag => w.false_flag,
            Card::UnholyUnion => w.unholy_union,
            Card::Offer => w.offer,
            Card::Sanctions => w.sanctions,
            Card::CollateralDamage => w.collateral_damage,
            Card::Embargo => w.embargo,
            Card::Gridlock => w.gridlock,
            Card::Assassin => w.assassin,
        }
    }

    /// Returns the [`worth`](Self::worth) of the card `t` in a slot of this seat, in tenths of a point per
    /// round, wherever it lies now; the weight `unknown_worth` if the viewing seat does not know the card.
    fn worth_of(&self, t: Token) -> i32 {
        self.own.face(t).map_or(self.weights.unknown_worth, |card| self.worth(card))
    }

    /// Returns the total worth of the cards in slot `i` of a side, in tenths of a point per round, as if they
    /// were this seat's; `unknown_worth` for each unknown one, 0 for an empty slot.
    fn contents(&self, side: Side, i: u8) -> i32 {
        self.game.tokens.iter(slot(side, i)).map(|t| self.worth_of(t)).sum()
    }

    /// Returns the total worth of the cards in all slots of this seat, in tenths of a point per round;
    /// `unknown_worth` for each unknown card.
    fn row(&self) -> i32 {
        self.game.occupied(self.side).map(|i| self.contents(self.side, i)).sum()
    }

    /// Rates buying `t` at this seat's price, in tenths of a point; can be negative. The gain is the worth of
    /// the card less `upkeep`, for each round left after this one, at most `horizon`. From it go `price` per
    /// point of the price and, if the card is not free, `exposure` per point that would be missing from the
    /// [reserve](Self::chest). 0 if the card is unknown or not public. Whether the seat can pay is not
    /// checked.
    fn purchase(&self, t: Token) -> i32 {
        let game = self.game;
        let (Some(card), Ok(price)) = (self.own.face(t), game.price(&game.terms(self.seat), t, ())) else {
            return 0;
        };
        let w = self.weights;
        let rounds = (game.rounds_left() - 1).clamp(0, w.horizon.max(0));
        let left = game.vp[self.seat.index()] - price;
        let exposed = if price > 0 { w.exposure * (self.chest() - left).max(0) } else { 0 };
        (self.worth(card) - w.upkeep) * rounds - w.price * price - exposed
    }

    /// Returns the points to keep in reserve against a lost battle: the weight `reserve`, plus `onslaught`
    /// (an attack of the Empire in a bad round) less this seat's present defence, if that difference is
    /// positive.
    fn chest(&self) -> i32 {
        let face = |t: Token| self.own.face(t);
        let defence = self.game.defence(self.side, &self.game.army(self.side, face), face, ());
        self.weights.reserve + (self.weights.onslaught - defence).max(0)
    }

    /// Rates using the card `t` in the upkeep: by the weight `use_assassin`, `use_offer`, `use_sanctions`
    /// (also an Embargo) or `use_gridlock` (also a Secret Agent). A False Flag rates `use_false_flag` less
    /// the worth of the seat's poorest Military slot, or less 100 if it has none. 0 for other and unknown
    /// cards.
    fn use_of(&self, t: Token) -> i32 {
        let w = self.weights;
        match self.own.face(t) {
            Some(Card::Assassin) => w.use_assassin,
            Some(Card::Offer) => w.use_offer,
            Some(Card::Sanctions | Card::Embargo) => w.use_sanctions,
            Some(Card::Gridlock | Card::SecretAgent) => w.use_gridlock,
            // It costs one of the player's own slots, so it pays only with a poor one.
            Some(Card::FalseFlag) => {
                let poorest = self.game.military_slots(self.side).map(|i| self.contents(self.side, i)).min();
                w.use_false_flag - poorest.unwrap_or(100)
            }
            _ => 0,
        }
    }

    /// Rates a side as the target of a used card, in tenths of a point: a player by `rival_point` per Victory
    /// Point plus the worth of the cards in its slots; the Empire by 0.
    fn target(&self, side: Side) -> i32 {
        match side.seat() {
            Some(seat) => {
                let rival = Evaluator { seat, side, ..*self };
                self.weights.rival_point * self.game.vp[seat.index()] + rival.row()
            }
            None => 0,
        }
    }

    /// Returns the card whose slot or victim is being chosen, and its target side; `None` outside that
    /// decision, or if the viewing seat does not know the card.
    fn aimed(&self) -> Option<(Card, Side)> {
        match self.game.top() {
            Task::Aim(_, t, target) => self.own.face(t).map(|card| (card, target)),
            _ => None,
        }
    }

    /// Rates naming slot `i` for the card that is being aimed, in tenths of a point per round: the worth of
    /// the target's cards in it; for a False Flag, which empties an own slot, the negative worth of the own
    /// cards. 0 outside that decision, or if this seat does not know the card. Unknown cards in a slot count as
    /// `unknown_worth`.
    fn named_slot(&self, i: u8) -> i32 {
        match self.aimed() {
            Some((Card::FalseFlag, _)) => -self.contents(self.side, i),
            Some((_, target)) => self.contents(target, i),
            None => 0,
        }
    }

    /// Rates naming the card at position `k` of slot `i` of the target for an Assassin: its worth,
    /// `unknown_worth` if it is unknown, -100 for a known building. 0 if there is no such card, and outside
    /// that decision.
    fn victim(&self, i: u8, k: u8) -> i32 {
        let Some((_, target)) = self.aimed() else { return 0 };
        let t = self.game.tokens.iter(slot(target, i)).nth(k.into());
        // An Assassin is wasted on a building, and an unknown card may be one.
        t.map_or(0, |t| match self.own.face(t) {
            Some(card) if card.is_building() => -100,
            _ => self.worth_of(t),
        })
    }

    /// Rates the choice of a Lobbyist's category (Diplomacy 0, the others by their weights) and of how a
    /// drawn card lies (1 for a Diplomacy card face down); 0 for looks and all other actions.
    fn small(&self, action: Action) -> i32 {
        match action {
            Action::Enter(Lie::Down(Category::Diplomacy)) => 1,
            Action::Lobby(Category::Military) => self.weights.lobby_military,
            Action::Lobby(Category::Trade) => self.weights.lobby_trade,
            _ => 0,
        }
    }

    /// Rates placing the card `t` in slot `i`, in tenths of a point per round: its worth less that of all
    /// cards in the slot, and 1 more for a Diplomacy card face down.
    fn placement(&self, t: Token, i: u8, lie: Lie) -> i32 {
        let covered = i32::from(matches!(lie, Lie::Down(Category::Diplomacy)));
        self.worth_of(t) + covered - self.contents(self.side, i)
    }

    /// Rates a war on the side `on`, in tenths of a point. The expected margin is this seat's attack less the
    /// defence of the known cards less a mean defence for each unknown card (`imperial_defence` for the
    /// Empire's, `unknown_defence` for others). Against the Empire it is rated by
    /// [`toppling`](Self::toppling).
    ///
    /// Against a player the rating is the margin less `war_cost`. A positive margin also counts as the
    /// rival's loss: `hurt` tenths of it, divided by the number of rivals. If the rival is the
    /// [strongest](Self::strongest_rival), `threat` tenths of that are added.
    fn war(&self, on: Side) -> i32 {
        let game = self.game;
        let face = |t: Token| self.own.face(t);
        let (army, enemy) = (game.army(self.side, face), game.army(on, face));
        let attack = 10 * game.attack(self.side, &army, enemy.is_prey(), face, ());
        let unknown = game.active(on, Category::Military).filter(|&(_, t)| face(t).is_none()).count() as i32;
        let each = if on.is_empire() { self.weights.imperial_defence } else { self.weights.unknown_defence };
        let margin = attack - 10 * game.defence(on, &enemy, face, ()) - each * unknown;
        if on.is_empire() {
            return self.toppling(margin);
        }
        // A rival's loss counts too, more so with fewer rivals.
        let rivals = i32::from(game.living.len()) - 1;
        let w = self.weights;
        let hurt = if margin > 0 { w.hurt * margin / (10 * rivals.max(1)) } else { 0 };
        let threat = if self.target(on) >= self.strongest_rival() { w.threat * hurt / 10 } else { 0 };
        margin + hurt + threat - w.war_cost
    }

    /// Returns the highest [`target`](Self::target) rating among the living rivals of this seat, in tenths of
    /// a point; 0 if there is none.
    fn strongest_rival(&self) -> i32 {
        let rivals = (0..self.game.seats).map(Seat).filter(|&s| s != self.seat && self.game.living.has(s));
        rivals.map(|s| self.target(s.into())).max().unwrap_or(0)
    }

    /// Rates war on the Empire with the expected `margin` in tenths of a point. If the margin reaches the
    /// Empire's points, the Empire would fall: [`DECISIVE`] if this seat would then have more points than
    /// each living rival or the game continues after the fall (`only_one`), else `-DECISIVE`. Otherwise the
    /// margin less `siege_cost`.
    fn toppling(&self, margin: i32) -> i32 {
        let game = self.game;
        let gain = margin / 10;
        if gain >= game.vp[Side::EMPIRE.index()] && gain > 0 {
            let rivals = (0..game.seats).map(Seat).filter(|&s| s != self.seat && game.living.has(s));
            let best = rivals.map(|s| game.vp[s.index()]).max();
            let leads = best.is_none_or(|best| game.vp[self.seat.index()] + gain > best);
            return if leads || game.rules.only_one { DECISIVE } else { -DECISIVE };
        }
        margin - self.weights.siege_cost
    }

    /// Rates the Trade action, in tenths of a point: `trade` sixtieths of the summed ratings of the two best
    /// affordable purchases of the Empire's face-up cards, of which only positive ones count; so at least 0
    /// with a positive weight. Face-down cards and the number of purchases allowed are not considered.
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
        self.weights.trade * (first + second) / 60
    }

    /// Rates drawing new cards into all occupied slots: half of what the current cards are worth less than
    /// `fresh_card` each, less `fresh_cost`. Negative for good cards.
    fn fresh(&self) -> i32 {
        let occupied = self.game.occupied(self.side).count() as i32;
        (self.weights.fresh_card * occupied - self.row()) / 2 - self.weights.fresh_cost
    }

    /// Rates playing a Sabotage against the card in use, the topmost use on the agenda: the weight
    /// `use_sabotage` if that card is aimed at this seat, or is a Sabotage against this seat's own card, and
    /// is no Secret Agent or Gridlock. -5 for any other card, so that passing (0) is better; -1 if no card is
    /// in use.
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
        if at_me && strong { self.weights.use_sabotage } else { -5 }
    }
}
