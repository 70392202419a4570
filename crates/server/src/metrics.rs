//! Metrics for Prometheus.

use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use std::fmt;

/// The content type of [`Metrics::text`].
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

macro_rules! metrics {
    ($($field:ident: $kind:ident = $new:expr, $name:literal, $help:literal;)*) => {
        /// All metrics of a server.
        pub(crate) struct Metrics {
            pub(crate) registry: Registry,
            $(#[doc = $help] pub(crate) $field: $kind,)*
        }

        impl Default for Metrics {
            /// Creates all metrics at zero and registers them with the prefix `pentarchy`.
            fn default() -> Self {
                let mut registry = Registry::with_prefix("pentarchy");
                $(let $field: $kind = $new; registry.register($name, $help, $field.clone());)*
                Self { registry, $($field,)* }
            }
        }
    };
}

// The encoder adds `_total` to the names of counters and a full stop to the help texts.
metrics! {
    connections: Gauge = Gauge::default(), "connections", "Open connections";
    accepted: Counter = Counter::default(), "connections_accepted", "Connections accepted since the start";
    refused: Counter = Counter::default(), "refused", "Connections and requests refused by a limit or for their origin";
    requests: Counter = Counter::default(), "requests", "HTTP requests";
    request_seconds: Histogram = Histogram::new(exponential_buckets(1e-4, 4.0, 9)), "request_seconds",
        "Time from the head of an HTTP request to the head of its response";
    rooms: Gauge = Gauge::default(), "rooms", "Relay rooms with at least one member";
    members: Gauge = Gauge::default(), "members", "Members of all relay rooms";
    listings: Gauge = Gauge::default(), "open_tables", "Listed open tables, at the last sweep";
    messages: Counter = Counter::default(), "relay_messages", "Messages that peers sent to the relay";
    delivered: Counter = Counter::default(), "relay_delivered", "Messages that the relay put into queues of members";
    bytes: Counter = Counter::default(), "relay_bytes", "Bytes of payload that peers sent to the relay";
    relay_seconds: Histogram = Histogram::new(exponential_buckets(1e-5, 4.0, 9)), "relay_queue_seconds",
        "Time from receiving a message until it is queued for all its recipients";
    paused: Counter = Counter::default(), "relay_paused", "Times that a peer was made to wait for its rate";
    slow: Counter = Counter::default(), "relay_slow", "Members dropped because they read too slowly";
    malformed: Counter = Counter::default(), "relay_malformed",
        "Members dropped because of a malformed or oversized frame";
    moved: Counter = Counter::default(), "relay_moved", "Members dropped because another process has their room";
    mail_stored: Counter = Counter::default(), "mail_stored", "Packets stored in mailboxes";
    mail_bytes: Counter = Counter::default(), "mail_bytes", "Bytes of packets stored in mailboxes";
    mail_delivered: Counter = Counter::default(), "mail_delivered", "Stored packets sent to members";
    mail_refused: Counter = Counter::default(), "mail_refused", "Packets that were not stored";
    mail_failed: Counter = Counter::default(), "mail_failed", "Failures of the storage";
    mail_expired: Counter = Counter::default(), "mail_expired", "Mailboxes removed because of their age";
    mail_tables: Gauge = Gauge::default(), "mail_tables", "Tables with a mailbox, at the last sweep";
    mail_held_bytes: Gauge = Gauge::default(), "mail_held_bytes", "Bytes in all mailboxes, at the last sweep";
    idle: Counter = Counter::default(), "relay_idle", "Members dropped because they were silent for too long";
}

impl Metrics {
    /// Encodes all metrics in the OpenMetrics text format.
    ///
    /// # Errors
    ///
    /// Fails if a metric cannot be formatted.
    pub(crate) fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
