//! What an action does, for a person who has read the summary.

use super::{article, count, letter};
use crate::actions::Action;
use crate::map::{Cell, Direction};
use crate::options::CaptureBuildings;
use crate::state::{Numeral, Phase, Stage};
use crate::upgrades::Upgrade;
use pentarchy_engine::Seat;

pub(super) fn label(game: &Numeral, action: Action) -> String {
    let cell = match game.stage {
        Stage::PlaceAt(cell) | Stage::MarchFrom(cell) => Some(cell),
        _ => None,
    };
    match (action, cell) {
        (Action::Done, _) => done(game),
        (Action::Select(cell), _) if game.phase() == Phase::Placing => {
            format!("{cell}: {}", with_neighbours(game, cell))
        }
        (Action::Select(cell), _) => select_army(game, cell),
        (Action::Place(n), Some(cell)) => {
            let (there, storage) = (game.board.soldiers(cell), game.board.storage(game.active));
            let left = storage.saturating_sub(n);
            format!("place {n} on {cell}: {} there, {left} left in the Home", there + n)
        }
        (Action::Build(upgrade), Some(cell)) => build(game, cell, upgrade),
        (Action::March(direction, n), Some(cell)) => march(game, cell, direction, n),
        (action, None) => action.to_string(),
    }
}

fn done(game: &Numeral) -> String {
    match (game.phase(), game.board.storage(game.active)) {
        (Phase::Placing, 0) => "done placing".to_string(),
        (Phase::Placing, n) => format!("done placing; {n} stay in the Home"),
        (Phase::Attacking, _) => "done marching".to_string(),
    }
}

/// What is on an own hex, and which enemies stand next to it.
fn with_neighbours(game: &Numeral, cell: Cell) -> String {
    let board = &game.board;
    let what = match board.upgrade(cell) {
        Upgrade::None => "bare".to_string(),
        upgrade => upgrade.name().to_string(),
    };
    let enemies = cell.neighbours().filter_map(|next| {
        let owner = board.owner(next).filter(|&owner| board.land().has(next) && owner != game.active)?;
        Some(format!("{}{}", letter(owner), board.soldiers(next)))
    });
    let enemies: Vec<String> = enemies.collect();
    let beside = if enemies.is_empty() { String::new() } else { format!(", next to {}", enemies.join(" ")) };
    format!("{}, {what}{beside}", count(board.soldiers(cell), "soldier", "soldiers"))
}

fn select_army(game: &Numeral, cell: Cell) -> String {
    let (ready, all) = (game.board.ready(cell), game.board.soldiers(cell));
    let of = if ready == all { String::new() } else { format!("{ready} ready of ") };
    format!("{cell}: {of}{}", with_neighbours(game, cell))
}

fn build(game: &Numeral, cell: Cell, upgrade: Upgrade) -> String {
    let (cost, yields) = (game.board.cost(upgrade), game.board.yields(upgrade));
    let gain = if upgrade == Upgrade::Tower {
        "its soldiers help the hexes around it; the hex yields"
    } else {
        "the hex yields"
    };
    format!("build {} on {cell} for {cost}: {gain} {yields}", article(upgrade.name()))
}

fn march(game: &Numeral, cell: Cell, direction: Direction, n: u32) -> String {
    let Some(target) = game.target(cell, direction) else { return format!("{n} {}", direction.name()) };
    let what = match game.board.owner(target) {
        None => "take neutral land".to_string(),
        Some(seat) if seat == game.active && game.board.home(seat) == Some(target) => {
            "go home into the storage".to_string()
        }
        Some(seat) if seat == game.active => format!("join your {} there", game.board.soldiers(target)),
        Some(enemy) => attack(game, target, enemy, n),
    };
    format!("{n} {} to {target}: {what}", direction.name())
}

fn attack(game: &Numeral, target: Cell, enemy: Seat, n: u32) -> String {
    let (board, defence) = (&game.board, game.defence(target, enemy));
    let towers = defence - board.soldiers(target);
    let helped = if towers > 0 { format!(" and {towers} in Towers") } else { String::new() };
    let whose = format!("attack {}'s {}{helped}", letter(enemy), board.soldiers(target));
    if n <= defence {
        return format!("{whose}: all {n} die, {} defend still", defence - n);
    }
    let prize = match board.upgrade(target) {
        Upgrade::None => "the hex".to_string(),
        Upgrade::Home => "the Home".to_string(),
        upgrade if game.options.capture_buildings == CaptureBuildings::Raze => {
            format!("the hex and raze the {}", upgrade.name())
        }
        upgrade => format!("the {}", upgrade.name()),
    };
    format!("{whose}: take {prize} with {}", n - defence)
}
