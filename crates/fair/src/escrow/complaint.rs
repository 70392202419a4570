//! A complaint about a sealed share: the holder opens that one seal to everybody, and all see who lied.

use super::deal::{SealedShares, context};
use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::proof::{Response, dleq};
use crate::secrets::{Nonces, SeatSecrets};
use alloc::vec::Vec;
use pentarchy_keys::Entropy;

/// Which of a seat's two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The lock key.
    Lock = 0,
    /// The dice key.
    Dice = 1,
}

impl Which {
    /// Both keys in the order of their numbers.
    pub(super) const BOTH: [Self; 2] = [Self::Lock, Self::Dice];
}

/// Bytes of a complaint: xE ‖ proof.
const LEN: usize = 32 + Response::LEN;

impl SealedShares {
    /// Creates a complaint about a wrong share of the key `which`, which opens this one seal to all seats:
    /// `xE ‖ proof`, 96 bytes. Call it after [`SealedShares::open`] has failed. `dealer` must be the key of
    /// [`SealedShares::dealer`]: this is not checked, and with another key a right share counts as wrong and
    /// is revealed. The nonce of the proof comes from the seed of the holder and from `entropy`, which must
    /// be fresh.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if `secrets` are not the holder's. Fails with `False` if the share is right: a
    /// complaint would only reveal it.
    pub fn complain(
        &self,
        dealer: &SeatKey,
        which: Which,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<Vec<u8>, OperationError> {
        if secrets.seat() != self.holder {
            return Err(OperationError::NotOwner(self.holder));
        }
        let point = self.seals[which as usize].point;
        let secret = Element::new(point.point() * secrets.lock());
        if self.share(dealer, which, &secret).is_ok() {
            return Err(OperationError::False);
        }
        let y = secrets.lock_public();
        let statement = dleq::Statement { y, bases: &[point], images: &[secret] };
        let hedge = secrets.hedge(entropy);
        let proof = statement
            .prove(self.transcript(which), secrets.lock(), |transcript| hedge.stream(transcript).scalar());
        let mut message = Vec::with_capacity(LEN);
        message.extend_from_slice(secret.bytes());
        message.extend_from_slice(&proof.to_bytes());
        Ok(message)
    }

    /// Judges a holder's complaint (the message of [`SealedShares::complain`]) about the share of the key
    /// `which`. Returns the error that convicts the dealer: here `Ok` means that the complaint is justified.
    /// `dealer` must be the key of [`SealedShares::dealer`]: this is not checked, and with another key every
    /// well-formed complaint convicts the dealer (`Misplaced`).
    ///
    /// # Errors
    ///
    /// Returns the error that convicts the complainant: the complaint does not have 96 bytes, is malformed,
    /// comes from a seat that is not the holder, its proof does not hold, or the share is right
    /// (`Groundless`).
    pub fn judge(
        &self,
        dealer: &SeatKey,
        holder: &SeatKey,
        which: Which,
        complaint: &[u8],
    ) -> Result<MessageError, MessageError> {
        let rejected = Message::Complaint.of(holder.seat());
        let secret = self.check_complaint(holder, which, complaint).map_err(rejected)?;
        match self.share(dealer, which, &secret) {
            Ok(_) => Err(rejected(VerifyError::Groundless)),
            Err(fault) => Ok(Message::Escrow.of(self.dealer)(fault)),
        }
    }

    /// Decodes a complaint, verifies its proof, and returns the secret x·E of the seal. Whether the share is
    /// wrong is left to the caller.
    ///
    /// # Errors
    ///
    /// Fails if the message is malformed, the seat is not the holder, or the proof does not hold.
    fn check_complaint(
        &self,
        holder: &SeatKey,
        which: Which,
        complaint: &[u8],
    ) -> Result<Element, VerifyError> {
        let mut reader = Reader::exact(complaint, LEN)?;
        if holder.seat() != self.holder {
            return Err(OperationError::NotOwner(self.holder).into());
        }
        let secret = reader.element(Part::Seal)?;
        let proof = Response::read(&mut reader)?;
        let point = self.seals[which as usize].point;
        let statement = dleq::Statement { y: holder.lock(), bases: &[point], images: &[secret] };
        Equation::EqualLogs.require(statement.verify(self.transcript(which), &proof))?;
        Ok(secret)
    }

    /// Returns a new transcript of a complaint about the share of the key `which`, bound to the game, the
    /// dealer and the holder.
    fn transcript(&self, which: Which) -> Transcript {
        Transcript::new("complaint", &context(&self.game, self.dealer, self.holder, which))
    }
}
