//! The words of messages.

use crate::config::PublicUrl;
use pentarchy_keys::base32;
use pentarchy_storage::notify::{NotifyEvent, OutgoingMessage};

/// A message in words.
pub(crate) struct MessageText {
    /// One line.
    pub(crate) title: String,
    /// One or two sentences.
    pub(crate) body: String,
    /// The page to open.
    pub(crate) link: String,
}

/// Returns the link of a mail by which the owner of its address confirms or stops the subscription: `action` is
/// `confirm` or `stop`. It contains the token of the subscription.
pub(crate) fn mail_link(url: &PublicUrl, action: &str, message: &OutgoingMessage) -> String {
    format!("{url}/api/notify/{action}/{}", base32::encode(&message.subscription.token))
}

/// Returns a time in words, rounded down: minutes below an hour, hours below a day, else days and hours.
fn in_words(seconds: u64) -> String {
    let unit = |n: u64, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    match (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60) {
        (0, 0, minutes) => unit(minutes, "minute"),
        (0, hours, _) => unit(hours, "hour"),
        (days, 0, _) => unit(days, "day"),
        (days, hours, _) => format!("{} and {}", unit(days, "day"), unit(hours, "hour")),
    }
}

/// Returns a message in words at the time `now`, in seconds since 1970, with the time that is left before its
/// deadline. The link leads to the table, to the server for a message about none, and to the confirmation for a
/// request to confirm. Such a request contains nothing that a player has written: its recipient has not agreed to
/// anything.
pub(crate) fn text(url: &PublicUrl, message: &OutgoingMessage, now: u64) -> MessageText {
    let host = url.host();
    let table = message.table.as_ref();
    let link = table.map_or_else(|| url.to_string(), |table| format!("{url}/t/{table}"));
    let name = if message.label.is_empty() { "a table".to_owned() } else { message.label.clone() };
    let left = match message.deadline.checked_sub(now) {
        Some(left) if message.deadline > 0 => format!(" {} left.", in_words(left)),
        _ => String::new(),
    };
    let (title, body) = match message.event {
        NotifyEvent::Turn => (format!("Your turn: {name}"), format!("It is your turn.{left}")),
        NotifyEvent::Half => (
            format!("Reminder: {name}"),
            format!("It is still your turn. Half of your time has passed.{left}"),
        ),
        NotifyEvent::Tenth => {
            (format!("Your time runs out: {name}"), format!("It is still your turn.{left}"))
        }
        NotifyEvent::Confirm => (
            format!("Confirm notifications from {host}"),
            format!(
                "Somebody, probably you, asked {host} to send notifications about games to this address."
            ),
        ),
        NotifyEvent::Test => (format!("Test from {host}"), "Notifications reach you here.".to_owned()),
    };
    let link = match message.event {
        NotifyEvent::Confirm => mail_link(url, "confirm", message),
        _ => link,
    };
    MessageText { title, body, link }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_in_words() {
        for (seconds, words) in [
            (59, "0 minutes"),
            (60, "1 minute"),
            (3 * 3600 + 120, "3 hours"),
            (86_400, "1 day"),
            (2 * 86_400 + 3600, "2 days and 1 hour"),
        ] {
            assert_eq!(in_words(seconds), words);
        }
    }
}
