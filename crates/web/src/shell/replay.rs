//! The replay: the track is the game, one segment a turn in the colour and pattern of its seat.

use super::{Sight, drawn, glyph};
use crate::app::App;
use crate::markup::{Node, el};
use leptos::prelude::*;
use pentarchy_engine::Seat;

/// At most so many segments are drawn.
const MOST: usize = 60;

/// The track and its buttons.
pub fn replay(app: App, sight: Sight) -> impl IntoView {
    let play = app.play;
    let all = move || play.look(|table| table.entries().len()).unwrap_or(0);
    let at = move || play.at.get().unwrap_or_else(all);
    let track = NodeRef::<leptos::html::Div>::new();
    drawn(track, move || {
        let ui = sight.ui.get();
        let turns = play.look(|table| turns(table.actors())).unwrap_or_default();
        let segment = |(seat, length): (Option<Seat>, usize)| -> Node {
            let colour = seat.map_or(0, |seat| ui.colour(seat));
            el("i").class(format!("pat c{colour}")).set("style", format!("flex:{length}")).into()
        };
        turns.into_iter().map(segment).collect()
    });
    let said = move || match play.at.get() {
        Some(at) => format!("event {at} of {}", all()),
        None if play.look(|table| table.outcome().is_some()).unwrap_or(false) => "The end".to_string(),
        None => "Live".to_string(),
    };
    view! {
        <section class="replay" id="replay" aria-label="Replay">
            <div class="track">
                <div class="seg" node_ref=track></div>
                <span class="knob" style=move || format!("left:{}%", 100.0 * at() as f64 / all().max(1) as f64)></span>
                <input
                    type="range"
                    id="slider"
                    min="0"
                    max=move || all().to_string()
                    prop:value=move || at().to_string()
                    aria-label="Event of the game"
                    aria-valuetext=said
                    on:input=move |event| app.look_at(event_target_value(&event).parse().unwrap_or(0))
                />
            </div>
            <div class="row">
                <button class="iconbtn" aria-label="First" on:click=move |_| app.look_at(0)>{glyph("first", 16)}</button>
                <button class="iconbtn" aria-label="Back" on:click=move |_| app.look_at(at().saturating_sub(1))>{glyph("back", 16)}</button>
                <button class="iconbtn" aria-label="Forward" on:click=move |_| app.look_at(at() + 1)>{glyph("fwd", 16)}</button>
                <button class="iconbtn" aria-label="Live" on:click=move |_| play.at.set(None)>{glyph("last", 16)}</button>
                <b>{said}</b>
            </div>
        </section>
    }
}

/// The turns of a game: who acted, for how many events. Long games are drawn more coarsely.
fn turns(actors: &[Option<Seat>]) -> Vec<(Option<Seat>, usize)> {
    let mut out: Vec<(Option<Seat>, usize)> = Vec::new();
    for &actor in actors {
        match out.last_mut() {
            Some((last, length)) if *last == actor || actor.is_none() => *length += 1,
            _ => out.push((actor, 1)),
        }
    }
    while out.len() > MOST {
        out = out.chunks(2).map(longest).collect();
    }
    out
}

fn longest(turns: &[(Option<Seat>, usize)]) -> (Option<Seat>, usize) {
    let length = turns.iter().map(|(_, length)| length).sum();
    let seat = turns.iter().max_by_key(|(_, length)| *length).and_then(|(seat, _)| *seat);
    (seat, length)
}
