//! The configuration of notifications.

use lettre::message::Mailbox;
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::{AsyncSmtpTransport, Tokio1Executor};
use pentarchy_storage::notify::NotifyLimits;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use url::Url;

/// The address at which players reach a server, like `https://play.example.org`: a scheme, a host, and maybe a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

/// A text is not the public address of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the public address of a server is like https://play.example.org, without a path")]
pub struct PublicUrlError;

impl PublicUrl {
    /// Returns the address without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the host, with its port if the address has one, to name the server in messages.
    pub(crate) fn host(&self) -> &str {
        self.0.split_once("://").map_or("", |(_, host)| host)
    }
}

impl FromStr for PublicUrl {
    type Err = PublicUrlError;

    /// Parses an `https` or `http` address without a path.
    ///
    /// # Errors
    ///
    /// Fails for every other text.
    fn from_str(text: &str) -> Result<Self, PublicUrlError> {
        let url = Url::parse(text).map_err(|_| PublicUrlError)?;
        let is_plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        let is_anonymous = url.username().is_empty() && url.password().is_none();
        match is_plain && is_web && is_anonymous {
            true => Ok(Self(url.origin().ascii_serialization())),
            false => Err(PublicUrlError),
        }
    }
}

impl fmt::Display for PublicUrl {
    /// Writes the address without a slash at its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How to send mail.
#[derive(Clone)]
pub struct MailConfig {
    pub(crate) transport: AsyncSmtpTransport<Tokio1Executor>,
    pub(crate) from: Mailbox,
}

/// Why mail cannot be sent with a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailConfigError {
    /// The address of the mail server. The text does not repeat it: it may contain a password.
    #[error("the address of a mail server is like smtps://user:password@mail.example.org: {0}")]
    Server(String),
    /// The sender.
    #[error("`{0}` is not a mail address like `Pentarchy <games@example.org>`")]
    From(String),
}

impl MailConfig {
    /// Longest time for each step of sending a mail.
    const STEP_TIMEOUT: Duration = Duration::from_secs(15);

    /// Creates a configuration from the address of a mail server and the sender of all mails. Nothing is connected. Must
    /// not be called before TLS certificates of the system can be read.
    ///
    /// `smtps://` encrypts from the start, `smtp://…?tls=required` after a plain greeting, `smtp://` not at all: only for
    /// a mail server on the same machine.
    ///
    /// # Errors
    ///
    /// Fails if one of them is malformed.
    pub fn new(server: &str, from: &str) -> Result<Self, MailConfigError> {
        let malformed = |_| MailConfigError::From(from.to_owned());
        let from = from.parse().map_err(malformed)?;
        let builder: Result<AsyncSmtpTransportBuilder, _> =
            AsyncSmtpTransport::<Tokio1Executor>::from_url(server);
        let builder = builder.map_err(|error| MailConfigError::Server(error.to_string()))?;
        Ok(Self { transport: builder.timeout(Some(Self::STEP_TIMEOUT)).build(), from })
    }
}

/// The configuration of notifications.
#[derive(Clone)]
pub struct NotifyConfig {
    /// The address of the server, for links.
    pub public_url: PublicUrl,
    /// How to send mail; `None` for a server without.
    pub mail: Option<MailConfig>,
    /// Whether webhooks and push services may be in private networks and without TLS. For tests, and for servers in a
    /// network of their own.
    pub allow_private: bool,
    /// What is stored at most.
    pub limits: NotifyLimits,
    /// How long a worker has a message for itself. Longer than sending takes.
    pub lease: Duration,
    /// How often to look for messages that are due, besides when a turn is announced.
    pub poll: Duration,
    /// Messages that are sent at the same time, per channel.
    pub parallel: u32,
}

impl NotifyConfig {
    /// Returns the configuration of a server with this address: without mail, no private addresses for
    /// webhooks and push services, the default limits, 8 messages at a time per channel, a lease of 120 s
    /// and a poll every 5 s.
    pub fn new(public_url: PublicUrl) -> Self {
        Self {
            public_url,
            mail: None,
            allow_private: false,
            limits: NotifyLimits::default(),
            lease: Duration::from_secs(120),
            poll: Duration::from_secs(5),
            parallel: 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_have_no_path() {
        for (text, read) in [
            ("https://play.example.org", "https://play.example.org"),
            ("https://Play.Example.org:443/", "https://play.example.org"),
            ("http://localhost:7878", "http://localhost:7878"),
        ] {
            assert_eq!(text.parse::<PublicUrl>().unwrap().as_str(), read);
        }
        for text in
            ["play.example.org", "ftp://a", "https://a/b", "https://a?b", "https://u@a", "https://", ""]
        {
            assert_eq!(text.parse::<PublicUrl>(), Err(PublicUrlError), "{text}");
        }
    }

    #[test]
    fn errors_of_mail_do_not_repeat_the_password() {
        let sender = "Pentarchy <games@example.org>";
        assert!(MailConfig::new("smtp://localhost:2525", sender).is_ok());
        for server in
            ["https://user:hunter2@host", "user:hunter2@host", "smtp://user:hunter2@host?tls=perhaps"]
        {
            let error = MailConfig::new(server, sender).err().unwrap().to_string();
            assert!(error.contains("smtps://") && !error.contains("hunter2"), "{error}");
        }
        let error = MailConfig::new("smtp://localhost", "nobody").err();
        assert_eq!(error, Some(MailConfigError::From("nobody".into())));
    }
}
