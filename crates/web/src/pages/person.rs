//! A player as an identity: picture, short name, and what the address book says.

use crate::online::{Identity, Online};
use leptos::prelude::*;
use pentarchy_identity::{Crest, Standing, key_fingerprint, short_name};
use std::cell::Cell;

thread_local! {
    static PICTURES: Cell<u32> = const { Cell::new(0) };
}

/// Draws the picture of an identity. `size` is a class of the style sheet: `s24`, `s32` or `s96`.
pub fn crest(identity: &Identity, size: &'static str) -> impl IntoView + use<> {
    let crest = Crest::of(identity);
    // Ids of clip paths must be unique in the document.
    let number = PICTURES.replace(PICTURES.get().wrapping_add(1));
    let (svg, label) = (crest.to_svg(&format!("crest{number}")), format!("Picture: {}", crest.description()));
    view! { <span class=format!("crest {size}") role="img" aria-label=label title=short_name(identity) inner_html=svg></span> }
}

/// Renders the short name of an identity, with its fingerprint on hover.
pub fn short(identity: &Identity) -> impl IntoView + use<> {
    let fingerprint = format!("Fingerprint {}", key_fingerprint(identity));
    view! { <code class="shortn" title=fingerprint translate="no">{short_name(identity)}</code> }
}

/// Returns the date of a time (milliseconds since 1970) as `2026-01-31`, in UTC.
pub fn date(ms: u64) -> String {
    let text: String = js_sys::Date::new(&(ms as f64).into()).to_iso_string().into();
    text.get(..10).unwrap_or_default().to_owned()
}

/// Returns how often the player was met before: "first time you meet", "met at 3 tables".
fn met(standing: &Standing) -> String {
    match standing.tables {
        0 => "first time you meet".to_string(),
        1 => "met at 1 table".to_string(),
        n => format!("met at {n} tables"),
    }
}

/// Returns warnings about a player who is now called `name`, each with its class (`bad` or `warn`): evidence
/// of cheating, the name of another known player, a changed name. Empty if there are none.
fn warnings(name: &str, standing: &Standing) -> Vec<(&'static str, String)> {
    let cheated = standing
        .cheated
        .as_ref()
        .map(|mark| ("bad", format!("Cheated at a table on {}: {}.", date(mark.when_ms), mark.what)));
    let renamed = standing
        .former_name
        .as_ref()
        .map(|former| ("warn", format!("Was called {former} before. The identity is the same.")));
    let other = standing.namesake.as_ref().map(|known| {
        ("warn", format!("Not the {name} you know: that is {known}. Ask who it is before you play."))
    });
    [cheated, other, renamed].into_iter().flatten().collect()
}

/// Renders the line under a player's name in the lobby: short name, how often you have met at other tables,
/// warnings. For the own line (`mine`) only the short name. Follows the address book.
pub fn about(online: Online, identity: Identity, name: String, mine: bool) -> impl IntoView {
    let table = online.table_id();
    let called = name.clone();
    let standing = Memo::new(move |_| online.book.with(|book| book.assess(&identity, &called, &table)));
    let line = move || (!mine).then(|| view! { <span class="met">{standing.with(met)}</span> });
    let warned = move || {
        let all = if mine { Vec::new() } else { standing.with(|standing| warnings(&name, standing)) };
        all.into_iter()
            .map(|(class, text)| view! { <small class=class role="note">{text}</small> })
            .collect_view()
    };
    view! {
        <span class="idline">{short(&identity)} {line}</span>
        {warned}
    }
}
