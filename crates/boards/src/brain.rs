//! A bot's mind: it follows the log from the view of its seat, and chooses an action on request.
//!
//! It runs in the worker, which receives only what that seat may know.

use crate::Clock;
use crate::board::Board;
use crate::gesture::AND;
use pentarchy_bots::{BotPlayer, Captain, Level, Random, Recruit, Search, SearchSettings, UnknownBotError};
use pentarchy_engine::record::{Header, Record, RecordEntry, RecordKind, Replay};
use pentarchy_engine::{Position, Seat};
use serde::{Deserialize, Serialize};

/// A bot's mind, without the types of its game.
pub trait Mind {
    /// Returns the number of events that it has applied; the next event to pass to [`follow`](Mind::follow) is the
    /// one after them.
    fn event_count(&self) -> usize;
    /// Applies the next event of the log. The caller must pass the events in order and without gaps; neither
    /// the number nor the digest of the entry is checked.
    ///
    /// # Errors
    ///
    /// Fails if the event cannot be parsed, lacks a face or an annex that the seat is entitled to, or the
    /// rules reject it; nothing has changed then.
    fn follow(&mut self, entry: &RecordEntry) -> Result<(), String>;
    /// Chooses an action of its seat for the current decision, without playing it. The level [`HINT`] and the
    /// level `emperor` search for at most `task.millis`, measured with `clock`; a single legal action gets no
    /// time. Both keep the search tree for the next decision. [`HINT`] returns a whole gesture with advice,
    /// the other levels (`random`, `recruit`, `captain`, `emperor`) one action without.
    ///
    /// # Errors
    ///
    /// Fails if the seat has no decision or the level is unknown; for [`HINT`] also if another seat decides
    /// before a gesture is complete.
    fn think(&mut self, task: &Task, clock: Clock) -> Result<Thought, String>;
}

/// The parameters of a bot's decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Name of the level, or [`HINT`].
    pub level: String,
    /// Seed of its random choices.
    pub seed: u64,
    /// Maximum thinking time, in milliseconds.
    pub millis: f64,
}

/// The result of a bot's decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thought {
    /// The canonical text of the action; in advice, of the whole gesture.
    pub action: String,
    /// For a person who asked for advice: why.
    pub advice: Option<Advice>,
}

/// Why an action is recommended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Advice {
    /// Its chance of winning, as a sentence.
    pub chance: String,
    /// The reason, as a sentence.
    pub why: String,
}

/// A bot's mind for one seat.
pub struct Brain<G: Board> {
    /// The position after the events so far, as its seat knows it.
    view: Position<G>,
    /// Number of events that it has applied.
    told: usize,
    /// The search tree, reused at the next decision.
    search: Option<Search<G>>,
}

/// The level that gives advice to a person.
pub const HINT: &str = "hint";

impl<G: Board> Brain<G> {
    /// Creates the mind of a seat at the start of a match, before all events. `header` may be that of any
    /// observer; its seed is dropped, so the mind cannot know chance.
    ///
    /// # Errors
    ///
    /// Fails if the header is of another game or of rules that are not supported any more, its options or
    /// its number of seats are invalid, or the match has no such seat.
    pub fn new(header: &Header, seat: u8) -> Result<Self, String> {
        let mut header = header.clone();
        (header.kind, header.seed) = (RecordKind::Seat(Seat(seat)), None);
        let record = Record { header, entries: Vec::new() };
        let replay = Replay::<G>::start(&record).map_err(|e| e.to_string())?;
        Ok(Brain { view: replay.into_position(), told: 0, search: None })
    }

    /// Runs the search of the current view for `millis` milliseconds (at least one iteration) and returns it.
    /// The search is stored for the next call. If there is a stored one, it goes on from it: it keeps the
    /// subtree of this decision if this is the seat's next decision after the stored one and its node has at
    /// least 32 visits, else it begins again; a mixed strategy is always kept. Without a stored one it begins
    /// with `seed`, which is ignored otherwise.
    fn look_ahead(&mut self, seed: u64, millis: f64, clock: Clock) -> &Search<G> {
        if let Some(search) = &mut self.search {
            search.advance(&self.view);
        }
        let search =
            self.search.get_or_insert_with(|| Search::new(&self.view, SearchSettings::of::<G>(), seed));
        run_for(search, millis, clock);
        search
    }

    /// Searches for the best gesture of the seat and returns it with the advice of its last action that had an
    /// alternative. After the best action, searches the next decision on a copy, while that action only selects
    /// something or a longer route ([`Board::routes`]) continues it. Returns the longest complete gesture found. A
    /// search that others may follow gets half of the time left, otherwise all of it; a decision without an
    /// alternative gets none. `list` must be the legal actions of the view. Keeps the tree of the first search.
    ///
    /// Several sequences may lead to one place, of which the page offers one: actions that end like a route of equal
    /// length are replaced by that route.
    ///
    /// # Errors
    ///
    /// Fails if there is no legal action, an action of the gesture cannot be played, or another seat decides before a
    /// gesture is complete.
    fn advise(&mut self, list: &[G::Action], task: &Task, clock: Clock) -> Result<Thought, String> {
        const NONE: &str = "there is nothing to do";
        let routes = G::routes(&self.view);
        let (mut view, mut list, mut left) = (self.view.clone(), list.to_vec(), task.millis);
        let (mut played, mut advice) = (Vec::new(), None);
        let mut best = Err(NONE.to_string());
        loop {
            let selects = list.iter().any(|&action| G::selects(&view, action));
            let goes_on = |so_far: &Vec<G::Action>| {
                let mut longer = routes.iter().filter(|route| route.len() > so_far.len());
                let ends = routes.contains(so_far);
                longer.any(|route| ends || route.starts_with(so_far))
            };
            // Where there is no choice there is nothing to search.
            let millis = match list.len() {
                ..=1 => 0.0,
                _ if selects || goes_on(&played) => left / 2.0,
                _ => left,
            };
            left -= millis;
            let hints = if played.is_empty() {
                self.look_ahead(task.seed, millis, clock).hints()
            } else {
                let mut search = Search::new(&view, SearchSettings::of::<G>(), task.seed);
                run_for(&mut search, millis, clock);
                search.hints()
            };
            let hint = hints.into_iter().next().ok_or(NONE)?;
            let action = *list.get(hint.index).ok_or(NONE)?;
            let selecting = G::selects(&view, action);
            played.push(action);
            let alike =
                routes.iter().find(|route| route.len() == played.len() && route.last() == Some(&action));
            if let Some(route) = alike.filter(|_| !goes_on(&played)) {
                played.clone_from(route);
                view = self.view.clone();
                route[..route.len() - 1].iter().try_for_each(|&a| view.play(a)).map_err(|e| e.to_string())?;
            }
            // An action without an alternative keeps the advice of the action before it.
            if list.len() > 1 || advice.is_none() {
                advice = Some(Advice { chance: hint.chance, why: hint.why });
            }
            let follows_selection = played.len() == 2 && G::selects(&self.view, played[0]);
            let complete = (played.len() == 1 && !selecting) || follows_selection || routes.contains(&played);
            if complete {
                let texts: Vec<String> = played.iter().map(ToString::to_string).collect();
                best = Ok(Thought { action: texts.join(AND), advice: advice.clone() });
            }
            if !selecting && !goes_on(&played) {
                return best;
            }
            view.play(action).map_err(|e| e.to_string())?;
            if view.actor() != self.view.actor() {
                return best;
            }
            view.legal(&mut list).map_err(|e| e.to_string())?;
        }
    }
}

/// Runs a search for `millis` milliseconds by `clock`, at least one iteration. May overrun by one slice, a few
/// milliseconds, between two readings of the clock. A negative number counts as 0.
fn run_for<G: Board>(search: &mut Search<G>, millis: f64, clock: Clock) {
    let (began, mut slice) = (clock(), 1);
    loop {
        let before = clock();
        search.run(slice);
        let now = clock();
        if now - began >= millis {
            return;
        }
        // Double the slice until it takes a few milliseconds: then reading the clock costs little.
        if now - before < 4.0 {
            slice *= 2;
        }
    }
}

impl<G: Board> Mind for Brain<G> {
    /// Returns how many calls of `follow` succeeded.
    fn event_count(&self) -> usize {
        self.told
    }

    /// Parses an entry of the record and applies its event. Counts it only if both succeed.
    ///
    /// # Errors
    ///
    /// Fails if the entry cannot be parsed, lacks a face or an annex that the seat is entitled to, or the
    /// rules reject it; nothing has changed then.
    fn follow(&mut self, entry: &RecordEntry) -> Result<(), String> {
        let line = entry.line::<G>().map_err(|e| e.to_string())?;
        self.view.apply(&line).map_err(|e| e.to_string())?;
        self.told += 1;
        Ok(())
    }

    /// Chooses by the level of the task: [`HINT`] by `advise`, `emperor` by a search, other levels by the
    /// bots of `pentarchy_bots`.
    ///
    /// # Errors
    ///
    /// Fails if the seat has no decision or the level is unknown; for [`HINT`] also if another seat decides
    /// before a gesture is complete.
    fn think(&mut self, task: &Task, clock: Clock) -> Result<Thought, String> {
        let mut list = Vec::new();
        self.view.legal(&mut list).map_err(|e| e.to_string())?;
        if task.level == HINT {
            return self.advise(&list, task, clock);
        }
        // A single legal action needs no search.
        let millis = if list.len() > 1 { task.millis } else { 0.0 };
        let level: Level = task.level.parse().map_err(|e: UnknownBotError| e.to_string())?;
        let index = match level {
            Level::Random => Random::new(task.seed).choose(&self.view, &list),
            Level::Recruit => Recruit::new(task.seed).choose(&self.view, &list),
            Level::Captain => Captain::new(task.seed).choose(&self.view, &list),
            Level::Emperor => {
                self.look_ahead(task.seed, millis, clock).ranked().first().map_or(0, |best| best.index)
            }
        };
        let action = list.get(index).or(list.first()).ok_or("there is nothing to do")?.to_string();
        Ok(Thought { action, advice: None })
    }
}
