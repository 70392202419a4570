//! Shows verified events on the board: the session reports each one, and this module draws them at a readable pace.

use super::{Online, Stage};
use crate::app::{App, Screen};
use crate::online::pump::app;
use crate::play::Eyes;
use crate::session::is_silent;
use crate::{page, thinker};
use leptos::prelude::*;
use pentarchy_engine::{Node, Observer};
use pentarchy_table::{AppliedPosition, Ending};
use wasm_bindgen_futures::spawn_local;

/// A page that is further behind than this number of events skips to the last of them.
const MOST_BEHIND: usize = 24;
/// Events that follow without a decision within this time are shown together, in milliseconds. A deal is one event
/// per card, and each needs several messages of every peer.
const TOGETHER: i32 = 120;
/// The board appears at the first decision, or after this time, in milliseconds.
const LAID: i32 = 2_500;

/// A change of the match that the board does not show yet.
pub(super) enum BoardUpdate {
    /// The event of this number, from 1, led to this position.
    Event { number: usize, position: AppliedPosition },
    /// Only this number of events is left.
    Rewind { to: usize },
}

impl BoardUpdate {
    /// Returns whether the match waits for a decision, or is over, after this update.
    fn rests(&self) -> bool {
        match self {
            BoardUpdate::Event { position, .. } => matches!(position.node(), Node::Decide(_) | Node::Over),
            BoardUpdate::Rewind { .. } => false,
        }
    }
}

/// What happens to queued updates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ShowState {
    /// They wait until the board is on the screen.
    Hidden,
    /// There are none.
    Idle,
    /// They wait for the next decision or for a timeout.
    Collecting,
    /// A task is showing them.
    Showing,
}

impl Online {
    /// Queues an update of the board. The queue is shown at the next decision, or a moment later if there is none.
    pub(super) fn queue_update(self, update: BoardUpdate) {
        let rests = update.rests();
        let state = self.with_peer_state(|peer_state| {
            peer_state.updates.push_back(update);
            peer_state.show
        });
        match state {
            Some(ShowState::Hidden) if rests => spawn_local(async move { self.show_board() }),
            Some(ShowState::Idle | ShowState::Collecting) if rests => self.show_updates(),
            Some(ShowState::Idle) => {
                self.set_show_state(ShowState::Collecting);
                spawn_local(async move {
                    page::sleep(TOGETHER).await;
                    if self.show_state() == Some(ShowState::Collecting) {
                        self.show_updates();
                    }
                });
            }
            _ => {}
        }
    }

    /// Shows the board at the first decision, or after a timeout.
    pub(super) fn show_board_soon(self) {
        spawn_local(async move {
            page::sleep(LAID).await;
            self.show_board();
        });
    }

    /// Applies the queued updates and switches the page to the board. Does nothing if the board is on the screen.
    #[inline(never)]
    pub(super) fn show_board(self) {
        let (Some(app), Some(ShowState::Hidden)) = (app(), self.show_state()) else { return };
        match self.stage.get_untracked() {
            Stage::Waiting => self.stage.set(Stage::Playing),
            Stage::Failed(_) => return,
            _ => {}
        }
        // Apply them before the first drawing, so that the board is drawn once.
        while self.show_next_update(app).is_some() {}
        app.sheet.set(None);
        app.page.set(Screen::Table);
        self.set_show_state(ShowState::Idle);
        self.show_updates();
    }

    /// Starts a task that shows the queued updates one after the other, and the result after the last one. Does nothing
    /// while such a task is running or before the board is on the screen.
    pub(super) fn show_updates(self) {
        let (Some(app), Some(ShowState::Idle | ShowState::Collecting)) = (app(), self.show_state()) else {
            return;
        };
        self.set_show_state(ShowState::Showing);
        spawn_local(async move {
            while let Some(left) = self.show_next_update(app) {
                // With many events left, show only the last ones.
                if left > 0 && left < MOST_BEHIND {
                    page::sleep(app.pause_millis()).await;
                }
            }
            self.set_show_state(ShowState::Idle);
            self.store_status();
            if self.stage.with_untracked(|stage| *stage == Stage::Over(Ending::Played))
                && app.page.get_untracked() == Screen::Table
                && app.play.at.get_untracked().is_none()
                && app.play.with_match_untracked(|table| table.outcome().is_some()) == Some(true)
                && app.play.eyes.get_untracked() != Eyes(Observer::All)
            {
                app.show_result();
            }
        });
    }

    /// Shows the next queued update. Returns the number of updates left, or 0 if no pause is needed; `None` if there
    /// was no update.
    #[inline(never)]
    fn show_next_update(self, app: App) -> Option<usize> {
        let (update, left) = self
            .with_peer_state(|peer_state| Some((peer_state.updates.pop_front()?, peer_state.updates.len())))
            .flatten()?;
        match update {
            BoardUpdate::Event { number, position } => {
                let play = app.play;
                let node = play.with_match_untracked(|table| table.node())?;
                if let Err(what) = play.update_match(|table| table.push_verified(number, &*position))? {
                    play.trouble.set(Some(what));
                    return Some(0);
                }
                if left < MOST_BEHIND {
                    app.save_after_event();
                    app.show_last_report();
                }
                let actor =
                    play.with_match_untracked(|table| table.actors().last().copied().flatten()).flatten();
                if actor.is_some() && actor == play.observer_seat() {
                    play.since.set(number);
                }
                Some(if is_silent(node) || left >= MOST_BEHIND { 0 } else { left })
            }
            BoardUpdate::Rewind { to } => {
                app.play.update_match(|table| table.take_back(table.entries().len().saturating_sub(to)));
                app.play.mark_log_stale();
                thinker::forget();
                app.play.notify_changed();
                Some(0)
            }
        }
    }

    /// Returns the state of the display of events; `None` without a table.
    fn show_state(self) -> Option<ShowState> {
        self.with_peer_state(|peer_state| peer_state.show)
    }

    /// Sets the state of the display of events; does nothing without a table.
    fn set_show_state(self, state: ShowState) {
        self.with_peer_state(|peer_state| peer_state.show = state);
    }
}
