//! A match with its game's types: the position, the log that led to it, and checkpoints for replays.

mod chronicle;
mod undo;

use self::undo::{Decision, Revealed};
use crate::Clock;
use crate::board::{Ask, Board, Chapter, EventReport, Key, Look, PointChange};
use crate::gesture::{self, gestures};
use crate::guide::GuideCard;
use crate::markup::{El, MarkupNode, div};
use crate::pace::{AutoMove, auto_move};
use crate::table::{Auto, EndSummary, GameView, ListedAction, LogLine, PieceInfo, RaceSample, Scene};
use crate::ui::{Amount, Change, Ui};
use crate::words::capital;
use pentarchy_engine::any::{AnyPosition, LastEvent};
use pentarchy_engine::record::{Header, Record, RecordEntry, RecordKind};
use pentarchy_engine::{
    AppliedEvent, Chance, Event, GameInfo, LoggedEventOf, Node, Observer, Outcome, Position, Rng, Seat,
    Token, options,
};
use serde_json::Value;
use std::cell::RefCell;

/// Number of events between two checkpoints. A replay starts from the checkpoint before the wanted event.
const STRIDE: usize = 24;

/// A match of game `G` as one observer sees it, with everything that the page derives from its log.
pub struct LocalMatch<G: Board> {
    /// The header of the record: game, options, seats, seed and kind.
    header: Header,
    /// The record of each event, cut to the kind of the header.
    entries: Vec<RecordEntry>,
    /// Each event, as the match's own observer knows it.
    lines: Vec<LoggedEventOf<G>>,
    /// For each event, the seat that decided, declared or rearranged; `None` for all others.
    actors: Vec<Option<Seat>>,
    /// For each event, whether its seat had a choice.
    decisions: Vec<Decision>,
    /// For each event, the information that it revealed.
    revealed: Vec<Revealed>,
    /// For each event, whether the position after it is inside an episode.
    episodes: Vec<bool>,
    /// The private dice of each cast, with the number of events after it.
    casts: Vec<(usize, PrivateCast)>,
    /// Changes of points, each with the number of events after it.
    ledger: Vec<(usize, Change)>,
    /// Chapters of the story, each with the number of events after it.
    chapters: Vec<(usize, Chapter)>,
    /// The current position, as the match's own observer knows it.
    now: Position<G>,
    /// Checkpoints: the positions after 0, [`STRIDE`], 2 × [`STRIDE`], … events.
    marks: Vec<Position<G>>,
    /// Cache: the past position that was used last, with its number of events.
    past: RefCell<Option<(usize, Position<G>)>>,
}

impl<G: Board> LocalMatch<G> {
    /// Creates a match without events, whose observer knows everything. Options missing in `given` have their
    /// defaults. Chance is derived from the seed and the number of the event, so that a saved match continues as it
    /// would have without the pause.
    ///
    /// # Errors
    ///
    /// Fails if the options or the number of seats are invalid.
    pub fn new(seats: u8, given: &Value, seed: u64) -> Result<Self, String> {
        let options: G::Options = options::from_value(given).map_err(|e| e.to_string())?;
        let now = Position::<G>::new(seats, &options).map_err(|e| e.to_string())?;
        let record = Record::new::<G>(seats, &options, Some(seed)).map_err(|e| e.to_string())?;
        Ok(Self::begin(record.header, now))
    }

    /// Replays a record to its last event. The match has the observer of the record: everything for a full record,
    /// else a seat or a spectator.
    ///
    /// # Errors
    ///
    /// Fails if the record is of another game or of rules that are not supported any more, its options or seats are
    /// invalid, or the rules reject an event.
    pub fn load(record: &Record) -> Result<Self, String> {
        let mut replay = pentarchy_engine::record::Replay::<G>::start(record).map_err(|e| e.to_string())?;
        let mut played = Self::begin(record.header.clone(), replay.position().clone());
        while let Some((line, facts)) = replay.step().map_err(|e| e.to_string())? {
            let next = replay.position().clone();
            played.push(next, line, &facts);
        }
        Ok(played)
    }

    /// Creates a match at its first position `now`, without events. Not checked: whether the position fits the
    /// header.
    fn begin(header: Header, now: Position<G>) -> Self {
        let (entries, lines, actors) = (Vec::new(), Vec::new(), Vec::new());
        let (decisions, revealed, ledger) = (Vec::new(), Vec::new(), Vec::new());
        let (marks, past) = (vec![now.clone()], RefCell::new(None));
        let (chapters, episodes, casts) = (Vec::new(), Vec::new(), Vec::new());
        LocalMatch {
            header,
            entries,
            lines,
            actors,
            decisions,
            revealed,
            episodes,
            casts,
            ledger,
            chapters,
            now,
            marks,
            past,
        }
    }

    /// Appends an event that led from the current position to `next`, with the facts of the rules, which the caller
    /// has run, and makes `next` the current position. Updates everything that is derived from the log: record,
    /// actors, undo information, private dice, ledger, chapters, episodes and checkpoints. Not checked: whether
    /// `next` follows from the event.
    fn push(&mut self, next: Position<G>, line: LoggedEventOf<G>, facts: &[G::Fact]) {
        let node = self.now.node();
        let n = self.entries.len() as u32 + 1;
        self.entries.push(RecordEntry::of::<G>(n, node, &line, next.digest()).cut(self.header.kind));
        self.actors.push(match node {
            Node::Decide(seat) | Node::Declare(seat) | Node::Rearrange { by: seat, .. } => Some(seat),
            _ => None,
        });
        self.decisions.push(match node {
            Node::Decide(seat) if self.has_choice(seat) => Decision::Chosen,
            Node::Decide(_) => Decision::Forced,
            _ => Decision::None,
        });
        self.revealed.push(Revealed::of(&self.now, &line));
        let event = AppliedEvent { before: &self.now, line: &line, facts, after: &next };
        for PointChange { seat, by, why } in G::changes(&event) {
            let change = Change { seat, round: G::steps(&next).round, why, by };
            self.ledger.push((self.lines.len() + 1, change));
        }
        if let Some(chapter) = G::chapter(&event) {
            self.chapters.push((self.lines.len() + 1, chapter));
        }
        if let Node::Chance(Chance::Cast { set, sides, .. }) = node {
            let dice = self.now.state().tokens().set(set).collect();
            self.casts.push((self.lines.len() + 1, PrivateCast { dice, sides }));
        }
        self.episodes.push(G::in_episode(&next));
        self.now = next;
        self.lines.push(line);
        if self.lines.len().is_multiple_of(STRIDE) {
            self.marks.push(self.now.clone());
        }
    }

    /// Returns the position after the first `events` events, as the match's own observer knows it; the current one if
    /// there are not more. Replays from the nearest checkpoint or the cached position, and caches the result.
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
}

/// Dice that were rolled in secret by one event.
struct PrivateCast {
    /// The dice.
    dice: Vec<Token>,
    /// Number of sides of each.
    sides: u8,
}

impl PrivateCast {
    /// Makes the elements of a drawing that show these dice tumble when they are first drawn after the cast, whatever
    /// they show. Goes through `el` and its descendants: each whose `data-token` names one of the dice becomes a die
    /// ([`El::die`]) with the name `<token> <at>`, where `at` is the number of events after the cast. Others stay.
    fn name_dice(&self, el: &mut El, at: usize) {
        let token = el.get("data-token").map(str::to_string);
        if let Some(token) = token.filter(|token| self.dice.iter().any(|die| die.to_string() == *token)) {
            *el = std::mem::replace(el, div("")).die(format!("{token} {at}"), self.sides.into());
        }
        for kid in &mut el.kids {
            if let MarkupNode::El(kid) = kid {
                self.name_dice(kid, at);
            }
        }
    }
}

/// Returns a copy of the position as an observer sees it. If the position is itself that of a seat or a spectator,
/// returns it unchanged: an observer never sees more than it holds.
fn seen_by<G: Board>(position: &Position<G>, observer: Observer) -> Position<G> {
    match (position.observer(), observer) {
        (Observer::All, Observer::Seat(seat)) => position.view(seat),
        (Observer::All, Observer::Spectator) => position.spectator(),
        _ => position.clone(),
    }
}

impl<G: Board> GameView for LocalMatch<G> {
    /// Returns name, seats and other constant facts of game `G`.
    fn info(&self) -> GameInfo {
        G::INFO
    }
    /// Returns the constant look of the board of game `G`.
    fn look(&self) -> &'static Look {
        &G::LOOK
    }
    /// Returns the header that the match was created or loaded with.
    fn header(&self) -> &Header {
        &self.header
    }
    /// Returns the record entries of all events, in order, each cut to the annexes that the kind of the record keeps.
    fn entries(&self) -> &[RecordEntry] {
        &self.entries
    }
    /// Returns for each event the seat that decided, declared or rearranged; `None` for chance and reveals.
    fn actors(&self) -> &[Option<Seat>] {
        &self.actors
    }
    /// Returns the round of the current position, such as `Round 7 of 40`; empty if the board names no
    /// rounds.
    fn round(&self) -> String {
        G::steps(&self.now).round
    }
    /// Returns the node of the current position.
    fn node(&self) -> Node {
        self.now.node()
    }
    /// Returns the seat whose turn the board says the next event belongs to ([`Board::turn`]); `None` if it
    /// belongs to the turn of the event before.
    fn turn(&self) -> Option<Seat> {
        G::turn(&self.now)
    }
    /// Returns the digest of the current position's public state, as text.
    fn digest(&self) -> String {
        self.now.digest().to_string()
    }
    /// Returns the outcome of the current position; `None` before the end.
    fn outcome(&self) -> Option<Outcome> {
        self.now.outcome()
    }

    /// Parses and plays the actions of `action`, split at [`gesture::AND`], one after another.
    ///
    /// # Errors
    ///
    /// Fails if an action cannot be parsed or the rules reject it; those before it are then taken back.
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

    /// Resolves the next node without a decision, with randomness from the seed and the number of events, and
    /// returns true; false at a decision or at the end. Without a seed, uses seed 0.
    ///
    /// # Errors
    ///
    /// Fails if the match lacks a face, if something is to be shuffled, rearranged or cast or another seat is
    /// to declare and the match does not know everything, or if the rules reject the event. Nothing has
    /// changed then.
    fn advance(&mut self) -> Result<bool, String> {
        let mut rng = Rng::stream(self.header.seed.unwrap_or_default(), self.lines.len() as u64);
        let mut next = self.now.clone();
        let Some((line, facts)) = next.advance_facts(&mut rng).map_err(|e| e.to_string())? else {
            return Ok(false);
        };
        self.push(next, line, &facts);
        Ok(true)
    }

    /// Appends the last event of `position`, with `position` as the new one; does not compare it with the
    /// current position.
    ///
    /// # Errors
    ///
    /// Fails if the position is of another game or has no last event, or `number` is not one more than the
    /// number of events. Nothing has changed then.
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

    /// Returns the legal continuation ([`Board::continues`]) of the seat's last own choice, else the forced or
    /// routine move; `None` if the seat has a choice, no seat decides, or its legal actions are not known here.
    fn auto_move(&self) -> Option<Auto> {
        let Node::Decide(seat) = self.now.node() else { return None };
        let view = seen_by(&self.now, Observer::Seat(seat));
        let mut list = Vec::new();
        view.legal(&mut list).ok()?;
        let own = |i: &usize| self.decisions[*i] == Decision::Chosen && self.actors[*i] == Some(seat);
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

    /// Returns whether the action or gesture, played on a copy with what follows without a decision, reveals
    /// something to the awaited seat or casts a die, coin or lot before a seat decides, or reveals something later by
    /// the answers of others. `false` if no seat decides, or it cannot be parsed or played.
    fn is_final(&self, action: &str) -> bool {
        self.is_revealing(action)
    }

    /// Returns the number of events to take back in order to undo the last choice of the seat, with the gesture to
    /// which it belongs and all events since then. Takes nothing back.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for players if the seat has chosen nothing yet, if since that choice something was
    /// revealed to it or a die, coin or lot was thrown, or if another of `people` has decided since then, even
    /// without a choice.
    fn undoable(&self, seat: Seat, people: &[Seat]) -> Result<usize, &'static str> {
        self.count_undoable(seat, people)
    }

    /// Removes the last `events` events and all that was derived from them, and restores the position before them;
    /// all events if there are fewer.
    fn take_back(&mut self, events: usize) {
        let keep = self.lines.len().saturating_sub(events);
        let now = self.at(keep);
        self.now = now;
        self.lines.truncate(keep);
        self.entries.truncate(keep);
        self.actors.truncate(keep);
        self.decisions.truncate(keep);
        self.revealed.truncate(keep);
        self.episodes.truncate(keep);
        self.casts.retain(|(at, _)| *at <= keep);
        self.ledger.retain(|(at, _)| *at <= keep);
        self.chapters.retain(|(at, _)| *at <= keep);
        self.marks.truncate(keep / STRIDE + 1);
        *self.past.borrow_mut() = None;
    }

    /// Draws the position after `at` events as `observer` sees it, with the ledger and story of that moment in place
    /// of those in `ui`. A die that a dialog or report shows, or one inside an episode, is not shown a second time.
    fn scene(&self, at: usize, observer: Observer, ui: &Ui) -> Scene {
        let view = seen_by(&self.at(at), observer);
        let ui = &Ui { ledger: self.changes(at, ui.seat), story: self.story(at), ..ui.clone() };
        let dialog = G::dialog(&view, ui);
        // A die that a report shows is not shown a second time.
        let cast = self.find_cast(at, observer).filter(|_| dialog.is_none() && !self.is_unfolding(at));
        let cast = cast.filter(|_| self.find_report(at, observer, ui).is_none());
        let (mut board, mut hand) = (G::draw(&view, ui), G::hand(&view, ui));
        if let Some((_, thrown)) = self.casts.iter().find(|(after, _)| *after == at) {
            let cards = hand.iter_mut().flat_map(|hand| &mut hand.cards);
            cards.chain([&mut board]).for_each(|el| thrown.name_dice(el, at));
        }
        Scene {
            board,
            hand,
            seats: (0..view.seats()).map(|s| G::seat(&view, Seat(s))).collect(),
            steps: G::steps(&view),
            awaited: G::prompt(&view),
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

    /// Returns how many pauses follow the last event: 0 if the current position is inside an episode, 2 after a die
    /// or coin without a report, 3 after several faces were turned up for all without one, such as a showdown, and 1
    /// otherwise. The report is that for the seat of `ui`, or for spectators.
    fn weight(&self, ui: &Ui) -> i32 {
        let observer = ui.seat.map_or(Observer::Spectator, Observer::Seat);
        let at = self.lines.len();
        let last = self.lines.last();
        let turned_up = last.filter(|line| line.event == Event::Done).map_or(0, |line| line.shown.len());
        let weight = match self.find_cast(at, observer) {
            _ if self.is_unfolding(at) => 0,
            Some(_) => 2,
            None if turned_up > 1 => 3,
            None => 1,
        };
        if weight > 1 && self.find_report(at, observer, ui).is_some() { 1 } else { weight }
    }

    /// Returns the board's report of the last of the first `at` events, or of the episode that it ended;
    /// `None` at the start, inside an episode, and if the board has nothing to report.
    fn report(&self, at: usize, observer: Observer, ui: &Ui) -> Option<EventReport> {
        self.find_report(at, observer, ui)
    }

    /// Returns the gestures of the seat that decides after `at` events, in legal order and then the routes of the
    /// board. Empty if no seat decides or the observer is another seat; [`Observer::All`] sees them, a spectator only
    /// where the legal actions depend on nothing hidden.
    fn choices(&self, at: usize, observer: Observer) -> Vec<ListedAction> {
        let position = self.at(at);
        let Node::Decide(seat) = position.node() else { return Vec::new() };
        let view = match observer {
            Observer::Seat(own) if own != seat => return Vec::new(),
            Observer::Spectator => seen_by(&position, observer),
            _ => seen_by(&position, Observer::Seat(seat)),
        };
        let mut list = Vec::new();
        gestures(&view, |gesture| list.push(list_gesture(gesture)));
        list
    }

    /// Returns the board's reason for the gesture with exactly this text; `None` if no seat decides, there is no such
    /// gesture or no reason.
    fn merit(&self, action: &str) -> Option<String> {
        let view = seen_by(&self.now, Observer::Seat(self.now.actor()?));
        let mut found = None;
        gestures(&view, |gesture| {
            if found.is_none() && gesture.text() == action {
                found = G::merit(gesture.at, gesture.action).map(|said| G::worded(gesture.at, said));
            }
        });
        found
    }

    /// Returns the index of the current step of the turn, from 0, and the amount that a click places or moves in it
    /// unless the player chooses another ([`Board::usual_amount`]).
    fn usual_amount(&self) -> (usize, Amount) {
        (G::steps(&self.now).at, G::usual_amount(&self.now))
    }

    /// Returns the key of the piece that the board selects by itself in the current position
    /// ([`Board::preselect`]); `None` for none.
    fn preselect(&self, last: Option<&str>) -> Option<Key> {
        G::preselect(&self.now, last)
    }

    /// Returns the key of the piece from which numbers are dragged in the current position
    /// ([`Board::store`]); `None` if there is none.
    fn store(&self) -> Option<Key> {
        G::store(&self.now)
    }

    /// Returns the board's note about the piece of this key, and why it cannot be used, in the position after
    /// `at` events as the observer sees it; both are empty for an unknown key. Not checked: whether it can in
    /// fact be used.
    fn about(&self, at: usize, observer: Observer, key: &str) -> PieceInfo {
        let view = seen_by(&self.at(at), observer);
        PieceInfo { note: G::explain(&view, key), why_not: G::why_not(&view, key) }
    }

    /// Returns the card of the guide of `G` for the current position in the view of `seat`
    /// ([`Guide::card`](crate::guide::Guide::card)). `from` is the index, from 0, of the first step that may
    /// be shown. `None` if no step from there on fits, `from` is not past all steps, and the seat does not
    /// decide, has no choice, or the guide recommends no move.
    fn guide(&self, from: usize, seat: Seat) -> Option<GuideCard> {
        G::GUIDE.card(&seen_by(&self.now, Observer::Seat(seat)), seat, from)
    }

    /// Returns the log sentences about the events after the first `from`, as the observer knows them; seats
    /// are written `@0`. Events without a sentence are left out.
    fn log(&self, from: usize, observer: Observer) -> Vec<LogLine> {
        self.log_lines(from, observer)
    }

    /// Returns scores and estimated chances (0 to 1000) of all seats at the start, at each decision and after
    /// the last event; samples equal to the one before are left out. Never empty.
    fn history(&self) -> Vec<RaceSample> {
        self.race_samples()
    }

    /// Returns the board's parts of the scores and its verdict (`None` before the end) for the current position. For a
    /// board without a verdict, the last sentence of the log says how the game ended.
    fn verdict(&self) -> EndSummary {
        let parts = (0..self.now.seats()).map(|s| G::parts(&self.now, Seat(s))).collect();
        let last = || {
            let from = self.lines.len().saturating_sub(1);
            let line = self.log_lines(from, self.now.observer()).pop();
            line.filter(|_| self.now.outcome().is_some()).map(|line| line.text)
        };
        let verdict = G::verdict(&self.now);
        let explains_ties = G::EXPLAINS_TIES && verdict.is_some();
        EndSummary { why: verdict.or_else(last), explains_ties, parts }
    }

    /// Returns the record, cut to this kind, as text.
    ///
    /// # Errors
    ///
    /// Fails if the match does not hold the annexes of this kind.
    fn record(&self, kind: RecordKind) -> Result<String, String> {
        let record = Record { header: self.header.clone(), entries: self.entries.clone() };
        Ok(record.cut(kind).map_err(|e| e.to_string())?.text())
    }

    /// Plays random games from the first position, in batches of 8, until `millis` milliseconds have passed, and
    /// returns the number of games per second. 0 if the match does not know everything. Leaves the match as it is.
    fn speed(&self, millis: f64, clock: Clock) -> f64 {
        let start = self.marks[0].clone();
        if start.observer() != Observer::All {
            return 0.0;
        }
        let (mut games, mut list, began) = (0u64, Vec::new(), clock());
        while clock() - began < millis {
            for _ in 0..8 {
                let mut rng = Rng::stream(1, games);
                let _ = start.clone().playout(&mut rng, &mut list);
                games += 1;
            }
        }
        games as f64 * 1000.0 / (clock() - began)
    }
}

/// Builds the entry of a gesture for the list of actions: its canonical text, its path, and what the board says about
/// its last action (label, row, question, safer action, whether it is quick, passes or fails). Seats are written
/// `@0`. Without a question of the board, the question is the label with a question mark, and the button says
/// `Do it`. A gesture of several actions has a button in the prompt only if that is for narrow screens.
fn list_gesture<G: Board>(gesture: gesture::Gesture<'_, G>) -> ListedAction {
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
