//! The table as lines of text, with what the observer knows.

use super::View;
use crate::cards::{Card, Category};
use crate::places::{COMMON, POOL_DECK, Side, deck, discard, hand, slot};
use crate::state::Hegemony;
use pentarchy_engine::describe::who;
use pentarchy_engine::{Seat, Token};
use std::fmt::Write as _;

/// Maximum number of columns of the table, except for a single longer entry.
const WIDTH: usize = 78;

/// Draws the table as text of at most 78 columns, with what the observer knows: round and turn, common pool
/// with costs, the Empire with its slots (or that it has fallen), and each player. Slots are numbered from 1.
pub(super) fn table(view: &View) -> String {
    let state = view.state();
    let mut out = String::new();
    let turn = match state.turn.map(|side| (side, side.seat())) {
        Some((_, Some(seat))) => format!("{}'s turn", who(seat)),
        Some(_) => "the Empire's turn".to_string(),
        None => "between turns".to_string(),
    };
    let _ = match state.round {
        0 => writeln!(out, "Before the first round: the slots are filled"),
        round => writeln!(out, "Round {round} of at most {}, {turn}", state.rules.last_round),
    };
    let common: Vec<String> = state.tokens.iter(COMMON).map(|t| for_sale(view, t)).collect();
    let deck_of_pool = state.tokens.len(POOL_DECK);
    wrapped(&mut out, &format!("Common pool (deck {deck_of_pool}): "), &common);
    if state.standing {
        let vp = state.points(Side::EMPIRE);
        let (cards, used) = (state.tokens.len(deck(Side::EMPIRE)), state.tokens.len(discard(Side::EMPIRE)));
        let _ = writeln!(out, "The Empire: {vp} VP   deck {cards}, discard {used}");
        wrapped(&mut out, "  ", &slots(view, Side::EMPIRE));
    } else {
        out.push_str("The Empire has fallen.\n");
    }
    for seat in (0..state.seats).map(Seat) {
        player(&mut out, view, seat);
    }
    out
}

/// Appends the lines of a player to `out`: points, sizes of deck and discard pile, Embargo, Gridlock and
/// False Flags, the slots, and the hand if it has cards, each as the observer knows it; for a defeated player
/// one line with the points.
fn player(out: &mut String, view: &View, seat: Seat) {
    let (state, side) = (view.state(), Side::from(seat));
    let vp = state.points(side);
    if !state.living.has(seat) {
        let _ = writeln!(out, "{}: defeated with {vp} VP", who(seat));
        return;
    }
    let (cards, used) = (state.tokens.len(deck(side)), state.tokens.len(discard(side)));
    let _ = writeln!(out, "{}: {vp} VP   deck {cards}, discard {used}{}", who(seat), marks(state, seat));
    wrapped(out, "  ", &slots(view, side));
    let cards: Vec<String> = state.tokens.iter(hand(seat)).map(|t| known(view, t)).collect();
    if !cards.is_empty() {
        wrapped(out, "  hand: ", &cards);
    }
}

/// Formats the Embargo, Gridlock and False Flags on a player, like `   under Embargo, False Flag × 2`; empty
/// if there are none.
fn marks(state: &Hegemony, seat: Seat) -> String {
    let player = &state.players[seat.index()];
    let mut marks = Vec::new();
    if player.embargo {
        marks.push("Embargo".to_string());
    }
    if player.gridlock {
        marks.push("Gridlock".to_string());
    }
    if player.flags > 0 {
        marks.push(format!("False Flag × {}", player.flags));
    }
    if marks.is_empty() { String::new() } else { format!("   under {}", marks.join(", ")) }
}

/// Formats the occupied slots of a side, ascending and numbered from 1: `1 Laborer`, `3 (Barracks + Archer)`.
/// Cards that lie face down are in brackets; a player's slot under Sanctions is followed by `under
/// Sanctions`.
fn slots(view: &View, side: Side) -> Vec<String> {
    let state = view.state();
    state
        .occupied(side)
        .map(|i| {
            let cards: Vec<String> =
                state.tokens.iter(slot(side, i)).map(|t| in_slot(view, side, i, t)).collect();
            let down = state.base(side, i).is_some_and(|t| state.lies_face_down(side, i, t));
            let text = cards.join(" + ");
            let text = if down { format!("({text})") } else { text };
            let sanctioned = side.seat().is_some_and(|s| state.players[s.index()].sanctions >> i & 1 != 0);
            format!("{} {text}{}", i + 1, if sanctioned { " under Sanctions" } else { "" })
        })
        .collect()
}

/// Formats card `t`, which lies in slot `i` of `side`, as the observer knows it: a Military card with its
/// powers (`Archer 1/3`), a Lobbyist with its category, others by title; the category and `?` if unknown.
fn in_slot(view: &View, side: Side, i: u8, t: Token) -> String {
    let state = view.state();
    match (view.face(t), side.seat()) {
        (Some(Card::Lobbyist), Some(seat)) => {
            format!("Lobbyist for {}", state.players[seat.index()].lobby[usize::from(i)])
        }
        (Some(card), _) if card.category() == Category::Military => {
            let (attack, defence) = (state.rules.attack.get(card), state.rules.defence.get(card));
            format!("{} {attack}/{defence}", card.title())
        }
        (Some(card), _) => card.title().to_string(),
        (None, _) => format!("{}?", state.category(t).title()),
    }
}

/// Returns the title of a card if the observer knows it, else `?`.
fn known(view: &View, t: Token) -> String {
    view.face(t).map_or_else(|| "?".to_string(), |card| card.title().to_string())
}

/// Formats a card for sale with its cost, and the surcharge of Scalpers: `Archer 2+2`; `? 0` for a card
/// that the observer does not know. Discounts are not included.
fn for_sale(view: &View, t: Token) -> String {
    let state = view.state();
    let marks = state.marks.iter().filter(|m| m.token == t).count() as i32;
    let cost = view.face(t).map_or(0, |card| state.cost(card));
    let more = if marks > 0 { format!("+{}", marks * state.rules.n.scalper) } else { String::new() };
    format!("{} {cost}{more}", known(view, t))
}

/// Appends `head` and the entries to `out`, separated by commas, and a line break at the end. Lines are
/// wrapped to 78 columns between entries, so that only a single entry can be longer; further lines are
/// indented like `head`, at most 4 columns. `-` stands for no entries.
fn wrapped(out: &mut String, head: &str, entries: &[String]) {
    let mut line = head.to_string();
    let indent = " ".repeat(head.chars().count().min(4));
    if entries.is_empty() {
        line.push('-');
    }
    for (i, entry) in entries.iter().enumerate() {
        let comma = if i + 1 < entries.len() { "," } else { "" };
        if i > 0 && line.chars().count() + entry.chars().count() + 2 > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = indent.clone();
        }
        let _ = write!(line, "{entry}{comma} ");
    }
    out.push_str(line.trim_end());
    out.push('\n');
}
