//! The client: which screen is shown, the preferences, and the match at this page.

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

/// The screen that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Screen {
    /// Home: the list of games.
    Home,
    /// A match, or its replay.
    Table,
    /// The result of a match.
    End,
    /// The lobby of an online table.
    Waiting,
}

/// A dialog over the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sheet {
    /// The set-up of the game with this index in the list.
    Setup(usize),
    /// The set-up of an online table for the game with this index in the list.
    Friends(usize),
    /// The chat of an online table.
    Chat,
    /// What happened at an online table while the player was away, or why its match ended.
    Away,
    /// The rules of the game of this name.
    Rules(String),
    /// The preferences.
    Settings,
    /// The saved match with this id is open in another tab; whether it was taken over from this tab.
    Elsewhere(String, bool),
    /// The trust panel: what was verified.
    Trust,
    /// The identity of this browser.
    Identity,
    /// About and credits.
    Credits,
}

/// A message at the edge of the page, with buttons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The message.
    pub text: String,
    /// Its buttons.
    pub offers: Vec<Offer>,
    /// The identity that it is about.
    pub identity: Option<[u8; 32]>,
}

/// What a notice says while a hint is computed.
pub const LOOKING_AHEAD: &str = "Looking ahead…";

impl Notice {
    /// Returns whether the notice is a hint, or says that one is being computed.
    pub fn is_hint(&self) -> bool {
        self.text == LOOKING_AHEAD || self.offers.iter().any(|offer| offer.why.is_some())
    }
}

/// A button of a notice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The command that it runs, see [`App::run_command`].
    pub what: String,
    /// Its label.
    pub label: String,
    /// For a hint: the name of the action and the reason.
    pub why: Option<(String, String)>,
}

/// The client's state as signals. `Copy`, so every view and event handler can own one.
#[derive(Clone, Copy)]
pub struct App {
    /// The screen that is shown.
    pub page: RwSignal<Screen>,
    /// The dialog over it.
    pub sheet: RwSignal<Option<Sheet>>,
    /// The preferences.
    pub settings: RwSignal<Preferences>,
    /// The matches saved in this browser.
    pub saves: RwSignal<Vec<SavedSummary>>,
    /// The message at the edge of the page.
    pub notice: RwSignal<Option<Notice>>,
    /// The match at this page.
    pub play: Play,
    /// The online table.
    pub online: Online,
    /// The search text of the list of actions.
    pub filter: RwSignal<String>,
    /// The tab that a narrow screen shows.
    pub tab: RwSignal<String>,
    /// The tooltip of a piece.
    pub bubble: RwSignal<Option<Bubble>>,
    /// The step of the guide from which the next card is searched; `None` without a guide.
    pub guide: RwSignal<Option<usize>>,
    /// The cards of the guide that were read, in order.
    pub guide_read: RwSignal<Vec<GuideCard>>,
    /// Number of cards that the player has paged back; 0 for the current one.
    pub guide_back: RwSignal<usize>,
    /// The step at which the guide was closed.
    pub guide_left: RwSignal<Option<usize>>,
    /// Seconds left of the countdown of a reaction.
    pub countdown: RwSignal<Option<u8>>,
    /// Progress of saving the match.
    saving: StoredValue<Saving>,
    /// The decision of this player at an online table: version of the match, and the time before which no pass is
    /// sent.
    window: StoredValue<(u32, f64)>,
}

/// Progress of saving the match at this page.
#[derive(Clone, Copy, Default)]
struct Saving {
    /// Number of saved events.
    events: usize,
    /// The generation of the match in the database; `None` before it is claimed.
    generation: Option<u32>,
    /// Whether a save is running.
    busy: bool,
    /// Whether another save is needed after it.
    due: bool,
}

/// Names of bots.
pub const NAMES: [&str; 6] = ["Sena", "Old Marius", "Ilex", "Tamsin", "Quill", "Boreas"];

/// Bounds of the delay before a pass is sent at an online table, in milliseconds. The delay is drawn at random for
/// each window, whatever the hand holds, so that the time of the reply reveals nothing. See "What the time of an
/// answer tells" in docs/fair-play.md.
const PASS_DELAY: (i32, i32) = (1_200, 2_400);

impl App {
    /// Creates the client with the stored preferences, which it applies, and without a match.
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

    /// Returns the usual players: a person or bot of kind `first` at the first seat, and bots of kind `others`.
    pub fn usual_players(
        game: &GameListing,
        first: PlayerKind,
        others: PlayerKind,
        seats: u8,
    ) -> Vec<SeatPlayer> {
        let player = |seat: usize| SeatPlayer {
            name: if seat == 0 && first == PlayerKind::Me { "You" } else { NAMES[(seat + 5) % 6] }
                .to_string(),
            colour: game.look.colours[seat % 6],
            kind: if seat == 0 { first } else { others },
        };
        (0..seats.into()).map(player).collect()
    }

    /// Starts a match of the player of this page against Medium bots, with the default options.
    pub fn quick_start(self, game: &GameListing) {
        let players = Self::usual_players(game, PlayerKind::Me, PlayerKind::Captain, game.info.default_seats);
        self.start_match(game, players, &game.page_options(), clock::seed());
    }

    /// Starts a match of bots that the player watches.
    pub fn watch_bots(self, game: &GameListing) {
        let players =
            Self::usual_players(game, PlayerKind::Captain, PlayerKind::Captain, game.info.default_seats);
        self.start_match(game, players, &game.page_options(), clock::seed());
    }

    /// Starts the guided first match with its prepared deal.
    pub fn start_guide(self, game: &GameListing) {
        let guide = game.guide;
        let players =
            Self::usual_players(game, PlayerKind::Me, PlayerKind::of_level(guide.bots), guide.seats);
        self.start_match(game, players, &(guide.options)(), guide.seed);
        self.guide.set(Some(0));
        self.store_guide();
    }

    /// Starts a match and shows it. Shows a notice if the options are invalid.
    pub fn start_match(self, game: &GameListing, players: Vec<SeatPlayer>, options: &Value, seed: u64) {
        match game.start(players.len() as u8, options, seed) {
            Ok(table) => {
                self.remove_guide();
                self.play.set_match(table, players, clock::name());
                self.hide_hands();
                self.saving.set_value(Saving::default());
                self.lock_match();
                self.enter(game.info.name);
                self.run_driver();
            }
            Err(what) => self.show_message(format!("This cannot be played: {what}.")),
        }
    }

    /// Hides the hands of a match of bots, unless the preferences show them.
    fn hide_hands(self) {
        if self.play.eyes.get_untracked() == Eyes(Observer::All) && !self.settings.get_untracked().open_hands
        {
            self.play.eyes.set(Eyes(Observer::Spectator));
        }
    }

    /// Starts a match with the same players and options.
    pub fn rematch(self) {
        let header = self.play.with_match_untracked(|table| table.header().clone());
        let Some(header) = header else { return };
        let players = self.play.players.get_untracked();
        if let Ok(game) = boards::find(&header.game) {
            self.start_match(game, players, &header.options, clock::seed());
        }
    }

    /// Shows the table of the match that was just set: closes sheets and notices, resets the bots, sets the
    /// address, and rebuilds the board. `game` is the game's name in the style sheet.
    pub(crate) fn enter(self, game: &str) {
        page::set_root("data-game", game);
        thinker::forget();
        self.filter.set(String::new());
        self.tab.set("table".to_string());
        self.sheet.set(None);
        self.bubble.set(None);
        self.notice.set(None);
        let id = self.play.id.get_untracked();
        // Back and Forward may have led to the end of this match: a new history entry would drop those ahead.
        if page::hash() != id {
            page::navigate(&id);
        }
        // Leave the old board first: it is built again for the new match.
        self.page.set(Screen::Home);
        spawn_local(async move {
            page::sleep(0).await;
            if self.page.get_untracked() == Screen::Home {
                self.page.set(Screen::Table);
            }
        });
    }

    /// Shows the home screen and stops the match, which stays saved. At an online table, leaves the table.
    pub fn go_home(self) {
        if self.online.is_online() {
            return self.online.leave_table();
        }
        self.play.stop();
        self.remove_guide();
        self.sheet.set(None);
        self.bubble.set(None);
        page::set_root("data-game", "");
        store::hold("", || {});
        page::navigate("");
        self.page.set(Screen::Home);
        self.load_saves();
    }

    /// Loads the list of saved matches.
    pub fn load_saves(self) {
        spawn_local(async move {
            match store::all().await {
                Ok(saves) => self.saves.set(saves),
                Err(what) => self.show_message(format!("Games cannot be kept in this browser: {what}.")),
            }
        });
    }

    /// Resumes a saved match, or offers to take it over if another tab has it open.
    pub fn resume_match(self, about: SavedSummary) {
        spawn_local(async move {
            if store::is_elsewhere(&about.id).await {
                self.sheet.set(Some(Sheet::Elsewhere(about.id, false)));
            } else {
                self.sit_again(about).await;
            }
        });
    }

    /// Resumes a saved match in this tab; the tab that has it open stops.
    pub fn take_over_match(self, id: String) {
        spawn_local(async move {
            store::take(&id).await;
            let saves = store::all().await.unwrap_or_default();
            match saves.into_iter().find(|about| about.id == id) {
                Some(about) => self.sit_again(about).await,
                None => self.show_message("This game is no longer saved.".to_string()),
            }
        });
    }

    /// Loads a saved match, locks it for this tab, shows it and runs its driver. Shows a message if it cannot
    /// be read.
    async fn sit_again(self, about: SavedSummary) {
        let load = async {
            let generation = store::claim(&about.id).await?;
            Ok::<_, String>((generation, store::record(&about).await?))
        };
        let (generation, text) = match load.await {
            Ok(loaded) => loaded,
            Err(what) => return self.show_message(format!("The saved game cannot be read: {what}.")),
        };
        match read(&text) {
            Ok(table) => {
                let (name, events) = (table.info().name, table.entries().len());
                self.play.set_match(table, about.players, about.id);
                self.saving.set_value(Saving { events, generation: Some(generation), ..Saving::default() });
                self.play.since.set(self.play.events_at_last_move());
                self.remove_guide();
                self.restore_guide();
                self.lock_match();
                self.enter(name);
                self.run_driver();
            }
            Err(what) => self.show_message(format!("The saved game is damaged: {what}.")),
        }
    }

    /// Locks the match for this tab, until another tab takes it over.
    fn lock_match(self) {
        let id = self.play.id.get_untracked();
        store::hold(&id.clone(), move || self.stop_match(&id));
    }

    /// Stops the match after another tab has taken it over, and says so.
    fn stop_match(self, id: &str) {
        if self.play.id.with_untracked(|own| own == id) && self.page.get_untracked() != Screen::Home {
            self.go_home();
            self.sheet.set(Some(Sheet::Elsewhere(id.to_string(), true)));
        }
    }

    /// Updates screen and dialog after Back and Forward: closes a dialog, goes home, or opens the saved match
    /// of the address.
    pub fn follow_address(self) {
        let popped = page::take_popped();
        if self.sheet.with_untracked(Option::is_some) && !page::is_sheet_entry() {
            // Back closes the dialog and keeps the screen below it. (An opened record has no address of its own.)
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
                self.go_home();
            }
        } else if shown != Screen::Home && self.play.id.with_untracked(|own| *own == id) {
            let over = self.play.with_match_untracked(|table| table.outcome().is_some()).unwrap_or(false);
            let page = if page::hash_is_end() && over { Screen::End } else { Screen::Table };
            if shown != page {
                self.page.set(page);
            }
        } else {
            spawn_local(async move {
                let saves = store::all().await.unwrap_or_default();
                match saves.into_iter().find(|about| about.id == id) {
                    Some(about) => self.resume_match(about),
                    None => self.go_home(),
                }
            });
        }
    }

    /// Deletes a saved match.
    pub fn delete_save(self, id: String) {
        spawn_local(async move {
            let _ = store::forget(&id).await;
            self.load_saves();
        });
    }

    /// Saves the match after an event.
    pub fn save_after_event(self) {
        self.play.notify_changed();
        self.autosave();
    }

    /// Saves the match after an undo: removes events that were taken back.
    pub fn save_after_undo(self) {
        let events = self.play.with_match_untracked(|table| table.entries().len()).unwrap_or(0);
        self.saving.update_value(|saving| saving.events = saving.events.min(events));
    }

    /// Starts saving the events that are not saved yet; a save that is under way also takes the new ones. Stops
    /// the match if another tab has taken it over, and shows a notice if the database fails.
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
                        self.stop_match(&id);
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

    /// Saves the events of the match with this id that are not saved yet.
    ///
    /// # Errors
    ///
    /// Fails with the error of the database; if another tab has taken the match over, with [`store::STALE`].
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
        // Skip if events were taken back meanwhile, or another match has begun.
        self.saving.update_value(|saving| {
            if is_open() && saving.events == from {
                saving.events = events;
            }
        });
        Ok(())
    }

    /// Returns the summary of the match and the lines of its record after event `from`; `None` without a match.
    fn snapshot(self, from: usize) -> Option<(SavedSummary, Vec<String>)> {
        let play = self.play;
        let players = play.players.get_untracked();
        let id = play.id.get_untracked();
        play.with_match_untracked(|table| {
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

    /// Shows the result of the match.
    pub fn show_result(self) {
        self.play.eyes.set(Eyes(Observer::All));
        self.page.set(Screen::End);
    }

    /// Returns how long an event is shown at the current speed, in milliseconds.
    pub fn pause_millis(self) -> i32 {
        self.settings.get_untracked().pause()
    }

    /// Returns how long a bot may think, in milliseconds.
    pub fn thinking_time(self) -> f64 {
        1000.0 * f64::from(self.settings.get_untracked().think_seconds)
    }

    /// Shows a message at the edge of the page, without buttons.
    pub fn show_message(self, text: String) {
        self.notice.set(Some(Notice { text, offers: Vec::new(), identity: None }));
    }

    /// Handles Escape: closes the topmost dialog, tooltip or selection.
    pub fn escape(self) {
        if self.sheet.with_untracked(Option::is_some) {
            self.sheet.set(None);
        } else if self.play.close_report() {
        } else if self.bubble.with_untracked(Option::is_some)
            && self.play.chosen.with_untracked(Vec::is_empty)
        {
            self.bubble.set(None);
        } else if !self.undo_click() && self.tab.with_untracked(|tab| tab != "table") {
            self.tab.set("table".to_string());
        }
    }

    /// Opens the rules of the game at this page.
    pub fn open_rules(self) {
        if let Some(name) = self.play.with_match_untracked(|table| table.info().name) {
            self.sheet.set(Some(Sheet::Rules(name.to_string())));
        }
    }

    /// Saves the record of the match as a file: the signed one at an online table, else the plain one.
    pub fn save_record(self) {
        if self.online.is_online() {
            return self.online.save_record();
        }
        let name = self.play.with_match_untracked(|table| table.info().name).unwrap_or_default();
        match self.play.signed.get_untracked() {
            Some(signed) => online::save(&format!("{name}.table"), &signed.file),
            None => self.save_plain_record(),
        }
    }

    /// Saves the record as a text file without signatures, one line per event.
    pub fn save_plain_record(self) {
        if let Some((name, Ok(text))) =
            self.play.with_match_untracked(|table| (table.info().name, table.record(table.header().kind)))
        {
            files::download(&format!("{name}.jsonl"), &text);
        }
    }

    /// Opens the share dialog of the device with the record.
    pub fn share_record(self) {
        if let Some((name, Ok(text))) =
            self.play.with_match_untracked(|table| (table.info().name, table.record(table.header().kind)))
        {
            files::share(&format!("{name}.jsonl"), &text);
        }
    }

    /// Runs the countdown of a reaction. At an online table, also plays moves that leave no choice.
    pub fn watch_for_reactions(self, sight: Sight) {
        let play = self.play;
        Effect::new(move |_| {
            let (settings, version, mine) = (self.settings.get(), play.version.get(), play.is_own_decision());
            let reacts = sight.scene.with(|s| s.as_ref().is_some_and(|s| s.reacts));
            let pass = sight.choices.with(|all| all.iter().find(|c| c.passes).map(|c| c.action.clone()));
            self.countdown.set(None);
            if !mine {
                return;
            }
            if self.online.is_online() {
                self.draw_pass_delay(version);
                if !settings.ask_single && self.play_only_move(version) {
                    return;
                }
            }
            let Some(pass) = pass.filter(|_| reacts && settings.react_seconds > 0) else { return };
            self.countdown.set(Some(settings.react_seconds));
            spawn_local(async move {
                page::sleep(1000 * i32::from(settings.react_seconds)).await;
                if play.version.get_untracked() == version && play.is_own_decision() {
                    self.play_action(&pass);
                }
            });
        });
    }

    /// Draws the delay of the current decision, once per decision.
    fn draw_pass_delay(self, version: u32) {
        if self.window.with_value(|(of, _)| *of != version) {
            let (least, most) = PASS_DELAY;
            let delay = least + (clock::seed() % (most - least) as u64) as i32;
            self.window.set_value((version, clock::now() + f64::from(delay)));
        }
    }

    /// Plays the only move of the player at an online table. Returns false if there is a choice.
    fn play_only_move(self, version: u32) -> bool {
        let play = self.play;
        let Some(auto) = play.with_match_untracked(|table| table.auto_move()).flatten() else { return false };
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

    /// Sends an action to the online table. A pass is delayed until its drawn time, so that the time of the reply
    /// does not reveal whether there was a choice.
    pub(crate) fn send_action(self, action: &str) {
        let play = self.play;
        let passes = untrack(|| play.legal_actions()).iter().any(|c| c.action == action && c.passes);
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

/// Parses a record and replays it.
///
/// # Errors
///
/// Fails if the text is not a record, or the rules reject an event.
fn read(text: &str) -> Result<Box<dyn crate::table::GameView>, String> {
    let record = Record::read(text.as_bytes()).map_err(|e| e.to_string())?;
    boards::load(&record)
}

/// Mounts the client in the document and opens what its address names.
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
                app.close_transients();
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
            // Closing a hint also removes its highlights.
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
                    app.start_guide(game);
                }
            }
        }
        let wanted = page::hash();
        spawn_local(async move {
            // Resume the match that was open when the page was left.
            let saves = store::all().await.unwrap_or_default();
            let wanted = saves.iter().find(|about| about.id == wanted).cloned();
            app.saves.set(saves);
            if let Some(about) = wanted {
                app.resume_match(about);
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
