//! Mint: a hidden choice from a public menu, certain to be legal from the moment it is laid down.

use super::Category;
use crate::error::{Message, MessageError, OperationError, Part, VerifyError};
use crate::faces::FacePoint;
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::proof::Response;
use crate::seats::Phase;
use crate::secrets::{Nonces, SeatSecrets};
use crate::token::{Cipher, Private};
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use pentarchy_keys::Entropy;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

/// Creates a token with the face `menu[choice]` that is private to the seat of `secrets`, and proves that its
/// face is on the menu. Returns it with the message to send, `a ‖ b ‖ category proof` (64 bytes and 64 per
/// entry of the menu), which is valid only in `phase`. The message does not show the choice. The mask and the
/// nonces come from the seed of the seat, the choice and `entropy`, which must be fresh.
///
/// # Errors
///
/// Fails with `False` if the menu has no entry `choice` (or is empty), `TooMany` if it has more than
/// [`MAX_BRANCHES`](super::MAX_BRANCHES) entries, and `Malformed` if it names a face twice.
pub fn mint(
    phase: &Phase,
    secrets: &SeatSecrets,
    menu: &[FacePoint],
    choice: usize,
    entropy: Entropy,
) -> Result<(Private, Vec<u8>), OperationError> {
    if choice >= menu.len() {
        return Err(OperationError::False);
    }
    let mut face = RistrettoPoint::default();
    for (i, option) in menu.iter().enumerate() {
        face.conditional_assign(option.element().point(), i.ct_eq(&choice));
    }
    let mut fork = Transcript::new("mint", &phase.context(secrets.seat()));
    // The choice is part of what blinds it: two choices never share a mask, even if the entropy repeats.
    fork.append("face", face.compress().as_bytes());
    let hedge = secrets.hedge(entropy);
    let r = Zeroizing::new(hedge.stream(&fork).scalar());
    let a = RistrettoPoint::mul_base(&r);
    let cipher = Cipher { a: Element::new(a), b: Element::new(face + a * secrets.lock()) };
    let token = Private { owner: secrets.seat(), cipher };
    let proof = Category { token: &token, menu }.prove_with(phase, secrets, &hedge)?;
    let mut message = Vec::with_capacity(64 + proof.len());
    message.extend_from_slice(&cipher.to_bytes());
    message.extend_from_slice(&proof);
    Ok((token, message))
}

/// Verifies a message of [`mint()`]: that the seat of `key` created, in `phase`, a token with a face of `menu`.
/// Returns the token, which is private to that seat. The menu must be in the order that the seat used.
///
/// # Errors
///
/// Returns a [`MessageError`] that names the seat if the message has the wrong length, a part is not
/// canonical, a is the neutral element, the menu is empty, too large or names a face twice, or the proof does
/// not hold.
pub fn verify_mint(
    phase: &Phase,
    key: &SeatKey,
    menu: &[FacePoint],
    message: &[u8],
) -> Result<Private, MessageError> {
    check(phase, key, menu, message).map_err(Message::Mint.of(key.seat()))
}

/// Decodes `a ‖ b ‖ category proof`, verifies that the face is on the menu, and returns the token, private to
/// the seat of `key`. `verify_mint` adds the seat to the error.
///
/// # Errors
///
/// Fails if the message or the menu is malformed, or the proof does not hold.
fn check(phase: &Phase, key: &SeatKey, menu: &[FacePoint], message: &[u8]) -> Result<Private, VerifyError> {
    let mut reader = Reader::exact(message, 64 + Response::LEN * menu.len())?;
    let cipher = Cipher { a: reader.nonzero(Part::Token)?, b: reader.element(Part::Token)? };
    let token = Private { owner: key.seat(), cipher };
    Category { token: &token, menu }.check(phase, key, message.get(64..).unwrap_or_default())?;
    Ok(token)
}
