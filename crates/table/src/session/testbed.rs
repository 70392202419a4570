//! Peers at a table, for tests of the session: they store what they persist, and random players decide.

use super::{Input, PeerNumber, PeerSession, Recipient, SessionEvent, SessionOutput, SessionRequest};
use crate::wire::{Anchor, Message, Place, Signed};
use crate::{Descriptor, Recovery, TablePlayer};
use pentarchy_engine::{AnyGame, Rng, Seat, SeatSet};
use pentarchy_fair::{Entropy, SigningSecret};
use std::collections::VecDeque;

pub(super) struct Testbed {
    pub(super) game: &'static dyn AnyGame,
    pub(super) descriptor: Descriptor,
    pub(super) identities: Vec<SigningSecret>,
    pub(super) sessions: Vec<PeerSession>,
    pub(super) disks: Vec<Vec<Vec<u8>>>,
    /// Who sent it, to whom, and the message.
    pub(super) queue: VecDeque<(usize, Recipient, Vec<u8>)>,
    /// Seats that receive nothing, and whose messages are lost.
    pub(super) absent: SeatSet,
    /// Who was asked whether to drop which seats; all agree.
    asked: Vec<(usize, SeatSet)>,
    choosing: Option<usize>,
    rng: Rng,
}

impl Testbed {
    /// Creates a session for each seat, with the default recovery; nothing is delivered yet.
    pub(super) fn new(name: &str, seats: u8, seed: u8) -> Self {
        Self::with_recovery(name, seats, seed, Recovery::for_machines(seats))
    }

    /// Creates a session for each seat of a table with this recovery; nothing is delivered yet.
    pub(super) fn with_recovery(name: &str, seats: u8, seed: u8, recovery: Recovery) -> Self {
        let game = pentarchy_registry::find(name).unwrap();
        let identities: Vec<_> = (0..seats).map(|i| SigningSecret::new(Entropy::new([i + 1; 32]))).collect();
        let player = |identity: &SigningSecret| TablePlayer {
            identity: *identity.public().bytes(),
            name: "Ada".into(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [seed; 32]).unwrap();
        let descriptor = Descriptor { recovery, ..descriptor };
        let mut bed = Testbed {
            game,
            descriptor,
            identities,
            sessions: Vec::new(),
            disks: vec![Vec::new(); usize::from(seats)],
            queue: VecDeque::new(),
            absent: SeatSet::NONE,
            asked: Vec::new(),
            choosing: None,
            rng: Rng::new(seed.into()),
        };
        for seat in 0..seats {
            let (session, outputs) = bed.seat(seat, [seat + seed; 32], [seat ^ 0x55; 32]);
            bed.sessions.push(session);
            bed.absorb(usize::from(seat), outputs);
        }
        bed
    }

    /// Creates the session of a seat from a seed and fresh bytes.
    pub(super) fn seat(
        &self,
        seat: u8,
        seed: [u8; 32],
        entropy: [u8; 32],
    ) -> (PeerSession, Vec<SessionOutput>) {
        let identity = &self.identities[usize::from(seat)];
        let made =
            PeerSession::new(self.game, self.descriptor.clone(), seat, identity, seed, Entropy::new(entropy));
        made.unwrap()
    }

    /// Restores a session from its stored items.
    pub(super) fn restored(&self, disk: &[Vec<u8>], entropy: [u8; 32]) -> PeerSession {
        let game = self.game;
        PeerSession::restore(|_| Some(game), disk.iter().cloned(), Entropy::new(entropy)).unwrap()
    }

    /// Stores and queues the outputs of a session, and notes which seat must choose. Panics if a session breaks
    /// or rejects a message.
    pub(super) fn absorb(&mut self, seat: usize, outputs: Vec<SessionOutput>) {
        for output in outputs {
            match output {
                SessionOutput::Request(SessionRequest::Persist(item)) => self.disks[seat].push(item),
                SessionOutput::Request(SessionRequest::Send { to, bytes }) => {
                    self.queue.push_back((seat, to, bytes));
                }
                SessionOutput::Event(SessionEvent::Choose) => self.choosing = Some(seat),
                SessionOutput::Event(SessionEvent::AskDrop { seats, .. }) => self.asked.push((seat, seats)),
                SessionOutput::Event(SessionEvent::Broken(why) | SessionEvent::Rejected { why, .. }) => {
                    panic!("seat {seat}: {why}")
                }
                _ => {}
            }
        }
    }

    /// Passes an input to a session and handles its outputs.
    pub(super) fn handle(&mut self, seat: usize, input: Input<'_>) {
        let outputs = self.sessions[seat].handle(input);
        self.absorb(seat, outputs);
    }

    /// Delivers everything, except from and to absent seats, and lets the players agree to drop seats.
    pub(super) fn settle(&mut self) {
        loop {
            while let Some((from, to, bytes)) = self.queue.pop_front() {
                for seat in (0..self.sessions.len()).filter(|&seat| seat != from) {
                    let absent = self.is_absent(seat) || self.is_absent(from);
                    if !absent && (to == Recipient::All || to == Recipient::Peer(seat as PeerNumber)) {
                        self.handle(seat, Input::Message { from: from as PeerNumber, bytes: &bytes });
                    }
                }
            }
            let Some((seat, seats)) = self.asked.pop() else { return };
            self.handle(seat, Input::Drop(seats));
        }
    }

    /// Returns whether a seat receives nothing and its messages are lost.
    fn is_absent(&self, seat: usize) -> bool {
        self.absent.has(Seat(seat as u8))
    }

    /// Lets time pass for all who are not absent, and delivers what they send.
    pub(super) fn tick(&mut self, now_ms: u64) {
        for seat in (0..self.sessions.len()).filter(|&seat| !self.is_absent(seat)).collect::<Vec<_>>() {
            self.handle(seat, Input::Tick { now_ms });
        }
        self.settle();
    }

    /// Plays until there are this many events, or the game is over.
    pub(super) fn play(&mut self, events: u32) {
        self.settle();
        while let Some(seat) = self.choosing.filter(|&seat| self.sessions[seat].events() < events) {
            self.choosing = None;
            let text = self.sessions[seat].position().choose_random(&mut self.rng).unwrap();
            self.handle(seat, Input::Choose(&text));
            self.settle();
        }
    }
}

impl PeerSession {
    /// Returns a message that this seat signs for a later place, on a history that no peer has yet.
    pub(super) fn early(&self, seq: u32, phase: u8) -> Vec<u8> {
        let place = Place { epoch: self.log.epoch(), seq, phase, seat: self.seat().unwrap() };
        let (anchor, payload) = (Anchor::Phase([seq as u8; 32]), vec![phase; 96]);
        let mut signed = Signed { place, anchor, payload, signature: [0; 64].into() };
        self.resign(&mut signed);
        Message::Step(signed).encode(&self.id)
    }
}
