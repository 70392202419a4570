//! The secrets of a seat: the seed of its keys, and the nonces of its proofs.

use crate::primitives::{Drbg, Element, Transcript};
use crate::seats::{PhaseId, SeatIndex};
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use pentarchy_keys::Entropy;
use zeroize::Zeroizing;

/// The secrets of one seat in one game: a seed, and the lock and dice keys that follow from it.
///
/// Fresh for every game. There is neither `Debug` nor `Clone`, and dropping wipes everything.
pub struct SeatSecrets {
    /// The seat.
    seat: SeatIndex,
    /// The seed of everything below.
    seed: Zeroizing<[u8; 32]>,
    /// The lock key x.
    lock: Zeroizing<Scalar>,
    /// The dice key k.
    dice: Zeroizing<Scalar>,
    /// The public lock key Y = xG.
    lock_public: Element,
    /// The public dice key K = kG.
    dice_public: Element,
}

impl SeatSecrets {
    /// Creates the secrets of a seat. The entropy becomes the seed, so it must be fresh from the operating
    /// system for every game and seat.
    pub fn new(seat: SeatIndex, entropy: Entropy) -> Self {
        Self::from_seed(seat, entropy.into_bytes())
    }

    /// Derives the secrets of a seat from its seed: after a crash, or from a player who handed over the seat.
    /// The same seed always gives the same keys.
    pub fn from_seed(seat: SeatIndex, seed: Zeroizing<[u8; 32]>) -> Self {
        let lock = Zeroizing::new(Drbg::new(&*seed, "lock").scalar());
        let dice = Zeroizing::new(Drbg::new(&*seed, "dice").scalar());
        let lock_public = Element::new(RistrettoPoint::mul_base(&lock));
        let dice_public = Element::new(RistrettoPoint::mul_base(&dice));
        Self { seat, seed, lock, dice, lock_public, dice_public }
    }

    /// Returns the seat of the secrets.
    pub fn seat(&self) -> SeatIndex {
        self.seat
    }

    /// Returns the seed, for storage with [`SeatSecrets::from_seed`] later. Keep it secret: it gives access
    /// to the seat's cards and dice.
    pub fn seed(&self) -> &Zeroizing<[u8; 32]> {
        &self.seed
    }

    /// Returns the lock key x.
    pub(crate) fn lock(&self) -> &Scalar {
        &self.lock
    }

    /// Returns the dice key k.
    pub(crate) fn dice(&self) -> &Scalar {
        &self.dice
    }

    /// Returns the public lock key Y = xG.
    pub(crate) fn lock_public(&self) -> &Element {
        &self.lock_public
    }

    /// Returns the public dice key K = kG.
    pub(crate) fn dice_public(&self) -> &Element {
        &self.dice_public
    }

    /// Returns the nonce of the seat's commitment in a phase. It is derived from the seed and the phase
    /// alone, so that a crash between commitment and opening cannot lose it.
    pub(crate) fn choice_nonce(&self, phase: &PhaseId) -> [u8; 32] {
        let mut nonce = [0; 32];
        Drbg::from_parts(&[&*self.seed, &phase.0], "choice").fill(&mut nonce);
        nonce
    }

    /// Returns the source of nonces for the proofs of one message. Each proof draws its own stream after its
    /// statement is in the transcript; pass fresh entropy for each message.
    pub(crate) fn hedge(&self, entropy: Entropy) -> Hedge<'_> {
        Hedge { seed: &self.seed, entropy: entropy.into_bytes() }
    }
}

/// Nonces that are safe if either the seat's seed or the fresh entropy is: both are hashed with the state of
/// the transcript, so that no two statements ever share a nonce even if the entropy repeats.
pub(crate) struct Hedge<'a> {
    /// The seed of the seat.
    seed: &'a [u8; 32],
    /// The fresh bytes of this message.
    entropy: Zeroizing<[u8; 32]>,
}

/// Where a prover's nonces come from: [`Hedge`] in play, a fixed stream for the known-answer vectors.
pub(crate) trait Nonces {
    /// Returns the stream of nonces for one proof. Call it when the prover has appended its whole statement
    /// to `transcript`, which is only read.
    fn stream(&self, transcript: &Transcript) -> Drbg;
}

impl Nonces for Hedge<'_> {
    /// Returns the stream of the seed, the state of the transcript and the entropy. Equal states give equal
    /// streams.
    fn stream(&self, transcript: &Transcript) -> Drbg {
        Drbg::from_parts(&[self.seed, &transcript.state(), &*self.entropy], "nonce")
    }
}
