//! A scripted game with every kind of message, all randomness fixed: natively and as wasm it must give the
//! same bytes.

use pentarchy_fair::claim::{Branches, Category, Different, Is, Same, mint, verify_mint};
use pentarchy_fair::escrow::{Absence, DueContribution, Threshold, deal, verify_deal};
use pentarchy_fair::*;

/// Numbers its entropy and hashes all messages.
struct Script {
    /// Number of calls of [`entropy`](Self::entropy).
    drawn: u8,
    /// The hash of all messages so far.
    hasher: blake3::Hasher,
}

impl Script {
    /// Returns fixed entropy, different at each of the first 255 calls; panics at the next one in debug
    /// builds.
    fn entropy(&mut self) -> Entropy {
        self.drawn += 1;
        Entropy::new([self.drawn; 32])
    }

    /// Adds a message with its length to the hash.
    fn log(&mut self, message: &[u8]) {
        self.hasher.update(&(message.len() as u32).to_le_bytes());
        self.hasher.update(message);
    }
}

/// Plays a game with every kind of message and fixed randomness, verifies every message, and returns the hash
/// of all of them. Panics if a message does not verify.
pub fn play() -> [u8; 32] {
    let script = &mut Script { drawn: 0, hasher: blake3::Hasher::new() };
    let game = GameId::of(b"scenario");
    let phase = |i: u8| Phase { game, id: PhaseId([i; 32]) };
    let seat = |i: u8| SeatIndex::new(i).unwrap();
    let threshold = Threshold::new(2, 2).unwrap();
    let secrets: Vec<_> = (0..3).map(|i| SeatSecrets::new(seat(i), script.entropy())).collect();
    let mut keys = Vec::new();
    for secrets in &secrets {
        let (identity, session) =
            (SigningSecret::new(script.entropy()), SigningSecret::new(script.entropy()));
        let public = identity.public();
        let enrolment = Enrolment { game, identity: &public, escrow: Some(threshold) };
        let message = enrolment.enrol(secrets, &identity, &session, script.entropy());
        keys.push(enrolment.verify(secrets.seat(), &message).unwrap());
        script.log(&message);
    }
    let roster = Roster::new(game, keys).unwrap();
    script.log(&roster.start());
    let key = |i: u8| roster.key(seat(i)).unwrap();
    let lock = roster.lock(roster.seats()).unwrap().prepare();
    let generators = Generators::new(8).unwrap();
    let faces = FaceTable::new(8).unwrap();

    // A joint shuffle in two columns, a deal, a reveal.
    let cards: Vec<Backed> =
        faces.all().iter().map(|face| Backed::public(face, &BackPoint::new(face.index() % 2))).collect();
    let mut pile = BackedDeck::new(lock.key(), &cards).unwrap();
    for secrets in &secrets {
        let (_, message) =
            pile.shuffle(&phase(1), secrets, &lock, &generators, None, script.entropy()).unwrap();
        pile = pile.verify(&phase(1), secrets.seat(), lock.key(), &generators, &message).unwrap();
        script.log(&message);
    }
    let deck: Vec<CipherToken> =
        pile.release(roster.seats()).unwrap().iter().map(|card| *card.face()).collect();
    let mut hand = deck[..3].to_vec();
    for i in [1, 2] {
        let (_, message) = strip(&phase(2), &secrets[usize::from(i)], &deck[..3], script.entropy()).unwrap();
        let shares = verify_strip(&phase(2), key(i), &deck[..3], &message).unwrap();
        hand = hand.iter().zip(&shares).map(|(token, share)| token.unlock(share).unwrap()).collect();
        script.log(&message);
    }
    let hand: Vec<Private> = hand.iter().map(|token| *token.private().unwrap()).collect();
    let read: Vec<FacePoint> = hand.iter().map(|card| *card.read(&secrets[0], &faces).unwrap()).collect();

    // Claims, a lift, a view, a mint.
    let category = Category { token: &hand[0], menu: faces.all() };
    let message = category.prove(&phase(3), &secrets[0], script.entropy()).unwrap();
    category.verify(&phase(3), key(0), &message).unwrap();
    script.log(&message);
    let different = Different { left: &hand[0], right: &hand[1] };
    let message = different.prove(&phase(3), &secrets[0], script.entropy()).unwrap();
    different.verify(&phase(3), key(0), &message).unwrap();
    script.log(&message);
    let branches = [
        vec![Is { token: 1, face: read[0] }],
        vec![Is { token: 0, face: read[0] }, Is { token: 2, face: read[2] }],
    ];
    let claim = Branches { tokens: &hand, branches: &branches };
    let message = claim.prove(&phase(3), &secrets[0], script.entropy()).unwrap();
    claim.verify(&phase(3), key(0), &message).unwrap();
    script.log(&message);
    let own = key(0).own_lock();
    let (copy, message) = hand[0].lift(&phase(4), &secrets[0], &own, script.entropy()).unwrap();
    hand[0].verify_lift(&phase(4), key(0), &own, &message).unwrap();
    script.log(&message);
    let same = Same { left: &hand[0], right: copy.private().unwrap() };
    let message = same.prove(&phase(5), &secrets[0], script.entropy()).unwrap();
    same.verify(&phase(5), key(0), &message).unwrap();
    script.log(&message);
    let joint = deck[7].joint().unwrap();
    let (_, message) = joint.view(&phase(6), &secrets[2], lock.key(), script.entropy()).unwrap();
    joint.verify_view(&phase(6), key(2), lock.key(), &message).unwrap();
    script.log(&message);
    let (_, message) = mint(&phase(7), &secrets[1], faces.all(), 3, script.entropy()).unwrap();
    verify_mint(&phase(7), key(1), faces.all(), &message).unwrap();
    script.log(&message);

    // A roll, a choice, tags, escrow, the audit.
    let mut values = Vec::new();
    for secrets in &secrets {
        let (_, message) = contribute(&phase(8), secrets, script.entropy());
        values.push(verify_contribution(&phase(8), key(secrets.seat().index()), &message).unwrap());
        script.log(&message);
    }
    let order = Roll::new(&phase(8).id, roster.seats(), &values).unwrap().order(100);
    script.log(&order.iter().map(|x| *x as u8).collect::<Vec<_>>());
    let (commitment, message) = commit(&phase(9).id, &secrets[0], b"north").unwrap();
    commitment.open(&phase(9).id, seat(0), &message).unwrap();
    script.log(&commitment.0);
    script.log(&message);
    let salvage = Salvage::new(lock.key(), &deck[3..4], &deck[3..]).unwrap();
    let (_, message) = salvage.blind(&phase(10), &secrets[0], script.entropy()).unwrap();
    salvage.verify_blinding(&phase(10), key(0), &message).unwrap();
    script.log(&message);
    let holders = [key(1), key(2)];
    let message = deal(&game, &secrets[0], threshold, &holders, script.entropy()).unwrap();
    let sealed = verify_deal(&game, key(0), &holders, &message).unwrap();
    script.log(&message);
    let held = sealed[0].open(key(0), &secrets[1]).unwrap();
    let absence = Absence { key: key(0), due: DueContribution::Roll };
    let (_, message) = absence.stand_in(&phase(11), &held, &secrets[1], script.entropy()).unwrap();
    absence.verify(&phase(11), seat(1), &message).unwrap();
    script.log(&message);
    let message = publish(&secrets[0]);
    Published::verify(key(0), &message).unwrap();
    script.log(&message);
    *script.hasher.finalize().as_bytes()
}
