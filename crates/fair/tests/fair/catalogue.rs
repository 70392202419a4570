//! Rows of the attack catalogue that are impossible by construction, each as the attack that would have to
//! succeed.

use crate::common::prover::{dleq, scalar};
use crate::common::shuffler::Shuffler;
use crate::common::{Party, bytes, cipher, context, phase, point, seat, set};
use pentarchy_fair::primitives::Drbg;
use pentarchy_fair::primitives::curve25519_dalek::Scalar;
use pentarchy_fair::primitives::curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use pentarchy_fair::primitives::curve25519_dalek::ristretto::RistrettoPoint;
use pentarchy_fair::*;
use std::collections::BTreeSet;
use std::num::NonZeroU32;

fn sides(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).unwrap()
}

/// Row 6. A prover that knows logarithms of the generators it uses: verifiers hash their own.
#[test]
fn prepared_generators_are_not_used_by_verifiers() {
    let party = Party::new(2);
    let lock = party.lock(party.all());
    let tokens = party.shuffled(party.all(), &[0, 1, 2, 3]);
    let pile = Deck::new(&lock, &tokens).unwrap();
    let inputs: Vec<_> = tokens.iter().map(cipher).map(|(a, b)| vec![[a, b]]).collect();
    let accepts = |prover: &Shuffler| {
        pile.verify(&phase(1), seat(1), &lock, &party.generators, &prover.message()).is_ok()
    };
    let mut prover = Shuffler::honest(&context(&phase(1), 1), lock.bytes(), &inputs, &[2, 0, 3, 1]);
    assert!(accepts(&prover), "with the hashed generators the same prover convinces");
    prover.prepared = Some((1..=4).map(|log| G * scalar(log)).collect());
    assert!(!accepts(&prover));
}

/// Row 9. All seats but one pool their keys, in every combination.
#[test]
fn a_joint_card_stays_hidden_from_every_coalition_that_lacks_one_seat() {
    let party = Party::new(4);
    let faces: Vec<u32> = (0..12).collect();
    let points: Vec<RistrettoPoint> =
        faces.iter().map(|f| cipher(&CipherToken::of_face(&FacePoint::new(*f))).1).collect();
    for token in party.shuffled(party.all(), &faces) {
        let (a, b) = cipher(&token);
        for coalition in 0..16_u32 {
            let pooled: Scalar = (0..4).filter(|i| coalition >> i & 1 != 0).map(|i| party.x(i)).sum();
            let found = points.contains(&(b - a * pooled));
            assert_eq!(found, coalition == 0b1111, "{coalition:04b}");
        }
        // Nor do the types give it to them: with one lock left there is a private token of that seat, and no face.
        let left = party.unlock(&[token], set(&[0, 1, 2]));
        assert!(left[0].public().is_none());
        assert!(left[0].private().unwrap().read(&party.secrets[0], &party.faces).is_err());
    }
}

/// Row 10. A seat wants the others to strip a hidden card that is not its own. Shares are given only for
/// tokens, and tokens come only from verified messages; so it disguises the card as its view, its lift, its
/// minted card or its shuffle.
#[test]
fn no_disguise_makes_a_foreign_card_a_token() {
    let party = Party::new(2);
    let lock = party.lock(party.all());
    let deck = party.shuffled(party.all(), &[0, 1, 2, 3]);
    let (mine, wanted) = (deck[0], deck[1]);
    let (a, b) = cipher(&wanted);
    // Re-masked, so that it is not recognised.
    let s = scalar(77);
    let disguised = [a + G * s, b + point(lock.bytes()) * s];
    let (secrets, key, p) = (&party.secrets[0], party.key(0), phase(5));

    // A view of one card that is a view of another, with the proof that fits the other.
    let joint = mine.joint().unwrap();
    let proof = dleq("view", &context(&p, 0), s, G * s, &[point(lock.bytes())], &[point(lock.bytes()) * s]);
    let view = [bytes(&disguised), proof].concat();
    assert!(
        wanted.joint().unwrap().verify_view(&p, key, &lock, &view).is_ok(),
        "an honest view of the other"
    );
    assert!(joint.verify_view(&p, key, &lock, &view).is_err());

    // A lift of one's own card that puts out the other.
    let own = party.hand(0, &[3])[0];
    let (_, mut lift) = own.lift(&p, secrets, &lock, party.entropy()).unwrap();
    assert!(own.verify_lift(&p, key, &lock, &lift).is_ok());
    lift[..64].copy_from_slice(&bytes(&disguised));
    assert!(own.verify_lift(&p, key, &lock, &lift).is_err());

    // A minted card.
    let menu = party.menu(&[0, 1, 2, 3]);
    let (_, mut minted) = claim::mint(&p, secrets, &menu, 0, party.entropy()).unwrap();
    assert!(claim::verify_mint(&p, key, &menu, &minted).is_ok());
    minted[..64].copy_from_slice(&bytes(&disguised));
    assert!(claim::verify_mint(&p, key, &menu, &minted).is_err());

    // A shuffle of other cards that puts it out.
    let prepared = lock.prepare();
    let pile = Deck::new(&lock, &deck[2..]).unwrap();
    let (_, mut shuffle) =
        pile.shuffle(&p, secrets, &prepared, &party.generators, None, party.entropy()).unwrap();
    assert!(pile.verify(&p, seat(0), &lock, &party.generators, &shuffle).is_ok());
    shuffle[..64].copy_from_slice(&bytes(&disguised));
    assert!(pile.verify(&p, seat(0), &lock, &party.generators, &shuffle).is_err());
}

/// Row 13. Seat 0 shuffles its three cards and a roll picks one. It would like the roll to pick its first
/// card. The phase of the roll is hashed from the shuffle, so a changed arrangement has another roll, and the
/// values of the old one are rejected there. Trying arrangements beforehand does not help: the value of the
/// other seat is missing.
#[test]
fn a_hand_is_arranged_before_the_roll_that_picks_from_it() {
    let mut picked = [0; 3];
    for game in 0..150 {
        let party = Party::seeded(2, game);
        let lock = party.lock(set(&[0])).prepare();
        let hand: Vec<CipherToken> =
            party.hand(0, &[0, 1, 2]).into_iter().map(CipherToken::Private).collect();
        let pile = Deck::new(lock.key(), &hand).unwrap();
        // What it can know before it sends: its own part of the roll for each arrangement.
        let arranged = (0..4).map(|_| {
            let (pile, message) = pile
                .shuffle(&phase(1), &party.secrets[0], &lock, &party.generators, None, party.entropy())
                .unwrap();
            let id = PhaseId(GameId::of(&message).0);
            let roll = Phase { game: party.game, id };
            let (mine, _) = contribute(&roll, &party.secrets[0], party.entropy());
            let guess = Roll::new(&roll.id, set(&[0]), &[mine]).unwrap().pick(sides(3));
            let tokens = pile.release(set(&[0])).unwrap();
            let faces: Vec<u32> = tokens.iter().map(|token| party.reveal(token)).collect();
            (roll, faces, guess)
        });
        let arranged: Vec<_> = arranged.collect();
        let liked = arranged.iter().find(|(_, faces, guess)| faces[*guess as usize] == 0);
        let (roll, faces, _) = liked.unwrap_or(&arranged[0]);

        let sent: Vec<_> = party.secrets.iter().map(|s| contribute(roll, s, party.entropy())).collect();
        let values: Vec<DiceValue> = sent.iter().map(|(value, _)| *value).collect();
        let index = Roll::new(&roll.id, party.all(), &values).unwrap().pick(sides(3));
        picked[faces[index as usize] as usize] += 1;

        let other = arranged.iter().find(|(other, ..)| other.id != roll.id).unwrap();
        assert!(
            verify_contribution(&other.0, party.key(1), &sent[1].1).is_err(),
            "another arrangement, another roll"
        );
    }
    // Four tries of a roll that it could predict would show its first card in four games of five.
    assert!((30..=70).contains(&picked[0]), "{picked:?}");
}

/// Row 14. A seat has no freedom in a roll: its value is determined by its key and the phase. And the others'
/// values say nothing about the result before the last honest one.
#[test]
fn a_seat_can_neither_choose_nor_foresee_its_part_of_a_roll() {
    let party = Party::new(2);
    let p = phase(9);
    let rolls: BTreeSet<Vec<u32>> = (0..20)
        .map(|i| {
            let values = [0, 1].map(|s| {
                let (value, message) = contribute(&p, &party.secrets[s], Entropy::new([i; 32]));
                assert!(verify_contribution(&p, party.key(s as u8), &message).is_ok());
                value
            });
            Roll::new(&p.id, party.all(), &values).unwrap().order(20)
        })
        .collect();
    assert_eq!(rolls.len(), 1, "other randomness gives another proof of the same value");

    // One seat always the same; only the honest seat's key differs. What the first knows does not narrow the result.
    let fixed = Party::seeded(2, 0);
    let (known, _) = contribute(&p, &fixed.secrets[0], fixed.entropy());
    let mut faces = [0; 6];
    for game in 1..=600 {
        let honest = Party::seeded(2, game);
        let (value, _) = contribute(&p, &honest.secrets[1], honest.entropy());
        let mut roll = Roll::new(&p.id, fixed.all(), &[known, value]).unwrap();
        faces[roll.die(sides(6)) as usize - 1] += 1;
    }
    // The 99.9 % quantile of χ² with five degrees of freedom.
    let chi_square: f64 = faces.iter().map(|count| (f64::from(*count) - 100.0).powi(2) / 100.0).sum();
    assert!(chi_square < 20.5, "{faces:?}");
}

/// The key that follows from two proofs if they share their nonce: s = w + cx.
fn key_from(one: &[u8], two: &[u8]) -> Option<Scalar> {
    let read = |bytes: &[u8]| Scalar::from_canonical_bytes(bytes.try_into().unwrap()).unwrap();
    let [(c1, s1), (c2, s2)] = [one, two].map(|proof| {
        let proof = &proof[proof.len() - 64..];
        (read(&proof[..32]), read(&proof[32..]))
    });
    (c1 != c2).then(|| (s1 - s2) * (c1 - c2).invert())
}

/// Row 31. A machine whose random generator repeats itself, for example after it was restored from a copy.
#[test]
fn repeated_randomness_repeats_no_nonce() {
    let party = Party::new(2);
    let deck = party.shuffled(party.all(), &[0, 1, 2, 3]);
    let stuck = || Entropy::new([7; 32]);
    let secrets = &party.secrets[0];
    let shares = |p: u32, tokens: &[CipherToken]| strip(&phase(p), secrets, tokens, stuck()).unwrap().1;
    let dice = |p: u32| contribute(&phase(p), secrets, stuck()).1;
    let pairs = [
        (shares(1, &deck[..1]), shares(1, &deck[1..2]), party.x(0)),
        (shares(1, &deck[..1]), shares(2, &deck[..1]), party.x(0)),
        (shares(1, &deck[..2]), shares(1, &deck[..3]), party.x(0)),
        (dice(1), dice(2), party.k(0)),
    ];
    for (one, two, key) in pairs {
        assert_ne!(key_from(&one, &two), Some(key), "the proofs share a nonce and give the key away");
    }
    // The computation above does find a key where a nonce is repeated.
    let (y, x) = (G * party.x(0), party.x(0));
    let image = |base: u64| dleq("share", b"ctx", x, y, &[G * scalar(base)], &[G * scalar(base) * x]);
    assert_eq!(key_from(&image(2), &image(3)), Some(x));

    // The same statement is the same message: to send it again tells nothing new.
    assert_eq!(dice(1), dice(1));
    // Two arrangements of one hand: the nonces of the shuffle depend on the arrangement.
    let lock = party.lock(set(&[0])).prepare();
    let hand: Vec<CipherToken> = party.hand(0, &[0, 1, 2]).into_iter().map(CipherToken::Private).collect();
    let pile = Deck::new(lock.key(), &hand).unwrap();
    let arrange = |order: &[u32]| {
        let arrangement = Arrangement::new(order.to_vec()).unwrap();
        pile.shuffle(&phase(1), secrets, &lock, &party.generators, Some(&arrangement), stuck()).unwrap().1
    };
    // Outputs, then the commitments to the permutation: with equal masks their difference would show the orders.
    let (one, two) = (arrange(&[0, 1, 2]), arrange(&[1, 0, 2]));
    assert!(one.chunks(32).zip(two.chunks(32)).all(|(one, two)| one != two), "no block is the same");
}

/// Row 33. After the audit everybody knows lock and dice key of a seat, and tries to sign in its name.
#[test]
fn published_keys_sign_nothing() {
    let party = Party::new(2);
    let published = publish(&party.secrets[0]);
    assert!(Published::verify(party.key(0), &published).is_ok());
    let (x, k) = published.split_at(32);
    let array = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).unwrap();
    let mut candidates = vec![array(x), array(k), GameId::of(&published).0, GameId::of(x).0, GameId::of(k).0];
    for label in ["lock", "dice", "seat", "session", "identity", "nonce"] {
        for seed in [x, k, &published[..]] {
            let mut bytes = [0; 32];
            Drbg::new(seed, label).fill(&mut bytes);
            candidates.push(bytes);
        }
    }
    let digest = [5; 32];
    let session = party.key(0).session();
    assert!(session.verify(&digest, &party.sessions[0].sign(&digest)), "its own key signs");
    for candidate in candidates {
        let forger = SigningSecret::from_bytes(&candidate);
        assert!(!session.verify(&digest, &forger.sign(&digest)));
        assert!(!party.identities[0].public().verify(&digest, &forger.sign(&digest)));
    }
}
