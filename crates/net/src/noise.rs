//! The primitives for `snow`: X25519, ChaCha20-Poly1305 and SHA-256, from crates that build natively and for browsers.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use curve25519_dalek::montgomery::MontgomeryPoint;
use pentarchy_keys::Drbg;
use sha2::{Digest as _, Sha256};
use snow::Error;
use snow::params::{CipherChoice, DHChoice, HashChoice};
use snow::resolvers::CryptoResolver;
use snow::types::{Cipher, Dh, Hash, Random};
use zeroize::Zeroizing;

/// Bytes of the authenticator of a sealed message.
pub(crate) const TAG_LEN: usize = 16;

/// Resolves the primitives of `Noise_*_25519_ChaChaPoly_SHA256`. Use an instance for one handshake only: all its randomness
/// comes from the seed.
pub(crate) struct Primitives(pub(crate) Zeroizing<[u8; 32]>);

impl CryptoResolver for Primitives {
    /// Returns a generator whose whole stream follows from the seed; never `None`.
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(Seeded(Drbg::new(&*self.0, "noise"))))
    }

    /// Returns X25519 without a key; `None` for another curve.
    fn resolve_dh(&self, choice: &DHChoice) -> Option<Box<dyn Dh>> {
        matches!(choice, DHChoice::Curve25519).then(|| Box::new(X25519::default()) as Box<dyn Dh>)
    }

    /// Returns an empty SHA-256; `None` for another hash.
    fn resolve_hash(&self, choice: &HashChoice) -> Option<Box<dyn Hash>> {
        matches!(choice, HashChoice::SHA256).then(|| Box::new(Sha(Sha256::new())) as Box<dyn Hash>)
    }

    /// Returns ChaCha20-Poly1305 with a key of zeros; `None` for another cipher.
    fn resolve_cipher(&self, choice: &CipherChoice) -> Option<Box<dyn Cipher>> {
        let cipher = || Box::new(Sealer(ChaCha20Poly1305::new(&Key::default()))) as Box<dyn Cipher>;
        matches!(choice, CipherChoice::ChaChaPoly).then(cipher)
    }
}

struct Seeded(Drbg);

impl Random for Seeded {
    /// Fills the bytes from the stream. Never fails.
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.0.fill(bytes);
        Ok(())
    }
}

/// Returns the public X25519 key of a secret key, which may be any 32 bytes: they are clamped.
pub(crate) fn public_key(secret: &[u8; 32]) -> [u8; 32] {
    MontgomeryPoint::mul_base_clamped(*secret).to_bytes()
}

#[derive(Default)]
struct X25519 {
    secret: Zeroizing<[u8; 32]>,
    public: [u8; 32],
}

impl Dh for X25519 {
    /// Returns `25519`, the name in a Noise protocol.
    fn name(&self) -> &'static str {
        "25519"
    }

    /// Returns the length of a public key in bytes, 32.
    fn pub_len(&self) -> usize {
        32
    }

    /// Returns the length of a secret key in bytes, 32.
    fn priv_len(&self) -> usize {
        32
    }

    /// Sets the secret key and derives the public one. Ignores a key that does not have 32 bytes.
    fn set(&mut self, secret: &[u8]) {
        // `snow` has checked the length.
        if let Ok(secret) = secret.try_into() {
            *self.secret = secret;
            self.public = public_key(&self.secret);
        }
    }

    /// Draws a secret key and derives the public one.
    ///
    /// # Errors
    ///
    /// Fails if the generator does.
    fn generate(&mut self, random: &mut dyn Random) -> Result<(), Error> {
        random.try_fill_bytes(&mut *self.secret)?;
        self.public = public_key(&self.secret);
        Ok(())
    }

    /// Returns the public key; zeros before a key is set or generated.
    fn pubkey(&self) -> &[u8] {
        &self.public
    }

    /// Returns the secret key; zeros before a key is set or generated.
    fn privkey(&self) -> &[u8] {
        &*self.secret
    }

    /// Writes the 32 bytes of the shared secret with a public key, the first 32 bytes of `public`, to the
    /// front of `out`.
    ///
    /// # Errors
    ///
    /// Fails with `Dh` if a buffer is too short, or the public key has small order, so that the secret would
    /// be zero.
    fn dh(&self, public: &[u8], out: &mut [u8]) -> Result<(), Error> {
        // `snow` passes a buffer with the length of the longest key of any curve.
        let theirs = public.first_chunk::<32>().ok_or(Error::Dh)?;
        let shared = Zeroizing::new(MontgomeryPoint(*theirs).mul_clamped(*self.secret).to_bytes());
        // Points of small order give zero for every secret.
        if shared.iter().all(|&byte| byte == 0) {
            return Err(Error::Dh);
        }
        out.get_mut(..32).ok_or(Error::Dh)?.copy_from_slice(&*shared);
        Ok(())
    }
}

struct Sha(Sha256);

impl Hash for Sha {
    /// Returns `SHA256`, the name in a Noise protocol.
    fn name(&self) -> &'static str {
        "SHA256"
    }

    /// Returns the length of a block in bytes, 64.
    fn block_len(&self) -> usize {
        64
    }

    /// Returns the length of a hash in bytes, 32.
    fn hash_len(&self) -> usize {
        32
    }

    /// Forgets everything put in.
    fn reset(&mut self) {
        self.0 = Sha256::new();
    }

    /// Puts data in, after what was put in before.
    fn input(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    /// Writes the hash of everything put in to the front of `out`, as far as it fits, and starts again.
    fn result(&mut self, out: &mut [u8]) {
        let hash = std::mem::take(&mut self.0).finalize();
        for (out, byte) in out.iter_mut().zip(hash) {
            *out = byte;
        }
    }
}

struct Sealer(ChaCha20Poly1305);

/// Returns the nonce of a message counter: four zero bytes, then the counter in little-endian.
fn nonce(counter: u64) -> Nonce {
    let mut bytes = [0; 12];
    bytes[4..].copy_from_slice(&counter.to_le_bytes());
    Nonce::from(bytes)
}

/// Copies `bytes` to the front of `out` and returns their number; `None`, without a change, if they do not
/// fit.
fn copy_to_front(bytes: &[u8], out: &mut [u8]) -> Option<usize> {
    out.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(bytes.len())
}

impl Cipher for Sealer {
    /// Returns `ChaChaPoly`, the name in a Noise protocol.
    fn name(&self) -> &'static str {
        "ChaChaPoly"
    }

    /// Replaces the key.
    fn set(&mut self, key: &[u8; 32]) {
        self.0 = ChaCha20Poly1305::new(&Key::from(*key));
    }

    /// Writes the ciphertext of `msg` and its tag, with `aad` authenticated and `counter` as the nonce, to
    /// the front of `out`, and returns their length; 0 if they do not fit. The caller must not use a counter
    /// twice with one key.
    fn encrypt(&self, counter: u64, aad: &[u8], msg: &[u8], out: &mut [u8]) -> usize {
        // Encryption fails only for messages of hundreds of gigabytes. The receiver rejects an empty one.
        let sealed = self.0.encrypt(&nonce(counter), Payload { msg, aad }).unwrap_or_default();
        copy_to_front(&sealed, out).unwrap_or(0)
    }

    /// Writes the plaintext of `msg` to the front of `out` and returns its length.
    ///
    /// # Errors
    ///
    /// Fails with `Decrypt` if the message or `aad` is not authentic for this counter, or `out` is too short.
    fn decrypt(&self, counter: u64, aad: &[u8], msg: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let plain = self.0.decrypt(&nonce(counter), Payload { msg, aad }).map_err(|_| Error::Decrypt)?;
        copy_to_front(&plain, out).ok_or(Error::Decrypt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snow::{Builder, HandshakeState};

    fn hex(text: &str) -> Vec<u8> {
        data_encoding::HEXLOWER.decode(text.as_bytes()).unwrap()
    }

    /// A published test vector of the pattern (cacophony's collection).
    #[test]
    fn the_handshake_matches_a_published_vector() {
        let psk: [u8; 32] = *b"This is my Austrian perspective!";
        let keys = [
            (
                "e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1",
                "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a",
            ),
            (
                "4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893",
                "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b",
            ),
        ];
        let side = |i: usize| -> HandshakeState {
            let (fixed, ephemeral) = (hex(keys[i].0), hex(keys[i].1));
            let builder = Builder::with_resolver(
                "Noise_XXpsk3_25519_ChaChaPoly_SHA256".parse().unwrap(),
                Box::new(Primitives(Zeroizing::new([0; 32]))),
            );
            let builder = builder.local_private_key(&fixed).unwrap().prologue(b"John Galt").unwrap();
            let builder = builder.psk(3, &psk).unwrap().fixed_ephemeral_key_for_testing_only(&ephemeral);
            if i == 0 { builder.build_initiator().unwrap() } else { builder.build_responder().unwrap() }
        };
        let messages = [
            (
                "Ludwig von Mises",
                "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944c9f5ff0e8079630cb7e270c20bbf\
                 480821b77a384a645c71a2fd9b3db1c16a5f",
            ),
            (
                "Murray Rothbard",
                "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843b123def17f71e6ae8e57e0e1dec5\
                 949c5f7415c6f33517398747d821a06dc23ad430aa1fd7381d46195c378a819fd574425462cbb2d4ca339e738a0b\
                 7001dc91423fbf55a99af0c6f1df21012ceb2f",
            ),
            (
                "F. A. Hayek",
                "52187316111b118d4c060364f7b975dc0809b2590779aff2d63113c564f11744493384db7bf32d5ae6686df6ab06\
                 d508d2e07caaf1d6afc010b978735fc78900e71ae1d314130d042e729a",
            ),
        ];
        let mut sides = [side(0), side(1)];
        for (i, (payload, sealed)) in messages.into_iter().enumerate() {
            let (mut message, mut read) = ([0; 256], [0; 256]);
            let len = sides[i % 2].write_message(payload.as_bytes(), &mut message).unwrap();
            assert_eq!(message[..len], hex(&sealed.replace(' ', "")));
            let len = sides[(i + 1) % 2].read_message(&message[..len], &mut read).unwrap();
            assert_eq!(&read[..len], payload.as_bytes());
        }
        let hash = "a477edf6a131bbdb54707f6ea30eab6cd935d9b560f0e5fd1f053a95a99669fb";
        assert!(sides.iter().all(|side| side.get_handshake_hash() == hex(hash)));
        let [a, _] = sides;
        let (transport, mut message) = (a.into_stateless_transport_mode().unwrap(), [0; 64]);
        // The fifth message of the vector is the second that the initiator writes after the handshake.
        let len = transport.write_message(0, b"Jean-Baptiste Say", &mut message).unwrap();
        assert_eq!(message[..len], hex("522d543c5fe799d09a3d9da7ff54d0dc03c8af1dc7751d2ff708339d2290943e98"));
    }
}
