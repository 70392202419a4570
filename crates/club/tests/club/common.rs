//! Games that are played and signed here, and a server with a club.

use data_encoding::HEXLOWER;
use pentarchy_club::{ClubLimits, routes};
use pentarchy_engine::Rng;
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_server::{BackgroundServer, Limits, MailboxConfig, ServerConfig};
use pentarchy_storage::DatabaseLocation;
use pentarchy_table::{
    Descriptor, Input, PeerSession, SessionEvent, SessionOutput, SessionRequest, TablePlayer, TableRecord,
};
use serde_json::Value;
use std::collections::VecDeque;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// Longer than anything here takes, so that a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the identity of player `i`: the same one in each run.
pub(crate) fn identity(i: u8) -> SigningSecret {
    SigningSecret::from_bytes(&[i; 32])
}

/// Returns the public key of player `i` in hexadecimal digits, as the interface names it.
pub(crate) fn key(i: u8) -> String {
    HEXLOWER.encode(identity(i).public().bytes())
}

/// Plays a game of two seats with random choices, and returns the record that the players have signed. It follows from
/// the arguments.
pub(crate) fn play(game: &str, players: [u8; 2], nonce: u8) -> TableRecord {
    play_at(game, players, |table| table.nonce = [nonce; 32])
}

/// Plays a game of two seats with random choices at a table that `change` sets up, and returns the record that the players
/// have signed. It follows from the arguments.
pub(crate) fn play_at(game: &str, players: [u8; 2], change: impl Fn(&mut Descriptor)) -> TableRecord {
    let game = pentarchy_registry::find(game).unwrap();
    let identities = players.map(identity);
    let seats = identities.iter().zip(players).map(|(identity, i)| TablePlayer {
        identity: *identity.public().bytes(),
        name: format!("Player {i}"),
        host: None,
    });
    let mut table = Descriptor::new(game, &Value::Null, seats.collect(), [0; 32]).unwrap();
    change(&mut table);
    let nonce = table.nonce[0];
    let mut sessions = Vec::new();
    let mut outputs: VecDeque<(usize, SessionOutput)> = VecDeque::new();
    for (seat, identity) in identities.iter().enumerate() {
        let seed = [seat as u8 + 4; 32];
        let made =
            PeerSession::new(game, table.clone(), seat as u8, identity, seed, Entropy::new([nonce; 32]));
        let (session, first) = made.unwrap();
        sessions.push(session);
        outputs.extend(first.into_iter().map(|output| (seat, output)));
    }
    let mut rng = Rng::stream(u64::from(nonce), 1);
    while let Some((seat, output)) = outputs.pop_front() {
        let (to, next) = match output {
            SessionOutput::Request(SessionRequest::Send { bytes, .. }) => {
                (1 - seat, sessions[1 - seat].handle(Input::Message { from: 0, bytes: &bytes }))
            }
            SessionOutput::Event(SessionEvent::Choose) => {
                let text = sessions[seat].position().choose_random(&mut rng).unwrap();
                (seat, sessions[seat].handle(Input::Choose(&text)))
            }
            _ => continue,
        };
        outputs.extend(next.into_iter().map(|output| (to, output)));
    }
    sessions[0].record()
}

/// A server with a club, in a folder that is removed with it.
pub(crate) struct TestClub {
    pub(crate) folder: PathBuf,
    server: Option<BackgroundServer>,
}

impl TestClub {
    /// Starts a server with a club and these limits at a free port, with its database in a new folder.
    pub(crate) fn start(limits: ClubLimits, server: Limits) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("pentarchy-club-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(unique);
        let config = ServerConfig {
            port: 0,
            limits: server,
            mailbox: MailboxConfig::Off,
            database: Some(DatabaseLocation::Folder(folder.clone())),
            extensions: vec![Box::new(|host| routes(host.storage, limits))],
            ..ServerConfig::default()
        };
        TestClub { folder, server: Some(BackgroundServer::start(config).unwrap()) }
    }

    /// Starts a club with a server that does not limit requests, in which one game is enough for a leaderboard.
    pub(crate) fn open() -> Self {
        Self::start(ClubLimits { least_games: 1, ..ClubLimits::default() }, unlimited())
    }

    /// Returns the address of the server. Panics if it was stopped.
    fn address(&self) -> SocketAddr {
        self.server.as_ref().unwrap().address()
    }

    /// Stops the server, waits for its end, and returns where its database is. The folder stays until the club is
    /// dropped.
    pub(crate) fn stop(&mut self) -> DatabaseLocation {
        self.server = None;
        DatabaseLocation::Folder(self.folder.clone())
    }

    /// Sends one request on a connection of its own and returns the answer. `head` is the method and the path.
    pub(crate) fn request(&self, head: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut text = format!("{head} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.address());
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        stream.write_all(text.as_bytes()).unwrap();
        // A server that rejects a body need not read it.
        stream.write_all(body).ok();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok();
        Answer::read(&bytes)
    }

    /// Returns the answer to `GET /api/club/` and this path.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request(&format!("GET /api/club/{path}"), &[], b"")
    }

    /// Publishes the bytes of a record and returns the answer, which may be an error.
    pub(crate) fn publish(&self, record: &[u8]) -> Answer {
        self.request("POST /api/club/games", &[], record)
    }

    /// Publishes a record that must be new and accepted, and returns what the archive says about it.
    pub(crate) fn archive(&self, record: &TableRecord) -> Value {
        let answer = self.publish(&record.encode());
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }
}

impl Drop for TestClub {
    fn drop(&mut self) {
        self.server = None;
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// Returns limits of a server whose rates of requests are never reached.
pub(crate) fn unlimited() -> Limits {
    let rate = pentarchy_server::Rate { burst: 1 << 30, per_second: 1 << 20 };
    Limits { request_rate: rate, publish_rate: rate, ..Limits::default() }
}

/// An answer over HTTP.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Parses the bytes of an answer, chunked or not. The head is in lower case. Panics if it is malformed.
    fn read(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap().to_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut body = bytes[end + 4..].to_vec();
        if head.contains("transfer-encoding: chunked") {
            body = unchunked(&body);
        }
        Answer { status, head, body }
    }

    /// Returns the body as text. Panics if it is no UTF-8.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// Returns the body as JSON. Panics if it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Returns the sentence of an error. Asserts that it has this status.
    pub(crate) fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

/// Joins the chunks of a body. Panics if it is malformed.
fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let line = bytes.windows(2).position(|two| two == b"\r\n").unwrap();
        let len = usize::from_str_radix(std::str::from_utf8(&bytes[..line]).unwrap(), 16).unwrap();
        if len == 0 {
            return body;
        }
        body.extend_from_slice(&bytes[line + 2..line + 2 + len]);
        bytes = &bytes[line + 4 + len..];
    }
}
