//! The sigma protocols: knowledge of a logarithm, equality of logarithms, either–or, inequality.

pub(crate) mod dleq;
pub(crate) mod either;
pub(crate) mod schnorr;

use crate::error::{Fault, Part};
use crate::primitives::Reader;
use curve25519_dalek::scalar::Scalar;

/// A challenge and one response: 64 bytes. The commitments are recomputed by the verifier.
#[derive(Clone, Copy)]
pub(crate) struct Response {
    pub(crate) c: Scalar,
    pub(crate) s: Scalar,
}

impl Response {
    pub(crate) const LEN: usize = 64;

    pub(crate) fn to_bytes(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(self.c.as_bytes());
        bytes[32..].copy_from_slice(self.s.as_bytes());
        bytes
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(Self { c: reader.scalar(Part::Response)?, s: reader.scalar(Part::Response)? })
    }
}
