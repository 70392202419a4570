//! A match with its game's types: the position, the log that led to it, and checkpoints for replays.

use crate::board::{Ask, Board, Chapter, EventReport, Key, Look, PointChange, SeenEvent};
use crate::gesture::{self, gestures};
use crate::guide::GuideCard;
use crate::pace::{AutoMove, auto_move};
use crate::table::{Auto, Cast, EndSummary, GameView, ListedAction, LogLine, PieceInfo, RaceSample, Scene};
use crate::ui::{Amount, Change, Ui};
use crate::words::capital;
use pentarchy_engine::any::{AnyPosition, LastEvent};
use pentarchy_engine::record::{Header, Record, RecordEntry, RecordKind};
use pentarchy_engine::{
    AppliedEvent, Chance, Event, GameInfo, LoggedEventOf, Node, Observer, Outcome, Position, Rng, Seat,
    SeatSet, options,
};
use serde_json::Value;
use std::cell::RefCell;

/// Number of events between two checkpoints. A replay starts from the checkpoint before the wanted event.
const STRIDE: usize = 24;

/// A match of game `G` as one observer sees it, with everything that the page derives from its log.
pub struct LocalMatch<G: Board> {
    header: Header,
    entries: Vec<RecordEntry>,
    lines: Vec<LoggedEventOf<G>>,
    actors: Vec<Option<Seat>>,
    /// For each event, whether its seat had a choice.
    deeds: Vec<Deed>,
    /// For each event, the information that it revealed.
    news: Vec<News>,
    /// For each event, whether the position after it is inside an episode.
    episodes: Vec<bool>,
    /// Changes of points, each with the number of events after it.
    ledger: Vec<(usize, Change)>,
    /// Chapters of the story, each with the number of events after it.
    chapters: Vec<(usize, Chapter)>,
    now: Position<G>,
    marks: Vec<Position<G>>,
    /// Cache: the past position that was used last, with its number of events.
    past: RefCell<Option<(usize, Position<G>)>>,
}

impl<G: Board> LocalMatch<G> {
    /// Creates a match. Chance is derived from the seed and the number of the event, so that a saved match
    /// continues as it would have without the pause.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid.
    pub fn new(seats: u8, given: &Value, seed: u64) -> Result<Self, String> {
        let options: G::Options = options::from_value(given).map_err(|e| e.to_string())?;
        let now = Position::<G>::new(seats, &options).map_err(|e| e.to_string())?;
        let record = Record::new::<G>(seats, &options, Some(seed)).map_err(|e| e.to_string())?;
        Ok(Self::begin(record.header, now))
    }

    /// Replays a record. The observer follows from the annexes of the record.
    ///
    /// # Errors
    ///
    /// Fails if the record is not one of this game, or the rules reject an event.
    pub fn load(record: &Record) -> Result<Self, String> {
        let mut replay = pentarchy_engine::record::Replay::<G>::start(record).map_err(|e| e.to_string())?;
        let mut session = Self::begin(record.header.clone(), replay.position().clone());
        while let Some((line, facts)) = replay.step().map_err(|e| e.to_string())? {
            let next = replay.position().clone();
            session.push(next, line, &facts);
        }
        Ok(session)
    }

    /// Creates a match at its first position, without events.
    fn begin(header: Header, now: Position<G>) -> Self {
        let (entries, lines, actors) = (Vec::new(), Vec::new(), Vec::new());
        let (deeds, news, ledger) = (Vec::new(), Vec::new(), Vec::new());
        let (marks, past) = (vec![now.clone()], RefCell::new(None));
        let (chapters, episodes) = (Vec::new(), Vec::new());
        LocalMatch {
            header,
            entries,
            lines,
            actors,
            deeds,
            news,
            episodes,
            ledger,
            chapters,
            now,
            marks,
            past,
        }
    }

    /// Appends an event that led to `next`, with the facts of the rules: updates record, log, ledger, chapters
    /// and checkpoints.
    fn push(&mut self, next: Position<G>, line: LoggedEventOf<G>, facts: &[G::Fact]) {
        let node = self.now.node();
        let n = self.entries.len() as u32 + 1;
        self.entries.push(RecordEntry::of::<G>(n, node, &line, next.digest()).cut(self.header.kind));
        self.actors.push(match node {
            Node::Decide(seat) | Node::Declare(seat) | Node::Rearrange { by: seat, .. } => Some(seat),
            _ => None,
        });
        self.deeds.push(match node {
            Node::Decide(seat) if self.has_choice(seat) => Deed::Chosen,
            Node::Decide(_) => Deed::Forced,
            _ => Deed::None,
        });
        self.news.push(News::of(&self.now, &line));
        let event = AppliedEvent { before: &self.now, line: &line, facts, after: &next };
        for PointChange { seat, by, why } in G::changes(&event) {
            let change = Change { seat, round: G::steps(&next).round, why, by };
            self.ledger.push((self.lines.len() + 1, change));
        }
        if let Some(chapter) = G::chapter(&event) {
            self.chapters.push((self.lines.len() + 1, chapter));
        }
        self.episodes.push(G::in_episode(&next));
        self.now = next;
        self.lines.push(line);
        if self.lines.len().is_multiple_of(STRIDE) {
            self.marks.push(self.now.clone());
        }
    }

    /// Returns the number of the first event of the gesture to which this event belongs.
    fn gesture_start(&self, event: usize) -> usize {
        let mut start = event;
        while start > 0 && self.actors[start - 1] == self.actors[event] {
            match self.lines[start - 1].event {
                Event::Act(action) if G::selects(&self.at(start - 1), action) => start -= 1,
                _ => break,
            }
        }
        start
    }

    /// Returns the position after a number of events. Replays from the nearest checkpoint or the cached position.
    fn at(&self, events: usize) -> Position<G> {
        if events >= self.lines.len() {
            return self.now.clone();
        }
        let mut past = self.past.borrow_mut();
        let mark = events / STRIDE;
        let (mut done, mut position) = match past.take() {
            Some((done, position)) if done <= events && done >= mark * STRIDE => (done, position),
            _ => (mark * STRIDE, self.marks[mark.min(self.marks.len() - 1)].clone()),
        };
        while done < events {
            // Cannot fail: these events were applied before.
            if position.apply(&self.lines[done]).is_err() {
                break;
            }
            done += 1;
        }
        *past = Some((done, position.clone()));
        position
    }

    /// Returns whether the last of `at` events belongs to an episode that has not ended.
    fn is_unfolding(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|i| self.episodes.get(i)).is_some_and(|&open| open)
    }

    /// Returns the report of the last of `at` events; of the whole episode if it ended one.
    fn told(&self, at: usize, eyes: Observer, ui: &Ui) -> Option<EventReport> {
        let at = at.min(self.lines.len());
        let last = at.checked_sub(1)?;
        if self.is_unfolding(at) {
            return None;
        }
        let first = (0..last).rev().take_while(|&i| self.episodes[i]).last().unwrap_or(last);
        let mut position = self.at(first);
        let mut events = Vec::with_capacity(at - first);
        for line in &self.lines[first..at] {
            let before = through(&position, eyes);
            let facts = position.apply_facts(line).ok()?;
            events.push(SeenEvent { before, line: line.clone(), facts });
        }
        G::retell(&events, &through(&position, eyes), ui)
    }

    /// Returns the die or coin that was cast by the last of `at` events; `None` if it cast none.
    fn toss(&self, at: usize, eyes: Observer) -> Option<Cast> {
        let at = at.min(self.lines.len());
        let line = self.lines.get(at.checked_sub(1)?)?;
        let Event::Rolled(number) = line.event else { return None };
        let before = self.at(at - 1);
        let (sides, shows) = match before.node() {
            Node::Chance(Chance::Roll { sides }) => (sides, number),
            Node::Chance(Chance::Pick { of: 2 }) => (2, number + 1),
            _ => return None,
        };
        let (facts, after) = (before.facts(line), through(&self.at(at), eyes));
        let event = AppliedEvent { before: &through(&before, eyes), line, facts: &facts, after: &after };
        let text = G::log(&event).map(|text| G::worded(&after, text));
        Some(Cast { at, sides, shows, text: text.unwrap_or_default() })
    }

    /// Returns the changes of a seat's points in this round and the last one, up to event `at`.
    fn changes(&self, at: usize, seat: Option<Seat>) -> Vec<Change> {
        let own = self.ledger.iter().filter(|(event, change)| *event <= at && Some(change.seat) == seat);
        let mut own: Vec<Change> = own.map(|(_, change)| change.clone()).collect();
        let (mut rounds, mut last) = (0, None);
        let from = own.iter().rposition(|change| {
            if last != Some(&change.round) {
                (rounds, last) = (rounds + 1, Some(&change.round));
            }
            rounds > 2
        });
        own.drain(..from.map_or(0, |i| i + 1));
        own
    }

    /// Returns the texts of the current chapter, in order: those since the last [`Chapter::Begins`] up to and
    /// including event `at`.
    fn story(&self, at: usize) -> Vec<String> {
        let told = self.chapters.iter().filter(|(event, _)| *event <= at).rev();
        let parts = told.map_while(|(_, chapter)| match chapter {
            Chapter::Begins => None,
            Chapter::GoesOn(text) => Some(text.clone()),
        });
        let mut parts: Vec<String> = parts.collect();
        parts.reverse();
        parts
    }

    /// Returns whether the awaited seat has a choice that the page leaves to a person. True if its legal actions
    /// are not known.
    fn has_choice(&self, seat: Seat) -> bool {
        let mut list = Vec::new();
        if self.now.legal(&mut list).is_err() {
            return true;
        }
        auto_move(&through(&self.now, Observer::Seat(seat)), &list).is_none()
    }

    /// Builds the entry of a gesture for the list of actions: texts, path, and whether it needs a confirmation.
    fn choice(gesture: gesture::Gesture<'_, G>) -> ListedAction {
        let text = gesture.text();
        let gesture::Gesture { first, at: view, action, path, .. } = gesture;
        let label = capital(&G::worded(view, G::label(view, action)));
        let mut row = G::row(view, action);
        row.label = row.label.as_deref().map(capital);
        let ask = G::ask(view, action);
        let asks = ask.is_some();
        let ask = ask.unwrap_or_else(|| Ask {
            question: format!("{label}?"),
            consequence: String::new(),
            verb: "Do it".to_string(),
        });
        let (quick, passes) = (G::quick(view, action), G::passes(view, action));
        let (kind, safer) = (G::kind(action), G::safer(view, action).map(|safe| safe.to_string()));
        let fails = G::fails(view, action);
        // On a wide screen longer gestures are selected on the board.
        let button = G::button(view, action).filter(|button| first.is_none() || button.narrow_only);
        ListedAction { action: text, label, kind, path, quick, asks, passes, fails, ask, safer, button, row }
    }
}

/// Whether the seat of an event had a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deed {
    /// A decision with a choice.
    Chosen,
    /// A decision with only one option.
    Forced,
    /// Not a decision: chance, a duty, a rearrangement.
    None,
}

/// The information that an event revealed.
#[derive(Clone, Copy, Default, Debug)]
struct News {
    /// For chance that decided something: why the event cannot be undone. Holds for all observers.
    chance: Option<&'static str>,
    /// The seats that learned a face or a back.
    learned: SeatSet,
}

impl News {
    /// Determines from an event and the position before it what prevents an undo: chance, and the seats that
    /// learned a face or a back.
    fn of<G: Board>(before: &Position<G>, line: &LoggedEventOf<G>) -> Self {
        let chance = match (line.event, before.node()) {
            (Event::Rolled(_), Node::Chance(Chance::Roll { .. })) => Some("Can't undo: a die was rolled."),
            (Event::Rolled(_), Node::Chance(Chance::Pick { of: 2 })) => {
                Some("Can't undo: a coin was flipped.")
            }
            (Event::Rolled(_), _) => Some("Can't undo: lots were drawn."),
            _ => None,
        };
        let tokens = before.state().tokens();
        let mut learned = SeatSet::NONE;
        for seat in (0..before.seats()).map(Seat) {
            let shown = line.shown.iter().map(|(token, _)| *token);
            let shown = shown.chain(line.backs.iter().map(|(token, _)| *token));
            let own = line.annexes.iter().filter(|annex| annex.to == Some(seat));
            let own = own.flat_map(|annex| annex.learned.iter().map(|(token, _)| *token));
            let learns = shown.chain(own).any(|token| !tokens.known(token).to(seat));
            // A declaration reveals faces that only its seat knew.
            let told = matches!(before.node(), Node::Declare(by) if by != seat);
            if learns || told {
                learned.insert(seat);
            }
        }
        News { chance, learned }
    }

    /// Returns why the event cannot be undone by a seat; `None` if it can.
    fn told(self, seat: Seat) -> Option<&'static str> {
        let cards = self.learned.has(seat).then_some("Can't undo: cards were revealed.");
        self.chance.or(cards)
    }
}

/// Returns the position as an observer sees it. An observer never sees more than the position's own.
fn through<G: Board>(position: &Position<G>, eyes: Observer) -> Position<G> {
    match (position.observer(), eyes) {
        (Observer::All, Observer::Seat(seat)) => position.view(seat),
        (Observer::All, Observer::Spectator) => position.spectator(),
        _ => position.clone(),
    }
}

impl<G: Board> GameView for LocalMatch<G> {
    fn info(&self) -> GameInfo {
        G::INFO
    }
    fn look(&self) -> &'static Look {
        &G::LOOK
    }
    fn header(&self) -> &Header {
        &self.header
    }
    fn entries(&self) -> &[RecordEntry] {
        &self.entries
    }
    fn actors(&self) -> &[Option<Seat>] {
        &self.actors
    }
    fn round(&self) -> String {
        G::steps(&self.now).round
    }
    fn node(&self) -> Node {
        self.now.node()
    }
    fn turn(&self) -> Option<Seat> {
        G::turn(&self.now)
    }
    fn digest(&self) -> String {
        self.now.digest().to_string()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.now.outcome()
    }

    fn play(&mut self, action: &str) -> Result<(), String> {
        let before = self.lines.len();
        for action in action.split(gesture::AND) {
            let mut next = self.now.clone();
            let played = action.parse::<G::Action>().map_err(|e| e.to_string());
            match played.and_then(|action| next.play_facts(action).map_err(|e| e.to_string())) {
                Ok((line, facts)) => self.push(next, line, &facts),
                Err(what) => {
                    // A gesture is atomic: undo the actions before the failed one.
                    self.take_back(self.lines.len() - before);
                    return Err(what);
                }
            }
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<bool, String> {
        let mut rng = Rng::stream(self.header.seed.unwrap_or_default(), self.lines.len() as u64);
        let mut next = self.now.clone();
        let Some((line, facts)) = next.advance_facts(&mut rng).map_err(|e| e.to_string())? else {
            return Ok(false);
        };
        self.push(next, line, &facts);
        Ok(true)
    }

    fn push_verified(&mut self, number: usize, position: &dyn AnyPosition) -> Result<(), String> {
        let next = position.typed().downcast_ref::<Position<G>>();
        let last = position.last_typed().and_then(|last| last.downcast_ref::<LastEvent<G>>());
        let (Some(next), Some(last)) = (next, last) else {
            return Err("an event of another game cannot be shown".to_string());
        };
        if number != self.lines.len() + 1 {
            return Err(format!("event {number} cannot follow event {}", self.lines.len()));
        }
        self.push(next.clone(), last.line.clone(), &last.facts);
        Ok(())
    }

    fn auto_move(&self) -> Option<Auto> {
        let Node::Decide(seat) = self.now.node() else { return None };
        let view = through(&self.now, Observer::Seat(seat));
        let mut list = Vec::new();
        view.legal(&mut list).ok()?;
        let own = |i: &usize| self.deeds[*i] == Deed::Chosen && self.actors[*i] == Some(seat);
        let last = (0..self.lines.len()).rev().find(own).map(|i| self.lines[i].event);
        let next = match last {
            Some(Event::Act(last)) => G::continues(&view, last).filter(|action| list.contains(action)),
            _ => None,
        };
        let auto = next.map(AutoMove::Routine).or_else(|| auto_move(&view, &list))?;
        let label = capital(&G::worded(&view, G::label(&view, auto.action())));
        let routine = matches!(auto, AutoMove::Routine(_));
        Some(Auto { action: auto.action().to_string(), label, routine })
    }

    fn is_final(&self, action: &str) -> bool {
        let Node::Decide(seat) = self.now.node() else { return false };
        let mut next = self.now.clone();
        // Play on a copy, including what follows without a decision.
        for action in action.split(gesture::AND) {
            let (before, Ok(action)) = (next.clone(), action.parse::<G::Action>()) else { return false };
            if G::reveals_later(&through(&before, Observer::Seat(seat)), action) {
                return true;
            }
            let Ok(line) = next.play_line(action) else { return false };
            if News::of(&before, &line).told(seat).is_some() {
                return true;
            }
        }
        for n in self.lines.len() as u64 + 1.. {
            let before = next.clone();
            let line = match next.node() {
                Node::Decide(_) | Node::Over => return false,
                Node::Declare(_) => {
                    let mut list = Vec::new();
                    next.legal(&mut list).and_then(|()| next.play_line(list[0]))
                }
                _ => next.resolve_line(&mut Rng::stream(self.header.seed.unwrap_or_default(), n)),
            };
            match line {
                Ok(line) if News::of(&before, &line).told(seat).is_some() => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        false
    }

    fn undoable(&self, seat: Seat, people: &[Seat]) -> Result<usize, &'static str> {
        let own = |i: &usize| self.deeds[*i] == Deed::Chosen && self.actors[*i] == Some(seat);
        let last = (0..self.lines.len()).rev().find(own).ok_or("Nothing to undo yet.")?;
        for i in (last..self.lines.len()).rev() {
            if let Some(why) = self.news[i].told(seat) {
                return Err(why);
            }
            let other = self.actors[i].is_some_and(|actor| actor != seat && people.contains(&actor));
            if other && self.deeds[i] != Deed::None {
                return Err("Can't undo: another player has moved.");
            }
        }
        Ok(self.lines.len() - self.gesture_start(last))
    }

    fn take_back(&mut self, events: usize) {
        let keep = self.lines.len().saturating_sub(events);
        let now = self.at(keep);
        self.now = now;
        self.lines.truncate(keep);
        self.entries.truncate(keep);
        self.actors.truncate(keep);
        self.deeds.truncate(keep);
        self.news.truncate(keep);
        self.episodes.truncate(keep);
        self.ledger.retain(|(at, _)| *at <= keep);
        self.chapters.retain(|(at, _)| *at <= keep);
        self.marks.truncate(keep / STRIDE + 1);
        *self.past.borrow_mut() = None;
    }

    fn scene(&self, at: usize, eyes: Observer, ui: &Ui) -> Scene {
        let view = through(&self.at(at), eyes);
        let ui = &Ui { ledger: self.changes(at, ui.seat), story: self.story(at), ..ui.clone() };
        let dialog = G::dialog(&view, ui);
        // A die that a report shows is not shown a second time.
        let cast = self.toss(at, eyes).filter(|_| dialog.is_none() && !self.is_unfolding(at));
        let cast = cast.filter(|_| self.told(at, eyes, ui).is_none());
        Scene {
            board: G::draw(&view, ui),
            hand: G::hand(&view, ui),
            seats: (0..view.seats()).map(|s| G::seat(&view, Seat(s))).collect(),
            steps: G::steps(&view),
            awaited: G::worded(&view, G::awaited(&view)),
            next: G::next(&view, &ui.chosen),
            actor: match view.node() {
                Node::Rearrange { by, .. } => Some(by),
                _ => view.actor(),
            },
            reacts: G::reacts(&view),
            turn: G::turn(&view),
            narrowed: G::narrowed(&view, ui),
            idle: G::idle(&view).map(|action| action.to_string()),
            rail: G::rail(&view, ui),
            cast,
            dialog,
        }
    }

    fn weight(&self, ui: &Ui) -> i32 {
        let eyes = ui.seat.map_or(Observer::Spectator, Observer::Seat);
        let at = self.lines.len();
        match self.toss(at, eyes) {
            _ if self.is_unfolding(at) => 0,
            Some(_) if self.told(at, eyes, ui).is_none() => 2,
            _ => 1,
        }
    }

    fn report(&self, at: usize, eyes: Observer, ui: &Ui) -> Option<EventReport> {
        self.told(at, eyes, ui)
    }

    fn choices(&self, at: usize, eyes: Observer) -> Vec<ListedAction> {
        let position = self.at(at);
        let Node::Decide(seat) = position.node() else { return Vec::new() };
        let view = match eyes {
            Observer::Seat(own) if own != seat => return Vec::new(),
            Observer::Spectator => through(&position, eyes),
            _ => through(&position, Observer::Seat(seat)),
        };
        let mut list = Vec::new();
        gestures(&view, |gesture| list.push(Self::choice(gesture)));
        list
    }

    fn merit(&self, action: &str) -> Option<String> {
        let view = through(&self.now, Observer::Seat(self.now.actor()?));
        let mut found = None;
        gestures(&view, |gesture| {
            if found.is_none() && gesture.text() == action {
                found = G::merit(gesture.at, gesture.action).map(|said| G::worded(gesture.at, said));
            }
        });
        found
    }

    fn usual_amount(&self) -> (usize, Amount) {
        (G::steps(&self.now).at, G::usual_amount(&self.now))
    }

    fn preselect(&self, last: Option<&str>) -> Option<Key> {
        G::preselect(&self.now, last)
    }

    fn store(&self) -> Option<Key> {
        G::store(&self.now)
    }

    fn about(&self, at: usize, eyes: Observer, key: &str) -> PieceInfo {
        let view = through(&self.at(at), eyes);
        PieceInfo { note: G::explain(&view, key), why_not: G::why_not(&view, key) }
    }

    fn guide(&self, from: usize, seat: Seat) -> Option<GuideCard> {
        G::GUIDE.card(&through(&self.now, Observer::Seat(seat)), seat, from)
    }

    fn log(&self, from: usize, eyes: Observer) -> Vec<LogLine> {
        let mut out = Vec::new();
        let mut before = self.at(from);
        for (i, line) in self.lines.iter().enumerate().skip(from) {
            let mut after = before.clone();
            let Ok(facts) = after.apply_facts(line) else { break };
            let told = match eyes {
                Observer::All => line.clone(),
                Observer::Seat(seat) => line.for_seat(Some(seat)),
                Observer::Spectator => line.for_seat(None),
            };
            let seen = through(&after, eyes);
            let known = through(&before, eyes);
            let event = AppliedEvent { before: &known, line: &told, facts: &facts, after: &seen };
            let text = G::log(&event).map(|text| G::worded(&seen, text));
            if let Some(text) = text {
                out.push(LogLine { at: i + 1, actor: self.actors[i], text });
            }
            before = after;
        }
        out
    }

    fn history(&self) -> Vec<RaceSample> {
        let mut out: Vec<RaceSample> = Vec::new();
        let mut position = self.at(0);
        for at in 0..=self.lines.len() {
            if at > 0 && position.apply(&self.lines[at - 1]).is_err() {
                break;
            }
            let deciding = matches!(position.node(), Node::Decide(_) | Node::Over);
            if at > 0 && at < self.lines.len() && !deciding {
                continue;
            }
            let seats = (0..position.seats()).map(Seat);
            let moment = RaceSample {
                at,
                round: G::steps(&position).round,
                scores: seats.clone().map(|s| G::score(&position, s)).collect(),
                chances: seats.map(|s| position.state().evaluate(&position.own(s), s)).collect(),
            };
            if out.last().is_none_or(|last| last.scores != moment.scores || last.chances != moment.chances) {
                out.push(moment);
            }
        }
        out
    }

    fn verdict(&self) -> EndSummary {
        let parts = (0..self.now.seats()).map(|s| G::parts(&self.now, Seat(s))).collect();
        EndSummary { why: G::verdict(&self.now), parts }
    }

    fn record(&self, kind: RecordKind) -> Result<String, String> {
        let record = Record { header: self.header.clone(), entries: self.entries.clone() };
        Ok(record.cut(kind).map_err(|e| e.to_string())?.text())
    }

    fn speed(&self, millis: f64) -> f64 {
        let start = self.marks[0].clone();
        if start.observer() != Observer::All {
            return 0.0;
        }
        let (mut games, mut list, began) = (0u64, Vec::new(), crate::clock::now());
        while crate::clock::now() - began < millis {
            for _ in 0..8 {
                let mut rng = Rng::stream(1, games);
                let _ = start.clone().playout(&mut rng, &mut list);
                games += 1;
            }
        }
        games as f64 * 1000.0 / (crate::clock::now() - began)
    }
}

/// Returns whether a node needs no time on the screen: shuffles and rearrangements.
pub fn is_silent(node: Node) -> bool {
    matches!(node, Node::Chance(Chance::Shuffle { .. }) | Node::Rearrange { .. })
}
