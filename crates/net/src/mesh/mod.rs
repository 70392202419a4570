//! All peers of a table: which are reachable, by which path, and their messages. It has no sockets, clocks or threads, so
//! the same code runs natively, in browsers and in tests.
//!
//! The driver of a [`Mesh`] passes on the frames of the relay ([`Mesh::handle_relay_frame`]) and the packets of direct
//! connections ([`Mesh::handle_direct_packet`]), tells it the time ([`Mesh::tick`]), and carries out what [`Mesh::poll`]
//! returns.

mod mailbox;
mod output;
mod packet;
mod room;
mod stream;
#[cfg(test)]
mod tests;

pub use output::{Footprint, MeshAction, MeshOutput, PeerPath};
pub use stream::MAX_MESSAGE;

use crate::event::NetEvent;
use crate::invite::{InviteKey, TableId};
use crate::secure::{Channel, Credentials};
use crate::wire::{Destination, Member};
use mailbox::MailState;
use packet::{Lane, Packet};
use pentarchy_keys::Drbg;
use pentarchy_keys::SigningSecret;
use room::{Hold, Visitor};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use stream::{Incoming, Outgoing};
use zeroize::Zeroizing;

/// The number of an authenticated peer. Numbers count up from 0 and are never reused while the process runs.
pub type PeerId = u32;

/// The public identity of a player, bot or spectator: an Ed25519 public key.
pub type PublicIdentity = [u8; 32];

/// The first byte of a payload: a handshake message, or a sealed packet. Version 1 used 0 and 1; packets of the mailbox have 4.
const HANDSHAKE: u8 = 2;
const SEALED: u8 = 3;

struct Peer {
    id: PeerId,
    identity: PublicIdentity,
    /// Encrypted channels, the newest last.
    channels: VecDeque<Channel>,
    /// The member of the relay room through which the peer is reached.
    member: Option<Member>,
    /// Whether a direct connection is open.
    direct: bool,
    /// Whether the user was told that the peer is reachable.
    up: bool,
    /// The value of [`Mesh::authentications`] when it was last authenticated.
    authenticated: u64,
    out: Outgoing,
    incoming: Incoming,
}

/// This peer's connections to all peers of a table.
pub struct Mesh {
    own: Credentials,
    random: Drbg,
    /// Whether the connection to the relay is open.
    connected: bool,
    /// How long this peer still hides its identity from the room.
    hold: Hold,
    /// Whether another device with the same identity was in the room first.
    is_duplicate: bool,
    /// The handshake state of members of the room.
    visitors: BTreeMap<Member, Visitor>,
    /// Identities whose peers are never evicted: the players of the match.
    reserved: BTreeSet<PublicIdentity>,
    /// Authenticated peers, unordered. Private functions take the index (`slot`), public ones the [`PeerId`].
    peers: Vec<Peer>,
    next_id: PeerId,
    /// The number of authentications so far.
    authentications: u64,
    outputs: VecDeque<MeshOutput>,
    /// The mailbox of the table at the relay.
    mail: MailState,
    /// Whether bulk messages have to wait.
    busy: bool,
    now: u64,
}

impl Mesh {
    /// Creates a mesh for a table without peers and without a connection. `key` is the key of the invitation.
    /// `identity` signs a fresh Noise static key here, by which this peer proves itself in handshakes, and is
    /// not kept. `seed` must be 32 fresh bytes from the operating system, since all randomness comes from it.
    /// The time starts at 0.
    pub fn new(table: TableId, key: &InviteKey, identity: &SigningSecret, seed: [u8; 32]) -> Self {
        let mut random = Drbg::new(&*Zeroizing::new(seed), "mesh");
        let mut secret = Zeroizing::new([0; 32]);
        random.fill(&mut *secret);
        Self {
            own: Credentials::new(table, key, identity, secret),
            random,
            connected: false,
            hold: Hold::Over,
            is_duplicate: false,
            visitors: BTreeMap::new(),
            reserved: BTreeSet::new(),
            peers: Vec::new(),
            next_id: 0,
            authentications: 0,
            outputs: VecDeque::new(),
            mail: MailState::new(&table, key),
            busy: false,
            now: 0,
        }
    }

    /// Reserves places for the players of the match, in place of those of earlier calls. A mesh keeps at most
    /// 256 peers and evicts some for new ones: the peers of these identities are never evicted, and for one
    /// of them even a reachable other peer may be. Connects to nobody.
    pub fn reserve(&mut self, players: impl IntoIterator<Item = PublicIdentity>) {
        self.reserved = players.into_iter().collect();
    }

    /// Removes and returns the next output; `None` if there is none. Call it after every other method until
    /// it returns `None`.
    pub fn poll(&mut self) -> Option<MeshOutput> {
        self.outputs.pop_front()
    }

    /// Returns the identity of a peer; `None` if there was no such peer or it was evicted. The peer need not
    /// be reachable.
    pub fn identity_of(&self, peer: PeerId) -> Option<&PublicIdentity> {
        self.slot(peer).map(|slot| &self.peers[slot].identity)
    }

    /// Returns the index of a peer in `peers`; `None` if it is not known. The index changes when a peer is
    /// evicted.
    fn slot(&self, peer: PeerId) -> Option<usize> {
        self.peers.iter().position(|other| other.id == peer)
    }

    /// Returns the index of a peer in `peers`; `None` if it is not known, or after
    /// [`NetEvent::IdentityInUse`], when this mesh neither sends nor receives.
    fn active_slot(&self, peer: PeerId) -> Option<usize> {
        self.slot(peer).filter(|_| !self.is_duplicate)
    }

    /// Iterates over the peers that are reachable now, in no particular order.
    pub fn reachable_peers(&self) -> impl Iterator<Item = PeerId> + '_ {
        self.peers.iter().filter(|peer| peer.up).map(|peer| peer.id)
    }

    /// Returns the memory use: the numbers of peers and visitors, and the bytes of messages that wait. For
    /// tests that it is bounded.
    #[doc(hidden)]
    pub fn footprint(&self) -> Footprint {
        Footprint {
            peers: self.peers.len(),
            visitors: self.visitors.len(),
            bytes: self
                .peers
                .iter()
                .map(|peer| peer.out.waiting_bytes() + peer.incoming.waiting_bytes())
                .sum::<usize>()
                + self.mail.waiting_bytes(),
        }
    }

    /// Returns the path by which a peer is reached; `None` if it is unknown or not reachable.
    pub fn path_to(&self, peer: PeerId) -> Option<PeerPath> {
        let peer = self.slot(peer).map(|slot| &self.peers[slot]).filter(|peer| peer.up)?;
        Some(if peer.direct { PeerPath::Direct } else { PeerPath::Relay })
    }

    /// Draws a random number other than 0, for the jitter of retry delays.
    pub fn draw_jitter(&mut self) -> u32 {
        self.draw_number()
    }

    /// Draws a random number other than 0, for a handshake or a stream.
    fn draw_number(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.random.fill(&mut bytes);
        // 0 means that there is no stream.
        u32::from_le_bytes(bytes).max(1)
    }

    /// Sets the current time in milliseconds, which must not go back, and does what is due: introductions,
    /// retries of handshakes, posts and fetches without an answer, and for each reachable peer
    /// retransmissions, queued pieces and acknowledgements. A retransmission also sends the state of the
    /// streams again. A direct path on which an acknowledgement is overdue is given up: if the relay reaches
    /// the peer, it takes over and `PathChanged` is reported, otherwise the peer is reported as down. Call it
    /// about ten times a second. A mesh that has reported [`NetEvent::IdentityInUse`] only sets the time.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        if self.is_duplicate {
            return;
        }
        self.hold = self.hold.at(now);
        self.send_introductions();
        self.retry_handshakes();
        self.tick_mail();
        for slot in 0..self.peers.len() {
            let peer = &mut self.peers[slot];
            if !peer.up {
                continue;
            }
            if peer.out.is_ack_overdue(now) {
                // Give up a direct connection that loses packets.
                if std::mem::take(&mut peer.direct) && peer.member.is_some() {
                    let event = NetEvent::PathChanged(peer.id, PeerPath::Relay);
                    self.outputs.push_back(MeshOutput::Event(event));
                }
                self.peers[slot].out.retransmit(now);
                self.update_reachability(slot);
                // The relay may have dropped or delayed the packet that named the stream. Without it the peer accepts
                // no data.
                let resume = self.peers[slot].resume_packet();
                self.transmit(slot, &resume);
            }
            self.flush(slot);
            if self.peers[slot].incoming.is_ack_due_at(now) {
                self.acknowledge(slot);
            }
        }
    }

    /// Queues an action for the driver.
    fn queue_action(&mut self, action: MeshAction) {
        self.outputs.push_back(MeshOutput::Action(action));
    }

    /// Queues an event for the user of the transport.
    fn emit(&mut self, event: NetEvent) {
        self.outputs.push_back(MeshOutput::Event(event));
    }

    /// Queues a frame for the relay: a payload of this kind (`HANDSHAKE` or `SEALED`) to this destination.
    fn send_to_relay(&mut self, to: Destination, kind: u8, packet: &[u8]) {
        let mut payload = Vec::with_capacity(packet.len() + 1);
        payload.push(kind);
        payload.extend_from_slice(packet);
        self.queue_action(MeshAction::SendToRelay(to.to_frame(&payload)));
    }

    // --- direct connections

    /// Handles that a direct connection to a peer has opened: packets to the peer use it from now on, and
    /// `PathChanged` is reported. A peer that is down stays down until a packet with the state of its streams
    /// arrives. Ignores peers that are unknown, not authenticated or already on a direct path, and all peers
    /// after [`NetEvent::IdentityInUse`].
    pub fn handle_direct_up(&mut self, peer: PeerId) {
        let slot = self.active_slot(peer).filter(|&slot| !self.peers[slot].channels.is_empty());
        if let Some(slot) = slot.filter(|&slot| !self.peers[slot].direct) {
            self.peers[slot].direct = true;
            self.emit(NetEvent::PathChanged(peer, PeerPath::Direct));
            self.update_reachability(slot);
        }
    }

    /// Handles that a direct connection has closed. If the relay reaches the peer, it takes over,
    /// unacknowledged data is retransmitted and `PathChanged` is reported; otherwise the peer is reported as
    /// down. Ignores peers that are not on a direct path. After [`NetEvent::IdentityInUse`] nothing is
    /// retransmitted and no `PathChanged` is reported.
    pub fn handle_direct_down(&mut self, peer: PeerId) {
        if let Some(slot) = self.slot(peer).filter(|&slot| self.peers[slot].direct) {
            self.peers[slot].direct = false;
            if self.peers[slot].member.is_some() && !self.is_duplicate {
                self.emit(NetEvent::PathChanged(peer, PeerPath::Relay));
                self.peers[slot].out.retransmit(self.now);
                self.flush(slot);
            }
            self.update_reachability(slot);
        }
    }

    /// Handles a sealed packet that arrived over the direct connection to a peer: decrypts it, continues the
    /// streams with it, and emits the messages that it completes. Packets that do not decrypt, those of
    /// unknown peers, and all packets after [`NetEvent::IdentityInUse`] are ignored.
    pub fn handle_direct_packet(&mut self, peer: PeerId, packet: &[u8]) {
        if let Some(slot) = self.active_slot(peer) {
            self.open_packet(slot, packet);
        }
    }

    // --- messages

    /// Sends a message to a peer, or queues it while the peer is not reachable. Silently dropped are messages
    /// that are longer than [`MAX_MESSAGE`], those to a peer that is unknown or has not been up yet, and all
    /// messages after [`NetEvent::IdentityInUse`]. If the queue of 8 MB overflows, the whole queue and this
    /// message are dropped and a new stream begins; the peer sees this as a `fresh` [`NetEvent::PeerUp`] and
    /// must ask for what it lacks.
    pub fn send(&mut self, peer: PeerId, message: &[u8]) {
        self.queue_message(peer, Lane::Game, message);
    }

    /// Sends a message with lower priority than all others, or queues it while the peer is not reachable: the
    /// answer to a peer that lags behind. It waits until nothing else does and the connection is not busy
    /// ([`Mesh::set_busy`]). Silently drops messages longer than [`MAX_MESSAGE`], those to a peer that is
    /// unknown or has not been up yet, and all after [`NetEvent::IdentityInUse`]. If the queue of 8 MB to the
    /// peer overflows, the whole queue and this message are dropped and a new stream begins; the peer sees
    /// this as a `fresh` [`NetEvent::PeerUp`].
    pub fn send_bulk(&mut self, peer: PeerId, message: &[u8]) {
        self.queue_message(peer, Lane::Bulk, message);
    }

    /// Sets whether the connection has a backlog, until the next call. While it has, bulk messages wait.
    pub fn set_busy(&mut self, busy: bool) {
        self.busy = busy;
    }

    /// Sends a signalling message for a direct connection, in order with the messages of [`Mesh::send`], or
    /// queues it while the peer is not reachable. The other side gets it as [`MeshAction::HandleSignal`].
    /// Silently drops messages longer than [`MAX_MESSAGE`], those to a peer that is unknown or has not been
    /// up yet, and all after [`NetEvent::IdentityInUse`]. If the queue of 8 MB to the peer overflows, the
    /// whole queue and this message are dropped and a new stream begins; the peer sees this as a `fresh`
    /// [`NetEvent::PeerUp`].
    pub fn send_signal(&mut self, peer: PeerId, message: &[u8]) {
        self.queue_message(peer, Lane::Signal, message);
    }

    /// Queues a message on the stream to a peer and, if the peer is reachable, sends what fits. Drops
    /// messages to peers whose stream is not known yet, messages over the maximum length, and all messages
    /// after [`NetEvent::IdentityInUse`]. If the queue is full, drops it with this message, starts a new
    /// stream, and sends its state to a reachable peer.
    fn queue_message(&mut self, peer: PeerId, lane: Lane, message: &[u8]) {
        let slot = self.active_slot(peer).filter(|&slot| self.peers[slot].incoming.id != 0);
        let Some(slot) = slot.filter(|_| message.len() <= MAX_MESSAGE) else { return };
        if self.peers[slot].out.push(lane, message).is_err() {
            let stream = self.draw_number();
            self.peers[slot].out = Outgoing::new(stream);
            if self.peers[slot].up {
                let resume = self.peers[slot].resume_packet();
                self.transmit(slot, &resume);
            }
        }
        if self.peers[slot].up {
            self.flush(slot);
        }
    }

    /// Handles a packet as if `peer` had sent it sealed and it had decrypted to `plain`: fuzzing entry point.
    /// Ignores unknown peers.
    #[doc(hidden)]
    pub fn inject_packet(&mut self, peer: PeerId, plain: &[u8]) {
        if let Some(slot) = self.slot(peer) {
            self.handle_packet(slot, plain);
        }
    }

    /// Marks the peer at index `slot` as down and reports it, if no path leads to it any more. Never marks a
    /// peer as up.
    fn update_reachability(&mut self, slot: usize) {
        let peer = &mut self.peers[slot];
        let reachable = peer.direct || peer.member.is_some();
        if peer.up && !reachable {
            peer.up = false;
            let event = NetEvent::PeerDown(peer.id);
            self.emit(event);
        }
    }

    /// Marks the peer at index `slot` as up, and reports it unless it was up before and `fresh` is false.
    /// `fresh` says that messages were lost.
    fn report_reachable(&mut self, slot: usize, fresh: bool) {
        let peer = &mut self.peers[slot];
        if !peer.up || fresh {
            peer.up = true;
            let event = NetEvent::PeerUp { peer: peer.id, identity: peer.identity, fresh };
            self.emit(event);
        }
    }

    /// Decrypts a packet with the newest channel of the peer at index `slot` whose tag it carries, and marks
    /// its number as received. Returns `None` if no channel has the tag, or the packet was changed, replayed
    /// or is too old ([`Channel::open`]).
    fn decrypt(&mut self, slot: usize, packet: &[u8]) -> Option<Vec<u8>> {
        let mut channels = self.peers[slot].channels.iter_mut().rev();
        channels.find(|channel| channel.has_tag_of(packet))?.open(packet)
    }

    /// Decrypts a sealed packet of the peer at index `slot` and handles it. Ignores packets that do not
    /// decrypt.
    fn open_packet(&mut self, slot: usize, packet: &[u8]) {
        if let Some(plain) = self.decrypt(slot, packet) {
            self.handle_packet(slot, &plain);
        }
    }

    /// Handles a decrypted packet of the peer at index `slot`: the state of streams, an acknowledgement, or
    /// data. Complete messages are emitted, and those of the signalling lane become actions. Then it sends an
    /// acknowledgement if one is due, and what the send window allows. Ignores malformed packets and those of
    /// other streams. After a message or piece over the maximum length, incoming data and new messages to the
    /// peer are dropped until the peer sends the state of its streams again.
    fn handle_packet(&mut self, slot: usize, plain: &[u8]) {
        let now = self.now;
        let peer = &mut self.peers[slot];
        match Packet::decode(plain) {
            Some(Packet::Resume { mine, yours, next }) => self.handle_resume(slot, mine, yours, next),
            Some(Packet::Ack { stream, next }) if stream == peer.out.id => {
                peer.out.acknowledge(next, now);
                self.flush(slot);
            }
            Some(Packet::Data { stream, seq, piece }) if stream == peer.incoming.id => {
                let Ok(messages) = peer.incoming.receive(seq, piece) else {
                    // No honest peer sends this. Nothing more is accepted on the stream.
                    peer.incoming = Incoming::default();
                    return;
                };
                for (lane, message) in messages {
                    let peer = self.peers[slot].id;
                    match lane {
                        Lane::Game | Lane::Bulk => self.emit(NetEvent::Message(peer, message)),
                        Lane::Signal => self.queue_action(MeshAction::HandleSignal(peer, message)),
                    }
                }
                if self.peers[slot].incoming.is_ack_due() {
                    self.acknowledge(slot);
                }
                self.flush(slot);
            }
            _ => {}
        }
    }

    /// Handles the state of the streams at the peer at index `slot`, from [`Packet::Resume`]: the peer sends
    /// on stream `mine`, and expects piece `next` of stream `yours`. If `mine` is new, the incoming stream
    /// starts again. The outgoing stream sends the pieces again that the peer lacks; if some of them are no
    /// longer kept, its queue is dropped and a new one starts. If one of the two is new, sends this side's
    /// state and reports the peer as up with `fresh`; otherwise reports it as up if it was down. Then sends
    /// what the send window allows.
    fn handle_resume(&mut self, slot: usize, mine: u32, yours: u32, next: u64) {
        let now = self.now;
        let new_stream = self.draw_number();
        let peer = &mut self.peers[slot];
        let renewed = peer.incoming.id != mine;
        let mut fresh = renewed;
        if renewed {
            peer.incoming = Incoming::new(mine);
        }
        if yours == peer.out.id && peer.out.can_resume_at(next) {
            peer.out.acknowledge(next, now);
            peer.out.retransmit(now);
        } else if peer.out.has_dropped_pieces() {
            // The peer lacks pieces that are no longer kept: the user has to send its state again.
            fresh = true;
            peer.out = Outgoing::new(new_stream);
        } else {
            peer.out.retransmit(now);
        }
        if renewed || peer.out.id == new_stream {
            // Name the stream that this side expects, and the next piece of it.
            let resume = peer.resume_packet();
            self.transmit(slot, &resume);
        }
        self.report_reachable(slot, fresh);
        self.flush(slot);
    }

    /// Sends packets to the peer at index `slot` until its queue is empty or the send window is full. Bulk
    /// messages stay in the queue while the connection is busy.
    fn flush(&mut self, slot: usize) {
        let now = self.now;
        while let Some(packet) = self.peers[slot].out.next_packet(now, self.busy) {
            self.transmit(slot, &packet);
        }
    }

    /// Sends an acknowledgement of everything received from the peer at index `slot`, and resets the count of
    /// unacknowledged pieces.
    fn acknowledge(&mut self, slot: usize) {
        let incoming = &mut self.peers[slot].incoming;
        incoming.unacknowledged = 0;
        let packet = Packet::Ack { stream: incoming.id, next: incoming.next };
        self.transmit(slot, &packet);
    }

    /// Seals a packet with the newest channel of the peer at index `slot` and sends it by the direct path if
    /// there is one, otherwise through the relay. Does nothing without a channel or a path.
    fn transmit(&mut self, slot: usize, packet: &Packet) {
        let peer = &mut self.peers[slot];
        if !peer.direct {
            return self.transmit_by_relay(slot, packet);
        }
        let Some(channel) = peer.channels.back_mut() else { return };
        let sealed = channel.seal(&packet.encode());
        let action = MeshAction::SendDirect(peer.id, sealed);
        self.queue_action(action);
    }

    /// Seals a packet with the newest channel of the peer at index `slot` and sends it to the peer's member
    /// through the relay. Does nothing if there is no channel or member.
    fn transmit_by_relay(&mut self, slot: usize, packet: &Packet) {
        let peer = &mut self.peers[slot];
        let Some((channel, member)) = peer.channels.back_mut().zip(peer.member) else { return };
        let sealed = channel.seal(&packet.encode());
        self.send_to_relay(Destination::One(member), SEALED, &sealed);
    }
}

impl Peer {
    /// Creates a peer that has no channel and is not reachable yet. `id` is its new number, `stream` that of
    /// the outgoing stream.
    fn new(id: PeerId, identity: PublicIdentity, stream: u32) -> Self {
        Self {
            id,
            identity,
            channels: VecDeque::new(),
            member: None,
            direct: false,
            up: false,
            authenticated: 0,
            out: Outgoing::new(stream),
            incoming: Incoming::default(),
        }
    }

    /// Returns the packet that tells the peer the state of the streams at this side.
    fn resume_packet(&self) -> Packet {
        Packet::Resume { mine: self.out.id, yours: self.incoming.id, next: self.incoming.next }
    }
}
