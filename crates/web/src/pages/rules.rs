//! The rules of a game in a drawer, with search.

use super::close;
use crate::app::App;
use crate::{boards, page};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// The drawer.
pub fn rules(app: App, game: String) -> impl IntoView {
    let text = RwSignal::new(None::<Result<String, String>>);
    let wanted = RwSignal::new(String::new());
    let title = boards::find(&game).map_or("", |game| game.info.title);
    spawn_local(async move {
        text.set(Some(page::fetch_text(&format!("rules-{game}.html")).await));
    });
    let found = move || {
        text.with(|text| match text {
            None => ("<p>Opening the book…</p>".to_string(), String::new()),
            Some(Err(what)) => ("<p>The rules cannot be read now.</p>".to_string(), what.clone()),
            Some(Ok(text)) => search(text, &wanted.get()),
        })
    };
    view! {
        <div class="dialog drawer" role="dialog" aria-modal="true" aria-label=format!("Rules of {title}")>
            <div class="drawer-hd">
                <h1 class="title">{title}</h1>
                {close(app)}
                <input
                    class="filter"
                    type="search"
                    id="rules-search"
                    autofocus=true
                    placeholder="Search the rules"
                    aria-label="Search the rules"
                    on:input=move |event| wanted.set(event_target_value(&event))
                />
                <p class="lbl" role="status">{move || found().1}</p>
            </div>
            <div class="drawer-tx" id="rules-text" tabindex="0" inner_html=move || found().0></div>
        </div>
    }
}

/// The sections that hold all the words, with the words marked; and how many there are.
fn search(text: &str, wanted: &str) -> (String, String) {
    let words: Vec<String> = wanted.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return (text.to_string(), String::new());
    }
    let mut sections: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(next) = next_heading(rest) {
        sections.push(&rest[..next]);
        rest = &rest[next..];
    }
    sections.push(rest);
    let has = |section: &&&str| {
        let plain = without_tags(section).to_lowercase();
        words.iter().all(|word| plain.contains(word.as_str()))
    };
    let hits: Vec<String> = sections.iter().filter(has).map(|section| marked(section, &words)).collect();
    let said = match hits.len() {
        0 => "Nothing is said about this.".to_string(),
        1 => "1 section".to_string(),
        n => format!("{n} sections"),
    };
    (hits.concat(), said)
}

/// Where the next section begins.
fn next_heading(text: &str) -> Option<usize> {
    ["<h2", "<h3"].iter().filter_map(|tag| text.get(1..)?.find(tag).map(|at| at + 1)).min()
}

fn without_tags(text: &str) -> String {
    let mut inside = false;
    let keep = |c: &char| {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                return false;
            }
            _ => {}
        }
        !inside
    };
    text.chars().filter(keep).collect()
}

/// The section with the words marked, outside of tags.
fn marked(section: &str, words: &[String]) -> String {
    let mut out = String::with_capacity(section.len());
    for piece in section.split_inclusive('>') {
        let (text, tag) = piece.find('<').map_or((piece, ""), |at| piece.split_at(at));
        out.push_str(&mark(text, words));
        out.push_str(tag);
    }
    out
}

fn mark(text: &str, words: &[String]) -> String {
    let lower = text.to_lowercase();
    // Only where lower case keeps the places of letters; elsewhere nothing is marked.
    if lower.len() != text.len() {
        return text.to_string();
    }
    let (mut out, mut at) = (String::new(), 0);
    while let Some((start, length)) =
        words.iter().filter_map(|word| lower[at..].find(word.as_str()).map(|i| (at + i, word.len()))).min()
    {
        if !text.is_char_boundary(start) || !text.is_char_boundary(start + length) {
            break;
        }
        out.push_str(&text[at..start]);
        out.push_str("<mark>");
        out.push_str(&text[start..start + length]);
        out.push_str("</mark>");
        at = start + length;
    }
    out + &text[at..]
}
