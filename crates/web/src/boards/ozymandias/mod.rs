//! The board of Ozymandias.

use crate::board::{Board, Key, Look, SeatPanel, Steps};
use crate::boards::plain;
use crate::markup::El;
use crate::ui::Ui;
use pentarchy_engine::{Game, Position, Seat};
use pentarchy_ozymandias::Ozymandias;

impl Board for Ozymandias {
    const LOOK: Look = Look {
        emblem: "pharoah",
        minutes: 45,
        pitch: "Gods above four factions. Raise one, then bury it in your vault.",
        colours: [1, 2, 3, 4, 5, 6],
        counts: "points",
        parts: &[],
        lesson: &[],
    };

    fn draw(view: &Position<Self>, _ui: &Ui) -> El {
        plain::draw(view)
    }

    fn seat(_view: &Position<Self>, _seat: Seat) -> SeatPanel {
        SeatPanel::default()
    }

    fn steps(_view: &Position<Self>) -> Steps {
        Steps::default()
    }

    fn touches(_view: &Position<Self>, _action: <Self as Game>::Action, _path: &mut Vec<Key>) {}

    fn score(_view: &Position<Self>, _seat: Seat) -> i32 {
        0
    }
}
