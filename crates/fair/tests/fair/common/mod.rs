//! A table of honest seats, and the raw arithmetic that a dishonest one needs.

pub mod prover;
pub mod shuffler;

use pentarchy_fair::escrow::Threshold;
use pentarchy_fair::primitives::Drbg;
use pentarchy_fair::primitives::curve25519_dalek::Scalar;
use pentarchy_fair::primitives::curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use pentarchy_fair::*;
use std::cell::RefCell;

pub fn seat(i: u8) -> SeatIndex {
    SeatIndex::new(i).unwrap()
}

pub fn set(seats: &[u8]) -> Seats {
    seats.iter().map(|i| seat(*i)).collect()
}

/// Seats with keys, faces and generators; all randomness from one seed.
pub struct Party {
    pub game: GameId,
    pub secrets: Vec<SeatSecrets>,
    pub identities: Vec<SigningSecret>,
    pub sessions: Vec<SigningSecret>,
    pub enrolments: Vec<Vec<u8>>,
    pub escrow: Option<Threshold>,
    pub roster: Roster,
    pub faces: FaceTable,
    pub backs: BackTable,
    pub generators: Generators,
    stream: RefCell<Drbg>,
}

impl Party {
    pub fn new(n: u8) -> Self {
        Self::with(n, None, 0)
    }

    pub fn seeded(n: u8, seed: u64) -> Self {
        Self::with(n, None, seed)
    }

    pub fn with(n: u8, escrow: Option<Threshold>, seed: u64) -> Self {
        let stream = RefCell::new(Drbg::new(&seed.to_le_bytes(), "party"));
        let entropy = || {
            let mut bytes = [0; 32];
            stream.borrow_mut().fill(&mut bytes);
            Entropy::new(bytes)
        };
        let game = GameId::of(b"descriptor");
        let secrets: Vec<_> = (0..n).map(|i| SeatSecrets::new(seat(i), entropy())).collect();
        let identities: Vec<_> = (0..n).map(|_| SigningSecret::new(entropy())).collect();
        let sessions: Vec<_> = (0..n).map(|_| SigningSecret::new(entropy())).collect();
        let mut keys = Vec::new();
        let mut enrolments = Vec::new();
        for ((secrets, identity), session) in secrets.iter().zip(&identities).zip(&sessions) {
            let public = identity.public();
            let enrolment = Enrolment { game, identity: &public, escrow };
            let message = enrolment.enrol(secrets, identity, session, entropy());
            keys.push(enrolment.verify(secrets.seat(), &message).unwrap());
            enrolments.push(message);
        }
        let roster = Roster::new(game, keys).unwrap();
        Self {
            game,
            secrets,
            identities,
            sessions,
            enrolments,
            escrow,
            roster,
            faces: FaceTable::new(12).unwrap(),
            backs: BackTable::new(3).unwrap(),
            generators: Generators::new(16).unwrap(),
            stream,
        }
    }

    pub fn entropy(&self) -> Entropy {
        let mut bytes = [0; 32];
        self.stream.borrow_mut().fill(&mut bytes);
        Entropy::new(bytes)
    }

    pub fn key(&self, i: u8) -> &SeatKey {
        self.roster.key(seat(i)).unwrap()
    }

    pub fn all(&self) -> Seats {
        self.roster.seats()
    }

    pub fn lock(&self, seats: Seats) -> LockKey {
        self.roster.lock(seats).unwrap()
    }

    pub fn face(&self, i: u32) -> FacePoint {
        *self.faces.get(i).unwrap()
    }

    pub fn menu(&self, faces: &[u32]) -> Vec<FacePoint> {
        faces.iter().map(|i| self.face(*i)).collect()
    }

    /// The lock key of a seat, as only that seat and a test can know it.
    pub fn x(&self, i: u8) -> Scalar {
        Drbg::new(&**self.secrets[usize::from(i)].seed(), "lock").scalar()
    }

    /// The dice key of a seat.
    pub fn k(&self, i: u8) -> Scalar {
        Drbg::new(&**self.secrets[usize::from(i)].seed(), "dice").scalar()
    }

    /// A pile of public faces, shuffled by every seat of `seats`, all proofs verified.
    pub fn shuffled(&self, seats: Seats, faces: &[u32]) -> Vec<CipherToken> {
        let lock = self.lock(seats).prepare();
        let tokens: Vec<CipherToken> =
            faces.iter().map(|f| CipherToken::of_face(&FacePoint::new(*f))).collect();
        let mut pile = Deck::new(lock.key(), &tokens).unwrap();
        for s in seats.iter() {
            let secrets = &self.secrets[usize::from(s.index())];
            let phase = phase(100 + u32::from(s.index()));
            let (next, message) =
                pile.shuffle(&phase, secrets, &lock, &self.generators, None, self.entropy()).unwrap();
            let verified = pile.verify(&phase, s, lock.key(), &self.generators, &message).unwrap();
            assert_eq!(verified, next);
            pile = next;
        }
        pile.release(seats).unwrap()
    }

    /// Takes the locks of `seats` off all tokens, shares verified.
    pub fn unlock(&self, tokens: &[CipherToken], seats: Seats) -> Vec<CipherToken> {
        let phase = phase(200);
        let mut tokens = tokens.to_vec();
        for s in seats.iter() {
            let secrets = &self.secrets[usize::from(s.index())];
            let (_, message) = strip(&phase, secrets, &tokens, self.entropy()).unwrap();
            let shares = verify_strip(&phase, self.key(s.index()), &tokens, &message).unwrap();
            tokens = tokens.iter().zip(&shares).map(|(token, share)| token.unlock(share).unwrap()).collect();
        }
        tokens
    }

    /// Private tokens of a seat with these faces, in this order.
    pub fn hand(&self, owner: u8, faces: &[u32]) -> Vec<Private> {
        faces
            .iter()
            .map(|f| {
                let menu = [FacePoint::new(*f)];
                mint_for(self, owner, &menu, 0)
            })
            .collect()
    }

    /// What an omniscient observer sees.
    pub fn reveal(&self, token: &CipherToken) -> u32 {
        let published = self
            .secrets
            .iter()
            .map(|secrets| {
                let key = self.roster.key(secrets.seat()).unwrap();
                Published::verify(key, &publish(secrets)).unwrap()
            })
            .collect();
        Audit::new(published).face(token, &self.faces).unwrap().index()
    }
}

fn mint_for(party: &Party, owner: u8, menu: &[FacePoint], choice: usize) -> Private {
    let phase = phase(300);
    let secrets = &party.secrets[usize::from(owner)];
    let (token, message) = claim::mint(&phase, secrets, menu, choice, party.entropy()).unwrap();
    assert_eq!(claim::verify_mint(&phase, party.key(owner), menu, &message), Ok(token));
    token
}

/// Some place in the log of the test game.
pub fn phase(i: u32) -> Phase {
    let mut id = [0; 32];
    id[..4].copy_from_slice(&i.to_le_bytes());
    Phase { game: GameId::of(b"descriptor"), id: PhaseId(id) }
}

/// `game ‖ phase ‖ seat`.
pub fn context(phase: &Phase, seat: u8) -> Vec<u8> {
    [&phase.game.0[..], &phase.id.0, &[seat]].concat()
}

pub fn point(bytes: &[u8]) -> RistrettoPoint {
    CompressedRistretto::from_slice(bytes).unwrap().decompress().unwrap()
}

/// (a, b) of a token.
pub fn cipher(token: &CipherToken) -> (RistrettoPoint, RistrettoPoint) {
    let bytes = token.to_bytes();
    (point(&bytes[..32]), point(&bytes[32..]))
}

pub fn bytes(points: &[RistrettoPoint]) -> Vec<u8> {
    points.iter().flat_map(|point| point.compress().to_bytes()).collect()
}

/// Tries `accepts` on the message with each byte changed in turn (all eight bits of it), each prefix, and one
/// byte more: none may be accepted.
pub fn reject_all_flips(name: &str, message: &[u8], accepts: impl Fn(&[u8]) -> bool) {
    assert!(accepts(message), "{name}: the honest message");
    let mut changed = message.to_vec();
    for i in 0..message.len() {
        for mask in [1 << (i % 8), 0x80, 0xff] {
            changed[i] = message[i] ^ mask;
            assert!(!accepts(&changed), "{name}: byte {i} ^ {mask:02x}");
        }
        changed[i] = message[i];
        assert!(!accepts(&message[..i]), "{name}: first {i} bytes");
    }
    changed.push(0);
    assert!(!accepts(&changed), "{name}: a byte more");
}
