//! The type-erased interface of a match, as the shell uses it. [`LocalMatch`] implements it for every game, so the
//! shell is compiled once and not for each game.
//!
//! Observers never see more than the match itself holds. Numbers of events (`at`) count from the start of
//! the match.
//!
//! [`LocalMatch`]: crate::local_match::LocalMatch

use crate::Clock;
use crate::board::{ActionRow, Ask, EventReport, Hand, Key, Look, Note, PromptButton, SeatPanel, Steps};
use crate::guide::GuideCard;
use crate::markup::El;
use crate::ui::{Amount, Ui};
use crate::words::plain;
use pentarchy_engine::any::AnyPosition;
use pentarchy_engine::record::{Header, RecordEntry, RecordKind};
use pentarchy_engine::{GameInfo, Node, Observer, Outcome, Seat};

/// A match at this page, without the types of its game.
pub trait GameView {
    /// Returns name, seats and other constant facts of the game.
    fn info(&self) -> GameInfo;
    /// Returns the static look of the game's board: icon, pitch, cover, colours and headings of scores.
    fn look(&self) -> &'static Look;
    /// Returns the header of the record: game, seats, options, seed if known, and the kind of the record.
    fn header(&self) -> &Header;
    /// Returns the events so far, with the annexes that this page holds.
    fn entries(&self) -> &[RecordEntry];
    /// Returns for each event, in order, the seat that acted (decided, declared or rearranged); `None` for all other
    /// events.
    fn actors(&self) -> &[Option<Seat>];
    /// Returns the current round, in words: `Round 7 of 40`. Empty if the board names no rounds.
    fn round(&self) -> String;
    /// Returns what the rules wait for now: a decision, chance, a declaration, a rearrangement, a reveal, or nothing
    /// because the match is over.
    fn node(&self) -> Node;
    /// Returns the digest of the current public state, as text; peers compare it.
    fn digest(&self) -> String;
    /// Returns ranking and scores of the current position; `None` before the end.
    fn outcome(&self) -> Option<Outcome>;

    /// Plays an action or a gesture of the awaited seat, given by its canonical text (`select 2,-1; march e
    /// 9`), and appends its events. A gesture is played completely or not at all.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be parsed or the rules reject an action; nothing has changed then.
    fn play(&mut self, action: &str) -> Result<(), String>;
    /// Plays one event that needs no decision, with randomness from the seed of the match, and returns true.
    /// Returns false, and changes nothing, if a decision is awaited or the match is over.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject the event, or if this match does not hold what the event needs: a face, or
    /// all faces for a shuffle, a rearrangement, a cast and another seat's declaration. Nothing has changed
    /// then.
    fn advance(&mut self) -> Result<bool, String>;
    /// Appends the last event of `position`, which the online session has verified and applied, and makes `position`
    /// the current one. Does not run the rules. `number` counts the events of the match from 1 and must be the next
    /// one.
    ///
    /// # Errors
    ///
    /// Fails, and changes nothing, if the position is of another game or has no last event, or the number is not the
    /// next one.
    fn push_verified(&mut self, number: usize, position: &dyn AnyPosition) -> Result<(), String>;
    /// Returns the move that the page plays for the awaited seat: the continuation of its last choice, its only legal
    /// action, or a routine action of several. `None` if the person has a choice, no seat decides, or the legal
    /// actions are not known here. Does not play it.
    fn auto_move(&self) -> Option<Auto>;
    /// Returns whether an action or gesture of the awaited seat, in canonical text, cannot be undone: it casts a die,
    /// coin or lot or shows the seat a card before a seat decides, or the answers of others reveal something later
    /// ([`Board::reveals_later`](crate::board::Board::reveals_later)). Does not play it; false if it cannot be
    /// played.
    fn is_final(&self, action: &str) -> bool;
    /// Returns the number of events to take back in order to undo the last choice of this seat, with the gesture to
    /// which it belongs. `people` are the seats of all people at this screen; moves of other seats, such as bots, do
    /// not prevent it. Does not take anything back.
    ///
    /// A choice can be undone until a die, coin or lot is cast, its seat learns something (an unknown face is shown),
    /// or another of `people` decides, even without a choice.
    ///
    /// # Errors
    ///
    /// Fails with the reason why it cannot be undone, as a sentence; also if the seat has made no choice yet.
    fn undoable(&self, seat: Seat, people: &[Seat]) -> Result<usize, &'static str>;
    /// Removes the last `events` events and restores the position before them; all if there are fewer. Not checked:
    /// whether they can be undone ([`undoable`](GameView::undoable)).
    fn take_back(&mut self, events: usize);

    /// Draws the position after the first `at` events as the observer sees it: board, hand, panels, prompt, dialog.
    /// `at` beyond the end means the current position; `ui` has selection, names and colours. Its ledger and story
    /// are ignored: they are those of the match after `at` events.
    fn scene(&self, at: usize, observer: Observer, ui: &Ui) -> Scene;
    /// Returns the seat whose turn the next event belongs to; `None` if it belongs to the same turn as the
    /// event before.
    fn turn(&self) -> Option<Seat>;
    /// Returns how many pauses follow the last event, as the player of `ui` sees it: 0 inside an episode. After an
    /// event that no report shows: 2 after a die or coin, 3 after several faces were turned up for all. Else 1.
    fn weight(&self, ui: &Ui) -> i32;
    /// Returns the report of the last of the first `at` events as the observer sees it, or of the whole episode if
    /// that event ended one; `None` if there is none, at the start, and inside an episode. `at` beyond the end means
    /// all events. `ui` has names and colours.
    fn report(&self, at: usize, observer: Observer, ui: &Ui) -> Option<EventReport>;
    /// Returns the legal actions and gestures after the first `at` events (now, if there are not more), in the order
    /// of the legal list and then the routes of the board. Empty if no seat decides or the observer may not know
    /// them. Names of seats are still written `@0`.
    fn choices(&self, at: usize, observer: Observer) -> Vec<ListedAction>;
    /// Returns the reason for an action or a gesture of the awaited seat, given by its canonical text, as a sentence
    /// with seats as `@0`; `None` if it is not legal or the game gives none.
    fn merit(&self, action: &str) -> Option<String>;
    /// Returns the index of the current step of the turn, and the default amount that a click places or moves in it.
    fn usual_amount(&self) -> (usize, Amount);
    /// Returns the key of the piece that the page selects by itself now; `None` for none. `last` is the key of the
    /// piece that was used before.
    fn preselect(&self, last: Option<&str>) -> Option<Key>;
    /// Returns the key of the piece from which numbers are dragged now; `None` if there is none.
    fn store(&self) -> Option<Key>;
    /// Returns the note about the piece of this key in the position after `at` events (now, if there are not more) as
    /// the observer sees it, and why it cannot be used; both are empty for an unknown key. Only pieces that cannot be
    /// clicked should show the reason: it is not checked here.
    fn about(&self, at: usize, observer: Observer, key: &str) -> PieceInfo;
    /// Returns the card of the guided first match for the seat in the current position: the first step with
    /// an index of at least `from` (counted from 0) that fits, else a recommended move, or the last card if
    /// `from` is past all steps. `None` if no step fits and the seat does not decide, has no choice, or the
    /// guide recommends no move.
    fn guide(&self, from: usize, seat: Seat) -> Option<GuideCard>;
    /// Returns the log of the events after the first `from`, in words and in order, as the observer knows them; seats
    /// are written `@0`. Events without a sentence have no line.
    fn log(&self, from: usize, observer: Observer) -> Vec<LogLine>;
    /// Returns scores and estimated chances at the start, at each decision and at the end, for the chart; samples
    /// without a change are left out.
    fn history(&self) -> Vec<RaceSample>;
    /// Returns the texts of the end screen: the parts of each seat's score in the current position, why the match
    /// ended, and whether that explains a tie. Why is the verdict of the board, or without one the last sentence of
    /// the log; `None` before the end.
    fn verdict(&self) -> EndSummary;
    /// Returns the record without the annexes (and the seed) that a record of this kind does not contain, in
    /// the text format of records. The match does not change.
    ///
    /// # Errors
    ///
    /// Fails if this match does not hold the annexes of this kind.
    fn record(&self, kind: RecordKind) -> Result<String, String>;
    /// Returns the number of random games per second that this machine plays, measured for `millis`
    /// milliseconds, which must be positive: the page's speed test. 0 if this match does not hold all faces.
    /// Takes that long; the match does not change.
    fn speed(&self, millis: f64, clock: Clock) -> f64;
}

/// Everything that is drawn of a position, from the methods of [`Board`](crate::board::Board).
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// The board.
    pub board: El,
    /// The hand of the observer.
    pub hand: Option<Hand>,
    /// The panels of the seats, in order.
    pub seats: Vec<SeatPanel>,
    /// The round and its steps.
    pub steps: Steps,
    /// The prompt.
    pub awaited: String,
    /// The instruction after the clicks so far, if the game has one.
    pub next: Option<String>,
    /// The awaited seat.
    pub actor: Option<Seat>,
    /// Whether that seat decides out of turn.
    pub reacts: bool,
    /// The seat whose turn it is; `None` if the turn is that of the event before.
    pub turn: Option<Seat>,
    /// The prompt after a piece was selected.
    pub narrowed: Option<Ask>,
    /// The action that ends the turn, if nothing sensible is left to do.
    pub idle: Option<String>,
    /// The element below the seats.
    pub rail: Option<El>,
    /// The dialog over the board.
    pub dialog: Option<El>,
    /// The die that was just cast, if no dialog shows it.
    pub cast: Option<Cast>,
}

/// A die that was just cast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cast {
    /// Number of events after the cast.
    pub at: usize,
    /// Number of sides; 2 for a coin.
    pub sides: u32,
    /// The result.
    pub shows: u32,
    /// The consequence, in words.
    pub text: String,
}

/// A legal action or gesture, as the shell offers it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedAction {
    /// Its canonical text; for a gesture, the texts of all its actions.
    pub action: String,
    /// Its effect, for a person; of a gesture that of its last action.
    pub label: String,
    /// The heading of its group.
    pub kind: &'static str,
    /// The keys that select it, in the order of the clicks.
    pub path: Vec<Key>,
    /// Whether it is played as soon as its places are clicked, without a confirmation ([`Board::quick`]).
    ///
    /// [`Board::quick`]: crate::board::Board::quick
    pub quick: bool,
    /// Whether the board has a question of its own for it ([`Board::ask`]), because it spends something.
    ///
    /// [`Board::ask`]: crate::board::Board::ask
    pub asks: bool,
    /// Whether it passes an opportunity to react.
    pub passes: bool,
    /// Whether it achieves nothing.
    pub fails: bool,
    /// The question before it is played.
    pub ask: Ask,
    /// The canonical text of a safer action, offered as the primary button of the question.
    pub safer: Option<String>,
    /// Its button in the prompt, if it has one besides its keys.
    pub button: Option<PromptButton>,
    /// Its row in the list of actions.
    pub row: ActionRow,
}

impl ListedAction {
    /// Returns the action with the seats' names from `ui` in place of `@0` in all its texts: label, question, row and
    /// button. The canonical text and the keys stay.
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

/// A move that the page plays for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Auto {
    /// The canonical text of the action.
    pub action: String,
    /// Its effect, for a person.
    pub label: String,
    /// Whether it is played at once, without being shown as the only move.
    pub routine: bool,
}

/// The tooltip of a piece.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PieceInfo {
    /// Name, text and numbers.
    pub note: Option<Note>,
    /// Why nothing can be done with it.
    pub why_not: Option<String>,
}

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// Number of events after the event it belongs to.
    pub at: usize,
    /// The seat that acted.
    pub actor: Option<Seat>,
    /// The sentence; seats are written `@0`.
    pub text: String,
}

impl LogLine {
    /// Returns the seat that the text is about: the one whose name it begins with (`@` and a digit), or `reader`, the
    /// seat of the person who reads, if it begins with "Your"; otherwise `None`, as for what the table or the Empire
    /// does, such as dealing. Not the seat that acted (`actor`).
    pub fn about_seat(&self, reader: Option<Seat>) -> Option<Seat> {
        let named = self.text.strip_prefix('@').and_then(|rest| rest.chars().next()?.to_digit(10));
        let you = reader.filter(|_| self.text.starts_with("Your "));
        named.map(|seat| Seat(seat as u8)).or(you)
    }

    /// Splits the line at its line breaks into one line for each run of paragraphs about one seat
    /// ([`about_seat`](Self::about_seat)): a paragraph about another seat, or about none, starts a new line, so that
    /// each line can have the symbol of its seat. Paragraphs about the same seat stay together. `reader` is the seat
    /// of the person who reads, whom "Your" means. All lines keep the event and the actor; there is at least one.
    pub fn by_seat(&self, reader: Option<Seat>) -> Vec<LogLine> {
        let mut out: Vec<LogLine> = Vec::new();
        for text in self.text.split('\n') {
            let line = LogLine { text: text.to_string(), ..self.clone() };
            match out.last_mut().filter(|last| last.about_seat(reader) == line.about_seat(reader)) {
                Some(last) => last.text = format!("{}\n{text}", last.text),
                None => out.push(line),
            }
        }
        out
    }
}

/// A point of the score chart.
#[derive(Clone, PartialEq, Debug)]
pub struct RaceSample {
    /// Number of events.
    pub at: usize,
    /// The round, in words.
    pub round: String,
    /// The score of each seat.
    pub scores: Vec<i32>,
    /// The estimated chance of each seat, in thousandths.
    pub chances: Vec<i32>,
}

/// The texts of the end screen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EndSummary {
    /// Why the match ended.
    pub why: Option<String>,
    /// Whether `why` explains what broke a tie of scores.
    pub explains_ties: bool,
    /// By seat, the parts of its score, in the order of the headings of [`Look::parts`].
    pub parts: Vec<Vec<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_log_has_the_symbol_of_the_seat_that_it_names() {
        let about = |text: &str| {
            let line = LogLine { at: 1, actor: Some(Seat(2)), text: text.to_string() };
            line.about_seat(Some(Seat(0)))
        };
        assert_eq!(about("@1 draws 5 cards."), Some(Seat(1)));
        assert_eq!(about("Your deck is shuffled."), Some(Seat(0)));
        // Not the seat that acted, not the one that something is done to, and not the one of a later sentence.
        assert_eq!(about("The Empire attacks @3 with 2."), None);
        assert_eq!(about("Votes: Coins by @1; HR by @0."), None);
        assert_eq!(about("Revealed: Siege Tower."), None);
        assert_eq!(about("The Empire's new cards: Laborer.\n@0 gains 2 VP."), None);
        assert_eq!(about("New round. @1 begins."), None);
    }

    #[test]
    fn a_paragraph_about_another_seat_is_a_line_of_its_own() {
        let lines = |text: &str| {
            let line = LogLine { at: 7, actor: Some(Seat(0)), text: text.to_string() };
            let lines = line.by_seat(Some(Seat(0)));
            assert!(lines.iter().all(|line| line.at == 7 && line.actor == Some(Seat(0))));
            lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
        };
        let own = "@0 attacks @1: 2 against 0. @0 wins by 2.\n@0 gains 2 VP. @1 loses 2 VP.";
        assert_eq!(lines(own), [own]);
        assert_eq!(lines("@0 stations a card.\n@1 gains 3 VP."), ["@0 stations a card.", "@1 gains 3 VP."]);
        assert_eq!(lines("Revealed: Archer.\n@1 attacks @0."), ["Revealed: Archer.", "@1 attacks @0."]);
        assert_eq!(lines("The map is drawn.\nRound 1 begins."), ["The map is drawn.\nRound 1 begins."]);
    }
}
