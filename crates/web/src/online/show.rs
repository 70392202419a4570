//! The board of an online match: its start and end, and the events that the session has verified, drawn at a readable
//! pace.

use super::pump::app;
use super::{Online, Stage};
use crate::app::{App, Screen};
use crate::boards;
use crate::pace::is_silent;
use crate::play::{PlayerKind, SeatPlayer, ShownObserver};
use crate::{page, thinker};
use leptos::prelude::*;
use pentarchy_engine::record::{Header, Record, RecordEntry, RecordKind};
use pentarchy_engine::{Node, Observer, Seat};
use pentarchy_lobby::fingerprint;
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
    /// Returns whether the match waits for a decision, or is over, after this update; `false` for a rewind.
    fn is_at_rest(&self) -> bool {
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
    /// Shows a match that was restored from the database, with the report about the absence. Shows the
    /// result if the match is over. If the game cannot be loaded, the board is not shown. Does nothing if the
    /// table is still in the lobby.
    pub(super) fn resume_match(self) {
        let ending = self.peer_state.with_value(|peer_state| {
            let session = peer_state.as_ref()?.lobby.session()?;
            Some((session.ending(), session.record().encode(), session.entries().to_vec()))
        });
        let Some((ending, record, entries)) = ending else { return };
        self.begin_match(entries);
        self.show_board();
        self.start_away_report();
        if ending.is_some() {
            self.end_match(record);
        }
        self.copy_trust();
    }

    /// Prepares the page for the match: sets up the board after the events `entries` as this player sees it,
    /// the names and the terms; adds the other players to the address book; stores names, seat and levels of
    /// bots with the table; reserves connections for the players; asks the server to notify this player of
    /// their turns, if they want that; removes the table from the server's list; resets the bots. Shows nothing
    /// yet: call [`Online::show_board`] later. If the game cannot be loaded, the stage becomes `Failed`. Does
    /// nothing before the match has begun.
    #[inline(never)]
    pub(super) fn begin_match(self, entries: Vec<RecordEntry>) {
        let Some(app) = app() else { return };
        let descriptor = self.peer_state.with_value(|peer_state| {
            let session = peer_state.as_ref()?.lobby.session()?;
            Some((session.descriptor().clone(), session.seat()))
        });
        let Some((descriptor, seat)) = descriptor else { return };
        let laid = (|| {
            let game = boards::find(&descriptor.game)?;
            let header = self.record_header(seat)?;
            let table = boards::load(&Record { header, entries })?;
            Ok::<_, String>((game, table))
        })();
        let (game, table) = match laid {
            Ok(laid) => laid,
            Err(what) => return self.stage.set(Stage::Failed(what)),
        };
        let players: Vec<SeatPlayer> = (0u8..)
            .zip(&descriptor.players)
            .map(|(s, player)| SeatPlayer {
                name: if player.name.is_empty() { format!("Seat {}", s + 1) } else { player.name.clone() },
                colour: game.look.colours[usize::from(s) % 6],
                kind: if Some(s) == seat { PlayerKind::Me } else { PlayerKind::Far },
            })
            .collect();
        let names: Vec<String> = players.iter().map(|p| p.name.clone()).collect();
        app.play.set_match(table, players, String::new());
        app.play
            .observer
            .set(ShownObserver(seat.map_or(Observer::Spectator, |seat| Observer::Seat(Seat(seat)))));
        self.with_peer_state(|peer_state| peer_state.show = ShowState::Hidden);
        thinker::forget();
        let identities: Vec<_> = descriptor.players.iter().map(|player| player.identity).collect();
        self.with_net(|net| net.reserve(identities));
        self.players.set(descriptor.players.iter().map(|player| (player.identity, player.host)).collect());
        let me = self.me.with_untracked(|me| me.identity);
        let others = descriptor.players.iter().filter(|p| p.host.is_none() && p.identity != me);
        self.meet_players(others.map(|player| (player.identity, player.name.clone())).collect());
        self.fingerprint.set(fingerprint(&descriptor));
        self.terms.set(Some(descriptor.clone()));
        let kept = self.with_peer_state(|peer_state| {
            peer_state.kept.game.clone_from(&descriptor.game);
            peer_state.kept.players = names;
            peer_state.kept.seat = seat;
            if let Some(seating) = peer_state.lobby.seating() {
                peer_state.kept.levels =
                    seating.chairs.iter().map(|chair| chair.as_ref()?.bot.clone()).collect();
            }
            peer_state.kept.clone()
        });
        self.store_table(kept);
        self.follow_own_seat();
        let listing = self.with_peer_state(|peer_state| Some(peer_state.listing.as_ref()?.remove()));
        self.send_to_server(listing.flatten());
        page::set_root("data-game", game.info.name);
        if seat.is_none() {
            page::set_root("data-watch", "1");
        }
    }

    /// Returns the header of a record of the match: of the record of a seat, or of the public one for `None`.
    /// It has no seed.
    ///
    /// # Errors
    ///
    /// Fails with "there is no game" before the match, and if the options of the descriptor cannot be used.
    pub(super) fn record_header(self, seat: Option<u8>) -> Result<Header, String> {
        let header = self.peer_state.with_value(|peer_state| {
            let session = peer_state.as_ref()?.lobby.session()?;
            let options = serde_json::from_str(&session.descriptor().options).ok()?;
            let record = session.game().record(session.descriptor().seats(), &options, None).ok()?;
            Some(record.header)
        });
        let mut header = header.ok_or("there is no game")?;
        header.kind = seat.map_or(RecordKind::Public, |seat| RecordKind::Seat(Seat(seat)));
        Ok(header)
    }

    /// Handles the end of the match: keeps `record`, the encoded signed record, in memory, stores in the
    /// database that the match is over, sets the stage to `Over`, and shows the remaining events and the
    /// result, or why it ended early.
    pub(super) fn end_match(self, record: Vec<u8>) {
        let ending = self.peer_state.with_value(|peer_state| peer_state.as_ref()?.lobby.session()?.ending());
        let kept = self.with_peer_state(|peer_state| {
            peer_state.record = Some(record);
            peer_state.kept.over = true;
            peer_state.kept.clone()
        });
        self.store_table(kept);
        let ending = ending.unwrap_or(Ending::Played);
        self.stage.set(Stage::Over(ending));
        self.report_ending(ending);
        self.show_updates();
    }

    /// Queues an update of the board. On the screen of the match the queue is shown at the next decision or the
    /// end, or after [`TOGETHER`] milliseconds if neither comes; a task that is showing updates shows this one,
    /// too. Before the board is on the screen, updates wait, and the first decision brings it there. Does
    /// nothing without a table.
    pub(super) fn queue_update(self, update: BoardUpdate) {
        let rests = update.is_at_rest();
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

    /// Switches the page to the board after [`LAID`] milliseconds, with all events so far, unless the first
    /// decision did so before.
    pub(super) fn show_board_soon(self) {
        spawn_local(async move {
            page::sleep(LAID).await;
            self.show_board();
        });
    }

    /// Applies the queued updates and switches the page to the board. Does nothing if the board is on the
    /// screen, the match has failed, or there is no table.
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

    /// Starts a task that shows the queued updates one after the other, with pauses unless many are left,
    /// then stores the status of the table and shows the result of a match that has ended normally, if the
    /// player looks at its last position and not at everything. Does nothing while such a task is running or
    /// before the board is on the screen.
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
                && app.play.observer.get_untracked() != ShownObserver(Observer::All)
            {
                app.show_result();
            }
        });
    }

    /// Applies the next queued update to the match at this page. The page is notified unless [`MOST_BEHIND`]
    /// or more are left. Returns the number of updates left, or 0 if no pause is needed after this one;
    /// `None` if there was no update or no match. A position that does not follow is shown as an error.
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
