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

/// Starts a server with these limits at free ports of this machine, with metrics and mail in memory.
pub(crate) fn start(limits: Limits) -> BackgroundServer {
    start_with(ServerConfig { limits, ..ServerConfig::default() })
}

/// Starts a server with this configuration, but at free ports of this machine and with metrics.
pub(crate) fn start_with(config: ServerConfig) -> BackgroundServer {
    let metrics = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    BackgroundServer::start(ServerConfig { port: 0, metrics, ..config }).unwrap()
}

/// A folder with files, removed when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Writes the files (path and content) into a new folder whose name contains `name`. It is deleted when this is
    /// dropped.
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

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Returns the invitation to table `i`, without a server: the same one in each run.
pub(crate) fn invite(i: u8) -> Invite {
    Invite {
        server: String::new(),
        key: InviteKey([i; 16]),
        host: HostTag::of(&[i; 32]),
        owner: OwnerSecret::new([i; 32]).tag(),
    }
}

/// Returns the name of table `i`.
pub(crate) fn table(i: u8) -> TableId {
    invite(i).table()
}

/// Returns the proof that its sender owns table `i`.
pub(crate) fn proof(i: u8) -> OwnerProof {
    OwnerSecret::new([i; 32]).proof(&InviteKey([i; 16]))
}

/// Returns the value of the header by which a client shows the pass of table `i`.
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
    /// Returns the body as text. Panics if it is no UTF-8.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// Returns the body as JSON. Panics if it is none.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Returns the value of a header, named in lower case; empty if it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value)
    }
}

/// Opens a connection whose reads and writes fail after [`PATIENCE`].
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// Sends one request on a connection of its own, and returns the answer. `head` is the method and the path.
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

/// Parses the bytes of an answer; names of headers become lower case. The body is not decoded. Panics if the head is
/// malformed.
pub(crate) fn read_answer(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    Answer { status, headers, body: bytes[end + 4..].to_vec() }
}

/// Returns the answer to `GET path`.
pub(crate) fn get(address: SocketAddr, path: &str) -> Answer {
    request(address, &format!("GET {path}"), &[], "")
}

/// Returns the value of the metric of this name. Panics if there is none.
pub(crate) fn metric(server: &BackgroundServer, name: &str) -> u64 {
    let text = get(server.metrics_address().unwrap(), "/metrics").text();
    let line = text.lines().find(|line| line.split(' ').next() == Some(name));
    line.unwrap().split(' ').nth(1).unwrap().parse().unwrap()
}

/// Waits until `holds` returns true, which it asks every 10 ms. Panics with `what` after [`PATIENCE`].
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

/// Asks to enter the room of table `i` with its pass. Returns the connection, or the error in words if the server
/// refuses the upgrade.
pub(crate) fn knock(address: SocketAddr, i: u8) -> Result<WebSocket<TcpStream>, String> {
    knock_with(address, i, &[("sec-websocket-protocol", &protocols(i))])
}

/// Asks to enter the room of table `i` with these headers. Returns the connection, or the error in words if the server
/// refuses the upgrade.
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
    /// Enters the room of table `i` with its pass and reads the welcome. Panics if the relay does not let it in.
    pub(crate) fn enter(address: SocketAddr, i: u8) -> Self {
        Self::welcome(knock(address, i).unwrap())
    }

    /// Reads the welcome of a connection that was let in, and returns the member; a ping may come before it. Panics if
    /// another frame comes.
    pub(crate) fn welcome(mut socket: WebSocket<TcpStream>) -> Self {
        let mut message = socket.read().unwrap();
        while message.is_ping() {
            message = socket.read().unwrap();
        }
        let frame = message.into_data();
        let Some(RelayFrame::Welcome { you, others }) = RelayFrame::parse(&frame) else {
            panic!("no welcome")
        };
        Self { socket, me: you, others }
    }

    /// Sends a message to one or all other members.
    pub(crate) fn send(&mut self, to: Destination, payload: &[u8]) {
        self.socket.send(Message::Binary(to.to_frame(payload).into())).unwrap();
    }

    /// Waits for the next frame and returns it; pings are skipped. Panics if it is about mail or malformed.
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

    /// Reads on until the relay closes the connection, and returns the code. The relay pings its members, so the
    /// timeout of the socket does not end this. Panics after [`PATIENCE`], or if the connection ends without a code.
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

/// Returns the code with which the relay refuses a connection. Panics if it lets the client in.
pub(crate) fn refusal(socket: &mut WebSocket<TcpStream>) -> u16 {
    match socket.read() {
        Ok(Message::Close(Some(frame))) => frame.code.into(),
        other => panic!("the client is let in: {other:?}"),
    }
}
