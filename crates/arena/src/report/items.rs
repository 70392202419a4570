//! Cards, buildings, actions: how often they are used, and how often their users win.

use super::svg::{self, GameResult};
use super::text::escape;
use crate::balance::Balance;
use crate::lab::{Findings, Lab};
use crate::options::{Assessed, Mark, assess, verbs_of};
use crate::statistics::Z95;
use pentarchy_engine::{Item, Verb};
use std::fmt::Write;

const LEAD: &str = "How often a thing is bought, played or discarded in a game, by all seats together; how often it is \
                    taken when it could be; and the share of games won by seats that used it at least once, with the \
                    95 % interval. The dashed line is a fair share. A player who is winning can afford more, so a high \
                    share is a hint, not a proof.";

const LEGEND: &str = "<p class=\"lead\"><span class=\"badge dominant\">dominant</span> its users win at least a fifth more than \
                      their share, <span class=\"badge weak\">weak</span> a fifth less; <span class=\"badge dead\">dead</span> \
                      taken at fewer than one in a hundred opportunities, <span class=\"badge automatic\">automatic</span> at \
                      more than 95. Intervals are corrected for multiple comparisons.</p>";

/// Writes the section about items; nothing if the game has none.
pub(super) fn all(out: &mut String, lab: &Lab, findings: &Findings) {
    let items = lab.game.items();
    if items.is_empty() {
        return;
    }
    let _ = write!(out, "<section><h2>Cards, buildings, actions</h2><p class=\"lead\">{LEAD}</p>{LEGEND}");
    for (i, finding) in findings.settings.iter().enumerate() {
        if findings.settings.len() > 1 {
            let open = if i == 0 { " open" } else { "" };
            let _ = write!(out, "<details{open}><summary>{}</summary>", escape(&finding.setting.name));
        }
        tables(out, &finding.balance, &items);
        if findings.settings.len() > 1 {
            *out += "</details>";
        }
    }
    *out += "</section>\n";
}

/// Writes one table per group of items.
fn tables(out: &mut String, balance: &Balance, items: &[Item]) {
    let assessed = assess(balance, items);
    let mut groups: Vec<&str> = items.iter().map(|item| item.group).collect();
    let mut seen = std::collections::BTreeSet::new();
    groups.retain(|group| seen.insert(*group));
    for group in groups {
        let verbs = verbs_of(balance, items, group);
        let rows: Vec<&Assessed> = assessed.iter().filter(|a| items[a.item].group == group).collect();
        table(out, balance, items, group, &verbs, rows);
    }
}

/// Writes the table of a group of items, sorted by the share of wins of their users.
fn table(
    out: &mut String,
    balance: &Balance,
    items: &[Item],
    group: &str,
    verbs: &[Verb],
    mut rows: Vec<&Assessed>,
) {
    let fair = 100.0 * balance.fair();
    let uses = |a: &Assessed| &balance.items[a.item][a.verb.index()];
    rows.sort_by(|a, b| uses(b).share().total_cmp(&uses(a).share()));
    let known: Vec<&&Assessed> = rows.iter().filter(|a| uses(a).users > 0).collect();
    let low = known.iter().map(|a| 100.0 * uses(a).interval(Z95).low).fold(fair, f64::min);
    let high = known.iter().map(|a| 100.0 * uses(a).interval(Z95).high).fold(fair, f64::max);
    let range = (low.max(0.0), high.min(100.0));
    let main = rows.first().map_or(Verb::Played, |a| a.verb);
    let _ = write!(out, "<h3>{}</h3><div class=\"scroll\"><table><tr><th></th>", escape(group));
    for verb in verbs {
        let _ = write!(out, "<th>{}<br>a game</th>", verb.word());
    }
    let _ = write!(
        out,
        "<th>taken when<br>possible</th><th>seats that<br>{0} it</th><th>wins of seats<br>that {0} it</th><th></th><th></th></tr>",
        main.word()
    );
    for a in rows {
        let found = uses(a);
        let _ = write!(out, "<tr><td>{}</td>", escape(&items[a.item].name));
        for verb in verbs {
            let times = balance.items[a.item][verb.index()].times as f64 / balance.games.max(1) as f64;
            let _ = write!(out, "<td>{times:.2}</td>");
        }
        let taken = match found.offered {
            0 => "–".to_string(),
            n => format!("{:.0} %", 100.0 * found.taken as f64 / n as f64),
        };
        let seats = balance.games * u64::from(balance.seats);
        let users = 100.0 * found.users as f64 / seats.max(1) as f64;
        let _ = write!(out, "<td>{taken}</td><td>{users:.0} %</td>");
        if found.users > 0 {
            let interval = found.interval(Z95);
            let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
            let class = match a.mark {
                Some(Mark::Dominant) => "good",
                Some(Mark::Weak) => "fault",
                _ => "",
            };
            let row = GameResult { name: String::new(), value: 100.0 * found.share(), low, high, class };
            let drawn = svg::mini(&row, fair, range);
            let _ = write!(
                out,
                "<td>{:.1} % <small>{low:.1}–{high:.1}</small></td><td class=\"plot\">{drawn}</td>",
                row.value
            );
        } else {
            *out += "<td>–</td><td></td>";
        }
        let badge =
            a.mark.map_or(String::new(), |m| format!("<span class=\"badge {0}\">{0}</span>", m.word()));
        let _ = write!(out, "<td>{badge}</td></tr>");
    }
    *out += "</table></div>";
}
