//! The identity of this browser and its address book, in a database separate from the tables.

use super::{Identity, Online, browser};
use crate::page::error_text;
use leptos::prelude::*;
use pentarchy_identity::{AddressBook, IdentityFile, IdentityKey};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

#[wasm_bindgen(module = "/js/identity.js")]
extern "C" {
    /// Resolves to the text of the stored identity, or to `undefined`. Rejects with the error of the
    /// database.
    #[wasm_bindgen(catch)]
    async fn stored_identity() -> Result<JsValue, JsValue>;
    /// Stores an identity unless there is one, and resolves to the text that is stored then. Rejects with the
    /// error of the database.
    #[wasm_bindgen(catch)]
    async fn create_identity(text: &str) -> Result<JsValue, JsValue>;
    /// Stores an identity. An earlier one is kept under another key. Rejects with the error of the database.
    #[wasm_bindgen(catch)]
    async fn replace_identity(text: &str) -> Result<JsValue, JsValue>;
    /// Resolves to the JSON text of the address book, or to `undefined`. Rejects with the error of the
    /// database.
    #[wasm_bindgen(catch)]
    async fn stored_book() -> Result<JsValue, JsValue>;
    /// Calls `edit` with the text of the address book (or `undefined`) in a transaction, and stores its
    /// result unless that is `undefined`. Rejects with the error of the database, and then changes nothing.
    #[wasm_bindgen(catch)]
    async fn change_book(edit: JsValue) -> Result<JsValue, JsValue>;
    /// Lets the player choose a file and resolves to its text, cut to 100,000 bytes. Never resolves if they
    /// cancel. Rejects if the file cannot be read.
    #[wasm_bindgen(catch)]
    async fn pick_text() -> Result<JsValue, JsValue>;
}

/// What this browser has stored as its identity.
#[derive(Clone)]
pub enum StoredIdentity {
    /// Nothing.
    None,
    /// A valid identity.
    Key(IdentityKey),
    /// A text that cannot be parsed: the reason, and the text. It is overwritten only if the player asks for it.
    Damaged(String, String),
}

/// Loads the stored identity: nothing, a valid key, or a damaged text with the reason. Creates and changes
/// nothing.
///
/// # Errors
///
/// Fails with a text for the player if the database cannot be read.
pub async fn stored() -> Result<StoredIdentity, String> {
    let text = stored_identity().await.map_err(|e| error_text(&e))?;
    let Some(text) = text.as_string() else { return Ok(StoredIdentity::None) };
    Ok(match IdentityFile::parse(&text).and_then(|file| file.open(None)) {
        Ok(key) => StoredIdentity::Key(key),
        Err(why) => StoredIdentity::Damaged(why.to_string(), text),
    })
}

/// Returns the identity of this browser. Creates and stores one if there is none; if another tab was faster,
/// returns that one.
///
/// # Errors
///
/// Fails with a sentence for the player if the database fails, or if the stored identity is damaged; a
/// damaged one is not overwritten.
pub async fn own() -> Result<IdentityKey, String> {
    match stored().await? {
        StoredIdentity::Key(key) => Ok(key),
        StoredIdentity::Damaged(why, _) => Err(format!(
            "The identity stored in this browser cannot be read: {why}. Open “Your identity” on the home page."
        )),
        StoredIdentity::None => {
            let text = IdentityFile::plain(&IdentityKey::from_bytes(browser::draw_bytes())).to_text();
            // Another tab may have created one in between: then that identity is used.
            let text =
                create_identity(&text).await.map_err(|e| error_text(&e))?.as_string().unwrap_or_default();
            IdentityFile::parse(&text).and_then(|file| file.open(None)).map_err(|e| e.to_string())
        }
    }
}

/// Replaces the identity of this browser. The old one stays in the database under another key, but the page
/// has no way back to it. Tables where it has a seat keep it.
///
/// # Errors
///
/// Fails with a text for the player if the database cannot be written.
pub async fn replace(key: &IdentityKey) -> Result<(), String> {
    let text = IdentityFile::plain(key).to_text();
    replace_identity(&text).await.map(|_| ()).map_err(|e| error_text(&e))
}

/// Creates a random identity without storing it.
pub fn fresh() -> IdentityKey {
    IdentityKey::from_bytes(browser::draw_bytes())
}

/// Returns the identity as an export file, encrypted with a random salt if the passphrase is not empty. The
/// encryption blocks the page for a moment.
///
/// # Errors
///
/// Fails with a text for the player if the encryption fails.
pub fn exported(key: &IdentityKey, passphrase: &str) -> Result<IdentityFile, String> {
    if passphrase.is_empty() {
        return Ok(IdentityFile::plain(key));
    }
    let mut salt = [0; 16];
    salt.copy_from_slice(&browser::draw_bytes()[..16]);
    IdentityFile::encrypted(key, passphrase, salt).map_err(|e| e.to_string())
}

/// Lets the player choose a file and returns its text, cut to 100,000 bytes; `None` if it cannot be read.
/// Never returns if they cancel.
pub async fn chosen_text() -> Option<String> {
    pick_text().await.ok()?.as_string()
}

/// Loads the address book. Returns an empty one if there is none or it cannot be read or parsed, and does not
/// change the stored one.
pub async fn book() -> AddressBook {
    let text = stored_book().await.ok().and_then(|text| text.as_string());
    text.and_then(|text| AddressBook::from_json(&text).ok()).unwrap_or_default()
}

/// Changes the stored address book by `edit`, in a transaction, and returns what is stored then. Changes
/// nothing if the stored one cannot be parsed or written; `edit` is not called if it cannot be parsed. A
/// stored book that cannot be read or parsed is returned as empty.
pub async fn edit_book(edit: impl FnOnce(&mut AddressBook) + 'static) -> AddressBook {
    let edit = Closure::once_into_js(move |text: JsValue| -> JsValue {
        let read =
            text.as_string().map_or_else(|| Ok(AddressBook::default()), |text| AddressBook::from_json(&text));
        let Ok(mut book) = read else { return JsValue::UNDEFINED };
        edit(&mut book);
        book.to_json().map_or(JsValue::UNDEFINED, JsValue::from)
    });
    let _ = change_book(edit).await;
    book().await
}

impl Online {
    /// Loads the address book into its signal, in the background.
    pub(super) fn load_book(self) {
        spawn_local(async move { self.book.set(book().await) });
    }

    /// Adds the other players of a match to the stored address book, in the background. The signal keeps the
    /// old content, so that the page can say whom the player has met before. Does nothing without a table.
    pub(super) fn meet_players(self, players: Vec<(Identity, String)>) {
        let Some(table) = self.with_peer_state(|peer_state| peer_state.kept.id.clone()) else { return };
        let now = js_sys::Date::now() as u64;
        spawn_local(async move {
            let meet = move |book: &mut AddressBook| {
                players.iter().for_each(|(key, name)| book.meet(key, name, &table, now));
            };
            // The signal keeps what was known before this table, so that the page can say whom the player has met.
            edit_book(meet).await;
        });
    }

    /// Marks the player with the identity `key`, known as `name`, as a cheater in the stored
    /// address book and updates its signal, in the background. `what` describes the fraud. Call it
    /// only after the evidence has been verified.
    pub(super) fn mark_cheat(self, key: Identity, name: String, what: String) {
        spawn_local(async move { self.book.set(mark_cheat(key, name, what).await) });
    }
}

/// Marks the player with the identity `key`, known as `name`, as a cheater in the stored address book, and
/// returns its new content. `what` describes the fraud. The caller must have verified the evidence. Errors of
/// the database are ignored.
pub async fn mark_cheat(key: Identity, name: String, what: String) -> AddressBook {
    let now = js_sys::Date::now() as u64;
    edit_book(move |book| book.mark_cheat(&key, &name, &what, now)).await
}
