//! Texts and pictures for people.

mod labels;
mod log;
mod table;
mod texts;

use crate::actions::Action;
use crate::state::{Numeral, Stage};
use pentarchy_engine::describe::{Describe, who};
use pentarchy_engine::{AppliedEvent, Observer, Position, Seat, fill_text};
use serde_json::Value;
use texts::LOG;

impl pentarchy_engine::Encode for Numeral {}

impl Numeral {
    /// Describes in one line why the game ended, who won, and what broke a tie; `None` before the end. Seats
    /// are written `@0`.
    pub fn end_text(&self) -> Option<String> {
        log::ending(self)
    }
}

impl Describe for Numeral {
    const SUMMARY: &'static str = include_str!("summary.txt");

    /// Draws players and map as text with ANSI colours, or a sentence if there is no map yet; nothing is
    /// hidden, so all observers see the same.
    fn table(view: &Position<Self>) -> String {
        table::draw(view.state())
    }

    /// Returns the text of an action for the active player, with its result in numbers. Without a selected
    /// hex, placing, building and marching give their notation. Does not check that the action is legal.
    fn label(view: &Position<Self>, action: Action) -> String {
        labels::label(view.state(), action)
    }

    /// Returns the heading under which a list of actions shows this one: `End turn`, `Choose a hex`, `Place
    /// soldiers`, `Build` or `Move`.
    fn kind(action: Action) -> &'static str {
        match action {
            Action::Done => "End turn",
            Action::Select(_) => "Choose a hex",
            Action::Place(_) => "Place soldiers",
            Action::Build(_) => "Build",
            Action::March(..) => "Move",
        }
    }

    /// Returns what is awaited: an instruction if the observer is the active player, else a sentence about
    /// that player or about the chance event.
    fn awaited(view: &Position<Self>) -> String {
        let game = view.state();
        let (actor, board) = (who(game.active), game.board());
        let asked = view.observer() == Observer::Seat(game.active);
        let gold = board.storage(game.active);
        let home = board.home(game.active);
        let armies = board.awake().iter().filter(|&cell| Some(cell) != home).count();
        match (game.stage, asked) {
            (Stage::SeedHigh | Stage::SeedLow(_), _) => "Drawing the map…".to_string(),
            (Stage::Place, true) if gold == 0 => "Nothing left to spend".to_string(),
            (Stage::Place, true) => format!("Place soldiers or build ({gold} gold)"),
            (Stage::PlaceAt(_), true) => format!("Place or build on this hex ({gold} gold)"),
            (Stage::Place | Stage::PlaceAt(_), false) => format!("{actor} places soldiers and builds."),
            (Stage::March, true) if armies == 0 => match home.map_or(0, |home| board.ready(home)) {
                0 => "All armies have moved".to_string(),
                ready => format!("Only your Home ({ready} gold) can still move"),
            },
            (Stage::March, true) if armies == 1 => "Choose an army (1 can move)".to_string(),
            (Stage::March, true) => format!("Choose an army ({armies} can move)"),
            (Stage::MarchFrom(cell), true) if board.ready(cell) == 1 => {
                "Choose where the soldier goes".to_string()
            }
            (Stage::MarchFrom(cell), true) => format!("Choose where the {} soldiers go", board.ready(cell)),
            (Stage::March | Stage::MarchFrom(_), false) => format!("{actor} moves armies."),
            (Stage::HomeMoves(loser), _) => format!("Choosing a new Home for {}…", who(loser)),
            (Stage::Over, _) => "The game is over.".to_string(),
        }
    }

    /// Describes an event for the log, one line per fact and one for the end of the game; `None` if nothing
    /// happened that needs a line.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        log::log(event.facts, event.after.state())
    }

    /// Returns the whole state as a JSON object: round, phase, stage, selected hex, active seat, map seed,
    /// players by seat, and hexes by coordinates like `3,-1`.
    fn picture(&self) -> Value {
        self.as_data()
    }

    /// Returns a copy with the values of a scenario: `clear` (all land neutral first), `round`, `phase`,
    /// `active`, `hexes` by coordinates, `out`. The turn of the active player begins in the phase, without
    /// income. Seats without a hex are eliminated, in the order `out` or by seat.
    ///
    /// # Errors
    ///
    /// Fails if there is no map yet, a field is unknown, or the position is not possible.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        self.with_differences(differences)
    }
}

/// Returns the letter of a seat on the map, `A` for seat 0, so that colour is never the only sign.
fn letter(seat: Seat) -> char {
    char::from(b'A' + seat.0)
}

/// Formats a number with its noun, `one` or `many`: `1 army`, `3 armies`.
fn count(n: u32, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Returns the name of an upgrade with `a` or, before a vowel, `an`: `a Farm`, `an Archology`.
fn article(name: &str) -> String {
    let vowel = name.starts_with(['A', 'E', 'I', 'O', 'U']);
    fill_text!(if vowel { LOG.an } else { LOG.a }, upgrade = name)
}
