//! The game at this page: its state as signals, and what can be done with it.

use crate::board::Key;
use crate::opened::Signed;
use crate::shell::UndoOffer;
use crate::table::{GameView, ListedAction, LogLine, Scene};
use crate::ui::{Amount, Ui};
use leptos::prelude::*;
use pentarchy_engine::{Node, Observer, Seat};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Who sits at a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatPlayer {
    /// The name.
    pub name: String,
    /// The colour, 1 to 6.
    pub colour: u8,
    /// Who it is.
    pub kind: PlayerKind,
}

/// Who it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PlayerKind {
    /// The player of this page.
    Me,
    /// Somebody else at this page.
    Here,
    /// Somebody at another page, or a bot of another's.
    Far,
    /// A bot that takes any action.
    Random,
    /// A weak bot.
    Recruit,
    /// A good bot.
    Captain,
    /// A bot that looks ahead.
    Emperor,
}

impl PlayerKind {
    /// Whether a person decides.
    pub fn is_person(self) -> bool {
        matches!(self, PlayerKind::Me | PlayerKind::Here)
    }

    /// What stands beside the name.
    pub fn tag(self) -> &'static str {
        match self {
            PlayerKind::Me | PlayerKind::Far => "",
            PlayerKind::Here => "here",
            PlayerKind::Random => "Random",
            PlayerKind::Recruit => "Easy",
            PlayerKind::Captain => "Medium",
            PlayerKind::Emperor => "Hard",
        }
    }

    /// The name of a bot's level, as the laboratory and the terminal use it; nothing for people.
    pub fn rank(self) -> Option<&'static str> {
        match self {
            PlayerKind::Recruit => Some("Recruit"),
            PlayerKind::Captain => Some("Captain"),
            PlayerKind::Emperor => Some("Emperor"),
            _ => None,
        }
    }

    /// The bot of this level; a Captain if there is no such level.
    pub fn of_level(level: &str) -> PlayerKind {
        let all = [PlayerKind::Random, PlayerKind::Recruit, PlayerKind::Captain, PlayerKind::Emperor];
        all.into_iter().find(|who| who.level() == level).unwrap_or(PlayerKind::Captain)
    }

    /// The name of the bot's level.
    pub fn level(self) -> String {
        self.rank().unwrap_or(self.tag()).to_lowercase()
    }
}

/// The game at this page. All signals live as long as the page; a new game fills them anew.
#[derive(Clone, Copy)]
pub struct Play {
    table: StoredValue<Option<Box<dyn GameView>>, LocalStorage>,
    /// Whether the screen is narrow, as a phone's; follows the size of the window.
    pub narrow: RwSignal<bool>,
    /// Raised whenever the table has changed.
    pub version: RwSignal<u32>,
    /// Raised whenever what was going on is to stop.
    pub run: RwSignal<u32>,
    /// Under which name it is saved.
    pub id: RwSignal<String>,
    /// Who plays.
    pub players: RwSignal<Vec<SeatPlayer>>,
    /// Whose eyes the table is seen with.
    pub eyes: RwSignal<Eyes>,
    /// Whom the screen is to be passed to.
    pub curtain: RwSignal<Option<Seat>>,
    /// What has been clicked, in order.
    pub chosen: RwSignal<Vec<Key>>,
    /// Whether the first of `chosen` was chosen by the page and not by the player.
    pub preselected: RwSignal<bool>,
    /// The first piece of the last own move: it stays selected while it can be used.
    pub last: StoredValue<Option<Key>>,
    /// How many a click places or moves, by step of a turn, where the player has chosen.
    pub amounts: RwSignal<BTreeMap<usize, Amount>>,
    /// The stepper, while it is open.
    pub stepper: RwSignal<Option<Stepper>>,
    /// The decision, by its version, at which the player wants to stay though nothing is left to do.
    pub stays: RwSignal<Option<u32>>,
    /// What the list points at.
    pub hinted: RwSignal<Vec<Key>>,
    /// The places of the move that a hint recommends.
    pub advised: RwSignal<Vec<Key>>,
    /// After how many events of the past we look; nothing at the present.
    pub at: RwSignal<Option<usize>>,
    /// What the player has just done and may undo.
    pub offer: RwSignal<Option<UndoOffer>>,
    /// What went wrong.
    pub trouble: RwSignal<Option<String>>,
    /// The newest lines of the log since the player's last move.
    pub recap: RwSignal<Vec<LogLine>>,
    /// What the player is asked to confirm: the canonical text of an action that cannot be undone.
    pub asked: RwSignal<Option<String>>,
    /// The only move, while it is shown before the page makes it: its label.
    pub forced: RwSignal<Option<String>>,
    /// Whether everything up to the player's next decision is skipped.
    pub skipping: RwSignal<bool>,
    /// Whether bots wait.
    pub paused: RwSignal<bool>,
    /// Whether the replay plays on by itself.
    pub replaying: RwSignal<bool>,
    /// The reports that are to be read, in order; the first is shown.
    pub reports: RwSignal<Vec<Reported>>,
    /// How many events there were when the player of this page had last acted.
    pub since: RwSignal<usize>,
    /// The signatures of the record that is looked at, if it has any.
    pub signed: RwSignal<Option<Signed>>,
    /// The legal list, as it was asked for last.
    cache: StoredValue<Option<(Moment, Vec<ListedAction>)>>,
    /// Whether the log is to be written anew.
    stale: StoredValue<bool>,
}

/// A report that is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported {
    /// After how many events.
    pub at: usize,
    /// Whether it is a dialog for which the game waits; else a note at the edge that goes by itself.
    pub modal: bool,
}

/// The version of the game, after how many events it is looked at, whose eyes look, and the players' names.
type Moment = (u32, usize, Eyes, Vec<String>);

/// The stepper: how many go to a place.
#[derive(Clone, PartialEq, Debug)]
pub struct Stepper {
    /// The places that lead to the number.
    pub path: Vec<Key>,
    /// The number that is shown; the rules offer it.
    pub n: u32,
    /// Where it stands, in pixels of the window.
    pub left: f64,
    /// Where it stands, in pixels of the window.
    pub top: f64,
}

/// Whose eyes, as a value that signals can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eyes(pub Observer);

impl Play {
    /// No game yet.
    pub fn new() -> Self {
        Play {
            table: StoredValue::new_local(None),
            narrow: RwSignal::new(crate::page::compact()),
            version: RwSignal::new(0),
            run: RwSignal::new(0),
            id: RwSignal::new(String::new()),
            players: RwSignal::new(Vec::new()),
            eyes: RwSignal::new(Eyes(Observer::Spectator)),
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
            cache: StoredValue::new(None),
            stale: StoredValue::new(true),
        }
    }

    /// Sits down at a table.
    pub fn sit(&self, table: Box<dyn GameView>, players: Vec<SeatPlayer>, id: String) {
        self.stop();
        let people: Vec<u8> =
            (0..).zip(&players).filter(|(_, p)| p.kind.is_person()).map(|(s, _)| s).collect();
        let eyes = match people[..] {
            [] => Observer::All,
            [only] => Observer::Seat(Seat(only)),
            _ => Observer::Spectator,
        };
        self.table.set_value(Some(table));
        self.players.set(players);
        self.id.set(id);
        self.eyes.set(Eyes(eyes));
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
        self.renew_log();
        self.changed();
    }

    /// Events were taken back: the log is to be written anew.
    pub fn renew_log(&self) {
        self.stale.set_value(true);
    }

    /// Whether the log is to be written anew; asked once.
    pub fn fresh_log(&self) -> bool {
        self.stale.try_update_value(|stale| std::mem::replace(stale, false)).unwrap_or(false)
    }

    /// After how many events the player of this page had last acted.
    pub fn last_own_deed(&self) -> usize {
        let own = |seat: &Seat| {
            self.players
                .with_untracked(|players| players.get(seat.index()).is_some_and(|p| p.kind == PlayerKind::Me))
        };
        let last = self.peek(|table| table.actors().iter().rposition(|a| a.as_ref().is_some_and(own)));
        last.flatten().map_or(0, |i| i + 1)
    }

    /// What was going on is to stop.
    pub fn stop(&self) {
        self.forced.set(None);
        self.run.update(|run| *run += 1);
    }

    /// The table has changed.
    pub fn changed(&self) {
        self.chosen.set(Vec::new());
        self.preselected.set(false);
        self.stepper.set(None);
        self.asked.set(None);
        self.forced.set(None);
        self.hinted.set(Vec::new());
        self.advised.set(Vec::new());
        self.version.update(|version| *version += 1);
    }

    /// Looks at the table, if there is one. Whoever calls this in a reactive place follows its changes.
    pub fn look<T>(&self, f: impl FnOnce(&dyn GameView) -> T) -> Option<T> {
        self.version.track();
        self.peek(f)
    }

    /// The same without following changes.
    pub fn peek<T>(&self, f: impl FnOnce(&dyn GameView) -> T) -> Option<T> {
        self.table.with_value(|table| table.as_ref().map(|table| f(table.as_ref())))
    }

    /// Changes the table; the caller says so with [`changed`](Self::changed).
    pub fn touch<T>(&self, f: impl FnOnce(&mut dyn GameView) -> T) -> Option<T> {
        self.table.try_update_value(|table| table.as_mut().map(|table| f(table.as_mut()))).flatten()
    }

    /// The seat with whose eyes the table is seen; nothing if all or only public things are seen.
    pub fn seat(&self) -> Option<Seat> {
        match self.eyes.get().0 {
            Observer::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// The seat whose hand is drawn and that texts address as "you". When all cards are open, as after the end, it is
    /// the seat of the only person at this page.
    pub fn own_seat(&self) -> Option<Seat> {
        match self.eyes.get().0 {
            Observer::Seat(seat) => Some(seat),
            Observer::All => match self.people()[..] {
                [only] => Some(only),
                _ => None,
            },
            Observer::Spectator => None,
        }
    }

    /// The seats of the people at this screen.
    pub fn people(&self) -> Vec<Seat> {
        let person = |(seat, p): (u8, &SeatPlayer)| p.kind.is_person().then_some(Seat(seat));
        self.players.with_untracked(|players| (0..).zip(players).filter_map(person).collect())
    }

    /// The players' names. The only person at this page is "You"; of several, each has a name.
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

    /// After how many events we look.
    pub fn shown_at(&self) -> usize {
        self.at.get().unwrap_or(usize::MAX)
    }

    /// Whether a report waits for *Continue*.
    pub fn reads_report(&self) -> bool {
        self.reports.with(|reports| reports.iter().any(|report| report.modal))
    }

    /// Shows the report of the last event, if it has one: as a dialog if the player of this screen takes part.
    pub fn show_report(&self) {
        let ui = untrack(|| self.ui(&[]));
        let eyes = self.eyes.get_untracked().0;
        let told = self.peek(|table| {
            let at = table.entries().len();
            table.report(at, eyes, &ui).map(|report| Reported { at, modal: report.concerns })
        });
        if let Some(report) = told.flatten() {
            self.reports.update(|reports| {
                reports.retain(|known| known.modal);
                if report.modal || reports.is_empty() {
                    reports.push(report);
                }
            });
        }
    }

    /// Closes the report that is shown; false if there was none.
    pub fn close_report(&self) -> bool {
        let any = self.reports.with_untracked(|reports| !reports.is_empty());
        if any {
            self.reports.update(|reports| {
                reports.remove(0);
            });
        }
        any
    }

    /// Whether the player at the screen is asked now.
    pub fn mine(&self) -> bool {
        let asked = self.look(|table| match table.node() {
            Node::Decide(seat) => Some(seat),
            _ => None,
        });
        let asked = asked.flatten().filter(|_| self.forced.with(Option::is_none));
        self.at.get().is_none() && self.curtain.get().is_none() && asked.is_some() && asked == self.seat()
    }

    /// The legal list of the player at the screen; in the past, what whoever was asked could have done.
    pub fn choices(&self) -> Vec<ListedAction> {
        if self.curtain.get().is_some() || (self.at.get().is_none() && !self.mine()) {
            return Vec::new();
        }
        let key = (self.version.get(), self.shown_at(), self.eyes.get(), self.names());
        let known = |cache: &Option<(Moment, Vec<ListedAction>)>| {
            cache.as_ref().filter(|c| c.0 == key).map(|c| c.1.clone())
        };
        self.cache.with_value(known).unwrap_or_else(|| {
            let choices = self.peek(|table| table.choices(key.1, key.2.0)).unwrap_or_default();
            let ui = Ui { seat: self.own_seat(), names: key.3.clone(), ..Ui::default() };
            let list: Vec<ListedAction> = choices.into_iter().map(|choice| choice.with_names(&ui)).collect();
            self.cache.set_value(Some((key, list.clone())));
            list
        })
    }

    /// How many a click places or moves now.
    pub fn amount(&self) -> Amount {
        let (step, usual) = self.look(|table| table.usual_amount()).unwrap_or_default();
        self.amounts.with(|amounts| amounts.get(&step).copied().unwrap_or(usual))
    }

    /// What a board needs to know besides the position.
    pub fn ui(&self, choices: &[ListedAction]) -> Ui {
        let (mine, chosen) = (self.mine(), self.chosen.get());
        let preselected = self.preselected.get() && !chosen.is_empty();
        let next = choices.iter().filter(|c| mine && c.path.starts_with(&chosen));
        let mut lit: BTreeSet<Key> = next.filter_map(|c| c.path.get(chosen.len()).cloned()).collect();
        let start: BTreeSet<Key> =
            choices.iter().filter(|_| mine).filter_map(|c| c.path.first().cloned()).collect();
        if preselected {
            // The player may as well choose another piece.
            lit.extend(start.iter().cloned());
        }
        Ui {
            seat: self.own_seat(),
            names: self.names(),
            colours: self.players.with(|players| players.iter().map(|p| p.colour).collect()),
            lit,
            start,
            preselected,
            amount: self.amount(),
            stepper: self.stepper.with(|s| s.as_ref().and_then(|s| Some((s.path.last()?.clone(), s.n)))),
            chosen,
            hinted: [self.hinted.get(), self.advised.get()].concat(),
            mine,
            narrow: self.narrow.get(),
            ledger: Vec::new(),
            story: Vec::new(),
        }
    }

    /// All that is drawn.
    pub fn scene(&self, ui: &Ui) -> Option<Scene> {
        let (at, eyes) = (self.shown_at(), self.eyes.get().0);
        self.look(|table| table.scene(at, eyes, ui))
    }
}

impl Default for Play {
    fn default() -> Self {
        Self::new()
    }
}
