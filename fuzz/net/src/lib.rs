//! What is fuzzed, and what must hold: nothing panics, nothing grows without bound, nothing is accepted that was not said.

use pentarchy_engine::AnyGame;
use pentarchy_engine::any::any;
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_net::base32::encode;
use pentarchy_net::memory::Room;
use pentarchy_net::wire::{FromRelay, Member, To};
use pentarchy_net::{Event, HostTag, Invite, InviteKey, Mesh, Output, OwnerSecret, Party, Step};

/// A corpus: a name and what to start from, each with its story.
pub struct Corpus {
    pub name: &'static str,
    pub check: fn(&[u8]),
    pub stories: Vec<(&'static str, Vec<u8>)>,
}

/// Frames between peers and the relay: what is read is written in the same way.
pub fn wire(bytes: &[u8]) {
    if let Some(frame) = FromRelay::read(bytes) {
        assert_eq!(frame.to_bytes(), bytes);
    }
    if let Some((to, payload)) = To::read(bytes) {
        assert_eq!(to.frame(payload), bytes);
    }
}

/// Invitations: what is read is an address that is read again as the same.
pub fn invite(bytes: &[u8]) {
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

/// Two peers that have met.
fn pair() -> (Mesh, Mesh) {
    let mut room = Room::default();
    let mut peers = [(mesh_of(1), room.enter()), (mesh_of(2), room.enter())];
    for _ in 0..8 {
        for (mesh, member) in &mut peers {
            while let Some(frame) = room.take(*member) {
                mesh.relay_frame(&frame);
            }
            while let Some(output) = mesh.poll() {
                if let Output::Relay(frame) = output {
                    room.send(*member, &frame);
                }
            }
        }
    }
    let [(a, _), (b, _)] = peers;
    assert!(a.present().count() == 1 && b.present().count() == 1, "they have met");
    (a, b)
}

/// Cuts bytes into pieces: a length in one byte (times eight, so that long ones occur), and so many bytes.
fn pieces(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (&len, rest) = bytes.split_first()?;
        let (piece, rest) = rest.split_at((usize::from(len) * 8).min(rest.len()));
        bytes = rest;
        Some(piece)
    })
}

/// A relay that says anything: no message comes of it, for nobody sealed one.
pub fn mesh(bytes: &[u8]) {
    let (mut mesh, _) = pair();
    for (i, piece) in pieces(bytes).enumerate() {
        match piece.split_first() {
            Some((0, frame)) => mesh.relay_frame(frame),
            Some((1, payload)) => {
                mesh.relay_frame(&FromRelay::Message { from: Member(2), payload }.to_bytes());
            }
            Some((2, packet)) => mesh.direct_frame(0, packet),
            Some((3, _)) => mesh.relay_down(),
            Some((4, _)) => mesh.direct_up(0),
            Some((5, message)) => mesh.send(0, message),
            _ => mesh.tick(i as u64 * 1_000),
        }
        while let Some(output) = mesh.poll() {
            assert!(!matches!(output, Output::Message(..) | Output::Signal(..)), "{output:?}");
        }
    }
}

/// A peer with the right keys that says anything.
pub fn packet(bytes: &[u8]) {
    let (mut mesh, _) = pair();
    for (i, piece) in pieces(bytes).enumerate() {
        mesh.opened(0, piece);
        mesh.tick(i as u64 * 100);
        while mesh.poll().is_some() {}
    }
}

fn find(name: &str) -> Option<&'static dyn AnyGame> {
    Some(any::<pentarchy_classics::Kuhn>() as &'static dyn AnyGame).filter(|game| game.info().name == name)
}

/// A host that says anything to a guest, before and in the game.
pub fn party(bytes: &[u8]) {
    let host = *secret(1).public().bytes();
    let mut party =
        Party::new(find, secret(2), "guest", HostTag::of(&host), None, [9; 32], Entropy::new([8; 32]));
    party.event(Event::Up { peer: 0, identity: host, fresh: true });
    for piece in pieces(bytes) {
        for step in party.event(Event::Message(0, piece.to_vec())) {
            if let Step::Seats(seating) = step {
                assert!(seating.players().count() <= usize::from(seating.seats()));
            }
        }
    }
}

/// An entry for the lobby: what passes is within bounds.
pub fn listing(bytes: &[u8]) {
    if let Ok(listing) = serde_json::from_slice::<pentarchy_server::lobby::Listing>(bytes)
        && listing.check().is_ok()
    {
        assert!(listing.game.len() <= 40 && listing.taken <= listing.seats && listing.seats <= 16);
        assert!(!listing.title.chars().any(char::is_control));
    }
}

/// All corpora.
pub fn all() -> Vec<Corpus> {
    let invite_text = Invite {
        server: "http://localhost:7878".into(),
        key: InviteKey([7; 16]),
        host: HostTag::of(&[1; 32]),
        owner: OwnerSecret::new([1; 32]).tag(),
    }
    .to_string();
    let framed = |parts: &[&[u8]]| {
        let mut bytes = Vec::new();
        for part in parts {
            let mut padded = part.to_vec();
            padded.resize(part.len().div_ceil(8) * 8, 0);
            bytes.push((padded.len() / 8) as u8);
            bytes.extend(padded);
        }
        bytes
    };
    let welcome =
        FromRelay::Welcome { you: Member(9), others: vec![Member(1), Member(2), Member(3)] }.to_bytes();
    let resume = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let data = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 65, 66];
    let entry = r#"{"game":"kuhn","title":"T","host":"Ada","seats":2,"taken":1,"key":"KEY"}"#;
    let secret_part = invite_text.split_once('#').map_or("", |(_, secret)| secret);
    let entry = entry.replace("KEY", secret_part);
    vec![
        Corpus {
            name: "wire",
            check: wire,
            stories: vec![
                ("welcome", welcome.clone()),
                ("joined", FromRelay::Joined(Member(3)).to_bytes()),
                ("message", FromRelay::Message { from: Member(3), payload: b"abc" }.to_bytes()),
                ("to-others", To::Others.frame(b"abc")),
                ("nothing-at-all", vec![]),
            ],
        },
        Corpus {
            name: "invite",
            check: invite,
            stories: vec![
                ("good", invite_text.clone().into_bytes()),
                ("cut-short", invite_text[..invite_text.len() - 1].as_bytes().to_vec()),
                ("no-host", b"http:///t/a#b".to_vec()),
                ("version-1", format!("http://a/t/{}#{}", encode(&[1; 16]), encode(&[1; 32])).into_bytes()),
            ],
        },
        Corpus {
            name: "mesh",
            check: mesh,
            stories: vec![
                ("welcome-again", framed(&[&[&[0][..], &welcome].concat()])),
                ("handshake-of-zeros", framed(&[&[&[1, 2, 1][..], &[0; 52]].concat()])),
                (
                    "answers-of-zeros",
                    framed(&[&[&[1, 2, 2][..], &[0; 196]].concat(), &[&[1, 2, 3][..], &[0; 164]].concat()]),
                ),
                (
                    "sealed-of-zeros",
                    framed(&[&[&[1, 3][..], &[0; 40]].concat(), &[&[2][..], &[0; 40]].concat()]),
                ),
                ("down-and-up", framed(&[&[3], &[4], &[5, 65, 66], &[6]])),
            ],
        },
        Corpus {
            name: "packet",
            check: packet,
            stories: vec![("resume-and-data", framed(&[&resume, &data])), ("data-alone", framed(&[&data]))],
        },
        Corpus {
            name: "party",
            check: party,
            stories: vec![
                ("seats", framed(&[&[0, 1, 4, b'k', b'u', b'h', b'n', 2, 0]])),
                ("begin-nothing", framed(&[&[0, 2, 0]])),
                ("session-before-the-game", framed(&[&[1, 1, 2, 3]])),
            ],
        },
        Corpus {
            name: "listing",
            check: listing,
            stories: vec![("good", entry.into_bytes()), ("empty", b"{}".to_vec())],
        },
    ]
}
