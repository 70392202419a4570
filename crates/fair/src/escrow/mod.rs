//! Escrow: every seat shares its keys among the others, so that `t` of them together can stand in for it when
//! it is gone. The price: the same `t` could do so behind its back.
//!
//! 1. [`Enrolment`](crate::Enrolment) carries commitments to two polynomials ([`Coefficients`]): for the lock
//!    key and the dice key.
//! 2. When all keys are verified, every seat seals a share of both to every holder ([`deal()`],
//!    [`verify_deal`]).
//! 3. A holder opens its shares ([`SealedShares::open`]) and, if one is wrong, proves it to all
//!    ([`SealedShares::complain`]). All this is settled before the game starts.
//! 4. What is due from a seat that is gone is supplied by `t` holders ([`Absence`]).

mod absence;
mod complaint;
mod deal;

pub use absence::{Absence, DueContribution, RecoveredContribution, StandIn};
pub use complaint::Which;
pub use deal::{HeldShares, SealedShares, deal, verify_deal};

use crate::error::{OperationError, Part, VerifyError};
use crate::primitives::{Drbg, Element, Reader};
use crate::seats::{MAX_SEATS, SeatIndex};
use crate::secrets::SeatSecrets;
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use zeroize::Zeroizing;

/// How many holders can stand in for a seat: at least 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold(u8);

impl Threshold {
    /// Creates the threshold: `t` of `holders` can stand in for a seat. The holders of a seat's shares are
    /// all other seats, or named stewards.
    ///
    /// # Errors
    ///
    /// Fails with `Threshold` unless 2 ≤ `t` ≤ `holders` ≤ [`MAX_SEATS`].
    pub fn new(t: u8, holders: usize) -> Result<Self, OperationError> {
        if t >= 2 && usize::from(t) <= holders && holders <= usize::from(MAX_SEATS) {
            Ok(Self(t))
        } else {
            Err(OperationError::Threshold)
        }
    }

    /// Returns the number of holders needed.
    pub fn get(self) -> usize {
        usize::from(self.0)
    }
}

/// The two secret polynomials of a seat: constant terms x and k, the rest from the seed.
struct Polynomials([Zeroizing<Vec<Scalar>>; 2]);

impl Polynomials {
    /// Derives the two polynomials of a seat from its seed; the constant terms are its keys. The same seat
    /// and threshold always give the same polynomials.
    fn new(secrets: &SeatSecrets, threshold: Threshold) -> Self {
        let polynomial = |constant: &Scalar, label| {
            let mut coefficients = Zeroizing::new(Vec::with_capacity(threshold.get()));
            coefficients.push(*constant);
            coefficients.extend(Drbg::new(&**secrets.seed(), label).scalars(threshold.get() - 1).iter());
            coefficients
        };
        Self([polynomial(secrets.lock(), "escrow lock"), polynomial(secrets.dice(), "escrow dice")])
    }

    /// Returns a holder's shares of the lock key and the dice key: both polynomials at the number of the seat
    /// plus one.
    fn at(&self, holder: SeatIndex) -> [Zeroizing<Scalar>; 2] {
        let x = abscissa(holder);
        let horner =
            |coefficients: &[Scalar]| coefficients.iter().rev().fold(Scalar::ZERO, |sum, c| sum * x + c);
        self.0.each_ref().map(|coefficients| Zeroizing::new(horner(coefficients)))
    }
}

/// Returns where the polynomials are evaluated for a seat: its number plus one, since the value at 0 is the
/// secret itself.
fn abscissa(seat: SeatIndex) -> Scalar {
    Scalar::from(u32::from(seat.index()) + 1)
}

/// A seat's public commitments to its polynomials. The constant terms are its keys, so they are not sent
/// again.
#[derive(Clone)]
pub struct Coefficients([Vec<Element>; 2]);

impl Coefficients {
    /// Returns the length of the commitments in an enrolment message, in bytes: 64 per coefficient but the
    /// constants.
    pub(crate) fn len(threshold: Threshold) -> usize {
        64 * (threshold.get() - 1)
    }

    /// Appends to `message` the commitments to all coefficients except the constants: first those of the lock
    /// key, then of the dice key.
    pub(crate) fn write(secrets: &SeatSecrets, threshold: Threshold, message: &mut Vec<u8>) {
        for polynomial in &Polynomials::new(secrets, threshold).0 {
            for coefficient in polynomial.iter().skip(1) {
                message.extend_from_slice(RistrettoPoint::mul_base(coefficient).compress().as_bytes());
            }
        }
    }

    /// Reads the commitments from an enrolment message: `t − 1` of the lock key, then `t − 1` of the dice
    /// key, for a threshold of `t`. The constants are not read: they are the public keys `lock` and `dice`.
    ///
    /// # Errors
    ///
    /// Fails if bytes are missing, or a commitment is not canonical or is the neutral element.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        threshold: Threshold,
        lock: Element,
        dice: Element,
    ) -> Result<Self, VerifyError> {
        let mut polynomial = |constant| {
            let mut coefficients = Vec::with_capacity(threshold.get());
            coefficients.push(constant);
            for _ in 1..threshold.get() {
                coefficients.push(reader.nonzero(Part::Coefficient)?);
            }
            Ok::<_, VerifyError>(coefficients)
        };
        Ok(Self([polynomial(lock)?, polynomial(dice)?]))
    }

    /// Returns the number of holders that can stand in for the seat.
    fn threshold(&self) -> usize {
        self.0[0].len()
    }

    /// Returns the public key of a holder's share of the key `which`: Σ (i+1)^m C_m for seat i, by Horner's
    /// rule, since i + 1 is small.
    fn share_key(&self, which: Which, holder: SeatIndex) -> Element {
        let times = holder.index() + 1;
        let coefficients = self.0[which as usize].iter().rev().map(Element::point);
        Element::new(coefficients.fold(RistrettoPoint::default(), |sum, c| small_multiple(sum, times) + c))
    }
}

/// Multiplies a public point by a small number; 0 gives the neutral element. Not constant-time.
fn small_multiple(point: RistrettoPoint, times: u8) -> RistrettoPoint {
    let bits = (0..u8::BITS - times.leading_zeros()).rev();
    bits.fold(RistrettoPoint::default(), |sum, bit| {
        let double = sum + sum;
        if times >> bit & 1 == 0 { double } else { double + point }
    })
}
