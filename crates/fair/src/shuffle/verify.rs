//! Decoding of shuffle messages, and the claims that they make.

use super::prove::open;
use super::wire::Layout;
use super::{Entry, Generators};
use crate::error::{Part, VerifyError};
use crate::keys::LockKey;
use crate::primitives::{Element, Reader, Transcript};
use crate::token::Cipher;
use alloc::vec::Vec;
use core::ops::Deref;
use curve25519_dalek::scalar::Scalar;

/// A decoded proof with its challenges.
pub(crate) struct Proof<const COLUMNS: usize> {
    /// c_j
    pub(super) matrix: Vec<Element>,
    /// ĉ_i
    pub(super) chain: Vec<Element>,
    /// t̂_i
    pub(super) chain_nonces: Vec<Element>,
    /// t₁, t₂, t₃
    pub(super) t: [Element; 3],
    /// t₄ of each column
    pub(super) t4: [Cipher; COLUMNS],
    /// s₁, s₂, s₃
    pub(super) s: [Scalar; 3],
    /// s₄ of each column
    pub(super) s4: [Scalar; COLUMNS],
    /// ŝ_i
    pub(super) s_hat: Vec<Scalar>,
    /// s'_i
    pub(super) s_prime: Vec<Scalar>,
    /// u_j
    pub(super) u: Vec<Scalar>,
    /// c
    pub(super) c: Scalar,
    /// All of the above, and what it is about: the weights of the equations come from here.
    pub(super) transcript: Transcript,
}

impl<const COLUMNS: usize> Proof<COLUMNS> {
    /// Decodes a shuffle message and draws the challenges. Returns the new list and the proof; whether the
    /// proof holds is not checked. `transcript` must be fresh, with the context of the prover.
    ///
    /// # Errors
    ///
    /// Fails if the message does not have exactly the length for this number of inputs, or a value is not
    /// canonical.
    pub(super) fn read(
        mut transcript: Transcript,
        lock: &LockKey,
        inputs: &[Entry<COLUMNS>],
        message: &[u8],
    ) -> Result<(Vec<Entry<COLUMNS>>, Self), VerifyError> {
        let n = inputs.len();
        let layout = Layout::new(n, COLUMNS);
        let mut reader = Reader::exact(message, layout.len())?;
        let mut cipher = |part| Ok(Cipher { a: reader.element(part)?, b: reader.element(part)? });
        let mut outputs = Vec::with_capacity(n);
        for _ in 0..n {
            outputs.push(columns(|| cipher(Part::Token))?);
        }
        let matrix = reader.elements(n, Part::Commitment)?;
        let chain = reader.elements(n, Part::Commitment)?;
        let chain_nonces = reader.elements(n, Part::Commitment)?;
        let mut commitment = || reader.element(Part::Commitment);
        let t = [commitment()?, commitment()?, commitment()?];
        let t4 = columns(|| Ok(Cipher { a: commitment()?, b: commitment()? }))?;
        let mut response = || reader.scalar(Part::Response);
        let s = [response()?, response()?, response()?];
        let s4 = columns(&mut response)?;
        let s_hat = reader.scalars(n, Part::Response)?;
        let s_prime = reader.scalars(n, Part::Response)?;

        let part = |range| message.get(range).unwrap_or_default();
        open(&mut transcript, &lock.element, inputs);
        transcript.append("out", part(layout.outputs()));
        transcript.append("cp", part(layout.matrix()));
        let u = transcript.challenge_scalars("u", n);
        transcript.append("ch", part(layout.chain()));
        transcript.append("t", part(layout.nonces()));
        transcript.append("th", part(layout.chain_nonces()));
        let c = transcript.challenge_scalar("c");
        transcript.append("resp", part(layout.responses()));
        let proof = Self { matrix, chain, chain_nonces, t, t4, s, s4, s_hat, s_prime, u, c, transcript };
        Ok((outputs, proof))
    }
}

/// A claim to have shuffled: everything the equations speak about.
pub(crate) struct Claim<'a, const COLUMNS: usize> {
    /// The lock of the pile.
    pub(super) lock: &'a LockKey,
    /// The generators, at least as many as the entries.
    pub(super) generators: &'a Generators,
    /// The pile before the shuffle.
    pub(super) inputs: &'a [Entry<COLUMNS>],
    /// The pile after it, of the same size.
    pub(super) outputs: &'a [Entry<COLUMNS>],
    /// The proof.
    pub(super) proof: &'a Proof<COLUMNS>,
}

impl<const COLUMNS: usize> Deref for Claim<'_, COLUMNS> {
    type Target = Proof<COLUMNS>;

    /// Returns the proof of the claim.
    fn deref(&self) -> &Proof<COLUMNS> {
        self.proof
    }
}

/// Calls `value` once for each column and returns the results in order.
///
/// # Errors
///
/// Returns the first error of `value`.
fn columns<T, const COLUMNS: usize>(
    mut value: impl FnMut() -> Result<T, VerifyError>,
) -> Result<[T; COLUMNS], VerifyError> {
    let values = (0..COLUMNS).map(|_| value()).collect::<Result<Vec<T>, VerifyError>>()?;
    values.try_into().map_err(|values: Vec<T>| VerifyError::Length { expected: COLUMNS, found: values.len() })
}
