//! Prompts and labels: what a seat is asked, and what each action is called.

use crate::actions::Act;
use crate::describe::name;
use crate::face::Mode;
use crate::map::Place;
use crate::state::{H, Hestia, L, Step};
use pentarchy_engine::describe::{awaited_plainly, who};
use pentarchy_engine::{Node, Observer, Position, Seat};

/// "1 card", "3 cards".
pub(crate) fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// "a, b and c"; equal names are counted: "2 × a and b".
pub(crate) fn list(names: &[String]) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counted.iter_mut().find(|(known, _)| known == name) {
            Some((_, n)) => *n += 1,
            None => counted.push((name, 1)),
        }
    }
    let text = |&(name, n): &(&str, usize)| if n == 1 { name.to_string() } else { format!("{n} × {name}") };
    let texts: Vec<String> = counted.iter().map(text).collect();
    match &texts[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        texts => texts.concat(),
    }
}

/// What is awaited: an instruction for the seat that decides, a sentence for everybody else.
pub(crate) fn awaited(view: &Position<Hestia>) -> String {
    match view.node() {
        Node::Decide(seat) if view.observer() == Observer::Seat(seat) => instruction(view.state(), seat),
        Node::Decide(seat) => format!("{} {}.", who(seat), doing(view.state())),
        node => nature(view.state()).map_or_else(|| awaited_plainly::<Hestia>(node), str::to_string),
    }
}

/// What the seat that decides is to do, in at most eight words.
fn instruction(game: &Hestia, seat: Seat) -> String {
    match game.step() {
        Step::Half(_, left) => format!("Discard {}", count(left.into(), "card")),
        Step::Bid(_) => "Bid a card for the first turn".into(),
        Step::Add(_) => "Add a card, or continue".into(),
        Step::Cards(_) => "Choose how many cards to spend".into(),
        Step::Pay(_, 1) => "Choose the card to spend".into(),
        Step::Pay(_, left) => format!("Choose {left} cards to spend"),
        Step::Swap(_, replaced) => {
            format!("Replace cards, or continue (draw {})", replaced + 1)
        }
        Step::Orders(_) => orders(game, seat),
        Step::Pick(_) if game.army.blocks == 0 => {
            format!("{}: choose blocks", game.army.place.spot().name)
        }
        Step::Pick(_) => "Add blocks, or march".into(),
        Step::March(_) => march(game, seat),
        Step::ChooseBattle(_) => "Choose the next battle".into(),
        Step::Choose(_) if game.tokens.is_empty(crate::state::hand(seat)) => {
            "No cards left: stand or retreat".into()
        }
        Step::Choose(_) => "Choose a card to fight or retreat".into(),
        Step::Duty(_) => "Choose a card to fight with".into(),
        Step::Loss(_) => {
            format!("Choose a block to weaken ({} strength to lose)", game.battle.due[seat.index()])
        }
        Step::Heal(_) => "Choose a block that regains 1 strength".into(),
        Step::Flee(_) => {
            format!("Choose where the enemy retreats ({})", count(game.battle.left.into(), "move"))
        }
        Step::Withdraw(_) => "Choose where you retreat".into(),
        _ => "Choose".into(),
    }
}

fn orders(game: &Hestia, seat: Seat) -> String {
    let what = if game.has_rally(seat) { "an army or a rally" } else { "an army" };
    match game.orders {
        Some(left) => format!("Choose {what} ({} left)", count(left.into(), "order")),
        None => format!("Choose {what}, or continue"),
    }
}

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

/// What the seat that decides is doing, after its name.
fn doing(game: &Hestia) -> String {
    let place = game.battle.place.spot().name;
    match game.step() {
        Step::Half(..) => "discards cards".into(),
        Step::Bid(_) => "bids for the first turn".into(),
        Step::Add(_) => "may add cards".into(),
        Step::Cards(_) => "chooses how many cards to spend".into(),
        Step::Pay(..) => "spends a card".into(),
        Step::Swap(..) => "replaces cards".into(),
        Step::Orders(_) => match game.orders {
            Some(left) => format!("gives orders ({left} left)"),
            None => "gives orders".into(),
        },
        Step::Pick(_) => format!("forms an army in {}", game.army.place.spot().name),
        Step::March(_) => format!("marches from {}", game.army.place.spot().name),
        Step::ChooseBattle(_) => "chooses the next battle".into(),
        Step::Choose(_) | Step::Duty(_) => format!("chooses a card for the battle of {place}"),
        Step::Loss(_) => "takes losses".into(),
        Step::Heal(_) => "restores a block".into(),
        Step::Flee(_) => "chooses where the enemy retreats".into(),
        Step::Withdraw(_) => format!("retreats from {place}"),
        _ => "chooses".into(),
    }
}

/// What happens without a decision.
fn nature(game: &Hestia) -> Option<&'static str> {
    Some(match game.step() {
        Step::Shuffle(_) => "Shuffling the cards…",
        Step::Learn(_) => "Drawing cards…",
        Step::OpenLeads => "Revealing the bids…",
        Step::Mix(_) => "Mixing blocks…",
        Step::Muster => "Revealing both armies…",
        Step::OpenModes => "Revealing who fights…",
        Step::ShowLeads => "Revealing the cards…",
        Step::Roll(..) => "Rolling the die…",
        Step::Count => "Counting all blocks…",
        _ => return None,
    })
}

/// What an action is called.
pub(crate) fn label(view: &Position<Hestia>, action: Act) -> String {
    let game = view.state();
    let of = |t| name(view, t);
    let at = |p: Place| p.spot().name;
    let moves = |blocks: usize| count(game.allowance(blocks).into(), "move");
    match action {
        Act::Discard(t) => format!("Discard {}", of(t)),
        Act::Bid(t) => format!("Bid {}", of(t)),
        Act::Add(t) => format!("Add {}", of(t)),
        Act::Done => "Continue".into(),
        Act::Cards(0) => "0 cards: no orders, draw cards".into(),
        Act::Cards(1) => format!("1 card: {}", count(game.settings.orders.into(), "order")),
        Act::Cards(_) => "2 cards: all armies, 1 rally".into(),
        Act::Pay(t) => format!("Spend {}", of(t)),
        Act::Swap(t) => format!("Replace {}", of(t)),
        Act::Army(p) => format!("March from {}", at(p)),
        Act::Rally(p, None) => format!("Rally in {}", at(p)),
        Act::Rally(p, Some(sea)) => format!("Rally a ship of {} in {}", at(p), at(sea)),
        Act::End if has_battle(game) => "Continue".into(),
        Act::End => "End turn".into(),
        Act::Pick(t) => format!("Take {}", of(t)),
        Act::All => {
            let all = view.actor().map_or(0, |seat| game.pickable(seat));
            format!("All {all} blocks ({})", moves(all))
        }
        Act::Go => format!("March ({})", moves(game.army.blocks.count_ones() as usize)),
        Act::Move(p) => format!("March to {}", at(p)),
        Act::Influence => format!("Place a token in {}", at(game.army.place)),
        Act::Drop(t) => format!("Leave {} behind", of(t)),
        Act::Force(t) => format!("Spend {} for 1 more move", of(t)),
        Act::Stop => "Stop here".into(),
        Act::Battle(p) => format!("Fight in {}", at(p)),
        Act::Clash(t, Some(Mode::Retreat)) => format!("Retreat with {}", of(t)),
        Act::Clash(t, _) | Act::Fight(t) => format!("Fight with {}", of(t)),
        Act::Hold(Some(Mode::Withdraw)) => "Retreat".into(),
        Act::Hold(_) => "Stand".into(),
        Act::Lose(t) => format!("{} loses 1 strength", of(t)),
        Act::Heal(t) => format!("{} regains 1 strength", of(t)),
        Act::Flee(p) => format!("The enemy retreats to {}", at(p)),
        Act::Withdraw(p) => format!("Retreat to {}", at(p)),
    }
}

/// Whether land units of both sides stand in one land: combat follows the orders.
fn has_battle(game: &Hestia) -> bool {
    Place::lands().any(|place| [L, H].iter().all(|&seat| game.land_units(place, seat) > 0))
}
