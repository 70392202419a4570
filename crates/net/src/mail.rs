//! Sealed packets for the mailbox of a table, which a relay stores for absent members.
//!
//! Everybody who holds the invitation can seal and open packets; the relay cannot. Sealing is deterministic: the nonce is
//! a keyed hash of the message, so that the same message sealed by two members is the same packet and the relay stores it
//! once. A packet does not name its sender. Messages that must be authentic carry signatures of their own.

use crate::invite::{InviteKey, TableId};
use crate::noise::TAG_LEN;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use zeroize::Zeroizing;

/// The first byte of a sealed packet. It is authenticated with the message.
const STORED: u8 = 4;
const NONCE_LEN: usize = 12;
/// Bytes that sealing adds to a message.
const SEAL_LEN: usize = 1 + NONCE_LEN + TAG_LEN;

/// Maximum bytes of a sealed packet: what a relay accepts as one message.
pub const MAX_PACKET: usize = 256 * 1024;
/// Maximum bytes of a message that can be posted.
pub const MAX_POST: usize = MAX_PACKET - SEAL_LEN;

/// The number by which a relay recognizes a sealed packet that it has stored before.
pub type PacketId = [u8; 16];

/// Computes the number of a sealed packet: the first 16 bytes of its hash, so that no other packet can be
/// stored in its place.
pub fn packet_id(sealed: &[u8]) -> PacketId {
    let mut hasher = blake3::Hasher::new_derive_key("pentarchy mail packet v1");
    hasher.update(sealed);
    let mut id = PacketId::default();
    id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    id
}

/// A place in the mailbox of a table: after packet `number` of `mailbox`. The default is the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct MailCursor {
    /// The random number of the mailbox; 0 if none is known. A table gets another mailbox after the old one has expired
    /// or was lost, and then numbers start again.
    pub mailbox: u64,
    /// The number of the packet. Packets count from 1; 0 is the beginning.
    pub number: u32,
}

/// Why a post is not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum MailError {
    /// The mailbox of the table, the storage of the server, or the share of this address is full. The transport retries.
    #[error("the mailbox of this table is full")]
    Full,
    /// The packet is larger than the server accepts. It is dropped.
    #[error("the message is too large for the mailbox")]
    TooLarge,
    /// The server has no mailbox. The post is dropped.
    #[error("the server stores no messages")]
    Off,
    /// The server could not store the packet now. The transport retries.
    #[error("the server cannot store messages at the moment")]
    TryLater,
    /// Too many posts of this device wait for the server. The newest is dropped.
    #[error("too many messages wait for the server")]
    QueueFull,
}

impl MailError {
    /// Returns the code of the reason in a frame of the relay. [`MailError::QueueFull`] never comes from a
    /// relay; it has the code of `TryLater`.
    pub fn code(self) -> u8 {
        match self {
            MailError::Full => 0,
            MailError::TooLarge => 1,
            MailError::Off => 2,
            MailError::TryLater | MailError::QueueFull => 3,
        }
    }

    /// Returns the reason with this code in a frame of the relay: 0 `Full`, 1 `TooLarge`, 2 `Off`, 3
    /// `TryLater`; `None` for any other.
    pub fn from_code(code: u8) -> Option<Self> {
        [MailError::Full, MailError::TooLarge, MailError::Off, MailError::TryLater]
            .into_iter()
            .find(|why| why.code() == code)
    }
}

/// A message is longer than [`MAX_POST`] and cannot be posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes where a post has at most {MAX_POST}")]
pub struct PostTooLongError {
    /// The length of the message.
    pub bytes: usize,
}

/// Checks that a message can be posted.
///
/// # Errors
///
/// Fails if the message is longer than [`MAX_POST`].
pub(crate) fn check_post(message: &[u8]) -> Result<(), PostTooLongError> {
    if message.len() > MAX_POST { Err(PostTooLongError { bytes: message.len() }) } else { Ok(()) }
}

/// Seals and opens the packets of one table.
pub struct MailSealer {
    cipher: ChaCha20Poly1305,
    nonce_key: Zeroizing<[u8; 32]>,
}

/// Derives a key of the mailbox of a table from the key of its invitation. Different contexts give
/// independent keys.
fn derive(context: &str, table: &TableId, key: &InviteKey) -> Zeroizing<[u8; 32]> {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    hasher.update(table.bytes()).update(&key.0);
    Zeroizing::new(hasher.finalize().into())
}

impl MailSealer {
    /// Creates the sealer of a table. `key` is the key of its invitation.
    pub fn new(table: &TableId, key: &InviteKey) -> Self {
        let seal_key = derive("pentarchy mail seal v1", table, key);
        Self {
            cipher: ChaCha20Poly1305::new(&Key::from(*seal_key)),
            nonce_key: derive("pentarchy mail nonce v1", table, key),
        }
    }

    /// Returns the nonce of a message: the first 12 bytes of its hash, keyed for the table. Equal messages
    /// have equal nonces.
    fn nonce(&self, message: &[u8]) -> [u8; NONCE_LEN] {
        let mut nonce = [0; NONCE_LEN];
        nonce.copy_from_slice(&blake3::keyed_hash(&self.nonce_key, message).as_bytes()[..NONCE_LEN]);
        nonce
    }

    /// Seals a message. The same message gives the same packet. The packet shows the length of the message
    /// and nothing else.
    ///
    /// # Errors
    ///
    /// Fails if the message is longer than [`MAX_POST`].
    pub fn seal(&self, message: &[u8]) -> Result<Vec<u8>, PostTooLongError> {
        check_post(message)?;
        let nonce = self.nonce(message);
        let sealed = self.cipher.encrypt(&Nonce::from(nonce), Payload { msg: message, aad: &[STORED] });
        // Encryption fails only for messages of hundreds of gigabytes.
        let sealed = sealed.map_err(|_| PostTooLongError { bytes: message.len() })?;
        Ok([&[STORED][..], &nonce, &sealed].concat())
    }

    /// Opens a packet; `None` if it was altered, sealed for another table, or not sealed by
    /// [`MailSealer::seal`].
    pub fn open(&self, packet: &[u8]) -> Option<Vec<u8>> {
        let (&STORED, rest) = packet.split_first()? else { return None };
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_LEN>()?;
        let message =
            self.cipher.decrypt(&Nonce::from(*nonce), Payload { msg: sealed, aad: &[STORED] }).ok()?;
        // With any other nonce a member could store one message as many packets.
        (self.nonce(&message) == *nonce && message.len() <= MAX_POST).then_some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invite::OwnerSecret;

    fn sealer(owner: u8, key: u8) -> MailSealer {
        let key = InviteKey([key; 16]);
        MailSealer::new(&OwnerSecret::new([owner; 32]).proof(&key).table(), &key)
    }

    #[test]
    fn packets_round_trip_and_are_deterministic() {
        for message in [&b""[..], b"a move", &vec![7; MAX_POST]] {
            let sealed = sealer(1, 7).seal(message).unwrap();
            assert_eq!(sealed, sealer(1, 7).seal(message).unwrap());
            assert_eq!(sealed.len(), message.len() + SEAL_LEN);
            assert_eq!(sealer(1, 7).open(&sealed).as_deref(), Some(message));
            assert_eq!((sealer(1, 8).open(&sealed), sealer(2, 7).open(&sealed)), (None, None));
        }
        let too_long = vec![0; MAX_POST + 1];
        assert_eq!(sealer(1, 7).seal(&too_long), Err(PostTooLongError { bytes: MAX_POST + 1 }));
    }

    #[test]
    fn altered_packets_do_not_open() {
        let sealed = sealer(1, 7).seal(b"the queen of hearts").unwrap();
        assert!(!sealed.windows(5).any(|five| five == b"queen"));
        for at in 0..sealed.len() {
            for bit in [1, 0x80] {
                let mut altered = sealed.clone();
                altered[at] ^= bit;
                assert_eq!(sealer(1, 7).open(&altered), None, "byte {at}");
            }
            assert_eq!(sealer(1, 7).open(&sealed[..at]), None);
        }
        assert_eq!(sealer(1, 7).open(&[&sealed[..], &[0]].concat()), None);
    }

    /// A holder of the keys could choose another nonce for the same message, and so store it more than once.
    #[test]
    fn only_the_nonce_of_the_message_is_accepted() {
        let sealer = sealer(1, 7);
        let nonce = [9; NONCE_LEN];
        let payload = Payload { msg: &b"again"[..], aad: &[STORED] };
        let sealed = sealer.cipher.encrypt(&Nonce::from(nonce), payload).unwrap();
        assert_eq!(sealer.open(&[&[STORED][..], &nonce, &sealed].concat()), None);
    }

    /// The format is stored on servers: a packet sealed by an older version must open.
    #[test]
    fn the_format_is_fixed() {
        let sealed = sealer(1, 7).seal(b"golden").unwrap();
        let hex = data_encoding::HEXLOWER.encode(&sealed);
        assert_eq!(hex, "0421b4acac0a33431e0a874ff98c0fa09506c2f9a717392fc0867ab850ac681382c078");
        assert_eq!(data_encoding::HEXLOWER.encode(&packet_id(&sealed)), "1b0c78d0bd68f75259fe133b58c5a937");
    }
}
