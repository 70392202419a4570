//! The trust panel of an opened signed record.

use super::{close_button, person};
use crate::app::App;
use crate::icons::seat_mark;
use crate::opened::{Signed, Signer};
use crate::shell::{Drawn, glyph};
use leptos::prelude::*;

/// Renders the trust panel of an opened signed record: how the match ended, the counts of what was verified,
/// digest and fingerprint, for each seat its identity and whether it signed the end, and buttons that save
/// the record with and without signatures.
pub fn trust(app: App, record: Signed) -> impl IntoView {
    let digest = app.play.with_match_untracked(|table| table.digest()).unwrap_or_default();
    let short = digest.get(..16).unwrap_or(&digest).to_string();
    let [events, signatures, proofs] = record.checked;
    let rows = record.seats.into_iter().enumerate().map(|(seat, signer)| {
        let Signer { name, host, identity, signed } = signer;
        let colour = app.play.players.with_untracked(|p| p.get(seat).map_or(0, |p| p.colour));
        let says = match (signed, host) {
            (true, None) => "signed the end".to_string(),
            (true, Some(host)) => format!("bot on {host}’s device, signed the end"),
            (false, _) => "did not sign the end".to_string(),
        };
        view! {
            <li class=format!("c{colour}")>
                <Drawn nodes=Signal::derive(move || vec![seat_mark(colour).into()])/>
                <span class="idn">{person::crest(&identity, "s24")} <b>{name}</b></span>
                <span class="sg">{says}</span>
                {person::short(&identity)}
            </li>
        }
    });
    view! {
        <div class="dialog narrowd tp" role="dialog" aria-modal="true" aria-label="Trust" id="trust">
            <div class="sheet-hd"><p class="lbl">"A signed record, checked on this device"</p>{close_button(app)}</div>
            <h3 id="verdict">{glyph("shield", 22)} "Everything is correct"</h3>
            <p id="ending">{record.end}</p>
            <dl>
                <dt>"Events verified"</dt><dd id="verified">{events}</dd>
                <dt>"Signatures checked"</dt><dd>{signatures}</dd>
                <dt>"Proofs checked"</dt><dd>{proofs}</dd>
                <dt>"State digest"</dt><dd class="mono" id="digest" data-digest=digest>{short}</dd>
                <dt>"Table fingerprint"</dt><dd class="mono">{record.fingerprint}</dd>
            </dl>
            <ul class="peers">{rows.collect_view()}</ul>
            <p class="lbl">"You see what all players could see. Cards that were never revealed are not in the record and stay face down. Players chose their names; the pictures and the three words come from their keys."</p>
            <button class="btn sm wide" id="signed" on:click=move |_| app.save_record()>{glyph("down", 16)} "Save the signed record"</button>
            <button class="btn sm wide" on:click=move |_| app.save_plain_record()>{glyph("down", 16)} "Save as text, without signatures"</button>
        </div>
    }
}
