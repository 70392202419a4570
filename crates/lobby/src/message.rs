//! Messages between peers: framing, and everything outside the sessions.

use crate::seating::{SeatRequest, Seating};
use crate::signed_start::SignedStart;
use crate::{Lobby, LobbyAction, LobbyEvent};
use pentarchy_net::{HostTag, PeerId, PublicIdentity};
use pentarchy_table::{Input, MAX_CHAT};
use serde::{Deserialize, Serialize};

/// The first byte of a message: whether the lobby or a session handles it.
pub(crate) const LOBBY: u8 = 0;
pub(crate) const SESSION: u8 = 1;
/// Upper bound on the bytes of a lobby message.
pub(crate) const MAX_LOBBY_MESSAGE: usize = 128 * 1024;

/// What peers send each other outside the sessions. The order of variants is part of the wire format.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum LobbyMessage {
    /// Guest to host: requests a seat under a display name.
    Request { name: String, request: SeatRequest },
    /// Host to guests: the seating.
    Seating(Seating),
    /// The match starts. Any peer may forward the host's signed descriptor.
    Start(SignedStart),
    /// A line of chat.
    Chat(String),
    /// Guest to host: agrees to the table with this identifier.
    Agree([u8; 32]),
    /// Host to guest: the guest is removed.
    Removed,
}

impl Lobby {
    /// Handles a message of a peer: one of the lobby, or one for all sessions of this machine. Ignores
    /// messages of removed guests, malformed ones, and those of the lobby that are longer than
    /// [`MAX_LOBBY_MESSAGE`].
    pub(crate) fn handle_message(&mut self, peer: PeerId, bytes: &[u8]) {
        if self.is_removed(peer) {
            return;
        }
        match bytes.split_first() {
            Some((&LOBBY, bytes)) if bytes.len() <= MAX_LOBBY_MESSAGE => {
                self.handle_lobby_message(peer, bytes);
            }
            Some((&SESSION, bytes)) => self.feed_all(Input::Message { from: peer, bytes }),
            _ => {}
        }
    }

    /// Handles a lobby message of a peer. The caller must have checked that the peer is not removed. Seat
    /// requests and agreements count at the host only. Before the match a guest takes a valid seating and
    /// its removal, which emits `Refused`, from the host only, and everybody a start that the host has
    /// signed. A start that cannot be used emits `Refused`. Chat is shown within its limits. Ignores
    /// everything else, and messages that cannot be decoded.
    fn handle_lobby_message(&mut self, peer: PeerId, bytes: &[u8]) {
        let Ok(message) = postcard::from_bytes::<LobbyMessage>(bytes) else { return };
        match message {
            LobbyMessage::Request { name, request } if self.is_host() => {
                self.handle_request(peer, &name, request);
            }
            LobbyMessage::Agree(table) if self.is_host() => self.record_agreement(peer, table),
            LobbyMessage::Seating(seating)
                if self.is_host_peer(peer)
                    && self.session.is_none()
                    && HostTag::of(&seating.host) == self.host
                    && seating.is_valid() =>
            {
                self.handle_seating(peer, seating);
            }
            LobbyMessage::Start(start) if self.session.is_none() && start.is_signed_by(self.host) => {
                if let Err(unusable) = self.start_sessions(start) {
                    self.emit(LobbyEvent::Refused(unusable.to_string()));
                }
            }
            LobbyMessage::Chat(text) if text.len() <= MAX_CHAT => self.receive_chat(peer, &text),
            LobbyMessage::Removed if self.is_host_peer(peer) && self.session.is_none() => {
                self.emit(LobbyEvent::Refused("the host has removed you from this table".into()));
            }
            _ => {}
        }
    }

    /// Replaces the seating by `seating`, as guest before the match; the caller must have checked that it
    /// is valid and that the peer `host` is the host. This peer agrees to it if the player is ready and has
    /// confirmed its terms. If it leaves out this peer although its request can be met, the host has seen
    /// this peer disconnect and return, which the peer itself did not notice: it requests the seat again.
    /// Emits `Refused` if the player wants any seat, has none and all are taken.
    fn handle_seating(&mut self, host: PeerId, seating: Seating) {
        let mine = *self.identity.public().bytes();
        let is_seated = seating.seat_of(&mine).is_some();
        let is_full = seating.chairs.iter().all(Option::is_some);
        if is_full && !is_seated && matches!(self.request, SeatRequest::Sit { seat: None, .. }) {
            self.emit(LobbyEvent::Refused("all seats are taken".into()));
        }
        let must_repeat = !is_seated && self.request.can_be_met(&seating);
        self.apply_seating(seating);
        if must_repeat {
            self.send_request(host);
        }
    }

    /// Sends a peer that has connected, perhaps again, what it lacks: its removal, the start of the match, or
    /// this guest's request. A host before the match lists a new guest as a spectator, and sends the seating
    /// to all. During the match the player's session learns of the connection.
    pub(crate) fn welcome(&mut self, peer: PeerId) {
        if self.is_removed(peer) {
            self.send_message(peer, &LobbyMessage::Removed);
        } else if self.session.is_some() {
            self.send_start(peer);
            self.feed(crate::sessions::OWN, Input::Connected(peer));
        } else if self.is_host() {
            let is_listed =
                |identity: &PublicIdentity| self.seating.as_ref().is_some_and(|s| s.lists(identity));
            if let Some(identity) = self.present.get(&peer).copied().filter(|identity| !is_listed(identity)) {
                self.assign_place(identity, "", SeatRequest::Watch);
            }
            self.broadcast_seating();
        } else if self.is_host_peer(peer) {
            self.send_request(peer);
        }
    }

    /// Returns whether a peer is present and has the identity of the host that the invitation names.
    fn is_host_peer(&self, peer: PeerId) -> bool {
        self.present.get(&peer).is_some_and(|identity| HostTag::of(identity) == self.host)
    }

    /// Returns the reachable peer with the identity of the host that the invitation names, the lowest
    /// number if there are several; `None` if it is not reachable.
    pub(crate) fn host_peer(&self) -> Option<PeerId> {
        self.present.keys().copied().find(|&peer| self.is_host_peer(peer))
    }

    /// Sends this player's current display name and seat request to the peer `host`. Does not check that it
    /// is the host.
    pub(crate) fn send_request(&mut self, host: PeerId) {
        self.send_message(host, &LobbyMessage::Request { name: self.name.clone(), request: self.request });
    }

    /// Queues a lobby message, with the byte that marks it as one, to be sent to a peer. Whether the peer
    /// is connected or removed is not checked.
    pub(crate) fn send_message(&mut self, peer: PeerId, message: &LobbyMessage) {
        let mut bytes = vec![LOBBY];
        bytes.extend(postcard::to_allocvec(message).unwrap_or_default());
        self.act(LobbyAction::Send(peer, bytes));
    }
}
