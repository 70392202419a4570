//! The report of a decided crisis: cards and strengths, the winner, changes of cities and values, the purchase
//! due next.

use super::crisis::{effects, number, row, strip, sum, unpaid};
use super::texts::REPORT;
use super::words::{cards, cities, faction_name, sector};
use super::{View, faces};
use crate::board::{EventReport, ReportDisplay};
use crate::icons::ic;
use crate::markup::{El, b, div, el, span};
use crate::ui::Ui;
use crate::words::{and, plain};
use pentarchy_engine::{AppliedEvent, Describe, fill_text};
use pentarchy_ozymandias::Ozymandias;
use pentarchy_ozymandias::cards::FACTIONS;
use pentarchy_ozymandias::facts::{crisis_result, destroyed};
use pentarchy_ozymandias::forecast::{Contributed, CrisisResult, Fate};

/// Builds the report of the event that decided a crisis; `None` for other events. Players who contributed a card or
/// must buy one next get it as a dialog, others as a note.
pub(super) fn report(event: &AppliedEvent<'_, Ozymandias>, ui: &Ui) -> Option<EventReport> {
    let AppliedEvent { before, facts, after, .. } = *event;
    let result = crisis_result(facts)?;
    let said = Ozymandias::log(event).unwrap_or_default();
    let own = result.cards.iter().find(|it| Some(it.holder) == ui.seat);
    // A player who must buy because of the crisis sees the report too.
    let buys = ui.seat.is_some_and(|seat| after.state().purchase_due(seat).is_some());
    let el = div("narrow1 crr")
        .kid(strip(3))
        .kid(div("crh").kid(el("h3").text(fill_text!(REPORT.title, sector = sector(before, result.sector)))))
        .kid(
            el("ul").class("crf step1").kids(result.cards.iter().map(|it| draw_contribution(it, result, ui))),
        )
        .kid(draw_verdict(after, result, own).class("step2"))
        .kid(el("ul").class("crf step3").kids(draw_changes(result, destroyed(facts))))
        .kid_if(draw_purchase(after, ui).map(|el| el.class("step4")));
    let summary = plain(&said, ui);
    Some(EventReport { el, display: ReportDisplay::dialog_if(own.is_some() || buys), summary })
}

/// Draws a contribution: its strength with parts, its owner, and where the card goes. That of the player of this
/// screen, and those of losers, are marked.
fn draw_contribution(it: &Contributed, result: &CrisisResult, ui: &Ui) -> El {
    let pile = match it.fate {
        Fate::Vault => REPORT.vault,
        Fate::Tableau => REPORT.tableau,
        Fate::Hand => REPORT.hand,
    };
    let owner = if ui.seat == Some(it.holder) { REPORT.you } else { ui.name(it.holder) };
    let template = if it.mute { REPORT.cancelled } else { REPORT.contribution };
    let small = fill_text!(template, sum = sum(it.strength), owner = owner, pile = pile);
    row(it.myth.faction(), it.myth.printed().title.to_string(), small, number(it.strength.total()))
        .class_if(ui.seat == Some(it.holder), "me")
        .class_if(!result.winners.has(it.myth.faction()), "lost")
}

/// Draws who won with which strength, where the player's own card goes (`own`, if they contributed one), and the
/// effects of the crisis, which `after` still has.
fn draw_verdict(after: &View, result: &CrisisResult, own: Option<&Contributed>) -> El {
    let names: Vec<String> = result.winners.iter().map(|f| faction_name(f).to_string()).collect();
    let template = if names.len() > 1 { REPORT.tie } else { REPORT.wins };
    let verdict = fill_text!(template, Factions = and(&names), strength = result.strength);
    let mood = match own {
        Some(it) if !result.winners.has(it.myth.faction()) => "maybe",
        _ => "",
    };
    let yours = match own.map(|it| it.fate) {
        Some(Fate::Vault) => REPORT.yours_to_vault,
        Some(Fate::Tableau) => REPORT.yours_to_tableau,
        Some(Fate::Hand) => REPORT.yours_to_hand,
        None => "",
    };
    let text = [yours.to_string(), effects(after.state())].into_iter().filter(|t| !t.is_empty());
    let text = text.collect::<Vec<_>>().join(" ");
    div("crv").class(mood).kid(b(verdict)).text(text)
}

/// Draws a row for each faction whose value changed or that lost cities, in the order of `FACTIONS`; of a faction
/// with both only the change of its value. `destroyed` has the number of lost cities by faction. Empty if nothing
/// changed.
fn draw_changes(result: &CrisisResult, destroyed: [u8; 4]) -> Vec<El> {
    let each = FACTIONS.into_iter().filter_map(|f| {
        let (old, new, fell) = (result.before[f.index()], result.after[f.index()], destroyed[f.index()]);
        let template = match (new - old, fell) {
            (0, 0) => return None,
            (0, _) => REPORT.destroyed,
            (1.., _) => REPORT.rises,
            (_, _) => REPORT.falls,
        };
        let (faction, cities) = (faction_name(f), cities(fell.into()));
        let text = fill_text!(template, faction = faction, cities = cities, from = old, to = new);
        let value = b(new.to_string()).class("num").tick(format!("value {f}"));
        let name = span("w").text(text);
        let sigil = span("sg2").kid(ic(faces::sigil(f)));
        Some(el("li").class(faces::class(f)).class_if(new == old, "lost").kid(sigil).kid(name).kid(value))
    });
    each.collect()
}

/// Draws the purchase that the player of this screen must make next, with a warning if they cannot pay; `None` for a
/// spectator or if none is due.
fn draw_purchase(after: &View, ui: &Ui) -> Option<El> {
    let due = after.state().purchase_due(ui.seat?)?;
    let text = [fill_text!(REPORT.must_buy, cards = cards(due.cards)), unpaid(due)].join(" ");
    let mood = if due.is_affordable() { "maybe" } else { "bad" };
    Some(div("crv").class(mood).kid(b(REPORT.next_purchase)).text(text))
}
