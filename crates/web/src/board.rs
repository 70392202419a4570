//! What a game gives the shell: one trait, implemented once for each game in `boards/`.
//!
//! Everything is a pure function of a [`Position`] seen by some observer. A board never says what is legal: the
//! shell takes that from the legal list, and asks the board only which places an action touches.

use crate::guide::Guide;
use crate::markup::{El, Text};
use crate::ui::{Amount, Ui};
use pentarchy_engine::{AppliedEvent, Describe, Game, Heuristic, LoggedEventOf, Position, Seat};

/// A place or piece that can be touched: `hex 3,-1`, `#17`, `slot 2`, `n 5`. Drawn as the attribute `data-key`.
pub type Key = String;

/// How a game looks.
pub trait Board: Game + Describe + Heuristic {
    /// What stays the same all through.
    const LOOK: Look;

    /// The guided first game.
    const GUIDE: Guide<Self>;

    /// The board in the middle.
    fn draw(view: &Position<Self>, ui: &Ui) -> El;

    /// Draws the hand under the prompt, of the observing seat; `None` if the game has no hands.
    fn hand(_view: &Position<Self>, _ui: &Ui) -> Option<Hand> {
        None
    }

    /// What everybody may read of a seat.
    fn seat(view: &Position<Self>, seat: Seat) -> SeatPanel;

    /// The round, and the steps of a turn.
    fn steps(view: &Position<Self>) -> Steps;

    /// The places that an action touches, in the order in which they are clicked: first the card, then where it
    /// goes. The last may be a number (`n 5`), which is offered as a chip. Nothing: a button only.
    fn touches(view: &Position<Self>, action: Self::Action, path: &mut Vec<Key>);

    /// Whether the action costs nothing, like selecting a hex: it is done as soon as its places are clicked, without
    /// a question even where it cannot be undone.
    fn quick(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// The instruction of the prompt while only a part of a path has been clicked, or several actions share the path.
    fn next(_view: &Position<Self>, _chosen: &[Key]) -> Option<String> {
        None
    }

    /// A safe action in place of one that threatens the player with an immediate loss. The prompt makes it the primary
    /// button of the question.
    fn safer(_view: &Position<Self>, _action: Self::Action) -> Option<Self::Action> {
        None
    }

    /// Whether the action is routine: the shell plays it by itself if it is one of several that make no difference
    /// to the player, such as laying the cards of an opening hand.
    fn routine(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// The action that goes on with what the seat did last by its own choice, such as refilling the next slot: the page
    /// plays it by itself if it is legal.
    fn continues(_view: &Position<Self>, _last: Self::Action) -> Option<Self::Action> {
        None
    }

    /// Whether the answers of other seats reveal something, so that the action cannot be undone although it reveals
    /// nothing itself: a card that is played face down and turned up when everybody has played. The shell asks before it.
    fn reveals_later(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// Whether the action only selects something and the same seat decides what to do with it: the page then plays both
    /// as one gesture ([`gesture`](crate::gesture)). The path of the second action is appended to that of the first.
    fn selects(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// Sequences of two and more actions that the page offers as one choice besides the single actions, such as a march
    /// over several lands. A route is chosen by the path of its last action, which no single action may have.
    fn routes(_view: &Position<Self>) -> Vec<Vec<Self::Action>> {
        Vec::new()
    }

    /// How many a click places or moves unless the player chooses another amount, in this step of a turn.
    fn usual_amount(_view: &Position<Self>) -> Amount {
        Amount::All
    }

    /// The piece that the page selects by itself at this decision. `last` is the piece that was used before.
    fn preselect(_view: &Position<Self>, _last: Option<&str>) -> Option<Key> {
        None
    }

    /// The piece from which numbers are dragged to places whose path is `[place, number]`: a store of soldiers.
    fn store(_view: &Position<Self>) -> Option<Key> {
        None
    }

    /// What the prompt says after a piece was chosen: the question and the consequence. Before that only the consequence
    /// is shown, below what is awaited.
    fn narrowed(_view: &Position<Self>, _ui: &Ui) -> Option<Ask> {
        None
    }

    /// Whether the action achieves nothing, like an attack that loses: its number is marked red.
    fn fails(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// The action that ends the turn, if nothing sensible is left to do: the page takes it after three seconds.
    fn idle(_view: &Position<Self>) -> Option<Self::Action> {
        None
    }

    /// Whether the seat is asked out of turn: the prompt says "React" and may count down.
    fn reacts(_view: &Position<Self>) -> bool {
        false
    }

    /// The seat whose turn the next event belongs to: all events of a turn share one time budget. Nothing if it belongs to
    /// the same turn as the event before. By default the seat that is asked, unless it reacts.
    fn turn(view: &Position<Self>) -> Option<Seat> {
        view.actor().filter(|_| !Self::reacts(view))
    }

    /// Whether this lets an opportunity pass; what is done when the time for a reaction is over.
    fn passes(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// A button in the prompt for an action that also has places on the board. Actions without places always have one.
    fn button(_view: &Position<Self>, _action: Self::Action) -> Option<PromptButton> {
        None
    }

    /// The question before the action is done; by default the action's label.
    fn ask(_view: &Position<Self>, _action: Self::Action) -> Option<Ask> {
        None
    }

    /// What the action is good for, in one sentence with numbers: the reason of a hint. Nothing if there is none that
    /// the game can name; the search then says how it compares with other actions. Seats are written `@0`.
    fn merit(_view: &Position<Self>, _action: Self::Action) -> Option<String> {
        None
    }

    /// A sentence of the game in the words of this board, where one step of the page is several actions of the rules.
    fn worded(_view: &Position<Self>, sentence: String) -> String {
        sentence
    }

    /// How the list shows an action: an icon, and the consequence at the right ("7", "slot 2").
    fn row(_view: &Position<Self>, _action: Self::Action) -> ActionRow {
        ActionRow::default()
    }

    /// Why nothing can be done with a piece now, in numbers: "Costs 5, you have 3."
    fn why_not(_view: &Position<Self>, _key: &str) -> Option<String> {
        None
    }

    /// What a piece is, in full: shown on hover, focus and long press.
    fn explain(_view: &Position<Self>, _key: &str) -> Option<Note> {
        None
    }

    /// Below the seats: a ledger or a legend.
    fn rail(_view: &Position<Self>, _ui: &Ui) -> Option<El> {
        None
    }

    /// A dialog over the board while something special goes on: a battle, a roll.
    fn dialog(_view: &Position<Self>, _ui: &Ui) -> Option<El> {
        None
    }

    /// The report of an event: what a finished battle or a roll looked like. Nothing for ordinary events. Written
    /// from the facts of the event, as the observer knows them.
    fn report(_event: &AppliedEvent<'_, Self>, _ui: &Ui) -> Option<EventReport> {
        None
    }

    /// Whether this position is inside an episode: several events that one report tells as a whole, such as a battle
    /// with its decisions and rolls. The events of an episode are shown without pauses between them.
    fn in_episode(_view: &Position<Self>) -> bool {
        false
    }

    /// The report after the last of several events. `events` are all events of the episode that has just ended (or
    /// the last event alone); `after` is the position after the last.
    ///
    /// By default the report of the last event. A board with episodes overrides this.
    fn retell(events: &[SeenEvent<Self>], after: &Position<Self>, ui: &Ui) -> Option<EventReport> {
        Self::report(&events.last()?.applied(after), ui)
    }

    /// The points that seats won and lost by an event, and why, for the ledger of [`Ui::ledger`]. Nothing for a
    /// game without a ledger.
    fn changes(_event: &AppliedEvent<'_, Self>) -> Vec<PointChange> {
        Vec::new()
    }

    /// Whether something begins with this event, or goes on, of which a dialog tells more than the last part
    /// ([`Ui::story`]).
    fn chapter(_event: &AppliedEvent<'_, Self>) -> Option<Chapter> {
        None
    }

    /// The number of the chart of scores over time.
    fn score(view: &Position<Self>, seat: Seat) -> i32;

    /// The parts of a seat's final score, in the order of [`Look::parts`].
    fn parts(_view: &Position<Self>, _seat: Seat) -> Vec<String> {
        Vec::new()
    }

    /// Why the game ended so, in one sentence; seats are written `@0`.
    fn verdict(_view: &Position<Self>) -> Option<String> {
        None
    }
}

/// An event of an episode, with the position before it, as the observer knows them.
#[derive(Clone, Debug)]
pub struct SeenEvent<G: Game> {
    /// The position before the event.
    pub before: Position<G>,
    /// The event.
    pub line: LoggedEventOf<G>,
    /// What the rules did.
    pub facts: Vec<G::Fact>,
}

impl<G: Game> SeenEvent<G> {
    /// This event with the position after it.
    pub fn applied<'a>(&'a self, after: &'a Position<G>) -> AppliedEvent<'a, G> {
        AppliedEvent { before: &self.before, line: &self.line, facts: &self.facts, after }
    }
}

/// Points that a seat won or lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointChange {
    /// The seat.
    pub seat: Seat,
    /// The change.
    pub by: i32,
    /// The reason, in a few words.
    pub why: String,
}

/// What a finished battle or a roll looked like. The shell shows it over the board after its event.
///
/// Parts of `el` with a class `step1` … `step6` appear one after another; all animations together take at most 4 s.
#[derive(Clone, PartialEq, Debug)]
pub struct EventReport {
    /// The panel: heading, rows, verdict. The shell adds the frame and the buttons.
    pub el: El,
    /// How the page shows it.
    pub display: ReportDisplay,
    /// One sentence for screen readers, with names in place of `@0`. Log and ledger use the same words.
    pub summary: String,
}

/// How the page shows a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportDisplay {
    /// A dialog; the game waits for *Continue*. For battles and the like in which the player of this screen takes part.
    Dialog,
    /// A dialog that closes by itself after a few seconds. For short results that concern the player of this screen.
    BriefDialog,
    /// A note at the edge that never waits. For what happens to others.
    Note,
}

impl ReportDisplay {
    /// Returns `Dialog` if the player of this screen takes part, else `Note`.
    pub fn dialog_if(takes_part: bool) -> Self {
        if takes_part { Self::Dialog } else { Self::Note }
    }

    /// Whether the game waits until the report is closed.
    pub fn is_modal(self) -> bool {
        self != Self::Note
    }
}

/// What an event is in a story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chapter {
    /// Something begins.
    Begins,
    /// It goes on with this.
    GoesOn(String),
}

/// What stays the same all through a game.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The icon of the game.
    pub emblem: &'static str,
    /// The pitch on the cover.
    pub pitch: &'static str,
    /// The colour (1 to 6) of each seat unless the players choose others.
    pub colours: [u8; 6],
    /// What the large number of a seat is.
    pub counts: &'static str,
    /// The headings of [`Board::parts`]: at most three.
    pub parts: &'static [&'static str],
}

/// What everybody may read of a seat.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SeatPanel {
    /// The one number that decides the game.
    pub number: String,
    /// At most three small ones: a word, and a value set bold.
    pub small: Vec<(Text, String)>,
    /// What the seat is doing while it is awaited: "Choosing whom to attack".
    pub doing: String,
    /// Whether it is out of the game.
    pub out: bool,
    /// Anything more: a row of tiles.
    pub more: Option<El>,
}

/// The round and the steps of a turn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Steps {
    /// "Round 7 of 40".
    pub round: String,
    /// The steps of a turn.
    pub names: &'static [&'static str],
    /// Which of them it is.
    pub at: usize,
}

/// The cards of a hand.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hand {
    /// Its heading: "Your hand".
    pub label: Text,
    /// A muted line under the heading.
    pub note: Text,
    /// The cards, usually from [`card`](crate::card::card).
    pub cards: Vec<El>,
    /// What stands at the right of the hand, such as a tableau.
    pub beside: Option<El>,
}

/// The question before an action is done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ask {
    /// "Buy Apprenticeship for 7?"
    pub question: String,
    /// "You keep 11 of 18."
    pub consequence: String,
    /// What the button says, verb first: "Buy for 7".
    pub verb: String,
}

/// A button in the prompt for an action that also has places on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PromptButton {
    /// What it says, verb first.
    pub label: String,
    /// Whether it is the primary button.
    pub primary: bool,
    /// Whether only a narrow screen has it, because its board has no room for the place.
    pub narrow_only: bool,
}

/// How the list shows an action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActionRow {
    /// The name of an icon.
    pub icon: Option<&'static str>,
    /// The label in place of the long one, where the group's heading says the rest.
    pub label: Option<String>,
    /// The consequence at the right.
    pub value: Option<String>,
}

/// A piece in full.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// Its name.
    pub title: String,
    /// Its text.
    pub text: String,
}
