//! Every byte of every message, changed one at a time, every prefix, and one byte too many: nothing is
//! accepted.

use crate::common::{Party, phase, reject_all_flips, seat, set};
use pentarchy_fair::claim::{Branches, Category, Different, Is, IsNot, Same, mint, verify_mint};
use pentarchy_fair::escrow::{Absence, DueContribution, Threshold, Which, deal, verify_deal};
use pentarchy_fair::*;

#[test]
fn seat_keys() {
    for escrow in [None, Some(Threshold::new(3, 3).unwrap())] {
        let party = Party::with(2, escrow, 0);
        let identity = party.identities[0].public();
        let enrolment = Enrolment { game: party.game, identity: &identity, escrow };
        reject_all_flips("seat keys", &party.enrolments[0], |m| enrolment.verify(seat(0), m).is_ok());
    }
}

#[test]
fn shares() {
    let party = Party::new(2);
    let tokens = party.shuffled(party.all(), &[0, 1, 2]);
    for n in [1, 3] {
        let (_, message) = strip(&phase(1), &party.secrets[0], &tokens[..n], party.entropy()).unwrap();
        reject_all_flips("shares", &message, |m| {
            verify_strip(&phase(1), party.key(0), &tokens[..n], m).is_ok()
        });
    }
}

#[test]
fn dice() {
    let party = Party::new(1);
    let (_, message) = contribute(&phase(1), &party.secrets[0], party.entropy());
    reject_all_flips("dice", &message, |m| verify_contribution(&phase(1), party.key(0), m).is_ok());
}

#[test]
fn views_and_lifts() {
    let party = Party::new(2);
    let lock = party.lock(party.all());
    let deck = party.shuffled(party.all(), &[0, 1]);
    let joint = deck[0].joint().unwrap();
    let (_, message) = joint.view(&phase(1), &party.secrets[1], &lock, party.entropy()).unwrap();
    reject_all_flips("view", &message, |m| joint.verify_view(&phase(1), party.key(1), &lock, m).is_ok());
    let card = party.hand(1, &[3])[0];
    let (_, message) = card.lift(&phase(1), &party.secrets[1], &lock, party.entropy()).unwrap();
    reject_all_flips("lift", &message, |m| card.verify_lift(&phase(1), party.key(1), &lock, m).is_ok());
}

#[test]
fn claims() {
    let party = Party::new(1);
    let (p, secrets, key) = (phase(1), &party.secrets[0], party.key(0));
    let hand = party.hand(0, &[2, 2, 5]);
    let menu = party.menu(&[1, 2, 3]);

    let claim = Category { token: &hand[0], menu: &menu };
    let message = claim.prove(&p, secrets, party.entropy()).unwrap();
    reject_all_flips("category", &message, |m| claim.verify(&p, key, m).is_ok());
    let claim = Same { left: &hand[0], right: &hand[1] };
    let message = claim.prove(&p, secrets, party.entropy()).unwrap();
    reject_all_flips("same", &message, |m| claim.verify(&p, key, m).is_ok());
    let claim = Different { left: &hand[0], right: &hand[2] };
    let message = claim.prove(&p, secrets, party.entropy()).unwrap();
    reject_all_flips("different", &message, |m| claim.verify(&p, key, m).is_ok());
    let claim = IsNot { token: &hand[0], face: &menu[0] };
    let message = claim.prove(&p, secrets, party.entropy()).unwrap();
    reject_all_flips("is not", &message, |m| claim.verify(&p, key, m).is_ok());
    let branches = [
        vec![Is { token: 0, face: menu[1] }, Is { token: 2, face: party.face(5) }],
        vec![Is { token: 1, face: menu[0] }],
    ];
    let claim = Branches { tokens: &hand, branches: &branches };
    let message = claim.prove(&p, secrets, party.entropy()).unwrap();
    reject_all_flips("branches", &message, |m| claim.verify(&p, key, m).is_ok());
    let (_, message) = mint(&p, secrets, &menu, 2, party.entropy()).unwrap();
    reject_all_flips("mint", &message, |m| verify_mint(&p, key, &menu, m).is_ok());
}

#[test]
fn shuffles() {
    let party = Party::new(2);
    let lock = party.lock(party.all()).prepare();
    for n in [1, 3] {
        let tokens: Vec<CipherToken> = (0..n).map(|f| CipherToken::of_face(&party.face(f))).collect();
        let pile = Deck::new(lock.key(), &tokens).unwrap();
        let (_, message) = pile
            .shuffle(&phase(1), &party.secrets[0], &lock, &party.generators, None, party.entropy())
            .unwrap();
        reject_all_flips("shuffle", &message, |m| {
            pile.verify(&phase(1), seat(0), lock.key(), &party.generators, m).is_ok()
        });
    }
    let cards = [0, 1].map(|f| Backed::public(&party.face(f), party.backs.get(f).unwrap()));
    let pile = BackedDeck::new(lock.key(), &cards).unwrap();
    let (_, message) =
        pile.shuffle(&phase(1), &party.secrets[0], &lock, &party.generators, None, party.entropy()).unwrap();
    reject_all_flips("shuffle with backs", &message, |m| {
        pile.verify(&phase(1), seat(0), lock.key(), &party.generators, m).is_ok()
    });
}

#[test]
fn openings_and_secrets() {
    let party = Party::new(1);
    let id = phase(1).id;
    let (commitment, message) = commit(&id, &party.secrets[0], b"feint").unwrap();
    reject_all_flips("opening", &message, |m| commitment.open(&id, seat(0), m).is_ok());
    reject_all_flips("secrets", &publish(&party.secrets[0]), |m| Published::verify(party.key(0), m).is_ok());
}

#[test]
fn tags() {
    let party = Party::new(2);
    let lock = party.lock(party.all());
    let held = party.shuffled(party.all(), &[1]);
    let all = party.shuffled(party.all(), &[0, 1]);
    let salvage = Salvage::new(&lock, &held, &all).unwrap();
    let (_, message) = salvage.blind(&phase(1), &party.secrets[0], party.entropy()).unwrap();
    reject_all_flips("tags", &message, |m| salvage.verify_blinding(&phase(1), party.key(0), m).is_ok());
}

#[test]
fn escrow() {
    let threshold = Threshold::new(2, 2).unwrap();
    let party = Party::with(3, Some(threshold), 0);
    let (game, dealer) = (party.game, party.key(0));
    let holders = [party.key(1), party.key(2)];
    let message = deal(&game, &party.secrets[0], threshold, &holders, party.entropy()).unwrap();
    // A changed share is found by its holder, everything else by everybody.
    let accepts = |m: &[u8]| match verify_deal(&game, dealer, &holders, m) {
        Ok(sealed) => sealed
            .iter()
            .all(|sealed| sealed.open(dealer, &party.secrets[usize::from(sealed.holder().index())]).is_ok()),
        Err(_) => false,
    };
    reject_all_flips("sealed shares", &message, accepts);

    let mut wrong = message.clone();
    wrong[32] ^= 1;
    let sealed = verify_deal(&game, dealer, &holders, &wrong).unwrap()[0];
    let complaint = sealed.complain(dealer, Which::Lock, &party.secrets[1], party.entropy()).unwrap();
    reject_all_flips("complaint", &complaint, |m| sealed.judge(dealer, party.key(1), Which::Lock, m).is_ok());

    let sealed = verify_deal(&game, dealer, &holders, &message).unwrap()[0];
    let held = sealed.open(dealer, &party.secrets[1]).unwrap();
    let deck = party.shuffled(set(&[0, 1]), &[0, 1]);
    for due in [DueContribution::Strip(&deck), DueContribution::Roll] {
        let absence = Absence { key: dealer, due };
        let (_, message) = absence.stand_in(&phase(1), &held, &party.secrets[1], party.entropy()).unwrap();
        reject_all_flips("stand-in", &message, |m| absence.verify(&phase(1), seat(1), m).is_ok());
    }
}
