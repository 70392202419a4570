//! Mail.

use crate::config::{MailConfig, PublicUrl};
use crate::text::{MessageText, mail_link};
use data_encoding::HEXLOWER;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp;
use lettre::{Address, AsyncTransport as _};
use pentarchy_storage::notify::{NotifyEvent, OutgoingMessage, SendResult};

/// Defines the type of a header with a fixed name and any value.
macro_rules! plain_header {
    ($kind:ident, $name:literal) => {
        #[doc = concat!("The header `", $name, "`.")]
        #[derive(Clone)]
        struct $kind(String);

        impl Header for $kind {
            /// Returns the name.
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($name)
            }

            /// Takes any value.
            ///
            /// # Errors
            ///
            /// Never fails.
            fn parse(value: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
                Ok(Self(value.to_owned()))
            }

            /// Returns the value.
            fn display(&self) -> HeaderValue {
                HeaderValue::new(Self::name(), self.0.clone())
            }
        }
    };
}

plain_header!(ListUnsubscribe, "List-Unsubscribe");
plain_header!(ListUnsubscribePost, "List-Unsubscribe-Post");
plain_header!(AutoSubmitted, "Auto-Submitted");

/// Checks the form of a mail address, and returns it with the domain in lower case, as mails are sent to it. Whether
/// it exists is not checked.
///
/// # Errors
///
/// Fails with a sentence if it is malformed, is not ASCII, or is longer than 254 bytes.
pub(crate) fn check_address(text: &str) -> Result<String, String> {
    let address: Address = text.parse().map_err(|_| "this is not a mail address".to_owned())?;
    if text.len() > 254 || !text.is_ascii() {
        return Err("a mail address has at most 254 letters without accents".to_owned());
    }
    Ok(format!("{}@{}", address.user(), address.domain().to_lowercase()))
}

/// Writes a mail with title, body and link of `text`. Its identifier follows from the message, so that one that is
/// sent again can be recognized. Every mail has a link that stops them, which mail programs can use by themselves
/// (RFC 8058).
///
/// # Errors
///
/// Fails with a sentence if the address of the subscription is malformed.
fn compose(
    config: &MailConfig,
    url: &PublicUrl,
    message: &OutgoingMessage,
    text: &MessageText,
) -> Result<Message, String> {
    let address = message.subscription.address.parse::<Address>().map_err(|error| error.to_string())?;
    let stop = mail_link(url, "stop", message);
    let MessageText { title, body, link } = text;
    let body = match message.event {
        NotifyEvent::Confirm => format!(
            "{body}\n\nTo get them, open this page and confirm:\n{link}\n\nIf it was not you, do nothing: no other mail \
             follows. If such mails come again:\n{stop}\n"
        ),
        _ => format!("{body}\n\n{link}\n\nTo stop these mails, open this page:\n{stop}\n"),
    };
    let id = format!("<{}@{}>", HEXLOWER.encode(&message.id), config.from.email.domain());
    let mail = Message::builder()
        .from(config.from.clone())
        .to(Mailbox::new(None, address))
        .subject(title.as_str())
        .message_id(Some(id))
        .header(ListUnsubscribe(format!("<{stop}>")))
        .header(ListUnsubscribePost("List-Unsubscribe=One-Click".to_owned()))
        .header(AutoSubmitted("auto-generated".to_owned()))
        .header(ContentType::TEXT_PLAIN)
        .body(body);
    mail.map_err(|error| error.to_string())
}

/// Sends a mail and returns the result: delivered once the mail server has accepted it. It is rejected if the server
/// says that there is no such address, or the mail cannot be written. Other errors may be the operator's, such as a
/// wrong password, and are to be retried.
pub(super) async fn send(
    config: &MailConfig,
    url: &PublicUrl,
    message: &OutgoingMessage,
    text: &MessageText,
) -> SendResult {
    let mail = match compose(config, url, message, text) {
        Ok(mail) => mail,
        Err(error) => return SendResult::Rejected(error),
    };
    match config.transport.send(mail).await {
        Ok(_) => SendResult::Delivered,
        Err(error) if is_unknown_address(&error) => SendResult::Rejected(reason(&error)),
        Err(error) => SendResult::Retry(reason(&error)),
    }
}

/// Returns whether the mail server says for good that the recipient's address does not exist: a permanent error with
/// an enhanced status code 5.1.x (RFC 3463) in its text.
fn is_unknown_address(error: &smtp::Error) -> bool {
    error.is_permanent() && reason(error).split([' ', ':', '(', ')']).any(|word| word.starts_with("5.1."))
}

/// Returns the text of an error of the mail server and of its cause, in one line.
fn reason(error: &smtp::Error) -> String {
    let cause = std::error::Error::source(error).map_or(String::new(), |cause| format!(": {cause}"));
    format!("the mail server: {error}{cause}").replace(['\r', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_addresses_are_checked() {
        assert_eq!(check_address("Ada@Example.ORG").unwrap(), "Ada@example.org");
        for text in ["", "ada", "ada@", "@example.org", "a b@example.org", "ada@example.org\r\nBcc: x@y.z"] {
            assert!(check_address(text).is_err(), "{text:?}");
        }
    }
}
