//! The server's lobby, asked over plain HTTP.

use pentarchy_net::{Invite, OwnerProof};
use serde_json::json;
use std::io::{self, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(3);
/// How often an entry is renewed: it vanishes after a minute and a half.
const RENEW: Duration = Duration::from_secs(30);

/// Whether a server of ours answers there.
pub(crate) fn healthy(server: &str) -> bool {
    ask(server, "GET", "/health", None, "").is_ok_and(|answer| answer.contains("\"status\":\"ok\""))
}

/// The status line, headers and body of an answer.
fn ask(server: &str, verb: &str, path: &str, owner: Option<&str>, body: &str) -> io::Result<String> {
    let no_host = || io::Error::new(io::ErrorKind::InvalidInput, "only http:// servers are asked");
    let host = server.strip_prefix("http://").ok_or_else(no_host)?;
    let (host, prefix) =
        host.split_once('/').map_or((host, String::new()), |(host, rest)| (host, format!("/{rest}")));
    let port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let address = if port { host.to_owned() } else { format!("{host}:80") };
    let mut failed = no_host();
    for address in address.to_socket_addrs()? {
        let mut stream = match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => stream,
            Err(error) => {
                failed = error;
                continue;
            }
        };
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let owner = owner.map_or(String::new(), |owner| format!("authorization: Bearer {owner}\r\n"));
        let request = format!(
            "{verb} {prefix}{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{owner}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.take(64 * 1024).read_to_end(&mut answer)?;
        return Ok(String::from_utf8_lossy(&answer).into_owned());
    }
    Err(failed)
}

/// An entry in the lobby, renewed while the table waits for players.
pub(crate) struct Listing {
    invite: Invite,
    owner: OwnerProof,
    game: String,
    host: String,
    seats: u8,
    renewed: Option<(Instant, u8)>,
}

impl Listing {
    /// An entry that is not there yet.
    pub(crate) fn new(invite: &Invite, owner: OwnerProof, game: &str, host: &str, seats: u8) -> Self {
        let (invite, game, host) = (invite.clone(), game.to_owned(), host.to_owned());
        Self { invite, owner, game, host, seats, renewed: None }
    }

    /// Puts the entry there, if it is time or something has changed. A server that is away gets it the next time.
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
        self.send("PUT", &body.to_string());
    }

    /// Takes the entry away.
    pub(crate) fn remove(&self) {
        if self.renewed.is_some() {
            self.send("DELETE", "");
        }
    }

    fn send(&self, verb: &str, body: &str) {
        let path = format!("/api/tables/{}", self.invite.table());
        ask(&self.invite.server, verb, &path, Some(&self.owner.to_text()), body).ok();
    }
}
