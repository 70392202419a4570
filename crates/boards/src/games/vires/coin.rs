//! A coin flip: who flips, for what, what each side means, and the result.

use super::words::short;
use crate::board::{EventReport, ReportDisplay};
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use crate::words::{plain, told};
use pentarchy_engine::{AppliedEvent, Describe};
use pentarchy_vires::{CoinFlip, Fact, Vires};

/// Draws what heads and tails mean for this flip, heads first. `heads` marks the side that fell; `None` marks none.
pub(super) fn sides(flip: &CoinFlip, heads: Option<bool>, ui: &Ui) -> El {
    let side = |shows: bool| {
        let (icon, name, text) =
            if shows { ("crown-coin", "Heads", &flip.heads) } else { ("token", "Tails", &flip.tails) };
        el("li")
            .class_if(heads == Some(shows), "on")
            .class_if(heads == Some(!shows), "off")
            .kid(ic(icon))
            .kid(b(name))
            .kid(span("").kids(told(text, ui)))
    };
    el("ul").class("sides").kid(side(true)).kid(side(false))
}

/// Builds the report of a coin flip, or of a flip that STRONG or WEAK decided; `None` for other events, and for those
/// without a log sentence. The player who flips and the one against whom they flip get it as a dialog, others as a
/// note.
pub(super) fn report(event: &AppliedEvent<'_, Vires>, ui: &Ui) -> Option<EventReport> {
    let flip = event.before.state().coin_flip()?;
    let heads = event.facts.iter().find_map(|fact| match *fact {
        // The challenged player wins with heads.
        Fact::Decided { won, flipped, .. } => Some(flipped.then_some(won)),
        _ => None,
    })?;
    let came = Vires::log(event)?;
    let concerns = ui.seat.is_some_and(|me| flip.by == me || flip.against == Some(me));
    let el = draw_panel(&flip, heads, &came, ui);
    Some(EventReport { el, display: ReportDisplay::dialog_if(concerns), summary: plain(&came, ui) })
}

/// Draws who flips, for what, what each side means, the result and its effect `came`, a sentence of the log. `heads`
/// is `None` if the flip was decided without a coin.
fn draw_panel(flip: &CoinFlip, heads: Option<bool>, came: &str, ui: &Ui) -> El {
    let (icon, side) = match heads {
        Some(true) => ("crown-coin", "Heads"),
        Some(false) => ("token", "Tails"),
        None => ("focused-lightning", "No flip"),
    };
    let title = match heads {
        Some(_) => format!("@{} flips a coin for {}", flip.by, short(flip.card)),
        None => format!("{} is decided without a flip", short(flip.card)),
    };
    div("coinpanel narrow1")
        .kid(el("h2").kids(told(&title, ui)))
        .kid(div("toss").kid(div("coin1").kid(ic(icon))).kid(b(side).class("num step1")))
        .kid(sides(flip, heads, ui))
        .kid(el("p").class("came step2").kids(told(came, ui)))
}
