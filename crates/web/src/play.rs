//! The match at this page as signals, and queries of it.

use crate::board::{Key, ReportDisplay};
use crate::opened::Signed;
use crate::shell::UndoOffer;
use crate::table::{GameView, ListedAction, LogLine, Scene};
use crate::ui::{Amount, Ui};
use leptos::prelude::*;
use pentarchy_engine::{Node, Observer, Seat};
use std::collections::{BTreeMap, BTreeSet};

pub use crate::players::{PlayerKind, SeatPlayer};

/// The match at this page. All signals live as long as the page; a new match resets them.
#[derive(Clone, Copy)]
pub struct Play {
    table: StoredValue<Option<Box<dyn GameView>>, LocalStorage>,
    /// Whether the screen is narrow, like a phone's. Follows the size of the window.
    pub narrow: RwSignal<bool>,
    /// Incremented whenever the match has changed.
    pub version: RwSignal<u32>,
    /// Incremented to stop running drivers and animations.
    pub run: RwSignal<u32>,
    /// Id under which the match is saved; empty if it is not.
    pub id: RwSignal<String>,
    /// The players, by seat.
    pub players: RwSignal<Vec<SeatPlayer>>,
    /// The observer whose view is drawn.
    pub observer: RwSignal<ShownObserver>,
    /// The seat to which the screen must be handed over.
    pub curtain: RwSignal<Option<Seat>>,
    /// The keys that were clicked, in order.
    pub chosen: RwSignal<Vec<Key>>,
    /// Whether the page, not the player, chose the first key of `chosen`.
    pub preselected: RwSignal<bool>,
    /// The first key of the player's last move. It stays selected while it can be used.
    pub last: StoredValue<Option<Key>>,
    /// For each step of a turn, the amount that a click places or moves, if the player has set it.
    pub amounts: RwSignal<BTreeMap<usize, Amount>>,
    /// The open number stepper.
    pub stepper: RwSignal<Option<Stepper>>,
    /// The version of the match in which the player stays although only ending the turn is left.
    pub stays: RwSignal<Option<u32>>,
    /// Keys of the list entry under the pointer.
    pub hinted: RwSignal<Vec<Key>>,
    /// Keys of the move that a hint recommends.
    pub advised: RwSignal<Vec<Key>>,
    /// Number of events of the position that a replay shows; `None` for the present.
    pub at: RwSignal<Option<usize>>,
    /// The undo offer after the player's last move.
    pub offer: RwSignal<Option<UndoOffer>>,
    /// An error message.
    pub trouble: RwSignal<Option<String>>,
    /// The newest log lines since the player's last move.
    pub recap: RwSignal<Vec<LogLine>>,
    /// The canonical text of the action that waits for confirmation.
    pub asked: RwSignal<Option<String>>,
    /// The label of a forced move while it is shown.
    pub forced: RwSignal<Option<String>>,
    /// Whether everything up to the player's next decision is skipped.
    pub skipping: RwSignal<bool>,
    /// Whether bots are paused.
    pub paused: RwSignal<bool>,
    /// Whether the replay runs.
    pub replaying: RwSignal<bool>,
    /// Reports to read, in order; the first is shown.
    pub reports: RwSignal<Vec<Reported>>,
    /// Number of events after the last move of this page's player.
    pub since: RwSignal<usize>,
    /// The signatures of an opened record, if it has any.
    pub signed: RwSignal<Option<Signed>>,
    /// The identifier of a game of the club's archive.
    pub archived: RwSignal<Option<String>>,
    /// Cache of the legal actions, with the key for which they were computed.
    cache: StoredValue<Option<(ActionListKey, Vec<ListedAction>)>>,
    /// Whether the log must be rendered from its first line.
    stale: StoredValue<bool>,
}

/// A report to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported {
    /// Number of events after the event of the report.
    pub at: usize,
    /// How it is shown.
    pub display: ReportDisplay,
}

/// Cache key of the legal actions: version of the match, number of events, observer, names of the players.
type ActionListKey = (u32, usize, ShownObserver, Vec<String>);

/// The number stepper: the amount that goes to a place.
#[derive(Clone, PartialEq, Debug)]
pub struct Stepper {
    /// The keys that lead to the number.
    pub path: Vec<Key>,
    /// The selected number, one of those that the rules allow.
    pub n: u32,
    /// Horizontal position in the window, in pixels.
    pub left: f64,
    /// Vertical position in the window, in pixels.
    pub top: f64,
}

/// An observer as the value of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShownObserver(pub Observer);

impl Play {
    /// Creates the signals without a match. Call it inside a reactive owner.
    pub fn new() -> Self {
        Play {
            table: StoredValue::new_local(None),
            narrow: RwSignal::new(crate::page::is_compact()),
            version: RwSignal::new(0),
            run: RwSignal::new(0),
            id: RwSignal::new(String::new()),
            players: RwSignal::new(Vec::new()),
            observer: RwSignal::new(ShownObserver(Observer::Spectator)),
            curtain: RwSignal::new(None),
            chosen: RwSignal::new(Vec::new()),
            preselected: RwSignal::new(false),
            last: StoredValue::new(None),
            amounts: RwSignal::new(BTreeMap::new()),
            stepper: RwSignal::new(None),
            stays: RwSignal::new(None),
            hinted: RwSignal::new(Vec::new()),
            advised: RwSignal::new(Vec::new()),
            at: RwSignal::new(None),
            offer: RwSignal::new(None),
            trouble: RwSignal::new(None),
            recap: RwSignal::new(Vec::new()),
            asked: RwSignal::new(None),
            forced: RwSignal::new(None),
            skipping: RwSignal::new(false),
            paused: RwSignal::new(false),
            replaying: RwSignal::new(false),
            reports: RwSignal::new(Vec::new()),
            since: RwSignal::new(0),
            signed: RwSignal::new(None),
            archived: RwSignal::new(None),
            cache: StoredValue::new(None),
            stale: StoredValue::new(true),
        }
    }

    /// Sets up a match in place of the old one, stops its drivers and resets the signals of a match; the size
    /// of the screen stays. `players` are by seat; `id` is the id under which it is saved, empty if it is
    /// not. The view is that of the only person at this page, of a spectator if there are several, and of all
    /// if there are none. Does not change the screen or start a driver.
    pub fn set_match(&self, table: Box<dyn GameView>, players: Vec<SeatPlayer>, id: String) {
        self.stop();
        let people: Vec<u8> =
            (0..).zip(&players).filter(|(_, p)| p.kind.is_person()).map(|(s, _)| s).collect();
        let observer = match people[..] {
            [] => Observer::All,
            [only] => Observer::Seat(Seat(only)),
            _ => Observer::Spectator,
        };
        self.table.set_value(Some(table));
        self.players.set(players);
        self.id.set(id);
        self.observer.set(ShownObserver(observer));
        self.curtain.set(None);
        self.at.set(None);
        self.offer.set(None);
        self.trouble.set(None);
        self.paused.set(false);
        self.replaying.set(false);
        self.skipping.set(false);
        self.recap.set(Vec::new());
        self.since.set(0);
        self.reports.set(Vec::new());
        self.last.set_value(None);
        self.amounts.set(BTreeMap::new());
        self.signed.set(None);
        self.archived.set(None);
        self.mark_log_stale();
        self.notify_changed();
    }

    /// Marks the list of log lines on the screen for complete rendering at the next change of the match,
    /// because events were taken back or another match begins. Without the mark only new lines are appended.
    pub fn mark_log_stale(&self) {
        self.stale.set_value(true);
    }

    /// Returns whether the log must be rendered from its first line, and resets the mark.
    pub fn take_log_stale(&self) -> bool {
        self.stale.try_update_value(|stale| std::mem::replace(stale, false)).unwrap_or(false)
    }

    /// Returns the number of events up to the last move of this page's player, that move included; 0 if there
    /// is none. Moves of further people at this page do not count. Tracks nothing.
    pub fn events_at_last_move(&self) -> usize {
        let own = |seat: &Seat| {
            self.players
                .with_untracked(|players| players.get(seat.index()).is_some_and(|p| p.kind == PlayerKind::Me))
        };
        let last = self
            .with_match_untracked(|table| table.actors().iter().rposition(|a| a.as_ref().is_some_and(own)));
        last.flatten().map_or(0, |i| i + 1)
    }

    /// Makes running drivers, replays and verifications of records stop at their next step, by a new number in
    /// `run`, and hides a forced move. The match and what is saved of it stay.
    pub fn stop(&self) {
        self.forced.set(None);
        self.run.update(|run| *run += 1);
    }

    /// Signals that the match has changed: increments `version`, resets selection, confirmation, stepper and
    /// highlights, and hides a forced move.
    pub fn notify_changed(&self) {
        self.chosen.set(Vec::new());
        self.preselected.set(false);
        self.stepper.set(None);
        self.asked.set(None);
        self.forced.set(None);
        self.hinted.set(Vec::new());
        self.advised.set(Vec::new());
        self.version.update(|version| *version += 1);
    }

    /// Calls `f` with the match and returns its result; `None` without a match. Tracks changes: a reactive
    /// caller runs again.
    pub fn with_match<T>(&self, f: impl FnOnce(&dyn GameView) -> T) -> Option<T> {
        self.version.track();
        self.with_match_untracked(f)
    }

    /// Calls `f` with the match and returns its result; `None` without a match. Does not track changes. `f`
    /// must not change the match through this object.
    pub fn with_match_untracked<T>(&self, f: impl FnOnce(&dyn GameView) -> T) -> Option<T> {
        self.table.with_value(|table| table.as_ref().map(|table| f(table.as_ref())))
    }

    /// Returns the log lines of the events after the first `from` up to the first `until`, as the player of this page
    /// sees them; empty without a match. Some events have no line, such as the end of a purchase.
    pub fn log_between(&self, from: usize, until: usize) -> Vec<LogLine> {
        let observer = self.observer.get_untracked().0;
        let lines = self.with_match_untracked(|table| table.log(from, observer)).unwrap_or_default();
        lines.into_iter().filter(|line| line.at <= until).collect()
    }

    /// Calls `f` with the mutable match and returns its result; `None` without a match. `f` must not access
    /// the match through this object. The caller must call [`notify_changed`](Self::notify_changed)
    /// afterwards.
    pub fn update_match<T>(&self, f: impl FnOnce(&mut dyn GameView) -> T) -> Option<T> {
        self.table.try_update_value(|table| table.as_mut().map(|table| f(table.as_mut()))).flatten()
    }

    /// Returns the seat whose view is drawn; `None` for the view of all or of a spectator. Tracks the view.
    pub fn observer_seat(&self) -> Option<Seat> {
        match self.observer.get().0 {
            Observer::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// Returns the seat whose hand is drawn and that texts address as "you"; `None` for a spectator. With all
    /// cards open, as after the end, it is the seat of the only person at this page, and `None` if there are
    /// none or several. Tracks the view.
    pub fn own_seat(&self) -> Option<Seat> {
        match self.observer.get().0 {
            Observer::Seat(seat) => Some(seat),
            Observer::All => match self.local_seats()[..] {
                [only] => Some(only),
                _ => None,
            },
            Observer::Spectator => None,
        }
    }

    /// Returns the seats of the people at this screen, ascending. Does not track changes.
    pub fn local_seats(&self) -> Vec<Seat> {
        let person = |(seat, p): (u8, &SeatPlayer)| p.kind.is_person().then_some(Seat(seat));
        self.players.with_untracked(|players| (0..).zip(players).filter_map(person).collect())
    }

    /// Returns the names of the players by seat. The player of this page is "You" if no other person plays at
    /// this page, otherwise "Player N" (the seat from 1) if they have not changed their name. Tracks the
    /// players.
    pub fn names(&self) -> Vec<String> {
        self.players.with(|players| {
            let alone = players.iter().filter(|p| p.kind.is_person()).count() == 1;
            let name = |(seat, p): (usize, &SeatPlayer)| match p.kind {
                PlayerKind::Me if alone => "You".to_string(),
                PlayerKind::Me if p.name == "You" => format!("Player {}", seat + 1),
                _ => p.name.clone(),
            };
            players.iter().enumerate().map(name).collect()
        })
    }

    /// Returns the number of events of the position that is shown; `usize::MAX` for the present. Tracks it.
    pub fn shown_at(&self) -> usize {
        self.at.get().unwrap_or(usize::MAX)
    }

    /// Returns whether a modal report is shown or queued. Tracks the reports.
    pub fn has_open_dialog(&self) -> bool {
        self.reports.with(|reports| reports.iter().any(|report| report.display.is_modal()))
    }

    /// Queues the report of the last event and drops the queued ones that are not modal; does nothing if the
    /// event has no report. The board decides whether a report is modal. One that is not is dropped if a
    /// modal one waits.
    pub fn show_report(&self) {
        let ui = untrack(|| self.ui(&[]));
        let observer = self.observer.get_untracked().0;
        let told = self.with_match_untracked(|table| {
            let at = table.entries().len();
            table.report(at, observer, &ui).map(|report| Reported { at, display: report.display })
        });
        if let Some(report) = told.flatten() {
            self.reports.update(|reports| {
                reports.retain(|known| known.display.is_modal());
                if report.display.is_modal() || reports.is_empty() {
                    reports.push(report);
                }
            });
        }
    }

    /// Closes the shown report; the next in the queue is shown. Returns `false` if there was none.
    pub fn close_report(&self) -> bool {
        let any = self.reports.with_untracked(|reports| !reports.is_empty());
        if any {
            self.reports.update(|reports| {
                reports.remove(0);
            });
        }
        any
    }

    /// Returns whether the player at the screen has to decide now. `false` in a replay, behind a curtain and
    /// while a forced move is shown. Tracks all of these.
    pub fn is_own_decision(&self) -> bool {
        let asked = self.with_match(|table| match table.node() {
            Node::Decide(seat) => Some(seat),
            _ => None,
        });
        let asked = asked.flatten().filter(|_| self.forced.with(Option::is_none));
        self.at.get().is_none()
            && self.curtain.get().is_none()
            && asked.is_some()
            && asked == self.observer_seat()
    }

    /// Returns the legal actions and gestures of the player at the screen in the order of the rules; in a
    /// replay, those of the seat that decided, if the view shows them. Seats are named in their texts. Empty if
    /// the player does not have to decide, behind a curtain and without a match. Cached until the match, the
    /// view or a name changes. Tracks all of these.
    pub fn legal_actions(&self) -> Vec<ListedAction> {
        if self.curtain.get().is_some() || (self.at.get().is_none() && !self.is_own_decision()) {
            return Vec::new();
        }
        let key = (self.version.get(), self.shown_at(), self.observer.get(), self.names());
        let known = |cache: &Option<(ActionListKey, Vec<ListedAction>)>| {
            cache.as_ref().filter(|c| c.0 == key).map(|c| c.1.clone())
        };
        self.cache.with_value(known).unwrap_or_else(|| {
            let choices =
                self.with_match_untracked(|table| table.choices(key.1, key.2.0)).unwrap_or_default();
            let ui = Ui { seat: self.own_seat(), names: key.3.clone(), ..Ui::default() };
            let list: Vec<ListedAction> = choices.into_iter().map(|choice| choice.with_names(&ui)).collect();
            self.cache.set_value(Some((key, list.clone())));
            list
        })
    }

    /// Returns the amount that a click places or moves now: the one that the player has set for this step of
    /// the turn, or the usual one of the game; the default amount without a match. Tracks the match and the
    /// settings of the player.
    pub fn click_amount(&self) -> Amount {
        let (step, usual) = self.with_match(|table| table.usual_amount()).unwrap_or_default();
        self.amounts.with(|amounts| amounts.get(&step).copied().unwrap_or(usual))
    }

    /// Collects what a board needs besides the position: selection, highlights, names, screen size. `choices`
    /// are the legal actions: the keys that can be clicked next are highlighted, none if `choices` is empty
    /// or the player does not have to decide. `ledger` and `story` are left empty. Tracks all signals that it
    /// reads.
    pub fn ui(&self, choices: &[ListedAction]) -> Ui {
        let (mine, chosen) = (self.is_own_decision(), self.chosen.get());
        let preselected = self.preselected.get() && !chosen.is_empty();
        let next = choices.iter().filter(|c| mine && c.path.starts_with(&chosen));
        let mut lit: BTreeSet<Key> = next.filter_map(|c| c.path.get(chosen.len()).cloned()).collect();
        let start: BTreeSet<Key> =
            choices.iter().filter(|_| mine).filter_map(|c| c.path.first().cloned()).collect();
        if preselected {
            // The player can still choose another piece.
            lit.extend(start.iter().cloned());
        }
        Ui {
            seat: self.own_seat(),
            names: self.names(),
            colours: self.players.with(|players| players.iter().map(|p| p.colour).collect()),
            lit,
            start,
            preselected,
            amount: self.click_amount(),
            stepper: self.stepper.with(|s| s.as_ref().and_then(|s| Some((s.path.last()?.clone(), s.n)))),
            chosen,
            hinted: [self.hinted.get(), self.advised.get()].concat(),
            mine,
            narrow: self.narrow.get(),
            ledger: Vec::new(),
            story: Vec::new(),
        }
    }

    /// Returns everything that is drawn of the shown position, with the selection, highlights and names of
    /// `ui`; `None` without a match. Tracks the match and the view.
    pub fn scene(&self, ui: &Ui) -> Option<Scene> {
        let (at, observer) = (self.shown_at(), self.observer.get().0);
        self.with_match(|table| table.scene(at, observer, ui))
    }
}

impl Default for Play {
    /// Creates the signals without a match, as [`Play::new`] does.
    fn default() -> Self {
        Self::new()
    }
}
