//! The setup, and the turn of the year: players discard half of their hands and draw new cards.

use crate::blocks::{START, Unit};
use crate::cards::CARDS;
use crate::face::Shown;
use crate::facts::{Context, Fact, Purpose};
use crate::map::{CITIES, Place};
use crate::options::Options;
use crate::state::{
    Army, Battle, Contest, H, Hestia, L, POOL, Task, deck, discard, enemy, hand, land, ships, slip,
};
use pentarchy_engine::{Cx, RuleError, Seat, Stack, Token, Tokens};

/// Creates the initial state of year 1: both decks of 54 cards, the blocks of the start on the map and all
/// others in the pool at full strength, a slip for each seat. Everything is face up and unshuffled, with the
/// shuffles, the first draws and the bid on the agenda.
///
/// # Errors
///
/// Fails if there are more pieces than tokens, or the agenda is full.
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
    /// scenarios. `bid` is the bid and all after it; `turn` a whole turn of `seat`; `orders` its orders,
    /// battles and influence; `battle` its battles and influence; `influence` and `year-end` only those. After
    /// each the year ends, without the turn of the other seat unless it begins with the bid. `seat` becomes the
    /// mover; `cards` (1 or 2) is the number of cards spent on movement, used by `orders` only. Facts are
    /// dropped.
    ///
    /// # Errors
    ///
    /// Fails if there is no such phase, or a task cannot be performed; the state is then partly changed.
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

    /// Begins the next year: counts it, emits `YearEnded` and `YearBegan`, and pushes the tasks. Each seat
    /// discards half of its hand and draws `year_draw` cards, the greater influence draws one more, then the
    /// bid follows. The caller has popped the task that ends the year.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn new_year(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        cx.emit(|| Fact::YearEnded(self.year, [L, H].map(|seat| self.token_count(seat))));
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

    /// Begins the discard of half of a hand, rounded down: pops the task and pushes `Half` if at least one
    /// card is due.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn begin_half(&mut self, seat: Seat) -> Result<(), RuleError> {
        self.agenda.pop();
        let half = self.tokens.len(hand(seat)) as u8 / 2;
        if half > 0 { self.push_task(Task::Half(seat, half)) } else { Ok(()) }
    }

    /// Checks and discards a card at the turn of the year, emits `Discarded` and pops the task. `left`
    /// cards are to be discarded, this one included; if more remain, pushes the task for the next.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the hand; or if the agenda is full.
    pub(super) fn halve(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        left: u8,
        t: Token,
    ) -> Result<(), RuleError> {
        self.ensure_in_hand(t, seat)?;
        self.agenda.pop();
        self.discard_card(cx, seat, t, if left > 1 { Purpose::Half } else { Purpose::HalfComplete });
        if left > 1 { self.push_task(Task::Half(seat, left - 1)) } else { Ok(()) }
    }

    /// Moves a card to the discard pile of a seat and emits `Discarded` with the purpose. The caller has
    /// checked that it is in the hand.
    pub(super) fn discard_card(&mut self, cx: &mut Context<'_>, seat: Seat, t: Token, purpose: Purpose) {
        self.tokens.put(t, discard(seat));
        cx.emit(move || Fact::Discarded(seat, t, purpose));
    }

    /// Moves up to `wanted` cards from the top of a seat's draw pile to its hand, emits `Drew` with the number
    /// drawn at once, and pops the task. If the pile runs out, puts the discards into it and pushes its shuffle
    /// and a draw of the rest; without discards the rest is lost. If any card was drawn, pushes `Learn` last,
    /// so that the seat sees its new cards first.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
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

    /// Pops the task and pushes the draw of one card for the seat with more active tokens in city-states
    /// where the enemy has no token. Nothing if both have as many.
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

    /// Returns the topmost block of this kind in the pool, whose blocks are public; `None` if there is none.
    pub(crate) fn in_pool(&self, unit: Unit) -> Option<Token> {
        let is = |t: &Token| self.block(*t).is_ok_and(|(u, _)| u == unit);
        self.tokens.iter(POOL).find(is)
    }

    /// Moves a block of this kind from the pool to the land units or ships of `seat` at a place, marks it as
    /// moved this turn, and emits `Raised`. No effect if the pool has none, or for ships at a place that
    /// cannot hold ships. Whether the rally is legal is not checked.
    pub(crate) fn raise(&mut self, cx: &mut Context<'_>, unit: Unit, place: Place, seat: Seat) {
        let zone = if unit.is_naval() { ships(place, seat) } else { Some(land(place, seat)) };
        if let (Some(t), Some(zone)) = (self.in_pool(unit), zone) {
            self.tokens.put(t, zone);
            self.moved |= Self::bit(t);
            cx.emit(move || Fact::Raised(t, unit));
        }
    }
}
