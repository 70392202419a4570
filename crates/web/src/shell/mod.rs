//! The table that all games share: top bar, seats, board, prompt, hand, list of actions, log, replay.

mod about;
mod keys;
mod pointer;
mod prompt;
mod rails;
mod replay;
mod zoom;

use crate::app::{App, Sheet};
use crate::dom::Mounted;
use crate::icons::{ic, ui_icon};
use crate::markup::Node;
use crate::table::{Choice, LogLine, Scene};
use crate::ui::Ui;
use crate::{motion, pages};
use leptos::prelude::*;
use pentarchy_engine::Observer;
use wasm_bindgen::JsCast;

pub use about::Bubble;
pub use keys::on_key;

/// What is seen of the game at this page, computed once for all who draw it.
#[derive(Clone, Copy)]
pub struct Sight {
    /// The legal list.
    pub choices: Memo<Vec<Choice>>,
    /// What the board needs to know besides the position.
    pub ui: Memo<Ui>,
    /// All that is drawn.
    pub scene: Memo<Option<Scene>>,
}

impl Sight {
    /// The sight of the game at this page.
    pub fn new(app: App) -> Self {
        let play = app.play;
        let choices = Memo::new(move |_| play.choices());
        let ui = Memo::new(move |_| choices.with(|choices| play.ui(choices)));
        let scene = Memo::new(move |_| ui.with(|ui| play.scene(ui)));
        Sight { choices, ui, scene }
    }

    /// The choices along a path of clicks.
    pub fn along(self, path: &[String]) -> Vec<Choice> {
        self.choices.with(|all| all.iter().filter(|c| c.path.starts_with(path)).cloned().collect())
    }

    /// The choices that fit what has been clicked.
    pub fn open(self) -> Vec<Choice> {
        self.along(&self.ui.with(|ui| ui.chosen.clone()))
    }
}

/// Keeps the inside of an element in line with what is drawn.
pub fn drawn<E>(node: NodeRef<E>, nodes: impl Fn() -> Vec<Node> + 'static)
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
    });
}

/// A drawn picture inside a view.
#[component]
pub fn Drawn(#[prop(into)] nodes: Signal<Vec<Node>>, #[prop(optional)] class: &'static str) -> impl IntoView {
    let node = NodeRef::<leptos::html::Span>::new();
    drawn(node, move || nodes.get());
    view! { <span class=class node_ref=node></span> }
}

/// A glyph of the interface inside a view.
pub fn glyph(name: &'static str, size: u8) -> impl IntoView {
    view! { <Drawn class="gl" nodes=Signal::derive(move || vec![ui_icon(name, size).into()])/> }
}

/// The table.
pub fn table(app: App) -> impl IntoView {
    let play = app.play;
    let sight = Sight::new(app);
    let (board, dialog) = (NodeRef::<leptos::html::Main>::new(), NodeRef::<leptos::html::Div>::new());
    let (steps, seats) = (NodeRef::<leptos::html::Div>::new(), NodeRef::<leptos::html::Ul>::new());
    let (prompt, hand) = (NodeRef::<leptos::html::Div>::new(), NodeRef::<leptos::html::Div>::new());
    let (list, log) = (NodeRef::<leptos::html::Div>::new(), NodeRef::<leptos::html::Ol>::new());
    let tabs = NodeRef::<leptos::html::Nav>::new();
    let filter = app.filter;
    let lines = StoredValue::new_local((Observer::Spectator, Vec::<LogLine>::new(), 0usize));

    // One effect draws all that changes with the position, so that moves are seen from zone to zone.
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
            // On a narrow screen a board may be scrolled: with the keyboard too.
            vec![Node::from(scene.board.set_if(crate::page::narrow(), "tabindex", "0"))],
            scene
                .dialog
                .or_else(|| scene.cast.map(|cast| rails::cast(&cast, &sight.ui.get_untracked())))
                .into_iter()
                .map(Node::from)
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
    drawn(prompt, move || prompt::prompt(app, sight));
    drawn(list, move || rails::actions(sight, &filter.get()));
    drawn(tabs, move || rails::tabs(&app.tab.get(), sight.choices.with(Vec::len)));
    drawn(log, move || {
        let eyes = play.eyes.get().0;
        let all = play.look(|table| table.entries().len()).unwrap_or(0);
        lines.update_value(|(seen_by, lines, upto)| {
            if *seen_by != eyes || *upto > all || play.fresh_log() {
                (*seen_by, *upto) = (eyes, 0);
                lines.clear();
            }
            lines.extend(play.peek(|table| table.log(*upto, eyes)).unwrap_or_default());
            *upto = all;
        });
        let at = play.shown_at();
        lines.with_value(|(_, lines, _)| rails::log(lines, play.since.get(), at, &sight.ui.get()))
    });
    Effect::new(move |_| {
        // The newest line is seen.
        let _ = (play.version.get(), play.at.get());
        if let Some(log) = log.get() {
            // With the next frame, for which everything is laid out anyway.
            request_animation_frame(move || log.set_scroll_top(log.scroll_height()));
        }
    });
    app.watch_reactions(sight);

    let undo = move || {
        let seat = play.seat();
        if app.online.on() {
            return Err("Nothing to undo. What was signed at a table with others stands".to_string());
        }
        play.look(|table| match seat.map(|seat| table.undoable(seat)) {
            Some(Ok(back)) => {
                let at = table.entries().len() - back;
                let event = &table.entries()[at].event;
                let done = table.choices(at, play.eyes.get().0).into_iter().find(|c| c.action == *event);
                Ok(format!("Undo: {}", done.map_or_else(|| event.clone(), |c| c.label)))
            }
            Some(Err(why)) => Err(format!("Nothing to undo. {why}")),
            None => Err("Nothing to undo".to_string()),
        })
        .unwrap_or_else(|| Err(String::new()))
    };
    let title = play.peek(|table| (table.info().title, table.look().emblem)).unwrap_or(("", ""));
    let events = move || play.look(|table| table.entries().len()).unwrap_or(0);
    let heading = move || if play.at.get().is_some() { "They could" } else { "You can" };
    let side = move || match app.tab.get().as_str() {
        "actions" => "side open",
        "log" => "side open showlog",
        "replay" => "side open showreplay",
        _ => "side",
    };
    let covered = move || play.curtain.get().is_some();
    view! {
        <div
            class="table"
            class:covered=covered
            on:click=move |event| pointer::on_click(app, &event)
            on:pointerdown=move |event| pointer::on_down(app, &event)
            on:pointermove=move |event| pointer::on_move(app, &event)
            on:pointerup=move |event| pointer::on_up(app, &event)
            on:pointerover=move |event| pointer::on_over(app, &event)
            on:pointerleave=move |_| about::hide(app)
            on:focusin=move |event| pointer::on_over(app, &event)
        >
            <header class="bar">
                <button class="home title" data-do="home" aria-label=format!("{}, back to all games", title.0)>
                    <Drawn nodes=Signal::derive(move || vec![ic(title.1).into()])/>
                    {title.0}
                </button>
                <div class="steps" node_ref=steps></div>
                <div class="tools">
                    {pages::online::chat_button(app)}
                    <button class="trust" class:bad=move || !app.online.is_well() data-do="trust" aria-label=move || format!("{} verified, open the trust panel", events())>
                        {glyph("shield", 18)}
                        <span>{move || format!("{} verified", events())}</span>
                    </button>
                    <button
                        class="iconbtn opt"
                        data-do="undo"
                        id="undo"
                        aria-label=move || undo().unwrap_or_else(|why| why)
                        title=move || undo().unwrap_or_else(|why| why)
                        aria-disabled=move || undo().is_err().to_string()
                    >
                        {glyph("undo", 20)}
                    </button>
                    <button class="iconbtn opt" data-do="hint" aria-label="Hint" title="Hint (H)">{glyph("hint", 20)}</button>
                    <button class="iconbtn opt" data-do="rules" aria-label="Rules" title="Rules (R)">{glyph("rules", 20)}</button>
                    <button class="iconbtn" data-do="settings" aria-label="Settings and more" title="Settings">{glyph("set", 20)}</button>
                </div>
            </header>
            <ul class="seats" id="seats" aria-label="Seats" tabindex=crate::page::narrow().then_some("0") node_ref=seats></ul>
            <main class="board" id="board" node_ref=board></main>
            <div class="over" node_ref=dialog></div>
            <section class="dock" aria-label="What is awaited, and your hand">
                <div id="prompt" node_ref=prompt></div>
                <div class="handbox" node_ref=hand></div>
                <nav class="tabs" aria-label="Parts of the table" node_ref=tabs></nav>
            </section>
            <aside class=side aria-label="Actions, log and replay">
                <section class="panel acts-panel" id="list">
                    <h2>{heading} <small>{move || many(sight.choices.with(Vec::len))}</small></h2>
                    <input
                        class="filter"
                        id="filter"
                        placeholder="Type to filter, ↵ to do it"
                        aria-label="Filter actions"
                        autocomplete="off"
                        prop:value=move || filter.get()
                        on:input=move |event| filter.set(event_target_value(&event))
                    />
                    <div class="acts-list" node_ref=list></div>
                </section>
                <section class="panel log" id="log" role="log" aria-label="Log"><ol tabindex="0" node_ref=log></ol></section>
                {replay::replay(app, sight)}
            </aside>
            {about::bubble(app)}
        </div>
    }
}

/// "3 actions".
fn many(actions: usize) -> String {
    match actions {
        0 => String::new(),
        1 => "1 action".to_string(),
        n => format!("{n} actions"),
    }
}

impl App {
    /// Does what a button of the shell says.
    pub fn command(self, what: &str) {
        let play = self.play;
        let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
        match word {
            "act" => self.act(rest),
            "back" => drop(self.back()),
            "undo" => self.undo(),
            "lift" => self.lift_curtain(),
            "home" => self.home(),
            "live" => play.at.set(None),
            "look" => self.look_at(rest.parse().unwrap_or(0)),
            "end" => self.page.set(crate::app::Page::End),
            "pause" => play.paused.update(|paused| *paused = !*paused),
            "tab" => self.tab.update(|tab| *tab = if *tab == rest { "table".into() } else { rest.into() }),
            "hint" => self.hint(),
            "rules" => self.open_rules(),
            "zoom" => drop(zoom::zoomed(rest)),
            "settings" => self.sheet.set(Some(Sheet::Settings)),
            "trust" => self.sheet.set(Some(Sheet::Trust)),
            "chat" => self.sheet.set(Some(Sheet::Chat)),
            "report" | "save" => self.save_file(),
            _ => {}
        }
    }

    /// Looks at the table after so many events.
    pub fn look_at(self, at: usize) {
        let all = self.play.peek(|table| table.entries().len()).unwrap_or(0);
        self.play.chosen.set(Vec::new());
        self.play.at.set((at < all).then_some(at));
    }
}
