//! What clients tell the server of a table over HTTP, without a connection: the entry in its list of open tables, and
//! announcements of turns. A caller sends the requests and passes the responses on.

use crate::{AnnounceReply, AnnounceRequest, Lobby};
use pentarchy_net::Invite;

/// How often the entry of an open table is renewed, in milliseconds. The server drops an entry after 90 seconds.
const RENEW_MS: u64 = 30_000;
/// Maximum bytes of the label of a table in notifications.
const MAX_LABEL: usize = 80;

/// A request to the server of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerCall {
    /// The HTTP method.
    pub method: &'static str,
    /// The path, which begins with `/api/`.
    pub path: String,
    /// The value of the header `Authorization`; empty for none.
    pub authorization: String,
    /// The body, JSON or empty.
    pub body: String,
}

/// The requests by which one [`AnnounceRequest`] is made: one after the other, until there is a reply.
#[derive(Clone, Debug)]
pub struct AnnounceExchange {
    request: AnnounceRequest,
    path: String,
    pass: String,
    /// Whether the server has said that it has notifications.
    is_on: bool,
}

impl AnnounceExchange {
    /// Begins the requests by which `request` is made about the table of this invitation. Sends nothing:
    /// take the first one from [`call`](Self::call).
    pub fn new(request: AnnounceRequest, invite: &Invite) -> Self {
        let path = format!("/api/notify/tables/{}/turn", invite.table());
        Self { request, path, pass: format!("Bearer {}", invite.pass().to_text()), is_on: false }
    }

    /// Returns the request that is to be sent now: for [`AnnounceRequest::Look`] first a `GET` of the
    /// server's notification channels, then one of the turn that it knows; for an announcement one `PUT`.
    /// Changes nothing: the next one is due after [`handle_response`](Self::handle_response).
    pub fn call(&self) -> ServerCall {
        let (method, body) = match &self.request {
            AnnounceRequest::Look if !self.is_on => {
                let (path, authorization) = ("/api/notify/channels".to_owned(), String::new());
                return ServerCall { method: "GET", path, authorization, body: String::new() };
            }
            AnnounceRequest::Look => ("GET", String::new()),
            AnnounceRequest::Announce(turn) => ("PUT", serde_json::to_string(turn).unwrap_or_default()),
        };
        ServerCall { method, path: self.path.clone(), authorization: self.pass.clone(), body }
    }

    /// Takes the status and the body of the response to [`call`](Self::call); `None` if there was no
    /// response. Returns the result of the announcement, or `None` if the next request is to be sent: when
    /// the first one has shown that the server has notifications. A reply 404 means for that first one that
    /// it has none, and for the question about the turn that it knows no turn.
    pub fn handle_response(&mut self, response: Option<(u16, &[u8])>) -> Option<AnnounceReply> {
        let Some((status, body)) = response else { return Some(AnnounceReply::Failed) };
        match (&self.request, self.is_on, status) {
            (AnnounceRequest::Look, false, 404) => Some(AnnounceReply::Off),
            (AnnounceRequest::Look, false, 200) => {
                self.is_on = true;
                None
            }
            (AnnounceRequest::Look, false, _) => Some(AnnounceReply::Failed),
            (AnnounceRequest::Look, true, 404) => Some(AnnounceReply::Known(None)),
            (AnnounceRequest::Look, true, 200) => {
                Some(AnnounceReply::Known(serde_json::from_slice(body).ok()))
            }
            _ => Some(AnnounceReply::of_status(status)),
        }
    }
}

/// Says when a host has to renew the entry of its table in the server's list of open tables.
#[derive(Debug)]
pub struct ListingAnnouncer {
    path: String,
    key: String,
    authorization: String,
    /// When the entry was last sent, in milliseconds, and how many seats were taken.
    sent: Option<(u64, usize)>,
}

impl ListingAnnouncer {
    /// Creates the announcer of the table of this invitation, which has sent nothing yet. `owner` is the
    /// text of the proof that the table is the host's.
    pub fn new(invite: &Invite, owner: &str) -> Self {
        Self {
            path: format!("/api/tables/{}", invite.table()),
            key: invite.secret_part(),
            authorization: format!("Bearer {owner}"),
            sent: None,
        }
    }

    /// Returns the request that lists the table or renews its entry, if it is due at the time `now_ms`,
    /// which must not go back, and notes it as sent. It is due at the first call, when the number of taken
    /// seats has changed, and 30 seconds after the last one. `None` if none is due, at a guest, and once
    /// the match has started.
    pub fn renew(&mut self, lobby: &Lobby, now_ms: u64) -> Option<ServerCall> {
        let seating = lobby.seating().filter(|_| lobby.is_host() && lobby.session().is_none())?;
        let taken = seating.players().count();
        if self.sent.is_some_and(|(at, before)| now_ms < at + RENEW_MS && before == taken) {
            return None;
        }
        self.sent = Some((now_ms, taken));
        let entry = serde_json::json!({
            "game": seating.game, "title": "", "host": lobby.name, "seats": seating.seats(), "taken": taken,
            "key": self.key,
        });
        Some(self.call("PUT", entry.to_string()))
    }

    /// Forgets when the entry was last sent, so that the next [`renew`](Self::renew) is due at once: the
    /// server may have lost the entry.
    pub fn forget(&mut self) {
        self.sent = None;
    }

    /// Returns the request (`DELETE`) that removes the entry of the table from the server's list. Changes
    /// nothing here.
    pub fn remove(&self) -> ServerCall {
        self.call("DELETE", String::new())
    }

    /// Returns a request with this method and body to the entry of the table, authorized as its owner.
    fn call(&self, method: &'static str, body: String) -> ServerCall {
        let (path, authorization) = (self.path.clone(), self.authorization.clone());
        ServerCall { method, path, authorization, body }
    }
}

/// Returns the label of a table in notifications to one of its players: the title of the game and the names of the others.
/// Control characters are left out, and the label is cut to 80 bytes.
pub fn table_label<'a>(title: &str, others: impl Iterator<Item = &'a str>) -> String {
    let mut label = format!("{title} with {}", others.collect::<Vec<_>>().join(", "));
    label.retain(|c| !c.is_control());
    label.truncate(label.floor_char_boundary(MAX_LABEL));
    label
}
