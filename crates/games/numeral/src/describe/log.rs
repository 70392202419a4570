//! Log entries, one sentence per event.

use super::{article, count};
use crate::actions::Action;
use crate::map::{Cell, Direction};
use crate::state::{Numeral, Stage};
use crate::upgrades::Upgrade;
use pentarchy_engine::describe::who;
use pentarchy_engine::{Event, Seat};

/// Describes an event; `None` if it needs no entry.
pub(super) fn lines(before: &Numeral, event: Event<Action>, after: &Numeral) -> Option<String> {
    let mut told: Vec<String> = match (before.stage, event) {
        (Stage::SeedLow(_), Event::Rolled(_)) => {
            vec![format!("The map is drawn (seed {}).", after.map_seed.unwrap_or(0))]
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

/// Describes an action.
fn acted(before: &Numeral, action: Action, after: &Numeral) -> Vec<String> {
    let actor = who(before.active);
    match (action, before.stage) {
        (Action::Place(n), Stage::PlaceAt(cell)) => {
            let there = after.board.soldiers(cell);
            let now = if there == n { String::new() } else { format!(" ({there} there)") };
            vec![format!("{actor} places {}{now}.", count(n, "soldier", "soldiers"))]
        }
        (Action::Build(upgrade), Stage::PlaceAt(_)) => {
            vec![format!("{actor} builds {} for {}.", article(upgrade.name()), before.board.cost(upgrade))]
        }
        (Action::March(direction, n), Stage::MarchFrom(cell)) => marched(before, cell, direction, n, after),
        _ => Vec::new(),
    }
}

/// Describes a march and its fight.
fn marched(before: &Numeral, cell: Cell, direction: Direction, n: u32, after: &Numeral) -> Vec<String> {
    let Some(target) = before.target(cell, direction) else { return Vec::new() };
    let actor = who(before.active);
    let (there, left) = (before.board.soldiers(target), after.board.soldiers(target));
    let enemy = match before.board.owner(target) {
        None => return vec![format!("{actor} takes free land with {}.", count(n, "soldier", "soldiers"))],
        Some(seat) if seat == before.active && before.board.home(seat) == Some(target) => {
            return vec![format!(
                "{actor} moves {} into the Home (now {left} gold).",
                count(n, "soldier", "soldiers")
            )];
        }
        Some(seat) if seat == before.active && there == 0 => {
            return vec![format!("{actor} moves {}.", count(n, "soldier", "soldiers"))];
        }
        Some(seat) if seat == before.active => {
            return vec![format!("{actor} joins armies: {there} + {n} = {left}.")];
        }
        Some(enemy) => enemy,
    };
    let (defence, whose) = (before.defence(target, enemy), who(enemy));
    let towers = if defence > there { format!(" ({} in Towers)", defence - there) } else { String::new() };
    let fight = format!("{n} against {defence}{towers}");
    if after.board.owner(target) != Some(before.active) {
        let end = match defence - n.min(defence) {
            0 => "All die, the attack fails.".to_string(),
            rest => format!("The attack fails, {} left.", count(rest, "defender", "defenders")),
        };
        return vec![format!("{actor} attacks {whose}: {fight}. {end}")];
    }
    let prize = match before.board.upgrade(target) {
        Upgrade::None => "hex",
        upgrade => upgrade.name(),
    };
    let mut told = vec![format!("{actor} attacks {whose}: {fight}. {actor} takes the {prize}, {left} left.")];
    if before.board.upgrade(target) == Upgrade::Home {
        told.push(home_falls(before, enemy, after));
    }
    told
}

/// Describes the capture of a Home.
fn home_falls(before: &Numeral, loser: Seat, after: &Numeral) -> String {
    let whose = who(loser);
    if !after.in_play(loser) {
        return format!("{whose} has no hex left and is out.");
    }
    match after.board.home(loser) {
        Some(_) => home_moves(before, loser, after),
        None => format!("{whose} loses the Home."),
    }
}

/// Describes the move of a Home.
fn home_moves(before: &Numeral, loser: Seat, after: &Numeral) -> String {
    let Some(home) = after.board.home(loser) else { return String::new() };
    let lost = match before.board.upgrade(home) {
        Upgrade::None | Upgrade::Home => String::new(),
        upgrade => format!(" in place of the {}", upgrade.name()),
    };
    let gold = after.board.storage(loser);
    format!("{} gets a new Home with {gold} gold{lost}.", who(loser))
}

/// Appends the round, and the income that is paid when a Placing turn begins.
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
    // Before the first income there is no board to compare with.
    let earlier = if made { after } else { before };
    let (gross, upkeep) = (earlier.board.gross(seat), earlier.maintenance(seat));
    let storage = after.board.storage(seat);
    let actor = who(seat);
    told.push(if gross >= upkeep {
        let pay = if upkeep > 0 { format!(" − upkeep {upkeep}") } else { String::new() };
        format!("{actor}: income {gross}{pay}. Home: {storage} gold.")
    } else {
        let starve = count(upkeep - gross, "soldier dies", "soldiers die");
        format!("{actor}: income {gross} − upkeep {upkeep}. {starve}. Home: {storage} gold.")
    });
}

/// Describes the end of the game.
fn ending(game: &Numeral) -> String {
    let outcome = game.ranking();
    let winners: Vec<String> = outcome.winners().map(who).collect();
    match &winners[..] {
        [winner] if game.players_left() == 1 => format!("{winner} has the last Home."),
        [winner] => format!("Round {} was the last. {winner} has the most soldiers and gold.", game.round),
        _ => format!("Round {} was the last. {} share the win.", game.round, winners.join(" and ")),
    }
}
