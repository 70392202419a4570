//! The end of a year and of the game.

use crate::facts::{Context, Fact};
use crate::map::Place;
use crate::state::{H, Hestia, L, Task, land, ships};
use pentarchy_engine::{Outcome, RuleError, Seat};
use std::cmp::Ordering;

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner; `None` after a draw.
    pub winner: Option<Seat>,
    /// What decided the game: all before it is equal.
    pub by: DecidedBy,
    /// The city-states that each seat has won.
    pub cities: [u8; 2],
    /// The blocks of each seat on the map.
    pub blocks: [usize; 2],
    /// The strength of each seat on the map; 0 unless cities and blocks are equal.
    pub strength: [u32; 2],
}

/// The numbers that decide the game, in the order in which they are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecidedBy {
    /// City-states.
    Cities,
    /// Blocks on the map.
    Blocks,
    /// Strength on the map. If it is equal, too, the game is a draw.
    Strength,
}

impl Hestia {
    /// Makes next year the last one and emits `LastYearFixed`. No effect if the last year is fixed already.
    pub(super) fn trigger_end(&mut self, cx: &mut Context<'_>) {
        if self.last_year.is_none() {
            let last = self.year + 1;
            self.last_year = Some(last);
            cx.emit(move || Fact::LastYearFixed(last));
        }
    }

    /// Ends the year and pops the task: after the last year scores the game, else begins the next one. From
    /// the year `trigger_year` on, the next year becomes the last.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn end_year(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.agenda.pop();
        if self.last_year.is_some_and(|last| self.year >= last) {
            return self.score_game();
        }
        if self.year >= self.settings.trigger_year {
            self.trigger_end(cx);
        }
        self.new_year(cx)
    }

    /// Returns how many blocks of a seat (land units and ships) are on the map, boxes excluded.
    pub fn blocks_on_map(&self, seat: Seat) -> usize {
        let places = Place::all().filter(|p| !p.is_box());
        places.map(|p| self.land_units(p, seat) + self.ship_count(p, seat)).sum()
    }

    /// Ends the game by pushing `Over` if active tokens or blocks on the map differ. If both are equal,
    /// pushes a comparison of strength, and above it the reveal of all hidden blocks, which it marks.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    fn score_game(&mut self) -> Result<(), RuleError> {
        let level =
            self.active_count(L) == self.active_count(H) && self.blocks_on_map(L) == self.blocks_on_map(H);
        if !level {
            return self.push_task(Task::Over);
        }
        self.tokens.unmark_all();
        let mut hidden = false;
        for place in Place::all().filter(|p| !p.is_box()) {
            for zone in [L, H].into_iter().flat_map(|s| [Some(land(place, s)), ships(place, s)]).flatten() {
                let mut at = self.tokens.top(zone);
                while let Some(t) = at {
                    at = self.tokens.below(t);
                    if !self.tokens.is_public(t) {
                        self.tokens.mark(t);
                        hidden = true;
                    }
                }
            }
        }
        self.push_task(Task::Judge)?;
        if hidden { self.push_task(Task::Count) } else { Ok(()) }
    }

    /// Returns the total strength of a seat's land units on the map, boxes excluded. Hidden blocks count 0.
    fn strength_on_map(&self, seat: Seat) -> u32 {
        let lands = Place::all().filter(|p| !p.is_box());
        let blocks = lands.flat_map(|p| self.blocks(p, seat, false));
        blocks.filter_map(|t| self.block(t).ok()).map(|(_, strength)| u32::from(strength)).sum()
    }

    /// Compares the strength on the map of both sides and pops the task. Pushes `Over` if they differ or
    /// `extra_years` is used up; otherwise begins an extra year, which is then the last. All blocks must be
    /// public.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn judge(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.agenda.pop();
        if self.strength_on_map(L) != self.strength_on_map(H) || self.extra >= self.settings.extra_years {
            return self.push_task(Task::Over);
        }
        self.extra += 1;
        self.last_year = Some(self.year + 1);
        self.new_year(cx)
    }

    /// Returns how the game ended: by active tokens, then blocks on the map, then strength; `None` before the
    /// end.
    pub fn ending(&self) -> Option<Ending> {
        if self.step() != Task::Over {
            return None;
        }
        let cities = [L, H].map(|seat| self.active_count(seat));
        let blocks = [L, H].map(|seat| self.blocks_on_map(seat));
        let level = cities[0] == cities[1] && blocks[0] == blocks[1];
        let strength = [L, H].map(|seat| if level { self.strength_on_map(seat) } else { 0 });
        let by = match () {
            () if cities[0] != cities[1] => DecidedBy::Cities,
            () if blocks[0] != blocks[1] => DecidedBy::Blocks,
            () => DecidedBy::Strength,
        };
        let key = |seat: Seat| (cities[seat.index()], blocks[seat.index()], strength[seat.index()]);
        let winner = match key(L).cmp(&key(H)) {
            Ordering::Greater => Some(L),
            Ordering::Less => Some(H),
            Ordering::Equal => None,
        };
        Some(Ending { winner, by, cities, blocks, strength })
    }

    /// Returns the final ranking; `None` before the end. The scores are the active tokens. Without a winner
    /// the game is a draw.
    pub(crate) fn ranking(&self) -> Option<Outcome> {
        let ending = self.ending()?;
        Some(Outcome::by_key(&ending.cities.map(i32::from), |seat| ending.winner == Some(seat)))
    }
}
