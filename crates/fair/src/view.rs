//! View: a reader's own copy of a joint token. The others strip the copy; the token itself stays untouched.

use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::keys::{LockKey, SeatKey};
use crate::primitives::{Element, Reader, Transcript};
use crate::proof::{Response, dleq};
use crate::seats::{Phase, SeatIndex};
use crate::secrets::{Nonces, SeatSecrets};
use crate::token::{Cipher, Joint};
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use pentarchy_keys::Entropy;
use zeroize::Zeroizing;

/// The kind of proof.
const LABEL: &str = "view";
/// Bytes of a view: a' ‖ b' ‖ proof.
const LEN: usize = 64 + Response::LEN;

impl Joint {
    /// Creates a re-masked copy of this token for the seat of `secrets`. Returns the copy and the message to
    /// send, `a' ‖ b' ‖ proof` (128 bytes), which is valid only in `phase`. The token itself does not change.
    /// Mask and nonce come from the seed of the seat and from `entropy`, which must be fresh.
    ///
    /// The copy has the same face and locks. When all other seats have stripped it, it is private to this
    /// seat; their shares do not open the token itself.
    ///
    /// # Errors
    ///
    /// Fails with `OtherLocks` if the seats of `lock` are not the token's, and with `NoLock` if the seat is
    /// not part of it.
    pub fn view(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        lock: &LockKey,
        entropy: Entropy,
    ) -> Result<(Joint, Vec<u8>), OperationError> {
        self.may_view(secrets.seat(), lock)?;
        let transcript = Transcript::new(LABEL, &phase.context(secrets.seat()));
        let mut fork = transcript.clone();
        fork.append("token", &self.cipher.to_bytes());
        let mut stream = secrets.hedge(entropy).stream(&fork);
        let s = Zeroizing::new(stream.scalar());
        let (shift_a, shift_b) = (RistrettoPoint::mul_base(&s), lock.element.point() * *s);
        let copy = Cipher {
            a: Element::new(self.cipher.a.point() + shift_a),
            b: Element::new(self.cipher.b.point() + shift_b),
        };
        let (y, image) = (Element::new(shift_a), Element::new(shift_b));
        let statement = dleq::Statement { y: &y, bases: &[lock.element], images: &[image] };
        let proof = statement.prove(transcript, &s, |_| stream.scalar());
        let mut message = Vec::with_capacity(LEN);
        message.extend_from_slice(&copy.to_bytes());
        message.extend_from_slice(&proof.to_bytes());
        Ok((Joint { locks: self.locks, cipher: copy }, message))
    }

    /// Verifies a message of [`Joint::view`] by the seat that `key` belongs to, for the phase in which it was
    /// made, and returns the copy to strip. `lock` is the joint key of the token's locks.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the message does not have 128 bytes, `lock` is not
    /// the token's or does not include the seat, a part is not canonically encoded, the copy has the same a
    /// as the token (it would show the card to all), or the proof does not hold.
    pub fn verify_view(
        &self,
        phase: &Phase,
        key: &SeatKey,
        lock: &LockKey,
        message: &[u8],
    ) -> Result<Joint, MessageError> {
        self.check_view(phase, key.seat(), lock, message).map_err(Message::View.of(key.seat()))
    }

    /// Decodes the copy of this token that `seat` has made (128 bytes), verifies that it is a re-masked copy
    /// under the same `lock`, and returns it. `verify_view` adds the seat to the error.
    ///
    /// # Errors
    ///
    /// Fails if the message is malformed, the seat may not view the token, the copy is not re-masked, or the
    /// proof does not hold for the phase.
    fn check_view(
        &self,
        phase: &Phase,
        seat: SeatIndex,
        lock: &LockKey,
        message: &[u8],
    ) -> Result<Joint, VerifyError> {
        let mut reader = Reader::exact(message, LEN)?;
        self.may_view(seat, lock)?;
        let copy = Cipher { a: reader.element(Part::Token)?, b: reader.element(Part::Token)? };
        let proof = Response::read(&mut reader)?;
        let y = Element::new(copy.a.point() - self.cipher.a.point());
        if y.is_identity() {
            // An unblinded copy would show the card to everybody.
            return Err(VerifyError::Identity(Part::Token));
        }
        let image = Element::new(copy.b.point() - self.cipher.b.point());
        let statement = dleq::Statement { y: &y, bases: &[lock.element], images: &[image] };
        Equation::EqualLogs
            .require(statement.verify(Transcript::new(LABEL, &phase.context(seat)), &proof))?;
        Ok(Joint { locks: self.locks, cipher: copy })
    }

    /// Checks that `lock` has exactly the seats of the token's locks and that the seat is one of them.
    ///
    /// # Errors
    ///
    /// Fails with `OtherLocks` if the seats differ, and with `NoLock` if the seat is not one of them.
    fn may_view(&self, seat: SeatIndex, lock: &LockKey) -> Result<(), OperationError> {
        if lock.seats() != self.locks {
            Err(OperationError::OtherLocks { expected: lock.seats(), found: self.locks })
        } else if !self.locks.contains(seat) {
            Err(OperationError::NoLock(seat))
        } else {
            Ok(())
        }
    }
}
