//! Comparison of settings, and of strategies.

use super::text::{escape, signed};
use crate::lab::{Duel, Findings, Lab, Mean, Measure};
use crate::verdict::{differences, title};
use std::fmt::Write;

/// Writes every measure for every setting, with the difference to the first and its interval.
pub(super) fn settings(out: &mut String, findings: &Findings) {
    let Some(first) = findings.settings.first() else { return };
    *out += "<section><h2>Settings side by side</h2><p class=\"lead\">Each setting has played the same games with the same \
             dice and shuffles. Below each figure stands its difference to the first column with the 95 % interval; \
             differences that are more than noise are in bold.</p><div class=\"scroll\"><table><tr><th></th>";
    for finding in &findings.settings {
        let _ = write!(out, "<th>{}</th>", escape(&finding.setting.name).replace(", ", "<br>"));
    }
    *out += "</tr>";
    for measure in Measure::all(first.balance.seats) {
        if first.value(measure).is_none() {
            continue;
        }
        let _ = write!(out, "<tr><td>{}</td>", escape(&measure.name()));
        for (i, finding) in findings.settings.iter().enumerate() {
            let value = finding.value(measure).map_or("–".to_string(), |v| digits(v.mean));
            let difference =
                finding.difference(measure).filter(|_| i > 0).map_or(String::new(), |d| told(&d));
            let _ = write!(out, "<td>{value}{difference}</td>");
        }
        *out += "</tr>";
    }
    *out += "</table></div>";
    super::verdict_list(out, &differences(findings));
    *out += "</section>\n";
}

/// Formats a number for a table.
fn digits(value: f64) -> String {
    if value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Formats a difference with its interval.
fn told(difference: &Mean) -> String {
    let (low, high) = (difference.interval.low, difference.interval.high);
    let class = if difference.is_sure() { "sure" } else { "" };
    format!(
        "<br><small><span class=\"{class}\">{}</span> ({} … {})</small>",
        signed(difference.mean),
        signed(low),
        signed(high)
    )
}

/// Writes how each strategy does alone among bots of each other one.
pub(super) fn strategies(out: &mut String, lab: &Lab, findings: &Findings) {
    if findings.duels.is_empty() {
        return;
    }
    let (two, fair) = (lab.seats() == 2, 100.0 / f64::from(lab.seats().max(1)));
    let what = if two {
        "How often the strategy of the row beats that of the column".to_string()
    } else {
        format!(
            "How often one player with the strategy of the row wins among {} of the column",
            lab.seats() - 1
        )
    };
    let _ = write!(
        out,
        "<section><h2>Strategies against each other</h2><p class=\"lead\">{what}, with the 95 % interval. Equals \
         would win {fair:.0} %. The seats rotate, and each strategy has the same luck.</p><div class=\"scroll\">\
         <table><tr><th></th>"
    );
    for &bot in &lab.rivals {
        let _ = write!(out, "<th>{}</th>", escape(&title(bot)));
    }
    *out += "</tr>";
    for &one in &lab.rivals {
        let _ = write!(out, "<tr><td>{}</td>", escape(&title(one)));
        for &other in &lab.rivals {
            let straight = findings.duels.iter().find(|d| d.one == one && d.others == other);
            let mirrored = findings.duels.iter().find(|d| two && d.one == other && d.others == one);
            *out += &match (straight, mirrored) {
                (Some(duel), _) => cell(duel, 0, fair),
                (None, Some(duel)) => cell(duel, 1, fair),
                (None, None) => "<td></td>".to_string(),
            };
        }
        *out += "</tr>";
    }
    *out += "</table></div></section>\n";
}

/// Formats the result of a duel as a table cell.
fn cell(duel: &Duel, bot: usize, fair: f64) -> String {
    let (share, interval) = (100.0 * duel.tally.share(bot), duel.tally.interval(bot));
    let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
    let class = match (low > fair, high < fair) {
        (true, _) => "up",
        (_, true) => "down",
        _ => "",
    };
    let strength = ((share - fair).abs() / 100.0 * 45.0).min(32.0);
    let colour = if share >= fair { "--good" } else { "--bad" };
    format!(
        "<td class=\"heat\" style=\"background:color-mix(in srgb,var({colour}) {strength:.0}%,transparent)\">\
         <span class=\"{class}\">{share:.0} %</span><br><small>{low:.0}–{high:.0} · {} games</small></td>",
        duel.tally.games
    )
}
