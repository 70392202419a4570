//! Either–or (Cramer–Damgård–Schoenmakers): of several branches, each a conjunction of equal logarithms, at
//! least one holds, without saying which.

use super::Response;
use crate::primitives::{Drbg, Element, Transcript, encode_doubles};
use alloc::vec::Vec;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroizing;

/// One conjunction: every pair (A, D) satisfies D = x·A for the x of the key.
pub(crate) type Branch = Vec<(RistrettoPoint, RistrettoPoint)>;

/// Returns one flag per branch, set for the first that holds and clear for all others; `None` if none holds.
///
/// Every branch is evaluated, whichever is true, so the time does not show which one it is.
pub(crate) fn first(holding: impl Iterator<Item = Choice>) -> Option<Vec<Choice>> {
    let mut found = Choice::from(0);
    let flags: Vec<Choice> = holding
        .map(|holds| {
            let flag = holds & !found;
            found |= holds;
            flag
        })
        .collect();
    bool::from(found).then_some(flags)
}

/// Proves that a branch holds and returns one response per branch, in order. The statement must already be
/// appended to `transcript`; `flags` come from [`first`], and the flagged branch must be true for the secret
/// `x` of the public key `y`, or the proof does not verify. `nonce` derives the secret nonces from the
/// transcript.
///
/// The true branch is simulated with challenge 0 like any other: its commitments (wG, wA) are those of an
/// honest prover, and no branch of the program depends on which one it is.
pub(crate) fn prove(
    mut transcript: Transcript,
    x: &Scalar,
    y: &Element,
    branches: &[Branch],
    flags: &[Choice],
    nonce: impl FnOnce(&Transcript) -> Drbg,
) -> Vec<Response> {
    let mut stream = nonce(&transcript);
    let mut e = stream.scalars(branches.len());
    let mut s = stream.scalars(branches.len());
    for (e, flag) in e.iter_mut().zip(flags) {
        e.conditional_assign(&Scalar::ZERO, *flag);
    }
    let mut halves = Vec::with_capacity(2 * branches.len());
    for (branch, (e, s)) in branches.iter().zip(e.iter().zip(s.iter())) {
        let (e, s) = (Zeroizing::new(e.div_by_2()), Zeroizing::new(s.div_by_2()));
        halves.push(RistrettoPoint::mul_base(&s) - y.point() * *e);
        halves.extend(branch.iter().map(|(a, d)| RistrettoPoint::multiscalar_mul([*s, -*e], [a, d])));
    }
    transcript.append("t", encode_doubles(&halves).as_flattened());
    let c = transcript.challenge_scalar("c");
    let missing = c - e.iter().sum::<Scalar>();
    let step = Zeroizing::new(missing * x);
    for ((e, s), flag) in e.iter_mut().zip(s.iter_mut()).zip(flags) {
        e.conditional_assign(&missing, *flag);
        let closed = Zeroizing::new(*s + *step);
        s.conditional_assign(&closed, *flag);
    }
    e.iter().zip(s.iter()).map(|(e, s)| Response { c: *e, s: *s }).collect()
}

/// Returns whether the responses prove that at least one branch holds for the secret of the public key `y`.
/// The statement must already be appended to `transcript`. Returns `false` also if the key is the neutral
/// element, there are no branches, or the responses are not one per branch.
pub(crate) fn verify(
    mut transcript: Transcript,
    y: &Element,
    branches: &[Branch],
    responses: &[Response],
) -> bool {
    if y.is_identity() || branches.is_empty() || branches.len() != responses.len() {
        return false;
    }
    let mut halves = Vec::with_capacity(2 * branches.len());
    for (branch, Response { c: e, s }) in branches.iter().zip(responses) {
        let (minus_e, s) = ((-e).div_by_2(), s.div_by_2());
        halves.push(RistrettoPoint::vartime_double_scalar_mul_basepoint(&minus_e, y.point(), &s));
        let rest = branch.iter().map(|(a, d)| RistrettoPoint::vartime_multiscalar_mul([s, minus_e], [a, d]));
        halves.extend(rest);
    }
    transcript.append("t", encode_doubles(&halves).as_flattened());
    transcript.challenge_scalar("c") == responses.iter().map(|response| response.c).sum::<Scalar>()
}
