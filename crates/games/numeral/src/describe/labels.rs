//! Labels of actions: what an action does, for a person who has read the summary.

use super::{article, count};
use crate::actions::Action;
use crate::map::{Cell, Direction};
use crate::state::{Numeral, Stage};
use crate::upgrades::Upgrade;
use pentarchy_engine::Seat;
use pentarchy_engine::describe::who;

/// Returns the text of an action on a button for the active player, with its result in numbers, such as
/// `place 3: 5 here, 4 gold left`. Does not check that the action is legal. If no hex is selected, placing,
/// building and marching give their notation.
pub(super) fn label(game: &Numeral, action: Action) -> String {
    let cell = match game.stage {
        Stage::PlaceAt(cell) | Stage::MarchFrom(cell) => Some(cell),
        _ => None,
    };
    match (action, cell) {
        (Action::Done, _) => "End turn".to_string(),
        (Action::Select(cell), _) => format!("{cell}: {}", with_neighbours(game, cell)),
        (Action::Place(n), Some(cell)) => {
            let (there, gold) = (game.board.soldiers(cell), game.board.storage(game.active));
            format!("place {n}: {} here, {} gold left", there + n, gold.saturating_sub(n))
        }
        (Action::Build(upgrade), Some(_)) => build(game, upgrade),
        (Action::March(direction, n), Some(cell)) => march(game, cell, direction, n),
        (action, None) => action.to_string(),
    }
}

/// Describes an own hex of the active player: soldiers (`empty` for none) or the gold of a Home, how many can
/// move if some but not all, the building, and the armies of each enemy on adjacent hexes.
fn with_neighbours(game: &Numeral, cell: Cell) -> String {
    let board = &game.board;
    let what = match board.upgrade(cell) {
        Upgrade::None => String::new(),
        upgrade => format!(", {}", upgrade.name()),
    };
    let enemies = |seat: Seat| {
        let next =
            cell.neighbours().filter(|&next| board.land().has(next) && board.owner(next) == Some(seat));
        let armies: Vec<String> = next.map(|next| board.soldiers(next).to_string()).collect();
        (!armies.is_empty()).then(|| format!("{} ({})", who(seat), armies.join(", ")))
    };
    let others = (0..game.seats).map(Seat).filter(|&seat| seat != game.active);
    let enemies: Vec<String> = others.filter_map(enemies).collect();
    let beside =
        if enemies.is_empty() { String::new() } else { format!(", next to {}", enemies.join(" and ")) };
    let here = match board.soldiers(cell) {
        n if board.upgrade(cell) == Upgrade::Home => format!("{n} gold"),
        0 => "empty".to_string(),
        n => count(n, "soldier", "soldiers"),
    };
    let ready = match board.ready(cell) {
        0 => String::new(),
        n if n == board.soldiers(cell) => String::new(),
        n => format!(" ({n} can move)"),
    };
    format!("{here}{ready}{what}{beside}")
}

/// Returns the label of a building, such as `build a Farm for 3: the hex earns 2`: its cost, and what the hex
/// then earns or, for a Tower, that its soldiers also defend the player's hexes around it.
fn build(game: &Numeral, upgrade: Upgrade) -> String {
    let (cost, yields) = (game.board.cost(upgrade), game.board.yields(upgrade));
    let gain = match upgrade {
        Upgrade::Tower => "its soldiers also defend your hexes around it".to_string(),
        _ => format!("the hex earns {yields}"),
    };
    format!("build {} for {cost}: {gain}", article(upgrade.name()))
}

/// Returns the label of a march of `n` soldiers from `cell` in a direction, such as `move 3 east: take free
/// land`, with what they find there: free land, own soldiers or gold, or the result of the fight. Without
/// land in that direction it is only the number and the direction.
fn march(game: &Numeral, cell: Cell, direction: Direction, n: u32) -> String {
    let Some(target) = game.target(cell, direction) else { return format!("{n} {}", direction.name()) };
    let what = match game.board.owner(target) {
        None => "take free land".to_string(),
        Some(seat) if seat == game.active && game.board.home(seat) == Some(target) => {
            "become gold in your Home".to_string()
        }
        Some(seat) if seat == game.active => match game.board.soldiers(target) {
            0 => "to your empty hex".to_string(),
            there => format!("join your {there}"),
        },
        Some(enemy) => attack(game, target, enemy, n),
    };
    format!("move {n} {}: {what}", direction.name())
}

/// Describes an attack with `n` soldiers on a hex of `enemy`, its defence with Towers, and the certain
/// result: the prize and the attackers left, or that the attack fails and the defenders left.
fn attack(game: &Numeral, target: Cell, enemy: Seat, n: u32) -> String {
    let (board, defence) = (&game.board, game.defence(target, enemy));
    let towers = defence - board.soldiers(target);
    let helped = if towers > 0 { format!(" + {towers} in Towers") } else { String::new() };
    let fight = format!("{n} against {}{helped} of {}", board.soldiers(target), who(enemy));
    match defence.checked_sub(n) {
        Some(0) => return format!("{fight}: all die, the attack fails"),
        Some(rest) => {
            return format!("{fight}: the attack fails, {} left", count(rest, "defender", "defenders"));
        }
        None => {}
    }
    let prize = match board.upgrade(target) {
        Upgrade::None => "the hex".to_string(),
        Upgrade::Home => "the Home".to_string(),
        upgrade if game.razes_buildings() => {
            format!("the hex and destroy the {}", upgrade.name())
        }
        upgrade => format!("the {}", upgrade.name()),
    };
    format!("{fight}: take {prize}, {} left", n - defence)
}
