//! Rooms.

use crate::common::{
    PATIENCE, Peer, Received, eventually, get, invite, knock, knock_with, metric, protocols, refusal, start,
    start_with, table,
};
use pentarchy_net::wire::{CloseReason, Destination, Member, PROTOCOL};
use pentarchy_net::{Invite, InviteKey, OwnerSecret};
use pentarchy_server::{BackgroundServer, Limits, Rate, ServerConfig};
use std::net::IpAddr;
use std::time::{Duration, Instant};
use tungstenite::Message;

#[test]
fn messages_reach_those_they_are_for() {
    let server = start(Limits::default());
    let at = server.address();
    let mut a = Peer::enter(at, 1);
    let mut b = Peer::enter(at, 1);
    let mut elsewhere = Peer::enter(at, 2);
    let mut c = Peer::enter(at, 1);
    assert_eq!((&a.others, &b.others, &c.others), (&vec![], &vec![a.me], &vec![a.me, b.me]));
    assert_eq!(
        (a.receive(), a.receive(), b.receive()),
        (Received::Joined(b.me), Received::Joined(c.me), Received::Joined(c.me))
    );

    a.send(Destination::Others, b"all");
    a.send(Destination::One(c.me), b"one");
    a.send(Destination::One(elsewhere.me), b"not in this room");
    a.send(Destination::One(Member(9_999)), b"nobody");
    a.send(Destination::Others, b"");
    let received = |text: &[u8]| Received::Message(a.me, text.to_vec());
    assert_eq!([b.receive(), b.receive()], [received(b"all"), received(b"")]);
    assert_eq!([c.receive(), c.receive(), c.receive()], [received(b"all"), received(b"one"), received(b"")]);

    let b_number = b.me;
    drop(b);
    assert_eq!((a.receive(), c.receive()), (Received::Left(b_number), Received::Left(b_number)));
    elsewhere.send(Destination::Others, b"alone");
    c.socket.close(None).unwrap();
    assert_eq!(a.receive(), Received::Left(c.me));
    drop((a, elsewhere));
    eventually("all rooms are gone", || metric(&server, "pentarchy_rooms") == 0);
    assert_eq!(metric(&server, "pentarchy_members"), 0);
    assert_eq!(metric(&server, "pentarchy_relay_messages_total"), 6);
    assert_eq!(metric(&server, "pentarchy_relay_queue_seconds_count"), 6);
}

#[test]
fn what_is_no_frame_ends_the_connection() {
    let server = start(Limits { message_bytes: 100, ..Limits::default() });
    let at = server.address();
    let mut witness = Peer::enter(at, 1);
    let cases: [(Message, CloseReason); 4] = [
        (Message::Text("hello".into()), CloseReason::Malformed),
        (Message::Binary(vec![1, 2, 3].into()), CloseReason::Malformed),
        (Message::Binary(vec![].into()), CloseReason::Malformed),
        (Message::Binary(vec![0xff; 105].into()), CloseReason::TooLarge),
    ];
    for (message, why) in cases {
        let mut peer = Peer::enter(at, 1);
        assert_eq!(witness.receive(), Received::Joined(peer.me));
        peer.socket.send(message).unwrap();
        assert_eq!(peer.closed(), why.code(), "{why:?}");
        assert_eq!(witness.receive(), Received::Left(peer.me));
    }
    let mut peer = Peer::enter(at, 1);
    assert_eq!(witness.receive(), Received::Joined(peer.me));
    peer.send(Destination::Others, &[7; 100]);
    assert_eq!(witness.receive(), Received::Message(peer.me, vec![7; 100]), "the largest that fits");
    assert_eq!(metric(&server, "pentarchy_relay_malformed_total"), 4);
}

#[test]
fn rooms_are_limited() {
    let limits = Limits { members_per_room: 2, rooms_per_address: 2, ..Limits::default() };
    let server = start(limits);
    let at = server.address();
    let refused = |i| refusal(&mut knock(at, i).unwrap());
    let first = Peer::enter(at, 1);
    let _second = Peer::enter(at, 1);
    assert_eq!(refused(1), CloseReason::Full.code());
    let other = Peer::enter(at, 2);
    assert_eq!(refused(3), CloseReason::TooMany.code());
    drop(first);
    eventually("a seat is free", || {
        let mut socket = knock(at, 1).unwrap();
        socket.read().unwrap().is_binary()
    });
    drop(other);
    eventually("a room is free", || {
        let mut socket = knock(at, 3).unwrap();
        socket.read().unwrap().is_binary()
    });
}

#[test]
fn a_room_cannot_be_entered_without_its_pass() {
    let server = start(Limits::default());
    let at = server.address();
    let of_key = Invite { key: InviteKey([9; 16]), ..invite(1) }.pass().to_text();
    let of_owner = Invite { owner: OwnerSecret::new([9; 32]).tag(), ..invite(1) }.pass().to_text();
    let offers = [
        PROTOCOL.to_owned(),
        protocols(2),
        format!("{PROTOCOL}, {of_key}"),
        format!("{PROTOCOL}, {of_owner}"),
        format!("{PROTOCOL}, {}", table(1)),
    ];
    for offer in &offers {
        let refused = knock_with(at, 1, &[("sec-websocket-protocol", offer)]).map(drop).unwrap_err();
        assert!(refused.contains("403"), "{offer}: {refused}");
    }
    assert!(knock_with(at, 1, &[]).map(drop).unwrap_err().contains("403"), "no pass at all");
    assert_eq!((metric(&server, "pentarchy_rooms"), metric(&server, "pentarchy_members")), (0, 0));
    let _let_in = Peer::enter(at, 1);
    assert_eq!(metric(&server, "pentarchy_members"), 1);
}

#[test]
fn one_address_takes_a_few_places_of_a_room() {
    let limits = Limits { members_per_address: 2, ..Limits::default() };
    let proxies = vec![IpAddr::from([127, 0, 0, 1])];
    let server =
        BackgroundServer::start(ServerConfig { port: 0, limits, proxies, ..ServerConfig::default() })
            .unwrap();
    let at = server.address();
    let from = |address: &str| {
        let offer = protocols(1);
        knock_with(at, 1, &[("sec-websocket-protocol", &offer), ("x-forwarded-for", address)]).unwrap()
    };
    let squatters = [Peer::welcome(from("192.0.2.1")), Peer::welcome(from("192.0.2.1"))];
    assert_eq!(refusal(&mut from("192.0.2.1")), CloseReason::Crowded.code());
    let guest = Peer::welcome(from("192.0.2.2"));
    assert_eq!(guest.others.len(), 2, "others find room");
    let elsewhere = Peer::enter(at, 2);
    assert!(elsewhere.others.is_empty(), "each room counts for itself");
    drop(squatters);
    eventually("a place is free again", || from("192.0.2.1").read().unwrap().is_binary());
}

#[test]
fn a_name_that_is_none_is_not_found() {
    let server = start(Limits::default());
    let url = format!("ws://{}/relay/lobby", server.address());
    let error = tungstenite::client(url, crate::common::connect(server.address())).map(drop).unwrap_err();
    assert!(error.to_string().contains("404"), "{error}");
    assert_eq!(get(server.address(), &format!("/relay/{}", table(1))).status, 400, "not a WebSocket");
}

#[test]
fn other_web_sites_do_not_reach_the_relay() {
    let named = "https://other.example".parse().unwrap();
    let server = start_with(ServerConfig { origins: vec![named], ..ServerConfig::default() });
    let at = server.address();
    let pass = protocols(1);
    let knock = |origin: Option<&str>| {
        let mut headers = vec![("sec-websocket-protocol", pass.as_str())];
        headers.extend(origin.map(|origin| ("origin", origin)));
        knock_with(at, 1, &headers).map(drop)
    };
    for origin in [None, Some(format!("http://{at}").as_str()), Some("https://other.example")] {
        assert_eq!(knock(origin), Ok(()), "{origin:?}");
    }
    for origin in ["https://evil.example", "null", "http://127.0.0.1"] {
        assert!(knock(Some(origin)).is_err_and(|error| error.contains("403")), "{origin}");
    }
}

#[test]
fn who_sends_too_fast_is_slowed_down() {
    let rate = Rate { burst: 10, per_second: 50 };
    let server = start(Limits { message_rate: rate, ..Limits::default() });
    let mut a = Peer::enter(server.address(), 1);
    let mut b = Peer::enter(server.address(), 1);
    assert_eq!(a.receive(), Received::Joined(b.me));
    let begin = Instant::now();
    for i in 0..60u8 {
        a.send(Destination::Others, &[i]);
    }
    for i in 0..60u8 {
        assert_eq!(b.receive(), Received::Message(a.me, vec![i]), "none is lost");
    }
    let took = begin.elapsed();
    assert!(took > Duration::from_millis(900), "50 messages above the burst take a second, not {took:?}");
    assert!(metric(&server, "pentarchy_relay_paused_total") > 0);
}

#[test]
fn a_throttled_sender_does_not_delay_others() {
    // The messages beyond the burst would take longer than any test waits.
    let server = start(Limits { message_rate: Rate { burst: 10, per_second: 1 }, ..Limits::default() });
    let mut a = Peer::enter(server.address(), 1);
    let mut b = Peer::enter(server.address(), 1);
    assert_eq!(a.receive(), Received::Joined(b.me));
    for _ in 0..2 * PATIENCE.as_secs() {
        a.send(Destination::Others, b"slow");
    }
    b.send(Destination::Others, b"quick");
    assert_eq!(a.receive(), Received::Message(b.me, b"quick".to_vec()));
}

#[test]
fn who_reads_too_slowly_is_dropped_and_the_others_go_on() {
    let limits = Limits {
        queue_messages: 8,
        message_rate: Rate { burst: 100_000, per_second: 100_000 },
        byte_rate: Rate { burst: 1 << 30, per_second: 1 << 30 },
        ..Limits::default()
    };
    let server = start(limits);
    let at = server.address();
    let mut sender = Peer::enter(at, 1);
    let mut good = Peer::enter(at, 1);
    let slow = Peer::enter(at, 1);
    assert_eq!((sender.receive(), sender.receive()), (Received::Joined(good.me), Received::Joined(slow.me)));
    assert_eq!(good.receive(), Received::Joined(slow.me));
    // One at a time for the good one; the slow one's socket and queue fill up.
    let large = vec![1; 200_000];
    let mut left = false;
    for _ in 0..400 {
        sender.send(Destination::Others, &large);
        match good.receive() {
            Received::Left(member) => {
                assert_eq!(member, slow.me);
                left = true;
                break;
            }
            Received::Message(from, payload) => assert_eq!((from, payload.len()), (sender.me, large.len())),
            other => panic!("{other:?}"),
        }
    }
    assert!(left, "80 MB were queued for a member that reads nothing");
    assert_eq!(metric(&server, "pentarchy_relay_slow_total"), 1);
    good.send(Destination::One(sender.me), b"still here");
    while sender.receive() != Received::Message(good.me, b"still here".to_vec()) {}
}

#[test]
fn who_is_silent_is_forgotten() {
    let limits = Limits {
        ping_interval: Duration::from_millis(200),
        member_timeout: Duration::from_secs(3),
        ..Limits::default()
    };
    let server = start(limits);
    let at = server.address();
    let mut alive = Peer::enter(at, 1);
    let dead = Peer::enter(at, 1);
    assert_eq!(alive.receive(), Received::Joined(dead.me));
    // Reading answers pings; the dead one never does.
    assert_eq!(alive.receive(), Received::Left(dead.me));
    assert_eq!(metric(&server, "pentarchy_relay_idle_total"), 1);
}

#[test]
fn a_room_without_messages_is_closed() {
    let limits = Limits {
        ping_interval: Duration::from_millis(50),
        room_timeout: Duration::from_secs(3),
        ..Limits::default()
    };
    let server = start(limits);
    let begin = Instant::now();
    let mut peer = Peer::enter(server.address(), 1);
    std::thread::sleep(Duration::from_secs(1));
    peer.send(Destination::Others, b"anybody?");
    assert_eq!(peer.closed(), CloseReason::Idle.code());
    assert!(begin.elapsed() > Duration::from_millis(3900), "a message keeps it open");
}
