//! The server's list of open tables, over HTTP.

use pentarchy_lobby::{ListingAnnouncer, Lobby, ServerCall};
use pentarchy_net::http_types::{Method, Request, Response, header};
use pentarchy_net::{DialError, Dialer, Invite, OwnerProof};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Timeout for each step of a request: connecting, the head of the response, each part of its body.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum length of a response, in bytes.
const LONGEST: usize = 64 * 1024;

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

/// Sends a request with the method `verb` by `dialer`, with this value of the header `Authorization` if given. Blocks,
/// and returns the response, whatever its status; its body is truncated soon after [`LONGEST`] bytes.
///
/// # Errors
///
/// Fails if the URL is invalid, or if the server cannot be reached, is not trusted, exceeds [`PATIENCE`] in a
/// step, or does not answer with HTTP.
fn send_request(
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

/// Sends a request to the server at this address (without a final slash) by `dialer`. Blocks, and returns the response,
/// whatever its status. An empty `authorization` sends no such header. `None` if the method is invalid, or if there is
/// no response.
pub(super) fn send_call(dialer: &Dialer, server: &str, call: &ServerCall) -> Option<Response<Vec<u8>>> {
    let verb = Method::from_bytes(call.method.as_bytes()).ok()?;
    let authorization = Some(call.authorization.as_str()).filter(|value| !value.is_empty());
    send_request(dialer, verb, &format!("{server}{}", call.path), authorization, call.body.clone()).ok()
}

/// An entry in the list of open tables, renewed while the table waits for players. Errors of the server are ignored:
/// the list is a convenience, and the server drops an entry by itself.
pub(crate) struct Listing {
    /// Connects to the server.
    dialer: Dialer,
    /// The address of the server, without a final slash.
    server: String,
    /// Decides when to announce what.
    announcer: ListingAnnouncer,
    /// The start of the clock that the announcer reads.
    begin: Instant,
}

impl Listing {
    /// Creates an entry for the table of `invite`; `owner` proves that the table is the host's. It is announced at the
    /// first [`renew`](Self::renew), by `dialer`.
    pub(crate) fn new(dialer: &Dialer, invite: &Invite, owner: &OwnerProof) -> Self {
        let announcer = ListingAnnouncer::new(invite, &owner.to_text());
        Self { dialer: dialer.clone(), server: invite.server.clone(), announcer, begin: Instant::now() }
    }

    /// Announces the entry, or announces it again, if that is due for the state of the lobby; else does nothing. Blocks
    /// while it sends. Errors and the response are ignored.
    pub(crate) fn renew(&mut self, lobby: &Lobby) {
        if let Some(call) = self.announcer.renew(lobby, self.begin.elapsed().as_millis() as u64) {
            send_call(&self.dialer, &self.server, &call);
        }
    }

    /// Asks the server to remove the entry from the list of open tables. Blocks while it sends. Errors and the response
    /// are ignored: the server drops an entry that is not renewed.
    pub(crate) fn remove(&self) {
        send_call(&self.dialer, &self.server, &self.announcer.remove());
    }
}
