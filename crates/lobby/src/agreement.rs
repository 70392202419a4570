//! The lobby: the host keeps the seating, and guests agree to it.
//!
//! A guest's readiness is bound to the identifier that the game would have if it began now
//! ([`Seating::descriptor`]), so any change withdraws it. The guest's client agrees again by itself when players come and
//! go. When the terms change, the player has to confirm them again.

use crate::seating::MAX_WATCHERS;
use crate::signed_start::Word;
use crate::terms::{changed, changed_terms};
use crate::{AGREED, Chair, OTHER_DEVICE, Party, Seating, Step, Talk, Wish};
use pentarchy_net::{Identity, PeerId};
use pentarchy_table::{Descriptor, Unusable};

impl Party {
    // --- the host

    /// Seats a guest as wished, if possible.
    pub(crate) fn wished(&mut self, peer: PeerId, name: &str, wish: Wish) {
        let Some(&identity) = self.present.get(&peer) else { return };
        if self.session.is_some() {
            self.begin_at(peer);
            return;
        }
        if !wish.is_ready() {
            self.agreements.remove(&identity);
        }
        self.place(identity, name, wish);
        self.tell_seats();
        self.fill();
    }

    /// A guest agrees to the table with this identifier.
    pub(crate) fn agreed(&mut self, peer: PeerId, table: [u8; 32]) {
        let Some(&identity) = self.present.get(&peer) else { return };
        let sits = self.seating.as_ref().is_some_and(|seating| seating.seat_of(&identity).is_some());
        if self.session.is_none() && sits && self.agreements.insert(identity, table) != Some(table) {
            self.tell_seats();
            self.fill();
        }
    }

    /// Finds a place for a peer. A peer that asks for a taken seat stays where it is.
    pub(crate) fn place(&mut self, identity: Identity, name: &str, wish: Wish) {
        let Some(seating) = &mut self.seating else { return };
        let name = seating.free_name(&identity, name);
        let sits = seating.seat_of(&identity);
        let free = |seat: u8, seating: &Seating| matches!(seating.chairs.get(usize::from(seat)), Some(None));
        let seat = match wish {
            Wish::Watch => None,
            Wish::Sit { seat: Some(seat), .. } if free(seat, seating) => Some(seat),
            Wish::Sit { .. } if sits.is_some() => sits,
            Wish::Sit { seat: Some(_), .. } => None,
            Wish::Sit { seat: None, .. } => (0..seating.seats()).find(|&seat| free(seat, seating)),
        };
        seating.watchers.retain(|(other, _)| *other != identity);
        if let Some(chair) = sits.and_then(|seat| seating.chairs.get_mut(usize::from(seat))) {
            *chair = None;
        }
        match seat.and_then(|seat| seating.chairs.get_mut(usize::from(seat))) {
            Some(chair) => *chair = Some(Chair { identity, name, ready: false, bot: None }),
            None if seating.watchers.len() < MAX_WATCHERS => seating.watchers.push((identity, name)),
            None => {}
        }
    }

    /// Frees the seats of peers that left before the game began.
    pub(crate) fn left(&mut self) {
        if !self.is_host() {
            return;
        }
        let mine = *self.identity.public().bytes();
        let here =
            |identity: &Identity| *identity == mine || self.present.values().any(|other| other == identity);
        self.agreements.retain(|identity, _| here(identity));
        if let Some(seating) = &mut self.seating {
            for chair in &mut seating.chairs {
                if chair.as_ref().is_some_and(|chair| chair.bot.is_none() && !here(&chair.identity)) {
                    *chair = None;
                }
            }
            seating.watchers.retain(|(identity, _)| here(identity));
        }
        self.tell_seats();
    }

    /// Derives who is ready from the agreements, and sends the seating to everybody.
    pub(crate) fn tell_seats(&mut self) {
        let Some(seating) = &mut self.seating else { return };
        let table = seating.descriptor().id().0;
        for chair in seating.chairs.iter_mut().flatten() {
            let agrees = || self.agreements.get(&chair.identity) == Some(&table);
            // The host and its bots are always ready.
            chair.ready = chair.bot.is_some() || chair.identity == seating.host || agrees();
        }
        let seating = seating.clone();
        for peer in self.welcome_peers() {
            self.say(peer, &Talk::Seats(seating.clone()));
        }
        self.steps.push(Step::Seats(seating));
    }

    /// The peers that are there, without those that the host has removed.
    pub(crate) fn welcome_peers(&self) -> Vec<PeerId> {
        self.present.keys().copied().filter(|&peer| !self.is_removed(peer)).collect()
    }

    // --- guests

    /// The host tells the seating: this peer agrees to it if the player is ready and has confirmed its terms.
    pub(crate) fn shown(&mut self, mut seating: Seating) {
        let mine = *self.identity.public().bytes();
        let table = seating.descriptor();
        let chair = seating.chairs.iter_mut().flatten();
        let chair = chair.into_iter().find(|chair| chair.identity == mine && chair.bot.is_none());
        self.agreement = None;
        if self.wish.is_ready() {
            // A player who asked for a seat before anything was shown has confirmed what is shown first.
            let confirmed = self.confirmed.get_or_insert_with(|| table.clone());
            match changed_terms(confirmed, &table) {
                None => self.agreement = chair.is_some().then(|| table.id().0),
                Some(change) => self.withdraw(change),
            }
        }
        let mut unheard = None;
        if let Some(chair) = chair {
            unheard = self.agreement.filter(|_| !chair.ready);
            // Only this player decides whether they are ready.
            chair.ready = self.agreement.is_some();
        }
        if let Some(table) = self.agreement.filter(|table| self.agreed.insert(*table)) {
            // Stored before it is sent: after a crash this device knows that it has agreed, and no other device of the
            // same identity starts the game.
            self.steps.push(Step::Persist([&[AGREED], &table[..]].concat()));
        }
        if let Some((host, table)) = self.host_peer().zip(unheard) {
            self.say(host, &Talk::Agree(table));
        }
        self.seating = Some(seating.clone());
        self.steps.push(Step::Seats(seating));
    }

    /// The terms are no longer those that the player confirmed: the player is asked again.
    fn withdraw(&mut self, change: String) {
        if let Wish::Sit { ready, .. } = &mut self.wish {
            *ready = false;
        }
        if let Some(host) = self.host_peer() {
            self.say(host, &Talk::Wish { name: self.name.clone(), wish: self.wish });
        }
        self.steps.push(Step::Changed(change));
    }

    /// Checks that this player has agreed to the game that begins. If nothing was shown before, because the game began
    /// while this peer was away, this device must have agreed to exactly this game on an earlier visit. Else it was another
    /// device with the same identity: a second session for the seat would sign other keys.
    ///
    /// # Errors
    /// The game is another than the one that was shown, the player was not ready, or another device has agreed.
    pub(crate) fn check_consent(&mut self, word: &Word, table: &Descriptor) -> Result<(), Unusable> {
        if self.seating.is_none() {
            if !self.agreed.contains(&table.id().0) {
                return Err(Unusable(OTHER_DEVICE.into()));
            }
            let seating = Seating::of(table, word.host);
            if !seating.is_sane() {
                return Err(Unusable("the seating is malformed".into()));
            }
            self.shown(seating);
        }
        let shown = self.seating.as_ref().map(Seating::descriptor);
        if let Some(change) = shown.and_then(|shown| changed(&shown, table)) {
            return Err(Unusable(change));
        }
        if self.agreement != Some(table.id().0) {
            return Err(Unusable("the host started the game before you were ready".into()));
        }
        Ok(())
    }
}
