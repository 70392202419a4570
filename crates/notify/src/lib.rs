//! Notifications: the server learns whose turn it is at a table, and tells players who are away, by mail, webhook and web
//! push. It knows no games: a turn is a number, a seat is a number, and the name of a table is what its player has written.
//!
//! | module | concept |
//! | --- | --- |
//! | `api` | JSON over HTTP, described in `docs/network.md` |
//! | `text` | the words of messages |
//! | `send` | one message to a mail server, a webhook or a push service |
//! | `worker` | takes messages out of the outbox, sends them, and stores the results |
//!
//! Everything is stored by [`pentarchy_storage::notify`]. A message is sent at least once and, unless the server dies between
//! sending it and storing the result, only once. One that is sent again has the same identifier.

mod api;
mod config;
mod metrics;
mod send;
mod text;
mod worker;

pub use config::{MailConfig, MailConfigError, NotifyConfig, PublicUrl, PublicUrlError};

use axum::Router;
use metrics::NotifyMetrics;
use pentarchy_storage::SqlStorage;
use prometheus_client::registry::Registry;
use send::MessageSender;
use std::future::Future;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;

/// What requests and workers share.
pub(crate) struct Notifier {
    pub(crate) storage: Arc<SqlStorage>,
    pub(crate) config: NotifyConfig,
    pub(crate) metrics: NotifyMetrics,
    pub(crate) sender: MessageSender,
    /// Changes when there may be a new message in the outbox.
    pub(crate) wake: watch::Sender<()>,
    /// The secret of the key that identifies this server to push services.
    vapid: OnceCell<[u8; 32]>,
}

impl Notifier {
    /// Returns the secret key of this server for push services. The first call reads it from the storage, which keeps a
    /// fresh one if it has none.
    ///
    /// # Errors
    ///
    /// Fails with a sentence if the storage does, or the operating system has no random bytes.
    pub(crate) async fn vapid_secret(&self) -> Result<[u8; 32], String> {
        let read = || async {
            let fresh = random::<32>()?;
            self.storage.server_secret("vapid", fresh).await.map_err(|error| error.to_string())
        };
        self.vapid.get_or_try_init(read).await.copied()
    }
}

/// Starts notifications on a storage: registers their metrics, and returns the routes, all below `/api/notify/`, and the
/// workers, which the caller must run. They end when `stop` is cancelled and the messages under way are sent. The routes
/// limit no rates and check no origins: the server that serves them must limit requests per address, and reject requests
/// of other web sites that change something.
pub fn start(
    storage: Arc<SqlStorage>,
    config: NotifyConfig,
    registry: &mut Registry,
    stop: CancellationToken,
) -> (Router, impl Future<Output = ()> + Send + use<>) {
    let notifier = Arc::new(Notifier {
        sender: MessageSender::new(&config),
        metrics: NotifyMetrics::register(registry),
        wake: watch::Sender::default(),
        vapid: OnceCell::new(),
        storage,
        config,
    });
    (api::routes(Arc::clone(&notifier)), worker::run(notifier, stop))
}

/// Returns the seconds since 1970; 0 if the clock is before that.
pub(crate) fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Returns `N` fresh random bytes of the operating system.
///
/// # Errors
///
/// Fails with a sentence if it has none.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(format!("there are no random bytes: {error}")),
    }
}
