//! Guests start only the game they have agreed to.

use super::*;
use pentarchy_table::{Descriptor, Player};

/// A host and a guest who has sat down and is ready.
fn ready() -> Hub {
    let hub = Hub::new(vec![party(0, Some(setup(false))), party(1, None)]);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), true)));
    assert_eq!(hub.chairs(1)[1], Some(("peer 1".into(), true)));
    hub
}

/// The host signs a descriptor and sends it, whatever was shown.
fn begin(hub: &mut Hub, table: &Descriptor) {
    let mut message = vec![TALK];
    let word = Word::new(&secret(0), table.encode());
    message.extend(postcard::to_allocvec(&Talk::Begin(word)).unwrap());
    let steps = hub.peers[1].event(Event::Message(0, message));
    hub.follow(1, steps);
}

#[test]
fn a_guest_refuses_a_game_that_it_was_not_shown() {
    let shown = ready().peers[1].seating().unwrap().descriptor();
    let player = |i: u8| Player { identity: identity(i), name: "peer 1".into(), host: None };
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
        begin(&mut hub, &table);
        assert!(hub.peers[1].session().is_none(), "{why}");
        assert!(hub.warned.iter().any(|(i, text)| *i == 1 && text.contains(why)), "{why}: {:?}", hub.warned);
    }
    let mut hub = ready();
    begin(&mut hub, &shown);
    assert!(hub.peers[1].session().is_some(), "{:?}", hub.warned);
}

#[test]
fn a_change_of_terms_withdraws_readiness_until_the_player_confirms_again() {
    let mut hub = ready();
    hub.peers[0].seating.as_mut().unwrap().stall_ms = 45_000;
    hub.peers[0].tell_seats();
    let steps = hub.peers[0].done();
    hub.follow(0, steps);
    hub.carry();
    let why = "the host changed the time limit from 60 s to 45 s";
    assert_eq!(hub.warned, [(1, why.into())]);
    assert!((0..2).all(|i| hub.chairs(i)[1] == Some(("peer 1".into(), false))));
    let steps = hub.peers[0].open();
    assert!(steps.is_empty(), "not before the guest has confirmed");
    hub.wish(1, Wish::Sit { seat: Some(1), ready: true });
    assert!((0..2).all(|i| hub.chairs(i)[1] == Some(("guest 1".into(), true))));
    let steps = hub.peers[0].open();
    hub.follow(0, steps);
    hub.carry();
    assert!(hub.peers[1].session().is_some(), "{:?}", hub.warned);
}

#[test]
fn a_bot_beside_the_host_is_a_change_of_terms_and_a_guest_who_sits_down_is_not() {
    let mut three = setup(false);
    (three.game, three.seats) = (any::<Leduc>(), 3);
    let mut hub = Hub::new(vec![party(0, Some(three)), party(1, None), party(2, None)]);
    assert!(hub.warned.is_empty(), "{:?}", hub.warned);
    assert_eq!(hub.chairs(0).iter().flatten().filter(|(_, ready)| *ready).count(), 3);
    hub.wish(2, Wish::Watch);
    assert!(hub.warned.is_empty(), "{:?}", hub.warned);
    let bot = Hosted {
        identity: secret(9),
        name: "Sena".into(),
        level: "captain".into(),
        seed: SecretBytes::new([77; 32]),
    };
    assert!(hub.peers[0].seat_bot(2, bot));
    hub.wish(0, Wish::Sit { seat: Some(0), ready: true });
    assert_eq!(hub.warned, [(1, "the host put a bot in seat 3".into())]);
    assert_eq!(hub.chairs(0)[1], Some(("peer 1".into(), false)));
}

#[test]
fn the_host_cannot_declare_a_guest_ready() {
    let mut hub = ready();
    hub.wish(1, Wish::Sit { seat: Some(1), ready: false });
    let mut seating = hub.peers[0].seating().unwrap().clone();
    seating.chairs[1].as_mut().unwrap().ready = true;
    let mut message = vec![TALK];
    message.extend(postcard::to_allocvec(&Talk::Seats(seating.clone())).unwrap());
    let steps = hub.peers[1].event(Event::Message(0, message));
    hub.follow(1, steps);
    assert_eq!(hub.chairs(1)[1], Some(("guest 1".into(), false)));
    begin(&mut hub, &seating.descriptor());
    assert!(hub.peers[1].session().is_none());
    assert!(hub.warned.iter().any(|(_, why)| why.contains("before you were ready")), "{:?}", hub.warned);
}

#[test]
fn a_guest_who_was_away_when_the_game_began_starts_only_the_game_it_has_agreed_to() {
    let before = ready();
    let table = before.peers[0].seating().unwrap().descriptor();
    let mut other = table.clone();
    other.stall_ms = 600_000;
    // The guest is started again from what it stored before the host started the game.
    let again = |table: &Descriptor, wish: Wish| {
        let mut guest = party(1, None);
        guest.resume(before.disks[1].iter().cloned()).unwrap();
        assert!(guest.session().is_none());
        guest.wish("peer 1", wish);
        let mut hub = Hub::new(vec![party(2, None), guest]);
        begin(&mut hub, table);
        hub
    };
    let sits = |ready: bool| Wish::Sit { seat: Some(1), ready };
    let hub = again(&table, sits(true));
    assert!(hub.peers[1].session().is_some(), "{:?}", hub.warned);
    let hub = again(&other, sits(true));
    assert!(hub.peers[1].session().is_none());
    let hub = again(&table, sits(false));
    assert!(hub.peers[1].session().is_none());
    assert!(hub.warned[0].1.contains("before you were ready"), "{:?}", hub.warned);
}

/// The identity was copied to a second device: the game that the first device has agreed to is not started there, for that
/// would sign a second set of keys for the seat.
#[test]
fn another_device_of_a_player_does_not_start_the_game_a_second_time() {
    let table = ready().peers[0].seating().unwrap().descriptor();
    for wish in [Wish::Watch, Wish::Sit { seat: None, ready: true }] {
        let mut copy = party(1, None);
        copy.wish("peer 1", wish);
        // Not even if the terms were confirmed there, by accepting a rematch.
        copy.confirm(table.clone());
        let mut hub = Hub::new(vec![party(2, None), copy]);
        begin(&mut hub, &table);
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
    let mut copy = party(0, None);
    let steps = copy.start();
    assert!(matches!(&steps[..], [Step::Refused(why)] if why.contains("hosts this table")), "{steps:?}");
    let steps = party(1, None).event(Event::Twin);
    assert!(matches!(&steps[..], [Step::Refused(why)] if why.contains("at this table already")), "{steps:?}");
}

#[test]
fn the_fingerprint_covers_everything_and_stays_when_the_game_begins() {
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
    let steps = hub.peers[0].open();
    hub.follow(0, steps);
    hub.carry();
    for peer in &hub.peers {
        assert_eq!(fingerprint(peer.session().unwrap().descriptor()), letters);
    }
}
