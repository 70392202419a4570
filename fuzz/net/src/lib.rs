//! Fuzz targets for every decoder of `pentarchy-net`, for the lobby, and for the open tables of `pentarchy-server`. They
//! check that nothing panics, that decoded values encode to the same bytes, and that only sealed messages are delivered.

use pentarchy_engine::AnyGame;
use pentarchy_engine::any::any;
use pentarchy_fuzzkit::{Corpus, FuzzTarget};
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_lobby::{Lobby, LobbyAction, LobbyEvent, LobbyOutput, SeatRequest, TableSetup};
use pentarchy_net::base32::encode;
use pentarchy_net::memory::MemoryRoom;
use pentarchy_net::wire::{Destination, Member, RelayFrame};
use pentarchy_net::{HostTag, Invite, InviteKey, Mesh, MeshAction, MeshOutput, NetEvent, OwnerSecret};
use pentarchy_table::Recovery;
use std::collections::VecDeque;

/// Frames between peers and the relay: what is read is written in the same way.
fn wire(bytes: &[u8]) {
    if let Some(frame) = RelayFrame::parse(bytes) {
        assert_eq!(frame.to_bytes(), bytes);
    }
    if let Some((to, payload)) = Destination::parse_frame(bytes) {
        assert_eq!(to.to_frame(payload), bytes);
    }
}

/// Invitations: what is read is an address that is read again as the same.
fn invite(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(invite) = text.parse::<Invite>() {
        assert_eq!(invite.to_string().parse(), Ok(invite.clone()));
        assert!(invite.relay_url().starts_with("ws"));
    }
}

fn secret(i: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([i; 32]))
}

fn mesh_of(i: u8) -> Mesh {
    let key = InviteKey([7; 16]);
    Mesh::new(OwnerSecret::new([1; 32]).proof(&key).table(), &key, &secret(i), [i; 32])
}

/// Two peers that have met, and the frames of the relay that the first of them got.
fn pair() -> (Mesh, Vec<Vec<u8>>) {
    let mut room = MemoryRoom::default();
    let mut peers = [(mesh_of(1), room.enter()), (mesh_of(2), room.enter())];
    let mut heard = Vec::new();
    for round in 0..8 {
        for (i, (mesh, member)) in peers.iter_mut().enumerate() {
            while let Some(frame) = room.next_frame(*member) {
                mesh.handle_relay_frame(&frame);
                if i == 0 {
                    heard.push(frame);
                }
            }
            if round == 6 {
                mesh.reachable_peers()
                    .collect::<Vec<_>>()
                    .into_iter()
                    .for_each(|peer| mesh.send(peer, b"hello"));
            }
            while let Some(output) = mesh.poll() {
                if let MeshOutput::Action(MeshAction::SendToRelay(frame)) = output {
                    room.send(*member, &frame);
                }
            }
        }
    }
    let [(a, _), (b, _)] = peers;
    assert!(a.reachable_peers().count() == 1 && b.reachable_peers().count() == 1, "they have met");
    (a, heard)
}

/// Cuts bytes into pieces: a length in two bytes, and as many bytes.
fn pieces(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (len, rest) = bytes.split_first_chunk::<2>()?;
        let (piece, rest) = rest.split_at(usize::from(u16::from_le_bytes(*len)).min(rest.len()));
        bytes = rest;
        Some(piece)
    })
}

/// The input that [`pieces`] cuts into these.
fn joined(pieces: &[Vec<u8>]) -> Vec<u8> {
    pieces.iter().flat_map(|piece| [&(piece.len() as u16).to_le_bytes()[..], piece].concat()).collect()
}

/// A relay that sends anything to a peer: no message is delivered, because no peer sealed one.
fn mesh(bytes: &[u8]) {
    let (mut mesh, _) = pair();
    for (i, piece) in pieces(bytes).enumerate() {
        match piece.split_first() {
            Some((0, frame)) => mesh.handle_relay_frame(frame),
            Some((1, payload)) => {
                mesh.handle_relay_frame(&RelayFrame::Message { from: Member(2), payload }.to_bytes());
            }
            Some((2, packet)) => mesh.handle_direct_packet(0, packet),
            Some((3, _)) => mesh.handle_relay_down(),
            Some((4, _)) => mesh.handle_direct_up(0),
            Some((5, message)) => mesh.send(0, message),
            _ => mesh.tick(i as u64 * 1_000),
        }
        while let Some(output) = mesh.poll() {
            let is_delivered = matches!(
                output,
                MeshOutput::Event(NetEvent::Message(..)) | MeshOutput::Action(MeshAction::HandleSignal(..))
            );
            assert!(!is_delivered, "{output:?}");
        }
    }
}

/// A peer with the right keys that sends anything.
fn packet(bytes: &[u8]) {
    let (mut mesh, _) = pair();
    for (i, piece) in pieces(bytes).enumerate() {
        mesh.inject_packet(0, piece);
        mesh.tick(i as u64 * 100);
        while mesh.poll().is_some() {}
    }
}

fn find(name: &str) -> Option<&'static dyn AnyGame> {
    Some(any::<pentarchy_classics::Kuhn>() as &'static dyn AnyGame).filter(|game| game.info().name == name)
}

fn guest() -> Lobby {
    Lobby::new(
        find,
        secret(2),
        "guest",
        HostTag::of(secret(1).public().bytes()),
        None,
        [9; 32],
        Entropy::new([8; 32]),
    )
}

fn host() -> Lobby {
    let (game, options) = (any::<pentarchy_classics::Kuhn>(), serde_json::json!({}));
    let setup = TableSetup {
        game,
        options,
        seats: 2,
        recovery: Recovery::End,
        stall_ms: 60_000,
        starts_automatically: true,
    };
    Lobby::new(
        find,
        secret(1),
        "host",
        HostTag::of(secret(1).public().bytes()),
        Some(setup),
        [8; 32],
        Entropy::new([7; 32]),
    )
}

fn meets(i: u8) -> NetEvent {
    NetEvent::PeerUp { peer: 0, identity: *secret(i).public().bytes(), fresh: true }
}

/// Feeds messages of the other peer to a lobby. For all of them the seating stays within its bounds, and no evidence is found
/// against the lobby's own seat.
fn feed(mut lobby: Lobby, own: u8, bytes: &[u8]) {
    for piece in pieces(bytes) {
        for output in lobby.handle_event(NetEvent::Message(0, piece.to_vec())) {
            match output {
                LobbyOutput::Event(LobbyEvent::SeatingChanged(seating)) => {
                    assert!(seating.players().count() <= usize::from(seating.seats()));
                }
                LobbyOutput::Event(LobbyEvent::Session(pentarchy_table::SessionEvent::Evidence(
                    evidence,
                ))) => {
                    assert_ne!(evidence.offender, own, "a lobby accuses itself");
                }
                LobbyOutput::Event(LobbyEvent::Session(pentarchy_table::SessionEvent::Broken(why))) => {
                    panic!("the session breaks: {why}")
                }
                _ => {}
            }
        }
    }
}

/// A host that sends anything to a guest, before and in the game.
fn host_to_guest(bytes: &[u8]) {
    let mut lobby = guest();
    lobby.handle_event(meets(1));
    feed(lobby, 1, bytes);
}

/// A guest that sends anything to a host, before and in the game.
fn guest_to_host(bytes: &[u8]) {
    let mut lobby = host();
    lobby.start();
    lobby.handle_event(meets(2));
    feed(lobby, 0, bytes);
}

/// What host and guest send each other at an honest table, by sender: host first. The guest confirms the terms when it
/// has seen them; nobody chooses an action.
fn honest_table() -> [Vec<Vec<u8>>; 2] {
    let mut lobbies = [host(), guest()];
    let mut sent = [Vec::new(), Vec::new()];
    let mut outputs = VecDeque::new();
    outputs.push_back((0, lobbies[0].start()));
    outputs.push_back((0, lobbies[0].handle_event(meets(2))));
    outputs.push_back((1, lobbies[1].handle_event(meets(1))));
    let mut has_confirmed = false;
    while let Some((from, list)) = outputs.pop_front() {
        for output in list {
            match output {
                LobbyOutput::Action(LobbyAction::Send(_, bytes)) => {
                    sent[from].push(bytes.clone());
                    let answer = lobbies[1 - from].handle_event(NetEvent::Message(0, bytes));
                    outputs.push_back((1 - from, answer));
                }
                LobbyOutput::Event(LobbyEvent::SeatingChanged(_)) if from == 1 && !has_confirmed => {
                    has_confirmed = true;
                    let requested =
                        lobbies[1].request_seat("guest", SeatRequest::Sit { seat: None, ready: true });
                    outputs.push_back((1, requested));
                }
                _ => {}
            }
        }
    }
    assert!(lobbies.iter().all(|lobby| lobby.session().is_some_and(|session| session.events() > 0)));
    sent
}

/// Entries of the list of open tables: those that pass the check are within bounds.
fn listing(bytes: &[u8]) {
    if let Ok(listing) = serde_json::from_slice::<pentarchy_server::open_tables::Listing>(bytes)
        && listing.check().is_ok()
    {
        assert!(listing.game.len() <= 40 && listing.taken <= listing.seats && listing.seats <= 16);
        assert!(!listing.title.chars().any(char::is_control));
    }
}

/// The inputs by name.
fn corpus<const N: usize>(inputs: [(&str, Vec<u8>); N]) -> Corpus {
    inputs.into_iter().map(|(name, input)| (name.to_string(), input)).collect()
}

fn invitation() -> String {
    let (key, host) = (InviteKey([7; 16]), HostTag::of(&[1; 32]));
    let owner = OwnerSecret::new([1; 32]).tag();
    Invite { server: "http://localhost:7878".into(), key, host, owner }.to_string()
}

fn welcome() -> Vec<u8> {
    RelayFrame::Welcome { you: Member(9), others: vec![Member(1), Member(2), Member(3)] }.to_bytes()
}

fn wire_corpus() -> Corpus {
    corpus([
        ("welcome", welcome()),
        ("joined", RelayFrame::Joined(Member(3)).to_bytes()),
        ("left", RelayFrame::Left(Member(3)).to_bytes()),
        ("message", RelayFrame::Message { from: Member(3), payload: b"abc" }.to_bytes()),
        ("to-others", Destination::Others.to_frame(b"abc")),
        ("to-one", Destination::One(Member(3)).to_frame(b"abc")),
        ("nothing-at-all", vec![]),
    ])
}

fn invite_corpus() -> Corpus {
    let text = invitation();
    corpus([
        ("good", text.clone().into_bytes()),
        ("cut-short", text.as_bytes()[..text.len() - 1].to_vec()),
        ("no-host", b"http:///t/a#b".to_vec()),
        ("version-1", format!("http://a/t/{}#{}", encode(&[1; 16]), encode(&[1; 32])).into_bytes()),
    ])
}

fn mesh_corpus() -> Corpus {
    let (_, heard) = pair();
    let from_relay: Vec<Vec<u8>> = heard.iter().map(|frame| [&[0][..], frame].concat()).collect();
    let mut inputs = corpus([
        ("welcome-again", joined(&[[&[0][..], &welcome()].concat()])),
        ("handshake-of-zeros", joined(&[[&[1, 2, 1][..], &[0; 52]].concat()])),
        (
            "answers-of-zeros",
            joined(&[[&[1, 2, 2][..], &[0; 196]].concat(), [&[1, 2, 3][..], &[0; 164]].concat()]),
        ),
        ("sealed-of-zeros", joined(&[[&[1, 3][..], &[0; 40]].concat(), [&[2][..], &[0; 40]].concat()])),
        ("down-and-up", joined(&[vec![3], vec![4], vec![5, 65, 66], vec![6]])),
        ("everything-again", joined(&from_relay)),
    ]);
    for (i, frame) in from_relay.into_iter().enumerate() {
        inputs.insert(format!("frame-{i:02}"), joined(&[frame]));
    }
    inputs
}

fn packet_corpus() -> Corpus {
    let resume = vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let data = |flags: u8| [&[1, 1][..], &[0; 19], &[flags, 65, 66]].concat();
    let ack = [&[2, 1][..], &[0; 11]].concat();
    corpus([
        ("resume-and-data", joined(&[resume.clone(), data(0)])),
        ("data-alone", joined(&[data(0)])),
        ("signal", joined(&[resume.clone(), data(1)])),
        ("more-than-one-piece", joined(&[resume.clone(), data(2), data(0)])),
        ("acknowledged", joined(&[resume, ack])),
    ])
}

/// Each message of one side, and all of them in order.
fn messages_corpus(side: usize) -> Corpus {
    let [host, guest] = honest_table();
    let messages = if side == 0 { host } else { guest };
    let mut inputs = corpus([
        ("whole-opening", joined(&messages)),
        ("session-before-the-game", joined(&[vec![1, 1, 2, 3]])),
        ("nothing-at-all", vec![]),
    ]);
    for (i, message) in messages.into_iter().enumerate() {
        inputs.insert(format!("message-{i:02}"), joined(&[message]));
    }
    inputs
}

fn listing_corpus() -> Corpus {
    let entry = r#"{"game":"kuhn","title":"T","host":"Ada","seats":2,"taken":1,"key":"KEY"}"#;
    let text = invitation();
    let entry = entry.replace("KEY", text.split_once('#').map_or("", |(_, secret)| secret));
    corpus([("good", entry.into_bytes()), ("empty", b"{}".to_vec())])
}

/// All targets.
pub fn targets() -> Vec<FuzzTarget> {
    vec![
        FuzzTarget { name: "wire", prepare: || Box::new(wire), corpus: wire_corpus, mutants: 5000 },
        FuzzTarget { name: "invite", prepare: || Box::new(invite), corpus: invite_corpus, mutants: 5000 },
        FuzzTarget { name: "mesh", prepare: || Box::new(mesh), corpus: mesh_corpus, mutants: 1000 },
        FuzzTarget { name: "packet", prepare: || Box::new(packet), corpus: packet_corpus, mutants: 1000 },
        FuzzTarget {
            name: "guest",
            prepare: || Box::new(host_to_guest),
            corpus: || messages_corpus(0),
            mutants: 1000,
        },
        FuzzTarget {
            name: "host",
            prepare: || Box::new(guest_to_host),
            corpus: || messages_corpus(1),
            mutants: 1000,
        },
        FuzzTarget { name: "listing", prepare: || Box::new(listing), corpus: listing_corpus, mutants: 5000 },
    ]
}
