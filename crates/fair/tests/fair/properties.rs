//! Honest runs always verify: any permutation, any subset of seats, any menu, any order of shares. And no
//! bytes whatever make a verifier panic.

use crate::common::{Party, phase, seat};
use pentarchy_fair::claim::{Branches, Category, Different, Is, IsNot, Same, mint, verify_mint};
use pentarchy_fair::escrow::{Absence, DueContribution, Threshold, deal, verify_deal};
use pentarchy_fair::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::subsequence;

/// A non-empty set of four seats.
fn seats() -> impl Strategy<Value = Seats> {
    subsequence(vec![0_u8, 1, 2, 3], 1..=4).prop_map(|seats| seats.into_iter().map(seat).collect())
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_arrangement_by_any_seat(
        seed: u64,
        locks in seats(),
        shuffler in 0..4_u8,
        (faces, order) in (1..12_usize).prop_flat_map(|n| {
            (vec(0..12_u32, n), Just((0..n as u32).collect::<Vec<_>>()).prop_shuffle())
        }),
    ) {
        let party = Party::seeded(4, seed);
        let lock = party.lock(locks).prepare();
        let tokens: Vec<CipherToken> = faces.iter().map(|f| CipherToken::of_face(&party.face(*f))).collect();
        let pile = Deck::new(lock.key(), &tokens).unwrap();
        let secrets = &party.secrets[usize::from(shuffler)];
        let arrangement = Arrangement::new(order.clone()).unwrap();
        let (next, message) = pile
            .shuffle(&phase(1), secrets, &lock, &party.generators, Some(&arrangement), party.entropy())
            .unwrap();
        let verified = pile.verify(&phase(1), seat(shuffler), lock.key(), &party.generators, &message);
        prop_assert_eq!(verified, Ok(next.clone()));
        let tokens = next.release(Seats::one(seat(shuffler))).unwrap();
        for (token, from) in tokens.iter().zip(&order) {
            prop_assert_eq!(token.locks(), locks);
            prop_assert_eq!(party.reveal(token), faces[*from as usize]);
        }
    }

    #[test]
    fn any_seats_strip_in_any_order(
        seed: u64,
        locks in seats(),
        order in Just(vec![0_u8, 1, 2, 3]).prop_shuffle(),
        faces in vec(0..12_u32, 1..4),
    ) {
        let party = Party::seeded(4, seed);
        let deck = party.shuffled(locks, &faces);
        let hidden: Vec<u32> = deck.iter().map(|token| party.reveal(token)).collect();
        let mut tokens = deck.clone();
        for i in order.into_iter().filter(|i| locks.contains(seat(*i))) {
            // Shares are made for the tokens as they were at the beginning of the phase.
            let secrets = &party.secrets[usize::from(i)];
            let (_, message) = strip(&phase(1), secrets, &deck, party.entropy()).unwrap();
            let shares = verify_strip(&phase(1), party.key(i), &deck, &message).unwrap();
            tokens = tokens.iter().zip(&shares).map(|(token, share)| token.unlock(share).unwrap()).collect();
        }
        for (token, face) in tokens.iter().zip(hidden) {
            prop_assert_eq!(token.public().unwrap().face(&party.faces).unwrap().index(), face);
        }
    }

    #[test]
    fn any_card_lifted_to_any_seats(seed: u64, owner in 0..4_u8, target in seats(), face in 0..12_u32) {
        let party = Party::seeded(4, seed);
        let card = party.hand(owner, &[face])[0];
        let lock = party.lock(target);
        let secrets = &party.secrets[usize::from(owner)];
        let (token, message) = card.lift(&phase(1), secrets, &lock, party.entropy()).unwrap();
        prop_assert_eq!(card.verify_lift(&phase(1), party.key(owner), &lock, &message), Ok(token));
        prop_assert_eq!((token.locks(), party.reveal(&token)), (target, face));
    }

    #[test]
    fn claims_are_provable_exactly_if_true(
        seed: u64,
        faces in vec(0..4_u32, 2),
        menu in subsequence(vec![0_u32, 1, 2, 3], 1..=4),
        pairs in vec((0..2_u32, 0..4_u32), 1..6),
    ) {
        let party = Party::seeded(1, seed);
        let (p, secrets, key) = (phase(1), &party.secrets[0], party.key(0));
        let hand = party.hand(0, &faces);
        let choices = party.menu(&menu);

        let claim = Category { token: &hand[0], menu: &choices };
        match claim.prove(&p, secrets, party.entropy()) {
            Ok(message) => {
                prop_assert!(menu.contains(&faces[0]));
                prop_assert_eq!(claim.verify(&p, key, &message), Ok(()));
            }
            Err(refused) => {
                prop_assert_eq!(refused, OperationError::False);
                prop_assert!(!menu.contains(&faces[0]));
            }
        }
        let (same, different) =
            (Same { left: &hand[0], right: &hand[1] }, Different { left: &hand[0], right: &hand[1] });
        let (equal, unequal) =
            (same.prove(&p, secrets, party.entropy()), different.prove(&p, secrets, party.entropy()));
        prop_assert_eq!(equal.is_ok(), faces[0] == faces[1]);
        prop_assert_eq!(unequal.is_ok(), faces[0] != faces[1]);
        if let Ok(message) = equal {
            prop_assert_eq!(same.verify(&p, key, &message), Ok(()));
        }
        if let Ok(message) = unequal {
            prop_assert_eq!(different.verify(&p, key, &message), Ok(()));
        }
        let not = IsNot { token: &hand[1], face: &choices[0] };
        match not.prove(&p, secrets, party.entropy()) {
            Ok(message) => prop_assert_eq!(not.verify(&p, key, &message), Ok(())),
            Err(_) => prop_assert_eq!(faces[1], menu[0]),
        }
        let is = |(token, face): &(u32, u32)| Is { token: *token, face: party.face(*face) };
        let branches: Vec<Vec<Is>> = pairs.chunks(2).map(|pairs| pairs.iter().map(is).collect()).collect();
        let truth = pairs.chunks(2).any(|pairs| pairs.iter().all(|(t, f)| faces[*t as usize] == *f));
        let claim = Branches { tokens: &hand, branches: &branches };
        match claim.prove(&p, secrets, party.entropy()) {
            Ok(message) => {
                prop_assert!(truth);
                prop_assert_eq!(claim.verify(&p, key, &message), Ok(()));
            }
            Err(_) => prop_assert!(!truth),
        }
        let (token, message) = mint(&p, secrets, &choices, 0, party.entropy()).unwrap();
        prop_assert_eq!(verify_mint(&p, key, &choices, &message), Ok(token));
        prop_assert_eq!(token.read(secrets, &party.faces).unwrap().index(), menu[0]);
    }

    #[test]
    fn any_enough_holders_stand_in(
        seed: u64,
        t in 2..=4_u8,
        holders in Just(vec![1_u8, 2, 3, 4]).prop_shuffle(),
    ) {
        let threshold = Threshold::new(t, 4).unwrap();
        let party = Party::with(5, Some(threshold), seed);
        let keys: Vec<&SeatKey> = (1..5).map(|i| party.key(i)).collect();
        let message = deal(&party.game, &party.secrets[0], threshold, &keys, party.entropy()).unwrap();
        let sealed = verify_deal(&party.game, party.key(0), &keys, &message).unwrap();
        let deck = party.shuffled(party.all(), &[3]);
        let absence = Absence { key: party.key(0), due: DueContribution::Strip(&deck) };
        let parts: Vec<_> = holders[..usize::from(t)]
            .iter()
            .map(|i| {
                let secrets = &party.secrets[usize::from(*i)];
                let held = sealed[usize::from(*i) - 1].open(party.key(0), secrets).unwrap();
                let (_, message) = absence.stand_in(&phase(1), &held, secrets, party.entropy()).unwrap();
                absence.verify(&phase(1), seat(*i), &message).unwrap()
            })
            .collect();
        let share = absence.recover(&phase(1), &parts).unwrap().shares()[0];
        let (own, _) = strip(&phase(1), &party.secrets[0], &deck, party.entropy()).unwrap();
        prop_assert_eq!(deck[0].unlock(&share), deck[0].unlock(&own[0]));
    }

    #[test]
    fn no_bytes_make_a_verifier_panic(noise in vec(any::<u8>(), 0..1200), cut in 0..8_usize) {
        let party = Party::with(3, Some(Threshold::new(2, 2).unwrap()), 0);
        let lock = party.lock(party.all());
        let p = phase(1);
        let card = party.hand(0, &[1])[0];
        // Lengths that are right, so that decoding begins.
        let lengths = [96, 128, 160, 192, 512, 416, 64, noise.len()];
        let noise: Vec<u8> = noise.iter().copied().chain(std::iter::repeat(0)).take(lengths[cut]).collect();
        let key = party.key(0);
        let menu = party.menu(&[1, 2, 3]);
        let deck = Deck::new(&lock, &[CipherToken::of_face(&party.face(0))]).unwrap();
        let identity = party.identities[0].public();
        let enrolment = Enrolment { game: party.game, identity: &identity, escrow: party.escrow };
        prop_assert!(enrolment.verify(seat(0), &noise).is_err());
        prop_assert!(verify_contribution(&p, key, &noise).is_err());
        prop_assert!(card.verify_lift(&p, key, &lock, &noise).is_err());
        prop_assert!(verify_strip(&p, key, &[CipherToken::Private(card)], &noise).is_err());
        let category = Category { token: &card, menu: &menu };
        prop_assert!(category.verify(&p, key, &noise).is_err());
        let not = IsNot { token: &card, face: &menu[2] };
        prop_assert!(not.verify(&p, key, &noise).is_err());
        prop_assert!(verify_mint(&p, key, &menu[..1], &noise).is_err());
        prop_assert!(deck.verify(&p, seat(0), &lock, &party.generators, &noise).is_err());
        prop_assert!(verify_deal(&party.game, key, &[party.key(1), party.key(2)], &noise).is_err());
        prop_assert!(Published::verify(key, &noise).is_err());
    }
}
