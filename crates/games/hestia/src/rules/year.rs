//! The setup, and the turn of the year: players discard half of their hands and draw new cards.

use crate::blocks::{START, Unit};
use crate::cards::CARDS;
use crate::face::Shown;
use crate::facts::{Context, Fact};
use crate::map::{CITIES, Place};
use crate::options::Options;
use crate::state::{
    Army, Battle, Contest, H, Hestia, L, POOL, Task, deck, discard, enemy, hand, land, ships, slip,
};
use pentarchy_engine::{Cx, RuleError, Seat, Stack, Token, Tokens};

/// Creates the initial state: everything face up and unshuffled.
///
/// # Errors
///
/// Fails if there are more pieces than tokens.
pub(crate) fn set_up(settings: &Options) -> Result<Hestia, RuleError> {
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
    game.push_tasks(&[
        Task::Shuffle(L),
        Task::Shuffle(H),
        Task::Draw(L, first_hand),
        Task::Draw(H, first_hand),
    ])?;
    Ok(game)
}

impl Hestia {
    /// Replaces the agenda by the tasks from a phase of the year on, and performs those that need no event, for
    /// scenarios. `cards` is the number of cards spent on movement.
    ///
    /// # Errors
    ///
    /// Fails if there is no such phase.
    pub(crate) fn enter(&mut self, phase: &str, seat: Seat, cards: u8) -> Result<(), RuleError> {
        self.agenda.clear();
        self.push_task(Task::EndYear)?;
        self.mover = seat;
        self.moved = 0;
        let rest = [Task::NextBattle(seat), Task::Influence];
        match phase {
            "bid" => {
                self.agenda.clear();
                self.begin_bid()?;
            }
            "turn" => self.push_task(Task::Turn(seat))?,
            "orders" => {
                self.orders = (cards == 1).then_some(self.settings.orders);
                self.rallied = false;
                self.push_tasks(&rest)?;
                self.push_task(Task::Orders(seat))?;
            }
            "battle" => self.push_tasks(&rest)?,
            "influence" => self.push_task(Task::Influence)?,
            "year-end" => {}
            _ => return Err(RuleError::new("a phase is bid, turn, orders, battle, influence or year-end")),
        }
        self.run(&mut Cx::silent())
    }

    /// Begins a year: each seat discards half of its hand and draws five cards, the greater influence draws one
    /// more, then the bid follows.
    pub(super) fn new_year(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.year += 1;
        cx.emit(|| Fact::YearBegan(self.year));
        let draw = self.settings.year_draw;
        self.begin_bid()?;
        self.push_tasks(&[
            Task::BeginHalf(L),
            Task::BeginHalf(H),
            Task::Draw(L, draw),
            Task::Draw(H, draw),
            Task::ExtraCard,
        ])
    }

    /// Begins the discard of half of a hand.
    pub(super) fn begin_half(&mut self, seat: Seat) -> Result<(), RuleError> {
        self.agenda.pop();
        let half = self.tokens.len(hand(seat)) as u8 / 2;
        if half > 0 { self.push_task(Task::Half(seat, half)) } else { Ok(()) }
    }

    /// Checks and discards one of `left` cards at the turn of the year.
    ///
    /// # Errors
    ///
    /// Fails if the card is not in the hand.
    pub(super) fn halve(&mut self, seat: Seat, left: u8, t: Token) -> Result<(), RuleError> {
        self.ensure_in_hand(t, seat)?;
        self.agenda.pop();
        self.tokens.put(t, discard(seat));
        if left > 1 { self.push_task(Task::Half(seat, left - 1)) } else { Ok(()) }
    }

    /// Draws cards; if the pile runs out, the discards are shuffled first. Cards that neither has are lost.
    pub(super) fn draw(&mut self, cx: &mut Context<'_>, seat: Seat, wanted: u8) -> Result<(), RuleError> {
        self.agenda.pop();
        let mut left = wanted;
        while left > 0
            && let Some(card) = self.tokens.top(deck(seat))
        {
            self.tokens.put(card, hand(seat));
            left -= 1;
        }
        cx.emit(move || Fact::Drew(seat, wanted - left));
        if left > 0 && !self.tokens.is_empty(discard(seat)) {
            self.tokens.put_all(discard(seat), deck(seat));
            self.push_tasks(&[Task::Shuffle(seat), Task::Draw(seat, left)])?;
        }
        if left < wanted { self.push_task(Task::Learn(seat)) } else { Ok(()) }
    }

    /// Gives one more card to the seat with more active tokens in city-states where the enemy has none.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn extra_card(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        let alone = |seat: Seat| {
            let theirs = self.active[enemy(seat).index()] | self.inactive[enemy(seat).index()];
            (self.active[seat.index()] & !theirs).count_ones()
        };
        match alone(L).cmp(&alone(H)) {
            std::cmp::Ordering::Greater => self.push_task(Task::Draw(L, 1)),
            std::cmp::Ordering::Less => self.push_task(Task::Draw(H, 1)),
            std::cmp::Ordering::Equal => Ok(()),
        }
    }

    /// Returns a block of this kind in the pool; `None` if there is none.
    pub(crate) fn in_pool(&self, unit: Unit) -> Option<Token> {
        let is = |t: &Token| self.block(*t).is_ok_and(|(u, _)| u == unit);
        self.tokens.iter(POOL).find(is)
    }

    /// Moves a block of the pool to a place, at full strength and marked as moved.
    pub(crate) fn raise(&mut self, unit: Unit, place: Place, seat: Seat) {
        let zone = if unit.is_naval() { ships(place, seat) } else { Some(land(place, seat)) };
        if let (Some(t), Some(zone)) = (self.in_pool(unit), zone) {
            self.tokens.put(t, zone);
            self.moved |= Self::bit(t);
        }
    }
}
