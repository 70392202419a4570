//! The row below the lanes: Deck, Pool, the current card or coin flip, Garbage.

use super::cards;
use super::words::{self, count, short};
use crate::card::CardSize;
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use crate::words::told;
use pentarchy_engine::{Game, Position, Seat};
use pentarchy_vires::{Card, DECK, GARBAGE, Kind, Loss, TABLE, Vires, Window, hand};

/// The key of the Garbage, onto which cards are discarded.
pub(super) const GARBAGE_KEY: &str = "garbage";

/// Draws the row below the lanes: Deck, Pool, what happens now, and the Garbage, which can be clicked to discard
/// cards. The icon of the Garbage is that of its last card.
pub(super) fn draw(view: &Position<Vires>, ui: &Ui) -> El {
    let game = view.state();
    let tokens = game.tokens();
    let last = tokens.bottom(GARBAGE).and_then(|token| tokens.public_face(token));
    let icon = last.map_or("trash-can", |card| cards::brief(card).0);
    let garbage = draw_pile("Garbage", "bk g", icon, tokens.len(GARBAGE).to_string());
    let says = match last {
        Some(card) => format!("Garbage: {}, {} on top", count(tokens.len(GARBAGE), "card"), short(card)),
        None => "Garbage: no cards".to_string(),
    };
    let garbage = ui.piece(garbage, GARBAGE_KEY, says);
    div("mid")
        .kid(draw_pile("Deck", "bk", "mesh-network", tokens.len(DECK).to_string()))
        .kid(draw_pile("Pool", "bk hr", "processor", format!("{} HR", game.pool())))
        .kid(draw_current(view, ui))
        .kid(garbage)
}

/// Draws a pile: its name, an icon in an element of this class, and a text under it. It cannot be clicked.
fn draw_pile(name: &'static str, class: &'static str, icon: &'static str, count: String) -> El {
    div("pile").kid(span("lbl").text(name)).kid(div(class).kid(ic(icon))).kid(b(count))
}

/// Draws what happens now: the public card on the table, with its coin flip (its two sides and, if a card
/// has decided it, who wins) or with who played it and its effect; whose turn it is if there is no such
/// card.
fn draw_current(view: &Position<Vires>, ui: &Ui) -> El {
    let game = view.state();
    let tokens = game.tokens();
    let card = game.in_question().filter(|&(token, _)| tokens.zone(token) == TABLE);
    let Some((face, target)) = card.and_then(|(token, target)| Some((tokens.public_face(token)?, target)))
    else {
        return draw_turn(view, ui);
    };
    let say = match game.coin_flip().filter(|flip| flip.card == face) {
        Some(flip) => {
            let mut say = div("say").kid(el("p").kids(told(&format!("@{} flips a coin.", flip.by), ui)));
            say = say.kid(super::coin::sides(&flip, None, ui));
            if let Some(won) = flip.fixed {
                let how = if won { "wins" } else { "loses" };
                let text = format!("@{} {how}, unless another card decides otherwise.", flip.by);
                say = say.kid(el("p").class("eff").kids(told(&text, ui)));
            }
            say
        }
        None => draw_played(game, face, target, ui),
    };
    div("onTable").kid(div("").kid(cards::shape(face, CardSize::M, 1))).kid(say)
}

/// Draws who plays (or draws) the card `face`, on whom (`target`), and what it does or what is at stake. A Flash card
/// is played by the reacting player, any other card by the active one.
fn draw_played(game: &Vires, face: Card, target: Option<Seat>, ui: &Ui) -> El {
    let name = short(face);
    let by = player_of(game, face);
    let text = match (face.kind(), target) {
        (Kind::Event, _) => format!("@{by} draws the Event {name}"),
        (Kind::Flash, Some(seat)) => {
            let result = if face == Card::Strong { "wins" } else { "loses" };
            format!("@{by} plays {name}: @{seat} {result} the coin flip")
        }
        (_, Some(seat)) => format!("@{by} plays {name} on @{seat}"),
        (_, None) => format!("@{by} plays {name}"),
    };
    let effect = describe_effect(game, face, by, ui);
    div("say").kid(el("p").kids(told(&text, ui))).kid(el("p").class("eff").kids(told(&effect, ui)))
}

/// Returns who played a card on the table: the reacting player for a Flash card, otherwise the active player.
fn player_of(game: &Vires, face: Card) -> Seat {
    let reacted = game.reacting().filter(|_| face.kind() == Kind::Flash);
    reacted.unwrap_or(game.active())
}

/// Describes what is at stake if somebody may protect against a loss, otherwise what the card of player `by` does;
/// addressed to `by` if they are the player at this screen. Seats are written `@0`.
fn describe_effect(game: &Vires, face: Card, by: Seat, ui: &Ui) -> String {
    match game.window() {
        Some(Window::Protect(seat, Loss::Block)) => {
            let block = game.blocks(seat).saturating_sub(1);
            format!("Block {block} and 1 Coin are lost unless AGREE or HODL saves them.")
        }
        Some(Window::Protect(_, Loss::Coin)) => "A Coin is lost unless HODL saves it.".to_string(),
        Some(Window::Protect(_, Loss::Hr)) => "HR are lost unless HODL or OFFLINE saves them.".to_string(),
        _ if ui.seat == Some(by) => face.row().text.to_string(),
        _ => words::told_of(face, by),
    }
}

/// Returns the seat that may react now with a Flash card: cancel the card that was played, protect against a loss, or
/// decide a coin flip. `None` if no reaction is awaited.
pub(super) fn asked(game: &Vires) -> Option<Seat> {
    match game.window()? {
        Window::Cancel(seat) | Window::Protect(seat, _) | Window::Challenge { at: seat, .. } => Some(seat),
    }
}

/// Draws whose turn it is, and the cost and reward of the next Block (with the HR of the player at this screen in
/// their own turn), or that a Block was gained this turn. After the end, draws why the match ended.
fn draw_turn(view: &Position<Vires>, ui: &Ui) -> El {
    let game = view.state();
    let seat = game.active();
    let (cost, reward) = (game.cost(seat), game.reward(seat));
    let coins = count(reward.into(), "Coin");
    let mut says = format!("The next Block costs {cost} HR and pays {coins}.");
    let mine = ui.seat == Some(seat);
    if game.turn().gained {
        let have = if mine { "You have" } else { "They have" };
        says = format!("{have} gained a Block this turn: no more until the next turn.");
    } else if mine {
        let hr = game.tokens().iter(hand(seat)).filter(|&t| view.face(t) == Some(Card::Hr)).count();
        says = format!("{says} You have {hr} HR.");
    }
    if view.outcome().is_some() {
        let why = game.end_text().unwrap_or_default();
        return div("onTable").kid(div("say").kid(el("p").kids(told(&why, ui))));
    }
    let turn = told(&format!("@{seat}'s turn"), ui);
    div("onTable").kid(div("say").kid(el("p").kids(turn)).kid(el("p").class("eff").text(says)))
}
