//! Matches saved in this browser, and records as files.

use super::{App, Notice, Offer, Screen, Sheet};
use crate::saved::{SaveProgress, SavedSummary};
use crate::{boards, files, online, store};
use leptos::prelude::*;
use pentarchy_engine::record::Record;
use wasm_bindgen_futures::spawn_local;

impl App {
    /// Loads the list of saved matches into `saves`, in the background. Shows a message, and keeps the list,
    /// if the database cannot be read.
    pub fn load_saves(self) {
        spawn_local(async move {
            match store::load_summaries().await {
                Ok(saves) => self.saves.set(saves),
                Err(what) => self.show_message(format!("Games cannot be kept in this browser: {what}.")),
            }
        });
    }

    /// Resumes a saved match in the background, or opens a dialog that offers to take it over if another tab
    /// has it open. Shows a message, and keeps the match at this page, if it cannot be loaded.
    pub fn resume_match(self, about: SavedSummary) {
        spawn_local(async move {
            if store::is_elsewhere(&about.id).await {
                self.sheet.set(Some(Sheet::Elsewhere(about.id, false)));
            } else {
                self.sit_again(about).await;
            }
        });
    }

    /// Resumes the saved match with this id in this tab, in the background; the tab that has it open stops.
    /// Shows a message if it is no longer saved or cannot be loaded; the match at this page is kept then.
    pub fn take_over_match(self, id: String) {
        spawn_local(async move {
            store::stop_other_tabs(&id).await;
            let saves = store::load_summaries().await.unwrap_or_default();
            match saves.into_iter().find(|about| about.id == id) {
                Some(about) => self.sit_again(about).await,
                None => self.show_message("This game is no longer saved.".to_string()),
            }
        });
    }

    /// Claims and loads a saved match, locks it for this tab, shows it and runs its driver. Restores its
    /// guide. Shows a message, and keeps the match at this page, if it cannot be read or replayed; the claim
    /// stays. Does not check whether another tab has it open.
    async fn sit_again(self, about: SavedSummary) {
        let load = async {
            let generation = store::claim(&about.id).await?;
            Ok::<_, String>((generation, store::load_record(&about).await?))
        };
        let (generation, text) = match load.await {
            Ok(loaded) => loaded,
            Err(what) => return self.show_message(format!("The saved game cannot be read: {what}.")),
        };
        match replay(&text) {
            Ok(table) => {
                let (name, events) = (table.info().name, table.entries().len());
                self.play.set_match(table, about.players, about.id);
                self.saving.update_value(|saving| saving.begin_match(events, Some(generation)));
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

    /// Notes for other tabs that this tab has the match at this page open, in place of an earlier one. When
    /// another tab takes it over, this tab goes home and shows a dialog about that, if the match is still on
    /// the screen.
    pub(super) fn lock_match(self) {
        let id = self.play.id.get_untracked();
        store::lock_for_tab(&id.clone(), move || self.stop_match(&id));
    }

    /// Releases the lock of the match that this tab had, and forgets how much of it was saved: the match at
    /// this page is not saved.
    pub(crate) fn release_match(self) {
        self.saving.update_value(|saving| saving.begin_match(0, None));
        store::lock_for_tab("", || {});
    }

    /// Goes home and shows that another tab has taken the match over. Does nothing if the match with this id
    /// is not on the screen any more.
    fn stop_match(self, id: &str) {
        if self.play.id.with_untracked(|own| own == id) && self.page.get_untracked() != Screen::Home {
            self.go_home();
            self.sheet.set(Some(Sheet::Elsewhere(id.to_string(), true)));
        }
    }

    /// Deletes the saved match with this id in the background and reloads the list. A tab that has it open
    /// stops it at its next save. Errors of the database are ignored.
    pub fn delete_save(self, id: String) {
        spawn_local(async move {
            let _ = store::delete_match(&id).await;
            self.load_saves();
        });
    }

    /// Notifies the page that the match has changed, and starts saving it in the background.
    pub fn save_after_event(self) {
        self.play.notify_changed();
        self.autosave();
    }

    /// Notes that events were taken back, so that the next save replaces them in the database. Does not save:
    /// call [`App::save_after_event`] afterwards.
    pub fn mark_taken_back(self) {
        let events = self.play.with_match_untracked(|table| table.entries().len()).unwrap_or(0);
        self.saving.update_value(|saving| saving.take_back(events));
    }

    /// Starts saving the events that are not saved yet, in the background; a save that is under way also
    /// takes the new ones. Does nothing for a match without an id. Stops the match if another tab has taken
    /// it over, and shows a notice that offers the record as a file if the database fails.
    pub(crate) fn autosave(self) {
        let id = self.play.id.get_untracked();
        if id.is_empty() {
            return;
        }
        let Some(number) = self.saving.try_update_value(SaveProgress::request).flatten() else { return };
        spawn_local(async move {
            while self.saving.try_update_value(|saving| saving.next(number)) == Some(true) {
                let Err(what) = self.save_events(&id, number).await else { continue };
                // Another match may be at this page by now.
                if !self.saving.with_value(|saving| saving.is_current(number)) {
                    return;
                }
                self.saving.update_value(|saving| saving.stop(number));
                if what == store::STALE {
                    return self.stop_match(&id);
                }
                let label = "Save the record".to_string();
                let offers = vec![Offer { what: "save".to_string(), label, why: None }];
                let text = format!("This game cannot be kept in this browser: {what}.");
                return self.notice.set(Some(Notice { text, offers, identity: None }));
            }
        });
    }

    /// Saves the events of the match with this id that are not saved yet, with its summary, and counts them
    /// as saved. Claims the match first if that was not done. Saves nothing if another match is at this page
    /// meanwhile; `number` is the number of the match ([`SaveProgress`]).
    ///
    /// # Errors
    ///
    /// Fails with the error of the database as text, or with [`store::STALE`] if another tab has taken the
    /// match over. Then no event counts as saved.
    async fn save_events(self, id: &str, number: u32) -> Result<(), String> {
        let generation = match self.saving.with_value(SaveProgress::generation) {
            Some(generation) => generation,
            None => {
                let generation = store::claim(id).await?;
                self.saving.update_value(|saving| saving.set_generation(number, generation));
                generation
            }
        };
        let from = self.saving.with_value(SaveProgress::events);
        let is_current = self.saving.with_value(|saving| saving.is_current(number));
        let Some((about, lines)) = self.unsaved_part(from).filter(|_| is_current) else { return Ok(()) };
        let events = from + lines.len();
        store::save_match(&about, from, lines, generation).await?;
        self.saving.update_value(|saving| saving.set_saved(number, from, events));
        Ok(())
    }

    /// Returns the summary of the match as of now, and the lines of its record after the first `from` events;
    /// `None` without a match. An event that cannot be written as JSON has no line.
    fn unsaved_part(self, from: usize) -> Option<(SavedSummary, Vec<String>)> {
        let play = self.play;
        let (id, players) = (play.id.get_untracked(), play.players.get_untracked());
        play.with_match_untracked(|table| {
            let lines = table.entries().iter().skip(from);
            let about = SavedSummary::new(table, id, players, js_sys::Date::now());
            (about, lines.filter_map(|entry| serde_json::to_string(entry).ok()).collect())
        })
    }

    /// Saves the record of the match as a file: the signed one of an online table or an opened signed record,
    /// otherwise the plain one. Does nothing without a match.
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

    /// Saves the record as a text file without signatures, one line per event. Does nothing without a match,
    /// or if the record cannot be written.
    pub fn save_plain_record(self) {
        if let Some((name, Ok(text))) =
            self.play.with_match_untracked(|table| (table.info().name, table.record(table.header().kind)))
        {
            files::download(&format!("{name}.jsonl"), &text);
        }
    }

    /// Opens the share dialog of the device with the plain record; where there is none, saves it as a file.
    /// Does nothing without a match, or if the record cannot be written.
    pub fn share_record(self) {
        if let Some((name, Ok(text))) =
            self.play.with_match_untracked(|table| (table.info().name, table.record(table.header().kind)))
        {
            files::share(&format!("{name}.jsonl"), &text);
        }
    }
}

/// Parses a record and replays it. The result is at the last event.
///
/// # Errors
///
/// Fails with a text for the player if the text is not a record, its game is unknown, or the rules reject an
/// event.
fn replay(text: &str) -> Result<Box<dyn crate::table::GameView>, String> {
    let record = Record::read(text.as_bytes()).map_err(|e| e.to_string())?;
    boards::load(&record)
}
