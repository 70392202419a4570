//! Chat at a table with a hostile member, and guests that the host removes.

use super::*;

/// Two players and a watcher; the game has begun, and its first moves are not made yet.
fn begun() -> Hub {
    let mut hub = Hub::new(vec![party(0, Some(setup(false))), party(1, None), party(2, None)]);
    hub.wish(2, Wish::Watch);
    let steps = hub.peers[0].open();
    hub.follow(0, steps);
    hub.carry();
    assert!(hub.peers.iter().all(|peer| peer.session().is_some()));
    hub.said.clear();
    hub
}

/// The lines that a peer has heard.
fn heard(hub: &Hub, i: usize) -> Vec<&str> {
    hub.said.iter().filter(|(peer, _)| *peer == i).map(|(_, line)| line.as_str()).collect()
}

fn chat(hub: &mut Hub, i: usize, text: &str) {
    let steps = hub.peers[i].chat(text);
    hub.follow(i, steps);
    hub.carry();
}

#[test]
fn a_signed_line_is_shown_once_whoever_repeats_it() {
    let mut hub = begun();
    let steps = hub.peers[0].chat("I resign");
    let sent = steps.iter().find_map(|step| match step {
        Step::Send(_, bytes) => Some(bytes.clone()),
        _ => None,
    });
    hub.follow(0, steps);
    hub.carry();
    chat(&mut hub, 0, "not really");
    for from in [2, 0, 2] {
        let steps = hub.peers[1].event(Event::Message(from, sent.clone().unwrap()));
        hub.follow(1, steps);
    }
    assert_eq!(heard(&hub, 1), ["seat 0: I resign", "seat 0: not really"]);
    assert_eq!(heard(&hub, 2), ["seat 0: I resign", "seat 0: not really"]);
}

#[test]
fn lines_after_a_crash_are_heard() {
    let mut hub = begun();
    (0..3).for_each(|n| chat(&mut hub, 0, &format!("line {n}")));
    let mut again = party(0, Some(setup(false)));
    again.resume(hub.disks[0].clone().into_iter()).unwrap();
    hub.peers[0] = again;
    let steps = hub.peers[0].start();
    hub.follow(0, steps);
    for peer in [1, 2] {
        let up = Event::Up { peer, identity: identity(peer as u8), fresh: true };
        let steps = hub.peers[0].event(up);
        hub.follow(0, steps);
    }
    chat(&mut hub, 0, "back");
    assert_eq!(heard(&hub, 1).last(), Some(&"seat 0: back"));
}

#[test]
fn who_has_no_seat_is_marked_and_cannot_have_the_name_of_a_player() {
    let mut hub = Hub::new(vec![party(0, Some(setup(false))), party(1, None), party(2, None)]);
    let steps = hub.peers[2].wish(" PEER-0", Wish::Watch);
    hub.follow(2, steps);
    hub.carry();
    chat(&mut hub, 2, "hello");
    assert_eq!(heard(&hub, 1), [" PEER-0 2 (watching): hello"]);
    // A host that lists the name unchanged gains nothing.
    hub.peers[1].seating.as_mut().unwrap().watchers[0].1 = "Peer 0".into();
    let steps = hub.peers[0].open();
    hub.follow(0, steps);
    hub.carry();
    chat(&mut hub, 2, "I resign");
    assert_eq!(heard(&hub, 1).last(), Some(&"Somebody (watching): I resign"));
}

#[test]
fn names_at_a_table_differ() {
    let mut hub = Hub::new((0..4).map(|i| party(i, (i == 0).then(|| setup(false)))).collect());
    for i in 1..4 {
        let wish = if i == 1 { Wish::Sit { seat: None, ready: true } } else { Wish::Watch };
        let steps = hub.peers[i].wish("Ada", wish);
        hub.follow(i, steps);
        hub.carry();
    }
    let names: Vec<String> = hub.peers[1].attendees().into_iter().map(|who| who.name).collect();
    assert_eq!(names, ["peer 0", "Ada 2 (watching)", "Ada 3 (watching)"]);
    let long = "ä".repeat(32);
    for i in 1..4 {
        let steps = hub.peers[i].wish(&long, Wish::Watch);
        hub.follow(i, steps);
        hub.carry();
    }
    let seating = hub.peers[0].seating().unwrap();
    assert!(seating.is_sane(), "{:?}", seating.watchers);
}

#[test]
fn many_lines_of_one_sender_are_dropped() {
    let mut hub = begun();
    for n in 0..100 {
        chat(&mut hub, 2, &format!("watcher {n}"));
        chat(&mut hub, 0, &format!("player {n}"));
    }
    let lines = heard(&hub, 1);
    for (from, start) in [("watcher", "guest 2 (watching): watcher"), ("player", "seat 0: player")] {
        assert_eq!(lines.iter().filter(|line| line.starts_with(start)).count(), 8, "{from}: {lines:?}");
    }
}

#[test]
fn muted_people_are_not_heard_until_they_are_unmuted() {
    let mut hub = begun();
    for who in [0, 2] {
        hub.peers[1].mute(identity(who), true);
        chat(&mut hub, usize::from(who), "noise");
    }
    assert_eq!(heard(&hub, 1), [""; 0]);
    assert!(hub.peers[1].attendees().iter().all(|who| who.is_muted));
    assert!(heard(&hub, 0).contains(&"guest 2 (watching): noise"), "only the one who mutes hears nothing");
    hub.peers[1].mute(identity(0), false);
    chat(&mut hub, 0, "sorry");
    assert_eq!(heard(&hub, 1), ["seat 0: sorry"]);
}

#[test]
fn the_host_removes_a_guest_before_the_game() {
    let mut hub = Hub::new(vec![party(0, Some(setup(false))), party(1, None), party(2, None)]);
    assert!(hub.peers[0].seating().unwrap().is_ready(), "a guest has the seat");
    // Nobody else can.
    assert!(hub.peers[2].remove(identity(1)).is_empty());
    assert!(hub.peers[0].remove(identity(0)).is_empty(), "the host stays");
    let steps = hub.peers[0].remove(identity(1));
    hub.follow(0, steps);
    hub.carry();
    assert_eq!(hub.warned.last(), Some(&(1, "the host has removed you from this table".into())));
    // The one who waits for a seat gets it.
    assert_eq!(hub.chairs(2), [Some(("peer 0".into(), true)), Some(("peer 2".into(), true))]);
    // What the guest says and wishes now is in vain.
    hub.wish(1, Wish::Sit { seat: None, ready: true });
    chat(&mut hub, 1, "let me in");
    assert_eq!((heard(&hub, 0), heard(&hub, 2)), (vec![], vec![]));
    hub.wish(2, Wish::Sit { seat: None, ready: true });
    assert_eq!(hub.chairs(0)[1], Some(("guest 2".into(), true)));
    let steps = hub.peers[0].open();
    hub.follow(0, steps);
    hub.carry();
    hub.tick();
    assert!(hub.peers[0].is_over() && hub.peers[2].is_over());
}
