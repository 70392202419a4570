//! The balance report: one self-contained HTML page, also for print, phones and dark mode.

mod compare;
mod items;
mod sections;
mod svg;
pub(crate) mod text;

use crate::lab::{Findings, Lab};
use crate::verdict::{BalanceVerdict, Tone, players, verdicts};
use std::fmt::Write;
use text::{escape, thousands};

const STYLE: &str = include_str!("style.css");

/// Returns the whole page. `command` is the command line that reproduces it.
pub fn page(lab: &Lab, findings: &Findings, command: &str) -> String {
    let info = lab.game.info();
    let mut out = String::with_capacity(64 << 10);
    let name = escape(info.title);
    // Writing to a string does not fail, here and below.
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{name}: balance report</title><style>{STYLE}</style></head>\n<body><main>\n"
    );
    heading(&mut out, lab);
    out += "<section><h2>In short</h2>";
    verdict_list(&mut out, &verdicts(lab, findings));
    out += "</section>\n";
    if findings.settings.len() > 1 {
        compare::settings(&mut out, findings);
    }
    sections::all(&mut out, findings);
    items::all(&mut out, lab, findings);
    compare::strategies(&mut out, lab, findings);
    method(&mut out, lab, command);
    out += "</main></body></html>\n";
    out
}

/// Writes the heading: game, number of games, seats, bots and settings.
fn heading(out: &mut String, lab: &Lab) {
    let info = lab.game.info();
    let bots = players(lab);
    let settings = match &lab.settings[..] {
        [one] if one.name.is_empty() => "default settings".to_string(),
        [one] => one.name.clone(),
        many => format!("{} settings", many.len()),
    };
    let _ = writeln!(
        out,
        "<header><p class=\"eyebrow\">Balance report</p><h1>{}</h1><p class=\"pitch\">{}</p><ul class=\"meta\">\
         <li><b>{}</b> games</li><li><b>{}</b> seats</li><li>played by <b>{}</b></li><li>{}</li>\
         <li>design: {}</li></ul></header>",
        escape(info.title),
        escape(info.pitch),
        thousands(lab.games),
        lab.seats(),
        escape(&bots),
        escape(&settings),
        escape(info.designer),
    );
}

/// Writes the verdicts as a list.
fn verdict_list(out: &mut String, verdicts: &[BalanceVerdict]) {
    *out += "<ul class=\"short\">";
    for verdict in verdicts {
        let class = match verdict.tone {
            Tone::Good => "good",
            Tone::Note => "note",
            Tone::Fault => "fault",
        };
        let mark = match verdict.tone {
            Tone::Good => "✓",
            Tone::Note => "•",
            Tone::Fault => "!",
        };
        let text = escape(&verdict.text);
        let _ = write!(
            out,
            "<li class=\"{class}\"><span class=\"tag\">{mark} {}</span><span>{text}</span></li>",
            verdict.about
        );
    }
    *out += "</ul>";
}

/// Writes how the figures were obtained, with the command that repeats them.
fn method(out: &mut String, lab: &Lab, command: &str) {
    let _ = write!(
        out,
        "<footer><h3>How this was made</h3><p>{} bots played {} games from seed {}, rules version {}. Seats are \
         counted from 1. Intervals hold with 95 % confidence (Wilson's score for shares, the normal \
         approximation for means); they are corrected for multiple comparisons \
         (Bonferroni) where many things are judged at once. Differences between settings are taken game by \
         game with the same dice and shuffles. Minutes are an estimate: each kind of decision counts with the \
         seconds that people take for it. Bots are not people: people may try what bots never do.</p><p>The same page again: <code>{}</code></p></footer>",
        lab.bots.len(),
        thousands(lab.games),
        lab.seed,
        lab.game.info().rules_version,
        escape(command),
    );
}
