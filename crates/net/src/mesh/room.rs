//! The members of the relay room: handshakes with members that are not authenticated yet, and their peers afterwards.
//!
//! Two members make one handshake; the one that joined later initiates it. Until it is complete, a member costs one
//! [`Visitor`] and nothing else, and a budget limits the handshakes that it can make this peer compute. So strangers can
//! neither exhaust the memory of a peer nor block its other peers.
//!
//! A peer that enters the room learns the identities of the other members before it shows its own. If one of them is its
//! own, another device of the same player is at the table: the newcomer stops, and no other peer has seen its identity.

use super::{HANDSHAKE, Mesh, Peer, PublicIdentity, SEALED};
use crate::event::NetEvent;
use crate::secure::{Channel, Confirmed, Handshake};
use crate::wire::{Destination, Member, RelayFrame};
use zeroize::Zeroizing;

/// Maximum number of authenticated peers.
const MAX_PEERS: usize = 256;
/// Maximum number of members with a handshake state. An honest relay has fewer members in a room.
const MAX_VISITORS: usize = 64;
/// Channels that are kept per peer. Packets in flight may still use an old one.
const MAX_CHANNELS: usize = 3;
/// The handshake budget of a member: how many it may start at once.
const BURST: u32 = 8;
/// Milliseconds after which a member's budget grows by one.
const REFILL: u64 = 1_000;
/// Milliseconds until the first retry of a handshake without an answer, and the maximum for later ones.
const RETRY: (u64, u64) = (2_000, 30_000);

/// Milliseconds for which a peer that enters the room hides its identity, so that another device with it can answer.
const HOLD: u64 = 1_500;

/// The messages of a handshake.
const FIRST: u8 = 1;
const SECOND: u8 = 2;
const THIRD: u8 = 3;

/// The time for which a peer that has entered the room still hides its identity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// The peer has entered. The time starts with the next tick, because the clock may have stood still before.
    Entered,
    /// The peer hides its identity since this time.
    Since(u64),
    /// The peer shows its identity.
    Over,
}

impl Hold {
    /// Returns the state at time `now` in milliseconds: `Entered` becomes `Since(now)`, a hold that has
    /// lasted [`HOLD`] milliseconds becomes `Over`, and every other state stays.
    pub(super) fn at(self, now: u64) -> Self {
        match self {
            Hold::Entered => Hold::Since(now),
            Hold::Since(then) if now.saturating_sub(then) >= HOLD => Hold::Over,
            other => other,
        }
    }
}

/// The handshake state of a member of the room.
pub(super) struct Visitor {
    /// Handshakes that the member may start, as of `refilled`.
    budget: u32,
    refilled: u64,
    /// When the member last started or answered a handshake.
    active: u64,
    /// The handshake that this peer has initiated, with its number.
    initiated: Option<(u32, Handshake)>,
    /// The handshake that the member has initiated, with its number.
    answered: Option<(u32, Handshake)>,
    /// The result of a handshake that this peer has initiated. The member is authenticated by its first packet.
    opening: Option<(PublicIdentity, Channel)>,
    /// The third message of that handshake, with its number, until it is sent.
    introduction: Option<(u32, Vec<u8>)>,
    /// The identity of the member, once it is authenticated.
    identity: Option<PublicIdentity>,
    /// When this peer retries the handshake, and the delay that led to it.
    retry: Option<(u64, u64)>,
}

impl Visitor {
    /// Creates a visitor without a handshake, with a full handshake budget at time `now` in milliseconds.
    fn new(now: u64) -> Self {
        Self {
            budget: BURST,
            refilled: now,
            active: now,
            initiated: None,
            answered: None,
            opening: None,
            introduction: None,
            identity: None,
            retry: None,
        }
    }

    /// Takes one handshake from the budget at time `now` in milliseconds; the budget grows by one every
    /// [`REFILL`] milliseconds up to [`BURST`]. Returns `false` if it is empty: then the handshake must not
    /// be answered.
    fn spend(&mut self, now: u64) -> bool {
        let earned = now.saturating_sub(self.refilled) / REFILL;
        if earned > 0 {
            self.budget = self.budget.saturating_add(earned.min(u64::from(BURST)) as u32).min(BURST);
            self.refilled = now;
        }
        let allowed = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        allowed
    }
}

impl Mesh {
    /// Handles a frame of the relay. Malformed frames are ignored: the relay is not trusted. A mesh that has
    /// reported [`NetEvent::IdentityInUse`] ignores everything.
    ///
    /// A welcome opens the connection: it replaces all handshakes by new ones with the first 64 other
    /// members, in which this peer hides its identity for a while, and sends the fetch and the posts that
    /// wait. A member that joined is ignored, because it initiates the handshake. A member that left is
    /// unbound from its peer, which is reported as down if it has no direct path.
    ///
    /// A message of a member is a part of a handshake or a sealed packet of a peer. It and mail are ignored
    /// before the first welcome and after the end of the connection.
    pub fn handle_relay_frame(&mut self, frame: &[u8]) {
        if self.is_duplicate {
            return;
        }
        match RelayFrame::parse(frame) {
            Some(RelayFrame::Welcome { others, .. }) => {
                self.connected = true;
                self.visitors.clear();
                self.hold = Hold::Entered;
                for member in others.into_iter().take(MAX_VISITORS) {
                    self.initiate_handshake(member, RETRY.0);
                }
                self.restart_mail();
            }
            Some(RelayFrame::Joined(_)) | None => {}
            Some(RelayFrame::Left(member)) => {
                let gone = self.visitors.remove(&member).and_then(|visitor| visitor.identity);
                self.detach_member(member);
                self.send_introductions();
                self.retry_other_device(gone);
            }
            Some(_) if !self.connected => {}
            Some(RelayFrame::Message { from, payload }) => match payload.split_first() {
                Some((&HANDSHAKE, message)) => self.handle_handshake(from, message),
                Some((&SEALED, packet)) => self.handle_sealed(from, packet),
                _ => {}
            },
            Some(RelayFrame::Mail { at, sealed }) => self.handle_mail(at, sealed),
            Some(RelayFrame::Stored { at, id }) => self.handle_stored(at, id),
            Some(RelayFrame::MailEnd(at)) => self.handle_mail_end(at),
            Some(RelayFrame::MailRefused { id, why }) => self.handle_mail_refused(id, why),
        }
    }

    /// Handles the end of the connection to the relay: forgets all members, and reports peers without a
    /// direct path as down. Their streams are kept and continue after the next welcome; posts and the fetch
    /// of mail wait for it, too.
    pub fn handle_relay_down(&mut self) {
        self.connected = false;
        self.visitors.clear();
        self.suspend_mail();
        for slot in 0..self.peers.len() {
            self.peers[slot].member = None;
            self.update_reachability(slot);
        }
    }

    /// Initiates again, as new handshakes, those whose retry is due, and doubles the delay of each up to 30
    /// seconds. Retries end when the member is authenticated or leaves.
    pub(super) fn retry_handshakes(&mut self) {
        let now = self.now;
        let retries = self.visitors.iter().filter_map(|(member, visitor)| Some((*member, visitor.retry?)));
        let due: Vec<(Member, (u64, u64))> = retries.filter(|(_, (at, _))| *at <= now).collect();
        for (member, (_, wait)) in due {
            self.initiate_handshake(member, (2 * wait).min(RETRY.1));
        }
    }

    /// Draws 32 bytes for a handshake from this mesh's generator. They are wiped when dropped.
    fn draw_seed(&mut self) -> Zeroizing<[u8; 32]> {
        let mut seed = Zeroizing::new([0; 32]);
        self.random.fill(&mut *seed);
        seed
    }

    /// Returns the handshake state of a member, which is created if it is new, and marks it as active now. If
    /// there are [`MAX_VISITORS`] others, the one that was inactive for longest is evicted.
    fn visitor_mut(&mut self, member: Member) -> &mut Visitor {
        if self.visitors.len() >= MAX_VISITORS && !self.visitors.contains_key(&member) {
            let oldest =
                self.visitors.iter().min_by_key(|(_, visitor)| visitor.active).map(|(member, _)| *member);
            oldest.map(|member| self.visitors.remove(&member));
        }
        let now = self.now;
        let visitor = self.visitors.entry(member).or_insert_with(|| Visitor::new(now));
        visitor.active = now;
        visitor
    }

    /// Initiates a handshake with a member, in place of one of this peer in progress: sends the first message
    /// with a new number, and schedules a retry after `wait` milliseconds. May evict another member's
    /// handshakes. Does nothing if the Noise library rejects a parameter.
    fn initiate_handshake(&mut self, member: Member, wait: u64) {
        let (seed, number, now) = (self.draw_seed(), self.draw_number(), self.now);
        let Some((handshake, first)) = Handshake::initiate(&self.own, seed) else { return };
        let visitor = self.visitor_mut(member);
        (visitor.initiated, visitor.opening) = (Some((number, handshake)), None);
        visitor.introduction = None;
        visitor.retry = Some((now + wait, wait));
        self.send_handshake(member, FIRST, number, &first);
    }

    /// Sends a handshake message to a member. `step` is `FIRST`, `SECOND` or `THIRD`; `number` is the
    /// initiator's number of the handshake.
    fn send_handshake(&mut self, to: Member, step: u8, number: u32, message: &[u8]) {
        let bytes = [&[step][..], &number.to_le_bytes(), message].concat();
        self.send_to_relay(Destination::One(to), HANDSHAKE, &bytes);
    }

    /// Handles a handshake message of a member: a byte for the step, the number of the handshake, then the
    /// message. Ignores malformed messages and unknown steps.
    fn handle_handshake(&mut self, from: Member, bytes: &[u8]) {
        let Some((&step, rest)) = bytes.split_first() else { return };
        let Some((number, message)) = rest.split_first_chunk() else { return };
        let number = u32::from_le_bytes(*number);
        match step {
            FIRST => self.handle_first(from, number, message),
            SECOND => self.handle_second(from, number, message),
            THIRD => self.handle_third(from, number, message),
            _ => {}
        }
    }

    /// Handles a first message of handshake `number` as responder: answers with the second, which shows this
    /// peer's identity, and keeps the handshake in place of an earlier one of the member. Ignores it if the
    /// budget of the member is empty or the message is invalid; an invalid one still costs budget. May evict
    /// another member's handshakes.
    fn handle_first(&mut self, from: Member, number: u32, message: &[u8]) {
        let now = self.now;
        if !self.visitor_mut(from).spend(now) {
            return;
        }
        let seed = self.draw_seed();
        let Some((handshake, second)) = Handshake::respond(&self.own, seed, message) else { return };
        self.visitor_mut(from).answered = Some((number, handshake));
        self.send_handshake(from, SECOND, number, &second);
    }

    /// Handles a second message as initiator: keeps the responder's identity and channel until its first
    /// packet, and introduces itself once all members are known. If the identity is this peer's own, emits
    /// [`NetEvent::IdentityInUse`] and stops for good. An invalid message ends the handshake, and its retry
    /// starts another. Ignores messages of another handshake than `number`.
    fn handle_second(&mut self, from: Member, number: u32, message: &[u8]) {
        let Some(visitor) = self.visitors.get_mut(&from) else { return };
        let Some((_, handshake)) = visitor.initiated.take_if(|(own, _)| *own == number) else { return };
        let Some(confirmed) = handshake.confirm(&self.own, message) else { return };
        let Confirmed { identity, channel, third } = confirmed;
        if identity == *self.own.identity() {
            self.is_duplicate = true;
            return self.emit(NetEvent::IdentityInUse);
        }
        (visitor.opening, visitor.introduction) = (Some((identity, channel)), Some((number, third)));
        self.send_introductions();
    }

    /// Sends the third messages that wait, which show this peer's identity. Does nothing while the hold lasts
    /// and a handshake is unanswered, or after this identity was found in the room.
    pub(super) fn send_introductions(&mut self) {
        let waits =
            self.hold != Hold::Over && self.visitors.values().any(|visitor| visitor.initiated.is_some());
        if self.is_duplicate || waits {
            return;
        }
        let due = self.visitors.iter_mut().filter_map(|(member, visitor)| {
            let (number, third) = visitor.introduction.take()?;
            Some((*member, number, third))
        });
        let due: Vec<_> = due.collect();
        for (member, number, third) in due {
            self.send_handshake(member, THIRD, number, &third);
        }
    }

    /// Handles a third message as responder: authenticates the member. An invalid message, or one with this
    /// peer's own identity, ends the handshake. Ignores messages of another handshake than `number`.
    fn handle_third(&mut self, from: Member, number: u32, message: &[u8]) {
        let Some(visitor) = self.visitors.get_mut(&from) else { return };
        let Some((_, handshake)) = visitor.answered.take_if(|(theirs, _)| *theirs == number) else { return };
        let Some((identity, channel)) = handshake.accept(&self.own, message) else { return };
        if identity != *self.own.identity() {
            self.authenticate(from, identity, channel);
        }
    }

    /// Handles a sealed packet of a member. The first one on a channel that this peer has initiated
    /// authenticates the member; others go to the peer of the member. A packet of a member without a peer may
    /// bind it to its former peer again. Packets that do not decrypt are ignored.
    fn handle_sealed(&mut self, from: Member, packet: &[u8]) {
        let opening = self.visitors.get_mut(&from).map(|visitor| &mut visitor.opening);
        if let Some(opening) = opening
            && opening.as_ref().is_some_and(|(_, channel)| channel.has_tag_of(packet))
        {
            let Some(plain) = opening.as_mut().and_then(|(_, channel)| channel.open(packet)) else { return };
            let Some((identity, channel)) = opening.take() else { return };
            if let Some(slot) = self.authenticate(from, identity, channel) {
                self.handle_packet(slot, &plain);
            }
        } else if let Some(slot) = self.peers.iter().position(|peer| peer.member == Some(from)) {
            self.open_packet(slot, packet);
        } else {
            self.reattach_member(from, packet);
        }
    }

    /// Handles a sealed packet of a member that is bound to no peer. If a peer without a member has sealed
    /// it, the relay has falsely reported that the peer left: the member is bound to it again, and the
    /// streams continue. All other packets are ignored.
    fn reattach_member(&mut self, from: Member, packet: &[u8]) {
        let is_author = |peer: &Peer| {
            peer.member.is_none() && peer.channels.iter().any(|channel| channel.has_tag_of(packet))
        };
        let Some(slot) = self.peers.iter().position(is_author) else { return };
        let Some(plain) = self.decrypt(slot, packet) else { return };
        self.peers[slot].member = Some(from);
        // Before the first packet has named the stream, that packet reports the peer.
        if self.peers[slot].incoming.id != 0 {
            self.report_reachable(slot, false);
        }
        self.handle_packet(slot, &plain);
    }

    /// Binds an authenticated member to the peer with its identity, in place of the member to which that peer
    /// was bound, ends the member's handshakes, and sends it the state of the streams on the new channel. If
    /// the member was bound to another peer, that one loses it, and is reported as down if it has no other
    /// path. A new peer may evict another, so that indices of other peers change. Returns the index of the
    /// peer. Returns `None` if there is no place for it: nothing is bound or sent, but the handshakes are
    /// ended and the other peer has lost the member. The peer is reported as up only when its own state of
    /// the streams arrives.
    fn authenticate(&mut self, member: Member, identity: PublicIdentity, channel: Channel) -> Option<usize> {
        if let Some(visitor) = self.visitors.get_mut(&member) {
            (visitor.initiated, visitor.answered) = (None, None);
            (visitor.opening, visitor.retry) = (None, None);
            visitor.identity = Some(identity);
        }
        if self.peers.iter().any(|peer| peer.member == Some(member) && peer.identity != identity) {
            self.detach_member(member);
        }
        let slot = self.find_or_add_peer(identity)?;
        self.authentications += 1;
        let peer = &mut self.peers[slot];
        (peer.member, peer.authenticated) = (Some(member), self.authentications);
        peer.channels.push_back(channel);
        if peer.channels.len() > MAX_CHANNELS {
            peer.channels.pop_front();
        }
        let resume = self.peers[slot].resume_packet();
        self.transmit_by_relay(slot, &resume);
        Some(slot)
    }

    /// Initiates a handshake with another member that has identity `gone`, the identity of a member that
    /// left. That other member joined first and could not answer when its second device joined, for example
    /// because it slept. Does nothing for `None` or if there is no such member.
    fn retry_other_device(&mut self, gone: Option<PublicIdentity>) {
        let first =
            |(_, visitor): &(&Member, &Visitor)| visitor.identity.is_some() && visitor.identity == gone;
        if let Some(member) = self.visitors.iter().find(first).map(|(member, _)| *member) {
            self.initiate_handshake(member, RETRY.0);
        }
    }

    /// Unbinds a member from its peer, and reports the peer as down if no path is left. Does nothing if the
    /// member is bound to none.
    fn detach_member(&mut self, member: Member) {
        if let Some(slot) = self.peers.iter().position(|peer| peer.member == Some(member)) {
            self.peers[slot].member = None;
            self.update_reachability(slot);
        }
    }

    /// Returns the index of the peer with this identity, which is added if it is new. If there are
    /// [`MAX_PEERS`], the unreachable peer that was authenticated longest ago is evicted; in favour of a
    /// player of the match also a reachable one, which is reported as down. Players of the match are never
    /// evicted. Returns `None` if no peer can be evicted. Indices of other peers may change.
    fn find_or_add_peer(&mut self, identity: PublicIdentity) -> Option<usize> {
        if let Some(known) = self.peers.iter().position(|peer| peer.identity == identity) {
            return Some(known);
        }
        if self.peers.len() >= MAX_PEERS {
            let reserved = self.reserved.contains(&identity);
            let can_be_evicted =
                |peer: &Peer| !self.reserved.contains(&peer.identity) && (reserved || !peer.up);
            let candidates = self.peers.iter().enumerate().filter(|(_, peer)| can_be_evicted(peer));
            let (slot, _) = candidates.min_by_key(|(_, peer)| (peer.up, peer.authenticated))?;
            let evicted = self.peers.swap_remove(slot);
            if evicted.up {
                self.emit(NetEvent::PeerDown(evicted.id));
            }
        }
        let (id, stream) = (self.next_id, self.draw_number());
        self.next_id += 1;
        self.peers.push(Peer::new(id, identity, stream));
        Some(self.peers.len() - 1)
    }
}
