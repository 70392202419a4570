//! How many games the findings need: confidence sequences of seats and options.

use super::text::{join_percent, listed, signed, thousands};
use crate::findings::{Findings, SeatFinding, Worth, WorthState};
use crate::lab::Lab;
use maud::{Markup, html};

/// The introduction of the section.
const LEAD: &str = "These intervals are confidence sequences: they hold with 95 % confidence for all seats \
                    together however often one looks, so a run may stop as soon as it knows enough. They are wider \
                    than the intervals of the plots, which hold for one look at the end.";

/// Returns the section about the number of games: a table with a row per seat, a sentence if the run stopped
/// early, and a paragraph on restricted play if there was any. Empty without settings.
pub(super) fn section(lab: &Lab, findings: &Findings) -> Markup {
    let Some(first) = findings.settings.first() else { return Markup::default() };
    html! {
        section {
            h2 { "How many games it needs" }
            p.lead { (join_percent(LEAD)) }
            div.scroll {
                table {
                    tr {
                        th {}
                        th { "wins" }
                        th { "confidence" br; "sequence" }
                        th { "differs from a fair share" }
                        th { "games for a" br; "difference of a point" }
                    }
                    @for (seat, found) in findings.seats.iter().enumerate() {
                        (row(seat, 100.0 * first.balance().share(seat), found))
                    }
                }
            }
            @if findings.stopped {
                p { "The run stopped after " (thousands(first.balance().games)) " of at most " (thousands(lab.games))
                    " games: the share of every seat was known as precisely as wanted." }
            }
            @if !findings.worths.is_empty() { (options(lab, findings)) }
        }
    }
}

/// Returns the row of a seat: its wins, its confidence sequence, after how many games it differed from a fair
/// share, and how many a difference of a point takes. `seat` counts from 0, on the page from 1; `share` is in
/// percent.
fn row(seat: usize, share: f64, found: &SeatFinding) -> Markup {
    let (low, high) = (100.0 * found.interval.low, 100.0 * found.interval.high);
    let sure = found.sure_after.map_or("not shown".to_string(), |n| format!("sure after {}", thousands(n)));
    html! {
        tr {
            td { "Seat " (seat + 1) }
            td { (join_percent(&format!("{share:.1} %"))) }
            td { (format!("{low:.1}–{high:.1}")) }
            td { (sure) }
            td { (found.games_for_a_point.map_or("–".to_string(), |n| format!("about {}", thousands(n)))) }
        }
    }
}

/// Returns a paragraph on restricted play: how many options are decided, how many games that took, and what
/// the open ones would need: at most six, the closest to a decision first.
fn options(lab: &Lab, findings: &Findings) -> Markup {
    let items = lab.game.items();
    let of = |state: WorthState| findings.worths.iter().filter(move |w| w.state == state);
    let pairs: u64 = findings.worths.iter().map(Worth::pairs).sum();
    let mut open: Vec<(&str, &Worth)> = items.iter().map(|i| i.name.as_str()).zip(&findings.worths).collect();
    open.retain(|(_, worth)| worth.state == WorthState::Open);
    open.sort_by_key(|(_, worth)| worth.pairs_needed());
    let need = |(name, worth): &(&str, &Worth)| {
        let pairs = worth.pairs_needed().map_or("very many".to_string(), thousands);
        format!("{name} ({}, about {pairs} pairs)", signed(worth.mean()))
    };
    let shown: Vec<String> = open.iter().take(6).map(need).collect();
    html! {
        p {
            "Restricted play compared " (thousands(pairs)) " pairs of games. The worth of "
            (of(WorthState::Sure).count()) " options differs from 0, that of " (of(WorthState::Precise).count())
            " is within a point of 0, and " (of(WorthState::NeverOffered).count()) " were never on offer. "
            (open.len()) " are open after " (thousands(lab.restrict_games)) " pairs"
            @if shown.is_empty() { "." } @else { "; the closest to a decision: " (listed(&shown)) "." }
        }
    }
}
