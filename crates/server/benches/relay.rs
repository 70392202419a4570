//! Throughput of the relay, and memory of idle tables: `cargo bench -p pentarchy-server --bench relay`.
//!
//! The server runs in a process of its own. Rates are per wall-clock second and per CPU second of the server; only the
//! latter means something on a busy machine. `--json` prints the figures for `cargo xtask measure relay`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

use pentarchy_net::wire::Destination;
use pentarchy_net::wire::PROTOCOL;
use pentarchy_net::{HostTag, Invite, InviteKey, OwnerSecret, RoomPass};
use pentarchy_server::{BackgroundServer, Limits, Rate, ServerConfig};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

const ROOMS: u16 = 4;
const MEMBERS: usize = 4;
const PAYLOAD: usize = 200;
/// Messages in flight in a room.
const WINDOW: u32 = 100;
const RUN: Duration = Duration::from_secs(4);
const IDLE_TABLES: u16 = 1_000;

/// Measures the relay and prints the figures, with `--json` also as lines of JSON; with `serve` runs the
/// server that is measured instead. Panics if a target is missed.
fn main() {
    if std::env::args().any(|arg| arg == "serve") {
        return serve();
    }
    let mut server = Server::start();
    let (messages, wall, cpu) = throughput(&server);
    let (per_second, per_cpu) = (messages as f64 / wall, messages as f64 / cpu.max(0.01));
    let json = std::env::args().any(|arg| arg == "--json");
    if json {
        println!(
            "{{\"row\": \"messages per second\", \"figures\": [[\"figure\", \"{per_second:.0}\"], [\"per CPU second\", \"{per_cpu:.0}\"], [\"target\", \"5000\"]]}}"
        );
    }
    println!(
        "relay: {messages} messages of {PAYLOAD} bytes, each to {} others: {per_second:.0} a second, {per_cpu:.0} a CPU second (target 5000)",
        MEMBERS - 1
    );
    server.stop();

    let mut server = Server::start();
    let before = server.memory();
    let begin = Instant::now();
    let mut idle = Vec::new();
    for i in 0..IDLE_TABLES {
        for _ in 0..MEMBERS {
            idle.push(enter_and_sleep(server.address, pass(i)));
        }
    }
    let after = server.memory();
    if json {
        println!(
            "{{\"row\": \"memory of 1,000 idle tables, MB\", \"figures\": [[\"figure\", \"{:.0}\"], [\"target\", \"200\"]]}}",
            after as f64 / 1024.0
        );
    }
    println!(
        "idle: {IDLE_TABLES} tables with {} members: {:.1} MB of {:.1} MB in all, {:.1} KB a member (target 200 MB); opened in {:.1} s",
        idle.len(),
        (after - before) as f64 / 1024.0,
        after as f64 / 1024.0,
        (after - before) as f64 / idle.len() as f64,
        begin.elapsed().as_secs_f64(),
    );
    server.stop();
    assert!(per_second.max(per_cpu) >= 5_000.0 && after < 200 * 1024, "a target is missed");
}

/// Starts a server without limits per address, because all clients share one, prints its address, and serves
/// until standard input closes.
fn serve() {
    let plenty = Rate { burst: 1 << 40, per_second: 1 << 40 };
    let limits = Limits {
        connections_per_address: 10_000,
        rooms_per_address: 10_000,
        message_rate: plenty,
        byte_rate: plenty,
        request_rate: plenty,
        ..Limits::default()
    };
    let server =
        BackgroundServer::start(ServerConfig { port: 0, limits, ..ServerConfig::default() }).unwrap();
    println!("{}", server.address());
    // Until the bench closes its end.
    std::io::stdin().read_to_end(&mut Vec::new()).ok();
}

struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    /// Starts this program with `serve` as a child process and waits for its address. Call [`Server::stop`]
    /// in the end: the child is not killed when this is dropped.
    fn start() -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, address: line.trim().parse().unwrap() }
    }

    /// Kills the server and waits for its end.
    fn stop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Returns the resident memory of the server in kilobytes; 0 if it cannot be read (not Linux).
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()).map_or(0, |number| number.parse().unwrap_or(0))
    }

    /// Returns the CPU time that the server has used so far, user and system, in seconds, if a clock tick is
    /// 10 ms; 0 if it cannot be read (not Linux).
    fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let fields: Vec<&str> =
            stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
        let ticks = |i: usize| fields.get(i).map_or(0.0, |field| field.parse().unwrap_or(0.0));
        (ticks(11) + ticks(12)) / 100.0
    }
}

/// Returns the pass of room `i`. Different numbers give different rooms.
fn pass(i: u16) -> RoomPass {
    let mut secret = [0; 32];
    secret[..2].copy_from_slice(&i.to_le_bytes());
    let (key, owner) = (InviteKey([1; 16]), OwnerSecret::new(secret).tag());
    Invite { server: String::new(), key, host: HostTag::of(&[1; 32]), owner }.pass()
}

/// Enters a room and returns the WebSocket after the welcome was read.
fn enter(address: SocketAddr, pass: RoomPass) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut request = format!("ws://{address}/relay/{}", pass.table()).into_client_request().unwrap();
    let offer = format!("{PROTOCOL}, {}", pass.to_text());
    request.headers_mut().insert("sec-websocket-protocol", offer.parse().unwrap());
    let mut socket = tungstenite::client(request, stream).unwrap().0;
    // The welcome confirms the membership; on a busy machine it arrives later than the upgrade.
    socket.read().unwrap();
    socket
}

/// Enters a room as a member that sends and reads nothing; it leaves when the stream is dropped. It has no
/// WebSocket client, whose buffers would take too much memory for 4,000 members.
fn enter_and_sleep(address: SocketAddr, pass: RoomPass) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let (table, offer) = (pass.table(), format!("{PROTOCOL}, {}", pass.to_text()));
    let request = format!(
        "GET /relay/{table} HTTP/1.1\r\nhost: {address}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         sec-websocket-protocol: {offer}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 101");
    stream
}

/// Runs all rooms for [`RUN`]. Returns the number of messages sent, the wall-clock seconds, and the CPU
/// seconds of the server in that time.
fn throughput(server: &Server) -> (u64, f64, f64) {
    let begin = Instant::now();
    let cpu = server.cpu();
    let address = server.address;
    let rooms: Vec<_> =
        (0..ROOMS).map(|i| std::thread::spawn(move || room(address, pass(i), begin + RUN))).collect();
    let messages = rooms.into_iter().map(|room| room.join().unwrap()).sum();
    (messages, begin.elapsed().as_secs_f64(), server.cpu() - cpu)
}

/// Sends from one member to all others of a room until `until`, and waits for each window of messages to
/// arrive. Returns the number of messages sent; each was received by all others.
fn room(address: SocketAddr, pass: RoomPass, until: Instant) -> u64 {
    let mut sender = enter(address, pass);
    let mut listeners: Vec<_> = (1..MEMBERS).map(|_| enter(address, pass)).collect();
    let frame = Destination::Others.to_frame(&[7; PAYLOAD]);
    let mut sent = 0;
    while Instant::now() < until {
        for _ in 0..WINDOW {
            sender.write(Message::Binary(frame.clone().into())).unwrap();
        }
        sender.flush().unwrap();
        for listener in &mut listeners {
            let mut received = 0;
            while received < WINDOW {
                received += u32::from(listener.read().unwrap().len() > PAYLOAD);
            }
        }
        sent += u64::from(WINDOW);
    }
    sent
}
