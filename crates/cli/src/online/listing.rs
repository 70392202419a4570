//! The server's list of open tables, over HTTP.

use pentarchy_net::http_types::{Method, Request, Response, header};
use pentarchy_net::{DialError, Dialer, Invite, OwnerProof};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Timeout for each step of a request: connecting, the head of the response, each part of its body.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum length of a response, in bytes.
const LONGEST: usize = 64 * 1024;
/// Interval between two announcements. The server drops an entry after 90 seconds.
const RENEW: Duration = Duration::from_secs(30);

/// Returns whether a Pentarchy server that is not stopping responds at the address `server` (without a final slash):
/// whether its `/health` has the status `ok`. `false` for any other answer. Connects by `dialer`; blocks until the
/// response is complete.
///
/// # Errors
///
/// Fails if the address is invalid, or if the server cannot be reached, is not trusted, or exceeds [`PATIENCE`] in a
/// step.
pub(crate) fn is_server(dialer: &Dialer, server: &str) -> Result<bool, DialError> {
    let answer = send_request(dialer, Method::GET, &format!("{server}/health"), None, String::new())?;
    let health: Option<Value> = serde_json::from_slice(answer.body()).ok();
    Ok(health.is_some_and(|health| health["status"] == "ok"))
}

/// Sends a request with the method `verb` by `dialer`, with this value of the header `Authorization` if given. Blocks, and
/// returns the response, whatever its status; its body is truncated soon after [`LONGEST`] bytes.
///
/// # Errors
///
/// Fails if the URL is invalid, or if the server cannot be reached, is not trusted, exceeds [`PATIENCE`] in a
/// step, or does not answer with HTTP.
pub(super) fn send_request(
    dialer: &Dialer,
    verb: Method,
    url: &str,
    authorization: Option<&str>,
    body: String,
) -> Result<Response<Vec<u8>>, DialError> {
    let mut request = Request::builder().method(verb).uri(url);
    if let Some(value) = authorization {
        request = request.header(header::AUTHORIZATION, value);
    }
    let request = request.body(body.into_bytes()).map_err(|_| DialError::Address(url.to_owned()))?;
    dialer.fetch(request, PATIENCE, LONGEST)
}

/// An entry in the list of open tables, renewed while the table waits for players.
pub(crate) struct Listing {
    dialer: Dialer,
    invite: Invite,
    owner: OwnerProof,
    game: String,
    host: String,
    seats: u8,
    renewed: Option<(Instant, u8)>,
}

impl Listing {
    /// Creates an entry for the table of `invite` with this number of seats; `game` is the game's
    /// name, `host` the name of the host, and `owner` proves that the table is theirs. It is
    /// announced at the first [`renew`](Self::renew), by `dialer`.
    pub(crate) fn new(
        dialer: &Dialer,
        invite: &Invite,
        owner: OwnerProof,
        game: &str,
        host: &str,
        seats: u8,
    ) -> Self {
        let (invite, game, host) = (invite.clone(), game.to_owned(), host.to_owned());
        Self { dialer: dialer.clone(), invite, owner, game, host, seats, renewed: None }
    }

    /// Announces the entry with this number of taken seats at the first call, if [`RENEW`] has passed since the last
    /// announcement, or if the number has changed; else does nothing. Blocks while it sends. Errors are ignored: the
    /// entry is sent again after [`RENEW`].
    pub(crate) fn renew(&mut self, taken: u8) {
        let fresh = |(at, before): &(Instant, u8)| at.elapsed() < RENEW && *before == taken;
        if self.renewed.as_ref().is_some_and(fresh) {
            return;
        }
        self.renewed = Some((Instant::now(), taken));
        let body = json!({
            "game": self.game, "title": "", "host": self.host, "seats": self.seats, "taken": taken,
            "key": self.invite.secret_part(),
        });
        self.send(Method::PUT, body.to_string());
    }

    /// Removes the entry from the list of open tables, if it was announced. Blocks while it sends; errors are
    /// ignored, because the server drops the entry by itself.
    pub(crate) fn remove(&self) {
        if self.renewed.is_some() {
            self.send(Method::DELETE, String::new());
        }
    }

    /// Sends a request about the table with this method and body to the server, and waits for the answer. Errors are
    /// ignored: the list is a convenience. The request proves by the owner's secret whose table it is.
    fn send(&self, verb: Method, body: String) {
        let url = format!("{}/api/tables/{}", self.invite.server, self.invite.table());
        let owner = format!("Bearer {}", self.owner.to_text());
        send_request(&self.dialer, verb, &url, Some(&owner), body).ok();
    }
}
