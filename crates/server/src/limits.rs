//! Limits on every resource that a client can use.

use pentarchy_storage::MailLimits;
use std::time::Duration;
use tokio::time::Instant;

/// The limits of a server. The defaults allow tables of six players with spectators, a shuffle proof of 110 cards in one
/// message, and some hundred tables on a small machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum number of connections.
    pub connections: usize,
    /// Maximum number of connections per address (for IPv6, per /64 network).
    pub connections_per_address: u32,
    /// Maximum number of relay rooms that one address has opened.
    pub rooms_per_address: u32,
    /// Maximum number of listed open tables.
    pub listings: usize,
    /// Maximum number of listed open tables per address.
    pub listings_per_address: usize,
    /// Maximum number of members of a relay room.
    pub members_per_room: usize,
    /// Maximum number of members of a relay room per address (for IPv6, per /64 network). A household shares one address.
    pub members_per_address: usize,
    /// Maximum bytes of a message to the relay.
    pub message_bytes: usize,
    /// Maximum messages in the queue of a member.
    pub queue_messages: usize,
    /// Maximum bytes in the queue of a member.
    pub queue_bytes: usize,
    /// Message rate of a member. A message to all others counts once per recipient.
    pub message_rate: Rate,
    /// Byte rate of a member. A message to all others counts once per recipient.
    pub byte_rate: Rate,
    /// Bytes per address that its members may store in mailboxes: a burst, and what is added per second.
    pub mail_rate: Rate,
    /// Maximum bytes of stored packets per table.
    pub mail_table_bytes: u64,
    /// Maximum number of stored packets per table.
    pub mail_table_packets: u32,
    /// Maximum bytes of stored packets of all tables.
    pub mail_total_bytes: u64,
    /// Time since the last stored packet of a table after which all its packets are removed.
    pub mail_lifetime: Duration,
    /// Maximum bytes of packets that wait to be stored.
    pub mail_waiting_bytes: usize,
    /// Rate of requests per address to the list of open tables and the relay.
    pub request_rate: Rate,
    /// Rate of all other requests per address, such as those for files of the page.
    pub page_rate: Rate,
    /// Rate of requests per address that change something in an extension, such as publishing a record.
    pub publish_rate: Rate,
    /// Maximum bytes of the body of a request. An extension has its own.
    pub body_bytes: usize,
    /// Timeout for the head of a request, and for one write to a member.
    pub io_timeout: Duration,
    /// Timeout from the end of the head of a request to the start of the response. It includes the body of the request.
    pub request_timeout: Duration,
    /// Timeout like [`Limits::request_timeout`] for requests that change something in an extension.
    pub publish_timeout: Duration,
    /// Timeout for a client that reads nothing of a waiting response.
    pub write_stall: Duration,
    /// Minimum rate, in bytes per second, at which a client must read a response.
    pub write_rate: u64,
    /// Interval of pings to members.
    pub ping_interval: Duration,
    /// Timeout for a member that sends nothing and answers no ping.
    pub member_timeout: Duration,
    /// Timeout for a room without messages.
    pub room_timeout: Duration,
    /// Time after which a listed table is removed unless its host renews it.
    pub listing_lifetime: Duration,
    /// Time for connections to finish after the order to stop.
    pub shutdown_grace: Duration,
}

impl Default for Limits {
    /// Returns the limits of a server on a small machine.
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
            mail_rate: Rate { burst: 64 * 1024 * 1024, per_second: 1024 },
            mail_table_bytes: 32 * 1024 * 1024,
            mail_table_packets: 50_000,
            mail_total_bytes: 4 * 1024 * 1024 * 1024,
            mail_lifetime: Duration::from_secs(90 * 24 * 3600),
            mail_waiting_bytes: 16 * 1024 * 1024,
            request_rate: Rate { burst: 60, per_second: 10 },
            page_rate: Rate { burst: 600, per_second: 60 },
            publish_rate: Rate { burst: 30, per_second: 1 },
            body_bytes: 4 * 1024,
            io_timeout: Duration::from_secs(10),
            request_timeout: Duration::from_secs(10),
            publish_timeout: Duration::from_secs(60),
            write_stall: Duration::from_secs(30),
            write_rate: 4 * 1024,
            ping_interval: Duration::from_secs(20),
            member_timeout: Duration::from_secs(60),
            room_timeout: Duration::from_secs(24 * 3600),
            listing_lifetime: Duration::from_secs(90),
            shutdown_grace: Duration::from_secs(5),
        }
    }
}

impl Limits {
    /// Returns the limits of the mail storage: bytes and packets per table, and bytes of all tables.
    pub(crate) fn mail(&self) -> MailLimits {
        MailLimits {
            table_bytes: self.mail_table_bytes,
            table_packets: self.mail_table_packets,
            total_bytes: self.mail_total_bytes,
        }
    }
}

/// A rate limit: a burst, and a long-term rate.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Maximum at once, after a pause.
    pub burst: u64,
    /// Long-term rate per second.
    pub per_second: u64,
}

/// The token bucket of a rate limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenBucket {
    rate: Rate,
    /// Tokens in thousandths; negative after a charge that exceeded the balance.
    left: i64,
    at: Instant,
}

impl TokenBucket {
    /// Creates a bucket with the full burst at time `now`.
    pub(crate) fn full(rate: Rate, now: Instant) -> Self {
        Self { rate, left: thousandths(rate.burst), at: now }
    }

    /// Takes `n` tokens at time `now` if the balance is positive, even if it is smaller than `n`: then it
    /// becomes negative, and nothing can be taken until the rate has filled it. Returns `false`, and takes
    /// nothing, if no token is left.
    pub(crate) fn take(&mut self, n: u64, now: Instant) -> bool {
        self.fill(now);
        let allowed = self.left > 0;
        if allowed {
            self.left -= thousandths(n);
        }
        allowed
    }

    /// Takes `n` tokens at time `now` unconditionally, so that the balance may become negative. Returns the
    /// time until it is no longer negative, in whole milliseconds rounded down; zero if it is not negative.
    /// A rate of 0 per second counts as 1.
    pub(crate) fn charge(&mut self, n: u64, now: Instant) -> Duration {
        self.fill(now);
        self.left = self.left.saturating_sub(thousandths(n));
        let missing = self.left.min(0).unsigned_abs();
        Duration::from_millis(missing / self.rate.per_second.max(1))
    }

    /// Gives `n` tokens back that were taken or charged before. The balance grows to the burst at most.
    pub(crate) fn give_back(&mut self, n: u64) {
        self.left = self.left.saturating_add(thousandths(n)).min(thousandths(self.rate.burst));
    }

    /// Refills the bucket up to time `now` and returns whether it is full, and so equal to a new one.
    pub(crate) fn is_full(&mut self, now: Instant) -> bool {
        self.fill(now);
        self.left >= thousandths(self.rate.burst)
    }

    /// Adds what the rate has gained from the last call to `now`, in whole milliseconds and up to the
    /// burst. A time less than a millisecond after the last call, or before it, changes nothing; the rest
    /// counts at the next call.
    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_millis().min(1 << 32) as u64;
        if passed > 0 {
            let gained = thousandths(self.rate.per_second.saturating_mul(passed) / 1000)
                .saturating_add((self.rate.per_second.saturating_mul(passed) % 1000) as i64);
            self.left = self.left.saturating_add(gained).min(thousandths(self.rate.burst));
            // The rest of the last millisecond counts at the next call.
            self.at += Duration::from_millis(passed);
        }
    }
}

/// Converts tokens to thousandths; saturates at `i64::MAX`.
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
        let mut bucket = TokenBucket::full(RATE, start);
        assert_eq!((0..20).filter(|_| bucket.take(1, start)).count(), 10);
        let taken = |bucket: &mut TokenBucket, ms| {
            let now = start + Duration::from_millis(ms);
            (0..20).filter(|_| bucket.take(1, now)).count()
        };
        assert_eq!(taken(&mut bucket, 250), 1);
        assert_eq!(taken(&mut bucket, 2_250), 8);
        assert!(!bucket.is_full(start + Duration::from_millis(3_000)));
        assert!(bucket.is_full(start + Duration::from_millis(60_000)));
    }

    #[test]
    fn frequent_calls_gain_the_whole_rate() {
        let start = Instant::now();
        let mut bucket = TokenBucket::full(Rate { burst: 20, per_second: 1_000 }, start);
        let at = |call: u64| start + Duration::from_micros(1_900 * call);
        // 19 tokens in 19 ms.
        let taken = (0..1_000).take_while(|&call| bucket.take(if call % 10 == 0 { 10 } else { 1 }, at(call)));
        assert_eq!(taken.count(), 1_000);
    }

    #[test]
    fn tokens_are_given_back_up_to_the_burst() {
        let now = Instant::now();
        let mut bucket = TokenBucket::full(RATE, now);
        assert!(bucket.take(12, now) && !bucket.take(1, now));
        bucket.give_back(12);
        bucket.give_back(5);
        assert_eq!((0..20).filter(|_| bucket.take(1, now)).count(), 10);
    }

    #[test]
    fn a_charge_beyond_the_balance_is_paid_by_waiting() {
        let start = Instant::now();
        let mut bucket = TokenBucket::full(RATE, start);
        assert_eq!(bucket.charge(10, start), Duration::ZERO);
        assert_eq!(bucket.charge(8, start), Duration::from_secs(2));
        assert_eq!(bucket.charge(0, start + Duration::from_secs(1)), Duration::from_secs(1));
        assert!(bucket.charge(u64::MAX, start) > Duration::from_secs(1 << 40), "and does not overflow");
    }
}
