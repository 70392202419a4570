//! Requests that a player signs for a server: to its notifications (`docs/network.md`) and to the tournaments of its club
//! (`docs/club.md`).

use crate::key::IdentityKey;
use pentarchy_keys::VerifyKey;

/// How far the time of a request may be from the server's clock, in seconds.
pub const REQUEST_CLOCK_SKEW: u64 = 300;

/// Returns the digest that a player signs for a request: to the server with this public address, at this time
/// (seconds since 1970), with this method, path and body. The address, the method and the path must not
/// contain NUL: this is not checked.
pub fn request_digest(public_url: &str, time: u64, method: &str, path: &str, body: &[u8]) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("pentarchy notify request v1");
    for part in [public_url, method, path] {
        hash.update(part.as_bytes()).update(&[0]);
    }
    hash.update(&time.to_le_bytes()).update(body);
    *hash.finalize().as_bytes()
}

/// A request to a server, before it is signed.
#[derive(Clone, Copy, Debug)]
pub struct PlayerRequest<'a> {
    /// The public address of the server, or the identifier of its club, as the server states it.
    pub public_url: &'a str,
    /// The HTTP method, in upper case.
    pub method: &'a str,
    /// The path from `/api/` on.
    pub path: &'a str,
    /// The body; empty for none.
    pub body: &'a [u8],
}

impl PlayerRequest<'_> {
    /// Signs this request with the player's `key` at `time`, in seconds since 1970. Returns the value of the
    /// header `Authorization`: `Pentarchy IDENTITY TIME SIGNATURE`, with the public key and the signature in
    /// lower-case hexadecimal digits and the time in decimal ones.
    pub fn authorization(&self, key: &IdentityKey, time: u64) -> String {
        let digest = request_digest(self.public_url, time, self.method, self.path, self.body);
        let signature = key.signing_secret().sign(&digest);
        format!("Pentarchy {} {time} {}", to_hex(&key.public()), to_hex(&signature))
    }
}

/// Who has signed a request, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestSigner {
    /// The public key of the player.
    pub identity: [u8; 32],
    /// The time of the signature, in seconds since 1970.
    pub time: u64,
    /// The signature of the [digest](request_digest).
    pub signature: [u8; 64],
}

impl PlayerRequest<'_> {
    /// Checks the value of the header `Authorization` of this request at the time `now`, in seconds since
    /// 1970, and returns who has signed it. The time of the request must be within [`REQUEST_CLOCK_SKEW`] of
    /// `now`. Whether the request was received before is not checked.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for the player if the value does not have the form of
    /// [`PlayerRequest::authorization`], the time is too far from `now`, the identity is no public key, or
    /// the signature does not verify for this server, method, path and body.
    pub fn verify(&self, authorization: &str, now: u64) -> Result<RequestSigner, &'static str> {
        const MALFORMED: &str = "sign the request: `Authorization: Pentarchy IDENTITY TIME SIGNATURE`";
        let parts: Vec<&str> = authorization.split(' ').collect();
        let ["Pentarchy", identity, time, signature] = parts[..] else { return Err(MALFORMED) };
        let identity: [u8; 32] = from_hex(identity).ok_or(MALFORMED)?;
        let signature: [u8; 64] = from_hex(signature).ok_or(MALFORMED)?;
        let time: u64 = time.parse().map_err(|_| MALFORMED)?;
        if time.abs_diff(now) > REQUEST_CLOCK_SKEW {
            return Err("the request was signed at another time: set your clock");
        }
        let key = VerifyKey::decode(&identity).map_err(|_| "the identity is not a public key")?;
        let digest = request_digest(self.public_url, time, self.method, self.path, self.body);
        match key.verify(&digest, &signature) {
            true => Ok(RequestSigner { identity, time, signature }),
            false => Err("the signature does not verify: it covers the server, time, method, path and body"),
        }
    }
}

/// Parses exactly `N` bytes from hexadecimal digits in lower case; `None` for anything else.
fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
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

    #[test]
    fn a_server_checks_signature_and_time() {
        let key = IdentityKey::from_bytes([7; 32]);
        let request =
            PlayerRequest { public_url: "club", method: "PUT", path: "/api/club/x", body: b"{\"a\":1}" };
        let (header, now) = (request.authorization(&key, 1_000_000), 1_000_000);
        let signer = request.verify(&header, now + REQUEST_CLOCK_SKEW).unwrap();
        assert_eq!((signer.identity, signer.time), (key.public(), now));
        assert!(request.verify(&header, now + REQUEST_CLOCK_SKEW + 1).unwrap_err().contains("clock"));
        assert!(request.verify(&header, now - REQUEST_CLOCK_SKEW - 1).unwrap_err().contains("clock"));
        for other in [
            PlayerRequest { public_url: "other", ..request },
            PlayerRequest { method: "POST", ..request },
            PlayerRequest { path: "/api/club/y", ..request },
            PlayerRequest { body: b"{}", ..request },
        ] {
            assert!(other.verify(&header, now).unwrap_err().contains("does not verify"), "{other:?}");
        }
        let stranger = IdentityKey::from_bytes([8; 32]).public();
        let forged = header.replace(&to_hex(&key.public()), &to_hex(&stranger));
        assert!(request.verify(&forged, now).unwrap_err().contains("does not verify"));
        for malformed in [
            "",
            "Pentarchy",
            &header[1..],
            &header.to_uppercase(),
            &header[..header.len() - 1],
            &format!("{header} "),
        ] {
            assert!(request.verify(malformed, now).unwrap_err().contains("sign the request"), "{malformed}");
        }
    }
}
