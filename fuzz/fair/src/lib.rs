//! Fuzz targets for every decoder of `pentarchy-fair`. Each has an honest message and feeds bytes to the verifier of that
//! message. It must not panic, and must accept nothing but the honest message itself: the encoding is canonical, and
//! the fuzzer does not know the secrets to make another message.

use pentarchy_fair::claim::{Branches, Category, Different, Is, IsNot, Same, mint, verify_mint};
use pentarchy_fair::escrow::{Absence, DueContribution, SealedShares, Threshold, Which, deal, verify_deal};
use pentarchy_fair::*;
use pentarchy_fuzzkit::{Check, Corpus, FuzzTarget};
use std::cell::Cell;

/// Says whether a message is accepted.
type Accepts = Box<dyn Fn(&[u8]) -> bool>;

/// A message and its verifier.
struct Honest {
    name: &'static str,
    honest: Vec<u8>,
    accepts: Accepts,
}

impl Honest {
    /// Returns the check of a target: it passes bytes to the verifier, and panics if they are accepted and
    /// not the honest message.
    fn into_check(self) -> Check {
        Box::new(move |bytes| {
            if (self.accepts)(bytes) {
                assert_eq!(bytes, self.honest, "{}: a forgery was accepted", self.name);
            }
        })
    }

    /// Generates the honest message and the usual ways to damage it, by name. The message must have at least 32 bytes.
    fn corpus(&self) -> Corpus {
        let honest = &self.honest;
        let edited = |edit: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = honest.clone();
            edit(&mut bytes);
            bytes
        };
        let len = honest.len();
        let inputs = [
            ("honest", honest.clone()),
            ("nothing-at-all", vec![]),
            ("cut-short-by-one-byte", honest[..len - 1].to_vec()),
            ("one-byte-too-many", edited(&|bytes| bytes.push(0))),
            ("all-neutral-elements-and-zero-responses", vec![0; len]),
            ("all-ones-is-canonical-for-nothing", vec![0xff; len]),
            ("first-point-is-neutral", edited(&|bytes| bytes[..32].fill(0))),
            ("first-point-is-negative", edited(&|bytes| bytes[0] |= 1)),
            ("last-scalar-is-not-reduced", edited(&|bytes| bytes[len - 1] |= 0xf0)),
            ("last-scalar-is-the-group-order", edited(&|bytes| bytes[len - 32..].copy_from_slice(&ORDER))),
            ("last-scalar-plus-one", edited(&|bytes| bytes[len - 32] = bytes[len - 32].wrapping_add(1))),
            ("halves-exchanged", [&honest[len / 2..], &honest[..len / 2]].concat()),
        ];
        inputs.into_iter().map(|(name, input)| (name.to_string(), input)).collect()
    }
}

/// ℓ: the smallest scalar that is not canonical.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// Everything the verifiers need; made once and never dropped.
struct Scene {
    game: GameId,
    phase: Phase,
    threshold: Threshold,
    secrets: Vec<SeatSecrets>,
    identities: Vec<VerifyKey>,
    enrolments: Vec<Vec<u8>>,
    roster: Roster,
    lock: PreparedLock,
    generators: Generators,
    faces: FaceTable,
    hand: Vec<Private>,
    deck: Vec<CipherToken>,
    drawn: Cell<u8>,
}

impl Scene {
    /// Creates a game of three seats with escrow: keys, a hand of three private tokens of seat 0 (the second
    /// and the third are equal), and a deck of four tokens that seat 0 has shuffled. All randomness is fixed.
    /// It is never freed.
    fn new() -> &'static Self {
        let drawn = Cell::new(0);
        let draw = || {
            drawn.set(drawn.get() + 1);
            Entropy::new([drawn.get(); 32])
        };
        let game = GameId::of(b"fuzz");
        let phase = Phase { game, id: PhaseId([1; 32]) };
        let threshold = Threshold::new(2, 2).unwrap();
        let secrets: Vec<_> = (0..3).map(|i| SeatSecrets::new(seat(i), draw())).collect();
        let (mut identities, mut enrolments, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        for secrets in &secrets {
            let (identity, session) = (SigningSecret::new(draw()), SigningSecret::new(draw()));
            let public = identity.public();
            let enrolment = Enrolment { game, identity: &public, escrow: Some(threshold) };
            let message = enrolment.enrol(secrets, &identity, &session, draw());
            keys.push(enrolment.verify(secrets.seat(), &message).unwrap());
            identities.push(public);
            enrolments.push(message);
        }
        let roster = Roster::new(game, keys).unwrap();
        let lock = roster.lock(roster.seats()).unwrap().prepare();
        let generators = Generators::new(4).unwrap();
        let faces = FaceTable::new(4).unwrap();
        let card = |face: &FacePoint| mint(&phase, &secrets[0], &[*face], 0, draw()).unwrap().0;
        let hand = [0, 1, 1].map(|i| card(&faces.all()[i])).to_vec();
        let tokens: Vec<CipherToken> = faces.all().iter().map(CipherToken::of_face).collect();
        let pile = Deck::new(lock.key(), &tokens).unwrap();
        let (pile, _) = pile.shuffle(&phase, &secrets[0], &lock, &generators, None, draw()).unwrap();
        let deck = pile.release(Seats::one(seat(0))).unwrap();
        let scene = Self {
            game,
            phase,
            threshold,
            secrets,
            identities,
            enrolments,
            roster,
            lock,
            generators,
            faces,
            hand,
            deck,
            drawn,
        };
        Box::leak(Box::new(scene))
    }

    /// Returns fixed entropy, different at each call; at most 255 are drawn in all, those of [`Scene::new`] included.
    fn entropy(&self) -> Entropy {
        self.drawn.set(self.drawn.get() + 1);
        Entropy::new([self.drawn.get(); 32])
    }

    /// Returns the public keys of seat `i`, 0 to 2. Panics for another seat.
    fn key(&self, i: u8) -> &SeatKey {
        self.roster.key(seat(i)).unwrap()
    }

    /// Seals the shares of the keys of seat 0. Returns the message and its holders, seats 1 and 2. Panics if
    /// the shares cannot be sealed.
    fn deal(&'static self) -> (Vec<u8>, [&'static SeatKey; 2]) {
        let holders = [self.key(1), self.key(2)];
        (deal(&self.game, &self.secrets[0], self.threshold, &holders, self.entropy()).unwrap(), holders)
    }

    /// Verifies the sealed shares of seat 0 and returns them in the order of `holders`. Panics if they do not
    /// verify.
    fn sealed(&'static self, message: &[u8], holders: &[&SeatKey]) -> Vec<SealedShares> {
        verify_deal(&self.game, self.key(0), holders, message).unwrap()
    }
}

/// Returns the index of seat `i`, which must be below 32: else it panics.
fn seat(i: u8) -> SeatIndex {
    SeatIndex::new(i).unwrap()
}

/// Creates a target from an honest message and its verifier. Panics if the verifier rejects the message.
fn target(name: &'static str, honest: Vec<u8>, accepts: impl Fn(&[u8]) -> bool + 'static) -> Honest {
    assert!(accepts(&honest), "{name}");
    Honest { name, honest, accepts: Box::new(accepts) }
}

/// Creates a target with its honest message and the verifier of it: the keys of a seat with their proofs, in escrow
/// mode. Panics if the verifier rejects the honest message.
fn seat_keys() -> Honest {
    let s = Scene::new();
    let enrolment = Enrolment { game: s.game, identity: &s.identities[0], escrow: Some(s.threshold) };
    target("seat_keys", s.enrolments[0].clone(), move |m| enrolment.verify(seat(0), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: shares of seat 1 for four tokens. Panics if the
/// verifier rejects the honest message.
fn shares() -> Honest {
    let s = Scene::new();
    let (_, honest) = strip(&s.phase, &s.secrets[1], &s.deck, s.entropy()).unwrap();
    target("shares", honest, |m| verify_strip(&s.phase, s.key(1), &s.deck, m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: a value of seat 1 for a roll. Panics if the
/// verifier rejects the honest message.
fn dice() -> Honest {
    let s = Scene::new();
    let (_, honest) = contribute(&s.phase, &s.secrets[1], s.entropy());
    target("dice", honest, |m| verify_contribution(&s.phase, s.key(1), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: seat 1's own copy of a joint token. Panics if the
/// verifier rejects the honest message.
fn view() -> Honest {
    let s = Scene::new();
    let joint = s.deck[0].joint().unwrap();
    let (_, honest) = joint.view(&s.phase, &s.secrets[1], s.lock.key(), s.entropy()).unwrap();
    target("view", honest, |m| joint.verify_view(&s.phase, s.key(1), s.lock.key(), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: a private token of seat 0 under the lock of all
/// seats. Panics if the verifier rejects the honest message.
fn lift() -> Honest {
    let s = Scene::new();
    let (_, honest) = s.hand[0].lift(&s.phase, &s.secrets[0], s.lock.key(), s.entropy()).unwrap();
    target("lift", honest, |m| s.hand[0].verify_lift(&s.phase, s.key(0), s.lock.key(), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: seat 1's shuffle of three tokens. Panics if the
/// verifier rejects the honest message.
fn shuffle() -> Honest {
    let s = Scene::new();
    let pile = Deck::new(s.lock.key(), &s.deck[..3]).unwrap();
    let (_, honest) =
        pile.shuffle(&s.phase, &s.secrets[1], &s.lock, &s.generators, None, s.entropy()).unwrap();
    target("shuffle", honest, move |m| pile.verify(&s.phase, seat(1), s.lock.key(), &s.generators, m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: seat 1's shuffle of two tokens with backs. Panics
/// if the verifier rejects the honest message.
fn shuffle_with_backs() -> Honest {
    let s = Scene::new();
    let cards = [0, 1].map(|i| Backed::public(&s.faces.all()[i], &BackPoint::new(i as u32)));
    let pile = BackedDeck::new(s.lock.key(), &cards).unwrap();
    let (_, honest) =
        pile.shuffle(&s.phase, &s.secrets[1], &s.lock, &s.generators, None, s.entropy()).unwrap();
    target("shuffle_with_backs", honest, move |m| {
        pile.verify(&s.phase, seat(1), s.lock.key(), &s.generators, m).is_ok()
    })
}

/// Creates a target with its honest message and the verifier of it: a hidden choice of seat 1 among four faces. Panics
/// if the verifier rejects the honest message.
fn minted() -> Honest {
    let s = Scene::new();
    let (_, honest) = mint(&s.phase, &s.secrets[1], s.faces.all(), 2, s.entropy()).unwrap();
    target("minted", honest, |m| verify_mint(&s.phase, s.key(1), s.faces.all(), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: the claim of seat 0 that a token has one of four
/// faces. Panics if the verifier rejects the honest message.
fn category() -> Honest {
    let s = Scene::new();
    let claim = Category { token: &s.hand[0], menu: s.faces.all() };
    let honest = claim.prove(&s.phase, &s.secrets[0], s.entropy()).unwrap();
    target("category", honest, move |m| claim.verify(&s.phase, s.key(0), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: the claim of seat 0 that two tokens have equal
/// faces. Panics if the verifier rejects the honest message.
fn same() -> Honest {
    let s = Scene::new();
    let claim = Same { left: &s.hand[1], right: &s.hand[2] };
    let honest = claim.prove(&s.phase, &s.secrets[0], s.entropy()).unwrap();
    target("same", honest, move |m| claim.verify(&s.phase, s.key(0), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: the claim of seat 0 that two tokens have different
/// faces. Panics if the verifier rejects the honest message.
fn different() -> Honest {
    let s = Scene::new();
    let claim = Different { left: &s.hand[0], right: &s.hand[2] };
    let honest = claim.prove(&s.phase, &s.secrets[0], s.entropy()).unwrap();
    target("different", honest, move |m| claim.verify(&s.phase, s.key(0), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: the claim of seat 0 that a token does not have a
/// certain face. Panics if the verifier rejects the honest message.
fn is_not() -> Honest {
    let s = Scene::new();
    let claim = IsNot { token: &s.hand[0], face: &s.faces.all()[3] };
    let honest = claim.prove(&s.phase, &s.secrets[0], s.entropy()).unwrap();
    target("is_not", honest, move |m| claim.verify(&s.phase, s.key(0), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: the claim of seat 0 that one of three combinations
/// of faces holds. Panics if the verifier rejects the honest message.
fn branches() -> Honest {
    let s = Scene::new();
    let is = |token, face: usize| Is { token, face: s.faces.all()[face] };
    let branches = vec![vec![is(0, 2)], vec![is(0, 0), is(1, 1)], vec![is(2, 3)]].leak();
    let claim = Branches { tokens: &s.hand, branches };
    let honest = claim.prove(&s.phase, &s.secrets[0], s.entropy()).unwrap();
    target("branches", honest, move |m| claim.verify(&s.phase, s.key(0), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: the opening of a committed choice of seat 0. Panics
/// if the verifier rejects the honest message.
fn opening() -> Honest {
    let s = Scene::new();
    let (commitment, honest) = commit(&s.phase.id, &s.secrets[0], b"the mountain pass").unwrap();
    target("opening", honest, move |m| commitment.open(&s.phase.id, seat(0), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: seat 0's blinding of three entries of a salvage.
/// Panics if the verifier rejects the honest message.
fn tags() -> Honest {
    let s = Scene::new();
    let salvage = Salvage::new(s.lock.key(), &s.deck[..1], &s.deck[1..3]).unwrap();
    let (_, honest) = salvage.blind(&s.phase, &s.secrets[0], s.entropy()).unwrap();
    // A seat that knows the blinding could make another message; the fuzzer does not know it.
    target("tags", honest, move |m| salvage.verify_blinding(&s.phase, s.key(0), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: the sealed shares of seat 0. A deal counts as
/// accepted if it verifies and both holders can open their shares. Panics if the verifier rejects the honest message.
fn sealed_shares() -> Honest {
    let s = Scene::new();
    let (honest, holders) = s.deal();
    target("sealed_shares", honest, move |m| match verify_deal(&s.game, s.key(0), &holders, m) {
        // A wrong share in a right seal is found by its holder.
        Ok(sealed) => sealed
            .iter()
            .zip(&s.secrets[1..])
            .fold(true, |all, (sealed, secrets)| sealed.open(s.key(0), secrets).is_ok() && all),
        Err(_) => false,
    })
}

/// Creates a target with its honest message and the verifier of it: a justified complaint of seat 1 about a share of
/// seat 0. It counts as accepted if it convicts the dealer. Panics if the verifier rejects the honest message.
fn complaint() -> Honest {
    let s = Scene::new();
    let (mut message, holders) = s.deal();
    message[32] ^= 1;
    let sealed = s.sealed(&message, &holders)[0];
    let honest = sealed.complain(s.key(0), Which::Lock, &s.secrets[1], s.entropy()).unwrap();
    target("complaint", honest, move |m| sealed.judge(s.key(0), s.key(1), Which::Lock, m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: seat 1's part of the shares that the absent seat 0
/// owes for two tokens. Panics if the verifier rejects the honest message.
fn stand_in() -> Honest {
    let s = Scene::new();
    let (message, holders) = s.deal();
    let held = s.sealed(&message, &holders)[0].open(s.key(0), &s.secrets[1]).unwrap();
    let absence = Absence { key: s.key(0), due: DueContribution::Strip(&s.deck[..2]) };
    let (_, honest) = absence.stand_in(&s.phase, &held, &s.secrets[1], s.entropy()).unwrap();
    target("stand_in", honest, move |m| absence.verify(&s.phase, seat(1), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: the published keys of seat 0. Panics if the
/// verifier rejects the honest message.
fn secrets() -> Honest {
    let s = Scene::new();
    target("secrets", publish(&s.secrets[0]).to_vec(), |m| Published::verify(s.key(0), m).is_ok())
}

/// Creates a target with its honest message and the verifier of it: an Ed25519 public key. Every canonical key decodes,
/// so only the honest one counts as accepted. Its verifier panics if another one does not encode to the same bytes, or
/// verifies a signature of zeros.
fn signing_key() -> Honest {
    let honest = Scene::new().identities[0].bytes().to_vec();
    // Any canonical key decodes, so what is checked is that it encodes to the same bytes.
    let expected = honest.clone();
    target("signing_key", honest, move |m| {
        let Ok(bytes) = <&[u8; 32]>::try_from(m) else { return false };
        let key = VerifyKey::decode(bytes);
        key.is_ok_and(|key| {
            assert_eq!(key.bytes(), bytes);
            assert!(!key.verify(&[0; 32], &[0; 64]));
            m == expected
        })
    })
}

/// A target for each function, and how many mutants its smoke test tries.
macro_rules! targets {
    ($($name:ident $mutants:literal,)*) => {
        vec![$(FuzzTarget {
            name: stringify!($name),
            prepare: || $name().into_check(),
            corpus: || $name().corpus(),
            mutants: $mutants,
        }),*]
    };
}

/// Returns all targets of this package, one for each message, with the number of mutants of their smoke tests. Nothing
/// is prepared yet.
pub fn targets() -> Vec<FuzzTarget> {
    targets![
        seat_keys 2000,
        shares 2000,
        dice 2000,
        view 2000,
        lift 2000,
        shuffle 2000,
        shuffle_with_backs 2000,
        minted 2000,
        category 2000,
        same 2000,
        different 2000,
        is_not 2000,
        branches 2000,
        opening 2000,
        tags 2000,
        sealed_shares 2000,
        complaint 2000,
        stand_in 2000,
        secrets 2000,
        signing_key 2000,
    ]
}
