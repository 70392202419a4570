//! What happened, for the log.

use super::{card_in_question, coins, name, said};
use crate::actions::{Action, Aim, Good};
use crate::cards::{Card, Kind};
use crate::state::{BALLOT, DECK, GARBAGE, Place, Step, Vires, place};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Event, LineOf, Position, Seat, Token};

pub(super) fn tell(
    before: &Position<Vires>,
    line: &LineOf<Vires>,
    after: &Position<Vires>,
) -> Option<String> {
    let mut parts = Vec::new();
    parts.extend(match line.event {
        Event::Act(action) => acted(before, after, action),
        Event::Rolled(n) => Some(flipped(before.state(), n == 1)),
        Event::Done => done(before, after),
    });
    parts.extend(settled(before.state(), after.state()));
    parts.extend(changes(before.state(), after.state()));
    if after.state().active != before.state().active && after.outcome().is_none() {
        parts.push(format!("Now it is the turn of {}.", who(after.state().active)));
    }
    if let Some(outcome) = after.outcome() {
        let winners: Vec<String> = outcome.winners().map(who).collect();
        parts.push(format!("{} with {} points.", won(&winners), outcome.scores().iter().max().unwrap_or(&0)));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn won(winners: &[String]) -> String {
    match winners {
        [one] => format!("{one} wins"),
        several => format!("{} share the victory", several.join(" and ")),
    }
}

fn acted(before: &Position<Vires>, after: &Position<Vires>, action: Action) -> Option<String> {
    let state = before.state();
    let actor = before.actor().map_or_else(String::new, who);
    let name = |t: Token| name(after, t);
    Some(match action {
        Action::Mine => format!("{actor} mines for {} HR.", state.cost(state.active)),
        Action::Play { card, aim, showing } => {
            let shown = showing.map_or_else(String::new, |t| format!(", showing {}", name(t)));
            let aim = match aim {
                Aim::Nothing => String::new(),
                Aim::At(x) => format!(" on {}", who(x)),
                Aim::Gain => " to gain".to_string(),
                Aim::Attack => " to attack".to_string(),
            };
            format!("{actor} plays {}{aim}{shown}.", name(card))
        }
        Action::React { card, party } => {
            let party = party.map_or_else(String::new, |x| format!(", naming {}", who(x)));
            format!("{actor} answers {} with {}{party}.", card_in_question(state), name(card))
        }
        Action::Dismiss(t) => format!("{actor} dismisses {}.", name(t)),
        Action::Offer(t) => format!("{actor} offers {}.", name(t)),
        Action::Choose(Good::Coin) => format!("{actor} chooses a Coin."),
        Action::Choose(Good::Hr) => format!("{actor} chooses an HR."),
        Action::Vote(_) => format!("{actor} votes."),
        Action::Kyc { reveal: true } => format!("{actor} shows the Hand."),
        Action::Kyc { reveal: false } => format!("{actor} skips the turn."),
        Action::Show(_) => format!("{actor} shows an HR."),
        Action::Rest => format!("{actor} has no more HR."),
        Action::Pass | Action::End | Action::Done => return None,
    })
}

fn flipped(state: &Vires, heads: bool) -> String {
    let side = if heads { "heads" } else { "tails" };
    // Without a reaction the challenge itself has left the agenda; the verdict tells whose it is.
    let challenged = state.agenda.iter().rev().find_map(|step| match *step {
        Step::Verdict(case) => Some(case.challenged(state.active)),
        _ => None,
    });
    let who = challenged.map_or_else(String::new, who);
    format!("{who} flips {side}, and {} the challenge.", if heads { "wins" } else { "loses" })
}

fn done(before: &Position<Vires>, after: &Position<Vires>) -> Option<String> {
    let state = before.state();
    Some(match state.agenda.top()? {
        Step::Shuffle => format!("The Deck of {} cards is shuffled.", state.tokens.len(DECK)),
        Step::Announce(t) => {
            let card = after.face(t)?;
            format!("{} draws the Event {}: {}", who(state.active), said(card), card.row().text)
        }
        Step::Tell(t, seat) if seat != state.active => {
            format!("{} gets {}.", who(seat), name(after, t))
        }
        Step::Tell(t, seat) => format!("{} draws {}.", who(seat), name(after, t)),
        Step::Open(t) => format!("{} draws {} openly.", who(state.active), name(after, t)),
        Step::Look { of, by } if of == by => format!("{} takes up the other Hand.", who(by)),
        Step::Look { of, by } => format!("{} looks at the Hand of {}.", who(by), who(of)),
        Step::ShowHand => format!("Everybody sees the Hand of {}.", who(state.active)),
        Step::Count { .. } => {
            let vote = |t: Token| match after.face(t) {
                Some(Card::VoteCoin) => "Coins",
                _ => "HR",
            };
            let votes: Vec<&str> = state.tokens.iter(BALLOT).map(vote).collect();
            format!("The ballots say: {}.", votes.join(", "))
        }
        Step::LayOpen => "All Hands are laid open.".to_string(),
        _ => return None,
    })
}

/// A card on the table that was cancelled, or took effect.
fn settled(before: &Vires, after: &Vires) -> Option<String> {
    let pending = |state: &Vires| -> Vec<Token> {
        let cards = state.agenda.iter().filter_map(|step| match *step {
            Step::Effect(t, _) => Some(t),
            _ => None,
        });
        cards.collect()
    };
    let still = pending(after);
    let t = pending(before).into_iter().find(|t| !still.contains(t))?;
    let card = after.tokens.public_face(t)?;
    let cancelled = match place(after.tokens.zone(t)) {
        Place::Hand(_) => true,
        // A cancelled Event goes to the Garbage too: right behind the TEST that did it.
        _ => {
            card.kind() == Kind::Event
                && after.tokens.iter(GARBAGE).any(|u| {
                    after.tokens.below(u) == Some(t)
                        && after.tokens.is_face(u, Card::Test)
                        && !before.tokens.in_zone(u, GARBAGE)
                })
        }
    };
    Some(format!("{} {}.", said(card), if cancelled { "is cancelled" } else { "takes effect" }))
}

/// Who has gained or lost what, in one bracket.
fn changes(before: &Vires, after: &Vires) -> Option<String> {
    let mut all = Vec::new();
    for p in (0..after.seats).map(Seat) {
        let mut own = Vec::new();
        let mut tell = |old: u8, new: u8, what: &dyn Fn(u8) -> String| {
            if new > old {
                own.push(format!("+{}", what(new - old)));
            } else if new < old {
                own.push(format!("−{}", what(old - new)));
            }
        };
        let blocks = |n: u8| if n == 1 { "1 Block".to_string() } else { format!("{n} Blocks") };
        tell(before.blocks(p), after.blocks(p), &blocks);
        tell(before.coins(p), after.coins(p), &coins);
        tell(before.open_hr(p), after.open_hr(p), &|n| format!("{n} open HR"));
        if !own.is_empty() {
            all.push(format!("{} {}", who(p), own.join(", ")));
        }
    }
    (!all.is_empty()).then(|| format!("({})", all.join("; ")))
}
