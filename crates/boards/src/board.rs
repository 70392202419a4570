//! The interface of a game to the shell: one trait. Everything in it has a default, the default board (`plain`),
//! so that `impl Board for MyGame {}` makes a game playable; a game replaces what it draws or says better itself.
//!
//! Everything is a pure function of a [`Position`] seen by some observer. A board never says what is legal: the
//! shell takes that from the legal list, and asks the board only which places an action touches.

use crate::guide::Guide;
use crate::markup::{El, Text};
use crate::plain;
use crate::ui::{Amount, Ui};
use pentarchy_engine::{AppliedEvent, Describe, Game, Heuristic, LoggedEventOf, Position, Seat, Size};

/// A place or piece that can be touched: `hex 3,-1`, `#17`, `slot 2`, `n 5`. Drawn as the attribute `data-key`.
pub type Key = String;

/// How a game looks.
pub trait Board: Game + Describe + Heuristic {
    /// What the board shows independently of the position. By default the game's pitch and a generated cover.
    const LOOK: Look = plain::look(Self::INFO, <Self::Size as Size>::TOKENS > 0);

    /// The guided first game. By default a guide of the first turn.
    const GUIDE: Guide<Self> = Guide::FIRST_TURN;

    /// Draws the board in the middle of the page, as the observer of `view` sees it. Marks pieces as clickable,
    /// chosen and hinted from `ui`, and colours seats by it. By default draws the zones with their tokens and the
    /// layout of the game ([`Describe::layout`]), or its table as text.
    fn draw(view: &Position<Self>, ui: &Ui) -> El {
        plain::draw(view, ui)
    }

    /// Draws the hand under the prompt, usually that of `ui.seat`. `None` if the game has no hands or there is
    /// nothing to show. By default the tokens in the zones of `ui.seat` that are not open.
    fn hand(view: &Position<Self>, ui: &Ui) -> Option<Hand> {
        plain::hand(view, ui)
    }

    /// Returns the sentence of the prompt: what is awaited, of whom; seats are written `@0`. Called for every
    /// position, also after the end. By default that of the game ([`Describe::awaited`], adapted by
    /// [`worded`](Board::worded)); for a decision that the game does not describe, an instruction by what the legal
    /// actions touch.
    fn prompt(view: &Position<Self>) -> String {
        plain::prompt(view)
    }

    /// Returns the panel of a seat: its main number, small numbers, what it is doing, and whether it is out. `view`
    /// may be that of any observer, so the panel holds only public information. By default the numbers of the layout,
    /// and how many tokens the seat has.
    fn seat(view: &Position<Self>, seat: Seat) -> SeatPanel {
        plain::seat(view, seat)
    }

    /// Returns the name of the round, the names of the steps of a turn, and the index of the current step. Called for
    /// every position, also after the end. By default there are neither.
    fn steps(_view: &Position<Self>) -> Steps {
        Steps::default()
    }

    /// Adds to `path` the keys that an action touches, in the order in which they are clicked: first the card, then
    /// where it goes. The last may be a number (`n 5`), which is offered as a chip. Nothing is added for an action
    /// that has only a button. The caller passes an action that is legal in `view`. Keys already in `path`, those of
    /// a selecting action, stay; a key may be put before them, such as a building before its hex. By default the
    /// tokens, places and joint zones that the canonical text of the action names, in the order of its words.
    fn touches(view: &Position<Self>, action: Self::Action, path: &mut Vec<Key>) {
        plain::touches(view, action, path);
    }

    /// Returns whether the action needs no confirmation, because it costs nothing, like selecting a hex, or its
    /// effect is written where it is clicked: it is played as soon as its places are clicked, even if it cannot be
    /// undone. By default `false`.
    fn quick(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// Returns the instruction of the prompt for the keys clicked so far (`chosen`, empty before the first click):
    /// while only a part of a path has been clicked, or several actions share the path. `None` for the usual prompt,
    /// which is the default.
    fn next(_view: &Position<Self>, _chosen: &[Key]) -> Option<String> {
        None
    }

    /// Returns a safe alternative to an action that threatens the player with an immediate loss; `None` if the action
    /// is not dangerous. A dangerous action is always asked before it is played, and the safe one is the primary
    /// button of the question. The default is `None`.
    fn safer(_view: &Position<Self>, _action: Self::Action) -> Option<Self::Action> {
        None
    }

    /// Returns whether the page plays this legal action of the deciding seat by itself, without asking, although
    /// others may be legal: they make no difference to the player, such as the ways of laying the cards of an opening
    /// hand. Of several routine actions the first in legal order is played. A routine action that is the only legal
    /// one is played without being shown first. By default `false`.
    fn routine(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// Returns the action that continues `last`, such as refilling the next slot; `None` if there is none (the
    /// default). `last` is the latest action that the deciding seat chose where it had a choice; other seats and
    /// forced moves may have followed it. The page plays the continuation by itself if it is legal; the board need
    /// not check that.
    fn continues(_view: &Position<Self>, _last: Self::Action) -> Option<Self::Action> {
        None
    }

    /// Returns whether answers of other seats reveal something later, so that the action cannot be undone although it
    /// reveals nothing itself: a card that is played face down and turned up when all have played. The shell asks
    /// before it as before any action that cannot be undone. By default `false`.
    fn reveals_later(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// Returns whether the action only selects something, so that the same seat decides next what to do with it. The
    /// page offers both as one gesture ([`gesture`](crate::gesture)): it appends the path of the second action to
    /// that of the first, plays both at once and undoes both together. By default `false`.
    fn selects(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// Returns sequences of two and more actions that the page offers as one choice besides the single actions, such
    /// as a march over several lands. A route is chosen by the path of its last action, which no single action may
    /// have. The page drops a route of which an action before the last is not legal. By default there are none.
    fn routes(_view: &Position<Self>) -> Vec<Vec<Self::Action>> {
        Vec::new()
    }

    /// Returns how many a click places or moves in this step of a turn, unless the player chooses another amount. By
    /// default [`Amount::All`].
    fn usual_amount(_view: &Position<Self>) -> Amount {
        Amount::All
    }

    /// Returns the key of the piece that the page selects by itself at this decision; `None` for none (the default).
    /// `last` is the key of the piece that was used before, if any.
    fn preselect(_view: &Position<Self>, _last: Option<&str>) -> Option<Key> {
        None
    }

    /// Returns the key of the piece from which numbers are dragged to places whose path is `[place, number]`, such as
    /// a store of soldiers; `None` if there is none (the default).
    fn store(_view: &Position<Self>) -> Option<Key> {
        None
    }

    /// Returns the prompt for the selection in `ui.chosen`, the keys clicked so far: question and consequence,
    /// without a verb. While nothing is selected, only the consequence is shown, below what is awaited. `None` for
    /// the usual prompt, which is the default.
    fn narrowed(_view: &Position<Self>, _ui: &Ui) -> Option<Ask> {
        None
    }

    /// Returns whether the action achieves nothing, like an attack that loses: its number is marked red, but it can
    /// still be played. By default `false`.
    fn fails(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// Returns the action that ends the turn of the awaited seat if nothing sensible is left to do; otherwise `None`
    /// (the default). The page plays it by itself after three seconds, so it must be legal.
    fn idle(_view: &Position<Self>) -> Option<Self::Action> {
        None
    }

    /// Returns whether the awaited seat decides out of turn, as an answer to another seat: the prompt says "React"
    /// and may count down. By default `false`.
    fn reacts(_view: &Position<Self>) -> bool {
        false
    }

    /// Returns the seat whose turn the next event of `view` belongs to; `None` if it belongs to the same turn as the
    /// event before. By default the seat that decides or declares, and `None` for all other events and while
    /// [`reacts`](Board::reacts) holds. All events of a turn share one time budget. The prompt of another seat that
    /// decides in it says "Your answer".
    fn turn(view: &Position<Self>) -> Option<Seat> {
        view.actor().filter(|_| !Self::reacts(view))
    }

    /// Returns whether the action passes an opportunity to react. The page plays it when the time for a reaction is
    /// over, or at once, without showing it, if it is the only legal action. By default `false`.
    fn passes(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// Returns a button in the prompt for an action that also has places on the board; `None` for no button. Actions
    /// without places always have one. The default is `None`.
    fn button(_view: &Position<Self>, _action: Self::Action) -> Option<PromptButton> {
        None
    }

    /// Returns the question before the action is played; `None` for the default question, which repeats the action's
    /// label. The question is asked only before an action that needs a confirmation: locally one that cannot be
    /// undone, at an online table one of fewer than two clicks, but never a [`quick`](Board::quick) one or a pass. An
    /// action without keys is then asked only if it has a question here. Seats are written `@0`.
    fn ask(_view: &Position<Self>, _action: Self::Action) -> Option<Ask> {
        None
    }

    /// Describes what the action achieves, in one sentence with numbers: the reason of a hint. `None` if the game can
    /// name no reason; the search then says how the action compares with others. Seats are written `@0`. The default
    /// is `None`.
    fn merit(_view: &Position<Self>, _action: Self::Action) -> Option<String> {
        None
    }

    /// Adapts a sentence of the game (a log line, label, prompt or reason) to this board, where one step of the page
    /// is several actions of the rules. By default returns it unchanged. The caller passes the position in which the
    /// sentence is shown.
    fn worded(_view: &Position<Self>, sentence: String) -> String {
        sentence
    }

    /// Returns how the list shows an action: an icon, a label, and the consequence at the right (`7`, `slot 2`). By
    /// default all three are empty, and the list shows the action's full label.
    fn row(_view: &Position<Self>, _action: Self::Action) -> ActionRow {
        ActionRow::default()
    }

    /// Explains with numbers why the piece of this key cannot be used now by the awaited seat: `Costs 5, you have 3.`
    /// `None` if the key is unknown or there is no known reason; the default is `None`. Not checked: whether the
    /// piece can in fact be used.
    fn why_not(_view: &Position<Self>, _key: &str) -> Option<String> {
        None
    }

    /// Returns the full note about the piece of this key, shown on hover, focus and long press; `None` if the key is
    /// unknown or there is nothing to say. By default describes tokens that the observer knows, and joint zones.
    fn explain(view: &Position<Self>, key: &str) -> Option<Note> {
        plain::explain(view, key)
    }

    /// Draws what stands below the seats, such as a ledger or a legend; `None` for nothing, which is the default.
    fn rail(_view: &Position<Self>, _ui: &Ui) -> Option<El> {
        None
    }

    /// Draws a dialog over the board while a battle, a roll or something similar is under way in `view`; `None` for
    /// no dialog, which is the default. A die that was just cast is then not shown beside it. Reports of finished
    /// events come from [`report`](Board::report).
    fn dialog(_view: &Position<Self>, _ui: &Ui) -> Option<El> {
        None
    }

    /// Builds the report of one event, such as a finished battle or a roll, from its facts as the observer knows
    /// them. `None` for ordinary events, and by default for all. Only called through [`retell`](Board::retell).
    fn report(_event: &AppliedEvent<'_, Self>, _ui: &Ui) -> Option<EventReport> {
        None
    }

    /// Returns whether this position is inside an episode: several events that share one report, such as a battle
    /// with its decisions and rolls. The events of an episode are shown without pauses between them. By default
    /// `false`.
    fn in_episode(_view: &Position<Self>) -> bool {
        false
    }

    /// Builds the report after the last of several events; `None` if there is nothing to report, or `events` is
    /// empty. `events` are all events of the episode that has just ended (or the last event alone), `after` is the
    /// position after the last.
    ///
    /// By default builds the report of the last event. A board with episodes overrides this.
    fn retell(events: &[SeenEvent<Self>], after: &Position<Self>, ui: &Ui) -> Option<EventReport> {
        Self::report(&events.last()?.applied(after), ui)
    }

    /// Returns the points that seats won and lost by an event, with reasons in which seats are written `@0`, for the
    /// ledger of [`Ui::ledger`]. Empty for a game without a ledger, and by default.
    fn changes(_event: &AppliedEvent<'_, Self>) -> Vec<PointChange> {
        Vec::new()
    }

    /// Returns whether the event begins a chapter ([`Chapter::Begins`]) or adds a text to it ([`Chapter::GoesOn`]); a
    /// dialog shows the texts together ([`Ui::story`]). `None` if it does neither, which is the default.
    fn chapter(_event: &AppliedEvent<'_, Self>) -> Option<Chapter> {
        None
    }

    /// Returns the score of a seat in this position, for the chart of scores over time; higher is better. By default
    /// the final score, and 0 before the end.
    fn score(view: &Position<Self>, seat: Seat) -> i32 {
        plain::score(view, seat)
    }

    /// Returns the parts of a seat's score in this position as texts, one for each heading of [`Look::parts`] and in
    /// that order. By default empty.
    fn parts(_view: &Position<Self>, _seat: Seat) -> Vec<String> {
        Vec::new()
    }

    /// Whether [`verdict`](Self::verdict) says what broke a tie of scores. Otherwise the page adds that a tie-break
    /// decided.
    const EXPLAINS_TIES: bool = false;

    /// Explains in one sentence how the game was decided; seats are written `@0`. `None` before the end, or if there
    /// is nothing to add to the last line of the log; the default is `None`.
    fn verdict(_view: &Position<Self>) -> Option<String> {
        None
    }
}

/// An event of an episode, with the position before it, as the observer knows them.
#[derive(Clone, Debug)]
pub struct SeenEvent<G: Game> {
    /// The position before the event.
    pub before: Position<G>,
    /// The event, with the annexes of this observer only.
    pub line: LoggedEventOf<G>,
    /// What the rules did.
    pub facts: Vec<G::Fact>,
}

impl<G: Game> SeenEvent<G> {
    /// Returns this event together with `after`, the position after it. Not checked: whether `after` follows from the
    /// event.
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
    /// A dialog; the game waits for *Continue*. For battles and other conflicts in which the player of this screen
    /// takes part.
    Dialog,
    /// A dialog that closes by itself after a few seconds. For short results that concern the player of this screen.
    BriefDialog,
    /// A note at the edge that never waits. For what happens to others.
    Note,
}

impl ReportDisplay {
    /// Returns `Dialog` if `takes_part`, whether the player of this screen takes part in the event, else `Note`.
    pub fn dialog_if(takes_part: bool) -> Self {
        if takes_part { Self::Dialog } else { Self::Note }
    }

    /// Returns whether the game waits until the report is closed: true for `Dialog` and `BriefDialog`, which closes
    /// by itself, false for `Note`.
    pub fn is_modal(self) -> bool {
        self != Self::Note
    }
}

/// What an event does to the story of the current chapter ([`Ui::story`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chapter {
    /// A chapter begins: the texts of the chapter before it are dropped.
    Begins,
    /// Adds this text to the current chapter.
    GoesOn(String),
}

/// What a board shows independently of the position.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The icon of the game.
    pub emblem: &'static str,
    /// The pitch on the cover.
    pub pitch: &'static str,
    /// The drawing on the cover: the inside of an SVG element with the view box `0 0 300 400`. Empty for a generated
    /// one.
    pub cover: &'static str,
    /// The colour (1 to 6) of each seat unless the players choose others.
    pub colours: [u8; 6],
    /// The name of the large number of a seat, such as `victory points`.
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
    /// What the seat is doing: "Choosing whom to attack". The page shows it only while the seat is awaited.
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
    /// The index of the current step in `names`; 0 if there are no steps.
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

/// The full note about a piece.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// Its name.
    pub title: String,
    /// Its text.
    pub text: String,
}
