//! Audit: after the game every seat publishes its keys, and everything that was hidden can be checked.

use crate::dice;
use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::faces::{BackPoint, BackTable, FacePoint, FaceTable};
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader};
use crate::seats::{PhaseId, SeatIndex, Seats};
use crate::secrets::SeatSecrets;
use crate::token::CipherToken;
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;

/// Bytes of the message: `x ‖ k`.
const LEN: usize = 64;

/// Returns the message that publishes a seat's lock and dice keys after the game: `x ‖ k`, 64 bytes. A
/// receiver can read every card of the seat: send it only when nothing hidden matters any more. The signing
/// keys and the seed stay secret.
pub fn publish(secrets: &SeatSecrets) -> [u8; LEN] {
    let mut message = [0; LEN];
    message[..32].copy_from_slice(secrets.lock().as_bytes());
    message[32..].copy_from_slice(secrets.dice().as_bytes());
    message
}

/// A seat's published keys, checked against its public ones.
#[derive(Clone, Copy)]
pub struct Published {
    /// The seat.
    seat: SeatIndex,
    /// Its lock key x.
    lock: Scalar,
    /// Its dice key k.
    dice: Scalar,
}

impl Published {
    /// Decodes the published keys of a seat (`message` is the 64 bytes of [`publish`]) and returns them if
    /// they belong to its public keys. The result can be trusted without further checks.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message does not have 64 bytes, a key is not
    /// canonically encoded, or a key is not the secret of the seat's public lock or dice key.
    pub fn verify(key: &SeatKey, message: &[u8]) -> Result<Self, MessageError> {
        Self::check(key, message).map_err(Message::Secrets.of(key.seat()))
    }

    /// Decodes `x ‖ k` (64 bytes) and checks that these are the secrets of the seat's public lock and dice
    /// keys. Returns them; `verify` adds the seat to the error.
    ///
    /// # Errors
    ///
    /// Fails if the message does not have 64 bytes, a key is not canonically encoded, or a key does not
    /// belong to the public one.
    fn check(key: &SeatKey, message: &[u8]) -> Result<Self, VerifyError> {
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
    /// Creates an audit that can open what the given seats hid. The order is arbitrary; of two entries for
    /// one seat the first is used.
    pub fn new(published: Vec<Published>) -> Self {
        Self(published)
    }

    /// Returns the face of a token in any state: joint, private or public.
    ///
    /// # Errors
    ///
    /// Fails with `Absent` (the first seat of the token's lock that has not published its keys) or with
    /// `NoFace` if the hidden point is not a face of the table.
    pub fn face<'t>(
        &self,
        token: &CipherToken,
        faces: &'t FaceTable,
    ) -> Result<&'t FacePoint, OperationError> {
        faces.find(&self.open(token)?)
    }

    /// Returns the back of a token in any state. The token must be the back column of a
    /// [`Backed`](crate::Backed) pair.
    ///
    /// # Errors
    ///
    /// Fails with `Absent` (the first seat of the token's lock that has not published its keys) or with
    /// `NoFace` if the hidden point is not a back of the table.
    pub fn back<'t>(
        &self,
        token: &CipherToken,
        backs: &'t BackTable,
    ) -> Result<&'t BackPoint, OperationError> {
        backs.find(&self.open(token)?)
    }

    /// Returns the encoded dice value (32 bytes) that a seat has for a phase, whether or not it was published
    /// in the game.
    ///
    /// # Errors
    ///
    /// Fails with `Absent` if the seat has not published its keys.
    pub fn dice_value(&self, phase: &PhaseId, seat: SeatIndex) -> Result<[u8; 32], OperationError> {
        let published =
            self.0.iter().find(|published| published.seat == seat).ok_or(OperationError::Absent(seat))?;
        Ok((dice::input(phase).point() * published.dice).compress().to_bytes())
    }

    /// Decrypts a token with the published keys and returns the hidden point. It does not check that the
    /// point is a face.
    ///
    /// # Errors
    ///
    /// Fails with `Absent` (the first seat of the token's lock that has not published its keys).
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
