//! A bot's mind: it follows the log with the eyes of its seat, and thinks when it is asked.
//!
//! It lives in the worker and is told only what that seat may know.

use crate::board::Board;
use crate::clock;
use pentarchy_bots::{Level, Ranked, Search, Settings, Spec, UnknownBot};
use pentarchy_engine::record::{Entry, Header, Kind, Record, Replay};
use pentarchy_engine::{Position, Seat};
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
    /// What it has thought out so far; of use at its next decision too.
    search: Option<Search<G>>,
}

/// The level that gives advice.
pub const HINT: &str = "hint";

impl<G: Board> Brain<G> {
    /// Somebody who is about to play at this seat.
    pub fn new(header: &Header, seat: u8) -> Result<Self, String> {
        let mut header = header.clone();
        (header.kind, header.seed) = (Kind::Seat(Seat(seat)), None);
        let record = Record { header, entries: Vec::new() };
        let replay = Replay::<G>::start(&record).map_err(|e| e.to_string())?;
        Ok(Brain { view: replay.into_position(), told: 0, search: None })
    }

    /// Looks ahead until the time is over; all actions, the best first.
    fn look_ahead(&mut self, task: &Task) -> Vec<Ranked> {
        let view = &self.view;
        let search = match self.search.as_mut() {
            Some(search) => {
                search.advance(view);
                search
            }
            None => self.search.insert(Search::new(view, Settings::of::<G>(), task.seed)),
        };
        let (began, mut slice) = (clock::now(), 1);
        loop {
            let before = clock::now();
            search.run(slice);
            let now = clock::now();
            if now - began >= task.millis {
                return search.ranked();
            }
            // Short enough to end in time, long enough not to ask the clock all the time.
            if now - before < 4.0 {
                slice *= 2;
            }
        }
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
        let (index, why) = match task.level.as_str() {
            "emperor" | HINT if list.len() > 1 => {
                let ranked = self.look_ahead(task);
                ranked.first().map_or((0, String::new()), |best| (best.index, why(best, self.view.seats())))
            }
            "emperor" | HINT => (0, "It is the only thing you can do.".to_string()),
            level => {
                let level: Level = level.parse().map_err(|e: UnknownBot| e.to_string())?;
                let index = Spec::new(level).player::<G>(task.seed).choose(&self.view, &list);
                (index, String::new())
            }
        };
        let action = list.get(index).or(list.first()).ok_or("there is nothing to do")?;
        Ok(Thought { action: action.to_string(), why })
    }
}

/// What speaks for an action.
fn why(best: &Ranked, seats: u8) -> String {
    let percent = (100.0 * best.value).round();
    match seats {
        1 | 2 => format!("It wins {percent} of 100 lines that were tried."),
        _ => format!("It beats {percent} of 100 opponents in the lines that were tried."),
    }
}
