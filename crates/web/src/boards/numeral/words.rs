//! What is said about hexes and marches, with both numbers.

use super::icon;
use crate::board::{Ask, Note, Row};
use crate::ui::Ui;
use pentarchy_engine::describe::who;
use pentarchy_numeral::{Action, CaptureBuildings, Cell, Numeral, Phase, Stage, Upgrade};

/// The hex that is chosen, and the soldiers who may leave it.
fn chosen(game: &Numeral) -> Option<Cell> {
    match game.stage() {
        Stage::PlaceAt(cell) | Stage::MarchFrom(cell) => Some(cell),
        _ => None,
    }
}

/// What a hex is called in a sentence: the building, or the land.
fn thing(game: &Numeral, cell: Cell) -> &'static str {
    match game.board().upgrade(cell) {
        Upgrade::None => "land",
        upgrade => upgrade.name(),
    }
}

/// How many, with its noun.
fn soldiers(n: u32) -> String {
    if n == 1 { "1 soldier".to_string() } else { format!("{n} soldiers") }
}

/// How a march against or into a hex ends: the fight, and what comes of it.
pub(super) fn result(game: &Numeral, to: Cell, n: u32) -> Option<(String, String)> {
    let owner = game.board().owner(to).filter(|&owner| owner != game.active())?;
    let defence = game.defence(to, owner);
    let fight = format!("{n} against {defence}");
    let end = if n <= defence {
        format!("all {n} die, {} defend still", defence - n)
    } else {
        match (game.board().upgrade(to), game.options().capture_buildings) {
            (Upgrade::None, _) => format!("taken with {}", n - defence),
            (Upgrade::Home, _) => format!("the Home is taken with {}", n - defence),
            (upgrade, CaptureBuildings::Raze) => {
                format!("taken with {}, the {} is razed", n - defence, upgrade.name())
            }
            (upgrade, _) => format!("the {} is taken with {}", upgrade.name(), n - defence),
        }
    };
    Some((fight, end))
}

/// The question before an action.
pub(super) fn ask(game: &Numeral, action: Action) -> Option<Ask> {
    let board = game.board();
    let storage = board.storage(game.active());
    match (action, chosen(game)) {
        (Action::Done, _) => {
            let placing = game.phase() == Phase::Placing;
            let question = if placing { "End your placing turn?" } else { "End your attacking turn?" };
            let consequence = match (placing, board.awake().len()) {
                (true, _) => format!("{storage} stay in the Home."),
                (false, 0) => "Everybody has marched.".to_string(),
                (false, 1) => "1 army could still march.".to_string(),
                (false, n) => format!("{n} armies could still march."),
            };
            Some(Ask { question: question.to_string(), consequence, verb: "End turn".to_string() })
        }
        (Action::Place(n), Some(cell)) => Some(Ask {
            question: format!("Place {} here?", soldiers(n)),
            consequence: format!(
                "{} there then, {} left in the Home.",
                board.soldiers(cell) + n,
                storage.saturating_sub(n)
            ),
            verb: format!("Place {n}"),
        }),
        (Action::Build(upgrade), Some(_)) => {
            let cost = board.cost(upgrade);
            let does = match upgrade {
                Upgrade::Tower => "Its soldiers also guard your hexes around it.".to_string(),
                _ => format!("The hex yields {} each round.", board.yields(upgrade)),
            };
            Some(Ask {
                question: format!("Build a {} for {cost}?", upgrade.name()).replace("a Arch", "an Arch"),
                consequence: format!("{does} You keep {} of {storage}.", storage.saturating_sub(cost)),
                verb: format!("Build for {cost}"),
            })
        }
        (Action::March(direction, n), Some(from)) => {
            let to = game.target(from, direction)?;
            let ready = board.ready(from);
            let stay = board.soldiers(from).saturating_sub(n);
            let stay =
                if stay == 0 { "Nobody stays here.".to_string() } else { format!("{stay} stay here.") };
            let (whom, end) = match (board.owner(to), result(game, to, n)) {
                (Some(owner), Some((fight, end))) => (
                    format!(", against the {} of {}", thing(game, to), who(owner)),
                    format!("{fight}: {end}."),
                ),
                (None, _) => (String::new(), "You take neutral land.".to_string()),
                _ if board.home(game.active()) == Some(to) => {
                    (String::new(), "They go into the storage.".to_string())
                }
                _ => (String::new(), format!("{} there then.", board.soldiers(to) + n)),
            };
            Some(Ask {
                question: format!("March {n} of {ready} {}{whom}?", direction.name()),
                consequence: format!("{end} {stay}"),
                verb: format!("March {n}"),
            })
        }
        _ => None,
    }
}

/// How the list shows an action.
pub(super) fn row(game: &Numeral, action: Action) -> Row {
    let board = game.board();
    match (action, chosen(game)) {
        (Action::Done, _) => {
            Row { icon: Some("hourglass"), label: Some("End the turn".to_string()), value: None }
        }
        (Action::Select(cell), _) => {
            let (icon, ready) = (icon(board.upgrade(cell)).or(Some("meeple")), board.ready(cell));
            let value = match game.phase() {
                Phase::Attacking => format!("{ready} ready"),
                Phase::Placing => board.soldiers(cell).to_string(),
            };
            let what = match board.upgrade(cell) {
                Upgrade::None => format!("Land at {cell}"),
                upgrade => format!("{} at {cell}", upgrade.name()),
            };
            Row { icon, label: Some(what), value: Some(value) }
        }
        (Action::Place(n), Some(cell)) => Row {
            icon: Some("meeple"),
            label: Some(format!("Place {}", soldiers(n))),
            value: Some(format!("{} there", board.soldiers(cell) + n)),
        },
        (Action::Build(upgrade), _) => Row {
            icon: icon(upgrade),
            label: Some(upgrade.name().to_string()),
            value: Some(format!("costs {}", board.cost(upgrade))),
        },
        (Action::March(direction, n), Some(from)) => {
            let Some(to) = game.target(from, direction) else { return Row::default() };
            let value = match (board.owner(to), result(game, to, n)) {
                (_, Some((fight, _))) => fight,
                (None, _) => "free land".to_string(),
                _ => format!("{} there", board.soldiers(to) + n),
            };
            let icon = icon(board.upgrade(to)).or(Some("meeple"));
            Row { icon, label: Some(format!("March {n}")), value: Some(value) }
        }
        _ => Row::default(),
    }
}

/// All that a hex shows, for those who hear it.
pub(super) fn name(game: &Numeral, ui: &Ui, cell: Cell) -> String {
    let board = game.board();
    let owner = board.owner(cell).map_or("neutral".to_string(), |seat| ui.name(seat).to_string());
    let what = thing(game, cell);
    let n = board.soldiers(cell);
    let here = match (board.upgrade(cell), n) {
        (Upgrade::Home, n) => format!("{n} in storage"),
        (_, 0) => "empty".to_string(),
        (_, n) => soldiers(n),
    };
    let ready = match board.ready(cell) {
        0 => String::new(),
        n => format!(", {n} ready"),
    };
    format!("{what} at {cell}, {owner}, {here}{ready}")
}

/// A hex in full.
pub(super) fn explain(game: &Numeral, cell: Cell) -> Note {
    let board = game.board();
    let title = match board.upgrade(cell) {
        Upgrade::None if board.owner(cell).is_none() => "Neutral land".to_string(),
        Upgrade::None => "Land".to_string(),
        upgrade => upgrade.name().to_string(),
    };
    let Some(owner) = board.owner(cell) else {
        return Note { title, text: "Whoever marches in takes it.".to_string() };
    };
    let n = board.soldiers(cell);
    let (yields, defence) = (board.yields(board.upgrade(cell)), game.defence(cell, owner));
    let mut text = format!("Of {}. ", who(owner));
    text += &match board.upgrade(cell) {
        Upgrade::Home => format!("{n} in storage: money, and the garrison. "),
        Upgrade::Tower => format!("{} here also guard the owner's hexes around. ", soldiers(n)),
        _ => format!("{} here. ", soldiers(n)),
    };
    text += &format!("Yields {yields}.");
    if defence > n {
        text += &format!(" Towers help: {n} + {} = {defence} defend.", defence - n);
    }
    Note { title, text }
}

/// Why nothing can be done with a hex now.
pub(super) fn why_not(game: &Numeral, cell: Cell) -> Option<String> {
    let board = game.board();
    let mine = board.owner(cell) == Some(game.active());
    let says = match game.stage() {
        Stage::Place if !mine => "Soldiers and buildings go on your own land only.".to_string(),
        Stage::Place if board.home(game.active()) == Some(cell) => {
            "What is in the Home is there already: choose where it goes.".to_string()
        }
        Stage::Place => format!("Nothing can be bought: {} in the Home.", board.storage(game.active())),
        Stage::March if !mine => "Choose one of your own armies first.".to_string(),
        Stage::March if board.soldiers(cell) == 0 => "Nobody is here to march.".to_string(),
        Stage::March => "Whoever is here has marched already this turn.".to_string(),
        Stage::PlaceAt(_) => "A hex is chosen: place or build there first.".to_string(),
        Stage::MarchFrom(from) if from.distance(cell) != 1 => "Soldiers march one hex each turn.".to_string(),
        _ => return None,
    };
    Some(says)
}

/// Why the game ended so.
pub(super) fn verdict(game: &Numeral) -> Option<String> {
    let outcome = pentarchy_engine::Game::outcome(game)?;
    let winner = outcome.winners().next()?;
    Some(match game.players_left() {
        1 => format!("{} is the last to have a Home.", who(winner)),
        _ => {
            let total = game.board().total(winner);
            format!("After round {} {} has the most soldiers: {total}.", game.round(), who(winner))
        }
    })
}
