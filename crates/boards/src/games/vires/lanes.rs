//! A lane for each player: chain, bank, hand, markers.

use super::words::{count, short};
use crate::board::Key;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use pentarchy_engine::{Game, Observer, Position, Seat, Token};
use pentarchy_vires::{Card, Loss, Vires, Window, bank, chain, hand};

/// How many coins, and how many cards, are drawn one by one at most.
const DRAWN: usize = 6;

/// Returns the key of a player's lane: `seat 0`.
pub(super) fn key(seat: Seat) -> Key {
    format!("seat {seat}")
}

/// Draws all lanes under their headings, in turn order; that of the player at this screen comes last, next to the
/// hand. Spectators see them from seat 0.
pub(super) fn draw(view: &Position<Vires>, ui: &Ui) -> El {
    let seats = view.seats();
    let first = ui.seat.map_or(0, |seat| seat.0 + 1);
    let order = (0..seats).map(|n| Seat((first + n) % seats));
    let need = view.state().rules().blocks;
    let heads =
        ["Player".to_string(), format!("Chain: {need} Blocks end the game"), "Coins".into(), "Hand".into()];
    div(format!("lanes n{seats}"))
        .kid(div("lh lbl").set("aria-hidden", "true").kids(heads.map(|head| span("").text(head))))
        .kids(order.map(|seat| draw_lane(view, ui, seat)))
}

/// Draws the lane of a player: name, chain, Coins, number of cards and markers. It can be clicked while it can be a
/// target; what the player may lose in a reaction is marked.
fn draw_lane(view: &Position<Vires>, ui: &Ui, seat: Seat) -> El {
    let game = view.state();
    let (blocks, coins, cards) = (game.blocks(seat), game.coins(seat), game.cards(seat));
    let risk = match game.window() {
        Some(Window::Protect(victim, loss)) if victim == seat => Some(loss),
        _ => None,
    };
    let name = span("nm").set("title", ui.name(seat).to_string()).text(ui.name(seat).to_string());
    let shape = el("section")
        .class(format!("lane {}", ui.c(seat)))
        .class_if(ui.seat == Some(seat), "me")
        .class_if(game.active() == seat, "now")
        .kid(div("ln").kid(ui.mark(seat)).kid(name))
        .kid(blocks_of(view, ui, seat, risk))
        .kid(coins_of(view, seat, risk))
        .kid(backs_of(cards, risk))
        .kid(div("mks").kids(
            markers(view, seat).into_iter().map(|mark| span("tag").set("title", mark.clone()).text(mark)),
        ));
    let says = format!(
        "{}: {}, {}, {}, {}",
        ui.name(seat),
        count(game.score(seat).into(), "point"),
        count(blocks.into(), "Block"),
        count(coins.into(), "Coin"),
        count(cards.into(), "card")
    );
    // A lane holds the next block, which is a piece of its own: only a target is a button.
    let (id, lit) = (key(seat), ui.lit(&key(seat)) || ui.chosen(&key(seat)));
    if lit { ui.piece(shape, &id, says) } else { shape.set("data-key", id).set("aria-label", says) }
}

/// Draws the chain of a player to the required length: Blocks that are mined, the cost of the next one, and those
/// that are missing. `risk` is what they may lose: if it is a Block, the last one is marked. If the player at this
/// screen is active, the next Block of their chain is the piece `mine`.
fn blocks_of(view: &Position<Vires>, ui: &Ui, seat: Seat, risk: Option<Loss>) -> El {
    let game = view.state();
    let (len, need) = (usize::from(game.blocks(seat)), usize::from(game.rules().blocks));
    let mined: Vec<_> = game.tokens().iter(chain(seat)).collect();
    let mut cells = div("chain").set("aria-hidden", "false");
    for n in 0..need.max(len) {
        let filled = n < len;
        let says = match n {
            0 => "G".to_string(),
            n if filled => n.to_string(),
            _ => String::new(),
        };
        let mut cell = el("i")
            .class("blk")
            .class_if(filled, "f")
            .class_if(n == 0, "gen")
            .class_if(filled && n + 1 == len && n > 0 && risk == Some(Loss::Block), "hit")
            .text(says);
        if let Some(token) = mined.get(n) {
            cell = cell.token(token);
        }
        if n == len {
            let cost = game.cost(seat);
            cell = cell.class("nx").text(cost.to_string()).kid(el("small").text("HR"));
            if ui.seat == Some(seat) && game.active() == seat {
                cell = ui.piece(cell, "mine", format!("Mine Block {n} for {cost} HR"));
            }
        }
        cells = cells.kid(cell);
        if n + 1 < need.max(len) {
            cells = cells.kid(el("em").class_if(n + 1 < len, "f"));
        }
    }
    cells
}

/// Draws the Coins of a player, at most [`DRAWN`] of them one by one, and their number; marked if `risk` is a Coin.
fn coins_of(view: &Position<Vires>, seat: Seat, risk: Option<Loss>) -> El {
    let coins = view.state().tokens().iter(bank(seat)).take(DRAWN).map(|token| el("i").token(token));
    div("bank")
        .class_if(matches!(risk, Some(Loss::Coin)), "risk")
        .kids(coins)
        .kid(b(view.state().coins(seat).to_string()))
}

/// Draws `cards`, the number of a player's cards, with at most [`DRAWN`] backs; marked if `risk` is HR.
fn backs_of(cards: u8, risk: Option<Loss>) -> El {
    div("hd2")
        .class_if(risk == Some(Loss::Hr), "risk")
        .kids((0..usize::from(cards).min(DRAWN)).map(|_| el("i")))
        .kid(b(cards.to_string()))
}

/// Lists as short texts what affects a player: changed costs and rewards, locks, and cards of the hand that the
/// observer knows. Of the observer's own hand only the cards that all know are listed, and after the end none.
pub(super) fn markers(view: &Position<Vires>, seat: Seat) -> Vec<String> {
    let game = view.state();
    let player = game.player(seat);
    let mut marks = Vec::new();
    let change = |n: i16| if n < 0 { "less" } else { "more" };
    if player.diff != 0 {
        marks.push(format!("Next Block costs {} HR {}", player.diff.abs(), change(player.diff)));
    }
    if player.reward != 0 {
        let noun = if player.reward.abs() == 1 { "Coin" } else { "Coins" };
        marks.push(format!("Next Block pays {} {noun} {}", player.reward.abs(), change(player.reward)));
    }
    if player.timelock {
        marks.push("Locked after the next Block".to_string());
    }
    if player.locked_next {
        marks.push("Locked next turn".to_string());
    }
    if game.active() == seat && game.turn().locked {
        marks.push("Locked this turn".to_string());
    }
    if game.active() == seat && game.turn().double {
        marks.push("Next paid card is free".to_string());
    }
    let own = view.observer() == Observer::Seat(seat);
    let known = |token: &Token| if own { game.tokens().public_face(*token) } else { view.face(*token) };
    let cards: Vec<Card> = game.tokens().iter(hand(seat)).filter_map(|token| known(&token)).collect();
    let rates = cards.iter().filter(|&&card| card == Card::Hr).count();
    let mut names: Vec<String> = Vec::new();
    if rates > 0 {
        names.push(format!("{rates} HR"));
    }
    names.extend(cards.iter().filter(|&&card| card != Card::Hr).map(|&card| short(card).to_string()));
    if !names.is_empty() && view.outcome().is_none() {
        marks.push(format!("{} {}", if own { "All know:" } else { "Holds" }, names.join(", ")));
    }
    marks
}
