//! What tables with others need of the browser: a store that outlives crashes, chance, the address, files.

use crate::page::said;
use pentarchy_net::{SecretBytes, Wish};
use pentarchy_table::Descriptor;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/tables.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    async fn keep(id: &str, about: &str, mine: Option<u32>) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = append)]
    async fn append_items(
        id: &str,
        from: u32,
        list: js_sys::Array,
        own: bool,
        mine: Option<u32>,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = claim)]
    async fn claim_table(id: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = forget)]
    async fn forget_table(id: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn find(id: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn list() -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn load(id: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = random)]
    fn random_bytes(bytes: u32) -> js_sys::Uint8Array;
    #[wasm_bindgen(js_name = copy)]
    async fn copy_text(text: &str) -> JsValue;
    /// Saves bytes as a file.
    pub fn save(name: &str, bytes: &[u8]);
    /// The address of the server, without a final slash.
    pub fn server() -> String;
    /// The address of the page, with what stands behind the `#`.
    pub fn href() -> String;
    /// Goes to another page.
    pub fn go(address: &str);
    /// Loads the page again.
    pub fn reload();
    #[wasm_bindgen(catch, js_name = ask)]
    async fn ask_server(verb: &str, address: &str, owner: &str, body: &str) -> Result<JsValue, JsValue>;
}

/// What is kept of a table besides its log. It holds the secrets of a seat, never leaves this browser and is not printed.
#[derive(Clone, Serialize, Deserialize)]
pub struct StoredTable {
    /// The name of the table.
    pub id: String,
    /// The invitation.
    pub link: String,
    /// The player's name there.
    pub name: String,
    /// The secret of the identity that sat down. A game goes on with it, whatever the identity of the browser is later.
    pub identity: SecretBytes,
    /// What the keys of the game are made from.
    pub seed: SecretBytes,
    /// What the player wants there.
    pub wish: Wish,
    /// The table whose terms the player has confirmed.
    #[serde(default)]
    pub confirmed: Option<Descriptor>,
    /// For the host: what is played.
    pub hosted: Option<HostPlan>,
    /// The name of the game, once it is known.
    pub game: String,
    /// The players' names, once the game has begun.
    pub players: Vec<String>,
    /// Whether it is over.
    pub over: bool,
    /// When it was looked at last, in milliseconds.
    pub when: f64,
    /// The round when it was looked at last.
    #[serde(default)]
    pub round: String,
    /// Whether the player of this browser was asked then.
    #[serde(default)]
    pub my_turn: bool,
    /// The names of those who were awaited then.
    #[serde(default)]
    pub awaited: Vec<String>,
    /// Why the game ended, if it did not end by its rules.
    #[serde(default)]
    pub ended: String,
    /// By seat: up to which event that player's page has the game; [`SEEN_ALL`] while it is connected.
    #[serde(default)]
    pub seen: Vec<u32>,
    /// By seat: the level of a bot.
    #[serde(default)]
    pub levels: Vec<Option<String>>,
    /// The generation that this tab has claimed; none if the table was never opened in this browser. See [`claim`].
    #[serde(skip)]
    pub generation: Option<u32>,
}

/// A connected player has everything.
pub const SEEN_ALL: u32 = u32::MAX;

impl StoredTable {
    /// Whether home lists it: a game that ended by its rules is not listed any more.
    pub fn is_listed(&self) -> bool {
        !self.over || !self.ended.is_empty()
    }

    /// Whether the player of this browser has no seat in the game.
    pub fn watches(&self) -> bool {
        self.wish == Wish::Watch && self.hosted.is_none()
    }
}

/// What the host has decided. It holds the secrets of its bots and is not printed.
#[derive(Clone, Serialize, Deserialize)]
pub struct HostPlan {
    /// The game.
    pub game: String,
    /// How many seats there are.
    pub seats: u8,
    /// The options that differ from the defaults.
    pub options: serde_json::Value,
    /// The bots beside the host.
    pub bots: Vec<HostedBot>,
    /// The secret by which the server knows the owner of the table.
    pub owner: String,
    /// Whether anybody may find the table in the lobby.
    pub listed: bool,
    /// After so many milliseconds of silence a seat is said to stall.
    pub stall_ms: u32,
    /// Whether a bot takes the seat of a player who left; else the game ends.
    pub takeover: bool,
    /// Whether the game starts by itself when all seats are taken and ready: a rematch does.
    #[serde(default)]
    pub at_once: bool,
}

/// A bot beside the host.
#[derive(Clone, Serialize, Deserialize)]
pub struct HostedBot {
    /// Its seat.
    pub seat: u8,
    /// What it is called.
    pub name: String,
    /// How strong it is.
    pub level: String,
    /// The secret of its identity, which is drawn for each table.
    pub identity: SecretBytes,
    /// What its keys are made from.
    pub seed: SecretBytes,
}

/// Fresh bytes from the operating system.
pub fn random() -> [u8; 32] {
    let mut bytes = [0; 32];
    random_bytes(32).copy_to(&mut bytes);
    bytes
}

/// A fresh secret.
pub fn secret() -> SecretBytes {
    SecretBytes::new(random())
}

/// What a write that came too late says: another tab has opened the table.
pub use crate::store::STALE;

/// Opens a table in this tab: its new generation. Tabs of older ones can no longer write.
pub async fn claim(id: &str) -> Result<u32, String> {
    let generation = claim_table(id).await.map_err(|e| said(&e))?;
    Ok(generation.as_f64().unwrap_or_default() as u32)
}

/// Keeps what is known of a table. Fails with [`STALE`] if another tab has opened it since.
pub async fn put(kept: &StoredTable) -> Result<(), String> {
    let text = serde_json::to_string(kept).map_err(|e| e.to_string())?;
    keep(&kept.id, &text, kept.generation).await.map(|_| ()).map_err(|e| said(&e))
}

/// What is kept of a table; nothing if it is not known here.
///
/// # Errors
/// If something is kept that cannot be read. It may hold the secrets of a seat, so nothing may be put in its place.
pub async fn get(id: &str) -> Result<Option<StoredTable>, String> {
    let found = find(id).await.map_err(|e| said(&e))?;
    if found.is_undefined() || found.is_null() {
        return Ok(None);
    }
    let text = found.as_string().unwrap_or_default();
    serde_json::from_str(&text).map(Some).map_err(|e| {
        let what = "This browser keeps a game at this table that this version of the page cannot read";
        format!("{what} ({e}). Nothing was changed.")
    })
}

/// All tables that are known here, the newest first.
pub async fn all() -> Vec<StoredTable> {
    let Ok(list) = list().await else { return Vec::new() };
    let read = |text: JsValue| serde_json::from_str::<StoredTable>(&text.as_string()?).ok();
    let mut all: Vec<StoredTable> = js_sys::Array::from(&list).iter().filter_map(read).collect();
    all.sort_by(|a, b| b.when.total_cmp(&a.when));
    all
}

/// Forgets a table.
pub async fn forget(id: &str) {
    let _ = forget_table(id).await;
}

/// The log of a table.
pub async fn log(id: &str) -> Result<Vec<Vec<u8>>, String> {
    let list = js_sys::Array::from(&load(id).await.map_err(|e| said(&e))?);
    Ok(list.iter().map(|item| js_sys::Uint8Array::new(&item).to_vec()).collect())
}

/// Appends to the log of a table, in which so many items are already. When this is done it outlives this page; what is
/// this seat's own is also on the disk then. Fails with [`STALE`], and appends nothing, if another tab has opened the table
/// since this generation.
pub async fn append(
    id: &str,
    from: u32,
    items: &[Vec<u8>],
    own: bool,
    generation: Option<u32>,
) -> Result<(), String> {
    let list = items.iter().map(|item| JsValue::from(js_sys::Uint8Array::from(item.as_slice()))).collect();
    append_items(id, from, list, own, generation).await.map(|_| ()).map_err(|e| said(&e))
}

/// Copies a text.
pub async fn copy(text: &str) -> bool {
    copy_text(text).await.as_bool().unwrap_or(false)
}

/// Asks the server's lobby; the text of its answer.
pub async fn ask(verb: &str, path: &str, owner: &str, body: &str) -> Result<String, String> {
    let address = format!("{}{path}", server());
    let answer = ask_server(verb, &address, owner, body).await.map_err(|e| said(&e))?;
    Ok(answer.as_string().unwrap_or_default())
}
