//! Fuzz targets for every decoder of `pentarchy-net`, for the lobby, and for the open tables of `pentarchy-server`. They
//! check that nothing panics, that decoded values encode to the same bytes, and that only sealed messages are delivered.

use pentarchy_engine::AnyGame;
use pentarchy_engine::any::any;
use pentarchy_fuzzkit::{Corpus, FuzzTarget};
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_lobby::{Lobby, LobbyAction, LobbyEvent, LobbyOutput, SeatRequest, TableSetup};
use pentarchy_net::base32::encode;
use pentarchy_net::memory::MemoryRoom;
use pentarchy_net::wire::{Destination, Member, PeerFrame, RelayFrame};
use pentarchy_net::{
    HostTag, Invite, InviteKey, MailCursor, MailError, MailSealer, Mesh, MeshAction, MeshOutput, NetEvent,
    OwnerSecret, TableId, packet_id,
};
use pentarchy_table::Recovery;
use std::collections::VecDeque;

/// Target: parses bytes as a frame of the relay and as one of a peer. Panics if a parsed frame does not encode to the
/// same bytes. Also panics if the destination of a message is parsed differently on its own.
fn wire(bytes: &[u8]) {
    if let Some(frame) = RelayFrame::parse(bytes) {
        assert_eq!(frame.to_bytes(), bytes);
    }
    let frame = PeerFrame::parse(bytes);
    if let Some(frame) = frame {
        assert_eq!(frame.to_bytes(), bytes);
    }
    let message = frame.and_then(|frame| match frame {
        PeerFrame::Message { to, payload } => Some((to, payload)),
        PeerFrame::Store(_) | PeerFrame::Fetch(_) => None,
    });
    assert_eq!(Destination::parse_frame(bytes), message);
}

/// The one message that a member of the table has sealed for the mailbox.
const POSTED: &[u8] = b"posted by a member";

/// Returns the sealer of the mail of the one table of all targets.
fn sealer() -> MailSealer {
    MailSealer::new(&table(), &InviteKey([7; 16]))
}

/// Target: opens bytes as a packet of the mailbox. Panics if one opens that does not seal to the same bytes.
fn mail(bytes: &[u8]) {
    if let Some(message) = sealer().open(bytes) {
        assert_eq!(sealer().seal(&message).as_deref(), Ok(bytes));
    }
}

/// Target: parses bytes as an invitation. Panics if a parsed one does not format to a link that parses to the same
/// invitation, or its relay address is no WebSocket address. Bytes that are no UTF-8 or no invitation are ignored.
fn invite(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(invite) = text.parse::<Invite>() {
        assert_eq!(invite.to_string().parse(), Ok(invite.clone()));
        assert!(invite.relay_url().starts_with("ws"));
    }
}

/// Returns the identity of peer number `i`: the same one in each run.
fn secret(i: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([i; 32]))
}

/// Creates the mesh of peer number `i` at the one table of all targets, without a connection. Its randomness
/// is fixed.
fn mesh_of(i: u8) -> Mesh {
    Mesh::new(table(), &InviteKey([7; 16]), &secret(i), [i; 32])
}

/// Returns the one table of all targets.
fn table() -> TableId {
    OwnerSecret::new([1; 32]).proof(&InviteKey([7; 16])).table()
}

/// Connects peers 1 and 2 through a relay room in memory and lets each send a message. Returns the mesh of
/// peer 1, to which peer 2 is reachable as peer 0, and all frames that it got from the relay. Panics if they
/// do not reach each other.
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

/// Iterates over the pieces of an input: each is a length in two bytes, little-endian, and that many bytes.
/// The last piece is shorter if bytes are missing; a single byte at the end is dropped.
fn pieces(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (len, rest) = bytes.split_first_chunk::<2>()?;
        let (piece, rest) = rest.split_at(usize::from(u16::from_le_bytes(*len)).min(rest.len()));
        bytes = rest;
        Some(piece)
    })
}

/// Encodes pieces as the input that [`pieces`] takes apart into them. A piece must have fewer than 65,536
/// bytes.
fn joined(pieces: &[Vec<u8>]) -> Vec<u8> {
    pieces.iter().flat_map(|piece| [&(piece.len() as u16).to_le_bytes()[..], piece].concat()).collect()
}

/// Target: a relay that sends anything to a peer. The first byte of each piece selects a frame, a message of the other
/// peer, a direct packet, an event, a post or a fetch. Panics if the mesh delivers a message, because no peer has
/// sealed one, or mail other than the one message that was posted. Other first bytes, and an empty piece, let the time
/// of the piece's number in seconds come.
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
            Some((7, message)) => assert_eq!(mesh.post(message), Ok(())),
            Some((8, _)) => mesh.fetch_mail(MailCursor::default()),
            _ => mesh.tick(i as u64 * 1_000),
        }
        while let Some(output) = mesh.poll() {
            let is_delivered = matches!(
                output,
                MeshOutput::Event(NetEvent::Message(..)) | MeshOutput::Action(MeshAction::HandleSignal(..))
            );
            assert!(!is_delivered, "{output:?}");
            if let MeshOutput::Event(NetEvent::Mail { message, .. }) = output {
                assert_eq!(message, POSTED);
            }
        }
    }
}

/// Target: a peer with the right keys that sends anything. Each piece is a decrypted packet; the time advances by 100
/// ms per piece. Panics only if the mesh does.
fn packet(bytes: &[u8]) {
    let (mut mesh, _) = pair();
    for (i, piece) in pieces(bytes).enumerate() {
        mesh.inject_packet(0, piece);
        mesh.tick(i as u64 * 100);
        while mesh.poll().is_some() {}
    }
}

/// Returns Kuhn poker if that is the name; otherwise `None`.
fn find(name: &str) -> Option<&'static dyn AnyGame> {
    Some(any::<pentarchy_classics::Kuhn>() as &'static dyn AnyGame).filter(|game| game.info().name == name)
}

/// Creates the lobby of peer 2, who joins the table of peer 1. It is not started.
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

/// Creates the lobby of peer 1, who hosts a table of Kuhn poker with two seats that starts automatically. It
/// is not started.
fn host() -> Lobby {
    let (game, options) = (any::<pentarchy_classics::Kuhn>(), serde_json::json!({}));
    let setup = TableSetup {
        game,
        options,
        seats: 2,
        recovery: Recovery::End,
        stall_ms: 60_000,
        starts_automatically: true,
        tag: None,
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

/// Returns the event that peer number `i` is reachable, as peer 0 of the transport.
fn meets(i: u8) -> NetEvent {
    NetEvent::PeerUp { peer: 0, identity: *secret(i).public().bytes(), fresh: true }
}

/// Feeds the pieces of an input to a lobby as messages of peer 0. Panics if a seating has more players than
/// seats, evidence names the lobby's own seat (`own`), or its session breaks.
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

/// Target: a host that sends anything to a guest, before and in the match. Panics if a seating has more players than
/// seats, evidence names the guest, or its session breaks.
fn host_to_guest(bytes: &[u8]) {
    let mut lobby = guest();
    lobby.handle_event(meets(1));
    feed(lobby, 1, bytes);
}

/// Target: a guest that sends anything to a host, before and in the match. Panics if a seating has more players than
/// seats, evidence names the host, or its session breaks.
fn guest_to_host(bytes: &[u8]) {
    let mut lobby = host();
    lobby.start();
    lobby.handle_event(meets(2));
    feed(lobby, 0, bytes);
}

/// Plays an honest table of host and guest until the first decision. Returns what each has sent, in order,
/// the host's messages first. The guest confirms the terms once it has seen them. Panics if the match does
/// not start.
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

/// Target: parses bytes as an entry of the list of open tables. Panics if one that passes the check is not
/// within the bounds.
fn listing(bytes: &[u8]) {
    if let Ok(listing) = serde_json::from_slice::<pentarchy_server::open_tables::Listing>(bytes)
        && listing.check().is_ok()
    {
        assert!(listing.game.len() <= 40 && listing.taken <= listing.seats && listing.seats <= 16);
        assert!(!listing.title.chars().any(char::is_control));
    }
}

/// Returns the inputs by their names. Of equal names the last one counts.
fn corpus<const N: usize>(inputs: [(&str, Vec<u8>); N]) -> Corpus {
    inputs.into_iter().map(|(name, input)| (name.to_string(), input)).collect()
}

/// Returns the link of a fixed invitation.
fn invitation() -> String {
    let (key, host) = (InviteKey([7; 16]), HostTag::of(&[1; 32]));
    let owner = OwnerSecret::new([1; 32]).tag();
    Invite { server: "http://localhost:7878".into(), key, host, owner }.to_string()
}

/// Returns the welcome frame of member 9 in a room with members 1 to 3.
fn welcome() -> Vec<u8> {
    RelayFrame::Welcome { you: Member(9), others: vec![Member(1), Member(2), Member(3)] }.to_bytes()
}

/// Generates a frame of each kind, and an empty input.
fn wire_corpus() -> Corpus {
    corpus([
        ("welcome", welcome()),
        ("joined", RelayFrame::Joined(Member(3)).to_bytes()),
        ("left", RelayFrame::Left(Member(3)).to_bytes()),
        ("message", RelayFrame::Message { from: Member(3), payload: b"abc" }.to_bytes()),
        ("to-others", Destination::Others.to_frame(b"abc")),
        ("to-one", Destination::One(Member(3)).to_frame(b"abc")),
        ("store", PeerFrame::Store(b"abc").to_bytes()),
        ("fetch", PeerFrame::Fetch(place(3)).to_bytes()),
        ("mail", RelayFrame::Mail { at: place(3), sealed: b"abc" }.to_bytes()),
        ("stored", RelayFrame::Stored { at: place(3), id: [7; 16] }.to_bytes()),
        ("mail-end", RelayFrame::MailEnd(place(3)).to_bytes()),
        ("mail-refused", RelayFrame::MailRefused { id: [7; 16], why: MailError::Full }.to_bytes()),
        ("nothing-at-all", vec![]),
    ])
}

/// Returns the place of a packet in a fixed mailbox.
fn place(number: u32) -> MailCursor {
    MailCursor { mailbox: 0x0102_0304_0506_0708, number }
}

/// Returns the packet of [`POSTED`]; empty if it cannot be sealed.
fn posted() -> Vec<u8> {
    sealer().seal(POSTED).unwrap_or_default()
}

/// Generates a valid packet, one that is altered, one that is cut short, and an empty input.
fn mail_corpus() -> Corpus {
    let good = posted();
    let mut altered = good.clone();
    altered.iter_mut().skip(20).take(1).for_each(|byte| *byte ^= 1);
    let short = good[..good.len() - 1].to_vec();
    corpus([("good", good), ("altered", altered), ("cut-short", short), ("nothing-at-all", vec![])])
}

/// Generates a valid link, one that is cut short, one without a host, and one of version 1.
fn invite_corpus() -> Corpus {
    let text = invitation();
    corpus([
        ("good", text.clone().into_bytes()),
        ("cut-short", text.as_bytes()[..text.len() - 1].to_vec()),
        ("no-host", b"http:///t/a#b".to_vec()),
        ("version-1", format!("http://a/t/{}#{}", encode(&[1; 16]), encode(&[1; 32])).into_bytes()),
    ])
}

/// Generates the frames of an honest handshake, one by one and all in order, and events and payloads that no honest
/// relay sends. Each is an input of [`mesh`].
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
        ("mail", joined(&mail_conversation())),
    ]);
    for (i, frame) in from_relay.into_iter().enumerate() {
        inputs.insert(format!("frame-{i:02}"), joined(&[frame]));
    }
    inputs
}

/// Returns events of a peer that fetches and posts, and the frames of the relay: mail in order, again, with a gap and
/// in another mailbox, an acknowledgement, a refusal, and the ends of fetches.
fn mail_conversation() -> Vec<Vec<u8>> {
    let sealed = posted();
    let mail = |at| RelayFrame::Mail { at, sealed: &sealed };
    let garbage = RelayFrame::Mail { at: place(2), sealed: b"garbage" };
    let refused = RelayFrame::MailRefused { id: packet_id(&sealed), why: MailError::Full };
    let frames = [
        mail(place(1)),
        garbage,
        mail(place(1)),
        mail(place(9)),
        RelayFrame::MailEnd(place(2)),
        RelayFrame::Stored { at: place(3), id: packet_id(&sealed) },
        refused,
        mail(MailCursor { mailbox: 5, number: 1 }),
        RelayFrame::MailEnd(MailCursor::default()),
    ];
    let asked = [vec![8], [&[7], POSTED].concat()];
    asked.into_iter().chain(frames.iter().map(|frame| [&[0][..], &frame.to_bytes()].concat())).collect()
}

/// Generates decrypted packets: the state of streams, data of each kind, and an acknowledgement.
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

/// Generates the messages that one side of an honest table sends (0 for the host, otherwise the guest), one by one and
/// all in order, a session message before the match, and an empty input. Panics if the honest table does not start.
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

/// Generates a valid entry of the list, and an empty JSON object.
fn listing_corpus() -> Corpus {
    let entry = r#"{"game":"kuhn","title":"T","host":"Ada","seats":2,"taken":1,"key":"KEY"}"#;
    let text = invitation();
    let entry = entry.replace("KEY", text.split_once('#').map_or("", |(_, secret)| secret));
    corpus([("good", entry.into_bytes()), ("empty", b"{}".to_vec())])
}

/// Returns all targets of this package, with their corpora and the number of mutants of their smoke tests. Nothing is
/// prepared yet.
pub fn targets() -> Vec<FuzzTarget> {
    vec![
        FuzzTarget { name: "wire", prepare: || Box::new(wire), corpus: wire_corpus, mutants: 5000 },
        FuzzTarget { name: "mail", prepare: || Box::new(mail), corpus: mail_corpus, mutants: 5000 },
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
