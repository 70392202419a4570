//! Stopping and coming back.

use crate::common::{Heard, Peer, connect, get, start, table};
use pentarchy_net::wire::{Closed, To};
use pentarchy_server::{Background, Config, Limits};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

#[test]
fn members_hear_a_goodbye_and_nobody_holds_it_up() {
    let server = start(Limits::default());
    let at = server.address();
    let mut peer = Peer::enter(at, table(1));
    // A connection that is kept open and idle, as browsers do.
    let mut kept = connect(at);
    kept.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut some = [0; 12];
    kept.read_exact(&mut some).unwrap();
    let waiting = std::thread::spawn(move || peer.closed());
    let begin = Instant::now();
    server.stop();
    assert!(begin.elapsed() < Duration::from_secs(4), "{:?}", begin.elapsed());
    assert_eq!(waiting.join().unwrap(), Closed::Away.code());
    assert!(std::net::TcpStream::connect(at).is_err(), "nobody listens");
}

#[test]
fn who_does_not_listen_is_waited_for_only_so_long() {
    let server = start(Limits { grace: Duration::from_millis(300), ..Limits::default() });
    let _deaf = Peer::enter(server.address(), table(1));
    let begin = Instant::now();
    server.stop();
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
}

#[test]
fn a_restarted_server_finds_its_rooms_again() {
    let server = start(Limits::default());
    let at = server.address();
    let (a, b) = (Peer::enter(at, table(1)), Peer::enter(at, table(1)));
    drop((a, b));
    server.stop();
    let again = Background::start(Config { port: at.port(), ..Config::default() }).unwrap();
    assert_eq!(again.address(), at);
    let mut a = Peer::enter(at, table(1));
    let mut b = Peer::enter(at, table(1));
    assert_eq!(a.hear(), Heard::Joined(b.me));
    b.send(To::Others, b"here we are again");
    assert_eq!(a.hear(), Heard::Message(b.me, b"here we are again".to_vec()));
    assert_eq!(get(at, "/health").status, 200);
}
