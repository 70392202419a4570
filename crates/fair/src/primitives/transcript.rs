//! The Fiat–Shamir transcript: everything a proof speaks about is hashed before a challenge is drawn.

use super::{Element, derive, frame};
use alloc::vec::Vec;
use curve25519_dalek::scalar::Scalar;
use zeroize::Zeroize;

/// A running hash of labelled, length-framed values.
#[derive(Clone)]
pub struct Transcript {
    /// The hash of everything appended so far.
    hasher: blake3::Hasher,
}

impl Transcript {
    /// Opens the transcript of one kind of proof (`label`) in one place (`context`). Prover and verifier must
    /// append the same values in the same order.
    pub fn new(label: &str, context: &[u8]) -> Self {
        let mut transcript = Self { hasher: derive("pentarchy transcript v1") };
        transcript.append(label, context);
        transcript
    }

    /// Appends a value with its label and length. Everything that a proof speaks about must be appended
    /// before its challenge is drawn.
    pub fn append(&mut self, label: &str, data: &[u8]) {
        self.open(label, data.len());
        self.hasher.update(data);
    }

    /// Appends points under `label` as one value: the concatenation of their encodings, in order.
    pub fn append_elements<'a>(
        &mut self,
        label: &str,
        elements: impl IntoIterator<Item = &'a Element, IntoIter: ExactSizeIterator>,
    ) {
        let elements = elements.into_iter();
        self.open(label, elements.len() * 32);
        for element in elements {
            self.hasher.update(element.bytes());
        }
    }

    /// Fills `out` with challenge bytes for `label`. The transcript is bound to the challenge: a second call
    /// gives other bytes.
    pub fn challenge(&mut self, label: &str, out: &mut [u8]) {
        self.append("challenge", label.as_bytes());
        let mut output = self.hasher.finalize_xof();
        let mut ratchet = [0; 32];
        output.fill(&mut ratchet);
        output.set_position(0);
        output.fill(out);
        self.append("ratchet", &ratchet);
    }

    /// Draws one scalar challenge for `label` and binds the transcript to it.
    pub fn challenge_scalar(&mut self, label: &str) -> Scalar {
        let mut wide = [0; 64];
        self.challenge(label, &mut wide);
        Scalar::from_bytes_mod_order_wide(&wide)
    }

    /// Draws `n` scalar challenges for `label` from one output and binds the transcript to them. They differ
    /// from `n` single draws.
    pub fn challenge_scalars(&mut self, label: &str, n: usize) -> Vec<Scalar> {
        let mut wide = alloc::vec![[0_u8; 64]; n];
        self.challenge(label, wide.as_flattened_mut());
        wide.iter().map(Scalar::from_bytes_mod_order_wide).collect()
    }

    /// Returns a digest of everything appended so far, for deriving nonces. It does not change the
    /// transcript. It is no challenge and must never be sent.
    pub(crate) fn state(&self) -> [u8; 32] {
        let mut fork = self.clone();
        fork.append("state", &[]);
        *fork.hasher.finalize().as_bytes()
    }

    /// Begins an entry: hashes its label and its length. The caller must then hash exactly `len` bytes.
    fn open(&mut self, label: &str, len: usize) {
        frame(&mut self.hasher, label);
        self.hasher.update(&(len as u64).to_le_bytes());
    }
}

// A transcript may hold the secret of a seal.
impl Drop for Transcript {
    /// Wipes the state of the hash.
    fn drop(&mut self) {
        self.hasher.zeroize();
    }
}
