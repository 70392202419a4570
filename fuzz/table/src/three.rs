//! Tables of three seats with escrow: an honest seat is fuzzed, a bad seat signs anything with its own key, and the third
//! seat is honest too. Where a seat leaves, the third one does.
//!
//! An input is a script: a list of pieces of `kind, message, offset, length, bytes`. What must hold after each piece:
//! evidence names the bad seat and convinces a judge, the honest seat is not counted out, and its session does not break.

use crate::peers::{Peers, Sent};
use pentarchy_classics::LiarsDice;
use pentarchy_engine::any::any;
use pentarchy_engine::{AnyGame, Seat};
use pentarchy_fair::Entropy;
use pentarchy_fuzzkit::{Check, Corpus};
use pentarchy_ozymandias::Ozymandias;
use pentarchy_table::{Input, PeerSession, SessionEvent, SessionOutput};

/// The most pieces of a script that are run.
const MAX_PIECES: usize = 12;

/// Returns the game of most tables, Ozymandias: dice, hidden cards and shuffles for three seats.
fn game() -> &'static dyn AnyGame {
    any::<Ozymandias>()
}

/// Where a script begins.
pub(crate) struct Scene {
    game: &'static dyn AnyGame,
    honest: u8,
    /// What the honest seat has stored.
    stored: Vec<Vec<u8>>,
    /// What scripts send. Nothing that the honest seat has sent after it stored that: it might send something else now.
    messages: Vec<Vec<u8>>,
    /// The bad seat's session, which signs what scripts change.
    bad: PeerSession,
}

/// Iterates over the bytes of the messages that other seats than this one have sent, in order.
fn of_others(sent: Vec<Sent>, seat: usize) -> impl Iterator<Item = Vec<u8>> {
    sent.into_iter().filter(move |sent| sent.from != seat).map(|sent| sent.bytes)
}

/// Creates the scene in which all keys have arrived and no sealed shares. The honest seat is 0, the bad one is 1.
/// Its messages: keys, complaints of seat 2 about damaged shares, and the sealed shares and signatures of
/// the start of the others.
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
    Scene { game: game(), honest: honest as u8, stored, messages, bad: peers.sessions.swap_remove(bad) }
}

/// Opens a table and silences the seat that decides first. Returns the peers, everything that was sent before, and the
/// two seats that remain. Panics if nobody has to decide.
fn silenced() -> (Peers, Vec<Sent>, [usize; 2]) {
    let mut peers = Peers::new(game(), 3, false);
    let sent = peers.settle();
    let leaver = usize::from(peers.sessions[0].due()[0]);
    peers.silent = Some(leaver);
    (peers, sent, [(leaver + 1) % 3, (leaver + 2) % 3])
}

/// Advances the clocks of the seats that remain twelve times by half a time limit, in which both drop the third seat,
/// and delivers all messages each time. Calls `each` with the table and the number of messages so far after each
/// delivery. Returns everything that was sent. Panics if a seat does not begin a new epoch.
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

/// Creates the scene in which the table is open and the third seat silent, before any vote. Its messages:
/// what the bad seat sends until the others have dropped that seat, and the last six from before.
pub(crate) fn departing() -> Scene {
    let (mut peers, before, [honest, bad]) = silenced();
    let stored = peers.stored[honest].clone();
    let mut messages: Vec<Vec<u8>> = of_others(wait(&mut peers, [honest, bad], |_, _| {}), honest).collect();
    messages.extend(before.into_iter().rev().take(6).map(|sent| sent.bytes));
    Scene { game: game(), honest: honest as u8, stored, messages, bad: peers.sessions.swap_remove(bad) }
}

/// Creates the scene in which the third seat is dropped and the epoch without it has just begun at the honest
/// seat. Its messages: what the bad seat sends after that, then all votes and the last six messages from
/// before.
pub(crate) fn branched() -> Scene {
    let (peers, before, remain) = silenced();
    branch(game(), peers, before, remain)
}

/// Creates the scene of [`branched`] at a table of Liar's dice whose third seat leaves while private dice are cast: the
/// others complete the roll, then open the dice of that seat. Panics if the cast is not open then.
pub(crate) fn casting() -> Scene {
    let game = any::<LiarsDice>();
    let mut peers = Peers::new(game, 3, false);
    let mut before = Vec::new();
    while peers.sessions[..2].iter().any(|session| session.head() == [0; 32]) {
        before.extend(peers.step());
    }
    peers.silent = Some(2);
    before.extend(peers.settle());
    assert_eq!(peers.sessions[0].due(), [2], "the cast is open");
    branch(game, peers, before, [0, 1])
}

/// Lets the seats that remain, the honest and the bad one, drop the third seat. Returns the scene in which the epoch
/// without it has just begun at the honest seat. `before` is what was sent so far. Its messages are what the bad seat
/// sends after that, then all votes and the last six of `before`. Panics if the epoch does not begin.
fn branch(
    game: &'static dyn AnyGame,
    mut peers: Peers,
    before: Vec<Sent>,
    [honest, bad]: [usize; 2],
) -> Scene {
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
    Scene { game, honest: honest as u8, stored, messages, bad: peers.sessions.swap_remove(bad) }
}

/// One piece of a script.
struct Piece<'a> {
    kind: u8,
    message: usize,
    offset: usize,
    bytes: &'a [u8],
}

/// Iterates over the pieces of a script, at most [`MAX_PIECES`]: kind, message, offset (two bytes,
/// little-endian), length, and that many bytes. The bytes of the last piece are cut short if some are
/// missing; fewer than five bytes at the end are dropped.
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
    /// Returns what a piece sends. By its kind modulo 4: the message unchanged (0); with bytes overwritten
    /// from the offset on (1) or cut there and continued with other bytes (2), both signed by the bad seat;
    /// `None` (3), which stands for time that passes. What does not decode is sent without a new signature.
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

    /// Restores the honest seat, gives it the pieces of a script, and checks its outputs. A piece that sends
    /// nothing advances the clock by four times its offset, in milliseconds. The player agrees whenever they
    /// are asked to drop seats. Panics if a check fails or the seat drops itself.
    fn run(&self, script: &[u8]) {
        let restored =
            PeerSession::restore(|_| Some(self.game), self.stored.iter().cloned(), Entropy::new([6; 32]));
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

    /// Checks one output of the honest seat. Panics if evidence names another seat than the bad one or does
    /// not convince a judge, the session breaks, or the honest seat is dropped.
    fn check(&self, output: SessionOutput) {
        match output {
            SessionOutput::Event(SessionEvent::Evidence(evidence)) => {
                let bad = self.bad.seat();
                assert_eq!(Some(evidence.offender), bad, "an honest seat is blamed");
                let judgement = evidence.judge(self.game).expect("evidence convinces a third party");
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

/// Creates the scene, and returns the check of a target that runs scripts in it. The check panics if something that
/// must hold does not.
pub(crate) fn prepare(scene: fn() -> Scene) -> Check {
    let scene = scene();
    Box::new(move |script| scene.run(script))
}

/// Generates scripts for at most 256 messages of the scene: each message unchanged, each with the one that
/// follows it, each with a byte changed and signed by the bad seat; all in order, [`MAX_PIECES`] to a script;
/// and the time limit alone.
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
