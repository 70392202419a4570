//! Every operation of the protocol, played honestly from beginning to end.

use crate::common::{Party, phase, seat, set};
use pentarchy_fair::claim::{Branches, Category, Different, Is, IsNot, Same};
use pentarchy_fair::*;
use std::num::NonZeroU32;

fn sorted(mut faces: Vec<u32>) -> Vec<u32> {
    faces.sort_unstable();
    faces
}

#[test]
fn deal_play_and_reveal() {
    let party = Party::new(3);
    let faces = [0, 1, 2, 3, 3, 3, 4];
    let deck = party.shuffled(party.all(), &faces);
    assert_eq!(sorted(deck.iter().map(|token| party.reveal(token)).collect()), faces);

    let hand = party.unlock(&deck[..2], set(&[0, 2]));
    let card = hand[0].private().unwrap();
    assert_eq!(card.owner(), seat(1));
    let face = card.read(&party.secrets[1], &party.faces).unwrap().index();
    assert_eq!(face, party.reveal(&hand[0]));
    assert_eq!(card.read(&party.secrets[0], &party.faces), Err(OperationError::NotOwner(seat(1))));

    let shown = party.unlock(&hand, set(&[1]));
    assert_eq!(shown[0].public().unwrap().face(&party.faces).unwrap().index(), face);
    assert_eq!(&shown[0].to_bytes()[..32], &[0; 32], "a public token is the trivial one");
    assert_eq!(shown[0], CipherToken::of_face(&party.face(face)));
}

#[test]
fn shares_come_in_any_order_and_only_once() {
    let party = Party::new(3);
    let deck = party.shuffled(party.all(), &[0, 1, 2]);
    let phase = phase(1);
    let share = |i: usize, token: &CipherToken| {
        strip(&phase, &party.secrets[i], &[*token], party.entropy()).unwrap().0.remove(0)
    };
    let forth = deck[0].unlock(&share(0, &deck[0])).unwrap().unlock(&share(2, &deck[0])).unwrap();
    let back = deck[0].unlock(&share(2, &deck[0])).unwrap().unlock(&share(0, &deck[0])).unwrap();
    assert_eq!(forth, back);
    assert_eq!(forth.unlock(&share(0, &deck[0])), Err(OperationError::NoLock(seat(0))));
    assert_eq!(forth.unlock(&share(1, &deck[1])), Err(OperationError::OtherToken));
    assert_eq!(
        strip(&phase, &party.secrets[0], &[forth], party.entropy()).err(),
        Some(OperationError::NoLock(seat(0)))
    );
    assert_eq!(strip(&phase, &party.secrets[0], &[], party.entropy()).err(), Some(OperationError::Empty));
}

#[test]
fn peek_leaves_the_token_alone() {
    let party = Party::new(3);
    let deck = party.shuffled(party.all(), &[0, 1, 2]);
    let lock = party.lock(party.all());
    let joint = deck[0].joint().unwrap();
    let (copy, message) = joint.view(&phase(1), &party.secrets[2], &lock, party.entropy()).unwrap();
    assert_eq!(message.len(), 128);
    assert_eq!(joint.verify_view(&phase(1), party.key(2), &lock, &message), Ok(copy));
    let seen = party.unlock(&[CipherToken::Joint(copy)], set(&[0, 1]));
    let face = seen[0].private().unwrap().read(&party.secrets[2], &party.faces).unwrap().index();
    assert_eq!(face, party.reveal(&deck[0]));
    assert_ne!(CipherToken::Joint(copy).to_bytes(), deck[0].to_bytes());
}

#[test]
fn give_show_and_put_back() {
    let party = Party::new(3);
    let card = party.hand(0, &[5])[0];
    for (target, name) in [(set(&[1]), "give"), (set(&[0, 1, 2]), "put back"), (set(&[0]), "remask")] {
        let lock = party.lock(target);
        let (token, message) = card.lift(&phase(1), &party.secrets[0], &lock, party.entropy()).unwrap();
        assert_eq!(message.len(), 160);
        assert_eq!(card.verify_lift(&phase(1), party.key(0), &lock, &message), Ok(token), "{name}");
        assert_eq!(token.locks(), target);
        assert_eq!(party.reveal(&token), 5, "{name}");
    }
    let lock = party.lock(set(&[1]));
    assert_eq!(
        card.lift(&phase(1), &party.secrets[1], &lock, party.entropy()).err(),
        Some(OperationError::NotOwner(seat(0)))
    );
}

#[test]
fn the_owner_arranges_his_blocks() {
    let party = Party::new(3);
    let hand: Vec<CipherToken> = party.hand(1, &[4, 5, 6]).into_iter().map(CipherToken::Private).collect();
    let lock = party.lock(set(&[1])).prepare();
    let pile = Deck::new(lock.key(), &hand).unwrap();
    let order = Arrangement::new(vec![2, 0, 1]).unwrap();
    let (next, message) = pile
        .shuffle(&phase(1), &party.secrets[1], &lock, &party.generators, Some(&order), party.entropy())
        .unwrap();
    assert_eq!(pile.verify(&phase(1), seat(1), lock.key(), &party.generators, &message), Ok(next.clone()));
    let tokens = next.release(set(&[1])).unwrap();
    let read =
        |token: &CipherToken| token.private().unwrap().read(&party.secrets[1], &party.faces).unwrap().index();
    assert_eq!(tokens.iter().map(read).collect::<Vec<_>>(), [6, 4, 5]);
}

#[test]
fn nothing_leaves_a_pile_before_all_have_shuffled() {
    let party = Party::new(2);
    let lock = party.lock(party.all()).prepare();
    let pile = Deck::new(lock.key(), &[CipherToken::of_face(&party.face(0)); 2]).unwrap();
    assert_eq!(pile.release(party.all()), Err(OperationError::Unshuffled(party.all())));
    assert_eq!(pile.release(Seats::EMPTY), Err(OperationError::Empty));
    let (pile, _) =
        pile.shuffle(&phase(1), &party.secrets[0], &lock, &party.generators, None, party.entropy()).unwrap();
    assert_eq!(pile.release(party.all()), Err(OperationError::Unshuffled(set(&[1]))));
    assert_eq!(pile.shuffled_by(), set(&[0]));
}

#[test]
fn piles_take_only_what_is_under_their_lock() {
    let party = Party::new(2);
    let private = CipherToken::Private(party.hand(0, &[1])[0]);
    let error = Deck::new(&party.lock(party.all()), &[private]).err();
    assert_eq!(error, Some(OperationError::OtherLocks { expected: party.all(), found: set(&[0]) }));
    assert_eq!(Deck::new(&party.lock(party.all()), &[]).err(), Some(OperationError::Empty));
    assert!(Generators::new(MAX_PILE + 1).is_err());
    for order in [vec![0, 0], vec![1, 2], vec![0, u32::MAX]] {
        assert_eq!(Arrangement::new(order).err(), Some(OperationError::NoPermutation));
    }
}

#[test]
fn claims() {
    let party = Party::new(2);
    let hand = party.hand(0, &[3, 7, 7]);
    let (secrets, key) = (&party.secrets[0], party.key(0));
    let p = phase(1);

    for menu in [&[3][..], &[1, 2, 3], &[3, 1], &[1, 3, 2, 9]] {
        let menu = party.menu(menu);
        let claim = Category { token: &hand[0], menu: &menu };
        let message = claim.prove(&p, secrets, party.entropy()).unwrap();
        assert_eq!(message.len(), 64 * menu.len());
        assert_eq!(claim.verify(&p, key, &message), Ok(()));
    }
    let prove = |menu: &[u32]| {
        let menu = party.menu(menu);
        Category { token: &hand[0], menu: &menu }.prove(&p, secrets, party.entropy()).err()
    };
    assert_eq!(prove(&[1, 2]), Some(OperationError::False));
    assert_eq!(prove(&[]), Some(OperationError::Empty));
    assert_eq!(prove(&[3, 3]), Some(OperationError::Malformed));

    let same = Same { left: &hand[1], right: &hand[2] };
    let message = same.prove(&p, secrets, party.entropy()).unwrap();
    assert_eq!((message.len(), same.verify(&p, key, &message)), (64, Ok(())));
    let lie = Same { left: &hand[0], right: &hand[2] };
    assert_eq!(lie.prove(&p, secrets, party.entropy()), Err(OperationError::False));

    let different = Different { left: &hand[0], right: &hand[1] };
    let message = different.prove(&p, secrets, party.entropy()).unwrap();
    assert_eq!((message.len(), different.verify(&p, key, &message)), (128, Ok(())));
    let lie = Different { left: &hand[1], right: &hand[2] };
    assert_eq!(lie.prove(&p, secrets, party.entropy()), Err(OperationError::False));

    let not = IsNot { token: &hand[0], face: &party.face(4) };
    let message = not.prove(&p, secrets, party.entropy()).unwrap();
    assert_eq!((message.len(), not.verify(&p, key, &message)), (128, Ok(())));
    let lie = IsNot { token: &hand[0], face: &party.face(3) };
    assert_eq!(lie.prove(&p, secrets, party.entropy()), Err(OperationError::False));
}

#[test]
fn branches() {
    let party = Party::new(2);
    let hand = party.hand(1, &[3, 7, 5]);
    let (secrets, key, p) = (&party.secrets[1], party.key(1), phase(1));
    let is = |token, face| Is { token, face: party.face(face) };
    let prove = |branches: &[Vec<Is>]| {
        let claim = Branches { tokens: &hand, branches };
        let message = claim.prove(&p, secrets, party.entropy())?;
        assert_eq!(message.len(), 64 * branches.len());
        assert_eq!(claim.verify(&p, key, &message), Ok(()));
        Ok(())
    };
    // At least one 7, not told which.
    assert_eq!(prove(&[vec![is(0, 7)], vec![is(1, 7)], vec![is(2, 7)]]), Ok(()));
    // The first fits behind the third.
    assert_eq!(prove(&[vec![is(0, 1), is(2, 2)], vec![is(0, 3), is(2, 5)]]), Ok(()));
    assert_eq!(prove(&[vec![is(0, 3), is(2, 4)], vec![is(0, 4), is(2, 5)]]), Err(OperationError::False));
    assert_eq!(prove(&[]), Err(OperationError::Empty));
    assert_eq!(prove(&[vec![]]), Err(OperationError::Malformed));
    assert_eq!(prove(&[vec![is(3, 1)]]), Err(OperationError::Malformed));
}

#[test]
fn backs_open_alone() {
    let party = Party::new(2);
    let lock = party.lock(party.all()).prepare();
    let back_of = |face: u32| *party.backs.get(face % 3).unwrap();
    let cards: Vec<Backed> = (0..6).map(|f| Backed::public(&party.face(f), &back_of(f))).collect();
    let mut pile = BackedDeck::new(lock.key(), &cards).unwrap();
    for i in 0..2 {
        let (next, message) = pile
            .shuffle(&phase(1), &party.secrets[i], &lock, &party.generators, None, party.entropy())
            .unwrap();
        assert_eq!(message.len(), 288 * 6 + 384);
        let verified =
            pile.verify(&phase(1), seat(i as u8), lock.key(), &party.generators, &message).unwrap();
        assert_eq!(verified, next);
        pile = verified;
    }
    for card in pile.release(party.all()).unwrap() {
        let opened = party.unlock(&[*card.back()], party.all())[0];
        let back = opened.public().unwrap().back(&party.backs).unwrap();
        assert_eq!(*back, back_of(party.reveal(card.face())));
    }
}

#[test]
fn roll_together() {
    let party = Party::new(4);
    let p = phase(1);
    let mut values = Vec::new();
    for (i, secrets) in party.secrets.iter().enumerate() {
        let (value, message) = contribute(&p, secrets, party.entropy());
        assert_eq!(message.len(), 96);
        let verified = verify_contribution(&p, party.key(i as u8), &message).unwrap();
        assert_eq!(verified.seat(), value.seat());
        values.insert(0, verified);
    }
    let roll = |values: &[DiceValue], live| Roll::new(&p.id, live, values);
    let mut first = roll(&values, party.all()).unwrap();
    values.reverse();
    let mut second = roll(&values, party.all()).unwrap();
    let six = NonZeroU32::new(6).unwrap();
    for _ in 0..100 {
        let die = first.die(six);
        assert!((1..=6).contains(&die));
        assert_eq!(die, second.die(six));
    }
    assert_eq!(first.order(5), second.order(5));
    assert_eq!(first.coin(), second.coin());
    assert_eq!(first.pick(NonZeroU32::MAX), second.pick(NonZeroU32::MAX));

    assert_eq!(roll(&values[..3], party.all()).err(), Some(OperationError::Absent(seat(3))));
    assert_eq!(roll(&values, set(&[0, 1, 2])).err(), Some(OperationError::Absent(seat(3))));
    let twice = [values[0], values[1], values[1]];
    assert_eq!(roll(&twice, set(&[0, 1])).err(), Some(OperationError::Twice(seat(1))));
    assert_eq!(Roll::new(&phase(2).id, party.all(), &values).err(), Some(OperationError::OtherPhase));
    assert_eq!(roll(&[], Seats::EMPTY).err(), Some(OperationError::Empty));
}

#[test]
fn commit_and_open() {
    let party = Party::new(2);
    let id = phase(1).id;
    let (commitment, opening) = commit(&id, &party.secrets[0], b"retreat").unwrap();
    assert_eq!(commitment.open(&id, seat(0), &opening), Ok(&b"retreat"[..]));
    assert!(commitment.open(&id, seat(1), &opening).is_err(), "a copied commitment");
    assert!(commitment.open(&phase(2).id, seat(0), &opening).is_err(), "another phase");
    let (again, opening_again) = commit(&id, &party.secrets[0], b"retreat").unwrap();
    assert_eq!((again, opening_again), (commitment, opening), "nothing is lost in a crash");
    assert!(commit(&id, &party.secrets[0], &[0; MAX_CHOICE + 1]).is_err());
    let long = commitment.open(&id, seat(0), &[0; MAX_CHOICE + 33]).unwrap_err();
    assert_eq!(long.fault, VerifyError::TooLong { limit: MAX_CHOICE + 32, found: MAX_CHOICE + 33 });
    let (empty, opening) = commit(&id, &party.secrets[0], b"").unwrap();
    assert_eq!(empty.open(&id, seat(0), &opening), Ok(&b""[..]));
}

#[test]
fn salvage_finds_the_lost_cards() {
    let party = Party::new(4);
    let group = [0, 0, 1, 1, 1, 2, 3, 4];
    let deck = party.shuffled(party.all(), &group);
    // Seats 0, 1 and 3 hold a card each; the rest is joint. Then seat 2 leaves.
    let survivors = set(&[0, 1, 3]);
    let lock = party.lock(survivors);
    let mut held_faces = Vec::new();
    let mut held = Vec::new();
    for (i, owner) in [0_u8, 1, 3].into_iter().enumerate() {
        let card = party.unlock(&deck[i..=i], party.all().without(seat(owner)))[0];
        held_faces.push(party.reveal(&card));
        let card = card.private().unwrap();
        let secrets = &party.secrets[usize::from(owner)];
        held.push(card.lift(&phase(5), secrets, &lock, party.entropy()).unwrap().0);
    }
    let shuffle = |tokens: &[CipherToken]| {
        let lock = lock.prepare();
        let mut pile = Deck::new(lock.key(), tokens).unwrap();
        for s in survivors.iter() {
            let secrets = &party.secrets[usize::from(s.index())];
            pile =
                pile.shuffle(&phase(6), secrets, &lock, &party.generators, None, party.entropy()).unwrap().0;
        }
        pile.release(survivors).unwrap()
    };
    let held = shuffle(&held);
    let all: Vec<CipherToken> = group.iter().map(|f| CipherToken::of_face(&party.face(*f))).collect();
    let all = shuffle(&all);

    let salvage = Salvage::new(&lock, &held, &all).unwrap();
    let mut blindings = Vec::new();
    for s in survivors.iter() {
        let secrets = &party.secrets[usize::from(s.index())];
        let (_, message) = salvage.blind(&phase(7), secrets, party.entropy()).unwrap();
        assert_eq!(message.len(), 64 * 11 + 96);
        blindings.push(salvage.verify_blinding(&phase(7), party.key(s.index()), &message).unwrap());
    }
    assert_eq!(salvage.combine(&blindings[..2]).err(), Some(OperationError::Absent(seat(3))));
    let tags = party.unlock(&salvage.combine(&blindings).unwrap(), survivors);
    let (held_tags, all_tags) = tags.split_at(held.len());
    let lost = cross_off(held_tags, all_tags).unwrap();
    let mut faces: Vec<u32> = lost.iter().map(|i| party.reveal(&all[*i])).collect();
    assert_eq!(faces.len(), 5);
    faces.extend(held_faces);
    assert_eq!(sorted(faces), group, "no card is lost and none is added");
    assert_eq!(cross_off(all_tags, held_tags), Err(OperationError::Unmatched));
}

#[test]
fn the_audit_sees_everything() {
    let party = Party::new(2);
    let deck = party.shuffled(party.all(), &[5]);
    let message = publish(&party.secrets[0]);
    let published = Published::verify(party.key(0), &message).unwrap();
    assert!(Published::verify(party.key(1), &message).is_err());
    let half = Audit::new(vec![published]);
    assert_eq!(half.face(&deck[0], &party.faces).err(), Some(OperationError::Absent(seat(1))));
    let (value, bytes) = contribute(&phase(1), &party.secrets[0], party.entropy());
    assert_eq!(half.dice_value(&phase(1).id, value.seat()).unwrap()[..], bytes[..32]);
    assert_eq!(party.reveal(&deck[0]), 5);
}

#[test]
fn all_sizes_and_identical_faces() {
    let party = Party::new(1);
    let generators = Generators::new(220).unwrap();
    let lock = party.lock(party.all()).prepare();
    for n in [1, 2, 3, 7, 52, 110, 220_u32] {
        let faces: Vec<u32> = (0..n).map(|i| i % 5).collect();
        let tokens: Vec<CipherToken> = faces.iter().map(|f| CipherToken::of_face(&party.face(*f))).collect();
        let pile = Deck::new(lock.key(), &tokens).unwrap();
        let (next, message) =
            pile.shuffle(&phase(n), &party.secrets[0], &lock, &generators, None, party.entropy()).unwrap();
        assert_eq!(message.len(), 224 * n as usize + 288);
        assert_eq!(pile.verify(&phase(n), seat(0), lock.key(), &generators, &message), Ok(next.clone()));
        assert_eq!(pile.failing(&phase(n), seat(0), lock.key(), &generators, &message), Ok(vec![]));
        let after = next.release(party.all()).unwrap().iter().map(|token| party.reveal(token)).collect();
        assert_eq!(sorted(after), sorted(faces));
    }
}
