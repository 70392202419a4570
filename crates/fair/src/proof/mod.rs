//! The sigma protocols: knowledge of a logarithm, equality of logarithms, either–or, inequality.

pub(crate) mod dleq;
pub(crate) mod either;
#[cfg(test)]
mod oracle;
pub(crate) mod schnorr;

use crate::error::{Part, VerifyError};
use crate::primitives::Reader;
use curve25519_dalek::scalar::Scalar;

/// A challenge and one response: 64 bytes. The commitments are recomputed by the verifier.
#[derive(Clone, Copy)]
pub(crate) struct Response {
    /// The challenge.
    pub(crate) c: Scalar,
    /// The response.
    pub(crate) s: Scalar,
}

impl Response {
    /// Bytes of its encoding.
    pub(crate) const LEN: usize = 64;

    /// Encodes the response as `c ‖ s`.
    pub(crate) fn to_bytes(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(self.c.as_bytes());
        bytes[32..].copy_from_slice(self.s.as_bytes());
        bytes
    }

    /// Reads `c ‖ s` (64 bytes).
    ///
    /// # Errors
    ///
    /// Fails with `Length` if bytes are missing, and with `Encoding` if a scalar is not canonical.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, VerifyError> {
        Ok(Self { c: reader.scalar(Part::Response)?, s: reader.scalar(Part::Response)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::{Element, Transcript};
    use alloc::vec;
    use curve25519_dalek::ristretto::RistrettoPoint;

    /// With x = 0 every equation holds: the verifiers must refuse the key itself.
    #[test]
    fn a_zero_key_proves_nothing() {
        let zero = Element::identity();
        let base = Element::base();
        let (t, nonce) = (|| Transcript::new("test", b""), Scalar::from(5_u64));
        let proof = schnorr::prove(t(), &Scalar::ZERO, &zero, |_| nonce);
        assert!(!schnorr::verify(t(), &zero, &proof));

        let statement = dleq::Statement { y: &zero, bases: &[base], images: &[zero] };
        let proof = statement.prove(t(), &Scalar::ZERO, |_| nonce);
        assert!(!statement.verify(t(), &proof));

        let branches = [vec![(*base.point(), RistrettoPoint::default())]];
        let flags = either::first([subtle::Choice::from(1)].into_iter()).unwrap();
        let drbg = |_: &Transcript| crate::primitives::Drbg::new(b"", "test");
        let responses = either::prove(t(), &Scalar::ZERO, &zero, &branches, &flags, drbg);
        assert!(!either::verify(t(), &zero, &branches, &responses));
    }

    /// Lists that do not belong together, or are empty, are no statements.
    #[test]
    fn crooked_statements_prove_nothing() {
        let base = Element::base();
        let t = || Transcript::new("test", b"");
        let none = dleq::Statement { y: &base, bases: &[], images: &[] };
        let proof = none.prove(t(), &Scalar::ONE, |_| Scalar::from(5_u64));
        assert!(!none.verify(t(), &proof));
        let uneven = dleq::Statement { y: &base, bases: &[base], images: &[base, base] };
        assert!(!uneven.verify(t(), &proof));
        assert!(!either::verify(t(), &base, &[], &[]));
        assert!(either::first([].into_iter()).is_none());
    }
}
