//! Browser functions for online tables: database, random bytes, address, clipboard, files.

use crate::page::error_text;
use pentarchy_engine::sorting::sort_by;
use pentarchy_lobby::{SeatRequest, SecretBytes};
use pentarchy_table::Descriptor;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/tables.js")]
extern "C" {
    /// Stores `about`, the JSON text of the table with this id, in place of an earlier one. Rejects with
    /// "stale" if `mine` is not the generation of the table (`None` fits a table that was never opened), or
    /// with the error of the database, and then writes nothing.
    #[wasm_bindgen(catch)]
    async fn keep(id: &str, about: &str, mine: Option<u32>) -> Result<JsValue, JsValue>;
    /// Appends items to the log of a table from number `from` on (counted from 0); with `own` they are
    /// flushed to the disk. Rejects with "stale" if `mine` is not the generation of the table or an item with
    /// such a number exists, or with the error of the database, and then writes nothing.
    #[wasm_bindgen(catch, js_name = append)]
    async fn append_items(
        id: &str,
        from: u32,
        list: js_sys::Array,
        own: bool,
        mine: Option<u32>,
    ) -> Result<JsValue, JsValue>;
    /// Increments the generation of a table and resolves to it. From then on it checks every 2 seconds
    /// whether another tab has claimed the table, and then stops this tab. Rejects with the error of the
    /// database.
    #[wasm_bindgen(catch, js_name = claim)]
    async fn js_claim(id: &str) -> Result<JsValue, JsValue>;
    /// Deletes a table with its log and its generation. Rejects with the error of the database.
    #[wasm_bindgen(catch, js_name = forget)]
    async fn js_forget(id: &str) -> Result<JsValue, JsValue>;
    /// Resolves to the JSON text of a table, or to `undefined` if it is not stored. Rejects with the error of
    /// the database.
    #[wasm_bindgen(catch)]
    async fn find(id: &str) -> Result<JsValue, JsValue>;
    /// Resolves to an array with the JSON texts of all tables, in no particular order. Rejects with the error
    /// of the database.
    #[wasm_bindgen(catch)]
    async fn list() -> Result<JsValue, JsValue>;
    /// Resolves to an array with the log items of a table, as byte arrays in order; empty if there are none.
    /// Rejects with the error of the database.
    #[wasm_bindgen(catch)]
    async fn load(id: &str) -> Result<JsValue, JsValue>;
    /// Returns this number of bytes from the browser's cryptographic random generator.
    #[wasm_bindgen(js_name = random)]
    fn random_bytes(bytes: u32) -> js_sys::Uint8Array;
    /// Copies a text to the clipboard and resolves to whether it worked. Never rejects.
    #[wasm_bindgen(js_name = copy)]
    async fn js_copy(text: &str) -> JsValue;
    /// Saves bytes as a file with this name in the browser's folder for downloads.
    pub fn save(name: &str, bytes: &[u8]);
    /// Returns the address of the server of this page: without query, fragment, the path of a table and a
    /// final slash.
    pub fn server() -> String;
    /// Returns the address of the page, with its fragment, which holds the key of a table.
    pub fn href() -> String;
    /// Leaves this page and loads another address.
    pub fn go(address: &str);
    /// Loads the page again.
    pub fn reload();
    /// Fetches an address and resolves to the text of the response. Rejects if the server does not answer within 3
    /// seconds or responds with an error.
    #[wasm_bindgen(catch, js_name = ask)]
    async fn ask_server(address: &str) -> Result<JsValue, JsValue>;
}

/// A table as stored in this browser, without its log. It holds the secrets of a seat, so it never leaves the
/// browser and has no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub struct StoredTable {
    /// Id of the table.
    pub id: String,
    /// The invitation link.
    pub link: String,
    /// The player's name at the table.
    pub name: String,
    /// Secret key of the identity that took the seat. The match continues with it even if the identity of the
    /// browser changes.
    pub identity: SecretBytes,
    /// Seed of the keys for this match.
    pub seed: SecretBytes,
    /// The player's request in the lobby.
    pub wish: SeatRequest,
    /// The terms that the player has confirmed.
    #[serde(default)]
    pub confirmed: Option<Descriptor>,
    /// The host's plan; `None` for guests.
    pub hosted: Option<HostPlan>,
    /// Name of the game, once it is known.
    pub game: String,
    /// Names of the players, once the match has begun.
    pub players: Vec<String>,
    /// The player's seat, once the match has begun; `None` for a spectator.
    #[serde(default)]
    pub seat: Option<u8>,
    /// Whether the match is over.
    pub over: bool,
    /// When the table was last open, in milliseconds.
    pub when: f64,
    /// The round at that time.
    #[serde(default)]
    pub round: String,
    /// Whether the player of this browser had to decide at that time.
    #[serde(default)]
    pub my_turn: bool,
    /// When the table began to wait for the players of that time, in milliseconds; 0 if that is not known.
    #[serde(default)]
    pub since: f64,
    /// When their time ends, in milliseconds; 0 if that is not known.
    #[serde(default)]
    pub due_by: f64,
    /// Number of events at that time.
    #[serde(default)]
    pub events: usize,
    /// Names of the players who had to decide at that time.
    #[serde(default)]
    pub awaited: Vec<String>,
    /// Why the match ended, if it did not end normally; else empty.
    #[serde(default)]
    pub ended: String,
    /// For each seat, the number of events that its page has received; [`SEEN_ALL`] while it is connected.
    #[serde(default)]
    pub seen: Vec<u32>,
    /// For each seat, the level of its bot.
    #[serde(default)]
    pub levels: Vec<Option<String>>,
    /// The generation that this tab has claimed; `None` if the table was never opened in this browser. See
    /// [`claim_table`].
    #[serde(skip)]
    pub generation: Option<u32>,
}

/// Marks a connected player, who receives everything.
pub const SEEN_ALL: u32 = u32::MAX;

impl StoredTable {
    /// Returns whether the table belongs in the list of the home page: not if the match ended normally. The
    /// caller must also leave out tables whose game is not known yet.
    pub fn is_listed(&self) -> bool {
        !self.over || !self.ended.is_empty()
    }

    /// Returns whether the player of this browser had to decide and their time was over before `now`, in
    /// milliseconds since 1970; `false` if the end of the time is not known.
    pub fn is_overdue(&self, now: f64) -> bool {
        self.my_turn && self.due_by > 0.0 && now > self.due_by
    }

    /// Returns whether the player of this browser has asked for no seat and is not the host. Before the match
    /// that is also a guest who has not sat down yet.
    pub fn is_spectator(&self) -> bool {
        self.wish == SeatRequest::Watch && self.hosted.is_none()
    }
}

/// What the host has decided. It holds the secrets of the bots, so it has no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub struct HostPlan {
    /// Name of the game.
    pub game: String,
    /// Number of seats.
    pub seats: u8,
    /// The options that differ from the defaults.
    pub options: serde_json::Value,
    /// The bots on the host's machine.
    pub bots: Vec<StoredBot>,
    /// Secret that proves to the server who owns the table.
    pub owner: String,
    /// Whether the server lists the table publicly.
    pub listed: bool,
    /// Silence after which a seat counts as late, in milliseconds.
    pub stall_ms: u32,
    /// Whether a bot takes the seat of a player who left; else the match ends.
    pub takeover: bool,
    /// Whether the match starts automatically when all seats are taken and ready, as in a rematch.
    #[serde(default)]
    pub at_once: bool,
    /// The tag of a table of a tournament.
    #[serde(default)]
    pub tag: Option<[u8; 16]>,
}

/// A bot on the host's machine.
#[derive(Clone, Serialize, Deserialize)]
pub struct StoredBot {
    /// Its seat.
    pub seat: u8,
    /// Its display name.
    pub name: String,
    /// Its level.
    pub level: String,
    /// Secret key of its identity, drawn for each table.
    pub identity: SecretBytes,
    /// Seed of its keys.
    pub seed: SecretBytes,
}

/// Returns 32 bytes from the browser's cryptographic random generator.
pub fn draw_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    random_bytes(32).copy_to(&mut bytes);
    bytes
}

/// Returns a random secret of 32 bytes, wiped when dropped.
pub fn draw_secret() -> SecretBytes {
    SecretBytes::new(draw_bytes())
}

/// The error of a write to a table that another tab has taken over.
pub use crate::store::STALE;

/// Claims a table for this tab and returns its new generation. Writes with an older generation fail from now
/// on. The table need not be stored yet. If this tab has it open
/// ([`lock_for_tab`](crate::store::lock_for_tab)), the tab stops within 2 seconds after another one claims
/// it.
///
/// # Errors
///
/// Fails with a text for the player if the database cannot be written.
pub async fn claim_table(id: &str) -> Result<u32, String> {
    let generation = js_claim(id).await.map_err(|e| error_text(&e))?;
    Ok(generation.as_f64().unwrap_or_default() as u32)
}

/// Stores a table in place of the entry with its id; the log is not affected.
///
/// # Errors
///
/// Fails with [`STALE`] if another tab has claimed it since `kept.generation`, or with the error of the
/// database as text. Then nothing is written.
pub async fn put_table(kept: &StoredTable) -> Result<(), String> {
    let text = serde_json::to_string(kept).map_err(|e| e.to_string())?;
    keep(&kept.id, &text, kept.generation).await.map(|_| ()).map_err(|e| error_text(&e))
}

/// Loads a table without its log; `None` if this browser does not know it. `generation` of the result is
/// `None`.
///
/// # Errors
///
/// Fails with a text for the player if the database cannot be read, or what is stored cannot be parsed. It
/// may hold the secrets of a seat, so the caller must not overwrite it.
pub async fn get_table(id: &str) -> Result<Option<StoredTable>, String> {
    let found = find(id).await.map_err(|e| error_text(&e))?;
    if found.is_undefined() || found.is_null() {
        return Ok(None);
    }
    let text = found.as_string().unwrap_or_default();
    serde_json::from_str(&text).map(Some).map_err(|e| {
        let what = "This browser keeps a game at this table that this version of the page cannot read";
        format!("{what} ({e}). Nothing was changed.")
    })
}

/// Returns all tables that this browser stores, the one that was open last first. Skips those that cannot be
/// parsed, and returns none if the database cannot be read.
pub async fn all_tables() -> Vec<StoredTable> {
    let Ok(list) = list().await else { return Vec::new() };
    let read = |text: JsValue| serde_json::from_str::<StoredTable>(&text.as_string()?).ok();
    let mut all: Vec<StoredTable> = js_sys::Array::from(&list).iter().filter_map(read).collect();
    sort_by(&mut all, |a, b| b.when.total_cmp(&a.when));
    all
}

/// Deletes a table with its secrets and its log. Errors of the database are ignored.
pub async fn forget_table(id: &str) {
    let _ = js_forget(id).await;
}

/// Loads the log items of a table in the order in which they were appended; empty if there are none.
///
/// # Errors
///
/// Fails with a text for the player if the database cannot be read.
pub async fn load_log(id: &str) -> Result<Vec<Vec<u8>>, String> {
    let list = js_sys::Array::from(&load(id).await.map_err(|e| error_text(&e))?);
    Ok(list.iter().map(|item| js_sys::Uint8Array::new(&item).to_vec()).collect())
}

/// Appends items to the log of a table, which must have `from` items so far. On return the items survive a
/// crash of the page; with `own` (items that this seat has signed) they are also flushed to the disk.
/// `generation` is that of [`claim_table`].
///
/// # Errors
///
/// Fails with [`STALE`] if another tab has claimed the table since `generation` or has appended such items,
/// or with the error of the database as text. Then nothing is appended.
pub async fn append_to_log(
    id: &str,
    from: u32,
    items: &[Vec<u8>],
    own: bool,
    generation: Option<u32>,
) -> Result<(), String> {
    let list = items.iter().map(|item| JsValue::from(js_sys::Uint8Array::from(item.as_slice()))).collect();
    append_items(id, from, list, own, generation).await.map(|_| ()).map_err(|e| error_text(&e))
}

/// Copies a text to the clipboard. Returns `false` if the browser does not allow it.
pub async fn copy_text(text: &str) -> bool {
    js_copy(text).await.as_bool().unwrap_or(false)
}

/// Fetches a path of this page's server and returns the body of the response. `path` begins with `/api/`.
///
/// # Errors
///
/// Fails with a text for the player if the server cannot be reached, does not answer within 3 seconds, or
/// responds with an error.
pub async fn fetch_from_server(path: &str) -> Result<String, String> {
    let answer = ask_server(&format!("{}{path}", server())).await.map_err(|e| error_text(&e))?;
    Ok(answer.as_string().unwrap_or_default())
}
