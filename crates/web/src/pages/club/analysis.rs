//! The analysis of an archived game: where it turned, and what Emperor would have played at a decision.

use crate::app::App;
use crate::brain::{HINT, Task};
use crate::gesture::AND;
use crate::pages::end::{Race, story};
use crate::table::GameView;
use crate::thinker;
use crate::words::plain;
use leptos::prelude::*;
use pentarchy_engine::{Observer, Seat};
use wasm_bindgen_futures::spawn_local;

/// How far the analysis of a game is.
#[derive(Clone, PartialEq)]
enum Progress {
    /// It was not asked for.
    Idle,
    /// The record is downloaded and verified.
    Loading,
    /// The record is the match at this page.
    Ready,
    /// It failed, for this reason.
    Failed(String),
}

/// Renders the analysis of the archived game with this identifier. `size` is the size of its record, in words.
/// The record is downloaded when the player asks for the analysis, unless it is at this page already.
pub fn analysis(app: App, id: String, size: String) -> impl IntoView {
    let is_loaded = app.play.archived.with_untracked(|loaded| loaded.as_ref() == Some(&id));
    let progress = RwSignal::new(if is_loaded { Progress::Ready } else { Progress::Idle });
    let start = move || {
        let id = id.clone();
        progress.set(Progress::Loading);
        spawn_local(async move {
            progress.set(match app.load_archived(&id).await {
                Ok(true) => Progress::Ready,
                Ok(false) => Progress::Idle,
                Err(why) => Progress::Failed(why),
            });
        });
    };
    let offer = move |words: String, label: &'static str| {
        let start = start.clone();
        view! {
            <section class="bx" id="analysis">
                <h2>"Where the game turned"</h2>
                <p class="note">{words}</p>
                <div class="acts4"><button class="btn" id="analyse" on:click=move |_| start()>{label}</button></div>
            </section>
        }
        .into_any()
    };
    move || {
        match progress.get() {
        Progress::Idle => offer(
            format!("Downloads the record ({size}), verifies it on this device, and estimates the chances after every decision."),
            "Analyse this game",
        ),
        Progress::Failed(why) => offer(why, "Try again"),
        Progress::Loading => view! {
            <section class="bx" id="analysis"><h2>"Where the game turned"</h2><p class="note" role="status">"Verifying the record on this device…"</p></section>
        }
        .into_any(),
        Progress::Ready => {
            let names = untrack(|| app.play.ui(&[]));
            view! {
                <section class="turned" id="analysis" aria-label="Where the game turned">
                    {story(app, Race::Chances, &names)}
                    <p class="note">"The chances are estimates of the bots from what everybody could see. Hidden cards are not in the record."</p>
                </section>
                {decisions(app)}
            }
            .into_any()
        }
    }
    }
}

/// Renders a slider over the decisions of the match at this page, with what was played at the chosen one and
/// what Emperor would have played. Renders nothing without decisions.
fn decisions(app: App) -> impl IntoView {
    let at_actors = |table: &dyn GameView| {
        let actors = table.actors().iter().enumerate();
        actors.filter(|(_, actor)| actor.is_some()).map(|(at, _)| at).collect::<Vec<usize>>()
    };
    let all = app.play.with_match_untracked(at_actors).unwrap_or_default();
    (!all.is_empty()).then(|| {
        let (count, last) = (all.len(), all.len() - 1);
        let chosen = RwSignal::new(0usize);
        let all = StoredValue::new(all);
        let at = Memo::new(move |_| all.with_value(|all| all.get(chosen.get()).copied()));
        let step = move |by: i64| chosen.update(|n| *n = n.saturating_add_signed(by as isize).min(last));
        let choose = move |event: web_sys::Event| {
            chosen.set(event_target_value(&event).parse::<usize>().unwrap_or(0).min(last));
        };
        let said = move || format!("Decision {} of {count}", chosen.get() + 1);
        let played = move || at.get().map(|at| played_text(app, at));
        view! {
            <section class="bx" id="decisions">
                <h2>"What would Emperor have played?" <small>{said}</small></h2>
                <div class="pick">
                    <button class="btn sm" aria-label="Decision before" on:click=move |_| step(-1)>"‹"</button>
                    <input type="range" min="0" max=last.to_string() aria-label="Decision" aria-valuetext=said prop:value=move || chosen.get().to_string() on:input=choose/>
                    <button class="btn sm" aria-label="Decision after" on:click=move |_| step(1)>"›"</button>
                </div>
                <p id="played">{played}</p>
                {emperor(app, at)}
                <button class="link" on:click=move |_| if let Some(at) = at.get_untracked() { app.show_past(at) }>"Show the position"</button>
            </section>
        }
    })
}

/// Returns what the event after the first `at` events of the match at this page did, in the words of the log;
/// if the log says nothing, the name of the seat and the canonical text of its action. Empty without a match,
/// and if the log says nothing and no seat decided there.
fn played_text(app: App, at: usize) -> String {
    let ui = untrack(|| app.play.ui(&[]));
    let line = app.play.log_between(at, at + 1).into_iter().next();
    let said = line.map(|line| plain(&line.text, &ui).replace('\n', " "));
    let notation = || {
        let event = |table: &dyn GameView| {
            let actor = table.actors().get(at).copied().flatten()?;
            Some(format!("{}: {}", ui.name(actor), table.entries().get(at)?.event))
        };
        app.play.with_match_untracked(event).flatten()
    };
    said.or_else(notation).unwrap_or_default()
}

/// Renders a button that asks what Emperor would have played at the decision after the first `at` events of the
/// match at this page, and the answer in its place. Another decision brings the button back. Renders nothing
/// while `at` is `None`.
pub fn emperor(app: App, at: Memo<Option<usize>>) -> impl IntoView {
    // The answer, and the decision that it is about.
    let answer = RwSignal::new(None::<(usize, String)>);
    let ask = move |_| {
        let Some(at) = at.get_untracked() else { return };
        answer.set(Some((at, "Emperor is thinking…".to_string())));
        spawn_local(async move {
            let said = ask_emperor(app, at).await;
            // The player may have gone on to another decision.
            if answer.try_get_untracked().flatten().is_some_and(|(asked, _)| asked == at) {
                answer.set(Some((at, said)));
            }
        });
    };
    let shown = move || {
        let at = at.get()?;
        let said = answer.get().filter(|(asked, _)| *asked == at);
        Some(match said {
            Some((_, said)) => {
                view! { <p class="says0" role="status" id="emperor-says">{said}</p> }.into_any()
            }
            None => view! { <button class="btn sm" id="ask-emperor" on:click=ask>"Ask Emperor"</button> }
                .into_any(),
        })
    };
    view! { <div class="emperor">{shown}</div> }
}

/// Lets Emperor think in the worker, for the thinking time of the preferences, about the decision after the
/// first `at` events of the match at this page, with what the seat knew by the record. Returns what it would
/// have played and why, as sentences, or why it cannot say; empty without a match or if nobody decided there.
async fn ask_emperor(app: App, at: usize) -> String {
    let play = app.play;
    let task = Task { level: HINT.to_string(), seed: at as u64, millis: app.thinking_time() };
    let request = |table: &dyn GameView| {
        let seat = table.actors().get(at).copied().flatten()?;
        let events = table.entries().get(..at)?;
        Some((seat, thinker::request_thought_for(table.header(), events, seat, task)))
    };
    let Some((seat, promise)) = play.with_match_untracked(request).flatten() else { return String::new() };
    let thought = match promise {
        Ok(promise) => thinker::receive_thought(promise).await,
        Err(what) => return format!("Emperor cannot answer: {what}."),
    };
    let ui = untrack(|| play.ui(&[]));
    let Ok(thought) = thought else {
        // The mind needs all that the seat knew.
        let name = ui.name(seat);
        return format!(
            "Emperor cannot say: {name} knew cards that nobody else could see, and the record does not hold them."
        );
    };
    let described = play.with_match_untracked(|table| describe_action(table, at, seat, &thought.action));
    let (label, is_same) = described.unwrap_or_default();
    let label = plain(label.trim_end_matches('.'), &ui);
    let advice =
        thought.advice.map(|advice| format!(" {} {}", advice.chance, advice.why)).unwrap_or_default();
    let same = if is_same { " the same" } else { "" };
    format!("Emperor would have played{same}: {label}.{advice}")
}

/// Returns the label of an action or gesture of a seat after the first `at` events (its canonical text if the
/// list of actions there does not have it), and whether the next events of the match are exactly its actions.
fn describe_action(table: &dyn GameView, at: usize, seat: Seat, action: &str) -> (String, bool) {
    let listed = table.choices(at, Observer::Seat(seat)).into_iter().find(|listed| listed.action == action);
    let played: Vec<&str> = table.entries().iter().skip(at).map(|entry| entry.event.as_str()).collect();
    let parts: Vec<&str> = action.split(AND).collect();
    (listed.map_or_else(|| action.to_string(), |listed| listed.label), played.starts_with(&parts))
}
