//! The card of the guided first match: it says what to do, and a ring marks the place.

use crate::app::{App, Screen};
use crate::boards;
use crate::guide::{GuideCard, GuideTarget};
use crate::page;
use crate::shell::{glyph, numbers};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/guide.js")]
extern "C" {
    /// Draws the ring around the first visible element of these CSS selectors, scrolls it into view and
    /// places the card `#guide` so that it does not cover it, as long as the card exists. Without such an
    /// element there is no ring.
    fn point(selectors: js_sys::Array);
}

/// Local storage key of the guide's step.
const PLACE: &str = "pentarchy.guide";

impl App {
    /// Returns the move that the guide recommends now, in canonical text; `None` without a guide, or if the
    /// card recommends no move. Tracks the match and the guide.
    pub fn guided_move(self) -> Option<String> {
        match self.guide_card()?.target {
            GuideTarget::Move(action) => Some(action),
            _ => None,
        }
    }

    /// Returns the card for the current position: the first step of the guide, from the current one on, that
    /// fits; otherwise a move that the guide recommends, or the last card after all steps. `None` without a
    /// guide or a seat's view, and if none of these applies. Tracks the match and the guide.
    fn guide_card(self) -> Option<GuideCard> {
        let from = self.guide.get()?;
        let seat = self.play.observer_seat()?;
        self.play.with_match(|table| table.guide(from, seat)).flatten()
    }

    /// Returns whether the current step only explains something, so that everything else waits for *Next*;
    /// `false` without a guide. Tracks nothing.
    pub fn guide_explains(self) -> bool {
        let card = untrack(|| self.guide_card());
        card.is_some_and(|card| matches!(card.target, GuideTarget::Part(_) | GuideTarget::Piece(_)))
    }

    /// Returns whether the guide explains something while only one action is legal: the page plays it after
    /// *Next*. `choices` is the number of legal actions; `false` unless it is 1. Tracks the match and the
    /// guide.
    pub fn guide_delays_only_move(self, choices: usize) -> bool {
        let explains = |card: GuideCard| matches!(card.target, GuideTarget::Part(_) | GuideTarget::Piece(_));
        choices == 1 && self.guide_card().is_some_and(explains)
    }

    /// Returns whether the current step recommends a move. Such a move is never played automatically, even if
    /// it is the only one. Tracks nothing.
    pub fn guide_recommends(self) -> bool {
        untrack(|| self.guide_card()).is_some_and(|card| matches!(card.target, GuideTarget::Move(_)))
    }

    /// Ends the current step, for *Next* and for skipped steps, and stores that; the card of the next step is
    /// shown. Does nothing after the last step, without a guide, or if no card fits the position.
    pub fn next_guide_step(self) {
        if let Some(card) = untrack(|| self.guide_card()).filter(|card| card.step < card.steps) {
            self.end_step(&card);
        }
    }

    /// Ends the current step of the guide, and stores that, if it recommends a move and `action` (canonical
    /// text) is one that ends it. Otherwise does nothing. Does not play the move.
    pub fn end_step_by_move(self, action: &str) {
        if let Some(card) = untrack(|| self.guide_card()).filter(|card| card.ends_with(action)) {
            self.end_step(&card);
        }
    }

    /// Selects the piece from which the recommended move starts, if the player has selected another one.
    /// Otherwise a click on that piece would move the selected one there. For a goal, the recommended amount
    /// is chosen, too: the board then shows its effect. Does nothing if the card recommends no legal move.
    fn select_recommended(self, card: &GuideCard) {
        let (play, GuideTarget::Move(action)) = (self.play, &card.target) else { return };
        let choices = play.legal_actions();
        let Some(choice) = choices.iter().find(|choice| choice.action == *action) else { return };
        if let Some(key) = numbers::other_amount(self, choice).filter(|_| !card.goals.is_empty()) {
            numbers::choose_amount(self, key.trim_start_matches("amount "));
        }
        let selected = play.chosen.get_untracked();
        let Some(first) = choice.path.first().filter(|_| !selected.is_empty() && choice.path.len() > 2)
        else {
            return;
        };
        if selected.first() != Some(first) {
            play.chosen.set(vec![first.clone()]);
            play.preselected.set(true);
        }
    }

    /// Ends the guide and starts a match of the same game with the default seats and the options of the page;
    /// the guided one stays saved. Starts nothing without a match.
    fn play_real_game(self) {
        self.finish_guide();
        let name = self.play.with_match_untracked(|table| table.header().game.clone());
        if let Some(game) = name.and_then(|name| boards::find(&name).ok()) {
            self.quick_start(game);
        }
    }

    /// Ends the step of `card`: adds the card to those that were read, shows the newest card, advances the
    /// guide to the step after it, and stores that in this browser.
    fn end_step(self, card: &GuideCard) {
        self.guide_read.update(|read| read.push(card.clone()));
        self.guide_back.set(0);
        self.guide.set(Some(card.step + 1));
        self.store_guide();
    }

    /// Closes the guide and stores that. The match continues, and the guide can be resumed.
    pub fn leave_guide(self) {
        self.guide_left.set(self.guide.get_untracked());
        self.guide.set(None);
        self.guide_back.set(0);
        self.store_guide();
    }

    /// Resumes the guide at the step where it was closed. Does nothing if it was not closed.
    pub fn resume_guide(self) {
        if let Some(step) = self.guide_left.get_untracked() {
            self.guide_left.set(None);
            self.guide.set(Some(step));
            self.store_guide();
        }
    }

    /// Stores the step of the guide for this match in local storage, so that a reload continues with it; one
    /// match at a time. Does nothing without a guide, and if local storage is not available.
    pub(crate) fn store_guide(self) {
        let (id, step, left) =
            (self.play.id.get_untracked(), self.guide.get_untracked(), self.guide_left.get_untracked());
        let text = match (step, left) {
            (Some(step), _) => format!("{id} {step}"),
            (None, Some(step)) => format!("{id} {step} left"),
            (None, None) => return,
        };
        if let Some(store) = page::window().and_then(|w| w.local_storage().ok().flatten()) {
            let _ = store.set_item(PLACE, &text);
        }
    }

    /// Restores the guide of the match at this page, open or closed, if it is the last one that was stored.
    /// Otherwise changes nothing. The cards that were read are not restored.
    pub(crate) fn restore_guide(self) {
        let store = page::window().and_then(|w| w.local_storage().ok().flatten());
        let text = store.and_then(|store| store.get_item(PLACE).ok().flatten()).unwrap_or_default();
        let mut words = text.split(' ');
        if words.next() != Some(self.play.id.get_untracked().as_str()) {
            return;
        }
        let step = words.next().and_then(|step| step.parse().ok());
        let place = if words.next().is_some() { self.guide_left } else { self.guide };
        place.set(step);
    }

    /// Ends the guide for good: removes it from this page and from local storage, so that a reload does not
    /// bring it back.
    fn finish_guide(self) {
        self.remove_guide();
        if let Some(store) = page::window().and_then(|w| w.local_storage().ok().flatten()) {
            let _ = store.remove_item(PLACE);
        }
    }

    /// Removes the guide from this page, because another match begins. What is stored stays:
    /// [`restore_guide`](Self::restore_guide) can bring it back.
    pub(crate) fn remove_guide(self) {
        self.guide.set(None);
        self.guide_left.set(None);
        self.guide_read.set(Vec::new());
        self.guide_back.set(0);
    }
}

/// Renders the card of the guide: between board and dock on a phone, otherwise over a corner of the board.
/// Nothing if no card fits or a replay is shown. Also makes `guide.js` draw the ring, and selects once for
/// each position and card what the card recommends.
pub fn guide(app: App) -> impl IntoView {
    let play = app.play;
    Effect::new(move |_| {
        let _ = play.asked.get();
        let back = app.guide_back.get() > 0;
        let card = app.guide_card().filter(|_| app.page.get() == Screen::Table && !back);
        let selectors = card.map(|card| targets(app, &card.target, &play.chosen.get())).unwrap_or_default();
        point(selectors.iter().map(|selector| JsValue::from_str(selector)).collect());
    });
    let card = Memo::new(move |_| app.guide_card().filter(|_| play.at.get().is_none()));
    Effect::new(move |_| {
        // Once per position and card: after that the player may select something else.
        let _ = play.version.get();
        if let Some(card) = card.get() {
            untrack(|| app.select_recommended(&card));
        }
    });
    move || {
        let card = card.get()?;
        let (read, back) = (app.guide_read.get(), app.guide_back.get());
        // A card that was read before, or the current one.
        let again = read.len().checked_sub(back).filter(|_| back > 0).and_then(|i| read.get(i).cloned());
        let rereads = again.is_some();
        let GuideCard { step, steps, text, target, .. } = again.unwrap_or(card);
        let number = (step + 1).min(steps);
        let count = if step < steps { format!("Step {number} of {steps}") } else { "Guide".to_string() };
        let region = if step < steps { format!("Guide, step {number} of {steps}") } else { count.clone() };
        let end = target == GuideTarget::End;
        let over = play.with_match(|table| table.outcome().is_some()).unwrap_or(false);
        let part = if let GuideTarget::Part(part) = target { part } else { "" };
        let explains = matches!(target, GuideTarget::Part(_) | GuideTarget::Piece(_));
        let recommends = matches!(target, GuideTarget::Move(_)) && step < steps;
        let dots = (0..steps).map(|i| {
            let class = if i < step {
                "d"
            } else if i == step {
                "n"
            } else {
                ""
            };
            view! { <i class=class></i> }
        });
        let next = move |_| match app.guide_back.get_untracked() {
            0 => app.next_guide_step(),
            back => app.guide_back.set(back - 1),
        };
        Some(view! {
            <section class="guide" id="guide" role="region" aria-label=region data-step=format!("{step}-{back}") data-part=part>
                <div class="guide-hd">
                    <span>{count}</span>
                    <div class="guide-dots" aria-hidden="true">{dots.collect_view()}</div>
                </div>
                <p id="guide-text" aria-live="polite">{text}</p>
                <div class="guide-ft">
                    {(back < read.len()).then(|| view! {
                        <button class="btn ghost sm" data-step-back on:click=move |_| app.guide_back.set(back + 1)>{glyph("back", 14)} "Previous"</button>
                    })}
                    {(recommends && !rereads).then(|| view! {
                        <button class="btn ghost sm" on:click=move |_| app.next_guide_step()>"Skip step"</button>
                    })}
                    {(!end || rereads).then(|| view! {
                        <button class="btn ghost sm" on:click=move |_| app.leave_guide()>"Leave"</button>
                    })}
                    <span class="grow"></span>
                    {(explains || rereads).then(|| view! { <button class="btn go sm" id="guide-next" on:click=next>"Next"</button> })}
                    {(end && !rereads && !over).then(|| view! {
                        <button class="btn go sm" id="guide-end" on:click=move |_| app.finish_guide()>"Keep playing"</button>
                    })}
                    {(end && !rereads && over).then(|| view! {
                        <button class="btn go sm" id="guide-end" on:click=move |_| app.play_real_game()>"Play a real game"</button>
                    })}
                </div>
            </section>
        })
    }
}

/// Returns CSS selectors of what the learner should look at or click next for the `target` of a card, best
/// first. `chosen` is the selection. Empty if there is nothing to point at, or a recommended move is not
/// legal.
fn targets(app: App, target: &GuideTarget, chosen: &[String]) -> Vec<String> {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let piece = |key: &str| format!("[data-key={}]", quoted(key));
    match target {
        GuideTarget::Part("dialog") => vec![".over > *".to_string()],
        // A narrow screen has these behind its tabs.
        GuideTarget::Part("list") => vec!["#list".to_string(), "[data-do='tab actions']".to_string()],
        GuideTarget::Part("log") => vec!["#log".to_string(), "[data-do='tab log']".to_string()],
        GuideTarget::Part(part) => vec![format!("#{part}")],
        GuideTarget::Piece(key) => key.iter().map(|key| piece(key)).collect(),
        GuideTarget::End => Vec::new(),
        GuideTarget::Move(action) => {
            let choices = app.play.legal_actions();
            let Some(choice) = choices.iter().find(|choice| choice.action == *action) else {
                return Vec::new();
            };
            let act = quoted(action);
            let button = [
                format!("#prompt [data-act={act}]"),
                format!(".over [data-act={act}]"),
                format!(".act-row[data-act={act}]"),
                "[data-do='tab actions']".to_string(),
            ];
            let next = if choice.path == chosen {
                None
            } else {
                numbers::next_click(app, choice).map(|key| piece(&key))
            };
            next.into_iter().chain(button).collect()
        }
    }
}
