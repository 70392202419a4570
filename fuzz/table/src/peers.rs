//! A table of honest peers in one process, with everything that they have sent and stored.

use pentarchy_engine::{AnyGame, Rng};
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_table::{
    Descriptor, Input, PeerSession, Recipient, SessionEvent, SessionOutput, SessionRequest, TablePlayer,
};
use std::collections::VecDeque;

/// A message on its way.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) from: usize,
    to: Recipient,
    pub(crate) bytes: Vec<u8>,
}

/// All peers of a table. A peer is known to the others by the number of its seat.
pub(crate) struct Peers {
    pub(crate) sessions: Vec<PeerSession>,
    pub(crate) queue: VecDeque<Sent>,
    /// What each peer has stored.
    pub(crate) stored: Vec<Vec<Vec<u8>>>,
    /// Whether a seat that is asked chooses an action.
    plays: bool,
    /// A seat that neither sends nor receives any more.
    pub(crate) silent: Option<usize>,
    rng: Rng,
}

/// Returns the identity key of a seat, which must be below 255: the same one in each run.
fn identity(seat: u8) -> SigningSecret {
    SigningSecret::new(Entropy::new([seat + 1; 32]))
}

/// Creates a descriptor with the default options for this number of seats; it has escrow from three seats on.
/// Panics if the game has no such seat count.
pub(crate) fn descriptor(game: &'static dyn AnyGame, seats: u8) -> Descriptor {
    let player =
        |seat| TablePlayer { identity: *identity(seat).public().bytes(), name: "Ada".into(), host: None };
    let players = (0..seats).map(player).collect();
    Descriptor::new(game, &serde_json::json!({}), players, [9; 32]).expect("the descriptor is sound")
}

impl Peers {
    /// Creates a session for each seat and queues their first messages; nothing is delivered yet. `plays`: a seat that
    /// must decide chooses a random action other than `fold`. Panics if the table cannot be opened.
    pub(crate) fn new(game: &'static dyn AnyGame, seats: u8, plays: bool) -> Self {
        let descriptor = descriptor(game, seats);
        let mut peers = Peers {
            sessions: Vec::new(),
            queue: VecDeque::new(),
            stored: vec![Vec::new(); usize::from(seats)],
            plays,
            silent: None,
            rng: Rng::new(7),
        };
        for seat in 0..seats {
            let made = PeerSession::new(
                game,
                descriptor.clone(),
                seat,
                &identity(seat),
                [seat; 32],
                Entropy::new([seat; 32]),
            );
            let (session, outputs) = made.expect("the table opens");
            peers.sessions.push(session);
            peers.follow(usize::from(seat), outputs);
        }
        peers
    }

    /// Carries out the outputs of a seat's session: queues messages, stores items, agrees to drop seats, and chooses an
    /// action if the peers play. Other outputs are ignored.
    fn follow(&mut self, seat: usize, outputs: Vec<SessionOutput>) {
        for output in outputs {
            match output {
                SessionOutput::Request(SessionRequest::Send { to, bytes }) => {
                    self.queue.push_back(Sent { from: seat, to, bytes })
                }
                SessionOutput::Event(SessionEvent::AskDrop { seats, .. }) => {
                    self.input(seat, Input::Drop(seats))
                }
                SessionOutput::Request(SessionRequest::Persist(item)) => self.stored[seat].push(item),
                SessionOutput::Event(SessionEvent::Choose) if self.plays => {
                    // Nobody folds: the game would be over.
                    let position = self.sessions[seat].position();
                    let chosen = loop {
                        let chosen = position.choose_random(&mut self.rng).expect("there is a choice");
                        if chosen != "fold" {
                            break chosen;
                        }
                    };
                    self.input(seat, Input::Choose(&chosen));
                }
                _ => {}
            }
        }
    }

    /// Passes an input to the session of a seat and carries out its outputs. Does nothing for the silent
    /// seat.
    pub(crate) fn input(&mut self, seat: usize, input: Input<'_>) {
        if self.silent != Some(seat) {
            let outputs = self.sessions[seat].handle(input);
            self.follow(seat, outputs);
        }
    }

    /// Removes the oldest message from the queue, delivers it and returns it; `None` if there is none. A message of the
    /// silent seat is not delivered. A message to the silent seat is not handled either.
    pub(crate) fn step(&mut self) -> Option<Sent> {
        let sent = self.queue.pop_front()?;
        if self.silent != Some(sent.from) {
            for seat in (0..self.sessions.len()).filter(|&seat| seat != sent.from) {
                if sent.to == Recipient::All || sent.to == Recipient::Peer(seat as u32) {
                    self.input(seat, Input::Message { from: sent.from as u32, bytes: &sent.bytes });
                }
            }
        }
        Some(sent)
    }

    /// Delivers messages until none is queued, and returns all of them in order.
    pub(crate) fn settle(&mut self) -> Vec<Sent> {
        std::iter::from_fn(|| self.step()).collect()
    }
}
