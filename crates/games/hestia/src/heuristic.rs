//! The heuristic: walk to city-states, place tokens, attack when clearly stronger.

use crate::actions::Action;
use crate::face::Mode;
use crate::map::{CITIES, Edge, PLACES, Place, at};
use crate::state::{Hestia, L, Task, enemy, hand, land};
use pentarchy_engine::{Heuristic, SearchHints, Seat, SeatView, Token};
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
    /// Appends one rating per action of `list` to `out`, in its order, from what the deciding seat knows.
    /// Higher is better; ratings compare only actions of one list.
    fn rate(&self, own: &SeatView<'_, Self>, list: &[Action], out: &mut Vec<i32>) {
        let eyes = Evaluator::new(self, own);
        out.extend(list.iter().map(|&act| eyes.rate(act)));
    }

    /// Estimates the chance of `seat` to win, in thousandths from 20 to 980: 500 plus the lead in active
    /// tokens (40 each), placed tokens (15 each) and blocks on the map (6 each).
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

/// Rates actions with what one seat knows.
struct Evaluator<'a> {
    game: &'a Hestia,
    own: &'a SeatView<'a, Hestia>,
    seat: Seat,
    /// The city-states worth going to.
    goals: u16,
    /// How many blocks outside the marching army stand in or beside each city-state.
    claims: [u8; 14],
}

impl<'a> Evaluator<'a> {
    /// Creates the evaluator of the seat of `own`. Surveys goals and claims only if the seat is about to
    /// travel (cards, orders, march, withdrawal); otherwise both stay empty.
    fn new(game: &'a Hestia, own: &'a SeatView<'a, Hestia>) -> Self {
        let mut eyes = Evaluator { game, own, seat: own.seat(), goals: 0, claims: [0; 14] };
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
    /// Rates an action of the deciding seat; higher is better, and 0 is being done. Only actions of one
    /// decision are comparable. Does not check that it is legal.
    fn rate(&self, act: Action) -> i32 {
        match act {
            // The weakest cards are spent, the strongest fight.
            Action::Discard(t) | Action::Pay(t) | Action::Swap(t) => -self.value(t),
            Action::Force(t) => {
                if self.is_worth_forcing() {
                    20 - self.value(t)
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
            Action::Stop => self.nearness(self.game.army.place) - 12 * self.uncovered(self.game.army.place),
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

    /// Rates a card: twice its printed value plus the number of cards it lets join; 0 if this seat does not
    /// know it.
    fn value(&self, t: Token) -> i32 {
        self.own
            .face(t)
            .and_then(|f| f.card())
            .map_or(0, |c| 2 * i32::from(c.value()) + i32::from(c.most_additions()))
    }

    /// Rates the card `t` as a bid: by its value if the first turn is worth a good card to this seat, else by
    /// its negative value.
    fn rate_bid(&self, t: Token) -> i32 {
        if self.is_eager() { self.value(t) } else { -self.value(t) }
    }

    /// Rates adding a card, against 0 for being done: in a battle every card helps; in a bid only if this
    /// seat wants the first turn and is behind, else -1.
    fn rate_addition(&self, t: Token) -> i32 {
        let (game, foe) = (self.game, enemy(self.seat));
        if game.battle.mode != [None; 2] {
            return 5 + self.value(t);
        }
        let bid =
            |s: Seat| game.lead_card(s).map_or(0, |c| i32::from(c.value() + game.contest.bonus[s.index()]));
        let behind = bid(self.seat) < bid(foe) + i32::from(self.seat.0);
        if self.is_eager() && behind { 5 + self.value(t) } else { -1 }
    }

    /// Rates a rally at `place`, or of its ships in `sea`: 50 on the map, 42 to 48 in a box off the map (5 in
    /// the last year, as its blocks would come too late), 12 for ships.
    fn rate_rally(&self, place: Place, sea: Option<Place>) -> i32 {
        let last = self.game.last_year == Some(self.game.year);
        match (place, sea) {
            (_, Some(_)) => 12,
            (at::BAT, None) if !last => 48,
            (at::LNA, None) if !last => 46,
            (at::LRE, None) if !last => 42,
            (box_, None) if box_.is_box() => 5,
            _ => 50,
        }
    }

    /// Returns whether the first turn is worth a good card: only to Lenisia, and not in the last year.
    fn is_eager(&self) -> bool {
        self.seat == L && self.game.last_year != Some(self.game.year)
    }

    /// Rates spending `n` cards (0 to 2) on movement: 20 for one; 30 for none with at most 1 card in hand,
    /// else 0; 25 for two with at least 5 cards and 5 land units near a goal, else 5.
    fn rate_cards(&self, n: u8) -> i32 {
        let cards = self.game.tokens.len(hand(self.seat));
        // Two cards pay if more than the three orders of one can be put to use.
        let near = |p: &Place| self.away(*p).is_some_and(|d| (1..=4).contains(&d));
        let armies: usize = Place::all().filter(near).map(|p| self.game.land_units(p, self.seat)).sum();
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
                if cards >= 5 && armies >= 5 {
                    25
                } else {
                    5
                }
            }
        }
    }

    // --- where to go

    /// Returns whether a city-state is worth going to for this seat: it could place a token there, or it has
    /// an inactive token there and no land unit in or beside it.
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
    /// none. A city-state near which other blocks of this seat stand counts as 2 spaces farther.
    fn away(&self, place: Place) -> Option<u8> {
        let setting_out = matches!(self.game.step(), Task::Orders(_) | Task::Cards(_));
        let goals = CITIES.iter().enumerate().filter(|(i, _)| self.goals >> i & 1 != 0);
        let far = goals.map(|(i, city)| {
            let spaces = DISTANCE[place.index()][city.index()];
            let here =
                if setting_out && spaces <= 1 { self.game.land_units(place, self.seat) as u8 } else { 0 };
            spaces.saturating_add(if self.claims[i] > here { 2 } else { 0 })
        });
        far.min()
    }

    /// Rates how near a place is to a city-state worth going to: 100 there, 10 less per space, at least 0; 70
    /// if no city-state is worth it.
    fn nearness(&self, place: Place) -> i32 {
        100 - 10 * i32::from(self.away(place).unwrap_or(3).min(10))
    }

    /// Returns how many inactive tokens of this seat would have no own block in, beside or offshore of their
    /// city-state if the marching army stood in `place`.
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

    /// Rates leaving a block behind: about 100, more for a weak block, if the army alone guards an inactive
    /// token and its next goal is more than a space away; else -20.
    fn rate_drop(&self, t: Token) -> i32 {
        let here = self.game.army.place;
        let strength = self.own.face(t).and_then(|f| f.block()).map_or(9, |(_, s)| i32::from(s));
        let waits = self.game.has_token(here, self.seat) && !self.game.is_active(here, self.seat);
        let alone =
            waits && self.game.army.blocks.count_ones() as usize == self.game.land_units(here, self.seat);
        if alone && self.away(here).is_some_and(|d| d > 1) { 105 - strength } else { -20 }
    }

    /// Rates activating the army of a place: 0 if it has no fresh land unit, 80 in a box, 8 if nothing is
    /// left to win, 5 if it stands at a goal where it has a token, else by nearness to a goal.
    fn rate_army(&self, place: Place) -> i32 {
        let game = self.game;
        if game.tokens.iter(land(place, self.seat)).all(|t| !game.is_fresh(t)) {
            return 0;
        }
        match self.nearness(place) {
            _ if place.is_box() => 80,
            // Nothing is left to win: stay and raise more blocks.
            _ if self.away(place).is_none() => 8,
            100 if game.has_token(place, self.seat) => 5,
            near => near,
        }
    }

    /// Rates a block for the army, against 10 for going: the first block by how near its strength is to 3 (at
    /// most 20), another one 12 while the army has strength 1 or 2, else 0. Small armies reach more cities.
    fn rate_pick(&self, t: Token) -> i32 {
        let strength = self.own.face(t).and_then(|f| f.block()).map_or(0, |(_, s)| i32::from(s));
        match self.game.army_strength(self.own) {
            0 => 20 - (strength - 3).abs(),
            1..=2 => 12,
            _ => 0,
        }
    }

    /// Returns the total strength of this seat's land units in a place; a unit whose face the seat does not
    /// know counts 2.
    fn strength(&self, place: Place) -> i32 {
        let blocks = self.game.tokens.iter(land(place, self.seat));
        blocks.map(|t| self.own.face(t).and_then(|f| f.block()).map_or(2, |(_, s)| i32::from(s))).sum()
    }

    /// Rates a move of the marching army to `to`: by nearness to a goal, less 12 for each token left
    /// uncovered. A land with enemy land units gets 130 if the army has more than 2.4 strength per enemy
    /// block and the hand at least 2 cards, else -500.
    fn rate_move(&self, to: Place) -> i32 {
        let game = self.game;
        let foes = game.land_units(to, enemy(self.seat)) as i32;
        if foes > 0 && to.is_land() {
            let blocks = game.army_strength(self.own);
            let cards = game.tokens.len(hand(self.seat)) as i32;
            return if blocks * 10 > 24 * foes && cards >= 2 { 130 } else { -500 };
        }
        self.nearness(to) + 1 - 12 * self.uncovered(to)
    }

    /// Returns whether a forced march is worth a card: a city-state that this seat wants is adjacent, and it
    /// has more than 3 cards.
    fn is_worth_forcing(&self) -> bool {
        let here = self.game.army.place;
        let near = here.adjacent().any(|p| p.city().is_some() && self.wants(p));
        near && self.game.tokens.len(hand(self.seat)) > 3
    }

    // --- battle

    /// Returns whether this side should fight on in the current battle: its strength there is at least half
    /// of the enemy's. Hidden enemy blocks count 0.
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

    /// Rates a card and its use in a clash: if the battle is worth fighting on, 100 plus its value to fight
    /// and its negative value to retreat; else 40 plus its value to fight and 60 less its value to retreat.
    fn rate_clash(&self, t: Token, mode: Option<Mode>) -> i32 {
        match (mode, self.is_winning()) {
            (Some(Mode::Fight), true) => 100 + self.value(t),
            (Some(Mode::Fight), false) => 40 + self.value(t),
            (_, true) => -self.value(t),
            (_, false) => 60 - self.value(t),
        }
    }

    /// Rates a block for a loss of 1 strength: 5 per strength, 20 less for elites, 50 less for commanders; 0
    /// if the block is not known. Higher is weakened first.
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

    /// Rates where the loser is driven: the sum of the distances to all city-states (6 at most for each). 0
    /// for any other decision, so all battles rate equal.
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
