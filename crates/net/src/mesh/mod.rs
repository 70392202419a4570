//! All peers of a table: which are present, how they are reached, and their messages. It has no sockets, clocks or
//! threads, so it is the same natively, in browsers and in tests.
//!
//! The driver of a [`Mesh`] passes on what the relay sent ([`Mesh::relay_frame`]) and what came by direct connections
//! ([`Mesh::direct_frame`]), and does what [`Mesh::poll`] says.

mod packet;
mod room;
mod stream;
#[cfg(test)]
mod tests;

pub use stream::MAX_MESSAGE;

use crate::invite::{InviteKey, TableId};
use crate::secure::{Channel, Credentials};
use crate::wire::{Member, To};
use packet::{Lane, Packet};
use pentarchy_keys::Drbg;
use pentarchy_keys::SigningSecret;
use room::{Hold, Visitor};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use stream::{Incoming, Outgoing};
use zeroize::Zeroizing;

/// An authenticated peer. Numbers are given in order and never used again while the process runs.
pub type PeerId = u32;

/// The public identity of a peer.
pub type Identity = [u8; 32];

/// How a peer is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Through the relay.
    Relay,
    /// By a connection between the two machines.
    Direct,
}

/// What is to be done, and what has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Send this frame to the relay.
    Relay(Vec<u8>),
    /// Send this by the direct connection to a peer.
    Direct(PeerId, Vec<u8>),
    /// A peer is there.
    Up {
        /// Who, in this process.
        peer: PeerId,
        /// Who, in the world.
        identity: Identity,
        /// Whether it knows nothing of what was said before: it is new, or was started anew.
        fresh: bool,
    },
    /// A peer cannot be reached at present. What is sent to it waits for a while.
    Down(PeerId),
    /// A message came.
    Message(PeerId, Vec<u8>),
    /// Something came that concerns a direct connection.
    Signal(PeerId, Vec<u8>),
    /// A peer is reached in another way.
    Path(PeerId, Path),
    /// Another device with this peer's own identity was at the table first. This mesh does nothing any more.
    Twin,
}

/// What a [`Mesh`] holds in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Authenticated peers.
    pub peers: usize,
    /// Members of the room with a handshake.
    pub visitors: usize,
    /// Bytes of messages that wait to be sent, or to be completed.
    pub bytes: usize,
}

/// The first byte of a payload: a handshake message, or a sealed packet. 0 and 1 were those of version 1; 4 is reserved for
/// packets that a relay stores for absent members.
const HANDSHAKE: u8 = 2;
const SEALED: u8 = 3;

struct Peer {
    id: PeerId,
    identity: Identity,
    /// The newest is the last.
    channels: VecDeque<Channel>,
    member: Option<Member>,
    direct: bool,
    up: bool,
    /// When it was last authenticated, as a running number.
    seated: u64,
    out: Outgoing,
    incoming: Incoming,
}

/// This peer's view of a table.
pub struct Mesh {
    own: Credentials,
    random: Drbg,
    /// Whether there is a connection to the relay.
    connected: bool,
    /// How long this peer waits for a twin to answer before it introduces itself to the others.
    hold: Hold,
    /// Whether a device with the same identity was in the room first.
    has_twin: bool,
    /// Members of the room, as far as handshakes are concerned.
    visitors: BTreeMap<Member, Visitor>,
    /// Identities whose peers are never forgotten: the players of the game.
    reserved: BTreeSet<Identity>,
    /// Authenticated peers, in no order. Functions here name them by their slot; the outside by [`PeerId`].
    peers: Vec<Peer>,
    next_id: PeerId,
    /// How often a member was authenticated.
    seats: u64,
    outputs: VecDeque<Output>,
    /// Whether bulk messages wait.
    busy: bool,
    now: u64,
}

impl Mesh {
    /// A view with nobody in it. `seed` is 32 fresh bytes from the operating system.
    pub fn new(table: TableId, key: &InviteKey, identity: &SigningSecret, seed: [u8; 32]) -> Self {
        let mut random = Drbg::new(&*Zeroizing::new(seed), "mesh");
        let mut secret = Zeroizing::new([0; 32]);
        random.fill(&mut *secret);
        Self {
            own: Credentials::new(table, key, identity, secret),
            random,
            connected: false,
            hold: Hold::Over,
            has_twin: false,
            visitors: BTreeMap::new(),
            reserved: BTreeSet::new(),
            peers: Vec::new(),
            next_id: 0,
            seats: 0,
            outputs: VecDeque::new(),
            busy: false,
            now: 0,
        }
    }

    /// Keeps places for these identities, the players of the game: their peers are never forgotten in favour of others.
    pub fn reserve(&mut self, players: impl IntoIterator<Item = Identity>) {
        self.reserved = players.into_iter().collect();
    }

    /// What is to be done next.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// Who a peer is in the world.
    pub fn identity(&self, peer: PeerId) -> Option<&Identity> {
        self.slot(peer).map(|slot| &self.peers[slot].identity)
    }

    fn slot(&self, peer: PeerId) -> Option<usize> {
        self.peers.iter().position(|other| other.id == peer)
    }

    /// Those that can be reached.
    pub fn present(&self) -> impl Iterator<Item = PeerId> + '_ {
        self.peers.iter().filter(|peer| peer.up).map(|peer| peer.id)
    }

    /// What this mesh holds in memory. For tests that it stays bounded.
    #[doc(hidden)]
    pub fn footprint(&self) -> Footprint {
        Footprint {
            peers: self.peers.len(),
            visitors: self.visitors.len(),
            bytes: self
                .peers
                .iter()
                .map(|peer| peer.out.waiting_bytes() + peer.incoming.waiting_bytes())
                .sum(),
        }
    }

    /// How a peer is reached, if it is.
    pub fn path(&self, peer: PeerId) -> Option<Path> {
        let peer = self.slot(peer).map(|slot| &self.peers[slot]).filter(|peer| peer.up)?;
        Some(if peer.direct { Path::Direct } else { Path::Relay })
    }

    /// A number for delays that differ between peers.
    pub fn jitter(&mut self) -> u32 {
        self.number()
    }

    fn number(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.random.fill(&mut bytes);
        // Zero means "none".
        u32::from_le_bytes(bytes).max(1)
    }

    /// Sets the time, in milliseconds of any clock that does not go backwards. To be called about ten times a second.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        if self.has_twin {
            return;
        }
        self.hold = self.hold.at(now);
        self.introduce();
        self.retry_handshakes();
        for slot in 0..self.peers.len() {
            let peer = &mut self.peers[slot];
            if !peer.up {
                continue;
            }
            if peer.out.is_late(now) {
                // A direct connection that swallows things is worse than none.
                if std::mem::take(&mut peer.direct) {
                    self.outputs.push_back(Output::Path(peer.id, Path::Relay));
                }
                self.peers[slot].out.again(now);
                self.check(slot);
                // The relay may have dropped or delayed the packet that named the stream: without it nothing is accepted.
                let resume = self.peers[slot].resume();
                self.transmit(slot, &resume);
            }
            self.flush(slot);
            if self.peers[slot].incoming.wants_ack_at(now) {
                self.acknowledge(slot);
            }
        }
    }

    fn relay(&mut self, to: To, kind: u8, packet: &[u8]) {
        let mut payload = Vec::with_capacity(packet.len() + 1);
        payload.push(kind);
        payload.extend_from_slice(packet);
        self.outputs.push_back(Output::Relay(to.frame(&payload)));
    }

    // --- direct connections

    /// A direct connection to a peer is open.
    pub fn direct_up(&mut self, peer: PeerId) {
        let slot = self.slot(peer).filter(|&slot| !self.peers[slot].channels.is_empty());
        if let Some(slot) = slot.filter(|&slot| !self.peers[slot].direct) {
            self.peers[slot].direct = true;
            self.outputs.push_back(Output::Path(peer, Path::Direct));
            self.check(slot);
        }
    }

    /// A direct connection is gone.
    pub fn direct_down(&mut self, peer: PeerId) {
        if let Some(slot) = self.slot(peer).filter(|&slot| self.peers[slot].direct) {
            self.peers[slot].direct = false;
            if self.peers[slot].member.is_some() {
                self.outputs.push_back(Output::Path(peer, Path::Relay));
                self.peers[slot].out.again(self.now);
                self.flush(slot);
            }
            self.check(slot);
        }
    }

    /// A packet came by a direct connection.
    pub fn direct_frame(&mut self, peer: PeerId, packet: &[u8]) {
        if let Some(slot) = self.slot(peer) {
            self.open(slot, packet);
        }
    }

    // --- messages

    /// Sends a message to a peer. It waits if the peer is away, until there is too much of it: then the peer has to be
    /// told everything anew when it comes back, and is [`Output::Up`] with `fresh`.
    pub fn send(&mut self, peer: PeerId, message: &[u8]) {
        self.push(peer, Lane::Game, message);
    }

    /// Sends a message for which everything else does not wait: what a peer lacks that lags.
    pub fn send_bulk(&mut self, peer: PeerId, message: &[u8]) {
        self.push(peer, Lane::Bulk, message);
    }

    /// Whether the connection still has much to send. Until it has not, bulk messages wait.
    pub fn set_busy(&mut self, busy: bool) {
        self.busy = busy;
    }

    /// Sends something that concerns a direct connection.
    pub fn signal(&mut self, peer: PeerId, message: &[u8]) {
        self.push(peer, Lane::Signal, message);
    }

    fn push(&mut self, peer: PeerId, lane: Lane, message: &[u8]) {
        let slot = self.slot(peer).filter(|&slot| self.peers[slot].incoming.id != 0);
        let Some(slot) = slot.filter(|_| message.len() <= MAX_MESSAGE) else { return };
        if self.peers[slot].out.push(lane, message).is_err() {
            let fresh = self.number();
            self.peers[slot].out = Outgoing::new(fresh);
            if self.peers[slot].up {
                let resume = self.peers[slot].resume();
                self.transmit(slot, &resume);
            }
        }
        if self.peers[slot].up {
            self.flush(slot);
        }
    }

    /// Handles what a peer has sealed. Fuzzing entry point: a peer with the right keys can say anything.
    #[doc(hidden)]
    pub fn opened(&mut self, peer: PeerId, plain: &[u8]) {
        if let Some(slot) = self.slot(peer) {
            self.packet(slot, plain);
        }
    }

    /// Whether a peer can be reached has perhaps changed.
    fn check(&mut self, slot: usize) {
        let peer = &mut self.peers[slot];
        let reachable = peer.direct || peer.member.is_some();
        if peer.up && !reachable {
            peer.up = false;
            self.outputs.push_back(Output::Down(peer.id));
        }
    }

    fn open(&mut self, slot: usize, packet: &[u8]) {
        let mut channels = self.peers[slot].channels.iter_mut().rev();
        let channel = channels.find(|channel| channel.claims(packet));
        if let Some(plain) = channel.and_then(|channel| channel.open(packet)) {
            self.packet(slot, &plain);
        }
    }

    fn packet(&mut self, slot: usize, plain: &[u8]) {
        let now = self.now;
        let peer = &mut self.peers[slot];
        match Packet::decode(plain) {
            Some(Packet::Resume { mine, yours, next }) => self.resumed(slot, mine, yours, next),
            Some(Packet::Ack { stream, next }) if stream == peer.out.id => {
                peer.out.acknowledged(next, now);
                self.flush(slot);
            }
            Some(Packet::Data { stream, seq, ack, piece }) if stream == peer.incoming.id => {
                peer.out.acknowledged(ack, now);
                let Ok(messages) = peer.incoming.take(seq, piece) else {
                    // Nobody honest sends this. The stream stays where it is, and nothing more comes by it.
                    peer.incoming = Incoming::default();
                    return;
                };
                for (lane, message) in messages {
                    let peer = self.peers[slot].id;
                    self.outputs.push_back(match lane {
                        Lane::Game | Lane::Bulk => Output::Message(peer, message),
                        Lane::Signal => Output::Signal(peer, message),
                    });
                }
                if self.peers[slot].incoming.wants_ack() {
                    self.acknowledge(slot);
                }
                self.flush(slot);
            }
            _ => {}
        }
    }

    /// The other side says where the streams stand.
    fn resumed(&mut self, slot: usize, mine: u32, yours: u32, next: u64) {
        let now = self.now;
        let fresh_number = self.number();
        let peer = &mut self.peers[slot];
        let renewed = peer.incoming.id != mine;
        let mut fresh = renewed;
        if renewed {
            peer.incoming = Incoming::new(mine);
        }
        if yours == peer.out.id && peer.out.holds(next) {
            peer.out.acknowledged(next, now);
            peer.out.again(now);
        } else if peer.out.has_begun() {
            // It lacks what we no longer have: everything is said anew, by whoever uses this.
            fresh = true;
            peer.out = Outgoing::new(fresh_number);
        } else {
            peer.out.again(now);
        }
        if renewed || peer.out.id == fresh_number {
            // The other side learns which stream this side expects, and from where.
            let resume = peer.resume();
            self.transmit(slot, &resume);
        }
        let peer = &mut self.peers[slot];
        if !peer.up || fresh {
            peer.up = true;
            self.outputs.push_back(Output::Up { peer: peer.id, identity: peer.identity, fresh });
        }
        self.flush(slot);
    }

    /// Sends what may be sent.
    fn flush(&mut self, slot: usize) {
        let now = self.now;
        loop {
            let peer = &mut self.peers[slot];
            let Some(packet) = peer.out.next(peer.incoming.next, now, self.busy) else { break };
            peer.incoming.unacknowledged = 0;
            self.transmit(slot, &packet);
        }
    }

    fn acknowledge(&mut self, slot: usize) {
        let incoming = &mut self.peers[slot].incoming;
        incoming.unacknowledged = 0;
        let packet = Packet::Ack { stream: incoming.id, next: incoming.next };
        self.transmit(slot, &packet);
    }

    fn transmit(&mut self, slot: usize, packet: &Packet) {
        let peer = &mut self.peers[slot];
        if !peer.direct {
            return self.transmit_by_relay(slot, packet);
        }
        let Some(channel) = peer.channels.back_mut() else { return };
        let sealed = channel.seal(&packet.encode());
        self.outputs.push_back(Output::Direct(peer.id, sealed));
    }

    fn transmit_by_relay(&mut self, slot: usize, packet: &Packet) {
        let peer = &mut self.peers[slot];
        let Some((channel, member)) = peer.channels.back_mut().zip(peer.member) else { return };
        let sealed = channel.seal(&packet.encode());
        self.relay(To::One(member), SEALED, &sealed);
    }
}

impl Peer {
    fn new(id: PeerId, identity: Identity, stream: u32) -> Self {
        Self {
            id,
            identity,
            channels: VecDeque::new(),
            member: None,
            direct: false,
            up: false,
            seated: 0,
            out: Outgoing::new(stream),
            incoming: Incoming::default(),
        }
    }

    fn resume(&self) -> Packet {
        Packet::Resume { mine: self.out.id, yours: self.incoming.id, next: self.incoming.next }
    }
}
