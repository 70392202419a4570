//! The listener, and its connections.

use crate::addresses::{Address, Addresses, Resource};
use crate::app::{self, App, Caller, Connection};
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::open_tables::{MemoryStore, TableStore};
use crate::origin::Origin;
use crate::page::PageFiles;
use crate::relay::Hub;
use crate::timed::Timed;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use pentarchy_net::StunServer;
#[cfg(feature = "sqlite")]
use pentarchy_storage::{DatabaseLocation, SqlStorage};
use pentarchy_storage::{MemoryStorage, Storage, StorageError};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Where a server stores the mail of tables.
pub enum MailboxConfig {
    /// Nowhere: posts are refused.
    Off,
    /// In this storage.
    Storage(Arc<dyn Storage>),
    /// In the database of the server.
    #[cfg(feature = "sqlite")]
    Database,
}

/// What a server has opened.
struct OpenStorage {
    mail: Option<Arc<dyn Storage>>,
    /// The routes of the extension.
    routes: Option<Router>,
    /// The database, if something other than the mailbox uses it, too.
    database: Option<Arc<dyn Storage>>,
}

#[cfg(feature = "sqlite")]
impl OpenStorage {
    /// Opens the database of a configuration if it is used, and creates the extension.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be opened, or is used and not named.
    async fn open(config: &mut ServerConfig) -> Result<Self, StorageError> {
        let mailbox = std::mem::replace(&mut config.mailbox, MailboxConfig::Off);
        let extension = config.extension.take();
        let database = if extension.is_some() || matches!(mailbox, MailboxConfig::Database) {
            let unnamed = || StorageError::Unavailable("no database is named".into());
            Some(Arc::new(config.database.as_ref().ok_or_else(unnamed)?.open().await?))
        } else {
            None
        };
        let mail = match mailbox {
            MailboxConfig::Off => None,
            MailboxConfig::Storage(storage) => Some(storage),
            MailboxConfig::Database => database.clone().map(|storage| storage as Arc<dyn Storage>),
        };
        let routes = extension.zip(database.clone()).map(|(create, storage)| create(storage));
        Ok(Self { mail, routes, database: database.map(|storage| storage as Arc<dyn Storage>) })
    }
}

#[cfg(not(feature = "sqlite"))]
impl OpenStorage {
    /// Returns the storage of a configuration. Never fails without a database.
    async fn open(config: &mut ServerConfig) -> Result<Self, StorageError> {
        let mail = match std::mem::replace(&mut config.mailbox, MailboxConfig::Off) {
            MailboxConfig::Off => None,
            MailboxConfig::Storage(storage) => Some(storage),
        };
        Ok(Self { mail, routes: None, database: None })
    }
}

/// Creates the routes of a component that a server also serves, with the database of the server. All their paths begin
/// with [`EXTENSION_PATH`](crate::EXTENSION_PATH). The server counts their requests against the limits of the address, and rejects
/// those of other web sites that change something.
#[cfg(feature = "sqlite")]
pub type ExtensionFactory = Box<dyn FnOnce(Arc<SqlStorage>) -> Router + Send>;

/// The configuration of a server.
pub struct ServerConfig {
    /// The IP address to listen on.
    pub host: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The resource limits.
    pub limits: Limits,
    /// The page.
    pub page: PageFiles,
    /// The store of open tables.
    pub open_tables: Arc<dyn TableStore>,
    /// Where the mail of tables is stored.
    pub mailbox: MailboxConfig,
    /// The database of the mailbox and of the extension.
    #[cfg(feature = "sqlite")]
    pub database: Option<DatabaseLocation>,
    /// A further component, which needs the database.
    #[cfg(feature = "sqlite")]
    pub extension: Option<ExtensionFactory>,
    /// The reverse proxies in front of this server. For requests from these addresses the limits count by
    /// `X-Forwarded-For`; for all others the header is ignored.
    pub proxies: Vec<IpAddr>,
    /// Web sites, besides the page of this server, whose pages may use the relay and the list of open tables.
    pub origins: Vec<Origin>,
    /// The address of a second listener that serves `/metrics` and nothing else. It has no limits: keep it private.
    pub metrics: Option<SocketAddr>,
    /// STUN servers for direct connections between pages in different networks. None by default: the operator of a STUN
    /// server sees who plays when.
    pub stun: Vec<StunServer>,
}

impl Default for ServerConfig {
    /// Returns the configuration of a server for this machine alone: port 7878 at 127.0.0.1, the default
    /// limits, the embedded page, open tables and mail in memory, no extension, proxies, origins, metrics or STUN servers.
    fn default() -> Self {
        Self {
            host: Ipv4Addr::LOCALHOST.into(),
            port: 7878,
            limits: Limits::default(),
            page: PageFiles::embedded(),
            open_tables: Arc::new(MemoryStore::default()),
            mailbox: MailboxConfig::Storage(Arc::new(MemoryStorage::default())),
            #[cfg(feature = "sqlite")]
            database: None,
            #[cfg(feature = "sqlite")]
            extension: None,
            proxies: Vec::new(),
            origins: Vec::new(),
            metrics: None,
            stun: Vec::new(),
        }
    }
}

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Another program listens on the port.
    #[error("the port is taken: something else listens at {0}")]
    Taken(SocketAddr),
    /// Another program listens on the address of the metrics.
    #[error("the address of the metrics is taken: something else listens at {0}")]
    MetricsTaken(SocketAddr),
    /// The address cannot be bound.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The storage cannot be opened.
    #[error("the storage cannot be used: {0}")]
    Storage(StorageError),
    /// The runtime cannot be started.
    #[error("cannot start: {0}")]
    Start(io::Error),
}

/// A server that listens and does not serve yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    metrics: Option<(TcpListener, SocketAddr)>,
    app: App,
    routes: Option<Router>,
    database: Option<Arc<dyn Storage>>,
}

impl Server {
    /// Opens the storage and binds the listeners. Connections queue up until [`Server::run`] serves them.
    ///
    /// # Errors
    ///
    /// Fails with `Storage` if the storage cannot be opened, `Taken` or `MetricsTaken` if an address is in
    /// use, and `Listen` if it cannot be bound for another reason.
    pub async fn bind(mut config: ServerConfig) -> Result<Self, ServerError> {
        let storage = OpenStorage::open(&mut config).await.map_err(ServerError::Storage)?;
        let (listener, address) = listen(SocketAddr::new(config.host, config.port)).await?;
        let metrics_listener = match config.metrics {
            Some(wanted) => Some(listen(wanted).await.map_err(|error| match error {
                ServerError::Taken(address) => ServerError::MetricsTaken(address),
                other => other,
            })?),
            None => None,
        };
        let (limits, metrics) = (Arc::new(config.limits), Arc::new(Metrics::default()));
        let addresses = Addresses::new(Arc::clone(&limits));
        let hub = Hub::new(Arc::clone(&limits), Arc::clone(&metrics), Arc::clone(&addresses), storage.mail);
        let app = App {
            limits,
            metrics,
            addresses,
            hub,
            open_tables: config.open_tables,
            page: Arc::new(config.page),
            stun: config.stun.into(),
            stop: CancellationToken::new(),
            connections: TaskTracker::new(),
            origins: config.origins.into(),
            proxies: config.proxies.into(),
        };
        let OpenStorage { routes, database, .. } = storage;
        Ok(Self { listener, address, metrics: metrics_listener, app, routes, database })
    }

    /// Returns the address of the listener, with the real port if the configuration named port 0.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the metrics listener; `None` if the configuration has none.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|(_, address)| *address)
    }

    /// Serves until `stop` is ready. Then accepts no more connections, closes those of room members, and
    /// drops mail that is not stored yet without an acknowledgement. Returns when the last connection has
    /// ended and the storage is closed; it waits for each of the two at most for the grace period of the
    /// limits.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, address, metrics, app, routes, database } = self;
        let router = app::router(app.clone(), routes);
        let mut tasks = vec![tokio::spawn(sweep(app.clone()))];
        let hub = Arc::clone(&app.hub);
        tasks.push(tokio::spawn(async move { hub.store_mail().await }));
        if let Some((listener, address)) = metrics {
            tracing::info!(%address, "serving metrics");
            tasks.push(tokio::spawn(serve_metrics(app.clone(), listener)));
        }
        tracing::info!(%address, page = !app.page.is_placeholder(), "listening");
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                (stream, peer) = accept(&listener) => admit(&app, &router, stream, peer),
                () = &mut stop => break,
            }
        }
        drop(listener);
        tracing::info!(connections = app.connections.len(), "stopping");
        app.stop.cancel();
        for task in tasks {
            task.abort();
        }
        app.connections.close();
        let in_time = timeout(app.limits.shutdown_grace, app.connections.wait()).await.is_ok();
        timeout(app.limits.shutdown_grace, app.hub.close_mail()).await.ok();
        if let Some(database) = database {
            timeout(app.limits.shutdown_grace, database.close()).await.ok();
        }
        tracing::info!(in_time, "stopped");
    }
}

/// Binds a listener. Returns it with its address, which differs from `wanted` if that has port 0.
///
/// # Errors
///
/// Fails with `Taken` if the address is in use, and with `Listen` if it cannot be bound for another reason.
async fn listen(wanted: SocketAddr) -> Result<(TcpListener, SocketAddr), ServerError> {
    let listener = TcpListener::bind(wanted).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => ServerError::Taken(wanted),
        _ => ServerError::Listen(wanted, error),
    })?;
    let address = listener.local_addr().map_err(|error| ServerError::Listen(wanted, error))?;
    Ok((listener, address))
}

/// Waits for the next connection, and returns it with the IP address of the client or its proxy. Logs errors
/// and retries after 100 ms.
async fn accept(listener: &TcpListener) -> (TcpStream, IpAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer.ip()),
            Err(error) => {
                // Most likely out of file descriptors; some will be closed soon.
                tracing::warn!(%error, "cannot accept");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Serves a connection in a task of its own. Drops it without an answer, and counts it as refused, if there
/// are too many connections in all or from its address. Connections of trusted proxies do not count against
/// an address. `ip` is the address of the client or its proxy.
fn admit(app: &App, router: &Router, stream: TcpStream, ip: IpAddr) {
    let metrics = &app.metrics;
    let full = app.connections.len() >= app.limits.connections;
    let reservation = app.addresses.reserve(Address::from(ip), Resource::Connection);
    if full || reservation.is_none() && !app.is_proxy(ip) {
        metrics.refused.inc();
        return;
    }
    metrics.accepted.inc();
    metrics.connections.inc();
    let reservation = reservation.filter(|_| !app.is_proxy(ip));
    let connection = Arc::new(Connection {
        metrics: Arc::clone(metrics),
        _reservation: reservation,
        _tracked: app.connections.token(),
    });
    let caller = Caller { ip, connection };
    let (router, metrics) = (TowerToHyperService::new(router.clone()), Arc::clone(metrics));
    let service = service_fn(move |request: Request<Incoming>| {
        metrics.requests.inc();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(caller.clone());
        router.call(request)
    });
    tokio::spawn(serve_connection(app.clone(), stream, service));
}

/// Serves metrics until it is dropped. These connections count against no limit.
async fn serve_metrics(app: App, listener: TcpListener) {
    let router = TowerToHyperService::new(app::metrics_router(app.clone()));
    loop {
        let (stream, _) = accept(&listener).await;
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| router.call(request.map(Body::new)));
        tokio::spawn(serve_connection(app.clone(), stream, service));
    }
}

/// Serves the requests of a connection until it ends, reads or sends too slowly, or the server stops: then
/// the current request is finished. Errors concern only the client and are ignored.
async fn serve_connection<S>(app: App, stream: TcpStream, service: S)
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    stream.set_nodelay(true).ok();
    let stream = Timed::new(stream, app.limits.write_stall, app.limits.write_rate);
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.limits.io_timeout)
        .max_buf_size(16 * 1024)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut serving = std::pin::pin!(serving);
    // Errors of a connection concern only the client.
    tokio::select! {
        _ = &mut serving => {}
        () = app.stop.cancelled() => {
            serving.as_mut().graceful_shutdown();
            serving.await.ok();
        }
    }
}

/// Removes unused addresses, expired entries of the list and old mail every 30 seconds, and updates their
/// counts in the metrics. Runs until it is dropped.
async fn sweep(app: App) {
    let mut clock = interval(Duration::from_secs(30));
    loop {
        clock.tick().await;
        app.addresses.sweep();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        if let Ok(left) = app.open_tables.sweep(now).await {
            app.metrics.listings.set(left as i64);
        }
        app.hub.sweep_mail().await;
    }
}
