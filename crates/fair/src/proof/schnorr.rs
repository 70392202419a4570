//! Knowledge of the discrete logarithm of a key (Schnorr).

use super::Response;
use crate::primitives::{Element, Transcript};
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use zeroize::Zeroizing;

/// Proves knowledge of `x` with `y` = xG and returns the proof. That `y` belongs to `x` is not checked; if
/// not, the proof does not verify. `nonce` derives the secret nonce from the transcript.
pub(crate) fn prove(
    mut transcript: Transcript,
    x: &Scalar,
    y: &Element,
    nonce: impl FnOnce(&Transcript) -> Scalar,
) -> Response {
    transcript.append("Y", y.bytes());
    let w = Zeroizing::new(nonce(&transcript));
    transcript.append("t", Element::new(RistrettoPoint::mul_base(&w)).bytes());
    let c = transcript.challenge_scalar("c");
    Response { c, s: *w + c * x }
}

/// Returns whether the proof shows knowledge of the logarithm of `y`. `transcript` must be in the state that
/// the prover started with. The neutral element is always rejected.
pub(crate) fn verify(mut transcript: Transcript, y: &Element, proof: &Response) -> bool {
    transcript.append("Y", y.bytes());
    let t = RistrettoPoint::vartime_double_scalar_mul_basepoint(&-proof.c, y.point(), &proof.s);
    transcript.append("t", Element::new(t).bytes());
    !y.is_identity() && transcript.challenge_scalar("c") == proof.c
}
