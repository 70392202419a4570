//! A bot's mind: it follows the log with the eyes of its seat, and thinks when it is asked.
//!
//! It lives in the worker and is told only what that seat may know.

use crate::board::Board;
use crate::clock;
use pentarchy_bots::{Hint, Level, Search, SearchSettings, Spec, UnknownBotError};
use pentarchy_engine::record::{Header, Record, RecordEntry, RecordKind, Replay};
use pentarchy_engine::{Position, Seat};
use serde::{Deserialize, Serialize};

/// A bot's mind without the types of its game.
pub trait Mind {
    /// How many events it has been told.
    fn told(&self) -> usize;
    /// Tells it the next event.
    fn follow(&mut self, entry: &RecordEntry) -> Result<(), String>;
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
    /// For a person who asked for advice: the best actions and why, the best first.
    pub advice: Vec<Advice>,
}

/// An action that is recommended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Advice {
    /// Its canonical text.
    pub action: String,
    /// Its chance of winning, as a sentence.
    pub chance: String,
    /// Why, in a sentence.
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
        (header.kind, header.seed) = (RecordKind::Seat(Seat(seat)), None);
        let record = Record { header, entries: Vec::new() };
        let replay = Replay::<G>::start(&record).map_err(|e| e.to_string())?;
        Ok(Brain { view: replay.into_position(), told: 0, search: None })
    }

    /// Looks ahead until the time is over.
    fn look_ahead(&mut self, seed: u64, millis: f64) -> &Search<G> {
        if let Some(search) = &mut self.search {
            search.advance(&self.view);
        }
        let search =
            self.search.get_or_insert_with(|| Search::new(&self.view, SearchSettings::of::<G>(), seed));
        let (began, mut slice) = (clock::now(), 1);
        loop {
            let before = clock::now();
            search.run(slice);
            let now = clock::now();
            if now - began >= millis {
                return search;
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

    fn follow(&mut self, entry: &RecordEntry) -> Result<(), String> {
        let line = entry.line::<G>().map_err(|e| e.to_string())?;
        self.view.apply(&line).map_err(|e| e.to_string())?;
        self.told += 1;
        Ok(())
    }

    fn think(&mut self, task: &Task) -> Result<Thought, String> {
        let mut list = Vec::new();
        self.view.legal(&mut list).map_err(|e| e.to_string())?;
        // Where there is no choice there is nothing to think about.
        let millis = if list.len() > 1 { task.millis } else { 0.0 };
        let mut advice = Vec::new();
        let index = match task.level.as_str() {
            "emperor" => self.look_ahead(task.seed, millis).ranked().first().map_or(0, |best| best.index),
            HINT => {
                advice = self.look_ahead(task.seed, millis).hints();
                advice.first().map_or(0, |best| best.index)
            }
            level => {
                let level: Level = level.parse().map_err(|e: UnknownBotError| e.to_string())?;
                Spec::new(level).player::<G>(task.seed).choose(&self.view, &list)
            }
        };
        let action = list.get(index).or(list.first()).ok_or("there is nothing to do")?.to_string();
        let named = |hint: Hint| {
            let action = list.get(hint.index)?.to_string();
            Some(Advice { action, chance: hint.chance, why: hint.why })
        };
        Ok(Thought { action, advice: advice.into_iter().filter_map(named).collect() })
    }
}
