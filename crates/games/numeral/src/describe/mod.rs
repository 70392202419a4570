//! Words and pictures for people.

mod labels;
mod log;
mod table;

use crate::actions::Action;
use crate::map::Direction;
use crate::state::{Numeral, Stage};
use pentarchy_engine::describe::{Describe, who};
use pentarchy_engine::{LineOf, Position, Seat};
use serde_json::Value;

impl Describe for Numeral {
    const SUMMARY: &'static str = include_str!("summary.txt");

    fn table(view: &Position<Self>) -> String {
        table::draw(view.state())
    }

    fn label(view: &Position<Self>, action: Action) -> String {
        labels::label(view.state(), action)
    }

    fn kind(action: Action) -> &'static str {
        match action {
            Action::Done => "End the turn",
            Action::Select(_) => "Choose a hex",
            Action::Place(_) => "Place soldiers",
            Action::Build(_) => "Build",
            Action::March(Direction::E, _) => "March east",
            Action::March(Direction::NE, _) => "March north-east",
            Action::March(Direction::NW, _) => "March north-west",
            Action::March(Direction::W, _) => "March west",
            Action::March(Direction::SW, _) => "March south-west",
            Action::March(Direction::SE, _) => "March south-east",
        }
    }

    fn awaited(view: &Position<Self>) -> String {
        let game = view.state();
        let (actor, board) = (who(game.active), game.board());
        match game.stage {
            Stage::SeedHigh | Stage::SeedLow(_) => "The map is drawn.".to_string(),
            Stage::Place => match board.storage(game.active) {
                0 => format!("{actor} has an empty Home and can only be done with placing."),
                n => format!("{actor} has {n} to spend: choose a hex to place or build on, or be done."),
            },
            Stage::PlaceAt(cell) => format!("{actor} places soldiers or builds on {cell}."),
            Stage::March => {
                let armies = board.awake().len();
                format!("{actor} may march with {}: choose one, or be done.", count(armies, "army", "armies"))
            }
            Stage::MarchFrom(cell) => {
                format!(
                    "{actor} marches from {cell}: {} ready.",
                    count(board.ready(cell), "soldier", "soldiers")
                )
            }
            Stage::HomeMoves(loser) => format!("The Home of {} moves to one of its other hexes.", who(loser)),
            Stage::Over => "The game is over.".to_string(),
        }
    }

    fn log(before: &Position<Self>, line: &LineOf<Self>, after: &Position<Self>) -> Option<String> {
        log::lines(before.state(), line.event, after.state())
    }

    fn picture(&self) -> Value {
        self.as_data()
    }

    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        self.with_differences(differences)
    }
}

/// The letter of a seat on the map: colour is never the only sign.
fn letter(seat: Seat) -> char {
    char::from(b'A' + seat.0)
}

/// `1 army`, `3 armies`.
fn count(n: u32, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// `a Farm`, `an Archology`.
fn article(name: &str) -> String {
    let vowel = name.starts_with(['A', 'E', 'I', 'O', 'U']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}
