//! The balance report: one self-contained HTML page, also for print, phones and dark mode.

mod compare;
mod items;
mod sections;
mod svg;
pub(crate) mod text;

use crate::lab::{Findings, Lab};
use crate::verdict::{BalanceVerdict, Tone, players, verdicts};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use text::{join_percent, thousands};

const STYLE: &str = include_str!("style.css");

/// Returns the whole report as an HTML page without external files. `command` is the command line that
/// reproduces it, shown at the end. Everything is escaped.
pub fn page(lab: &Lab, findings: &Findings, command: &str) -> String {
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
                    (heading(lab))
                    section { h2 { "In short" } (verdict_list(&verdicts(lab, findings))) }
                    @if findings.settings.len() > 1 { (compare::settings(findings)) }
                    (sections::all(findings))
                    (items::all(lab, findings))
                    (compare::strategies(lab, findings))
                    (method(lab, command))
                }
            }
        }
    };
    page.into_string()
}

/// Returns the heading of the page: title, pitch, number of games and seats, players, settings, designer.
fn heading(lab: &Lab) -> Markup {
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
                li { b { (thousands(lab.games)) } " games" }
                li { b { (lab.seats()) } " seats" }
                li { "played by " b { (players(lab)) } }
                li { (settings) }
                li { "design: " (info.designer) }
            }
        }
    }
}

/// Returns the verdicts as a list in their order, each marked by its tone.
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

/// Returns the footer, which says how the figures were obtained and repeats the command.
fn method(lab: &Lab, command: &str) -> Markup {
    html! {
        footer {
            h3 { "How this was made" }
            p {
                (lab.bots.len()) " bots played " (thousands(lab.games)) " games from seed " (lab.seed)
                ", rules version " (lab.game.info().rules_version) ". Seats are counted from 1. Intervals hold \
                with 95 % confidence (Wilson's score for shares, the normal approximation for means); they are \
                corrected for multiple comparisons (Bonferroni) where many things are judged at once. Differences \
                between settings are taken game by game with the same dice and shuffles. Minutes are an estimate: \
                each kind of decision counts with the seconds that people take for it. Bots are not people: people \
                may try what bots never do."
            }
            p { "The same page again: " code { (join_percent(command)) } }
        }
    }
}
