//! Late players, moves that others have not received, and the summary for a player who comes back.

use super::browser::SEEN_ALL;
use super::pump::app;
use super::{Identity, Online, Stage};
use crate::app::Sheet;
use crate::page;
use crate::words::{and, ended_by_you};
use leptos::prelude::*;
use pentarchy_engine::{Chance, Node, Seat, SeatSet};
use pentarchy_table::{Ending, PeerSession, Recovery};
use wasm_bindgen_futures::spawn_local;

/// The page counts as caught up after this time without a new event, in milliseconds.
const QUIET: i32 = 900;
/// Shorter absences, such as a reload, are not reported, in seconds.
const SHORT_ABSENCE: u64 = 30;

/// A player for whom the table waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LatePlayer {
    /// Their seat.
    pub seat: u8,
    /// What the others need from them, as a sentence.
    pub need: &'static str,
    /// Silence so far, in seconds.
    pub silent: u64,
    /// Time per move, in seconds.
    pub limit: u64,
    /// Whether a bot takes over when the others agree that the player is late; else the match ends.
    pub takeover: bool,
    /// Whether the machines that are not late are a majority and can continue without this player.
    pub majority: bool,
}

impl LatePlayer {
    /// Returns the seconds left of the time per move; `None` if the time is over.
    pub fn left(&self) -> Option<u64> {
        self.limit.checked_sub(self.silent).filter(|left| *left > 0)
    }

    /// Returns whether the remaining time is short enough to show the clock: a quarter of a limit of up to
    /// four minutes, otherwise a tenth, at least a minute. `true` also when the time is over.
    pub fn is_short(&self) -> bool {
        let short = if self.limit <= 240 { self.limit / 4 } else { (self.limit / 10).max(60) };
        self.left().is_none_or(|left| left <= short)
    }
}

/// Why a match did not end normally.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// The reason, in one or two sentences.
    pub text: String,
    /// Whether the player of this page was dropped.
    pub counted_out: bool,
}

/// An absence of the player of this page.
#[derive(Clone, PartialEq, Debug)]
pub struct Away {
    /// Number of events before it.
    pub from: usize,
    /// Number of events when the page had caught up; `None` before that.
    pub until: Option<usize>,
    /// Length in seconds.
    pub seconds: u64,
    /// Whether the player had to act and exceeded the time per move.
    pub overdue: bool,
}

impl Online {
    /// Updates `due` from the session, at every tick: the first person, other than the player of this page,
    /// whom the match waits for, with their silence; `None` if there is none and outside of a running match.
    /// When `due` changes and its time is not over (or there is none), resets `patience`, so that the next late
    /// player is asked about at once.
    pub(super) fn update_late_player(self) {
        let playing = self.stage.with_untracked(|stage| *stage == Stage::Playing);
        let due = self.peer_state.with_value(|peer_state| {
            let session = peer_state.as_ref()?.lobby.session().filter(|s| playing && !s.is_over())?;
            let seat = session.due().into_iter().find(|seat| self.is_person(*seat))?;
            let descriptor = session.descriptor();
            let machine = |seat: u8| session.live().has(Seat(seat)) && descriptor.machine(seat) == seat;
            let late: Vec<u8> = session.due().iter().map(|&seat| descriptor.machine(seat)).collect();
            let machines: Vec<u8> = (0..descriptor.seats()).filter(|&seat| machine(seat)).collect();
            let there = machines.iter().filter(|seat| !late.contains(seat)).count();
            Some(LatePlayer {
                seat,
                need: need(session, seat),
                silent: session.silence_ms() / 1000,
                limit: u64::from(descriptor.stall_ms) / 1000,
                takeover: descriptor.recovery != Recovery::End,
                majority: 2 * there > machines.len(),
            })
        });
        if self.due.with_untracked(|known| *known != due) {
            let over = due.as_ref().is_none_or(|due| due.left().is_some());
            if over && self.patience.get_untracked() != 0 {
                self.patience.set(0);
            }
            self.due.set(due);
        }
    }

    /// Keeps the question about the late player closed for another time limit, counted from now, at this page
    /// only. Sends nothing. Does nothing if the table waits for nobody.
    pub fn wait_longer(self) {
        if let Some(due) = self.due.get_untracked() {
            self.patience.set(due.silent + due.limit.max(1));
        }
    }

    /// Lets the question about a late player appear again as soon as their time is over, also if the player of
    /// this page has chosen to wait longer ([`wait_longer`](Self::wait_longer)). Sends nothing.
    pub fn ask_about_late_player(self) {
        self.patience.set(0);
    }

    /// Records that a player has connected (`up`) and receives everything, or has disconnected and misses
    /// later events. Stores it with the table, updates `unseen`, and completes the report about an absence
    /// after a connection. Ignores people who are not players of the match.
    pub(super) fn record_connection(self, identity: Identity, up: bool) {
        let seat = self.players.with_untracked(|players| players.iter().position(|(id, _)| *id == identity));
        let Some(seat) = seat else { return };
        let kept = self.with_peer_state(|peer_state| {
            let events = peer_state.lobby.session()?.entries().len() as u32;
            let seen = &mut peer_state.kept.seen;
            seen.resize(seen.len().max(seat + 1), SEEN_ALL);
            seen[seat] = if up { SEEN_ALL } else { seen[seat].min(events) };
            Some(peer_state.kept.clone())
        });
        self.store_table(kept.flatten());
        self.count_unseen();
        if up {
            self.finish_away_report(false);
        }
    }

    /// Recomputes `unseen`: for each other person who is away, the number of own moves since they were last
    /// here and since their last contribution, which may have come by mail. People who have seen all have no
    /// entry. Does nothing for spectators.
    fn count_unseen(self) {
        let Some(me) = self.own_seat() else { return };
        let count = self.peer_state.with_value(|peer_state| {
            let peer_state = peer_state.as_ref()?;
            let (seen, session) = (&peer_state.kept.seen, peer_state.lobby.session()?);
            let signed = |seat: u8| session.trust().agreed.get(usize::from(seat)).copied().unwrap_or(0);
            app()?.play.with_match_untracked(|table| {
                let moves = |from: u32| {
                    table
                        .actors()
                        .iter()
                        .skip(from as usize)
                        .filter(|actor| **actor == Some(Seat(me)))
                        .count()
                };
                let all =
                    (0u8..).zip(seen).filter(|(seat, from)| self.is_person(*seat) && **from != SEEN_ALL);
                all.map(|(seat, from)| (seat, moves((*from).max(signed(seat)))))
                    .filter(|(_, n)| *n > 0)
                    .collect()
            })
        });
        self.unseen.set(count.unwrap_or_default());
    }

    /// Stores the status that the home page shows (round, awaited players, since when and until when) if it has
    /// changed, and updates `unseen` and the tab title. Does nothing before the match.
    pub(super) fn store_status(self) {
        let Some(app) = app() else { return };
        self.count_unseen();
        let me = self.own_seat();
        let status = self.peer_state.with_value(|peer_state| {
            let session = peer_state.as_ref()?.lobby.session()?;
            let due = match session.position().node() {
                Node::Decide(seat) => vec![seat.0],
                _ => session.due(),
            };
            let names = due.iter().filter(|seat| Some(**seat) != me).map(|seat| name(*seat)).collect();
            let limit = f64::from(session.descriptor().stall_ms);
            Some((me.is_some_and(|me| due.contains(&me)), names, session.entries().len(), limit))
        });
        let Some((my_turn, awaited, events, limit)) = status else { return };
        let round = app.play.with_match_untracked(|table| table.round()).unwrap_or_default();
        // The tab title shows a player in another tab that it is their turn.
        if let Some(document) = page::document() {
            let title = app.play.with_match_untracked(|table| table.info().title).unwrap_or("Pentarchy");
            document.set_title(&if my_turn { format!("Your turn: {title}") } else { title.to_string() });
        }
        let kept = self.with_peer_state(|peer_state| {
            let kept = &mut peer_state.kept;
            if (kept.my_turn, &kept.awaited, &kept.round, kept.events) == (my_turn, &awaited, &round, events)
            {
                return None;
            }
            let is_new = (kept.my_turn, &kept.awaited, kept.events) != (my_turn, &awaited, events);
            (kept.my_turn, kept.awaited, kept.round, kept.events) = (my_turn, awaited, round, events);
            kept.when = js_sys::Date::now();
            if is_new {
                (kept.since, kept.due_by) = (kept.when, kept.when + limit);
            }
            Some(kept.clone())
        });
        self.store_table(kept.flatten());
    }

    /// Starts an [`Away`] report for a match that was running when the page was left, counts all other
    /// players as disconnected until they connect, and recomputes `unseen`. If the match was ended meanwhile
    /// by a claim, shows the reason and sets the stage to `Over`. Stores nothing. Does nothing before the
    /// match.
    pub(super) fn start_away_report(self) {
        let now = js_sys::Date::now();
        let state = self.with_peer_state(|peer_state| {
            let session = peer_state.lobby.session()?;
            let events = session.entries().len();
            for seen in &mut peer_state.kept.seen {
                *seen = (*seen).min(events as u32);
            }
            let seats = usize::from(session.descriptor().seats());
            peer_state.kept.seen.resize(seats, events as u32);
            let seconds = ((now - peer_state.left).max(0.0) / 1000.0) as u64;
            let due = session.seat().is_some_and(|me| session.due().contains(&me));
            let overdue =
                due && peer_state.left > 0.0 && seconds * 1000 > u64::from(session.descriptor().stall_ms);
            let away = Away { from: events, until: None, seconds, overdue };
            Some((away, peer_state.kept.over, peer_state.kept.ended.clone(), session.ending()))
        });
        let Some((away, over, ended, ending)) = state.flatten() else { return };
        self.away.set(Some(away));
        self.count_unseen();
        // A match that was ended for lateness stays ended on this page.
        if over && !ended.is_empty() && ending.is_none() {
            self.show_ended(Ended { text: ended, counted_out: false });
            self.stage.set(Stage::Over(Ending::Claimed(SeatSet::NONE)));
        }
    }

    /// Completes the [`Away`] report in the background, after [`QUIET`] milliseconds without a new event and
    /// when the board shows all events, and shows it if the log says something about an absence of at least
    /// [`SHORT_ABSENCE`] seconds, no dialog is open and the match is still running. Does nothing without an unfinished
    /// report. After mail without news (`by_mail`) the report stays unfinished: a player who connects may bring news.
    /// Events without a line in the log are no news.
    pub(super) fn finish_away_report(self, by_mail: bool) {
        if self.away.with_untracked(|away| away.as_ref().is_none_or(|away| away.until.is_some())) {
            return;
        }
        spawn_local(async move {
            let events = || {
                self.peer_state
                    .with_value(|peer_state| Some(peer_state.as_ref()?.lobby.session()?.entries().len()))
            };
            // The report reads the log of the board, which shows events some time after they were verified.
            let shown = || app()?.play.with_match_untracked(|table| table.entries().len());
            let mut before = None;
            while before != events() || shown() < before {
                before = events();
                page::sleep(QUIET).await;
            }
            let Some(app) = app() else { return };
            let from = self.away.with_untracked(|away| away.as_ref().map(|away| away.from));
            let (Some(from), Some(until)) = (from, before) else { return };
            let has_news = !app.play.log_between(from, until).is_empty();
            let first = self.away.try_update(|away| {
                let away = away.as_mut().filter(|away| away.until.is_none())?;
                if by_mail && !has_news {
                    return None;
                }
                away.until = before;
                Some(away.clone())
            });
            if let Some(Some(away)) = first
                && has_news
                && away.seconds >= SHORT_ABSENCE
                && app.sheet.with_untracked(Option::is_none)
                && self.stage.with_untracked(|stage| *stage == Stage::Playing)
            {
                app.sheet.set(Some(Sheet::Away));
            }
        });
    }

    /// Shows and stores why the match ended, in sentences that name the players; opens a dialog if this
    /// player was dropped. Does nothing if it ended normally.
    pub(super) fn report_ending(self, ending: Ending) {
        let Some(app) = app() else { return };
        let me = self.own_seat();
        let others = |seats: SeatSet| {
            let others = seats.iter().filter(|seat| Some(seat.0) != me);
            others.map(|seat| name(seat.0)).collect::<Vec<String>>()
        };
        let named = |seats: SeatSet| and(&others(seats));
        let mine = |seats: SeatSet| me.is_some_and(|me| seats.has(Seat(me)));
        let all = self.players.with_untracked(|players| SeatSet::first(players.len() as u8));
        // Evidence arrives before the totals of the trust panel.
        let cheats: SeatSet =
            self.trust.with_untracked(|t| t.cheats.iter().map(|&seat| Seat(seat)).collect());
        let cheats = cheats
            | self.proofs.with_untracked(|proofs| proofs.iter().map(|proof| Seat(proof.seat)).collect());
        let bot = self.peer_state.with_value(|peer_state| {
            let session = peer_state.as_ref().and_then(|peer_state| peer_state.lobby.session());
            session.is_some_and(|session| session.descriptor().recovery != Recovery::End)
        });
        let text = match ending {
            Ending::Played => return,
            Ending::Dropped(gone) if mine(gone) && bot => {
                format!("You were late. {} agreed that a bot plays your seat.", named(all - gone))
            }
            Ending::Dropped(gone) if mine(gone) => {
                format!("You were late. {} ended the game without you. It has no winner.", named(all - gone))
            }
            Ending::Dropped(gone) if gone.meets(cheats) => {
                format!(
                    "{} cheated. The game ended without a winner. All other players signed this.",
                    named(gone)
                )
            }
            Ending::Dropped(gone) => {
                format!(
                    "{} did not come back. The game ended without a winner. All other players signed this.",
                    named(gone)
                )
            }
            Ending::Claimed(gone) => ended_by_you(&others(gone)),
        };
        let counted_out = matches!(ending, Ending::Dropped(gone) if mine(gone));
        self.end_with(Ended { text, counted_out });
        if counted_out {
            app.sheet.set(Some(Sheet::Away));
        }
    }

    /// Stores with the table that the match is over for the reason `ended` and that no turn of this player is
    /// awaited, clears `due`, and shows the reason. Does not change the stage.
    fn end_with(self, ended: Ended) {
        let kept = self.with_peer_state(|peer_state| {
            peer_state.kept.over = true;
            peer_state.kept.ended.clone_from(&ended.text);
            peer_state.kept.my_turn = false;
            peer_state.kept.clone()
        });
        self.store_table(kept);
        self.due.set(None);
        self.show_ended(ended);
    }

    /// Sets the signal `ended` and the attribute of the page that show why the match ended. Stores
    /// nothing.
    fn show_ended(self, ended: Ended) {
        page::set_root("data-ended", "1");
        self.ended.set(Some(ended));
    }

    /// Ends the match on this page, because the player `by` has signed that the seats `late`, the own one among
    /// them, were late: sets the stage to `Over`, stores and shows the reason, and opens the dialog about it.
    /// Does nothing if the match has ended or failed.
    pub(super) fn end_by_claim(self, by: u8, late: SeatSet) {
        let Some(app) = app() else { return };
        if !self.stage.with_untracked(|stage| matches!(stage, Stage::Waiting | Stage::Playing)) {
            return;
        }
        let text = format!("{} ended the game because you were late. It has no winner.", name(by));
        self.stage.set(Stage::Over(Ending::Claimed(late)));
        self.end_with(Ended { text, counted_out: true });
        app.sheet.set(Some(Sheet::Away));
    }
}

/// Returns the display name of a seat; empty if it is unknown.
fn name(seat: u8) -> String {
    let players = app().map(|app| app.play.players);
    players
        .and_then(|p| p.with_untracked(|p| p.get(usize::from(seat)).map(|p| p.name.clone())))
        .unwrap_or_default()
}

/// Returns the sentence about what the others need from the absent player of this seat: "We need
/// them to start the game.", "It is their move.", "We need them to roll.", "… to shuffle.", "… to
/// deal." or "… to sign the result."
fn need(session: &PeerSession, seat: u8) -> &'static str {
    if session.head() == [0; 32] {
        return "We need them to start the game.";
    }
    match session.position().node() {
        Node::Decide(by) | Node::Declare(by) if by.0 == seat => "It is their move.",
        Node::Chance(Chance::Roll { .. } | Chance::Pick { .. } | Chance::Cast { .. }) => {
            "We need them to roll."
        }
        Node::Chance(Chance::Shuffle { .. }) | Node::Rearrange { .. } => "We need them to shuffle.",
        Node::Over => "We need them to sign the result.",
        _ => "We need them to deal.",
    }
}
