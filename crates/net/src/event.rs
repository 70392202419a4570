//! The events that a transport reports to its user.

use crate::mail::{MailCursor, MailError};
use crate::mesh::{PeerId, PeerPath, PublicIdentity};

/// An event of the transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetEvent {
    /// A peer is reachable.
    PeerUp {
        /// The number of the peer in this process.
        peer: PeerId,
        /// The peer's public key.
        identity: PublicIdentity,
        /// Whether the peer has lost earlier messages: it is new, its process was restarted, or the queue overflowed.
        fresh: bool,
    },
    /// A peer is not reachable. Up to 8 MB of messages to it are queued.
    PeerDown(PeerId),
    /// A message of a peer arrived. Messages of one peer arrive without gaps and duplicates until a `PeerUp` that is
    /// `fresh`, in the order in which they were sent; only bulk messages may arrive after later ones.
    Message(PeerId, Vec<u8>),
    /// A peer is reached by another path.
    PathChanged(PeerId, PeerPath),
    /// The connection to the server has changed.
    Server(ServerStatus),
    /// A message from the mailbox of the table. Messages arrive in the order in which they were stored, each cursor once.
    /// The sender is not known: every holder of the invitation can post.
    Mail {
        /// The place of the message. A later fetch after it does not return the message again.
        cursor: MailCursor,
        /// The message as it was posted.
        message: Vec<u8>,
    },
    /// A fetch has delivered everything up to this cursor. Mailbox 0 means that nothing is stored for the table.
    MailCaughtUp(MailCursor),
    /// The relay has stored all posts: none is unacknowledged any more.
    MailStored,
    /// A post is not stored. The reason says whether the transport retries or has dropped it.
    MailRefused(MailError),
    /// Another device with this peer's own identity joined the table first. This peer sends nothing from now on.
    IdentityInUse,
}

/// The state of the connection to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerStatus {
    /// Connected.
    Connected,
    /// Not connected; the next attempt follows.
    Retrying {
        /// Milliseconds until the next attempt.
        after_ms: u64,
        /// Why the connection failed.
        why: String,
    },
}

/// Exponential backoff with jitter for connections to the server.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    const FIRST_MS: u64 = 250;
    const LONGEST_MS: u64 = 15_000;

    /// A connection that lasted at least this long worked.
    const WORKED_MS: u64 = 2_000;

    /// Notes that a connection was open for this time. If it worked, the next delay is the shortest one again. One that
    /// ends within 2 s, for example because the room is full, changes nothing.
    pub fn end_connection(&mut self, lasted_ms: u64) {
        if lasted_ms >= Self::WORKED_MS {
            self.reset();
        }
    }

    /// Makes the next delay the shortest one again.
    pub fn reset(&mut self) {
        self.failures = 0;
    }

    /// Counts a failure, and returns the milliseconds to wait before the next attempt. The upper bound
    /// doubles with each failure from 250 ms to 15 s; the delay is between half of it and all of it. `jitter`
    /// is any random number and picks the delay in that range.
    pub fn next_delay_ms(&mut self, jitter: u32) -> u64 {
        let longest = (Self::FIRST_MS << self.failures.min(10)).min(Self::LONGEST_MS);
        self.failures += 1;
        longest / 2 + u64::from(jitter) % (longest / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_and_are_bounded() {
        let mut backoff = Backoff::default();
        let delays: Vec<u64> = (0..12).map(|i| backoff.next_delay_ms(i * 7919)).collect();
        assert!(delays[0] < 250 && delays[11] >= 7_500 && delays.iter().all(|&ms| ms < 15_000), "{delays:?}");
        backoff.end_connection(1_999);
        assert!(backoff.next_delay_ms(0) >= 7_500, "a room that is full must not be asked all the time");
        backoff.end_connection(2_000);
        assert!(backoff.next_delay_ms(0) < 250);
    }
}
