//! Clients that say exactly what a test wants to be said.

use pentarchy_net::wire::{Destination, Member, PROTOCOL, RelayFrame};
use pentarchy_net::{HostTag, Invite, InviteKey, OwnerProof, OwnerSecret, TableId};
use pentarchy_server::{BackgroundServer, Limits, ServerConfig};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

/// Longer than anything here takes, so that a test fails instead of hanging.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn start(limits: Limits) -> BackgroundServer {
    start_with(ServerConfig { limits, ..ServerConfig::default() })
}

/// Starts a server at free ports of this machine, with metrics.
pub(crate) fn start_with(config: ServerConfig) -> BackgroundServer {
    let metrics = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    BackgroundServer::start(ServerConfig { port: 0, metrics, ..config }).unwrap()
}

/// A folder with files, removed when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Writes the files into a new folder whose name contains `name`.
    pub(crate) fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("pentarchy-{name}-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let root = std::env::temp_dir().join(unique);
        for (path, bytes) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        Self(root)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// The invitation to a table.
pub(crate) fn invite(i: u8) -> Invite {
    Invite {
        server: String::new(),
        key: InviteKey([i; 16]),
        host: HostTag::of(&[i; 32]),
        owner: OwnerSecret::new([i; 32]).tag(),
    }
}

pub(crate) fn table(i: u8) -> TableId {
    invite(i).table()
}

pub(crate) fn proof(i: u8) -> OwnerProof {
    OwnerSecret::new([i; 32]).proof(&InviteKey([i; 16]))
}

/// The header by which a client shows the pass of a table.
pub(crate) fn protocols(i: u8) -> String {
    format!("{PROTOCOL}, {}", invite(i).pass().to_text())
}

/// An answer over HTTP.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value)
    }
}

pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// One request on a connection of its own.
pub(crate) fn request(address: SocketAddr, head: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut stream = connect(address);
    let mut text = format!("{head} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    stream.write_all(format!("{text}\r\n{body}").as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    read_answer(&bytes)
}

pub(crate) fn read_answer(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    Answer { status, headers, body: bytes[end + 4..].to_vec() }
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Answer {
    request(address, &format!("GET {path}"), &[], "")
}

/// The value of a number in `/metrics`.
pub(crate) fn metric(server: &BackgroundServer, name: &str) -> u64 {
    let text = get(server.metrics_address().unwrap(), "/metrics").text();
    let line = text.lines().find(|line| line.split(' ').next() == Some(name));
    line.unwrap().split(' ').nth(1).unwrap().parse().unwrap()
}

/// Waits until something holds.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}: not in time");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A member of a relay room.
pub(crate) struct Peer {
    pub(crate) socket: WebSocket<TcpStream>,
    pub(crate) me: Member,
    pub(crate) others: Vec<Member>,
}

/// A frame of the relay that does not borrow.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Received {
    Joined(Member),
    Left(Member),
    Message(Member, Vec<u8>),
}

pub(crate) fn knock(address: SocketAddr, i: u8) -> Result<WebSocket<TcpStream>, String> {
    knock_with(address, i, &[("sec-websocket-protocol", &protocols(i))])
}

/// Asks to enter a room with these headers.
pub(crate) fn knock_with(
    address: SocketAddr,
    i: u8,
    headers: &[(&'static str, &str)],
) -> Result<WebSocket<TcpStream>, String> {
    let mut request = format!("ws://{address}/relay/{}", table(i)).into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    tungstenite::client(request, connect(address))
        .map(|(socket, _)| socket)
        .map_err(|error| error.to_string())
}

impl Peer {
    pub(crate) fn enter(address: SocketAddr, i: u8) -> Self {
        Self::welcome(knock(address, i).unwrap())
    }

    /// The member behind a connection that was let in.
    pub(crate) fn welcome(mut socket: WebSocket<TcpStream>) -> Self {
        let frame = socket.read().unwrap().into_data();
        let Some(RelayFrame::Welcome { you, others }) = RelayFrame::parse(&frame) else {
            panic!("no welcome")
        };
        Self { socket, me: you, others }
    }

    pub(crate) fn send(&mut self, to: Destination, payload: &[u8]) {
        self.socket.send(Message::Binary(to.to_frame(payload).into())).unwrap();
    }

    pub(crate) fn receive(&mut self) -> Received {
        loop {
            let message = self.socket.read().unwrap();
            if !message.is_binary() {
                continue;
            }
            let frame = message.into_data();
            return match RelayFrame::parse(&frame) {
                Some(RelayFrame::Joined(member)) => Received::Joined(member),
                Some(RelayFrame::Left(member)) => Received::Left(member),
                Some(RelayFrame::Message { from, payload }) => Received::Message(from, payload.to_vec()),
                other => panic!("{other:?}"),
            };
        }
    }

    /// Reads on until the relay closes, and gives its code. The relay pings its members, so the timeout of the socket
    /// does not end this.
    pub(crate) fn closed(&mut self) -> u16 {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            match self.socket.read() {
                Ok(Message::Close(Some(frame))) => return frame.code.into(),
                Ok(_) => {}
                Err(error) => panic!("closed without a word: {error}"),
            }
        }
        panic!("the relay does not close the connection")
    }
}

/// The code with which the relay refuses a connection. Fails if it lets the client in.
pub(crate) fn refusal(socket: &mut WebSocket<TcpStream>) -> u16 {
    match socket.read() {
        Ok(Message::Close(Some(frame))) => frame.code.into(),
        other => panic!("the client is let in: {other:?}"),
    }
}
