//! Equality of discrete logarithms (Chaum–Pedersen), one proof for any number of pairs.

use super::Response;
use crate::primitives::{Element, Transcript};
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::VartimeMultiscalarMul;
use zeroize::Zeroizing;

/// `y` = xG and `images[k]` = x·`bases[k]` for all k.
#[derive(Clone, Copy)]
pub(crate) struct Statement<'a> {
    /// The public key.
    pub(crate) y: &'a Element,
    /// The points that are multiplied.
    pub(crate) bases: &'a [Element],
    /// Their multiples, in the same order.
    pub(crate) images: &'a [Element],
}

impl Statement<'_> {
    /// Appends the statement to the transcript and draws one random weight per pair. Returns `None` for
    /// exactly one pair, which needs no weight.
    fn open(&self, transcript: &mut Transcript) -> Option<Vec<Scalar>> {
        transcript.append("Y", self.y.bytes());
        transcript.append_elements("A", self.bases);
        transcript.append_elements("D", self.images);
        // Without random weights two wrong shares could cancel each other.
        (self.bases.len() != 1).then(|| transcript.challenge_scalars("w", self.bases.len()))
    }

    /// Proves that `x` is the logarithm of `y` and of every image to its base, and returns the proof. The
    /// statement must be true and the lists equally long: nothing is checked, and a false statement gives a
    /// proof that does not verify. `nonce` derives the secret nonce from the transcript.
    pub(crate) fn prove(
        &self,
        mut transcript: Transcript,
        x: &Scalar,
        nonce: impl FnOnce(&Transcript) -> Scalar,
    ) -> Response {
        let weights = self.open(&mut transcript);
        let base = weighted(weights.as_deref(), self.bases);
        let w = Zeroizing::new(nonce(&transcript));
        transcript.append("t1", Element::new(RistrettoPoint::mul_base(&w)).bytes());
        transcript.append("t2", Element::new(base * *w).bytes());
        let c = transcript.challenge_scalar("c");
        Response { c, s: *w + c * x }
    }

    /// Returns whether the proof holds for this statement. `transcript` must be in the state that the prover
    /// started with. Returns `false` also if the key is the neutral element, there are no pairs, or the lists
    /// differ in length.
    pub(crate) fn verify(&self, mut transcript: Transcript, proof: &Response) -> bool {
        if self.y.is_identity() || self.bases.is_empty() || self.bases.len() != self.images.len() {
            return false;
        }
        let weights = self.open(&mut transcript);
        let base = weighted(weights.as_deref(), self.bases);
        let image = weighted(weights.as_deref(), self.images);
        let t1 = RistrettoPoint::vartime_double_scalar_mul_basepoint(&-proof.c, self.y.point(), &proof.s);
        let t2 = RistrettoPoint::vartime_multiscalar_mul([proof.s, -proof.c], [base, image]);
        transcript.append("t1", Element::new(t1).bytes());
        transcript.append("t2", Element::new(t2).bytes());
        transcript.challenge_scalar("c") == proof.c
    }
}

/// Returns the weighted sum of public points, which must be as many as the weights; without weights the plain
/// sum. Not constant-time.
fn weighted(weights: Option<&[Scalar]>, points: &[Element]) -> RistrettoPoint {
    match weights {
        Some(weights) => RistrettoPoint::vartime_multiscalar_mul(weights, points.iter().map(Element::point)),
        None => points.iter().map(Element::point).sum(),
    }
}
