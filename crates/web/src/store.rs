//! Games saved in this browser, at every event.

use crate::page::said;
use crate::play::Player;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/store.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    async fn save(id: &str, about: &str, from: u32, lines: js_sys::Array) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn remove(id: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn list() -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn load(id: &str) -> Result<JsValue, JsValue>;
}

/// What is known of a saved game without its events.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// Its name in the store.
    pub id: String,
    /// The first line of its record.
    pub header: String,
    /// Who plays.
    pub players: Vec<Player>,
    /// The round, in words.
    pub round: String,
    /// Who is awaited: a name, or nothing if it is the player of this page.
    pub awaited: Option<String>,
    /// Whether it is over.
    pub over: bool,
    /// When it was saved, in milliseconds.
    pub when: f64,
}

/// Saves the events after the first `from`; what stood there before goes.
pub async fn keep(about: &About, from: usize, lines: Vec<String>) -> Result<(), String> {
    let text = serde_json::to_string(about).map_err(|e| e.to_string())?;
    let lines = lines.iter().map(|line| JsValue::from_str(line)).collect();
    save(&about.id, &text, from as u32, lines).await.map_err(|e| said(&e))?;
    Ok(())
}

/// Forgets a game.
pub async fn forget(id: &str) -> Result<(), String> {
    remove(id).await.map(|_| ()).map_err(|e| said(&e))
}

/// All saved games, the newest first.
pub async fn all() -> Result<Vec<About>, String> {
    let list = js_sys::Array::from(&list().await.map_err(|e| said(&e))?);
    let read = |text: JsValue| serde_json::from_str::<About>(&text.as_string()?).ok();
    let mut all: Vec<About> = list.iter().filter_map(read).collect();
    all.sort_by(|a, b| b.when.total_cmp(&a.when));
    Ok(all)
}

/// The record of a saved game.
pub async fn record(about: &About) -> Result<String, String> {
    let lines = js_sys::Array::from(&load(&about.id).await.map_err(|e| said(&e))?);
    let mut text = about.header.clone() + "\n";
    for line in lines.iter() {
        text.push_str(&line.as_string().unwrap_or_default());
        text.push('\n');
    }
    Ok(text)
}
