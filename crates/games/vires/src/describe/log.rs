//! Log entries.

use super::changes::{self, and};
use super::{card_in_question, ending, name, said};
use crate::actions::{Action, Aim, Good};
use crate::cards::{Card, Kind};
use crate::state::{Case, DECK, GARBAGE, Loss, OFFER, Place, Task, Vires, hand, place};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Event, LoggedEventOf, Observer, Position, Seat, Token, Zone};

/// Describes an event; `None` if it needs no entry.
pub(super) fn tell(
    before: &Position<Vires>,
    line: &LoggedEventOf<Vires>,
    after: &Position<Vires>,
) -> Option<String> {
    let (old, new) = (before.state(), after.state());
    let mut parts = Vec::new();
    parts.extend(match line.event {
        Event::Act(action) => acted(before, after, action),
        Event::Rolled(n) => Some(flipped(old, n == 1)),
        Event::Done => done(before, after),
    });
    parts.extend(settled(old, line.event, new));
    parts.extend(decided(old, line.event, new));
    parts.extend(changes::sentences(old, line.event, new));
    if new.active != old.active && after.outcome().is_none() {
        let own = after.observer() == Observer::Seat(new.active);
        parts.push(if own { "Your turn.".to_string() } else { format!("{}'s turn.", who(new.active)) });
    }
    parts.extend(ending(new));
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Describes an action.
fn acted(before: &Position<Vires>, after: &Position<Vires>, action: Action) -> Option<String> {
    let state = before.state();
    let actor = before.actor().map_or_else(String::new, who);
    let name = |t: Token| name(after, t);
    Some(match action {
        Action::Play { card, aim, showing } => {
            let shown = showing.map_or_else(String::new, |t| format!(" and shows {}", name(t)));
            let aim = match aim {
                Aim::At(x) if after.face(card) == Some(Card::Flip) => {
                    return Some(format!("{actor} plays FLIP and swaps hands with {}.", who(x)));
                }
                Aim::At(x) => format!(" on {}", who(x)),
                Aim::Gain => " to get HR".to_string(),
                Aim::Attack => ": each opponent loses HR".to_string(),
                Aim::Nothing => String::new(),
            };
            format!("{actor} plays {}{aim}{shown}.", name(card))
        }
        Action::React { card, party } => {
            let what = match (after.face(card), party) {
                (Some(Card::Strong), Some(x)) => format!(": {} wins the coin flip", who(x)),
                (_, Some(x)) => format!(": {} loses the coin flip", who(x)),
                (_, None) => format!(" against {}", card_in_question(state)),
            };
            format!("{actor} plays {}{what}.", name(card))
        }
        Action::Dismiss(t) => format!("{actor} discards {}.", name(t)),
        Action::Offer(t) => match after.face(t) {
            Some(card) => format!("{actor} offers {}.", said(card)),
            None => format!("{actor} offers a hidden card."),
        },
        Action::Choose(Good::Coin) => format!("{actor} chooses a Coin."),
        Action::Choose(Good::Hr) => format!("{actor} chooses an HR."),
        Action::Kyc { reveal: true } => format!("{actor} shows the whole hand."),
        Action::Kyc { reveal: false } => format!("{actor} skips the rest of the turn."),
        Action::Show(_) if matches!(state.agenda.top(), Some(Task::Show { .. })) => {
            format!("{actor} shows 1 HR.")
        }
        Action::Rest if matches!(state.agenda.top(), Some(Task::Show { .. })) => {
            format!("{actor} has no more HR to show.")
        }
        // Mining and payments are logged by what they move, votes when they are counted.
        _ => return None,
    })
}

/// Describes the result of a coin flip.
fn flipped(state: &Vires, heads: bool) -> String {
    let card = card_in_question(state);
    let case = state.agenda.iter().rev().find_map(|task| match *task {
        Task::Verdict(case) => Some(case),
        _ => None,
    });
    let who = case.map_or_else(String::new, |case| who(case.challenged(state.active)));
    let (side, result) = if heads { ("heads", "wins") } else { ("tails", "loses") };
    let idle = match case {
        Some(Case::Ath | Case::Btfd(_)) => !heads,
        Some(Case::Atl) => heads,
        _ => false,
    };
    let nothing = if idle { " Nothing happens." } else { "" };
    format!("{who} flips {side} for {card} and {result}.{nothing}")
}

/// Describes a reveal or a shuffle.
fn done(before: &Position<Vires>, after: &Position<Vires>) -> Option<String> {
    let state = before.state();
    Some(match state.agenda.top()? {
        Task::Shuffle if state.round == 1 => return None,
        Task::Shuffle => {
            format!("The Deck was empty. A new Deck of {} cards is shuffled.", state.tokens.len(DECK))
        }
        Task::Announce(t) => {
            let card = after.face(t)?;
            format!("{} draws the Event {}.", who(state.active), said(card))
        }
        Task::Tell(t, seat) => {
            let verb = if seat == state.active { "draws" } else { "gets" };
            format!("{} {verb} {}.", who(seat), said(after.face(t)?))
        }
        Task::Open(t) => format!("{} draws {}, face up.", who(state.active), name(after, t)),
        Task::Look { of, by } if of == by => {
            format!("{} now holds {}.", who(by), listed(after, hand(by))?)
        }
        Task::Look { of, by } => {
            let seen = listed(after, hand(of)).map_or_else(String::new, |cards| format!(": {cards}"));
            format!("{} looks at {}'s hand{seen}.", who(by), who(of))
        }
        Task::ShowHand => format!("{} shows {}.", who(state.active), listed(after, hand(state.active))?),
        Task::Count { .. } => counted(after),
        _ => return None,
    })
}

/// Describes the votes of a ballot: "Votes: Coins by @0; HR by @1 and @2."
fn counted(after: &Position<Vires>) -> String {
    let state = after.state();
    let by = |vote: Card| -> Vec<String> {
        let seats = (0..state.seats).map(Seat);
        seats.filter(|&p| after.face(state.ballot(p)) == Some(vote)).map(who).collect()
    };
    let kinds = [("Coins", by(Card::VoteCoin)), ("HR", by(Card::VoteHr))];
    let told: Vec<String> = kinds
        .iter()
        .filter(|(_, seats)| !seats.is_empty())
        .map(|(kind, seats)| format!("{kind} by {}", and(seats.clone())))
        .collect();
    let agreed = if told.len() > 1 { " Nobody gets anything." } else { "" };
    format!("Votes: {}.{agreed}", told.join("; "))
}

/// Lists the cards of a zone: "SAT and 2 HR". `None` if the observer does not know one of them.
fn listed(view: &Position<Vires>, zone: Zone) -> Option<String> {
    let mut cards: Vec<(Card, usize)> = Vec::new();
    for t in view.state().tokens.iter(zone) {
        let card = view.face(t)?;
        match cards.iter_mut().find(|(c, _)| *c == card) {
            Some((_, n)) => *n += 1,
            None => cards.push((card, 1)),
        }
    }
    let counted = |(card, n): (Card, usize)| match (card, n) {
        (Card::Hr, n) => super::hr(n as u8),
        (card, 1) => said(card).to_string(),
        (card, n) => format!("{n} {}", said(card)),
    };
    let names: Vec<String> = cards.into_iter().map(counted).collect();
    Some(if names.is_empty() { "no cards".to_string() } else { and(names) })
}

/// Describes a card that was cancelled, or what a reaction saved.
fn settled(before: &Vires, event: Event<Action>, after: &Vires) -> Option<String> {
    let gone = |task: &&Task| !after.agenda.iter().any(|s| s == *task);
    let cancelled = before.agenda.iter().filter(gone).find_map(|task| match *task {
        Task::Effect(t, _) | Task::React { card: t, .. } if was_cancelled(before, after, t) => Some(t),
        _ => None,
    });
    if let Some(card) = cancelled.and_then(|t| after.tokens.public_face(t)) {
        return Some(format!("{} is cancelled.", said(card)));
    }
    let (by, loss) = before.agenda.iter().filter(gone).find_map(|task| match *task {
        Task::Protect(by, loss) => Some((by, loss)),
        _ => None,
    })?;
    // A reaction that no player may cancel takes effect immediately; otherwise it was on the agenda.
    let reaction = match event {
        Event::Act(Action::React { card, .. }) => Some(card),
        _ => before.agenda.iter().filter(gone).find_map(|task| match *task {
            Task::React { card, .. } => Some(card),
            _ => None,
        }),
    };
    let kept = match (loss, after.tokens.public_face(reaction?)?) {
        (Loss::Block, Card::Agree) => "the Block and its Coin",
        (Loss::Block | Loss::Coin, _) => "the Coin",
        (Loss::Hr, _) => "all HR",
    };
    let traded = before.tokens.len(OFFER) > after.tokens.len(OFFER);
    let trade = if traded { " The trade does not take place." } else { "" };
    Some(format!("{} keeps {kept}.{trade}", who(by)))
}

/// Returns whether an event cancelled the card.
fn was_cancelled(before: &Vires, after: &Vires, t: Token) -> bool {
    match place(after.tokens.zone(t)) {
        Place::Hand(_) => true,
        // A cancelled Event goes to the Garbage too, directly after the TEST that cancelled it.
        _ => {
            let event = after.tokens.public_face(t).is_some_and(|card| card.kind() == Kind::Event);
            event
                && after.tokens.iter(GARBAGE).any(|u| {
                    after.tokens.below(u) == Some(t)
                        && after.tokens.is_face(u, Card::Test)
                        && !before.tokens.in_zone(u, GARBAGE)
                })
        }
    }
}

/// Describes a challenge that was decided without a flip: by STRONG or WEAK, or because the stake was not
/// covered.
fn decided(before: &Vires, event: Event<Action>, after: &Vires) -> Option<String> {
    if matches!(event, Event::Rolled(_)) {
        return None;
    }
    let verdict = |state: &Vires| {
        state.agenda.iter().rev().find_map(|task| match *task {
            Task::Verdict(case) => Some(case),
            _ => None,
        })
    };
    if let Some(x) = uncovered(before, event, after).filter(|_| verdict(after).is_none()) {
        return Some(format!("{} cannot cover the stake and loses.", who(x)));
    }
    let case = verdict(before).filter(|&case| verdict(after) != Some(case))?;
    let fixed = before.agenda.iter().rev().find_map(|task| match *task {
        Task::Challenge { fixed, .. } => fixed,
        _ => None,
    });
    // A reaction that takes effect with no further player to ask decides immediately.
    let named = before.agenda.iter().rev().find_map(|task| match *task {
        Task::React { card, party: Some(party), .. } => {
            let strong = before.tokens.is_face(card, Card::Strong);
            Some(strong == (party == case.challenged(before.active)))
        }
        _ => None,
    });
    let won = match event {
        Event::Act(Action::React { card, party: Some(party) }) => {
            let strong = after.tokens.is_face(card, Card::Strong);
            strong == (party == case.challenged(before.active))
        }
        _ => named.or(fixed)?,
    };
    let result = if won { "wins" } else { "loses" };
    let card = said(before.asks_for_flip(case));
    Some(format!("{} {result} {card} without a flip.", who(case.challenged(before.active))))
}

/// Returns the target of a BOT or ICO that has just taken effect without a challenge.
fn uncovered(before: &Vires, event: Event<Action>, after: &Vires) -> Option<Seat> {
    let covers = |state: &Vires| {
        state.agenda.iter().find_map(|task| match *task {
            Task::Covered { who, .. } => Some(who),
            _ => None,
        })
    };
    if covers(after).is_some() {
        return None;
    }
    if let Some(who) = covers(before) {
        return Some(who);
    }
    let played = match event {
        Event::Act(Action::Play { card, aim: Aim::At(x), .. }) => Some((card, x)),
        _ => before.agenda.iter().find_map(|task| match *task {
            Task::Effect(card, Aim::At(x)) => Some((card, x)),
            _ => None,
        }),
    };
    let (card, x) = played?;
    let stakes = after.tokens.is_face(card, Card::Bot) || after.tokens.is_face(card, Card::Ico);
    let pending = after.agenda.iter().any(|task| matches!(task, Task::Effect(..)));
    (stakes && !pending && !was_cancelled(before, after, card)).then_some(x)
}
