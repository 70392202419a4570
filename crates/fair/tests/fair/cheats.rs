//! Provers that cheat in one equation of each proof other than the shuffle's, and satisfy the rest.

use crate::common::prover::{self, scalar};
use crate::common::{Party, bytes, cipher, context, phase, point, seat, set};
use pentarchy_fair::claim::{Branches, Category, Different, Is, IsNot, Same, verify_mint};
use pentarchy_fair::primitives::curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use pentarchy_fair::primitives::curve25519_dalek::ristretto::RistrettoPoint;
use pentarchy_fair::primitives::curve25519_dalek::scalar::Scalar;
use pentarchy_fair::primitives::hash_to_group;
use pentarchy_fair::*;

fn fault<T>(result: Result<T, MessageError>) -> Option<VerifyError> {
    result.err().map(|rejected| rejected.fault)
}

const EQUAL_LOGS: Option<VerifyError> = Some(VerifyError::Equation(Equation::EqualLogs));
const EITHER: Option<VerifyError> = Some(VerifyError::Equation(Equation::Either));
const LIFT: Option<VerifyError> = Some(VerifyError::Equation(Equation::Lift));
const UNEQUAL: Option<VerifyError> = Some(VerifyError::Equation(Equation::Unequal));

fn face_point(i: u32) -> RistrettoPoint {
    point(FacePoint::new(i).bytes())
}

/// The message of seat keys with the given keys, as if `x` and `k` were their secrets.
fn enrol(party: &Party, i: u8, keys: [RistrettoPoint; 2], x: Scalar, k: Scalar) -> Vec<u8> {
    let identity = &party.identities[usize::from(i)];
    let session = party.sessions[usize::from(i)].public();
    let ctx = [&party.game.0[..], &[i], identity.public().bytes(), session.bytes()].concat();
    let mut message = session.bytes().to_vec();
    message.extend(bytes(&keys));
    message.extend(prover::schnorr("pok-lock", &ctx, x, keys[0]));
    message.extend(prover::schnorr("pok-dice", &ctx, k, keys[1]));
    let mut hasher = blake3::Hasher::new_derive_key("pentarchy seat keys v1");
    hasher.update(&party.game.0).update(&[i]).update(&message);
    message.extend(identity.sign(hasher.finalize().as_bytes()));
    message
}

#[test]
fn keys_without_their_secrets() {
    let party = Party::new(2);
    let verify = |i: u8, message: &[u8]| {
        let identity = party.identities[usize::from(i)].public();
        fault(Enrolment { game: party.game, identity: &identity, escrow: None }.verify(seat(i), message))
    };
    let (x, k) = (scalar(3), scalar(4));
    assert_eq!(verify(1, &enrol(&party, 1, [G * x, G * k], x, k)), None);
    let known = |equation| Some(VerifyError::Equation(equation));
    assert_eq!(verify(1, &enrol(&party, 1, [G * x + G, G * k], x, k)), known(Equation::LockKnown));
    assert_eq!(verify(1, &enrol(&party, 1, [G * x, G * k + G], x, k)), known(Equation::DiceKnown));
    // A rogue key that would cancel seat 0's.
    let rogue = G * x - G * party.x(0);
    assert_eq!(verify(1, &enrol(&party, 1, [rogue, G * k], x, k)), known(Equation::LockKnown));
    let zero = RistrettoPoint::default();
    let none = Scalar::ZERO;
    assert_eq!(
        verify(1, &enrol(&party, 1, [zero, G * k], none, k)),
        Some(VerifyError::Identity(Part::LockKey))
    );
    assert_eq!(
        verify(1, &enrol(&party, 1, [G * x, zero], x, none)),
        Some(VerifyError::Identity(Part::DiceKey))
    );

    // Another seat's message, with its signature and with the copier's own signature.
    assert_eq!(verify(1, &party.enrolments[0]), known(Equation::Signature));
    let mut copied = party.enrolments[0].clone();
    copied.truncate(copied.len() - 64);
    let mut hasher = blake3::Hasher::new_derive_key("pentarchy seat keys v1");
    hasher.update(&party.game.0).update(&[1]).update(&copied);
    copied.extend(party.identities[1].sign(hasher.finalize().as_bytes()));
    assert_eq!(verify(1, &copied), known(Equation::LockKnown));
}

#[test]
fn wrong_shares() {
    let party = Party::new(2);
    let tokens = party.shuffled(party.all(), &[0, 1, 2]);
    let p = phase(1);
    let (x, y) = (party.x(0), G * party.x(0));
    let bases: Vec<RistrettoPoint> = tokens.iter().map(|token| cipher(token).0).collect();
    let images = |x: Scalar| bases.iter().map(|base| base * x).collect::<Vec<_>>();
    let verify = |images: &[RistrettoPoint], x: Scalar| {
        let mut message = bytes(images);
        message.extend(prover::dleq("share", &context(&p, 0), x, y, &bases, images));
        fault(verify_strip(&p, party.key(0), &tokens, &message))
    };
    assert_eq!(verify(&images(x), x), None);
    // The first equation only: all shares by another key.
    assert_eq!(verify(&images(x + Scalar::ONE), x + Scalar::ONE), EQUAL_LOGS);
    // The second only: one wrong share, two that cancel, two exchanged.
    let mut wrong = images(x);
    wrong[1] += G;
    assert_eq!(verify(&wrong, x), EQUAL_LOGS);
    wrong[0] -= G;
    assert_eq!(verify(&wrong, x), EQUAL_LOGS);
    let mut exchanged = images(x);
    exchanged.swap(0, 2);
    assert_eq!(verify(&exchanged, x), EQUAL_LOGS);

    let (_, message) = strip(&p, &party.secrets[0], &tokens, party.entropy()).unwrap();
    assert_eq!(fault(verify_strip(&phase(2), party.key(0), &tokens, &message)), EQUAL_LOGS);
    assert_eq!(fault(verify_strip(&p, party.key(1), &tokens, &message)), EQUAL_LOGS);
    let private = party.unlock(&tokens, set(&[0]));
    let error = verify_strip(&p, party.key(0), &private, &message).unwrap_err();
    assert_eq!(error.fault, VerifyError::Misplaced(OperationError::NoLock(seat(0))));
    assert_eq!(error.seat, seat(0));
}

#[test]
fn wrong_dice() {
    let party = Party::new(2);
    let p = phase(1);
    let (k, y) = (party.k(0), G * party.k(0));
    let input = *hash_to_group("vrf", &p.id.0).point();
    let verify = |value: RistrettoPoint, k: Scalar| {
        let mut message = bytes(&[value]);
        message.extend(prover::dleq("vrf", &context(&p, 0), k, y, &[input], &[value]));
        fault(verify_contribution(&p, party.key(0), &message))
    };
    assert_eq!(verify(input * k, k), None);
    assert_eq!(verify(input * (k + Scalar::ONE), k + Scalar::ONE), EQUAL_LOGS, "another key");
    assert_eq!(verify(input * k + G, k), EQUAL_LOGS, "another value");
    let other = *hash_to_group("vrf", &phase(2).id.0).point();
    assert_eq!(verify(other * k, k), EQUAL_LOGS, "the value of another phase");
    let (_, message) = contribute(&phase(2), &party.secrets[0], party.entropy());
    assert_eq!(fault(verify_contribution(&p, party.key(0), &message)), EQUAL_LOGS);
    let (_, message) = contribute(&p, &party.secrets[0], party.entropy());
    assert_eq!(fault(verify_contribution(&p, party.key(1), &message)), EQUAL_LOGS, "somebody else's");
}

#[test]
fn wrong_views() {
    let party = Party::new(2);
    let deck = party.shuffled(party.all(), &[0, 1]);
    let joint = deck[0].joint().unwrap();
    let lock = party.lock(party.all());
    let y = point(lock.bytes());
    let p = phase(1);
    let (a, b) = cipher(&deck[0]);
    let verify = |a_shift: RistrettoPoint, b_shift: RistrettoPoint, s: Scalar| {
        let mut message = bytes(&[a + a_shift, b + b_shift]);
        message.extend(prover::dleq("view", &context(&p, 1), s, a_shift, &[y], &[b_shift]));
        fault(joint.verify_view(&p, party.key(1), &lock, &message))
    };
    let s = scalar(77);
    assert_eq!(verify(G * s, y * s, s), None);
    assert_eq!(verify(G * s + G, y * s, s), EQUAL_LOGS, "first equation");
    assert_eq!(verify(G * s, y * s + face_point(5) - face_point(0), s), EQUAL_LOGS, "another face");
    let zero = RistrettoPoint::default();
    assert_eq!(verify(zero, zero, Scalar::ZERO), Some(VerifyError::Identity(Part::Token)), "an open copy");
    let other = party.shuffled(set(&[0]), &[0])[0];
    assert!(other.joint().is_none());
    let error = joint.verify_view(&p, party.key(1), &party.lock(set(&[1])), &[0; 128]).unwrap_err();
    assert!(matches!(error.fault, VerifyError::Misplaced(OperationError::OtherLocks { .. })));
}

#[test]
fn wrong_lifts() {
    let party = Party::new(3);
    let card = party.hand(0, &[5])[0];
    let (a, b) = cipher(&CipherToken::Private(card));
    let lock = party.lock(set(&[1, 2]));
    let target = point(lock.bytes());
    let p = phase(1);
    let (x, r) = (party.x(0), scalar(99));
    let lifted = |x: Scalar| [G * r, b - a * x + target * r];
    let verify = |lifted: [RistrettoPoint; 2], x: Scalar| {
        let message = prover::lift(&p, &card, &lock, G * party.x(0), lifted, x, r);
        fault(card.verify_lift(&p, party.key(0), &lock, &message))
    };
    assert_eq!(verify(lifted(x), x), None);
    let other = x + Scalar::ONE;
    assert_eq!(verify(lifted(other), other), LIFT, "first equation: another key");
    let [a2, b2] = lifted(x);
    assert_eq!(verify([a2 + G, b2], x), LIFT, "second equation: another mask");
    assert_eq!(verify([a2, b2 + face_point(6) - face_point(5)], x), LIFT, "third equation: another face");
    let message =
        prover::lift(&p, &card, &lock, G * x, [RistrettoPoint::default(), b - a * x], x, Scalar::ZERO);
    let open = fault(card.verify_lift(&p, party.key(0), &lock, &message));
    assert_eq!(open, Some(VerifyError::Identity(Part::Token)), "an open copy");

    let (_, message) = card.lift(&p, &party.secrets[0], &lock, party.entropy()).unwrap();
    assert_eq!(fault(card.verify_lift(&p, party.key(0), &party.lock(set(&[1])), &message)), LIFT);
    let twin = party.hand(0, &[5])[0];
    assert_eq!(fault(twin.verify_lift(&p, party.key(0), &lock, &message)), LIFT, "another token");
    let error = card.verify_lift(&p, party.key(1), &lock, &message).unwrap_err();
    assert_eq!(error.fault, VerifyError::Misplaced(OperationError::NotOwner(seat(0))));
}

#[test]
fn false_categories_and_mints() {
    let party = Party::new(2);
    let p = phase(1);
    let (x, y) = (party.x(0), G * party.x(0));
    let menu = party.menu(&[1, 2, 3]);
    let points: Vec<RistrettoPoint> = menu.iter().map(|face| point(face.bytes())).collect();
    let ctx = |a: RistrettoPoint, b: RistrettoPoint| {
        let mut t = primitives::Transcript::new("category", &context(&p, 0));
        t.append("Y", &bytes(&[y]));
        t.append("ct", &bytes(&[a, b]));
        t.append("cat", &bytes(&points));
        t
    };
    let branches =
        |a: RistrettoPoint, b: RistrettoPoint| points.iter().map(|m| vec![(a, b - m)]).collect::<Vec<_>>();
    let mint = |a: RistrettoPoint, b: RistrettoPoint, x: Scalar, truth: usize| {
        let mut message = bytes(&[a, b]);
        message.extend(prover::either(ctx(a, b), x, y, &branches(a, b), truth));
        fault(verify_mint(&p, party.key(0), &menu, &message))
    };
    let a = G * scalar(8);
    for (truth, face) in points.iter().enumerate() {
        assert_eq!(mint(a, face + a * x, x, truth), None);
        // The first equation only: locked with another key, so that the owner could open it as any card later.
        let other = x + Scalar::ONE;
        assert_eq!(mint(a, face + a * other, other, truth), EITHER);
        // The second only: a face that is not on the menu.
        assert_eq!(mint(a, face_point(9) + a * x, x, truth), EITHER);
    }
    let zero = RistrettoPoint::default();
    assert_eq!(mint(zero, points[0], x, 0), Some(VerifyError::Identity(Part::Token)));

    let hand = party.hand(0, &[2, 2]);
    let claim = Category { token: &hand[0], menu: &menu };
    let message = claim.prove(&p, &party.secrets[0], party.entropy()).unwrap();
    assert_eq!(fault(claim.verify(&p, party.key(0), &message)), None);
    let moved = Category { token: &hand[1], menu: &menu };
    assert_eq!(fault(moved.verify(&p, party.key(0), &message)), EITHER, "moved to another token");
    let other_menu = party.menu(&[1, 2, 4]);
    let moved = Category { token: &hand[0], menu: &other_menu };
    assert_eq!(fault(moved.verify(&p, party.key(0), &message)), EITHER, "moved to another menu");
    let reordered = party.menu(&[2, 1, 3]);
    let moved = Category { token: &hand[0], menu: &reordered };
    assert_eq!(fault(moved.verify(&p, party.key(0), &message)), EITHER, "moved to another order");
    assert_eq!(fault(claim.verify(&phase(2), party.key(0), &message)), EITHER, "moved to another phase");
    // The sum of the challenges only: one branch more than there is, simulated.
    let mut extra = message;
    extra[..64].copy_from_slice(&[0; 64]);
    assert_eq!(fault(claim.verify(&p, party.key(0), &extra)), EITHER);
}

#[test]
fn false_relations() {
    let party = Party::new(2);
    let p = phase(1);
    let (x, y) = (party.x(0), G * party.x(0));
    let hand = party.hand(0, &[4, 4, 7]);
    let ciphers: Vec<_> = hand.iter().map(|token| cipher(&CipherToken::Private(*token))).collect();
    let difference = |i: usize, j: usize| [ciphers[i].0 - ciphers[j].0, ciphers[i].1 - ciphers[j].1];

    let same = |i: usize, j: usize, x: Scalar| {
        let [a, b] = difference(i, j);
        let message = prover::dleq("same", &context(&p, 0), x, y, &[a], &[b]);
        fault(Same { left: &hand[i], right: &hand[j] }.verify(&p, party.key(0), &message))
    };
    assert_eq!(same(0, 1, x), None);
    assert_eq!(same(0, 2, x), EQUAL_LOGS, "they differ");
    assert_eq!(same(0, 1, x + Scalar::ONE), EQUAL_LOGS, "another key");

    let rho = scalar(31);
    let different = |i: usize, j: usize, c: RistrettoPoint, rho: Scalar, mu: Scalar| {
        let message = prover::unequal(&p, 0, y, difference(i, j), c, rho, mu);
        fault(Different { left: &hand[i], right: &hand[j] }.verify(&p, party.key(0), &message))
    };
    let blind = |i: usize, j: usize, rho: Scalar, mu: Scalar| {
        let [a, b] = difference(i, j);
        b * rho - a * mu
    };
    assert_eq!(different(0, 2, blind(0, 2, rho, rho * x), rho, rho * x), None);
    let zero = blind(0, 1, rho, rho * x);
    let equal = different(0, 1, zero, rho, rho * x);
    assert_eq!(equal, Some(VerifyError::Identity(Part::Difference)), "they are equal, so C = 0");
    assert_eq!(different(0, 1, G, rho, rho * x), UNEQUAL, "first equation: C replaced");
    let mu = rho * (x + Scalar::ONE);
    assert_eq!(different(0, 1, blind(0, 1, rho, mu), rho, mu), UNEQUAL, "second equation: another key");

    let not = |face: u32, rho: Scalar, mu: Scalar| {
        let (a, b) = ciphers[0];
        let b = b - face_point(face);
        let message = prover::unequal(&p, 0, y, [a, b], b * rho - a * mu, rho, mu);
        fault(IsNot { token: &hand[0], face: &party.face(face) }.verify(&p, party.key(0), &message))
    };
    assert_eq!(not(5, rho, rho * x), None);
    assert_eq!(not(4, rho, rho * x), Some(VerifyError::Identity(Part::Difference)));
    assert_eq!(not(4, rho, mu), UNEQUAL);
    assert_eq!(
        not(5, Scalar::ZERO, Scalar::ZERO),
        Some(VerifyError::Identity(Part::Difference)),
        "no blinding"
    );
}

#[test]
fn false_branches() {
    let party = Party::new(2);
    let p = phase(1);
    let (x, y) = (party.x(1), G * party.x(1));
    let hand = party.hand(1, &[3, 7]);
    let tokens: Vec<CipherToken> = hand.iter().map(|token| CipherToken::Private(*token)).collect();
    let verify = |tokens: &[Private], branches: &[Vec<(u32, u32)>], message: &[u8]| {
        let is = |(token, face): &(u32, u32)| Is { token: *token, face: party.face(*face) };
        let branches: Vec<Vec<Is>> = branches.iter().map(|branch| branch.iter().map(is).collect()).collect();
        fault(Branches { tokens, branches: &branches }.verify(&p, party.key(1), message))
    };
    let prove = |branches: &[Vec<(u32, u32)>], x: Scalar, truth: usize| {
        let named: Vec<Vec<_>> = branches
            .iter()
            .map(|branch| branch.iter().map(|(t, f)| (*t, face_point(*f))).collect())
            .collect();
        let pairs: Vec<Vec<_>> = named
            .iter()
            .map(|branch| {
                let pair = |(t, m): &(u32, RistrettoPoint)| {
                    let (a, b) = cipher(&tokens[*t as usize]);
                    (a, b - m)
                };
                branch.iter().map(pair).collect()
            })
            .collect();
        prover::either(prover::branches_transcript(&p, 1, y, &tokens, &named), x, y, &pairs, truth)
    };
    let branches = vec![vec![(0, 3), (1, 7)], vec![(0, 4)], vec![(0, 3), (1, 8)], vec![(1, 3)]];
    let message = prove(&branches, x, 0);
    assert_eq!(verify(&hand, &branches, &message), None);
    for (i, name) in [(1, "false"), (2, "half-true"), (3, "of another token")] {
        assert_eq!(verify(&hand, &branches, &prove(&branches, x, i)), EITHER, "branch {name}");
    }
    assert_eq!(verify(&hand, &branches, &prove(&branches, x + Scalar::ONE, 0)), EITHER, "another key");
    assert_eq!(verify(&[hand[1], hand[0]], &branches, &message), EITHER, "tokens exchanged");
    let mut other = branches;
    other.swap(1, 2);
    assert_eq!(verify(&hand, &other, &message), EITHER, "branches exchanged");
    // The same pairs, divided otherwise into branches.
    let joined = vec![vec![(0, 3)], vec![(1, 7), (0, 4)], vec![(0, 3), (1, 8)], vec![(1, 3)]];
    assert_eq!(verify(&hand, &joined, &message), EITHER);
    for (malformed, refused) in [
        (vec![], OperationError::Empty),
        (vec![vec![]], OperationError::Malformed),
        (vec![vec![(2, 0)]], OperationError::Malformed),
    ] {
        let empty = vec![0; 64 * malformed.len()];
        assert_eq!(verify(&hand, &malformed, &empty), Some(VerifyError::Misplaced(refused)));
    }
}

#[test]
fn wrong_tags() {
    let party = Party::new(2);
    let lock = party.lock(party.all());
    let all = party.shuffled(party.all(), &[0, 1]);
    let held = party.shuffled(party.all(), &[1]);
    let salvage = Salvage::new(&lock, &held, &all).unwrap();
    let p = phase(1);
    let bases: Vec<RistrettoPoint> = held
        .iter()
        .chain(&all)
        .flat_map(|token| {
            let (a, b) = cipher(token);
            [a, b]
        })
        .collect();
    let message = |i: u8, key: RistrettoPoint, images: &[RistrettoPoint], z: Scalar| {
        let mut message = bytes(&[key]);
        message.extend(bytes(images));
        message.extend(prover::dleq("tag", &context(&p, i), z, key, &bases, images));
        message
    };
    let images = |z: Scalar| bases.iter().map(|base| base * z).collect::<Vec<_>>();
    let verify = |message: &[u8]| fault(salvage.verify_blinding(&p, party.key(0), message));
    let z = scalar(5);
    assert_eq!(verify(&message(0, G * z, &images(z), z)), None);
    assert_eq!(verify(&message(0, G * z + G, &images(z), z)), EQUAL_LOGS, "first equation");
    let mut wrong = images(z);
    wrong[3] += G;
    wrong[1] -= G;
    assert_eq!(verify(&message(0, G * z, &wrong, z)), EQUAL_LOGS, "second equation");
    let none = message(0, RistrettoPoint::default(), &images(Scalar::ZERO), Scalar::ZERO);
    assert_eq!(verify(&none), Some(VerifyError::Identity(Part::BlindingKey)));

    // Two colluding seats choose z and −z: all tags would be equal.
    let blinding = |i: u8, z: Scalar| {
        salvage.verify_blinding(&p, party.key(i), &message(i, G * z, &images(z), z)).unwrap()
    };
    assert_eq!(salvage.combine(&[blinding(0, z), blinding(1, -z)]).err(), Some(OperationError::Cancelled));
    assert!(salvage.combine(&[blinding(0, z), blinding(1, z)]).is_ok());
    assert_eq!(
        salvage.combine(&[blinding(0, z), blinding(0, z)]).err(),
        Some(OperationError::Twice(seat(0)))
    );
    let other = Salvage::new(&lock, &[], &all).unwrap();
    let (mixed, _) = other.blind(&p, &party.secrets[1], party.entropy()).unwrap();
    assert_eq!(salvage.combine(&[blinding(0, z), mixed]).err(), Some(OperationError::OtherToken));
}

#[test]
fn wrong_secrets_and_openings() {
    let party = Party::new(2);
    let message = publish(&party.secrets[0]);
    let mut swapped = message;
    swapped[..32].copy_from_slice(&message[32..]);
    swapped[32..].copy_from_slice(&message[..32]);
    let wrong = Some(VerifyError::Equation(Equation::PublicKey));
    assert_eq!(fault(Published::verify(party.key(0), &swapped)), wrong);
    for half in 0..2 {
        let mut one = message;
        one[32 * half..32 * half + 32].copy_from_slice(scalar(9).as_bytes());
        assert_eq!(fault(Published::verify(party.key(0), &one)), wrong, "half {half}");
    }
    let (commitment, mut opening) = commit(&phase(1).id, &party.secrets[0], b"attack").unwrap();
    opening[33] ^= 1;
    let error = commitment.open(&phase(1).id, seat(0), &opening).unwrap_err();
    assert_eq!(
        error,
        MessageError {
            seat: seat(0),
            message: Message::Choice,
            fault: VerifyError::Equation(Equation::Opening)
        }
    );
    assert_eq!(error.to_string(), "seat 0, opened choice: the commitment does not hold");
}
