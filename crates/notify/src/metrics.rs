//! Metrics of notifications.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

macro_rules! notify_metrics {
    ($($field:ident: $kind:ident, $name:literal, $help:literal;)*) => {
        /// All metrics of notifications.
        pub(crate) struct NotifyMetrics {
            $(#[doc = $help] pub(crate) $field: $kind,)*
        }

        impl NotifyMetrics {
            /// Creates all metrics at zero and registers them.
            pub(crate) fn register(registry: &mut Registry) -> Self {
                $(let $field = $kind::default(); registry.register($name, $help, $field.clone());)*
                Self { $($field,)* }
            }
        }
    };
}

// The encoder adds `_total` to the names of counters and a full stop to the help texts.
notify_metrics! {
    turns: Counter, "notify_turns", "Turns that were announced and stored";
    queued: Counter, "notify_queued", "Messages put into the outbox by announcements";
    delivered: Counter, "notify_delivered", "Messages delivered";
    retried: Counter, "notify_retried", "Attempts to deliver a message that failed and are repeated";
    failed: Counter, "notify_failed", "Messages given up";
    storage_failed: Counter, "notify_storage_failed", "Failures of the storage";
    tables: Gauge, "notify_tables", "Tables whose turn is known, at the last sweep";
    subscriptions: Gauge, "notify_subscriptions", "Subscriptions, at the last sweep";
    overdue: Gauge, "notify_overdue", "Messages that are due and not sent, at the last sweep";
}
