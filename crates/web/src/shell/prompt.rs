//! The prompt: one sentence that says whose turn it is, what is awaited, and what can be done. Its height never
//! changes. A sentence that does not fit ends in "…" and is shown in full on hover, focus or tap.

use super::{Sight, numbers};
use crate::app::App;
use crate::board::PromptButton;
use crate::icons::seat_mark;
use crate::markup::{El, MarkupNode, b, div, el, span};
use crate::online::Stage;
use crate::table::{ListedAction, LogLine};
use crate::ui::Ui;
use crate::words::{plain, text_of, told};
use leptos::prelude::*;
use pentarchy_engine::Seat;
use pentarchy_engine::sorting::sort_by_key;

/// Maximum number of buttons in the prompt of a wide and of a narrow screen; a menu has the rest.
const MOST_BUTTONS: [usize; 2] = [5, 3];

/// A longer label does not fit into a third of a narrow prompt, in characters.
const LONG_LABEL: usize = 14;

/// A longer sentence may not fit, in characters.
const LONG: usize = 40;

/// Draws the prompt, and below it the countdown of a reaction and the numbers that can be chosen. Shows the
/// first of these that applies: an error, the curtain, the replay, the end of the match, an online match that
/// was stopped, a forced move, that others are awaited, the guide, the decision of the player. Empty without
/// a match. Tracks all signals that it reads.
pub fn prompt(app: App, sight: Sight) -> Vec<MarkupNode> {
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
        let text = vec![format!("Pass the screen to {name}").into()];
        let acts = [button("lift", format!("I am {name}"), true)];
        let hidden = "Hands are hidden until then.".to_string();
        return vec![frame("mine", ui.colour(seat), &name, text, hidden, acts).into()];
    }
    let colour = scene.actor.map_or(0, |seat| ui.colour(seat));
    if let Some(at) = play.at.get() {
        let all = play.with_match(|table| table.entries().len()).unwrap_or(0);
        let small = format!("You are looking at event {at} of {all}.");
        let over = play.with_match(|table| table.outcome().is_some()).unwrap_or(false);
        let acts = [button("live", if over { "To the end" } else { "Back to live" }, true)];
        return vec![frame("wait past", colour, "Replay", told(&scene.awaited, &ui), small, acts).into()];
    }
    if play.with_match(|table| table.outcome().is_some()).unwrap_or(false) {
        let acts = [button("end", "See the result", true)];
        let text = vec!["The game is over.".into()];
        return vec![frame("mine", 0, "The end", text, String::new(), acts).into()];
    }
    if let Stage::Over(_) = app.online.stage.get() {
        let text = vec!["The game was stopped before its end.".into()];
        let small = "Nobody can move any more. You can watch it again.".to_string();
        return vec![
            frame("wait", 0, "The end", text, small, [button("look 0", "Watch it again", false)]).into(),
        ];
    }
    if let (Some(label), Some(me)) = (play.forced.get(), ui.seat) {
        let acts = (!app.online.is_online()).then(|| button("ask", "Ask me next time", false));
        let text = vec![plain(&label, &ui).into()];
        return vec![frame("wait forced", ui.colour(me), "Only move", text, String::new(), acts).into()];
    }
    let Some(me) = ui.seat.filter(|_| ui.mine) else { return vec![waiting(app, sight, scene.actor).into()] };
    if app.guide.with(Option::is_some) && sight.choices.with(Vec::is_empty) {
        let text = vec!["There is nothing to decide yet. Read the guide, then choose Next.".into()];
        return vec![frame("wait", colour, "Guide", text, String::new(), None).into()];
    }
    let mut open = sight.open_actions();
    let asked = play.asked.get();
    open.retain(|choice| asked.as_ref().is_none_or(|asked| choice.action == *asked));
    let flag = match scene.turn {
        _ if scene.reacts => "React",
        // Such as a Coin that another player's card demands.
        Some(turn) if turn != me => "Your answer",
        _ => "Your turn",
    };
    if let ([only], true) = (&open[..], ui.chosen.is_empty() && asked.is_none()) {
        // There is nothing to select: show the question at once.
        let (text, small) = (told(&scene.awaited, &ui), plain(&only.label, &ui));
        let acts = [act_button(only, true)];
        let mut out = vec![frame("mine", colour, flag, text, small, acts).into()];
        out.extend(countdown(app.countdown.get()).map(MarkupNode::from));
        return out;
    }
    if asked.is_none() && numbers::ends_soon(app, sight, scene.idle.as_ref()) {
        let done =
            open.iter().chain(&sight.choices.get()).find(|c| Some(&c.action) == scene.idle.as_ref()).cloned();
        let acts = std::iter::once(button("stay", "Stay", false))
            .chain(done.iter().map(|c| act_button(c, true).class("pulse")));
        let small = "Your turn ends in 3 seconds.".to_string();
        return vec![frame("mine soon", colour, flag, told(&scene.awaited, &ui), small, acts).into()];
    }
    if asked.is_none() && (ui.chosen.is_empty() || ui.preselected) {
        let open = sight.choices.get();
        let narrow = ui.narrow;
        let placed = |c: &ListedAction| c.button.clone().filter(|b| narrow || !b.narrow_only);
        // What has no piece, such as Continue, comes after the game's buttons: the first ones go to the menu. What the
        // guide points at must not.
        let guided = app.guided_move();
        let mut acts: Vec<(u8, El)> = Vec::new();
        for choice in &open {
            if let Some(own) = placed(choice) {
                acts.push((if own.primary { 2 } else { 0 }, placed_button(choice, &own)));
            } else if choice.path.is_empty() {
                let order = if guided.as_ref() == Some(&choice.action) { 2 } else { 1 };
                acts.push((order, act_button(choice, false)));
            }
        }
        sort_by_key(&mut acts, |(order, _)| *order);
        let acts = acts.into_iter().map(|(_, act)| act);
        // What the page has selected is chosen: the question is what to do with it.
        let question = scene.narrowed.as_ref().map(|ask| &ask.question).filter(|text| !text.is_empty());
        let text = told(question.filter(|_| ui.preselected).unwrap_or(&scene.awaited), &ui);
        let small = scene.narrowed.as_ref().map_or_else(String::new, |ask| plain(&ask.consequence, &ui));
        let mut out = vec![frame("mine", colour, flag, text, small, acts).into()];
        out.extend(countdown(app.countdown.get()).map(MarkupNode::from));
        out.extend(number_chips(&open, 0, &ui.chosen).map(MarkupNode::from));
        return out;
    }
    let back = button("back", "Back", false).class("ghost");
    let mut out = Vec::new();
    if let Some(ask) = scene.narrowed.as_ref().filter(|_| asked.is_none()) {
        let ends = sight.choices.get();
        let ends = ends.iter().filter(|c| c.path.is_empty()).take(1).map(|c| act_button(c, false));
        let acts = std::iter::once(back).chain(ends);
        let text = vec![plain(&ask.question, &ui).into()];
        return vec![frame("mine", ui.colour(me), flag, text, plain(&ask.consequence, &ui), acts).into()];
    }
    match &open[..] {
        [only] if only.path.len() == ui.chosen.len() => {
            let safe = only
                .safer
                .as_ref()
                .and_then(|safe| sight.choices.with(|all| all.iter().find(|c| c.action == *safe).cloned()));
            let acts = match safe {
                Some(safe) => vec![back, verb_button(only), act_button(&safe, true)],
                None => {
                    // Other actions with the same keys, such as Retreat beside Fight.
                    let same = |c: &&ListedAction| {
                        !c.path.is_empty() && c.path == only.path && c.action != only.action
                    };
                    let others: Vec<El> =
                        sight.choices.with(|all| all.iter().filter(same).map(verb_button).collect());
                    std::iter::once(back).chain(others).chain([act_button(only, true)]).collect()
                }
            };
            let text = vec![plain(&only.ask.question, &ui).into()];
            let small = plain(&only.ask.consequence, &ui);
            out.push(frame("mine", ui.colour(me), flag, text, small, acts).into());
        }
        _ => {
            let done: Vec<El> =
                open.iter().filter(|c| c.path.len() == ui.chosen.len()).map(verb_button).collect();
            let text = match done.len() {
                0 => "Choose what is highlighted",
                n if n == open.len() => "Choose one of these",
                _ => "Choose what is highlighted, or one of these",
            };
            let numbered = open.iter().any(|c| next_number(c, ui.chosen.len()).is_some());
            let text = if numbered { "How many?" } else { text };
            let text = scene.next.unwrap_or_else(|| text.to_string());
            let acts = std::iter::once(back).chain(done);
            out.push(frame("mine", ui.colour(me), flag, vec![text.into()], String::new(), acts).into());
        }
    }
    let depth = ui.chosen.iter().take_while(|key| !key.starts_with("n ")).count();
    let whole = sight.actions_along(&ui.chosen[..depth]);
    out.extend(number_chips(&whole, depth, &ui.chosen).map(MarkupNode::from));
    out
}

/// Draws a bar that shrinks for this number of seconds while a reaction is awaited; `None` without a
/// countdown.
fn countdown(seconds: Option<u8>) -> Option<El> {
    let seconds = seconds?;
    let bar = el("i").set("style", format!("animation-duration:{seconds}s"));
    let said = format!("{seconds} seconds, then you pass");
    Some(div("countdown").set("role", "timer").set("aria-label", said).kid(bar))
}

/// Draws the prompt while another seat or chance (`actor` is `None`) is awaited: the sentence, the recap, and
/// at a local match a button: to skip to the next decision of a person, or, if only bots play, to pause and
/// continue them.
fn waiting(app: App, sight: Sight, actor: Option<Seat>) -> El {
    let ui = sight.ui.get();
    let scene = sight.scene.get();
    let text = told(scene.as_ref().map_or("", |scene| &scene.awaited), &ui);
    let watched = !app.play.players.with(|players| players.iter().any(|p| p.kind.is_person()));
    let act = match (app.online.is_online(), watched) {
        (true, _) => None,
        (false, true) if app.play.paused.get() => Some(button("pause", "Continue", false)),
        (false, true) => Some(button("pause", "Pause", false)),
        (false, false) => Some(button("skip", "Skip", false)),
    };
    let (colour, flag) = actor.map_or((0, "Dealing"), |seat| (ui.colour(seat), ui.name(seat)));
    let recap = app.play.recap.with(|lines| recap(lines, &ui));
    framed("wait", (colour, flag), text, String::new(), recap, act)
}

/// Draws these lines of the log, one row each; `None` if there are none.
fn recap(lines: &[LogLine], ui: &Ui) -> Option<El> {
    let line = |line: &LogLine| {
        let colour = line.about_seat(ui.seat).map_or(0, |seat| ui.colour(seat));
        let said =
            span("tx").set("title", plain(&line.text, ui)).kids(told(&line.text.replace('\n', " "), ui));
        el("li").kid(seat_mark(colour)).kid(said)
    };
    (!lines.is_empty()).then(|| el("ol").class("recap").kids(lines.iter().map(line)))
}

/// Draws the prompt without a recap: flag with the colour of a seat (0 for none), sentence, small print (may be
/// empty), and the buttons `acts` in their order; the first that do not fit go to a menu. `class` is for the
/// style sheet.
fn frame(
    class: &'static str,
    colour: u8,
    flag: &str,
    text: Vec<MarkupNode>,
    small: String,
    acts: impl IntoIterator<Item = El>,
) -> El {
    framed(class, (colour, flag), text, small, None, acts)
}

/// Draws a prompt: `flag` with the colour of a seat (0 for none), the sentence `text` with its
/// consequence in small print (may be empty), the recap if there is one, and the buttons `acts` in
/// the given order. The first buttons that do not fit go to a menu. `class` is for the style sheet.
fn framed(
    class: &'static str,
    (colour, flag): (u8, &str),
    text: Vec<MarkupNode>,
    small: String,
    recap: Option<El>,
    acts: impl IntoIterator<Item = El>,
) -> El {
    let mut acts: Vec<El> = acts.into_iter().collect();
    // Callers already track the size of the screen.
    let compact = crate::page::is_compact();
    // Long labels need half a row each: two rows of two.
    let length = |act: &El| act.kids.iter().map(|kid| text_of(kid).chars().count()).sum::<usize>();
    let rows = compact && acts.len() > 2 && acts.iter().any(|act| length(act) > LONG_LABEL);
    let most = if rows { 4 } else { MOST_BUTTONS[usize::from(compact)] };
    let rest = if acts.len() > most { acts.drain(..=acts.len() - most).collect() } else { Vec::new() };
    let said: String = text.iter().map(text_of).collect();
    let is_long = |text: &str| text.chars().count() > LONG;
    let note = (!small.is_empty())
        .then(|| el("small").set_if(is_long(&small), "title", small.clone()).text(small.clone()));
    // Focus or a tap shows a long sentence in full. Two rows of buttons leave it one line.
    let may_be_cut = rows || is_long(&said);
    let sentence = el("p").class_if(may_be_cut, "long").set_if(may_be_cut, "tabindex", "0");
    let sentence = sentence.set_if(may_be_cut, "title", said).kid(span("tx").kids(text)).kid_if(note);
    let menu = (!rest.is_empty()).then(|| more(rest)).into_iter().flatten();
    div("prompt")
        .class(class)
        .class_if(rows, "rows")
        .class(format!("c{colour}"))
        .set("role", "status")
        .set("aria-live", "polite")
        .kid(
            span("flag")
                .kid(seat_mark(colour))
                .kid(span("nm").set("title", flag.to_string()).text(flag.to_string())),
        )
        .kid(div("pb").kid(div("pt").kid(sentence).kid_if(recap)).kid(div("acts").kids(menu).kids(acts)))
}

/// Draws a button that opens a menu above the prompt, and the menu with these buttons, each of which closes
/// it.
fn more(rest: Vec<El>) -> [El; 2] {
    const MENU: &str = "more-menu";
    let open = el("button").class("btn more").set("aria-haspopup", "menu").set("popovertarget", MENU);
    let hide = |act: El| act.set("popovertarget", MENU).set("popovertargetaction", "hide");
    let menu = div("moresheet").set("id", MENU).set("popover", "auto");
    [open.kid(span("lb").text(format!("{} more", rest.len()))), menu.kids(rest.into_iter().map(hide))]
}

/// Draws a button of the shell that runs the command `what` ([`App::run_command`]). `primary` makes it the
/// emphasized one.
pub fn button(what: impl Into<String>, label: impl Into<String>, primary: bool) -> El {
    el("button")
        .class("btn")
        .class_if(primary, "go")
        .set("data-do", what.into())
        .kid(span("lb").text(label.into()))
}

/// Draws the button `own` that the game gives to an action that can also be selected by its keys:
/// with its label, emphasized if it is primary. A click selects the action.
fn placed_button(choice: &ListedAction, own: &PromptButton) -> El {
    button(format!("act {}", choice.action), own.label.clone(), own.primary)
        .set("data-act", choice.action.clone())
        .set("title", choice.label.clone())
}

/// Draws the button of an action, which runs `act ACTION`. The primary button shows the verb of its question,
/// if the game has one or the label is longer than 28 bytes; others show their label, or, if that is too
/// long, the short label of the list if there is one. A full stop at the end is left out.
fn act_button(choice: &ListedAction, primary: bool) -> El {
    let label = if primary && choice.ask.verb != "Do it" { &choice.ask.verb } else { &choice.label };
    let label = if primary && choice.label.len() > 28 { &choice.ask.verb } else { label };
    let label = choice.row.label.as_ref().filter(|_| !primary && choice.label.len() > 28).unwrap_or(label);
    button(format!("act {}", choice.action), label.trim_end_matches('.'), primary)
        .set("data-act", choice.action.clone())
        .set("title", choice.label.clone())
}

/// Draws the plain button of one of several actions with the same keys: its verb, if the game has one,
/// otherwise its label.
fn verb_button(choice: &ListedAction) -> El {
    let label = if choice.ask.verb == "Do it" { &choice.label } else { &choice.ask.verb };
    button(format!("act {}", choice.action), label.clone(), false)
        .set("data-act", choice.action.clone())
        .set("title", choice.label.clone())
}

/// Returns the number at this depth of an action's path, as text; `None` if there is another key or none.
fn next_number(choice: &ListedAction, depth: usize) -> Option<&str> {
    choice.path.get(depth)?.strip_prefix("n ")
}

/// Draws the numbers that can be chosen at this depth of the path, as chips in the order of `open`; `None` if
/// there are none. The last key of `chosen` is marked. Equal numbers must be neighbours in `open`; they are
/// drawn once.
fn number_chips(open: &[ListedAction], depth: usize, chosen: &[String]) -> Option<El> {
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
