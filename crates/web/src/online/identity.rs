//! The identity of this browser, and its address book: stored apart from the tables, in a database of their own.

use super::{Identity, Online, browser};
use crate::page::said;
use leptos::prelude::*;
use pentarchy_identity::{AddressBook, IdentityFile, IdentityKey};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

#[wasm_bindgen(module = "/js/identity.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    async fn stored_identity() -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn create_identity(text: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn replace_identity(text: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn stored_book() -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn change_book(edit: JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn pick_text() -> Result<JsValue, JsValue>;
}

/// What this browser has stored as its identity.
#[derive(Clone)]
pub enum StoredIdentity {
    /// Nothing yet.
    None,
    /// An identity.
    Key(IdentityKey),
    /// A text that is no identity: why, and the text. It is never overwritten unless the player says so.
    Damaged(String, String),
}

/// What is stored; nothing is created.
pub async fn stored() -> Result<StoredIdentity, String> {
    let text = stored_identity().await.map_err(|e| said(&e))?;
    let Some(text) = text.as_string() else { return Ok(StoredIdentity::None) };
    Ok(match IdentityFile::parse(&text).and_then(|file| file.open(None)) {
        Ok(key) => StoredIdentity::Key(key),
        Err(why) => StoredIdentity::Damaged(why.to_string(), text),
    })
}

/// The identity of this browser; a new one if there is none.
///
/// # Errors
/// The browser cannot store it, or what is stored is damaged: then it is left as it is.
pub async fn own() -> Result<IdentityKey, String> {
    match stored().await? {
        StoredIdentity::Key(key) => Ok(key),
        StoredIdentity::Damaged(why, _) => Err(format!(
            "The identity stored in this browser cannot be read: {why}. Open “Your identity” on the home page."
        )),
        StoredIdentity::None => {
            let text = IdentityFile::plain(&IdentityKey::from_bytes(browser::random())).to_text();
            // Another tab may have been faster: then its identity counts.
            let text = create_identity(&text).await.map_err(|e| said(&e))?.as_string().unwrap_or_default();
            IdentityFile::parse(&text).and_then(|file| file.open(None)).map_err(|e| e.to_string())
        }
    }
}

/// Replaces the identity of this browser. Tables at which the old one sits go on with it.
pub async fn replace(key: &IdentityKey) -> Result<(), String> {
    let text = IdentityFile::plain(key).to_text();
    replace_identity(&text).await.map(|_| ()).map_err(|e| said(&e))
}

/// A fresh identity, not stored yet.
pub fn fresh() -> IdentityKey {
    IdentityKey::from_bytes(browser::random())
}

/// The identity as it is exported, encrypted if a passphrase is given.
pub fn exported(key: &IdentityKey, passphrase: &str) -> Result<IdentityFile, String> {
    if passphrase.is_empty() {
        return Ok(IdentityFile::plain(key));
    }
    let mut salt = [0; 16];
    salt.copy_from_slice(&browser::random()[..16]);
    IdentityFile::encrypted(key, passphrase, salt).map_err(|e| e.to_string())
}

/// The text of a file that the player chooses.
pub async fn chosen_text() -> Option<String> {
    pick_text().await.ok()?.as_string()
}

/// The address book. One that cannot be read counts as empty here, and is not overwritten.
pub async fn book() -> AddressBook {
    let text = stored_book().await.ok().and_then(|text| text.as_string());
    text.and_then(|text| AddressBook::from_json(&text).ok()).unwrap_or_default()
}

/// Changes the address book; what it holds then.
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
    /// Reads the address book.
    pub(super) fn read_book(self) {
        spawn_local(async move { self.book.set(book().await) });
    }

    /// The game begins: the other players go into the address book.
    pub(super) fn meet_players(self, players: Vec<(Identity, String)>) {
        let Some(table) = self.with_desk(|desk| desk.kept.id.clone()) else { return };
        let now = js_sys::Date::now() as u64;
        spawn_local(async move {
            let meet = move |book: &mut AddressBook| {
                players.iter().for_each(|(key, name)| book.meet(key, name, &table, now));
            };
            // What is said about a player stays as it was before this table.
            edit_book(meet).await;
        });
    }

    /// A player has cheated, and there is evidence.
    pub(super) fn mark_cheat(self, key: Identity, name: String, what: String) {
        spawn_local(async move { self.book.set(mark_cheat(key, name, what).await) });
    }
}

/// Enters evidence into the address book that was judged to be valid.
pub async fn mark_cheat(key: Identity, name: String, what: String) -> AddressBook {
    let now = js_sys::Date::now() as u64;
    edit_book(move |book| book.mark_cheat(&key, &name, &what, now)).await
}
