//! Dealing sealed shares, and opening them.

use super::{Polynomials, Threshold, Which};
use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::proof::{Response, schnorr};
use crate::seats::{GameId, SeatIndex};
use crate::secrets::{Nonces, SeatSecrets};
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use pentarchy_keys::Entropy;
use zeroize::Zeroizing;

/// E ‖ sealed share ‖ proof of knowledge of e.
const SEAL_LEN: usize = 32 + 32 + Response::LEN;

/// One sealed share.
#[derive(Clone, Copy)]
pub(super) struct Seal {
    /// The sealing point E.
    pub(super) point: Element,
    /// The share, hidden by the pad.
    sealed: [u8; 32],
}

/// The shares of one dealer's keys for one holder, sealed with the holder's lock key. Public.
#[derive(Clone, Copy)]
pub struct SealedShares {
    /// The game that the seals are bound to.
    pub(super) game: GameId,
    /// The seat whose keys are shared.
    pub(super) dealer: SeatIndex,
    /// The seat that can open the shares.
    pub(super) holder: SeatIndex,
    /// The shares of the lock key and the dice key.
    pub(super) seals: [Seal; 2],
}

/// The opened and checked shares of one dealer's keys. Secret; wiped when dropped.
pub struct HeldShares {
    /// The seat whose keys are shared.
    pub(super) dealer: SeatIndex,
    /// The seat that the shares were sealed for.
    pub(super) holder: SeatIndex,
    /// The shares of the lock key and the dice key.
    pub(super) shares: [Zeroizing<Scalar>; 2],
}

impl HeldShares {
    /// Returns the seat whose keys these are shares of.
    pub fn dealer(&self) -> SeatIndex {
        self.dealer
    }

    /// Returns the seat that holds the shares.
    pub fn holder(&self) -> SeatIndex {
        self.holder
    }
}

/// Returns the bytes that a seal is bound to: `game_id ‖ dealer ‖ holder ‖ which`.
pub(super) fn context(game: &GameId, dealer: SeatIndex, holder: SeatIndex, which: Which) -> [u8; 35] {
    let mut context = [0; 35];
    context[..32].copy_from_slice(&game.0);
    context[32..].copy_from_slice(&[dealer.index(), holder.index(), which as u8]);
    context
}

/// Returns the pad that hides a share. `point` is the sealing point E = e·G, `secret` the point that only the
/// dealer (e·Y) and the holder (x·E) can compute.
fn pad(context: &[u8], point: &Element, secret: &Element) -> Zeroizing<[u8; 32]> {
    let mut transcript = Transcript::new("escrow", context);
    transcript.append_elements("kem", [point, secret]);
    let mut pad = Zeroizing::new([0; 32]);
    transcript.challenge("pad", &mut *pad);
    pad
}

/// Returns the bitwise exclusive or of two arrays: byte `i` of the result is `left[i] ^ right[i]`.
fn xor(left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
    core::array::from_fn(|i| left[i] ^ right[i])
}

/// Seals the shares of a seat's lock and dice keys to the holders. Returns the message to send: 256 bytes per
/// holder, in the order of `holders`, which the receivers must use as well.
///
/// The holders' keys must be known, so this is a second round after the seat keys. `threshold` must be the
/// one of the enrolment: this is not checked. Pads and nonces come from the seed of the seat and from
/// `entropy`, which must be fresh. Each seal carries a proof that the dealer knows its exponent: otherwise a
/// dealer could send a copy of another dealer's seal, and the holder's complaint about it would open the
/// original to all.
///
/// # Errors
///
/// Fails with `Twice` if a holder is named twice or is the dealer, and with `Threshold` if the holders are
/// fewer than the threshold.
pub fn deal(
    game: &GameId,
    secrets: &SeatSecrets,
    threshold: Threshold,
    holders: &[&SeatKey],
    entropy: Entropy,
) -> Result<Vec<u8>, OperationError> {
    check_holders(secrets.seat(), threshold.get(), holders)?;
    let polynomials = Polynomials::new(secrets, threshold);
    let hedge = secrets.hedge(entropy);
    let mut message = Vec::with_capacity(2 * SEAL_LEN * holders.len());
    for key in holders {
        for (which, share) in Which::BOTH.into_iter().zip(polynomials.at(key.seat())) {
            let context = context(game, secrets.seat(), key.seat(), which);
            let mut stream = hedge.stream(&Transcript::new("escrow seal", &context));
            let e = Zeroizing::new(stream.scalar());
            let point = Element::new(RistrettoPoint::mul_base(&e));
            let secret = Zeroizing::new(key.lock().point() * *e);
            let pad = pad(&context, &point, &Element::new(*secret));
            let transcript = Transcript::new("escrow-kem", &context);
            let proof = schnorr::prove(transcript, &e, &point, |_| stream.scalar());
            message.extend_from_slice(point.bytes());
            message.extend_from_slice(&xor(share.as_bytes(), &pad));
            message.extend_from_slice(&proof.to_bytes());
        }
    }
    Ok(message)
}

/// Verifies what all seats can check of a deal: form, proofs of knowledge, and that the polynomials give
/// every holder a share key. Returns the sealed shares in the order of `holders`, which must be the dealer's
/// order. Whether the shares are right is seen only when a holder opens them ([`SealedShares::open`]).
///
/// # Errors
///
/// Returns a [`MessageError`] that names the dealer if the message has the wrong length or is not canonical,
/// a sealing point or share key is the neutral element, a proof does not hold, the dealer has no escrow, or
/// the holders are not different from each other and the dealer, or too few.
pub fn verify_deal(
    game: &GameId,
    dealer: &SeatKey,
    holders: &[&SeatKey],
    message: &[u8],
) -> Result<Vec<SealedShares>, MessageError> {
    check_deal(game, dealer, holders, message).map_err(Message::Escrow.of(dealer.seat()))
}

/// Decodes the sealed shares of a dealer, in the order of `holders`, and verifies what all seats can check:
/// form, proofs of knowledge, and that no share key is the neutral element. The contents are checked when a
/// holder opens them. `verify_deal` adds the dealer to the error.
///
/// # Errors
///
/// Fails if the message is malformed, a share key is the neutral element, a proof does not hold, the dealer
/// has no escrow, or the holders are not different from each other and the dealer, or too few.
fn check_deal(
    game: &GameId,
    dealer: &SeatKey,
    holders: &[&SeatKey],
    message: &[u8],
) -> Result<Vec<SealedShares>, VerifyError> {
    let mut reader = Reader::exact(message, 2 * SEAL_LEN * holders.len())?;
    let coefficients = dealer.escrow().ok_or(OperationError::Threshold)?;
    check_holders(dealer.seat(), coefficients.threshold(), holders)?;
    let mut seal = |holder: SeatIndex, which| {
        if coefficients.share_key(which, holder).is_identity() {
            return Err(VerifyError::Identity(Part::Coefficient));
        }
        let point = reader.nonzero(Part::Seal)?;
        let sealed = reader.array()?;
        let proof = Response::read(&mut reader)?;
        let transcript = Transcript::new("escrow-kem", &context(game, dealer.seat(), holder, which));
        Equation::SealKnown.require(schnorr::verify(transcript, &point, &proof))?;
        Ok(Seal { point, sealed })
    };
    holders
        .iter()
        .map(|key| {
            let holder = key.seat();
            let seals = [seal(holder, Which::Lock)?, seal(holder, Which::Dice)?];
            Ok(SealedShares { game: *game, dealer: dealer.seat(), holder, seals })
        })
        .collect()
}

/// Checks that the holders are different seats other than the dealer, and at least as many as the threshold.
///
/// # Errors
///
/// Fails with `Twice` for a seat named twice or the dealer, and with `Threshold` for too few holders.
fn check_holders(dealer: SeatIndex, threshold: usize, holders: &[&SeatKey]) -> Result<(), OperationError> {
    let mut seen = crate::seats::Seats::EMPTY.with(dealer);
    for key in holders {
        if seen.contains(key.seat()) {
            return Err(OperationError::Twice(key.seat()));
        }
        seen = seen.with(key.seat());
    }
    if holders.len() < threshold { Err(OperationError::Threshold) } else { Ok(()) }
}

impl SealedShares {
    /// Returns the seat whose keys these are shares of.
    pub fn dealer(&self) -> SeatIndex {
        self.dealer
    }

    /// Returns the seat that the shares are for.
    pub fn holder(&self) -> SeatIndex {
        self.holder
    }

    /// Opens the shares with the holder's secrets and checks them against the dealer's commitments. Keep the
    /// result: it is needed if the dealer drops out.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the dealer if a share is malformed or wrong; prove this to all
    /// with [`SealedShares::complain`]. The caller's own mistakes (`secrets` of another seat, `dealer` of
    /// another seat or without escrow) come as the fault `Misplaced`.
    pub fn open(&self, dealer: &SeatKey, secrets: &SeatSecrets) -> Result<HeldShares, MessageError> {
        let rejected = Message::Escrow.of(self.dealer);
        if secrets.seat() != self.holder {
            return Err(rejected(OperationError::NotOwner(self.holder).into()));
        }
        self.open_with(dealer, |point| Ok(Element::new(point.point() * secrets.lock()))).map_err(rejected)
    }

    /// Opens both shares and checks them; `secret` returns x·E for a sealing point E.
    ///
    /// # Errors
    ///
    /// Fails if `secret` does, `dealer` is another seat or has no escrow, or a share is malformed or not on
    /// the dealer's polynomial.
    pub(super) fn open_with(
        &self,
        dealer: &SeatKey,
        secret: impl Fn(&Element) -> Result<Element, VerifyError>,
    ) -> Result<HeldShares, VerifyError> {
        let share = |which: Which| self.share(dealer, which, &secret(&self.seals[which as usize].point)?);
        Ok(HeldShares {
            dealer: self.dealer,
            holder: self.holder,
            shares: [share(Which::Lock)?, share(Which::Dice)?],
        })
    }

    /// Decrypts the share of the key `which` with the secret x·E of its seal, and checks that it lies on the
    /// dealer's polynomial.
    ///
    /// # Errors
    ///
    /// Fails if `dealer` is another seat or has no escrow, or the share is malformed or not on the
    /// polynomial.
    pub(super) fn share(
        &self,
        dealer: &SeatKey,
        which: Which,
        secret: &Element,
    ) -> Result<Zeroizing<Scalar>, VerifyError> {
        if dealer.seat() != self.dealer {
            return Err(OperationError::NotOwner(self.dealer).into());
        }
        let coefficients = dealer.escrow().ok_or(OperationError::Threshold)?;
        let seal = &self.seals[which as usize];
        let pad = pad(&context(&self.game, self.dealer, self.holder, which), &seal.point, secret);
        let share: Option<Scalar> = Scalar::from_canonical_bytes(xor(&seal.sealed, &pad)).into();
        let share = Zeroizing::new(share.ok_or(VerifyError::Encoding(Part::Share))?);
        let expected = coefficients.share_key(which, self.holder);
        Equation::Polynomial.require(RistrettoPoint::mul_base(&share) == *expected.point())?;
        Ok(share)
    }
}
