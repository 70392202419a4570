//! Stopping and coming back.

use crate::common::{
    PATIENCE, Peer, Received, connect, eventually, get, metric, protocols, read_answer, start, table,
};
use pentarchy_net::wire::{CloseReason, Destination};
use pentarchy_server::{BackgroundServer, Limits, ServerConfig};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

#[test]
fn members_get_a_close_frame_and_cannot_delay_the_shutdown() {
    let server = start(Limits::default());
    let at = server.address();
    let mut peer = Peer::enter(at, 1);
    // A connection that is kept open and idle, as browsers do.
    let mut kept = connect(at);
    kept.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut some = [0; 12];
    kept.read_exact(&mut some).unwrap();
    let waiting = std::thread::spawn(move || peer.closed());
    let begin = Instant::now();
    server.stop();
    assert!(begin.elapsed() < PATIENCE, "an idle connection holds the server up");
    assert_eq!(waiting.join().unwrap(), CloseReason::Away.code());
    assert!(TcpStream::connect(at).is_err(), "the port is closed");
}

#[test]
fn what_was_being_asked_is_answered_and_nothing_new_begins() {
    let server = start(Limits::default());
    let at = server.address();
    // When the server stops, three clients have sent part of a request, and one is in a room.
    let ask = |path: &str, more: &str| {
        let mut stream = connect(at);
        stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n{more}").as_bytes()).unwrap();
        stream
    };
    let (health, list) = (ask("/health", ""), ask("/api/tables", ""));
    let key = "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    let offer = format!("sec-websocket-protocol: {}\r\n", protocols(1));
    let upgrade = format!("connection: upgrade\r\nupgrade: websocket\r\n{key}{offer}");
    let mut room = ask(&format!("/relay/{}", table(1)), &upgrade);
    let mut member = Peer::enter(at, 1);
    eventually("all are there", || metric(&server, "pentarchy_connections") == 4);
    let stopping = std::thread::spawn(move || server.stop());
    assert_eq!(member.closed(), CloseReason::Away.code());
    eventually("no connection is accepted", || TcpStream::connect(at).is_err());

    let answered = |mut stream: TcpStream| {
        stream.write_all(b"\r\n").unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        read_answer(&bytes)
    };
    let health = answered(health);
    assert_eq!((health.status, health.json()["status"].as_str()), (503, Some("stopping")));
    // The server closes the connection after the answer, which `answered` waits for. It says so in the answer, unless the
    // connection learns a moment later that the server stops.
    assert_eq!(answered(list).status, 200);
    // Browsers report the close code of a WebSocket to the page, but not the status of the upgrade.
    room.write_all(b"\r\n").unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        room.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    assert_eq!(read_answer(&head).status, 101);
    let mut room = WebSocket::from_raw_socket(room, Role::Client, None);
    let Message::Close(Some(why)) = room.read().unwrap() else { panic!("let into a room") };
    assert_eq!((why.code.into(), why.reason.as_str()), (CloseReason::Away.code(), CloseReason::Away.text()));
    drop((room, member));
    stopping.join().unwrap();
}

#[test]
fn who_does_not_listen_is_waited_for_only_so_long() {
    let server = start(Limits { shutdown_grace: Duration::from_millis(300), ..Limits::default() });
    let _deaf = Peer::enter(server.address(), 1);
    let begin = Instant::now();
    server.stop();
    assert!(begin.elapsed() < PATIENCE, "a deaf member holds the server up");
}

#[test]
fn a_restarted_server_finds_its_rooms_again() {
    let server = start(Limits::default());
    let at = server.address();
    let (a, b) = (Peer::enter(at, 1), Peer::enter(at, 1));
    drop((a, b));
    server.stop();
    let again = BackgroundServer::start(ServerConfig { port: at.port(), ..ServerConfig::default() }).unwrap();
    assert_eq!(again.address(), at);
    let mut a = Peer::enter(at, 1);
    let mut b = Peer::enter(at, 1);
    assert_eq!(a.receive(), Received::Joined(b.me));
    b.send(Destination::Others, b"here we are again");
    assert_eq!(a.receive(), Received::Message(b.me, b"here we are again".to_vec()));
    assert_eq!(get(at, "/health").status, 200);
}
