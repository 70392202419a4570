//! Lift: the owner of a private token puts it under another lock, to give it away, to show it, or to put it
//! back.

use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::keys::{LockKey, SeatKey};
use crate::primitives::{Element, Reader, Transcript};
use crate::seats::{Phase, SeatIndex};
use crate::secrets::{Nonces, SeatSecrets};
use crate::token::{Cipher, CipherToken, Private};
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use pentarchy_keys::Entropy;
use zeroize::Zeroizing;

/// The kind of proof.
const LABEL: &str = "lift";
/// Bytes of a lift: a' ‖ b' ‖ c ‖ s_x ‖ s_r.
const LEN: usize = 64 + 96;

impl Private {
    /// Re-locks the token under `lock`. Returns the new token and the message to send, `a' ‖ b' ‖ c ‖ s_x ‖
    /// s_r` (160 bytes), which is valid only in `phase`. The new token has the same face and the seats of
    /// `lock`. Mask and nonces come from the seed of the seat and from `entropy`, which must be fresh.
    ///
    /// `self` does not change. To give the token away or to put it back, the caller replaces it by the
    /// result; to show it, the result is a copy.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if `secrets` are not the owner's.
    pub fn lift(
        &self,
        phase: &Phase,
        secrets: &SeatSecrets,
        lock: &LockKey,
        entropy: Entropy,
    ) -> Result<(CipherToken, Vec<u8>), OperationError> {
        let face = self.open(secrets)?;
        let y = secrets.lock_public();
        let mut transcript = self.opened(phase, y, lock);
        let mut fork = transcript.clone();
        fork.append("token", &self.cipher.to_bytes());
        let mut stream = secrets.hedge(entropy).stream(&fork);
        let r = Zeroizing::new(stream.scalar());
        let lifted = Cipher {
            a: Element::new(RistrettoPoint::mul_base(&r)),
            b: Element::new(face.point() + lock.element.point() * *r),
        };
        let (w_x, w_r) = (Zeroizing::new(stream.scalar()), Zeroizing::new(stream.scalar()));
        let t3 =
            RistrettoPoint::multiscalar_mul([&-*w_x, &*w_r], [self.cipher.a.point(), lock.element.point()]);
        let commitments =
            [RistrettoPoint::mul_base(&w_x), RistrettoPoint::mul_base(&w_r), t3].map(Element::new);
        let c = self.challenge(&mut transcript, &lifted, &commitments);
        let mut message = Vec::with_capacity(LEN);
        message.extend_from_slice(&lifted.to_bytes());
        message.extend_from_slice(c.as_bytes());
        message.extend_from_slice((*w_x + c * secrets.lock()).as_bytes());
        message.extend_from_slice((*w_r + c * *r).as_bytes());
        Ok((CipherToken::new(lock.seats(), &lifted), message))
    }

    /// Verifies that the owner re-locked this token, and nothing else, under `lock`. Returns the new token,
    /// equal to the one that [`Private::lift`] returned. `key` is the key of the owner.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat of `key` if the message does not have 160 bytes, a part
    /// is not canonically encoded, the new `a` is the neutral element, the token has another owner, or the
    /// proof does not hold for this phase.
    pub fn verify_lift(
        &self,
        phase: &Phase,
        key: &SeatKey,
        lock: &LockKey,
        message: &[u8],
    ) -> Result<CipherToken, MessageError> {
        self.check_lift(phase, key, lock, message).map_err(Message::Lift.of(key.seat()))
    }

    /// Decodes a lifted token (160 bytes), verifies that it is this token under `lock`, and returns it. `key`
    /// is the owner's; `verify_lift` adds its seat to the error.
    ///
    /// # Errors
    ///
    /// Fails if the message is malformed, the token has another owner, or the proof does not hold for the
    /// phase.
    fn check_lift(
        &self,
        phase: &Phase,
        key: &SeatKey,
        lock: &LockKey,
        message: &[u8],
    ) -> Result<CipherToken, VerifyError> {
        let mut reader = Reader::exact(message, LEN)?;
        self.owned_by(key.seat())?;
        let lifted = Cipher { a: reader.nonzero(Part::Token)?, b: reader.element(Part::Token)? };
        let [c, s_x, s_r] =
            [reader.scalar(Part::Response)?, reader.scalar(Part::Response)?, reader.scalar(Part::Response)?];
        let base = RistrettoPoint::vartime_double_scalar_mul_basepoint;
        let commitments = [
            base(&-c, key.lock().point(), &s_x),
            base(&-c, lifted.a.point(), &s_r),
            RistrettoPoint::vartime_multiscalar_mul(
                [-s_x, s_r, -c],
                [*self.cipher.a.point(), *lock.element.point(), lifted.b.point() - self.cipher.b.point()],
            ),
        ]
        .map(Element::new);
        let mut transcript = self.opened(phase, key.lock(), lock);
        Equation::Lift.require(self.challenge(&mut transcript, &lifted, &commitments) == c)?;
        Ok(CipherToken::new(lock.seats(), &lifted))
    }

    /// Checks that the token belongs to `seat`.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner`, which names the real owner, if it does not.
    pub(crate) fn owned_by(&self, seat: SeatIndex) -> Result<(), OperationError> {
        if self.owner == seat { Ok(()) } else { Err(OperationError::NotOwner(self.owner)) }
    }

    /// Returns a new transcript of a lift, bound to the phase and the owner, with `y`, the owner's public
    /// lock key, and the new lock in it.
    fn opened(&self, phase: &Phase, y: &Element, lock: &LockKey) -> Transcript {
        let mut transcript = Transcript::new(LABEL, &phase.context(self.owner));
        transcript.append("YA", y.bytes());
        transcript.append("YR", lock.element.bytes());
        transcript
    }

    /// Appends both ciphertexts and the three commitments to the transcript, and draws the challenge scalar.
    /// Prover and verifier must call it on equal transcripts.
    fn challenge(
        &self,
        transcript: &mut Transcript,
        lifted: &Cipher,
        commitments: &[Element; 3],
    ) -> curve25519_dalek::Scalar {
        transcript.append_elements("io", [&self.cipher.a, &self.cipher.b, &lifted.a, &lifted.b]);
        transcript.append_elements("t", commitments);
        transcript.challenge_scalar("c")
    }
}
