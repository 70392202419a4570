//! The operations that are measured, natively by `benches/fair.rs` and as wasm by `wasm/`.

use pentarchy_fair::claim::Category;
use pentarchy_fair::escrow::{Threshold, deal, verify_deal};
use pentarchy_fair::*;
use std::cell::Cell;
use std::hint::black_box;
use std::num::NonZeroU32;

/// Something to measure.
pub struct Operation {
    /// Its name in the report.
    pub name: String,
    /// Milliseconds that the project allows it to take natively; wasm may take 4.5 times as long.
    pub target: Option<f64>,
    /// Does it once.
    pub run: Box<dyn FnMut()>,
}

/// Creates an operation that runs a closure and discards its result. `target` is in milliseconds of native
/// CPU time; `None` for no target.
fn operation<T>(
    name: impl Into<String>,
    target: Option<f64>,
    mut run: impl FnMut() -> T + 'static,
) -> Operation {
    let run = move || {
        black_box(run());
    };
    Operation { name: name.into(), target, run: Box::new(run) }
}

/// Returns all operations in the order of the report. Building them takes a while, since it makes the inputs,
/// which are never freed.
pub fn all() -> Vec<Operation> {
    let mut all = Vec::new();
    for (n, prove, verify) in [(52, Some(8.0), Some(4.0)), (110, Some(17.0), Some(8.0)), (220, None, None)] {
        all.extend(shuffle(n, prove, verify));
    }
    all.extend(shuffle_with_backs());
    all.extend(shares());
    for (n, target) in [(2, None), (4, None), (6, Some(0.6))] {
        all.push(deal_one_card(n, target));
    }
    for (n, target) in [(2, None), (4, None), (6, Some(0.8))] {
        all.push(roll(n, target));
    }
    all.extend(lift());
    all.extend(category());
    all.extend(escrow());
    all.extend(setup());
    all
}

/// A table of honest seats. Lives as long as the program: the operations borrow it.
struct Party {
    /// The game.
    game: GameId,
    /// The secrets of all seats, in seat order.
    secrets: Vec<SeatSecrets>,
    /// Their public keys.
    roster: Roster,
}

/// A deck that seat 0 has shuffled, and what is needed to shuffle it again.
struct ShuffledDeck {
    lock: PreparedLock,
    generators: Generators,
    deck: Deck,
}

thread_local! {
    /// Number of calls of [`entropy`] on this thread.
    static COUNTER: Cell<u64> = const { Cell::new(0) };
}

/// Returns entropy from a counter of this thread: different at each call, the same in each run.
fn entropy() -> Entropy {
    let n = COUNTER.replace(COUNTER.get() + 1);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&n.to_le_bytes());
    Entropy::new(bytes)
}

/// Returns the index of seat `i`. Panics if `i` is not a valid seat.
fn seat(i: usize) -> SeatIndex {
    SeatIndex::new(i as u8).unwrap()
}

/// Returns the one phase that all operations use.
fn phase() -> Phase {
    Phase { game: GameId::of(b"bench"), id: PhaseId([7; 32]) }
}

impl Party {
    /// Enrols `n` seats, with or without escrow, and builds their roster.
    fn new(n: usize, escrow: Option<Threshold>) -> Self {
        let game = GameId::of(b"bench");
        let secrets: Vec<_> = (0..n).map(|i| SeatSecrets::new(seat(i), entropy())).collect();
        let keys = secrets.iter().map(|secrets| {
            let (identity, session) = (SigningSecret::new(entropy()), SigningSecret::new(entropy()));
            let public = identity.public();
            let enrolment = Enrolment { game, identity: &public, escrow };
            let message = enrolment.enrol(secrets, &identity, &session, entropy());
            enrolment.verify(secrets.seat(), &message).unwrap()
        });
        let roster = Roster::new(game, keys.collect()).unwrap();
        Self { game, secrets, roster }
    }

    /// Returns the public keys of seat `i`, which must be below the number of seats.
    fn key(&self, i: usize) -> &SeatKey {
        self.roster.key(seat(i)).unwrap()
    }

    /// Builds a deck of `n` cards, each of another face, under the lock of all seats that seat 0 has
    /// shuffled.
    fn deck(&self, n: usize) -> ShuffledDeck {
        let lock = self.roster.lock(self.roster.seats()).unwrap().prepare();
        let generators = Generators::new(n).unwrap();
        let tokens: Vec<CipherToken> =
            (0..n as u32).map(|f| CipherToken::of_face(&FacePoint::new(f))).collect();
        let deck = Deck::new(lock.key(), &tokens).unwrap();
        let (deck, _) =
            deck.shuffle(&phase(), &self.secrets[0], &lock, &generators, None, entropy()).unwrap();
        ShuffledDeck { lock, generators, deck }
    }

    /// Returns the `n` tokens of a deck that seat 0 has shuffled; each has the locks of all seats.
    fn tokens(&self, n: usize) -> Vec<CipherToken> {
        self.deck(n).deck.release(Seats::one(seat(0))).unwrap()
    }

    /// Creates a token with this face that is private to seat `owner`.
    fn card(&self, owner: usize, face: u32) -> Private {
        claim::mint(&phase(), &self.secrets[owner], &[FacePoint::new(face)], 0, entropy()).unwrap().0
    }
}

/// Creates a party of `n` seats that is never freed.
fn party(n: usize) -> &'static Party {
    Box::leak(Box::new(Party::new(n, None)))
}

/// Returns two operations on a pile of `n` cards under six locks: shuffle and prove, decode and verify.
/// `prove` and `verify` are their targets in milliseconds.
fn shuffle(n: usize, prove: Option<f64>, verify: Option<f64>) -> [Operation; 2] {
    let party = party(6);
    let ShuffledDeck { lock, generators, deck } = &*Box::leak(Box::new(party.deck(n)));
    let shuffle = || deck.shuffle(&phase(), &party.secrets[1], lock, generators, None, entropy()).unwrap();
    let (_, message) = shuffle();
    [
        operation(format!("shuffle and prove, {n} cards"), prove, shuffle),
        operation(format!("decode and verify, {n} cards"), verify, move || {
            deck.verify(&phase(), seat(1), lock.key(), generators, &message).unwrap()
        }),
    ]
}

/// Returns four operations on 110 cards with backs: shuffle and prove, decode and verify, decode only, and
/// the joint verification of five shuffles.
fn shuffle_with_backs() -> [Operation; 4] {
    let party = party(6);
    let lock = &*Box::leak(Box::new(party.roster.lock(party.roster.seats()).unwrap().prepare()));
    let generators = &*Box::leak(Box::new(Generators::new(110).unwrap()));
    let cards: Vec<Backed> =
        (0..110).map(|f| Backed::public(&FacePoint::new(f), &BackPoint::new(f % 3))).collect();
    let deck = &*Box::leak(Box::new(BackedDeck::new(lock.key(), &cards).unwrap()));
    let shuffle = || deck.shuffle(&phase(), &party.secrets[1], lock, generators, None, entropy()).unwrap();
    let (_, message) = shuffle();
    let mixing = Mixing::from(deck.clone());
    let mut five = mixing.clone();
    for i in 1..6 {
        let secrets = &party.secrets[i];
        let (_, message) = five.shuffle(&phase(), secrets, lock, generators, None, entropy()).unwrap();
        five = five.read(&phase(), seat(i), lock.key(), generators, &message).unwrap();
    }
    let to_read = message.clone();
    [
        operation("shuffle and prove, 110 cards with backs", None, shuffle),
        operation("decode and verify, 110 cards with backs", None, move || {
            deck.verify(&phase(), seat(1), lock.key(), generators, &message).unwrap()
        }),
        operation("the same, decode only", None, move || {
            mixing.read(&phase(), seat(1), lock.key(), generators, &to_read).unwrap()
        }),
        operation("the same, verify five together, decoded", None, move || {
            five.clone().settle(lock.key(), generators).unwrap();
        }),
    ]
}

/// Returns four operations: make and verify the shares of one seat for 1 and for 10 tokens.
fn shares() -> Vec<Operation> {
    let party = party(2);
    let of = |m: usize| {
        let tokens = &*party.tokens(m).leak();
        let make = move || strip(&phase(), &party.secrets[1], tokens, entropy()).unwrap();
        let (_, message) = make();
        let verify = move || verify_strip(&phase(), party.key(1), tokens, &message).unwrap();
        [
            operation(format!("make {m} shares"), None, make),
            operation(format!("verify {m} shares"), None, verify),
        ]
    };
    [of(1), of(10)].into_iter().flatten().collect()
}

/// Returns the work of the receiver of one card at a table of `n` seats: check the shares of all others, take
/// their locks off, read. `target` is in milliseconds.
fn deal_one_card(n: usize, target: Option<f64>) -> Operation {
    let party = party(n);
    let faces = FaceTable::new(110).unwrap();
    let token = party.tokens(1)[0];
    let message = |i: usize| strip(&phase(), &party.secrets[i], &[token], entropy()).unwrap().1;
    let messages: Vec<Vec<u8>> = (1..n).map(message).collect();
    operation(format!("deal one card, receiver's total, {n} seats"), target, move || {
        let mut mine = token;
        for (i, message) in messages.iter().enumerate() {
            let shares = verify_strip(&phase(), party.key(i + 1), &[token], message).unwrap();
            mine = mine.unlock(&shares[0]).unwrap();
        }
        mine.private().unwrap().read(&party.secrets[0], &faces).unwrap().index()
    })
}

/// Returns the work of one seat in a roll at a table of `n` seats: make its own value, check those of the
/// others, roll a die. `target` is in milliseconds.
fn roll(n: usize, target: Option<f64>) -> Operation {
    let party = party(n);
    let messages: Vec<Vec<u8>> =
        (1..n).map(|i| contribute(&phase(), &party.secrets[i], entropy()).1).collect();
    operation(format!("roll dice, own value and check of all others, {n} seats"), target, move || {
        let mut values = vec![contribute(&phase(), &party.secrets[0], entropy()).0];
        for (i, message) in messages.iter().enumerate() {
            values.push(verify_contribution(&phase(), party.key(i + 1), message).unwrap());
        }
        let mut roll = Roll::new(&phase().id, party.roster.seats(), &values).unwrap();
        roll.die(NonZeroU32::MIN.saturating_add(5))
    })
}

/// Returns two operations: make and verify a lift to the lock of three seats.
fn lift() -> [Operation; 2] {
    let party = party(3);
    let card = party.card(0, 5);
    let lock = party.roster.lock(party.roster.seats()).unwrap();
    let make = move || card.lift(&phase(), &party.secrets[0], &lock, entropy()).unwrap();
    let (_, message) = make();
    let verify = move || card.verify_lift(&phase(), party.key(0), &lock, &message).unwrap();
    [operation("make lift", None, make), operation("verify lift", None, verify)]
}

/// Returns two operations: make and verify a proof that a card is one of 30 faces.
fn category() -> [Operation; 2] {
    let party = party(2);
    let card = &*Box::leak(Box::new(party.card(0, 5)));
    let menu = &*(0..30).map(FacePoint::new).collect::<Vec<_>>().leak();
    let claim = Category { token: card, menu };
    let make = move || claim.prove(&phase(), &party.secrets[0], entropy()).unwrap();
    let message = make();
    let verify = move || claim.verify(&phase(), party.key(0), &message).unwrap();
    [
        operation("make category proof, 30 faces", None, make),
        operation("verify category proof, 30 faces", None, verify),
    ]
}

/// Returns two operations of an escrow with six holders: seal the shares of both keys to all; check the deal
/// and open the shares of one holder.
fn escrow() -> [Operation; 2] {
    let threshold = Threshold::new(5, 6).unwrap();
    let party = &*Box::leak(Box::new(Party::new(7, Some(threshold))));
    let holders = &*(1..7).map(|i| party.key(i)).collect::<Vec<_>>().leak();
    let make = move || deal(&party.game, &party.secrets[0], threshold, holders, entropy()).unwrap();
    let message = make();
    let verify = move || {
        let sealed = verify_deal(&party.game, party.key(0), holders, &message).unwrap();
        sealed[0].open(party.key(0), &party.secrets[1]).unwrap()
    };
    [operation("escrow: deal to 6, t = 5", None, make), operation("escrow: check and open", None, verify)]
}

/// Returns three operations of the setup of a game: prepare a lock, compute generators for 110 cards, sign
/// and verify.
fn setup() -> [Operation; 3] {
    let party = party(2);
    let lock = party.roster.lock(party.roster.seats()).unwrap();
    let key = SigningSecret::new(entropy());
    let public = key.public();
    [
        operation("prepare a lock", None, move || lock.prepare()),
        operation("generators for 110 cards", None, || Generators::new(110).unwrap()),
        operation("sign and verify", None, move || {
            let signature = key.sign(&[1; 32]);
            public.verify(&[1; 32], &signature)
        }),
    ]
}
