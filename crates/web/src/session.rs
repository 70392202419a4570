//! A game under way with its types: the position, the log that led to it, and marks to go back to.

use crate::board::{Ask, Board, Chapter, Look};
use crate::markup::El;
use crate::table::{About, Cast, Choice, LogLine, Moment, Scene, Table, Verdict};
use crate::ui::{Change, Ui};
use crate::words::capital;
use pentarchy_engine::record::{Entry, Header, Kind, Record};
use pentarchy_engine::{
    Chance, Event, GameInfo, LineOf, Node, Observer, Outcome, Position, Rng, Seat, options,
};
use serde_json::Value;
use std::cell::RefCell;

/// A position is kept after every so many events, to go back to from any later one.
const STRIDE: usize = 24;

/// A game under way.
pub struct Session<G: Board> {
    header: Header,
    entries: Vec<Entry>,
    lines: Vec<LineOf<G>>,
    actors: Vec<Option<Seat>>,
    /// Whether somebody decided it.
    deeds: Vec<bool>,
    /// Whether something became known with the event: no way back beyond it.
    news: Vec<bool>,
    /// How points have changed: after which event, and what.
    ledger: Vec<(usize, Change)>,
    /// What was told of it: after which event, and what.
    chapters: Vec<(usize, Chapter)>,
    now: Position<G>,
    marks: Vec<Position<G>>,
    /// The position of the past that was looked at last.
    past: RefCell<Option<(usize, Position<G>)>>,
}

impl<G: Board> Session<G> {
    /// A new game. Nature follows from the seed and the number of the event, so that a game that was saved goes
    /// on just as it would have gone on.
    pub fn new(seats: u8, given: &Value, seed: u64) -> Result<Self, String> {
        let options: G::Options = options::from_value(given).map_err(|e| e.to_string())?;
        let now = Position::<G>::new(seats, &options).map_err(|e| e.to_string())?;
        let record = Record::new::<G>(seats, &options, Some(seed)).map_err(|e| e.to_string())?;
        Ok(Self::begin(record.header, now))
    }

    /// The game that a record tells of, with the eyes that its annexes give. Every event is checked.
    pub fn load(record: &Record) -> Result<Self, String> {
        let mut replay = pentarchy_engine::record::Replay::<G>::start(record).map_err(|e| e.to_string())?;
        let mut session = Self::begin(record.header.clone(), replay.position().clone());
        while let Some(line) = replay.step().map_err(|e| e.to_string())? {
            let next = replay.position().clone();
            session.push(next, line);
        }
        Ok(session)
    }

    fn begin(header: Header, now: Position<G>) -> Self {
        let (entries, lines, actors) = (Vec::new(), Vec::new(), Vec::new());
        let (deeds, news, ledger) = (Vec::new(), Vec::new(), Vec::new());
        let (marks, past) = (vec![now.clone()], RefCell::new(None));
        let chapters = Vec::new();
        Session { header, entries, lines, actors, deeds, news, ledger, chapters, now, marks, past }
    }

    fn push(&mut self, next: Position<G>, line: LineOf<G>) {
        let node = self.now.node();
        let n = self.entries.len() as u32 + 1;
        self.entries.push(Entry::of::<G>(n, node, &line, next.digest()).cut(self.header.kind));
        self.actors.push(match node {
            Node::Decide(seat) | Node::Declare(seat) | Node::Rearrange { by: seat, .. } => Some(seat),
            _ => None,
        });
        self.deeds.push(matches!(node, Node::Decide(_)));
        let rolled = matches!(line.event, Event::Rolled(_)) || matches!(node, Node::Reveal { .. });
        self.news.push(rolled || !line.shown.is_empty());
        for seat in (0..next.seats()).map(Seat) {
            let by = G::score(&next, seat) - G::score(&self.now, seat);
            if by != 0 {
                let why = G::reason(&self.now, &line, &next, seat);
                let change = Change { seat, round: G::steps(&next).round, why, by };
                self.ledger.push((self.lines.len() + 1, change));
            }
        }
        if let Some(chapter) = G::chapter(&self.now, &line, &next) {
            self.chapters.push((self.lines.len() + 1, chapter));
        }
        self.now = next;
        self.lines.push(line);
        if self.lines.len().is_multiple_of(STRIDE) {
            self.marks.push(self.now.clone());
        }
    }

    /// The position after so many events.
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
            // These lines have been followed once already.
            if position.apply(&self.lines[done]).is_err() {
                break;
            }
            done += 1;
        }
        *past = Some((done, position.clone()));
        position
    }

    fn resolve(&self, next: &mut Position<G>) -> Result<LineOf<G>, String> {
        let seed = self.header.seed.unwrap_or_default();
        let mut rng = Rng::stream(seed, self.lines.len() as u64);
        next.resolve_line(&mut rng).map_err(|e| e.to_string())
    }

    /// What is told of the die that was cast with the last of so many events.
    fn told(&self, at: usize, eyes: Observer, ui: &Ui) -> Option<El> {
        let at = at.min(self.lines.len());
        let Event::Rolled(number) = self.lines.get(at.checked_sub(1)?)?.event else { return None };
        G::rolled(&through(&self.at(at - 1), eyes), number, ui)
    }

    /// The die or coin that was cast with the last of so many events.
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
        let after = through(&self.at(at), eyes);
        let text = G::log(&through(&before, eyes), line, &after).map(|text| G::worded(&after, text));
        Some(Cast { at, sides, shows, text: text.unwrap_or_default() })
    }

    /// How the points of a seat changed up to here, in this round and the last.
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

    /// What has come to pass, up to here, in what began last.
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

    fn choice(view: &Position<G>, action: G::Action) -> Choice {
        let mut path = Vec::new();
        G::touches(view, action, &mut path);
        let label = capital(&G::worded(view, G::label(view, action)));
        let mut row = G::row(view, action);
        row.label = row.label.as_deref().map(capital);
        let ask = G::ask(view, action).unwrap_or_else(|| Ask {
            question: format!("{label}?"),
            consequence: String::new(),
            verb: "Do it".to_string(),
        });
        let (quick, passes) = (G::quick(view, action), G::passes(view, action));
        Choice { action: action.to_string(), label, kind: G::kind(action), path, quick, passes, ask, row }
    }
}

/// The position with these eyes. Nobody sees more than whoever looks already.
fn through<G: Board>(position: &Position<G>, eyes: Observer) -> Position<G> {
    match (position.observer(), eyes) {
        (Observer::All, Observer::Seat(seat)) => position.view(seat),
        (Observer::All, Observer::Spectator) => position.spectator(),
        _ => position.clone(),
    }
}

impl<G: Board> Table for Session<G> {
    fn info(&self) -> GameInfo {
        G::INFO
    }
    fn look(&self) -> &'static Look {
        &G::LOOK
    }
    fn header(&self) -> &Header {
        &self.header
    }
    fn entries(&self) -> &[Entry] {
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
    fn digest(&self) -> String {
        self.now.digest().to_string()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.now.outcome()
    }

    fn play(&mut self, action: &str) -> Result<(), String> {
        let action = action.parse::<G::Action>().map_err(|e| e.to_string())?;
        let mut next = self.now.clone();
        let line = next.play_line(action).map_err(|e| e.to_string())?;
        self.push(next, line);
        Ok(())
    }

    fn advance(&mut self) -> Result<bool, String> {
        let mut next = self.now.clone();
        let line = match self.now.node() {
            Node::Decide(_) | Node::Over => return Ok(false),
            Node::Declare(_) => {
                let mut list = Vec::new();
                self.now.legal(&mut list).map_err(|e| e.to_string())?;
                let duty = *list.first().ok_or("a duty without an entry")?;
                next.play_line(duty).map_err(|e| e.to_string())?
            }
            _ => self.resolve(&mut next)?,
        };
        self.push(next, line);
        Ok(true)
    }

    fn follow(&mut self, entry: &Entry) -> Result<(), String> {
        let line = entry.line::<G>().map_err(|e| e.to_string())?;
        let mut next = self.now.clone();
        next.apply(&line).map_err(|e| e.to_string())?;
        self.push(next, line);
        Ok(())
    }

    fn undoable(&self, seat: Seat) -> Result<usize, &'static str> {
        for i in (0..self.lines.len()).rev() {
            match self.actors[i].filter(|_| self.deeds[i]) {
                _ if self.news[i] => return Err("Something new has become known"),
                Some(actor) if actor == seat => return Ok(self.lines.len() - i),
                Some(_) => return Err("Somebody else has moved since"),
                // A shuffle tells nobody anything, and comes out the same again.
                None => {}
            }
        }
        Err("You have done nothing yet")
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
        self.ledger.retain(|(at, _)| *at <= keep);
        self.chapters.retain(|(at, _)| *at <= keep);
        self.marks.truncate(keep / STRIDE + 1);
        *self.past.borrow_mut() = None;
    }

    fn scene(&self, at: usize, eyes: Observer, ui: &Ui) -> Scene {
        let view = through(&self.at(at), eyes);
        let ui = &Ui { ledger: self.changes(at, ui.seat), story: self.story(at), ..ui.clone() };
        let dialog = self.told(at, eyes, ui).or_else(|| G::dialog(&view, ui));
        Scene {
            board: G::draw(&view, ui),
            hand: G::hand(&view, ui),
            seats: (0..view.seats()).map(|s| G::seat(&view, Seat(s))).collect(),
            steps: G::steps(&view),
            awaited: G::worded(&view, G::awaited(&view)),
            actor: match view.node() {
                Node::Rearrange { by, .. } => Some(by),
                _ => view.actor(),
            },
            reacts: G::reacts(&view),
            rail: G::rail(&view, ui),
            cast: self.toss(at, eyes).filter(|_| dialog.is_none()),
            dialog,
        }
    }

    fn weight(&self, ui: &Ui) -> i32 {
        let eyes = ui.seat.map_or(Observer::Spectator, Observer::Seat);
        let at = self.lines.len();
        match (self.told(at, eyes, ui), self.toss(at, eyes)) {
            (Some(_), _) => 6,
            (None, Some(_)) => 2,
            (None, None) => 1,
        }
    }

    fn choices(&self, at: usize, eyes: Observer) -> Vec<Choice> {
        let position = self.at(at);
        let Node::Decide(seat) = position.node() else { return Vec::new() };
        let view = match eyes {
            Observer::Seat(own) if own != seat => return Vec::new(),
            Observer::Spectator => through(&position, eyes),
            _ => through(&position, Observer::Seat(seat)),
        };
        let mut list = Vec::new();
        if view.legal(&mut list).is_err() {
            return Vec::new();
        }
        list.into_iter().map(|action| Self::choice(&view, action)).collect()
    }

    fn about(&self, at: usize, eyes: Observer, key: &str) -> About {
        let view = through(&self.at(at), eyes);
        About { note: G::explain(&view, key), why_not: G::why_not(&view, key) }
    }

    fn log(&self, from: usize, eyes: Observer) -> Vec<LogLine> {
        let mut out = Vec::new();
        let mut before = self.at(from);
        for (i, line) in self.lines.iter().enumerate().skip(from) {
            let mut after = before.clone();
            if after.apply(line).is_err() {
                break;
            }
            let told = match eyes {
                Observer::All => line.clone(),
                Observer::Seat(seat) => line.for_seat(Some(seat)),
                Observer::Spectator => line.for_seat(None),
            };
            let seen = through(&after, eyes);
            let text = G::log(&through(&before, eyes), &told, &seen).map(|text| G::worded(&seen, text));
            if let Some(text) = text {
                out.push(LogLine { at: i + 1, actor: self.actors[i], text });
            }
            before = after;
        }
        out
    }

    fn history(&self) -> Vec<Moment> {
        let mut out: Vec<Moment> = Vec::new();
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
            let moment = Moment {
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

    fn verdict(&self) -> Verdict {
        let parts = (0..self.now.seats()).map(|s| G::parts(&self.now, Seat(s))).collect();
        Verdict { why: G::verdict(&self.now), parts }
    }

    fn record(&self, kind: Kind) -> Result<String, String> {
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

/// Whether nature is only shuffling: nothing that needs to be looked at.
pub fn is_silent(node: Node) -> bool {
    matches!(node, Node::Chance(Chance::Shuffle { .. }) | Node::Rearrange { .. })
}
