//! One game under way without its types: all that the shell asks. Implemented once, for every [`Session`].
//!
//! The shell is thus compiled once and not for each game.
//!
//! [`Session`]: crate::session::Session

use crate::board::{Ask, Hand, Key, Look, Note, Row, SeatPanel, Steps};
use crate::markup::El;
use crate::ui::Ui;
use pentarchy_engine::record::{Entry, Header, Kind};
use pentarchy_engine::{GameInfo, Node, Observer, Outcome, Seat};

/// One game under way.
pub trait Table {
    /// What the game is.
    fn info(&self) -> GameInfo;
    /// How it looks.
    fn look(&self) -> &'static Look;
    /// The first line of the record.
    fn header(&self) -> &Header;
    /// The events so far, with all annexes that are there.
    fn entries(&self) -> &[Entry];
    /// Who brought each event about: the seat that acted, nobody for nature.
    fn actors(&self) -> &[Option<Seat>];
    /// The round, in words.
    fn round(&self) -> String;
    /// What is awaited now.
    fn node(&self) -> Node;
    /// The fingerprint of the public state.
    fn digest(&self) -> String;
    /// Ranking and scores, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Plays an action of the awaited seat, given by its canonical text.
    fn play(&mut self, action: &str) -> Result<(), String>;
    /// Does the next thing that nobody decides; false if a decision is awaited or the game is over.
    fn advance(&mut self) -> Result<bool, String>;
    /// Follows an event that others brought about, as this observer may know it.
    fn follow(&mut self, entry: &Entry) -> Result<(), String>;
    /// How many events the last deed of this seat can be taken back by, or why not.
    fn undoable(&self, seat: Seat) -> Result<usize, &'static str>;
    /// Takes back so many events.
    fn take_back(&mut self, events: usize);

    /// All that is drawn of the position after `at` events, with these eyes.
    fn scene(&self, at: usize, eyes: Observer, ui: &Ui) -> Scene;
    /// For how many pauses the last event is looked at: longer if a die was cast, longest if a dialog tells of it.
    fn weight(&self, ui: &Ui) -> i32;
    /// What the seat that was asked after `at` events could do, if these eyes may know.
    fn choices(&self, at: usize, eyes: Observer) -> Vec<Choice>;
    /// What a piece is, and why nothing can be done with it.
    fn about(&self, at: usize, eyes: Observer, key: &str) -> About;
    /// The log of the events after the first `from`, in words.
    fn log(&self, from: usize, eyes: Observer) -> Vec<LogLine>;
    /// How the scores and the chances went.
    fn history(&self) -> Vec<Moment>;
    /// The parts of the final scores, and why it ended so.
    fn verdict(&self) -> Verdict;
    /// The record of this kind, as text.
    fn record(&self, kind: Kind) -> Result<String, String>;
    /// How many random games are played to the end in so many milliseconds: a measure of this machine.
    fn speed(&self, millis: f64) -> f64;
}

/// All that is drawn of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// The board.
    pub board: El,
    /// The hand.
    pub hand: Option<Hand>,
    /// The seats in order.
    pub seats: Vec<SeatPanel>,
    /// The round and its steps.
    pub steps: Steps,
    /// What is awaited, in words.
    pub awaited: String,
    /// Who is awaited.
    pub actor: Option<Seat>,
    /// Whether that seat is asked out of turn.
    pub reacts: bool,
    /// Below the seats.
    pub rail: Option<El>,
    /// Over the board.
    pub dialog: Option<El>,
    /// The die that has just been cast, if no dialog shows it.
    pub cast: Option<Cast>,
}

/// A die that has just been cast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cast {
    /// After how many events.
    pub at: usize,
    /// How many sides it has; 2 for a coin.
    pub sides: u32,
    /// What it shows.
    pub shows: u32,
    /// What came of it, in words.
    pub text: String,
}

/// One legal action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Its canonical text.
    pub action: String,
    /// What it does, for a person.
    pub label: String,
    /// The heading of its group.
    pub kind: &'static str,
    /// The places it touches, in the order of the clicks.
    pub path: Vec<Key>,
    /// Whether it is done without a question.
    pub quick: bool,
    /// Whether it lets an opportunity pass.
    pub passes: bool,
    /// The question.
    pub ask: Ask,
    /// How the list shows it.
    pub row: Row,
}

/// What is said of a piece when it is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// What it is.
    pub note: Option<Note>,
    /// Why nothing can be done with it.
    pub why_not: Option<String>,
}

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// After how many events.
    pub at: usize,
    /// Who brought it about.
    pub actor: Option<Seat>,
    /// In words; seats are written `@0`.
    pub text: String,
}

/// The state of the race after an event.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// After how many events.
    pub at: usize,
    /// Which round, in words.
    pub round: String,
    /// The score of each seat.
    pub scores: Vec<i32>,
    /// What the position promised each seat, in thousandths.
    pub chances: Vec<i32>,
}

/// What the end screen says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// Why it ended so.
    pub why: Option<String>,
    /// The parts of each seat's score.
    pub parts: Vec<Vec<String>>,
}
