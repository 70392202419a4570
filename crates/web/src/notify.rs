//! The notifications of this page's server, as JSON over HTTP (`docs/network.md`): what it offers, the subscriptions of the
//! player, the seats that they follow, and announcements of turns.

use crate::online::identity;
use crate::online::{self, StoredTable};
use crate::page::{self, error_text};
use pentarchy_identity::PlayerRequest;
use pentarchy_lobby::{AnnounceExchange, AnnounceReply, AnnounceRequest, ServerCall, table_label};
use pentarchy_net::Invite;
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/notify.js")]
extern "C" {
    /// Sends a request, with `authorization` as the header of this name unless it is empty, and resolves to an
    /// array of the status and the text of the response. `body` may be empty. Rejects if there is no response
    /// within `patience` milliseconds.
    #[wasm_bindgen(catch, js_name = request)]
    async fn js_request(
        verb: &str,
        address: &str,
        authorization: &str,
        body: &str,
        patience: u32,
    ) -> Result<JsValue, JsValue>;
    /// Returns whether this browser has push messages at this address.
    #[wasm_bindgen(js_name = canPush)]
    pub fn can_push() -> bool;
    /// Resolves to the push subscription of this browser as JSON, empty if there is none. Rejects with the error
    /// of the browser.
    #[wasm_bindgen(catch)]
    async fn pushed() -> Result<JsValue, JsValue>;
    /// Subscribes this browser to push messages of the server with this key and resolves to the subscription as
    /// JSON. May ask the player. Rejects with the reason.
    #[wasm_bindgen(catch)]
    async fn push(key: &str) -> Result<JsValue, JsValue>;
}

/// Maximum time of a request, in milliseconds.
const PATIENCE: u32 = 10_000;
/// Marks in the browser's storage that the player has a subscription.
const WANTED: &str = "pentarchy.notify";

/// Why a request to the notifications of the server fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotifyRequestError {
    /// The server does not answer.
    Offline,
    /// The server has no notifications.
    Off,
    /// This page cannot make the request, or the server rejects it; the reason without a full stop.
    Rejected(String),
}

impl NotifyRequestError {
    /// Returns what failed, as sentences for the player.
    pub fn text(&self) -> String {
        match self {
            NotifyRequestError::Offline => "The server does not answer. Try again later.".to_string(),
            NotifyRequestError::Off => "This server sends no notifications.".to_string(),
            NotifyRequestError::Rejected(words) => {
                format!("{}.", crate::words::capital(words.trim_end_matches('.')))
            }
        }
    }
}

/// What the server offers.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct NotifyOffer {
    /// Whether it sends mail.
    pub mail: bool,
    /// Whether it sends webhooks.
    pub webhook: bool,
    /// Whether it sends push messages.
    pub push: bool,
    /// Its key for push messages.
    pub push_key: String,
    /// Its public address, which signatures cover.
    pub url: String,
}

/// Sends a request to this page's server and returns the status and the text of the response, whatever the
/// status is. `verb` is the HTTP method, `path` begins with a slash; without `authorization` there is no such
/// header, and `body` may be empty.
///
/// # Errors
///
/// Fails with [`NotifyRequestError::Offline`] if the server does not answer within 10 seconds.
async fn send(
    verb: &str,
    path: &str,
    authorization: &str,
    body: &str,
) -> Result<(u16, String), NotifyRequestError> {
    let address = format!("{}{path}", online::server());
    let answer = js_request(verb, &address, authorization, body, PATIENCE).await;
    let answer = js_sys::Array::from(&answer.map_err(|_| NotifyRequestError::Offline)?);
    let status = answer.get(0).as_f64().unwrap_or_default() as u16;
    Ok((status, answer.get(1).as_string().unwrap_or_default()))
}

/// Requests by which channels the server can notify players, with its key for push messages and its address.
///
/// # Errors
///
/// Fails with `Off` if the server has no notifications (status 404), and with `Offline` if it does not answer
/// or the response cannot be parsed.
pub async fn offer() -> Result<NotifyOffer, NotifyRequestError> {
    match send("GET", "/api/notify/channels", "", "").await? {
        (404, _) => Err(NotifyRequestError::Off),
        (_, text) => serde_json::from_str(&text).map_err(|_| NotifyRequestError::Offline),
    }
}

impl NotifyOffer {
    /// Sends a request that the identity of this browser signs, and returns the JSON of the response;
    /// `Value::Null` if it is not JSON. Creates an identity if there is none. `verb` is the HTTP method, `path`
    /// follows `/api/notify`, and a `body` of `Value::Null` is empty.
    ///
    /// # Errors
    ///
    /// Fails with `Offline` if the server does not answer. Fails with `Rejected` if the identity cannot be
    /// loaded or stored, or the server rejects the request.
    pub async fn request(&self, verb: &str, path: &str, body: &Value) -> Result<Value, NotifyRequestError> {
        let key = identity::own().await.map_err(NotifyRequestError::Rejected)?;
        let (path, body) =
            (format!("/api/notify{path}"), if body.is_null() { String::new() } else { body.to_string() });
        let request =
            PlayerRequest { public_url: &self.url, method: verb, path: &path, body: body.as_bytes() };
        let signed = request.authorization(&key, (js_sys::Date::now() / 1000.0) as u64);
        let (status, text) = send(verb, &path, &signed, &body).await?;
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        match (status, answer.get("error").and_then(Value::as_str)) {
            (200..300, _) => Ok(answer),
            (_, Some(words)) => Err(NotifyRequestError::Rejected(words.to_string())),
            _ => Err(NotifyRequestError::Rejected(format!("the server answers with status {status}"))),
        }
    }

    /// Adds a subscription of the player at the server, or brings it up to date. Then notes in this browser
    /// that there is one, and follows the player's seats at all stored tables whose match is not over.
    /// `subscription` is an object with `channel` (`push`, `mail` or `webhook`), `address` and, for push
    /// messages, the `keys` of the browser.
    ///
    /// # Errors
    ///
    /// Fails if the server does not answer, or rejects the subscription. Tables that cannot be followed are
    /// left out: they are followed when they are opened.
    pub async fn subscribe(&self, subscription: &Value) -> Result<(), NotifyRequestError> {
        self.request("POST", "/subscriptions", subscription).await?;
        set_wanted(true);
        for table in online::all_tables().await.iter().filter(|table| !table.over) {
            drop(self.follow(table).await);
        }
        Ok(())
    }

    /// Subscribes this browser to push messages, adds that subscription at the server, and follows the player's
    /// seats at all stored tables whose match is not over. The browser may ask the player for permission.
    ///
    /// # Errors
    ///
    /// Fails with `Rejected` if the browser or the player does not allow it, or the server rejects the
    /// subscription, and with `Offline` if the server does not answer. Tables that cannot be followed are left
    /// out.
    pub async fn subscribe_push(&self) -> Result<(), NotifyRequestError> {
        let text =
            push(&self.push_key).await.map_err(|why| NotifyRequestError::Rejected(error_text(&why)))?;
        self.subscribe(&push_body(&text.as_string().unwrap_or_default())).await
    }

    /// Asks the server to notify the player when it is their turn at a table, under the label of the table.
    /// Does nothing if the player has no seat there yet, or the stored link is malformed.
    ///
    /// # Errors
    ///
    /// Fails if the identity of this browser cannot be loaded, the server does not answer, or it rejects the
    /// request.
    async fn follow(&self, table: &StoredTable) -> Result<(), NotifyRequestError> {
        let (Some(seat), Ok(invite)) = (table.seat, table.link.parse::<Invite>()) else { return Ok(()) };
        let body = json!({ "pass": invite.pass().to_text(), "label": label(table) });
        self.request("PUT", &format!("/seats/{}/{seat}", table.id), &body).await.map(|_| ())
    }
}

/// Converts the push subscription of a browser, as JSON text, to the object that the server takes: `channel`
/// (`push`), `address` (the endpoint) and `keys`. Address and keys are `null` if the text cannot be parsed.
fn push_body(text: &str) -> Value {
    let browser: Value = serde_json::from_str(text).unwrap_or_default();
    json!({ "channel": "push", "address": browser["endpoint"], "keys": browser["keys"] })
}

/// Returns the address of the push subscription of this browser; empty if there is none.
pub async fn push_address() -> String {
    let text = pushed().await.ok().and_then(|text| text.as_string()).unwrap_or_default();
    crate::club::text(&push_body(&text), "address")
}

/// Returns the label of a table in notifications to the player: the title of the game ("A game" if the page
/// does not have it) and the names of the others, cut to 80 bytes. Players with the player's own name are left
/// out.
fn label(table: &StoredTable) -> String {
    let title = crate::boards::find(&table.game).map_or("A game", |game| game.info.title);
    table_label(title, table.players.iter().filter(|name| **name != table.name).map(String::as_str))
}

/// Returns whether the player has a subscription, as far as this browser knows.
pub fn is_wanted() -> bool {
    let store = page::window().and_then(|w| w.local_storage().ok().flatten());
    store.and_then(|store| store.get_item(WANTED).ok().flatten()).is_some()
}

/// Notes in this browser whether the player has a subscription. Errors of the storage are ignored.
pub fn set_wanted(is_wanted: bool) {
    if let Some(store) = page::window().and_then(|w| w.local_storage().ok().flatten()) {
        let _ = if is_wanted { store.set_item(WANTED, "1") } else { store.remove_item(WANTED) };
    }
}

/// Asks the server to notify the player when it is their turn at this table, unless they have no seat there,
/// and sends it the push subscription of this browser, if there is one: browsers may change it. Not checked:
/// that the player wants notifications ([`is_wanted`]). Errors are ignored; the next visit tries again.
pub async fn follow_table(table: StoredTable) {
    let Ok(offer) = offer().await else { return };
    drop(offer.follow(&table).await);
    let text = pushed().await.ok().and_then(|text| text.as_string()).unwrap_or_default();
    if !text.is_empty() {
        drop(offer.request("POST", "/subscriptions", &push_body(&text)).await);
    }
}

/// Makes a request of the announcer of turns about the table of this invitation, which may take several
/// exchanges with the server, and returns the result. An error of the network is a result, too
/// ([`AnnounceReply::Failed`]).
pub async fn announce(request: AnnounceRequest, invite: &Invite) -> AnnounceReply {
    let mut exchange = AnnounceExchange::new(request, invite);
    loop {
        let response = send_call(&exchange.call()).await;
        let response = response.as_ref().map(|(status, text)| (*status, text.as_bytes())).ok();
        if let Some(reply) = exchange.handle_response(response) {
            return reply;
        }
    }
}

/// Sends a prepared request to this page's server, and returns the status and the text of the response,
/// whatever the status is.
///
/// # Errors
///
/// Fails with [`NotifyRequestError::Offline`] if the server does not answer within 10 seconds.
pub async fn send_call(call: &ServerCall) -> Result<(u16, String), NotifyRequestError> {
    send(call.method, &call.path, &call.authorization, &call.body).await
}
