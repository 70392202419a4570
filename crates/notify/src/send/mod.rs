//! Sends one message.

pub(crate) mod mail;
pub(crate) mod push;
pub(crate) mod webhook;

use crate::config::{NotifyConfig, PublicUrl};
use crate::text::text;
use crate::{Notifier, unix_time};
use pentarchy_net::http_types::{Request, StatusCode};
use pentarchy_net::{DialError, Dialer};
use pentarchy_storage::notify::{NotifyChannel, OutgoingMessage, SendResult};
use std::time::Duration;
use url::Url;

/// Longest time for each step of a request.
const STEP_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of a response that are read: for the reason of an error.
const RESPONSE_BYTES: usize = 1024;

/// Sends messages.
pub(crate) struct MessageSender {
    dialer: Dialer,
    url: PublicUrl,
}

impl MessageSender {
    /// Creates a sender. It connects to public addresses only, unless the configuration allows private ones; the mail
    /// server is the operator's, and may be anywhere.
    pub(crate) fn new(config: &NotifyConfig) -> Self {
        let dialer = Dialer::default();
        let dialer = if config.allow_private { dialer } else { dialer.public_only() };
        Self { dialer, url: config.public_url.clone() }
    }

    /// Sends a message by the channel of its subscription and returns the result. A mail is to be retried
    /// if this server sends none now; a request that cannot be written is rejected. A webhook is rejected
    /// for good by status 410, a push service also by 404. Each step has a timeout; the whole has none.
    pub(crate) async fn send(&self, notifier: &Notifier, message: &OutgoingMessage) -> SendResult {
        let text = text(&self.url, message, unix_time());
        match message.subscription.channel {
            NotifyChannel::Mail => match &notifier.config.mail {
                Some(config) => mail::send(config, &self.url, message, &text).await,
                None => SendResult::Retry("this server sends no mail now".to_owned()),
            },
            NotifyChannel::Webhook => match webhook::request(message, &text, unix_time()) {
                Ok(request) => self.post(request, &[StatusCode::GONE]).await,
                Err(error) => SendResult::Rejected(error),
            },
            NotifyChannel::Push => match notifier.vapid_secret().await {
                Ok(secret) => match push::request(&secret, &self.url, message, &text, unix_time()) {
                    Ok(request) => self.post(request, &[StatusCode::GONE, StatusCode::NOT_FOUND]).await,
                    Err(error) => SendResult::Rejected(error),
                },
                Err(error) => SendResult::Retry(error),
            },
        }
    }

    /// Sends a request to an address of a subscriber and returns the result: delivered for a status of success; rejected
    /// for one of `gone`, for a redirect, and for an address that is not allowed; to be retried for everything else.
    async fn post(&self, request: Request<Vec<u8>>, gone: &[StatusCode]) -> SendResult {
        let response = match self.dialer.exchange(request, STEP_TIMEOUT, RESPONSE_BYTES).await {
            Ok(response) => response,
            Err(error @ (DialError::NotPublic { .. } | DialError::Address(_))) => {
                return SendResult::Rejected(error.to_string());
            }
            Err(error) => return SendResult::Retry(error.to_string()),
        };
        let status = response.status();
        if status.is_success() {
            return SendResult::Delivered;
        }
        let answer = format!("the server answered {status}");
        if status.is_redirection() {
            SendResult::Rejected(format!("{answer}, and redirects are not followed"))
        } else if gone.contains(&status) {
            SendResult::Rejected(answer)
        } else {
            SendResult::Retry(answer)
        }
    }
}

/// Checks the address of a webhook or push service, and returns it in canonical form: an `https` URL with a host, without
/// user, password and fragment. `http` too if `allow_private`. Whether the host is public is checked whenever a message is
/// sent, because names can change.
///
/// # Errors
///
/// Fails with a sentence for every other text.
pub(crate) fn check_address(text: &str, allow_private: bool) -> Result<String, String> {
    let url = Url::parse(text).map_err(|error| format!("the address is not a URL: {error}"))?;
    let is_secure = url.scheme() == "https" || allow_private && url.scheme() == "http";
    if !is_secure || !url.has_host() {
        return Err("the address must begin with https://".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err("the address must have no user, password or fragment".to_owned());
    }
    Ok(url.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_urls_with_tls_and_nothing_secret() {
        assert_eq!(check_address("https://Hooks.example/a?b", false).unwrap(), "https://hooks.example/a?b");
        assert_eq!(check_address("http://127.0.0.1:1/", true).unwrap(), "http://127.0.0.1:1/");
        for text in [
            "",
            "hooks.example",
            "http://hooks.example",
            "ftp://a",
            "https://u:p@a",
            "https://a#b",
            "https://",
        ] {
            assert!(check_address(text, false).is_err(), "{text}");
        }
        assert!(check_address("file:///etc/passwd", true).is_err());
    }
}
