//! The guided first game: an overlay that points at things, and goes on when the player has done them.

use crate::app::{App, Page};
use crate::board::{Lesson, Until};
use crate::page;
use leptos::prelude::*;
use pentarchy_engine::Node;
use wasm_bindgen::JsCast;
use web_sys::Element;

impl App {
    fn step(self) -> Option<(usize, &'static Lesson, usize)> {
        let at = self.lesson.get()?;
        let all = self.play.peek(|table| table.look().lesson)?;
        all.get(at).map(|lesson| (at, lesson, all.len()))
    }

    /// The player has done something: perhaps what the lesson waited for.
    pub fn learned(self, action: &str) {
        if let Some((_, Lesson { until: Until::Does(what), .. }, _)) = untrack(|| self.step())
            && action.starts_with(what)
        {
            self.next_step();
        }
    }

    fn next_step(self) {
        self.lesson.update(|at| *at = at.map(|at| at + 1));
    }
}

/// The overlay.
pub fn lesson(app: App) -> impl IntoView {
    let play = app.play;
    Effect::new(move |_| {
        // Steps that wait for the player's turn go on by themselves.
        let mine = play.look(|table| matches!(table.node(), Node::Decide(_))).unwrap_or(false) && play.mine();
        if let Some((_, Lesson { until: Until::MyTurn, .. }, _)) = app.step()
            && mine
        {
            app.next_step();
        }
    });
    move || {
        let at_table = app.page.get() == Page::Table;
        let _ = play.version.get();
        let (at, lesson, all) = app.step().filter(|_| at_table)?;
        let place = target(lesson.at).map(|e| e.get_bounding_client_rect());
        let (ring, side) = match &place {
            Some(r) => {
                let ring = format!(
                    "left:{}px;top:{}px;width:{}px;height:{}px",
                    r.left() - 6.0,
                    r.top() - 6.0,
                    r.width() + 12.0,
                    r.height() + 12.0
                );
                (ring, beside(r.left(), r.top(), r.width(), r.height()))
            }
            None => ("display:none".to_string(), "left:50%;top:30%;transform:translateX(-50%)".to_string()),
        };
        let next = lesson.until == Until::Next;
        let last = at + 1 == all;
        Some(view! {
            <div class="lesson-ring" style=ring aria-hidden="true"></div>
            <div class="lesson" role="dialog" aria-label="Guided first game" style=side>
                <p>{lesson.say}</p>
                <div class="lesson-ft">
                    <small>{format!("{} of {all}", at + 1)}</small>
                    <button class="btn ghost sm" on:click=move |_| app.lesson.set(None)>"Leave the guide"</button>
                    {next.then(|| view! {
                        <button class="btn go sm" on:click=move |_| app.next_step()>{if last { "Play on" } else { "Next" }}</button>
                    })}
                </div>
            </div>
        })
    }
}

/// Where the box stands: below, above, or inside what is pointed at.
fn beside(left: f64, top: f64, width: f64, height: f64) -> String {
    let size = |f: fn(&web_sys::Window) -> Option<f64>| page::window().and_then(|w| f(&w)).unwrap_or(900.0);
    let (w, h) = (size(|w| w.inner_width().ok()?.as_f64()), size(|w| w.inner_height().ok()?.as_f64()));
    let box_width = 320.0f64.min(w - 24.0);
    let x = (left + width / 2.0 - box_width / 2.0).clamp(12.0, (w - box_width - 12.0).max(12.0));
    if top + height + 170.0 < h {
        format!("left:{x}px;top:{}px", top + height + 16.0)
    } else if top > 180.0 {
        format!("left:{x}px;bottom:{}px", h - top + 16.0)
    } else if left > box_width + 24.0 {
        format!("left:{}px;top:{}px", left - box_width - 16.0, top.max(60.0))
    } else {
        format!("left:{}px;top:{}px", (left + width + 16.0).min(w - box_width - 12.0), top.max(60.0) + 60.0)
    }
}

/// The element that a step points at.
fn target(at: &str) -> Option<Element> {
    let document = page::document()?;
    let selector = match at {
        "prompt" => "#prompt",
        "hand" => "#hand",
        "list" => "#list",
        "seats" => "#seats",
        "log" => "#log",
        "board" => "#board",
        key => {
            let list = document.query_selector_all("[data-key]").ok()?;
            let mut found = (0..list.length()).filter_map(|i| list.item(i)?.dyn_into::<Element>().ok());
            return found.find(|e| e.get_attribute("data-key").is_some_and(|k| k.starts_with(key)));
        }
    };
    document.query_selector(selector).ok().flatten()
}
