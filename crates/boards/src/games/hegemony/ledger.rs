//! The ledger: the gains and losses of points since the last round, with reasons.

use super::texts::LEDGER;
use super::words::{number, side_title};
use crate::board::PointChange;
use crate::markup::{El, b, div, el};
use crate::ui::Ui;
use pentarchy_engine::{Position, fill_text};
use pentarchy_hegemony::{Fact, Hegemony, Reason};

type View = Position<Hegemony>;

/// Returns the changes of players' points among the facts of an event, summed by seat and reason. Changes of the
/// Empire and sums of 0 are left out. The sums are in the order of their first facts.
pub(super) fn changes(facts: &[Fact]) -> Vec<PointChange> {
    let mut changes: Vec<PointChange> = Vec::new();
    for fact in facts {
        let Fact::Points { side, by, why, .. } = *fact else { continue };
        let Some(seat) = side.seat() else { continue };
        let why = describe_reason(why);
        match changes.iter_mut().find(|change| change.seat == seat && change.why == why) {
            Some(change) => change.by += by,
            None => changes.push(PointChange { seat, by, why }),
        }
    }
    changes.retain(|change| change.by != 0);
    changes
}

/// Describes in a few words why points changed: `Bought Scout`, `Income`, `Battle against @1`. Seats are written
/// `@0`.
fn describe_reason(why: Reason) -> String {
    match why {
        Reason::Bought(card) => fill_text!(LEDGER.bought, card = card.title()),
        Reason::Sold(card) => fill_text!(LEDGER.sold, card = card.title()),
        Reason::Income => LEDGER.income.to_string(),
        Reason::Middleman => LEDGER.middleman.to_string(),
        Reason::Trade => LEDGER.trade.to_string(),
        Reason::Battle(other) => fill_text!(LEDGER.battle, side = side_title(other)),
    }
}

/// Draws the last 8 changes of `ui.ledger` in order, under a heading with the round of its first change, between the
/// points before all its changes and the points now. `None` for a spectator or an empty ledger.
pub(super) fn draw(view: &View, ui: &Ui) -> Option<El> {
    let seat = ui.seat?;
    let now = view.state().points(seat.into());
    let changed: i32 = ui.ledger.iter().map(|change| change.by).sum();
    let first = ui.ledger.first()?;
    let since = first.round.split(" of ").next().unwrap_or_default().to_lowercase();
    let row = |what: String, value: String| div("").text(what).kid(b(value));
    let rows = ui.ledger.iter().rev().take(8).rev().map(|change| {
        let sign = if change.by < 0 { "−" } else { "+" };
        row(crate::words::plain(&change.why, ui), format!("{sign} {}", change.by.abs()))
    });
    let before = now - changed;
    Some(
        div("ledger")
            .kid(el("h3").text(fill_text!(LEDGER.title, round = since)))
            .kid(row(LEDGER.before.to_string(), number(before)))
            .kids(rows)
            .kid(row(LEDGER.now.to_string(), number(now)).class("t")),
    )
}
