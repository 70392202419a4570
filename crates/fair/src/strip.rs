//! Strip: a seat takes its lock off tokens by publishing D = x·a for each, with one proof for all.

use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::proof::{Response, dleq};
use crate::seats::{Phase, SeatIndex};
use crate::secrets::{Nonces, SeatSecrets};
use crate::token::CipherToken;
use alloc::vec::Vec;
use pentarchy_keys::Entropy;

/// The largest number of tokens in one message.
pub const MAX_BATCH: usize = 4096;

/// The kind of proof.
const LABEL: &str = "share";

/// A verified share: what takes one seat's lock off one token ([`CipherToken::unlock`]).
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// The seat whose lock it takes off.
    pub(crate) seat: SeatIndex,
    /// The a of the token it was made for.
    pub(crate) base: [u8; 32],
    /// D = x·a.
    pub(crate) image: Element,
}

impl Share {
    /// Returns the seat whose lock the share takes off.
    pub fn seat(&self) -> SeatIndex {
        self.seat
    }
}

/// Creates the shares with which a seat takes its lock off all tokens that it strips in this phase. Returns
/// one share per token, in the order of `tokens`, and the message to send, `D[m] ‖ proof` (32·m + 64 bytes
/// for m tokens), which is valid only in `phase`. The nonce of the proof comes from the seed of the seat and
/// from `entropy`, which must be fresh.
///
/// The tokens do not change: every peer applies the shares with [`CipherToken::unlock`]. A share reveals the
/// seat's part of a card, so call it only for tokens and readers that the current step of a fully verified
/// log demands.
///
/// # Errors
///
/// Fails with `Empty` if there are no tokens, `TooMany` if there are more than [`MAX_BATCH`], and `NoLock` if
/// one does not have the seat's lock.
pub fn strip(
    phase: &Phase,
    secrets: &SeatSecrets,
    tokens: &[CipherToken],
    entropy: Entropy,
) -> Result<(Vec<Share>, Vec<u8>), OperationError> {
    let seat = secrets.seat();
    let bases = bases(seat, tokens)?;
    let images: Vec<Element> = bases.iter().map(|a| Element::new(a.point() * secrets.lock())).collect();
    let y = secrets.lock_public();
    let statement = dleq::Statement { y, bases: &bases, images: &images };
    let hedge = secrets.hedge(entropy);
    let proof = statement.prove(Transcript::new(LABEL, &phase.context(seat)), secrets.lock(), |transcript| {
        hedge.stream(transcript).scalar()
    });
    let mut message = Vec::with_capacity(32 * tokens.len() + Response::LEN);
    for image in &images {
        message.extend_from_slice(image.bytes());
    }
    message.extend_from_slice(&proof.to_bytes());
    Ok((shares(seat, &bases, images), message))
}

/// Verifies a message of [`strip()`] by the seat that `key` belongs to, made in `phase`. Returns one share per
/// token, in the order of `tokens`, which must be the list that the seat stripped.
///
/// # Errors
///
/// Returns a [`MessageError`] that names the seat if the message has the wrong length, there are no tokens or
/// more than [`MAX_BATCH`], a token does not have the seat's lock, a share is not canonically encoded, or the
/// proof does not hold for this phase.
pub fn verify_strip(
    phase: &Phase,
    key: &SeatKey,
    tokens: &[CipherToken],
    message: &[u8],
) -> Result<Vec<Share>, MessageError> {
    check(phase, key, tokens, message).map_err(Message::Shares.of(key.seat()))
}

/// Decodes the shares of the seat of `key` for these tokens, verifies their proof for the phase, and returns
/// them in the order of `tokens`. `verify_strip` adds the seat to the error.
///
/// # Errors
///
/// Fails if the message is malformed, the list of tokens cannot be stripped by the seat, or the proof does
/// not hold.
fn check(
    phase: &Phase,
    key: &SeatKey,
    tokens: &[CipherToken],
    message: &[u8],
) -> Result<Vec<Share>, VerifyError> {
    let mut reader = Reader::exact(message, 32 * tokens.len() + Response::LEN)?;
    let bases = bases(key.seat(), tokens)?;
    let images = reader.elements(tokens.len(), Part::Share)?;
    let proof = Response::read(&mut reader)?;
    let statement = dleq::Statement { y: key.lock(), bases: &bases, images: &images };
    Equation::EqualLogs
        .require(statement.verify(Transcript::new(LABEL, &phase.context(key.seat())), &proof))?;
    Ok(shares(key.seat(), &bases, images))
}

/// Returns the a of each token in order, after checking that `seat` can strip all of them.
///
/// # Errors
///
/// Fails with `Empty` if there are no tokens, `TooMany` if there are more than [`MAX_BATCH`], and `NoLock` if
/// one does not have the seat's lock.
fn bases(seat: SeatIndex, tokens: &[CipherToken]) -> Result<Vec<Element>, OperationError> {
    if tokens.is_empty() {
        return Err(OperationError::Empty);
    }
    if tokens.len() > MAX_BATCH {
        return Err(OperationError::TooMany { limit: MAX_BATCH, found: tokens.len() });
    }
    tokens
        .iter()
        .map(|token| {
            if token.locks().contains(seat) {
                Ok(token.cipher().a)
            } else {
                Err(OperationError::NoLock(seat))
            }
        })
        .collect()
}

/// Creates the shares of a seat. `images` are the bases multiplied by the seat's secret, in the order of `bases`; the
/// lengths must be equal. Nothing is checked.
fn shares(seat: SeatIndex, bases: &[Element], images: Vec<Element>) -> Vec<Share> {
    bases.iter().zip(images).map(|(base, image)| Share { seat, base: *base.bytes(), image }).collect()
}
