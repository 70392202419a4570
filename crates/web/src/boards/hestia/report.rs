//! Reports: a bid, a clash and a year once they are over.

use super::{battle, faces};
use crate::board::EventReport;
use crate::card::CardSize;
use crate::markup::{El, MarkupNode, div, el, span};
use crate::ui::Ui;
use crate::words::{plain, told};
use pentarchy_engine::{Describe, Event, Game, LoggedEventOf, Position, Seat, Token};
use pentarchy_hestia::cards::{Card, Category};
use pentarchy_hestia::state::{H, L, enemy, lead, played};
use pentarchy_hestia::{Action, Hestia};

type View = Position<Hestia>;

/// The report of an event. Everything concerns both players.
pub(super) fn report(
    before: &View,
    line: &LoggedEventOf<Hestia>,
    after: &View,
    ui: &Ui,
) -> Option<EventReport> {
    let text = Hestia::log(before, line, after)?;
    let el = clash(before, line, after, ui)
        .or_else(|| bid(before, line, after, ui))
        .or_else(|| year(before, after, ui))?;
    let verdict = el_of(&text, ui);
    Some(EventReport { el: still(el.kid(verdict)), concerns: ui.seat.is_some(), summary: plain(&text, ui) })
}

/// The sentences of the log, as the last line of a report.
fn el_of(text: &str, ui: &Ui) -> El {
    el("p").class("rep-verdict step4").kids(told(text, ui))
}

/// A picture of the past: nothing in it goes elsewhere or can be clicked. Its dice tumble.
fn still(mut el: El) -> El {
    el.attrs.retain(|(name, _)| !matches!(*name, "data-token" | "data-key" | "tabindex"));
    let kids = std::mem::take(&mut el.kids);
    el.kids = kids
        .into_iter()
        .map(|kid| if let MarkupNode::El(kid) = kid { still(kid).into() } else { kid })
        .collect();
    el
}

/// A clash that the last die has decided.
fn clash(before: &View, line: &LoggedEventOf<Hestia>, after: &View, ui: &Ui) -> Option<El> {
    let Event::Rolled(die) = line.event else { return None };
    let fought = before.state().decided(die)?;
    let (attacker, defender) = (fought.attacker, enemy(fought.attacker));
    let title = el("h2").class("title").text(format!("Battle of {}", fought.place.spot().name));
    let grid = div("clash")
        .kid(battle::half(before, ui, &fought, attacker).class("step1"))
        .kid(battle::dice(before, ui, &fought).class("step2"))
        .kid(battle::half(before, ui, &fought, defender).class("step1"))
        .kid(battle::army(before, Some(after), ui, &fought, attacker).class("step3"))
        .kid(div(""))
        .kid(battle::army(before, Some(after), ui, &fought, defender).class("r step3"));
    Some(div("bt1 rep").kid(div("hd1").kid(title)).kid(grid))
}

/// A bid that is decided: the cards of both sides and who moves first.
fn bid(before: &View, line: &LoggedEventOf<Hestia>, after: &View, ui: &Ui) -> Option<El> {
    if !before.state().is_bidding() || after.state().is_bidding() {
        return None;
    }
    let cards = |seat: Seat| -> Vec<Token> {
        let tokens = before.state().tokens();
        let last = match line.event {
            Event::Act(Action::Add(t)) if before.actor() == Some(seat) => Some(t),
            _ => None,
        };
        tokens.top(lead(seat)).into_iter().chain(tokens.iter(played(seat))).chain(last).collect()
    };
    let first = |seat: Seat| cards(seat).first().and_then(|&t| faces::card_of(after, t));
    let sum = |seat: Seat| -> u8 {
        let Some(card) = first(seat) else { return 0 };
        let commander = first(enemy(seat)).is_some_and(|card| card.category() == Category::Commander);
        let worth = if card == Card::Hannibal && commander { 4 } else { card.value() };
        let added = cards(seat).into_iter().skip(1).filter_map(|t| faces::card_of(after, t));
        worth + added.filter_map(|other| card.addition(other)).sum::<u8>()
    };
    let half = |seat: Seat| {
        let cards =
            cards(seat).into_iter().map(|t| faces::card(after, ui, t, t.to_string(), CardSize::M, false));
        let title = el("h3").kid(ui.mark(seat)).text(format!(" {}", ui.name(seat)));
        let cards: Vec<El> = cards.collect();
        let sum = div("sum").kid(span("num").text(sum(seat).to_string()));
        el("section")
            .class(format!("sd1 step1 {}", ui.c(seat)))
            .kid(title)
            .kid(div("cds").kids(cards))
            .kid(sum)
    };
    let title = el("h2").class("title").text("The bid");
    Some(div("bt1 rep narrow1").kid(div("hd1").kid(title)).kid(div("two1").kid(half(L)).kid(half(H))))
}

/// The end of a year: what both sides have won.
fn year(before: &View, after: &View, ui: &Ui) -> Option<El> {
    let (old, new) = (before.state(), after.state());
    if new.year() == old.year() {
        return None;
    }
    let half = |seat: Seat| {
        let won = new.active_count(seat);
        let left = new.tokens_left(seat);
        let small = format!(
            "{} inactive, {left} left",
            new.settings().tokens.saturating_sub(left).saturating_sub(won)
        );
        el("section")
            .class(format!("sd1 step1 {}", ui.c(seat)))
            .kid(el("h3").kid(ui.mark(seat)).text(format!(" {}", ui.name(seat))))
            .kid(div("sum").kid(span("").text("City-states won")).kid(span("num").text(won.to_string())))
            .kid(div("lbl").text(format!("Tokens: {small}")))
    };
    let title = el("h2").class("title").text(format!("Year {} is over", old.year()));
    Some(div("bt1 rep narrow1").kid(div("hd1").kid(title)).kid(div("two1").kid(half(L)).kid(half(H))))
}
