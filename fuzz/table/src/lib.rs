//! A small table, and what the targets do with bytes: nothing may panic, and nothing that nobody signed may have an
//! effect.

use pentarchy_classics::Leduc;
use pentarchy_engine::AnyGame;
use pentarchy_engine::any::any;
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_table::sim::{Plan, run};
use pentarchy_table::{Descriptor, Evidence, Input, Output, Player, Record, Session};

/// The game of all targets: small, with hidden cards.
pub fn game() -> &'static dyn AnyGame {
    any::<Leduc>()
}

fn descriptor(identities: &[SigningSecret; 2]) -> Descriptor {
    let player = |identity: &SigningSecret| Player {
        identity: *identity.public().bytes(),
        name: "Ada".into(),
        host: None,
    };
    let players = identities.iter().map(player).collect();
    Descriptor::new(game(), &serde_json::json!({}), players, [9; 32]).expect("the descriptor is sound")
}

/// Two peers in the middle of a game, so that every kind of message is of interest.
pub struct Peers {
    sessions: [Session; 2],
}

impl Peers {
    /// Opens a table and plays a few events.
    pub fn new() -> Self {
        let identities = [1, 2].map(|i| SigningSecret::new(Entropy::new([i; 32])));
        let descriptor = descriptor(&identities);
        let mut queue = Vec::new();
        let sessions = [0u8, 1].map(|seat| {
            let made = Session::new(game(), descriptor.clone(), seat, &identities[usize::from(seat)], [seat; 32]);
            let (session, outputs) = made.expect("the table opens");
            queue.push((usize::from(seat), outputs));
            session
        });
        let mut peers = Peers { sessions };
        while let Some((from, outputs)) = queue.pop() {
            for output in outputs {
                if let Output::Send { bytes, .. } = output {
                    let answer = peers.sessions[1 - from].handle(Input::Message { from: 0, bytes: &bytes });
                    queue.push((1 - from, answer));
                }
            }
        }
        peers
    }

    /// Feeds bytes to both.
    pub fn feed(&mut self, bytes: &[u8]) {
        for session in &mut self.sessions {
            let before = (session.head(), session.events());
            for output in session.handle(Input::Message { from: 0, bytes }) {
                assert!(!matches!(output, Output::Evidence(_) | Output::Broken(_)), "bytes have an effect");
            }
            assert_eq!(before, (session.head(), session.events()));
        }
    }
}

impl Default for Peers {
    fn default() -> Self {
        Self::new()
    }
}

/// Reads a descriptor: what is read is written as it was.
pub fn descriptor_bytes(bytes: &[u8]) {
    if let Ok(read) = Descriptor::decode(bytes) {
        assert_eq!(read.encode(), bytes);
        let _ = Session::watch(game(), read);
    }
}

/// Reads and verifies a record.
pub fn record_bytes(bytes: &[u8]) {
    let file = [b"pentarchy table 1\n", bytes].concat();
    if let Ok(record) = Record::decode(&file) {
        let _ = record.verify(game());
    }
}

/// Reads and judges evidence.
pub fn evidence_bytes(bytes: &[u8]) {
    let file = [b"pentarchy evidence 1\n", bytes].concat();
    if let Ok(evidence) = Evidence::decode(&file) {
        let _ = evidence.judge(game());
    }
}

/// Reads a store of items, each with its length in two bytes.
pub fn store_bytes(mut bytes: &[u8]) {
    let mut items = Vec::new();
    while let Some((len, rest)) = bytes.split_first_chunk::<2>() {
        let (item, rest) = rest.split_at(usize::from(u16::from_le_bytes(*len)).min(rest.len()));
        items.push(item.to_vec());
        bytes = rest;
    }
    let _ = Session::restore(|_| Some(game()), items.into_iter());
}

/// A sound record, to start from.
pub fn honest_record() -> Vec<u8> {
    let report = run(game(), Plan::new(2, 1)).expect("honest peers finish");
    report.record.map(|record| record.encode()[18..].to_vec()).unwrap_or_default()
}
