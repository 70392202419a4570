//! The reasons of hints: what an action achieves, in one sentence with numbers.

use super::words::{chosen, enemy, soldiers};
use pentarchy_engine::Seat;
use pentarchy_engine::describe::who;
use pentarchy_numeral::{Action, Cell, HomeLoss, Numeral, Phase, Upgrade};

/// Describes in one sentence why the active player may want an action: the gold or armies that stay at the
/// end of the turn, what placed soldiers make possible, what a building earns or defends and when it is
/// paid off, or what a march achieves. Seats are written `@0`. `None` for selections, for other actions
/// while the rules have no hex selected (except the end of the turn), and for a march where there is no
/// land. Not checked: whether the action is legal.
pub(super) fn merit(game: &Numeral, action: Action) -> Option<String> {
    let board = game.board();
    let me = game.active();
    Some(match (action, chosen(game)) {
        (Action::Done, _) => match game.phase() {
            Phase::Placing => format!("{} gold stays at Home and defends it.", board.storage(me)),
            Phase::Attacking => "Your other armies stand well where they are.".to_string(),
        },
        (Action::Place(n), Some(cell)) => explain_placing(game, me, cell, n),
        (Action::Build(Upgrade::Tower), Some(cell)) => {
            let near = cell.neighbours().filter(|&near| board.owner(near) == Some(me)).count();
            format!("Its soldiers also defend {near} of your hexes around it.")
        }
        (Action::Build(upgrade), Some(cell)) => {
            let more = board.yields(upgrade).saturating_sub(board.yields(board.upgrade(cell)));
            match more {
                0 => format!("The hex then earns {} each round.", board.yields(upgrade)),
                more => {
                    let rounds = board.cost(upgrade).div_ceil(more);
                    let rounds = if rounds == 1 { "1 round".to_string() } else { format!("{rounds} rounds") };
                    format!("It earns {more} more each round and is paid off in {rounds}.")
                }
            }
        }
        (Action::March(direction, n), Some(from)) => {
            explain_march(game, from, game.target(from, direction)?, n)
        }
        _ => return None,
    })
}

/// Returns the owner and the number of soldiers of the strongest army (the last of equals) of an enemy of the active
/// player next to a hex; `None` if there is none.
fn strongest_threat(game: &Numeral, cell: Cell) -> Option<(Seat, u32)> {
    let board = game.board();
    let near = cell.neighbours().filter_map(|near| Some((enemy(game, near)?, board.soldiers(near))));
    near.filter(|(_, soldiers)| *soldiers > 0).max_by_key(|(_, soldiers)| *soldiers)
}

/// Describes what placing `n` soldiers of `me` on a hex makes possible or protects, by the first that
/// applies: an enemy hex beside it that they can take and those already there cannot (of several, that with
/// the highest income); the strongest enemy army beside it; the number of free hexes beside it; that it
/// guards an adjacent Home; else the size of the army.
fn explain_placing(game: &Numeral, me: Seat, cell: Cell, n: u32) -> String {
    let board = game.board();
    let there = board.soldiers(cell) + n;
    // What can be taken from here with the new soldiers.
    let prey = cell.neighbours().filter_map(|near| Some((near, enemy(game, near)?)));
    let prey = prey.filter(|&(near, owner)| {
        let defence = game.defence(near, owner);
        defence < there && defence >= board.soldiers(cell)
    });
    if let Some((_, owner)) = prey.max_by_key(|&(near, _)| board.yields(board.upgrade(near))) {
        return format!("With {} you can take a hex from {}.", soldiers(there), who(owner));
    }
    if let Some((owner, near)) = strongest_threat(game, cell) {
        return format!("Next to it: {} of {}.", soldiers(near), who(owner));
    }
    let free = cell.neighbours().filter(|near| board.neutral().iter().any(|free| free == *near)).count();
    match free {
        0 => match board.home(me).map(|home| home.distance(cell)) {
            Some(1) => "It guards your Home.".to_string(),
            _ => format!("From here you can march with {}.", soldiers(there)),
        },
        1 => "From here you can take a free hex.".to_string(),
        free => format!("From here you can take {free} free hexes."),
    }
}

/// Describes what an attack by `n` soldiers from one hex on another of `owner` achieves that does not take the hex:
/// the largest own army beside it that can take it next, or without one the losses of both.
fn explain_weakening(game: &Numeral, from: Cell, to: Cell, n: u32, owner: Seat) -> String {
    let (board, me) = (game.board(), game.active());
    let left = game.defence(to, owner).saturating_sub(n);
    let ready = |near: Cell| board.ready(near).saturating_sub(if near == from { n } else { 0 });
    let own = to.neighbours().filter(|&near| board.owner(near) == Some(me));
    match (own.map(ready).filter(|&ready| ready > left).max(), left) {
        (Some(ready), 0) => format!("No defender is left: your next army of {ready} can take the hex."),
        (Some(ready), 1) => format!("1 defender is left: your next army of {ready} can take the hex."),
        (Some(ready), _) => format!("{left} defenders are left: your next army of {ready} can take the hex."),
        (None, _) => format!("You and {} lose {} each.", who(owner), soldiers(n)),
    }
}

/// Describes what a march of `n` soldiers of the active player from one hex to an adjacent one achieves.
/// Against an enemy hex: the hex or Home taken, with the consequence for its owner, or else what the attack
/// weakens. On free land: its income. To the own Home: the gold. To another own hex: the army there, and
/// the enemy that it faces.
fn explain_march(game: &Numeral, from: Cell, to: Cell, n: u32) -> String {
    let (board, me) = (game.board(), game.active());
    let income = board.yields(board.upgrade(to));
    match (enemy(game, to), board.owner(to)) {
        (Some(owner), _) if n > game.defence(to, owner) => match board.upgrade(to) {
            // A lost Home moves to another hex of its owner, if there is one and the options allow it.
            Upgrade::Home if game.options().home_loss == HomeLoss::Move && board.held(owner).len() > 1 => {
                format!("You take the Home of {}, who must move it to another hex.", who(owner))
            }
            Upgrade::Home => format!("You take the Home of {}, who is out of the game.", who(owner)),
            _ => format!("You take a hex from {} with an income of {income}.", who(owner)),
        },
        (Some(owner), _) => explain_weakening(game, from, to, n, owner),
        (None, None) => format!("The free hex earns {income} each round."),
        (None, Some(_)) if board.home(me) == Some(to) => {
            "They cost no upkeep at Home and become gold.".to_string()
        }
        (None, Some(_)) => {
            let there = board.soldiers(to) + n;
            match strongest_threat(game, to) {
                Some((owner, _)) => format!("You then face {} with {}.", who(owner), soldiers(there)),
                None => format!("You can strike with {} next turn.", soldiers(there)),
            }
        }
    }
}
