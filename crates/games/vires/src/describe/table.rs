//! The table as lines of text.

use crate::cards::Card;
use crate::state::{DECK, GARBAGE, OFFER, TABLE, Vires, hand};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Position, Seat, Zone};
use std::fmt::Write as _;

/// Draws the table as text with what the observer knows: a heading with round, piles and the length that ends
/// the game, two lines per player, and a line each for the cards on the table, on offer and in the Garbage if
/// there are any.
pub(super) fn draw(view: &Position<Vires>) -> String {
    let state = view.state();
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(
        out,
        "Round {} · Deck {} · Pool {} HR · Garbage {} · a Chain of {} ends the game",
        state.round,
        state.tokens.len(DECK),
        state.pool(),
        state.tokens.len(GARBAGE),
        state.rules.blocks
    );
    for p in (0..state.seats).map(Seat) {
        player(view, p, &mut out);
    }
    if !state.tokens.is_empty(TABLE) {
        let _ = writeln!(out, "On the table: {}", cards(view, TABLE));
    }
    if !state.tokens.is_empty(OFFER) {
        let _ = writeln!(out, "On offer: {}", cards(view, OFFER));
    }
    if !state.tokens.is_empty(GARBAGE) {
        let _ = writeln!(out, "Garbage: {}", cards(view, GARBAGE));
    }
    out
}

/// Appends two lines about player `p` to `out`: points, Chain (`G` for Genesis, `■` per Block, `·` per
/// missing one), Coins, next Block and markers, then the Hand as the observer knows it. `>` marks the active
/// player.
fn player(view: &Position<Vires>, p: Seat, out: &mut String) {
    let state = view.state();
    let markers = state.player(p);
    let turn = if p == state.active { '>' } else { ' ' };
    let chain: String = (0..state.rules.blocks.max(state.blocks(p)))
        .map(|i| match i {
            0 => 'G',
            i if i < state.blocks(p) => '■',
            _ => '·',
        })
        .collect();
    let _ = write!(
        out,
        "{turn} {}  {:2} points  Chain {chain}  Coins {}  next Block costs {} HR",
        who(p),
        state.score(p),
        state.coins(p),
        state.cost(p)
    );
    let reward = state.reward(p);
    if reward != state.rules.tuning.reward {
        let _ = write!(out, ", pays {}", super::coins(reward));
    }
    for (holds, word) in [
        (markers.timelock, "time-lock"),
        (markers.locked_next, "next turn locked"),
        (p == state.active && state.turn.locked, "locked"),
        (p == state.active && state.turn.double, "next paid Action free"),
        (p == state.active && state.turn.gained, "Block gained"),
    ] {
        if holds {
            let _ = write!(out, " · {word}");
        }
    }
    let n = state.cards(p);
    let _ = writeln!(out, "\n        Hand {n}{}{}", if n == 0 { "" } else { ": " }, cards(view, hand(p)));
}

/// Lists the cards of a zone as the observer knows them, in the order of first occurrence; equal ones are
/// counted. `?` stands for a hidden card, `? (no HR)` if a declaration excludes HR; `(barred)` marks a
/// cancelled card. Empty without cards.
fn cards(view: &Position<Vires>, zone: Zone) -> String {
    let tokens = &view.state().tokens;
    let mut words: Vec<(String, usize)> = Vec::new();
    for t in tokens.iter(zone) {
        let word = match view.face(t) {
            Some(card) => super::card_in_sentence(card).to_string(),
            None if tokens.may_be(t, Card::Hr.only()) => "?".to_string(),
            // A public declaration says so.
            None => "? (no HR)".to_string(),
        };
        let barred = (0..view.seats()).any(|p| view.state().is_barred(t, Seat(p)));
        let word = if barred { format!("{word} (barred)") } else { word };
        match words.iter_mut().find(|(w, _)| *w == word) {
            Some((_, n)) => *n += 1,
            None => words.push((word, 1)),
        }
    }
    let counted = |(word, n): (String, usize)| if n == 1 { word } else { format!("{n} {word}") };
    words.into_iter().map(counted).collect::<Vec<_>>().join(", ")
}
