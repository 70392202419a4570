//! The board of Hestia.

use crate::board::{Board, Key, Look, SeatPanel, Steps};
use crate::boards::plain;
use crate::markup::El;
use crate::ui::Ui;
use pentarchy_engine::{Game, Position, Seat};
use pentarchy_hestia::Hestia;

impl Board for Hestia {
    const LOOK: Look = Look {
        emblem: "fire-bowl",
        minutes: 60,
        pitch: "Two armies, hidden blocks, fourteen cities to win over.",
        colours: [1, 6, 2, 3, 4, 5],
        counts: "influence",
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
