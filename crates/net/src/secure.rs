//! What two peers say to each other is sealed, so that whoever carries it reads nothing and changes nothing.
//!
//! Every peer has a long-term identity (Ed25519) and, for each connection, a fresh key for agreement (X25519). Its
//! **hello** is both, signed by the identity together with the table and the key of the invitation. Two hellos make a
//! **channel**: one key for each direction, from the agreed secret, the invitation's key and both hellos.
//!
//! * Who does not know the invitation's key cannot make a hello that is accepted, nor read one word.
//! * A hello that is sent again by somebody else is of no use to him: he lacks the secret behind it.
//! * Both sides derive the keys from the same two hellos in the same order, so each knows with whom it has agreed.
//! * Nothing that is kept opens what was said before: the keys for agreement live as long as a connection.

use crate::invite::{InviteKey, TableId};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use curve25519_dalek::montgomery::MontgomeryPoint;
use pentarchy_fair::{SigningSecret, VerifyKey};
use zeroize::Zeroizing;

/// Bytes of a hello: version, identity, key for agreement, signature.
pub(crate) const HELLO_LEN: usize = 1 + 32 + 32 + 64;
/// Bytes that sealing adds: tag of the channel, counter, authenticator.
pub(crate) const SEAL_LEN: usize = 4 + 8 + 16;

const VERSION: u8 = 1;

/// What a hello is bound to.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) table: TableId,
    pub(crate) key: InviteKey,
}

impl Place {
    fn signed(&self, identity: &[u8; 32], agreement: &[u8; 32]) -> [u8; 32] {
        derive("pentarchy hello v1", &[&self.key.0, self.table.bytes(), identity, agreement])
    }
}

fn derive(context: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// This peer's side of the channels of one connection.
pub(crate) struct Mine {
    secret: Zeroizing<[u8; 32]>,
    pub(crate) hello: [u8; HELLO_LEN],
}

impl Mine {
    pub(crate) fn new(place: &Place, identity: &SigningSecret, random: [u8; 32]) -> Self {
        let agreement = MontgomeryPoint::mul_base_clamped(random).to_bytes();
        let public = identity.public();
        let signature = identity.sign(&place.signed(public.bytes(), &agreement));
        let mut hello = [VERSION; HELLO_LEN];
        hello[1..33].copy_from_slice(public.bytes());
        hello[33..65].copy_from_slice(&agreement);
        hello[65..].copy_from_slice(&signature);
        Self { secret: Zeroizing::new(random), hello }
    }
}

/// A hello of another peer that was verified.
pub(crate) struct Hello {
    pub(crate) identity: VerifyKey,
    agreement: [u8; 32],
    bytes: [u8; HELLO_LEN],
}

impl Hello {
    /// Reads a hello; nothing if it is not for this place, or not signed by the identity it names.
    pub(crate) fn read(place: &Place, bytes: &[u8]) -> Option<Self> {
        let bytes: [u8; HELLO_LEN] = bytes.try_into().ok()?;
        let (&[version], rest) = bytes.split_first_chunk::<1>()?;
        let (identity, rest) = rest.split_first_chunk::<32>()?;
        let (agreement, signature) = rest.split_first_chunk::<32>()?;
        let key = VerifyKey::decode(identity).ok()?;
        let verified = key.verify(&place.signed(identity, agreement), signature.try_into().ok()?);
        let agreement = *agreement;
        (version == VERSION && verified).then_some(Self { identity: key, agreement, bytes })
    }
}

impl Hello {
    /// The key for agreement: no two connections have the same.
    pub(crate) fn agreement(&self) -> &[u8; 32] {
        &self.agreement
    }
}

/// How many of the last counters are remembered, to know a packet that comes again. Packets may overtake each other
/// where a direct connection takes over from the relay.
const WINDOW: u64 = 128;

/// A sealed way to one peer and back.
pub(crate) struct Channel {
    seal: ChaCha20Poly1305,
    open: ChaCha20Poly1305,
    /// Marks what this side sends, and what it receives.
    tags: ([u8; 4], [u8; 4]),
    sent: u64,
    /// One more than the highest counter that came.
    next: u64,
    /// Which of the counters before `next` have come: bit i is `next - 1 - i`.
    seen: u128,
}

impl Channel {
    /// The channel that two hellos make, to be made once: a second one would count from zero again under the same keys.
    /// Nothing if the other's key is one of the few that agree on nothing.
    pub(crate) fn new(place: &Place, mine: &Mine, theirs: &Hello) -> Option<Self> {
        let shared = MontgomeryPoint(theirs.agreement).mul_clamped(*mine.secret);
        let shared = Zeroizing::new(shared.to_bytes());
        if shared.iter().all(|&byte| byte == 0) {
            return None;
        }
        let way = |from: &[u8], to: &[u8]| {
            let key = Zeroizing::new(derive("pentarchy channel v1", &[&place.key.0, &*shared, from, to]));
            let tag = derive("pentarchy channel tag v1", &[&*key]);
            (ChaCha20Poly1305::new(&Key::from(*key)), [tag[0], tag[1], tag[2], tag[3]])
        };
        let (seal, sending) = way(&mine.hello, &theirs.bytes);
        let (open, receiving) = way(&theirs.bytes, &mine.hello);
        Some(Self { seal, open, tags: (sending, receiving), sent: 0, next: 0, seen: 0 })
    }

    /// Seals a packet.
    pub(crate) fn seal(&mut self, plain: &[u8]) -> Vec<u8> {
        let counter = self.sent;
        self.sent += 1;
        let mut packet = Vec::with_capacity(plain.len() + SEAL_LEN);
        packet.extend_from_slice(&self.tags.0);
        packet.extend_from_slice(&counter.to_le_bytes());
        // Fails only for packets of hundreds of gigabytes; an empty one is then refused by the receiver.
        let sealed = self.seal.encrypt(&nonce(counter), Payload { msg: plain, aad: &packet });
        packet.extend(sealed.unwrap_or_default());
        packet
    }

    /// Whether a packet claims to be of this channel.
    pub(crate) fn claims(&self, packet: &[u8]) -> bool {
        packet.starts_with(&self.tags.1)
    }

    /// Opens a packet; nothing if it is not of this channel, was changed, or has come before.
    pub(crate) fn open(&mut self, packet: &[u8]) -> Option<Vec<u8>> {
        let (head, sealed) = packet.split_first_chunk::<12>()?;
        let (tag, counter) = head.split_first_chunk::<4>()?;
        let counter = u64::from_le_bytes(counter.try_into().ok()?);
        let age = self.next.checked_sub(1).and_then(|last| last.checked_sub(counter));
        let fresh = age.is_none_or(|age| age < WINDOW && self.seen >> age & 1 == 0);
        if *tag != self.tags.1 || !fresh {
            return None;
        }
        let plain = self.open.decrypt(&nonce(counter), Payload { msg: sealed, aad: head }).ok()?;
        match age {
            Some(age) => self.seen |= 1 << age,
            None => {
                let ahead = counter - self.next + 1;
                self.seen = if ahead >= WINDOW { 0 } else { self.seen << ahead } | 1;
                self.next = counter + 1;
            }
        }
        Some(plain)
    }
}

fn nonce(counter: u64) -> Nonce {
    let mut bytes = [0; 12];
    bytes[4..].copy_from_slice(&counter.to_le_bytes());
    Nonce::from(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invite::OwnerSecret;
    use pentarchy_fair::Entropy;

    fn place(key: u8) -> Place {
        Place { table: OwnerSecret::new([3; 32]).table(), key: InviteKey([key; 16]) }
    }

    fn mine(place: &Place, i: u8) -> Mine {
        Mine::new(place, &SigningSecret::new(Entropy::new([i; 32])), [i + 100; 32])
    }

    fn pair() -> (Channel, Channel) {
        let place = place(1);
        let (a, b) = (mine(&place, 1), mine(&place, 2));
        let read = |hello: &[u8]| Hello::read(&place, hello).unwrap();
        let ab = Channel::new(&place, &a, &read(&b.hello)).unwrap();
        let ba = Channel::new(&place, &b, &read(&a.hello)).unwrap();
        (ab, ba)
    }

    #[test]
    fn what_one_seals_the_other_opens_once() {
        let (mut a, mut b) = pair();
        let packet = a.seal(b"hello");
        assert!(b.claims(&packet) && !a.claims(&packet));
        assert_eq!(packet.len(), 5 + SEAL_LEN);
        assert!(!packet.windows(5).any(|five| five == b"hello"));
        assert_eq!(b.open(&packet).as_deref(), Some(&b"hello"[..]));
        assert_eq!(b.open(&packet), None, "not twice");
        assert_eq!(a.open(&packet), None, "not by its sender");
        let back = b.seal(b"");
        assert_eq!(a.open(&back).as_deref(), Some(&b""[..]));
    }

    #[test]
    fn no_bit_can_be_changed() {
        let (mut a, mut b) = pair();
        let packet = a.seal(b"pass");
        for i in 0..packet.len() * 8 {
            let mut changed = packet.clone();
            changed[i / 8] ^= 1 << (i % 8);
            assert_eq!(b.open(&changed), None, "bit {i}");
        }
        for cut in 0..packet.len() {
            assert_eq!(b.open(&packet[..cut]), None);
        }
        assert!(b.open(&packet).is_some());
    }

    #[test]
    fn packets_may_overtake_each_other_a_little() {
        let (mut a, mut b) = pair();
        let packets: Vec<_> = (0..200u8).map(|i| a.seal(&[i])).collect();
        for i in [5, 3, 4, 100, 99, 5, 3] {
            let first = ![5, 3].contains(&i) || b.next < 50;
            assert_eq!(b.open(&packets[i]).is_some(), first, "{i}");
        }
        assert!(b.open(&packets[199]).is_some() && b.open(&packets[72]).is_some());
        assert_eq!(b.open(&packets[71]), None, "too old to be remembered");
        assert_eq!(b.open(&packets[100]), None, "known still");
    }

    #[test]
    fn hellos_hold_at_one_place_only() {
        let (here, there) = (place(1), place(2));
        let a = mine(&here, 1);
        assert!(Hello::read(&here, &a.hello).is_some());
        assert!(Hello::read(&there, &a.hello).is_none(), "another key");
        let elsewhere = Place { table: OwnerSecret::new([4; 32]).table(), ..here.clone() };
        assert!(Hello::read(&elsewhere, &a.hello).is_none(), "another table");
        for i in 0..HELLO_LEN {
            let mut changed = a.hello;
            changed[i] ^= 1;
            assert!(Hello::read(&here, &changed).is_none(), "byte {i}");
        }
        assert!(Hello::read(&here, &a.hello[1..]).is_none());
    }

    #[test]
    fn a_key_that_agrees_on_nothing_is_refused() {
        let place = place(1);
        let identity = SigningSecret::new(Entropy::new([9; 32]));
        let mut bytes = [VERSION; HELLO_LEN];
        bytes[1..33].copy_from_slice(identity.public().bytes());
        bytes[33..65].fill(0);
        bytes[65..].copy_from_slice(&identity.sign(&place.signed(identity.public().bytes(), &[0; 32])));
        let hello = Hello::read(&place, &bytes).unwrap();
        assert!(Channel::new(&place, &mine(&place, 1), &hello).is_none());
    }

    #[test]
    fn a_channel_is_of_two_peers_and_one_connection() {
        let place = place(1);
        let (a, b, c) = (mine(&place, 1), mine(&place, 2), mine(&place, 3));
        let read = |mine: &Mine| Hello::read(&place, &mine.hello).unwrap();
        let packet = Channel::new(&place, &a, &read(&b)).unwrap().seal(b"x");
        assert!(Channel::new(&place, &c, &read(&a)).unwrap().open(&packet).is_none());
        let again = Mine::new(&place, &SigningSecret::new(Entropy::new([2; 32])), [77; 32]);
        assert!(Channel::new(&place, &again, &read(&a)).unwrap().open(&packet).is_none());
        assert!(Channel::new(&place, &b, &read(&a)).unwrap().open(&packet).is_some());
    }
}
