//! Chat at a table with a hostile peer, and guests that the host removes.

use super::*;
use crate::message::SESSION;

/// Two players and a spectator right after the start.
fn started() -> Hub {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(false))), lobby(1, None), lobby(2, None)]);
    hub.request(2, SeatRequest::Watch);
    let outputs = hub.peers[0].start_match();
    hub.follow(0, outputs);
    hub.deliver();
    assert!(hub.peers.iter().all(|peer| peer.session().is_some()));
    hub.said.clear();
    hub
}

/// Returns the lines that a peer was shown.
fn shown(hub: &Hub, i: usize) -> Vec<&str> {
    hub.said.iter().filter(|(peer, _)| *peer == i).map(|(_, line)| line.as_str()).collect()
}

fn chat(hub: &mut Hub, i: usize, text: &str) {
    let outputs = hub.peers[i].send_chat(text);
    hub.follow(i, outputs);
    hub.deliver();
}

#[test]
fn a_replayed_signed_line_is_shown_once() {
    let mut hub = started();
    let outputs = hub.peers[0].send_chat("I resign");
    let sent = outputs.iter().find_map(|output| match output {
        LobbyOutput::Action(LobbyAction::Send(_, bytes)) => Some(bytes.clone()),
        _ => None,
    });
    hub.follow(0, outputs);
    hub.deliver();
    chat(&mut hub, 0, "not really");
    for from in [2, 0, 2] {
        let outputs = hub.peers[1].handle_event(NetEvent::Message(from, sent.clone().unwrap()));
        hub.follow(1, outputs);
    }
    assert_eq!(shown(&hub, 1), ["seat 0: I resign", "seat 0: not really"]);
    assert_eq!(shown(&hub, 2), ["seat 0: I resign", "seat 0: not really"]);
}

#[test]
fn chat_after_a_crash_is_shown() {
    let mut hub = started();
    (0..3).for_each(|n| chat(&mut hub, 0, &format!("line {n}")));
    let mut again = lobby(0, Some(setup(false)));
    again.restore(hub.disks[0].clone().into_iter()).unwrap();
    hub.peers[0] = again;
    let outputs = hub.peers[0].start();
    hub.follow(0, outputs);
    for peer in [1, 2] {
        let up = NetEvent::PeerUp { peer, identity: identity(peer as u8), fresh: true };
        let outputs = hub.peers[0].handle_event(up);
        hub.follow(0, outputs);
    }
    chat(&mut hub, 0, "back");
    assert_eq!(shown(&hub, 1).last(), Some(&"seat 0: back"));
}

#[test]
fn spectators_are_marked_and_cannot_use_the_name_of_a_player() {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(false))), lobby(1, None), lobby(2, None)]);
    let outputs = hub.peers[2].request_seat(" PEER-0", SeatRequest::Watch);
    hub.follow(2, outputs);
    hub.deliver();
    chat(&mut hub, 2, "hello");
    assert_eq!(shown(&hub, 1), [" PEER-0 2 (watching): hello"]);
    // A host that lists the name unchanged cannot deceive either.
    hub.peers[1].seating.as_mut().unwrap().watchers[0].1 = "Peer 0".into();
    let outputs = hub.peers[0].start_match();
    hub.follow(0, outputs);
    hub.deliver();
    chat(&mut hub, 2, "I resign");
    assert_eq!(shown(&hub, 1).last(), Some(&"Somebody (watching): I resign"));
}

#[test]
fn display_names_at_a_table_differ() {
    let mut hub = Hub::new((0..4).map(|i| lobby(i, (i == 0).then(|| setup(false)))).collect());
    for i in 1..4 {
        let wish = if i == 1 { SeatRequest::Sit { seat: None, ready: true } } else { SeatRequest::Watch };
        let outputs = hub.peers[i].request_seat("Ada", wish);
        hub.follow(i, outputs);
        hub.deliver();
    }
    let names: Vec<String> = hub.peers[1].attendees().into_iter().map(|who| who.name).collect();
    assert_eq!(names, ["peer 0", "Ada 2 (watching)", "Ada 3 (watching)"]);
    let long = "ä".repeat(32);
    for i in 1..4 {
        let outputs = hub.peers[i].request_seat(&long, SeatRequest::Watch);
        hub.follow(i, outputs);
        hub.deliver();
    }
    let seating = hub.peers[0].seating().unwrap();
    assert!(seating.is_valid(), "{:?}", seating.watchers);
}

#[test]
fn many_lines_of_one_sender_are_dropped() {
    let mut hub = started();
    for n in 0..100 {
        chat(&mut hub, 2, &format!("watcher {n}"));
        chat(&mut hub, 0, &format!("player {n}"));
    }
    let lines = shown(&hub, 1);
    for (from, start) in [("watcher", "guest 2 (watching): watcher"), ("player", "seat 0: player")] {
        assert_eq!(lines.iter().filter(|line| line.starts_with(start)).count(), 8, "{from}: {lines:?}");
    }
}

#[test]
fn lines_of_muted_senders_are_hidden() {
    let mut hub = started();
    for who in [0, 2] {
        hub.peers[1].set_muted(identity(who), true);
        chat(&mut hub, usize::from(who), "noise");
    }
    assert_eq!(shown(&hub, 1), [""; 0]);
    assert!(hub.peers[1].attendees().iter().all(|who| who.is_muted));
    assert!(
        shown(&hub, 0).contains(&"guest 2 (watching): noise"),
        "only the peer that mutes hides the lines"
    );
    hub.peers[1].set_muted(identity(0), false);
    chat(&mut hub, 0, "sorry");
    assert_eq!(shown(&hub, 1), ["seat 0: sorry"]);
}

#[test]
fn the_host_removes_a_guest_before_the_game() {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(false))), lobby(1, None), lobby(2, None)]);
    assert!(hub.peers[0].seating().unwrap().is_ready(), "a guest has the seat");
    // Guests cannot remove anybody.
    assert!(hub.peers[2].remove_guest(identity(1)).is_empty());
    assert!(hub.peers[0].remove_guest(identity(0)).is_empty(), "the host stays");
    let outputs = hub.peers[0].remove_guest(identity(1));
    hub.follow(0, outputs);
    hub.deliver();
    assert_eq!(hub.warned.last(), Some(&(1, "the host has removed you from this table".into())));
    // The guest who waits for a seat gets it.
    assert_eq!(hub.chairs(2), [Some(("peer 0".into(), true)), Some(("peer 2".into(), true))]);
    // Later requests and lines of the removed guest are ignored.
    hub.request(1, SeatRequest::Sit { seat: None, ready: true });
    chat(&mut hub, 1, "let me in");
    assert_eq!((shown(&hub, 0), shown(&hub, 2)), (vec![], vec![]));
    hub.request(2, SeatRequest::Sit { seat: None, ready: true });
    assert_eq!(hub.chairs(0)[1], Some(("guest 2".into(), true)));
    let outputs = hub.peers[0].start_match();
    hub.follow(0, outputs);
    hub.deliver();
    hub.tick();
    assert!(hub.peers[0].is_over() && hub.peers[2].is_over());
}

#[test]
fn a_removed_guest_gets_neither_chat_nor_messages_of_the_match() {
    let mut hub = Hub::new((0..4).map(|i| lobby(i, (i == 0).then(|| setup(false)))).collect());
    let outputs = hub.peers[0].remove_guest(identity(1));
    hub.follow(0, outputs);
    hub.deliver();
    hub.sent.clear();
    (0..4).for_each(|i| chat(&mut hub, i, "before the match"));
    let reached = |hub: &Hub, from: usize| hub.sent.contains(&(from, 1));
    assert!(!reached(&hub, 0) && !reached(&hub, 2) && !reached(&hub, 3));
    assert_eq!(shown(&hub, 3).len(), 2, "the others hear each other");
    hub.request(2, SeatRequest::Sit { seat: None, ready: true });
    let outputs = hub.peers[0].start_match();
    hub.follow(0, outputs);
    let of_match = hub.mail.iter().find(|(_, _, bytes)| bytes[0] == SESSION).unwrap().2.clone();
    hub.deliver();
    chat(&mut hub, 0, "during the match");
    hub.tick();
    assert!(hub.peers[0].is_over() && hub.peers[2].is_over());
    // The host does not answer the removed guest either, and does not list them.
    for message in [of_match, vec![SESSION], vec![LOBBY]] {
        let outputs = hub.peers[0].handle_event(NetEvent::Message(1, message));
        hub.follow(0, outputs);
    }
    assert!(!reached(&hub, 0));
    assert!(hub.sent.contains(&(0, 3)), "spectators who are welcome follow the match");
    assert!(hub.peers[0].attendees().iter().all(|who| who.identity != identity(1)));
}

#[test]
fn the_seats_of_guests_who_disconnect_before_the_game_are_free() {
    let mut hub = Hub::new(vec![lobby(0, Some(setup(false))), lobby(1, None), lobby(2, None)]);
    hub.request(2, SeatRequest::Watch);
    let host = Some(("peer 0".to_string(), true));
    assert_eq!(hub.chairs(2), [host.clone(), Some(("peer 1".into(), true))]);
    let outputs = hub.peers[0].handle_event(NetEvent::PeerDown(1));
    hub.follow(0, outputs);
    hub.deliver();
    assert_eq!(hub.chairs(2), [host, None], "the spectator stays connected and receives the new seating");
    assert_eq!(hub.peers[0].seating().unwrap().watchers.len(), 1);
    let outputs = hub.peers[0].handle_event(NetEvent::PeerDown(2));
    hub.follow(0, outputs);
    assert!(hub.peers[0].seating().unwrap().watchers.is_empty());
}

#[test]
fn long_lines_are_split_into_parts_that_arrive() {
    for (word, count) in [("a", 3000), ("ä", 1000), ("漢", 400), ("🦀", 400), ("x🦀", 300), ("漢 ", 500)]
    {
        let text = format!("  {}\n", word.repeat(count));
        let (mut parts, mut rest) = (Vec::new(), text.as_str());
        while !rest.is_empty() {
            let (part, later) = split_chat(rest);
            assert!(!part.is_empty() && part.len() <= MAX_CHAT && later.len() < rest.len(), "{word}");
            // No character that still fits is left over.
            let next = later.chars().next().map_or(MAX_CHAT, char::len_utf8);
            assert!(part.len() + 1 + next > MAX_CHAT || later.is_empty(), "{word}: {} bytes", part.len());
            parts.push(part);
            rest = later;
        }
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(solid(&parts.concat()), solid(&text));
        let mut hub = started();
        chat(&mut hub, 0, parts[0]);
        assert_eq!(shown(&hub, 1), [format!("seat 0: {}", parts[0])]);
    }
    assert_eq!(split_chat(" hello "), ("hello", ""));
    assert_eq!(split_chat(" \t\n"), ("", ""));
}
