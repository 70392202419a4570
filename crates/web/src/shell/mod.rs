//! The shell that all games share: top bar, seats, board, prompt, hand, list of actions, log, replay.

mod about;
mod keys;
pub mod numbers;
mod pointer;
mod prompt;
mod rails;
mod replay;
mod report;
mod toast;
mod zoom;

use crate::app::{App, Sheet};
use crate::board::ReportDisplay;
use crate::dom::Mounted;
use crate::icons::{ic, ui_icon};
use crate::markup::MarkupNode;
use crate::table::{ListedAction, LogLine, Scene};
use crate::ui::Ui;
use crate::words::plain;
use crate::{gesture, motion, pages};
use leptos::prelude::*;
use pentarchy_engine::Observer;
use wasm_bindgen::JsCast;

pub use about::Bubble;
pub use keys::on_key;
pub use toast::UndoOffer;

/// Maximum number of lines of a recap.
const RECAP: usize = 3;

/// Derived state of the match at this page, computed once for all views.
#[derive(Clone, Copy)]
pub struct Sight {
    /// The legal actions.
    pub choices: Memo<Vec<ListedAction>>,
    /// What the board needs besides the position.
    pub ui: Memo<Ui>,
    /// Everything that is drawn.
    pub scene: Memo<Option<Scene>>,
}

impl Sight {
    /// Creates the memos for the match at this page. `choices` is empty while the guide delays the only move.
    /// The memos live as long as the reactive owner, so create one per screen.
    pub fn new(app: App) -> Self {
        let play = app.play;
        let choices = Memo::new(move |_| {
            let mut choices = play.legal_actions();
            if app.guide_delays_only_move(choices.len()) {
                // There is nothing to decide.
                choices.clear();
            }
            choices
        });
        let ui = Memo::new(move |_| choices.with(|choices| play.ui(choices)));
        let scene = Memo::new(move |_| ui.with(|ui| play.scene(ui)));
        Sight { choices, ui, scene }
    }

    /// Returns the legal actions whose path starts with these keys, in the order of the rules. Tracks them.
    pub fn actions_along(self, path: &[String]) -> Vec<ListedAction> {
        self.choices.with(|all| all.iter().filter(|c| c.path.starts_with(path)).cloned().collect())
    }

    /// Returns the actions for the list: those that fit the selection of the player, in the order of the
    /// rules; a preselection of the page does not count. Of those that differ only in a number, one is
    /// listed. Tracks them.
    pub fn listed_actions(self) -> Vec<ListedAction> {
        let (chosen, amount) =
            self.ui.with(|ui| (if ui.preselected { Vec::new() } else { ui.chosen.clone() }, ui.amount));
        numbers::listed(&self.actions_along(&chosen), amount)
    }

    /// Returns the actions that fit the current selection, a preselection of the page included, in the order
    /// of the rules. Tracks them.
    pub fn open_actions(self) -> Vec<ListedAction> {
        self.actions_along(&self.ui.with(|ui| ui.chosen.clone()))
    }
}

/// Renders `nodes` into an element, as soon as it is mounted, and updates it when they change. `nodes` runs
/// in an effect and is tracked.
pub fn drawn<E>(node: NodeRef<E>, nodes: impl Fn() -> Vec<MarkupNode> + 'static)
where
    E: leptos::html::ElementType + 'static,
    E::Output: JsCast + Clone + 'static,
{
    drawn_then(node, nodes, || {});
}

/// Renders `nodes` into an element, as soon as it is mounted, updates it when they change, and calls `then`
/// after every update. Both run in an effect and are tracked.
fn drawn_then<E>(node: NodeRef<E>, nodes: impl Fn() -> Vec<MarkupNode> + 'static, then: impl Fn() + 'static)
where
    E: leptos::html::ElementType + 'static,
    E::Output: JsCast + Clone + 'static,
{
    let mounted = StoredValue::new_local(None::<Mounted>);
    Effect::new(move |_| {
        let Some(element) = node.get() else { return };
        let nodes = nodes();
        mounted.update_value(|mounted| {
            let mounted = mounted.get_or_insert_with(|| Mounted::new(element.unchecked_into()));
            mounted.show(nodes);
        });
        then();
    });
}

/// Puts the buttons of the prompt below its sentence if they do not fit beside it, and makes the sentence
/// smaller; otherwise undoes that. Measures the page, so call it after drawing. Does nothing without a
/// prompt.
fn fit_prompt() {
    let find = |selector: &str| {
        let found = crate::page::document().and_then(|d| d.query_selector(selector).ok().flatten());
        found.map(|e| e.unchecked_into::<web_sys::HtmlElement>())
    };
    let (Some(prompt), Some(text), Some(acts)) =
        (find("#prompt .prompt"), find("#prompt .pt"), find("#prompt .acts"))
    else {
        return;
    };
    let _ = prompt.class_list().remove_1("stack");
    let below = acts.offset_top() >= text.offset_top() + text.offset_height();
    if below && acts.child_element_count() > 0 {
        let _ = prompt.class_list().add_1("stack");
    }
}

/// Renders drawn elements inside a view, in a span of this class, and updates them when they change.
#[component]
pub fn Drawn(
    #[prop(into)] nodes: Signal<Vec<MarkupNode>>,
    #[prop(optional)] class: &'static str,
) -> impl IntoView {
    let node = NodeRef::<leptos::html::Span>::new();
    drawn(node, move || nodes.get());
    view! { <span class=class node_ref=node></span> }
}

/// Renders the icon of the interface with this name; `size` is its width and height in pixels at
/// the standard text size.
pub fn glyph(name: &'static str, size: u8) -> impl IntoView {
    view! { <Drawn class="gl" nodes=Signal::derive(move || vec![ui_icon(name, size).into()])/> }
}

/// Renders the screen of a match: board, hand, prompt, seats, list of actions, log and replay.
/// Installs the handlers of clicks, drags and wheel, and the effects that draw and preselect. There
/// must be one such screen at a time.
pub fn table(app: App) -> impl IntoView {
    let play = app.play;
    pointer::reset_mouse();
    let sight = Sight::new(app);
    let (board, dialog) = (NodeRef::<leptos::html::Main>::new(), NodeRef::<leptos::html::Div>::new());
    let (steps, seats) = (NodeRef::<leptos::html::Div>::new(), NodeRef::<leptos::html::Ul>::new());
    let (prompt, hand) = (NodeRef::<leptos::html::Div>::new(), NodeRef::<leptos::html::Div>::new());
    let (list, log) = (NodeRef::<leptos::html::Div>::new(), NodeRef::<leptos::html::Ol>::new());
    let tabs = NodeRef::<leptos::html::Nav>::new();
    let filter = app.filter;
    let lines = StoredValue::new_local((Observer::Spectator, Vec::<LogLine>::new(), 0usize));

    // One effect updates all zones, so that the animation sees where each piece came from.
    let zones = StoredValue::new_local(None::<[Mounted; 4]>);
    Effect::new(move |_| {
        let (Some(board), Some(dialog), Some(seats), Some(hand)) =
            (board.get(), dialog.get(), seats.get(), hand.get())
        else {
            return;
        };
        let Some(scene) = sight.scene.get() else { return };
        let shown: web_sys::Element = board.clone().unchecked_into();
        let drawn = [
            // On a narrow screen the board can scroll, so it must be focusable for the keyboard.
            vec![MarkupNode::from(scene.board.set_if(play.narrow.get(), "tabindex", "0"))],
            scene
                .dialog
                .or_else(|| scene.cast.map(|cast| rails::cast(&cast, &sight.ui.get_untracked())))
                .into_iter()
                .map(MarkupNode::from)
                .collect(),
            rails::seats(app, sight),
            rails::hand(sight),
        ];
        zones.update_value(|zones| {
            let zones = zones.get_or_insert_with(|| {
                [
                    board.unchecked_into(),
                    dialog.unchecked_into(),
                    seats.unchecked_into(),
                    hand.unchecked_into(),
                ]
                .map(Mounted::new)
            });
            motion::across(|| zones.iter_mut().zip(drawn).for_each(|(zone, nodes)| zone.show(nodes)));
        });
        zoom::settle(&shown);
    });
    drawn(steps, move || rails::steps(sight));
    drawn_then(prompt, move || prompt::prompt(app, sight), fit_prompt);
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        let compact = crate::page::is_compact();
        if play.narrow.get_untracked() != compact {
            play.narrow.set(compact);
        }
        about::hide(app);
        fit_prompt();
    });
    on_cleanup(move || resized.remove());
    drawn(list, move || rails::actions(sight, &filter.get()));
    drawn(tabs, move || rails::tabs(&app.tab.get(), sight.listed_actions().len()));
    drawn(log, move || {
        let observer = play.observer.get().0;
        let all = play.with_match(|table| table.entries().len()).unwrap_or(0);
        lines.update_value(|(seen_by, lines, upto)| {
            if *seen_by != observer || *upto > all || play.take_log_stale() {
                (*seen_by, *upto) = (observer, 0);
                lines.clear();
            }
            lines.extend(play.with_match_untracked(|table| table.log(*upto, observer)).unwrap_or_default());
            *upto = all;
        });
        let recap = lines.with_value(|(_, lines, _)| {
            let since = play.since.get_untracked();
            let reader = sight.ui.with_untracked(|ui| ui.seat);
            let news = lines.iter().rev().take_while(|line| line.at > since).take(RECAP);
            let mut recap: Vec<LogLine> =
                news.flat_map(|line| line.by_seat(reader).into_iter().rev()).take(RECAP).collect();
            recap.reverse();
            recap
        });
        if play.recap.with_untracked(|old| *old != recap) {
            play.recap.set(recap);
        }
        let at = play.shown_at();
        lines.with_value(|(_, lines, _)| rails::log(lines, play.since.get(), at, &sight.ui.get()))
    });
    Effect::new(move |_| {
        // Scroll to the newest line.
        let _ = (play.version.get(), play.at.get());
        if let Some(log) = log.get() {
            // In the next frame, which needs a layout anyway.
            request_animation_frame(move || log.set_scroll_top(log.scroll_height()));
        }
    });
    app.watch_for_reactions(sight);
    numbers::watch(app, sight);

    let undo = Memo::new(move |_| {
        let seat = play.observer_seat();
        if app.online.is_online() {
            return Err("Can't undo: the other players have seen it.".to_string());
        }
        let people = play.local_seats();
        play.with_match(|table| match seat.map(|seat| table.undoable(seat, &people)) {
            Some(Ok(back)) => {
                let at = table.entries().len() - back;
                let events: Vec<&str> = table.entries()[at..].iter().map(|e| e.event.as_str()).collect();
                let events = events.join(gesture::AND);
                let is_done = |c: &ListedAction| {
                    events
                        .strip_prefix(&c.action)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(gesture::AND))
                };
                let done = table.choices(at, play.observer.get().0).into_iter().find(is_done);
                let named = |c: ListedAction| format!("Undo: {}", plain(&c.label, &play.ui(&[])));
                Ok(done.map_or_else(|| "Undo".to_string(), named))
            }
            Some(Err(why)) => Err(why.to_string()),
            None => Err("Nothing to undo.".to_string()),
        })
        .unwrap_or_else(|| Err(String::new()))
    });
    let title =
        play.with_match_untracked(|table| (table.info().title, table.look().emblem)).unwrap_or(("", ""));
    let events = move || play.with_match(|table| table.entries().len()).unwrap_or(0);
    let heading = move || {
        let actor = sight.scene.with(|scene| scene.as_ref().and_then(|scene| scene.actor));
        let own = sight.ui.with(|ui| ui.seat);
        match play.at.get() {
            None => "You can",
            Some(_) if own.is_some() && actor == own => "You could",
            Some(_) => "They could",
        }
    };
    let side = move || match app.tab.get().as_str() {
        "actions" => "side open",
        "log" => "side open showlog",
        "replay" => "side open showreplay",
        _ => "side",
    };
    let covered = move || play.curtain.get().is_some();
    // A spectator never has a hand: the board gets its space.
    let watched = move || !play.players.with(|players| players.iter().any(|p| p.kind.is_person()));
    view! {
        <div
            class="table"
            class:covered=covered
            class:watched=watched
            class:archived=move || play.archived.with(Option::is_some)
            class:guided=move || app.guide.with(Option::is_some)
            on:click=move |event| untrack(|| pointer::on_click(app, &event))
            on:pointerdown=move |event| untrack(|| pointer::on_down(app, &event))
            on:pointermove=move |event| untrack(|| pointer::on_move(app, &event))
            on:pointerup=move |event| untrack(|| pointer::on_up(app, &event))
            on:pointercancel=move |_| untrack(|| pointer::on_cancel(app))
            on:contextmenu=move |event| untrack(|| pointer::on_menu(app, &event))
            on:wheel=move |event| untrack(|| pointer::on_wheel(app, &event))
            on:pointerover=move |event| untrack(|| pointer::on_over(app, &event))
            on:pointerleave=move |_| about::hide(app)
            on:focusin=move |event| untrack(|| pointer::on_over(app, &event))
        >
            <header class="bar">
                <button class="home title" data-do="home" aria-label=format!("{}, back to all games", title.0)>
                    <Drawn nodes=Signal::derive(move || vec![ic(title.1).into()])/>
                    <span class="nm">{title.0}</span>
                </button>
                <div class="steps" node_ref=steps></div>
                <div class="tools">
                    {pages::chat::chat_button(app)}
                    <button
                        class="trust"
                        class:bad=move || !app.online.is_well()
                        data-do="trust"
                        data-events=move || events().to_string()
                        aria-label=move || format!("{} events verified, open the trust panel", events())
                        title=move || format!("{} events verified", events())
                    >
                        {glyph("shield", 18)}
                        <span class="vh">{move || format!("{} verified", events())}</span>
                    </button>
                    <button
                        class="iconbtn"
                        data-do="undo"
                        id="undo"
                        aria-label=move || undo.get().unwrap_or_else(|why| why)
                        title=move || undo.get().unwrap_or_else(|why| why)
                        aria-disabled=move || undo.get().is_err().to_string()
                    >
                        {glyph("undo", 20)}
                    </button>
                    <button class="iconbtn" data-do="hint" aria-label="Hint" title="Hint (H)">{glyph("hint", 20)}</button>
                    <button class="iconbtn opt" data-do="rules" aria-label="Rules" title="Rules (R)">{glyph("rules", 20)}</button>
                    <button class="iconbtn" data-do="settings" aria-label="Settings and more" title="Settings">{glyph("set", 20)}</button>
                </div>
            </header>
            <ul class="seats" id="seats" aria-label="Seats" tabindex=move || play.narrow.get().then_some("0") node_ref=seats></ul>
            <main class="board" id="board" node_ref=board></main>
            <div class="over" node_ref=dialog></div>
            <div id="guide-slot">{pages::guide::guide(app)}</div>
            <section class="dock" aria-label="What is awaited, and your hand">
                <div id="prompt" node_ref=prompt></div>
                <div class="handbox" node_ref=hand></div>
            </section>
            <nav class="tabs" aria-label="Parts of the table" node_ref=tabs></nav>
            <aside class=side aria-label="Actions, log and replay">
                <section class="panel acts-panel" id="list">
                    <h2>{heading} <small>{move || many(sight.listed_actions().len())}</small></h2>
                    <input
                        class="filter"
                        id="filter"
                        placeholder=move || if play.narrow.get() { "Filter" } else { "Type to filter, ↵ to do it" }
                        aria-label="Filter actions"
                        autocomplete="off"
                        prop:value=move || filter.get()
                        on:input=move |event| filter.set(event_target_value(&event))
                    />
                    <div class="acts-list" node_ref=list></div>
                </section>
                {pages::club::explorer(app)}
                {move || (!play.narrow.get()).then(|| pages::hint(app))}
                <section class="panel log" id="log" role="log" aria-label="Log"><ol tabindex="0" node_ref=log></ol></section>
                {replay::replay(app, sight)}
            </aside>
            {move || play.narrow.get().then(|| pages::hint(app))}
            {report::report(app)}
            {toast::toast(app, sight, undo)}
            {about::bubble(app)}
            {numbers::stepper(app)}
        </div>
    }
}

/// Returns the number of actions as text: empty for 0, "1 action", "3 actions".
fn many(actions: usize) -> String {
    match actions {
        0 => String::new(),
        1 => "1 action".to_string(),
        n => format!("{n} actions"),
    }
}

impl App {
    /// Runs the command of a button of the shell (`data-do`): a word and possibly an argument after a space,
    /// such as `act ACTION`, `undo`, `look 12` or `tab log`. Unknown commands are ignored. Not checked: that
    /// the match is over (`end`), and that the event has a report (`tell`); other commands do nothing where
    /// they do not apply. Tracks nothing.
    pub fn run_command(self, what: &str) {
        untrack(|| self.obey(what));
    }

    /// Runs a command of a button or key: a word and possibly an argument after a space. The words: `act` and
    /// `play-hint` (an action), `play`, `skip`, `ask`, `back`, `amount` (see [`numbers::choose_amount`]),
    /// `stay`, `step` (`close`, or see [`numbers::run_stepper`]), `undo`, `lift`, `home`, `live`, `look` and
    /// `tell` (a number of events), `continue`, `details`, `end`, `pause`, `tab` (its name; the open one
    /// closes), `hint`, `rules`, `zoom` (`in`, `out` or `whole`), `settings`, `trust`, `chat`, `report` and
    /// `save`. Other words are ignored, and a number that cannot be parsed counts as the beginning (`look`)
    /// or the last event (`tell`). May track signals; call [`App::run_command`] instead.
    fn obey(self, what: &str) {
        let play = self.play;
        let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
        match word {
            "act" => self.select_action(rest),
            // The hint has said what happens: no question.
            "play-hint" => self.play_action(rest),
            "play" => self.toggle_replay(),
            "skip" => self.skip_to_decision(),
            "ask" => self.always_ask(),
            "back" => drop(self.undo_click()),
            "amount" => numbers::choose_amount(self, rest),
            "stay" => play.stays.set(Some(play.version.get_untracked())),
            "step" if rest == "close" => drop(numbers::close_stepper(self)),
            "step" => numbers::run_stepper(self, rest),
            "undo" => self.undo_decision(),
            "lift" => self.lift_curtain(),
            "home" => self.go_home(),
            "live" => play.at.set(None),
            "look" => self.show_position_at(rest.parse().unwrap_or(0)),
            "continue" => drop(play.close_report()),
            "details" => play
                .reports
                .update(|all| all.iter_mut().take(1).for_each(|r| r.display = ReportDisplay::Dialog)),
            "tell" => play.reports.set(vec![crate::play::Reported {
                at: rest.parse().unwrap_or(usize::MAX),
                display: ReportDisplay::Dialog,
            }]),
            "end" => self.page.set(crate::app::Screen::End),
            "pause" => play.paused.update(|paused| *paused = !*paused),
            "tab" => self.tab.update(|tab| *tab = if *tab == rest { "table".into() } else { rest.into() }),
            "hint" => self.show_hint(),
            "rules" => self.open_rules(),
            "zoom" => drop(zoom::zoomed(rest)),
            "settings" => self.sheet.set(Some(Sheet::Settings)),
            "trust" => self.sheet.set(Some(Sheet::Trust)),
            "chat" => self.sheet.set(Some(Sheet::Chat)),
            "report" | "save" => self.save_record(),
            _ => {}
        }
    }

    /// Shows the position after the first `at` events, and clears the selection. With all events or more it
    /// shows the present. A running driver or replay continues.
    pub fn show_position_at(self, at: usize) {
        let all = self.play.with_match_untracked(|table| table.entries().len()).unwrap_or(0);
        self.play.chosen.set(Vec::new());
        self.play.at.set((at < all).then_some(at));
    }
}
