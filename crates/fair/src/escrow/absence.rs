//! Standing in for a seat that is gone: `t` holders supply what is due from it. Its key is never put
//! together.

use super::{Coefficients, HeldShares, SealedShares, Which, abscissa};
use crate::dice::{self, DiceValue};
use crate::error::{Equation, Message, MessageError, OperationError, Part, VerifyError};
use crate::keys::SeatKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::proof::{Response, dleq};
use crate::seats::{Phase, SeatIndex, Seats};
use crate::secrets::{Nonces, SeatSecrets};
use crate::strip::{MAX_BATCH, Share};
use crate::token::CipherToken;
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::VartimeMultiscalarMul;
use pentarchy_keys::Entropy;

/// The kind of proof.
const LABEL: &str = "stand-in";

/// What is due from the absent seat.
#[derive(Clone, Copy)]
pub enum DueContribution<'a> {
    /// Shares for these tokens.
    Strip(&'a [CipherToken]),
    /// A value for the roll of this phase.
    Roll,
    /// The opening of shares that the absent seat held: they become public.
    Seals(&'a SealedShares),
}

/// An absent seat and what is due from it.
#[derive(Clone, Copy)]
pub struct Absence<'a> {
    /// The keys of the absent seat.
    pub key: &'a SeatKey,
    /// What is due.
    pub due: DueContribution<'a>,
}

/// A holder's verified part of what is due.
#[derive(Clone)]
pub struct StandIn {
    /// The absent seat.
    dealer: SeatIndex,
    /// The seat whose share was used.
    holder: SeatIndex,
    /// The points that are due to be multiplied by the absent seat's key.
    bases: Vec<Element>,
    /// The points multiplied by the holder's share of that key, in the same order.
    images: Vec<Element>,
}

/// What was due, put together from enough holders.
#[derive(Clone)]
pub struct RecoveredContribution {
    /// The absent seat.
    seat: SeatIndex,
    /// The points that were due to be multiplied by its key.
    bases: Vec<Element>,
    /// The points multiplied by its key, in the same order.
    images: Vec<Element>,
}

impl Absence<'_> {
    /// Creates a holder's part of what is due from the absent seat: each point that is due, multiplied by the
    /// holder's share of the key, and a proof. Returns it for [`Absence::recover`] with the message to send,
    /// `(share·A)[m] ‖ proof` (32·m + 64 bytes for m points), which is valid only in `phase`.
    ///
    /// `held` are the holder's shares of the absent seat's keys. `secrets` and `entropy` only feed the
    /// nonces; `entropy` must be fresh. `secrets` are the sender's, which is the holder, or any seat if the
    /// holder's shares were recovered and are public.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if the shares are of another dealer, `Threshold` if the game has no escrow,
    /// `Empty` or `TooMany` for no or more than [`MAX_BATCH`] tokens, `NoLock` if a token does not have the
    /// absent seat's lock, and `NotOwner` if the seals are not for the absent seat.
    pub fn stand_in(
        &self,
        phase: &Phase,
        held: &HeldShares,
        secrets: &SeatSecrets,
        entropy: Entropy,
    ) -> Result<(StandIn, Vec<u8>), OperationError> {
        if held.dealer != self.key.seat() {
            return Err(OperationError::NotOwner(held.dealer));
        }
        let bases = self.bases(phase)?;
        let share = &held.shares[self.which() as usize];
        let images: Vec<Element> = bases.iter().map(|base| Element::new(base.point() * **share)).collect();
        let y = self.coefficients()?.share_key(self.which(), held.holder);
        let statement = dleq::Statement { y: &y, bases: &bases, images: &images };
        let hedge = secrets.hedge(entropy);
        let transcript = Transcript::new(LABEL, &phase.context(held.holder));
        let proof = statement.prove(transcript, share, |transcript| hedge.stream(transcript).scalar());
        let mut message = Vec::with_capacity(32 * bases.len() + Response::LEN);
        for image in &images {
            message.extend_from_slice(image.bytes());
        }
        message.extend_from_slice(&proof.to_bytes());
        Ok((StandIn { dealer: held.dealer, holder: held.holder, bases, images }, message))
    }

    /// Verifies the message of [`Absence::stand_in`] with the shares of `holder`, for the phase in which it
    /// was made, and returns the part for [`Absence::recover`]. That `holder` was dealt a share is not
    /// checked, but without one no proof holds.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names `holder` if the message has the wrong length or is not
    /// canonical, the holder is the absent seat, the game has no escrow, what is due cannot be asked of the
    /// absent seat, or the proof does not hold.
    pub fn verify(&self, phase: &Phase, holder: SeatIndex, message: &[u8]) -> Result<StandIn, MessageError> {
        self.check(phase, holder, message).map_err(Message::StandIn.of(holder))
    }

    /// Decodes a holder's part of what is due, verifies its proof for the phase, and returns it. `verify`
    /// adds the holder to the error.
    ///
    /// # Errors
    ///
    /// Fails if the message is malformed, the holder is the absent seat, the game has no escrow, what is due
    /// cannot be asked of the absent seat, or the proof does not hold.
    fn check(&self, phase: &Phase, holder: SeatIndex, message: &[u8]) -> Result<StandIn, VerifyError> {
        let bases = self.bases(phase)?;
        let mut reader = Reader::exact(message, 32 * bases.len() + Response::LEN)?;
        if holder == self.key.seat() {
            return Err(OperationError::Absent(holder).into());
        }
        let images = reader.elements(bases.len(), Part::Share)?;
        let proof = Response::read(&mut reader)?;
        let y = self.coefficients()?.share_key(self.which(), holder);
        let statement = dleq::Statement { y: &y, bases: &bases, images: &images };
        let transcript = Transcript::new(LABEL, &phase.context(holder));
        Equation::EqualLogs.require(statement.verify(transcript, &proof))?;
        Ok(StandIn { dealer: self.key.seat(), holder, bases, images })
    }

    /// Combines the parts of at least as many different holders as the threshold to what is due from the
    /// absent seat. The result is the same for any choice of holders; parts beyond the threshold are checked
    /// but not used. The phase matters only for a roll: it must be that of the parts.
    ///
    /// # Errors
    ///
    /// Fails with `Twice` for two parts of one holder, `OtherToken` for a part of another dealer or of
    /// something else, and `Threshold` for too few parts or a game without escrow. Fails with `Empty` or
    /// `TooMany` for no or more than [`MAX_BATCH`] tokens, `NoLock` if a token does not have the absent
    /// seat's lock, and `NotOwner` if the seals are not for the absent seat.
    pub fn recover(&self, phase: &Phase, parts: &[StandIn]) -> Result<RecoveredContribution, OperationError> {
        let bases = self.bases(phase)?;
        let mut seen = Seats::EMPTY;
        for part in parts {
            if seen.contains(part.holder) {
                return Err(OperationError::Twice(part.holder));
            }
            if part.dealer != self.key.seat() || part.bases != bases {
                return Err(OperationError::OtherToken);
            }
            seen = seen.with(part.holder);
        }
        let parts = parts.get(..self.coefficients()?.threshold()).ok_or(OperationError::Threshold)?;
        let weights: Vec<Scalar> = parts.iter().map(|part| lagrange(part, parts)).collect();
        let image = |i: usize| {
            let points = parts.iter().map(|part| part.images[i].point());
            Element::new(RistrettoPoint::vartime_multiscalar_mul(&weights, points))
        };
        let images = (0..bases.len()).map(image).collect();
        Ok(RecoveredContribution { seat: self.key.seat(), bases, images })
    }

    /// Returns the key that the due contribution needs: the dice key for a roll, otherwise the lock key.
    fn which(&self) -> Which {
        match self.due {
            DueContribution::Strip(_) | DueContribution::Seals(_) => Which::Lock,
            DueContribution::Roll => Which::Dice,
        }
    }

    /// Returns the absent seat's commitments to its polynomials.
    ///
    /// # Errors
    ///
    /// Fails with `Threshold` if the game has no escrow.
    fn coefficients(&self) -> Result<&Coefficients, OperationError> {
        self.key.escrow().ok_or(OperationError::Threshold)
    }

    /// Returns the points to multiply by the absent seat's key, in order: one per token, one for a roll
    /// (which depends on the phase), two for seals (lock key, dice key).
    ///
    /// # Errors
    ///
    /// Fails with `Empty` or `TooMany` for no or more than [`MAX_BATCH`] tokens, `NoLock` for a token without
    /// the seat's lock, and `NotOwner` for seals of another holder.
    fn bases(&self, phase: &Phase) -> Result<Vec<Element>, OperationError> {
        let seat = self.key.seat();
        match self.due {
            DueContribution::Strip([]) => Err(OperationError::Empty),
            DueContribution::Strip(tokens) if tokens.len() > MAX_BATCH => {
                Err(OperationError::TooMany { limit: MAX_BATCH, found: tokens.len() })
            }
            DueContribution::Strip(tokens) => tokens
                .iter()
                .map(|token| match token.locks().contains(seat) {
                    true => Ok(token.cipher().a),
                    false => Err(OperationError::NoLock(seat)),
                })
                .collect(),
            DueContribution::Roll => Ok(alloc::vec![dice::input(&phase.id)]),
            DueContribution::Seals(sealed) if sealed.holder != seat => {
                Err(OperationError::NotOwner(sealed.holder))
            }
            DueContribution::Seals(sealed) => Ok(sealed.seals.iter().map(|seal| seal.point).collect()),
        }
    }
}

/// Returns the Lagrange coefficient of `part` for the value at 0 of a polynomial through all `parts`, whose
/// holders must differ.
fn lagrange(part: &StandIn, parts: &[StandIn]) -> Scalar {
    let x = abscissa(part.holder);
    parts.iter().filter(|other| other.holder != part.holder).fold(Scalar::ONE, |weight, other| {
        let other = abscissa(other.holder);
        weight * other * (other - x).invert()
    })
}

impl RecoveredContribution {
    /// Returns the absent seat's shares in the order of the tokens, for [`CipherToken::unlock`]. Use it only
    /// for a contribution of `DueContribution::Strip`: this is not checked here, but other shares fit no
    /// token.
    pub fn shares(&self) -> Vec<Share> {
        let share = |(base, image): (&Element, &Element)| Share {
            seat: self.seat,
            base: *base.bytes(),
            image: *image,
        };
        self.bases.iter().zip(&self.images).map(share).collect()
    }

    /// Returns the absent seat's value for the roll of `phase`.
    ///
    /// # Errors
    ///
    /// Fails with `OtherPhase` if the contribution is for another phase or is not a roll.
    pub fn dice_value(&self, phase: &Phase) -> Result<DiceValue, OperationError> {
        match (&self.bases[..], &self.images[..]) {
            ([base], [value]) if *base == dice::input(&phase.id) => {
                Ok(DiceValue { phase: phase.id, seat: self.seat, value: *value })
            }
            _ => Err(OperationError::OtherPhase),
        }
    }

    /// Opens the shares of `dealer`'s keys that the absent seat held, with a contribution of
    /// `DueContribution::Seals`. The shares are public from then on.
    ///
    /// # Errors
    ///
    /// Returns a [`MessageError`] that names the dealer of the seals if the contribution is for other seals,
    /// `dealer` is another seat, or a share is malformed or not on the dealer's polynomial.
    pub fn held(&self, sealed: &SealedShares, dealer: &SeatKey) -> Result<HeldShares, MessageError> {
        let secret = |point: &Element| {
            let found = self.bases.iter().zip(&self.images).find(|(base, _)| *base == point);
            found.map(|(_, image)| *image).ok_or(VerifyError::Misplaced(OperationError::OtherToken))
        };
        sealed.open_with(dealer, secret).map_err(Message::Escrow.of(sealed.dealer))
    }
}
