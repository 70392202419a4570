//! Cards, buildings, actions: how often they are used, and how often their users win.

use super::svg::{self, ShareRow};
use super::text::{join_percent, signed, thousands};
use crate::balance::Balance;
use crate::findings::{Findings, Worth, WorthState};
use crate::lab::Lab;
use crate::options::{Assessed, Mark, assess, verbs_of};
use crate::statistics::Z95;
use maud::{Markup, PreEscaped, html};
use pentarchy_engine::{Item, Verb};

/// The introduction of the section.
const LEAD: &str = "How often a thing is bought, played or discarded in a game, by all seats together; how often it is \
                    taken when it could be; and the share of games won by seats that used it at least once, with the \
                    95 % interval. The dashed line is a fair share. A seat that is winning can afford more, so a high \
                    share is a hint, not a proof.";

/// The paragraph about the worth by restricted play.
const WORTH: &str = "The worth of a thing is measured by restricted play: each game is played again with the same \
                     dice and bots, but one seat may not choose the thing unless nothing else is legal. The worth is \
                     the share of games that the seat loses by it, in points, with a confidence sequence that is \
                     corrected for the number of things (Bonferroni) and for stopping early. It tells a cause, as far \
                     as these bots play. A negative worth means that these bots do better without it.";

/// Returns a paragraph that explains the four badges: dominant, weak, dead and automatic.
fn legend() -> Markup {
    html! {
        p.lead {
            (badge("dominant")) " its users win at least a fifth more than their share, " (badge("weak"))
            " a fifth less; " (badge("dead")) " taken at fewer than one in a hundred opportunities, "
            (badge("automatic")) " at more than 95. Intervals are corrected for multiple comparisons."
        }
    }
}

/// Returns a badge with its word, which is also its style class.
fn badge(word: &str) -> Markup {
    html! { span class={ "badge " (word) } { (word) } }
}

/// Returns the section about items: introduction, legend and tables for every setting, with the worths of
/// restricted play for the first. With several settings each can be folded, and only the first is open. Empty
/// for a game without items.
pub(super) fn all(lab: &Lab, findings: &Findings) -> Markup {
    let items = lab.game.items();
    if items.is_empty() {
        return Markup::default();
    }
    html! {
        section {
            h2 { "Cards, buildings, actions" }
            p.lead { (LEAD) }
            (legend())
            @if !findings.worths.is_empty() { p.lead { (join_percent(WORTH)) (forced(findings)) } }
            @for (i, finding) in findings.settings.iter().enumerate() {
                @if findings.settings.len() > 1 {
                    details open[i == 0] {
                        summary { (join_percent(&finding.setting.name)) }
                        (tables(finding.balance(), &items, if i == 0 { &findings.worths } else { &[] }))
                    }
                } @else {
                    (tables(finding.balance(), &items, &findings.worths))
                }
            }
        }
    }
}

/// Returns a sentence on how often denied seats had no other choice: in all, and per game in which the option
/// was on offer.
fn forced(findings: &Findings) -> String {
    let sum: u64 = findings.worths.iter().map(|w| w.tally.forced).sum();
    let pairs: u64 = findings.worths.iter().map(|w| w.tally.offered).sum();
    let each = sum as f64 / pairs.max(1) as f64;
    format!(
        " Nothing else was legal at {} decisions of denied seats, {each:.2} per game in which the thing was on offer.",
        thousands(sum)
    )
}

/// Returns one table per group of items, in the order in which the groups first occur. `worths` has an entry
/// per item, or is empty.
fn tables(balance: &Balance, items: &[Item], worths: &[Worth]) -> Markup {
    let assessed = assess(balance, items);
    let mut groups: Vec<&str> = items.iter().map(|item| item.group).collect();
    let mut seen = std::collections::BTreeSet::new();
    groups.retain(|group| seen.insert(*group));
    html! {
        @for group in groups {
            (table(balance, items, worths, group, assessed.iter().filter(|a| items[a.item].group == group).collect()))
        }
    }
}

/// Returns the table of a group. `rows` are its assessed items; they are sorted by the share of wins, the
/// highest first, equals in their order. `worths` has an entry per item, or is empty.
fn table(
    balance: &Balance,
    items: &[Item],
    worths: &[Worth],
    group: &str,
    mut rows: Vec<&Assessed>,
) -> Markup {
    let verbs = verbs_of(balance, items, group);
    let fair = 100.0 * balance.fair();
    let uses = |a: &Assessed| &balance.items[a.item][a.verb.index()];
    rows.sort_by(|a, b| uses(b).share().total_cmp(&uses(a).share()));
    let known: Vec<&&Assessed> = rows.iter().filter(|a| uses(a).users > 0).collect();
    let low = known.iter().map(|a| 100.0 * uses(a).interval(Z95).low).fold(fair, f64::min);
    let high = known.iter().map(|a| 100.0 * uses(a).interval(Z95).high).fold(fair, f64::max);
    let range = (low.max(0.0), high.min(100.0));
    let main = rows.first().map_or(Verb::Played, |a| a.verb).word();
    html! {
        h3 { (join_percent(group)) }
        div.scroll {
            table {
                tr {
                    th {}
                    @for verb in &verbs { th { (verb.word()) br; "a game" } }
                    th { "taken when" br; "possible" }
                    th { "seats that" br; (main) " it" }
                    th { "wins of seats" br; "that " (main) " it" }
                    th {}
                    @if !worths.is_empty() { th { "worth of having it," br; "points" } }
                    th {}
                }
                @for a in rows { (row(balance, items, &verbs, a, fair, range, worths.get(a.item))) }
            }
        }
    }
}

/// Returns the row of an item: its name, uses per game by verb, how often it was taken when possible (`–` if
/// it never was), the share of seats that used it, the share of games that these won with a plot of its
/// interval (`–` without users), its worth if given, and its badge. `verbs` are the columns of uses, `fair`
/// is the fair share in percent, `range` the lowest and highest end of all intervals of the column, in
/// percent.
fn row(
    balance: &Balance,
    items: &[Item],
    verbs: &[Verb],
    a: &Assessed,
    fair: f64,
    range: (f64, f64),
    worth: Option<&Worth>,
) -> Markup {
    let found = &balance.items[a.item][a.verb.index()];
    let times = |verb: &Verb| balance.items[a.item][verb.index()].times as f64 / balance.games.max(1) as f64;
    let taken = match found.offered {
        0 => "–".to_string(),
        n => format!("{:.0} %", 100.0 * found.taken as f64 / n as f64),
    };
    let seats = balance.games * u64::from(balance.seats);
    let users = 100.0 * found.users as f64 / seats.max(1) as f64;
    html! {
        tr {
            td { (join_percent(&items[a.item].name)) }
            @for verb in verbs { td { (format!("{:.2}", times(verb))) } }
            td { (taken) }
            td { (format!("{users:.0} %")) }
            @if found.users > 0 {
                @let interval = found.interval(Z95);
                @let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
                @let shares = ShareRow { name: String::new(), value: 100.0 * found.share(), low, high, class: class(a) };
                td { (format!("{:.1} % ", shares.value)) small { (format!("{low:.1}–{high:.1}")) } }
                td.plot { (PreEscaped(svg::mini(&shares, fair, range))) }
            } @else {
                td { "–" }
                td {}
            }
            @if let Some(worth) = worth { (worth_cell(worth)) }
            td { @if let Some(mark) = a.mark { (badge(mark.word())) } }
        }
    }
}

/// Returns the table cell with the worth of an option, its interval and number of pairs: in bold colour if it
/// differs from 0 beyond noise, `–` if the option was never on offer or has no interval yet.
fn worth_cell(worth: &Worth) -> Markup {
    let interval = worth.interval();
    let class = match worth.state {
        WorthState::Sure if worth.mean() > 0.0 => "up",
        WorthState::Sure => "down",
        _ => "",
    };
    html! {
        @if worth.tally.offered == 0 || !interval.width().is_finite() {
            td { "–" }
        } @else {
            td {
                span class=(class) { (signed(worth.mean())) }
                " "
                small { (signed(interval.low)) " … " (signed(interval.high)) " · " (thousands(worth.pairs())) " pairs" }
            }
        }
    }
}

/// Returns the style class of the plot of an item: `good` if dominant, `fault` if weak, else empty.
fn class(a: &Assessed) -> &'static str {
    match a.mark {
        Some(Mark::Dominant) => "good",
        Some(Mark::Weak) => "fault",
        _ => "",
    }
}
