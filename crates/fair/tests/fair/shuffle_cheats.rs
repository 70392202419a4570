//! Provers that cheat while shuffling. For each equation there is one that satisfies all others.

use crate::common::prover::scalar;
use crate::common::shuffler::{Entry, Shuffler, identity, map, masked};
use crate::common::{Party, context, phase, point, seat, set};
use pentarchy_fair::primitives::curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use pentarchy_fair::primitives::curve25519_dalek::scalar::Scalar;
use pentarchy_fair::*;

const N: usize = 4;

/// A pile under the lock of two seats and a verifier for it.
struct Scene {
    party: Party,
    lock: LockKey,
    pile: Deck,
    inputs: Vec<Entry>,
    ctx: Vec<u8>,
}

impl Scene {
    /// Four hidden cards, all different, already shuffled once.
    fn new() -> Self {
        let party = Party::new(2);
        let lock = party.lock(party.all());
        let tokens = party.shuffled(party.all(), &[0, 1, 2, 3]);
        let pile = Deck::new(&lock, &tokens).unwrap();
        let inputs = tokens
            .iter()
            .map(|token| {
                let (a, b) = crate::common::cipher(token);
                vec![[a, b]]
            })
            .collect();
        Self { party, lock, pile, inputs, ctx: context(&phase(1), 1) }
    }

    fn prover(&self, psi: &[usize]) -> Shuffler {
        Shuffler::honest(&self.ctx, self.lock.bytes(), &self.inputs, psi)
    }

    fn failing(&self, message: &[u8]) -> Vec<Equation> {
        let (p, gens) = (phase(1), &self.party.generators);
        let failing = self.pile.failing(&p, seat(1), &self.lock, gens, message).unwrap();
        let verdict = self.pile.verify(&p, seat(1), &self.lock, gens, message);
        // The batch and the equations one by one must agree, always.
        match failing.first() {
            None => assert!(verdict.is_ok()),
            Some(first) => {
                let fault = VerifyError::Equation(*first);
                assert_eq!(verdict, Err(MessageError { seat: seat(1), message: Message::Shuffle, fault }));
            }
        }
        self.settles(message, verdict.map(|_| ()));
        failing
    }

    /// Another seat shuffles on top of it before anybody has looked, and is not to blame.
    fn settles(&self, message: &[u8], verdict: Result<(), MessageError>) {
        let gens = &self.party.generators;
        let mixing = Mixing::from(self.pile.clone());
        let cheated = mixing.read(&phase(1), seat(1), &self.lock, gens, message).unwrap();
        let (secrets, lock) = (&self.party.secrets[0], self.lock.prepare());
        let (own, on_top) =
            cheated.shuffle(&phase(2), secrets, &lock, gens, None, self.party.entropy()).unwrap();
        let read = cheated.read(&phase(2), seat(0), &self.lock, gens, &on_top).unwrap();
        for mut mixing in [own, read] {
            assert_eq!(mixing.unsettled(), 2);
            assert_eq!(mixing.release(set(&[1])), Err(OperationError::Unshuffled(set(&[0, 1]))));
            assert_eq!(mixing.settle(&self.lock, gens), verdict);
            assert_eq!(mixing.unsettled(), 0);
            if verdict.is_ok() {
                assert_eq!(mixing.release(set(&[0, 1])).unwrap().len(), N);
                continue;
            }
            // As if nothing had been sent: the seat may be asked again.
            assert_eq!(mixing.release(set(&[1])), Err(OperationError::Unshuffled(set(&[1]))));
            let honest = self.prover(&[1, 2, 3, 0]).message();
            let mut again = mixing.read(&phase(1), seat(1), &self.lock, gens, &honest).unwrap();
            again.settle(&self.lock, gens).unwrap();
            assert_eq!(again.release(set(&[1])).unwrap().len(), N);
        }
    }
}

#[test]
fn errors_of_two_shuffles_do_not_cancel() {
    let scene = Scene::new();
    let gens = &scene.party.generators;
    let mixing = Mixing::from(scene.pile.clone());
    let shifted = |message: &[u8], by: Scalar| {
        // s₁, the first response.
        let (mut message, at) = (message.to_vec(), 64 * N + 96 * N + 160);
        let s = Scalar::from_canonical_bytes(message[at..at + 32].try_into().unwrap()).unwrap();
        message[at..at + 32].copy_from_slice((s + by).as_bytes());
        message
    };
    let read = |mixing: &Mixing<1>, i: u8, message: &[u8]| {
        mixing.read(&phase(1 + u32::from(i)), seat(1 - i), &scene.lock, gens, message).unwrap()
    };
    let first = scene.prover(&[2, 0, 3, 1]).message();
    let second = |first: &Mixing<1>| {
        let (secrets, lock) = (&scene.party.secrets[0], scene.lock.prepare());
        first.shuffle(&phase(2), secrets, &lock, gens, None, scene.party.entropy()).unwrap().1
    };
    for (one, two, blamed) in [(0, 0, None), (1, 1, Some(1)), (0, 1, Some(0)), (1, 0, Some(1))] {
        let mixing = read(&mixing, 0, &shifted(&first, scalar(one)));
        let on_top = shifted(&second(&mixing), -scalar(two));
        let settled = read(&mixing, 1, &on_top).settle(&scene.lock, gens);
        assert_eq!(settled.err().map(|rejected| rejected.seat), blamed.map(seat), "{one}, {two}");
    }
}

#[test]
fn the_test_prover_is_honest_by_default() {
    let scene = Scene::new();
    for psi in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 3, 0]] {
        assert_eq!(scene.failing(&scene.prover(&psi).message()), []);
    }
}

#[test]
fn e1_alone_catches_scaled_cards() {
    let scene = Scene::new();
    let mut m = identity(N);
    m[0][0] = scalar(2);
    m[1][1] = scalar(2).invert();
    let cheat = Shuffler::with_matrix(&scene.ctx, scene.lock.bytes(), &scene.inputs, m);
    assert_eq!(scene.failing(&cheat.message()), [Equation::RowSums]);
}

fn mixing_matrix() -> crate::common::shuffler::Matrix {
    let mut m = identity(N);
    (m[0][0], m[0][1]) = (scalar(2), -Scalar::ONE);
    (m[1][0], m[1][1]) = (-Scalar::ONE, scalar(2));
    m
}

#[test]
fn e2_alone_catches_mixed_cards() {
    let scene = Scene::new();
    let cheat = Shuffler::with_matrix(&scene.ctx, scene.lock.bytes(), &scene.inputs, mixing_matrix());
    assert_eq!(scene.failing(&cheat.message()), [Equation::Product]);
}

#[test]
fn e5_alone_catches_a_chain_bent_at_any_link() {
    let scene = Scene::new();
    let mut cheat = Shuffler::with_matrix(&scene.ctx, scene.lock.bytes(), &scene.inputs, mixing_matrix());
    for link in 0..N {
        cheat.bent_link = Some(link);
        assert_eq!(scene.failing(&cheat.message()), [Equation::Chain { link }]);
    }
}

#[test]
fn e3_alone_catches_another_permutation_than_the_committed() {
    let scene = Scene::new();
    let mut cheat = scene.prover(&[1, 0, 2, 3]);
    cheat.committed = identity(N);
    assert_eq!(scene.failing(&cheat.message()), [Equation::Matrix]);
}

#[test]
fn e4_alone_catches_a_replaced_card_in_either_half() {
    let scene = Scene::new();
    let e4 = [Equation::Reencryption { column: 0 }];
    for half in 0..2 {
        let mut cheat = scene.prover(&[2, 0, 3, 1]);
        cheat.outputs[1][0][half] += G;
        assert_eq!(scene.failing(&cheat.message()), e4, "half {half}");
    }
    // A foreign face, properly masked.
    let mut cheat = scene.prover(&[2, 0, 3, 1]);
    cheat.outputs[0][0] = [G * scalar(5), point(FacePoint::new(9).bytes()) + cheat.key * scalar(5)];
    assert_eq!(scene.failing(&cheat.message()), e4);
    // A sum-preserving change of two cards.
    let mut cheat = scene.prover(&[2, 0, 3, 1]);
    cheat.outputs[0][0][1] += G;
    cheat.outputs[1][0][1] -= G;
    assert_eq!(scene.failing(&cheat.message()), e4);
    // A card twice, another missing: plain, and masked again.
    let mut cheat = scene.prover(&[2, 0, 3, 1]);
    cheat.outputs[1] = cheat.outputs[0].clone();
    assert_eq!(scene.failing(&cheat.message()), e4);
    let [a, b] = cheat.outputs[1][0];
    cheat.outputs[1][0] = [a + G * scalar(3), b + cheat.key * scalar(3)];
    assert_eq!(scene.failing(&cheat.message()), e4);
}

#[test]
fn a_duplicating_map_fails() {
    let scene = Scene::new();
    let mut cheat = scene.prover(&[0, 1, 2, 3]);
    let doubled = map(&[0, 0, 2, 3]);
    cheat.outputs = {
        let masked = masked(&cheat.inputs, &cheat.masks, cheat.key);
        [0, 0, 2, 3].iter().map(|j| masked[*j].clone()).collect()
    };
    cheat.committed = doubled.clone();
    cheat.used = doubled;
    let failing = scene.failing(&cheat.message());
    assert!(failing.contains(&Equation::Product), "{failing:?}");
    assert!(failing.contains(&Equation::Reencryption { column: 0 }), "{failing:?}");
}

#[test]
fn the_owner_cannot_change_a_block_though_he_has_the_key() {
    let party = Party::new(2);
    let hand: Vec<CipherToken> = party.hand(1, &[4, 5]).into_iter().map(CipherToken::Private).collect();
    let lock = party.lock(set(&[1]));
    let pile = Deck::new(&lock, &hand).unwrap();
    let inputs: Vec<Entry> = hand
        .iter()
        .map(|token| {
            let (a, b) = crate::common::cipher(token);
            vec![[a, b]]
        })
        .collect();
    let mut cheat = Shuffler::honest(&context(&phase(1), 1), lock.bytes(), &inputs, &[1, 0]);
    let [a, _] = cheat.outputs[0][0];
    cheat.outputs[0][0] = [a, point(FacePoint::new(6).bytes()) + a * party.x(1)];
    let failing = pile.failing(&phase(1), seat(1), &lock, &party.generators, &cheat.message()).unwrap();
    assert_eq!(failing, [Equation::Reencryption { column: 0 }]);
}

#[test]
fn changes_after_proving_fail() {
    let scene = Scene::new();
    let (p, gens) = (phase(1), &scene.party.generators);
    let rejects = |message: &[u8]| scene.pile.verify(&p, seat(1), &scene.lock, gens, message).is_err();
    let message = scene.prover(&[2, 0, 3, 1]).message();
    assert!(!rejects(&message));
    let (points, responses) = (64 * N..64 * N + 96 * N + 160, 64 * N + 96 * N + 160..message.len());

    let mut swapped = message.clone();
    swapped[..64].copy_from_slice(&message[64..128]);
    swapped[64..128].copy_from_slice(&message[..64]);
    assert!(rejects(&swapped), "outputs swapped");
    let mut copied = message.clone();
    copied.copy_within(..64, 64);
    assert!(rejects(&copied), "output copied");
    let mut remasked = message.clone();
    let moved = [point(&message[..32]) + G, point(&message[32..64]) + point(scene.lock.bytes())];
    remasked[..64].copy_from_slice(&crate::common::bytes(&moved));
    assert!(rejects(&remasked), "output masked anew");
    assert!(rejects(&message[64..]), "an output less");
    for i in points.step_by(32).skip(1) {
        let mut permuted = message.clone();
        permuted[i - 32..i].copy_from_slice(&message[i..i + 32]);
        permuted[i..i + 32].copy_from_slice(&message[i - 32..i]);
        assert!(rejects(&permuted), "commitments at {i} exchanged");
    }
    for i in responses.step_by(32) {
        let mut shifted = message.clone();
        let response = Scalar::from_canonical_bytes(message[i..i + 32].try_into().unwrap()).unwrap();
        shifted[i..i + 32].copy_from_slice((response + Scalar::ONE).as_bytes());
        assert!(rejects(&shifted), "response at {i} plus one");
    }
}

#[test]
fn a_proof_is_good_for_one_place_only() {
    let scene = Scene::new();
    let gens = &scene.party.generators;
    let message = scene.prover(&[2, 0, 3, 1]).message();
    let p = phase(1);
    assert!(scene.pile.verify(&p, seat(1), &scene.lock, gens, &message).is_ok());
    assert!(scene.pile.verify(&p, seat(0), &scene.lock, gens, &message).is_err(), "another seat");
    assert!(scene.pile.verify(&phase(2), seat(1), &scene.lock, gens, &message).is_err(), "another phase");
    let other_game = Phase { game: GameId::of(b"other"), ..p };
    assert!(scene.pile.verify(&other_game, seat(1), &scene.lock, gens, &message).is_err(), "another game");

    let other_key = Party::seeded(2, 9).lock(set(&[0, 1]));
    assert!(scene.pile.verify(&p, seat(1), &other_key, gens, &message).is_err(), "another key");
    let wrong_locks = scene.party.lock(set(&[0]));
    let error = scene.pile.verify(&p, seat(1), &wrong_locks, gens, &message).unwrap_err();
    assert!(matches!(error.fault, VerifyError::Misplaced(OperationError::OtherLocks { .. })));
    let few = Generators::new(N - 1).unwrap();
    let error = scene.pile.verify(&p, seat(1), &scene.lock, &few, &message).unwrap_err();
    assert!(matches!(error.fault, VerifyError::Misplaced(OperationError::TooMany { .. })));

    let deck = scene.party.shuffled(scene.party.all(), &[0, 1, 2, 3]);
    let pile = Deck::new(&scene.lock, &deck).unwrap();
    assert!(pile.verify(&p, seat(1), &scene.lock, gens, &message).is_err(), "another pile");
}

/// A pile with backs, and a prover for it.
fn backed() -> (Party, LockKey, BackedDeck, Vec<Entry>) {
    let party = Party::new(2);
    let lock = party.lock(party.all());
    let cards: Vec<Backed> =
        (0..N as u32).map(|f| Backed::public(&party.face(f), party.backs.get(f % 3).unwrap())).collect();
    let pile = BackedDeck::new(&lock, &cards).unwrap();
    let (pile, _) = pile
        .shuffle(&phase(0), &party.secrets[0], &lock.prepare(), &party.generators, None, party.entropy())
        .unwrap();
    let bytes = pile.to_bytes();
    let entry =
        |chunk: &[u8]| chunk.chunks(64).map(|cipher| [point(&cipher[..32]), point(&cipher[32..])]).collect();
    let inputs = bytes.chunks(128).map(entry).collect();
    (party, lock, pile, inputs)
}

#[test]
fn backs_stay_with_their_faces() {
    let (party, lock, pile, inputs) = backed();
    let ctx = context(&phase(1), 1);
    let honest = Shuffler::honest(&ctx, lock.bytes(), &inputs, &[1, 3, 0, 2]);
    let failing = |prover: &Shuffler| {
        let message = prover.message();
        let failing = pile.failing(&phase(1), seat(1), &lock, &party.generators, &message).unwrap();
        let verdict = pile.verify(&phase(1), seat(1), &lock, &party.generators, &message);
        assert_eq!(verdict.is_ok(), failing.is_empty());
        failing
    };
    assert_eq!(failing(&honest), []);
    for column in 0..2 {
        let e4 = [Equation::Reencryption { column }];
        for half in 0..2 {
            let mut altered = honest.clone();
            altered.outputs[2][column][half] += G;
            assert_eq!(failing(&altered), e4, "column {column}, half {half}");
        }
        let mut exchanged = honest.clone();
        let other = exchanged.outputs[1][column];
        exchanged.outputs[1][column] = exchanged.outputs[0][column];
        exchanged.outputs[0][column] = other;
        assert_eq!(failing(&exchanged), e4, "column {column} exchanged");
    }
    let mut scaled = identity(N);
    scaled[0][0] = scalar(2);
    scaled[1][1] = scalar(2).invert();
    assert_eq!(failing(&Shuffler::with_matrix(&ctx, lock.bytes(), &inputs, scaled)), [Equation::RowSums]);
    let mixed = Shuffler::with_matrix(&ctx, lock.bytes(), &inputs, mixing_matrix());
    assert_eq!(failing(&mixed), [Equation::Product]);
}

#[test]
fn a_one_column_proof_is_no_two_column_proof() {
    let party = Party::new(2);
    let lock = party.lock(party.all()).prepare();
    let single = Deck::new(lock.key(), &[CipherToken::of_face(&party.face(0))]).unwrap();
    let double =
        BackedDeck::new(lock.key(), &[Backed::public(&party.face(0), party.backs.get(0).unwrap())]).unwrap();
    let (_, message) = single
        .shuffle(&phase(1), &party.secrets[0], &lock, &party.generators, None, party.entropy())
        .unwrap();
    let error = double.verify(&phase(1), seat(0), lock.key(), &party.generators, &message).unwrap_err();
    assert_eq!(error.fault, VerifyError::Length { expected: 672, found: 512 });
}
