//! The whole client: which page is shown, the settings, and the game at this page.

use crate::boards::{self, GameListing};
use crate::guide::GuideCard;
use crate::online::{self, Online};
use crate::play::{Eyes, Play, PlayerKind, SeatPlayer};
use crate::settings::Preferences;
use crate::shell::{self, Bubble, Sight};
use crate::store::SavedSummary;
use crate::{clock, files, page, pages, store, thinker};
use leptos::prelude::*;
use pentarchy_engine::record::Record;
use pentarchy_engine::{Node, Observer};
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

/// Which page is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Screen {
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
    /// What happened at a table with others while the player was away, or why its game ended.
    Away,
    /// The rules of the game of this name.
    Rules(String),
    /// The settings.
    Settings,
    /// The game of this name is played in another tab; whether it was taken over from this one.
    Elsewhere(String, bool),
    /// What was checked.
    Trust,
    /// The identity of this browser.
    Identity,
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
    /// The identity that it is about.
    pub identity: Option<[u8; 32]>,
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
    pub page: RwSignal<Screen>,
    /// What lies over it.
    pub sheet: RwSignal<Option<Sheet>>,
    /// The settings.
    pub settings: RwSignal<Preferences>,
    /// The games saved in this browser.
    pub saves: RwSignal<Vec<SavedSummary>>,
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
    /// The step of the guided first game from which on the next card is looked for; nothing without a guide.
    pub guide: RwSignal<Option<usize>>,
    /// The cards of the guide that were read, in order.
    pub guide_read: RwSignal<Vec<GuideCard>>,
    /// How many cards back one reads again; 0 for the present one.
    pub guide_back: RwSignal<usize>,
    /// The step at which the guide was left.
    pub guide_left: RwSignal<Option<usize>>,
    /// Until when a reaction is waited for: seconds.
    pub countdown: RwSignal<Option<u8>>,
    /// What is saved of this game.
    saving: StoredValue<Saving>,
    /// The decision that is asked at a table with other people: its version of the game, and the time before which no
    /// pass is sent.
    window: StoredValue<(u32, f64)>,
}

/// What is saved of the game at this page.
#[derive(Clone, Copy, Default)]
struct Saving {
    /// How many events are saved.
    events: usize,
    /// The generation of the game in the store; nothing before it is claimed.
    generation: Option<u32>,
    /// Whether a save is under way.
    busy: bool,
    /// Whether a save is due.
    due: bool,
}

/// Names for bots.
pub const NAMES: [&str; 6] = ["Sena", "Old Marius", "Ilex", "Tamsin", "Quill", "Boreas"];

/// A pass at a table with other people is sent after a delay between these, in milliseconds, drawn at random for each
/// window whatever the hand holds. See "What the time of an answer tells" in docs/fair-play.md.
const PASS_DELAY: (i32, i32) = (1_200, 2_400);

impl App {
    fn new() -> Self {
        let settings = Preferences::load();
        settings.apply();
        App {
            page: RwSignal::new(Screen::Home),
            sheet: RwSignal::new(None),
            settings: RwSignal::new(settings),
            saves: RwSignal::new(Vec::new()),
            notice: RwSignal::new(None),
            play: Play::new(),
            online: Online::new(),
            filter: RwSignal::new(String::new()),
            tab: RwSignal::new("table".to_string()),
            bubble: RwSignal::new(None),
            guide: RwSignal::new(None),
            guide_read: RwSignal::new(Vec::new()),
            guide_back: RwSignal::new(0),
            guide_left: RwSignal::new(None),
            countdown: RwSignal::new(None),
            saving: StoredValue::new(Saving::default()),
            window: StoredValue::new((0, 0.0)),
        }
    }

    /// The usual players: somebody at the first seat, and bots.
    pub fn players(game: &GameListing, first: PlayerKind, others: PlayerKind, seats: u8) -> Vec<SeatPlayer> {
        let player = |seat: usize| SeatPlayer {
            name: if seat == 0 && first == PlayerKind::Me { "You" } else { NAMES[(seat + 5) % 6] }
                .to_string(),
            colour: game.look.colours[seat % 6],
            kind: if seat == 0 { first } else { others },
        };
        (0..seats.into()).map(player).collect()
    }

    /// One click from home: the player of this page against Captains.
    pub fn quick_start(self, game: &GameListing) {
        let players = Self::players(game, PlayerKind::Me, PlayerKind::Captain, game.info.default_seats);
        self.start(game, players, &game.page_options(), clock::seed());
    }

    /// Bots play, and are watched.
    pub fn watch(self, game: &GameListing) {
        let players = Self::players(game, PlayerKind::Captain, PlayerKind::Captain, game.info.default_seats);
        self.start(game, players, &game.page_options(), clock::seed());
    }

    /// The guided first game.
    pub fn learn(self, game: &GameListing) {
        let guide = game.guide;
        let players = Self::players(game, PlayerKind::Me, PlayerKind::of_level(guide.bots), guide.seats);
        self.start(game, players, &(guide.options)(), guide.seed);
        self.guide.set(Some(0));
        self.keep_guide();
    }

    /// Starts a game.
    pub fn start(self, game: &GameListing, players: Vec<SeatPlayer>, options: &Value, seed: u64) {
        match game.start(players.len() as u8, options, seed) {
            Ok(table) => {
                self.forget_guide();
                self.play.sit(table, players, clock::name());
                self.close_hands();
                self.saving.set_value(Saving::default());
                self.hold();
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
        let id = self.play.id.get_untracked();
        // Back and Forward may have led to the end of this game: a new entry would drop those ahead.
        if page::hash() != id {
            page::navigate(&id);
        }
        // A table is built anew for another game: the old one goes first.
        self.page.set(Screen::Home);
        spawn_local(async move {
            page::sleep(0).await;
            if self.page.get_untracked() == Screen::Home {
                self.page.set(Screen::Table);
            }
        });
    }

    /// Goes home.
    pub fn home(self) {
        if self.online.is_online() {
            return self.online.leave_table();
        }
        self.play.stop();
        self.forget_guide();
        self.sheet.set(None);
        self.bubble.set(None);
        page::set_root("data-game", "");
        store::hold("", || {});
        page::navigate("");
        self.page.set(Screen::Home);
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

    /// Goes on with a saved game, unless another tab plays it.
    pub fn resume(self, about: SavedSummary) {
        spawn_local(async move {
            if store::is_elsewhere(&about.id).await {
                self.sheet.set(Some(Sheet::Elsewhere(about.id, false)));
            } else {
                self.sit_again(about).await;
            }
        });
    }

    /// Goes on with a saved game in this tab; the tab that plays it stops.
    pub fn take_over(self, id: String) {
        spawn_local(async move {
            store::take(&id).await;
            let saves = store::all().await.unwrap_or_default();
            match saves.into_iter().find(|about| about.id == id) {
                Some(about) => self.sit_again(about).await,
                None => self.say("This game is no longer saved.".to_string()),
            }
        });
    }

    async fn sit_again(self, about: SavedSummary) {
        let load = async {
            let generation = store::claim(&about.id).await?;
            Ok::<_, String>((generation, store::record(&about).await?))
        };
        let (generation, text) = match load.await {
            Ok(loaded) => loaded,
            Err(what) => return self.say(format!("The saved game cannot be read: {what}.")),
        };
        match read(&text) {
            Ok(table) => {
                let (name, events) = (table.info().name, table.entries().len());
                self.play.sit(table, about.players, about.id);
                self.saving.set_value(Saving { events, generation: Some(generation), ..Saving::default() });
                self.play.since.set(self.play.last_own_deed());
                self.forget_guide();
                self.recall_guide();
                self.hold();
                self.enter(name);
                self.go_on();
            }
            Err(what) => self.say(format!("The saved game is damaged: {what}.")),
        }
    }

    /// This tab plays the game at its page, until another takes it over.
    fn hold(self) {
        let id = self.play.id.get_untracked();
        store::hold(&id.clone(), move || self.lose(&id));
    }

    /// Another tab has taken the game over.
    fn lose(self, id: &str) {
        if self.play.id.with_untracked(|own| own == id) && self.page.get_untracked() != Screen::Home {
            self.home();
            self.sheet.set(Some(Sheet::Elsewhere(id.to_string(), true)));
        }
    }

    /// The page follows the address after Back and Forward.
    pub fn follow_address(self) {
        let popped = page::take_popped();
        if self.sheet.with_untracked(Option::is_some) && !page::is_sheet_entry() {
            // Back closes the sheet; the page below it stays. (A record that is looked at has no address of its own.)
            return self.sheet.set(None);
        }
        if popped {
            return;
        }
        if self.online.is_online() {
            return;
        }
        let (id, shown) = (page::hash(), self.page.get_untracked());
        if id.is_empty() {
            if shown != Screen::Home {
                self.home();
            }
        } else if shown != Screen::Home && self.play.id.with_untracked(|own| *own == id) {
            let over = self.play.peek(|table| table.outcome().is_some()).unwrap_or(false);
            let page = if page::hash_is_end() && over { Screen::End } else { Screen::Table };
            if shown != page {
                self.page.set(page);
            }
        } else {
            spawn_local(async move {
                let saves = store::all().await.unwrap_or_default();
                match saves.into_iter().find(|about| about.id == id) {
                    Some(about) => self.resume(about),
                    None => self.home(),
                }
            });
        }
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
        self.saving.update_value(|saving| saving.events = saving.events.min(events));
    }

    pub(crate) fn autosave(self) {
        let busy = self.saving.try_update_value(|saving| {
            saving.due = true;
            std::mem::replace(&mut saving.busy, true)
        });
        let id = self.play.id.get_untracked();
        if busy == Some(true) || id.is_empty() {
            return;
        }
        spawn_local(async move {
            while self.saving.with_value(|saving| saving.due) {
                self.saving.update_value(|saving| saving.due = false);
                match self.save_events(&id).await {
                    Ok(()) => {}
                    Err(what) if what == store::STALE => {
                        self.lose(&id);
                        break;
                    }
                    Err(what) => {
                        let label = "Save the record".to_string();
                        let offers = vec![Offer { what: "save".to_string(), label, why: None }];
                        let text = format!("This game cannot be kept in this browser: {what}.");
                        self.notice.set(Some(Notice { text, offers, identity: None }));
                        break;
                    }
                }
            }
            self.saving.update_value(|saving| saving.busy = false);
        });
    }

    /// Saves the events of the game of this name that are not saved yet.
    async fn save_events(self, id: &str) -> Result<(), String> {
        let is_open = || self.play.id.with_untracked(|own| own == id);
        let generation = match self.saving.with_value(|saving| saving.generation) {
            Some(generation) => generation,
            None => {
                let generation = store::claim(id).await?;
                if is_open() {
                    self.saving.update_value(|saving| saving.generation = Some(generation));
                }
                generation
            }
        };
        let from = self.saving.with_value(|saving| saving.events);
        let Some((about, lines)) = self.snapshot(from).filter(|_| is_open()) else { return Ok(()) };
        let events = from + lines.len();
        store::keep(&about, from, lines, generation).await?;
        // Unless events were taken back meanwhile, or another game has begun.
        self.saving.update_value(|saving| {
            if is_open() && saving.events == from {
                saving.events = events;
            }
        });
        Ok(())
    }

    fn snapshot(self, from: usize) -> Option<(SavedSummary, Vec<String>)> {
        let play = self.play;
        let players = play.players.get_untracked();
        let id = play.id.get_untracked();
        play.peek(|table| {
            let asked = match table.node() {
                Node::Decide(seat) => players.get(seat.index()),
                _ => None,
            };
            let lines = table.entries().iter().skip(from);
            let about = SavedSummary {
                id,
                header: serde_json::to_string(table.header()).unwrap_or_default(),
                round: table.round(),
                awaited: asked.filter(|p| p.kind != PlayerKind::Me).map(|p| p.name.clone()),
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
        self.page.set(Screen::End);
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
        self.notice.set(Some(Notice { text, offers: Vec::new(), identity: None }));
    }

    /// Escape: closes what is open, puts back what was clicked.
    pub fn escape(self) {
        if self.sheet.with_untracked(Option::is_some) {
            self.sheet.set(None);
        } else if self.play.close_report() {
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
        if self.online.is_online() {
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

    /// Counts down while the player is asked for a reaction. At a table with other people, also makes the moves that
    /// leave no choice.
    pub fn watch_reactions(self, sight: Sight) {
        let play = self.play;
        Effect::new(move |_| {
            let (settings, version, mine) = (self.settings.get(), play.version.get(), play.mine());
            let reacts = sight.scene.with(|s| s.as_ref().is_some_and(|s| s.reacts));
            let pass = sight.choices.with(|all| all.iter().find(|c| c.passes).map(|c| c.action.clone()));
            self.countdown.set(None);
            if !mine {
                return;
            }
            if self.online.is_online() {
                self.open_window(version);
                if !settings.ask_single && self.move_for_player(version) {
                    return;
                }
            }
            let Some(pass) = pass.filter(|_| reacts && settings.react_seconds > 0) else { return };
            self.countdown.set(Some(settings.react_seconds));
            spawn_local(async move {
                page::sleep(1000 * i32::from(settings.react_seconds)).await;
                if play.version.get_untracked() == version && play.mine() {
                    self.act(&pass);
                }
            });
        });
    }

    /// Draws the delay of the decision that is asked now, once.
    fn open_window(self, version: u32) {
        if self.window.with_value(|(of, _)| *of != version) {
            let (least, most) = PASS_DELAY;
            let delay = least + (clock::seed() % (most - least) as u64) as i32;
            self.window.set_value((version, clock::now() + f64::from(delay)));
        }
    }

    /// Makes the move of the player at a table with other people, if there is no choice; false if there is one.
    fn move_for_player(self, version: u32) -> bool {
        let play = self.play;
        let Some(auto) = play.peek(|table| table.auto_move()).flatten() else { return false };
        play.forced.set(Some(auto.label));
        let opens = self.window.with_value(|(_, opens)| *opens);
        spawn_local(async move {
            page::sleep((opens - clock::now()).max(0.0) as i32).await;
            if play.version.get_untracked() == version && play.forced.with_untracked(Option::is_some) {
                self.online.play_action(&auto.action);
            }
        });
        true
    }

    /// Sends an action to the others at the table. A pass is held back until its delay is over: the others must not
    /// hear from the time of the answer whether there was a choice.
    pub(crate) fn send(self, action: &str) {
        let play = self.play;
        let passes = untrack(|| play.choices()).iter().any(|c| c.action == action && c.passes);
        let wait = self.window.with_value(|(_, opens)| opens - clock::now());
        if !passes || wait <= 0.0 {
            return self.online.play_action(action);
        }
        let (action, version) = (action.to_string(), play.version.get_untracked());
        play.forced.set(Some("Passing…".to_string()));
        spawn_local(async move {
            page::sleep(wait as i32).await;
            if play.version.get_untracked() == version {
                self.online.play_action(&action);
            }
        });
    }
}

/// The table that a record tells of.
fn read(text: &str) -> Result<Box<dyn crate::table::GameView>, String> {
    let record = Record::read(text.as_bytes()).map_err(|e| e.to_string())?;
    boards::load(&record)
}

/// Mounts the client.
pub fn mount() {
    mount_to_body(|| {
        let app = App::new();
        provide_context(app);
        files::on_drop(move |bytes| app.open_file(bytes));
        window_event_listener(leptos::ev::keydown, move |event| {
            untrack(|| app.online.note_activity());
            untrack(|| shell::on_key(app, &event));
        });
        window_event_listener(leptos::ev::pointerdown, move |event| {
            untrack(|| app.online.note_activity());
            use wasm_bindgen::JsCast;
            let target = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
            let button = target.and_then(|t| t.closest("button").ok().flatten());
            if button.is_none() {
                app.hurry();
            }
        });
        window_event_listener(leptos::ev::popstate, move |_| app.follow_address());
        Effect::new(move |_| {
            let id = app.play.id.get_untracked();
            match app.page.get() {
                Screen::Table if !id.is_empty() => page::navigate(&id),
                Screen::End if !id.is_empty() => page::navigate(&(id + page::END)),
                _ => {}
            }
        });
        Effect::new(move |_| {
            // What a hint lights up goes dark with it.
            if app.notice.with(Option::is_none) && app.play.advised.with_untracked(|keys| !keys.is_empty()) {
                app.play.advised.set(Vec::new());
            }
        });
        Effect::new(move |was: Option<bool>| {
            let open = app.sheet.with(Option::is_some);
            match (was.unwrap_or(false), open) {
                (false, true) => page::push_sheet(),
                (true, false) => page::pop_sheet(),
                _ => {}
            }
            open
        });
        Effect::new(move |_| app.settings.get().apply());
        match online::invitation() {
            Some(Ok(invite)) => app.online.open_table(app, invite),
            Some(Err(what)) => app.online.reject_invitation(app, pages::waiting::bad_link(what)),
            None => {
                if let Some(game) = page::query("learn").and_then(|name| boards::find(&name).ok()) {
                    app.learn(game);
                }
            }
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
                Screen::Home => pages::home::home(app).into_any(),
                Screen::Table => shell::table(app).into_any(),
                Screen::End => pages::end::end(app).into_any(),
                Screen::Waiting => pages::waiting::waiting(app).into_any(),
            }}
            {pages::online::banner(app)}
            {pages::sheets(app)}
            {pages::notice(app)}
        }
    });
}
