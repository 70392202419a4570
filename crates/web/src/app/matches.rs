//! Matches that begin, and the way between the screens.

use super::{App, Screen};
use crate::boards::{self, GameListing};
use crate::club::ClubPlace;
use crate::play::{PlayerKind, SeatPlayer, ShownObserver};
use crate::{clock, page, store, thinker};
use leptos::prelude::*;
use pentarchy_engine::Observer;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

/// Names of bots.
pub const NAMES: [&str; 6] = ["Sena", "Old Marius", "Ilex", "Tamsin", "Quill", "Boreas"];

impl App {
    /// Returns the usual players of a match with this number of seats, by seat: kind `first` at the first
    /// seat, kind `others` at all others. The first player is named "You" if it is the player of this page;
    /// all others get names of bots, which repeat after six seats. Colours follow the game.
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

    /// Starts a match of the player of this page against Medium bots, in place of the match at this page,
    /// with the default seats, the options that the page proposes ([`GameListing::page_options`]) and a
    /// random seed.
    pub fn quick_start(self, game: &GameListing) {
        let players = Self::usual_players(game, PlayerKind::Me, PlayerKind::Captain, game.info.default_seats);
        self.start_match(game, players, &game.page_options(), clock::seed());
    }

    /// Starts a match of Medium bots that the player watches, in place of the match at this page, with the
    /// default seats, the options that the page proposes ([`GameListing::page_options`]) and a random seed.
    pub fn watch_bots(self, game: &GameListing) {
        let players =
            Self::usual_players(game, PlayerKind::Captain, PlayerKind::Captain, game.info.default_seats);
        self.start_match(game, players, &game.page_options(), clock::seed());
    }

    /// Starts the guided first match with its prepared deal, at the first step of the guide, in place of the
    /// match at this page, and stores that this match has a guide.
    pub fn start_guide(self, game: &GameListing) {
        let guide = game.guide;
        let players =
            Self::usual_players(game, PlayerKind::Me, PlayerKind::of_level(guide.bots), guide.seats);
        self.start_match(game, players, &(guide.options)(), guide.seed);
        self.guide.set(Some(0));
        self.store_guide();
    }

    /// Starts a match with these players, by seat, in place of the one at this page: saves it under a new id,
    /// locks it for this tab, shows it and runs its driver. Of a match of bots alone, the page shows all hands
    /// or none, by the preferences. `options` is an object of options of the game by name; those missing have
    /// their defaults, all of them for `Null`. `seed` determines all chance. Changes nothing and shows a notice
    /// if the game rejects the options or the number of players.
    pub fn start_match(self, game: &GameListing, players: Vec<SeatPlayer>, options: &Value, seed: u64) {
        match game.start(players.len() as u8, options, seed) {
            Ok(table) => {
                self.remove_guide();
                self.play.set_match(table, players, clock::new_match_id());
                self.hide_hands();
                self.saving.update_value(|saving| saving.begin_match(0, None));
                self.lock_match();
                // The driver saves after events only, and the first event may be the player's own.
                self.autosave();
                self.enter(game.info.name);
                self.run_driver();
            }
            Err(what) => self.show_message(format!("This cannot be played: {what}.")),
        }
    }

    /// Shows a match of bots as a spectator sees it, unless the preferences show all hands. Changes nothing
    /// in a match with a person.
    fn hide_hands(self) {
        if self.play.observer.get_untracked() == ShownObserver(Observer::All)
            && !self.settings.get_untracked().open_hands
        {
            self.play.observer.set(ShownObserver(Observer::Spectator));
        }
    }

    /// Starts a match with the same game, players, seats and options, and a new random seed, in place of the
    /// one at this page, which stays saved. Does nothing without a match, or if the page does not have its
    /// game.
    pub fn rematch(self) {
        let header = self.play.with_match_untracked(|table| table.header().clone());
        let Some(header) = header else { return };
        let players = self.play.players.get_untracked();
        if let Ok(game) = boards::find(&header.game) {
            self.start_match(game, players, &header.options, clock::seed());
        }
    }

    /// Shows the table of the match that was just set: closes sheets and notices, resets the bots, sets the
    /// address, and rebuilds the board. `game` is the game's name in the style sheet. The screen changes in
    /// the next turn of the event loop, unless another screen was shown meanwhile.
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

    /// Shows the home screen and stops the match, which stays saved; releases its lock, removes the guide and
    /// reloads the list of saved matches. At an online table it leaves the table instead.
    pub fn go_home(self) {
        if self.online.is_online() {
            return self.online.leave_table();
        }
        self.play.stop();
        self.remove_guide();
        self.sheet.set(None);
        self.bubble.set(None);
        page::set_root("data-game", "");
        store::lock_for_tab("", || {});
        page::navigate("");
        self.page.set(Screen::Home);
        self.load_saves();
    }

    /// Updates screen and dialog after Back and Forward. An open dialog whose history entry was left is closed,
    /// and nothing else happens. Otherwise the fragment of the address decides: the home screen if it is empty,
    /// a page of the club, the table or the result of the match at this page, or a saved match, which is
    /// resumed in the background; any other fragment leads home. Does nothing else at an online table, and
    /// nothing if the step only removed the entry of a closed dialog.
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
        } else if let Some(place) = ClubPlace::parse(&id) {
            self.show_club(place);
        } else if matches!(shown, Screen::Table | Screen::End)
            && self.play.id.with_untracked(|own| *own == id)
        {
            let over = self.play.with_match_untracked(|table| table.outcome().is_some()).unwrap_or(false);
            let page = if page::is_at_end() && over { Screen::End } else { Screen::Table };
            if shown != page {
                self.page.set(page);
            }
        } else {
            spawn_local(async move {
                let saves = store::load_summaries().await.unwrap_or_default();
                match saves.into_iter().find(|about| about.id == id) {
                    Some(about) => self.resume_match(about),
                    None => self.go_home(),
                }
            });
        }
    }

    /// Shows the end screen of the match at this page, with all hands open. Does not check whether
    /// the match is over.
    pub fn show_result(self) {
        self.play.observer.set(ShownObserver(Observer::All));
        self.page.set(Screen::End);
    }
}
