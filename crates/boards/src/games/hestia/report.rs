//! Reports of a finished bid, clash or year.

use super::texts::{BATTLE, REPORT};
use super::{battle, faces};
use crate::board::{EventReport, ReportDisplay};
use crate::card::CardSize;
use crate::markup::{El, MarkupNode, div, el, span};
use crate::ui::Ui;
use crate::words::{plain, told};
use pentarchy_engine::{AppliedEvent, Describe, Game, Seat, Token, fill_text};
use pentarchy_hestia::state::{H, L, enemy, lead, played};
use pentarchy_hestia::{Fact, Hestia, TokenCount};

/// Builds the report of an event that ended a bid, a clash or a year, with its log sentence; `None` for other events,
/// and for those without a log sentence. Players get it as a dialog, that of a bid as one that closes by itself;
/// spectators get a note.
pub(super) fn report(event: &AppliedEvent<'_, Hestia>, ui: &Ui) -> Option<EventReport> {
    let text = Hestia::log(event)?;
    let bid = draw_bid(event, ui);
    let display = match bid {
        Some(_) if ui.seat.is_some() => ReportDisplay::BriefDialog,
        _ => ReportDisplay::dialog_if(ui.seat.is_some()),
    };
    let el = bid.or_else(|| draw_clash(event, ui)).or_else(|| draw_year(event.facts, ui))?;
    let verdict = draw_sentences(&text, ui);
    Some(EventReport { el: remove_interaction(el.kid(verdict)), display, summary: plain(&text, ui) })
}

/// Draws the sentences of the log, with names from `ui`, as the last line of a report.
fn draw_sentences(text: &str, ui: &Ui) -> El {
    el("p").class("rep-verdict step4").kids(told(text, ui))
}

/// Removes the attributes that animate or activate pieces (`data-token`, `data-key`, `tabindex`) from an element and
/// its descendants, because a report shows the past. Returns the element. Dice still tumble.
fn remove_interaction(mut el: El) -> El {
    el.attrs.retain(|(name, _)| !matches!(*name, "data-token" | "data-key" | "tabindex"));
    let kids = std::mem::take(&mut el.kids);
    el.kids = kids
        .into_iter()
        .map(|kid| if let MarkupNode::El(kid) = kid { remove_interaction(kid).into() } else { kid })
        .collect();
    el
}

/// Draws the clash that an event decided: cards, dice and the blocks with the strength that they lost. `None` if it
/// decided none.
fn draw_clash(event: &AppliedEvent<'_, Hestia>, ui: &Ui) -> Option<El> {
    let AppliedEvent { before, facts, after, .. } = *event;
    let fought = battle::scored(facts)?;
    let (attacker, defender) = (fought.attacker, enemy(fought.attacker));
    let title = el("h2").class("title").text(fill_text!(BATTLE.title, place = fought.place.spot().name));
    let grid = div("clash")
        .kid(battle::half(before, ui, &fought, attacker).class("step1"))
        .kid(battle::dice(before, ui, &fought).class("step2"))
        .kid(battle::half(before, ui, &fought, defender).class("step1"))
        .kid(battle::army(before, Some(after), ui, &fought, attacker).class("step3"))
        .kid(div(""))
        .kid(battle::army(before, Some(after), ui, &fought, defender).class("r step3"));
    Some(div("bt1 rep").kid(div("hd1").kid(title)).kid(grid))
}

/// Draws the bid that an event decided: the cards and scores of both sides, and who moves first after a tie. `None` if it
/// decided none.
fn draw_bid(event: &AppliedEvent<'_, Hestia>, ui: &Ui) -> Option<El> {
    let AppliedEvent { before, facts, after, .. } = *event;
    let (scores, first) = facts.iter().find_map(|fact| match *fact {
        Fact::BidSettled { scores, first } => Some((scores, first)),
        _ => None,
    })?;
    let cards = |seat: Seat| -> Vec<Token> {
        let tokens = before.state().tokens();
        let last = facts.iter().find_map(|fact| match *fact {
            Fact::Added(whose, t) if whose == seat => Some(t),
            _ => None,
        });
        tokens.top(lead(seat)).into_iter().chain(tokens.iter(played(seat))).chain(last).collect()
    };
    let half = |seat: Seat| {
        let cards =
            cards(seat).into_iter().map(|t| faces::card(after, ui, t, t.to_string(), CardSize::M, false));
        let title = el("h3").kid(ui.mark(seat)).text(format!(" {}", ui.name(seat)));
        let cards: Vec<El> = cards.collect();
        let sum = div("sum").kid(span("num").text(scores[seat.index()].to_string()));
        el("section")
            .class(format!("sd1 step1 {}", ui.c(seat)))
            .kid(title)
            .kid(div("cds").kids(cards))
            .kid(sum)
    };
    let title = el("h2").class("title").text(BATTLE.bid);
    let tie = (scores[L.index()] == scores[H.index()])
        .then(|| fill_text!(REPORT.bid_tie, side = Hestia::side_name(first)))
        .map(|text| el("p").class("rep-verdict step4").text(text));
    let halves = div("two1").kid(half(L)).kid(half(H));
    Some(div("bt1 rep narrow1").kid(div("hd1").kid(title)).kid(halves).kid_if(tie))
}

/// Draws the city-states won and the tokens of both sides at the end of a year; `None` if these facts do not end one.
fn draw_year(facts: &[Fact], ui: &Ui) -> Option<El> {
    let (year, counts) = facts.iter().find_map(|fact| match *fact {
        Fact::YearEnded(year, counts) => Some((year, counts)),
        _ => None,
    })?;
    let half = |seat: Seat| {
        let TokenCount { active: won, inactive, left } = counts[seat.index()];
        let tokens = fill_text!(REPORT.tokens, inactive = inactive, left = left);
        el("section")
            .class(format!("sd1 step1 {}", ui.c(seat)))
            .kid(el("h3").kid(ui.mark(seat)).text(format!(" {}", ui.name(seat))))
            .kid(div("sum").kid(span("").text(REPORT.cities_won)).kid(span("num").text(won.to_string())))
            .kid(div("lbl").text(tokens))
    };
    let title = el("h2").class("title").text(fill_text!(REPORT.year_over, year = year));
    Some(div("bt1 rep narrow1").kid(div("hd1").kid(title)).kid(div("two1").kid(half(L)).kid(half(H))))
}
