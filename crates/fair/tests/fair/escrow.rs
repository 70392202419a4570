//! Escrow: sealed shares, complaints, and standing in for a seat that is gone.

use crate::common::prover::{self, scalar};
use crate::common::{Party, bytes, cipher, context, phase, point, seat, set};
use pentarchy_fair::escrow::{
    Absence, DueContribution, HeldShares, SealedShares, StandIn, Threshold, Which, deal, verify_deal,
};
use pentarchy_fair::primitives::Transcript;
use pentarchy_fair::primitives::curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as G;
use pentarchy_fair::primitives::curve25519_dalek::ristretto::RistrettoPoint;
use pentarchy_fair::primitives::curve25519_dalek::scalar::Scalar;
use pentarchy_fair::*;

const SEAL: usize = 128;

struct Scene {
    party: Party,
    threshold: Threshold,
}

impl Scene {
    /// Four seats, any two of the others can stand in.
    fn new() -> Self {
        let threshold = Threshold::new(2, 3).unwrap();
        Self { party: Party::with(4, Some(threshold), 0), threshold }
    }

    fn holders(&self, dealer: u8) -> Vec<&SeatKey> {
        (0..4).filter(|i| *i != dealer).map(|i| self.party.key(i)).collect()
    }

    fn message(&self, dealer: u8) -> Vec<u8> {
        let secrets = &self.party.secrets[usize::from(dealer)];
        let holders = self.holders(dealer);
        deal(&self.party.game, secrets, self.threshold, &holders, self.party.entropy()).unwrap()
    }

    fn verify(&self, dealer: u8, message: &[u8]) -> Result<Vec<SealedShares>, MessageError> {
        verify_deal(&self.party.game, self.party.key(dealer), &self.holders(dealer), message)
    }

    /// All opened shares of a dealer.
    fn held(&self, dealer: u8) -> Vec<HeldShares> {
        let sealed = self.verify(dealer, &self.message(dealer)).unwrap();
        let open = |sealed: &SealedShares| {
            let secrets = &self.party.secrets[usize::from(sealed.holder().index())];
            sealed.open(self.party.key(dealer), secrets).unwrap()
        };
        sealed.iter().map(open).collect()
    }

    fn part(&self, absence: &Absence<'_>, p: &Phase, held: &HeldShares) -> StandIn {
        let secrets = &self.party.secrets[usize::from(held.holder().index())];
        let (_, message) = absence.stand_in(p, held, secrets, self.party.entropy()).unwrap();
        absence.verify(p, held.holder(), &message).unwrap()
    }
}

#[test]
fn thresholds() {
    for (t, holders) in [(0, 3), (1, 3), (4, 3), (2, 1), (2, 33)] {
        assert_eq!(Threshold::new(t, holders), Err(OperationError::Threshold));
    }
    assert_eq!(Threshold::new(3, 3).unwrap().get(), 3);
}

#[test]
fn two_of_three_stand_in() {
    let scene = Scene::new();
    let party = &scene.party;
    let deck = party.shuffled(party.all(), &[0, 1, 2]);
    let held = scene.held(1);
    let p = phase(1);

    let absence = Absence { key: party.key(1), due: DueContribution::Strip(&deck) };
    for pair in [[0, 1], [1, 2], [2, 0]] {
        let parts = pair.map(|i| scene.part(&absence, &p, &held[i]));
        let recovered = absence.recover(&p, &parts).unwrap();
        let (own, _) = strip(&p, &party.secrets[1], &deck, party.entropy()).unwrap();
        for ((token, theirs), own) in deck.iter().zip(recovered.shares()).zip(&own) {
            assert_eq!(token.unlock(&theirs), token.unlock(own));
        }
        assert_eq!(recovered.dice_value(&p).err(), Some(OperationError::OtherPhase));
    }
    let one = [scene.part(&absence, &p, &held[0])];
    assert_eq!(absence.recover(&p, &one).err(), Some(OperationError::Threshold));
    let twice = [scene.part(&absence, &p, &held[0]), scene.part(&absence, &p, &held[0])];
    assert_eq!(absence.recover(&p, &twice).err(), Some(OperationError::Twice(seat(0))));

    let other = Absence { key: party.key(1), due: DueContribution::Strip(&deck[..1]) };
    let mixed = [scene.part(&absence, &p, &held[0]), scene.part(&other, &p, &held[1])];
    assert_eq!(absence.recover(&p, &mixed).err(), Some(OperationError::OtherToken));

    let absence = Absence { key: party.key(1), due: DueContribution::Roll };
    let parts = [scene.part(&absence, &p, &held[0]), scene.part(&absence, &p, &held[2])];
    let value = absence.recover(&p, &parts).unwrap().dice_value(&p).unwrap();
    let (own, _) = contribute(&p, &party.secrets[1], party.entropy());
    let mut theirs = Roll::new(&p.id, set(&[1]), &[value]).unwrap();
    let mut own = Roll::new(&p.id, set(&[1]), &[own]).unwrap();
    assert_eq!(theirs.order(20), own.order(20));
}

#[test]
fn a_second_leaver_is_replaced_through_his_own_escrow() {
    let scene = Scene::new();
    let party = &scene.party;
    // Seats 1 and 2 are gone; seat 2 held a share of seat 1's keys.
    let sealed = scene.verify(1, &scene.message(1)).unwrap();
    let lost = &sealed[1];
    assert_eq!((lost.dealer(), lost.holder()), (seat(1), seat(2)));
    let held = scene.held(2);
    let p = phase(1);
    let absence = Absence { key: party.key(2), due: DueContribution::Seals(lost) };
    let parts = [scene.part(&absence, &p, &held[0]), scene.part(&absence, &p, &held[2])];
    let recovered = absence.recover(&p, &parts).unwrap().held(lost, party.key(1)).unwrap();
    assert_eq!((recovered.dealer(), recovered.holder()), (seat(1), seat(2)));

    let absence = Absence { key: party.key(1), due: DueContribution::Roll };
    let (_, message) = absence.stand_in(&p, &recovered, &party.secrets[0], party.entropy()).unwrap();
    assert!(absence.verify(&p, seat(2), &message).is_ok());
    let wrong = Absence { key: party.key(3), due: DueContribution::Seals(lost) };
    assert_eq!(wrong.recover(&p, &[]).err(), Some(OperationError::NotOwner(seat(2))));
}

#[test]
fn a_wrong_share_is_exposed() {
    let scene = Scene::new();
    let party = &scene.party;
    let (dealer, holder) = (party.key(0), party.key(2));
    for (offset, which) in [(0, Which::Lock), (SEAL, Which::Dice)] {
        let mut message = scene.message(0);
        // The second holder is seat 2; the sealed share follows E.
        message[2 * SEAL + offset + 32] ^= 1;
        let sealed = scene.verify(0, &message).unwrap()[1];
        let error = sealed.open(dealer, &party.secrets[2]).err().unwrap();
        assert_eq!((error.seat, error.message), (seat(0), Message::Escrow));
        let complaint = sealed.complain(dealer, which, &party.secrets[2], party.entropy()).unwrap();
        assert_eq!(complaint.len(), 96);
        assert_eq!(sealed.judge(dealer, holder, which, &complaint), Ok(error));
        // About the right half there is nothing to complain.
        let other = if which == Which::Lock { Which::Dice } else { Which::Lock };
        let refused = sealed.complain(dealer, other, &party.secrets[2], party.entropy());
        assert_eq!(refused, Err(OperationError::False));
        assert!(sealed.judge(dealer, holder, other, &complaint).is_err());
    }
}

#[test]
fn a_false_complaint_falls_back() {
    let scene = Scene::new();
    let party = &scene.party;
    let (dealer, holder) = (party.key(0), party.key(2));
    let message = scene.message(0);
    let sealed = scene.verify(0, &message).unwrap()[1];
    let point = point(&message[2 * SEAL..2 * SEAL + 32]);
    let ctx = [&party.game.0[..], &[0, 2, 0]].concat();
    let (x, y) = (party.x(2), G * party.x(2));
    let complaint = |secret: RistrettoPoint, x: Scalar| {
        let mut complaint = bytes(&[secret]);
        complaint.extend(prover::dleq("complaint", &ctx, x, y, &[point], &[secret]));
        sealed.judge(dealer, holder, Which::Lock, &complaint)
    };
    let rejected = |fault| Err(MessageError { seat: seat(2), message: Message::Complaint, fault });
    assert_eq!(
        complaint(point * x, x),
        rejected(VerifyError::Groundless),
        "the true secret opens a true share"
    );
    let logs = rejected(VerifyError::Equation(Equation::EqualLogs));
    assert_eq!(complaint(point * x + G, x), logs, "a false secret");
    assert_eq!(complaint(point * (x + Scalar::ONE), x + Scalar::ONE), logs, "another key");
}

#[test]
fn a_copied_seal_cannot_be_complained_open() {
    // Seat 3 sends seat 2 the seal that seat 0 made for seat 2, hoping that the complaint opens it.
    let scene = Scene::new();
    let theirs = scene.message(0);
    let mut copy = scene.message(3);
    copy[2 * 2 * SEAL..2 * 2 * SEAL + 2 * SEAL].copy_from_slice(&theirs[2 * SEAL..4 * SEAL]);
    let error = scene.verify(3, &copy).err().unwrap();
    assert_eq!((error.seat, error.fault), (seat(3), VerifyError::Equation(Equation::SealKnown)));
    // Shifting it by a known amount does not help.
    let shifted = point(&theirs[2 * SEAL..2 * SEAL + 32]) + G;
    let ctx = [&scene.party.game.0[..], &[3, 2, 0]].concat();
    copy[4 * SEAL..4 * SEAL + 32].copy_from_slice(&bytes(&[shifted]));
    let forged = prover::schnorr("escrow-kem", &ctx, scalar(1), shifted);
    copy[4 * SEAL + 64..5 * SEAL].copy_from_slice(&forged);
    assert_eq!(scene.verify(3, &copy).err(), Some(error));
}

#[test]
fn seals_follow_the_document() {
    let scene = Scene::new();
    let party = &scene.party;
    let (e, share) = (scalar(17), scalar(1234));
    let ctx = [&party.game.0[..], &[0, 1, 0]].concat();
    let mut t = Transcript::new("escrow", &ctx);
    t.append("kem", &bytes(&[G * e, G * party.x(1) * e]));
    let mut pad = [0; 32];
    t.challenge("pad", &mut pad);
    let sealed: Vec<u8> = share.as_bytes().iter().zip(pad).map(|(share, pad)| share ^ pad).collect();
    let mut message = scene.message(0);
    message[..32].copy_from_slice(&bytes(&[G * e]));
    message[32..64].copy_from_slice(&sealed);
    message[64..128].copy_from_slice(&prover::schnorr("escrow-kem", &ctx, e, G * e));
    let sealed = scene.verify(0, &message).unwrap()[0];
    // It opens to a canonical scalar, which does not lie on the polynomial.
    let error = sealed.open(party.key(0), &party.secrets[1]).err().unwrap();
    assert_eq!(error.fault, VerifyError::Equation(Equation::Polynomial));
}

#[test]
fn wrong_stand_ins() {
    let scene = Scene::new();
    let party = &scene.party;
    let deck = party.shuffled(party.all(), &[0, 1]);
    let p = phase(1);
    let absence = Absence { key: party.key(1), due: DueContribution::Strip(&deck) };
    let bases: Vec<RistrettoPoint> = deck.iter().map(|token| cipher(token).0).collect();
    // Seat 0's share of seat 1's lock key, from the polynomial that follows from seat 1's seed.
    let slope = primitives::Drbg::new(&**party.secrets[1].seed(), "escrow lock").scalar();
    let share = party.x(1) + slope;
    let verify = |images: &[RistrettoPoint], x: Scalar| {
        let mut message = bytes(images);
        message.extend(prover::dleq("stand-in", &context(&p, 0), x, G * share, &bases, images));
        absence.verify(&p, seat(0), &message).err().map(|rejected| rejected.fault)
    };
    let images = |x: Scalar| bases.iter().map(|base| base * x).collect::<Vec<_>>();
    assert_eq!(verify(&images(share), share), None);
    let logs = Some(VerifyError::Equation(Equation::EqualLogs));
    let other = share + Scalar::ONE;
    assert_eq!(verify(&images(other), other), logs, "first equation");
    let mut wrong = images(share);
    wrong[0] += G;
    wrong[1] -= G;
    assert_eq!(verify(&wrong, share), logs, "second equation");

    let held = scene.held(1);
    let (_, message) = absence.stand_in(&p, &held[0], &party.secrets[0], party.entropy()).unwrap();
    assert!(absence.verify(&p, seat(2), &message).is_err(), "another holder");
    assert!(absence.verify(&phase(2), seat(0), &message).is_err(), "another phase");
    let absent = absence.verify(&p, seat(1), &message).err().unwrap();
    assert_eq!(absent.fault, VerifyError::Misplaced(OperationError::Absent(seat(1))));
}

#[test]
fn escrow_needs_the_mode_and_enough_holders() {
    let scene = Scene::new();
    let party = &scene.party;
    let holders = scene.holders(0);
    let secrets = &party.secrets[0];
    let deal = |holders: &[&SeatKey]| deal(&party.game, secrets, scene.threshold, holders, party.entropy());
    assert_eq!(deal(&holders[..1]).err(), Some(OperationError::Threshold));
    assert_eq!(deal(&[holders[0], holders[0]]).err(), Some(OperationError::Twice(seat(1))));
    assert_eq!(deal(&[holders[0], party.key(0)]).err(), Some(OperationError::Twice(seat(0))));
    let plain = Party::new(4);
    let error = verify_deal(&plain.game, plain.key(0), &[], &[]).err().unwrap();
    assert_eq!(error.fault, VerifyError::Misplaced(OperationError::Threshold));
}
