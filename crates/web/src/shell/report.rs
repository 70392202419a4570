//! The report of a finished battle or roll, over the board.
//!
//! A report that concerns the player of this screen is a dialog, and the game waits until it is closed; a brief one closes
//! by itself. Any other report stands at the edge for a while and never waits.

use super::Drawn;
use crate::app::App;
use crate::board::ReportDisplay;
use crate::markup::MarkupNode;
use crate::play::{Play, Reported};
use crate::{motion, page};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// How long a report of others is shown, in milliseconds.
const GLANCE: i32 = 2_000;

/// How long a brief dialog is shown, in milliseconds: its animation takes less than half of it.
const BRIEF: i32 = 4_000;

/// Renders the first report of the queue as a dialog or a note. A dialog takes the focus and gives
/// it back when no report is left; a click on it ends its animation. A note closes after
/// [`GLANCE`], a brief dialog after [`BRIEF`] milliseconds.
pub(super) fn report(app: App) -> impl IntoView {
    let play = app.play;
    let shown = Memo::new(move |_| play.reports.with(|reports| reports.first().copied()));
    // Whether the player has skipped to the end of the animation.
    let complete = RwSignal::new(false);
    // The element that had the focus before the dialog.
    let focused = StoredValue::new_local(None::<Element>);
    Effect::new(move |_| match shown.get() {
        Some(report) if report.display.is_modal() => {
            if report.display == ReportDisplay::BriefDialog {
                close_after(play, shown, report, BRIEF);
            }
            complete.set(false);
            let active = page::document().and_then(|document| document.active_element());
            let outside = active.filter(|element| element.closest(".report").ok().flatten().is_none());
            if outside.is_some() {
                focused.set_value(outside);
            }
            request_animation_frame(move || {
                keep_focus();
                let report = page::document().and_then(|d| d.query_selector(".report").ok().flatten());
                if let Some(report) = report {
                    motion::roll_dice(&report);
                }
            });
        }
        Some(report) => {
            complete.set(false);
            close_after(play, shown, report, GLANCE);
        }
        None => {
            if let Some(before) = focused.try_update_value(Option::take).flatten() {
                let _ = before.unchecked_ref::<HtmlElement>().focus();
            }
        }
    });
    move || {
        let report = shown.get()?;
        let (ui, observer) = (play.ui(&[]), play.observer.get_untracked().0);
        let told = play.with_match_untracked(|table| table.report(report.at, observer, &ui)).flatten()?;
        let nodes: Vec<MarkupNode> = vec![told.el.into()];
        let body = Signal::derive(move || nodes.clone());
        let (summary, label) = (told.summary.clone(), told.summary);
        Some(if report.display.is_modal() {
            view! {
                <div class="report-layer">
                    <div
                        class="report dialog"
                        class:done=move || complete.get()
                        class:brief=report.display == ReportDisplay::BriefDialog
                        role="dialog"
                        aria-modal="true"
                        aria-label=label
                        style=format!("--pace:{}", motion::report_pace())
                        on:click=move |_| {
                            complete.set(true);
                            motion::skip();
                        }
                    >
                        <p class="sr" role="status">{summary}</p>
                        <div class="report-body" tabindex="-1"><Drawn nodes=body/></div>
                        <div class="report-ft">
                            <button class="btn go" id="continue" data-do="continue">"Continue"</button>
                        </div>
                    </div>
                </div>
            }
            .into_any()
        } else {
            view! {
                <div class="report-note done" role="status">
                    <p>{summary}</p>
                    <button class="btn sm" data-do="details">"Details"</button>
                </div>
            }
            .into_any()
        })
    }
}

/// Closes `report` after this time, in the background, unless `shown`, the report on the screen, is another
/// one by then.
fn close_after(play: Play, shown: Memo<Option<Reported>>, report: Reported, milliseconds: i32) {
    leptos::task::spawn_local(async move {
        page::sleep(milliseconds).await;
        // The screen may have been left meanwhile, and the report with it.
        if shown.try_get_untracked() == Some(Some(report)) {
            play.close_report();
        }
    });
}

/// Moves the focus to *Continue*, the only button of the open report. Does nothing if none is open.
pub(super) fn keep_focus() {
    let button = page::document().and_then(|document| document.get_element_by_id("continue"));
    if let Some(button) = button {
        let _ = button.unchecked_ref::<HtmlElement>().focus();
    }
}
