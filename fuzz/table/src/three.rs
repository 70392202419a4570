//! Tables of three seats with escrow: an honest seat is fuzzed, a bad seat signs anything with its own key, and the third
//! seat is honest too. Where a seat leaves, the third one does.
//!
//! An input is a script: a list of pieces of `kind, message, offset, length, bytes`. What must hold after each piece:
//! evidence names the bad seat and convinces a judge, the honest seat is not counted out, and its session does not break.

use crate::peers::{Peers, Sent};
use pentarchy_engine::any::any;
use pentarchy_engine::{AnyGame, Seat};
use pentarchy_fair::Entropy;
use pentarchy_fuzzkit::{Check, Corpus};
use pentarchy_ozymandias::Ozymandias;
use pentarchy_table::{Input, PeerSession, SessionEvent, SessionOutput};

/// The most pieces of a script that are run.
const MAX_PIECES: usize = 12;

/// The game: dice, hidden cards and shuffles for three seats.
fn game() -> &'static dyn AnyGame {
    any::<Ozymandias>()
}

/// Where a script begins.
pub(crate) struct Scene {
    honest: u8,
    /// What the honest seat has stored.
    stored: Vec<Vec<u8>>,
    /// What scripts send. Nothing that the honest seat has sent after it stored that: it might send something else now.
    messages: Vec<Vec<u8>>,
    /// The bad seat's session, which signs what scripts change.
    bad: PeerSession,
}

/// What other seats than this one have sent.
fn of_others(sent: Vec<Sent>, seat: usize) -> impl Iterator<Item = Vec<u8>> {
    sent.into_iter().filter(move |sent| sent.from != seat).map(|sent| sent.bytes)
}

/// All keys are there, but no sealed shares. The messages: keys, seals, complaints, signatures of the start.
pub(crate) fn sealing() -> Scene {
    let (honest, bad, third) = (0, 1, 2);
    let opened = || {
        let mut peers = Peers::new(game(), 3, false);
        let keys: Vec<Sent> = (0..3).filter_map(|_| peers.step()).collect();
        (peers, keys)
    };
    let (mut peers, keys) = opened();
    let stored = peers.stored[honest].clone();
    let mut messages: Vec<Vec<u8>> = keys.into_iter().map(|sent| sent.bytes).collect();
    let sent = peers.settle();
    // A holder of damaged shares complains: the third seat, at a table of its own each time.
    for honest in sent.iter().filter(|sent| sent.from == bad) {
        for at in (10..honest.bytes.len()).step_by(24) {
            let (mut damaged, _) = opened();
            damaged.queue.clear();
            let mut bytes = honest.bytes.clone();
            bytes[at] ^= 1;
            if let Some(bytes) = damaged.sessions[bad].resigned(&bytes) {
                damaged.input(third, Input::Message { from: bad as u32, bytes: &bytes });
                messages.extend(damaged.queue.into_iter().map(|sent| sent.bytes));
            }
        }
    }
    messages.extend(of_others(sent, honest));
    Scene { honest: honest as u8, stored, messages, bad: peers.sessions.swap_remove(bad) }
}

/// A table whose seat to decide first falls silent: the peers, what was sent before, and the two seats that remain.
fn silenced() -> (Peers, Vec<Sent>, [usize; 2]) {
    let mut peers = Peers::new(game(), 3, false);
    let sent = peers.settle();
    let leaver = usize::from(peers.sessions[0].due()[0]);
    peers.silent = Some(leaver);
    (peers, sent, [(leaver + 1) % 3, (leaver + 2) % 3])
}

/// Lets the clocks of the seats that remain go on until both have gone on without the third, and as long again; `each`
/// sees the table after every message. Returns what was sent.
fn wait(peers: &mut Peers, remain: [usize; 2], mut each: impl FnMut(&Peers, usize)) -> Vec<Sent> {
    let limit = u64::from(peers.sessions[0].descriptor().stall_ms);
    let mut all = Vec::new();
    for round in 0..12 {
        for seat in remain {
            peers.input(seat, Input::Tick { now_ms: 1 + round * (limit / 2 + 1) });
        }
        while let Some(sent) = peers.step() {
            all.push(sent);
            each(peers, all.len());
        }
    }
    assert!(remain.iter().all(|&seat| peers.sessions[seat].epoch() > 0), "they go on without the third seat");
    all
}

/// The table is open and the third seat silent; nobody has said so yet. The messages: all that follows until the others go
/// on without it, and some from before.
pub(crate) fn departing() -> Scene {
    let (mut peers, before, [honest, bad]) = silenced();
    let stored = peers.stored[honest].clone();
    let mut messages: Vec<Vec<u8>> = of_others(wait(&mut peers, [honest, bad], |_, _| {}), honest).collect();
    messages.extend(before.into_iter().rev().take(6).map(|sent| sent.bytes));
    Scene { honest: honest as u8, stored, messages, bad: peers.sessions.swap_remove(bad) }
}

/// The third seat is out, and the branch without it has just begun. The messages: the shares of those who remain and what
/// follows, and some from before.
pub(crate) fn branched() -> Scene {
    let (mut peers, before, [honest, bad]) = silenced();
    let mut begun = None;
    let sent = wait(&mut peers, [honest, bad], |peers, count| {
        if begun.is_none() && peers.sessions[honest].epoch() > 0 {
            begun = Some((peers.stored[honest].clone(), count));
        }
    });
    let (stored, count) = begun.expect("the branch begins");
    let (votes, mut after) = (sent[..count].to_vec(), sent);
    after.drain(..count);
    let mut messages: Vec<Vec<u8>> = of_others(after, honest).collect();
    messages.extend(votes.into_iter().chain(before.into_iter().rev().take(6)).map(|sent| sent.bytes));
    Scene { honest: honest as u8, stored, messages, bad: peers.sessions.swap_remove(bad) }
}

/// One piece of a script.
struct Piece<'a> {
    kind: u8,
    message: usize,
    offset: usize,
    bytes: &'a [u8],
}

/// Reads a script.
fn pieces(mut script: &[u8]) -> impl Iterator<Item = Piece<'_>> {
    std::iter::from_fn(move || {
        let ([kind, message, low, high, len], rest) = script.split_first_chunk::<5>()?;
        let (bytes, rest) = rest.split_at(usize::from(*len).min(rest.len()));
        script = rest;
        let offset = usize::from(u16::from_le_bytes([*low, *high]));
        Some(Piece { kind: *kind, message: usize::from(*message), offset, bytes })
    })
    .take(MAX_PIECES)
}

impl Scene {
    /// What a piece sends, if it sends something: the message as it was, with bytes overwritten and signed by the bad
    /// seat, or cut and continued with other bytes and signed by it.
    fn message(&self, piece: &Piece<'_>) -> Option<Vec<u8>> {
        let mut bytes = self.messages.get(piece.message % self.messages.len())?.clone();
        let at = piece.offset.min(bytes.len());
        let end = (at + piece.bytes.len()).min(bytes.len());
        match piece.kind % 4 {
            0 => return Some(bytes),
            1 => bytes[at..end].copy_from_slice(&piece.bytes[..end - at]),
            2 => bytes.splice(at.., piece.bytes.iter().copied()).for_each(drop),
            _ => return None,
        }
        // What does not decode is sent as it is.
        Some(self.bad.resigned(&bytes).unwrap_or(bytes))
    }

    fn run(&self, script: &[u8]) {
        let restored =
            PeerSession::restore(|_| Some(game()), self.stored.iter().cloned(), Entropy::new([6; 32]));
        let mut session = restored.expect("what was stored is restored");
        let mut now = 1;
        session.handle(Input::Tick { now_ms: now });
        for piece in pieces(script) {
            let outputs = match self.message(&piece) {
                Some(bytes) => session.handle(Input::Message { from: 0, bytes: &bytes }),
                None => {
                    now += piece.offset as u64 * 4;
                    session.handle(Input::Tick { now_ms: now })
                }
            };
            for output in outputs {
                // The person agrees whenever they are asked.
                if let SessionOutput::Event(SessionEvent::AskDrop { seats, .. }) = output {
                    session.handle(Input::Drop(seats)).into_iter().for_each(|output| self.check(output));
                } else {
                    self.check(output);
                }
            }
            assert!(session.live().has(Seat(self.honest)), "one seat counts another out");
        }
    }

    fn check(&self, output: SessionOutput) {
        match output {
            SessionOutput::Event(SessionEvent::Evidence(evidence)) => {
                let bad = self.bad.seat();
                assert_eq!(Some(evidence.offender), bad, "an honest seat is blamed");
                let judgement = evidence.judge(game()).expect("evidence convinces a third party");
                assert_eq!(Some(judgement.offender), bad, "an honest seat is blamed");
            }
            SessionOutput::Event(SessionEvent::Broken(why)) => panic!("the session breaks: {why}"),
            SessionOutput::Event(SessionEvent::Replaced { seat }) => {
                assert_ne!(seat, self.honest, "one seat counts another out")
            }
            _ => {}
        }
    }
}

/// The check of a target that begins with this scene.
pub(crate) fn prepare(scene: fn() -> Scene) -> Check {
    let scene = scene();
    Box::new(move |script| scene.run(script))
}

/// Every message as it was, and with the one that follows it; every message with a byte changed and signed by the bad seat;
/// everything in order, in scripts of as many pieces as are run; and the time limit alone.
pub(crate) fn corpus(scene: fn() -> Scene) -> Corpus {
    let scene = scene();
    let count = scene.messages.len().min(256);
    let mut corpus = Corpus::new();
    let tick = [3, 0, 0xff, 0xff, 0];
    corpus.insert("time-limit".into(), tick.repeat(3));
    for i in 0..count {
        let message = i as u8;
        corpus.insert(format!("{i:03}-honest"), vec![0, message, 0, 0, 0]);
        let next = [0, message, 0, 0, 0, 0, message.wrapping_add(1), 0, 0, 0];
        corpus.insert(format!("{i:03}-and-next"), next.to_vec());
        // Behind version and game: the kind of the message; then somewhere in its middle.
        let middle = (scene.messages[i].len() / 2).max(10) as u16;
        let [low, high] = middle.to_le_bytes();
        corpus.insert(format!("{i:03}-changed"), [&[1, message, low, high, 1, 0x2a][..], &tick].concat());
    }
    for (i, all) in (0..count).collect::<Vec<_>>().chunks(MAX_PIECES).enumerate() {
        let script = all.iter().flat_map(|&message| [0, message as u8, 0, 0, 0]).collect();
        corpus.insert(format!("in-order-{i:02}"), script);
    }
    corpus
}
