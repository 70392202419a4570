//! Prompts and labels: what a seat is asked, and what each action is called.

use super::name;
use super::texts::LOG;
use crate::actions::Action;
use crate::face::Mode;
use crate::map::Place;
use crate::state::{H, Hestia, L, Task};
use pentarchy_engine::describe::{awaited_plainly, join_list, who};
use pentarchy_engine::{Node, Observer, Position, Seat, fill_text};

/// Formats the number `n` with the noun `one` in the singular, or with `s` appended: `1 card`, `3 cards`.
fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// Formats a list in the order of first occurrence: `a, b and c`. Equal names are counted: `2 × a and b`.
/// Empty for no names.
pub(super) fn list(names: &[String]) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counted.iter_mut().find(|(known, _)| known == name) {
            Some((_, n)) => *n += 1,
            None => counted.push((name, 1)),
        }
    }
    let text = |&(name, n): &(&str, usize)| match n {
        1 => name.to_string(),
        n => fill_text!(LOG.several, n = n, name = name),
    };
    join_list(&counted.iter().map(text).collect::<Vec<_>>(), LOG.comma, LOG.and)
}

/// Returns the prompt: an instruction if the observer decides, a sentence about the deciding seat for other
/// observers, and a description of what is resolved without a decision.
pub(super) fn awaited(view: &Position<Hestia>) -> String {
    match view.node() {
        Node::Decide(seat) if view.observer() == Observer::Seat(seat) => instruction(view.state(), seat),
        Node::Decide(seat) => format!("{} {}.", who(seat), doing(view.state())),
        node => nature(view.state()).map_or_else(|| awaited_plainly::<Hestia>(node), str::to_string),
    }
}

/// Returns the instruction for `seat`, which decides, in about eight words; `Choose` if the current task is
/// no decision. Names public information only.
fn instruction(game: &Hestia, seat: Seat) -> String {
    match game.step() {
        Task::Half(_, left) => format!("Discard {}", count(left.into(), "card")),
        Task::Bid(_) => "Bid a card for the first turn".into(),
        Task::Add(_) => "Add a card, or continue".into(),
        Task::Cards(_) => "Choose how many cards to spend".into(),
        Task::Pay(_, 1) => "Choose the card to spend".into(),
        Task::Pay(_, left) => format!("Choose {left} cards to spend"),
        Task::Swap(_, replaced) => {
            format!("Replace cards, or continue (draw {})", replaced + 1)
        }
        Task::Orders(_) => orders(game, seat),
        Task::Pick(_) if game.army.blocks == 0 => {
            format!("{}: choose blocks", game.army.place.spot().name)
        }
        Task::Pick(_) => "Add blocks, or march".into(),
        Task::March(_) => march(game, seat),
        Task::ChooseBattle(_) => "Choose the next battle".into(),
        Task::Choose(_) if game.tokens.is_empty(crate::state::hand(seat)) => {
            "No cards left: stand or retreat".into()
        }
        Task::Choose(_) => "Choose a card to fight or retreat".into(),
        Task::Duty(_) => "Choose a card to fight with".into(),
        Task::Loss(_) => {
            format!("Choose a block to weaken ({} strength to lose)", game.battle.due[seat.index()])
        }
        Task::Heal(_) => "Choose a block that regains 1 strength".into(),
        Task::Flee(_) => {
            format!("Choose where the enemy retreats ({})", count(game.battle.left.into(), "move"))
        }
        Task::Withdraw(_) => "Choose where you retreat".into(),
        _ => "Choose".into(),
    }
}

/// Returns the instruction for `seat` while it gives orders: `Choose an army`, with `or a rally` if it can
/// rally, then the number of orders left if they are counted, else `, or end turn`.
fn orders(game: &Hestia, seat: Seat) -> String {
    let what = if game.has_rally(seat) { "an army or a rally" } else { "an army" };
    match game.orders {
        Some(left) => format!("Choose {what} ({} left)", count(left.into(), "order")),
        None => format!("Choose {what}, or end turn"),
    }
}

/// Returns the instruction for `seat` while its army marches: the moves left; without any, that a token can
/// be placed, or a card spent for one more move.
fn march(game: &Hestia, seat: Seat) -> String {
    let place = game.army.place.spot().name;
    if game.is_free_to_move() {
        return format!("{place}: {} left", count(game.army.spaces.into(), "move"));
    }
    if game.army_may_influence(seat) {
        return format!("{place}: place a token, or stop");
    }
    format!("{place}: spend a card for 1 move?")
}

/// Describes what the deciding seat is doing, as a verb phrase without a full stop that follows its name:
/// `bids for the first turn`; `chooses` for tasks without an own text.
fn doing(game: &Hestia) -> String {
    let place = game.battle.place.spot().name;
    match game.step() {
        Task::Half(..) => "discards cards".into(),
        Task::Bid(_) => "bids for the first turn".into(),
        Task::Add(_) => "may add cards".into(),
        Task::Cards(_) => "chooses how many cards to spend".into(),
        Task::Pay(..) => "spends a card".into(),
        Task::Swap(..) => "replaces cards".into(),
        Task::Orders(_) => match game.orders {
            Some(left) => format!("gives orders ({left} left)"),
            None => "gives orders".into(),
        },
        Task::Pick(_) => format!("forms an army in {}", game.army.place.spot().name),
        Task::March(_) => format!("marches from {}", game.army.place.spot().name),
        Task::ChooseBattle(_) => "chooses the next battle".into(),
        Task::Choose(_) | Task::Duty(_) => format!("chooses a card for the battle of {place}"),
        Task::Loss(_) => "takes losses".into(),
        Task::Heal(_) => "restores a block".into(),
        Task::Flee(_) => "chooses where the enemy retreats".into(),
        Task::Withdraw(_) => format!("retreats from {place}"),
        _ => "chooses".into(),
    }
}

/// Describes what is resolved without a decision (shuffle, reveal, die); `None` if the rules wait for a seat,
/// the game is over, or the task has no text.
fn nature(game: &Hestia) -> Option<&'static str> {
    Some(match game.step() {
        Task::Shuffle(_) => "Shuffling the cards…",
        Task::Learn(_) => "Drawing cards…",
        Task::OpenLeads => "Revealing the bids…",
        Task::Mix(_) => "Mixing blocks…",
        Task::Muster => "Revealing both armies…",
        Task::OpenModes => "Revealing who fights…",
        Task::ShowLeads => "Revealing the cards…",
        Task::Roll(..) => "Rolling the die…",
        Task::Count => "Counting all blocks…",
        _ => return None,
    })
}

/// Returns the text of an action of the deciding seat on a button, like `Bid Phalanx` or `March (3 moves)`,
/// with the orders, moves or strength at stake. Cards and blocks are named as far as the observer knows them.
/// Does not check that the action is legal.
pub(super) fn label(view: &Position<Hestia>, action: Action) -> String {
    let game = view.state();
    let of = |t| name(view, t);
    let at = |p: Place| p.spot().name;
    let moves = |blocks: usize| count(game.allowance(blocks).into(), "move");
    match action {
        Action::Discard(t) => format!("Discard {}", of(t)),
        Action::Bid(t) => format!("Bid {}", of(t)),
        Action::Add(t) => format!("Add {}", of(t)),
        Action::Done => "Continue".into(),
        Action::Cards(0) => "0 cards: no orders, draw cards".into(),
        Action::Cards(1) => format!("1 card: {}", count(game.settings.orders.into(), "order")),
        Action::Cards(_) => "2 cards: all armies, 1 rally".into(),
        Action::Pay(t) => format!("Spend {}", of(t)),
        Action::Swap(t) => format!("Replace {}", of(t)),
        Action::Army(p) => format!("March from {}", at(p)),
        Action::Rally(p, None) => format!("Rally in {}", at(p)),
        Action::Rally(p, Some(sea)) => format!("Rally a ship of {} in {}", at(p), at(sea)),
        Action::End if has_battle(game) => "Continue".into(),
        Action::End => "End turn".into(),
        Action::Pick(t) => format!("Take {}", of(t)),
        Action::All => {
            let all = view.actor().map_or(0, |seat| game.pickable(seat));
            format!("All {all} blocks ({})", moves(all))
        }
        Action::Go => format!("March ({})", moves(game.army.blocks.count_ones() as usize)),
        Action::Move(p) => format!("March to {}", at(p)),
        Action::Influence => format!("Place a token in {}", at(game.army.place)),
        Action::Drop(t) => format!("Leave {} behind", of(t)),
        Action::Force(t) => format!("Spend {} for 1 more move", of(t)),
        Action::Stop => "Stop here".into(),
        Action::Battle(p) => format!("Fight in {}", at(p)),
        Action::Clash(t, Some(Mode::Retreat)) => format!("Retreat with {}", of(t)),
        Action::Clash(t, _) | Action::Fight(t) => format!("Fight with {}", of(t)),
        Action::Hold(Some(Mode::Withdraw)) => "Retreat".into(),
        Action::Hold(_) => "Stand".into(),
        Action::Lose(t) => format!("{} loses 1 strength", of(t)),
        Action::Heal(t) => format!("{} regains 1 strength", of(t)),
        Action::Flee(p) => format!("The enemy retreats to {}", at(p)),
        Action::Withdraw(p) => format!("Retreat to {}", at(p)),
    }
}

/// Returns whether land units of both sides stand in one land: combat follows the orders.
fn has_battle(game: &Hestia) -> bool {
    Place::lands().any(|place| [L, H].iter().all(|&seat| game.land_units(place, seat) > 0))
}
