//! The host's word on what is played. It is signed, so anybody who has it may pass it on: whoever comes late, or again,
//! needs the host for nothing.

use pentarchy_keys::{SigningSecret, VerifyKey};
use pentarchy_net::HostTag;
use pentarchy_net::Identity;
use serde::{Deserialize, Serialize};

/// A descriptor, signed by whoever opened the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Word {
    pub(crate) host: Identity,
    pub(crate) descriptor: Vec<u8>,
    signature: ([u8; 32], [u8; 32]),
}

fn signed(descriptor: &[u8]) -> [u8; 32] {
    blake3::derive_key("pentarchy begin v1", descriptor)
}

impl Word {
    /// The host says what is played.
    pub(crate) fn new(host: &SigningSecret, descriptor: Vec<u8>) -> Self {
        let (mut r, mut s) = ([0; 32], [0; 32]);
        let signature = host.sign(&signed(&descriptor));
        r.copy_from_slice(&signature[..32]);
        s.copy_from_slice(&signature[32..]);
        Self { host: *host.public().bytes(), descriptor, signature: (r, s) }
    }

    /// Whether it is that of the host whom the invitation names.
    pub(crate) fn is_of(&self, host: HostTag) -> bool {
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&self.signature.0);
        signature[32..].copy_from_slice(&self.signature.1);
        let key = VerifyKey::decode(&self.host);
        HostTag::of(&self.host) == host
            && key.is_ok_and(|key| key.verify(&signed(&self.descriptor), &signature))
    }
}
