//! Work that can be done while players take their seats, so that the table opens without delay: precomputed tables of
//! points, and rehearsals of the proofs and of the opening. A browser compiles a WebAssembly function when it first runs and
//! optimises it only after some runs (tier-up); a rehearsal moves that time before the opening.

use crate::cards::{Cards, fair_seat};
use crate::descriptor::{Descriptor, DescriptorError, TablePlayer};
use crate::session::{Input, PeerSession, SessionOutput, SessionRequest};
use pentarchy_engine::AnyGame;
use pentarchy_fair::{
    BackTable, Backed, BackedDeck, Enrolment, Entropy, FaceTable, GameId, Generators, MessageError, Mixing,
    OperationError, Phase, PhaseId, PreparedLock, Roster, SeatSecrets, SigningSecret, strip, verify_strip,
};
use std::collections::VecDeque;

/// Computes the tables of points that every table with this game, options and number of seats needs,
/// independently of who plays, and caches them until the process ends. `options` may be partial; they are
/// completed with the defaults. It takes some milliseconds at the first call; later calls are fast.
///
/// # Errors
///
/// Fails with a sentence if the options or the number of seats do not fit the game, or it has too many faces.
pub fn prepare(
    game: &'static dyn AnyGame,
    options: &serde_json::Value,
    seats: u8,
) -> Result<(), DescriptorError> {
    let unusable = |e: &dyn std::fmt::Display| DescriptorError(e.to_string());
    let options = game.options(seats, options, &[]).map_err(|e| unusable(&e))?;
    let start = game.start(seats, &options).map_err(|e| unusable(&e))?;
    Cards::new(&*start).map(|_| ()).map_err(|e| unusable(&e))
}

/// Number of tokens: large enough that the proofs take the code path of a whole deck, small enough to take few
/// milliseconds.
const CARDS: usize = 16;
/// Number of rounds after which browsers have optimised the functions.
const ROUNDS: u8 = 24;

/// Two seats that shuffle a few tokens repeatedly. Their keys guard nothing, and nothing is sent.
pub struct ShuffleRehearsal {
    secrets: [SeatSecrets; 2],
    roster: Roster,
    lock: PreparedLock,
    generators: Generators,
    pile: Mixing<2>,
    round: u8,
}

/// A rehearsal stopped. This has no effect on the game.
#[derive(Debug)]
struct RehearsalError;

impl From<OperationError> for RehearsalError {
    /// Drops the cause.
    fn from(_: OperationError) -> Self {
        RehearsalError
    }
}

impl From<MessageError> for RehearsalError {
    /// Drops the cause.
    fn from(_: MessageError) -> Self {
        RehearsalError
    }
}

impl ShuffleRehearsal {
    /// Creates a rehearsal with fixed keys; `None` if the cryptography rejects one of its own values.
    pub fn new() -> Option<Self> {
        Self::begin().ok()
    }

    /// Creates the keys, tables and pile of a rehearsal with two seats.
    ///
    /// # Errors
    ///
    /// Fails if the cryptography rejects one of its own values.
    fn begin() -> Result<Self, RehearsalError> {
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
        let back = backs.get(0).ok_or(RehearsalError)?;
        let cards: Vec<Backed> = faces.all().iter().map(|face| Backed::public(face, back)).collect();
        let pile = BackedDeck::new(lock.key(), &cards)?.into();
        Ok(ShuffleRehearsal { secrets, roster, lock, generators: Generators::new(CARDS)?, pile, round: 0 })
    }

    /// Plays one round, which takes some milliseconds. Returns whether to call it again: `false` after the
    /// last round, and if a round fails, which has no effect on any game.
    pub fn go_on(&mut self) -> bool {
        self.round += 1;
        self.play().is_ok() && self.round < ROUNDS
    }

    /// Plays the round of the current number. The seats shuffle in turn and read the shuffle; every second
    /// round verifies the last two and opens a token.
    ///
    /// # Errors
    ///
    /// Fails if a proof does not verify, which would be a bug.
    fn play(&mut self) -> Result<(), RehearsalError> {
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
            let card = cards.first().ok_or(RehearsalError)?.face();
            let (_, shares) = strip(&phase, secrets, &[*card], entropy())?;
            verify_strip(&phase, self.roster.key(seat)?, &[*card], &shares)?;
        }
        self.pile = pile;
        Ok(())
    }
}

/// A table of the game with the fewest seats, opened among sessions in this process.
pub struct OpeningRehearsal {
    sessions: Vec<PeerSession>,
    /// For whom, and what.
    queue: VecDeque<(usize, Vec<u8>)>,
}

impl OpeningRehearsal {
    /// Creates a session for each seat of a table with the fewest seats, at least two, and the default
    /// options, and queues their first messages. `None` if the game does not allow such a table. Nothing
    /// leaves this process.
    pub fn new(game: &'static dyn AnyGame) -> Option<Self> {
        let seats = 0..game.info().min_seats.max(2);
        let identities: Vec<_> = seats.map(|seat| SigningSecret::new(Entropy::new([seat; 32]))).collect();
        let player = |identity: &SigningSecret| TablePlayer {
            identity: *identity.public().bytes(),
            name: String::new(),
            host: None,
        };
        let players = identities.iter().map(player).collect();
        let descriptor = Descriptor::new(game, &serde_json::json!({}), players, [0; 32]).ok()?;
        let mut opening = OpeningRehearsal { sessions: Vec::new(), queue: VecDeque::new() };
        for (seat, identity) in (0..).zip(&identities) {
            let made = PeerSession::new(
                game,
                descriptor.clone(),
                seat,
                identity,
                [seat; 32],
                Entropy::new([seat; 32]),
            );
            let (session, outputs) = made.ok()?;
            opening.sessions.push(session);
            opening.send(seat.into(), identities.len(), outputs);
        }
        Some(opening)
    }

    /// Queues the messages among `outputs` of the session at `seat` for all other seats. `seats` is the
    /// number of seats. Drops other outputs.
    fn send(&mut self, seat: usize, seats: usize, outputs: Vec<SessionOutput>) {
        for output in outputs {
            if let SessionOutput::Request(SessionRequest::Send { bytes, .. }) = output {
                let others = (0..seats).filter(|&to| to != seat);
                self.queue.extend(others.map(|to| (to, bytes.clone())));
            }
        }
    }

    /// Delivers one message between the sessions and queues their answers. Returns whether messages are left.
    /// None are left when the first decision is due.
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
        let mut opening = OpeningRehearsal::new(pentarchy_registry::find("leduc").unwrap()).unwrap();
        while opening.go_on() {}
        for session in &opening.sessions {
            assert!(matches!(session.position().node(), Node::Decide(_)), "{:?}", session.position().node());
            assert_eq!(session.trust().shuffles as usize, opening.sessions.len());
        }
    }

    #[test]
    fn a_rehearsal_runs_to_its_end() {
        let mut rehearsal = ShuffleRehearsal::begin().unwrap();
        let rounds = 1 + std::iter::from_fn(|| rehearsal.go_on().then_some(())).count();
        assert_eq!(rounds, usize::from(ROUNDS));
        rehearsal.play().unwrap();
    }
}
