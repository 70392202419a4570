//! The rails: top bar, seats, hand, list of actions, log.

use super::Sight;
use crate::app::App;
use crate::board::SeatPanel;
use crate::icons::{d20, ic, seat_mark, ui_icon};
use crate::markup::{El, MarkupNode, b, div, el, span};
use crate::play::PlayerKind;
use crate::table::{Cast, ListedAction, LogLine};
use crate::ui::Ui;
use crate::words::{plain, told};
use leptos::prelude::*;
use pentarchy_engine::Seat;
use pentarchy_engine::sorting::sort_by_key;

/// Maximum number of rows that are drawn; the filter finds the rest.
const MOST_ROWS: usize = 150;

/// Draws the round and the steps of the turn, with the current one marked. Empty without a match.
pub fn steps(sight: Sight) -> Vec<MarkupNode> {
    let Some(steps) = sight.scene.with(|s| s.as_ref().map(|s| s.steps.clone())) else { return Vec::new() };
    let step = |(i, name): (usize, &&'static str)| {
        let on = i == steps.at;
        el("li")
            .class_if(on, "on")
            .class_if(i < steps.at, "did")
            .set_if(on, "aria-current", "step")
            .set("title", *name)
            .text(*name)
    };
    vec![
        span("rd").set("title", steps.round.clone()).text(steps.round.clone()).into(),
        el("ol").kids(steps.names.iter().enumerate().map(step)).into(),
    ]
}

/// Draws the panels of all seats in seat order, and the game's element below them. Empty without a match.
pub fn seats(app: App, sight: Sight) -> Vec<MarkupNode> {
    let ui = sight.ui.get();
    let Some(scene) = sight.scene.get() else { return Vec::new() };
    let kinds = app.play.players.with(|players| players.iter().map(|p| p.kind).collect::<Vec<_>>());
    let counts = app.play.with_match_untracked(|table| table.look().counts).unwrap_or_default();
    let each = scene.seats.iter().zip((0..).map(Seat));
    let mut out: Vec<MarkupNode> = each
        .map(|(panel, seat)| {
            let kind = kinds.get(seat.index()).copied().unwrap_or(PlayerKind::Here);
            let tag = app.online.seat_tag(seat.index()).unwrap_or_else(|| kind.tag());
            let rank = kind.rank().filter(|_| tag == kind.tag());
            player(panel, seat, (tag, rank, counts), scene.actor == Some(seat), &ui).into()
        })
        .collect();
    if let Some(rail) = scene.rail {
        out.push(el("li").class("grow").into());
        out.push(el("li").class("x").kid(rail).into());
    }
    out
}

/// Draws the panel of a seat. The tuple holds its tag (kind of player or connection), the level of a bot for
/// the tooltip of the tag, and the meaning of its number; `acts` marks the awaited seat.
fn player(
    panel: &SeatPanel,
    seat: Seat,
    (tag, rank, counts): (&'static str, Option<&'static str>, &'static str),
    acts: bool,
    ui: &Ui,
) -> El {
    let number = span("num").tick(format!("seat {seat}")).set("title", counts);
    let tag = if panel.out { "out" } else { tag };
    let small = panel.small.iter().map(|(word, value)| {
        let value = b(value.clone()).tick(format!("seat {seat} {word}"));
        let word = (!word.is_empty()).then(|| MarkupNode::Text(format!("{word} ").into()));
        span("").kids(word).kid(value)
    });
    let name = if ui.seat == Some(seat) { "You" } else { ui.name(seat) };
    el("li")
        .class("player")
        .class(ui.c(seat))
        .class_if(acts, "act")
        .class_if(panel.out, "out")
        .set_if(acts, "aria-current", "true")
        .kid(span("pat"))
        .kid(
            div("hd")
                .kid(ui.mark(seat))
                .kid(span("nm").set("title", ui.name(seat).to_string()).text(name.to_string()))
                .kid(number.text(panel.number.clone())),
        )
        .kid(
            div("sub")
                .kid_if((!tag.is_empty()).then(|| {
                    let title = rank.map_or(tag.to_string(), |rank| format!("{tag} ({rank})"));
                    el("i").class("tag").set("title", title).text(tag)
                }))
                .kids(small),
        )
        .kid_if(panel.more.clone())
        .kid_if((acts && !panel.doing.is_empty()).then(|| div("now").text(plain(&panel.doing, ui))))
}

/// Draws a die or coin that was just cast, with its consequence: a coin for 2 sides (the crown is 2), a
/// twenty-sided die for 20, otherwise a plain die, with the number. It disappears after a while by its
/// animation.
pub fn cast(cast: &Cast, ui: &Ui) -> El {
    let die = match cast.sides {
        2 => div("coin1").kid(ic(if cast.shows == 2 { "crown-coin" } else { "token" })),
        20 => div("die20").kid(d20()).kid(b(cast.shows.to_string()).class("num")),
        _ => div("die").text(cast.shows.to_string()),
    };
    // It disappears after a while. The class alternates, so that the animation restarts for the next one.
    let shown = div("cast").class_if(cast.at % 2 == 1, "odd");
    shown.kid(die.die(format!("cast {}", cast.at), cast.sides)).kid(el("p").kids(told(&cast.text, ui)))
}

/// Draws the hand of the seat whose view is shown: its label and note, the cards, and what the game puts
/// beside them; empty if it has none. Its height does not depend on whether a card can be used, so that the
/// board does not move.
pub fn hand(sight: Sight) -> Vec<MarkupNode> {
    let Some(hand) = sight.scene.with(|s| s.as_ref().and_then(|s| s.hand.clone())) else { return Vec::new() };
    let ui = sight.ui.get();
    let label = div("hl")
        .kid(div("lbl").text(hand.label.clone()))
        .kid_if((!hand.note.is_empty()).then(|| div("lbl2").text(hand.note.clone())));
    let cards = div("hand")
        .set("id", "hand")
        .set("role", "group")
        .set("aria-label", if hand.label.is_empty() { "Your hand".into() } else { hand.label.clone() })
        .set_if(ui.narrow, "tabindex", "0")
        .kid_if((!hand.label.is_empty()).then_some(label))
        .kids(hand.cards)
        .kid_if(hand.beside);
    vec![cards.into()]
}

/// Draws the legal actions that fit the selection and contain all words of the filter, in any case, grouped by
/// kind, at most [`MOST_ROWS`]; says how many more there are. Actions whose row has the words come before those
/// that have them in the heading or the canonical text. Says so if nothing matches the filter. Empty without
/// actions and filter.
pub fn actions(sight: Sight, filter: &str) -> Vec<MarkupNode> {
    let open = sight.listed_actions();
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let fits = |c: &&ListedAction| {
        let text = format!("{} {} {}", c.kind, c.label, c.action).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let mut fitting: Vec<&ListedAction> = open.iter().filter(fits).collect();
    // First those whose row has the words, then those whose heading or hidden text has them.
    sort_by_key(&mut fitting, |c| {
        let row = c.row.label.as_ref().unwrap_or(&c.label).to_lowercase();
        !words.iter().all(|word| row.contains(word))
    });
    let mut kinds: Vec<&'static str> = Vec::new();
    for choice in &fitting {
        if !kinds.contains(&choice.kind) {
            kinds.push(choice.kind);
        }
    }
    let mut out: Vec<MarkupNode> = Vec::new();
    let mut left = MOST_ROWS;
    for kind in kinds {
        out.push(el("h3").class("grp").text(kind).into());
        for choice in fitting.iter().filter(|c| c.kind == kind) {
            if left > 0 {
                left -= 1;
                out.push(row(choice).into());
            }
        }
    }
    if fitting.len() > MOST_ROWS {
        let more = fitting.len() - MOST_ROWS;
        out.push(div("lbl more").text(format!("and {more} more: type to find them")).into());
    }
    if out.is_empty() && !words.is_empty() {
        out.push(div("lbl more").text("No action matches.").into());
    }
    out
}

/// Draws the row of an action in the list. It selects the action, and highlights its pieces on hover.
fn row(choice: &ListedAction) -> El {
    let label = choice.row.label.as_ref().unwrap_or(&choice.label);
    el("button")
        .class("act-row")
        .set("data-do", format!("act {}", choice.action))
        .set("data-act", choice.action.clone())
        .set("data-path", choice.path.join("|"))
        .kid_if(choice.row.icon.map(ic))
        .kid(span("").text(label.clone()))
        .kid_if(choice.row.value.as_ref().map(|value| span("v").text(value.clone())))
}

/// Draws the last 120 of `lines` (in the order of the events) of the first `at` events, with a button after
/// the first `since` events, the player's last turn (0 for none), that goes back to it. A line about several
/// seats becomes one item per seat. A click on an item shows the position after its event.
pub fn log(lines: &[LogLine], since: usize, at: usize, ui: &Ui) -> Vec<MarkupNode> {
    let shown: Vec<&LogLine> = lines.iter().filter(|line| line.at <= at).collect();
    let first = shown.len().saturating_sub(120);
    let mut out: Vec<MarkupNode> = Vec::new();
    let mut ruled = since == 0;
    for line in &shown[first..] {
        if !ruled && line.at > since {
            ruled = true;
            // A replay can start from there.
            let step = el("button").class("link").set("data-do", format!("look {since}"));
            let step = step.set("title", "Go back to your last turn, and step on from there with ]");
            out.push(el("li").class("since").kid(step.text("Since your last turn")).into());
        }
        for line in line.by_seat(ui.seat) {
            let colour = line.about_seat(ui.seat).map_or(0, |seat| ui.colour(seat));
            let item =
                el("li").set("data-do", format!("look {}", line.at)).set("title", "Show this position");
            out.push(item.kid(seat_mark(colour)).kids(told(&line.text, ui)).into());
        }
    }
    out
}

/// Draws the tabs of a narrow screen: `table`, `actions`, `log` and `replay`. `open` is the name of
/// the shown tab, `actions` the number beside *Actions* (not drawn if 0).
pub fn tabs(open: &str, actions: usize) -> Vec<MarkupNode> {
    let tab = |name: &'static str, icon: &'static str, label: &'static str, count: usize| {
        el("button")
            .class_if(open == name, "on")
            .set("data-do", format!("tab {name}"))
            .set("aria-pressed", if open == name { "true" } else { "false" })
            .kid(ui_icon(icon, 20))
            .text(label)
            .kid_if((count > 0).then(|| span("badge").text(count.to_string())))
            .into()
    };
    vec![
        tab("table", "board", "Table", 0),
        tab("actions", "list", "Actions", actions),
        tab("log", "log", "Log", 0),
        tab("replay", "clock", "Replay", 0),
    ]
}
