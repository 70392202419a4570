//! All peers of a table: who is there, by which way, and what they say. Without sockets, clocks or threads, so that it is
//! the same natively, in browsers and in tests.
//!
//! Whoever drives a [`Mesh`] tells it what the relay sent ([`Mesh::relay_frame`]) and what came by direct connections
//! ([`Mesh::direct_frame`]), and does what [`Mesh::poll`] says.

mod packet;
mod stream;
#[cfg(test)]
mod tests;

pub use stream::MAX_MESSAGE;

use crate::invite::{InviteKey, TableId};
use crate::secure::{Channel, Hello, Mine, Place};
use crate::wire::{FromRelay, Member, To};
use packet::{Lane, Packet};
use pentarchy_fair::SigningSecret;
use pentarchy_fair::primitives::Drbg;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use stream::{Incoming, Outgoing};

/// A peer, by the order in which this process met them.
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
}

/// Peers that are remembered.
const MAX_PEERS: usize = 256;
/// Members of the room that have said hello and nothing more.
const MAX_STRANGERS: usize = 64;
/// Hellos in one connection; after so many it is time for a new one.
const MAX_HELLOS: usize = 4096;
/// Channels of one peer: an old one is still good for what was under way.
const MAX_CHANNELS: usize = 3;

const HELLO: u8 = 0;
const SEALED: u8 = 1;

struct Peer {
    identity: Identity,
    /// The newest is the last.
    channels: VecDeque<Channel>,
    member: Option<Member>,
    direct: bool,
    up: bool,
    out: Outgoing,
    incoming: Incoming,
}

/// This peer's view of a table.
pub struct Mesh {
    place: Place,
    identity: SigningSecret,
    random: Drbg,
    /// While there is a connection to the relay.
    mine: Option<Mine>,
    /// The hellos that came in this connection. Each makes one channel and no second: that would have the same keys and
    /// count from zero again, so that old packets would open, and new ones would be sealed as old ones were.
    hellos: BTreeSet<[u8; 32]>,
    strangers: BTreeMap<Member, (Identity, Channel)>,
    peers: Vec<Peer>,
    outputs: VecDeque<Output>,
    now: u64,
}

impl Mesh {
    /// A view with nobody in it. `seed` is 32 fresh bytes from the operating system.
    pub fn new(table: TableId, key: InviteKey, identity: SigningSecret, seed: [u8; 32]) -> Self {
        Self {
            place: Place { table, key },
            identity,
            random: Drbg::new(&seed, "mesh"),
            mine: None,
            hellos: BTreeSet::new(),
            strangers: BTreeMap::new(),
            peers: Vec::new(),
            outputs: VecDeque::new(),
            now: 0,
        }
    }

    /// What is to be done next.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// Who a peer is in the world.
    pub fn identity(&self, peer: PeerId) -> Option<&Identity> {
        self.peers.get(peer as usize).map(|peer| &peer.identity)
    }

    /// Those that can be reached.
    pub fn present(&self) -> impl Iterator<Item = PeerId> + '_ {
        (0..).zip(&self.peers).filter(|(_, peer)| peer.up).map(|(id, _)| id)
    }

    /// How a peer is reached, if it is.
    pub fn path(&self, peer: PeerId) -> Option<Path> {
        let peer = self.peers.get(peer as usize).filter(|peer| peer.up)?;
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

    /// So late is it now, in milliseconds of any clock that does not go backwards. To be told about ten times a second.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        for id in 0..self.peers.len() {
            let peer = &mut self.peers[id];
            if !peer.up {
                continue;
            }
            if peer.out.is_late(now) {
                // A direct connection that swallows things is worse than none.
                if std::mem::take(&mut peer.direct) {
                    self.outputs.push_back(Output::Path(id as PeerId, Path::Relay));
                }
                self.peers[id].out.again(now);
                self.check(id);
            }
            self.flush(id);
            if self.peers[id].incoming.wants_ack_at(now) {
                self.acknowledge(id);
            }
        }
    }

    // --- the relay

    /// A frame came from the relay. What is no frame is ignored: the relay is nobody to be trusted.
    pub fn relay_frame(&mut self, frame: &[u8]) {
        match FromRelay::read(frame) {
            Some(FromRelay::Welcome { .. }) => {
                let mut random = [0; 32];
                self.random.fill(&mut random);
                let mine = Mine::new(&self.place, &self.identity, random);
                self.strangers.clear();
                self.hellos.clear();
                self.relay(To::Others, HELLO, &mine.hello);
                self.mine = Some(mine);
            }
            Some(FromRelay::Joined(member)) => {
                if let Some(hello) = self.mine.as_ref().map(|mine| mine.hello) {
                    self.relay(To::One(member), HELLO, &hello);
                }
            }
            Some(FromRelay::Left(member)) => {
                self.strangers.remove(&member);
                if let Some(id) = self.peers.iter().position(|peer| peer.member == Some(member)) {
                    self.peers[id].member = None;
                    self.check(id);
                }
            }
            Some(FromRelay::Message { from, payload }) => match payload.split_first() {
                Some((&HELLO, hello)) => self.hello(from, hello),
                Some((&SEALED, packet)) => self.sealed(from, packet),
                _ => {}
            },
            None => {}
        }
    }

    /// The connection to the relay is gone.
    pub fn relay_down(&mut self) {
        self.mine = None;
        self.strangers.clear();
        for id in 0..self.peers.len() {
            self.peers[id].member = None;
            self.check(id);
        }
    }

    fn relay(&mut self, to: To, kind: u8, packet: &[u8]) {
        let mut payload = Vec::with_capacity(packet.len() + 1);
        payload.push(kind);
        payload.extend_from_slice(packet);
        self.outputs.push_back(Output::Relay(to.frame(&payload)));
    }

    fn hello(&mut self, from: Member, bytes: &[u8]) {
        let Some(mine) = &self.mine else { return };
        let Some(hello) = Hello::read(&self.place, bytes) else { return };
        let identity = *hello.identity.bytes();
        let ours = identity == *self.identity.public().bytes();
        if ours || self.strangers.len() >= MAX_STRANGERS && !self.strangers.contains_key(&from) {
            return;
        }
        if self.hellos.len() >= MAX_HELLOS || !self.hellos.insert(*hello.agreement()) {
            return;
        }
        let Some(mut channel) = Channel::new(&self.place, mine, &hello) else { return };
        let Some(id) = self.meet(identity) else { return };
        // The first packet tells the other side that the channel stands, and where the streams go on.
        let resume = self.peers[id].resume();
        let packet = channel.seal(&resume.encode());
        self.strangers.insert(from, (identity, channel));
        self.relay(To::One(from), SEALED, &packet);
    }

    /// The place of a peer, which is made if there is room.
    fn meet(&mut self, identity: Identity) -> Option<usize> {
        if let Some(known) = self.peers.iter().position(|peer| peer.identity == identity) {
            return Some(known);
        }
        if self.peers.len() >= MAX_PEERS {
            return None;
        }
        let id = self.number();
        self.peers.push(Peer {
            identity,
            channels: VecDeque::new(),
            member: None,
            direct: false,
            up: false,
            out: Outgoing::new(id),
            incoming: Incoming::default(),
        });
        Some(self.peers.len() - 1)
    }

    fn sealed(&mut self, from: Member, packet: &[u8]) {
        if let Some((identity, channel)) = self.strangers.get_mut(&from)
            && channel.claims(packet)
        {
            let identity = *identity;
            let Some(plain) = channel.open(packet) else { return };
            // Only now is it certain that the hello was not an old one, sent again by somebody else.
            let Some((_, channel)) = self.strangers.remove(&from) else { return };
            let Some(id) = self.meet(identity) else { return };
            let peer = &mut self.peers[id];
            peer.member = Some(from);
            peer.channels.push_back(channel);
            if peer.channels.len() > MAX_CHANNELS {
                peer.channels.pop_front();
            }
            self.packet(id, &plain);
        } else if let Some(id) = self.peers.iter().position(|peer| peer.member == Some(from)) {
            self.open(id, packet);
        }
    }

    // --- direct connections

    /// A direct connection to a peer is open.
    pub fn direct_up(&mut self, peer: PeerId) {
        let id = peer as usize;
        if self.peers.get(id).is_some_and(|peer| !peer.channels.is_empty() && !peer.direct) {
            self.peers[id].direct = true;
            self.outputs.push_back(Output::Path(peer, Path::Direct));
            self.check(id);
        }
    }

    /// A direct connection is gone.
    pub fn direct_down(&mut self, peer: PeerId) {
        let id = peer as usize;
        if self.peers.get(id).is_some_and(|peer| peer.direct) {
            self.peers[id].direct = false;
            if self.peers[id].member.is_some() {
                self.outputs.push_back(Output::Path(peer, Path::Relay));
                self.peers[id].out.again(self.now);
                self.flush(id);
            }
            self.check(id);
        }
    }

    /// A packet came by a direct connection.
    pub fn direct_frame(&mut self, peer: PeerId, packet: &[u8]) {
        if (peer as usize) < self.peers.len() {
            self.open(peer as usize, packet);
        }
    }

    // --- messages

    /// Sends a message to a peer. It waits if the peer is away, until there is too much of it: then the peer has to be
    /// told everything anew when it comes back, and is [`Output::Up`] with `fresh`.
    pub fn send(&mut self, peer: PeerId, message: &[u8]) {
        self.push(peer, Lane::Game, message);
    }

    /// Sends something that concerns a direct connection.
    pub fn signal(&mut self, peer: PeerId, message: &[u8]) {
        self.push(peer, Lane::Signal, message);
    }

    fn push(&mut self, peer: PeerId, lane: Lane, message: &[u8]) {
        let id = peer as usize;
        if self.peers.get(id).is_none_or(|peer| peer.incoming.id == 0) || message.len() > MAX_MESSAGE {
            return;
        }
        if self.peers[id].out.push(lane, message).is_err() {
            let fresh = self.number();
            self.peers[id].out = Outgoing::new(fresh);
            if self.peers[id].up {
                let resume = self.peers[id].resume();
                self.transmit(id, &resume);
            }
        }
        if self.peers[id].up {
            self.flush(id);
        }
    }

    /// What was sealed by a peer and opened here. For those who look for nonsense that does harm: who has the right keys can
    /// say anything.
    #[doc(hidden)]
    pub fn opened(&mut self, peer: PeerId, plain: &[u8]) {
        if (peer as usize) < self.peers.len() {
            self.packet(peer as usize, plain);
        }
    }

    /// Whether a peer can be reached has perhaps changed.
    fn check(&mut self, id: usize) {
        let peer = &mut self.peers[id];
        let reachable = peer.direct || peer.member.is_some();
        if peer.up && !reachable {
            peer.up = false;
            self.outputs.push_back(Output::Down(id as PeerId));
        }
    }

    fn open(&mut self, id: usize, packet: &[u8]) {
        let mut channels = self.peers[id].channels.iter_mut().rev();
        let channel = channels.find(|channel| channel.claims(packet));
        if let Some(plain) = channel.and_then(|channel| channel.open(packet)) {
            self.packet(id, &plain);
        }
    }

    fn packet(&mut self, id: usize, plain: &[u8]) {
        let now = self.now;
        let peer = &mut self.peers[id];
        match Packet::decode(plain) {
            Some(Packet::Resume { mine, yours, next }) => self.resumed(id, mine, yours, next),
            Some(Packet::Ack { stream, next }) if stream == peer.out.id => {
                peer.out.acknowledged(next, now);
                self.flush(id);
            }
            Some(Packet::Data { stream, seq, ack, piece }) if stream == peer.incoming.id => {
                peer.out.acknowledged(ack, now);
                let Ok(messages) = peer.incoming.take(seq, piece) else {
                    // Nobody honest sends this. The stream stays where it is, and nothing more comes by it.
                    peer.incoming = Incoming::default();
                    return;
                };
                for (lane, message) in messages {
                    let peer = id as PeerId;
                    self.outputs.push_back(match lane {
                        Lane::Game => Output::Message(peer, message),
                        Lane::Signal => Output::Signal(peer, message),
                    });
                }
                if self.peers[id].incoming.wants_ack() {
                    self.acknowledge(id);
                }
                self.flush(id);
            }
            _ => {}
        }
    }

    /// The other side says where the streams stand.
    fn resumed(&mut self, id: usize, mine: u32, yours: u32, next: u64) {
        let now = self.now;
        let fresh_number = self.number();
        let peer = &mut self.peers[id];
        let mut fresh = false;
        if peer.incoming.id != mine {
            fresh = true;
            peer.incoming = Incoming::new(mine);
        }
        if yours == peer.out.id {
            peer.out.acknowledged(next, now);
            peer.out.again(now);
        } else if peer.out.has_begun() {
            // It lacks what we no longer have: everything is said anew, by whoever uses this.
            fresh = true;
            peer.out = Outgoing::new(fresh_number);
            let resume = peer.resume();
            self.transmit(id, &resume);
        } else {
            peer.out.again(now);
        }
        let peer = &mut self.peers[id];
        if !peer.up || fresh {
            peer.up = true;
            let identity = peer.identity;
            self.outputs.push_back(Output::Up { peer: id as PeerId, identity, fresh });
        }
        self.flush(id);
    }

    /// Sends what may be sent.
    fn flush(&mut self, id: usize) {
        let now = self.now;
        loop {
            let peer = &mut self.peers[id];
            let Some(packet) = peer.out.next(peer.incoming.next, now) else { break };
            peer.incoming.unacknowledged = 0;
            self.transmit(id, &packet);
        }
    }

    fn acknowledge(&mut self, id: usize) {
        let incoming = &mut self.peers[id].incoming;
        incoming.unacknowledged = 0;
        let packet = Packet::Ack { stream: incoming.id, next: incoming.next };
        self.transmit(id, &packet);
    }

    fn transmit(&mut self, id: usize, packet: &Packet) {
        let peer = &mut self.peers[id];
        let Some(channel) = peer.channels.back_mut() else { return };
        let sealed = channel.seal(&packet.encode());
        match (peer.direct, peer.member) {
            (true, _) => self.outputs.push_back(Output::Direct(id as PeerId, sealed)),
            (false, Some(member)) => self.relay(To::One(member), SEALED, &sealed),
            (false, None) => {}
        }
    }
}

impl Peer {
    fn resume(&self) -> Packet {
        Packet::Resume { mine: self.out.id, yours: self.incoming.id, next: self.incoming.next }
    }
}
