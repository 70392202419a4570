//! The game at this page: its state as signals, and what can be done with it.

use crate::board::Key;
use crate::opened::Signed;
use crate::table::{Choice, Scene, Table};
use crate::ui::Ui;
use leptos::prelude::*;
use pentarchy_engine::{Node, Observer, Seat};
use serde::{Deserialize, Serialize};

/// Who sits at a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// The name.
    pub name: String,
    /// The colour, 1 to 6.
    pub colour: u8,
    /// Who it is.
    pub kind: Who,
}

/// Who it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Who {
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

impl Who {
    /// Whether a person decides.
    pub fn is_person(self) -> bool {
        matches!(self, Who::Me | Who::Here)
    }

    /// What stands beside the name.
    pub fn tag(self) -> &'static str {
        match self {
            Who::Me | Who::Far => "",
            Who::Here => "here",
            Who::Random => "Random",
            Who::Recruit => "Recruit",
            Who::Captain => "Captain",
            Who::Emperor => "Emperor",
        }
    }

    /// The name of the bot's level.
    pub fn level(self) -> String {
        self.tag().to_lowercase()
    }
}

/// The game at this page. All signals live as long as the page; a new game fills them anew.
#[derive(Clone, Copy)]
pub struct Play {
    table: StoredValue<Option<Box<dyn Table>>, LocalStorage>,
    /// Raised whenever the table has changed.
    pub version: RwSignal<u32>,
    /// Raised whenever what was going on is to stop.
    pub run: RwSignal<u32>,
    /// Under which name it is saved.
    pub id: RwSignal<String>,
    /// Who plays.
    pub players: RwSignal<Vec<Player>>,
    /// Whose eyes the table is seen with.
    pub eyes: RwSignal<Eyes>,
    /// Whom the screen is to be passed to.
    pub curtain: RwSignal<Option<Seat>>,
    /// What has been clicked, in order.
    pub chosen: RwSignal<Vec<Key>>,
    /// What the list points at.
    pub hinted: RwSignal<Vec<Key>>,
    /// After how many events of the past we look; nothing at the present.
    pub at: RwSignal<Option<usize>>,
    /// What went wrong.
    pub trouble: RwSignal<Option<String>>,
    /// Whether bots wait.
    pub paused: RwSignal<bool>,
    /// How many events there were when the player of this page had last acted.
    pub since: RwSignal<usize>,
    /// The signatures of the record that is looked at, if it has any.
    pub signed: RwSignal<Option<Signed>>,
    /// Whether the log is to be written anew.
    stale: StoredValue<bool>,
}

/// Whose eyes, as a value that signals can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eyes(pub Observer);

impl Play {
    /// No game yet.
    pub fn new() -> Self {
        Play {
            table: StoredValue::new_local(None),
            version: RwSignal::new(0),
            run: RwSignal::new(0),
            id: RwSignal::new(String::new()),
            players: RwSignal::new(Vec::new()),
            eyes: RwSignal::new(Eyes(Observer::Spectator)),
            curtain: RwSignal::new(None),
            chosen: RwSignal::new(Vec::new()),
            hinted: RwSignal::new(Vec::new()),
            at: RwSignal::new(None),
            trouble: RwSignal::new(None),
            paused: RwSignal::new(false),
            since: RwSignal::new(0),
            signed: RwSignal::new(None),
            stale: StoredValue::new(true),
        }
    }

    /// Sits down at a table.
    pub fn sit(&self, table: Box<dyn Table>, players: Vec<Player>, id: String) {
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
        self.trouble.set(None);
        self.paused.set(false);
        self.since.set(0);
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
                .with_untracked(|players| players.get(seat.index()).is_some_and(|p| p.kind == Who::Me))
        };
        let last = self.peek(|table| table.actors().iter().rposition(|a| a.as_ref().is_some_and(own)));
        last.flatten().map_or(0, |i| i + 1)
    }

    /// What was going on is to stop.
    pub fn stop(&self) {
        self.run.update(|run| *run += 1);
    }

    /// The table has changed.
    pub fn changed(&self) {
        self.chosen.set(Vec::new());
        self.hinted.set(Vec::new());
        self.version.update(|version| *version += 1);
    }

    /// Looks at the table, if there is one. Whoever calls this in a reactive place follows its changes.
    pub fn look<T>(&self, f: impl FnOnce(&dyn Table) -> T) -> Option<T> {
        self.version.track();
        self.peek(f)
    }

    /// The same without following changes.
    pub fn peek<T>(&self, f: impl FnOnce(&dyn Table) -> T) -> Option<T> {
        self.table.with_value(|table| table.as_ref().map(|table| f(table.as_ref())))
    }

    /// Changes the table; the caller says so with [`changed`](Self::changed).
    pub fn touch<T>(&self, f: impl FnOnce(&mut dyn Table) -> T) -> Option<T> {
        self.table.try_update_value(|table| table.as_mut().map(|table| f(table.as_mut()))).flatten()
    }

    /// The seat whose hand is shown.
    pub fn seat(&self) -> Option<Seat> {
        match self.eyes.get().0 {
            Observer::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// The players' names. The only person at this page is "You"; of several, each has a name.
    pub fn names(&self) -> Vec<String> {
        self.players.with(|players| {
            let alone = players.iter().filter(|p| p.kind.is_person()).count() == 1;
            let name = |(seat, p): (usize, &Player)| match p.kind {
                Who::Me if alone => "You".to_string(),
                Who::Me if p.name == "You" => format!("Player {}", seat + 1),
                _ => p.name.clone(),
            };
            players.iter().enumerate().map(name).collect()
        })
    }

    /// After how many events we look.
    pub fn shown_at(&self) -> usize {
        self.at.get().unwrap_or(usize::MAX)
    }

    /// Whether the player at the screen is asked now.
    pub fn mine(&self) -> bool {
        let asked = self.look(|table| match table.node() {
            Node::Decide(seat) => Some(seat),
            _ => None,
        });
        let asked = asked.flatten();
        self.at.get().is_none() && self.curtain.get().is_none() && asked.is_some() && asked == self.seat()
    }

    /// The legal list of the player at the screen; in the past, what whoever was asked could have done.
    pub fn choices(&self) -> Vec<Choice> {
        if self.curtain.get().is_some() || (self.at.get().is_none() && !self.mine()) {
            return Vec::new();
        }
        let (at, eyes) = (self.shown_at(), self.eyes.get().0);
        self.look(|table| table.choices(at, eyes)).unwrap_or_default()
    }

    /// What a board needs to know besides the position.
    pub fn ui(&self, choices: &[Choice]) -> Ui {
        let (mine, chosen) = (self.mine(), self.chosen.get());
        let next = choices.iter().filter(|c| mine && c.path.starts_with(&chosen));
        Ui {
            seat: self.seat(),
            names: self.names(),
            colours: self.players.with(|players| players.iter().map(|p| p.colour).collect()),
            lit: next.filter_map(|c| c.path.get(chosen.len()).cloned()).collect(),
            start: choices.iter().filter(|_| mine).filter_map(|c| c.path.first().cloned()).collect(),
            chosen,
            hinted: self.hinted.get(),
            mine,
            narrow: crate::page::narrow(),
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
