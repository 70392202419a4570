//! A small table, and what the targets do with bytes: nothing may panic, nothing that nobody signed may have an effect,
//! and whatever a seat signs wrongly is held against that seat and no other.

use pentarchy_classics::Leduc;
use pentarchy_engine::AnyGame;
use pentarchy_engine::Rng;
use pentarchy_engine::any::{Bot, any};
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_table::sim::{CHEATS, Plan, run};
use pentarchy_table::{Descriptor, Evidence, Input, Output, Player, Record, Session};
use std::collections::VecDeque;

/// A corpus: a name and what to start from, each with its story.
pub struct Corpus {
    /// The name of the target.
    pub name: &'static str,
    /// What the target does.
    pub check: fn(&[u8]),
    /// What to start from.
    pub stories: Vec<(String, Vec<u8>)>,
}

/// The game of all targets: small, with hidden cards.
pub fn game() -> &'static dyn AnyGame {
    any::<Leduc>()
}

fn identities() -> [SigningSecret; 2] {
    [1, 2].map(|i| SigningSecret::new(Entropy::new([i; 32])))
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

/// Two peers at a table, with all that they have sent and stored.
struct Peers {
    sessions: [Session; 2],
    /// What is on its way: who sent it, and the message.
    queue: VecDeque<(usize, Vec<u8>)>,
    stored: [Vec<Vec<u8>>; 2],
    /// Whether who is asked chooses.
    plays: bool,
    rng: Rng,
    /// How often bytes were fed.
    fed: u32,
}

impl Peers {
    /// Sits down.
    fn new(plays: bool) -> Self {
        let identities = identities();
        let descriptor = descriptor(&identities);
        let mut first = Vec::new();
        let sessions = [0u8, 1].map(|seat| {
            let made = Session::new(
                game(),
                descriptor.clone(),
                seat,
                &identities[usize::from(seat)],
                [seat; 32],
                Entropy::new([9; 32]),
            );
            let (session, outputs) = made.expect("the table opens");
            first.push(outputs);
            session
        });
        let mut peers = Peers {
            sessions,
            queue: VecDeque::new(),
            stored: [Vec::new(), Vec::new()],
            plays,
            rng: Rng::new(7),
            fed: 0,
        };
        for (seat, outputs) in first.into_iter().enumerate() {
            peers.note(seat, outputs);
        }
        peers
    }

    /// Sends, stores, and lets who is asked choose something.
    fn note(&mut self, seat: usize, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Send { bytes, .. } => self.queue.push_back((seat, bytes)),
                Output::Persist(item) => self.stored[seat].push(item),
                Output::Choose if self.plays => {
                    // Nobody folds, so that there is more to be said.
                    let position = self.sessions[seat].position();
                    let chosen = loop {
                        let chosen = position.choose(Bot::Random, &mut self.rng).expect("there is a choice");
                        if chosen != "fold" {
                            break chosen;
                        }
                    };
                    let outputs = self.sessions[seat].handle(Input::Choose(&chosen));
                    self.note(seat, outputs);
                }
                _ => {}
            }
        }
    }

    /// Delivers one message; gives it and who sent it, or nothing when all is quiet.
    fn step(&mut self) -> Option<(usize, Vec<u8>)> {
        let (from, bytes) = self.queue.pop_front()?;
        let outputs = self.sessions[1 - from].handle(Input::Message { from: 0, bytes: &bytes });
        self.note(1 - from, outputs);
        Some((from, bytes))
    }

    /// After so many messages of a game.
    fn after(messages: usize) -> Self {
        let mut peers = Self::new(true);
        for _ in 0..messages {
            peers.step();
        }
        peers
    }

    /// Shuffled and dealt, and who is asked first thinks.
    fn dealt() -> Self {
        let mut peers = Self::new(false);
        while peers.step().is_some() {}
        peers
    }

    /// Feeds bytes that nobody has signed to both: they have no effect.
    fn feed(&mut self, bytes: &[u8]) {
        // Always from somebody else: a peer that sends too much of this is ignored.
        self.fed = self.fed.wrapping_add(1);
        for session in &mut self.sessions {
            let before = (session.head(), session.events());
            for output in session.handle(Input::Message { from: self.fed, bytes }) {
                assert!(!matches!(output, Output::Evidence(_) | Output::Broken(_)), "bytes have an effect");
            }
            assert_eq!(before, (session.head(), session.events()));
        }
    }
}

/// Bytes from the network, when nothing is on its way.
pub fn message(bytes: &[u8]) {
    thread_local! {
        static PEERS: std::cell::RefCell<Peers> = std::cell::RefCell::new(Peers::dealt());
    }
    PEERS.with_borrow_mut(|peers| peers.feed(bytes));
}

/// A moment of a game: a message is on its way, from a seat to an onlooker who knows everything before it.
struct Moment {
    from: usize,
    message: Vec<u8>,
    onlooker: Session,
}

/// The first moments of a game, and the seats, which can sign anything. To open a table takes far longer than to try a
/// message on it, so it is done once.
fn moments() -> (Peers, Vec<Moment>) {
    let mut peers = Peers::new(true);
    let mut moments = Vec::new();
    while let Some((from, message)) = peers.queue.front().cloned().filter(|_| moments.len() < 48) {
        if let Some(onlooker) = peers.sessions[1 - from].onlooker() {
            moments.push(Moment { from, message, onlooker });
        }
        peers.step();
    }
    (peers, moments)
}

/// A seat with its own sound key that signs anything: the first byte says which of its messages it rewrites, the second
/// what of it (1: the words, 2: the payload, 3: both), the rest is what stands there then, words up to a zero byte.
pub fn signed(bytes: &[u8]) {
    thread_local! {
        static MOMENTS: (Peers, Vec<Moment>) = moments();
    }
    MOMENTS.with(|(peers, moments)| sign(peers, moments, bytes));
}

fn sign(peers: &Peers, moments: &[Moment], bytes: &[u8]) {
    let [which, what, rest @ ..] = bytes else { return };
    let Moment { from, message: honest, onlooker } = &moments[usize::from(*which) % moments.len()];
    let from = *from;
    let (words, payload) = match what % 4 {
        1 => (Some(rest), None),
        2 => (None, Some(rest)),
        3 => {
            let cut = rest.iter().position(|b| *b == 0).unwrap_or(rest.len());
            (Some(&rest[..cut]), Some(rest.get(cut + 1..).unwrap_or_default()))
        }
        _ => (None, None),
    };
    let words = words.map(String::from_utf8_lossy);
    let Some(forged) = peers.sessions[from].rewritten(honest, words.as_deref(), payload) else { return };
    let Some(mut receiver) = onlooker.onlooker() else { return };
    let before = receiver.events();
    // A judge goes through the whole log, so not everything is brought before him.
    let judged = bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) % 8 == 0;
    let outputs = receiver.handle(Input::Message { from: 0, bytes: &forged });
    for output in &outputs {
        match output {
            Output::Evidence(evidence) => {
                assert_eq!(usize::from(evidence.offender), from, "another seat is blamed");
                if judged {
                    let judgement = evidence.judge(game()).expect("evidence convinces a third party");
                    assert_eq!(usize::from(judgement.offender), from, "another seat is blamed");
                }
            }
            Output::Broken(why) => panic!("the session breaks: {why}"),
            _ => {}
        }
    }
    if receiver.events() > before && what % 4 != 1 {
        assert!(
            payload.is_none_or(|payload| forged == *honest || payload.is_empty()),
            "a payload of another"
        );
    }
}

/// Reads a descriptor: what is read is written as it was.
pub fn descriptor_bytes(bytes: &[u8]) {
    if let Ok(read) = Descriptor::decode(bytes) {
        assert_eq!(read.encode(), bytes);
        let _ = Session::watch(game(), read);
    }
}

/// The first lines of the files, which the targets add.
const RECORD: &[u8] = b"pentarchy table 1\n";
const EVIDENCE: &[u8] = b"pentarchy evidence 1\n";

/// Reads and verifies a record.
pub fn record_bytes(bytes: &[u8]) {
    if let Ok(record) = Record::decode(&[RECORD, bytes].concat()) {
        let _ = record.verify(game());
    }
}

/// Reads and judges evidence.
pub fn evidence_bytes(bytes: &[u8]) {
    if let Ok(evidence) = Evidence::decode(&[EVIDENCE, bytes].concat()) {
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
    let _ = Session::restore(|_| Some(game()), items.into_iter(), Entropy::new([8; 32]));
}

fn framed(items: &[Vec<u8>]) -> Vec<u8> {
    items.iter().flat_map(|item| [&(item.len() as u16).to_le_bytes()[..], item].concat()).collect()
}

fn messages(plays: bool) -> Vec<(usize, Vec<u8>)> {
    let mut peers = Peers::new(plays);
    std::iter::from_fn(|| peers.step()).take(48).collect()
}

/// What is said when somebody thinks for too long: where each stands, that a seat stalls, a word about it, and that one
/// waits no longer.
fn statements() -> Vec<(usize, Vec<u8>)> {
    let mut peers = Peers::dealt();
    for seat in [0, 1] {
        for input in
            [Input::Tick { now_ms: 1 }, Input::Tick { now_ms: 1 << 40 }, Input::Chat("?"), Input::GiveUp]
        {
            let outputs = peers.sessions[seat].handle(input);
            peers.note(seat, outputs);
        }
    }
    peers.queue.into()
}

/// All corpora.
pub fn all() -> Vec<Corpus> {
    let (said, mut opening) = (messages(true), messages(false));
    opening.extend(statements());
    let number =
        |(i, (from, bytes)): (usize, &(usize, Vec<u8>))| (format!("{i:02}-of-seat-{from}"), bytes.clone());
    let honest = run(game(), Plan::new(2, 1)).expect("honest peers finish");
    let record = honest.record.expect("there is a record").encode()[RECORD.len()..].to_vec();
    let crimes = CHEATS.iter().filter(|cheat| cheat.seats <= 2).filter_map(|cheat| {
        let tried = (0..12).filter_map(|seed| run(game(), Plan::new(2, seed).cheating(0, cheat)).ok());
        let (_, evidence) = tried.filter_map(|report| report.evidence.into_iter().next()).next()?;
        Some((cheat.name.to_string(), evidence.encode()[EVIDENCE.len()..].to_vec()))
    });
    let stored = Peers::after(said.len()).stored;
    let bends = |i: usize| {
        [(1, &b"raise"[..]), (2, &b""[..]), (2, &[0; 96][..]), (3, &b"fold\0\0"[..])].map(|(what, rest)| {
            (format!("{i:02}-bent-{what}-{}", rest.len()), [&[i as u8, what], rest].concat())
        })
    };
    vec![
        Corpus { name: "message", check: message, stories: opening.iter().enumerate().map(number).collect() },
        Corpus {
            name: "signed",
            check: signed,
            stories: (0..said.len()).step_by(3).flat_map(bends).collect(),
        },
        Corpus {
            name: "descriptor",
            check: descriptor_bytes,
            stories: vec![
                ("honest".into(), descriptor(&identities()).encode()),
                ("nothing-at-all".into(), vec![]),
            ],
        },
        Corpus { name: "record", check: record_bytes, stories: vec![("honest".into(), record)] },
        Corpus { name: "evidence", check: evidence_bytes, stories: crimes.collect() },
        Corpus {
            name: "store",
            check: store_bytes,
            stories: stored
                .iter()
                .enumerate()
                .map(|(i, items)| (format!("of-seat-{i}"), framed(items)))
                .collect(),
        },
    ]
}
