//! The tray under the prompt: how many a click places or moves, and what can be built.

use super::{build_key, icon};
use crate::icons::ic;
use crate::markup::{El, b, div, el, signed, span};
use crate::ui::{Amount, Ui};
use pentarchy_numeral::{Numeral, Phase, Stage, Upgrade};

/// Draws the tray of this phase: while placing, amounts and buildings; while attacking, amounts and the legend of the
/// icons. Empty after the end. It has the same height in all phases.
pub(super) fn tray(game: &Numeral, ui: &Ui) -> El {
    let tray = div("ntray");
    match game.phase() {
        _ if game.stage() == Stage::Over => tray,
        Phase::Placing => tray
            .kid(draw_amounts(
                ui,
                if ui.narrow { "Per tap" } else { "Per click" },
                &[(Amount::One, "+1"), (Amount::Five, "+5"), (Amount::All, "All")],
            ))
            .kid(draw_buildings(game, ui)),
        Phase::Attacking => tray
            .kid(draw_amounts(
                ui,
                "Send",
                &[(Amount::One, "1"), (Amount::Half, "Half"), (Amount::All, "All")],
            ))
            .kid(draw_legend(game))
            .kid_if((!ui.narrow).then(|| {
                span("lbl keys").text("Tab: next · Arrows: neighbour · Enter: go · Digits: another number")
            })),
    }
}

/// Draws the `offered` amounts of a click, each with its text, as radio buttons under a label; that of `ui` is on. A
/// click on one sets the amount that later clicks place or move; it plays no action.
fn draw_amounts(ui: &Ui, label: &'static str, offered: &[(Amount, &'static str)]) -> El {
    let one = |&(amount, text): &(Amount, &'static str)| {
        let on = ui.amount == amount;
        el("button")
            .class_if(on, "on")
            .set("role", "radio")
            .set("aria-checked", if on { "true" } else { "false" })
            .set("data-do", amount.key())
            .set("data-key", amount.key())
            .text(text)
    };
    div("amounts")
        .kid(span("lbl").text(label))
        .kid(div("seg").set("role", "radiogroup").set("aria-label", label).kids(offered.iter().map(one)))
}

/// Formats what a building adds: its income beyond that of bare land with a sign, or `def.` for a Tower.
fn format_gain(game: &Numeral, upgrade: Upgrade) -> String {
    let board = game.board();
    match upgrade {
        Upgrade::Tower => "def.".to_string(),
        _ => signed(i64::from(board.yields(upgrade)) - i64::from(board.yields(Upgrade::None))),
    }
}

/// Describes what a building adds, for tooltips: `income +1`, or that a Tower defends the hexes around it.
fn describe_effect(game: &Numeral, upgrade: Upgrade) -> String {
    match upgrade {
        Upgrade::Tower => "defends the hexes around it".to_string(),
        _ => format!("income {}", format_gain(game, upgrade)),
    }
}

/// Draws the buildings for sale with price and extra income. While the player at this screen decides, those that
/// cannot be clicked are greyed, and the tooltip of those that they cannot afford says so.
fn draw_buildings(game: &Numeral, ui: &Ui) -> El {
    let board = game.board();
    let one = |upgrade: Upgrade| {
        let (name, cost) = (upgrade.name(), board.cost(upgrade));
        let says = div("")
            .kids(icon(upgrade).map(ic))
            .kid(span("").text(name))
            .kid(el("small").kid(b(cost.to_string())).text(format!(" · {}", format_gain(game, upgrade))));
        let gold = ui.seat.filter(|_| ui.mine).map(|seat| board.storage(seat));
        let title = match gold {
            Some(gold) if gold < cost => format!("{name}: costs {cost} gold, you have {gold}"),
            _ => format!("{name}: costs {cost} gold, {}", describe_effect(game, upgrade)),
        };
        ui.usable(says.class("bld"), &build_key(upgrade), format!("Build: {title}")).set("title", title)
    };
    div("blds").set("role", "group").set("aria-label", "Build").kids(Upgrade::FOR_SALE.map(one))
}

/// Draws what the icons on the map mean: each building for sale with what it adds.
fn draw_legend(game: &Numeral) -> El {
    let row = |upgrade: Upgrade| {
        let gain = format_gain(game, upgrade);
        span("")
            .set("title", format!("{}: {}", upgrade.name(), describe_effect(game, upgrade)))
            .kids(icon(upgrade).map(ic))
            .text(gain)
    };
    div("nlegend").kids(Upgrade::FOR_SALE.map(row))
}
