//! One game under way without its types: all that the shell asks. Implemented once, for every [`LocalMatch`].
//!
//! The shell is thus compiled once and not for each game.
//!
//! [`LocalMatch`]: crate::session::LocalMatch

use crate::board::{ActionRow, Ask, EventReport, Hand, Key, Look, Note, PromptButton, SeatPanel, Steps};
use crate::guide::GuideCard;
use crate::markup::El;
use crate::ui::{Amount, Ui};
use crate::words::plain;
use pentarchy_engine::record::{Header, RecordEntry, RecordKind};
use pentarchy_engine::{GameInfo, Node, Observer, Outcome, Seat};

/// One game under way.
pub trait GameView {
    /// What the game is.
    fn info(&self) -> GameInfo;
    /// How it looks.
    fn look(&self) -> &'static Look;
    /// The first line of the record.
    fn header(&self) -> &Header;
    /// The events so far, with all annexes that are there.
    fn entries(&self) -> &[RecordEntry];
    /// Who brought each event about: the seat that acted, nobody for nature.
    fn actors(&self) -> &[Option<Seat>];
    /// The round, in words.
    fn round(&self) -> String;
    /// What is awaited now.
    fn node(&self) -> Node;
    /// Whether the seat that is asked now is asked out of turn.
    fn reacts(&self) -> bool;
    /// The fingerprint of the public state.
    fn digest(&self) -> String;
    /// Ranking and scores, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Plays an action or a gesture of the awaited seat, given by its canonical text.
    fn play(&mut self, action: &str) -> Result<(), String>;
    /// Does the next thing that nobody decides; false if a decision is awaited or the game is over.
    fn advance(&mut self) -> Result<bool, String>;
    /// Follows an event that others brought about, as this observer may know it.
    fn follow(&mut self, entry: &RecordEntry) -> Result<(), String>;
    /// The move that the page makes for the seat that is asked, if there is nothing to decide.
    fn auto_move(&self) -> Option<Auto>;
    /// Whether the awaited action tells its seat something new, by a die or a card, before anybody else decides:
    /// it cannot be undone.
    fn is_final(&self, action: &str) -> bool;
    /// How many events to take back in order to undo the last decision of this seat; or why that is impossible, as a
    /// sentence. `people` are the seats of all people at this screen.
    ///
    /// A decision can be undone until its seat learns something (a die is rolled, a face is shown that it did not
    /// know) or another person decides.
    fn undoable(&self, seat: Seat, people: &[Seat]) -> Result<usize, &'static str>;
    /// Takes back so many events.
    fn take_back(&mut self, events: usize);

    /// All that is drawn of the position after `at` events, with these eyes.
    fn scene(&self, at: usize, eyes: Observer, ui: &Ui) -> Scene;
    /// For how many pauses the last event is looked at: none inside an episode, two if a die was cast that no report
    /// shows.
    fn weight(&self, ui: &Ui) -> i32;
    /// The report of the last of `at` events, with these eyes, if it has one.
    fn report(&self, at: usize, eyes: Observer, ui: &Ui) -> Option<EventReport>;
    /// What the seat that was asked after `at` events could do, if these eyes may know.
    fn choices(&self, at: usize, eyes: Observer) -> Vec<ListedAction>;
    /// An action of the seat as a whole gesture: if it only selects, with the best-rated action that can follow.
    fn completed(&self, action: &str, seat: Seat) -> String;
    /// What an action or a gesture of the awaited seat is good for, in words; nothing if the game names no reason.
    fn merit(&self, action: &str) -> Option<String>;
    /// The step of the turn, and how many a click places or moves in it by default.
    fn usual_amount(&self) -> (usize, Amount);
    /// The piece that the page selects by itself; `last` is the piece that was used before.
    fn preselect(&self, last: Option<&str>) -> Option<Key>;
    /// The piece from which numbers are dragged.
    fn store(&self) -> Option<Key>;
    /// What a piece is, and why nothing can be done with it.
    fn about(&self, at: usize, eyes: Observer, key: &str) -> PieceInfo;
    /// The card of the guided first game for the seat: the first step from `from` on whose moment has come.
    fn guide(&self, from: usize, seat: Seat) -> Option<GuideCard>;
    /// The log of the events after the first `from`, in words.
    fn log(&self, from: usize, eyes: Observer) -> Vec<LogLine>;
    /// How the scores and the chances went.
    fn history(&self) -> Vec<RaceSample>;
    /// The parts of the final scores, and why it ended so.
    fn verdict(&self) -> EndSummary;
    /// The record of this kind, as text.
    fn record(&self, kind: RecordKind) -> Result<String, String>;
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
    /// The instruction after the clicks so far, if the game has one.
    pub next: Option<String>,
    /// Who is awaited.
    pub actor: Option<Seat>,
    /// Whether that seat is asked out of turn.
    pub reacts: bool,
    /// What the prompt says after a piece was chosen.
    pub narrowed: Option<Ask>,
    /// The action that ends the turn, if nothing sensible is left to do.
    pub idle: Option<String>,
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
pub struct ListedAction {
    /// Its canonical text; of a gesture, the texts of all its actions.
    pub action: String,
    /// What it does, for a person.
    pub label: String,
    /// The heading of its group.
    pub kind: &'static str,
    /// The places it touches, in the order of the clicks.
    pub path: Vec<Key>,
    /// Whether it costs nothing and is done without a question.
    pub quick: bool,
    /// Whether the board has a question of its own for it: it spends something.
    pub asks: bool,
    /// Whether it lets an opportunity pass.
    pub passes: bool,
    /// Whether it achieves nothing.
    pub fails: bool,
    /// The question.
    pub ask: Ask,
    /// The action that is safer, offered as the primary button of the question.
    pub safer: Option<String>,
    /// Its button in the prompt, if it has one besides its places.
    pub button: Option<PromptButton>,
    /// How the list shows it.
    pub row: ActionRow,
}

impl ListedAction {
    /// The choice with names for seats (`@0`) in all that people read.
    pub fn with_names(mut self, ui: &Ui) -> Self {
        let Ask { question, consequence, verb } = &mut self.ask;
        let row = [&mut self.row.label, &mut self.row.value].into_iter().flatten();
        let button = self.button.iter_mut().map(|button| &mut button.label);
        let texts = [&mut self.label, question, consequence, verb].into_iter();
        for text in texts.chain(row).chain(button) {
            if text.contains('@') {
                *text = plain(text, ui);
            }
        }
        self
    }
}

/// A move that the page makes for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Auto {
    /// The canonical text of the action.
    pub action: String,
    /// What it does, for a person.
    pub label: String,
    /// Whether it is made at once, without being shown as the only move.
    pub routine: bool,
}

/// What is said of a piece when it is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PieceInfo {
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
pub struct RaceSample {
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
pub struct EndSummary {
    /// Why it ended so.
    pub why: Option<String>,
    /// The parts of each seat's score.
    pub parts: Vec<Vec<String>>,
}
