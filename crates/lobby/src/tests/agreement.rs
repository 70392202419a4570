//! Guests start only the match that they have agreed to.

use super::*;
use pentarchy_table::{Descriptor, TablePlayer};

/// A host and a guest who has sat down and is ready.
fn ready() -> Hub {
    let hub = Hub::new(vec![lobby(0, Some(setup(false))), lobby(1, None)]);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), true)));
    assert_eq!(hub.chairs(1)[1], Some(("peer 1".into(), true)));
    hub
}

/// The host signs and sends a descriptor, regardless of the seating that it has shown.
fn start(hub: &mut Hub, table: &Descriptor) {
    let mut message = vec![LOBBY];
    let signed = SignedStart::new(&secret(0), table.encode());
    message.extend(postcard::to_allocvec(&LobbyMessage::Start(signed)).unwrap());
    let outputs = hub.peers[1].handle_event(NetEvent::Message(0, message));
    hub.follow(1, outputs);
}

#[test]
fn a_guest_refuses_a_game_that_it_was_not_shown() {
    let shown = ready().peers[1].seating().unwrap().descriptor();
    let player = |i: u8| TablePlayer { identity: identity(i), name: "peer 1".into(), host: None };
    let change = |edit: &dyn Fn(&mut Descriptor)| {
        let mut table = shown.clone();
        edit(&mut table);
        table
    };
    for (table, why) in [
        (change(&|t| t.stall_ms = 1), "the host changed the time limit from 60 s to 1 ms"),
        (
            change(&|t| t.recovery = Recovery::Escrow(2)),
            "what happens when a player leaves from the game ends to",
        ),
        (change(&|t| t.options = r#"{"x":1}"#.into()), "the host changed the option"),
        (change(&|t| t.game = "chess".into()), "this program does not have the game `chess`"),
        (change(&|t| t.rules += 1), "the version of the rules"),
        (change(&|t| t.rules_hash[0] ^= 1), "the host changed the data of the rules"),
        (change(&|t| t.players[0] = player(7)), "the host put another player in seat 1"),
        (change(&|t| t.players[0].host = Some(1)), "the host put a bot in seat 1"),
        (change(&|t| t.players[1].name.push('!')), "the host renamed the player in seat 2"),
        (change(&|t| t.players.push(player(7))), "the host changed the number of seats from 2 to 3"),
        (change(&|t| t.players.swap(0, 1)), "another player in seat 1"),
        (change(&|t| t.audit = true), "from kept secret to published"),
        (change(&|t| t.nonce[0] ^= 1), "the host changed the table after you agreed to it"),
    ] {
        let mut hub = ready();
        start(&mut hub, &table);
        assert!(hub.peers[1].session().is_none(), "{why}");
        assert!(hub.warned.iter().any(|(i, text)| *i == 1 && text.contains(why)), "{why}: {:?}", hub.warned);
    }
    let mut hub = ready();
    start(&mut hub, &shown);
    assert!(hub.peers[1].session().is_some(), "{:?}", hub.warned);
}

#[test]
fn a_change_of_terms_withdraws_readiness_until_the_player_confirms_again() {
    let mut hub = ready();
    hub.peers[0].seating.as_mut().unwrap().stall_ms = 45_000;
    hub.peers[0].broadcast_seating();
    let outputs = hub.peers[0].take_outputs();
    hub.follow(0, outputs);
    hub.deliver();
    let why = "the host changed the time limit from 60 s to 45 s";
    assert_eq!(hub.warned, [(1, why.into())]);
    assert!((0..2).all(|i| hub.chairs(i)[1] == Some(("peer 1".into(), false))));
    let outputs = hub.peers[0].start_match();
    assert!(outputs.is_empty(), "not before the guest has confirmed");
    hub.request(1, SeatRequest::Sit { seat: Some(1), ready: true });
    assert!((0..2).all(|i| hub.chairs(i)[1] == Some(("guest 1".into(), true))));
    let outputs = hub.peers[0].start_match();
    hub.follow(0, outputs);
    hub.deliver();
    assert!(hub.peers[1].session().is_some(), "{:?}", hub.warned);
}

#[test]
fn a_bot_of_the_host_changes_the_terms_and_a_new_guest_does_not() {
    let mut three = setup(false);
    (three.game, three.seats) = (any::<Leduc>(), 3);
    let mut hub = Hub::new(vec![lobby(0, Some(three)), lobby(1, None), lobby(2, None)]);
    assert!(hub.warned.is_empty(), "{:?}", hub.warned);
    assert_eq!(hub.chairs(0).iter().flatten().filter(|(_, ready)| *ready).count(), 3);
    hub.request(2, SeatRequest::Watch);
    assert!(hub.warned.is_empty(), "{:?}", hub.warned);
    assert!(hub.peers[0].seat_bot(2, bot()));
    hub.request(0, SeatRequest::Sit { seat: Some(0), ready: true });
    assert_eq!(hub.warned, [(1, "the host put a bot in seat 3".into())]);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), false)));
}

#[test]
fn the_host_cannot_declare_a_guest_ready() {
    let mut hub = ready();
    hub.request(1, SeatRequest::Sit { seat: Some(1), ready: false });
    let mut seating = hub.peers[0].seating().unwrap().clone();
    seating.chairs[1].as_mut().unwrap().ready = true;
    let mut message = vec![LOBBY];
    message.extend(postcard::to_allocvec(&LobbyMessage::Seating(seating.clone())).unwrap());
    let outputs = hub.peers[1].handle_event(NetEvent::Message(0, message));
    hub.follow(1, outputs);
    assert_eq!(hub.chairs(1)[1], Some(("guest 1".into(), false)));
    start(&mut hub, &seating.descriptor());
    assert!(hub.peers[1].session().is_none());
    assert!(hub.warned.iter().any(|(_, why)| why.contains("before you were ready")), "{:?}", hub.warned);
}

#[test]
fn a_guest_who_was_away_when_the_game_began_starts_only_the_game_it_has_agreed_to() {
    let before = ready();
    let table = before.peers[0].seating().unwrap().descriptor();
    let mut other = table.clone();
    other.stall_ms = 600_000;
    // The guest is restarted from what it stored before the start.
    let again = |table: &Descriptor, wish: SeatRequest| {
        let mut guest = lobby(1, None);
        guest.restore(before.disks[1].iter().cloned()).unwrap();
        assert!(guest.session().is_none());
        guest.request_seat("peer 1", wish);
        let mut hub = Hub::new(vec![lobby(2, None), guest]);
        start(&mut hub, table);
        hub
    };
    let sits = |ready: bool| SeatRequest::Sit { seat: Some(1), ready };
    let hub = again(&table, sits(true));
    assert!(hub.peers[1].session().is_some(), "{:?}", hub.warned);
    let hub = again(&other, sits(true));
    assert!(hub.peers[1].session().is_none());
    let hub = again(&table, sits(false));
    assert!(hub.peers[1].session().is_none());
    assert!(hub.warned[0].1.contains("before you were ready"), "{:?}", hub.warned);
}

#[test]
fn a_guest_who_comes_back_is_asked_again_about_other_terms_than_those_it_confirmed() {
    let before = ready();
    let stored: Vec<Vec<u8>> =
        before.disks[1].iter().cloned().chain(before.peers[1].confirmed_terms_item()).collect();
    let again = |stall_ms: u32| {
        let mut guest = lobby(1, None);
        guest.restore(stored.iter().cloned()).unwrap();
        assert_eq!(guest.confirmed_terms(), before.peers[1].confirmed_terms());
        let setup = TableSetup { stall_ms, ..setup(false) };
        Hub::new(vec![lobby(0, Some(setup)), guest])
    };
    let hub = again(60_000);
    assert!(hub.warned.is_empty(), "{:?}", hub.warned);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), true)));
    let hub = again(45_000);
    assert_eq!(hub.warned, [(1, "the host changed the time limit from 60 s to 45 s".into())]);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), false)));
    assert!(lobby(1, None).confirmed_terms_item().is_none());
}

#[test]
fn a_guest_who_was_away_when_the_game_began_starts_it_with_the_bots_it_has_agreed_to() {
    let mut three = setup(false);
    (three.game, three.seats) = (any::<Ozymandias>(), 3);
    let mut host = lobby(0, Some(three));
    assert!(host.seat_bot(2, bot()));
    let before = Hub::new(vec![host, lobby(1, None)]);
    let table = before.peers[0].seating().unwrap().descriptor();
    let mut guest = lobby(1, None);
    guest.restore(before.disks[1].iter().cloned()).unwrap();
    guest.request_seat("peer 1", SeatRequest::Sit { seat: Some(1), ready: true });
    let mut hub = Hub::new(vec![lobby(2, None), guest]);
    start(&mut hub, &table);
    let session = hub.peers[1].session();
    assert_eq!(session.map(PeerSession::descriptor), Some(&table), "{:?}", hub.warned);
    let chairs = &hub.peers[1].seating().unwrap().chairs;
    let is_bot = |chair: &Option<Chair>| chair.as_ref().is_some_and(|chair| chair.bot.is_some());
    assert_eq!(chairs.iter().map(is_bot).collect::<Vec<_>>(), [false, false, true]);
}

/// The identity was copied to a second device. The match that the first device has agreed to does not start there, because
/// that would sign a second set of keys for the seat.
#[test]
fn another_device_of_a_player_does_not_start_the_game_a_second_time() {
    let table = ready().peers[0].seating().unwrap().descriptor();
    for wish in [SeatRequest::Watch, SeatRequest::Sit { seat: None, ready: true }] {
        let mut copy = lobby(1, None);
        copy.request_seat("peer 1", wish);
        // Not even if the terms were confirmed there by accepting a rematch.
        copy.confirm_terms(table.clone());
        let mut hub = Hub::new(vec![lobby(2, None), copy]);
        start(&mut hub, &table);
        assert!(hub.peers[1].session().is_none());
        assert!(hub.disks[1].is_empty(), "nothing is signed");
        assert!(
            hub.warned.iter().any(|(i, why)| *i == 1 && why.contains("on another device")),
            "{:?}",
            hub.warned
        );
    }
}

#[test]
fn a_device_with_the_identity_of_the_host_does_not_join_as_a_guest() {
    let mut copy = lobby(0, None);
    let outputs = copy.start();
    assert!(
        matches!(&outputs[..], [LobbyOutput::Event(LobbyEvent::Refused(why))] if why.contains("hosts this table")),
        "{outputs:?}"
    );
    let outputs = lobby(1, None).handle_event(NetEvent::IdentityInUse);
    assert!(
        matches!(&outputs[..], [LobbyOutput::Event(LobbyEvent::Refused(why))] if why.contains("at this table already")),
        "{outputs:?}"
    );
}

#[test]
fn the_fingerprint_covers_everything_and_stays_after_the_start() {
    let mut hub = ready();
    let seating = hub.peers[1].seating().unwrap().clone();
    let letters = seating.fingerprint();
    assert_eq!(letters.split(' ').map(str::len).collect::<Vec<_>>(), [4; 4]);
    let edits: [fn(&mut Seating); 7] = [
        |s| s.rules_hash[0] ^= 1,
        |s| s.recovery = Recovery::Escrow(1),
        |s| s.stall_ms += 1,
        |s| s.options.push(' '),
        |s| s.nonce[31] ^= 1,
        |s| s.chairs.swap(0, 1),
        |s| s.chairs[1] = None,
    ];
    for (i, edit) in edits.iter().enumerate() {
        let mut other = seating.clone();
        edit(&mut other);
        assert_ne!(other.fingerprint(), letters, "edit {i}");
    }
    let outputs = hub.peers[0].start_match();
    hub.follow(0, outputs);
    hub.deliver();
    for peer in &hub.peers {
        assert_eq!(fingerprint(peer.session().unwrap().descriptor()), letters);
    }
}
