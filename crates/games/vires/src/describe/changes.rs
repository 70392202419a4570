//! What an event moved, as sentences: "@1 loses 1 Block and 1 Coin."

use super::{blocks, coins, hr};
use crate::actions::Action;
use crate::cards::{Card, Kind};
use crate::state::{Bill, MOST_SEATS, POOL, Place, Task, Vires, hand, place};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Event, Seat};

/// The gains and losses of a player in one event.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Delta {
    blocks: i8,
    coins: i8,
    hr: i8,
}

/// HR or a Block that moved from one player to another.
#[derive(Clone, Copy, Default)]
struct Handed {
    from: Seat,
    to: Seat,
    hr: u8,
    all: bool,
    blocks: u8,
    coins: u8,
}

/// Describes the Blocks, Coins, cards and markers that an event has moved or changed; empty for a discard or
/// FLIP.
pub(super) fn sentences(before: &Vires, event: Event<Action>, after: &Vires) -> Vec<String> {
    let mut out = Vec::new();
    if matches!(event, Event::Act(Action::Dismiss(_))) || is_flip(before, event) {
        return out;
    }
    let mined = after.blocks(before.active) > before.blocks(before.active) && !stole(before, after);
    out.extend(mined.then(|| mining(before, event, after)));
    let (mut deltas, mut handed) = moves(before, after);
    if mined {
        deltas[before.active.index()] = Delta::default();
    }
    payments(before, after, &mut deltas, &mut handed, &mut out);
    if matches!(before.agenda.top(), Some(Task::Main { .. } | Task::Mine(_))) {
        // The log line of the new Block names what was spent on it.
        let paid = &mut deltas[before.active.index()].hr;
        *paid = if matches!(after.agenda.top(), Some(Task::Mine(_))) { 0 } else { *paid };
    }
    out.extend(handed.iter().map(given));
    out.extend(gained_and_lost(before, after, &deltas));
    out.extend(markers(before, after, mined));
    out
}

/// Returns whether an event plays FLIP.
fn is_flip(before: &Vires, event: Event<Action>) -> bool {
    matches!((before.agenda.top(), event), (Some(Task::End { .. }), Event::Act(Action::Play { .. })))
}

/// Returns whether the active player's new Block came from another Chain.
fn stole(before: &Vires, after: &Vires) -> bool {
    let chains = |state: &Vires, t| match place(state.tokens.zone(t)) {
        Place::Chain(p) => Some(p),
        _ => None,
    };
    after.tokens.all().any(|t| match (chains(before, t), chains(after, t)) {
        (Some(old), Some(new)) => old != new,
        _ => false,
    })
}

/// Describes a Block that was gained.
fn mining(before: &Vires, event: Event<Action>, after: &Vires) -> String {
    let p = before.active;
    let by_hand = matches!(
        (before.agenda.top(), event),
        (Some(Task::Main { .. }), Event::Act(Action::Mine)) | (Some(Task::Mine(_)), _)
    );
    let source = if by_hand { format!("for {}", hr(before.cost(p))) } else { "with HR from the Pool".into() };
    // NONCE has a price.
    let price = if by_hand { 0 } else { before.price(Card::Nonce) };
    let kept = before.coins(p).saturating_sub(price);
    let block = before.blocks(p);
    match after.coins(p).saturating_sub(kept) {
        0 => format!("{} mines Block {block} {source} and gets no Coin.", who(p)),
        n => format!("{} mines Block {block} {source} and gets {}.", who(p), coins(n)),
    }
}

/// Returns the gains and losses of all players, and what moved from player to player.
fn moves(before: &Vires, after: &Vires) -> ([Delta; MOST_SEATS], Vec<Handed>) {
    let mut deltas = [Delta::default(); MOST_SEATS];
    let mut handed: Vec<Handed> = Vec::new();
    for t in after.tokens.all() {
        let (old, new) = (before.tokens.zone(t), after.tokens.zone(t));
        if old == new {
            continue;
        }
        let (old, new) = (place(old), place(new));
        let mut give = |from: Seat, to: Seat, hr, blocks, coins| {
            let known = handed.iter_mut().find(|h| (h.from, h.to) == (from, to));
            let fresh = Handed { from, to, ..Handed::default() };
            let entry = match known {
                Some(entry) => entry,
                None => {
                    handed.push(fresh);
                    let last = handed.len() - 1;
                    &mut handed[last]
                }
            };
            (entry.hr, entry.blocks, entry.coins) =
                (entry.hr + hr, entry.blocks + blocks, entry.coins + coins);
        };
        match (old, new) {
            (Place::Hand(x), Place::Hand(p)) => give(x, p, 1, 0, 0),
            (Place::Chain(x), Place::Chain(p)) => give(x, p, 0, 1, 0),
            // A Coin that is paid into a hand becomes an HR.
            (Place::Bank(x), Place::Hand(p) | Place::Bank(p)) if x != p => give(x, p, 0, 0, 1),
            (old, new) => {
                let pool = Place::Common("pool");
                match old {
                    Place::Hand(x) if new == pool || matches!(new, Place::Bank(_)) => {
                        deltas[x.index()].hr -= 1;
                    }
                    Place::Bank(x) => deltas[x.index()].coins -= 1,
                    Place::Chain(x) => deltas[x.index()].blocks -= 1,
                    _ => {}
                }
                match new {
                    // With an empty Pool, DCA returns the Coin that it takes.
                    Place::Hand(p) if old == pool || matches!(old, Place::Bank(_)) => {
                        deltas[p.index()].hr += 1;
                    }
                    Place::Bank(p) => deltas[p.index()].coins += 1,
                    Place::Chain(p) => deltas[p.index()].blocks += 1,
                    _ => {}
                }
            }
        }
    }
    (deltas, handed)
}

/// Describes payments. A payment takes one event per hidden HR; it gets one log line when it is complete.
fn payments(
    before: &Vires,
    after: &Vires,
    deltas: &mut [Delta; MOST_SEATS],
    handed: &mut Vec<Handed>,
    out: &mut Vec<String>,
) {
    let bill = |state: &Vires| match state.agenda.top() {
        Some(Task::Pay(bill)) => Some(bill),
        _ => None,
    };
    if let Some(open) = bill(after) {
        deltas[open.from.index()].hr = deltas[open.from.index()].hr.max(0);
        handed.retain(|h| h.from != open.from);
    }
    let Some(closed) = bill(before).filter(|b| bill(after).is_none_or(|open| open.from != b.from)) else {
        return;
    };
    let x = closed.from;
    let moved = before
        .tokens
        .iter(hand(x))
        .filter(|&t| {
            let new = after.tokens.zone(t);
            new == POOL || (matches!(place(new), Place::Hand(p) if p != x))
        })
        .count() as u8;
    let all = closed.left > Bill::ALL / 2;
    let owed = if all { Bill::ALL } else { amount(before, closed) };
    let paid = (owed - closed.left.min(owed)) + moved;
    match closed.to {
        Some(to) => {
            let known = handed.iter_mut().find(|h| (h.from, h.to) == (x, to));
            match known {
                Some(entry) => (entry.hr, entry.all) = (paid, all),
                None if paid > 0 => {
                    handed.push(Handed { from: x, to, hr: paid, all, ..Handed::default() });
                }
                None => {}
            }
        }
        None => deltas[x.index()].hr = -(paid.min(100) as i8),
    }
    let nothing = paid == 0 && deltas[x.index()] == Delta::default() && !handed.iter().any(|h| h.from == x);
    if nothing {
        deltas[x.index()] = Delta::default();
        out.push(format!("{} has nothing to pay with.", who(x)));
    } else if all && closed.to.is_none() {
        deltas[x.index()].hr = 0;
        out.push(format!("{} loses all HR.", who(x)));
    }
}

/// Returns the original number of HR of a bill.
fn amount(state: &Vires, bill: Bill) -> u8 {
    let tuning = state.rules.tuning;
    let card = state.in_question().and_then(|(t, _)| state.tokens.public_face(t));
    match card {
        Some(Card::Bear) => tuning.bear,
        Some(Card::Scam) => tuning.scam,
        Some(Card::Dex) => tuning.dex,
        Some(Card::Whale) => tuning.whale_loss,
        Some(Card::Atl) => tuning.atl,
        Some(Card::Pump) => tuning.pump,
        Some(Card::Bot) if bill.from != state.active => tuning.bot,
        Some(Card::Ico) if bill.from != state.active => tuning.ico,
        _ => 1,
    }
    .max(bill.left)
}

/// Describes what one player gave to another.
fn given(h: &Handed) -> String {
    let (x, p) = (who(h.from), who(h.to));
    if h.blocks > 0 {
        let with = if h.coins > 0 { format!(" and {}", coins(h.coins)) } else { String::new() };
        return format!("{p} steals {}{with} from {x}.", blocks(h.blocks));
    }
    let mut parts = Vec::new();
    if h.hr > 0 {
        parts.push(if h.all { "all HR".to_string() } else { hr(h.hr) });
    }
    if h.coins > 0 {
        parts.push(coins(h.coins));
    }
    format!("{x} gives {p} {}.", parts.join(" and "))
}

/// Describes gains from the Pool and losses to it. Equal changes share one log line.
fn gained_and_lost(before: &Vires, after: &Vires, deltas: &[Delta; MOST_SEATS]) -> Vec<String> {
    let mut groups: Vec<(Delta, Vec<Seat>)> = Vec::new();
    for p in before.active.ring(after.seats) {
        let delta = deltas[p.index()];
        if delta == Delta::default() {
            continue;
        }
        // What the active player pays and what others lose are two sentences.
        let joins = |(d, seats): &&mut (Delta, Vec<Seat>)| {
            *d == delta && !(pays(before) && seats.first() == Some(&before.active))
        };
        match groups.iter_mut().find(joins) {
            Some((_, seats)) => seats.push(p),
            None => groups.push((delta, vec![p])),
        }
    }
    let sentence = |(delta, seats): (Delta, Vec<Seat>)| {
        let gains = goods(delta, 1);
        let losses = goods(delta, -1);
        let own = seats == [before.active] && pays(before) && delta.blocks >= 0;
        let lose = if own { "pays" } else { "loses" };
        let parts: Vec<(&str, String)> = [(lose, losses), ("gets", gains)]
            .into_iter()
            .filter(|(_, goods)| !goods.is_empty())
            .map(|(verb, goods)| (verb, goods.join(" and ")))
            .collect();
        let (subject, one) = match seats[..] {
            [p] => (who(p), true),
            _ if seats.len() == usize::from(after.seats) => ("Everybody".to_string(), true),
            _ => (and(seats.iter().map(|&p| who(p)).collect()), false),
        };
        let parts: Vec<String> = parts
            .into_iter()
            .map(|(verb, goods)| {
                if one {
                    format!("{verb} {goods}")
                } else {
                    format!("{} {goods} each", verb.trim_end_matches('s'))
                }
            })
            .collect();
        format!("{subject} {}.", parts.join(" and "))
    };
    // Losses first: some cards distribute what others have just lost.
    groups.sort_by_key(|(delta, _)| goods(*delta, -1).is_empty());
    groups.into_iter().map(sentence).collect()
}

/// Returns whether the active player's loss is a price.
fn pays(before: &Vires) -> bool {
    if matches!(before.agenda.top(), Some(Task::Announce(_))) {
        return false;
    }
    let card = before.in_question().and_then(|(t, _)| before.tokens.public_face(t));
    card.is_none_or(|card| card.kind() == Kind::Paid || matches!(card, Card::Dca | Card::Cex | Card::Miner))
}

/// Lists the gains (`sign` 1) or losses (−1) of a player.
fn goods(delta: Delta, sign: i8) -> Vec<String> {
    let number = |n: i8| u8::try_from(n * sign).ok().filter(|&n| n > 0);
    let mut out = Vec::new();
    out.extend(number(delta.blocks).map(blocks));
    out.extend(number(delta.coins).map(coins));
    out.extend(number(delta.hr).map(hr));
    out
}

/// Describes changed costs and rewards of players' next Blocks, and new locks on mining and playing cards.
/// `mined`: the active player has mined, so only a new lock of theirs is described, because a Block resets the
/// rest.
fn markers(before: &Vires, after: &Vires, mined: bool) -> Vec<String> {
    let mut out = Vec::new();
    for p in (0..after.seats).map(Seat) {
        let (old, new) = (before.player(p), after.player(p));
        if mined && p == before.active {
            if new.locked_next && !old.locked_next {
                out.push(format!("{} cannot mine or play cards in the next turn.", who(p)));
            }
            continue;
        }
        if new.diff != old.diff {
            out.push(format!("{}'s next Block costs {}.", who(p), hr(after.cost(p))));
        }
        if new.reward != old.reward {
            out.push(format!("{}'s next Block pays {}.", who(p), coins(after.reward(p))));
        }
        if new.timelock && !old.timelock {
            out.push(format!("{} cannot mine or play cards in the turn after the next Block.", who(p)));
        }
    }
    if after.active == before.active && after.turn.double && !before.turn.double {
        out.push(format!("{}'s next paid card is free this turn.", who(after.active)));
    }
    out
}

/// Joins names: "a, b and c".
pub(super) fn and(names: Vec<String>) -> String {
    match &names[..] {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
