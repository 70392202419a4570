//! The board of Numeral Empire: a chart of hexes with one number each.

mod lesson;
mod map;
mod words;

use crate::board::{Ask, Board, Key, Look, Note, Row, SeatPanel, Steps};
use crate::markup::{El, el, signed};
use crate::ui::Ui;
use pentarchy_engine::{Position, Seat};
use pentarchy_numeral::{Action, Cell, Numeral, Phase, Stage, Upgrade};

impl Board for Numeral {
    const LOOK: Look = Look {
        emblem: "treasure-map",
        minutes: 25,
        pitch: "A map, and one number on every hex. Fights are subtraction.",
        colours: [1, 2, 3, 4, 5, 6],
        counts: "soldiers, storage included",
        parts: &["hexes", "in storage", "income"],
        lesson: lesson::STEPS,
    };

    fn draw(view: &Position<Self>, ui: &Ui) -> El {
        map::draw(view.state(), ui)
    }

    fn seat(view: &Position<Self>, seat: Seat) -> SeatPanel {
        let game = view.state();
        let board = game.board();
        let doing = match game.stage() {
            Stage::Place | Stage::PlaceAt(_) => format!("Placing, {} to spend", board.storage(seat)),
            Stage::March | Stage::MarchFrom(_) => match board.awake().len() {
                1 => "Marching, 1 army ready".to_string(),
                n => format!("Marching, {n} armies ready"),
            },
            Stage::HomeMoves(_) | Stage::SeedHigh | Stage::SeedLow(_) | Stage::Over => String::new(),
        };
        SeatPanel {
            number: board.total(seat).to_string(),
            // What is in storage stands on the Home.
            small: vec![
                ("hexes".into(), board.held(seat).len().to_string()),
                ("".into(), signed(income(game, seat))),
            ],
            doing,
            out: !game.in_play(seat),
            more: None,
        }
    }

    fn steps(view: &Position<Self>) -> Steps {
        let game = view.state();
        let limit = game.options().round_limit;
        let round = match (game.map_seed(), limit) {
            (None, _) => "Drawing the map".to_string(),
            (_, 0) => format!("Round {}", game.round()),
            (_, limit) => format!("Round {} of {limit}", game.round()),
        };
        let at = match game.phase() {
            Phase::Placing => 0,
            Phase::Attacking => 1,
        };
        Steps { round, names: &["Placing", "Attacking"], at }
    }

    fn touches(view: &Position<Self>, action: Action, path: &mut Vec<Key>) {
        match (action, view.state().stage()) {
            (Action::Select(cell), _) => path.push(hex_key(cell)),
            (Action::Place(n), _) => path.push(format!("n {n}")),
            (Action::March(direction, n), Stage::MarchFrom(from)) => {
                if let Some(to) = view.state().target(from, direction) {
                    path.push(hex_key(to));
                }
                path.push(format!("n {n}"));
            }
            _ => {}
        }
    }

    fn quick(_view: &Position<Self>, action: Action) -> bool {
        matches!(action, Action::Select(_))
    }

    fn ask(view: &Position<Self>, action: Action) -> Option<Ask> {
        words::ask(view.state(), action)
    }

    fn row(view: &Position<Self>, action: Action) -> Row {
        words::row(view.state(), action)
    }

    fn why_not(view: &Position<Self>, key: &str) -> Option<String> {
        words::why_not(view.state(), cell_of(key)?)
    }

    fn explain(view: &Position<Self>, key: &str) -> Option<Note> {
        Some(words::explain(view.state(), cell_of(key)?))
    }

    fn rail(_view: &Position<Self>, _ui: &Ui) -> Option<El> {
        Some(el("p").class("lbl railnote").text("The large number counts all soldiers, storage included; the small one with a sign is the income of a round."))
    }

    fn score(view: &Position<Self>, seat: Seat) -> i32 {
        i32::try_from(view.state().board().total(seat)).unwrap_or(i32::MAX)
    }

    fn parts(view: &Position<Self>, seat: Seat) -> Vec<String> {
        let game = view.state();
        let board = game.board();
        vec![board.held(seat).len().to_string(), board.storage(seat).to_string(), signed(income(game, seat))]
    }

    fn verdict(view: &Position<Self>) -> Option<String> {
        words::verdict(view.state())
    }
}

/// What a player's land yields less what the soldiers outside the Home cost.
fn income(game: &Numeral, seat: Seat) -> i64 {
    i64::from(game.board().gross(seat)) - i64::from(game.maintenance(seat))
}

/// The key of a hex.
fn hex_key(cell: Cell) -> Key {
    format!("hex {cell}")
}

/// The hex of a key.
fn cell_of(key: &str) -> Option<Cell> {
    key.strip_prefix("hex ")?.parse().ok()
}

/// The icon of what stands on a hex.
fn icon(upgrade: Upgrade) -> Option<&'static str> {
    match upgrade {
        Upgrade::None => None,
        Upgrade::Home => Some("tower-flag"),
        Upgrade::Farm => Some("wheat"),
        Upgrade::Market => Some("shop"),
        Upgrade::Bank => Some("bank"),
        Upgrade::Highrise => Some("modern-city"),
        Upgrade::Archology => Some("base-dome"),
        Upgrade::Tower => Some("stone-tower"),
    }
}
