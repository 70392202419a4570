//! Requests that a player signs for the notifications of a server (`docs/network.md`).

use crate::key::IdentityKey;

/// Returns the digest that a player signs for a request: to the server with this public address, at this time (seconds
/// since 1970), with this method, path and body. The address, the method and the path must not contain NUL.
pub fn request_digest(public_url: &str, time: u64, method: &str, path: &str, body: &[u8]) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("pentarchy notify request v1");
    for part in [public_url, method, path] {
        hash.update(part.as_bytes()).update(&[0]);
    }
    hash.update(&time.to_le_bytes()).update(body);
    *hash.finalize().as_bytes()
}

/// A request to the notifications of a server, before it is signed.
#[derive(Clone, Copy, Debug)]
pub struct PlayerRequest<'a> {
    /// The public address of the server, as the server states it.
    pub public_url: &'a str,
    /// The HTTP method, in upper case.
    pub method: &'a str,
    /// The path from `/api/` on.
    pub path: &'a str,
    /// The body; empty for none.
    pub body: &'a [u8],
}

impl PlayerRequest<'_> {
    /// Returns the value of the header `Authorization` with which the player `key` signs this request at the time `time`,
    /// in seconds since 1970.
    pub fn authorization(&self, key: &IdentityKey, time: u64) -> String {
        let digest = request_digest(self.public_url, time, self.method, self.path, self.body);
        let signature = key.signing_secret().sign(&digest);
        format!("Pentarchy {} {time} {}", to_hex(&key.public()), to_hex(&signature))
    }
}

/// Returns bytes as hexadecimal digits in lower case.
fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_covers_every_part_of_a_request() {
        let key = IdentityKey::from_bytes([7; 32]);
        let request = PlayerRequest {
            public_url: "https://play.example.org",
            method: "POST",
            path: "/api/notify/subscriptions",
            body: b"{}",
        };
        let header = request.authorization(&key, 1_790_000_000);
        let parts: Vec<&str> = header.split(' ').collect();
        assert_eq!(parts[..3], ["Pentarchy", &to_hex(&key.public()), "1790000000"]);
        let others = [
            PlayerRequest { public_url: "https://other.example.org", ..request },
            PlayerRequest { method: "PUT", ..request },
            PlayerRequest { path: "/api/notify/player", ..request },
            PlayerRequest { body: b"{} ", ..request },
        ];
        for other in others {
            assert_ne!(other.authorization(&key, 1_790_000_000), header, "{other:?}");
        }
        assert_ne!(request.authorization(&key, 1_790_000_001), header);
    }
}
