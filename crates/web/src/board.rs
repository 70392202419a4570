//! What a game gives the shell: one trait, implemented once for each game in `boards/`.
//!
//! Everything is a pure function of a [`Position`] seen by some observer. A board never says what is legal: the
//! shell takes that from the legal list, and asks the board only which places an action touches.

use crate::markup::{El, Text};
use crate::ui::Ui;
use pentarchy_engine::{Describe, Game, Heuristic, LineOf, Position, Seat};

/// A place or piece that can be touched: `hex 3,-1`, `#17`, `slot 2`, `n 5`. Drawn as the attribute `data-key`.
pub type Key = String;

/// How a game looks.
pub trait Board: Game + Describe + Heuristic {
    /// What stays the same all through.
    const LOOK: Look;

    /// The board in the middle.
    fn draw(view: &Position<Self>, ui: &Ui) -> El;

    /// The hand under the prompt, of the seat whose eyes these are; nothing if the game has none.
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

    /// Whether the action is done as soon as its places are clicked, without a question: for choices that cost
    /// nothing, like selecting a hex. (A path of two and more places is always done at the last click.)
    fn quick(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// Whether the seat is asked out of turn: the prompt says "React" and may count down.
    fn reacts(_view: &Position<Self>) -> bool {
        false
    }

    /// Whether this lets an opportunity pass; what is done when the time for a reaction is over.
    fn passes(_view: &Position<Self>, _action: Self::Action) -> bool {
        false
    }

    /// The question before the action is done; by default the action's label.
    fn ask(_view: &Position<Self>, _action: Self::Action) -> Option<Ask> {
        None
    }

    /// A sentence of the game in the words of this board: where the notation counts from 0 or names places by
    /// coordinates, people want slots from 1 and names.
    fn worded(_view: &Position<Self>, sentence: String) -> String {
        sentence
    }

    /// How the list shows an action: an icon, and the consequence at the right ("7", "slot 2").
    fn row(_view: &Position<Self>, _action: Self::Action) -> Row {
        Row::default()
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

    /// A dialog that tells of a die that has just been cast; `before` is the position in which it was.
    fn rolled(_before: &Position<Self>, _number: u32, _ui: &Ui) -> Option<El> {
        None
    }

    /// What a change of points was for, in a few words, for the ledger of [`Ui::ledger`].
    fn reason(
        _before: &Position<Self>,
        _line: &LineOf<Self>,
        _after: &Position<Self>,
        _seat: Seat,
    ) -> String {
        String::new()
    }

    /// Whether something begins with this event, or goes on, of which a dialog tells more than the last part
    /// ([`Ui::story`]).
    fn chapter(_before: &Position<Self>, _line: &LineOf<Self>, _after: &Position<Self>) -> Option<Chapter> {
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
    /// What it takes, in minutes.
    pub minutes: u16,
    /// The pitch on the cover.
    pub pitch: &'static str,
    /// The colour (1 to 6) of each seat unless the players choose others.
    pub colours: [u8; 6],
    /// What the large number of a seat is.
    pub counts: &'static str,
    /// The headings of [`Board::parts`]: at most three.
    pub parts: &'static [&'static str],
    /// The guided first game.
    pub lesson: &'static [Lesson],
}

/// A step of the guided first game: it points at something, and goes on when the player has done it.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// What is pointed at: the beginning of a key, or `prompt`, `hand`, `list`, `seats`, `log`, `board`.
    pub at: &'static str,
    /// What is said, in at most thirty words.
    pub say: &'static str,
    /// How it goes on.
    pub until: Until,
}

/// When a step of the guided first game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At a click on *Next*.
    Next,
    /// When the player has done an action that begins so.
    Does(&'static str),
    /// When it is the player's turn again.
    MyTurn,
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

/// How the list shows an action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Row {
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
