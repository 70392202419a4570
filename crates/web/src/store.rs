//! The database of local matches, saved after every event.

use crate::page::error_text;
use pentarchy_engine::sorting::sort_by;
use wasm_bindgen::prelude::*;

pub use crate::saved::SavedSummary;

#[wasm_bindgen(module = "/js/store.js")]
extern "C" {
    /// Writes the summary `about` (JSON) of the match with this id and `lines`, its events from number `from`
    /// on (counted from 0), and deletes later ones. Rejects with "stale" if `mine` is not the generation of
    /// the match, or with the error of the database, and then writes nothing.
    #[wasm_bindgen(catch)]
    async fn save(
        id: &str,
        about: &str,
        from: u32,
        lines: js_sys::Array,
        mine: u32,
    ) -> Result<JsValue, JsValue>;
    /// Increments the generation of a match, which is 0 for a new one, and resolves to the new value. Rejects
    /// with the error of the database.
    #[wasm_bindgen(catch, js_name = claim)]
    async fn raise(id: &str) -> Result<JsValue, JsValue>;
    /// Deletes a match with its events and its generation. Rejects with the error of the database.
    #[wasm_bindgen(catch)]
    async fn remove(id: &str) -> Result<JsValue, JsValue>;
    /// Resolves to an array with the summaries of all matches, as JSON texts, in no particular order. Rejects
    /// with the error of the database.
    #[wasm_bindgen(catch)]
    async fn list() -> Result<JsValue, JsValue>;
    /// Resolves to an array with the events of a match, as JSON texts in order; empty if there are none.
    /// Rejects with the error of the database.
    #[wasm_bindgen(catch)]
    async fn load(id: &str) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen(module = "/js/tabs.js")]
extern "C" {
    /// Resolves to whether another tab answers within 400 ms that it has the match open; at once to `false`
    /// if the browser has no channel between tabs.
    async fn played_elsewhere(id: &str) -> JsValue;
    /// Notes that this tab has the match open, in place of an earlier one, and calls `lost` when another tab
    /// takes it over. An empty id releases it.
    fn play_here(id: &str, lost: JsValue);
    /// Tells other tabs that have the match open to stop. Resolves after 400 ms; at once if the browser has
    /// no channel between tabs.
    async fn take_over(id: &str);
}

/// Returns whether another tab of this browser has the match or online table with this id open. Asks the
/// other tabs; `false` if none answers within 400 ms or the browser has no channel between tabs.
pub async fn is_elsewhere(id: &str) -> bool {
    played_elsewhere(id).await.as_bool().unwrap_or(false)
}

/// Notes that this tab has the match or online table with this id open, in place of the one before; an empty id
/// releases it. Other tabs can then ask for it ([`is_elsewhere`]); nothing prevents them from opening it. When
/// another tab takes it over, calls `lost` and releases it; `lost` must stop the match.
pub fn lock_for_tab(id: &str, lost: impl FnMut() + 'static) {
    play_here(id, Closure::<dyn FnMut()>::new(lost).into_js_value());
}

/// Tells other tabs that have the match or online table with this id open to stop, and waits 400 ms so that
/// they can save their last events; returns at once if the browser has no channel between tabs. A tab that
/// sleeps does not hear it: its writes fail after [`claim`].
pub async fn stop_other_tabs(id: &str) {
    take_over(id).await;
}

/// Claims a match for this tab and returns its new generation. Writes with an older generation fail from now
/// on. The match need not be saved yet.
///
/// # Errors
///
/// Fails with a text for the player if the database cannot be written.
pub async fn claim(id: &str) -> Result<u32, String> {
    let generation = raise(id).await.map_err(|e| error_text(&e))?;
    Ok(generation.as_f64().unwrap_or_default() as u32)
}

/// The error of a write with an old generation: another tab has claimed the match.
pub const STALE: &str = "stale";

/// Saves the summary of a match and `lines`, its events after the first `from`, and deletes all events that
/// were stored there before. `generation` comes from [`claim`].
///
/// # Errors
///
/// Fails with [`STALE`] if another tab has claimed the match since `generation`, or with the error of the
/// database as text. Then nothing is written.
pub async fn save_match(
    about: &SavedSummary,
    from: usize,
    lines: Vec<String>,
    generation: u32,
) -> Result<(), String> {
    let text = serde_json::to_string(about).map_err(|e| e.to_string())?;
    let lines = lines.iter().map(|line| JsValue::from_str(line)).collect();
    save(&about.id, &text, from as u32, lines, generation).await.map_err(|e| error_text(&e))?;
    Ok(())
}

/// Deletes a saved match with its events and its generation. It is no error if there is none.
///
/// # Errors
///
/// Fails with a text for the player if the database cannot be written.
pub async fn delete_match(id: &str) -> Result<(), String> {
    remove(id).await.map(|_| ()).map_err(|e| error_text(&e))
}

/// Returns the summaries of all saved matches, the one that was saved last first. Skips those that cannot be
/// parsed.
///
/// # Errors
///
/// Fails with a text for the player if the database cannot be read.
pub async fn load_summaries() -> Result<Vec<SavedSummary>, String> {
    let list = js_sys::Array::from(&list().await.map_err(|e| error_text(&e))?);
    let read = |text: JsValue| serde_json::from_str::<SavedSummary>(&text.as_string()?).ok();
    let mut all: Vec<SavedSummary> = list.iter().filter_map(read).collect();
    sort_by(&mut all, |a, b| b.when.total_cmp(&a.when));
    Ok(all)
}

/// Returns the record of a saved match as text: the header from the summary `about`, then one line per saved
/// event. The caller must check that it can be replayed.
///
/// # Errors
///
/// Fails with a text for the player if the database cannot be read.
pub async fn load_record(about: &SavedSummary) -> Result<String, String> {
    let lines = js_sys::Array::from(&load(&about.id).await.map_err(|e| error_text(&e))?);
    let mut text = about.header.clone() + "\n";
    for line in lines.iter() {
        text.push_str(&line.as_string().unwrap_or_default());
        text.push('\n');
    }
    Ok(text)
}
