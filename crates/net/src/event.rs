//! What a transport tells whoever uses it.

use crate::mesh::{Identity, Path, PeerId};

/// Something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A peer is there.
    Up {
        /// Who, in this process.
        peer: PeerId,
        /// Who, in the world.
        identity: Identity,
        /// Whether it knows nothing of what was said before.
        fresh: bool,
    },
    /// A peer cannot be reached at present.
    Down(PeerId),
    /// A message came.
    Message(PeerId, Vec<u8>),
    /// A peer is reached in another way.
    Path(PeerId, Path),
    /// How it stands with the server.
    Server(Status),
    /// Another device with this peer's own identity was at the table first. This peer sends nothing any more.
    Twin,
}

/// How it stands with the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Connected.
    Connected,
    /// Not connected; it is tried again after so many milliseconds.
    Retrying {
        /// How long that is.
        after_ms: u64,
        /// Why.
        why: String,
    },
}

/// How long to wait before the server is tried again: longer each time, and not for all peers the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    const FIRST: u64 = 250;
    const LONGEST: u64 = 15_000;

    /// The connection stands.
    pub fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// It failed: so many milliseconds to wait. `jitter` is any random number.
    pub fn failed(&mut self, jitter: u32) -> u64 {
        let longest = (Self::FIRST << self.failures.min(10)).min(Self::LONGEST);
        self.failures += 1;
        longest / 2 + u64::from(jitter) % (longest / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_grows_and_is_bounded() {
        let mut backoff = Backoff::default();
        let waits: Vec<u64> = (0..12).map(|i| backoff.failed(i * 7919)).collect();
        assert!(waits[0] < 250 && waits[11] >= 7_500 && waits.iter().all(|&wait| wait < 15_000), "{waits:?}");
        backoff.succeeded();
        assert!(backoff.failed(0) < 250);
    }
}
