//! An identity as a text: a file to keep, or a line for a QR code.
//!
//! The line is `PENTARCHY-IDENTITY:` and RFC 4648 base32 without padding. The bytes:
//!
//! | bytes | plain | encrypted |
//! | --- | --- | --- |
//! | 1 | version, 1 | version, 1 |
//! | 1 | 0 | 1 |
//! | 32 | public key | public key |
//! | 4, 4, 1 | | Argon2id memory in KiB, passes, lanes (little-endian) |
//! | 16 | | salt |
//! | 32 or 48 | secret key | secret key, sealed by ChaCha20-Poly1305; everything before it is authenticated |
//! | 4 | checksum | checksum |
//!
//! The checksum, the start of a BLAKE3 hash, stands at the end in every version, so damage can be
//! distinguished from a newer version. A file may hold lines that begin with `#`; spaces and line ends are
//! ignored, and capital letters may be small.

use crate::key::IdentityKey;
use crate::name::{key_fingerprint, short_name};
use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use pentarchy_keys::base32;
use zeroize::Zeroizing;

/// What a line begins with.
const PREFIX: &str = "PENTARCHY-IDENTITY:";
/// Version of the format.
const VERSION: u8 = 1;
/// The second byte of an identity that is not encrypted.
const PLAIN: u8 = 0;
/// The second byte of an encrypted identity.
const ENCRYPTED: u8 = 1;
/// Bytes of the checksum.
const CHECKSUM_LEN: usize = 4;
/// Upper bound on the length of a text that is read, in bytes.
const MAX_TEXT: usize = 64 * 1024;

/// An identity as it is exported, perhaps still encrypted.
pub struct IdentityFile {
    /// The public key, which is always readable.
    public: [u8; 32],
    /// The secret key.
    body: Body,
}

/// The secret key of an exported identity.
enum Body {
    /// Not encrypted.
    Plain(IdentityKey),
    /// Sealed with a key that is derived from a passphrase.
    Encrypted { cost: Cost, salt: [u8; 16], sealed: Vec<u8> },
}

/// What it costs to try a passphrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    /// Memory in KiB.
    memory_kib: u32,
    /// Number of passes over the memory.
    passes: u32,
    /// Number of lanes.
    lanes: u8,
}

impl Cost {
    /// 32 MiB and 3 passes: above the minimum that OWASP names for Argon2id, and well below a second in a
    /// browser.
    const USUAL: Cost = Cost { memory_kib: 32 * 1024, passes: 3, lanes: 1 };
    /// A file with a higher cost is refused: it could stop a browser for minutes.
    const MAX: Cost = Cost { memory_kib: 256 * 1024, passes: 16, lanes: 8 };

    /// Returns whether memory, passes and lanes are each within the maximum that this program accepts.
    fn is_bearable(self) -> bool {
        self.memory_kib <= Self::MAX.memory_kib
            && self.passes <= Self::MAX.passes
            && self.lanes <= Self::MAX.lanes
    }

    /// Encodes the cost: memory in KiB, passes, lanes, little-endian.
    fn bytes(self) -> [u8; 9] {
        let mut bytes = [0; 9];
        bytes[..4].copy_from_slice(&self.memory_kib.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.passes.to_le_bytes());
        bytes[8] = self.lanes;
        bytes
    }

    /// Decodes what [`bytes`](Self::bytes) wrote. Does not check that the cost is bearable or valid.
    fn from_bytes(&[a, b, c, d, e, f, g, h, lanes]: &[u8; 9]) -> Self {
        let (memory_kib, passes) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        Self { memory_kib, passes, lanes }
    }

    /// Derives a key from a passphrase and returns the cipher. Takes the time and memory that the cost says.
    ///
    /// # Errors
    ///
    /// Fails with `TooCostly` if the cost is above the maximum, and with `Damaged` if Argon2 does not accept
    /// it.
    fn cipher(self, passphrase: &str, salt: &[u8; 16]) -> Result<ChaCha20Poly1305, IdentityFileError> {
        if !self.is_bearable() {
            return Err(IdentityFileError::TooCostly);
        }
        let params = Params::new(self.memory_kib, self.passes, u32::from(self.lanes), Some(32));
        let params = params.map_err(|_| IdentityFileError::Damaged)?;
        let mut key = Zeroizing::new([0; 32]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(passphrase.as_bytes(), salt, &mut *key)
            .map_err(|_| IdentityFileError::Damaged)?;
        Ok(ChaCha20Poly1305::new(&Key::from(*key)))
    }
}

/// Why an identity cannot be exported or imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityFileError {
    /// The text has no identity in it.
    #[error("this is not a Pentarchy identity")]
    NotAnIdentity,
    /// Letters are missing or wrong.
    #[error("the identity is damaged: letters are missing or wrong")]
    Damaged,
    /// The text was written by a newer version of the program.
    #[error(
        "the identity has format version {0}, and this program reads version {VERSION}: update the program"
    )]
    UnknownVersion(u8),
    /// The identity is encrypted and no passphrase was given.
    #[error("the identity is encrypted: enter its passphrase")]
    PassphraseMissing,
    /// The passphrase is not the one that encrypted it.
    #[error("the passphrase does not match this identity")]
    WrongPassphrase,
    /// An empty passphrase protects nothing.
    #[error("the passphrase is empty")]
    EmptyPassphrase,
    /// Trying a passphrase would take too much memory or time.
    #[error("the identity asks for more memory or time than is safe to spend on it")]
    TooCostly,
}

impl IdentityFile {
    /// Creates the file of an identity without encryption: anybody who reads the text has the identity.
    pub fn plain(key: &IdentityKey) -> Self {
        Self { public: key.public(), body: Body::Plain(key.clone()) }
    }

    /// Creates the file of an identity, encrypted with a passphrase. `salt` must be 16 fresh bytes from the
    /// operating system, not used before: the nonce is constant. Takes a noticeable part of a second.
    ///
    /// # Errors
    ///
    /// Fails with [`IdentityFileError::EmptyPassphrase`].
    pub fn encrypted(key: &IdentityKey, passphrase: &str, salt: [u8; 16]) -> Result<Self, IdentityFileError> {
        if passphrase.is_empty() {
            return Err(IdentityFileError::EmptyPassphrase);
        }
        let (public, cost) = (key.public(), Cost::USUAL);
        let head = sealed_head(&public, cost, &salt);
        let payload = Payload { msg: key.secret_bytes(), aad: &head };
        // The key is fresh for each salt, so the nonce may be constant.
        let sealed = cost.cipher(passphrase, &salt)?.encrypt(&Nonce::default(), payload);
        let sealed = sealed.map_err(|_| IdentityFileError::Damaged)?;
        Ok(Self { public, body: Body::Encrypted { cost, salt, sealed } })
    }

    /// Reads a text that was exported: a line, or a file with comments. Case, spaces and line ends do not
    /// matter. Does not decrypt, and does not check the cost of that.
    ///
    /// # Errors
    ///
    /// Fails with [`IdentityFileError::NotAnIdentity`] if the text does not begin as one or is longer than 64
    /// KiB, [`IdentityFileError::Damaged`] if letters are wrong or missing or a plain secret key does not
    /// belong to the public one, or [`IdentityFileError::UnknownVersion`] if the checksum is right and the
    /// version is another one than this program writes.
    pub fn parse(text: &str) -> Result<Self, IdentityFileError> {
        use IdentityFileError::{Damaged, NotAnIdentity, UnknownVersion};
        if text.len() > MAX_TEXT {
            return Err(NotAnIdentity);
        }
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let letters = lines.flat_map(str::chars).filter(|c| !c.is_whitespace() && *c != '\u{feff}');
        let line = Zeroizing::new(letters.map(|c| c.to_ascii_uppercase()).collect::<String>());
        let digits = line.strip_prefix(PREFIX).ok_or(NotAnIdentity)?;
        let bytes = Zeroizing::new(base32::decode_all(digits).ok_or(Damaged)?);
        let (bytes, sum) = bytes.split_last_chunk::<CHECKSUM_LEN>().ok_or(Damaged)?;
        if checksum(bytes) != *sum {
            return Err(Damaged);
        }
        let (&version, rest) = bytes.split_first().ok_or(Damaged)?;
        if version != VERSION {
            return Err(UnknownVersion(version));
        }
        let (&kind, rest) = rest.split_first().ok_or(Damaged)?;
        let (public, rest) = rest.split_first_chunk::<32>().ok_or(Damaged)?;
        let body = match kind {
            PLAIN => {
                let key = IdentityKey::from_bytes(rest.try_into().map_err(|_| Damaged)?);
                if key.public() != *public {
                    return Err(Damaged);
                }
                Body::Plain(key)
            }
            ENCRYPTED => {
                let (cost, rest) = rest.split_first_chunk::<9>().ok_or(Damaged)?;
                let (salt, sealed) = rest.split_first_chunk::<16>().ok_or(Damaged)?;
                Body::Encrypted { cost: Cost::from_bytes(cost), salt: *salt, sealed: sealed.to_vec() }
            }
            _ => return Err(Damaged),
        };
        Ok(Self { public: *public, body })
    }

    /// Returns the public key. For an encrypted identity it is proved only when it is [opened](Self::open).
    pub fn public(&self) -> &[u8; 32] {
        &self.public
    }

    /// Returns whether a passphrase is needed to open it.
    pub fn is_encrypted(&self) -> bool {
        matches!(self.body, Body::Encrypted { .. })
    }

    /// Returns the key of the identity, decrypted if it is encrypted. A passphrase for one that is not
    /// encrypted is ignored. Decryption takes the time and memory that the file asks for, up to a limit.
    ///
    /// # Errors
    ///
    /// Fails with [`IdentityFileError::PassphraseMissing`] if there is no passphrase or it is empty,
    /// [`IdentityFileError::WrongPassphrase`] if it is another one or the encrypted part was altered,
    /// [`IdentityFileError::TooCostly`] if the file asks for more than the limit, or
    /// [`IdentityFileError::Damaged`] if the public key does not belong to the secret one or Argon2 does not
    /// accept the cost. Never fails for an identity that is not encrypted.
    pub fn open(&self, passphrase: Option<&str>) -> Result<IdentityKey, IdentityFileError> {
        let (cost, salt, sealed) = match &self.body {
            Body::Plain(key) => return Ok(key.clone()),
            Body::Encrypted { cost, salt, sealed } => (*cost, salt, sealed),
        };
        let passphrase =
            passphrase.filter(|text| !text.is_empty()).ok_or(IdentityFileError::PassphraseMissing)?;
        let head = sealed_head(&self.public, cost, salt);
        let opened =
            cost.cipher(passphrase, salt)?.decrypt(&Nonce::default(), Payload { msg: sealed, aad: &head });
        let secret = Zeroizing::new(opened.map_err(|_| IdentityFileError::WrongPassphrase)?);
        let key =
            IdentityKey::from_bytes(secret.as_slice().try_into().map_err(|_| IdentityFileError::Damaged)?);
        if key.public() == self.public { Ok(key) } else { Err(IdentityFileError::Damaged) }
    }

    /// Formats the identity as one line without a line break, which fits into a QR code and which
    /// [`parse`](Self::parse) reads. It holds the secret key unless the identity is encrypted.
    pub fn to_line(&self) -> Zeroizing<String> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(128));
        match &self.body {
            Body::Plain(key) => {
                bytes.extend_from_slice(&[VERSION, PLAIN]);
                bytes.extend_from_slice(&self.public);
                bytes.extend_from_slice(key.secret_bytes());
            }
            Body::Encrypted { cost, salt, sealed } => {
                bytes.extend_from_slice(&sealed_head(&self.public, *cost, salt));
                bytes.extend_from_slice(sealed);
            }
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum);
        let mut line = Zeroizing::new(String::with_capacity(256));
        line.push_str(PREFIX);
        base32::encode_to(&bytes, &mut line);
        line.make_ascii_uppercase();
        line
    }

    /// Formats the identity as a file with explanations in comments, which [`parse`](Self::parse) reads. It
    /// holds the secret key unless the identity is encrypted.
    pub fn to_text(&self) -> Zeroizing<String> {
        let (name, fingerprint) = (short_name(&self.public), key_fingerprint(&self.public));
        let care = if self.is_encrypted() {
            "Encrypted: the passphrase is needed to import it."
        } else {
            "Not encrypted: keep this file secret. Anybody who has it can play as you."
        };
        let mut text = Zeroizing::new(String::with_capacity(512));
        text.push_str("# Pentarchy identity ");
        text.push_str(&name);
        text.push_str("\n# Fingerprint: ");
        text.push_str(&fingerprint);
        text.push_str("\n# ");
        text.push_str(care);
        text.push('\n');
        text.push_str(&self.to_line());
        text.push('\n');
        text
    }
}

/// Encodes everything before the sealed key: version, kind, public key, cost and salt. The seal authenticates
/// it.
fn sealed_head(public: &[u8; 32], cost: Cost, salt: &[u8; 16]) -> Vec<u8> {
    [&[VERSION, ENCRYPTED], &public[..], &cost.bytes(), salt].concat()
}

/// Returns the checksum of an encoded identity without its checksum: the first 4 bytes of a BLAKE3 hash. It
/// detects damage, not forgery.
fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_LEN] {
    let hash = blake3::derive_key("pentarchy identity checksum", bytes);
    let mut sum = [0; CHECKSUM_LEN];
    sum.copy_from_slice(&hash[..CHECKSUM_LEN]);
    sum
}

#[cfg(test)]
mod tests;
