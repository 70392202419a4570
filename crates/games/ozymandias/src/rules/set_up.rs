//! The beginning: a first sector, five cards each, a starting seat.

use crate::cards::{CARDS, TILES, Thing};
use crate::facts::{Context, Fact};
use crate::map::Hex;
use crate::options::Options;
use crate::state::{Crisis, DECK, MAP, Ozymandias, Sector, TILE_STACK, Task, Window, hand};
use pentarchy_engine::{Face, RuleError, Seat, Stack, Tokens};

/// Creates the initial state: all cards in the deck and all tiles in their stack, face up and unshuffled, no
/// sector and no city on the map, all values at the start of the track, no influence; both shuffles and the
/// choice of the first seat are on the agenda.
///
/// # Errors
///
/// Fails if there are more pieces than tokens, or the agenda is full.
pub(crate) fn set_up(seats: u8, settings: &Options) -> Result<Ozymandias, RuleError> {
    let mut tokens = Tokens::new();
    for i in 0..CARDS.len() as u8 {
        tokens.add(Thing::nth(i), DECK)?;
    }
    for i in 0..TILES.len() as u8 {
        tokens.add(Thing::Tile(i), TILE_STACK)?;
    }
    let mut game = Ozymandias {
        seats,
        settings: *settings,
        turn: 0,
        active: Seat(0),
        markers: [0; 4],
        supply: [settings.cities; 4],
        influence: [0; 5],
        ending: false,
        bankrupt: None,
        capped: false,
        sectors: Stack::new(),
        cities: Stack::new(),
        window: Window::default(),
        crisis: Crisis::default(),
        agenda: Stack::new(),
        tokens,
    };
    game.push_tasks(&[Task::ShuffleTiles, Task::ShuffleDeck, Task::Start])?;
    Ok(game)
}

impl Ozymandias {
    /// Pops the task, moves the top tile of the shuffled stack to the middle of the map and pushes its reveal.
    /// Its value brings no cards to the market. Without a tile only pops the task.
    ///
    /// # Errors
    ///
    /// Fails if there is no room for a sector, or the agenda is full.
    pub(super) fn first_sector(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        if let Some(tile) = self.tokens.top(TILE_STACK) {
            self.tokens.put(tile, MAP);
            self.sectors.push(Sector { hex: Hex::default(), tile })?;
            self.push_task(Task::Show(tile))?;
        }
        Ok(())
    }

    /// Pops the task, deals `hand_size` cards of the shuffled deck to every seat, and pushes the looks at
    /// them, seat 0 first. A deck that runs out deals fewer.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn deal(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        for seat in (0..self.seats).rev().map(Seat) {
            self.push_task(Task::Deal(seat))?;
        }
        for seat in (0..self.seats).map(Seat) {
            for _ in 0..self.settings.hand_size {
                if let Some(card) = self.tokens.top(DECK) {
                    self.tokens.put(card, hand(seat));
                }
            }
        }
        Ok(())
    }

    /// Begins the game with seat number `seat`: pops the task, sets `active` and emits `Started`. Pays each
    /// seat `start_influence`, and `seat_purse` for each seat before it in turn order, with `Influence` for
    /// each amount that is not 0. Then pushes the first action. A number beyond the seats wraps around.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn start(&mut self, cx: &mut Context<'_>, seat: u32) -> Result<(), RuleError> {
        self.agenda.pop();
        let first = Seat(seat as u8 % self.seats);
        self.active = first;
        cx.emit(move || Fact::Started(first));
        for place in 0..self.seats {
            if let Some(seat) = self.in_turn(place) {
                let purse = u16::from(self.settings.start_influence)
                    + u16::from(place) * u16::from(self.settings.seat_purse);
                self.gain(cx, seat, i32::from(purse));
            }
        }
        self.push_task(Task::Action)
    }
}
