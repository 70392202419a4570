//! The beginning: a first sector, five cards each, a starting seat.

use crate::cards::{CARDS, TILES, Thing};
use crate::facts::{Context, Fact};
use crate::map::Hex;
use crate::options::Options;
use crate::state::{Crisis, DECK, MAP, Ozymandias, Sector, TILE_STACK, Task, Window, hand};
use pentarchy_engine::{Face, RuleError, Seat, Stack, Tokens};

/// Creates the initial state: everything face up and unshuffled.
///
/// # Errors
///
/// Fails if there are more pieces than tokens.
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
    /// Turns up the top tile of the shuffled stack in the middle of the map. Its value feeds no market.
    pub(super) fn first_sector(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        if let Some(tile) = self.tokens.top(TILE_STACK) {
            self.tokens.put(tile, MAP);
            self.sectors.push(Sector { hex: Hex::default(), tile })?;
            self.push_task(Task::Show(tile))?;
        }
        Ok(())
    }

    /// Deals a hand to every seat from the shuffled deck, and pushes the tasks that show it to its owner.
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

    /// Begins the game with this seat, and pays the starting influence.
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
