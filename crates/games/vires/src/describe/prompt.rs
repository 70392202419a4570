//! What is awaited: an instruction for the player who is asked, a sentence for everybody else.

use super::{card_in_question, hr, said};
use crate::actions::Action;
use crate::cards::Kind;
use crate::state::{Case, Loss, Step, Vires};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Node, Observer, Position, Seat};

pub(super) fn awaited(view: &Position<Vires>) -> String {
    let state = view.state();
    match state.node_seat().filter(|&seat| view.observer() == Observer::Seat(seat)) {
        Some(_) => instruction(view),
        None => sentence(state),
    }
}

impl Vires {
    /// The seat that is to decide.
    fn node_seat(&self) -> Option<Seat> {
        match self.awaited() {
            Node::Decide(seat) => Some(seat),
            _ => None,
        }
    }
}

/// For the player who is asked.
fn instruction(view: &Position<Vires>) -> String {
    let state = view.state();
    let card = card_in_question(state);
    let mut list = Vec::new();
    // The player's own list can be read; without it the instruction only says less.
    let _ = view.legal(&mut list);
    match state.agenda.top().unwrap_or_default() {
        Step::Main { .. } => {
            let mine = list.contains(&Action::Mine);
            let play = list.iter().any(|action| matches!(action, Action::Play { .. }));
            let cost = hr(state.cost(state.active));
            match (mine, play) {
                (true, true) => format!("Mine ({cost}), play cards, or end turn"),
                (true, false) => format!("Mine a Block for {cost}, or end turn"),
                (false, true) => "Play cards, or end turn".to_string(),
                (false, false) => "Discard cards, or end turn".to_string(),
            }
        }
        Step::End { .. } => "Discard cards, or end turn".to_string(),
        Step::Cancel { .. } => match answered(state) {
            Some(by) => format!("Cancel {}'s {card} with TEST?", who(by)),
            None => format!("Cancel {card} with TEST?"),
        },
        Step::Protect(_, loss) => {
            let with = held(view, &list);
            match loss {
                Loss::Hr => format!("{card}: keep your HR with {with}?"),
                Loss::Coin => format!("{card}: keep your Coin with {with}?"),
                Loss::Block if with == "HODL" => format!("{card} takes a Block: keep its Coin with HODL?"),
                Loss::Block => format!("{card}: keep your Block with {with}?"),
            }
        }
        Step::Challenge { of, fixed, .. } => {
            let with = held(view, &list);
            match fixed {
                None => format!("Coin flip for {card}: play {with}?"),
                Some(won) => {
                    let result = if won { "wins" } else { "loses" };
                    format!("{} {result} {card}: change it with {with}?", who(of))
                }
            }
        }
        Step::Offer(x) => format!("Choose a card to offer {}", who(x)),
        Step::Choose { by, from } if by == from => {
            format!("Give {} a Coin or an HR", who(state.active))
        }
        Step::Choose { from, .. } => format!("Take a Coin or an HR from {}", who(from)),
        Step::Vote { .. } => "Vote: a Coin or an HR for everybody".to_string(),
        Step::Kyc => "Show your hand, or skip your turn".to_string(),
        _ => sentence(state),
    }
}

/// Who played the card that can be cancelled; nothing for an Event.
fn answered(state: &Vires) -> Option<Seat> {
    state.agenda.iter().rev().find_map(|step| match *step {
        Step::React { by, .. } => Some(Some(by)),
        Step::Effect(t, _) => {
            let event = state.tokens.public_face(t).is_none_or(|card| card.kind() == Kind::Event);
            Some((!event).then_some(state.active))
        }
        _ => None,
    })?
}

/// The cards that the player can react with: "HODL or OFFLINE".
fn held(view: &Position<Vires>, list: &[Action]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for action in list {
        if let Action::React { card, .. } = *action {
            let name = view.face(card).map_or("a card", said);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    if names.is_empty() { "a card".to_string() } else { names.join(" or ") }
}

/// For everybody else.
fn sentence(state: &Vires) -> String {
    let p = who(state.active);
    let card = card_in_question(state);
    match state.agenda.top().unwrap_or_default() {
        Step::Main { .. } => format!("{p} mines or plays cards."),
        Step::End { .. } => format!("{p} discards cards or ends the turn."),
        Step::Cancel { at, .. } => format!("{} may cancel {card} with TEST.", who(at)),
        Step::Protect(x, Loss::Hr) => format!("{} may keep the HR that {card} takes.", who(x)),
        Step::Protect(x, Loss::Coin) => format!("{} may keep the Coin that {card} takes.", who(x)),
        Step::Protect(x, Loss::Block) => format!("{} may keep the Block that {card} takes.", who(x)),
        Step::Challenge { at, .. } => {
            format!("{} may play STRONG or WEAK before the coin flip for {card}.", who(at))
        }
        Step::Offer(x) => format!("{p} chooses a card to offer {}.", who(x)),
        Step::Choose { by, .. } => format!("{} chooses between a Coin and an HR.", who(by)),
        Step::Vote { at, .. } => format!("{} votes in secret.", who(at)),
        Step::Kyc => format!("{p} shows the hand or skips the turn."),
        Step::Mine(_) => format!("{p} pays for the Block."),
        Step::Pay(bill) => format!("{} pays HR.", who(bill.from)),
        Step::Show { who: x, .. } => format!("{} shows HR.", who(x)),
        Step::Flip => match flipper(state) {
            Some(x) => format!("{} flips a coin for {card}…", who(x)),
            None => "Flipping a coin…".to_string(),
        },
        Step::Shuffle => "Shuffling the Deck…".to_string(),
        Step::Back(_) | Step::Tell(..) | Step::Open(_) => format!("{p} draws a card…"),
        Step::Announce(_) => format!("{p} draws an Event…"),
        Step::Look { of, by } if of == by => "Swapping hands…".to_string(),
        Step::Look { by, .. } => format!("{} looks at a hand…", who(by)),
        Step::ShowHand => format!("{p} shows a hand…"),
        Step::Count { .. } => "Counting the votes…".to_string(),
        Step::LayOpen => "Showing all hands…".to_string(),
        _ => "The game is over.".to_string(),
    }
}

/// Who flips the coin that is awaited.
pub(super) fn flipper(state: &Vires) -> Option<Seat> {
    case(state).map(|case| case.challenged(state.active))
}

/// The challenge that is being decided.
pub(super) fn case(state: &Vires) -> Option<Case> {
    state.agenda.iter().rev().find_map(|step| match *step {
        Step::Verdict(case) => Some(case),
        _ => None,
    })
}
