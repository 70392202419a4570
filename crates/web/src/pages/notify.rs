//! The dialog "Notifications": how the server tells the player that it is their turn.

use super::close_button;
use crate::app::App;
use crate::club::{flag, list, number, text};
use crate::notify::{self, NotifyOffer, NotifyRequestError};
use crate::page;
use crate::pages::away::span_words;
use crate::shell::glyph;
use crate::words::{and, capital};
use leptos::prelude::*;
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

/// Maximum number of messages in the list.
const RECENT: usize = 8;
/// How often to ask for the state of a test message, and the pause before each look, in milliseconds.
const LOOKS: u32 = 6;
const LOOK_PAUSE: i32 = 1_000;

/// What the server has said.
#[derive(Clone, PartialEq)]
struct Overview {
    offer: NotifyOffer,
    /// What it stores about the player.
    player: Value,
    /// The address of this browser's push subscription; empty if it has none.
    push: String,
}

/// State of the dialog.
#[derive(Clone, Copy)]
struct Dialog {
    overview: RwSignal<Option<Result<Overview, NotifyRequestError>>>,
    /// The last result, and whether it is an error.
    says: RwSignal<(String, bool)>,
    /// Whether a command is running: then all buttons are disabled.
    is_busy: RwSignal<bool>,
}

impl Dialog {
    /// Loads what the server offers and what it stores about the player, and shows that, or the error. If it
    /// succeeds, also notes in this browser whether the player has a subscription.
    async fn load(self) {
        let loaded = overview().await;
        if let Ok(overview) = &loaded {
            notify::set_wanted(!list(&overview.player, "subscriptions").is_empty());
        }
        self.overview.set(Some(loaded));
    }

    /// Runs `command` in the background; meanwhile all buttons are disabled and a message says that the server
    /// is asked. If it succeeds, loads and shows what the server stores then, moves the focus to the dialog and
    /// shows `done`. Otherwise shows the error, and forms keep what was typed.
    fn run(
        self,
        done: &'static str,
        command: impl Future<Output = Result<(), NotifyRequestError>> + 'static,
    ) {
        self.is_busy.set(true);
        self.says.set(("Asking the server…".to_string(), false));
        spawn_local(async move {
            let result = command.await;
            if result.is_ok() {
                self.load().await;
                focus_dialog();
            }
            self.is_busy.set(false);
            self.says.set(match result {
                Ok(()) => (done.to_string(), false),
                Err(why) => (why.text(), true),
            });
        });
    }

    /// Asks the server in the background to send a test message by the subscription with this id. Then asks for
    /// its state every [`LOOK_PAUSE`] milliseconds, at most [`LOOKS`] times, until it was delivered or has
    /// failed. Loads what the server stores again, moves the focus to the dialog and shows the result.
    /// Meanwhile all buttons are disabled.
    fn send_test(self, offer: NotifyOffer, id: String) {
        self.is_busy.set(true);
        self.says.set(("Sending a test…".to_string(), false));
        spawn_local(async move {
            let mut result =
                offer.request("POST", &format!("/subscriptions/{id}/test"), &Value::Null).await.map(|_| None);
            for _ in 0..LOOKS {
                if !matches!(result, Ok(None)) {
                    break;
                }
                page::sleep(LOOK_PAUSE).await;
                result = offer
                    .request("GET", "/player", &Value::Null)
                    .await
                    .map(|player| test_result(&player, &id));
            }
            self.load().await;
            focus_dialog();
            self.is_busy.set(false);
            self.says.set(match result {
                Ok(Some(says)) => says,
                Ok(None) => ("The test is on its way.".to_string(), false),
                Err(why) => (why.text(), true),
            });
        });
    }
}

/// Moves the focus to the dialog in the next frame, because the button that had it was drawn again.
fn focus_dialog() {
    request_animation_frame(|| {
        let dialog = page::document().and_then(|document| document.get_element_by_id("notifications"));
        if let Some(dialog) = dialog {
            crate::dom::focus(&dialog);
        }
    });
}

/// Requests what the server offers and what it stores about the player, and reads the push subscription of this
/// browser. The request is signed; creates an identity if there is none.
///
/// # Errors
///
/// Fails if the server does not answer, has no notifications, or rejects the request, or the identity cannot be
/// loaded.
async fn overview() -> Result<Overview, NotifyRequestError> {
    let offer = notify::offer().await?;
    let player = offer.request("GET", "/player", &Value::Null).await?;
    Ok(Overview { offer, player, push: notify::push_address().await })
}

/// Returns the result of the newest test message of the subscription `id` as a sentence, and whether that is an
/// error; `None` if there is no such message or it is on its way. `player` is what the server stores about the
/// player, with `messages`, the newest first: objects with `subscription`, `type`, `state` and `error`.
fn test_result(player: &Value, id: &str) -> Option<(String, bool)> {
    let is_test = |message: &&Value| text(message, "subscription") == id && text(message, "type") == "test";
    let test = list(player, "messages").iter().find(is_test)?;
    match (text(test, "state").as_str(), text(test, "error")) {
        ("sent", _) => Some(("The test was delivered.".to_string(), false)),
        (_, error) if error.is_empty() => None,
        (_, error) => Some((format!("The test was not delivered: {error}."), true)),
    }
}

/// Renders the dialog: what it is for, the player's subscriptions, a form for each channel that the server offers, the
/// last messages, and what the server stores. Loads it in the background.
pub fn notifications(app: App) -> impl IntoView {
    let dialog = Dialog {
        overview: RwSignal::new(None),
        says: RwSignal::new((String::new(), false)),
        is_busy: RwSignal::new(false),
    };
    spawn_local(dialog.load());
    let inside = move || {
        dialog.overview.get().map(|overview| match overview {
            Ok(overview) => shown(dialog, overview).into_any(),
            Err(why) => {
                let note = match why {
                    NotifyRequestError::Off => {
                        Some("Its operator can turn them on. Home shows whose turn it is at your tables.")
                    }
                    _ => None,
                };
                view! { <p class="bad" role="alert" id="no-notifications">{why.text()} " " {note}</p> }
                    .into_any()
            }
        })
    };
    view! {
        <div class="dialog narrowd notifyd" role="dialog" aria-modal="true" aria-label="Notifications" id="notifications" tabindex="-1">
            <div class="sheet-hd"><h1 class="title">"Notifications"</h1>{close_button(app)}</div>
            <p>"For games over days: the server tells you when it is your turn and you are away. One message for each turn, and two reminders if there is a time limit of hours or days. A message names the table and whose turn it is, never a card."</p>
            {inside}
            <p role="status" id="notify-says" class:bad=move || dialog.says.with(|says| says.1)>{move || dialog.says.with(|says| says.0.clone())}</p>
        </div>
    }
}

/// Renders what the server stores and offers: the player's subscriptions, a button that subscribes this browser
/// unless it is subscribed, a form for each further channel that the server offers, the last messages, and what
/// is stored. Commands run by `dialog`, which shows their results.
fn shown(dialog: Dialog, overview: Overview) -> impl IntoView {
    let Overview { offer, player, push } = overview;
    let all = list(&player, "subscriptions");
    let is_pushed = all.iter().any(|one| text(one, "channel") == "push" && text(one, "address") == push);
    let rows = all.iter().map(|one| subscription(dialog, offer.clone(), one, &push)).collect_view();
    let list_view = match all.is_empty() {
        true => {
            view! { <p id="no-subscription">"Nothing is sent to you yet. Add a way below."</p> }.into_any()
        }
        false => view! { <ul class="subs" aria-label="Your notifications">{rows}</ul> }.into_any(),
    };
    let this_browser = (offer.push && !is_pushed).then(|| push_button(dialog, offer.clone()));
    let mail = offer.mail.then(|| {
        let note = "The server sends one mail with a link, and nothing else until you open it.";
        address_form(dialog, offer.clone(), "mail", "Mail address", "email", note)
    });
    let webhook = offer.webhook.then(|| {
        let note = "The server sends signed JSON by POST. The address begins with https:// and is public.";
        address_form(dialog, offer.clone(), "webhook", "Webhook address", "url", note)
    });
    view! {
        {list_view}
        {this_browser}
        {mail}
        {webhook}
        {messages(&player)}
        {stored(&player)}
    }
}

/// Returns the name of a channel for people: "This browser", "Another browser", "Mail" or "Webhook". `one` is a
/// subscription with `channel` and `address`; `push` is the address of this browser's push subscription, empty
/// without one.
fn channel_name(one: &Value, push: &str) -> String {
    match text(one, "channel").as_str() {
        "push" if text(one, "address") == push => "This browser".to_string(),
        "push" => "Another browser".to_string(),
        other => capital(other),
    }
}

/// Renders a subscription: channel, address (not that of a browser), state with its error, the key of a
/// webhook, and buttons to send a test if it is active, to try again if it was stopped (not for browsers) and
/// to remove it. `one` is the server's object: `id`, `channel` (`push`, `mail` or `webhook`), `address`,
/// `state` (`active`, `unconfirmed`, or another word if it was stopped), `error` and `key`. `push` is the
/// address of this browser's push subscription. Commands run by `dialog`.
fn subscription(dialog: Dialog, offer: NotifyOffer, one: &Value, push: &str) -> impl IntoView + use<> {
    let (id, state, error, channel) =
        (text(one, "id"), text(one, "state"), text(one, "error"), text(one, "channel"));
    let name = channel_name(one, push);
    let address = if channel == "push" { String::new() } else { text(one, "address") };
    let is_stopped = !matches!(state.as_str(), "active" | "unconfirmed");
    let (words, is_bad) = match state.as_str() {
        "active" if !error.is_empty() => (format!("The last message was not delivered: {error}."), true),
        "active" => ("Active.".to_string(), false),
        "unconfirmed" => {
            ("Open the link in the mail that the server has sent to confirm the address.".to_string(), false)
        }
        _ if error.is_empty() => ("Stopped.".to_string(), true),
        _ => (format!("Stopped: {error}."), true),
    };
    let key = text(one, "key");
    let key =
        (!key.is_empty()).then(|| view! { <small>"Key of the signatures: " <code>{key}</code></small> });
    let again = {
        let (offer, body) = (offer.clone(), json!({ "channel": channel, "address": text(one, "address") }));
        (is_stopped && channel != "push").then(|| {
            let act = move |_| {
                let (offer, body) = (offer.clone(), body.clone());
                dialog.run("Started again.", async move { offer.subscribe(&body).await });
            };
            view! { <button class="btn sm" prop:disabled=move || dialog.is_busy.get() on:click=act>"Try again"</button> }
        })
    };
    let test = (state == "active").then(|| {
        let (offer, id) = (offer.clone(), id.clone());
        let name = format!("Send a test: {name} {address}");
        view! { <button class="btn sm" aria-label=name prop:disabled=move || dialog.is_busy.get() on:click=move |_| dialog.send_test(offer.clone(), id.clone())>"Send a test"</button> }
    });
    let remove = move |_| {
        let (offer, path) = (offer.clone(), format!("/subscriptions/{id}"));
        dialog.run("Removed.", async move { offer.request("DELETE", &path, &Value::Null).await.map(|_| ()) });
    };
    let removal = format!("Remove: {name} {address}");
    view! {
        <li data-channel=channel data-state=state>
            <span><b>{name}</b> " " <span class="adr">{address}</span><small class:bad=is_bad>{words}</small>{key}</span>
            <span class="idacts">
                {test}
                {again}
                <button class="btn sm" aria-label=removal prop:disabled=move || dialog.is_busy.get() on:click=remove>"Remove"</button>
            </span>
        </li>
    }
}

/// Renders the button that subscribes this browser to push messages, or why it cannot.
fn push_button(dialog: Dialog, offer: NotifyOffer) -> impl IntoView {
    let act = move |_| {
        let offer = offer.clone();
        dialog
            .run("This browser shows you when it is your turn.", async move { offer.subscribe_push().await });
    };
    let inside = match notify::can_push() {
        true => view! {
            <button class="btn" id="add-push" prop:disabled=move || dialog.is_busy.get() on:click=act>{glyph("plus", 18)} "Notify me in this browser"</button>
            <p class="lbl2">"Also while the page is closed. The message is encrypted for this browser; the push service of its maker delivers it."</p>
        }
        .into_any(),
        false => view! { <p class="lbl2">"This browser has no push messages here. They need https, or this device as the server."</p> }.into_any(),
    };
    view! { <section class="idbox" aria-label="This browser">{inside}</section> }
}

/// Renders the form that adds an address of a channel (`mail` or `webhook`) as a subscription by `dialog`.
/// `label` names the field, `kind` is its type in HTML, and `note` stands below it. An empty address is not
/// sent, but shown as an error; another one is checked by the server only.
fn address_form(
    dialog: Dialog,
    offer: NotifyOffer,
    channel: &'static str,
    label: &'static str,
    kind: &'static str,
    note: &'static str,
) -> impl IntoView {
    let field = NodeRef::<leptos::html::Input>::new();
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(address) = field.get_untracked().map(|field| field.value().trim().to_string()) else {
            return;
        };
        if address.is_empty() {
            return dialog.says.set((format!("{label}: enter one first."), true));
        }
        let (offer, body) = (offer.clone(), json!({ "channel": channel, "address": address }));
        dialog.run("Added.", async move { offer.subscribe(&body).await });
    };
    let (id, says) = (format!("add-{channel}"), format!("about-{channel}"));
    view! {
        <form class="idbox addf" novalidate=true on:submit=add>
            <label for=id.clone()>{label}</label>
            <div>
                <input class="fld" id=id type=kind autocomplete=if channel == "mail" { "email" } else { "off" } aria-describedby=says.clone() node_ref=field/>
                <button class="btn" aria-label=format!("Add: {label}") prop:disabled=move || dialog.is_busy.get()>"Add"</button>
            </div>
            <p class="lbl2" id=says>{note}</p>
        </form>
    }
}

/// Renders the last messages to the player, at most [`RECENT`], the newest first, each with its subject,
/// channel, result and age; nothing if there are none. `player` is what the server stores about the player:
/// `messages`, with `type`, `subscription`, `state`, `error` and `changed` (seconds since 1970), and
/// `subscriptions`, which give the channels.
fn messages(player: &Value) -> impl IntoView + use<> {
    let now = js_sys::Date::now() / 1000.0;
    let subscriptions = list(player, "subscriptions");
    let rows = list(player, "messages").iter().take(RECENT).map(|message| {
        let about = match text(message, "type").as_str() {
            "turn" => "Your turn",
            "half" => "Half of your time has passed",
            "tenth" => "Your time runs out",
            "confirm" => "Confirm your address",
            _ => "Test",
        };
        let of = subscriptions.iter().find(|one| text(one, "id") == text(message, "subscription"));
        let channel = of.map_or("", |one| match text(one, "channel").as_str() {
            "mail" => ", mail",
            "webhook" => ", webhook",
            _ => ", push",
        });
        let (state, error) = (text(message, "state"), text(message, "error"));
        let result = match (state.as_str(), error.is_empty()) {
            ("sent", _) => "delivered".to_string(),
            ("obsolete", _) => "not needed any more".to_string(),
            (_, true) => state,
            (_, false) => format!("{state}: {error}"),
        };
        let ago = span_words((now - number(message, "changed")).max(0.0) as u64);
        view! { <li><span>{about} {channel}<small>{result}</small></span><span class="lbl2">{format!("{ago} ago")}</span></li> }
    });
    let rows: Vec<_> = rows.collect();
    (!rows.is_empty()).then(|| {
        view! {
            <details class="fold">
                <summary>"Last messages, kept for 30 days"</summary>
                <ul class="subs">{rows}</ul>
            </details>
        }
    })
}

/// Renders in words what the server stores about the player, with the labels of the tables whose seats they
/// follow. `player` is the server's object, with `seats` (each with a `label`) and `subscriptions`.
fn stored(player: &Value) -> impl IntoView + use<> {
    let tables: Vec<String> = list(player, "seats")
        .iter()
        .map(|seat| text(seat, "label"))
        .filter(|label| !label.is_empty())
        .collect();
    let tables = match &tables[..] {
        [] => "none now".to_string(),
        tables => and(tables),
    };
    let has_reminders = list(player, "subscriptions").iter().any(|one| flag(one, "reminders"));
    view! {
        <details class="fold" id="stored">
            <summary>"What the server stores"</summary>
            <p>"Your public key, the addresses above, and for each of your tables a name, your seat and whose turn it is. "
            <span id="followed">{format!("Tables: {tables}.")}</span>
            " It forgets a table 90 days after the last turn, and an address when you remove it. "
            {has_reminders.then_some("The mail server, the webhook or the push service sees when you are notified.")}</p>
        </details>
    }
}
