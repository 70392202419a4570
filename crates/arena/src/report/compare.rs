//! Comparison of settings, and of strategies.

use super::text::signed;
use crate::findings::{Duel, Findings};
use crate::lab::Lab;
use crate::measure::{Mean, Measure};
use crate::verdict::{differences, title};
use maud::{Markup, html};

/// Returns a section with every measure for every setting, with the difference to the first setting and its
/// interval. Empty without settings; measures that the first setting lacks are left out.
pub(super) fn settings(findings: &Findings) -> Markup {
    let Some(first) = findings.settings.first() else { return Markup::default() };
    let measures = Measure::all(first.balance().seats).into_iter().filter(|&m| first.value(m).is_some());
    html! {
        section {
            h2 { "Settings side by side" }
            p.lead {
                "Each setting has played the same games with the same dice and shuffles. Below each figure stands its \
                difference to the first column with the 95 % interval; differences that are more than noise are in bold."
            }
            div.scroll {
                table {
                    tr {
                        th {}
                        @for finding in &findings.settings { th { (lines(&finding.setting.name)) } }
                    }
                    @for measure in measures {
                        tr {
                            td { (super::join_percent(&measure.name())) }
                            @for (i, finding) in findings.settings.iter().enumerate() {
                                td {
                                    (finding.value(measure).map_or("–".to_string(), |v| digits(v.mean)))
                                    @if let Some(d) = finding.difference(measure).filter(|_| i > 0) { (difference_with_interval(&d)) }
                                }
                            }
                        }
                    }
                }
            }
            (super::verdict_list(&differences(findings)))
        }
    }
}

/// Returns the parts of a text that are separated by `, `, each on a line of its own, with no-break spaces
/// before percent signs.
fn lines(list: &str) -> Markup {
    html! {
        @for (i, part) in list.split(", ").enumerate() {
            @if i > 0 { br; }
            (super::join_percent(part))
        }
    }
}

/// Formats a number for a table: with one digit after the point, without from 1000 (or -1000) on.
fn digits(value: f64) -> String {
    if value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Returns a difference with its 95 % interval on a line of its own, in bold if it is more than noise.
fn difference_with_interval(difference: &Mean) -> Markup {
    let (low, high) = (difference.interval.low, difference.interval.high);
    let class = if difference.is_sure() { "sure" } else { "" };
    html! {
        br;
        small {
            span class=(class) { (signed(difference.mean)) }
            " (" (signed(low)) " … " (signed(high)) ")"
        }
    }
}

/// Returns a section with a table of how each strategy of the row does alone among bots of that of the
/// column, in the order of the laboratory's list. With two seats a duel fills the mirrored cell too; cells
/// without a duel are empty. Empty without duels.
pub(super) fn strategies(lab: &Lab, findings: &Findings) -> Markup {
    if findings.duels.is_empty() {
        return Markup::default();
    }
    let (two, fair) = (lab.seats() == 2, 100.0 / f64::from(lab.seats().max(1)));
    let what = if two {
        "How often the strategy of the row beats that of the column".to_string()
    } else {
        format!("How often one bot with the strategy of the row wins among {} of the column", lab.seats() - 1)
    };
    let result = |one, other| {
        let straight = findings.duels.iter().find(|d| d.one == one && d.others == other);
        let mirrored = findings.duels.iter().find(|d| two && d.one == other && d.others == one);
        straight.map(|duel| (duel, 0)).or_else(|| mirrored.map(|duel| (duel, 1)))
    };
    html! {
        section {
            h2 { "Strategies against each other" }
            p.lead {
                (what) ", with the 95 % interval. Equals would win " (format!("{fair:.0}")) " %. The seats rotate, and \
                each strategy has the same luck."
            }
            div.scroll {
                table {
                    tr {
                        th {}
                        @for &bot in &lab.rivals { th { (title(bot)) } }
                    }
                    @for &one in &lab.rivals {
                        tr {
                            td { (title(one)) }
                            @for &other in &lab.rivals {
                                @match result(one, other) {
                                    Some((duel, bot)) => (cell(duel, bot, fair)),
                                    None => td {},
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the result of one side of a duel as a table cell: bot 0 is the single one, 1 one of the others.
/// `fair` is an equal share in percent; the colour shows the distance to it. Another `bot` panics.
fn cell(duel: &Duel, bot: usize, fair: f64) -> Markup {
    let (share, interval) = (100.0 * duel.tally.share(bot), duel.tally.interval(bot));
    let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
    let class = match (low > fair, high < fair) {
        (true, _) => "up",
        (_, true) => "down",
        _ => "",
    };
    let strength = ((share - fair).abs() / 100.0 * 45.0).min(32.0);
    let colour = if share >= fair { "--good" } else { "--bad" };
    html! {
        td.heat style=(format!("background:color-mix(in srgb,var({colour}) {strength:.0}%,transparent)")) {
            span class=(class) { (format!("{share:.0} %")) }
            br;
            small { (format!("{low:.0}–{high:.0} · {} games", duel.tally.games)) }
        }
    }
}
