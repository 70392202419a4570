//! The prompt: one sentence that says whose turn it is, what is awaited, and what can be done.

use super::Sight;
use crate::app::App;
use crate::icons::seat_mark;
use crate::markup::{El, Node, b, div, el, span};
use crate::online::Stage;
use crate::table::Choice;
use crate::words::{plain, told};
use leptos::prelude::*;
use pentarchy_engine::Seat;

/// At most so many actions without a place stand as buttons in the prompt.
const MOST_BUTTONS: usize = 3;

/// The prompt, and below it the numbers that can be chosen.
pub fn prompt(app: App, sight: Sight) -> Vec<Node> {
    let play = app.play;
    let ui = sight.ui.get();
    let Some(scene) = sight.scene.get() else { return Vec::new() };
    if let Some(what) = play.trouble.get() {
        let acts = [button("report", "Save the record", false), button("home", "Home", true)];
        let text = vec![b("The game cannot go on.").into()];
        return vec![frame("wait alert", 0, "Trouble", text, what, acts).into()];
    }
    if let Some(seat) = play.curtain.get() {
        let name = ui.name(seat).to_string();
        let text = vec![format!("Pass the screen to {name}.").into()];
        let acts = [button("lift", format!("I am {name}"), true)];
        let hidden = "Hands are hidden until then.".to_string();
        return vec![frame("mine", ui.colour(seat), &name, text, hidden, acts).into()];
    }
    let colour = scene.actor.map_or(0, |seat| ui.colour(seat));
    if let Some(at) = play.at.get() {
        let all = play.look(|table| table.entries().len()).unwrap_or(0);
        let small = format!("You are looking at event {at} of {all}.");
        let over = play.look(|table| table.outcome().is_some()).unwrap_or(false);
        let acts = [button("live", if over { "To the end" } else { "Back to live" }, true)];
        return vec![frame("wait past", colour, "Replay", told(&scene.awaited, &ui), small, acts).into()];
    }
    if play.look(|table| table.outcome().is_some()).unwrap_or(false) {
        let acts = [button("end", "See the result", true)];
        let text = vec!["The game is over.".into()];
        return vec![frame("mine", 0, "The end", text, String::new(), acts).into()];
    }
    if let Stage::Over(_) = app.online.stage.get() {
        let text = vec!["The game has ended before its time.".into()];
        let small = "Nothing can be done any more; it can be watched again.".to_string();
        return vec![
            frame("wait", 0, "The end", text, small, [button("look 0", "Watch it again", false)]).into(),
        ];
    }
    let Some(me) = ui.seat.filter(|_| ui.mine) else { return vec![waiting(app, sight, scene.actor).into()] };
    let open = sight.open();
    let flag = if scene.reacts { "React" } else { "Your turn" };
    if let ([only], true) = (&open[..], ui.chosen.is_empty()) {
        // There is nothing to choose: it is asked at once.
        let (text, small) = (told(&scene.awaited, &ui), plain(&only.label, &ui));
        let acts = [act_button(only, true)];
        let mut out = vec![frame("mine", colour, flag, text, small, acts).into()];
        out.extend(countdown(app.countdown.get()).map(Node::from));
        return out;
    }
    if ui.chosen.is_empty() {
        let buttons: Vec<&Choice> = open.iter().filter(|c| c.path.is_empty()).collect();
        let few = buttons.len() <= MOST_BUTTONS;
        let acts = buttons.into_iter().filter(|_| few).map(|c| act_button(c, false));
        let small = format!("{} ways to go on.", open.len());
        let mut out = vec![frame("mine", colour, flag, told(&scene.awaited, &ui), small, acts).into()];
        out.extend(countdown(app.countdown.get()).map(Node::from));
        out.extend(numbers(&open, 0, &ui.chosen).map(Node::from));
        return out;
    }
    let back = button("back", "Back", false).class("ghost");
    let mut out = Vec::new();
    match &open[..] {
        [only] if only.path.len() == ui.chosen.len() => {
            let acts = [back, act_button(only, true)];
            let text = vec![plain(&only.ask.question, &ui).into()];
            let small = plain(&only.ask.consequence, &ui);
            out.push(frame("mine", ui.colour(me), flag, text, small, acts).into());
        }
        _ => {
            let done: Vec<El> = open
                .iter()
                .filter(|c| c.path.len() == ui.chosen.len())
                .take(4)
                .map(|c| act_button(c, false))
                .collect();
            let text =
                if done.len() == open.len() { "Which of these?" } else { "Where to? Choose a lit place." };
            let numbered = open.iter().any(|c| next_number(c, ui.chosen.len()).is_some());
            let text = if numbered { "How many?" } else { text };
            let small = format!("{} ways to go on.", open.len());
            let acts = std::iter::once(back).chain(done);
            out.push(frame("mine", ui.colour(me), flag, vec![text.into()], small, acts).into());
        }
    }
    let depth = ui.chosen.iter().take_while(|key| !key.starts_with("n ")).count();
    let whole = sight.along(&ui.chosen[..depth]);
    out.extend(numbers(&whole, depth, &ui.chosen).map(Node::from));
    out
}

/// A bar that shrinks while a reaction is waited for.
fn countdown(seconds: Option<u8>) -> Option<El> {
    let seconds = seconds?;
    let bar = el("i").set("style", format!("animation-duration:{seconds}s"));
    let said = format!("{seconds} seconds, then you pass");
    Some(div("countdown").set("role", "timer").set("aria-label", said).kid(bar))
}

/// Somebody else is awaited, or nature.
fn waiting(app: App, sight: Sight, actor: Option<Seat>) -> El {
    let ui = sight.ui.get();
    let scene = sight.scene.get();
    let text = told(scene.as_ref().map_or("", |scene| &scene.awaited), &ui);
    let watched = !app.play.players.with(|players| players.iter().any(|p| p.kind.is_person()));
    let pause = if app.play.paused.get() { "Go on" } else { "Pause" };
    let acts = (watched && !app.online.on()).then(|| button("pause", pause, false));
    match actor {
        Some(seat) => frame("wait", ui.colour(seat), ui.name(seat), text, String::new(), acts),
        None => frame("wait", 0, "Nature", text, String::new(), acts),
    }
}

fn frame(
    class: &'static str,
    colour: u8,
    flag: &str,
    text: Vec<Node>,
    small: String,
    acts: impl IntoIterator<Item = El>,
) -> El {
    div("prompt")
        .class(class)
        .class(format!("c{colour}"))
        .set("role", "status")
        .set("aria-live", "polite")
        .kid(span("flag").kid(seat_mark(colour)).text(flag.to_string()))
        .kid(el("p").kids(text).kid_if((!small.is_empty()).then(|| el("small").text(small))))
        .kid(div("acts").kids(acts))
}

/// A button of the shell.
pub fn button(what: impl Into<String>, label: impl Into<String>, primary: bool) -> El {
    el("button").class("btn").class_if(primary, "go").set("data-do", what.into()).text(label.into())
}

fn act_button(choice: &Choice, primary: bool) -> El {
    let label = if primary && choice.ask.verb != "Do it" { &choice.ask.verb } else { &choice.label };
    let label = if primary && choice.label.len() > 28 { &choice.ask.verb } else { label };
    let label = choice.row.label.as_ref().filter(|_| !primary && choice.label.len() > 28).unwrap_or(label);
    button(format!("act {}", choice.action), label.clone(), primary).set("data-act", choice.action.clone())
}

fn next_number(choice: &Choice, depth: usize) -> Option<&str> {
    choice.path.get(depth)?.strip_prefix("n ")
}

/// The numbers that can be chosen at this depth, as chips.
fn numbers(open: &[Choice], depth: usize, chosen: &[String]) -> Option<El> {
    let mut list: Vec<&str> = open.iter().filter_map(|c| next_number(c, depth)).collect();
    list.dedup();
    if list.is_empty() {
        return None;
    }
    let chip = |n: &str| {
        let key = format!("n {n}");
        let on = chosen.last() == Some(&key);
        el("button")
            .class("chip")
            .class_if(on, "on")
            .set("role", "radio")
            .set("aria-checked", if on { "true" } else { "false" })
            .set("data-key", key)
            .text(n.to_string())
    };
    Some(
        div("chips")
            .set("role", "radiogroup")
            .set("aria-label", "How many")
            .kid(span("lbl").text("How many"))
            .kids(list.into_iter().map(chip)),
    )
}
