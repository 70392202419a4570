//! What happened, one sentence an event.

use super::article;
use crate::actions::Action;
use crate::map::{Cell, Direction};
use crate::state::{Numeral, Stage};
use crate::upgrades::Upgrade;
use pentarchy_engine::describe::who;
use pentarchy_engine::{Event, Seat};

pub(super) fn lines(before: &Numeral, event: Event<Action>, after: &Numeral) -> Option<String> {
    let mut told: Vec<String> = match (before.stage, event) {
        (Stage::SeedLow(_), Event::Rolled(_)) => {
            vec![format!("The map is made: number {}.", after.map_seed.unwrap_or(0))]
        }
        (Stage::HomeMoves(loser), Event::Rolled(_)) => vec![home_moves(before, loser, after)],
        (_, Event::Act(action)) => acted(before, action, after),
        _ => Vec::new(),
    };
    turn_begins(before, after, &mut told);
    if after.stage == Stage::Over && before.stage != Stage::Over {
        told.push(ending(after));
    }
    (!told.is_empty()).then(|| told.join("\n"))
}

fn acted(before: &Numeral, action: Action, after: &Numeral) -> Vec<String> {
    let actor = who(before.active);
    match (action, before.stage) {
        (Action::Place(n), Stage::PlaceAt(cell)) => {
            vec![format!("{actor} places {n} on {cell} ({} there now).", after.board.soldiers(cell))]
        }
        (Action::Build(upgrade), Stage::PlaceAt(cell)) => {
            vec![format!("{actor} builds {} on {cell}.", article(upgrade.name()))]
        }
        (Action::March(direction, n), Stage::MarchFrom(cell)) => marched(before, cell, direction, n, after),
        _ => Vec::new(),
    }
}

fn marched(before: &Numeral, cell: Cell, direction: Direction, n: u32, after: &Numeral) -> Vec<String> {
    let Some(target) = before.target(cell, direction) else { return Vec::new() };
    let actor = who(before.active);
    let (there, left) = (before.board.soldiers(target), after.board.soldiers(target));
    let enemy = match before.board.owner(target) {
        None => return vec![format!("{actor} takes {target} with {n}.")],
        Some(seat) if seat == before.active => {
            return vec![format!("{actor} moves {n} from {cell} to {target} ({left} there now).")];
        }
        Some(enemy) => enemy,
    };
    let defence = before.defence(target, enemy);
    let helped =
        if defence > there { format!(", helped by {} in Towers", defence - there) } else { String::new() };
    let whose = who(enemy);
    if after.board.owner(target) != Some(before.active) {
        let rest = after.defence(target, enemy);
        return vec![format!(
            "{actor} attacks {target} with {n}: {whose} ({there}{helped}) holds it with {rest}."
        )];
    }
    let mut told = vec![format!(
        "{actor} attacks {target} with {n} and takes it from {whose} ({there}{helped}) with {left}."
    )];
    if before.board.upgrade(target) == Upgrade::Home {
        told.push(home_falls(before, enemy, after));
    }
    told
}

fn home_falls(before: &Numeral, loser: Seat, after: &Numeral) -> String {
    let whose = who(loser);
    if !after.in_play(loser) {
        return format!("The Home of {whose} falls: {whose} is out.");
    }
    match after.board.home(loser) {
        Some(_) => format!("The Home of {whose} falls. {}", home_moves(before, loser, after)),
        None => format!("The Home of {whose} falls."),
    }
}

fn home_moves(before: &Numeral, loser: Seat, after: &Numeral) -> String {
    let Some(home) = after.board.home(loser) else { return String::new() };
    let lost = match before.board.upgrade(home) {
        Upgrade::None | Upgrade::Home => String::new(),
        upgrade => format!("; the {} there is lost", upgrade.name()),
    };
    let storage = after.board.storage(loser);
    format!("The Home of {} moves to {home}, with {storage} in storage{lost}.", who(loser))
}

/// The round, and the income that is paid when a Placing turn begins.
fn turn_begins(before: &Numeral, after: &Numeral, told: &mut Vec<String>) {
    let made = before.map_seed.is_none() && after.map_seed.is_some();
    if after.round != before.round || made {
        told.push(format!("Round {} begins.", after.round));
    }
    let begins = after.stage == Stage::Place && before.stage != after.stage || before.active != after.active;
    let was_selected = matches!(before.stage, Stage::PlaceAt(_));
    if after.stage != Stage::Place || !begins || was_selected {
        return;
    }
    let seat = after.active;
    // Before the first income of all there is no board to compare with.
    let earlier = if made { after } else { before };
    let (gross, upkeep) = (earlier.board.gross(seat), earlier.maintenance(seat));
    let storage = after.board.storage(seat);
    let actor = who(seat);
    told.push(if gross >= upkeep {
        let pay = if upkeep > 0 { format!(", pays {upkeep} to soldiers") } else { String::new() };
        format!("{actor} earns {gross}{pay}: {storage} in the Home.")
    } else {
        format!("{actor} earns {gross} and owes {upkeep} to soldiers: {} starve.", upkeep - gross)
    });
}

fn ending(game: &Numeral) -> String {
    let outcome = game.ranking();
    let winners: Vec<String> = outcome.winners().map(who).collect();
    match &winners[..] {
        [winner] if game.players_left() == 1 => format!("{winner} has the last Home and wins."),
        [winner] => format!("Round {} was the last. {winner} has the most soldiers and wins.", game.round),
        _ => format!("Round {} was the last. {} share the victory.", game.round, winners.join(" and ")),
    }
}
