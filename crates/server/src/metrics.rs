//! What is counted, in the text format that Prometheus reads.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One number.
#[derive(Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    /// One more.
    pub(crate) fn up(&self) {
        self.add(1);
    }

    /// One less.
    pub(crate) fn down(&self) {
        self.0.fetch_sub(1, Relaxed);
    }

    /// Some more.
    pub(crate) fn add(&self, n: u64) {
        self.0.fetch_add(n, Relaxed);
    }

    /// This many.
    pub(crate) fn set(&self, n: u64) {
        self.0.store(n, Relaxed);
    }

    /// The number now.
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

macro_rules! metrics {
    ($($field:ident, $kind:literal, $name:literal, $help:literal;)*) => {
        /// All numbers.
        #[derive(Default)]
        pub(crate) struct Metrics {
            $(#[doc = $help] pub(crate) $field: Count,)*
        }

        impl Metrics {
            /// The text of `/metrics`.
            pub(crate) fn text(&self) -> String {
                let mut text = String::new();
                for (name, kind, help, value) in [$(($name, $kind, $help, self.$field.get()),)*] {
                    // Writing to a string does not fail.
                    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
                }
                text
            }
        }
    };
}

metrics! {
    connections, "gauge", "pentarchy_connections", "Open connections.";
    connections_total, "counter", "pentarchy_connections_total", "Connections accepted since the start.";
    refused_total, "counter", "pentarchy_refused_total", "Connections and requests refused by a limit.";
    requests_total, "counter", "pentarchy_requests_total", "HTTP requests.";
    rooms, "gauge", "pentarchy_rooms", "Relay rooms with at least one member.";
    members, "gauge", "pentarchy_members", "Members of all relay rooms.";
    listings, "gauge", "pentarchy_open_tables", "Tables listed in the lobby, at the last sweep.";
    messages_total, "counter", "pentarchy_relay_messages_total", "Messages that peers sent to the relay.";
    delivered_total, "counter", "pentarchy_relay_delivered_total", "Messages that the relay put into queues of members.";
    bytes_total, "counter", "pentarchy_relay_bytes_total", "Bytes of payload that peers sent to the relay.";
    paused_total, "counter", "pentarchy_relay_paused_total", "Times that a peer was made to wait for its rate.";
    slow_total, "counter", "pentarchy_relay_slow_total", "Members dropped because they read too slowly.";
    malformed_total, "counter", "pentarchy_relay_malformed_total", "Members dropped because of a malformed or oversized frame.";
    idle_total, "counter", "pentarchy_relay_idle_total", "Members dropped because nothing was heard of them.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_explained() {
        let metrics = Metrics::default();
        metrics.rooms.add(3);
        metrics.rooms.down();
        let text = metrics.text();
        assert!(text.contains("# TYPE pentarchy_rooms gauge\npentarchy_rooms 2\n"), "{text}");
        assert!(text.lines().count() % 3 == 0 && text.ends_with('\n'));
    }
}
