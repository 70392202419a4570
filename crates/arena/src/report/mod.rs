//! The balance report: one self-contained HTML page, also for print, phones and dark mode.

mod compare;
mod items;
mod needs;
mod sections;
mod svg;
pub(crate) mod text;
pub mod tuning;

use crate::findings::Findings;
use crate::lab::Lab;
use crate::verdict::{BalanceVerdict, Tone, players, verdicts};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use text::{join_percent, thousands};

/// The style sheet of the page.
const STYLE: &str = include_str!("style.css");

/// Returns the whole report as an HTML page without external files. `command` is the command line that
/// reproduces it, shown at the end. Everything is escaped.
pub fn page(lab: &Lab, findings: &Findings, command: &str) -> String {
    let games = findings.settings.first().map_or(0, |first| first.balance().games);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (lab.game.info().title) ": balance report" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    (heading(lab, games))
                    section { h2 { "In short" } (verdict_list(&verdicts(lab, findings))) }
                    @if findings.settings.len() > 1 { (compare::settings(findings)) }
                    (sections::all(findings))
                    (items::all(lab, findings))
                    (compare::strategies(lab, findings))
                    (needs::section(lab, findings))
                    (method(lab, games, command))
                }
            }
        }
    };
    page.into_string()
}

/// Returns the heading of the page: title, pitch, number of games (`games`, of the first setting) and seats,
/// players, settings, designer.
fn heading(lab: &Lab, games: u64) -> Markup {
    let info = lab.game.info();
    let settings = match &lab.settings[..] {
        [one] if one.name.is_empty() => "default settings".to_string(),
        [one] => join_percent(&one.name),
        many => format!("{} settings", many.len()),
    };
    html! {
        header {
            p.eyebrow { "Balance report" }
            h1 { (info.title) }
            p.pitch { (join_percent(info.pitch)) }
            ul.meta {
                li { b { (thousands(games)) } " games" }
                li { b { (lab.seats()) } " seats" }
                li { "played by " b { (players(lab)) } }
                li { (settings) }
                li { "design: " (info.designer) }
            }
        }
    }
}

/// Returns the verdicts as a list in their order, each with its topic, a mark and a style class by its tone.
fn verdict_list(verdicts: &[BalanceVerdict]) -> Markup {
    let class = |tone| match tone {
        Tone::Good => ("good", "✓"),
        Tone::Note => ("note", "•"),
        Tone::Fault => ("fault", "!"),
    };
    html! {
        ul.short {
            @for verdict in verdicts {
                @let (class, mark) = class(verdict.tone);
                li class=(class) {
                    span.tag { (mark) " " (verdict.about) }
                    span { (join_percent(&verdict.text)) }
                }
            }
        }
    }
}

/// Returns the footer, which says how the figures were obtained and repeats the command. `games` is the
/// number of games of the first setting.
fn method(lab: &Lab, games: u64, command: &str) -> Markup {
    html! {
        footer {
            h3 { "How this was made" }
            p {
                (lab.bots.len()) " bots played " (thousands(games)) " games from seed " (lab.seed)
                ", rules version " (lab.game.info().rules_version) ". Seats are counted from 1. Intervals hold \
                with 95 % confidence (Wilson's score for shares, the normal approximation for means); they are \
                corrected for multiple comparisons (Bonferroni) where many things are judged at once. Numbers that a \
                run may stop on have confidence sequences (the asymptotic ones of Waudby-Smith et al. 2024). Differences \
                between settings are taken game by game with the same dice and shuffles. Minutes are an estimate: \
                each kind of decision counts with the seconds that people take for it. Bots are not people: people \
                may try what bots never do."
            }
            p { "The same page again: " code { (join_percent(command)) } }
        }
    }
}
