//! The replay: its track shows the match, one segment per turn in the colour and pattern of its seat.

use super::{Sight, drawn, glyph};
use crate::app::App;
use crate::markup::{MarkupNode, el};
use crate::page;
use leptos::prelude::*;
use pentarchy_engine::Seat;

/// Maximum number of segments.
const MOST: usize = 60;

/// Renders the replay: a track with a segment per turn and a slider over the events, buttons that step, play
/// or go to the present, and one that opens the report of the shown event, if it has one.
pub fn replay(app: App, sight: Sight) -> impl IntoView {
    let play = app.play;
    let all = move || play.with_match(|table| table.entries().len()).unwrap_or(0);
    let at = move || play.at.get().unwrap_or_else(all);
    let track = NodeRef::<leptos::html::Div>::new();
    drawn(track, move || {
        let ui = sight.ui.get();
        let turns = play.with_match(|table| turns(table.actors())).unwrap_or_default();
        let segment = |(seat, length): (Option<Seat>, usize)| -> MarkupNode {
            let colour = seat.map_or(0, |seat| ui.colour(seat));
            el("i").class(format!("pat c{colour}")).set("style", format!("flex:{length}")).into()
        };
        turns.into_iter().map(segment).collect()
    });
    let said = move || match play.at.get() {
        Some(at) => format!("event {at} of {}", all()),
        None if play.with_match(|table| table.outcome().is_some()).unwrap_or(false) => "The end".to_string(),
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
                    on:input=move |event| app.show_position_at(event_target_value(&event).parse().unwrap_or(0))
                />
            </div>
            <div class="row">
                <button class="iconbtn" aria-label="First" on:click=move |_| app.show_position_at(0)>{glyph("first", 16)}</button>
                <button
                    class="iconbtn"
                    id="replay-play"
                    data-do="play"
                    aria-label=move || if play.replaying.get() { "Pause" } else { "Play" }
                    title="Play the game again from here"
                >
                    {move || if play.replaying.get() { glyph("pause", 16).into_any() } else { glyph("play", 16).into_any() }}
                </button>
                <button class="iconbtn" aria-label="Back" on:click=move |_| app.show_position_at(at().saturating_sub(1))>{glyph("back", 16)}</button>
                <button class="iconbtn" aria-label="Forward" on:click=move |_| app.show_position_at(at() + 1)>{glyph("fwd", 16)}</button>
                <button class="iconbtn" aria-label="Live" on:click=move |_| play.at.set(None)>{glyph("last", 16)}</button>
                <b>{said}</b>
                {move || {
                    let at = play.at.get()?;
                    let observer = play.observer.get().0;
                    let ui = sight.ui.get();
                    play.with_match(|table| table.report(at, observer, &ui)).flatten()?;
                    Some(view! { <button class="btn sm" data-do=format!("tell {at}")>"Report"</button> })
                }}
            </div>
        </section>
    }
}

impl App {
    /// Starts the replay in the background from the shown position, or from the beginning if the present is
    /// shown; stops it if it runs. An event is shown for the pause of the preferences, at least 40 ms. It
    /// ends by itself when the present is shown, or when a driver starts or stops.
    pub fn toggle_replay(self) {
        let play = self.play;
        if play.replaying.get_untracked() {
            return play.replaying.set(false);
        }
        if play.at.get_untracked().is_none() {
            self.show_position_at(0);
            play.at.set(Some(0));
        }
        play.replaying.set(true);
        wasm_bindgen_futures::spawn_local(async move {
            let run = play.run.get_untracked();
            loop {
                page::nap(self.pause_millis().max(40)).await;
                let all = play.with_match_untracked(|table| table.entries().len()).unwrap_or(0);
                let at = play.at.get_untracked();
                let Some(at) =
                    at.filter(|_| play.replaying.get_untracked() && play.run.get_untracked() == run)
                else {
                    break;
                };
                if at + 1 >= all {
                    play.at.set(None);
                    break;
                }
                play.at.set(Some(at + 1));
            }
            play.replaying.set(false);
        });
    }
}

/// Returns the turns of a match in order: the seat, and the number of events. `actors` are the seats of the
/// events; those without a seat belong to the turn before. While there are more than [`MOST`], each two
/// neighbours become one, with the seat of the longer one.
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

/// Merges turns into one: their total length, with the seat of the longest, the last of equally long ones. No
/// turns give no seat and length 0.
fn longest(turns: &[(Option<Seat>, usize)]) -> (Option<Seat>, usize) {
    let length = turns.iter().map(|(_, length)| length).sum();
    let seat = turns.iter().max_by_key(|(_, length)| *length).and_then(|(seat, _)| *seat);
    (seat, length)
}
