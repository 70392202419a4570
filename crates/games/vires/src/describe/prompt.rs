//! Prompts: an instruction for the acting player, a sentence for all others.

use super::{card_in_question, card_in_sentence, hr};
use crate::actions::Action;
use crate::cards::Kind;
use crate::state::{Case, Loss, Task, Vires};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Node, Observer, Position, Seat};

/// Returns the prompt for the current task: an instruction if the observer decides, else a sentence about who
/// decides or what is resolved.
pub(super) fn awaited(view: &Position<Vires>) -> String {
    let state = view.state();
    match state.node_seat().filter(|&seat| view.observer() == Observer::Seat(seat)) {
        Some(_) => instruction(view),
        None => sentence(state),
    }
}

impl Vires {
    /// Returns the seat that decides now; `None` for declarations, chance, reveals and after the end.
    fn node_seat(&self) -> Option<Seat> {
        match self.awaited() {
            Node::Decide(seat) => Some(seat),
            _ => None,
        }
    }
}

/// Returns the instruction for the deciding player, with the cards or costs that matter; for tasks that are
/// no decision the sentence for others. `view` must be that player's.
fn instruction(view: &Position<Vires>) -> String {
    let state = view.state();
    let card = card_in_question(state);
    let mut list = Vec::new();
    // Without the list of legal actions the instruction only says less.
    let _ = view.legal(&mut list);
    match state.agenda.top().unwrap_or_default() {
        Task::Main { .. } => {
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
        Task::End { .. } => "Discard cards, or end turn".to_string(),
        Task::Cancel { .. } => match answered(state) {
            Some(by) => format!("Cancel {}'s {card} with TEST?", who(by)),
            None => format!("Cancel {card} with TEST?"),
        },
        Task::Protect(_, loss) => {
            let with = held(view, &list);
            match loss {
                Loss::Hr => format!("{card}: keep your HR with {with}?"),
                Loss::Coin => format!("{card}: keep your Coin with {with}?"),
                Loss::Block if with == "HODL" => format!("{card} takes a Block: keep its Coin with HODL?"),
                Loss::Block => format!("{card}: keep your Block with {with}?"),
            }
        }
        Task::Challenge { of, fixed, .. } => {
            let with = held(view, &list);
            match fixed {
                None => format!("Coin flip for {card}: play {with}?"),
                Some(won) => {
                    let result = if won { "wins" } else { "loses" };
                    format!("{} {result} {card}: change it with {with}?", who(of))
                }
            }
        }
        Task::Offer(x) => format!("Choose a card to offer {}", who(x)),
        Task::Choose { by, from } if by == from => {
            format!("Give {} a Coin or an HR", who(state.active))
        }
        Task::Choose { from, .. } => format!("Take a Coin or an HR from {}", who(from)),
        Task::Vote { .. } => "Vote: a Coin or an HR for everybody".to_string(),
        Task::Kyc => "Show your hand, or skip your turn".to_string(),
        _ => sentence(state),
    }
}

/// Returns the player of the uppermost card that can be cancelled; `None` for an Event, or if there is no
/// such card.
fn answered(state: &Vires) -> Option<Seat> {
    state.agenda.iter().rev().find_map(|task| match *task {
        Task::React { by, .. } => Some(Some(by)),
        Task::Effect(t, _) => {
            let event = state.tokens.public_face(t).is_none_or(|card| card.kind() == Kind::Event);
            Some((!event).then_some(state.active))
        }
        _ => None,
    })?
}

/// Lists the different cards that the player can react with by `list`: "HODL or OFFLINE"; `a card` if there
/// are none.
fn held(view: &Position<Vires>, list: &[Action]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for action in list {
        if let Action::React { card, .. } = *action {
            let name = view.face(card).map_or("a card", card_in_sentence);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    if names.is_empty() { "a card".to_string() } else { names.join(" or ") }
}

/// Returns the sentence for all but the deciding player about what is awaited, with public information only;
/// `The game is over.` at the end and for tasks that never wait.
fn sentence(state: &Vires) -> String {
    let p = who(state.active);
    let card = card_in_question(state);
    match state.agenda.top().unwrap_or_default() {
        Task::Main { .. } => format!("{p} mines or plays cards."),
        Task::End { .. } => format!("{p} discards cards or ends the turn."),
        Task::Cancel { at, .. } => format!("{} may cancel {card} with TEST.", who(at)),
        Task::Protect(x, Loss::Hr) => format!("{} may keep the HR that {card} takes.", who(x)),
        Task::Protect(x, Loss::Coin) => format!("{} may keep the Coin that {card} takes.", who(x)),
        Task::Protect(x, Loss::Block) => format!("{} may keep the Block that {card} takes.", who(x)),
        Task::Challenge { at, .. } => {
            format!("{} may play STRONG or WEAK before the coin flip for {card}.", who(at))
        }
        Task::Offer(x) => format!("{p} chooses a card to offer {}.", who(x)),
        Task::Choose { by, .. } => format!("{} chooses between a Coin and an HR.", who(by)),
        Task::Vote { at, .. } => format!("{} votes in secret.", who(at)),
        Task::Kyc => format!("{p} shows the hand or skips the turn."),
        Task::Mine(_) => format!("{p} pays for the Block."),
        Task::Pay(bill) => format!("{} pays HR.", who(bill.from)),
        Task::Show { who: x, .. } => format!("{} shows HR.", who(x)),
        Task::Flip => match flipper(state) {
            Some(x) => format!("{} flips a coin for {card}…", who(x)),
            None => "Flipping a coin…".to_string(),
        },
        Task::Shuffle => "Shuffling the Deck…".to_string(),
        Task::Back(_) | Task::Tell(..) | Task::Open(_) => format!("{p} draws a card…"),
        Task::Announce(_) => format!("{p} draws an Event…"),
        Task::Look { of, by } if of == by => "Swapping hands…".to_string(),
        Task::Look { by, .. } => format!("{} looks at a hand…", who(by)),
        Task::ShowHand => format!("{p} shows a hand…"),
        Task::Count { .. } => "Counting the votes…".to_string(),
        Task::LayOpen => "Showing all hands…".to_string(),
        _ => "The game is over.".to_string(),
    }
}

/// Returns the player who flips the coin of the uppermost challenge on the agenda; `None` if there is none.
pub(super) fn flipper(state: &Vires) -> Option<Seat> {
    case(state).map(|case| case.challenged(state.active))
}

/// Returns the uppermost challenge on the agenda; `None` if there is none.
pub(super) fn case(state: &Vires) -> Option<Case> {
    state.agenda.iter().rev().find_map(|task| match *task {
        Task::Verdict(case) => Some(case),
        _ => None,
    })
}
