//! The heuristic: walk to city-states, place tokens, attack when clearly stronger.

use crate::actions::Action;
use crate::face::Mode;
use crate::map::{CITIES, Edge, PLACES, Place, at};
use crate::state::{Hestia, L, Task, enemy, hand, land};
use crate::weights::Weights;
use pentarchy_engine::{Heuristic, SearchHints, Seat, SeatView, Token};
use std::sync::LazyLock;

/// How many steps an army needs from one place (first index) to another, moves, halts and enemies not
/// considered: over land, from sea to sea, from a sea onto land and out of a box. Embarking is not counted as
/// a way. 255 if there is no way.
static DISTANCE: LazyLock<[[u8; PLACES]; PLACES]> = LazyLock::new(|| {
    let mut all = [[u8::MAX; PLACES]; PLACES];
    for from in Place::all() {
        let mut queue = std::collections::VecDeque::from([from]);
        all[from.index()][from.index()] = 0;
        while let Some(at) = queue.pop_front() {
            for &(to, edge) in at.links() {
                let walks = !to.is_box() && (edge != Edge::Coast || to.is_land());
                if walks && all[from.index()][to.index()] == u8::MAX {
                    all[from.index()][to.index()] = all[from.index()][at.index()] + 1;
                    queue.push_back(to);
                }
            }
        }
    }
    all
});

impl Heuristic for Hestia {
    type Weights = Weights;

    /// Appends one rating per action of `list` to `out`, in its order, from what the deciding seat knows.
    /// Higher is better; the unit differs between decisions, so only ratings of one list are comparable.
    fn rate_with(&self, own: &SeatView<'_, Self>, weights: &Weights, list: &[Action], out: &mut Vec<i32>) {
        let eyes = Evaluator::new(self, own, weights);
        out.extend(list.iter().map(|&act| eyes.rate(act)));
    }

    /// Estimates the chance of `seat` to win, in thousandths from 20 to 980: 500 plus the lead in active
    /// tokens (40 each), placed tokens (15 each) and blocks on the map (6 each). All of that is public, so
    /// `_own` is ignored.
    fn evaluate(&self, _own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        let worth = |s: Seat| {
            40 * i32::from(self.active_count(s))
                + 15 * i32::from(self.placed(s))
                + 6 * self.blocks_on_map(s) as i32
        };
        (500 + worth(seat) - worth(enemy(seat))).clamp(20, 980)
    }

    /// Returns the settings of the search: [`SearchHints::ADVISED`], short playouts that follow the ratings.
    fn search_hints() -> SearchHints {
        SearchHints::ADVISED
    }
}

/// Rates actions of `seat`, the deciding seat, with what it knows.
struct Evaluator<'a> {
    game: &'a Hestia,
    own: &'a SeatView<'a, Hestia>,
    weights: &'a Weights,
    seat: Seat,
    /// The city-states worth going to, bit `i` for `CITIES[i]`; empty unless the seat is about to travel.
    goals: u16,
    /// How many own land units outside the marching army stand at most a step from each city-state of
    /// `CITIES`; 0 unless the seat is about to travel.
    claims: [u8; 14],
}

impl<'a> Evaluator<'a> {
    /// Creates the evaluator of the seat of `own`. Surveys goals and claims only if the seat is about to
    /// travel (cards, orders, march, withdrawal); otherwise both stay empty.
    fn new(game: &'a Hestia, own: &'a SeatView<'a, Hestia>, weights: &'a Weights) -> Self {
        let mut eyes = Evaluator { game, own, weights, seat: own.seat(), goals: 0, claims: [0; 14] };
        let travels =
            matches!(game.step(), Task::Cards(_) | Task::Orders(_) | Task::March(_) | Task::Withdraw(_));
        if !travels {
            return eyes;
        }
        for place in Place::all().filter(|&p| game.land_units(p, eyes.seat) > 0) {
            let blocks = game.tokens.iter(land(place, eyes.seat));
            let others = blocks.filter(|&t| game.army.blocks & Hestia::bit(t) == 0).count() as u8;
            for (claim, city) in eyes.claims.iter_mut().zip(&CITIES) {
                if DISTANCE[place.index()][city.index()] <= 1 {
                    *claim += others;
                }
            }
        }
        for (i, &city) in CITIES.iter().enumerate() {
            eyes.goals |= u16::from(eyes.wants(city)) << i;
        }
        eyes
    }
}

impl Evaluator<'_> {
    /// Rates an action of the deciding seat; higher is better. Cards are put away by their negative value and
    /// fight by their value; a forced march that is not worth it rates -10; placing a token 1000; ending the
    /// orders and starting a march 10, taking all blocks 5; stopping by the [nearness](Self::nearness) of the
    /// place less the tokens left uncovered; standing or withdrawing without cards 1 or 0 by
    /// [`is_winning`](Self::is_winning); being done 0. Only actions of one decision are comparable. Does not
    /// check that it is legal.
    fn rate(&self, act: Action) -> i32 {
        match act {
            // The weakest cards are spent, the strongest fight.
            Action::Discard(t) | Action::Pay(t) | Action::Swap(t) => -self.value(t),
            Action::Force(t) => {
                if self.is_worth_forcing() {
                    self.weights.force - self.value(t)
                } else {
                    -10
                }
            }
            Action::Bid(t) => self.rate_bid(t),
            Action::Add(t) => self.rate_addition(t),
            Action::Cards(n) => self.rate_cards(n),
            Action::Army(place) => self.rate_army(place),
            Action::Rally(place, sea) => self.rate_rally(place, sea),
            Action::End => 10,
            Action::All => 5,
            Action::Pick(t) => self.rate_pick(t),
            Action::Go => 10,
            Action::Move(place) => self.rate_move(place),
            Action::Influence => 1000,
            Action::Drop(t) => self.rate_drop(t),
            Action::Stop => {
                let here = self.game.army.place;
                self.nearness(here) - self.weights.uncovered * self.uncovered(here)
            }
            Action::Clash(t, mode) => self.rate_clash(t, mode),
            Action::Fight(t) => self.value(t),
            Action::Hold(mode) => {
                if (mode == Some(Mode::Stand)) == self.is_winning() {
                    1
                } else {
                    0
                }
            }
            Action::Lose(t) => self.rate_loss(t),
            Action::Heal(t) => -self.rate_loss(t),
            Action::Flee(place) | Action::Battle(place) => self.rate_flight(place),
            Action::Withdraw(place) => self.nearness(place),
            Action::Done => 0,
        }
    }

    /// Rates a card: `card_value` per printed value and `card_additions` per card that may join it as a lead;
    /// 0 if this seat does not know it.
    fn value(&self, t: Token) -> i32 {
        self.own.face(t).and_then(|f| f.card()).map_or(0, |c| {
            let w = self.weights;
            w.card_value * i32::from(c.value()) + w.card_additions * i32::from(c.most_additions())
        })
    }

    /// Rates the card `t` as a bid: by its [value](Self::value) if the first turn is worth a good card to
    /// this seat, else by its negative value.
    fn rate_bid(&self, t: Token) -> i32 {
        if self.is_eager() { self.value(t) } else { -self.value(t) }
    }

    /// Rates adding a card, against 0 for being done: in a battle `add` plus its value. In a bid `outbid`
    /// plus its value if this seat wants the first turn and its bid so far would lose (Hathea loses ties),
    /// else -1.
    fn rate_addition(&self, t: Token) -> i32 {
        let (game, foe) = (self.game, enemy(self.seat));
        if game.battle.mode != [None; 2] {
            return self.weights.add + self.value(t);
        }
        let bid =
            |s: Seat| game.lead_card(s).map_or(0, |c| i32::from(c.value() + game.contest.bonus[s.index()]));
        let behind = bid(self.seat) < bid(foe) + i32::from(self.seat.0);
        if self.is_eager() && behind { self.weights.outbid + self.value(t) } else { -1 }
    }

    /// Rates a rally at `place`, or of its ships in `sea`, by the weight for ships, for the box or for a
    /// place on the map; 5 in a box in the last year, because its blocks would come too late.
    fn rate_rally(&self, place: Place, sea: Option<Place>) -> i32 {
        let w = self.weights;
        let last = self.game.last_year == Some(self.game.year);
        match (place, sea) {
            (_, Some(_)) => w.rally_ships,
            (at::BAT, None) if !last => w.rally_bat,
            (at::LNA, None) if !last => w.rally_lna,
            (at::LRE, None) if !last => w.rally_lre,
            (box_, None) if box_.is_box() => 5,
            _ => w.rally,
        }
    }

    /// Returns whether the first turn is worth a good card to this seat: its weight `eager_lenisia` or
    /// `eager_hathea` is positive, and it is not the last year.
    fn is_eager(&self) -> bool {
        let eager = if self.seat == L { self.weights.eager_lenisia } else { self.weights.eager_hathea };
        eager > 0 && self.game.last_year != Some(self.game.year)
    }

    /// Rates spending `n` cards (0 to 2) on movement: 20 for one; 30 for none with at most `idle_hand` cards
    /// in hand, else 0; 25 for two with at least `two_cards_hand` cards and `two_cards_units` own land units
    /// 1 to 4 spaces from a goal, else 5.
    fn rate_cards(&self, n: u8) -> i32 {
        let cards = self.game.tokens.len(hand(self.seat));
        // Two cards pay if more than the three orders of one can be put to use.
        let near = |p: &Place| self.away(*p).is_some_and(|d| (1..=4).contains(&d));
        let armies: usize = Place::all().filter(near).map(|p| self.game.land_units(p, self.seat)).sum();
        let w = self.weights;
        match n {
            0 => {
                if cards as i32 <= w.idle_hand {
                    30
                } else {
                    0
                }
            }
            1 => 20,
            _ => {
                if cards as i32 >= w.two_cards_hand && armies as i32 >= w.two_cards_units {
                    25
                } else {
                    5
                }
            }
        }
    }

    // --- where to go

    /// Returns whether a city-state is worth going to for this seat: it could place a token there (it has
    /// none there, tokens are left, and the enemy's is not active), or it has an inactive token there and no
    /// land unit in or beside it.
    fn wants(&self, city: Place) -> bool {
        let game = self.game;
        let placeable = !game.has_token(city, self.seat)
            && !game.is_active(city, enemy(self.seat))
            && game.placed(self.seat) < game.settings.tokens;
        let waiting = game.has_token(city, self.seat) && !game.is_active(city, self.seat);
        let guarded = game.land_units(city, self.seat) > 0
            || city.adjacent().any(|p| game.land_units(p, self.seat) > 0);
        placeable || (waiting && !guarded)
    }

    /// Returns the number of spaces from a place to the nearest city-state worth going to; `None` if there is
    /// none. A city-state near which other land units of this seat stand counts `claimed` spaces farther;
    /// before an army is picked, the land units in `place` itself do not count as others.
    fn away(&self, place: Place) -> Option<u8> {
        let setting_out = matches!(self.game.step(), Task::Orders(_) | Task::Cards(_));
        let goals = CITIES.iter().enumerate().filter(|(i, _)| self.goals >> i & 1 != 0);
        let far = goals.map(|(i, city)| {
            let spaces = DISTANCE[place.index()][city.index()];
            let here =
                if setting_out && spaces <= 1 { self.game.land_units(place, self.seat) as u8 } else { 0 };
            spaces.saturating_add(if self.claims[i] > here {
                self.weights.claimed.clamp(0, 100) as u8
            } else {
                0
            })
        });
        far.min()
    }

    /// Rates how near a place is to a city-state worth going to: 100 there, `step` less per space up to 10
    /// spaces; like 3 spaces away if no city-state is worth it.
    fn nearness(&self, place: Place) -> i32 {
        100 - self.weights.step * i32::from(self.away(place).unwrap_or(3).min(10))
    }

    /// Returns how many inactive tokens of this seat would have no own land unit in, beside or offshore of
    /// their city-state if the marching army stood in `place`.
    fn uncovered(&self, place: Place) -> i32 {
        let game = self.game;
        let marching = |p: Place| {
            game.tokens.iter(land(p, self.seat)).filter(|&t| game.army.blocks & Hestia::bit(t) != 0).count()
        };
        let others = |p: Place| game.land_units(p, self.seat) > marching(p);
        let waits = |c: &&Place| game.has_token(**c, self.seat) && !game.is_active(**c, self.seat);
        let lonely = |c: &&Place| {
            let mut near = std::iter::once(**c).chain(c.adjacent()).chain(c.coasts());
            !near.any(|p| p == place || others(p))
        };
        CITIES.iter().filter(waits).filter(lonely).count() as i32
    }

    /// Rates leaving a block behind: the weight `drop` less its strength (9 if unknown) if the whole army
    /// alone guards an inactive token here and the next goal is more than a space away; else -20.
    fn rate_drop(&self, t: Token) -> i32 {
        let here = self.game.army.place;
        let strength = self.own.face(t).and_then(|f| f.block()).map_or(9, |(_, s)| i32::from(s));
        let waits = self.game.has_token(here, self.seat) && !self.game.is_active(here, self.seat);
        let alone =
            waits && self.game.army.blocks.count_ones() as usize == self.game.land_units(here, self.seat);
        if alone && self.away(here).is_some_and(|d| d > 1) { self.weights.drop - strength } else { -20 }
    }

    /// Rates activating the army of a place: 0 if all its land units have moved; `army_box` in a box;
    /// `army_idle` if no goal is left; `army_guard` at a goal where the seat has a token; else by the
    /// [nearness](Self::nearness) of a goal.
    fn rate_army(&self, place: Place) -> i32 {
        let game = self.game;
        if game.tokens.iter(land(place, self.seat)).all(|t| !game.is_fresh(t)) {
            return 0;
        }
        match self.nearness(place) {
            _ if place.is_box() => self.weights.army_box,
            // Nothing is left to win: stay and raise more blocks.
            _ if self.away(place).is_none() => self.weights.army_idle,
            100 if game.has_token(place, self.seat) => self.weights.army_guard,
            near => near,
        }
    }

    /// Rates a block for the army, against 10 for going: the first block 20 less the difference of its
    /// strength from `pick_strength`, another one 12 while the army is weaker than `army_strength`, else 0.
    /// Small armies reach more cities.
    fn rate_pick(&self, t: Token) -> i32 {
        let strength = self.own.face(t).and_then(|f| f.block()).map_or(0, |(_, s)| i32::from(s));
        let w = self.weights;
        match self.game.army_strength(self.own) {
            0 => 20 - (strength - w.pick_strength).abs(),
            sum if sum < w.army_strength => 12,
            _ => 0,
        }
    }

    /// Returns the total strength of this seat's land units in a place; a unit whose face the seat does not
    /// know counts 2.
    fn strength(&self, place: Place) -> i32 {
        let blocks = self.game.tokens.iter(land(place, self.seat));
        blocks.map(|t| self.own.face(t).and_then(|f| f.block()).map_or(2, |(_, s)| i32::from(s))).sum()
    }

    /// Rates a move of the marching army to `to`. A land with enemy land units rates `attack` if the army has
    /// more than `attack_odds` tenths of strength per enemy block and the hand at least `attack_cards` cards,
    /// else -500. Any other place rates its [nearness](Self::nearness) to a goal plus `move_on`, less
    /// `uncovered` for each token left uncovered.
    fn rate_move(&self, to: Place) -> i32 {
        let game = self.game;
        let w = self.weights;
        let foes = game.land_units(to, enemy(self.seat)) as i32;
        if foes > 0 && to.is_land() {
            let blocks = game.army_strength(self.own);
            let cards = game.tokens.len(hand(self.seat)) as i32;
            return if blocks * 10 > w.attack_odds * foes && cards >= w.attack_cards {
                w.attack
            } else {
                -500
            };
        }
        self.nearness(to) + w.move_on - w.uncovered * self.uncovered(to)
    }

    /// Returns whether a forced march is worth a card: a city-state that this seat wants is adjacent, and it
    /// has more than `force_hand` cards.
    fn is_worth_forcing(&self) -> bool {
        let here = self.game.army.place;
        let near = here.adjacent().any(|p| p.city().is_some() && self.wants(p));
        near && self.game.tokens.len(hand(self.seat)) as i32 > self.weights.force_hand
    }

    // --- battle

    /// Returns whether this side should fight on in the current battle: `stand_odds` tenths of its strength
    /// there are at least the enemy's strength. Enemy blocks that are not public count 0.
    fn is_winning(&self) -> bool {
        let place = self.game.battle.place;
        let foe = enemy(self.seat);
        let theirs: i32 = self
            .game
            .tokens
            .iter(land(place, foe))
            .filter_map(|t| self.game.block(t).ok())
            .map(|(_, s)| i32::from(s))
            .sum();
        self.weights.stand_odds * self.strength(place) >= 10 * theirs
    }

    /// Rates a card and its use in a clash. If the side [should fight on](Self::is_winning): 100 plus its
    /// value to fight, its negative value to retreat. Otherwise `fight_on` plus its value to fight, 60 less
    /// its value to retreat, so that a weak card covers the retreat.
    fn rate_clash(&self, t: Token, mode: Option<Mode>) -> i32 {
        match (mode, self.is_winning()) {
            (Some(Mode::Fight), true) => 100 + self.value(t),
            (Some(Mode::Fight), false) => self.weights.fight_on + self.value(t),
            (_, true) => -self.value(t),
            (_, false) => 60 - self.value(t),
        }
    }

    /// Rates a block for a loss of 1 strength, the highest being weakened first: 5 per strength, less the
    /// weight `commander` or `elite` for those; 0 if the block is not known. Healing uses the negative
    /// rating.
    fn rate_loss(&self, t: Token) -> i32 {
        match self.own.face(t).and_then(|f| f.block()) {
            Some((unit, strength)) => {
                let dear = if unit.is_commander() {
                    self.weights.commander
                } else if unit.is_irreplaceable() {
                    self.weights.elite
                } else {
                    0
                };
                5 * i32::from(strength) - dear
            }
            None => 0,
        }
    }

    /// Rates a place to which the loser is driven: the sum of the distances to all city-states, at most 6 for
    /// each, so that it goes far away. 0 for any other decision, so that all battles rate equal.
    fn rate_flight(&self, place: Place) -> i32 {
        match self.game.step() {
            Task::Flee(_) => {
                CITIES.iter().map(|c| i32::from(DISTANCE[place.index()][c.index()].min(6))).sum()
            }
            _ => 0,
        }
    }
}

impl Hestia {
    /// Returns the strength of the marching army, as far as the viewing seat knows its blocks; unknown blocks
    /// and ships count 0.
    fn army_strength(&self, own: &SeatView<'_, Self>) -> i32 {
        let mut left = self.army.blocks;
        let mut sum = 0;
        while left != 0 {
            let t = Token(crate::state::FIRST_BLOCK + left.trailing_zeros() as u16);
            left &= left - 1;
            sum += own.face(t).and_then(|f| f.block()).map_or(0, |(_, s)| i32::from(s));
        }
        sum
    }
}
