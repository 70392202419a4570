//! Group elements with their canonical encoding, and strict decoding.

use super::{derive, frame};
use crate::error::{Part, VerifyError};
use alloc::vec::Vec;
use core::fmt;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;

/// A ristretto255 element together with its 32 bytes.
///
/// Encoding a point costs about as much as a fixed-base multiplication, and every point of a statement is
/// hashed into a transcript: keeping the bytes means paying for them once.
#[derive(Clone, Copy)]
pub struct Element {
    /// The point.
    point: RistrettoPoint,
    /// Its canonical encoding.
    bytes: [u8; 32],
}

impl Element {
    /// Returns the neutral element, whose encoding is 32 zero bytes.
    pub fn identity() -> Self {
        Self { point: RistrettoPoint::default(), bytes: [0; 32] }
    }

    /// Returns the base point G.
    pub fn base() -> Self {
        use curve25519_dalek::constants::{RISTRETTO_BASEPOINT_COMPRESSED, RISTRETTO_BASEPOINT_POINT};
        Self { point: RISTRETTO_BASEPOINT_POINT, bytes: RISTRETTO_BASEPOINT_COMPRESSED.to_bytes() }
    }

    /// Creates the element of a point, and encodes it.
    pub fn new(point: RistrettoPoint) -> Self {
        Self { point, bytes: point.compress().to_bytes() }
    }

    /// Decodes a point; `None` unless the bytes are the canonical encoding of one. The neutral element is
    /// accepted.
    pub fn decode(bytes: &[u8; 32]) -> Option<Self> {
        CompressedRistretto(*bytes).decompress().map(|point| Self { point, bytes: *bytes })
    }

    /// Returns the point.
    pub fn point(&self) -> &RistrettoPoint {
        &self.point
    }

    /// Returns the canonical encoding.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Returns whether this is the neutral element.
    pub fn is_identity(&self) -> bool {
        self.bytes == [0; 32]
    }
}

impl PartialEq for Element {
    /// Compares the encodings, which are canonical. Not constant-time.
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Element {}

impl fmt::Debug for Element {
    /// Writes the first 4 bytes of the encoding in hexadecimal, and `…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in &self.bytes[..4] {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("…")
    }
}

/// Hashes to a point of which nobody knows the discrete logarithm: `H2G(label, data)`. Deterministic: equal
/// arguments give equal points on every machine.
pub fn hash_to_group(label: &str, data: &[u8]) -> Element {
    let mut hasher = derive("pentarchy hash-to-group v1");
    frame(&mut hasher, label);
    hasher.update(data);
    let mut wide = [0; 64];
    hasher.finalize_xof().fill(&mut wide);
    Element::new(RistrettoPoint::from_uniform_bytes(&wide))
}

/// Returns the encodings of 2·P for all P of `halves`, in order. This needs one inversion for all of them
/// instead of a square root for each, so commitments that are made in large numbers are computed by halves.
pub(crate) fn encode_doubles(halves: &[RistrettoPoint]) -> Vec<[u8; 32]> {
    let encodings = RistrettoPoint::double_and_compress_batch(halves);
    encodings.iter().map(CompressedRistretto::to_bytes).collect()
}

/// Reads a message whose length was checked first.
pub(crate) struct Reader<'a> {
    /// What has not been read yet.
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Creates a reader for a message of exactly `expected` bytes: nothing is decoded of a message of another
    /// length.
    ///
    /// # Errors
    ///
    /// Fails with `Length` if the message has another length.
    pub(crate) fn exact(bytes: &'a [u8], expected: usize) -> Result<Self, VerifyError> {
        if bytes.len() == expected {
            Ok(Self { rest: bytes })
        } else {
            Err(VerifyError::Length { expected, found: bytes.len() })
        }
    }

    /// Reads the next `N` bytes and moves past them.
    ///
    /// # Errors
    ///
    /// Fails with `Length` if fewer are left.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], VerifyError> {
        match self.rest.split_first_chunk() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(*head)
            }
            None => Err(VerifyError::Length { expected: N, found: self.rest.len() }),
        }
    }

    /// Reads the next 32 bytes as a point; the neutral element is accepted. `part` says in the error what it
    /// was meant to be.
    ///
    /// # Errors
    ///
    /// Fails with `Length` if bytes are missing, and with `Encoding` if they are not canonical.
    pub(crate) fn element(&mut self, part: Part) -> Result<Element, VerifyError> {
        Element::decode(&self.array()?).ok_or(VerifyError::Encoding(part))
    }

    /// Reads the next 32 bytes as a point other than the neutral element. `part` says in the error what it
    /// was meant to be.
    ///
    /// # Errors
    ///
    /// Fails with `Length` if bytes are missing, `Encoding` if they are not canonical, and `Identity` for the
    /// neutral element.
    pub(crate) fn nonzero(&mut self, part: Part) -> Result<Element, VerifyError> {
        let element = self.element(part)?;
        if element.is_identity() { Err(VerifyError::Identity(part)) } else { Ok(element) }
    }

    /// Reads `n` points; neutral elements are accepted. `part` says in the error what they were meant to be.
    ///
    /// # Errors
    ///
    /// Fails with `Length` if bytes are missing, and with `Encoding` if a point is not canonical.
    pub(crate) fn elements(&mut self, n: usize, part: Part) -> Result<Vec<Element>, VerifyError> {
        (0..n).map(|_| self.element(part)).collect()
    }

    /// Reads the next 32 bytes as a scalar; zero is accepted. `part` says in the error what it was meant to
    /// be.
    ///
    /// # Errors
    ///
    /// Fails with `Length` if bytes are missing, and with `Encoding` if they are not canonical.
    pub(crate) fn scalar(&mut self, part: Part) -> Result<Scalar, VerifyError> {
        Option::from(Scalar::from_canonical_bytes(self.array()?)).ok_or(VerifyError::Encoding(part))
    }

    /// Reads `n` scalars; zero is accepted. `part` says in the error what they were meant to be.
    ///
    /// # Errors
    ///
    /// Fails with `Length` if bytes are missing, and with `Encoding` if a scalar is not canonical.
    pub(crate) fn scalars(&mut self, n: usize, part: Part) -> Result<Vec<Scalar>, VerifyError> {
        (0..n).map(|_| self.scalar(part)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_encoded_like_any_point() {
        let point = *hash_to_group("test", b"").point();
        let halves = [RistrettoPoint::default(), point, point - point, -point, point + point];
        let single: Vec<[u8; 32]> = halves.iter().map(|half| (half + half).compress().to_bytes()).collect();
        assert_eq!(encode_doubles(&halves), single);
        assert_eq!(single[0], [0; 32]);
    }

    #[test]
    fn only_canonical_bytes_decode() {
        let bytes = *hash_to_group("test", b"").bytes();
        assert!(Element::decode(&bytes).is_some());
        let mut negative = bytes;
        negative[0] ^= 1;
        let mut high = bytes;
        high[31] |= 0x80;
        // p = 2²⁵⁵ − 19, which is 0 in disguise.
        let mut zero = [0xff; 32];
        (zero[0], zero[31]) = (0xed, 0x7f);
        for bytes in [negative, high, zero, [0xff; 32]] {
            assert_eq!(Element::decode(&bytes), None);
        }
        assert_eq!(Element::decode(&[0; 32]), Some(Element::identity()));
    }
}
