//! The beginning, and the turn of the year: half the hand goes, new cards come.

use crate::blocks::{START, Unit};
use crate::cards::CARDS;
use crate::face::Shown;
use crate::map::{CITIES, Place};
use crate::options::Settings;
use crate::state::{
    Army, Battle, Contest, H, Hestia, L, POOL, Step, deck, discard, enemy, hand, land, ships, slip,
};
use pentarchy_engine::{Rejected, Seat, Stack, Token, Tokens};

/// The first position: everything face up and unshuffled.
pub(crate) fn set_up(settings: &Settings) -> Result<Hestia, Rejected> {
    let mut tokens = Tokens::new();
    for seat in [L, H] {
        for (i, card) in CARDS.iter().enumerate() {
            for _ in 0..card.copies {
                tokens.add(Shown::Card(crate::cards::Card::nth(i as u8)), deck(seat))?;
            }
        }
    }
    let whole = |unit: Unit| Shown::Block(unit, unit.full());
    for (unit, count, stands) in START {
        let zone = match stands {
            None => POOL,
            Some((seat, place)) if unit.is_naval() => ships(place, Seat(seat)).unwrap_or(POOL),
            Some((seat, place)) => land(place, Seat(seat)),
        };
        for _ in 0..count {
            tokens.add(whole(unit), zone)?;
        }
    }
    for (city, &place) in CITIES.iter().enumerate() {
        tokens.add(whole(Unit::guard(city)), POOL)?;
        tokens.add(whole(Unit::militia(city)), POOL)?;
        if let Some(navy) = Unit::city_navy(place) {
            tokens.add(whole(navy), POOL)?;
        }
    }
    for seat in [L, H] {
        tokens.add_slip(slip(seat))?;
    }
    let mut game = Hestia {
        settings: *settings,
        year: 1,
        last_year: None,
        extra: 0,
        first: L,
        mover: L,
        inactive: [0; 2],
        active: [0; 2],
        moved: 0,
        orders: None,
        rallied: false,
        army: Army::default(),
        contest: Contest::default(),
        battle: Battle::default(),
        agenda: Stack::new(),
        tokens,
    };
    let first_hand = settings.first_hand;
    game.begin_bid()?;
    game.then_all(&[
        Step::Shuffle(L),
        Step::Shuffle(H),
        Step::Draw(L, first_hand),
        Step::Draw(H, first_hand),
    ])?;
    Ok(game)
}

impl Hestia {
    /// Enters a phase of the year, as scenarios do.
    pub(crate) fn enter(&mut self, phase: &str, seat: Seat, cards: u8) -> Result<(), Rejected> {
        self.agenda.clear();
        self.then(Step::EndYear)?;
        self.mover = seat;
        self.moved = 0;
        let rest = [Step::NextBattle(seat), Step::Influence];
        match phase {
            "bid" => {
                self.agenda.clear();
                self.begin_bid()?;
            }
            "turn" => self.then(Step::Turn(seat))?,
            "orders" => {
                self.orders = (cards == 1).then_some(self.settings.orders);
                self.rallied = false;
                self.then_all(&rest)?;
                self.then(Step::Orders(seat))?;
            }
            "battle" => self.then_all(&rest)?,
            "influence" => self.then(Step::Influence)?,
            "year-end" => {}
            _ => return Err(Rejected::new("a phase is bid, turn, orders, battle, influence or year-end")),
        }
        self.run()
    }

    /// A new year begins: half of each hand, five cards each, one more for the greater influence, the bid.
    pub(super) fn new_year(&mut self) -> Result<(), Rejected> {
        self.year += 1;
        let draw = self.settings.year_draw;
        self.begin_bid()?;
        self.then_all(&[
            Step::BeginHalf(L),
            Step::BeginHalf(H),
            Step::Draw(L, draw),
            Step::Draw(H, draw),
            Step::ExtraCard,
        ])
    }

    pub(super) fn begin_half(&mut self, seat: Seat) -> Result<(), Rejected> {
        self.agenda.pop();
        let half = self.tokens.len(hand(seat)) as u8 / 2;
        if half > 0 { self.then(Step::Half(seat, half)) } else { Ok(()) }
    }

    pub(super) fn halve(&mut self, seat: Seat, left: u8, t: Token) -> Result<(), Rejected> {
        self.ensure_in_hand(t, seat)?;
        self.agenda.pop();
        self.tokens.put(t, discard(seat));
        if left > 1 { self.then(Step::Half(seat, left - 1)) } else { Ok(()) }
    }

    /// Draws cards; an empty pile is made anew from the discards. What neither has is lost.
    pub(super) fn draw(&mut self, seat: Seat, wanted: u8) -> Result<(), Rejected> {
        self.agenda.pop();
        let mut left = wanted;
        while left > 0
            && let Some(card) = self.tokens.top(deck(seat))
        {
            self.tokens.put(card, hand(seat));
            left -= 1;
        }
        if left > 0 && !self.tokens.is_empty(discard(seat)) {
            self.tokens.put_all(discard(seat), deck(seat));
            self.then_all(&[Step::Shuffle(seat), Step::Draw(seat, left)])?;
        }
        if left < wanted { self.then(Step::Learn(seat)) } else { Ok(()) }
    }

    /// Who has more active tokens where the enemy has none draws one card more.
    pub(super) fn extra_card(&mut self) -> Result<(), Rejected> {
        self.agenda.pop();
        let alone = |seat: Seat| {
            let theirs = self.active[enemy(seat).index()] | self.inactive[enemy(seat).index()];
            (self.active[seat.index()] & !theirs).count_ones()
        };
        match alone(L).cmp(&alone(H)) {
            std::cmp::Ordering::Greater => self.then(Step::Draw(L, 1)),
            std::cmp::Ordering::Less => self.then(Step::Draw(H, 1)),
            std::cmp::Ordering::Equal => Ok(()),
        }
    }

    /// A block of this kind in the pool.
    pub(crate) fn in_pool(&self, unit: Unit) -> Option<Token> {
        let is = |t: &Token| self.block(*t).is_ok_and(|(u, _)| u == unit);
        self.tokens.iter(POOL).find(is)
    }

    /// A block of the pool appears in a place, at full strength, and has moved this turn.
    pub(crate) fn raise(&mut self, unit: Unit, place: Place, seat: Seat) {
        let zone = if unit.is_naval() { ships(place, seat) } else { Some(land(place, seat)) };
        if let (Some(t), Some(zone)) = (self.in_pool(unit), zone) {
            self.tokens.put(t, zone);
            self.moved |= Self::bit(t);
        }
    }
}
