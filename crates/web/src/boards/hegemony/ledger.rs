//! The ledger: what points were won and spent on since the last round.

use super::words::{number, side_title};
use crate::markup::{El, b, div, el};
use crate::ui::Ui;
use pentarchy_engine::{Event, Game, LoggedEventOf, Position, Seat, Token};
use pentarchy_hegemony::places::slot;
use pentarchy_hegemony::{Action, Card, Hegemony, Side, Task};

type View = Position<Hegemony>;

/// What a change of a seat's points was for.
pub(super) fn reason(before: &View, line: &LoggedEventOf<Hegemony>, after: &View, seat: Seat) -> String {
    let (old, new) = (before.state(), after.state());
    let side = Side::from(seat);
    let title = |t: Token| after.face(t).map_or("a card", Card::title);
    let own = before.actor() == Some(seat);
    match line.event {
        Event::Act(Action::Buy(t) | Action::Ebuy(t)) if own => return format!("Bought {}", title(t)),
        Event::Act(Action::Accept) if own => {
            let bought = match old.step() {
                Task::Answer(_, i) => old.tokens().top(slot(Side::EMPIRE, i)),
                _ => None,
            };
            return format!("Bought {}", bought.map_or("a card", title));
        }
        Event::Act(Action::Sell(t)) if own => return format!("Sold {}", title(t)),
        _ => {}
    }
    let battle = new.fought().or(old.fought()).filter(|b| b.sides().contains(&side));
    if let Some(battle) = battle {
        let other = battle.sides().into_iter().find(|&s| s != side).unwrap_or(Side::EMPIRE);
        return format!("Battle against {}", side_title(other));
    }
    match (old.step(), line.event) {
        // A battle may begin and end with the event.
        (Task::Act(attacker), Event::Act(Action::War(on))) if own || on == side => {
            let other = if own { on } else { attacker.into() };
            format!("Battle against {}", side_title(other))
        }
        (Task::Die(rolled), Event::Rolled(_)) if rolled == seat => {
            match super::report::is_war(before, line) {
                true => "Battle against the Empire".to_string(),
                false => "Trade with the Empire".to_string(),
            }
        }
        _ if new.turn() == Some(side) => "Income".to_string(),
        _ => "Middleman".to_string(),
    }
}

/// The changes of this round and the last, and what they come to.
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
            .kid(el("h3").text(format!("Your points since {since}")))
            .kid(row("Before".to_string(), number(before)))
            .kids(rows)
            .kid(row("Now".to_string(), number(now)).class("t")),
    )
}
