//! Tables of two seats: bytes that nobody signed, and contributions that a seat signed wrongly.

use crate::peers::Peers;
use pentarchy_classics::Leduc;
use pentarchy_engine::AnyGame;
use pentarchy_engine::any::any;
use pentarchy_fuzzkit::Corpus;
use pentarchy_table::{Input, PeerSession, SessionEvent, SessionOutput};

/// Returns the game of these tables, Leduc poker: small, with hidden cards.
pub(crate) fn game() -> &'static dyn AnyGame {
    any::<Leduc>()
}

/// How many messages of a game are used.
pub(crate) const SENT: usize = 48;

/// Opens a table of two and delivers messages until the first decision, which nobody makes.
fn dealt() -> Peers {
    let mut peers = Peers::new(game(), 2, false);
    peers.settle();
    peers
}

/// Target: bytes from the network while nothing is on its way. Panics if a session finds evidence, breaks, or its log
/// changes: nobody has signed them. The table is opened once per thread, and each input comes from another peer.
pub(crate) fn message(bytes: &[u8]) {
    static FROM: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    thread_local! {
        static PEERS: std::cell::RefCell<Peers> = std::cell::RefCell::new(dealt());
    }
    // A peer that sends many invalid messages is ignored, so each input comes from another one.
    let from = FROM.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    PEERS.with_borrow_mut(|peers| {
        for session in &mut peers.sessions {
            let before = (session.head(), session.events());
            for output in session.handle(Input::Message { from, bytes }) {
                assert!(
                    !matches!(
                        output,
                        SessionOutput::Event(SessionEvent::Evidence(_))
                            | SessionOutput::Event(SessionEvent::Broken(_))
                    ),
                    "bytes have an effect"
                );
            }
            assert_eq!(before, (session.head(), session.events()));
        }
    });
}

/// Generates the messages of an opening and a deal, and of each seat those about its progress, a late seat,
/// chat and giving up.
pub(crate) fn message_corpus() -> Corpus {
    let mut peers = Peers::new(game(), 2, false);
    let mut sent = peers.settle();
    for seat in [0, 1] {
        for input in
            [Input::Tick { now_ms: 1 }, Input::Tick { now_ms: 1 << 40 }, Input::Chat("?"), Input::GiveUp]
        {
            peers.input(seat, input);
        }
    }
    sent.extend(peers.queue);
    let named = sent.into_iter().enumerate();
    named.map(|(i, sent)| (format!("{i:02}-of-seat-{}", sent.from), sent.bytes)).collect()
}

/// A moment of a game: a message is on its way from a seat to an onlooker that knows everything before it.
struct Moment {
    from: usize,
    message: Vec<u8>,
    onlooker: PeerSession,
}

/// Plays the start of a match. Returns the peers, which can sign anything, and the moment before each of up
/// to [`SENT`] messages; those in the middle of an action are left out. Opening a table takes far longer than
/// trying a message on it, so a target calls it once.
fn moments() -> (Peers, Vec<Moment>) {
    let mut peers = Peers::new(game(), 2, true);
    let mut moments = Vec::new();
    while let Some(sent) = peers.queue.front().cloned().filter(|_| moments.len() < SENT) {
        if let Some(onlooker) = peers.sessions[1 - sent.from].onlooker() {
            moments.push(Moment { from: sent.from, message: sent.bytes, onlooker });
        }
        peers.step();
    }
    (peers, moments)
}

/// Target: a seat that signs anything with its own key. The first byte of the input selects the moment, the second
/// the part of its message that is replaced (modulo 4: 0 nothing, 1 the text of the action, 2 the payload, 3 both);
/// the rest is the new content, with the text up to a zero byte. Panics if the receiver's evidence names another
/// seat or does not convince a judge, its session breaks, or a new payload closes a step.
pub(crate) fn signed(bytes: &[u8]) {
    thread_local! {
        static MOMENTS: (Peers, Vec<Moment>) = moments();
    }
    MOMENTS.with(|(peers, moments)| sign(peers, moments, bytes));
}

/// Replaces a part of a message as [`signed`] describes, signs it again, and gives it to a copy of the
/// receiver. Panics if evidence names another seat than the sender or, for an eighth of the inputs, does not
/// convince a judge, the session breaks, or a new payload that is not empty closes a step. Does nothing for
/// fewer than two bytes, or if the message cannot be rewritten.
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
    // A judge verifies the whole log: an eighth of the evidence is enough.
    let judged = bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) % 8 == 0;
    let outputs = receiver.handle(Input::Message { from: 0, bytes: &forged });
    for output in &outputs {
        match output {
            SessionOutput::Event(SessionEvent::Evidence(evidence)) => {
                assert_eq!(usize::from(evidence.offender), from, "another seat is blamed");
                if judged {
                    let judgement = evidence.judge(game()).expect("evidence convinces a third party");
                    assert_eq!(usize::from(judgement.offender), from, "another seat is blamed");
                }
            }
            SessionOutput::Event(SessionEvent::Broken(why)) => panic!("the session breaks: {why}"),
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

/// Generates changes of every third message: another text, no payload, 96 zero bytes as payload, and both
/// changed.
pub(crate) fn signed_corpus() -> Corpus {
    let changes = [(1, &b"raise"[..]), (2, &b""[..]), (2, &[0; 96][..]), (3, &b"fold\0\0"[..])];
    let inputs = (0..SENT).step_by(3).flat_map(|i| changes.map(|(what, rest)| (i, what, rest)));
    inputs
        .map(|(i, what, rest)| {
            (format!("{i:02}-bent-{what}-{}", rest.len()), [&[i as u8, what], rest].concat())
        })
        .collect()
}
