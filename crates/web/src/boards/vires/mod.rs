//! The board of Vires.

use crate::board::{Board, Key, Look, SeatPanel, Steps};
use crate::boards::plain;
use crate::markup::El;
use crate::ui::Ui;
use pentarchy_engine::{Game, Position, Seat};
use pentarchy_vires::Vires;

impl Board for Vires {
    const LOOK: Look = Look {
        emblem: "mesh-network",
        minutes: 20,
        pitch: "Mine blocks, hold coins, and trust nobody’s hand.",
        colours: [1, 2, 3, 4, 5, 6],
        counts: "blocks",
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
