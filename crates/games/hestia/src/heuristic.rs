//! A rule of thumb: walk to city-states, place tokens, attack when clearly stronger.

use crate::actions::Act;
use crate::face::Mode;
use crate::map::{CITIES, Edge, PLACES, Place};
use crate::state::{Hestia, Step, enemy, hand, land};
use pentarchy_engine::{Heuristic, Own, Seat, Token};
use std::sync::LazyLock;

/// How many spaces by land and sea lie between two places.
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
    fn rate(&self, own: &Own<'_, Self>, list: &[Act], out: &mut Vec<i32>) {
        let eyes = Eyes { game: self, own, seat: own.seat() };
        out.extend(list.iter().map(|&act| eyes.rate(act)));
    }

    fn evaluate(&self, _own: &Own<'_, Self>, seat: Seat) -> i32 {
        let worth = |s: Seat| {
            40 * i32::from(self.active_count(s))
                + 15 * i32::from(self.placed(s))
                + 6 * self.blocks_on_map(s) as i32
        };
        (500 + worth(seat) - worth(enemy(seat))).clamp(20, 980)
    }
}

/// What one seat makes of the position.
struct Eyes<'a> {
    game: &'a Hestia,
    own: &'a Own<'a, Hestia>,
    seat: Seat,
}

impl Eyes<'_> {
    fn rate(&self, act: Act) -> i32 {
        match act {
            // The weakest cards are spent, the strongest fight.
            Act::Discard(t) | Act::Pay(t) | Act::Swap(t) => -self.value(t),
            Act::Force(t) => {
                if self.is_worth_forcing() {
                    20 - self.value(t)
                } else {
                    -10
                }
            }
            Act::Bid(t) => self.rate_bid(t),
            Act::Add(t) => 5 + self.value(t),
            Act::Cards(n) => self.rate_cards(n),
            Act::Army(place) => self.rate_army(place),
            Act::Rally(_, None) => 40,
            Act::Rally(_, Some(_)) => 12,
            Act::End => 10,
            Act::All => 5,
            Act::Pick(t) => self.rate_pick(t),
            Act::Go => 10,
            Act::Move(place) => self.rate_move(place),
            Act::Influence => 1000,
            Act::Drop(_) => -20,
            Act::Stop => self.nearness(self.game.army.place),
            Act::Clash(t, mode) => self.rate_clash(t, mode),
            Act::Fight(t) => self.value(t),
            Act::Hold(mode) => {
                if (mode == Some(Mode::Stand)) == self.is_winning() {
                    1
                } else {
                    0
                }
            }
            Act::Lose(t) => self.rate_loss(t),
            Act::Heal(t) => -self.rate_loss(t),
            Act::Flee(place) | Act::Battle(place) => self.rate_flight(place),
            Act::Withdraw(place) => self.nearness(place),
            Act::Done => 0,
        }
    }

    fn value(&self, t: Token) -> i32 {
        self.own
            .face(t)
            .and_then(|f| f.card())
            .map_or(0, |c| 2 * i32::from(c.value()) + i32::from(c.most_additions()))
    }

    /// The first turn is worth more to the invader.
    fn rate_bid(&self, t: Token) -> i32 {
        let eager = self.seat == crate::state::L && self.game.last_year != Some(self.game.year);
        if eager { self.value(t) } else { -self.value(t) }
    }

    fn rate_cards(&self, n: u8) -> i32 {
        let cards = self.game.tokens.len(hand(self.seat));
        let armies = Place::all().filter(|&p| self.game.land_units(p, self.seat) > 0).count();
        match n {
            0 => {
                if cards <= 1 {
                    30
                } else {
                    0
                }
            }
            1 => 20,
            _ => {
                if cards >= 6 && armies >= 4 {
                    25
                } else {
                    5
                }
            }
        }
    }

    // --- where to go

    /// Where a land unit of this seat could place a token, or is needed to make one active.
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

    /// How near a place is to something worth having.
    fn nearness(&self, place: Place) -> i32 {
        let away =
            CITIES.iter().filter(|&&c| self.wants(c)).map(|c| DISTANCE[place.index()][c.index()]).min();
        100 - 10 * i32::from(away.unwrap_or(3).min(10))
    }

    fn rate_army(&self, place: Place) -> i32 {
        let game = self.game;
        if game.tokens.iter(land(place, self.seat)).all(|t| !game.is_fresh(t)) {
            return 0;
        }
        match self.nearness(place) {
            _ if place.is_box() => 80,
            100 if game.has_token(place, self.seat) => 5,
            near => near,
        }
    }

    /// Small armies win over more cities: two blocks, or one that is strong.
    fn rate_pick(&self, t: Token) -> i32 {
        let strength = self.own.face(t).and_then(|f| f.block()).map_or(0, |(_, s)| i32::from(s));
        match self.game.army_strength(self.own) {
            0 => 20 - (strength - 3).abs(),
            1..=2 => 12,
            _ => 0,
        }
    }

    fn strength(&self, place: Place) -> i32 {
        let blocks = self.game.tokens.iter(land(place, self.seat));
        blocks.map(|t| self.own.face(t).and_then(|f| f.block()).map_or(2, |(_, s)| i32::from(s))).sum()
    }

    fn rate_move(&self, to: Place) -> i32 {
        let game = self.game;
        let foes = game.land_units(to, enemy(self.seat)) as i32;
        if foes > 0 && to.is_land() {
            let blocks = game.army_strength(self.own);
            let cards = game.tokens.len(hand(self.seat)) as i32;
            return if blocks * 10 > 24 * foes && cards >= 2 { 130 } else { -500 };
        }
        self.nearness(to) + 1
    }

    fn is_worth_forcing(&self) -> bool {
        let here = self.game.army.place;
        let near = here.adjacent().any(|p| p.city().is_some() && self.wants(p));
        near && self.game.tokens.len(hand(self.seat)) > 3
    }

    // --- battle

    /// Whether this side is stronger on the field.
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
        2 * self.strength(place) >= theirs
    }

    fn rate_clash(&self, t: Token, mode: Option<Mode>) -> i32 {
        match (mode, self.is_winning()) {
            (Some(Mode::Fight), true) => 100 + self.value(t),
            (Some(Mode::Fight), false) => 40 + self.value(t),
            (_, true) => -self.value(t),
            (_, false) => 60 - self.value(t),
        }
    }

    /// Levies go before elites, commanders last.
    fn rate_loss(&self, t: Token) -> i32 {
        match self.own.face(t).and_then(|f| f.block()) {
            Some((unit, strength)) => {
                let dear = if unit.is_commander() {
                    50
                } else if unit.is_irreplaceable() {
                    20
                } else {
                    0
                };
                5 * i32::from(strength) - dear
            }
            None => 0,
        }
    }

    /// The loser is driven away from what he wants.
    fn rate_flight(&self, place: Place) -> i32 {
        match self.game.step() {
            Step::Flee(_) => {
                CITIES.iter().map(|c| i32::from(DISTANCE[place.index()][c.index()].min(6))).sum()
            }
            _ => 0,
        }
    }
}

impl Hestia {
    /// The strength of the army under way, as its owner knows it.
    fn army_strength(&self, own: &Own<'_, Self>) -> i32 {
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
