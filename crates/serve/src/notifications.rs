//! The arguments of notifications.

use crate::ServeError;
use pentarchy_notify::{MailConfig, NotifyConfig, PublicUrl, start};
use pentarchy_server::ExtensionFactory;

/// How to notify players who are away.
#[derive(clap::Args)]
#[command(next_help_heading = "Notifications")]
pub(crate) struct NotifyArgs {
    /// The address at which players reach this server, like `https://play.example.org`. With it the server notifies players
    /// who are away that it is their turn, by webhook and web push, and by mail with --mail. Without it there are no
    /// notifications
    #[arg(long, value_name = "URL")]
    public_url: Option<PublicUrl>,

    /// The mail server for notifications, like smtps://user:password@mail.example.org or smtp://localhost. The variable
    /// PENTARCHY_MAIL does the same and keeps the password out of the list of processes
    #[arg(long, value_name = "URL")]
    mail: Option<String>,

    /// The sender of mails, like `Pentarchy <games@example.org>`
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,

    /// Let webhooks and push services be in private networks, on this machine, and without TLS. Only for tests, and for a
    /// server whose users you all trust: they can then make it send requests to everything that it can reach
    #[arg(long)]
    allow_private_webhooks: bool,
}

impl NotifyArgs {
    /// Returns what runs notifications in a server; `None` without a public address. Without `--mail` the
    /// mail server is that of the variable `PENTARCHY_MAIL`, if there are a public address and a sender.
    ///
    /// # Errors
    ///
    /// Fails if there is a mail server, a sender or the permission of private webhooks without a public
    /// address, a mail server or a sender without the other, or one of them is malformed.
    pub(crate) fn extension(&self) -> Result<Option<ExtensionFactory>, ServeError> {
        let given = std::env::var("PENTARCHY_MAIL").ok().filter(|value| !value.is_empty());
        // The variable may be set for other servers: alone it asks for nothing.
        let given = given.filter(|_| self.public_url.is_some() && self.mail_from.is_some());
        self.with_mail(self.mail.as_ref().or(given.as_ref()))
    }

    /// Returns what runs notifications in a server; `None` without a public address. `server` is the
    /// address of the mail server; without it there are no mails.
    ///
    /// # Errors
    ///
    /// Fails if there is a mail server, a sender or the permission of private webhooks without a public
    /// address, a mail server or a sender without the other, or one of them is malformed.
    fn with_mail(&self, server: Option<&String>) -> Result<Option<ExtensionFactory>, ServeError> {
        let needs = |what: &str, hint: &str| {
            Err(ServeError { message: what.to_owned(), hint: Some(hint.to_owned()) })
        };
        let Some(public_url) = &self.public_url else {
            if server.is_some() || self.mail_from.is_some() || self.allow_private_webhooks {
                return needs(
                    "notifications need the address at which players reach this server",
                    "name it with --public-url, like https://play.example.org",
                );
            }
            return Ok(None);
        };
        let mail = match (server, &self.mail_from) {
            (Some(server), Some(from)) => Some(MailConfig::new(server, from).map_err(ServeError::new)?),
            (Some(_), None) => {
                return needs("mails need a sender", "name it with --mail-from, like games@example.org");
            }
            (None, Some(_)) => {
                return needs("mails need a mail server", "name it with --mail, like smtp://localhost");
            }
            (None, None) => None,
        };
        let config = NotifyConfig {
            mail,
            allow_private: self.allow_private_webhooks,
            ..NotifyConfig::new(public_url.clone())
        };
        Ok(Some(Box::new(move |host| {
            let (routes, work) = start(host.storage, config, host.metrics, host.stop);
            host.tasks.spawn(work);
            routes
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error for these arguments; `None` if they are accepted.
    fn error(url: Option<&str>, mail: Option<&str>, from: Option<&str>, private: bool) -> Option<ServeError> {
        let args = NotifyArgs {
            public_url: url.map(|url| url.parse().unwrap()),
            mail: None,
            mail_from: from.map(str::to_owned),
            allow_private_webhooks: private,
        };
        args.with_mail(mail.map(str::to_owned).as_ref()).err()
    }

    #[test]
    fn incomplete_arguments_say_what_is_missing() {
        let (url, mail, from) =
            (Some("https://play.example.org"), Some("smtp://localhost"), Some("a@example.org"));
        for (url, mail, from, private) in
            [(None, None, None, false), (url, None, None, true), (url, mail, from, false)]
        {
            assert!(error(url, mail, from, private).is_none());
        }
        for (url, mail, from, private, missing) in [
            (None, mail, from, false, "--public-url"),
            (None, None, from, false, "--public-url"),
            (None, None, None, true, "--public-url"),
            (url, mail, None, false, "--mail-from"),
            (url, None, from, false, "--mail,"),
        ] {
            let hint = error(url, mail, from, private).unwrap().hint.unwrap();
            assert!(hint.contains(missing), "{hint}");
        }
        let malformed = error(url, Some("mail.example.org"), from, false).unwrap();
        assert!(malformed.message.contains("smtps://"), "{malformed}");
    }
}
