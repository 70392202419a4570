//! Limits on everything that somebody else could want too much of.

use std::time::Duration;
use tokio::time::Instant;

/// The limits of a server. The defaults fit a table of six with spectators, a shuffle proof of 110 cards in one
/// message, and some hundred tables on a small machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections in all.
    pub connections: usize,
    /// Connections of one address (for IPv6, of one /64 network).
    pub connections_per_address: u32,
    /// Relay rooms that one address has opened.
    pub rooms_per_address: u32,
    /// Entries in the lobby in all.
    pub listings: usize,
    /// Entries in the lobby that come from one address.
    pub listings_per_address: usize,
    /// Members of one relay room.
    pub members_per_room: usize,
    /// Members of one relay room that come from one address (for IPv6, from one /64 network). A household plays from one.
    pub members_per_address: usize,
    /// Bytes of one message to the relay.
    pub message_bytes: usize,
    /// Messages that wait for one slow member.
    pub queue_messages: usize,
    /// Bytes that wait for one slow member.
    pub queue_bytes: usize,
    /// Messages of one member: a message to all others counts once for each of them.
    pub message_rate: Rate,
    /// Bytes of one member, counted in the same way.
    pub byte_rate: Rate,
    /// Requests of one address to the lobby and the relay.
    pub request_rate: Rate,
    /// Requests of one address for files of the page, and all others.
    pub page_rate: Rate,
    /// Bytes of the body of a request.
    pub body_bytes: usize,
    /// How long the head of a request may take to arrive, and how long one write to a member may take.
    pub patience: Duration,
    /// How long a request may take from the end of its head to the start of the response: the time for its body.
    pub request_time: Duration,
    /// How long a client may read nothing of a response that waits for it.
    pub write_stall: Duration,
    /// The slowest rate, in bytes a second, at which a client may read a response.
    pub write_rate: u64,
    /// How often a silent member is asked for a sign of life.
    pub ping: Duration,
    /// How long a member may stay silent, without even answering pings.
    pub silence: Duration,
    /// How long a room may go without a message.
    pub room_idle: Duration,
    /// How long an entry stays in the lobby if it is not renewed.
    pub listing_life: Duration,
    /// How long connections may go on after the order to stop.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 10_000,
            connections_per_address: 128,
            rooms_per_address: 32,
            listings: 1_000,
            listings_per_address: 16,
            members_per_room: 32,
            members_per_address: 8,
            message_bytes: 256 * 1024,
            queue_messages: 1_024,
            queue_bytes: 4 * 1024 * 1024,
            message_rate: Rate { burst: 4_000, per_second: 1_000 },
            byte_rate: Rate { burst: 8 * 1024 * 1024, per_second: 1024 * 1024 },
            request_rate: Rate { burst: 60, per_second: 10 },
            page_rate: Rate { burst: 600, per_second: 60 },
            body_bytes: 4 * 1024,
            patience: Duration::from_secs(10),
            request_time: Duration::from_secs(10),
            write_stall: Duration::from_secs(30),
            write_rate: 4 * 1024,
            ping: Duration::from_secs(20),
            silence: Duration::from_secs(60),
            room_idle: Duration::from_secs(24 * 3600),
            listing_life: Duration::from_secs(90),
            grace: Duration::from_secs(5),
        }
    }
}

/// So many at once, and so many a second in the long run.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// How many at once, after a pause.
    pub burst: u64,
    /// How many a second in the long run.
    pub per_second: u64,
}

/// What is left of a rate: a bucket that fills with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    rate: Rate,
    /// Thousandths; below zero after a draught that was larger than what was left.
    left: i64,
    at: Instant,
}

impl Bucket {
    /// A full bucket.
    pub(crate) fn full(rate: Rate, now: Instant) -> Self {
        Self { rate, left: thousandths(rate.burst), at: now }
    }

    /// Takes `n` if anything is left.
    pub(crate) fn take(&mut self, n: u64, now: Instant) -> bool {
        self.fill(now);
        let allowed = self.left > 0;
        if allowed {
            self.left -= thousandths(n);
        }
        allowed
    }

    /// Takes `n` in any case, and says how long to wait until something is left again.
    pub(crate) fn charge(&mut self, n: u64, now: Instant) -> Duration {
        self.fill(now);
        self.left = self.left.saturating_sub(thousandths(n));
        let missing = self.left.min(0).unsigned_abs();
        Duration::from_millis(missing / self.rate.per_second.max(1))
    }

    /// Whether it would be the same as a new one.
    pub(crate) fn is_full(&mut self, now: Instant) -> bool {
        self.fill(now);
        self.left >= thousandths(self.rate.burst)
    }

    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_millis().min(1 << 32) as u64;
        if passed > 0 {
            let gained = thousandths(self.rate.per_second.saturating_mul(passed) / 1000)
                .saturating_add((self.rate.per_second.saturating_mul(passed) % 1000) as i64);
            self.left = self.left.saturating_add(gained).min(thousandths(self.rate.burst));
            self.at = now;
        }
    }
}

fn thousandths(n: u64) -> i64 {
    i64::try_from(n.saturating_mul(1000)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { burst: 10, per_second: 4 };

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let start = Instant::now();
        let mut bucket = Bucket::full(RATE, start);
        assert_eq!((0..20).filter(|_| bucket.take(1, start)).count(), 10);
        let taken = |bucket: &mut Bucket, ms| {
            let now = start + Duration::from_millis(ms);
            (0..20).filter(|_| bucket.take(1, now)).count()
        };
        assert_eq!(taken(&mut bucket, 250), 1);
        assert_eq!(taken(&mut bucket, 2_250), 8);
        assert!(!bucket.is_full(start + Duration::from_millis(3_000)));
        assert!(bucket.is_full(start + Duration::from_millis(60_000)));
    }

    #[test]
    fn a_large_draught_is_paid_by_waiting() {
        let start = Instant::now();
        let mut bucket = Bucket::full(RATE, start);
        assert_eq!(bucket.charge(10, start), Duration::ZERO);
        assert_eq!(bucket.charge(8, start), Duration::from_secs(2));
        assert_eq!(bucket.charge(0, start + Duration::from_secs(1)), Duration::from_secs(1));
        assert!(bucket.charge(u64::MAX, start) > Duration::from_secs(1 << 40), "and does not overflow");
    }
}
