//! Audit: after the game every seat publishes its keys, and everything that was hidden can be checked.

use crate::dice;
use crate::error::{Equation, Fault, Message, MessageError, OperationError, Part};
use crate::faces::{BackPoint, BackTable, FacePoint, FaceTable};
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader};
use crate::seats::{PhaseId, SeatIndex, Seats};
use crate::secrets::SeatSecrets;
use crate::token::CipherToken;
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;

const LEN: usize = 64;

/// Publishes a seat's keys after the game: `x ‖ k`. The signing keys and the seed stay secret.
pub fn publish(secrets: &SeatSecrets) -> [u8; LEN] {
    let mut message = [0; LEN];
    message[..32].copy_from_slice(secrets.lock().as_bytes());
    message[32..].copy_from_slice(secrets.dice().as_bytes());
    message
}

/// A seat's published keys, checked against its public ones.
#[derive(Clone, Copy)]
pub struct Published {
    seat: SeatIndex,
    lock: Scalar,
    dice: Scalar,
}

impl Published {
    /// Verifies the published keys of a seat against its public ones, and returns them.
    ///
    /// # Errors
    ///
    /// Fails if the message is malformed or a key does not fit.
    pub fn verify(key: &SeatKey, message: &[u8]) -> Result<Self, MessageError> {
        Self::check(key, message).map_err(Message::Secrets.of(key.seat()))
    }

    /// Decodes published keys and checks that they belong to the public keys of the seat.
    ///
    /// # Errors
    ///
    /// Fails if the message is malformed or a key does not fit.
    fn check(key: &SeatKey, message: &[u8]) -> Result<Self, Fault> {
        let mut reader = Reader::exact(message, LEN)?;
        let (lock, dice) = (reader.scalar(Part::Secret)?, reader.scalar(Part::Secret)?);
        let fits = |x: &Scalar, y: &Element| RistrettoPoint::mul_base(x) == *y.point();
        Equation::PublicKey.require(fits(&lock, key.lock()) && fits(&dice, key.dice()))?;
        Ok(Self { seat: key.seat(), lock, dice })
    }
}

/// The published keys of some seats, for looking at what they hid.
pub struct Audit(Vec<Published>);

impl Audit {
    /// Gathers published keys.
    pub fn new(published: Vec<Published>) -> Self {
        Self(published)
    }

    /// Returns the face of a token in any state.
    ///
    /// # Errors
    ///
    /// Fails if a seat of its lock has not published its keys, or the table has no such face.
    pub fn face<'t>(
        &self,
        token: &CipherToken,
        faces: &'t FaceTable,
    ) -> Result<&'t FacePoint, OperationError> {
        faces.find(&self.open(token)?)
    }

    /// Returns the back of a token in any state, where the token is the second half of a pair.
    ///
    /// # Errors
    ///
    /// Fails if a seat of its lock has not published its keys, or the table has no such back.
    pub fn back<'t>(
        &self,
        token: &CipherToken,
        backs: &'t BackTable,
    ) -> Result<&'t BackPoint, OperationError> {
        backs.find(&self.open(token)?)
    }

    /// Returns a seat's dice value of a phase, whether or not it was published in the game.
    ///
    /// # Errors
    ///
    /// Fails if the seat has not published its keys.
    pub fn dice_value(&self, phase: &PhaseId, seat: SeatIndex) -> Result<[u8; 32], OperationError> {
        let published =
            self.0.iter().find(|published| published.seat == seat).ok_or(OperationError::Absent(seat))?;
        Ok((dice::input(phase).point() * published.dice).compress().to_bytes())
    }

    /// Decrypts a token with the published keys.
    ///
    /// # Errors
    ///
    /// Fails if a seat of its lock has not published its keys.
    fn open(&self, token: &CipherToken) -> Result<Element, OperationError> {
        let (locks, cipher) = (token.locks(), token.cipher());
        let known: Seats = self.0.iter().map(|published| published.seat).collect();
        if let Some(seat) = locks.minus(known).iter().next() {
            return Err(OperationError::Absent(seat));
        }
        let keys = locks.iter().filter_map(|seat| self.0.iter().find(|published| published.seat == seat));
        let key: Scalar = keys.map(|published| published.lock).sum();
        Ok(Element::new(cipher.b.point() - cipher.a.point() * key))
    }
}
