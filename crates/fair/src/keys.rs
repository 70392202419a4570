//! Setup: every seat's public keys with proofs of knowledge, and the joint keys of sets of seats.

use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::escrow::{Coefficients, Threshold};
use crate::primitives::{Element, Reader, Transcript, digest};
use crate::proof::{Response, schnorr};
use crate::seats::{GameId, SeatIndex, Seats};
use crate::secrets::{Nonces, SeatSecrets};
use alloc::boxed::Box;
use alloc::vec::Vec;
use curve25519_dalek::ristretto::{RistrettoBasepointTable, RistrettoPoint};
use pentarchy_keys::{Entropy, SigningSecret, VerifyKey};

/// Bytes of [`SeatKey`]'s message without escrow: session key, Y, K, two proofs, signature.
const PLAIN_LEN: usize = 32 + 32 + 32 + 64 + 64 + 64;

/// What the keys of a seat are bound to.
#[derive(Clone, Copy)]
pub struct Enrolment<'a> {
    /// The game.
    pub game: GameId,
    /// The identity that the game descriptor names for the seat.
    pub identity: &'a VerifyKey,
    /// The recovery mode of the game: `Some` in escrow mode.
    pub escrow: Option<Threshold>,
}

impl Enrolment<'_> {
    /// Returns the bytes that the proofs of knowledge are bound to: `game_id ‖ seat ‖ identity key ‖ session
    /// key`. A proof copied by another seat or session fails.
    fn context(&self, seat: SeatIndex, session: &VerifyKey) -> [u8; 97] {
        let mut context = [0; 97];
        context[..32].copy_from_slice(&self.game.0);
        context[32] = seat.index();
        context[33..65].copy_from_slice(self.identity.bytes());
        context[65..].copy_from_slice(session.bytes());
        context
    }

    /// Returns the number of bytes of an enrolment message; with escrow it depends on the threshold.
    fn len(&self) -> usize {
        PLAIN_LEN + self.escrow.map_or(0, Coefficients::len)
    }

    /// Returns the digest that the identity signs: of the game, the seat and `body`, which is the whole
    /// message without the signature.
    fn signed(&self, seat: SeatIndex, body: &[u8]) -> [u8; 32] {
        digest("pentarchy seat keys v1", &[&self.game.0, &[seat.index()], body])
    }

    /// Creates the message that enrols a player: `session ‖ Y ‖ K ‖ proofs ‖ [coefficients] ‖ signature`.
    /// Send it to all seats; they check it with [`Enrolment::verify`].
    ///
    /// `identity` signs the message and must be the secret of `self.identity`: this is not checked, but
    /// otherwise the message does not verify. `session` will sign the messages of this game; only its public
    /// key is sent. The coefficients are there in escrow mode only. The nonces of the proofs come from the
    /// seed of the seat and from `entropy`, which must be fresh.
    pub fn enrol(
        &self,
        secrets: &SeatSecrets,
        identity: &SigningSecret,
        session: &SigningSecret,
        entropy: Entropy,
    ) -> Vec<u8> {
        let (lock, dice) = (secrets.lock_public(), secrets.dice_public());
        let session = session.public();
        let context = self.context(secrets.seat(), &session);
        let hedge = secrets.hedge(entropy);
        let know = |label, x, y| {
            schnorr::prove(Transcript::new(label, &context), x, y, |transcript| {
                hedge.stream(transcript).scalar()
            })
        };
        let mut message = Vec::with_capacity(self.len());
        message.extend_from_slice(session.bytes());
        message.extend_from_slice(lock.bytes());
        message.extend_from_slice(dice.bytes());
        message.extend_from_slice(&know("pok-lock", secrets.lock(), lock).to_bytes());
        message.extend_from_slice(&know("pok-dice", secrets.dice(), dice).to_bytes());
        if let Some(threshold) = self.escrow {
            Coefficients::write(secrets, threshold, &mut message);
        }
        let signature = identity.sign(&self.signed(secrets.seat(), &message));
        message.extend_from_slice(&signature);
        message
    }

    /// Verifies the enrolment message of a seat and returns its keys. They are bound to the game, the seat
    /// and the identity of `self`.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message has the wrong length, a key is not
    /// canonically encoded or is the neutral element, or the signature of the identity or a proof of
    /// knowledge does not hold.
    pub fn verify(&self, seat: SeatIndex, message: &[u8]) -> Result<SeatKey, MessageError> {
        self.check(seat, message).map_err(Message::SeatKeys.of(seat))
    }

    /// Decodes an enrolment message of `seat`, verifies its proofs and the identity's signature, and returns
    /// the keys. `verify` adds the seat to the error.
    ///
    /// # Errors
    ///
    /// Fails if the message has the wrong length, a key is not canonically encoded or is the neutral element,
    /// or the signature or a proof of knowledge does not hold.
    fn check(&self, seat: SeatIndex, message: &[u8]) -> Result<SeatKey, VerifyError> {
        let mut reader = Reader::exact(message, self.len())?;
        let session =
            VerifyKey::decode(&reader.array()?).map_err(|_| VerifyError::Encoding(Part::SessionKey))?;
        let lock = reader.nonzero(Part::LockKey)?;
        let dice = reader.nonzero(Part::DiceKey)?;
        let lock_proof = Response::read(&mut reader)?;
        let dice_proof = Response::read(&mut reader)?;
        let escrow = match self.escrow {
            Some(threshold) => Some(Coefficients::read(&mut reader, threshold, lock, dice)?),
            None => None,
        };
        let signature = reader.array()?;
        let body = message.get(..message.len() - 64).unwrap_or_default();
        Equation::Signature.require(self.identity.verify(&self.signed(seat, body), &signature))?;
        let context = self.context(seat, &session);
        let known = |label, y, proof| schnorr::verify(Transcript::new(label, &context), y, proof);
        Equation::LockKnown.require(known("pok-lock", &lock, &lock_proof))?;
        Equation::DiceKnown.require(known("pok-dice", &dice, &dice_proof))?;
        Ok(SeatKey { seat, session, lock, dice, escrow, message: message.into() })
    }
}

/// The verified public keys of a seat. There is no other way to get one than [`Enrolment::verify`].
#[derive(Clone)]
pub struct SeatKey {
    /// The seat.
    seat: SeatIndex,
    /// The key that signs the messages of this game.
    session: VerifyKey,
    /// The public lock key Y.
    lock: Element,
    /// The public dice key K.
    dice: Element,
    /// The commitments of the escrow, if the game has one.
    escrow: Option<Coefficients>,
    /// The enrolment message, for the hash of the start.
    message: Box<[u8]>,
}

impl SeatKey {
    /// Returns the seat of the keys.
    pub fn seat(&self) -> SeatIndex {
        self.seat
    }

    /// Returns the key that signs this game's messages.
    pub fn session(&self) -> &VerifyKey {
        &self.session
    }

    /// Returns the public lock key Y.
    pub(crate) fn lock(&self) -> &Element {
        &self.lock
    }

    /// Returns the public dice key K.
    pub(crate) fn dice(&self) -> &Element {
        &self.dice
    }

    /// Returns the commitments to the polynomials that share this seat's keys; `None` if the game has no
    /// escrow.
    pub(crate) fn escrow(&self) -> Option<&Coefficients> {
        self.escrow.as_ref()
    }

    /// Returns the lock key of this seat alone: a token under it is private to the seat.
    pub fn own_lock(&self) -> LockKey {
        LockKey { seats: Seats::one(self.seat), element: self.lock }
    }
}

/// All seats of a game.
#[derive(Clone)]
pub struct Roster {
    /// The game.
    game: GameId,
    /// In seat order.
    keys: Vec<SeatKey>,
}

impl Roster {
    /// Creates the roster from the verified keys of all seats, in any order. The caller must have verified
    /// them for the same game: this is not checked again.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if there are none, and with `Twice` if there are two of one seat.
    pub fn new(game: GameId, mut keys: Vec<SeatKey>) -> Result<Self, OperationError> {
        if keys.is_empty() {
            return Err(OperationError::Empty);
        }
        keys.sort_by_key(|key| key.seat);
        match keys.windows(2).find(|pair| pair[0].seat == pair[1].seat) {
            Some(pair) => Err(OperationError::Twice(pair[0].seat)),
            None => Ok(Self { game, keys }),
        }
    }

    /// Returns the identifier of the game.
    pub fn game(&self) -> GameId {
        self.game
    }

    /// Returns all seats.
    pub fn seats(&self) -> Seats {
        self.keys.iter().map(SeatKey::seat).collect()
    }

    /// Returns the keys of a seat.
    ///
    /// # Errors
    ///
    /// Fails with `Absent` if the roster has no such seat.
    pub fn key(&self, seat: SeatIndex) -> Result<&SeatKey, OperationError> {
        self.keys.iter().find(|key| key.seat == seat).ok_or(OperationError::Absent(seat))
    }

    /// Returns the first `prev` of the log: a hash of the game and of all enrolment messages in seat order.
    /// All seats sign it once all keys have arrived, so a peer that got other keys is found out.
    pub fn start(&self) -> [u8; 32] {
        let mut parts: Vec<&[u8]> = Vec::with_capacity(self.keys.len() + 1);
        parts.push(&self.game.0);
        parts.extend(self.keys.iter().map(|key| &*key.message));
        digest("pentarchy start v1", &parts)
    }

    /// Returns the joint lock key of a set of seats, the sum of their lock keys. A token under it needs a
    /// share of each of them before it can be read.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if the set is empty, `Absent` for the first seat that is not in the roster, and
    /// `Cancelled` if the keys sum to the neutral element.
    pub fn lock(&self, seats: Seats) -> Result<LockKey, OperationError> {
        if seats.is_empty() {
            return Err(OperationError::Empty);
        }
        let mut sum = RistrettoPoint::default();
        for seat in seats.iter() {
            sum += self.key(seat)?.lock.point();
        }
        let element = Element::new(sum);
        if element.is_identity() { Err(OperationError::Cancelled) } else { Ok(LockKey { seats, element }) }
    }
}

/// The joint lock key of a set of seats: the sum of their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockKey {
    /// The seats whose keys are summed.
    pub(crate) seats: Seats,
    /// The sum of their lock keys.
    pub(crate) element: Element,
}

impl LockKey {
    /// Returns the seats whose lock it is.
    pub fn seats(&self) -> Seats {
        self.seats
    }

    /// Returns the canonical 32-byte encoding of the joint key.
    pub fn bytes(&self) -> &[u8; 32] {
        self.element.bytes()
    }

    /// Precomputes multiples of the key for shuffling. It takes about a millisecond: call it once per set of
    /// seats and keep the result.
    pub fn prepare(&self) -> PreparedLock {
        PreparedLock { key: *self, table: Box::new(RistrettoBasepointTable::create(self.element.point())) }
    }
}

/// A lock key with a table of multiples, for shuffling under it.
pub struct PreparedLock {
    /// The key.
    pub(crate) key: LockKey,
    /// Its multiples.
    pub(crate) table: Box<RistrettoBasepointTable>,
}

impl PreparedLock {
    /// Returns the key without its precomputed table.
    pub fn key(&self) -> &LockKey {
        &self.key
    }
}
