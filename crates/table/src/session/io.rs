//! Inputs and outputs of a session.

use crate::evidence::Evidence;
use crate::record::TableRecord;
use crate::wire::Lateness;
use pentarchy_engine::SeatSet;
use pentarchy_engine::any::AnyPosition;
use pentarchy_engine::record::RecordEntry;
use std::sync::Arc;

/// A peer as the transport numbers it. A session does not trust it: messages are judged by their signatures.
pub type PeerNumber = u32;

/// An input of a session.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A message arrived.
    Message {
        /// The peer that delivered it, who need not be its author.
        from: PeerNumber,
        /// The message as it was sent.
        bytes: &'a [u8],
    },
    /// The player at this seat chose an action, given in spoken or canonical text.
    Choose(&'a str),
    /// The current time of any monotonic clock. Give it at least every few seconds: timeouts and retries depend on it.
    Tick {
        /// Milliseconds.
        now_ms: u64,
    },
    /// A connection to a peer is up, for the first time or again.
    Connected(PeerNumber),
    /// A connection to a peer is down. It may still be reached through others.
    Gone(PeerNumber),
    /// The player at this seat sends a line of chat.
    Chat(&'a str),
    /// The player at this seat ends the game for this peer alone, because late seats cannot be dropped: there is no
    /// majority to vote for it.
    GiveUp,
    /// The player at this seat is active. While the seat owes an action this postpones the others' timeouts. May be given
    /// at any time and often.
    Thinking,
    /// Whether the machine of a seat is reached has changed.
    Reach {
        /// The seat of a person; the bots that they host are on the same machine.
        seat: u8,
        /// Whether some path leads there.
        reachable: bool,
    },
    /// The player at this seat agrees to drop these seats, as [asked](SessionEvent::AskDrop).
    Drop(SeatSet),
    /// The player at this seat wants to wait for the late seats: the seat rejects the open proposals to drop them, and
    /// the player is asked again after another time limit. No effect while this machine is bound by its vote to drop a
    /// seat.
    Wait,
}

/// The recipients of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recipient {
    /// One peer.
    Peer(PeerNumber),
    /// All peers.
    All,
}

/// A verified position, as this peer sees it, with the event that led to it. Cheap to clone.
#[derive(Clone)]
pub struct AppliedPosition(Arc<dyn AnyPosition>);

impl AppliedPosition {
    /// Wraps a position to share it.
    pub(super) fn new(position: Box<dyn AnyPosition>) -> Self {
        AppliedPosition(position.into())
    }
}

impl std::ops::Deref for AppliedPosition {
    type Target = dyn AnyPosition;

    /// Returns the position.
    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl std::fmt::Debug for AppliedPosition {
    /// Writes the digest of the position.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("AppliedPosition").field(&self.0.digest()).finish()
    }
}

/// Something that the caller must do for the session to work.
#[derive(Clone, Debug)]
pub enum SessionRequest {
    /// Send a message.
    Send {
        /// To whom.
        to: Recipient,
        /// The message.
        bytes: Vec<u8>,
    },
    /// Append an item to the store. It must be durable before any later `Send` is carried out.
    Persist(Vec<u8>),
}

/// Something that has happened. The caller may show it or ignore it.
#[derive(Clone, Debug)]
pub enum SessionEvent {
    /// All seats have signed the start.
    Opened,
    /// An event was verified and applied.
    Applied {
        /// The number of its step in the log, from 1. Takeovers of dropped seats are steps, too.
        n: u32,
        /// The event with the annexes of this seat. `entry.n` counts events from 1, without takeovers.
        entry: Box<RecordEntry>,
        /// The line of the game's log that describes it to this seat; `None` if it needs none.
        log: Option<String>,
        /// The position after the event.
        position: AppliedPosition,
    },
    /// The log was rewound: events after this one were undone, and others will follow.
    Rewound {
        /// How many events are left.
        to: u32,
    },
    /// A number of [`Trust`](crate::Trust) has changed. At most one for each input, after all other events.
    TrustChanged,
    /// The player at this seat has to choose an action.
    Choose,
    /// An input of the player was refused, for this reason.
    Refused(String),
    /// A message was rejected.
    Rejected {
        /// The peer that delivered it.
        from: PeerNumber,
        /// Why.
        why: String,
    },
    /// The timeout for a seat has fired.
    Stalled {
        /// The late seat.
        seat: u8,
        /// What it owes, in words.
        owes: String,
        /// Whether its machine is reached.
        how: Lateness,
    },
    /// The player at this seat is asked whether to drop these seats. Nothing is signed before they [agree](Input::Drop).
    /// Not asked about seats that are proved to have cheated.
    AskDrop {
        /// The late seats, and all others of their machines.
        seats: SeatSet,
        /// Those of them whose machine is reached by no path.
        unreachable: SeatSet,
    },
    /// A seat is proved to have cheated.
    Evidence(Box<Evidence>),
    /// A seat was dropped. At the other seats: the game goes on, and a bot plays the seat with its cards laid open. At
    /// the seat itself: its part in the game is over.
    Replaced {
        /// The seat.
        seat: u8,
    },
    /// Another player has given up and signed the claim that this seat was late: for them the match is over. Emitted once
    /// for each claim in force; after a restart, the first input emits it again.
    Abandoned {
        /// The seat of that player.
        by: u8,
        /// The seats that the claim names, this one among them.
        seats: SeatSet,
    },
    /// A seat sent a line of chat.
    Chat {
        /// The seat.
        seat: u8,
        /// The line, without control characters.
        text: String,
    },
    /// The game is over; the signed record.
    Over(Box<TableRecord>),
    /// The session cannot go on, for this reason: the logs of the peers differ and no seat can be blamed, or there is a
    /// bug.
    Broken(String),
}

/// One output of a session. The order of requests counts; an event comes after the requests that preceded it.
#[derive(Clone, Debug)]
pub enum SessionOutput {
    /// To be carried out.
    Request(SessionRequest),
    /// To be shown.
    Event(SessionEvent),
}

impl SessionOutput {
    /// Returns the event; `None` for a request.
    pub fn event(self) -> Option<SessionEvent> {
        match self {
            SessionOutput::Event(event) => Some(event),
            SessionOutput::Request(_) => None,
        }
    }

    /// Returns the bytes of a message to be sent; `None` for everything else.
    pub fn message(self) -> Option<Vec<u8>> {
        match self {
            SessionOutput::Request(SessionRequest::Send { bytes, .. }) => Some(bytes),
            _ => None,
        }
    }
}
