//! The links in mails: small pages with one button, so that programs that only open links change nothing.

use super::{NotifierState, NotifyResult, respond};
use crate::unix_time;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, REFERRER_POLICY};
use axum::response::Response;
use pentarchy_keys::base32;
use pentarchy_storage::notify::{MailToken, SubscriptionState};

/// The policy of these pages: a form that is sent to this server, and nothing else.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'";

/// Creates a page with this status, which has a sentence and, if there is one, a button. The button sends `POST` to
/// the address of the page. Neither text is escaped: they must be fixed texts. Sets its own policy headers, which
/// allow that form.
fn page(status: StatusCode, sentence: &'static str, button: Option<&'static str>) -> Response {
    let form =
        button.map_or(String::new(), |word| format!("<form method=\"post\"><button>{word}</button></form>"));
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Pentarchy: notifications</title><style>body{{font:1.2rem \
         sans-serif;margin:3rem auto;max-width:32rem;padding:0 1rem}}button{{font:inherit;padding:.5rem 1rem}}</style>\
         <h1>Notifications</h1><p>{sentence}</p>{form}</html>\n"
    );
    let mut response = respond(status, "text/html; charset=utf-8", html);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
    // With `no-referrer` browsers would send the form without the origin, which is checked.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Creates the page for a link that leads nowhere, with status 404.
fn unknown() -> Response {
    page(StatusCode::NOT_FOUND, "This link is not valid any more.", None)
}

/// Parses the token of a link in base32; `None` if it is malformed. Whether a subscription has it is not checked.
fn parse_token(text: &str) -> Option<MailToken> {
    base32::decode(text)
}

/// Answers `GET /api/notify/confirm/TOKEN` with a page that asks whether to confirm the mail address, or says that it
/// is confirmed. Changes nothing. A page with 404 for a malformed or unknown token and a stopped subscription.
///
/// # Errors
///
/// Fails with 503 if the storage fails.
pub(super) async fn ask_confirm(State(notifier): NotifierState, Path(token): Path<String>) -> NotifyResult {
    let Some(token) = parse_token(&token) else { return Ok(unknown()) };
    Ok(match notifier.storage.subscription_of(token).await?.map(|found| found.state) {
        Some(SubscriptionState::Unconfirmed) => {
            page(StatusCode::OK, "Do you want mails when it is your turn?", Some("Yes, send them"))
        }
        Some(SubscriptionState::Active) => page(StatusCode::OK, "This address is confirmed.", None),
        _ => unknown(),
    })
}

/// Answers `POST /api/notify/confirm/TOKEN`: confirms the mail address, so that mails are sent to it, and says so in
/// a page, also if it was confirmed before. A page with 404 for a malformed or unknown token and a stopped
/// subscription.
///
/// # Errors
///
/// Fails with 503 if the storage fails.
pub(super) async fn confirm(State(notifier): NotifierState, Path(token): Path<String>) -> NotifyResult {
    let Some(token) = parse_token(&token) else { return Ok(unknown()) };
    let is_confirmed = notifier.storage.confirm(token, notifier.config.limits, unix_time()).await?;
    let state = notifier.storage.subscription_of(token).await?.map(|found| found.state);
    Ok(match is_confirmed || state == Some(SubscriptionState::Active) {
        true => page(StatusCode::OK, "This address is confirmed. You get a mail when it is your turn.", None),
        false => unknown(),
    })
}

/// Answers `GET /api/notify/stop/TOKEN` with a page that asks whether to stop mails to the address. Changes nothing.
/// A page with 404 for a malformed or unknown token.
///
/// # Errors
///
/// Fails with 503 if the storage fails.
pub(super) async fn ask_stop(State(notifier): NotifierState, Path(token): Path<String>) -> NotifyResult {
    let Some(token) = parse_token(&token) else { return Ok(unknown()) };
    Ok(match notifier.storage.subscription_of(token).await? {
        Some(_) => page(StatusCode::OK, "Do you want no more mails about games?", Some("Stop them")),
        None => unknown(),
    })
}

/// Answers `POST /api/notify/stop/TOKEN`, by the page or by a mail program (RFC 8058): stops the subscription, so
/// that no more mails are sent for it, and says so in a page. A page with 404 for a malformed or unknown token.
///
/// # Errors
///
/// Fails with 503 if the storage fails.
pub(super) async fn stop(State(notifier): NotifierState, Path(token): Path<String>) -> NotifyResult {
    let Some(token) = parse_token(&token) else { return Ok(unknown()) };
    let why = "it was stopped by the link in a mail".to_owned();
    Ok(match notifier.storage.stop_subscription(token, why, unix_time()).await? {
        true => page(StatusCode::OK, "You get no more mails about games at this address.", None),
        false => unknown(),
    })
}
