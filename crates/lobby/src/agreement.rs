//! Agreement before the match: the host keeps the seating, and guests agree to it.
//!
//! A guest agrees to the identifier that the match would have if it started now ([`Seating::descriptor`]), so every change
//! of the seating invalidates the agreement. When players come and go, the guest's client agrees again without asking. When
//! the terms change, the player has to confirm them again.

use crate::message::LobbyMessage;
use crate::restore::AGREED;
use crate::seating::MAX_WATCHERS;
use crate::signed_start::SignedStart;
use crate::terms::{changed_table, changed_terms};
use crate::{Chair, Lobby, LobbyAction, LobbyEvent, OTHER_DEVICE, SeatRequest, Seating};
use pentarchy_net::{PeerId, PublicIdentity};
use pentarchy_table::{Descriptor, DescriptorError};

impl Lobby {
    // --- the host

    /// Handles the seat request of a guest under this display name, as host: moves the guest to the
    /// requested seat or to the spectators, sends the seating to all, and starts the match if that
    /// completes the table and the setup wants it. A request that is not ready forgets the guest's
    /// agreement; one that is ready does not count as agreement. After the start the guest gets the signed
    /// start instead. Ignores peers that are not present. The caller must have checked that this peer is
    /// the host.
    pub(crate) fn handle_request(&mut self, peer: PeerId, name: &str, request: SeatRequest) {
        let Some(&identity) = self.present.get(&peer) else { return };
        if self.session.is_some() {
            self.send_start(peer);
            return;
        }
        if !request.is_ready() {
            self.agreements.remove(&identity);
        }
        self.assign_place(identity, name, request);
        self.broadcast_seating();
        self.start_if_automatic();
    }

    /// Records that a guest agrees to the table with the identifier `table`, as host. If that differs from
    /// the guest's recorded agreement, sends the seating to all and starts the match if it is complete and
    /// the setup wants it. The identifier is not compared with the current seating here: an agreement to
    /// another table is recorded, but does not make the guest ready. Ignores guests without a seat, and
    /// everything after the start.
    pub(crate) fn record_agreement(&mut self, peer: PeerId, table: [u8; 32]) {
        let Some(&identity) = self.present.get(&peer) else { return };
        let is_seated = self.seating.as_ref().is_some_and(|seating| seating.seat_of(&identity).is_some());
        if self.session.is_none() && is_seated && self.agreements.insert(identity, table) != Some(table) {
            self.broadcast_seating();
            self.start_if_automatic();
        }
    }

    /// Moves an identity to the requested seat or to the spectators, under a display name that nobody else
    /// has. A request for a seat that is taken leaves a seated player where they are and makes others
    /// spectators. A request for any seat keeps the seat of a seated player; others get the lowest free
    /// seat, or become spectators if none is free. A spectator beyond [`MAX_WATCHERS`] is not listed at
    /// all. Sends nothing; does nothing before a seating is known.
    pub(crate) fn assign_place(&mut self, identity: PublicIdentity, name: &str, request: SeatRequest) {
        let Some(seating) = &mut self.seating else { return };
        let name = seating.free_name(&identity, name);
        let current = seating.seat_of(&identity);
        let is_free =
            |seat: u8, seating: &Seating| matches!(seating.chairs.get(usize::from(seat)), Some(None));
        let seat = match request {
            SeatRequest::Watch => None,
            SeatRequest::Sit { seat: Some(seat), .. } if is_free(seat, seating) => Some(seat),
            SeatRequest::Sit { .. } if current.is_some() => current,
            SeatRequest::Sit { seat: Some(_), .. } => None,
            SeatRequest::Sit { seat: None, .. } => (0..seating.seats()).find(|&seat| is_free(seat, seating)),
        };
        seating.watchers.retain(|(other, _)| *other != identity);
        if let Some(chair) = current.and_then(|seat| seating.chairs.get_mut(usize::from(seat))) {
            *chair = None;
        }
        match seat.and_then(|seat| seating.chairs.get_mut(usize::from(seat))) {
            Some(chair) => *chair = Some(Chair { identity, name, ready: false, bot: None }),
            None if seating.watchers.len() < MAX_WATCHERS => seating.watchers.push((identity, name)),
            None => {}
        }
    }

    /// Removes all guests that are not connected from the seats and the spectators, as host before the
    /// match, forgets their agreements, and sends the seating to all, even if nothing has changed. Does
    /// nothing at a guest.
    pub(crate) fn free_abandoned_seats(&mut self) {
        if !self.is_host() {
            return;
        }
        let mine = *self.identity.public().bytes();
        let is_here = |identity: &PublicIdentity| {
            *identity == mine || self.present.values().any(|other| other == identity)
        };
        self.agreements.retain(|identity, _| is_here(identity));
        if let Some(seating) = &mut self.seating {
            for chair in &mut seating.chairs {
                chair.take_if(|chair| chair.bot.is_none() && !is_here(&chair.identity));
            }
            seating.watchers.retain(|(identity, _)| is_here(identity));
        }
        self.broadcast_seating();
    }

    /// Sends the seating to all peers that are not removed, and emits `SeatingChanged`. Before that it
    /// marks each chair as ready or not: the host and its bots always are, a guest is if its recorded
    /// agreement is to exactly this table. Only the host calls it. Does nothing before a seating is known.
    pub(crate) fn broadcast_seating(&mut self) {
        let Some(seating) = &mut self.seating else { return };
        let table = seating.descriptor().id().0;
        for chair in seating.chairs.iter_mut().flatten() {
            let agrees = || self.agreements.get(&chair.identity) == Some(&table);
            // The host and its bots are always ready.
            chair.ready = chair.bot.is_some() || chair.identity == seating.host || agrees();
        }
        let seating = seating.clone();
        for peer in self.welcome_peers() {
            self.send_message(peer, &LobbyMessage::Seating(seating.clone()));
        }
        self.emit(LobbyEvent::SeatingChanged(seating));
    }

    /// Returns the numbers of the peers that are connected and that this peer, as host, has not removed,
    /// ascending.
    pub(crate) fn welcome_peers(&self) -> Vec<PeerId> {
        self.present.keys().copied().filter(|&peer| !self.is_removed(peer)).collect()
    }

    // --- guests

    /// Replaces the seating by one that the host has sent and the caller has validated, and emits it. Agrees
    /// to it if the player has a seat in it, is ready and has confirmed its terms: persists the agreement,
    /// then tells the host unless the seating shows it already. A ready player who has confirmed no terms yet
    /// confirms these. If the terms differ from the confirmed ones, the player is no longer ready.
    pub(crate) fn apply_seating(&mut self, mut seating: Seating) {
        let mine = *self.identity.public().bytes();
        let table = seating.descriptor();
        let chair = seating.chairs.iter_mut().flatten();
        let chair = chair.into_iter().find(|chair| chair.identity == mine && chair.bot.is_none());
        self.agreement = None;
        if self.request.is_ready() {
            // A player who requested a seat before any terms were shown confirms the first ones.
            let confirmed = self.confirmed.get_or_insert_with(|| table.clone());
            match changed_terms(confirmed, &table) {
                None => self.agreement = chair.is_some().then(|| table.id().0),
                Some(change) => self.withdraw_readiness(change),
            }
        }
        let mut unknown_to_host = None;
        if let Some(chair) = chair {
            unknown_to_host = self.agreement.filter(|_| !chair.ready);
            // Only this player decides whether they are ready.
            chair.ready = self.agreement.is_some();
        }
        if let Some(table) = self.agreement.filter(|table| self.agreed.insert(*table)) {
            // Stored before it is sent: after a crash this device knows that it has agreed, and no other device of the
            // same identity starts the match.
            self.act(LobbyAction::Persist([&[AGREED], &table[..]].concat()));
        }
        if let Some((host, table)) = self.host_peer().zip(unknown_to_host) {
            self.send_message(host, &LobbyMessage::Agree(table));
        }
        self.seating = Some(seating.clone());
        self.emit(LobbyEvent::SeatingChanged(seating));
    }

    /// Makes the player not ready, because the terms have changed as the sentence `change` says: changes a
    /// request for a seat to one that is not ready, sends the request to the host if it is reachable, and
    /// emits `TermsChanged`.
    fn withdraw_readiness(&mut self, change: String) {
        if let SeatRequest::Sit { ready, .. } = &mut self.request {
            *ready = false;
        }
        if let Some(host) = self.host_peer() {
            self.send_request(host);
        }
        self.emit(LobbyEvent::TermsChanged(change));
    }

    /// Checks, at a guest with a seat, that this player has agreed to the match that starts. `table` is the
    /// decoded descriptor of `start`. The caller must have checked the signature of `start`.
    ///
    /// If a seating is known, the descriptor must equal the one that this seating gives, and the player
    /// must have agreed to it. If none is known, because the match started while this peer was away, this
    /// device must have agreed to exactly this match on an earlier visit: then the seating of the match is
    /// applied and emitted, with the effects that a seating from the host has. Otherwise another device
    /// with the same identity has agreed: a second session for the seat would sign other keys.
    ///
    /// # Errors
    ///
    /// Fails with a sentence for the player if the match differs from the seating that was shown, the
    /// player was not ready, another device has agreed, or the descriptor gives a malformed seating.
    pub(crate) fn check_consent(
        &mut self,
        start: &SignedStart,
        table: &Descriptor,
    ) -> Result<(), DescriptorError> {
        if self.seating.is_none() {
            if !self.agreed.contains(&table.id().0) {
                return Err(DescriptorError(OTHER_DEVICE.into()));
            }
            let seating = Seating::from_descriptor(table, start.host);
            if !seating.is_valid() {
                return Err(DescriptorError("the seating is malformed".into()));
            }
            self.apply_seating(seating);
        }
        let shown = self.seating.as_ref().map(Seating::descriptor);
        if let Some(change) = shown.and_then(|shown| changed_table(&shown, table)) {
            return Err(DescriptorError(change));
        }
        if self.agreement != Some(table.id().0) {
            return Err(DescriptorError("the host started the match before you were ready".into()));
        }
        Ok(())
    }
}
