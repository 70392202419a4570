//! The whole client: which page is shown, the settings, and the game at this page.

use crate::boards::{self, Entry};
use crate::online::{self, Online};
use crate::play::{Eyes, Play, Player, Who};
use crate::settings::Settings;
use crate::shell::{self, Bubble, Sight};
use crate::store::About;
use crate::{clock, files, page, pages, store, thinker};
use leptos::prelude::*;
use pentarchy_engine::record::Record;
use pentarchy_engine::{Node, Observer};
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

/// Which page is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Page {
    /// The shelf of games.
    Home,
    /// A game under way, or its replay.
    Table,
    /// How it ended.
    End,
    /// A table with others, before the game.
    Waiting,
}

/// What lies over the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sheet {
    /// The set-up of the game with this place on the shelf.
    Setup(usize),
    /// A table for friends: the game with this place on the shelf.
    Friends(usize),
    /// What is said at a table with others.
    Chat,
    /// The rules of the game of this name.
    Rules(String),
    /// The settings.
    Settings,
    /// What was checked.
    Trust,
    /// How it works, and whom we thank.
    Credits,
}

/// A sentence at the edge of the page, with what can be done about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// What can be done about it.
    pub offers: Vec<Offer>,
}

/// A button of a notice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// What it does.
    pub what: String,
    /// What it says.
    pub label: String,
    /// What speaks for it: a name and a reason.
    pub why: Option<(String, String)>,
}

/// The whole client. Small, so that it can be handed to everybody.
#[derive(Clone, Copy)]
pub struct App {
    /// Which page is shown.
    pub page: RwSignal<Page>,
    /// What lies over it.
    pub sheet: RwSignal<Option<Sheet>>,
    /// The settings.
    pub settings: RwSignal<Settings>,
    /// The games saved in this browser.
    pub saves: RwSignal<Vec<About>>,
    /// What is said at the edge of the page.
    pub notice: RwSignal<Option<Notice>>,
    /// The game at this page.
    pub play: Play,
    /// The others at the table.
    pub online: Online,
    /// What is typed to find an action.
    pub filter: RwSignal<String>,
    /// Which part of the table a narrow screen shows.
    pub tab: RwSignal<String>,
    /// What is said of a piece.
    pub bubble: RwSignal<Option<Bubble>>,
    /// Which step of the guided first game it is.
    pub lesson: RwSignal<Option<usize>>,
    /// Until when a reaction is waited for: seconds.
    pub countdown: RwSignal<Option<u8>>,
    /// How many events of this game are saved, and whether a save is under way or due.
    kept: StoredValue<(usize, bool, bool)>,
}

/// Names for bots.
pub const NAMES: [&str; 6] = ["Sena", "Old Marius", "Ilex", "Tamsin", "Quill", "Boreas"];

/// At a table with others a lone `pass` takes between this and twice this, in milliseconds.
const PONDER: i32 = 1_500;

/// The seed of every guided first game.
const LESSON_SEED: u64 = 7;

impl App {
    fn new() -> Self {
        let settings = Settings::load();
        settings.apply();
        App {
            page: RwSignal::new(Page::Home),
            sheet: RwSignal::new(None),
            settings: RwSignal::new(settings),
            saves: RwSignal::new(Vec::new()),
            notice: RwSignal::new(None),
            play: Play::new(),
            online: Online::new(),
            filter: RwSignal::new(String::new()),
            tab: RwSignal::new("table".to_string()),
            bubble: RwSignal::new(None),
            lesson: RwSignal::new(None),
            countdown: RwSignal::new(None),
            kept: StoredValue::new((0, false, false)),
        }
    }

    /// The usual players: somebody at the first seat, and bots.
    pub fn players(game: &Entry, first: Who, others: Who, seats: u8) -> Vec<Player> {
        let player = |seat: usize| Player {
            name: if seat == 0 && first == Who::Me { "You" } else { NAMES[(seat + 5) % 6] }.to_string(),
            colour: game.look.colours[seat % 6],
            kind: if seat == 0 { first } else { others },
        };
        (0..seats.into()).map(player).collect()
    }

    /// One click from home: the player of this page against Captains.
    pub fn quick_start(self, game: &Entry) {
        let players = Self::players(game, Who::Me, Who::Captain, game.info.default_seats);
        self.start(game, players, &Value::Null, clock::seed());
    }

    /// Bots play, and are watched.
    pub fn watch(self, game: &Entry) {
        let players = Self::players(game, Who::Captain, Who::Captain, game.info.default_seats);
        self.start(game, players, &Value::Null, clock::seed());
    }

    /// The guided first game.
    pub fn learn(self, game: &Entry) {
        let players = Self::players(game, Who::Me, Who::Recruit, game.info.default_seats);
        self.start(game, players, &Value::Null, LESSON_SEED);
        self.lesson.set(Some(0));
    }

    /// Starts a game.
    pub fn start(self, game: &Entry, players: Vec<Player>, options: &Value, seed: u64) {
        match game.start(players.len() as u8, options, seed) {
            Ok(table) => {
                self.lesson.set(None);
                self.play.sit(table, players, clock::name());
                self.close_hands();
                self.kept.set_value((0, false, false));
                self.enter(game.info.name);
                self.go_on();
            }
            Err(what) => self.say(format!("This cannot be played: {what}.")),
        }
    }

    /// Whoever watches bots sees their hands, unless the settings say otherwise.
    fn close_hands(self) {
        if self.play.eyes.get_untracked() == Eyes(Observer::All) && !self.settings.get_untracked().open_hands
        {
            self.play.eyes.set(Eyes(Observer::Spectator));
        }
    }

    /// The same players and options once more.
    pub fn rematch(self) {
        let header = self.play.peek(|table| table.header().clone());
        let Some(header) = header else { return };
        let players = self.play.players.get_untracked();
        if let Ok(game) = boards::find(&header.game) {
            self.start(game, players, &header.options, clock::seed());
        }
    }

    pub(crate) fn enter(self, game: &str) {
        page::set_root("data-game", game);
        thinker::forget();
        self.filter.set(String::new());
        self.tab.set("table".to_string());
        self.sheet.set(None);
        self.bubble.set(None);
        self.notice.set(None);
        page::set_hash(&self.play.id.get_untracked());
        // A table is built anew for another game: the old one goes first.
        self.page.set(Page::Home);
        spawn_local(async move {
            page::sleep(0).await;
            if self.page.get_untracked() == Page::Home {
                self.page.set(Page::Table);
            }
        });
    }

    /// Goes home.
    pub fn home(self) {
        if self.online.on() {
            return self.online.leave();
        }
        self.play.stop();
        self.lesson.set(None);
        self.sheet.set(None);
        self.bubble.set(None);
        page::set_root("data-game", "");
        page::set_hash("");
        self.page.set(Page::Home);
        self.list_saves();
    }

    /// Asks the store which games there are.
    pub fn list_saves(self) {
        spawn_local(async move {
            match store::all().await {
                Ok(saves) => self.saves.set(saves),
                Err(what) => self.say(format!("Games cannot be kept in this browser: {what}.")),
            }
        });
    }

    /// Goes on with a saved game.
    pub fn resume(self, about: About) {
        spawn_local(async move {
            let text = match store::record(&about).await {
                Ok(text) => text,
                Err(what) => return self.say(format!("The saved game cannot be read: {what}.")),
            };
            match read(&text) {
                Ok(table) => {
                    let (name, events) = (table.info().name, table.entries().len());
                    self.play.sit(table, about.players, about.id);
                    self.kept.set_value((events, false, false));
                    self.play.since.set(self.play.last_own_deed());
                    self.enter(name);
                    self.go_on();
                }
                Err(what) => self.say(format!("The saved game is damaged: {what}.")),
            }
        });
    }

    /// Forgets a saved game.
    pub fn forget(self, id: String) {
        spawn_local(async move {
            let _ = store::forget(&id).await;
            self.list_saves();
        });
    }

    /// Something has happened at the table.
    pub fn after_event(self) {
        self.play.changed();
        self.autosave();
    }

    /// The last events were taken back: what is saved of them is to go.
    pub fn unsave(self) {
        let events = self.play.peek(|table| table.entries().len()).unwrap_or(0);
        self.kept.update_value(|(kept, ..)| *kept = (*kept).min(events));
    }

    fn autosave(self) {
        let busy = self.kept.try_update_value(|(_, busy, due)| {
            *due = true;
            std::mem::replace(busy, true)
        });
        if busy == Some(true) || self.play.id.with_untracked(String::is_empty) {
            return;
        }
        spawn_local(async move {
            while self.kept.with_value(|(_, _, due)| *due) {
                let from = self.kept.with_value(|(kept, ..)| *kept);
                self.kept.update_value(|(_, _, due)| *due = false);
                let Some((about, lines)) = self.snapshot(from) else { break };
                let events = from + lines.len();
                if let Err(what) = store::keep(&about, from, lines).await {
                    let label = "Save the record".to_string();
                    let offers = vec![Offer { what: "save".to_string(), label, why: None }];
                    let text = format!("This game cannot be kept in this browser: {what}.");
                    self.notice.set(Some(Notice { text, offers }));
                    break;
                }
                // Unless events were taken back meanwhile, or another game has begun.
                self.kept.update_value(|(kept, ..)| {
                    if *kept == from {
                        *kept = events;
                    }
                });
            }
            self.kept.update_value(|(_, busy, _)| *busy = false);
        });
    }

    fn snapshot(self, from: usize) -> Option<(About, Vec<String>)> {
        let play = self.play;
        let players = play.players.get_untracked();
        let id = play.id.get_untracked();
        play.peek(|table| {
            let asked = match table.node() {
                Node::Decide(seat) => players.get(seat.index()),
                _ => None,
            };
            let lines = table.entries().iter().skip(from);
            let about = About {
                id,
                header: serde_json::to_string(table.header()).unwrap_or_default(),
                round: table.round(),
                awaited: asked.filter(|p| p.kind != Who::Me).map(|p| p.name.clone()),
                over: table.outcome().is_some(),
                when: js_sys::Date::now(),
                players: players.clone(),
            };
            (about, lines.filter_map(|entry| serde_json::to_string(entry).ok()).collect())
        })
    }

    /// The game is over.
    pub fn finished(self) {
        self.play.eyes.set(Eyes(Observer::All));
        self.page.set(Page::End);
    }

    /// How long something is looked at, in milliseconds.
    pub fn pause(self) -> i32 {
        self.settings.get_untracked().pause()
    }

    /// How long a bot may think, in milliseconds.
    pub fn thinking_time(self) -> f64 {
        1000.0 * f64::from(self.settings.get_untracked().think_seconds)
    }

    /// Says something at the edge of the page.
    pub fn say(self, text: String) {
        self.notice.set(Some(Notice { text, offers: Vec::new() }));
    }

    /// Escape: closes what is open, puts back what was clicked.
    pub fn escape(self) {
        if self.sheet.with_untracked(Option::is_some) {
            self.sheet.set(None);
        } else if self.bubble.with_untracked(Option::is_some)
            && self.play.chosen.with_untracked(Vec::is_empty)
        {
            self.bubble.set(None);
        } else if !self.back() && self.tab.with_untracked(|tab| tab != "table") {
            self.tab.set("table".to_string());
        }
    }

    /// Opens the rules of the game at this page.
    pub fn open_rules(self) {
        if let Some(name) = self.play.peek(|table| table.info().name) {
            self.sheet.set(Some(Sheet::Rules(name.to_string())));
        }
    }

    /// Saves the whole record as a file.
    pub fn save_file(self) {
        if self.online.on() {
            return self.online.save_record();
        }
        let name = self.play.peek(|table| table.info().name).unwrap_or_default();
        match self.play.signed.get_untracked() {
            Some(signed) => online::save(&format!("{name}.table"), &signed.file),
            None => self.save_text(),
        }
    }

    /// Saves the record as a file without signatures, a line an event.
    pub fn save_text(self) {
        if let Some((name, Ok(text))) =
            self.play.peek(|table| (table.info().name, table.record(table.header().kind)))
        {
            files::download(&format!("{name}.jsonl"), &text);
        }
    }

    /// Hands the record on to somebody, in the way this machine offers.
    pub fn share(self) {
        if let Some((name, Ok(text))) =
            self.play.peek(|table| (table.info().name, table.record(table.header().kind)))
        {
            files::share(&format!("{name}.jsonl"), &text);
        }
    }

    /// Counts down while the player is asked for a reaction, and passes for whoever can do nothing else.
    pub fn watch_reactions(self, sight: Sight) {
        let play = self.play;
        Effect::new(move |_| {
            let asked = sight.scene.with(|s| s.as_ref().is_some_and(|s| s.reacts)) && play.mine();
            let pass = sight.choices.with(|all| all.iter().find(|c| c.passes).map(|c| c.action.clone()));
            let only = sight.choices.with(Vec::len) == 1;
            let (settings, version) = (self.settings.get(), play.version.get());
            self.countdown.set(None);
            let Some(pass) = pass.filter(|_| asked) else { return };
            let seconds = match (settings.auto_pass && only, settings.react_seconds) {
                (true, _) => 0,
                (false, 0) => return,
                (false, seconds) => seconds,
            };
            if seconds > 0 {
                self.countdown.set(Some(seconds));
            }
            let wait = match seconds {
                // The others must not hear from a quick answer that there was nothing to think about.
                0 if self.online.on() => PONDER + (clock::seed() % PONDER as u64) as i32,
                0 => self.pause(),
                seconds => 1000 * i32::from(seconds),
            };
            spawn_local(async move {
                page::sleep(wait).await;
                if play.version.get_untracked() == version && play.mine() {
                    self.act(&pass);
                }
            });
        });
    }
}

/// The table that a record tells of.
fn read(text: &str) -> Result<Box<dyn crate::table::Table>, String> {
    let record = Record::read(text.as_bytes()).map_err(|e| e.to_string())?;
    boards::load(&record)
}

/// Mounts the client.
pub fn mount() {
    mount_to_body(|| {
        let app = App::new();
        provide_context(app);
        files::on_drop(move |bytes| app.open_file(bytes));
        window_event_listener(leptos::ev::keydown, move |event| shell::on_key(app, &event));
        window_event_listener(leptos::ev::hashchange, move |_| {
            if !app.online.on() && page::hash().is_empty() && app.page.get_untracked() != Page::Home {
                app.home();
            }
        });
        Effect::new(move |_| app.settings.get().apply());
        match online::invitation() {
            Some(Ok(invite)) => app.online.sit(app, invite),
            Some(Err(what)) => app.online.refuse(app, what.to_string()),
            None => {}
        }
        let wanted = page::hash();
        spawn_local(async move {
            // A game that was under way when the page was left goes on.
            let saves = store::all().await.unwrap_or_default();
            let wanted = saves.iter().find(|about| about.id == wanted).cloned();
            app.saves.set(saves);
            if let Some(about) = wanted {
                app.resume(about);
            }
        });
        view! {
            {move || match app.page.get() {
                Page::Home => pages::home::home(app).into_any(),
                Page::Table => shell::table(app).into_any(),
                Page::End => pages::end::end(app).into_any(),
                Page::Waiting => pages::waiting::waiting(app).into_any(),
            }}
            {pages::online::banner(app)}
            {pages::sheets(app)}
            {pages::lesson::lesson(app)}
            {pages::notice(app)}
        }
    });
}
