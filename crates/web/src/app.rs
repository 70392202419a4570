//! The whole client: which page is shown, the settings, and the game at this page.

use crate::boards::{self, Entry};
use crate::play::{Play, Player, Who};
use crate::{clock, page, shell, thinker};
use leptos::prelude::*;
use serde_json::Value;

/// Which page is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Page {
    /// The shelf of games.
    Home,
    /// A game under way, or its replay.
    Table,
    /// How it ended.
    End,
}

/// The whole client. Small, so that it can be handed to everybody.
#[derive(Clone, Copy)]
pub struct App {
    /// Which page is shown.
    pub page: RwSignal<Page>,
    /// The game at this page.
    pub play: Play,
}

/// Names for bots.
const NAMES: [&str; 6] = ["Sena", "Old Marius", "Ilex", "Tamsin", "Quill", "Boreas"];

impl App {
    fn new() -> Self {
        App { page: RwSignal::new(Page::Home), play: Play::new() }
    }

    /// One click from home: the player of this page against Captains.
    pub fn quick_start(self, game: &Entry) {
        let player = |seat: usize| Player {
            name: if seat == 0 { "You".to_string() } else { NAMES[seat - 1].to_string() },
            colour: game.look.colours[seat],
            kind: if seat == 0 { Who::Me } else { Who::Captain },
        };
        let players = (0..game.info.default_seats.into()).map(player).collect();
        self.start(game, players, &Value::Null);
    }

    /// Starts a game.
    pub fn start(self, game: &Entry, players: Vec<Player>, options: &Value) {
        match game.start(players.len() as u8, options, clock::seed()) {
            Ok(table) => {
                page::set_root("data-game", game.info.name);
                thinker::forget();
                self.play.sit(table, players, clock::seed().to_string());
                self.page.set(Page::Table);
                self.go_on();
            }
            Err(what) => self.play.trouble.set(Some(what)),
        }
    }

    /// Goes home.
    pub fn home(self) {
        self.play.stop();
        page::set_root("data-game", "");
        self.page.set(Page::Home);
    }

    /// Something has happened at the table.
    pub fn after_event(self) {
        self.play.changed();
    }

    /// The game is over.
    pub fn finished(self) {
        self.play.eyes.set(crate::play::Eyes(pentarchy_engine::Observer::All));
    }

    /// How long something is looked at, in milliseconds.
    pub fn pause(self) -> i32 {
        300
    }

    /// How long a bot may think, in milliseconds.
    pub fn thinking_time(self) -> f64 {
        800.0
    }
}

/// Mounts the client.
pub fn mount() {
    mount_to_body(|| {
        let app = App::new();
        provide_context(app);
        view! {
            {move || match app.page.get() {
                Page::Home => home(app).into_any(),
                Page::Table | Page::End => shell::table(app).into_any(),
            }}
        }
    });
}

fn home(app: App) -> impl IntoView {
    boards::GAMES
        .iter()
        .map(|game| view! { <button class="btn" on:click=move |_| app.quick_start(game)>{game.info.title}</button> })
        .collect_view()
}
