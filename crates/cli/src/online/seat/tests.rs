//! A bot's seat among peers whose messages the test delivers.

use super::*;
use clap::Parser as _;
use pentarchy_lobby::SecretBytes;
use pentarchy_net::{HostTag, InviteKey, OwnerSecret, PeerId};
use std::collections::VecDeque;

#[derive(clap::Parser)]
struct Arguments {
    #[command(flatten)]
    sitting: Sitting,
}

/// The host's seat, played by a bot, and two guests. Peer 0 is the host.
struct Table {
    seat: Seat,
    guests: [Lobby; 2],
    messages: VecDeque<(PeerId, PeerId, Vec<u8>)>,
    /// A guest that gets and sends nothing.
    silent: Option<PeerId>,
}

fn secret(i: u8) -> SigningSecret {
    SigningSecret::from_bytes(&[7 + i; 32])
}

fn identity(i: u8) -> [u8; 32] {
    *secret(i).public().bytes()
}

impl Table {
    fn new(folder: &std::path::Path) -> Self {
        let owner = OwnerSecret::new([1; 32]);
        // Nothing listens there: the test delivers the messages.
        let invite = Invite {
            server: "http://127.0.0.1:1".into(),
            key: InviteKey([2; 16]),
            owner: owner.tag(),
            host: HostTag::of(&identity(0)),
        };
        let kept = Kept {
            link: invite.to_string(),
            name: "host".into(),
            identity: SecretBytes::new([7; 32]),
            seed: SecretBytes::new([50; 32]),
            hosted: Some(("liars-dice".into(), 3, serde_json::json!({}))),
            recovery: None,
            owner: None,
            serves: None,
            journal: crate::online::JOURNAL,
        };
        let args = ["table", "--bot", "random", "--data", folder.to_str().unwrap()];
        let sitting = Arguments::parse_from(args).sitting;
        let opened = Store::open(folder, "table", "host", || Ok(kept)).unwrap();
        let seat = Seat::open_table(
            &Dialer::default(),
            &invite,
            &opened.kept,
            Vec::new(),
            opened.store,
            &sitting,
            None,
        );
        let guest = |i: u8| {
            let name = format!("guest {i}");
            Lobby::new(find, secret(i), &name, invite.host, None, [50 + i; 32], Entropy::new([i; 32]))
        };
        let mut table = Self {
            seat: seat.unwrap(),
            guests: [guest(1), guest(2)],
            messages: VecDeque::new(),
            silent: None,
        };
        for i in 0..3 {
            let outputs = table.lobby(i).start();
            table.follow(i, outputs);
        }
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).filter(|(i, j)| i != j) {
            let up = NetEvent::PeerUp { peer: j, identity: identity(j as u8), fresh: true };
            let outputs = table.lobby(i).handle_event(up);
            table.follow(i, outputs);
        }
        table.deliver();
        table
    }

    fn lobby(&mut self, i: PeerId) -> &mut Lobby {
        match i {
            0 => &mut self.seat.lobby,
            i => &mut self.guests[i as usize - 1],
        }
    }

    /// Queues the messages; the seat performs the rest, and guests choose nothing.
    fn follow(&mut self, i: PeerId, mut outputs: Vec<LobbyOutput>) {
        while !outputs.is_empty() {
            let mut rest = Vec::new();
            for output in outputs {
                match output {
                    LobbyOutput::Action(LobbyAction::Send(to, bytes) | LobbyAction::SendBulk(to, bytes)) => {
                        self.messages.push_back((i, to, bytes));
                    }
                    other => rest.push(other),
                }
            }
            outputs = if i == 0 { self.seat.perform_outputs(rest).unwrap() } else { Vec::new() };
        }
    }

    fn deliver(&mut self) {
        while let Some((from, to, bytes)) = self.messages.pop_front() {
            if self.silent.is_none_or(|silent| silent != from && silent != to) {
                let outputs = self.lobby(to).handle_event(NetEvent::Message(from, bytes));
                self.follow(to, outputs);
            }
        }
    }

    fn tick(&mut self, now_ms: u64) {
        for i in 0..3 {
            let outputs = self.lobby(i).tick(now_ms);
            self.follow(i, outputs);
        }
        self.deliver();
    }
}

#[test]
fn a_bot_votes_to_drop_a_late_player_also_when_an_event_arrives() {
    let folder = std::env::temp_dir().join(format!("pentarchy-vote-{}", std::process::id()));
    let mut table = Table::new(&folder);
    assert!(table.seat.lobby.session().is_some(), "the match has begun");
    table.silent = Some(2);
    let asked = (1..200).any(|i| {
        table.tick(i * 10_000);
        table.seat.agrees
    });
    assert!(asked, "the seat was asked to drop the silent guest");
    let outputs = table.seat.vote_and_handle(Some(NetEvent::Server(ServerStatus::Connected)));
    let is_stored = |output: &LobbyOutput| matches!(output, LobbyOutput::Action(LobbyAction::Persist(_)));
    let is_sent = |output: &LobbyOutput| matches!(output, LobbyOutput::Action(LobbyAction::Send(1, _)));
    assert!(outputs.iter().any(is_stored) && outputs.iter().any(is_sent), "{outputs:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}
