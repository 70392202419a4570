//! What can be done while people sit down, so that the game opens at once: the tables of points that all piles of a game
//! need, a rehearsal of the proofs, and one of the opening itself. A browser compiles a function when it first runs, and
//! makes fast code only of what it has seen run for a while; without a rehearsal that would be the opening for which
//! everybody waits.

use crate::cards::{Cards, fair_seat};
use crate::descriptor::{Descriptor, Player, Unusable};
use crate::session::{Input, Output, Session};
use pentarchy_engine::AnyGame;
use pentarchy_fair::{
    BackTable, Backed, BackedDeck, Enrolment, Entropy, FaceTable, GameId, Generators, MessageError, Mixing,
    OperationError, Phase, PhaseId, PreparedLock, Roster, SeatSecrets, SigningSecret, strip, verify_strip,
};
use std::collections::VecDeque;

/// Makes what every table of this game needs and does not depend on who plays. It is kept, and found by the session.
pub fn prepare(game: &'static dyn AnyGame, options: &serde_json::Value, seats: u8) -> Result<(), Unusable> {
    let unusable = |e: &dyn std::fmt::Display| Unusable(e.to_string());
    let options = game.options(seats, options, &[]).map_err(|e| unusable(&e))?;
    let start = game.start(seats, &options).map_err(|e| unusable(&e))?;
    Cards::new(&*start).map(|_| ()).map_err(|e| unusable(&e))
}

/// Large enough that the proofs are computed as for a whole deck, small enough to take no time that anybody notices.
const CARDS: usize = 16;
/// After so many rounds a browser has seen enough.
const ROUNDS: u8 = 24;

/// Two seats that shuffle a few cards over and over. Their keys guard nothing, and nothing of it is ever sent.
pub struct Rehearsal {
    secrets: [SeatSecrets; 2],
    roster: Roster,
    lock: PreparedLock,
    generators: Generators,
    pile: Mixing<2>,
    round: u8,
}

/// Why a rehearsal stopped; the game itself is none the worse for it.
#[derive(Debug)]
struct Stopped;

impl From<OperationError> for Stopped {
    fn from(_: OperationError) -> Self {
        Stopped
    }
}

impl From<MessageError> for Stopped {
    fn from(_: MessageError) -> Self {
        Stopped
    }
}

impl Rehearsal {
    /// Takes its place; nothing if that cannot be.
    pub fn new() -> Option<Self> {
        Self::begin().ok()
    }

    fn begin() -> Result<Self, Stopped> {
        let game = GameId::of(b"rehearsal");
        let secrets = [0, 1].map(|seat| SeatSecrets::new(fair_seat(seat), Entropy::new([seat; 32])));
        let identity = SigningSecret::new(Entropy::new([2; 32]));
        let public = identity.public();
        let enrolment = Enrolment { game, identity: &public, escrow: None };
        let key = |secrets: &SeatSecrets| {
            let keys = enrolment.enrol(secrets, &identity, &identity, Entropy::new([3; 32]));
            enrolment.verify(secrets.seat(), &keys)
        };
        let roster = Roster::new(game, vec![key(&secrets[0])?, key(&secrets[1])?])?;
        let lock = roster.lock(roster.seats())?.prepare();
        let (faces, backs) = (FaceTable::new(CARDS as u32)?, BackTable::new(1)?);
        let back = backs.get(0).ok_or(Stopped)?;
        let cards: Vec<Backed> = faces.all().iter().map(|face| Backed::public(face, back)).collect();
        let pile = BackedDeck::new(lock.key(), &cards)?.into();
        Ok(Rehearsal { secrets, roster, lock, generators: Generators::new(CARDS)?, pile, round: 0 })
    }

    /// Goes on for some milliseconds; true while there is more to do.
    pub fn go_on(&mut self) -> bool {
        self.round += 1;
        self.play().is_ok() && self.round < ROUNDS
    }

    /// One seat shuffles, the other checks it; every second round a card is opened, too.
    fn play(&mut self) -> Result<(), Stopped> {
        let (round, entropy) = (self.round, || Entropy::new([self.round; 32]));
        let phase = Phase { game: self.roster.game(), id: PhaseId([round; 32]) };
        let secrets = &self.secrets[usize::from(round % 2)];
        let (seat, lock) = (secrets.seat(), self.lock.key());
        let (_, proof) = self.pile.shuffle(&phase, secrets, &self.lock, &self.generators, None, entropy())?;
        let mut pile = self.pile.read(&phase, seat, lock, &self.generators, &proof)?;
        if pile.unsettled() > 1 {
            pile.settle(lock, &self.generators)?;
        }
        if let Ok(cards) = pile.release(self.roster.seats()) {
            let card = cards.first().ok_or(Stopped)?.face();
            let (_, shares) = strip(&phase, secrets, &[*card], entropy())?;
            verify_strip(&phase, self.roster.key(seat)?, &[*card], &shares)?;
        }
        self.pile = pile;
        Ok(())
    }
}

/// A table of the game itself, as small as it can be, which opens among sessions that nobody sits at.
pub struct Opening {
    sessions: Vec<Session>,
    /// For whom, and what.
    queue: VecDeque<(usize, Vec<u8>)>,
}

impl Opening {
    /// Seats everybody; nothing if that cannot be.
    pub fn new(game: &'static dyn AnyGame) -> Option<Self> {
        let seats = 0..game.info().min_seats.max(2);
        let identities: Vec<_> = seats.map(|seat| SigningSecret::new(Entropy::new([seat; 32]))).collect();
        let player = |identity: &SigningSecret| Player {
            identity: *identity.public().bytes(),
            name: String::new(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [0; 32]).ok()?;
        let mut opening = Opening { sessions: Vec::new(), queue: VecDeque::new() };
        for (seat, identity) in (0..).zip(&identities) {
            let made =
                Session::new(game, descriptor.clone(), seat, identity, [seat; 32], Entropy::new([seat; 32]));
            let (session, outputs) = made.ok()?;
            opening.sessions.push(session);
            opening.send(seat.into(), identities.len(), outputs);
        }
        Some(opening)
    }

    fn send(&mut self, seat: usize, seats: usize, outputs: Vec<Output>) {
        for output in outputs {
            if let Output::Send { bytes, .. } = output {
                let others = (0..seats).filter(|&to| to != seat);
                self.queue.extend(others.map(|to| (to, bytes.clone())));
            }
        }
    }

    /// Delivers one message; true while there are more, until the first decision is due.
    pub fn go_on(&mut self) -> bool {
        let Some((seat, bytes)) = self.queue.pop_front() else { return false };
        let seats = self.sessions.len();
        let Some(session) = self.sessions.get_mut(seat) else { return false };
        let outputs = session.handle(Input::Message { from: 0, bytes: &bytes });
        self.send(seat, seats, outputs);
        !self.queue.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_engine::Node;

    #[test]
    fn an_opening_goes_as_far_as_the_first_decision() {
        let mut opening = Opening::new(pentarchy_registry::find("leduc").unwrap()).unwrap();
        while opening.go_on() {}
        for session in &opening.sessions {
            assert!(matches!(session.position().node(), Node::Decide(_)), "{:?}", session.position().node());
            assert_eq!(session.trust().shuffles as usize, opening.sessions.len());
        }
    }

    #[test]
    fn a_rehearsal_runs_to_its_end() {
        let mut rehearsal = Rehearsal::begin().unwrap();
        let rounds = 1 + std::iter::from_fn(|| rehearsal.go_on().then_some(())).count();
        assert_eq!(rounds, usize::from(ROUNDS));
        rehearsal.play().unwrap();
    }
}
