//! The encrypted channel between two peers: a Noise handshake, then numbered and sealed packets.
//!
//! The handshake is `Noise_XXpsk3_25519_ChaChaPoly_SHA256`:
//!
//! * the pre-shared key is derived from the key of the invitation, so only holders of the link complete a handshake;
//! * the prologue contains the wire version and the table, so a handshake cannot be replayed at another table;
//! * the payloads of the second and third message are the Ed25519 identity of their sender and its signature over the
//!   sender's Noise static key, which binds the identity to the channel;
//! * ephemeral keys are fresh for each handshake, which gives forward secrecy and prevents replay.
//!
//! The responder has authenticated the initiator (invitation and identity) after the third message. The initiator has
//! authenticated the responder after the first packet that decrypts.

use crate::invite::{InviteKey, TableId};
use crate::mesh::PublicIdentity;
use crate::noise::{Primitives, TAG_LEN, public_key};
use pentarchy_keys::{SigningSecret, VerifyKey};
use snow::{Builder, HandshakeState, StatelessTransportState};
use zeroize::Zeroizing;

/// The version of the protocol between peers.
pub(crate) const WIRE_VERSION: u8 = 2;

const PATTERN: &str = "Noise_XXpsk3_25519_ChaChaPoly_SHA256";
/// The position of the pre-shared key: after the third message.
const PSK_AT: u8 = 3;
/// Bytes of a handshake payload: identity and signature.
const PROOF_LEN: usize = 32 + 64;
/// Maximum bytes of a handshake message.
const MAX_HANDSHAKE: usize = 512;
/// Bytes of the header of a packet: channel tag and counter.
const HEAD_LEN: usize = 8 + 8;
/// Bytes that sealing adds to a packet.
#[cfg(test)]
pub(crate) const SEAL_LEN: usize = HEAD_LEN + TAG_LEN;

/// Derives 32 bytes from the concatenated parts, for a context. The parts are not framed, so their lengths
/// must be fixed.
fn derive(context: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// The keys and proofs that this peer uses in all its handshakes at a table.
pub(crate) struct Credentials {
    table: TableId,
    identity: PublicIdentity,
    /// The Noise static key, and its public half.
    secret: Zeroizing<[u8; 32]>,
    public: [u8; 32],
    psk: Zeroizing<[u8; 32]>,
    prologue: Vec<u8>,
    proof: [u8; PROOF_LEN],
}

/// Returns the digest that an identity signs to vouch for a Noise static key at a table: a hash of both.
fn vouching_digest(table: &TableId, key: &[u8]) -> [u8; 32] {
    derive("pentarchy noise static key v2", &[table.bytes(), key])
}

impl Credentials {
    /// Creates the credentials for a table. `key` is the key of its invitation; `secret`, the Noise static
    /// key, must be 32 fresh random bytes. The identity signs the static key here and is not kept.
    pub(crate) fn new(
        table: TableId,
        key: &InviteKey,
        identity: &SigningSecret,
        secret: Zeroizing<[u8; 32]>,
    ) -> Self {
        let (mine, public) = (*identity.public().bytes(), public_key(&secret));
        let mut proof = [0; PROOF_LEN];
        proof[..32].copy_from_slice(&mine);
        proof[32..].copy_from_slice(&identity.sign(&vouching_digest(&table, &public)));
        let psk = Zeroizing::new(derive("pentarchy noise psk v2", &[&key.0]));
        let prologue = [b"pentarchy", &[WIRE_VERSION][..], table.bytes()].concat();
        Self { table, identity: mine, secret, public, psk, prologue, proof }
    }

    /// Returns the identity of this peer.
    pub(crate) fn identity(&self) -> &PublicIdentity {
        &self.identity
    }

    /// Builds the state of a handshake as initiator or responder; `None` if the library rejects a parameter.
    /// `seed` must be 32 fresh random bytes: it determines the ephemeral key.
    fn build(&self, seed: Zeroizing<[u8; 32]>, initiates: bool) -> Option<HandshakeState> {
        let builder = Builder::with_resolver(PATTERN.parse().ok()?, Box::new(Primitives(seed)));
        let builder = builder.local_private_key(&*self.secret).ok()?.psk(PSK_AT, &self.psk).ok()?;
        let builder = builder.prologue(&self.prologue).ok()?;
        if initiates { builder.build_initiator().ok() } else { builder.build_responder().ok() }
    }

    /// Returns the identity that vouches for the remote static key. Returns `None` if `proof` is not a valid
    /// identity with its signature over that key, or the key is this peer's own: then a relay has reflected
    /// the handshake.
    fn vouched_identity(&self, state: &HandshakeState, proof: &[u8]) -> Option<PublicIdentity> {
        let (identity, signature) = proof.split_first_chunk::<32>()?;
        let key = VerifyKey::decode(identity).ok()?;
        let remote = state.get_remote_static().filter(|remote| **remote != self.public[..])?;
        let digest = vouching_digest(&self.table, remote);
        key.verify(&digest, signature.try_into().ok()?).then_some(*identity)
    }
}

/// Writes the next handshake message with this payload and advances the state; `None` if it is not this
/// side's turn or the message would be longer than 512 bytes.
fn write(state: &mut HandshakeState, payload: &[u8]) -> Option<Vec<u8>> {
    let mut message = vec![0; MAX_HANDSHAKE];
    let len = state.write_message(payload, &mut message).ok()?;
    message.truncate(len);
    Some(message)
}

/// Reads a handshake message, advances the state and returns its payload; `None` if the message is longer
/// than 512 bytes, out of turn or not authentic.
fn read(state: &mut HandshakeState, message: &[u8]) -> Option<Vec<u8>> {
    let mut payload = vec![0; MAX_HANDSHAKE];
    let fits = message.len() <= MAX_HANDSHAKE;
    let len = fits.then(|| state.read_message(message, &mut payload).ok()).flatten()?;
    payload.truncate(len);
    Some(payload)
}

/// The result of a handshake for its initiator.
pub(crate) struct Confirmed {
    /// The responder, who is authenticated only when a packet of it decrypts.
    pub(crate) identity: PublicIdentity,
    pub(crate) channel: Channel,
    /// The third message, to be sent.
    pub(crate) third: Vec<u8>,
}

/// A handshake in progress.
pub(crate) struct Handshake(HandshakeState);

impl Handshake {
    /// Starts a handshake. Returns it with the first message to send; `None` if the library rejects a
    /// parameter. `seed` must be 32 fresh random bytes.
    pub(crate) fn initiate(own: &Credentials, seed: Zeroizing<[u8; 32]>) -> Option<(Self, Vec<u8>)> {
        let mut state = own.build(seed, true)?;
        let first = write(&mut state, &[])?;
        Some((Self(state), first))
    }

    /// Answers a first message. Returns the handshake and the second message to send; `None` if `first` is
    /// invalid. `seed` must be 32 fresh random bytes. The second message shows this peer's identity to the
    /// sender, who need not hold the invitation.
    pub(crate) fn respond(
        own: &Credentials,
        seed: Zeroizing<[u8; 32]>,
        first: &[u8],
    ) -> Option<(Self, Vec<u8>)> {
        let mut state = own.build(seed, false)?;
        read(&mut state, first)?;
        let second = write(&mut state, &own.proof)?;
        Some((Self(state), second))
    }

    /// Handles the second message, as initiator. Returns the responder's identity, the channel, and the third
    /// message to send; `None` if the message is invalid. The handshake is over in either case.
    pub(crate) fn confirm(mut self, own: &Credentials, second: &[u8]) -> Option<Confirmed> {
        let proof = read(&mut self.0, second)?;
        let identity = own.vouched_identity(&self.0, &proof)?;
        let third = write(&mut self.0, &own.proof)?;
        Some(Confirmed { identity, channel: Channel::new(self.0)?, third })
    }

    /// Handles the third message, as responder. Returns the authenticated identity of the initiator and the
    /// channel; `None` if the message is invalid, and the handshake is over in either case.
    pub(crate) fn accept(mut self, own: &Credentials, third: &[u8]) -> Option<(PublicIdentity, Channel)> {
        let proof = read(&mut self.0, third)?;
        let identity = own.vouched_identity(&self.0, &proof)?;
        Some((identity, Channel::new(self.0)?))
    }
}

/// Size of the replay window in packets. Packets may be reordered when a direct connection takes over from the relay.
const WINDOW: u64 = 128;

/// An encrypted channel to one peer. Every packet carries the tag of its channel and a counter, so packets can be opened in
/// any order.
pub(crate) struct Channel {
    state: StatelessTransportState,
    /// The tags of outgoing and incoming packets.
    tags: ([u8; 8], [u8; 8]),
    sent: u64,
    /// One more than the highest counter received.
    next: u64,
    /// The counters before `next` that were received: bit i is `next - 1 - i`.
    seen: u128,
}

impl Channel {
    /// Creates the channel of a complete handshake; `None` if it is not complete.
    fn new(state: HandshakeState) -> Option<Self> {
        let tag = |by_initiator: bool| {
            let parts = [state.get_handshake_hash(), &[u8::from(by_initiator)]];
            let mut tag = [0; 8];
            tag.copy_from_slice(&derive("pentarchy channel tag v2", &parts)[..8]);
            tag
        };
        let initiates = state.is_initiator();
        let tags = (tag(initiates), tag(!initiates));
        let state = state.into_stateless_transport_mode().ok()?;
        Some(Self { state, tags, sent: 0, next: 0, seen: 0 })
    }

    /// Encrypts a packet with the next number, and returns it with its header. A packet that is longer than
    /// Noise allows (65,519 bytes) gives a bare header, which the receiver rejects.
    pub(crate) fn seal(&mut self, plain: &[u8]) -> Vec<u8> {
        let counter = self.sent;
        self.sent += 1;
        let mut packet = vec![0; HEAD_LEN + plain.len() + TAG_LEN];
        let (head, sealed) = packet.split_at_mut(HEAD_LEN);
        head[..8].copy_from_slice(&self.tags.0);
        head[8..].copy_from_slice(&counter.to_le_bytes());
        // Fails only for packets that are longer than Noise allows, which no sender creates. The receiver rejects the
        // header that remains.
        let len = self.state.write_message(counter, plain, sealed).unwrap_or(0);
        packet.truncate(HEAD_LEN + len);
        packet
    }

    /// Returns whether a packet carries the tag of the incoming direction of this channel. It is not
    /// authenticated: a stranger can copy the tag.
    pub(crate) fn has_tag_of(&self, packet: &[u8]) -> bool {
        packet.starts_with(&self.tags.1)
    }

    /// Decrypts a packet and marks its number as received. Returns `None`, without a change, if the packet is
    /// not of this channel, was modified, was received before, or is [`WINDOW`] or more packets older than
    /// the newest one.
    pub(crate) fn open(&mut self, packet: &[u8]) -> Option<Vec<u8>> {
        let (head, sealed) = packet.split_first_chunk::<HEAD_LEN>()?;
        let counter = u64::from_le_bytes(*head.last_chunk()?);
        let age = self.next.checked_sub(1).and_then(|last| last.checked_sub(counter));
        let fresh = age.is_none_or(|age| age < WINDOW && self.seen >> age & 1 == 0);
        if !self.has_tag_of(packet) || !fresh || counter == u64::MAX {
            return None;
        }
        let mut plain = vec![0; sealed.len()];
        let len = self.state.read_message(counter, sealed, &mut plain).ok()?;
        plain.truncate(len);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invite::OwnerSecret;
    use pentarchy_keys::Entropy;

    fn secret(i: u8) -> SigningSecret {
        SigningSecret::new(Entropy::new([i; 32]))
    }

    fn table(i: u8) -> TableId {
        OwnerSecret::new([i; 32]).proof(&InviteKey([0; 16])).table()
    }

    fn own(i: u8, table: TableId, key: u8) -> Credentials {
        Credentials::new(table, &InviteKey([key; 16]), &secret(i), seed(i + 100))
    }

    fn seed(i: u8) -> Zeroizing<[u8; 32]> {
        Zeroizing::new([i; 32])
    }

    /// Performs a whole handshake, and returns what each side learns about the other.
    fn shake(
        a: &Credentials,
        b: &Credentials,
    ) -> Option<((PublicIdentity, Channel), (PublicIdentity, Channel))> {
        let (initiator, first) = Handshake::initiate(a, seed(1))?;
        let (responder, second) = Handshake::respond(b, seed(2), &first)?;
        let Confirmed { identity: of_b, channel: ab, third } = initiator.confirm(a, &second)?;
        let (of_a, ba) = responder.accept(b, &third)?;
        Some(((of_b, ab), (of_a, ba)))
    }

    fn pair() -> (Channel, Channel) {
        let ((_, ab), (_, ba)) = shake(&own(1, table(3), 1), &own(2, table(3), 1)).unwrap();
        (ab, ba)
    }

    #[test]
    fn each_side_learns_the_identity_of_the_other() {
        let (a, b) = (own(1, table(3), 1), own(2, table(3), 1));
        let ((of_b, _), (of_a, _)) = shake(&a, &b).unwrap();
        assert_eq!((of_a, of_b), (*secret(1).public().bytes(), *secret(2).public().bytes()));
        assert_eq!(a.identity(), &of_a);
    }

    #[test]
    fn handshakes_need_the_same_key_and_table() {
        assert!(shake(&own(1, table(3), 1), &own(2, table(3), 2)).is_none(), "another key");
        assert!(shake(&own(1, table(3), 1), &own(2, table(4), 1)).is_none(), "another table");
    }

    #[test]
    fn handshake_messages_cannot_be_modified_or_replayed() {
        let (a, b) = (own(1, table(3), 1), own(2, table(3), 1));
        let (_, first) = Handshake::initiate(&a, seed(1)).unwrap();
        let (_, second) = Handshake::respond(&b, seed(2), &first).unwrap();
        let third = Handshake::initiate(&a, seed(1)).unwrap().0.confirm(&a, &second).unwrap().third;
        let change = |bytes: &[u8], i: usize| {
            let mut changed = bytes.to_vec();
            changed[i] ^= 1;
            changed
        };
        for i in 0..first.len() {
            // The relay can replace the ephemeral key, but then the second message does not open.
            let answer = Handshake::respond(&b, seed(2), &change(&first, i));
            let opened = answer.and_then(|(_, second)| {
                Handshake::initiate(&a, seed(1)).unwrap().0.confirm(&a, &second).map(|_| ())
            });
            assert!(opened.is_none(), "first, byte {i}");
        }
        for i in 0..second.len() {
            let (initiator, _) = Handshake::initiate(&a, seed(1)).unwrap();
            assert!(initiator.confirm(&a, &change(&second, i)).is_none(), "second, byte {i}");
        }
        for i in 0..third.len() {
            let (responder, _) = Handshake::respond(&b, seed(2), &first).unwrap();
            assert!(responder.accept(&b, &change(&third, i)).is_none(), "third, byte {i}");
        }
        let (responder, _) = Handshake::respond(&b, seed(9), &first).unwrap();
        assert!(responder.accept(&b, &third).is_none(), "a third message of another handshake");
        assert!(Handshake::respond(&b, seed(2), &[0; 48]).is_none(), "a point of small order");
    }

    #[test]
    fn an_identity_vouches_for_its_own_static_key_only() {
        let (mut a, b) = (own(1, table(3), 1), own(2, table(3), 1));
        a.proof = own(5, table(3), 1).proof;
        assert!(shake(&a, &b).is_none() && shake(&b, &a).is_none());
    }

    #[test]
    fn a_sealed_packet_opens_once() {
        let (mut a, mut b) = pair();
        let packet = a.seal(b"hello");
        assert!(b.has_tag_of(&packet) && !a.has_tag_of(&packet));
        assert_eq!(packet.len(), 5 + SEAL_LEN);
        assert!(!packet.windows(5).any(|five| five == b"hello"));
        assert_eq!(b.open(&packet).as_deref(), Some(&b"hello"[..]));
        assert_eq!(b.open(&packet), None, "not twice");
        assert_eq!(a.open(&packet), None, "not by its sender");
        let back = b.seal(b"");
        assert_eq!(a.open(&back).as_deref(), Some(&b""[..]));
    }

    #[test]
    fn modified_packets_do_not_open() {
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
    fn packets_may_be_reordered_within_the_window() {
        let (mut a, mut b) = pair();
        let packets: Vec<_> = (0..200u8).map(|i| a.seal(&[i])).collect();
        for i in [5, 3, 4, 100, 99, 5, 3] {
            let first = ![5, 3].contains(&i) || b.next < 50;
            assert_eq!(b.open(&packets[i]).is_some(), first, "{i}");
        }
        assert!(b.open(&packets[199]).is_some() && b.open(&packets[72]).is_some());
        assert_eq!(b.open(&packets[71]), None, "outside the window");
        assert_eq!(b.open(&packets[100]), None, "still in the window");
    }
}
