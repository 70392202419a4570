//! The board of Numeral Empire: a map of hexes with one number each.

mod guide;
mod map;
mod merit;
mod tray;
mod words;

use crate::board::{ActionRow, Ask, Board, Hand, Key, Look, Note, SeatPanel, Steps};
use crate::guide::Guide;
use crate::markup::{El, el, signed};
use crate::ui::{Amount, Ui};
use pentarchy_engine::{Position, Seat};
use pentarchy_numeral::{Action, Cell, Direction, Numeral, Phase, Stage, Upgrade};

impl Board for Numeral {
    const LOOK: Look = Look {
        emblem: "treasure-map",
        pitch: "A map, and one number on every hex. Fights are subtraction.",
        cover: include_str!("cover.svg"),
        colours: [1, 2, 3, 4, 5, 6],
        counts: "soldiers and gold",
        parts: &["hexes", "gold", "income"],
    };

    const GUIDE: Guide<Self> = guide::GUIDE;

    /// Draws the zoomable map of hexes, opened around the Home of `ui.seat`: land in its owners' colours, soldiers
    /// and buildings, the selection, and the results of the marches that a click would play.
    fn draw(view: &Position<Self>, ui: &Ui) -> El {
        map::draw(view.state(), ui)
    }

    /// Draws the tray of the phase for every observer: the amounts of a click, and the buildings or the
    /// legend of the icons. Never `None`.
    fn hand(view: &Position<Self>, ui: &Ui) -> Option<Hand> {
        Some(Hand { cards: vec![tray::tray(view.state(), ui)], ..Hand::default() })
    }

    /// Returns the soldiers and gold of the seat in one number, its number of hexes, its income with a sign, and
    /// whether it is out. `doing` is what the active player does in the current stage, whichever seat is asked for.
    fn seat(view: &Position<Self>, seat: Seat) -> SeatPanel {
        let game = view.state();
        let board = game.board();
        let doing = match game.stage() {
            Stage::Place | Stage::PlaceAt(_) => format!("Placing, {} gold", board.storage(seat)),
            Stage::March | Stage::MarchFrom(_) => match words::armies_left(game) {
                0 => "All armies have moved".to_string(),
                1 => "1 army can move".to_string(),
                n => format!("{n} armies can move"),
            },
            Stage::HomeMoves(_) | Stage::SeedHigh | Stage::SeedLow(_) | Stage::Over => String::new(),
        };
        SeatPanel {
            number: board.total(seat).to_string(),
            // The gold stands on the Home.
            small: vec![
                ("hexes".into(), board.held(seat).len().to_string()),
                ("".into(), signed(income(game, seat))),
            ],
            doing,
            out: !game.in_play(seat),
            more: None,
        }
    }

    /// Returns `Round 3 of 12`, or `Round 3` without a limit, and the steps Placing and Attacking. While the map is
    /// drawn the round is 1.
    fn steps(view: &Position<Self>) -> Steps {
        let game = view.state();
        let limit = game.options().round_limit;
        // While the map is drawn the first round has not begun yet.
        let now = game.round().max(1);
        let round = if limit == 0 { format!("Round {now}") } else { format!("Round {now} of {limit}") };
        let at = match game.phase() {
            Phase::Placing => 0,
            Phase::Attacking => 1,
        };
        Steps { round, names: &["Placing", "Attacking"], at }
    }

    /// Appends the selected hex, the goal of a march and a number `n 5`. The key of a building is inserted before all
    /// others, so it is clicked before its hex. Nothing for `Done`.
    fn touches(view: &Position<Self>, action: Action, path: &mut Vec<Key>) {
        match (action, view.state().stage()) {
            (Action::Select(cell), _) => path.push(hex_key(cell)),
            (Action::Place(n), _) => path.push(format!("n {n}")),
            // The building comes first, then its hex.
            (Action::Build(upgrade), _) => path.insert(0, build_key(upgrade)),
            (Action::March(direction, n), Stage::MarchFrom(from)) => {
                if let Some(to) = view.state().target(from, direction) {
                    path.push(hex_key(to));
                }
                path.push(format!("n {n}"));
            }
            _ => {}
        }
    }

    /// Returns true for selecting a hex and for building, which need no confirmation.
    fn quick(_view: &Position<Self>, action: Action) -> bool {
        matches!(action, Action::Select(_) | Action::Build(_))
    }

    /// Returns true for selecting a hex, after which soldiers are placed or sent, or a building is built.
    fn selects(_view: &Position<Self>, action: Action) -> bool {
        matches!(action, Action::Select(_))
    }

    /// Returns [`Amount::Five`] in the Placing phase, where a click places soldiers, and [`Amount::All`] in the
    /// Attacking phase, where it sends them.
    fn usual_amount(view: &Position<Self>) -> Amount {
        match view.state().phase() {
            Phase::Placing => Amount::Five,
            Phase::Attacking => Amount::All,
        }
    }

    /// Returns the hex of the army that should march next: first those that can take a hex, then those near `last`,
    /// then the largest, of equals the first in the order of the board. Only armies outside the Home count that have
    /// room: a hex beside them without an army that can still march. `None` outside that step, or if there is no such
    /// army.
    fn preselect(view: &Position<Self>, last: Option<&str>) -> Option<Key> {
        let game = view.state();
        if game.stage() != Stage::March {
            return None;
        }
        let near = |cell: Cell| last.and_then(cell_of).map_or(0, |last| cell.distance(last));
        let home = game.board().home(game.active());
        // First the armies that can take something, then those that can go to a hex without an army that can move.
        let awake = game.board().awake();
        let can_enter = |to: Cell| !awake.iter().any(|cell| cell == to);
        let has_room = |cell: Cell| {
            Direction::ALL.into_iter().filter_map(|direction| game.target(cell, direction)).any(can_enter)
        };
        let armies = awake.iter().filter(|&cell| Some(cell) != home && has_room(cell));
        let order = |&cell: &Cell| (!has_prey(game, cell), near(cell), u32::MAX - game.board().ready(cell));
        armies.min_by_key(order).map(hex_key)
    }

    /// Returns the key of the active player's Home while they place soldiers and have gold. Otherwise `None`.
    fn store(view: &Position<Self>) -> Option<Key> {
        let game = view.state();
        let home = game.board().home(game.active()).filter(|_| game.stage() == Stage::Place);
        home.filter(|_| game.board().storage(game.active()) > 0).map(hex_key)
    }

    /// Returns the prompt for the selected army (with what a click sends) or building (with its cost); without a
    /// selection, how to place soldiers. `None` if none of these fits.
    fn narrowed(view: &Position<Self>, ui: &Ui) -> Option<Ask> {
        words::narrowed(view.state(), ui)
    }

    /// Returns whether the action is an attack from the selected hex whose soldiers are no more than the defence of
    /// its goal, so that the hex is not taken. False for all other actions.
    fn fails(view: &Position<Self>, action: Action) -> bool {
        words::fails(view.state(), action)
    }

    /// Returns `Done` in the step of choosing an army if none can march, or only the Home can, has nothing to take
    /// and holds no more gold than at the start. Otherwise `None`.
    fn idle(view: &Position<Self>) -> Option<Action> {
        let game = view.state();
        let home = game.board().home(game.active());
        // Gold in the Home may march too. It stays unless there is something to take or more gold than at the start.
        let reserve = u32::from(game.options().start_storage);
        let rests =
            |cell: Cell| Some(cell) == home && !has_prey(game, cell) && game.board().ready(cell) <= reserve;
        let idle = game.stage() == Stage::March && game.board().awake().iter().all(rests);
        idle.then_some(Action::Done)
    }

    /// Returns the sentence without the coordinates of a hex at its beginning. Other sentences are returned as
    /// they are.
    fn worded(_view: &Position<Self>, sentence: String) -> String {
        words::without_places(&sentence)
    }

    /// Describes what the action achieves for the active player, in one sentence with numbers; seats are
    /// written `@0`. `None` for selections, for other actions but the end of the turn while the rules have no
    /// hex selected, and for a march where there is no land. Not checked: whether the action is legal.
    fn merit(view: &Position<Self>, action: Action) -> Option<String> {
        merit::merit(view.state(), action)
    }

    /// Returns the question for every action except selections, with its consequence in numbers. `None` for
    /// selections, for other actions but the end of the turn while the rules have no hex selected, and for a
    /// march where there is no land.
    fn ask(view: &Position<Self>, action: Action) -> Option<Ask> {
        words::ask(view.state(), action)
    }

    /// Returns the icon of a building or soldier, its short label with a place, and an outcome, price or
    /// number as its value; the end of the turn has no value. Empty for placing, building and marching while
    /// the rules have no hex selected, and for a march where there is no land.
    fn row(view: &Position<Self>, action: Action) -> ActionRow {
        words::row(view.state(), action)
    }

    /// Explains why a hex cannot be used now by the active player (not theirs, no gold or soldiers, moved before, not
    /// adjacent and so on), or why a building cannot be built. `None` for other keys, or without a known reason.
    /// Not checked: whether it can in fact be used.
    fn why_not(view: &Position<Self>, key: &str) -> Option<String> {
        words::why_not(view.state(), key)
    }

    /// Returns the note about a hex (owner, soldiers, income, defence) or a building of the tray (cost, effect);
    /// seats are written `@0`. `None` for other keys.
    fn explain(view: &Position<Self>, key: &str) -> Option<Note> {
        words::explain(view, key)
    }

    /// Draws a line that explains the numbers of the seats: the same `Some` in every position.
    fn rail(_view: &Position<Self>, _ui: &Ui) -> Option<El> {
        Some(
            el("p")
                .class("lbl railnote")
                .text("Large number: all soldiers and gold. Small number with a sign: income per round."),
        )
    }

    /// Returns all soldiers and gold of the seat, at most [`i32::MAX`].
    fn score(view: &Position<Self>, seat: Seat) -> i32 {
        i32::try_from(view.state().board().total(seat)).unwrap_or(i32::MAX)
    }

    /// Returns the numbers of hexes and gold of the seat, and its income with a sign.
    fn parts(view: &Position<Self>, seat: Seat) -> Vec<String> {
        let game = view.state();
        let board = game.board();
        vec![board.held(seat).len().to_string(), board.storage(seat).to_string(), signed(income(game, seat))]
    }

    /// Explains who has the last Home, or the most soldiers and gold after the last round, which several may share;
    /// seats are written `@0`. `None` before the end.
    fn verdict(view: &Position<Self>) -> Option<String> {
        view.state().end_text()
    }
}

/// Returns what a player earns per round: the income of their land minus the maintenance of their soldiers outside
/// the Home. May be negative.
fn income(game: &Numeral, seat: Seat) -> i64 {
    i64::from(game.board().gross(seat)) - i64::from(game.maintenance(seat))
}

/// Returns whether the soldiers on a hex that can still move can take a neighbouring hex that the active player does
/// not own: free land, which needs one soldier, or an enemy hex whose defence is smaller than their number. False if
/// none can move.
fn has_prey(game: &Numeral, cell: Cell) -> bool {
    let (board, ready) = (game.board(), game.board().ready(cell));
    let can_take = |direction: Direction| {
        let Some(to) = game.target(cell, direction) else { return false };
        match board.owner(to) {
            None => ready > 0,
            Some(owner) => owner != game.active() && ready > game.defence(to, owner),
        }
    };
    Direction::ALL.into_iter().any(can_take)
}

/// Returns the key of a building in the tray: `build farm`, with its canonical text.
fn build_key(upgrade: Upgrade) -> Key {
    format!("build {upgrade}")
}

/// Returns the building that a key `build …` names; `None` for other keys and unknown buildings.
fn upgrade_of(key: &str) -> Option<Upgrade> {
    key.strip_prefix("build ")?.parse().ok()
}

/// Returns the key of a hex: `hex 3,-1`.
fn hex_key(cell: Cell) -> Key {
    format!("hex {cell}")
}

/// Returns the hex that a key `hex …` names; `None` for other keys and texts that are no hex. Not checked: whether it
/// is land.
fn cell_of(key: &str) -> Option<Cell> {
    key.strip_prefix("hex ")?.parse().ok()
}

/// Returns the name of a building's icon in the icon set; `None` for [`Upgrade::None`].
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
