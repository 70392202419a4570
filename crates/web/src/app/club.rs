//! The pages of the club: which one is shown, and games of its archive at this page.

use super::{App, Screen};
use crate::club::{self, ClubPlace};
use crate::{page, store, thinker};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

impl App {
    /// Goes to a page of the club, given by the fragment of its address. Does nothing if it names none.
    pub fn open_club(self, fragment: &str) {
        if let Some(place) = ClubPlace::parse(fragment) {
            page::navigate(fragment);
            self.show_club(place);
        }
    }

    /// Shows a page of the club, closes dialog, tooltip and notice, and stops the match at this page, which
    /// stays saved. For a replay, the record of the game is loaded in the background, with the game's page in
    /// its place until then, and then shown from its beginning; a message says why it cannot be loaded. If the
    /// game of the replay is at this page already, only its table is shown, from the beginning unless the table
    /// or the end is on the screen.
    pub(super) fn show_club(self, place: ClubPlace) {
        let loaded = self.play.archived.get_untracked();
        let id = match &place {
            ClubPlace::Game(id) | ClubPlace::Replay(id) => Some(id.clone()),
            _ => None,
        };
        let (shown, is_loaded) = (self.page.get_untracked(), id.is_some() && id == loaded);
        let is_replay = matches!(place, ClubPlace::Replay(_));
        self.place.set(Some(place));
        if is_replay && is_loaded {
            if !matches!(shown, Screen::Table | Screen::End) {
                self.page.set(Screen::Table);
                self.show_position_at(0);
            }
            return;
        }
        self.sheet.set(None);
        self.bubble.set(None);
        self.notice.set(None);
        if shown != Screen::Club {
            self.play.stop();
            self.remove_guide();
            store::lock_for_tab("", || {});
            self.page.set(Screen::Club);
        }
        if !is_loaded {
            page::set_root("data-game", "");
        }
        page::scroll_up();
        if let Some(id) = id.filter(|_| is_replay) {
            spawn_local(async move {
                let loaded = self.load_archived(&id).await;
                let is_wanted = self.place.get_untracked() == Some(ClubPlace::Replay(id));
                match loaded {
                    Ok(true) if is_wanted => {
                        self.page.set(Screen::Table);
                        self.show_position_at(0);
                    }
                    Ok(_) => {}
                    Err(what) => self.show_message(what),
                }
            });
        }
    }

    /// Downloads the record of an archived game, verifies it and sets it up in place of the match at this
    /// page, at its end. Does not change the screen. Returns whether it is there then: not if the player has
    /// started something else meanwhile. Does nothing if it is there already.
    ///
    /// # Errors
    ///
    /// Fails with sentences for the player if the record cannot be downloaded or is wrong.
    pub async fn load_archived(self, id: &str) -> Result<bool, String> {
        let is_loaded = || self.play.archived.with_untracked(|loaded| loaded.as_deref() == Some(id));
        if is_loaded() {
            return Ok(true);
        }
        let run = self.play.run.get_untracked();
        let record = club::get_record(id).await.map_err(|why| why.text())?;
        if self.play.run.get_untracked() != run || self.page.get_untracked() != Screen::Club {
            return Ok(false);
        }
        let loaded = self.load_signed(&record).await;
        // Its progress.
        self.notice.set(None);
        let Some(game) = loaded? else { return Ok(false) };
        thinker::forget();
        self.tab.set("table".to_string());
        page::set_root("data-game", game);
        self.play.archived.set(Some(id.to_string()));
        Ok(true)
    }

    /// Shows the position of the match at this page after the first `at` events on the screen of the match; the
    /// present with all events or more. From the page of an archived game it goes to the address of its replay.
    pub fn show_past(self, at: usize) {
        let archived = self.play.archived.get_untracked();
        if let Some(id) = archived.filter(|_| self.page.get_untracked() == Screen::Club) {
            page::navigate(&format!("club/game/{id}/replay"));
            self.place.set(Some(ClubPlace::Replay(id)));
        }
        self.page.set(Screen::Table);
        self.show_position_at(at);
    }
}
