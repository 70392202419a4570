//! The members of the relay room: handshakes with those who are not authenticated yet, and peers once they are.
//!
//! Two members make one handshake: the one that came later initiates it. Until it is complete a member costs one
//! [`Visitor`] and nothing else, and its budget bounds how often it makes this peer compute. So strangers can neither
//! exhaust the memory of a peer nor keep it from hearing others.
//!
//! A peer that enters the room learns the identities of those who are there before it shows its own. If one of them is
//! its own, another device of the same player is at the table: the newcomer stops, and nobody else has noticed it.

use super::{HANDSHAKE, Identity, Mesh, Output, Peer, SEALED};
use crate::secure::{Channel, Handshake};
use crate::wire::{FromRelay, Member, To};
use zeroize::Zeroizing;

/// Upper bound on authenticated peers that are remembered.
const MAX_PEERS: usize = 256;
/// Upper bound on members with a handshake; an honest relay has fewer in a room.
const MAX_VISITORS: usize = 64;
/// Channels of one peer: an old one is still good for packets that are under way.
const MAX_CHANNELS: usize = 3;
/// Handshakes that a member may start at once.
const BURST: u32 = 8;
/// Milliseconds after which a member may start one more.
const REFILL: u64 = 1_000;
/// Milliseconds after which a handshake without an answer is started again, at first and at most.
const RETRY: (u64, u64) = (2_000, 30_000);

/// Milliseconds that a peer waits, when it enters the room, for a device with its own identity to answer.
const HOLD: u64 = 1_500;

const FIRST: u8 = 1;
const SECOND: u8 = 2;
const THIRD: u8 = 3;

/// How long a peer that has entered the room still waits before it shows its identity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// It has entered; the time runs from the next tick on, for the clock may have stood still before.
    Entered,
    /// It waits since this time.
    Since(u64),
    /// It waits no longer.
    Over,
}

impl Hold {
    /// What is left of it at this time.
    pub(super) fn at(self, now: u64) -> Self {
        match self {
            Hold::Entered => Hold::Since(now),
            Hold::Since(then) if now.saturating_sub(then) >= HOLD => Hold::Over,
            other => other,
        }
    }
}

/// A member of the room, as far as handshakes are concerned.
pub(super) struct Visitor {
    /// Handshakes that the member may start, as of `refilled`.
    budget: u32,
    refilled: u64,
    /// When the member last started or answered a handshake.
    active: u64,
    /// A handshake that this peer has started, with its number.
    initiated: Option<(u32, Handshake)>,
    /// A handshake that the member has started, with its number.
    answered: Option<(u32, Handshake)>,
    /// A handshake that this peer has completed: the member is authenticated by its first packet.
    opening: Option<(Identity, Channel)>,
    /// The last message of that handshake, with its number, while it is not sent yet.
    introduction: Option<(u32, Vec<u8>)>,
    /// Who the member is, once it is authenticated.
    identity: Option<Identity>,
    /// When this peer starts the handshake again, and how long it waits after that.
    retry: Option<(u64, u64)>,
}

impl Visitor {
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

    /// Takes one handshake from the budget, if there is one.
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
    /// Handles a frame of the relay. Malformed frames are ignored: the relay is not trusted.
    pub fn relay_frame(&mut self, frame: &[u8]) {
        if self.has_twin {
            return;
        }
        match FromRelay::read(frame) {
            Some(FromRelay::Welcome { others, .. }) => {
                self.connected = true;
                self.visitors.clear();
                self.hold = Hold::Entered;
                for member in others.into_iter().take(MAX_VISITORS) {
                    self.initiate(member, RETRY.0);
                }
            }
            Some(FromRelay::Joined(_)) | None => {}
            Some(FromRelay::Left(member)) => {
                let gone = self.visitors.remove(&member).and_then(|visitor| visitor.identity);
                self.unseat(member);
                self.introduce();
                self.return_to(gone);
            }
            Some(FromRelay::Message { .. }) if !self.connected => {}
            Some(FromRelay::Message { from, payload }) => match payload.split_first() {
                Some((&HANDSHAKE, message)) => self.handshake(from, message),
                Some((&SEALED, packet)) => self.sealed(from, packet),
                _ => {}
            },
        }
    }

    /// The connection to the relay is gone.
    pub fn relay_down(&mut self) {
        self.connected = false;
        self.visitors.clear();
        for slot in 0..self.peers.len() {
            self.peers[slot].member = None;
            self.check(slot);
        }
    }

    /// Starts handshakes again that were not answered.
    pub(super) fn retry_handshakes(&mut self) {
        let now = self.now;
        let retries = self.visitors.iter().filter_map(|(member, visitor)| Some((*member, visitor.retry?)));
        let due: Vec<(Member, (u64, u64))> = retries.filter(|(_, (at, _))| *at <= now).collect();
        for (member, (_, wait)) in due {
            self.initiate(member, (2 * wait).min(RETRY.1));
        }
    }

    fn seed(&mut self) -> Zeroizing<[u8; 32]> {
        let mut seed = Zeroizing::new([0; 32]);
        self.random.fill(&mut *seed);
        seed
    }

    /// The visitor behind a member. When there are too many, the one that was inactive for longest goes.
    fn visitor(&mut self, member: Member) -> &mut Visitor {
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

    fn initiate(&mut self, member: Member, wait: u64) {
        let (seed, number, now) = (self.seed(), self.number(), self.now);
        let Some((handshake, first)) = Handshake::initiate(&self.own, seed) else { return };
        let visitor = self.visitor(member);
        (visitor.initiated, visitor.opening) = (Some((number, handshake)), None);
        visitor.introduction = None;
        visitor.retry = Some((now + wait, wait));
        self.send_handshake(member, FIRST, number, &first);
    }

    fn send_handshake(&mut self, to: Member, step: u8, number: u32, message: &[u8]) {
        let bytes = [&[step][..], &number.to_le_bytes(), message].concat();
        self.relay(To::One(to), HANDSHAKE, &bytes);
    }

    fn handshake(&mut self, from: Member, bytes: &[u8]) {
        let Some((&step, rest)) = bytes.split_first() else { return };
        let Some((number, message)) = rest.split_first_chunk() else { return };
        let number = u32::from_le_bytes(*number);
        match step {
            FIRST => self.hear_first(from, number, message),
            SECOND => self.hear_second(from, number, message),
            THIRD => self.hear_third(from, number, message),
            _ => {}
        }
    }

    fn hear_first(&mut self, from: Member, number: u32, message: &[u8]) {
        let now = self.now;
        if !self.visitor(from).spend(now) {
            return;
        }
        let seed = self.seed();
        let Some((handshake, second)) = Handshake::respond(&self.own, seed, message) else { return };
        self.visitor(from).answered = Some((number, handshake));
        self.send_handshake(from, SECOND, number, &second);
    }

    fn hear_second(&mut self, from: Member, number: u32, message: &[u8]) {
        let Some(visitor) = self.visitors.get_mut(&from) else { return };
        let Some((_, handshake)) = visitor.initiated.take_if(|(own, _)| *own == number) else { return };
        let Some((identity, channel, third)) = handshake.confirm(&self.own, message) else { return };
        if identity == *self.own.identity() {
            self.has_twin = true;
            return self.outputs.push_back(Output::Twin);
        }
        (visitor.opening, visitor.introduction) = (Some((identity, channel)), Some((number, third)));
        self.introduce();
    }

    /// Shows this peer's identity to those who have shown theirs, once everybody has or the time for it is over.
    pub(super) fn introduce(&mut self) {
        let waits =
            self.hold != Hold::Over && self.visitors.values().any(|visitor| visitor.initiated.is_some());
        if self.has_twin || waits {
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

    fn hear_third(&mut self, from: Member, number: u32, message: &[u8]) {
        let Some(visitor) = self.visitors.get_mut(&from) else { return };
        let Some((_, handshake)) = visitor.answered.take_if(|(theirs, _)| *theirs == number) else { return };
        let Some((identity, channel)) = handshake.accept(&self.own, message) else { return };
        if identity != *self.own.identity() {
            self.seat(from, identity, channel);
        }
    }

    fn sealed(&mut self, from: Member, packet: &[u8]) {
        let opening = self.visitors.get_mut(&from).map(|visitor| &mut visitor.opening);
        if let Some(opening) = opening
            && opening.as_ref().is_some_and(|(_, channel)| channel.claims(packet))
        {
            let Some(plain) = opening.as_mut().and_then(|(_, channel)| channel.open(packet)) else { return };
            let Some((identity, channel)) = opening.take() else { return };
            if let Some(slot) = self.seat(from, identity, channel) {
                self.packet(slot, &plain);
            }
        } else if let Some(slot) = self.peers.iter().position(|peer| peer.member == Some(from)) {
            self.open(slot, packet);
        }
    }

    /// A member is authenticated: it is reached by this channel from now on. The first packet tells it that the channel
    /// stands, and where the streams go on.
    fn seat(&mut self, member: Member, identity: Identity, channel: Channel) -> Option<usize> {
        if let Some(visitor) = self.visitors.get_mut(&member) {
            (visitor.initiated, visitor.answered) = (None, None);
            (visitor.opening, visitor.retry) = (None, None);
            visitor.identity = Some(identity);
        }
        if self.peers.iter().any(|peer| peer.member == Some(member) && peer.identity != identity) {
            self.unseat(member);
        }
        let slot = self.meet(identity)?;
        self.seats += 1;
        let peer = &mut self.peers[slot];
        (peer.member, peer.seated) = (Some(member), self.seats);
        peer.channels.push_back(channel);
        if peer.channels.len() > MAX_CHANNELS {
            peer.channels.pop_front();
        }
        let resume = self.peers[slot].resume();
        self.transmit_by_relay(slot, &resume);
        Some(slot)
    }

    /// A member with this identity has left. If another one has the same identity, it was there before: it could not answer
    /// when the one that left came, and is reached again.
    fn return_to(&mut self, gone: Option<Identity>) {
        let first =
            |(_, visitor): &(&Member, &Visitor)| visitor.identity.is_some() && visitor.identity == gone;
        if let Some(member) = self.visitors.iter().find(first).map(|(member, _)| *member) {
            self.initiate(member, RETRY.0);
        }
    }

    /// No peer is reached through this member any more.
    fn unseat(&mut self, member: Member) {
        if let Some(slot) = self.peers.iter().position(|peer| peer.member == Some(member)) {
            self.peers[slot].member = None;
            self.check(slot);
        }
    }

    /// The slot of an authenticated peer. When there are too many, the one goes that is away and was seated longest ago;
    /// for a player of the game also one that is present. Players of the game never go.
    fn meet(&mut self, identity: Identity) -> Option<usize> {
        if let Some(known) = self.peers.iter().position(|peer| peer.identity == identity) {
            return Some(known);
        }
        if self.peers.len() >= MAX_PEERS {
            let reserved = self.reserved.contains(&identity);
            let may_go = |peer: &Peer| !self.reserved.contains(&peer.identity) && (reserved || !peer.up);
            let candidates = self.peers.iter().enumerate().filter(|(_, peer)| may_go(peer));
            let (slot, _) = candidates.min_by_key(|(_, peer)| (peer.up, peer.seated))?;
            let gone = self.peers.swap_remove(slot);
            if gone.up {
                self.outputs.push_back(Output::Down(gone.id));
            }
        }
        let (id, stream) = (self.next_id, self.number());
        self.next_id += 1;
        self.peers.push(Peer::new(id, identity, stream));
        Some(self.peers.len() - 1)
    }
}
