//! A bot's mind: it follows the log with the eyes of its seat, and thinks when it is asked.
//!
//! It lives in the worker and is told only what that seat may know.

use crate::board::Board;
use pentarchy_engine::record::{Entry, Header, Kind, Record, Replay};
use pentarchy_engine::{Position, Rng, Seat};
use serde::{Deserialize, Serialize};

/// A bot's mind without the types of its game.
pub trait Mind {
    /// How many events it has been told.
    fn told(&self) -> usize;
    /// Tells it the next event.
    fn follow(&mut self, entry: &Entry) -> Result<(), String>;
    /// What it would do now, as canonical text.
    fn think(&mut self, task: &Task) -> Result<Thought, String>;
}

/// How a bot is to think.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The level, by its name.
    pub level: String,
    /// The seed of what it does at random.
    pub seed: u64,
    /// How long it may think, in milliseconds.
    pub millis: f64,
}

/// What a bot thought.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thought {
    /// The canonical text of the action.
    pub action: String,
    /// Why, for a person.
    pub why: String,
}

/// A bot's mind.
pub struct Brain<G: Board> {
    view: Position<G>,
    told: usize,
}

impl<G: Board> Brain<G> {
    /// Somebody who is about to play at this seat.
    pub fn new(header: &Header, seat: u8) -> Result<Self, String> {
        let mut header = header.clone();
        (header.kind, header.seed) = (Kind::Seat(Seat(seat)), None);
        let record = Record { header, entries: Vec::new() };
        let replay = Replay::<G>::start(&record).map_err(|e| e.to_string())?;
        Ok(Brain { view: replay.into_position(), told: 0 })
    }
}

impl<G: Board> Mind for Brain<G> {
    fn told(&self) -> usize {
        self.told
    }

    fn follow(&mut self, entry: &Entry) -> Result<(), String> {
        let line = entry.line::<G>().map_err(|e| e.to_string())?;
        self.view.apply(&line).map_err(|e| e.to_string())?;
        self.told += 1;
        Ok(())
    }

    fn think(&mut self, task: &Task) -> Result<Thought, String> {
        let mut list = Vec::new();
        self.view.legal(&mut list).map_err(|e| e.to_string())?;
        let seat = self.view.actor().ok_or("nobody is asked now")?;
        let mut rates = Vec::new();
        self.view.state().rate(&self.view.own(seat), &list, &mut rates);
        let best = rates.iter().max().copied().unwrap_or(0);
        let good: Vec<_> = list.iter().zip(&rates).filter(|(_, rate)| **rate == best).collect();
        let chosen = Rng::new(task.seed).choose(&good).map(|(action, _)| **action);
        let action = chosen.or(list.first().copied()).ok_or("there is nothing to do")?;
        Ok(Thought { action: action.to_string(), why: String::new() })
    }
}
