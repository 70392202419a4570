//! The descriptor of the match with the host's signature. Any peer may forward it, so peers that join late or return do
//! not need the host.

use pentarchy_keys::{SigningSecret, VerifyKey};
use pentarchy_net::{HostTag, PublicIdentity};
use serde::{Deserialize, Serialize};

/// The encoded descriptor of a match, signed by the host of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SignedStart {
    pub(crate) host: PublicIdentity,
    pub(crate) descriptor: Vec<u8>,
    signature: ([u8; 32], [u8; 32]),
}

/// Returns the digest that a host signs to start a match with this encoded descriptor.
fn signed_digest(descriptor: &[u8]) -> [u8; 32] {
    blake3::derive_key("pentarchy begin v1", descriptor)
}

impl SignedStart {
    /// Creates the start of a match: the encoded descriptor with the identity and the signature of the
    /// host. The descriptor is not checked.
    pub(crate) fn new(host: &SigningSecret, descriptor: Vec<u8>) -> Self {
        let (mut r, mut s) = ([0; 32], [0; 32]);
        let signature = host.sign(&signed_digest(&descriptor));
        r.copy_from_slice(&signature[..32]);
        s.copy_from_slice(&signature[32..]);
        Self { host: *host.public().bytes(), descriptor, signature: (r, s) }
    }

    /// Returns whether the identity with the tag `host`, the host that the invitation names, has signed
    /// this descriptor. The descriptor itself is not decoded or checked.
    pub(crate) fn is_signed_by(&self, host: HostTag) -> bool {
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&self.signature.0);
        signature[32..].copy_from_slice(&self.signature.1);
        let key = VerifyKey::decode(&self.host);
        HostTag::of(&self.host) == host
            && key.is_ok_and(|key| key.verify(&signed_digest(&self.descriptor), &signature))
    }
}
