//! The board of an online match: it follows the events of the session.

use super::pump::app;
use super::{Online, Stage, browser};
use crate::app::{App, Screen};
use crate::boards;
use crate::play::{Eyes, PlayerKind, SeatPlayer};
use crate::session::is_silent;
use crate::{clock, page, thinker};
use leptos::prelude::*;
use pentarchy_engine::record::{Header, Record, RecordKind};
use pentarchy_engine::{Node, Observer, Seat};
use pentarchy_lobby::fingerprint;
use pentarchy_table::{Ending, PeerSession};
use wasm_bindgen_futures::spawn_local;

/// A page that is further behind than this number of events skips to the last of them.
const MOST_BEHIND: usize = 24;
/// Events that follow without a decision within this time are shown together, in milliseconds. A deal is one event
/// per card, and each needs several messages of every peer.
const TOGETHER: f64 = 120.0;
/// Polling interval of [`wait_until_idle`](Online::wait_until_idle), in milliseconds.
const LOOK: i32 = 15;

impl Online {
    /// A game that was under way when the page was left goes on.
    pub(super) fn resume_match(self) {
        let ending = self.peer_state.with_value(|peer_state| {
            let session = peer_state.as_ref()?.lobby.session()?;
            Some((session.ending(), session.record().encode()))
        });
        let Some((ending, record)) = ending else { return };
        self.begin_match();
        self.show_board();
        self.start_away_report();
        if ending.is_some() {
            self.end_match(record);
        }
        self.refresh_from_session();
    }

    /// Prepares the page for the match: an empty board from the view of this player, names, address book, terms.
    /// Shows nothing yet.
    #[inline(never)]
    pub(super) fn begin_match(self) {
        let Some(app) = app() else { return };
        let descriptor = self.peer_state.with_value(|peer_state| {
            let session = peer_state.as_ref()?.lobby.session()?;
            Some((session.descriptor().clone(), session.seat()))
        });
        let Some((descriptor, seat)) = descriptor else { return };
        let laid = (|| {
            let game = boards::find(&descriptor.game)?;
            let header = self.record_header(seat)?;
            let table = boards::load(&Record { header, entries: Vec::new() })?;
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
        app.play.eyes.set(Eyes(seat.map_or(Observer::Spectator, |seat| Observer::Seat(Seat(seat)))));
        // Block `show_new_events` until `show_board`.
        self.with_peer_state(|peer_state| peer_state.showing = true);
        thinker::forget();
        let identities: Vec<_> = descriptor.players.iter().map(|player| player.identity).collect();
        self.with_net(|net| net.reserve(identities));
        self.players.set(descriptor.players.iter().map(|player| (player.identity, player.host)).collect());
        let me = self.me.with_untracked(|me| me.identity);
        let others = descriptor.players.iter().filter(|p| p.host.is_none() && p.identity != me);
        self.meet_players(others.map(|player| (player.identity, player.name.clone())).collect());
        self.fingerprint.set(fingerprint(&descriptor));
        self.terms.set(Some((descriptor.recovery, descriptor.stall_ms)));
        let kept = self.with_peer_state(|peer_state| {
            peer_state.kept.game.clone_from(&descriptor.game);
            peer_state.kept.players = names;
            if let Some(seating) = peer_state.lobby.seating() {
                peer_state.kept.levels =
                    seating.chairs.iter().map(|chair| chair.as_ref()?.bot.clone()).collect();
            }
            peer_state.kept.clone()
        });
        self.store_table(kept.clone());
        if let Some(plan) = kept.as_ref().and_then(|kept| kept.hosted.clone()).filter(|plan| plan.listed) {
            let path = format!("/api/tables/{}", kept.map(|kept| kept.id).unwrap_or_default());
            spawn_local(async move { drop(browser::request_lobby("DELETE", &path, &plan.owner, "").await) });
        }
        page::set_root("data-game", game.info.name);
        if seat.is_none() {
            page::set_root("data-watch", "1");
        }
    }

    /// Applies the events so far and switches the page to the board.
    #[inline(never)]
    pub(super) fn show_board(self) {
        let Some(app) = app() else { return };
        match self.stage.get_untracked() {
            Stage::Waiting => self.stage.set(Stage::Playing),
            Stage::Failed(_) => return,
            _ => {}
        }
        // Apply them before the first drawing, so that the board is drawn once.
        while self.show_next_event(app).is_some() {}
        app.sheet.set(None);
        app.page.set(Screen::Table);
        self.with_peer_state(|peer_state| peer_state.showing = false);
        self.show_new_events();
    }

    /// Waits until the session needs a decision or is over, at most `most` milliseconds.
    pub(super) async fn wait_until_idle(self, most: f64) {
        let began = clock::now();
        let rests = |session: &PeerSession| {
            session.is_over() || matches!(session.position().node(), Node::Decide(_) | Node::Over)
        };
        let resting = move || {
            self.peer_state.with_value(|peer_state| {
                peer_state.as_ref().and_then(|peer_state| peer_state.lobby.session()).is_none_or(rests)
            })
        };
        while clock::now() - began < most && !resting() {
            page::sleep(LOOK).await;
        }
    }

    /// The first line of the record as a seat sees it.
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

    /// Starts a task that shows the events of the session that are not on the board, one after the other. Does
    /// nothing while such a task is running.
    pub(super) fn show_new_events(self) {
        let idle = self.with_peer_state(|peer_state| !std::mem::replace(&mut peer_state.showing, true));
        let (Some(app), Some(true)) = (app(), idle) else { return };
        spawn_local(async move {
            self.wait_until_idle(TOGETHER).await;
            while let Some(left) = self.show_next_event(app) {
                // With many events left, show only the last ones.
                if left > 0 && left < MOST_BEHIND {
                    page::sleep(app.pause_millis()).await;
                }
            }
            self.with_peer_state(|peer_state| peer_state.showing = false);
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

    /// Applies the next event of the session to the board. Returns the number of events left, or 0 if no pause is
    /// needed; `None` if the board is up to date or the event could not be applied.
    #[inline(never)]
    fn show_next_event(self, app: App) -> Option<usize> {
        let play = app.play;
        self.rewind_board(app);
        let (at, node) = play.with_match_untracked(|table| (table.entries().len(), table.node()))?;
        let (entry, all) = self.peer_state.with_value(|peer_state| {
            let entries = peer_state.as_ref()?.lobby.session()?.entries();
            Some((entries.get(at)?.clone(), entries.len()))
        })?;
        if let Err(what) = play.update_match(|table| table.follow(&entry))? {
            play.trouble.set(Some(what));
            return None;
        }
        let left = all - at - 1;
        if left < MOST_BEHIND {
            app.save_after_event();
            app.show_last_report();
        }
        let own = play.with_match_untracked(|table| table.actors().last().copied().flatten()).flatten();
        if own.is_some() && own == play.observer_seat() {
            play.since.set(at + 1);
        }
        Some(if is_silent(node) || left >= MOST_BEHIND { 0 } else { left })
    }

    /// Where the others have agreed to take something back, because somebody is out, the board takes it back too.
    fn rewind_board(self, app: App) {
        let back = self.peer_state.with_value(|peer_state| {
            let entries = peer_state.as_ref()?.lobby.session()?.entries();
            app.play.with_match_untracked(|table| {
                let shown = table.entries();
                let same = |at: usize| entries.get(at).is_some_and(|entry| entry.digest == shown[at].digest);
                let all_same = shown.is_empty() || same(shown.len() - 1);
                if all_same { 0 } else { shown.len() - (0..shown.len()).take_while(|&at| same(at)).count() }
            })
        });
        if let Some(back) = back.filter(|back| *back > 0) {
            app.play.update_match(|table| table.take_back(back));
            app.play.mark_log_stale();
            thinker::forget();
            app.play.notify_changed();
        }
    }

    /// The game has ended, by the rules or otherwise.
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
        self.show_new_events();
    }
}
