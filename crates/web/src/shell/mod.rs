//! The table that all games share: top bar, seats, board, prompt, hand, list of actions, log, replay.

use crate::app::App;
use crate::dom::Mounted;
use crate::markup::{Node, div};
use leptos::prelude::*;
use pentarchy_engine::describe::with_names;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Keeps the inside of an element in line with what is drawn.
pub fn drawn(node: NodeRef<leptos::html::Div>, nodes: impl Fn() -> Vec<Node> + 'static) {
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

/// The key of the piece that an event happened on.
pub fn key_of(event: &web_sys::Event) -> Option<String> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest("[data-key]").ok().flatten()?.get_attribute("data-key")
}

/// The table.
pub fn table(app: App) -> impl IntoView {
    let play = app.play;
    let choices = Memo::new(move |_| play.choices());
    let ui = Memo::new(move |_| choices.with(|choices| play.ui(choices)));
    let scene = Memo::new(move |_| ui.with(|ui| play.scene(ui)));
    let board = NodeRef::<leptos::html::Div>::new();
    drawn(board, move || scene.with(|s| s.iter().map(|s| Node::from(s.board.clone())).collect()));
    let hand = NodeRef::<leptos::html::Div>::new();
    drawn(hand, move || {
        let cards = scene.with(|s| s.as_ref().and_then(|s| s.hand.clone()));
        cards.map(|hand| vec![div("hand").kids(hand.cards).into()]).unwrap_or_default()
    });
    let open = move || {
        let chosen = play.chosen.get();
        choices.with(|all| all.iter().filter(|c| c.path.starts_with(&chosen)).cloned().collect::<Vec<_>>())
    };
    let list = move || {
        let row = move |c: crate::table::Choice| {
            let action = c.action.clone();
            view! { <button class="act-row" on:click=move |_| app.act(&action)><span>{c.label}</span></button> }
        };
        open().into_iter().take(200).map(row).collect_view()
    };
    let sentence = move || {
        let awaited = scene.with(|s| s.as_ref().map(|s| s.awaited.clone())).unwrap_or_default();
        with_names(&awaited, &play.names())
    };
    let log = move || {
        let lines = play.look(|t| t.log(t.entries().len().saturating_sub(30), play.eyes.get().0));
        lines.unwrap_or_default().into_iter().map(|l| view! { <li>{with_names(&l.text, &play.names())}</li> }).collect_view()
    };
    view! {
        <div class="table" on:click=move |event| {
            if let Some(key) = key_of(&event) {
                app.click(&key);
            }
        }>
            <header class="bar"><button class="btn ghost" on:click=move |_| app.home()>"Home"</button></header>
            <ul class="seats"></ul>
            <div class="board" node_ref=board></div>
            <section class="dock">
                <div class="prompt mine c1" role="status"><p>{sentence}<small>{move || play.trouble.get()}</small></p></div>
                <div node_ref=hand></div>
            </section>
            <aside class="side">
                <section class="panel"><h2>"You can"</h2><div class="acts-list">{list}</div></section>
                <section class="panel log"><ol>{log}</ol></section>
            </aside>
        </div>
    }
}
