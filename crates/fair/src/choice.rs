//! Simultaneous secret choices: everybody commits, then everybody opens.

use crate::error::{Equation, Message, MessageError, OperationError, VerifyError};
use crate::primitives::digest;
use crate::seats::{PhaseId, SeatIndex};
use crate::secrets::SeatSecrets;
use alloc::vec::Vec;

/// The longest choice, in bytes.
pub const MAX_CHOICE: usize = 4096;

/// A commitment to a choice, 32 bytes. It is bound to the phase and the seat: a copy of it opens nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment(pub [u8; 32]);

/// Commits to a choice. Returns the commitment to send now, and the opening `nonce ‖ choice` to send when all
/// have committed.
///
/// The nonce is derived from the seat's seed and the phase, so a repeated call after a crash returns the same
/// bytes. Commit to one choice per phase: two openings of one phase have the same nonce.
///
/// # Errors
///
/// Fails with `TooMany` if the choice has more than [`MAX_CHOICE`] bytes.
pub fn commit(
    phase: &PhaseId,
    secrets: &SeatSecrets,
    choice: &[u8],
) -> Result<(Commitment, Vec<u8>), OperationError> {
    if choice.len() > MAX_CHOICE {
        return Err(OperationError::TooMany { limit: MAX_CHOICE, found: choice.len() });
    }
    let nonce = secrets.choice_nonce(phase);
    let mut opening = Vec::with_capacity(32 + choice.len());
    opening.extend_from_slice(&nonce);
    opening.extend_from_slice(choice);
    Ok((hash(phase, secrets.seat(), &nonce, choice), opening))
}

impl Commitment {
    /// Checks a seat's opening (`nonce ‖ choice`) against its commitment and returns the choice, a part of
    /// `opening`.
    ///
    /// `phase` is the one of the commitment, not of the opening. The caller must check whether the choice is
    /// legal.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the seat if the opening has fewer than 32 or more than 32 +
    /// [`MAX_CHOICE`] bytes, or does not hash to the commitment for this phase and seat.
    pub fn open<'m>(
        &self,
        phase: &PhaseId,
        seat: SeatIndex,
        opening: &'m [u8],
    ) -> Result<&'m [u8], MessageError> {
        self.check(phase, seat, opening).map_err(Message::Choice.of(seat))
    }

    /// Checks an opening (`nonce ‖ choice`) of this commitment and returns the choice, a part of `opening`.
    /// `phase` and `seat` are those of the commitment; `open` adds the seat to the error.
    ///
    /// # Errors
    ///
    /// Fails if the opening is shorter than a nonce, longer than a nonce and [`MAX_CHOICE`] bytes, or does
    /// not hash to the commitment.
    fn check<'m>(
        &self,
        phase: &PhaseId,
        seat: SeatIndex,
        opening: &'m [u8],
    ) -> Result<&'m [u8], VerifyError> {
        if opening.len() > 32 + MAX_CHOICE {
            return Err(VerifyError::TooLong { limit: 32 + MAX_CHOICE, found: opening.len() });
        }
        let Some((nonce, choice)) = opening.split_first_chunk() else {
            return Err(VerifyError::Length { expected: 32, found: opening.len() });
        };
        Equation::Opening.require(hash(phase, seat, nonce, choice) == *self)?;
        Ok(choice)
    }
}

/// Returns the commitment to a choice: a hash of the phase, the seat, the nonce, the length of the choice,
/// and the choice.
fn hash(phase: &PhaseId, seat: SeatIndex, nonce: &[u8; 32], choice: &[u8]) -> Commitment {
    let len = (choice.len() as u32).to_le_bytes();
    Commitment(digest("pentarchy choice v1", &[&phase.0, &[seat.index()], nonce, &len, choice]))
}
