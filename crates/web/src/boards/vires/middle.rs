//! Below the lanes: deck, pool, what happens now, garbage.

use super::cards;
use crate::card::Size;
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use pentarchy_engine::{Game, Position, Seat};
use pentarchy_vires::{DECK, GARBAGE, Kind, Loss, TABLE, Vires, Window};

/// The row.
pub(super) fn draw(view: &Position<Vires>, ui: &Ui) -> El {
    let game = view.state();
    let tokens = game.tokens();
    div("mid")
        .kid(pile("Deck", "bk", "mesh-network", tokens.len(DECK).to_string()))
        .kid(pile("Pool", "bk hr", "processor", format!("{} HR", game.pool())))
        .kid(happening(view, ui))
        .kid(pile("Garbage", "bk g", "trash-can", tokens.len(GARBAGE).to_string()))
}

fn pile(name: &'static str, class: &'static str, icon: &'static str, count: String) -> El {
    div("pile").kid(span("lbl").text(name)).kid(div(class).kid(ic(icon))).kid(b(count))
}

/// The card being played: who plays it, on whom, and who may answer.
fn happening(view: &Position<Vires>, ui: &Ui) -> El {
    let game = view.state();
    let tokens = game.tokens();
    let card = game.in_question().filter(|&(token, _)| tokens.zone(token) == TABLE);
    let Some((face, target)) = card.and_then(|(token, target)| Some((tokens.public_face(token)?, target)))
    else {
        return quiet(game, ui);
    };
    let active = game.active();
    let mut who = el("p").kid(ui.who(active));
    who = match (face.kind(), target) {
        (Kind::Event, _) => who.text(" ").text(verb(ui, active, "draw")).text(" ").text(face.name()),
        (_, Some(seat)) => who
            .text(" ")
            .text(verb(ui, active, "play"))
            .text(format!(" {} on ", face.name()))
            .kid(ui.who(seat)),
        (_, None) => who.text(" ").text(verb(ui, active, "play")).text(" ").text(face.name()),
    };
    let mut say = div("say").kid(who).kid(el("p").class("eff").text(effect(game, face.row().text)));
    if let Some(asked) = asked(game) {
        let item = el("li").class("on").text(format!("{} may answer", ui.name(asked)));
        say = say.kid(el("ol").class("win").kid(item));
    }
    div("onTable").kid(div("").kid(cards::shape(face, Size::M, 1))).kid(say)
}

/// What is at stake, or else what the card does.
fn effect(game: &Vires, text: &'static str) -> String {
    match game.window() {
        Some(Window::Protect(seat, Loss::Block)) => {
            let block = game.blocks(seat).saturating_sub(1);
            format!("Block {block} is lost, and a coin with it, unless it is protected.")
        }
        Some(Window::Protect(_, Loss::Coin)) => "A coin is lost, unless it is protected.".to_string(),
        Some(Window::Protect(_, Loss::Hr)) => "HashRates are lost, unless they are protected.".to_string(),
        Some(Window::Challenge { .. }) => "A coin decides, unless STRONG or WEAK do.".to_string(),
        Some(Window::Cancel(_)) | None => text.to_string(),
    }
}

/// Who may answer now.
pub(super) fn asked(game: &Vires) -> Option<Seat> {
    match game.window()? {
        Window::Cancel(seat) | Window::Protect(seat, _) | Window::Challenge { at: seat, .. } => Some(seat),
    }
}

/// The verb for the player at this screen, or for somebody else.
fn verb(ui: &Ui, seat: Seat, verb: &'static str) -> String {
    if ui.seat == Some(seat) { verb.to_string() } else { format!("{verb}s") }
}

/// Nothing is on the table: whose turn it is, and what the next block would take.
fn quiet(game: &Vires, ui: &Ui) -> El {
    let seat = game.active();
    let (cost, reward) = (game.cost(seat), game.reward(seat));
    let coins = if reward == 1 { "1 coin".to_string() } else { format!("{reward} coins") };
    let says = format!("The next block of this chain costs {cost} HR and pays {coins}.");
    let turn =
        el("p").kid(ui.who(seat)).text(if ui.seat == Some(seat) { " are at work" } else { " is at work" });
    div("onTable").kid(div("say").kid(turn).kid(el("p").class("eff").text(says)))
}
